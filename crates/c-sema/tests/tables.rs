//! The results of the checks, as later components read them: types, constants, conversions, paths of
//! initialisers.

mod support;

use c_sema::typed::Step;
use c_syntax::ast::ExprId;
use support::{Checked, accept, run};

/// The last expression with exactly this text.
fn find(c: &Checked, text: &str) -> ExprId {
    let mut ids: Vec<ExprId> = c.unit.exprs.ids().collect();
    ids.retain(|&e| c.source.slice(c.unit.exprs[e].span) == text);
    *ids.last().unwrap_or_else(|| panic!("no expression `{text}`"))
}

fn ty(c: &Checked, text: &str) -> String {
    c.typed.types.show(c.typed.ty(find(c, text)))
}

fn conversion(c: &Checked, text: &str) -> Option<String> {
    c.typed.conversion(find(c, text)).map(|t| c.typed.types.show(t))
}

fn clean(text: &str) -> Checked {
    let mut c = run(text, None);
    // The texts name expressions that do nothing.
    c.diagnostics.retain(|d| d.code != base::Code::NoEffect);
    assert_eq!(c.messages(), "");
    c
}

#[test]
fn types_of_shared_things() {
    let c = clean(
        "typedef struct { int m; double v[3]; shared int *link; struct { char deep; } in; } rec;\n\
         shared [2] rec r[4*THREADS]; strict shared rec one; shared [5] int a[THREADS][10]; \
         shared [] int *ip;\n\
         shared [*] char st[7*THREADS];\n\
         void f(shared [3] rec *p, int n) {\n\
         r[n].m; p->v; p->v[1]; p->link; one.in.deep; &one.m; a[n]; &a[n]; &a[n][2]; *ip; ip + 1; &r[n]; \
         *p->link;\n\
         st[0]; &st; upc_localsizeof(a); MYTHREAD; p->in; }",
    );
    for (text, expected) in [
        ("r[n]", "shared [2] rec"),
        ("r[n].m", "shared [] int"),
        ("p->v", "shared [] double [3]"),
        ("p->v[1]", "shared [] double"),
        ("p->link", "shared int *shared []"),
        ("*p->link", "shared int"),
        ("one.in.deep", "strict shared [] char"),
        ("&one.m", "strict shared [] int *"),
        ("a[n]", "shared [5] int [10]"),
        ("&a[n]", "shared [5] int (*)[10]"),
        ("&a[n][2]", "shared [5] int *"),
        ("*ip", "shared [] int"),
        ("ip + 1", "shared [] int *"),
        ("&r[n]", "shared [2] rec *"),
        ("st[0]", "shared [7] char"),
        ("&st", "shared [7] char (*)[7*THREADS]"),
        ("MYTHREAD", "int"),
    ] {
        assert_eq!(ty(&c, text), expected, "{text}");
    }
}

#[test]
fn arithmetic_conversions() {
    let c = clean(
        "unsigned u; long l; char ch; float fl; unsigned short us; unsigned long ul; long long ll; _Bool b;\n\
         struct { unsigned bit : 3; unsigned long wide : 40; } s; enum e { A } en;\n\
         void f(void) { u + l; ch + ch; fl + l; us << l; u + 1; ul + ll; b + b; s.bit + 1; s.wide + 0; \
         en + 0; -us; !fl;\n\
         u < l; 1 ? ch : u; 'a'; L'a'; 1.0f + 1; (l, fl); ll ? 0 : l; }",
    );
    for (text, expected) in [
        ("u + l", "long"),
        ("ch + ch", "int"),
        ("fl + l", "float"),
        ("us << l", "int"),
        ("u + 1", "unsigned int"),
        ("ul + ll", "unsigned long long"),
        ("b + b", "int"),
        ("s.bit + 1", "int"),
        ("en + 0", "unsigned int"),
        ("-us", "int"),
        ("!fl", "int"),
        ("u < l", "int"),
        ("1 ? ch : u", "unsigned int"),
        ("'a'", "int"),
        ("1.0f + 1", "float"),
        ("l, fl", "float"),
        ("ll ? 0 : l", "long"),
    ] {
        assert_eq!(ty(&c, text), expected, "{text}");
    }
}

#[test]
fn implicit_conversions_of_pointers_to_shared() {
    let c = clean(
        "shared int *p, arr[THREADS]; shared [4] int *b; shared void *v; shared int x; \
         void take(shared void *, int);\n\
         struct n { shared int *l; shared void *g; } pair = { 0, &x };\n\
         shared void *f(int k) {\n\
         p = 00; v = b; take(p + 1, 3); v = k ? b + 2 : v; k = p == 0x0; k = v == b + 3; p = arr; \
         p = p + 5;\n\
         struct n local = (struct n){ .g = p + 7, .l = (void *)0 };\n\
         if (p) k = !p; k = p && b; return p + 9; }",
    );
    for (text, expected) in [
        ("00", Some("shared int *")),
        ("b", Some("shared void *")),
        ("p + 1", Some("shared void *")),
        ("3", None),
        ("b + 2", Some("shared void *")),
        ("0x0", Some("shared int *")),
        ("b + 3", Some("shared void *")),
        ("arr", None),
        ("p + 5", None),
        ("p + 7", Some("shared void *")),
        ("(void *)0", Some("shared int *")),
        ("p + 9", Some("shared void *")),
        ("&x", Some("shared void *")),
        ("0", Some("shared int *")),
    ]
    .map(|(text, e)| (text, e.map(str::to_owned)))
    {
        let found = match text {
            // The plain 0 of the initialiser is not the last one of the text.
            "0" => {
                let first =
                    c.unit.exprs.ids().find(|&e| c.source.slice(c.unit.exprs[e].span) == "0").unwrap();
                c.typed.conversion(first).map(|t| c.typed.types.show(t))
            }
            // The last `b` is an operand of `&&`, which converts nothing.
            "b" => {
                let all = c.unit.exprs.ids().filter(|&e| c.source.slice(c.unit.exprs[e].span) == "b");
                all.filter_map(|e| c.typed.conversion(e)).map(|t| c.typed.types.show(t)).next()
            }
            _ => conversion(&c, text),
        };
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn constants() {
    let c = clean(
        "enum { A = 3, B = A * 2, C }; shared [4] int a[10*THREADS]; shared [] char d[100]; \
         struct s { char c; int i; };\n\
         unsigned long x1 = upc_localsizeof(a), x2 = upc_blocksizeof(a), x3 = upc_elemsizeof(a), \
         x4 = upc_localsizeof(d);\n\
         unsigned long x5 = sizeof(shared int *) + sizeof(shared [2] int *) * 100, x6 = sizeof d;\n\
         int y1 = C, y2 = -1 < 0u, y3 = (int)2.75, y4 = 7 / 2 * 'a', y5 = (unsigned char)300, \
         y6 = 1 ? 2 : 3;\n\
         int y7 = sizeof \"ab\" \"cd\", y8 = (char)200, y9 = ~0 >> 1, y10 = !0 && 2;\n\
         unsigned long f(void) { return sizeof a; }",
    );
    let value = |text: &str| c.typed.constant(find(&c, text));
    for (text, expected) in [
        ("C", Some(7)),
        ("upc_localsizeof(a)", Some(48)),
        ("upc_blocksizeof(a)", Some(4)),
        ("upc_elemsizeof(a)", Some(4)),
        ("upc_localsizeof(d)", Some(100)),
        ("sizeof(shared int *) + sizeof(shared [2] int *) * 100", Some(1608)),
        ("sizeof d", Some(100)),
        ("-1 < 0u", Some(0)),
        ("(int)2.75", Some(2)),
        ("7 / 2 * 'a'", Some(291)),
        ("(unsigned char)300", Some(44)),
        ("1 ? 2 : 3", Some(2)),
        ("sizeof \"ab\" \"cd\"", Some(5)),
        ("(char)200", Some(-56)),
        ("~0 >> 1", Some(-1)),
        ("!0 && 2", Some(1)),
        ("sizeof a", None),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

/// The numbers are gcc's.
#[test]
fn layouts_of_structs() {
    accept(
        "struct a { char c; int i; char d; }; _Static_assert(sizeof(struct a) == 12, \"\");\n\
         struct b { char c; double d; } __attribute__((packed)); \
         _Static_assert(sizeof(struct b) == 9, \"\");\n\
         struct c { int a : 3, b : 30, c; char d : 4; }; _Static_assert(sizeof(struct c) == 16, \"\");\n\
         struct d { char a; int : 0; char b; }; _Static_assert(sizeof(struct d) == 5, \"\");\n\
         struct e { char a; long b : 5; int c : 20; }; _Static_assert(sizeof(struct e) == 8, \"\");\n\
         struct f { char n; int data[]; }; _Static_assert(sizeof(struct f) == 4, \"\");\n\
         struct g { char c; int x __attribute__((aligned(16))); }; \
         _Static_assert(sizeof(struct g) == 32, \"\");\n\
         struct h { char c; _Alignas(8) char d; }; _Static_assert(sizeof(struct h) == 16, \"\");\n\
         union u { char c[5]; short s; }; _Static_assert(sizeof(union u) == 6, \"\");\n\
         typedef int wide __attribute__((aligned(32))); struct i { char c; wide w; }; \
         _Static_assert(sizeof(struct i) == 64, \"\");\n\
         struct j { struct { char a; union { long b; char c; }; }; char d; }; \
         _Static_assert(__builtin_offsetof(struct j, d) == 16, \"\");\n\
         #pragma pack(push, 2)\nstruct k { char c; long l; }; _Static_assert(sizeof(struct k) == 10, \"\");\n\
         #pragma pack(pop)\nstruct l { char c; long l; }; _Static_assert(sizeof(struct l) == 16, \"\");\n\
         struct m { long double x; char y; }; \
         _Static_assert(sizeof(struct m) == 32 && _Alignof(struct m) == 16, \"\");\n\
         struct n { _Complex float z; char c; __int128 w; }; _Static_assert(sizeof(struct n) == 32, \"\");\n\
         enum small { X } __attribute__((packed)); _Static_assert(sizeof(enum small) == 1, \"\");\n\
         struct o { int a; char b[0]; }; \
         _Static_assert(sizeof(struct o) == 4 && sizeof(struct { }) == 0, \"\");\n",
    );
}

#[test]
fn ways_to_the_parts_of_an_initialiser() {
    let c = clean(
        "shared int v[60*THREADS]; struct s { shared int *a; struct { shared int *b, *c; }; \
         shared int *d[3]; } x[] = {\n\
         { &v[10], &v[11], &v[12], { &v[13] } }, &v[20], &v[21], &v[22], &v[23], [4].d[1] = &v[40], &v[41],\n\
         { .c = &v[50] } };",
    );
    let path = |text: &str| {
        let steps = c.typed.init_path(find(&c, text)).iter().map(|s| match s {
            Step::Field(name) => format!(".{name}"),
            Step::Index(i) => format!("[{i}]"),
            Step::Range(a, b) => format!("[{a} ... {b}]"),
        });
        steps.collect::<String>()
    };
    for (text, expected) in [
        ("&v[10]", "[0].a"),
        ("&v[12]", "[0].c"),
        ("&v[13]", "[0].d[0]"),
        ("&v[20]", "[1].a"),
        ("&v[21]", "[1].b"),
        ("&v[23]", "[1].d[0]"),
        ("&v[40]", "[4].d[1]"),
        ("&v[41]", "[4].d[2]"),
        ("&v[50]", "[5].c"),
    ] {
        assert_eq!(path(text), expected, "{text}");
    }
    let sym = c.typed.symbols.iter().find(|s| &*s.name == "x").unwrap();
    assert_eq!(c.typed.types.show(sym.ty), "struct s [6]");
}

#[test]
fn addresses_that_are_taken() {
    let c = clean(
        "struct s { int a[3]; } x, y, z, *p; void f(int n) { int m; &x.a[1]; n = y.a[n]; p = &z; &p->a; \
         &m; }",
    );
    let taken = |name: &str| c.typed.symbols.iter().find(|s| &*s.name == name).unwrap().address_taken;
    assert_eq!(["x", "y", "z", "p", "m", "n"].map(taken), [true, false, true, false, true, false]);
}

#[test]
fn the_arm_of_a_generic() {
    let c = clean(
        "shared int *p; shared [2] int *q; \
         int f(void) { return _Generic(q, shared int *: 1, shared [2] int *: 2, default: 3); }",
    );
    let arm = c.unit.exprs.ids().find_map(|e| c.typed.generic_choice(e)).unwrap();
    assert_eq!(c.typed.constant(arm), Some(2));
}

#[test]
fn no_star_is_left() {
    let c = clean("shared [*] int a[6*THREADS], b[2*THREADS];");
    let shown: Vec<String> = c.typed.symbols.iter().map(|s| c.typed.types.show(s.ty)).collect();
    assert_eq!(shown, ["shared [6] int [6*THREADS]", "shared [2] int [2*THREADS]"]);
    let fixed = run("shared [*] int c[13];", Some(4));
    assert_eq!(fixed.typed.types.show(fixed.typed.symbols[0].ty), "shared [4] int [13]");
}
