//! Operators whose operands' types are not all known: how they are decided when one of the types becomes
//! known, and when a function is generalised.

use super::waiting::{Pending, Waits};
use super::{Infer, Why};
use crate::check::types::*;
use crate::syntax::ast::Op;
use base::{Code, Span};

impl Infer<'_> {
    /// Decides a round of operators. Returns whether there were any.
    pub(super) fn settle_operators(&mut self, level: usize, functions: &[Ty]) -> bool {
        let mut rounds: [Vec<usize>; 3] = Default::default();
        for at in 0..self.pending.all.len() {
            let Some(Waits::Operator(p)) = &self.pending.all[at] else { continue };
            if !self.concerns(p.types(), level) {
                continue;
            }
            let holds = |name: &str| p.types().any(|ty| is(&self.prune(ty), name));
            let round = if holds("float") { 0 } else { 2 - usize::from(holds("int")) };
            rounds[round].push(at);
        }
        let Some(round) = rounds.into_iter().find(|r| !r.is_empty()) else { return false };
        for at in round {
            if let Some(Waits::Operator(p)) = self.pending.take(at) {
                self.settle_operator(&p, functions);
            }
        }
        true
    }

    fn settle_operator(&mut self, p: &Pending, functions: &[Ty]) {
        if p.op == Op::Append {
            return self.joins_lists(p);
        }
        if self.leaves_open(p, functions) {
            return;
        }
        let why =
            || Why { text: format!("both operands of `{}` are of one type", p.op.text()), at: Some(p.a.1) };
        if is_number(&self.prune(&p.a.0)) && is_number(&self.prune(&p.b.0)) {
            // Other operators of this round have made the types known.
            self.decide(Pending {
                a: p.a.clone(),
                b: p.b.clone(),
                result: p.result.clone(),
                wanted: None,
                ..*p
            });
            return;
        }
        self.demand(&p.a.0, &p.b.0, p.b.1, why());
        if let Some((r, span)) = &p.result
            && !(is(&self.prune(r), "float") && self.is_int(&p.a.0))
        {
            self.demand(r, &p.a.0, *span, why());
        }
    }

    /// Leaves an operand that comes with a function's argument open, if it may be a number of either type:
    /// the function is then compiled for the type at each use. Returns whether it does. An argument that is a
    /// number itself is widened where the function is applied; a number in an array or a list keeps its type.
    /// The result of the operator with an int is of the open operand's type.
    fn leaves_open(&mut self, p: &Pending, functions: &[Ty]) -> bool {
        let (a, b) = (self.prune(&p.a.0), self.prune(&p.b.0));
        let result = p.result.as_ref().map(|(r, span)| (self.prune(r), *span));
        let wants_float = result.as_ref().is_some_and(|r| is(&r.0, "float"));
        let (open, other) = match (&a, &b) {
            (Ty::Var(v), other) | (other, Ty::Var(v)) => (*v, other.clone()),
            _ => return false,
        };
        let within = functions.iter().any(|f| self.is_in_an_argument(open, f, true));
        let taken = within || functions.iter().any(|f| self.is_in_an_argument(open, f, false));
        let known_int = is(&other, "int");
        match other {
            _ if !taken || (wants_float && !within && !known_int) => return false,
            Ty::Var(_) if !(wants_float && within) => return false,
            Ty::Var(_) => {
                let why =
                    Why { text: format!("both operands of `{}` are of one type", p.op.text()), at: None };
                self.demand(&p.a.0, &p.b.0, p.b.1, why);
            }
            _ if is(&other, "float") && !within => return false,
            _ => {}
        }
        if known_int && let Some((r, span)) = result {
            let why = || Why { text: "the result of an operator with an int".into(), at: None };
            if !wants_float {
                self.demand(&r, &Ty::Var(open), span, why());
            } else if !within {
                self.demand(&con("float"), &Ty::Var(open), span, why());
            }
        }
        if let Ty::Var(v) = self.prune(&Ty::Var(open)) {
            self.typed.types.vars[v].number = true;
        }
        true
    }

    /// Whether a variable stands for a part of an argument of a function of this type; `within` an array, a
    /// list or another type with parameters.
    fn is_in_an_argument(&self, v: usize, function: &Ty, within: bool) -> bool {
        let mut function = self.prune(function);
        while let Ty::Fun(f) = &function {
            if self.holds(v, &f.0, within) {
                return true;
            }
            function = self.prune(&f.1);
        }
        false
    }

    fn holds(&self, v: usize, ty: &Ty, within: bool) -> bool {
        match self.prune(ty) {
            Ty::Var(w) => v == w && !within,
            Ty::Con(_, parts) => parts.iter().any(|p| self.holds(v, p, false)),
            Ty::Tuple(parts) => parts.iter().any(|p| self.holds(v, p, within)),
            Ty::Fun(f) => self.holds(v, &f.0, within) || self.holds(v, &f.1, within),
        }
    }

    fn joins_lists(&mut self, p: &Pending) {
        let lists = list(self.fresh());
        let why = Why { text: "`++` joins two lists, or two strings".into(), at: None };
        self.demand(&lists, &p.a.0, p.a.1, why);
    }

    /// Decides a pending operator, if its types are known. Returns none if it is decided.
    pub(super) fn decide(&mut self, p: Pending) -> Option<Pending> {
        let (a, b) = (self.prune(&p.a.0), self.prune(&p.b.0));
        if p.op == Op::Append {
            if is_unknown(&a) {
                return Some(p);
            }
            if !is(&a, "string") && !is(&a, "list") {
                self.joins_lists(&p);
            }
            return None;
        }
        if let Some(why) = &p.wanted
            && !is_unknown(&a)
        {
            if !is_number(&a) {
                self.demand(&p.b.0, &p.a.0, p.a.1, why.clone());
            }
            return None;
        }
        match p.result.clone() {
            Some((result, span)) => self.decide_arithmetic(p, [a, b], &result, span),
            None => self.decide_comparison(p, [a, b]),
        }
    }

    /// Decides a comparison of operands of these types. They must be of one type, except that an int may be
    /// compared with a float.
    fn decide_comparison(&mut self, p: Pending, types: [Ty; 2]) -> Option<Pending> {
        if types.iter().all(is_number) {
            return None;
        }
        if types.iter().all(|ty| is_unknown(ty) || is_number(ty)) {
            return Some(p);
        }
        let why =
            Why { text: format!("`{}` compares this operand with the other", p.op.text()), at: Some(p.a.1) };
        self.demand(&p.a.0, &p.b.0, p.b.1, why);
        None
    }

    /// Decides an operator with a number as its result, at `span`, and operands of these types.
    fn decide_arithmetic(&mut self, p: Pending, types: [Ty; 2], result: &Ty, span: Span) -> Option<Pending> {
        for (ty, at) in types.iter().zip([p.a.1, p.b.1]) {
            if !is_unknown(ty) && !is_number(ty) {
                let shown = self.typed.types.show(ty);
                let d = self.error(Code::IdType, at, format!("expected a number, found `{shown}`"));
                d.label = format!("this is `{shown}`");
                d.notes.push(format!("`{}` takes two numbers", p.op.text()));
                return None;
            }
        }
        let why = |text: &str| Why { text: text.into(), at: None };
        let r = self.prune(result);
        if types.iter().any(|ty| is(ty, "float")) {
            if !is(&r, "float") {
                let why = why("the result of an operator with a float is a float");
                self.demand(result, &con("float"), span, why);
            }
            if !is_unknown(&r) && !is(&r, "float") {
                return None;
            }
            return types.iter().any(is_unknown).then_some(p);
        }
        if types.iter().all(|ty| is(ty, "int")) {
            // A result wanted as a float is widened.
            if !is(&r, "float") {
                let why = why("the result of an operator with two ints is an int");
                self.demand(result, &con("int"), span, why);
            }
            return None;
        }
        if is(&r, "int") {
            for (ty, at) in [&p.a, &p.b] {
                self.demand(&con("int"), ty, *at, why("the result is wanted as an int"));
            }
            return None;
        }
        Some(p)
    }
}

fn is_unknown(ty: &Ty) -> bool {
    matches!(ty, Ty::Var(_))
}
