//! Functions of the file that access shared memory replace their calls in loops.
//!
//! ```c
//! static int find(int x) { while (parent[x] != x) x = parent[x]; return x; }
//! for (i = 0; i < n; i++) same += find(a[i]) == find(b[i]);
//! ```
//!
//! The loop's work is in another function, in which each read waits. So a copy of the function's body is put
//! before the statement that calls it, and a variable that holds the value replaces the call:
//!
//! ```c
//! { int mer_find_1; { int mer_1_x = a[i]; { while ...; mer_find_1 = mer_1_x; } }
//!   ... same += mer_find_1 == mer_find_2; }
//! ```
//!
//! The copy is made on the typed tree, before all passes, which see a loop without calls ([`graft`]). Its
//! statements keep the text of the function.
//!
//! *Why it is allowed.* A call evaluates its arguments, and then the body, before its value is used. A call
//! is moved before its statement only if the statement evaluates it in any case, once, and after no comma,
//! `&&`, `||` or `?:`. The order between the operands of other operators is not defined (C 6.5p3), and
//! function bodies are not interleaved with other operands, nor is the copy. Arguments are evaluated into
//! variables of the parameters' types, with names that no program has. C looks names up where the copy
//! stands: no name of the caller's own hides one that the function takes from the file, and no name of the
//! body's hides a variable of the caller's that stands for a parameter ([`callee`]). Both are under the same
//! `#pragma upc`.
//!
//! *Where it pays.* In loops, and in functions that are themselves called in loops. The function's body is
//! short, accesses shared memory, and calls no function that could do anything.
//!
//! *Limits.* UPC; functions without `goto`, statics, nested functions, attributes, and types that name their
//! variables; returns at the end of the body, at the end of branches there, or from one loop ([`returns`]).
//! Calls in the heads of loops stay.

mod callee;
mod graft;
mod maker;
mod order;
mod returns;

use self::callee::Callee;
use crate::ir::tree::{Tree, follows_pragma};
use crate::ir::walk::{Definition, definitions};
use crate::ir::walk::{has, is_loop};
use base::Source;
use c_sema::typed::SymId;
use c_syntax::Language;
use c_syntax::ast::*;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The most calls that one repetition replaces, which bounds the growth of the program.
const MOST_CALLS: usize = 100;
/// The number of repetitions after which functions that call others are flat.
const DEPTH: usize = 3;

/// Puts functions in the place of their calls in loops. Returns true if there are such calls.
pub fn inline(tree: &mut Tree, source: &Source) -> bool {
    let goes = if matches!(tree.typed.types.language, Language::Upc) { DEPTH } else { 0 };
    let mut calls = 0;
    (0..goes).take_while(|_| inline_once(tree, source, &mut calls)).count() > 0
}

/// Replaces calls that the program has now. `calls` numbers the calls that have been replaced. Returns true
/// if there are any.
fn inline_once(tree: &mut Tree, source: &Source, calls: &mut usize) -> bool {
    let called = called_in_loops(tree);
    let mut finder = Finder { tree, source, callees: HashMap::new(), sites: Vec::new(), calls: 0 };
    // Functions in the old style declare names elsewhere.
    for Definition { item, declarator, body, .. } in definitions(tree).filter(|of| !of.old_style) {
        let whole = tree.typed.declared(declarator).is_some_and(|sym| called.contains(&sym));
        let names = callee::declared_in(tree, Some(declarator), body);
        let begins = tree.unit.decls[item].span.lo;
        Caller { finder: &mut finder, names, begins }.stmt(body, None, whole);
    }
    let sites = finder.sites;
    if !sites.is_empty() {
        graft::replace(tree, &sites, calls);
    }
    !sites.is_empty()
}

/// The bodies of static functions that nothing calls: all their calls may have been replaced.
pub(crate) fn left_bodies(tree: &Tree) -> HashSet<StmtId> {
    let named: HashSet<SymId> = tree.unit.exprs.ids().filter_map(|e| tree.typed.symbol(e)).collect();
    let is_static = |of: &Definition| {
        tree.unit.specs[of.specs].storage.iter().any(|(storage, _)| *storage == Storage::Static)
    };
    let called = |of: &Definition| tree.typed.declared(of.declarator).is_none_or(|sym| named.contains(&sym));
    definitions(tree).filter(|of| is_static(of) && !called(of)).map(|of| of.body).collect()
}

/// The functions of the file that loops call, directly or through other functions.
fn called_in_loops(tree: &Tree) -> HashSet<SymId> {
    let mut called = HashSet::new();
    for body in tree.bodies() {
        crate::ir::walk::each_statement(tree, body, &mut |s| {
            if is_loop(&tree.unit.stmts[s].kind) {
                called.extend(callee::calls_in(tree, s));
            }
        });
    }
    for _ in 0..DEPTH {
        let bodies: Vec<StmtId> =
            called.iter().filter_map(|&sym| callee::definition(tree, sym)).map(|of| of.body).collect();
        called.extend(bodies.into_iter().flat_map(|body| callee::calls_in(tree, body)));
    }
    called
}

/// A statement whose calls are replaced.
struct Site {
    s: StmtId,
    /// The block in which the statement stands, if it is a declaration, whose name stays known after it.
    block: Option<StmtId>,
    calls: Vec<Call>,
}

/// A call that is replaced.
struct Call {
    e: ExprId,
    callee: Rc<Callee>,
    args: Vec<ExprId>,
    /// The call is all of its statement.
    alone: bool,
}

/// Finds the calls that are replaced.
struct Finder<'a> {
    tree: &'a Tree,
    source: &'a Source,
    /// The functions that have been examined; none for those that do not fit.
    callees: HashMap<SymId, Option<Rc<Callee>>>,
    sites: Vec<Site>,
    /// The number of calls in the sites.
    calls: usize,
}

/// The function at hand.
struct Caller<'f, 'a> {
    finder: &'f mut Finder<'a>,
    /// The names that the function declares.
    names: HashSet<&'a str>,
    /// Where the function begins in the text.
    begins: u32,
}

impl Caller<'_, '_> {
    /// Looks for calls in a statement of this block; `looped` is true if the statement is repeated.
    fn stmt(&mut self, s: StmtId, block: Option<StmtId>, looped: bool) {
        let unit = &self.finder.tree.unit;
        if looped {
            self.site(s, block);
        }
        match &unit.stmts[s].kind {
            StmtKind::Compound(items) => items.iter().for_each(|&item| self.stmt(item, Some(s), looped)),
            &StmtKind::If(_, then, otherwise) => {
                self.stmt(then, None, looped);
                otherwise.iter().for_each(|&s| self.stmt(s, None, looped));
            }
            &(StmtKind::While(_, body)
            | StmtKind::Do(body, _)
            | StmtKind::For { body, .. }
            | StmtKind::Forall { body, .. }) => self.stmt(body, None, !synchronises(self.finder.tree, body)),
            &(StmtKind::Switch(_, body) | StmtKind::Case(_, _, body) | StmtKind::Default(body)) => {
                self.stmt(body, None, looped);
            }
            StmtKind::Label(_, body) => self.stmt(*body, None, looped),
            _ => {}
        }
    }

    /// Adds a site for the calls in a statement's own expression that can be replaced.
    fn site(&mut self, s: StmtId, block: Option<StmtId>) {
        let unit = &self.finder.tree.unit;
        let (e, block) = match unit.stmts[s].kind {
            StmtKind::Expr(Some(e)) | StmtKind::If(e, ..) => (e, None),
            StmtKind::Decl(d) => match only_value(unit, d) {
                Some(e) if block.is_some() => (e, block),
                _ => return,
            },
            _ => return,
        };
        // `#pragma omp atomic` is about one expression.
        if follows_pragma(self.finder.source, unit.stmts[s].span.lo) {
            return;
        }
        let mut calls = Vec::new();
        self.calls(e, s, &mut calls);
        // A call without a value is a statement.
        let statement = matches!(unit.stmts[s].kind, StmtKind::Expr(_));
        calls.iter_mut().for_each(|call| call.alone = statement && unit.bare(e) == call.e);
        calls.retain(|call| call.alone || call.callee.returns.is_some());
        if calls.is_empty() || self.finder.calls + calls.len() > MOST_CALLS {
            return;
        }
        self.finder.calls += calls.len();
        self.finder.sites.push(Site { s, block, calls });
    }

    /// Adds the calls in an expression that can be done before its statement. An outer call is added only if
    /// no call in its arguments is.
    fn calls(&mut self, e: ExprId, s: StmtId, out: &mut Vec<Call>) {
        let unit = &self.finder.tree.unit;
        match &unit.exprs[e].kind {
            &(ExprKind::Paren(a)
            | ExprKind::Extension(a)
            | ExprKind::Cast(_, a)
            | ExprKind::Unary(_, a)
            | ExprKind::Member { base: a, .. }
            | ExprKind::Post(_, a)
            | ExprKind::Pre(_, a)
            | ExprKind::Binary(BinOp::And | BinOp::Or | BinOp::Comma, a, _)
            | ExprKind::Cond(a, ..)) => self.calls(a, s, out),
            &(ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) | ExprKind::Assign(_, a, b)) => {
                self.calls(a, s, out);
                self.calls(b, s, out);
            }
            ExprKind::Call(f, args) => {
                let before = out.len();
                args.iter().for_each(|&a| self.calls(a, s, out));
                if out.len() == before
                    && let Some(callee) = self.fits(*f, args, s)
                {
                    out.push(Call { e, callee, args: args.clone(), alone: false });
                }
            }
            _ => {}
        }
    }

    /// The function that this call calls, if its body can replace the call with these arguments in this
    /// statement.
    fn fits(&mut self, f: ExprId, args: &[ExprId], s: StmtId) -> Option<Rc<Callee>> {
        let tree = self.finder.tree;
        let f = tree.unit.bare(f);
        if !matches!(tree.unit.exprs[f].kind, ExprKind::Ident(_)) || tree.typed.library(f).is_some() {
            return None;
        }
        let function = tree.typed.symbol(f)?;
        let known = self.finder.callees.entry(function);
        let callee = known.or_insert_with(|| Callee::of(tree, function).map(Rc::new)).as_ref()?;
        let means_the_same = !callee.takes.iter().any(|name| self.names.contains(&**name));
        let fits = callee.parameters.len() == args.len()
            && tree.unit.strict_at(tree.unit.stmts[s].span.lo) == callee.strict
            && callee.behind <= self.begins
            && means_the_same;
        fits.then(|| Rc::clone(callee))
    }
}

/// Whether threads wait for each other in a loop's body. Calls in such a body are not replaced.
fn synchronises(tree: &Tree, body: StmtId) -> bool {
    has(tree, body, |kind| matches!(kind, StmtKind::Barrier(..) | StmtKind::Fence))
}

/// The value of the one variable that a declaration declares.
fn only_value(unit: &Unit, d: DeclId) -> Option<ExprId> {
    let DeclKind::Vars { specs, items } = &unit.decls[d].kind else { return None };
    let [item] = &items[..] else { return None };
    match unit.inits[item.init?].kind {
        InitKind::Expr(e) if unit.specs[*specs].storage.is_empty() => Some(e),
        _ => None,
    }
}
