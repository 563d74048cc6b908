//! `a.m`, `p->m`, `a[i]`, and `offsetof`.

use crate::checker::Checker;
use crate::context::Context;
use crate::expr::operators;
use crate::types::{Block, QTy, RecordId};
use crate::upc::suspect;
use base::{Code, Diagnostic};
use c_syntax::ast::{Designator, ExprId, Name, TypeNameId};

impl<'a> Checker<'a> {
    /// `base.name`, `base->name`. A member of a shared struct is shared with indefinite block size, so that
    /// its address is a `shared [] T *` (UPC 6.4.4).
    pub fn member(&mut self, base: ExprId, arrow: bool, name: &'a Name) -> QTy {
        let ty = self.expr(base);
        let object = if arrow {
            let pointer = self.cx.out.types.decay(ty);
            match self.cx.out.types.pointee(pointer) {
                Some(to) => to,
                None if self.cx.out.types.is_error(pointer) => return self.cx.unknown(),
                None => {
                    arrow_on_value(&mut self.cx, base, pointer, name);
                    return self.cx.unknown();
                }
            }
        } else {
            ty
        };
        let Some(record) = self.cx.out.types.as_record(object) else {
            not_a_record(&mut self.cx, base, object, arrow, name);
            return self.cx.unknown();
        };
        let Some(found) = self.cx.out.types.member(record, &name.text) else {
            self.no_member(record, object, name);
            return self.cx.unknown();
        };
        let mut quals = self.cx.out.types.strip(object).quals;
        quals.shared = quals.shared.map(|_| Block::Indefinite);
        // `restrict` and `_Atomic` of the whole are not its members'.
        quals.is_restrict = false;
        quals.is_atomic = false;
        self.cx.out.types.qualify(found.ty, quals)
    }

    fn no_member(&mut self, record: RecordId, ty: QTy, name: &Name) {
        let shown = self.cx.out.types.show(crate::types::QTy { ty: ty.ty, quals: Default::default() });
        let complete = self.cx.out.types.record(record).complete;
        let told = if complete { &*name.text } else { "" };
        if !self.no_members.insert((record, told.into())) {
            return;
        }
        if !complete {
            let message = format!("`{shown}` has no members here: it is incomplete");
            return self.cx.error(Code::Incomplete, name.span, message, "its definition is not visible");
        }
        let names = self.cx.out.types.member_names(record);
        let help = match self.cx.similar(&name.text, names.iter().copied()) {
            Some(similar) => Some(format!("did you mean `{similar}`?")),
            None if names.is_empty() => None,
            None => {
                let few: Vec<String> = names.iter().take(6).map(|n| format!("`{n}`")).collect();
                let rest = if names.len() > 6 { ", …" } else { "" };
                Some(format!("its members are {}{rest}", few.join(", ")))
            }
        };
        let mut d =
            Diagnostic::error(Code::NoMember, name.span, format!("`{shown}` has no member `{}`", name.text))
                .label("unknown member");
        d.help = help;
        self.cx.report(d);
    }

    /// `a[i]`, in either order.
    pub fn index(&mut self, e: ExprId, a: ExprId, i: ExprId) -> QTy {
        let (x, y) = (self.expr(a), self.expr(i));
        let (x, y) = (self.cx.out.types.decay(x), self.cx.out.types.decay(y));
        if self.cx.out.types.is_error(x) || self.cx.out.types.is_error(y) {
            return self.cx.out.types.pointee(x).unwrap_or(self.cx.unknown());
        }
        if let crate::types::Ty::Vector(elem, _) = self.cx.out.types.of(x) {
            return *elem;
        }
        let (pointer, index, place) = match (self.cx.out.types.pointee(x), self.cx.out.types.pointee(y)) {
            (Some(to), None) => (to, y, i),
            (None, Some(to)) => (to, x, a),
            _ => {
                let (sx, sy) = (self.cx.shown(x), self.cx.shown(y));
                let message = format!("{sx} is indexed by {sy}");
                self.cx.error(
                    Code::BadOperands,
                    self.cx.span(e),
                    message,
                    "one must be an array or a pointer, the other an integer",
                );
                return self.cx.unknown();
            }
        };
        if !self.cx.out.types.is_integer(index) {
            let shown = self.cx.shown(index);
            self.cx.error(
                Code::BadOperands,
                self.cx.span(place),
                format!("an array index of type {shown}"),
                "not an integer",
            );
        }
        operators::check_step(&mut self.cx, pointer, e);
        let addressed = self.addressed == Some(e);
        suspect::check_index_range(&mut self.cx, if place == i { a } else { i }, place, addressed);
        if self.cx.out.types.as_function(pointer).is_some() {
            return self.cx.unknown();
        }
        self.cx.out.types.entered(pointer)
    }

    /// `offsetof(type, path)`
    pub fn offsetof(&mut self, e: ExprId, t: TypeNameId, path: &'a [Designator]) -> QTy {
        let mut ty = self.type_name(t);
        let mut offset = Some(0u64);
        for step in path {
            match step {
                Designator::Field(name) => {
                    let Some(record) = self.cx.out.types.as_record(ty) else {
                        return QTy::plain(self.cx.basic.size);
                    };
                    let Some(member) = self.cx.out.types.member(record, &name.text) else {
                        self.no_member(record, ty, name);
                        return QTy::plain(self.cx.basic.size);
                    };
                    offset = offset.zip(member.offset).map(|(a, b)| a + b);
                    ty = member.ty;
                }
                Designator::Index(i) | Designator::Range(i, _) => {
                    self.expr(*i);
                    let elem = self.cx.out.types.as_array(ty).map(|a| a.0);
                    let size = elem.and_then(|t| self.cx.out.types.size_of(t));
                    let index = self.cx.value(*i).and_then(|v| u64::try_from(v).ok());
                    offset =
                        offset.zip(size).zip(index).and_then(|((o, s), n)| o.checked_add(s.checked_mul(n)?));
                    ty = elem.unwrap_or(self.cx.unknown());
                }
            }
        }
        let size = QTy::plain(self.cx.basic.size);
        if let Some(n) = offset {
            self.cx.set_value(e, size, i128::from(n));
        }
        size
    }
}

fn arrow_on_value(cx: &mut Context, base: ExprId, ty: QTy, name: &Name) {
    let span = cx.span(base);
    let shown = cx.shown(ty);
    let mut d = Diagnostic::error(Code::NoMember, span, format!("`->` on {shown}, which is not a pointer"));
    d = d.label("not a pointer");
    if cx.out.types.as_record(ty).is_some() {
        d = d.help(format!("write `.{}`", name.text));
    }
    cx.report(d);
}

fn not_a_record(cx: &mut Context, base: ExprId, ty: QTy, arrow: bool, name: &Name) {
    if cx.out.types.is_error(ty) {
        return;
    }
    let span = cx.span(base);
    let shown = cx.shown(ty);
    let what =
        if arrow { "the target of this pointer is not a struct or union" } else { "not a struct or union" };
    let mut d =
        Diagnostic::error(Code::NoMember, span, format!("member `{}` of {shown}", name.text)).label(what);
    if !arrow && cx.out.types.pointee(ty).is_some_and(|to| cx.out.types.as_record(to).is_some()) {
        d = d.help(format!("the operand is a pointer: write `->{}`", name.text));
    }
    cx.report(d);
}
