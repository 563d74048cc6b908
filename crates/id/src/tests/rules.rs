//! Rules of the language that hold for any order of the parts of the text.

use super::{errors, gives, source};

#[test]
fn next_in_all_arms() {
    gives(
        "{ s = 0 In {for i <- 1 to 3 do if i > 1 then {next s = s + 1} else {next s = s + 2}; finally s} };",
        "4",
    );
    // Several variables, a barrier, a chain of conditions, and the next value as an operand.
    gives(
        "{ a = 0; b = 1; log = Nil In
           {for i <- 1 to 6 do
              if mod i 3 == 0 then { next a = a + i; --- next b = b * 2 }
              else if odd? i then { next b = next a; next a = a + 100 }
              else { u, (next a) = i, a - 1; next b = b + u };
              next log = (a, b) : log;
            finally a, b, log} };",
        "(207,402,(201,201):(101,208):(102,204):(99,102):(100,100):(0,1):Nil)",
    );
    gives(
        "type step = Up int | Down | Stay;
         { s = 10 In
           {for x <- Up 5:Down:Stay:Up 2:Nil do
              {case x of Up n = { k = n * 2; next s = s + k } | Down = { next s = s - 1 } | Stay = { next s = s }};
            finally s} };",
        "23",
    );
    // Arms widen as in any conditional, and nested loops have their own variables.
    gives(
        "{ s = 0.5 In {for i <- 1 to 2 do if i == 1 then {next s = s * 2} else {next s = i}; finally s} };",
        "2.0",
    );
    gives(
        "{ s = 0 In {for i <- 1 to 3 do
             if odd? i then { t = 0; next s = s + {for j <- 1 to i do next t = t + j; finally t} }
             else { {next s = s} };
           finally s} };",
        "7",
    );
}

#[test]
fn next_in_one_arm_is_refused() {
    let said =
        errors("{ s = 0 In {for i <- 1 to 3 do if i > 1 then {next s = s + 1} else {t = i}; finally s} };");
    assert!(said.contains("`next s` stands in one arm alone"), "{said}");
    assert!(said.contains("`next s = s` keeps its value"), "{said}");
    let said = errors("{ s = 0 In {for i <- 1 to 3 do if i > 1 then {next s = s + 1}; finally s} };");
    assert!(said.contains("there is no `else`"), "{said}");
    let said = errors(
        "{ s = 0 In {for i <- 1 to 3 do if i > 1 then {next s = 1} else {next s = 2}; next s = 3; finally s} };",
    );
    assert!(said.contains("`next s` stands twice in one body"), "{said}");
}

#[test]
fn operations_of_accumulators_by_number() {
    let program = |op: &str| {
        format!(
            "{{ a, r = make_1d_accumulator (0,3) {{fun i = 0}} {op} 2; call 1d_accumulate a 1 5; \
             call 1d_accumulate a 1 6 In r[1] }};"
        )
    };
    gives(&program("1"), "11");
    gives(&format!("addop = 1; {}", program("addop")), "11");
    gives(&program("(+)"), "11");
    gives(
        "{ a, r = make_2d_accumulator ((0,1),(0,1)) {fun (i,j) = 0.5} 1 1; call 2d_accumulate a (1,0) 2 In r[1,0] };",
        "2.5",
    );
    let said = errors(&program("7"));
    assert!(said.contains("no operation of an accumulator has the number 7"), "{said}");
    assert!(said.contains("1 is addition"), "{said}");
}

/// The warnings of a program without errors.
fn warnings(text: &str) -> String {
    let (source, from) = source(text);
    let (program, said) = crate::check(&source, from);
    let shown = base::render(&said, &source, false);
    assert!(program.is_some(), "{shown}");
    shown
}

#[test]
fn clauses_that_are_never_chosen_and_constructors_without_one() {
    let types = "type t = A | B | C int t; type u = U int u | V;\n";
    for (text, wanted) in [
        ("def f A = 1 | f B = 2; f A;", "no clause of `f` fits `C _ _`"),
        ("def g 0 = 1 | g n = 2 | g 3 = 4; g 3;", "this clause of `g` is never chosen"),
        ("def f x Nil = 1 | f B (y:ys) = 2; f A Nil;", "no clause of `f` fits `A (_:_)`"),
        (
            "def f (C 1 A) = 1 | f (C 1 B) = 2 | f A = 3 | f B = 4; f A;",
            "no clause of `f` fits `C 1 (C _ _)`",
        ),
        (
            "def f (A,_) = 1 | f (_,B) = 2 | f (B,A) = 3 | f (C _ _,_) = 4; f (A,A);",
            "no clause of `f` fits `(B,C _ _)`",
        ),
        ("{case 1 < 2, A of True, A = 1 | False, _ = 2};", "no arm fits `(True,B)`"),
        ("{case 1:Nil of (x:xs) = x | Nil = 2 | (x:y:z) = 3};", "this arm is never chosen"),
        ("{ h = {fun (U 1 V) = 2 | fun _ = 3 | fun V = 1} In h V };", "this clause is never chosen"),
        ("{ def h V 1 = 1 | h V 2 = 2 In h V 1 };", "no clause of `h` fits `(U _ _) _`"),
        ("def f \"a\" = 1 | f _ = 2 | f \"b\" = 3; f \"a\";", "this clause of `f` is never chosen"),
    ] {
        let said = warnings(&format!("{types}{text}"));
        assert!(said.contains(wanted) && said.matches("warning[").count() == 1, "{text}\n{said}");
    }
    for text in [
        "def f A = 1 | f B = 2 | f (C _ _) = 3; f A;",
        "def f x when x < 0 = 1 | f x when x > 5 = 2 | f x = 3 ; f 1;",
        "def f A when 1 < 2 = 1 | f A = 2 | f B = 3 | f (C 1 _) = 1 | f (C _ _) = 2; f A;",
        "def fib 0 = 0 | fib 1 = 1 | fib n = fib (n - 1) + fib (n - 2); fib 5;",
        "def f 0 = 1 | f 1 = 2; f 0;",
        "def f () = 1; f ();",
        "def f 1.5 'a' = 1 | f _ 'b' = 2 | f 1.5 _ = 3 | f 2.5 _ = 4; f 1.5 'a';",
        "(h:t) = 1:2:Nil; h;",
        "def scale k (x:xs) = (k * x) :# scale k xs; hd (scale 2 (1:Nil));",
    ] {
        assert_eq!(warnings(&format!("{types}{text}")), "", "{text}");
    }
}

#[test]
fn messages() {
    let said = errors("def self f = f f; 1;");
    assert!(said.contains("one type that contains itself, which is impossible"), "{said}");
    let said = errors("length [1,2,3];");
    assert!(
        said.contains("a function has no elements") && said.contains("a list is written `1:2:3:Nil`"),
        "{said}"
    );
    for text in [
        "def om f g = (f g, g f); 1;",
        "def om f g h = (f g, g h, h f); 1;",
        "def om f g = (f (1, g), g (f, 2)); 1;",
        "def om f x = { y = if True then f x else x; z = f f; w = x y In (z, w, f) }; 1;",
        "def om f = { g = {fun x = f (x x)} In g g }; 1;",
    ] {
        let said = errors(text);
        assert!(said.contains("that contains itself"), "{text}\n{said}");
    }
    // A part of a value whose type nothing determines: no such part ever exists.
    gives(
        "type tree *0 = Leaf | Node (tree *0) *0 (tree *0);
         def insert Leaf x = Node Leaf x Leaf
          |  insert (Node l y r) x = if x < y then Node (insert l x) y r else Node l y (insert r x);
         def build Nil = Leaf | build (x:xs) = insert (build xs) x;
         Leaf? (build Nil), (Nil == Nil), build Nil;",
        "(True,True,Leaf)",
    );
}

const KINDS: &str = "def iarr n = { r = 1d_I_array (1,n); {for i <- 1 to n do r[i] = i}; In r };
    def farr n = {1d_array (1,n) | [i] = i || i <- 1 to n};
    def fill a n = { {for i <- 1 to n do a[i] = i * 10}; In a };
";

#[test]
fn kinds_of_arrays_do_not_depend_on_the_order() {
    for (text, wanted) in [
        ("def pick b n = if b then iarr n else farr n; (pick True 3)[2] + (pick False 3)[2];", "4"),
        ("def pick b n = if b then farr n else iarr n; (pick True 3)[2] + (pick False 3)[2];", "4"),
        (
            "def pick k n = {case k of 0 = iarr n | 1 = farr n | _ = iarr (n + 1)}; (pick 1 3)[2], (pick 2 3)[4];",
            "(2,4)",
        ),
        // One is stored into, and then used together with a functional array.
        (
            "def f b n = { r = 1d_I_array (1,n); r[2] = 7; a = if b then farr n else r; In a[2] }; f True 3, f False 3;",
            "(2,7)",
        ),
        (
            "def f b n = { a = if b then r else farr n; r = 1d_I_array (1,n); r[2] = 7; In a[2] }; f True 3, f False 3;",
            "(7,2)",
        ),
        (
            "def f c r n = { a = if c then r else farr n; r[2] = 7; In a[2] }; f True (1d_I_array (1,2)) 2;",
            "7",
        ),
        (
            "def f b n = if b then farr n else fill (1d_I_array (1,n)) n; (f True 2)[2], (f False 2)[2];",
            "(2,20)",
        ),
        (
            "def f b n = if b then fill (1d_I_array (1,n)) n else farr n; (f True 2)[2], (f False 2)[2];",
            "(20,2)",
        ),
        // By `next`, in both ways.
        (
            "def relax a n = { r = 1d_array (1,n); {for i <- 1 to n do r[i] = a[i] * 0.5} In r };
          def iter a n k = {for t <- 1 to k do next a = relax a n; finally a};
          (iter {array (1,4) | [i] = 1.0 || i <- 1 to 4} 4 3)[4];",
            "0.125",
        ),
        (
            "def iter a n = {for t <- 1 to 2 do next a = farr n; finally a}; (iter (1d_I_array (1,1)) 3)[3];",
            "3",
        ),
        // In lists and tuples.
        (
            "{: a[2] || a <- iarr 3 : farr 2 : Nil}, {: a[2] || a <- farr 3 : iarr 2 : Nil};",
            "(2:2:Nil,2:2:Nil)",
        ),
        ("def f b = if b then (iarr 2, farr 2) else (farr 3, iarr 3); x, y = f True; x[1] + y[2];", "3"),
        ("def g b f = (f b)[1]; g 2 {fun n = if n > 1 then iarr n else farr n} + g 2 farr;", "2"),
        ("def both x y = { {call fill x 2}; In x[1] + y[1] }; both (1d_I_array (1,2)) (farr 2);", "11"),
    ] {
        gives(&format!("{KINDS}{text}"), wanted);
    }
}

#[test]
fn functional_arrays_are_not_stored_into_in_whatever_order() {
    for text in [
        "call fill (farr 3) 3;",
        "{ a = farr 3; a[1] = 5; In a[1] };",
        "{ a = if True then iarr 3 else farr 3; a[1] = 5; In a[1] };",
        "{ a = if True then farr 3 else iarr 3; a[1] = 5; In a[1] };",
        "def f b n = { a = if b then farr n else iarr n; call fill a n; In a[1] }; f True 2;",
        "def f x b = { call fill x 2; In if b then x else farr 2 }; (fill (f (iarr 2) True) 2)[1];",
        "def iter a n = {for t <- 1 to 2 do a[t] = t; next a = farr n; finally a}; (iter (1d_I_array (1,1)) 3)[3];",
        "def iter a n = {for t <- 1 to 2 do next a = farr n; a[t] = t; finally a}; (iter (1d_I_array (1,1)) 3)[3];",
    ] {
        let said = errors(&format!("{KINDS}{text}"));
        assert!(said.contains("can be stored into one by one"), "{text}\n{said}");
        assert_eq!(said.matches("error[").count(), 1, "{text}\n{said}");
    }
}

/// Checks the result of a program with its first statements in every order.
#[track_caller]
fn in_every_order(statements: &[&str], result: &str, wanted: &str) {
    let n = statements.len();
    let mut order: Vec<usize> = (0..n).collect();
    for _ in 0..(1..=n).product::<usize>() {
        let text: String = order.iter().map(|&at| format!("{}; ", statements[at])).collect();
        gives(
            &format!(
                "def half x = x * 0.5; def count n = {{ s = 0 In {{for i <- 1 to n do next s = s + i; finally s}} }};\n\
              def f n xs = {{ {text} In {result} }};\nf 10 (4:5:Nil);"
            ),
            wanted,
        );
        // The next permutation in lexicographic order.
        let Some(at) = (1..n).rev().find(|&at| order[at - 1] < order[at]) else { return };
        let other = (at..n).rev().find(|&o| order[o] > order[at - 1]).unwrap_or(at);
        order.swap(at - 1, other);
        order[at..].reverse();
    }
}

#[test]
fn numbers_do_not_depend_on_the_order() {
    in_every_order(&["h = half n", "c = count n"], "h + c, n", "(60.0,10)");
    in_every_order(&["h = half y", "y = if n > 3 then n else 2.5"], "h, y, n", "(5.0,10.0,10.0)");
    in_every_order(&["h = half y", "y = if n > 3 then n else 2", "c = count y"], "h + c, y", "(60.0,10)");
    in_every_order(&["y = if n > 3 then n else 2.5", "c = count n"], "y, c", "(10.0,55)");
    in_every_order(&["t = (n, half n)", "(a, b) = t", "c = count a"], "t, c", "((10,5.0),55)");
    in_every_order(
        &[
            "x = if n > 3 then m else length xs",
            "m = if n > 4 then n else length xs",
            "h = half x",
            "k = count n",
        ],
        "x, m, h, k",
        "(10.0,10.0,5.0,55)",
    );
    in_every_order(&["z = hd xs", "h = half z", "c = count (length xs)"], "z, h, c", "(4.0,2.0,3)");
    in_every_order(&["g = {fun v = half v}", "p = g n", "c = count n"], "p, c", "(5.0,55)");
    in_every_order(&["a = n + 0.5", "b = n + length xs", "c = a + b"], "a, b, c", "(10.5,12.0,22.5)");
    in_every_order(&["m = {array (1,2) | [1] = n | [2] = 0.5}", "c = count n"], "m[1], c", "(10.0,55)");
    // Functions of a group, too.
    gives("def f x k = if k == 0 then x else f (k * 0.5) (k - 1); f 3 2;", "0.5");
    gives(
        "def f x k = if k == 0 then x else if k > 5 then f k (k - 1) else f (k * 0.5) (k - 1); f 3 2, f 1.5 0;",
        "(0.5,1.5)",
    );
}
