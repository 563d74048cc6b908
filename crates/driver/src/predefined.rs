//! The macros of the UPC environments (UPC 6.3, 6.7.2 and the libraries' feature macros).

use crate::options::Language;
use std::ffi::OsString;

/// Name and value; the macros of the libraries say that the library is available.
const ALWAYS: &[(&str, &str)] = &[
    ("__UPC__", "1"),
    ("__UPC_VERSION__", "201311L"),
    ("__MERIDIAN__", "1"),
    ("__UPC_ATOMIC__", "1"),
    ("__UPC_NB__", "1"),
    ("__UPC_IO__", "1"),
    ("UPC_MAX_BLOCK_SIZE", "1099511627776L"),
    ("__UPC_COLLECTIVE__", "1"),
    ("__UPC_TICK__", "1"),
    ("__UPC_CASTABLE__", "1"),
];

/// The macros of Split-C and AC. The header that compiled code and the dialects' headers include counts as
/// included. `abi.h`, which a program may include through `am.h`, does not, because of its types; it is left
/// out when the program is written again.
const EVERYTHING: &[(&str, &str)] = &[("__MERIDIAN__", "1"), ("MERIDIAN_EVERYTHING_H", "1")];

/// Returns the `-D` options for Split-C or AC.
fn everything(name: &str, threads: Option<u32>) -> Vec<OsString> {
    let mut out: Vec<OsString> = vec![format!("-D{name}=1").into()];
    out.extend(EVERYTHING.iter().map(|(name, value)| format!("-D{name}={value}").into()));
    out.extend(threads.map(|n| format!("-DPROCS={n}").into()));
    out
}

/// Returns the `-D` options for a translation environment. `berkeley`: `<upc.h>` also declares the names that
/// Berkeley's upcc declares.
pub fn macros(language: Language, threads: Option<u32>, berkeley: bool) -> Vec<OsString> {
    let row = language.dialect().row();
    if row.everything {
        return everything(row.own_macro, threads);
    }
    let mut out: Vec<OsString> =
        ALWAYS.iter().map(|(name, value)| format!("-D{name}={value}").into()).collect();
    if berkeley {
        out.push("-D__MERIDIAN_BUPC__=1".into());
    }
    match threads {
        Some(n) => {
            out.push("-D__UPC_STATIC_THREADS__=1".into());
            out.push(format!("-DTHREADS={n}").into());
        }
        None => out.push("-D__UPC_DYNAMIC_THREADS__=1".into()),
    }
    out
}
