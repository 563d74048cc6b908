//! `-fsanitize=pgas`: the instrumentation of the program by the C compiler, and the library that observes it
//! (`runtime/sanitize`).
//!
//! The C compiler's instrumentation for kernels is used: before each access it tests a byte of a table, and
//! calls a function if the byte is not 0. The table of Meridian marks shared memory, so that private memory
//! costs the test alone. The library has the called functions.

use std::ffi::OsString;
use std::path::Path;

/// Where the table begins: the byte for an address is at the address divided by 8, plus this
/// (`runtime/sanitize/start.c`).
const TABLE: &str = "0x7fff8000";

/// Accesses in a function from which the instrumentation would call a function for each: never.
const MANY: &str = "2000000000";

/// The functions on memory that the library observes (`runtime/sanitize/bytes.c`), which the C compiler is
/// not to expand; not `strlen`, whose value of a string is a constant.
const CALLED: [&str; 9] =
    ["memcpy", "memmove", "memset", "memcmp", "strcpy", "strncpy", "strcat", "strcmp", "strncmp"];

/// Returns the options of the compilation of C text.
pub fn words(clang: bool, include: &Path) -> Vec<OsString> {
    // Frame pointers, from which call stacks are found; and a stack that shows all calls.
    let mut words: Vec<OsString> =
        ["-fsanitize=kernel-address", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls"]
            .map(OsString::from)
            .into();
    words.extend(CALLED.map(|name| format!("-fno-builtin-{name}").into()));
    let mut add = |before: &str, word: String| words.extend([before.into(), word.into()]);
    if clang {
        for word in ["asan-stack=0", "asan-globals=0", "asan-instrument-dynamic-allocas=0"] {
            add("-mllvm", format!("-{word}"));
        }
        add("-mllvm", format!("-asan-mapping-offset={TABLE}"));
        add("-mllvm", format!("-asan-instrumentation-with-call-threshold={MANY}"));
    } else {
        for word in ["asan-stack=0", "asan-globals=0", "asan-instrument-allocas=0"] {
            add("--param", word.into());
        }
        add("--param", format!("asan-instrumentation-with-call-threshold={MANY}"));
        words.push(format!("-fasan-shadow-offset={TABLE}").into());
    }
    words.extend(["-include".into(), include.join("meridian/abi/sanitize.h").into()]);
    words
}
