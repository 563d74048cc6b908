//! Applications: of functions of the text, constructors, operators and built-in functions, fully or in
//! part; and of values.

use super::Lower;
use crate::check::resolve::{Ref, TEST};
use crate::check::types::{Ty, con, fun};
use crate::core::language::{Atom, Init, Io, Op, Prim};
use crate::syntax::ast::Op as Operator;
use crate::syntax::ast::{Expr, ExprKind, is_empty};
use base::Span;

impl<'a> Lower<'a> {
    /// Emits `f args`; without arguments the value of `f`.
    pub(super) fn apply(&mut self, f: &'a Expr, args: &'a [Expr], span: Span) -> Atom {
        if let ExprKind::Name(name) = &f.kind
            && name.starts_with('(')
        {
            return self.apply_operator(name, f, args, span);
        }
        match (&f.kind, self.names.uses.get(&f.id).copied()) {
            (ExprKind::Name(_), Some(Ref::Con(con))) => self.apply_con(con, f, args, span),
            (ExprKind::Name(_), Some(Ref::Bind(id))) if self.names.binds[id].builtin => {
                self.apply_builtin(id, f, args, span)
            }
            (ExprKind::Name(_) | ExprKind::Next(_), Some(Ref::Bind(id))) => match self.ctx.env.find(id) {
                Some(local) => self.apply_local(&local, id, f, args, span),
                None => {
                    let value = self.value_of(id);
                    self.apply_value(value, args, span)
                }
            },
            (ExprKind::Name(_) | ExprKind::Next(_), None) => self.nothing(),
            _ => {
                let value = self.expr(f);
                self.apply_value(value, args, span)
            }
        }
    }

    fn apply_value(&mut self, f: Atom, args: &'a [Expr], span: Span) -> Atom {
        if args.is_empty() {
            return f;
        }
        let args = args.iter().map(|a| self.expr(a)).collect();
        self.emit(Op::Apply { f, args }, span)
    }

    fn apply_local(
        &mut self,
        local: &std::rc::Rc<super::Local<'a>>,
        id: usize,
        f: &'a Expr,
        args: &'a [Expr],
        span: Span,
    ) -> Atom {
        let types: Vec<Ty> = match self.typed.instances.get(&f.id) {
            Some(types) => types.iter().map(|t| self.concrete(t)).collect(),
            None => self.typed.binds[&id].vars.iter().map(|&v| self.concrete(&Ty::Var(v))).collect(),
        };
        let func = self.instance(local, id, types);
        let arity = local.clauses[0].params.len();
        let mut words: Vec<Atom> = local.captures.iter().map(|id| self.value_of(*id)).collect();
        if args.len() >= arity {
            let (own, rest) = args.split_at(arity);
            words.extend(own.iter().map(|a| self.expr(a)).collect::<Vec<_>>());
            let result = self.call(func, words, 1, local.io, false, span)[0];
            return self.apply_value(result, rest, span);
        }
        words.extend(args.iter().map(|a| self.expr(a)).collect::<Vec<_>>());
        let func = if local.io {
            // A function that is used as a value orders only its own effects.
            let (count, key) = (local.captures.len() + arity, format!("{} as a value, {func}", local.name));
            self.wrapper(&key, &con("void"), count, true, local.span, |l, args| {
                l.call(func, args.to_vec(), 1, true, false, span)[0]
            })
        } else {
            func
        };
        self.emit(Op::Closure { func, args: words }, span)
    }

    fn apply_con(&mut self, con_at: usize, f: &'a Expr, args: &'a [Expr], span: Span) -> Atom {
        if con_at >= TEST {
            let con_at = con_at - TEST;
            if let [value] = args {
                let value = self.expr(value);
                return self.is_con(con_at, value, span);
            }
            let func = self.wrapper(&format!("test {con_at}"), &con("void"), 1, false, span, |l, a| {
                l.is_con(con_at, a[0], span)
            });
            return self.emit(Op::Closure { func, args: Vec::new() }, span);
        }
        let info = &self.names.cons[con_at];
        let (tag, arity) = (info.number, info.arity);
        if arity == 0 {
            return Atom::Int(tag as i64);
        }
        if args.len() == arity {
            let fields = args
                .iter()
                .map(|a| match &a.kind {
                    ExprKind::Name(name) if is_empty(name) => Init::Empty,
                    _ => Init::Value(self.expr(a)),
                })
                .collect();
            return self.emit(Op::Make { tag, fields }, span);
        }
        let func =
            self.wrapper(&format!("constructor {con_at}"), &con("void"), arity, false, span, |l, a| {
                l.emit(Op::Make { tag, fields: a.iter().map(|a| Init::Value(*a)).collect() }, span)
            });
        let _ = f;
        let args = args.iter().map(|a| self.expr(a)).collect();
        self.emit(Op::Closure { func, args }, span)
    }

    /// Applies an operator in parentheses, whose type is that of `f`.
    pub(super) fn apply_operator(
        &mut self,
        name: &'a str,
        f: &'a Expr,
        args: &'a [Expr],
        span: Span,
    ) -> Atom {
        let ty = self.ty(f.id);
        if let [a, b] = args {
            let (x, y) = (self.expr(a), self.expr(b));
            return self.operate(name, x, y, &ty, span);
        }
        let key = ty.clone();
        let func = self.wrapper(name, &key, 2, false, span, |l, a| l.operate(name, a[0], a[1], &ty, span));
        let args = args.iter().map(|a| self.expr(a)).collect();
        self.emit(Op::Closure { func, args }, span)
    }

    /// Emits the operator whose function type is `ty`.
    fn operate(&mut self, name: &str, x: Atom, y: Atom, ty: &Ty, span: Span) -> Atom {
        let operand = match ty {
            Ty::Fun(f) => f.0.clone(),
            _ => con("int"),
        };
        let (x, y) = ((x, &operand), (y, &operand));
        match name {
            "(+)" => self.arithmetic(Operator::Add, x, y, span),
            "(-)" => self.arithmetic(Operator::Sub, x, y, span),
            "(*)" => self.arithmetic(Operator::Mul, x, y, span),
            "(/)" => self.arithmetic(Operator::Div, x, y, span),
            "(^)" => self.arithmetic(Operator::Pow, x, y, span),
            "(and)" => self.prim(Prim::And, vec![x.0, y.0], span),
            "(or)" => self.prim(Prim::Or, vec![x.0, y.0], span),
            "(++)" => self.append(x.0, y.0, span),
            "(:)" => self.emit(Op::Make { tag: 0, fields: vec![Init::Value(x.0), Init::Value(y.0)] }, span),
            "(==)" => self.compare(Operator::Eq, x, y, span),
            "(<>)" => self.compare(Operator::Ne, x, y, span),
            "(<)" => self.compare(Operator::Lt, x, y, span),
            "(<=)" => self.compare(Operator::Le, x, y, span),
            "(>)" => self.compare(Operator::Gt, x, y, span),
            _ => self.compare(Operator::Ge, x, y, span),
        }
    }

    fn apply_builtin(&mut self, id: usize, f: &'a Expr, args: &'a [Expr], span: Span) -> Atom {
        if let Some(&number) = self.externals.get(&id) {
            return self.apply_external(number, f, args, span);
        }
        let (name, ty) = (self.names.binds[id].name.clone(), self.ty(f.id));
        let arity = arity(&ty, super::builtin::arity(&name));
        let io = super::builtin::does_io(&name);
        self.apply_known(&name, &ty, arity, io, args, span, |l, a| l.builtin(&name, a, &ty, span))
    }

    /// Applies the function of C of this number.
    fn apply_external(&mut self, number: usize, f: &'a Expr, args: &'a [Expr], span: Span) -> Atom {
        let external = &self.core.externals[number];
        let (arity, io) = (external.params.len(), external.ordered());
        let (key, ty) = (format!("@external {}", external.symbol), self.ty(f.id));
        self.apply_known(&key, &ty, arity, io, args, span, |l, a| l.call_external(number, a, span))
    }

    /// Applies a function by `call` if all its arguments are given; otherwise makes a closure over those that
    /// are. `key` names the function among those of its type.
    #[allow(clippy::too_many_arguments)]
    fn apply_known(
        &mut self,
        key: &str,
        ty: &Ty,
        arity: usize,
        io: bool,
        args: &'a [Expr],
        span: Span,
        call: impl FnOnce(&mut Self, &[Atom]) -> Atom,
    ) -> Atom {
        let (own, rest) = args.split_at(arity.min(args.len()));
        if own.len() == arity {
            let words: Vec<Atom> = own.iter().map(|a| self.expr(a)).collect();
            let result = call(self, &words);
            return self.apply_value(result, rest, span);
        }
        let func = self.wrapper(key, ty, arity, io, span, call);
        let args = own.iter().map(|a| self.expr(a)).collect();
        self.emit(Op::Closure { func, args }, span)
    }

    fn call_external(&mut self, number: usize, args: &[Atom], span: Span) -> Atom {
        let args: Vec<Atom> = [&[Atom::Int(number as i64)], args].concat();
        if !self.core.externals[number].ordered() {
            return self.prim(Prim::External, args, span);
        }
        self.in_order(Io::External, args, span)
    }

    /// A function's parameter and result types.
    pub(super) fn split(ty: &Ty) -> (Ty, Ty) {
        match ty {
            Ty::Fun(f) => (f.0.clone(), f.1.clone()),
            other => (con("void"), fun(con("void"), other.clone())),
        }
    }
}

/// The number of arguments of a built-in function: `own`, or else the number in its type.
fn arity(ty: &Ty, own: Option<usize>) -> usize {
    own.unwrap_or_else(|| {
        let (mut n, mut ty) = (0, ty.clone());
        while let Ty::Fun(f) = ty {
            n += 1;
            ty = f.1.clone();
        }
        n
    })
}
