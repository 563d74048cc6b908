//! A program whose static objects are too large to be linked: linkers report, in terms of relocations, each
//! place that cannot reach its target.

use object::read::archive::ArchiveFile;
use object::{Object, ObjectSymbol, SymbolKind};
use std::ffi::{OsStr, OsString};

/// The distance in bytes that code can reach.
const REACHED: u64 = 2 << 30;
/// Bytes assumed for the rest of the program: code, and libraries.
const OTHERS: u64 = 64 << 20;
/// The number of the largest objects that are named.
const NAMED: usize = 3;
/// The least size of an object that is named.
const WORTH_NAMING: u64 = 1 << 20;

/// Returns the explanation and advice, if the linker's output for a program of these arguments has such
/// errors.
pub fn explain(said: &str, words: &[OsString]) -> Option<String> {
    let unreached = |line: &str| {
        line.contains("relocation truncated to fit")
            || line.contains("failed to convert GOTPCREL relocation")
            || line.contains(" out of range: ") && line.contains("relocation R_")
    };
    if !said.lines().any(unreached) {
        return None;
    }
    let mut objects: Vec<(u64, String)> = words.iter().flat_map(|word| objects_of(word)).collect();
    objects.sort_by(|a, b| b.cmp(a));
    objects.dedup();
    let all: u64 = objects.iter().map(|(size, _)| size).sum();
    if all + OTHERS < REACHED {
        return None;
    }
    let shown = |bytes: u64| format!("{} MB", bytes >> 20);
    let named = objects.iter().filter(|(size, _)| *size >= WORTH_NAMING).take(NAMED);
    let largest: Vec<String> = named.map(|(size, name)| format!("`{name}` ({})", shown(*size))).collect();
    Some(format!(
        "meridian cc: error: the static objects of the program ({}) do not fit into the 2 GB that code can \
         address; the largest: {}; allocate large ones when the program starts (malloc, upc_all_alloc, \
         all_spread_malloc), or make them shared or spread arrays with a part on each thread\n",
        shown(all),
        largest.join(", ")
    ))
}

/// Returns the objects of static storage duration in a file for the linker, with their sizes.
fn objects_of(word: &OsStr) -> Vec<(u64, String)> {
    if word.to_string_lossy().starts_with('-') {
        return Vec::new();
    }
    let Ok(bytes) = std::fs::read(word) else { return Vec::new() };
    match ArchiveFile::parse(&*bytes) {
        Ok(archive) => {
            let members = archive.members().filter_map(|member| member.ok()?.data(&*bytes).ok());
            members.flat_map(objects_in).collect()
        }
        Err(_) => objects_in(&bytes),
    }
}

fn objects_in(file: &[u8]) -> Vec<(u64, String)> {
    let Ok(file) = object::File::parse(file) else { return Vec::new() };
    let data = file.symbols().filter(|s| s.kind() == SymbolKind::Data && s.size() > 0);
    // The compiler appends a number to the name of a function's static object.
    let name = |name: &str| name.split('.').next().unwrap_or(name).to_string();
    data.filter_map(|s| Some((s.size(), name(s.name().ok()?)))).collect()
}
