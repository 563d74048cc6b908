//! The settings of `meridian run`, one row each: parsing, `--help`, the manual page and the environment
//! variables all follow from this table.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::control::MAX_THREADS;

/// Whether threads are tied to cores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Pin {
    /// one core for each thread (several for programs with OpenMP), if there are as many free cores as
    /// threads; otherwise like never
    #[default]
    Auto,
    /// thread i on core i, modulo the number of cores
    Always,
    /// the kernel moves threads as it sees fit
    Never,
}

/// The threads that run under gdb, and the place of gdb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gdb {
    /// This one, in the launcher's terminal.
    Thread(u32),
    /// Each in a window of tmux.
    Tmux,
    /// The threads to which the user attaches; all threads wait until the user has done so.
    Attach,
    /// All, in one gdb (`meridian gdb`), which has the launcher's terminal.
    All,
}

fn gdb(text: &str) -> Result<Gdb, String> {
    match text {
        "tmux" => Ok(Gdb::Tmux),
        "attach" => Ok(Gdb::Attach),
        number => number
            .parse()
            .map(Gdb::Thread)
            .map_err(|_| "expected the number of a thread, tmux or attach".into()),
    }
}

/// The options of `meridian run`, as the user has given them.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Number of threads (UPC's THREADS); by default the number for which the program was compiled, else 1
    #[arg(
        short = 'n',
        long = "threads",
        value_name = "N",
        env = "MERIDIAN_THREADS",
        allow_negative_numbers = true,
        value_parser = thread_count
    )]
    pub threads: Option<u32>,

    /// Hosts of the job, each with a number of threads unless the threads are divided evenly: `a,b:4`, or
    /// `@file` with one host in each line; by default the hosts of the Slurm or PBS job, else this host
    #[arg(short = 'H', long, value_name = "HOSTS")]
    pub hosts: Option<String>,

    /// Number of hosts to use, from the beginning of the list
    #[arg(short = 'N', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub nodes: Option<u32>,

    /// Most threads for each host
    #[arg(short = 'c', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub per_host: Option<u32>,

    /// Run on this host only, even in a Slurm or PBS job
    #[arg(long, conflicts_with = "hosts")]
    pub local: bool,

    /// Command that runs a command on another host: the host's name and the command are appended (for `ssh`,
    /// after `--`). By default `ssh -o BatchMode=yes`, in a Slurm job `srun`
    #[arg(long, value_name = "COMMAND", env = "MERIDIAN_SSH")]
    pub ssh: Option<String>,

    /// Seconds of silence between hosts after which a host counts as lost, and the job ends
    #[arg(long, value_name = "SECONDS", env = "MERIDIAN_SILENCE", default_value = "30",
          value_parser = clap::value_parser!(u32).range(1..=86400))]
    pub silence: u32,

    /// End the job after this many seconds, with exit code 124
    #[arg(long, value_name = "SECONDS", env = "MERIDIAN_TIMEOUT", allow_negative_numbers = true,
          value_parser = seconds)]
    pub timeout: Option<Duration>,

    /// Tie each thread to its own core; `--pin` without a value means always
    #[arg(long, value_name = "WHEN", env = "MERIDIAN_PIN", value_enum, num_args = 0..=1,
          require_equals = true, default_value = "auto", default_missing_value = "always")]
    pub pin: Pin,

    /// Do not tie threads to cores; the same as --pin=never
    #[arg(long, conflicts_with = "pin")]
    pub no_pin: bool,

    /// Begin each line of output with the number of the thread that wrote it
    #[arg(long, env = "MERIDIAN_TAG", value_parser = clap::builder::FalseyValueParser::new(),
          action = clap::ArgAction::SetTrue)]
    pub tag: bool,

    /// Seconds between SIGTERM, which asks threads to end, and SIGKILL, which kills them
    #[arg(long, value_name = "SECONDS", env = "MERIDIAN_KILL_AFTER", default_value = "0.5",
          allow_negative_numbers = true, value_parser = seconds)]
    pub kill_after: Duration,

    /// Print the program, the hosts and the process numbers at the start, and the exit code at the end
    #[arg(short = 'v', long, env = "MERIDIAN_VERBOSE", action = clap::ArgAction::SetTrue,
          value_parser = clap::builder::FalseyValueParser::new())]
    pub verbose: bool,

    /// Run a thread under gdb in this terminal, by default thread 0; or `tmux`: each thread in a window of
    /// tmux; or `attach`: threads print their process numbers, and wait before main for a debugger
    #[arg(long, value_name = "THREAD", num_args = 0..=1, require_equals = true, default_missing_value = "0",
          value_parser = gdb)]
    pub gdb: Option<Gdb>,

    /// Record the calls of the runtime that each thread makes, and the time between them, for `meridian sim`;
    /// several hosts have to share the file's directory
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,

    /// Count, for each line of the source, the calls of the runtime and remote accesses, their bytes and
    /// their time, for `meridian profile`; FILE is PROGRAM.profile.json by default. Several hosts have to
    /// share the file's directory
    #[arg(long = "profile", value_name = "FILE", num_args = 0..=1, require_equals = true,
          conflicts_with = "record")]
    pub profile_lines: Option<Option<PathBuf>>,

    /// Print the program, the threads and the hosts of the job, and start nothing
    #[arg(long)]
    pub dry_run: bool,

    /// Print the number of threads for which the program was compiled, and start nothing
    #[arg(long)]
    pub info: bool,

    /// The program and its arguments; a name without a slash is looked up in this directory, then in PATH
    #[arg(required = true, trailing_var_arg = true, value_name = "PROGRAM")]
    pub command: Vec<OsString>,

    /// Whether `threads` was asked for on the command line. `MERIDIAN_THREADS` is only a default, which the
    /// static number of threads of a program overrules; `-n` is a demand, which may contradict it.
    #[arg(skip)]
    pub threads_demanded: bool,

    /// Variables that a program has unless they are set already, as the machine's profile gives them: in a
    /// job on one host, in one with more threads than cores, and in a job on several hosts.
    #[arg(skip)]
    pub profile: [Vec<(String, String)>; 3],

    /// Options of gdb, for a job under one gdb.
    #[arg(skip)]
    pub gdb_options: Vec<OsString>,

    /// Options of other launchers that mean nothing here, with the reasons; said with `--verbose`.
    #[arg(skip)]
    pub idle: Vec<(String, &'static str)>,
}

impl Options {
    /// Returns the options that `matches` holds, with the `idle` ones that were removed earlier and the
    /// origin of `threads`.
    ///
    /// # Errors
    /// If `matches` does not come from a command augmented with these arguments.
    pub fn from_matches(
        matches: &clap::ArgMatches,
        idle: Vec<(String, &'static str)>,
    ) -> Result<Options, clap::Error> {
        let mut options = <Options as clap::FromArgMatches>::from_arg_matches(matches)?;
        options.threads_demanded =
            matches.value_source("threads") == Some(clap::parser::ValueSource::CommandLine);
        options.idle = idle;
        Ok(options)
    }

    /// Returns the file of `--profile`: the named one, or one in this directory with the program's name.
    pub fn profile_file(&self) -> Option<PathBuf> {
        let program = self.command.first().map(PathBuf::from).unwrap_or_default();
        self.profile_lines.clone().map(|named| {
            named.unwrap_or_else(|| {
                let mut name = program.file_name().unwrap_or_default().to_os_string();
                name.push(".profile.json");
                name.into()
            })
        })
    }

    /// Returns the result of `--pin` and `--no-pin` together.
    pub fn pinning(&self) -> Pin {
        if self.no_pin { Pin::Never } else { self.pin }
    }
}

fn thread_count(text: &str) -> Result<u32, String> {
    match text.parse::<u64>() {
        Ok(0) => Err("a job has at least one thread".into()),
        Ok(n) if n <= u64::from(MAX_THREADS) => Ok(n as u32),
        Ok(_) => Err(format!("a job has at most {MAX_THREADS} threads")),
        Err(_) => Err(format!("expected a number of threads from 1 to {MAX_THREADS}")),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    text.parse::<f64>()
        .ok()
        .and_then(|s| Duration::try_from_secs_f64(s).ok())
        .ok_or_else(|| "expected a number of seconds, such as 30 or 0.5".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(args: &[&str]) -> Result<Options, clap::Error> {
        let command = Options::augment_args(clap::Command::new("run"));
        Options::from_matches(&command.try_get_matches_from(args)?, Vec::new())
    }

    #[test]
    fn what_follows_the_program_belongs_to_it() {
        let options = parse(&["run", "-n", "3", "prog", "-n", "7", "--help"]).unwrap();
        assert_eq!(options.threads, Some(3));
        assert!(options.threads_demanded);
        assert_eq!(options.command, ["prog", "-n", "7", "--help"]);
    }

    #[test]
    fn what_precedes_the_program_is_never_taken_for_it() {
        let options = parse(&["run", "-n3", "-v", "--", "-odd", "-n7"]).unwrap();
        assert_eq!(options.threads, Some(3));
        assert_eq!(options.command, ["-odd", "-n7"]);
        for wrong in ["-x", "--bogus"] {
            assert!(parse(&["run", wrong, "2", "prog"]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn thread_counts_out_of_range_are_refused() {
        for (text, says) in [
            ("0", "at least one"),
            ("abc", "from 1 to"),
            ("-3", "from 1 to"),
            ("100000", "at most"),
            ("99999999999999999999", "from 1 to"),
        ] {
            let error = parse(&["run", "-n", text, "prog"]).unwrap_err().to_string();
            assert!(error.contains(says), "-n {text}: {error}");
        }
    }

    #[test]
    fn as_many_threads_as_a_job_may_have_are_a_number() {
        assert_eq!(parse(&["run", "-n", "8192", "prog"]).unwrap().threads, Some(8192));
        assert!(parse(&["run", "-n", "8193", "prog"]).unwrap_err().to_string().contains("at most 8192"));
        assert_eq!(parse(&["run", "-n", "1", "prog"]).unwrap().threads, Some(1));
        let options = parse(&["run", "prog"]).unwrap();
        assert!(options.threads.is_none() && !options.threads_demanded);
    }

    #[test]
    fn gdb_is_for_a_thread_or_all() {
        let gdb = |option: &str| parse(&["run", option, "prog"]).map(|options| options.gdb);
        assert_eq!(gdb("--gdb").unwrap(), Some(Gdb::Thread(0)));
        assert_eq!(gdb("--gdb=3").unwrap(), Some(Gdb::Thread(3)));
        assert_eq!(gdb("--gdb=tmux").unwrap(), Some(Gdb::Tmux));
        assert_eq!(gdb("--gdb=attach").unwrap(), Some(Gdb::Attach));
        assert!(gdb("--gdb=all").unwrap_err().to_string().contains("the number of a thread, tmux or attach"));
    }

    #[test]
    fn options_that_mean_nothing_are_kept_to_be_told() {
        let command = Options::augment_args(clap::Command::new("run"));
        let matches = command.try_get_matches_from(["run", "prog"]).unwrap();
        let idle = vec![("-q".to_string(), "why")];
        assert_eq!(Options::from_matches(&matches, idle.clone()).unwrap().idle, idle);
    }

    #[test]
    fn pin_has_a_short_form_and_an_opposite() {
        assert_eq!(parse(&["run", "prog"]).unwrap().pinning(), Pin::Auto);
        assert_eq!(parse(&["run", "--pin", "prog"]).unwrap().pinning(), Pin::Always);
        assert_eq!(parse(&["run", "--no-pin", "prog"]).unwrap().pinning(), Pin::Never);
        assert!(parse(&["run", "--pin", "--no-pin", "prog"]).is_err());
    }

    #[test]
    fn a_profile_has_the_name_of_the_program_or_another() {
        let file = |args: &[&str]| parse(args).unwrap().profile_file();
        assert_eq!(file(&["run", "bin/prog"]), None);
        assert_eq!(file(&["run", "--profile", "bin/prog"]), Some("prog.profile.json".into()));
        assert_eq!(file(&["run", "--profile=a/b", "prog"]), Some("a/b".into()));
        assert!(parse(&["run", "--profile", "--record", "t", "prog"]).is_err());
    }

    #[test]
    fn seconds_are_finite_and_not_negative() {
        assert_eq!(
            parse(&["run", "--timeout", "0.25", "p"]).unwrap().timeout,
            Some(Duration::from_millis(250))
        );
        for bad in ["-1", "inf", "nan", "soon", "1e40"] {
            assert!(parse(&["run", "--timeout", bad, "p"]).is_err(), "{bad}");
        }
    }
}
