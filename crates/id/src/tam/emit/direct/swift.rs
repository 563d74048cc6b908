//! Loops over ranges whose elements are all there.
//!
//! A loop that counts by one and only computes, reads and stores elements looks before it begins: where the
//! index stands for an element in a fixed way, the first and the last of a stretch of passes are within the
//! bounds, and so are those between, as the elements lie at equal distances. If all that is read is full, and
//! all that is stored is empty and known to nobody else, it stays so until the passes come to it, since the
//! loop does nothing else; an element that is both read and stored is not full before. These passes then need
//! no tests. Otherwise, and for what is left, the loop runs as it does anyway.
//!
//! Elements that other processors know are claimed first (runtime/tam/heap.c), if each pass fills its own.
//! Where a pass has to wait, the elements that are left are given back.

use super::{Direct, Level};
use crate::core::binds::each;
use crate::core::language::*;
use crate::core::order::ordered;
use crate::tam::c::{Expr, Name, Stmt, Writer, call, cast};
use crate::tam::emit::words::{subscripts, variable};
use std::collections::HashMap;
use std::rc::Rc;

/// Passes between two looks at the fuel; fewest that are worth a look at the elements.
const STRETCH: usize = 4096;
const FEWEST: usize = 4;

/// An access to an element that needs no tests.
#[derive(Clone, PartialEq)]
struct Sure {
    array: Var,
    index: Vec<Atom>,
    how: How,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum How {
    Read,
    /// In some of the passes.
    Store,
    /// In all passes. There is one store at most.
    StoreAlways,
}

/// A loop that counts by one: `f i last ... = if i <= last then { ...; f (i + 1) last ... } else ...`.
#[derive(Clone)]
pub(super) struct Counted {
    index: Var,
    last: Atom,
    down: bool,
    /// The bindings of a pass in their order, the call of the next last, and the arguments of that.
    pass: Vec<Bind>,
    next: Vec<Atom>,
    results: Vec<Atom>,
    /// The accesses to elements that need no tests.
    sure: Vec<Sure>,
    /// How variables of the pass follow from the index.
    sums: HashMap<Var, (Prim, Atom, Atom)>,
}

impl Direct<'_> {
    /// The loop, if the function is one and reads or stores elements in a fixed way.
    pub(super) fn counting(&self) -> Option<Counted> {
        let [Bind { op: Op::Prim(Prim::LeI, compared), dst, .. }, Bind { op: Op::If { test, then, .. }, .. }] =
            &self.f.body.binds[..]
        else {
            return None;
        };
        let (pass, ready) = ordered(then);
        let (Bind { op: Op::Call { func, args: next, join: false }, .. }, before) = pass.split_last()? else {
            return None;
        };
        if *test != Atom::Var(dst[0]) || *func != self.func || ready != pass.len() {
            return None;
        }
        let (mut sums, mut simple, mut stores) = (HashMap::new(), true, 0);
        let body = Block { binds: before.to_vec(), results: Vec::new() };
        each(&body, &mut |bind| match &bind.op {
            // A function of C may run handlers, which may tell others of an array.
            Op::Prim(Prim::External, _) => simple = false,
            Op::Prim(p, args) => {
                if matches!(p, Prim::AddI | Prim::SubI) {
                    sums.insert(bind.dst[0], (*p, args[0], args[1]));
                }
            }
            Op::Store { mode: Mode::I, .. } => stores += 1,
            Op::Fetch { mode: Mode::I, .. } | Op::If { .. } => {}
            Op::Field { mode: Mode::I, .. } | Op::Bound { .. } => {}
            _ => simple = false,
        });
        let changes = |a: &Atom| match a {
            Atom::Var(v) => self.f.params.iter().position(|p| p == v).map(|p| next[p]).filter(|n| n != a),
            _ => None,
        };
        let (index, last, down) = match (changes(&compared[0]), changes(&compared[1])) {
            (Some(to), None) => (compared[0], compared[1], (false, to)),
            (None, Some(to)) => (compared[1], compared[0], (true, to)),
            _ => return None,
        };
        let (Atom::Var(index), (down, Atom::Var(to))) = (index, down) else { return None };
        let by_one = match sums.get(&to)? {
            (Prim::AddI, a, Atom::Int(1)) => !down && *a == Atom::Var(index),
            (Prim::SubI, a, Atom::Int(1)) => down && *a == Atom::Var(index),
            _ => false,
        };
        if !simple || !by_one || !self.stays(next, &last) {
            return None;
        }
        let (next, results) = (next.clone(), then.results.clone());
        let mut c = Counted { index, last, down, pass, next, results, sure: Vec::new(), sums };
        let always = body.binds.iter().any(|bind| matches!(bind.op, Op::Store { .. }));
        each(&body, &mut |bind| {
            let (array, at, how) = match &bind.op {
                Op::Fetch { array: Atom::Var(array), index, .. } => (*array, index, How::Read),
                Op::Store { array: Atom::Var(array), index, .. } if always => {
                    (*array, index, How::StoreAlways)
                }
                Op::Store { array: Atom::Var(array), index, .. } => (*array, index, How::Store),
                _ => return,
            };
            let fixed = at.iter().all(|a| self.at_end(&c, *a, &0.into()).is_some());
            // Of two stores the second may be into the same element, an error that its test must find.
            let alone = how == How::Read || (stores == 1 && !at.iter().all(|a| self.stays(&c.next, a)));
            let access = Sure { array, index: at.clone(), how };
            if self.views.contains_key(&array) && fixed && alone && !c.sure.contains(&access) {
                c.sure.push(access);
            }
        });
        // A claim is the last test: if another fails, nothing has to be given back.
        c.sure.sort_by_key(|sure| sure.how);
        (!c.sure.is_empty()).then_some(c)
    }

    /// Whether an operand is the same in all turns.
    fn stays(&self, next: &[Atom], atom: &Atom) -> bool {
        match atom {
            Atom::Var(v) => self.f.params.iter().position(|p| p == v).is_some_and(|p| next[p] == *atom),
            _ => true,
        }
    }

    /// An index in the pass where the loop's index is `end`; none if it does not follow from it.
    fn at_end(&self, c: &Counted, atom: Atom, end: &Expr) -> Option<Expr> {
        let base = |a: Atom| match a {
            Atom::Var(v) if v == c.index => Some((end.clone(), true)),
            a if self.stays(&c.next, &a) && !matches!(a, Atom::Float(_)) => Some((self.word(a), false)),
            _ => None,
        };
        if let Some((index, _)) = base(atom) {
            return Some(index);
        }
        let Atom::Var(v) = atom else { return None };
        let &(prim, a, b) = c.sums.get(&v)?;
        let ((x, moves), (y, also)) = (base(a)?, base(b)?);
        (!(moves && also)).then(|| if prim == Prim::AddI { x + y } else { x - y })
    }

    /// The bindings of a pass, without the call of the next.
    fn pass(&mut self, c: &Counted) {
        let (binds, results) = (Rc::new(c.pass.clone()), c.results.clone());
        self.levels.push(Level { binds: binds.clone(), at: 0, results, dst: None });
        self.clean = true;
        for (n, bind) in binds[..binds.len() - 1].iter().enumerate() {
            self.level().at = n + 1;
            self.escapes(bind);
            self.bind(bind);
            self.note(bind);
        }
        self.levels.pop();
    }

    /// The subscripts of an access in the pass where the loop's index is `end`.
    fn subscripts(&self, c: &Counted, sure: &Sure, end: &Expr) -> [Expr; 3] {
        let one = |a: &Atom| self.at_end(c, *a, end).expect("an index that follows from the loop's");
        subscripts(&sure.index.iter().map(one).collect::<Vec<_>>())
    }

    /// The look at the elements of an access, from the pass that comes to the last of a stretch.
    fn test(&self, c: &Counted, sure: &Sure, end: &Expr) -> Expr {
        let (array, view, dims) = (variable(sure.array), view(sure.array), sure.index.len());
        let first = self.subscripts(c, sure, &variable(c.index));
        let last = self.subscripts(c, sure, end);
        match sure.how {
            How::Read => call!("tam_range_full", view, dims, first, last, "more"),
            How::Store => call!("tam_range_empty", array, view, dims, first, last, "more"),
            How::StoreAlways => {
                let (more, claimed) = (Expr::from("more").address(), Expr::from("claimed").address());
                call!("tam_range_claim", array, view, dims, first, last, more, claimed)
            }
        }
    }

    /// What gives back the elements of the passes that are left.
    fn give_back(&self, c: &Counted, sure: &Sure) -> Expr {
        let (dims, i, end) = (sure.index.len(), variable(c.index), Expr::from("end"));
        let (first, behind) = (self.subscripts(c, sure, &i), self.subscripts(c, sure, &end));
        let left = if c.down { i - end } else { end - i };
        call!("tam_range_back", view(sure.array), dims, first, behind, left)
    }

    /// The passes that need no tests, before the loop's own statements.
    pub(super) fn swift(&mut self, c: &Counted) {
        let (i, last) = (variable(c.index), self.word(c.last));
        let (low, high) = if c.down { (last, i.clone()) } else { (i.clone(), last) };
        let more = || Expr::from("more");
        let end = if c.down { i.clone() - "more" } else { i.clone() + "more" };
        self.add(Stmt::Label("swift".into()));
        self.braces(|d| {
            let any = cast("int64_t", &low).at_most(cast("int64_t", &high));
            d.add(Stmt::declare("uint64_t", "more", any.choose(high - low, 0)));
            d.add(Stmt::set("more", more().less(STRETCH).choose("more", STRETCH)));
            let tests: Vec<Expr> = c.sure.iter().map(|sure| d.test(c, sure, &end)).collect();
            if c.sure.iter().any(|sure| sure.how == How::StoreAlways) {
                d.add(Stmt::declare("int", "claimed", 0));
            }
            d.when(tests.into_iter().fold(more().at_least(FEWEST), Expr::and), |d| {
                d.add(Stmt::declare("const tam_word", "end", end));
                d.stretch(c);
                d.moves(&c.next);
                d.when(call!("tam_stretch_waits", "more"), |d| d.seldom(None, Self::begin_again));
                d.add(Stmt::Goto("swift".into()));
            });
        });
    }

    /// The passes up to the index `end`.
    fn stretch(&mut self, c: &Counted) {
        let passes = self.inside(|d| {
            d.sure = c.sure.iter().map(|s| (s.array, s.index.clone())).collect();
            d.claimed = c.sure.iter().find(|s| s.how == How::StoreAlways).map(|s| d.give_back(c, s));
            d.pass(c);
            d.sure.clear();
            d.claimed = None;
            d.add(Stmt::when(variable(c.index).equals("end"), vec![Stmt::Break]));
            d.moves(&c.next);
        });
        self.add(Stmt::Forever(passes));
    }

    /// An access without tests, if the loop has looked at its elements.
    pub(super) fn sure_element(&self, array: Atom, index: &[Atom], words: &[Expr]) -> Option<Expr> {
        let Atom::Var(v) = array else { return None };
        let found = self.sure.iter().any(|s| s.0 == v && s.1 == index);
        found.then(|| call!("tam_view_at", view(v), index.len(), subscripts(words)))
    }
}

/// The address of an array's view.
fn view(array: Var) -> Expr {
    Expr::from(Name::Nth("w", array)).address()
}
