//! The verifier of rewritten trees: it checks that each name has the program's meaning where lowering renders
//! it.
//!
//! Passes move expressions: to a place before a loop, into a loop of their own, into another block. C looks
//! up a name where it stands. If an expression stands outside the scope of one of its names, the C compiler
//! refuses it, or, if an outer object has the same name, silently takes that object. This module walks a
//! function's body as lowering renders it, with the scopes of C, and checks:
//!
//! - a name of the program's has, by its spelling, the meaning that the typed tree gives it; so do typedef
//!   names and tags in types that are written out;
//! - a made [`Var`] is declared before its use, in the same list of nodes or one around it, and once;
//! - no block declares a name twice, and no definition names itself;
//! - a made variable is used according to its declaration, a buffer for objects of its type ([`variables`]),
//!   and the counter of a loop's iterations is changed by that loop's steps alone;
//! - an object that is accessed early, late or by its owner is neither strict nor volatile nor atomic;
//! - a value that is taken from a buffer has been read into it and waited for, and nothing in a loop that is
//!   read ahead orders accesses ([`ahead`]);
//! - a read ahead stands after the branches that decide whether the program does the read ([`guards`]);
//! - a statement or expression is rendered once: if it stands in two places it is copied
//!   ([`crate::ir::copy`]), since a later pass marks one of them.
//!
//! The walk is linear in the size of the tree. [`crate::passes`] has it check the functions that passes have
//! changed, and undoes changes that break these rules.
//!
//! The order of rendering is that of `lower`: the [`Access`] of a marked expression says which parts are
//! rendered; an object whose address is taken is rendered without its mark (`pointer_to` there). Copies share
//! types and operands that are not evaluated, so these may be rendered more than once.

mod ahead;
mod guards;
mod nodes;
mod scopes;
#[cfg(test)]
mod tests;
mod variables;

use self::ahead::Ahead;
use self::guards::Guards;
use self::scopes::{Scopes, Tag};
use self::variables::Kind;
use crate::facts::atomics;
use crate::facts::functions::{self, Summary};
use crate::facts::places::subscripted;
use crate::facts::statements;
use crate::facts::strictness::keeps_time;
use crate::ir::pass_id::PassId;
use crate::ir::reason::Reason;
use crate::ir::tree::{Access, Tree, Var};
use base::{Source, Span};
use c_sema::typed::SymId;
use c_sema::types::{QTy, Ty, Types};
use c_syntax::ast::*;
use c_syntax::visit::{
    Node as Any, Visitor, exists, walk_declarator, walk_expr, walk_specs, walk_stmt, walk_type_name,
};
use std::fmt;

/// A kind of fault in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A name means another object where it is rendered, or none.
    Meaning,
    /// A variable of an optimisation's is not declared where it is used.
    Undeclared,
    /// A name is declared twice in a block, or a made variable where it is visible already.
    Twice,
    /// A definition names itself.
    Itself,
    /// A statement or expression is rendered more than once.
    Again,
    /// A strict, volatile or atomic object is accessed at another time than the program does.
    Moved,
    /// A variable of an optimisation's is used as another kind than it is declared as.
    Kind,
    /// The counter of a loop's iterations is changed in one.
    Counter,
    /// A value is taken from a buffer that no read has been started into, or before the read has been waited
    /// for.
    NotHeld,
    /// A loop is read ahead, and something in it orders accesses.
    Ordered,
    /// An object is read ahead, and it is not known whether its iteration does the read.
    Unguarded,
}

/// The first fault of a function.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The kind of the fault.
    pub fault: Fault,
    /// The name that the fault is about; empty if the fault is about a statement or expression.
    pub name: String,
    /// The text of the faulty part, if it has no name; empty if the fault is about the loop.
    pub text: Span,
    /// The loops around the fault, outer ones first, by their places in the order of the program; a report
    /// names the last one.
    pub loops: Vec<Span>,
    /// The function's body, by its place in the order of the program.
    pub body: Span,
    /// Where the innermost loop around the fault begins in the text; without a loop, where the function's
    /// body begins.
    pub begins: u32,
}

impl Broken {
    /// Describes the place, the pass and the fault, for people.
    pub fn said(&self, pass: PassId, source: &Source) -> String {
        let place = source.presumed(self.begins);
        let file = source.file(place.file).display();
        let about = match (&*self.name, self.text.hi) {
            ("", 0) => "the loop",
            ("", _) => source.slice(self.text),
            (name, _) => name,
        };
        format!("{file}:{}: the optimisation `{pass}`: `{about}` {}", place.line, self.fault)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Fault::Meaning => "has another meaning there than in the program",
            Fault::Undeclared => "is used where it is not declared",
            Fault::Twice => "is declared twice",
            Fault::Itself => "is defined by itself",
            Fault::Again => "is rendered more than once",
            Fault::Moved => {
                "is strict, volatile or atomic, and is accessed at another time than in the program"
            }
            Fault::Kind => "is used as another kind of variable than declared",
            Fault::Counter => "counts a loop's iterations, and is changed in one",
            Fault::NotHeld => "is read before it holds a value",
            Fault::Ordered => "is read ahead across a statement that orders accesses",
            Fault::Unguarded => "is read ahead before the condition of the read is known",
        })
    }
}

/// The faults of a tree: the first of each function.
pub fn verify(tree: &Tree) -> Vec<Broken> {
    let bodies: Vec<StmtId> = tree.bodies().collect();
    verify_bodies(tree, &bodies)
}

/// The first faults of some functions.
pub(crate) fn verify_bodies(tree: &Tree, bodies: &[StmtId]) -> Vec<Broken> {
    let Some(&function) = bodies.first() else { return Vec::new() };
    let mut walk = Walk {
        tree,
        scopes: Scopes::new(&tree.typed, tree.names(), tree.vars),
        exprs: Seen::new(tree.unit.exprs.len()),
        stmts: Seen::new(tree.unit.stmts.len()),
        types: 0,
        loops: Vec::new(),
        counters: Vec::new(),
        ahead: Ahead::default(),
        guards: Guards::default(),
        function,
        found: None,
    };
    let of = |&body: &StmtId| walk.function(body);
    bodies.iter().filter_map(of).collect()
}

/// The nodes of a kind that have been rendered, as bits.
struct Seen(Vec<u64>);

impl Seen {
    fn new(nodes: usize) -> Seen {
        Seen(vec![0; nodes.div_ceil(64)])
    }

    /// Marks a node as rendered. Returns true if it was not.
    fn first(&mut self, index: usize) -> bool {
        let (word, bit) = (&mut self.0[index / 64], 1 << (index % 64));
        let first = *word & bit == 0;
        *word |= bit;
        first
    }
}

/// The way in which lowering renders an expression.
#[derive(Clone, Copy, PartialEq)]
enum How {
    /// For its value, or as the object that is accessed: its mark counts.
    Accessed,
    /// As an object whose address is taken: its mark does not count, nor do the marks of the wholes that it
    /// is a part of.
    Addressed,
}

struct Walk<'a> {
    tree: &'a Tree,
    scopes: Scopes<'a>,
    exprs: Seen,
    stmts: Seen,
    /// The number of types and unevaluated operands around the node at hand.
    types: u32,
    loops: Vec<Span>,
    /// The counters of the made loops around the node at hand, by number.
    counters: Vec<u32>,
    ahead: Ahead,
    guards: Guards,
    /// The function's body.
    function: StmtId,
    found: Option<Broken>,
}

impl<'a> Walk<'a> {
    fn function(&mut self, body: StmtId) -> Option<Broken> {
        self.function = body;
        (self.ahead, self.guards) = (Ahead::default(), Guards::default());
        self.stmt(body);
        if let Some(name) = self.scopes.leaked() {
            self.broken(Fault::Meaning, name);
        }
        self.found.take()
    }

    fn broken(&mut self, fault: Fault, name: String) {
        self.broken_at(fault, name, Span::new(0, 0));
    }

    fn broken_at(&mut self, fault: Fault, name: String, text: Span) {
        let (unit, loops) = (&self.tree.unit, &self.loops);
        let body = unit.stmts[self.function].at;
        self.found.get_or_insert_with(|| {
            let begins = unit.begins(*loops.last().unwrap_or(&body));
            Broken { fault, name, text, loops: loops.clone(), body, begins }
        });
    }

    fn name_of(&self, sym: SymId) -> String {
        self.tree.typed.sym(sym).name.to_string()
    }

    fn within(&mut self, inner: impl FnOnce(&mut Self)) {
        self.scopes.open();
        self.guarded(inner);
        self.scopes.close();
    }

    // ---- names -----------------------------------------------------------------------------------

    /// Checks a name of the program's that is rendered.
    fn sym(&mut self, sym: SymId) {
        if !self.scopes.means(sym) {
            self.broken(Fault::Meaning, self.name_of(sym));
        }
    }

    /// Enters a declaration of the program's that is rendered.
    fn bind(&mut self, sym: SymId) {
        // An object of the file may be declared again.
        if !self.scopes.bind(sym) && !self.scopes.is_of_file(sym) {
            self.broken(Fault::Twice, self.name_of(sym));
        }
    }

    fn declare(&mut self, var: Var, kind: Kind) {
        if !self.scopes.declare(var, kind) {
            self.broken(Fault::Twice, shown(var));
        }
    }

    /// Checks a type that is written out.
    fn ty(&mut self, q: QTy) {
        let types: &'a Types = &self.tree.typed.types;
        match types.get(q.ty) {
            Ty::Named(name, under) => {
                if types.is_shared(*under) {
                    return self.ty(*under);
                }
                if !self.scopes.has_typedef(name, *under) {
                    self.broken(Fault::Meaning, name.to_string());
                }
            }
            Ty::Pointer(to) if types.is_shared(*to) => {}
            Ty::Pointer(to) | Ty::Array(to, _) | Ty::Vector(to, _) => self.ty(*to),
            Ty::Function(f) => {
                self.ty(f.ret);
                f.params.iter().for_each(|&q| self.ty(q));
            }
            Ty::Record(id) => self.tag(&types.record(*id).tag, Tag::Record(*id)),
            Ty::Enum(id) => {
                let of = &types.enums[id.0 as usize];
                if !of.anonymous {
                    self.tag(&of.tag, Tag::Enum(*id));
                }
            }
            _ => {}
        }
    }

    fn tag(&mut self, tag: &'a str, of: Tag) {
        if !self.scopes.has_tag(tag, of) {
            self.broken(Fault::Meaning, tag.to_owned());
        }
    }

    // ---- statements ------------------------------------------------------------------------------

    fn rendered(&mut self, s: StmtId) {
        if !self.stmts.first(s.index()) {
            self.broken_at(Fault::Again, String::new(), self.tree.unit.stmts[s].span);
        }
    }

    /// Walks over a statement that has not been rewritten.
    fn stmt_kind(&mut self, s: StmtId) {
        match self.tree.unit.stmts[s].kind {
            StmtKind::Compound(_) | StmtKind::For { .. } | StmtKind::Forall { .. } => {
                self.within(|walk| walk_stmt(walk, s));
            }
            StmtKind::If(condition, ..) => self.decided(condition, |walk| walk_stmt(walk, s)),
            StmtKind::Barrier(..) | StmtKind::Fence => {
                self.orders();
                walk_stmt(self, s);
            }
            _ => walk_stmt(self, s),
        }
    }

    /// Walks over a declaration of names, types included.
    fn declared(&mut self, specs: SpecsId, items: &[InitDeclarator]) {
        self.specs(specs);
        for item in items {
            self.declarator(item.declarator);
            if let Some(sym) = self.tree.typed.declared(item.declarator) {
                self.bind(sym);
            }
            item.width.iter().for_each(|&width| self.unevaluated(width));
            item.init.iter().for_each(|&init| self.init(init));
        }
    }

    // ---- expressions -----------------------------------------------------------------------------

    /// Walks over an expression, which is rendered for the first time.
    fn expr_as(&mut self, e: ExprId, how: How) {
        let tree = self.tree;
        if self.types > 0 {
            return self.unevaluated(e);
        }
        if !self.exprs.first(e.index()) {
            self.broken_at(Fault::Again, String::new(), tree.unit.exprs[e].span);
        }
        match tree.access(e).filter(|_| how == How::Accessed) {
            Some(access) => {
                if access.moves() && keeps_time(&tree.unit, &tree.typed, e).is_some() {
                    self.broken_at(Fault::Moved, String::new(), tree.unit.exprs[e].span);
                }
                self.access(e, access);
            }
            None => {
                if how == How::Accessed
                    && self.ahead.in_loops()
                    && keeps_time(&tree.unit, &tree.typed, e) == Some(Reason::Strict)
                {
                    self.orders();
                }
                self.parts(e, how);
            }
        }
    }

    /// Walks over the parts of an expression without a mark that counts.
    fn parts(&mut self, e: ExprId, how: How) {
        let unit = &self.tree.unit;
        match unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.expr_as(a, how),
            ExprKind::Ident(_) => self.ident(e),
            ExprKind::Call(f, _)
                if self.ahead.in_loops()
                    && functions::of_call(self.tree, f) == Summary::Anything
                    && atomics::object_of(self.tree, e).is_none()
                    && !statements::is_failure(&self.tree.typed, f) =>
            {
                self.orders();
                walk_expr(self, e);
            }
            ExprKind::Unary(UnOp::Addr, a) => self.expr_as(a, How::Addressed),
            ExprKind::Member { base, arrow: false, .. } => self.expr_as(base, how),
            ExprKind::Index(a, b) => {
                let (base, index) = subscripted(self.tree, a, b);
                if self.is_array(base) {
                    self.expr_as(base, how);
                } else {
                    self.expr(base);
                }
                self.expr(index);
            }
            // The C compiler may find out which of its branches counts.
            ExprKind::Generic(..) if self.tree.typed.generic_choice(e).is_some() => {
                let chosen = self.tree.typed.generic_choice(e);
                chosen.iter().for_each(|&chosen| self.expr_as(chosen, how));
            }
            _ => walk_expr(self, e),
        }
    }

    /// Walks over the rendered parts of a marked expression.
    fn access(&mut self, e: ExprId, access: &Access) {
        let q = self.tree.typed.ty(e);
        match *access {
            Access::Element { base, ref index, ref inside } => {
                self.leads_to(base, inside.is_empty().then_some(q));
                self.term(index);
                inside.iter().for_each(|term| self.term(term));
            }
            Access::Value(var) => self.holds(var, q),
            Access::Prefetched { buffer, at, fetched, met, .. } => {
                self.take(e, buffer, [at, fetched]);
                self.flag(met);
                self.parts(e, How::Accessed);
            }
            Access::Staged { buffer, at, fetched, met, notes, .. } => {
                self.take(e, buffer, [at, fetched]);
                self.flag(met);
                notes.iter().for_each(|&notes| self.is(notes, Kind::State));
                self.parts(e, How::Accessed);
            }
            Access::Fetched { buffer, at, fetched } => {
                self.parts(e, How::Accessed);
                self.take(e, buffer, [at, fetched]);
            }
            Access::Held { buffer, at, fetched, otherwise }
            | Access::Again { buffer, at, fetched, otherwise } => {
                self.expr_as(otherwise, How::Accessed);
                self.take(e, buffer, [at, fetched]);
            }
            Access::Tried { state, stop } => {
                self.is(state, Kind::Rounds);
                stop.iter().for_each(|&stop| self.is(stop, Kind::Label));
                self.parts(e, How::Accessed);
            }
            Access::Cached(var) => {
                var.iter().for_each(|&var| self.flag(var));
                self.parts(e, How::Accessed);
            }
            Access::Counted(var) => {
                var.iter().for_each(|&var| self.is(var, Kind::Stores));
                self.parts(e, How::Accessed);
            }
            Access::WithNext(next) => {
                self.parts(e, How::Accessed);
                self.parts(next, How::Accessed);
            }
            Access::Done => {}
            Access::Number(ref number) => self.term(number),
            Access::Own | Access::Reduction | Access::Accumulated => self.parts(e, How::Accessed),
            Access::AndNext(var) => {
                self.parts(e, How::Accessed);
                self.set(var);
            }
            Access::Step(var, ref by) => {
                self.set(var);
                self.term(by);
            }
        }
    }

    /// Checks that the value of an object is taken from a buffer that has been filled.
    fn take(&mut self, e: ExprId, buffer: Var, [at, fetched]: [Var; 2]) {
        self.holds(buffer, self.tree.typed.ty(e));
        self.number(at);
        self.flag(fetched);
        self.taken(buffer);
    }

    fn ident(&mut self, e: ExprId) {
        if let Some(sym) = self.tree.typed.symbol(e) {
            self.sym(sym);
        }
    }

    /// Whether lowering renders the type of an unevaluated expression in its place.
    fn is_changed(&self, e: ExprId) -> bool {
        let tree = self.tree;
        let own = matches!(tree.unit.exprs[e].kind, ExprKind::Threads | ExprKind::MyThread);
        own || tree.access(e).is_some() || tree.typed.types.is_shared(tree.typed.ty(e))
    }

    fn is_array(&self, e: ExprId) -> bool {
        matches!(self.tree.typed.types.of(self.tree.typed.ty(e)), Ty::Array(..))
    }

    /// Walks over a part of a type: names count, marks do not.
    fn in_type(&mut self, inner: impl FnOnce(&mut Self)) {
        self.types += 1;
        inner(self);
        self.types -= 1;
    }
}

impl<'a> Visitor<'a> for Walk<'a> {
    fn unit(&self) -> &'a Unit {
        &self.tree.unit
    }

    fn stmt(&mut self, s: StmtId) {
        self.rendered(s);
        let tree = self.tree;
        let inner = |walk: &mut Self| match tree.nodes(s) {
            Some(nodes) => walk.block(nodes),
            None => walk.stmt_kind(s),
        };
        if crate::ir::walk::is_loop(&tree.unit.stmts[s].kind) { self.looped(s, inner) } else { inner(self) }
    }

    fn decl(&mut self, d: DeclId) {
        let unit = &self.tree.unit;
        match unit.decls[d].kind {
            DeclKind::Vars { specs, ref items } => self.declared(specs, items),
            // A function inside another.
            DeclKind::Function { declarator, body, .. } => {
                self.tree.typed.declared(declarator).into_iter().for_each(|sym| self.bind(sym));
                self.within(|walk| walk.stmt(body));
            }
            DeclKind::StaticAssert { cond, .. } => self.unevaluated(cond),
            DeclKind::Asm | DeclKind::Empty => {}
        }
    }

    fn expr(&mut self, e: ExprId) {
        // An array becomes a pointer to its first element.
        let how = if self.is_array(e) { How::Addressed } else { How::Accessed };
        self.expr_as(e, how);
    }

    /// Walks over an operand that is not evaluated. If lowering changes the operand, it renders the type
    /// instead.
    fn unevaluated(&mut self, e: ExprId) {
        if self.types == 0 && exists(&self.tree.unit, Any::Expr(e), |e| self.is_changed(e)) {
            return;
        }
        match self.tree.unit.exprs[e].kind {
            ExprKind::Ident(_) => self.ident(e),
            _ => self.in_type(|walk| walk_expr(walk, e)),
        }
    }

    fn type_name(&mut self, t: TypeNameId) {
        self.in_type(|walk| walk_type_name(walk, t));
    }

    fn specs(&mut self, s: SpecsId) {
        self.in_type(|walk| walk_specs(walk, s));
        let unit = &self.tree.unit;
        for ty in &unit.specs[s].types {
            match ty {
                TypeSpec::Typedef(_) => self.ty(self.tree.typed.specs_ty(s)),
                &TypeSpec::Record(id) if unit.records[id].fields.is_none() => {
                    let id = self.tree.typed.record_of(id);
                    self.tag(&self.tree.typed.types.record(id).tag, Tag::Record(id));
                }
                _ => {}
            }
        }
    }

    fn declarator(&mut self, d: DeclaratorId) {
        let prototype = |part: &Part| matches!(part, Part::Function { .. });
        let scoped = self.tree.unit.declarators[d].parts.iter().any(prototype);
        self.in_type(|walk| match scoped {
            true => walk.within(|walk| walk_declarator(walk, d)),
            false => walk_declarator(walk, d),
        });
    }

    fn record(&mut self, r: RecordSpecId) {
        let Some(fields) = &self.tree.unit.records[r].fields else { return };
        let id = self.tree.typed.record_of(r);
        self.scopes.bind_tag(&self.tree.typed.types.record(id).tag, Tag::Record(id));
        fields.iter().for_each(|&field| self.decl(field));
    }

    fn enumeration(&mut self, e: EnumSpecId) {
        let unit = &self.tree.unit;
        let Some(values) = &unit.enums[e].values else { return };
        let id = self.tree.typed.enum_of(e);
        self.scopes.bind_tag(&self.tree.typed.types.enums[id.0 as usize].tag, Tag::Enum(id));
        for (name, value) in values {
            value.iter().for_each(|&value| self.unevaluated(value));
            if let Some(sym) = self.scopes.enumerator(name.span.lo) {
                self.bind(sym);
            }
        }
    }
}

/// A made variable as `--emit=tree` shows it.
fn shown(var: Var) -> String {
    format!("{}.{}", var.what, var.number)
}
