//! Expressions: operators from the comma down to the prefixes.

use super::{Parser, Res};
use crate::ast::*;
use crate::token::Kind;
use base::{Code, Diagnostic};

/// A binary operator and how tightly it binds; comma and assignment are read elsewhere.
fn binary_operator(kind: Kind) -> Option<(BinOp, u8)> {
    Some(match kind {
        Kind::OrOr => (BinOp::Or, 1),
        Kind::AndAnd => (BinOp::And, 2),
        Kind::Pipe => (BinOp::BitOr, 3),
        Kind::Caret => (BinOp::BitXor, 4),
        Kind::Amp => (BinOp::BitAnd, 5),
        Kind::EqEq => (BinOp::Eq, 6),
        Kind::Ne => (BinOp::Ne, 6),
        Kind::Lt => (BinOp::Lt, 7),
        Kind::Gt => (BinOp::Gt, 7),
        Kind::Le => (BinOp::Le, 7),
        Kind::Ge => (BinOp::Ge, 7),
        Kind::Shl => (BinOp::Shl, 8),
        Kind::Shr => (BinOp::Shr, 8),
        Kind::Plus => (BinOp::Add, 9),
        Kind::Minus => (BinOp::Sub, 9),
        Kind::Star => (BinOp::Mul, 10),
        Kind::Slash => (BinOp::Div, 10),
        Kind::Percent => (BinOp::Rem, 10),
        _ => return None,
    })
}

/// `=` gives no operator, `+=` its own.
fn assignment_operator(kind: Kind) -> Option<Option<BinOp>> {
    Some(match kind {
        Kind::Eq => None,
        Kind::StarEq => Some(BinOp::Mul),
        Kind::SlashEq => Some(BinOp::Div),
        Kind::PercentEq => Some(BinOp::Rem),
        Kind::PlusEq => Some(BinOp::Add),
        Kind::MinusEq => Some(BinOp::Sub),
        Kind::ShlEq => Some(BinOp::Shl),
        Kind::ShrEq => Some(BinOp::Shr),
        Kind::AmpEq => Some(BinOp::BitAnd),
        Kind::CaretEq => Some(BinOp::BitXor),
        Kind::PipeEq => Some(BinOp::BitOr),
        _ => return None,
    })
}

fn prefix_operator(kind: Kind) -> Option<UnOp> {
    Some(match kind {
        Kind::Amp => UnOp::Addr,
        Kind::Star => UnOp::Deref,
        Kind::Plus => UnOp::Plus,
        Kind::Minus => UnOp::Minus,
        Kind::Tilde => UnOp::BitNot,
        Kind::Bang => UnOp::Not,
        Kind::Real => UnOp::Real,
        Kind::Imag => UnOp::Imag,
        _ => return None,
    })
}

fn size_operator(kind: Kind) -> Option<SizeOp> {
    Some(match kind {
        Kind::Sizeof => SizeOp::Sizeof,
        Kind::Alignof => SizeOp::Alignof,
        Kind::UpcLocalsizeof => SizeOp::UpcLocalsizeof,
        Kind::UpcBlocksizeof => SizeOp::UpcBlocksizeof,
        Kind::UpcElemsizeof => SizeOp::UpcElemsizeof,
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression, commas included.
    pub(super) fn expression(&mut self) -> Res<ExprId> {
        let mut left = self.assignment_expression()?;
        while self.eat(Kind::Comma).is_some() {
            let right = self.assignment_expression()?;
            left = self.binary_node(BinOp::Comma, left, right)?;
        }
        Ok(left)
    }

    /// An expression without commas outside of brackets.
    pub(super) fn assignment_expression(&mut self) -> Res<ExprId> {
        self.nested(|p| {
            let left = p.conditional_expression()?;
            if let Some(op) = p.split_operator() {
                p.bump();
                p.bump();
                let right = p.assignment_expression()?;
                let span = p.span_of(left).to(p.span_of(right));
                return p.expr(span, ExprKind::Split(op, left, right));
            }
            let Some(op) = assignment_operator(p.peek()) else { return Ok(left) };
            p.bump();
            let right = p.assignment_expression()?;
            let span = p.span_of(left).to(p.span_of(right));
            p.expr(span, ExprKind::Assign(op, left, right))
        })
    }

    /// Split-C's `:=` or `:-`: a colon directly followed by the other sign.
    fn split_operator(&self) -> Option<SplitOp> {
        if self.colon_waits { None } else { self.split_operator_at(self.pos) }
    }

    pub(super) fn split_operator_at(&self, pos: usize) -> Option<SplitOp> {
        if !self.split_c || self.kind_at(pos) != Kind::Colon {
            return None;
        }
        let (colon, sign) = (self.tokens[pos], self.tokens[(pos + 1).min(self.tokens.len() - 1)]);
        match sign.kind {
            _ if colon.span.hi != sign.span.lo => None,
            Kind::Eq => Some(SplitOp::Assign),
            Kind::Minus => Some(SplitOp::Store),
            _ => None,
        }
    }

    /// The operand between `?` and `:`.
    fn between_colons(&mut self) -> Res<ExprId> {
        let before = std::mem::replace(&mut self.colon_waits, true);
        let middle = self.expression();
        self.colon_waits = before;
        middle
    }

    /// A constant expression, or the left side of an assignment. A chain `a ? b : c ? d : …` is read in a
    /// loop.
    pub(super) fn conditional_expression(&mut self) -> Res<ExprId> {
        let mut pending = Vec::new();
        let mut last = loop {
            let cond = self.binary_expression(1)?;
            if self.eat(Kind::Question).is_none() {
                break cond;
            }
            let middle = if self.at(Kind::Colon) { None } else { Some(self.between_colons()?) };
            self.expect(Kind::Colon, "between the alternatives of `?`")?;
            pending.push((cond, middle));
        };
        while let Some((cond, middle)) = pending.pop() {
            let span = self.span_of(cond).to(self.span_of(last));
            last = self.expr(span, ExprKind::Cond(cond, middle, last))?;
        }
        Ok(last)
    }

    fn binary_expression(&mut self, least: u8) -> Res<ExprId> {
        let mut left = self.cast_expression()?;
        while let Some((op, binds)) = binary_operator(self.peek()) {
            if binds < least {
                break;
            }
            self.bump();
            let right = self.binary_expression(binds + 1)?;
            left = self.binary_node(op, left, right)?;
        }
        Ok(left)
    }

    fn binary_node(&mut self, op: BinOp, left: ExprId, right: ExprId) -> Res<ExprId> {
        let span = self.span_of(left).to(self.span_of(right));
        self.expr(span, ExprKind::Binary(op, left, right))
    }

    pub(super) fn cast_expression(&mut self) -> Res<ExprId> {
        let lo = self.here().lo;
        if !self.at(Kind::LParen) {
            return self.unary_expression();
        }
        self.unknown_type_in_cast();
        if !self.type_begins(self.pos + 1) {
            return self.unary_expression();
        }
        let Some(ty) = self.type_in_parens("to close the cast")? else {
            return Ok(self.error_expr(self.since(lo)));
        };
        if self.at(Kind::LBrace) {
            let literal = self.compound_literal(lo, ty)?;
            return self.postfix(literal);
        }
        let operand = self.nested(|p| p.cast_expression())?;
        self.expr(self.since(lo), ExprKind::Cast(ty, operand))
    }

    /// `(foo *)` or `(foo) x` for an unknown foo, which can only have been meant for a type.
    fn unknown_type_in_cast(&mut self) {
        if self.peek_at(1) != Kind::Ident || self.is_typedef_name(self.pos + 1) {
            return;
        }
        let mut i = self.pos + 2;
        while self.kind_at(i) == Kind::Star {
            i += 1;
        }
        let operand = matches!(self.kind_at(i + 1), Kind::Ident | Kind::Number | Kind::Char | Kind::Str);
        if self.kind_at(i) == Kind::RParen && (i > self.pos + 2 || operand) {
            self.bump();
            self.report_unknown_type();
            self.pos -= 1;
        }
    }

    fn type_in_parens(&mut self, what: &str) -> Res<Option<TypeNameId>> {
        self.bracketed(Kind::LParen, Kind::RParen, what, |p| p.type_name())
    }

    fn compound_literal(&mut self, lo: u32, ty: TypeNameId) -> Res<ExprId> {
        let init = self.braced_initializer()?;
        self.expr(self.since(lo), ExprKind::Compound(ty, init))
    }

    fn unary_expression(&mut self) -> Res<ExprId> {
        let lo = self.here().lo;
        let kind = self.peek();
        if let Some(op) = prefix_operator(kind) {
            self.bump();
            let operand = self.nested(|p| p.cast_expression())?;
            return self.expr(self.since(lo), ExprKind::Unary(op, operand));
        }
        if let Some(op) = size_operator(kind) {
            return self.size_expression(op);
        }
        match kind {
            Kind::Inc | Kind::Dec => {
                self.bump();
                let operand = self.nested(|p| p.cast_expression())?;
                let op = if kind == Kind::Inc { IncDec::Inc } else { IncDec::Dec };
                self.expr(self.since(lo), ExprKind::Pre(op, operand))
            }
            Kind::AndAnd => {
                self.bump();
                let label = self.name("the name of a label after `&&`")?;
                self.expr(self.since(lo), ExprKind::LabelAddr(label))
            }
            Kind::Extension => {
                self.bump();
                let operand = self.nested(|p| p.cast_expression())?;
                self.expr(self.since(lo), ExprKind::Extension(operand))
            }
            _ => {
                let operand = self.primary()?;
                self.postfix(operand)
            }
        }
    }

    /// `sizeof`, `_Alignof`, UPC's operators: on a type in parentheses or an expression.
    fn size_expression(&mut self, op: SizeOp) -> Res<ExprId> {
        let lo = self.bump().span.lo;
        if self.at(Kind::LParen) && self.type_begins(self.pos + 1) {
            let paren = self.here().lo;
            let Some(ty) = self.type_in_parens("to close the type")? else {
                return Ok(self.error_expr(self.since(lo)));
            };
            if !self.at(Kind::LBrace) {
                return self.expr(self.since(lo), ExprKind::SizeofType(op, ty));
            }
            let literal = self.compound_literal(paren, ty)?;
            let operand = self.postfix(literal)?;
            return self.expr(self.since(lo), ExprKind::SizeofExpr(op, operand));
        }
        let operand = self.nested(|p| p.unary_expression())?;
        self.expr(self.since(lo), ExprKind::SizeofExpr(op, operand))
    }

    /// Reads the suffixes of an operand: `[i]`, `(args)`, `.m`, `->m`, `++`, `--`.
    pub(super) fn postfix(&mut self, mut left: ExprId) -> Res<ExprId> {
        let lo = self.span_of(left).lo;
        loop {
            left = match self.peek() {
                Kind::LBracket => {
                    let index =
                        self.bracketed(Kind::LBracket, Kind::RBracket, "to close the index", |p| {
                            p.expression()
                        })?;
                    let span = self.since(lo);
                    match index {
                        Some(index) => self.expr(span, ExprKind::Index(left, index))?,
                        None => self.error_expr(span),
                    }
                }
                Kind::LParen => {
                    let args = self.arguments()?;
                    let span = self.since(lo);
                    match args {
                        Some(args) => self.expr(span, ExprKind::Call(left, args))?,
                        None => self.error_expr(span),
                    }
                }
                kind @ (Kind::Dot | Kind::Arrow) => {
                    self.bump();
                    let name = self.name("the name of a member")?;
                    let arrow = kind == Kind::Arrow;
                    self.expr(self.since(lo), ExprKind::Member { base: left, arrow, name })?
                }
                kind @ (Kind::Inc | Kind::Dec) => {
                    self.bump();
                    let op = if kind == Kind::Inc { IncDec::Inc } else { IncDec::Dec };
                    self.expr(self.since(lo), ExprKind::Post(op, left))?
                }
                _ => return Ok(left),
            };
        }
    }

    fn arguments(&mut self) -> Res<Option<Vec<ExprId>>> {
        self.bracketed(Kind::LParen, Kind::RParen, "to close the argument list", |p| {
            let mut args = Vec::new();
            if p.at(Kind::RParen) {
                return Ok(args);
            }
            loop {
                if p.type_begins(p.pos) && !matches!(p.peek(), Kind::Extension) {
                    let diagnostic =
                        Diagnostic::error(Code::Expected, p.here(), "expected an argument, found a type");
                    p.report(diagnostic);
                    return Err(super::Failed);
                }
                args.push(p.assignment_expression()?);
                if p.eat(Kind::Comma).is_none() {
                    return Ok(args);
                }
            }
        })
    }
}
