//! Calls: of library functions that become inline code (`c_sema::library`), and others.

use crate::global;
use crate::program::Program;
use crate::{Lower, made};
use c_sema::library::{Arg, Inline};
use c_sema::types::{FloatKind, FnTy, QTy, Ty};
use c_syntax::ast::*;
use emit::{Piece, seq};
use opt::atomics;
use opt::tree::{Access, Hosts};

impl Lower<'_> {
    /// The function, or its form that does not test whether the memory is on this host.
    fn for_hosts(&self, inline: &'static Inline) -> &'static str {
        let Some(local) = inline.local else { return inline.function };
        if self.hosts == Hosts::One { local } else { inline.function }
    }

    /// Renders the parts of an atomic operation: the type of its object, the domain, the operation, the
    /// target, and pointers to the operands.
    pub(crate) fn atomic_args(&mut self, e: ExprId) -> Vec<Piece> {
        let Some(of) = atomics::of(self.program.unit, self.program.typed, e) else { return Vec::new() };
        let q = self.program.typed.ty(atomics::object(self.program.unit, of));
        let ty = self.program.type_text(self.program.typed.types.unqualified(q));
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
        if !atomics::gives_value(self.program.typed, e) {
            return Piece::call("MER_ATOMIC_DO", args.into_iter().skip(1));
        }
        let done = Piece::call("MER_ATOMIC_FETCH", args);
        match self.program.tree.access(e) {
            Some(&Access::Fetched { buffer, at, fetched }) => {
                seq![format!("({} ? {} : ", made::name(fetched), made::element(buffer, at)), done, ")"]
            }
            _ => done,
        }
    }

    /// A call.
    pub(crate) fn call(&mut self, e: ExprId, f: ExprId, args: &[ExprId]) -> Piece {
        if let Some(which) = global::conversion_call(self.program, f) {
            return self.converted_pointer(e, which, args);
        }
        if is_atomic(self.program, e) {
            return self.atomic(e);
        }
        if let Some(inline) = inline(self.program, f)
            && inline.args.len() == args.len()
            && inline
                .args
                .iter()
                .zip(args)
                .all(|(k, &a)| *k == Arg::Value || self.program.shared_target(a).is_some())
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
        self.edit(&mut changes).value(f);
        if let Some(function) = self.program.typed.run_by_owner(self.program.unit, f, args) {
            return self.call_by_owner(e, f, args, &function);
        }
        for &arg in args {
            if is_printed(self.program, f, arg) {
                let to = self.program.typed.printed_as(arg).unwrap_or("void *");
                let bits = match self.program.shared_target(arg) {
                    Some(_) => self.bits_of_value(arg),
                    None => seq!["(mer_u64)", self.converted(arg).paren()],
                };
                changes.push((self.program.span(arg), seq![format!("({to})"), bits].flat().paren()));
            } else {
                self.edit(&mut changes).value(arg);
            }
        }
        emit::splice(self.program.span(e), changes)
    }

    /// A call of Split-C's `atomic`. The arguments travel as words, and are converted as in a call of the
    /// function. The number of words also has marks: bits from 8 on for the arguments that the function takes
    /// in floating-point registers, bit 13 for such a result.
    fn call_by_owner(&mut self, e: ExprId, f: ExprId, args: &[ExprId], function: &FnTy) -> Piece {
        let (mut changes, mut marks) = (Vec::new(), 0u32);
        if let (Some(kind), Some(_)) =
            (real(self.program, function.ret), real(self.program, self.program.typed.ty(e)))
        {
            let gives = if kind == FloatKind::Float { "float" } else { "double" };
            changes.push((self.program.span(f), format!("mer_splitc_atomic_{gives}").into()));
            marks = 1 << 5;
        }
        let (fixed, words) = args.split_at(3);
        for (i, &arg) in words.iter().enumerate() {
            let given = self.program.typed.ty(arg);
            // The parameter after the local address of the object; without a prototype, the argument's own
            // type.
            let wanted = if function.old_style { None } else { function.params.get(i + 1).copied() };
            let to = match (real(self.program, wanted.unwrap_or(given)), real(self.program, given)) {
                (Some(FloatKind::Float), _) if wanted.is_some() => "mer_float_word",
                (Some(_), _) => "mer_double_word",
                (None, Some(_)) => "(long)",
                (None, None) => {
                    self.edit(&mut changes).value(arg);
                    continue;
                }
            };
            marks |= u32::from(to != "(long)") << i;
            let value = self.converted(arg).flat().paren();
            changes.push((self.program.span(arg), seq![to, value]));
        }
        for (i, &arg) in fixed.iter().enumerate() {
            match i {
                1 if marks != 0 => {
                    let number = self.converted(arg).flat();
                    changes.push((self.program.span(arg), seq![number, format!(" | {:#x}", marks << 8)]));
                }
                _ => self.edit(&mut changes).value(arg),
            }
        }
        changes.sort_by_key(|change| change.0.lo);
        emit::splice(self.program.span(e), changes)
    }
}

/// Whether a call of `f` is replaced by inline code.
pub(crate) fn inline_call(program: &Program, f: ExprId) -> bool {
    inline(program, f).is_some()
}

fn inline(program: &Program, f: ExprId) -> Option<&'static Inline> {
    program.typed.library(f)?.inline.as_ref()
}

/// Whether an expression is an atomic operation by value.
pub(crate) fn is_atomic(program: &Program, e: ExprId) -> bool {
    atomics::of(program.unit, program.typed, e).is_some()
}

/// The kind of a floating-point type.
fn real(program: &Program, ty: QTy) -> Option<FloatKind> {
    match program.typed.types.of(ty) {
        Ty::Float(kind) => Some(*kind),
        _ => None,
    }
}

/// Whether an argument of `printf` or the like is a pointer-to-shared. `%p` prints its bits, as for other
/// pointers, but these functions cannot take a pointer of two words. Also true if a warning has said that
/// the argument does not fit its format.
pub(crate) fn is_printed(program: &Program, f: ExprId, arg: ExprId) -> bool {
    let ExprKind::Ident(name) = &program.unit.exprs[f].kind else { return false };
    c_sema::format_argument(&name.text).is_some()
        && (program.shared_target(arg).is_some() || program.typed.printed_as(arg).is_some())
}
