//! Declaration specifiers: storage, qualifiers, types, in any order.

use super::{Parser, Res};
use crate::ast::*;
use crate::scope::Meaning;
use crate::token::Kind;
use base::Span;

/// Whether this keyword alone can begin (and go on) a list of declaration specifiers. Attributes can too,
/// but they also stand before statements.
fn is_specifier(kind: Kind) -> bool {
    use Kind::*;
    storage(kind).is_some()
        || basic(kind).is_some()
        || is_qualifier(kind)
        || matches!(kind, Inline | Noreturn | Alignas | Struct | Union | Enum | Typeof | AutoType)
}

/// Whether this keyword says which type, rather than how it is stored or qualified.
fn is_type_keyword(kind: Kind) -> bool {
    use Kind::*;
    basic(kind).is_some() || matches!(kind, Struct | Union | Enum | Typeof | AutoType)
}

pub(super) fn is_qualifier(kind: Kind) -> bool {
    use Kind::*;
    matches!(kind, Const | Volatile | Restrict | Atomic | Shared | Strict | Relaxed | Dist | Global | Spread)
}

fn storage(kind: Kind) -> Option<Storage> {
    Some(match kind {
        Kind::Typedef => Storage::Typedef,
        Kind::Extern => Storage::Extern,
        Kind::Static => Storage::Static,
        Kind::Auto => Storage::Auto,
        Kind::Register => Storage::Register,
        Kind::ThreadLocal => Storage::ThreadLocal,
        _ => return None,
    })
}

/// Names of floating types that are keywords of some compilers; for others, headers declare them as typedefs
/// (`typedef float _Float32;`).
pub(super) fn maybe_declared(kind: Kind) -> bool {
    use Kind::*;
    matches!(kind, Float16 | BFloat16 | Float32 | Float64 | Float80 | Float128 | Float32x | Float64x)
}

fn basic(kind: Kind) -> Option<Basic> {
    Some(match kind {
        Kind::Void => Basic::Void,
        Kind::Bool => Basic::Bool,
        Kind::CharKw => Basic::Char,
        Kind::Short => Basic::Short,
        Kind::Int => Basic::Int,
        Kind::Long => Basic::Long,
        Kind::Float => Basic::Float,
        Kind::Double => Basic::Double,
        Kind::Signed => Basic::Signed,
        Kind::Unsigned => Basic::Unsigned,
        Kind::Complex => Basic::Complex,
        Kind::Imaginary => Basic::Imaginary,
        Kind::Int128 => Basic::Int128,
        Kind::Float16 => Basic::FloatN(16, false),
        Kind::BFloat16 => Basic::FloatN(16, true),
        Kind::Float32 => Basic::FloatN(32, false),
        Kind::Float64 => Basic::FloatN(64, false),
        Kind::Float80 => Basic::FloatN(80, false),
        Kind::Float128 => Basic::FloatN(128, false),
        Kind::Float32x => Basic::FloatN(32, true),
        Kind::Float64x => Basic::FloatN(64, true),
        Kind::Decimal32 => Basic::Decimal(32),
        Kind::Decimal64 => Basic::Decimal(64),
        Kind::Decimal128 => Basic::Decimal(128),
        Kind::VaList => Basic::VaList,
        _ => return None,
    })
}

/// Whether this keyword is here the name that a typedef declares.
fn declares_float(kind: Kind, specs: &Specs) -> bool {
    let named = |ty: &TypeSpec| !matches!(ty, TypeSpec::Basic(Basic::Complex, _));
    maybe_declared(kind)
        && specs.types.iter().any(named)
        && specs.storage.iter().any(|(storage, _)| *storage == Storage::Typedef)
}

impl Parser<'_> {
    /// Whether a type name or declaration begins at the token: a specifier or a typedef name, after
    /// attributes and `__extension__`.
    pub(super) fn type_begins(&self, pos: usize) -> bool {
        let pos = self.after_attrs(pos);
        is_specifier(self.kind_at(pos)) || self.is_typedef_name(pos)
    }

    /// Reads specifiers; maybe none. An identifier is a specifier only as the name of a type, if no type has
    /// been named before: `unsigned T;` declares a `T`.
    pub(super) fn specifiers(&mut self) -> Res<SpecsId> {
        let lo = self.here().lo;
        let mut specs = Specs::default();
        while self.specifier(&mut specs)? {}
        specs.span = self.since(lo);
        Ok(self.unit.specs.add(specs))
    }

    /// Reads one specifier, if one is next.
    fn specifier(&mut self, specs: &mut Specs) -> Res<bool> {
        let here = self.here();
        let kind = self.peek();
        if self.declaration_follows_record(specs) {
            return Ok(false);
        }
        if is_qualifier(kind) && !(kind == Kind::Atomic && self.peek_at(1) == Kind::LParen) {
            let qual = self.qualifier()?;
            specs.quals.push(qual);
        } else if let Some(storage) = storage(kind) {
            self.bump();
            specs.storage.push((storage, here));
        } else if self.attrs_at(self.pos) {
            self.attributes(&mut specs.attrs)?;
        } else if matches!(kind, Kind::Inline | Kind::Noreturn) {
            self.bump();
            specs.function.push(here);
        } else if kind == Kind::Extension {
            self.bump();
        } else if kind == Kind::Alignas {
            specs.alignas.push(self.alignas()?);
        } else if is_type_keyword(kind) && (self.record_has_ended(specs) || declares_float(kind, specs)) {
            return Ok(false);
        } else if let Some(ty) = self.type_specifier(specs)? {
            specs.types.push(ty);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Whether the next token stands on a new line after `struct s { … }`. Then another type means that a
    /// semicolon is missing.
    fn record_has_ended(&self, specs: &Specs) -> bool {
        self.ends_with_body(specs) && self.on_new_line()
    }

    /// Whether `struct s { … }` is followed, on a new line, by qualifiers or storage and another type.
    fn declaration_follows_record(&self, specs: &Specs) -> bool {
        if !self.record_has_ended(specs) {
            return false;
        }
        let mut pos = self.pos;
        while is_qualifier(self.kind_at(pos)) || storage(self.kind_at(pos)).is_some() {
            pos += 1;
            if self.kind_at(pos) == Kind::LBracket {
                pos = self.mate(pos).map_or(pos, |end| end + 1);
            }
        }
        pos > self.pos && (is_type_keyword(self.kind_at(pos)) || self.is_typedef_name(pos))
    }

    /// Whether the last type specifier has a body in braces.
    pub(super) fn ends_with_body(&self, specs: &Specs) -> bool {
        match specs.types.last() {
            Some(TypeSpec::Record(id)) => self.unit.records[*id].fields.is_some(),
            Some(TypeSpec::Enum(id)) => self.unit.enums[*id].values.is_some(),
            _ => false,
        }
    }

    fn type_specifier(&mut self, specs: &Specs) -> Res<Option<TypeSpec>> {
        let here = self.here();
        if maybe_declared(self.peek()) && self.scopes.meaning(self.slice(here)) == Some(Meaning::Typedef) {
            self.bump();
            return Ok(Some(TypeSpec::Typedef(Name { text: self.slice(here).into(), span: here })));
        }
        if let Some(basic) = basic(self.peek()) {
            self.bump();
            return Ok(Some(TypeSpec::Basic(basic, here)));
        }
        Ok(Some(match self.peek() {
            Kind::Struct | Kind::Union => TypeSpec::Record(self.record()?),
            Kind::Enum => TypeSpec::Enum(self.enumeration()?),
            Kind::Typeof => self.typeof_specifier()?,
            Kind::AutoType => {
                self.bump();
                TypeSpec::AutoType(here)
            }
            Kind::Atomic => {
                self.bump();
                let ty = self.bracketed(Kind::LParen, Kind::RParen, "after `_Atomic`", |p| p.type_name())?;
                match ty {
                    Some(ty) => TypeSpec::Atomic(ty, self.since(here.lo)),
                    None => self.unknown_type(self.since(here.lo)),
                }
            }
            Kind::Ident if specs.types.is_empty() && self.is_typedef_name(self.pos) => {
                self.bump();
                let text = self.slice(here);
                match self.scopes.meaning(text) {
                    Some(Meaning::UnknownType) => self.unknown_type(here),
                    _ => TypeSpec::Typedef(Name { text: text.into(), span: here }),
                }
            }
            _ => return Ok(None),
        }))
    }

    fn typeof_specifier(&mut self) -> Res<TypeSpec> {
        let lo = self.bump().span.lo;
        enum Of {
            Type(TypeNameId),
            Expr(ExprId),
        }
        let of = self.bracketed(Kind::LParen, Kind::RParen, "after `typeof`", |p| {
            Ok(if p.type_begins(p.pos) { Of::Type(p.type_name()?) } else { Of::Expr(p.expression()?) })
        })?;
        let span = self.since(lo);
        Ok(match of {
            Some(Of::Type(ty)) => TypeSpec::TypeofType(ty, span),
            Some(Of::Expr(e)) => TypeSpec::TypeofExpr(e, span),
            None => self.unknown_type(span),
        })
    }

    /// The type in the place of unreadable text, which has been reported: `typeof` of an error node.
    pub(super) fn unknown_type(&mut self, span: Span) -> TypeSpec {
        TypeSpec::TypeofExpr(self.error_expr(span), span)
    }

    fn alignas(&mut self) -> Res<Alignas> {
        let lo = self.bump().span.lo;
        let of = self.bracketed(Kind::LParen, Kind::RParen, "after `_Alignas`", |p| {
            Ok(match p.type_begins(p.pos) {
                true => Alignment::Type(p.type_name()?),
                false => Alignment::Expr(p.conditional_expression()?),
            })
        })?;
        let span = self.since(lo);
        let of = of.unwrap_or_else(|| Alignment::Expr(self.error_expr(span)));
        Ok(Alignas { span, of })
    }

    /// Reads the next qualifier.
    pub(super) fn qualifier(&mut self) -> Res<Qual> {
        let kind = match self.peek() {
            Kind::Const => QualKind::Const,
            Kind::Volatile => QualKind::Volatile,
            Kind::Restrict => QualKind::Restrict,
            Kind::Atomic => QualKind::Atomic,
            Kind::Dist => QualKind::Shared(Layout::Default),
            Kind::Global => QualKind::Global,
            Kind::Spread => QualKind::Spread,
            _ => return self.shared_qualifier(),
        };
        Ok(Qual { span: self.bump().span, kind })
    }
}
