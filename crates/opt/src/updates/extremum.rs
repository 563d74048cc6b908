//! Extrema by the owner: `if (x < a[b[i]]) a[b[i]] = x;` sends x to the thread that has the element, which
//! compares and writes.
//!
//! *Benefit.* As written, the thread waits for the element's value before it can compare. Done by the owner,
//! the extremum is one message without a reply, as an update `op=` is ([`crate::updates::accumulate`]). So
//! shortest paths, labels of components and bounds over remote arrays need no buffers of the program's.
//!
//! *Conditions.* A statement of one of these forms, where `<` is any of `<`, `>`, `<=`, `>=`, either
//! operand may come first, and either branch of the conditional may be the object:
//!
//! ```c
//! if (x < a) a = x;
//! a = x < a ? x : a;
//! ```
//!
//! The object `a` fulfils the conditions of updates by the owner: relaxed, not volatile, of an integer type,
//! `float` or `double`, no bit-field. The two occurrences of x are the same text without effects, and so are
//! those of a: names, constants, operators, casts, subscripts and members; no calls. The comparison is
//! between values of the object's type: either the usual arithmetic conversions convert x to this type (C17
//! 6.3.1.8), or, if the object is narrower than `int`, x has the same type or is a constant that the type can
//! hold.
//!
//! *Why it is allowed.* Here x and the address of a are evaluated once. The program evaluates them a second
//! time, after the comparison, with no write between: relaxed reads in them may return the same values
//! again. The rest is a relaxed read R of one object, a comparison that only the write depends on, and a
//! relaxed write W that may be left out. [`crate::updates::accumulate`] argues why the owner may do R and W
//! when the message arrives. The owner compares with the program's operator, negated if the program keeps the
//! object when the comparison holds, so that NaN and the zeros have the same results. The second form writes
//! the old value back if x loses. The owner writes nothing then; to other threads this looks as if W followed
//! R at once.
//!
//! *Result.* [`Node::Extremum`]. In the version of a loop for one host, and if the object is known to be
//! local, the statement stays unchanged.

use crate::facts::extrema::{Extremum, of_stmt};
use crate::facts::places::is_bit_field;
use crate::facts::statements::used_values;
use crate::ir::pass_id::PassId;
use crate::ir::remarks::remark_objects;
use crate::ir::tree::{Access, Node, Tree};
use c_syntax::ast::*;
use std::collections::HashSet;

/// The name of the pass.
pub(crate) const ID: PassId = PassId("extremum");

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    if tree.typed.types.language.everything() {
        return; // in these dialects, the thread waits until its update is done
    }
    let values = used_values(&tree.unit);
    let mut found = Vec::new();
    for s in tree.unit.stmts.ids().filter(|s| !values.contains(s)) {
        if let Some(e) = of_stmt(&tree.unit, &tree.typed, s)
            && tree.nodes(s).is_none()
            && !tree.is_left(tree.unit.stmts[s].at)
            && [e.object, e.target].iter().all(|&e| tree.access(e).is_none() && !is_bit_field(tree, e))
        {
            found.push((s, e));
        }
    }
    let objects: HashSet<ExprId> = found.iter().map(|(_, e)| e.object).collect();
    remark_objects(tree, ID, "extrema by the owner", &objects);
    for (s, Extremum { object, value, test, always, .. }) in found {
        let original = tree.copy(s).stmt;
        tree.mark(object, Access::Accumulated);
        tree.replace(s, vec![Node::Extremum { object, value, test, always, original }]);
    }
}
