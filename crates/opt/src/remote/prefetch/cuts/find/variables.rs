//! Variables that an iteration sets, and whose values are known before it runs: declared with a value, or
//! declared without one and set once, maybe in a block inside.

use super::super::{Block, Define, Item, Walk, each_item};
use super::{At, Find, Known};
use crate::facts::body::{Body, named_alone};
use crate::facts::shapes::mentions;
use crate::ir::walk::each_statement;
use c_sema::typed::SymId;
use c_sema::types::Ty;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};
use std::collections::{HashMap, HashSet};

impl Find<'_> {
    pub(super) fn declaration(&mut self, d: DeclId, block: Option<u32>, at: &mut At, out: &mut Block) {
        let unit = self.body.unit;
        let DeclKind::Vars { items, .. } = &unit.decls[d].kind else { return };
        for item in items {
            if let (None, Some(end), Some(sym)) =
                (item.init, block, self.body.typed.declared(item.declarator))
                && self.can_be_zero(sym)
            {
                self.declared.insert(sym, (end, at.path.clone()));
                out.push(Item::Declare(sym));
            }
            let Some(InitKind::Expr(value)) = item.init.map(|init| &unit.inits[init].kind) else { continue };
            self.value(*value, at, out);
            if let Some(sym) = self.body.typed.declared(item.declarator)
                && self.assigned.get(&sym) == Some(&1)
            {
                self.define(sym, *value, false, at, out);
            }
        }
    }

    /// Whether a variable is a number or a private pointer.
    fn can_be_zero(&self, sym: SymId) -> bool {
        let types = &self.body.typed.types;
        match types.of(self.body.typed.sym(sym).ty) {
            Ty::Int(_) | Ty::Float(_) => true,
            Ty::Pointer(to) => !types.is_shared(*to),
            _ => false,
        }
    }

    /// Returns true if a variable is set by this statement alone, and named only after it, in its block.
    pub(super) fn set_once(&self, sym: SymId, by: base::Span, end: u32) -> bool {
        let mut once = self.assigned.get(&sym) == Some(&1);
        each_expr(self.body.unit, Any::Stmt(self.body.stmt), |e| {
            let span = self.body.unit.exprs[e].at;
            let named = matches!(self.body.unit.exprs[e].kind, ExprKind::Ident(_))
                && self.body.typed.symbol(e) == Some(sym);
            once &= !named || (span.lo >= by.lo && span.hi <= end);
            once
        });
        once
    }

    pub(super) fn define(&mut self, sym: SymId, value: ExprId, declared: bool, at: &At, out: &mut Block) {
        let q = self.body.typed.sym(sym).ty;
        let number = matches!(self.body.typed.types.of(q), Ty::Int(_) | Ty::Float(_) | Ty::Pointer(_));
        let declares = self.body.effects.type_in_front(self.body.typed, q);
        let plain = named_alone(self.body.typed, sym) && number && declares;
        if at.unknown || !plain || mentions(self.body.unit, self.body.typed, value, sym) {
            return;
        }
        if let Some(known) = self.known(value, at) {
            let known = Known { stage: known.stage.max(at.stage), ..known };
            self.locals.insert(sym, (value, known));
            out.push(Item::Define(Define { sym, value, declared, part: self.part(known, at) }));
        }
    }
}

/// Drops the declarations of variables that nothing defines.
pub(super) fn keep_defined(items: &mut Block) {
    let mut defined = HashSet::new();
    each_item(items, &mut |item| {
        if let Item::Define(Define { sym, declared: true, .. }) = item {
            defined.insert(*sym);
        }
    });
    drop_declared(items, &defined);
}

fn drop_declared(items: &mut Block, but: &HashSet<SymId>) {
    for item in items.iter_mut() {
        match item {
            Item::Block(inner) | Item::Walk(Walk { items: inner, .. }) => drop_declared(inner, but),
            Item::If { then, otherwise, .. } => {
                drop_declared(then, but);
                drop_declared(otherwise, but);
            }
            _ => {}
        }
    }
    let empty = |item: &Item| matches!(item, Item::Block(items) if items.is_empty());
    items.retain(|item| !empty(item) && !matches!(item, Item::Declare(sym) if !but.contains(sym)));
}

/// Returns how often a body gives a value to each variable.
pub(super) fn assigned(body: &Body) -> HashMap<SymId, usize> {
    let mut times: HashMap<SymId, usize> = HashMap::new();
    each_statement(body.tree, body.stmt, &mut |s| {
        let StmtKind::Decl(d) = body.unit.stmts[s].kind else { return };
        let DeclKind::Vars { items, .. } = &body.unit.decls[d].kind else { return };
        for sym in items
            .iter()
            .filter(|item| item.init.is_some())
            .filter_map(|item| body.typed.declared(item.declarator))
        {
            *times.entry(sym).or_default() += 1;
        }
    });
    each_expr(body.unit, Any::Stmt(body.stmt), |e| {
        if let ExprKind::Assign(_, target, _) | ExprKind::Pre(_, target) | ExprKind::Post(_, target) =
            body.unit.exprs[e].kind
            && let Some(sym) = body.name(target)
        {
            *times.entry(sym).or_default() += 1;
        }
        true
    });
    times
}
