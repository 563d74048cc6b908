//! Programs with functions inlined in the place of calls.

mod common;

use base::Source;
use c_syntax::Language;
use expect_test::{Expect, expect};

/// Checks a function whose calls are replaced.
fn check(functions: &str, caller: &str, expected: Expect) {
    let head = "shared int a[8 * THREADS], parent[8 * THREADS];\n";
    let source = Source::new(format!("# 1 \"a.upc\"\n{head}{functions}\n{caller}\n"));
    let mut tree = common::tree(Language::Upc, &source).unwrap();
    assert!(opt::inline::inline(&mut tree, &source));
    assert!(opt::verify::verify(&tree).is_empty());
    let body = tree.bodies().last().expect("a function");
    expected.assert_eq(&opt::print::statement(&tree, &source, body));
}

#[test]
fn a_value_comes_in_front_of_its_statement() {
    check(
        "static int find(int x) { while (parent[x] != x) x = parent[x]; return x; }",
        "int f(int n) {
    int same = 0;
    for (int i = 0; i < n; i++)
        same += find(i) == find(i + 1);
    return same;
}",
        expect![[r#"
            {
                int same = 0;
                for (int i = 0; i < n; i++)
                    {
                        int mer_find_1;
                        {
                            int mer_1_x = i;
                            {
                                while (parent[mer_1_x] != mer_1_x)
                                    mer_1_x = parent[mer_1_x];
                                {
                                    mer_find_1 = mer_1_x;
                                }
                            }
                        }
                        int mer_find_2;
                        {
                            int mer_2_x = i + 1;
                            {
                                while (parent[mer_2_x] != mer_2_x)
                                    mer_2_x = parent[mer_2_x];
                                {
                                    mer_find_2 = mer_2_x;
                                }
                            }
                        }
                        same += mer_find_1 == mer_find_2;
                    }
                return same;
            }
        "#]],
    );
}

#[test]
fn names_stand_for_parameters_that_are_read() {
    check(
        "static inline void add(shared int *p, int i, const int by) { p[i] += by; }",
        "void f(int n) {
    for (int i = 0; i < n; i++)
        add(a, i, 3);
}",
        expect![[r#"
            {
                for (int i = 0; i < n; i++)
                    {
                        {
                            const int mer_1_by = 3;
                            {
                                a[i] += mer_1_by;
                            }
                        }
                    }
            }
        "#]],
    );
}

#[test]
fn returns_leave_loops_and_branches() {
    check(
        "static int look(int x) {
    if (x < 0)
        return -1;
    for (int k = 0; k < 9; k++)
        if (a[k] == x)
            return k;
    return 9;
}",
        "int f(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        int at = look(i);
        s += at;
    }
    return s;
}",
        expect![[r#"
            {
                int s = 0;
                for (int i = 0; i < n; i++)
                    {
                        int mer_look_1 = 0;
                        {
                            {
                                int mer_1_ = 1;
                                if (i < 0)
                                    {
                                        mer_look_1 = -1;
                                    }
                                else
                                    {
                                        for (int k = 0; k < 9; k++)
                                            if (a[k] == i)
                                                {
                                                    mer_look_1 = k;
                                                    mer_1_ = 0;
                                                    break;
                                                }
                                        if (mer_1_)
                                            {
                                                {
                                                    mer_look_1 = 9;
                                                }
                                            }
                                    }
                            }
                        }
                        int at = mer_look_1;
                        s += at;
                    }
                return s;
            }
        "#]],
    );
}

/// The obstacles to inlining: the reason, the function, and the loop's body.
#[test]
fn some_functions_stay() {
    for (why, function, statement) in [
        ("no shared memory", "static int f(int x) { return x + 1; }", "s += f(i);"),
        ("a branch", "static int f(int x) { return a[x]; }", "s += i && f(i);"),
        ("a pragma", "static int f(int x) { return a[x]; }", "\n#pragma omp atomic\ns += f(i);"),
        ("the other operand", "static int f(int x) { return a[x]; }", "s++, f(i);"),
        ("a loop's head", "static int f(int x) { return a[x]; }", "while (f(i) > s) s++;"),
        ("a name of the caller's", "static int f(int x) { return a[x]; }", "int a = 1; s += f(i) + a;"),
        ("a static", "static int f(int x) { static int y; return y += a[x]; }", "s += f(i);"),
        ("a jump", "static int f(int x) { if (x) goto end; return a[x]; end: return 1; }", "s += f(i);"),
        ("it calls itself", "static int f(int x) { return x ? a[x] + f(x - 1) : 0; }", "s += f(i);"),
        (
            "it calls what is not known",
            "void g(int); static int f(int x) { g(x); return a[x]; }",
            "s += f(i);",
        ),
        ("a barrier", "static int f(int x) { upc_barrier; return a[x]; }", "s += f(i);"),
        ("more arguments", "static int f(int x, ...) { return a[x]; }", "s += f(i, 1);"),
        (
            "a value that cannot be set",
            "typedef const int T; static T f(int x) { return a[x]; }",
            "s += f(i);",
        ),
        (
            "a struct that cannot be set",
            "struct s { const int n; }; static struct s f(int x) { struct s r = {a[x]}; return r; }",
            "s += f(i).n;",
        ),
        ("an attribute", "__attribute__((noinline)) static int f(int x) { return a[x]; }", "s += f(i);"),
        (
            "a return in a loop in a loop",
            "static int f(int x) { for (;;) for (;;) if (a[x]) return 1; }",
            "s += f(i);",
        ),
        (
            "an array of a parameter's length",
            "static int f(int n, int x[n][n]) { return a[x[1][n]]; }",
            "s += f(1, 0);",
        ),
        ("a type of a variable's", "static int f(int x) { __typeof__(x) y = a[x]; return y; }", "s += f(i);"),
        (
            "a length of a variable's",
            "static int f(int x) { int y[sizeof x]; return a[*y = x]; }",
            "s += f(i);",
        ),
    ] {
        let source = Source::new(format!(
            "shared int a[8 * THREADS];\n{function}\nint main(void) {{ int s = 0; for (int i = 0; i < 9; i++) {{ \
             {statement} }} return s; }}\n"
        ));
        let mut tree = common::tree(Language::Upc, &source).unwrap();
        assert!(!opt::inline::inline(&mut tree, &source), "{why}");
    }
}

/// Returns true if the calls in a program are replaced.
fn is_replaced(functions: &str, caller: &str) -> bool {
    let text = format!("shared int a[8 * THREADS], b[8 * THREADS];\nint v;\n{functions}\n{caller}\n");
    let source = Source::new(text);
    let mut tree = common::tree(Language::Upc, &source).unwrap();
    opt::inline::inline(&mut tree, &source)
}

#[test]
fn names_mean_in_the_caller_what_they_mean_in_the_function() {
    let of_file = "static int get(int x) { return a[x] + v; }";
    let loops = "for (int i = 0; i < n; i++) s += get(i);";
    assert!(is_replaced(of_file, &format!("int f(int n) {{ int s = 0; {loops} return s; }}")));
    // A variable, a parameter, a type, a constant or a block of the caller has a name that the function uses.
    for caller in [
        "int f(int n) { int s = 0, v = 1; LOOP return s + v; }",
        "int f(int n, int v) { int s = 0; LOOP return s + v; }",
        "int f(int n) { int s = 0; typedef int v; LOOP return s + (v)1; }",
        "int f(int n) { int s = 0; enum { v }; LOOP return s + v; }",
        "int f(int n) { int s = 0; { int v = 1; s += v; } LOOP return s; }",
        "int f(int n) { int s = 0; for (int v = 0; v < n; v++) LOOP return s; }",
    ] {
        assert!(!is_replaced(of_file, &caller.replace("LOOP", loops)), "{caller}");
    }
    // A parameter of the caller hides the array.
    let hidden = "int f(int n, shared int *a) { int s = 0; LOOP return s + *a; }";
    assert!(!is_replaced(of_file, &hidden.replace("LOOP", loops)));
    // The body's own names hide those of the caller's.
    let own = "static int get(int x) { int s = a[x]; { int i = b[s]; s += i; } return s; }";
    assert!(is_replaced(own, &format!("int f(int n) {{ int s = 0; {loops} return s; }}")));
}

#[test]
fn parameters_are_of_all_types() {
    for (parameter, arg) in [
        ("int y", "i + 1"),
        ("__typeof__(x) y", "i"),
        ("__typeof__(v) y", "i"),
        ("int y[2]", "n + (int[2]){}"),
        ("int y[x]", "&n"),
        ("int y(int)", "f"),
        ("shared [2] int (*y)[2]", "0"),
    ] {
        let caller = format!(
            "int f(int n) {{ int s = 0; for (int i = 0; i < n; i++) s += get(i, {arg}); return s; }}"
        );
        let function = format!("static int get(int x, {parameter}) {{ return a[x] + !y; }}");
        assert!(is_replaced(&function, &caller), "{parameter}");
    }
}
