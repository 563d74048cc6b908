//! Types of expressions.

use super::waiting::{Pending, Waits};
use super::{Infer, Why, count};
use crate::check::types::*;
use crate::stack::with_stack;
use crate::syntax::ast::*;
use base::{Code, Span};

impl Infer<'_> {
    /// The type of an expression, noted by its node.
    pub(super) fn expr(&mut self, e: &Expr) -> Ty {
        let ty = with_stack(|| self.kind(e));
        self.typed.nodes.insert(e.id, ty.clone());
        ty
    }

    pub(super) fn condition(&mut self, e: &Expr) {
        let found = self.expr(e);
        self.demand(&con("bool"), &found, e.span, Why { text: "a condition is a bool".into(), at: None });
    }

    fn int(&mut self, e: &Expr, what: &str) {
        let found = self.expr(e);
        self.demand(&con("int"), &found, e.span, Why { text: format!("{what} is an int"), at: None });
    }

    fn kind(&mut self, e: &Expr) -> Ty {
        match &e.kind {
            ExprKind::Int(_) => self.typed.types.number(),
            ExprKind::Float(_) => con("float"),
            ExprKind::Str(_) => con("string"),
            ExprKind::Char(_) => con("char"),
            ExprKind::Name(name) if name.starts_with('(') => self.operator(name, e.span),
            ExprKind::Name(_) | ExprKind::Next(_) => match self.names.uses.get(&e.id) {
                Some(&found) => self.of_ref(found, e.id),
                None => self.fresh(),
            },
            ExprKind::Apply(f, args) => self.apply(f, args),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, e.span),
            ExprKind::Negate(a) => {
                let found = self.expr(a);
                let wanted = self.typed.types.number();
                self.demand(&wanted, &found, a.span, Why { text: "`-` takes a number".into(), at: None });
                found
            }
            ExprKind::Cons { head, tail, .. } => self.cons(head, tail),
            ExprKind::Tuple(parts) => Ty::Tuple(parts.iter().map(|p| self.expr(p)).collect()),
            ExprKind::If(c, a, None) => {
                let is_statement = self.is_statement(e);
                self.condition(c);
                self.expr(a);
                self.lone_arm(e, a, is_statement)
            }
            ExprKind::If(c, a, Some(b)) => self.conditional(c, a, b),
            ExprKind::Case(tested, arms) => self.case(tested, arms),
            ExprKind::Block(block) => {
                self.groups(&block.groups);
                match &block.result {
                    Some(result) => self.expr(result),
                    None => con("void"),
                }
            }
            ExprKind::Loop(l) => self.looped(e.id, l),
            ExprKind::Fun(clauses) => self.clauses(clauses, "fun", None),
            ExprKind::Index(base, index, access) => {
                let kind = if *access == Access::Plain { self.fresh() } else { con("M") };
                self.subscript(base, index, kind, e.id)
            }
            ExprKind::Field(base, field, access) => self.field(base, field, *access, false),
            ExprKind::ListCompr(value, gens) => {
                self.gens(gens);
                list(self.expr(value))
            }
            ExprKind::ArrayCompr(c) => self.array_compr(c),
            ExprKind::Bad => self.fresh(),
        }
    }

    /// The type of an operator in parentheses.
    fn operator(&mut self, name: &str, span: Span) -> Ty {
        let two = |a: Ty, r: Ty| fun(a.clone(), fun(a, r));
        match name {
            "(+)" | "(-)" | "(*)" | "(^)" => {
                let n = self.typed.types.number();
                two(n.clone(), n)
            }
            "(/)" => two(con("float"), con("float")),
            "(and)" | "(or)" => two(con("bool"), con("bool")),
            "(++)" => {
                let l = self.fresh();
                self.wait(Waits::Operator(Pending {
                    a: (l.clone(), span),
                    b: (l.clone(), span),
                    result: None,
                    op: Op::Append,
                    wanted: None,
                }));
                two(l.clone(), l)
            }
            "(:)" => {
                let e = self.fresh();
                fun(e.clone(), fun(list(e.clone()), list(e)))
            }
            _ => {
                let e = self.fresh();
                two(e, con("bool"))
            }
        }
    }

    fn apply(&mut self, f: &Expr, args: &[Expr]) -> Ty {
        let mark = self.mark();
        let mut ty = self.expr(f);
        let mut pairs = Vec::new();
        for (n, arg) in args.iter().enumerate() {
            self.expr(arg);
            self.op_code(f, n, arg);
            let (from, to) = match self.prune(&ty) {
                Ty::Fun(f) => (f.0.clone(), f.1.clone()),
                Ty::Var(v) if !self.typed.types.vars[v].number => {
                    let (from, to) = (self.fresh(), self.fresh());
                    self.demand(
                        &ty,
                        &fun(from.clone(), to.clone()),
                        f.span,
                        Why { text: "only a function is applied to an argument".into(), at: Some(arg.span) },
                    );
                    (from, to)
                }
                other => {
                    self.too_many(f, args, n, &other);
                    args[n + 1..].iter().for_each(|a| {
                        self.expr(a);
                    });
                    return self.fresh();
                }
            };
            pairs.push((from, arg));
            ty = to;
        }
        let defined = self.defined_at(f);
        let shown = match &f.kind {
            ExprKind::Name(name) => format!("`{name}`"),
            _ => "this function".into(),
        };
        for (n, (from, arg)) in pairs.iter().enumerate() {
            let text = format!("argument {} of {shown}", n + 1);
            let why = Why { text, at: Some(defined.unwrap_or(f.span)) };
            if !self.element_waits(from, arg, f, &why) {
                self.coerce(from, arg, why);
            }
        }
        self.close(&mark);
        ty
    }

    /// Keeps an argument that is an array element of unknown type, if the function takes a float: the element
    /// may be an int of an array that the function around this takes (`leaves_open`). Returns whether it
    /// waits.
    fn element_waits(&mut self, from: &Ty, arg: &Expr, f: &Expr, why: &Why) -> bool {
        let found = self.typed.nodes[&arg.id].clone();
        let is_element = matches!(arg.kind, ExprKind::Index(..)) && is(&self.prune(from), "float");
        if !is_element || !matches!(self.prune(&found), Ty::Var(_)) {
            return false;
        }
        self.typed.widened.insert(arg.id, from.clone());
        self.wait(Waits::Operator(Pending {
            a: (found, arg.span),
            b: (from.clone(), f.span),
            result: Some((from.clone(), arg.span)),
            op: Op::Mul,
            wanted: Some(why.clone()),
        }));
        true
    }

    fn too_many(&mut self, f: &Expr, args: &[Expr], taken: usize, ty: &Ty) {
        let defined = self.defined_at(f);
        let shown = self.typed.types.show(ty);
        let text = match taken {
            0 => format!("this is not a function, but `{shown}`"),
            n => format!("this function takes {}, not {}", count(n, "argument", "arguments"), args.len()),
        };
        let takes_tuple = match self.typed.nodes.get(&f.id).map(|ty| self.prune(ty)) {
            Some(Ty::Fun(f)) => matches!(self.prune(&f.0), Ty::Tuple(parts) if parts.len() == args.len()),
            _ => false,
        };
        let is_next = self.program.on_next_line.contains(&args[taken].id);
        let d = self.error(Code::IdType, f.span, text);
        d.labels.push((args[taken].span, "this argument is one too many".into()));
        if is_next {
            d.help = Some("is a `;` missing at the end of the previous line?".into());
        } else if taken == 1 && takes_tuple {
            d.help = Some("the argument is a tuple: `f (x,y)`".into());
        }
        d.labels.extend(defined.map(|at| (at, "defined here".to_owned())));
    }

    /// The position of the definition that an expression names.
    fn defined_at(&self, e: &Expr) -> Option<Span> {
        match self.names.uses.get(&e.id)? {
            crate::check::resolve::Ref::Bind(id) => Some(self.names.binds[*id].span),
            crate::check::resolve::Ref::Con(con) => self.names.cons.get(*con).map(|c| c.span),
        }
    }

    fn binary(&mut self, op: Op, a: &Expr, b: &Expr, span: Span) -> Ty {
        let (ta, tb) = (self.expr(a), self.expr(b));
        match op {
            Op::And | Op::Or => {
                for (ty, e) in [(&ta, a), (&tb, b)] {
                    let why = Why { text: format!("`{}` takes bools", op.text()), at: None };
                    self.demand(&con("bool"), ty, e.span, why);
                }
                con("bool")
            }
            Op::Append => {
                let known = |infer: &Self, t: &Ty| !matches!(infer.prune(t), Ty::Var(_));
                let (first, second) = if known(self, &ta) || !known(self, &tb) {
                    ((&ta, a.span), (&tb, b.span))
                } else {
                    ((&tb, b.span), (&ta, a.span))
                };
                let p = Pending {
                    a: (first.0.clone(), first.1),
                    b: (second.0.clone(), second.1),
                    result: None,
                    op,
                    wanted: None,
                };
                if let Some(p) = self.decide(p) {
                    self.wait(Waits::Operator(p));
                }
                let why = Why { text: "`++` joins two lists, or two strings".into(), at: Some(first.1) };
                self.demand(first.0, second.0, second.1, why);
                ta
            }
            Op::Div => {
                for (ty, e) in [(&ta, a), (&tb, b)] {
                    let number = self.typed.types.number();
                    self.demand(&number, ty, e.span, Why { text: "`/` takes numbers".into(), at: None });
                }
                con("float")
            }
            Op::Add | Op::Sub | Op::Mul | Op::Pow => {
                let result = self.typed.types.number();
                let p = Pending {
                    a: (ta, a.span),
                    b: (tb, b.span),
                    result: Some((result.clone(), span)),
                    op,
                    wanted: None,
                };
                if let Some(p) = self.decide(p) {
                    self.wait(Waits::Operator(p));
                }
                result
            }
            _ => {
                let p = Pending { a: (ta, a.span), b: (tb, b.span), result: None, op, wanted: None };
                if let Some(p) = self.decide(p) {
                    self.wait(Waits::Operator(p));
                }
                con("bool")
            }
        }
    }

    fn cons(&mut self, head: &Expr, tail: &Expr) -> Ty {
        let mark = self.mark();
        self.expr(head);
        let t = self.expr(tail);
        let element = self.fresh();
        let whole = list(element.clone());
        let why = Why { text: "the tail of a list whose head is this".into(), at: Some(head.span) };
        self.flows(&whole, &t, tail.span, why);
        let why = Why { text: "the list's other elements".into(), at: Some(tail.span) };
        self.coerce(&element, head, why);
        self.close(&mark);
        whole
    }

    fn conditional(&mut self, c: &Expr, a: &Expr, b: &Expr) -> Ty {
        self.condition(c);
        self.expr(a);
        self.expr(b);
        // Arms that are tuples widen by component.
        if let (ExprKind::Tuple(xs), ExprKind::Tuple(ys)) = (&a.kind, &b.kind)
            && xs.len() == ys.len()
        {
            let mark = self.mark();
            let parts: Vec<Ty> = xs.iter().map(|_| self.fresh()).collect();
            for ((x, y), ty) in xs.iter().zip(ys).zip(&parts) {
                self.join(vec![x, y], ty, x.span, "the other arm", &mark);
            }
            return Ty::Tuple(parts.into());
        }
        let mark = self.mark();
        let result = self.fresh();
        self.join(vec![a, b], &result, a.span, "the other arm", &mark);
        result
    }

    fn case(&mut self, tested: &Expr, arms: &[Arm]) -> Ty {
        let ty = self.expr(tested);
        let mark = self.mark();
        let result = self.fresh();
        for arm in arms {
            let found = self.pat(&arm.pat);
            self.demand(
                &ty,
                &found,
                arm.pat.span,
                Why { text: "the tested value".into(), at: Some(tested.span) },
            );
            if let Some(guard) = &arm.guard {
                self.condition(guard);
            }
            self.expr(&arm.body);
        }
        self.join(
            arms.iter().map(|a| &a.body).collect(),
            &result,
            arms[0].body.span,
            "the first arm's value",
            &mark,
        );
        result
    }

    /// The type of an element of `base`, whose kind is `kind`; `node` gets the dimensions of a tuple.
    pub(super) fn subscript(&mut self, base: &Expr, index: &[Expr], kind: Ty, node: NodeId) -> Ty {
        let found = self.expr(base);
        let mut dims = index.len();
        if matches!(self.prune(&found), Ty::Fun(_)) {
            return self.subscripted_function(base, index);
        }
        let known = match self.prune(&found) {
            Ty::Con(name, _) => name.strip_suffix("d_array").and_then(|d| d.parse::<usize>().ok()),
            _ => None,
        };
        if let [one] = index {
            let ty = self.expr(one);
            let parts = match self.prune(&ty) {
                Ty::Tuple(parts) => Some(parts.len()),
                Ty::Var(v) if known.is_some_and(|d| d > 1) && !self.typed.types.vars[v].number => known,
                _ => None,
            };
            let wanted = match parts {
                Some(n) => {
                    dims = n;
                    self.typed.tuple_index.insert(node, n);
                    Ty::Tuple((0..n).map(|_| con("int")).collect())
                }
                None => con("int"),
            };
            self.demand(&wanted, &ty, one.span, Why { text: "a subscript is an int".into(), at: None });
        } else {
            index.iter().for_each(|i| self.int(i, "a subscript"));
        }
        if dims > 3 {
            let text = format!("an array has at most three dimensions, not {dims}");
            self.error(Code::IdType, base.span, text);
            return self.fresh();
        }
        let element = self.fresh();
        let why = Why {
            text: match known {
                Some(d) if d != dims => format!("{} given", count(dims, "subscript is", "subscripts are")),
                _ => "only an array has a subscript".into(),
            },
            at: index.first().map(|i| i.span),
        };
        let wanted = array(dims, kind, element.clone());
        self.demand(&wanted, &found, base.span, why);
        element
    }

    /// Reports `f [1,2]`: brackets are a subscript of the expression before them.
    fn subscripted_function(&mut self, base: &Expr, index: &[Expr]) -> Ty {
        for i in index {
            self.expr(i);
        }
        let d = self.error(Code::IdType, base.span, "a function has no elements".into());
        d.label = "brackets subscript this function".into();
        d.labels.extend(index.first().map(|i| (i.span, "this is taken for a subscript".to_owned())));
        d.help = Some("a list is written `1:2:3:Nil`, as an argument `f (1:2:3:Nil)`".into());
        self.fresh()
    }

    pub(super) fn field(&mut self, base: &Expr, field: &Name, access: Access, store: bool) -> Ty {
        let found = self.expr(base);
        let Some(&(con_at, at)) = self.names.fields.get(&field.text) else { return self.fresh() };
        let (whole, fields) = self.of_con(con_at);
        let why =
            Why { text: format!("`{}` is a field of the expected type", field.text), at: Some(field.span) };
        self.demand(&whole, &found, base.span, why);
        let info = &self.names.cons[con_at];
        let decl = &self.program.types[info.ty].cons[info.index].fields[at];
        let fits = match (decl.kind, access) {
            (ArrayKind::M, Access::Take | Access::Examine) | (ArrayKind::I, Access::Plain) => true,
            (ArrayKind::Functional, Access::Plain) => !store,
            _ => false,
        };
        if !fits {
            let (what, how) = match decl.kind {
                ArrayKind::M => ("an M-field", "take it by `!` or examine it by `!!`"),
                ArrayKind::I => ("an I-field", "select it, and store into it once, by `.`"),
                ArrayKind::Functional => ("a field of a value that is built at once", "select it by `.`"),
            };
            let declared = decl.name.as_ref().map_or(field.span, |n| n.span);
            let d = self.error(Code::IdType, field.span, format!("`{}` is {what}", field.text));
            d.labels.push((declared, "declared here".into()));
            d.help = Some(how.into());
        }
        fields[at].clone()
    }

    fn gens(&mut self, gens: &[Gen]) {
        for g in gens {
            match g {
                Gen::Range(p, r) => {
                    self.range(r);
                    let ty = self.pat(p);
                    self.demand(
                        &con("int"),
                        &ty,
                        p.span,
                        Why { text: "the index of a range".into(), at: None },
                    );
                }
                Gen::List(p, e) => {
                    let found = self.expr(e);
                    let ty = self.pat(p);
                    let why = Why { text: "an element of this list is wanted".into(), at: Some(p.span) };
                    self.demand(&list(ty), &found, e.span, why);
                }
                Gen::Bind(p, e) => {
                    let found = self.expr(e);
                    let ty = self.pat(p);
                    self.demand(&found, &ty, p.span, Why { text: "the value".into(), at: Some(e.span) });
                }
                Gen::When(e) => self.condition(e),
            }
        }
    }

    fn range(&mut self, r: &Range) {
        self.int(&r.from, "a bound of a range");
        self.int(&r.to, "a bound of a range");
        if let Some(by) = &r.by {
            self.int(by, "a step");
        }
    }

    fn looped(&mut self, id: NodeId, l: &Loop) -> Ty {
        let circulating = self.names.loops.get(&id).cloned().unwrap_or_default();
        for c in &circulating {
            let ty = self.fresh();
            for id in [c.current, c.next] {
                self.typed.binds.insert(id, Scheme { vars: Vec::new(), ty: ty.clone() });
            }
        }
        for c in &circulating {
            let (outer, current) = (self.of_bind(c.outer, 0), self.typed.binds[&c.current].ty.clone());
            let why =
                Why { text: "its value before the loop".into(), at: Some(self.names.binds[c.outer].span) };
            self.flows(&current, &outer, c.span, why);
        }
        match &l.head {
            LoopHead::Range(_, node, r) => {
                self.range(r);
                if let Some(&id) = self.names.defined.get(node) {
                    self.typed.binds.insert(id, Scheme { vars: Vec::new(), ty: con("int") });
                }
            }
            LoopHead::List(p, e) => {
                let found = self.expr(e);
                let ty = self.pat(p);
                let why = Why { text: "the loop takes its elements".into(), at: Some(p.span) };
                self.demand(&list(ty), &found, e.span, why);
            }
            LoopHead::While(e) => self.condition(e),
        }
        if let Some(bound) = &l.bound {
            self.int(bound, "the bound of a loop");
        }
        self.groups(&l.groups);
        match &l.finally {
            Some(finally) => self.expr(finally),
            None => con("void"),
        }
    }

    fn array_compr(&mut self, c: &ArrayCompr) -> Ty {
        let found = self.expr(&c.bounds);
        let pair = Ty::Tuple([con("int"), con("int")].into());
        let wanted = if c.dims == 1 { pair } else { Ty::Tuple((0..c.dims).map(|_| pair.clone()).collect()) };
        let dims = count(c.dims, "dimension", "dimensions");
        let text = format!("an array of {dims} has {}", count(c.dims, "pair of bounds", "pairs of bounds"));
        self.demand(&wanted, &found, c.bounds.span, Why { text, at: None });
        let mark = self.mark();
        let element = self.fresh();
        for region in &c.regions {
            self.region(region, &element, c.dims);
        }
        if let Some((op, gets)) = &c.accumulate {
            let found = self.expr(op);
            let value = self.fresh();
            let wanted = fun(element.clone(), fun(value.clone(), element.clone()));
            let why = Why {
                text: "the function takes the element so far and a contribution, and returns the new element"
                    .into(),
                at: None,
            };
            self.demand(&wanted, &found, op.span, why);
            for region in gets {
                self.region(region, &value, c.dims);
            }
        }
        self.close(&mark);
        let kind = match c.kind {
            ArrayKind::Functional => con("F"),
            ArrayKind::I => con("I"),
            ArrayKind::M => con("M"),
        };
        array(c.dims, kind, element)
    }

    fn region(&mut self, region: &Region, element: &Ty, dims: usize) {
        self.gens(&region.gens);
        if let ([one], true) = (&region.index[..], dims > 1) {
            let found = self.expr(one);
            let wanted = Ty::Tuple((0..dims).map(|_| con("int")).collect());
            self.demand(
                &wanted,
                &found,
                one.span,
                Why { text: format!("the array has {dims} dimensions"), at: None },
            );
        } else {
            region.index.iter().for_each(|i| self.int(i, "a subscript"));
            if region.index.len() != dims {
                let text =
                    format!("{} subscripts, where the array has {dims} dimensions", region.index.len());
                self.error(Code::IdType, region.span, text);
            }
        }
        self.expr(&region.value);
        self.coerce(element, &region.value, Why { text: "an element of the array".into(), at: None });
    }
}
