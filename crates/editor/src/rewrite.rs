//! Rewrites a source of a dialect as C of the same shape: each remaining character keeps its line and column,
//! so that clangd's answers about the C hold for the source.
//!
//! Words that C does not have become blanks, or words of C that are not longer:
//!
//! ```text
//! shared [4] int a[4 * THREADS];        ...........int a[4 * THREADS];
//! upc_forall (i = 0; i < n; i++; &a[i]) .......for (i = 0; i < n; i++, &a[i])
//! upc_barrier 1;                        upc_barrier,1;
//! double a[N]::;                        double a[N]..;
//! x := *g;  *g :- x;                    x .= *g;  *g .= x;
//! ```
//!
//! The text is the user's, before preprocessing: bodies of macros are rewritten like other text, and brackets
//! need not match. The replacements of the words are declared in `meridian/clangd.h`.

use c_syntax::token::{Kind, Token};
use c_syntax::{Dialect, Language};
use std::ops::Range;

/// A source as C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// The C.
    pub text: String,
    /// The bytes of the source that are missing from the C, in order.
    pub spans: Vec<Range<usize>>,
}

/// Returns the C of a source in one language, or of a header that sources of several include.
pub fn rewrite(text: &str, languages: &[Language]) -> Rewritten {
    let regions = regions(text);
    let mut edits = Vec::new();
    for (&language, (at, region)) in languages.iter().flat_map(|l| regions.iter().map(move |r| (l, r))) {
        let tokens = c_syntax::tokens(region, Dialect { language, gnu: true });
        let mut pass = Pass { text: region, tokens: &tokens, edits: Vec::new() };
        pass.run(language);
        edits.extend(pass.edits.into_iter().map(|(span, new)| (span.start + at..span.end + at, new)));
    }
    edits.sort_by_key(|(span, _)| span.start);
    edits.dedup_by_key(|(span, _)| span.start);
    let (mut out, mut from) = (String::with_capacity(text.len()), 0);
    for (span, new) in &edits {
        out.push_str(&text[from..span.start]);
        out.push_str(new);
        from = span.end;
    }
    out.push_str(&text[from..]);
    Rewritten { text: out, spans: edits.into_iter().map(|(span, _)| span).collect() }
}

/// Returns the texts to be read as tokens, and where they begin: the text with blanks in place of the
/// [`logical_lines`], and the body of each macro.
fn regions(text: &str) -> Vec<(usize, String)> {
    let mut code = text.as_bytes().to_vec();
    let mut bodies = Vec::new();
    for directive in logical_lines(text) {
        let line = &text[directive.clone()];
        if let Some(body) = macro_body(line) {
            bodies.push((directive.start + body, line[body..].to_owned()));
        }
        code[directive].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
    let code = String::from_utf8(code).expect("whole lines are blank");
    std::iter::once((0, code)).chain(bodies).collect()
}

/// Returns the directives of the preprocessor and the comments to the end of a line, each with its
/// continuation lines.
fn logical_lines(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let (mut at, mut line_begins, mut found) = (0, true, Vec::new());
    while at < bytes.len() {
        let rest = &text[at..];
        let fresh = std::mem::replace(&mut line_begins, false);
        at += match bytes[at] {
            b'\n' => {
                line_begins = true;
                1
            }
            b' ' | b'\t' | b'\r' => {
                line_begins = fresh;
                1
            }
            b'#' if fresh => {
                let len = logical_line(rest);
                found.push(at..at + len);
                len
            }
            _ if rest.starts_with("//") => {
                let len = logical_line(rest);
                found.push(at..at + len);
                len
            }
            _ if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |len| len + 4),
            quote @ (b'"' | b'\'') => literal(rest, quote),
            _ => rest.chars().next().map_or(1, char::len_utf8),
        };
    }
    found
}

/// Returns the number of bytes up to the end of a line that does not end in a backslash.
fn logical_line(text: &str) -> usize {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        let stripped = line.trim_end_matches(['\n', '\r']);
        if !stripped.ends_with('\\') {
            return end - (line.len() - stripped.len());
        }
    }
    end
}

/// Returns the number of bytes of a string or character constant, which ends with its line at the latest.
fn literal(text: &str, quote: u8) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'\n' => return at,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Returns where in a directive the body of the defined macro begins.
fn macro_body(line: &str) -> Option<usize> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
    if !rest.starts_with([' ', '\t']) {
        return None;
    }
    let rest = rest.trim_start();
    let rest = rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '$');
    let rest = match rest.strip_prefix('(') {
        Some(parameters) => &parameters[parameters.find(')')? + 1..],
        None => rest,
    };
    Some(line.len() - rest.len())
}

/// Whether an expression may begin with this token.
fn begins_expression(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        Ident | Number | Char | Str | LParen | Minus | Plus | Tilde | Bang | Star | Amp | Inc | Dec | Sizeof
    ) || matches!(kind, Threads | MyThread | UpcLocalsizeof | UpcBlocksizeof | UpcElemsizeof)
}

struct Pass<'t> {
    text: &'t str,
    /// The tokens, which end with [`Kind::Eof`].
    tokens: &'t [Token],
    edits: Vec<(Range<usize>, String)>,
}

impl Pass<'_> {
    fn kind(&self, index: usize) -> Kind {
        self.tokens.get(index).map_or(Kind::Eof, |token| token.kind)
    }

    fn range(&self, index: usize) -> Range<usize> {
        let span = self.tokens[index].span;
        span.lo as usize..span.hi as usize
    }

    /// Puts `word` at the end of a token's columns, after blanks.
    fn replace(&mut self, index: usize, word: &str) {
        let range = self.range(index);
        let width = self.text[range.clone()].encode_utf16().count();
        self.edits.push((range, format!("{word:>width$}")));
    }

    fn blank(&mut self, indices: Range<usize>) {
        indices.for_each(|index| self.replace(index, ""));
    }

    fn run(&mut self, language: Language) {
        let mut colons = Colons::default();
        let mut index = 0;
        while index < self.tokens.len() {
            index = match self.kind(index) {
                Kind::Shared => self.shared(index),
                Kind::Strict | Kind::Relaxed | Kind::Global | Kind::Spread | Kind::Dist => {
                    self.replace(index, "");
                    index + 1
                }
                Kind::UpcForall => self.forall(index),
                Kind::UpcBarrier | Kind::UpcNotify | Kind::UpcWait => self.barrier(index),
                Kind::UpcLocalsizeof | Kind::UpcBlocksizeof | Kind::UpcElemsizeof => {
                    self.replace(index, "sizeof");
                    index + 1
                }
                Kind::Colon if language == Language::SplitC => self.colon(index, &mut colons),
                kind => {
                    colons.pass(kind);
                    index + 1
                }
            };
        }
    }

    /// Removes `shared` with its layout.
    fn shared(&mut self, index: usize) -> usize {
        let end = match self.kind(index + 1) {
            Kind::LBracket => self.partner(index + 1).map_or(index + 1, |close| close + 1),
            _ => index + 1,
        };
        self.blank(index..end);
        end
    }

    /// Returns the bracket that closes the one at `open`.
    fn partner(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for index in open..self.tokens.len() {
            match self.kind(index) {
                Kind::LParen | Kind::LBracket | Kind::LBrace => depth += 1,
                Kind::RParen | Kind::RBracket | Kind::RBrace => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(index);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Rewrites `upc_forall`: the affinity becomes a part of the step. The text in the parentheses is
    /// rewritten like other text.
    fn forall(&mut self, index: usize) -> usize {
        self.replace(index, "for");
        let Some(close) = (self.kind(index + 1) == Kind::LParen).then(|| self.partner(index + 1)).flatten()
        else {
            return index + 1;
        };
        let (mut depth, mut semicolons) = (0_usize, Vec::new());
        for inner in index + 2..close {
            match self.kind(inner) {
                Kind::LParen | Kind::LBracket | Kind::LBrace => depth += 1,
                Kind::RParen | Kind::RBracket | Kind::RBrace => depth = depth.saturating_sub(1),
                Kind::Semi if depth == 0 => semicolons.push(inner),
                _ => {}
            }
        }
        if let [_, second, third] = semicolons[..] {
            match self.kind(third + 1) {
                _ if third + 1 == close || third == second + 1 => self.replace(third, ""),
                Kind::Continue => self.blank(third..close),
                _ => self.replace(third, ","),
            }
            if third == second + 1 && self.kind(third + 1) == Kind::Continue {
                self.replace(third + 1, "");
            }
        }
        index + 1
    }

    /// Rewrites `upc_barrier e;`: a name, a comma in place of the blank, and the expression.
    fn barrier(&mut self, index: usize) -> usize {
        let (word, next) = (self.range(index), index + 1);
        let same_line = |to: usize| !self.text[word.end..to].contains('\n');
        if begins_expression(self.kind(next)) && same_line(self.range(next).start) {
            if matches!(self.text.as_bytes()[word.end], b' ' | b'\t') {
                self.edits.push((word.end..word.end + 1, ",".into()));
            } else {
                self.replace(index, "");
            }
        }
        next
    }

    /// Rewrites Split-C's `::`, `:=` and `:-`, or keeps a colon of C.
    fn colon(&mut self, index: usize, colons: &mut Colons) -> usize {
        let next = index + 1;
        let joined = next < self.tokens.len() && self.range(index).end == self.range(next).start;
        match self.kind(next) {
            Kind::Colon => self.blank(index..index + 2),
            Kind::Eq if joined && !colons.waits() => self.replace(index, ""),
            Kind::Minus if joined && !colons.waits() => {
                self.replace(index, "");
                self.replace(next, "=");
            }
            _ => {
                colons.take();
                return next;
            }
        }
        index + 2
    }
}

/// The number of `?` and `case` that wait for their colons, in each open pair of brackets.
#[derive(Default)]
struct Colons {
    outer: Vec<usize>,
    waiting: usize,
}

impl Colons {
    fn pass(&mut self, kind: Kind) {
        match kind {
            Kind::Question | Kind::Case => self.waiting += 1,
            Kind::LParen | Kind::LBracket => self.outer.push(std::mem::take(&mut self.waiting)),
            Kind::RParen | Kind::RBracket => self.waiting = self.outer.pop().unwrap_or(0),
            Kind::Semi | Kind::LBrace | Kind::RBrace => self.waiting = 0,
            _ => {}
        }
    }

    fn waits(&self) -> bool {
        self.waiting > 0
    }

    fn take(&mut self) {
        self.waiting = self.waiting.saturating_sub(1);
    }
}
