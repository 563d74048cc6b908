//! Declarators: pointers, arrays, functions around a name, or around none.

use super::{Failed, Parser, Res};
use crate::ast::*;
use crate::scope::Meaning;
use crate::token::Kind;
use base::{Code, Diagnostic, Span};

/// The kind of declarator that may stand here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// With a name.
    Named,
    /// Without.
    Abstract,
    /// A parameter: with or without.
    Either,
}

/// The most derivations that a declarator may have; types built of them are recursed over.
const MAX_PARTS: usize = 1000;

/// A declarator as it grows.
#[derive(Default)]
struct Draft {
    name: Option<Name>,
    parts: Vec<Part>,
    attrs: Vec<Attr>,
}

impl Parser<'_> {
    pub(super) fn declarator(&mut self, context: Context) -> Res<DeclaratorId> {
        let start = self.pos;
        let mut draft = Draft::default();
        self.declarator_into(&mut draft, context)?;
        if draft.parts.len() > MAX_PARTS {
            let message = format!("more than {MAX_PARTS} pointers, arrays and functions in one declarator");
            return self.give_up(Diagnostic::error(Code::TooDeep, self.last(), message));
        }
        // A nameless declarator without tokens is empty and stands after the specifiers.
        let lo = if self.pos > start { self.tokens[start].span.lo } else { self.last().hi };
        let span = self.since(lo);
        Ok(self.unit.declarators.add(Declarator {
            span,
            name: draft.name,
            parts: draft.parts,
            attrs: draft.attrs,
        }))
    }

    /// A declarator without tokens, at the present place.
    pub(super) fn empty_declarator(&mut self) -> DeclaratorId {
        let span = self.nothing();
        self.unit.declarators.add(Declarator { span, name: None, parts: Vec::new(), attrs: Vec::new() })
    }

    fn declarator_into(&mut self, draft: &mut Draft, context: Context) -> Res<()> {
        let mut pointers = Vec::new();
        loop {
            let lo = self.here().lo;
            match self.peek() {
                Kind::Star => {
                    self.bump();
                    let quals = self.pointer_qualifiers(&mut draft.attrs)?;
                    pointers.push(Part::Pointer { quals, span: self.since(lo) });
                }
                Kind::Caret => {
                    self.bump();
                    self.pointer_qualifiers(&mut draft.attrs)?;
                    pointers.push(Part::Block { span: self.since(lo) });
                }
                // `[[…]]` is not taken for an attribute here: the bracket may begin an array.
                Kind::Attribute | Kind::Declspec => self.attributes(&mut draft.attrs)?,
                _ => break,
            }
        }
        self.direct_declarator(draft, context, pointers.is_empty())?;
        draft.parts.extend(pointers.into_iter().rev());
        Ok(())
    }

    fn pointer_qualifiers(&mut self, attrs: &mut Vec<Attr>) -> Res<Vec<Qual>> {
        let mut quals = Vec::new();
        loop {
            if super::specs::is_qualifier(self.peek()) {
                quals.push(self.qualifier()?);
            } else if self.attrs_at(self.pos) {
                self.attributes(attrs)?;
            } else {
                return Ok(quals);
            }
        }
    }

    fn direct_declarator(&mut self, draft: &mut Draft, context: Context, bare: bool) -> Res<()> {
        let here = self.here();
        match self.peek() {
            Kind::Ident if context != Context::Abstract => {
                self.bump();
                draft.name = Some(Name { text: self.slice(here).into(), span: here });
            }
            kind if context == Context::Named && super::specs::maybe_declared(kind) => {
                self.bump();
                draft.name = Some(Name { text: self.slice(here).into(), span: here });
            }
            Kind::LParen if self.opens_declarator(context) => {
                let read = self.nested(|p| {
                    p.bracketed(Kind::LParen, Kind::RParen, "to close the declarator", |p| {
                        p.declarator_into(draft, context)
                    })
                })?;
                if read.is_none() {
                    return Err(Failed);
                }
            }
            _ if context == Context::Named => return self.no_name(bare),
            _ => {}
        }
        self.suffixes(draft)
    }

    /// Reports that there is no name; maybe because the intended one is a keyword of UPC.
    fn no_name(&mut self, bare: bool) -> Res<()> {
        let back = |n: usize| self.tokens[self.pos.saturating_sub(n)].kind;
        let last = if back(1) == Kind::LParen { back(2) } else { back(1) };
        if matches!(last, Kind::Shared | Kind::Strict | Kind::Relaxed) {
            let message = format!("expected a name, found {}", self.shown());
            let instead_of_brackets =
                last == Kind::Shared && (back(1) == Kind::LParen || self.at(Kind::LBrace));
            let help = match instead_of_brackets {
                true => "a block size stands in brackets: `shared [4]`".to_owned(),
                false => format!("`{}` is a keyword of UPC and cannot be a name", last.text()),
            };
            self.report(Diagnostic::error(Code::Expected, self.here(), message).help(help));
            return Err(Failed);
        }
        self.fail(if bare { "expected a name" } else { "expected a name after `*`" })
    }

    /// Whether the next parenthesis encloses a declarator, rather than parameters of a function that has no
    /// name here (C17 6.7.6.3: a typedef name after it is taken for a parameter's type).
    fn opens_declarator(&self, context: Context) -> bool {
        if context == Context::Named {
            return true;
        }
        let next = self.after_attrs(self.pos + 1);
        match self.kind_at(next) {
            Kind::RParen | Kind::Ellipsis => false,
            Kind::Ident if context == Context::Abstract => false,
            _ => !self.type_begins(next),
        }
    }

    /// Arrays and parameter lists after the name.
    fn suffixes(&mut self, draft: &mut Draft) -> Res<()> {
        loop {
            match self.peek() {
                Kind::LBracket if self.attrs_at(self.pos) => self.attributes(&mut draft.attrs)?,
                Kind::LBracket => {
                    let part = self.array()?;
                    draft.parts.push(part);
                }
                Kind::LParen => {
                    let part = self.nested(|p| p.function())?;
                    draft.parts.push(part);
                }
                Kind::Colon if self.split_c && self.peek_at(1) == Kind::Colon => {
                    let lo = self.bump().span.lo;
                    self.bump();
                    let span = self.since(lo);
                    draft.parts.push(Part::Spread { span });
                }
                _ => return Ok(()),
            }
        }
    }

    /// `[static const n]`
    fn array(&mut self) -> Res<Part> {
        let lo = self.here().lo;
        let mut quals = Vec::new();
        let mut is_static = false;
        let size = self.bracketed(Kind::LBracket, Kind::RBracket, "to close the array bound", |p| {
            loop {
                if p.eat(Kind::Static).is_some() {
                    is_static = true;
                } else if super::specs::is_qualifier(p.peek()) {
                    quals.push(p.qualifier()?);
                } else {
                    break;
                }
            }
            Ok(match p.peek() {
                Kind::RBracket => ArraySize::None,
                Kind::Star if p.peek_at(1) == Kind::RBracket => {
                    p.bump();
                    ArraySize::Star
                }
                _ => ArraySize::Expr(p.assignment_expression()?),
            })
        })?;
        // An unreadable bound is not a missing one.
        let span = self.since(lo);
        let size = size.unwrap_or_else(|| ArraySize::Expr(self.error_expr(span)));
        Ok(Part::Array { size, quals, is_static, span: self.since(lo) })
    }

    /// `(parameters)`
    fn function(&mut self) -> Res<Part> {
        let lo = self.here().lo;
        let list = self.scoped(|p| {
            p.bracketed(Kind::LParen, Kind::RParen, "to close the parameter list", |p| p.parameters())
        })?;
        let Parameters { params, variadic, old_style, names } = list.unwrap_or_default();
        Ok(Part::Function { params, variadic, old_style, names, span: self.since(lo) })
    }

    fn parameters(&mut self) -> Res<Parameters> {
        let mut list = Parameters::default();
        match self.peek() {
            Kind::RParen => {
                list.old_style = true;
                return Ok(list);
            }
            Kind::Void if self.peek_at(1) == Kind::RParen => {
                self.bump();
                return Ok(list);
            }
            Kind::Ident if !self.is_typedef_name(self.pos) && self.in_identifier_list() => {
                return self.identifier_list(list);
            }
            _ => {}
        }
        loop {
            if self.eat(Kind::Ellipsis).is_some() {
                list.variadic = true;
                return Ok(list);
            }
            list.params.push(self.parameter()?);
            match self.peek() {
                Kind::Comma => self.bump(),
                // GNU: `(int n; int a[n])` declares n ahead of the list.
                Kind::Semi => {
                    list.params.clear();
                    self.bump()
                }
                _ => return Ok(list),
            };
        }
    }

    fn in_identifier_list(&self) -> bool {
        matches!(self.peek_at(1), Kind::Comma | Kind::RParen)
    }

    /// The names of an old-style definition, to its parenthesis.
    fn identifier_list(&mut self, mut list: Parameters) -> Res<Parameters> {
        list.old_style = true;
        loop {
            list.names.push(self.name("the name of a parameter")?);
            if self.eat(Kind::Comma).is_none() {
                return Ok(list);
            }
            if self.type_begins(self.pos) {
                // An earlier name was meant as a type.
                let name = list.names.remove(0);
                let message = format!("unknown type name `{}`", name.text);
                self.report(Diagnostic::error(Code::UnknownType, name.span, message));
                return Err(Failed);
            }
        }
    }

    fn parameter(&mut self) -> Res<DeclId> {
        self.measured_decl(|p| {
            let lo = p.here().lo;
            let mut leading = Vec::new();
            if p.at(Kind::LBracket) {
                p.attributes(&mut leading)?;
            }
            let type_named = p.after_attrs(p.pos);
            if p.kind_at(type_named) == Kind::Ident && !p.is_typedef_name(type_named) && type_named == p.pos {
                p.report_unknown_type();
            }
            let specs = p.specifiers()?;
            if p.unit.specs[specs].span.hi == p.unit.specs[specs].span.lo {
                return p.fail("expected a parameter");
            }
            if p.unit.specs[specs].types.is_empty() && p.name_used_as_type() && p.peek_at(1) == Kind::Ident {
                p.report_unknown_type();
                p.bump();
            }
            let at = p.here().lo;
            let declarator = p.declarator(Context::Either)?;
            let mut attrs = leading;
            p.attributes(&mut attrs)?;
            if let Some(name) = p.unit.declarators[declarator].name.as_ref().map(|n| n.span) {
                let name = p.slice(name);
                p.scopes.declare(name, Meaning::Object);
            }
            let span = if p.last().hi > at { p.since(at) } else { Span::new(p.last().hi, p.last().hi) };
            let item = InitDeclarator { span, declarator, width: None, asm_label: None, attrs, init: None };
            Ok(Decl { span: p.since(lo), kind: DeclKind::Vars { specs, items: vec![item] } })
        })
    }
}

#[derive(Default)]
struct Parameters {
    params: Vec<DeclId>,
    variadic: bool,
    old_style: bool,
    names: Vec<Name>,
}
