//! Calls: of library functions that become inline code (`c_sema::library`), and others.

use crate::Lower;
use c_sema::library::{Arg, Inline};
use c_syntax::ast::*;
use emit::{Piece, seq};
use opt::tree::Hosts;

impl Lower<'_> {
    /// Whether a call of this is replaced by inline code.
    pub(crate) fn inline_call(&self, f: ExprId) -> bool {
        self.inline(f).is_some()
    }

    fn inline(&self, f: ExprId) -> Option<&'static Inline> {
        self.typed.library(f)?.inline.as_ref()
    }

    /// The function, or its form that does not ask whether the memory is on this host.
    fn for_hosts(&self, inline: &'static Inline) -> &'static str {
        let Some(local) = inline.local else { return inline.function };
        if self.hosts == Hosts::One { local } else { inline.function }
    }

    /// A call.
    pub(crate) fn call(&mut self, e: ExprId, f: ExprId, args: &[ExprId]) -> Piece {
        if let Some(which) = self.conversion_call(f) {
            return self.converted_pointer(e, which, args);
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

    /// Whether an argument is a pointer-to-shared that goes to `printf` or one of its kin: these print its
    /// bits by `%p`, as those of other pointers, and know nothing of a pointer that takes two words. Or
    /// whether it has been said already that the format does not fit it.
    pub(crate) fn is_printed(&self, f: ExprId, arg: ExprId) -> bool {
        let ExprKind::Ident(name) = &self.unit.exprs[f].kind else { return false };
        c_sema::format_argument(&name.text).is_some()
            && (self.shared_target(arg).is_some() || self.typed.printed_as(arg).is_some())
    }
}
