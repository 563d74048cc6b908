//! The definition that each name means, and the constructors and fields (docs/id90.md, "Words").
//!
//! Blocks, loops, functions, comprehensions and cases open scopes; a name means the innermost definition.
//! The user's definitions hide the library's. In a loop, `x` of a variable that has a `next x` is this
//! pass's value.

use crate::stack::with_stack;
use crate::syntax::ast::*;
use crate::syntax::spelling::near;
use base::{Code, Diagnostic, Span};
use std::collections::HashMap;

/// The number of a definition of a name.
pub type BindId = usize;

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ref {
    /// A definition, a parameter, a variable.
    Bind(BindId),
    /// A constructor: index into [`Names::cons`].
    Con(usize),
}

/// A definition of a name.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Bind {
    pub name: String,
    pub span: Span,
    /// There is only a `typeof`: the definition is built in, or a function of C.
    pub builtin: bool,
    /// For a function of C: its symbol, and where it is declared.
    pub external: Option<(String, Span)>,
}

/// A constructor.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Con {
    pub name: String,
    pub span: Span,
    /// Index into [`Program::types`], and among its constructors.
    pub ty: usize,
    pub index: usize,
    pub arity: usize,
    /// The number of the constructor among those of its type with fields, or among those without.
    pub number: usize,
}

/// A variable that circulates in a loop.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Circulating {
    pub outer: BindId,
    pub current: BindId,
    pub next: BindId,
    pub span: Span,
}

/// The names of a program.
#[derive(Default)]
#[allow(missing_docs)]
pub struct Names {
    pub binds: Vec<Bind>,
    pub cons: Vec<Con>,
    pub uses: HashMap<NodeId, Ref>,
    /// By the node of a pattern, a definition or a loop's index.
    pub defined: HashMap<NodeId, BindId>,
    pub loops: HashMap<NodeId, Vec<Circulating>>,
    /// By the pattern of a name that a loop's body defines: the user's definition around the loop.
    pub hidden: HashMap<NodeId, BindId>,
    /// Field name → constructor and position.
    pub fields: HashMap<String, (usize, usize)>,
    /// `typeof` by definition: the type as written and its position.
    pub signatures: HashMap<BindId, (TypeExpr, Span)>,
    /// The definitions inside a function.
    pub inner: HashMap<BindId, std::ops::Range<BindId>>,
    pub said: Vec<Diagnostic>,
}

/// Finds the meanings of the names of a program.
pub fn resolve(program: &Program, user_from: u32) -> Names {
    let mut r = Resolver {
        names: Names::default(),
        cons: HashMap::new(),
        library_cons: HashMap::new(),
        scopes: vec![HashMap::new()],
        program,
        user_from,
    };
    r.types();
    r.scope(std::slice::from_ref(&program.library), |r| {
        r.scope(std::slice::from_ref(&program.stmts), |r| program.results.iter().for_each(|e| r.expr(e)));
    });
    r.names
}

struct Resolver<'a> {
    names: Names,
    cons: HashMap<String, usize>,
    /// The constructors of the library, which the user's may hide.
    library_cons: HashMap<String, usize>,
    scopes: Vec<HashMap<String, Ref>>,
    program: &'a Program,
    user_from: u32,
}

impl Resolver<'_> {
    fn error(&mut self, code: Code, span: Span, text: String) -> &mut Diagnostic {
        self.names.said.push(Diagnostic::error(code, span, text));
        self.names.said.last_mut().expect("it was just put there")
    }

    fn types(&mut self) {
        for (ty, decl) in self.program.types.iter().enumerate() {
            let (mut bare, mut full) = (0, 0);
            for (index, con) in decl.cons.iter().enumerate() {
                let at = self.names.cons.len();
                let counter = if con.fields.is_empty() { &mut bare } else { &mut full };
                let (name, span, arity) = (con.name.text.clone(), con.name.span, con.fields.len());
                self.names.cons.push(Con { name: name.clone(), span, ty, index, arity, number: *counter });
                *counter += 1;
                if span.lo < self.user_from {
                    self.library_cons.insert(name.clone(), at);
                }
                let other = self.cons.insert(name.clone(), at).map(|other| self.names.cons[other].span);
                if let Some(other) =
                    other.filter(|other| other.lo >= self.user_from || span.lo < self.user_from)
                {
                    let d = self.error(
                        Code::IdRedefined,
                        span,
                        format!("the constructor `{name}` is declared twice"),
                    );
                    d.labels.push((other, "first here".into()));
                }
                for (n, field) in con.fields.iter().enumerate() {
                    if let Some(field) = &field.name
                        && self.names.fields.insert(field.text.clone(), (at, n)).is_some()
                    {
                        let text = format!("the field `{}` is declared twice", field.text);
                        self.error(Code::IdRedefined, field.span, text);
                    }
                }
            }
            if full > 16 {
                let text = format!(
                    "`{}` has {full} constructors with fields; at most 16 are possible",
                    decl.name.text
                );
                self.error(Code::IdTypeName, decl.name.span, text);
            }
        }
        // A test for each constructor, as in `nil? xs`.
        for (at, con) in self.names.cons.clone().into_iter().enumerate() {
            self.scopes[0].insert(format!("{}?", con.name), Ref::Con(at + TEST));
        }
    }

    fn bind(&mut self, name: &str, span: Span) -> BindId {
        self.names.binds.push(Bind { name: name.to_owned(), span, builtin: false, external: None });
        self.names.binds.len() - 1
    }

    fn declare(&mut self, name: &str, span: Span, node: NodeId) {
        let id = self.bind(name, span);
        self.names.defined.insert(node, id);
        let before = self.scopes.last_mut().expect("there is one").insert(name.to_owned(), Ref::Bind(id));
        if let Some(Ref::Bind(before)) = before {
            let first = self.names.binds[before].span;
            let d = self.error(Code::IdRedefined, span, format!("`{name}` is defined twice in one block"));
            d.labels.push((first, "first here".into()));
        }
    }

    fn pat(&mut self, p: &Pat) {
        with_stack(|| self.pat_kind(p));
    }

    fn pat_kind(&mut self, p: &Pat) {
        match &p.kind {
            PatKind::Name(name) => self.declare(name, p.span, p.id),
            PatKind::Con(name, args) => {
                match self.con_named(&name.text, name.span) {
                    Some(con) => {
                        self.names.uses.insert(p.id, Ref::Con(con));
                        let arity = self.names.cons[con].arity;
                        if arity != args.len() {
                            let declared = self.names.cons[con].span;
                            let text = format!(
                                "`{}` has {arity} fields, the pattern gives {}",
                                name.text,
                                args.len()
                            );
                            let d = self.error(Code::IdPattern, p.span, text);
                            d.labels.push((declared, "declared here".into()));
                        }
                    }
                    None => {
                        self.error(
                            Code::IdUndefined,
                            name.span,
                            format!("no type has the constructor `{}`", name.text),
                        );
                    }
                }
                args.iter().for_each(|a| self.pat(a));
            }
            PatKind::Tuple(parts) => parts.iter().for_each(|a| self.pat(a)),
            _ => {}
        }
    }

    /// Opens a scope with the definitions of these statements, resolves the statements, and then runs
    /// `inside`.
    fn scope(&mut self, groups: &[Vec<Stmt>], inside: impl FnOnce(&mut Self)) {
        self.scopes.push(HashMap::new());
        self.define(groups);
        groups.iter().flatten().for_each(|s| self.stmt(s));
        inside(self);
        self.scopes.pop();
    }

    fn define(&mut self, groups: &[Vec<Stmt>]) {
        for stmt in groups.iter().flatten() {
            match stmt {
                Stmt::Def(def) => {
                    self.declare(&def.name.text, def.name.span, def.id);
                }
                Stmt::Bind { lhs, .. } => {
                    for l in lhs {
                        if let Lhs::Pat(p) = l {
                            self.pat(p);
                        }
                    }
                }
                _ => {}
            }
        }
        let library = self.scopes.len() == 2;
        let externals: &[(Name, String)] = if self.scopes.len() == 3 { &self.program.externals } else { &[] };
        for stmt in groups.iter().flatten() {
            let Stmt::TypeOf(name, ty) = stmt else { continue };
            let here = self.scopes.last().expect("there is one").get(&name.text).copied();
            let id = match here {
                Some(Ref::Bind(id)) => id,
                _ if library || externals.iter().any(|e| e.0.text == name.text) => {
                    let id = self.bind(&name.text, name.span);
                    self.names.binds[id].builtin = true;
                    self.scopes.last_mut().expect("there is one").insert(name.text.clone(), Ref::Bind(id));
                    id
                }
                _ => {
                    let text =
                        format!("`typeof {}` stands here, but no definition of `{}`", name.text, name.text);
                    self.error(Code::IdUndefined, name.span, text);
                    continue;
                }
            };
            self.names.signatures.insert(id, (ty.clone(), name.span));
        }
        externals.iter().for_each(|(name, symbol)| self.external(name, symbol));
    }

    /// `@external`: the name has a `typeof` and no other definition.
    fn external(&mut self, name: &Name, symbol: &str) {
        let text = &name.text;
        match self.scopes.last().expect("there is one").get(text) {
            Some(&Ref::Bind(id)) if self.names.binds[id].external.is_some() => {
                self.error(
                    Code::IdRedefined,
                    name.span,
                    format!("`{text}` is declared as a function of C twice"),
                );
            }
            Some(&Ref::Bind(id)) if self.names.binds[id].builtin => {
                self.names.binds[id].external = Some((symbol.to_owned(), name.span));
            }
            Some(&Ref::Bind(id)) => {
                let at = self.names.binds[id].span;
                let d = self.error(Code::IdRedefined, name.span, format!("`{text}` is defined in Id too"));
                d.labels.push((at, "here".into()));
            }
            _ => {
                let d =
                    self.error(Code::IdUndefined, name.span, format!("the type of `{text}` is not known"));
                d.help = Some(format!("declare it: `typeof {text} = int -> float;`, for example"));
            }
        }
    }

    /// The constructor that a name means at a position: the library does not see the user's, and `:` is the
    /// library's.
    fn con_named(&self, name: &str, span: Span) -> Option<usize> {
        if name == ":" {
            return self.library_cons.get("cons").copied();
        }
        let cons = if span.lo < self.user_from { &self.library_cons } else { &self.cons };
        cons.get(name).copied()
    }

    fn look_up(&self, name: &str) -> Option<Ref> {
        let bound = self.scopes.iter().rev().find_map(|s| s.get(name).copied());
        bound.or_else(|| self.cons.get(name).map(|&c| Ref::Con(c)))
    }

    fn name(&mut self, text: &str, span: Span, id: NodeId) {
        if is_empty(text) || text.starts_with('(') {
            return;
        }
        // Constructors are visible everywhere, as their types are; but the user's definitions hide the
        // library's constructors.
        let con = self.con_named(text, span).map(Ref::Con);
        let found = match (con, self.look_up(text)) {
            (Some(Ref::Con(con)), Some(Ref::Bind(id)))
                if self.names.cons[con].span.lo < self.user_from
                    && self.names.binds[id].span.lo >= self.user_from =>
            {
                Some(Ref::Bind(id))
            }
            (con, found) => con.or(found),
        };
        match found {
            Some(found) => {
                self.names.uses.insert(id, found);
            }
            None => self.undefined(text, span),
        }
    }

    fn undefined(&mut self, text: &str, span: Span) {
        let known = self.scopes.iter().flat_map(|s| s.keys()).chain(self.cons.keys()).map(String::as_str);
        let known = known.chain(crate::syntax::lexer::KEYWORDS.iter().copied());
        let best = known.filter(|k| near(k, text)).min().map(str::to_owned);
        let d = self.error(Code::IdUndefined, span, format!("`{text}` is not defined"));
        d.label = "no definition of this name is visible here".into();
        d.help = best.map(|name| format!("did you mean `{name}`?"));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Def(def) => {
                let first = self.names.binds.len();
                for clause in &def.clauses {
                    self.clause(clause);
                }
                if let Some(&id) = self.names.defined.get(&def.id) {
                    self.names.inner.insert(id, first..self.names.binds.len());
                }
            }
            Stmt::Bind { lhs, value, .. } => {
                for l in lhs {
                    match l {
                        Lhs::Store { base, index, .. } => {
                            self.expr(base);
                            index.iter().for_each(|i| self.expr(i));
                        }
                        Lhs::StoreField { base, field, .. } => {
                            self.expr(base);
                            self.field(field);
                        }
                        Lhs::Next(name, id) if !self.names.defined.contains_key(id) => {
                            let text = format!("`next {}` stands outside of the body of a loop", name.text);
                            self.error(Code::IdLoop, name.span, text);
                        }
                        _ => {}
                    }
                }
                self.expr(value);
            }
            Stmt::Do(e) => self.expr(e),
            Stmt::TypeOf(..) => {}
        }
    }

    fn clause(&mut self, clause: &Clause) {
        self.scopes.push(HashMap::new());
        clause.params.iter().for_each(|p| self.pat(p));
        clause.guard.iter().for_each(|g| self.expr(g));
        self.expr(&clause.body);
        self.scopes.pop();
    }

    fn field(&mut self, field: &Name) {
        if !self.names.fields.contains_key(&field.text) {
            self.error(Code::IdUndefined, field.span, format!("no type has a field `{}`", field.text));
        }
    }

    fn expr(&mut self, e: &Expr) {
        with_stack(|| self.kind(e));
    }

    /// Reports fields that `Con {field = e; ...}` leaves out, and that no store can fill later.
    fn left_out(&mut self, f: &Expr, args: &[Expr]) {
        let Some(&Ref::Con(con)) = self.names.uses.get(&f.id) else { return };
        let Some(con) = self.names.cons.get(con) else { return }; // a test, as `Leaf?`
        let decl = &self.program.types[con.ty].cons[con.index];
        let empty = |arg: &Expr| matches!(&arg.kind, ExprKind::Name(name) if name == LEFT_OUT);
        let missing = decl.fields.iter().zip(args).find_map(|(field, arg)| {
            let name = field.name.as_ref().filter(|_| field.kind == ArrayKind::Functional && empty(arg))?;
            Some((name.text.clone(), name.span, arg.span))
        });
        if let Some((name, declared, at)) = missing {
            let text = format!("the field `{name}` has no value, and cannot get one later");
            let d = self.error(Code::IdUndefined, at, text);
            d.labels.push((declared, "declared here".into()));
            d.help = Some(format!(
                "give the field a value, or declare it as `.{name}`, which is stored once, or as mutable"
            ));
        }
    }

    fn kind(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Name(text) => self.name(text, e.span, e.id),
            ExprKind::Next(name) => {
                let key = format!("next {}", name.text);
                match self.look_up(&key) {
                    Some(found) => {
                        self.names.uses.insert(e.id, found);
                    }
                    None => {
                        let text = format!("`{}` has no `next` in a loop around this", name.text);
                        self.error(Code::IdLoop, e.span, text);
                    }
                }
            }
            ExprKind::Apply(f, args) => {
                self.expr(f);
                args.iter().for_each(|a| self.expr(a));
                self.left_out(f, args);
            }
            ExprKind::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Negate(a) => self.expr(a),
            ExprKind::Field(a, field, _) => {
                self.expr(a);
                self.field(field);
            }
            ExprKind::Cons { head, tail, .. } => {
                self.expr(head);
                self.expr(tail);
            }
            ExprKind::Tuple(parts) => parts.iter().for_each(|p| self.expr(p)),
            ExprKind::If(c, a, b) => {
                self.expr(c);
                self.expr(a);
                b.iter().for_each(|b| self.expr(b));
            }
            ExprKind::Case(tested, arms) => {
                self.expr(tested);
                for arm in arms {
                    self.scopes.push(HashMap::new());
                    self.pat(&arm.pat);
                    arm.guard.iter().for_each(|g| self.expr(g));
                    self.expr(&arm.body);
                    self.scopes.pop();
                }
            }
            ExprKind::Block(block) => {
                self.scope(&block.groups, |r| block.result.iter().for_each(|e| r.expr(e)));
            }
            ExprKind::Loop(l) => self.looped(e.id, l),
            ExprKind::Fun(clauses) => clauses.iter().for_each(|c| self.clause(c)),
            ExprKind::Index(base, index, _) => {
                self.expr(base);
                index.iter().for_each(|i| self.expr(i));
            }
            ExprKind::ListCompr(value, gens) => self.gens(gens, |r| r.expr(value)),
            ExprKind::ArrayCompr(c) => {
                self.expr(&c.bounds);
                c.regions.iter().for_each(|region| self.region(region));
                if let Some((op, gets)) = &c.accumulate {
                    self.expr(op);
                    gets.iter().for_each(|region| self.region(region));
                }
            }
            _ => {}
        }
    }

    fn region(&mut self, region: &Region) {
        self.gens(&region.gens, |r| {
            region.index.iter().for_each(|i| r.expr(i));
            r.expr(&region.value);
        });
    }

    fn gens(&mut self, gens: &[Gen], inside: impl FnOnce(&mut Self)) {
        let depth = self.scopes.len();
        for g in gens {
            match g {
                Gen::Range(p, r) => {
                    self.range(r);
                    self.scopes.push(HashMap::new());
                    self.pat(p);
                }
                Gen::List(p, e) | Gen::Bind(p, e) => {
                    self.expr(e);
                    self.scopes.push(HashMap::new());
                    self.pat(p);
                }
                Gen::When(e) => self.expr(e),
            }
        }
        inside(self);
        self.scopes.truncate(depth);
    }

    fn range(&mut self, r: &Range) {
        self.expr(&r.from);
        self.expr(&r.to);
        r.by.iter().for_each(|b| self.expr(b));
    }

    fn looped(&mut self, id: NodeId, l: &Loop) {
        let scope = self.circulating(id, l);
        match &l.head {
            LoopHead::Range(_, _, r) => self.range(r),
            LoopHead::List(_, e) => self.expr(e),
            LoopHead::While(_) => {}
        }
        l.bound.iter().for_each(|b| self.expr(b));
        self.scopes.push(scope.clone());
        match &l.head {
            LoopHead::While(e) => self.expr(e),
            LoopHead::Range(name, node, _) => self.declare(&name.text, name.span, *node),
            LoopHead::List(p, _) => self.pat(p),
        }
        self.scope(&l.groups, |_| {});
        self.scopes.pop();
        // The loop's end sees the circulating variables, not the definitions of a pass.
        self.scopes.push(scope);
        l.finally.iter().for_each(|f| self.expr(f));
        self.scopes.pop();
    }

    /// Notes the variables of a loop that have a `next`. Returns the scope of their names and their `next`
    /// names.
    fn circulating(&mut self, id: NodeId, l: &Loop) -> HashMap<String, Ref> {
        let mut circulating: Vec<Circulating> = Vec::new();
        let mut scope = HashMap::new();
        for stmt in l.groups.iter().flatten() {
            let Stmt::Bind { lhs, .. } = stmt else { continue };
            for l in lhs {
                if let Lhs::Pat(Pat { id, kind: PatKind::Name(name), .. }) = l
                    && let Some(Ref::Bind(outer)) = self.look_up(name)
                    && self.names.binds[outer].span.lo >= self.user_from
                {
                    self.names.hidden.insert(*id, outer);
                }
                let Lhs::Next(name, node) = l else { continue };
                let Some(Ref::Bind(outer)) = self.look_up(&name.text) else {
                    let text = format!("`{}` has a `next`, but no value before the loop", name.text);
                    let d = self.error(Code::IdLoop, name.span, text);
                    d.help = Some(format!(
                        "define `{}` in a block around the loop: {{ {0} = ...; In {{ for ... }} }}",
                        name.text
                    ));
                    // A definition without a value, so that no more errors follow from this one.
                    let missing = self.bind(&name.text, name.span);
                    self.names.defined.insert(*node, missing);
                    scope.insert(name.text.clone(), Ref::Bind(missing));
                    scope.insert(format!("next {}", name.text), Ref::Bind(missing));
                    continue;
                };
                let (current, next) = (self.bind(&name.text, name.span), self.bind(&name.text, name.span));
                self.names.defined.insert(*node, next);
                if let Some(first) = circulating.iter().find(|c| c.outer == outer).map(|c| c.span) {
                    let d = self.error(
                        Code::IdLoop,
                        name.span,
                        format!("`next {}` stands twice in one body", name.text),
                    );
                    d.labels.push((first, "first here".into()));
                    continue;
                }
                scope.insert(name.text.clone(), Ref::Bind(current));
                scope.insert(format!("next {}", name.text), Ref::Bind(next));
                circulating.push(Circulating { outer, current, next, span: name.span });
            }
        }
        self.names.loops.insert(id, circulating);
        scope
    }
}

/// Added to a constructor's number for its test.
pub const TEST: usize = 1 << 32;
