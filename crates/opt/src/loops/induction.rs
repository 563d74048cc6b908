//! Pointers-to-shared that walk through memory, as counters over a local pointer.
//!
//! `sum += *p++` masks the thread off the pointer at each step, and C compilers do not see through that: they
//! do not vectorise such a loop. But a pointer that steps within the memory of one thread, an indefinite one
//! or a cyclic one by THREADS, stays a constant distance from the address of that memory in the view. So the
//! address is computed before the loop, a counter steps in place of the pointer, and the pointer gets its
//! value after the loop.
//!
//! *Why it is allowed.* The pointer is an automatic variable whose address is not taken, so that nothing else
//! reads or steps it; the loop has it in accesses and steps only, and is left at its end. All memory is on
//! this host ([`crate::remote::versioning`]), in one address space, and a valid pointer does not leave its
//! thread's part of it.
//!
//! *Limits.* `*p`, `*p++`, `p[i]` (indefinite), and for the steps `p++`, `p += n`, as statements or in the
//! loop's third clause. Loops without `break`, `goto` and `return`.
//!
//! *Result.* The loop as it is, with [`Access::Element`]s and [`Access::Step`]s.

use crate::facts::affine::name;
use crate::facts::body::named_alone;
use crate::facts::places::is_sized_element;
use crate::facts::strictness::is_plain;
use crate::ir::pass_id::PassId;
use crate::ir::reason::Reason;
use crate::ir::tree::{Access, Hosts, Node, Primitive, Slot, Term, Tree, VarType};
use crate::ir::walk::each_loop;
use c_sema::typed::SymId;
use c_sema::types::{Block, QTy, Ty};
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};
use std::collections::{BTreeMap, HashSet};

/// The name of the pass.
pub(crate) const ID: PassId = PassId("induction");

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    if tree.typed.types.language.everything() {
        return;
    }
    each_loop(tree, &mut |tree, s, context| {
        if context.hosts == Hosts::One && tree.is_free(s) && tree.nodes(s).is_none() {
            match plan(tree, s) {
                Ok(walks) => {
                    let names: Vec<&str> = walks.iter().map(|walk| &*tree.typed.sym(walk.sym).name).collect();
                    tree.remark(ID, s, Ok(format!("[{}]", names.join(" "))));
                    rewrite(tree, s, &walks);
                }
                Err(why) => tree.remark(ID, s, Err(why)),
            }
        }
        context.hosts != Hosts::Many
    });
}

/// A pointer that walks.
struct Walk {
    sym: SymId,
    elem: QTy,
    /// The pointer steps by THREADS elements of a cyclic array; otherwise by elements of an indefinite one.
    turns: bool,
    /// `*p`, or `p[i]` with i.
    accesses: Vec<(ExprId, Option<ExprId>)>,
    /// `*p++`, with its step.
    stepping: Vec<(ExprId, i64)>,
    /// `p++`, with its step.
    steps: Vec<(ExprId, i64)>,
    /// `p += n`, with n, and true for `-=`.
    adds: Vec<(ExprId, ExprId, bool)>,
    /// The number of times that these name the pointer.
    named: usize,
}

// ---- analysis ------------------------------------------------------------------------------------

fn plan(tree: &Tree, s: StmtId) -> Result<Vec<Walk>, Reason> {
    let (unit, typed) = (&tree.unit, &tree.typed);
    let (StmtKind::For { body, .. } | StmtKind::While(_, body)) = unit.stmts[s].kind else {
        return Err(Reason::OtherKind);
    };
    let mut found = Finder { tree, effects: effects_of(unit, s), walks: BTreeMap::new() };
    each_expr(unit, Any::Stmt(s), |e| {
        found.visit(e);
        true
    });
    let mut walks: Vec<Walk> = found.walks.into_values().collect();
    walks.retain(|walk| {
        let steps = walk.stepping.len() + walk.steps.len() + walk.adds.len();
        steps > 0 && walk.accesses.len() + walk.stepping.len() > 0
    });
    if walks.is_empty() {
        return Err(Reason::OtherKind);
    }
    let effects = tree.effects(body);
    if effects.rigid || effects.opaque {
        return Err(Reason::BodySynchronises);
    }
    let whole = tree.effects(s);
    let addressed = tree.addressed(s);
    walks.retain(|walk| {
        let mut named = 0;
        each_expr(unit, Any::Stmt(s), |e| {
            named += usize::from(
                matches!(unit.exprs[e].kind, ExprKind::Ident(_)) && typed.symbol(e) == Some(walk.sym),
            );
            true
        });
        let places = walk.accesses.iter().map(|a| a.0).chain(walk.stepping.iter().map(|a| a.0));
        let free = places.into_iter().all(|e| !addressed.contains(&e) && tree.access(e).is_none());
        named == walk.named && free && !whole.declared.contains(&walk.sym)
    });
    if walks.is_empty() { Err(Reason::PointersUsed) } else { Ok(walks) }
}

/// The expressions that are evaluated for their effect only.
fn effects_of(unit: &Unit, s: StmtId) -> HashSet<ExprId> {
    struct Statements<'a>(&'a Unit, HashSet<ExprId>);
    impl Statements<'_> {
        fn effect(&mut self, e: ExprId) {
            self.1.insert(e);
            if let ExprKind::Binary(BinOp::Comma, a, b) = self.0.exprs[e].kind {
                self.effect(a);
                self.effect(b);
            }
        }
    }
    impl<'a> c_syntax::visit::Visitor<'a> for Statements<'a> {
        fn unit(&self) -> &'a Unit {
            self.0
        }
        fn stmt(&mut self, s: StmtId) {
            match self.0.stmts[s].kind {
                StmtKind::Expr(Some(e)) => self.effect(e),
                StmtKind::For { step: Some(step), .. } => self.effect(step),
                _ => {}
            }
            c_syntax::visit::walk_stmt(self, s);
        }
        // The last statement of a statement expression is its value.
        fn expr(&mut self, _: ExprId) {}
    }
    let mut statements = Statements(unit, HashSet::new());
    c_syntax::visit::Visitor::stmt(&mut statements, s);
    statements.1
}

struct Finder<'a> {
    tree: &'a Tree,
    effects: HashSet<ExprId>,
    walks: BTreeMap<SymId, Walk>,
}

impl Finder<'_> {
    fn visit(&mut self, e: ExprId) {
        let unit = &self.tree.unit;
        let forwards = |op: IncDec| if op == IncDec::Inc { 1 } else { -1 };
        match unit.exprs[e].kind {
            ExprKind::Unary(UnOp::Deref, p) => match unit.exprs[unit.bare(p)].kind {
                ExprKind::Post(op, p) => {
                    if let Some(walk) = self.walk(p).filter(|walk| !walk.turns) {
                        walk.stepping.push((e, forwards(op)));
                        walk.named += 1;
                    }
                }
                _ => {
                    if let Some(walk) = self.walk(p) {
                        walk.accesses.push((e, None));
                        walk.named += 1;
                    }
                }
            },
            ExprKind::Index(p, i) => {
                if let Some(walk) = self.walk(p).filter(|walk| !walk.turns) {
                    walk.accesses.push((e, Some(i)));
                    walk.named += 1;
                }
            }
            ExprKind::Pre(op, p) | ExprKind::Post(op, p) if self.effects.contains(&e) => {
                if let Some(walk) = self.walk(p).filter(|walk| !walk.turns) {
                    walk.steps.push((e, forwards(op)));
                    walk.named += 1;
                }
            }
            ExprKind::Assign(Some(op @ (BinOp::Add | BinOp::Sub)), p, n) if self.effects.contains(&e) => {
                let number = self.tree.typed.constant(n);
                let threads = matches!(unit.exprs[unit.bare(n)].kind, ExprKind::Threads)
                    || (number.is_some() && number == self.tree.typed.static_threads.map(i128::from));
                if let Some(walk) = self.walk(p).filter(|walk| !walk.turns || threads) {
                    walk.adds.push((e, n, op == BinOp::Sub));
                    walk.named += 1;
                }
            }
            _ => {}
        }
    }

    /// The walk of a pointer that is named.
    fn walk(&mut self, e: ExprId) -> Option<&mut Walk> {
        let typed = &self.tree.typed;
        let sym = name(&self.tree.unit, typed, e)?;
        let Ty::Pointer(elem) = *typed.types.of(typed.sym(sym).ty) else { return None };
        let turns = match typed.types.object_quals(elem).shared? {
            Block::Indefinite => false,
            Block::Size(1) => true,
            _ => return None,
        };
        let known = is_sized_element(&typed.types, elem) && is_plain(typed, elem);
        (known && named_alone(typed, sym)).then(|| {
            self.walks.entry(sym).or_insert_with(|| Walk {
                sym,
                elem,
                turns,
                accesses: Vec::new(),
                stepping: Vec::new(),
                steps: Vec::new(),
                adds: Vec::new(),
                named: 0,
            })
        })
    }
}

// ---- rewriting -----------------------------------------------------------------------------------

fn rewrite(tree: &mut Tree, s: StmtId, walks: &[Walk]) {
    let copy = tree.copy(s);
    tree.settle(copy.stmt);
    let (mut front, mut behind) = (Vec::new(), Vec::new());
    for walk in walks {
        let (at, k) = (tree.var("at"), tree.var("k"));
        let pointer = || Term::Sym(walk.sym);
        let value = Some(Term::call(Primitive::At, [Term::Bits(Box::new(pointer()))]));
        front.push(Node::Declare { var: at, ty: VarType::Elements(walk.elem), value });
        front.push(Node::index(k, Term::Num(0)));
        let value = |e: ExprId| Term::index(Term::Value(copy.expr(e)));
        for &(e, index) in &walk.accesses {
            let index = index.map_or(k.into(), |i| Term::bin("+", k.into(), value(i)));
            tree.mark(copy.expr(e), Access::Element { base: at, index, inside: Vec::new() });
        }
        for &(e, by) in &walk.stepping {
            let index = Term::Stepped(k, by);
            tree.mark(copy.expr(e), Access::Element { base: at, index, inside: Vec::new() });
        }
        for &(e, by) in &walk.steps {
            tree.mark(copy.expr(e), Access::Step(k, Term::Num(by)));
        }
        for &(e, n, minus) in &walk.adds {
            let by = if walk.turns { Term::Num(1) } else { value(n) };
            let by = if minus { Term::bin("-", Term::Num(0), by) } else { by };
            tree.mark(copy.expr(e), Access::Step(k, by));
        }
        let add = if walk.turns { Primitive::TurnCyclic } else { Primitive::AddIndefinite };
        let value = Term::call(add, [pointer(), k.into(), Term::Size(walk.elem)]);
        behind.push(Node::Assign(Slot::Sym(walk.sym), value));
    }
    front.push(Node::Stmt(copy.stmt));
    front.extend(behind);
    tree.replace(s, front);
}
