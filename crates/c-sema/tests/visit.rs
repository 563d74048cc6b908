//! The visitor of the typed tree: the evaluations of a function, in order, and its uses of objects.

mod support;

use c_sema::visit::{Use, Visitor, walk_place, walk_value};
use c_syntax::ast::{DeclKind, ExprId, ExprKind, Unit};
use support::{Checked, run};

struct Uses<'a>(&'a Checked, Vec<String>);

impl<'a> Visitor<'a> for Uses<'a> {
    fn unit(&self) -> &'a Unit {
        &self.0.unit
    }
    fn typed(&self) -> &'a c_sema::Typed {
        &self.0.typed
    }
    fn value(&mut self, e: ExprId) {
        if let ExprKind::Call(..) = self.unit().exprs[e].kind {
            self.1.push("call".into());
        }
        walk_value(self, e);
    }
    fn place(&mut self, e: ExprId, how: Use) {
        let text = &self.0.source.text[self.unit().exprs[e].span.range()];
        self.1.push(format!("{how:?} {text}"));
        walk_place(self, e);
    }
}

/// The uses in the body of the last function.
fn uses(text: &str) -> String {
    let checked = run(text, None);
    assert_eq!(checked.messages(), "");
    let last = checked.unit.items.last().expect("a function");
    let DeclKind::Function { body, .. } = checked.unit.decls[*last].kind else { panic!("no function") };
    let mut uses = Uses(&checked, Vec::new());
    uses.stmt(body);
    uses.1.join(", ")
}

#[test]
fn assignments_write_after_their_value() {
    assert_eq!(uses("int a, b; void f(void) { a = b; }"), "Read b, Write a");
    assert_eq!(uses("int a, b; void f(void) { (a) += b++; }"), "Update b, Update a");
    assert_eq!(uses("int a, *p; void f(void) { p = &a; *p = 1; }"), "Address a, Write p, Write *p, Read p");
}

#[test]
fn parts_show_their_whole() {
    let text = "struct s { int m[3]; struct s *next; } x; int i; void f(void) { x.m[i] = x.next->m[0]; }";
    assert_eq!(
        uses(text),
        "Read x.next->m[0], Part x.next->m, Read x.next, Part x, Write x.m[i], Read i, Part x.m, Part x"
    );
}

#[test]
fn arrays_and_functions_become_addresses() {
    let text = "int g(int *); int a[3]; void f(void) { g(a); }";
    assert_eq!(uses(text), "call, Address a, Address g");
}

#[test]
fn what_is_not_evaluated_does_not_come() {
    let text = "int a, b; void f(void) { int n = sizeof(a) + _Generic(a, int: b, default: a); (void)n; }";
    assert_eq!(uses(text), "Read b, Read n");
    let text = "int n; void f(void) { typeof(n) a[n], c[3]; switch (n) case 3: (void)a, (void)c; }";
    assert_eq!(uses(text), "Read n, Read n, Address a, Address c");
}
