//! Which expressions need a change at all.
//!
//! An expression is touched if it, or something in it, reads, writes or names a shared object, computes with
//! a pointer-to-shared, converts one, contains a type or operator that C does not have, or is computed
//! otherwise by an optimisation. Text that is not touched is passed on unchanged.

use crate::Lower;
use crate::call;
use crate::declarator::{self, is_upc};
use crate::early;
use crate::global;
use crate::init;
use c_syntax::ast::*;
use c_syntax::visit::{Node, children};
use opt::tree::Access;

impl Lower<'_> {
    /// Whether the value of `e` needs to be rewritten (its conversion by the context not included).
    pub(crate) fn touched(&mut self, e: ExprId) -> bool {
        if let Some(known) = self.touched[e.index()] {
            return known;
        }
        let is = self.find_touched(e);
        self.touched[e.index()] = Some(is);
        is
    }

    /// Whether `e`, in its context, needs to be rewritten.
    pub(crate) fn needs(&mut self, e: ExprId) -> bool {
        self.program.typed.conversion(e).is_some() || self.touched(e)
    }

    fn find_touched(&mut self, e: ExprId) -> bool {
        let unit = self.program.unit;
        let computed = matches!(self.program.tree.access(e), Some(Access::Number(_)));
        if computed || self.program.typed.types.is_shared(self.program.typed.ty(e)) {
            return true;
        }
        if early::early_arithmetic(self.program, e).is_some() {
            return true;
        }
        let pts = |e: ExprId| self.program.is_pts(self.program.typed.ty(e));
        let own = match &unit.exprs[e].kind {
            ExprKind::Threads | ExprKind::MyThread | ExprKind::Split(..) => true,
            ExprKind::Index(a, b) => pts(*a) || pts(*b),
            ExprKind::Call(f, args) => {
                global::conversion_call(self.program, *f).is_some()
                    || call::is_atomic(self.program, e)
                    || call::inline_call(self.program, *f)
                    || args.iter().any(|&a| call::is_printed(self.program, *f, a))
            }
            ExprKind::Unary(UnOp::Addr, _) => false,
            ExprKind::Member { base: a, .. }
            | ExprKind::Post(_, a)
            | ExprKind::Pre(_, a)
            | ExprKind::Unary(_, a)
            | ExprKind::Cond(a, ..) => pts(*a),
            ExprKind::Binary(op, a, b) => {
                *op != BinOp::Comma && (pts(*a) || pts(*b) || self.program.typed.is_suspect(e))
            }
            ExprKind::Assign(op, a, _) => op.is_some() && pts(*a),
            // The name of a function that is not called.
            ExprKind::Ident(_) => {
                self.program.typed.is_suspect(e)
                    || self.program.tree.unwritten(self.program.source, e).is_some()
            }
            ExprKind::Number => self.program.tree.unwritten(self.program.source, e).is_some(),
            ExprKind::Cast(t, a) => self.program.is_pts(self.program.typed.type_name(*t)) || pts(*a),
            ExprKind::SizeofExpr(op, a) => !is_c(*op) || pts(*a),
            ExprKind::SizeofType(op, _) => !is_c(*op),
            _ => false,
        };
        own || self.below_touched(Node::Expr(e))
    }

    /// Whether something directly under a node needs to be rewritten.
    fn below_touched(&mut self, node: Node) -> bool {
        let parts = children(self.program.unit, node);
        let touched = |part: &Node| match *part {
            Node::Expr(e) => self.needs(e),
            Node::TypeName(t) => self.type_name_touched(t),
            Node::Init(init) => self.init_touched(init),
            Node::Stmt(s) => self.stmt_touched(s),
            Node::Specs(s) => self.specs_touched(s),
            Node::Declarator(d) => self.declarator_touched(d),
            Node::Record(r) => self.record_touched(r),
            Node::Enum(_) => self.below_touched(*part),
            Node::Decl(d) => self.decl_touched(d),
        };
        parts.iter().any(touched)
    }

    /// Whether a statement has any change in it. Used only for statement expressions, whose changes are cheap
    /// to list.
    fn stmt_touched(&mut self, s: StmtId) -> bool {
        let mut changes = Vec::new();
        let fresh = self.fresh;
        self.stmt(s, &mut changes);
        self.fresh = fresh;
        !changes.is_empty()
    }

    pub(crate) fn init_touched(&mut self, init: InitId) -> bool {
        init::within_braces(self.program, init).is_some() || self.below_touched(Node::Init(init))
    }

    pub(crate) fn type_name_touched(&mut self, t: TypeNameId) -> bool {
        self.below_touched(Node::TypeName(t))
    }

    /// Whether specifiers cannot stay as they are.
    pub(crate) fn specs_touched(&mut self, s: SpecsId) -> bool {
        let unit = self.program.unit;
        let specs = &unit.specs[s];
        if specs.quals.iter().any(|q| is_upc(q.kind))
            || self.program.typed.types.is_shared(self.program.typed.specs_ty(s))
        {
            return true;
        }
        self.below_touched(Node::Specs(s))
    }

    pub(crate) fn record_touched(&mut self, r: RecordSpecId) -> bool {
        self.below_touched(Node::Record(r))
    }

    fn decl_touched(&mut self, d: DeclId) -> bool {
        let mut changes = Vec::new();
        self.decl(d, &mut changes);
        !changes.is_empty()
    }

    /// Whether a declarator holds a pointer-to-shared of its own, or a touched bound or parameter.
    pub(crate) fn declarator_touched(&mut self, d: DeclaratorId) -> bool {
        let own = self.program.unit.declarators[d].parts.iter().any(|part| match part {
            Part::Pointer { quals, .. } => quals.iter().any(|q| is_upc(q.kind)),
            Part::Spread { .. } => true,
            _ => false,
        });
        own || self.below_touched(Node::Declarator(d)) || declarator::cut(self.program, d).is_some()
    }
}

/// Whether an operator on a type is C's.
fn is_c(op: SizeOp) -> bool {
    matches!(op, SizeOp::Sizeof | SizeOp::Alignof)
}
