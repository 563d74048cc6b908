//! Adding nodes to the tree, with the heights of their subtrees.

use super::{MAX_HEIGHT, Parser, Res};
use crate::ast::*;
use base::{Code, Diagnostic, Span};

impl Parser<'_> {
    /// Adds an expression. Fails if the tree would be higher than [`MAX_HEIGHT`].
    pub(super) fn expr(&mut self, span: Span, kind: ExprKind) -> Res<ExprId> {
        let height = 1 + self.height_under(&kind);
        self.check_height(height, span)?;
        self.tallest = self.tallest.max(height);
        self.expr_heights.push(height);
        Ok(self.unit.exprs.add(Expr { span, at: span, kind }))
    }

    /// Adds a statement. Fails if the tree would be higher than [`MAX_HEIGHT`].
    pub(super) fn stmt(&mut self, span: Span, kind: StmtKind) -> Res<StmtId> {
        let height = 1 + self.height_under_stmt(&kind);
        self.check_height(height, span)?;
        self.tallest = self.tallest.max(height);
        self.stmt_heights.push(height);
        Ok(self.unit.stmts.add(Stmt { span, at: span, kind }))
    }

    /// Adds an error node for reported text.
    pub(super) fn error_expr(&mut self, span: Span) -> ExprId {
        self.expr_heights.push(1);
        self.unit.exprs.add(Expr { span, at: span, kind: ExprKind::Error })
    }

    /// Adds an error node for reported text.
    pub(super) fn error_stmt(&mut self, span: Span) -> StmtId {
        self.stmt_heights.push(1);
        self.unit.stmts.add(Stmt { span, at: span, kind: StmtKind::Error })
    }

    /// Adds a declaration, read by `read`.
    pub(super) fn measured_decl(&mut self, read: impl FnOnce(&mut Self) -> Res<Decl>) -> Res<DeclId> {
        let (decl, height) = self.measured(read)?;
        self.decl_heights.push(height);
        Ok(self.unit.decls.add(decl))
    }

    /// Adds a type name, read by `read`.
    pub(super) fn measured_type(&mut self, read: impl FnOnce(&mut Self) -> Res<TypeName>) -> Res<TypeNameId> {
        let (name, height) = self.measured(read)?;
        self.type_heights.push(height);
        Ok(self.unit.type_names.add(name))
    }

    /// Adds an initialiser, read by `read`.
    pub(super) fn measured_init(&mut self, read: impl FnOnce(&mut Self) -> Res<Init>) -> Res<InitId> {
        let (init, height) = self.measured(read)?;
        self.init_heights.push(height);
        Ok(self.unit.inits.add(init))
    }

    /// The result of `read`, and the height of the tallest expression or statement that it added.
    fn measured<T>(&mut self, read: impl FnOnce(&mut Self) -> Res<T>) -> Res<(T, u32)> {
        let outer = std::mem::take(&mut self.tallest);
        let result = read(self);
        let height = self.tallest;
        self.tallest = outer.max(height);
        Ok((result?, height))
    }

    pub(super) fn span_of(&self, expr: ExprId) -> Span {
        self.unit.exprs[expr].span
    }

    pub(super) fn stmt_span(&self, stmt: StmtId) -> Span {
        self.unit.stmts[stmt].span
    }

    fn check_height(&mut self, height: u32, span: Span) -> Res<()> {
        if height <= MAX_HEIGHT {
            return Ok(());
        }
        let message = format!("more than {MAX_HEIGHT} operators or statements are chained here");
        let diagnostic = Diagnostic::error(Code::TooDeep, self.end_of(span), message);
        self.give_up(diagnostic.help("divide the chain into several"))
    }

    fn e(&self, expr: ExprId) -> u32 {
        self.expr_heights[expr.index()]
    }

    fn s(&self, stmt: StmtId) -> u32 {
        self.stmt_heights[stmt.index()]
    }

    fn t(&self, ty: TypeNameId) -> u32 {
        self.type_heights[ty.index()]
    }

    fn loop_height(&self, init: ForInit, clauses: [Option<ExprId>; 3]) -> u32 {
        let init = match init {
            ForInit::None => 0,
            ForInit::Expr(e) => self.e(e),
            ForInit::Decl(decl) => self.decl_heights[decl.index()],
        };
        init.max(self.all(clauses.iter().flatten()))
    }

    fn all<'a>(&self, exprs: impl IntoIterator<Item = &'a ExprId>) -> u32 {
        exprs.into_iter().map(|&x| self.e(x)).max().unwrap_or(0)
    }

    fn height_under(&self, kind: &ExprKind) -> u32 {
        use ExprKind::*;
        match kind {
            Ident(_) | Number | Char | String | FuncName | Threads | MyThread => 0,
            LabelAddr(_) | HasAttribute | Error => 0,
            Paren(a) | Post(_, a) | Pre(_, a) | Unary(_, a) | SizeofExpr(_, a) | Extension(a) => self.e(*a),
            Cast(ty, a) | VaArg(a, ty) | ConvertVector(a, ty) => self.e(*a).max(self.t(*ty)),
            SizeofType(_, ty) => self.t(*ty),
            TypesCompatible(a, b) => self.t(*a).max(self.t(*b)),
            Compound(ty, init) => self.t(*ty).max(self.init_heights[init.index()]),
            Offsetof(ty, path) => path.iter().fold(self.t(*ty), |most, step| match step {
                Designator::Field(_) => most,
                Designator::Index(a) => most.max(self.e(*a)),
                Designator::Range(a, b) => most.max(self.all([a, b])),
            }),
            Member { base, .. } => self.e(*base),
            Index(a, b) | Binary(_, a, b) | Assign(_, a, b) | Split(_, a, b) => self.all([a, b]),
            Call(callee, args) => self.e(*callee).max(self.all(args)),
            Cond(c, None, b) => self.all([c, b]),
            Cond(c, Some(a), b) | Choose(c, a, b) => self.all([c, a, b]),
            Generic(control, arms) => arms.iter().fold(self.e(*control), |most, (ty, value)| {
                most.max(self.e(*value)).max(ty.map_or(0, |ty| self.t(ty)))
            }),
            Stmts(body) => self.s(*body),
        }
    }

    fn height_under_stmt(&self, kind: &StmtKind) -> u32 {
        use StmtKind::*;
        match kind {
            Decl(decl) => self.decl_heights[decl.index()],
            Goto(_) | Continue | Break | Fence | Opaque | Error => 0,
            Expr(None) | Return(None) | Barrier(_, None) => 0,
            Expr(Some(e)) | Return(Some(e)) | Barrier(_, Some(e)) | GotoExpr(e) => self.e(*e),
            Compound(stmts) => stmts.iter().map(|&x| self.s(x)).max().unwrap_or(0),
            If(c, then, None) => self.e(*c).max(self.s(*then)),
            If(c, then, Some(other)) => self.e(*c).max(self.s(*then)).max(self.s(*other)),
            While(c, body) | Do(body, c) | Switch(c, body) => self.e(*c).max(self.s(*body)),
            For { init, cond, step, body } => {
                self.loop_height(*init, [*cond, *step, None]).max(self.s(*body))
            }
            Forall { init, cond, step, affinity, body } => {
                let affinity = if let Affinity::Expr(e) = affinity { Some(*e) } else { None };
                self.loop_height(*init, [*cond, *step, affinity]).max(self.s(*body))
            }
            Case(lo, hi, body) => self.e(*lo).max(self.all(hi)).max(self.s(*body)),
            Default(body) | Label(_, body) => self.s(*body),
            Asm { operands, .. } => operands.iter().map(|o| self.e(o.expr)).max().unwrap_or(0),
        }
    }
}
