//! Visits every expression of a tree, outermost first.

use crate::stack::with_stack;
use crate::syntax::ast::*;

/// Calls `visit` for the expression and all in it.
pub fn exprs<'a>(e: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    with_stack(|| {
        visit(e);
        children(&e.kind, &mut |inner| exprs(inner, visit));
    });
}

/// Calls `visit` for the expressions directly in an expression of this kind.
pub fn children<'a>(kind: &'a ExprKind, visit: &mut dyn FnMut(&'a Expr)) {
    match kind {
        ExprKind::Apply(f, args) => {
            visit(f);
            args.iter().for_each(visit);
        }
        ExprKind::Binary(_, a, b) => {
            visit(a);
            visit(b);
        }
        ExprKind::Negate(a) | ExprKind::Field(a, ..) => visit(a),
        ExprKind::Cons { head, tail, .. } => {
            visit(head);
            visit(tail);
        }
        ExprKind::Tuple(parts) => parts.iter().for_each(visit),
        ExprKind::If(c, a, b) => {
            visit(c);
            visit(a);
            b.iter().for_each(|b| visit(b));
        }
        ExprKind::Case(tested, arms) => {
            visit(tested);
            for arm in arms {
                arm.guard.iter().for_each(&mut *visit);
                visit(&arm.body);
            }
        }
        ExprKind::Block(block) => {
            in_groups(&block.groups, visit);
            block.result.iter().for_each(|r| visit(r));
        }
        ExprKind::Loop(l) => {
            match &l.head {
                LoopHead::Range(_, _, r) => range(r, visit),
                LoopHead::List(_, e) | LoopHead::While(e) => visit(e),
            }
            l.bound.iter().for_each(&mut *visit);
            in_groups(&l.groups, visit);
            l.finally.iter().for_each(visit);
        }
        ExprKind::Fun(clauses) => clauses.iter().for_each(|c| in_clause(c, visit)),
        ExprKind::Index(base, index, _) => {
            visit(base);
            index.iter().for_each(&mut *visit);
        }
        ExprKind::ListCompr(value, gens) => {
            in_generators(gens, visit);
            visit(value);
        }
        ExprKind::ArrayCompr(c) => {
            visit(&c.bounds);
            c.regions.iter().for_each(|r| region(r, visit));
            if let Some((op, gets)) = &c.accumulate {
                visit(op);
                gets.iter().for_each(|r| region(r, visit));
            }
        }
        _ => {}
    }
}

fn range<'a>(r: &'a Range, visit: &mut dyn FnMut(&'a Expr)) {
    visit(&r.from);
    visit(&r.to);
    r.by.iter().for_each(visit);
}

fn region<'a>(r: &'a Region, visit: &mut dyn FnMut(&'a Expr)) {
    in_generators(&r.gens, visit);
    r.index.iter().for_each(&mut *visit);
    visit(&r.value);
}

/// All expressions of generators.
pub fn generators<'a>(gens: &'a [Gen], visit: &mut dyn FnMut(&'a Expr)) {
    in_generators(gens, &mut |e| exprs(e, visit));
}

fn in_generators<'a>(gens: &'a [Gen], visit: &mut dyn FnMut(&'a Expr)) {
    for g in gens {
        match g {
            Gen::Range(_, r) => range(r, visit),
            Gen::List(_, e) | Gen::Bind(_, e) | Gen::When(e) => visit(e),
        }
    }
}

/// All expressions of a clause.
pub fn clause<'a>(c: &'a Clause, visit: &mut dyn FnMut(&'a Expr)) {
    in_clause(c, &mut |e| exprs(e, visit));
}

fn in_clause<'a>(c: &'a Clause, visit: &mut dyn FnMut(&'a Expr)) {
    c.guard.iter().for_each(&mut *visit);
    visit(&c.body);
}

/// All expressions of groups of statements.
pub fn groups<'a>(groups: &'a [Vec<Stmt>], visit: &mut dyn FnMut(&'a Expr)) {
    in_groups(groups, &mut |e| exprs(e, visit));
}

fn in_groups<'a>(groups: &'a [Vec<Stmt>], visit: &mut dyn FnMut(&'a Expr)) {
    groups.iter().flatten().for_each(|s| in_stmt(s, visit));
}

/// All expressions of a statement.
pub fn stmt<'a>(s: &'a Stmt, visit: &mut dyn FnMut(&'a Expr)) {
    in_stmt(s, &mut |e| exprs(e, visit));
}

fn in_stmt<'a>(s: &'a Stmt, visit: &mut dyn FnMut(&'a Expr)) {
    match s {
        Stmt::Def(def) => def.clauses.iter().for_each(|c| in_clause(c, visit)),
        Stmt::Bind { lhs, value, .. } => {
            for l in lhs {
                match l {
                    Lhs::Store { base, index, .. } => {
                        visit(base);
                        index.iter().for_each(&mut *visit);
                    }
                    Lhs::StoreField { base, .. } => visit(base),
                    _ => {}
                }
            }
            visit(value);
        }
        Stmt::Do(e) => visit(e),
        Stmt::TypeOf(..) => {}
    }
}

/// The depth of the tree of an expression of this kind: one more than that of its deepest part.
pub fn depth(kind: &ExprKind) -> u32 {
    let mut most = 0;
    children(kind, &mut |e| most = most.max(e.depth));
    most + 1
}
