//! Initialisers.
//!
//! An automatic object's initialiser keeps its form, with its values converted. A static object's must be
//! constant for C, and a pointer-to-shared is not: there stands zero instead, and a record says what
//! start-up is to store (`struct mer_init_ptr`). A shared object's initialiser becomes a private image that
//! start-up deals out (`struct mer_init_data`).

use crate::ty::{Count, Layout};
use crate::{Changes, Lower, start_record};
use base::Span;
use c_sema::typed::Step;
use c_sema::types::{Len, QTy, Ty};
use c_syntax::ast::*;
use emit::{Piece, seq, splice};

/// A constant pointer-to-shared: element `n + each * THREADS` of the static shared object `root`, and in it a
/// member: the element's type and the path to the member; and what was added after a cast to another layout.
struct Address {
    root: ExprId,
    n: i128,
    each: i128,
    member: Option<(String, String)>,
    /// The layout is no longer the object's: steps are bytes, and the phase is 0 (6.4.3).
    cast: bool,
    /// `" + …"`: bytes.
    bytes: String,
}

impl Address {
    /// Steps by `n` arrays, or elements, of so many elements.
    fn step(&mut self, n: i128, of: Count) {
        let steps = if of.threads { &mut self.each } else { &mut self.n };
        *steps += n * i128::from(of.count);
    }
}

/// One entry of a list in braces.
type Item = (Vec<Designator>, InitId);

impl Lower<'_> {
    /// Changes of an automatic object's initialiser.
    pub(crate) fn change_init(&mut self, init: InitId, changes: &mut Changes) {
        let unit = self.unit;
        match &unit.inits[init].kind {
            InitKind::Expr(e) => self.change_value(*e, changes),
            InitKind::List(items) => {
                if let Some(inner) = self.within_braces(init) {
                    let mut parts = Changes::new();
                    self.change_init(inner, &mut parts);
                    changes.push((unit.inits[init].span, splice(unit.inits[inner].span, parts)));
                    return;
                }
                for (n, (path, inner)) in items.iter().enumerate() {
                    if self.typed.is_excess(*inner) {
                        self.leave_out(items, n, changes);
                        continue;
                    }
                    self.change_designators(path, changes);
                    self.change_init(*inner, changes);
                }
            }
        }
    }

    /// Leaves out an item that initialises nothing. The front end has warned of it; the C compiler, which
    /// knows the object under another name, does not see it.
    fn leave_out(&self, items: &[Item], n: usize, changes: &mut Changes) {
        let span = |n: usize| self.unit.inits[items[n].1].span;
        let from = n.checked_sub(1).map_or(span(n).lo, |before| span(before).hi);
        changes.push((Span::new(from, span(n).hi), "".into()));
    }

    /// For a list that is one pointer-to-shared in braces: what they hold. In C such a pointer is a struct,
    /// and in its braces stand its members.
    pub(crate) fn within_braces(&self, init: InitId) -> Option<InitId> {
        let unit = self.unit;
        let e = unit.only_expression(init)?;
        let (mut at, mut within, mut pairs) = (init, None, 0);
        while let InitKind::List(items) = &unit.inits[at].kind {
            at = items[0].1;
            within = within.or(Some(at));
            pairs += 1;
        }
        within.filter(|_| pairs <= self.typed.braces(e))
    }

    fn change_designators(&mut self, path: &[Designator], changes: &mut Changes) {
        for step in path {
            match step {
                Designator::Index(e) => self.change_value(*e, changes),
                Designator::Range(a, b) => {
                    self.change_value(*a, changes);
                    self.change_value(*b, changes);
                }
                Designator::Field(_) => {}
            }
        }
    }

    /// Changes of the initialiser of the private static object that `d` declares; `records` go behind its
    /// declaration.
    pub(crate) fn change_static_init(
        &mut self,
        d: DeclaratorId,
        init: InitId,
        changes: &mut Changes,
        records: &mut Vec<Piece>,
    ) {
        let name = self.unit.declarators[d].name.as_ref().map_or(String::new(), |n| n.text.to_string());
        self.static_leaves(&name, init, changes, records);
    }

    fn static_leaves(&mut self, object: &str, init: InitId, changes: &mut Changes, records: &mut Vec<Piece>) {
        let unit = self.unit;
        match &unit.inits[init].kind {
            InitKind::List(items) => {
                if let Some(inner) = self.within_braces(init) {
                    let mut parts = Changes::new();
                    self.static_leaves(object, inner, &mut parts, records);
                    changes.push((unit.inits[init].span, splice(unit.inits[inner].span, parts)));
                    return;
                }
                for (n, (path, inner)) in items.iter().enumerate() {
                    if self.typed.is_excess(*inner) {
                        self.leave_out(items, n, changes);
                        continue;
                    }
                    self.change_designators(path, changes);
                    self.static_leaves(object, *inner, changes, records);
                }
            }
            InitKind::Expr(e) => {
                let to = self.typed.conversion(*e).unwrap_or(self.typed.ty(*e));
                let pts = self.is_pts(to) || self.is_shared_place(*e);
                if !pts {
                    return self.change_value(*e, changes);
                }
                if let Some(address) = self.address(*e) {
                    records.push(self.pointer_record(object, *e, to, address));
                } else if !self.is_null_value(*e) {
                    return self.change_value(*e, changes);
                }
                changes.push((self.span(*e), "{0}".into()));
            }
        }
    }

    pub(crate) fn is_null_value(&self, e: ExprId) -> bool {
        match self.unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) | ExprKind::Cast(_, a) => self.is_null_value(a),
            _ => self.typed.constant(e) == Some(0),
        }
    }

    fn pointer_record(&mut self, object: &str, e: ExprId, to: QTy, address: Address) -> Piece {
        let path: String = self
            .typed
            .init_path(e)
            .iter()
            .map(|step| match step {
                Step::Field(name) => format!(".{name}"),
                Step::Index(n) => format!("[{n}]"),
            })
            .collect();
        let q = self.typed.ty(address.root);
        let root = match self.typed.symbol(address.root) {
            Some(sym) if self.is_big(sym) => format!("mer_big_{}", self.typed.sym(sym).name),
            _ => self.text(self.span(address.root)).to_owned(),
        };
        let (size, block) = (self.elem_size(q), self.layout(q).size());
        let offset = match &address.member {
            Some((owner, path)) => format!("__builtin_offsetof({owner}, {path})"),
            None => "0".to_owned(),
        };
        let offset = offset + &address.bytes;
        let wide = match (self.is_wide(to), address.cast || address.member.is_some()) {
            (false, _) => "0",
            (true, false) => "1",
            (true, true) => "2",
        };
        let types = &self.typed.types;
        let is_volatile = types.object_quals(types.element(q)).is_volatile;
        let cast = if is_volatile { "(const void *)" } else { "" };
        let record = self.fresh("init");
        let (n, each) = (address.n.to_string(), address.each.to_string());
        let place = format!("(void *)&{object}{path}");
        let numbers = [n, size.to_string(), block.to_string(), offset, wide.to_string(), each];
        start_record("mer_init_ptr", &record, [place, format!("{cast}&{root}")].into_iter().chain(numbers))
    }

    /// An address constant of shared memory (C17 6.6, for shared objects).
    fn address(&mut self, e: ExprId) -> Option<Address> {
        match &self.unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.address(*a),
            ExprKind::Cast(t, a) => {
                let mut address = self.address(*a)?;
                let (to, from) =
                    (self.typed.types.shared_pointee(self.typed.type_name(*t))?, self.points_to(*a)?);
                let generic = |s: &Self, q| matches!(s.typed.types.of(q), Ty::Void);
                address.cast |= !generic(self, to)
                    && !generic(self, from)
                    && (self.layout(to) != self.layout(from)
                        || self.elem_size(to) != self.elem_size(from)
                        || self.count(to) != self.count(from));
                Some(address)
            }
            ExprKind::Unary(UnOp::Addr, place) => self.place_address(*place),
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
                let (pointer, index) = if self.shared_target(*a).is_some() { (*a, *b) } else { (*b, *a) };
                let to = self.shared_target(pointer)?;
                let n = self.typed.constant(index)?;
                let n = if *op == BinOp::Sub { -n } else { n };
                let mut address = self.address(pointer)?;
                let generic = matches!(self.typed.types.of(to), Ty::Void);
                if address.cast || generic {
                    // Bytes, where the steps stay on one thread; others depend on THREADS.
                    if !generic && self.layout(to) != Layout::Indefinite {
                        return None;
                    }
                    let size = if generic { "1".to_owned() } else { self.elem_size(to) };
                    address.bytes.push_str(&format!(" + {n} * {} * {size}", self.count(to).count));
                    return Some(address);
                }
                match &mut address.member {
                    // The first element of an array that is a member.
                    Some((_, path)) => path.push_str(&format!("[{n}]")),
                    None => address.step(n, self.count(to)),
                }
                Some(address)
            }
            _ if self.is_shared_place(e)
                && matches!(self.typed.types.of(self.typed.ty(e)), Ty::Array(..)) =>
            {
                self.place_address(e)
            }
            _ => None,
        }
    }

    fn place_address(&mut self, place: ExprId) -> Option<Address> {
        match &self.unit.exprs[place].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.place_address(*a),
            ExprKind::Ident(_) => self.is_shared_place(place).then_some(Address {
                root: place,
                n: 0,
                each: 0,
                member: None,
                cast: false,
                bytes: String::new(),
            }),
            ExprKind::Unary(UnOp::Deref, p) => self.address(*p),
            ExprKind::Index(a, b) => {
                let (array, index) = self.subscripted(*a, *b);
                let n = self.typed.constant(index)?;
                let mut address = self.place_address(array)?;
                let to = self.typed.ty(place);
                if address.cast {
                    return None;
                }
                match &mut address.member {
                    Some((_, path)) => path.push_str(&format!("[{n}]")),
                    None => address.step(n, self.count(to)),
                }
                Some(address)
            }
            ExprKind::Member { base, arrow: false, name } => {
                let owner = self.typed.ty(*base);
                let mut address = self.place_address(*base)?;
                let owner = self.type_text(owner);
                if address.cast {
                    address.bytes.push_str(&format!(" + __builtin_offsetof({owner}, {})", name.text));
                    return Some(address);
                }
                let (_, path) = address.member.get_or_insert((owner, String::new()));
                path.push_str(&format!("{}{}", if path.is_empty() { "" } else { "." }, name.text));
                Some(address)
            }
            _ => None,
        }
    }

    /// Of an object with a length that has THREADS as a factor, whose image has `longest` in its place: the
    /// elements of a row, which is what this length counts, in the image, and in the object for each thread.
    fn rows_of_threads(&self, q: QTy, longest: u64) -> (u64, u64) {
        let mut rows = q;
        while let Ty::Array(inner, length) = *self.typed.types.of(rows) {
            if matches!(length, Len::Threads(_)) {
                return (self.count(inner).count.saturating_mul(longest), self.count(rows).count);
            }
            rows = inner;
        }
        (0, 0)
    }

    /// The lengths of an image up to the one that has THREADS as a factor, and the type of what is in them.
    /// Of an object that is too large for the image of the program, no more than what has values.
    fn image_lengths(&self, q: QTy, longest: u64, big: bool) -> (QTy, String) {
        let (mut lengths, mut rest, mut at) = (String::new(), q, q);
        while let Ty::Array(inner, length) = *self.typed.types.of(at) {
            lengths += &match length {
                Len::Threads(_) => format!("[{longest}]"),
                _ if big && lengths.is_empty() => "[]".to_owned(),
                _ => format!("[{}]", self.bound_text(length)),
            };
            at = inner;
            if matches!(length, Len::Threads(_)) {
                return (at, lengths);
            }
            if big && rest == q {
                rest = inner;
            }
        }
        (rest, if rest == q { String::new() } else { "[]".to_owned() })
    }

    /// The image of an initialised static shared object and the record that deals it out.
    pub(crate) fn shared_image(&mut self, name: &str, q: QTy, elem: QTy, init: InitId, big: bool) -> Piece {
        let image = self.fresh("image");
        let mut records = Vec::new();
        let mut changes = Changes::new();
        self.static_leaves(&image, init, &mut changes, &mut records);
        let longest = self.typed.longest_row(init).unwrap_or(1);
        let (inner, length) = self.image_lengths(q, longest, big);
        let of = inner.ty;
        let declared = self.declare_text(QTy { ty: of, quals: elem.quals }, format!("{image}{length}"));
        let text = splice(self.unit.inits[init].span, changes);
        let (size, block) = (self.type_text(elem), self.layout(q).size());
        let record = self.fresh("init");
        let base = if big { "mer_big_" } else { "" };
        let cast = if elem.quals.is_volatile { "(const void *)" } else { "" };
        let mut out = vec![seq![format!("static {declared} = "), text, "; "]];
        out.extend(records);
        let (length, size) = (format!("sizeof({image}) / sizeof({size})"), format!("sizeof({size})"));
        let (of, from) = (format!("{cast}&{base}{name}"), format!("{cast}&{image}"));
        let (row, each) = self.rows_of_threads(q, longest);
        let numbers = [block.to_string(), row.to_string(), each.to_string()];
        let record_of = [of, from, length, size].into_iter().chain(numbers).chain([format!("\"{name}\"")]);
        out.push(start_record("mer_init_data", &record, record_of));
        Piece::Seq(out)
    }
}
