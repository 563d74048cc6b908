//! The optimisations as text, for `--emit=tree`: the effect of each on each function, and the plan of each
//! loop for accesses that may go to other hosts.

use crate::communication::{Finding, communication};
use crate::ir::print::{function_name, statement};
use crate::ir::tree::{Remark, Tree};
use crate::passes::{PASSES, Pass, apply};
use base::{Source, Span};
use c_syntax::ast::*;
use std::collections::BTreeMap;
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
    out += &plans(tree, source);
    Ok(out)
}

/// Describes the plan of each loop with accesses that may go to other hosts: its choices, the first fact that
/// excludes each better one, and the outcome for each access.
fn plans(tree: &Tree, source: &Source) -> String {
    let mut loops: BTreeMap<u32, Vec<&Remark>> = BTreeMap::new();
    let choices: Vec<&Pass> = PASSES.iter().filter(|pass| pass.plans).collect();
    for remark in tree.remarks.iter().filter(|of| choices.iter().any(|pass| pass.id == of.pass)) {
        loops.entry(remark.at).or_default().push(remark);
    }
    let mut findings = innermost(tree, loops.keys().copied().collect(), communication(tree, source));
    let mut out =
        String::from(if loops.is_empty() { "" } else { "==== accesses that may go to other hosts ====\n" });
    for (at, remarks) in loops {
        let place = source.presumed(remarks[0].begins);
        let _ = write!(out, "{}:{}: ", source.file(place.file).display(), place.line);
        out += &plan(&choices, &remarks);
        for finding in findings.remove(&at).unwrap_or_default() {
            let _ = writeln!(out, "    {}", finding.message);
        }
    }
    out
}

/// Describes the choices of a loop. A choice that is worse than those of the loop is left out.
fn plan(choices: &[&Pass], remarks: &[&Remark]) -> String {
    let of =
        |pass: &Pass| -> Vec<&Remark> { remarks.iter().filter(|of| of.pass == pass.id).copied().collect() };
    let (mut chosen, mut excluded, mut better) = (Vec::new(), Vec::new(), Vec::new());
    for pass in choices {
        let remarks = of(pass);
        let done = remarks.iter().find(|of| of.outcome.is_ok());
        for of in done.or(remarks.first()).into_iter().flat_map(|of| &of.excluded) {
            excluded.push(format!("    not {}: {}\n", of.way, of.why));
        }
        match (done.map(|of| &of.outcome), remarks.first().map(|of| &of.outcome)) {
            (Some(Ok(what)), _) => {
                chosen.push(format!("{}: {what}", pass.id));
                better.append(&mut excluded);
            }
            (_, Some(Err(why))) => excluded.push(format!("    not {}: {why}\n", pass.id)),
            _ => {}
        }
    }
    match chosen.is_empty() {
        true => format!("each access by itself\n{}", excluded.concat()),
        false => format!("{}\n{}", chosen.join("; "), better.concat()),
    }
}

/// Returns the findings in each loop that begins at one of these places, but not in one of the loops inside
/// of it.
fn innermost(tree: &Tree, places: Vec<u32>, findings: Vec<Finding>) -> BTreeMap<u32, Vec<Finding>> {
    let is_loop = |kind: &StmtKind| {
        matches!(
            kind,
            StmtKind::For { .. } | StmtKind::Forall { .. } | StmtKind::While(..) | StmtKind::Do(..)
        )
    };
    let loops = tree
        .unit
        .stmts
        .ids()
        .map(|s| &tree.unit.stmts[s])
        .filter(|stmt| is_loop(&stmt.kind) && places.contains(&stmt.at.lo));
    let loops: Vec<(u32, Span)> = loops.map(|stmt| (stmt.at.lo, stmt.span)).collect();
    let mut found: BTreeMap<u32, Vec<Finding>> = BTreeMap::new();
    for finding in findings {
        let around = |of: &&(u32, Span)| of.1.lo <= finding.span.lo && finding.span.hi <= of.1.hi;
        if let Some(&(at, _)) = loops.iter().filter(around).min_by_key(|of| of.1.hi - of.1.lo) {
            found.entry(at).or_default().push(finding);
        }
    }
    found
}
