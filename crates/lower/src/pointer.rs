//! Arithmetic, comparison and conversion of pointers-to-shared (UPC 6.4.2, 6.4.3).

use crate::Lower;
use crate::program::Program;
use crate::ty::{Count, Layout};
use c_sema::types::{QTy, Ty};
use c_syntax::ast::*;
use emit::{Piece, seq};

/// A step of a pointer.
enum Step {
    /// A single element, forwards (true) or backwards.
    One(bool),
    /// A number of whole turns over the threads.
    Turns(Piece),
    /// Any number of elements.
    Elements(Piece),
}

impl Lower<'_> {
    /// `pointer + index`, or minus, for a pointer to `to`.
    pub(crate) fn advance(&mut self, pointer: Piece, to: QTy, index: ExprId, minus: bool) -> Piece {
        if self.program.everything() && self.program.typed.constant(index) == Some(0) {
            return pointer;
        }
        let step = self.step(to, index, minus);
        apply(self.program, pointer, to, step)
    }

    fn step(&mut self, to: QTy, index: ExprId, minus: bool) -> Step {
        let count = self.program.count(to);
        let cyclic = self.program.layout(to) == Layout::Cyclic;
        if let Some(n) = self.program.typed.constant(index) {
            // A large unsigned number is a negative one, as in the runtime's mer_i64.
            let n = i128::from(n as i64);
            let n = if minus { -n } else { n };
            if cyclic
                && n != 0
                && let Some(elements) = count.constant().map(|count| n * i128::from(count))
                && let Some(threads) = self.program.typed.static_threads.map(i128::from)
                && threads > 1
                && elements % threads == 0
                && let Ok(turns) = i64::try_from(elements / threads)
            {
                return Step::Turns(Piece::text(turns.to_string()));
            }
            if count == Count::ONE && n.abs() == 1 {
                return Step::One(n > 0);
            }
        }
        if cyclic && let Some(turns) = self.turns(index) {
            let sign = if minus { "-" } else { "" };
            return Step::Turns(seq![sign, turns, " * (mer_i64)", self.program.count_text(count)]);
        }
        let sign = if minus { "-" } else { "" };
        // Unsigned arithmetic: a product that is too large is defined.
        let signed = if self.program.tree.is_early(index) { "(mer_u64)(mer_i64)" } else { "(mer_i64)" };
        let index = self.converted(index).flat().paren();
        if count == Count::ONE {
            Step::Elements(seq![sign, signed, index])
        } else {
            Step::Elements(seq![sign, signed, index, " * (mer_i64)", self.program.count_text(count)])
        }
    }

    /// The k of an expression `k * THREADS`, `THREADS * k` or `THREADS`.
    fn turns(&mut self, e: ExprId) -> Option<Piece> {
        match self.program.unit.exprs[e].kind {
            ExprKind::Paren(inner) => self.turns(inner),
            ExprKind::Threads => Some(Piece::text("(mer_i64)1")),
            ExprKind::Binary(BinOp::Mul, a, b) => {
                let unit = self.program.unit;
                let is_threads = |e: ExprId| matches!(unit.exprs[unit.bare(e)].kind, ExprKind::Threads);
                if is_threads(a) {
                    Some(seq!["(mer_i64)", self.converted(b).flat().paren()])
                } else if is_threads(b) {
                    Some(seq!["(mer_i64)", self.converted(a).flat().paren()])
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    /// `a op b` for a comparison with a pointer-to-shared on at least one side.
    pub(crate) fn compare(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Piece {
        let sign = match op {
            BinOp::Eq => "==",
            BinOp::Ne => "!=",
            BinOp::Lt => "<",
            BinOp::Gt => ">",
            BinOp::Le => "<=",
            _ => ">=",
        };
        if matches!(op, BinOp::Eq | BinOp::Ne) {
            let (p, q) = (self.compared(a), self.compared(b));
            if op == BinOp::Eq {
                // A function, because clang takes `((a == b))` for a mistyped assignment.
                return Piece::call("mer_same", [p, q]);
            }
            return seq!["(", p, " ", sign, " ", q, ")"];
        }
        let to =
            self.program.shared_target(a).or(self.program.shared_target(b)).expect("a pointer-to-shared");
        let (p, q) = (self.converted(a).flat(), self.converted(b).flat());
        seq!["(", order(self.program, to, p, q), " ", sign, " 0)"]
    }

    /// The bits to compare: two pointers to the same object are equal, even if their phases differ (6.4.2).
    fn compared(&mut self, e: ExprId) -> Piece {
        if self.program.shared_target(e).is_some() { self.bits_of_value(e) } else { Piece::text("0") }
    }
}

/// `p - q` in units of their target type.
pub(crate) fn difference(program: &Program, to: QTy, p: Piece, q: Piece) -> Piece {
    let size = Piece::text(program.elem_size(to));
    let elements = match program.layout(to) {
        _ if matches!(program.typed.types.of(to), Ty::Void) => {
            seq!["(mer_i64)(", p, ".bits - ", q, ".bits)"]
        }
        Layout::Indefinite => Piece::call("mer_diff_i", [p, q, size]),
        Layout::Cyclic => Piece::call("mer_diff_c", [p, q, size]),
        Layout::Blocked(block) => Piece::call("mer_diff_b", [p, q, size, block.to_string().into()]),
    };
    match program.count(to) {
        Count::ONE => elements,
        count => seq!["(", elements, " / (mer_i64)", program.count_text(count), ")"],
    }
}

/// An integer with the sign of `p - q` (6.4.2 p9), without the division.
fn order(program: &Program, to: QTy, p: Piece, q: Piece) -> Piece {
    match program.layout(to) {
        Layout::Indefinite => Piece::call("mer_order_i", [p, q]),
        Layout::Cyclic => Piece::call("mer_order_c", [p, q]),
        Layout::Blocked(_) => Piece::call("mer_order_b", [p, q, program.elem_size(to).into()]),
    }
}

/// `pointer + 1` or `pointer - 1`.
pub(crate) fn advance_one(program: &Program, pointer: Piece, to: QTy, op: IncDec) -> Piece {
    let forwards = op == IncDec::Inc;
    let count = program.count(to);
    let step = if count == Count::ONE {
        Step::One(forwards)
    } else {
        let sign = if forwards { "" } else { "-" };
        Step::Elements(Piece::text(format!("{sign}(mer_i64){}", program.count_text(count))))
    };
    apply(program, pointer, to, step)
}

fn apply(program: &Program, pointer: Piece, to: QTy, step: Step) -> Piece {
    let size = Piece::text(program.elem_size(to));
    let layout = program.layout(to);
    // A generic pointer-to-shared steps by bytes on its thread, as GNU C's void * does.
    if matches!(program.typed.types.of(to), Ty::Void) && !program.everything() {
        let n = match step {
            Step::One(up) => Piece::text(if up { "1" } else { "-1" }),
            Step::Turns(n) | Step::Elements(n) => n,
        };
        return seq![
            "__extension__ ({ mer_pptr mer_v_ = ",
            pointer,
            "; mer_v_.bits += (mer_u64)(",
            n,
            "); mer_v_; })"
        ];
    }
    match (layout, step) {
        (Layout::Cyclic, Step::One(true)) => Piece::call("mer_inc_c", [pointer, size]),
        (Layout::Cyclic, Step::One(false)) => Piece::call("mer_dec_c", [pointer, size]),
        (Layout::Cyclic, Step::Turns(n)) => Piece::call("mer_turn_c", [pointer, n, size]),
        (Layout::Cyclic, Step::Elements(n)) => Piece::call("mer_add_c", [pointer, n, size]),
        (Layout::Blocked(b), Step::One(true)) => {
            Piece::call("mer_inc_b", [pointer, size, b.to_string().into()])
        }
        (Layout::Blocked(b), Step::One(false)) => {
            Piece::call("mer_dec_b", [pointer, size, b.to_string().into()])
        }
        (Layout::Blocked(b), Step::Turns(n) | Step::Elements(n)) => {
            Piece::call("mer_add_b", [pointer, n, size, b.to_string().into()])
        }
        (Layout::Indefinite, Step::One(up)) => {
            Piece::call("mer_add_i", [pointer, Piece::text(if up { "1" } else { "-1" }), size])
        }
        (Layout::Indefinite, Step::Turns(n) | Step::Elements(n)) => {
            Piece::call("mer_add_i", [pointer, n, size])
        }
    }
}

/// Converts a value of type `from` to `to`, at least one of which is a pointer-to-shared: by a cast, or
/// as in an assignment.
pub(crate) fn convert(program: &Program, value: Piece, from: Option<QTy>, to: QTy, cast: bool) -> Piece {
    let types = &program.typed.types;
    let Some(target) = types.shared_pointee(to) else {
        return convert_out(program, value, to);
    };
    let wide = program.wide_to(target);
    let Some(source) = from else {
        return Piece::text(if wide { "mer_mkp(0, 0)" } else { "mer_mk(0)" });
    };
    match (program.wide_to(source), wide) {
        (false, false) => value,
        (false, true) => Piece::call("mer_widen", [value]),
        (true, false) => Piece::call("mer_narrow", [value]),
        (true, true) => rephase(program, value, source, target, cast),
    }
}

fn rephase(program: &Program, value: Piece, source: QTy, target: QTy, cast: bool) -> Piece {
    let types = &program.typed.types;
    let void = |q| matches!(types.of(q), Ty::Void);
    if void(source) || void(target) {
        return value;
    }
    let complete = |q| types.size_of(types.element(q)).is_some();
    if program.layout(source) != program.layout(target) || !(complete(source) && complete(target)) {
        return Piece::call("mer_phase0", [value]);
    }
    let (a, b) = (program.elem_size(source), program.elem_size(target));
    let (m, n) = (program.count(source), program.count(target));
    if a == b && m == n {
        return value;
    }
    if !cast && (m.lengths[0].is_some() || n.lengths[0].is_some()) {
        // The lengths are equal, or the behaviour is undefined (C17 6.7.6.2 p6). Lengths of a parameter
        // cannot be spelled at the call of the function.
        let array = |q| matches!(program.typed.types.of(q), Ty::Array(..));
        let alike = a == b && array(source) && array(target);
        return if alike { value } else { Piece::call("mer_phase0", [value]) };
    }
    let same = format!("{a} * {} == {b} * {}", program.count_text(m), program.count_text(n));
    Piece::call("mer_rephase", [value, same.into()])
}

/// Converts a pointer-to-shared to another type: a pointer to private memory, an integer, a truth value.
fn convert_out(program: &Program, value: Piece, to: QTy) -> Piece {
    match program.typed.types.of(to) {
        Ty::Pointer(_) if program.everything() => {
            seq!["((", program.type_text(to), ")mer_to_local(", value, "))"]
        }
        Ty::Pointer(_) => seq!["((", program.type_text(to), ")mer_at(", value, ".bits))"],
        Ty::Int(c_sema::types::IntKind::Bool) => seq!["(", value, ".bits != 0)"],
        Ty::Void => seq!["((void)", value, ")"],
        _ if program.everything() => seq!["((", program.type_text(to), ")mer_to_integer(", value, "))"],
        _ => seq!["((", program.type_text(to), ")", value, ".bits)"],
    }
}
