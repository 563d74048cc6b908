//! Shared objects: their places, and pointers to them.

use crate::Lower;
use crate::program::Program;
use crate::ty::{Count, Layout};
use base::Span;
use c_sema::typed::{SymId, SymKind};
use c_sema::types::{QTy, Ty};
use c_syntax::ast::*;
use emit::{Piece, call, seq};
use opt::tree::Hosts;

/// The place of the shared object that an expression names.
pub(crate) enum Place {
    /// In this thread's part, as this C lvalue.
    Own(Piece),
    /// At `path`, from a pointer to the `whole` at `bits`: nothing, `->member`, `[i].member`. If all memory
    /// is on this host, the bits may be without the thread's number.
    Shared { whole: String, bits: Piece, path: Vec<Piece> },
}

impl Place {
    /// The object of type `whole` at `bits`.
    pub(crate) fn whole(whole: String, bits: Piece) -> Place {
        Place::Shared { whole, bits, path: Vec::new() }
    }

    /// The member of a struct with this name.
    pub(crate) fn member(self, name: &str) -> Place {
        match self {
            Place::Own(object) => Place::Own(seq![object, ".", name.to_owned()]),
            Place::Shared { whole, bits, mut path } => {
                let sign = if path.is_empty() { "->" } else { "." };
                path.push(Piece::text(format!("{sign}{name}")));
                Place::Shared { whole, bits, path }
            }
        }
    }

    /// An element of an array that is a member.
    pub(crate) fn element(self, index: Piece) -> Place {
        match self {
            Place::Own(object) => Place::Own(seq![object, "[", index, "]"]),
            Place::Shared { whole, bits, mut path } => {
                path.push(seq!["[", index.flat().paren(), "]"]);
                Place::Shared { whole, bits, path }
            }
        }
    }
}

/// The storage of a named shared object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Storage {
    /// The variable holds the native address.
    Automatic,
    /// Placed at start: `mer_big` in the ABI.
    Big,
    /// In the image, under its symbol.
    Image,
}

impl Lower<'_> {
    /// A place with the present knowledge of the hosts: the thread's own if all memory is on this host.
    pub(crate) fn known(&self, place: Place) -> Place {
        match place {
            Place::Shared { .. } if self.hosts == Hosts::One => Place::Own(lvalue_of(place)),
            place => place,
        }
    }

    /// An element of a row that lies on one thread: the row's address by shared arithmetic, the element by
    /// C's. So the C compiler moves the row's address out of a loop over the elements.
    pub(crate) fn place_in_row(&mut self, e: ExprId) -> Option<Place> {
        let ExprKind::Index(a, b) = self.program.unit.exprs[e].kind else { return None };
        let (base, index) = self.program.subscripted(a, b);
        let q = self.program.typed.ty(e);
        if self.program.count(q) != Count::ONE {
            return None;
        }
        if let Some((root, indices)) = self.program.static_element(e) {
            let Layout::Blocked(block) = self.program.layout(self.program.typed.ty(root)) else {
                return None;
            };
            let whole = |step: &Count| step.constant().is_some_and(|n| n > 0 && block.is_multiple_of(n));
            let rows = indices.iter().position(|(_, step)| whole(step))? + 1;
            // A row with constant subscripts may stand for the whole array, walked by its last subscript.
            let named =
                indices[..rows].iter().all(|&(index, _)| self.program.typed.constant(index).is_some());
            if rows == indices.len() || named {
                return None;
            }
            let row = self.element_of_static(root, &indices[..rows], self.hosts == Hosts::One);
            let inside = self.linear(&indices[rows..]);
            return Some(in_row(self.program, q, seq![row, ".bits"], inside));
        }
        let to = self.program.shared_target(base)?;
        if self.program.layout(to) != Layout::Indefinite || self.program.in_struct(base) {
            return None;
        }
        let bits = self.bits_of_value(base);
        let index = self.converted(index).flat();
        Some(in_row(self.program, q, bits, index))
    }

    /// The bits of a pointer to the shared object `e`, or its address if all memory is on this host.
    pub(crate) fn bits_of_object(&mut self, e: ExprId) -> Piece {
        match self.program.static_element(e) {
            Some((root, indices)) if self.hosts == Hosts::One && !indices.is_empty() => {
                seq![self.element_of_static(root, &indices, true), ".bits"]
            }
            _ => self.bits_of_place(e),
        }
    }

    /// The bits of a pointer to the shared object `e`.
    pub(crate) fn bits_of_place(&mut self, e: ExprId) -> Piece {
        seq![self.pointer_to(e), ".bits"]
    }

    /// The bits of the pointer-to-shared that is the value of `e`.
    pub(crate) fn bits_of_value(&mut self, e: ExprId) -> Piece {
        let value = self.value(e);
        match value {
            Piece::Src(_)
                if !matches!(self.program.unit.exprs[e].kind, ExprKind::Ident(_) | ExprKind::Paren(_)) =>
            {
                seq!["(", value.flat(), ").bits"]
            }
            value => seq![value.flat(), ".bits"],
        }
    }

    /// A pointer-to-shared to the shared object `e`, in the representation of its type. For an array, it is
    /// also the pointer to the first element.
    pub(crate) fn pointer_to(&mut self, e: ExprId) -> Piece {
        let unit = self.program.unit;
        match &unit.exprs[e].kind {
            ExprKind::Paren(inner) | ExprKind::Extension(inner) => self.pointer_to(*inner),
            ExprKind::Generic(..) | ExprKind::Choose(..) if self.program.chosen(e).is_some() => {
                let chosen = self.program.chosen(e).expect("just seen");
                self.pointer_to(chosen)
            }
            ExprKind::Ident(_) => {
                let bits = seq!["mer_bits(0, ", self.program.native(e), ")"];
                match self.program.layout(self.program.typed.ty(e)) {
                    Layout::Blocked(_) => seq!["mer_mkp(", bits, ", 0)"],
                    _ => seq!["mer_mk(", bits, ")"],
                }
            }
            ExprKind::Unary(UnOp::Deref, p) => self.value(*p).flat().paren(),
            ExprKind::Index(a, b) => self.pointer_to_element(e, *a, *b),
            ExprKind::Member { .. } => self.pointer_to_member(e),
            // Struct-valued expressions that name a shared object: (c ? s : t), (x, s).
            ExprKind::Binary(BinOp::Comma, a, b) => {
                let first = self.effect(*a);
                seq!["(", first.flat(), ", ", self.pointer_to(*b), ")"]
            }
            ExprKind::Cond(c, Some(a), b) => {
                let c = self.condition(*c);
                let (a, b) = (self.pointer_to(*a), self.pointer_to(*b));
                seq!["(", c.flat(), " ? ", a, " : ", b, ")"]
            }
            _ => self.value(e).flat().paren(),
        }
    }

    fn pointer_to_element(&mut self, e: ExprId, a: ExprId, b: ExprId) -> Piece {
        let (base, index) = self.program.subscripted(a, b);
        if let Some((root, indices)) = self.program.static_element(e) {
            return self.element_of_static(root, &indices, false);
        }
        if self.program.in_struct(base) {
            return self.pointer_to_member(e);
        }
        let to = self.program.shared_target(base).expect("an element of a shared array");
        let pointer = self.value(base).flat();
        self.advance(pointer, to, index, false)
    }

    /// A pointer to an element. `here`: the whole array is on this host, and its address replaces the
    /// pointer's bits.
    fn element_of_static(&mut self, root: ExprId, indices: &[(ExprId, Count)], here: bool) -> Piece {
        let n = self.linear(indices);
        let q = self.program.typed.ty(root);
        let (native, size) = (self.program.native(root), self.program.elem_size(q));
        // `mer_elem_i` assumes that the element is thread 0's, which holds only for the program's own
        // subscripts.
        let early = indices.iter().any(|&(index, _)| self.program.tree.is_early(index));
        match self.program.layout(q) {
            Layout::Indefinite if early => {
                let first = seq!["mer_mk(mer_bits(0, ", native, "))"];
                Piece::call("mer_add_i", [first, n, size.into()])
            }
            Layout::Indefinite => Piece::call("mer_elem_i", [native, n, size.into()]),
            Layout::Cyclic => {
                let element = match (here, self.seldom) {
                    (true, _) => "mer_here_elem_c",
                    (false, true) => "mer_seldom_elem_c",
                    (false, false) => "mer_elem_c",
                };
                Piece::call(element, [native, n, size.into()])
            }
            Layout::Blocked(block) => {
                let element = match (here, self.seldom) {
                    (true, _) => "mer_here_elem_b",
                    (false, true) => "mer_seldom_elem_b",
                    (false, false) => "mer_elem_b",
                };
                Piece::call(element, [native, n, size.into(), block.to_string().into()])
            }
        }
    }

    /// An element of the row with the thread's number, as a C lvalue.
    pub(crate) fn own_element(&mut self, e: ExprId) -> Option<Piece> {
        let (root, indices) = self.program.static_element(e)?;
        let (_, inside) = indices.split_first()?;
        let ty = self.program.object_type(self.program.typed.ty(e));
        let named =
            self.program.typed.symbol(root).and_then(|sym| Some((self.program.where_named(sym)?, sym)));
        let row = match named {
            Some((how, sym)) => call!["MER_OWN_NAMED"; ty, how, self.program.typed.sym(sym).name.to_string()],
            None => call!["MER_OWN"; ty, self.program.native(root)],
        };
        if inside.is_empty() {
            return Some(row);
        }
        Some(seq!["(&", row, ")[", self.linear(inside), "]"])
    }

    /// The number of the element that subscripts name; each steps over its number of elements.
    fn linear(&mut self, indices: &[(ExprId, Count)]) -> Piece {
        let mut linear = Vec::new();
        for &(index, step) in indices {
            if !linear.is_empty() {
                linear.push(Piece::text(" + "));
            }
            // Unsigned arithmetic: a product that is too large is defined.
            linear.push(Piece::text(if self.program.tree.is_early(index) {
                "(mer_u64)(mer_i64)"
            } else {
                "(mer_i64)"
            }));
            linear.push(self.converted(index).flat().paren());
            if step != Count::ONE {
                linear.push(Piece::text(format!(" * {}", self.program.count_text(step))));
            }
        }
        Piece::Seq(linear)
    }

    /// `s.a.b[i]`, `p->a.b`: the outermost struct's bits and an offset.
    fn pointer_to_member(&mut self, e: ExprId) -> Piece {
        let mut path = Vec::new();
        let (bits, owner) = self.member_path(e, &mut path);
        path.reverse();
        seq![
            "mer_mk(",
            bits,
            " + __builtin_offsetof(",
            self.program.type_text(owner),
            ", ",
            Piece::Seq(path),
            "))"
        ]
    }

    /// Collects the path from the outermost struct down to `e`, innermost first.
    fn member_path(&mut self, e: ExprId, path: &mut Vec<Piece>) -> (Piece, QTy) {
        let unit = self.program.unit;
        match &unit.exprs[e].kind {
            ExprKind::Paren(inner) | ExprKind::Extension(inner) => self.member_path(*inner, path),
            ExprKind::Index(a, b) => {
                let (base, index) = self.program.subscripted(*a, *b);
                let index = self.converted(index).flat();
                path.push(seq!["[", index, "]"]);
                self.member_path(base, path)
            }
            ExprKind::Member { base, arrow, name } => {
                let nested = !arrow && self.program.is_member(*base);
                path.push(Piece::text(format!("{}{}", if nested { "." } else { "" }, name.text)));
                if nested {
                    return self.member_path(*base, path);
                }
                if *arrow {
                    let to = self.program.shared_target(*base).expect("a pointer to a shared struct");
                    (self.bits_of_value(*base), to)
                } else {
                    (self.bits_of_place(*base), self.program.typed.ty(*base))
                }
            }
            _ => unreachable!("only members and elements of members have a path"),
        }
    }
}

impl Program<'_> {
    /// Whether `e` is a shared object (an lvalue).
    pub(crate) fn is_shared_place(&self, e: ExprId) -> bool {
        self.typed.types.is_shared(self.typed.ty(e))
    }

    /// The target of a pointer value, or of an array that becomes a pointer.
    pub(crate) fn points_to(&self, e: ExprId) -> Option<QTy> {
        opt::places::points_to(self.tree, e)
    }

    /// The target of `e`, if `e` is a pointer-to-shared or a shared array.
    pub(crate) fn shared_target(&self, e: ExprId) -> Option<QTy> {
        self.points_to(e).filter(|&to| self.typed.types.is_shared(to))
    }

    /// Whether `e` is a part of a union.
    pub(crate) fn through_union(&self, e: ExprId) -> bool {
        match self.unit.exprs[e].kind {
            ExprKind::Paren(inner) | ExprKind::Extension(inner) => self.through_union(inner),
            ExprKind::Generic(..) | ExprKind::Choose(..) => {
                self.chosen(e).is_some_and(|chosen| self.through_union(chosen))
            }
            _ => opt::places::is_part_of_union(self.tree, e),
        }
    }

    /// Whether an access to this shared object is strict (6.5.1.1: qualifier, else pragma).
    pub(crate) fn is_strict(&self, e: ExprId) -> bool {
        self.typed.is_strict(self.unit, e)
    }

    /// Whether `e` names an array that is a member of a shared struct, or a row of one.
    pub(crate) fn in_struct(&self, e: ExprId) -> bool {
        match &self.unit.exprs[e].kind {
            ExprKind::Paren(inner) | ExprKind::Extension(inner) => self.in_struct(*inner),
            ExprKind::Member { .. } => {
                self.is_shared_place(e) && matches!(self.typed.types.of(self.typed.ty(e)), Ty::Array(..))
            }
            ExprKind::Index(a, b) => {
                let (base, _) = self.subscripted(*a, *b);
                matches!(self.typed.types.of(self.typed.ty(e)), Ty::Array(..)) && self.in_struct(base)
            }
            _ => false,
        }
    }

    /// The array, pointer or vector of a subscript, and the index.
    pub(crate) fn subscripted(&self, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        opt::places::subscripted(self.tree, a, b)
    }

    /// The native address of a named shared object, as C of type mer_u64.
    pub(crate) fn native(&self, e: ExprId) -> Piece {
        match self.typed.symbol(e) {
            Some(sym) => Piece::text(self.native_of(sym)),
            None => Piece::text(format!("MER_SYM({})", self.text(self.unit.exprs[e].span))),
        }
    }

    /// The native address of a shared object, by its symbol.
    pub(crate) fn native_of(&self, sym: SymId) -> String {
        let symbol = self.typed.sym(sym);
        match self.storage(sym) {
            Storage::Automatic => symbol.name.to_string(),
            Storage::Big => format!("mer_big_{}.native", symbol.name),
            Storage::Image => format!("MER_SYM({})", symbol.name),
        }
    }

    /// A local pointer to the first element of a shared array.
    pub(crate) fn first_of(&self, sym: SymId) -> String {
        match self.storage(sym) {
            Storage::Image => format!("MER_FIRST({})", self.typed.sym(sym).name),
            Storage::Automatic | Storage::Big => format!("mer_at(mer_bits(0, {}))", self.native_of(sym)),
        }
    }

    /// Which images may hold a static shared object in the image's memory, in the terms of `abi.h`; `None`
    /// for other objects.
    pub(crate) fn where_named(&self, sym: SymId) -> Option<&'static str> {
        if self.storage(sym) != Storage::Image {
            return None;
        }
        match self.typed.sym(sym).kind {
            SymKind::Static { external: false, .. } => Some("STATIC"),
            SymKind::Static { defined: true, .. } => Some("DEFINED"),
            _ => Some("NAMED"),
        }
    }

    fn storage(&self, sym: SymId) -> Storage {
        match self.typed.sym(sym).kind {
            SymKind::Auto => Storage::Automatic,
            _ if self.is_big(sym) => Storage::Big,
            _ => Storage::Image,
        }
    }

    /// Whether a static shared object is too large for the image: `mer_big` in the ABI.
    pub(crate) fn is_big(&self, sym: SymId) -> bool {
        const LARGE: u128 = 256 << 20;
        let q = self.typed.sym(sym).ty;
        if self.sized_at_start(q) {
            return true;
        }
        let Some(size) = self.typed.types.size_of(self.typed.types.element(q)) else { return false };
        self.part(q).is_some_and(|n| u128::from(n) * u128::from(size) >= LARGE)
    }

    /// The most elements of a shared object of this type that one thread owns (6.4.1.2); `None` if the length
    /// is not known.
    pub(crate) fn part(&self, q: QTy) -> Option<u64> {
        if !matches!(self.typed.types.of(q), Ty::Array(..)) {
            return Some(1);
        }
        let Count { count, threads, lengths } = self.count(q);
        if count == 0 || lengths[0].is_some() {
            return None;
        }
        match self.layout(q).size() {
            0 => Some(count),
            block => {
                // ceil(ceil(N / B) / THREADS) rows of blocks; with N = K * THREADS that is ceil(K / B).
                let per = if threads { 1 } else { self.typed.static_threads.map_or(1, u64::from) };
                Some(count.div_ceil(block).div_ceil(per).saturating_mul(block))
            }
        }
    }

    /// For an `e` that is `name[i][j]…` with a static shared array: the array, and each subscript with the
    /// number of ultimate elements that it steps over.
    fn static_element(&self, e: ExprId) -> Option<(ExprId, Vec<(ExprId, Count)>)> {
        match self.unit.exprs[e].kind {
            ExprKind::Paren(inner) | ExprKind::Extension(inner) => self.static_element(inner),
            ExprKind::Ident(_) => {
                let array = matches!(self.typed.types.of(self.typed.ty(e)), Ty::Array(..));
                (array && self.is_shared_place(e)).then(|| (e, Vec::new()))
            }
            // A row of an array, not the target of an element that is a pointer.
            ExprKind::Index(a, b) => {
                let (base, index) = self.subscripted(a, b);
                if !matches!(self.typed.types.of(self.typed.ty(base)), Ty::Array(..)) {
                    return None;
                }
                let (root, mut indices) = self.static_element(base)?;
                // Inside a block of a spread array, the elements lie together.
                if self.layout(self.typed.ty(base)) != self.layout(self.typed.ty(root)) {
                    return None;
                }
                // A block counts as one, although it is entered as an array.
                let stepped = self.points_to(base).unwrap_or(self.typed.ty(e));
                indices.push((index, self.count(stepped)));
                Some((root, indices))
            }
            _ => None,
        }
    }

    /// For bits of an element of a static array that unoptimised code reaches by one call (`access.h`): the
    /// last letter of `mer_elem_`, and the arguments in parentheses.
    pub(crate) fn element_called(&self, bits: &Piece) -> Option<(&'static str, Piece)> {
        let Piece::Seq(parts) = bits else { return None };
        let [Piece::Seq(element), Piece::Text(member)] = &parts[..] else { return None };
        let (Piece::Text(name), arguments) = element.split_first()? else { return None };
        let how = match &name[..] {
            "mer_elem_c(" => "c",
            "mer_elem_b(" => "b",
            _ => return None,
        };
        let found = !self.tree.optimised && member == ".bits";
        found.then(|| (how, seq!["(", Piece::Seq(arguments.to_vec())]))
    }

    /// Whether `e` is a member of a shared struct, or an element of an array that is one.
    fn is_member(&self, e: ExprId) -> bool {
        match &self.unit.exprs[e].kind {
            ExprKind::Paren(inner) | ExprKind::Extension(inner) => self.is_member(*inner),
            ExprKind::Member { .. } => self.is_shared_place(e),
            ExprKind::Index(a, b) => self.in_struct(self.subscripted(*a, *b).0),
            _ => false,
        }
    }

    /// The span of an expression.
    pub(crate) fn span(&self, e: ExprId) -> Span {
        self.unit.exprs[e].span
    }
}

fn in_row(program: &Program, q: QTy, bits: Piece, index: Piece) -> Place {
    let path = vec![seq!["[", index.flat().paren(), "]"]];
    Place::Shared { whole: program.object_type(q), bits, path }
}

/// The path as an argument: for the whole itself, `[0]`.
pub(crate) fn path_text(path: Vec<Piece>) -> Piece {
    if path.is_empty() { Piece::text("[0]") } else { Piece::Seq(path) }
}

/// The object at a place, as a C lvalue, if all memory is on this host.
fn lvalue_of(place: Place) -> Piece {
    let (whole, bits, mut path) = match place {
        Place::Own(object) => return object,
        Place::Shared { whole, bits, path } => (whole, bits, path),
    };
    let object = call!["MER_REF"; whole, bits];
    match path.first_mut() {
        None => object,
        Some(Piece::Text(member)) => {
            *member = member.replacen("->", ".", 1);
            seq![object, Piece::Seq(path)]
        }
        Some(_) => seq!["(&", object, ")", Piece::Seq(path)],
    }
}
