//! Designators: the part that `.member` and `[index]` lead to. Designators that lead to no part are typed all
//! the same.

use super::{Cursor, Initialiser};
use crate::constant;
use crate::typed::Step;
use crate::types::{Len, QTy, RecordId, Ty};
use base::{Code, Diagnostic, Span};
use c_syntax::ast::{Designator, InitId, InitKind, RecordKind};

impl<'a> Initialiser<'_, 'a> {
    /// Types an initialiser that leads to no part, with everything in it.
    pub(super) fn untargeted(&mut self, init: InitId) {
        let unit = self.checker.cx.unit;
        match &unit.inits[init].kind {
            InitKind::Expr(e) => {
                self.checker.expr(*e);
            }
            InitKind::List(items) => {
                for (designators, inner) in items {
                    for d in designators {
                        self.type_designator(d);
                    }
                    self.untargeted(*inner);
                }
            }
        }
    }

    /// Types the expressions of a designator.
    pub(super) fn type_designator(&mut self, d: &Designator) {
        match d {
            Designator::Field(_) => {}
            Designator::Index(i) => {
                self.checker.expr(*i);
            }
            Designator::Range(a, b) => {
                self.checker.expr(*a);
                self.checker.expr(*b);
            }
        }
    }

    /// First and last element of `[i]` or `[a ... b]`.
    pub(super) fn array_designator(&mut self, d: &'a Designator, len: Len) -> Option<(u64, u64)> {
        let limit = self.limit(len);
        let (a, b) = match d {
            Designator::Index(i) => (*i, *i),
            Designator::Range(a, b) => (*a, *b),
            Designator::Field(name) => {
                let message = format!("`.{}` designates a member, but an array is initialised", name.text);
                self.checker.cx.error(Code::BadInitializer, name.span, message, "not a struct");
                return None;
            }
        };
        self.checker.expr(a);
        if b != a {
            self.checker.expr(b);
        }
        let mut ends = [0; 2];
        for (end, e) in ends.iter_mut().zip([a, b]) {
            let Some(value) = self.checker.cx.value(e) else {
                constant::refuse_varying(&mut self.checker.cx, e, "the index of a designator");
                return None;
            };
            match u64::try_from(value) {
                Ok(n) if n < limit => *end = n,
                _ => {
                    let most = if matches!(len, Len::Threads(_)) { " at most" } else { "" };
                    let message =
                        format!("index {value} is outside the array, which has {limit} elements{most}");
                    self.checker.cx.error(Code::BadInitializer, self.checker.cx.span(e), message, "outside");
                    return None;
                }
            }
        }
        Some((ends[0], ends[1]))
    }

    /// The member that a designator names, and whether it lies inside an anonymous one at that index.
    pub(super) fn member_designator(&mut self, d: &'a Designator, record: RecordId) -> Option<(usize, bool)> {
        let name = match d {
            Designator::Field(name) => name,
            Designator::Index(e) | Designator::Range(e, _) => {
                self.type_designator(d);
                let message = "`[…]` designates an element, but a struct is initialised";
                self.checker.cx.error(
                    Code::BadInitializer,
                    self.checker.cx.span(*e),
                    message,
                    "not an array",
                );
                return None;
            }
        };
        let types = &self.checker.cx.out.types;
        let crate::types::Record { fields, by_name, .. } = types.record(record);
        if let Some(&i) = by_name.get(&name.text) {
            return Some((i, false));
        }
        let inside = fields.iter().position(|f| {
            f.name.is_none() && types.as_record(f.ty).is_some_and(|r| types.member(r, &name.text).is_some())
        });
        if let Some(i) = inside {
            return Some((i, true));
        }
        let names = types.member_names(record);
        let similar = self.checker.cx.similar(&name.text, names.iter().copied());
        let mut diagnostic =
            Diagnostic::error(Code::NoMember, name.span, format!("no member `{}` to initialise", name.text))
                .label("unknown member");
        diagnostic.help = similar.map(|n| format!("did you mean `{n}`?"));
        self.checker.cx.report(diagnostic);
        None
    }

    /// Initialises the part of `ty` that the designators from `from` on lead to, with the current item. The
    /// items after it without designators fill on from there.
    pub(super) fn designated(
        &mut self,
        cursor: &mut Cursor<'a>,
        ty: QTy,
        designators: &'a [Designator],
        from: usize,
    ) {
        let Some(d) = designators.get(from) else {
            cursor.led = true;
            return self.child(cursor, ty);
        };
        match *self.checker.cx.out.types.of(ty) {
            Ty::Array(..) => {
                let Some((elem, len)) = self.checker.cx.out.types.as_array(ty) else { return };
                let Some((first, last)) = self.array_designator(d, len) else {
                    return self.skip(cursor);
                };
                self.reaches(len, last.saturating_add(1));
                self.path.push(Step::Index(first));
                self.designated(cursor, elem, designators, from + 1);
                self.path.pop();
                self.fill_array(cursor, elem, len, last.saturating_add(1), false);
            }
            Ty::Record(record) => {
                let Some((index, through)) = self.member_designator(d, record) else {
                    return self.skip(cursor);
                };
                let inner = self.enter(record, index);
                self.designated(cursor, inner, designators, from + usize::from(!through));
                self.leave(record, index);
                if self.checker.cx.out.types.record(record).kind == RecordKind::Struct {
                    self.fill_record(cursor, record, index + 1, false);
                }
            }
            Ty::Error | Ty::Vector(..) => self.skip(cursor),
            _ => {
                let shown = self.checker.cx.shown(ty);
                let span = cursor.item().map_or(Span::default(), |i| self.checker.cx.unit.inits[i.1].span);
                self.checker.cx.error(
                    Code::BadInitializer,
                    span,
                    format!("a designator for {shown}, which has no parts"),
                    "for this value",
                );
                self.skip(cursor);
            }
        }
    }
}
