//! Random statements on shared objects of every type and layout, each also on private objects.
//!
//! A statement is made as a pair of texts that differ only in the objects they name, so that any difference
//! in the results is a fault in the translation of shared accesses. Each thread keeps to its own elements
//! (those whose number is congruent to MYTHREAD), wherever they lie. Arithmetic is unsigned or wraps
//! (-fwrapv), divisors are odd, shifts are short: nothing is undefined.

use crate::Random;
use std::fmt::Write;

/// Elements of each array that a thread has for itself.
const OWN: u32 = 4;

const TYPES: [&str; 9] = [
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "double",
];
const LAYOUTS: [&str; 5] = ["", "[1]", "[3]", "[*]", "[]"];

/// The same text twice: on shared and on private objects.
#[derive(Clone)]
struct Pair(String, String);

/// Replaces the `@`s of the form by the pairs' texts, in order.
fn form(form: &str, pairs: &[&Pair]) -> Pair {
    let fill = |side: fn(&Pair) -> &str| {
        let mut parts = form.split('@');
        let mut text = parts.next().unwrap_or_default().to_string();
        for (part, pair) in parts.zip(pairs) {
            text.push_str(side(pair));
            text.push_str(part);
        }
        text
    };
    Pair(fill(|pair| &pair.0), fill(|pair| &pair.1))
}

struct Maker {
    random: Random,
    /// The type of object i.
    types: Vec<&'static str>,
}

impl Maker {
    /// An index of one of this thread's own elements.
    fn index(&mut self, depth: usize) -> Pair {
        if depth == 0 || self.random.below(3) > 0 {
            let text = format!("MYTHREAD + {} * THREADS", self.random.below(OWN as usize));
            return Pair(text.clone(), text);
        }
        let inner = self.integer(depth - 1);
        form("MYTHREAD + (int)((unsigned)(@) & 3) * THREADS", &[&inner])
    }

    /// An object of floating or of integer type, reached in one of several ways.
    fn lvalue(&mut self, depth: usize, floating: bool) -> Pair {
        loop {
            let object = self.random.below(self.types.len());
            if (self.types[object] == "double") != floating {
                continue;
            }
            let way = self.random.pick(&[
                "@[@]",
                "(*(@ + (@)))",
                "(&@[0])[@]",
                "r@[@].m",
                "(r@ + (@))->m",
                "q@[(@) - MYTHREAD]",
            ]);
            let name = Pair(format!("s{object}"), format!("p{object}"));
            let number = Pair(format!("s{object}"), format!("p{object}"));
            let pointer = Pair(format!("s{object}"), format!("p{object}"));
            let index = self.index(depth);
            return match way.as_bytes()[0] {
                b'r' => form(way, &[&number, &index]),
                b'q' => form(way, &[&pointer, &index]),
                b'(' if way.starts_with("(r") => form(way, &[&number, &index]),
                _ => form(way, &[&name, &index]),
            };
        }
    }

    fn integer(&mut self, depth: usize) -> Pair {
        if depth == 0 {
            let text =
                self.random.pick(&["1", "7", "100", "i1", "j2", "MYTHREAD", "-3", "0x7fu"]).to_string();
            return if self.random.below(2) == 0 { self.lvalue(0, false) } else { Pair(text.clone(), text) };
        }
        let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
        match self.random.below(10) {
            0 => form("(@ / (@ | 1))", &[&a, &b]),
            1 => form("(@ << (@ & 7))", &[&a, &b]),
            2 => form("((@) ? (@) : (@))", &[&a, &b, &self.integer(depth - 1)]),
            3 => form("twice(@)", &[&a]),
            4 => form("(@, @)", &[&a, &b]),
            5 => {
                let operator = self.random.pick(&["<", ">=", "==", "!=", "&&", "||"]);
                form(&format!("(@ {operator} @)"), &[&a, &b])
            }
            6 => {
                let operator = self.random.pick(&["-", "~", "!", "(short)", "(unsigned char)", "(long)"]);
                form(&format!("({operator} @)"), &[&a])
            }
            7 => self.lvalue(depth - 1, false),
            _ => {
                let operator = self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                form(&format!("(@ {operator} @)"), &[&a, &b])
            }
        }
    }

    fn floating(&mut self, depth: usize) -> Pair {
        if depth == 0 {
            return self.lvalue(0, true);
        }
        let a = self.floating(depth - 1);
        match self.random.below(4) {
            0 => form("(@ + (short)@)", &[&a, &self.integer(depth - 1)]),
            1 => form("(@ * 0.5 - @)", &[&a, &self.floating(depth - 1)]),
            2 => form("(@ < @ ? @ : 1.25)", &[&a, &self.floating(depth - 1), &self.lvalue(depth, true)]),
            _ => form("(-@)", &[&a]),
        }
    }

    fn statement(&mut self, depth: usize) -> Pair {
        match self.random.below(if depth > 0 { 14 } else { 9 }) {
            0 | 1 => form("@ = @;", &[&self.lvalue(2, false), &self.integer(3)]),
            2 | 3 => {
                let operator = self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                form(&format!("@ {operator}= @;"), &[&self.lvalue(2, false), &self.integer(2)])
            }
            4 => form("@ = @;", &[&self.lvalue(1, true), &self.floating(2)]),
            5 => {
                let operator = self.random.pick(&["+", "-"]);
                form(&format!("@ {operator}= @ * 0.25;"), &[&self.lvalue(1, true), &self.floating(1)])
            }
            6 => {
                let step = self.random.pick(&["@++;", "--@;", "@--;", "++@;"]);
                form(step, &[&self.lvalue(2, false)])
            }
            7 => form("@ = @++;", &[&self.lvalue(0, true), &self.lvalue(1, false)]),
            // The left one's subscript reads nothing that the inner assignment may have written, or not yet.
            8 => form("@ = @ = @;", &[&self.lvalue(0, false), &self.lvalue(1, false), &self.integer(2)]),
            9 => form(
                "if (@) { @ @ } else @",
                &[&self.integer(2), &self.block(depth), &self.block(depth), &self.block(depth)],
            ),
            10 => form(
                &format!("for (i{depth} = 0; i{depth} < 3; i{depth}++) {{ @ @ }}"),
                &[&self.statement(0), &self.block(depth)],
            ),
            11 => form(
                &format!("j{depth} = 4; while (j{depth}-- > 0 && @) @"),
                &[&self.integer(1), &self.block(depth)],
            ),
            12 => form(
                "switch ((@) & 3) { case 0: @ case 2: @ break; default: @ }",
                &[&self.integer(2), &self.block(depth), &self.block(depth), &self.block(depth)],
            ),
            _ => form("do @ while (0);", &[&self.block(depth)]),
        }
    }

    /// A block in braces.
    fn block(&mut self, depth: usize) -> Pair {
        let (a, b) = (self.statement(depth - 1), self.statement(0));
        form("{ @ @ }", &[&a, &b])
    }
}

/// A whole program.
pub fn program(seed: u64) -> String {
    let mut maker = Maker { random: Random::new(seed), types: Vec::new() };
    let (mut objects, mut bindings, mut fill, mut check) =
        (String::new(), String::new(), String::new(), String::new());
    for i in 0..7 {
        let kind = if i == 0 {
            "double"
        } else if i == 1 {
            "int"
        } else {
            maker.random.pick(&TYPES)
        };
        let layout = maker.random.pick(&LAYOUTS);
        let qualifier = maker.random.pick(&["", "strict ", "relaxed "]);
        let length = if layout == "[]" { "N * MAX" } else { "N * THREADS" };
        maker.types.push(kind);
        let block = if layout == "[*]" { "[N]" } else { layout };
        let _ = write!(
            objects,
            "struct r{i} {{ char pad; {kind} m; }};\n{qualifier}shared{layout} {kind} s{i}[{length}];\n\
             static {kind} p{i}[N * MAX];\n{qualifier}shared{layout} struct r{i} rs{i}[{length}];\n\
             static struct r{i} rp{i}[N * MAX];\n"
        );
        let _ = writeln!(
            bindings,
            "    {qualifier}shared{block} {kind} *qs{i} = &s{i}[MYTHREAD];\n    {kind} *qp{i} = &p{i}[MYTHREAD];"
        );
        let _ = writeln!(fill, "        s{i}[k] = p{i}[k] = rs{i}[k].m = rp{i}[k].m = k * 3 + {i};");
        let _ = writeln!(check, "        CHECK(s{i}[k] == p{i}[k] && rs{i}[k].m == rp{i}[k].m);");
    }
    let mut steps = String::new();
    for _ in 0..14 {
        let Pair(shared, private) = maker.statement(2);
        let _ = writeln!(
            steps,
            "    i1 = i2 = j1 = j2 = 1;\n    {shared}\n    i1 = i2 = j1 = j2 = 1;\n    {private}\n    compare();"
        );
    }
    format!(
        "// Made by tests/random/values.rs, seed {seed}.\n#include \"check.h\"\n#define N {OWN}\n#define MAX 8\n{objects}\
         static int twice(int x) {{ return 2 * x; }}\nstatic void compare(void) {{\n    \
         for (int k = MYTHREAD; k < N * THREADS; k += THREADS) {{\n{check}    }}\n}}\n\nint main(void) {{\n    \
         int i1, i2, j1, j2;\n{bindings}    for (int k = MYTHREAD; k < N * THREADS; k += THREADS) {{\n{fill}    }}\n\
         {steps}    upc_barrier;\n    return 0;\n}}\n"
    )
}
