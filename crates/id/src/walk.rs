//! Visits every expression of a tree, outermost first.

use crate::ast::*;

/// Calls `visit` for the expression and all in it.
pub fn exprs<'a>(e: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    visit(e);
    match &e.kind {
        ExprKind::Apply(f, args) => {
            exprs(f, visit);
            args.iter().for_each(|a| exprs(a, visit));
        }
        ExprKind::Binary(_, a, b) => {
            exprs(a, visit);
            exprs(b, visit);
        }
        ExprKind::Negate(a) | ExprKind::Field(a, ..) => exprs(a, visit),
        ExprKind::Cons { head, tail, .. } => {
            exprs(head, visit);
            exprs(tail, visit);
        }
        ExprKind::Tuple(parts) => parts.iter().for_each(|p| exprs(p, visit)),
        ExprKind::If(c, a, b) => {
            exprs(c, visit);
            exprs(a, visit);
            b.iter().for_each(|b| exprs(b, visit));
        }
        ExprKind::Case(tested, arms) => {
            exprs(tested, visit);
            for arm in arms {
                arm.guard.iter().for_each(|g| exprs(g, visit));
                exprs(&arm.body, visit);
            }
        }
        ExprKind::Block(block) => {
            groups(&block.groups, visit);
            block.result.iter().for_each(|r| exprs(r, visit));
        }
        ExprKind::Loop(l) => {
            match &l.head {
                LoopHead::Range(_, _, r) => range(r, visit),
                LoopHead::List(_, e) | LoopHead::While(e) => exprs(e, visit),
            }
            l.bound.iter().for_each(|b| exprs(b, visit));
            groups(&l.groups, visit);
            l.finally.iter().for_each(|f| exprs(f, visit));
        }
        ExprKind::Fun(clauses) => clauses.iter().for_each(|c| clause(c, visit)),
        ExprKind::Index(base, index, _) => {
            exprs(base, visit);
            index.iter().for_each(|i| exprs(i, visit));
        }
        ExprKind::ListCompr(value, gens) => {
            generators(gens, visit);
            exprs(value, visit);
        }
        ExprKind::ArrayCompr(c) => {
            exprs(&c.bounds, visit);
            c.regions.iter().for_each(|r| region(r, visit));
            if let Some((op, gets)) = &c.accumulate {
                exprs(op, visit);
                gets.iter().for_each(|r| region(r, visit));
            }
        }
        _ => {}
    }
}

fn range<'a>(r: &'a Range, visit: &mut dyn FnMut(&'a Expr)) {
    exprs(&r.from, visit);
    exprs(&r.to, visit);
    r.by.iter().for_each(|b| exprs(b, visit));
}

fn region<'a>(r: &'a Region, visit: &mut dyn FnMut(&'a Expr)) {
    generators(&r.gens, visit);
    r.index.iter().for_each(|i| exprs(i, visit));
    exprs(&r.value, visit);
}

/// All expressions of generators.
pub fn generators<'a>(gens: &'a [Gen], visit: &mut dyn FnMut(&'a Expr)) {
    for g in gens {
        match g {
            Gen::Range(_, r) => range(r, visit),
            Gen::List(_, e) | Gen::Bind(_, e) | Gen::When(e) => exprs(e, visit),
        }
    }
}

/// All expressions of a clause.
pub fn clause<'a>(c: &'a Clause, visit: &mut dyn FnMut(&'a Expr)) {
    c.guard.iter().for_each(|g| exprs(g, visit));
    exprs(&c.body, visit);
}

/// All expressions of groups of statements.
pub fn groups<'a>(groups: &'a [Vec<Stmt>], visit: &mut dyn FnMut(&'a Expr)) {
    groups.iter().flatten().for_each(|s| stmt(s, visit));
}

/// All expressions of a statement.
pub fn stmt<'a>(s: &'a Stmt, visit: &mut dyn FnMut(&'a Expr)) {
    match s {
        Stmt::Def(def) => def.clauses.iter().for_each(|c| clause(c, visit)),
        Stmt::Bind { lhs, value, .. } => {
            for l in lhs {
                match l {
                    Lhs::Store { base, index, .. } => {
                        exprs(base, visit);
                        index.iter().for_each(|i| exprs(i, visit));
                    }
                    Lhs::StoreField { base, .. } => exprs(base, visit),
                    _ => {}
                }
            }
            exprs(value, visit);
        }
        Stmt::Do(e) => exprs(e, visit),
        Stmt::TypeOf(..) => {}
    }
}
