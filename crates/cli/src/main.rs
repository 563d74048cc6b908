//! The `meridian` command and its other names.
//!
//! `meridian cc`, also called `upcc`, compiles: all of its arguments go to the driver. `meridian run`, also
//! called `upcrun`, starts a job. The name by which the command is called decides, so that `upcc` can be used
//! wherever a build system expects a C compiler.

mod doctor;
mod manual;
mod names;
mod stencil;

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use base::say;
use clap::FromArgMatches;
use driver::Called;
use names::Name;

#[used]
#[unsafe(link_section = ".init_array")]
static EARLY: extern "C" fn() = say::before_main;

fn main() -> ExitCode {
    let mut args: Vec<OsString> = std::env::args_os().collect();
    if args.is_empty() {
        args.push("meridian".into());
    }
    let code = match Name::of(&args[0]) {
        Name::Upcc => driver::main(args.split_off(1), Called::Upcc),
        Name::Ac => driver::main(args.split_off(1), Called::Ac),
        Name::Upcrun => run(names::upcrun(), args),
        Name::Meridian if args.get(1).is_some_and(|arg| arg == "cc") => {
            driver::main(args.split_off(2), Called::Meridian)
        }
        Name::Meridian if args.get(1).is_some_and(|arg| arg == "run") => {
            args.remove(0);
            run(names::run("meridian run").bin_name("meridian run"), args)
        }
        Name::Meridian if args.get(1).is_some_and(|arg| arg == "gdb") => {
            args.remove(0);
            gdb(names::gdb("meridian gdb").bin_name("meridian gdb"), args)
        }
        Name::Meridian => meridian(args),
    };
    // The low eight bits, as in a C program's exit: upc_global_exit(-1) is 255.
    ExitCode::from(code as u8)
}

fn meridian(args: Vec<OsString>) -> i32 {
    if let Some(meant) = args.get(1).and_then(|word| names::meant(word)) {
        say::error(format_args!(
            "meridian: `{}` is a file, not a subcommand; try `{meant}`\n",
            args[1].display()
        ));
        return 2;
    }
    let matches = match names::meridian().try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) => return told(&error),
    };
    match matches.subcommand() {
        Some(("run-host", matches)) => match matches.get_one("end") {
            Some(&pid) => launch::end_agent(pid),
            None => launch::run_agent(),
        },
        Some(("locate", matches)) => locate(matches),
        Some(("finding", matches)) => finding(matches),
        Some(("doctor", matches)) => doctor::run(matches.get_one::<String>("hosts").map(String::as_str)),
        Some(("bench", matches)) => bench(matches),
        Some(("sim", matches)) => match sim::Options::from_arg_matches(matches) {
            Ok(options) => sim::run(&options),
            Err(error) => told(&error),
        },
        Some(("profile", matches)) => match profile::Options::from_arg_matches(matches) {
            Ok(options) => profile::run(&options),
            Err(error) => told(&error),
        },
        Some(("stencil", matches)) => {
            let source: &PathBuf = matches.get_one("source").expect("it is required");
            stencil::run(source, matches.get_one::<PathBuf>("out").map(PathBuf::as_path))
        }
        Some(("clangd", matches)) => clangd(matches),
        Some(("id", matches)) => prompt::run(&prompt::Options {
            processors: usize::from(*matches.get_one::<u16>("processors").expect("it has a default")),
            files: matches.get_many::<PathBuf>("files").into_iter().flatten().cloned().collect(),
        }),
        Some(("version", _)) => {
            say::out(format_args!("meridian {}\n", names::VERSION));
            0
        }
        Some(("man", matches)) => {
            let out = matches.get_one::<PathBuf>("out").expect("it is required");
            write_pages(out, matches.get_one("completions"))
        }
        // `cc`, `run` and `gdb` as the first word have been handled already; here they follow an option of
        // meridian's.
        other => {
            let name = other.map_or("cc", |(name, _)| name);
            say::error(format_args!("meridian: `{name}` must be the first word: meridian {name} ...\n"));
            2
        }
    }
}

/// Prints an error of the command line, or the help that was requested. Returns the exit code.
fn told(error: &clap::Error) -> i32 {
    let text = error.render();
    if error.use_stderr() {
        let colours = std::io::stderr().is_terminal();
        say::error(format_args!("{}", if colours { text.ansi().to_string() } else { text.to_string() }));
    } else {
        let colours = std::io::stdout().is_terminal();
        say::out(format_args!("{}", if colours { text.ansi().to_string() } else { text.to_string() }));
    }
    error.exit_code()
}

/// `meridian clangd`: sets an editor up, or serves it.
fn clangd(matches: &clap::ArgMatches) -> i32 {
    let Some(folder) = matches.get_one::<PathBuf>("init") else {
        let arguments = matches.get_many("arguments").into_iter().flatten().cloned().collect();
        return editor::run(&editor::Options { clangd: matches.get_one("clangd").cloned(), arguments });
    };
    let written = match std::env::current_exe() {
        Ok(meridian) => editor::write_settings(folder, &meridian),
        Err(error) => Err(format!("cannot find the path of this command: {error}")),
    };
    match written {
        Ok(file) => {
            say::out(format_args!(
                "{} tells VS Code's extension clangd to use `meridian clangd`\n",
                file.display()
            ));
            0
        }
        Err(why) => {
            say::error(format_args!("meridian clangd: {}\n", why.trim_end()));
            1
        }
    }
}

/// `meridian bench`, which measures this very command.
fn bench(matches: &clap::ArgMatches) -> i32 {
    if let Some(("report", matches)) = matches.subcommand() {
        return match report::Options::from_arg_matches(matches) {
            Ok(options) => report::run(&options),
            Err(error) => told(&error),
        };
    }
    let options = match bench::Options::from_arg_matches(matches) {
        Ok(options) => options,
        Err(error) => return told(&error),
    };
    match std::env::current_exe() {
        Ok(meridian) => bench::run(&options, &meridian, names::VERSION),
        Err(error) => {
            say::error(format_args!("meridian: cannot find the path of this command: {error}\n"));
            1
        }
    }
}

/// Carries out `meridian run`, by this table of options; `args` begin with the command's own name.
fn run(command: clap::Command, mut args: Vec<OsString>) -> i32 {
    let (words, idle) = match launch::translate(&command, args.split_off(1)) {
        Ok(translated) => translated,
        Err(wrong) => {
            say::error(format_args!("meridian run: error: {wrong}\n"));
            return 2;
        }
    };
    args.extend(words);
    let matches = match command.try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) => return told(&error),
    };
    match launch::Options::from_matches(&matches, idle) {
        Ok(mut options) => match bench::profile::find() {
            Ok(found) => {
                if let bench::profile::Found::InForce(_, profile) = found {
                    options.profile = bench::tunables::Jobs::ALL.map(|jobs| profile.variables(jobs));
                }
                profiled(&options, launch::run(&options))
            }
            Err(wrong) => {
                say::error(format_args!("meridian run: error: {wrong:#}\n"));
                2
            }
        },
        Err(error) => told(&error),
    }
}

/// Carries out `meridian gdb`, by this table of options; `args` begin with the command's own name.
fn gdb(command: clap::Command, mut args: Vec<OsString>) -> i32 {
    let (gdb_options, words) = match launch::gdb_options(&command, args.split_off(1)) {
        Ok(split) => split,
        Err(wrong) => {
            say::error(format_args!("meridian gdb: error: {wrong}\n"));
            return 2;
        }
    };
    args.extend(words);
    let matches = match command.clone().try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) => return told(&error),
    };
    if let Some(option) = names::not_under_gdb(&command, &matches) {
        let why = "the threads run on this host, until gdb ends";
        say::error(format_args!("meridian gdb: error: {option} cannot be used here: {why}\n"));
        return 2;
    }
    match launch::Options::from_matches(&matches, Vec::new()) {
        // A user who looks at threads needs no time limit, which the environment may set.
        Ok(options) => launch::run(&launch::Options {
            gdb: Some(launch::Gdb::All),
            gdb_options,
            timeout: None,
            ..options
        }),
        Err(error) => told(&error),
    }
}

/// Finishes the profile of a job that ended with `code`. Returns the exit code: a profile that cannot be
/// finished makes a successful job fail.
fn profiled(options: &launch::Options, code: i32) -> i32 {
    let Some(file) = options.profile_file().filter(|file| file.exists()) else { return code };
    let command: Vec<String> =
        options.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    match profile::finish(&file, &command, names::VERSION) {
        Ok(()) => {
            let file = file.display();
            say::error(format_args!(
                "meridian run: `meridian profile {file}' shows the costs of the lines\n"
            ));
            code
        }
        Err(wrong) => {
            say::error(format_args!("meridian run: --profile: {wrong:#}\n"));
            if code == 0 { 1 } else { code }
        }
    }
}

/// Prints the functions and lines of addresses of a process. Returns 1 if nothing is known of them.
fn locate(matches: &clap::ArgMatches) -> i32 {
    let pid: u32 = *matches.get_one("pid").expect("it is required");
    let addresses = matches.get_many::<String>("addresses").expect("they are required");
    let numbers: Vec<u64> = addresses.filter_map(|text| u64::from_str_radix(text, 16).ok()).collect();
    let text = match () {
        () if matches.get_flag("caller") => launch::caller(pid, &numbers),
        () if matches.get_flag("fault") => launch::fault(pid, &numbers),
        () => launch::locate(pid, &numbers),
    };
    say::error(format_args!("{text}"));
    i32::from(text.is_empty())
}

/// Tells a finding of `-fsanitize=pgas` whose lines are on standard input.
fn finding(matches: &clap::ArgMatches) -> i32 {
    let pid: u32 = *matches.get_one("pid").expect("it is required");
    let told = std::io::read_to_string(std::io::stdin()).map_err(|error| error.to_string());
    match told.and_then(|lines| launch::finding(pid, &lines)) {
        Ok(text) => {
            say::out(format_args!("{text}"));
            0
        }
        Err(wrong) => {
            say::error(format_args!("{wrong}\n"));
            1
        }
    }
}

/// Writes the manual, and the shells' completions if a directory for them is named.
fn write_pages(out: &Path, completions: Option<&PathBuf>) -> i32 {
    let written = manual::write(out).and_then(|()| completions.map_or(Ok(()), |to| manual::complete(to)));
    match written {
        Ok(()) => 0,
        Err(error) => {
            say::error(format_args!("meridian: cannot write the manual to {}: {error}\n", out.display()));
            1
        }
    }
}
