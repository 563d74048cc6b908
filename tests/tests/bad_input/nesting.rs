//! Constructs that are nested, or follow each other, any number of times.

/// The beginning of each program.
pub const HEAD: &str = "#include <upc.h>\nshared int a[10*THREADS]; shared [] int *p; struct s { int x; };\n";

/// A name, and a function that returns the program with n of the construct.
type Construct = (&'static str, fn(usize) -> String);

fn expression(before: &str, inner: &str, after: &str, n: usize) -> String {
    format!("int g(int); int f(void) {{ return {}{inner}{}; }}\n", before.repeat(n), after.repeat(n))
}

fn statement(before: &str, inner: &str, after: &str, n: usize) -> String {
    format!("void f(int i, int n) {{ {}{inner}{} }}\n", before.repeat(n), after.repeat(n))
}

fn each(n: usize, one: impl Fn(usize) -> String) -> String {
    (0..n).map(one).collect()
}

/// All constructs.
pub const CONSTRUCTS: &[Construct] = &[
    ("parentheses", |n| expression("(", "a[0]", ")", n)),
    ("subscripts", |n| expression("a[", "0", "]", n)),
    ("operators", |n| expression("-~!", "a[0]", "", n)),
    ("casts", |n| expression("(int)", "a[0]", "", n)),
    ("conditions", |n| expression("a[0]?1:", "2", "", n)),
    ("sums", |n| expression("a[0]+", "2", "", n)),
    ("commas", |n| expression("a[0],", "2", "", n)),
    ("calls", |n| expression("g(", "a[0]", ")", n)),
    ("statement-expressions", |n| expression("({", "a[0];", "});", n).replace("; });", "; })")),
    ("sizes", |n| expression("sizeof ", "a", "", n)),
    ("open", |n| format!("int f(void) {{ return {}", "(".repeat(n))),
    ("assignments", |n| statement("a[0]=", "2;", "", n)),
    ("blocks", |n| statement("{", "a[0]=1;", "}", n)),
    ("ifs", |n| statement("if(a[0])", ";", "", n)),
    ("elses", |n| statement("if(i==n) a[0]=i; else ", ";", "", n)),
    ("loops", |n| statement("for(;;)", ";", "", n)),
    ("foralls", |n| statement("upc_forall(i=0;i<3;i++;i)", ";", "", n)),
    ("statements", |n| statement("a[i]=i;", "", "", n)),
    ("walks", |n| statement("for(int i=0;i<n;i++) a[i]+=i;", "", "", n / 10)),
    ("shared-walks", |n| statement("upc_forall(int i=0;i<n;i++;&a[i]) a[i]+=i;", "", "", n / 10)),
    ("cases", |n| {
        statement("", &format!("switch(i){{{}}}", each(n, |k| format!("case {k}: a[0]={k}; break;"))), "", 1)
    }),
    ("labels", |n| statement("", &each(n, |k| format!("l{k}: a[0]=1;")), "", 1)),
    ("locals", |n| statement("", &each(n, |k| format!("int v{k}=a[{}];", k % 10)), "", 1)),
    ("declarator", |n| format!("int {}q;\n", "*".repeat(n))),
    ("declarator-parentheses", |n| format!("int {}q{};\n", "(".repeat(n), ")".repeat(n))),
    ("function-pointers", |n| format!("int {}q{}(void);\n", "(*".repeat(n), ")(void)".repeat(n))),
    ("dimensions", |n| format!("int q{};\n", "[1]".repeat(n))),
    ("shared-dimensions", |n| format!("shared int q{}[THREADS];\n", "[1]".repeat(n))),
    ("initialiser", |n| format!("int q[] = {}1{};\n", "{".repeat(n), "}".repeat(n))),
    ("list", |n| format!("shared [] int z[] = {{{}}};\n", each(n, |k| format!("{k},")))),
    ("structs", |n| format!("{}{}\n", "struct {".repeat(n), "int x;} m;".repeat(n))),
    ("members", |n| {
        format!(
            "struct b {{{}}}; shared struct b b; int f(void) {{ return b.m0; }}\n",
            each(n, |k| format!("int m{k};"))
        )
    }),
    ("enumerators", |n| format!("enum {{{}}};\n", each(n, |k| format!("e{k},")))),
    ("declarations", |n| {
        each(n / 10, |k| format!("shared int v{k}; int g{k}(void) {{ return v{k}+a[{k}]; }}\n"))
    }),
    ("typedefs", |n| {
        let names = each(n / 10, |k| format!("typedef t{k} *t{};\n", k + 1));
        format!("typedef int t0;\n{names}shared t{} z;\n", n / 10)
    }),
    ("errors", |n| each(n / 10, |k| format!("int e{k} = undefined{k};\n"))),
    ("macros", |n| {
        let names = each(n / 10, |k| format!("#define M{} (M{k})\n", k + 1));
        format!("#define M0 a[0]\n{names}int f(void) {{ return M{}; }}\n", n / 10)
    }),
    ("line", |n| format!("int q; /* {} */ shared int z; int w = @;\n", "x".repeat(n * 10))),
    ("name", |n| {
        let name = "x".repeat(n * 10);
        format!("shared int {name};\nint f(void) {{ return {name}; }}\n")
    }),
    ("string", |n| format!("char *q = \"{}\";\n", "x".repeat(n * 10))),
    ("open-blocks", |n| format!("int f(void){}", "{".repeat(n))),
    ("closing-braces", |n| "}".repeat(n)),
    ("semicolons", |n| ";".repeat(n)),
    ("stars", |n| "*".repeat(n)),
    ("quotes", |n| "'".repeat(n)),
    ("digits", |n| {
        let (nines, fs, ones) = ("9".repeat(n), "f".repeat(n), "1".repeat(n));
        let second = format!("shared int r[{nines}*THREADS]; shared [] int s[0x{fs}];");
        format!("shared [{nines}] int q[THREADS];\n{second} shared [-{ones}] int u[THREADS];\n")
    }),
];
