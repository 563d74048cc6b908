//! A comparison of Meridian with other systems in one respect: a table of times, and the goals of each row.
//!
//! A kind of comparison selects its points, tells those of Meridian from those of others, and pairs them. It
//! has a table for each place: a conduit and a number of processes.

use crate::measure::system::UPC;
use crate::measure::table::applications;
use crate::options::{Conduit, Part};
use crate::results::{Point, Results};
use crate::sheet::{Ratios, Row, Sheet};

/// The size assumed for the largest cache, if the machine does not report it.
const CACHE: u64 = 32 << 20;

/// A comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Target of links.
    pub id: String,
    /// The subject of the comparison, and its place.
    pub title: String,
    /// How to read the table.
    pub caption: &'static str,
    /// The times.
    pub table: Ratios,
    /// By row and peer: the least time that the peer is meant to take, relative to Meridian's.
    pub goals: Vec<Vec<Option<f64>>>,
    /// Where the time is lost if a goal is missed.
    pub why: &'static str,
}

impl Comparison {
    /// Returns the table.
    pub fn sheet(self) -> Sheet {
        Sheet::of_ratios(self.id, self.title, self.caption, self.table)
    }
}

/// A kind of comparison.
pub(super) struct Kind {
    pub id: &'static str,
    pub title: &'static str,
    pub caption: &'static str,
    /// Whether a point belongs to this kind.
    pub has: fn(&Point) -> bool,
    /// Whether that point is Meridian's.
    pub is_ours: fn(&Point) -> bool,
    /// The name of the row of such a point.
    pub label: fn(&Point) -> String,
    /// The least time that the other is meant to take, relative to Meridian's. The last argument is the size
    /// of the largest cache.
    pub goal: fn(&Point, &Point, u64) -> Option<f64>,
    /// The name of the other system's column in the table.
    pub column: fn(&Point) -> String,
    /// Whether the other point belongs to the row.
    pub same: fn(&Point, &Point) -> bool,
    /// Where the time is lost if a goal is missed.
    pub why: &'static str,
}

/// A kind that compares a series in UPC with the same in other systems.
pub(super) const USUAL: Kind = Kind {
    id: "",
    title: "",
    caption: "",
    has: |_| false,
    is_ours: |point| point.dialect == UPC.name,
    label: |point| point.series.clone(),
    goal: |_, _, _| None,
    column: |point| point.dialect.clone(),
    same,
    why: "",
};

/// The place of a measurement: the conduit and the number of processes.
type Place<'a> = (&'a str, u64);

/// Returns the place of a point; whole programs and the operations of peers have two processes.
pub(super) fn place(point: &Point) -> Place<'_> {
    let pair =
        [&applications::PARTS[..], &[Part::Peers]].concat().iter().any(|part| part.name() == point.part);
    (&point.conduit, point.at.get("processes").copied().unwrap_or(if pair { 2 } else { 1 }))
}

/// Returns the places of points, in order.
pub(super) fn places<'a>(points: &[&'a Point]) -> Vec<Place<'a>> {
    let mut places: Vec<Place<'_>> = Vec::new();
    for point in points {
        if !places.contains(&place(point)) {
            places.push(place(point));
        }
    }
    places
}

/// Returns a description such as `8 processes on this host`.
pub fn where_text(conduit: &str, processes: u64) -> String {
    let many = if processes == 1 { "one process".to_string() } else { format!("{processes} processes") };
    if [Conduit::Tcp, Conduit::Ofi].iter().any(|between| between.name() == conduit) {
        format!("{many} on two hosts, over {conduit}")
    } else {
        format!("{many} on this host")
    }
}

/// Whether two points have the same series and sizes.
pub(super) fn same(ours: &Point, other: &Point) -> bool {
    other.series == ours.series && other.at == ours.at
}

impl Kind {
    /// Returns the comparisons of this kind that were measured.
    pub fn of(&self, results: &Results) -> Vec<Comparison> {
        let cache = results.header.machine.caches.iter().map(|(_, size)| *size).max().unwrap_or(CACHE);
        let points: Vec<&Point> = results.points.iter().filter(|point| (self.has)(point)).collect();
        places(&points).into_iter().filter_map(|at| self.compare(&points, at, cache)).collect()
    }

    fn compare(&self, points: &[&Point], at: Place<'_>, cache: u64) -> Option<Comparison> {
        let here = points.iter().copied().filter(|point| place(point) == at);
        let (ours, others): (Vec<&Point>, Vec<&Point>) = here.partition(|point| (self.is_ours)(point));
        let mut peers: Vec<String> = Vec::new();
        for name in others.iter().map(|other| (self.column)(other)) {
            if !peers.contains(&name) {
                peers.push(name);
            }
        }
        let (mut rows, mut goals) = (Vec::new(), Vec::new());
        for point in ours {
            let Some(spread) = point.spread() else { continue };
            let is =
                |other: &Point, name: &String| (self.column)(other) == *name && (self.same)(point, other);
            let beside = |name: &String| others.iter().copied().find(|other| is(other, name));
            let beside: Vec<Option<&Point>> = peers.iter().map(beside).collect();
            let ns = |other: &Option<&Point>| Some((*other)?.spread()?.median);
            goals.push(beside.iter().map(|other| (self.goal)(point, (*other)?, cache)).collect());
            let label = (self.label)(point);
            rows.push(Row { label, ours: spread.median, peers: beside.iter().map(ns).collect() });
        }
        let (conduit, processes) = at;
        let found = !rows.is_empty() && !peers.is_empty();
        found.then(|| Comparison {
            id: format!("{}-{conduit}-{processes}", self.id),
            title: format!("{}, {}", self.title, where_text(conduit, processes)),
            caption: self.caption,
            table: Ratios { peers, rows },
            goals,
            why: self.why,
        })
    }
}
