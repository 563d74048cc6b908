//! Linking a program with the runtime: the linker's command, and the messages if it fails.
//!
//! [`fixed_threads`] refuses files for different numbers of threads, which the linker does not detect,
//! [`exports`] lists the symbols for libraries that the program opens, [`errors`] explains undefined symbols
//! in the user's terms, and [`too_large`] objects that cannot be placed.

mod errors;
mod exports;
mod fixed_threads;
mod too_large;

use crate::options::Options;
use crate::toolchain::Toolchain;
use crate::{Failure, contract};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// UPC compilers link the mathematical library by themselves. Only programs that use it depend on it.
const MATHEMATICS: [&str; 3] = ["-Wl,--push-state,--as-needed", "-lm", "-Wl,--pop-state"];

/// Libraries of other languages, linked if a file for the linker refers to one of these names.
const LANGUAGES: [(&str, &[&[u8]]); 2] = [
    ("-lstdc++", &[b"__gxx_personality_v0", b"_ZNSt", b"_ZSt", b"_Znwm", b"_ZdlPv"]),
    ("-lgfortran", &[b"_gfortran_"]),
];

/// An object file in a temporary directory, and the source that it was compiled from.
pub struct Made {
    pub object: PathBuf,
    pub source: PathBuf,
}

/// Links a program from these arguments for the linker, which include the object files `made`.
pub fn link(tools: &Toolchain, options: &Options, words: &[OsString], made: &[Made]) -> Result<i32, Failure> {
    let named = |name: &str| errors::by_sources(name, made);
    if let Some(wrong) = contract::refuse(words, &named).or_else(|| fixed_threads::refuse(words, &named)) {
        return Err(wrong.into());
    }
    let mut command = match &options.linker {
        Some(linker) => {
            let linker = linker.to_string_lossy();
            let mut words = linker.split_whitespace();
            let mut command = Command::new(words.next().unwrap_or("cc"));
            command.args(words);
            command
        }
        None => tools.command(),
    };
    command.args(&options.common);
    if let Some(output) = &options.output {
        command.arg("-o").arg(output);
    }
    command.args(words);
    if !options.special_link {
        command.arg("-no-pie");
    }
    // A job has one runtime, which the program contains: a shared library uses that one.
    if !words.iter().any(|w| w == OsStr::new("-r") || w == OsStr::new("-shared")) {
        // The allocator of programs in which everything is addressable is linked only if they request it, so
        // that the C library, which comes before it, serves the others. The allocator needs the runtime,
        // which is therefore named again. A static C library has members that conflict with another
        // allocator: then the allocator comes first.
        let front =
            words.iter().any(|w| w == OsStr::new("-static")) && words.iter().any(|w| asks_for_heap(w));
        let first = if front { "-lmeridian_everything" } else { "-lc" };
        let libraries = ["-lmeridian", first, "-lmeridian_everything", "-lmeridian", "-lpthread", "-ldl"];
        command.args(libraries_of_languages(words));
        command.arg("-L").arg(&tools.lib).args(MATHEMATICS);
        if options.sanitize {
            command.args(["-Wl,-u,mer_sanitize_linked", "-lmeridian_pgas"]);
        }
        command.args(libraries);
        // Start-up, which no code calls: runtime/start/start.c.
        command.arg("-Wl,-u,mer_start_linked");
        if options.gnu_arguments {
            command.arg("-Wl,--defsym=mer_gnu_arguments=1");
        }
        // Libraries that the program opens find the whole runtime in it.
        if words.iter().any(|w| w == OsStr::new("-rdynamic")) {
            let symbols = exports::symbols(&tools.lib.join("libmeridian.a"))?;
            command.args(symbols.iter().map(|symbol| format!("-Wl,-u,{symbol}")));
        }
        // Conduits in modules, which static programs cannot load: runtime/conduit/load.c. They must find the
        // C library's functions, and not the program's functions of the same names.
        if !words.iter().any(|w| w == OsStr::new("-static")) {
            command.arg("-Wl,-u,mer_conduit_load");
            let names = tools.lib.join("meridian/private_names.map");
            if !options.common.iter().chain(words).any(|w| chooses_exports(w)) && names.exists() {
                let mut word = OsString::from("--version-script=");
                word.push(names);
                command.arg("-Xlinker").arg(word);
            }
        }
    } else if words.iter().any(|w| w == OsStr::new("-shared")) {
        // Pointers into a library's shared objects stay valid, and so does start-up's record of them.
        command.arg("-Wl,-z,nodelete");
    }
    tools.show(&command);
    if options.dry {
        return Ok(0);
    }
    let name = command.get_program().to_owned();
    let output = command.stdout(Stdio::inherit()).stdin(Stdio::inherit()).stderr(Stdio::piped()).output();
    let output = output.map_err(|e| tools.cannot_run(&name, &e))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let said = match too_large::explain(&said, words) {
        _ if output.status.success() => said.into(),
        Some(large) => large,
        None => {
            errors::explain(&said, words, options)
                + &contract::advice(errors::all_undefined(&said), &tools.lib.join("libmeridian.a"))
        }
    };
    base::say::error(format_args!("{}", errors::by_sources(&said, made)));
    Ok(i32::from(!output.status.success()))
}

/// Whether a file for the linker refers to the allocator of programs in which everything is addressable: the
/// names of its symbols contain that one.
fn asks_for_heap(word: &OsStr) -> bool {
    refers_to(word, b"mer_everything_heap")
}

/// Whether a file for the linker contains this beginning of a symbol's name.
fn refers_to(word: &OsStr, name: &[u8]) -> bool {
    !word.to_string_lossy().starts_with('-')
        && std::fs::read(word).is_ok_and(|bytes| bytes.windows(name.len()).any(|w| w == name))
}

/// Whether an argument selects the symbols of the program that loaded libraries may use, or names a linker
/// that may not support such a list. A sanitizer puts functions with these names into the program, for all
/// libraries.
fn chooses_exports(word: &OsStr) -> bool {
    const OPTIONS: [&str; 4] = ["--export-dynamic", "-E", "--version-script", "--dynamic-list"];
    let word = word.to_string_lossy();
    let linker = word.strip_prefix("-fuse-ld=");
    let given = word.strip_prefix("-Wl,");
    word == "-rdynamic"
        || word.starts_with("-fsanitize")
        || linker.is_some_and(|name| !["bfd", "gold"].contains(&name))
        || given.is_some_and(|words| words.split([',', '=']).any(|w| OPTIONS.contains(&w)))
}

/// Returns the libraries of the languages, besides C, that the files for the linker were compiled from.
fn libraries_of_languages(words: &[OsString]) -> Vec<&'static str> {
    let used = |(_, names): &&(&str, &[&[u8]])| {
        names.iter().any(|name| words.iter().any(|word| refers_to(word, name)))
    };
    LANGUAGES.iter().filter(used).map(|(library, _)| *library).collect()
}
