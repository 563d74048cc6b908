//! The macros of the UPC environments (UPC 6.3, 6.7.2 and the libraries' feature macros).

use std::ffi::OsString;

/// Name and value; those of the libraries say that the library is there.
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

/// `-D` options for a translation environment.
pub fn macros(threads: Option<u32>) -> Vec<OsString> {
    let mut out: Vec<OsString> =
        ALWAYS.iter().map(|(name, value)| format!("-D{name}={value}").into()).collect();
    match threads {
        Some(n) => {
            out.push("-D__UPC_STATIC_THREADS__=1".into());
            out.push(format!("-DTHREADS={n}").into());
        }
        None => out.push("-D__UPC_DYNAMIC_THREADS__=1".into()),
    }
    out
}
