//! Random spread arrays of Split-C and dist arrays of AC: any number of dimensions, of lengths that are
//! constants, multiples of PROCS, or known only at run time; static, automatic, as parameters, and through
//! pointers to the objects at a few subscripts. One processor after the other changes elements; all read
//! them, in many spellings, and compare them with private arrays, in which every processor makes every
//! change.

use crate::Random;
use crate::records::Dialect;
use std::fmt::Write;

const OBJECTS: usize = 3;
const TYPES: [&str; 6] = ["int", "double", "char", "short", "long", "struct s"];
const VALUES: [&str; 5] = ["v0", "v1 + 1", "v2 * 3", "41", "(char)(v3 * 7)"];

/// A length as the program writes it, and how many there are at least.
type Length = (&'static str, usize);

const CONSTANTS: [Length; 5] = [("2", 2), ("3", 3), ("4", 4), ("5", 5), ("6", 6)];
const AT_RUN_TIME: [Length; 3] = [("n3", 3), ("n4", 4), ("n5", 5)];
const OVER_PROCS: [Length; 3] = [("PROCS", 0), ("PROCS", 0), ("2 * PROCS", 0)];

struct Array {
    ty: &'static str,
    automatic: bool,
    dims: Vec<Length>,
    /// The number of spread dimensions.
    spread: usize,
}

struct Maker {
    random: Random,
    dialect: Dialect,
    arrays: Vec<Array>,
    pointers: usize,
}

/// An access to a shared object, with the declarations before it that it needs, and the access to the private
/// one.
struct Access {
    before: String,
    shared: String,
    private: String,
}

fn brackets<S: AsRef<str>>(inside: impl IntoIterator<Item = S>) -> String {
    inside.into_iter().fold(String::new(), |text, x| text + "[" + x.as_ref() + "]")
}

impl Array {
    fn lengths(&self) -> impl Iterator<Item = &'static str> {
        self.dims.iter().map(|d| d.0)
    }

    /// Declares `name` as such an array.
    fn declared(&self, dialect: Dialect, name: &str) -> String {
        let of = |range: &[Length]| brackets(range.iter().map(|d| d.0));
        match dialect {
            Dialect::Ac => format!("dist {} {name}{}", self.ty, of(&self.dims)),
            _ => format!(
                "{} {name}{}::{}",
                self.ty,
                of(&self.dims[..self.spread]),
                of(&self.dims[self.spread..])
            ),
        }
    }

    /// The number of an element, or of a block if there are fewer subscripts.
    fn number<S: AsRef<str>>(&self, subscripts: &[S]) -> String {
        let first = format!("({})", subscripts[0].as_ref());
        subscripts.iter().zip(&self.dims).skip(1).fold(first, |number, (subscript, (length, _))| {
            format!("({number} * ({length}) + ({}))", subscript.as_ref())
        })
    }

    /// The member of an element that is accessed.
    fn member(&self) -> &'static str {
        if self.ty == "struct s" { ".x" } else { "" }
    }
}

impl Maker {
    fn array(&mut self) -> Array {
        let automatic = !self.random.one_in(3);
        let (spread, block) = match self.dialect {
            Dialect::Ac => (1 + self.random.below(3), 0),
            _ => (1 + self.random.below(2), self.random.below(3)),
        };
        let dims = (0..spread + block)
            .map(|i| match self.random.below(5) {
                0 | 1 if automatic => self.random.pick(&AT_RUN_TIME),
                2 | 3 if i < spread => self.random.pick(&OVER_PROCS),
                _ => self.random.pick(&CONSTANTS),
            })
            .collect();
        Array { ty: self.random.pick(&TYPES), automatic, dims, spread }
    }

    fn subscript(&mut self, (length, least): Length) -> String {
        if least == 0 {
            return match self.random.below(4) {
                0 => "0".into(),
                1 => "PROCS - 1".into(),
                2 => format!("v1 % ({length})"),
                _ => format!("(v2 + 1) % ({length})"),
            };
        }
        match self.random.below(5) {
            0 | 1 => self.random.below(least).to_string(),
            2 => format!("v0 % {length}"),
            3 => format!("(v3 + {}) % {length}", self.random.below(6)),
            _ => format!("{length} - 1"),
        }
    }

    fn access(&mut self, a: usize) -> Access {
        let dims = self.arrays[a].dims.clone();
        let subscripts: Vec<String> = dims.into_iter().map(|d| self.subscript(d)).collect();
        self.access_at(a, &subscripts)
    }

    fn access_at<S: AsRef<str>>(&mut self, a: usize, subscripts: &[S]) -> Access {
        let (mut before, mut shared, mut done) = (String::new(), format!("a{a}"), 0);
        if self.random.one_in(3) {
            let j = self.random.below(subscripts.len());
            (before, shared) = self.pointer(a, &subscripts[..j], subscripts[j].as_ref());
            done = j + 1;
        }
        for x in subscripts[done..].iter().map(AsRef::as_ref) {
            shared = match self.random.below(6) {
                0 => format!("(*({shared} + ({x})))"),
                1 => format!("(*&{shared}[{x}])"),
                2 => format!("({shared} + ({x}))[0]"),
                _ => format!("{shared}[{x}]"),
            };
        }
        let array = &self.arrays[a];
        let (member, number) = (array.member(), array.number(subscripts));
        Access { before, shared: shared + member, private: format!("p{a}[{number}]{member}") }
    }

    /// A pointer to the object at the subscripts `lead` and `last`, made and moved in one of several ways,
    /// and its dereference.
    fn pointer<S: AsRef<str>>(&mut self, a: usize, lead: &[S], last: &str) -> (String, String) {
        self.pointers += 1;
        let array = &self.arrays[a];
        let (q, j) = (format!("q{}", self.pointers), lead.len());
        let rest = brackets(array.lengths().skip(j + 1));
        let place = format!("a{a}{}", brackets(lead));
        let declared = match self.dialect {
            Dialect::Ac => format!("dist {} (*{q}){rest}", array.ty),
            // There is no word for a spread row.
            _ if j + 1 < array.spread => format!("__typeof__({place} + 0) {q}"),
            _ => format!("{} (*{} {q}){rest}", array.ty, if j < array.spread { "spread" } else { "global" }),
        };
        let k = self.random.pick(&["0", "1", "2", "v0", "3"]);
        match self.random.below(6) {
            0 => (format!("{declared} = {place} + ({last});"), format!("(*{q})")),
            1 => (format!("{declared} = &{place}[{last}];"), format!("{q}[0]")),
            2 => (format!("{declared} = {place} + ({last}) - {k};"), format!("{q}[{k}]")),
            3 => (format!("{declared} = {place} + ({last}); {q} -= {k}; {q} += {k};"), format!("(*{q})")),
            4 => (format!("{declared} = {place}; {q}++; --{q}; {q} += {last};"), format!("(*{q})")),
            _ => (format!("{declared} = {place}; {q} = {q} + ({last});"), format!("{q}[zero]")),
        }
    }

    /// One processor changes an element; all do so in the private array.
    fn change(&mut self) -> String {
        let (to, from) = (self.random.below(OBJECTS), self.random.below(OBJECTS));
        let (to, from) = (self.access(to), self.access(from));
        let value = self.random.pick(&VALUES);
        let both = |of: &dyn Fn(&str, &str) -> String| {
            (of(&to.shared, &from.shared), of(&to.private, &from.private))
        };
        let (shared, private) = match self.random.below(7) {
            0 => both(&|to, _| format!("{to} = {value};")),
            1 => both(&|to, _| format!("{to} += {value};")),
            2 => both(&|to, _| format!("{to}++;")),
            3 => both(&|to, from| format!("{to} = (char){from};")),
            4 | 5 if self.dialect == Dialect::SplitC => {
                let (_, private) = both(&|to, _| format!("{to} = {value};"));
                let how = if self.random.one_in(2) { ":= $; sync()" } else { ":- $" };
                (format!("{} {};", to.shared, how.replace('$', value)), private)
            }
            _ => both(&|to, from| format!("{to} = (char)({from} + {value});")),
        };
        let who = self.random.below(10);
        let (x, y, z) = (self.random.below(4), self.random.below(4), self.random.below(9));
        format!(
            "    if (MYPROC == {who} % PROCS) {{ {} {} {shared} }}\n    \
             all_store_sync();\n    {private}\n    v{x} = (v{y} * 5 + {z}) % 97;\n    barrier();\n",
            to.before, from.before
        )
    }

    fn check(&mut self, failed: &str) -> String {
        let a = self.random.below(OBJECTS);
        let Access { before, shared, private } = self.access(a);
        format!("    {{ {before} if ({shared} != {private}) {failed}; }}\n")
    }

    /// A function with an array as its parameter that looks at some of its elements.
    fn function(&mut self, a: usize) -> String {
        let mut body = String::new();
        for _ in 0..3 {
            let Access { before, shared, private } = self.access(a);
            let _ = writeln!(body, "    {{ {before} if ({shared} != {private}) return __LINE__; }}");
        }
        let parameter = self.arrays[a].declared(self.dialect, &format!("a{a}"));
        let head = match self.random.one_in(3) {
            true => format!("int f{a}(n3, n4, n5, a{a}) int n3, n4, n5; {parameter};"),
            false => format!("int f{a}(int n3, int n4, int n5, {parameter})"),
        };
        format!("{head} {{\n{body}    return 0;\n}}\n")
    }

    /// Every element: `each` of its subscripts.
    fn all(&self, a: usize, each: impl Fn(&[String]) -> String) -> String {
        let names: Vec<String> = (0..self.arrays[a].dims.len()).map(|d| format!("l{d}")).collect();
        let mut text = String::from("    ");
        for (name, length) in names.iter().zip(self.arrays[a].lengths()) {
            let _ = write!(text, "for (int {name} = 0; {name} < {length}; {name}++) ");
        }
        text + &format!("{{ {} }}\n", each(&names))
    }

    fn fill(&self, a: usize) -> String {
        let array = &self.arrays[a];
        let (total, ty, member) = (array.lengths().collect::<Vec<_>>().join(" * "), array.ty, array.member());
        let filled = self.all(a, |names| {
            let (number, block) = (array.number(names), array.number(&names[..array.spread]));
            format!(
                "p{a}[{number}]{member} = {number} % 100; \
                 if ({block} % PROCS == MYPROC) a{a}{}{member} = {number} % 100;",
                brackets(names)
            )
        });
        format!("    p{a} = calloc({total}, sizeof({ty}));\n{filled}")
    }

    /// At the end: every element, and the processor that has it.
    fn compare(&mut self, a: usize) -> String {
        let names: Vec<String> = (0..self.arrays[a].dims.len()).map(|d| format!("l{d}")).collect();
        let Access { before, shared, private } = self.access_at(a, &names);
        let array = &self.arrays[a];
        self.all(a, |names| {
            let (block, element) = (array.number(&names[..array.spread]), brackets(names));
            format!(
                "{before} if ({shared} != {private} || toproc(&a{a}{element}) != {block} % PROCS) \
                 BAD(__LINE__);"
            )
        })
    }
}

/// A whole program.
pub fn program(seed: u64, dialect: Dialect) -> String {
    let mut maker = Maker { random: Random::new(seed), dialect, arrays: Vec::new(), pointers: 0 };
    maker.arrays = (0..OBJECTS).map(|_| maker.array()).collect();
    let (mut objects, mut automatic, mut fill) = (String::new(), String::new(), String::new());
    for (a, array) in maker.arrays.iter().enumerate() {
        let text = if array.automatic { &mut automatic } else { &mut objects };
        let _ = writeln!(text, "    {};", array.declared(dialect, &format!("a{a}")));
        let _ = writeln!(objects, "static {} *p{a};", array.ty);
        fill += &maker.fill(a);
    }
    let functions: String = (0..OBJECTS).map(|a| maker.function(a)).collect();
    let mut steps = String::new();
    for _ in 0..12 {
        steps += &maker.change();
        for _ in 0..3 {
            steps += &maker.check("BAD(__LINE__)");
        }
        let a = maker.random.below(OBJECTS);
        let _ = writeln!(steps, "    if (f{a}(n3, n4, n5, a{a})) BAD(__LINE__);\n    barrier();");
    }
    let compare: String = (0..OBJECTS).map(|a| maker.compare(a)).collect();
    let entry = if dialect == Dialect::Ac { "main" } else { "splitc_main" };
    format!(
        "/* Made by tests/random/arrays.rs, seed {seed}. */\n\
         #include <split-c/split-c.h>\n#include <stdio.h>\n\
         #include <stdlib.h>\n\
         #define BAD(line) (printf(\"wrong in line %d, processor %d\\n\", line, MYPROC), exit(7))\n\
         struct s {{ int x; char y[3]; double z; }};\nstatic int v0, v1, v2, v3, zero;\n{objects}{functions}\
         static void run(int argc) {{\n    int n3 = argc + 2, n4 = argc + 3, n5 = argc + 4;\n{automatic}    \
         v0 = argc; v1 = argc + 1; v2 = argc + 4; v3 = argc + 8;\n{fill}    barrier();\n{steps}{compare}    \
         barrier();\n}}\nint {entry}(int argc, char **argv) {{ run(argc); barrier(); return 0; }}\n"
    )
}
