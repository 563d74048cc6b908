//! Declarations (C17 6.7, UPC 6.5). The type of a name is made of the specifiers (`specs`, `attrs`, `record`)
//! and the declarator (`declarator`). The name enters its scope (`names`) with its initialiser (`init`,
//! `fixed`) or its body (`function`).

mod attrs;
mod declarator;
mod fixed;
mod function;
mod init;
mod names;
mod record;
mod specs;

use crate::checker::Checker;
use crate::constant;
use crate::context::Context;
use base::{Code, Span};
use c_syntax::ast::{DeclId, DeclKind, ExprId};
use c_syntax::visit::{Node, exists};

impl Checker<'_> {
    /// A declaration of file or block scope.
    pub fn declaration(&mut self, id: DeclId) {
        let unit = self.cx.unit;
        match &unit.decls[id].kind {
            DeclKind::Vars { specs, items } => self.variables(*specs, items),
            DeclKind::Function { specs, declarator, kr, body } => {
                self.definition(*specs, *declarator, kr, *body)
            }
            DeclKind::StaticAssert { cond, message } => self.static_assert(*cond, *message),
            DeclKind::Asm | DeclKind::Empty => {}
        }
    }

    fn static_assert(&mut self, cond: ExprId, message: Option<Span>) {
        self.expr(cond);
        if self.cx.truth(cond) == Some(false) {
            let words = message.map_or("", |m| self.cx.text(m)).to_owned();
            let text = if words.is_empty() {
                "static assertion failed".into()
            } else {
                format!("static assertion failed: {words}")
            };
            let span = self.cx.unit.exprs[cond].span;
            self.cx.error(Code::BadStatement, span, text, "is false");
        } else if self.cx.value(cond).is_none()
            && constant::varies(&self.cx, cond).is_none()
            && reads_shared(&self.cx, cond)
        {
            let span = self.cx.unit.exprs[cond].span;
            let message = "the condition of a static assertion is not constant";
            self.cx.error(Code::NotConstant, span, message, "has a shared object in it");
        } else {
            constant::refuse_varying(&mut self.cx, cond, "the condition of a static assertion");
        }
    }
}

fn reads_shared(cx: &Context, e: ExprId) -> bool {
    exists(cx.unit, Node::Expr(e), |e| cx.out.types.is_shared(cx.out.ty(e)))
}
