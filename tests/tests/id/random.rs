//! Random well-typed programs: compiled in both ways of making threads and run on several processors, with
//! calls dealt out and in random orders, they print the same as the interpreter.
//!
//! A program is a few functions and a few expressions of random types. The programs are the same in each run,
//! except if PROPTEST_CASES sets another number of them.

use libtest_mimic::{Failed, Trial};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use std::fmt::Write;
use std::path::Path;

const CASES: u32 = 3;

pub fn trials() -> Vec<Trial> {
    vec![Trial::test("random/programs", random_programs)]
}

fn random_programs() -> Result<(), Failed> {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok());
    let cases = asked.unwrap_or(CASES);
    let config = Config { cases, max_shrink_iters: 20, failure_persistence: None, ..Config::default() };
    let mut runner = match asked {
        Some(_) => TestRunner::new(config),
        None => TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha)),
    };
    let work = super::temporary()?;
    let result = runner.run(&(0..u64::MAX, 1..5usize), |(seed, depth)| {
        let text = Program { seed: seed | 1, names: 0 }.text(depth);
        one(&text, work.path(), seed).map_err(|e| TestCaseError::fail(format!("{e:?}")))
    });
    match result {
        Ok(()) => Ok(()),
        Err(TestError::Fail(why, (seed, depth))) => {
            let text = Program { seed: seed | 1, names: 0 }.text(depth);
            Err(format!("seed {seed}, depth {depth}: {why}\n{text}").into())
        }
        Err(e) => Err(format!("{e}").into()),
    }
}

fn one(text: &str, work: &Path, seed: u64) -> Result<(), Failed> {
    let file = work.join("random.id");
    std::fs::write(&file, text)?;
    let (source, user_from, _) = id::include::assemble(std::slice::from_ref(&file))?;
    let (program, said) = id::check(&source, user_from);
    let Some(program) = program else { return Err(base::render(&said, &source, false).into()) };
    let (out, end) = id::interp::run(&program, b"", &[], seed, 20_000_000);
    match end {
        id::interp::End::Done => {}
        // Loops within loops within functions: there are enough other programs.
        id::interp::End::TooLong => return Ok(()),
        end => return Err(format!("the interpreter: {end:?}").into()),
    }
    let wanted = super::Directives { out: String::from_utf8(out)?, ..Default::default() };
    for how in super::WAYS {
        let to = work.join("program");
        let made = super::compile(std::slice::from_ref(&file), &to, how)?;
        if made.status != 0 {
            return Err(super::shown("compiling", &made));
        }
        for (processors, deal, order) in [(1, "0", 0), (1, "0", seed), (3, "1", seed), (4, "0", seed)] {
            super::check(&to, &wanted, &super::Job { processors, hosts: 1, deal, order }, how)?;
        }
    }
    Ok(())
}

/// The names in scope, by type.
#[derive(Clone, Default)]
struct Scope {
    ints: Vec<String>,
    floats: Vec<String>,
    lists: Vec<String>,
    /// Functions from an int, a float and a list to an int; and to a list.
    to_int: Vec<String>,
    to_list: Vec<String>,
    /// `grow` and `walk`; not in these themselves, which would not end.
    trees: bool,
}

struct Program {
    seed: u64,
    names: usize,
}

impl Program {
    fn below(&mut self, n: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 11) as usize % n
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn pick(&mut self, of: &[String]) -> Option<String> {
        if of.is_empty() { None } else { Some(of[self.below(of.len())].clone()) }
    }

    fn text(mut self, depth: usize) -> String {
        let mut scope = Scope { trees: true, ..Scope::default() };
        let mut out = String::new();
        self.tree(depth.min(2), &mut out);
        for n in 0..3 {
            let mut inner = scope.clone();
            inner.ints.push("a".into());
            inner.floats.push("b".into());
            inner.lists.push("c".into());
            let _ = match n % 2 {
                0 => {
                    scope.to_int.push(format!("f{n}"));
                    writeln!(out, "def f{n} a b c = {};", self.int(depth, &inner))
                }
                _ => {
                    scope.to_list.push(format!("f{n}"));
                    writeln!(out, "def f{n} a b c = {};", self.list(depth, &inner))
                }
            };
            let _ = writeln!(
                out,
                "typeof f{n} = int -> float -> (list int) -> {};",
                ["int", "(list int)"][n % 2]
            );
        }
        for _ in 0..3 {
            let (a, b, c) = (self.int(depth, &scope), self.float(depth, &scope), self.list(depth, &scope));
            let _ = writeln!(out, "{a}, {b}, {c}, {};", self.test(depth, &scope));
        }
        out
    }

    /// A recursive type, and recursive functions that make its values and take them apart.
    fn tree(&mut self, depth: usize, out: &mut String) {
        let of = |names: &[&str]| Scope {
            ints: names.iter().map(|name| (*name).to_owned()).collect(),
            ..Scope::default()
        };
        let _ = writeln!(out, "type tree = Tip | Leaf int | Fork int tree tree;");
        let make = of(&["n", "a"]);
        let [test, leaf, key, left, right] = [
            self.test(depth, &make),
            self.int(depth, &make),
            self.int(depth, &make),
            self.int(depth, &make),
            self.int(depth, &make),
        ];
        let _ = writeln!(
            out,
            "def grow n a = if n <= 0 then (if {test} then Tip else Leaf {leaf})\n  \
             else Fork {key} (grow (n - 1) {left}) (grow (n - 2) {right});"
        );
        let [tip, leaf, first, second, all] = [
            self.int(depth, &of(&["a"])),
            self.int(depth, &of(&["a", "k"])),
            self.int(depth, &of(&["a", "k"])),
            self.int(depth, &of(&["a", "k", "x"])),
            self.int(depth, &of(&["a", "k", "x", "y"])),
        ];
        let _ = writeln!(
            out,
            "def walk Tip a = {tip} | walk (Leaf k) a = {leaf}\n  \
             | walk (Fork k l r) a = {{ y = walk r {second}; x = walk l {first}; In {all} }};"
        );
    }

    /// Arrays that are defined by each other.
    fn each_other(&mut self, depth: usize, scope: &Scope) -> String {
        let (a, b, i, n) = (self.name(), self.name(), self.name(), 2 + self.below(6));
        let mut inner = scope.clone();
        inner.ints.extend([i.clone(), format!("{a}[{i}-1]"), format!("{b}[{i}-1]")]);
        let (first, second, of_b) = (self.int(depth, scope), self.int(depth, scope), self.int(depth, &inner));
        inner.ints.push(format!("{b}[{i}]"));
        let (of_a, begin) = (self.int(depth, &inner), 1 + self.below(2));
        let one = if begin == 2 { format!(" | [1] = {second}") } else { String::new() };
        let mut arrays = [
            format!("{a} = {{array (0,{n}) | [0] = {first} | [{i}] = {of_a} || {i} <- 1 to {n}}}"),
            format!(
                "{b} = {{array (0,{n}) | [0] = {second}{one} | [{i}] = {of_b} || {i} <- {begin} to {n}}}"
            ),
        ];
        if self.below(2) == 0 {
            arrays.reverse();
        }
        format!("{{ {}; In {a}[{n}] - {b}[{}] }}", arrays.join("; "), self.below(n))
    }

    fn leaf(&mut self, scope: &Scope) -> String {
        match self.pick(&scope.ints) {
            Some(name) if self.below(3) > 0 => name,
            _ => self.below(10).to_string(),
        }
    }

    fn int(&mut self, depth: usize, scope: &Scope) -> String {
        if depth == 0 {
            return self.leaf(scope);
        }
        let d = depth - 1;
        match self.below(19) {
            0 => format!("({} + {})", self.int(d, scope), self.int(d, scope)),
            1 => format!("({} - {})", self.int(d, scope), self.int(d, scope)),
            2 => format!("({} * {})", self.int(d, scope), self.int(d, scope)),
            3 => format!("(mod {} 7)", self.int(d, scope)),
            4 => format!("(quotient {} 3)", self.int(d, scope)),
            5 => format!(
                "(if {} then {} else {})",
                self.test(d, scope),
                self.int(d, scope),
                self.int(d, scope)
            ),
            6 => format!("(length {})", self.list(d, scope)),
            7 => format!("(foldl_list (+) {} {})", self.int(d, scope), self.list(d, scope)),
            8 => match self.pick(&scope.to_int) {
                Some(f) => {
                    format!("({f} {} {} {})", self.int(d, scope), self.float(d, scope), self.list(d, scope))
                }
                None => self.leaf(scope),
            },
            9 => self.block(d, scope),
            10 => self.sum(d, scope),
            11 => self.array(d, scope),
            12 => self.matched(d, scope),
            13 => self.pairs(d, scope),
            14 | 15 => self.grid(d, scope),
            16 if scope.trees => {
                format!("(walk (grow {} {}) {})", self.below(5), self.int(d, scope), self.int(d, scope))
            }
            17 => self.each_other(d, scope),
            _ => self.stores(d, scope),
        }
    }

    /// Bindings, each of which may use earlier ones, written in any order.
    fn block(&mut self, depth: usize, scope: &Scope) -> String {
        let mut inner = scope.clone();
        let mut bindings = Vec::new();
        for _ in 0..1 + self.below(2) {
            let (name, value) = (self.name(), self.int(depth, &inner));
            bindings.push(format!("{name} = {value}"));
            inner.ints.push(name);
        }
        let (x, y) = (self.name(), self.name());
        bindings.push(format!("{x}, {y} = {}, {}", self.int(depth, &inner), self.float(depth, &inner)));
        inner.ints.push(x);
        inner.floats.push(y);
        let result = self.int(depth, &inner);
        if self.below(2) == 0 {
            bindings.reverse();
        }
        format!("{{ {}; In {result} }}", bindings.join("; "))
    }

    fn sum(&mut self, depth: usize, scope: &Scope) -> String {
        let (i, s) = (self.name(), self.name());
        let first = self.int(depth, scope);
        let mut inner = scope.clone();
        inner.ints.extend([i.clone(), s.clone()]);
        let (next, passes) = (self.int(depth, &inner), self.below(4));
        let bound = if self.below(3) == 0 { format!(" bound {}", 1 + self.below(3)) } else { String::new() };
        format!(
            "{{ {s} = {first} In {{for {i} <- 1 to {passes}{bound} do next {s} = {next}; finally {s}}} }}"
        )
    }

    /// An array whose elements use earlier ones.
    fn array(&mut self, depth: usize, scope: &Scope) -> String {
        let (a, i) = (self.name(), self.name());
        let first = self.int(depth, scope);
        let mut inner = scope.clone();
        inner.ints.extend([i.clone(), format!("{a}[{i}-1]")]);
        let (element, last) = (self.int(depth, &inner), self.below(4));
        let at = self.below(last + 1);
        format!(
            "{{ {a} = {{array (0,{last}) | [0] = {first} | [{i}] = {element} || {i} <- 1 to {last}}} In {a}[{at}] }}"
        )
    }

    /// A recursive function that takes and returns pairs.
    fn pairs(&mut self, depth: usize, scope: &Scope) -> String {
        let (f, n, x, y) = (self.name(), self.name(), self.name(), self.name());
        let (a, b) = (self.name(), self.name());
        let mut inner = scope.clone();
        inner.ints.extend([n.clone(), x.clone(), y.clone()]);
        let (next, last, first) = (self.int(depth, &inner), self.int(depth, &inner), self.int(depth, scope));
        let times = self.below(4);
        format!(
            "{{ def {f} {n} ({x},{y}) = if {n} == 0 then ({x},{last}) else {f} ({n} - 1) ({next},{x}); \
             {a}, {b} = {f} {times} ({first},{times}) In {a} - {b} }}"
        )
    }

    /// A matrix and another array. A loop reads elements of the matrix at indices that follow from its own,
    /// and some of the array, which is stored into in the other direction and may be empty.
    fn grid(&mut self, depth: usize, scope: &Scope) -> String {
        let (m, i, j, s) = (self.name(), self.name(), self.name(), self.name());
        let (a, k) = (self.name(), self.name());
        let mut inner = scope.clone();
        inner.ints.extend([i.clone(), j.clone()]);
        let (element, last) = (self.int(depth, &inner), 1 + self.below(9));
        let (by, way) = if self.below(2) == 0 {
            ("", format!("0 to {last}"))
        } else {
            (" - 1", format!("{last} downto 1"))
        };
        format!(
            "{{ {a} = {{array (0,{last}) | [{last}] = {last} | [{i}] = {a}[{i}+1] + {m}[{i},{i}] || {i} <- 0 to {last}-1}}; \
             {m} = {{matrix (0,{last}),(0,{last}) | [{i},{j}] = {element} || {i} <- 0 to {last} & {j} <- 0 to {last}}}; \
             {s} = 0 In {{for {k} <- {way} do next {s} = {s} + {m}[{k}{by},{last}-{k}] * {a}[{k}]; finally {s}}} }}"
        )
    }

    fn matched(&mut self, depth: usize, scope: &Scope) -> String {
        let (head, tail) = (self.name(), self.name());
        let (tested, empty) = (self.list(depth, scope), self.int(depth, scope));
        let mut inner = scope.clone();
        inner.ints.push(head.clone());
        inner.lists.push(tail.clone());
        format!("{{case {tested} of Nil = {empty} | {head}:{tail} = {}}}", self.int(depth, &inner))
    }

    /// An I-array that is read before it is stored into, and an M-array whose element is changed in any
    /// order.
    fn stores(&mut self, depth: usize, scope: &Scope) -> String {
        let (a, m, i, r) = (self.name(), self.name(), self.name(), self.name());
        let mut inner = scope.clone();
        inner.ints.push(i.clone());
        let (element, change) = (self.int(depth, &inner), self.int(depth, &inner));
        format!(
            "{{ {a} = 1d_I_array (1,3); {r} = {a}[1] + {a}[3]; {{for {i} <- 1 to 3 do {a}[{i}] = {element}}}; \
             {m} = {{1d_M_array (0,0) | [0] = {r}}}; {{for {i} <- 1 to 3 do {m}![0] = {m}![0] + {change}}}; \
             --- In {m}!![0] }}"
        )
    }

    fn float(&mut self, depth: usize, scope: &Scope) -> String {
        if depth == 0 {
            return match self.pick(&scope.floats) {
                Some(name) if self.below(2) == 0 => name,
                _ => format!("{}.{}", self.below(10), self.below(10)),
            };
        }
        let d = depth - 1;
        match self.below(7) {
            0 => format!("({} + {})", self.float(d, scope), self.float(d, scope)),
            1 => format!("({} - {})", self.float(d, scope), self.int(d, scope)),
            2 => format!("({} * {})", self.float(d, scope), self.float(d, scope)),
            3 => format!("({} / 8)", self.int(d, scope)),
            4 => format!("(sqrt (abs {}))", self.float(d, scope)),
            5 => format!("(max {} {})", self.float(d, scope), self.float(d, scope)),
            _ => format!(
                "(if {} then {} else {})",
                self.test(d, scope),
                self.float(d, scope),
                self.float(d, scope)
            ),
        }
    }

    fn test(&mut self, depth: usize, scope: &Scope) -> String {
        let d = depth.saturating_sub(1);
        match self.below(if depth == 0 { 2 } else { 6 }) {
            0 => format!("({} < {})", self.int(d, scope), self.int(d, scope)),
            1 => format!("({} == {})", self.int(d, scope), self.int(d, scope)),
            2 => format!("({} <= {})", self.float(d, scope), self.float(d, scope)),
            3 => format!("({} == {})", self.list(d, scope), self.list(d, scope)),
            4 => format!("({} and {})", self.test(d, scope), self.test(d, scope)),
            _ => format!("({} or (not {}))", self.test(d, scope), self.test(d, scope)),
        }
    }

    fn list(&mut self, depth: usize, scope: &Scope) -> String {
        if depth == 0 {
            return match self.pick(&scope.lists) {
                Some(name) => name,
                None => "Nil".into(),
            };
        }
        let d = depth - 1;
        let i = self.name();
        let mut inner = scope.clone();
        inner.ints.push(i.clone());
        match self.below(8) {
            0 | 1 => format!("({} : {})", self.int(d, scope), self.list(d, scope)),
            2 => {
                let (last, value, test) = (self.below(4), self.int(d, &inner), self.test(d, &inner));
                format!("{{: {value} || {i} <- 0 to {last} when {test}}}")
            }
            3 => format!("(map_list {{fun {i} = {}}} {})", self.int(d, &inner), self.list(d, scope)),
            4 => format!("(reverse {})", self.list(d, scope)),
            5 => format!("({} ++ {})", self.list(d, scope), self.list(d, scope)),
            6 => match self.pick(&scope.to_list) {
                Some(f) => {
                    format!("({f} {} {} {})", self.int(d, scope), self.float(d, scope), self.list(d, scope))
                }
                None => format!("(take 2 {})", self.list(d, scope)),
            },
            _ => format!(
                "(if {} then {} else {})",
                self.test(d, scope),
                self.list(d, scope),
                self.list(d, scope)
            ),
        }
    }
}
