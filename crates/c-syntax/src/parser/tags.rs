//! struct, union and enum specifiers.

use super::declarator::Context;
use super::{Parser, Res};
use crate::ast::*;
use crate::scope::Meaning;
use crate::token::Kind;

impl Parser<'_> {
    pub(super) fn record(&mut self) -> Res<RecordSpecId> {
        let keyword = self.bump();
        let kind = if keyword.kind == Kind::Struct { RecordKind::Struct } else { RecordKind::Union };
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = if self.at(Kind::Ident) { Some(self.name("a tag")?) } else { None };
        let mut fields = None;
        let brace = self.here().lo;
        if self.at(Kind::LBrace) {
            fields = Some(self.nested(|p| p.fields())?);
            if self.at(Kind::Attribute) {
                self.attributes(&mut attrs)?;
            }
        } else if tag.is_none() {
            return self.fail(format!("expected a tag or `{{` after `{}`", keyword.kind.text()));
        }
        let span = self.since(keyword.span.lo);
        Ok(self.unit.records.add(RecordSpec { span, kind, keyword: keyword.span, tag, brace, fields, attrs }))
    }

    fn fields(&mut self) -> Res<Vec<DeclId>> {
        let fields = self.bracketed(Kind::LBrace, Kind::RBrace, "to close the members", |p| {
            let mut fields = Vec::new();
            while !matches!(p.peek(), Kind::RBrace | Kind::Eof) {
                if p.eat(Kind::Semi).is_some() {
                    continue;
                }
                let start = p.pos;
                match p.field() {
                    Ok(field) => fields.push(field),
                    Err(_) => {
                        p.skip_construct(start);
                        if p.pos == start {
                            p.bump();
                        }
                    }
                }
            }
            Ok(fields)
        })?;
        Ok(fields.unwrap_or_default())
    }

    fn field(&mut self) -> Res<DeclId> {
        self.measured_decl(|p| {
            let lo = p.here().lo;
            if p.static_assert_begins() {
                return p.static_assert();
            }
            if p.name_used_as_type() {
                p.report_unknown_type();
            }
            let specs = p.specifiers()?;
            if p.unit.specs[specs].span.lo == p.unit.specs[specs].span.hi {
                return p.fail("expected a member");
            }
            let mut items = Vec::new();
            if !matches!(p.peek(), Kind::Semi | Kind::RBrace) {
                loop {
                    let item = p.field_declarator()?;
                    items.push(item);
                    if p.eat(Kind::Comma).is_none() {
                        break;
                    }
                }
            }
            // Compilers accept a last member without its semicolon, and warn of it themselves.
            if !p.at(Kind::RBrace) {
                p.semicolon("the member")?;
            }
            Ok(Decl { span: p.since(lo), kind: DeclKind::Vars { specs, items } })
        })
    }

    fn field_declarator(&mut self) -> Res<InitDeclarator> {
        let lo = self.here().lo;
        let declarator =
            if self.at(Kind::Colon) { self.empty_declarator() } else { self.declarator(Context::Named)? };
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let width = if self.eat(Kind::Colon).is_some() { Some(self.conditional_expression()?) } else { None };
        self.attributes(&mut attrs)?;
        Ok(InitDeclarator { span: self.since(lo), declarator, width, asm_label: None, attrs, init: None })
    }

    pub(super) fn enumeration(&mut self) -> Res<EnumSpecId> {
        let lo = self.bump().span.lo;
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = if self.at(Kind::Ident) { Some(self.name("a tag")?) } else { None };
        let mut values = None;
        if self.at(Kind::LBrace) {
            let read = self.bracketed(Kind::LBrace, Kind::RBrace, "to close the enumeration", |p| {
                let mut values = Vec::new();
                while !p.at(Kind::RBrace) {
                    values.push(p.enumerator()?);
                    if p.eat(Kind::Comma).is_none() {
                        break;
                    }
                }
                Ok(values)
            })?;
            values = Some(read.unwrap_or_default());
            if self.at(Kind::Attribute) {
                self.attributes(&mut attrs)?;
            }
        } else if tag.is_none() {
            return self.fail("expected a tag or `{` after `enum`");
        }
        Ok(self.unit.enums.add(EnumSpec { span: self.since(lo), tag, values, attrs }))
    }

    fn enumerator(&mut self) -> Res<(Name, Option<ExprId>)> {
        let name = self.name("the name of an enumerator")?;
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let value = if self.eat(Kind::Eq).is_some() { Some(self.conditional_expression()?) } else { None };
        let text = self.slice(name.span);
        self.scopes.declare(text, Meaning::Object);
        Ok((name, value))
    }
}
