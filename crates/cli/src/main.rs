//! The `meridian` command and its other names.
//!
//! `meridian cc`, also called `upcc`, compiles: all that follows is the driver's. `meridian run`, also
//! called `upcrun`, starts a job. What the command is called as decides, so that `upcc` can stand where a
//! build system expects a C compiler.

mod doctor;
mod manual;
mod names;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use base::say;
use driver::Called;
use names::Name;

fn main() -> ExitCode {
    let mut args: Vec<OsString> = std::env::args_os().collect();
    if args.is_empty() {
        args.push("meridian".into());
    }
    let code = match Name::of(&args[0]) {
        Name::Upcc => driver::main(args.split_off(1), Called::Upcc),
        Name::Ac => driver::main(args.split_off(1), Called::Ac),
        Name::Upcrun => run(names::upcrun().get_matches_from(args)),
        Name::Meridian if args.get(1).is_some_and(|arg| arg == "cc") => {
            driver::main(args.split_off(2), Called::Meridian)
        }
        Name::Meridian => meridian(args),
    };
    // The low eight bits, as a C program's exit has it: upc_global_exit(-1) is 255.
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
    let matches = names::meridian().get_matches_from(args);
    match matches.subcommand() {
        Some(("run", matches)) => run(matches.clone()),
        Some(("run-host", matches)) => match matches.get_one("end") {
            Some(&pid) => launch::end_agent(pid),
            None => launch::run_agent(),
        },
        Some(("doctor", matches)) => doctor::run(matches.get_one::<String>("hosts").map(String::as_str)),
        Some(("version", _)) => {
            say::out(format_args!("meridian {}\n", env!("CARGO_PKG_VERSION")));
            0
        }
        Some(("man", matches)) => write_manual(matches.get_one::<PathBuf>("out").expect("it is required")),
        // `cc` as the first word has been taken already; here it stood behind an option of meridian's.
        _ => {
            say::error(format_args!("meridian: `cc` must be the first word: meridian cc ...\n"));
            2
        }
    }
}

fn run(matches: clap::ArgMatches) -> i32 {
    match launch::Options::from_matches(&matches) {
        Ok(options) => launch::run(&options),
        Err(error) => error.exit(),
    }
}

fn write_manual(out: &std::path::Path) -> i32 {
    match manual::write(out) {
        Ok(()) => 0,
        Err(error) => {
            say::error(format_args!("meridian: cannot write the manual to {}: {error}\n", out.display()));
            1
        }
    }
}
