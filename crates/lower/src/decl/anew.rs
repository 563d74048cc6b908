//! Declarations that do not keep their form. Each becomes one declaration for each name: a pointer-to-shared
//! as `mer_ptr`, a shared object as the part of it that one thread owns, in the section that start-up finds.

use super::Place;
use crate::decl;
use crate::declarator;
use crate::program::Program;
use crate::{Changes, Lower, start_record};
use c_sema::types::{QTy, Quals, Ty};
use c_syntax::ast::*;
use emit::build::{declare, initializer};
use emit::{Piece, seq, splice};

impl Lower<'_> {
    /// Rewrites a declaration as one for each name.
    pub(super) fn rewritten(&mut self, d: DeclId, place: Place) -> Piece {
        let unit = self.program.unit;
        let DeclKind::Vars { specs, items } = &unit.decls[d].kind else { return Piece::empty() };
        let end = if place == Place::Param { "" } else { "; " };
        let mut out = vec![self.hoisted(*specs)];
        for item in items {
            let q = self.program.typed.declarator_ty(item.declarator);
            let shared = self.program.typed.types.is_shared(q);
            if place == Place::Ordinary {
                out.push(self.keep_lengths(item.declarator));
            }
            let typedef = unit.specs[*specs].storage.iter().any(|s| s.0 == Storage::Typedef);
            if place != Place::Ordinary && (shared || matches!(self.program.typed.types.of(q), Ty::Array(..)))
            {
                out.push(self.array_param(*specs, item, q));
            } else if shared && typedef && self.program.sized_by_procs(q)
                || decl::is_row_of_threads(self.program, self.function == 0, &unit.specs[*specs], item)
            {
                // The name is not used in C: declarations with it are spelled out.
                continue;
            } else if shared && typedef {
                let name = self.program.name_of(item.declarator);
                let plain = QTy { ty: q.ty, quals: Quals { shared: None, ..q.quals } };
                // Pointers to the type do not use the name in C, and the C compiler would warn that it is
                // unused.
                let unused = if self.function > 0 { " __attribute__((unused))" } else { "" };
                out.push(Piece::text(format!("typedef {}{unused}", self.program.declare_text(plain, name))));
            } else if shared && self.program.is_automatic(item.declarator) {
                out.push(self.automatic_shared(item, q));
                continue;
            } else if shared {
                out.push(self.shared_object(*specs, item, q));
                continue;
            } else {
                let text = self.private_object(*specs, item, place);
                out.push(text);
                continue;
            }
            out.push(end.into());
        }
        Piece::Seq(out)
    }

    /// A parameter that is an array: a pointer to its element.
    fn array_param(&mut self, s: SpecsId, item: &InitDeclarator, q: QTy) -> Piece {
        let elem = match self.program.typed.types.of(q) {
            Ty::Array(elem, _) => *elem,
            _ => q,
        };
        if self.program.typed.types.is_shared(elem) {
            return Piece::text(format!(
                "{} {}",
                self.program.pointer_type(elem),
                self.program.name_of(item.declarator)
            ));
        }
        let (base, spelled) = self.base_and_declarator(s, item.declarator);
        seq![base, " ", spelled].flat()
    }

    /// A private object or function whose type contains a pointer-to-shared.
    fn private_object(&mut self, s: SpecsId, item: &InitDeclarator, place: Place) -> Piece {
        let q = self.program.typed.declarator_ty(item.declarator);
        let quals = self.program.typed.types.object_quals(q);
        let declared = if quals.is_const
            && decl::is_filled_in(self.program, item.declarator)
            && declarator::cut(self.program, item.declarator).is_none()
        {
            let quals = Quals { is_const: false, ..quals };
            Piece::text(elements_text(
                self.program,
                QTy { ty: self.program.bare(q.ty), quals },
                self.program.name_of(item.declarator),
            ))
        } else {
            let (base, spelled) = self.base_and_declarator(s, item.declarator);
            seq![base, " ", spelled]
        };
        let mut out = vec![seq![self.leading(s), declared].flat()];
        if let Some(width) = item.width {
            out.push(seq![" : ", self.converted(width).flat()]);
        }
        out.push(self.trailing(item));
        let mut records = Vec::new();
        if let Some(init) = item.init {
            let mut changes = Changes::new();
            if self.program.is_static(item.declarator) {
                self.edit(&mut changes).static_init(item.declarator, init, &mut records);
            } else {
                self.edit(&mut changes).init(init);
            }
            out.push(seq![" = ", splice(self.program.unit.inits[init].span, changes)]);
        }
        if place != Place::Param {
            out.push("; ".into());
        }
        out.extend(records);
        Piece::Seq(out)
    }

    fn base_and_declarator(&mut self, s: SpecsId, d: DeclaratorId) -> (Piece, Piece) {
        let unit = self.program.unit;
        match declarator::cut(self.program, d) {
            Some((at, to)) => (Piece::text(qualified_pointer(self.program, d, at, to)), self.spell(d, at)),
            None => (self.base(s), self.spell(d, unit.declarators[d].parts.len())),
        }
    }

    /// A static shared object: declares the part of one thread.
    fn shared_object(&mut self, s: SpecsId, item: &InitDeclarator, q: QTy) -> Piece {
        let unit = self.program.unit;
        let name = self.program.name_of(item.declarator);
        let external = unit.specs[s].storage.iter().any(|s| s.0 == Storage::Extern) && item.init.is_none();
        let symbol = self.program.typed.declared(item.declarator);
        // The fullest type of all declarations, so that they agree on the part's size.
        let has_length = self.program.part(q).is_some() || self.program.sized_at_start(q);
        let q = symbol.map_or(q, |sym| if has_length { q } else { self.program.typed.sym(sym).ty });
        let elem = self.program.typed.types.element(q);
        let sized = self.program.sized_at_start(q);
        let elem = QTy {
            ty: self.program.bare(elem.ty),
            quals: Quals {
                is_volatile: self.program.typed.types.object_quals(elem).is_volatile,
                ..Quals::default()
            },
        };
        // Old programs define variables in headers; the definitions of all files are one object.
        let common = self.program.merges
            && item.init.is_none()
            && !unit.specs[s].storage.iter().any(|s| s.0 == Storage::Static)
            && self.function == 0;
        let weak = if common { " __attribute__((weak))" } else { "" };
        if symbol.is_some_and(|sym| self.program.is_big(sym)) {
            let size = match sized {
                true => "0".to_owned(),
                false => format!(
                    "{} * sizeof({})",
                    self.program.part(q).unwrap_or(1),
                    self.program.type_text(elem)
                ),
            };
            let keep = self.leading_of(s, item);
            let text = if external {
                seq![keep, format!("struct mer_big mer_big_{name}; ")]
            } else {
                let declared = format!("struct mer_big mer_big_{name}{weak} MER_RECORD(\"mer_big\")");
                seq![keep, declare(declared, Some(initializer(["0".into(), size.into()])))]
            };
            let mut out = vec![text.flat()];
            if sized && !external {
                out.push(self.size_record(&name, q));
            }
            out.extend(item.init.map(|init| self.shared_image(&name, q, elem, init, true)));
            return Piece::Seq(out);
        }
        let bound = match (self.program.typed.types.of(q), self.program.part(q)) {
            (Ty::Array(..), Some(n)) => format!("[{n}]"),
            (Ty::Array(..), None) => "[]".into(),
            _ => String::new(),
        };
        // The elements of a block keep no qualifiers either: constant data would be in another section.
        let declared = elements_text(self.program, elem, format!("{name}{bound}"));
        let (lead, trail) = (self.leading_of(s, item), self.trailing(item));
        if external {
            return seq![lead, declared, trail, "; "].flat();
        }
        let mut out = vec![
            seq!["MER_SHARED_BEGIN ", lead, declared, trail, weak, " MER_SHARED_DATA; MER_SHARED_END "]
                .flat(),
        ];
        if let Some(init) = item.init {
            out.push(self.shared_image(&name, q, elem, init, false));
        }
        Piece::Seq(out)
    }

    /// The record that tells start-up the size of a static object that depends on PROCS.
    fn size_record(&mut self, name: &str, q: QTy) -> Piece {
        let (function, record) = (self.fresh("size"), self.fresh("sized"));
        let (count, size) = (self.program.count_text(self.program.count(q)), self.program.elem_size(q));
        let body = format!("static mer_u64 {function}(void) {{ return mer_part_bytes({count}, {size}); }}");
        let record = start_record("mer_sized", &record, [format!("&mer_big_{name}"), function]);
        if self.function > 0 {
            // A function stands at file scope.
            self.in_front.push(Piece::Line(body));
            return record;
        }
        seq![body, record]
    }
}

/// The type of the pointer-to-shared that is the declarator's part `at`, with its qualifiers.
pub(crate) fn qualified_pointer(program: &Program, d: DeclaratorId, at: usize, to: QTy) -> String {
    let Part::Pointer { quals, .. } = &program.unit.declarators[d].parts[at] else { unreachable!() };
    // A pointer that start-up fills in cannot lie in read-only memory.
    let constant = quals.iter().any(|q| q.kind == QualKind::Const) && !decl::is_filled_in(program, d);
    let volatile = quals.iter().any(|q| q.kind == QualKind::Volatile);
    let quals = [(constant, "const "), (volatile, "volatile ")];
    let quals: String = quals.iter().filter(|q| q.0).map(|q| q.1).collect();
    format!("{quals}{}", program.pointer_type(to))
}

/// A declaration of `inner` as an object of type `q`, whose elements have only the qualifiers of `q`
/// itself.
fn elements_text(program: &Program, q: QTy, mut inner: String) -> String {
    let mut of = q;
    while let Ty::Array(to, len) = program.typed.types.of(of) {
        inner = format!("{inner}[{}]", program.bound_text(*len));
        of = QTy { ty: program.bare(to.ty), quals: q.quals };
    }
    program.declare_text(of, inner)
}
