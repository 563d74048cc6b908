//! Calls: of library functions that become inline code (`c_sema::library`), and others.

use crate::{Lower, made};
use c_sema::library::{Arg, Inline};
use c_sema::types::{FloatKind, FnTy, QTy, Ty};
use c_syntax::ast::*;
use emit::{Piece, seq};
use opt::atomics;
use opt::tree::{Access, Hosts};

impl Lower<'_> {
    /// Whether a call of `f` is replaced by inline code.
    pub(crate) fn inline_call(&self, f: ExprId) -> bool {
        self.inline(f).is_some()
    }

    fn inline(&self, f: ExprId) -> Option<&'static Inline> {
        self.typed.library(f)?.inline.as_ref()
    }

    /// The function, or its form that does not test whether the memory is on this host.
    fn for_hosts(&self, inline: &'static Inline) -> &'static str {
        let Some(local) = inline.local else { return inline.function };
        if self.hosts == Hosts::One { local } else { inline.function }
    }

    /// Whether an expression is an atomic operation by value.
    pub(crate) fn is_atomic(&self, e: ExprId) -> bool {
        atomics::of(self.unit, self.typed, e).is_some()
    }

    /// Renders the parts of an atomic operation: the type of its object, the domain, the operation, the
    /// target, and pointers to the operands.
    pub(crate) fn atomic_args(&mut self, e: ExprId) -> Vec<Piece> {
        let Some(of) = atomics::of(self.unit, self.typed, e) else { return Vec::new() };
        let q = self.typed.ty(atomics::object(self.unit, of));
        let ty = self.type_text(self.typed.types.unqualified(q));
        let mut operand = |n: usize| match of.operands.get(n) {
            Some(&a) => seq![format!("&({ty}){{"), self.converted(a), "}"],
            None => Piece::text("(const void *)0"),
        };
        let (first, second) = (operand(0), operand(1));
        let (domain, target) = (self.bits_of_value(of.domain), self.bits_of_value(of.target));
        vec![Piece::text(ty), domain, self.converted(of.op), target, first, second]
    }

    /// An atomic operation by value.
    fn atomic(&mut self, e: ExprId) -> Piece {
        let args = self.atomic_args(e);
        if !atomics::gives_value(self.typed, e) {
            return Piece::call("MER_ATOMIC_DO", args.into_iter().skip(1));
        }
        let done = Piece::call("MER_ATOMIC_FETCH", args);
        match self.tree.access(e) {
            Some(&Access::Fetched { buffer, at, fetched }) => {
                seq![format!("({} ? {} : ", made::name(fetched), made::element(buffer, at)), done, ")"]
            }
            _ => done,
        }
    }

    /// A call.
    pub(crate) fn call(&mut self, e: ExprId, f: ExprId, args: &[ExprId]) -> Piece {
        if let Some(which) = self.conversion_call(f) {
            return self.converted_pointer(e, which, args);
        }
        if self.is_atomic(e) {
            return self.atomic(e);
        }
        if let Some(inline) = self.inline(f)
            && inline.args.len() == args.len()
            && inline.args.iter().zip(args).all(|(k, &a)| *k == Arg::Value || self.shared_target(a).is_some())
        {
            let pieces: Vec<Piece> = inline
                .args
                .iter()
                .zip(args)
                .map(|(kind, &arg)| match kind {
                    Arg::Bits => self.bits_of_value(arg),
                    Arg::Value => self.converted(arg).flat().paren(),
                })
                .collect();
            let call = Piece::call(self.for_hosts(inline), pieces);
            return match inline.result {
                Some(result) => seq!["((", result, ")", call, ")"],
                None => call,
            };
        }
        let mut changes = Vec::new();
        self.change_value(f, &mut changes);
        if let Some(function) = self.typed.run_by_owner(self.unit, f, args) {
            return self.call_by_owner(e, f, args, &function);
        }
        for &arg in args {
            if self.is_printed(f, arg) {
                let to = self.typed.printed_as(arg).unwrap_or("void *");
                let bits = match self.shared_target(arg) {
                    Some(_) => self.bits_of_value(arg),
                    None => seq!["(mer_u64)", self.converted(arg).paren()],
                };
                changes.push((self.span(arg), seq![format!("({to})"), bits].flat().paren()));
            } else {
                self.change_value(arg, &mut changes);
            }
        }
        emit::splice(self.span(e), changes)
    }

    /// A call of Split-C's `atomic`. The arguments travel as words, and are converted as in a call of the
    /// function. The number of words also has marks: bits from 8 on for the arguments that the function takes
    /// in floating-point registers, bit 13 for such a result.
    fn call_by_owner(&mut self, e: ExprId, f: ExprId, args: &[ExprId], function: &FnTy) -> Piece {
        let (mut changes, mut marks) = (Vec::new(), 0u32);
        if let (Some(kind), Some(_)) = (self.real(function.ret), self.real(self.typed.ty(e))) {
            let gives = if kind == FloatKind::Float { "float" } else { "double" };
            changes.push((self.span(f), format!("mer_splitc_atomic_{gives}").into()));
            marks = 1 << 5;
        }
        let (fixed, words) = args.split_at(3);
        for (i, &arg) in words.iter().enumerate() {
            let given = self.typed.ty(arg);
            // The parameter after the local address of the object; without a prototype, the argument's own
            // type.
            let wanted = if function.old_style { None } else { function.params.get(i + 1).copied() };
            let to = match (self.real(wanted.unwrap_or(given)), self.real(given)) {
                (Some(FloatKind::Float), _) if wanted.is_some() => "mer_float_word",
                (Some(_), _) => "mer_double_word",
                (None, Some(_)) => "(long)",
                (None, None) => {
                    self.change_value(arg, &mut changes);
                    continue;
                }
            };
            marks |= u32::from(to != "(long)") << i;
            let value = self.converted(arg).flat().paren();
            changes.push((self.span(arg), seq![to, value]));
        }
        for (i, &arg) in fixed.iter().enumerate() {
            match i {
                1 if marks != 0 => {
                    let number = self.converted(arg).flat();
                    changes.push((self.span(arg), seq![number, format!(" | {:#x}", marks << 8)]));
                }
                _ => self.change_value(arg, &mut changes),
            }
        }
        changes.sort_by_key(|change| change.0.lo);
        emit::splice(self.span(e), changes)
    }

    /// The kind of a floating-point type.
    fn real(&self, ty: QTy) -> Option<FloatKind> {
        match self.typed.types.of(ty) {
            Ty::Float(kind) => Some(*kind),
            _ => None,
        }
    }

    /// Whether an argument of `printf` or the like is a pointer-to-shared. `%p` prints its bits, as for other
    /// pointers, but these functions cannot take a pointer of two words. Also true if a warning has said that
    /// the argument does not fit its format.
    pub(crate) fn is_printed(&self, f: ExprId, arg: ExprId) -> bool {
        let ExprKind::Ident(name) = &self.unit.exprs[f].kind else { return false };
        c_sema::format_argument(&name.text).is_some()
            && (self.shared_target(arg).is_some() || self.typed.printed_as(arg).is_some())
    }
}
