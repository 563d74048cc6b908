//! The stretches of a loop's passes that need no tests (tam/plan/counted.rs), before the loop's own
//! statements.

use super::Direct;
use super::elements::view;
use crate::tam::c::{Expr, Stmt, Writer, call, cast};
use crate::tam::emit::words::{subscripts, variable};
use crate::tam::plan::{Counted, How, Stretch, Subscript, Sure, Term};

/// The most passes of a stretch, between two tests of the fuel; and the fewest that are worth a test of the
/// elements.
const STRETCH: usize = 4096;
const FEWEST: usize = 4;

impl Direct<'_, '_> {
    /// The subscripts of an access in the pass in which the loop's index is `end`.
    fn subscripts(&self, sure: &Sure, end: &Expr) -> [Expr; 3] {
        let term = |term: Term| match term {
            Term::Index => end.clone(),
            Term::Fixed(atom) => self.word(atom),
        };
        let one = |subscript: &Subscript| match *subscript {
            Subscript::Is(a) => term(a),
            Subscript::Add(a, b) => term(a) + term(b),
            Subscript::Subtract(a, b) => term(a) - term(b),
        };
        subscripts(&sure.subscripts.iter().map(one).collect::<Vec<_>>())
    }

    /// The test of the elements of an access, from the current pass to the last of a stretch.
    fn test(&self, c: &Counted, sure: &Sure, end: &Expr) -> Expr {
        let (array, view, dims) = (variable(sure.array), view(sure.array), sure.index.len());
        let first = self.subscripts(sure, &variable(c.index));
        let last = self.subscripts(sure, end);
        match sure.how {
            How::Read => call!("tam_range_full", view, dims, first, last, "more"),
            How::Store => call!("tam_range_empty", array, view, dims, first, last, "more"),
            How::StoreAlways => {
                let (more, claimed) = (Expr::from("more").address(), Expr::from("claimed").address());
                call!("tam_range_claim", array, view, dims, first, last, more, claimed)
            }
        }
    }

    /// The call that gives back the claimed elements of the remaining passes.
    fn give_back(&self, c: &Counted, sure: &Sure) -> Expr {
        let (dims, i, end) = (sure.index.len(), variable(c.index), Expr::from("end"));
        let (first, behind) = (self.subscripts(sure, &i), self.subscripts(sure, &end));
        let left = if c.down { i - end } else { end - i };
        call!("tam_range_back", view(sure.array), dims, first, behind, left)
    }

    /// Emits the passes without tests, before the loop's own statements.
    pub(super) fn stretches(&mut self, stretch: &Stretch) {
        let c = &stretch.counted;
        let (i, last) = (variable(c.index), self.word(c.last));
        let (low, high) = if c.down { (last, i.clone()) } else { (i.clone(), last) };
        let more = || Expr::from("more");
        let end = if c.down { i.clone() - "more" } else { i.clone() + "more" };
        self.add(Stmt::Label("stretch".into()));
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
                d.stretch(stretch);
                d.moves(&c.next);
                d.when(call!("tam_stretch_waits", "more"), |d| d.out_of_line(None, Self::begin_again));
                d.add(Stmt::Goto("stretch".into()));
            });
        });
    }

    /// Emits the passes up to the index `end`.
    fn stretch(&mut self, stretch: &Stretch) {
        let c = &stretch.counted;
        let passes = self.inside(|d| {
            d.claimed = c.sure.iter().find(|s| s.how == How::StoreAlways).map(|s| d.give_back(c, s));
            d.steps(&stretch.steps);
            d.claimed = None;
            d.add(Stmt::when(variable(c.index).equals("end"), vec![Stmt::Break]));
            d.moves(&c.next);
        });
        self.add(Stmt::Forever(passes));
    }
}
