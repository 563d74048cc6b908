//! A job from the command line to its exit code. Queries about a program (`--info`, `--dry-run`) are answered
//! here. For a job, `places` decides where it runs, and it is carried out on this host (`local`) or on
//! several (`distributed`). Both end it in the same way (`ending`).

mod distributed;
mod ending;
mod local;
mod places;

use std::io::Write;
use std::path::{Path, PathBuf};

use places::Places;

use crate::error::Error;
use crate::hosts::Share;
use crate::options::{Gdb, Options};
use crate::{output, program, record, sys};

/// Runs a job to its end. Returns its exit code.
pub fn run(options: &Options) -> Result<i32, Error> {
    let name = options.command.first().expect("the command line demands a program");
    let path = program::find(name, std::env::var_os("PATH").as_deref())?;
    program::check_contract(&path)?;
    let threads = program::threads(&path, options.threads, options.threads_demanded)?.map(|n| n as usize);
    if options.verbose {
        options.idle.iter().for_each(|(word, why)| output::say(&format!("{word} has no effect: {why}")));
    }
    if options.info {
        return Ok(tell(&info(&path)));
    }
    let places = Places::find(options, threads)?;
    if options.dry_run {
        return Ok(tell(&plan(&path, &places)));
    }
    set_missing(&options.profile[places.kind()]);
    let parts = places.parts();
    if let Some(file) = &options.record {
        record::make(file, parts)?;
    }
    let Some(profile) = options.profile_file() else { return carry_out(options, path, places, parts) };
    let threads = places.threads();
    record::make_profile(&profile, threads)?;
    let ended = carry_out(options, path, places, parts);
    let gathered = record::gather_profile(&profile, threads);
    ended.and_then(|code| gathered.map(|()| code))
}

/// Runs the job in its places. Returns its exit code.
fn carry_out(options: &Options, path: PathBuf, places: Places, parts: Option<usize>) -> Result<i32, Error> {
    match places {
        Places::Here(threads) => local::run(options, &path, threads),
        Places::Hosts(..) if matches!(options.gdb, Some(Gdb::Thread(_) | Gdb::Tmux)) => {
            Err(Error::Debugger("a job on several hosts supports --gdb=attach only".into()))
        }
        Places::Hosts(..) if options.gdb == Some(Gdb::All) => Err(Error::Session(
            "this Slurm or PBS job has several hosts: one gdb debugs a job on this host, with --local".into(),
        )),
        Places::Hosts(shares, by) => {
            let code = distributed::run(options, path, shares, by)?;
            if let (Some(file), Some(threads)) = (&options.record, parts) {
                let gathered = record::gather(file, threads);
                // If a job has failed, missing parts are not reported.
                if code == 0 {
                    gathered?;
                }
            }
            Ok(code)
        }
    }
}

/// Sets variables that the user has not set, for the program.
fn set_missing(variables: &[(String, String)]) {
    for (name, value) in variables.iter().filter(|(name, _)| std::env::var_os(name).is_none()) {
        // SAFETY: the launcher has no other thread yet, which could read the environment meanwhile.
        unsafe { std::env::set_var(name, value) };
    }
}

/// Prints an answer to the user's query. Returns the exit code.
fn tell(text: &str) -> i32 {
    let mut stdout = std::io::stdout();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => 0,
        Err(why) => {
            if why.kind() != std::io::ErrorKind::BrokenPipe {
                let why = base::say::why_not(&why);
                let _ = writeln!(std::io::stderr(), "meridian run: cannot write to standard output: {why}");
            }
            1
        }
    }
}

/// Answers `--info`: the properties of a program that are known without running it.
fn info(path: &Path) -> String {
    match program::static_threads(path) {
        Some(threads) => format!("{}: compiled for {threads} threads\n", path.display()),
        None if program::is_meridian(path) => format!("{}: for any number of threads\n", path.display()),
        None => format!("{}: not compiled by meridian cc\n", path.display()),
    }
}

/// Answers `--dry-run`: the threads and hosts that would be started.
fn plan(path: &Path, places: &Places) -> String {
    match places {
        Places::Here(threads) => {
            format!("{} with {threads} threads on {}\n", path.display(), sys::host_name())
        }
        Places::Hosts(shares, by) => {
            let threads: usize = shares.iter().map(|share| share.threads).sum();
            let mut text = format!("{} with {threads} threads on {} hosts", path.display(), shares.len());
            text += &format!(", reached by `{by}`\n");
            for Share { name, first, threads } in shares {
                text += &format!("  {name}: threads {first} to {}\n", first + threads - 1);
            }
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::Name;

    #[test]
    fn what_would_be_started_is_told_host_by_host() {
        let path = Path::new("./p");
        let here = plan(path, &Places::Here(3));
        assert_eq!(here, format!("./p with 3 threads on {}\n", sys::host_name()));
        let shares = vec![
            Share { name: Name::read("a").unwrap(), first: 0, threads: 2 },
            Share { name: Name::read("b").unwrap(), first: 2, threads: 3 },
        ];
        assert_eq!(
            plan(path, &Places::Hosts(shares, "ssh".into())),
            "./p with 5 threads on 2 hosts, reached by `ssh`\n  a: threads 0 to 1\n  b: threads 2 to 4\n"
        );
        assert_eq!(info(Path::new("/bin/sh")), "/bin/sh: not compiled by meridian cc\n");
    }
}
