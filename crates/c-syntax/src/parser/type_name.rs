//! Type names, as in casts, and undeclared names that the program uses as types.

use super::declarator::Context;
use super::{Parser, Res};
use crate::ast::*;
use crate::dialect::Language;
use crate::scope::Meaning;
use crate::token::Kind;
use base::{Code, Diagnostic};

impl<'s> Parser<'s> {
    /// `specifier-qualifier-list abstract-declarator`.
    pub(super) fn type_name(&mut self) -> Res<TypeNameId> {
        self.nested(|p| p.type_name_here())
    }

    fn type_name_here(&mut self) -> Res<TypeNameId> {
        self.measured_type(|p| {
            let lo = p.here().lo;
            if p.name_used_as_type() {
                p.report_unknown_type();
            }
            let specs = p.specifiers()?;
            if p.unit.specs[specs].span.lo == p.unit.specs[specs].span.hi {
                return p.fail("expected a type");
            }
            let declarator = p.declarator(Context::Abstract)?;
            Ok(TypeName { span: p.since(lo), specs, declarator })
        })
    }

    /// Whether the next token is an identifier that is no type.
    pub(super) fn name_used_as_type(&self) -> bool {
        self.at(Kind::Ident) && !self.is_typedef_name(self.pos)
    }

    /// Reports that the next identifier is no type, and takes it for one from now on.
    pub(super) fn report_unknown_type(&mut self) {
        let span = self.here();
        let name: &'s str = self.slice(span);
        let mut diagnostic =
            Diagnostic::error(Code::UnknownType, span, format!("unknown type name `{name}`"));
        if ["shared", "relaxed", "strict"].contains(&name) {
            diagnostic = diagnostic.help(format!("`{name}` is a keyword of UPC: compile this file as UPC"));
        } else if name == "dist" {
            diagnostic = diagnostic.help("`dist` is a keyword of AC: compile this file as AC (.ac, -x ac)");
        } else if ["global", "spread"].contains(&name) {
            let help = format!("`{name}` is a keyword of Split-C: compile this file as Split-C (.sc)");
            diagnostic = diagnostic.help(help);
        } else if let Some(like) = self.similar_type(name) {
            let what = if is_word_before_types(like) { "keyword" } else { "type" };
            diagnostic = diagnostic.help(format!("there is a {what} with a similar name: `{like}`"));
        }
        self.report(diagnostic);
        self.scopes.declare_global(name, Meaning::UnknownType);
    }

    /// A type with a similar name. Only the first errors look for one, because it compares all names.
    fn similar_type(&self, name: &str) -> Option<&'s str> {
        if self.diagnostics.len() >= 20 {
            return None;
        }
        let keywords = [
            "char", "double", "float", "int", "long", "short", "signed", "struct", "unsigned", "void",
            "static", "extern", "typedef", "const",
        ];
        let own: &[&str] = match self.language {
            Language::Upc => &["shared", "strict", "relaxed"],
            Language::Ac => &["dist"],
            _ => &[],
        };
        base::similar(name, self.scopes.types().chain(keywords).chain(own.iter().copied()))
    }
}

/// Whether this is a keyword that stands before a type.
fn is_word_before_types(word: &str) -> bool {
    ["static", "extern", "typedef", "const", "shared", "strict", "relaxed", "dist"].contains(&word)
}
