//! Statements.

use super::{Failed, Parser, Res};
use crate::ast::*;
use crate::token::Kind;
use base::{Code, Diagnostic, Span};

/// The part of a label before its colon.
enum Label {
    Case(ExprId, Option<ExprId>),
    Default,
    Name(Name),
}

impl Parser<'_> {
    /// Whether the next name is a label: not the left side of Split-C's `:=` or `:-`.
    fn label_follows(&self) -> bool {
        self.peek_at(1) == Kind::Colon && self.split_operator_at(self.pos + 1).is_none()
    }

    /// Reads `{ … }` in a scope of its own. Fails only if there is no brace here.
    pub(super) fn compound(&mut self) -> Res<StmtId> {
        let open = self.expect(Kind::LBrace, "")?;
        let strict = self.strict;
        self.pragmas_take_effect();
        let items = self.scoped(|p| {
            let mut items = Vec::new();
            while !matches!(p.peek(), Kind::RBrace | Kind::Eof) {
                let item = p.block_item();
                items.push(item);
            }
            Ok(items)
        })?;
        if self.eat(Kind::RBrace).is_none() {
            let diagnostic = Diagnostic::error(Code::Expected, open, "this `{` is never closed");
            self.report(diagnostic.help("add the missing `}`"));
        }
        self.pragmas_misplaced();
        let span = self.since(open.lo);
        self.set_strict(span.hi, strict);
        self.stmt(span, StmtKind::Compound(items))
    }

    /// Reads a statement or declaration in a block; skips unreadable text.
    fn block_item(&mut self) -> StmtId {
        let start = self.pos;
        let scope = self.scopes.depth();
        self.nested(|p| if p.declaration_begins() { p.declaration_statement() } else { p.statement() })
            .unwrap_or_else(|_| self.skipped(start, scope))
    }

    /// Reads the body of a loop or `if`; skips unreadable text.
    pub(super) fn substatement(&mut self) -> StmtId {
        let start = self.pos;
        let scope = self.scopes.depth();
        self.nested(|p| p.statement()).unwrap_or_else(|_| self.skipped(start, scope))
    }

    fn skipped(&mut self, start: usize, scope: usize) -> StmtId {
        self.scopes.close_to(scope);
        self.skip_construct(start);
        if self.pos == start && !matches!(self.peek(), Kind::RBrace | Kind::Eof) {
            self.bump();
        }
        let span = if self.pos > start { self.since(self.tokens[start].span.lo) } else { self.nothing() };
        self.error_stmt(span)
    }

    /// Whether a declaration begins here, or tokens that can only have been meant for one.
    fn declaration_begins(&self) -> bool {
        if self.static_assert_begins() {
            return true;
        }
        let pos = self.after_attrs(self.pos);
        if self.kind_at(pos) != Kind::Ident {
            return self.type_begins(pos);
        }
        let next = self.kind_at(pos + 1);
        if self.is_typedef_name(pos) {
            return next != Kind::Colon || self.split_operator_at(self.pos + 1).is_some();
        }
        let declared = self.scopes.meaning(self.text_at(pos)).is_some();
        match next {
            Kind::Ident => !declared,
            Kind::Star if !declared => {
                self.kind_at(pos + 2) == Kind::Ident
                    && matches!(self.kind_at(pos + 3), Kind::Semi | Kind::Eq | Kind::Comma)
            }
            _ => false,
        }
    }

    fn declaration_statement(&mut self) -> Res<StmtId> {
        let lo = self.here().lo;
        let decl = self.measured_decl(|p| p.declaration(false))?;
        self.stmt(self.since(lo), StmtKind::Decl(decl))
    }

    /// A statement, not a declaration.
    fn statement(&mut self) -> Res<StmtId> {
        let lo = self.here().lo;
        match self.peek() {
            Kind::LBrace => self.compound(),
            Kind::If => self.if_statement(),
            Kind::While => self.while_statement(),
            Kind::Do => self.do_statement(),
            Kind::For => self.for_statement(),
            Kind::Switch => self.switch_statement(),
            Kind::Case | Kind::Default => self.labelled(),
            Kind::Ident if self.label_follows() => self.labelled(),
            Kind::Return => self.return_statement(),
            Kind::Goto => self.goto_statement(),
            Kind::Break | Kind::Continue => {
                let token = self.bump();
                self.semicolon(&format!("`{}`", token.kind.text()))?;
                let kind = if token.kind == Kind::Break { StmtKind::Break } else { StmtKind::Continue };
                self.stmt(self.since(lo), kind)
            }
            Kind::Asm => self.asm_statement(),
            Kind::LabelKw => self.local_labels(),
            Kind::UpcForall => self.upc_forall(),
            Kind::UpcNotify => self.barrier(BarrierKind::Notify),
            Kind::UpcWait => self.barrier(BarrierKind::Wait),
            Kind::UpcBarrier => self.barrier(BarrierKind::Barrier),
            Kind::UpcFence => self.fence(),
            Kind::Else => {
                let message = "there is no `if` before this `else`";
                self.report(Diagnostic::error(Code::Expected, self.here(), message));
                Err(Failed)
            }
            _ if self.attrs_at(self.pos) => self.attributed(),
            _ => match self.misspelt() {
                Some(statement) => statement,
                None => self.expression_statement(),
            },
        }
    }

    /// A statement after attributes, or `__attribute__((fallthrough));`.
    fn attributed(&mut self) -> Res<StmtId> {
        let lo = self.here().lo;
        self.attributes(&mut Vec::new())?;
        if self.eat(Kind::Semi).is_some() {
            return self.stmt(self.since(lo), StmtKind::Opaque);
        }
        self.nested(|p| p.statement())
    }

    fn expression_statement(&mut self) -> Res<StmtId> {
        let lo = self.here().lo;
        if self.eat(Kind::Semi).is_some() {
            return self.stmt(self.since(lo), StmtKind::Expr(None));
        }
        if self.declaration_begins() {
            let message = "a declaration cannot stand here without braces around it";
            self.report(Diagnostic::error(Code::Expected, self.here(), message).help("write `{ … }`"));
            return self.declaration_statement();
        }
        let value = self.expression()?;
        self.semicolon("the expression")?;
        self.stmt(self.since(lo), StmtKind::Expr(Some(value)))
    }

    // ---- labels ----

    /// Labels, one or many in a row, and the statement after them. C2x lets a declaration follow, or the end
    /// of the block.
    fn labelled(&mut self) -> Res<StmtId> {
        let mut labels = Vec::new();
        loop {
            let lo = self.here().lo;
            match self.label()? {
                Some(label) => labels.push((lo, label)),
                None => break,
            }
            if self.attrs_at(self.pos) && !self.type_begins(self.pos) {
                let after = self.after_attrs(self.pos);
                if self.kind_at(after) != Kind::Semi {
                    self.attributes(&mut Vec::new())?;
                }
            }
        }
        let mut body = if self.at(Kind::RBrace) {
            let hi = self.last().hi;
            self.stmt(Span::new(hi, hi), StmtKind::Expr(None))?
        } else if self.declaration_begins() {
            self.declaration_statement()?
        } else {
            self.substatement()
        };
        let hi = self.stmt_span(body).hi;
        while let Some((lo, label)) = labels.pop() {
            let kind = match label {
                Label::Case(first, last) => StmtKind::Case(first, last, body),
                Label::Default => StmtKind::Default(body),
                Label::Name(name) => StmtKind::Label(name, body),
            };
            body = self.stmt(Span::new(lo, hi), kind)?;
        }
        Ok(body)
    }

    /// Reads the next label, with its colon.
    fn label(&mut self) -> Res<Option<Label>> {
        let label = match self.peek() {
            Kind::Case => {
                self.bump();
                let first = self.conditional_expression()?;
                let last = if self.eat(Kind::Ellipsis).is_some() {
                    Some(self.conditional_expression()?)
                } else {
                    None
                };
                Label::Case(first, last)
            }
            Kind::Default => {
                self.bump();
                Label::Default
            }
            Kind::Ident if self.label_follows() => Label::Name(self.name("a label")?),
            _ => return Ok(None),
        };
        self.expect(Kind::Colon, "after the label")?;
        Ok(Some(label))
    }

    /// `__label__ a, b;`
    fn local_labels(&mut self) -> Res<StmtId> {
        let lo = self.bump().span.lo;
        loop {
            self.name("the name of a label")?;
            if self.eat(Kind::Comma).is_none() {
                break;
            }
        }
        self.semicolon("the labels")?;
        self.stmt(self.since(lo), StmtKind::Opaque)
    }

    fn goto_statement(&mut self) -> Res<StmtId> {
        let lo = self.bump().span.lo;
        let kind = if self.eat(Kind::Star).is_some() {
            StmtKind::GotoExpr(self.expression()?)
        } else {
            StmtKind::Goto(self.name("the name of a label after `goto`")?)
        };
        self.semicolon("`goto`")?;
        self.stmt(self.since(lo), kind)
    }

    fn return_statement(&mut self) -> Res<StmtId> {
        let lo = self.bump().span.lo;
        let value = match self.peek() {
            Kind::Semi | Kind::RBrace => None,
            _ => Some(self.expression()?),
        };
        self.semicolon("`return`")?;
        self.stmt(self.since(lo), StmtKind::Return(value))
    }

    // ---- choices and loops ----

    /// `( expression )`
    fn condition(&mut self, keyword: &str) -> Res<ExprId> {
        let lo = self.here().lo;
        let what = format!("around the condition of `{keyword}`");
        let read = self.bracketed(Kind::LParen, Kind::RParen, &what, |p| p.expression())?;
        Ok(match read {
            Some(cond) => cond,
            None => self.error_expr(self.since(lo)),
        })
    }

    /// `if` with all its `else if`s, read in a loop: such chains are long in generated programs.
    fn if_statement(&mut self) -> Res<StmtId> {
        let mut arms = Vec::new();
        let mut other = None;
        loop {
            let lo = self.bump().span.lo;
            let cond = self.condition("if")?;
            let then = self.substatement();
            arms.push((lo, cond, then));
            if self.eat(Kind::Else).is_none() {
                break;
            }
            if !self.at(Kind::If) {
                other = Some(self.substatement());
                break;
            }
        }
        let hi = self.last().hi;
        while let Some((lo, cond, then)) = arms.pop() {
            other = Some(self.stmt(Span::new(lo, hi), StmtKind::If(cond, then, other))?);
        }
        match other {
            Some(whole) => Ok(whole),
            None => self.fail("expected `if`"),
        }
    }

    fn while_statement(&mut self) -> Res<StmtId> {
        let lo = self.bump().span.lo;
        let cond = self.condition("while")?;
        let body = self.substatement();
        self.stmt(self.since(lo), StmtKind::While(cond, body))
    }

    fn switch_statement(&mut self) -> Res<StmtId> {
        let lo = self.bump().span.lo;
        let cond = self.condition("switch")?;
        let body = self.substatement();
        self.stmt(self.since(lo), StmtKind::Switch(cond, body))
    }

    fn do_statement(&mut self) -> Res<StmtId> {
        let lo = self.bump().span.lo;
        let body = self.substatement();
        self.expect(Kind::While, "after the body of `do`")?;
        let cond = self.condition("while")?;
        self.semicolon("`do … while (…)`")?;
        self.stmt(self.since(lo), StmtKind::Do(body, cond))
    }

    fn for_statement(&mut self) -> Res<StmtId> {
        let lo = self.bump().span.lo;
        self.scoped(|p| {
            let head =
                p.bracketed(Kind::LParen, Kind::RParen, "after the clauses of `for`", |p| p.for_clauses())?;
            let body = p.substatement();
            let span = p.since(lo);
            match head {
                Some((init, cond, step)) => p.stmt(span, StmtKind::For { init, cond, step, body }),
                None => Ok(p.error_stmt(span)),
            }
        })
    }

    /// The three clauses that `for` and `upc_forall` share. The token that ends the third is not read.
    pub(super) fn for_clauses(&mut self) -> Res<(ForInit, Option<ExprId>, Option<ExprId>)> {
        let init = if self.eat(Kind::Semi).is_some() {
            ForInit::None
        } else if self.declaration_begins() {
            ForInit::Decl(self.measured_decl(|p| p.declaration(false))?)
        } else {
            let init = self.expression()?;
            self.expect(Kind::Semi, "after the first clause of the loop")?;
            ForInit::Expr(init)
        };
        let cond = if self.at(Kind::Semi) { None } else { Some(self.expression()?) };
        self.expect(Kind::Semi, "after the second clause of the loop")?;
        let step = match self.peek() {
            Kind::RParen | Kind::Semi => None,
            _ => Some(self.expression()?),
        };
        Ok((init, cond, step))
    }

    // ---- asm ----

    /// `asm volatile goto ("…" : outputs : inputs : clobbers : labels);`
    fn asm_statement(&mut self) -> Res<StmtId> {
        let lo = self.bump().span.lo;
        let mut jumps = false;
        while matches!(self.peek(), Kind::Volatile | Kind::Inline | Kind::Goto | Kind::Const) {
            jumps |= self.at(Kind::Goto);
            self.bump();
        }
        let operands = self.bracketed(Kind::LParen, Kind::RParen, "after `asm`", |p| {
            p.string("the assembly")?;
            let mut operands = Vec::new();
            for section in 0..4 {
                if p.eat(Kind::Colon).is_none() {
                    break;
                }
                p.asm_section(section, &mut operands)?;
            }
            Ok(operands)
        })?;
        self.semicolon("`asm`")?;
        let span = self.since(lo);
        match operands {
            Some(operands) => self.stmt(span, StmtKind::Asm { operands, jumps }),
            None => Ok(self.error_stmt(span)),
        }
    }

    /// Outputs and inputs (sections 0 and 1), clobbers (2), labels (3).
    fn asm_section(&mut self, section: u32, operands: &mut Vec<AsmOperand>) -> Res<()> {
        while !matches!(self.peek(), Kind::Colon | Kind::RParen) {
            match section {
                0 | 1 => {
                    if self.eat(Kind::LBracket).is_some() {
                        self.name("the name of an operand")?;
                        self.expect(Kind::RBracket, "after the name of the operand")?;
                    }
                    let constraint = self.string("the constraint")?;
                    let writes = section == 0;
                    let reads = !writes || self.slice(constraint).contains('+');
                    self.expect(Kind::LParen, "before the operand")?;
                    operands.push(AsmOperand { expr: self.expression()?, reads, writes });
                    self.expect(Kind::RParen, "after the operand")?;
                }
                2 => drop(self.string("the register")?),
                _ => drop(self.name("the name of a label")?),
            }
            if self.eat(Kind::Comma).is_none() {
                break;
            }
        }
        Ok(())
    }
}
