//! The graph and the threads of a code-block as text.

use super::names::Names;
use super::operation::operation;
use crate::core::language::FuncId;
use crate::tam::graph::*;
use crate::tam::threads::{PartId, Threads, Wait};
use std::fmt::Write;

/// The graph of a code-block, under its title.
pub fn of_graph(names: &Names, title: &str, graph: &Graph) -> String {
    let mut out = format!("{title}\n");
    for node in &graph.nodes {
        let arm = match graph.regions[node.region] {
            Some(event) => format!("{}: ", choice(names, graph, event)),
            None => String::new(),
        };
        let _ = writeln!(out, "  {arm}{}", node_text(names, graph, node));
    }
    out.push('\n');
    out
}

/// The threads of a code-block, under its title.
pub fn of_threads(names: &Names, title: &str, graph: &Graph, threads: &Threads) -> String {
    let mut out = format!("{title}\n");
    for (t, &part) in threads.threads.iter().enumerate() {
        let p = &threads.parts[part];
        let waits: Vec<String> = p.sources.iter().map(|w| wait_text(names, graph, threads, *w)).collect();
        let waits = if waits.is_empty() { "the beginning".to_owned() } else { waits.join(", ") };
        let _ = writeln!(out, "  thread {t}, entry count {}, after {waits}", p.sources.len().max(1));
        part_text(&mut out, (names, graph, threads), part, 2);
    }
    out.push('\n');
    out
}

/// A code-block's name and parameters.
pub fn title(names: &Names, func: FuncId, late: &[bool]) -> String {
    let params: Vec<String> = (names.program.funcs[func].params.iter().zip(late))
        .map(|(v, l)| format!("{}{}", names.var(*v), if *l { " late" } else { "" }))
        .collect();
    format!("code-block {} ({})", names.func(func), params.join(", "))
}

fn part_text(out: &mut String, of: (&Names, &Graph, &Threads), part: PartId, depth: usize) {
    let (names, graph, threads) = of;
    for &n in &threads.parts[part].nodes {
        let _ = writeln!(out, "{}{}", "  ".repeat(depth), node_text(names, graph, &graph.nodes[n]));
        if let Act::Switch = graph.nodes[n].act {
            for (arm, word) in graph.nodes[n].events.iter().zip(["then", "else"]) {
                if let Some(&branch) = threads.branches.get(arm) {
                    let _ = writeln!(out, "{}{word}", "  ".repeat(depth));
                    part_text(out, of, branch, depth + 1);
                }
            }
        }
    }
}

/// A node on one line.
pub fn node_text(names: &Names, graph: &Graph, node: &Node) -> String {
    let mut text = gives(names, node) + &operation(names, graph, node);
    let later: Vec<String> =
        node.events.iter().filter_map(|&e| Some(names.var(graph.events[e].var?))).collect();
    if !later.is_empty() {
        let _ = write!(text, "; later {}", later.join(", "));
    }
    text
}

/// The variables whose values a node has at once.
pub fn gives(names: &Names, node: &Node) -> String {
    let outs: Vec<String> = node.outs.iter().map(|v| names.var(*v)).collect();
    if outs.is_empty() { String::new() } else { format!("{} = ", outs.join(", ")) }
}

/// The choice of an arm.
fn choice(names: &Names, graph: &Graph, event: EventId) -> String {
    match graph.events[event].kind {
        EventKind::Arm(switch, taken) => {
            format!("if {} is {taken}", names.atom(&graph.nodes[switch].ins[0]))
        }
        _ => "never".into(),
    }
}

fn wait_text(names: &Names, graph: &Graph, threads: &Threads, wait: Wait) -> String {
    match wait {
        Wait::Event(e) => match (graph.events[e].kind, graph.events[e].var) {
            (EventKind::Arm(switch, taken), _) => {
                format!("{} is {taken}", names.atom(&graph.nodes[switch].ins[0]))
            }
            (EventKind::Param(_), Some(v)) => format!("argument {}", names.var(v)),
            (_, Some(v)) => names.var(v),
            (EventKind::Response(n) | EventKind::Merge(n), None) => {
                format!("the end of `{}`", operation(names, graph, &graph.nodes[n]))
            }
            (EventKind::Param(_) | EventKind::Never, None) => "a value that never arrives".into(),
        },
        Wait::Part(p) => match threads.parts[p].thread {
            Some(t) => format!("thread {t}"),
            None => "a branch".into(),
        },
    }
}
