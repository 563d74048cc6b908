//! AC: which addresses of elements count as local without a cast, against the layout computed element by
//! element for 1 to 8 processors.

mod support;

use c_syntax::Language;
use std::fmt::Write;

/// Numbers from a seed, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

/// The variables of the generated function. `me`, `i` and `down` are MYPROC modulo PROCS at every use; the
/// others also have other values.
const VARIABLES: [&str; 8] = ["me", "i", "down", "after", "u", "both", "taken", "wide"];

/// A subscript.
#[derive(Clone, Debug)]
enum Sub {
    Number(i64),
    MyProc,
    Procs,
    Variable(usize),
    Sum(Box<Sub>, char, Box<Sub>),
    /// Converted to this type.
    Cast(&'static str, Box<Sub>),
}

/// The values of all names in one run.
struct Run {
    procs: i64,
    me: i64,
    variables: [i64; VARIABLES.len()],
}

impl Sub {
    fn random(r: &mut Random, depth: u32) -> Sub {
        if depth == 0 || r.below(3) == 0 {
            return match r.below(8) {
                0 => Sub::Number(r.below(20) as i64),
                1 | 2 => Sub::MyProc,
                3 => Sub::Procs,
                _ => Sub::Variable(r.below(VARIABLES.len() as u64) as usize),
            };
        }
        let mut part = |depth| Box::new(Sub::random(r, depth));
        match (part(depth - 1), part(depth - 1)) {
            (a, b) if r.below(2) == 0 => Sub::Sum(a, '+', b),
            (a, b) => match r.below(5) {
                0 | 1 => Sub::Sum(a, '-', b),
                2 => Sub::Sum(a, '*', b),
                3 => Sub::Sum(a, '%', Box::new(Sub::Procs)),
                _ => Sub::Cast(r.of(&["int", "long", "unsigned long", "unsigned", "short"]), a),
            },
        }
    }

    fn text(&self) -> String {
        match self {
            Sub::Number(n) => n.to_string(),
            Sub::MyProc => "MYPROC".into(),
            Sub::Procs => "PROCS".into(),
            Sub::Variable(v) => VARIABLES[*v].into(),
            Sub::Sum(a, op, b) => format!("({} {op} {})", a.text(), b.text()),
            Sub::Cast(ty, a) => format!("({ty}){}", a.text()),
        }
    }

    /// The value, as long as no part is converted to another number.
    fn value(&self, run: &Run) -> i64 {
        match self {
            Sub::Number(n) => *n,
            Sub::MyProc => run.me,
            Sub::Procs => run.procs,
            Sub::Variable(v) => run.variables[*v],
            Sub::Cast(_, a) => a.value(run),
            Sub::Sum(a, op, b) => match (a.value(run), op, b.value(run)) {
                (a, '+', b) => a + b,
                (a, '-', b) => a - b,
                (a, '%', b) => a % b,
                (a, _, b) => a * b,
            },
        }
    }

    /// Returns true if the subscript is a sum of MYPROC, PROCS, numbers and variables that follow MYPROC,
    /// with products by numbers or PROCS alone: then the compiler must know its value modulo PROCS.
    fn is_plain(&self) -> bool {
        match self {
            Sub::Number(_) | Sub::MyProc | Sub::Procs => true,
            Sub::Variable(v) => *v < 4,
            Sub::Cast(..) => false,
            Sub::Sum(a, '*', b) => {
                let number = |s: &Sub| matches!(s, Sub::Number(_) | Sub::Procs);
                (number(a) || number(b)) && a.is_plain() && b.is_plain()
            }
            Sub::Sum(_, '%', _) => false,
            Sub::Sum(a, _, b) => a.is_plain() && b.is_plain(),
        }
    }
}

/// The length of a dimension.
#[derive(Clone, Copy)]
struct Length {
    number: i64,
    procs: u32,
    more: i64,
}

impl Length {
    fn text(self) -> String {
        format!("{}{} + {}", self.number, " * PROCS".repeat(self.procs as usize), self.more)
    }

    fn value(self, procs: i64) -> i64 {
        self.number * procs.pow(self.procs) + self.more
    }
}

/// An array, and an access to it.
struct Case {
    lengths: Vec<Length>,
    subscripts: Vec<Sub>,
    /// A part of the element, which has a structure's type.
    member: &'static str,
}

impl Case {
    fn random(r: &mut Random) -> Case {
        let lengths: Vec<Length> = (0..1 + r.below(3))
            .map(|_| match r.below(4) {
                0 => Length { number: 1 + r.below(17) as i64, procs: 0, more: 0 },
                1 => Length { number: 1 + r.below(3) as i64, procs: 1, more: r.below(3) as i64 },
                _ => Length { number: 1 + r.below(3) as i64, procs: 1, more: 0 },
            })
            .collect();
        let depth = r.below(3) as u32;
        let mut subscripts: Vec<Sub> = lengths.iter().map(|_| Sub::random(r, depth)).collect();
        // Most arrays are used in the usual way.
        if r.below(2) == 0 {
            *subscripts.last_mut().unwrap() = if r.below(3) == 0 { Sub::MyProc } else { Sub::Variable(0) };
        }
        Case { lengths, subscripts, member: r.of(&["", "", ".v", ".w[MYPROC + 1]"]) }
    }

    fn declaration(&self, n: usize) -> String {
        let lengths: String = self.lengths.iter().map(|l| format!("[{}]", l.text())).collect();
        let ty = if self.member.is_empty() { "int" } else { "struct s" };
        format!("dist {ty} x{n}{lengths};\n")
    }

    fn access(&self, n: usize) -> String {
        let subscripts: String = self.subscripts.iter().map(|s| format!("[{}]", s.text())).collect();
        format!("int *p{n} = &x{n}{subscripts}{};\n", self.member)
    }

    /// The processor that owns the element: elements are numbered row by row.
    fn owner(&self, run: &Run) -> i64 {
        let mut number = 0i64;
        for (length, subscript) in self.lengths.iter().zip(&self.subscripts) {
            number = number * length.value(run.procs) + subscript.value(run);
        }
        number.rem_euclid(run.procs)
    }

    /// Returns true if the element is the processor's own in each of some runs with `procs` processors.
    fn is_own(&self, procs: i64, r: &mut Random) -> bool {
        (0..procs * 12).all(|n| {
            let me = n % procs;
            let turns = |r: &mut Random| procs * r.below(4) as i64;
            let mut any = || r.below(40) as i64 - 8;
            let (u, both, taken, wide) = (any(), any(), any(), any());
            let (i, down) = (me + turns(r), me - turns(r));
            self.owner(&Run { procs, me, variables: [me, i, down, me + 1, u, both, taken, wide] }) == me
        })
    }

    fn is_plain(&self) -> bool {
        self.subscripts.iter().all(Sub::is_plain)
    }
}

fn program(cases: &[Case]) -> String {
    let mut text = String::from("struct s { int v; int w[9]; };\nvoid take(int *p);\n");
    cases.iter().enumerate().for_each(|(n, case)| text += &case.declaration(n));
    text += "void f(int u) {\nint me = MYPROC, after = MYPROC + 1, both = MYPROC, taken = MYPROC, i, down;\n\
             short wide = MYPROC;\nboth = u; take(&taken); down = me; down -= PROCS;\n\
             for (i = MYPROC; i < 99; i += PROCS) {\n";
    cases.iter().enumerate().for_each(|(n, case)| text += &case.access(n));
    text + "}\n}\n"
}

#[test]
fn local_addresses_are_those_that_the_layout_says() {
    let mut r = Random(11);
    let (mut claimed, mut needed) = (0, 0);
    for round in 0..60u32 {
        let threads = (round % 9).checked_sub(1).map(|n| n + 1).filter(|&n| n > 0);
        let cases: Vec<Case> = (0..60).map(|_| Case::random(&mut r)).collect();
        let text = program(&cases);
        let checked = support::run_as(Language::Ac, &text, threads);
        let mut refused = vec![false; cases.len()];
        for d in &checked.diagnostics {
            let line = checked.source.line_span(checked.source.line_of(d.span.lo));
            let line = &text[line.range()];
            let number: Option<usize> =
                line.strip_prefix("int *p").and_then(|rest| rest.split(' ').next()?.parse().ok());
            match number {
                Some(n) if d.code.code() == "U0618" => refused[n] = true,
                _ if d.severity == base::Severity::Warning => {}
                _ => panic!("{}\n{text}", checked.messages()),
            }
        }
        for (n, case) in cases.iter().enumerate() {
            let all = match threads {
                Some(threads) => i64::from(threads)..=i64::from(threads),
                None => 1..=8,
            };
            let own = all.into_iter().all(|procs| case.is_own(procs, &mut r));
            let mut shown = case.declaration(n);
            let _ = write!(shown, "{}for {threads:?} processors", case.access(n));
            assert!(refused[n] || own, "taken for local, but lies elsewhere:\n{shown}");
            if own && case.is_plain() {
                needed += 1;
                assert!(!refused[n], "refused, but always local:\n{shown}");
            }
            claimed += usize::from(!refused[n]);
        }
    }
    assert!(claimed > 200 && needed > 100, "{claimed} taken for local, {needed} needed");
}

#[track_caller]
fn local(body: &str) {
    assert_eq!(said(body), "", "{body}");
}

#[track_caller]
fn elsewhere(body: &str) {
    let said = said(body);
    assert!(said.contains("error[U0618]") && said.lines().count() == 3, "{body}:\n{said}");
}

fn said(body: &str) -> String {
    let text = format!(
        "dist int x[8 * PROCS], m[10][PROCS], odd[PROCS][17];\nvoid take(int *p);\n\
         void f(int u, dist int *q, dist int given[8]) {{ {body} }}\n"
    );
    support::run_as(Language::Ac, &text, None).messages()
}

#[test]
fn a_variable_counts_if_all_that_is_assigned_agrees() {
    local("int me = MYPROC; int *p = &x[me];");
    local("int me; me = MYPROC; int *p = &x[me];");
    local("int me = MYPROC, you = me; int *p = &x[you];");
    local("int i, *p; for (i = MYPROC; i < 9; i += PROCS) p = &x[i];");
    local("int i, *p; for (i = MYPROC + 7 * PROCS; i >= 0; i -= PROCS) p = &x[i];");
    local("int i = MYPROC, *p; while (u) { p = &x[i]; i = i + u * PROCS; }");
    local("long i = MYPROC; int *p = &m[u][i % PROCS];");
    elsewhere("int me = MYPROC; me++; int *p = &x[me];");
    elsewhere("int me = MYPROC, *p; while (u) { p = &x[me]; me = u; }");
    elsewhere("int me = MYPROC, *p; while (u) { p = &x[me]; me += 1; }");
    elsewhere("int me = MYPROC; take(&me); int *p = &x[me];");
    elsewhere("volatile int me = MYPROC; int *p = &x[me];");
    elsewhere("static int me; me = MYPROC; int *p = &x[me];");
    elsewhere("unsigned i = MYPROC; int *p; for (; i < 9; i += PROCS) p = &x[i];");
    elsewhere("int me = MYPROC; __asm__(\"\" : \"+r\"(me)); int *p = &x[me];");
    elsewhere("int me = MYPROC; void g(void) { me = 0; } int *p = &x[me];");
    local("int me = MYPROC; void g(void) { int *p = &x[me]; }");
    elsewhere("int me = MYPROC; void g(void) { int *p = &x[me]; } me = u;");
}

#[test]
fn pointers_may_lead_anywhere() {
    elsewhere("int *p = &q[MYPROC];");
    elsewhere("int *p = &given[MYPROC];");
    elsewhere("int *p = x;");
    elsewhere("int (*p)[17] = &odd[MYPROC];");
    local("int *p = &MYPROC[x];");
    local("int *p = (&((m)[u][(MYPROC)]));");
}
