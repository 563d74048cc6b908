//! Braced lists: which item initialises which element or member, including lists whose inner braces are left
//! out.

use super::{Cursor, Initialiser, is_character};
use crate::context::Context;
use crate::typed::Step;
use crate::types::{Len, QTy, RecordId, Ty};
use base::{Code, Diagnostic, Span};
use c_syntax::ast::{ExprId, ExprKind, InitId, InitKind, RecordKind};

impl<'a> Initialiser<'_, 'a> {
    /// A braced list for the part that is reached.
    pub(super) fn init_list(&mut self, cursor: &mut Cursor<'a>, ty: QTy, span: Span) -> QTy {
        match *self.checker.cx.out.types.of(ty) {
            Ty::Array(..) => self.array_list(cursor, ty, span),
            Ty::Record(r) => {
                if !self.checker.cx.out.types.record(r).complete {
                    let shown = self.checker.cx.shown(ty);
                    self.checker.cx.error(
                        Code::Incomplete,
                        span,
                        format!("an object of incomplete type {shown} is initialised"),
                        "its members are not known here",
                    );
                    self.rest(cursor);
                    return ty;
                }
                self.fill_record(cursor, r, 0, true);
                self.rest(cursor);
                ty
            }
            Ty::Error | Ty::Vector(..) | Ty::VaList => {
                self.rest(cursor);
                ty
            }
            _ => {
                if let Some((designators, init)) = cursor.item() {
                    if !designators.is_empty() {
                        let shown = self.checker.cx.shown(ty);
                        self.checker.cx.error(
                            Code::BadInitializer,
                            span,
                            format!("a designator for {shown}, which has no parts"),
                            "in this list",
                        );
                    }
                    cursor.advance();
                    self.init_one(*init, ty);
                    if self.checker.cx.out.types.shared_pointee(ty).is_some()
                        && let Some(e) = self.checker.cx.unit.only_expression(*init)
                    {
                        *self.checker.cx.out.braces.entry(e).or_default() += 1;
                    }
                }
                self.rest(cursor);
                ty
            }
        }
    }

    fn array_list(&mut self, cursor: &mut Cursor<'a>, ty: QTy, span: Span) -> QTy {
        let Some((elem, len)) = self.checker.cx.out.types.as_array(ty) else { return ty };
        if len == Len::Variable && !cursor.items.is_empty() {
            self.checker.cx.error(
                Code::BadInitializer,
                span,
                "an array of variable length is initialised",
                "its length is not constant",
            );
            self.rest(cursor);
            return ty;
        }
        // `char s[] = { "text" }`
        if let ([(designators, init)], true) = (cursor.items, is_character(&self.checker.cx.out.types, elem))
            && let (true, InitKind::Expr(e)) =
                (designators.is_empty(), &self.checker.cx.unit.inits[*init].kind)
        {
            let bare = self.checker.cx.unit.bare(*e);
            if matches!(self.checker.cx.unit.exprs[bare].kind, ExprKind::String) {
                cursor.advance();
                return self.init_one(*init, ty);
            }
        }
        let count = self.fill_array(cursor, elem, len, 0, true);
        self.rest(cursor);
        if len == Len::Incomplete {
            return QTy::plain(self.checker.cx.out.types.intern(Ty::Array(elem, Len::Const(count))));
        }
        ty
    }

    /// Types the items left over at the end of a list.
    fn rest(&mut self, cursor: &mut Cursor<'a>) {
        while let Some((designators, _)) = cursor.item() {
            if let Some(first) = designators.first() {
                self.type_designator(first);
            }
            self.excess(cursor);
        }
    }

    /// Skips an item that initialises nothing. For private objects, the C compiler warns of it.
    fn excess(&mut self, cursor: &mut Cursor<'a>) {
        let Some((_, init)) = cursor.item() else { return };
        if self.checker.deals {
            self.checker.cx.out.excess.insert(*init);
            if !std::mem::replace(&mut cursor.warned, true) {
                warn_of_excess(&mut self.checker.cx, *init);
            }
        }
        self.skip(cursor);
    }

    /// Fills an array from element `next` on. `top`: the list's own array, which takes designators. Returns
    /// the least number of elements that the array has now.
    pub(super) fn fill_array(
        &mut self,
        cursor: &mut Cursor<'a>,
        elem: QTy,
        len: Len,
        mut next: u64,
        top: bool,
    ) -> u64 {
        let limit = self.limit(len);
        let mut count = next;
        while let Some((designators, _)) = cursor.item() {
            let before = cursor.at;
            if !designators.is_empty() && !cursor.led {
                if !top {
                    break;
                }
                match self.array_designator(&designators[0], len) {
                    Some((first, last)) => {
                        let single = first == last;
                        self.path.push(if single { Step::Index(first) } else { Step::Range(first, last) });
                        self.designated(cursor, elem, designators, 1);
                        self.path.pop();
                        next = last.saturating_add(1);
                    }
                    None => self.skip(cursor),
                }
            } else {
                if next >= limit && top {
                    self.excess(cursor);
                    continue;
                }
                if next >= limit {
                    break;
                }
                self.path.push(Step::Index(next));
                self.child(cursor, elem);
                self.path.pop();
                next = next.saturating_add(1);
            }
            count = count.max(next);
            if cursor.at == before {
                self.skip(cursor);
            }
        }
        self.reaches(len, count);
        count
    }

    /// Skips an item that initialises nothing. Every iteration of the loops above uses up an item, by this
    /// function or otherwise, so the loops end.
    pub(super) fn skip(&mut self, cursor: &mut Cursor<'a>) {
        if let Some((designators, init)) = cursor.item() {
            for d in designators.iter().skip(1) {
                self.type_designator(d);
            }
            if !cursor.typed {
                self.untargeted(*init);
            }
            cursor.advance();
        }
    }

    /// Fills a struct from member `next` on, or the one member of a union.
    pub(super) fn fill_record(
        &mut self,
        cursor: &mut Cursor<'a>,
        record: RecordId,
        mut next: usize,
        top: bool,
    ) {
        let union = self.checker.cx.out.types.record(record).kind == RecordKind::Union;
        while let Some((designators, _)) = cursor.item() {
            let before = cursor.at;
            if !designators.is_empty() && !cursor.led {
                if !top {
                    break;
                }
                let Some((index, through)) = self.member_designator(&designators[0], record) else {
                    self.skip(cursor);
                    continue;
                };
                let ty = self.enter(record, index);
                // An anonymous member is entered with the same designator.
                self.designated(cursor, ty, designators, usize::from(!through));
                self.leave(record, index);
                next = if union { usize::MAX } else { index + 1 };
            } else {
                let fields = &self.checker.cx.out.types.record(record).fields;
                while fields.get(next).is_some_and(|f| f.name.is_none() && f.width.is_some()) {
                    next += 1;
                }
                if next >= fields.len() && top {
                    self.excess(cursor);
                    continue;
                }
                if next >= fields.len() {
                    break;
                }
                let ty = self.enter(record, next);
                self.child(cursor, ty);
                self.leave(record, next);
                next = if union { usize::MAX } else { next + 1 };
            }
            if cursor.at == before {
                self.skip(cursor);
            }
        }
    }

    pub(super) fn enter(&mut self, record: RecordId, index: usize) -> QTy {
        let field = &self.checker.cx.out.types.record(record).fields[index];
        let ty = field.ty;
        if let Some(name) = &field.name {
            self.path.push(Step::Field(name.clone()));
        }
        ty
    }

    pub(super) fn leave(&mut self, record: RecordId, index: usize) {
        if self.checker.cx.out.types.record(record).fields[index].name.is_some() {
            self.path.pop();
        }
    }

    /// Initialises a part of type `ty`, or its own parts, with the current item, which has no designators,
    /// and the items after it.
    pub(super) fn child(&mut self, cursor: &mut Cursor<'a>, ty: QTy) {
        let unit = self.checker.cx.unit;
        let Some(&(_, init)) = cursor.item() else { return };
        let InitKind::Expr(e) = unit.inits[init].kind else {
            cursor.advance();
            self.init_one(init, ty);
            return;
        };
        if !cursor.typed {
            self.checker.expr(e);
            cursor.typed = true;
        }
        let from = self.checker.cx.out.ty(e);
        match *self.checker.cx.out.types.of(ty) {
            Ty::Array(elem, len) if !is_whole_array(&self.checker.cx, e, elem) => {
                let elem = self.checker.cx.out.types.as_array(ty).map_or(elem, |a| a.0);
                if len == Len::Const(0) || self.path.len() > 1000 {
                    return self.take(cursor, e, ty, false);
                }
                self.fill_array(cursor, elem, len, 0, false);
            }
            Ty::Record(r)
                if self.checker.cx.out.types.as_record(from) != Some(r)
                    && !self.checker.cx.out.types.is_error(from) =>
            {
                let empty = self
                    .checker
                    .cx
                    .out
                    .types
                    .record(r)
                    .fields
                    .iter()
                    .all(|f| f.name.is_none() && f.width.is_some());
                if empty || self.path.len() > 1000 {
                    return self.take(cursor, e, ty, false);
                }
                self.fill_record(cursor, r, 0, false);
            }
            _ => self.take(cursor, e, ty, true),
        }
    }

    fn take(&mut self, cursor: &mut Cursor<'a>, e: ExprId, ty: QTy, check: bool) {
        if check {
            self.leaf(e, ty);
        }
        cursor.advance();
    }
}

fn warn_of_excess(cx: &mut Context, init: InitId) {
    let message = "more initialisers than there are elements or members";
    let warning = Diagnostic::warning(Code::ExcessInitializers, cx.unit.inits[init].span, message);
    cx.report(warning.label("nothing is left to initialise; this one has no effect").help("leave it out"));
}

/// Whether an expression initialises an array of these elements as a whole.
fn is_whole_array(cx: &Context, e: ExprId, elem: QTy) -> bool {
    let bare = cx.unit.bare(e);
    let types = &cx.out.types;
    match cx.unit.exprs[bare].kind {
        ExprKind::String | ExprKind::FuncName => is_character(types, elem),
        ExprKind::Compound(..) => types.is_array(cx.out.ty(e)) && !types.is_pointer(elem),
        _ => types.is_error(cx.out.ty(e)) && types.is_error(elem),
    }
}
