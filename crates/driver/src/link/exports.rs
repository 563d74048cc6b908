//! The exports of a program that is linked with `-rdynamic`, for the libraries that it opens while it runs:
//! all of the runtime that UPC code may call, whether the program itself uses it or not.
//!
//! The linker takes those members of an archive that a symbol requests. The members for Split-C and AC, and
//! their dependents, stay out: their presence makes everything in a program addressable.

use object::read::archive::ArchiveFile;
use object::{Object, ObjectSymbol};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// The symbol whose member makes everything addressable.
const EVERYTHING: &str = "mer_everything";

struct Member {
    defines: Vec<String>,
    needs: Vec<String>,
}

/// Returns a symbol of each member of the runtime's archive that a UPC library may need.
///
/// # Errors
/// When the archive cannot be read.
pub fn symbols(archive: &Path) -> Result<Vec<String>, String> {
    let wrong = |e: &dyn std::fmt::Display| format!("{}: {e}", archive.display());
    let bytes = std::fs::read(archive).map_err(|e| wrong(&e))?;
    let file = ArchiveFile::parse(&*bytes).map_err(|e| wrong(&e))?;
    let mut members = Vec::new();
    for member in file.members() {
        let data = member.and_then(|m| m.data(&*bytes)).map_err(|e| wrong(&e))?;
        let Ok(object) = object::File::parse(data) else { continue };
        let named = |defined: bool| {
            let all = object.symbols().filter(move |s| s.is_global() && s.is_undefined() != defined);
            // A weak reference does not request a member.
            let strong = all.filter(move |s| defined || !s.is_weak());
            strong.filter_map(|s| s.name().ok().map(str::to_string)).collect()
        };
        members.push(Member { defines: named(true), needs: named(false) });
    }
    Ok(wanted(&members))
}

fn wanted(members: &[Member]) -> Vec<String> {
    let by: HashMap<&str, usize> = members
        .iter()
        .enumerate()
        .flat_map(|(i, m)| m.defines.iter().map(move |symbol| (symbol.as_str(), i)))
        .collect();
    let mut out: HashSet<usize> = by.get(EVERYTHING).copied().into_iter().collect();
    loop {
        let needs = |m: &Member| m.needs.iter().any(|s| by.get(s.as_str()).is_some_and(|i| out.contains(i)));
        let more: Vec<usize> =
            (0..members.len()).filter(|i| !out.contains(i) && needs(&members[*i])).collect();
        if more.is_empty() {
            break;
        }
        out.extend(more);
    }
    let rest = members.iter().enumerate().filter(|(i, _)| !out.contains(i));
    rest.filter_map(|(_, member)| member.defines.first().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_the_other_dialects_stays_out() {
        let member = |defines: &str, needs: &str| Member {
            defines: defines.split(' ').map(String::from).collect(),
            needs: needs.split(' ').map(String::from).collect(),
        };
        let all = [
            member("mer_everything x", ""),
            member("upc_lock upc_unlock", "malloc"),
            member("all_bulk", "x"),
            member("all_store", "all_bulk"),
        ];
        assert_eq!(wanted(&all), ["upc_lock"]);
    }
}
