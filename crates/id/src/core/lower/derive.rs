//! Printing, equality and order by type: a function for each type that needs one.
//!
//! A value is shown in the notation of Id, before a given list of characters, so that no strings are
//! appended.

use super::Lower;
use crate::check::types::{Ty, UNKNOWN, con, is};
use crate::core::language::{Atom, Func, FuncId, Init, Mode, Op, Prim};
use base::{Code, Span};

/// The number of levels of a type that the names of its functions show.
const NAMED_LEVELS: usize = 6;

/// The operation of a derived function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Derived {
    /// Shows a value that stands alone.
    Show,
    /// Shows a value that is an argument: in parentheses if it is more than one word.
    ShowTight,
    Equal,
}

impl Lower<'_> {
    /// The characters of a value, before `tail`.
    pub(super) fn show(&mut self, value: Atom, ty: &Ty, tail: Atom, span: Span) -> Atom {
        self.show_as(Derived::Show, value, ty, tail, span)
    }

    fn show_as(&mut self, how: Derived, value: Atom, ty: &Ty, tail: Atom, span: Span) -> Atom {
        let args = vec![value, tail];
        if is(ty, "int") && how == Derived::Show {
            return self.prim(Prim::ShowI, args, span);
        }
        if is(ty, "float") && how == Derived::Show {
            return self.prim(Prim::ShowF, args, span);
        }
        let func = self.derived(how, ty, span);
        self.call(func, args, 1, false, false, span)[0]
    }

    pub(super) fn equal(&mut self, a: Atom, b: Atom, ty: &Ty, span: Span) -> Atom {
        if is(ty, "float") {
            return self.prim(Prim::EqF, vec![a, b], span);
        }
        if is(ty, "int") || is(ty, "char") || is(ty, "void") || is(ty, UNKNOWN) || self.bare(ty) {
            return self.prim(Prim::EqI, vec![a, b], span);
        }
        if !self.comparable(ty) {
            self.not_comparable(ty, "compared", span);
            return self.nothing();
        }
        let func = self.derived(Derived::Equal, ty, span);
        self.call(func, vec![a, b], 1, false, false, span)[0]
    }

    pub(super) fn less(&mut self, a: Atom, b: Atom, ty: &Ty, or_equal: bool, span: Span) -> Atom {
        if is(ty, "float") {
            return self.prim(if or_equal { Prim::LeF } else { Prim::LtF }, vec![a, b], span);
        }
        if is(ty, "int") || is(ty, "char") || is(ty, "bool") || is(ty, UNKNOWN) {
            return self.prim(if or_equal { Prim::LeI } else { Prim::LtI }, vec![a, b], span);
        }
        if !is(ty, "string") {
            self.not_comparable(ty, "ordered", span);
            return self.nothing();
        }
        if or_equal {
            let more = self.less(b, a, ty, false, span);
            return self.prim(Prim::Not, vec![more], span);
        }
        self.library("text_less", vec![a, b], span)
    }

    fn not_comparable(&mut self, ty: &Ty, how: &str, span: Span) {
        let shown = self.typed.types.show(ty);
        let d = self.error(Code::IdEquality, span, format!("values of type `{shown}` cannot be {how}"));
        d.help = Some(match how {
            "ordered" => "numbers, characters, bools and strings can".into(),
            _ => "numbers, characters, strings, tuples, lists and declared types of these can".into(),
        });
    }

    /// Whether this is a declared type all of whose constructors are without fields.
    fn bare(&self, ty: &Ty) -> bool {
        let Ty::Con(name, _) = ty else { return false };
        let decl = self.program.types.iter().find(|d| d.name.text == **name && d.synonym.is_none());
        decl.is_some_and(|d| d.cons.iter().all(|c| c.fields.is_empty()))
    }

    fn comparable(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Fun(_) => false,
            Ty::Con(name, _) if name.ends_with("d_array") => false,
            _ => true,
        }
    }

    /// The constructors of a declared type: the number of each among all, and the types of its fields.
    fn constructors(&mut self, ty: &Ty) -> Vec<(usize, Vec<Ty>)> {
        let Ty::Con(name, args) = ty else { return Vec::new() };
        let Some(at) = self.program.types.iter().position(|d| d.name.text == **name) else {
            return Vec::new();
        };
        let cons: Vec<usize> = (0..self.names.cons.len()).filter(|&c| self.names.cons[c].ty == at).collect();
        cons.into_iter()
            .map(|c| {
                let fields = self.typed.fields.get(&c).cloned().unwrap_or_default();
                let params = &self.typed.params[&at];
                let put = |v: usize| match params.iter().position(|p| *p == Ty::Var(v)) {
                    Some(n) => args.get(n).cloned().unwrap_or_else(|| con("void")),
                    None => con("void"),
                };
                (c, fields.iter().map(|f| self.typed.types.map(f, &mut |v| put(v))).collect())
            })
            .collect()
    }

    fn derived(&mut self, what: Derived, ty: &Ty, span: Span) -> FuncId {
        if let Some(&func) = self.derived.get(&(what, ty.clone())) {
            return func;
        }
        let func = self.new_func();
        self.derived.insert((what, ty.clone()), func);
        let outer = std::mem::take(&mut self.ctx);
        let (a, b) = (self.var(), self.var());
        let (x, y) = (Atom::Var(a), Atom::Var(b));
        let body = self.block(|l| {
            vec![match what {
                Derived::Equal => l.equal_body(x, y, ty, span),

                how => l.show_body(how == Derived::ShowTight, x, ty, y, span),
            }]
        });
        let vars = self.ctx.vars;
        self.ctx = outer;
        let shown = self.typed.types.show_to(ty, NAMED_LEVELS);
        let name = format!("{} {shown}", if what == Derived::Equal { "==" } else { "show" });
        let made = Func { name, params: vec![a, b], body, vars, results: 1, span, ..Func::default() };
        self.core.funcs[func] = made;
        func
    }

    fn field(&mut self, cell: Atom, at: usize, span: Span) -> Atom {
        self.emit(Op::Field { cell, at, mode: Mode::I }, span)
    }

    // ---- equality
    // --------------------------------------------------------------------------------------------

    fn equal_body(&mut self, x: Atom, y: Atom, ty: &Ty, span: Span) -> Atom {
        if let Ty::Tuple(parts) = ty {
            return self.equal_fields(x, y, parts, 0, span);
        }
        let cons = match self.element_of_list(ty) {
            Some(element) => vec![(usize::MAX, Vec::new()), (0, vec![element, ty.clone()])],
            None => self.constructors(ty),
        };
        let fielded: Vec<(usize, Vec<Ty>)> = cons.into_iter().filter(|c| !c.1.is_empty()).collect();
        self.equal_cons(x, y, &fielded, 0, span)
    }

    /// Emits equality over the constructors with fields, from number `at` on. Values without fields are equal
    /// if their words are.
    fn equal_cons(&mut self, x: Atom, y: Atom, cons: &[(usize, Vec<Ty>)], at: usize, span: Span) -> Atom {
        let Some((_, fields)) = cons.get(at) else { return self.prim(Prim::EqI, vec![x, y], span) };
        let number = Atom::Int(at as i64);
        let test = self.prim(Prim::HasFields, vec![x, number], span);
        self.conditional(
            test,
            1,
            span,
            |l| {
                let same = l.prim(Prim::HasFields, vec![y, number], span);
                l.conditional(
                    same,
                    1,
                    span,
                    |l| vec![l.equal_fields(x, y, fields, 0, span)],
                    |_| vec![Atom::Int(0)],
                )
            },
            |l| vec![l.equal_cons(x, y, cons, at + 1, span)],
        )[0]
    }

    fn equal_fields(&mut self, x: Atom, y: Atom, fields: &[Ty], at: usize, span: Span) -> Atom {
        let Some(ty) = fields.get(at) else { return Atom::Int(1) };
        let (a, b) = (self.field(x, at, span), self.field(y, at, span));
        let same = self.equal(a, b, ty, span);
        if at + 1 == fields.len() {
            return same;
        }
        let more = |l: &mut Self| vec![l.equal_fields(x, y, fields, at + 1, span)];
        self.conditional(same, 1, span, more, |_| vec![Atom::Int(0)])[0]
    }

    // ---- printing
    // --------------------------------------------------------------------------------------------

    fn text_before(&mut self, text: &str, tail: Atom, span: Span) -> Atom {
        let mut tail = tail;
        for b in text.bytes().rev() {
            let fields = vec![Init::Value(Atom::Int(i64::from(b))), Init::Value(tail)];
            tail = self.emit(Op::Make { tag: 0, fields }, span);
        }
        tail
    }

    fn show_body(&mut self, tight: bool, x: Atom, ty: &Ty, tail: Atom, span: Span) -> Atom {
        if is(ty, "int") || is(ty, "float") {
            return self.show_number(x, ty, tail, span);
        }
        if is(ty, "char") {
            return self.library("show_char", vec![x, tail], span);
        }
        if is(ty, "string") {
            return self.library("show_string", vec![x, tail], span);
        }
        if is(ty, "void") || is(ty, UNKNOWN) {
            return self.text_before("()", tail, span);
        }
        match ty {
            Ty::Fun(_) | Ty::Var(_) => self.text_before("<function>", tail, span),
            Ty::Tuple(parts) => {
                let mut tail = self.text_before(")", tail, span);
                for at in (0..parts.len()).rev() {
                    let part = self.field(x, at, span);
                    tail = self.show(part, &parts[at], tail, span);
                    tail = self.text_before(if at == 0 { "(" } else { "," }, tail, span);
                }
                tail
            }
            Ty::Con(name, args) if name.ends_with("d_array") => {
                let dims = name.as_bytes()[0] - b'0';
                let mutable = is(&args[0], "M");
                self.show_array(x, usize::from(dims), mutable, &args[1], tail, span)
            }
            _ => match self.element_of_list(ty) {
                Some(element) => self.show_list(tight, x, ty, &element, tail, span),
                None => {
                    let cons = self.constructors(ty);
                    self.show_cons(tight, x, &cons, tail, span)
                }
            },
        }
    }

    /// Shows a number that is an argument: in parentheses if it is negative.
    fn show_number(&mut self, x: Atom, ty: &Ty, tail: Atom, span: Span) -> Atom {
        let float = is(ty, "float");
        let zero = if float { Atom::Float(0.0) } else { Atom::Int(0) };
        let negative = self.prim(if float { Prim::LtF } else { Prim::LtI }, vec![x, zero], span);
        self.conditional(
            negative,
            1,
            span,
            |l| {
                let tail = l.text_before(")", tail, span);
                let number = l.show(x, ty, tail, span);
                vec![l.text_before("(", number, span)]
            },
            |l| vec![l.show(x, ty, tail, span)],
        )[0]
    }

    fn show_list(&mut self, tight: bool, x: Atom, ty: &Ty, element: &Ty, tail: Atom, span: Span) -> Atom {
        let test = self.prim(Prim::HasFields, vec![x, Atom::Int(0)], span);
        self.conditional(
            test,
            1,
            span,
            |l| {
                let (head, rest) = (l.field(x, 0, span), l.field(x, 1, span));
                let tail = if tight { l.text_before(")", tail, span) } else { tail };
                let after = l.show(rest, ty, tail, span);
                let after = l.text_before(":", after, span);
                let nested = l.element_of_list(element).is_some() && *element != con("string");
                let how = if nested { Derived::ShowTight } else { Derived::Show };
                let shown = l.show_as(how, head, element, after, span);
                vec![if tight { l.text_before("(", shown, span) } else { shown }]
            },
            |l| vec![l.text_before("Nil", tail, span)],
        )[0]
    }

    fn show_cons(&mut self, tight: bool, x: Atom, cons: &[(usize, Vec<Ty>)], tail: Atom, span: Span) -> Atom {
        let Some(((c, fields), rest)) = cons.split_first() else { return tail };
        let one = |l: &mut Self| {
            let name = l.spelled(*c);
            if fields.is_empty() {
                return vec![l.text_before(&name, tail, span)];
            }
            let mut out = if tight { l.text_before(")", tail, span) } else { tail };
            for at in (0..fields.len()).rev() {
                let value = l.field(x, at, span);
                out = l.show_as(Derived::ShowTight, value, &fields[at], out, span);
                out = l.text_before(" ", out, span);
            }
            let name = if tight { format!("({name}") } else { name };
            vec![l.text_before(&name, out, span)]
        };
        if rest.is_empty() {
            return one(self)[0];
        }
        let test = self.is_con(*c, x, span);
        self.conditional(test, 1, span, one, |l| vec![l.show_cons(tight, x, rest, tail, span)])[0]
    }

    /// Shows an array as `{1d_array (lo,hi) | [i] = e | ...}`, which is an Id expression.
    fn show_array(
        &mut self,
        x: Atom,
        dims: usize,
        mutable: bool,
        element: &Ty,
        tail: Atom,
        span: Span,
    ) -> Atom {
        let bounds: Vec<Atom> = (0..2 * dims).map(|at| self.emit(Op::Bound { array: x, at }, span)).collect();
        let end = self.text_before("}", tail, span);
        let mut out = self.show_elements(x, &bounds, Vec::new(), mutable, element, end, span);
        for d in (0..dims).rev() {
            out = self.text_before(")", out, span);
            out = self.prim(Prim::ShowI, vec![bounds[2 * d + 1], out], span);
            out = self.text_before(",", out, span);
            out = self.prim(Prim::ShowI, vec![bounds[2 * d], out], span);
            out = self.text_before(if d == 0 { " (" } else { ",(" }, out, span);
        }
        let word = if mutable { "d_M_array" } else { "d_array" };
        self.text_before(&format!("{{{dims}{word}"), out, span)
    }

    /// Shows the elements of the remaining dimensions, before `tail`.
    #[allow(clippy::too_many_arguments)]
    fn show_elements(
        &mut self,
        x: Atom,
        bounds: &[Atom],
        index: Vec<Atom>,
        mutable: bool,
        element: &Ty,
        tail: Atom,
        span: Span,
    ) -> Atom {
        let Some((&[lo, hi], rest)) = bounds.split_first_chunk::<2>() else {
            let mode = if mutable { Mode::Examine } else { Mode::I };
            let value = self.emit(Op::Fetch { array: x, index: index.clone(), mode }, span);
            let mut out = self.show(value, element, tail, span);
            out = self.text_before("] = ", out, span);
            for (n, &i) in index.iter().enumerate().rev() {
                out = self.prim(Prim::ShowI, vec![i, out], span);
                out = self.text_before(if n == 0 { " | [" } else { "," }, out, span);
            }
            return out;
        };
        let extra = [&[lo, hi, x, tail], rest, &index[..]].concat();
        let (inner, done) = (rest.len(), index.len());
        let lifted = self.lift("show elements", &Default::default(), extra.len(), 1, span, |l, me, p| {
            let test = l.within(p[0], p[1], false, span);
            l.conditional(
                test,
                1,
                span,
                |l| {
                    let next = l.prim(Prim::AddI, vec![p[0], Atom::Int(1)], span);
                    let mut again = p.to_vec();
                    again[0] = next;
                    let after = l.call_lifted(me, &again, span)[0];
                    let mut index = p[4 + inner..4 + inner + done].to_vec();
                    index.push(p[0]);
                    vec![l.show_elements(p[2], &p[4..4 + inner], index, mutable, element, after, span)]
                },
                |_| vec![p[3]],
            )
        });
        self.call_lifted(&lifted, &extra, span)[0]
    }
}
