//! The command's names, and the tables of their options, from which parsing, `--help` and the manual follow.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::{Arg, Args, Command};

/// The version, and the commit that it was built from if git knows one.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("MERIDIAN_COMMIT"));

/// The name by which the command was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// `meridian`, or any other name of a copy of it.
    Meridian,
    /// `upcc`: `meridian cc`.
    Upcc,
    /// `ac`: `meridian cc -x ac`.
    Ac,
    /// `upcrun`: `meridian run`.
    Upcrun,
}

impl Name {
    /// Returns the name for the first word of a command line, which may be a path.
    pub fn of(word: &OsStr) -> Name {
        match Path::new(word).file_name().and_then(OsStr::to_str) {
            Some("upcc") => Name::Upcc,
            Some("ac") => Name::Ac,
            Some("upcrun") => Name::Upcrun,
            _ => Name::Meridian,
        }
    }
}

/// The additions of a page to its options, in `--help` and in the manual alike.
pub struct Notes {
    /// Commands, and the effect of each.
    pub examples: &'static [(&'static str, &'static str)],
    /// Headed paragraphs.
    pub sections: &'static [(&'static str, &'static str)],
}

/// The notes on `meridian`.
pub const MERIDIAN: Notes = Notes {
    examples: &[
        ("meridian cc -O3 hello.upc -o hello", "compile and link a UPC program"),
        ("meridian run -n 4 ./hello", "run it with 4 threads"),
        ("meridian cc -T 4 hello.upc -o hello", "compile for exactly 4 threads"),
        ("meridian cc -O2 main.c part.upc part.sc part.ac -o all", "one program of several languages"),
        ("./hello", "a program also starts by itself"),
    ],
    sections: &[("See also", "`meridian cc --help` and `meridian run --help`.")],
};

/// The notes on `meridian run`.
pub const RUN: Notes = Notes {
    examples: &[
        ("meridian run -n 4 ./heat 1000", "4 threads, with an argument for the program"),
        ("meridian run -n 2 --timeout 60 ./heat", "at most a minute"),
        ("meridian run -n 4 --tag ./heat", "lines with the numbers of their threads"),
        ("meridian run -H node1,node2 -n 8 ./heat", "4 threads on each of two hosts, over ssh"),
    ],
    sections: &[
        (
            "Threads",
            "Processes that share memory. Each writes whole lines; standard input is thread \
             0's. The job ends when all threads have ended. When a thread dies, the others are ended too, \
             and one message names it.",
        ),
        (
            "Hosts",
            "With -H the threads are on several hosts, numbered host by host; threads of one host share memory. \
             All hosts have `meridian` and the program under the same paths. The name of this host, or \
             localhost, needs no ssh. A Slurm or PBS job provides its own hosts. A host that is silent for \
             MERIDIAN_SILENCE seconds is lost, and the job ends.",
        ),
        (
            "Berkeley's upcrun",
            "Scripts for upcrun work unchanged: its options are accepted in its spelling (-np, -localhost, -t, …). \
             Options without effect are accepted too, and -v names them.",
        ),
        (
            "Exit codes",
            "The first non-zero one of a thread; 128 + n for a death by signal n; 124 after --timeout; 127 \
             for a program that does not exist, 126 for one that cannot be started; 2 for a wrong command \
             line.",
        ),
    ],
};

/// The notes on `meridian gdb`.
pub const GDB: Notes = Notes {
    examples: &[
        ("meridian gdb -n 4 ./heat 1000", "debug all 4 threads, in one gdb"),
        ("meridian gdb -n 4 -ex 'break 12' -ex run ./heat", "with commands of gdb at the beginning"),
        ("meridian gdb -n 4 -batch -ex run -ex meridian-bt ./heat", "print the stacks at the first error"),
    ],
    sections: &[
        (
            "Session",
            "The threads wait before main; `run` or `continue` starts them. A breakpoint stops all threads \
             when one of them reaches it. `break 12 if MYTHREAD == 2` stops at thread 2 alone. Ctrl-C stops all threads. \
             `quit` and `kill` end the job.",
        ),
        (
            "Commands",
            "meridian-thread N selects thread N. meridian-threads lists the threads. meridian-bt prints the stacks of \
             all threads, equal ones once; `thread apply all bt` prints all of them with the calls of the runtime. print and \
             other commands show elements of shared arrays and objects of pointers-to-shared on any thread.",
        ),
        (
            "Options of gdb",
            "-batch, -ex COMMAND, -x FILE, -iex COMMAND, -ix FILE, -nx, -nh, -tui, -d DIR and -i INTERPRETER go to gdb.",
        ),
        (
            "Input and output",
            "gdb has the terminal, or reads its commands from standard input. The threads have no standard input. Their output is \
             written in whole lines, with --tag by thread.",
        ),
        (
            "Exit codes",
            "That of gdb; that of the job if the job ends before gdb starts; 2 for a wrong command line, or if gdb is not \
             installed.",
        ),
    ],
};

/// The notes on `meridian id`.
pub const ID: Notes = Notes {
    examples: &[
        ("meridian id", "an interactive session"),
        ("meridian id sort.id", "with the definitions of a file"),
        ("meridian id main.id part.c", "with a part in C, for `@external`"),
        ("meridian id -n 4", "with 4 processors"),
        ("echo '1 + 2;' | meridian id", "a script from standard input"),
    ],
    sections: &[
        (
            "Session",
            "Definitions are kept; a new definition of a name replaces the old one. An expression is \
             compiled, computed, and printed with its type. :help lists the commands. Ctrl-C ends a computation, \
             Ctrl-D the session. Lines are kept in $XDG_STATE_HOME/meridian/id_history.",
        ),
        ("Exit codes", "0, or 1 if a file cannot be loaded or an input of a script has an error."),
    ],
};

/// The notes on `meridian doctor`.
pub const DOCTOR: Notes = Notes {
    examples: &[
        ("meridian doctor", "look at this machine"),
        ("meridian doctor -H node1:1,node2:1", "and try a job over two hosts"),
    ],
    sections: &[(
        "Exit codes",
        "0, or 1 if Meridian cannot work here. Missing tools that only some users need are no error.",
    )],
};

/// The notes on `meridian bench`.
pub const BENCH: Notes = Notes {
    examples: &[
        ("meridian bench --quick", "measure everything within a minute"),
        ("meridian bench bulk groups --conduit smp,tcp", "bulk transfers and groups, on two conduits"),
        ("meridian bench -H node1:1,node2:1 -o cluster.jsonl", "between two hosts, into a file"),
        ("meridian bench compare before.jsonl after.jsonl", "slower and faster points"),
        ("meridian bench tune", "find the fastest settings, for meridian run"),
        ("meridian bench report cluster.jsonl", "the figures, as cluster.html"),
    ],
    sections: &[
        (
            "Results",
            "All samples go to a file of JSON lines, which compare and report read. Medians of the primitives, and \
             the parameters that follow from them, are printed. Times depend on the machine and its load.",
        ),
        (
            "Exit codes",
            "0; 1 if a probe failed, or if compare found something slower; 130 after Ctrl-C, which keeps the \
             samples; 2 for a wrong command line.",
        ),
    ],
};

/// The notes on `meridian sim`.
pub const SIM: Notes = Notes {
    examples: &[
        ("meridian sim heat.model -n 2..1048576", "how a model scales, with the profile's LogGP"),
        ("meridian sim heat.model -n 4096 -L 5us -o 1us -g 2us -G 0.1", "on another machine"),
        ("meridian sim heat.model -n 4096 -t torus3 --hop 50ns", "on a torus"),
        ("meridian run -n 2 --record heat.trace ./heat", "record a program"),
        ("meridian sim heat.trace -n 2..64", "and predict it with more threads"),
    ],
    sections: &[
        (
            "Models",
            "A text: `meridian-model 1`, then one statement in each line: compute, broadcast, reduce, gather, \
             all-to-all, ring, shift, barrier, halo, puts, gets, sync, em3d, sample-sort, repeat. docs/sim.md has all of them.",
        ),
        (
            "Exit codes",
            "0; 1 if the file is no trace or model, or if processes wait for ever, which a message then \
             names; 2 for a wrong command line.",
        ),
    ],
};

/// The notes on `meridian profile`.
pub const PROFILE: Notes = Notes {
    examples: &[
        ("meridian run -n 4 --profile ./heat", "run a program; makes heat.profile.json"),
        ("meridian profile heat.profile.json", "show its lines with their costs"),
        ("meridian profile heat.profile.json --html heat.html", "the same as a page for a browser"),
        ("MERIDIAN_REMOTE=1 meridian run -n 4 --profile ./heat", "accesses that are remote on four hosts"),
    ],
    sections: &[
        (
            "Counted calls",
            "Calls of the runtime: accesses to memory of other hosts, copies, barriers, locks, collectives, atomic \
             operations, active messages. Accesses to memory of the same host are loads and stores, and are not \
             counted. The time of a line is the time of its calls, with waiting. For an Id90 program also the work of \
             the threaded abstract machine; with `meridian cc --count-instructions` its instructions, too.",
        ),
        (
            "Lines",
            "Files that meridian cc compiles have lines, unless compiled with -g0 or stripped; C files have lines if \
             compiled with -g.",
        ),
        (
            "Perfetto",
            "The file is a trace too: ui.perfetto.dev and chrome://tracing open it, and draw the longest calls of \
             each thread over time, and the quanta of an Id90 program.",
        ),
        ("Exit codes", "0; 1 if the file is no profile; 2 for a wrong command line."),
    ],
};

/// The notes on `meridian stencil`.
pub const STENCIL: Notes = Notes {
    examples: &[(
        "meridian stencil heat.f90 -o heat_stencils.f90",
        "the module heat_stencils, with heat_kernel()",
    )],
    sections: &[(
        "Functions",
        "The argument of a marked function is the neighbourhood of an element, as in real(8), intent(in) :: \
         u(-1:1, -1:1). The result is the element's new value. A second argument is the element of the level before. For \
         each function NAME the module has NAME_kernel(), which create_stencil of the module meridian_arrays takes as its \
         argument kernel.",
    )],
};

/// The notes on `meridian clangd`.
pub const CLANGD: Notes = Notes {
    examples: &[
        ("meridian clangd --init", "set up VS Code in this folder"),
        ("meridian clangd", "the language server that other editors start"),
        ("meridian clangd -- --log=verbose", "with options of clangd"),
    ],
    sections: &[
        (
            "Editors",
            "VS Code needs its extension `clangd`. In other editors, name `meridian clangd` as the server for files \
             ending in .upc, .sc and .ac; it serves C and C++ like clangd. docs/tools.md has the lines \
             for Neovim and Emacs.",
        ),
        (
            "Options of sources",
            "A compile_commands.json (also in build) or a compile_flags.txt, in the folder of the source or \
             above it, has the options of `meridian cc`; in compile_flags.txt with one option on each \
             line, as in -Iinclude or -T4.",
        ),
        (
            "Diagnostics",
            "The diagnostics are those of `meridian cc` for the text in the editor, with the warnings of \
             clangd and clang-tidy about everything else.",
        ),
        (
            "Exit codes",
            "0 if the editor has ended the server; 1 if there is no clangd, or if it ends by itself; 2 \
             for a wrong command line.",
        ),
    ],
};

impl Notes {
    /// Returns the notes as the end of `--help`.
    fn help(&self) -> String {
        let width = self.examples.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
        let mut text = String::from("Examples:\n");
        for (command, what) in self.examples {
            text += &format!("  {command:width$}   {what}\n");
        }
        for (head, paragraph) in self.sections {
            text += &format!("\n{head}: {paragraph}\n");
        }
        text
    }
}

/// Returns the probably intended command if the first word is a file: to compile a source, to run a program.
pub fn meant(word: &OsStr) -> Option<String> {
    let path = Path::new(word);
    if launch::is_source(path) || path.extension().is_some_and(|e| e == "o") {
        Some(format!("meridian cc {}", path.display()))
    } else if path.components().count() > 1 && path.is_file() {
        Some(format!("meridian run {}", path.display()))
    } else {
        None
    }
}

/// Returns the command `meridian` with its subcommands.
pub fn meridian() -> Command {
    Command::new("meridian")
        .about("Compiles and runs UPC, Split-C and AC, C with one address space for many threads, and Id90")
        .version(VERSION)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .after_help(MERIDIAN.help())
        .subcommand(
            Command::new("cc")
                .about("Compile and link UPC, Split-C, AC and C files, as a C compiler does")
                .disable_help_flag(true)
                .arg(
                    Arg::new("arguments")
                        .num_args(0..)
                        .trailing_var_arg(true)
                        .allow_hyphen_values(true)
                        .help("See `meridian cc --help`"),
                ),
        )
        .subcommand(run("run"))
        .subcommand(
            Command::new("run-host")
                .hide(true)
                .about("Run a host's part of a job; `meridian run -H` starts it")
                .arg(
                    Arg::new("end")
                        .long("end")
                        .value_name("PID")
                        .value_parser(clap::value_parser!(i32).range(1..))
                        .help("End the agent with this pid instead"),
                ),
        )
        .subcommand(
            Command::new("locate")
                .hide(true)
                .about(
                    "Print the functions and lines of addresses of a process; a dying thread starts this \
                     command",
                )
                .arg(Arg::new("caller").long("caller").action(clap::ArgAction::SetTrue))
                .arg(Arg::new("fault").long("fault").action(clap::ArgAction::SetTrue))
                .arg(Arg::new("pid").required(true).value_parser(clap::value_parser!(u32)))
                .arg(Arg::new("addresses").required(true).num_args(1..)),
        )
        .subcommand(gdb("gdb"))
        .subcommand(
            Command::new("finding")
                .hide(true)
                .about("Tell a finding of -fsanitize=pgas, which is on standard input; a thread starts this command")
                .arg(Arg::new("pid").required(true).value_parser(clap::value_parser!(u32))),
        )
        .subcommand(id("id"))
        .subcommand(doctor("doctor"))
        .subcommand(bench("bench"))
        .subcommand(sim("sim"))
        .subcommand(profile("profile"))
        .subcommand(stencil("stencil"))
        .subcommand(clangd("clangd"))
        .subcommand(Command::new("version").about("Print the version of Meridian"))
        .subcommand(
            Command::new("man")
                .hide(true)
                .about("Write the manual pages")
                .arg(
                    Arg::new("out")
                        .long("out")
                        .value_name("DIR")
                        .required(true)
                        .value_parser(clap::value_parser!(PathBuf))
                        .help("Directory for the pages, which is created if necessary"),
                )
                .arg(
                    Arg::new("completions")
                        .long("completions")
                        .value_name("DIR")
                        .value_parser(clap::value_parser!(PathBuf))
                        .help("Directory for the completions of bash, zsh and fish"),
                ),
        )
}

/// Options of `meridian run` that `meridian gdb` does not have.
const NOT_UNDER_GDB: [&str; 12] = [
    "hosts",
    "nodes",
    "per_host",
    "ssh",
    "silence",
    "timeout",
    "kill_after",
    "gdb",
    "record",
    "profile_lines",
    "dry_run",
    "info",
];

/// Returns the spelling of an option in these matches that `meridian gdb` does not have; `command` is its
/// table.
pub fn not_under_gdb(command: &Command, matches: &clap::ArgMatches) -> Option<String> {
    let given = |id: &&str| matches.value_source(id) == Some(clap::parser::ValueSource::CommandLine);
    let wrong = NOT_UNDER_GDB.iter().find(|id| given(id))?;
    let option = command.get_arguments().find(|arg| arg.get_id() == wrong)?;
    Some(format!("--{}", option.get_long()?))
}

/// Returns the command `meridian gdb`, whose options are those of `meridian run` that concern a job on this
/// host.
pub fn gdb(name: &'static str) -> Command {
    launch::Options::augment_args(Command::new(name))
        .mut_args(|arg| {
            let hidden = NOT_UNDER_GDB.iter().any(|id| arg.get_id() == id);
            arg.hide(hidden)
        })
        .about("Debug all threads of a program on this host in one gdb")
        .after_help(GDB.help())
}

/// Returns the command `meridian id`.
pub fn id(name: &'static str) -> Command {
    Command::new(name)
        .about("Run an interactive session of Id90")
        .after_help(ID.help())
        .arg(
            Arg::new("processors")
                .short('n')
                .long("processors")
                .value_name("N")
                .default_value("1")
                .value_parser(clap::value_parser!(u16).range(1..=1024))
                .help("Processors that compute"),
        )
        .arg(
            Arg::new("files")
                .value_name("FILE")
                .num_args(0..)
                .value_parser(clap::value_parser!(PathBuf))
                .help("Id files whose definitions the session begins with, and parts in C, UPC, Split-C, AC or object code"),
        )
}

/// Returns the command `meridian doctor`.
pub fn doctor(name: &'static str) -> Command {
    Command::new(name)
        .about("Report and test the tools that Meridian can use here, and how to install missing ones")
        .after_help(DOCTOR.help())
        .arg(
            Arg::new("hosts")
                .short('H')
                .long("hosts")
                .value_name("HOSTS")
                .help("Try these hosts too, named as for `meridian run -H`"),
        )
}

/// Returns the command `meridian bench`.
pub fn bench(name: &'static str) -> Command {
    let report = report::Options::augment_args(Command::new("report"));
    bench::Options::augment_args(Command::new(name))
        .about("Measure the costs of each primitive of each dialect on this machine")
        .subcommand(report.about("Write the results as one HTML page, with the papers' figures"))
        .after_help(BENCH.help())
}

/// Returns the command `meridian sim`.
pub fn sim(name: &'static str) -> Command {
    sim::Options::augment_args(Command::new(name))
        .about("Predict the time of a program on a machine with up to 16 million processors, under LogGP")
        .after_help(SIM.help())
}

/// Returns the command `meridian profile`.
pub fn profile(name: &'static str) -> Command {
    profile::Options::augment_args(Command::new(name))
        .about("Show the sources of a program with the cost of each line in a profiled run")
        .after_help(PROFILE.help())
}

/// Returns the command `meridian stencil`.
pub fn stencil(name: &'static str) -> Command {
    Command::new(name)
        .about("Make kernels of distributed arrays from marked functions of a Fortran source")
        .after_help(STENCIL.help())
        .arg(
            Arg::new("source")
                .value_name("FILE.f90")
                .required(true)
                .value_parser(clap::value_parser!(PathBuf))
                .help("Free-form source, with `!$meridian stencil` before each function for a kernel"),
        )
        .arg(
            Arg::new("out")
                .short('o')
                .value_name("FILE")
                .value_parser(clap::value_parser!(PathBuf))
                .help("Write the module here, not to standard output"),
        )
}

/// Returns the command `meridian clangd`.
pub fn clangd(name: &'static str) -> Command {
    Command::new(name)
        .about("Serve editors: clangd for UPC, Split-C and AC, with the diagnostics of `meridian cc`")
        .after_help(CLANGD.help())
        .arg(
            Arg::new("init")
                .long("init")
                .value_name("DIR")
                .num_args(0..=1)
                .default_missing_value(".")
                .value_parser(clap::value_parser!(PathBuf))
                .help("Write VS Code's settings into DIR/.vscode (DIR is this folder by default), and end"),
        )
        .arg(
            Arg::new("clangd")
                .long("clangd")
                .value_name("PATH")
                .value_parser(clap::value_parser!(PathBuf))
                .help("The clangd to use, version 13 or newer, rather than the one in PATH"),
        )
        .arg(
            Arg::new("arguments")
                .value_name("OPTION")
                .num_args(0..)
                .last(true)
                .value_parser(clap::value_parser!(std::ffi::OsString))
                .help("Options of clangd"),
        )
}

/// Returns the command `upcrun`, the other name of `meridian run`.
pub fn upcrun() -> Command {
    run("upcrun").version(VERSION)
}

/// Returns the command `meridian run` under one of its names.
pub fn run(name: &'static str) -> Command {
    launch::Options::augment_args(Command::new(name))
        .about("Run a program as a job of N threads, on this host or on several")
        .after_help(RUN.help())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_consistent() {
        meridian().debug_assert();
        upcrun().debug_assert();
        gdb("gdb").debug_assert();
    }

    #[test]
    fn no_section_of_notes_has_a_run_of_blanks() {
        for notes in [&MERIDIAN, &RUN, &GDB, &ID, &DOCTOR, &BENCH, &SIM, &PROFILE, &STENCIL, &CLANGD] {
            for (title, text) in notes.sections {
                // Lines that begin with blanks are a table or an example, set line by line.
                for line in text.lines().filter(|line| !line.starts_with(' ')) {
                    assert!(!line.contains("  "), "{title}: {line}");
                }
            }
        }
    }

    #[test]
    fn a_file_in_place_of_a_subcommand_is_understood() {
        assert_eq!(meant(OsStr::new("hello.upc")).unwrap(), "meridian cc hello.upc");
        assert_eq!(meant(OsStr::new("/bin/sh")).unwrap(), "meridian run /bin/sh");
        let directory = tempfile::tempdir().unwrap();
        let program = directory.path().join("sh.upc");
        std::fs::copy("/bin/sh", &program).unwrap();
        assert_eq!(meant(program.as_os_str()).unwrap(), format!("meridian run {}", program.display()));
        assert_eq!(meant(OsStr::new("run")), None);
        assert_eq!(meant(OsStr::new("--help")), None);
    }

    #[test]
    fn the_last_part_of_the_path_is_the_name() {
        let name = |word: &str| Name::of(OsStr::new(word));
        assert_eq!(name("/opt/meridian/bin/upcc"), Name::Upcc);
        assert_eq!(name("upcrun"), Name::Upcrun);
        assert_eq!(name("./meridian"), Name::Meridian);
        assert_eq!(name("upcc-1.0"), Name::Meridian);
    }
}
