//! The compiler judges whether the tree is right: the text with every expression put in parentheses and every
//! substatement in braces, as the tree has them, must compile to the same assembly.

mod common;

use base::Source;
use c_syntax::{Dialect, ast::*};
use common::{compiler, on_big_stack, preprocess, walk, walk::Node};
use tests::has_commands;
use tests::trial::{Ran, Skip, trial};

/// An insertion: offset, then whether it closes, then an order among equals, then the text.
type Insertion = (u32, bool, i64, &'static str);

/// Returns true for expressions that parentheses do not change. Others are string literals (initialisers of
/// arrays) and names (which attributes and builtins examine); callees stay bare, since builtins must.
fn takes_parentheses(kind: &ExprKind) -> bool {
    use ExprKind::*;
    matches!(
        kind,
        Binary(..)
            | Assign(..)
            | Cond(..)
            | Cast(..)
            | Unary(..)
            | Post(..)
            | Pre(..)
            | Index(..)
            | Member { .. }
    ) || matches!(kind, SizeofExpr(..) | SizeofType(..) | Number | Char)
}

fn substatements(kind: &StmtKind) -> Vec<StmtId> {
    match kind {
        StmtKind::If(_, then, other) => std::iter::once(*then).chain(*other).collect(),
        StmtKind::While(_, body) | StmtKind::Do(body, _) | StmtKind::For { body, .. } => vec![*body],
        _ => Vec::new(),
    }
}

fn explicit(source: &Source, unit: &Unit) -> String {
    let mut insertions: Vec<Insertion> = Vec::new();
    for (order, node) in walk::all(unit).into_iter().enumerate() {
        let order = order as i64;
        let mut wrap = |span: base::Span, open, close| {
            // Outer expressions open first and close last; parents come before children in `order`.
            insertions.push((span.lo, true, order, open));
            insertions.push((span.hi, false, -order, close));
        };
        match node {
            Node::Expr(id) if takes_parentheses(&unit.exprs[id].kind) => wrap(unit.exprs[id].span, "(", ")"),
            Node::Stmt(id) => {
                for body in substatements(&unit.stmts[id].kind) {
                    if !matches!(unit.stmts[body].kind, StmtKind::Compound(_)) {
                        wrap(unit.stmts[body].span, "{", "}");
                    }
                }
            }
            _ => {}
        }
    }
    insertions.sort();
    let mut out = String::with_capacity(source.text.len() * 2);
    let mut done = 0;
    for (at, _, _, text) in insertions {
        out.push_str(&source.text[done..at as usize]);
        out.push_str(text);
        done = at as usize;
    }
    out.push_str(&source.text[done..]);
    out
}

/// The code, without the lines that name the file or the compiler.
fn assembly(cc: &str, text: &str) -> Option<String> {
    let out = compiler(cc, &["-S", "-O1", "-o", "-"], text)?;
    Some(out.lines().filter(|l| !l.contains(".file") && !l.contains(".ident")).collect::<Vec<_>>().join("\n"))
}

fn check(cc: &str, preprocessed: String) {
    let Some(expected) = assembly(cc, &preprocessed) else {
        panic!("{cc} does not compile the test's program")
    };
    let source = Source::new(preprocessed);
    let (unit, diagnostics) = c_syntax::parse(&source, Dialect::default());
    assert!(diagnostics.is_empty(), "{}", base::render(&diagnostics, &source, false));
    let rewritten = explicit(&source, &unit);
    let found = assembly(cc, &rewritten).unwrap_or_else(|| panic!("{cc} refuses the rewritten text"));
    if let Some((line, (a, b))) = expected.lines().zip(found.lines()).enumerate().find(|(_, (a, b))| a != b) {
        panic!("line {line} of the assembly was {a:?} and became {b:?}");
    }
    assert_eq!(expected.lines().count(), found.lines().count());
}

const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
typedef struct node { struct node *left, *right; int key : 7; double (*f[2])(double); } node;
enum { A = 1 + 2 * 3, B = A << 2 | 1, C = sizeof(node) * 2 - 1 };
static int table[B % 7 + 2] = { [0] = A ? B : C, [1 ... 2] = -1 - -1 };
static int depth(const node *n) { return n ? 1 + (depth(n->left) > depth(n->right) ? depth(n->left) : depth(n->right)) : 0; }
int mix(int a, int b, int c) {
    int r = a + b * c - a / (b ? b : 1) % 7 << 2 ^ a & b | c && a || !b;
    r += a = b -= c, r *= 2;
    if (a) if (b) r++; else r--; else if (c) r = ~r; else r = -r;
    for (int i = 0, *p = &r; i < 10; i++, ++*p) while (a-- > b++) do r ^= a; while (r & 1);
    switch (r) { case 1: case 2: if (a) return 1; else default: return 2; case 5 ... 9: break; }
    unsigned char d = (unsigned char)a + (char)-b * *&c, *q = &d, **qq = &q;
    r += **qq++ + (*qq == q ? *q++ : *--q) + sizeof d * sizeof(int) + ((int[]){ 1, 2, 3 })[a & 1];
    return r ?: a > b > c == b != (a <= c) >= 1;
}
double sum(node *n, int k) { return n->f[k & 1](n->key + .5) * 2 - (n->left ? sum(n->left, k + 1) : (double)table[k]); }
int main(int argc, char **argv) {
    node *n = calloc(1, sizeof *n);
    n->f[0] = sin; n->f[1] = &cos;
    int t = ({ int u = argc * 2; u > 3 ? u : -u; });
    printf("%d %f %s\n", mix(argc, t, depth(n)), sum(n, 0), argc > 1 ? argv[1] + 1 : "none" "such");
    return !!strcmp(argv[0], "x") - 1;
}
"#;

fn explicit_text_compiles_to_the_same(cc: &'static str) -> Ran {
    has_commands(&[cc])?;
    on_big_stack(move || {
        let text = preprocess(cc, PROGRAM).expect("the program is C");
        check(cc, text);
    });
    Ok(())
}

/// Preprocessed files given in `MERIDIAN_I_FILES`, separated by colons.
fn given_files_compile_to_the_same() -> Ran {
    let files = std::env::var("MERIDIAN_I_FILES")
        .map_err(|_| Skip("only where MERIDIAN_I_FILES=file.i:… is set".into()))?;
    on_big_stack(move || {
        for file in files.split(':') {
            println!("{file}");
            let text = std::fs::read(file).expect("a readable file");
            check("gcc", String::from_utf8_lossy(&text).into_owned());
        }
    });
    Ok(())
}

fn main() {
    let mut trials = tests::trials![given_files_compile_to_the_same];
    for cc in ["gcc", "clang"] {
        let test = move || explicit_text_compiles_to_the_same(cc);
        trials.push(trial(format!("explicit text compiles to the same, {cc}"), test));
    }
    tests::trial::run(trials);
}
