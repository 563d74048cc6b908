//! Lowers the typed tree to functions of unordered bindings.
//!
//! Each function is instantiated once for each list of types at which it is used, so that operators, equality
//! and printing are known. The values that a function captures from the functions around it are its first
//! parameters. Functions that do input or output take and return a token, which orders these effects as in
//! the text. Loops and the generators of comprehensions become functions that call themselves.

mod apply;
mod array;
mod builtin;
mod compr;
mod derive;
mod expr;
mod lift;
mod looped;
mod order;
mod pattern;
mod widen;

use crate::check::external::External;
use crate::check::infer::Typed;
use crate::check::resolve::{BindId, Names, Ref};
use crate::check::types::{Ty, UNKNOWN, con, fun};
use crate::core::language::*;
use crate::stack::with_stack;
use crate::syntax::ast::{self, NodeId};
use crate::syntax::walk;
use base::{Code, Diagnostic, Source, Span};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// Lowers a program without errors. Reports the errors that only instances show, as equality of functions.
pub fn lower(
    program: &ast::Program,
    names: &Names,
    typed: &Typed,
    source: &Source,
) -> (Program, Vec<Diagnostic>) {
    let mut lower = Lower {
        names,
        typed,
        source,
        program,
        core: Program::default(),
        used: HashMap::new(),
        io: BTreeSet::new(),
        derived: HashMap::new(),
        wrappers: HashMap::new(),
        said: Vec::new(),
        library: HashMap::new(),
        externals: HashMap::new(),
        root: Rc::default(),
        ctx: Ctx::default(),
    };
    for stmt in &program.library {
        if let ast::Stmt::Def(def) = stmt
            && let Some(&id) = names.defined.get(&def.id)
        {
            lower.library.insert(def.name.text.clone(), id);
        }
    }
    lower.find_externals();
    lower.find_used();
    lower.entry();
    (lower.core, lower.said)
}

/// A function of the text, in the surroundings where it is defined.
struct Local<'a> {
    clauses: &'a [ast::Clause],
    name: String,
    span: Span,
    /// Values of the surroundings that it uses.
    captures: Vec<BindId>,
    types: Rc<HashMap<usize, Ty>>,
    env: Rc<Env<'a>>,
    /// The instances, by the types of the type variables.
    made: RefCell<HashMap<Vec<Ty>, FuncId>>,
    /// The number of instances that are being made.
    active: Cell<usize>,
    io: bool,
}

/// The functions that are visible.
#[derive(Default)]
struct Env<'a> {
    outer: Option<Rc<Env<'a>>>,
    funcs: RefCell<HashMap<BindId, Rc<Local<'a>>>>,
}

impl<'a> Env<'a> {
    fn find(&self, id: BindId) -> Option<Rc<Local<'a>>> {
        let here = self.funcs.borrow().get(&id).cloned();
        here.or_else(|| self.outer.as_ref()?.find(id))
    }
}

/// The function that is being made.
#[derive(Default)]
struct Ctx<'a> {
    values: HashMap<BindId, Atom>,
    env: Rc<Env<'a>>,
    types: Rc<HashMap<usize, Ty>>,
    /// The types of type variables, as far as they have been looked up.
    concrete: RefCell<HashMap<usize, Ty>>,
    out: Vec<Bind>,
    vars: usize,
    /// The names that variables have in the text.
    names: BTreeMap<Var, String>,
    /// Variables that were made for names before their definitions were lowered.
    presets: BTreeSet<Var>,
    /// The token, in a function that does input or output.
    token: Option<Atom>,
}

struct Lower<'a> {
    names: &'a Names,
    typed: &'a Typed,
    source: &'a Source,
    program: &'a ast::Program,
    core: Program,
    /// The names that each function uses, directly or by way of other functions.
    used: HashMap<BindId, BTreeSet<BindId>>,
    /// Functions that do input or output.
    io: BTreeSet<BindId>,
    derived: HashMap<(derive::Derived, Ty), FuncId>,
    wrappers: HashMap<(String, Ty), FuncId>,
    said: Vec<Diagnostic>,
    /// The library's functions by name, and where they are visible.
    library: HashMap<String, BindId>,
    /// The functions of C: index into [`Program::externals`].
    externals: HashMap<BindId, usize>,
    root: Rc<Env<'a>>,
    ctx: Ctx<'a>,
}

impl<'a> Lower<'a> {
    fn find_externals(&mut self) {
        for (id, bind) in self.names.binds.iter().enumerate() {
            let (Some((symbol, span)), Some(scheme)) = (&bind.external, self.typed.binds.get(&id)) else {
                continue;
            };
            if let Ok(mut external) = External::of(symbol, &self.typed.types.full(&scheme.ty)) {
                external.declared = Some(*span);
                self.externals.insert(id, self.core.externals.len());
                self.core.externals.push(external);
            }
        }
    }

    // ---- the names that functions use ---------------------------------------------------------------------

    fn find_used(&mut self) {
        let mut defs: Vec<(BindId, &'a ast::Def)> = Vec::new();
        let (names, program) = (self.names, self.program);
        let mut add = |stmt: &'a ast::Stmt| {
            if let ast::Stmt::Def(def) = stmt
                && let Some(&id) = names.defined.get(&def.id)
            {
                defs.push((id, def));
            }
        };
        let add_inner = |e: &'a ast::Expr, add: &mut dyn FnMut(&'a ast::Stmt)| match &e.kind {
            ast::ExprKind::Block(b) => b.groups.iter().flatten().for_each(add),
            ast::ExprKind::Loop(l) => l.groups.iter().flatten().for_each(add),
            _ => {}
        };
        for stmt in program.library.iter().chain(&program.stmts) {
            add(stmt);
            walk::stmt(stmt, &mut |e| add_inner(e, &mut add));
        }
        for result in &program.results {
            walk::exprs(result, &mut |e| add_inner(e, &mut add));
        }
        for (id, def) in &defs {
            let mut found = BTreeSet::new();
            def.clauses.iter().for_each(|c| walk::clause(c, &mut |e| self.direct(e, &mut found)));
            self.used.insert(*id, found);
        }
        self.close_used();
        let ordered = |id: &BindId| match self.externals.get(id) {
            Some(&n) => self.core.externals[n].ordered(),
            None => builtin::does_io(&names.binds[*id].name),
        };
        let io = |id: &BindId| names.binds[*id].builtin && ordered(id);
        self.io = self.used.iter().filter(|(_, used)| used.iter().any(io)).map(|(id, _)| *id).collect();
        self.io.extend((0..names.binds.len()).filter(io));
    }

    fn direct(&self, e: &ast::Expr, found: &mut BTreeSet<BindId>) {
        if let Some(Ref::Bind(id)) = self.names.uses.get(&e.id) {
            found.insert(*id);
        }
        // A loop reads the first values of its variables.
        if let Some(circulating) = self.names.loops.get(&e.id) {
            found.extend(circulating.iter().map(|c| c.outer));
        }
    }

    fn close_used(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for id in self.used.keys().copied().collect::<Vec<_>>() {
                let more = self.by_way_of(&self.used[&id]);
                let own = self.used.get_mut(&id).expect("it is a key");
                let before = own.len();
                own.extend(more);
                changed |= own.len() != before;
            }
        }
    }

    /// The names that expressions use, directly or by way of functions.
    fn used_by(&self, mut visit: impl FnMut(&mut dyn FnMut(&'a ast::Expr))) -> BTreeSet<BindId> {
        let mut found = BTreeSet::new();
        visit(&mut |e| self.direct(e, &mut found));
        let more = self.by_way_of(&found);
        found.extend(more);
        found
    }

    /// The names that the functions among `used` use and do not define themselves.
    fn by_way_of(&self, used: &BTreeSet<BindId>) -> BTreeSet<BindId> {
        let of = |f: &BindId| {
            let inner = self.names.inner.get(f).cloned().unwrap_or(0..0);
            self.used.get(f).into_iter().flatten().copied().filter(move |id| !inner.contains(id))
        };
        used.iter().flat_map(of).collect()
    }

    // ---- emitting
    // --------------------------------------------------------------------------------------------

    fn var(&mut self) -> Var {
        self.ctx.vars += 1;
        self.ctx.vars - 1
    }

    /// Makes a name stand for a value from here on; descriptions of the program call the value so.
    fn stands_now_for(&mut self, id: BindId, value: Atom) {
        if let Atom::Var(var) = value {
            self.ctx.names.entry(var).or_insert_with(|| self.names.binds[id].name.clone());
        }
        self.ctx.values.insert(id, value);
    }

    fn emit(&mut self, op: Op, span: Span) -> Atom {
        let dst = self.var();
        self.ctx.out.push(Bind { dst: vec![dst], op, span });
        Atom::Var(dst)
    }

    fn emit_many(&mut self, op: Op, results: usize, span: Span) -> Vec<Atom> {
        let dst: Vec<Var> = (0..results).map(|_| self.var()).collect();
        let atoms = dst.iter().map(|&v| Atom::Var(v)).collect();
        self.ctx.out.push(Bind { dst, op, span });
        atoms
    }

    fn prim(&mut self, prim: Prim, args: Vec<Atom>, span: Span) -> Atom {
        self.emit(Op::Prim(prim, args), span)
    }

    /// Collects the bindings that `make` emits in a block, whose results are those of `make`.
    fn block(&mut self, make: impl FnOnce(&mut Self) -> Vec<Atom>) -> Block {
        let before = std::mem::take(&mut self.ctx.out);
        let results = make(self);
        Block { binds: std::mem::replace(&mut self.ctx.out, before), results }
    }

    /// Emits a conditional. If an arm does input or output, both arms return their token too.
    fn conditional(
        &mut self,
        test: Atom,
        results: usize,
        span: Span,
        then: impl FnOnce(&mut Self) -> Vec<Atom>,
        other: impl FnOnce(&mut Self) -> Vec<Atom>,
    ) -> Vec<Atom> {
        let token = self.ctx.token;
        let mut then = self.block(then);
        let after_then = std::mem::replace(&mut self.ctx.token, token);
        let mut other = self.block(other);
        let after_other = std::mem::replace(&mut self.ctx.token, token);
        let ordered = after_then != token || after_other != token;
        if ordered {
            then.results.extend(after_then);
            other.results.extend(after_other);
        }
        let mut atoms = self.emit_many(Op::If { test, then, other }, results + usize::from(ordered), span);
        if ordered {
            self.ctx.token = atoms.pop();
        }
        atoms
    }

    /// Emits the end of the program with this message.
    fn fail(&mut self, text: &str, span: Span) {
        let text = self.text(text.as_bytes());
        self.ctx.out.push(Bind { dst: Vec::new(), op: Op::Fail { text }, span });
    }

    fn text(&mut self, bytes: &[u8]) -> usize {
        match self.core.texts.iter().position(|t| t == bytes) {
            Some(at) => at,
            None => {
                self.core.texts.push(bytes.to_vec());
                self.core.texts.len() - 1
            }
        }
    }

    fn error(&mut self, code: Code, span: Span, text: String) -> &mut Diagnostic {
        self.said.push(Diagnostic::error(code, span, text));
        self.said.last_mut().expect("it was just put there")
    }

    // ---- types
    // -----------------------------------------------------------------------------------------------

    /// The type with its variables replaced by their types in this instance; an undecided number is an int.
    fn concrete(&self, ty: &Ty) -> Ty {
        let all = |parts: &[Ty]| parts.iter().map(|p| self.concrete(p)).collect();
        match ty {
            Ty::Var(v) => with_stack(|| self.stands_for(*v)),
            Ty::Con(name, args) if args.is_empty() => Ty::Con(name.clone(), args.clone()),
            Ty::Con(name, args) => with_stack(|| Ty::Con(name.clone(), all(args))),
            Ty::Fun(f) => with_stack(|| fun(self.concrete(&f.0), self.concrete(&f.1))),
            Ty::Tuple(parts) => with_stack(|| Ty::Tuple(all(parts))),
        }
    }

    /// The type of a type variable in this instance. Cached, so that types that share parts are built once.
    fn stands_for(&self, v: usize) -> Ty {
        if let Some(known) = self.ctx.concrete.borrow().get(&v) {
            return known.clone();
        }
        let var = &self.typed.types.vars[v];
        let ty = match (&var.link, self.ctx.types.get(&v)) {
            (Some(to), _) => self.concrete(to),
            (None, Some(ty)) => ty.clone(),
            (None, None) if var.number => con("int"),
            (None, None) => con(UNKNOWN),
        };
        self.ctx.concrete.borrow_mut().insert(v, ty.clone());
        ty
    }

    fn ty(&self, node: NodeId) -> Ty {
        self.typed.nodes.get(&node).map_or_else(|| con("void"), |ty| self.concrete(ty))
    }

    fn ty_of_bind(&self, id: BindId) -> Ty {
        self.typed.binds.get(&id).map_or_else(|| con("void"), |s| self.concrete(&s.ty))
    }

    /// A constructor's name as the user spells it.
    fn spelled(&self, con: usize) -> String {
        self.source.slice(self.names.cons[con].span).to_owned()
    }

    // ---- the program
    // -----------------------------------------------------------------------------------------

    fn entry(&mut self) {
        let program = self.program;
        self.core.funcs.push(Func { name: "main".into(), io: true, results: 1, ..Func::default() });
        self.ctx = Ctx { token: Some(Atom::Int(0)), ..Ctx::default() };
        let body = self.block(|l| {
            l.define(&program.library);
            l.root = l.ctx.env.clone();
            l.define(&program.stmts);
            l.statements(&program.library);
            // Input and output happen in the order of the text.
            let mut stmts = program.stmts.as_slice();
            for result in &program.results {
                // The value of `main` has the span of its definition, whose output comes first.
                let before = stmts.partition_point(|s| s.place().lo <= result.span.lo);
                l.statements(&stmts[..before]);
                stmts = &stmts[before..];
                let value = l.expr(result);
                let ty = l.ty(result.id);
                let ty = match l.typed.widened.get(&result.id) {
                    Some(wide) => l.concrete(wide),
                    None => ty,
                };
                if ty != con("void") && ty != con(UNKNOWN) {
                    l.print(value, &ty, result.span);
                }
            }
            l.statements(stmts);
            l.ctx.token.into_iter().collect()
        });
        let func = &mut self.core.funcs[0];
        func.body = body;
        func.vars = self.ctx.vars;
        self.keep_names(0);
    }

    /// Makes the functions of these statements visible, and variables for the values that they define.
    fn define(&mut self, stmts: &'a [ast::Stmt]) {
        let env = Rc::new(Env { outer: Some(self.ctx.env.clone()), funcs: RefCell::default() });
        self.ctx.env = env.clone();
        for stmt in stmts {
            for id in self.values_of(stmt) {
                let var = self.var();
                self.ctx.presets.insert(var);
                let value = self.constant(stmt, id).unwrap_or(Atom::Var(var));
                self.stands_now_for(id, value);
            }
        }
        for stmt in stmts {
            let ast::Stmt::Def(def) = stmt else { continue };
            let Some(&id) = self.names.defined.get(&def.id) else { continue };
            if def.clauses[0].params.is_empty() {
                continue;
            }
            let captures = self.captures(&self.used[&id]);
            let local = Local {
                clauses: &def.clauses,
                name: def.name.text.clone(),
                span: def.name.span,
                captures,
                types: self.ctx.types.clone(),
                env: env.clone(),
                made: RefCell::default(),
                active: Cell::default(),
                io: self.io.contains(&id),
            };
            env.funcs.borrow_mut().insert(id, Rc::new(local));
        }
    }

    /// The constant that a definition by a literal number stands for.
    fn constant(&self, stmt: &ast::Stmt, id: BindId) -> Option<Atom> {
        let ast::Stmt::Bind { lhs, value, .. } = stmt else { return None };
        let [ast::Lhs::Pat(ast::Pat { kind: ast::PatKind::Name(_), .. })] = &lhs[..] else { return None };
        let ty = self.ty_of_bind(id);
        match value.kind {
            ast::ExprKind::Int(n) if ty == con("float") => Some(Atom::Float(n as f64)),
            ast::ExprKind::Int(n) => Some(Atom::Int(n)),
            ast::ExprKind::Float(x) => Some(Atom::Float(x)),
            _ => None,
        }
    }

    /// Whether a left-hand side stands for a number, which replaces its uses.
    fn is_constant(&self, lhs: &ast::Lhs) -> bool {
        let ast::Lhs::Pat(p) = lhs else { return false };
        let id = self.names.defined.get(&p.id);
        id.is_some_and(|id| matches!(self.ctx.values.get(id), Some(Atom::Int(_) | Atom::Float(_))))
    }

    /// The names among `used` that stand for variables here.
    fn captures(&self, used: &BTreeSet<BindId>) -> Vec<BindId> {
        used.iter().copied().filter(|id| matches!(self.ctx.values.get(id), Some(Atom::Var(_)))).collect()
    }

    /// The values that a statement defines.
    fn values_of(&self, stmt: &ast::Stmt) -> Vec<BindId> {
        let mut ids = Vec::new();
        match stmt {
            ast::Stmt::Def(def) if def.clauses[0].params.is_empty() => {
                ids.extend(self.names.defined.get(&def.id))
            }
            ast::Stmt::Bind { lhs, .. } => {
                for l in lhs {
                    match l {
                        ast::Lhs::Pat(p) => {
                            pattern::nodes(p, &mut |id| ids.extend(self.names.defined.get(&id)))
                        }
                        ast::Lhs::Next(_, id) => ids.extend(self.names.defined.get(id)),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        ids
    }
}
