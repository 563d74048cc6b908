//! The graph and the threads of a code-block as text.

use crate::core::language::{Atom, FuncId, Program};
use crate::tam::graph::*;
use crate::tam::threads::{Threads, Wait};
use std::fmt::Write;

/// The graph of a code-block, under its title.
pub fn of_graph(title: &str, graph: &Graph) -> String {
    let mut out = format!("{title}\n");
    for (n, node) in graph.nodes.iter().enumerate() {
        let _ = writeln!(out, "  {n}: {}", node_text(graph, node));
    }
    out.push('\n');
    out
}

/// The threads of a code-block, under its title.
pub fn of_threads(title: &str, graph: &Graph, threads: &Threads) -> String {
    let mut out = format!("{title}\n");
    for (t, &part) in threads.threads.iter().enumerate() {
        let p = &threads.parts[part];
        let waits: Vec<String> = p.sources.iter().map(|w| wait_text(graph, threads, *w)).collect();
        let waits = if waits.is_empty() { "the beginning".to_owned() } else { waits.join(", ") };
        let _ = writeln!(out, "  thread {t}, entry count {}, after {waits}", p.sources.len().max(1));
        part_text(&mut out, graph, threads, part, 2);
    }
    out.push('\n');
    out
}

/// A code-block's name and parameters.
pub fn title(program: &Program, func: FuncId, late: &[bool]) -> String {
    let f = &program.funcs[func];
    let params: Vec<String> =
        f.params.iter().zip(late).map(|(v, l)| format!("v{v}{}", if *l { " late" } else { "" })).collect();
    format!("code-block {} ({})", f.name, params.join(", "))
}

fn part_text(out: &mut String, graph: &Graph, threads: &Threads, part: usize, depth: usize) {
    for &n in &threads.parts[part].nodes {
        let _ = writeln!(out, "{}{}", "  ".repeat(depth), node_text(graph, &graph.nodes[n]));
        if let Act::Switch = graph.nodes[n].act {
            for (arm, word) in graph.nodes[n].events.iter().zip(["then", "else"]) {
                if let Some(&branch) = threads.branches.get(arm) {
                    let _ = writeln!(out, "{}{word}", "  ".repeat(depth));
                    part_text(out, graph, threads, branch, depth + 1);
                }
            }
        }
    }
}

/// An operand.
pub fn atom(a: &Atom) -> String {
    match a {
        Atom::Var(v) => format!("v{v}"),
        Atom::Int(n) => n.to_string(),
        Atom::Float(x) => format!("{x:?}"),
    }
}

/// A node on one line.
pub fn node_text(graph: &Graph, node: &Node) -> String {
    let ins: Vec<String> = node.ins.iter().map(atom).collect();
    let mut text = String::new();
    if !node.outs.is_empty() {
        let outs: Vec<String> = node.outs.iter().map(|v| format!("v{v}")).collect();
        let _ = write!(text, "{} = ", outs.join(", "));
    }
    let _ = write!(text, "{:?} {}", node.act, ins.join(", "));
    let later: Vec<String> = node
        .events
        .iter()
        .map(|&e| match (graph.events[e].kind, graph.events[e].var) {
            (EventKind::Arm(_, taken), _) => format!("event {e} if {}", if taken { "true" } else { "false" }),
            (_, Some(v)) => format!("event {e} brings v{v}"),
            _ => format!("event {e}"),
        })
        .collect();
    if !later.is_empty() {
        let _ = write!(text, "; {}", later.join(", "));
    }
    text
}

fn wait_text(graph: &Graph, threads: &Threads, wait: Wait) -> String {
    match wait {
        Wait::Event(e) => match (graph.events[e].kind, graph.events[e].var) {
            (EventKind::Param(p), _) => format!("argument {}", p + 1),
            (EventKind::Arm(_, taken), _) => {
                format!("event {e} (the {} arm)", if taken { "true" } else { "false" })
            }
            (_, Some(v)) => format!("event {e} (v{v})"),
            _ => format!("event {e}"),
        },
        Wait::Part(p) => match threads.parts[p].thread {
            Some(t) => format!("thread {t}"),
            None => "a branch".into(),
        },
    }
}
