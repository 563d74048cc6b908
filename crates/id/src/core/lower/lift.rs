//! Makes functions: those of the text, and those for loops and the like.

use super::{Ctx, Local, Lower};
use crate::check::resolve::BindId;
use crate::check::types::Ty;
use crate::core::language::*;
use crate::syntax::ast;
use base::{Code, Span};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// Limit for the instances of one function that are being made at once: beyond it, its types grow without
/// end.
const MOST_ACTIVE: usize = 12;

/// A function made of a part of another, and the names that it captures from that function.
#[derive(Clone)]
pub(super) struct Lifted {
    pub func: FuncId,
    pub captures: Vec<BindId>,
    pub io: bool,
    pub results: usize,
}

impl<'a> Lower<'a> {
    /// Makes a function of a part of the present one. The part uses the names `used`, takes `extra` further
    /// words and returns `results`. `make` gets the new function, which it may call, and the extra
    /// parameters.
    pub(super) fn lift(
        &mut self,
        name: &str,
        used: &BTreeSet<BindId>,
        extra: usize,
        results: usize,
        span: Span,
        make: impl FnOnce(&mut Self, &Lifted, &[Atom]) -> Vec<Atom>,
    ) -> Lifted {
        let captures = self.captures(used);
        let io = self.ctx.token.is_some() && used.iter().any(|id| self.io.contains(id));
        let lifted = Lifted { func: self.new_func(), captures, io, results };
        let inner = Ctx { env: self.ctx.env.clone(), types: self.ctx.types.clone(), ..Ctx::default() };
        let constants: Vec<(BindId, Atom)> =
            self.ctx.values.iter().filter(|v| !matches!(v.1, Atom::Var(_))).map(|v| (*v.0, *v.1)).collect();
        let outer = std::mem::replace(&mut self.ctx, inner);
        self.ctx.values.extend(constants);
        let mut params = self.take_params(&lifted.captures);
        let extras: Vec<Var> = (0..extra).map(|_| self.var()).collect();
        let atoms: Vec<Atom> = extras.iter().map(|&v| Atom::Var(v)).collect();
        params.extend(extras);
        if io {
            let token = self.var();
            params.push(token);
            self.ctx.token = Some(Atom::Var(token));
        }
        let body = self.block(|l| {
            let mut out = make(l, &lifted, &atoms);
            out.extend(l.ctx.token);
            out
        });
        let vars = self.ctx.vars;
        self.keep_names(lifted.func);
        self.ctx = outer;
        let results = results + usize::from(io);
        let func = Func { name: name.into(), params, body, vars, results, io, looped: true, span };
        self.core.funcs[lifted.func] = func;
        lifted
    }

    fn take_params(&mut self, captures: &[BindId]) -> Vec<Var> {
        let mut params = Vec::new();
        for &id in captures {
            let var = self.var();
            self.stands_now_for(id, Atom::Var(var));
            params.push(var);
        }
        params
    }

    /// Notes the names of the variables of the function that has been made.
    pub(super) fn keep_names(&mut self, func: FuncId) {
        self.core.names.insert(func, std::mem::take(&mut self.ctx.names));
    }

    pub(super) fn new_func(&mut self) -> FuncId {
        self.core.funcs.push(Func::default());
        self.core.funcs.len() - 1
    }

    pub(super) fn call_lifted(&mut self, lifted: &Lifted, extra: &[Atom], span: Span) -> Vec<Atom> {
        self.call_lifted_as(lifted, extra, false, span)
    }

    /// With `join` the last result arrives when all work that the function has started has ended.
    pub(super) fn call_lifted_as(
        &mut self,
        lifted: &Lifted,
        extra: &[Atom],
        join: bool,
        span: Span,
    ) -> Vec<Atom> {
        let mut args: Vec<Atom> = lifted.captures.iter().map(|id| self.value_of(*id)).collect();
        args.extend_from_slice(extra);
        self.call(lifted.func, args, lifted.results, lifted.io, join, span)
    }

    /// Emits a call, which passes the token on if the function does input or output.
    pub(super) fn call(
        &mut self,
        func: FuncId,
        mut args: Vec<Atom>,
        results: usize,
        io: bool,
        join: bool,
        span: Span,
    ) -> Vec<Atom> {
        if io {
            args.push(self.ctx.token.unwrap_or(Atom::Int(0)));
        }
        let op = Op::Call { func, args, join };
        let mut atoms = self.emit_many(op, results + usize::from(io) + usize::from(join), span);
        let done = if join { atoms.pop() } else { None };
        if io {
            let token = atoms.pop();
            if self.ctx.token.is_some() {
                self.ctx.token = token;
            }
        }
        atoms.extend(done);
        atoms
    }

    pub(super) fn value_of(&self, id: BindId) -> Atom {
        self.ctx.values.get(&id).copied().unwrap_or(Atom::Int(0))
    }

    /// The instance of a function of the text for these types, made at its first use.
    pub(super) fn instance(&mut self, local: &Rc<Local<'a>>, id: BindId, args: Vec<Ty>) -> FuncId {
        if let Some(&func) = local.made.borrow().get(&args) {
            return func;
        }
        let func = self.new_func();
        if local.active.get() == MOST_ACTIVE {
            let shown: Vec<String> = args.iter().map(|ty| self.typed.types.show_to(ty, 3)).collect();
            if self.said.iter().all(|d| d.code != Code::IdType || d.span != local.span) {
                let text = format!("`{}` uses itself at ever larger types", local.name);
                let d = self.error(Code::IdType, local.span, text);
                d.notes.push(format!("one of them is `{}`", shown.join(", ")));
                d.notes.push("a function is compiled for each type at which it is used".into());
            }
            return func;
        }
        local.made.borrow_mut().insert(args.clone(), func);
        local.active.set(local.active.get() + 1);
        let mut types: HashMap<usize, Ty> = (*local.types).clone();
        if let Some(scheme) = self.typed.binds.get(&id) {
            // A variable of the scheme may have been unified with another.
            for (&v, ty) in scheme.vars.iter().zip(args) {
                if let Ty::Var(v) = self.typed.types.prune(&Ty::Var(v)) {
                    types.insert(v, ty);
                }
            }
        }
        let constants: Vec<(BindId, Atom)> =
            self.ctx.values.iter().filter(|v| !matches!(v.1, Atom::Var(_))).map(|v| (*v.0, *v.1)).collect();
        let inner = Ctx { env: local.env.clone(), types: Rc::new(types), ..Ctx::default() };
        let outer = std::mem::replace(&mut self.ctx, inner);
        self.ctx.values.extend(constants);
        let made = self.function(local);
        self.keep_names(func);
        self.ctx = outer;
        self.core.funcs[func] = made;
        local.active.set(local.active.get() - 1);
        func
    }

    fn function(&mut self, local: &Rc<Local<'a>>) -> Func {
        let mut params = self.take_params(&local.captures);
        let arity = local.clauses[0].params.len();
        let own: Vec<Var> = (0..arity).map(|_| self.var()).collect();
        let atoms: Vec<Atom> = own.iter().map(|&v| Atom::Var(v)).collect();
        params.extend(own);
        if local.io {
            let token = self.var();
            params.push(token);
            self.ctx.token = Some(Atom::Var(token));
        }
        let (clauses, span) = (local.clauses, local.span);
        let name = local.name.clone();
        let body = self.block(|l| {
            let mut out = l.clauses(clauses, &atoms, &name, span);
            out.extend(l.ctx.token);
            out
        });
        let results = 1 + usize::from(local.io);
        Func { name, params, body, vars: self.ctx.vars, results, io: local.io, looped: false, span }
    }

    /// Emits the clauses of a function for these arguments; the first that fits has the result.
    pub(super) fn clauses(
        &mut self,
        clauses: &'a [ast::Clause],
        args: &[Atom],
        name: &str,
        span: Span,
    ) -> Vec<Atom> {
        let Some((clause, rest)) = clauses.split_first() else {
            self.fail(&format!("no clause of `{name}` fits its arguments"), span);
            return vec![Atom::Int(0)];
        };
        let pats: Vec<&'a ast::Pat> = clause.params.iter().collect();
        self.arm(
            &pats,
            args,
            clause.guard.as_ref(),
            clause.span,
            |l| vec![l.expr(&clause.body)],
            |l| l.clauses(rest, args, name, span),
        )
    }

    /// The function of `arity` parameters by which an operation that `make` emits is used as a value. `key`
    /// and `ty` identify it.
    pub(super) fn wrapper(
        &mut self,
        key: &str,
        ty: &Ty,
        arity: usize,
        io: bool,
        span: Span,
        make: impl FnOnce(&mut Self, &[Atom]) -> Atom,
    ) -> FuncId {
        if let Some(&func) = self.wrappers.get(&(key.to_owned(), ty.clone())) {
            return func;
        }
        let func = self.new_func();
        self.wrappers.insert((key.to_owned(), ty.clone()), func);
        let outer = std::mem::take(&mut self.ctx);
        self.ctx.types = outer.types.clone();
        let params: Vec<Var> = (0..arity).map(|_| self.var()).collect();
        let atoms: Vec<Atom> = params.iter().map(|&v| Atom::Var(v)).collect();
        if io {
            self.ctx.token = Some(Atom::Int(0));
        }
        let body = self.block(|l| vec![make(l, &atoms)]);
        let vars = self.ctx.vars;
        self.ctx = outer;
        let name = key.to_owned();
        self.core.funcs[func] = Func { name, params, body, vars, results: 1, io, looped: false, span };
        func
    }

    /// The one value of `void`.
    pub(super) fn nothing(&self) -> Atom {
        Atom::Int(0)
    }
}
