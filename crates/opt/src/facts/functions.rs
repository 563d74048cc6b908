//! Effects of calls of the file's own functions: an access may be moved over a call if the function leaves
//! its object alone.
//!
//! A summary is derived from the function's definition, and from those of its callees. Nothing is known of a
//! function that calls itself, that waits, has `asm` or accesses to shared memory, or assigns anything except
//! its own variables. Functions of the C library have a row each ([`c_sema::library`]).

use crate::facts::early;
use crate::ir::tree::{Fact, Tree};
use crate::ir::walk::{Definition, definition, has, is_loop};
use c_sema::library;
use c_sema::typed::{SymId, SymKind};
use c_sema::types::Ty;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, Visitor, exists, walk_expr, walk_stmt};

/// The summary of a call of a function of the file.
struct SummaryOf;

impl Fact for SummaryOf {
    type Of = SymId;
    type Value = Summary;

    fn find(tree: &Tree, function: SymId) -> Summary {
        of_function(tree, function)
    }

    /// Nothing is known of a function that calls itself.
    fn meanwhile() -> Option<Summary> {
        Some(Summary::Anything)
    }
}

impl Tree {
    /// The summary of a call of a function of the file.
    pub(crate) fn summary(&self, function: SymId) -> Summary {
        self.fact::<SummaryOf>(function)
    }
}

/// The effects that a call may have, the weakest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Summary {
    /// Nothing is known.
    Anything,
    /// The call assigns nothing, but may read private memory.
    Reads,
    /// The result depends on the arguments alone: the call reads nothing else.
    Arguments,
}

/// The summary of a call of `f`, without the effects of its arguments.
pub(crate) fn of_call(tree: &Tree, f: ExprId) -> Summary {
    let f = tree.unit.bare(f);
    match (tree.typed.library(f), tree.typed.symbol(f)) {
        (Some(row), _) => of_library(row),
        (None, Some(sym)) => tree.summary(sym),
        (None, None) => Summary::Anything,
    }
}

/// The summary of a library function. Mathematical functions without effects read their arguments alone.
pub(crate) fn of_library(row: &library::Entry) -> Summary {
    match row.effects {
        library::Effects::None if row.header == "math.h" || matches!(row.name, "abs" | "labs") => {
            Summary::Arguments
        }
        library::Effects::None => Summary::Reads,
        _ => Summary::Anything,
    }
}

/// Whether a call of `f`, whose result depends on its arguments alone, returns for all arguments: the
/// function divides by safe divisors only ([`early::divides`]), and has no calls, subscripts or loops.
pub(crate) fn returns(tree: &Tree, f: ExprId) -> bool {
    let f = tree.unit.bare(f);
    if tree.typed.library(f).is_some() {
        return true;
    }
    let defined = tree.typed.symbol(f).and_then(|sym| definition(tree, sym));
    let Some(Definition { body, .. }) = defined else { return false };
    let divides = |by: ExprId| !early::divides(&tree.unit, &tree.typed, by);
    let stays = exists(&tree.unit, Any::Stmt(body), |e| match tree.unit.exprs[e].kind {
        ExprKind::Call(..) | ExprKind::Index(..) => true,
        ExprKind::Binary(BinOp::Div | BinOp::Rem, _, by)
        | ExprKind::Assign(Some(BinOp::Div | BinOp::Rem), _, by) => divides(by),
        _ => false,
    });
    let loops = |kind: &StmtKind| is_loop(kind) || matches!(kind, StmtKind::Goto(_) | StmtKind::GotoExpr(_));
    !stays && !has(tree, body, loops)
}

/// Attributes that do not change which definition a call reaches.
const HARMLESS: [&str; 5] = ["unused", "always_inline", "const", "pure", "nonnull"];

/// Whether this definition is the one that calls reach: attributes may say that another definition replaces
/// it, or that it stays separate.
pub(crate) fn is_the_one(tree: &Tree, Definition { specs, declarator, .. }: Definition) -> bool {
    let attrs = tree.unit.specs[specs].attrs.iter().chain(&tree.unit.declarators[declarator].attrs);
    attrs.into_iter().all(|attr| HARMLESS.contains(&&*attr.name))
}

/// The summary of a function.
fn of_function(tree: &Tree, sym: SymId) -> Summary {
    let Some(defined @ Definition { body, .. }) = definition(tree, sym) else { return Summary::Anything };
    if !is_the_one(tree, defined) {
        return Summary::Anything;
    }
    let mut finder = Finder { tree, found: Summary::Arguments };
    finder.stmt(body);
    finder.found
}

struct Finder<'a> {
    tree: &'a Tree,
    found: Summary,
}

impl<'a> Visitor<'a> for Finder<'a> {
    fn unit(&self) -> &'a Unit {
        &self.tree.unit
    }

    fn stmt(&mut self, s: StmtId) {
        match self.tree.unit.stmts[s].kind {
            StmtKind::Asm { .. }
            | StmtKind::Barrier(..)
            | StmtKind::Fence
            | StmtKind::Opaque
            | StmtKind::Error
            | StmtKind::Forall { .. } => self.at_most(Summary::Anything),
            _ => walk_stmt(self, s),
        }
    }

    fn expr(&mut self, e: ExprId) {
        let (typed, q) = (&self.tree.typed, self.tree.typed.ty(e));
        let quals = typed.types.object_quals(q);
        if typed.types.is_shared(q) || quals.is_volatile || quals.is_atomic {
            return self.at_most(Summary::Anything);
        }
        match self.tree.unit.exprs[e].kind {
            ExprKind::Call(f, _) => self.at_most(of_call(self.tree, f)),
            ExprKind::Assign(_, target, _) | ExprKind::Pre(_, target) | ExprKind::Post(_, target)
                if !self.is_own(target) =>
            {
                self.at_most(Summary::Anything)
            }
            ExprKind::Ident(_) => self.named(e),
            ExprKind::Index(a, _) if !self.is_array(a) => self.at_most(Summary::Reads),
            ExprKind::Unary(UnOp::Deref, _) | ExprKind::Member { arrow: true, .. } => {
                self.at_most(Summary::Reads)
            }
            ExprKind::Split(..) | ExprKind::Stmts(_) | ExprKind::LabelAddr(_) | ExprKind::VaArg(..) => {
                self.at_most(Summary::Anything)
            }
            _ => {}
        }
        walk_expr(self, e);
    }
}

impl Finder<'_> {
    fn at_most(&mut self, summary: Summary) {
        self.found = self.found.min(summary);
    }

    fn is_array(&self, e: ExprId) -> bool {
        matches!(self.tree.typed.types.of(self.tree.typed.ty(e)), Ty::Array(..))
    }

    /// Notes a use of a named object: other functions may write one outside of this function, unless it is
    /// constant.
    fn named(&mut self, e: ExprId) {
        let Some(symbol) = self.tree.typed.symbol(e).map(|sym| self.tree.typed.sym(sym)) else { return };
        let constant = self.tree.typed.types.object_quals(symbol.ty).is_const;
        if matches!(symbol.kind, SymKind::Static { .. }) && !constant {
            self.at_most(Summary::Reads);
        }
    }

    /// Whether an object is a variable of the function, or a part of one.
    fn is_own(&self, place: ExprId) -> bool {
        match self.tree.unit.exprs[self.tree.unit.bare(place)].kind {
            ExprKind::Ident(_) => {
                self.tree.typed.symbol(self.tree.unit.bare(place)).is_some_and(|sym| {
                    matches!(self.tree.typed.sym(sym).kind, SymKind::Auto | SymKind::Param)
                })
            }
            ExprKind::Member { base, arrow: false, .. } => self.is_own(base),
            ExprKind::Index(a, _) => self.is_array(a) && self.is_own(a),
            _ => false,
        }
    }
}
