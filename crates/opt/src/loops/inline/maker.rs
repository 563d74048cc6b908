//! Statements and expressions without a text of their own, as they stand around and in copies of functions'
//! bodies: declarations of variables, assignments and tests of these.

use crate::ir::tree::Tree;
use base::Span;
use c_sema::typed::{SymId, SymKind, Symbol};
use c_sema::types::{IntKind, QTy};
use c_syntax::ast::*;

/// Makes statements and expressions without a text of their own.
pub(super) struct Maker<'t> {
    pub(super) tree: &'t mut Tree,
    /// The place in the text of the made statements and expressions.
    pub(super) text: Span,
}

impl Maker<'_> {
    /// Where the text begins.
    fn begin(&self) -> Span {
        Span::new(self.text.lo, self.text.lo)
    }

    pub(super) fn stmt(&mut self, kind: StmtKind) -> StmtId {
        let s = self.tree.unit.stmts.add(Stmt { span: self.text, at: self.text, kind });
        self.tree.made.insert(s);
        s
    }

    fn expr(&mut self, span: Span, kind: ExprKind, ty: QTy) -> ExprId {
        self.tree.add_expr(Expr { span, at: span, kind }, ty)
    }

    fn int(&mut self) -> QTy {
        self.tree.typed.types.int(IntKind::Int)
    }

    pub(super) fn number(&mut self, value: i128) -> ExprId {
        let int = self.int();
        let e = self.expr(self.begin(), ExprKind::Number, int);
        self.tree.typed.constant_added(e, value);
        e
    }

    pub(super) fn name(&mut self, sym: SymId) -> ExprId {
        self.tree.add_name(sym, self.text, self.text)
    }

    /// `sym = value;`
    pub(super) fn assign(&mut self, sym: SymId, value: ExprId) -> StmtId {
        let (target, ty) = (self.name(sym), self.tree.typed.sym(sym).ty);
        let ty = self.tree.typed.types.unqualified(ty);
        let e = self.expr(self.text, ExprKind::Assign(None, target, value), ty);
        self.stmt(StmtKind::Expr(Some(e)))
    }

    /// A variable that takes the place of a parameter, and the statement that declares it.
    pub(super) fn parameter(&mut self, name: String, of: SymId, value: ExprId) -> (SymId, StmtId) {
        let Symbol { ty, address_taken, .. } = *self.tree.typed.sym(of);
        self.declare(name, ty, address_taken, Some(value))
    }

    fn declare(
        &mut self,
        name: String,
        ty: QTy,
        address_taken: bool,
        value: Option<ExprId>,
    ) -> (SymId, StmtId) {
        let span = self.begin();
        let unit = &mut self.tree.unit;
        let named = Name { text: name.clone().into(), span };
        let declarator = Declarator { span, name: Some(named), parts: Vec::new(), attrs: Vec::new() };
        let declarator = unit.declarators.add(declarator);
        let init = value.map(|e| unit.inits.add(Init { span: unit.exprs[e].span, kind: InitKind::Expr(e) }));
        let item = InitDeclarator { span, declarator, width: None, asm_label: None, attrs: Vec::new(), init };
        let specs = unit.specs.add(Specs { span, ..Specs::default() });
        let d = unit.decls.add(Decl { span, kind: DeclKind::Vars { specs, items: vec![item] } });
        self.tree.typed.specs_are(specs, ty);
        let (name, kind) = (name.into(), SymKind::Auto);
        let symbol = Symbol { name, kind, ty, span, file_scope: false, address_taken };
        let sym = self.tree.typed.add_symbol(symbol);
        self.tree.typed.declare(declarator, ty, Some(sym));
        (sym, self.stmt(StmtKind::Decl(d)))
    }

    /// Declares the variable of a function's value. If C compilers may not see where it is set (`unseen`), it
    /// is 0 at first, since they would warn.
    pub(super) fn value(&mut self, name: String, ty: QTy, unseen: bool) -> (SymId, StmtId) {
        let first = (unseen && self.tree.typed.types.is_scalar(ty)).then(|| self.number(0));
        self.declare(name, ty, false, first)
    }

    /// `int name = 1;`
    pub(super) fn flag(&mut self, name: String) -> (SymId, StmtId) {
        let (int, one) = (self.int(), self.number(1));
        self.declare(name, int, false, Some(one))
    }
}
