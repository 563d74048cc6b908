//! Random upc_forall loops, each also as a plain loop over private arrays in which every thread does all
//! iterations; after each, all elements are compared.
//!
//! A loop writes one array, at i + c, and reads others near i, or the written one at the same element: thus
//! no iteration depends on another, and the order and place of the iterations must not matter. The shapes are
//! those that an optimiser looks for, and their near misses: affine and other affinities and indices, bounds
//! of all forms, both directions, several steps, pointers into arrays, loops by a pointer, in functions.

use crate::Random;
use std::fmt::Write;

const TYPES: [&str; 5] = ["int", "unsigned", "long", "short", "double"];
const LAYOUTS: [&str; 6] = ["", "[1]", "[2]", "[3]", "[5]", "[*]"];
const ARRAYS: usize = 4;

/// An array: its type, and the layout of a pointer to it.
struct Array {
    kind: &'static str,
    layout: &'static str,
}

impl Array {
    /// The type of the elements, as in a pointer to them.
    fn elements(&self, shared: bool) -> String {
        let Array { kind, layout } = self;
        if shared { format!("shared{layout} {kind}") } else { (*kind).to_string() }
    }
}

struct Maker {
    random: Random,
    arrays: Vec<Array>,
    /// The array that the current loop writes, and the offset of the writes.
    target: (usize, i32),
    /// True if the loop's variable is a pointer `w` to the elements that it writes.
    by_pointer: bool,
    /// True if the loop steps a number `k` and a pointer `$r` besides its variable.
    beside: bool,
}

impl Maker {
    /// An element of array `a` at i + offset, in one of several spellings. `$` stands for s or p.
    fn element(&mut self, a: usize, offset: i32) -> String {
        let minus = -offset;
        match self.random.below(8) {
            0 => format!("$a{a}[i - ({minus})]"),
            6 => format!("*&$a{a}[i + ({offset})]"),
            1 => format!("*($a{a} + i + ({offset}))"),
            2 => format!("($a{a} + 3)[i + ({offset}) - 3]"),
            3 => format!("$q{a}[i + ({offset}) - 2]"),
            4 => format!("(&$a{a}[i])[{offset}]"),
            5 => format!("({offset} + i)[$a{a}]"),
            _ => format!("$a{a}[i + ({offset})]"),
        }
    }

    fn target(&mut self) -> String {
        let (a, offset) = self.target;
        match self.random.below(3) {
            0 if self.by_pointer => "w[0]".into(),
            1 if self.by_pointer => "(*w)".into(),
            _ => format!("({})", self.element(a, offset)),
        }
    }

    /// A value, from arrays that the loop does not write.
    fn value(&mut self, depth: usize) -> String {
        if depth == 0 {
            let a = (self.target.0 + 1 + self.random.below(ARRAYS - 1)) % ARRAYS;
            let offset = self.random.below(7) as i32 - 3;
            return match self.random.below(if self.beside { 9 } else { 7 }) {
                7 => "k".into(),
                8 => "*$r".into(),
                0 => "i".into(),
                1 => "5".into(),
                2 => format!("$a{a}[(i * 7 + 3) % n]"),
                3 => format!("THREAD_$a{a}(i + ({offset}))"),
                _ => format!("({})", self.element(a, offset)),
            };
        }
        let (x, y) = (self.value(depth - 1), self.value(depth - 1));
        match self.random.below(6) {
            0 => format!("({x} > {y} ? {x} : {y})"),
            1 => format!("twice({x})"),
            2 => format!("({x} - {y})"),
            3 => format!("({x} * 0.5 + {y})"),
            _ => format!("({x} + {y})"),
        }
    }

    /// A statement of the body; `reading`: it may read the target.
    fn statement(&mut self, reading: bool) -> String {
        let target = self.target();
        let value = match self.arrays[self.target.0].kind {
            "double" => self.value(1),
            _ => format!("(long)clip({})", self.value(1)), // out of range, C leaves the conversion undefined
        };
        match self.random.below(if reading { 9 } else { 5 }) {
            0 => format!("{target} = {value};"),
            1 => format!("{{ double t = {value}; {target} = clip(t) / 2; }}"),
            2 => format!("if ({value} > 20) {target} = 1; else {target} = {value};"),
            3 => format!("if (i % 3 == 1) continue;\n        {target} = {value};"),
            4 => format!("if (i % 5 == 2) {{ {target} = 3; continue; }}"),
            5 => format!("{target} += {value};"),
            6 => format!("for (int j = 0; j < 3; j++) {target} += j + {value};"),
            7 => format!("{target}++;"),
            _ => format!("{target} = {target} - {value};"),
        }
    }

    /// The head's first three clauses.
    fn clauses(&mut self) -> String {
        let kind = self.random.pick(&["int ", "int ", "long ", "unsigned ", "size_t "]);
        let step = self.random.pick(&[1, 1, 1, 1, 2, 3, 4, 6, 7]);
        let (low, high) =
            (7 + self.random.below(3), self.random.pick(&["n - 3", "N * THREADS - 3", "n - 4"]));
        match self.random.below(6) {
            0 => format!("int i = {high} - 1; i >= {low}; i -= {step}"),
            1 => format!("{kind}i = {low}; i != {high}; i++"),
            2 => format!("{kind}i = {low}; i <= {high} - 1; i += {step}"),
            3 => format!("{kind}i = {low}; {high} > i; ++i"),
            _ => format!("{kind}i = {low}; i < {high}; i += {step}"),
        }
    }

    /// The first three clauses of a loop by a pointer, and the beginning of its body.
    fn pointer_clauses(&mut self) -> (String, String) {
        let a = self.target.0;
        let (low, high) = (7 + self.random.below(4), self.random.pick(&["n - 3", "N * THREADS - 3", "8"]));
        let compare = self.random.below(2) == 0 || high == "8";
        let end = if compare { format!("w < $a{a} + {high}") } else { format!("w != &$a{a}[{high}]") };
        let step = self.random.pick(&["w++", "++w", "w += 1"]);
        (format!("TYPE *w = &$a{a}[{low}]; {end}; {step}"), format!("        int i = (int)(w - $a{a});\n"))
    }

    /// A loop by a pointer that is used for its elements alone.
    fn pointer_statement(&mut self) -> &'static str {
        self.random.pick(&[
            "*w = (long)clip(*w * 2 + 1);",
            "if (*w > 7)\n            continue;\n        w[0] += 2;",
            "for (int j = 0; j < 3; j++) *w = (long)clip(*w + j);",
            "(*w)--;",
        ])
    }

    fn affinity(&mut self) -> String {
        if self.by_pointer {
            return self.random.pick(&["w", "w", "&*w", "&w[0]", "w + 1"]).into();
        }
        let other = self.random.below(ARRAYS);
        let (a, offset) = self.target;
        let near = self.random.below(4) as i32;
        match self.random.below(9) {
            0 => "i".into(),
            1 => format!("i + {near}"),
            2 => "i / 3".into(),
            3 => format!("&$a{other}[i]"),
            4 => format!("&$a{other}[i + {near}]"),
            5 => format!("$q{other} + i - 2"),
            6 => format!("&$a{other}[(i * 5) % n]"),
            _ => format!("&$a{a}[i + ({offset})]"),
        }
    }

    /// The first three clauses of a loop and its body; `everywhere`: every thread runs it.
    fn clauses_and_body(&mut self, everywhere: bool) -> (String, String) {
        let (clauses, mut body) =
            if self.by_pointer { self.pointer_clauses() } else { (self.clauses(), String::new()) };
        if self.by_pointer && !everywhere && self.random.below(2) == 0 {
            return (clauses, format!("        {}\n", self.pointer_statement()));
        }
        for _ in 0..1 + self.random.below(3) {
            let _ = writeln!(body, "        {}", self.statement(!everywhere));
        }
        (clauses, body)
    }

    /// The functions `step` (shared) and `plain` (private) of number k.
    fn step(&mut self, k: usize) -> String {
        self.by_pointer = self.random.below(4) == 0;
        self.beside = !self.by_pointer && self.random.below(3) == 0;
        let offset = if self.by_pointer { 0 } else { self.random.below(7) as i32 - 3 };
        self.target = (self.random.below(ARRAYS), offset);
        let everywhere = self.random.below(8) == 0;
        let affinity = if everywhere { "continue".to_string() } else { self.affinity() };
        let (clauses, body) = self.clauses_and_body(everywhere);
        let parameters = self.random.below(2) == 0;
        let mut text = String::new();
        for (prefix, name, head) in [("s", "step", "upc_forall"), ("p", "plain", "for")] {
            let shared = name == "step";
            let mut pointers = String::new();
            for (a, array) in self.arrays.iter().enumerate() {
                let _ = write!(pointers, "    {} *{prefix}q{a} = {prefix}a{a} + 2;", array.elements(shared));
            }
            let (target, elements) = (self.target.0, self.arrays[self.target.0].elements(shared));
            let list = match parameters {
                true => format!("int n, {elements} *{prefix}a{target}"),
                false => "int n".to_string(),
            };
            let fourth = if shared { format!("; {affinity}") } else { String::new() };
            let mut clauses = clauses.replace("TYPE", &elements);
            if self.beside {
                let a = (target + 1) % ARRAYS;
                let elements = self.arrays[a].elements(shared);
                let _ = write!(pointers, "    int k = 4; {elements} *{prefix}r = {prefix}a{a};");
                clauses += ", k -= 3, $r++";
            }
            let _ = write!(
                text,
                "static void {name}{k}({list}) {{\n{pointers}\n    {head} ({clauses}{fourth}) {{\n{body}    }}\n}}\n"
            );
            text = text.replace('$', prefix);
        }
        let argument =
            |prefix| if parameters { format!(", {prefix}a{}", self.target.0) } else { String::new() };
        let target = self.target.0;
        text + &format!(
            "static void test{k}(void) {{\n    step{k}(N * THREADS{});\n    plain{k}(N * THREADS{});\n    upc_barrier;\n    \
             for (int i = 0; i < N * THREADS; i++)\n        CHECK(sa{target}[i] == pa{target}[i]);\n    upc_barrier;\n}}\n",
            argument("s"),
            argument("p")
        )
    }
}

/// A whole program.
pub fn program(seed: u64) -> String {
    let mut maker = Maker {
        random: Random::new(seed),
        arrays: Vec::new(),
        target: (0, 0),
        by_pointer: false,
        beside: false,
    };
    let (mut objects, mut fill) = (String::new(), String::new());
    for a in 0..ARRAYS {
        let (kind, layout) = (maker.random.pick(&TYPES), maker.random.pick(&LAYOUTS));
        let strict = maker.random.pick(&["", "", "", "strict "]);
        let block = match layout {
            "" => "1",
            "[*]" => "N",
            _ => &layout[1..2],
        };
        let _ = writeln!(
            objects,
            "{strict}shared{layout} {kind} sa{a}[N * THREADS];\nstatic {kind} pa{a}[N * MAX];"
        );
        let _ = writeln!(objects, "#define THREAD_sa{a}(k) (int)upc_threadof(&sa{a}[k])");
        let _ = writeln!(objects, "#define THREAD_pa{a}(k) ((int)(k) / {block} % THREADS)");
        let _ = writeln!(fill, "    for (int i = 0; i < N * THREADS; i++)\n        pa{a}[i] = i + {a};");
        let _ = writeln!(fill, "    upc_forall(int i = 0; i < N * THREADS; i++; i) sa{a}[i] = i + {a};");
        maker.arrays.push(Array { kind, layout: if layout == "[*]" { "[N]" } else { layout } });
    }
    let steps: String = (0..8).map(|k| maker.step(k)).collect();
    let calls: String = (0..8).map(|k| format!("    test{k}();\n")).collect();
    format!(
        "// Made by tests/random/loops.rs, seed {seed}.\n#include <upc_relaxed.h>\n#include \"check.h\"\n#define N 15\n\
         #define MAX 8\n{objects}static double twice(double x) {{ return 2 * x; }}\n\
         static double clip(double x) {{ return x >= 0 && x < 1000 ? x : 1; }}\n{steps}\nint main(void) {{\n\
         {fill}    upc_barrier;\n{calls}    return 0;\n}}\n"
    )
}
