//! Subscripts of shared arrays that leave the array in some iteration of a loop, or on some thread.
//!
//! A subscript is judged only at a place that is certainly reached by every iteration of the loops that it
//! counts, and by every thread that it depends on: not in a branch, and not after a jump. Subscripts without
//! variables are judged where they are checked (`upc::suspect`).

use super::calls::{Callee, Program};
use super::form::Form;
use super::values::{Iterations, Share, Values};
use crate::linear::Linear;
use crate::typed::{SymId, Typed};
use crate::types::Len;
use crate::visit::{self, Use, Visitor};
use base::{Code, Diagnostic, Span};
use c_syntax::ast::*;
use rustc_hash::FxHashSet;

/// Returns the warnings for the body of a function.
pub(super) fn check(program: Program, values: &Values, sym: SymId, body: StmtId) -> Vec<Diagnostic> {
    let mut walk = Walk {
        program,
        values,
        loops: vec![body],
        certain: Certain { from: 0, from_by_me: 0, returns: program.is_main(sym) },
        jumped: Jumped::default(),
        told: FxHashSet::default(),
        found: Vec::new(),
    };
    walk.stmt(body);
    walk.found
}

/// How certainly a place is reached.
#[derive(Clone, Copy)]
struct Certain {
    /// The place is reached in every iteration of the loops from this one on, counted from the outermost. The
    /// function itself counts as the outermost loop.
    from: usize,
    /// The same for a thread that is chosen by its number.
    from_by_me: usize,
    /// All threads reach the place: they run the function, and no call before it may have ended the program.
    returns: bool,
}

/// The jumps in a part of the function.
#[derive(Clone, Copy, Default)]
struct Jumped {
    /// Out of the innermost loop, or to its next iteration.
    here: bool,
    /// Out of all loops.
    out: bool,
}

struct Walk<'a> {
    program: Program<'a>,
    values: &'a Values,
    /// The loops around the place, outermost first. The first entry is the function.
    loops: Vec<StmtId>,
    certain: Certain,
    jumped: Jumped,
    /// The arrays and subscripts that have been reported, by their text.
    told: FxHashSet<(SymId, &'a str)>,
    found: Vec<Diagnostic>,
}

impl<'a> Visitor<'a> for Walk<'a> {
    fn unit(&self) -> &'a Unit {
        self.program.unit
    }

    fn typed(&self) -> &'a Typed {
        self.program.typed
    }

    fn stmt(&mut self, s: StmtId) {
        let before = self.certain;
        match self.program.unit.stmts[s].kind {
            StmtKind::If(c, then, otherwise) => {
                self.value(c);
                let outer = std::mem::take(&mut self.jumped);
                let by_me = self.is_of_me(c);
                let before = self.certain;
                for side in [Some(then), otherwise].into_iter().flatten() {
                    self.uncertain();
                    if by_me {
                        self.certain.from_by_me = before.from_by_me;
                    }
                    self.stmt(side);
                    self.restore(before);
                }
                if self.jumped.here {
                    self.uncertain();
                }
                self.jumped.here |= outer.here;
                self.jumped.out |= outer.out;
            }
            StmtKind::For { init, cond, step, body } => self.repeated(s, init, cond, step, None, body),
            StmtKind::Forall { init, cond, step, affinity, body } => {
                self.repeated(s, init, cond, step, Some(affinity), body);
            }
            StmtKind::While(..) | StmtKind::Switch(..) | StmtKind::Do(..) => {
                if !matches!(self.program.unit.stmts[s].kind, StmtKind::Do(..)) {
                    self.uncertain();
                }
                let outer = self.jumped.here;
                visit::walk_stmt(self, s);
                self.jumped.here = outer || self.jumped.out;
                self.restore(before);
            }
            StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::GotoExpr(_) => {
                visit::walk_stmt(self, s);
                self.jumped = Jumped { here: true, out: true };
                self.certain.returns = false;
            }
            StmtKind::Break | StmtKind::Continue => self.jumped.here = true,
            StmtKind::Label(..) | StmtKind::Case(..) | StmtKind::Default(_) => {
                self.uncertain();
                visit::walk_stmt(self, s);
            }
            _ => visit::walk_stmt(self, s),
        }
    }

    fn maybe(&mut self, exprs: &[ExprId]) {
        let before = self.certain;
        self.uncertain();
        exprs.iter().for_each(|&e| self.value(e));
        self.restore(before);
    }

    fn value(&mut self, e: ExprId) {
        match &self.program.unit.exprs[e].kind {
            ExprKind::Call(f, _) => {
                visit::walk_value(self, e);
                let callee = self.program.callee(*f);
                self.certain.returns &= !matches!(callee, Callee::Ends | Callee::Body(_) | Callee::Unknown);
            }
            _ => visit::walk_value(self, e),
        }
    }

    fn place(&mut self, e: ExprId, how: Use) {
        if let ExprKind::Index(a, i) = self.program.unit.exprs[e].kind {
            self.index(a, i, how == Use::Address);
        }
        visit::walk_place(self, e);
    }
}

impl<'a> Walk<'a> {
    /// Called where a part begins that may be skipped.
    fn uncertain(&mut self) {
        self.certain.from = self.loops.len();
        self.certain.from_by_me = self.loops.len();
    }

    /// Called after a part that may be skipped or left.
    fn restore(&mut self, before: Certain) {
        let returns = before.returns && self.certain.returns;
        self.certain = Certain { returns, ..before };
        if self.jumped.out {
            self.uncertain();
        }
    }

    /// Whether a condition asks for the number of the thread alone.
    fn is_of_me(&self, c: ExprId) -> bool {
        let unit = self.program.unit;
        match unit.exprs[unit.bare(c)].kind {
            ExprKind::MyThread | ExprKind::Number => true,
            ExprKind::Unary(UnOp::Not, a) => self.is_of_me(a),
            ExprKind::Binary(BinOp::Eq | BinOp::Ne, a, b) => self.is_of_me(a) && self.is_of_me(b),
            _ => false,
        }
    }

    fn repeated(
        &mut self,
        s: StmtId,
        init: ForInit,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        affinity: Option<Affinity>,
        body: StmtId,
    ) {
        match init {
            ForInit::Expr(e) => self.value(e),
            ForInit::Decl(d) => self.decl(d),
            ForInit::None => {}
        }
        let (before, outer) = (self.certain, self.jumped.here);
        let runs = self.values.loops.get(&s).is_some_and(|loops| self.runs(loops));
        cond.iter().for_each(|&e| self.value(e));
        if !runs {
            self.uncertain();
        }
        self.loops.push(s);
        if let Some(Affinity::Expr(e)) = affinity {
            self.affinity(e);
        }
        self.stmt(body);
        self.uncertain();
        step.iter().for_each(|&e| self.value(e));
        self.loops.pop();
        self.jumped.here = outer || self.jumped.out;
        self.restore(before);
    }

    /// Checks the fourth clause of a `upc_forall`: `&a[i]` needs an element.
    fn affinity(&mut self, e: ExprId) {
        let unit = self.program.unit;
        let e = unit.bare(e);
        if let ExprKind::Unary(UnOp::Addr, of) = unit.exprs[e].kind
            && let ExprKind::Index(a, i) = unit.exprs[unit.bare(of)].kind
        {
            self.index(a, i, false);
        }
        self.value(e);
    }

    /// Whether a loop has an iteration on every thread that runs it, whatever THREADS is.
    fn runs(&self, loops: &Iterations) -> bool {
        let extremes = loops.last.as_ref().and_then(|last| last.extremes(self.program.typed.static_threads));
        extremes.is_some_and(|(low, _)| low.is_positive_or_zero())
    }

    fn index(&mut self, a: ExprId, i: ExprId, addressed: bool) {
        let (array, index) = self.program.indexed(a, i);
        let Some(length) = self.length(array) else { return };
        let value = self.values.of(self.program, index);
        let Some(form) = value.form else { return };
        if !self.is_certain(&form) || (form.linear().is_some() && !self.has_variable(index)) {
            return;
        }
        let Some((low, high)) = self.extremes(&form) else { return };
        let beyond = high.minus(length);
        let outside = beyond.is_positive_or_zero() && !(addressed && beyond == Linear::default());
        let text = self.program.text_of(index);
        if !(low.is_negative() || outside) || !self.told.insert((self.base(array), text)) {
            return;
        }
        let reached = if low.is_negative() { low } else { high };
        self.found.push(self.message(index, &form, (reached, length), low.is_negative()));
    }

    /// Whether all values of a form are reached at this place.
    fn is_certain(&self, form: &Form) -> bool {
        let counted = form.loops.iter().map(|(of, _)| self.loops.iter().position(|s| s == of));
        let Some(needed) = counted.min().unwrap_or(Some(0)) else { return false };
        match form.me {
            0 => self.certain.from_by_me <= needed,
            _ => self.certain.from == 0 && self.certain.returns,
        }
    }

    fn message(
        &self,
        index: ExprId,
        form: &Form,
        (reached, length): (Linear, Linear),
        negative: bool,
    ) -> Diagnostic {
        let threads = self.program.typed.types.language.row().words.threads;
        let shown = |of: Linear| of.to_string().replace("THREADS", threads);
        let text = self.program.text_of(index);
        let whose = match (form.loops.is_empty(), form.me) {
            (true, 0) => "is",
            (false, _) => "reaches",
            (true, me) if (me > 0) == negative => "is, on the first thread,",
            _ => "is, on the last thread,",
        };
        let is = shown(reached);
        let message = if text == is {
            format!("index {is} is outside of the array, which has {} elements", shown(length))
        } else {
            format!("index `{text}` {whose} {is}, outside of the array, which has {} elements", shown(length))
        };
        let last = shown(length.minus(Linear::constant(1)));
        let span = self.program.unit.exprs[index].span;
        let mut d =
            Diagnostic::warning(Code::OutsideArray, span, message).label(format!("is not in 0 to {last}"));
        if let Some(&(of, _)) = form.loops.first() {
            d = d.also(self.head(of), "in this loop").help("let the loop begin later, or end earlier");
        }
        d
    }

    /// The place of a loop's condition.
    fn head(&self, s: StmtId) -> Span {
        let stmt = &self.program.unit.stmts[s];
        match stmt.kind {
            StmtKind::For { cond: Some(e), .. } | StmtKind::Forall { cond: Some(e), .. } => {
                self.program.unit.exprs[e].span
            }
            _ => stmt.span,
        }
    }

    /// Whether a subscript has a variable: others have been judged.
    fn has_variable(&self, index: ExprId) -> bool {
        let mut found = false;
        self.program.names(index, &mut |_| found = true);
        found
    }

    /// The name of the array, or any: for one report of a subscript.
    fn base(&self, array: ExprId) -> SymId {
        let mut base = SymId(0);
        self.program.names(array, &mut |sym| base = sym);
        base
    }

    /// The length of a shared array, if every object of its type has it.
    fn length(&self, array: ExprId) -> Option<Linear> {
        let types = &self.program.typed.types;
        let ty = self.program.typed.ty(array);
        let (_, length) = types.as_array(ty).filter(|_| types.is_shared(ty))?;
        let length = match length {
            Len::Const(n) => Linear::constant(i128::from(n)),
            Len::Threads(n) => Linear { number: 0, threads: i128::from(n) },
            _ => return None,
        };
        let unit = self.program.unit;
        let (member, flat) = match unit.exprs[unit.bare(array)].kind {
            // Old programs declare a last member of one element, or none, and use more.
            ExprKind::Member { .. } => (true, false),
            // `a[0][n]` is meant to go on into the next rows.
            ExprKind::Index(a, i) => {
                let (_, row) = self.program.indexed(a, i);
                (false, self.program.typed.constant(row).is_some())
            }
            _ => (false, false),
        };
        (!flat && (!member || length.threads != 0 || length.number > 1)).then_some(length)
    }

    /// The least and the greatest value of a form, over all iterations and threads.
    fn extremes(&self, form: &Form) -> Option<(Linear, Linear)> {
        let threads = self.program.typed.static_threads;
        let mut low = Form { loops: Vec::new(), ..form.clone() };
        let mut high = low.clone();
        for &(of, factor) in &form.loops {
            let loops = self.values.loops.get(&of)?;
            let last = loops.last.as_ref()?;
            if !self.runs(loops) || !last.loops.is_empty() || (loops.share == Share::Dealt && form.me != 0) {
                return None;
            }
            let far = last.times(factor)?;
            let end = if factor > 0 { &mut high } else { &mut low };
            *end = end.plus(&far)?;
        }
        Some((low.extremes(threads)?.0, high.extremes(threads)?.1))
    }
}
