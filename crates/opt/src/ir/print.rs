//! The tree as text, for people and tests: the program's statements as they were written, with the nodes and
//! marks of the optimisations in them. Made variables are `what.7`, local pointers among them. What is known
//! of other threads' memory, and why a loop has been refused, is said in words.

use crate::ir::tree::{Access, Hosts, Loop, Node, Slot, Step, Term, Tree, Unwritten, Var, VarType, Waiting};
use crate::ir::walk::definitions;
use base::{Source, Span};
use c_sema::typed::SymId;
use c_syntax::ast::*;
use c_syntax::visit::{self, Visitor, children, walk_expr, walk_stmt};
use std::fmt::Write;

pub(crate) fn function_name(tree: &Tree, of: StmtId) -> String {
    let function = definitions(tree).find(|function| function.body == of);
    let name = function.and_then(|function| tree.unit.declarators[function.declarator].name.as_ref());
    name.map(|name| name.text.to_string()).unwrap_or_default()
}

/// Prints a statement in its rewritten form.
pub fn statement(tree: &Tree, source: &Source, s: StmtId) -> String {
    let mut printer = Printer { tree, source, out: String::new(), depth: 0 };
    printer.stmt(s);
    printer.out
}

struct Printer<'a> {
    tree: &'a Tree,
    source: &'a Source,
    out: String,
    depth: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:width$}{text}", "", width = self.depth * 4);
    }

    fn inside(&mut self, print: impl FnOnce(&mut Self)) {
        self.depth += 1;
        print(self);
        self.depth -= 1;
    }

    // ---- statements ------------------------------------------------------------------------------

    fn stmt(&mut self, s: StmtId) {
        let tree = self.tree;
        if let Some(nodes) = tree.nodes(s) {
            return self.nodes(nodes);
        }
        if tree.is_made(s) && self.made_stmt(s) {
            return;
        }
        let stmt = &tree.unit.stmts[s];
        match &stmt.kind {
            StmtKind::Compound(items) => {
                self.line("{");
                self.inside(|p| items.iter().for_each(|&item| p.stmt(item)));
                self.line("}");
            }
            &StmtKind::If(_, then, other) => {
                self.head(s, then);
                self.inside(|p| p.stmt(then));
                if let Some(other) = other {
                    self.line("else");
                    self.inside(|p| p.stmt(other));
                }
            }
            // A loop of crate::loops::while_loops: its step stands elsewhere in the text.
            &StmtKind::For { init: ForInit::None, cond: Some(cond), step: Some(step), body }
                if self.source.text[stmt.span.range()].starts_with("while") =>
            {
                let (cond, step) = (self.expr(cond), self.expr(step));
                self.line(&format!("for (; {cond}; {step})"));
                self.inside(|p| p.stmt(body));
            }
            &(StmtKind::While(_, body)
            | StmtKind::For { body, .. }
            | StmtKind::Forall { body, .. }
            | StmtKind::Switch(_, body)
            | StmtKind::Case(_, _, body)
            | StmtKind::Default(body)
            | StmtKind::Label(_, body)) => {
                self.head(s, body);
                self.inside(|p| p.stmt(body));
            }
            &StmtKind::Do(body, cond) => {
                self.line("do");
                self.inside(|p| p.stmt(body));
                let cond = self.expr(cond);
                self.line(&format!("while ({cond});"));
            }
            _ => {
                let text = self.spliced(visit::Node::Stmt(s), stmt.span);
                self.line(&text);
            }
        }
    }

    /// Prints a statement without a text of its own. Returns false for a block, which has items as other
    /// blocks have.
    fn made_stmt(&mut self, s: StmtId) -> bool {
        match self.tree.unit.stmts[s].kind {
            StmtKind::Compound(_) => return false,
            StmtKind::Decl(d) => {
                let text = self.made_decl(d);
                self.line(&text);
            }
            StmtKind::If(test, then, _) => {
                let test = self.expr(test);
                self.line(&format!("if ({test})"));
                self.inside(|p| p.stmt(then));
            }
            StmtKind::Expr(Some(e)) => {
                let text = self.expr(e);
                self.line(&format!("{text};"));
            }
            StmtKind::Break => self.line("break;"),
            _ => {}
        }
        true
    }

    fn made_decl(&self, d: DeclId) -> String {
        let (unit, typed) = (&self.tree.unit, &self.tree.typed);
        let DeclKind::Vars { items, .. } = &unit.decls[d].kind else { return String::new() };
        let one = |item: &InitDeclarator| {
            let sym = typed.declared(item.declarator)?;
            let value = item.init.and_then(|init| unit.only_expression(init));
            let value = value.map_or(String::new(), |value| format!(" = {}", self.expr(value)));
            Some(format!("{} {}{value};", typed.types.show(typed.sym(sym).ty), self.sym(sym)))
        };
        items.iter().filter_map(one).collect()
    }

    /// Prints an expression whose text does not say its meaning ([`Tree::unwritten`]).
    fn made_expr(&self, e: ExprId) -> Option<String> {
        Some(match self.tree.unwritten(self.source, e)? {
            Unwritten::Name(name) => name.text.to_string(),
            Unwritten::Number(number) => number.to_string(),
            Unwritten::Assign(a, b) => format!("{} = {}", self.expr(a), self.expr(b)),
        })
    }

    /// Prints the text of a statement before its body.
    fn head(&mut self, s: StmtId, body: StmtId) {
        let (whole, inner) = (self.tree.unit.stmts[s].span, self.tree.unit.stmts[body].span);
        let text = self.spliced(visit::Node::Stmt(s), Span::new(whole.lo, inner.lo));
        self.line(text.trim_end());
    }

    /// The text of a part of a node, with its expressions in their rewritten forms.
    fn spliced(&self, node: visit::Node, part: Span) -> String {
        let mut out = String::new();
        let mut at = part.lo;
        let mut parts = children(&self.tree.unit, node);
        parts.sort_by_key(|&child| self.tree.unit.span(child));
        for child in parts {
            let span = self.tree.unit.span(child);
            if span.lo < at || span.hi > part.hi {
                continue;
            }
            if let Some(text) = self.changed(child) {
                out += &self.written(Span::new(at, span.lo));
                out += &text;
                at = span.hi;
            }
        }
        out += &self.written(Span::new(at, part.hi));
        out.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The text of a node, if the node has been rewritten.
    fn changed(&self, node: visit::Node) -> Option<String> {
        match node {
            visit::Node::Expr(e) if self.tree.access(e).is_some() => {
                self.tree.access(e).map(|access| self.access(e, access))
            }
            visit::Node::Expr(e) if let Some(text) = self.made_expr(e) => Some(text),
            // The text may have `->`.
            visit::Node::Expr(e)
                if let ExprKind::Member { base, arrow: false, name } = &self.tree.unit.exprs[e].kind
                    && self.tree.access(*base).is_some() =>
            {
                Some(format!("{}.{}", self.expr(*base), name.text))
            }
            visit::Node::Stmt(s) => self.is_changed(node).then(|| statement(self.tree, self.source, s)),
            _ => self.is_changed(node).then(|| self.spliced(node, self.tree.unit.span(node))),
        }
    }

    fn is_changed(&self, node: visit::Node) -> bool {
        struct Changed<'a, 'p>(&'p Printer<'a>, bool);
        impl<'a> Visitor<'a> for Changed<'a, '_> {
            fn unit(&self) -> &'a Unit {
                &self.0.tree.unit
            }
            fn expr(&mut self, e: ExprId) {
                self.1 |= self.0.tree.access(e).is_some() || self.0.made_expr(e).is_some();
                walk_expr(self, e);
            }
            fn stmt(&mut self, s: StmtId) {
                self.1 |= self.0.tree.nodes(s).is_some();
                walk_stmt(self, s);
            }
        }
        let mut finder = Changed(self, false);
        finder.node(node);
        finder.1
    }

    fn expr(&self, e: ExprId) -> String {
        let node = visit::Node::Expr(e);
        self.changed(node).unwrap_or_else(|| self.spliced(node, self.tree.unit.exprs[e].span))
    }

    /// The user's text, without directives.
    fn written(&self, span: Span) -> String {
        let lines = self.source.text[span.range()].split_inclusive('\n');
        lines.filter(|line| !line.trim_start().starts_with('#')).collect()
    }

    // ---- nodes -----------------------------------------------------------------------------------

    fn nodes(&mut self, nodes: &[Node]) {
        nodes.iter().for_each(|node| self.node(node));
    }

    fn block(&mut self, head: &str, nodes: &[Node]) {
        self.line(&format!("{head} {{"));
        self.inside(|p| p.nodes(nodes));
        self.line("}");
    }

    fn node(&mut self, node: &Node) {
        match node {
            &Node::Stmt(s) => self.stmt(s),
            &Node::Continued(s) => {
                self.line("without its first clause:");
                self.stmt(s);
            }
            &Node::First(s) => self.first_clause(s),
            Node::Declare { var, ty, value } => {
                let value = value.as_ref().map_or(String::new(), |value| format!(" = {}", self.term(value)));
                self.line(&format!("{} {}{value};", self.ty(ty), name(*var)));
            }
            Node::Define(sym, value) => {
                let (ty, value) =
                    (self.tree.typed.types.show(self.tree.typed.sym(*sym).ty), self.term(value));
                self.line(&format!("{ty} {} = {value};", self.sym(*sym)));
            }
            &Node::Shadow(sym) => {
                let ty = self.tree.typed.types.show(self.tree.typed.sym(sym).ty);
                self.line(&format!("{ty} {};", self.sym(sym)));
            }
            Node::Trial { stop, body, done } => {
                self.block(&format!("try, up to {}", name(*stop)), body);
                self.line(&format!("{} = 1;", self.slot(*done)));
            }
            Node::Assign(to, value) => {
                let text = format!("{} = {};", self.slot(*to), self.term(value));
                self.line(&text);
            }
            Node::Loop(l) => self.made_loop(l),
            Node::Unrolled => self.line("unrolled:"),
            Node::If { test, then, otherwise } => {
                self.block(&format!("if ({})", self.term(test)), then);
                if !otherwise.is_empty() {
                    self.block("else", otherwise);
                }
            }
            Node::Known(hosts, body) => {
                let known = match hosts {
                    Hosts::One => "all memory is local:",
                    Hosts::Many => "memory may be remote:",
                    Hosts::Unknown => "nothing is known of memory:",
                };
                self.line(known);
                self.inside(|p| p.nodes(body));
            }
            Node::ForallScope(var) => self.line(&format!("forall scope {};", name(*var))),
            &Node::AllIterations { forall, outer, .. } => {
                self.line(&format!("all iterations, own ones alone if {} is 0:", name(outer)));
                self.stmt(forall);
            }
            Node::StoreCounts(var, size) => {
                self.line(&format!("store counts {}, {size} bytes each;", name(*var)));
            }
            &Node::Start { read, buffer, at, waiting, .. } => self.read("start", read, (buffer, at), waiting),
            &Node::Hold { read, buffer, at, waiting, lost, .. } => {
                let how = if lost.is_some() { "hold, if it is there," } else { "hold" };
                self.read(how, read, (buffer, at), waiting);
            }
            &Node::StartCached { read, waiting, .. } => {
                let line = format!("ask for {}, counted by {};", self.expr(read), counts(waiting));
                self.line(&line);
            }
            Node::Wait(waiting) => self.line(&format!("wait for {};", counts(*waiting))),
            Node::Leave(test) => self.line(&format!("if ({}) break;", self.term(test))),
            Node::Do(call) => self.line(&format!("{};", self.term(call))),
            &Node::Extremum { object, value, test, always, .. } => {
                let (object, value) = (self.expr(object), self.expr(value));
                let (not, sign) = (if test.negated { "!" } else { "" }, test.relation.sign());
                let otherwise = if always { ", else itself" } else { "" };
                self.line(&format!("{object} becomes {value} if {not}({value} {sign} {object}){otherwise};"));
            }
        }
    }

    fn first_clause(&mut self, s: StmtId) {
        let text = match self.tree.unit.first_clause(s) {
            ForInit::None => return,
            ForInit::Expr(e) => format!("{};", self.expr(e)),
            ForInit::Decl(d) => self.spliced(visit::Node::Decl(d), self.tree.unit.decls[d].span),
        };
        self.line(&text);
    }

    /// A read into an element of a buffer, in advance.
    fn read(&mut self, how: &str, read: ExprId, (buffer, at): (Var, Var), waiting: Waiting) {
        let (buffer, at, waiting) = (name(buffer), name(at), counts(waiting));
        self.line(&format!("{how} {buffer}[{at}] := {}, counted by {waiting};", self.expr(read)));
    }

    fn made_loop(&mut self, l: &Loop) {
        let step = |step: &Step| match step {
            Step::Next(var) => format!("{}++", name(*var)),
            Step::Add(var, by) => format!("{} += {}", name(*var), self.term(by)),
            &Step::Effect(e) => self.expr(e),
        };
        let steps: Vec<String> = l.step.iter().map(step).collect();
        let head = format!("for (; {}; {})", self.term(&l.go), steps.join(", "));
        self.block(&head, &l.body);
    }

    fn access(&self, e: ExprId, access: &Access) -> String {
        let written = || self.spliced(visit::Node::Expr(e), self.tree.unit.exprs[e].span);
        match access {
            Access::Element { base, index, inside } => {
                let inside: String = inside.iter().map(|term| format!("[{}]", self.term(term))).collect();
                format!("{}[{}]{inside}", name(*base), self.term(index))
            }
            Access::Own => format!("own({})", written()),
            Access::Value(var) => name(*var),
            Access::Prefetched { buffer, at, .. } => {
                format!("prefetched({}, {}[{}])", written(), name(*buffer), name(*at))
            }
            Access::Staged { buffer, at, notes, .. } => {
                let notes = notes.map_or_else(String::new, |var| format!(", {}", name(var)));
                format!("staged({}, {}[{}]{notes})", written(), name(*buffer), name(*at))
            }
            Access::Tried { stop: Some(stop), .. } => format!("tried({}, {})", written(), name(*stop)),
            Access::Tried { .. } => format!("rounds({})", written()),
            Access::Held { buffer, at, .. } => {
                format!("held({}, {}[{}])", written(), name(*buffer), name(*at))
            }
            Access::Fetched { buffer, at, .. } => {
                format!("fetched({}, {}[{}])", written(), name(*buffer), name(*at))
            }
            Access::Again { buffer, at, .. } => {
                format!("again({}, {}[{}])", written(), name(*buffer), name(*at))
            }
            Access::Cached(_) => format!("cached({})", written()),
            Access::Number(number) => self.term(number),
            &Access::WithNext(next) => {
                let next = self.spliced(visit::Node::Expr(next), self.tree.unit.exprs[next].span);
                format!("together({}; {next})", written())
            }
            Access::Done => "done".into(),
            Access::Reduction => format!("reduction({})", written()),
            Access::Accumulated => format!("accumulated({})", written()),
            Access::Counted(Some(var)) => format!("counted({}, {})", written(), name(*var)),
            Access::Counted(None) => format!("uncounted({})", written()),
            Access::Step(var, by) => format!("{} += {}", name(*var), self.term(by)),
            Access::AndNext(var) => format!("{}, {}++", written(), name(*var)),
        }
    }

    fn ty(&self, ty: &VarType) -> String {
        let types = &self.tree.typed.types;
        match ty {
            VarType::Int => "int".into(),
            VarType::Unsigned => "unsigned".into(),
            VarType::Index => "index".into(),
            VarType::Word => "word".into(),
            VarType::Shared => "pointer-to-shared".into(),
            VarType::Elements(q) => format!("local {} *", types.show(*q)),
            VarType::Value(q) => types.show(*q),
            VarType::Buffer(q) => format!("buffer of {}", types.show(*q)),
            VarType::Places => "buffer of counts".into(),
            VarType::Counts => "counts".into(),
            VarType::Like(slot) => format!("typeof({})", self.slot(*slot)),
            VarType::Extent => "extent".into(),
            VarType::Notes => "notes".into(),
            VarType::Section => "section".into(),
            VarType::Rounds => "rounds".into(),
        }
    }

    fn slot(&self, slot: Slot) -> String {
        match slot {
            Slot::Made(var) => name(var),
            Slot::Sym(sym) => self.sym(sym),
            Slot::Element(buffer, at) => format!("{}[{}]", name(buffer), name(at)),
        }
    }

    fn sym(&self, sym: SymId) -> String {
        self.tree.typed.sym(sym).name.to_string()
    }

    fn term(&self, term: &Term) -> String {
        let operand = |t: &Term| match t {
            Term::Bin(..) | Term::Choose(..) => format!("({})", self.term(t)),
            _ => self.term(t),
        };
        match term {
            Term::Num(n) => n.to_string(),
            Term::Name(name) => name.word().to_owned(),
            Term::Var(var) => name(*var),
            Term::Element(buffer, at) => format!("{}[{}]", name(*buffer), name(*at)),
            Term::Sym(sym) => self.sym(*sym),
            &Term::Value(e) | &Term::Holds(e) => self.expr(e),
            Term::Index(a) => operand(a),
            Term::As(q, a) => format!("({}){}", self.tree.typed.types.show(*q), operand(a)),
            Term::Size(q) => format!("sizeof({})", self.tree.typed.types.show(*q)),
            Term::Native(sym) => format!("&{}", self.sym(*sym)),
            Term::First(sym) => format!("at({})", self.sym(*sym)),
            &Term::Remote(e) => format!("remote({})", self.expr(e)),
            &Term::Address(e) => format!("bits({})", self.expr(e)),
            &Term::Place(e) | &Term::InView(e) => format!("&{}", self.expr(e)),
            &Term::Stepped(var, by) => format!("{}{}", name(var), if by < 0 { "--" } else { "++" }),
            Term::Ref(var) => format!("&{}", name(*var)),
            Term::Bits(a) => format!("{}.bits", operand(a)),
            Term::Call(function, args) => {
                let args: Vec<String> = args.iter().map(|a| self.term(a)).collect();
                format!("{}({})", function.word(), args.join(", "))
            }
            Term::Bin(op, a, b) => format!("{} {op} {}", operand(a), operand(b)),
            Term::Not(a) => format!("!{}", operand(a)),
            Term::Choose(c, a, b) => format!("{} ? {} : {}", operand(c), operand(a), operand(b)),
        }
    }
}

fn name(var: Var) -> String {
    format!("{}.{}", var.what, var.number)
}

fn counts(waiting: Waiting) -> String {
    match waiting {
        Waiting::Var(var) => name(var),
        Waiting::Of(counts, which) => format!("{}[{}]", name(counts), name(which)),
    }
}
