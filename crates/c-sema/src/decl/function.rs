//! Function definitions: name, parameters and body.

use crate::checker::Checker;
use crate::context::{Context, SymInfo};
use crate::function::Function;
use crate::names::{Bound, Names};
use crate::owning::Owning;
use crate::split_phase;
use crate::typed::{SymId, SymKind};
use crate::types::{FnTy, QTy, Ty};
use crate::upc::layout::Place;
use crate::upc::{forall_body, own, uninitialised};
use base::{Code, Diagnostic};
use c_syntax::Language;
use c_syntax::ast::{DeclId, DeclKind, DeclaratorId, Name, Part, SpecsId, StmtId, StmtKind};

impl<'a> Checker<'a> {
    /// A function definition.
    pub fn definition(&mut self, specs: SpecsId, id: DeclaratorId, kr: &'a [DeclId], body: StmtId) {
        let unit = self.cx.unit;
        let said = self.specs(specs, false);
        let declarator = &unit.declarators[id];
        let ty = self.declarator(id, said.ty, said.layout, Place::Definition);
        let Some(name) = &declarator.name else { return };
        let Some(f) = self.cx.out.types.as_function(ty).cloned() else {
            self.cx.error(
                Code::BadType,
                name.span,
                format!("`{}` has a body but is not a function", name.text),
                "not a function",
            );
            return;
        };
        let listed: &[Name] = match declarator.parts.first() {
            Some(Part::Function { names, .. }) => names,
            _ => &[],
        };
        let mut bindings = self.kept.remove(&id).unwrap_or_default();
        let mut ty = ty;
        if !listed.is_empty() || !kr.is_empty() {
            let params = self.old_parameters(listed, kr, &mut bindings);
            let f = FnTy { params, ..f.clone() };
            ty = QTy::plain(self.cx.out.types.intern(Ty::Function(Box::new(f))));
        }
        self.cx.out.declarator_ty.insert(id, ty);
        if said.implicit_int {
            ty = as_declared_before(&mut self.cx, &self.names, name, ty, &f);
        }
        let sym = match self.function {
            Some(_) => self.names.declare_nested(&mut self.cx, id, name, ty),
            None => {
                self.names.make_way(&mut self.cx, name, None);
                self.names.declare_function(&mut self.cx, id, name, ty, said.overloadable)
            }
        };
        note_body(&mut self.cx, sym, name, said.inline || said.overloadable);
        if self.function.is_none() {
            check_entry(&mut self.cx, &self.names, name);
        }
        check_definition_types(&mut self.cx, &f, name);
        self.names.open();
        self.names.restore(&bindings);
        self.body(name, f.ret, body);
        self.names.close();
    }

    /// The parameters of an old-style definition: its names in order, with the types in the declarations
    /// after them, or int.
    fn old_parameters(
        &mut self,
        names: &'a [Name],
        kr: &'a [DeclId],
        bindings: &mut Vec<Bound<'a>>,
    ) -> Vec<QTy> {
        self.names.open();
        self.names.restore(bindings);
        for &decl in kr {
            self.old_declaration(decl, names);
        }
        let mut types = Vec::with_capacity(names.len());
        for name in names {
            let sym = match self.names.find_here(&name.text) {
                Some(sym) => sym,
                None => {
                    let int = self.cx.int_ty();
                    let sym = self.names.symbol(
                        &mut self.cx,
                        &name.text,
                        SymKind::Param,
                        int,
                        name.span,
                        SymInfo::default(),
                    );
                    self.cx.out.symbols[sym.0 as usize].file_scope = false;
                    self.names.bind(&name.text, sym);
                    sym
                }
            };
            types.push(self.cx.out.sym(sym).ty);
        }
        *bindings = self.names.close();
        types
    }

    fn old_declaration(&mut self, decl: DeclId, names: &[Name]) {
        let unit = self.cx.unit;
        let DeclKind::Vars { specs, items } = &unit.decls[decl].kind else { return };
        let said = self.specs(*specs, items.is_empty());
        for item in items {
            let ty = self.declarator(item.declarator, said.ty, said.layout, Place::Parameter);
            self.declare_parameter(item.declarator, ty, item.span);
            if let Some(name) = &unit.declarators[item.declarator].name
                && !names.iter().any(|n| n.text == name.text)
            {
                let message = format!("`{}` is not a parameter of this function", name.text);
                self.cx.error(Code::Redeclared, name.span, message, "not in the list of names");
            }
        }
    }

    /// Checks a body, which shares the scope of the parameters (C17 6.2.1).
    fn body(&mut self, name: &'a Name, ret: QTy, body: StmtId) {
        let outer = self.function.take();
        if outer.is_none() {
            self.cx.owning = Some(Owning::default());
        }
        self.function = Some(Box::new(Function::new(&name.text, ret, outer)));
        let unit = self.cx.unit;
        match &unit.stmts[body].kind {
            StmtKind::Compound(stmts) => {
                for &s in stmts {
                    self.stmt(s);
                }
                forall_body::check_indentation(&mut self.cx, stmts);
            }
            _ => self.stmt(body),
        }
        if let Some(f) = &mut self.function {
            f.check_gotos(&mut self.cx);
        }
        split_phase::check_split_phase(&mut self.cx, body);
        uninitialised::check_uninitialised(&mut self.cx, body);
        let nested = self.function.as_ref().is_some_and(|f| f.is_nested());
        own::check_own(&mut self.cx, body, nested);
        self.function = self.function.take().and_then(|f| f.leave());
        if self.function.is_none() {
            self.cx.owning = None;
            self.names.leave_function();
        }
    }
}

/// The type of an old-style `f() { … }` without a result type: void if an earlier declaration says so
/// (gcc warns of this), else `ty`.
fn as_declared_before(cx: &mut Context, names: &Names, name: &Name, ty: QTy, f: &FnTy) -> QTy {
    let before = names.find_at_file(&name.text).map(|s| cx.out.sym(s).ty);
    let ret = before.and_then(|t| cx.out.types.as_function(t)).map(|g| g.ret);
    match ret {
        Some(ret) if cx.out.types.is_void(ret) => {
            QTy::plain(cx.out.types.intern(Ty::Function(Box::new(FnTy { ret, ..f.clone() }))))
        }
        _ => ty,
    }
}

/// Refuses a second entry. A program of Split-C or AC begins in `splitc_main`, for which a `main` is
/// made, or else in `main`.
fn check_entry(cx: &mut Context, names: &Names, name: &Name) {
    let entry = Language::SplitC.row().entry;
    let other = match &*name.text {
        "main" => entry,
        text if text == entry => "main",
        _ => return,
    };
    let body = names.find_at_file(other).and_then(|sym| cx.info[sym.0 as usize].body);
    if let (true, Some((before, _))) = (cx.everything(), body) {
        let message = format!("a program with both `{entry}` and `main`");
        cx.report(
            Diagnostic::error(Code::Redeclared, name.span, message)
                .label("the second")
                .also(before, "the first")
                .help("every processor runs one of the two functions: rename the other"),
        );
    }
}

fn note_body(cx: &mut Context, sym: SymId, name: &Name, inline: bool) {
    if let Some((before, was_inline)) = cx.info[sym.0 as usize].body
        && !was_inline
        && !inline
    {
        cx.report(
            Diagnostic::error(Code::Redeclared, name.span, format!("`{}` is defined twice", name.text))
                .label("the second body")
                .also(before, "the first"),
        );
    }
    cx.info[sym.0 as usize].body = Some((name.span, inline));
}

/// Checks that the result and the parameters of a definition are complete.
fn check_definition_types(cx: &mut Context, f: &FnTy, name: &Name) {
    let types = &cx.out.types;
    let bad = |q: QTy| types.as_record(q).is_some_and(|r| !types.record(r).complete);
    if bad(f.ret) {
        let message = format!("`{}` returns an incomplete type, {}", name.text, types.show_aka(f.ret));
        cx.error(Code::Incomplete, name.span, message, "its members are not known here");
    } else if let Some(&p) = f.params.iter().find(|&&p| bad(p)) {
        let message = format!("a parameter of `{}` has an incomplete type, {}", name.text, types.show_aka(p));
        cx.error(Code::Incomplete, name.span, message, "its members are not known here");
    }
}
