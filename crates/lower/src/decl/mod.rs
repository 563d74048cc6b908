//! Declarations.
//!
//! A declaration without pointers-to-shared and shared objects keeps its form, with changes inside, which are
//! found here. Any other is rewritten (`anew`), after the specifiers that are kept (`specifiers`).

mod anew;
mod specifiers;

use crate::Changes;
use crate::declarator::{self, is_upc};
use crate::edit::Edit;
use crate::entry::{self, Entry};
use crate::program::Program;
use anew::Anew;
use base::Span;
use c_syntax::Language;
use c_syntax::ast::*;
use emit::{Piece, seq};

/// The place of a declaration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// File scope, a block, a struct.
    Ordinary,
    /// A parameter in a prototype.
    Param,
    /// A parameter in an old-style list, which ends with a semicolon.
    OldParam,
}

impl Edit<'_, '_> {
    /// Changes of a declaration in file or block scope, or of a struct's member.
    pub(crate) fn decl(&mut self, d: DeclId) {
        let program = self.lower.program;
        let unit = program.unit;
        match &unit.decls[d].kind {
            DeclKind::Vars { .. } => self.vars(d, Place::Ordinary),
            DeclKind::Function { specs, declarator, kr, body } => {
                let (entry, first) =
                    (entry::entry(program, self.lower.function == 0, *declarator), self.changes.len());
                if let Entry::SplitC { int } = entry {
                    entry::define_main(program, d, *declarator, int, self.changes);
                }
                if entry == Entry::VoidMain {
                    entry::define_status(program, d, *declarator, self.changes);
                }
                if program.tree.is_inlined(*declarator) {
                    let lo = unit.decls[d].span.lo;
                    self.changes.push((Span::new(lo, lo), "__attribute__((unused)) ".into()));
                }
                self.function_head(d, *specs, *declarator);
                for &param in kr {
                    self.vars(param, Place::OldParam);
                }
                let outer = (
                    std::mem::take(&mut self.lower.controlling),
                    std::mem::replace(&mut self.lower.gives_status, entry == Entry::SplitC { int: true }),
                );
                self.lower.function += 1;
                if let Entry::Main { int } = entry {
                    entry::enter_main(program, *body, int, self.changes);
                }
                self.keep_parameter_lengths(*declarator, kr, *body);
                self.stmt(*body);
                self.lower.function -= 1;
                if self.lower.gives_status {
                    entry::end_program(program, *body, self.changes);
                }
                (self.lower.controlling, self.lower.gives_status) = outer;
                if self.lower.function == 0 {
                    let lo = unit.decls[d].span.lo;
                    let lines = self.lower.in_front.drain(..).map(|line| (Span::new(lo, lo), line));
                    self.changes.splice(first..first, lines);
                }
            }
            DeclKind::StaticAssert { cond, .. } => self.value(*cond),
            DeclKind::Asm | DeclKind::Empty => {}
        }
    }

    /// Changes of a parameter's declaration.
    pub(crate) fn param(&mut self, d: DeclId) {
        self.vars(d, Place::Param);
    }

    fn vars(&mut self, d: DeclId, place: Place) {
        let program = self.lower.program;
        let unit = program.unit;
        let decl = &unit.decls[d];
        let DeclKind::Vars { specs, items } = &decl.kind else { return self.decl(d) };
        if items.iter().any(|item| program.typed.is_replaced(item.declarator)) {
            self.changes.push((decl.span, Piece::empty()));
            return;
        }
        if decl.span.lo == decl.span.hi {
            let text = items.iter().map(|item| self.lower.made_variable(item)).collect();
            self.changes.push((decl.span, Piece::Seq(text)));
            return;
        }
        if is_rewritten(program, self.lower.function == 0, d) {
            let text = Anew::new(self.lower, *specs, place).declarations(items);
            self.changes.push((decl.span, text));
            return;
        }
        if place == Place::Ordinary && self.lower.function > 0 && program.everything() {
            for item in items {
                let kept = self.lower.keep_lengths(item.declarator);
                self.changes.push((Span::new(decl.span.lo, decl.span.lo), kept));
            }
        }
        let mut of_specs = Changes::new();
        drop_register(program, *specs, items, &mut of_specs);
        drop_const(program, *specs, items, &mut of_specs);
        if place == Place::Ordinary {
            name_record(program, self.lower.in_type_name, *specs, items, &mut of_specs);
        }
        self.lower.edit(&mut of_specs).specs(*specs);
        of_specs.sort_by_key(|(span, _)| span.lo); // the words stand in any order
        self.changes.extend(of_specs);
        let mut records = Vec::new();
        for item in items {
            self.declarator(item.declarator);
            if let Some(width) = item.width {
                self.value(width);
            }
            self.alignments(&[], &item.attrs);
            if let Some(init) = item.init {
                if program.is_static(item.declarator) {
                    self.static_init(item.declarator, init, &mut records);
                } else {
                    self.init(init);
                }
            }
        }
        if !records.is_empty() {
            self.changes.push((Span::new(decl.span.hi, decl.span.hi), Piece::Seq(records)));
        }
    }

    /// Changes of the text before a function's body.
    fn function_head(&mut self, d: DeclId, s: SpecsId, declarator: DeclaratorId) {
        let program = self.lower.program;
        let unit = program.unit;
        let Some((at, to)) = declarator::cut(program, declarator) else {
            let first = self.changes.len();
            for span in specifiers::extern_inline(program, s) {
                self.changes.push((span, specifiers::specifier(program, s, span)));
            }
            self.specs(s);
            self.changes[first..].sort_by_key(|(span, _)| span.lo);
            self.declarator(declarator);
            return;
        };
        let head = Span::new(unit.decls[d].span.lo, unit.declarators[declarator].span.hi);
        let mut anew = Anew::new(self.lower, s, Place::Ordinary);
        let mut text = vec![anew.hoisted(), anew.leading()];
        text.push(seq![
            anew::qualified_pointer(program, declarator, at, to),
            " ",
            self.lower.spell(declarator, at)
        ]);
        self.changes.push((head, Piece::Seq(text).flat()));
    }
}

/// Whether a declaration cannot keep its form.
pub(crate) fn is_rewritten(program: &Program, at_file: bool, d: DeclId) -> bool {
    let DeclKind::Vars { specs, items } = &program.unit.decls[d].kind else { return false };
    let specs = &program.unit.specs[*specs];
    specs.quals.iter().any(|q| is_upc(q.kind))
        || items.iter().any(|item| {
            declarator::cut(program, item.declarator).is_some()
                || program.typed.types.is_shared(program.typed.declarator_ty(item.declarator))
                || is_row_of_threads(program, at_file, specs, item)
        })
        || loses_const_apart(program, specs, items)
}

/// Whether this is the typedef, at file scope, of a private array of THREADS elements. C has no such
/// type. Only shared declarations use it, and these are spelled out.
fn is_row_of_threads(program: &Program, at_file: bool, specs: &Specs, item: &InitDeclarator) -> bool {
    let q = program.typed.declarator_ty(item.declarator);
    let typedef = specs.storage.iter().any(|s| s.0 == Storage::Typedef);
    let types = &program.typed.types;
    typedef
        && at_file
        && !program.everything()
        && !types.is_shared(q)
        && types.elements(q).is_some_and(|(_, threads)| threads)
}

/// Whether a static object that start-up fills in has a `const` that no change in place removes: one that
/// comes from a typedef name or `typeof`, or that other declarators keep.
fn loses_const_apart(program: &Program, specs: &Specs, items: &[InitDeclarator]) -> bool {
    let types = &program.typed.types;
    let filled_in = |item: &InitDeclarator| is_filled_in(program, item.declarator);
    let constant = |item: &InitDeclarator| {
        types.object_quals(program.typed.declarator_ty(item.declarator)).is_const && filled_in(item)
    };
    let in_words = specs.types.iter().all(|spec| {
        !matches!(spec, TypeSpec::Typedef(_) | TypeSpec::TypeofExpr(..) | TypeSpec::TypeofType(..))
    });
    items.iter().any(constant) && !(in_words && items.iter().all(filled_in))
}

/// Gives a tag to the anonymous struct of named members, objects and typedefs, because the text of the
/// lowering may have to name it: as a shared object's part, or as the type of a copied value. A typedef
/// name for the struct itself suffices, unless it is qualified: values have the struct without the
/// qualifiers. (With a tag, an unnamed member would be no member. A type name is text that may be
/// repeated, and its struct may have only one definition.)
fn name_record(
    program: &Program,
    in_type_name: bool,
    s: SpecsId,
    items: &[InitDeclarator],
    changes: &mut Changes,
) {
    changes.extend(untagged(program, in_type_name, s, items).map(|r| specifiers::made_tag(program, r)));
}

/// The anonymous structs defined in these specifiers that get a tag.
fn untagged(
    program: &Program,
    in_type_name: bool,
    s: SpecsId,
    items: &[InitDeclarator],
) -> impl Iterator<Item = RecordSpecId> {
    let specs = &program.unit.specs[s];
    let typedef = specs.storage.iter().any(|s| s.0 == Storage::Typedef);
    let plain = |item: &InitDeclarator| program.unit.declarators[item.declarator].parts.is_empty();
    let named = typedef && specs.quals.is_empty() && items.iter().all(plain);
    let none = items.is_empty() || named || in_type_name;
    specs.types.iter().filter_map(move |spec| match spec {
        TypeSpec::Record(r) if !none && program.unit.records[*r].fields.is_some() => {
            program.typed.types.record(program.typed.record_of(*r)).anonymous.then_some(*r)
        }
        _ => None,
    })
}

/// Whether a declaration gives a tag to a struct that has none.
pub(crate) fn gives_tag(program: &Program, in_type_name: bool, d: DeclId) -> bool {
    match &program.unit.decls[d].kind {
        DeclKind::Vars { specs, items } => untagged(program, in_type_name, *specs, items).next().is_some(),
        _ => false,
    }
}

/// Removes `register` in Split-C: the variable can be the target of a get, which takes its address.
fn drop_register(program: &Program, s: SpecsId, items: &[InitDeclarator], changes: &mut Changes) {
    if program.typed.types.language != Language::SplitC || items.iter().any(|i| i.asm_label.is_some()) {
        return;
    }
    let specs = &program.unit.specs[s];
    let int = if specs.types.is_empty() { "int" } else { "" };
    let register = specs.storage.iter().filter(|s| s.0 == Storage::Register);
    changes.extend(register.map(|s| (s.1, int.into())));
}

/// Removes `const` from a static object that holds pointers-to-shared. Start-up fills them in, so the
/// object cannot lie in read-only memory, and the C compiler may not use the initialiser's value. (Every
/// declaration of such an object loses its `const`, so that all agree.)
fn drop_const(program: &Program, s: SpecsId, items: &[InitDeclarator], changes: &mut Changes) {
    if !items.is_empty() && items.iter().all(|item| is_filled_in(program, item.declarator)) {
        let quals = program.unit.specs[s].quals.iter().filter(|q| q.kind == QualKind::Const);
        changes.extend(quals.map(|q| (q.span, Piece::empty())));
    }
}

/// Whether a declarator declares a static object that holds pointers-to-shared.
fn is_filled_in(program: &Program, d: DeclaratorId) -> bool {
    let symbol = program.typed.declared(d).filter(|_| program.is_static(d));
    symbol.is_some_and(|symbol| program.holds_pts(program.typed.sym(symbol).ty))
}
