//! `upc_forall` (UPC 6.6.2).
//!
//! The plain form is a `for` that goes through all iterations and runs a thread's own; a scope object counts
//! how many shared-out loops this thread is inside of, over function calls too, and puts the count back
//! however the loop is left. Inside another shared-out loop of the same function the count is known.
//!
//! Where `opt` has a plan, the loop goes straight to the own rows, and the plain form stands beside it for
//! when the plan's conditions do not hold at run time.

use crate::{Changes, Lower};
use base::Span;
use c_syntax::ast::*;
use emit::{Piece, seq, splice};
use opt::forall::Privatised;
use std::collections::HashMap;

/// A privatised loop around the statement at hand.
pub(crate) struct Active {
    /// Local subscripts: the pointer to walk by, elements a row, and the subscripts inside the row.
    local: HashMap<ExprId, (String, u64, Vec<(ExprId, u64)>)>,
    /// Name of the row counter.
    row: String,
}

impl Lower<'_> {
    /// A shared object that a privatised loop reaches by a local pointer.
    pub(crate) fn local_object(&mut self, e: ExprId) -> Option<Piece> {
        let (pointer, row, elements, rest) = self.active.iter().rev().find_map(|active| {
            let (pointer, elements, rest) = active.local.get(&e)?;
            Some((pointer.clone(), active.row.clone(), *elements, rest.clone()))
        })?;
        let mut index = vec![Piece::text(row)];
        if elements != 1 {
            index.push(Piece::text(format!(" * {elements}")));
        }
        for (subscript, step) in rest {
            index.push(" + ".into());
            index.push("(mer_i64)".into());
            index.push(self.converted(subscript).flat().paren());
            if step != 1 {
                index.push(Piece::text(format!(" * {step}")));
            }
        }
        Some(seq![pointer, "[", Piece::Seq(index), "]"])
    }

    /// Changes of a shared-out loop.
    pub(crate) fn forall(&mut self, s: StmtId, changes: &mut Changes) {
        let unit = self.unit;
        let StmtKind::Forall { affinity, .. } = &unit.stmts[s].kind else { return };
        let span = unit.stmts[s].span;
        match *affinity {
            Affinity::Expr(e) if self.controlling == 0 => {
                let name = self.fresh("outer");
                let plan = self.plans.forall.get(&s);
                let text = match plan {
                    Some(plan) => {
                        let fast = self.privatised(s, plan);
                        let plain = self.plain(s, e, &name);
                        let check = self.entry_check(plan);
                        seq![format!("if ({name} == 0{check}) {{ "), fast, " } else { ", plain, " }"]
                    }
                    None => self.plain(s, e, &name),
                };
                changes.push((span, seq![format!("{{ MER_FORALL_SCOPE({name}); "), text, " }"]));
            }
            Affinity::Expr(e) => {
                // Not in control: every thread runs every iteration, and evaluates the fourth clause.
                let affinity = self.converted(e).flat();
                let text = self.as_for(s, seq!["if (((void)(", affinity, "), 1)) "]);
                changes.push((span, text));
            }
            Affinity::None | Affinity::Continue => {
                let text = self.as_for(s, Piece::empty());
                changes.push((span, text));
            }
        }
    }

    /// All iterations, of which the own are run.
    fn plain(&mut self, s: StmtId, affinity: ExprId, outer: &str) -> Piece {
        let mine = if self.shared_target(affinity).is_some() {
            seq!["mer_mine_ptr(", self.bits_of_value(affinity), ")"]
        } else {
            seq!["mer_mine_int(", self.converted(affinity).flat(), ")"]
        };
        self.controlling += 1;
        // The affinity is evaluated in any case; it comes first.
        let text = self.as_for(s, seq!["if (", mine, format!(" || {outer}) ")]);
        self.controlling -= 1;
        text
    }

    /// The loop as a `for`, `guard` in front of its body.
    fn as_for(&mut self, s: StmtId, guard: Piece) -> Piece {
        let unit = self.unit;
        let StmtKind::Forall { init, cond, step, body, .. } = &unit.stmts[s].kind else {
            return Piece::empty();
        };
        let mut front = Changes::new();
        let split = self.change_for_init(s, *init, &mut front);
        let declarations = if split { front.remove(0).1 } else { Piece::empty() };
        let first = match init {
            _ if split => Piece::text(";"),
            ForInit::None => Piece::text(";"),
            ForInit::Expr(e) => seq![splice(self.span(*e), front).flat(), ";"],
            ForInit::Decl(d) => splice(unit.decls[*d].span, front).flat(),
        };
        let mut second = Changes::new();
        cond.iter().for_each(|&c| self.change_condition(c, &mut second));
        let second = cond.map_or(Piece::empty(), |c| splice(self.span(c), second).flat());
        let mut third = Changes::new();
        step.iter().for_each(|&e| self.change_effect(e, &mut third));
        let third = step.map_or(Piece::empty(), |e| splice(self.span(e), third).flat());
        let body = self.body(*body);
        let end = if split { " }" } else { "" };
        seq![declarations, "for (", first, " ", second, "; ", third, ") { ", guard, body, " }", end]
    }

    /// A body in braces' place, on its own lines.
    fn body(&mut self, body: StmtId) -> Piece {
        let mut changes = Changes::new();
        self.stmt(body, &mut changes);
        let span: Span = self.unit.stmts[body].span;
        splice(span, changes)
    }

    // ---- over the own rows -----------------------------------------------------------------------

    /// What must hold at run time: pointers used as arrays begin on thread 0 at phase 0.
    fn entry_check(&self, plan: &Privatised) -> String {
        let mut check = String::new();
        for root in plan.roots.iter().filter(|root| root.pointer) {
            let symbol = self.typed.sym(root.sym);
            let wide = if self.is_wide(symbol.ty) { "_b" } else { "" };
            check.push_str(&format!(" && mer_at_origin{wide}({})", symbol.name));
        }
        check
    }

    /// The loop over the rows that this thread owns. Rows are numbered r = i + c.
    fn privatised(&mut self, s: StmtId, plan: &Privatised) -> Piece {
        let unit = self.unit;
        let StmtKind::Forall { body, .. } = &unit.stmts[s].kind else { return Piece::empty() };
        let symbol = self.typed.sym(plan.var);
        let (var, var_type) = (symbol.name.to_string(), self.type_text(symbol.ty));
        let (lo, hi, q) = (self.fresh("lo"), self.fresh("hi"), self.fresh("q"));
        let c = plan.offset;
        let mut out = vec![
            seq![format!("mer_i64 {lo} = (mer_i64)"), self.converted(plan.lo).flat().paren()],
            seq![format!(" + {c}, {hi} = (mer_i64)"), self.converted(plan.hi).flat().paren()],
            Piece::text(format!(" + {}; ", c + i64::from(plan.inclusive))),
        ];
        let own: Vec<String> = plan.roots.iter().map(|_| self.fresh("own")).collect();
        for (root, name) in plan.roots.iter().zip(&own) {
            out.push(self.own_part(root, name));
        }
        // In a blocked loop a second pointer follows the rows of the block at hand.
        let walk: Vec<String> = if plan.rows == 1 {
            own.clone()
        } else {
            plan.roots.iter().map(|_| self.fresh("row")).collect()
        };
        let local = plan
            .local
            .iter()
            .map(|(&e, (root, rest))| (e, (walk[*root].clone(), plan.roots[*root].row, rest.clone())))
            .collect();
        self.active.push(Active { local, row: q.clone() });
        self.controlling += 1;
        let body = self.body(*body);
        self.controlling -= 1;
        self.active.pop();

        let declare = if plan.declares { format!("{var_type} ") } else { String::new() };
        let unused = if plan.declares { format!(" (void){var};") } else { String::new() };
        if plan.rows == 1 {
            let (end, t) = (self.fresh("end"), "(mer_i64)MER_THREADS");
            let me = "MER_MYTHREAD";
            out.push(Piece::text(format!(
                "mer_i64 {q} = mer_ceildivt({lo} - {me}), {end} = mer_ceildivt({hi} - {me}); \
                 for (; {q} < {end}; {q}++) {{ {declare}{var} = ({var_type})({q} * {t} + {me} - {c});{unused} "
            )));
            out.push(body);
            out.push(" } ".into());
        } else {
            out.push(self.blocks(plan, &own, &walk, (&lo, &hi, &q), &format!("{declare}{var} = ({var_type})")));
            out.push(Piece::text(unused));
            out.push(body);
            out.push(" } } ".into());
        }
        if !plan.declares {
            out.push(Piece::text(format!("{var} = ({var_type})(({lo} < {hi} ? {hi} : {lo}) - {c});")));
        }
        Piece::Seq(out)
    }

    /// `T *own = this thread's part`.
    fn own_part(&self, root: &opt::forall::Root, name: &str) -> Piece {
        let symbol = self.typed.sym(root.sym);
        let bits = if root.pointer {
            format!("{}.bits", symbol.name)
        } else if self.is_big(root.sym) {
            format!("mer_bits(0, mer_big_{}.native)", symbol.name)
        } else {
            format!("mer_bits(0, MER_SYM({}))", symbol.name)
        };
        let elem = self.type_text(root.elem);
        Piece::text(format!(
            "__typeof__({elem}) *{name} __attribute__((unused)) = mer_own({bits}); "
        ))
    }

    /// The heads of the two loops of the blocked case: over the own blocks, and over the rows of one.
    fn blocks(
        &mut self,
        plan: &Privatised,
        own: &[String],
        walk: &[String],
        (lo, hi, q): (&str, &str, &str),
        assign: &str,
    ) -> Piece {
        let (k, first, last, r) = (self.fresh("k"), self.fresh("first"), self.fresh("last"), plan.rows);
        let start = format!("({k} * (mer_i64)MER_THREADS + MER_MYTHREAD) * {r}");
        let mut text = format!(
            "mer_i64 {k} = mer_ceildivt(mer_floordiv({lo}, {r}) - MER_MYTHREAD); \
             for (; {start} < {hi}; {k}++) {{ \
             mer_i64 {first} = {start}, {last} = {first} + {r} < {hi} ? {first} + {r} : {hi}; \
             mer_i64 {q} = {lo} > {first} ? {lo} - {first} : 0; "
        );
        for ((root, own), walk) in plan.roots.iter().zip(own).zip(walk) {
            let elem = self.type_text(root.elem);
            text.push_str(&format!(
                "__typeof__({elem}) *{walk} __attribute__((unused)) = {own} + ({k} * {r}) * {}; ",
                root.row
            ));
        }
        text.push_str(&format!(
            "for (; {q} < {last} - {first}; {q}++) {{ {assign}({first} + {q} - {});",
            plan.offset
        ));
        Piece::text(text)
    }
}
