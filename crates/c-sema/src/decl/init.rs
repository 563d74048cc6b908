//! Initialisers (C17 6.7.9): which expression initialises which part, with elided braces and designators.

use crate::checker::Checker;
use crate::expr::Goal;
use crate::typed::Step;
use crate::types::{IntKind, Len, QTy, RecordId, Ty};
use base::{Code, Diagnostic, Span};
use c_syntax::ast::{Designator, ExprId, ExprKind, InitId, InitKind, RecordKind};

/// One braced list, as it is used up.
struct Cursor<'a> {
    items: &'a [(Vec<Designator>, InitId)],
    at: usize,
    /// The expression of the current item has its type already.
    typed: bool,
    /// The designators of the current item have led to the part that is being filled.
    led: bool,
    /// The object has static storage duration.
    fixed: bool,
    /// An item that initialises nothing has been warned of.
    warned: bool,
}

impl<'a> Cursor<'a> {
    fn item(&self) -> Option<&'a (Vec<Designator>, InitId)> {
        self.items.get(self.at)
    }

    fn advance(&mut self) {
        self.at += 1;
        self.typed = false;
        self.led = false;
    }
}

/// More threads than a job has.
const MANY_THREADS: u64 = 1 << 16;

impl<'a> Checker<'a> {
    /// Checks the initialiser of an object of type `ty`, static where `fixed`, and gives the type that it
    /// completes.
    pub fn initializer(&mut self, init: InitId, ty: QTy, fixed: bool) -> QTy {
        let mut path = Vec::new();
        let around = std::mem::take(&mut self.longest_row);
        let ty = self.init_one(init, ty, &mut path, fixed);
        let longest = std::mem::replace(&mut self.longest_row, around);
        if longest > 0 {
            self.out.longest_row.insert(init, longest);
        }
        ty
    }

    /// How many elements a list may give values to. Of a shared array whose length has THREADS as a factor
    /// start-up finds out; private ones hold one thread's.
    fn limit(&self, len: Len, fixed: bool) -> u64 {
        match len {
            Len::Const(n) => n,
            Len::Threads(n) if fixed && self.deals => n.saturating_mul(MANY_THREADS),
            Len::Threads(n) if fixed => n,
            _ => u64::MAX,
        }
    }

    /// A list gives values to the first `count` elements of an array of this length.
    fn reaches(&mut self, len: Len, count: u64) {
        if self.deals && matches!(len, Len::Threads(_)) {
            self.longest_row = self.longest_row.max(count);
        }
    }

    /// One initialiser with braces of its own or none, for the object at `path`.
    fn init_one(&mut self, init: InitId, ty: QTy, path: &mut Vec<Step>, fixed: bool) -> QTy {
        let unit = self.unit;
        if !self.descend(unit.inits[init].span) {
            return ty;
        }
        let result = match &unit.inits[init].kind {
            InitKind::Expr(e) => {
                self.expr(*e);
                self.leaf(*e, ty, path, fixed)
            }
            InitKind::List(items) => {
                let mut cursor = Cursor { items, at: 0, typed: false, led: false, fixed, warned: false };
                self.init_list(&mut cursor, ty, path, unit.inits[init].span)
            }
        };
        self.depth -= 1;
        result
    }

    /// A single expression, typed already, for the object at `path`.
    fn leaf(&mut self, e: ExprId, ty: QTy, path: &[Step], fixed: bool) -> QTy {
        if let Some((elem, len)) = self.out.types.as_array(ty) {
            return self.array_leaf(e, ty, elem, len);
        }
        if self.out.types.shared_pointee(ty).is_some() {
            self.out.init_path.insert(e, path.to_vec());
        }
        let from = self.value_ty(e);
        let before = self.diags.len();
        self.convert(e, from, ty, Goal::Init);
        if fixed && self.everything() && self.out.types.shared_pointee(ty).is_some() && !self.null_cast(e) {
            self.static_global(e, ty);
        }
        if fixed && self.diags.len() == before {
            self.check_fixed(e, ty);
        }
        ty
    }

    /// An array is initialised without braces by a string only; GNU C also takes a compound literal.
    fn array_leaf(&mut self, e: ExprId, ty: QTy, elem: QTy, len: Len) -> QTy {
        let given = self.out.ty(e);
        if self.out.types.is_error(given) || self.out.types.is_error(elem) {
            return ty;
        }
        let bare = self.unit.bare(e);
        let is_string = matches!(self.unit.exprs[bare].kind, ExprKind::String | ExprKind::FuncName);
        let fits = is_string && self.is_character(elem);
        let Some((_, Len::Const(n))) = self.out.types.as_array(given) else {
            self.needs_braces(e, ty);
            return ty;
        };
        if !fits && (is_string || !self.out.types.is_array(given)) {
            self.needs_braces(e, ty);
            return ty;
        }
        // The string's null character is left out where there is no element for it.
        self.reaches(len, n.saturating_sub(1).max(1));
        if len == Len::Incomplete {
            return QTy::plain(self.out.types.intern(Ty::Array(elem, Len::Const(n))));
        }
        ty
    }

    fn needs_braces(&mut self, e: ExprId, ty: QTy) {
        let shown = self.shown(ty);
        self.report(
            Diagnostic::error(
                Code::BadInitializer,
                self.span(e),
                format!("an array, {shown}, is initialised by one expression"),
            )
            .label("needs a list in braces")
            .help("write `{ … }`"),
        );
    }

    fn is_character(&self, elem: QTy) -> bool {
        matches!(
            self.out.types.int_kind(elem),
            Some(
                IntKind::Char
                    | IntKind::SChar
                    | IntKind::UChar
                    | IntKind::UShort
                    | IntKind::Short
                    | IntKind::Int
                    | IntKind::UInt
                    | IntKind::Long
                    | IntKind::ULong
            )
        )
    }

    /// A braced list for the object at `path`.
    fn init_list(&mut self, cursor: &mut Cursor<'a>, ty: QTy, path: &mut Vec<Step>, span: Span) -> QTy {
        match *self.out.types.of(ty) {
            Ty::Array(..) => self.array_list(cursor, ty, path, span),
            Ty::Record(r) => {
                if !self.out.types.record(r).complete {
                    let shown = self.shown(ty);
                    self.error(
                        Code::Incomplete,
                        span,
                        format!("an object of incomplete type {shown} is initialised"),
                        "its members are not known here",
                    );
                    self.rest(cursor);
                    return ty;
                }
                self.fill_record(cursor, r, 0, path, true);
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
                        let shown = self.shown(ty);
                        self.error(
                            Code::BadInitializer,
                            span,
                            format!("a designator for {shown}, which has no parts"),
                            "in this list",
                        );
                    }
                    cursor.advance();
                    self.init_one(*init, ty, path, cursor.fixed);
                    if self.out.types.shared_pointee(ty).is_some()
                        && let Some(e) = self.unit.only_expression(*init)
                    {
                        *self.out.braces.entry(e).or_default() += 1;
                    }
                }
                self.rest(cursor);
                ty
            }
        }
    }

    fn array_list(&mut self, cursor: &mut Cursor<'a>, ty: QTy, path: &mut Vec<Step>, span: Span) -> QTy {
        let Some((elem, len)) = self.out.types.as_array(ty) else { return ty };
        if len == Len::Variable && !cursor.items.is_empty() {
            self.error(
                Code::BadInitializer,
                span,
                "an array of variable length is initialised",
                "its length is not constant",
            );
            self.rest(cursor);
            return ty;
        }
        // `char s[] = { "text" }`
        if let ([(designators, init)], true) = (cursor.items, self.is_character(elem))
            && let (true, InitKind::Expr(e)) = (designators.is_empty(), &self.unit.inits[*init].kind)
        {
            let bare = self.unit.bare(*e);
            if matches!(self.unit.exprs[bare].kind, ExprKind::String) {
                cursor.advance();
                return self.init_one(*init, ty, path, cursor.fixed);
            }
        }
        let count = self.fill_array(cursor, elem, len, 0, path, true);
        self.rest(cursor);
        if len == Len::Incomplete {
            return QTy::plain(self.out.types.intern(Ty::Array(elem, Len::Const(count))));
        }
        ty
    }

    /// Types what a list has left over.
    fn rest(&mut self, cursor: &mut Cursor<'a>) {
        while let Some((designators, _)) = cursor.item() {
            if let Some(first) = designators.first() {
                self.type_designator(first);
            }
            self.excess(cursor);
        }
    }

    /// Passes over an item for which there is nothing left. Of private objects the C compiler warns of it.
    fn excess(&mut self, cursor: &mut Cursor<'a>) {
        let Some((_, init)) = cursor.item() else { return };
        if self.deals {
            self.out.excess.insert(*init);
            if !std::mem::replace(&mut cursor.warned, true) {
                self.warn_of_excess(*init);
            }
        }
        self.skip(cursor);
    }

    fn warn_of_excess(&mut self, init: InitId) {
        let message = "more initialisers than there are elements or members";
        let warning = Diagnostic::warning(Code::ExcessInitializers, self.unit.inits[init].span, message);
        self.report(warning.label("there is nothing for this one; it has no effect").help("leave it out"));
    }

    fn untargeted(&mut self, init: InitId) {
        let unit = self.unit;
        match &unit.inits[init].kind {
            InitKind::Expr(e) => {
                self.expr(*e);
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

    fn type_designator(&mut self, d: &Designator) {
        match d {
            Designator::Field(_) => {}
            Designator::Index(i) => {
                self.expr(*i);
            }
            Designator::Range(a, b) => {
                self.expr(*a);
                self.expr(*b);
            }
        }
    }

    // ---- aggregates ---------------------------------------------------------------------------------

    /// Fills an array from element `next` on. `top`: the list's own array, which takes designators.
    /// Result: how many elements it has now at least.
    fn fill_array(
        &mut self,
        cursor: &mut Cursor<'a>,
        elem: QTy,
        len: Len,
        mut next: u64,
        path: &mut Vec<Step>,
        top: bool,
    ) -> u64 {
        let limit = self.limit(len, cursor.fixed);
        let mut count = next;
        while let Some((designators, _)) = cursor.item() {
            let before = cursor.at;
            if !designators.is_empty() && !cursor.led {
                if !top {
                    break;
                }
                match self.array_designator(&designators[0], len, cursor.fixed) {
                    Some((first, last)) => {
                        let single = first == last;
                        path.push(if single { Step::Index(first) } else { Step::Range(first, last) });
                        self.designated(cursor, elem, designators, 1, path);
                        path.pop();
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
                path.push(Step::Index(next));
                self.child(cursor, elem, path);
                path.pop();
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

    /// First and last element of `[i]` or `[a ... b]`.
    fn array_designator(&mut self, d: &'a Designator, len: Len, fixed: bool) -> Option<(u64, u64)> {
        let limit = self.limit(len, fixed);
        let (a, b) = match d {
            Designator::Index(i) => (*i, *i),
            Designator::Range(a, b) => (*a, *b),
            Designator::Field(name) => {
                let message = format!("`.{}` designates a member, but an array is initialised", name.text);
                self.error(Code::BadInitializer, name.span, message, "not a struct");
                return None;
            }
        };
        self.expr(a);
        if b != a {
            self.expr(b);
        }
        let mut ends = [0; 2];
        for (end, e) in ends.iter_mut().zip([a, b]) {
            let Some(value) = self.value(e) else {
                self.refuse_varying(e, "the index of a designator");
                return None;
            };
            match u64::try_from(value) {
                Ok(n) if n < limit => *end = n,
                _ => {
                    let most = if matches!(len, Len::Threads(_)) { " at most" } else { "" };
                    let message =
                        format!("index {value} is outside the array, which has {limit} elements{most}");
                    self.error(Code::BadInitializer, self.span(e), message, "outside");
                    return None;
                }
            }
        }
        Some((ends[0], ends[1]))
    }

    /// Passes over an item that initialises nothing. Every turn of the loops above uses up an item, with this
    /// or otherwise, so that they end.
    fn skip(&mut self, cursor: &mut Cursor<'a>) {
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
    fn fill_record(
        &mut self,
        cursor: &mut Cursor<'a>,
        record: RecordId,
        mut next: usize,
        path: &mut Vec<Step>,
        top: bool,
    ) {
        let union = self.out.types.record(record).kind == RecordKind::Union;
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
                let ty = self.enter(record, index, path);
                // An anonymous member is entered with the same designator.
                self.designated(cursor, ty, designators, usize::from(!through), path);
                self.leave(record, index, path);
                next = if union { usize::MAX } else { index + 1 };
            } else {
                let fields = &self.out.types.record(record).fields;
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
                let ty = self.enter(record, next, path);
                self.child(cursor, ty, path);
                self.leave(record, next, path);
                next = if union { usize::MAX } else { next + 1 };
            }
            if cursor.at == before {
                self.skip(cursor);
            }
        }
    }

    fn enter(&mut self, record: RecordId, index: usize, path: &mut Vec<Step>) -> QTy {
        let field = &self.out.types.record(record).fields[index];
        let ty = field.ty;
        if let Some(name) = &field.name {
            path.push(Step::Field(name.clone()));
        }
        ty
    }

    fn leave(&mut self, record: RecordId, index: usize, path: &mut Vec<Step>) {
        if self.out.types.record(record).fields[index].name.is_some() {
            path.pop();
        }
    }

    /// The member that a designator names, and whether it lies inside an anonymous one at that index.
    fn member_designator(&mut self, d: &'a Designator, record: RecordId) -> Option<(usize, bool)> {
        let name = match d {
            Designator::Field(name) => name,
            Designator::Index(e) | Designator::Range(e, _) => {
                self.type_designator(d);
                let message = "`[…]` designates an element, but a struct is initialised";
                self.error(Code::BadInitializer, self.span(*e), message, "not an array");
                return None;
            }
        };
        let types = &self.out.types;
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
        let similar = self.similar(&name.text, names.iter().copied());
        let mut diagnostic =
            Diagnostic::error(Code::NoMember, name.span, format!("no member `{}` to initialise", name.text))
                .label("unknown member");
        diagnostic.help = similar.map(|n| format!("did you mean `{n}`?"));
        self.report(diagnostic);
        None
    }

    /// The current item for the part of `ty` that the designators from `from` on lead to; then what follows
    /// it without designators fills on from there.
    fn designated(
        &mut self,
        cursor: &mut Cursor<'a>,
        ty: QTy,
        designators: &'a [Designator],
        from: usize,
        path: &mut Vec<Step>,
    ) {
        let Some(d) = designators.get(from) else {
            cursor.led = true;
            return self.child(cursor, ty, path);
        };
        match *self.out.types.of(ty) {
            Ty::Array(..) => {
                let Some((elem, len)) = self.out.types.as_array(ty) else { return };
                let Some((first, last)) = self.array_designator(d, len, cursor.fixed) else {
                    return self.skip(cursor);
                };
                self.reaches(len, last.saturating_add(1));
                path.push(Step::Index(first));
                self.designated(cursor, elem, designators, from + 1, path);
                path.pop();
                self.fill_array(cursor, elem, len, last.saturating_add(1), path, false);
            }
            Ty::Record(record) => {
                let Some((index, through)) = self.member_designator(d, record) else {
                    return self.skip(cursor);
                };
                let inner = self.enter(record, index, path);
                self.designated(cursor, inner, designators, from + usize::from(!through), path);
                self.leave(record, index, path);
                if self.out.types.record(record).kind == RecordKind::Struct {
                    self.fill_record(cursor, record, index + 1, path, false);
                }
            }
            Ty::Error | Ty::Vector(..) => self.skip(cursor),
            _ => {
                let shown = self.shown(ty);
                let span = cursor.item().map_or(Span::default(), |i| self.unit.inits[i.1].span);
                self.error(
                    Code::BadInitializer,
                    span,
                    format!("a designator for {shown}, which has no parts"),
                    "for this value",
                );
                self.skip(cursor);
            }
        }
    }

    /// The current item, without designators, for a part of type `ty`: it initialises the part, or with its
    /// followers the parts of the part.
    fn child(&mut self, cursor: &mut Cursor<'a>, ty: QTy, path: &mut Vec<Step>) {
        let unit = self.unit;
        let Some(&(_, init)) = cursor.item() else { return };
        let InitKind::Expr(e) = unit.inits[init].kind else {
            cursor.advance();
            self.init_one(init, ty, path, cursor.fixed);
            return;
        };
        if !cursor.typed {
            self.expr(e);
            cursor.typed = true;
        }
        let from = self.out.ty(e);
        match *self.out.types.of(ty) {
            Ty::Array(elem, len) if !self.is_whole_array(e, elem) => {
                let elem = self.out.types.as_array(ty).map_or(elem, |a| a.0);
                if len == Len::Const(0) || path.len() > 1000 {
                    return self.take(cursor, e, ty, path, false);
                }
                self.fill_array(cursor, elem, len, 0, path, false);
            }
            Ty::Record(r) if self.out.types.as_record(from) != Some(r) && !self.out.types.is_error(from) => {
                let empty =
                    self.out.types.record(r).fields.iter().all(|f| f.name.is_none() && f.width.is_some());
                if empty || path.len() > 1000 {
                    return self.take(cursor, e, ty, path, false);
                }
                self.fill_record(cursor, r, 0, path, false);
            }
            _ => self.take(cursor, e, ty, path, true),
        }
    }

    fn take(&mut self, cursor: &mut Cursor<'a>, e: ExprId, ty: QTy, path: &mut [Step], check: bool) {
        if check {
            self.leaf(e, ty, path, cursor.fixed);
        }
        cursor.advance();
    }

    /// Whether an expression initialises an array of these elements as a whole.
    fn is_whole_array(&self, e: ExprId, elem: QTy) -> bool {
        let bare = self.unit.bare(e);
        let types = &self.out.types;
        match self.unit.exprs[bare].kind {
            ExprKind::String | ExprKind::FuncName => self.is_character(elem),
            ExprKind::Compound(..) => types.is_array(self.out.ty(e)) && !types.is_pointer(elem),
            _ => types.is_error(self.out.ty(e)) && types.is_error(elem),
        }
    }
}
