//! Nodes that optimisations have made ([`opt::tree`]), in C: the names of variables, which no program has,
//! and statements and expressions that have no text of their own.

use crate::edit::Edit;
use crate::{Changes, Lower};
use base::Span;
use c_syntax::ast::*;
use emit::{Piece, seq, splice};
use opt::tree::{Unwritten, Var, Waiting};

/// The name of a made variable in C.
pub(crate) fn name(var: Var) -> String {
    format!("mer_{}{}", var.what, var.number)
}

/// An element of a made buffer in C.
pub(crate) fn element(buffer: Var, at: Var) -> String {
    format!("{}[{}]", name(buffer), name(at))
}

/// The counter of reads under way, as C.
pub(crate) fn counts(waiting: Waiting) -> String {
    match waiting {
        Waiting::Var(var) => name(var),
        Waiting::Of(counts, which) => format!("{}[{}]", name(counts), name(which)),
    }
}

impl Lower<'_> {
    /// The declaration of a variable without a text of its own.
    pub(crate) fn made_variable(&mut self, item: &InitDeclarator) -> Piece {
        let ty = self.program.typed.declarator_ty(item.declarator);
        let declared = self.program.declare_text(ty, self.program.name_of(item.declarator));
        match item.init.and_then(|init| self.program.unit.only_expression(init)) {
            // A parameter may be unused.
            Some(value) => {
                seq![declared, " __attribute__((unused)) = ", self.converted(value).paren(), "; "]
            }
            None => seq![declared, "; "],
        }
    }

    /// An expression that differs from its text ([`opt::Tree::unwritten`]). `None` for a shared object's
    /// name, which C does not have.
    pub(crate) fn made_expr(&mut self, e: ExprId) -> Option<Piece> {
        Some(match self.program.tree.unwritten(self.program.source, e)? {
            Unwritten::Name(_) if self.program.is_shared_place(e) => return None,
            Unwritten::Name(name) => Piece::text(&*name.text),
            Unwritten::Number(number) => Piece::text(number.to_string()),
            Unwritten::Assign(a, b) => seq![self.value(a), " = ", self.converted(b).paren()],
        })
    }
}

impl Edit<'_, '_> {
    /// Changes of a statement without a text of its own.
    pub(crate) fn made(&mut self, s: StmtId) {
        let program = self.lower.program;
        let (unit, span) = (program.unit, program.unit.stmts[s].span);
        let (front, behind) = (Span::new(span.lo, span.lo), Span::new(span.hi, span.hi));
        match &unit.stmts[s].kind {
            StmtKind::Compound(items) => {
                self.changes.push((front, "{ ".into()));
                for &item in items {
                    let of = unit.stmts[item].span;
                    match span.lo <= of.lo && of.hi <= span.hi {
                        true => self.stmt(item),
                        // The copy of a function's body.
                        false => {
                            self.changes.push((front, Piece::Copy(Box::new(self.lower.whole_stmt(item)))))
                        }
                    }
                }
                self.changes.push((behind, " } ".into()));
            }
            &StmtKind::Decl(d) => self.decl(d),
            &StmtKind::If(test, then, _) => {
                self.changes.push((front, seq!["if (", self.lower.condition(test), ") "]));
                self.stmt(then);
            }
            &StmtKind::Expr(Some(e)) => {
                let mut effect = Changes::new();
                self.lower.edit(&mut effect).effect(e);
                self.changes.push((span, seq![splice(program.span(e), effect), "; "]));
            }
            StmtKind::Break => self.changes.push((span, "break; ".into())),
            _ => self.changes.push((span, Piece::empty())),
        }
    }
}
