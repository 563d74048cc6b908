//! Declarations.
//!
//! A declaration without pointers-to-shared and shared objects keeps its form, with changes inside. Any other
//! is written anew, one declaration a name: a pointer-to-shared as `mer_ptr`, a shared object as the part of
//! it that one thread owns, in the section that start-up finds.

use crate::entry::Entry;
use crate::touched::is_upc;
use crate::{Changes, Lower, start_record};
use base::Span;
use c_sema::types::{QTy, Quals, Ty};
use c_syntax::Language;
use c_syntax::ast::*;
use emit::build::{declare, initializer};
use emit::{Piece, seq, splice};

/// Where a declaration stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// File scope, a block, a struct.
    Ordinary,
    /// A parameter in a prototype.
    Param,
    /// A parameter in an old-style list, which ends with a semicolon.
    OldParam,
}

impl Lower<'_> {
    /// Changes of a declaration in file or block scope, or of a struct's member.
    pub(crate) fn decl(&mut self, d: DeclId, changes: &mut Changes) {
        let unit = self.unit;
        match &unit.decls[d].kind {
            DeclKind::Vars { .. } => self.vars(d, Place::Ordinary, changes),
            DeclKind::Function { specs, declarator, kr, body } => {
                let (entry, first) = (self.entry(*declarator), changes.len());
                if let Entry::SplitC { int } = entry {
                    self.define_main(d, *declarator, int, changes);
                }
                if entry == Entry::VoidMain {
                    self.define_status(d, *declarator, changes);
                }
                self.function_head(d, *specs, *declarator, changes);
                for &param in kr {
                    self.vars(param, Place::OldParam, changes);
                }
                let outer = (
                    std::mem::take(&mut self.controlling),
                    std::mem::replace(&mut self.gives_status, entry == Entry::SplitC { int: true }),
                );
                self.function += 1;
                if let Entry::Main { int } = entry {
                    self.enter_main(*body, int, changes);
                }
                self.keep_parameter_lengths(*declarator, kr, *body, changes);
                self.stmt(*body, changes);
                self.function -= 1;
                if self.gives_status {
                    self.end_program(*body, changes);
                }
                (self.controlling, self.gives_status) = outer;
                if self.function == 0 {
                    let lo = unit.decls[d].span.lo;
                    let lines = self.in_front.drain(..).map(|line| (Span::new(lo, lo), line));
                    changes.splice(first..first, lines);
                }
            }
            DeclKind::StaticAssert { cond, .. } => self.change_value(*cond, changes),
            DeclKind::Asm | DeclKind::Empty => {}
        }
    }

    /// Changes of a parameter's declaration.
    pub(crate) fn param(&mut self, d: DeclId, changes: &mut Changes) {
        self.vars(d, Place::Param, changes);
    }

    /// Whether a declaration cannot keep its form.
    pub(crate) fn is_rewritten(&self, d: DeclId) -> bool {
        let DeclKind::Vars { specs, items } = &self.unit.decls[d].kind else { return false };
        let specs = &self.unit.specs[*specs];
        specs.quals.iter().any(|q| is_upc(q.kind))
            || items.iter().any(|item| {
                self.cut(item.declarator).is_some()
                    || self.typed.types.is_shared(self.typed.declarator_ty(item.declarator))
                    || self.is_row_of_threads(specs, item)
            })
            || self.loses_const_apart(specs, items)
    }

    /// Whether this is the typedef, at file scope, of a private array of THREADS elements: C has none, and
    /// only shared declarations use it, which are spelled out.
    fn is_row_of_threads(&self, specs: &Specs, item: &InitDeclarator) -> bool {
        let q = self.typed.declarator_ty(item.declarator);
        let typedef = specs.storage.iter().any(|s| s.0 == Storage::Typedef);
        let types = &self.typed.types;
        typedef
            && self.function == 0
            && !self.everything()
            && !types.is_shared(q)
            && types.elements(q).is_some_and(|(_, threads)| threads)
    }

    /// Whether a static object that start-up fills in has a `const` that no change in place takes away:
    /// one that a typedef name or `typeof` says, or that other objects keep.
    fn loses_const_apart(&self, specs: &Specs, items: &[InitDeclarator]) -> bool {
        let types = &self.typed.types;
        let filled_in = |item: &InitDeclarator| self.is_filled_in(item.declarator);
        let constant = |item: &InitDeclarator| {
            types.object_quals(self.typed.declarator_ty(item.declarator)).is_const && filled_in(item)
        };
        let in_words = specs.types.iter().all(|spec| {
            !matches!(spec, TypeSpec::Typedef(_) | TypeSpec::TypeofExpr(..) | TypeSpec::TypeofType(..))
        });
        items.iter().any(constant) && !(in_words && items.iter().all(filled_in))
    }

    fn vars(&mut self, d: DeclId, place: Place, changes: &mut Changes) {
        let unit = self.unit;
        let decl = &unit.decls[d];
        let DeclKind::Vars { specs, items } = &decl.kind else { return self.decl(d, changes) };
        if items.iter().any(|item| self.typed.is_replaced(item.declarator)) {
            changes.push((decl.span, Piece::empty()));
            return;
        }
        if self.is_rewritten(d) {
            let text = self.rewritten(d, place);
            changes.push((decl.span, text));
            return;
        }
        if place == Place::Ordinary && self.function > 0 && self.everything() {
            for item in items {
                let kept = self.keep_lengths(item.declarator);
                changes.push((Span::new(decl.span.lo, decl.span.lo), kept));
            }
        }
        let mut of_specs = Changes::new();
        self.drop_register(*specs, items, &mut of_specs);
        self.drop_const(*specs, items, &mut of_specs);
        if place == Place::Ordinary {
            self.name_record(*specs, items, &mut of_specs);
        }
        self.change_specs(*specs, &mut of_specs);
        of_specs.sort_by_key(|(span, _)| span.lo); // the words stand in any order
        changes.extend(of_specs);
        let mut records = Vec::new();
        for item in items {
            self.change_declarator(item.declarator, changes);
            if let Some(width) = item.width {
                self.change_value(width, changes);
            }
            self.change_alignments(&[], &item.attrs, changes);
            if let Some(init) = item.init {
                if self.is_static(item.declarator) {
                    self.change_static_init(item.declarator, init, changes, &mut records);
                } else {
                    self.change_init(init, changes);
                }
            }
        }
        if !records.is_empty() {
            changes.push((Span::new(decl.span.hi, decl.span.hi), Piece::Seq(records)));
        }
    }

    /// Gives a tag to the anonymous struct of named members, objects and typedefs, where text that lowering
    /// makes may have to name it: a shared object's part, or the type of a value that is copied. A typedef
    /// name for the struct itself does without, unless it is qualified: values have the struct without the
    /// qualifiers. (A tag would make an unnamed member none. A type name is text that may come to stand more
    /// than once, and its struct may have one definition only.)
    fn name_record(&self, s: SpecsId, items: &[InitDeclarator], changes: &mut Changes) {
        changes.extend(self.untagged(s, items).map(|r| self.made_tag(r)));
    }

    /// The anonymous structs defined there that get a tag.
    fn untagged(&self, s: SpecsId, items: &[InitDeclarator]) -> impl Iterator<Item = RecordSpecId> {
        let specs = &self.unit.specs[s];
        let typedef = specs.storage.iter().any(|s| s.0 == Storage::Typedef);
        let plain = |item: &InitDeclarator| self.unit.declarators[item.declarator].parts.is_empty();
        let named = typedef && specs.quals.is_empty() && items.iter().all(plain);
        let none = items.is_empty() || named || self.in_type_name;
        specs.types.iter().filter_map(move |spec| match spec {
            TypeSpec::Record(r) if !none && self.unit.records[*r].fields.is_some() => {
                self.typed.types.record(self.typed.record_of(*r)).anonymous.then_some(*r)
            }
            _ => None,
        })
    }

    /// Whether a declaration gives a tag to a struct that has none.
    pub(crate) fn gives_tag(&self, d: DeclId) -> bool {
        match &self.unit.decls[d].kind {
            DeclKind::Vars { specs, items } => self.untagged(*specs, items).next().is_some(),
            _ => false,
        }
    }

    /// In Split-C a variable in a register can be the target of a get, whose address is taken.
    fn drop_register(&self, s: SpecsId, items: &[InitDeclarator], changes: &mut Changes) {
        if self.typed.types.language != Language::SplitC || items.iter().any(|i| i.asm_label.is_some()) {
            return;
        }
        let specs = &self.unit.specs[s];
        let int = if specs.types.is_empty() { "int" } else { "" };
        let register = specs.storage.iter().filter(|s| s.0 == Storage::Register);
        changes.extend(register.map(|s| (s.1, int.into())));
    }

    /// Start-up fills pointers-to-shared in, so a static object that holds them cannot lie in read-only
    /// memory. Nor may the C compiler take them from the initialiser. (Every declaration of such an object
    /// loses its `const`, so that all agree.)
    fn drop_const(&self, s: SpecsId, items: &[InitDeclarator], changes: &mut Changes) {
        if !items.is_empty() && items.iter().all(|item| self.is_filled_in(item.declarator)) {
            let quals = self.unit.specs[s].quals.iter().filter(|q| q.kind == QualKind::Const);
            changes.extend(quals.map(|q| (q.span, Piece::empty())));
        }
    }

    /// Whether a declarator declares a static object that holds pointers-to-shared.
    fn is_filled_in(&self, d: DeclaratorId) -> bool {
        let symbol = self.typed.declared(d).filter(|_| self.is_static(d));
        symbol.is_some_and(|symbol| self.holds_pts(self.typed.sym(symbol).ty))
    }

    /// Whether a declarator declares an object of static storage duration.
    pub(crate) fn is_static(&self, d: DeclaratorId) -> bool {
        use c_sema::typed::SymKind;
        self.typed.declared(d).is_some_and(|s| matches!(self.typed.sym(s).kind, SymKind::Static { .. }))
    }

    // ---- written anew ----------------------------------------------------------------------------

    fn function_head(&mut self, d: DeclId, s: SpecsId, declarator: DeclaratorId, changes: &mut Changes) {
        let unit = self.unit;
        let Some((at, to)) = self.cut(declarator) else {
            let first = changes.len();
            for span in self.extern_inline(s) {
                changes.push((span, self.specifier(s, span)));
            }
            self.change_specs(s, changes);
            changes[first..].sort_by_key(|(span, _)| span.lo);
            self.change_declarator(declarator, changes);
            return;
        };
        let head = Span::new(unit.decls[d].span.lo, unit.declarators[declarator].span.hi);
        let mut text = vec![self.hoisted(s), self.leading(s)];
        text.push(seq![self.qualified_pointer(declarator, at, to), " ", self.spell(declarator, at)]);
        changes.push((head, Piece::Seq(text).flat()));
    }

    /// A declaration as one declaration a name.
    fn rewritten(&mut self, d: DeclId, place: Place) -> Piece {
        let unit = self.unit;
        let DeclKind::Vars { specs, items } = &unit.decls[d].kind else { return Piece::empty() };
        let end = if place == Place::Param { "" } else { "; " };
        let mut out = vec![self.hoisted(*specs)];
        for item in items {
            let q = self.typed.declarator_ty(item.declarator);
            let shared = self.typed.types.is_shared(q);
            if place == Place::Ordinary {
                out.push(self.keep_lengths(item.declarator));
            }
            let typedef = unit.specs[*specs].storage.iter().any(|s| s.0 == Storage::Typedef);
            if place != Place::Ordinary && (shared || matches!(self.typed.types.of(q), Ty::Array(..))) {
                out.push(self.array_param(*specs, item, q));
            } else if shared && typedef && self.sized_by_procs(q)
                || self.is_row_of_threads(&unit.specs[*specs], item)
            {
                // The name is not used in C: declarations with it are spelled out.
                continue;
            } else if shared && typedef {
                let name = self.name_of(item.declarator);
                let plain = QTy { ty: q.ty, quals: Quals { shared: None, ..q.quals } };
                // A pointer to it does without the name in C, whose compiler would call it unused.
                let unused = if self.function > 0 { " __attribute__((unused))" } else { "" };
                out.push(Piece::text(format!("typedef {}{unused}", self.declare_text(plain, name))));
            } else if shared && self.is_automatic(item.declarator) {
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

    pub(crate) fn name_of(&self, d: DeclaratorId) -> String {
        self.unit.declarators[d].name.as_ref().map_or(String::new(), |n| n.text.to_string())
    }

    /// A parameter that is an array: a pointer to its element.
    fn array_param(&mut self, s: SpecsId, item: &InitDeclarator, q: QTy) -> Piece {
        let elem = match self.typed.types.of(q) {
            Ty::Array(elem, _) => *elem,
            _ => q,
        };
        if self.typed.types.is_shared(elem) {
            return Piece::text(format!("{} {}", self.pointer_type(elem), self.name_of(item.declarator)));
        }
        let (base, spelled) = self.base_and_declarator(s, item.declarator);
        seq![base, " ", spelled].flat()
    }

    /// A private object or function in whose type a pointer-to-shared stands.
    fn private_object(&mut self, s: SpecsId, item: &InitDeclarator, place: Place) -> Piece {
        let q = self.typed.declarator_ty(item.declarator);
        let quals = self.typed.types.object_quals(q);
        let declared = if quals.is_const
            && self.is_filled_in(item.declarator)
            && self.cut(item.declarator).is_none()
        {
            let quals = Quals { is_const: false, ..quals };
            Piece::text(self.elements_text(QTy { ty: self.bare(q.ty), quals }, self.name_of(item.declarator)))
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
            if self.is_static(item.declarator) {
                self.change_static_init(item.declarator, init, &mut changes, &mut records);
            } else {
                self.change_init(init, &mut changes);
            }
            out.push(seq![" = ", splice(self.unit.inits[init].span, changes)]);
        }
        if place != Place::Param {
            out.push("; ".into());
        }
        out.extend(records);
        Piece::Seq(out)
    }

    fn base_and_declarator(&mut self, s: SpecsId, d: DeclaratorId) -> (Piece, Piece) {
        let unit = self.unit;
        match self.cut(d) {
            Some((at, to)) => (Piece::text(self.qualified_pointer(d, at, to)), self.spell(d, at)),
            None => (self.base(s), self.spell(d, unit.declarators[d].parts.len())),
        }
    }

    /// The type of the pointer-to-shared that is the declarator's part `at`, with its qualifiers.
    fn qualified_pointer(&self, d: DeclaratorId, at: usize, to: QTy) -> String {
        let Part::Pointer { quals, .. } = &self.unit.declarators[d].parts[at] else { unreachable!() };
        // A pointer that start-up fills in cannot lie in read-only memory.
        let constant = quals.iter().any(|q| q.kind == QualKind::Const) && !self.is_filled_in(d);
        let volatile = quals.iter().any(|q| q.kind == QualKind::Volatile);
        let quals = [(constant, "const "), (volatile, "volatile ")];
        let quals: String = quals.iter().filter(|q| q.0).map(|q| q.1).collect();
        format!("{quals}{}", self.pointer_type(to))
    }

    /// A static shared object: the part of one thread.
    fn shared_object(&mut self, s: SpecsId, item: &InitDeclarator, q: QTy) -> Piece {
        let unit = self.unit;
        let name = self.name_of(item.declarator);
        let external = unit.specs[s].storage.iter().any(|s| s.0 == Storage::Extern) && item.init.is_none();
        let symbol = self.typed.declared(item.declarator);
        // The fullest type of all declarations, so that they agree on the part's size.
        let has_length = self.part(q).is_some() || self.sized_at_start(q);
        let q = symbol.map_or(q, |sym| if has_length { q } else { self.typed.sym(sym).ty });
        let elem = self.typed.types.element(q);
        let sized = self.sized_at_start(q);
        let elem = QTy {
            ty: self.bare(elem.ty),
            quals: Quals { is_volatile: self.typed.types.object_quals(elem).is_volatile, ..Quals::default() },
        };
        // Old programs define variables in headers, which all files then have in common.
        let common = self.merges
            && item.init.is_none()
            && !unit.specs[s].storage.iter().any(|s| s.0 == Storage::Static)
            && self.function == 0;
        let weak = if common { " __attribute__((weak))" } else { "" };
        if symbol.is_some_and(|sym| self.is_big(sym)) {
            let size = match sized {
                true => "0".to_owned(),
                false => format!("{} * sizeof({})", self.part(q).unwrap_or(1), self.type_text(elem)),
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
        let bound = match (self.typed.types.of(q), self.part(q)) {
            (Ty::Array(..), Some(n)) => format!("[{n}]"),
            (Ty::Array(..), None) => "[]".into(),
            _ => String::new(),
        };
        // The elements of a block keep no qualifiers either: constant data would be in a section of its own.
        let declared = self.elements_text(elem, format!("{name}{bound}"));
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

    /// A declaration of `inner` as an object of type `q`, whose elements have no qualifiers but those of `q`
    /// itself.
    fn elements_text(&self, q: QTy, mut inner: String) -> String {
        let mut of = q;
        while let Ty::Array(to, len) = self.typed.types.of(of) {
            inner = format!("{inner}[{}]", self.bound_text(*len));
            of = QTy { ty: self.bare(to.ty), quals: q.quals };
        }
        self.declare_text(of, inner)
    }

    /// The record from which start-up learns the size of a static object that depends on PROCS.
    fn size_record(&mut self, name: &str, q: QTy) -> Piece {
        let (function, record) = (self.fresh("size"), self.fresh("sized"));
        let (count, size) = (self.count_text(self.count(q)), self.elem_size(q));
        let body = format!("static mer_u64 {function}(void) {{ return mer_part_bytes({count}, {size}); }}");
        let record = start_record("mer_sized", &record, [format!("&mer_big_{name}"), function]);
        if self.function > 0 {
            // A function stands at file scope.
            self.in_front.push(Piece::Line(body));
            return record;
        }
        seq![body, record]
    }

    /// Struct and enum definitions among the specifiers, as declarations of their own.
    fn hoisted(&mut self, s: SpecsId) -> Piece {
        let in_record = self.in_record;
        let defined = self.definitions(s).into_iter().map(|text| match in_record {
            // A struct with a tag alone is no member, of which gcc warns.
            true => seq!["_Static_assert(sizeof(", text, "), \"\"); "],
            false => seq![text, "; "],
        });
        Piece::Seq(defined.collect())
    }

    /// The definitions in a type name that is not kept, which its expression comes behind: a sum of 0.
    pub(crate) fn defined_by(&mut self, t: TypeNameId) -> Option<Piece> {
        let defined = self.definitions(self.unit.type_names[t].specs);
        let sizes = defined.into_iter().map(|text| seq!["0 * sizeof(", text, ") + "]);
        let sizes: Vec<Piece> = sizes.collect();
        (!sizes.is_empty()).then(|| seq![Piece::Seq(sizes).flat(), "0"])
    }

    /// Struct and enum definitions among the specifiers.
    fn definitions(&mut self, s: SpecsId) -> Vec<Piece> {
        let unit = self.unit;
        let mut out = Vec::new();
        for spec in &unit.specs[s].types {
            let text = match spec {
                TypeSpec::Record(r) if unit.records[*r].fields.is_some() => self.record_text(*r),
                TypeSpec::Enum(e) if unit.enums[*e].values.is_some() => {
                    let mut changes = Changes::new();
                    for (_, value) in unit.enums[*e].values.iter().flatten() {
                        value.iter().for_each(|&v| self.change_value(v, &mut changes));
                    }
                    splice(unit.enums[*e].span, changes)
                }
                _ => continue,
            };
            out.push(text);
        }
        out
    }

    /// A struct's definition, with a tag where it had none.
    fn record_text(&mut self, r: RecordSpecId) -> Piece {
        let unit = self.unit;
        let spec = &unit.records[r];
        let record = self.typed.types.record(self.typed.record_of(r));
        let mut changes = Changes::new();
        if record.anonymous {
            changes.push(self.made_tag(r));
        }
        self.members(r, &mut changes);
        splice(spec.span, changes)
    }

    /// Changes of the members of a struct.
    pub(crate) fn members(&mut self, r: RecordSpecId, changes: &mut Changes) {
        let outer = std::mem::replace(&mut self.in_record, true);
        for &field in self.unit.records[r].fields.iter().flatten() {
            self.decl(field, changes);
        }
        self.in_record = outer;
    }

    /// The made-up tag of an anonymous struct, before its brace.
    fn made_tag(&self, r: RecordSpecId) -> (Span, Piece) {
        let spec = &self.unit.records[r];
        let tag = &self.typed.types.record(self.typed.record_of(r)).tag;
        (Span::new(spec.brace, spec.brace), Piece::text(format!(" {tag} ")))
    }

    /// Storage classes, function specifiers, alignment and attributes.
    fn leading(&mut self, s: SpecsId) -> Piece {
        self.leading_but(s, None)
    }

    /// Those of a shared object: `extern` with an initialiser is a definition, whose value is elsewhere in C.
    fn leading_of(&mut self, s: SpecsId, item: &InitDeclarator) -> Piece {
        self.leading_but(s, item.init.map(|_| Storage::Extern))
    }

    fn leading_but(&mut self, s: SpecsId, left_out: Option<Storage>) -> Piece {
        let unit = self.unit;
        let specs = &unit.specs[s];
        let split_c = self.typed.types.language == Language::SplitC;
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
            out.extend([aligns.unwrap_or_else(|| self.specifier(s, span)), Piece::text(" ")]);
        }
        Piece::Seq(out)
    }

    /// The text of an `_Alignas` or of attributes with the number that stands in it as C; none if nothing in
    /// it changes.
    fn aligned(&mut self, span: Span, alignas: &[Alignas], attrs: &[Attr]) -> Option<Piece> {
        let mut changes = Changes::new();
        self.change_alignments(alignas, attrs, &mut changes);
        changes.retain(|(part, _)| span.lo <= part.lo && part.hi <= span.hi);
        changes.sort_by_key(|(span, _)| span.lo);
        (!changes.is_empty()).then(|| splice(span, changes))
    }

    /// The words of `extern inline`, where Split-C has them: in GNU's C of 1989 such a function has no other
    /// definition, and a C compiler that does not optimise would not find one.
    fn extern_inline(&self, s: SpecsId) -> Vec<Span> {
        let specs = &self.unit.specs[s];
        let external = specs.storage.iter().filter(|s| s.0 == Storage::Extern).map(|s| s.1);
        let inline = specs.function.iter().copied().filter(|&span| self.text(span).contains("inline"));
        let (mut words, inline): (Vec<_>, Vec<_>) = (external.collect(), inline.collect());
        let own =
            self.typed.types.language == Language::SplitC && !self.source.presumed(specs.span.lo).system;
        if !own || words.is_empty() || inline.is_empty() || !specs.attrs.is_empty() {
            return Vec::new();
        }
        words.extend(inline);
        words
    }

    /// A storage class, function specifier or attribute as C has it (`lower::OLD_DECLARATIONS`).
    fn specifier(&self, s: SpecsId, span: Span) -> Piece {
        match self.extern_inline(s).iter().position(|&word| word == span) {
            Some(0) => Piece::text("MER_EXTERN_INLINE"),
            Some(_) => Piece::empty(),
            None => Piece::Src(span),
        }
    }

    /// `asm` label and attributes behind a declarator.
    fn trailing(&mut self, item: &InitDeclarator) -> Piece {
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
    fn base(&mut self, s: SpecsId) -> Piece {
        let unit = self.unit;
        let specs = &unit.specs[s];
        if self.typed.types.is_shared(self.typed.specs_ty(s)) {
            return Piece::text(self.type_text(self.typed.types.element(self.typed.specs_ty(s))));
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
                    Piece::text(self.type_text(self.typed.specs_ty(s)))
                }
                TypeSpec::TypeofExpr(_, span) | TypeSpec::TypeofType(_, span) | TypeSpec::Atomic(_, span) => {
                    let mut changes = Changes::new();
                    match spec {
                        TypeSpec::TypeofExpr(e, span) => self.change_typeof(*e, *span, &mut changes),
                        TypeSpec::TypeofType(t, _) | TypeSpec::Atomic(t, _) => {
                            self.change_type_name(*t, &mut changes)
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
