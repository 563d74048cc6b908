//! The operation of an accumulator as a number, as programs of 1987 and 1988 pass it to `make_1d_accumulator`
//! and the like. Of these numbers one is known from the programs that have survived: 1 is addition
//! (`addop = 1`).

use super::Infer;
use crate::check::resolve::{BindId, Ref};
use crate::check::types::fun;
use crate::syntax::ast::{Expr, ExprKind, Stmt};
use base::Code;

const ADDITION: i64 = 1;

/// The index of this argument, from 0.
const ARGUMENT: usize = 2;

impl Infer<'_> {
    /// Notes that a name stands for a whole number.
    pub(super) fn names_whole(&mut self, id: BindId, value: &Expr) {
        if let ExprKind::Int(n) = value.kind {
            self.whole.insert(id, n);
        }
    }

    /// Gives argument number `at` of `f` the type of the operator, if it is the number of an operation.
    pub(super) fn op_code(&mut self, f: &Expr, at: usize, arg: &Expr) {
        if at != ARGUMENT || !self.makes_accumulator(f) {
            return;
        }
        let code = match (&arg.kind, self.names.uses.get(&arg.id)) {
            (ExprKind::Int(n), _) => *n,
            (ExprKind::Name(_), Some(Ref::Bind(id))) => match self.whole.get(id) {
                Some(n) => *n,
                None => return,
            },
            _ => return,
        };
        if code != ADDITION {
            let text = format!("no operation of an accumulator has the number {code}");
            let d = self.error(Code::IdType, arg.span, text);
            d.notes.push(format!("{ADDITION} is addition"));
            d.help = Some("give the function itself: `(*)`, `max`, `{fun x y = ...}`".into());
        }
        let number = self.typed.types.number();
        let operator = fun(number.clone(), fun(number.clone(), number));
        self.typed.op_codes.insert(arg.id);
        self.typed.nodes.insert(arg.id, operator);
    }

    /// Whether this names a function of the library that makes an accumulator.
    fn makes_accumulator(&self, f: &Expr) -> bool {
        let Some(&Ref::Bind(id)) = self.names.uses.get(&f.id) else { return false };
        let makes = |name: &str| {
            matches!(name, "make_1d_accumulator" | "make_2d_accumulator" | "make_3d_accumulator")
        };
        makes(&self.names.binds[id].name)
            && self
                .program
                .library
                .iter()
                .any(|s| matches!(s, Stmt::Def(def) if self.names.defined.get(&def.id) == Some(&id)))
    }
}
