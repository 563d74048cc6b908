//! Copies of parts of the tree. Two versions of a loop are two statements, so that each can be rewritten by
//! itself. A copy has the meaning, the text and the marks of its original. Only the copy of a function's body
//! that replaces a call ([`Tree::copy_anew`]) has variables of its own.

use crate::ir::tree::{Access, Loop, Node, Step, Term, Tree};
use c_sema::typed::{SymId, SymKind, Symbol};
use c_sema::types::QTy;
use c_syntax::ast::*;
use std::collections::HashMap;

/// A copy of a statement, and the copies of the statements and expressions in it.
pub(crate) struct Copy {
    pub(crate) stmt: StmtId,
    stmts: HashMap<StmtId, StmtId>,
    exprs: HashMap<ExprId, ExprId>,
}

impl Copy {
    /// The copy of a statement of the original.
    pub(crate) fn stmt_of(&self, s: StmtId) -> StmtId {
        self.stmts[&s]
    }

    /// The copy of an expression of the original.
    pub(crate) fn expr(&self, e: ExprId) -> ExprId {
        self.exprs[&e]
    }
}

impl Tree {
    /// Copies a statement and everything in it.
    pub(crate) fn copy(&mut self, s: StmtId) -> Copy {
        let mut copier = self.copier();
        let stmt = copier.stmt(s);
        Copy { stmt, stmts: copier.stmts, exprs: copier.exprs }
    }

    /// Copies an expression.
    pub(crate) fn copy_expr(&mut self, e: ExprId) -> ExprId {
        self.copier().expr(e)
    }

    /// Copies a term.
    pub(crate) fn copy_term(&mut self, term: &Term) -> Term {
        self.copier().term(term)
    }

    /// Copies a loop's steps.
    pub(crate) fn copy_steps(&mut self, steps: &[Step]) -> Vec<Step> {
        let mut copier = self.copier();
        steps.iter().map(|step| copier.step(step)).collect()
    }

    /// Copies a function's body with variables of its own, which have the same names. `anew` gives the
    /// variables that its parameters stand for. The types in the body must name no variables.
    pub(crate) fn copy_anew(&mut self, body: StmtId, anew: Anew) -> StmtId {
        Copier { anew: Some(anew), ..self.copier() }.stmt(body)
    }

    fn copier(&mut self) -> Copier<'_> {
        Copier { tree: self, stmts: HashMap::new(), exprs: HashMap::new(), anew: None }
    }

    /// Copies nodes.
    pub(crate) fn copy_nodes(&mut self, nodes: &[Node]) -> Vec<Node> {
        self.copier().nodes(nodes)
    }
}

/// The variables that the names of a copied body stand for, and the types of such expressions.
pub(crate) type Anew = HashMap<SymId, (SymId, QTy)>;

/// Copies a part of a tree.
struct Copier<'t> {
    tree: &'t mut Tree,
    stmts: HashMap<StmtId, StmtId>,
    exprs: HashMap<ExprId, ExprId>,
    anew: Option<Anew>,
}

impl Copier<'_> {
    fn stmt(&mut self, s: StmtId) -> StmtId {
        if let Some(&done) = self.stmts.get(&s) {
            return done;
        }
        let copy = match self.tree.nodes.get(&s).cloned() {
            // Of the original statement only the first clause is rendered ([`Node::First`]); analyses read
            // the rest.
            Some(nodes) => {
                let copy = self.tree.shallow(s);
                self.stmts.insert(s, copy);
                let first = self.for_init(self.tree.unit.first_clause(s));
                if let StmtKind::For { init, .. } = &mut self.tree.unit.stmts[copy].kind {
                    *init = first;
                }
                let nodes = self.nodes(&nodes);
                self.tree.nodes.insert(copy, nodes);
                copy
            }
            None => {
                let kind = self.stmt_kind(s);
                self.tree.beside(s, kind)
            }
        };
        if self.tree.settled.contains(&s) {
            self.tree.settled.insert(copy);
        }
        self.stmts.insert(s, copy);
        copy
    }

    fn stmt_kind(&mut self, s: StmtId) -> StmtKind {
        use StmtKind::*;
        // Each arm copies the parts it needs out of the tree before it adds to the tree.
        match &self.tree.unit.stmts[s].kind {
            Compound(items) => {
                let items = items.clone();
                Compound(items.into_iter().map(|s| self.stmt(s)).collect())
            }
            &Decl(d) => Decl(self.decl(d)),
            &Expr(e) => Expr(self.option(e)),
            &If(c, a, b) => If(self.expr(c), self.stmt(a), b.map(|b| self.stmt(b))),
            &While(c, body) => While(self.expr(c), self.stmt(body)),
            &Do(body, c) => Do(self.stmt(body), self.expr(c)),
            &For { init, cond, step, body } => For {
                init: self.for_init(init),
                cond: self.option(cond),
                step: self.option(step),
                body: self.stmt(body),
            },
            &Forall { init, cond, step, affinity, body } => Forall {
                init: self.for_init(init),
                cond: self.option(cond),
                step: self.option(step),
                affinity: match affinity {
                    Affinity::Expr(e) => Affinity::Expr(self.expr(e)),
                    other => other,
                },
                body: self.stmt(body),
            },
            &Switch(e, body) => Switch(self.expr(e), self.stmt(body)),
            &Case(a, b, inner) => Case(self.expr(a), self.option(b), self.stmt(inner)),
            &Default(inner) => Default(self.stmt(inner)),
            Label(name, inner) => {
                let (name, inner) = (name.clone(), *inner);
                Label(name, self.stmt(inner))
            }
            Goto(name) => Goto(name.clone()),
            &GotoExpr(e) => GotoExpr(self.expr(e)),
            Continue => Continue,
            Break => Break,
            &Return(e) => Return(self.option(e)),
            Asm { operands, jumps } => {
                let (operands, jumps) = (operands.clone(), *jumps);
                let copied = operands.into_iter().map(|o| AsmOperand { expr: self.expr(o.expr), ..o });
                Asm { operands: copied.collect(), jumps }
            }
            &Barrier(kind, e) => Barrier(kind, self.option(e)),
            Fence => Fence,
            Opaque => Opaque,
            Error => Error,
        }
    }

    fn option(&mut self, e: Option<ExprId>) -> Option<ExprId> {
        e.map(|e| self.expr(e))
    }

    fn for_init(&mut self, init: ForInit) -> ForInit {
        match init {
            ForInit::None => ForInit::None,
            ForInit::Expr(e) => ForInit::Expr(self.expr(e)),
            ForInit::Decl(d) => ForInit::Decl(self.decl(d)),
        }
    }

    /// Types and declarators are shared by the copies of a declaration, if they declare the same.
    fn decl(&mut self, d: DeclId) -> DeclId {
        let DeclKind::Vars { specs, items } = &self.tree.unit.decls[d].kind else { return d };
        let specs = *specs;
        let items: Vec<_> = items
            .iter()
            .map(|i| InitDeclarator {
                span: i.span,
                declarator: i.declarator,
                width: i.width,
                asm_label: i.asm_label,
                attrs: i.attrs.clone(),
                init: i.init,
            })
            .collect();
        // A variable can be named in its own initialiser.
        let copied = |item: InitDeclarator, copier: &mut Self| InitDeclarator {
            declarator: copier.declarator(item.declarator),
            init: item.init.map(|init| copier.init(init)),
            ..item
        };
        let items = items.into_iter().map(|item| copied(item, self)).collect();
        let span = self.tree.unit.decls[d].span;
        self.tree.unit.decls.add(Decl { span, kind: DeclKind::Vars { specs, items } })
    }

    /// The declarator of a copied declaration: a new one if the copy has variables of its own.
    fn declarator(&mut self, d: DeclaratorId) -> DeclaratorId {
        if self.anew.is_none() {
            return d;
        }
        let (ty, mut declared) = (self.tree.typed.declarator_ty(d), self.tree.typed.declared(d));
        if let Some(old) = declared
            && let symbol @ Symbol { kind: SymKind::Auto, ty, .. } = self.tree.typed.sym(old).clone()
        {
            let new = self.tree.typed.add_symbol(symbol);
            self.anew.iter_mut().for_each(|anew| _ = anew.insert(old, (new, ty)));
            declared = Some(new);
        }
        let declarator = self.tree.unit.declarators[d].clone();
        let copy = self.tree.unit.declarators.add(declarator);
        self.tree.typed.declare(copy, ty, declared);
        copy
    }

    /// Has the copy of a name stand for the variable that it names in the copied body.
    fn rename(&mut self, copy: ExprId) {
        let (Some(anew), Some(sym)) = (&self.anew, self.tree.typed.symbol(copy)) else { return };
        let Some(&(sym, ty)) = anew.get(&sym) else { return };
        self.tree.typed.name(copy, sym, ty);
        let text = self.tree.typed.sym(sym).name.clone();
        if let ExprKind::Ident(name) = &mut self.tree.unit.exprs[copy].kind {
            name.text = text;
        }
    }

    fn init(&mut self, i: InitId) -> InitId {
        let kind = match &self.tree.unit.inits[i].kind {
            &InitKind::Expr(e) => InitKind::Expr(self.expr(e)),
            InitKind::List(items) => {
                let items: Vec<_> =
                    items.iter().map(|(path, i)| (path.iter().map(same).collect::<Vec<_>>(), *i)).collect();
                InitKind::List(items.into_iter().map(|(path, i)| (path, self.init(i))).collect())
            }
        };
        let span = self.tree.unit.inits[i].span;
        self.tree.unit.inits.add(Init { span, kind })
    }

    fn expr(&mut self, e: ExprId) -> ExprId {
        if let Some(&done) = self.exprs.get(&e) {
            return done;
        }
        let kind = self.expr_kind(e);
        let Expr { span, at, .. } = self.tree.unit.exprs[e];
        let copy = self.tree.unit.exprs.add(Expr { span, at, kind });
        let chosen = self.tree.typed.generic_choice(e).map(|chosen| self.exprs[&chosen]);
        self.tree.typed.copy_expr(e, copy, chosen);
        // The copy of a function's body is as much the program's as the body is.
        if self.anew.is_none() {
            let origin = self.tree.origin(e);
            self.tree.origins.insert(copy, origin);
        }
        self.rename(copy);
        self.exprs.insert(e, copy);
        if self.tree.early.contains(&e) {
            self.tree.early.insert(copy);
        }
        if let Some(access) = self.tree.accesses.get(&e).cloned() {
            let access = match access {
                Access::Element { base, index, inside } => {
                    let inside = inside.iter().map(|term| self.term(term)).collect();
                    Access::Element { base, index: self.term(&index), inside }
                }
                Access::Step(var, by) => Access::Step(var, self.term(&by)),
                Access::Number(number) => Access::Number(self.term(&number)),
                Access::WithNext(next) => Access::WithNext(self.expr(next)),
                Access::Held { buffer, at, fetched, otherwise } => {
                    Access::Held { buffer, at, fetched, otherwise: self.expr(otherwise) }
                }
                Access::Again { buffer, at, fetched, otherwise } => {
                    Access::Again { buffer, at, fetched, otherwise: self.expr(otherwise) }
                }
                other => other,
            };
            self.tree.accesses.insert(copy, access);
        }
        copy
    }

    fn expr_kind(&mut self, e: ExprId) -> ExprKind {
        use ExprKind::*;
        match &self.tree.unit.exprs[e].kind {
            Ident(name) => Ident(name.clone()),
            Number => Number,
            Char => Char,
            String => String,
            &Paren(a) => Paren(self.expr(a)),
            &Index(a, b) => Index(self.expr(a), self.expr(b)),
            Call(f, args) => {
                let (f, args) = (*f, args.clone());
                Call(self.expr(f), args.into_iter().map(|a| self.expr(a)).collect())
            }
            Member { base, arrow, name } => {
                let (base, arrow, name) = (*base, *arrow, name.clone());
                Member { base: self.expr(base), arrow, name }
            }
            &Post(op, a) => Post(op, self.expr(a)),
            &Pre(op, a) => Pre(op, self.expr(a)),
            &Unary(op, a) => Unary(op, self.expr(a)),
            &Binary(op, a, b) => Binary(op, self.expr(a), self.expr(b)),
            &Assign(op, a, b) => Assign(op, self.expr(a), self.expr(b)),
            &Split(op, a, b) => Split(op, self.expr(a), self.expr(b)),
            &Cond(c, a, b) => Cond(self.expr(c), self.option(a), self.expr(b)),
            &Cast(t, a) => Cast(t, self.expr(a)),
            &Compound(t, init) => Compound(t, self.init(init)),
            &SizeofExpr(op, a) => SizeofExpr(op, self.expr(a)),
            &SizeofType(op, t) => SizeofType(op, t),
            &Stmts(s) => Stmts(self.stmt(s)),
            Generic(c, arms) => {
                let (c, arms) = (*c, arms.clone());
                Generic(self.expr(c), arms.into_iter().map(|(t, e)| (t, self.expr(e))).collect())
            }
            Offsetof(t, path) => Offsetof(*t, path.iter().map(same).collect()),
            &VaArg(a, t) => VaArg(self.expr(a), t),
            &TypesCompatible(a, b) => TypesCompatible(a, b),
            &Choose(c, a, b) => Choose(self.expr(c), self.expr(a), self.expr(b)),
            &ConvertVector(a, t) => ConvertVector(self.expr(a), t),
            HasAttribute => HasAttribute,
            LabelAddr(name) => LabelAddr(name.clone()),
            &Extension(a) => Extension(self.expr(a)),
            FuncName => FuncName,
            Threads => Threads,
            MyThread => MyThread,
            Error => Error,
        }
    }

    fn nodes(&mut self, nodes: &[Node]) -> Vec<Node> {
        nodes.iter().map(|node| self.node(node)).collect()
    }

    fn node(&mut self, node: &Node) -> Node {
        match node {
            &Node::Stmt(s) => Node::Stmt(self.stmt(s)),
            &Node::Continued(s) => Node::Continued(self.stmt(s)),
            &Node::First(s) => Node::First(self.stmt(s)),
            Node::Declare { var, ty, value } => Node::Declare {
                var: *var,
                ty: ty.clone(),
                value: value.as_ref().map(|value| self.term(value)),
            },
            Node::Define(sym, value) => Node::Define(*sym, self.term(value)),
            Node::Assign(to, value) => Node::Assign(*to, self.term(value)),
            Node::Loop(l) => Node::Loop(Loop {
                go: self.term(&l.go),
                step: l.step.iter().map(|step| self.step(step)).collect(),
                body: self.nodes(&l.body),
                counts: l.counts,
            }),
            Node::If { test, then, otherwise } => {
                Node::If { test: self.term(test), then: self.nodes(then), otherwise: self.nodes(otherwise) }
            }
            Node::Known(hosts, body) => Node::Known(*hosts, self.nodes(body)),
            &Node::AllIterations { forall, outer, seldom } => {
                Node::AllIterations { forall: self.stmt(forall), outer, seldom }
            }
            &Node::Start { read, buffer, at, waiting, met } => {
                Node::Start { read: self.expr(read), buffer, at, waiting, met }
            }
            &Node::Hold { read, buffer, at, waiting, met, lost } => {
                Node::Hold { read: self.expr(read), buffer, at, waiting, met, lost }
            }
            &Node::StartCached { read, waiting, met } => {
                Node::StartCached { read: self.expr(read), waiting, met }
            }
            Node::Leave(test) => Node::Leave(self.term(test)),
            Node::Do(call) => Node::Do(self.term(call)),
            &Node::Extremum { object, value, test, always, original } => Node::Extremum {
                object: self.expr(object),
                value: self.expr(value),
                test,
                always,
                original: self.stmt(original),
            },
            Node::Trial { stop, body, done } => {
                Node::Trial { stop: *stop, body: self.nodes(body), done: *done }
            }
            Node::Shadow(_)
            | Node::Unrolled
            | Node::ForallScope(_)
            | Node::StoreCounts(..)
            | Node::Wait(_) => node.clone(),
        }
    }

    fn step(&mut self, step: &Step) -> Step {
        match step {
            Step::Next(var) => Step::Next(*var),
            Step::Add(var, term) => Step::Add(*var, self.term(term)),
            &Step::Effect(e) => Step::Effect(self.expr(e)),
        }
    }

    fn term(&mut self, term: &Term) -> Term {
        let mut copied = |t: &Term| Box::new(self.term(t));
        match term {
            Term::Num(_) | Term::Name(_) | Term::Var(_) | Term::Element(..) | Term::Sym(_) => term.clone(),
            Term::Size(_) | Term::Native(_) | Term::First(_) | Term::Ref(_) | Term::Stepped(..) => {
                term.clone()
            }
            &Term::Place(e) => Term::Place(self.expr(e)),
            &Term::InView(e) => Term::InView(self.expr(e)),
            &Term::Remote(e) => Term::Remote(self.expr(e)),
            &Term::Address(e) => Term::Address(self.expr(e)),
            &Term::Value(e) => Term::Value(self.expr(e)),
            &Term::Holds(e) => Term::Holds(self.expr(e)),
            Term::Index(a) => Term::Index(copied(a)),
            Term::As(q, a) => Term::As(*q, copied(a)),
            Term::Bits(a) => Term::Bits(copied(a)),
            Term::Not(a) => Term::Not(copied(a)),
            Term::Call(f, args) => Term::Call(*f, args.iter().map(|a| self.term(a)).collect()),
            Term::Bin(op, a, b) => Term::Bin(op, copied(a), copied(b)),
            Term::Choose(c, a, b) => Term::Choose(copied(c), copied(a), copied(b)),
        }
    }
}

/// Copies a step of a path to a member. Its subscripts are constants, which the copies share.
fn same(step: &Designator) -> Designator {
    match step {
        Designator::Field(name) => Designator::Field(name.clone()),
        &Designator::Index(e) => Designator::Index(e),
        &Designator::Range(a, b) => Designator::Range(a, b),
    }
}
