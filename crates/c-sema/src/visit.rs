//! The visitor of the typed tree: the evaluations of a piece of the program, in order, and its uses of
//! objects.
//!
//! The visitor of the tree (`c_syntax::visit`) shows the written text; this one shows the evaluation. To find
//! the reads, writes, calls and taken addresses of code, implement [`Visitor`], override the methods of
//! interest, and go on below with the `walk_…` function of the same name. Operands come in an order in which
//! they may be evaluated: an assigned value comes before the place that it is assigned to. Unevaluated parts
//! do not come: operands of `sizeof` and `typeof`, types, and the branches that `_Generic` and
//! `__builtin_choose_expr` leave out.
//!
//! Precondition: the piece has been checked.

use crate::typed::Typed;
use crate::types::Ty;
use c_syntax::ast::*;
use c_syntax::visit as tree;

/// The use of the object that an expression designates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// The value is read.
    Read,
    /// The object is written: `=`, and the left side of `:=` and `:-`.
    Write,
    /// The object is read and written: `op=`, `++`, `--`.
    Update,
    /// The address is taken: by `&`, or because the object is an array that becomes a pointer.
    Address,
    /// A part is used, which has come before with its own use.
    Part,
}

/// A walk over evaluations. The default of each method walks below its node.
pub trait Visitor<'a> {
    /// The tree.
    fn unit(&self) -> &'a Unit;
    /// The results of the checks.
    fn typed(&self) -> &'a Typed;

    /// A statement.
    fn stmt(&mut self, s: StmtId) {
        walk_stmt(self, s);
    }
    /// A declaration.
    fn decl(&mut self, d: DeclId) {
        walk_decl(self, d);
    }
    /// An initialiser of an automatic object.
    fn init(&mut self, i: InitId) {
        walk_init(self, i);
    }
    /// An expression that is evaluated, for its value or its effects. A use of an object reaches
    /// [`Visitor::place`] from here.
    fn value(&mut self, e: ExprId) {
        walk_value(self, e);
    }
    /// Expressions of which at most one is evaluated, by the operand before them: the right side of `&&` and
    /// `||`, and the branches of `?:`.
    fn maybe(&mut self, exprs: &[ExprId]) {
        exprs.iter().for_each(|&e| self.value(e));
    }
    /// An object that is used: `e` is its name, or `*p`, `a[i]`, `s.m`, `p->m`, without parentheses around
    /// it.
    fn place(&mut self, e: ExprId, _how: Use) {
        walk_place(self, e);
    }
}

/// An adapter: the visitor of the tree that passes the parts of a statement or initialiser to the other
/// visitor.
struct Evaluated<'v, V: ?Sized>(&'v mut V);

impl<'a, V: Visitor<'a> + ?Sized> tree::Visitor<'a> for Evaluated<'_, V> {
    fn unit(&self) -> &'a Unit {
        self.0.unit()
    }
    fn expr(&mut self, e: ExprId) {
        self.0.value(e);
    }
    fn unevaluated(&mut self, _: ExprId) {}
    fn stmt(&mut self, s: StmtId) {
        self.0.stmt(s);
    }
    fn decl(&mut self, d: DeclId) {
        self.0.decl(d);
    }
    fn init(&mut self, i: InitId) {
        self.0.init(i);
    }
    fn type_name(&mut self, _: TypeNameId) {}
}

/// Visits the expressions that a statement evaluates. Labels of `case`s are constants.
pub fn walk_stmt<'a, V: Visitor<'a> + ?Sized>(v: &mut V, s: StmtId) {
    match &v.unit().stmts[s].kind {
        StmtKind::Case(_, _, body) => v.stmt(*body),
        StmtKind::Asm { operands, .. } => {
            for operand in operands {
                match (operand.reads, operand.writes) {
                    (_, false) => v.value(operand.expr),
                    (false, true) => used(v, operand.expr, Use::Write),
                    (true, true) => used(v, operand.expr, Use::Update),
                }
            }
        }
        _ => tree::walk_stmt(&mut Evaluated(v), s),
    }
}

/// Visits the expressions that a declaration evaluates: lengths of arrays that are not constant, and
/// initialisers.
pub fn walk_decl<'a, V: Visitor<'a> + ?Sized>(v: &mut V, d: DeclId) {
    let unit = v.unit();
    let DeclKind::Vars { items, .. } = &unit.decls[d].kind else { return };
    for item in items {
        for part in &unit.declarators[item.declarator].parts {
            if let Part::Array { size: ArraySize::Expr(e), .. } = part
                && v.typed().constant(*e).is_none()
            {
                v.value(*e);
            }
        }
        item.init.iter().for_each(|&init| v.init(init));
    }
}

/// Visits the expressions of an initialiser. Designators are constants.
pub fn walk_init<'a, V: Visitor<'a> + ?Sized>(v: &mut V, i: InitId) {
    match &v.unit().inits[i].kind {
        InitKind::Expr(e) => v.value(*e),
        InitKind::List(items) => items.iter().for_each(|(_, inner)| v.init(*inner)),
    }
}

/// Visits the operands of an expression, or [`Visitor::place`] for one that reads an object.
pub fn walk_value<'a, V: Visitor<'a> + ?Sized>(v: &mut V, e: ExprId) {
    let unit = v.unit();
    match &unit.exprs[e].kind {
        ExprKind::Paren(a) | ExprKind::Extension(a) => v.value(*a),
        ExprKind::Ident(_)
        | ExprKind::Index(..)
        | ExprKind::Member { .. }
        | ExprKind::Unary(UnOp::Deref, _) => {
            let array = matches!(v.typed().types.of(v.typed().ty(e)), Ty::Array(..) | Ty::Function(_));
            v.place(e, if array { Use::Address } else { Use::Read });
        }
        ExprKind::Unary(UnOp::Addr, a) => used(v, *a, Use::Address),
        ExprKind::Post(_, a) | ExprKind::Pre(_, a) => used(v, *a, Use::Update),
        ExprKind::Assign(op, a, b) => {
            v.value(*b);
            used(v, *a, if op.is_some() { Use::Update } else { Use::Write });
        }
        ExprKind::Split(_, a, b) => {
            v.value(*b);
            used(v, *a, Use::Write);
        }
        ExprKind::Call(f, args) => {
            args.iter().for_each(|&a| v.value(a));
            v.value(*f);
        }
        ExprKind::Generic(_, arms) => match v.typed().generic_choice(e) {
            Some(arm) => v.value(arm),
            None => arms.iter().for_each(|arm| v.value(arm.1)),
        },
        ExprKind::Choose(c, a, b) => match v.typed().constant(*c) {
            Some(0) => v.value(*b),
            Some(_) => v.value(*a),
            None => [a, b].into_iter().for_each(|&e| v.value(e)),
        },
        ExprKind::Compound(_, init) => v.init(*init),
        ExprKind::Binary(BinOp::And | BinOp::Or, a, b) => {
            v.value(*a);
            v.maybe(&[*b]);
        }
        ExprKind::Cond(c, Some(a), b) => {
            v.value(*c);
            v.maybe(&[*a, *b]);
        }
        ExprKind::Cond(c, None, b) => {
            v.value(*c);
            v.maybe(&[*b]);
        }
        _ => tree::walk_expr(&mut Evaluated(v), e),
    }
}

/// Visits the expressions evaluated to find an object, and the whole of which it is a part.
pub fn walk_place<'a, V: Visitor<'a> + ?Sized>(v: &mut V, e: ExprId) {
    match v.unit().exprs[e].kind {
        ExprKind::Ident(_) => {}
        ExprKind::Member { base, arrow: false, .. } => used(v, base, Use::Part),
        ExprKind::Member { base, arrow: true, .. } | ExprKind::Unary(UnOp::Deref, base) => {
            through(v, base);
        }
        ExprKind::Index(a, b) => {
            v.value(b);
            through(v, a);
        }
        _ => v.value(e),
    }
}

/// Visits the pointer that leads to an object, or the array of which the object is an element.
fn through<'a, V: Visitor<'a> + ?Sized>(v: &mut V, pointer: ExprId) {
    match v.typed().types.of(v.typed().ty(pointer)) {
        Ty::Array(..) => used(v, pointer, Use::Part),
        _ => v.value(pointer),
    }
}

/// Visits the object that `e` designates; if it designates none (the struct that a call returns), its value.
fn used<'a, V: Visitor<'a> + ?Sized>(v: &mut V, e: ExprId, how: Use) {
    let unit = v.unit();
    let bare = unit.bare(e);
    match unit.exprs[bare].kind {
        ExprKind::Ident(_)
        | ExprKind::Index(..)
        | ExprKind::Member { .. }
        | ExprKind::Unary(UnOp::Deref, _) => {
            v.place(bare, how);
        }
        _ => v.value(bare),
    }
}
