//! Definitions: groups of them in the order of their dependences, generalisation, clauses, bindings and
//! stores.

use super::flow::Mark;
use super::{Infer, Why};
use crate::check::resolve::{BindId, Ref};
use crate::check::types::*;
use crate::stack::with_stack;
use crate::syntax::ast::*;
use crate::syntax::walk;
use base::{Code, Span};
use std::collections::{HashMap, HashSet};

/// The declaration of a function by `typeof`.
struct Declared {
    scheme: Scheme,
    /// Which of the scheme's variables stand for numbers.
    numbers: Vec<bool>,
    /// The type as it was written.
    before: String,
    span: Span,
}

impl Infer<'_> {
    /// Infers the statements of a block: definitions first, each after those that it uses, then the others.
    pub(super) fn groups(&mut self, groups: &[Vec<Stmt>]) {
        let stmts: Vec<&Stmt> = groups.iter().flatten().collect();
        let defined: Vec<Vec<BindId>> = stmts.iter().map(|s| self.defines(s)).collect();
        let owner: HashMap<BindId, usize> =
            defined.iter().enumerate().flat_map(|(at, ids)| ids.iter().map(move |&id| (id, at))).collect();
        let used: Vec<Vec<usize>> = stmts.iter().map(|s| self.uses(s, &owner)).collect();
        self.recursive_substitutions(&stmts, &used);
        for group in components(&used) {
            let group: Vec<usize> = group.into_iter().filter(|&at| !defined[at].is_empty()).collect();
            if !group.is_empty() {
                self.group(&group.iter().map(|&at| stmts[at]).collect::<Vec<_>>());
            }
        }
        for (stmt, ids) in stmts.iter().zip(&defined) {
            if ids.is_empty() {
                self.effect(stmt);
            }
        }
    }

    /// Reports definitions by `defsubst`, which are substituted at their uses, that use themselves.
    fn recursive_substitutions(&mut self, stmts: &[&Stmt], used: &[Vec<usize>]) {
        let subst = |at: usize| match stmts[at] {
            Stmt::Def(def) if def.subst => Some(def),
            _ => None,
        };
        let edges: Vec<Vec<usize>> = used
            .iter()
            .enumerate()
            .map(|(at, to)| match subst(at) {
                Some(_) => to.iter().copied().filter(|&to| subst(to).is_some()).collect(),
                None => Vec::new(),
            })
            .collect();
        for group in components(&edges) {
            let Some(def) = subst(group[0]) else { continue };
            if group.len() == 1 && !edges[group[0]].contains(&group[0]) {
                continue;
            }
            let text = format!("`{}` is defined by `defsubst` and uses itself", def.name.text);
            let others: Vec<Span> = group[1..].iter().filter_map(|&at| Some(subst(at)?.name.span)).collect();
            let d = self.error(Code::IdSubst, def.name.span, text);
            d.labels.extend(others.into_iter().map(|at| (at, "by way of this one".to_owned())));
            d.help = Some("a function that calls itself is defined by `def`".into());
        }
    }

    fn defines(&self, stmt: &Stmt) -> Vec<BindId> {
        let mut ids = Vec::new();
        match stmt {
            Stmt::Def(def) => ids.extend(self.names.defined.get(&def.id)),
            Stmt::Bind { lhs, .. } => {
                for l in lhs {
                    match l {
                        Lhs::Pat(p) => pattern_nodes(p, &mut |id| ids.extend(self.names.defined.get(&id))),
                        Lhs::Next(_, id) => ids.extend(self.names.defined.get(id)),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        ids
    }

    /// Which statements of the block this one uses.
    fn uses(&self, stmt: &Stmt, owner: &HashMap<BindId, usize>) -> Vec<usize> {
        let mut found = HashSet::new();
        walk::stmt(stmt, &mut |e| {
            if let Some(Ref::Bind(id)) = self.names.uses.get(&e.id)
                && let Some(&at) = owner.get(id)
            {
                found.insert(at);
            }
        });
        let mut found: Vec<usize> = found.into_iter().collect();
        found.sort_unstable();
        found
    }

    /// Infers definitions that use each other.
    fn group(&mut self, stmts: &[&Stmt]) {
        let functions =
            stmts.iter().all(|s| matches!(s, Stmt::Def(def) if !def.clauses[0].params.is_empty()));
        if !functions {
            for stmt in stmts {
                self.effect(stmt);
            }
            return;
        }
        self.typed.types.level += 1;
        let mut signed: HashMap<BindId, Declared> = HashMap::new();
        for stmt in stmts {
            let Stmt::Def(def) = stmt else { continue };
            let Some(&id) = self.names.defined.get(&def.id) else { continue };
            let open = self.names.signatures.get(&id).filter(|s| self.leaves_numbers_open(&s.0)).cloned();
            if let Some((written, _)) = open {
                let ty = self.written(&written, &mut Vec::new(), true);
                self.typed.binds.insert(id, Scheme { vars: Vec::new(), ty });
                continue;
            }
            let scheme = match self.declared(id) {
                Some(declared) => {
                    let scheme = declared.scheme.clone();
                    signed.insert(id, declared);
                    scheme
                }
                None => Scheme { vars: Vec::new(), ty: self.fresh() },
            };
            self.typed.binds.insert(id, scheme);
        }
        for stmt in stmts {
            let Stmt::Def(def) = stmt else { continue };
            let Some(&id) = self.names.defined.get(&def.id) else { continue };
            match signed.get(&id) {
                Some(declared) => self.as_declared(def, declared),
                None => {
                    let own = self.typed.binds[&id].ty.clone();
                    let at = self.names.signatures.get(&id).map(|s| s.1);
                    let found = self.clauses(&def.clauses, &def.name.text, at.map(|at| (&own, at)));
                    let why =
                        Why { text: "a use here determines the type".into(), at: self.typed.types.why(&own) };
                    self.demand(&own, &found, def.name.span, why);
                }
            }
        }
        let level = self.typed.types.level - 1;
        let functions: Vec<Ty> = stmts
            .iter()
            .filter_map(|stmt| match stmt {
                Stmt::Def(def) => self.names.defined.get(&def.id).map(|id| self.typed.binds[id].ty.clone()),
                _ => None,
            })
            .collect();
        self.settle(level, &functions);
        self.typed.types.level = level;
        for stmt in stmts {
            let Stmt::Def(def) = stmt else { continue };
            let Some(&id) = self.names.defined.get(&def.id) else { continue };
            let ty = self.typed.binds[&id].ty.clone();
            let vars = self.typed.types.free(&ty);
            self.typed.binds.insert(id, Scheme { vars, ty });
        }
    }

    /// The declaration of a definition by `typeof`, if it has one.
    fn declared(&mut self, id: BindId) -> Option<Declared> {
        let (written, span) = self.names.signatures.get(&id)?;
        let errors = self.typed.said.len();
        let ty = self.written(&written.clone(), &mut Vec::new(), true);
        self.typed.types.level -= 1;
        let vars = self.typed.types.free(&ty);
        self.typed.types.level += 1;
        let numbers = vars.iter().map(|&v| self.typed.types.vars[v].number).collect();
        if self.typed.said.len() > errors {
            // A wrong type declares nothing.
            return None;
        }
        let before = self.typed.types.show(&ty);
        Some(Declared { scheme: Scheme { vars, ty }, numbers, before, span: *span })
    }

    /// Checks a function with a `typeof`: inference of its clauses begins with the declared type, and must
    /// not make it narrower.
    fn as_declared(&mut self, def: &Def, declared: &Declared) {
        let errors = self.typed.said.len();
        let found = self.clauses(&def.clauses, &def.name.text, Some((&declared.scheme.ty, declared.span)));
        self.settle(self.typed.types.level - 1, &[]);
        let mut distinct = HashSet::new();
        let pairs = declared.scheme.vars.iter().zip(&declared.numbers);
        let kept = pairs.into_iter().all(|(&v, number)| match self.prune(&Ty::Var(v)) {
            Ty::Var(w) => distinct.insert(w) && self.typed.types.vars[w].number == *number,
            // A kind that was left open may be fixed.
            Ty::Con(name, _) => matches!(&*name, "I" | "S" | "M" | "F"),
            _ => false,
        });
        if !kept && self.typed.said.len() == errors {
            let (shown, wanted) = (self.typed.types.show(&found), &declared.before);
            let text = format!("`{}` is of type `{shown}`, which is narrower than declared", def.name.text);
            let d = self.error(Code::IdType, def.name.span, text);
            d.labels.push((declared.span, format!("`typeof` declares `{wanted}`")));
        }
    }

    /// The type of a function by its clauses. `declared`: the type that `typeof` declares, and where.
    pub(super) fn clauses(&mut self, clauses: &[Clause], name: &str, declared: Option<(&Ty, Span)>) -> Ty {
        let params: Vec<Ty> = clauses[0].params.iter().map(|_| self.fresh()).collect();
        let mark = self.mark();
        let result = self.fresh();
        let whole = params.iter().rev().fold(result.clone(), |to, from| fun(from.clone(), to));
        let first = clauses[0].body.span;
        if let Some((ty, at)) = declared {
            // The expected types of the parameters and the result come from there.
            if !self.typed.types.unify(ty, &whole, at) {
                let why = Why { text: format!("`typeof {name}` declares the type"), at: Some(at) };
                let span = clauses[0].params.last().map_or(first, |p| p.span);
                self.demand(ty, &whole, span, why);
            }
        }
        for clause in clauses {
            for ((p, ty), at) in clause.params.iter().zip(&params).zip(&clauses[0].params) {
                let found = self.pat(p);
                let why = Why {
                    text: format!("the same argument of `{name}` in its first clause"),
                    at: Some(at.span),
                };
                self.demand(ty, &found, p.span, why);
            }
        }
        for clause in clauses {
            if let Some(guard) = &clause.guard {
                self.condition(guard);
            }
            self.expr(&clause.body);
        }
        self.join(
            clauses.iter().map(|c| &c.body).collect(),
            &result,
            first,
            "the first clause's result",
            &mark,
        );
        whole
    }

    /// Joins several expressions, one of which has the value. `mark`: from before the result's variable was
    /// made.
    pub(super) fn join(&mut self, bodies: Vec<&Expr>, result: &Ty, first: Span, what: &str, mark: &Mark) {
        for body in &bodies {
            // The position of another of them, if this is the first.
            let other = bodies.iter().map(|b| b.span).find(|s| *s != body.span);
            let at = if body.span == first { other } else { Some(first) };
            let text = match body.span == first {
                true if bodies.len() == 1 => "the type of the result is known",
                true => "both results must be of one type",
                false => what,
            };
            self.coerce(result, body, Why { text: text.into(), at });
        }
        self.close(mark);
    }

    /// Infers a statement that is no function: gives its names types, and checks its effects.
    fn effect(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Def(def) if def.clauses[0].params.is_empty() => {
                let body = &def.clauses[0].body;
                self.generally(def.id, body, |infer| {
                    infer.expr(body);
                    let ty = infer.typed.nodes[&body.id].clone();
                    infer.value(def.id, &ty, def.name.span, body);
                });
            }
            Stmt::Def(def) => {
                let written = self.names.defined.get(&def.id).and_then(|id| self.names.signatures.get(id));
                let declared =
                    written.cloned().map(|(written, at)| (self.written(&written, &mut Vec::new(), true), at));
                let declared = declared.as_ref().map(|(ty, at)| (ty, *at));
                let found = self.clauses(&def.clauses, &def.name.text, declared);
                if let Some(&id) = self.names.defined.get(&def.id) {
                    let own = self.of_bind(id, def.id);
                    let why =
                        Why { text: "a use here determines the type".into(), at: self.typed.types.why(&own) };
                    self.demand(&own, &found, def.name.span, why);
                }
            }
            Stmt::Bind { lhs, value, .. } => {
                let node = match lhs.as_slice() {
                    [Lhs::Pat(Pat { kind: PatKind::Name(_), id, .. })] => *id,
                    _ => value.id,
                };
                self.generally(node, value, |infer| {
                    infer.expr(value);
                    infer.bind(lhs, value);
                });
            }
            Stmt::Do(e) => self.statement(e),
            Stmt::TypeOf(..) => {}
        }
    }

    /// Infers the binding of a name to a value. A value that is built only of constructors, such as `Nil`,
    /// may be used at several types: nothing in it depends on the types that its variables stand for.
    /// Variables of numbers, which have two representations, are not generalised. If the type holds
    /// functions, which may compare their arguments, no variable is.
    fn generally(&mut self, node: NodeId, value: &Expr, infer: impl FnOnce(&mut Self)) {
        let id = self.names.defined.get(&node).copied();
        let Some(id) = id.filter(|id| !self.typed.binds.contains_key(id) && self.is_built(value)) else {
            return infer(self);
        };
        self.typed.types.level += 1;
        infer(self);
        self.settle(self.typed.types.level - 1, &[]);
        self.typed.types.level -= 1;
        let Some(Scheme { vars, ty }) = self.typed.binds.get(&id).cloned() else { return };
        if !vars.is_empty() {
            return;
        }
        let mut vars = self.typed.types.free(&ty);
        if self.typed.types.holds_function(&ty) {
            vars.clear();
        }
        vars.retain(|&v| !self.typed.types.vars[v].number);
        // The other variables belong to the surrounding level.
        for v in self.typed.types.free(&ty) {
            if !vars.contains(&v) {
                self.typed.types.vars[v].level = self.typed.types.level;
            }
        }
        self.typed.binds.insert(id, Scheme { vars, ty });
    }

    /// Whether an expression is built of constructors whose fields cannot be stored, and of names of values
    /// that are known.
    fn is_built(&self, e: &Expr) -> bool {
        with_stack(|| match &e.kind {
            ExprKind::Name(_) => match self.names.uses.get(&e.id) {
                Some(Ref::Con(con)) => self.is_closed(*con),
                Some(Ref::Bind(id)) => self.typed.binds.contains_key(id) && !self.names.binds[*id].builtin,
                None => false,
            },
            ExprKind::Apply(head, args) => {
                matches!(self.names.uses.get(&head.id), Some(Ref::Con(con)) if self.is_closed(*con))
                    && args.iter().all(|a| self.is_built(a))
            }
            ExprKind::Tuple(parts) => parts.iter().all(|p| self.is_built(p)),
            ExprKind::Cons { head, tail, delay_head: false, delay_tail: false } => {
                self.is_built(head) && self.is_built(tail)
            }
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Char(_) | ExprKind::Str(_) => true,
            _ => false,
        })
    }

    /// Whether all fields of a constructor have values when it is applied. (Only the library can store into
    /// those of lists.)
    fn is_closed(&self, con: usize) -> bool {
        let Some(con) = self.names.cons.get(con) else { return false };
        let fields = &self.program.types[con.ty].cons[con.index].fields;
        con.name == "cons" || fields.iter().all(|f| f.kind == ArrayKind::Functional)
    }

    /// Gives a type to a name that stands for the value of an expression.
    fn value(&mut self, node: NodeId, ty: &Ty, span: Span, value: &Expr) {
        let Some(&id) = self.names.defined.get(&node) else { return };
        self.names_whole(id, value);
        // A name for a whole number stands for it as an int here and as a float there, as the number does.
        if let (ExprKind::Int(_), Ty::Var(v)) = (&value.kind, self.prune(ty))
            && !self.typed.binds.contains_key(&id)
            && !self.names.signatures.contains_key(&id)
        {
            self.typed.binds.insert(id, Scheme { vars: vec![v], ty: ty.clone() });
            return;
        }
        let own = match self.typed.binds.get(&id) {
            Some(scheme) => scheme.ty.clone(),
            None => ty.clone(),
        };
        self.typed.binds.insert(id, Scheme { vars: Vec::new(), ty: own.clone() });
        if let Some((written, at)) = self.names.signatures.get(&id) {
            let written = self.written(&written.clone(), &mut Vec::new(), true);
            let why = || Why { text: "`typeof` declares the type".into(), at: Some(*at) };
            self.demand(&written, &own, span, why());
        }
        self.coerce(
            &own,
            value,
            Why { text: "the uses of this name determine the type".into(), at: Some(span) },
        );
    }

    fn bind(&mut self, lhs: &[Lhs], value: &Expr) {
        let ty = self.typed.nodes[&value.id].clone();
        if let [Lhs::Pat(Pat { kind: PatKind::Name(_), id, span })] = lhs {
            self.typed.nodes.insert(*id, ty.clone());
            return self.value(*id, &ty, *span, value);
        }
        if let [one] = lhs {
            let (wanted, why) = self.target(one);
            // A stored value may be widened; a pattern takes the value as it is.
            return match one {
                Lhs::Pat(p) => {
                    self.demand(&ty, &wanted, p.span, Why { text: "the value".into(), at: Some(value.span) })
                }
                _ => self.coerce(&wanted, value, why),
            };
        }
        let parts: Vec<(Ty, Why)> = lhs.iter().map(|l| self.target(l)).collect();
        if let ExprKind::Tuple(values) = &value.kind
            && values.len() == parts.len()
        {
            for ((wanted, why), value) in parts.into_iter().zip(values) {
                self.coerce(&wanted, value, why);
            }
            return;
        }
        let wanted = Ty::Tuple(parts.into_iter().map(|p| p.0).collect());
        let why = Why { text: "each left-hand side gets one component of a tuple".into(), at: None };
        self.demand(&wanted, &ty, value.span, why);
    }

    /// The type that a left-hand side wants.
    fn target(&mut self, lhs: &Lhs) -> (Ty, Why) {
        match lhs {
            Lhs::Pat(p) => (self.pat(p), Why { text: "the pattern".into(), at: Some(p.span) }),
            Lhs::Next(name, id) => {
                let ty = match self.names.defined.get(id) {
                    Some(&id) => self.of_bind(id, 0),
                    None => self.fresh(),
                };
                (ty, Why { text: format!("the loop's variable `{}`", name.text), at: Some(name.span) })
            }
            Lhs::Store { base, index, access, span } => {
                let kind = if *access == Access::Plain { "S" } else { "M" };
                let ty = self.subscript(base, index, con(kind), base.id);
                (ty, Why { text: "an element of this array".into(), at: Some(*span) })
            }
            Lhs::StoreField { base, field, access } => (
                self.field(base, field, *access, true),
                Why { text: "the field".into(), at: Some(field.span) },
            ),
        }
    }
}

/// Calls `visit` for the pattern's node and all in it.
pub(crate) fn pattern_nodes(p: &Pat, visit: &mut dyn FnMut(NodeId)) {
    visit(p.id);
    match &p.kind {
        PatKind::Con(_, parts) | PatKind::Tuple(parts) => parts.iter().for_each(|q| pattern_nodes(q, visit)),
        _ => {}
    }
}

/// Tarjan's strongly connected components, each after those that it uses.
pub(crate) fn components(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    struct Search<'a> {
        edges: &'a [Vec<usize>],
        index: Vec<Option<usize>>,
        low: Vec<usize>,
        on: Vec<bool>,
        stack: Vec<usize>,
        next: usize,
        found: Vec<Vec<usize>>,
    }
    impl Search<'_> {
        fn visit(&mut self, v: usize) {
            with_stack(|| self.visit_now(v));
        }

        fn visit_now(&mut self, v: usize) {
            self.index[v] = Some(self.next);
            self.low[v] = self.next;
            self.next += 1;
            self.stack.push(v);
            self.on[v] = true;
            for &w in &self.edges[v] {
                if self.index[w].is_none() {
                    self.visit(w);
                    self.low[v] = self.low[v].min(self.low[w]);
                } else if self.on[w] {
                    self.low[v] = self.low[v].min(self.index[w].unwrap_or(0));
                }
            }
            if Some(self.low[v]) == self.index[v] {
                let mut group = Vec::new();
                while let Some(w) = self.stack.pop() {
                    self.on[w] = false;
                    group.push(w);
                    if w == v {
                        break;
                    }
                }
                group.sort_unstable();
                self.found.push(group);
            }
        }
    }
    let n = edges.len();
    let (index, low, on) = (vec![None; n], vec![0; n], vec![false; n]);
    let mut s = Search { edges, index, low, on, stack: Vec::new(), next: 0, found: Vec::new() };
    for v in 0..n {
        if s.index[v].is_none() {
            s.visit(v);
        }
    }
    s.found
}
