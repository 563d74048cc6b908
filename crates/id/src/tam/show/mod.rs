//! The dataflow graphs and the threads of a program, for people: as text, or as a picture.

mod layout;
mod names;
mod operation;
mod picture;
mod text;

use crate::core::language::Program;
use crate::tam::graph::{Act, Graph, build};
use crate::tam::plan::{Blocks, lenient};
use crate::tam::strict;
use crate::tam::threads::{self, Mode};
use names::Names;

/// The description to write in place of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dump {
    /// The dataflow graphs.
    Graph,
    /// The threads, with their entry counts.
    Threads,
    /// The dataflow graphs as a picture, in SVG.
    Svg,
}

/// The description of a program, with all code-blocks that it can reach.
pub fn describe(program: &Program, mode: Mode, dump: Dump) -> String {
    let strict = strict::analyse(program);
    let mut blocks = Blocks::default();
    blocks.number(program.main, &vec![false; program.funcs[program.main].params.len()]);
    let (mut texts, mut pictures) = (String::new(), Vec::new());
    let mut at = 0;
    while let Some((func, late)) = blocks.get(at).cloned() {
        let graph = build(program, func, &late, &strict, mode == Mode::Tam);
        reach(&graph, &strict, &mut blocks);
        let names = Names::of(program, func);
        let title = text::title(&names, func, &late);
        match dump {
            Dump::Graph => texts.push_str(&text::of_graph(&names, &title, &graph)),
            Dump::Threads => {
                let threads = threads::make(&graph, mode);
                texts.push_str(&text::of_threads(&names, &title, &graph, &threads));
            }
            Dump::Svg => pictures.push(picture::draw(&names, &title, &graph)),
        }
        at += 1;
    }
    if dump == Dump::Svg { picture::page(&pictures) } else { texts }
}

/// Adds the code-blocks that a graph calls.
fn reach(graph: &Graph, strict: &[Vec<bool>], blocks: &mut Blocks) {
    for node in &graph.nodes {
        match &node.act {
            Act::Call { func, late, .. } => {
                blocks.number(*func, late);
            }
            Act::Closure { func, .. } => {
                blocks.number(*func, &lenient(&strict[*func]));
            }
            _ => {}
        }
    }
}
