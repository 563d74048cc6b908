//! Small programs and their trees.

mod common;

use c_syntax::Dialect;
use common::{dump::dump, parse, walk};
use expect_test::{Expect, expect};

fn check_in(dialect: Dialect, text: &str, expected: Expect) {
    let (source, unit, diagnostics) = parse(text, dialect);
    assert!(diagnostics.is_empty(), "{}", base::render(&diagnostics, &source, false));
    walk::check(&unit, &source.text).expect("exact spans");
    expected.assert_eq(&dump(&source, &unit));
}

fn check(text: &str, expected: Expect) {
    check_in(Dialect::default(), text, expected);
}

fn check_upc(text: &str, expected: Expect) {
    check_in(Dialect::UPC, text, expected);
}

#[test]
fn declarators() {
    check(
        "int *a[3], (*b)[4], *(*c)(int, char *), (*(*d[2])(void))[5];
         void (*signal(int sig, void (*func)(int)))(int);
         int f(), g(void), h(int a[static const 3], int b[*], int n, int (*)[n], ...);
         unsigned long int long x; const char *const *restrict p; int (^blk)(void);",
        expect![[r#"
            decl a: array 3 of pointer to int
            decl b: pointer to array 4 of int
            decl c: pointer to function(_: int, _: pointer to char) returning pointer to int
            decl d: array 2 of pointer to function() returning pointer to array 5 of int
            decl signal: function(sig: int, func: pointer to function(_: int) returning void) returning pointer to function(_: int) returning void
            decl f: old function() returning int
            decl g: function() returning int
            decl h: function(a: array static const 3 of int, b: array * of int, n: int, _: pointer to array n of int, ...) returning int
            decl x: unsigned long int long
            decl p: restrict pointer to const pointer to const char
            decl blk: block function() returning int
        "#]],
    );
}

#[test]
fn typedef_names_and_their_hiding() {
    check(
        "typedef int T, *P; typedef struct T { T T; P p; int : 3; T b : 4; } S;
         unsigned T; 
         typedef long U; U (u); U (*v), w;
         int f(U U) { return U * 2; }
         int g(int (U)) { U x; { int U = 1; U * 2; x = (U) * 3; } U: goto U; return (U) - 1; }
         enum { E = sizeof(U), F = sizeof U } ; 
         void h(void) { enum { U = 3 }; U * 2; typedef char V; { V V = 1, y = V; } V z; }
         U k(a, b) U a; S *b; { for (int U = 0; U < 3; U++) U; return (U)1; }",
        expect![[r#"
            decl T: typedef int
            decl P: pointer to typedef int
            decl S: typedef struct t
              decl T: 'T'
              decl p: 'P'
              decl _: int : 3
              decl b: 'T' : 4
            decl T: unsigned
            decl U: typedef long
            decl u: 'U'
            decl v: pointer to 'U'
            decl w: 'U'
            function f: function(U: 'U') returning int
              block
                return (U Mul 2)
            function g: function(_: function(_: 'U') returning int) returning int
              block
                decl x: 'U'
                block
                  decl U: int = 1
                  (U Mul 2);
                  (x = (parenU Mul 3));
                label U
                  goto U
                return (cast <_: 'U'> (Minus 1))
            decl enum ?
              E = (Sizeof <_: 'U'>)
              F = (Sizeof U)
            function h: function() returning void
              block
                decl enum ?
                  U = 3
                (U Mul 2);
                decl V: typedef char
                block
                  decl V: 'V' = 1
                  decl y: 'V' = V
                decl z: 'V'
            function k: old function(a, b) returning 'U'
              decl a: 'U'
              decl b: pointer to 'S'
              block
                for int U = 0;; (U Lt 3); (U postInc)
                  U;
                return (cast <_: 'U'> 1)
        "#]],
    );
}

#[test]
fn expressions() {
    check(
        "int v = a + b * c - d, w = a = b += c ? d : e ? f : g, \
         x = a || b && c | d ^ e & f == g < h << i + j % k;
         int y = -a++ * !*p->q.r[1](2, 3) , z = (int)-x + sizeof(int) * sizeof x[1] - sizeof (int){3} \
         + (a, b);
         int q = a ?: b, r = &&lab != 0, s = __real__ c + __imag__ d, t = _Alignof(int) + __alignof__ x;
         void *l = (struct s){ .a.b[2] = 1, [3] = { 4 }, [5 ... 6] = 7, c: 8, [9] 10, }.p;
         int st = ({ int k = 1; k; }), ge = _Generic(a, int: 1, char *: 2, default: 3);
         int o = __builtin_offsetof(struct s, a.b[2].c) + __builtin_types_compatible_p(int, const long *);
         int u = __builtin_choose_expr(1, 2, 3) + __builtin_va_arg(ap, \
         int *) + __builtin_has_attribute(f, noreturn(1));
         char *n = L\"a\" \"b\" u8\"c\", c = 'x' + u'y'; \
         double d = 0x1.8p3f + 1.5e-3i + 1'000'000ull + .5f128 + 0b101;",
        expect![[r#"
            decl v: int = ((a Add (b Mul c)) Sub d)
            decl w: int = (a = (b Add= (c ? d : (e ? f : g))))
            decl x: int = (a Or (b And (c BitOr (d BitXor (e BitAnd (f Eq (g Lt (h Shl (i Add (j Rem k))))))))))
            decl y: int = ((Minus (a postInc)) Mul (Not (Deref p->q.r[1](2, 3))))
            decl z: int = ((((cast <_: int> (Minus x)) Add ((Sizeof <_: int>) Mul (Sizeof x[1]))) Sub (Sizeof (literal <_: int> {3}))) Add paren(a Comma b))
            decl q: int = (a ?: b)
            decl r: int = ((label lab) Ne 0)
            decl s: int = ((Real c) Add (Imag d))
            decl t: int = ((Alignof <_: int>) Add (Alignof x))
            decl l: pointer to void = (literal <_: struct s> {.a.b[2] = 1, [3] = {4}, [5 ... 6] = 7, .c = 8, [9] = 10}).p
            decl st: int = (block decl k: int = 1 k;)
            decl ge: int = generic(a; _: int: 1; _: pointer to char: 2; default: 3)
            decl o: int = (offsetof(<_: struct s>, .a.b[2].c) Add compatible(<_: int>, <_: pointer to const long>))
            decl u: int = ((choose(1, 2, 3) Add va_arg(ap, <_: pointer to int>)) Add __builtin_has_attribute(f, noreturn(1)))
            decl n: pointer to char = L"a" "b" u8"c"
            decl c: char = ('x' Add u'y')
            decl d: double = ((((0x1.8p3f Add 1.5e-3i) Add 1'000'000ull) Add .5f128) Add 0b101)
        "#]],
    );
}

#[test]
fn statements() {
    check(
        "int f(int n) {
           __label__ out;
           if (n) if (n > 1) n++; else n--; else if (n < 3) ; else { }
           while (n) do n--; while (n > 3);
           for (int i = 0, j; i < n; i++) continue;
           for (;;) break;
           switch (n) { case 1: case 2 ... 4: n = 1; __attribute__((fallthrough)); default: l: n = 2; \
           case 9: ; }
           goto out; goto *p[1]; 
           asm volatile (\"nop\"); \
           asm(\"x %0\" : [r] \"=r\" (n), \"+m\"(*p) : \"r\"(n + 1) : \"memory\", \"cc\");
           asm goto (\"jmp %l0\" : : : : out, l);
           int nested(int k) { return k; }
           _Static_assert(1, \"m\"); static_assertion: _Static_assert(1);
           out: __attribute__((unused)); 
           return n;
           end: }",
        expect![[r#"
            function f: function(n: int) returning int
              block
                opaque __label__ out;
                if n
                  if (n Gt 1)
                    (n postInc);
                    (n postDec);
                  if (n Lt 3)
                    -;
                    block
                while n
                  do until not (n Gt 3)
                    (n postDec);
                for int i = 0, j;; (i Lt n); (i postInc)
                  continue
                for -; -; -
                  break
                switch n
                  block
                    case 1
                      case 2 ... 4
                        (n = 1);
                    opaque __attribute__((fallthrough));
                    default
                      label l
                        (n = 2);
                    case 9
                      -;
                goto out
                goto *p[1]
                asm 
                asm n, (Deref p), (n Add 1)
                asm 
                function nested: function(k: int) returning int
                  block
                    return k
                static_assert 1 "m"
                label static_assertion
                  static_assert 1 
                label out
                  opaque __attribute__((unused));
                return n
                label end
                  -;
        "#]],
    );
}

#[test]
fn attributes_and_oddities() {
    check(
        "; __extension__ typedef struct __attribute__((packed, \
         aligned(8))) p { int a __attribute__((aligned(4))), b; } __attribute__((x)) P;
         [[nodiscard]] __attribute__((noreturn)) static inline void f(int a [[maybe_unused]], \
         __attribute__((unused)) char *__attribute__((y)) b) __asm__(\"g\") __attribute__((z));
         enum e { A [[deprecated]] = 1, B __attribute__((deprecated)), };
         typedef float v4 __attribute__((vector_size(4 * sizeof(float))));
         int (__attribute__((cdecl)) *fp)(void), * const __attribute__((w)) q;
         typeof(int *) t; __typeof__(1 + 2) u; __auto_type k = 3; _Atomic(int) at; _Atomic int au; \
         _Alignas(8) _Alignas(int) char al;
         asm(\".globl x\"); _Thread_local int tl; __thread int tm; long double _Complex c; __int128 i; \
         _Float64x fx; _Decimal64 dd; __builtin_va_list ap;
         old(a, b) char *b; { return a; } main() { } extern x; struct { } empty; \
         union u { struct { int q; }; int r; } uu[] = { { .q = 1 } };
         void fwd(int n; int a[n], int n);
         __extension__ _Static_assert(1, \"\"); struct a { __extension__ _Static_assert(1); int i; };
         void g(void) { __extension__ _Static_assert(2, \"\"); }",
        expect![[r#"
            empty
            decl P: typedef struct p @packed @aligned(1) @x
              decl a: int @aligned(1)
              decl b: int
            decl f: function(a: int @maybe_unused, b: pointer to char @unused @y) returning static inline void @nodiscard @noreturn __asm__("g") @z
            decl enum e
              A = 1
              B
            decl v4: typedef float @vector_size(1)
            decl fp: pointer to function() returning int @cdecl
            decl q: const pointer to int @w
            decl t: typeof(_: pointer to int)
            decl u: typeof((1 Add 2))
            decl k: auto_type = 3
            decl at: atomic(_: int)
            decl au: atomic int
            decl al: _Alignas(8) _Alignas(int) char
            asm
            decl tl: threadlocal int
            decl tm: threadlocal int
            decl c: long double complex
            decl i: int128
            decl fx: floatn(64, true)
            decl dd: decimal(64)
            decl ap: valist
            function old: old function(a, b) returning ?
              decl b: pointer to char
              block
                return a
            function main: old function() returning ?
              block
            decl x: extern
            decl empty: struct ?
            decl uu: array ? of union u = {{.q = 1}}
              decl struct ?
                decl q: int
              decl r: int
            decl fwd: function(a: array n of int, n: int) returning void
            static_assert 1 ""
            decl struct a
              static_assert 1 
              decl i: int
            function g: function() returning void
              block
                static_assert 2 ""
        "#]],
    );
}

#[test]
fn floating_types_may_be_typedefs() {
    check(
        "typedef float _Float32; typedef __float128 _Float128; typedef _Complex float c32;
         _Float32 a; _Float128 b; _Float64 c; _Complex _Float64 d; typedef _Float64x x;",
        expect![[r#"
            decl _Float32: typedef float
            decl _Float128: typedef floatn(128, false)
            decl c32: typedef complex float
            decl a: '_Float32'
            decl b: '_Float128'
            decl c: floatn(64, false)
            decl d: complex floatn(64, false)
            decl x: typedef floatn(64, true)
        "#]],
    );
}

#[test]
fn upc_declarations() {
    check_upc(
        "shared [4] int a[10*THREADS]; shared int *shared p; int shared [] *q; \
         relaxed shared [*] double z[THREADS];
         strict shared struct s { int x; } t; typedef shared [] int *sp;
         void f(shared int *a, int b[shared 10], shared [3] int c[]);",
        expect![[r#"
            decl a: array (10 Mul THREADS) of shared[4] int
            decl p: shared pointer to shared int
            decl q: pointer to shared[] int
            decl z: array THREADS of relaxed shared[*] double
            decl t: strict shared struct s
              decl x: int
            decl sp: pointer to typedef shared[] int
            decl f: function(a: pointer to shared int, b: array shared 10 of int, c: array ? of shared[3] int) returning void
        "#]],
    );
}

#[test]
fn upc_statements() {
    check_upc(
        "void f(void) {
           upc_forall (int i = 0; i < 10; i++; &a[i]) ; upc_forall (i = 0; i < 10; i++; continue) { }
           upc_forall (;;;) upc_fence; upc_forall (i; j; k; i + 1, 2) x;
           upc_barrier; upc_barrier 3; upc_notify i + 1; upc_wait;
           n = upc_localsizeof(shared int[THREADS]) + upc_blocksizeof a + upc_elemsizeof(a[MYTHREAD]) + \
           sizeof(shared [] int *);
           p = (shared [3] int *) q; }",
        expect![[r#"
            function f: function() returning void
              block
                forall int i = 0;; (i Lt 10); (i postInc); (Addr a[i])
                  -;
                forall (i = 0); (i Lt 10); (i postInc); continue
                  block
                forall -; -; -; -
                  fence
                forall i; j; k; ((i Add 1) Comma 2)
                  x;
                Barrier -
                Barrier 3
                Notify (i Add 1)
                Wait -
                (n = ((((UpcLocalsizeof <_: array THREADS of shared int>) Add (UpcBlocksizeof a)) Add (UpcElemsizeof parena[MYTHREAD])) Add (Sizeof <_: pointer to shared[] int>)));
                (p = (cast <_: pointer to shared[3] int> q));
        "#]],
    );
}

#[test]
fn upc_words_are_names_in_c() {
    check(
        "int shared, strict, relaxed, THREADS, upc_wait; void f(void) { shared = upc_wait; }",
        expect![[r#"
            decl shared: int
            decl strict: int
            decl relaxed: int
            decl THREADS: int
            decl upc_wait: int
            function f: function() returning void
              block
                (shared = upc_wait);
        "#]],
    );
}

#[test]
fn pragmas_set_the_default_of_accesses() {
    check_upc(
        "#pragma upc strict
int a;
void f(void) {
#pragma upc relaxed
  a; { 
# pragma upc strict
  b; }
  c; }
int d =
#pragma omp whatever
  1; 
#pragma upc relaxed
",
        expect![[r#"
            decl a: int
            function f: function() returning void
              block
                a;
                block
                  b;
                c;
            decl d: int = 1
            strict after "a upc strict"
            relaxed after " upc relaxed"
            strict after "a upc strict"
            relaxed after "trict\n  b; }"
            strict after " b; }\n  c; }"
            relaxed after " upc relaxed"
        "#]],
    );
}

#[test]
fn pragmas_may_stand_anywhere() {
    check(
        "int f(int a\n#pragma GCC diagnostic push\n) { return a +\n#pragma weak x\n# 7 \"x.c\"\n 1; }",
        expect![[r#"
            function f: function(a: int) returning int
              block
                return (a Add 1)
        "#]],
    );
}

#[test]
fn strict_iso_leaves_gnu_words_alone() {
    check_in(
        Dialect { language: c_syntax::Language::C, gnu: false },
        "int asm, typeof; int R; char *s = \"R\";",
        expect![[r#"
        decl asm: int
        decl typeof: int
        decl R: int
        decl s: pointer to char = "R"
    "#]],
    );
}
