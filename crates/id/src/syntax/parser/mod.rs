//! Makes a tree from tokens (docs/id90.md).
//!
//! The parser is one of recursive descent. It first finds the names that are constructors, from the
//! declarations of types, since letter case does not tell. After an error it goes on after the next `;` of
//! the top level.

mod arms;
mod declare;
mod expr;
mod hints;
mod stmt;

pub(crate) use expr::array_word;

use crate::stack::with_stack;
use crate::syntax::ast::*;
use crate::syntax::lexer::{KEYWORDS, Tok, Token};
use crate::syntax::walk;
use base::{Code, Diagnostic, Span};
use std::collections::{HashMap, HashSet};

/// A syntax error, which has been reported; parsing goes on after it.
pub(crate) struct Wrong;
type Parse<T> = Result<T, Wrong>;

/// The most nested brackets, operators and arms that the parser accepts.
const DEEPEST: usize = 20_000;
/// The most nested expressions, such as the sums in a sum of many terms.
const DEEPEST_TREE: u32 = 250_000;

/// Parses the whole text; `user_from` is where the library ends and the user's files begin.
///
/// Case does not count, with one exception. If a name must be a variable's, or is that of a function of the
/// library, and is a constructor's except for the case of its first letter, the two are different names in
/// the whole program.
pub fn parse(tokens: &[Token], user_from: u32) -> (Program, Vec<Diagnostic>) {
    let (program, said, mut variables) = parse_as(tokens, user_from);
    variables.extend(declare::beside_library(tokens, user_from));
    if variables.is_empty() {
        return (program, said);
    }
    let apart = declare::apart(tokens, user_from, &variables);
    let (program, said, _) = parse_as(&apart, user_from);
    (program, said)
}

/// Returns the program, its errors, and the constructors that are variables too.
fn parse_as(tokens: &[Token], user_from: u32) -> (Program, Vec<Diagnostic>, HashSet<String>) {
    let mut parser = Parser {
        tokens,
        at: 0,
        said: Vec::new(),
        nodes: 0,
        constructors: declare::constructors(tokens),
        of_library: declare::constructors(&tokens[..tokens.partition_point(|t| t.span.lo < user_from)]),
        user_from,
        records: declare::records(tokens),
        hiding: declare::hiding_types(tokens, user_from),
        stops: Vec::new(),
        depth: 0,
        capitals: declare::capitals(tokens, user_from),
        on_next_line: HashSet::new(),
        variables: HashSet::new(),
    };
    let mut program = Program::default();
    parser.program(&mut program, user_from);
    program.nodes = parser.nodes;
    program.on_next_line = parser.on_next_line;
    (program, parser.said, parser.variables)
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    said: Vec<Diagnostic>,
    nodes: usize,
    /// Constructors, and their numbers of arguments.
    constructors: HashMap<String, usize>,
    /// The constructors of the library, whose text does not see the user's.
    of_library: HashMap<String, usize>,
    user_from: u32,
    /// Constructors whose fields have names, and these names.
    records: HashMap<String, Vec<String>>,
    /// Types of the user that hide one of the library or the language: their names get a `'` as a prefix.
    hiding: HashSet<String>,
    /// Words that end an application here: `gets`, `bound`, `by`, `of`, `from`.
    stops: Vec<&'static str>,
    depth: usize,
    /// The user's constructors, and whether each is declared with a capital letter.
    capitals: HashMap<String, bool>,
    /// Arguments with which a line begins.
    on_next_line: HashSet<NodeId>,
    /// The constructors whose names, except for the case of the first letter, are names of variables.
    variables: HashSet<String>,
}

impl Parser<'_> {
    fn tok(&self) -> &Tok {
        &self.tokens[self.at].tok
    }

    fn tok_at(&self, ahead: usize) -> &Tok {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].tok
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn step(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn new_id(&mut self) -> NodeId {
        self.nodes += 1;
        self.nodes - 1
    }

    fn expr(&mut self, lo: Span, kind: ExprKind) -> Expr {
        let (span, depth) = (lo.to(self.last_span()), walk::depth(&kind));
        if depth < DEEPEST_TREE {
            return Expr { id: self.new_id(), span, kind, depth };
        }
        // Parsing goes on with a tree that is not deep.
        self.too_deep();
        Expr { id: self.new_id(), span, kind: ExprKind::Bad, depth: 1 }
    }

    fn too_deep(&mut self) {
        let d = Diagnostic::error(Code::IdExpected, self.last_span(), "the program is nested too deeply");
        self.said.push(d.help("give names to parts of it"));
    }

    fn is_op(&self, op: &str) -> bool {
        matches!(self.tok(), Tok::Op(found) if *found == op)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.tok(), Tok::Word(found) if found == word)
    }

    fn eat_op(&mut self, op: &str) -> bool {
        let found = self.is_op(op);
        if found {
            self.step();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.step();
        }
        found
    }

    fn shown(&self) -> String {
        match self.tok() {
            Tok::Word(word) if KEYWORDS.contains(&word.as_str()) => format!("the keyword `{word}`"),
            Tok::Word(word) => format!("the name `{word}`"),
            Tok::Int(n) => format!("the number `{n}`"),
            Tok::Float(n) => format!("the number `{n}`"),
            Tok::Str(_) => "a string".into(),
            Tok::Char(_) => "a character".into(),
            Tok::Op(op) => format!("`{op}`"),
            Tok::End => "the end of the program".into(),
        }
    }

    fn wrong<T>(&mut self, wanted: &str) -> Parse<T> {
        let text = format!("expected {wanted}, found {}", self.shown());
        let span = match self.tok() {
            Tok::End => self.last_span(),
            _ => self.span(),
        };
        let mut d = Diagnostic::error(Code::IdExpected, span, text).label(format!("expected {wanted}"));
        d.help = self.hint(wanted);
        self.said.push(d);
        Err(Wrong)
    }

    fn need_op(&mut self, op: &'static str, wanted: &str) -> Parse<()> {
        if self.eat_op(op) { Ok(()) } else { self.wrong(wanted) }
    }

    fn need_word(&mut self, word: &'static str, wanted: &str) -> Parse<()> {
        if self.eat_word(word) { Ok(()) } else { self.wrong(wanted) }
    }

    /// A closing bracket; a missing one is shown with the one that it would close.
    fn close(&mut self, op: &'static str, open: Span) -> Parse<()> {
        if self.eat_op(op) {
            return Ok(());
        }
        let r = self.wrong(&format!("`{op}`"));
        if let Some(d) = self.said.last_mut() {
            d.labels.push((open, "to close this".into()));
        }
        r
    }

    /// A name that is no keyword.
    fn name(&mut self, wanted: &str) -> Parse<Name> {
        match self.tok() {
            Tok::Word(word) if !KEYWORDS.contains(&word.as_str()) => {
                let name = Name { text: word.clone(), span: self.span() };
                self.step();
                Ok(name)
            }
            _ => self.wrong(wanted),
        }
    }

    fn is_name(&self) -> bool {
        matches!(self.tok(), Tok::Word(word) if !KEYWORDS.contains(&word.as_str()))
    }

    /// Parses with `stops` as the words that end applications; there are none inside brackets.
    fn with_stops<T>(
        &mut self,
        stops: Vec<&'static str>,
        parse: impl FnOnce(&mut Self) -> Parse<T>,
    ) -> Parse<T> {
        let before = std::mem::replace(&mut self.stops, stops);
        let result = parse(self);
        self.stops = before;
        result
    }

    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= DEEPEST {
            self.too_deep();
            return Err(Wrong);
        }
        self.depth += 1;
        let result = with_stack(|| parse(self));
        self.depth -= 1;
        result
    }

    /// Goes on after the next `;` that is in no bracket of the item that begins at token `from`, or at a
    /// definition that begins a line.
    fn recover(&mut self, from: usize) {
        let mut open = Vec::new();
        let mut at = from;
        loop {
            let token = &self.tokens[at];
            match &token.tok {
                Tok::End => break,
                Tok::Op("{" | "{:") => open.push("}"),
                Tok::Op("(") => open.push(")"),
                Tok::Op("[") => open.push("]"),
                // A bracket that closes nothing is an error; one that closes several stands for missing ones.
                Tok::Op(op @ ("}" | ")" | "]")) => {
                    if let Some(n) = open.iter().rposition(|o| o == op) {
                        open.truncate(n);
                    }
                }
                Tok::Op(";") if open.is_empty() && at >= self.at => {
                    at += 1;
                    break;
                }
                Tok::Word(w) if token.begins_line && at > from && at >= self.at => {
                    if matches!(w.as_str(), "def" | "defsubst" | "type" | "typeof" | "typesyn") {
                        break;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        self.at = at;
    }

    fn is_constructor(&self, name: &str) -> bool {
        let known = if self.last_span().lo < self.user_from { &self.of_library } else { &self.constructors };
        known.contains_key(name)
    }

    /// Notes a name that must be a variable's, if it is a constructor's in the other case.
    fn must_be_variable(&mut self, name: &str, span: Span) {
        let at = self.tokens.partition_point(|t| t.span.lo < span.lo);
        let written = self.tokens[at.min(self.tokens.len() - 1)].capital;
        if self.capitals.get(name).is_some_and(|declared| *declared != written) {
            self.variables.insert(name.to_owned());
        }
    }

    fn repeated(&mut self, name: &Name, seen: &mut HashSet<String>) {
        if !seen.insert(name.text.clone()) {
            let text = format!("`{}` stands twice in one pattern", name.text);
            self.said.push(Diagnostic::error(Code::IdPattern, name.span, text));
        }
    }
}
