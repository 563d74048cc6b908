//! Statements (C17 6.8): scopes, jumps, cases, and the values of conditions and returns.

mod sync;

use crate::checker::Checker;
use crate::checker::function::{Around, Loop, Switch};
use crate::constant;
use crate::context::words::Goal;
use crate::expr::{convert, operators};
use crate::types::QTy;
use crate::upc::{forall_body, suspect};
use base::{Code, Diagnostic, Span};
use c_syntax::ast::{AsmOperand, ExprId, ForInit, Name, StmtId, StmtKind};

impl<'a> Checker<'a> {
    /// Checks a statement of the present function. `else if` chains are walked in a loop: they are as deep as
    /// they are long.
    pub fn stmt(&mut self, id: StmtId) {
        let unit = self.cx.unit;
        if !self.descend(unit.stmts[id].span) {
            return;
        }
        let mut last = Some(id);
        let mut opened = 0;
        while let Some(at) = last {
            let StmtKind::If(cond, then, otherwise) = unit.stmts[at].kind else {
                if opened > 0 {
                    // The last `else` of a chain is a block too.
                    self.names.open();
                    opened += 1;
                }
                self.stmt_kind(at);
                break;
            };
            // The statement is a block, and so are its substatements (C17 6.8.4).
            self.names.open();
            opened += 1;
            self.condition(cond);
            self.block(then);
            last = otherwise;
        }
        for _ in 0..opened {
            self.names.close();
        }
        self.depth -= 1;
    }

    /// Checks a statement that is a block although it may have no braces.
    fn block(&mut self, id: StmtId) {
        self.names.open();
        self.stmt(id);
        self.names.close();
    }

    fn stmt_kind(&mut self, id: StmtId) {
        let unit = self.cx.unit;
        let span = unit.stmts[id].span;
        match &unit.stmts[id].kind {
            StmtKind::Compound(stmts) => {
                self.names.open();
                let automatics = self.here().map_or(0, |f| f.automatics.len());
                for &s in stmts {
                    self.stmt(s);
                }
                forall_body::check_indentation(&mut self.cx, stmts);
                if let Some(f) = self.here() {
                    f.automatics.truncate(automatics);
                }
                self.names.close();
            }
            StmtKind::Decl(decl) => self.declaration(*decl),
            StmtKind::Expr(e) => {
                if let Some(e) = *e {
                    self.expr(e);
                    if self.value_stmt != Some(id) {
                        suspect::check_effect(&mut self.cx, e);
                    }
                }
            }
            StmtKind::If(..) => {}
            StmtKind::While(..)
            | StmtKind::Do(..)
            | StmtKind::For { .. }
            | StmtKind::Forall { .. }
            | StmtKind::Switch(..) => {
                self.names.open();
                self.loop_or_switch(id, span);
                self.names.close();
            }
            StmtKind::Case(low, high, body) => {
                self.case(*low, *high, span);
                self.stmt(*body);
            }
            StmtKind::Default(body) => {
                self.default_label(span);
                self.stmt(*body);
            }
            StmtKind::Label(name, body) => {
                self.label(name);
                self.stmt(*body);
            }
            StmtKind::Goto(name) => self.mention_goto(name),
            StmtKind::GotoExpr(e) => {
                self.expr(*e);
            }
            StmtKind::Continue => self.check_continue(span),
            StmtKind::Break => self.check_break(span),
            StmtKind::Return(value) => self.return_stmt(*value, span),
            StmtKind::Asm { operands, jumps } => {
                for &operand in operands {
                    self.asm_operand(operand, *jumps);
                }
            }
            StmtKind::Barrier(kind, value) => self.barrier(*kind, *value, span),
            StmtKind::Opaque => {
                let local = self.cx.text(span).trim_start().starts_with("__label__");
                if let Some(f) = self.here() {
                    f.local_labels |= local;
                }
            }
            StmtKind::Fence | StmtKind::Error => {}
        }
    }

    /// Checks an operand of `asm`. A shared output on another host is written after the statement, which a
    /// jump out of it would skip.
    fn asm_operand(&mut self, operand: AsmOperand, jumps: bool) {
        let ty = self.expr(operand.expr);
        if jumps && operand.writes && self.cx.out.types.is_shared(ty) {
            let span = self.cx.unit.exprs[operand.expr].span;
            let message = format!("a {} object cannot be an output of `asm goto`", self.cx.words().shared);
            let help = "let the assembly write a private variable, and assign that to the object";
            self.cx.report(Diagnostic::error(Code::BadStatement, span, message).help(help));
        }
    }

    /// Checks a statement that `break` leaves, in a scope of its own.
    fn loop_or_switch(&mut self, id: StmtId, span: Span) {
        let unit = self.cx.unit;
        match &unit.stmts[id].kind {
            StmtKind::While(cond, body) => {
                self.condition(*cond);
                self.in_loop(Loop::Plain, *body);
            }
            StmtKind::Do(body, cond) => {
                self.in_loop(Loop::Plain, *body);
                self.condition(*cond);
            }
            StmtKind::For { init, cond, step, body } => {
                self.for_clauses(*init, *cond, *step);
                self.in_loop(Loop::Plain, *body);
            }
            StmtKind::Forall { init, cond, step, affinity, body } => {
                self.for_clauses(*init, *cond, *step);
                self.check_affinity(*affinity);
                let number = self.here().map_or(0, |f| {
                    f.next_forall += 1;
                    f.next_forall
                });
                self.in_loop(Loop::Forall(number, span), *body);
                forall_body::check_empty_body(&mut self.cx, *body);
            }
            StmtKind::Switch(e, body) => {
                self.switch(*e, *body);
            }
            _ => {}
        }
    }

    fn for_clauses(&mut self, init: ForInit, cond: Option<ExprId>, step: Option<ExprId>) {
        match init {
            ForInit::None => {}
            ForInit::Expr(e) => {
                self.expr(e);
            }
            ForInit::Decl(d) => self.declaration(d),
        }
        if let Some(c) = cond {
            self.condition(c);
        }
        if let Some(s) = step {
            self.expr(s);
        }
    }

    fn in_loop(&mut self, what: Loop, body: StmtId) {
        if let Some(f) = self.here() {
            f.loops.push(what);
        }
        self.block(body);
        if let Some(f) = self.here() {
            f.loops.pop();
        }
    }

    fn condition(&mut self, e: ExprId) {
        let ty = self.rvalue(e);
        suspect::check_assigned_condition(&mut self.cx, e);
        operators::check_condition(&mut self.cx, e, ty);
    }

    // ---- switch -------------------------------------------------------------------------------------

    fn switch(&mut self, e: ExprId, body: StmtId) {
        let ty = self.rvalue(e);
        if !self.cx.out.types.is_integer(ty) && !self.cx.out.types.is_error(ty) {
            let shown = self.cx.shown(ty);
            self.cx.error(
                Code::BadStatement,
                self.cx.span(e),
                format!("a switch on {shown}"),
                "not an integer",
            );
        }
        let foralls = self.foralls().len();
        if let Some(f) = self.here() {
            let automatics = f.automatics.len();
            f.switches.push(Switch { foralls, automatics, ..Switch::default() });
        }
        self.in_loop(Loop::Switch, body);
        if let Some(f) = self.here() {
            f.switches.pop();
        }
    }

    fn case(&mut self, low: ExprId, high: Option<ExprId>, span: Span) {
        for e in [Some(low), high].into_iter().flatten() {
            self.expr(e);
            constant::refuse_varying(&mut self.cx, e, "the value of this case");
        }
        self.check_label_in_forall(Span::new(span.lo, span.lo + 4));
        self.check_label_behind_automatic(Span::new(span.lo, span.lo + 4));
        let value = self.cx.value(low).filter(|_| high.is_none());
        let at = self.cx.span(low);
        let Some(switch) = self.here().map(|f| f.switches.last_mut()) else { return };
        let Some(switch) = switch else {
            let word = Span::new(span.lo, span.lo + 4);
            return self.cx.error(Code::BadStatement, word, "`case` outside a switch", "no switch around it");
        };
        let Some(value) = value else { return };
        if let Some(before) = switch.cases.insert(value, at) {
            self.cx.report(
                Diagnostic::error(Code::BadStatement, at, format!("two cases with the value {value}"))
                    .label("the second")
                    .also(before, "the first"),
            );
        }
    }

    fn default_label(&mut self, span: Span) {
        let word = Span::new(span.lo, span.lo + 7);
        self.check_label_in_forall(word);
        self.check_label_behind_automatic(word);
        let Some(switch) = self.here().map(|f| f.switches.last_mut()) else { return };
        let Some(switch) = switch else {
            return self.cx.error(
                Code::BadStatement,
                word,
                "`default` outside a switch",
                "no switch around it",
            );
        };
        if let Some(before) = switch.default.replace(word) {
            self.cx.report(
                Diagnostic::error(Code::BadStatement, word, "two `default`s in one switch")
                    .label("the second")
                    .also(before, "the first"),
            );
        }
    }

    // ---- jumps --------------------------------------------------------------------------------------

    fn label(&mut self, name: &'a Name) {
        let around = self.around();
        let Some(f) = self.here() else { return };
        let before = f.labels.insert(&name.text, (name.span, around));
        let local = f.local_labels;
        if let (Some((before, _)), false) = (before, local) {
            self.cx.report(
                Diagnostic::error(Code::Redeclared, name.span, format!("two labels named `{}`", name.text))
                    .label("the second")
                    .also(before, "the first"),
            );
        }
    }

    fn mention_goto(&mut self, name: &'a Name) {
        let around = self.around();
        if let Some(f) = self.here() {
            f.gotos.push((name, around, true));
        }
    }

    /// The constructs around the present statement.
    fn around(&mut self) -> Around {
        let foralls = self.foralls();
        Around { foralls, automatics: self.here().map_or_else(Vec::new, |f| f.automatics.clone()) }
    }

    /// Reports a jump into the scope of an automatic spread or dist object: it would skip the declaration, at
    /// which all processors allocate the object.
    fn jumps_past(&mut self, at: Span, what: &str, declared: Span) {
        let message = format!("{what} jumps over the declaration of a {} object", self.cx.words().shared);
        self.cx.report(
            Diagnostic::error(Code::BadStatement, at, message)
                .label("the object has no memory there")
                .also(declared, "is allocated here, by all processors together")
                .help("declare it before the jump"),
        );
    }

    /// Reports a `case` or `default` after the declaration of such an object in the switch.
    fn check_label_behind_automatic(&mut self, word: Span) {
        let declared = self.here().and_then(|f| {
            let switch = f.switches.last_mut()?;
            let declared = f.automatics.get(switch.automatics).copied();
            if declared.is_some() {
                switch.automatics = usize::MAX; // one message for a switch
            }
            declared
        });
        if let Some(declared) = declared {
            self.jumps_past(word, "the switch", declared);
        }
    }

    /// `&&label`: the label must exist, but the jumps to it are not seen.
    pub fn mention_label(&mut self, name: &'a Name) {
        let around = self.around();
        if let Some(f) = self.here() {
            f.gotos.push((name, around, false));
        }
    }

    /// Checks that every label that is jumped to exists in the function, or around a nested one.
    pub fn check_gotos(&mut self) {
        let Some(f) = self.here() else { return };
        let gotos = std::mem::take(&mut f.gotos);
        let labels = std::mem::take(&mut f.labels);
        let nested = f.outer.is_some();
        for (name, from, jumps) in gotos {
            match labels.get(&*name.text) {
                Some((_, to)) => {
                    self.check_goto_forall(name, &from.foralls, &to.foralls);
                    let entered = to.automatics.iter().find(|d| !from.automatics.contains(d));
                    if let Some(&declared) = entered.filter(|_| jumps) {
                        self.jumps_past(name.span, "`goto`", declared);
                    }
                }
                None if nested => {}
                None => {
                    let similar = self.cx.similar(&name.text, labels.keys().copied());
                    let mut d = Diagnostic::error(
                        Code::Undeclared,
                        name.span,
                        format!("no label `{}` in this function", name.text),
                    )
                    .label("unknown label");
                    d.help = similar.map(|n| format!("did you mean `{n}`?"));
                    self.cx.report(d);
                }
            }
        }
    }

    fn return_stmt(&mut self, value: Option<ExprId>, span: Span) {
        self.check_return_from_forall(Span::new(span.lo, span.lo + 6));
        let Some(ret) = self.here().map(|f| f.ret) else { return };
        let Some(e) = value else { return };
        let ty = self.rvalue(e);
        if self.cx.out.types.is_void(ret) {
            // gcc warns of a value returned from a void function.
            return;
        }
        let ret: QTy = self.cx.out.types.unqualified(ret);
        convert::convert(&mut self.cx, e, ty, ret, Goal::Return);
    }
}
