//! Which functions can stand in the place of their calls.

use crate::facts::functions::{self, Summary};
use crate::facts::places::may_be_copied;
use crate::ir::tree::Tree;
use crate::ir::walk::{self, Definition};
use base::{Source, Span};
use c_sema::typed::{SymId, SymKind};
use c_sema::types::{QTy, Ty};
use c_syntax::ast::*;
use c_syntax::visit::{
    Node as Any, Visitor, each_expr, exists, walk_decl, walk_declarator, walk_enumeration, walk_expr,
    walk_record, walk_specs, walk_stmt,
};
use std::cell::Cell;
use std::collections::HashSet;

/// A longer body stays where it is, in bytes of text.
const LONGEST: u32 = 1200;
/// More parameters than these are not named.
const MOST_PARAMETERS: usize = 12;

/// A function that can stand in the place of its calls.
pub(super) struct Callee {
    pub(super) name: String,
    /// Where its definition begins.
    pub(super) begins: u32,
    pub(super) body: StmtId,
    /// The type of its value, as text; none of `void`.
    pub(super) returns: Option<String>,
    /// What a variable for its value begins with: no warning that it may not be set.
    pub(super) first: &'static str,
    pub(super) parameters: Vec<Parameter>,
    /// Names that it takes from the file, and where the last of them is declared.
    pub(super) takes: HashSet<Box<str>>,
    pub(super) behind: u32,
    /// Names that its body declares.
    declares: HashSet<String>,
    /// Shared accesses without a qualifier are strict.
    pub(super) strict: bool,
    /// It stands somewhere.
    pub(super) used: Cell<bool>,
}

/// A parameter's declaration: what stands in front of its name, the name, and what stands behind.
pub(super) struct Parameter {
    sym: SymId,
    /// It is a pointer that is written as an array: no variable can be declared so.
    pub(super) as_array: bool,
    /// Where the body names it, if that does nothing but read it.
    reads: Option<Vec<Span>>,
    pub(super) before: Span,
    pub(super) name: Span,
    pub(super) behind: Span,
}

impl Callee {
    /// The function, if it can stand in the place of its calls, and its loops gain by that.
    pub(super) fn of(tree: &Tree, source: &Source, sym: SymId) -> Option<Callee> {
        let unit = &tree.unit;
        let Definition { item, specs, declarator, body, .. } = definition(tree, sym)?;
        let span = unit.stmts[body].span;
        let changes = unit.strictness.iter().any(|&(at, _)| span.lo < at && at < span.hi);
        if span.hi - span.lo > LONGEST || changes || !super::returns::are_known(tree, body) {
            return None;
        }
        let name = unit.declarators[declarator].name.as_ref()?;
        let returns = value_type(tree, source, specs, declarator)?;
        let parameters = parameters(tree, declarator, body)?;
        let mut body_of = Names { tree, takes: HashSet::new(), behind: 0, shares: false, fits: true };
        body_of.decl(item);
        let Names { takes, behind, shares, fits, .. } = body_of;
        (fits && shares).then(|| Callee {
            name: name.text.to_string(),
            begins: unit.decls[item].span.lo,
            body,
            returns,
            first: if is_scalar(tree, sym) && super::returns::leave_loops(tree, body) { " = 0" } else { "" },
            parameters,
            takes,
            behind,
            declares: declared_in(tree, None, body).into_iter().map(str::to_owned).collect(),
            strict: unit.strict_at(span.lo),
            used: Cell::new(false),
        })
    }
}

/// The definition of a function of the file's, if it is written as they are now and is the one that is
/// called.
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

/// The type of a function's value, as text: `Some(None)` of `void`, none where it cannot be written in front
/// of a name.
fn value_type(tree: &Tree, source: &Source, id: SpecsId, declarator: DeclaratorId) -> Option<Option<String>> {
    let (specs, declarator) = (&tree.unit.specs[id], &tree.unit.declarators[declarator]);
    let pointers = declarator.parts.get(1..)?;
    if !pointers.iter().all(|part| matches!(part, Part::Pointer { .. })) {
        return None;
    }
    // It is assigned.
    let assigned = match pointers.first() {
        None if matches!(specs.types[..], [TypeSpec::Basic(Basic::Void, _)]) => return Some(None),
        None => {
            let (types, q) = (&tree.typed.types, tree.typed.specs_ty(id));
            let quals = types.object_quals(q);
            may_be_copied(types, q) && !(quals.is_const || quals.is_volatile || quals.is_atomic)
        }
        Some(part) => matches!(part, Part::Pointer { quals, .. } if quals.is_empty()),
    };
    if !assigned {
        return None;
    }
    let name = declarator.name.as_ref()?;
    let left_out = specs.storage.iter().map(|(_, span)| *span).chain(specs.function.iter().copied());
    let mut edits = super::Edits::default();
    left_out.for_each(|span| edits.replace(span, ""));
    let text = edits.applied(source, Span::new(specs.span.lo, name.span.lo));
    // Parentheses around the name, and line markers, are seldom.
    (!text.contains(['(', ')', '#'])).then(|| Some(text.replace(['\n', '\r'], " ").trim().to_owned()))
}

/// Whether a function's value is a scalar.
fn is_scalar(tree: &Tree, function: SymId) -> bool {
    let types = &tree.typed.types;
    matches!(types.of(tree.typed.sym(function).ty), Ty::Function(f) if types.is_scalar(f.ret))
}

/// The parameters, if a variable can be declared as each is.
fn parameters(tree: &Tree, declarator: DeclaratorId, body: StmtId) -> Option<Vec<Parameter>> {
    let unit = &tree.unit;
    let Part::Function { params, variadic: false, old_style, .. } =
        unit.declarators[declarator].parts.first()?
    else {
        return None;
    };
    if (*old_style && !params.is_empty()) || params.len() > MOST_PARAMETERS {
        return None;
    }
    let one = |&d: &DeclId| {
        let DeclKind::Vars { specs, items } = &unit.decls[d].kind else { return None };
        let [item] = &items[..] else { return None };
        let declarator = &unit.declarators[item.declarator];
        let is_array = |part: &Part| matches!(part, Part::Array { .. });
        let as_array = declarator.parts.first().is_some_and(is_array)
            || matches!(tree.typed.types.of(tree.typed.specs_ty(*specs)), Ty::Array(..));
        // Its type is written out where the function's other parameters are not declared.
        let names_others = exists(unit, Any::Decl(d), |e| {
            let kind = tree.typed.symbol(e).map(|sym| tree.typed.sym(sym).kind);
            matches!(kind, Some(SymKind::Param | SymKind::Auto))
        });
        let plain = (as_array || !names_others)
            && unit.specs[*specs].storage.is_empty()
            && unit.specs[*specs].attrs.is_empty()
            && declarator.attrs.is_empty()
            && item.attrs.is_empty()
            && (as_array || declarator.parts.iter().all(|part| matches!(part, Part::Pointer { .. })));
        let name = declarator.name.as_ref().filter(|_| plain)?.span;
        let (lo, hi) = (unit.specs[*specs].span.lo, declarator.span.hi);
        let sym = tree.typed.declared(item.declarator)?;
        let reads = reads(tree, body, sym);
        if as_array && reads.is_none() {
            return None;
        }
        Some(Parameter {
            sym,
            as_array,
            reads,
            before: Span::new(lo, name.lo),
            name,
            behind: Span::new(name.hi, hi),
        })
    };
    params.iter().map(one).collect()
}

/// Where a body names a variable; none where it does more than read its value.
fn reads(tree: &Tree, body: StmtId, sym: SymId) -> Option<Vec<Span>> {
    struct Reads<'a> {
        tree: &'a Tree,
        sym: SymId,
        found: Vec<Span>,
        alone: bool,
    }
    impl<'a> Visitor<'a> for Reads<'a> {
        fn unit(&self) -> &'a Unit {
            &self.tree.unit
        }
        fn expr(&mut self, e: ExprId) {
            let unit = &self.tree.unit;
            match unit.exprs[e].kind {
                ExprKind::Ident(_) if self.tree.typed.symbol(e) == Some(self.sym) => {
                    self.found.push(unit.exprs[e].span);
                }
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
    let mut reads = Reads { tree, sym, found: Vec::new(), alone: true };
    reads.stmt(body);
    reads.alone.then_some(reads.found)
}

impl Callee {
    /// The name of the caller's that can stand for a parameter wherever the body reads it: of a variable that
    /// nothing else changes meanwhile, or of an array.
    pub(super) fn stands_for<'t>(
        &self,
        tree: &'t Tree,
        parameter: &Parameter,
        arg: ExprId,
    ) -> Option<&'t str> {
        let (typed, types) = (&tree.typed, &tree.typed.types);
        let arg = tree.unit.bare(arg);
        let ExprKind::Ident(name) = &tree.unit.exprs[arg].kind else { return None };
        let variable = typed.sym(typed.symbol(arg)?);
        let of = typed.sym(parameter.sym).ty;
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
        let mut others = self.parameters.iter().filter(|other| other.sym != parameter.sym);
        let hidden =
            self.declares.contains(&*name.text) || others.any(|other| typed.sym(other.sym).name == name.text);
        (same && !hidden && parameter.reads.is_some()).then_some(&*name.text)
    }

    /// Puts a name in the place of a parameter.
    pub(super) fn rename(parameter: &Parameter, name: &str, edits: &mut super::Edits) {
        parameter.reads.iter().flatten().for_each(|&span| edits.replace(span, name));
    }
}

/// A walk over a definition: the names that it takes from the file, and whether it can be somewhere else.
struct Names<'a> {
    tree: &'a Tree,
    takes: HashSet<Box<str>>,
    behind: u32,
    /// It accesses shared memory.
    shares: bool,
    fits: bool,
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
            ExprKind::Call(f, _) => self.fits &= functions::of_call(self.tree, *f) != Summary::Anything,
            ExprKind::Split(..)
            | ExprKind::Stmts(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::VaArg(..)
            | ExprKind::FuncName
            | ExprKind::Error => self.fits = false,
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
                TypeSpec::Typedef(name) => _ = self.takes.insert(name.text.clone()),
                &TypeSpec::Record(id) => {
                    self.fits &= unit.records[id].fields.is_none();
                    self.takes.extend(unit.records[id].tag.iter().map(|tag| tag.text.clone()));
                }
                &TypeSpec::Enum(id) => {
                    self.fits &= unit.enums[id].values.is_none();
                    self.takes.extend(unit.enums[id].tag.iter().map(|tag| tag.text.clone()));
                }
                _ => {}
            }
        }
        walk_specs(self, s);
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
    // Its own name is the file's.
    parameters.iter().for_each(|&d| walk_declarator(&mut declared, d));
    declared.stmt(body);
    declared.1
}
