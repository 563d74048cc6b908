//! Help for errors that are probably forms of other languages, or missing semicolons.

use super::Parser;
use crate::syntax::lexer::Tok;
use base::Span;

impl Parser<'_> {
    /// Help for an error at this token, if something else is wanted.
    pub(super) fn hint(&self, wanted: &str) -> Option<String> {
        let before = self.at.checked_sub(1).map(|at| &self.tokens[at]);
        let is_before = |op: &str| before.is_some_and(|t| matches!(&t.tok, Tok::Op(found) if *found == op));
        let hint = match self.tok() {
            Tok::Op("=") if self.is_head_of_line() => "is a `;` missing at the end of the previous line?",
            Tok::Op("=") if self.is_behind("where") => "names are defined in a block: `{ y = 1; In x + y }`",
            Tok::Op("=") if wanted.starts_with('`') => "`==` compares",
            Tok::Op("==" | "<>" | "<" | "<=" | ">" | ">=") => {
                "comparisons are joined by `and`: `a < b and b < c`"
            }
            Tok::Op("..") => "a range is written `1 to n`",
            Tok::Op("[") if self.brackets_have_dots() => {
                "the numbers from 1 to n are written `{: i || i <- 1 to n}`"
            }
            Tok::Op("[") => "a list is written `1:2:3:Nil`",
            Tok::Op(":") => "a pattern of several parts stands in parentheses: `(x:xs)`",
            Tok::Op("*") if is_before("*") => "a power is written `x ^ y`",
            Tok::Op("/") if is_before("/") || matches!(self.tok_at(1), Tok::Op("/")) => {
                "a comment begins with `%`"
            }
            Tok::Op("|") => "`||` stands before generators",
            Tok::Op("->") => "the result of a case stands after `=`",
            Tok::Word(w) => match w.as_str() {
                "in" if wanted.contains("`<-`") => "a generator is written `i <- 1 to n` or `x <- xs`",
                "in" => "definitions with `In` stand in braces: `{ x = 1; In x + 1 }`",
                "for" | "while" | "case" | "fun" => {
                    return Some(format!("put the whole expression in braces: `{{{w} ... }}`"));
                }
                "finally" => "`finally` belongs to a loop; the value of a block stands after `In`",
                _ => return None,
            },
            _ => return None,
        };
        Some(hint.into())
    }

    /// The index of a `..` outside brackets among the tokens from `from` up to here: a range of other
    /// languages. A `..` that leaves out an argument would make a function, which no generator takes.
    pub(super) fn dots_of(&self, from: Span) -> Option<usize> {
        let read = self.tokens[..self.at].iter().rposition(|t| t.span.lo <= from.lo)?;
        let mut depth = 0;
        (read..self.at).find(|&at| {
            match self.tokens[at].tok {
                Tok::Op("(" | "[" | "{" | "{:") => depth += 1,
                Tok::Op(")" | "]" | "}") => depth -= 1,
                _ => {}
            }
            depth == 0 && self.tokens[at].tok == Tok::Op("..")
        })
    }

    /// Whether the brackets that open here have `..` among their first few tokens.
    fn brackets_have_dots(&self) -> bool {
        let inside = self.tokens[self.at + 1..].iter().take_while(|t| t.tok != Tok::Op("]"));
        inside.take(8).any(|t| t.tok == Tok::Op(".."))
    }

    /// Whether this word is among the few tokens before.
    fn is_behind(&self, word: &str) -> bool {
        let few = &self.tokens[self.at.saturating_sub(4)..self.at];
        few.iter().any(|t| matches!(&t.tok, Tok::Word(w) if w == word))
    }

    /// Whether the tokens on the line up to here may be the left-hand side of a definition, and the line
    /// before does not end one.
    fn is_head_of_line(&self) -> bool {
        let line = &self.tokens[..self.at];
        let Some(first) = line.iter().rposition(|t| t.begins_line) else { return false };
        let ends = |t: &Tok| matches!(t, Tok::Op(";" | "{" | "}" | "|"));
        let is_left = |t: &Tok| matches!(t, Tok::Word(_) | Tok::Op("," | "(" | ")" | ":" | "[" | "]"));
        first > 0 && !ends(&line[first - 1].tok) && line[first..].iter().all(|t| is_left(&t.tok))
    }
}
