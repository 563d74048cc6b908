//! Layouts and constants against the C compiler's: random structs and constant expressions are checked here,
//! and the results are given to gcc as static assertions. Both must agree, because compiled code relies on
//! the constants that the checks compute from `sizeof`.

mod support;

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};
use support::{Checked, run};

/// A generator of numbers that is the same on every machine (an LCG by Knuth).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len() as u64) as usize]
    }
}

/// Runs the C compiler over a text that must compile.
fn ask_the_c_compiler(text: &str) {
    let mut child = Command::new("gcc")
        .args(["-x", "c", "-w", "-fwrapv", "-fsyntax-only", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("gcc is needed to build and test Meridian");
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "gcc disagrees:\n{}",
        errors.lines().take(30).collect::<Vec<_>>().join("\n")
    );
}

fn accepted(text: &str) -> Checked {
    let checked = run(text, None);
    assert_eq!(checked.messages(), "", "{text}");
    checked
}

// ---- structs -------------------------------------------------------------------------------------------

const TYPES: &[&str] = &[
    "char",
    "short",
    "int",
    "long",
    "long long",
    "float",
    "double",
    "long double",
    "_Bool",
    "unsigned char",
    "unsigned",
    "char *",
    "__int128",
    "_Complex float",
    "_Complex double",
    "enum e",
];

const BITS: &[(&str, u64)] = &[
    ("char", 8),
    ("short", 16),
    ("int", 32),
    ("long", 64),
    ("unsigned", 32),
    ("unsigned long long", 64),
    ("_Bool", 1),
    ("enum e", 32),
];

struct Structs {
    dice: Dice,
    members: u32,
}

impl Structs {
    fn attribute(&mut self) -> &'static str {
        match self.dice.roll(12) {
            0 => " __attribute__((packed))",
            1 => " __attribute__((aligned(2)))",
            2 => " __attribute__((aligned(16)))",
            _ => "",
        }
    }

    /// Returns the members of a struct, and adds the paths of addressable members to `paths`.
    fn body(&mut self, depth: u32, prefix: &str, paths: &mut Vec<String>) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.dice.roll(6) {
            self.members += 1;
            let name = format!("m{}", self.members);
            match self.dice.roll(10) {
                0..3 => {
                    let (ty, most) = BITS[self.dice.roll(BITS.len() as u64) as usize];
                    let width = 1 + self.dice.roll(most);
                    match self.dice.roll(8) {
                        0 => write!(text, "{ty} : 0; "),
                        1 => write!(text, "{ty} : {width}; "),
                        _ => write!(text, "{ty} {name} : {width}; "),
                    }
                    .unwrap();
                }
                3 if depth < 2 => {
                    let keyword = self.dice.pick(&["struct", "union"]);
                    let inner = self.body(depth + 1, prefix, paths);
                    write!(text, "{keyword} {{ {inner} }}; ").unwrap();
                }
                4 if depth < 2 => {
                    let keyword = self.dice.pick(&["struct", "union"]);
                    paths.push(format!("{prefix}{name}"));
                    let inner = self.body(depth + 1, &format!("{prefix}{name}."), paths);
                    let attribute = self.attribute();
                    write!(text, "{keyword} {{ {inner} }} {name}{attribute}; ").unwrap();
                }
                5 => {
                    let (ty, n) = (self.dice.pick(TYPES), 1 + self.dice.roll(5));
                    paths.push(format!("{prefix}{name}"));
                    write!(text, "{ty} {name}[{n}]; ").unwrap();
                }
                _ => {
                    let (ty, attribute) = (self.dice.pick(TYPES), self.attribute());
                    paths.push(format!("{prefix}{name}"));
                    write!(text, "{ty} {name}{attribute}; ").unwrap();
                }
            }
        }
        text
    }
}

#[test]
fn layouts_are_the_c_compiler_s() {
    let mut structs = Structs { dice: Dice(42), members: 0 };
    let mut text = String::from("enum e { Z };\n");
    let mut questions = Vec::new();
    for i in 0..300 {
        let mut paths = Vec::new();
        let keyword = structs.dice.pick(&["struct", "struct", "union"]);
        let body = structs.body(0, "", &mut paths);
        let attribute = structs.attribute();
        writeln!(text, "{keyword} s{i} {{ {body} }}{attribute};").unwrap();
        questions.push(format!("sizeof({keyword} s{i})"));
        questions.push(format!("_Alignof({keyword} s{i})"));
        questions.extend(paths.iter().map(|p| format!("__builtin_offsetof({keyword} s{i}, {p})")));
    }
    answer(&text, &questions);
}

/// Lets the checks compute the integer constant of each question, and gcc confirm it.
fn answer(head: &str, questions: &[String]) {
    let mut text = head.to_owned();
    for (i, q) in questions.iter().enumerate() {
        writeln!(text, "__typeof__({q}) *q{i};").unwrap();
    }
    let checked = accepted(&text);
    let mut asked = head.to_owned();
    let mut answers = 0;
    let first = head.len() as u32;
    let mut by_text = std::collections::HashMap::new();
    for e in checked.unit.exprs.ids() {
        let span = checked.unit.exprs[e].span;
        if span.lo >= first {
            by_text.insert(checked.source.slice(span), e);
        }
    }
    for q in questions {
        let Some(value) = checked.typed.constant(by_text[&**q]) else { continue };
        let ty = checked.typed.types.show(checked.typed.ty(by_text[&**q]));
        answers += 1;
        // C has no literals of 128 bits.
        let literal = match (i64::try_from(value), u64::try_from(value)) {
            (Ok(n), _) if n > i64::MIN => format!("{n}ll"),
            (_, Ok(n)) => format!("{n}ull"),
            _ => continue,
        };
        writeln!(asked, "_Static_assert(({q}) == ({ty})({literal}), \"{value}\");").unwrap();
        writeln!(asked, "_Static_assert(__builtin_types_compatible_p(__typeof__({q}), {ty}), \"{ty}\");")
            .unwrap();
    }
    assert!(answers * 10 >= questions.len() * 9, "{answers} answers to {} questions", questions.len());
    ask_the_c_compiler(&asked);
}

// ---- expressions ---------------------------------------------------------------------------------------

const LITERALS: &[&str] = &[
    "1",
    "2u",
    "3l",
    "4ul",
    "5ll",
    "6ull",
    "0x7ff",
    "0xffffffff",
    "(-1)",
    "(char)200",
    "(unsigned char)200",
    "(short)-3",
    "(unsigned short)65535",
    "2147483648",
    "sizeof(int)",
    "'a'",
    "'\\xff'",
    "(_Bool)5",
    "0",
    "(int)3.9",
    "E",
    "10000000000",
    "(__int128)7",
    "sizeof(long[3])",
    "_Alignof(double)",
    "(signed char)-5",
    "L'x'",
    "(unsigned)-2",
    "010",
    "0b101",
];

fn expression(dice: &mut Dice, depth: u32) -> String {
    if depth == 0 || dice.roll(7) == 0 {
        return dice.pick(LITERALS).into();
    }
    let sub = |dice: &mut Dice| expression(dice, depth - 1);
    match dice.roll(10) {
        0..5 => {
            let op = dice.pick(&["+", "-", "*", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "&", "|", "^"]);
            format!("({} {op} {})", sub(dice), sub(dice))
        }
        // Shifts and divisions only if C defines them.
        5 => {
            let op = dice.pick(&["<<", ">>"]);
            format!("((unsigned long)({}) {op} (int)((unsigned)({}) & 7))", sub(dice), sub(dice))
        }
        6 => {
            let op = dice.pick(&["/", "%"]);
            format!("((unsigned)({}) {op} ((unsigned short)({}) | 1))", sub(dice), sub(dice))
        }
        7 => {
            let op = dice.pick(&["!", "-", "+", "~"]);
            format!("({op}{})", sub(dice))
        }
        8 => format!("({} ? {} : {})", sub(dice), sub(dice), sub(dice)),
        _ => {
            let ty = dice.pick(&[
                "int",
                "unsigned",
                "char",
                "unsigned char",
                "long",
                "short",
                "_Bool",
                "unsigned long",
            ]);
            format!("(({ty})({}))", sub(dice))
        }
    }
}

#[test]
fn constants_are_the_c_compiler_s() {
    let mut dice = Dice(7);
    let questions: Vec<String> = (0..1500).map(|_| format!("({})", expression(&mut dice, 4))).collect();
    answer("enum { E = 11 };\n", &questions);
}
