//! The specifiers of a rewritten declaration, before its declarators, and the attributes after these: struct
//! and enum definitions as declarations of their own, storage classes and the like, the type.

use super::anew::Anew;
use crate::declarator::is_upc;
use crate::edit::Edit;
use crate::program::Program;
use crate::{Changes, Lower};
use base::Span;
use c_syntax::Language;
use c_syntax::ast::*;
use emit::{Piece, seq, splice};

impl Lower<'_> {
    /// The definitions in a type name that is not kept, as a sum of 0 before the expression that replaces the
    /// type name.
    pub(crate) fn defined_by(&mut self, t: TypeNameId) -> Option<Piece> {
        let defined = self.definitions(self.program.unit.type_names[t].specs);
        let sizes = defined.into_iter().map(|text| seq!["0 * sizeof(", text, ") + "]);
        let sizes: Vec<Piece> = sizes.collect();
        (!sizes.is_empty()).then(|| seq![Piece::Seq(sizes).flat(), "0"])
    }

    /// Struct and enum definitions among the specifiers.
    fn definitions(&mut self, s: SpecsId) -> Vec<Piece> {
        let unit = self.program.unit;
        let mut out = Vec::new();
        for spec in &unit.specs[s].types {
            let text = match spec {
                TypeSpec::Record(r) if unit.records[*r].fields.is_some() => self.record_text(*r),
                TypeSpec::Enum(e) if unit.enums[*e].values.is_some() => {
                    let mut changes = Changes::new();
                    for (_, value) in unit.enums[*e].values.iter().flatten() {
                        value.iter().for_each(|&v| self.edit(&mut changes).value(v));
                    }
                    splice(unit.enums[*e].span, changes)
                }
                _ => continue,
            };
            out.push(text);
        }
        out
    }

    /// A struct's definition, with a tag if it had none.
    fn record_text(&mut self, r: RecordSpecId) -> Piece {
        let unit = self.program.unit;
        let spec = &unit.records[r];
        let record = self.program.typed.types.record(self.program.typed.record_of(r));
        let mut changes = Changes::new();
        if record.anonymous {
            changes.push(made_tag(self.program, r));
        }
        self.edit(&mut changes).members(r);
        splice(spec.span, changes)
    }
}

impl Anew<'_, '_> {
    /// Struct and enum definitions among the specifiers, as declarations of their own.
    pub(super) fn hoisted(&mut self) -> Piece {
        let in_record = self.lower.in_record;
        let defined = self.lower.definitions(self.specs).into_iter().map(|text| match in_record {
            // A struct with a tag alone is no member; gcc warns of it.
            true => seq!["_Static_assert(sizeof(", text, "), \"\"); "],
            false => seq![text, "; "],
        });
        Piece::Seq(defined.collect())
    }

    /// Storage classes, function specifiers, alignment and attributes.
    pub(super) fn leading(&mut self) -> Piece {
        self.leading_but(None)
    }

    /// The leading specifiers of a shared object. `extern` with an initialiser is a definition, whose value
    /// is elsewhere in C.
    pub(super) fn leading_of(&mut self, item: &InitDeclarator) -> Piece {
        self.leading_but(item.init.map(|_| Storage::Extern))
    }

    fn leading_but(&mut self, left_out: Option<Storage>) -> Piece {
        let program = self.lower.program;
        let unit = program.unit;
        let specs = &unit.specs[self.specs];
        let split_c = program.typed.types.language == Language::SplitC;
        let left_out = |class: Storage| (split_c && class == Storage::Register) || Some(class) == left_out;
        let kept = specs.storage.iter().filter(|s| !left_out(s.0));
        let mut spans: Vec<Span> = kept.map(|s| s.1).collect();
        spans.extend(&specs.function);
        spans.extend(specs.alignas.iter().map(|a| a.span));
        spans.extend(specs.attrs.iter().map(|a| a.whole));
        spans.sort();
        spans.dedup();
        let mut out = Vec::new();
        for span in spans {
            let aligns = self.aligned(span, &specs.alignas, &specs.attrs);
            out.extend([aligns.unwrap_or_else(|| specifier(program, self.specs, span)), Piece::text(" ")]);
        }
        Piece::Seq(out)
    }

    /// The text of an `_Alignas` or of attributes with its number as C; `None` if nothing in it changes.
    fn aligned(&mut self, span: Span, alignas: &[Alignas], attrs: &[Attr]) -> Option<Piece> {
        let mut changes = Changes::new();
        self.lower.edit(&mut changes).alignments(alignas, attrs);
        changes.retain(|(part, _)| span.lo <= part.lo && part.hi <= span.hi);
        changes.sort_by_key(|(span, _)| span.lo);
        (!changes.is_empty()).then(|| splice(span, changes))
    }

    /// `asm` label and attributes after a declarator.
    pub(super) fn trailing(&mut self, item: &InitDeclarator) -> Piece {
        let mut spans: Vec<Span> = item.asm_label.into_iter().collect();
        spans.extend(item.attrs.iter().map(|a| a.whole));
        spans.sort();
        spans.dedup();
        let mut out = Vec::new();
        for span in spans {
            let aligns = self.aligned(span, &[], &item.attrs);
            out.extend([Piece::text(" "), aligns.unwrap_or(Piece::Src(span))]);
        }
        Piece::Seq(out).flat()
    }

    /// Type specifiers and C's qualifiers, without definitions.
    pub(super) fn base(&mut self) -> Piece {
        let program = self.lower.program;
        let unit = program.unit;
        let specs = &unit.specs[self.specs];
        if program.typed.types.is_shared(program.typed.specs_ty(self.specs)) {
            return Piece::text(
                program.type_text(program.typed.types.element(program.typed.specs_ty(self.specs))),
            );
        }
        let mut out = Vec::new();
        for qual in specs.quals.iter().filter(|q| !is_upc(q.kind)) {
            out.extend([Piece::Src(qual.span), Piece::text(" ")]);
        }
        for spec in &specs.types {
            out.push(match spec {
                TypeSpec::Basic(_, span) | TypeSpec::AutoType(span) => Piece::Src(*span),
                TypeSpec::Typedef(name) => Piece::Src(name.span),
                TypeSpec::Record(_) | TypeSpec::Enum(_) => {
                    Piece::text(program.type_text(program.typed.specs_ty(self.specs)))
                }
                TypeSpec::TypeofExpr(_, span) | TypeSpec::TypeofType(_, span) | TypeSpec::Atomic(_, span) => {
                    let mut changes = Changes::new();
                    match spec {
                        TypeSpec::TypeofExpr(e, span) => self.lower.edit(&mut changes).type_of(*e, *span),
                        TypeSpec::TypeofType(t, _) | TypeSpec::Atomic(t, _) => {
                            self.lower.edit(&mut changes).type_name(*t)
                        }
                        _ => {}
                    }
                    splice(*span, changes)
                }
            });
            out.push(" ".into());
        }
        if specs.types.is_empty() {
            out.push("int".into());
        }
        Piece::Seq(out)
    }
}

impl Edit<'_, '_> {
    /// Changes of the members of a struct.
    pub(crate) fn members(&mut self, r: RecordSpecId) {
        let outer = std::mem::replace(&mut self.lower.in_record, true);
        for &field in self.lower.program.unit.records[r].fields.iter().flatten() {
            self.decl(field);
        }
        self.lower.in_record = outer;
    }
}

/// The made-up tag of an anonymous struct, before its brace.
pub(crate) fn made_tag(program: &Program, r: RecordSpecId) -> (Span, Piece) {
    let spec = &program.unit.records[r];
    let tag = &program.typed.types.record(program.typed.record_of(r)).tag;
    (Span::new(spec.brace, spec.brace), Piece::text(format!(" {tag} ")))
}

/// The words of `extern inline` in Split-C. In GNU's C of 1989 such a function has no other definition,
/// and a C compiler that does not optimise would find none.
pub(crate) fn extern_inline(program: &Program, s: SpecsId) -> Vec<Span> {
    let specs = &program.unit.specs[s];
    let external = specs.storage.iter().filter(|s| s.0 == Storage::Extern).map(|s| s.1);
    let inline = specs.function.iter().copied().filter(|&span| program.text(span).contains("inline"));
    let (mut words, inline): (Vec<_>, Vec<_>) = (external.collect(), inline.collect());
    let own =
        program.typed.types.language == Language::SplitC && !program.source.presumed(specs.span.lo).system;
    if !own || words.is_empty() || inline.is_empty() || !specs.attrs.is_empty() {
        return Vec::new();
    }
    words.extend(inline);
    words
}

/// A storage class, function specifier or attribute in C (`lower::OLD_DECLARATIONS`).
pub(crate) fn specifier(program: &Program, s: SpecsId, span: Span) -> Piece {
    match extern_inline(program, s).iter().position(|&word| word == span) {
        Some(0) => Piece::text("MER_EXTERN_INLINE"),
        Some(_) => Piece::empty(),
        None => Piece::Src(span),
    }
}
