//! Statements: definitions, bindings, stores, `call`; and the patterns on their left-hand sides.
//!
//! The left-hand side of `=` is parsed as an expression, which becomes a pattern, a store, a `next`, or, as
//! in programs of 1987, a function without the word `def`.

use super::{Parse, Parser, Wrong};
use crate::stack::with_stack;
use crate::syntax::ast::*;
use crate::syntax::lexer::Tok;
use base::{Code, Diagnostic};
use std::collections::HashSet;

impl Parser<'_> {
    /// Statements up to one of the closing words or `}`, in groups between barriers.
    pub(super) fn groups(&mut self, ends: &[&str]) -> Parse<Vec<Vec<Stmt>>> {
        let mut groups = vec![Vec::new()];
        loop {
            if self.eat_op(";") {
                continue;
            }
            if self.eat_op("---") {
                groups.push(Vec::new());
                continue;
            }
            if self.is_op("}") || *self.tok() == Tok::End || ends.iter().any(|w| self.is_word(w)) {
                return Ok(groups);
            }
            if self.eat_op("@") {
                self.release()?;
            } else {
                let stmt = self.stmt()?;
                groups.last_mut().expect("there is one").push(stmt);
            }
            let ended = self.is_op("}") || ends.iter().any(|w| self.is_word(w)) || self.is_op("---");
            if !ended && !self.eat_op(";") {
                return self.wrong("`;` between statements, or `}`");
            }
        }
    }

    /// Parses `@release x, y`, which has no effect: storage is not given back before the program ends.
    fn release(&mut self) -> Parse<()> {
        let name = self.name("the name of a pragma")?;
        if name.text != "release" {
            let text = format!("the pragma `@{}` is not known, and is left out", name.text);
            self.said.push(Diagnostic::warning(Code::IdPragma, name.span, text));
        }
        while !matches!(self.tok(), Tok::Op(";" | "}") | Tok::End) {
            self.step();
        }
        Ok(())
    }

    pub(super) fn stmt(&mut self) -> Parse<Stmt> {
        if self.is_word("def") || self.is_word("defsubst") {
            let subst = self.is_word("defsubst");
            self.step();
            return self.def(subst);
        }
        if self.eat_word("typeof") {
            let name = self.name("the name whose type this is")?;
            self.need_op("=", "`=` and a type")?;
            return Ok(Stmt::TypeOf(name, self.type_expr()?));
        }
        if self.eat_word("call") {
            return Ok(Stmt::Do(self.tuple_expr()?));
        }
        let lo = self.span();
        let left = self.tuple_expr()?;
        if !self.eat_op("=") {
            return Ok(Stmt::Do(left));
        }
        if let Some(name) = self.function_without_def(&left) {
            return self.rest_of_old_def(name, left);
        }
        let lhs = match left.kind {
            ExprKind::Tuple(parts) if parts.iter().any(is_target) => {
                parts.into_iter().map(|part| self.lhs(part)).collect::<Parse<Vec<_>>>()?
            }
            _ => vec![self.lhs(left)?],
        };
        let value = self.tuple_expr()?;
        Ok(Stmt::Bind { lhs, value, span: lo.to(self.last_span()) })
    }

    /// The name `f`, if the left-hand side is `f x y` and f is no constructor.
    fn function_without_def(&self, left: &Expr) -> Option<Name> {
        let ExprKind::Apply(head, _) = &left.kind else { return None };
        let ExprKind::Name(text) = &head.kind else { return None };
        let is_con = self.is_constructor(text);
        (!is_con).then(|| Name { text: text.clone(), span: head.span })
    }

    fn rest_of_old_def(&mut self, name: Name, left: Expr) -> Parse<Stmt> {
        let ExprKind::Apply(_, args) = left.kind else { return Err(Wrong) };
        let mut seen = HashSet::new();
        let params = args.into_iter().map(|a| self.pattern_of(a, &mut seen)).collect::<Parse<Vec<_>>>()?;
        let body = self.tuple_expr()?;
        let span = name.span.to(self.last_span());
        let clauses = self.more_clauses(&name, vec![Clause { params, guard: None, body, span }])?;
        let id = self.new_id();
        Ok(Stmt::Def(Def { name, clauses, subst: false, id }))
    }

    fn def(&mut self, subst: bool) -> Parse<Stmt> {
        let name = self.name("the name of a function")?;
        self.must_be_variable(&name.text, name.span);
        let first = self.clause(name.span)?;
        let clauses = self.more_clauses(&name, vec![first])?;
        let id = self.new_id();
        Ok(Stmt::Def(Def { name, clauses, subst, id }))
    }

    fn more_clauses(&mut self, name: &Name, mut clauses: Vec<Clause>) -> Parse<Vec<Clause>> {
        while self.eat_op("|") {
            let again = self.name("the function's name again")?;
            if again.text != name.text {
                let text = format!("this clause of `{}` begins with `{}`", name.text, again.text);
                let d = Diagnostic::error(Code::IdClauses, again.span, text)
                    .also(name.span, "the function is this one");
                self.said.push(d.help("clauses that follow `|` repeat the function's name"));
                return Err(Wrong);
            }
            let clause = self.clause(again.span)?;
            if clause.params.len() != clauses[0].params.len() {
                let (n, first) = (clause.params.len(), clauses[0].params.len());
                let text =
                    format!("this clause of `{}` takes {n} arguments, the first takes {first}", name.text);
                let d = Diagnostic::error(Code::IdClauses, clause.span, text);
                self.said.push(d.also(clauses[0].span, "the first clause"));
                return Err(Wrong);
            }
            clauses.push(clause);
        }
        Ok(clauses)
    }

    /// Parses a clause, after the function's name.
    pub(super) fn clause(&mut self, lo: base::Span) -> Parse<Clause> {
        let mut params = Vec::new();
        let mut seen = HashSet::new();
        while !self.is_op("=") && !self.is_word("when") {
            if !self.starts_primary() {
                return self.wrong("a pattern or `=`");
            }
            let primary = self.primary()?;
            params.push(self.pattern_of(primary, &mut seen)?);
        }
        let guard = if self.eat_word("when") { Some(self.or_expr()?) } else { None };
        self.need_op("=", "`=` and the function's body")?;
        let body = self.tuple_expr()?;
        Ok(Clause { params, guard, body, span: lo.to(self.last_span()) })
    }

    fn lhs(&mut self, left: Expr) -> Parse<Lhs> {
        if let ExprKind::Name(name) = &left.kind {
            self.must_be_variable(name, left.span);
        }
        Ok(match left.kind {
            ExprKind::Next(name) => Lhs::Next(name, left.id),
            ExprKind::Index(base, index, access) => {
                Lhs::Store { base: *base, index, access, span: left.span }
            }
            ExprKind::Field(base, field, access) => Lhs::StoreField { base: *base, field, access },
            _ => Lhs::Pat(self.pattern_of(left, &mut HashSet::new())?),
        })
    }

    /// The pattern that an expression spells.
    pub(super) fn pattern_of(&mut self, e: Expr, seen: &mut HashSet<String>) -> Parse<Pat> {
        with_stack(|| self.pattern(e, seen))
    }

    fn pattern(&mut self, e: Expr, seen: &mut HashSet<String>) -> Parse<Pat> {
        let (id, span) = (e.id, e.span);
        let kind = match e.kind {
            ExprKind::Name(text) if is_empty(&text) => PatKind::Wild,
            ExprKind::Block(Block { groups, result: None }) if groups.is_empty() => PatKind::Void,
            ExprKind::Name(text) if self.is_constructor(&text) => {
                // A constructor with fields is none without them.
                if self.constructors.get(&text).is_some_and(|fields| *fields > 0) {
                    self.must_be_variable(&text, span);
                }
                PatKind::Con(Name { text, span }, Vec::new())
            }
            ExprKind::Name(text) => {
                self.repeated(&Name { text: text.clone(), span }, seen);
                PatKind::Name(text)
            }
            ExprKind::Int(n) => PatKind::Int(n),
            ExprKind::Float(n) => PatKind::Float(n),
            ExprKind::Char(c) => PatKind::Char(c),
            ExprKind::Str(s) => PatKind::Str(s),
            ExprKind::Negate(inner) => match inner.kind {
                ExprKind::Int(n) => PatKind::Int(-n),
                ExprKind::Float(n) => PatKind::Float(-n),
                _ => return self.no_pattern(span),
            },
            ExprKind::Tuple(parts) => {
                PatKind::Tuple(parts.into_iter().map(|p| self.pattern_of(p, seen)).collect::<Parse<_>>()?)
            }
            ExprKind::Cons { head, tail, delay_head: false, delay_tail: false } => {
                let parts = vec![self.pattern_of(*head, seen)?, self.pattern_of(*tail, seen)?];
                PatKind::Con(Name { text: ":".into(), span }, parts)
            }
            ExprKind::Apply(head, args) => match head.kind {
                ExprKind::Name(text) if self.is_constructor(&text) => {
                    let args = args.into_iter().map(|a| self.pattern_of(a, seen)).collect::<Parse<_>>()?;
                    PatKind::Con(Name { text, span: head.span }, args)
                }
                ExprKind::Name(text) => {
                    let message =
                        format!("`{text}` is applied in a pattern, but no type has such a constructor");
                    let mut d = Diagnostic::error(Code::IdPattern, head.span, message);
                    let best =
                        self.constructors.keys().filter(|k| crate::syntax::spelling::near(k, &text)).min();
                    d.help = best.map(|name| format!("did you mean `{name}`?"));
                    self.said.push(d);
                    return Err(Wrong);
                }
                _ => return self.no_pattern(span),
            },
            ExprKind::If(..) => {
                let text = "an arm that stores or defines is a block";
                let help = "put the statements of the arm in braces: `then { a[i] = e }`";
                self.said.push(Diagnostic::error(Code::IdPattern, span, text).help(help));
                return Err(Wrong);
            }
            _ => return self.no_pattern(span),
        };
        Ok(Pat { id, span, kind })
    }

    fn no_pattern<T>(&mut self, span: base::Span) -> Parse<T> {
        let text = "this is not a pattern";
        let help = "patterns are names, `_`, numbers, strings, constructors, `p:ps` and tuples of patterns";
        self.said.push(Diagnostic::error(Code::IdPattern, span, text).help(help));
        Err(Wrong)
    }
}

/// Whether a part of a left-hand side is no pattern.
fn is_target(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Next(_) | ExprKind::Index(..) | ExprKind::Field(..))
}
