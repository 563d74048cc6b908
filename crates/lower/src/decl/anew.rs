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

/// A declaration that is made anew.
pub(super) struct Anew<'l, 'a> {
    pub(super) lower: &'l mut Lower<'a>,
    pub(super) specs: SpecsId,
    place: Place,
}

impl<'l, 'a> Anew<'l, 'a> {
    /// A declaration with these specifiers.
    pub(super) fn new(lower: &'l mut Lower<'a>, specs: SpecsId, place: Place) -> Anew<'l, 'a> {
        Anew { lower, specs, place }
    }

    /// Makes one declaration for each name.
    pub(super) fn declarations(&mut self, items: &[InitDeclarator]) -> Piece {
        let program = self.lower.program;
        let place = self.place;
        let specs = &program.unit.specs[self.specs];
        let end = if place == Place::Param { "" } else { "; " };
        let mut out = vec![self.hoisted()];
        for item in items {
            let q = program.typed.declarator_ty(item.declarator);
            let shared = program.typed.types.is_shared(q);
            if place == Place::Ordinary {
                out.push(self.lower.keep_lengths(item.declarator));
            }
            let typedef = specs.storage.iter().any(|s| s.0 == Storage::Typedef);
            if place != Place::Ordinary && (shared || matches!(program.typed.types.of(q), Ty::Array(..))) {
                out.push(self.array_param(item, q));
            } else if shared && typedef && program.sized_by_procs(q)
                || decl::is_row_of_threads(program, self.lower.function == 0, specs, item)
            {
                // The name is not used in C: declarations with it are spelled out.
                continue;
            } else if shared && typedef {
                let name = program.name_of(item.declarator);
                let plain = QTy { ty: q.ty, quals: Quals { shared: None, ..q.quals } };
                // Pointers to the type do not use the name in C, and the C compiler would warn that it is
                // unused.
                let unused = if self.lower.function > 0 { " __attribute__((unused))" } else { "" };
                out.push(Piece::text(format!("typedef {}{unused}", program.declare_text(plain, name))));
            } else if shared && program.is_automatic(item.declarator) {
                out.push(self.lower.automatic_shared(item, q));
                continue;
            } else if shared {
                out.push(self.shared_object(item, q));
                continue;
            } else {
                let text = self.private_object(item);
                out.push(text);
                continue;
            }
            out.push(end.into());
        }
        Piece::Seq(out)
    }

    /// A parameter that is an array: a pointer to its element.
    fn array_param(&mut self, item: &InitDeclarator, q: QTy) -> Piece {
        let program = self.lower.program;
        let elem = match program.typed.types.of(q) {
            Ty::Array(elem, _) => *elem,
            _ => q,
        };
        if program.typed.types.is_shared(elem) {
            return Piece::text(format!(
                "{} {}",
                program.pointer_type(elem),
                program.name_of(item.declarator)
            ));
        }
        let (base, spelled) = self.base_and_declarator(item.declarator);
        seq![base, " ", spelled].flat()
    }

    /// A private object or function whose type contains a pointer-to-shared.
    fn private_object(&mut self, item: &InitDeclarator) -> Piece {
        let program = self.lower.program;
        let q = program.typed.declarator_ty(item.declarator);
        let quals = program.typed.types.object_quals(q);
        let declared = if quals.is_const
            && decl::is_filled_in(program, item.declarator)
            && declarator::cut(program, item.declarator).is_none()
        {
            let quals = Quals { is_const: false, ..quals };
            Piece::text(elements_text(
                program,
                QTy { ty: program.bare(q.ty), quals },
                program.name_of(item.declarator),
            ))
        } else {
            let (base, spelled) = self.base_and_declarator(item.declarator);
            seq![base, " ", spelled]
        };
        let mut out = vec![seq![self.leading(), declared].flat()];
        if let Some(width) = item.width {
            out.push(seq![" : ", self.lower.converted(width).flat()]);
        }
        out.push(self.trailing(item));
        let mut records = Vec::new();
        if let Some(init) = item.init {
            let mut changes = Changes::new();
            if program.is_static(item.declarator) {
                self.lower.edit(&mut changes).static_init(item.declarator, init, &mut records);
            } else {
                self.lower.edit(&mut changes).init(init);
            }
            out.push(seq![" = ", splice(program.unit.inits[init].span, changes)]);
        }
        if self.place != Place::Param {
            out.push("; ".into());
        }
        out.extend(records);
        Piece::Seq(out)
    }

    fn base_and_declarator(&mut self, d: DeclaratorId) -> (Piece, Piece) {
        let program = self.lower.program;
        let unit = program.unit;
        match declarator::cut(program, d) {
            Some((at, to)) => (Piece::text(qualified_pointer(program, d, at, to)), self.lower.spell(d, at)),
            None => (self.base(), self.lower.spell(d, unit.declarators[d].parts.len())),
        }
    }

    /// A static shared object: declares the part of one thread.
    fn shared_object(&mut self, item: &InitDeclarator, q: QTy) -> Piece {
        let program = self.lower.program;
        let unit = program.unit;
        let name = program.name_of(item.declarator);
        let external =
            unit.specs[self.specs].storage.iter().any(|s| s.0 == Storage::Extern) && item.init.is_none();
        let symbol = program.typed.declared(item.declarator);
        // The fullest type of all declarations, so that they agree on the part's size.
        let has_length = program.part(q).is_some() || program.sized_at_start(q);
        let q = symbol.map_or(q, |sym| if has_length { q } else { program.typed.sym(sym).ty });
        let elem = program.typed.types.element(q);
        let sized = program.sized_at_start(q);
        let elem = QTy {
            ty: program.bare(elem.ty),
            quals: Quals {
                is_volatile: program.typed.types.object_quals(elem).is_volatile,
                ..Quals::default()
            },
        };
        // Old programs define variables in headers; the definitions of all files are one object.
        let common = program.merges
            && item.init.is_none()
            && !unit.specs[self.specs].storage.iter().any(|s| s.0 == Storage::Static)
            && self.lower.function == 0;
        let weak = if common { " __attribute__((weak))" } else { "" };
        if symbol.is_some_and(|sym| program.is_big(sym)) {
            let size = match sized {
                true => "0".to_owned(),
                false => format!("{} * sizeof({})", program.part(q).unwrap_or(1), program.type_text(elem)),
            };
            let keep = self.leading_of(item);
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
            out.extend(item.init.map(|init| self.lower.shared_image(&name, q, elem, init, true)));
            return Piece::Seq(out);
        }
        let bound = match (program.typed.types.of(q), program.part(q)) {
            (Ty::Array(..), Some(n)) => format!("[{n}]"),
            (Ty::Array(..), None) => "[]".into(),
            _ => String::new(),
        };
        // The elements of a block keep no qualifiers either: constant data would be in another section.
        let declared = elements_text(program, elem, format!("{name}{bound}"));
        let (lead, trail) = (self.leading_of(item), self.trailing(item));
        if external {
            return seq![lead, declared, trail, "; "].flat();
        }
        let mut out = vec![
            seq!["MER_SHARED_BEGIN ", lead, declared, trail, weak, " MER_SHARED_DATA; MER_SHARED_END "]
                .flat(),
        ];
        if let Some(init) = item.init {
            out.push(self.lower.shared_image(&name, q, elem, init, false));
        }
        Piece::Seq(out)
    }

    /// The record that tells start-up the size of a static object that depends on PROCS.
    fn size_record(&mut self, name: &str, q: QTy) -> Piece {
        let program = self.lower.program;
        let (function, record) = (self.lower.fresh("size"), self.lower.fresh("sized"));
        let (count, size) = (program.count_text(program.count(q)), program.elem_size(q));
        let body = format!("static mer_u64 {function}(void) {{ return mer_part_bytes({count}, {size}); }}");
        let record = start_record("mer_sized", &record, [format!("&mer_big_{name}"), function]);
        if self.lower.function > 0 {
            // A function stands at file scope.
            self.lower.in_front.push(Piece::Line(body));
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
