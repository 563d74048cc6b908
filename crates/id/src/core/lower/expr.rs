//! Expressions.

use super::Lower;
use super::order::mode;
use crate::check::types::{Ty, con, is};
use crate::core::language::{Atom, Init, Mode, Op, Prim};
use crate::stack::with_stack;
use crate::syntax::ast::Op as Operator;
use crate::syntax::ast::*;
use crate::syntax::walk;
use base::Span;

impl<'a> Lower<'a> {
    /// The value of an expression, widened to the type that its place wants.
    pub(super) fn expr(&mut self, e: &'a Expr) -> Atom {
        let value = with_stack(|| self.kind(e));
        match self.typed.widened.get(&e.id) {
            Some(wanted) => {
                let (from, to) = (self.ty(e.id), self.concrete(wanted));
                self.widen(value, &from, &to, e.span)
            }
            None => value,
        }
    }

    fn kind(&mut self, e: &'a Expr) -> Atom {
        if self.typed.op_codes.contains(&e.id) {
            return self.apply_operator("(+)", e, &[], e.span);
        }
        match &e.kind {
            ExprKind::Int(n) if is(&self.ty(e.id), "float") => Atom::Float(*n as f64),
            ExprKind::Int(n) => Atom::Int(*n),
            ExprKind::Float(x) => Atom::Float(*x),
            ExprKind::Char(c) => Atom::Int(i64::from(*c)),
            ExprKind::Str(s) => self.literal(s, e.span),
            ExprKind::Name(name) if is_empty(name) => self.nothing(),
            ExprKind::Name(_) | ExprKind::Next(_) => match self.apply(e, &[], e.span) {
                // A name for a number, which is of either type.
                Atom::Int(n) if is(&self.ty(e.id), "float") => Atom::Float(n as f64),
                value => value,
            },
            ExprKind::Apply(f, args) => self.apply(f, args, e.span),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, e),
            ExprKind::Negate(a) => {
                let value = self.expr(a);
                match (value, is(&self.ty(e.id), "float")) {
                    (Atom::Int(n), false) => Atom::Int(n.wrapping_neg()),
                    (Atom::Float(x), true) => Atom::Float(-x),
                    (_, float) => self.prim(if float { Prim::NegF } else { Prim::NegI }, vec![value], e.span),
                }
            }
            ExprKind::Cons { head, tail, delay_head, delay_tail } => {
                let fields = vec![self.part(head, *delay_head), self.part(tail, *delay_tail)];
                self.emit(Op::Make { tag: 0, fields }, e.span)
            }
            ExprKind::Tuple(parts) => {
                let fields = parts.iter().map(|p| Init::Value(self.expr(p))).collect();
                self.emit(Op::Make { tag: 0, fields }, e.span)
            }
            ExprKind::If(test, yes, no) => {
                let test = self.expr(test);
                let yes = |l: &mut Self| vec![l.expr(yes)];
                let no = |l: &mut Self| vec![no.as_ref().map_or(Atom::Int(0), |n| l.expr(n))];
                self.conditional(test, 1, e.span, yes, no)[0]
            }
            ExprKind::Case(tested, arms) => {
                let value = self.expr(tested);
                self.arms(arms, value, e.span)[0]
            }
            ExprKind::Block(block) => {
                let result = block.result.as_deref();
                let uses = self.used_by(|visit| result.iter().for_each(|r| walk::exprs(r, visit)));
                let mut rest = |l: &mut Self| vec![result.map_or(Atom::Int(0), |r| l.expr(r))];
                self.groups(&block.groups, 1, e.span, &mut rest, &uses)[0]
            }
            ExprKind::Loop(looped) => self.looped(e.id, looped, e.span),
            ExprKind::Fun(clauses) => self.anonymous(clauses, e),
            ExprKind::Index(base, index, access) => {
                let array = self.expr(base);
                let index = self.subscripts(index, e.id);
                self.emit(Op::Fetch { array, index, mode: mode(*access) }, e.span)
            }
            ExprKind::Field(base, field, access) => {
                let cell = self.expr(base);
                let at = self.names.fields.get(&field.text).map_or(0, |f| f.1);
                self.emit(Op::Field { cell, at, mode: mode(*access) }, e.span)
            }
            ExprKind::ListCompr(value, gens) => self.list_compr(value, gens, e.span),
            ExprKind::ArrayCompr(c) => self.array_compr(e.id, c, e.span),
            ExprKind::Bad => self.nothing(),
        }
    }

    fn arms(&mut self, arms: &'a [Arm], value: Atom, span: Span) -> Vec<Atom> {
        let Some((arm, rest)) = arms.split_first() else {
            self.fail("no arm of the case fits the value", span);
            return vec![Atom::Int(0)];
        };
        self.arm(
            &[&arm.pat],
            &[value],
            arm.guard.as_ref(),
            arm.pat.span,
            |l| vec![l.expr(&arm.body)],
            |l| l.arms(rest, value, span),
        )
    }

    /// A string of the program.
    pub(super) fn literal(&mut self, bytes: &[u8], span: Span) -> Atom {
        if bytes.is_empty() {
            return Atom::Int(0);
        }
        let text = self.text(bytes);
        self.prim(Prim::Text, vec![Atom::Int(text as i64)], span)
    }

    /// A field of a new cell: its value, or if it is delayed, a closure that computes it on demand.
    fn part(&mut self, e: &'a Expr, delayed: bool) -> Init {
        if !delayed {
            return Init::Value(self.expr(e));
        }
        let used = self.used_by(|visit| walk::exprs(e, visit));
        let lifted = self.lift("delayed", &used, 1, 1, e.span, |l, _, _| vec![l.expr(e)]);
        let args = lifted.captures.iter().map(|id| self.value_of(*id)).collect();
        Init::Delayed(self.emit(Op::Closure { func: lifted.func, args }, e.span))
    }

    fn anonymous(&mut self, clauses: &'a [Clause], e: &'a Expr) -> Atom {
        let used = self.used_by(|visit| clauses.iter().for_each(|c| walk::clause(c, visit)));
        // A function that is used as a value takes no part in the order of the code around it.
        let token = self.ctx.token.take();
        let arity = clauses[0].params.len();
        let lifted = self.lift("fun", &used, arity, 1, e.span, |l, _, args| {
            l.ctx.token = token.map(|_| Atom::Int(0));
            let out = l.clauses(clauses, args, "fun", e.span);
            l.ctx.token = None;
            out
        });
        self.ctx.token = token;
        self.core.funcs[lifted.func].io = used.iter().any(|id| self.io.contains(id));
        let args = lifted.captures.iter().map(|id| self.value_of(*id)).collect();
        self.emit(Op::Closure { func: lifted.func, args }, e.span)
    }

    /// The subscripts of an access; `tuple_index` tells by `node` whether a single one is a tuple.
    pub(super) fn subscripts(&mut self, index: &'a [Expr], node: NodeId) -> Vec<Atom> {
        match (index, self.typed.tuple_index.get(&node)) {
            ([one], Some(&n)) => {
                let tuple = self.expr(one);
                (0..n).map(|at| self.emit(Op::Field { cell: tuple, at, mode: Mode::I }, one.span)).collect()
            }
            _ => index.iter().map(|i| self.expr(i)).collect(),
        }
    }

    fn binary(&mut self, op: Operator, a: &'a Expr, b: &'a Expr, e: &'a Expr) -> Atom {
        let (x, y) = (self.expr(a), self.expr(b));
        let (tx, ty) = (self.ty(a.id), self.ty(b.id));
        match op {
            Operator::And => self.prim(Prim::And, vec![x, y], e.span),
            Operator::Or => self.prim(Prim::Or, vec![x, y], e.span),
            Operator::Append => self.append(x, y, e.span),
            Operator::Add | Operator::Sub | Operator::Mul | Operator::Pow | Operator::Div => {
                let float = op == Operator::Div || is(&tx, "float") || is(&ty, "float");
                let own = con(if float { "float" } else { "int" });
                let value = self.arithmetic(op, (x, &tx), (y, &ty), e.span);
                let wanted = self.ty(e.id);
                self.widen(value, &own, &wanted, e.span)
            }
            _ => self.compare(op, (x, &tx), (y, &ty), e.span),
        }
    }

    pub(super) fn arithmetic(&mut self, op: Operator, x: (Atom, &Ty), y: (Atom, &Ty), span: Span) -> Atom {
        let float = con("float");
        if op == Operator::Div || *x.1 == float || *y.1 == float {
            let args = vec![self.widen(x.0, x.1, &float, span), self.widen(y.0, y.1, &float, span)];
            let prim = match op {
                Operator::Add => Prim::AddF,
                Operator::Sub => Prim::SubF,
                Operator::Mul => Prim::MulF,
                Operator::Div => Prim::DivF,
                _ => Prim::PowF,
            };
            return self.prim(prim, args, span);
        }
        let prim = match op {
            Operator::Add => Prim::AddI,
            Operator::Sub => Prim::SubI,
            Operator::Mul => Prim::MulI,
            _ => Prim::PowI,
        };
        self.prim(prim, vec![x.0, y.0], span)
    }

    pub(super) fn compare(&mut self, op: Operator, x: (Atom, &Ty), y: (Atom, &Ty), span: Span) -> Atom {
        let float = con("float");
        let mixed = *x.1 == float || *y.1 == float;
        let (a, b) = if mixed {
            (self.widen(x.0, x.1, &float, span), self.widen(y.0, y.1, &float, span))
        } else {
            (x.0, y.0)
        };
        let ty = if mixed { &float } else { x.1 };
        match op {
            Operator::Eq => self.equal(a, b, ty, span),
            Operator::Ne => {
                let same = self.equal(a, b, ty, span);
                self.prim(Prim::Not, vec![same], span)
            }
            Operator::Lt => self.less(a, b, ty, false, span),
            Operator::Le => self.less(a, b, ty, true, span),
            Operator::Gt => self.less(b, a, ty, false, span),
            _ => self.less(b, a, ty, true, span),
        }
    }

    /// Emits `xs ++ ys`, by the library's function.
    pub(super) fn append(&mut self, x: Atom, y: Atom, span: Span) -> Atom {
        self.library("append", vec![x, y], span)
    }

    /// Emits a call of a function of the library that does not depend on types.
    pub(super) fn library(&mut self, name: &str, args: Vec<Atom>, span: Span) -> Atom {
        let found = self.library.get(name).copied();
        let local = found.and_then(|id| Some((id, self.root.find(id)?)));
        match local {
            Some((id, local)) => {
                let types = self.typed.binds[&id].vars.iter().map(|_| con("void")).collect();
                let func = self.instance(&local, id, types);
                self.call(func, args, 1, local.io, false, span)[0]
            }
            None => self.nothing(),
        }
    }

    /// Prints a value and a newline, in the order of the text.
    pub(super) fn print(&mut self, value: Atom, ty: &Ty, span: Span) {
        let newline = self.emit(
            Op::Make { tag: 0, fields: vec![Init::Value(Atom::Int(10)), Init::Value(Atom::Int(0))] },
            span,
        );
        let text = if *ty == con("string") {
            self.append(value, newline, span)
        } else {
            self.show(value, ty, newline, span)
        };
        self.library("print_string", vec![text], span);
    }

    /// The type of the elements, if this type is a list.
    pub(super) fn element_of_list(&self, ty: &Ty) -> Option<Ty> {
        match ty {
            Ty::Con(name, args) if &**name == "list" => Some(args[0].clone()),
            _ if *ty == con("string") => Some(con("char")),
            _ => None,
        }
    }
}
