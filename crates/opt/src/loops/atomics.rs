//! Relaxed atomic operations become expressions of values.
//!
//! ```c
//! upc_atomic_relaxed(domain, &at, UPC_ADD, &fill[c], &n, NULL);    // as the program has it
//! at = upc_atomic_relaxed(domain, UPC_ADD, &fill[c], n);           // by value
//! ```
//!
//! The library's function takes the addresses of a variable for the old value and of its operands. These
//! addresses hide from every analysis that the call sets the variable, and to which value. By value, the call
//! is an access to its target and nothing else ([`crate::facts::atomics`]), and analyses follow the variables
//! as any other.
//!
//! *Why it is allowed.* The function stores the old value in the variable, reads the operands, and keeps no
//! address (UPC 7.6.4.3). Its domain says the type of all of them, so that nothing is converted. It evaluates
//! its arguments in no order (C 6.5.2.2p10), and so does the assignment.
//!
//! *Limits.* Calls that are statements, with a constant operation; the old value goes to a variable of the
//! function's own; operands are private objects of the target's type. Types of 4 and 8 bytes: pointers are
//! left alone. All other calls stay as they are, and may do anything.

use crate::facts::atomics;
use crate::ir::tree::Tree;
use crate::ir::walk::each_statement;
use c_sema::typed::{SymId, SymKind};
use c_sema::types::{QTy, Ty};
use c_syntax::ast::*;
use c_syntax::visit::{Visitor, walk_expr};
use std::collections::HashSet;

/// The operations as `<upc_atomic.h>` and `<upc_types.h>` number them, one bit each, by their number of
/// operands.
const NO_OPERAND: u128 = GET | 1 << 20 | 1 << 21;
const TWO_OPERANDS: u128 = 1 << 18;
const GET: u128 = 1 << 16;
const ALL: u128 = NO_OPERAND | TWO_OPERANDS | 0x1f | 1 << 7 | 1 << 8 | 1 << 17 | 1 << 19;

/// A call that is rewritten.
struct Rewritten {
    stmt: StmtId,
    call: ExprId,
    /// The variable for the old value.
    fetch: Option<SymId>,
    /// The target, if the call names it by `&`; else its argument is a pointer to the target.
    place: Option<ExprId>,
    /// The type of the target.
    object: QTy,
    operands: Vec<ExprId>,
}

/// Rewrites the relaxed atomic operations of a program.
pub fn by_value(tree: &mut Tree) {
    let mut found = Vec::new();
    let bodies: Vec<StmtId> = tree.bodies().collect();
    for &body in &bodies {
        each_statement(tree, body, &mut |s| found.extend(rewritten(tree, s)));
    }
    if found.is_empty() {
        return;
    }
    let mut addressed = HashSet::new();
    for of in found {
        addressed.extend(of.fetch);
        addressed.extend(of.operands.iter().filter_map(|&e| tree.typed.symbol(e)));
        rewrite(tree, of);
    }
    let mut named = Addresses { tree, taken: HashSet::new() };
    bodies.into_iter().for_each(|body| named.stmt(body));
    let taken = named.taken;
    addressed.difference(&taken).for_each(|&sym| tree.typed.address_is_not_taken(sym));
    tree.forget_facts();
}

/// The rewriting of a statement, if it is such a call.
fn rewritten(tree: &Tree, stmt: StmtId) -> Option<Rewritten> {
    let (unit, typed) = (&tree.unit, &tree.typed);
    let StmtKind::Expr(Some(e)) = unit.stmts[stmt].kind else { return None };
    let call = unit.bare(e);
    let &[domain, fetch, op, target, first, second] = atomics::arguments(unit, typed, call)?;
    let op = u128::try_from(typed.constant(op)?).ok().filter(|op| op.is_power_of_two() && op & ALL != 0)?;
    let place = addressed(unit, target);
    let object = place.map(|place| typed.ty(place)).or_else(|| typed.types.pointee(typed.ty(target)))?;
    let ty = typed.types.unqualified(object);
    let number = matches!(typed.types.of(ty), Ty::Int(_) | Ty::Float(_));
    let sized = matches!(typed.types.size_of(ty), Some(4 | 8));
    let leads_to_domain = typed.types.pointee(typed.ty(domain)).is_some_and(|to| typed.types.is_shared(to));
    if !number || !sized || !typed.types.is_shared(object) || !leads_to_domain {
        return None;
    }
    let alike = |e: ExprId| {
        let q = typed.ty(e);
        let quals = typed.types.object_quals(q);
        let plain = quals.shared.is_none() && !quals.is_volatile && !quals.is_atomic;
        plain && typed.types.strip(q).ty == typed.types.strip(ty).ty
    };
    let fetch = match is_null(tree, fetch) {
        true => None,
        false => Some(variable(tree, addressed(unit, fetch).filter(|&e| alike(e))?)?),
    };
    let wanted = match op {
        _ if op & TWO_OPERANDS != 0 => 2,
        _ if op & NO_OPERAND != 0 => 0,
        _ => 1,
    };
    let mut operands = Vec::new();
    for (n, operand) in [first, second].into_iter().enumerate() {
        match (n < wanted, is_null(tree, operand)) {
            (true, false) => operands.push(addressed(unit, operand).filter(|&e| alike(e))?),
            (false, true) => {}
            _ => return None,
        }
    }
    let useful = fetch.is_some() || op & GET == 0;
    useful.then_some(Rewritten { stmt, call, fetch, place, object, operands })
}

fn rewrite(tree: &mut Tree, of: Rewritten) {
    let Rewritten { stmt, call, fetch, place, object, operands } = of;
    let ExprKind::Call(f, ref args) = tree.unit.exprs[call].kind else { return };
    let (domain, op, pointer, void) = (args[0], args[2], args[3], tree.typed.ty(call));
    let (pointed, value) = (tree.typed.ty(pointer), tree.typed.types.unqualified(object));
    let place =
        place.unwrap_or_else(|| tree.add_like(pointer, ExprKind::Unary(UnOp::Deref, pointer), object));
    let target = tree.add_like(pointer, ExprKind::Unary(UnOp::Addr, place), pointed);
    let args = [&[domain, op, target][..], &operands].concat();
    let gives = if fetch.is_some() { value } else { void };
    let mut whole = tree.add_like(call, ExprKind::Call(f, args), gives);
    if let Some(sym) = fetch {
        let Expr { span, at, .. } = tree.unit.exprs[call];
        let name = tree.add_name(sym, span, at);
        whole = tree.add_like(call, ExprKind::Assign(None, name, whole), value);
    }
    tree.unit.stmts[stmt].kind = StmtKind::Expr(Some(whole));
}

/// The object whose address an argument is: `&object`, maybe as a pointer of another type.
fn addressed(unit: &Unit, e: ExprId) -> Option<ExprId> {
    match unit.exprs[unit.bare(e)].kind {
        ExprKind::Unary(UnOp::Addr, place) => Some(unit.bare(place)),
        ExprKind::Cast(_, e) => addressed(unit, e),
        _ => None,
    }
}

/// The automatic variable or parameter that an object is.
fn variable(tree: &Tree, e: ExprId) -> Option<SymId> {
    let named = matches!(tree.unit.exprs[e].kind, ExprKind::Ident(_));
    let sym = tree.typed.symbol(e).filter(|_| named)?;
    matches!(tree.typed.sym(sym).kind, SymKind::Auto | SymKind::Param).then_some(sym)
}

fn is_null(tree: &Tree, e: ExprId) -> bool {
    match tree.unit.exprs[tree.unit.bare(e)].kind {
        ExprKind::Cast(_, e) => is_null(tree, e),
        _ => tree.typed.constant(e) == Some(0),
    }
}

/// The variables whose addresses a program takes, also in expressions that are not evaluated.
struct Addresses<'a> {
    tree: &'a Tree,
    taken: HashSet<SymId>,
}

impl<'a> Visitor<'a> for Addresses<'a> {
    fn unit(&self) -> &'a Unit {
        &self.tree.unit
    }

    fn expr(&mut self, e: ExprId) {
        if let ExprKind::Unary(UnOp::Addr, place) = self.tree.unit.exprs[e].kind {
            self.taken.extend(self.named(place));
        }
        walk_expr(self, e);
    }
}

impl Addresses<'_> {
    /// The variable that an object is, or is a part of.
    fn named(&self, place: ExprId) -> Option<SymId> {
        let e = self.tree.unit.bare(place);
        match self.tree.unit.exprs[e].kind {
            ExprKind::Ident(_) => self.tree.typed.symbol(e),
            ExprKind::Member { base, arrow: false, .. } => self.named(base),
            ExprKind::Index(a, _) => self.named(a),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, NO_OPERAND, TWO_OPERANDS};

    #[test]
    fn operations_have_the_numbers_of_the_headers() {
        let headers = [
            include_str!("../../../../runtime/include/upc/upc_types.h"),
            include_str!("../../../../runtime/include/upc/upc_atomic.h"),
        ];
        let bit = |name: &str| {
            let define = format!("#define UPC_{name} (1UL << ");
            let rest = headers.iter().find_map(|text| text.split_once(&define)).expect(name).1;
            1 << rest.split_once(')').and_then(|(bit, _)| bit.parse::<u32>().ok()).expect(name)
        };
        let set = |names: &[&str]| names.iter().fold(0u128, |set, name| set | bit(name));
        let one = set(&["ADD", "MULT", "AND", "OR", "XOR", "MIN", "MAX", "SET", "SUB"]);
        assert_eq!(NO_OPERAND, set(&["GET", "INC", "DEC"]));
        assert_eq!(TWO_OPERANDS, set(&["CSWAP"]));
        assert_eq!(ALL, NO_OPERAND | TWO_OPERANDS | one);
    }
}
