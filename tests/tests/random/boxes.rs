//! Random nests of loops that access boxes of matrices: by rows, by columns, repeatedly, shifted, and some
//! near misses. Each is done on shared matrices and on private ones, in which every thread does all
//! iterations.
//!
//! Each iteration accesses one element of the matrix that the nest writes, in the outer iteration's own row
//! or column, so that iterations of the outer loop do not depend on each other while those of inner loops
//! may.

use crate::Random;
use std::fmt::Write;

const TYPES: [&str; 5] = ["int", "long", "short", "unsigned char", "double"];
const LAYOUTS: [&str; 7] = ["[R * C]", "[R * C]", "[C]", "[2 * C]", "", "[5]", "[]"];
const MATRICES: usize = 4;

struct Maker {
    random: Random,
    target: usize,
}

impl Maker {
    /// A subscript in range if all counters are from 1 to n - 2.
    fn subscript(&mut self, counters: &[&'static str]) -> String {
        let counter = self.random.pick(counters);
        match self.random.below(9) {
            0 => format!("{counter} + 1"),
            1 => format!("{counter} - 1"),
            2 => self.random.pick(&["0", "1", "fixed"]).into(),
            3 if self.random.one_in(3) => format!("n - 1 - {counter}"),
            _ => counter.into(),
        }
    }

    /// An element of another matrix than the target; `$`: s or p.
    fn element(&mut self, counters: &[&'static str]) -> String {
        let m = (self.target + 1 + self.random.below(MATRICES - 1)) % MATRICES;
        format!("$m{m}[{}][{}]", self.subscript(counters), self.subscript(counters))
    }

    fn value(&mut self, counters: &[&'static str]) -> String {
        match self.random.below(6) {
            0 => format!("{} + i", self.element(counters)),
            1 => format!("{} - {}", self.element(counters), self.element(counters)),
            2 => format!("{} + 3 * {}", self.element(counters), self.element(counters)),
            _ => self.element(counters),
        }
    }

    /// The inner loop's statement on the object.
    fn statement(&mut self, object: &str, counters: &[&'static str]) -> String {
        let value = self.value(counters);
        match self.random.below(8) {
            0 => format!("{object} += clip({value});"),
            1 => format!("if (clip({value}) > 20) {object} = clip({value});"),
            2 => format!("sum = clip(sum + {value}); {object} = sum;"),
            3 => format!("{object} = clip({value}); {object} = clip({object} + {value});"),
            4 => format!("{object} = clip({object} + {value});"),
            _ => format!("{object} = clip({value});"),
        }
    }

    /// Nest number k, shared and private, and the comparison.
    fn step(&mut self, k: usize) -> String {
        self.target = self.random.below(MATRICES);
        let t = self.target;
        let object = self.random.pick(&["[i][j]", "[i][j]", "[j][i]", "[j][i]", "[j + 1][i]", "[j][i - 1]"]);
        let object = format!("$m{t}{object}");
        let affinity = self.random.pick(&["&sm#[i][0]", "&sm#[i][0]", "i", "&sm#[i][n - 1]"]);
        let affinity = affinity.replace('#', &self.random.below(MATRICES).to_string());
        let bound = |random: &mut Random| random.pick(&["< n - 1", "< n - 1", "<= n - 2", "< last"]);
        let alone = self.random.one_in(5);
        let (first, second) = (bound(&mut self.random), bound(&mut self.random));
        let inner = match self.random.below(4) {
            0 => {
                let third = bound(&mut self.random);
                let value = self.value(&["i", "j", "k"]);
                let statement = self.statement(&object, &["i", "j"]);
                format!(
                    "for (long k = 1; k {third}; k++)\n                sum = clip(sum + {value});\n            {statement}"
                )
            }
            _ => self.statement(&object, &["i", "j"]),
        };
        let mut text = String::new();
        let shared = match alone {
            true => ("s", "for", String::new(), "MYTHREAD == THREADS - 1"),
            false => ("s", "upc_forall", format!("; {affinity}"), "1"),
        };
        for (prefix, head, fourth, who) in [shared, ("p", "for", String::new(), "1")] {
            let function = format!(
                "static void {prefix}step{k}(int n, int last, int fixed) {{\n    if ({who})\n    \
                 {head} (int i = 1; i {first}; i++{fourth}) {{\n        long sum = 0;\n        \
                 for (int j = 1; j {second}; j++) {{\n            {inner}\n        }}\n    }}\n}}\n"
            );
            text += &function.replace('$', prefix);
        }
        let (last, fixed) = (self.random.pick(&["n - 3", "n - 1", "2", "0"]), self.random.below(3));
        text + &format!(
            "static void test{k}(int n) {{\n    sstep{k}(n, {last}, {fixed});\n    pstep{k}(n, {last}, {fixed});\n    \
             upc_barrier;\n    compare{t}();\n    upc_barrier;\n}}\n"
        )
    }
}

/// A whole program.
pub fn program(seed: u64) -> String {
    let mut maker = Maker { random: Random::new(seed), target: 0 };
    let (mut objects, mut fill) = (String::new(), String::new());
    for m in 0..MATRICES {
        let (kind, layout) = (maker.random.pick(&TYPES), maker.random.pick(&LAYOUTS));
        let rows = if layout == "[]" { "R * MAX" } else { "R * THREADS" };
        let _ = write!(
            objects,
            "shared{layout} {kind} sm{m}[{rows}][C];\nstatic {kind} pm{m}[R * MAX][C];\n\
             static void compare{m}(void) {{\n    for (int i = 0; i < R * THREADS; i++)\n        \
             for (int j = 0; j < C; j++)\n            CHECK(sm{m}[i][j] == pm{m}[i][j]);\n}}\n"
        );
        let _ = write!(
            fill,
            "            pm{m}[i][j] = (i * 7 + j * 3 + {m}) % 50;\n            \
             if (MYTHREAD == 0) sm{m}[i][j] = pm{m}[i][j];\n"
        );
    }
    let (rows, columns) = (2 + maker.random.below(4), 9 + maker.random.below(40));
    let steps: Vec<String> = (0..10).map(|k| maker.step(k)).collect();
    let calls: String = (0..10).map(|k| format!("    test{k}(n);\n")).collect();
    format!(
        "// Made by tests/random/boxes.rs, seed {seed}.\n#include <upc_relaxed.h>\n#include \"check.h\"\n#define MAX 16\n#define R {rows}\n#define C {columns}\n\
         static long clip(long x) {{ return (x % 100 + 100) % 100; }}\n{objects}{}\
         int main(void) {{\n    int n = R * THREADS < C ? R * THREADS : C;\n    \
         for (int i = 0; i < R * THREADS; i++)\n        for (int j = 0; j < C; j++) {{\n{fill}        }}\n    \
         upc_barrier;\n{calls}{calls}    return 0;\n}}\n",
        steps.concat()
    )
}
