//! Structs, unions and enums: their members, values and layout.

use super::attrs::has;
use crate::checker::Checker;
use crate::constant;
use crate::context::Context;
use crate::decl::attrs;
use crate::types::layout::{Layouter, Tweak};
use crate::types::{EnumId, Field, IntKind, Len, QTy, RecordId, Ty};
use crate::upc::layout::Place;
use base::{Code, Diagnostic, Span};
use c_syntax::Language;
use c_syntax::ast::{
    DeclId, DeclKind, EnumSpec, EnumSpecId, InitDeclarator, Name, RecordKind, RecordSpec, RecordSpecId,
    TypeSpec, Unit,
};
use c_syntax::dialect::Words;
use rustc_hash::FxHashMap;

impl<'a> Checker<'a> {
    /// A struct or union specifier. `lone`: `struct s;`.
    pub fn record_spec(&mut self, id: RecordSpecId, lone: bool) -> QTy {
        let unit = self.cx.unit;
        let spec = &unit.records[id];
        let Some(record) = self.names.record_tag(&mut self.cx, spec, lone) else {
            let record = self.cx.out.types.new_record(spec.kind, None);
            self.cx.out.record_of.insert(id, record);
            return self.cx.unknown();
        };
        self.cx.out.record_of.insert(id, record);
        if let Some(fields) = &spec.fields {
            self.define_record(record, spec, fields);
        }
        QTy::plain(self.cx.out.types.intern(Ty::Record(record)))
    }

    fn define_record(&mut self, id: RecordId, spec: &'a RecordSpec, decls: &'a [DeclId]) {
        let packed = has(&spec.attrs, "packed");
        let at_most = self.packs.at(spec.span.hi);
        let mut fields = Vec::new();
        let mut layout = Layouter::new(spec.kind);
        let mut names: FxHashMap<&str, Span> = FxHashMap::default();
        for &decl in decls {
            self.members(decl, packed, at_most, &mut layout, &mut fields, &mut names);
        }
        check_flexible(&mut self.cx, spec, &fields);
        let at_least = self.aligned(&spec.attrs);
        let (size, align) = layout.finish(at_least);
        let record = &mut self.cx.out.types.records[id.0 as usize];
        (record.size, record.align) = (size, align);
        let name = |(at, field): (usize, &Field)| Some((field.name.clone()?, at));
        record.by_name = fields.iter().enumerate().rev().filter_map(name).collect();
        record.fields = fields;
        record.complete = true;
    }

    fn members(
        &mut self,
        decl: DeclId,
        packed: bool,
        at_most: Option<u64>,
        layout: &mut Layouter,
        fields: &mut Vec<Field>,
        names: &mut FxHashMap<&'a str, Span>,
    ) {
        let unit = self.cx.unit;
        let (specs, items) = match &unit.decls[decl].kind {
            DeclKind::Vars { specs, items } => (*specs, items),
            DeclKind::StaticAssert { .. } => return self.declaration(decl),
            _ => return,
        };
        let said = self.specs(specs, items.is_empty());
        let specs = &unit.specs[specs];
        let mut tweak = Tweak { packed: packed || has(&specs.attrs, "packed"), align: None, at_most };
        tweak.align = self.aligned(&specs.attrs).max(attrs::alignas(&mut self.cx, &specs.alignas, layout));
        if let (true, Some(inner)) = (items.is_empty(), self.cx.out.types.as_record(said.ty)) {
            if !self.cx.out.types.record(inner).anonymous || matches!(specs.types[..], [TypeSpec::Typedef(_)])
            {
                // This is a member only under -fms-extensions. The C compiler knows, so the layout is not
                // known here.
                layout.forget();
            }
            let mut field = Field { name: None, ty: said.ty, offset: None, width: None, bit: None };
            layout.place(&self.cx.out.types, &mut field, tweak);
            note_names(&mut self.cx, said.ty, decl, names);
            fields.push(field);
        }
        for item in items {
            let mut field = self.one_member(item, said.ty, said.layout, names);
            let mut own = tweak;
            own.packed |= has(&item.attrs, "packed");
            own.align = own.align.max(self.aligned(&item.attrs));
            layout.place(&self.cx.out.types, &mut field, own);
            fields.push(field);
        }
    }

    fn one_member(
        &mut self,
        item: &'a InitDeclarator,
        base: QTy,
        written: Option<Span>,
        names: &mut FxHashMap<&'a str, Span>,
    ) -> Field {
        let unit = self.cx.unit;
        let declarator = &unit.declarators[item.declarator];
        let ty = self.declarator(item.declarator, base, written, Place::Member);
        let ty = self.with_type_attrs(ty, &item.attrs);
        let ty = check_member_type(&mut self.cx, ty, item);
        self.cx.out.declarator_ty.insert(item.declarator, ty);
        if let Some(name) = &declarator.name {
            if let Some(&before) = names.get(&*name.text) {
                self.cx.report(
                    Diagnostic::error(
                        Code::Redeclared,
                        name.span,
                        format!("two members named `{}`", name.text),
                    )
                    .label("the second")
                    .also(before, "the first"),
                );
            }
            names.insert(&name.text, name.span);
        }
        let width = item.width.map(|w| self.width(w, ty));
        Field { name: declarator.name.as_ref().map(|n| n.text.clone()), ty, offset: None, width, bit: None }
    }

    fn width(&mut self, e: c_syntax::ast::ExprId, ty: QTy) -> u64 {
        self.expr(e);
        let span = self.cx.unit.exprs[e].span;
        let most = self.cx.out.types.size_of(ty).map_or(u64::MAX, |s| s * 8);
        match self.cx.value(e) {
            Some(v) if v < 0 => {
                self.cx.error(Code::BadType, span, "a bit-field of negative width", "is negative")
            }
            Some(v) if v as u128 > u128::from(most) => {
                let message = format!("a bit-field wider than its type, which has {most} bits");
                self.cx.error(Code::BadType, span, message, "too wide");
            }
            Some(v) => return v as u64,
            None => constant::refuse_varying(&mut self.cx, e, "the width of a bit-field"),
        }
        1
    }

    // ---- enums -----------------------------------------------------------------------------------

    /// An enum specifier.
    pub fn enum_spec(&mut self, id: EnumSpecId, lone: bool) -> QTy {
        let unit = self.cx.unit;
        let spec = &unit.enums[id];
        let e = self.names.enum_tag(&mut self.cx, spec, lone);
        self.cx.out.enum_of.insert(id, e);
        if let Some(values) = &spec.values {
            self.define_enum(e, spec, values);
        }
        QTy::plain(self.cx.out.types.intern(Ty::Enum(e)))
    }

    fn define_enum(
        &mut self,
        id: EnumId,
        spec: &EnumSpec,
        values: &'a [(Name, Option<c_syntax::ast::ExprId>)],
    ) {
        let mut next: i128 = 0;
        let (mut low, mut high) = (0i128, 0i128);
        for (name, given) in values {
            if let Some(e) = *given {
                self.expr(e);
                next = enumerator_value(&mut self.cx, e, next);
            }
            (low, high) = (low.min(next), high.max(next));
            let kind = if i32::try_from(next).is_ok() { IntKind::Int } else { wide_kind(next, next) };
            let ty = self.cx.out.types.int(kind);
            self.names.enumerator(&mut self.cx, name, next, ty);
            next = next.wrapping_add(1);
        }
        let packed = has(&spec.attrs, "packed");
        let moded = self.mode_of(&spec.attrs);
        let e = &mut self.cx.out.types.enums[id.0 as usize];
        e.repr = if packed { packed_kind(low, high) } else { wide_kind(low, high) };
        if let Some(kind) = moded {
            e.repr = kind;
        }
        e.complete = true;
    }
}

/// Checks that a member is a complete private object (UPC 6.5.1.1).
fn check_member_type<'a>(cx: &mut Context<'a>, ty: QTy, item: &'a InitDeclarator) -> QTy {
    let at = name_span(cx.unit, item);
    if cx.out.types.is_shared(ty) {
        let shown = cx.out.types.show_aka(ty);
        let Words { shared, pointer, .. } = *cx.words();
        cx.report(
            Diagnostic::error(
                Code::SharedMember,
                at,
                format!("a member cannot be {shared}: its type is {shown}"),
            )
            .label(format!("{shared} member"))
            .help(match cx.env.language {
                Language::SplitC => "declare the array outside, and make the member a spread pointer".into(),
                _ => format!("declare the whole object {shared}, or make the member a {pointer}"),
            }),
        );
        return cx.unknown();
    }
    let types = &cx.out.types;
    if types.as_function(ty).is_some() {
        cx.error(Code::BadType, at, "a member cannot be a function", "make it a pointer to a function");
        return cx.unknown();
    }
    let flexible = matches!(types.of(ty), Ty::Array(_, Len::Incomplete));
    if !flexible && !types.is_complete(ty) {
        let message = format!("member of incomplete type {}", types.show_aka(ty));
        cx.error(Code::Incomplete, at, message, "its size is not known here");
        return cx.unknown();
    }
    ty
}

fn name_span(unit: &Unit, item: &InitDeclarator) -> Span {
    unit.declarators[item.declarator].name.as_ref().map_or(item.span, |n| n.span)
}

fn note_names<'a>(cx: &mut Context<'a>, ty: QTy, decl: DeclId, names: &mut FxHashMap<&'a str, Span>) {
    let Some(record) = cx.out.types.as_record(ty) else { return };
    let span = cx.unit.decls[decl].span;
    let inner: Vec<String> = cx.out.types.member_names(record).iter().map(|n| n.to_string()).collect();
    for name in inner {
        if let Some(&before) = names.get(&*name) {
            cx.report(
                Diagnostic::error(Code::Redeclared, span, format!("two members named `{name}`"))
                    .label("its anonymous members hold the second")
                    .also(before, "the first"),
            );
        }
    }
}

/// Checks that only the last member of a struct has no length.
fn check_flexible(cx: &mut Context, spec: &RecordSpec, fields: &[Field]) {
    let last = fields.len().saturating_sub(1);
    for (i, field) in fields.iter().enumerate() {
        let open = matches!(cx.out.types.of(field.ty), Ty::Array(_, Len::Incomplete));
        if open && i != last && spec.kind == RecordKind::Struct {
            let name = field.name.as_deref().unwrap_or("").to_owned();
            let message = format!("flexible array member `{name}` is not the last");
            cx.error(Code::Incomplete, spec.keyword, message, "in this struct");
        }
    }
}

fn enumerator_value(cx: &mut Context, e: c_syntax::ast::ExprId, otherwise: i128) -> i128 {
    if let Some(v) = cx.value(e) {
        return v;
    }
    constant::refuse_varying(cx, e, "the value of an enumerator");
    otherwise
}

fn wide_kind(low: i128, high: i128) -> IntKind {
    match low < 0 {
        true if low >= i32::MIN.into() && high <= i32::MAX.into() => IntKind::Int,
        true => IntKind::Long,
        false if high <= u32::MAX.into() => IntKind::UInt,
        false => IntKind::ULong,
    }
}

fn packed_kind(low: i128, high: i128) -> IntKind {
    match low < 0 {
        true if low >= i8::MIN.into() && high <= i8::MAX.into() => IntKind::SChar,
        true if low >= i16::MIN.into() && high <= i16::MAX.into() => IntKind::Short,
        false if high <= u8::MAX.into() => IntKind::UChar,
        false if high <= u16::MAX.into() => IntKind::UShort,
        _ => wide_kind(low, high),
    }
}
