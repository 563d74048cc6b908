//! The functions that can replace their calls.

use crate::facts::atomics;
use crate::facts::functions::{self, Summary};
use crate::facts::places::may_be_copied;
use crate::ir::tree::Tree;
use crate::ir::walk::{self, Definition};
use c_sema::typed::{SymId, SymKind, Symbol};
use c_sema::types::{Len, QTy, Ty, Types};
use c_syntax::ast::*;
use c_syntax::visit::{
    Node as Any, Visitor, each_expr, exists, walk_decl, walk_declarator, walk_enumeration, walk_expr,
    walk_record, walk_specs, walk_stmt,
};
use std::collections::HashSet;

/// The length of the longest body that replaces calls, in bytes of text, replaced calls in it included.
const LONGEST: u32 = 1200;

/// A function that can replace its calls.
pub(super) struct Callee {
    pub(super) function: SymId,
    pub(super) body: StmtId,
    /// The type of the function's value; none if `void`.
    pub(super) returns: Option<QTy>,
    pub(super) parameters: Vec<Parameter>,
    /// Names that the body declares.
    declares: HashSet<Box<str>>,
    /// Names that the function takes from the file. `behind` is where the name of the last object or function
    /// among these ends in the text.
    pub(super) takes: HashSet<Box<str>>,
    pub(super) behind: u32,
    /// Shared accesses without a qualifier are strict.
    pub(super) strict: bool,
}

/// A parameter.
pub(super) struct Parameter {
    pub(super) sym: SymId,
    /// The body only reads the parameter's value.
    read_only: bool,
}

impl Callee {
    /// Returns the function if it can replace its calls and accesses shared memory.
    pub(super) fn of(tree: &Tree, function: SymId) -> Option<Callee> {
        let unit = &tree.unit;
        let Definition { specs, declarator, body, .. } = definition(tree, function)?;
        let Stmt { span, at, .. } = unit.stmts[body];
        let changes = unit.strictness.iter().any(|&(at, _)| span.lo < at && at < span.hi);
        if at.hi - at.lo > LONGEST || changes || !super::returns::are_known(tree, body) {
            return None;
        }
        let returns = value_type(tree, specs, declarator)?;
        let parameters = parameters(tree, declarator, body)?;
        let (takes, begins) = (HashSet::new(), span.lo);
        let mut body_of = Names { tree, takes, begins, behind: 0, shares: false, fits: true, body: false };
        body_of.specs(specs);
        body_of.declarator(declarator);
        body_of.body = true;
        body_of.stmt(body);
        let Names { takes, behind, shares, fits, .. } = body_of;
        let strict = unit.strict_at(span.lo);
        (fits && shares).then_some(Callee {
            function,
            body,
            returns,
            parameters,
            declares: declared_in(tree, None, body).into_iter().map(Box::from).collect(),
            takes,
            behind,
            strict,
        })
    }
}

/// The definition of a function of the file's, if it is not in the old style and is the one that calls reach.
pub(super) fn definition(tree: &Tree, sym: SymId) -> Option<Definition> {
    walk::definition(tree, sym).filter(|&of| !of.old_style && functions::is_the_one(tree, of))
}

/// The functions that a statement calls by their names.
pub(super) fn calls_in(tree: &Tree, s: StmtId) -> HashSet<SymId> {
    let mut called = HashSet::new();
    each_expr(&tree.unit, Any::Stmt(s), |e| {
        if let ExprKind::Call(f, _) = tree.unit.exprs[e].kind {
            called.extend(tree.typed.symbol(tree.unit.bare(f)));
        }
        true
    });
    called
}

/// The type of a function's value: `Some(None)` for `void`. None if no variable of the type can be declared
/// and assigned.
fn value_type(tree: &Tree, specs: SpecsId, declarator: DeclaratorId) -> Option<Option<QTy>> {
    let (unit, types) = (&tree.unit, &tree.typed.types);
    let ret = types.as_function(tree.typed.declarator_ty(declarator))?.ret;
    if !unit.specs[specs].attrs.is_empty() || !unit.declarators[declarator].attrs.is_empty() {
        return None;
    }
    if matches!(types.of(ret), Ty::Void) {
        return Some(None);
    }
    let quals = types.object_quals(ret);
    let assigned = may_be_copied(types, ret) && !(quals.is_const || quals.is_volatile || quals.is_atomic);
    assigned.then_some(Some(ret))
}

/// The parameters, if variables can be declared in their place.
fn parameters(tree: &Tree, declarator: DeclaratorId, body: StmtId) -> Option<Vec<Parameter>> {
    let unit = &tree.unit;
    let Part::Function { params, variadic: false, .. } = unit.declarators[declarator].parts.first()? else {
        return None;
    };
    let one = |&d: &DeclId| {
        let DeclKind::Vars { specs, items } = &unit.decls[d].kind else { return None };
        let [item] = &items[..] else { return None };
        let attrs = [&unit.specs[*specs].attrs, &unit.declarators[item.declarator].attrs, &item.attrs];
        let plain = attrs.iter().all(|attrs| attrs.is_empty());
        let sym = tree.typed.declared(item.declarator).filter(|_| plain)?;
        if has_length_of_run(&tree.typed.types, tree.typed.sym(sym).ty) {
            return None;
        }
        Some(Parameter { sym, read_only: is_read_only(tree, body, sym) })
    };
    params.iter().map(one).collect()
}

/// Whether a type has arrays with lengths that other parameters give.
fn has_length_of_run(types: &Types, q: QTy) -> bool {
    match types.of(q) {
        Ty::Pointer(to) => has_length_of_run(types, *to),
        Ty::Array(elem, len) => {
            matches!(len, Len::Runtime(_) | Len::Variable) || has_length_of_run(types, *elem)
        }
        _ => false,
    }
}

/// Whether a body only reads the value of a variable.
fn is_read_only(tree: &Tree, body: StmtId, sym: SymId) -> bool {
    struct Reads<'a> {
        tree: &'a Tree,
        sym: SymId,
        alone: bool,
    }
    impl<'a> Visitor<'a> for Reads<'a> {
        fn unit(&self) -> &'a Unit {
            &self.tree.unit
        }
        fn expr(&mut self, e: ExprId) {
            let unit = &self.tree.unit;
            match unit.exprs[e].kind {
                ExprKind::Assign(_, a, _)
                | ExprKind::Pre(_, a)
                | ExprKind::Post(_, a)
                | ExprKind::Unary(UnOp::Addr, a) => self.alone &= !self.is_named(a),
                ExprKind::SizeofExpr(_, a) => self.alone &= !self.names(a),
                _ => {}
            }
            walk_expr(self, e);
        }
        fn unevaluated(&mut self, e: ExprId) {
            self.alone &= !self.names(e);
        }
    }
    impl Reads<'_> {
        fn names(&self, e: ExprId) -> bool {
            exists(&self.tree.unit, Any::Expr(e), |e| self.tree.typed.symbol(e) == Some(self.sym))
        }
        /// Whether an object is the variable or a part of it.
        fn is_named(&self, e: ExprId) -> bool {
            match self.tree.unit.exprs[e].kind {
                ExprKind::Paren(a)
                | ExprKind::Extension(a)
                | ExprKind::Member { base: a, arrow: false, .. } => self.is_named(a),
                ExprKind::Index(a, _) => {
                    self.is_named(a) && !self.tree.typed.types.is_scalar(self.tree.typed.ty(a))
                }
                _ => self.tree.typed.symbol(e) == Some(self.sym),
            }
        }
    }
    let mut reads = Reads { tree, sym, alone: true };
    reads.stmt(body);
    reads.alone
}

impl Callee {
    /// The variable of the caller's that can stand for a parameter wherever the body reads the parameter: the
    /// argument, if nothing else changes that variable meanwhile, or if it is an array.
    pub(super) fn stands_for(&self, tree: &Tree, parameter: &Parameter, arg: ExprId) -> Option<SymId> {
        let (typed, types) = (&tree.typed, &tree.typed.types);
        let arg = tree.unit.bare(arg);
        if !parameter.read_only || !matches!(tree.unit.exprs[arg].kind, ExprKind::Ident(_)) {
            return None;
        }
        let sym = typed.symbol(arg)?;
        let (variable, of) = (typed.sym(sym), typed.sym(parameter.sym).ty);
        let alike = |a: QTy, b: QTy| {
            let shared = types.object_quals(a).shared == types.object_quals(b).shared;
            shared && types.strip(a).ty == types.strip(b).ty && !types.object_quals(a).is_volatile
        };
        let same = match types.of(variable.ty) {
            Ty::Array(..) => {
                let element = crate::facts::places::points_to(tree, arg)?;
                types.pointee(of).is_some_and(|to| alike(element, to))
            }
            _ => {
                let own = matches!(variable.kind, SymKind::Auto | SymKind::Param) && !variable.address_taken;
                own && alike(variable.ty, of)
            }
        };
        (same && !self.declares.contains(&variable.name)).then_some(sym)
    }
}

/// A walk over a definition: the names that it takes from the file, and whether it can stand elsewhere.
struct Names<'a> {
    tree: &'a Tree,
    takes: HashSet<Box<str>>,
    /// Where the body begins in the text.
    begins: u32,
    behind: u32,
    /// The definition accesses shared memory.
    shares: bool,
    fits: bool,
    /// The walk is in the body.
    body: bool,
}

impl Names<'_> {
    /// Where the file first declares a typedef name, or where the body begins.
    fn typedef_at(&self, name: &str) -> u32 {
        let is =
            |symbol: &&Symbol| symbol.kind == SymKind::Typedef && symbol.file_scope && *symbol.name == *name;
        let first = self.tree.typed.symbols.iter().find(is);
        first.map_or(self.begins, |symbol| symbol.span.hi)
    }

    /// Whether a type in the body names a variable of the function's: all copies of the body share its types.
    fn is_bound(&self, part: Any) -> bool {
        let own = |sym| matches!(self.tree.typed.sym(sym).kind, SymKind::Auto | SymKind::Param);
        self.body && exists(&self.tree.unit, part, |e| self.tree.typed.symbol(e).is_some_and(own))
    }
}

impl<'a> Visitor<'a> for Names<'a> {
    fn unit(&self) -> &'a Unit {
        &self.tree.unit
    }

    fn stmt(&mut self, s: StmtId) {
        use StmtKind::*;
        let is_function = |d: DeclId| !matches!(self.tree.unit.decls[d].kind, DeclKind::Vars { .. });
        match &self.tree.unit.stmts[s].kind {
            Asm { .. }
            | Barrier(..)
            | Fence
            | Forall { .. }
            | Goto(_)
            | GotoExpr(_)
            | Label(..)
            | Opaque
            | Error => {
                self.fits = false;
            }
            &Decl(d) if is_function(d) => self.fits = false,
            _ => walk_stmt(self, s),
        }
    }

    fn expr(&mut self, e: ExprId) {
        let (typed, q) = (&self.tree.typed, self.tree.typed.ty(e));
        match &self.tree.unit.exprs[e].kind {
            ExprKind::Call(f, _) => {
                let atomic = atomics::is_relaxed(typed, self.tree.unit.bare(*f));
                self.fits &= atomic || functions::of_call(self.tree, *f) != Summary::Anything;
                self.shares |= atomic;
            }
            ExprKind::Split(..)
            | ExprKind::Stmts(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::VaArg(..)
            | ExprKind::FuncName
            | ExprKind::Error => self.fits = false,
            // Of a type that has members by now.
            ExprKind::Member { .. } => self.behind = self.behind.max(self.begins),
            ExprKind::Ident(name) => match typed.symbol(e).map(|sym| typed.sym(sym)) {
                Some(symbol) if matches!(symbol.kind, SymKind::Auto | SymKind::Param) => {}
                Some(symbol) => {
                    self.takes.insert(name.text.clone());
                    self.behind = self.behind.max(symbol.span.hi);
                }
                None => self.fits = false,
            },
            _ => {}
        }
        self.shares |= typed.types.is_shared(q);
        walk_expr(self, e);
    }

    fn specs(&mut self, s: SpecsId) {
        let unit = &self.tree.unit;
        for ty in &unit.specs[s].types {
            match ty {
                TypeSpec::Typedef(name) => {
                    self.takes.insert(name.text.clone());
                    self.behind = self.behind.max(self.typedef_at(&name.text));
                }
                &TypeSpec::Record(id) => {
                    self.behind = self.behind.max(self.begins);
                    self.fits &= unit.records[id].fields.is_none();
                    self.takes.extend(unit.records[id].tag.iter().map(|tag| tag.text.clone()));
                }
                &TypeSpec::Enum(id) => {
                    self.behind = self.behind.max(self.begins);
                    self.fits &= unit.enums[id].values.is_none();
                    self.takes.extend(unit.enums[id].tag.iter().map(|tag| tag.text.clone()));
                }
                _ => {}
            }
        }
        self.fits &= !self.is_bound(Any::Specs(s));
        walk_specs(self, s);
    }

    fn declarator(&mut self, d: DeclaratorId) {
        self.fits &= !self.is_bound(Any::Declarator(d));
        walk_declarator(self, d);
    }

    fn decl(&mut self, d: DeclId) {
        if let DeclKind::Vars { specs, .. } = self.tree.unit.decls[d].kind {
            self.fits &= self.tree.unit.specs[specs].storage.is_empty();
        }
        walk_decl(self, d);
    }
}

/// The names that a function's parameters and body declare, tags among them.
pub(super) fn declared_in(tree: &Tree, parameters: Option<DeclaratorId>, body: StmtId) -> HashSet<&str> {
    struct Declared<'a>(&'a Unit, HashSet<&'a str>);
    impl<'a> Visitor<'a> for Declared<'a> {
        fn unit(&self) -> &'a Unit {
            self.0
        }
        fn declarator(&mut self, d: DeclaratorId) {
            self.1.extend(self.0.declarators[d].name.iter().map(|name| &*name.text));
            walk_declarator(self, d);
        }
        fn record(&mut self, r: RecordSpecId) {
            let record = &self.0.records[r];
            self.1.extend(record.tag.iter().filter(|_| record.fields.is_some()).map(|tag| &*tag.text));
            walk_record(self, r);
        }
        fn enumeration(&mut self, e: EnumSpecId) {
            let of = &self.0.enums[e];
            self.1.extend(of.tag.iter().filter(|_| of.values.is_some()).map(|tag| &*tag.text));
            self.1.extend(of.values.iter().flatten().map(|(name, _)| &*name.text));
            walk_enumeration(self, e);
        }
    }
    let mut declared = Declared(&tree.unit, HashSet::new());
    // The function's own name belongs to the file.
    parameters.iter().for_each(|&d| walk_declarator(&mut declared, d));
    declared.stmt(body);
    declared.1
}
