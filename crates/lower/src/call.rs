//! Library functions that become inline code: one row each.

use crate::Lower;
use crate::hosts::Hosts;
use c_sema::typed::SymKind;
use c_syntax::ast::*;
use emit::{Piece, seq};

/// How an argument or result of an inlined function looks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arg {
    /// The bits of a pointer-to-shared.
    Bits,
    /// Any other value.
    Value,
}

/// UPC function, C function, its arguments, and the type its result is cast to ("" for none).
const INLINE: &[(&str, &str, &[Arg], &str)] = &[
    ("upc_threadof", "mer_threadof", &[Arg::Bits], "mer_size"),
    ("upc_addrfield", "mer_native", &[Arg::Bits], "mer_size"),
    ("upc_memcpy", "mer_memcpy", &[Arg::Bits, Arg::Bits, Arg::Value], ""),
    ("upc_memget", "mer_memget", &[Arg::Value, Arg::Bits, Arg::Value], ""),
    ("upc_memput", "mer_memput", &[Arg::Bits, Arg::Value, Arg::Value], ""),
    ("upc_memset", "mer_memset", &[Arg::Bits, Arg::Value, Arg::Value], ""),
    ("bulk_read", "mer_bulk_read", &[Arg::Value, Arg::Bits, Arg::Value], ""),
    ("bulk_get", "mer_bulk_get", &[Arg::Value, Arg::Bits, Arg::Value], ""),
    ("bulk_write", "mer_bulk_write", &[Arg::Bits, Arg::Value, Arg::Value], ""),
    ("bulk_put", "mer_bulk_put", &[Arg::Bits, Arg::Value, Arg::Value], ""),
    ("bulk_store", "mer_bulk_store", &[Arg::Bits, Arg::Value, Arg::Value], ""),
];

/// The header that declares Split-C's functions, whose names a program may use for its own.
const SPLIT_C: &str = "split-c/split-c.h";

impl Lower<'_> {
    /// Whether a call of this is replaced by inline code.
    pub(crate) fn inline_call(&self, f: ExprId) -> bool {
        self.row(f).is_some()
    }

    fn row(&self, f: ExprId) -> Option<&'static (&'static str, &'static str, &'static [Arg], &'static str)> {
        let ExprKind::Ident(name) = &self.unit.exprs[f].kind else { return None };
        let row = INLINE.iter().find(|row| row.0 == &*name.text)?;
        let library = self.typed.symbol(f).is_some_and(|s| {
            let s = self.typed.sym(s);
            matches!(s.kind, SymKind::Function)
                && s.file_scope
                && (row.0.starts_with("upc_") || self.file_of(s.span).ends_with(SPLIT_C))
        });
        library.then_some(row)
    }

    /// The function, or its form that does not ask whether the memory is on this host.
    fn for_hosts(&mut self, c_name: &'static str) -> &'static str {
        let here = match c_name {
            "mer_memcpy" => "mer_memcpy_local",
            "mer_memget" => "mer_memget_local",
            "mer_memput" => "mer_memput_local",
            "mer_memset" => "mer_memset_local",
            other => return other,
        };
        self.asked += 1;
        if self.hosts == Hosts::One { here } else { c_name }
    }

    /// The file that a place of the program is in.
    fn file_of(&self, span: base::Span) -> &std::path::Path {
        self.source.file(self.source.presumed(span.lo).file)
    }

    /// A call.
    pub(crate) fn call(&mut self, e: ExprId, f: ExprId, args: &[ExprId]) -> Piece {
        if let Some(which) = self.conversion_call(f) {
            return self.converted_pointer(e, which, args);
        }
        if let Some((_, c_name, kinds, result)) = self.row(f)
            && kinds.len() == args.len()
            && kinds.iter().zip(args).all(|(k, &a)| *k == Arg::Value || self.shared_target(a).is_some())
        {
            let pieces: Vec<Piece> = kinds
                .iter()
                .zip(args)
                .map(|(kind, &arg)| match kind {
                    Arg::Bits => self.bits_of_value(arg),
                    Arg::Value => self.converted(arg).flat().paren(),
                })
                .collect();
            let call = Piece::call(self.for_hosts(c_name), pieces);
            return if result.is_empty() { call } else { seq!["((", *result, ")", call, ")"] };
        }
        let mut changes = Vec::new();
        self.change_value(f, &mut changes);
        for &arg in args {
            self.change_value(arg, &mut changes);
        }
        emit::splice(self.span(e), changes)
    }
}
