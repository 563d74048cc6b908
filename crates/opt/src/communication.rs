//! The outcome for each access to shared memory, for the user (`-Rcommunication`): which optimisation has
//! rewritten it, or why it stays fine-grained and which change would help.
//!
//! An access may stand in several versions of its loop, and each version may do it in another way. All
//! versions have the place in the text that the user has written, so the finding for this place combines all
//! of them. The version for one host is left out, because its accesses are loads and stores. A version for a
//! rare case is left out too, unless there is no other.

use crate::facts::atomics;
use crate::facts::places::{
    is_bit_field, is_part_of_own, is_through_pointer, is_written_at_once, may_be_copied,
};
use crate::facts::statements::run_once;
use crate::ir::pass_id::PassId;
use crate::ir::reason::Reason;
use crate::ir::tree::{Access, Early, Hosts, Node, Term, Tree};
use crate::owned::{forall, strided, strip_mining};
use crate::remote::{prefetch, versioning};
use base::{Source, Span};
use c_sema::Typed;
use c_sema::types::Ty;
use c_sema::visit::{self, Use, Visitor};
use c_syntax::Language;
use c_syntax::ast::*;
use std::collections::BTreeMap;

/// The finding for one access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The access.
    pub span: Span,
    /// The access and its outcome, in a line.
    pub message: String,
    /// A change that would improve the outcome.
    pub help: Option<&'static str>,
}

/// The findings of a program when its optimisations have run, in the order of the text.
pub fn communication(tree: &Tree, source: &Source) -> Vec<Finding> {
    let mut walk = Walk {
        tree,
        hosts: Hosts::Unknown,
        rare: false,
        loops: Vec::new(),
        usual: BTreeMap::new(),
        seldom: BTreeMap::new(),
    };
    let left = crate::loops::inline::left_bodies(tree);
    tree.bodies().filter(|body| !left.contains(body)).for_each(|body| walk.stmt(body));
    let Walk { mut usual, seldom, .. } = walk;
    seldom.into_iter().for_each(|(key, ways)| _ = usual.entry(key).or_insert(ways));
    let finding = |(key, ways): (Key, Ways)| {
        let (outcome, help) = ways.said(tree, &key);
        let object: String = source.slice(ways.text).split_whitespace().collect::<Vec<_>>().join(" ");
        Finding { span: ways.text, message: format!("{} `{object}`: {outcome}", key.what()), help }
    };
    usual.into_iter().map(finding).collect()
}

/// An access: its place in the order of the program, and how it uses its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    lo: u32,
    hi: u32,
    how: How,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum How {
    Read,
    Write,
    Update,
    Split,
    Store,
    /// By an atomic operation.
    Atomic,
}

impl Key {
    fn what(&self) -> &'static str {
        match self.how {
            How::Read => "read of",
            How::Write => "write to",
            How::Update => "update of",
            How::Split => "split-phase access to",
            How::Store => "signalling store to",
            How::Atomic => "atomic operation on",
        }
    }
}

/// The ways in which an access is done.
#[derive(Clone, Debug, Default)]
struct Ways {
    /// By a local pointer.
    element: bool,
    /// Once for many iterations.
    once: bool,
    prefetched: bool,
    held: bool,
    cached: bool,
    counted: bool,
    /// Atomic, before its iteration.
    fetched: bool,
    /// By the owner.
    accumulated: bool,
    /// By itself, with an object that may be remote.
    plain: bool,
    strict: bool,
    /// The access is a write that is complete before the next operation.
    at_once: bool,
    /// The object is too long to be copied in advance.
    large: bool,
    /// The loops around it, of one function, outer ones first.
    loops: Vec<Around>,
    /// The expressions of the access in all versions.
    objects: Vec<ExprId>,
    /// The text of the access.
    text: Span,
}

impl Ways {
    fn is_asked_early(&self, tree: &Tree, how: Early) -> bool {
        self.objects.iter().any(|&e| tree.is_asked_early(how, e))
    }

    fn said(&self, tree: &Tree, key: &Key) -> (String, Option<&'static str>) {
        let done = |pass: PassId| {
            let of_loop =
                |at: u32| tree.remarks.iter().any(|r| r.pass == pass && r.at == at && r.outcome.is_ok());
            self.loops.iter().any(|of| of_loop(of.at))
        };
        let overlapped = if self.held {
            Some("prefetched, before the reads whose addresses depend on its value")
        } else if self.cached && self.is_asked_early(tree, Early::Halo) {
            Some("its rows are requested before the loop, and travel while the loop computes other rows")
        } else if self.cached && self.is_asked_early(tree, Early::Directory) {
            Some("the elements that the loop reads of each array are requested before it, in a few messages")
        } else if self.cached {
            Some("cached while its loops run: remote objects are requested together with their neighbours")
        } else if self.prefetched {
            Some("prefetched: the reads of many iterations are under way at a time")
        } else if self.once {
            Some("read once for many iterations")
        } else {
            None
        };
        if self.element && done(strip_mining::ID) && !done(forall::ID) {
            return (
                "strip-mined: by a local pointer, a processor at a time, where memory is local".into(),
                None,
            );
        }
        if self.is_asked_early(tree, Early::Section) {
            let said = match key.how {
                How::Read => {
                    "copied before its loops, together with all elements of the array that the loops read"
                }
                _ => "gathered in a copy, put after its loops with all elements that they write",
            };
            return (said.into(), None);
        }
        let local = "privatised: by a local pointer";
        let elsewhere = match done(strided::ID) && !done(forall::ID) {
            true => format!("{local} where the elements are on this host; else "),
            false => format!("{local} inside of blocks; at their borders "),
        };
        match (self.element, overlapped) {
            (true, None) if !self.plain => return (local.into(), None),
            (true, Some(way)) => return (elsewhere + way, None),
            (false, Some(way)) => return (way.into(), None),
            _ => {}
        }
        if self.fetched {
            let done = "done before its iteration: the operations of many iterations are under way at a time";
            return (done.into(), None);
        }
        if self.counted {
            return ("sent without waiting, and counted once for the loop".into(), None);
        }
        if self.accumulated {
            let by_owner = "done by the owner, which is sent the operand: no thread waits";
            return (if self.element { elsewhere + by_owner } else { by_owner.into() }, None);
        }
        let (why, help) = self.why(tree, key);
        (if self.element { elsewhere + &why } else { why }, help)
    }

    /// Returns why the access stays fine-grained, and a change that would help.
    fn why(&self, tree: &Tree, key: &Key) -> (String, Option<&'static str>) {
        let fine = |why: &str| format!("fine-grained: {why}");
        let split_c = tree.typed.types.language == Language::SplitC;
        match key.how {
            How::Split => return ("as written: `sync()` waits for the access".into(), None),
            How::Store => return ("sent without waiting".into(), None),
            How::Atomic if !self.objects.iter().any(|&e| atomics::gives_value(&tree.typed, e)) => {
                return ("sent without waiting, together with others".into(), None);
            }
            How::Atomic => {
                let refused = self.objects.iter().find_map(|&e| tree.refused.get(&tree.id(e)));
                let why = refused.map_or("the thread waits for the old value", |why| why.text());
                return (fine(why), refused.and_then(|why| why.help()));
            }
            _ if self.strict => {
                let help = "make accesses relaxed if no thread waits for them: relaxed accesses overlap";
                return (fine("the access is strict, and waits for all accesses before it"), Some(help));
            }
            How::Write if self.at_once => {
                let help = split_c.then_some("split-phase writes (`:=`) overlap");
                return (fine("the thread waits for the write"), help);
            }
            How::Write => {
                let help = "`upc_memput` sends consecutive objects in one message";
                let help = (!tree.typed.types.language.everything()).then_some(help);
                return (fine("a message of its own, which the thread does not wait for"), help);
            }
            How::Update => {
                let help =
                    "a statement with `+=`, `-=`, `&=`, `|=`, `^=`, `++` or `--` alone is done by the owner";
                let help = (!tree.typed.types.language.everything()).then_some(help);
                return (fine("the thread waits for the old value"), help);
            }
            How::Read => {}
        }
        if tree.typed.types.language.everything() {
            let help = split_c.then_some("split-phase reads (`:=`) overlap");
            return (fine("the thread waits for the read"), help);
        }
        let bulk = "`upc_memget` reads consecutive objects in one message";
        let Some(&Around { at, counts, .. }) = self.loops.last() else {
            return (fine("the thread waits for the read, outside of loops"), Some(bulk));
        };
        if let Some(why) = self.objects.iter().find_map(|&e| tree.refused.get(&tree.id(e))) {
            return (fine(why.text()), why.help().or(Some(bulk)));
        }
        let of = |pass: PassId, at: u32| tree.remarks.iter().find(|r| r.pass == pass && r.at == at);
        match of(prefetch::ID, at).map(|remark| &remark.outcome) {
            Some(Err(why)) => return (fine(why.text()), why.help().or(Some(bulk))),
            Some(Ok(_)) if self.large => return (fine("the object is a long struct"), Some(bulk)),
            Some(Ok(_)) => {
                let help = "read into a variable before the condition: such a read is prefetched";
                return (fine("not every iteration reads the object"), Some(help));
            }
            None => {}
        }
        let long = |&Around { at, .. }: &Around| {
            of(versioning::ID, at).is_some_and(|r| r.outcome == Err(Reason::Long))
        };
        if self.loops.iter().any(long) {
            return (
                fine("the loop is long"),
                Some("put the loop into a function of its own: the loop is then prefetched"),
            );
        }
        if counts {
            return (fine("the thread waits for the read"), Some(bulk));
        }
        let help = "use a `for` loop that counts and ends by its condition alone: its reads are prefetched";
        (fine("the loop does not count"), Some(help))
    }
}

/// A loop around an access.
#[derive(Clone, Copy, Debug)]
struct Around {
    /// Where the loop begins in the order of the program.
    at: u32,
    /// The loop is a `for` or `upc_forall`.
    counts: bool,
    /// The loop's first clause, in which an access is not repeated by the loop.
    first: Option<Span>,
}

/// A walk over the rewritten program.
struct Walk<'a> {
    tree: &'a Tree,
    hosts: Hosts,
    /// The walk is in a version for a rare case.
    rare: bool,
    loops: Vec<Around>,
    usual: BTreeMap<Key, Ways>,
    seldom: BTreeMap<Key, Ways>,
}

impl<'a> Visitor<'a> for Walk<'a> {
    fn unit(&self) -> &'a Unit {
        &self.tree.unit
    }

    fn typed(&self) -> &'a Typed {
        &self.tree.typed
    }

    fn stmt(&mut self, s: StmtId) {
        let tree = self.tree;
        let counts = match tree.unit.stmts[s].kind {
            StmtKind::For { .. } | StmtKind::Forall { .. } => Some(true),
            StmtKind::While(..) => Some(false),
            StmtKind::Do(..) if run_once(&tree.unit, &tree.typed, s).is_none() => Some(false),
            _ => None,
        };
        let at = tree.unit.stmts[s].at.lo;
        let inner = counts.filter(|_| self.loops.last().is_none_or(|of| of.at != at));
        let first = match tree.unit.stmts[s].kind {
            StmtKind::For { init, .. } | StmtKind::Forall { init, .. } => match init {
                ForInit::None => None,
                ForInit::Expr(e) => Some(tree.unit.exprs[e].span),
                ForInit::Decl(d) => Some(tree.unit.decls[d].span),
            },
            _ => None,
        };
        self.loops.extend(inner.map(|counts| Around { at, counts, first }));
        match tree.nodes(s) {
            Some(nodes) => self.nodes(nodes),
            None => visit::walk_stmt(self, s),
        }
        if inner.is_some() {
            self.loops.pop();
        }
    }

    fn value(&mut self, e: ExprId) {
        if let Some(object) = atomics::object_of(self.tree, e) {
            self.note_atomic(e, object);
        }
        let ExprKind::Split(op, target, value) = self.tree.unit.exprs[e].kind else {
            return visit::walk_value(self, e);
        };
        let (unit, typed) = (&self.tree.unit, &self.tree.typed);
        let (target, from) = (unit.bare(target), unit.bare(value));
        if typed.types.is_shared(typed.ty(target)) {
            self.value(value);
            let how = if op == SplitOp::Store { How::Store } else { How::Split };
            let counted = matches!(self.tree.access(e), Some(Access::Counted(Some(_))));
            self.note(target, how, counted);
            self.place(target, Use::Part);
        } else {
            // A value that is converted, or that is read by the name of an object, is read at once.
            let same = typed.types.of(typed.ty(target)) == typed.types.of(typed.ty(from));
            if same && is_through_pointer(self.tree, from) && typed.conversion(value).is_none() {
                self.note(from, How::Split, false);
                self.place(from, Use::Part);
            } else {
                self.value(value);
            }
            self.place(target, Use::Write);
        }
    }

    fn place(&mut self, e: ExprId, how: Use) {
        let how = match how {
            Use::Read => Some(How::Read),
            Use::Write => Some(How::Write),
            Use::Update => Some(How::Update),
            Use::Address | Use::Part => None,
        };
        let typed = &self.tree.typed;
        if let Some(how) = how
            && typed.types.is_shared(typed.ty(e))
            && !matches!(typed.types.of(typed.ty(e)), Ty::Array(..))
        {
            self.note(e, how, false);
        }
        visit::walk_place(self, e);
    }
}

impl Walk<'_> {
    fn note(&mut self, e: ExprId, how: How, counted: bool) {
        let (tree, typed) = (self.tree, &self.tree.typed);
        let access = tree.access(e);
        // An own element that has been read in advance is still own.
        let own_copy = match access {
            Some(&(Access::Again { otherwise, .. } | Access::Held { otherwise, .. })) => {
                is_part_of_own(tree, otherwise)
            }
            _ => false,
        };
        // A member of an element lies in the element.
        let element = own_copy || is_part_of_own(tree, e);
        let plain = !counted && access.is_none() && !element;
        let one_host = plain || matches!(access, Some(Access::Accumulated));
        // Only strip-mined loops, of the languages in which everything is addressable, exist for one host
        // alone.
        if self.hosts == Hosts::One && (one_host || !typed.types.language.everything()) {
            return;
        }
        let Expr { span, at, .. } = tree.unit.exprs[e];
        let key = Key { lo: at.lo, hi: at.hi, how };
        let to = if self.rare { &mut self.seldom } else { &mut self.usual };
        let ways = to.entry(key).or_default();
        ways.objects.push(e);
        ways.text = span;
        ways.element |= element;
        ways.once |= matches!(access, Some(Access::Value(_)));
        ways.prefetched |=
            matches!(access, Some(Access::Prefetched { .. } | Access::Staged { .. } | Access::Tried { .. }));
        ways.cached |= matches!(access, Some(Access::Cached(_)));
        ways.held |=
            !own_copy && matches!(access, Some(Access::Held { .. } | Access::Staged { leads: true, .. }));
        ways.counted |= counted;
        ways.accumulated |= matches!(access, Some(Access::Accumulated));
        ways.plain |= plain;
        ways.strict = typed.is_strict(&tree.unit, e);
        // The owner changes the bits, and answers.
        ways.at_once = is_written_at_once(tree, e) || is_bit_field(tree, e);
        ways.large = !may_be_copied(&typed.types, typed.ty(e));
        let once = |of: &&Around| of.first.is_some_and(|first| first.lo <= span.lo && span.hi <= first.hi);
        ways.loops = self.loops.iter().filter(|of| !once(of)).copied().collect();
    }

    /// Adds an atomic operation on an object.
    fn note_atomic(&mut self, e: ExprId, object: ExprId) {
        if self.hosts == Hosts::One {
            return;
        }
        let at = self.tree.unit.exprs[e].at;
        let to = if self.rare { &mut self.seldom } else { &mut self.usual };
        let ways = to.entry(Key { lo: at.lo, hi: at.hi, how: How::Atomic }).or_default();
        ways.objects.push(e);
        ways.text = self.tree.unit.exprs[object].span;
        ways.fetched |= matches!(self.tree.access(e), Some(Access::Fetched { .. }));
    }

    fn nodes(&mut self, nodes: &[Node]) {
        nodes.iter().for_each(|node| self.node(node));
    }

    fn rarely(&mut self, walk: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.rare, true);
        walk(self);
        self.rare = outer;
    }

    fn node(&mut self, node: &Node) {
        match node {
            &Node::Stmt(s) => self.stmt(s),
            &Node::Continued(s) | &Node::AllIterations { forall: s, .. } => self.rarely(|walk| walk.stmt(s)),
            &Node::First(s) => match self.tree.unit.first_clause(s) {
                ForInit::None => {}
                ForInit::Expr(e) => self.value(e),
                ForInit::Decl(d) => self.decl(d),
            },
            Node::Declare { value: Some(value), .. } | Node::Define(_, value) => self.term(value),
            Node::Loop(l) => {
                l.each_expr(&mut |e| self.value(e));
                self.nodes(&l.body);
            }
            Node::If { test, then, otherwise } => {
                self.term(test);
                self.nodes(then);
                self.nodes(otherwise);
            }
            Node::Known(hosts, body) => {
                let outer = std::mem::replace(&mut self.hosts, *hosts);
                self.nodes(body);
                self.hosts = outer;
            }
            &Node::Extremum { object, value, .. } => {
                self.value(value);
                self.place(object, Use::Update);
            }
            // The reads that other nodes start belong to accesses that stand at their places in the program.
            _ => {}
        }
    }

    fn term(&mut self, term: &Term) {
        term.each_expr(&mut |e| self.value(e));
    }
}
