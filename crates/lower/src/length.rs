//! Lengths of arrays that are known only at run time (Split-C and AC).
//!
//! A length that depends only on PROCS is spelled at each use. Other lengths are computed and kept at the
//! declaration of the array, because the objects in the expression may change later. In a cast the expression
//! is evaluated in place.

use crate::Lower;
use crate::decl;
use crate::edit::Edit;
use crate::entry;
use crate::program::Program;
use base::Span;
use c_sema::types::{Len, QTy, Ty};
use c_syntax::ast::*;
use emit::{Piece, seq};

impl Lower<'_> {
    /// Before a declaration: the constants that keep its lengths.
    pub(crate) fn keep_lengths(&mut self, d: DeclaratorId) -> Piece {
        let unit = self.program.unit;
        let mut named = Vec::new();
        self.program.runtime_lengths(self.program.typed.declarator_ty(d), &mut named);
        let mut out = Vec::new();
        for part in &unit.declarators[d].parts {
            if let Part::Array { size: ArraySize::Expr(e), .. } = part
                && named.contains(e)
                && !self.program.of_procs(*e)
            {
                let value = self.converted(*e).flat();
                let name = kept_name(*e);
                out.push(seq![
                    format!("const mer_i64 {name} __attribute__((unused)) = (mer_i64)("),
                    value,
                    "); "
                ]);
                self.program.keep_length(*e);
            }
        }
        Piece::Seq(out)
    }
}

impl Edit<'_, '_> {
    /// Keeps the lengths of the parameters of a function, at the beginning of its body.
    pub(crate) fn keep_parameter_lengths(&mut self, d: DeclaratorId, kr: &[DeclId], body: StmtId) {
        let program = self.lower.program;
        let unit = program.unit;
        let Some(Part::Function { params, .. }) = unit.declarators[d].parts.first() else { return };
        let mut out = Vec::new();
        for &param in params.iter().chain(kr) {
            let DeclKind::Vars { items, .. } = &unit.decls[param].kind else { continue };
            for item in items {
                if decl::is_rewritten(program, self.lower.function == 0, param) {
                    out.push(self.lower.keep_lengths(item.declarator));
                }
            }
        }
        let at = entry::begin(program, body);
        if !out.is_empty() {
            self.changes.push((Span::new(at, at), Piece::Seq(out).flat()));
        }
    }
}

impl Program<'_> {
    /// A length as C of type mer_i64.
    pub(crate) fn length(&self, e: ExprId) -> String {
        if let Some(formula) = self.formula(e, false) {
            return format!("((mer_i64){formula})");
        }
        if self.keeps_length(e) {
            return kept_name(e);
        }
        let text = || self.text(self.span(e)).replace('\n', " ");
        format!("((mer_i64)({}))", self.formula(e, true).unwrap_or_else(text))
    }

    /// Whether a length depends only on PROCS.
    fn of_procs(&self, e: ExprId) -> bool {
        self.formula(e, false).is_some()
    }

    /// An integer expression of constants and PROCS as C, if `names` also of private objects and MYPROC;
    /// `None` for any other.
    fn formula(&self, e: ExprId, names: bool) -> Option<String> {
        if let Some(n) = self.typed.constant(e) {
            return Some(format!("(mer_i64){n}"));
        }
        match &self.unit.exprs[e].kind {
            ExprKind::Threads => Some("MER_THREADS".into()),
            ExprKind::MyThread if names => Some("MER_MYTHREAD".into()),
            ExprKind::Ident(name) if names && !self.is_shared_place(e) => Some(name.text.to_string()),
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.formula(*a, names),
            ExprKind::Cast(_, a) if matches!(self.typed.types.of(self.typed.ty(e)), Ty::Int(_)) => {
                Some(format!("(({}){})", self.type_text(self.typed.ty(e)), self.formula(*a, names)?))
            }
            ExprKind::Unary(UnOp::Minus, a) => Some(format!("(-{})", self.formula(*a, names)?)),
            ExprKind::Binary(op, a, b) if *op != BinOp::Comma => {
                let (x, y) = (self.formula(*a, names)?, self.formula(*b, names)?);
                Some(format!("({x} {} {y})", self.operator_between(*a, *b)))
            }
            ExprKind::Cond(c, Some(a), b) => {
                let (c, a) = (self.formula(*c, names)?, self.formula(*a, names)?);
                Some(format!("({c} ? {a} : {})", self.formula(*b, names)?))
            }
            _ => None,
        }
    }

    /// Whether the size of a static shared object is known only when the program starts.
    pub(crate) fn sized_at_start(&self, q: QTy) -> bool {
        let types = &self.typed.types;
        let element = types.element(q);
        self.everything()
            && types.is_shared(q)
            && (self.count(q).lengths[0].is_some()
                || matches!(types.of(element), Ty::Array(..)) && types.size_of(element).is_none())
    }

    /// Whether the size of a spread or dist type is unknown to C.
    pub(crate) fn sized_by_procs(&self, q: QTy) -> bool {
        self.everything()
            && matches!(self.typed.types.of(q), Ty::Array(..))
            && self.typed.types.is_variable(q)
    }

    /// The expressions of the lengths in a type that are known only at run time.
    fn runtime_lengths(&self, q: QTy, out: &mut Vec<ExprId>) {
        match self.typed.types.of(q) {
            Ty::Array(elem, len) => {
                if let Len::Runtime(e) = len {
                    out.push(*e);
                }
                self.runtime_lengths(*elem, out);
            }
            Ty::Pointer(to) => self.runtime_lengths(*to, out),
            _ => {}
        }
    }
}

/// The constant that holds a length, declared before the array.
fn kept_name(e: ExprId) -> String {
    format!("mer_len_{}", e.index())
}
