//! Values: one function for each construct.
//!
//! [`Lower::value`] returns an expression as C of the same value; [`Lower::converted`] also converts it as
//! its context asks; [`Lower::condition`] returns it as a truth value; [`Lower::effect`] for its effect
//! alone.

use crate::access;
use crate::early;
use crate::edit::Edit;
use crate::init;
use crate::made::name;
use crate::pointer;
use crate::update::Update;
use crate::{Changes, Lower};
use c_sema::types::{QTy, Ty};
use c_syntax::ast::*;
use c_syntax::visit::has_effects;
use emit::build::{after, assign, declare, statement};
use emit::{Piece, seq, splice};
use opt::places::is_bit_field;

impl Lower<'_> {
    /// The expression as C, converted as its context asks.
    pub(crate) fn converted(&mut self, e: ExprId) -> Piece {
        let value = self.value(e);
        let Some(to) = self.program.typed.conversion(e) else { return value };
        let from = self.program.shared_target(e);
        if from.is_none()
            && self.program.everything()
            && self.program.is_pts(to)
            && !init::is_null_value(self.program, e)
        {
            // Null, through an expression that is evaluated.
            return seq!["((void)(", value.flat(), "), mer_mk(0))"];
        }
        let value = if matches!(value, Piece::Src(_)) { value.flat().paren() } else { value };
        pointer::convert(self.program, value, from, to, false)
    }

    /// `e` as a truth value: a pointer-to-shared is compared with null.
    pub(crate) fn condition(&mut self, e: ExprId) -> Piece {
        if self.program.shared_target(e).is_some() {
            seq!["(", self.bits_of_value(e), " != 0)"]
        } else {
            self.converted(e)
        }
    }

    /// `e` for its effect: the value of `p++` is not kept.
    pub(crate) fn effect(&mut self, e: ExprId) -> Piece {
        let unit = self.program.unit;
        if let Some(opt::tree::Access::Step(var, by)) = self.program.tree.access(e) {
            return seq![format!("{} += ", name(*var)), self.term(by)];
        }
        match &unit.exprs[e].kind {
            ExprKind::Paren(inner) => self.effect(*inner).paren(),
            ExprKind::Post(op, target) if self.program.shared_target(*target).is_some() => {
                let step = self.step_pointer(*op, *target, false);
                if self.program.is_shared_place(*target) { seq!["(void) ", step] } else { step }
            }
            ExprKind::Post(op, target) if self.is_global_target(*target) => {
                seq!["(void) ", self.global_increment(*op, *target, false)]
            }
            ExprKind::Pre(_, target) if self.is_global_target(*target) => {
                seq!["(void) ", self.value(e)]
            }
            ExprKind::Pre(..) | ExprKind::Post(..) if early::early_arithmetic(self.program, e).is_some() => {
                let arithmetic = early::early_arithmetic(self.program, e).expect("just seen");
                self.by_early(&arithmetic.for_effect())
            }
            // The user has already been warned that this has no effect.
            _ if self.touched(e) && self.program.typed.is_suspect(e) && !self.program.is_void(e) => {
                seq!["(void)", self.value(e).paren()]
            }
            ExprKind::Binary(BinOp::Comma, a, b) if self.touched(e) => {
                seq![self.dropped(*a), ", ", self.dropped(*b)]
            }
            // The statement expression ends in another one; clang would warn that its value is unused.
            ExprKind::Assign(Some(_), target, value)
                if self.is_global_target(*target)
                    || (self.program.is_shared_place(*target) && has_effects(self.program.unit, *value)) =>
            {
                seq!["(void) ", self.value(e)]
            }
            // A shared object named alone is still read (C17 6.3.2.1).
            _ => self.value(e),
        }
    }

    /// An operand of a comma whose value is not used. If the text is not the user's, a cast to void keeps
    /// clang from warning.
    fn dropped(&mut self, e: ExprId) -> Piece {
        let effect = self.effect(e);
        if self.touched(e) && !self.program.is_void(e) { seq!["(void)", effect.paren()] } else { effect }
    }

    /// The expression as C of the same value.
    pub(crate) fn value(&mut self, e: ExprId) -> Piece {
        let span = self.program.span(e);
        if !self.touched(e) {
            return Piece::Src(span);
        }
        let unit = self.program.unit;
        if let Some(opt::tree::Access::Number(number)) = self.program.tree.access(e) {
            return self.term(number).paren();
        }
        if let Some(arithmetic) = early::early_arithmetic(self.program, e) {
            return self.by_early(&arithmetic);
        }
        if let Some(made) = self.made_expr(e) {
            return made;
        }
        match &unit.exprs[e].kind {
            ExprKind::Paren(inner) => self.value(*inner).paren(),
            ExprKind::Extension(inner) => {
                let text = seq!["__extension__ ", self.value(*inner)];
                if self.program.is_pts(self.program.typed.ty(e)) { text.flat().paren() } else { text }
            }
            ExprKind::Threads => Piece::text("MER_THREADS"),
            ExprKind::MyThread => Piece::text("MER_MYTHREAD"),
            ExprKind::Call(f, args) => self.call(e, *f, args),
            ExprKind::Post(op, target) => self.increment(e, *op, *target, true),
            ExprKind::Pre(op, target) => self.increment(e, *op, *target, false),
            ExprKind::Unary(op, operand) => self.unary(e, *op, *operand),
            ExprKind::Binary(op, a, b) => self.binary(e, *op, *a, *b),
            ExprKind::Assign(op, target, value) => self.assign(e, *op, *target, *value),
            ExprKind::Split(op, a, b) => self.split(e, *op, *a, *b),
            ExprKind::Cond(c, a, b) => self.conditional(e, *c, *a, *b),
            ExprKind::Cast(t, operand) => self.cast(e, *t, *operand),
            ExprKind::SizeofExpr(op, operand) => self.sizeof_expr(e, *op, *operand),
            ExprKind::SizeofType(op, t) => self.sizeof_type(e, *op, *t),
            ExprKind::Generic(control, arms) => self.generic(e, *control, arms),
            ExprKind::Choose(..) if self.program.chosen(e).is_some() => {
                let chosen = self.program.chosen(e).expect("just seen");
                self.converted(chosen).flat().paren()
            }
            ExprKind::Ident(_) | ExprKind::Index(..) | ExprKind::Member { .. }
                if self.program.is_shared_place(e) =>
            {
                self.load(e)
            }
            // An element of an array, because a struct in braces of its own would be taken for its members.
            ExprKind::Compound(_, init) if init::within_braces(self.program, *init).is_some() => {
                let inner = init::within_braces(self.program, *init).expect("just seen");
                let mut changes = Changes::new();
                self.edit(&mut changes).init(inner);
                let value = splice(unit.inits[inner].span, changes).flat();
                seq!["((", self.program.type_text(self.program.typed.ty(e)), "[1]){", value, "}[0])"]
            }
            _ => {
                let mut changes = Changes::new();
                self.edit(&mut changes).children(e);
                splice(span, changes)
            }
        }
    }

    // ---- operators -------------------------------------------------------------------------------

    fn unary(&mut self, e: ExprId, op: UnOp, operand: ExprId) -> Piece {
        match op {
            UnOp::Addr if self.program.is_shared_place(operand) => self.pointer_to(operand),
            UnOp::Deref if self.program.is_shared_place(e) => self.load(e),
            UnOp::Not if self.program.shared_target(operand).is_some() => {
                seq!["mer_same(", self.bits_of_value(operand), ", 0)"]
            }
            _ => {
                let mut changes = Changes::new();
                self.edit(&mut changes).value(operand);
                let text = splice(self.program.span(e), changes);
                // `.bits` may follow.
                if self.program.is_pts(self.program.typed.ty(e)) { text.flat().paren() } else { text }
            }
        }
    }

    fn binary(&mut self, e: ExprId, op: BinOp, a: ExprId, b: ExprId) -> Piece {
        let (left, right) = (self.program.shared_target(a), self.program.shared_target(b));
        match op {
            BinOp::Comma => seq!["(", self.dropped(a), ", ", self.converted(b), ")"],
            BinOp::And | BinOp::Or => {
                let sign = if op == BinOp::And { " && " } else { " || " };
                seq!["(", self.condition(a).flat(), sign, self.condition(b).flat(), ")"]
            }
            _ if left.is_none() && right.is_none() => {
                let mut changes = Changes::new();
                for operand in [a, b] {
                    match self.program.typed.is_suspect(e) && self.program.points_to(operand).is_some() {
                        // Pointers of different types, of which the user has been warned.
                        true => {
                            let any = seq!["((const volatile void *)", self.value(operand).paren(), ")"];
                            changes.push((self.program.span(operand), any));
                        }
                        false => self.edit(&mut changes).value(operand),
                    }
                }
                splice(self.program.span(e), changes)
            }
            BinOp::Sub if left.is_some() && right.is_some() => {
                let to = left.expect("a pointer-to-shared");
                let (p, q) = (self.converted(a).flat(), self.converted(b).flat());
                pointer::difference(self.program, to, p, q)
            }
            BinOp::Add | BinOp::Sub => {
                let (pointer, index) = if left.is_some() { (a, b) } else { (b, a) };
                let to = left.or(right).expect("one is a pointer-to-shared");
                let base = self.value(pointer).flat();
                self.advance(base, to, index, op == BinOp::Sub)
            }
            _ => self.compare(op, a, b),
        }
    }

    fn conditional(&mut self, e: ExprId, c: ExprId, a: Option<ExprId>, b: ExprId) -> Piece {
        let Some(a) = a else {
            if self.program.shared_target(c).is_none() {
                let mut changes = Changes::new();
                self.edit(&mut changes).value(c);
                self.edit(&mut changes).value(b);
                return splice(self.program.span(e), changes);
            }
            let name = self.fresh("v");
            let to = self.program.shared_target(c).expect("just seen");
            let (pointer, first, other) =
                (self.program.pointer_type(to), self.converted(c), self.converted(b));
            let kept = declare(format!("{pointer} {name}"), Some(first.flat()));
            return after([kept], seq![format!("{name}.bits ? {name} : "), other.flat()]);
        };
        let c = self.condition(c).flat();
        let (a, b) = (self.converted(a).flat(), self.converted(b).flat());
        seq!["(", c, " ? ", a, " : ", b, ")"]
    }

    /// `_Generic`: the branch is chosen here, since different pointers-to-shared look alike in C.
    fn generic(&mut self, e: ExprId, control: ExprId, arms: &[(Option<TypeNameId>, ExprId)]) -> Piece {
        if let Some(chosen) = self.program.typed.generic_choice(e) {
            return self.converted(chosen).flat().paren();
        }
        let mut changes = Changes::new();
        self.edit(&mut changes).value(control);
        for (t, arm) in arms {
            if let Some(t) = t {
                self.edit(&mut changes).type_name(*t);
            }
            self.edit(&mut changes).value(*arm);
        }
        splice(self.program.span(e), changes)
    }

    fn cast(&mut self, e: ExprId, t: TypeNameId, operand: ExprId) -> Piece {
        let to = self.program.typed.type_name(t);
        let from = self.program.shared_target(operand);
        if from.is_none() && !self.program.is_pts(to) {
            let mut changes = Changes::new();
            self.edit(&mut changes).type_name(t);
            self.edit(&mut changes).value(operand);
            return splice(self.program.span(e), changes).paren();
        }
        if let Some(none) = self.defined_by(t) {
            return seq!["((void)(", none, "), ", self.cast_of_shared(to, from, operand), ")"];
        }
        self.cast_of_shared(to, from, operand)
    }

    /// A cast to or from a pointer-to-shared.
    fn cast_of_shared(&mut self, to: QTy, from: Option<QTy>, operand: ExprId) -> Piece {
        if from.is_some() && matches!(self.program.typed.types.of(to), Ty::Void) {
            return seq!["((void)", self.value(operand).flat(), ")"];
        }
        if from.is_none() && self.program.everything() && !init::is_null_value(self.program, operand) {
            return self.made_global(operand);
        }
        let value = self.value(operand).flat();
        let value = if matches!(self.program.unit.exprs[operand].kind, ExprKind::Ident(_)) {
            value
        } else {
            value.paren()
        };
        pointer::convert(self.program, value, from, to, true)
    }

    // ---- assignment --------------------------------------------------------------------------------

    fn assign(&mut self, e: ExprId, op: Option<BinOp>, target: ExprId, value: ExprId) -> Piece {
        if let Some(op) = op
            && let Some(to) = self.program.shared_target(target)
            && self.program.is_pts(self.program.typed.ty(target))
        {
            return self.update_pointer(target, |s, old| s.advance(old, to, value, op == BinOp::Sub));
        }
        match self.program.tree.access(e) {
            Some(opt::tree::Access::Reduction) => return self.reduction(target, value),
            Some(&opt::tree::Access::WithNext(next)) => return self.store_two(e, next),
            Some(opt::tree::Access::Done) => return Piece::text("(void)0"),
            _ => {}
        }
        if !self.program.is_shared_place(target) {
            let whole = access::whole_of_part(self.program, target);
            if whole.is_none() && self.program.is_observed(target) {
                let (object, value_text) = (self.value(target), self.converted(value).flat());
                return match op {
                    None => self.set_observed(object, value_text),
                    Some(_) => {
                        let sign =
                            self.program.operator_between(target, value).trim_end_matches('=').to_owned();
                        self.change_observed(object, Update::Assign(sign, value_text))
                    }
                };
            }
            let mut changes = self.target_changes(target, whole);
            self.edit(&mut changes).value(value);
            let assignment = splice(self.program.span(e), changes);
            return self.change_whole(e, whole, assignment).paren();
        }
        if self.is_global_target(target) {
            return self.global_assign(op, target, value);
        }
        let new = self.converted(value).flat();
        if op.is_none() {
            return self.store(target, new);
        }
        let sign = self.program.operator_between(target, value).trim_end_matches('=').to_owned();
        if !has_effects(self.program.unit, value) {
            return self.update(target, Update::Assign(sign, new));
        }
        // Effects of the value on the object come first, as in C compilers.
        let name = self.fresh("n");
        let update = self.update(target, Update::Assign(sign, Piece::text(name.clone())));
        // The type of a bit-field is its promoted one: `__auto_type` takes no bit-field itself.
        let plus = if is_bit_field(self.program.tree, value) { "+" } else { "" };
        let new = seq![plus, new.paren()];
        after([declare(format!("__auto_type {name}"), Some(new))], update)
    }

    /// `target op= value` of integers, modulo their size: the sum is formed in another order here, and may
    /// overflow although the program's does not.
    fn reduction(&mut self, sum: ExprId, value: ExprId) -> Piece {
        let ty = self.program.type_text(self.program.typed.ty(sum));
        let sign = self.program.operator_between(sum, value);
        let sign = sign.trim_end_matches('=').to_owned();
        let (target, value) = (self.value(sum).flat(), self.converted(value).flat());
        let modulo = if self.program.typed.types.size_of(self.program.typed.ty(sum)) == Some(4) {
            "unsigned"
        } else {
            "mer_u64"
        };
        let old = seq![format!(" = ({ty})(({modulo})"), target.clone()];
        seq!["(", target, old, format!(" {sign} ({modulo})({ty})("), value, ")))"]
    }

    fn increment(&mut self, e: ExprId, op: IncDec, target: ExprId, post: bool) -> Piece {
        if self.program.is_pts(self.program.typed.ty(target)) {
            return self.step_pointer(op, target, post);
        }
        if !self.program.is_shared_place(target) {
            let whole = access::whole_of_part(self.program, target);
            if whole.is_none() && self.program.is_observed(target) {
                let object = self.value(target);
                return self.change_observed(object, Update::Step { op, post });
            }
            let changes = self.target_changes(target, whole);
            let step = splice(self.program.span(e), changes);
            return self.change_whole(e, whole, step);
        }
        if self.is_global_target(target) {
            return self.global_increment(op, target, post);
        }
        self.update(target, Update::Step { op, post })
    }

    /// The changes of an assignment's target. In a part of a shared object, the object becomes `(*mer_o_)`.
    fn target_changes(&mut self, target: ExprId, whole: Option<ExprId>) -> Changes {
        let mut changes = Changes::new();
        let Some(whole) = whole else {
            self.edit(&mut changes).value(target);
            return changes;
        };
        changes.push((self.program.span(whole), Piece::text("(*mer_o_)")));
        let mut at = target;
        while at != whole {
            at = match self.program.unit.exprs[at].kind {
                ExprKind::Paren(a) | ExprKind::Extension(a) | ExprKind::Unary(_, a) => a,
                ExprKind::Index(a, b) => {
                    let (array, index) = self.program.subscripted(a, b);
                    self.edit(&mut changes).value(index);
                    array
                }
                _ => break,
            };
        }
        changes
    }

    /// `p++` and the like on a pointer-to-shared; `old`: the value is the old pointer.
    fn step_pointer(&mut self, op: IncDec, target: ExprId, old: bool) -> Piece {
        let to = self.program.shared_target(target).expect("a pointer-to-shared");
        if !old {
            return self.update_pointer(target, |s, value| pointer::advance_one(s.program, value, to, op));
        }
        let name = self.fresh("v");
        let pointer = self.program.pointer_type(to);
        let keep = name.clone();
        let update = self.update_pointer(target, |s, value| {
            pointer::advance_one(s.program, seq![format!("({keep} = "), value, ")"], to, op)
        });
        // The value of the macro is not used; clang would warn.
        let update = if self.is_global_target(target) { seq!["(void) ", update] } else { update };
        // The macros and functions that step evaluate their pointer once.
        after([declare(format!("{pointer} {name}"), None), statement(update)], name)
    }

    /// `target = change(target)` for a pointer-to-shared variable, private or shared, evaluating it once.
    fn update_pointer(&mut self, target: ExprId, change: impl FnOnce(&mut Self, Piece) -> Piece) -> Piece {
        let q: QTy = self.program.typed.ty(target);
        let pointer = self.program.type_text(q);
        if self.is_global_target(target) {
            return self.global_update_pointer(target, change);
        }
        if self.program.is_shared_place(target) {
            return self.change_pointer(target, change);
        }
        if matches!(self.program.unit.exprs[target].kind, ExprKind::Ident(_)) {
            let name = self.value(target);
            let new = change(self, name.clone());
            return seq!["(", name, " = ", new, ")"];
        }
        let name = self.fresh("p");
        let place = self.value(target).flat();
        let new = change(self, Piece::text(format!("(*{name})")));
        let at = declare(format!("__typeof__({pointer}) *{name}"), Some(seq!["&", place.paren()]));
        after([at], assign(format!("*{name}"), new))
    }
}

impl Edit<'_, '_> {
    /// Adds the change of `e` in its place, if any.
    pub(crate) fn value(&mut self, e: ExprId) {
        if self.lower.needs(e) {
            let piece = self.lower.converted(e).flat();
            self.changes.push((self.lower.program.span(e), piece));
        }
    }

    /// Adds the change of a controlling expression, if any.
    pub(crate) fn condition(&mut self, e: ExprId) {
        if self.lower.needs(e) || self.lower.program.shared_target(e).is_some() {
            let piece = self.lower.condition(e).flat();
            self.changes.push((self.lower.program.span(e), piece));
        }
    }

    /// Adds the change of an expression evaluated for its effect, if any.
    pub(crate) fn effect(&mut self, e: ExprId) {
        let program = self.lower.program;
        if let Some(&opt::tree::Access::AndNext(var)) = program.tree.access(e) {
            let step = seq![self.lower.effect(e).flat(), format!(", {}++", name(var))];
            self.changes.push((program.span(e), step));
            return;
        }
        if self.lower.needs(e) {
            let piece = self.lower.effect(e).flat();
            self.changes.push((program.span(e), piece));
        }
    }

    /// The changes of the parts of an expression that itself is unchanged.
    fn children(&mut self, e: ExprId) {
        let unit = self.lower.program.unit;
        match &unit.exprs[e].kind {
            ExprKind::Index(a, b) => {
                self.value(*a);
                self.value(*b);
            }
            ExprKind::Member { base, .. } => self.value(*base),
            ExprKind::Compound(t, init) => {
                self.type_name(*t);
                self.init(*init);
            }
            ExprKind::Stmts(s) => self.valued(*s),
            ExprKind::Offsetof(t, path) => {
                self.type_name(*t);
                for step in path {
                    if let Designator::Index(e) = step {
                        self.value(*e);
                    }
                }
            }
            ExprKind::VaArg(a, t) | ExprKind::ConvertVector(a, t) => {
                let mut parts = Changes::new();
                self.lower.edit(&mut parts).value(*a);
                self.lower.edit(&mut parts).type_name(*t);
                parts.sort_by_key(|part| part.0);
                self.changes.extend(parts);
            }
            ExprKind::TypesCompatible(a, b) => {
                self.type_name(*a);
                self.type_name(*b);
            }
            ExprKind::Choose(c, a, b) => {
                self.value(*c);
                self.value(*a);
                self.value(*b);
            }
            _ => {}
        }
    }

    /// A statement expression: its last statement is its value, so `p++` there keeps the old one.
    fn valued(&mut self, s: StmtId) {
        let unit = self.lower.program.unit;
        let StmtKind::Compound(items) = &unit.stmts[s].kind else { return self.stmt(s) };
        for (n, &item) in items.iter().enumerate() {
            match unit.stmts[item].kind {
                StmtKind::Expr(Some(e)) if n + 1 == items.len() => self.value(e),
                _ => self.stmt(item),
            }
        }
    }
}
