//! Tags of structs, unions and enums, and the enumerators (C17 6.7.2.3).

use super::{Names, Tag};
use crate::context::{Context, SymInfo};
use crate::typed::SymKind;
use crate::types::{EnumId, QTy, RecordId};
use base::{Code, Diagnostic, Span};
use c_syntax::ast::{EnumSpec, Name, RecordSpec};

impl<'a> Names<'a> {
    /// The record that a specifier names: an old one, or a new one of this scope. Returns `None` if the tag
    /// is of another kind, which has been reported.
    pub fn record_tag(&mut self, cx: &mut Context<'a>, spec: &'a RecordSpec, lone: bool) -> Option<RecordId> {
        let Some(tag) = &spec.tag else { return Some(cx.out.types.new_record(spec.kind, None)) };
        let fresh = lone || spec.fields.is_some();
        let known = if fresh { self.find_tag_here(&tag.text) } else { self.find_tag(&tag.text) };
        match known {
            Some(Tag::Record(r)) if cx.out.types.record(r).kind == spec.kind => {
                if spec.fields.is_none() || !cx.out.types.record(r).complete {
                    return Some(r);
                }
                tag_twice(cx, tag, spec.keyword);
                Some(cx.out.types.new_record(spec.kind, Some(&tag.text)))
            }
            Some(_) => {
                other_kind_of_tag(cx, tag);
                spec.fields.is_some().then(|| cx.out.types.new_record(spec.kind, Some(&tag.text)))
            }
            None => {
                let r = cx.out.types.new_record(spec.kind, Some(&tag.text));
                self.bind_tag(&tag.text, Tag::Record(r));
                Some(r)
            }
        }
    }

    pub fn enum_tag(&mut self, cx: &mut Context<'a>, spec: &'a EnumSpec, lone: bool) -> EnumId {
        let Some(tag) = &spec.tag else { return cx.out.types.new_enum(None) };
        let fresh = lone || spec.values.is_some();
        let known = if fresh { self.find_tag_here(&tag.text) } else { self.find_tag(&tag.text) };
        match known {
            Some(Tag::Enum(e)) => {
                if spec.values.is_some() && cx.out.types.enums[e.0 as usize].complete {
                    tag_twice(cx, tag, Span::new(spec.span.lo, spec.span.lo + 4));
                    return cx.out.types.new_enum(Some(&tag.text));
                }
                e
            }
            Some(_) => {
                other_kind_of_tag(cx, tag);
                cx.out.types.new_enum(Some(&tag.text))
            }
            None => {
                let e = cx.out.types.new_enum(Some(&tag.text));
                self.bind_tag(&tag.text, Tag::Enum(e));
                e
            }
        }
    }

    pub fn enumerator(&mut self, cx: &mut Context<'a>, name: &'a Name, value: i128, ty: QTy) {
        if let Some(before) = self.find_here(&name.text) {
            let before = cx.out.sym(before).span;
            cx.report(
                Diagnostic::error(Code::Redeclared, name.span, format!("`{}` is declared twice", name.text))
                    .label("an enumerator here")
                    .also(before, "first declared here"),
            );
        }
        let sym = self.symbol(cx, &name.text, SymKind::Enumerator(value), ty, name.span, SymInfo::default());
        self.bind(&name.text, sym);
    }
}

fn tag_twice(cx: &mut Context, tag: &Name, keyword: Span) {
    let word = cx.text(keyword).to_owned();
    let message = format!("`{word} {}` is defined twice", tag.text);
    cx.error(Code::Redeclared, tag.span, message, "this scope has a definition already");
}

fn other_kind_of_tag(cx: &mut Context, tag: &Name) {
    let message = format!("`{}` is the tag of another kind of type", tag.text);
    cx.error(Code::Redeclared, tag.span, message, "was declared with another keyword");
}
