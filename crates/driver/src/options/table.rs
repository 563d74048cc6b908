//! The options of `meridian cc`, one row each: the spellings, the destination, and the meaning. The parser,
//! `--help`, the manual page and the shells' completions follow from this table.

use super::{Given, Options, Stage};
use crate::Failure;

/// An option.
pub struct Row {
    /// The spellings. `<NAME>` stands for a value: after a blank it is the next word, else the rest of this
    /// one.
    pub spellings: &'static [&'static str],
    /// The destination of the option.
    pub to: To,
    /// The effect, for `--help` and the manual; empty if it is as in gcc.
    pub help: &'static str,
}

/// The destination of an option.
#[derive(Clone, Copy)]
pub enum To {
    /// To the preprocessor.
    Preprocess,
    /// To the preprocessor when it writes the files that make reads.
    Depend,
    /// To all steps of the C compiler.
    Common,
    /// To the linker, in its place among the files.
    Link,
    /// To the C compiler, whose answer is printed.
    Question,
    /// To this function, which changes a setting.
    Set(fn(&mut Options, &Given) -> Result<(), Failure>),
    /// Accepted, and without effect for this reason.
    Nothing(&'static str),
    /// Refused, because the program would be another one; the text says what to do instead.
    Refused(&'static str),
}

/// Options that belong together.
pub struct Section {
    /// The heading.
    pub title: &'static str,
    /// The options, in the order in which they are shown.
    pub rows: &'static [Row],
}

const fn row(spellings: &'static [&'static str], to: To, help: &'static str) -> Row {
    Row { spellings, to, help }
}

/// An option as in gcc.
const fn gnu(spellings: &'static [&'static str], to: To) -> Row {
    row(spellings, to, "")
}

/// An option of another UPC compiler, without effect here.
const fn nothing(spellings: &'static [&'static str], why: &'static str) -> Row {
    row(spellings, To::Nothing(why), "")
}

/// All options.
pub const SECTIONS: &[Section] = &[
    Section { title: "Options", rows: OWN },
    Section { title: "Options of other UPC compilers", rows: OTHERS },
    Section { title: "Options of C compilers", rows: GNU },
];

const OWN: &[Row] = &[
    row(
        &[
            "-T <N>",
            "-T=<N>",
            "-T<N>",
            "-fupc-threads-<N>",
            "-fupc-threads=<N>",
            "-fupc-threads <N>",
            "-THREADS=<N>",
            "-THREADS <N>",
            "--threads=<N>",
            "--threads <N>",
            "-threads=<N>",
            "-threads <N>",
        ],
        To::Set(Options::take_threads),
        "fix the number of threads at compile time (static THREADS environment)",
    ),
    row(
        &["--threads=tam", "--threads=df"],
        To::Set(Options::take_id_threads),
        "Id: make threads with the optimisations for the threaded abstract machine (the default), or by plain \
         dataflow",
    ),
    row(
        &["--dump=graph", "--dump=svg", "--dump=threads", "--dump=tl0"],
        To::Set(Options::take_dump),
        "Id: print the dataflow graphs, the same as a picture (SVG), the threads, or the machine's code as C, and stop",
    ),
    row(
        &["--count-instructions"],
        To::Set(Options::take_counting),
        "Id: count the instructions of the threaded abstract machine, which `meridian run --profile` shows; the \
         program becomes slower",
    ),
    row(
        &["-fprocs-<N>", "-fprocs=<N>"],
        To::Set(Options::take_threads),
        "as -T, for PROCS of AC and Split-C",
    ),
    row(
        &["-x <LANGUAGE>", "-x<LANGUAGE>"],
        To::Set(Options::take_language),
        "take the files that follow as written in this language: upc, split-c, ac, c, upc-cpp-output, \
         assembler, or none to choose it by the names of the files",
    ),
    row(
        &["--emit=c"],
        To::Set(|o, _| o.go(Stage::EmitC)),
        "write the C code that the file is translated to (to standard output, or -o)",
    ),
    row(
        &["--emit=tree"],
        To::Set(|o, _| o.go(Stage::EmitTree)),
        "write the effect of each optimisation on each loop, or the reason why the loop stays as it is",
    ),
    row(
        &["-Rcommunication"],
        To::Set(Options::take_remarks),
        "report the optimisation of each access to shared memory, or why it stays fine-grained and which change \
         of the program would help",
    ),
    row(&["-c"], To::Set(|o, _| o.go(Stage::Object)), "stop after the object file"),
    row(&["-S"], To::Set(|o, _| o.go(Stage::Assembly)), "stop after the assembly"),
    row(&["-E"], To::Set(|o, _| o.go(Stage::Preprocess)), "stop after preprocessing"),
    row(&["-fsyntax-only"], To::Set(|o, _| o.go(Stage::Check)), "stop after the checks"),
    row(&["-o <FILE>", "-o<FILE>"], To::Set(Options::take_output), "name the output file"),
    row(
        &["--cc <PROGRAM>", "--cc=<PROGRAM>"],
        To::Set(Options::take_cc),
        "the C compiler to use, gcc or clang; else the environment's MERIDIAN_CC or CC, or gcc",
    ),
    row(
        &["-fdiagnostics-format=<FORMAT>"],
        To::Set(Options::take_format),
        "errors and warnings as text (with a picture, at a terminal), as line (file:line:column: first, elsewhere), \
         or as SARIF: sarif-stderr, or sarif-file, which is the first source's name and .sarif",
    ),
    row(
        &["-fdiagnostics-color=<WHEN>", "-fdiagnostics-color", "-fno-diagnostics-color"],
        To::Set(Options::take_color),
        "colours in messages: always, never or auto",
    ),
    row(
        &["-v", "-vv"],
        To::Set(Options::take_verbose),
        "print the commands that are run, and the options without effect",
    ),
    row(
        &["-###", "-dryrun", "-dry-run"],
        To::Set(Options::take_dry),
        "print the commands without running them",
    ),
    row(
        &["--version", "-version", "-V"],
        To::Question,
        "print the versions of Meridian and of the C compiler",
    ),
    row(&["--help", "-help", "-h", "-?"], To::Question, "print this help"),
];

/// The options of Berkeley's upcc, GNU's gupc, the upc of Clang and of HP, and IBM's xlupc that gcc does not
/// have. All of these may be written with two dashes.
const OTHERS: &[Row] = &[
    row(
        &["-Wc,<WORDS>"],
        To::Set(Options::take_words),
        "options for the C compiler, separated by commas or blanks",
    ),
    row(
        &["-link-with=<PROGRAM>", "-link-with <PROGRAM>"],
        To::Set(Options::take_linker),
        "link by this command instead of the C compiler, as mpicc or g++",
    ),
    row(&["-opt"], To::Set(Options::take_optimise), "optimise communication, also without -O"),
    row(
        &["-save-all-temps"],
        To::Set(Options::take_save),
        "keep the intermediate files of the C compiler, as -save-temps",
    ),
    row(
        &["-fthreads <N>", "-fthreads=<N>", "-fthreads-<N>", "-qupc=threads=<N>", "-qupc=THREADS=<N>"],
        To::Set(Options::take_threads),
        "the same as -T N",
    ),
    nothing(&["-qupc=dnodes=<N>", "-qupc=DNODES=<N>"], "the hosts are chosen when the program starts"),
    nothing(
        &["-pthreads", "-pthreads=<N>", "-nopthreads", "-uses-threads"],
        "UPC threads are processes that share memory; POSIX threads may be used beside them",
    ),
    nothing(
        &[
            "-shared-heap=<SIZE>",
            "-shared-heap <SIZE>",
            "-shared-heap-max=<SIZE>",
            "-shared-heap-max <SIZE>",
            "-heap-offset=<SIZE>",
            "-heap-offset <SIZE>",
            "-fupc-heap-<SIZE>",
        ],
        "the shared heap takes memory as it is touched, and has no fixed size",
    ),
    nothing(
        &["-network=<NAME>", "-network <NAME>", "-conduit=<NAME>", "-conduit <NAME>"],
        "the network is chosen when the program starts (MERIDIAN_CONDUIT)",
    ),
    row(
        &["-bupc"],
        To::Set(Options::take_kind),
        "with <upc.h>, also include <stdlib.h>, <inttypes.h> and <bupc_extensions.h>; `upcc` does so",
    ),
    row(
        &["-gupc", "-cupc", "-cupc2c"],
        To::Set(Options::take_kind),
        "with <upc.h>, include only the standard's declarations, as `meridian cc` does; the program, started by \
         itself, takes -n N as its first argument for the number of threads, as it takes -fupc-threads-N",
    ),
    nothing(
        &["-translator=<PATH>", "-translator <PATH>", "-trans=<PATH>", "-trans <PATH>", "-Wu,<WORDS>"],
        "there is one translator, which is part of this command",
    ),
    nothing(
        &["-show-sizes", "-require-size", "-require-size=<SIZES>", "-size-warn", "-sizes-file=<FILE>"],
        "the sizes of types are the C compiler's",
    ),
    nothing(&["-lines", "-nolines"], "the lines are always those of the sources"),
    nothing(&["-opt-enable=<LIST>", "-opt-disable=<LIST>"], "-O turns all optimisations of communication on"),
    nothing(&["-extern-main"], "main may stand in any file"),
    nothing(&["-nolink-cache", "-link-cache"], "nothing is kept between two links"),
    nothing(
        &[
            "-trace",
            "-notrace",
            "-stats",
            "-nostats",
            "-inst",
            "-noinst",
            "-inst-local",
            "-inst-functions",
            "-profile",
            "-fupc-instrument",
            "-fupc-instrument-functions",
        ],
        "there is no instrumentation; perf and gdb work on the program as on any other",
    ),
    nothing(&["-norc", "-conf=<FILE>", "-conf <FILE>"], "there are no files of default options"),
    nothing(&["-allow-deprecated"], "nothing is deprecated"),
    nothing(&["-q", "-quiet"], "only warnings and errors are printed"),
    nothing(
        &[
            "-fupc-pthreads-model-tls",
            "-fupc-inline-lib",
            "-fno-upc-inline-lib",
            "-fupc-libcall",
            "-fno-upc-libcall",
            "-fupc-pre-include",
            "-fno-upc-pre-include",
            "-fupc-debug",
            "-fno-upc-debug",
            "-fupc-pts=<FORMAT>",
            "-fupc-pts-vaddr-order=<ORDER>",
            "-fupc-packed-bits=<BITS>",
            "-fupc-opt",
            "-fno-upc-opt",
            "-fupc-backtrace",
            "-dwarf-2-upc",
        ],
        "it chooses between parts of that compiler's runtime",
    ),
    row(
        &["-uses-mpi"],
        To::Refused("compile and link with --cc mpicc, and start the program with mpirun"),
        "",
    ),
    row(
        &["-fupc-<NAME>", "-fno-upc-<NAME>"],
        To::Refused(
            "unknown option; of this kind there are -fupc-threads-N and the options of `meridian cc --help`",
        ),
        "",
    ),
];

const GNU: &[Row] = &[
    gnu(&["-D <MACRO>", "-D<MACRO>", "-U <MACRO>", "-U<MACRO>", "-undef"], To::Preprocess),
    gnu(
        &[
            "-I <DIR>",
            "-I<DIR>",
            "-iquote <DIR>",
            "-iquote<DIR>",
            "-isystem <DIR>",
            "-isystem<DIR>",
            "-idirafter <DIR>",
            "-idirafter<DIR>",
            "-iprefix <DIR>",
            "-iwithprefix <DIR>",
            "-nostdinc",
        ],
        To::Preprocess,
    ),
    gnu(&["-include <FILE>", "-include<FILE>", "-imacros <FILE>"], To::Preprocess),
    gnu(&["-Wp,<WORDS>", "-Xpreprocessor <WORD>"], To::Preprocess),
    gnu(&["-M", "-MM"], To::Set(Options::take_only_depend)),
    gnu(
        &[
            "-MD",
            "-MMD",
            "-MP",
            "-MG",
            "-MF <FILE>",
            "-MF<FILE>",
            "-MT <NAME>",
            "-MT<NAME>",
            "-MQ <NAME>",
            "-MQ<NAME>",
        ],
        To::Depend,
    ),
    gnu(
        &[
            "-l <LIBRARY>",
            "-l<LIBRARY>",
            "-L <DIR>",
            "-L<DIR>",
            "-Wl,<WORDS>",
            "-Xlinker <WORD>",
            "-u <SYMBOL>",
            "-z <WORD>",
            "-e <SYMBOL>",
            "-rdynamic",
            "-nodefaultlibs",
            "-s",
            "-symbolic",
            "-shared-libgcc",
            "-static-<LIBRARY>",
        ],
        To::Link,
    ),
    gnu(
        &["-shared", "-r", "-static", "-static-pie", "-nostdlib", "-nostartfiles"],
        To::Set(Options::take_special),
    ),
    gnu(
        &["-pie", "-no-pie"],
        To::Nothing("static shared objects have one address in all threads: no program is PIE"),
    ),
    gnu(&["-fPIC", "-fpic", "-fPIE", "-fpie"], To::Set(Options::take_pic)),
    gnu(&["-O", "-O<LEVEL>"], To::Set(Options::take_level)),
    gnu(&["-std=<STANDARD>", "-ansi"], To::Set(Options::take_standard)),
    gnu(&["-fsanitize=<KINDS>"], To::Set(Options::take_sanitizers)),
    gnu(
        &["-fsigned-char", "-fno-unsigned-char", "-funsigned-char", "-fno-signed-char"],
        To::Set(Options::take_char),
    ),
    gnu(
        &["-w", "-Werror", "-Wno-error", "-Werror=<WARNING>", "-Wno-<WARNING>"],
        To::Set(Options::take_warning),
    ),
    gnu(&["-fmax-errors=<N>"], To::Set(Options::take_most_errors)),
    gnu(
        &[
            "-isysroot <DIR>",
            "-B <DIR>",
            "-Xclang <WORD>",
            "-target <MACHINE>",
            "-mllvm <WORD>",
            "-Xassembler <WORD>",
            "-param <WORD>",
            "--param <WORD>",
            "-aux-info <FILE>",
            "-arch <MACHINE>",
            "-g",
            "-g<LEVEL>",
            "-W<WARNING>",
            "-f<FEATURE>",
            "-m<FEATURE>",
            "-pthread",
        ],
        To::Common,
    ),
    gnu(
        &[
            "-dumpversion",
            "-dumpmachine",
            "-dumpfullversion",
            "-dumpspecs",
            "--target-help",
            "-print-<QUESTION>",
            "-Wl,--version",
            "-Wl,--help",
            "-Wl,-v",
        ],
        To::Question,
    ),
];

/// How a spelling takes its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Without a value.
    Alone,
    /// The value is the next word.
    Next,
    /// The value is the rest of the word.
    Joined,
}

/// Splits a spelling into its name and the way it takes its value.
pub fn form(spelling: &'static str) -> (&'static str, Form) {
    match spelling.split_once('<') {
        None => (spelling, Form::Alone),
        Some((name, _)) => name.strip_suffix(' ').map_or((name, Form::Joined), |name| (name, Form::Next)),
    }
}

/// Returns the row of a word of the command line, the spelling's name, and how it takes a value. If a
/// spelling equals the word, it counts; else the longest spelling with which the word begins.
pub fn find(word: &[u8]) -> Option<(&'static Row, &'static str, Form)> {
    find_among(SECTIONS.iter().flat_map(|s| s.rows), word)
}

/// Returns a word that begins with two dashes as an option of another UPC compiler, whose driver accepts one
/// dash and two: `--network=udp`. Options that gcc has with two dashes are excluded.
pub fn with_one_dash(word: &[u8]) -> Option<&[u8]> {
    let one = word.strip_prefix(b"-").filter(|rest| rest.starts_with(b"-"))?;
    (find(word).is_none() && find_among(OTHERS.iter(), one).is_some()).then_some(one)
}

fn find_among<'w>(
    rows: impl Iterator<Item = &'static Row> + 'w,
    word: &'w [u8],
) -> Option<(&'static Row, &'static str, Form)> {
    let spellings = rows.flat_map(|r| r.spellings.iter().map(move |s| (r, *s)));
    let fits = spellings.filter_map(|(row, spelling)| {
        let (name, form) = form(spelling);
        let rest = word.strip_prefix(name.as_bytes())?;
        let takes = match form {
            Form::Joined => !rest.is_empty() || name.ends_with('='),
            Form::Alone | Form::Next => rest.is_empty(),
        };
        takes.then_some((row, name, form))
    });
    fits.max_by_key(|(_, name, form)| (*form != Form::Joined, name.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_spelling_stands_twice() {
        let mut seen = HashSet::new();
        for spelling in SECTIONS.iter().flat_map(|s| s.rows).flat_map(|r| r.spellings) {
            assert!(spelling.starts_with('-'), "{spelling}");
            assert!(seen.insert(form(spelling)), "{spelling}");
        }
    }

    #[test]
    fn the_longest_spelling_counts_and_a_whole_one_before_it() {
        let name = |word: &str| find(word.as_bytes()).map(|(_, name, form)| (name, form));
        assert_eq!(name("-opt"), Some(("-opt", Form::Alone)));
        assert_eq!(name("-optical"), Some(("-o", Form::Joined)));
        assert_eq!(name("-o"), Some(("-o", Form::Next)));
        assert_eq!(name("-fupc-threads-4"), Some(("-fupc-threads-", Form::Joined)));
        assert_eq!(name("-static-libgcc"), Some(("-static-", Form::Joined)));
        assert_eq!(name("-static-pie"), Some(("-static-pie", Form::Alone)));
        assert_eq!(name("-T="), Some(("-T=", Form::Joined)));
        assert_eq!(name("--no-such-option"), None);
    }

    #[test]
    fn two_dashes_stand_for_one_in_options_of_other_upc_compilers() {
        let one =
            |word: &'static str| with_one_dash(word.as_bytes()).and_then(|w| std::str::from_utf8(w).ok());
        assert_eq!(one("--network=udp"), Some("-network=udp"));
        assert_eq!(one("--norc"), Some("-norc"));
        assert_eq!(one("-network=udp"), None);
        assert_eq!(one("--threads=4"), None, "an option of ours");
        assert_eq!(one("--param"), None, "an option of gcc's");
        assert_eq!(one("--coverage"), None, "an option of gcc's that goes on as it is");
        assert_eq!(one("--opt-in"), None);
    }
}
