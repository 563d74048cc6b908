//! Statements (C17 6.8): their scopes, and the values of conditions, cases and returns. Jumps and labels are
//! judged by [`crate::function`].

mod sync;

use crate::checker::Checker;
use crate::constant;
use crate::context::words::Goal;
use crate::expr::{convert, operators};
use crate::function::Loop;
use crate::types::QTy;
use crate::upc::{forall_body, suspect};
use base::{Code, Diagnostic, Span};
use c_syntax::ast::{AsmOperand, ExprId, ForInit, StmtId, StmtKind};

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
                let automatics = self.function.as_ref().map_or(0, |f| f.automatics());
                for &s in stmts {
                    self.stmt(s);
                }
                forall_body::check_indentation(&mut self.cx, stmts);
                if let Some(f) = &mut self.function {
                    f.close_block(automatics);
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
            StmtKind::Default(body) | StmtKind::Label(_, body) => {
                self.jump_or_label(id, span);
                self.stmt(*body);
            }
            StmtKind::Goto(_) | StmtKind::Continue | StmtKind::Break | StmtKind::Opaque => {
                self.jump_or_label(id, span);
            }
            StmtKind::GotoExpr(e) => {
                self.expr(*e);
            }
            StmtKind::Return(value) => self.return_stmt(*value, span),
            StmtKind::Asm { operands, jumps } => {
                for &operand in operands {
                    self.asm_operand(operand, *jumps);
                }
            }
            StmtKind::Barrier(kind, value) => self.barrier(*kind, *value, span),
            StmtKind::Fence | StmtKind::Error => {}
        }
    }

    /// Checks a jump or a label, by the rules of the function around it.
    fn jump_or_label(&mut self, id: StmtId, span: Span) {
        let Some(f) = &mut self.function else { return };
        let cx = &mut self.cx;
        match &cx.unit.stmts[id].kind {
            StmtKind::Default(_) => f.default_label(cx, Span::new(span.lo, span.lo + 7)),
            StmtKind::Label(name, _) => f.label(cx, name),
            StmtKind::Goto(name) => f.mention_label(name, true),
            StmtKind::Continue => f.check_continue(cx, span),
            StmtKind::Break => f.check_break(cx, span),
            StmtKind::Opaque if cx.text(span).trim_start().starts_with("__label__") => f.allow_local_labels(),
            _ => {}
        }
    }

    /// Checks an operand of `asm`. A shared output on another host is written after the statement, which a
    /// jump out of it would skip.
    fn asm_operand(&mut self, operand: AsmOperand, jumps: bool) {
        let ty = self.expr(operand.expr);
        if jumps && operand.writes && self.cx.out.types.is_shared(ty) {
            let span = self.cx.unit.exprs[operand.expr].span;
            let message = format!("a {} object cannot be an output of `asm goto`", self.cx.words().shared);
            let help = "let the assembly write a private variable, and assign the variable to the object";
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
                let number = self.function.as_mut().map_or(0, |f| f.next_forall());
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
        if let Some(f) = &mut self.function {
            f.enter_loop(what);
        }
        self.block(body);
        if let Some(f) = &mut self.function {
            f.leave_loop();
        }
    }

    fn condition(&mut self, e: ExprId) {
        let ty = self.rvalue(e);
        suspect::check_assigned_condition(&mut self.cx, e);
        operators::check_condition(&mut self.cx, e, ty);
    }

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
        if let Some(f) = &mut self.function {
            f.enter_switch();
        }
        self.in_loop(Loop::Switch, body);
        if let Some(f) = &mut self.function {
            f.leave_switch();
        }
    }

    fn case(&mut self, low: ExprId, high: Option<ExprId>, span: Span) {
        for e in [Some(low), high].into_iter().flatten() {
            self.expr(e);
            constant::refuse_varying(&mut self.cx, e, "the value of this case");
        }
        let value = self.cx.value(low).filter(|_| high.is_none());
        let at = self.cx.span(low);
        if let Some(f) = &mut self.function {
            f.case(&mut self.cx, Span::new(span.lo, span.lo + 4), value, at);
        }
    }

    fn return_stmt(&mut self, value: Option<ExprId>, span: Span) {
        let Some(f) = &self.function else { return };
        f.check_return(&mut self.cx, Span::new(span.lo, span.lo + 6));
        let ret = f.ret();
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
