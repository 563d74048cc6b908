//! The visitor of the tree. Only this file lists the children of each kind of node.
//!
//! To search a tree, implement [`Visitor`], override the methods of the nodes of interest, and go on below
//! them with the `walk_…` function of the same name. Nodes whose methods are not overridden are walked.
//! Children come in the order of the text, except those of specifiers (by kind) and of declarators (from the
//! name outwards). [`children`] and [`exists`] serve callers that need only a list or an answer.
//!
//! Not walked: expressions among the arguments of attributes, which are the C compiler's.

use crate::ast::*;
use base::Span;

/// Any node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Node {
    Expr(ExprId),
    Stmt(StmtId),
    Decl(DeclId),
    Specs(SpecsId),
    Declarator(DeclaratorId),
    TypeName(TypeNameId),
    Record(RecordSpecId),
    Enum(EnumSpecId),
    Init(InitId),
}

impl Unit {
    /// The text that a node was read from.
    pub fn span(&self, node: Node) -> Span {
        match node {
            Node::Expr(id) => self.exprs[id].span,
            Node::Stmt(id) => self.stmts[id].span,
            Node::Decl(id) => self.decls[id].span,
            Node::Specs(id) => self.specs[id].span,
            Node::Declarator(id) => self.declarators[id].span,
            Node::TypeName(id) => self.type_names[id].span,
            Node::Record(id) => self.records[id].span,
            Node::Enum(id) => self.enums[id].span,
            Node::Init(id) => self.inits[id].span,
        }
    }
}

/// A walk over a tree, parents before children. The default of each method walks below its node.
#[allow(missing_docs)]
pub trait Visitor<'a> {
    /// The tree.
    fn unit(&self) -> &'a Unit;

    fn expr(&mut self, e: ExprId) {
        walk_expr(self, e);
    }
    /// An operand that is not evaluated, only its type counts: of `sizeof`, `typeof`, `_Generic`.
    fn unevaluated(&mut self, e: ExprId) {
        self.expr(e);
    }
    fn stmt(&mut self, s: StmtId) {
        walk_stmt(self, s);
    }
    fn decl(&mut self, d: DeclId) {
        walk_decl(self, d);
    }
    fn specs(&mut self, s: SpecsId) {
        walk_specs(self, s);
    }
    fn declarator(&mut self, d: DeclaratorId) {
        walk_declarator(self, d);
    }
    fn type_name(&mut self, t: TypeNameId) {
        walk_type_name(self, t);
    }
    fn record(&mut self, r: RecordSpecId) {
        walk_record(self, r);
    }
    fn enumeration(&mut self, e: EnumSpecId) {
        walk_enumeration(self, e);
    }
    fn init(&mut self, i: InitId) {
        walk_init(self, i);
    }

    /// Any node, by its kind.
    fn node(&mut self, node: Node) {
        match node {
            Node::Expr(id) => self.expr(id),
            Node::Stmt(id) => self.stmt(id),
            Node::Decl(id) => self.decl(id),
            Node::Specs(id) => self.specs(id),
            Node::Declarator(id) => self.declarator(id),
            Node::TypeName(id) => self.type_name(id),
            Node::Record(id) => self.record(id),
            Node::Enum(id) => self.enumeration(id),
            Node::Init(id) => self.init(id),
        }
    }
}

/// Visits the children of a node of any kind.
pub fn walk<'a, V: Visitor<'a> + ?Sized>(v: &mut V, node: Node) {
    match node {
        Node::Expr(id) => walk_expr(v, id),
        Node::Stmt(id) => walk_stmt(v, id),
        Node::Decl(id) => walk_decl(v, id),
        Node::Specs(id) => walk_specs(v, id),
        Node::Declarator(id) => walk_declarator(v, id),
        Node::TypeName(id) => walk_type_name(v, id),
        Node::Record(id) => walk_record(v, id),
        Node::Enum(id) => walk_enumeration(v, id),
        Node::Init(id) => walk_init(v, id),
    }
}

/// Visits the operands of an expression.
pub fn walk_expr<'a, V: Visitor<'a> + ?Sized>(v: &mut V, e: ExprId) {
    use ExprKind::*;
    match &v.unit().exprs[e].kind {
        Ident(_) | Number | Char | String | FuncName | Threads | MyThread => {}
        LabelAddr(_) | HasAttribute | Error => {}
        Paren(a) | Post(_, a) | Pre(_, a) | Unary(_, a) | Extension(a) => v.expr(*a),
        SizeofExpr(_, a) => v.unevaluated(*a),
        Member { base, .. } => v.expr(*base),
        Index(a, b) | Binary(_, a, b) | Assign(_, a, b) | Split(_, a, b) => {
            v.expr(*a);
            v.expr(*b);
        }
        Call(f, args) => {
            v.expr(*f);
            args.iter().for_each(|&arg| v.expr(arg));
        }
        Cond(a, b, c) => {
            v.expr(*a);
            b.iter().for_each(|&b| v.expr(b));
            v.expr(*c);
        }
        Choose(a, b, c) => [a, b, c].into_iter().for_each(|&e| v.expr(e)),
        Cast(ty, a) => {
            v.type_name(*ty);
            v.expr(*a);
        }
        Compound(ty, init) => {
            v.type_name(*ty);
            v.init(*init);
        }
        SizeofType(_, ty) => v.type_name(*ty),
        Stmts(body) => v.stmt(*body),
        Generic(control, arms) => {
            v.unevaluated(*control);
            for (ty, value) in arms {
                ty.iter().for_each(|&ty| v.type_name(ty));
                v.expr(*value);
            }
        }
        Offsetof(ty, path) => {
            v.type_name(*ty);
            walk_designators(v, path);
        }
        VaArg(a, ty) | ConvertVector(a, ty) => {
            v.expr(*a);
            v.type_name(*ty);
        }
        TypesCompatible(a, b) => {
            v.type_name(*a);
            v.type_name(*b);
        }
    }
}

/// Visits the expressions in designators.
pub fn walk_designators<'a, V: Visitor<'a> + ?Sized>(v: &mut V, designators: &[Designator]) {
    for designator in designators {
        match designator {
            Designator::Field(_) => {}
            Designator::Index(a) => v.expr(*a),
            Designator::Range(a, b) => {
                v.expr(*a);
                v.expr(*b);
            }
        }
    }
}

/// Visits the parts of a statement.
pub fn walk_stmt<'a, V: Visitor<'a> + ?Sized>(v: &mut V, s: StmtId) {
    use StmtKind::*;
    match &v.unit().stmts[s].kind {
        Goto(_) | Continue | Break | Fence | Opaque | Error => {}
        Decl(decl) => v.decl(*decl),
        Compound(list) => list.iter().for_each(|&s| v.stmt(s)),
        Expr(e) | Return(e) | Barrier(_, e) => e.iter().for_each(|&e| v.expr(e)),
        GotoExpr(e) => v.expr(*e),
        If(c, then, other) => {
            v.expr(*c);
            v.stmt(*then);
            other.iter().for_each(|&s| v.stmt(s));
        }
        While(c, body) | Switch(c, body) => {
            v.expr(*c);
            v.stmt(*body);
        }
        Do(body, c) => {
            v.stmt(*body);
            v.expr(*c);
        }
        For { init, cond, step, body } => {
            walk_for_init(v, *init);
            [cond, step].into_iter().flatten().for_each(|&e| v.expr(e));
            v.stmt(*body);
        }
        Forall { init, cond, step, affinity, body } => {
            walk_for_init(v, *init);
            [cond, step].into_iter().flatten().for_each(|&e| v.expr(e));
            if let Affinity::Expr(e) = affinity {
                v.expr(*e);
            }
            v.stmt(*body);
        }
        Case(a, b, body) => {
            v.expr(*a);
            b.iter().for_each(|&b| v.expr(b));
            v.stmt(*body);
        }
        Default(body) | Label(_, body) => v.stmt(*body),
        Asm { operands, .. } => operands.iter().for_each(|operand| v.expr(operand.expr)),
    }
}

/// Visits the first clause of a `for` or `upc_forall`.
pub fn walk_for_init<'a, V: Visitor<'a> + ?Sized>(v: &mut V, init: ForInit) {
    match init {
        ForInit::None => {}
        ForInit::Expr(e) => v.expr(e),
        ForInit::Decl(d) => v.decl(d),
    }
}

/// Visits the parts of a declaration.
pub fn walk_decl<'a, V: Visitor<'a> + ?Sized>(v: &mut V, d: DeclId) {
    match &v.unit().decls[d].kind {
        DeclKind::Asm | DeclKind::Empty => {}
        DeclKind::StaticAssert { cond, .. } => v.expr(*cond),
        DeclKind::Vars { specs, items } => {
            v.specs(*specs);
            for item in items {
                v.declarator(item.declarator);
                item.width.iter().for_each(|&width| v.expr(width));
                item.init.iter().for_each(|&init| v.init(init));
            }
        }
        DeclKind::Function { specs, declarator, kr, body } => {
            v.specs(*specs);
            v.declarator(*declarator);
            kr.iter().for_each(|&d| v.decl(d));
            v.stmt(*body);
        }
    }
}

fn walk_quals<'a, V: Visitor<'a> + ?Sized>(v: &mut V, quals: &[Qual]) {
    for qual in quals {
        if let QualKind::Shared(Layout::Expr(e)) = qual.kind {
            v.expr(e);
        }
    }
}

/// Visits block sizes and types that are written out in declaration specifiers.
pub fn walk_specs<'a, V: Visitor<'a> + ?Sized>(v: &mut V, s: SpecsId) {
    let specs = &v.unit().specs[s];
    walk_quals(v, &specs.quals);
    for ty in &specs.types {
        match ty {
            TypeSpec::Record(id) => v.record(*id),
            TypeSpec::Enum(id) => v.enumeration(*id),
            TypeSpec::TypeofExpr(e, _) => v.unevaluated(*e),
            TypeSpec::TypeofType(t, _) | TypeSpec::Atomic(t, _) => v.type_name(*t),
            TypeSpec::Basic(..) | TypeSpec::Typedef(_) | TypeSpec::AutoType(_) => {}
        }
    }
    for alignas in &specs.alignas {
        match alignas.of {
            Alignment::Expr(e) => v.unevaluated(e),
            Alignment::Type(t) => v.type_name(t),
        }
    }
}

/// Visits block sizes, bounds and parameters of a declarator.
pub fn walk_declarator<'a, V: Visitor<'a> + ?Sized>(v: &mut V, d: DeclaratorId) {
    for part in &v.unit().declarators[d].parts {
        match part {
            Part::Pointer { quals, .. } => walk_quals(v, quals),
            Part::Array { size, quals, .. } => {
                walk_quals(v, quals);
                if let ArraySize::Expr(e) = size {
                    v.expr(*e);
                }
            }
            Part::Function { params, .. } => params.iter().for_each(|&d| v.decl(d)),
            Part::Block { .. } | Part::Spread { .. } => {}
        }
    }
}

/// Visits the specifiers and the declarator of a type name.
pub fn walk_type_name<'a, V: Visitor<'a> + ?Sized>(v: &mut V, t: TypeNameId) {
    let name = &v.unit().type_names[t];
    v.specs(name.specs);
    v.declarator(name.declarator);
}

/// Visits the members of a struct or union.
pub fn walk_record<'a, V: Visitor<'a> + ?Sized>(v: &mut V, r: RecordSpecId) {
    v.unit().records[r].fields.iter().flatten().for_each(|&field| v.decl(field));
}

/// Visits the values of an enumeration.
pub fn walk_enumeration<'a, V: Visitor<'a> + ?Sized>(v: &mut V, e: EnumSpecId) {
    v.unit().enums[e].values.iter().flatten().filter_map(|value| value.1).for_each(|e| v.expr(e));
}

/// Visits the expressions and lists of an initialiser, with its designators.
pub fn walk_init<'a, V: Visitor<'a> + ?Sized>(v: &mut V, i: InitId) {
    match &v.unit().inits[i].kind {
        InitKind::Expr(e) => v.expr(*e),
        InitKind::List(list) => {
            for (designators, init) in list {
                walk_designators(v, designators);
                v.init(*init);
            }
        }
    }
}

/// The nodes directly under a node.
pub fn children(unit: &Unit, node: Node) -> Vec<Node> {
    struct Children<'a>(&'a Unit, Vec<Node>);
    impl<'a> Visitor<'a> for Children<'a> {
        fn unit(&self) -> &'a Unit {
            self.0
        }
        fn expr(&mut self, e: ExprId) {
            self.1.push(Node::Expr(e));
        }
        fn stmt(&mut self, s: StmtId) {
            self.1.push(Node::Stmt(s));
        }
        fn decl(&mut self, d: DeclId) {
            self.1.push(Node::Decl(d));
        }
        fn specs(&mut self, s: SpecsId) {
            self.1.push(Node::Specs(s));
        }
        fn declarator(&mut self, d: DeclaratorId) {
            self.1.push(Node::Declarator(d));
        }
        fn type_name(&mut self, t: TypeNameId) {
            self.1.push(Node::TypeName(t));
        }
        fn record(&mut self, r: RecordSpecId) {
            self.1.push(Node::Record(r));
        }
        fn enumeration(&mut self, e: EnumSpecId) {
            self.1.push(Node::Enum(e));
        }
        fn init(&mut self, i: InitId) {
            self.1.push(Node::Init(i));
        }
    }
    let mut below = Children(unit, Vec::new());
    walk(&mut below, node);
    below.1
}

/// Calls `each` for every expression in a node, the node itself included, parents before their operands. If
/// `each` returns false, the walk leaves out the operands of that expression.
pub fn each_expr(unit: &Unit, node: Node, each: impl FnMut(ExprId) -> bool) {
    struct Each<'a, F>(&'a Unit, F);
    impl<'a, F: FnMut(ExprId) -> bool> Visitor<'a> for Each<'a, F> {
        fn unit(&self) -> &'a Unit {
            self.0
        }
        fn expr(&mut self, e: ExprId) {
            if (self.1)(e) {
                walk_expr(self, e);
            }
        }
    }
    Each(unit, each).node(node);
}

/// Whether `is` returns true for some expression in a node, the node itself included.
pub fn exists(unit: &Unit, node: Node, mut is: impl FnMut(ExprId) -> bool) -> bool {
    let mut found = false;
    each_expr(unit, node, |e| {
        found = found || is(e);
        !found
    });
    found
}

/// Whether evaluating an expression may assign something, call, or run statements.
pub fn has_effects(unit: &Unit, e: ExprId) -> bool {
    use ExprKind::*;
    let acts = |e| {
        matches!(
            unit.exprs[e].kind,
            Assign(..) | Split(..) | Pre(..) | Post(..) | Call(..) | Stmts(_) | Error
        )
    };
    exists(unit, Node::Expr(e), acts)
}
