//! The inputs of a session, as far as their tokens tell: whether one is complete, where the next begins,
//! which items it has, and which items of earlier inputs these replace. Nothing is parsed, since an input is
//! examined while it is typed; the parser reports its errors.

use crate::syntax::lexer::{self, KEYWORDS, Tok, Token};
use base::Source;

/// The treatment of an item of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Kept: the item defines or declares something, or stores an element.
    Definition,
    /// Computed and printed.
    Expression,
    /// `_ = e`: computed for its effect.
    Effect,
}

/// An item of an input.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The bytes of the item, without the `;`.
    pub bytes: std::ops::Range<usize>,
    /// The names that the item defines, in lower case; none for an expression. The name of a type is preceded
    /// by `type `, a declared name by `typeof ` or `external `, and the name of an object of which an element
    /// or a field is stored by `store `.
    pub names: Vec<String>,
    #[allow(missing_docs)]
    pub kind: Kind,
}

impl Item {
    /// The name whose type the item declares.
    pub fn declares(&self) -> Option<&str> {
        self.names.first()?.strip_prefix("typeof ")
    }

    /// Whether the item defines a name, here or in C.
    pub fn defines(&self, name: &str) -> bool {
        self.names.iter().any(|n| n == name || n.strip_prefix("external ") == Some(name))
    }

    /// The first of the item's names, as the user writes it.
    pub fn shown_name(&self) -> Option<&str> {
        let name = self.names.first()?;
        Some(name.split_once(' ').map_or(name, |(_, name)| name))
    }

    /// Whether `newer` replaces the item. `defined`: whether a name was defined before `newer`; a `typeof` of
    /// a name that was not belongs to the newer definition.
    pub fn yields_to(&self, newer: &Item, defined: impl Fn(&str) -> bool) -> bool {
        self.names.iter().any(|n| match n.split_once(' ') {
            Some(("store", name)) => newer.defines(name),
            Some(("external", name)) => newer.defines(name),
            Some(("typeof", name)) => {
                newer.names.contains(n) || (newer.names.iter().any(|m| m == name) && defined(name))
            }
            Some(_) => newer.names.contains(n),
            None => newer.defines(n),
        })
    }
}

fn tokens(text: &str) -> Vec<Token> {
    lexer::lex(&Source::new(text.to_owned())).0
}

/// Whether an input is complete; otherwise it needs more lines.
pub fn is_complete(text: &str) -> bool {
    let tokens = tokens(text);
    let depth: isize = tokens.iter().map(|t| nesting(&t.tok)).sum();
    let Some(last) = tokens.len().checked_sub(2).map(|n| &tokens[n].tok) else { return true };
    let open = match last {
        Tok::Op(op) => !matches!(*op, ";" | ")" | "]" | "}"),
        Tok::Word(word) => KEYWORDS.contains(&word.as_str()),
        _ => false,
    };
    depth <= 0 && !open
}

fn nesting(tok: &Tok) -> isize {
    match tok {
        Tok::Op("(" | "[" | "{" | "{:") => 1,
        Tok::Op(")" | "]" | "}") => -1,
        _ => 0,
    }
}

/// Whether an input is complete and ends with a `;`.
pub fn ends(text: &str) -> bool {
    let tokens = tokens(text);
    let last = tokens.len().checked_sub(2).map(|n| &tokens[n].tok);
    last == Some(&Tok::Op(";")) && is_complete(text)
}

/// Whether a line begins an input of its own, if the one before it may be complete. `-` and `:` may begin an
/// expression and a command; comments and empty lines begin nothing.
pub fn begins(line: &str) -> bool {
    match tokens(line).first().map(|t| &t.tok) {
        Some(Tok::Op(op)) => matches!(*op, "(" | "{" | "{:" | "@" | ";" | "-" | ":"),
        Some(Tok::Word(word)) => {
            !matches!(word.as_str(), "then" | "else" | "when" | "of" | "to" | "downto" | "and" | "or")
        }
        Some(Tok::End) | None => false,
        Some(_) => true,
    }
}

/// The items of an input, as far as its tokens tell them; the parser reports its errors.
pub fn items(text: &str) -> Vec<Item> {
    let tokens = tokens(text);
    let (mut items, mut from, mut depth) = (Vec::new(), 0, 0);
    for (at, token) in tokens.iter().enumerate() {
        let begins = matches!(&token.tok, Tok::Word(w) if matches!(w.as_str(), "def" | "defsubst" | "type" | "typeof"));
        let ends = match token.tok {
            Tok::End => true,
            Tok::Op(";") => depth <= 0,
            _ => depth <= 0 && begins && at > from,
        };
        depth += nesting(&token.tok);
        if ends {
            items.extend(item(&tokens[from..at]));
            from = if begins { at } else { at + 1 };
        }
    }
    items
}

fn item(tokens: &[Token]) -> Option<Item> {
    let bytes = tokens.first()?.span.lo as usize..tokens.last()?.span.hi as usize;
    let word = |at: usize| match tokens.get(at).map(|t| &t.tok) {
        Some(Tok::Word(w)) => Some(w.as_str()),
        _ => None,
    };
    let called =
        |kind: &str, at: usize| word(at).map(|w| format!("{kind}{w}")).into_iter().collect::<Vec<_>>();
    let (names, kind) = match (&tokens[0].tok, word(0)) {
        (_, Some("def" | "defsubst")) => (called("", 1), Kind::Definition),
        (_, Some("typeof")) => (called("typeof ", 1), Kind::Definition),
        (_, Some("type" | "typesyn")) => {
            (called("type ", if word(1).is_some() { 1 } else { 2 }), Kind::Definition)
        }
        (Tok::Op("@"), _) if word(1) == Some("external") => (called("external ", 2), Kind::Definition),
        (Tok::Op("@"), _) => (Vec::new(), Kind::Definition),
        _ => match bound(tokens) {
            Some(names) if names.is_empty() => (names, Kind::Effect),
            Some(names) => (names, Kind::Definition),
            None => (Vec::new(), Kind::Expression),
        },
    };
    Some(Item { bytes, names, kind })
}

/// The names left of a `=` that is in no bracket.
fn bound(tokens: &[Token]) -> Option<Vec<String>> {
    let mut depth = 0;
    let mut is_outside = |t: &Token, op| {
        depth += nesting(&t.tok);
        depth == 0 && t.tok == Tok::Op(op)
    };
    let equals = tokens.iter().position(|t| is_outside(t, "="))?;
    let parts: Vec<&[Token]> = tokens[..equals].split(|t| is_outside(t, ",")).collect();
    Some(parts.iter().flat_map(|part| bound_part(part, parts.len() == 1)).collect())
}

/// The names in one part of a left-hand side; `single`: there is no other part.
fn bound_part(part: &[Token], single: bool) -> Vec<String> {
    let name = |t: &Token| match &t.tok {
        Tok::Word(w) if !KEYWORDS.contains(&w.as_str()) && w != "_" => Some(w.clone()),
        _ => None,
    };
    let names = part.iter().filter_map(name);
    match (part.first().map(|t| &t.tok), part.get(1).map(|t| &t.tok)) {
        (Some(Tok::Word(w)), Some(Tok::Op("[" | "!" | "!!" | "."))) => vec![format!("store {w}")],
        // `f x y = e` defines f.
        (Some(Tok::Word(_)), Some(next)) if single && *next != Tok::Op(":") => names.take(1).collect(),
        _ => names.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_complete_or_not() {
        for text in ["", "1", "1;", "def f x = x + 1", "f (1, 2)", "% comment", "\"a;b\"", "x;"] {
            assert!(is_complete(text), "{text}");
        }
        for text in ["(", "def f x =", "1 +", "{ a = 1;", "if x then", "def f Nil = 0 |", "f,", "{: x ||"] {
            assert!(!is_complete(text), "{text}");
        }
    }

    #[test]
    fn items_and_their_names() {
        let of = |text: &str| {
            items(text).into_iter().map(|i| (text[i.bytes].to_owned(), i.names.join(" "))).collect::<Vec<_>>()
        };
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            of("def f x = { y = 1; In y }; 3;"),
            [pair("def f x = { y = 1; In y }", "f"), pair("3", "")]
        );
        assert_eq!(
            of("a, (b:_) = g 1; A[1] = 2"),
            [pair("a, (b:_) = g 1", "a b"), pair("A[1] = 2", "store a")]
        );
        assert_eq!(
            of("f x y = x + y; typeof f = int -> int"),
            [pair("f x y = x + y", "f"), pair("typeof f = int -> int", "typeof f")]
        );
        assert_eq!(
            of("type (t *0) = A | B *0 def g x = x"),
            [pair("type (t *0) = A | B *0", "type t"), pair("def g x = x", "g")]
        );
        assert_eq!(
            of("@external f \"g\"; p[i], q = g i; c.key = 3; x:xs = y; @other f"),
            [
                pair("@external f \"g\"", "external f"),
                pair("p[i], q = g i", "store p q"),
                pair("c.key = 3", "store c"),
                pair("x:xs = y", "x xs"),
                pair("@other f", ""),
            ]
        );
        let kinds: Vec<Kind> = items("_ = print 1; 2; call print 3").iter().map(|i| i.kind).collect();
        assert_eq!(kinds, [Kind::Effect, Kind::Expression, Kind::Expression]);
    }

    /// Whether the older item yields to the newer one: if the name was defined before, and if it was not.
    #[track_caller]
    fn yields(older: &str, newer: &str, defined: bool, undefined: bool) {
        let (old, new) = (items(older), items(newer));
        assert_eq!(
            (old[0].yields_to(&new[0], |_| true), old[0].yields_to(&new[0], |_| false)),
            (defined, undefined),
            "{older}; {newer}"
        );
    }

    #[test]
    fn what_yields_to_what() {
        yields("def f x = x", "f y = y", true, true);
        yields("def f x = x", "@external f", true, true);
        yields("@external f", "f = 3", true, true);
        yields("@external f", "@external f \"g\"", true, true);
        yields("typeof f = int", "typeof f = float", true, true);
        yields("typeof f = int", "f = 3", true, false);
        yields("typeof f = int", "@external f", false, false);
        yields("a[1] = 2", "a = 3", true, true);
        yields("a[1] = 2", "a[2] = 3", false, false);
        yields("a = 2", "a[2] = 3", false, false);
        yields("type f = A", "f = 3", false, false);
        yields("type f = A", "type f = B", true, true);
        yields("a, b = c", "b = 3", true, true);
    }

    #[test]
    fn lines_that_begin_inputs() {
        for line in [" | f 1 = 2", "else 3", "+ 1", "then 4", "} In 3", "", "% comment"] {
            assert!(!begins(line), "{line}");
        }
        for line in ["def f x = 1", "3", ":list", "(1, 2)", "{ a = 1 In a }", "-1", "@external f", "\"s\""] {
            assert!(begins(line), "{line}");
        }
    }

    #[test]
    fn ends_of_inputs() {
        assert!(ends("1; % comment\n") && ends("{ a = 1; In a };"));
        assert!(!ends("1") && !ends("{ a = 1;") && !ends("") && !ends("\";\""));
    }
}
