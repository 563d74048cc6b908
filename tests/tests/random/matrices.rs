//! Random upc_forall loops over the rows of matrices and over arrays of structures, with plain loops inside,
//! each also on private ones in which every thread does all iterations.
//!
//! An iteration writes one row (or structure) of one object and reads that row and any of the others, so that
//! iterations do not depend on each other while the inner loop's steps may.

use crate::Random;
use std::fmt::Write;

const TYPES: [&str; 4] = ["int", "long", "unsigned char", "double"];
const LAYOUTS: [&str; 6] = ["[C]", "[C]", "[2 * C]", "", "[3]", "[*]"];
const OBJECTS: usize = 3;

struct Maker {
    random: Random,
    target: usize,
}

impl Maker {
    /// A column near j, in range for 2 <= j < C - 2.
    fn column(&mut self) -> &'static str {
        self.random.pick(&["j", "j", "j + 1", "j - 2", "C - 1 - j", "(j * 3) % C", "0", "C - 1"])
    }

    /// An element of row `row` of matrix m, in one of several spellings; `$`: s or p.
    fn element(&mut self, m: usize, row: &str) -> String {
        let column = self.column();
        match self.random.below(7) {
            0 => format!("(*($m{m} + ({row})))[{column}]"),
            1 => format!("*($m{m}[{row}] + ({column}))"),
            2 => format!("*(&$m{m}[{row}][0] + ({column}))"),
            3 => format!("$r{m}[{row}].a"),
            4 => format!("(&$r{m}[{row}])->b[({column}) % 3]"),
            5 => format!("$r{m}[{row}].b[({column}) % 3]"),
            _ => format!("$m{m}[{row}][{column}]"),
        }
    }

    /// A value: from the target's own row, or anywhere in the others.
    fn value(&mut self, depth: usize) -> String {
        if depth > 0 {
            let (x, y) = (self.value(depth - 1), self.value(depth - 1));
            let operator = self.random.pick(&["+", "-", "+"]);
            return format!("({x} {operator} {y})");
        }
        let m = self.random.below(OBJECTS);
        let row = match m == self.target {
            true => "i",
            false => self.random.pick(&["i", "i", "i + 1", "i - 1", "n - 1 - i", "2"]),
        };
        match self.random.below(5) {
            0 => "j".into(),
            1 => "sum".into(),
            _ => format!("({})", self.element(m, row)),
        }
    }

    fn statement(&mut self) -> String {
        let (target, value) = (format!("({})", self.element(self.target, "i")), self.value(1));
        match self.random.below(6) {
            0 => format!("{target} += clip({value});"),
            1 => format!("sum = clip(sum + {value});"),
            2 => format!("if (clip({value}) > 30) {target} = j; else {target} = clip({value});"),
            3 => format!("if (j == 4) continue;\n            {target} = clip({value});"),
            4 => format!("{target}++;"),
            _ => format!("{target} = clip({value});"),
        }
    }

    fn affinity(&mut self) -> String {
        let (t, other) = (self.target, self.random.below(OBJECTS));
        match self.random.below(7) {
            0 => "i".into(),
            1 => format!("$m{t}[i]"),
            2 => format!("&$m{t}[i][C - 1]"),
            3 => format!("&$m{other}[i][2]"),
            4 => format!("&$r{t}[i]"),
            5 => format!("&$r{other}[i].a"),
            _ => format!("&$m{t}[i][0]"),
        }
    }

    /// Loop number k, shared and private, and the comparison.
    fn step(&mut self, k: usize) -> String {
        self.target = self.random.below(OBJECTS);
        let t = self.target;
        let affinity = self.affinity();
        let clauses = self.random.pick(&[
            "int i = 1; i < n - 1; i++",
            "int i = n - 2; i > 0; i--",
            "long i = 1; i <= n - 2; i += 2",
            "int i = 1; i < R * THREADS - 1; i++",
        ]);
        let inner = self.random.pick(&[
            "int j = 2; j < C - 2; j++",
            "int j = C - 3; j >= 2; j--",
            "int j = 2; j < C - 2; j += 2",
        ]);
        let mut body = String::new();
        for _ in 0..1 + self.random.below(3) {
            let _ = writeln!(body, "            {}", self.statement());
        }
        let last = match self.random.below(2) {
            0 => format!("        $m{t}[i][1] = clip(sum);\n"),
            _ => format!("        int j = 3;\n        {}\n", self.statement().replace("continue", "sum = 0")),
        };
        let mut text = String::new();
        for (prefix, head, fourth) in
            [("s", "upc_forall", format!("; {affinity}")), ("p", "for", String::new())]
        {
            let function = format!(
                "static void {prefix}step{k}(int n) {{\n    {head} ({clauses}{fourth}) {{\n        double sum = 0;\n        \
                 for ({inner}) {{\n{body}        }}\n{last}    }}\n}}\n"
            );
            text += &function.replace('$', prefix);
        }
        text + &format!(
            "static void test{k}(void) {{\n    sstep{k}(R * THREADS);\n    pstep{k}(R * THREADS);\n    upc_barrier;\n    \
             compare{t}();\n    upc_barrier;\n}}\n"
        )
    }
}

/// A whole program.
pub fn program(seed: u64) -> String {
    let mut maker = Maker { random: Random::new(seed), target: 0 };
    let (mut objects, mut fill) = (String::new(), String::new());
    for m in 0..OBJECTS {
        let (kind, layout) = (maker.random.pick(&TYPES), maker.random.pick(&LAYOUTS));
        let rows = if layout.contains('C') { maker.random.pick(&["[1]", "[2]"]) } else { layout };
        let _ = write!(
            objects,
            "struct r{m} {{ {kind} a; {kind} b[3]; }};\nshared{layout} {kind} sm{m}[R * THREADS][C];\n\
             static {kind} pm{m}[R * MAX][C];\nshared{rows} struct r{m} sr{m}[R * THREADS];\n\
             static struct r{m} pr{m}[R * MAX];\n\
             static void compare{m}(void) {{\n    for (int i = 0; i < R * THREADS; i++) {{\n        \
             for (int j = 0; j < C; j++)\n            CHECK(sm{m}[i][j] == pm{m}[i][j]);\n        \
             for (int j = 0; j < 3; j++)\n            CHECK(sr{m}[i].a == pr{m}[i].a && sr{m}[i].b[j] == pr{m}[i].b[j]);\n    \
             }}\n}}\n"
        );
        let _ = writeln!(
            fill,
            "    for (int i = 0; i < R * THREADS; i++) {{\n        for (int j = 0; j < C; j++) {{\n            \
             pm{m}[i][j] = i + j + {m};\n            if (i % THREADS == MYTHREAD) sm{m}[i][j] = i + j + {m};\n        }}\n        \
             pr{m}[i].a = pr{m}[i].b[i % 3] = i;\n        if (i % THREADS == MYTHREAD) sr{m}[i] = pr{m}[i];\n    }}"
        );
    }
    let steps: String = (0..6).map(|k| maker.step(k)).collect();
    let calls: String = (0..6).map(|k| format!("    test{k}();\n")).collect();
    format!(
        "// Made by tests/random/matrices.rs, seed {seed}.\n#include <upc_relaxed.h>\n#include \"check.h\"\n#define R 5\n\
         #define C 8\n#define MAX 8\n{objects}static int clip(double x) {{ return x >= 0 && x < 100 ? (int)x : 1; }}\n\
         {steps}\nint main(void) {{\n{fill}    upc_barrier;\n{calls}    return 0;\n}}\n"
    )
}
