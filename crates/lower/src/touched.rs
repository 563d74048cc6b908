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
use crate::program::Program;
use c_syntax::ast::*;
use c_syntax::visit::{Node, children};
use opt::tree::Access;

impl Lower<'_> {
    /// Whether the value of `e` needs to be rewritten (its conversion by the context not included).
    pub(crate) fn touched(&mut self, e: ExprId) -> bool {
        let program = self.program;
        Touched { program, changes: &mut |node| self.changes_in(node) }.value(e)
    }

    /// Whether `e`, in its context, needs to be rewritten.
    pub(crate) fn needs(&mut self, e: ExprId) -> bool {
        self.program.typed.conversion(e).is_some() || self.touched(e)
    }

    /// Whether a statement or declaration has any change in it. Used only for statement expressions, whose
    /// changes are cheap to list.
    fn changes_in(&mut self, node: Node) -> bool {
        let mut changes = Vec::new();
        match node {
            Node::Stmt(s) => {
                let fresh = self.fresh;
                self.edit(&mut changes).stmt(s);
                self.fresh = fresh;
            }
            Node::Decl(d) => self.edit(&mut changes).decl(d),
            _ => {}
        }
        !changes.is_empty()
    }
}

/// The walk that looks for a need.
struct Touched<'t, 'a> {
    program: &'a Program<'a>,
    /// Whether lowering changes anything in a statement or declaration.
    changes: &'t mut dyn FnMut(Node) -> bool,
}

impl Touched<'_, '_> {
    /// Whether the value of `e` needs to be rewritten.
    fn value(&mut self, e: ExprId) -> bool {
        if let Some(known) = self.program.touched(e) {
            return known;
        }
        let is = self.find(e);
        self.program.note_touched(e, is);
        is
    }

    /// Whether `e`, in its context, needs to be rewritten.
    fn needs(&mut self, e: ExprId) -> bool {
        self.program.typed.conversion(e).is_some() || self.value(e)
    }

    fn find(&mut self, e: ExprId) -> bool {
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
            ExprKind::Assign(_, a, _) | ExprKind::Post(_, a) | ExprKind::Pre(_, a)
                if self.program.is_observed(*a) =>
            {
                true
            }
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
        own || self.below(Node::Expr(e))
    }

    /// Whether something directly under a node needs to be rewritten.
    fn below(&mut self, node: Node) -> bool {
        let parts = children(self.program.unit, node);
        let touched = |part: &Node| match *part {
            Node::Expr(e) => self.needs(e),
            Node::Init(init) => self.init(init),
            Node::Stmt(_) | Node::Decl(_) => (self.changes)(*part),
            Node::Specs(s) => self.specs(s),
            Node::Declarator(d) => self.declarator(d),
            Node::TypeName(_) | Node::Record(_) | Node::Enum(_) => self.below(*part),
        };
        parts.iter().any(touched)
    }

    fn init(&mut self, init: InitId) -> bool {
        init::within_braces(self.program, init).is_some() || self.below(Node::Init(init))
    }

    /// Whether specifiers cannot stay as they are.
    fn specs(&mut self, s: SpecsId) -> bool {
        let unit = self.program.unit;
        let specs = &unit.specs[s];
        if specs.quals.iter().any(|q| is_upc(q.kind))
            || self.program.typed.types.is_shared(self.program.typed.specs_ty(s))
        {
            return true;
        }
        self.below(Node::Specs(s))
    }

    /// Whether a declarator holds a pointer-to-shared of its own, or a touched bound or parameter.
    fn declarator(&mut self, d: DeclaratorId) -> bool {
        let own = self.program.unit.declarators[d].parts.iter().any(|part| match part {
            Part::Pointer { quals, .. } => quals.iter().any(|q| is_upc(q.kind)),
            Part::Spread { .. } => true,
            _ => false,
        });
        own || self.below(Node::Declarator(d)) || declarator::cut(self.program, d).is_some()
    }
}

/// Whether an operator on a type is C's.
fn is_c(op: SizeOp) -> bool {
    matches!(op, SizeOp::Sizeof | SizeOp::Alignof)
}
