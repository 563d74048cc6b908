//! The iterations of a loop that may be read ahead, and the requirements that all ways of reading ahead
//! share.

use crate::facts::body::Body;
use crate::facts::certain::{self, Certain};
use crate::facts::dependences::Dependences;
use crate::facts::heads::Heads;
use crate::facts::shapes::{counts, is_long};
use crate::ir::reason::Reason;
use crate::ir::tree::Tree;
use c_sema::typed::SymId;
use c_syntax::Language;
use c_syntax::ast::*;

/// The iterations of a loop. Nothing in them synchronises, waits, or calls a function that could, and they do
/// not change the loop's variable.
pub(super) struct Iterations<'a> {
    /// The loop's variable.
    pub(super) var: SymId,
    pub(super) body: &'a Body<'a>,
    /// The expressions that each iteration evaluates.
    pub(super) certain: &'a Certain,
    /// The iterations' writes, and the objects these may be to.
    pub(super) dependences: &'a Dependences<'a>,
}

/// Calls `ask` with the iterations of the loop `s` with this variable and body, if they can be read ahead and
/// `head` says that the loop's head can be evaluated before they run. Otherwise returns the reason.
pub(super) fn of_loop<T>(
    tree: &Tree,
    s: StmtId,
    var: SymId,
    stmt: StmtId,
    head: impl Fn(&Heads) -> Result<(), Reason>,
    ask: impl FnOnce(&Iterations) -> Result<T, Reason>,
) -> Result<T, Reason> {
    let body = body_of(tree, stmt)?;
    let dependences = Dependences::of_loop(&body, s)?;
    if !body.leaves(var) || !counts(&tree.typed, var) {
        return Err(Reason::VariableSteppedTwice);
    }
    let certain = certain::of_body(&tree.unit, stmt);
    head(&Heads { body: &body, var, dependences: &dependences })?;
    ask(&Iterations { var, body: &body, certain: &certain, dependences: &dependences })
}

/// Returns the body of a loop if it may be read ahead, else the reason.
fn body_of(tree: &Tree, stmt: StmtId) -> Result<Body<'_>, Reason> {
    if !matches!(tree.typed.types.language, Language::Upc) {
        return Err(Reason::OtherKind);
    }
    if is_long(&tree.unit, stmt) {
        return Err(Reason::BodyLong);
    }
    let body = Body::new(tree, stmt);
    if body.effects.rigid || body.effects.opaque {
        return Err(Reason::BodySynchronises);
    }
    if body.effects.calls {
        return Err(Reason::CallDoesAnything);
    }
    Ok(body)
}
