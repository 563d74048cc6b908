//! The optimisations as text, for `--emit=tree`: the effect of each on each function.

use crate::ir::print::{function_name, statement};
use crate::ir::tree::Tree;
use crate::passes::{PASSES, apply};
use base::Source;
use std::fmt::Write;

/// Runs all optimisations, and describes each: the functions that it has changed, as they are after it, and
/// its remarks on loops. Returns an error if an optimisation breaks a loop: the optimisation, the place and
/// the fault.
pub fn explain(tree: &mut Tree, source: &Source) -> Result<String, String> {
    let mut before: Vec<String> = tree.bodies().map(|body| statement(tree, source, body)).collect();
    let mut out = String::new();
    for pass in PASSES {
        let said = tree.remarks.len();
        if let Some(broken) = apply(tree, pass).first() {
            return Err(broken.said(pass.id, source));
        }
        if tree.remarks.len() == said {
            continue;
        }
        let _ = writeln!(out, "==== {} ====", pass.id);
        for remark in &tree.remarks[said..] {
            let place = source.presumed(remark.begins);
            let file = source.file(place.file).display();
            let _ = match &remark.outcome {
                Ok(what) => writeln!(out, "{file}:{}: {what}", place.line),
                Err(why) => writeln!(out, "{file}:{}: not done: {why}", place.line),
            };
            for of in &remark.excluded {
                let _ = writeln!(out, "    not {}: {}", of.way, of.why);
            }
        }
        for (body, before) in tree.bodies().zip(&mut before) {
            let now = statement(tree, source, body);
            if now != *before {
                let _ = writeln!(out, "---- {}\n{now}", function_name(tree, body));
                *before = now;
            }
        }
    }
    Ok(out)
}
