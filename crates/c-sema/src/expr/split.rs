//! Split-C's additions to expressions: `:=`, `:-`, and the conversions `toglobal`, `toproc`, `tolocal`. Also
//! initialisers that neither Split-C nor AC can have.

use crate::checker::Checker;
use crate::context::Context;
use crate::context::words::Goal;
use crate::expr::convert;
use crate::types::{Block, QTy, Quals};
use base::{Code, Diagnostic};
use c_syntax::Language;
use c_syntax::ast::{ExprId, ExprKind, SplitOp};

impl Checker<'_> {
    /// `a := b`, `a :- b`: one side is in the memory of a processor that need not be this one, the other is
    /// local. The expression has no value, because the result is there only at the next `sync()`.
    pub fn split(&mut self, e: ExprId, op: SplitOp, a: ExprId, b: ExprId) -> QTy {
        let to = self.expr(a);
        let from = self.rvalue(b);
        let void = QTy::plain(self.cx.basic.void);
        let types = &self.cx.out.types;
        if types.is_error(to) || types.is_error(from) || !convert::check_modifiable(&mut self.cx, a, to) {
            return void;
        }
        let types = &self.cx.out.types;
        let sign = if op == SplitOp::Store { ":-" } else { ":=" };
        let problem = match (types.is_shared(to), types.is_shared(self.cx.out.ty(b))) {
            (true, true) => Some(("both sides are global", "read one side into a local variable first")),
            (false, _) if op == SplitOp::Store => Some((
                "the left side is local",
                "a store writes to global memory; write `=` for local memory",
            )),
            (false, false) => Some(("both sides are local", "write `=`: there is nothing to wait for")),
            _ => None,
        };
        if let Some((label, help)) = problem {
            let message = format!("`{sign}` needs exactly one global side");
            let d = Diagnostic::error(Code::SplitSides, self.cx.span(e), message);
            self.cx.report(d.label(label).help(help));
            return void;
        }
        convert::convert(&mut self.cx, b, from, to, Goal::Assign);
        void
    }

    /// The type of a call of `toglobal(proc, p)`, `toproc(g)` or `tolocal(g)`, which take pointers to
    /// anything. Returns `None` for any other call.
    pub fn conversion_call(&mut self, e: ExprId, f: ExprId, args: &[ExprId]) -> Option<QTy> {
        let ExprKind::Ident(name) = &self.cx.unit.exprs[f].kind else { return None };
        let count = match &*name.text {
            "toglobal" => 2,
            "toproc" | "tolocal" => 1,
            _ => return None,
        };
        if self.cx.env.language != Language::SplitC || self.names.find(&name.text).is_some() {
            return None;
        }
        let types: Vec<QTy> = args.iter().map(|&a| self.rvalue(a)).collect();
        if args.len() != count {
            let first = if count == 2 { "processor, " } else { "" };
            let message = format!("`{}` with {} arguments", name.text, args.len());
            self.cx.report(
                Diagnostic::error(Code::ArgumentCount, self.cx.span(e), message)
                    .label(if args.len() < count { "too few" } else { "too many" })
                    .help(format!("write `{}({first}pointer)`", name.text)),
            );
            return Some(self.cx.unknown());
        }
        let (&last, &pointer) = (args.last()?, types.last()?);
        // Split-C's first compilers accepted an integer as a pointer, here as elsewhere.
        if &*name.text == "tolocal" && self.cx.out.types.is_integer(pointer) {
            let message = format!("`tolocal` of {}", self.cx.shown(pointer));
            self.cx.report(
                Diagnostic::warning(Code::GlobalPointers, self.cx.span(last), message)
                    .label("is an integer, not a global pointer; it is taken for a local address")
                    .help("write `&` before the object for its local address"),
            );
            let void = QTy::plain(self.cx.basic.void);
            return Some(self.cx.out.types.pointer_to(void));
        }
        let Some(to) = self.cx.out.types.pointee(pointer) else {
            if !self.cx.out.types.is_error(pointer) {
                let message = format!("`{}` of {}", name.text, self.cx.shown(pointer));
                self.cx.error(Code::BadOperands, self.cx.span(last), message, "is not a pointer");
            }
            return Some(self.cx.unknown());
        };
        if &*name.text == "toproc" {
            return Some(self.cx.int_ty());
        }
        let mut to = self.cx.out.types.unshared(to);
        if &*name.text == "toglobal" {
            to = self.cx.out.types.qualify(to, Quals { shared: Some(Block::Indefinite), ..Quals::default() });
        }
        Some(self.cx.out.types.pointer_to(to))
    }
}

/// Refuses to initialise a static pointer to global memory. It starts as null: the processor is known
/// only at run time.
pub(crate) fn static_global(cx: &mut Context, e: ExprId, ty: QTy) {
    let shown = cx.shown(ty);
    cx.report(
        Diagnostic::error(Code::StaticGlobal, cx.span(e), format!("a static {shown} is initialised"))
            .label("is not a constant: the processor is known only at run time")
            .help("leave the pointer null, and assign it when the program starts"),
    );
}
