//! Random loops that step by THREADS, up and down, each also over private arrays for all threads in turn;
//! after each, all elements and the variable are compared.
//!
//! The threads' variables differ modulo THREADS, and a loop writes one array, at a constant distance from its
//! variable, or, if it begins at the same number in all threads, from the sum of its variable and MYTHREAD:
//! thus no iteration depends on another. From some first values an optimiser knows the thread, from others it
//! has to compute it, and at others the elements are another thread's. `$` stands for s or p, `@` for the
//! number of the thread.

use crate::Random;
use std::fmt::Write;

const TYPES: [&str; 4] = ["int", "unsigned", "long", "double"];
const LAYOUTS: [&str; 5] = ["", "", "[1]", "[2]", "[*]"];
const ARRAYS: usize = 4;

struct Maker {
    random: Random,
    /// The types and layouts of the arrays, and the offsets of the pointers into them.
    arrays: Vec<(&'static str, &'static str, usize)>,
    /// The summand of the variable in subscripts.
    beside: &'static str,
    target: (usize, i32),
}

impl Maker {
    fn element(&mut self, a: usize, offset: &str) -> String {
        let (beside, into) = (self.beside, self.arrays[a].2);
        match self.random.below(5) {
            0 => format!("$q{a}[i{beside} + {offset} - {into}]"),
            1 => format!("{offset}[$a{a} + i{beside}]"),
            2 => format!("$a{a}[{offset} + i{beside}]"),
            _ => format!("$a{a}[i{beside} + {offset}]"),
        }
    }

    fn target(&mut self) -> String {
        let (a, offset) = self.target;
        self.element(a, &format!("({offset})"))
    }

    /// A value, from arrays that the loop does not write.
    fn value(&mut self, depth: usize) -> String {
        if depth == 0 {
            let a = (self.target.0 + 1 + self.random.below(ARRAYS - 1)) % ARRAYS;
            let offset = self.random.pick(&["(0)", "(0)", "(-1)", "(3)", "THREADS", "(-2 * THREADS)"]);
            return match self.random.below(6) {
                0 => "(double)i".into(),
                1 => format!("$a{a}[(i * 7 + 3) % n]"),
                _ => self.element(a, offset),
            };
        }
        let (x, y) = (self.value(depth - 1), self.value(depth - 1));
        match self.random.below(3) {
            0 => format!("({x} > {y} ? {x} : {y})"),
            1 => format!("({x} * 0.5 + {y})"),
            _ => format!("({x} + {y})"),
        }
    }

    fn statement(&mut self) -> String {
        let target = self.target();
        let value = match self.arrays[self.target.0].0 {
            "double" => self.value(1),
            _ => format!("(long)clip({})", self.value(1)),
        };
        match self.random.below(8) {
            0 => format!("{{ double t = {value}; {target} = clip(t) / 2; }}"),
            1 => format!("if (i % 3 == 1) continue;\n        {target} = {value};"),
            2 => format!("{target} += {value};"),
            3 => format!("for (int j = 0; j < 3; j++) {target} += j + {value};"),
            4 => format!("{target}++;"),
            5 => format!("if (i > n / 2 && i % 5 == 2) break;\n        {target} = {value};"),
            _ => format!("{target} = {value};"),
        }
    }

    /// The head of a loop, after a declaration of its variable, and `beside`.
    fn head(&mut self) -> (String, String) {
        let k = 5 + self.random.below(3);
        let back = self.random.below(3) == 0;
        let together = self.random.below(4) == 0;
        self.beside = if together { self.random.pick(&[" + @", " + @ + THREADS - THREADS"]) } else { "" };
        let mut first = match (back, self.random.below(5)) {
            (false, 0) => format!("@ + {k} * THREADS"),
            (false, 1) => format!("far * THREADS + @ + {k} * THREADS"),
            (false, 2) => format!("(@ + {k}) % THREADS + {k} * THREADS"),
            (false, 3) => format!("{k} + @ + 2 * THREADS"),
            (false, _) => format!("THREADS * {k} + @"),
            (true, 0) => format!("n - {k} * THREADS + @"),
            (true, 1) => format!("n - 1 - @ - {k} * THREADS"),
            (true, 2) => format!("(N - {k}) * THREADS - THREADS + @"),
            (true, _) => format!("@ + (N - {k} - far) * THREADS"),
        };
        if together {
            first = first.replace(" - @", "").replace("@ + ", "").replace(" + @", "");
        }
        let kind = match back {
            true => self.random.pick(&["int", "long"]),
            false => self.random.pick(&["int", "int", "long", "unsigned", "size_t"]),
        };
        let end = k * 2;
        let (condition, step) = match back {
            true => {
                let step = self.random.pick(&["i -= THREADS", "i = i - THREADS"]);
                let bound = self.random.pick(&["i >= 3 * THREADS", "i > 4 * THREADS", "n / 3 < i"]);
                (bound.to_string(), step)
            }
            false => {
                let step = self.random.pick(&["i += THREADS", "i = i + THREADS", "i = THREADS + i"]);
                let bound = match self.random.below(4) {
                    0 => format!("i <= n - {end} * THREADS"),
                    1 => "i < (N - 5) * THREADS - far".into(),
                    2 => "n - 5 * THREADS > i".into(),
                    _ => "i < n - 4 * THREADS".into(),
                };
                (bound, step)
            }
        };
        (format!("{kind} i = 0;"), format!("for (i = {first}; {condition}; {step})"))
    }

    /// The functions `step` (shared) and `plain` (private) of number k, and the one that compares.
    fn step(&mut self, k: usize) -> String {
        self.target = (self.random.below(ARRAYS), self.random.below(7) as i32 - 3);
        let (variable, head) = self.head();
        let mut body = String::new();
        for _ in 0..1 + self.random.below(2) {
            let _ = writeln!(body, "        {}", self.statement());
        }
        let target = self.target.0;
        let mut text = String::new();
        for (prefix, name, me) in [("s", "step", "MYTHREAD"), ("p", "plain", "me")] {
            let mut pointers = String::new();
            for (a, (kind, layout, into)) in self.arrays.iter().enumerate() {
                let shared = if prefix == "s" { format!("shared{layout} ") } else { String::new() };
                let _ = write!(pointers, "    {shared}{kind} *{prefix}q{a} = {prefix}a{a} + {into};");
            }
            let function = format!(
                "static long {name}{k}(int me, int n) {{\n    int far = 1;\n    {variable}\n{pointers}\n    \
                 {head} {{\n{body}    }}\n    return (long)i;\n}}\n"
            );
            text += &function.replace('$', prefix).replace('@', me);
        }
        text + &format!(
            "static void test{k}(void) {{\n    int n = N * THREADS;\n    long last = step{k}(MYTHREAD, n);\n    \
             for (int me = 0; me < THREADS; me++) {{\n        long i = plain{k}(me, n);\n        \
             CHECK(me != MYTHREAD || i == last);\n    }}\n    upc_barrier;\n    \
             for (int i = 0; i < n; i++)\n        CHECK(sa{target}[i] == pa{target}[i]);\n    upc_barrier;\n}}\n"
        )
    }
}

/// A whole program.
pub fn program(seed: u64) -> String {
    let mut maker = Maker { random: Random::new(seed), arrays: Vec::new(), beside: "", target: (0, 0) };
    let (mut objects, mut fill) = (String::new(), String::new());
    for a in 0..ARRAYS {
        let (kind, layout) = (maker.random.pick(&TYPES), maker.random.pick(&LAYOUTS));
        let strict = maker.random.pick(&["", "", "", "", "strict "]);
        let _ = writeln!(
            objects,
            "{strict}shared{layout} {kind} sa{a}[N * THREADS];\nstatic {kind} pa{a}[N * MAX];"
        );
        let _ = writeln!(fill, "    for (int i = 0; i < N * THREADS; i++)\n        pa{a}[i] = i + {a};");
        let _ = writeln!(fill, "    upc_forall(int i = 0; i < N * THREADS; i++; i) sa{a}[i] = i + {a};");
        let layout = if layout == "[*]" { "[N]" } else { layout };
        maker.arrays.push((kind, layout, maker.random.pick(&[0, 0, 2])));
    }
    let steps: String = (0..8).map(|k| maker.step(k)).collect();
    let calls: String = (0..8).map(|k| format!("    test{k}();\n")).collect();
    format!(
        "// Made by tests/random/turns.rs, seed {seed}.\n#include <upc_relaxed.h>\n#include \"check.h\"\n#define N 27\n\
         #define MAX 8\n{objects}static double clip(double x) {{ return x >= 0 && x < 1000 ? x : 1; }}\n{steps}\n\
         int main(void) {{\n{fill}    upc_barrier;\n{calls}    return 0;\n}}\n"
    )
}
