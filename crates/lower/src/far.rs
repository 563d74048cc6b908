//! Accesses through the pointers of Split-C and AC, which may lead to memory that lies outside of the views: they
//! ask first and go by active message then (`meridian/everything.h`). Spread and dist arrays lie in the views, so
//! their elements, named as such, are accessed as UPC's.

use crate::Lower;
use crate::ty::{Count, Layout};
use c_sema::types::{QTy, Ty};
use c_syntax::Language;
use c_syntax::ast::*;
use emit::{Piece, seq};

/// The calls that Split-C has for its pointers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Conversion {
    Global,
    Processor,
    Local,
}

/// How signalling stores are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Counting {
    /// Each by itself, if the program asks for counts.
    Each,
    /// By the loop around, in this object.
    Loop(String),
    /// Not: the program does not ask.
    None,
}

impl Lower<'_> {
    /// Whether the shared object `e` is reached through a pointer that may lead anywhere. A bit-field has no
    /// address of its own: it is accessed as if reachable.
    pub(crate) fn is_far(&self, e: ExprId) -> bool {
        self.everything() && self.is_shared_place(e) && !self.is_bit_field(e) && self.through_pointer(e)
    }

    fn through_pointer(&self, e: ExprId) -> bool {
        if self.is_local_object(e) {
            return false;
        }
        let array = |e: ExprId| matches!(self.typed.types.of(self.typed.ty(e)), Ty::Array(..));
        match &self.unit.exprs[e].kind {
            ExprKind::Ident(_) => false,
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.through_pointer(*a),
            ExprKind::Member { base, arrow, .. } => *arrow || self.through_pointer(*base),
            ExprKind::Index(a, b) => {
                let base = if self.points_to(*a).is_some() { *a } else { *b };
                !array(base) || self.through_pointer(base)
            }
            ExprKind::Unary(UnOp::Deref, p) => !array(*p) || self.through_pointer(*p),
            _ => true,
        }
    }

    fn is_bit_field(&self, e: ExprId) -> bool {
        let types = &self.typed.types;
        match &self.unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.is_bit_field(*a),
            ExprKind::Member { base, arrow, name } => {
                let object = if *arrow { self.points_to(*base) } else { Some(self.typed.ty(*base)) };
                let member =
                    object.and_then(|q| types.as_record(q)).and_then(|r| types.member(r, &name.text));
                member.is_some_and(|m| m.width.is_some())
            }
            _ => false,
        }
    }

    /// Where a far object is, as the arguments of the macros that end in `_AT`: a pointer's bits, and the number
    /// of the element that is meant from there on.
    pub(crate) fn far_place(&mut self, e: ExprId) -> Piece {
        let unit = self.unit;
        match unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) => return self.far_place(a),
            ExprKind::Index(a, b) => {
                let (base, index) = if self.points_to(a).is_some() { (a, b) } else { (b, a) };
                let pointer = matches!(self.typed.types.of(self.typed.ty(base)), Ty::Pointer(_));
                let together = self
                    .shared_target(base)
                    .is_some_and(|to| self.layout(to) == Layout::Indefinite && self.count(to) == Count::ONE);
                if pointer && together {
                    let bits = self.bits_of_value(base);
                    return seq![bits, ", ", self.converted(index).flat()];
                }
            }
            _ => {}
        }
        seq![self.bits_of_place(e), ", 0"]
    }

    /// The value of a far object.
    pub(crate) fn far_get(&mut self, e: ExprId) -> Piece {
        let q = self.typed.ty(e);
        let place = self.far_place(e);
        seq!["MER_GLOBAL_GET_AT(", self.object_type(q), ", ", place, ")"]
    }

    /// `target = value`, `target op= value`
    pub(crate) fn far_assign(&mut self, op: Option<BinOp>, target: ExprId, value: ExprId) -> Piece {
        let ty = self.type_text(self.typed.ty(target));
        if op.is_none() {
            let place = self.far_place(target);
            let new = self.converted(value).flat();
            return seq!["MER_GLOBAL_PUT_AT(", ty, ", ", place, ", ", new, ")"];
        }
        let bits = self.bits_of_place(target);
        let new = self.converted(value).flat();
        let name = self.fresh("b");
        let sign = self.operator_between(target, value);
        let sign = sign.trim_end_matches('=').to_owned();
        seq![
            format!("({{ mer_u64 {name} = "),
            bits,
            format!("; MER_GLOBAL_PUT({ty}, {name}, MER_GLOBAL_GET({ty}, {name}) {sign} ("),
            new,
            ")); })"
        ]
    }

    /// `target++` and its kin, of a number.
    pub(crate) fn far_increment(&mut self, op: IncDec, target: ExprId, post: bool) -> Piece {
        let ty = self.type_text(self.typed.ty(target));
        let (name, old) = (self.fresh("b"), self.fresh("v"));
        let bits = self.bits_of_place(target);
        let sign = if op == IncDec::Inc { "+" } else { "-" };
        let result = if post { format!(" {old};") } else { String::new() };
        seq![
            format!("({{ mer_u64 {name} = "),
            bits,
            format!(
                "; __typeof__({ty}) {old} = MER_GLOBAL_GET({ty}, {name}); \
                 MER_GLOBAL_PUT({ty}, {name}, ({old} {sign} 1));{result} }})"
            )
        ]
    }

    /// `target = change(target)` for a pointer in a far object.
    pub(crate) fn far_update_pointer(
        &mut self,
        target: ExprId,
        change: impl FnOnce(&mut Self, Piece) -> Piece,
    ) -> Piece {
        let ty = self.type_text(self.typed.ty(target));
        let (name, old) = (self.fresh("b"), self.fresh("v"));
        let bits = self.bits_of_place(target);
        let new = change(self, Piece::text(old.clone()));
        seq![
            format!("({{ mer_u64 {name} = "),
            bits,
            format!("; {ty} {old} = MER_GLOBAL_GET({ty}, {name}); MER_GLOBAL_PUT({ty}, {name}, "),
            new,
            "); })"
        ]
    }

    /// `a := b`, `a :- b`. What is reachable, and nothing else can be named here, is complete at once; only stores
    /// are counted.
    pub(crate) fn split(&mut self, op: SplitOp, a: ExprId, b: ExprId) -> Piece {
        let q = self.typed.ty(a);
        let ty = self.type_text(q);
        if !self.is_shared_place(a) {
            return self.get(a, b, &ty);
        }
        let new = self.converted(b).flat();
        if self.is_bit_field(a) || (op == SplitOp::Assign && !self.is_far(a)) {
            return seq!["((void)", self.store(a, new), ")"];
        }
        match op {
            SplitOp::Store => {
                let how = match &self.stores {
                    Counting::Loop(name) => format!("MER_STORE_IN(&{name}, "),
                    Counting::None => "MER_STORE_UNCOUNTED(".into(),
                    Counting::Each => "MER_STORE_IN((struct mer_stores *)0, ".into(),
                };
                seq![format!("((void){how}"), ty, ", ", self.far_place(a), ", ", new, "))"]
            }
            SplitOp::Assign => seq!["MER_SPLIT_PUT_AT(", ty, ", ", self.far_place(a), ", ", new, ")"],
        }
    }

    fn get(&mut self, a: ExprId, b: ExprId, ty: &str) -> Piece {
        let same = self.type_text(self.typed.ty(b)) == ty && self.typed.conversion(b).is_none();
        let target = self.value(a).flat();
        if !same || self.is_bit_field(a) || !self.is_far(b) {
            let value = self.converted(b).flat();
            return seq!["((void)(", target, " = ", value, "))"];
        }
        seq!["MER_SPLIT_GET_AT(", ty.to_owned(), ", &(", target, "), ", self.far_place(b), ")"]
    }

    // ---- conversions -----------------------------------------------------------------------------

    /// A local pointer as a global one: the processor is this one. An integer holds the processor itself.
    pub(crate) fn made_global(&mut self, operand: ExprId) -> Piece {
        let value = self.value(operand).flat();
        if self.points_to(operand).is_none() && !self.is_function(operand) {
            return seq!["mer_from_integer((mer_u64)(", value, "))"];
        }
        seq!["mer_to_global((const void *)(", value, "))"]
    }

    fn is_function(&self, e: ExprId) -> bool {
        matches!(self.typed.types.of(self.typed.ty(e)), Ty::Function(_))
    }

    /// Which of Split-C's conversions a call of `f` is.
    pub(crate) fn conversion_call(&self, f: ExprId) -> Option<Conversion> {
        let ExprKind::Ident(name) = &self.unit.exprs[f].kind else { return None };
        if self.typed.types.language != Language::SplitC || self.typed.symbol(f).is_some() {
            return None;
        }
        match &*name.text {
            "toglobal" => Some(Conversion::Global),
            "toproc" => Some(Conversion::Processor),
            "tolocal" => Some(Conversion::Local),
            _ => None,
        }
    }

    pub(crate) fn converted_pointer(&mut self, e: ExprId, which: Conversion, args: &[ExprId]) -> Piece {
        let pointer = args[args.len() - 1];
        let shared = self.shared_target(pointer).is_some();
        let value = self.value(pointer).flat();
        match (which, shared) {
            (Conversion::Global, _) => {
                let proc = self.converted(args[0]).flat();
                let (name, value) = if shared {
                    ("mer_move_to", value)
                } else {
                    ("mer_to_global_at", seq!["(const void *)(", value, ")"])
                };
                Piece::call(name, [seq!["(int)(", proc, ")"], value])
            }
            (Conversion::Processor, true) => seq!["((int)mer_procof((", value, ").bits))"],
            (Conversion::Processor, false) => Piece::text("MER_MYTHREAD"),
            (Conversion::Local, _) => {
                let q: QTy = self.typed.ty(e);
                let value = if shared { seq!["mer_to_local(", value, ")"] } else { seq!["(", value, ")"] };
                seq!["((", self.type_text(q), ")", value, ")"]
            }
        }
    }
}
