//! Prefetching of remote reads.
//!
//! `for (i = 0; i < n; i++) sum += a[k[i]];` waits for each element in turn, and over a network that is a
//! message there and back each time. But what iteration i reads can be asked for while earlier iterations
//! have not run: so the loop goes in parts of some hundred iterations, whose addresses are computed first and
//! whose reads are all under way at once; then the part's iterations run, with what has come. What is on this
//! host is read where it always was.
//!
//! *Why it is allowed.* A relaxed read may be done before others, and before private work, unless the program
//! could tell (UPC 5.1.2.3). A plan is for loops that have no strict accesses, call nothing that could, write
//! no shared memory but static arrays that they do not read, and are left by their condition alone. What
//! private pointers lead to is on this host and so is not prefetched, even if the loop writes there. The
//! addresses that are computed first are those that the iterations compute: they are made of the loop's
//! variable and of what keeps its value ([`Effects::keeps`]), and of private memory that the loop does not
//! write, or writes by another type of value only (C 6.5p7; objects of one byte may alias all). Only what
//! every iteration reads is prefetched, so that no address is followed that the program would not follow.
//! What is read at the same address in all iterations is read once for a part.
//!
//! A `upc_forall` that goes over a thread's own part ([`crate::forall`]) is such a loop too; what it has
//! found to be local is not prefetched.
//!
//! *Limits.* UPC, scalars, and addresses that are found without waiting for another read of the same
//! iteration. In the version of a loop for several hosts only ([`crate::versioning`]).
//!
//! *What it becomes.* A loop over parts: a [`Node::Loop`] that starts the part's reads ([`Node::Start`]) into
//! buffers, a [`Node::Wait`] for all of them, and the iterations, whose reads are [`Access::Prefetched`]. All
//! count by the program's own variable. After a part in which nothing was remote the iterations run without
//! that, until one has met something that is.

use crate::affine::name;
use crate::effects::Effects;
use crate::passes::each_loop;
use crate::shapes::{is_long, mentions, stepped};
use crate::tree::{Access, Hosts, Loop, Node, Slot, Step, Term, Tree, Var, VarType};
use c_sema::Typed;
use c_sema::typed::{SymId, SymKind};
use c_sema::types::{QTy, Ty};
use c_syntax::Language;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, Visitor, each_expr, walk_stmt};

/// More accesses of a loop than these are not prefetched: they take memory.
const MOST_READS: usize = 8;

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    each_loop(tree, &mut |tree, s, context| {
        if context.hosts == Hosts::One {
            return false;
        }
        match tree.nodes(s).map(<[Node]>::to_vec) {
            Some(nodes) => {
                let nodes = loops_in(tree, s, nodes, context.hosts);
                tree.replace(s, nodes);
            }
            None if context.hosts == Hosts::Many && tree.is_free(s) => program_loop(tree, s),
            None => {}
        }
        true
    });
}

/// Rewrites a loop of the program's.
fn program_loop(tree: &mut Tree, s: StmtId) {
    match plan(tree, s) {
        Ok(plan) => {
            let StmtKind::For { cond: Some(cond), step: Some(step), body, .. } = tree.unit.stmts[s].kind
            else {
                return;
            };
            tree.remark("prefetch", s, Ok(plan.summary(tree)));
            let parts = Parts {
                counter: Slot::Sym(plan.var),
                go: Term::Holds(cond),
                step: vec![Step::Effect(step)],
                each: Vec::new(),
                body,
            };
            let mut nodes = vec![Node::First(s)];
            nodes.extend(in_parts(tree, &plan, parts));
            // The first clause is the original's, what it was stays there.
            tree.replace(s, nodes);
        }
        Err(why) => tree.remark("prefetch", s, Err(why)),
    }
}

/// Rewrites loops that earlier optimisations have made, where memory may be remote.
fn loops_in(tree: &mut Tree, s: StmtId, nodes: Vec<Node>, hosts: Hosts) -> Vec<Node> {
    let mut out = Vec::new();
    for node in nodes {
        match node {
            Node::Known(hosts, body) => out.push(Node::Known(hosts, loops_in(tree, s, body, hosts))),
            Node::If { test, then, otherwise } => {
                let (then, otherwise) = (loops_in(tree, s, then, hosts), loops_in(tree, s, otherwise, hosts));
                out.push(Node::If { test, then, otherwise });
            }
            Node::Loop(l) if hosts == Hosts::Many => out.extend(made_loop(tree, s, l)),
            Node::Loop(l) => {
                let body = loops_in(tree, s, l.body, hosts);
                out.push(Node::Loop(Loop { body, ..l }));
            }
            other => out.push(other),
        }
    }
    out
}

/// Rewrites such a loop: of one that counts iterations of the program's, the last node is the iteration.
fn made_loop(tree: &mut Tree, s: StmtId, l: Loop) -> Vec<Node> {
    if let (Some((counter, var)), Some(&Node::Stmt(body))) = (l.counts, l.body.last()) {
        match plan_body(tree, var, body, |_| Ok(())) {
            Ok(plan) => {
                tree.remark("prefetch", s, Ok(plan.summary(tree)));
                let each = l.body[..l.body.len() - 1].to_vec();
                let parts = Parts { counter: Slot::Made(counter), go: l.go, step: l.step, each, body };
                return in_parts(tree, &plan, parts);
            }
            Err(why) => tree.remark("prefetch", s, Err(why)),
        }
    }
    let body = loops_in(tree, s, l.body, Hosts::Many);
    vec![Node::Loop(Loop { body, ..l })]
}

/// What of a loop is prefetched: accesses to shared scalars, without parentheses around them.
struct Plan {
    /// The loop's variable: its step alone changes it.
    var: SymId,
    /// To the same object in all iterations; inner ones, which the addresses of others are made of, come
    /// first.
    once: Vec<ExprId>,
    /// To others in each.
    reads: Vec<ExprId>,
}

impl Plan {
    fn summary(&self, tree: &Tree) -> String {
        let root = |&e: &ExprId| {
            let mut found = String::new();
            each_expr(&tree.unit, Any::Expr(e), |e| {
                if let (ExprKind::Ident(name), true) = (&tree.unit.exprs[e].kind, found.is_empty()) {
                    found = name.text.to_string();
                }
                found.is_empty()
            });
            found
        };
        let names = |list: &[ExprId]| list.iter().map(root).collect::<Vec<_>>().join(" ");
        match self.once.is_empty() {
            true => format!("[{}]", names(&self.reads)),
            false => format!("[{}], once [{}]", names(&self.reads), names(&self.once)),
        }
    }
}

// ---- rewriting -----------------------------------------------------------------------------------

/// A loop that is to go in parts.
struct Parts {
    /// What counts its iterations.
    counter: Slot,
    go: Term,
    step: Vec<Step>,
    /// What an iteration begins with.
    each: Vec<Node>,
    body: StmtId,
}

/// The names of a loop that goes in parts.
struct Names {
    /// Reads under way.
    waiting: Var,
    /// The part at hand has been prefetched.
    fetched: Var,
    /// Something in it is remote.
    met: Var,
    /// Iterations whose reads have been started.
    n: Var,
    /// Iterations that have run.
    m: Var,
    /// Where the part begins.
    from: Var,
}

fn in_parts(tree: &mut Tree, plan: &Plan, parts: Parts) -> Vec<Node> {
    let names = Names {
        waiting: tree.var("waiting"),
        fetched: tree.var("fetched"),
        met: tree.var("met"),
        n: tree.var("n"),
        m: tree.var("m"),
        from: tree.var("from"),
    };
    let Names { waiting, fetched, met, n, m, from } = names;
    let set = |var: Var, value: Term| Node::Assign(Slot::Made(var), value);
    let declare = |var: Var, ty: VarType, value: Option<Term>| Node::Declare { var, ty, value };
    let counter = match parts.counter {
        Slot::Made(var) => Term::Var(var),
        Slot::Sym(sym) => Term::Sym(sym),
    };
    let mut out = vec![
        declare(waiting, VarType::Int, Some(Term::Num(0))),
        declare(fetched, VarType::Int, Some(Term::Num(1))),
        declare(met, VarType::Int, None),
        declare(n, VarType::Unsigned, None),
        declare(m, VarType::Unsigned, None),
        declare(from, VarType::Like(parts.counter), None),
    ];
    // Reads are copied for where they are done now, as the marks in front of them have made them.
    let mut once = Vec::new();
    for &e in &plan.once {
        let (var, read) = (tree.var("once"), tree.copy_expr(e));
        out.push(declare(var, VarType::Value(tree.typed.ty(e)), None));
        once.push(set(var, Term::Value(read)));
        tree.mark(e, Access::Value(var));
    }
    let mut starts = Vec::new();
    for &e in &plan.reads {
        let (buffer, read) = (tree.var("buffer"), tree.copy_expr(e));
        out.push(declare(buffer, VarType::Buffer(tree.typed.ty(e)), None));
        starts.push(Node::Start { read, buffer, at: n, waiting, met });
        tree.mark(e, Access::Prefetched { buffer, at: m, fetched, met });
    }
    let bounded = |var: Var, most: Term| Term::bin("<", var.into(), most);
    let next = |var: Var| [vec![Step::Next(var)], parts.step.clone()].concat();
    let first = Node::Loop(Loop {
        go: bounded(n, Term::Name("MER_PREFETCH_DEPTH")).and(parts.go.clone()),
        step: next(n),
        body: [parts.each.clone(), starts].concat(),
        counts: None,
    });
    let start =
        vec![set(from, counter), first, Node::Wait(waiting), Node::Assign(parts.counter, from.into())];
    let alone = Term::Not(Box::new(met.into())).and(bounded(m, Term::Name("MER_PREFETCH_PAUSE")));
    let runs = Term::choose(fetched.into(), bounded(m, n.into()), alone.and(parts.go.clone()));
    let mut body = parts.each;
    body.push(Node::Stmt(parts.body));
    let second = Node::Loop(Loop { go: runs, step: next(m), body, counts: None });
    let part = [
        once,
        vec![
            set(met, Term::Num(0)),
            set(n, Term::Num(0)),
            Node::If { test: fetched.into(), then: start, otherwise: Vec::new() },
            set(m, Term::Num(0)),
            second,
            set(fetched, met.into()),
        ],
    ];
    out.push(Node::Loop(Loop { go: parts.go, step: Vec::new(), body: part.concat(), counts: None }));
    out
}

// ---- analysis ------------------------------------------------------------------------------------

fn plan(tree: &Tree, s: StmtId) -> Result<Plan, &'static str> {
    let (unit, typed) = (&tree.unit, &tree.typed);
    let StmtKind::For { cond: Some(cond), step: Some(step), body, .. } = unit.stmts[s].kind else {
        return Err("");
    };
    let (var, by) = stepped(unit, typed, step).ok_or("its step is of no known kind")?;
    plan_body(tree, var, body, |finder| {
        if !by.is_none_or(|by| !mentions(unit, typed, by, var) && finder.plain(by)) {
            return Err("its step may change");
        }
        if finder.plain(cond) { Ok(()) } else { Err("its condition reads what may change") }
    })
}

/// The plan for a loop with this variable and body, if its head can be evaluated before its iterations run.
fn plan_body(
    tree: &Tree,
    var: SymId,
    body: StmtId,
    head: impl Fn(&Finder) -> Result<(), &'static str>,
) -> Result<Plan, &'static str> {
    let (unit, typed) = (&tree.unit, &tree.typed);
    if !matches!(typed.types.language, Language::Upc) {
        return Err("");
    }
    if is_long(unit, body) {
        return Err("its body is long");
    }
    let effects = tree.effects(body);
    if effects.rigid || effects.opaque {
        return Err("its body synchronises, leaves the loop, or is not followed");
    }
    if effects.calls {
        return Err("it calls a function that may do anything");
    }
    let (written, shared_written) = written(tree, body)?;
    let finder = Finder { tree, unit, typed, effects: &effects, var, written, shared_written };
    if !finder.counts() {
        return Err("more than its step changes the variable");
    }
    head(&finder)?;
    let mut surely = Vec::new();
    finder.surely(body, &mut surely);
    let is_array = |e: ExprId| matches!(typed.types.of(typed.ty(e)), Ty::Array(..));
    surely.retain(|&e| typed.types.is_shared(typed.ty(e)) && !is_array(e) && tree.access(e).is_none());
    if surely.is_empty() {
        return Err("no iteration is sure to read shared memory");
    }
    let mut why = None;
    surely.retain(|&e| finder.fetchable(e).map_err(|reason| why.get_or_insert(reason)).is_ok());
    if let (true, Some(why)) = (surely.is_empty(), why) {
        return Err(why);
    }
    let (reads, mut once): (Vec<_>, Vec<_>) = surely.into_iter().partition(|&e| finder.varies(e));
    once.retain(|&e| finder.constant(e));
    match reads.len() {
        0 => Err("it reads the same object each time"),
        n if n > MOST_READS => Err("it has more reads than buffers are worth"),
        _ => Ok(Plan { var, once, reads }),
    }
}

/// What the statement assigns in private memory other than by name, and the static shared objects that it
/// assigns, or assigns parts of; a reason if it writes other shared memory, or has accesses that stay where
/// they are.
fn written(tree: &Tree, body: StmtId) -> Result<(Vec<ExprId>, Vec<SymId>), &'static str> {
    let (unit, typed) = (&tree.unit, &tree.typed);
    let (mut written, mut shared) = (Vec::new(), Vec::new());
    let mut stays = Ok(());
    each_expr(unit, Any::Stmt(body), |e| {
        let quals = typed.types.object_quals(typed.ty(e));
        let strict = quals.is_strict || (!quals.is_relaxed && unit.strict_at(unit.exprs[e].span.lo));
        if quals.shared.is_some() && strict {
            stays = Err("it has strict accesses");
        } else if quals.is_volatile {
            stays = Err("it has volatile accesses");
        } else if quals.is_atomic {
            stays = Err("it has atomic accesses");
        }
        let target = match unit.exprs[e].kind {
            ExprKind::Assign(_, target, _) | ExprKind::Pre(_, target) | ExprKind::Post(_, target) => target,
            ExprKind::Split(..) => {
                stays = Err("it has split-phase accesses");
                return true;
            }
            _ => return true,
        };
        if typed.types.is_shared(typed.ty(target)) {
            match whole(unit, typed, target) {
                Some(sym) => shared.push(sym),
                None => stays = Err("it writes shared memory by pointers"),
            }
        } else if name(unit, typed, target).is_none_or(|sym| typed.sym(sym).address_taken) {
            written.push(unit.bare(target));
        }
        true
    });
    stays.map(|()| (written, shared))
}

/// The object of static storage duration that `e` is, or is a part of.
fn whole(unit: &Unit, typed: &Typed, e: ExprId) -> Option<SymId> {
    match unit.exprs[e].kind {
        ExprKind::Ident(_) => {
            typed.symbol(e).filter(|&s| matches!(typed.sym(s).kind, SymKind::Static { .. }))
        }
        ExprKind::Paren(a) | ExprKind::Extension(a) => whole(unit, typed, a),
        ExprKind::Member { base, arrow: false, .. } => whole(unit, typed, base),
        ExprKind::Index(a, _) if matches!(typed.types.of(typed.ty(a)), Ty::Array(..)) => {
            whole(unit, typed, a)
        }
        _ => None,
    }
}

struct Finder<'a> {
    tree: &'a Tree,
    unit: &'a Unit,
    typed: &'a Typed,
    effects: &'a Effects,
    var: SymId,
    /// Private objects that the body assigns, other than those whose names alone reach them.
    written: Vec<ExprId>,
    /// Static shared objects that the body writes to.
    shared_written: Vec<SymId>,
}

impl Finder<'_> {
    /// The variable is the loop's own, and the body leaves it alone.
    fn counts(&self) -> bool {
        let symbol = self.typed.sym(self.var);
        matches!(symbol.kind, SymKind::Auto | SymKind::Param)
            && !symbol.address_taken
            && !symbol.ty.quals.is_volatile
            && !self.typed.types.is_shared(symbol.ty)
            && matches!(self.typed.types.of(symbol.ty), Ty::Int(_) | Ty::Pointer(_))
            && !self.effects.assigned.contains(&self.var)
            && !self.effects.declared.contains(&self.var)
    }

    /// A condition or a step: of the variable and invariants, without memory.
    fn plain(&self, e: ExprId) -> bool {
        if name(self.unit, self.typed, e) == Some(self.var) {
            return true;
        }
        match self.unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) | ExprKind::Cast(_, a) => self.plain(a),
            ExprKind::Ident(_) => {
                let (types, q) = (&self.typed.types, self.typed.ty(e));
                !(types.is_shared(q) && types.is_scalar(q)) && self.steady(e)
            }
            ExprKind::Unary(op, a) => !matches!(op, UnOp::Addr | UnOp::Deref) && self.plain(a),
            ExprKind::Binary(op, a, b) => op != BinOp::Comma && self.plain(a) && self.plain(b),
            _ => self.effects.invariant(self.unit, self.typed, e),
        }
    }

    // ---- what every iteration evaluates ----------------------------------------------------------

    /// Adds what the statement evaluates whenever it runs to its end; false if what follows it may be left
    /// out.
    fn surely(&self, s: StmtId, out: &mut Vec<ExprId>) -> bool {
        let unit = self.unit;
        match &unit.stmts[s].kind {
            StmtKind::Compound(items) => return items.iter().all(|&item| self.surely(item, out)),
            StmtKind::Expr(e) => e.iter().for_each(|&e| self.evaluated(e, out)),
            StmtKind::Decl(d) => {
                if let DeclKind::Vars { items, .. } = &unit.decls[*d].kind {
                    let inits = items.iter().filter_map(|item| item.init);
                    inits.for_each(|init| {
                        if let InitKind::Expr(e) = unit.inits[init].kind {
                            self.evaluated(e, out);
                        }
                    });
                }
            }
            StmtKind::If(c, ..) => self.evaluated(*c, out),
            _ => {}
        }
        !continues(unit, s)
    }

    /// Adds the values that the expression reads whenever it is evaluated.
    fn evaluated(&self, e: ExprId, out: &mut Vec<ExprId>) {
        match &self.unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) | ExprKind::Cast(_, a) => self.evaluated(*a, out),
            ExprKind::Binary(BinOp::And | BinOp::Or, a, _) | ExprKind::Cond(a, _, _) => {
                self.evaluated(*a, out)
            }
            ExprKind::Binary(_, a, b) => {
                self.evaluated(*a, out);
                self.evaluated(*b, out);
            }
            ExprKind::Assign(_, target, value) => {
                self.parts(*target, out);
                self.evaluated(*value, out);
            }
            ExprKind::Pre(_, target) | ExprKind::Post(_, target) => self.parts(*target, out),
            ExprKind::Call(_, args) => args.iter().for_each(|&a| self.evaluated(a, out)),
            ExprKind::Unary(UnOp::Addr, place) => self.parts(self.unit.bare(*place), out),
            _ => {
                self.parts(e, out);
                out.push(e);
            }
        }
    }

    /// Adds what is read to find the place `e`.
    fn parts(&self, e: ExprId, out: &mut Vec<ExprId>) {
        match self.unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.parts(a, out),
            ExprKind::Index(a, b) => {
                self.evaluated(a, out);
                self.evaluated(b, out);
            }
            ExprKind::Unary(_, a) | ExprKind::Member { base: a, arrow: true, .. } => self.evaluated(a, out),
            ExprKind::Member { base, .. } => self.parts(base, out),
            _ => {}
        }
    }

    // ---- addresses -------------------------------------------------------------------------------

    /// Whether the shared object `e` is a scalar whose address can be computed before the iteration.
    fn fetchable(&self, e: ExprId) -> Result<(), &'static str> {
        let (types, q) = (&self.typed.types, self.typed.ty(e));
        if !types.is_scalar(q) || crate::places::is_bit_field(self.tree, e) {
            return Err("it reads no scalar, or a bit-field");
        }
        if !self.place(e) {
            return Err("the address of what it reads may change before the iteration");
        }
        if self.unshared(e) { Ok(()) } else { Err("it writes what it reads") }
    }

    /// Whether no assignment of the body is to the shared object `e`. A pointer may lead to any.
    fn unshared(&self, e: ExprId) -> bool {
        let read = whole(self.unit, self.typed, e);
        self.shared_written.is_empty() || read.is_some_and(|sym| !self.shared_written.contains(&sym))
    }

    /// Whether the address of an object is the same whenever it is computed, in its iteration or before.
    fn place(&self, e: ExprId) -> bool {
        match self.unit.exprs[e].kind {
            ExprKind::Ident(_) => self.typed.symbol(e).is_some_and(|sym| {
                self.in_front(sym)
                    && !self.effects.assigned.contains(&sym)
                    && matches!(
                        self.typed.sym(sym).kind,
                        SymKind::Static { .. } | SymKind::Auto | SymKind::Param
                    )
            }),
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.place(a),
            ExprKind::Index(a, b) => self.steady(a) && self.steady(b),
            ExprKind::Unary(UnOp::Deref, p) => self.steady(p),
            ExprKind::Member { base, arrow, .. } => {
                if arrow {
                    self.steady(base)
                } else {
                    self.place(base)
                }
            }
            _ => false,
        }
    }

    /// The same of a value.
    fn steady(&self, e: ExprId) -> bool {
        let (unit, typed) = (self.unit, self.typed);
        let array = matches!(typed.types.of(typed.ty(e)), Ty::Array(..));
        if typed.constant(e).is_some() || (array && self.place(e)) {
            return true;
        }
        match unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) | ExprKind::Cast(_, a) => self.steady(a),
            ExprKind::Unary(UnOp::Plus | UnOp::Minus | UnOp::Not | UnOp::BitNot, a) => self.steady(a),
            ExprKind::Binary(op, a, b) => op != BinOp::Comma && self.steady(a) && self.steady(b),
            ExprKind::Cond(c, a, b) => a.is_none_or(|a| self.steady(a)) && self.steady(c) && self.steady(b),
            ExprKind::Ident(_) => {
                if typed.types.is_shared(typed.ty(e)) {
                    return self.place(e) && self.constant(e);
                }
                typed.symbol(e).is_some_and(|sym| {
                    // A pointer may lead to what other files can name.
                    let hidden = !matches!(typed.sym(sym).kind, SymKind::Static { external: true, .. });
                    let keeps = self.effects.keeps(typed, sym) && self.in_front(sym);
                    sym == self.var || (keeps && (hidden || self.unwritten(e)))
                })
            }
            ExprKind::Number | ExprKind::Char | ExprKind::Threads | ExprKind::MyThread => true,
            ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _) | ExprKind::Member { .. } => {
                // Of shared memory, only what is read once for all iterations: its reads would wait for each
                // other.
                let shared = typed.types.is_shared(typed.ty(e));
                self.place(e) && if shared { self.constant(e) } else { self.unwritten(e) }
            }
            _ => false,
        }
    }

    /// Whether the shared object `e`, which may be on this host, is the same one in all iterations, and none
    /// assigns it.
    fn constant(&self, e: ExprId) -> bool {
        !self.varies(e) && self.unshared(e) && self.unwritten(e)
    }

    fn in_front(&self, sym: SymId) -> bool {
        !self.effects.declared.contains(&sym)
    }

    /// Whether no assignment of the body by private names and pointers is to the object `e`.
    fn unwritten(&self, e: ExprId) -> bool {
        let read = self.typed.ty(e);
        let root = self.root(e);
        self.written.iter().all(|&target| {
            let other = root.is_some() && self.root(target).is_some_and(|sym| Some(sym) != root);
            other || self.differ(read, self.typed.ty(target))
        })
    }

    /// The array that `e` is an element of, where it is named.
    fn root(&self, e: ExprId) -> Option<SymId> {
        let ExprKind::Index(a, _) = self.unit.exprs[e].kind else { return None };
        match self.typed.types.of(self.typed.ty(a)) {
            Ty::Array(..) => name(self.unit, self.typed, a).or_else(|| self.root(self.unit.bare(a))),
            _ => None,
        }
    }

    /// Whether an assignment to an object of the one type leaves those of the other as they are (C 6.5p7).
    fn differ(&self, a: QTy, b: QTy) -> bool {
        let types = &self.typed.types;
        let kind = |q: QTy| match types.of(q) {
            Ty::Int(_) | Ty::Enum(_) => Some(0),
            Ty::Float(_) => Some(1),
            Ty::Pointer(_) => Some(2),
            _ => None,
        };
        let (Some(ka), Some(kb)) = (kind(a), kind(b)) else { return false };
        let (sa, sb) = (types.size_of(a), types.size_of(b));
        sa != Some(1) && sb != Some(1) && (ka != kb || sa != sb)
    }

    /// Whether the variable is part of the address of `e`.
    fn varies(&self, e: ExprId) -> bool {
        match self.unit.exprs[e].kind {
            ExprKind::Ident(_) => self.typed.symbol(e) == Some(self.var),
            ExprKind::Paren(a)
            | ExprKind::Extension(a)
            | ExprKind::Cast(_, a)
            | ExprKind::Unary(_, a)
            | ExprKind::Member { base: a, .. } => self.varies(a),
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => self.varies(a) || self.varies(b),
            ExprKind::Cond(c, a, b) => self.varies(c) || a.is_some_and(|a| self.varies(a)) || self.varies(b),
            _ => false,
        }
    }
}

/// Whether a statement may `continue` a loop, be it one inside of it.
fn continues(unit: &Unit, s: StmtId) -> bool {
    struct Continues<'a>(&'a Unit, bool);
    impl<'a> Visitor<'a> for Continues<'a> {
        fn unit(&self) -> &'a Unit {
            self.0
        }
        fn stmt(&mut self, s: StmtId) {
            self.1 |= matches!(self.0.stmts[s].kind, StmtKind::Continue);
            walk_stmt(self, s);
        }
    }
    let mut finder = Continues(unit, false);
    finder.stmt(s);
    finder.1
}
