//! What an interactive session needs of the front end: the items of an input, whether an input is complete,
//! and the types of what it defines and computes.

use crate::ast::{Lhs, Pat, PatKind, Stmt};
use crate::lexer::{self, KEYWORDS, Tok, Token};
use crate::types::Ty;
use crate::{Checked, ast, infer, resolve};
use base::{Source, Span};

/// An item of an input.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Its bytes, without the `;`.
    pub bytes: std::ops::Range<usize>,
    /// The names that it defines, in lower case; none of an expression. A type's name has `type ` in front.
    pub names: Vec<String>,
    /// Neither a definition nor a pragma: to be computed.
    pub is_expression: bool,
}

fn tokens(text: &str) -> Vec<Token> {
    lexer::lex(&Source::new(text.to_owned())).0
}

/// Whether an input can be taken as it is; else more lines are wanted.
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

/// The items of an input, as far as its tokens tell them: the parser says what is wrong with it.
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
    let one = |at: usize| word(at).map(str::to_owned).into_iter().collect::<Vec<_>>();
    let (names, is_expression) = match (&tokens[0].tok, word(0)) {
        (_, Some("def" | "defsubst")) => (one(1), false),
        (_, Some("typeof")) => (word(1).map(|w| format!("typeof {w}")).into_iter().collect(), false),
        (_, Some("type" | "typesyn")) => {
            let name = word(1).or_else(|| word(2));
            (name.map(|w| format!("type {w}")).into_iter().collect(), false)
        }
        (Tok::Op("@"), _) => (Vec::new(), false),
        _ => match bound(tokens) {
            Some(names) => (names, false),
            None => (Vec::new(), true),
        },
    };
    Some(Item { bytes, names, is_expression })
}

/// The names left of a `=` that is in no bracket.
fn bound(tokens: &[Token]) -> Option<Vec<String>> {
    let mut depth = 0;
    let equals = tokens.iter().position(|t| {
        depth += nesting(&t.tok);
        depth == 0 && t.tok == Tok::Op("=")
    })?;
    let left = &tokens[..equals];
    let names = left.iter().filter_map(|t| match &t.tok {
        Tok::Word(w) if !KEYWORDS.contains(&w.as_str()) && w != "_" => Some(w.clone()),
        _ => None,
    });
    // `f x y = e` defines f.
    let applied = left.len() > 1
        && matches!(left[0].tok, Tok::Word(_))
        && !matches!(left[1].tok, Tok::Op("," | ":" | "[" | "!" | "!!" | "."));
    Some(if applied { names.take(1).collect() } else { names.collect() })
}

/// A value or a function, and its type as the user writes types.
#[derive(Clone, Debug, PartialEq)]
pub struct Typing {
    /// Where the definition or the expression stands in the text.
    pub span: Span,
    /// None of an expression.
    pub name: Option<String>,
    /// As shown.
    pub ty: String,
    /// Gives nothing that is printed.
    pub is_void: bool,
}

/// Checks a session's text; what the text from `from` on defines and computes, in order.
pub fn check(source: &Source, user_from: u32, from: u32) -> (Vec<Typing>, Vec<base::Diagnostic>) {
    let Checked { program, names, typed, said } = crate::checked(crate::parsed(source, user_from), user_from);
    let (Some(names), Some(typed)) = (names, typed) else { return (Vec::new(), said) };
    let mut found = Vec::new();
    for stmt in &program.stmts {
        defined(stmt, &mut |name, node| {
            if let Some(&id) = names.defined.get(&node) {
                found.extend(definition(&typed, &names, id, name, from));
            }
        });
    }
    for e in &program.results {
        let ty = typed.widened.get(&e.id).or_else(|| typed.nodes.get(&e.id)).cloned();
        let Some(ty) = ty.filter(|_| e.span.lo >= from) else { continue };
        let is_void = crate::types::is(&typed.types.prune(&ty), "void");
        found.push(Typing { span: e.span, name: None, ty: shown(&typed, &ty, &[]), is_void });
    }
    found.sort_by_key(|t| t.span.lo);
    (found, said)
}

fn definition(
    typed: &infer::Typed,
    names: &resolve::Names,
    id: resolve::BindId,
    name: &str,
    from: u32,
) -> Option<Typing> {
    let (span, scheme) = (names.binds[id].span, typed.binds.get(&id)?);
    let ty = shown(typed, &scheme.ty, &scheme.vars);
    (span.lo >= from).then(|| Typing { span, name: Some(name.to_owned()), ty, is_void: false })
}

/// A number of either type is an int where nothing says more: a value, and all that is not in `any`.
fn shown(typed: &infer::Typed, ty: &Ty, any: &[usize]) -> String {
    let types = &typed.types;
    let is_value = matches!(types.prune(ty), Ty::Var(_));
    let ty = types.map(ty, &mut |v| match types.vars[v].number && (is_value || !any.contains(&v)) {
        true => crate::types::con("int"),
        false => Ty::Var(v),
    });
    types.show(&ty).replace("a number", "*number")
}

fn defined<'a>(stmt: &'a Stmt, visit: &mut dyn FnMut(&'a str, ast::NodeId)) {
    fn pattern<'a>(p: &'a Pat, visit: &mut dyn FnMut(&'a str, ast::NodeId)) {
        match &p.kind {
            PatKind::Name(name) => visit(name, p.id),
            PatKind::Con(_, parts) | PatKind::Tuple(parts) => parts.iter().for_each(|q| pattern(q, visit)),
            _ => {}
        }
    }
    match stmt {
        Stmt::Def(def) => visit(&def.name.text, def.id),
        Stmt::Bind { lhs, .. } => {
            for l in lhs {
                if let Lhs::Pat(p) = l {
                    pattern(p, visit);
                }
            }
        }
        _ => {}
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
        assert_eq!(of("a, (b:_) = g 1; A[1] = 2"), [pair("a, (b:_) = g 1", "a b"), pair("A[1] = 2", "a")]);
        assert_eq!(
            of("f x y = x + y; typeof f = int -> int"),
            [pair("f x y = x + y", "f"), pair("typeof f = int -> int", "typeof f")]
        );
        assert_eq!(
            of("type (t *0) = A | B *0 def g x = x"),
            [pair("type (t *0) = A | B *0", "type t"), pair("def g x = x", "g")]
        );
    }

    #[test]
    fn types_of_a_session() {
        let library = format!("# 1 \"<library>\" 3\n{}\n", crate::LIBRARY);
        let from = library.len() as u32;
        let text = "def twice f x = f (f x); n = 3; twice ((+) n) 1; call print 1;";
        let (found, said) = check(&Source::new(format!("{library}{text}")), from, from);
        assert!(said.is_empty());
        let shown: Vec<String> =
            found.iter().map(|t| format!("{}:{}", t.name.clone().unwrap_or_default(), t.ty)).collect();
        assert_eq!(shown, ["twice:(*0 -> *0) -> *0 -> *0", "n:int", ":int", ":void"]);
    }
}
