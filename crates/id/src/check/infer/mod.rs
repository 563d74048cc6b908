//! Types of all expressions (docs/id90.md, "Types"), by Hindley and Milner's algorithm.
//!
//! Functions are generalised in groups that call each other; values are not. The operands of an arithmetic
//! operator may be `int` and `float`: such an operator stays pending until one of its types is known, and is
//! then one of three: both int, both float, or an int that is widened. An operator that is still open when a
//! function is generalised takes one type for both operands. [`Typed::widened`] has the expressions of which
//! a wider type may be wanted.

mod binding;
mod expr;
mod flow;
mod lone;
mod op_code;
mod operators;
mod pattern;
mod settle;
mod waiting;
mod written;

use crate::check::resolve::{BindId, Names, Ref};
use crate::check::types::*;
use crate::syntax::ast::*;
use base::{Code, Diagnostic, Span};
use std::collections::{HashMap, HashSet};

/// The results of inference.
#[allow(missing_docs)]
pub struct Typed {
    pub types: Types,
    /// The type of each expression and pattern.
    pub nodes: HashMap<NodeId, Ty>,
    /// The type of each definition.
    pub binds: HashMap<BindId, Scheme>,
    /// The types that stand for the variables of a definition's scheme at a use.
    pub instances: HashMap<NodeId, Vec<Ty>>,
    /// Expressions whose value is wanted as this type, which may be wider.
    pub widened: HashMap<NodeId, Ty>,
    /// Subscripts by one expression that is a tuple: the number of dimensions.
    pub tuple_index: HashMap<NodeId, usize>,
    /// Numbers that stand for the operator by which an accumulator adds.
    pub op_codes: HashSet<NodeId>,
    /// The fields' types of each constructor, and the parameters of its type.
    pub fields: HashMap<usize, Vec<Ty>>,
    pub params: HashMap<usize, Vec<Ty>>,
    pub said: Vec<Diagnostic>,
}

/// Infers the types of a program whose names are resolved.
pub fn infer(program: &Program, names: &Names) -> Typed {
    let typed = Typed {
        types: Types::default(),
        nodes: HashMap::new(),
        binds: HashMap::new(),
        instances: HashMap::new(),
        widened: HashMap::new(),
        tuple_index: HashMap::new(),
        op_codes: HashSet::new(),
        fields: HashMap::new(),
        params: HashMap::new(),
        said: Vec::new(),
    };
    let mut infer = Infer {
        typed,
        names,
        program,
        synonyms: HashMap::new(),
        pending: Default::default(),
        ints: Vec::new(),
        written: 0,
        cyclic: HashSet::new(),
        lone: Default::default(),
        whole: HashMap::new(),
    };
    infer.declared_types();
    infer.builtins();
    infer.externals();
    infer.groups(std::slice::from_ref(&program.library));
    infer.groups(std::slice::from_ref(&program.stmts));
    for result in &program.results {
        infer.expr(result);
    }
    infer.settle(0, &[]);
    infer.settle_lone();
    infer.typed
}

/// A number of things, in words.
fn count(n: usize, one: &str, more: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { more })
}

/// Why a type is expected.
#[derive(Clone)]
struct Why {
    text: String,
    at: Option<Span>,
}

struct Infer<'a> {
    typed: Typed,
    names: &'a Names,
    program: &'a Program,
    synonyms: HashMap<String, (Vec<String>, TypeExpr)>,
    pending: waiting::Waiting,
    /// The waiting flows of ints, for the expressions in which they were made (`Mark`).
    ints: Vec<usize>,
    /// The number of parts so far of the written type that is being converted.
    written: usize,
    /// Synonyms that stand for themselves, and are reported.
    cyclic: HashSet<String>,
    lone: lone::Lone,
    /// Names for whole numbers.
    whole: HashMap<BindId, i64>,
}

impl Infer<'_> {
    fn fresh(&mut self) -> Ty {
        self.typed.types.fresh()
    }

    fn prune(&self, ty: &Ty) -> Ty {
        self.typed.types.prune(ty)
    }

    fn error(&mut self, code: Code, span: Span, text: String) -> &mut Diagnostic {
        self.typed.said.push(Diagnostic::error(code, span, text));
        self.typed.said.last_mut().expect("it was just put there")
    }

    /// The expression at `span` has type `found`, where `expected` is wanted.
    fn demand(&mut self, expected: &Ty, found: &Ty, span: Span, why: Why) {
        self.demanded(expected, found, span, why, |infer| infer.typed.types.unify(expected, found, span));
    }

    /// Reports that the types do not fit, if `fits` cannot make them.
    fn demanded(
        &mut self,
        expected: &Ty,
        found: &Ty,
        span: Span,
        why: Why,
        fits: impl FnOnce(&mut Self) -> bool,
    ) {
        let origin = self.typed.types.why(expected);
        let mark = self.typed.types.linked.len();
        if fits(self) {
            return;
        }
        let endless = std::mem::take(&mut self.typed.types.endless);
        let before = self.typed.types.as_before(mark, |t| (t.full(expected), t.full(found)));
        let stored = self.is_stored_into(&before.0) && self.is_functional(&before.1);
        let (e, f) = self.typed.types.show_both(&before.0, &before.1);
        let (e, f) = if e == f { self.typed.types.show_both(expected, found) } else { (e, f) };
        let d = self.error(Code::IdType, span, format!("expected `{e}`, found `{f}`"));
        d.label = format!("this is `{f}`");
        match why.at {
            Some(at) if at != span => d.labels.push((at, why.text)),
            _ => d.notes.push(why.text),
        }
        if stored {
            d.notes.push("only the elements of I-arrays can be stored into one by one".into());
        }
        if endless {
            d.notes
                .push(format!("`{e}` and `{f}` would be one type that contains itself, which is impossible"));
            d.help = Some("a type that contains itself is declared by `type`, with a constructor".into());
        }
        if let Some(origin) = origin
            && !stored
            && origin != span
            && d.labels.iter().all(|l| l.0 != origin)
        {
            d.labels.push((origin, format!("the type `{e}` follows from this")));
        }
    }

    fn is_of_kind(&self, ty: &Ty, kinds: &[&str]) -> bool {
        crate::check::types::kind_of(&self.prune(ty))
            .is_some_and(|k| kinds.iter().any(|kind| is(&self.prune(k), kind)))
    }

    /// Whether this is the type of an I-array, whose elements are stored one by one.
    fn is_stored_into(&self, ty: &Ty) -> bool {
        self.is_of_kind(ty, &["I", "S"])
    }

    fn is_functional(&self, ty: &Ty) -> bool {
        self.is_of_kind(ty, &["F"])
    }

    /// Whether a type is `int` now.
    fn is_int(&self, ty: &Ty) -> bool {
        is(&self.prune(ty), "int")
    }

    /// The type of a use of a definition.
    fn of_bind(&mut self, id: BindId, node: NodeId) -> Ty {
        let Some(scheme) = self.typed.binds.get(&id).cloned() else {
            let ty = self.fresh();
            self.typed.binds.insert(id, Scheme { vars: Vec::new(), ty: ty.clone() });
            return ty;
        };
        let (ty, args) = self.typed.types.instance(&scheme);
        if !args.is_empty() {
            self.typed.instances.insert(node, args);
        }
        ty
    }

    /// A constructor's result type, and its fields' types.
    fn of_con(&mut self, con: usize) -> (Ty, Vec<Ty>) {
        let info = &self.names.cons[con];
        let decl = &self.program.types[info.ty];
        let vars: Vec<(String, Ty)> = decl.params.iter().map(|p| (p.clone(), self.fresh())).collect();
        let fields = decl.cons[info.index]
            .fields
            .iter()
            .map(|f| self.written(&f.ty, &mut vars.clone(), false))
            .collect();
        let args: Vec<Ty> = vars.iter().map(|v| v.1.clone()).collect();
        (Ty::Con(decl.name.text.as_str().into(), args.into()), fields)
    }

    fn of_ref(&mut self, found: Ref, node: NodeId) -> Ty {
        match found {
            Ref::Bind(id) => self.of_bind(id, node),
            Ref::Con(con_at) if con_at >= crate::check::resolve::TEST => {
                let (ty, _) = self.of_con(con_at - crate::check::resolve::TEST);
                fun(ty, con("bool"))
            }
            Ref::Con(con) => {
                let (result, fields) = self.of_con(con);
                fields.into_iter().rev().fold(result, |to, from| fun(from, to))
            }
        }
    }
}
