//! Initialisers (C17 6.7.9): which expression initialises which part, with elided braces (`list`) and
//! designators (`designator`).

mod designator;
mod list;

use crate::checker::Checker;
use crate::context::words::Goal;
use crate::decl::fixed;
use crate::expr::{convert, split};
use crate::typed::Step;
use crate::types::{IntKind, Len, QTy, Ty};
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
    /// Checks the initialiser of an object of type `ty`, static if `fixed`, and returns the completed type.
    pub fn initializer(&mut self, init: InitId, ty: QTy, fixed: bool) -> QTy {
        let mut path = Vec::new();
        let around = std::mem::take(&mut self.longest_row);
        let ty = self.init_one(init, ty, &mut path, fixed);
        let longest = std::mem::replace(&mut self.longest_row, around);
        if longest > 0 {
            self.cx.out.longest_row.insert(init, longest);
        }
        ty
    }

    /// The number of elements that a list may give values to. For a shared array whose length has THREADS as
    /// a factor, start-up checks it; private arrays of this length hold one thread's elements.
    fn limit(&self, len: Len, fixed: bool) -> u64 {
        match len {
            Len::Const(n) => n,
            Len::Threads(n) if fixed && self.deals => n.saturating_mul(MANY_THREADS),
            Len::Threads(n) if fixed => n,
            _ => u64::MAX,
        }
    }

    /// Notes that a list gives values to the first `count` elements of an array of this length.
    fn reaches(&mut self, len: Len, count: u64) {
        if self.deals && matches!(len, Len::Threads(_)) {
            self.longest_row = self.longest_row.max(count);
        }
    }

    /// Checks an initialiser, with braces of its own or none, for the object at `path`.
    fn init_one(&mut self, init: InitId, ty: QTy, path: &mut Vec<Step>, fixed: bool) -> QTy {
        let unit = self.cx.unit;
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

    /// Checks a single expression, typed already, for the object at `path`.
    fn leaf(&mut self, e: ExprId, ty: QTy, path: &[Step], fixed: bool) -> QTy {
        if let Some((elem, len)) = self.cx.out.types.as_array(ty) {
            return self.array_leaf(e, ty, elem, len);
        }
        if self.cx.out.types.shared_pointee(ty).is_some() {
            self.cx.out.init_path.insert(e, path.to_vec());
        }
        let from = self.cx.value_ty(e);
        let before = self.cx.messages();
        convert::convert(&mut self.cx, e, from, ty, Goal::Init);
        if fixed
            && self.cx.everything()
            && self.cx.out.types.shared_pointee(ty).is_some()
            && !self.cx.null_cast(e)
        {
            split::static_global(&mut self.cx, e, ty);
        }
        if fixed && self.cx.messages() == before {
            fixed::check_fixed(&mut self.cx, &self.names, e, ty);
        }
        ty
    }

    /// Checks an array without braces, which only a string initialises; GNU C also takes a compound literal.
    fn array_leaf(&mut self, e: ExprId, ty: QTy, elem: QTy, len: Len) -> QTy {
        let given = self.cx.out.ty(e);
        if self.cx.out.types.is_error(given) || self.cx.out.types.is_error(elem) {
            return ty;
        }
        let bare = self.cx.unit.bare(e);
        let is_string = matches!(self.cx.unit.exprs[bare].kind, ExprKind::String | ExprKind::FuncName);
        let fits = is_string && self.is_character(elem);
        let Some((_, Len::Const(n))) = self.cx.out.types.as_array(given) else {
            self.needs_braces(e, ty);
            return ty;
        };
        if !fits && (is_string || !self.cx.out.types.is_array(given)) {
            self.needs_braces(e, ty);
            return ty;
        }
        // The string's null character is left out if there is no element for it.
        self.reaches(len, n.saturating_sub(1).max(1));
        if len == Len::Incomplete {
            return QTy::plain(self.cx.out.types.intern(Ty::Array(elem, Len::Const(n))));
        }
        ty
    }

    fn needs_braces(&mut self, e: ExprId, ty: QTy) {
        let shown = self.cx.shown(ty);
        self.cx.report(
            Diagnostic::error(
                Code::BadInitializer,
                self.cx.span(e),
                format!("an array, {shown}, is initialised by one expression"),
            )
            .label("needs a list in braces")
            .help("write `{ … }`"),
        );
    }

    fn is_character(&self, elem: QTy) -> bool {
        matches!(
            self.cx.out.types.int_kind(elem),
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
}
