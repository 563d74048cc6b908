//! Attributes, GNU's and C2x's, and other tokens that decorate declarations: `asm` names, `__declspec`.

use super::{Failed, Parser, Res};
use crate::ast::*;
use crate::token::Kind;
use base::Span;

impl Parser<'_> {
    /// Whether attributes begin at the token.
    pub(super) fn attrs_at(&self, pos: usize) -> bool {
        match self.kind_at(pos) {
            Kind::Attribute | Kind::Declspec => true,
            Kind::LBracket => self.kind_at(pos + 1) == Kind::LBracket,
            _ => false,
        }
    }

    /// The token after the attributes and `__extension__` that stand at `pos`.
    pub(super) fn after_attrs(&self, mut pos: usize) -> usize {
        loop {
            let open = match self.kind_at(pos) {
                Kind::Extension => {
                    pos += 1;
                    continue;
                }
                Kind::Attribute | Kind::Declspec => pos + 1,
                Kind::LBracket if self.kind_at(pos + 1) == Kind::LBracket => pos,
                _ => return pos,
            };
            match self.mates.get(open) {
                Some(&end) if end != super::recover::NONE && end as usize > open => pos = end as usize + 1,
                _ => return pos,
            }
        }
    }

    /// Reads all attributes at this place.
    pub(super) fn attributes(&mut self, into: &mut Vec<Attr>) -> Res<()> {
        while self.attrs_at(self.pos) {
            let lo = self.here().lo;
            let first = into.len();
            match self.peek() {
                Kind::LBracket => {
                    self.bracketed(Kind::LBracket, Kind::RBracket, "around an attribute", |p| {
                        p.bracketed(Kind::LBracket, Kind::RBracket, "around an attribute", |p| {
                            p.attr_list(into)
                        })
                    })?;
                }
                Kind::Declspec => {
                    self.bump();
                    self.bracketed(Kind::LParen, Kind::RParen, "after `__declspec`", |p| p.attr_list(into))?;
                }
                _ => {
                    self.bump();
                    self.bracketed(Kind::LParen, Kind::RParen, "after `__attribute__`", |p| {
                        p.bracketed(Kind::LParen, Kind::RParen, "around the attributes", |p| {
                            p.attr_list(into)
                        })
                    })?;
                }
            }
            let whole = self.since(lo);
            for attr in &mut into[first..] {
                attr.whole = whole;
            }
        }
        Ok(())
    }

    fn attr_list(&mut self, into: &mut Vec<Attr>) -> Res<()> {
        loop {
            while self.eat(Kind::Comma).is_some() {}
            if matches!(self.peek(), Kind::RParen | Kind::RBracket) {
                return Ok(());
            }
            let attr = self.one_attribute()?;
            into.push(attr);
            if !matches!(self.peek(), Kind::Comma | Kind::RParen | Kind::RBracket) {
                return self.fail("expected `,` between attributes");
            }
        }
    }

    /// A name with its arguments; `whole` is left to the caller.
    pub(super) fn one_attribute(&mut self) -> Res<Attr> {
        let name = self.attr_name()?;
        let args = if self.at(Kind::LParen) { self.attr_args()? } else { Vec::new() };
        Ok(Attr { whole: Span::default(), name, args })
    }

    /// `name`, `__name__`, `prefix::name`; keywords (`const`) are names here.
    fn attr_name(&mut self) -> Res<Box<str>> {
        let mut name = String::new();
        loop {
            if !self.at(Kind::Ident) && !self.peek().is_keyword() {
                return self.fail("expected the name of an attribute");
            }
            let span = self.bump().span;
            let text = self.slice(span);
            let bare = text.strip_prefix("__").and_then(|t| t.strip_suffix("__")).filter(|t| !t.is_empty());
            name.push_str(bare.unwrap_or(text));
            if self.at(Kind::Colon) && self.peek_at(1) == Kind::Colon {
                self.bump();
                self.bump();
                name.push_str("::");
            } else {
                return Ok(name.into());
            }
        }
    }

    /// Reads the arguments: each as text, and as an expression if it is one.
    fn attr_args(&mut self) -> Res<Vec<(Span, Option<ExprId>)>> {
        let mut args = Vec::new();
        let Some(close) = self.mate(self.pos) else {
            return self.fail("expected the arguments of the attribute, closed by `)`");
        };
        self.bump();
        while self.pos < close {
            let start = self.pos;
            let end = self.argument_end(start, close);
            let expr = self.attempt_expr(end);
            if self.gave_up {
                return Err(Failed);
            }
            let span = Span::new(self.tokens[start].span.lo, self.tokens[end.max(start + 1) - 1].span.hi);
            if end > start {
                args.push((span, expr));
            }
            self.pos = if end < close { end + 1 } else { close };
        }
        self.bump();
        Ok(args)
    }

    /// The comma or closing parenthesis that ends the argument beginning at `start`.
    fn argument_end(&self, start: usize, close: usize) -> usize {
        let mut i = start;
        while i < close && self.tokens[i].kind != Kind::Comma {
            i = match self.mate(i) {
                Some(end) if end > i => end + 1,
                _ => i + 1,
            };
        }
        i.min(close)
    }

    /// Reads an expression that must end at `end`. If there is none, drops its diagnostics and scopes and
    /// returns `None`.
    fn attempt_expr(&mut self, end: usize) -> Option<ExprId> {
        let (reported, scope) = (self.diagnostics.len(), self.scopes.depth());
        let result = self.assignment_expression();
        if self.diagnostics.len() == reported && self.pos == end {
            return result.ok();
        }
        if !self.gave_up {
            self.diagnostics.truncate(reported);
        }
        self.scopes.close_to(scope);
        None
    }

    /// `asm("name")` after a declarator.
    pub(super) fn asm_label(&mut self) -> Res<Option<Span>> {
        if !self.at(Kind::Asm) {
            return Ok(None);
        }
        let lo = self.bump().span.lo;
        self.bracketed(Kind::LParen, Kind::RParen, "after `asm`", |p| p.string("the name"))?;
        Ok(Some(self.since(lo)))
    }

    /// Reads a string literal, or several adjacent ones.
    pub(super) fn string(&mut self, what: &str) -> Res<Span> {
        let lo = self.here().lo;
        if !self.at(Kind::Str) {
            return self.fail(format!("expected a string literal for {what}"));
        }
        while self.eat(Kind::Str).is_some() {}
        Ok(self.since(lo))
    }
}
