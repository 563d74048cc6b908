//! Sections: if a nest of loops accesses a shared array by its counters, the elements that it reads are
//! copied before the nest, and those that it writes are stored after it.
//!
//! ```c
//! upc_forall (i = 0; i < n; i++; &c[i][0])
//!     for (j = 0; j < n; j++)
//!         c[i][j] = a[j][i];
//! ```
//!
//! reads rows 0 … n-1 of a, and in each of them the columns with the numbers of the thread's rows of c. The
//! cache ([`crate::remote::caching`]) would get them line by line, with a lookup for each element. But these
//! elements are known before the loop: a box, given by the counters in the subscripts. So a few long messages
//! fetch a private copy of the box there (`runtime/rma/ahead/section.c`), and the nest reads the copy by
//! plain loads.
//!
//! *Why it is allowed.* The nest reads every element of the box, if none of its loops is empty: each read
//! stands in a loop's body where every iteration comes to it. The loops count by one, between values that are
//! the same throughout, and are not left early. So no element is read that the program would not read. The
//! limits of the box are computed before the nest, whether the program comes to them or not: from right
//! values, and without faults ([`crate::facts::early`]). Nothing in the nest is strict, synchronises or calls
//! a function that might; and the nest writes to no object that may be an element of the array
//! ([`crate::facts::dependences`]). So all its reads may be done when it is entered, as those of the cache.
//!
//! *Writes* go to a copy too, which is stored to the array after the nest. This requires that every element
//! of the box is assigned, and that no other access of the nest may be to the box. Reads of the box use the
//! same copy, which is then fetched first. So nothing is written that the program would not write, each
//! element gets its last value, and the thread itself sees its writes. To others the writes are relaxed, and
//! complete at the next fence, as single writes would be. In a loop over own rows, the boxes of different
//! rows are disjoint.
//!
//! *Where it pays.* A loop around the counting ones accesses the same elements again, or neighbours in memory
//! are not accessed one after the other. Otherwise [`crate::owned::local_rows`], [`crate::remote::halos`] and
//! the cache are as good, and copy nothing that is on this host. Rows that the variable of a loop over own
//! rows counts are left to them too.
//!
//! *Limits.* UPC; arrays by name, and pointers that serve as arrays and point at thread 0, phase 0;
//! subscripts `i + c` and invariant ones; boxes of at most four subscripts and 32 MB.
//!
//! *Result.* Before a nest, or a loop over own rows, the calls that fetch the copies; then the loop with
//! [`Access::Element`]s of the copies, and the loop as written for the case that there are none. A loop over
//! own rows on which the box depends goes in parts: while the copies for one part are used, those for the
//! next are fetched ([`parts`]).

mod boxes;
mod parts;

use self::boxes::{Section, runs, sections};
use self::parts::Parts;
use crate::facts::body::Body;
use crate::facts::dependences::Dependences;
use crate::ir::pass_id::PassId;
use crate::ir::reason::Reason;
use crate::ir::tree::{Access, Early, Hosts, Loop, Node, Primitive, Slot, Term, Tree, Var, VarType};
use crate::ir::walk::{each_nest, rewrite_loops};
use c_syntax::ast::*;

/// Copies of a nest, at most: the runtime has as many places.
const MOST_COPIES: usize = 8;
/// A nest longer than this (bytes of text) is not duplicated.
const LONGEST_NEST: u32 = 1500;

/// The name of the pass.
pub(crate) const ID: PassId = PassId("sections");

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    each_nest(tree, ID, &mut nest);
}

/// Rewrites a nest, or the loops over own rows that it has become. Returns whether anything has changed.
fn nest(tree: &mut Tree, s: StmtId) -> Result<bool, Reason> {
    followed(tree, s)?;
    let mut copies = Copies::default();
    let nodes = if tree.nodes(s).is_none() {
        let found = sections(tree, s, s, None)?;
        program_nest(tree, s, &found, &mut copies)
    } else {
        let mut outcome = Ok(());
        rewrite_loops(tree, s, Hosts::Many, &mut |tree, l, _| {
            made_loop(tree, s, l, &mut copies).map_err(|why| outcome = Err(why)).ok()
        });
        if copies.number == 0 {
            return outcome.map(|()| false);
        }
        tree.nodes(s).map(<[Node]>::to_vec).unwrap_or_default()
    };
    tree.replace(s, [copies.front, nodes].concat());
    Ok(true)
}

/// Checks that all effects of a nest are known and that it is short.
fn followed(tree: &Tree, s: StmtId) -> Result<(), Reason> {
    let (span, body) = (tree.unit.stmts[s].at, Body::new(tree, s));
    body.followed()?;
    if span.hi - span.lo > LONGEST_NEST {
        return Err(Reason::Long);
    }
    Dependences::new(&body).map(|_| ())
}

fn said(tree: &mut Tree, s: StmtId, found: &[Section]) {
    let names = |written: bool| {
        let of = found.iter().filter(|section| section.written == written);
        of.map(|section| &*tree.typed.sym(section.root.sym).name).collect::<Vec<_>>().join(" ")
    };
    let (read, written) = (names(false), names(true));
    let said = match (read.is_empty(), written.is_empty()) {
        (_, true) => format!("copies of [{read}]"),
        (true, false) => format!("copies of [{written}], put after the loop"),
        (false, false) => format!("copies of [{read}], and of [{written}], put after the loop"),
    };
    tree.remark(ID, s, Ok(said));
    for read in found.iter().flat_map(|section| &section.reads) {
        tree.ask_early(Early::Section, tree.id(read.e));
    }
}

// ---- rewriting -----------------------------------------------------------------------------------

/// The copies of a nest.
#[derive(Default)]
struct Copies {
    /// Number of copies.
    number: i64,
    /// The nodes before the nest.
    front: Vec<Node>,
}

/// The names of a copy.
struct Copy {
    /// Describes the section; if this moves, the part that is being fetched.
    section: Var,
    /// Describes the current part of a section that moves and is written.
    hand: Option<Var>,
    base: Var,
    /// By subscripts: the first one of the box, if accesses need it.
    first: Vec<Option<Var>>,
    /// By subscripts: the distance of neighbours in the copy, if it is not one and accesses need it.
    stride: Vec<Option<Var>>,
}

/// Rewrites a nest of the program's.
fn program_nest(tree: &mut Tree, s: StmtId, found: &[Section], copies: &mut Copies) -> Vec<Node> {
    let (mut get, mut made) = (Vec::new(), Vec::new());
    for section in found {
        let copy = declared(tree, section, &mut copies.front);
        get.extend(got(tree, section, &copy, None, Term::Num(copies.number)));
        get.extend(taken(&copy));
        copies.number += 1;
        made.push(copy);
    }
    get.push(there());
    let fast = tree.copy(s);
    marked(tree, found, &made, None, |e| fast.expr(e));
    said(tree, s, found);
    let otherwise = vec![Node::Stmt(tree.shallow(s))];
    get.push(Node::If { test: all(&made), then: vec![Node::Stmt(fast.stmt)], otherwise });
    let then = put(found, &made);
    if !then.is_empty() {
        // In separate braces: C compilers examine the statement on the line of the nest's last one.
        get.push(Node::If { test: all(&made), then, otherwise: Vec::new() });
    }
    get
}

/// Rewrites a loop over own rows. Copies that do not depend on its rows are fetched once for the whole nest.
fn made_loop(tree: &mut Tree, s: StmtId, l: &Loop, copies: &mut Copies) -> Result<Vec<Node>, Reason> {
    let (counting, body, value) = l.counted().ok_or(Reason::OtherKind)?;
    let found = sections(tree, s, body, Some(counting))?;
    let moving = found.iter().filter(|section| section.moves()).count();
    if copies.number as usize + found.len() + moving > MOST_COPIES {
        return Err(Reason::ManySections);
    }
    let mut parts = match (moving, value.cloned(), l.end()) {
        (0, ..) => None,
        (_, Some(value), Some(end)) => Some(Parts::new(tree, counting, value, end)),
        _ => return Err(Reason::RowsCountedOtherwise),
    };
    let (mut out, mut once, mut each, mut hand) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut made = Vec::new();
    for section in &found {
        let moves = section.moves();
        let copy = declared(tree, section, if moves { &mut out } else { &mut copies.front });
        let number = Term::Num(copies.number);
        match parts.as_mut().filter(|_| moves) {
            Some(parts) => {
                let number = Term::bin("+", number, parts.turn.into());
                each.extend(got(tree, section, &copy, Some(parts), number));
                hand.extend(taken(&copy));
                parts.told = true;
            }
            None => {
                once.extend(got(tree, section, &copy, None, number));
                once.extend(taken(&copy));
            }
        }
        copies.number += if moves { 2 } else { 1 };
        made.push(copy);
    }
    let mut get = at_once(tree, once, copies);
    get.extend(each);
    let fast = tree.copy(body);
    marked(tree, &found, &made, parts.as_ref().and_then(|parts| parts.from), |e| fast.expr(e));
    said(tree, s, &found);
    let mut inside = tree.copy_nodes(&l.body[..l.body.len() - 1]);
    inside.push(Node::Stmt(fast.stmt));
    let go = parts
        .as_ref()
        .map_or(l.go.clone(), |parts| Term::bin("<", counting.counter.into(), parts.stop.into()));
    let over = |body: Vec<Node>| vec![Node::Loop(Loop { go: go.clone(), body, ..l.clone() })];
    let then = [over(inside), put(&found, &made)].concat();
    let versions = Node::If { test: all(&made), then, otherwise: over(l.body.clone()) };
    match parts {
        None => {
            get.push(there());
            out.extend([Node::If { test: l.go.clone(), then: get, otherwise: Vec::new() }, versions]);
        }
        Some(parts) => out.extend(parts.in_turns(l, hand, get, versions)),
    }
    Ok(out)
}

/// Makes `once` run the first time only.
fn at_once(tree: &mut Tree, once: Vec<Node>, copies: &mut Copies) -> Vec<Node> {
    if once.is_empty() {
        return once;
    }
    let tried = tree.var("tried");
    copies.front.push(Node::Declare { var: tried, ty: VarType::Int, value: Some(Term::Num(0)) });
    let test = Term::Not(Box::new(tried.into()));
    let then = [vec![Node::Assign(Slot::Made(tried), Term::Num(1))], once].concat();
    vec![Node::If { test, then, otherwise: Vec::new() }]
}

fn there() -> Node {
    Node::Do(Term::call(Primitive::SectionsThere, []))
}

/// Makes the test that all copies exist.
fn all(made: &[Copy]) -> Term {
    made.iter().map(|copy| Term::Var(copy.base)).reduce(Term::and).unwrap_or(Term::Num(0))
}

/// Returns the variables of a copy, and adds their declarations to `out`.
fn declared(tree: &mut Tree, section: &Section, out: &mut Vec<Node>) -> Copy {
    let (dims, base) = (&section.dims, tree.var("copy"));
    let first: Vec<_> = dims.iter().map(|dim| dim.has_first().then(|| tree.var("first"))).collect();
    let last = dims.len() - 1;
    let stride =
        dims.iter().enumerate().map(|(n, dim)| (n < last && dim.counts()).then(|| tree.var("stride")));
    let stride: Vec<_> = stride.collect();
    let declare = |var, ty| Node::Declare { var, ty, value: Some(Term::Num(0)) };
    let section_of = |tree: &mut Tree, out: &mut Vec<Node>| {
        let var = tree.var("section");
        out.push(Node::Declare { var, ty: VarType::Section, value: None });
        var
    };
    let describes = section_of(tree, out);
    let hand = (section.written && section.moves()).then(|| section_of(tree, out));
    out.push(declare(base, VarType::Elements(section.root.elem)));
    out.extend(first.iter().chain(&stride).flatten().map(|&var| declare(var, VarType::Index)));
    Copy { section: describes, hand, base, first, stride }
}

/// Begins to fetch a copy, if no loop around its reads is empty.
fn got(tree: &mut Tree, section: &Section, copy: &Copy, parts: Option<&Parts>, number: Term) -> Vec<Node> {
    let (root, s) = (&section.root, || Term::Ref(copy.section));
    let of = [s(), root.first(), Term::Size(root.elem), Term::Num(section.block as i64)];
    let mut out = vec![Node::Do(Term::call(Primitive::SectionOf, of))];
    for dim in &section.dims {
        let [from, count, step] = dim.range(tree, parts);
        let args = [s(), from, count, step, Term::Num(dim.elements as i64)];
        out.push(Node::Do(Term::call(Primitive::SectionDim, args)));
    }
    if let Some(parts) = parts.filter(|parts| !parts.told) {
        let (n, dim) = section.own().expect("it moves");
        let part = [s(), Term::Num(n as i64), Term::Num(dim.spread())];
        let part = Term::call(Primitive::SectionPart, part);
        out.push(Node::Assign(Slot::Made(parts.next), Term::bin("+", parts.stop.into(), part)));
    }
    let get = if section.is_read() { Primitive::SectionGet } else { Primitive::SectionRoom };
    out.push(Node::Do(Term::call(get, [s(), number])));
    let origin = root.pointer.then(|| root.begins_at_origin(tree));
    let runs: Vec<Term> = section.others.iter().map(|&level| runs(level, tree)).collect();
    match origin.into_iter().chain(runs).reduce(Term::and) {
        Some(test) => vec![Node::If { test, then: out, otherwise: Vec::new() }],
        None => out,
    }
}

/// Stores the written copies to their arrays.
fn put(found: &[Section], made: &[Copy]) -> Vec<Node> {
    let written = found.iter().zip(made).filter(|(section, _)| section.written);
    let put = |(_, copy): (_, &Copy)| {
        let of = Term::Ref(copy.hand.unwrap_or(copy.section));
        Node::Do(Term::call(Primitive::SectionPut, [of]))
    };
    written.map(put).collect()
}

/// Loads the variables of a copy from its description.
fn taken(copy: &Copy) -> Vec<Node> {
    let s = || Term::Ref(copy.section);
    let mut out: Vec<Node> =
        copy.hand.map(|hand| Node::Assign(Slot::Made(hand), copy.section.into())).into_iter().collect();
    out.extend([Node::Assign(Slot::Made(copy.base), Term::call(Primitive::SectionCopy, [s()]))]);
    for (vars, of) in [(&copy.first, Primitive::SectionFirst), (&copy.stride, Primitive::SectionStride)] {
        for (n, &var) in (0..).zip(vars) {
            let value = Term::call(of, [s(), Term::Num(n)]);
            out.extend(var.map(|var| Node::Assign(Slot::Made(var), value)));
        }
    }
    out
}

/// Marks the accesses as elements of their copies. `from` is the first value of the counter of own rows.
fn marked(
    tree: &mut Tree,
    found: &[Section],
    made: &[Copy],
    from: Option<Var>,
    here: impl Fn(ExprId) -> ExprId,
) {
    let sum = |a: Option<Term>, b: Term| Some(a.map_or(b.clone(), |a| Term::bin("+", a, b)));
    for (section, copy) in found.iter().zip(made) {
        for read in &section.reads {
            let mut index = None;
            for (n, dim) in section.dims.iter().enumerate() {
                let Some(place) = dim.place(here(read.subscripts[n]), copy.first[n], from) else { continue };
                index = match copy.stride[n] {
                    Some(stride) => sum(index, Term::bin("*", place, stride.into())),
                    None => sum(index, place),
                };
            }
            let index = index.unwrap_or(Term::Num(0));
            tree.mark(here(read.e), Access::Element { base: copy.base, index, inside: Vec::new() });
        }
    }
}
