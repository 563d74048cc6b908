//! Initialisers.
//!
//! An automatic object's initialiser keeps its form, with its values converted. A static object's must be
//! constant for C, and a pointer-to-shared is not: it is replaced by zero, and a record tells start-up the
//! value to store (`struct mer_init_ptr`). A shared object's initialiser becomes a private image that
//! start-up deals out (`struct mer_init_data`).

use crate::constant_address::{self, Address};
use crate::edit::Edit;
use crate::program::Program;
use crate::{Changes, Lower, start_record};
use base::Span;
use c_sema::typed::Step;
use c_sema::types::{Len, QTy, Ty};
use c_syntax::ast::*;
use emit::{Piece, seq, splice};
use std::collections::HashMap;

/// A pointer-to-shared of a static object with its target type and its initial value; `None` is null.
struct Leaf {
    e: ExprId,
    to: QTy,
    address: Option<Address>,
}

/// An entry of a list in braces.
type Item = (Vec<Designator>, InitId);

impl Lower<'_> {
    /// The records of an object's pointers-to-shared. If there are two for one place, the later counts.
    fn pointer_records(&mut self, object: &str, leaves: Vec<Leaf>) -> Vec<Piece> {
        let mut last = HashMap::new();
        for (n, leaf) in leaves.iter().enumerate() {
            last.extend(places_in(self.program, leaf.e).into_iter().map(|place| (place, n)));
        }
        let mut records = Vec::new();
        for (n, Leaf { e, to, address }) in leaves.iter().enumerate() {
            let Some(address) = address else { continue };
            for place in places_in(self.program, *e) {
                if last[&place] == n {
                    records.push(self.pointer_record(&format!("{object}{place}"), *to, address));
                }
            }
        }
        records
    }

    fn pointer_record(&mut self, place: &str, to: QTy, address: &Address) -> Piece {
        let q = self.program.typed.ty(address.root);
        let root = match self.program.typed.symbol(address.root) {
            Some(sym) if self.program.is_big(sym) => format!("mer_big_{}", self.program.typed.sym(sym).name),
            _ => self.program.text(self.program.span(address.root)).to_owned(),
        };
        let (size, block) = (self.program.elem_size(q), self.program.layout(q).size());
        let offset = match &address.member {
            Some((owner, path)) => format!("__builtin_offsetof({owner}, {path})"),
            None => "0".to_owned(),
        };
        let offset = match &address.bytes[..] {
            "" => offset,
            bytes => format!("(mer_u64)((mer_i64){offset}{bytes})"),
        };
        let wide = match (self.program.is_wide(to), address.cast || address.member.is_some()) {
            (false, _) => "0",
            (true, false) => "1",
            (true, true) => "2",
        };
        let types = &self.program.typed.types;
        let is_volatile = types.object_quals(types.element(q)).is_volatile;
        let cast = if is_volatile { "(const void *)" } else { "" };
        let record = self.fresh("init");
        let (n, each) = (address.n.to_string(), address.each.to_string());
        let place = format!("(void *)&{place}");
        let numbers = [n, size.to_string(), block.to_string(), offset, wide.to_string(), each];
        start_record("mer_init_ptr", &record, [place, format!("{cast}&{root}")].into_iter().chain(numbers))
    }

    /// The image of an initialised static shared object and the record that deals it out.
    pub(crate) fn shared_image(&mut self, name: &str, q: QTy, elem: QTy, init: InitId, big: bool) -> Piece {
        let image = self.fresh("image");
        let (mut changes, mut leaves) = (Changes::new(), Vec::new());
        self.edit(&mut changes).static_leaves(init, &mut leaves);
        let records = self.pointer_records(&image, leaves);
        let longest = self.program.typed.longest_row(init).unwrap_or(1);
        let (inner, length) = image_lengths(self.program, q, longest, big);
        let of = inner.ty;
        let declared =
            self.program.declare_text(QTy { ty: of, quals: elem.quals }, format!("{image}{length}"));
        let text = splice(self.program.unit.inits[init].span, changes);
        let (size, block) = (self.program.type_text(elem), self.program.layout(q).size());
        let record = self.fresh("init");
        let base = if big { "mer_big_" } else { "" };
        let cast = if elem.quals.is_volatile { "(const void *)" } else { "" };
        let mut out = vec![seq![format!("static {declared} = "), text, "; "]];
        out.extend(records);
        let (length, size) = (format!("sizeof({image}) / sizeof({size})"), format!("sizeof({size})"));
        let (of, from) = (format!("{cast}&{base}{name}"), format!("{cast}&{image}"));
        let (row, each) = rows_of_threads(self.program, q, longest);
        let numbers = [block.to_string(), row.to_string(), each.to_string()];
        let record_of = [of, from, length, size].into_iter().chain(numbers).chain([format!("\"{name}\"")]);
        out.push(start_record("mer_init_data", &record, record_of));
        Piece::Seq(out)
    }
}

impl Edit<'_, '_> {
    /// Changes of an automatic object's initialiser.
    pub(crate) fn init(&mut self, init: InitId) {
        let program = self.lower.program;
        let unit = program.unit;
        match &unit.inits[init].kind {
            InitKind::Expr(e) => self.value(*e),
            InitKind::List(items) => {
                if let Some(inner) = within_braces(program, init) {
                    let mut parts = Changes::new();
                    self.lower.edit(&mut parts).init(inner);
                    self.changes.push((unit.inits[init].span, splice(unit.inits[inner].span, parts)));
                    return;
                }
                for (n, (path, inner)) in items.iter().enumerate() {
                    if program.typed.is_excess(*inner) {
                        leave_out(program, items, n, self.changes);
                        continue;
                    }
                    self.designators(path);
                    self.init(*inner);
                }
            }
        }
    }

    fn designators(&mut self, path: &[Designator]) {
        for step in path {
            match step {
                Designator::Index(e) => self.value(*e),
                Designator::Range(a, b) => {
                    self.value(*a);
                    self.value(*b);
                }
                Designator::Field(_) => {}
            }
        }
    }

    /// Changes of the initialiser of the private static object that `d` declares; `records` follow its
    /// declaration.
    pub(crate) fn static_init(&mut self, d: DeclaratorId, init: InitId, records: &mut Vec<Piece>) {
        let name = self.lower.program.unit.declarators[d]
            .name
            .as_ref()
            .map_or(String::new(), |n| n.text.to_string());
        let mut leaves = Vec::new();
        self.static_leaves(init, &mut leaves);
        records.extend(self.lower.pointer_records(&name, leaves));
    }

    fn static_leaves(&mut self, init: InitId, leaves: &mut Vec<Leaf>) {
        let program = self.lower.program;
        let unit = program.unit;
        match &unit.inits[init].kind {
            InitKind::List(items) => {
                if let Some(inner) = within_braces(program, init) {
                    let mut parts = Changes::new();
                    self.lower.edit(&mut parts).static_leaves(inner, leaves);
                    self.changes.push((unit.inits[init].span, splice(unit.inits[inner].span, parts)));
                    return;
                }
                for (n, (path, inner)) in items.iter().enumerate() {
                    if program.typed.is_excess(*inner) {
                        leave_out(program, items, n, self.changes);
                        continue;
                    }
                    self.designators(path);
                    self.static_leaves(*inner, leaves);
                }
            }
            InitKind::Expr(e) => {
                let to = program.typed.conversion(*e).unwrap_or(program.typed.ty(*e));
                let pts = program.is_pts(to) || program.is_shared_place(*e);
                if !pts {
                    return self.value(*e);
                }
                let address = constant_address::address(program, *e);
                if address.is_none() && !is_null_value(program, *e) {
                    return self.value(*e);
                }
                leaves.push(Leaf { e: *e, to, address });
                self.changes.push((program.span(*e), "{0}".into()));
            }
        }
    }
}

/// Removes an item that initialises nothing. The front end has warned of it; the C compiler, which knows
/// the object under another name, does not see it.
fn leave_out(program: &Program, items: &[Item], n: usize, changes: &mut Changes) {
    let span = |n: usize| program.unit.inits[items[n].1].span;
    let from = n.checked_sub(1).map_or(span(n).lo, |before| span(before).hi);
    changes.push((Span::new(from, span(n).hi), "".into()));
}

/// The content of the braces if a list is one pointer-to-shared in braces. In C such a pointer is a
/// struct, and braces around it would enclose its members.
pub(crate) fn within_braces(program: &Program, init: InitId) -> Option<InitId> {
    let unit = program.unit;
    let e = unit.only_expression(init)?;
    let (mut at, mut within, mut pairs) = (init, None, 0);
    while let InitKind::List(items) = &unit.inits[at].kind {
        at = items[0].1;
        within = within.or(Some(at));
        pairs += 1;
    }
    within.filter(|_| pairs <= program.typed.braces(e))
}

pub(crate) fn is_null_value(program: &Program, e: ExprId) -> bool {
    match program.unit.exprs[e].kind {
        ExprKind::Paren(a) | ExprKind::Extension(a) | ExprKind::Cast(_, a) => is_null_value(program, a),
        _ => match constant_address::branch(program, e) {
            Some(branch) => is_null_value(program, branch),
            None => program.typed.constant(e) == Some(0),
        },
    }
}

/// The paths from an object to the parts that this value initialises.
fn places_in(program: &Program, e: ExprId) -> Vec<String> {
    let mut places = vec![String::new()];
    for step in program.typed.init_path(e) {
        let steps: Vec<String> = match step {
            Step::Field(name) => vec![format!(".{name}")],
            Step::Index(n) => vec![format!("[{n}]")],
            Step::Range(first, last) => (*first..=*last).map(|n| format!("[{n}]")).collect(),
        };
        places = places.iter().flat_map(|to| steps.iter().map(move |s| format!("{to}{s}"))).collect();
    }
    places
}

/// For an object with a length that has THREADS as a factor, for which the image has `longest`: the
/// number of elements in this dimension, in the image, and in the object for each thread.
fn rows_of_threads(program: &Program, q: QTy, longest: u64) -> (u64, u64) {
    let mut rows = q;
    while let Ty::Array(inner, length) = *program.typed.types.of(rows) {
        if matches!(length, Len::Threads(_)) {
            return (program.count(inner).count.saturating_mul(longest), program.count(rows).count);
        }
        rows = inner;
    }
    (0, 0)
}

/// The lengths of an image up to the one that has THREADS as a factor, and the type of the elements
/// there. For an object that is too large for the image of the program, only as many as have values.
fn image_lengths(program: &Program, q: QTy, longest: u64, big: bool) -> (QTy, String) {
    let (mut lengths, mut rest, mut at) = (String::new(), q, q);
    while let Ty::Array(inner, length) = *program.typed.types.of(at) {
        lengths += &match length {
            Len::Threads(_) => format!("[{longest}]"),
            _ if big && lengths.is_empty() => "[]".to_owned(),
            _ => format!("[{}]", program.bound_text(length)),
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
