//! Random upc_forall loops that compute rows of one array from rows of others near them, in two and three
//! dimensions, each also on private arrays in which every thread does all iterations. Rows at the borders of
//! a thread's blocks are read from other threads: the optimiser chooses the rows to request in advance and
//! the order of the rows.

use crate::Random;
use std::fmt::Write;

const TYPES: [&str; 3] = ["int", "long", "double"];
const BLOCKS: [&str; 5] = ["[W]", "[W]", "[2 * W]", "[R * W]", "[R * W]"];
const OBJECTS: usize = 4;
const STEPS: usize = 6;

struct Maker {
    random: Random,
    target: usize,
    deep: bool,
}

impl Maker {
    /// Element of object m, some rows from the own one; `$`: s or p.
    fn element(&mut self, m: usize, row: &str) -> String {
        let column = self.random.pick(&["j", "j", "j - 1", "j + 1", "C - 1 - j", "3"]);
        let plane = self.random.pick(&["k", "k", "k - 1", "k + 1", "0"]);
        let plane = if self.deep { plane } else { "(j & 1)" };
        format!("$o{m}[{row}][{plane}][{column}]")
    }

    fn value(&mut self) -> String {
        let m = self.random.below(OBJECTS);
        let row = match m == self.target {
            true => "i",
            false => self.random.pick(&["i - 2", "i - 1", "i - 1", "i", "i + 1", "i + 1", "i + 2"]),
        };
        self.element(m, row)
    }

    fn statement(&mut self) -> String {
        let target = format!("$o{}[i][{}][j]", self.target, if self.deep { "k" } else { "1" });
        let (x, y) = (self.value(), self.value());
        match self.random.below(6) {
            0 => format!("{target} = ({x} > {y} ? {x} : {y});"),
            1 => format!("if ({x} > 20) {target} = {y}; else {target} = i;"),
            2 => format!("{target} += ({x} > 50 ? 1 : 2);"),
            3 => format!("{{ int near = {x} > {y}; {target} = near ? {y} : j; }}"),
            4 => format!("if ({x} == 7) continue;\n            {target} = {y};"),
            _ => format!("{target} = {x};"),
        }
    }

    /// Loop number t, shared and private, and the comparison.
    fn step(&mut self, t: usize) -> String {
        self.target = self.random.below(OBJECTS);
        self.deep = self.random.below(2) == 0;
        let target = self.target;
        let clauses =
            self.random.pick(&["i = 2; i < n - 2; i++", "i = 2; i <= n - 3; i++", "i = 3; i < n - 4; i++"]);
        let columns =
            self.random.pick(&["j = 1; j < C - 1; j++", "j = C - 2; j > 0; j--", "j = 1; j < i; j++"]);
        let columns = if columns.contains("j < i") { "j = 1; j < C - 1 && j < i; j++" } else { columns };
        let planes = if self.deep { "for (k = 1; k < P - 1; k++)\n        " } else { "" };
        let outer = self.random.below(2) == 0;
        let kept = self.random.below(4) == 0;
        let mut body: String =
            (0..1 + self.random.below(2)).map(|_| format!("            {}\n", self.statement())).collect();
        if kept {
            let _ = writeln!(body, "            last = i + j;");
        }
        let (before, inside) = match outer {
            true => ("int i, j = 0, k = 0; long last = 0;", ""),
            false => ("int i; long last = 0;", "int "),
        };
        let planes = planes.replace("k = 1", &format!("{inside}k = 1"));
        let columns = columns.replacen("j = ", &format!("{inside}j = "), 1);
        let mut text = String::new();
        for (prefix, head, fourth) in
            [("s", "upc_forall", format!("; &$o{target}[i][0][0]")), ("p", "for", String::new())]
        {
            let own = if prefix == "p" && kept { "if (!OWN) continue;\n        " } else { "" };
            let own = own.replace("OWN", &format!("(upc_threadof(&so{target}[i][0][0]) == MYTHREAD)"));
            let result = if outer && !kept { "last" } else { "last * (long)sizeof i" };
            let function = format!(
                "static long {prefix}step{t}(int n) {{\n    {before}\n    {head} ({clauses}{fourth}) {{\n        \
                 {own}{planes}for ({columns}) {{\n{body}        }}\n    }}\n    return {result};\n}}\n"
            );
            text += &function.replace('$', prefix);
        }
        // Results of own iterations alone are compared by their last value.
        let all = format!("compare{target}();\n    upc_barrier;");
        let copied = format!("upc_barrier;\n    take{target}();\n    upc_barrier;");
        text + &format!(
            "static void test{t}(void) {{\n    long x = sstep{t}(R * THREADS);\n    upc_barrier;\n    \
             CHECK(x == pstep{t}(R * THREADS));\n    {}\n}}\n",
            if kept { copied } else { all }
        )
    }
}

/// A whole program.
pub fn program(seed: u64) -> String {
    let mut maker = Maker { random: Random::new(seed), target: 0, deep: false };
    let columns = maker.random.pick(&["5", "16", "33", "150"]);
    let rows = maker.random.pick(&["4", "6"]);
    let (mut objects, mut fill) = (String::new(), String::new());
    for m in 0..OBJECTS {
        let (kind, block) = (maker.random.pick(&TYPES), maker.random.pick(&BLOCKS));
        let each = |what: &str| {
            format!(
                "    for (int i = 0; i < R * THREADS; i++)\n        for (int k = 0; k < P; k++)\n            \
                 for (int j = 0; j < C; j++)\n                {what};\n"
            )
        };
        let _ = write!(
            objects,
            "shared{block} {kind} so{m}[R * THREADS][P][C];\nstatic {kind} po{m}[R * MAX][P][C];\n\
             static void compare{m}(void) {{\n{}}}\nstatic void take{m}(void) {{\n{}}}\n",
            each(&format!("CHECK(so{m}[i][k][j] == po{m}[i][k][j])")),
            each(&format!("po{m}[i][k][j] = so{m}[i][k][j]"))
        );
        fill += &each(&format!(
            "{{ po{m}[i][k][j] = (i * 31 + k * 7 + j * 13 + {m}) % 97; if (i % THREADS == MYTHREAD) \
             so{m}[i][k][j] = po{m}[i][k][j]; }}"
        ));
    }
    let steps: String = (0..STEPS).map(|t| maker.step(t)).collect();
    let calls: String = (0..STEPS).map(|t| format!("    test{t}();\n")).collect();
    format!(
        "// Made by tests/random/stencils.rs, seed {seed}.\n#include <upc_relaxed.h>\n#include \"check.h\"\n#define R {rows}\n\
         #define P 4\n#define C {columns}\n#define W (P * C)\n#define MAX 8\n{objects}{steps}\nint main(void) {{\n{fill}    \
         upc_barrier;\n{calls}    return 0;\n}}\n"
    )
}
