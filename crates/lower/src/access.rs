//! Accesses of shared objects: reads, writes and updates, relaxed and strict, through the macros of
//! `access.h`, which test whether the object's memory is on this host. An object that is known to be on this
//! host is a plain C lvalue.

use crate::Lower;
use crate::aliasing;
use crate::bit_field;
use crate::made::{element, name};
use crate::place::{Place, path_text};
use crate::program::Program;
use crate::update::{self, Update};
use c_sema::types::{FloatKind, QTy, Ty};
use c_syntax::ast::*;
use emit::build::{after, assign, declare};
use emit::{Piece, call, seq};
use opt::places::is_through_pointer;
use opt::tree::{Access, Hosts, Relation, Test, Var};

impl Lower<'_> {
    /// The whole, its bits and the path to the shared object `e`, even if it is known to be on this host.
    pub(crate) fn shared_parts(&mut self, e: ExprId) -> (String, Piece, Piece) {
        match self.find_place(e) {
            Place::Shared { whole, bits, path } => (whole, bits, path_text(path)),
            Place::Own(_) => unreachable!("own objects are not prefetched"),
        }
    }

    /// The place of the shared object `e`, which is no bit-field: shared even if it is known to be on this
    /// host.
    pub(crate) fn any_parts(&mut self, e: ExprId) -> Place {
        self.find_place(e)
    }

    /// The place of the shared object `e`, which is no bit-field. If the object is known to be on this host,
    /// it counts as the thread's own.
    pub(crate) fn place(&mut self, e: ExprId) -> Place {
        let place = self.find_place(e);
        self.known(place)
    }

    fn find_place(&mut self, e: ExprId) -> Place {
        match self.find_path(e) {
            Place::Shared { whole, bits, path }
                if !path.is_empty() && aliasing::may_alias(self.program, e) =>
            {
                let part = call!["MER_PART"; whole, bits, path_text(path)];
                Place::whole(
                    aliasing::access_type(
                        self.program,
                        e,
                        self.program.object_type(self.program.typed.ty(e)),
                    ),
                    part,
                )
            }
            place => place,
        }
    }

    fn find_path(&mut self, e: ExprId) -> Place {
        let unit = self.program.unit;
        if let Some(local) = self.local_object(e) {
            return Place::Own(local);
        }
        if let Some(&(Access::Held { otherwise, .. } | Access::Again { otherwise, .. })) =
            self.program.tree.access(e)
        {
            return self.find_path(otherwise);
        }
        match &unit.exprs[e].kind {
            ExprKind::Paren(inner) | ExprKind::Extension(inner) => return self.find_path(*inner),
            ExprKind::Generic(..) | ExprKind::Choose(..) if self.program.chosen(e).is_some() => {
                let chosen = self.program.chosen(e).expect("just seen");
                return self.find_path(chosen);
            }
            ExprKind::Member { base, arrow, name } if *arrow || self.program.is_shared_place(*base) => {
                return self.record(*base, *arrow).member(&name.text);
            }
            // An array inside a shared struct is contiguous.
            ExprKind::Index(a, b) if self.program.in_struct(self.program.subscripted(*a, *b).0) => {
                let (base, index) = self.program.subscripted(*a, *b);
                let index = self.converted(index);
                return self.find_path(base).element(index);
            }
            _ => {}
        }
        if let Some(place) = self.place_in_row(e) {
            return place;
        }
        let bits = self.bits_of_object(e);
        Place::whole(self.program.object_type(self.program.typed.ty(e)), bits)
    }

    /// The struct that `base.` or `base->` names a member of.
    pub(crate) fn record(&mut self, base: ExprId, arrow: bool) -> Place {
        if !arrow {
            return self.find_path(base);
        }
        let to = self.program.shared_target(base).expect("a member of a shared object");
        let bits = self.bits_of_value(base);
        Place::whole(self.program.object_type(to), bits)
    }

    /// The value of a shared object; for a shared array, the pointer to its first element.
    pub(crate) fn load(&mut self, e: ExprId) -> Piece {
        let q = self.program.typed.ty(e);
        if matches!(self.program.typed.types.of(q), Ty::Array(..)) {
            return self.pointer_to(e);
        }
        if is_through_pointer(self.program.tree, e) {
            return self.global_get(e);
        }
        if self.function == 0 {
            return self.read_outside(e);
        }
        let value = self.read(e);
        if self.program.is_strict(e) {
            return call!["MER_STRICT_GET"; self.program.type_text(q), value];
        }
        value
    }

    /// The value of a scalar outside of a function's body: in the length of a parameter.
    fn read_outside(&mut self, e: ExprId) -> Piece {
        let value = self.program.type_text(self.program.typed.ty(e));
        match self.place(e) {
            Place::Own(object) => object,
            Place::Shared { whole, bits, path } => {
                let strict = u8::from(self.program.is_strict(e)).to_string();
                call!["MER_GET_OUTSIDE"; value, whole, bits, path_text(path), strict]
            }
        }
    }

    fn read(&mut self, e: ExprId) -> Piece {
        if let Some(&Access::Value(var)) = self.program.access_of(e) {
            return Piece::text(name(var));
        }
        if let Some(&Access::Held { buffer, at, fetched, otherwise }) = self.program.access_of(e) {
            let slot = format!("({} ? {} : ", name(fetched), element(buffer, at));
            let value = match self.program.access_of(otherwise) {
                // Most iterations that are not prefetched read local objects.
                Some(&Access::Cached(met)) => self.read_cached("MER_CACHE_READ", otherwise, met),
                _ => self.value(otherwise),
            };
            return seq![slot, value.flat(), ")"];
        }
        if let Some(&Access::Again { buffer, at, fetched, otherwise }) = self.program.access_of(e) {
            let (value, slot) = (self.value(otherwise), element(buffer, at));
            let ty = self.program.type_text(self.program.typed.ty(e));
            return call!["MER_PREFETCH_AGAIN"; ty, value, slot, name(fetched)];
        }
        if let Some((place, name, member)) = self.field(e) {
            return bit_field::read_field(self.program, e, place, &name, &member);
        }
        if let Some(&Access::Cached(met)) = self.program.access_of(e) {
            let get = if self.seldom { "MER_CACHE_READ" } else { "MER_CACHE_GET" };
            return self.read_cached(get, e, met);
        }
        let (q, place) = (self.program.typed.ty(e), self.place(e));
        let (whole, bits, path) = match place {
            Place::Own(object) => return object,
            Place::Shared { whole, bits, path } => (whole, bits, path),
        };
        let value = self.program.type_text(q);
        if let Some(&Access::Prefetched { buffer, at, fetched, met }) = self.program.access_of(e) {
            let slot = element(buffer, at);
            let (fetched, met) = (name(fetched), name(met));
            return call!["MER_PREFETCH_GET"; value, whole, bits, path_text(path), slot, fetched, met];
        }
        if let Some(&Access::Staged { buffer, at, fetched, met, notes, leads }) = self.program.access_of(e) {
            let slot = element(buffer, at);
            let (fetched, met, path) = (name(fetched), name(met), path_text(path));
            let Some(notes) = notes else {
                return call!["MER_PREFETCH_TAKE"; value, whole, bits, path, slot, fetched, met];
            };
            let lost = if leads { format!("{fetched} = 0") } else { String::from("(void)0") };
            let notes = name(notes);
            return call!["MER_PREFETCH_FRESH"; value, whole, bits, path, slot, fetched, met, lost, notes];
        }
        if let Some(&Access::Tried { state, stop }) = self.program.access_of(e) {
            let (path, state) = (path_text(path), name(state));
            return match stop {
                Some(stop) => call!["MER_ROUNDS_TRY"; value, whole, bits, path, state, name(stop)],
                None => call!["MER_ROUNDS_GET"; value, whole, bits, path, state],
            };
        }
        if !self.program.typed.types.is_scalar(q) {
            let object = self.program.object_type(q);
            return aliasing::in_order(
                self.program,
                e,
                call!["MER_GET_OBJECT"; object, whole, bits, path_text(path)],
            );
        }
        if let Some((how, element)) = self.program.element_called(&bits) {
            let access = call!["MER_GET_ELEM_AT"; value, whole, path_text(path), how, element];
            return aliasing::in_order(self.program, e, access);
        }
        let access = match path.is_empty() && value == whole {
            _ if self.seldom => match seldom_functions(self.program, q) {
                Some(how) => call!["MER_SELDOM_GET"; how, value, whole, bits, path_text(path)],
                None => call!["MER_CALL_GET_AT"; value, whole, bits, path_text(path)],
            },
            true => call!["MER_GET"; value, bits],
            false => call!["MER_GET_AT"; value, whole, bits, path_text(path)],
        };
        aliasing::in_order(self.program, e, access)
    }

    /// A read from the cache, by the macro `get`.
    fn read_cached(&mut self, get: &'static str, e: ExprId, met: Option<Var>) -> Piece {
        match self.place(e) {
            Place::Own(object) => object,
            Place::Shared { whole, bits, path } => {
                let met = met.map_or_else(|| String::from("(int *)0"), |met| format!("&{}", name(met)));
                let ty = self.program.type_text(self.program.typed.ty(e));
                call![get; ty, whole, bits, path_text(path), met]
            }
        }
    }

    /// `e = value`.
    pub(crate) fn store(&mut self, e: ExprId, value: Piece) -> Piece {
        if !self.program.is_strict(e) {
            return self.write(e, value);
        }
        let q = self.program.typed.ty(e);
        let known = self.program.typed.types.is_scalar(q) && self.field(e).is_none() && !self.seldom;
        if known && let Place::Shared { whole, bits, path } = self.place(e) {
            let ty = self.program.type_text(q);
            return call!["MER_STRICT_PUT_AT"; ty, whole, bits, path_text(path), value];
        }
        let put = self.write(e, Piece::text("mer_s_"));
        call!["MER_STRICT_PUT"; self.program.type_text(q), put, value]
    }

    fn write(&mut self, e: ExprId, value: Piece) -> Piece {
        if let Some((place, name, member)) = self.field(e) {
            return bit_field::write_field(self.program, e, place, &name, &member, value);
        }
        let (q, place) = (self.program.typed.ty(e), self.place(e));
        let (whole, bits, path) = match place {
            Place::Own(object) if self.program.observed => return self.set_observed(object, value),
            Place::Own(object) => return seq!["(", object, " = ", value, ")"],
            Place::Shared { whole, bits, path } => (whole, bits, path),
        };
        if !self.program.typed.types.is_scalar(q) {
            let object = self.program.object_type(q);
            return aliasing::in_order(
                self.program,
                e,
                call!["MER_PUT_OBJECT"; object, whole, bits, path_text(path), value],
            );
        }
        let ty = self.program.type_text(q);
        let access = match path.is_empty() && ty == whole {
            _ if self.seldom => match seldom_functions(self.program, q) {
                Some(how) => call!["MER_SELDOM_PUT"; how, ty, whole, bits, path_text(path), value],
                None => call!["MER_CALL_PUT_AT"; ty, whole, bits, path_text(path), value],
            },
            _ if self.program.tree.is_scattered(e) => {
                call!["MER_SCATTER_PUT_AT"; ty, whole, bits, path_text(path), value]
            }
            true => call!["MER_PUT"; ty, bits, value],
            false => call!["MER_PUT_AT"; ty, whole, bits, path_text(path), value],
        };
        aliasing::in_order(self.program, e, access)
    }

    /// The assignments `a` and `b` to words of the same thread, in no order.
    pub(crate) fn store_two(&mut self, a: ExprId, b: ExprId) -> Piece {
        let mut parts = Vec::new();
        for e in [a, b] {
            let ExprKind::Assign(None, target, value) = self.program.unit.exprs[e].kind else {
                unreachable!("assignments alone are done together")
            };
            let target = self.program.unit.bare(target);
            let value = self.converted(value).flat();
            let ordinary = self.seldom || self.program.through_union(target);
            match self.place(target) {
                Place::Shared { whole, bits, path } if !ordinary => {
                    let ty = self.program.type_text(self.program.typed.ty(target));
                    parts.push(call![""; ty, whole, bits, path_text(path), value]);
                }
                _ => return self.one_by_one(a, b),
            }
        }
        let second = parts.pop().expect("there are two");
        let first = parts.pop().expect("there are two");
        call!["MER_SCATTER_PUT_TWO"; first, second]
    }

    /// The assignments, one after the other.
    fn one_by_one(&mut self, a: ExprId, b: ExprId) -> Piece {
        let [first, second] = [a, b].map(|e| match self.program.unit.exprs[e].kind {
            ExprKind::Assign(_, target, value) => {
                let value = self.converted(value).flat();
                self.store(target, value)
            }
            _ => unreachable!("assignments alone are done together"),
        });
        seq!["((void)", first, ", (void)", second, ")"]
    }

    /// `e op= value`, `e++` and the like.
    pub(crate) fn update(&mut self, e: ExprId, update: Update) -> Piece {
        let change = self.change(e, update);
        if !self.program.is_strict(e) {
            return change;
        }
        call!["MER_STRICT_UPDATE"; self.program.type_text(self.program.typed.ty(e)), change]
    }

    fn change(&mut self, e: ExprId, update: Update) -> Piece {
        if let Some((place, name, member)) = self.field(e) {
            return bit_field::change_field(self.program, e, place, &name, &member, update);
        }
        match self.place(e) {
            Place::Own(object) if self.program.observed => self.change_observed(object, update),
            Place::Own(object) => update::change_own(object, update),
            Place::Shared { whole, bits, path }
                if !self.seldom && matches!(self.program.access_of(e), Some(Access::Accumulated)) =>
            {
                let (sign, operand) = match update {
                    Update::Assign(op, value) => (op, value),
                    Update::Step { op: IncDec::Inc, .. } => ("+".into(), Piece::text("1")),
                    Update::Step { op: IncDec::Dec, .. } => ("-".into(), Piece::text("1")),
                };
                let (ty, name) =
                    (self.program.type_text(self.program.typed.ty(e)), update::accumulation(&sign));
                let how = if self.program.tree.is_scattered(e) {
                    "MER_SCATTER_ACCUMULATE"
                } else {
                    "MER_ACCUMULATE"
                };
                call![how; ty, whole, bits, path_text(path), sign, name, operand]
            }
            Place::Shared { whole, bits, path } => {
                let (post, new) = update::new_value(update);
                self.change_shared(self.program.typed.ty(e), (whole, bits, path), post, new)
            }
        }
    }

    /// The statement that sets the object to the value if the test between them holds. Returns `None` if the
    /// object is known to be local.
    pub(crate) fn extremum(
        &mut self,
        object: ExprId,
        value: ExprId,
        test: Test,
        always: bool,
    ) -> Option<Piece> {
        if self.hosts == Hosts::One {
            return None;
        }
        let Place::Shared { whole, bits, path } = self.place(object) else { return None };
        let name = match test.relation {
            Relation::Less => "MER_TEST_LESS",
            Relation::Greater => "MER_TEST_GREATER",
            Relation::LessEqual => "MER_TEST_LESS_EQUAL",
            Relation::GreaterEqual => "MER_TEST_GREATER_EQUAL",
        };
        let (sign, not) = (test.relation.sign(), if test.negated { "1" } else { "0" });
        let always = if always { "1" } else { "0" };
        let (ty, path) = (self.program.type_text(self.program.typed.ty(object)), path_text(path));
        let value = self.converted(value).flat();
        Some(call!["MER_EXTREMUM"; ty, whole, bits, path, sign, name, not, always, value])
    }

    fn change_shared(
        &self,
        q: QTy,
        (whole, bits, path): (String, Piece, Vec<Piece>),
        post: bool,
        new: Piece,
    ) -> Piece {
        let ty = self.program.type_text(q);
        if self.seldom {
            let result = if post { "mer_old_" } else { "mer_new_" };
            return match seldom_functions(self.program, q) {
                Some(how) => call!["MER_SELDOM_UPDATE"; how, ty, whole, bits, path_text(path), result, new],
                None => call!["MER_CALL_UPDATE"; ty, whole, bits, path_text(path), result, new],
            };
        }
        let name = if post { "MER_UPDATE_POST" } else { "MER_UPDATE" };
        if path.is_empty() && ty == whole {
            return call![name; ty, bits, new];
        }
        call![format!("{name}_AT"); ty, whole, bits, path_text(path), new]
    }

    /// `e = change(e)` for a pointer-to-shared in shared memory.
    pub(crate) fn change_pointer(
        &mut self,
        e: ExprId,
        change: impl FnOnce(&mut Self, Piece) -> Piece,
    ) -> Piece {
        let q = self.program.typed.ty(e);
        let pointer = self.program.type_text(q);
        let update = match self.place(e) {
            Place::Own(object) => {
                let name = self.fresh("p");
                let new = change(self, Piece::text(format!("(*{name})")));
                let at = declare(format!("__typeof__({pointer}) *{name}"), Some(seq!["&", object]));
                after([at], assign(format!("*{name}"), new))
            }
            Place::Shared { whole, bits, path } => {
                let new = change(self, Piece::text("mer_old_"));
                let access = self.change_shared(q, (whole, bits, path), false, new);
                aliasing::in_order(self.program, e, access)
            }
        };
        if self.program.is_strict(e) {
            return call!["MER_STRICT_UPDATE"; pointer, update];
        }
        update
    }

    /// `e`, which changes a part of the shared object `whole`, from its C text `text`, in which that object
    /// is `(*mer_o_)`.
    pub(crate) fn change_whole(&mut self, e: ExprId, whole: Option<ExprId>, text: Piece) -> Piece {
        let Some(object) = whole else { return text };
        let ty = self.program.object_type(self.program.typed.ty(object));
        let change = match self.place(object) {
            Place::Own(own) => after([declare(format!("{ty} *mer_o_"), Some(seq!["&", own]))], text.flat()),
            Place::Shared { whole, bits, path } => {
                let path = path_text(path);
                aliasing::in_order(
                    self.program,
                    object,
                    call!["MER_CHANGE_PART"; ty, whole, bits, path, text.flat()],
                )
            }
        };
        if self.program.is_strict(object) {
            return call!["MER_STRICT_UPDATE"; self.program.type_text(self.program.typed.ty(e)), change];
        }
        change
    }
}

/// The runtime's functions by which out-of-line loops access numbers of a type (access.h).
fn seldom_functions(program: &Program, q: QTy) -> Option<&'static str> {
    let types = &program.typed.types;
    match types.of(q) {
        _ if types.object_quals(q).is_atomic => None,
        Ty::Float(FloatKind::Double) => Some("double"),
        Ty::Float(FloatKind::Float) => Some("float"),
        _ => types.int_kind(q).is_some_and(|kind| kind.size() <= 8).then_some("word"),
    }
}

/// The shared object of which `e` is a part without an address: `e` is `__real__ z`, `__imag__ z` or an
/// element of a vector. Returns `None` for any other expression.
pub(crate) fn whole_of_part(program: &Program, e: ExprId) -> Option<ExprId> {
    let whole = match program.unit.exprs[e].kind {
        ExprKind::Paren(a) | ExprKind::Extension(a) => return whole_of_part(program, a),
        ExprKind::Unary(UnOp::Real | UnOp::Imag, a) => a,
        ExprKind::Index(a, _) if matches!(program.typed.types.of(program.typed.ty(a)), Ty::Vector(..)) => a,
        _ => return None,
    };
    program.is_shared_place(whole).then_some(whole)
}
