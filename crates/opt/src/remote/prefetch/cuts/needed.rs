//! Drops the items of an iteration on which no cut depends: variables that nothing in advance uses, and
//! writes that nothing is tested against.

use super::{Block, Cuts, Define, Item, Part, Walk, Writes};
use crate::facts::body::Body;
use c_sema::typed::SymId;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};
use std::collections::HashSet;

/// The operands of the items that are kept.
struct Needed<'a> {
    body: &'a Body<'a>,
    cuts: &'a Cuts,
    writes: Writes,
    variables: HashSet<SymId>,
    tested: HashSet<usize>,
    /// Cuts on whose values other kept items depend.
    leading: HashSet<usize>,
}

/// Keeps the items that the cuts need. If writes are tested, sets which cuts lead to others.
pub(super) fn keep(body: &Body, writes: Writes, items: &mut Block, cuts: &mut Cuts) {
    let (variables, tested, leading) = (HashSet::new(), HashSet::new(), HashSet::new());
    let mut needed = Needed { body, cuts, writes, variables, tested, leading };
    loop {
        let before = needed.size();
        needed.block(items);
        if needed.size() == before {
            break;
        }
    }
    needed.drop_others(items);
    let leading = needed.leading;
    if writes == Writes::Tested {
        cuts.all.iter_mut().enumerate().for_each(|(number, cut)| cut.leads = leading.contains(&number));
    }
}

impl Needed<'_> {
    fn size(&self) -> usize {
        self.variables.len() + self.tested.len() + self.leading.len()
    }

    fn block(&mut self, items: &Block) {
        for item in items {
            if self.is_kept(item) {
                self.item(item);
            }
        }
    }

    /// Returns true if an item is needed, as far as is known.
    fn is_kept(&self, item: &Item) -> bool {
        match item {
            Item::Define(Define { sym, .. }) => self.variables.contains(sym),
            Item::Wrote(number, ..) => self.tested.contains(number),
            Item::Read(number, _) if self.writes == Writes::Tested => {
                self.cuts.all[*number].pays() || self.leading.contains(number)
            }
            _ => true,
        }
    }

    fn item(&mut self, item: &Item) {
        item.part().into_iter().for_each(|part| self.part(part));
        match item {
            Item::Define(define) => self.expr(define.value, None),
            &Item::Wrote(_, place, _) => self.expr(place, Some(place)),
            &Item::Read(number, _) => {
                let e = self.cuts.all[number].e;
                self.expr(e, Some(e));
            }
            Item::If { cond, then, otherwise, .. } => {
                self.expr(*cond, None);
                self.block(then);
                self.block(otherwise);
            }
            Item::Walk(Walk { number, items, .. }) => {
                let of = &self.cuts.loops[number - 1];
                [of.first, of.cond, of.step].into_iter().for_each(|e| self.expr(e, None));
                self.block(items);
            }
            Item::Block(items) => self.block(items),
            Item::Declare(_) | Item::Again(_) => {}
        }
    }

    fn part(&mut self, part: &Part) {
        part.inputs.iter().for_each(|&e| self.expr(e, Some(e)));
        for test in &part.tests {
            self.expr(test.e, Some(test.e));
            self.tested.extend(&test.writes);
        }
    }

    /// Adds the operands of an expression. `place`: the object whose address alone is computed.
    fn expr(&mut self, e: ExprId, place: Option<ExprId>) {
        let unit = self.body.unit;
        each_expr(unit, Any::Expr(e), |e| {
            if let (ExprKind::Ident(_), Some(sym)) = (&unit.exprs[e].kind, self.body.typed.symbol(e)) {
                self.variables.insert(sym);
            }
            if place != Some(e) {
                self.leading.extend(self.cuts.cut_of(e));
            }
            true
        });
    }

    fn drop_others(&self, items: &mut Block) {
        items.retain(|item| self.is_kept(item));
        for item in items {
            match item {
                Item::If { then, otherwise, .. } => {
                    self.drop_others(then);
                    self.drop_others(otherwise);
                }
                Item::Walk(Walk { items, .. }) | Item::Block(items) => self.drop_others(items),
                _ => {}
            }
        }
    }
}
