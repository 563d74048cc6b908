//! UPC's additions to the grammar (UPC 1.3, 6.3 to 6.7): layouts of `shared`, `upc_forall`, synchronisation
//! statements, and the pragmas that set whether accesses are strict or relaxed by default.

use super::{Parser, Res};
use crate::ast::*;
use crate::lexer::PragmaKind;
use crate::token::Kind;
use base::{Code, Diagnostic, Span};

impl Parser<'_> {
    /// `shared` with its layout, `strict`, `relaxed` (UPC 6.5).
    pub(super) fn shared_qualifier(&mut self) -> Res<Qual> {
        let token = self.bump();
        let kind = match token.kind {
            Kind::Strict => QualKind::Strict,
            Kind::Relaxed => QualKind::Relaxed,
            _ if self.at(Kind::LBracket) => {
                let layout = self.bracketed(Kind::LBracket, Kind::RBracket, "to end the layout", |p| {
                    Ok(match p.peek() {
                        Kind::RBracket => Layout::Indefinite,
                        Kind::Star if p.peek_at(1) == Kind::RBracket => {
                            p.bump();
                            Layout::Star
                        }
                        _ => Layout::Expr(p.expression()?),
                    })
                })?;
                QualKind::Shared(layout.unwrap_or(Layout::Default))
            }
            _ => QualKind::Shared(Layout::Default),
        };
        Ok(Qual { span: self.since(token.span.lo), kind })
    }

    /// `upc_forall (…; …; …; affinity) statement` (UPC 6.6.2).
    pub(super) fn upc_forall(&mut self) -> Res<StmtId> {
        let keyword = self.bump().span;
        self.scoped(|p| {
            let head = p.bracketed(Kind::LParen, Kind::RParen, "after `upc_forall`", |p| {
                let (init, cond, step) = p.for_clauses()?;
                let affinity = p.affinity(keyword)?;
                Ok((init, cond, step, affinity))
            })?;
            let body = p.substatement();
            let span = p.since(keyword.lo);
            match head {
                Some((init, cond, step, affinity)) => {
                    p.stmt(span, StmtKind::Forall { init, cond, step, affinity, body })
                }
                None => Ok(p.error_stmt(span)),
            }
        })
    }

    /// Reads the fourth clause, from its semicolon to before the parenthesis.
    fn affinity(&mut self, keyword: Span) -> Res<Affinity> {
        if self.at(Kind::RParen) {
            self.report(
                Diagnostic::error(
                    Code::ForallClauses,
                    self.here(),
                    "`upc_forall` needs a fourth clause, the affinity",
                )
                .label("`;` and the affinity are missing here")
                .also(keyword, "in this loop")
                .help("write `; i)` or `; &a[i])` to divide the iterations, or `;)` to run all iterations on every thread"),
            );
            return Ok(Affinity::None);
        }
        self.expect(Kind::Semi, "before the affinity of `upc_forall`")?;
        Ok(match self.peek() {
            Kind::RParen => Affinity::None,
            Kind::Continue => {
                self.bump();
                Affinity::Continue
            }
            _ => Affinity::Expr(self.expression()?),
        })
    }

    /// `upc_notify e;`, `upc_wait e;`, `upc_barrier e;` (UPC 6.6.1).
    pub(super) fn barrier(&mut self, kind: BarrierKind) -> Res<StmtId> {
        let keyword = self.bump();
        let value = match self.peek() {
            Kind::Semi => None,
            _ if self.on_new_line() => None,
            Kind::LParen if self.peek_at(1) == Kind::RParen => {
                self.empty_parentheses();
                None
            }
            _ => Some(self.expression()?),
        };
        self.semicolon(&format!("`{}`", keyword.kind.text()))?;
        self.stmt(self.since(keyword.span.lo), StmtKind::Barrier(kind, value))
    }

    /// Reports `()` after a statement of UPC, which is written as if it were a call.
    fn empty_parentheses(&mut self) {
        let word = self.slice(self.last());
        let open = self.bump().span;
        let span = Span::new(open.lo, self.bump().span.hi);
        let message = format!("`{word}` is a statement, not a function");
        self.report(Diagnostic::error(Code::Expected, span, message).help(format!("write `{word};`")));
    }

    /// `upc_fence;`
    pub(super) fn fence(&mut self) -> Res<StmtId> {
        let keyword = self.bump().span;
        if self.at(Kind::LParen) && self.peek_at(1) == Kind::RParen {
            self.empty_parentheses();
        }
        self.semicolon("`upc_fence`")?;
        self.stmt(self.since(keyword.lo), StmtKind::Fence)
    }

    /// Applies the pragmas that stand just before the next token. Called at the places where the standard
    /// allows them (UPC 6.7.1: outside external declarations, and first in a compound statement). Pragmas
    /// passed since the last call stood elsewhere, and get a warning.
    pub(super) fn pragmas_take_effect(&mut self) {
        self.pragmas_misplaced();
        while let Some(pragma) = self.pragmas.get(self.next_pragma) {
            if pragma.token != self.pos {
                break;
            }
            let strict = match &pragma.kind {
                PragmaKind::Strict => true,
                PragmaKind::Relaxed => false,
                PragmaKind::Unknown(_) => {
                    self.unknown_pragma(self.next_pragma);
                    self.next_pragma += 1;
                    continue;
                }
            };
            let (span, at) = (pragma.span, pragma.span.hi);
            if pragma.more {
                let message = "extra words after `#pragma upc strict` or `relaxed`";
                let diagnostic = Diagnostic::warning(Code::PragmaPlacement, span, message)
                    .label("these words have no meaning; the pragma takes effect")
                    .help("leave them out");
                self.report(diagnostic);
            }
            self.next_pragma += 1;
            self.set_strict(at, strict);
        }
    }

    /// Warns of the pragmas passed since the last look at them.
    pub(super) fn pragmas_misplaced(&mut self) {
        while let Some(pragma) = self.pragmas.get(self.next_pragma) {
            if pragma.token >= self.pos {
                break;
            }
            match &pragma.kind {
                PragmaKind::Unknown(_) => self.unknown_pragma(self.next_pragma),
                _ => {
                    let message = "this pragma has no effect here";
                    let diagnostic = Diagnostic::warning(Code::PragmaPlacement, pragma.span, message).help(
                        "put the pragma outside of functions, or first in a block, before the declarations",
                    );
                    self.report(diagnostic);
                }
            }
            self.next_pragma += 1;
        }
    }

    fn unknown_pragma(&mut self, index: usize) {
        let pragma = &self.pragmas[index];
        let PragmaKind::Unknown(word) = &pragma.kind else { return };
        let message = format!("unknown pragma `upc {word}`");
        let diagnostic = Diagnostic::warning(Code::PragmaPlacement, pragma.span, message)
            .help("there are `#pragma upc strict` and `#pragma upc relaxed`");
        self.report(diagnostic);
    }

    /// Makes accesses from this offset on strict, or relaxed, by default.
    pub(super) fn set_strict(&mut self, at: u32, strict: bool) {
        if self.strict != strict {
            self.strict = strict;
            self.unit.strictness.push((at, strict));
        }
    }
}
