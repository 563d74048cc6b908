//! `upc_forall` (UPC 6.6.2).
//!
//! The plain form is a `for` that goes through all iterations and runs a thread's own; a scope object counts
//! how many shared-out loops this thread is inside of, over function calls too, and puts the count back
//! however the loop is left. Inside another shared-out loop of the same function the count is known.
//!
//! Where `opt` has a plan, the loop goes straight to the own rows, and the plain form stands beside it for
//! when the plan's conditions do not hold at run time.

use crate::hosts::Hosts;
use crate::{Changes, Lower};
use base::Span;
use c_syntax::ast::*;
use emit::{Piece, seq, splice};
use opt::forall::Privatised;
use std::collections::{HashMap, HashSet};

/// A subscript expression that is local: the pointer to walk by, what is added to the row, elements a row, and
/// the subscripts inside the row.
#[derive(Clone)]
pub(crate) struct Local {
    pointer: String,
    shift: i64,
    elements: u64,
    rest: Vec<(ExprId, u64)>,
}

/// A privatised loop around the statement at hand.
pub(crate) struct Active {
    local: HashMap<ExprId, Local>,
    /// Name of the row counter.
    row: String,
    /// Sums of signed integers that are formed in another order than written.
    sums: HashSet<ExprId>,
}

impl Local {
    /// One element a row.
    pub(crate) fn element(pointer: String) -> Local {
        Local { pointer, shift: 0, elements: 1, rest: Vec::new() }
    }
}

impl Active {
    pub(crate) fn new(local: HashMap<ExprId, Local>, row: String, sums: HashSet<ExprId>) -> Active {
        Active { local, row, sums }
    }
}

impl Lower<'_> {
    /// A shared object that a privatised loop reaches by a local pointer.
    pub(crate) fn local_object(&mut self, e: ExprId) -> Option<Piece> {
        let (row, local) = self
            .active
            .iter()
            .rev()
            .find_map(|active| Some((active.row.clone(), active.local.get(&e)?.clone())))?;
        let Local { pointer, shift, elements, rest } = local;
        let mut index = vec![Piece::text(row)];
        if shift != 0 {
            index.push(Piece::text(format!(" + ({shift})")));
        }
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

    /// Whether a privatised loop reaches this shared object by a local pointer.
    pub(crate) fn is_local_object(&self, e: ExprId) -> bool {
        self.active.iter().any(|active| active.local.contains_key(&e))
    }

    /// Whether this assignment is to a sum that is formed in another order than written.
    pub(crate) fn is_reordered_sum(&self, e: ExprId) -> bool {
        self.active.iter().any(|active| active.sums.contains(&e))
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
                        let fast = self.for_both(|lower| lower.privatised(s, plan));
                        // Seldom run: it asks at each access, and no loop around is written twice for that.
                        let asked = self.asked;
                        let plain = self.with_hosts(Hosts::Many, |lower| lower.plain(s, e, &name));
                        self.asked = asked;
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
        let declare = if plan.declares { format!("{var_type} ") } else { String::new() };
        let assign = format!("{declare}{var} = ({var_type})");
        if plan.rows == 1 || plan.flat {
            let end = self.fresh("end");
            let (t, me, r) = ("(mer_i64)MER_THREADS", "MER_MYTHREAD", plan.rows);
            let (first, last) = if plan.rows == 1 {
                (format!("mer_ceildivt({lo} - {me})"), format!("mer_ceildivt({hi} - {me})"))
            } else {
                (format!("mer_own_rows({lo}, {r})"), format!("mer_own_rows({hi}, {r})"))
            };
            out.push(Piece::text(format!("mer_i64 {q} = {first}, {end} = {last}; ")));
            let each = match plan.rows == 1 && !plan.flat {
                true => format!("{assign}({q} * {t} + {me} - {c}); "),
                false => String::new(),
            };
            out.push(self.over_rows((s, false), (&q, &end), &each, |lower| {
                lower.local_body(s, plan, &own, &q, false)
            }));
        } else {
            out.push(self.blocks(s, plan, &own, (&lo, &hi, &q), &assign));
        }
        if !plan.declares {
            out.push(Piece::text(format!("{var} = ({var_type})(({lo} < {hi} ? {hi} : {lo}) - {c});")));
        }
        Piece::Seq(out)
    }

    // ---- over the own numbers ----------------------------------------------------------------------

    /// In front of a loop over a thread's own numbers ([`opt::strided`]): pointers to the own parts, a counter.
    pub(crate) fn open_strided(&mut self, s: StmtId, changes: &mut Changes) {
        let Some(plan) = self.plans.strided.get(&s) else { return };
        let q = self.fresh("q");
        let own: Vec<String> = plan.roots.iter().map(|_| self.fresh("own")).collect();
        let mut head = vec![Piece::text("{ ")];
        for (root, name) in plan.roots.iter().zip(&own) {
            head.push(self.own_part(root, name));
        }
        head.push(Piece::text(format!("mer_i64 {q} = 0; ")));
        let lo = self.unit.stmts[s].span.lo;
        changes.push((Span::new(lo, lo), Piece::Seq(head)));
        let local = plan.local.iter().map(|(&e, (root, rest))| {
            let (pointer, elements) = (own[*root].clone(), plan.roots[*root].row);
            (e, Local { pointer, shift: 0, elements, rest: rest.clone() })
        });
        self.strides.push(Active::new(local.collect(), q, HashSet::new()));
    }

    /// The rest of such a loop: the counter's step, the body, the closing brace.
    pub(crate) fn strided(&mut self, s: StmtId, changes: &mut Changes) {
        let StmtKind::For { step: Some(step), body, .. } = self.unit.stmts[s].kind else { return };
        let Some(active) = self.strides.pop() else { return };
        let end = self.span(step).hi;
        changes.push((Span::new(end, end), Piece::text(format!(", {}++", active.row))));
        self.active.push(active);
        self.stmt(body, changes);
        self.active.pop();
        let hi = self.unit.stmts[s].span.hi;
        changes.push((Span::new(hi, hi), " }".into()));
    }

    /// `T *own = this thread's part`.
    fn own_part(&self, root: &opt::forall::Root, name: &str) -> Piece {
        let symbol = self.typed.sym(root.sym);
        let bits = if root.pointer {
            format!("{}.bits", symbol.name)
        } else {
            format!("mer_bits(0, {})", self.native_of(root.sym))
        };
        let elem = self.type_text(root.elem);
        Piece::text(format!("__typeof__({elem}) *{name} __attribute__((unused)) = mer_own({bits}); "))
    }

    /// The body with its local accesses by the pointers `walk`; `inside`: its neighbours too.
    fn local_body(&mut self, s: StmtId, plan: &Privatised, walk: &[String], q: &str, inside: bool) -> Piece {
        let StmtKind::Forall { body, .. } = self.unit.stmts[s].kind else { return Piece::empty() };
        let mut local: HashMap<ExprId, Local> = HashMap::new();
        for (&e, (root, rest)) in &plan.local {
            let (pointer, elements) = (walk[*root].clone(), plan.roots[*root].row);
            local.insert(e, Local { pointer, shift: 0, elements, rest: rest.clone() });
        }
        for (&e, &(root, shift)) in plan.near.iter().filter(|_| inside) {
            local.insert(e, Local { pointer: walk[root].clone(), shift, elements: 1, rest: Vec::new() });
        }
        self.active.push(Active::new(local, q.to_owned(), HashSet::new()));
        self.controlling += 1;
        let body = self.body(body);
        self.controlling -= 1;
        self.active.pop();
        body
    }

    /// The blocked case: a loop over the own blocks, in it one over the rows of a block. With neighbours the
    /// rows of a block are run in three parts: those whose neighbours may lie before the block, the inside,
    /// and those whose neighbours may lie behind it.
    fn blocks(
        &mut self,
        s: StmtId,
        plan: &Privatised,
        own: &[String],
        (lo, hi, q): (&str, &str, &str),
        assign: &str,
    ) -> Piece {
        let (k, first, last, r) = (self.fresh("k"), self.fresh("first"), self.fresh("last"), plan.rows);
        let start = format!("({k} * (mer_i64)MER_THREADS + MER_MYTHREAD) * {r}");
        let mut head = format!(
            "mer_i64 {k} = mer_ceildivt(mer_floordiv({lo}, {r}) - MER_MYTHREAD); \
             for (; {start} < {hi}; {k}++) {{ \
             mer_i64 {first} = {start}, {last} = ({first} + {r} < {hi} ? {first} + {r} : {hi}) - {first}; \
             mer_i64 {q} = {lo} > {first} ? {lo} - {first} : 0; "
        );
        let walk: Vec<String> = plan.roots.iter().map(|_| self.fresh("row")).collect();
        for ((root, own), walk) in plan.roots.iter().zip(own).zip(&walk) {
            let elem = self.type_text(root.elem);
            head.push_str(&format!(
                "__typeof__({elem}) *{walk} __attribute__((unused)) = {own} + ({k} * {r}) * {}; ",
                root.row
            ));
        }
        let each = format!("{assign}({first} + {q} - {}); ", plan.offset);
        let Some((before, behind)) = reach(plan) else {
            let rows = self
                .over_rows((s, false), (q, &last), &each, |lower| lower.local_body(s, plan, &walk, q, false));
            return seq![head, rows, " } "];
        };
        let (side, inner) = (self.fresh("side"), self.fresh("inner"));
        let end = format!("{side}_end");
        let border =
            self.over_rows((s, false), (q, &end), &each, |lower| lower.local_body(s, plan, &walk, q, false));
        let inside =
            self.over_rows((s, true), (q, &inner), &each, |lower| lower.local_body(s, plan, &walk, q, true));
        seq![
            head,
            format!("mer_i64 {inner} = {last} < {r} - {behind} ? {last} : {r} - {behind}; int {side} = 0; "),
            format!("for (; {side} < 2; {side}++) {{ "),
            format!("mer_i64 {end} = {side} ? {last} : {before} < {last} ? {before} : {last}; "),
            border,
            format!(" if (!{side}) {{ "),
            inside,
            " } } } "
        ]
    }
}

/// How many rows before and behind its own a plan's neighbours reach; none where it has no neighbours.
fn reach(plan: &Privatised) -> Option<(i64, i64)> {
    let shifts = || plan.near.values().map(|&(_, shift)| shift);
    let (least, most) = (shifts().min()?, shifts().max()?);
    Some(((-least).max(0), most.max(0)))
}
