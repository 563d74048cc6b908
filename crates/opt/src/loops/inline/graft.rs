//! Copies of functions' bodies before the statements that call them.
//!
//! A copy is ordinary syntax with types, and its statements and expressions keep the text of the function.
//! The statements around it, which declare the variables of the parameters and of the value, have no text of
//! their own ([`Tree::is_made`]).

use super::maker::Maker;
use super::{Call, Site, order, returns};
use crate::ir::copy::Anew;
use crate::ir::tree::Tree;
use base::Span;
use c_sema::typed::SymId;
use c_syntax::ast::*;
use std::fmt::Display;

/// Replaces the calls of these statements. `calls` numbers the calls that have been replaced.
pub(super) fn replace(tree: &mut Tree, sites: &[Site], calls: &mut usize) {
    // All copies are made first: the functions that are copied may have sites themselves.
    let mut copies = Vec::new();
    for site in sites {
        for call in &site.calls {
            *calls += 1;
            copies.push(in_front(tree, site.s, call, *calls));
        }
    }
    let mut copies = copies.into_iter();
    for site in sites {
        let mut front = Vec::new();
        for (call, (copy, value)) in site.calls.iter().zip(&mut copies) {
            becomes(tree, call, value);
            front.extend(copy);
        }
        match site.block {
            Some(block) => among(tree, block, site.s, front),
            None => around(tree, site, front),
        }
    }
    order::renumber(&mut tree.unit);
    tree.forget_facts();
}

/// Puts statements before one that declares something.
fn among(tree: &mut Tree, block: StmtId, s: StmtId, front: Vec<StmtId>) {
    let StmtKind::Compound(items) = &mut tree.unit.stmts[block].kind else { return };
    let at = items.iter().position(|&item| item == s).unwrap_or(0);
    items.splice(at..at, front);
}

/// Makes a statement a block of others and itself. If a call is all of the statement, the others have done
/// it.
fn around(tree: &mut Tree, site: &Site, mut front: Vec<StmtId>) {
    let itself = tree.shallow(site.s);
    if site.calls.iter().any(|call| call.alone) {
        tree.unit.stmts[itself].kind = StmtKind::Expr(None);
        tree.made.insert(itself);
    }
    front.push(itself);
    tree.unit.stmts[site.s].kind = StmtKind::Compound(front);
    tree.made.insert(site.s);
}

/// Makes the statements that do a call before the statement `s`. Returns them, and the variable that then has
/// the value.
fn in_front(tree: &mut Tree, s: StmtId, call: &Call, number: usize) -> (Vec<StmtId>, Option<SymId>) {
    let callee = &*call.callee;
    let begins = tree.unit.stmts[s].span.lo;
    let text = Span::new(begins, begins);
    let (mut names, mut items) = (Anew::new(), Vec::new());
    for (parameter, &arg) in callee.parameters.iter().zip(&call.args) {
        let known = match callee.stands_for(tree, parameter, arg) {
            Some(sym) => (sym, tree.typed.ty(tree.unit.bare(arg))),
            None => {
                let of = tree.typed.sym(parameter.sym);
                let (name, ty) = (made_name(number, &of.name), of.ty);
                let (sym, declaration) = Maker { tree, text }.parameter(name, parameter.sym, arg);
                items.push(declaration);
                (sym, ty)
            }
        };
        names.insert(parameter.sym, known);
    }
    let leaves_loops = returns::leave_loops(tree, callee.body);
    let body = tree.copy_anew(callee.body, names);
    items.push(body);
    let name = made_name(&tree.typed.sym(callee.function).name, number);
    let mut maker = Maker { tree, text };
    let returns = callee.returns.filter(|_| !call.alone);
    let value = returns.map(|ty| maker.value(name, ty, leaves_loops));
    let mut out: Vec<StmtId> = value.iter().map(|value| value.1).collect();
    out.push(maker.stmt(StmtKind::Compound(items)));
    let value = value.map(|value| value.0);
    returns::replace(tree, body, value, made_name(number, ""));
    tree.inlined.insert(callee.function);
    (out, value)
}

/// A name that no program has. Names of parameters begin with the number of the call, and names of values end
/// with it, so that no two are the same.
fn made_name(first: impl Display, second: impl Display) -> String {
    format!("mer_{}_{}", first, second)
}

/// Replaces a call by the variable that has its value.
fn becomes(tree: &mut Tree, call: &Call, value: Option<SymId>) {
    if let ExprKind::Call(f, _) = tree.unit.exprs[call.e].kind {
        let f = tree.unit.bare(f);
        tree.typed.forget(f);
    }
    let Some(sym) = value else { return };
    let name = Name { text: tree.typed.sym(sym).name.clone(), span: tree.unit.exprs[call.e].span };
    let ty = tree.typed.ty(call.e);
    tree.unit.exprs[call.e].kind = ExprKind::Ident(name);
    tree.typed.name(call.e, sym, ty);
}
