//! Random valid programs of every construct of C and of the dialects: records of every nesting, objects of
//! every type and storage, functions with parameters and results of all types, statements and expressions of
//! all forms. They are typed, so that each is valid. The test only compiles them.

use super::expressions::Maker;
use super::records::Dialect;
use super::types::{Kind, Type};
use std::fmt::Write;

const UPC_HEAD: &str = "#include <upc.h>\n#include <stddef.h>\n#include <upc_collective.h>\n";
const OTHER_HEAD: &str = "#include <split-c/split-c.h>\n#include <stddef.h>\n#include <string.h>\n";

/// A file of the programs with these numbers.
pub fn file(seed: u64, dialect: Dialect, programs: std::ops::Range<usize>) -> String {
    let head = if dialect == Dialect::Upc { UPC_HEAD } else { OTHER_HEAD };
    let mut text =
        format!("// Made by tests/random/constructs.rs, seed {seed}, programs {programs:?}.\n{head}");
    for id in programs {
        text += &program(seed * 1_000_000 + id as u64, id, dialect);
    }
    text
}

/// One program: its definitions, then the functions that use them.
fn program(seed: u64, id: usize, dialect: Dialect) -> String {
    let mut maker = Maker::new(seed, dialect, id);
    for _ in 0..maker.types.random.below(4) {
        maker.types.record();
    }
    let mut functions = String::new();
    for _ in 0..2 + maker.types.random.below(4) {
        maker.global();
    }
    for _ in 0..1 + maker.types.random.below(2) {
        functions += &maker.function();
    }
    format!("{}{functions}", maker.types.before)
}

impl Maker {
    /// An object at file scope; some are declared again.
    fn global(&mut self) {
        let name = self.types.name("g");
        let ty = self.static_type(true);
        let text = self.types.declare(&ty, &name);
        let storage = self.types.random.pick(&["", "", "", "static ", "extern "]);
        let first = self.types.declare(&ty, &name);
        if storage.is_empty() && self.types.random.one_in(4) {
            let _ = writeln!(self.types.before, "extern {first};");
        }
        let value = match storage {
            "extern " => String::new(),
            _ => self.initialiser(&ty),
        };
        let attribute = match value.is_empty() && self.types.random.one_in(8) {
            true => self.types.random.pick(&[" __attribute__((unused))", " __attribute__((aligned(32)))"]),
            false => "",
        };
        let _ = writeln!(self.types.before, "{storage}{text}{attribute}{value};");
        if storage.is_empty() && self.types.random.one_in(6) {
            let again = self.types.declare(&ty, &name);
            let _ = writeln!(self.types.before, "extern {again};");
        }
        self.variable(name, ty);
    }

    /// A type for an object of static storage: private, or shared with any layout that both environments
    /// allow.
    pub fn static_type(&mut self, file_scope: bool) -> Type {
        let depth = self.types.random.below(3);
        let ty = self.types.object(depth);
        if self.types.random.one_in(3) {
            return ty;
        }
        let element = match &ty.kind {
            Kind::Array(..) if self.types.random.one_in(2) => ty.clone(),
            _ => self.types.scalar(1),
        };
        match self.types.dialect {
            Dialect::Upc => self.upc_object(element),
            Dialect::SplitC => {
                let dims =
                    self.types.random.pick(&["[PROCS]", "[4]", "[2][PROCS]", "[3 * PROCS]", "[PROCS + 1]"]);
                Type::of(Kind::Spread(Box::new(element), dims.to_string()))
            }
            Dialect::Ac => {
                let element = element.with_shared("");
                match self.types.random.below(4) {
                    0 if file_scope => element,
                    _ => {
                        let bound = self.types.random.pick(&["PROCS", "5", "2 * PROCS", "PROCS + 3"]);
                        Type::of(Kind::Array(Box::new(element), bound.to_string()))
                    }
                }
            }
        }
    }

    /// A shared object of UPC: exactly one of its bounds has THREADS unless it lies on one thread.
    fn upc_object(&mut self, element: Type) -> Type {
        let fixed = |of: Type, n: &str| Type::of(Kind::Array(Box::new(of), n.to_string()));
        let mut ty = match self.types.random.below(5) {
            0 if !matches!(element.kind, Kind::Array(..)) => {
                element.with_shared(self.types.random.pick(&["", "", "[1]", "[]"]))
            }
            1 => {
                let inner = fixed(element.with_shared(self.types.random.pick(&["[]", "[0]"])), "3");
                if self.types.random.one_in(2) { fixed(inner, "2") } else { inner }
            }
            _ => {
                let layout =
                    self.types.random.pick(&["", "", "[2]", "[*]", "[3 + 4]", "[1]", "[sizeof(int)]"]);
                let bound = self.types.random.pick(&["THREADS", "3 * THREADS", "THREADS * 2", "(THREADS)"]);
                let with = fixed(element.with_shared(layout), bound);
                // Any of the dimensions may hold THREADS.
                match self.types.random.below(3) {
                    0 => fixed(with, "3"),
                    1 => fixed(fixed(element.with_shared(layout), "2"), bound),
                    _ => with,
                }
            }
        };
        let words = self.types.random.pick(&["", "", "", "volatile ", "strict ", "relaxed "]);
        let mut at = &mut ty;
        while let Kind::Array(of, _) = &mut at.kind {
            at = of;
        }
        at.words = words;
        ty
    }

    /// A constant initialiser with its equals sign, or nothing.
    pub fn initialiser(&mut self, ty: &Type) -> String {
        let distributed = ty.layout().is_some() || matches!(ty.kind, Kind::Spread(..));
        // Shared arrays whose bounds hold THREADS have no initialisers here: the environments differ.
        if self.types.random.one_in(2) || distributed && !matches!(ty.layout(), Some("[]" | "[0]")) {
            return String::new();
        }
        format!(" = {}", self.constant_of(ty))
    }

    /// An initialiser of constants.
    fn constant_of(&mut self, ty: &Type) -> String {
        match &ty.kind {
            Kind::Array(of, _) => {
                if **of == Type::basic("char") && self.types.random.one_in(2) {
                    return "\"\"".to_string();
                }
                let first = self.constant_of(of);
                match self.types.random.below(3) {
                    0 => format!("{{ [0] = {first} }}"),
                    1 => format!("{{ [0] = {first}, }}"),
                    _ => format!("{{ {first} }}"),
                }
            }
            Kind::Record(number) => {
                let members: Vec<(String, Type)> = self.types.records[*number].members.clone();
                let (name, of) = members[self.types.random.below(members.len())].clone();
                let value = self.constant_of(&of);
                match self.types.random.below(3) {
                    0 => "{ 0 }".to_string(),
                    _ => format!("{{ .{name} = {value} }}"),
                }
            }
            Kind::Pointer(..) => self.address_constant(ty),
            _ if ty.complex() || !ty.integer() => {
                self.types.random.pick(&["1.5", "-2", "1e3f", "0x1p-3", "3.L", "'a'"]).to_string()
            }
            _ => match self.types.constant() {
                Some(constant) if self.types.random.one_in(3) => constant,
                _ => self
                    .types
                    .random
                    .pick(&[
                        "1",
                        "sizeof(int *)",
                        "'\\n'",
                        "(1 ? 1 : 0)",
                        "~0 & 1",
                        "1u << 0",
                        "1 == 1",
                        "0x1L",
                    ])
                    .to_string(),
            },
        }
    }

    /// A function: parameters of all kinds, sometimes in the old style; some are declared before.
    fn function(&mut self) -> String {
        let name = self.types.name("f");
        let result = if self.types.random.one_in(5) { Type::of(Kind::Void) } else { self.types.scalar(2) };
        let mut parameters = vec![("n".to_string(), Type::basic("int"))];
        for _ in 0..self.types.random.below(4) {
            let ty = self.types.scalar(2);
            parameters.push((self.types.name("p"), ty));
        }
        let list = |maker: &mut Maker, names: bool| {
            let all: Vec<String> = parameters
                .iter()
                .map(|(name, ty)| maker.parameter(ty, if names { name } else { "" }))
                .collect();
            all.join(", ")
        };
        let storage = self.types.random.pick(&["", "", "static ", "static inline "]);
        let old = self.types.random.one_in(6);
        if !old && self.types.random.one_in(3) {
            let names = self.types.random.one_in(2);
            let text = list(self, names);
            let text = self.types.declare(&result, &format!("{name}({text})"));
            let _ = writeln!(self.types.before, "{storage}{text};");
        }
        let head = if old {
            let names: Vec<&str> = parameters.iter().map(|(name, _)| name.as_str()).collect();
            let mut head = self.types.declare(&result, &format!("{name}({})", names.join(", ")));
            head.push(' ');
            for (name, ty) in &parameters {
                let text = self.types.declare(ty, name);
                let _ = write!(head, "{text}; ");
            }
            head
        } else {
            let text = list(self, true);
            self.types.declare(&result, &format!("{name}({text})"))
        };
        let outside = self.scope();
        for (name, ty) in parameters.clone() {
            self.variable(name, ty);
        }
        self.result = result.clone();
        let body = self.body();
        self.leave(outside);
        let types = parameters.into_iter().map(|(_, ty)| ty).collect();
        self.variable(name, Type::of(Kind::Function(Box::new(result), types)));
        format!("{storage}{head}{body}")
    }

    /// A parameter; a pointer may be written as an array.
    fn parameter(&mut self, ty: &Type, name: &str) -> String {
        if let Kind::Pointer(to, "") = &ty.kind {
            let elements = self.has_size(to) && to.layout() != Some("[*]");
            if elements && !name.is_empty() && self.types.random.one_in(4) {
                let private = to.layout().is_none();
                let bound = match self.types.random.below(4) {
                    0 if private => "static 2",
                    1 if private => "n",
                    2 => "4",
                    _ => "",
                };
                return self.types.declare(to, &format!("{name}[{bound}]"));
            }
        }
        self.types.declare(ty, name)
    }

    /// The body of a function, with the target label of its jumps.
    fn body(&mut self) -> String {
        let mut text = " {\n    int i = n;\n".to_string();
        let outside = self.scope();
        self.variable("i".to_string(), Type::basic("int"));
        self.jumps = true;
        for _ in 0..3 + self.types.random.below(5) {
            let statement = self.statement(3);
            let _ = writeln!(text, "    {statement}");
        }
        self.jumps = false;
        text += "end: ;\n";
        if self.result.kind != Kind::Void {
            let result = self.result.clone();
            let value = self.value(&result, 2);
            let _ = writeln!(text, "    return {value};");
        }
        self.leave(outside);
        text + "}\n"
    }
}
