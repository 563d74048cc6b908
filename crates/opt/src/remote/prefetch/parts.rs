//! Rewrites a loop whose writes are tested, so that it goes in parts.
//!
//! Each stage of a part is a loop that starts its reads. If two parts are under way ([`Ahead`]), the last
//! stage of the next part is started before the current part runs:
//!
//! ```text
//! for (; first < last || go; ) {
//!     begin = next * DEPTH, n = begin;
//!     if (met) { start the reads of DEPTH iterations or fewer from `front' on, up to n, in waiting[next] }
//!     wait for waiting[now];
//!     run iterations first ... last of the current part, or, if there is none and nothing is remote,
//!         iterations without prefetching
//!     first = begin, last = n, now = next, next = !now;
//! }
//! ```
//!
//! Element m of a buffer is iteration m's. Iterations of one part count from 0, those of the other from
//! DEPTH. If nothing in the next part is remote, the part is dropped, and its iterations run without
//! prefetching.

use super::cuts::{Cut, Cuts, each_item};
use super::nodes::{Parts, declare, less, not, reads_once, set, value, when};
use super::walk::{Walker, Written};
use crate::ir::tree::{Access, Loop, Node, Primitive, Term, Tree, Var, VarType, Waiting};
use c_syntax::ast::*;

/// The variables of a loop that goes in parts.
struct Names {
    /// Counts reads under way.
    waiting: Waiting,
    /// The current part has been prefetched.
    fetched: Var,
    /// Something in the part is remote.
    met: Var,
    /// The number of iterations whose reads of each stage have been started.
    started: Vec<Var>,
    /// The number of iterations that have run.
    m: Var,
    /// The counter's value at the beginning of the part.
    from: Var,
    /// The values of each cut.
    buffers: Vec<Var>,
    /// Set if the next part is started before the current one has run.
    ahead: Option<Ahead>,
}

/// The variables of a loop with two parts under way.
#[derive(Clone, Copy)]
struct Ahead {
    /// The first iteration whose reads have not been started.
    front: Var,
    /// The current part is iterations `first` to `last` - 1.
    first: Var,
    last: Var,
    /// The first buffer element of the next part.
    begin: Var,
    /// Two counts, and the indices of the current part's and the next part's count.
    waiting: Var,
    now: Var,
    next: Var,
}

impl Ahead {
    fn new(tree: &mut Tree) -> Ahead {
        Ahead {
            front: tree.var("front"),
            first: tree.var("first"),
            last: tree.var("last"),
            begin: tree.var("begin"),
            waiting: tree.var("waiting"),
            now: tree.var("now"),
            next: tree.var("next"),
        }
    }

    /// Returns whether there is a current part that has not run.
    fn pending(&self) -> Term {
        less(self.first.into(), self.last.into())
    }
}

impl Names {
    fn new(tree: &mut Tree, cuts: &Cuts, ahead: Option<Ahead>) -> Names {
        let waiting = match ahead {
            Some(ahead) => Waiting::Of(ahead.waiting, ahead.next),
            None => Waiting::Var(tree.var("waiting")),
        };
        let last = cuts.walks() - 1;
        Names {
            waiting,
            fetched: tree.var("fetched"),
            met: tree.var("met"),
            started: (0..=last).map(|stage| tree.var(if stage < last { "ready" } else { "n" })).collect(),
            m: tree.var("m"),
            from: tree.var("from"),
            buffers: cuts.all.iter().map(|_| tree.var("buffer")).collect(),
            ahead,
        }
    }

    /// Returns the buffer index of the first iteration whose reads are to be started.
    fn begin(&self) -> Term {
        self.ahead.map_or(Term::Num(0), |ahead| ahead.begin.into())
    }

    /// Returns the number of iterations whose reads have all been started.
    fn n(&self) -> Var {
        self.started[self.started.len() - 1]
    }
}

impl Cuts {
    /// Returns true if all varying reads come from the cache, so that no buffer bounds a part.
    fn are_cached(&self) -> bool {
        !self.all.iter().any(Cut::buffered) && self.all.iter().any(|cut| cut.cached)
    }

    /// Returns true if a part has no requests once the cache holds its lines: all varying reads are cached,
    /// and those on which addresses depend are cached or the thread's own.
    fn are_served_by_cache(&self) -> bool {
        let near = |cut: &Cut| !cut.buffered() || cut.leads && (cut.own || cut.cached);
        self.all.iter().all(near) && self.all.iter().any(|cut| cut.cached)
    }

    /// Returns true if the reads of a part may be started before the previous part has run. Not if the cache
    /// is used, which may forget requested lines when a part begins, nor if an object is read once for a
    /// part, since it has one value at a time.
    fn overlap(&self) -> bool {
        !self.all.iter().any(|cut| cut.once || cut.cached && !cut.leads)
    }

    /// Returns the most iterations that are read ahead at a time.
    fn most(&self, tree: &Tree) -> Term {
        Term::Name(if self.are_cached() { Primitive::CacheDepth } else { self.depth(tree) })
    }

    /// Returns the number of walks over a part: the last one starts the reads on which nothing else depends.
    fn walks(&self) -> usize {
        self.stages().max(1)
    }

    /// Returns the reads that are done once for a part.
    fn once(&self) -> Vec<ExprId> {
        self.all.iter().filter(|cut| cut.once).map(|cut| cut.e).collect()
    }

    /// Returns the cached objects on which the addresses of other cached objects depend: directories. They
    /// are requested as well, so that the next part finds them in the cache.
    fn directories(&self) -> Vec<&Cut> {
        let cached = self.all.iter().filter(|cut| cut.cached && !cut.leads);
        let needed: Vec<usize> = cached.flat_map(|cut| cut.needs.iter().copied()).collect();
        let is_one = |&(number, cut): &(usize, &Cut)| cut.cached && cut.leads && needed.contains(&number);
        self.all.iter().enumerate().filter(is_one).map(|(_, cut)| cut).collect()
    }
}

/// Returns the rewritten loop, without its first clause.
pub(super) fn rewritten(tree: &mut Tree, cuts: &Cuts, parts: Parts) -> Vec<Node> {
    if cuts.all.iter().all(|cut| cut.once || !cut.used) {
        once_a_part(tree, cuts, parts)
    } else if cuts.overlap() {
        in_turns(tree, cuts, parts)
    } else {
        in_parts(tree, cuts, parts)
    }
}

/// Returns a loop that reads the same objects in all iterations, and nothing else in advance.
fn once_a_part(tree: &mut Tree, cuts: &Cuts, parts: Parts) -> Vec<Node> {
    let m = tree.var("m");
    let mut out = vec![declare(m, VarType::Unsigned, None)];
    let mut part = once(tree, cuts, &mut out);
    let go = less(m.into(), Term::Name(Primitive::PrefetchPause)).and(parts.go(tree));
    part.push(set(m, Term::Num(0)));
    part.push(parts.iterations(tree, m, go, vec![Node::Stmt(parts.body)]));
    out.push(parts.over(tree, part));
    out
}

/// Reads objects once. Further reads of them take the same values.
fn once(tree: &mut Tree, cuts: &Cuts, out: &mut Vec<Node>) -> Vec<Node> {
    let nodes = reads_once(tree, &cuts.once(), out);
    for cut in cuts.all.iter().filter(|cut| cut.once) {
        if let Some(access) = tree.access(cut.e).cloned() {
            cut.also.iter().for_each(|&e| tree.mark(e, access.clone()));
        }
    }
    nodes
}

/// Returns the loop over the iterations up to `last` of the buffers, or over iterations that are not
/// prefetched.
fn prefetched(tree: &mut Tree, parts: &Parts, names: &Names, last: Var) -> Node {
    let &Names { fetched, met, m, .. } = names;
    let alone = not(met.into()).and(less(m.into(), Term::Name(Primitive::PrefetchPause)));
    let go = Term::choose(fetched.into(), less(m.into(), last.into()), alone.and(parts.go(tree)));
    parts.iterations(tree, m, go, vec![Node::Stmt(parts.body)])
}

/// Returns a loop that starts the reads of a part and runs it.
fn in_parts(tree: &mut Tree, cuts: &Cuts, parts: Parts) -> Vec<Node> {
    let names = Names::new(tree, cuts, None);
    let (fetched, met, m, n) = (names.fetched, names.met, names.m, names.n());
    let first = if cuts.are_served_by_cache() { Term::Name(Primitive::CacheCold) } else { Term::Num(1) };
    let mut out = Vec::new();
    if let Waiting::Var(waiting) = names.waiting {
        out.push(declare(waiting, VarType::Int, Some(Term::Num(0))));
    }
    out.extend([
        // The cache may hold all objects, or all may be on this host.
        declare(fetched, VarType::Int, Some(first)),
        declare(met, VarType::Int, None),
        declare(n, VarType::Unsigned, None),
        declare(m, VarType::Unsigned, None),
        declare(names.from, VarType::Like(parts.counter), None),
    ]);
    let once = once(tree, cuts, &mut out);
    let start = starts(tree, cuts, &parts, &names, &mut out);
    let run = prefetched(tree, &parts, &names, n);
    let part = [
        once,
        vec![
            set(met, Term::Num(0)),
            set(n, Term::Num(0)),
            when(fetched.into(), start),
            set(m, Term::Num(0)),
            run,
            set(fetched, met.into()),
        ],
    ];
    out.push(parts.over(tree, part.concat()));
    out
}

/// Returns a loop that starts the reads of the next part before it runs the current one.
fn in_turns(tree: &mut Tree, cuts: &Cuts, parts: Parts) -> Vec<Node> {
    let ahead = Ahead::new(tree);
    let names = Names::new(tree, cuts, Some(ahead));
    let (fetched, met, m, n) = (names.fetched, names.met, names.m, names.n());
    let Ahead { first, last, now, next, .. } = ahead;
    let mut out = vec![
        declare(ahead.waiting, VarType::Counts, None),
        declare(now, VarType::Int, Some(Term::Num(1))),
        declare(next, VarType::Int, Some(Term::Num(0))),
        declare(fetched, VarType::Int, None),
        declare(met, VarType::Int, Some(Term::Num(1))),
        declare(first, VarType::Unsigned, Some(Term::Num(0))),
        declare(last, VarType::Unsigned, Some(Term::Num(0))),
        declare(ahead.begin, VarType::Unsigned, None),
        declare(n, VarType::Unsigned, None),
        declare(m, VarType::Unsigned, None),
        declare(names.from, VarType::Like(parts.counter), None),
        declare(ahead.front, VarType::Like(parts.counter), Some(value(parts.counter))),
    ];
    let start = starts(tree, cuts, &parts, &names, &mut out);
    let go = Term::bin("||", ahead.pending(), parts.go(tree));
    let run = prefetched(tree, &parts, &names, last);
    let turn = vec![
        set(ahead.begin, Term::choose(next.into(), cuts.most(tree), Term::Num(0))),
        set(n, ahead.begin.into()),
        when(met.into(), start),
        Node::Wait(Waiting::Of(ahead.waiting, now)),
        set(fetched, ahead.pending()),
        set(m, Term::choose(fetched.into(), first.into(), Term::Num(0))),
        run,
        set(first, ahead.begin.into()),
        set(last, n.into()),
        set(now, next.into()),
        set(next, not(now.into())),
    ];
    out.push(Node::Loop(Loop { go, step: Vec::new(), body: turn, counts: None }));
    out
}

/// Starts the reads of a part: of the next part, if two are under way.
fn starts(tree: &mut Tree, cuts: &Cuts, parts: &Parts, names: &Names, out: &mut Vec<Node>) -> Vec<Node> {
    let &Names { waiting, fetched, met, m, from, ahead, .. } = names;
    let to = |var: Var| Node::Assign(parts.counter, var.into());
    let begins = ahead.map_or(from, |ahead| ahead.front);
    let mut start = vec![set(from, value(parts.counter))];
    if let Some(ahead) = ahead {
        start.push(when(not(ahead.pending()), vec![set(ahead.front, from.into())]));
        start.extend([to(ahead.front), set(met, Term::Num(0)), set(fetched, Term::Num(1))]);
    }
    for (cut, &buffer) in cuts.all.iter().zip(&names.buffers).filter(|(cut, _)| cut.buffered()) {
        out.push(declare(buffer, VarType::Buffer(tree.typed.ty(cut.e)), None));
    }
    let most = cuts.most(tree);
    let mut most = if ahead.is_some() { Term::bin("+", names.begin(), most) } else { most };
    let (mut stops, last) = (false, names.started.len() - 1);
    for (stage, &started) in names.started.iter().enumerate() {
        mark(tree, cuts, names, stage, started);
        let written = extents(tree, cuts, stage, ahead, (&mut start, out));
        let walker = Walker {
            cuts,
            stage,
            waiting,
            met,
            full: None,
            at: &[started],
            ends: &[],
            buffers: &names.buffers,
            taken: &[],
            inputs: None,
            written: &written,
        };
        let mut body = walker.iteration(tree);
        if stage < last {
            out.push(declare(started, VarType::Unsigned, None));
            start.push(set(started, names.begin()));
        } else if cuts.all.iter().any(|cut| cut.cached && !cut.leads) {
            start.push(Node::Do(Term::call(Primitive::CachePart, [])));
            body.insert(0, Node::Leave(Term::call(Primitive::CachePartFull, [])));
            for cut in cuts.directories() {
                let Some(&Access::Held { otherwise, .. }) = tree.access(cut.e) else { continue };
                body.push(Node::StartCached { read: tree.copy_expr(otherwise), waiting, met });
            }
        }
        let go = less(started.into(), most).and(parts.go(tree));
        start.push(parts.iterations(tree, started, go, body));
        if stage < last {
            start.extend([Node::Wait(waiting), to(begins)]);
        }
        most = started.into();
        stops |= !written.is_empty();
    }
    match ahead {
        None => start.extend([Node::Wait(waiting), to(from)]),
        Some(ahead) => start.extend([set(ahead.front, value(parts.counter)), to(from)]),
    }
    start.extend(unstarted(names, stops));
    mark(tree, cuts, names, cuts.walks(), m);
    start
}

/// Marks the reads of earlier stages than `stage`: their values come from element `at` of the buffers.
fn mark(tree: &mut Tree, cuts: &Cuts, names: &Names, stage: usize, at: Var) {
    let &Names { fetched, met, .. } = names;
    let earlier = |(cut, _): &(&Cut, &Var)| cut.used && !cut.once && cut.stage < stage;
    for (cut, &buffer) in cuts.all.iter().zip(&names.buffers).filter(earlier) {
        for &e in cut.also.iter().chain([&cut.e]) {
            let access = if cut.cached && !cut.leads {
                Access::Cached(Some(met))
            } else if cut.leads {
                let otherwise = match tree.access(e) {
                    Some(&Access::Held { otherwise, .. }) => otherwise,
                    _ => tree.copy_expr(e),
                };
                if cut.cached {
                    tree.mark(otherwise, Access::Cached(Some(met)));
                } else if !cut.own {
                    tree.mark(otherwise, Access::Prefetched { buffer, at, fetched, met });
                }
                Access::Held { buffer, at, fetched, otherwise }
            } else if cut.late_here {
                Access::Prefetched { buffer, at, fetched, met }
            } else {
                Access::Staged { buffer, at, fetched, met, notes: None, leads: false }
            };
            tree.mark(e, access);
        }
    }
}

/// Declares the extents of the writes that this stage tests reads against, in front of the walk or of the
/// loop over parts.
fn extents(
    tree: &mut Tree,
    cuts: &Cuts,
    stage: usize,
    ahead: Option<Ahead>,
    (walk, out): (&mut Vec<Node>, &mut Vec<Node>),
) -> Vec<Written> {
    let mut writes = Vec::new();
    each_item(&cuts.items, &mut |item| {
        let tests = item.part().into_iter().flat_map(|part| &part.tests);
        writes.extend(tests.filter(|test| test.stage == stage).flat_map(|test| test.writes.iter().copied()));
    });
    writes.sort_unstable();
    writes.dedup();
    let none = || Some(Term::Name(if cuts.nested { Primitive::ExtentRange } else { Primitive::ExtentNone }));
    let extent = |write| {
        let part = tree.var("written");
        let Some(ahead) = ahead else {
            walk.push(declare(part, VarType::Extent, none()));
            return Written { write, part, before: None };
        };
        let before = tree.var("before");
        out.extend([declare(before, VarType::Extent, none()), declare(part, VarType::Extent, none())]);
        let next = [Term::Ref(before), Term::Ref(part), ahead.pending()];
        walk.push(Node::Do(Term::call(Primitive::ExtentNext, next)));
        Written { write, part, before: Some(before) }
    };
    writes.into_iter().map(extent).collect()
}

/// Returns the nodes for a part of which nothing has been started. `stops`: a part ends before an iteration
/// that reads an object which an earlier one writes.
fn unstarted(names: &Names, stops: bool) -> Vec<Node> {
    let &Names { fetched, met, ahead, .. } = names;
    let n = names.n();
    // The first iteration reads an object that it, or the part before, writes: it is not prefetched.
    let none = Term::bin("==", n.into(), names.begin());
    let alone = match ahead {
        None => vec![set(fetched, Term::Num(0)), set(met, Term::Num(0))],
        Some(ahead) => vec![set(met, ahead.pending())],
    };
    let stopped = if stops { vec![when(none, alone)] } else { Vec::new() };
    match ahead {
        None => stopped,
        Some(_) => {
            let then = vec![set(n, names.begin())];
            vec![Node::If { test: not(met.into()), then, otherwise: stopped }]
        }
    }
}
