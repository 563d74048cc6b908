//! The types of the definitions and expressions of a session's text, by the front end: the text of all inputs
//! so far is one program, and the types are those of the last input's part.

use crate::check::types::{Ty, con, is};
use crate::check::{self, Checked, infer, resolve};
use crate::syntax::ast::{Lhs, Pat, PatKind, Stmt};
use crate::syntax::{self, ast};
use base::{Source, Span};
use std::collections::HashSet;

/// A value or a function, and its type as the user writes types.
#[derive(Clone, Debug, PartialEq)]
pub struct Typing {
    /// Where the definition or the expression stands in the text.
    pub span: Span,
    /// The defined name; none for an expression.
    pub name: Option<String>,
    /// The type, as shown.
    pub ty: String,
    /// The expression has no value to print.
    pub is_void: bool,
}

/// Checks a session's text. Returns the definitions and expressions of the text from `from` on, in order. A
/// `typeof` may stand there without its definition, which may follow in a later input.
pub fn check(source: &Source, user_from: u32, from: u32) -> (Vec<Typing>, Vec<base::Diagnostic>) {
    let (mut program, said) = syntax::read(source, user_from);
    let known = defined_names(&program);
    program.stmts.retain(|stmt| match stmt {
        Stmt::TypeOf(name, _) => name.span.lo < user_from || known.contains(&name.text),
        _ => true,
    });
    let Checked { program, names, typed, mut said } = check::check(program, said, user_from);
    syntax::spelling::restore(&mut said, source, user_from);
    let (Some(names), Some(typed)) = (names, typed) else { return (Vec::new(), said) };
    let mut found = Vec::new();
    for stmt in &program.stmts {
        defined(stmt, &mut |name, node| {
            if let Some(&id) = names.defined.get(&node) {
                found.extend(definition(&typed, &names, id, name, from));
            }
        });
    }
    for (name, _) in program.externals.iter().filter(|(name, _)| name.span.lo >= from) {
        let is_it = |b: &resolve::Bind| b.external.is_some() && b.name == name.text;
        let typing = names.binds.iter().position(is_it);
        let typing = typing.and_then(|id| definition(&typed, &names, id, &name.text, user_from));
        found.extend(typing.map(|t| Typing { span: name.span, ..t }));
    }
    for e in &program.results {
        let ty = typed.widened.get(&e.id).or_else(|| typed.nodes.get(&e.id)).cloned();
        let Some(ty) = ty.filter(|_| e.span.lo >= from) else { continue };
        let is_void = is(&typed.types.prune(&ty), "void");
        found.push(Typing { span: e.span, name: None, ty: shown(&typed, &ty, &[]), is_void });
    }
    found.sort_by_key(|t| t.span.lo);
    (found, said)
}

/// The names that the program defines, in Id or as functions of C.
fn defined_names(program: &ast::Program) -> HashSet<String> {
    let mut names: HashSet<String> = program.externals.iter().map(|(name, _)| name.text.clone()).collect();
    for stmt in &program.stmts {
        defined(stmt, &mut |name, _| {
            names.insert(name.to_owned());
        });
    }
    names
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

/// The text of a type. A number of either type is shown as an int if it is the whole type, or its variable is
/// not in `any`.
fn shown(typed: &infer::Typed, ty: &Ty, any: &[usize]) -> String {
    let types = &typed.types;
    let is_value = matches!(types.prune(ty), Ty::Var(_));
    let ty = types.map(ty, &mut |v| match types.vars[v].number {
        true if is_value || !any.contains(&v) => con("int"),
        true => con("*number"),
        false => Ty::Var(v),
    });
    types.show(&ty)
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
    fn a_typeof_may_come_first() {
        let library = format!("# 1 \"<library>\" 3\n{}\n", crate::LIBRARY);
        let from = library.len() as u32;
        let shown = |text: &str| {
            let (found, said) = check(&Source::new(format!("{library}{text}")), from, from);
            assert!(said.is_empty(), "{text}");
            found
                .iter()
                .map(|t| format!("{}:{}", t.name.clone().unwrap_or_default(), t.ty))
                .collect::<Vec<_>>()
        };
        assert!(shown("typeof f = int -> int;").is_empty());
        assert_eq!(shown("typeof f = int -> int; def f x = x;"), ["f:int -> int"]);
        assert_eq!(shown("typeof f = int -> int; @external f \"g\"; f 2"), ["f:int -> int", ":int"]);
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
