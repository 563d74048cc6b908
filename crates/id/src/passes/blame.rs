//! The line of the user's text at which a fault within the library is reported.
//!
//! If only one line of the user's leads to a function of the library, directly or by way of other functions
//! of the library, the bindings of the function get the position of this line. Bindings that become part of a
//! function of the user's get the position of the call (inline.rs). All others keep a line of the library,
//! which is reported with the function's name.

use crate::core::binds::{each, each_mut};
use crate::core::calls::smallest;
use crate::core::language::*;
use base::Span;
use std::collections::BTreeSet;

/// Gives the bindings of a library function the position of the one line of the user's that leads to it.
/// `user_from`: where the library's text ends.
pub fn move_positions(program: &mut Program, user_from: u32) {
    program.user_from = user_from;
    let in_library: Vec<bool> = program.funcs.iter().map(|f| f.span.lo < user_from).collect();
    // By function: the positions in the user's text from which calls come to it.
    let mut direct: Vec<BTreeSet<Place>> = vec![BTreeSet::new(); in_library.len()];
    let mut callers: Vec<BTreeSet<FuncId>> = vec![BTreeSet::new(); in_library.len()];
    for (n, f) in program.funcs.iter().enumerate() {
        each(&f.body, &mut |bind| {
            if let Op::Call { func, .. } | Op::Closure { func, .. } = &bind.op {
                if bind.span.lo >= user_from {
                    direct[*func].insert(Place(bind.span.lo, bind.span.hi));
                } else if in_library[n] {
                    callers[*func].insert(n);
                }
            }
        });
    }
    let found = smallest(program, |n, found: &[BTreeSet<Place>]| {
        let by_others = callers[n].iter().flat_map(|c| found[*c].iter());
        direct[n].iter().chain(by_others).copied().collect()
    });
    for (n, f) in program.funcs.iter_mut().enumerate().filter(|f| in_library[f.0]) {
        if let (1, Some(place)) = (found[n].len(), found[n].first()) {
            moved(&mut f.body, Span::new(place.0, place.1), user_from);
        }
    }
}

/// Gives the bindings of the library in a block the position `to`, if it is in the user's text.
pub fn moved(block: &mut Block, to: Span, user_from: u32) {
    each_mut(block, &mut |bind| {
        if bind.span.lo < user_from && to.lo >= user_from {
            bind.span = to;
        }
    });
}

/// A position, with an order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place(u32, u32);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{named, program};

    /// Whether all bindings of the library's function `nth` have positions in the user's text.
    fn is_blamed(text: &str) -> bool {
        let p = program(text);
        let mut all = true;
        for f in named(&p, "nth") {
            each(&f.body, &mut |bind| all &= bind.span.lo >= p.user_from);
        }
        assert!(named(&p, "nth").count() > 0, "the program calls it");
        all
    }

    #[test]
    fn a_fault_is_at_the_one_line_that_leads_to_it() {
        assert!(is_blamed("nth 1 (1:2:Nil);"));
        assert!(!is_blamed("nth 1 (1:2:Nil);\nnth 0 (1:2:Nil);"));
    }
}
