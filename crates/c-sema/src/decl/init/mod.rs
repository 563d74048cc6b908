//! Initialisers (C17 6.7.9): which expression initialises which part, with elided braces (`list`) and
//! designators (`designator`).

mod designator;
mod list;

use crate::checker::Checker;
use crate::context::Context;
use crate::context::words::Goal;
use crate::decl::fixed;
use crate::expr::{convert, split};
use crate::typed::Step;
use crate::types::{IntKind, Len, QTy, Ty, Types};
use base::{Code, Diagnostic};
use c_syntax::ast::{Designator, ExprId, ExprKind, InitId, InitKind};

/// A braced list and the present place in it.
struct Cursor<'a> {
    items: &'a [(Vec<Designator>, InitId)],
    at: usize,
    /// The expression of the current item has its type already.
    typed: bool,
    /// The designators of the current item have led to the part that is being filled.
    led: bool,
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

/// The initialiser of one object, and the part of the object that is reached.
struct Initialiser<'c, 'a> {
    checker: &'c mut Checker<'a>,
    /// The object has static storage duration.
    fixed: bool,
    /// The way from the object to the part.
    path: Vec<Step>,
    /// [`Typed::longest_row`](crate::typed::Typed::longest_row), or 0.
    longest_row: u64,
}

impl Checker<'_> {
    /// Checks the initialiser of an object of type `ty`, static if `fixed`, and returns the completed type.
    pub fn initializer(&mut self, init: InitId, ty: QTy, fixed: bool) -> QTy {
        let mut whole = Initialiser { checker: self, fixed, path: Vec::new(), longest_row: 0 };
        let ty = whole.init_one(init, ty);
        let longest = whole.longest_row;
        if longest > 0 {
            self.cx.out.longest_row.insert(init, longest);
        }
        ty
    }
}

impl<'a> Initialiser<'_, 'a> {
    /// The number of elements that a list may give values to. For a shared array whose length has THREADS as
    /// a factor, start-up checks it; private arrays of this length hold one thread's elements.
    fn limit(&self, len: Len) -> u64 {
        match len {
            Len::Const(n) => n,
            Len::Threads(n) if self.fixed && self.checker.deals => n.saturating_mul(MANY_THREADS),
            Len::Threads(n) if self.fixed => n,
            _ => u64::MAX,
        }
    }

    /// Notes that a list gives values to the first `count` elements of an array of this length.
    fn reaches(&mut self, len: Len, count: u64) {
        if self.checker.deals && matches!(len, Len::Threads(_)) {
            self.longest_row = self.longest_row.max(count);
        }
    }

    /// Checks an initialiser, with braces of its own or none, for the part that is reached.
    fn init_one(&mut self, init: InitId, ty: QTy) -> QTy {
        let unit = self.checker.cx.unit;
        if !self.checker.descend(unit.inits[init].span) {
            return ty;
        }
        let result = match &unit.inits[init].kind {
            InitKind::Expr(e) => {
                self.checker.expr(*e);
                self.leaf(*e, ty)
            }
            InitKind::List(items) => {
                let mut cursor = Cursor { items, at: 0, typed: false, led: false, warned: false };
                self.init_list(&mut cursor, ty, unit.inits[init].span)
            }
        };
        self.checker.depth -= 1;
        result
    }

    /// Checks a single expression, typed already, for the part that is reached.
    fn leaf(&mut self, e: ExprId, ty: QTy) -> QTy {
        if let Some((elem, len)) = self.checker.cx.out.types.as_array(ty) {
            return self.array_leaf(e, ty, elem, len);
        }
        if self.checker.cx.out.types.shared_pointee(ty).is_some() {
            self.checker.cx.out.init_path.insert(e, self.path.clone());
        }
        let from = self.checker.cx.value_ty(e);
        let before = self.checker.cx.messages();
        convert::convert(&mut self.checker.cx, e, from, ty, Goal::Init);
        if self.fixed
            && self.checker.cx.everything()
            && self.checker.cx.out.types.shared_pointee(ty).is_some()
            && !self.checker.cx.null_cast(e)
        {
            split::static_global(&mut self.checker.cx, e, ty);
        }
        if self.fixed && self.checker.cx.messages() == before {
            fixed::check_fixed(&mut self.checker.cx, &self.checker.names, e, ty);
        }
        ty
    }

    /// Checks an array without braces, which only a string initialises; GNU C also takes a compound literal.
    fn array_leaf(&mut self, e: ExprId, ty: QTy, elem: QTy, len: Len) -> QTy {
        let given = self.checker.cx.out.ty(e);
        if self.checker.cx.out.types.is_error(given) || self.checker.cx.out.types.is_error(elem) {
            return ty;
        }
        let bare = self.checker.cx.unit.bare(e);
        let is_string =
            matches!(self.checker.cx.unit.exprs[bare].kind, ExprKind::String | ExprKind::FuncName);
        let fits = is_string && is_character(&self.checker.cx.out.types, elem);
        let Some((_, Len::Const(n))) = self.checker.cx.out.types.as_array(given) else {
            needs_braces(&mut self.checker.cx, e, ty);
            return ty;
        };
        if !fits && (is_string || !self.checker.cx.out.types.is_array(given)) {
            needs_braces(&mut self.checker.cx, e, ty);
            return ty;
        }
        // The string's null character is left out if there is no element for it.
        self.reaches(len, n.saturating_sub(1).max(1));
        if len == Len::Incomplete {
            return QTy::plain(self.checker.cx.out.types.intern(Ty::Array(elem, Len::Const(n))));
        }
        ty
    }
}

fn needs_braces(cx: &mut Context, e: ExprId, ty: QTy) {
    let shown = cx.shown(ty);
    cx.report(
        Diagnostic::error(
            Code::BadInitializer,
            cx.span(e),
            format!("an array, {shown}, is initialised by one expression"),
        )
        .label("needs a list in braces")
        .help("write `{ … }`"),
    );
}

fn is_character(types: &Types, elem: QTy) -> bool {
    matches!(
        types.int_kind(elem),
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
