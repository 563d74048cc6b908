//! Split-C's and AC's syntax as trees: pointer qualifiers, spread arrays, the assignments `:=` and `:-`
//! beside C's other colons.

mod common;

use c_syntax::{Dialect, Language};
use common::{dump::dump, parse, walk};
use expect_test::{Expect, expect};

fn check(language: Language, text: &str, expected: Expect) {
    let (source, unit, diagnostics) = parse(text, Dialect { language, gnu: true });
    assert!(diagnostics.is_empty(), "{}", base::render(&diagnostics, &source, false));
    walk::check(&unit, &source.text).expect("exact spans");
    expected.assert_eq(&dump(&source, &unit));
}

fn check_split_c(text: &str, expected: Expect) {
    check(Language::SplitC, text, expected);
}

#[test]
fn global_and_spread_pointers() {
    check_split_c(
        "int *global g, *spread *s, *const global *spread volatile q, *(*global t)[3], *global f(int *spread);
         typedef struct n *global link; struct n { link next; char *global name; } *spread all;
         link last, *local; void *global (*h)(void *spread, link);
         void k(a) char *global a; { (int *global *spread)a; sizeof(int (*spread)[4]); }",
        expect![[r#"
            decl g: global pointer to int
            decl s: pointer to spread pointer to int
            decl q: spread volatile pointer to const global pointer to int
            decl t: global pointer to array 3 of pointer to int
            decl f: function(_: spread pointer to int) returning global pointer to int
            decl link: global pointer to typedef struct n
            decl all: spread pointer to struct n
              decl next: 'link'
              decl name: global pointer to char
            decl last: 'link'
            decl local: pointer to 'link'
            decl h: pointer to function(_: spread pointer to void, _: 'link') returning global pointer to void
            function k: old function(a) returning void
              decl a: global pointer to char
              block
                (cast <_: spread pointer to global pointer to int> a);
                (Sizeof <_: spread pointer to array 4 of int>);
        "#]],
    );
}

#[test]
fn spread_arrays() {
    check_split_c(
        "int a[4]::, b[2][3]::[5][6], *c[PROCS]::, (*spread d)[3], e::[2];
         double *global m[PROCS]::[2], s[n]:: = {1, 2};
         void f(int v, int w, int X[v][w]::[q][r], char y[]::);
         int g(X, n) int X[n]::[2]; { int A[PROCS]::[n]; static long B[2]::; return X[0][1]; }",
        expect![[r#"
            decl a: array 4 of spread over blocks of int
            decl b: array 2 of array 3 of spread over blocks of array 5 of array 6 of int
            decl c: array THREADS of spread over blocks of pointer to int
            decl d: spread pointer to array 3 of int
            decl e: spread over blocks of array 2 of int
            decl m: array THREADS of spread over blocks of array 2 of global pointer to double
            decl s: array n of spread over blocks of double = {1, 2}
            decl f: function(v: int, w: int, X: array v of array w of spread over blocks of array q of array r of int, y: array ? of spread over blocks of char) returning void
            function g: old function(X, n) returning int
              decl X: array n of spread over blocks of array 2 of int
              block
                decl A: array THREADS of spread over blocks of array n of int
                decl B: array 2 of spread over blocks of static long
                return X[0][1]
        "#]],
    );
}

#[test]
fn split_assignments() {
    check_split_c(
        "void f(int *global g, int x) {
           x := *g; *g := x + 1, *g :- x; g[1] :-x; x:=*g;
           for (x := g[0]; x; *g :- 2) x = (x := *g, x);
           s.m[i]->q := a[x ? 1 : 2] = 3; if (x) *g :- x ? 1 :-1; }",
        expect![[r#"
            function f: function(g: global pointer to int, x: int) returning void
              block
                (x split Assign (Deref g));
                (((Deref g) split Assign (x Add 1)) Comma ((Deref g) split Store x));
                (g[1] split Store x);
                (x split Assign (Deref g));
                for (x split Assign g[0]); x; ((Deref g) split Store 2)
                  (x = paren((x split Assign (Deref g)) Comma x));
                (s.m[i]->q split Assign (a[(x ? 1 : 2)] = 3));
                if x
                  ((Deref g) split Store (x ? 1 : (Minus 1)));
        "#]],
    );
}

#[test]
fn colons_that_are_none() {
    check_split_c(
        "struct { int a : 3, : 2; } s = {a: 1};
         int f(int x) {
           switch (x) { case 1:-x; case -2:return x ? 1:-1; default:-x; }
           lost: -x; a ? b:-c; a ? (b :- c) : d; a ? b : c ? d:-e :-f;
           asm (\"\" : \"=r\"(x) :: \"memory\"); return x ?:-1; }",
        expect![[r#"
            decl s: struct ? = {.a = 1}
              decl a: int : 3
              decl _: int : 2
            function f: function(x: int) returning int
              block
                switch x
                  block
                    case 1
                      (Minus x);
                    case (Minus 2)
                      return (x ? 1 : (Minus 1))
                    default
                      (Minus x);
                label lost
                  (Minus x);
                (a ? b : (Minus c));
                (a ? paren(b split Store c) : d);
                ((a ? b : (c ? d : (Minus e))) split Store f);
                asm x
                return (x ?: (Minus 1))
        "#]],
    );
}

#[test]
fn words_of_one_language_are_names_in_the_others() {
    let text =
        "int global, spread, dist, PROCS_, upc_barrier_; int f(int shared) { return shared + global; }";
    let names = expect![[r#"
        decl global: int
        decl spread: int
        decl dist: int
        decl PROCS_: int
        decl upc_barrier_: int
        function f: function(shared: int) returning int
          block
            return (shared Add global)
    "#]];
    check(Language::C, text, names);
    check_split_c(
        "int dist, shared, strict, THREADS, MYTHREAD; int f(void) { return PROCS + MYPROC + dist; }",
        expect![[r#"
            decl dist: int
            decl shared: int
            decl strict: int
            decl THREADS: int
            decl MYTHREAD: int
            function f: function() returning int
              block
                return ((THREADS Add MYTHREAD) Add dist)
        "#]],
    );
    check(
        Language::Ac,
        "int global, spread, shared, THREADS; int f(void) { return PROCS + MYPROC + shared; }",
        expect![[r#"
            decl global: int
            decl spread: int
            decl shared: int
            decl THREADS: int
            function f: function() returning int
              block
                return ((THREADS Add MYTHREAD) Add shared)
        "#]],
    );
}

#[test]
fn dist_is_a_type_qualifier() {
    check(
        Language::Ac,
        "dist int x, *p, *dist q[10], (*r)[10], a[100][12*PROCS]; int *dist volatile s; int dist const t;
         typedef dist struct n { dist struct n *next; } node; \
         node *find(dist int *, int dist v[], dist char c[n]);
         void f(n) { dist int v[n][PROCS]; (dist int *)v; sizeof(dist int *[3]); typeof(v[0]) *z; \
         for (dist int i; ;) ; }",
        expect![[r#"
            decl x: shared int
            decl p: pointer to shared int
            decl q: array 10 of shared pointer to shared int
            decl r: pointer to array 10 of shared int
            decl a: array 100 of array (12 Mul THREADS) of shared int
            decl s: shared volatile pointer to int
            decl t: shared const int
            decl node: typedef shared struct n
              decl next: pointer to shared struct n
            decl find: function(_: pointer to shared int, v: array ? of shared int, c: array n of shared char) returning pointer to 'node'
            function f: old function(n) returning void
              block
                decl v: array n of array THREADS of shared int
                (cast <_: pointer to shared int> v);
                (Sizeof <_: array 3 of pointer to shared int>);
                decl z: pointer to typeof(v[0])
                for dist int i;; -; -
                  -;
        "#]],
    );
}
