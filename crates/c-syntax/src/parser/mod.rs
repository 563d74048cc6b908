//! The parser: recursive descent over the tokens, without backtracking except over the arguments of
//! attributes.
//!
//! A function that reads a construct returns `Res`. On `Err(Failed)` the error has been reported, and the
//! caller hands it up to the next place that can go on: a bracket with a partner (skip to it), a statement, a
//! member, a declaration (skip to its end). Every such skip moves forward, so parsing is linear. Nesting is
//! bounded by [`MAX_DEPTH`]. Long chains of operators make a high tree without nesting; [`MAX_HEIGHT`] bounds
//! its height. So later components may recurse over the tree.

mod attr;
mod decl;
mod declarator;
mod expr;
mod misspelt;
mod primary;
mod recover;
mod specs;
mod stmt;
mod tags;
mod tree;
mod type_name;
mod upc;

use crate::ast::*;
use crate::dialect::{Dialect, Language};
use crate::lexer::{self, Pragma};
use crate::scope::{Meaning, Scopes};
use crate::token::{Kind, Token};
use base::{Code, Diagnostic, Source, Span};

/// The most brackets, statements and operators inside one another. The parser needs less than 32 MB of stack
/// for them in a debug build.
pub const MAX_DEPTH: u32 = 1000;

/// The most nodes from the root of an expression or statement to its deepest leaf.
pub const MAX_HEIGHT: u32 = 10_000;

/// Reads a preprocessed translation unit. Never fails: unreadable text gives error nodes and diagnostics. To
/// be called on a thread with 64 MB of stack or more, because the nesting that it accepts ([`MAX_DEPTH`])
/// costs stack.
pub fn parse(source: &Source, dialect: Dialect) -> (Unit, Vec<Diagnostic>) {
    let lexed = lexer::lex(&source.text, dialect);
    let mut parser = Parser {
        text: &source.text,
        mates: recover::pair_brackets(&lexed.tokens),
        tokens: lexed.tokens,
        pos: 0,
        unit: Unit::default(),
        diagnostics: lexed.diagnostics,
        scopes: Scopes::new(),
        depth: 0,
        expr_heights: Vec::new(),
        stmt_heights: Vec::new(),
        type_heights: Vec::new(),
        init_heights: Vec::new(),
        decl_heights: Vec::new(),
        tallest: 0,
        pragmas: lexed.pragmas,
        next_pragma: 0,
        strict: false,
        split_c: dialect.language == Language::SplitC,
        language: dialect.language,
        colon_waits: false,
        gave_up: false,
        body_has_ended: false,
    };
    parser.translation_unit();
    (parser.unit, recover::before_open_literal(parser.diagnostics))
}

/// An error has been reported; the construct is given up.
pub(crate) struct Failed;
pub(crate) type Res<T> = Result<T, Failed>;

pub(crate) struct Parser<'s> {
    text: &'s str,
    /// Ends with `Eof`; `pos` never passes it.
    tokens: Vec<Token>,
    /// For each bracket token its partner's number.
    mates: Vec<u32>,
    pos: usize,
    unit: Unit,
    diagnostics: Vec<Diagnostic>,
    scopes: Scopes<'s>,
    depth: u32,
    /// Height of the tree under each node of these kinds.
    expr_heights: Vec<u32>,
    stmt_heights: Vec<u32>,
    type_heights: Vec<u32>,
    init_heights: Vec<u32>,
    decl_heights: Vec<u32>,
    /// The height of the tallest expression or statement added since the last `std::mem::take` of this field.
    tallest: u32,
    pragmas: Vec<Pragma>,
    next_pragma: usize,
    /// The state of `#pragma upc strict` at this point.
    strict: bool,
    /// `:=`, `:-` and `::` have a meaning.
    split_c: bool,
    language: Language,
    /// Between `?` and its `:`, outside of brackets: a colon is not part of `:=` or `:-`.
    colon_waits: bool,
    /// A statement outside of functions has been reported: the body's own `}` after it gets no message.
    body_has_ended: bool,
    /// The rest is skipped, and nothing more is reported.
    gave_up: bool,
}

impl<'s> Parser<'s> {
    // ---- looking ----

    fn peek(&self) -> Kind {
        self.tokens[self.pos].kind
    }

    fn kind_at(&self, pos: usize) -> Kind {
        self.tokens[pos.min(self.tokens.len() - 1)].kind
    }

    fn peek_at(&self, ahead: usize) -> Kind {
        self.kind_at(self.pos + ahead)
    }

    fn at(&self, kind: Kind) -> bool {
        self.peek() == kind
    }

    /// The next token's span.
    fn here(&self) -> Span {
        self.tokens[self.pos].span
    }

    /// The span of the token just read.
    fn last(&self) -> Span {
        self.tokens[self.pos.saturating_sub(1)].span
    }

    /// An empty span at the next token.
    fn nothing(&self) -> Span {
        Span::new(self.here().lo, self.here().lo)
    }

    /// From `lo` to the end of the token just read; empty at `lo` if no token was read after `lo`.
    fn since(&self, lo: u32) -> Span {
        let hi = if self.pos == 0 { 0 } else { self.last().hi };
        Span::new(lo, hi.max(lo))
    }

    fn slice(&self, span: Span) -> &'s str {
        &self.text[span.range()]
    }

    fn text_at(&self, pos: usize) -> &'s str {
        self.slice(self.tokens[pos.min(self.tokens.len() - 1)].span)
    }

    /// Whether the next token stands on another line than the one before it.
    fn on_new_line(&self) -> bool {
        self.pos == 0 || self.text[self.last().hi as usize..self.here().lo as usize].contains('\n')
    }

    /// Whether the token is an identifier that is a type here.
    fn is_typedef_name(&self, pos: usize) -> bool {
        self.kind_at(pos) == Kind::Ident
            && matches!(self.scopes.meaning(self.text_at(pos)), Some(Meaning::Typedef | Meaning::UnknownType))
    }

    // ---- moving ----

    fn bump(&mut self) -> Token {
        let token = self.tokens[self.pos];
        if self.pos + 1 < self.tokens.len() {
            self.pos += 1;
        }
        token
    }

    fn eat(&mut self, kind: Kind) -> Option<Span> {
        self.at(kind).then(|| self.bump().span)
    }

    /// Reads the token or fails; `what` continues the message, as in "to close the argument list".
    fn expect(&mut self, kind: Kind, what: &str) -> Res<Span> {
        match self.eat(kind) {
            Some(span) => Ok(span),
            None => self.fail(format!("expected `{}` {what}", kind.text())),
        }
    }

    /// An identifier, typedef names included.
    fn name(&mut self, what: &str) -> Res<Name> {
        if !self.at(Kind::Ident) {
            return self.fail(format!("expected {what}"));
        }
        let span = self.bump().span;
        Ok(Name { text: self.slice(span).into(), span })
    }

    /// Runs `read` one level of nesting deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        if self.depth >= MAX_DEPTH {
            let message = format!("the program nests deeper than {MAX_DEPTH} levels here");
            return self.give_up(Diagnostic::error(Code::TooDeep, self.here(), message));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Runs `read` in a scope of its own.
    fn scoped<T>(&mut self, read: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let depth = self.scopes.depth();
        self.scopes.open();
        let result = read(self);
        self.scopes.close_to(depth);
        result
    }

    // ---- complaining ----

    /// How the next token is shown in messages.
    fn shown(&self) -> String {
        match self.peek() {
            Kind::Eof => "the end of the file".to_owned(),
            Kind::Str => "a string literal".to_owned(),
            kind if kind.is_keyword() => format!("the keyword `{}`", self.text_at(self.pos)),
            _ => {
                let text = self.text_at(self.pos);
                match text.char_indices().nth(40) {
                    Some((cut, _)) => format!("`{}…`", &text[..cut]),
                    None => format!("`{text}`"),
                }
            }
        }
    }

    /// Reports that something else was expected at the next token, and gives up the construct.
    fn fail<T>(&mut self, message: impl Into<String>) -> Res<T> {
        let message = format!("{}, found {}", message.into(), self.shown());
        self.report(Diagnostic::error(Code::Expected, self.here(), message));
        Err(Failed)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.gave_up {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports, and reads no further: for programs too deep to recover from cheaply.
    fn give_up<T>(&mut self, diagnostic: Diagnostic) -> Res<T> {
        self.report(diagnostic);
        self.gave_up = true;
        self.pos = self.tokens.len() - 1;
        Err(Failed)
    }

    // ---- the unit ----

    fn translation_unit(&mut self) {
        loop {
            self.pragmas_take_effect();
            if self.at(Kind::Eof) {
                break;
            }
            let before = self.pos;
            let item = self.external_declaration();
            self.unit.items.push(item);
            if self.pos == before {
                self.bump();
            }
        }
    }
}
