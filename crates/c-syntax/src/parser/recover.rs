//! Recovery after an error: partners of brackets, and the end of a construct that could not be read.

use super::{Failed, Parser, Res};
use crate::token::{Kind, Token};
use base::{Code, Diagnostic, Span};

/// No partner.
pub(super) const NONE: u32 = u32::MAX;

/// The partner of each bracket token, [`NONE`] for other tokens and for brackets that have none. A closing
/// brace also ends the parentheses and square brackets left open inside it.
pub(super) fn pair_brackets(tokens: &[Token]) -> Vec<u32> {
    let mut mates = vec![NONE; tokens.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut braces = 0;
    for (i, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::LParen | Kind::LBracket => open.push(i),
            Kind::LBrace => {
                braces += 1;
                open.push(i);
            }
            Kind::RParen | Kind::RBracket => {
                let partner = if token.kind == Kind::RParen { Kind::LParen } else { Kind::LBracket };
                if open.last().is_some_and(|&o| tokens[o].kind == partner) {
                    join(&mut mates, open.pop(), i);
                }
            }
            Kind::RBrace if braces > 0 => {
                while open.last().is_some_and(|&o| tokens[o].kind != Kind::LBrace) {
                    open.pop();
                }
                braces -= 1;
                join(&mut mates, open.pop(), i);
            }
            _ => {}
        }
    }
    mates
}

fn join(mates: &mut [u32], open: Option<usize>, close: usize) {
    if let Some(open) = open {
        mates[open] = close as u32;
        mates[close] = open as u32;
    }
}

/// Removes diagnostics that follow from an unclosed string. After it, the parser does not see the text as its
/// author does, so its messages there are removed. So are those about braces that have lost their partner,
/// the string's other quote and its backslashes. The lexer's other messages stay.
pub(super) fn before_open_literal(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let open = |d: &Diagnostic| d.code == Code::Unterminated && d.message.starts_with("this string");
    let Some(first) = diagnostics.iter().filter(|d| open(d)).map(|d| d.span.lo).min() else {
        return diagnostics;
    };
    let of_lexer = |d: &Diagnostic| matches!(d.code, Code::BadByte | Code::BadNumber | Code::Unterminated);
    diagnostics.retain(|d| match d.span.lo {
        lo if lo == first => open(d),
        lo if lo < first => !d.message.ends_with("is never closed"),
        _ => of_lexer(d) && !open(d) && !d.message.starts_with("stray `\\`"),
    });
    diagnostics
}

impl Parser<'_> {
    /// The number of the partner of the bracket token at `pos`.
    pub(super) fn mate(&self, pos: usize) -> Option<usize> {
        let mate = self.mates[pos];
        (mate != NONE).then_some(mate as usize)
    }

    /// Reads the text from the next bracket to its partner, both included. If it cannot be read, goes on
    /// after the partner and returns `None`. Fails only if the bracket or its partner is missing.
    pub(super) fn bracketed<T>(
        &mut self,
        open: Kind,
        close: Kind,
        what: &str,
        read: impl FnOnce(&mut Self) -> Res<T>,
    ) -> Res<Option<T>> {
        let start = self.pos;
        let scope = self.scopes.depth();
        let opened = self.expect(open, what)?;
        let waits = std::mem::replace(&mut self.colon_waits, false);
        let result = read(self).and_then(|value| match self.eat(close) {
            Some(_) => Ok(value),
            None => {
                let message = format!("expected `{}` {what}, found {}", close.text(), self.shown());
                let diagnostic = Diagnostic::error(Code::Expected, self.here(), message);
                self.report(diagnostic.also(opened, format!("to match this `{}`", open.text())));
                Err(Failed)
            }
        });
        self.colon_waits = waits;
        match (result, self.mate(start)) {
            (Ok(value), _) => Ok(Some(value)),
            (Err(Failed), Some(end)) if end + 1 >= self.pos => {
                self.scopes.close_to(scope);
                self.pos = (end + 1).min(self.tokens.len() - 1);
                Ok(None)
            }
            (Err(Failed), _) => Err(Failed),
        }
    }

    /// Reads the semicolon that ends a construct. If it is missing at the end of a line, or before an obvious
    /// new construct, reports that and goes on as if it were there.
    pub(super) fn semicolon(&mut self, after: &str) -> Res<()> {
        if self.eat(Kind::Semi).is_some() {
            return Ok(());
        }
        if self.last_is_open_literal() {
            // The missing quote has been reported, and the literal has swallowed the rest of its line.
            return Ok(());
        }
        let at = self.end_of(self.last());
        let message = format!("expected `;` after {after}, found {}", self.shown());
        let help = "add `;` here";
        let begins_anew = self.on_new_line()
            || matches!(self.peek(), Kind::RBrace | Kind::Eof)
            || self.begins_declaration_or_statement();
        self.report(Diagnostic::error(Code::Expected, at, message).label("`;` is missing here").help(help));
        if begins_anew { Ok(()) } else { Err(Failed) }
    }

    /// Whether the token just read is a string or character constant without its closing quote.
    fn last_is_open_literal(&self) -> bool {
        let quote = match self.tokens[self.pos.saturating_sub(1)].kind {
            Kind::Str => '"',
            Kind::Char => '\'',
            _ => return false,
        };
        let text = self.slice(self.last());
        text.matches(quote).count() < 2 || !text.ends_with(quote)
    }

    /// The last character of a span.
    pub(super) fn end_of(&self, span: Span) -> Span {
        let last = self.slice(span).chars().next_back().map_or(0, char::len_utf8);
        Span::new(span.hi - last as u32, span.hi)
    }

    /// Skips the rest of the statement or declaration that began at token `start` and failed at the present
    /// one: to its `;`, to the end of its body, or to the brace that closes the block or record around it.
    pub(super) fn skip_construct(&mut self, start: usize) {
        if self.gave_up {
            return;
        }
        let failed = self.pos;
        let mut i = start;
        while i + 1 < self.tokens.len() {
            let kind = self.tokens[i].kind;
            match kind {
                Kind::LParen | Kind::LBracket | Kind::LBrace => match self.mate(i) {
                    Some(end) if kind == Kind::LBrace && end >= failed => {
                        i = end + 1;
                        match self.kind_at(i) {
                            Kind::Semi => i += 1,
                            Kind::Else | Kind::Comma | Kind::RParen | Kind::Eq => continue,
                            _ => {}
                        }
                        break;
                    }
                    Some(end) => i = end + 1,
                    None => i += 1,
                },
                Kind::RBrace => break,
                Kind::Semi if i >= failed => {
                    i += 1;
                    break;
                }
                _ => i += 1,
            }
        }
        self.pos = i.max(failed).min(self.tokens.len() - 1);
    }
}
