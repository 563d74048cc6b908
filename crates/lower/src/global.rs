//! Accesses through the pointers of Split-C and AC, which may lead to memory outside of the views: such an
//! access tests the address first, and goes by active message if needed (`meridian/everything.h`). Spread and
//! dist arrays lie in the views, so elements that are named by their array are read as UPC's, and in AC
//! written as UPC's. Split-C's writes are complete before the next operation, or (`:=`) at `sync()`, however
//! the object is named.

use crate::Lower;
use crate::aliasing;
use crate::made::name;
use crate::program::Program;
use crate::ty::{Count, Layout};
use c_sema::types::{QTy, Ty};
use c_syntax::Language;
use c_syntax::ast::*;
use emit::build::{after, declare, statement};
use emit::{Piece, call, seq};
use opt::places::{is_bit_field, is_through_pointer, is_written_at_once};
use opt::tree::{Access, Hosts};

/// The conversion functions that Split-C has for its pointers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Conversion {
    Global,
    Processor,
    Local,
}

impl Lower<'_> {
    /// Whether a write of the shared object `e` is one of this file's, rather than a relaxed one as UPC's.
    pub(crate) fn is_global_target(&self, e: ExprId) -> bool {
        is_through_pointer(self.program.tree, e)
            || (self.hosts != Hosts::One && is_written_at_once(self.program.tree, e))
    }

    /// The place of such an object, as the arguments of the macros that end in `_AT`: a pointer's bits, and
    /// the number of the element counted from there.
    pub(crate) fn global_place(&mut self, e: ExprId) -> Piece {
        let unit = self.program.unit;
        match unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) => return self.global_place(a),
            ExprKind::Index(a, b) => {
                let (base, index) = self.program.subscripted(a, b);
                let pointer =
                    matches!(self.program.typed.types.of(self.program.typed.ty(base)), Ty::Pointer(_));
                let together = self.program.shared_target(base).is_some_and(|to| {
                    self.program.layout(to) == Layout::Indefinite && self.program.count(to) == Count::ONE
                });
                if pointer && together {
                    let bits = self.bits_of_value(base);
                    return seq![bits, ", ", self.converted(index).flat()];
                }
            }
            _ => {}
        }
        seq![self.bits_of_place(e), ", 0"]
    }

    /// The value of such an object.
    pub(crate) fn global_get(&mut self, e: ExprId) -> Piece {
        let ty = aliasing::access_type(self.program, e, self.program.object_type(self.program.typed.ty(e)));
        let place = self.global_place(e);
        aliasing::in_order(self.program, e, call!["MER_GLOBAL_GET_AT"; ty, place])
    }

    /// `target = value`, `target op= value`
    pub(crate) fn global_assign(&mut self, op: Option<BinOp>, target: ExprId, value: ExprId) -> Piece {
        let ty = global_type(self.program, target);
        if op.is_none() {
            let place = self.global_place(target);
            let new = self.converted(value).flat();
            return aliasing::in_order(self.program, target, call!["MER_GLOBAL_PUT_AT"; ty, place, new]);
        }
        let bits = self.bits_of_place(target);
        let new = self.converted(value).flat();
        let name = self.fresh("b");
        let sign = self.program.operator_between(target, value);
        let sign = sign.trim_end_matches('=').to_owned();
        let old = call!["MER_GLOBAL_GET"; ty.as_str(), name.as_str()];
        let sum = seq![old, format!(" {sign} "), new.paren()];
        let put = call!["MER_GLOBAL_PUT"; ty, name.as_str(), sum];
        after([declare(format!("mer_u64 {name}"), Some(bits))], put)
    }

    /// `target++` and the like, for a number.
    pub(crate) fn global_increment(&mut self, op: IncDec, target: ExprId, post: bool) -> Piece {
        let ty = global_type(self.program, target);
        let (name, old) = (self.fresh("b"), self.fresh("v"));
        let bits = self.bits_of_place(target);
        let sign = if op == IncDec::Inc { "+" } else { "-" };
        let get = call!["MER_GLOBAL_GET"; ty.as_str(), name.as_str()];
        let put = call!["MER_GLOBAL_PUT"; ty.as_str(), name.as_str(), format!("({old} {sign} 1)")];
        let front = [
            declare(format!("mer_u64 {name}"), Some(bits)),
            declare(format!("__typeof__({ty}) {old}"), Some(get)),
        ];
        match post {
            true => after(front.into_iter().chain([statement(put)]), old),
            false => after(front, put),
        }
    }

    /// `target = change(target)` for a pointer in such an object.
    pub(crate) fn global_update_pointer(
        &mut self,
        target: ExprId,
        change: impl FnOnce(&mut Self, Piece) -> Piece,
    ) -> Piece {
        let ty = global_type(self.program, target);
        let (name, old) = (self.fresh("b"), self.fresh("v"));
        let bits = self.bits_of_place(target);
        let new = change(self, Piece::text(old.clone()));
        let get = call!["MER_GLOBAL_GET"; ty.as_str(), name.as_str()];
        let front =
            [declare(format!("mer_u64 {name}"), Some(bits)), declare(format!("{ty} {old}"), Some(get))];
        aliasing::in_order(self.program, target, after(front, call!["MER_GLOBAL_PUT"; ty, name, new]))
    }

    /// `a := b`, `a :- b`. A local access is complete at once; only stores are counted.
    pub(crate) fn split(&mut self, e: ExprId, op: SplitOp, a: ExprId, b: ExprId) -> Piece {
        let q = self.program.typed.ty(a);
        let ty = self.program.type_text(q);
        if !self.program.is_shared_place(a) {
            return self.get(a, b, &ty);
        }
        let ty = aliasing::access_type(self.program, a, ty);
        let new = self.converted(b).flat();
        if is_bit_field(self.program.tree, a) || (op == SplitOp::Assign && !self.is_global_target(a)) {
            return seq!["((void)", self.store(a, new), ")"];
        }
        match op {
            SplitOp::Store => {
                let place = self.global_place(a);
                let counts = match self.program.tree.access(e) {
                    Some(Access::Counted(None)) => {
                        return seq!["((void)", call!["MER_STORE_UNCOUNTED"; ty, place, new], ")"];
                    }
                    Some(Access::Counted(Some(var))) => format!("&{}", name(*var)),
                    _ => "(struct mer_stores *)0".into(),
                };
                seq!["((void)", call!["MER_STORE_IN"; counts, ty, place, new], ")"]
            }
            SplitOp::Assign => call!["MER_SPLIT_PUT_AT"; ty, self.global_place(a), new],
        }
    }

    fn get(&mut self, a: ExprId, b: ExprId, ty: &str) -> Piece {
        let same = self.program.type_text(self.program.typed.ty(b)) == ty
            && self.program.typed.conversion(b).is_none();
        let target = self.value(a).flat();
        if !same || is_bit_field(self.program.tree, a) || !is_through_pointer(self.program.tree, b) {
            let value = self.converted(b).flat();
            return seq!["((void)(", target, " = ", value, "))"];
        }
        let ty = aliasing::access_type(self.program, b, ty.to_owned());
        call!["MER_SPLIT_GET_AT"; ty, seq!["&(", target, ")"], self.global_place(b)]
    }

    // ---- conversions -----------------------------------------------------------------------------

    /// A local pointer as a global one of this processor. An integer holds the processor itself.
    pub(crate) fn made_global(&mut self, operand: ExprId) -> Piece {
        let value = self.value(operand).flat();
        if self.program.points_to(operand).is_none() && !is_function(self.program, operand) {
            return call!["mer_from_integer"; seq!["(mer_u64)(", value, ")"]];
        }
        call!["mer_address_to_global"; address(value)]
    }

    pub(crate) fn converted_pointer(&mut self, e: ExprId, which: Conversion, args: &[ExprId]) -> Piece {
        let pointer = args[args.len() - 1];
        let shared = self.program.shared_target(pointer).is_some();
        let value = self.value(pointer).flat();
        match (which, shared) {
            (Conversion::Global, _) => {
                let proc = self.converted(args[0]).flat();
                let (name, value) =
                    if shared { ("mer_move_to", value) } else { ("mer_to_global_at", address(value)) };
                Piece::call(name, [seq!["(int)(", proc, ")"], value])
            }
            (Conversion::Processor, true) => call!["mer_to_proc"; value],
            (Conversion::Processor, false) => Piece::text("MER_MYTHREAD"),
            (Conversion::Local, _) => {
                let q: QTy = self.program.typed.ty(e);
                let is_integer =
                    self.program.points_to(pointer).is_none() && !is_function(self.program, pointer);
                let value = match shared {
                    true => seq!["mer_to_local(", value, ")"],
                    false if is_integer => seq!["(mer_u64)(", value, ")"],
                    false => seq!["(", value, ")"],
                };
                seq!["((", self.program.type_text(q), ")", value, ")"]
            }
        }
    }
}

/// The type by which the macros access such an object.
fn global_type(program: &Program, e: ExprId) -> String {
    aliasing::access_type(program, e, program.type_text(program.typed.ty(e)))
}

fn is_function(program: &Program, e: ExprId) -> bool {
    matches!(program.typed.types.of(program.typed.ty(e)), Ty::Function(_))
}

/// The conversion of Split-C's that a call of `f` is.
pub(crate) fn conversion_call(program: &Program, f: ExprId) -> Option<Conversion> {
    let ExprKind::Ident(name) = &program.unit.exprs[f].kind else { return None };
    if program.typed.types.language != Language::SplitC || program.typed.symbol(f).is_some() {
        return None;
    }
    match &*name.text {
        "toglobal" => Some(Conversion::Global),
        "toproc" => Some(Conversion::Processor),
        "tolocal" => Some(Conversion::Local),
        _ => None,
    }
}

/// The address that a local pointer holds.
fn address(pointer: Piece) -> Piece {
    seq!["(mer_u64)(", pointer, ")"]
}
