//! The typed tree: the results of the checks, in tables beside the tree of `c-syntax`.
//!
//! Later components read the tree for its form and these tables for its meaning. If no error was reported,
//! every expression has a type and the accessors here cannot fail.

use crate::library;
use crate::types::{EnumId, FnTy, QTy, RecordId, TyId, Types};
use base::Span;
use c_syntax::ast::{Declarator, DeclaratorId, EnumSpecId, Expr, ExprId, ExprKind, InitId, RecordSpecId};
use c_syntax::ast::{Specs, SpecsId, TypeName, TypeNameId, Unit};
use c_syntax::table::Table;
use rustc_hash::{FxHashMap, FxHashSet};

/// Index of a [`Symbol`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymId(pub u32);

/// An identifier's meaning.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// The spelling.
    pub name: Box<str>,
    /// The kind.
    pub kind: SymKind,
    /// The type; for a composite of several declarations, the fullest so far.
    pub ty: QTy,
    /// The place of the first declaration.
    pub span: Span,
    /// Declared at file scope.
    pub file_scope: bool,
    /// Whether the address is taken with `&` anywhere in the unit (objects).
    pub address_taken: bool,
}

/// Kinds of [`Symbol`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymKind {
    /// An object of static storage duration; `external`: other files can name it; `defined`: some
    /// declaration in this unit is a definition, tentative ones included.
    Static {
        /// Linkage.
        external: bool,
        /// Has a definition here.
        defined: bool,
    },
    /// An automatic object.
    Auto,
    /// A parameter.
    Param,
    /// A function.
    Function,
    /// A typedef name.
    Typedef,
    /// An enumerator with its value.
    Enumerator(i128),
    /// A function that the compiler provides (`__builtin_…`).
    Builtin,
}

/// A step from an object to a part of it, in an initialiser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// `.name`
    Field(Box<str>),
    /// `[n]`
    Index(u64),
    /// `[a ... b]`: each of these.
    Range(u64, u64),
}

/// The result of the checks.
#[derive(Debug, Default)]
pub struct Typed {
    /// All types.
    pub types: Types,
    /// All symbols.
    pub symbols: Vec<Symbol>,
    /// The number of threads in the static THREADS environment.
    pub static_threads: Option<u32>,
    /// Functions of Split-C's library whose names the program declares for itself.
    pub(crate) replaced: FxHashSet<SymId>,
    /// The functions of libraries among the symbols.
    pub(crate) library: FxHashMap<SymId, &'static library::Entry>,
    pub(crate) expr_ty: Vec<QTy>,
    pub(crate) conversion: FxHashMap<ExprId, QTy>,
    pub(crate) symbol: Table<Expr, SymId>,
    pub(crate) declared: Table<Declarator, SymId>,
    pub(crate) declarator_ty: Table<Declarator, QTy>,
    pub(crate) type_name: Table<TypeName, QTy>,
    pub(crate) specs_ty: Table<Specs, QTy>,
    pub(crate) record_of: FxHashMap<RecordSpecId, RecordId>,
    pub(crate) enum_of: FxHashMap<EnumSpecId, EnumId>,
    pub(crate) constant: Table<Expr, i128>,
    pub(crate) init_path: FxHashMap<ExprId, Vec<Step>>,
    pub(crate) braces: FxHashMap<ExprId, usize>,
    pub(crate) excess: FxHashSet<InitId>,
    pub(crate) longest_row: FxHashMap<InitId, u64>,
    pub(crate) generic: FxHashMap<ExprId, ExprId>,
    pub(crate) suspect: FxHashSet<ExprId>,
    pub(crate) printed: FxHashMap<ExprId, &'static str>,
}

impl Typed {
    /// The type of an expression before any conversion: an lvalue keeps its qualifiers, an array is an array.
    pub fn ty(&self, e: ExprId) -> QTy {
        self.expr_ty[e.index()]
    }

    /// Whether an access to this object is strict, if the object is shared: by its qualifiers, else by the
    /// pragma or header in force there (UPC 1.3, 6.5.1.1).
    pub fn is_strict(&self, unit: &Unit, e: ExprId) -> bool {
        let quals = self.types.object_quals(self.ty(e));
        quals.is_strict || (!quals.is_relaxed && unit.strict_at(unit.exprs[e].span.lo))
    }

    /// For the call that Split-C's `atomic(function, object, …)` expands to: the type of the function.
    pub fn run_by_owner(&self, unit: &Unit, f: ExprId, args: &[ExprId]) -> Option<FnTy> {
        let ExprKind::Ident(name) = &unit.exprs[f].kind else { return None };
        if !name.text.starts_with("mer_splitc_atomic") || args.len() < 3 {
            return None;
        }
        let mut function = unit.bare(args[0]);
        while let ExprKind::Cast(_, inner) = unit.exprs[function].kind {
            function = unit.bare(inner);
        }
        let ty = self.ty(function);
        self.types.as_function(self.types.pointee(ty).unwrap_or(ty)).cloned()
    }

    /// The pointer type that the context of `e` implicitly converts it to, if either type is a
    /// pointer-to-shared and they differ in more than top-level qualifiers: assignment, initialisation,
    /// argument, return value, the other branch of a conditional, the other side of a comparison; also from
    /// the null pointer constant. Array decay alone is not recorded.
    pub fn conversion(&self, e: ExprId) -> Option<QTy> {
        self.conversion.get(&e).copied()
    }

    /// Whether a warning about `e` has been reported that the C compiler would repeat: a comparison of unlike
    /// pointers, a statement without effect.
    pub fn is_suspect(&self, e: ExprId) -> bool {
        self.suspect.contains(&e)
    }

    /// For an argument that does not fit its format, after a warning: the type that the format expects.
    pub fn printed_as(&self, e: ExprId) -> Option<&'static str> {
        self.printed.get(&e).copied()
    }

    /// The symbol that a name (ExprKind::Ident) stands for.
    pub fn symbol(&self, e: ExprId) -> Option<SymId> {
        self.symbol.get(e).copied()
    }

    /// The row of the library function that `f` names; `None` for a function of the program with the same
    /// name, and for any other expression.
    pub fn library(&self, f: ExprId) -> Option<&'static library::Entry> {
        self.library.get(&self.symbol(f)?).copied()
    }

    /// The symbol that a declarator with a name declares. Members of structs declare no symbol.
    pub fn declared(&self, d: DeclaratorId) -> Option<SymId> {
        self.declared.get(d).copied()
    }

    /// Whether a declaration of the library has been replaced by one of the program.
    pub fn is_replaced(&self, d: DeclaratorId) -> bool {
        !self.replaced.is_empty() && self.declared(d).is_some_and(|sym| self.replaced.contains(&sym))
    }

    /// The type that this declarator gives in this declaration (for parameters: before adjustment); members
    /// and nameless declarators too.
    pub fn declarator_ty(&self, d: DeclaratorId) -> QTy {
        self.declarator_ty[d]
    }

    /// The type of a type name.
    pub fn type_name(&self, t: TypeNameId) -> QTy {
        self.type_name[t]
    }

    /// The type of the specifiers alone, qualifiers included.
    pub fn specs_ty(&self, s: SpecsId) -> QTy {
        self.specs_ty[s]
    }

    /// The struct or union of a specifier.
    pub fn record_of(&self, r: RecordSpecId) -> RecordId {
        self.record_of[&r]
    }

    /// The enum of a specifier.
    pub fn enum_of(&self, e: EnumSpecId) -> EnumId {
        self.enum_of[&e]
    }

    /// The value of an integer constant expression. In the dynamic environment, an expression with THREADS
    /// has none.
    pub fn constant(&self, e: ExprId) -> Option<i128> {
        self.constant.get(e).copied()
    }

    /// For the expression that initialises a pointer-to-shared: the path to the pointer from the initialised
    /// object.
    pub fn init_path(&self, e: ExprId) -> &[Step] {
        self.init_path.get(&e).map_or(&[], |p| p)
    }

    /// For the expression that initialises a pointer-to-shared: the number of pairs of braces around it that
    /// are no list of an array or a record, as in `shared int *p = { q }`.
    pub fn braces(&self, e: ExprId) -> usize {
        self.braces.get(&e).copied().unwrap_or(0)
    }

    /// For an initialiser of a static shared object: the most elements that it gives values to in an array
    /// whose length has THREADS as a factor.
    pub fn longest_row(&self, init: InitId) -> Option<u64> {
        self.longest_row.get(&init).copied()
    }

    /// Whether an initialiser of a shared object is excess: it initialises nothing.
    pub fn is_excess(&self, init: InitId) -> bool {
        self.excess.contains(&init)
    }

    /// The branch that a `_Generic` selects, if the types are known.
    pub fn generic_choice(&self, e: ExprId) -> Option<ExprId> {
        self.generic.get(&e).copied()
    }

    /// A symbol.
    pub fn sym(&self, id: SymId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    /// Gives `copy`, which has just been added to the tree as a copy of `e`, the meaning of `e`; `chosen` is
    /// the copy of the branch that a `_Generic` selects.
    pub fn copy_expr(&mut self, e: ExprId, copy: ExprId, chosen: Option<ExprId>) {
        debug_assert_eq!(copy.index(), self.expr_ty.len());
        self.expr_ty.push(self.expr_ty[e.index()]);
        self.symbol.copy(e, copy);
        self.constant.copy(e, copy);
        if let Some(&to) = self.conversion.get(&e) {
            self.conversion.insert(copy, to);
        }
        if let Some(path) = self.init_path.get(&e).cloned() {
            self.init_path.insert(copy, path);
        }
        if let Some(&braces) = self.braces.get(&e) {
            self.braces.insert(copy, braces);
        }
        self.generic.extend(chosen.map(|chosen| (copy, chosen)));
    }

    /// Gives specifiers that have been added to the tree their type.
    pub fn specs_are(&mut self, specs: SpecsId, ty: QTy) {
        self.specs_ty.insert(specs, ty);
    }

    /// Sets the type and the symbol of a declarator that has been added to the tree.
    pub fn declare(&mut self, d: DeclaratorId, ty: QTy, sym: Option<SymId>) {
        self.declarator_ty.insert(d, ty);
        if let Some(sym) = sym {
            self.declared.insert(d, sym);
        }
    }

    /// Adds a symbol.
    pub fn add_symbol(&mut self, symbol: Symbol) -> SymId {
        self.symbols.push(symbol);
        SymId(self.symbols.len() as u32 - 1)
    }

    /// Makes a name stand for a symbol, as an expression of type `ty`.
    pub fn name(&mut self, e: ExprId, sym: SymId, ty: QTy) {
        self.expr_ty[e.index()] = ty;
        self.symbol.insert(e, sym);
    }

    /// Notes that no expression of the program takes the address of a variable any more.
    pub fn address_is_not_taken(&mut self, sym: SymId) {
        self.symbols[sym.0 as usize].address_taken = false;
    }

    /// Removes a name that is no longer part of the program.
    pub fn forget(&mut self, e: ExprId) {
        self.symbol.remove(e);
    }

    /// Sets the value of an integer constant that has been added to the tree.
    pub fn constant_added(&mut self, e: ExprId, value: i128) {
        self.constant.insert(e, value);
    }

    /// Gives an expression that has just been added to the tree its type.
    pub fn type_added(&mut self, e: ExprId, ty: QTy) {
        debug_assert_eq!(e.index(), self.expr_ty.len());
        self.expr_ty.push(ty);
    }

    /// Reserves a type for every expression of the tree.
    pub(crate) fn reserve(&mut self, exprs: usize, error: TyId) {
        self.expr_ty = vec![QTy::plain(error); exprs];
    }
}
