//! Linking a program with the runtime: the linker's command, and what the user is told where it fails.
//!
//! [`fixed_threads`] refuses files for different numbers of threads, which the linker does not see,
//! [`exports`] lists what libraries may use that the program opens, [`errors`] says in the user's terms what
//! the linker misses, and [`too_large`] what it cannot place.

mod errors;
mod exports;
mod fixed_threads;
mod too_large;

use crate::Failure;
use crate::options::Options;
use crate::toolchain::Toolchain;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// UPC compilers link the mathematical library by themselves. Only programs that use it depend on it.
const MATHEMATICS: [&str; 3] = ["-Wl,--push-state,--as-needed", "-lm", "-Wl,--pop-state"];

/// Libraries of other languages, linked where a file for the linker refers to one of these names.
const LANGUAGES: [(&str, &[&[u8]]); 2] = [
    ("-lstdc++", &[b"__gxx_personality_v0", b"_ZNSt", b"_ZSt", b"_Znwm", b"_ZdlPv"]),
    ("-lgfortran", &[b"_gfortran_"]),
];

/// An object file that lies where the user does not see it, and the source that it was compiled from.
pub struct Made {
    pub object: PathBuf,
    pub source: PathBuf,
}

/// Links a program of these words for the linker, among them object files that have been `made`.
pub fn link(tools: &Toolchain, options: &Options, words: &[OsString], made: &[Made]) -> Result<i32, Failure> {
    if let Some(wrong) = fixed_threads::refuse(words, &|name| errors::by_sources(name, made)) {
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
    // A job has one runtime, which the program brings: a shared library takes it from there.
    if !words.iter().any(|w| w == OsStr::new("-r") || w == OsStr::new("-shared")) {
        // The allocator of programs in which everything is addressable is taken only where they ask for
        // it, so that the C library, in front of it, serves the others; it needs the runtime once more.
        // A static C library has members that cannot be taken beside another allocator: there it stands
        // in front.
        let front =
            words.iter().any(|w| w == OsStr::new("-static")) && words.iter().any(|w| asks_for_heap(w));
        let first = if front { "-lmeridian_everything" } else { "-lc" };
        let libraries = ["-lmeridian", first, "-lmeridian_everything", "-lmeridian", "-lpthread", "-ldl"];
        command.args(libraries_of_languages(words));
        command.arg("-L").arg(&tools.lib).args(MATHEMATICS).args(libraries);
        // Start-up, which nothing calls: runtime/start/start.c.
        command.arg("-Wl,-u,mer_start_linked");
        if options.gnu_arguments {
            command.arg("-Wl,--defsym=mer_gnu_arguments=1");
        }
        // Libraries that the program opens find the whole of the runtime in it.
        if words.iter().any(|w| w == OsStr::new("-rdynamic")) {
            let symbols = exports::symbols(&tools.lib.join("libmeridian.a"))?;
            command.args(symbols.iter().map(|symbol| format!("-Wl,-u,{symbol}")));
        }
        // Conduits in modules, which static programs cannot load: runtime/conduit/load.c. They are to
        // find the C library's functions, and not what the program calls by the same names.
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
        // Pointers into a library's shared objects stay, and so does what start-up knows of them.
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
        None => errors::explain(&said, words, options),
    };
    base::say::error(format_args!("{}", errors::by_sources(&said, made)));
    Ok(i32::from(!output.status.success()))
}

/// Whether a file for the linker refers to the allocator of programs in which everything is addressable: its
/// symbols' names hold that one.
fn asks_for_heap(word: &OsStr) -> bool {
    refers_to(word, b"mer_everything_heap")
}

/// Whether a file for the linker holds this beginning of a symbol's name.
fn refers_to(word: &OsStr, name: &[u8]) -> bool {
    !word.to_string_lossy().starts_with('-')
        && std::fs::read(word).is_ok_and(|bytes| bytes.windows(name.len()).any(|w| w == name))
}

/// Whether a word of the command line says which of the program's symbols loaded libraries may use, or names
/// a linker that may not know such a list. A sanitizer puts functions by these names into the program, for
/// all.
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

/// The libraries of the languages, besides C, that the files for the linker were compiled from.
fn libraries_of_languages(words: &[OsString]) -> Vec<&'static str> {
    let used = |(_, names): &&(&str, &[&[u8]])| {
        names.iter().any(|name| words.iter().any(|word| refers_to(word, name)))
    };
    LANGUAGES.iter().filter(used).map(|(library, _)| *library).collect()
}
