//! Programs through the front end and the interpreter, by construct.

use crate::interp::{self, End};
use base::Source;

mod optimised;
mod rules;

fn source(text: &str) -> (Source, u32) {
    let library = format!("# 1 \"<library>\" 3\n{}\n", crate::LIBRARY);
    let from = library.len() as u32;
    (Source::new(format!("{library}# 1 \"t.id\"\n{text}\n")), from)
}

fn run_with(text: &str, input: &str) -> (String, End) {
    let (source, from) = source(text);
    let (program, said) = crate::check(&source, from);
    let shown = base::render(&said, &source, false);
    let program = program.unwrap_or_else(|| panic!("{shown}"));
    let mut first = None;
    let faster = crate::passes::optimise(&program, true);
    for (program, seed) in [(&program, 1), (&program, 2), (&program, 3), (&faster, 1), (&faster, 2)] {
        let (out, end) = interp::run(program, input.as_bytes(), &[], seed * 77, 20_000_000);
        let got = (String::from_utf8_lossy(&out).into_owned(), end);
        if let Some(before) = first.replace(got.clone()) {
            assert_eq!(before, got, "the answer depends on the order");
        }
    }
    first.expect("it ran")
}

#[track_caller]
fn gives(text: &str, wanted: &str) {
    assert_eq!(run_with(text, ""), (format!("{wanted}\n"), End::Done), "{text}");
}

fn errors(text: &str) -> String {
    let (source, from) = source(text);
    let (program, said) = crate::check(&source, from);
    assert!(program.is_none(), "accepted: {text}");
    base::render(&said, &source, false)
}

#[test]
fn numbers_and_precedence() {
    gives("2 + 3 * 4 ^ 2;", "50");
    gives(".5 + 2.;", "2.5");
    gives("3.^2;", "9.0");
    gives("7 / 2;", "3.5");
    gives("quotient (-7) 2, mod (-7) 2, remainder (-7) 2;", "(-3,1,-1)");
    gives("1:2:Nil ++ 3:Nil;", "1:2:3:Nil");
    gives("{ i = 3; x = 1.5; In i * x };", "4.5");
    gives("max 2 2.5;", "2.5");
}

#[test]
fn functions_and_clauses() {
    gives("def fib n = if n < 2 then n else fib (n-1) + fib (n-2); fib 10;", "55");
    gives("def total Nil = 0 | total (k:ks) = k + total ks; total (1:2:3:Nil);", "6");
    gives("def sq x = x*x; sq 3, sq 1.5;", "(9,2.25)");
    gives("def hyp a b = { s = sq a + sq b; def sq v = v*v; In sqrt s }; hyp 3.0 4.0;", "5.0");
    gives("map_list ((+) 1) (1:2:Nil);", "2:3:Nil");
    gives("def sign x when x < 0 = 0-1 | sign 0 = 0 | sign _ = 1; sign (-5), sign 0, sign 7;", "(-1,0,1)");
    gives("foldl_list (+) 0 (1:2:3:Nil);", "6");
    gives("{fun x y = x - y} 5 3;", "2");
    gives("{ f = {fun x = {fun y = x * y}}; In f 3 4 };", "12");
}

#[test]
fn types_and_cases() {
    let tree = "type (tree *0) = Leaf | Node (tree *0) *0 (tree *0);
        def insert x Leaf = Node Leaf x Leaf
         | insert x (Node l y r) = if x < y then Node (insert x l) y r else Node l y (insert x r);
        def walk Leaf = Nil | walk (Node l x r) = walk l ++ (x : walk r);
        ";
    gives(&format!("{tree} walk (foldl_list (flip insert) Leaf (3:1:2:Nil));"), "1:2:3:Nil");
    gives(&format!("{tree} insert 1 Leaf;"), "Node Leaf 1 Leaf");
    gives("{case (1,2:Nil) of (a,b:_) = a+b | _ = 0};", "3");
    gives(
        "type shape = Dot | Disc float | Box float float; (Disc 1.0 == Disc 1.0), (Dot == Box 1.0 2.0);",
        "(True,False)",
    );
    gives("\"ab\" == \"ab\", \"ab\" < \"b\";", "(True,True)");
    gives("(1,2) == (1,3);", "False");
    gives("type r = R {key = int; .later = int}; { a = R 1 _; a.later = 5; In a.key + a.later };", "6");
}

#[test]
fn loops() {
    gives("{ s = 0 In {for i <- 1 to 10 do next s = s + i; finally s} };", "55");
    gives("{ a = 1; b = 2 In {for i <- 1 to 3 do next a = b; next b = a; finally a, b} };", "(2,1)");
    gives("{ s = 1 In {for i <- 5 to 4 do next s = 0; finally s} };", "1");
    gives(
        "{ n = 27; c = 0 In {while n <> 1 do next n = if odd? n then 3*n+1 else quotient n 2; next c = c + 1; finally c} };",
        "111",
    );
    gives("{ s = 0 In {for x <- 1:2:3:Nil do next s = s + x; finally s} };", "6");
    gives(
        "{ s = 0 In {for i <- 1 to 3 do next s = {for j <- 1 to i do next s = s + j; finally s}; finally s} };",
        "10",
    );
    for k in [1, 2, 100] {
        gives(&format!("{{ s = 0 In {{for i <- 1 to 10 bound {k} do next s = s + i; finally s}} }};"), "55");
    }
    gives("{ x = 0 In {for i <- 1 to 2 do next x = x + i/2; finally x} };", "1.5");
}

#[test]
fn arrays() {
    gives("{ f = {array (0,5) | [0] = 1 | [k] = k * f[k-1] || k <- 1 to 5} In f[5] };", "120");
    gives("{array (1,2) | [i] = i*i || i <- 1 to 2};", "{1d_array (1,2) | [1] = 1 | [2] = 4}");
    gives(
        "{ w = {matrix (0,3),(0,3) | [i,0] = 1 || i <- 0 to 3 | [0,j] = 1 || j <- 1 to 3
        | [i,j] = w[i-1,j] + w[i,j-1] || i <- 1 to 3 & j <- 1 to 3} In w[3,3] };",
        "20",
    );
    gives("{ a = 1d_I_array (1,3); {for i <- 1 to 3 do a[i] = i+1} In a[1]+a[2]+a[3] };", "9");
    gives(
        "{ h = {1d_array (0,2) | [d] = 0 || d <- 0 to 2 accumulate (+) | (mod v 3) gets 1 || v <- 1 to 10} In h[0],h[1],h[2] };",
        "(3,4,3)",
    );
    gives("{: (a,b) || a <- 1 to 3 & b <- a to 3 when odd? (a+b)};", "(1,2):(2,3):Nil");
    gives("bounds (array (2,5));", "(2,5)");
    gives(
        "{ m = {1d_M_array (1,1) | [1] = 0}; { for i <- 1 to 10 do m![1] = m![1] + 1 } --- In m!![1] };",
        "10",
    );
}

#[test]
fn leniency_and_order() {
    gives("{ r = 0:1:r In take 5 r };", "0:1:0:1:0:Nil");
    gives("{ def f x = (x + 1, 5); a, b = f b In a };", "6");
    gives("{ def from n = n :# from (n+1); In take 3 (from 1) };", "1:2:3:Nil");
    let (out, end) = run_with("call print 1; call print \"two\"; call print 3.5;", "");
    assert_eq!((out.as_str(), end), ("1\ntwo\n3.5\n", End::Done));
    assert_eq!(run_with("{ x = x + 1 In x };", "").1, End::Deadlock);
    assert_eq!(run_with("{ a = array (1,2) In a[1] };", "").1, End::Deadlock);
    let sum = "def go s = if end_of_file? 0 then s else { n = read_int 0; call skip_blanks 0; In go (s + n) }; go 0;";
    assert_eq!(run_with(sum, "1 2 3\n4\n").0, "10\n");
}

#[test]
fn type_errors_show_both_places() {
    let said = errors("def f x = x + 1;\nf True;");
    assert!(said.contains("expected") && said.contains("bool"), "{said}");
    let said = errors("def g (a:b) = a;\ng 3;");
    assert!(said.contains("list"), "{said}");
    assert!(errors("foo 1;").contains("`foo` is not defined"));
    assert!(errors("if 1 then 2 else 3;").contains("expected `bool`"));
    assert!(errors("def f x = x x; 1;").contains("expected"));
}

#[test]
fn descriptions_have_the_names_of_the_program() {
    let text = "def power x n = { p = 1 In {for i <- 1 to n do next p = p * x; finally p} };
        def f x y = { t = (x, y); a = 1d_I_array (1,3); a[1] = fst t; s = a[1] + y In
          if s < 10 then power s 2 else call_me s }; def call_me k = 1.5 * float k; f argc 2; \"a\\\"b\";";
    let (source, from) = source(text);
    let program = crate::check(&source, from).0.expect("a program");
    for dump in [crate::Dump::Graph, crate::Dump::Threads, crate::Dump::Svg] {
        let how = crate::How { dump: Some(dump), ..Default::default() };
        let shown = crate::generate(&program, &source, how, "");
        let head = shown.find("code-block f (x, y)").expect("its parameters have their names");
        let own = shown[head..].split("code-block").nth(1).expect("the code-block");
        for part in ["s = ", "call power (s, 2)", "call_me"] {
            assert!(own.contains(part), "{part} in {own}");
        }
        if dump != crate::Dump::Svg {
            // No names of the compiler's own.
            assert!(!shown.contains(['{', '}']), "{shown}");
            assert!(own.contains("store a[1] = ") && own.contains("; later "), "{own}");
        }
        for own in ["Prim", "AddI", "Atom", "Some(", "event "] {
            assert!(!shown.contains(own), "{own} in {shown}");
        }
    }
}

#[test]
fn pictures_of_graphs_are_well_formed_and_have_each_operation() {
    with_big_stack(|| {
        let shown = |text: &str, dump| {
            let (source, from) = source(text);
            let (program, _) = crate::check(&source, from);
            let how = crate::How { dump: Some(dump), ..Default::default() };
            crate::generate(&program.expect("a program"), &source, how, "")
        };
        let balanced = |picture: &str| {
            let mut open = Vec::new();
            for tag in picture.split('<').skip(1).filter(|tag| !tag.contains("/>")) {
                let name = tag.split([' ', '>']).next().unwrap();
                match name.strip_prefix('/') {
                    Some(name) => assert_eq!(open.pop(), Some(name), "{tag}"),
                    None => open.push(name),
                }
            }
            assert!(
                open.is_empty() && picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>")
            );
            assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
        };
        let text =
            "def f x = if x < 1 then r else 2:r; r = 1:r; def g y x = { a = 1d_I_array (1,3); a[1] = y;
            In a[1] + x }; f 3, g 2 (g 1 2), \"<&>\";";
        let picture = shown(text, crate::Dump::Svg);
        balanced(&picture);
        for title in shown(text, crate::Dump::Graph).lines().filter(|line| line.starts_with("code-block")) {
            assert!(picture.contains(&title.replace('<', "&lt;").replace('>', "&gt;")), "{title}");
        }
        assert!(picture.contains("call g ("), "{picture}");
        // Graphs that are too large for a picture say so; others of any depth and width are drawn.
        let huge = shown(&format!("def f x = x{}; f 2;", "+x".repeat(50_000)), crate::Dump::Svg);
        balanced(&huge);
        assert!(huge.contains("too many to be drawn"));
        balanced(&shown(&format!("def f x = x{}; f 2;", "+x".repeat(2900)), crate::Dump::Svg));
        let wide: Vec<String> = (0..900).map(|n| format!("x+{n}")).collect();
        balanced(&shown(&format!("def f x = {}; f 2;", wide.join(",")), crate::Dump::Svg));
        let arms = format!("def f x = {}0; f 1;", "if x == 1 then 2 else ".repeat(300));
        balanced(&shown(&arms, crate::Dump::Svg));
    });
}

/// Runs a test with the stack that the compiler has.
fn with_big_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(test);
    thread.expect("a thread").join().expect("the test passes");
}

#[test]
fn long_and_deep_programs() {
    with_big_stack(|| {
        let compiles = |text: &str| {
            let (source, from) = source(text);
            let (program, said) = crate::check(&source, from);
            let program = program.unwrap_or_else(|| panic!("{}", base::render(&said, &source, false)));
            crate::generate(&program, &source, crate::How::default(), "").len()
        };
        compiles(&format!("1{};", "+1".repeat(100_000)));
        compiles(&format!("{}1{};", "(".repeat(10_000), ")".repeat(10_000)));
        compiles(&format!("{}Nil;", "1:".repeat(10_000)));
        compiles(&format!("def f a = a{}; 1;", "[1]".repeat(10_000)));
        compiles(&format!("def f x = {}0; f 1;", "if x == 1 then 2 else ".repeat(500)));
        compiles(&format!("{}1{};", "{ a = ".repeat(300), " In a }".repeat(300)));
        let names = |prefix: &str| (0..1000).map(|n| format!("{prefix}{n}")).collect::<Vec<_>>().join(",");
        compiles(&format!("def f x = {}; {{ {} = f 1 In a7 }};", names("x+"), names("a")));
        let backwards: Vec<String> = (0..3000).map(|n| format!("x{n} = x{}+1", n + 1)).collect();
        compiles(&format!("{{ {}; x3000 = 1 In x0 }};", backwards.join(";")));
        let nested: String = (1..3000).map(|n| format!("x{n} = x{}:Nil;", n - 1)).collect();
        compiles(&format!("{{ x0 = 1; {nested} In length x2999 }};"));
        // Printing a type takes C in proportion to its depth.
        let printed = |depth: usize| {
            let nested: String = (1..depth).map(|n| format!("x{n} = (x{},1);", n - 1)).collect();
            compiles(&format!("{{ x0 = 1; {nested} In x{} }};", depth - 1))
        };
        assert!(printed(400) < 3 * printed(200));
        for deep in [
            format!("{}1{};", "(".repeat(100_000), ")".repeat(100_000)),
            format!("1{};", "+1".repeat(300_000)),
            format!("def f {}a{} = 1; 1;", "(1,".repeat(50_000), ")".repeat(50_000)),
            format!("typeof f = {}int; def f x = f x; 1;", "int -> ".repeat(50_000)),
            format!("{}1{};", "{ ".repeat(50_000), "}".repeat(50_000)),
            format!("def f x = {}x; 1;", "- ".repeat(50_000)),
        ] {
            assert!(errors(&deep).contains("nested too deeply"), "{}", &deep[..40]);
        }
    });
}

#[test]
fn declared_types_are_known_before_the_clauses() {
    gives(
        "def f a b = (if a == 0 then 1.0 else b) + (b - a);\ntypeof f = int -> float -> float;\nf 2 0.5;",
        "-1.0",
    );
    gives("typeof f = int -> float; def f x = x; f 2;", "2.0");
    gives("{ typeof g = int -> float -> float; def g a b = b - a; x = g 1 2; In x };", "1.0");
    // A function that uses itself at another type than its own.
    let said = errors(
        "type nest *0 = Flat *0 | Deep (nest (*0,*0));\ntypeof depth = (nest *0) -> int;\n\
         def depth (Flat _) = 0 | depth (Deep n) = 1 + depth n; depth (Deep (Flat (1,2)));",
    );
    assert!(said.contains("`depth` uses itself at ever larger types"), "{said}");
    assert_eq!(said.matches("error").count(), 1, "{said}");
    let said = errors("typeof f = string -> int;\ndef f x = x + 1;\nf \"a\";");
    assert!(
        said.contains("expected a number, found `string`") && said.matches("error").count() == 1,
        "{said}"
    );
    let said = errors("typeof f = int -> int;\ndef f x y = x;\n1;");
    assert!(said.contains("found `int -> *0 -> *1`") && said.matches("error").count() == 1, "{said}");
    assert!(errors("typeof f = *0 -> *1;\ndef f x = x;\n1;").contains("narrower than declared"));
    assert!(errors("typeof f = *0 -> int;\ndef f x = x;\n1;").contains("narrower than declared"));
}

#[test]
fn declarations_in_circles() {
    assert!(errors("typesyn q = q; 1;").contains("the synonym `q` stands for itself"));
    let said = errors("typesyn a = (b,int); typesyn b = list a; typeof f = a -> int; def f x = 1; 1;");
    assert!(said.contains("by way of this one") && said.matches("error").count() == 1, "{said}");
    let doubled: String = (1..40).map(|n| format!("typesyn a{n} = (a{},a{});", n - 1, n - 1)).collect();
    assert!(errors(&format!("typesyn a0 = int; {doubled} 1;")).contains("more than 100000 parts"));
    assert!(errors("defsubst f x = f x; 1;").contains("`f` is defined by `defsubst` and uses itself"));
    assert!(errors("defsubst f x = g x; defsubst g x = f x; 1;").contains("by way of this one"));
    gives("defsubst f x = if x == 0 then 0 else g (x - 1); def g x = f x; f 3;", "0");
}

#[test]
fn one_error_is_reported_once() {
    for text in [
        "def f x = { a = ) 3; b = 4; In a + b };\ndef g x = f x;\ng 3;",
        "def f x = { a = (3; b = 4; In a + b\ndef g x = f x;\ng 3;",
        "def f x = [3;\ndef g x = f x;\ng 3;",
        "type t = A int | ;\ndef f (A n) = n;\nf (A 3);",
    ] {
        let said = errors(text);
        assert_eq!(said.matches("error").count(), 1, "{said}");
    }
    let said = errors("def f x = ) ;\ndef g x = ( ;\n1;");
    assert_eq!(said.matches("error").count(), 2, "{said}");
}

#[test]
fn a_mistake_is_one_message() {
    for (text, says) in [
        ("{ s = 0 In {for i <- 1 to 3 do next t = s + i finally s} };", "no value before the loop"),
        ("typeof f = int -> foo; def f x = x; f 1;", "there is no type `foo`"),
    ] {
        let said = errors(text);
        assert!(said.contains(says) && said.matches("error").count() == 1, "{said}");
    }
}
