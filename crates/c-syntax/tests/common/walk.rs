//! The children of a node, and what must hold of every tree.

use base::Span;
use c_syntax::ast::*;

#[derive(Clone, Copy, Debug)]
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

pub fn span(unit: &Unit, node: Node) -> Span {
    match node {
        Node::Expr(id) => unit.exprs[id].span,
        Node::Stmt(id) => unit.stmts[id].span,
        Node::Decl(id) => unit.decls[id].span,
        Node::Specs(id) => unit.specs[id].span,
        Node::Declarator(id) => unit.declarators[id].span,
        Node::TypeName(id) => unit.type_names[id].span,
        Node::Record(id) => unit.records[id].span,
        Node::Enum(id) => unit.enums[id].span,
        Node::Init(id) => unit.inits[id].span,
    }
}

/// Direct children, in the order of the text but for a declarator's.
pub fn children(unit: &Unit, node: Node) -> Vec<Node> {
    let mut out = Vec::new();
    match node {
        Node::Expr(id) => of_expr(&unit.exprs[id].kind, &mut out),
        Node::Stmt(id) => of_stmt(&unit.stmts[id].kind, &mut out),
        Node::Decl(id) => of_decl(&unit.decls[id].kind, &mut out),
        Node::Specs(id) => of_specs(&unit.specs[id], &mut out),
        Node::Declarator(id) => of_declarator(&unit.declarators[id], &mut out),
        Node::TypeName(id) => {
            let name = &unit.type_names[id];
            out.extend([Node::Specs(name.specs), Node::Declarator(name.declarator)]);
        }
        Node::Record(id) => {
            out.extend(unit.records[id].fields.iter().flatten().map(|&f| Node::Decl(f)));
        }
        Node::Enum(id) => {
            out.extend(unit.enums[id].values.iter().flatten().filter_map(|v| v.1).map(Node::Expr));
        }
        Node::Init(id) => match &unit.inits[id].kind {
            InitKind::Expr(e) => out.push(Node::Expr(*e)),
            InitKind::List(list) => {
                for (designators, init) in list {
                    of_designators(designators, &mut out);
                    out.push(Node::Init(*init));
                }
            }
        },
    }
    out
}

fn of_designators(designators: &[Designator], out: &mut Vec<Node>) {
    for designator in designators {
        match designator {
            Designator::Field(_) => {}
            Designator::Index(a) => out.push(Node::Expr(*a)),
            Designator::Range(a, b) => out.extend([Node::Expr(*a), Node::Expr(*b)]),
        }
    }
}

fn of_expr(kind: &ExprKind, out: &mut Vec<Node>) {
    use ExprKind::*;
    let mut exprs = |list: &[ExprId]| out.extend(list.iter().map(|&e| Node::Expr(e)));
    match kind {
        Ident(_) | Number | Char | String | FuncName | Threads | MyThread => {}
        LabelAddr(_) | HasAttribute | Error => {}
        Paren(a) | Post(_, a) | Pre(_, a) | Unary(_, a) | SizeofExpr(_, a) | Extension(a) => exprs(&[*a]),
        Member { base, .. } => exprs(&[*base]),
        Index(a, b) | Binary(_, a, b) | Assign(_, a, b) | Split(_, a, b) => exprs(&[*a, *b]),
        Call(f, args) => {
            exprs(&[*f]);
            exprs(args);
        }
        Cond(a, b, c) => {
            exprs(&[*a]);
            exprs(b.as_slice());
            exprs(&[*c]);
        }
        Choose(a, b, c) => exprs(&[*a, *b, *c]),
        Cast(ty, a) => out.extend([Node::TypeName(*ty), Node::Expr(*a)]),
        Compound(ty, init) => out.extend([Node::TypeName(*ty), Node::Init(*init)]),
        SizeofType(_, ty) => out.push(Node::TypeName(*ty)),
        Stmts(body) => out.push(Node::Stmt(*body)),
        Generic(control, arms) => {
            exprs(&[*control]);
            for (ty, value) in arms {
                out.extend(ty.map(Node::TypeName));
                out.push(Node::Expr(*value));
            }
        }
        Offsetof(ty, path) => {
            out.push(Node::TypeName(*ty));
            of_designators(path, out);
        }
        VaArg(a, ty) => out.extend([Node::Expr(*a), Node::TypeName(*ty)]),
        ConvertVector(a, ty) => out.extend([Node::Expr(*a), Node::TypeName(*ty)]),
        TypesCompatible(a, b) => out.extend([Node::TypeName(*a), Node::TypeName(*b)]),
    }
}

fn of_init(init: ForInit, out: &mut Vec<Node>) {
    match init {
        ForInit::None => {}
        ForInit::Expr(e) => out.push(Node::Expr(e)),
        ForInit::Decl(d) => out.push(Node::Decl(d)),
    }
}

fn of_stmt(kind: &StmtKind, out: &mut Vec<Node>) {
    use StmtKind::*;
    match kind {
        Goto(_) | Continue | Break | Fence | Opaque | Error => {}
        Decl(decl) => out.push(Node::Decl(*decl)),
        Compound(list) => out.extend(list.iter().map(|&s| Node::Stmt(s))),
        Expr(e) | Return(e) | Barrier(_, e) => out.extend(e.map(Node::Expr)),
        GotoExpr(e) => out.push(Node::Expr(*e)),
        If(c, then, other) => {
            out.extend([Node::Expr(*c), Node::Stmt(*then)]);
            out.extend(other.map(Node::Stmt));
        }
        While(c, body) | Switch(c, body) => out.extend([Node::Expr(*c), Node::Stmt(*body)]),
        Do(body, c) => out.extend([Node::Stmt(*body), Node::Expr(*c)]),
        For { init, cond, step, body } => {
            of_init(*init, out);
            out.extend([*cond, *step].into_iter().flatten().map(Node::Expr));
            out.push(Node::Stmt(*body));
        }
        Forall { init, cond, step, affinity, body } => {
            of_init(*init, out);
            out.extend([*cond, *step].into_iter().flatten().map(Node::Expr));
            if let Affinity::Expr(e) = affinity {
                out.push(Node::Expr(*e));
            }
            out.push(Node::Stmt(*body));
        }
        Case(a, b, body) => {
            out.push(Node::Expr(*a));
            out.extend(b.map(Node::Expr));
            out.push(Node::Stmt(*body));
        }
        Default(body) | Label(_, body) => out.push(Node::Stmt(*body)),
        Asm { operands, .. } => out.extend(operands.iter().map(|o| Node::Expr(o.expr))),
    }
}

fn of_decl(kind: &DeclKind, out: &mut Vec<Node>) {
    match kind {
        DeclKind::Asm | DeclKind::Empty => {}
        DeclKind::StaticAssert { cond, .. } => out.push(Node::Expr(*cond)),
        DeclKind::Vars { specs, items } => {
            out.push(Node::Specs(*specs));
            for item in items {
                out.push(Node::Declarator(item.declarator));
                out.extend(item.width.map(Node::Expr));
                out.extend(item.init.map(Node::Init));
            }
        }
        DeclKind::Function { specs, declarator, kr, body } => {
            out.extend([Node::Specs(*specs), Node::Declarator(*declarator)]);
            out.extend(kr.iter().map(|&d| Node::Decl(d)));
            out.push(Node::Stmt(*body));
        }
    }
}

fn of_quals(quals: &[Qual], out: &mut Vec<Node>) {
    for qual in quals {
        if let QualKind::Shared(Layout::Expr(e)) = qual.kind {
            out.push(Node::Expr(e));
        }
    }
}

fn of_specs(specs: &Specs, out: &mut Vec<Node>) {
    of_quals(&specs.quals, out);
    for ty in &specs.types {
        match ty {
            TypeSpec::Record(id) => out.push(Node::Record(*id)),
            TypeSpec::Enum(id) => out.push(Node::Enum(*id)),
            TypeSpec::TypeofExpr(e, _) => out.push(Node::Expr(*e)),
            TypeSpec::TypeofType(t, _) | TypeSpec::Atomic(t, _) => out.push(Node::TypeName(*t)),
            TypeSpec::Basic(..) | TypeSpec::Typedef(_) | TypeSpec::AutoType(_) => {}
        }
    }
}

fn of_declarator(declarator: &Declarator, out: &mut Vec<Node>) {
    for part in &declarator.parts {
        match part {
            Part::Pointer { quals, .. } => of_quals(quals, out),
            Part::Array { size, quals, .. } => {
                of_quals(quals, out);
                if let ArraySize::Expr(e) = size {
                    out.push(Node::Expr(*e));
                }
            }
            Part::Function { params, .. } => out.extend(params.iter().map(|&d| Node::Decl(d))),
            Part::Block { .. } | Part::Spread { .. } => {}
        }
    }
}

/// All nodes reachable from the unit's items, parents before children.
pub fn all(unit: &Unit) -> Vec<Node> {
    let mut stack: Vec<Node> = unit.items.iter().rev().map(|&d| Node::Decl(d)).collect();
    let mut out = Vec::new();
    while let Some(node) = stack.pop() {
        out.push(node);
        let mut below = children(unit, node);
        below.reverse();
        stack.append(&mut below);
    }
    out
}

/// Checks that spans are exact: inside the parent's, in order, from a token's first byte to a token's last,
/// brackets balanced. Says what is wrong.
pub fn check(unit: &Unit, text: &str) -> Result<(), String> {
    for node in all(unit) {
        let outer = span(unit, node);
        let Some(slice) = text.get(outer.range()) else {
            return Err(format!("{node:?} has the span {outer:?}, which is none of the text"));
        };
        if slice.trim().len() != slice.len() {
            return Err(format!("{node:?} has space around its text: {slice:?}"));
        }
        let mut end = outer.lo;
        for child in children(unit, node) {
            let inner = span(unit, child);
            let ordered = inner.lo >= end || may_be_out_of_order(unit, node);
            if inner.lo < outer.lo || inner.hi > outer.hi || !ordered {
                return Err(format!("{child:?} at {inner:?} is out of place in {node:?} {slice:?}"));
            }
            end = inner.hi;
        }
        names(unit, node).try_for_each(|name| match text.get(name.span.range()) == Some(&*name.text) {
            true => Ok(()),
            false => Err(format!("{name:?} is not what stands there")),
        })?;
    }
    Ok(())
}

/// Declarators are stored inside out, specifiers by kind, and `__builtin_bit_cast` has its type first.
fn may_be_out_of_order(unit: &Unit, node: Node) -> bool {
    match node {
        Node::Declarator(_) | Node::Specs(_) => true,
        Node::Expr(id) => matches!(unit.exprs[id].kind, ExprKind::ConvertVector(..)),
        _ => false,
    }
}

fn names(unit: &Unit, node: Node) -> impl Iterator<Item = &Name> {
    let mut out = Vec::new();
    match node {
        Node::Expr(id) => match &unit.exprs[id].kind {
            ExprKind::Ident(name) | ExprKind::LabelAddr(name) | ExprKind::Member { name, .. } => {
                out.push(name)
            }
            _ => {}
        },
        Node::Stmt(id) => match &unit.stmts[id].kind {
            StmtKind::Label(name, _) | StmtKind::Goto(name) => out.push(name),
            _ => {}
        },
        Node::Declarator(id) => out.extend(&unit.declarators[id].name),
        Node::Record(id) => out.extend(&unit.records[id].tag),
        Node::Enum(id) => {
            out.extend(&unit.enums[id].tag);
            out.extend(unit.enums[id].values.iter().flatten().map(|v| &v.0));
        }
        _ => {}
    }
    out.into_iter()
}
