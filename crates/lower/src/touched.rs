//! What needs a change at all.
//!
//! An expression is touched when it, or something in it, reads, writes or names a shared object, computes
//! with a pointer-to-shared, converts one, or says a type or operator that C does not have. What is not
//! touched goes out as it came in.

use crate::Lower;
use c_sema::types::Ty;
use c_syntax::ast::*;

impl Lower<'_> {
    /// Whether the value of `e` needs to be rewritten (its conversion by the context not included).
    pub(crate) fn touched(&mut self, e: ExprId) -> bool {
        if let Some(known) = self.touched[e.index()] {
            return known;
        }
        let is = self.find_touched(e);
        self.touched[e.index()] = Some(is);
        is
    }

    /// Whether `e`, where it stands, needs to be rewritten.
    pub(crate) fn needs(&mut self, e: ExprId) -> bool {
        self.typed.conversion(e).is_some() || self.touched(e)
    }

    fn find_touched(&mut self, e: ExprId) -> bool {
        let unit = self.unit;
        if self.typed.types.is_shared(self.typed.ty(e)) {
            return true;
        }
        let pts = |s: &Self, e: ExprId| s.is_pts(s.value_type(e));
        match &unit.exprs[e].kind {
            ExprKind::Ident(_)
            | ExprKind::Number
            | ExprKind::Char
            | ExprKind::String
            | ExprKind::FuncName
            | ExprKind::HasAttribute
            | ExprKind::LabelAddr(_)
            | ExprKind::Error => false,
            ExprKind::Threads | ExprKind::MyThread => true,
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.touched(*a),
            ExprKind::Index(a, b) => pts(self, *a) || pts(self, *b) || self.needs(*a) || self.needs(*b),
            ExprKind::Call(f, args) => {
                self.conversion_call(*f).is_some()
                    || self.inline_call(*f)
                    || self.needs(*f)
                    || args.iter().any(|&a| self.needs(a))
            }
            ExprKind::Member { base, .. } => pts(self, *base) || self.needs(*base),
            ExprKind::Post(_, a) | ExprKind::Pre(_, a) | ExprKind::Unary(_, a) => {
                let address = matches!(unit.exprs[e].kind, ExprKind::Unary(UnOp::Addr, _));
                (!address && pts(self, *a)) || self.needs(*a)
            }
            ExprKind::Binary(op, a, b) => {
                let computes = *op != BinOp::Comma && (pts(self, *a) || pts(self, *b));
                computes || self.needs(*a) || self.needs(*b)
            }
            ExprKind::Assign(op, a, b) => (op.is_some() && pts(self, *a)) || self.needs(*a) || self.needs(*b),
            ExprKind::Split(..) => true,
            ExprKind::Cond(c, a, b) => {
                pts(self, *c) || self.needs(*c) || a.is_some_and(|a| self.needs(a)) || self.needs(*b)
            }
            ExprKind::Cast(t, a) => {
                let to = self.typed.type_name(*t);
                self.is_pts(to) || self.type_name_touched(*t) || pts(self, *a) || self.needs(*a)
            }
            ExprKind::Compound(t, init) => self.type_name_touched(*t) || self.init_touched(*init),
            ExprKind::SizeofExpr(op, a) => {
                !matches!(op, SizeOp::Sizeof | SizeOp::Alignof) || pts(self, *a) || self.needs(*a)
            }
            ExprKind::SizeofType(op, t) => {
                !matches!(op, SizeOp::Sizeof | SizeOp::Alignof) || self.type_name_touched(*t)
            }
            ExprKind::Stmts(s) => self.stmt_touched(*s),
            ExprKind::Generic(c, arms) => {
                self.needs(*c)
                    || arms
                        .iter()
                        .any(|(t, e)| t.is_some_and(|t| self.type_name_touched(t)) || self.needs(*e))
            }
            ExprKind::Offsetof(t, path) => {
                self.type_name_touched(*t)
                    || path.iter().any(|d| match d {
                        Designator::Index(e) => self.needs(*e),
                        _ => false,
                    })
            }
            ExprKind::VaArg(a, t) | ExprKind::ConvertVector(a, t) => {
                self.type_name_touched(*t) || self.needs(*a)
            }
            ExprKind::TypesCompatible(a, b) => self.type_name_touched(*a) || self.type_name_touched(*b),
            ExprKind::Choose(c, a, b) => self.needs(*c) || self.needs(*a) || self.needs(*b),
        }
    }

    /// Whether a statement has any change in it: asked only of statement expressions, whose changes are
    /// cheap to list.
    fn stmt_touched(&mut self, s: StmtId) -> bool {
        let mut changes = Vec::new();
        let fresh = self.fresh;
        self.stmt(s, &mut changes);
        self.fresh = fresh;
        !changes.is_empty()
    }

    pub(crate) fn init_touched(&mut self, init: InitId) -> bool {
        let unit = self.unit;
        match &unit.inits[init].kind {
            InitKind::Expr(e) => self.needs(*e),
            InitKind::List(items) => items.iter().any(|(path, i)| {
                self.init_touched(*i)
                    || path.iter().any(|d| match d {
                        Designator::Index(e) => self.needs(*e),
                        Designator::Range(a, b) => self.needs(*a) || self.needs(*b),
                        Designator::Field(_) => false,
                    })
            }),
        }
    }

    pub(crate) fn type_name_touched(&mut self, t: TypeNameId) -> bool {
        let name = &self.unit.type_names[t];
        self.specs_touched(name.specs) || self.declarator_touched(name.declarator)
    }

    /// Whether specifiers cannot stay as they are.
    pub(crate) fn specs_touched(&mut self, s: SpecsId) -> bool {
        let unit = self.unit;
        let specs = &unit.specs[s];
        if specs.quals.iter().any(|q| is_upc(q.kind)) || self.typed.types.is_shared(self.typed.specs_ty(s)) {
            return true;
        }
        specs.types.iter().any(|t| match t {
            TypeSpec::Record(r) => self.record_touched(*r),
            TypeSpec::Enum(e) => {
                let values = unit.enums[*e].values.as_deref().unwrap_or(&[]);
                values.iter().any(|(_, v)| v.is_some_and(|v| self.needs(v)))
            }
            TypeSpec::TypeofExpr(e, _) => self.needs(*e),
            TypeSpec::TypeofType(t, _) | TypeSpec::Atomic(t, _) => self.type_name_touched(*t),
            TypeSpec::Basic(..) | TypeSpec::Typedef(_) | TypeSpec::AutoType(_) => false,
        })
    }

    pub(crate) fn record_touched(&mut self, r: RecordSpecId) -> bool {
        let unit = self.unit;
        let Some(fields) = &unit.records[r].fields else { return false };
        let mut changes = Vec::new();
        for &field in fields {
            self.decl(field, &mut changes);
        }
        !changes.is_empty()
    }

    /// Whether a declarator holds a pointer-to-shared of its own, or a touched bound or parameter.
    pub(crate) fn declarator_touched(&mut self, d: DeclaratorId) -> bool {
        let unit = self.unit;
        unit.declarators[d].parts.iter().any(|part| match part {
            Part::Pointer { quals, .. } => quals.iter().any(|q| is_upc(q.kind)),
            Part::Array { size: ArraySize::Expr(e), .. } => self.needs(*e),
            Part::Spread { .. } => true,
            Part::Array { .. } | Part::Block { .. } => false,
            Part::Function { params, .. } => params.iter().any(|&p| {
                let mut changes = Vec::new();
                self.decl(p, &mut changes);
                !changes.is_empty()
            }),
        }) || self.cut(d).is_some()
    }

    /// The type of `e` as a value: an array has become a pointer, and top-level qualifiers are gone.
    pub(crate) fn value_type(&self, e: ExprId) -> c_sema::types::QTy {
        let q = self.typed.ty(e);
        let types = &self.typed.types;
        match types.of(q) {
            // The pointer type itself need not be interned: only its pointee is asked for.
            Ty::Array(..) => q,
            _ => c_sema::types::QTy::plain(types.strip(q).ty),
        }
    }
}

/// `shared`, `strict` or `relaxed`.
pub(crate) fn is_upc(q: QualKind) -> bool {
    matches!(
        q,
        QualKind::Shared(_) | QualKind::Global | QualKind::Spread | QualKind::Strict | QualKind::Relaxed
    )
}
