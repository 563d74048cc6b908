//! Types as the user writes them, and the declarations of types.

use super::Infer;
use super::binding::components;
use crate::check::external::External;
use crate::check::types::*;
use crate::stack::with_stack;
use crate::syntax::ast::*;
use base::{Code, Span};
use std::collections::HashMap;

/// The most parts of a written type: synonyms within synonyms can stand for any number.
const MOST_PARTS: usize = 100_000;

impl Infer<'_> {
    pub(super) fn declared_types(&mut self) {
        let program = self.program;
        for (at, decl) in program.types.iter().enumerate() {
            if let Some(first) = program.types[..at].iter().find(|d| d.name.text == decl.name.text) {
                let text = format!("the type `{}` is declared twice", plain(&decl.name));
                let d = self.error(Code::IdRedefined, decl.name.span, text);
                d.labels.push((first.name.span, "first here".into()));
            }
            if let Some(ty) = &decl.synonym {
                self.synonyms.insert(decl.name.text.clone(), (decl.params.clone(), ty.clone()));
            }
        }
        self.cyclic_synonyms();
        // All that a declaration names must exist, whether it is used or not.
        let mut con = 0;
        for (at, decl) in program.types.iter().enumerate() {
            let vars: Vec<(String, Ty)> = decl.params.iter().map(|p| (p.clone(), self.fresh())).collect();
            for c in &decl.cons {
                let fields = c.fields.iter().map(|f| self.written(&f.ty, &mut vars.clone(), false)).collect();
                self.typed.fields.insert(con, fields);
                con += 1;
            }
            if let Some(ty) = &decl.synonym {
                self.written(ty, &mut vars.clone(), false);
            }
            self.typed.params.insert(at, vars.into_iter().map(|v| v.1).collect());
        }
    }

    /// Reports synonyms that stand for themselves, perhaps by way of others: they stand for no type.
    fn cyclic_synonyms(&mut self) {
        let program = self.program;
        let synonyms: Vec<(&Name, &TypeExpr)> =
            program.types.iter().filter_map(|d| Some((&d.name, d.synonym.as_ref()?))).collect();
        let number: HashMap<&str, usize> =
            synonyms.iter().enumerate().map(|(n, s)| (s.0.text.as_str(), n)).collect();
        let mut edges: Vec<Vec<usize>> = Vec::new();
        for (_, ty) in &synonyms {
            let mut used = Vec::new();
            names_in(ty, &mut |name| used.extend(number.get(name)));
            edges.push(used);
        }
        for group in components(&edges) {
            let (first, rest) = (group[0], &group[1..]);
            if rest.is_empty() && !edges[first].contains(&first) {
                continue;
            }
            self.cyclic.extend(group.iter().map(|&n| synonyms[n].0.text.clone()));
            let name = synonyms[first].0;
            let d = self.error(
                Code::IdTypeName,
                name.span,
                format!("the synonym `{}` stands for itself", plain(name)),
            );
            d.labels.extend(rest.iter().map(|&n| (synonyms[n].0.span, "by way of this one".to_owned())));
            d.help = Some("a type that contains itself is declared by `type`, with a constructor".into());
        }
    }

    /// Gives types to the functions of which the library has only a `typeof`.
    pub(super) fn builtins(&mut self) {
        for (&id, (ty, _)) in &self.names.signatures {
            if self.names.binds[id].builtin {
                self.typed.types.level += 1;
                let ty = self.written(ty, &mut Vec::new(), true);
                self.typed.types.level -= 1;
                let vars = self.typed.types.free(&ty);
                self.typed.binds.insert(id, Scheme { vars, ty });
            }
        }
    }

    /// Checks that C has the declared types of the parameters and results of functions of C.
    pub(super) fn externals(&mut self) {
        let mut all: Vec<_> = self.names.signatures.iter().collect();
        all.sort_by_key(|s| s.1.1.lo);
        for (&id, (_, span)) in all {
            let Some((symbol, _)) = &self.names.binds[id].external else { continue };
            let Some(Scheme { ty, .. }) = self.typed.binds.get(&id) else { continue };
            let ty = self.typed.types.full(ty);
            let Err(wrong) = External::of(symbol, &ty) else { continue };
            let (whole, wrong) = (self.typed.types.show(&ty), self.typed.types.show(&wrong));
            let text = format!("no function of C is of the type `{whole}`");
            let d = self.error(Code::IdTypeName, *span, text);
            d.notes.push(format!("`{wrong}` is not allowed at its place in the type"));
            d.help = Some(
                "parameters: at least one, each int, float, bool, char or an array of these; the result: one \
                 of the first four, or void"
                    .into(),
            );
        }
    }

    /// Converts a written type. Variables are looked up in `vars`, and added if `open`. `*number` is a number
    /// of either type.
    pub(super) fn written(&mut self, t: &TypeExpr, vars: &mut Vec<(String, Ty)>, open: bool) -> Ty {
        let outermost = self.written == 0;
        self.written += 1;
        let ty = match self.written {
            n if n < MOST_PARTS => with_stack(|| self.written_as(t, vars, open)),
            n => {
                if n == MOST_PARTS {
                    let text = format!("this stands for a type of more than {MOST_PARTS} parts");
                    self.error(Code::IdTypeName, span_of(t), text);
                }
                self.fresh()
            }
        };
        if outermost {
            self.written = 0;
        }
        ty
    }

    fn written_as(&mut self, t: &TypeExpr, vars: &mut Vec<(String, Ty)>, open: bool) -> Ty {
        match t {
            TypeExpr::Var(name, span) => match vars.iter().find(|v| v.0 == *name) {
                Some((_, ty)) => ty.clone(),
                None => {
                    let ty = if name == "number" { self.typed.types.number() } else { self.fresh() };
                    if !open {
                        let text = format!("the type variable `*{name}` is not declared");
                        let d = self.error(Code::IdTypeName, *span, text);
                        d.help = Some(format!("write `*{name}` after the type's name, to the left of `=`"));
                    }
                    vars.push((name.clone(), ty.clone()));
                    ty
                }
            },
            TypeExpr::Fun(a, b) => fun(self.written(a, vars, open), self.written(b, vars, open)),
            TypeExpr::Tuple(parts) => Ty::Tuple(parts.iter().map(|p| self.written(p, vars, open)).collect()),
            TypeExpr::Name(name) if open && self.is_any_number(name) => self.typed.types.number(),
            TypeExpr::Name(name) => self.named(name, Vec::new()),
            TypeExpr::Apply(head, args) => {
                let args = args.iter().map(|a| self.written(a, vars, open)).collect();
                match &**head {
                    TypeExpr::Name(name) => self.named(name, args),
                    _ => {
                        let span = span_of(head);
                        self.error(Code::IdTypeName, span, "only a named type takes arguments".into());
                        self.fresh()
                    }
                }
            }
        }
    }

    /// Whether this is the `N` of the older manuals, which means a number of either type. In the declaration
    /// of a type it is a float.
    fn is_any_number(&self, name: &Name) -> bool {
        name.text == "n" && !self.program.types.iter().any(|d| d.name.text == "n")
    }

    /// Whether the type in a `typeof` leaves the types of some numbers to inference.
    pub(super) fn leaves_numbers_open(&self, t: &TypeExpr) -> bool {
        let mut found = false;
        names_in(t, &mut |name| found |= name == "n");
        found && !self.program.types.iter().any(|d| d.name.text == "n")
    }

    fn named(&mut self, name: &Name, args: Vec<Ty>) -> Ty {
        if self.cyclic.contains(&name.text) {
            return self.fresh();
        }
        if let Some((params, body)) = self.synonyms.get(&name.text).cloned() {
            self.count(name, params.len(), args.len());
            let mut vars: Vec<(String, Ty)> = params.into_iter().zip(args).collect();
            return self.written(&body, &mut vars, false);
        }
        if let Some(decl) = self.program.types.iter().find(|d| d.name.text == name.text) {
            self.count(name, decl.params.len(), args.len());
            return Ty::Con(name.text.as_str().into(), args.into());
        }
        let Some((_, meant, arity)) = crate::syntax::builtin::TYPES.iter().find(|row| row.0 == name.text)
        else {
            self.error(Code::IdTypeName, name.span, format!("there is no type `{}`", name.text));
            return self.fresh();
        };
        self.count(name, *arity, args.len());
        if *arity == 0 {
            return con(meant);
        }
        let element = args.into_iter().next().unwrap_or_else(|| con("void"));
        // An array without a kind may be of any kind.
        let (meant, kind) = match meant.split_once(' ') {
            Some((meant, kind)) => (meant, con(kind)),
            None => (*meant, self.fresh()),
        };
        Ty::Con(meant.into(), [kind, element].into())
    }

    fn count(&mut self, name: &Name, wanted: usize, given: usize) {
        if wanted != given {
            let text = format!(
                "the type `{}` takes {}, not {given}",
                plain(name),
                super::count(wanted, "argument", "arguments")
            );
            self.error(Code::IdTypeName, name.span, text);
        }
    }
}

/// A type's name as the user writes it.
fn plain(name: &Name) -> &str {
    name.text.trim_start_matches('\'')
}

/// The named types in a type as written.
fn names_in<'a>(t: &'a TypeExpr, visit: &mut dyn FnMut(&'a str)) {
    with_stack(|| match t {
        TypeExpr::Name(name) => visit(&name.text),
        TypeExpr::Var(..) => {}
        TypeExpr::Apply(head, args) => {
            names_in(head, visit);
            args.iter().for_each(|a| names_in(a, visit));
        }
        TypeExpr::Tuple(parts) => parts.iter().for_each(|p| names_in(p, visit)),
        TypeExpr::Fun(a, b) => {
            names_in(a, visit);
            names_in(b, visit);
        }
    })
}

fn span_of(t: &TypeExpr) -> Span {
    match t {
        TypeExpr::Name(name) => name.span,
        TypeExpr::Var(_, span) => *span,
        TypeExpr::Apply(a, _) | TypeExpr::Fun(a, _) => span_of(a),
        TypeExpr::Tuple(parts) => span_of(&parts[0]),
    }
}
