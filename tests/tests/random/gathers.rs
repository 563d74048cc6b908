//! Random loops that read and write by pointers which may lead to the same arrays, at offsets that may make
//! an iteration read what an earlier one has written, or compute its addresses from it; and such loops inside
//! others. In some programs the elements are structs, which are also copied whole. Functions, which the loops
//! call, do some of the accesses. One thread runs each loop on shared arrays, and on private ones; then it
//! compares all elements.
//!
//! The programs also run with the memory of other threads remote, since only remote reads are prefetched.

use crate::Random;
use std::fmt::Write;

const LAYOUTS: [&str; 5] = ["", "[2]", "[5]", "[]", "[N]"];
/// Pointers of a loop: the first are shared, the others private.
const SHARED: usize = 3;
const POINTERS: [char; 5] = ['a', 'b', 'c', 'u', 'v'];

/// The members between the numbers of an element that is a struct.
const BETWEEN: [&str; 6] = ["", "char x;", "double x[3];", "char x[45];", "char x[110];", "int x[90];"];

/// Functions over elements `E` of arrays of one kind, which `F` stands for.
const FUNCTIONS: &str = "
static unsigned F_at(const E *a, unsigned i) { return a[i % N]; }
static inline void F_add(E *a, int i, unsigned b) {
    if (b % 3 == 1)
        return;
    a[i] = a[i] + b;
}
static unsigned F_walk(E *a, E *b, unsigned w, int most) {
    if (w % 5 == 4)
        return w + most;
    for (int n = 0; n < most; n++) {
        unsigned c = b[w] % N;
        if (a[c] % 4 == 1)
            return c;
        w = c;
    }
    if (a[w] & 1) {
        w++;
        return w;
    }
    return b[w];
}
static unsigned F_two(E *a, unsigned i) { return F_at(a, i + 1) ^ F_walk(a, a, i % N, 2); }
";

struct Maker {
    random: Random,
    /// Elements are structs.
    records: bool,
    /// The counter of the loop for which a statement is made.
    at: &'static str,
}

impl Maker {
    fn offset(&mut self) -> i32 {
        self.random.pick(&[0, 0, 0, 1, -1, 2, 5, -7])
    }

    /// An element of one of the first `pointers` pointers.
    fn element(&mut self, pointers: usize, depth: usize) -> String {
        let (pointer, at) = (POINTERS[self.random.below(pointers)], self.at);
        let index = match self.random.below(5) {
            0 | 1 if depth > 0 => format!("{} % N", self.element(POINTERS.len(), depth - 1)),
            2 => format!("({at} * 7 + {}) % N", self.random.below(9)),
            _ => format!("{at} + ({})", self.offset()),
        };
        format!("{pointer}[{index}]")
    }

    fn value(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.random.below(6) {
                0 => self.at.into(),
                1 => self.element(POINTERS.len(), 2),
                _ => self.element(SHARED, 2),
            };
        }
        let (x, y) = (self.value(depth - 1), self.value(depth - 1));
        match self.random.below(5) {
            0 => format!("({x} & 1 ? {y} : {x})"),
            1 => format!("({x} ^ {y})"),
            _ => format!("({x} + {y})"),
        }
    }

    /// A statement with whole elements; `@` distinguishes them from their members.
    fn whole(&mut self) -> String {
        let [from, to] = [0; 2].map(|_| self.element(POINTERS.len(), 1).replacen('[', "@[", 1));
        match self.random.below(4) {
            0 => format!("{{ struct cell t = {from}; sum = sum * 3 + t.n + t.m; }}"),
            1 => format!("{{ struct cell t = {from}; t.n = (t.n + {}) % N; {to} = t; }}", self.at),
            2 => format!("{{ struct cell t; t = {from}; if (t.n & 1) {to} = t; sum ^= t.m; }}"),
            _ => format!("{to} = {from};"),
        }
    }

    /// A statement that calls functions of one kind.
    fn call(&mut self) -> String {
        let kind = if self.random.below(3) == 0 { "o" } else { "f" };
        let of = if kind == "f" { &POINTERS[..SHARED] } else { &POINTERS[SHARED..] };
        let (p, q, at) = (self.random.pick(of), self.random.pick(of), self.at);
        let (x, most) = (self.value(0), self.random.below(6));
        match self.random.below(7) {
            0 => format!("sum = sum * 3 + {kind}_at({p}, {at});"),
            1 => format!("{kind}_add({p}, {at}, {x});"),
            2 => format!("{{ unsigned y = {kind}_walk({p}, {q}, {x} % N, {most}); sum ^= y; }}"),
            3 => format!("if ({kind}_at({p}, {x}) > {kind}_walk({q}, {p}, {at}, {most})) sum++;"),
            4 => format!("sum += {kind}_two({p}, {at} * 3);"),
            5 => format!("{} = {kind}_at({p}, {kind}_at({q}, {x}));", self.element(POINTERS.len(), 0)),
            _ => format!("sum = sum * 5 + ({at} & 1 ? {kind}_at({p}, 3) : {kind}_two({q}, {x}));"),
        }
    }

    fn statement(&mut self) -> String {
        if self.random.below(6) == 0 {
            return self.call();
        }
        if self.records && self.random.below(3) == 0 {
            return self.whole();
        }
        let target = self.element(POINTERS.len(), 1);
        let depth = self.random.below(2);
        let value = self.value(depth);
        match self.random.below(8) {
            0 => format!("sum = sum * 3 + {value};"),
            1 => format!("if ({value} & 1) {target} = {};", self.value(0)),
            2 => format!("{target} += {value};"),
            3 => format!("{{ unsigned t = {value}; {target} = t / 2; }}"),
            4 => format!("{target}++;"),
            5 => format!("if ({} % 11 == 3) continue;\n        {target} = {value};", self.at),
            6 => format!("for (int j = 0; j < 2; j++) {target} += j;"),
            _ => format!("{target} = {value};"),
        }
    }

    /// Steps of a pointer within an iteration: of an indefinite or a private one.
    fn walk(&mut self, indefinite: bool) -> String {
        let pointers = if indefinite { &POINTERS[..] } else { &POINTERS[SHARED..] };
        let p = self.random.pick(pointers);
        let by = self.random.below(3);
        match self.random.below(6) {
            0 => format!("sum = sum * 3 + *{p}++; {p}--;"),
            1 => format!("{p} += {by}; sum ^= {p}[2]; *{p} = sum % N; {p} -= {by};"),
            2 => format!("*{p}++ = i; sum += {p}[-1]; {p}--;"),
            3 => format!("{p}++; if (sum & 1) {{ {p}--; continue; }} sum += *{p}; {p}--;"),
            4 => format!("++{p}, sum += {p}[-1 + {by}], --{p};"),
            _ => format!("sum = sum * 5 + {p}[1]; {p} += 1; *{p} ^= sum & 1; --{p};"),
        }
    }

    /// An inner loop, with few iterations or none, with a number read from memory or more.
    fn nest(&mut self) -> String {
        let head = self.random.pick(&[
            "int k = i; k < i + 4 && k < N - 8; k++",
            "int k = 8 + i % 40; k < 8 + i % 40 + v[i] % 5; k++",
            "unsigned k = 8 + i * 3 % 40, end = 0; k < 9 + i * 3 % 40 + u[i + 1] % 3; k += 1",
            "long k = i; k > i - (long)(v[i] & 7) && k > 8; k--",
            "int k = 8; k < 8 + i % 30; k += 2",
            "int k = 9 + i % 2; k < a[i] % 16; k++",
            "int k = 8 + i % 90; k < 8 + (int)(b[i] % 600); k += 20",
        ]);
        self.at = "k";
        let mut body = String::new();
        for _ in 0..1 + self.random.below(2) {
            let _ = write!(body, " {}", self.statement());
        }
        self.at = "i";
        format!("for ({head}) {{{body} }}")
    }

    /// A search in a graph: a row whose bounds are read from memory, columns, and conditional reads and
    /// writes there.
    fn graph(&mut self) -> String {
        let (first, count) = (self.element(POINTERS.len(), 1), self.element(POINTERS.len(), 0));
        let test = match self.random.below(5) {
            0 => format!("if ({} & 1) ", self.value(0)),
            1 => format!("if (i % 3 && {} % 5 > 1) ", self.element(SHARED, 1)),
            2 => format!("if ({} % 7 > 2 || sum & 4) ", self.element(SHARED, 0)),
            _ => String::new(),
        };
        self.at = "k";
        let column = self.element(SHARED, 1);
        let [p, q, r] = [0; 3].map(|_| POINTERS[self.random.below(SHARED)]);
        let inner = match self.random.below(7) {
            0 => format!("if ({p}[w] % 3 == 1) {q}[w] = i; else sum = sum * 3 + {r}[w];"),
            1 => format!("if ({p}[w] % 5 < 3) {{ {q}[w] = k; sum++; }} sum = sum * 3 + {r}[{p}[w] % N];"),
            2 => format!("if (w & 1) continue; sum = sum * 5 + {p}[w]; {}", self.statement()),
            3 => format!("sum += w > i && {p}[w] & 1 ? {r}[w] : {q}[k];"),
            4 => format!("u[w] = {p}[w]; if ({q}[w] > 9) sum ^= {q}[w];"),
            5 => format!("if ({p}[w] < sum % N) {p}[w] = sum % N; sum = sum * 3 + {r}[w];"),
            _ => format!("v[w] = i; if (u[w] & 1) {{ unsigned x = {p}[w] % N; sum += {q}[x]; {r}[x]++; }}"),
        };
        self.at = "i";
        let head = match self.random.below(2) {
            0 => format!(
                "unsigned t = 8 + {first} % 600, e = t + {count} % 4; {test}for (unsigned k = t; k < e; k++)"
            ),
            _ => format!("{test}for (unsigned k = 8 + {first} % 600; k < 8 + {count} % 600; k += 200)"),
        };
        format!("{{ {head} {{ unsigned w = {column} % N; {inner} }} }}")
    }

    /// A loop that follows the values of elements, for a limited number of steps: chains and searches, with
    /// reads and writes on the way.
    fn chain(&mut self) -> String {
        let [p, q, r] = [0; 3].map(|_| POINTERS[self.random.below(SHARED)]);
        let o = POINTERS[self.random.below(POINTERS.len())];
        let (first, most) = (self.element(POINTERS.len(), 1), 1 + self.random.below(9));
        let on = self.random.pick(&["", " sum = sum * 3 + n;", " if (n & 1) continue; sum ^= w;"]);
        let write = match self.random.below(5) {
            0 => format!(" {o}[w] += n;"),
            1 => format!(" {o}[i] = w;"),
            2 => format!(" if (w & 2) {o}[w] = i;"),
            _ => String::new(),
        };
        let steps = match self.random.below(7) {
            0 => format!("while (n < {most} && {p}[w] % 5 != 2) {{ w = {q}[w] % N; n++;{on} }}{write}"),
            1 => format!("for (;;) {{ if ({p}[w] % 3 == 1 || ++n > {most}) break; w = {q}[w] % N;{write} }}"),
            2 => format!("do {{ w = ({p}[w] + n) % N;{on} }} while (++n < {most} && {q}[w] & 3);{write}"),
            3 => {
                format!("for (; w % 7 && n < {most}; w = {p}[{q}[w] % N] % N) {{ n++;{on} }} sum += {r}[w];")
            }
            4 => format!(
                "while (n++ < {most}) {{ unsigned x = {p}[w] % N; if ({q}[x] % 4 == 0) break; w = x; }}{write}"
            ),
            5 => format!(
                "while (n < {most}) {{ for (unsigned j = 0; j < {q}[w] % 4; j++) sum += {r}[w + j]; \
                 w = {p}[w] % N; n++; }}"
            ),
            _ => format!(
                "while (n++ < {most}) {{ while ({p}[w] % 3 == 0 && n++ < {most}) w = {r}[w] % N; \
                 w = {q}[w] % N;{write} }}"
            ),
        };
        format!("{{ unsigned w = {first} % N, n = 0; {steps} sum = sum * 5 + w + n; }}")
    }

    /// A search with one list, which grows while it is traversed: its head, and its body up to the rest of an
    /// iteration; the body ends in a brace.
    fn search(&mut self) -> (&'static str, String) {
        let head = self.random.pick(&[
            "while (m < n) { int i = list[m++];",
            "while (n > m) { int i; i = list[m]; m++;",
            "for (; m < n; m++) { int i = list[m];",
            "while (m < n) { int i = list[m]; if (i % 9 == 4) { m++; continue; } m++;",
        ]);
        let [p, q, r] = [0; 3].map(|_| POINTERS[self.random.below(SHARED)]);
        let o = POINTERS[self.random.below(POINTERS.len())];
        let written =
            self.random.pick(&["i", "@[i] + 1", "@[t] + 3", "@[k] / 2 + @[i]"]).replace('@', &q.to_string());
        let test = self.random.pick(&["@[t] % 3 == 1", "@[t] != 7 && t & 1", "(@[t] ^ @[i]) % 4 == 2"]);
        let test = test.replace('@', &p.to_string());
        let inner = match self.random.below(4) {
            0 => format!("if ({test} && n < 90) {{ {q}[t] = {written}; list[n++] = t; }}"),
            1 => format!("if ({test}) {{ {o}[t] = {written}; sum += {r}[k]; if (n < 80) list[n++] = t; }}"),
            2 => format!(
                "if ({test}) {{ {q}[t] = {written}; for (int j = 0; j < 2; j++) sum += {r}[t + j]; \
                 if (n < 70) list[n++] = t; }} else sum ^= {r}[t];"
            ),
            _ => format!("if (n >= 90 || !({test})) continue; {q}[t] = {written}; list[n++] = t;"),
        };
        let row = match self.random.below(2) {
            0 => String::from("for (int k = i; k < i + 4; k++)"),
            _ => {
                format!("for (int k = 8 + {r}[i] % 300; k < 8 + (int)({p}[i + 1] % 600) && k < 690; k += 60)")
            }
        };
        (head, format!("        {row} {{ int t = 8 + {p}[k] % 600; {inner} }}\n"))
    }

    fn head(&mut self) -> &'static str {
        self.random.pick(&[
            "int i = 8; i < N - 8; i++",
            "int i = 8; i < N - 8; i++",
            "unsigned i = 9; i <= N - 9; i += 2",
            "int i = N - 9; i > 8; i--",
            "long i = 8; i < N - 8; i += THREADS",
            "int i = 8; i < (int)(a[9] % (N - 8)); i++",
            "long i = N - 9; i > 8 + (long)(c[20] % 90); i--",
        ])
    }

    /// A loop in a function over shared objects and in one over private ones, and the calls of both.
    fn step(&mut self, k: usize, layout: &str) -> (String, String) {
        let (mut head, mut body) = (format!("for ({}) {{", self.head()), String::new());
        let searches = self.random.below(5) == 0;
        if searches {
            let (first, search) = self.search();
            (head, body) = (first.to_owned(), search);
        }
        for _ in 0..self.random.below(3) + usize::from(!searches) {
            let statement = match self.random.below(10) {
                0 if !self.records => self.walk(layout == "[]"),
                1 => self.nest(),
                2 | 3 => self.graph(),
                4 | 5 => self.chain(),
                _ => self.statement(),
            };
            let _ = writeln!(body, "        {statement}");
        }
        let ty = if self.records { "struct cell" } else { "unsigned" };
        if self.records {
            (head, body) = (members(&head), members(&body));
        }
        let mut text = String::new();
        for (name, qualifier) in [("step", format!("shared{layout} ")), ("plain", String::new())] {
            let list: Vec<String> = POINTERS
                .iter()
                .enumerate()
                .map(|(at, p)| format!("{}{ty} *{p}", if at < SHARED { &*qualifier } else { "" }))
                .collect();
            let list = list.join(", ");
            // The functions of shared elements; all private elements have the same ones.
            let body = if name == "step" { body.clone() } else { body.replace("f_", "o_") };
            let _ = write!(
                text,
                "static unsigned {name}{k}({list}) {{\n    unsigned sum = 0;\n    int list[100] = {{50}}, n = 1, m = 0;\n    \
                 {head}\n{body}    }}\n    return sum * 7 + n + m;\n}}\n"
            );
        }
        let mut arguments = [String::new(), String::new()];
        for at in 0..POINTERS.len() {
            let array = self.random.below(if at < SHARED { SHARED } else { 2 });
            let offset = self.random.pick(&[0, 0, 1, 3]);
            let kinds = if at < SHARED { ["s", "p"] } else { ["su", "pu"] };
            for (list, kind) in arguments.iter_mut().zip(kinds) {
                let _ = write!(list, "{}{kind}{array} + {offset}", if at == 0 { "" } else { ", " });
            }
        }
        let calls = format!("    run(step{k}({}), plain{k}({}));\n", arguments[0], arguments[1]);
        (text, calls)
    }
}

/// The text of a loop with `.n` after each element, unless `@` marks a whole element.
fn members(text: &str) -> String {
    let (mut out, mut open, mut before) = (String::new(), Vec::new(), ' ');
    for c in text.chars() {
        match c {
            '@' => {}
            '[' => {
                let name = out.chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_').count();
                open.push(before != '@' && name == 1);
                out.push(c);
            }
            ']' => out += if open.pop() == Some(true) { "].n" } else { "]" },
            _ => out.push(c),
        }
        before = c;
    }
    out
}

/// A whole program.
pub fn program(seed: u64) -> String {
    let mut maker = Maker { random: Random::new(seed), records: seed % 4 == 3, at: "i" };
    let layout = maker.random.pick(&LAYOUTS);
    let between = maker.random.pick(&BETWEEN);
    let (ty, same) = match maker.records {
        true => ("struct cell", "alike"),
        false => ("unsigned", "equal"),
    };
    let (mut objects, mut fill, mut check) = (String::new(), String::new(), String::new());
    let fill_as = |a: usize, by: usize, kinds: [&str; 2]| {
        let [s, p] = kinds;
        match maker.records {
            true => format!("        {p}{a}[i].n = i * {by} % N, {p}{a}[i].m = i, {s}{a}[i] = {p}{a}[i];\n"),
            false => format!("        {s}{a}[i] = {p}{a}[i] = i * {by} % N;\n"),
        }
    };
    for a in 0..SHARED {
        let size = if layout == "[]" { "N + 8" } else { "(N + 8) * THREADS" };
        let _ = writeln!(objects, "shared{layout} {ty} s{a}[{size}];\nstatic {ty} p{a}[N + 8];");
        fill += &fill_as(a, 2 * a + 3, ["s", "p"]);
        let _ = writeln!(check, "        CHECK({same}(s{a}[i], p{a}[i]));");
    }
    for a in 0..2 {
        let _ = writeln!(objects, "static {ty} su{a}[N + 8], pu{a}[N + 8];");
        fill += &fill_as(a, 2 * a + 5, ["su", "pu"]);
        let _ = writeln!(check, "        CHECK({same}(su{a}[i], pu{a}[i]));");
    }
    let functions = if maker.records { members(FUNCTIONS) } else { FUNCTIONS.to_owned() };
    let of = |kind: &str, elements: String| functions.replace('E', &elements).replace("F_", kind);
    let functions = of("f_", format!("shared{layout} {ty}")) + &of("o_", ty.to_owned());
    let (mut steps, mut calls) = (String::new(), String::new());
    for k in 0..8 {
        let (text, call) = maker.step(k, layout);
        steps += &text;
        calls += &call;
    }
    format!(
        "// Made by tests/random/gathers.rs, seed {seed}.\n#include <upc_relaxed.h>\n#include \"check.h\"\n\
         #define N 700\n\
         struct cell {{ unsigned n; {between} unsigned m; }};\n\
         static inline int alike(struct cell a, struct cell b) {{ return a.n == b.n && a.m == b.m; }}\n\
         static inline int equal(unsigned a, unsigned b) {{ return a == b; }}\n{objects}{functions}{steps}\nstatic void run(unsigned shared_sum, unsigned plain_sum) {{\n    \
         CHECK(shared_sum == plain_sum);\n    for (int i = 0; i < N + 8; i++) {{\n{check}    }}\n}}\n\n\
         int main(void) {{\n    upc_barrier;\n    if (MYTHREAD == THREADS - 1) {{\n        \
         for (int i = 0; i < N + 8; i++) {{\n{fill}        }}\n{calls}    }}\n    upc_barrier;\n    return 0;\n}}\n"
    )
}
