//! The dataflow graphs of a program as one picture (SVG), a graph below the other.
//!
//! A node is a box; its colour is its class in figure 6-12 of von Eicken's thesis. The line of an arc shows
//! how its target waits:
//!
//! - solid, for a value that is available when the source has run;
//! - dashed, for a value that arrives later;
//! - dotted, for the choice of an arm, unless the target waits for a value from within the arm too.
//!
//! An arc over many layers is drawn as two ends with the name of the value. A browser shows the whole text of
//! the node under the pointer.

use super::layout::{Layout, layout};
use super::names::Names;
use super::operation::operation;
use super::text::{gives, node_text};
use crate::core::language::Atom;
use crate::tam::counts;
use crate::tam::graph::*;
use std::fmt::Write;

/// The most nodes of a graph of which a picture is of use.
const MOST_NODES: usize = 3000;
/// The most letters of a box.
const LETTERS: usize = 34;
const LETTER: f64 = 6.1;
const HEIGHT: f64 = 20.0;
const LAYER: f64 = 58.0;
const MARGIN: f64 = 20.0;
const TITLE: f64 = 30.0;

/// The picture of one graph, with its size.
pub struct Picture {
    body: String,
    width: f64,
    height: f64,
}

/// The reason why the target of an arc waits.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    AtOnce,
    Later,
    Arm(bool),
}

struct Arc {
    from: usize,
    to: usize,
    kind: Kind,
    label: String,
}

/// The graph of a code-block, under its title.
pub fn draw(names: &Names, title: &str, graph: &Graph) -> Picture {
    let mut p = Picture { body: String::new(), width: 60.0 + LETTER * title.len() as f64, height: TITLE };
    let _ = writeln!(p.body, "<text class=\"title\" x=\"0\" y=\"16\">{}</text>", escaped(title));
    if graph.nodes.len() > MOST_NODES {
        let nodes = graph.nodes.len();
        let _ = writeln!(
            p.body,
            "<text x=\"0\" y=\"{:.0}\">{nodes} operations are too many to be drawn: see --dump=graph</text>",
            TITLE + 14.0
        );
        p.height += HEIGHT;
        return p;
    }
    let mut boxes: Vec<(String, &'static str, String)> =
        graph.nodes.iter().map(|n| node(names, graph, n)).collect();
    let arcs = arcs(names, graph, &mut boxes);
    let widths: Vec<f64> =
        boxes.iter().map(|(text, ..)| 12.0 + LETTER * text.chars().count() as f64).collect();
    let pairs: Vec<(usize, usize)> = arcs.iter().map(|a| (a.from, a.to)).collect();
    let l = layout(&widths, &pairs);
    for (arc, route) in arcs.iter().zip(&l.routes) {
        match route {
            Some(route) => p.arc(&l, arc, route, boxes.len()),
            None => p.ends(&l, arc),
        }
    }
    for ((text, class, whole), spot) in boxes.iter().zip(&l.spots) {
        let (x, y) = (spot.x - spot.width / 2.0, top(spot.layer));
        let _ = writeln!(
            p.body,
            "<g class=\"{class}\"><title>{}</title><rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{HEIGHT}\" \
             rx=\"3\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
            escaped(whole),
            spot.width,
            x + 6.0,
            y + 14.0,
            escaped(text)
        );
    }
    p.width = p.width.max(l.width + 80.0);
    p.height += LAYER * l.layers as f64;
    p
}

fn top(layer: usize) -> f64 {
    TITLE + LAYER * layer as f64
}

/// The text of a node's box, its class, and its whole text.
fn node(names: &Names, graph: &Graph, node: &Node) -> (String, &'static str, String) {
    let class = match counts::of_node(&node.act) {
        _ if matches!(node.act, Act::Call { .. }) => "message",
        Some("INTEGER" | "FLOAT") => "alu",
        Some("ALLOCATE" | "FILL" | "BOUND" | "FETCH" | "STORE") => "heap",
        Some("SEND" | "IO") => "message",
        Some(_) => "control",
        None => "other",
    };
    let whole = node_text(names, graph, node);
    let short = gives(names, node) + &operation(names, graph, node);
    let text = match short.chars().count() > LETTERS {
        true => short.chars().take(LETTERS - 1).chain(['…']).collect(),
        false => short,
    };
    (text, class, whole)
}

/// The arcs; late parameters become boxes of their own.
fn arcs(names: &Names, graph: &Graph, boxes: &mut Vec<(String, &'static str, String)>) -> Vec<Arc> {
    let mut all = Vec::new();
    let mut params: Vec<Option<usize>> = vec![None; graph.events.len()];
    for (to, node) in graph.nodes.iter().enumerate() {
        let first = all.len();
        for atom in &node.ins {
            let Atom::Var(v) = atom else { continue };
            let label = names.var(*v);
            match graph.sources.get(v) {
                Some(Source::Node(from)) => all.push(Arc { from: *from, to, kind: Kind::AtOnce, label }),
                Some(Source::Event(e)) => match graph.events[*e].kind {
                    EventKind::Response(from) | EventKind::Merge(from) => {
                        let kind = if graph.at_once[*e] { Kind::AtOnce } else { Kind::Later };
                        all.push(Arc { from, to, kind, label });
                    }
                    EventKind::Param(p) => {
                        let from = *params[*e].get_or_insert_with(|| {
                            let text = format!("{} = argument {}", names.var(*v), p + 1);
                            boxes.push((text.clone(), "message", text));
                            boxes.len() - 1
                        });
                        all.push(Arc { from, to, kind: Kind::Later, label });
                    }
                    EventKind::Arm(..) | EventKind::Never => {}
                },
                Some(Source::Start) | None => {}
            }
        }
        let inside = |arc: &Arc| arc.from < graph.nodes.len() && graph.nodes[arc.from].region == node.region;
        if all[first..].iter().any(inside) {
            continue;
        }
        if let Some(e) = graph.regions[node.region]
            && let EventKind::Arm(from, taken) = graph.events[e].kind
        {
            all.push(Arc { from, to, kind: Kind::Arm(taken), label: taken.to_string() });
        }
    }
    all
}

impl Picture {
    /// Draws a line through the spots of a route; the points of arcs have the numbers from `boxes` on.
    fn arc(&mut self, l: &Layout, arc: &Arc, route: &[usize], boxes: usize) {
        let mut path = String::new();
        for (n, &spot) in route.iter().enumerate() {
            let s = l.spots[spot];
            let (upper, lower) = (top(s.layer), top(s.layer) + HEIGHT);
            let down = route.len() < 2 || l.spots[route[0]].layer < l.spots[route[1]].layer;
            let (enter, leave) = if down { (upper, lower) } else { (lower, upper) };
            if n == 0 {
                let _ = write!(path, "M{:.1} {leave:.1}", s.x);
                continue;
            }
            let before = l.spots[route[n - 1]];
            let from = top(before.layer) + if down { HEIGHT } else { 0.0 };
            let middle = (from + enter) / 2.0;
            let _ = write!(path, "C{:.1} {middle:.1} {:.1} {middle:.1} {:.1} {enter:.1}", before.x, s.x, s.x);
            if spot >= boxes {
                let _ = write!(path, "L{:.1} {leave:.1}", s.x);
            }
        }
        let _ = writeln!(
            self.body,
            "<path class=\"{}\" d=\"{path}\"><title>{}</title></path>",
            class(arc.kind),
            escaped(&arc.label)
        );
    }

    /// Draws the two ends of an arc that is too long.
    fn ends(&mut self, l: &Layout, arc: &Arc) {
        let (a, b) = (l.spots[arc.from], l.spots[arc.to]);
        let (from, to) = (top(a.layer) + HEIGHT, top(b.layer));
        let _ = writeln!(
            self.body,
            "<path class=\"{0}\" d=\"M{1:.1} {2:.1}v9M{3:.1} {4:.1}v-9\"/><text class=\"end\" x=\"{3:.1}\" y=\"{5:.1}\">{6}</text>",
            class(arc.kind),
            a.x,
            from,
            b.x + 8.0,
            to,
            to - 3.0,
            escaped(&arc.label)
        );
    }
}

fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::AtOnce => "arc",
        Kind::Later => "arc later",
        Kind::Arm(true) => "arc then",
        Kind::Arm(false) => "arc else",
    }
}

const STYLE: &str = "text{font:10px ui-monospace,monospace;fill:#222}.title{font-size:13px;font-weight:bold}.end{fill:#777}\
rect{stroke:#555;fill:#eee}.alu rect{fill:#cfe0f7}.heap rect{fill:#d3ecd2}.control rect{fill:#f7d9cb}\
.message rect{fill:#e6d8f0}.arc{fill:none;stroke:#444}.later{stroke-dasharray:5 3}\
.then{stroke:#2a7a2a;stroke-dasharray:1 3}.else{stroke:#b03020;stroke-dasharray:1 3}";

/// All pictures as one document.
pub fn page(pictures: &[Picture]) -> String {
    let width = pictures.iter().map(|p| p.width).fold(0.0, f64::max) + 2.0 * MARGIN;
    let height = pictures.iter().map(|p| p.height + MARGIN).sum::<f64>() + MARGIN;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\">\n<style>{STYLE}</style>\n\
         <rect width=\"100%\" height=\"100%\" style=\"fill:#fff;stroke:none\"/>\n"
    );
    let mut y = MARGIN;
    for picture in pictures {
        let _ = writeln!(out, "<g transform=\"translate({MARGIN} {y:.0})\">\n{}</g>", picture.body);
        y += picture.height + MARGIN;
    }
    out.push_str("</svg>\n");
    out
}

/// Escapes text for XML; characters that XML does not have are left out.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            c if c < ' ' => {}
            c => out.push(c),
        }
    }
    out
}
