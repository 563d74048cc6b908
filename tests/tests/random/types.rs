//! Types of C and of the dialects as values: made at random, and written as declarations. A type is built
//! from the name outwards, as a declarator is read, so that every nesting that C allows can be made.

use super::records::Dialect;
use crate::Random;
use std::fmt::Write;

/// A type without its qualifiers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    Void,
    Basic(&'static str),
    Bits(&'static str),
    Enum(String),
    /// A record, by its number.
    Record(usize),
    /// The target; in Split-C also `global ` or `spread ` if the target may be remote.
    Pointer(Box<Type>, &'static str),
    /// Elements, and the bound as written.
    Array(Box<Type>, String),
    /// Split-C's spread array: the block, and all before `::`.
    Spread(Box<Type>, String),
    Function(Box<Type>, Vec<Type>),
}

/// A qualified type. The qualifiers of an array are those of its elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Type {
    pub kind: Kind,
    /// The layout of a shared (in AC distributed) object.
    pub shared: Option<&'static str>,
    /// Other qualifiers, each with a blank after it.
    pub words: &'static str,
}

/// A record's members: name (none of an anonymous record, whose members are then the record's) and type.
pub struct Record {
    /// The name of the type once it is defined.
    pub name: String,
    pub members: Vec<(String, Type)>,
}

pub const INTEGERS: [&str; 13] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long int",
    "unsigned long long",
    "_Bool",
    "__int128",
];
const REALS: [&str; 4] = ["float", "double", "long double", "double"];
const COMPLEX: [&str; 3] = ["float _Complex", "double _Complex", "long double _Complex"];

impl Type {
    pub fn of(kind: Kind) -> Type {
        Type { kind, shared: None, words: "" }
    }

    pub fn basic(name: &'static str) -> Type {
        Type::of(Kind::Basic(name))
    }

    /// The type of a value of this type.
    pub fn unqualified(&self) -> Type {
        Type::of(self.kind.clone())
    }

    pub fn integer(&self) -> bool {
        match &self.kind {
            Kind::Basic(name) => INTEGERS.contains(name),
            Kind::Bits(_) | Kind::Enum(_) => true,
            _ => false,
        }
    }

    pub fn complex(&self) -> bool {
        matches!(&self.kind, Kind::Basic(name) if COMPLEX.contains(name))
    }

    pub fn arithmetic(&self) -> bool {
        matches!(self.kind, Kind::Basic(_) | Kind::Bits(_) | Kind::Enum(_))
    }

    /// The type with its elements shared with a layout; a type that is no array gets the layout itself.
    pub fn with_shared(&self, layout: &'static str) -> Type {
        match &self.kind {
            Kind::Array(of, n) => Type::of(Kind::Array(Box::new(of.with_shared(layout)), n.clone())),
            _ => Type { shared: Some(layout), ..self.clone() },
        }
    }

    /// The layout of the object or of its elements.
    pub fn layout(&self) -> Option<&'static str> {
        match &self.kind {
            Kind::Array(of, _) => of.layout(),
            _ => self.shared,
        }
    }
}

/// Makes types and writes them; owns the definitions, which precede their uses.
pub struct Types {
    pub random: Random,
    pub dialect: Dialect,
    pub records: Vec<Record>,
    /// Names of enumeration types, and of their constants.
    enums: Vec<(String, String)>,
    /// Records within the one that is being defined, and the names that they get at its end.
    unnamed: Vec<(usize, String)>,
    /// Definitions at file scope.
    pub before: String,
    /// The ending of all names.
    pub id: usize,
    names: usize,
}

impl Types {
    pub fn new(random: Random, dialect: Dialect, id: usize) -> Types {
        Types {
            random,
            dialect,
            records: Vec::new(),
            enums: Vec::new(),
            unnamed: Vec::new(),
            before: String::new(),
            id,
            names: 0,
        }
    }

    /// A unique name.
    pub fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}_{}", self.names, self.id)
    }

    /// A constant of an enumeration type.
    pub fn constant(&mut self) -> Option<String> {
        let at = self.random.below(self.enums.len().max(1));
        self.enums.get(at).map(|(_, constant)| constant.clone())
    }

    // ---- writing ----

    fn qualifiers(&self, ty: &Type) -> String {
        match (ty.shared, self.dialect) {
            (Some(layout), Dialect::Upc) => format!("{}shared{layout} ", ty.words),
            (Some(_), _) => format!("{}dist ", ty.words),
            (None, _) => ty.words.to_string(),
        }
    }

    /// A declaration without its semicolon; with an empty name, a type's name. Sometimes a part of the type
    /// gets a typedef first.
    pub fn declare(&mut self, ty: &Type, inner: &str) -> String {
        let named = !matches!(ty.kind, Kind::Spread(..) | Kind::Void | Kind::Bits(_));
        if named && ty.layout() != Some("[*]") && self.random.below(10) == 0 {
            let alias = self.name("t");
            let text = self.written(ty, &alias);
            let _ = writeln!(self.before, "typedef {text};");
            return format!("{alias} {inner}");
        }
        self.written(ty, inner)
    }

    fn written(&mut self, ty: &Type, inner: &str) -> String {
        let qualifiers = self.qualifiers(ty);
        let base = match &ty.kind {
            Kind::Void => "void".to_string(),
            Kind::Basic(name) | Kind::Bits(name) => name.to_string(),
            Kind::Enum(name) => name.clone(),
            Kind::Record(number) => self.records[*number].name.clone(),
            Kind::Pointer(to, reach) => {
                let star = format!("*{reach}{qualifiers}{inner}");
                let nested = matches!(to.kind, Kind::Array(..) | Kind::Function(..));
                return self.declare(to, &if nested { format!("({star})") } else { star });
            }
            Kind::Array(of, bound) => return self.declare(of, &format!("{inner}[{bound}]")),
            Kind::Spread(of, bound) => return self.declare(of, &format!("{inner}{bound}::")),
            Kind::Function(result, parameters) => {
                let list: Vec<String> = parameters.iter().map(|ty| self.declare(ty, "")).collect();
                let list = if list.is_empty() { "void".to_string() } else { list.join(", ") };
                return self.declare(result, &format!("{inner}({list})"));
            }
        };
        // Specifiers may be in any order.
        match self.random.below(4) {
            0 if !qualifiers.is_empty() => format!("{base} {qualifiers}{inner}"),
            _ => format!("{qualifiers}{base} {inner}"),
        }
    }

    // ---- making ----

    pub fn arithmetic(&mut self) -> Type {
        let name = match self.random.below(8) {
            0 | 1 => self.random.pick(&REALS),
            2 => self.random.pick(&COMPLEX),
            3 if self.random.one_in(2) => return self.enumeration(),
            _ => self.random.pick(&INTEGERS),
        };
        Type::basic(name)
    }

    fn enumeration(&mut self) -> Type {
        if self.enums.is_empty() || self.random.one_in(2) {
            let (tag, first) = (self.name("e"), self.name("E"));
            let body = self.random.pick(&["", " = 3", " = -1", " = sizeof(int)", " = 'a'"]);
            let _ = writeln!(self.before, "enum {tag} {{ {first}{body}, {first}b = {first} + 2, }};");
            self.enums.push((format!("enum {tag}"), first));
        }
        let at = self.random.below(self.enums.len());
        Type::of(Kind::Enum(self.enums[at].0.clone()))
    }

    /// A layout of a pointer's target.
    pub fn pointed_layout(&mut self) -> &'static str {
        match self.dialect {
            Dialect::Upc => {
                self.random.pick(&["", "", "", "[]", "[]", "[1]", "[3]", "[2 * 3]", "[sizeof(long)]", "[0]"])
            }
            _ => "",
        }
    }

    /// Qualifiers of a pointer's target.
    fn pointed_words(&mut self, shared: bool) -> &'static str {
        match self.random.below(8) {
            0 => "const ",
            1 => "volatile ",
            2 if shared && self.dialect == Dialect::Upc => self.random.pick(&["strict ", "relaxed "]),
            _ => "",
        }
    }

    /// A pointer: to shared or to private objects, arrays, records, functions and further pointers.
    pub fn pointer(&mut self, depth: usize) -> Type {
        let shared = self.random.one_in(2);
        let target = match self.random.below(10) {
            0 => Type::of(Kind::Void),
            1 | 2 if depth > 0 => self.pointer(depth - 1),
            3 if depth > 0 => {
                let of = self.object(depth - 1);
                let bound = self.random.pick(&["1", "2", "3", "2 + 2", "sizeof(int)"]);
                Type::of(Kind::Array(Box::new(of), bound.to_string()))
            }
            4 if depth > 0 && !shared => {
                let result =
                    if self.random.one_in(4) { Type::of(Kind::Void) } else { self.scalar(depth - 1) };
                let parameters = (0..self.random.below(3)).map(|_| self.scalar(depth - 1)).collect();
                let function = Type::of(Kind::Function(Box::new(result), parameters));
                return Type::of(Kind::Pointer(Box::new(function), ""));
            }
            5 | 6 => match self.some_record() {
                Some(number) => Type::of(Kind::Record(number)),
                None => self.arithmetic(),
            },
            _ => self.arithmetic(),
        };
        let reach = if !shared || self.dialect != Dialect::SplitC {
            ""
        } else {
            self.random.pick(&["global ", "global ", "spread "])
        };
        let mut target = target;
        if shared && self.dialect != Dialect::SplitC {
            let layout = if target.kind == Kind::Void { "" } else { self.pointed_layout() };
            target = target.with_shared(layout);
        }
        if !matches!(target.kind, Kind::Array(..)) {
            target.words = self.pointed_words(shared);
        }
        Type::of(Kind::Pointer(Box::new(target), reach))
    }

    fn some_record(&mut self) -> Option<usize> {
        let at = self.random.below(self.records.len().max(1));
        (at < self.records.len() && !self.records[at].name.is_empty()).then_some(at)
    }

    /// A type that a function may take and return.
    pub fn scalar(&mut self, depth: usize) -> Type {
        match self.random.below(7) {
            0..=2 => self.pointer(depth),
            3 => match self.some_record() {
                Some(number) => Type::of(Kind::Record(number)),
                None => self.arithmetic(),
            },
            _ => self.arithmetic(),
        }
    }

    /// Any complete object type.
    pub fn object(&mut self, depth: usize) -> Type {
        if depth > 0 && self.random.one_in(4) {
            let of = self.object(depth - 1);
            let bound = self.random.pick(&["1", "2", "3", "'\\4'", "(2)", "sizeof(char) + 1"]);
            return Type::of(Kind::Array(Box::new(of), bound.to_string()));
        }
        self.scalar(depth)
    }

    /// Defines a record at file scope.
    pub fn record(&mut self) {
        let union = self.random.one_in(4);
        let keyword = if union { "union" } else { "struct" };
        let tag = self.name("r");
        let number = self.records.len();
        let by_typedef = self.random.one_in(4);
        let name = if by_typedef { tag.clone() } else { format!("{keyword} {tag}") };
        // A tag may be used within its own members, after a star; a typedef's name may not yet.
        self.records.push(Record {
            name: if by_typedef { String::new() } else { name.clone() },
            members: Vec::new(),
        });
        let (members, body) = self.members(&name, 2);
        self.records[number] = Record { name, members };
        for (number, name) in std::mem::take(&mut self.unnamed) {
            self.records[number].name = name;
        }
        let attribute =
            self.random.pick(&["", "", "", "", " __attribute__((packed))", " __attribute__((aligned(16)))"]);
        let _ = match by_typedef {
            true => writeln!(self.before, "typedef {keyword} {body}{attribute} {tag};"),
            false => writeln!(self.before, "{keyword} {tag} {body}{attribute};"),
        };
    }

    /// Members and their text in braces. `outer` names the record that they are members of.
    fn members(&mut self, outer: &str, depth: usize) -> (Vec<(String, Type)>, String) {
        let mut members = Vec::new();
        let mut body = "{ ".to_string();
        for _ in 0..1 + self.random.below(4) {
            let name = self.name("m");
            match self.random.below(8) {
                0 => {
                    let of = self.random.pick(&["int", "unsigned", "_Bool", "unsigned char", "long"]);
                    let width = if of == "_Bool" { 1 } else { 1 + self.random.below(7) };
                    let _ = write!(body, "{of} {name} : {width}; ");
                    if self.random.one_in(3) {
                        body += self.random.pick(&["int : 0; ", "unsigned : 3; "]);
                    }
                    members.push((name, Type::of(Kind::Bits(of))));
                }
                1 | 2 if depth > 0 => self.nested(outer, name, depth, &mut members, &mut body),
                _ => {
                    let ty = self.object(2);
                    let own = matches!(&ty.kind, Kind::Record(n) if self.records[*n].members.is_empty());
                    if own || !self.complete(&ty) {
                        continue;
                    }
                    let text = self.declare(&ty, &name);
                    let _ = write!(body, "{text}; ");
                    members.push((name, ty));
                }
            }
        }
        if members.is_empty() {
            let name = self.name("m");
            let _ = write!(body, "short {name}; ");
            members.push((name, Type::basic("short")));
        }
        body.push('}');
        (members, body)
    }

    /// A record within a record: with and without a tag, a name, elements.
    fn nested(
        &mut self,
        outer: &str,
        name: String,
        depth: usize,
        members: &mut Vec<(String, Type)>,
        body: &mut String,
    ) {
        let keyword = self.random.pick(&["struct", "struct", "union"]);
        let anonymous = self.random.one_in(3);
        let tag = if !anonymous && self.random.one_in(3) { self.name("i") } else { String::new() };
        let place = format!("__typeof__((({outer} *)0)->{name})");
        let (path, type_name) = match (anonymous, tag.is_empty()) {
            (true, _) => (outer.to_string(), String::new()),
            (false, true) => (place.clone(), place),
            (false, false) => (place, format!("{keyword} {tag}")),
        };
        let (inner, text) = self.members(&path, depth - 1);
        if anonymous {
            let _ = write!(body, "{keyword} {text}; ");
            members.extend(inner);
            return;
        }
        let _ = write!(body, "{keyword} {tag} {text} {name}; ");
        let number = self.records.len();
        // Within the outer record no expression on it can name a type.
        self.records.push(Record { name: String::new(), members: inner });
        self.unnamed.push((number, type_name));
        members.push((name, Type::of(Kind::Record(number))));
    }

    /// Returns true if objects of the type can be defined yet, and every part of the type can be named.
    fn complete(&self, ty: &Type) -> bool {
        match &ty.kind {
            Kind::Record(n) => !self.records[*n].members.is_empty() && !self.records[*n].name.is_empty(),
            Kind::Array(of, _) => self.complete(of),
            Kind::Pointer(to, _) => matches!(to.kind, Kind::Record(_)) || self.complete(to),
            Kind::Function(result, parameters) => {
                self.complete(result) && parameters.iter().all(|ty| self.complete(ty))
            }
            _ => true,
        }
    }
}
