//! Declarators and type names that contain a pointer-to-shared.
//!
//! A declarator is read from the name outwards. At the first pointer whose target is shared it is *cut*: this
//! pointer and everything outside of it, specifiers included, become `mer_ptr` or `mer_pptr`; the text inside
//! is unchanged. `shared int *(*f)(int)[3]` is a pointer to a function, and from the cut on `mer_ptr`.

use crate::edit::Edit;
use crate::program::Program;
use crate::{Changes, Lower};
use base::Span;
use c_sema::types::{QTy, Ty};
use c_syntax::ast::*;
use emit::{Piece, seq, splice};

impl Lower<'_> {
    /// The declarator's text up to the part `end`, around its name.
    pub(crate) fn spell(&mut self, d: DeclaratorId, end: usize) -> Piece {
        let unit = self.program.unit;
        let declarator = &unit.declarators[d];
        let mut text = match &declarator.name {
            Some(name) => Piece::text(name.text.to_string()),
            None => Piece::empty(),
        };
        let mut after_pointer = false;
        for part in &declarator.parts[..end] {
            text = match part {
                Part::Pointer { quals, .. } => {
                    let quals: Vec<Piece> = quals
                        .iter()
                        .filter(|q| !is_upc(q.kind))
                        .flat_map(|q| [Piece::Src(q.span), Piece::text(" ")])
                        .collect();
                    seq!["*", Piece::Seq(quals), text]
                }
                Part::Block { .. } => seq!["^", text],
                Part::Spread { .. } => text,
                Part::Array { span, .. } | Part::Function { span, .. } => {
                    let mut changes = Changes::new();
                    self.edit(&mut changes).part(part);
                    let suffix = splice(*span, changes).flat();
                    if after_pointer { seq!["(", text, ")", suffix] } else { seq![text, suffix] }
                }
            };
            after_pointer = matches!(part, Part::Pointer { .. } | Part::Block { .. });
        }
        if after_pointer
            && matches!(declarator.parts.get(end), Some(Part::Array { .. } | Part::Function { .. }))
        {
            text = text.paren();
        }
        text
    }
}

impl Edit<'_, '_> {
    /// Changes inside one part: bounds and parameters.
    fn part(&mut self, part: &Part) {
        match part {
            Part::Array { size: ArraySize::Expr(e), .. } => self.value(*e),
            Part::Function { params, .. } => {
                for &param in params {
                    self.param(param);
                }
            }
            _ => {}
        }
    }

    /// Changes inside a declarator that is not cut, in the order of the text.
    pub(crate) fn declarator(&mut self, d: DeclaratorId) {
        let unit = self.lower.program.unit;
        let mut inside = Changes::new();
        for part in &unit.declarators[d].parts {
            self.lower.edit(&mut inside).part(part);
        }
        inside.sort_by_key(|change| change.0);
        self.changes.extend(inside);
    }

    /// Changes of a type name.
    pub(crate) fn type_name(&mut self, t: TypeNameId) {
        let program = self.lower.program;
        let unit = program.unit;
        let name = &unit.type_names[t];
        if let Some((at, to)) = cut(program, name.declarator) {
            let inner = self.lower.spell(name.declarator, at);
            self.changes.push((name.span, seq![program.pointer_type(to), " ", inner].flat()));
            return;
        }
        let q = program.typed.type_name(t);
        if program.typed.types.is_shared(q) {
            self.changes.push((name.span, Piece::text(program.type_text(q))));
            return;
        }
        let outer = std::mem::replace(&mut self.lower.in_type_name, true);
        self.specs(name.specs);
        self.declarator(name.declarator);
        self.lower.in_type_name = outer;
    }

    /// Changes of specifiers that keep their form.
    pub(crate) fn specs(&mut self, s: SpecsId) {
        let unit = self.lower.program.unit;
        let specs = &unit.specs[s];
        let first = self.changes.len();
        self.alignments(&specs.alignas, &specs.attrs);
        for spec in &specs.types {
            match spec {
                TypeSpec::Record(r) => self.members(*r),
                TypeSpec::Enum(e) => {
                    for (_, value) in unit.enums[*e].values.iter().flatten() {
                        if let Some(value) = value {
                            self.value(*value);
                        }
                    }
                }
                TypeSpec::TypeofExpr(e, span) => self.type_of(*e, *span),
                TypeSpec::TypeofType(t, _) | TypeSpec::Atomic(t, _) => self.type_name(*t),
                TypeSpec::Basic(..) | TypeSpec::Typedef(_) | TypeSpec::AutoType(_) => {}
            }
        }
        self.changes[first..].sort_by_key(|(span, _)| span.lo);
    }

    /// Changes of the operands of `_Alignas`, `aligned` and `vector_size`.
    pub(crate) fn alignments(&mut self, alignas: &[Alignas], attrs: &[Attr]) {
        for alignas in alignas {
            match alignas.of {
                Alignment::Expr(e) => self.value(e),
                Alignment::Type(t) => self.type_name(t),
            }
        }
        for attr in attrs.iter().filter(|attr| matches!(&*attr.name, "aligned" | "vector_size")) {
            let arguments = attr.args.iter().filter_map(|(_, e)| *e);
            arguments.for_each(|e| self.value(e));
        }
    }

    /// `typeof` of a shared object is the object's type without `shared`. The type of a pointer-to-shared, or
    /// of a number computed from shared objects, is named, because the computation may not stand outside of
    /// functions.
    pub(crate) fn type_of(&mut self, e: ExprId, span: Span) {
        let program = self.lower.program;
        let q = program.typed.ty(e);
        let types = &program.typed.types;
        let computed = types.is_scalar(q) && types.int_kind(q).is_some() || program.is_pts(q);
        if types.is_shared(q) || (computed && self.lower.touched(e)) {
            self.changes.push((span, Piece::text(format!("__typeof__({})", program.type_text(q)))));
        } else {
            self.value(e);
        }
    }
}

/// The part of a declarator where it is cut, and the target of the pointer there.
pub(crate) fn cut(program: &Program, d: DeclaratorId) -> Option<(usize, QTy)> {
    let types = &program.typed.types;
    let mut q = program.typed.declarator_ty(d);
    for (n, part) in program.unit.declarators[d].parts.iter().enumerate() {
        let next = match (part, types.of(q)) {
            (Part::Pointer { .. }, Ty::Pointer(to)) => {
                if types.is_shared(*to) {
                    return Some((n, *to));
                }
                *to
            }
            (Part::Array { .. }, Ty::Array(elem, _)) => {
                QTy { ty: elem.ty, quals: elem.quals.union(types.strip(q).quals) }
            }
            (Part::Array { .. }, Ty::Pointer(to)) => *to,
            (Part::Spread { .. }, _) => q,
            (Part::Function { .. }, Ty::Function(f)) => f.ret,
            _ => return None,
        };
        q = next;
    }
    None
}

/// `shared`, `strict` or `relaxed`.
pub(crate) fn is_upc(q: QualKind) -> bool {
    matches!(
        q,
        QualKind::Shared(_) | QualKind::Global | QualKind::Spread | QualKind::Strict | QualKind::Relaxed
    )
}
