//! Declarators and type names that contain a pointer-to-shared.
//!
//! A declarator is read from the name outwards. At the first pointer whose target is shared it is *cut*: this
//! pointer and everything outside of it, specifiers included, become `mer_ptr` or `mer_pptr`; the text inside
//! is unchanged. `shared int *(*f)(int)[3]` is a pointer to a function, and from the cut on `mer_ptr`.

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
                    self.change_part(part, &mut changes);
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

    /// Changes inside one part: bounds and parameters.
    fn change_part(&mut self, part: &Part, changes: &mut Changes) {
        match part {
            Part::Array { size: ArraySize::Expr(e), .. } => self.change_value(*e, changes),
            Part::Function { params, .. } => {
                for &param in params {
                    self.param(param, changes);
                }
            }
            _ => {}
        }
    }

    /// Changes inside a declarator that is not cut, in the order of the text.
    pub(crate) fn change_declarator(&mut self, d: DeclaratorId, changes: &mut Changes) {
        let unit = self.program.unit;
        let mut inside = Changes::new();
        for part in &unit.declarators[d].parts {
            self.change_part(part, &mut inside);
        }
        inside.sort_by_key(|change| change.0);
        changes.extend(inside);
    }

    /// Changes of a type name.
    pub(crate) fn change_type_name(&mut self, t: TypeNameId, changes: &mut Changes) {
        let unit = self.program.unit;
        let name = &unit.type_names[t];
        if let Some((at, to)) = cut(self.program, name.declarator) {
            let inner = self.spell(name.declarator, at);
            changes.push((name.span, seq![self.program.pointer_type(to), " ", inner].flat()));
            return;
        }
        let q = self.program.typed.type_name(t);
        if self.program.typed.types.is_shared(q) {
            changes.push((name.span, Piece::text(self.program.type_text(q))));
            return;
        }
        let outer = std::mem::replace(&mut self.in_type_name, true);
        self.change_specs(name.specs, changes);
        self.change_declarator(name.declarator, changes);
        self.in_type_name = outer;
    }

    /// Changes of specifiers that keep their form.
    pub(crate) fn change_specs(&mut self, s: SpecsId, changes: &mut Changes) {
        let unit = self.program.unit;
        let specs = &unit.specs[s];
        let first = changes.len();
        self.change_alignments(&specs.alignas, &specs.attrs, changes);
        for spec in &specs.types {
            match spec {
                TypeSpec::Record(r) => self.members(*r, changes),
                TypeSpec::Enum(e) => {
                    for (_, value) in unit.enums[*e].values.iter().flatten() {
                        if let Some(value) = value {
                            self.change_value(*value, changes);
                        }
                    }
                }
                TypeSpec::TypeofExpr(e, span) => self.change_typeof(*e, *span, changes),
                TypeSpec::TypeofType(t, _) | TypeSpec::Atomic(t, _) => self.change_type_name(*t, changes),
                TypeSpec::Basic(..) | TypeSpec::Typedef(_) | TypeSpec::AutoType(_) => {}
            }
        }
        changes[first..].sort_by_key(|(span, _)| span.lo);
    }

    /// Changes of the operands of `_Alignas`, `aligned` and `vector_size`.
    pub(crate) fn change_alignments(&mut self, alignas: &[Alignas], attrs: &[Attr], changes: &mut Changes) {
        for alignas in alignas {
            match alignas.of {
                Alignment::Expr(e) => self.change_value(e, changes),
                Alignment::Type(t) => self.change_type_name(t, changes),
            }
        }
        for attr in attrs.iter().filter(|attr| matches!(&*attr.name, "aligned" | "vector_size")) {
            let arguments = attr.args.iter().filter_map(|(_, e)| *e);
            arguments.for_each(|e| self.change_value(e, changes));
        }
    }

    /// `typeof` of a shared object is the object's type without `shared`. The type of a pointer-to-shared, or
    /// of a number computed from shared objects, is named, because the computation may not stand outside of
    /// functions.
    pub(crate) fn change_typeof(&mut self, e: ExprId, span: Span, changes: &mut Changes) {
        let q = self.program.typed.ty(e);
        let types = &self.program.typed.types;
        let computed = types.is_scalar(q) && types.int_kind(q).is_some() || self.program.is_pts(q);
        if types.is_shared(q) || (computed && self.touched(e)) {
            changes.push((span, Piece::text(format!("__typeof__({})", self.program.type_text(q)))));
        } else {
            self.change_value(e, changes);
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
