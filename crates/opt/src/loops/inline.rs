//! Functions of the file that access shared memory, in the place of calls in loops.
//!
//! ```c
//! static int find(int x) { while (parent[x] != x) x = parent[x]; return x; }
//! for (i = 0; i < n; i++) same += find(a[i]) == find(b[i]);
//! ```
//!
//! What the loop does is in another function, where each read waits. So the function's text is put in front
//! of the statement that calls it, and the value in the place of the call:
//!
//! ```c
//! { int mer_find_1; { int mer_find_1a = (a[i]); { int x = mer_find_1a; { while ...; mer_find_1 = (x); } } }
//!   ... same += mer_find_1 == mer_find_2; }
//! ```
//!
//! It is the text that is rewritten, and parsed again: names and types then mean what they should, and all
//! optimisations see a loop without calls. Line markers keep the places of both texts.
//!
//! *Why it is allowed.* A call evaluates its arguments, and then the body, before its value is used. A call
//! is only taken to the front of its statement where the statement evaluates it in any case, once, and
//! behind no comma, `&&`, `||` or `?:`: the order of what stands on other sides of operators is not defined
//! (C 6.5p3), and function bodies are not interleaved with it, nor is this. Arguments are evaluated into
//! variables of the parameters' types, outside of the scope of the body's names. The body's names mean in
//! the caller what they mean in their function: no name of the caller's own hides one that the function
//! takes from the file ([`callee`]). Both are under the same `#pragma upc`.
//!
//! *Where it pays.* In loops, and in functions that are themselves called there. The function's body is
//! short, accesses shared memory, and calls nothing that could do anything.
//!
//! *Limits.* UPC; functions with parameters of scalar or struct types, or arrays where a name is given,
//! without `goto`, statics, nested functions and attributes; returns at the end of the body, of branches at
//! its end, or from one loop ([`returns`]). Calls in the heads of loops stay.

mod callee;
mod returns;

use self::callee::Callee;
use crate::ir::tree::{Tree, follows_pragma};
use crate::ir::walk::{Definition, definitions};
use crate::ir::walk::{has, is_loop};
use base::{Source, Span};
use c_sema::typed::SymId;
use c_syntax::Language;
use c_syntax::ast::*;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// More calls than these are not replaced in one go: a file grows by so much at most.
const MOST_CALLS: usize = 100;
/// Functions that call others are flat after so many goes.
pub const DEPTH: usize = 3;

/// The text of a program with functions in the place of calls; none where there is nothing to do. `go` is the
/// number of times that this has been done to the text before, [`DEPTH`] at most: it makes names differ.
pub fn inlined(tree: &Tree, source: &Source, go: usize) -> Option<String> {
    // A name in a line marker is written as it is.
    let odd = source.files.iter().any(|file| file.to_string_lossy().contains(['"', '\\']));
    if !matches!(tree.typed.types.language, Language::Upc) || odd {
        return None;
    }
    let called = called_in_loops(tree);
    let mut inliner =
        Inliner { tree, source, go, callees: HashMap::new(), edits: Edits::default(), calls: 0 };
    // Those of the old style declare names elsewhere.
    for Definition { item, declarator, body, .. } in definitions(tree).filter(|of| !of.old_style) {
        let whole = tree.typed.declared(declarator).is_some_and(|sym| called.contains(&sym));
        let before = inliner.calls;
        let names = callee::declared_in(tree, Some(declarator), body);
        Caller { inliner: &mut inliner, names }.stmt(body, whole);
        if inliner.calls > before {
            inliner.hides_names(item);
        }
    }
    if inliner.calls == 0 {
        return None;
    }
    // Nothing may be left that calls a static function.
    for callee in inliner.callees.values().flatten().filter(|callee| callee.used.get()) {
        inliner.edits.insert(callee.begins, "__attribute__((unused)) ");
    }
    Some(inliner.edits.applied(source, Span::new(0, source.text.len() as u32)))
}

/// The bodies of static functions that nothing calls: all their calls may have been replaced.
pub(crate) fn left_bodies(tree: &Tree) -> HashSet<StmtId> {
    let named: HashSet<SymId> = tree.unit.exprs.ids().filter_map(|e| tree.typed.symbol(e)).collect();
    let is_static = |of: &Definition| {
        tree.unit.specs[of.specs].storage.iter().any(|(storage, _)| *storage == Storage::Static)
    };
    let called = |of: &Definition| tree.typed.declared(of.declarator).is_none_or(|sym| named.contains(&sym));
    definitions(tree).filter(|of| is_static(of) && !called(of)).map(|of| of.body).collect()
}

/// The functions of the file that loops call, or functions that loops call.
fn called_in_loops(tree: &Tree) -> HashSet<SymId> {
    let mut called = HashSet::new();
    for body in tree.bodies() {
        crate::ir::walk::each_statement(tree, body, &mut |s| {
            if is_loop(&tree.unit.stmts[s].kind) {
                called.extend(callee::calls_in(tree, s));
            }
        });
    }
    for _ in 0..DEPTH {
        let bodies: Vec<StmtId> =
            called.iter().filter_map(|&sym| callee::definition(tree, sym)).map(|of| of.body).collect();
        called.extend(bodies.into_iter().flat_map(|body| callee::calls_in(tree, body)));
    }
    called
}

/// Changes of a text.
#[derive(Default)]
struct Edits(Vec<(Span, String)>);

impl Edits {
    fn insert(&mut self, at: u32, text: &str) {
        self.replace(Span::new(at, at), text);
    }

    fn replace(&mut self, span: Span, text: &str) {
        self.0.push((span, text.to_owned()));
    }

    /// The part of the text with the changes in it, those at one place in the order in which they were made.
    fn applied(&self, source: &Source, part: Span) -> String {
        let within = |(span, _): &&(Span, String)| part.lo <= span.lo && span.hi <= part.hi;
        let mut edits: Vec<_> = self.0.iter().filter(within).collect();
        edits.sort_by_key(|(span, _)| (span.lo, span.hi));
        let (mut out, mut at) = (String::new(), part.lo);
        for (span, text) in edits {
            out += source.slice(Span::new(at, span.lo));
            out += text;
            at = span.hi;
        }
        out + source.slice(Span::new(at, part.hi))
    }
}

struct Inliner<'a> {
    tree: &'a Tree,
    source: &'a Source,
    go: usize,
    /// What is known of functions.
    callees: HashMap<SymId, Option<Rc<Callee>>>,
    edits: Edits,
    /// That have been replaced.
    calls: usize,
}

/// A call that is replaced.
struct Call {
    e: ExprId,
    callee: Rc<Callee>,
    args: Vec<ExprId>,
}

impl Inliner<'_> {
    /// A line marker behind which the text goes on where `at` stands, in its column. `again`: it stands
    /// somewhere else too, where the C compiler warns of it.
    fn place(&self, at: u32, again: bool) -> String {
        let presumed = self.source.presumed(at);
        let file = self.source.file(presumed.file).display();
        let column = at - self.source.line_span(self.source.line_of(at)).lo;
        let quiet = if again || presumed.system { " 3" } else { "" };
        format!("\n# {} \"{file}\"{quiet}\n{:width$}", presumed.line, "", width = column as usize)
    }

    /// The text that does the call in front of a statement, and the name that then has the value.
    fn in_front(&mut self, call: &Call) -> (String, String) {
        self.calls += 1;
        let callee = &call.callee;
        callee.used.set(true);
        let name = match self.go {
            0 => format!("mer_{}_{}", callee.name, self.calls),
            go => format!("mer{go}_{}_{}", callee.name, self.calls),
        };
        let text = |span: Span| self.source.slice(span).replace(['\n', '\r'], " ");
        let mut out = match &callee.returns {
            Some(ty) => format!("{ty} {name}{}; ", callee.first),
            None => String::new(),
        };
        out += "{ ";
        let (mut inner, mut edits) = (String::new(), Edits::default());
        for (at, (parameter, &arg)) in callee.parameters.iter().zip(&call.args).enumerate() {
            if let Some(name) = callee.stands_for(self.tree, parameter, arg) {
                Callee::rename(parameter, name, &mut edits);
                continue;
            }
            let letter = char::from(b'a' + at as u8);
            let (before, behind) = (text(parameter.before), text(parameter.behind));
            let arg = self.edits.applied(self.source, self.tree.unit.exprs[arg].span);
            out += &format!("{before}{name}{letter}{behind} = ({arg}); ");
            inner += &format!(
                "{before}{}{behind} __attribute__((unused)) = {name}{letter}; ",
                text(parameter.name)
            );
        }
        let body = self.tree.unit.stmts[callee.body].span;
        returns::replace(self.tree, callee.body, &name, &mut edits);
        out += &format!("{{ {inner}");
        out += &self.place(body.lo, true);
        out += &edits.applied(self.source, body);
        out += " } } ";
        (out, name)
    }

    /// No warning of names that hide others in a function: now those of other functions do.
    fn hides_names(&mut self, function: DeclId) {
        let span = self.tree.unit.decls[function].span;
        let around = [
            (span.lo, "\n#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wshadow\""),
            (span.hi, "\n#pragma GCC diagnostic pop"),
        ];
        for (at, text) in around {
            let text = format!("{text}{}", self.place(at, false));
            self.edits.insert(at, &text);
        }
    }
}

/// The function at hand.
struct Caller<'i, 'a> {
    inliner: &'i mut Inliner<'a>,
    /// The names that it declares.
    names: HashSet<&'a str>,
}

impl Caller<'_, '_> {
    /// Replaces the calls in a statement; `looped`: it is done again and again.
    fn stmt(&mut self, s: StmtId, looped: bool) {
        let unit = &self.inliner.tree.unit;
        if looped {
            self.replaced(s);
        }
        match &unit.stmts[s].kind {
            StmtKind::Compound(items) => items.iter().for_each(|&item| self.stmt(item, looped)),
            &StmtKind::If(_, then, otherwise) => {
                self.stmt(then, looped);
                otherwise.iter().for_each(|&s| self.stmt(s, looped));
            }
            &(StmtKind::While(_, body)
            | StmtKind::Do(body, _)
            | StmtKind::For { body, .. }
            | StmtKind::Forall { body, .. }) => self.stmt(body, !synchronises(self.inliner.tree, body)),
            &(StmtKind::Switch(_, body) | StmtKind::Case(_, _, body) | StmtKind::Default(body)) => {
                self.stmt(body, looped);
            }
            StmtKind::Label(_, body) => self.stmt(*body, looped),
            _ => {}
        }
    }

    /// Replaces the calls in a statement's own expression.
    fn replaced(&mut self, s: StmtId) {
        let unit = &self.inliner.tree.unit;
        let (e, declares) = match unit.stmts[s].kind {
            StmtKind::Expr(Some(e)) | StmtKind::If(e, ..) => (e, false),
            StmtKind::Decl(d) => match only_value(unit, d) {
                Some(e) => (e, true),
                None => return,
            },
            _ => return,
        };
        // `#pragma omp atomic` is about one expression.
        if follows_pragma(self.inliner.source, unit.stmts[s].span.lo) {
            return;
        }
        let mut calls = Vec::new();
        self.calls(e, s, &mut calls);
        // A call without a value is a statement.
        let alone = |call: &Call| {
            !declares && unit.bare(e) == call.e && matches!(unit.stmts[s].kind, StmtKind::Expr(_))
        };
        calls.retain(|call| alone(call) || call.callee.returns.is_some());
        if calls.is_empty() || self.inliner.calls + calls.len() > MOST_CALLS {
            return;
        }
        let span = unit.stmts[s].span;
        let mut front = String::from(if declares { "" } else { "{ " });
        let mut names = Vec::new();
        for call in &calls {
            let (text, name) = self.inliner.in_front(call);
            front += &text;
            let value = match call.callee.returns {
                Some(_) if alone(call) => format!("(void){name}"),
                Some(_) => name,
                None => "(void)0".into(),
            };
            names.push((unit.exprs[call.e].span, value));
        }
        front += &self.inliner.place(span.lo, false);
        self.inliner.edits.insert(span.lo, &front);
        names.into_iter().for_each(|(span, name)| self.inliner.edits.replace(span, &name));
        if !declares {
            self.inliner.edits.insert(span.hi, " }");
        }
    }

    /// The calls in an expression that can be done in front of its statement, inner ones alone.
    fn calls(&mut self, e: ExprId, s: StmtId, out: &mut Vec<Call>) {
        let unit = &self.inliner.tree.unit;
        match &unit.exprs[e].kind {
            &(ExprKind::Paren(a)
            | ExprKind::Extension(a)
            | ExprKind::Cast(_, a)
            | ExprKind::Unary(_, a)
            | ExprKind::Member { base: a, .. }
            | ExprKind::Post(_, a)
            | ExprKind::Pre(_, a)
            | ExprKind::Binary(BinOp::And | BinOp::Or | BinOp::Comma, a, _)
            | ExprKind::Cond(a, ..)) => self.calls(a, s, out),
            &(ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) | ExprKind::Assign(_, a, b)) => {
                self.calls(a, s, out);
                self.calls(b, s, out);
            }
            ExprKind::Call(f, args) => {
                let before = out.len();
                args.iter().for_each(|&a| self.calls(a, s, out));
                if out.len() == before
                    && let Some(callee) = self.fits(*f, args, s)
                {
                    out.push(Call { e, callee, args: args.clone() });
                }
            }
            _ => {}
        }
    }

    /// The function that a call with these arguments in this statement is of, if its body can stand there.
    fn fits(&mut self, f: ExprId, args: &[ExprId], s: StmtId) -> Option<Rc<Callee>> {
        let tree = self.inliner.tree;
        let f = tree.unit.bare(f);
        if !matches!(tree.unit.exprs[f].kind, ExprKind::Ident(_)) || tree.typed.library(f).is_some() {
            return None;
        }
        let function = tree.typed.symbol(f)?;
        let source = self.inliner.source;
        let known = self.inliner.callees.entry(function);
        let callee = known.or_insert_with(|| Callee::of(tree, source, function).map(Rc::new)).as_ref()?;
        let at = tree.unit.stmts[s].span.lo;
        let means_the_same = !callee.takes.iter().any(|name| self.names.contains(&**name));
        let mut given = callee.parameters.iter().zip(args);
        let fits = callee.parameters.len() == args.len()
            && given.all(|(to, &arg)| !to.as_array || callee.stands_for(tree, to, arg).is_some())
            && tree.unit.strict_at(at) == callee.strict
            && callee.behind <= at
            && means_the_same;
        fits.then(|| Rc::clone(callee))
    }
}

/// Whether threads wait for each other in a loop's body: it is not moved about then.
fn synchronises(tree: &Tree, body: StmtId) -> bool {
    has(tree, body, |kind| matches!(kind, StmtKind::Barrier(..) | StmtKind::Fence))
}

/// The value of the one variable that a declaration declares.
fn only_value(unit: &Unit, d: DeclId) -> Option<ExprId> {
    let DeclKind::Vars { specs, items } = &unit.decls[d].kind else { return None };
    let [item] = &items[..] else { return None };
    match unit.inits[item.init?].kind {
        InitKind::Expr(e) if unit.specs[*specs].storage.is_empty() => Some(e),
        _ => None,
    }
}
