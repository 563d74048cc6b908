//! The programs that the passes before the C functions produce, pass by pass. All other tests check that
//! their results are unchanged: `gives` runs both.

use super::{gives, source};
use crate::core::binds::each;
use crate::core::calls::reachable;
use crate::core::language::*;

/// Returns an optimised program.
fn optimised(text: &str) -> Program {
    let (source, from) = source(text);
    let (program, said) = crate::check(&source, from);
    let program = program.unwrap_or_else(|| panic!("{}", base::render(&said, &source, false)));
    crate::passes::optimise(&program, true)
}

/// The number of operations of a kind in the functions that can run, including those of the library, which
/// prints.
fn count(program: &Program, is: impl Fn(FuncId, &Op) -> bool) -> usize {
    let runs = reachable(program);
    let mut found = 0;
    for (f, func) in program.funcs.iter().enumerate().filter(|f| runs[f.0]) {
        each(&func.body, &mut |bind| found += usize::from(is(f, &bind.op)));
    }
    found
}

fn exists(program: &Program, name: &str) -> bool {
    let runs = reachable(program);
    program.funcs.iter().enumerate().any(|(n, f)| runs[n] && f.name == name)
}

#[test]
fn small_functions_become_part_of_their_callers() {
    let text = "def small x = x * x + 1; def once a b c = a * b + c * a - b;
        def deep n = if n == 0 then 0 else 1 + deep (n - 1);
        small argc + small 3 + once argc 2 3 + deep argc;";
    let p = optimised(text);
    assert!(!exists(&p, "small") && !exists(&p, "once"), "inlined");
    assert!(exists(&p, "deep"), "what comes back to itself stays");
    gives(text, "9");
    // Arguments and results may need each other.
    gives("def both x = (x + 1, 5); { a, b = both b In a };", "6");
    gives("def first x y = x; { a = first 7 (a + 1) In a };", "7");
}

#[test]
fn functions_get_and_give_fields_in_place_of_cells() {
    let text = "def turn n (x,y) = if n == 0 then (x,y) else turn (n - 1) (y, x + 1);
        { a, b = turn (argc + 4) (1,2) In a * 10 + b };";
    let p = optimised(text);
    let cells =
        |f: FuncId, op: &Op| p.funcs[f].name == "turn" && matches!(op, Op::Make { .. } | Op::Field { .. });
    assert_eq!(count(&p, cells), 0, "no tuple is made or taken apart");
    gives(text, "34");
    // A tuple that is used as such stays a tuple.
    gives("def keep n t = if n == 0 then t else keep (n - 1) t; keep 3 (1,2);", "(1,2)");
    gives(
        "def pair n = if n == 0 then (0,Nil) else { s, l = pair (n - 1) In (s + n, n:l) }; pair 3;",
        "(6,3:2:1:Nil)",
    );
    // A part may come from another part that needs it.
    gives("def f x = (x * 2, 21); { a, b = f b In a };", "42");
    gives("def g n = if n > 3 then (n, n) else g (n + 1); { a, _ = g 0 In a };", "4");
}

#[test]
fn short_loops_stand_one_pass_behind_the_other() {
    let text = "def sum4 a = { s = 0 In {for i <- 0 to 3 do next s = s + a[i]; finally s} };
        sum4 {array (0,3) | [i] = i * i + argc || i <- 0 to 3};";
    let p = optimised(text);
    let loops =
        |f: FuncId, op: &Op| p.funcs[f].name == "loop" && matches!(op, Op::Call { func, .. } if *func == f);
    assert_eq!(count(&p, loops), 0, "no loop is left");
    gives(text, "14");
    gives("{ s = 0 In {for i <- 5 downto 1 by 2 do next s = 10 * s + i; finally s} };", "531");
    gives("{ s = 7 In {for i <- 3 to 2 do next s = 0; finally s} };", "7");
    // The stores of such loops are known at the reads of the elements, and nobody needs the array.
    let text = "def block f = {matrix (0,1),(0,1) | [i,j] = f i j || i <- 0 to 1 & j <- 0 to 1};
        def total b = { s = 0 In {for i <- 0 to 1 do next s = {for j <- 0 to 1 do next s = s + b[i,j]; finally s};
          finally s} };
        total (block {fun i j = 10 * i + j + argc});";
    let p = optimised(text);
    assert_eq!(count(&p, |_, op| matches!(op, Op::Alloc { .. } | Op::Fetch { .. })), 0, "no array is made");
    gives(text, "22");
}

#[test]
fn small_arrays_of_a_loop() {
    let gives = |next: &str, wanted: &str| {
        let text = format!(
            "def pair a b = {{array (1,2) | [1] = a | [2] = b}};
             {{ s = pair argc 1; t = pair 0 0; l = Nil In
               {{for i <- 1 to argc + 5 do {next} finally (s[1] + s[2]) : t[1] : l}} }};"
        );
        gives(&text, wanted);
    };
    gives("next s = pair s[2] (s[1] + s[2]);", "13:0:Nil");
    gives("next s = pair s[2] i; next t = pair s[1] t[1];", "9:3:Nil");
    gives("next s = pair s[2] i; next t = s;", "9:3:Nil");
    gives("next s = pair s[2] i; next l = s[1] : l;", "9:0:3:2:1:1:0:Nil");
    let held = "next s = pair s[2] i; next l = (if i == 2 then {fun x = s[x]} 2 else 0) : l;";
    gives(held, "9:0:0:0:0:1:0:Nil");
}

#[test]
fn reads_at_fixed_places() {
    let reads = |body: &str, arg: &str, wanted: &str| {
        let again = "if n == 0 then 0 else reads a (n - 1) + ";
        gives(&format!("def reads a n = {again}{body}; reads ({arg}) (argc + 2);"), wanted);
    };
    let array = "{array (0,9) | [i] = i + argc || i <- 0 to 9}";
    reads("a[1] + a[2] + a[3] * a[4] + a[2]", array, "34");
    reads("a[1] + a[2] + a[3] * a[5]", array, "36");
    reads("a[1] + a[2] + a[3]", array, "12");
    let matrix = "{matrix (0,3),(0,3) | [i,j] = i + 2 * j + argc || i <- 0 to 3 & j <- 0 to 3}";
    reads("a[1,1] + a[2,1] + a[1,2] * a[2,2] + a[3,3]", matrix, "92");
    reads("a[1,1] + a[2,1] + a[1,2] * a[2,2]", matrix, "74");
}

#[test]
fn loops_that_need_each_others_elements_are_one() {
    let loops = |p: &Program| {
        count(p, |f, op| p.funcs[f].name == "range" && matches!(op, Op::Call { func, .. } if *func == f))
    };
    let text = "{ n = argc + 9;
          a = {array (0,n) | [0] = 0 | [i] = b[i] + 1 || i <- 1 to n};
          b = {array (1,n) | [i] = a[i-1] * 2 || i <- 1 to n};
        In a[n] };";
    let p = optimised(text);
    assert_eq!(loops(&p), 1, "one loop is left");
    let reads = |f: FuncId, op: &Op| p.funcs[f].name == "range" && matches!(op, Op::Fetch { .. });
    assert_eq!(count(&p, reads), 1, "what is stored at the same index is known");
    gives(text, "511");
    // One loop begins later, and has its part under a test.
    let text = "{ n = argc + 9;
          a = {array (1,n) | [i] = if i < 3 then i else b[i] + b[i-1] || i <- 1 to n};
          b = {array (2,n) | [i] = a[i-1] + 1 || i <- 2 to n};
        In a[n] };";
    assert_eq!(loops(&optimised(text)), 1, "one loop is left");
    gives(text, "121");
    // Loops of other bounds, and loops that do not depend on each other, stay.
    let text = "{ n = argc + 9;
          a = {array (0,n) | [0] = 0 | [i] = b[i] + 1 || i <- 1 to n};
          b = {array (1,n) | [n] = a[n-1] | [i] = a[i-1] * 2 || i <- 1 to n - 1};
          c = {array (1,n) | [i] = i || i <- 1 to n};
        In a[n] + c[n] };";
    assert_eq!(loops(&optimised(text)), 3, "they stay");
    gives(text, "265");
}

#[test]
fn arrays_that_memory_may_not_hold_stay() {
    let p = optimised("{ a = array (1,100000000000); a[1] = argc In a[1] };");
    assert!(count(&p, |_, op| matches!(op, Op::Alloc { .. })) > 0);
}

#[test]
fn stores_that_may_fail_stay() {
    // The output before the failure depends on the order.
    let ends = |text: &str| {
        let (source, from) = source(text);
        let program = crate::check(&source, from).0.expect("it is a program");
        let end = |p: &Program| crate::interp::run(p, b"", &[], 5, 100_000).1;
        let (first, second) = (end(&program), end(&crate::passes::optimise(&program, true)));
        assert_eq!(first, second, "{text}");
        first
    };
    for text in [
        "{ a = array (0,1); a[0] = 1; a[0] = 2 In 5 };",
        "{ a = array (0,1); a[2] = 1 In 5 };",
        "{ a = array (0,1); {for i <- 0 to 2 do a[i] = i} In a[0] };",
    ] {
        assert!(matches!(ends(text), super::End::Error(_)), "{text}");
    }
    assert_eq!(ends("{ a = array (0,1); a[0] = a[1] In a[0] };"), super::End::Deadlock);
    assert_eq!(ends("{ a = array (0,1); a[0] = a[0] + 1 In a[0] };"), super::End::Deadlock);
}

#[test]
fn what_is_read_twice_is_read_once() {
    let text = "def f a i = a[i] * a[i] + a[i-1] * (if i > 1 then a[i-1] else a[i]);
        def g a n = { s = 0 In {for i <- 2 to n do next s = s + f a i; finally s} };
        g {array (1,argc+6) | [i] = i || i <- 1 to argc+6} (argc+6);";
    let p = optimised(text);
    let reads = |f: FuncId, op: &Op| p.funcs[f].name == "loop" && matches!(op, Op::Fetch { .. });
    assert_eq!(count(&p, reads), 2, "an element and the one before");
    gives(text, "145");
}

#[test]
fn parameters_that_are_always_the_same_number_go() {
    let p = optimised(
        "def go n step s = if n <= 0 then s else go (n - step) step (s + step); go (argc + 9) 3 0;",
    );
    let (_, go) =
        p.funcs.iter().enumerate().find(|(n, f)| reachable(&p)[*n] && f.name == "go").expect("it runs");
    assert_eq!(go.params.len(), 2);
    gives("def go n step s = if n <= 0 then s else go (n - step) step (s + step); go (argc + 9) 3 0;", "9");
}

#[test]
fn stores_come_behind_reads_of_other_arrays() {
    let span = base::Span::default();
    let bind = |dst: Vec<Var>, op| Bind { dst, op, span };
    let fetch = |array, dst| {
        bind(vec![dst], Op::Fetch { array: Atom::Var(array), index: vec![Atom::Int(0)], mode: Mode::I })
    };
    let store = |array, value| {
        let (array, value) = (Atom::Var(array), Atom::Var(value));
        bind(vec![], Op::Store { array, index: vec![Atom::Int(0)], value, mode: Mode::I })
    };
    let call = bind(vec![], Op::Call { func: 0, args: vec![], join: false });
    let kinds = |binds: Vec<Bind>| -> String {
        let (binds, ready) = crate::core::order::ordered(&Block { binds, results: vec![] });
        assert_eq!(ready, binds.len());
        let kind = |b: &Bind| match &b.op {
            Op::Store { .. } => 's',
            Op::Fetch { .. } => 'f',
            _ => 'c',
        };
        binds.iter().map(kind).collect()
    };
    // Variables 0 and 1 are arrays, 2 is a number.
    assert_eq!(kinds(vec![store(0, 2), fetch(1, 3), fetch(1, 4), store(0, 3)]), "ffss");
    assert_eq!(kinds(vec![store(0, 2), fetch(0, 3)]), "sf", "the same array");
    assert_eq!(kinds(vec![store(0, 2), call, fetch(1, 3)]), "scf", "a call may need what is stored");
}

#[test]
fn a_function_that_begins_again_with_a_cell_of_its_own() {
    gives(
        "type queue = Q (list int) (list int);
         def pop (Q (x:f) b) = x, Q f b | pop (Q Nil b) = pop (Q (reverse b) Nil);
         def first q = fst (pop q); first (Q Nil (1:2:Nil));",
        "2",
    );
}

/// Counts, in the functions that fill cells, the calls of functions of their name that are not last in the
/// order of their C function; a last call is a loop.
fn not_last(p: &Program, name: &str) -> usize {
    fn in_block(p: &Program, name: &str, block: &Block) -> usize {
        let (binds, _) = crate::core::order::ordered(block);
        let inner = binds.iter().map(|bind| match &bind.op {
            Op::If { then, other, .. } => in_block(p, name, then) + in_block(p, name, other),
            _ => 0,
        });
        let own = |bind: &Bind| matches!(bind.op, Op::Call { func, .. } if p.funcs[func].name == name);
        inner.sum::<usize>() + binds.iter().rev().skip(1).filter(|bind| own(bind)).count()
    }
    let runs = reachable(p);
    let fills = |n: usize| runs[n] && p.funcs[n].name == name && p.funcs[n].results == 0;
    assert!((0..p.funcs.len()).any(fills), "nothing of `{name}` fills cells");
    (0..p.funcs.len()).filter(|n| fills(*n)).map(|n| in_block(p, name, &p.funcs[n].body)).sum()
}

#[test]
fn calls_within_a_cell_become_loops() {
    // Calls of the functions of a name among each other, with a result that an operation uses.
    let between = |p: &Program, name: &str| {
        let runs = reachable(p);
        let mut found = 0;
        for (_, f) in p.funcs.iter().enumerate().filter(|(n, f)| runs[*n] && f.name == name) {
            let mut operands = Vec::new();
            each(&f.body, &mut |bind| operands.extend(bind.op.atoms()));
            each(&f.body, &mut |bind| {
                let own = matches!(bind.op, Op::Call { func, .. } if p.funcs[func].name == name);
                found += usize::from(own && bind.dst.iter().any(|v| operands.contains(&Atom::Var(*v))));
            });
        }
        found
    };
    let text = "def down n = if n == 0 then Nil else n : down (n - 1); down (argc + 4);";
    assert_eq!(between(&optimised(text), "down"), 0, "no call's result is in a cell");
    assert_eq!(not_last(&optimised(text), "down"), 0, "the cell is stored before the call");
    gives(text, "4:3:2:1:Nil");
    // The call of a filter is made in both arms, if nothing else is known.
    let text = "def odds Nil = Nil | odds (x:xs) = { r = odds xs In if odd? x then x : r else r };
        odds (1:2:3:4:5:Nil);";
    assert_eq!(between(&optimised(text), "odds"), 0, "the arms call");
    assert_eq!(not_last(&optimised(text), "odds"), 0, "the arms call last");
    gives(text, "1:3:5:Nil");
    // The test may wait for a call that stores.
    gives(
        "def keep a i = if i > 3 then Nil
           else { a[i] = i; r = keep a (i + 1); t = a[if i == 3 then 1 else i + 1] In if t > 1 then t : r else r };
         { a = 1d_I_array (1,3) In keep a 1 };",
        "2:3:Nil",
    );
    // Fields other than the last, and cells of several kinds.
    gives(
        "type snoc = None | Snoc snoc int; def up n = if n == 0 then None else Snoc (up (n - 1)) n; up (argc + 3);",
        "Snoc (Snoc (Snoc None 1) 2) 3",
    );
    gives(
        "type mix = End | A int mix | B mix int;
         def mix n = if n == 0 then End else if odd? n then A n (mix (n - 1)) else B (mix (n - 1)) n; mix (argc + 4);",
        "B (A 3 (B (A 1 End) 2)) 4",
    );
    // Two calls in a cell: one is a loop.
    gives(
        "type t = L | N t int t; def full d = if d == 0 then L else N (full (d - 1)) d (full (d - 1)); full (argc + 2);",
        "N (N L 1 L) 2 (N L 1 L)",
    );
    // A result that is used otherwise too; and a cell within itself.
    gives(
        "def twice n = if n == 0 then Nil else { r = twice (n - 1) In (length r) : r }; twice 3;",
        "2:1:0:Nil",
    );
    gives(
        "def take n (x:xs) = if n == 0 then Nil else x : take (n - 1) xs; { c = 1:2:c In take 3 c };",
        "1:2:1:Nil",
    );
}

#[test]
fn arrays_say_whether_they_hold_references() {
    let numbers = |text: &str| {
        let (source, from) = source(text);
        let (program, _) = crate::check(&source, from);
        let program = program.expect("the program has no errors");
        let (mut with, mut all) = (0, 0);
        for func in &program.funcs {
            each(&func.body, &mut |bind| {
                if let Op::Alloc { numbers, .. } = bind.op {
                    all += 1;
                    with += usize::from(numbers);
                }
            });
        }
        (with, all)
    };
    assert_eq!(numbers("{array (1,2) | [i] = 1.0 * i || i <- 1 to 2};"), (1, 1));
    assert_eq!(numbers("{array (1,2) | [i] = i:Nil || i <- 1 to 2};"), (0, 1));
    assert_eq!(numbers("type c = R | G; {array (1,1) | [1] = R};"), (1, 1));
    assert_eq!(numbers("type c = R | G int; {array (1,1) | [1] = R};"), (0, 1));
    assert_eq!(numbers("type float = R | G int; {array (1,1) | [1] = R};"), (0, 1));
    assert_eq!(numbers("{ a = 2d_I_array ((1,2),(1,2)); a[1,1] = True In a[1,1] };"), (1, 1));
    // One array for each type with which a function is used.
    let text = "def one x = {array (1,1) | [1] = x}; (one 1, one (2,3));";
    assert_eq!(numbers(text), (1, 2));
}
