//! The optimisations as text, for `--emit=tree`: what each of them did to which function.

use crate::ir::print::{function_name, statement};
use crate::ir::tree::Tree;
use crate::passes::{PASSES, apply};
use base::Source;
use std::fmt::Write;

/// Runs all optimisations, and says what each of them has done: the functions that it has changed as they are
/// then, and what it says of each loop. An error if one of them breaks a loop: the optimisation, the place
/// and what is wrong.
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
