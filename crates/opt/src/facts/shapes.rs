//! Shapes of loops: first clauses, steps and conditions of the kinds that optimisations know how to count by.
//! The shape of each loop is found once ([`Tree::shape`]).

use crate::facts::affine::{name, offset_from};
use crate::ir::tree::{Fact, Term, Tree};
use c_sema::Typed;
use c_sema::typed::SymId;
use c_sema::types::{QTy, Ty};
use c_syntax::ast::*;
use c_syntax::visit::{Node, exists};

/// How a loop counts.
struct ShapeOf;

impl Fact for ShapeOf {
    type Of = StmtId;
    type Value = Option<Shape>;

    fn find(tree: &Tree, s: StmtId) -> Option<Shape> {
        of_loop(tree, s)
    }
}

impl Tree {
    /// How a loop counts.
    pub(crate) fn shape(&self, s: StmtId) -> Option<Shape> {
        self.fact::<ShapeOf>(s)
    }
}

/// A body longer than this (bytes of text) is not written twice.
pub(crate) const LONGEST_BODY: u32 = 8000;

/// Whether a body is too long to be written twice.
pub(crate) fn is_long(unit: &Unit, body: StmtId) -> bool {
    let span = unit.stmts[body].at;
    span.hi - span.lo > LONGEST_BODY
}

/// How a loop counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// The first clause, if its form is known.
    pub(crate) first: Option<First>,
    /// The step, if its form is known.
    pub(crate) step: Option<Step>,
    /// The loop has a step of another form.
    pub(crate) steps_otherwise: bool,
    /// The variable that the condition compares, and how. If the step is known, this is the step's variable.
    pub(crate) condition: Option<(SymId, Condition)>,
    pub(crate) body: StmtId,
}

/// `i = lo` or `int i = lo`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct First {
    pub(crate) var: SymId,
    pub(crate) declares: bool,
    pub(crate) value: ExprId,
}

impl First {
    /// The value that the variable begins with, as a number.
    pub(crate) fn begins(&self, typed: &Typed) -> Term {
        let ty = typed.sym(self.var).ty;
        let same = typed.types.of(typed.ty(self.value)) == typed.types.of(ty);
        // 0 and 1, with which most loops begin, are the same in every type.
        let small = typed.constant(self.value).is_some_and(|c| c == 0 || c == 1);
        let value = Term::Value(self.value);
        Term::index(if same || small { value } else { Term::As(ty, Box::new(value)) })
    }
}

/// The first clause of a loop, and the bound that its variable is compared with ([`Shape::bound`],
/// [`Shape::floor`]).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) first: First,
    pub(crate) bound: ExprId,
    /// `<=` or `>=` rather than `<` or `>`.
    pub(crate) inclusive: bool,
}

impl Head {
    /// The first number past the bound.
    pub(crate) fn past(&self, typed: &Typed) -> Term {
        past(typed, self.first.var, self.bound, self.inclusive)
    }
}

/// The change of the variable between two iterations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) var: SymId,
    pub(crate) by: Stride,
    /// The stride is THREADS.
    pub(crate) threads: bool,
    /// The stride is -THREADS.
    pub(crate) back: bool,
    /// The condition makes the step, after its comparison: `while (n--)`.
    pub(crate) in_condition: bool,
}

/// The amount of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stride {
    /// `i++`, `++i`, `i += 1`, `i = i + 1`
    Up,
    /// `i--`, `--i`
    Down,
    /// `i += e`, `i -= e`, `i = i + THREADS`, `i = i - THREADS`
    By(ExprId),
}

impl Stride {
    /// Whether the stride is a constant.
    pub(crate) fn is_constant(self, typed: &Typed) -> bool {
        match self {
            Stride::Up | Stride::Down => true,
            Stride::By(by) => typed.constant(by).is_some(),
        }
    }
}

/// The requirement on the variable under which a loop continues.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Condition {
    /// `i op e`, or the same comparison with its operands exchanged.
    Compare(BinOp, ExprId),
    /// `i`
    NotZero,
}

impl Shape {
    /// Returns the upper bound of a loop's variable, and whether it is inclusive: `i < hi`, or `i <= hi`
    /// (true).
    pub(crate) fn bound(&self, typed: &Typed) -> Option<(ExprId, bool)> {
        let (var, condition) = self.condition?;
        let (hi, inclusive) = match condition {
            Condition::Compare(BinOp::Lt, hi) => (hi, false),
            Condition::Compare(BinOp::Le, hi) => (hi, true),
            _ => return None,
        };
        if !matches!(typed.types.of(typed.ty(hi)), Ty::Int(_)) {
            return None;
        }
        // An unsigned comparison of a signed variable is not the comparison of the values.
        let mixed = unsigned_mix(typed, typed.ty(hi), typed.sym(var).ty);
        (!mixed || typed.constant(hi).is_some_and(|c| c >= 0)).then_some((hi, inclusive))
    }

    /// Returns the lower bound of a loop's variable that is of a signed type and goes down, and whether the
    /// bound is inclusive: `i > lo`, or `i >= lo` (true).
    pub(crate) fn floor(&self, typed: &Typed) -> Option<(ExprId, bool)> {
        use c_sema::types::IntKind::{Bool, Char, Int, Long, LongLong, SChar, Short};
        let (var, condition) = self.condition?;
        let (lo, inclusive) = match condition {
            Condition::Compare(BinOp::Gt, lo) => (lo, false),
            Condition::Compare(BinOp::Ge, lo) => (lo, true),
            _ => return None,
        };
        let signed =
            |q| matches!(typed.types.of(q), Ty::Int(Bool | Char | SChar | Short | Int | Long | LongLong));
        (signed(typed.sym(var).ty) && signed(typed.ty(lo))).then_some((lo, inclusive))
    }

    /// Whether a loop goes on while its variable, which goes down, is not 0.
    pub(crate) fn ends_at_zero(&self, typed: &Typed) -> bool {
        match self.condition {
            Some((_, Condition::NotZero)) => true,
            Some((_, Condition::Compare(BinOp::Gt | BinOp::Ne, zero))) => typed.constant(zero) == Some(0),
            _ => false,
        }
    }
}

/// The shape of a loop.
fn of_loop(tree: &Tree, s: StmtId) -> Option<Shape> {
    let find = Find { unit: &tree.unit, typed: &tree.typed };
    let (init, cond, third, body) = match tree.unit.stmts[s].kind {
        StmtKind::For { init, cond, step, body } | StmtKind::Forall { init, cond, step, body, .. } => {
            (init, cond, step, body)
        }
        StmtKind::While(cond, body) => (ForInit::None, Some(cond), None, body),
        _ => return None,
    };
    let first = find.first(init);
    let step = match (third, cond) {
        (Some(third), _) => find.step(third),
        (None, Some(cond)) => find.step_in_condition(cond),
        (None, None) => None,
    };
    let condition = cond.and_then(|cond| match step {
        Some(Step { in_condition: true, var, .. }) => find.condition_of_step(cond, var),
        _ => find.condition(cond, step.map(|step| step.var).or(first.map(|first| first.var))),
    });
    Some(Shape { first, step, steps_otherwise: third.is_some() && step.is_none(), condition, body })
}

/// Returns the step that an expression makes, if it does nothing else.
pub(crate) fn step_of(tree: &Tree, e: ExprId) -> Option<Step> {
    Find { unit: &tree.unit, typed: &tree.typed }.step(e)
}

struct Find<'a> {
    unit: &'a Unit,
    typed: &'a Typed,
}

impl Find<'_> {
    fn name(&self, e: ExprId) -> Option<SymId> {
        name(self.unit, self.typed, e)
    }

    fn kind(&self, e: ExprId) -> &ExprKind {
        &self.unit.exprs[self.unit.bare(e)].kind
    }

    fn first(&self, init: ForInit) -> Option<First> {
        match init {
            ForInit::None => None,
            ForInit::Expr(e) => match *self.kind(e) {
                ExprKind::Assign(None, target, value) => {
                    Some(First { var: self.name(target)?, declares: false, value })
                }
                _ => None,
            },
            ForInit::Decl(d) => {
                let DeclKind::Vars { items, .. } = &self.unit.decls[d].kind else { return None };
                let [item] = items.as_slice() else { return None };
                let InitKind::Expr(value) = self.unit.inits[item.init?].kind else { return None };
                Some(First { var: self.typed.declared(item.declarator)?, declares: true, value })
            }
        }
    }

    fn step(&self, third: ExprId) -> Option<Step> {
        let (target, by) = match *self.kind(third) {
            ExprKind::Post(IncDec::Inc, e) | ExprKind::Pre(IncDec::Inc, e) => (e, Stride::Up),
            ExprKind::Post(IncDec::Dec, e) | ExprKind::Pre(IncDec::Dec, e) => (e, Stride::Down),
            ExprKind::Assign(Some(BinOp::Add), e, by) if self.typed.constant(by) == Some(1) => {
                (e, Stride::Up)
            }
            ExprKind::Assign(Some(BinOp::Add | BinOp::Sub), e, by) => (e, Stride::By(by)),
            ExprKind::Assign(None, e, sum) => (e, self.sum(self.name(e)?, sum)?),
            _ => return None,
        };
        let var = self.name(target)?;
        let turn = match *self.kind(third) {
            ExprKind::Assign(Some(op), _, by) if self.is_threads(by) => Some(op),
            ExprKind::Assign(None, _, sum) => self.steps_by_threads(var, sum).map(|(op, _)| op),
            _ => None,
        };
        let (threads, back) = (turn == Some(BinOp::Add), turn == Some(BinOp::Sub));
        Some(Step { var, by, threads, back, in_condition: false })
    }

    /// `i + 1`, `i + THREADS` or `i - THREADS`.
    fn sum(&self, var: SymId, sum: ExprId) -> Option<Stride> {
        match offset_from(self.unit, self.typed, sum, var) {
            Some(1) => Some(Stride::Up),
            _ => self.steps_by_threads(var, sum).map(|(_, by)| Stride::By(by)),
        }
    }

    /// The operator and THREADS in `i + THREADS` or `i - THREADS`.
    fn steps_by_threads(&self, var: SymId, sum: ExprId) -> Option<(BinOp, ExprId)> {
        let ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) = *self.kind(sum) else { return None };
        let is = |i, threads| self.name(i) == Some(var) && self.is_threads(threads);
        if is(a, b) { Some((op, b)) } else { (op == BinOp::Add && is(b, a)).then_some((op, a)) }
    }

    fn is_threads(&self, e: ExprId) -> bool {
        match self.kind(e) {
            ExprKind::Threads => true,
            _ => self.typed.static_threads.is_some_and(|n| self.typed.constant(e) == Some(i128::from(n))),
        }
    }

    /// `n--` or `n-- > e`.
    fn step_in_condition(&self, cond: ExprId) -> Option<Step> {
        let lowered = match *self.kind(cond) {
            ExprKind::Binary(_, a, _) => a,
            _ => cond,
        };
        let ExprKind::Post(IncDec::Dec, n) = *self.kind(lowered) else { return None };
        Some(Step { var: self.name(n)?, by: Stride::Down, threads: false, back: false, in_condition: true })
    }

    /// Returns the requirement of `n--` or `n-- > e` on `n`.
    fn condition_of_step(&self, cond: ExprId, var: SymId) -> Option<(SymId, Condition)> {
        match *self.kind(cond) {
            ExprKind::Binary(op, _, b) => turned(op).map(|_| (var, Condition::Compare(op, b))),
            _ => Some((var, Condition::NotZero)),
        }
    }

    /// Returns the requirement of a condition on `var`; without `var`, on the variable on its left.
    fn condition(&self, cond: ExprId, var: Option<SymId>) -> Option<(SymId, Condition)> {
        let is_var = |e: ExprId| self.name(e).filter(|&sym| var.is_none_or(|var| sym == var));
        let ExprKind::Binary(op, a, b) = *self.kind(cond) else {
            return is_var(cond).map(|sym| (sym, Condition::NotZero));
        };
        let turned = turned(op)?;
        if let Some(sym) = is_var(a) {
            return Some((sym, Condition::Compare(op, b)));
        }
        is_var(b).filter(|_| var.is_some()).map(|sym| (sym, Condition::Compare(turned, a)))
    }
}

/// The comparison with its operands in the other order.
fn turned(op: BinOp) -> Option<BinOp> {
    Some(match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Le => BinOp::Ge,
        BinOp::Gt => BinOp::Lt,
        BinOp::Ge => BinOp::Le,
        BinOp::Ne => BinOp::Ne,
        _ => return None,
    })
}

fn unsigned_mix(typed: &Typed, hi: QTy, var: QTy) -> bool {
    use c_sema::types::IntKind::*;
    let unsigned = |q| matches!(typed.types.of(q), Ty::Int(UInt | ULong | ULongLong | UInt128));
    unsigned(hi) || matches!(typed.types.of(var), Ty::Int(ULong | ULongLong | UInt128 | Int128))
}

/// The first number past a bound ([`Shape::bound`]) of `var`. If `var` is of type unsigned, C compares a
/// negative int as a large number.
pub(crate) fn past(typed: &Typed, var: SymId, hi: ExprId, inclusive: bool) -> Term {
    use c_sema::types::IntKind::{Bool, Char, Int, SChar, Short};
    let ty = typed.sym(var).ty;
    let signed = matches!(typed.types.of(typed.ty(hi)), Ty::Int(Bool | Char | SChar | Short | Int));
    let known = typed.constant(hi).is_some_and(|c| c >= 0);
    let value = match unsigned_int(typed, ty) && signed && !known {
        true => Term::As(ty, Box::new(Term::Value(hi))),
        false => Term::Value(hi),
    };
    Term::index(value).plus(i64::from(inclusive))
}

pub(crate) fn unsigned_int(typed: &Typed, var: QTy) -> bool {
    matches!(typed.types.of(var), Ty::Int(c_sema::types::IntKind::UInt))
}

/// Whether a name occurs in an expression.
pub(crate) fn mentions(unit: &Unit, typed: &Typed, e: ExprId, var: SymId) -> bool {
    exists(unit, Node::Expr(e), |e| {
        matches!(unit.exprs[e].kind, ExprKind::Ident(_)) && typed.symbol(e) == Some(var)
    })
}

/// Whether a variable is of a type that loops count by.
pub(crate) fn counts(typed: &Typed, var: SymId) -> bool {
    matches!(typed.types.of(typed.sym(var).ty), Ty::Int(_) | Ty::Pointer(_))
}
