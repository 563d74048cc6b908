//! Statements.

use crate::Lower;
use crate::decl;
use crate::edit::Edit;
use crate::program::Program;
use base::Span;
use c_sema::Typed;
use c_sema::types::Ty;
use c_sema::visit::{Use, Visitor, walk_place, walk_value};
use c_syntax::ast::*;
use emit::{Piece, seq};

impl Lower<'_> {
    /// A counting `while` loop as a `for`; in the text, its step stands at the end of its body.
    fn counted_while(&mut self, cond: ExprId, step: ExprId, body: StmtId) -> Piece {
        let (cond, step) = (self.condition(cond).flat(), self.effect(step).flat());
        seq!["for (; ", cond, "; ", step, ") ", self.whole_stmt(body)]
    }

    fn barrier(&mut self, s: StmtId, kind: BarrierKind, value: Option<ExprId>) -> Piece {
        let function = match kind {
            BarrierKind::Notify => "mer_notify",
            BarrierKind::Wait => "mer_wait",
            BarrierKind::Barrier => "mer_barrier",
        };
        let place = self.program.where_is(self.program.unit.stmts[s].span);
        match value {
            Some(e) => {
                let value = self.converted(e).flat();
                // The front end has warned of a value that is no integer.
                let cast = match self.program.typed.types.of(self.program.typed.ty(e)) {
                    Ty::Pointer(_) | Ty::Array(..) => "(int)(long)",
                    Ty::Float(_) => "(int)",
                    _ => "",
                };
                seq![format!("{function}(1, {cast}("), value, format!("), \"{place}\");")]
            }
            None => Piece::text(format!("{function}(0, 0, \"{place}\");")),
        }
    }
}

impl Edit<'_, '_> {
    /// Changes of a statement.
    pub(crate) fn stmt(&mut self, s: StmtId) {
        let program = self.lower.program;
        let unit = program.unit;
        let stmt = &unit.stmts[s];
        if let Some(text) = self.lower.rewritten_stmt(s) {
            self.changes.push((stmt.span, text));
            return;
        }
        if program.tree.is_made(s) {
            return self.made(s);
        }
        match &stmt.kind {
            StmtKind::Compound(items) => items.iter().for_each(|&item| self.stmt(item)),
            StmtKind::Decl(d) => self.decl(*d),
            StmtKind::Expr(e) => e.iter().for_each(|&e| self.effect(e)),
            StmtKind::If(c, yes, no) => {
                self.condition(*c);
                self.stmt(*yes);
                if let &Some(no) = no {
                    let between = Span::new(unit.stmts[*yes].span.hi, unit.stmts[no].span.lo);
                    if between.lo == between.hi {
                        self.changes.push((between, " else ".into()));
                    }
                    self.stmt(no);
                }
            }
            &(StmtKind::While(c, body)
            | StmtKind::Do(body, c)
            | StmtKind::For { init: ForInit::None, cond: Some(c), step: None, body }) => {
                self.conditional_loop(s, c, body);
            }
            &StmtKind::For { cond: Some(cond), step: Some(step), body, .. } if reads_while(program, s) => {
                let text = self.lower.counted_while(cond, step, body);
                self.changes.push((stmt.span, text));
            }
            StmtKind::For { init, cond, step, body } => {
                let split = self.for_init(s, *init);
                cond.iter().for_each(|&c| self.condition(c));
                step.iter().for_each(|&e| self.effect(e));
                self.stmt(*body);
                if split {
                    self.changes.push((Span::new(stmt.span.hi, stmt.span.hi), " }".into()));
                }
            }
            StmtKind::Forall { .. } => self.forall(s),
            StmtKind::Switch(e, body) => {
                self.value(*e);
                self.stmt(*body);
            }
            StmtKind::Case(a, b, inner) => {
                self.value(*a);
                b.iter().for_each(|&b| self.value(b));
                self.stmt(*inner);
            }
            StmtKind::Default(inner) | StmtKind::Label(_, inner) => self.stmt(*inner),
            StmtKind::GotoExpr(e) => self.value(*e),
            StmtKind::Return(None) if self.lower.gives_status => {
                self.changes.push((stmt.span, "return 0;".into()))
            }
            StmtKind::Return(e) => e.iter().for_each(|&e| self.value(e)),
            StmtKind::Asm { operands, .. } => self.asm(s, operands),
            StmtKind::Barrier(kind, value) => {
                let text = self.lower.barrier(s, *kind, *value);
                self.changes.push((stmt.span, text));
            }
            StmtKind::Fence => self.changes.push((stmt.span, "mer_fence();".into())),
            StmtKind::Goto(_) | StmtKind::Continue | StmtKind::Break | StmtKind::Opaque | StmtKind::Error => {
            }
        }
    }

    // ---- loops that wait -------------------------------------------------------------------------

    /// A loop that has only a condition and a body: it may wait for others.
    fn conditional_loop(&mut self, s: StmtId, condition: ExprId, body: StmtId) {
        // Changes are in the order of the text.
        let body_first = matches!(self.lower.program.unit.stmts[s].kind, StmtKind::Do(..));
        let spin = self.open_spin(s, condition, body);
        if !body_first {
            self.condition(condition);
        }
        self.spin_or(body, spin.as_deref());
        if body_first {
            self.condition(condition);
        }
        self.close_spin(s, spin.as_deref());
    }

    /// Before a loop with an empty body whose condition waits for others to change memory: declares the state
    /// of its iterations (`runtime/sync/spin.c` says why) and returns its name. Returns `None` for other
    /// loops.
    fn open_spin(&mut self, s: StmtId, c: ExprId, body: StmtId) -> Option<String> {
        let program = self.lower.program;
        if !program.unit.is_empty(body) || !waits_for_others(program, c) {
            return None;
        }
        let name = self.lower.fresh("spin");
        let lo = program.unit.stmts[s].span.lo;
        self.changes
            .push((Span::new(lo, lo), Piece::text(format!("{{ struct mer_spin {name} = {{{{0}}}}; "))));
        Some(name)
    }

    fn spin_or(&mut self, body: StmtId, spin: Option<&str>) {
        match spin {
            Some(name) => {
                self.changes.push((
                    self.lower.program.unit.stmts[body].span,
                    Piece::text(format!(" mer_spin(&{name});")),
                ));
            }
            None => self.stmt(body),
        }
    }

    fn close_spin(&mut self, s: StmtId, spin: Option<&str>) {
        if spin.is_some() {
            let hi = self.lower.program.unit.stmts[s].span.hi;
            self.changes.push((Span::new(hi, hi), " }".into()));
        }
    }

    /// The first clause of a `for`. Returns true if it had to become declarations before the loop, inside a
    /// brace that the caller closes.
    pub(crate) fn for_init(&mut self, s: StmtId, init: ForInit) -> bool {
        let program = self.lower.program;
        match init {
            ForInit::None => false,
            ForInit::Expr(e) => {
                self.effect(e);
                false
            }
            // C compilers accept no struct with a tag there.
            ForInit::Decl(d)
                if decl::is_rewritten(program, self.lower.function == 0, d)
                    || decl::gives_tag(program, self.lower.in_type_name, d) =>
            {
                let lo = program.unit.stmts[s].span.lo;
                let declarations = self.lower.declared_in_front(d);
                self.changes.push((Span::new(lo, lo), seq!["{ ", declarations]));
                self.changes.push((program.unit.decls[d].span, ";".into()));
                true
            }
            ForInit::Decl(d) => {
                self.decl(d);
                false
            }
        }
    }
}

/// Whether the text of a `for` loop is that of a `while` loop that counts (`crates/opt`, while_loops.rs).
pub(crate) fn reads_while(program: &Program, s: StmtId) -> bool {
    program.text(program.unit.stmts[s].span).starts_with("while")
}

/// Whether a loop with this condition and an empty body waits for other threads: it reads a shared object,
/// or, in the dialects in which all memory is shared, any object, and changes nothing itself.
fn waits_for_others(program: &Program, e: ExprId) -> bool {
    let mut found = Condition { program, reads_shared: false, reads: false, acts: false };
    found.value(e);
    found.reads_shared || program.everything() && found.reads && !found.acts
}

/// The effects of evaluating a condition.
struct Condition<'l, 'a> {
    program: &'l Program<'a>,
    reads_shared: bool,
    reads: bool,
    /// Assigns, or calls a function, which may.
    acts: bool,
}

impl<'a> Visitor<'a> for Condition<'_, 'a> {
    fn unit(&self) -> &'a Unit {
        self.program.unit
    }

    fn typed(&self) -> &'a Typed {
        self.program.typed
    }

    fn value(&mut self, e: ExprId) {
        self.acts |= matches!(
            self.program.unit.exprs[e].kind,
            ExprKind::Call(..) | ExprKind::Stmts(_) | ExprKind::Assign(..) | ExprKind::Split(..)
        );
        walk_value(self, e);
    }

    fn place(&mut self, e: ExprId, how: Use) {
        let reads = matches!(how, Use::Read | Use::Update);
        self.reads |= reads;
        self.reads_shared |= reads && self.program.is_shared_place(e);
        self.acts |= matches!(how, Use::Write | Use::Update);
        walk_place(self, e);
    }
}
