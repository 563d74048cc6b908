//! Random struct and union types, in all notations of C, and statements on shared objects of these types,
//! each also on private objects of the same type.
//!
//! A file holds many programs, whose names end in their numbers, so that thousands are compiled in a minute.
//! As in `values.rs` an access is a pair of texts, and both objects have to hold the same at the end. Every
//! operation is defined: arithmetic wraps (-fwrapv), and the members of a union are integers, whose bytes
//! may be read in another type than they were written.

use super::declarators;
use super::types::INTEGERS;
use crate::Random;
use std::fmt::Write;

/// The dialect of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    Upc,
    SplitC,
    Ac,
}

impl Dialect {
    /// The ending of the dialect's file names.
    pub fn suffix(self) -> &'static str {
        match self {
            Dialect::Upc => "upc",
            Dialect::SplitC => "sc",
            Dialect::Ac => "ac",
        }
    }
}

/// The type of a member.
#[derive(Clone, PartialEq, Eq)]
enum Type {
    Integer,
    Floating,
    Bits,
    /// The form of the declaration, and a value.
    Pointer(&'static str, &'static str),
    Array(usize, Box<Type>),
    /// A record, by its number.
    Record(usize),
}

/// A record's members: name (empty for an anonymous one) and type.
struct Record {
    union: bool,
    members: Vec<(String, Type)>,
}

/// An access to the shared object and to the private one, and the type of the place.
#[derive(Clone)]
struct Place {
    shared: String,
    private: String,
    ty: Type,
}

/// The same text on shared and on private objects.
type Pair = (String, String);

pub struct Maker {
    pub random: Random,
    pub dialect: Dialect,
    id: usize,
    records: Vec<Record>,
    /// The specifiers of records that can be named again.
    named: Vec<(usize, String)>,
    /// Definitions that stand before the object.
    before: String,
    members: usize,
    places: Vec<Place>,
}

const UPC_POINTERS: [(&str, &str); 10] = [
    ("int *%", "&private_int"),
    ("shared int *%", "&one[THREADS - 1]"),
    ("shared[] int *%", "(shared[] int *)&one[0]"),
    ("shared[3] int *%", "&threes[4]"),
    ("shared void *%", "&threes[5]"),
    ("const char *%", "text"),
    ("int (*%)(int)", "twice"),
    ("shared int **%", "&private_pointer"),
    ("shared[3] int (*%)[2]", "(shared[3] int (*)[2])&threes[2]"),
    ("shared int *(*%)(shared int *)", "same"),
];
const SPLIT_C_POINTERS: [(&str, &str); 7] = [
    ("int *%", "&private_int"),
    ("int *global %", "toglobal(0, &private_int)"),
    ("int *spread %", "&one[PROCS - 1]"),
    ("void *global %", "toglobal(0, &private_int)"),
    ("const char *%", "text"),
    ("int (*%)(int)", "twice"),
    ("int *global *%", "&private_pointer"),
];
const AC_POINTERS: [(&str, &str); 5] = [
    ("int *%", "&private_int"),
    ("dist int *%", "&one[PROCS - 1]"),
    ("const char *%", "text"),
    ("int (*%)(int)", "twice"),
    ("dist int **%", "&private_pointer"),
];

/// The definitions that all programs of a file use.
const UPC_HEAD: &str = "#include \"check.h\"\n#include <string.h>\nshared int one[THREADS];\nshared[3] int threes[6 * THREADS];\n\
    shared int *private_pointer;\nshared int *same(shared int *p) { return p; }\n";
const SPLIT_C_HEAD: &str = "#include <split-c/split-c.h>\n#include <string.h>\n#include \"../splitc/check.h\"\n\
    int one[PROCS]::;\nint *global private_pointer;\n";
const AC_HEAD: &str = "#include <split-c/split-c.h>\n#include <string.h>\n#include \"../splitc/check.h\"\n\
    dist int one[PROCS];\ndist int *private_pointer;\n";
const HEAD: &str =
    "int private_int;\nint twice(int x) { return 2 * x; }\nstatic const char text[] = \"text\";\n";

/// A file of the programs with these numbers.
pub fn file(seed: u64, dialect: Dialect, programs: std::ops::Range<usize>) -> String {
    let head = match dialect {
        Dialect::Upc => UPC_HEAD,
        Dialect::SplitC => SPLIT_C_HEAD,
        Dialect::Ac => AC_HEAD,
    };
    let mut text = format!("// Made by tests/random/records.rs, seed {seed}.\n{head}{HEAD}");
    let mut calls = String::new();
    for id in programs {
        text += &program(seed * 1_000_000 + id as u64, id, dialect);
        let _ = writeln!(calls, "    run{id}();");
    }
    let (entry, barrier) = match dialect {
        Dialect::Upc => ("int main(void)", "upc_barrier;"),
        Dialect::SplitC => ("int splitc_main(void)", "barrier();"),
        Dialect::Ac => ("int main(void)", "barrier();"),
    };
    let _ = write!(text, "{entry} {{\n{calls}    {barrier}\n    return 0;\n}}\n");
    text
}

/// One program: types, objects, and the function `run` that uses them.
fn program(seed: u64, id: usize, dialect: Dialect) -> String {
    let mut maker = Maker {
        random: Random::new(seed),
        dialect,
        id,
        records: Vec::new(),
        named: Vec::new(),
        before: String::new(),
        members: 0,
        places: Vec::new(),
    };
    let mut text = declarators::text(&mut maker.random, dialect, id);
    text += &maker.objects();
    text + &maker.run()
}

impl Maker {
    // ---- types ----

    /// A member's type, and its declaration with `%` for the name.
    fn member(&mut self, depth: usize, union: bool) -> (Type, String) {
        match self.random.below(10) {
            0 if !union => {
                let (form, value) = match self.dialect {
                    Dialect::Upc => self.random.pick(&UPC_POINTERS),
                    Dialect::SplitC => self.random.pick(&SPLIT_C_POINTERS),
                    Dialect::Ac => self.random.pick(&AC_POINTERS),
                };
                (Type::Pointer(form, value), form.to_string())
            }
            1 if !union => {
                let of = self.random.pick(&["int", "unsigned", "unsigned char", "unsigned long"]);
                (Type::Bits, format!("{of} % : {}", 1 + self.random.below(7)))
            }
            2 | 3 if depth > 0 => {
                let union = union || self.random.one_in(4);
                let (number, specifiers) = self.record(depth - 1, union);
                (Type::Record(number), format!("{specifiers} %"))
            }
            4 if depth > 0 => loop {
                let (elem, form) = self.member(depth - 1, union);
                if elem != Type::Bits {
                    let n = 1 + self.random.below(3);
                    return (Type::Array(n, Box::new(elem)), form.replace('%', &format!("%[{n}]")));
                }
            },
            5 if !union && !self.named.is_empty() => {
                let at = self.random.below(self.named.len());
                let (number, specifiers) = self.named[at].clone();
                (Type::Record(number), format!("{specifiers} %"))
            }
            6 if !union => {
                let of = self.random.pick(&["float", "double"]);
                (Type::Floating, format!("{of} %"))
            }
            _ => {
                let of = self.random.pick(&INTEGERS);
                (Type::Integer, format!("{of} %"))
            }
        }
    }

    /// A new record, with its specifiers: a name if it is defined before, else the definition.
    fn record(&mut self, depth: usize, union: bool) -> (usize, String) {
        let mut members = Vec::new();
        let mut body = "{ ".to_string();
        for _ in 0..1 + self.random.below(4) {
            let (ty, form) = self.member(depth, union);
            self.members += 1;
            let untagged = form.starts_with("struct {") || form.starts_with("union {");
            let anonymous = matches!(ty, Type::Record(_)) && untagged && self.random.one_in(3);
            let name = if anonymous { String::new() } else { format!("m{}", self.members) };
            let _ = write!(body, "{}; ", form.replace('%', &name));
            members.push((name, ty));
        }
        body.push('}');
        let number = self.records.len();
        self.records.push(Record { union, members });
        let keyword = if union { "union" } else { "struct" };
        let tag = format!("r{number}_{}", self.id);
        let specifiers = match self.random.below(6) {
            0 => {
                let _ = writeln!(self.before, "{keyword} {tag} {body};");
                format!("{keyword} {tag}")
            }
            1 => {
                let _ = writeln!(self.before, "typedef {keyword} {body} {tag}_t;");
                format!("{tag}_t")
            }
            2 => {
                let _ = writeln!(self.before, "typedef {keyword} {tag} {tag}_t;\n{keyword} {tag} {body};");
                format!("{tag}_t")
            }
            3 => return (number, format!("{keyword} {tag} {body}")),
            _ => return (number, format!("{keyword} {body}")),
        };
        self.named.push((number, specifiers.clone()));
        (number, specifiers)
    }

    // ---- objects ----

    /// The declarations of a shared and of a private object of one type.
    fn objects(&mut self) -> String {
        let depth = self.random.below(4);
        let (number, specifiers) = self.record(depth, false);
        let (id, n) = (self.id, self.random.below(3));
        let mut text = std::mem::take(&mut self.before);
        let own = |form: &str| form.replace('#', &id.to_string());
        let shared_form = match self.dialect {
            Dialect::Upc => {
                let qualifier = self.random.pick(&["", "", "", "strict ", "relaxed ", "volatile "]);
                let layout =
                    self.random.pick(if n > 0 { &["", "", "[2]", "[*]", "[1]"] } else { &["", "[1]", "[]"] });
                let bound = if n > 0 { format!("[{n} * THREADS]") } else { String::new() };
                format!("{qualifier}shared{layout} & s#{bound}")
            }
            Dialect::SplitC if n > 0 => format!("& s#[PROCS]::[{n}]"),
            Dialect::SplitC => "& s#[PROCS]::".to_string(),
            Dialect::Ac if n > 0 => format!("dist & s#[{n}][PROCS]"),
            Dialect::Ac => "dist & s#[PROCS]".to_string(),
        };
        let storage = if self.random.one_in(4) { "static " } else { "" };
        let bound = if n > 0 { format!("[{n}]") } else { String::new() };
        let untagged = specifiers.contains("struct {") && specifiers.starts_with("struct {");
        let name = match specifiers.split_once(" {") {
            Some((tag, _)) if !untagged => tag.to_string(),
            Some(_) => own("typeof(p#)").replace(')', if n > 0 { "[0])" } else { ")" }),
            None => specifiers.clone(),
        };
        let shared = |specifiers: &str| format!("{storage}{};\n", own(&shared_form).replace('&', specifiers));
        let private = |specifiers: &str| format!("static {specifiers} {}{bound};\n", own("p#"));
        if !untagged && self.random.one_in(2) {
            text += &shared(&specifiers);
            text += &private(&name);
        } else {
            text += &private(&specifiers);
            if storage.is_empty() && self.dialect == Dialect::Upc && self.random.one_in(3) {
                text += &format!("extern {}", shared(&name));
            }
            text += &shared(&name);
        }
        text += &own(&format!("typedef {name} type#;\nstatic type# pass#(type# x) {{ return x; }}\n"));
        let next = match self.dialect {
            Dialect::Upc => "(MYTHREAD + 1) % THREADS",
            _ => "(MYPROC + 1) % PROCS",
        };
        for i in 0..n.max(1) {
            let shared = match self.dialect {
                Dialect::Upc if n > 0 => {
                    format!("s#[{next} * {n} + {i}]").replace(next, &format!("({next})"))
                }
                Dialect::Upc => "s#".to_string(),
                Dialect::SplitC if n > 0 => format!("s#[{next}][{i}]"),
                Dialect::Ac if n > 0 => format!("s#[{i}][{next}]"),
                _ => format!("s#[{next}]"),
            };
            let private = if n > 0 { format!("p#[{i}]") } else { "p#".to_string() };
            self.find_places(own(&shared), own(&private), &Type::Record(number));
        }
        text
    }

    /// Records all places in an object.
    fn find_places(&mut self, shared: String, private: String, ty: &Type) {
        self.places.push(Place { shared: shared.clone(), private: private.clone(), ty: ty.clone() });
        match ty {
            Type::Array(n, elem) => {
                for i in 0..*n {
                    self.find_places(format!("{shared}[{i}]"), format!("{private}[{i}]"), elem);
                }
            }
            Type::Record(number) => {
                let members = self.records[*number].members.clone();
                for (name, ty) in members {
                    let dot = if name.is_empty() { "" } else { "." };
                    self.find_places(format!("{shared}{dot}{name}"), format!("{private}{dot}{name}"), &ty);
                }
            }
            _ => {}
        }
    }

    // ---- statements ----

    /// A place whose type `fits` accepts.
    fn place(&mut self, fits: impl Fn(&Type) -> bool) -> Option<Place> {
        let all: Vec<usize> = (0..self.places.len()).filter(|&i| fits(&self.places[i].ty)).collect();
        if all.is_empty() {
            return None;
        }
        let at = all[self.random.below(all.len())];
        Some(self.places[at].clone())
    }

    fn integer(&mut self, depth: usize) -> Pair {
        if depth == 0 {
            let place = if self.random.one_in(3) {
                None
            } else {
                self.place(|t| matches!(t, Type::Integer | Type::Bits))
            };
            return place.map_or_else(
                || {
                    let text =
                        self.random.pick(&["1", "7", "100u", "i", "-3L", "'c'", "private_int"]).to_string();
                    (text.clone(), text)
                },
                |place| (place.shared, place.private),
            );
        }
        let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
        match self.random.below(8) {
            0 => {
                let c = self.integer(depth - 1);
                (format!("(({}) ? {} : {})", c.0, a.0, b.0), format!("(({}) ? {} : {})", c.1, a.1, b.1))
            }
            1 => (format!("twice((int){})", a.0), format!("twice((int){})", a.1)),
            2 => (format!("({}, {})", a.0, b.0), format!("({}, {})", a.1, b.1)),
            3 => {
                let operator =
                    self.random.pick(&["-", "~", "!", "+", "(short)", "(unsigned char)", "(long)"]);
                (format!("({operator}({}))", a.0), format!("({operator}({}))", a.1))
            }
            4 => {
                let operator = self.random.pick(&["<", ">=", "==", "!=", "&&", "||"]);
                (format!("({} {operator} {})", a.0, b.0), format!("({} {operator} {})", a.1, b.1))
            }
            _ => {
                let operator = self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                (format!("({} {operator} {})", a.0, b.0), format!("({} {operator} {})", a.1, b.1))
            }
        }
    }

    /// Puts the texts of the place for `@` and those of the pair for `$`.
    fn fill(form: &str, place: &Place, pair: &Pair) -> Pair {
        (
            form.replace("~", &place.private).replace('@', &place.shared).replace('$', &pair.0),
            form.replace("~", &place.private).replace('@', &place.private).replace('$', &pair.1),
        )
    }

    fn statement(&mut self, depth: usize) -> Option<Pair> {
        let value = self.integer(2);
        match self.random.below(if depth > 0 { 18 } else { 13 }) {
            0..=2 => {
                let place = self.place(|t| matches!(t, Type::Integer | Type::Bits))?;
                let form = self.random.pick(&[
                    "@ = $;",
                    "@ += $;",
                    "@ ^= $;",
                    "@++;",
                    "--@;",
                    "@ = @ = $;",
                    "i = @ = $;",
                ]);
                Some(Self::fill(form, &place, &value))
            }
            3 => {
                let place = self.place(|t| *t == Type::Floating)?;
                let form = self.random.pick(&[
                    "@ = (short)$;",
                    "@ *= 0.5;",
                    "@ -= (signed char)$;",
                    "@ = @ > 2 ? 1.5 : @;",
                ]);
                Some(Self::fill(form, &place, &value))
            }
            4 | 5 => {
                let place = self.place(|t| matches!(t, Type::Pointer(..)))?;
                let Type::Pointer(_, target) = place.ty else { return None };
                let form = self.random.pick(&[
                    "@ = &;",
                    "@ = 0;",
                    "if (@ != &) @ = &;",
                    "i += !@;",
                    "@ = $ ? & : 0;",
                ]);
                Some(Self::fill(&form.replace('&', target), &place, &value))
            }
            6..=8 => self.copy(),
            9 => {
                let place = self.place(|t| !matches!(t, Type::Bits))?;
                Some(Self::fill(
                    "CHECK(sizeof(@) == sizeof(~)); CHECK(sizeof @ == sizeof ~);",
                    &place,
                    &value,
                ))
            }
            10 => self.pointer(&value),
            11 => self.transfer(),
            12 => self.split_phase(),
            13 => {
                let (a, b) = (self.block(depth)?, self.block(depth)?);
                Some((
                    format!("if ({}) {} else {}", value.0, a.0, b.0),
                    format!("if ({}) {} else {}", value.1, a.1, b.1),
                ))
            }
            14 => {
                let a = self.block(depth)?;
                let form = "for (int k = 0; k < 2; k++) ";
                Some((format!("{form}{}", a.0), format!("{form}{}", a.1)))
            }
            15 => {
                let (a, b) = (self.block(depth)?, self.block(depth)?);
                let form = |v: &str, a: &str, b: &str| {
                    format!("switch ((int)({v}) & 3) {{ case 0: {a} case 2: {b} break; default: i++; }}")
                };
                Some((form(&value.0, &a.0, &b.0), form(&value.1, &a.1, &b.1)))
            }
            // A nested upc_forall would be run by every thread.
            16 if self.dialect == Dialect::Upc && depth == 2 => {
                let a = self.block(depth)?;
                let by = self.random.pick(&["k", "&one[k]", "continue"]);
                if by == "continue" {
                    return Some((format!("upc_forall (int k = 0; k < 1; k++; continue) {}", a.0), a.1));
                }
                Some((format!("upc_forall (int k = 0; k < THREADS; k++; {by}) {}", a.0), a.1))
            }
            _ => {
                let a = self.block(depth)?;
                Some((format!("do {} while (0);", a.0), format!("do {} while (0);", a.1)))
            }
        }
    }

    fn block(&mut self, depth: usize) -> Option<Pair> {
        let (a, b) = (self.statement(depth - 1)?, self.statement(0)?);
        Some((format!("{{ {} {} }}", a.0, b.0), format!("{{ {} {} }}", a.1, b.1)))
    }

    /// Copies of records: between places of one type, through private ones, by functions, in expressions.
    fn copy(&mut self) -> Option<Pair> {
        let to = self.place(|t| matches!(t, Type::Record(_)))?;
        let from = self.place(|t| *t == to.ty)?;
        let pair = (from.shared.clone(), from.private.clone());
        let Type::Record(number) = to.ty else { return None };
        let outer = self.records.len() - 1 == number;
        let form = match self.random.below(if outer { 8 } else { 6 }) {
            0 => "@ = $;".to_string(),
            1 => "{ typeof(~) copy = $; @ = copy; }".to_string(),
            2 => "@ = i & 1 ? $ : @;".to_string(),
            3 => "@ = (i, $);".to_string(),
            4 => "{ typeof(~) copies[2] = { $ }; copies[1] = @; @ = copies[0]; $ = copies[1]; }".to_string(),
            5 if self.records[number].union => "@ = $;".to_string(),
            5 => "@ = *({ static typeof(~) kept; kept = $; &kept; });".to_string(),
            6 => format!("@ = pass{}($);", self.id),
            _ => format!("{{ type{} copy = pass{}($), other; other = copy; @ = other; }}", self.id, self.id),
        };
        Some(Self::fill(&form, &to, &pair))
    }

    /// A statement through a pointer to the place.
    fn pointer(&mut self, value: &Pair) -> Option<Pair> {
        let place = self.place(|t| matches!(t, Type::Integer | Type::Record(_)))?;
        let declared = match self.dialect {
            Dialect::Upc => "shared[] typeof(~) *q = (shared[] typeof(~) *)&@",
            Dialect::SplitC => "typeof(~) *global q = (typeof(~) *global)&@",
            Dialect::Ac => "dist typeof(~) *q = (dist typeof(~) *)&@",
        };
        let private = "typeof(~) *q = &~";
        let form = match place.ty {
            Type::Integer => self.random.pick(&["*q = $;", "*q += $; (*q)++;", "q[0] ^= $;", "i += *q++;"]),
            _ => "typeof(~) copy = *q; *q = copy; q[0] = *q;",
        };
        let shared = Self::fill(&format!("{{ {declared}; {form} }}"), &place, value);
        let private = Self::fill(&format!("{{ {private}; {form} }}"), &place, value);
        Some((shared.0, private.1))
    }

    /// The library's copies, of any place that has an address.
    fn transfer(&mut self) -> Option<Pair> {
        let place = self.place(|t| !matches!(t, Type::Bits))?;
        let get = match self.dialect {
            Dialect::Upc => "{ typeof(~) t; upc_memget(&t, &@, sizeof(~)); upc_memput(&@, &t, sizeof(@)); }",
            Dialect::SplitC => {
                "{ typeof(~) t; bulk_read(&t, (void *global)&@, sizeof(~)); bulk_write((void *global)&@, &t, sizeof(@)); }"
            }
            Dialect::Ac => {
                "{ typeof(~) t; bulk_read(&t, (dist void *)&@, sizeof(~)); bulk_write((dist void *)&@, &t, sizeof(@)); }"
            }
        };
        let nothing = (String::new(), String::new());
        Some((Self::fill(get, &place, &nothing).0, ";".to_string()))
    }

    /// Gets, puts and stores.
    fn split_phase(&mut self) -> Option<Pair> {
        if self.dialect != Dialect::SplitC {
            return self.transfer();
        }
        let place = self.place(|t| !matches!(t, Type::Bits | Type::Array(..)))?;
        let form = self.random.pick(&[
            "{ typeof(~) t; t := @; sync(); @ := t; sync(); }",
            "{ typeof(~) t = @; @ :- t; }",
            "{ typeof(~) t = @, u; u := @; sync(); @ := u; sync(); }",
        ]);
        let nothing = (String::new(), String::new());
        Some((Self::fill(form, &place, &nothing).0, ";".to_string()))
    }

    /// The function that runs the statements and compares.
    fn run(&mut self) -> String {
        let single = !self.places[0].shared.contains('[');
        let mut text = format!("static void run{}(void) {{\n    long i = 0;\n", self.id);
        if single {
            let me = if self.dialect == Dialect::Upc { "MYTHREAD" } else { "MYPROC" };
            let _ = writeln!(text, "    if ({me} != 0)\n        return;");
        }
        for _ in 0..6 {
            if let Some((shared, private)) = self.statement(2) {
                let shared =
                    if single { shared.replace("k < THREADS; k++; k)", "k < 1; k++; 0)") } else { shared };
                let shared = if single {
                    shared.replace("k < THREADS; k++; &one[k])", "k < 1; k++; &one[0])")
                } else {
                    shared
                };
                let _ = writeln!(text, "    i = 3;\n    {shared}\n    long left{} = i;", self.members);
                let _ = writeln!(text, "    i = 3;\n    {private}\n    CHECK(i == left{});", self.members);
                self.members += 1;
            }
        }
        for place in &self.places {
            if !matches!(place.ty, Type::Array(..) | Type::Record(_)) {
                let _ = writeln!(text, "    CHECK({} == {});", place.shared, place.private);
            }
        }
        text + "}\n"
    }
}
