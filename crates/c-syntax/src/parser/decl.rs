//! Declarations, function definitions, initialisers.

use super::declarator::Context;
use super::{Failed, Parser, Res};
use crate::ast::*;
use crate::scope::Meaning;
use crate::token::Kind;
use base::{Code, Diagnostic, Span};

impl<'s> Parser<'s> {
    /// Reads an item of file scope. Unreadable text becomes an empty declaration.
    pub(super) fn external_declaration(&mut self) -> DeclId {
        let start = self.pos;
        let lo = self.here().lo;
        let read = self.measured_decl(|p| match p.peek() {
            Kind::Semi => {
                p.bump();
                Ok(Decl { span: p.since(lo), kind: DeclKind::Empty })
            }
            Kind::Asm => p.file_asm(),
            Kind::RBrace => {
                let diagnostic = Diagnostic::error(Code::Expected, p.here(), "this `}` closes nothing");
                if !p.body_has_ended {
                    p.report(diagnostic.help("remove the `}`, or add the `{` that is missing before it"));
                }
                p.body_has_ended = false;
                p.bump();
                Ok(Decl { span: p.since(lo), kind: DeclKind::Empty })
            }
            _ => p.declaration(true),
        });
        read.unwrap_or_else(|_| {
            self.scopes.close_to(0);
            self.skip_construct(start);
            self.empty_decl(lo)
        })
    }

    /// An empty declaration in the place of skipped text.
    pub(super) fn empty_decl(&mut self, lo: u32) -> DeclId {
        self.decl_heights.push(0);
        let span = self.since(lo);
        self.unit.decls.add(Decl { span, kind: DeclKind::Empty })
    }

    /// `asm("…");` in file scope.
    fn file_asm(&mut self) -> Res<Decl> {
        let lo = self.bump().span.lo;
        while matches!(self.peek(), Kind::Volatile | Kind::Inline | Kind::Goto) {
            self.bump();
        }
        self.bracketed(Kind::LParen, Kind::RParen, "after `asm`", |p| p.string("the assembly"))?;
        self.semicolon("`asm`")?;
        Ok(Decl { span: self.since(lo), kind: DeclKind::Asm })
    }

    /// Whether `_Static_assert` is next, after any `__extension__`.
    pub(super) fn static_assert_begins(&self) -> bool {
        let mut pos = self.pos;
        while self.kind_at(pos) == Kind::Extension {
            pos += 1;
        }
        self.kind_at(pos) == Kind::StaticAssert
    }

    /// `_Static_assert(e);`, `_Static_assert(e, "…");`
    pub(super) fn static_assert(&mut self) -> Res<Decl> {
        let lo = self.here().lo;
        while self.eat(Kind::Extension).is_some() {}
        self.expect(Kind::StaticAssert, "here")?;
        let read = self.bracketed(Kind::LParen, Kind::RParen, "after `_Static_assert`", |p| {
            let cond = p.conditional_expression()?;
            let message = if p.eat(Kind::Comma).is_some() { Some(p.string("the message")?) } else { None };
            Ok((cond, message))
        })?;
        self.semicolon("`_Static_assert`")?;
        let span = self.since(lo);
        let kind = match read {
            Some((cond, message)) => DeclKind::StaticAssert { cond, message },
            None => DeclKind::Empty,
        };
        Ok(Decl { span, kind })
    }

    /// A declaration, or the definition of a function: at `file` scope or, nested, in a block.
    pub(super) fn declaration(&mut self, file: bool) -> Res<Decl> {
        let lo = self.here().lo;
        if self.static_assert_begins() {
            return self.static_assert();
        }
        self.unknown_type_before_declarator(file);
        let specs = self.specifiers()?;
        let no_specs = self.unit.specs[specs].span.lo == self.unit.specs[specs].span.hi;
        // Outside of functions, `x = 1, *p;` and `*f() { … }` are declarations, of int.
        if no_specs && !(matches!(self.peek(), Kind::Ident | Kind::Star) && file) {
            if file && self.statement_keyword() {
                return self.statement_outside();
            }
            return self.fail("expected a declaration");
        }
        if self.unit.specs[specs].types.is_empty() && !no_specs && self.name_used_as_type() {
            // `const foo x;`, `extern foo *x;`
            if matches!(self.peek_at(1), Kind::Ident | Kind::Star) {
                self.report_unknown_type();
                let span = self.bump().span;
                let unknown = self.unknown_type(span);
                self.unit.specs[specs].types.push(unknown);
            }
        }
        if self.at(Kind::Semi) || self.tag_lacks_semicolon(specs) {
            self.semicolon("the type")?;
            return Ok(Decl { span: self.since(lo), kind: DeclKind::Vars { specs, items: Vec::new() } });
        }
        let first_lo = self.here().lo;
        let declarator = self.declarator(Context::Named)?;
        if self.defines_function(declarator) {
            return self.function_definition(lo, specs, declarator);
        }
        let items = self.init_declarators(specs, declarator, first_lo)?;
        self.semicolon("the declaration")?;
        Ok(Decl { span: self.since(lo), kind: DeclKind::Vars { specs, items } })
    }

    /// Whether the next token begins a statement, and nothing else.
    fn statement_keyword(&self) -> bool {
        use Kind::*;
        let kinds =
            [If, Else, For, While, Do, Switch, Case, Default, Return, Break, Continue, Goto, UpcForall];
        kinds.contains(&self.peek()) || [UpcBarrier, UpcNotify, UpcWait, UpcFence].contains(&self.peek())
    }

    /// Whether the next token is a keyword that begins a declaration or statement, and continues none.
    pub(super) fn begins_declaration_or_statement(&self) -> bool {
        self.statement_keyword() && !matches!(self.peek(), Kind::While | Kind::Else)
            || self.peek().is_keyword() && self.type_begins(self.pos) && !self.attrs_at(self.pos)
    }

    /// Reports a statement outside of functions, once for the rest of a body that has ended too early.
    fn statement_outside<T>(&mut self) -> Res<T> {
        if !std::mem::replace(&mut self.body_has_ended, true) {
            let message = format!("a statement outside of a function, at {}", self.shown());
            let diagnostic = Diagnostic::error(Code::Expected, self.here(), message);
            self.report(
                diagnostic.help("look for an extra `}` before this statement, which ends the function"),
            );
        }
        Err(Failed)
    }

    /// `foo x`, `foo *x` for an unknown foo: reports it once, and takes foo for a type.
    fn unknown_type_before_declarator(&mut self, file: bool) {
        if !self.name_used_as_type() {
            return;
        }
        let unknown = match self.peek_at(1) {
            Kind::Ident => true,
            Kind::Star => file || self.scopes.meaning(self.text_at(self.pos)).is_none(),
            kind => file && kind.is_keyword() && kind != Kind::Asm && kind != Kind::Attribute,
        };
        if unknown {
            self.report_unknown_type();
        }
    }

    /// Whether `struct s { … }` is followed, on a new line, by something that is no declarator of it.
    fn tag_lacks_semicolon(&self, specs: SpecsId) -> bool {
        self.ends_with_body(&self.unit.specs[specs])
            && self.on_new_line()
            && (self.type_begins(self.pos) || matches!(self.peek(), Kind::Eof | Kind::RBrace))
    }

    /// Reads the rest of the declarators, from the attributes and initialiser of the first on.
    fn init_declarators(
        &mut self,
        specs: SpecsId,
        first: DeclaratorId,
        first_lo: u32,
    ) -> Res<Vec<InitDeclarator>> {
        let is_typedef = self.unit.specs[specs].storage.iter().any(|s| s.0 == Storage::Typedef);
        let meaning = if is_typedef { Meaning::Typedef } else { Meaning::Object };
        let mut items = Vec::new();
        let (mut declarator, mut lo) = (first, first_lo);
        loop {
            self.declare(declarator, meaning);
            let mut attrs = Vec::new();
            self.attributes(&mut attrs)?;
            let asm_label = self.asm_label()?;
            self.attributes(&mut attrs)?;
            let init = if self.eat(Kind::Eq).is_some() { Some(self.initializer()?) } else { None };
            items.push(InitDeclarator {
                span: self.since(lo),
                declarator,
                width: None,
                asm_label,
                attrs,
                init,
            });
            if self.eat(Kind::Comma).is_none() {
                return Ok(items);
            }
            lo = self.here().lo;
            declarator = self.declarator(Context::Named)?;
        }
    }

    /// Enters a declarator's name in the present scope.
    fn declare(&mut self, declarator: DeclaratorId, meaning: Meaning) {
        if let Some(span) = self.unit.declarators[declarator].name.as_ref().map(|name| name.span) {
            let name = self.slice(span);
            self.scopes.declare(name, meaning);
        }
    }

    /// Whether a function's body, or old-style declarations of its parameters, come next.
    fn defines_function(&self, declarator: DeclaratorId) -> bool {
        let Some(Part::Function { names, .. }) = self.unit.declarators[declarator].parts.first() else {
            return false;
        };
        self.at(Kind::LBrace)
            || (self.attrs_at(self.pos) && self.kind_at(self.after_attrs(self.pos)) == Kind::LBrace)
            || (!names.is_empty() && self.type_begins(self.pos) && !self.attrs_at(self.pos))
    }

    fn function_definition(&mut self, lo: u32, specs: SpecsId, declarator: DeclaratorId) -> Res<Decl> {
        self.declare(declarator, Meaning::Object);
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        self.unit.declarators[declarator].attrs.extend(attrs);
        let (kr, body) = self.nested(|p| {
            p.scoped(|p| {
                p.declare_parameters(declarator);
                let mut kr = Vec::new();
                while !matches!(p.peek(), Kind::LBrace | Kind::Eof) {
                    kr.push(p.measured_decl(|p| p.declaration(false))?);
                }
                Ok((kr, p.compound()?))
            })
        })?;
        Ok(Decl { span: self.since(lo), kind: DeclKind::Function { specs, declarator, kr, body } })
    }

    fn declare_parameters(&mut self, declarator: DeclaratorId) {
        let mut found: Vec<Span> = Vec::new();
        if let Some(Part::Function { params, names, .. }) = self.unit.declarators[declarator].parts.first() {
            found.extend(names.iter().map(|name| name.span));
            for &param in params {
                if let DeclKind::Vars { items, .. } = &self.unit.decls[param].kind {
                    let declarators = items.iter().map(|item| &self.unit.declarators[item.declarator]);
                    found.extend(declarators.filter_map(|d| d.name.as_ref()).map(|name| name.span));
                }
            }
        }
        for span in found {
            let name = self.slice(span);
            self.scopes.declare(name, Meaning::Object);
        }
    }

    // ---- initialisers ----

    pub(super) fn initializer(&mut self) -> Res<InitId> {
        if self.at(Kind::LBrace) {
            return self.braced_initializer();
        }
        self.measured_init(|p| {
            let value = p.assignment_expression()?;
            Ok(Init { span: p.span_of(value), kind: InitKind::Expr(value) })
        })
    }

    /// `{ … }`
    pub(super) fn braced_initializer(&mut self) -> Res<InitId> {
        self.measured_init(|p| {
            let lo = p.here().lo;
            let list = p.nested(|p| {
                p.bracketed(Kind::LBrace, Kind::RBrace, "to close the initialiser", |p| {
                    let mut list = Vec::new();
                    while !p.at(Kind::RBrace) {
                        let designators = p.designators()?;
                        list.push((designators, p.initializer()?));
                        if p.eat(Kind::Comma).is_none() {
                            break;
                        }
                    }
                    Ok(list)
                })
            })?;
            Ok(Init { span: p.since(lo), kind: InitKind::List(list.unwrap_or_default()) })
        })
    }

    /// `.a[3].b =`, the old `a:` and `[3]` without `=`; maybe none.
    fn designators(&mut self) -> Res<Vec<Designator>> {
        let mut designators = Vec::new();
        if self.at(Kind::Ident) && self.peek_at(1) == Kind::Colon {
            designators.push(Designator::Field(self.name("a member")?));
            self.bump();
            return Ok(designators);
        }
        loop {
            match self.peek() {
                Kind::Dot => {
                    self.bump();
                    designators.push(Designator::Field(self.name("a member")?));
                }
                Kind::LBracket => {
                    let index =
                        self.bracketed(Kind::LBracket, Kind::RBracket, "to close the designator", |p| {
                            let index = p.conditional_expression()?;
                            Ok(match p.eat(Kind::Ellipsis) {
                                Some(_) => Designator::Range(index, p.conditional_expression()?),
                                None => Designator::Index(index),
                            })
                        })?;
                    designators.extend(index);
                }
                Kind::Eq if !designators.is_empty() => {
                    self.bump();
                    return Ok(designators);
                }
                // GNU's old `[3] value`.
                _ if matches!(designators[..], [] | [Designator::Index(_) | Designator::Range(..)]) => {
                    return Ok(designators);
                }
                _ => return self.fail("expected `=` after the designator"),
            }
        }
    }
}
