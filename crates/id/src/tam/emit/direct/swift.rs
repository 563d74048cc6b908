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
use std::collections::HashMap;
use std::rc::Rc;

/// Passes between two looks at the fuel; fewest that are worth a look at the elements.
const STRETCH: u64 = 4096;
const FEWEST: u64 = 4;

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
            let fixed = at.iter().all(|a| self.at_end(&c, *a, "").is_some());
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

    /// The text of an index in the pass where the loop's index is `end`; none if it does not follow from it.
    fn at_end(&self, c: &Counted, atom: Atom, end: &str) -> Option<String> {
        let base = |a: Atom| match a {
            Atom::Var(v) if v == c.index => Some((end.to_owned(), true)),
            a if self.stays(&c.next, &a) && !matches!(a, Atom::Float(_)) => Some((self.word(a), false)),
            _ => None,
        };
        if let Some((text, _)) = base(atom) {
            return Some(text);
        }
        let Atom::Var(v) = atom else { return None };
        let &(prim, a, b) = c.sums.get(&v)?;
        let ((x, moves), (y, also)) = (base(a)?, base(b)?);
        let sign = if prim == Prim::AddI { "+" } else { "-" };
        (!(moves && also)).then(|| format!("{x} {sign} {y}"))
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
    fn subscripts(&self, c: &Counted, sure: &Sure, end: &str) -> String {
        let one = |a: &Atom| self.at_end(c, *a, end).unwrap_or_default();
        super::three(&sure.index.iter().map(one).collect::<Vec<_>>())
    }

    /// The look at the elements of an access, from the pass that comes to the last of a stretch.
    fn test(&self, c: &Counted, sure: &Sure, end: &str) -> String {
        let (array, dims) = (sure.array, sure.index.len());
        let first = self.subscripts(c, sure, &self.word(Atom::Var(c.index)));
        let range = format!("&w{array}, {dims}, {first}, {}", self.subscripts(c, sure, end));
        match sure.how {
            How::Read => format!("tam_range_full({range}, more)"),
            How::Store => format!("tam_range_empty(v{array}, {range}, more)"),
            How::StoreAlways => format!("tam_range_claim(v{array}, {range}, &more, &claimed)"),
        }
    }

    /// What gives back the elements of the passes that are left.
    fn give_back(&self, c: &Counted, sure: &Sure) -> String {
        let (array, dims, i) = (sure.array, sure.index.len(), self.word(Atom::Var(c.index)));
        let (first, behind) = (self.subscripts(c, sure, &i), self.subscripts(c, sure, "end"));
        let left = if c.down { format!("{i} - end") } else { format!("end - {i}") };
        format!("tam_range_back(&w{array}, {dims}, {first}, {behind}, {left});")
    }

    /// The passes that need no tests, before the loop's own text.
    pub(super) fn swift(&mut self, c: &Counted) {
        let (i, last) = (self.word(Atom::Var(c.index)), self.word(c.last));
        let (low, high) = if c.down { (&last, &i) } else { (&i, &last) };
        self.line("swift:;");
        self.line("{");
        self.depth += 1;
        self.line(&format!("uint64_t more = (int64_t){low} <= (int64_t){high} ? {high} - {low} : 0;"));
        self.line(&format!("more = more < {STRETCH} ? more : {STRETCH};"));
        let end = if c.down { format!("({i} - more)") } else { format!("({i} + more)") };
        let tests: Vec<String> = c.sure.iter().map(|sure| self.test(c, sure, &end)).collect();
        if c.sure.iter().any(|sure| sure.how == How::StoreAlways) {
            self.line("int claimed = 0;");
        }
        self.line(&format!("if (more >= {FEWEST} && {}) {{", tests.join(" && ")));
        self.depth += 1;
        self.line(&format!("const tam_word end = {end};"));
        self.line("for (;;) {");
        self.depth += 1;
        self.sure = c.sure.iter().map(|s| (s.array, s.index.clone())).collect();
        self.claimed = c.sure.iter().find(|s| s.how == How::StoreAlways).map(|s| self.give_back(c, s));
        self.pass(c);
        self.sure.clear();
        self.claimed = None;
        self.line(&format!("if ({i} == end)"));
        self.line("    break;");
        self.moves(&c.next);
        self.depth -= 1;
        self.line("}");
        self.moves(&c.next);
        self.line("if (tam_stretch_waits(more)) {");
        self.depth += 1;
        self.seldom(None, Self::begin_again);
        self.depth -= 1;
        self.line("}");
        self.line("goto swift;");
        self.depth -= 1;
        self.line("}");
        self.depth -= 1;
        self.line("}");
    }

    /// An access without tests, if the loop has looked at its elements.
    pub(super) fn sure_element(&self, array: Atom, index: &[Atom], words: &[String]) -> Option<String> {
        let Atom::Var(v) = array else { return None };
        let found = self.sure.iter().any(|s| s.0 == v && s.1 == index);
        found.then(|| format!("tam_view_at(&w{v}, {}, {})", index.len(), super::three(words)))
    }
}
