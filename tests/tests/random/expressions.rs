//! Typed random expressions on the objects in scope: for any type a valid expression of that type.

use super::records::Dialect;
use super::types::{Kind, Type, Types};
use crate::Random;

/// An object that an expression designates.
pub struct Place {
    pub text: String,
    pub ty: Type,
    /// True if the object may be another thread's.
    pub distant: bool,
    pub constant: bool,
}

/// Makes one program.
pub struct Maker {
    pub types: Types,
    variables: Vec<(String, Type)>,
    /// The result type of the current function.
    pub result: Type,
    /// True if a jump out of the current statement is allowed.
    pub jumps: bool,
}

impl Maker {
    pub fn new(seed: u64, dialect: Dialect, id: usize) -> Maker {
        let types = Types::new(Random::new(seed), dialect, id);
        Maker { types, variables: Vec::new(), result: Type::of(Kind::Void), jumps: false }
    }

    pub fn variable(&mut self, name: String, ty: Type) {
        self.variables.push((name, ty));
    }

    /// Marks where a scope begins, for `leave`.
    pub fn scope(&self) -> usize {
        self.variables.len()
    }

    pub fn leave(&mut self, scope: usize) {
        self.variables.truncate(scope);
    }

    /// Returns true if objects of the type have a known size.
    pub fn has_size(&self, ty: &Type) -> bool {
        !matches!(ty.kind, Kind::Void | Kind::Function(..))
    }

    /// A type's name, as in a cast.
    pub fn cast(&mut self, ty: &Type) -> String {
        let text = self.types.declare(ty, "");
        format!("({})", text.trim_end())
    }

    // ---- places ----

    /// A place that fits, if one is found.
    pub fn place(&mut self, fits: impl Fn(&Place) -> bool, depth: usize) -> Option<Place> {
        for _ in 0..40 {
            if self.variables.is_empty() {
                return None;
            }
            let at = self.types.random.below(self.variables.len());
            let (text, ty) = self.variables[at].clone();
            let (distant, constant) = (ty.layout().is_some(), ty.words.contains("const"));
            let mut place = Place { text, ty, distant, constant };
            for _ in 0..5 {
                if matches!(place.ty.kind, Kind::Function(..) | Kind::Void) {
                    break;
                }
                if fits(&place) && !self.types.random.one_in(4) {
                    return Some(place);
                }
                match self.within(place, depth) {
                    Some(next) => place = next,
                    None => break,
                }
            }
        }
        None
    }

    /// A step from a place into it, or to its target.
    fn within(&mut self, place: Place, depth: usize) -> Option<Place> {
        let index = if depth > 0 && self.types.random.one_in(3) {
            self.integer(depth - 1)
        } else {
            self.types.random.pick(&["i", "n", "0", "i + 1"]).to_string()
        };
        let Place { text, ty, distant, constant } = place;
        match &ty.kind {
            Kind::Array(of, _) => {
                let form = self.types.random.pick(&["@[$]", "@[$]", "(*(@ + ($)))", "($)[@]", "(&@[$])[0]"]);
                let text = form.replace('$', &index).replace('@', &text);
                let constant = constant || of.words.contains("const");
                Some(Place { text, ty: (**of).clone(), distant, constant })
            }
            Kind::Spread(of, bound) => {
                let text = format!("{text}{}", format!("[{index}]").repeat(bound.matches('[').count()));
                Some(Place { text, ty: (**of).clone(), distant: true, constant: false })
            }
            Kind::Record(number) => {
                let members = &self.types.records[*number].members;
                if members.is_empty() {
                    return None;
                }
                let (name, of) = members[self.types.random.below(members.len())].clone();
                let of = if ty.shared.is_some() { of.with_shared("") } else { of };
                let form = self.types.random.pick(&["@.$", "@.$", "(&@)->$", "(@).$"]);
                Some(Place { text: form.replace('$', &name).replace('@', &text), ty: of, distant, constant })
            }
            Kind::Pointer(to, reach) => {
                if !self.has_size(to) {
                    return None;
                }
                let form = self.types.random.pick(&["(*@)", "@[$]", "(*(@ + ($)))", "(*&*@)", "(@ + 1)[$]"]);
                let text = form.replace('$', &index).replace('@', &text);
                let distant = !reach.is_empty() || to.layout().is_some();
                Some(Place { text, ty: (**to).clone(), distant, constant: to.words.contains("const") })
            }
            _ => None,
        }
    }

    // ---- values ----

    /// An expression whose value converts to the type without a cast.
    pub fn value(&mut self, ty: &Type, depth: usize) -> String {
        match &ty.kind {
            Kind::Pointer(..) => self.pointer(&ty.unqualified(), depth),
            Kind::Record(_) => self.record(&ty.unqualified(), depth),
            _ => self.number(depth),
        }
    }

    /// An expression of any arithmetic type.
    pub fn number(&mut self, depth: usize) -> String {
        match self.types.random.below(6) {
            0 => self.complex(depth),
            1 | 2 => self.real(depth),
            _ => self.integer(depth),
        }
    }

    /// A condition.
    pub fn condition(&mut self, depth: usize) -> String {
        match self.types.random.below(4) {
            0 => {
                let ty = self.types.pointer(1);
                self.pointer(&ty, depth)
            }
            1 => self.number(depth),
            _ => self.integer(depth),
        }
    }

    pub fn integer(&mut self, depth: usize) -> String {
        if depth == 0 {
            let of_place = match self.types.random.one_in(3) {
                true => None,
                false => self.place(|place| place.ty.integer(), 0),
            };
            return match of_place {
                Some(place) => place.text,
                None => self.integer_leaf(),
            };
        }
        let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
        match self.types.random.below(18) {
            0..=3 => {
                let operator = self.types.random.pick(&["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"]);
                format!("({a} {operator} {b})")
            }
            4 => {
                let operator = self.types.random.pick(&["<", ">=", "==", "!=", "&&", "||"]);
                format!("({a} {operator} {b})")
            }
            5 => format!("({} ? {a} : {b})", self.condition(depth - 1)),
            6 => format!("({} ?: {a})", self.integer(depth - 1)),
            7 => format!("({}, {a})", self.number(depth - 1)),
            8 => {
                let operator = self.types.random.pick(&["-", "~", "!", "+"]);
                format!("({operator} {a})")
            }
            9 => {
                let ty = Type::basic(self.types.random.pick(&super::types::INTEGERS));
                format!("({}({}))", self.cast(&ty), self.number(depth - 1))
            }
            10 => self.of_pointers(depth - 1),
            11 => self.size(),
            12 => format!("_Generic(({a}), int: {b}, char *: 2, default: (int)({a}))"),
            13 => format!("({{ __typeof__({a} + 0) kept = {b}; kept; }})"),
            14 => format!("(!{})", self.condition(depth - 1)),
            15 => self.assignment(depth - 1).unwrap_or(a),
            16 => self.call(&|ty| ty.integer(), depth - 1).unwrap_or(a),
            _ => match self.place(|place| place.ty.integer(), depth - 1) {
                Some(place) => place.text,
                None => a,
            },
        }
    }

    fn integer_leaf(&mut self) -> String {
        let dialect = match self.types.dialect {
            Dialect::Upc => ["MYTHREAD", "THREADS"],
            _ => ["MYPROC", "PROCS"],
        };
        match self.types.random.below(5) {
            0 => self.types.random.pick(&dialect).to_string(),
            1 => self.types.constant().unwrap_or_else(|| "3".to_string()),
            2 => self.size(),
            _ => self.types.random.pick(&["1", "7u", "'c'", "-3L", "0x7full", "n", "i", "1 + 2"]).to_string(),
        }
    }

    /// Sizes of types and of objects.
    fn size(&mut self) -> String {
        if self.types.random.one_in(2) {
            let ty = self.types.object(2);
            let word = self.types.random.pick(&["sizeof", "_Alignof", "__alignof__"]);
            return format!("{word}{}", self.cast(&ty));
        }
        let upc = self.types.dialect == Dialect::Upc;
        let form = self.types.random.pick(&[
            "sizeof(@)",
            "sizeof @",
            "upc_localsizeof(@)",
            "upc_blocksizeof(@)",
            "upc_elemsizeof(@)",
            "upc_blocksizeof @",
        ]);
        let form = if upc { form } else { "sizeof(@)" };
        let shared = form.starts_with("upc");
        let place = self.place(
            |place| !matches!(place.ty.kind, Kind::Bits(_)) && (!shared || place.ty.layout().is_some()),
            0,
        );
        place.map_or_else(|| "sizeof(int)".to_string(), |place| form.replace('@', &place.text))
    }

    /// Integers computed from pointers.
    fn of_pointers(&mut self, depth: usize) -> String {
        let ty = self.types.pointer(1);
        let (a, b) = (self.pointer(&ty, depth), self.pointer(&ty, depth));
        let Kind::Pointer(to, reach) = &ty.kind else { return "0".to_string() };
        let shared = to.layout().is_some() || !reach.is_empty();
        let form = match self.types.random.below(6) {
            0 if self.has_size(to) => "(@ - $)",
            1 if self.has_size(to) => self.types.random.pick(&["(@ < $)", "(@ >= $)"]),
            2 if shared && self.types.dialect == Dialect::Upc => self.types.random.pick(&[
                "upc_threadof(@)",
                "upc_phaseof(@)",
                "upc_addrfield(@)",
                "(upc_resetphase(@) == $)",
            ]),
            2 if shared => "toproc(@)",
            3 => "((unsigned long)@)",
            4 => "(@ == 0)",
            _ => self.types.random.pick(&["(@ == $)", "(@ != $)", "(@ && $)"]),
        };
        form.replace('$', &b).replace('@', &a)
    }

    fn real(&mut self, depth: usize) -> String {
        if depth == 0 {
            let place = self.place(|place| place.ty.arithmetic() && !place.ty.complex(), 0);
            return place.map_or_else(
                || self.types.random.pick(&["1.5", "2.5f", "1e3L", ".5", "0x1p4"]).to_string(),
                |place| place.text,
            );
        }
        let (a, b) = (self.real(depth - 1), self.real(depth - 1));
        match self.types.random.below(8) {
            0 => self.integer(depth - 1),
            1 => format!("({} ? {a} : {b})", self.condition(depth - 1)),
            2 => format!("((double)({}))", self.number(depth - 1)),
            3 => format!("(__real__ ({}))", self.complex(depth - 1)),
            4 => self
                .place(|place| matches!(place.ty.kind, Kind::Basic("double" | "float" | "long double")), 1)
                .filter(|place| !place.constant)
                .map_or(a, |place| {
                    let form = self.types.random.pick(&["(@ += $)", "(@ = $)", "@++", "(--@)", "(@ /= $)"]);
                    form.replace('@', &place.text).replace('$', &b)
                }),
            5 => self.call(&|ty| ty.arithmetic() && !ty.complex(), depth - 1).unwrap_or(a),
            _ => {
                let operator = self.types.random.pick(&["+", "-", "*", "/", "<", "=="]);
                format!("({a} {operator} {b})")
            }
        }
    }

    fn complex(&mut self, depth: usize) -> String {
        if depth == 0 {
            let place = self.place(|place| place.ty.complex(), 0);
            return place.map_or_else(
                || self.types.random.pick(&["1.0i", "2.5fi", "__builtin_complex(1.0, 2.0)"]).to_string(),
                |place| place.text,
            );
        }
        let (a, b) = (self.complex(depth - 1), self.real(depth - 1));
        match self.types.random.below(6) {
            0 => format!("(~({a} + 1.0i))"),
            1 => format!("({} ? {a} : {b})", self.condition(depth - 1)),
            2 => format!("((double _Complex)({b}))"),
            3 => self.place(|place| place.ty.complex() && !place.constant, 1).map_or(a, |place| {
                let form =
                    self.types.random.pick(&["(@ += $)", "(@ = $)", "(__real__ @ = $)", "(__imag__ @ *= $)"]);
                form.replace('@', &place.text).replace('$', &b)
            }),
            _ => {
                let operator = self.types.random.pick(&["+", "-", "*", "/"]);
                format!("({a} {operator} {b})")
            }
        }
    }

    /// An assignment or a step, as an expression of integer type.
    fn assignment(&mut self, depth: usize) -> Option<String> {
        let place = self.place(|place| place.ty.integer() && !place.constant, depth)?;
        let value = if self.types.random.one_in(4) { self.number(depth) } else { self.integer(depth) };
        let step = place.ty.kind != Kind::Basic("_Bool");
        let form = match self.types.random.below(6) {
            0 if step => self.types.random.pick(&["@++", "(--@)", "@--", "(++@)"]).to_string(),
            1 | 2 => {
                let operator = self.types.random.pick(&["&", "|", "^", "<<", ">>", "%"]);
                format!("(@ {operator}= (int)$)")
            }
            3 => format!("(@ {}= $)", self.types.random.pick(&["+", "-", "*", "/"])),
            _ => "(@ = $)".to_string(),
        };
        Some(form.replace('$', &value).replace('@', &place.text))
    }

    /// A call of a function, by name or by pointer, with a result of a wanted type.
    pub fn call(&mut self, wanted: &dyn Fn(&Type) -> bool, depth: usize) -> Option<String> {
        let functions: Vec<(String, Type)> = self
            .variables
            .iter()
            .filter(|(_, ty)| matches!(&ty.kind, Kind::Function(result, _) if wanted(result)))
            .cloned()
            .collect();
        let (text, ty) = if !functions.is_empty() && self.types.random.one_in(2) {
            let (name, ty) = functions[self.types.random.below(functions.len())].clone();
            (self.types.random.pick(&["@", "(*@)", "(&@)"]).replace('@', &name), ty)
        } else {
            let place = self.place(
                |place| match &place.ty.kind {
                    Kind::Pointer(to, _) => matches!(&to.kind, Kind::Function(result, _) if wanted(result)),
                    _ => false,
                },
                0,
            )?;
            let Kind::Pointer(to, _) = place.ty.kind else { return None };
            (self.types.random.pick(&["@", "(*@)"]).replace('@', &place.text), *to)
        };
        let Kind::Function(_, parameters) = ty.kind else { return None };
        let arguments: Vec<String> = parameters.iter().map(|ty| self.value(ty, depth.min(1))).collect();
        Some(format!("{text}({})", arguments.join(", ")))
    }

    /// A value of exactly this pointer type.
    fn pointer(&mut self, ty: &Type, depth: usize) -> String {
        let Kind::Pointer(to, reach) = &ty.kind else { return "0".to_string() };
        let shared = to.layout().is_some() || !reach.is_empty();
        let name = self.cast(ty);
        if depth == 0 {
            let same = self.place(|place| place.ty.kind == ty.kind, 0);
            return same.map_or_else(|| format!("({name}0)"), |place| place.text);
        }
        let sized = self.has_size(to);
        match self.types.random.below(13) {
            0 | 1 => self.address(to, shared, &name, depth),
            2 if sized => {
                let index = self.integer(depth - 1);
                let form =
                    self.types.random.pick(&["(@ + $)", "(@ - $)", "($ + @)", "(&@[$])", "(&*(@ + $))"]);
                // The address of an element of shared memory has a layout of its own.
                let text =
                    form.replace('$', &format!("({index})")).replace('@', &self.pointer(ty, depth - 1));
                if form.contains('&') { format!("({name}{text})") } else { text }
            }
            3 => {
                let (a, b) = (self.pointer(ty, depth - 1), self.pointer(ty, depth - 1));
                let condition = self.condition(depth - 1);
                self.types
                    .random
                    .pick(&["(? ? @ : $)", "(? ? @ : 0)", "(? ? (void *)0 : @)"])
                    .replacen('?', &condition, 1)
                    .replace('$', &b)
                    .replace('@', &a)
            }
            4 => format!("({}, {})", self.number(depth - 1), self.pointer(ty, depth - 1)),
            5 => self.other_pointer(shared, &name, depth),
            6 | 7 => {
                let Some(place) = self.place(|place| place.ty.kind == ty.kind && !place.constant, 1) else {
                    return format!("({name}0)");
                };
                let value = self.pointer(ty, depth - 1);
                let forms = ["(@ = $)", "@++", "(--@)", "(@ += 2)", "(@ -= i)"];
                let form = if sized { self.types.random.pick(&forms) } else { forms[0] };
                form.replace('@', &place.text).replace('$', &value)
            }
            8 => {
                let kind = ty.kind.clone();
                self.call(&|ty| ty.kind == kind, depth - 1).unwrap_or_else(|| format!("({name}0)"))
            }
            9 => format!("({name}{{ {} }})", self.pointer(ty, depth - 1)),
            10 => {
                let array = Type::of(Kind::Array(Box::new(ty.clone()), String::new()));
                let literal = self.cast(&array);
                format!("({literal}{{ {}, 0 }})[0]", self.pointer(ty, depth - 1))
            }
            11 => {
                let kept = self.types.declare(ty, "kept");
                format!("({{ {kept} = {}; kept; }})", self.pointer(ty, depth - 1))
            }
            _ => self.pointer(ty, 0),
        }
    }

    /// An address, of an object or a function.
    fn address(&mut self, to: &Type, shared: bool, name: &str, depth: usize) -> String {
        if matches!(to.kind, Kind::Function(..)) {
            let all: Vec<String> = self
                .variables
                .iter()
                .filter(|(_, ty)| matches!(ty.kind, Kind::Function(..)))
                .map(|(name, _)| name.clone())
                .collect();
            let at = self.types.random.below(all.len().max(1));
            return all
                .get(at)
                .map_or_else(|| format!("({name}0)"), |function| format!("({name}{function})"));
        }
        let any = to.kind == Kind::Void;
        let local = self.types.dialect != Dialect::Upc && shared;
        let place = self.place(
            |place| {
                let fits = any || place.ty.kind == to.kind;
                fits && !matches!(place.ty.kind, Kind::Bits(_) | Kind::Spread(..))
                    && (place.distant == shared || local)
            },
            depth - 1,
        );
        place.map_or_else(|| format!("({name}0)"), |place| format!("({name}&{})", place.text))
    }

    /// A pointer that an initialiser of static storage may hold: null, or the address of an object at file
    /// scope.
    pub fn address_constant(&mut self, ty: &Type) -> String {
        let Kind::Pointer(to, reach) = &ty.kind else { return "0".to_string() };
        let fits = |candidate: &Type| {
            let (there, here) = (candidate.layout(), to.layout());
            there.is_some() == here.is_some() && candidate.kind == to.kind
        };
        let mut found = vec!["0".to_string()];
        let remote = !reach.is_empty() || self.types.dialect == Dialect::Ac && to.layout().is_some();
        for (name, candidate) in self.variables.iter().filter(|(name, _)| name.starts_with('g') && !remote) {
            match &candidate.kind {
                _ if fits(candidate) => found.push(format!("&{name}")),
                Kind::Array(of, _) if fits(of) => found.push(format!("&{name}[0]")),
                _ => {}
            }
        }
        let at = self.types.random.below(found.len());
        let text = found[at].clone();
        if text == "0" { text } else { format!("{}{text}", self.cast(&ty.unqualified())) }
    }

    /// A cast of a pointer of another type.
    fn other_pointer(&mut self, shared: bool, name: &str, depth: usize) -> String {
        let other = self.types.pointer(1);
        let Kind::Pointer(to, reach) = &other.kind else { return format!("({name}0)") };
        if shared != (to.layout().is_some() || !reach.is_empty()) || matches!(to.kind, Kind::Function(..)) {
            return format!("({name}(void *)0)");
        }
        // Pointers to pointers of different kinds convert by way of void.
        let void = match (shared, self.types.dialect) {
            (false, _) => "(void *)",
            (true, Dialect::Upc) => "(shared void *)",
            (true, Dialect::SplitC) => "(void *global)",
            (true, Dialect::Ac) => "(dist void *)",
        };
        format!("({name}{void}{})", self.pointer(&other, depth - 1))
    }

    /// A value of a record type.
    fn record(&mut self, ty: &Type, depth: usize) -> String {
        let Kind::Record(number) = ty.kind else { return "0".to_string() };
        let name = self.cast(ty);
        let (member, of) = {
            let members = &self.types.records[number].members;
            members[self.types.random.below(members.len())].clone()
        };
        let literal = match of.kind {
            Kind::Array(..) | Kind::Record(_) => format!("({name}{{ 0 }})"),
            _ => format!("({name}{{ .{member} = {} }})", self.value(&of, depth.min(1).saturating_sub(1))),
        };
        let same = self.place(|place| place.ty.kind == ty.kind, depth).map(|place| place.text);
        let same = same.unwrap_or_else(|| literal.clone());
        if depth == 0 {
            return same;
        }
        match self.types.random.below(8) {
            0 => literal,
            1 => format!("({} ? {same} : {})", self.condition(depth - 1), self.record(ty, depth - 1)),
            2 => format!("({}, {same})", self.number(depth - 1)),
            3 => {
                let kind = ty.kind.clone();
                self.call(&|ty| ty.kind == kind, depth - 1).unwrap_or(same)
            }
            4 => match self.place(|place| place.ty.kind == ty.kind && !place.constant, 1) {
                Some(place) => format!("({} = {same})", place.text),
                None => same,
            },
            5 => {
                let kept = self.types.declare(ty, "kept");
                format!("({{ {kept} = {same}; kept; }})")
            }
            _ => same,
        }
    }
}
