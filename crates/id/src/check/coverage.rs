//! Warns of clauses and arms that are never chosen, since those before them fit all their values, and of
//! constructors that no clause fits. (L. Maranget, "Warnings for pattern matching", JFP 17(3), 2007.)
//!
//! A clause with a guard may not be chosen for a value that it fits, so that it hides and covers nothing.
//! Numbers, characters and strings have no list of constructors: no warning says that some of them fit no
//! clause. There is none for a single clause either, which is written for values of its form: `def scale k
//! (x:xs) = ...` is of endless lists.

use crate::check::resolve::{Names, Ref};
use crate::stack::with_stack;
use crate::syntax::ast::*;
use crate::syntax::walk;
use base::{Code, Diagnostic, Span};

/// The most steps, after which a set of clauses is accepted: the problem is exponential in the worst case.
const MOST_STEPS: usize = 50_000;

/// The warnings for a program's own clauses.
pub fn check(program: &Program, names: &Names) -> Vec<Diagnostic> {
    let mut check = Check { program, names, said: Vec::new(), steps: 0 };
    let (mut exprs, mut defs): (Vec<&Expr>, Vec<&Def>) = (Vec::new(), Vec::new());
    program.stmts.iter().for_each(|s| walk::stmt(s, &mut |e| exprs.push(e)));
    program.results.iter().for_each(|e| walk::exprs(e, &mut |e| exprs.push(e)));
    defs.extend(defs_of(&program.stmts));
    for e in &exprs {
        match &e.kind {
            ExprKind::Block(block) => defs.extend(block.groups.iter().flat_map(|g| defs_of(g))),
            ExprKind::Loop(l) => defs.extend(l.groups.iter().flat_map(|g| defs_of(g))),
            _ => {}
        }
    }
    defs.sort_by_key(|d| d.name.span.lo);
    for def in defs {
        check.clauses(&def.clauses, Some(&def.name), def.name.span);
    }
    for e in exprs {
        match &e.kind {
            ExprKind::Case(tested, arms) => {
                let row = |a: &Arm| (vec![check.pattern(&a.pat)], a.guard.is_some(), a.pat.span);
                let rows = arms.iter().map(row).collect();
                check.rows(rows, "arm", None, tested.span);
            }
            ExprKind::Fun(clauses) => check.clauses(clauses, None, clauses[0].span),
            _ => {}
        }
    }
    check.said.sort_by_key(|d| d.span.lo);
    check.said
}

fn defs_of(stmts: &[Stmt]) -> impl Iterator<Item = &Def> {
    stmts.iter().filter_map(|s| if let Stmt::Def(def) = s { Some(def) } else { None })
}

/// A pattern, reduced to the set of values that it fits.
#[derive(Clone, PartialEq)]
enum Shape {
    Any,
    Con(Head, Vec<Shape>),
}

/// The outermost part of a value.
#[derive(Clone, PartialEq)]
enum Head {
    /// Index into [`Names::cons`].
    Con(usize),
    Tuple,
    Int(i64),
    Float(u64),
    Char(u8),
    Str(Vec<u8>),
}

/// Patterns by clause.
type Rows = Vec<Vec<Shape>>;

struct Check<'a> {
    program: &'a Program,
    names: &'a Names,
    said: Vec<Diagnostic>,
    steps: usize,
}

impl Check<'_> {
    fn clauses(&mut self, clauses: &[Clause], name: Option<&Name>, at: Span) {
        let row =
            |c: &Clause| (c.params.iter().map(|p| self.pattern(p)).collect(), c.guard.is_some(), c.span);
        let rows = clauses.iter().map(row).collect();
        self.rows(rows, "clause", name, at);
    }

    /// Checks clauses or arms. Each row has the patterns, whether there is a guard, and the position.
    fn rows(&mut self, rows: Vec<(Vec<Shape>, bool, Span)>, what: &str, name: Option<&Name>, at: Span) {
        self.steps = 0;
        let of = name.map_or(String::new(), |n| format!(" of `{}`", n.text));
        let mut before: Rows = Vec::new();
        let (width, alone) = (rows[0].0.len(), rows.len() == 1);
        for (row, guarded, span) in rows {
            if !self.is_useful(&before, &row) {
                let text = format!("this {what}{of} is never chosen");
                let note = format!(
                    "the {what}s before it fit all of its values, and the first {what} that fits is chosen"
                );
                self.said.push(Diagnostic::warning(Code::IdOverlap, span, text).note(note));
            }
            if !guarded {
                before.push(row);
            }
        }
        if alone {
            return;
        }
        let Some(missing) = self.missing(&before, width) else { return };
        let shown: Vec<String> = missing.iter().map(|s| self.shown(s, width > 1)).collect();
        let text = format!("no {what}{of} fits `{}`", shown.join(" "));
        let d = Diagnostic::warning(Code::IdMissing, at, text);
        self.said.push(d.help(format!(
            "add {} for this value, or one for all others: `_`",
            if what == "arm" { "an arm" } else { "a clause" }
        )));
    }

    fn pattern(&self, p: &Pat) -> Shape {
        with_stack(|| match &p.kind {
            PatKind::Wild | PatKind::Void | PatKind::Name(_) => Shape::Any,
            PatKind::Int(n) => Shape::Con(Head::Int(*n), Vec::new()),
            PatKind::Float(x) => Shape::Con(Head::Float(x.to_bits()), Vec::new()),
            PatKind::Char(c) => Shape::Con(Head::Char(*c), Vec::new()),
            PatKind::Str(s) => Shape::Con(Head::Str(s.clone()), Vec::new()),
            PatKind::Tuple(parts) => Shape::Con(Head::Tuple, parts.iter().map(|q| self.pattern(q)).collect()),
            PatKind::Con(_, args) => match self.names.uses.get(&p.id) {
                Some(&Ref::Con(con)) => {
                    Shape::Con(Head::Con(con), args.iter().map(|q| self.pattern(q)).collect())
                }
                _ => Shape::Any,
            },
        })
    }

    /// Whether a value fits `row` and none of `rows`.
    fn is_useful(&mut self, rows: &Rows, row: &[Shape]) -> bool {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return true;
        }
        let Some((first, rest)) = row.split_first() else { return rows.is_empty() };
        with_stack(|| match first {
            Shape::Con(head, parts) => {
                let inner = [parts, rest].concat();
                self.is_useful(&within(rows, head, parts.len()), &inner)
            }
            Shape::Any => {
                let heads = self.heads(rows);
                if self.is_complete(&heads, false) {
                    return heads.into_iter().any(|(head, arity)| {
                        let inner = [&vec![Shape::Any; arity][..], rest].concat();
                        self.is_useful(&within(rows, &head, arity), &inner)
                    });
                }
                self.is_useful(&others(rows), rest)
            }
        })
    }

    /// A row of `width` values, given by constructors, that fits none of `rows`.
    fn missing(&mut self, rows: &Rows, width: usize) -> Option<Vec<Shape>> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return None;
        }
        if width == 0 {
            return rows.is_empty().then(Vec::new);
        }
        with_stack(|| {
            let heads = self.heads(rows);
            if self.is_complete(&heads, true) {
                return heads.into_iter().find_map(|(head, arity)| {
                    let mut found = self.missing(&within(rows, &head, arity), arity + width - 1)?;
                    let rest = found.split_off(arity);
                    Some([vec![Shape::Con(head, found)], rest].concat())
                });
            }
            let rest = self.missing(&others(rows), width - 1)?;
            Some([vec![self.absent(&heads)], rest].concat())
        })
    }

    /// The constructors of the first column, each once, and their numbers of parts.
    fn heads(&self, rows: &Rows) -> Vec<(Head, usize)> {
        let mut found: Vec<(Head, usize)> = Vec::new();
        for row in rows {
            if let Shape::Con(head, parts) = &row[0]
                && found.iter().all(|f| f.0 != *head)
            {
                found.push((head.clone(), parts.len()));
            }
        }
        found
    }

    /// Whether every value has one of these constructors; `literals`: any number, character or string counts
    /// as all of them.
    fn is_complete(&self, heads: &[(Head, usize)], literals: bool) -> bool {
        match heads.first() {
            None => false,
            Some((Head::Con(con), _)) => {
                self.program.types[self.names.cons[*con].ty].cons.len() == heads.len()
            }
            Some((Head::Tuple, _)) => true,
            Some(_) => literals,
        }
    }

    /// A value with none of these constructors.
    fn absent(&self, heads: &[(Head, usize)]) -> Shape {
        let Some((Head::Con(con), _)) = heads.first() else { return Shape::Any };
        let ty = self.names.cons[*con].ty;
        let is_absent = |c: &usize| heads.iter().all(|h| h.0 != Head::Con(*c));
        let all = (0..self.names.cons.len()).filter(|&c| self.names.cons[c].ty == ty);
        match all.into_iter().find(is_absent) {
            Some(con) => Shape::Con(Head::Con(con), vec![Shape::Any; self.names.cons[con].arity]),
            None => Shape::Any,
        }
    }

    /// The text of a shape, as a user writes it; `tight`: in parentheses if it has parts.
    fn shown(&self, shape: &Shape, tight: bool) -> String {
        let Shape::Con(head, parts) = shape else { return "_".into() };
        let inner = |tight: bool| parts.iter().map(|p| self.shown(p, tight)).collect::<Vec<_>>();
        match head {
            Head::Tuple => format!("({})", inner(false).join(",")),
            Head::Int(n) => n.to_string(),
            Head::Float(bits) => f64::from_bits(*bits).to_string(),
            Head::Char(c) => format!("'{}'", c.escape_ascii()),
            Head::Str(s) => format!("\"{}\"", s.escape_ascii()),
            Head::Con(con) => {
                // As the library spells them. `syntax::spelling` restores the user's spelling afterwards.
                let name = &self.names.cons[*con].name;
                let name = name[..1].to_ascii_uppercase() + &name[1..];
                let text = match name.as_str() {
                    "Cons" => inner(true).join(":"),
                    _ if parts.is_empty() => return name,
                    _ => format!("{name} {}", inner(true).join(" ")),
                };
                if tight { format!("({text})") } else { text }
            }
        }
    }
}

/// The rows that fit values of this constructor, with its parts as the first columns.
fn within(rows: &Rows, head: &Head, arity: usize) -> Rows {
    let one = |row: &Vec<Shape>| match &row[0] {
        Shape::Any => Some([&vec![Shape::Any; arity][..], &row[1..]].concat()),
        Shape::Con(own, parts) => (own == head).then(|| [parts, &row[1..]].concat()),
    };
    rows.iter().filter_map(one).collect()
}

/// The rows that fit values of any constructor, without their first columns.
fn others(rows: &Rows) -> Rows {
    rows.iter().filter(|row| row[0] == Shape::Any).map(|row| row[1..].to_vec()).collect()
}
