//! The options of Berkeley's `upcrun`, as scripts use them, and those of `meridian run` that replace them:
//! one row each.

use std::ffi::OsString;

use clap::{ArgAction, Command};

/// An option of `upcrun`.
pub struct Row {
    /// The spellings; one that ends in `=` contains its value, as does one followed by `=` and a value.
    pub spellings: &'static [&'static str],
    /// Whether the option takes a value.
    value: bool,
    to: To,
}

enum To {
    /// Replaced by this option of `meridian run`.
    Is(&'static str),
    /// Accepted, and without effect for this reason.
    Nothing(&'static str),
    /// Refused, because the job would be another one; the text says which option to use instead.
    Refused(&'static str),
}

const fn is(spellings: &'static [&'static str], value: bool, ours: &'static str) -> Row {
    Row { spellings, value, to: To::Is(ours) }
}

const fn nothing(spellings: &'static [&'static str], value: bool, why: &'static str) -> Row {
    Row { spellings, value, to: To::Nothing(why) }
}

/// All options that differ from those of `meridian run`. A script's `-n`, `-N`, `-c` and `-v` do not differ.
pub const ROWS: &[Row] = &[
    is(&["-np"], true, "--threads"),
    is(&["-nodes"], true, "--nodes"),
    is(&["-cpus-per-node"], true, "--per-host"),
    is(&["-bind-threads"], false, "--pin"),
    is(&["-no-bind-threads"], false, "--no-pin"),
    is(&["-localhost"], false, "--local"),
    is(&["-t", "-dry-run", "-dryrun"], false, "--dry-run"),
    is(&["-i", "-info"], false, "--info"),
    is(&["-verbose"], false, "--verbose"),
    is(&["-help", "-?"], false, "--help"),
    nothing(&["-q", "-quiet"], false, "only the reason for the failure of a job is printed"),
    nothing(&["-p", "-pthreads"], true, "UPC threads are processes that share memory"),
    nothing(
        &["-shared-heap", "-shared-heap-max", "-heap-offset"],
        true,
        "the shared heap takes memory as it is touched, and has no fixed size",
    ),
    nothing(
        &[
            "-backtrace",
            "-no-backtrace",
            "-nobacktrace",
            "-abort",
            "-no-abort",
            "-noabort",
            "-freeze-on-error",
        ],
        false,
        "the message about a dead thread names the line; `ulimit -c unlimited` gives core files",
    ),
    nothing(
        &[
            "-encode-args",
            "-no-encode-args",
            "-noencode-args",
            "-encode-env",
            "-no-encode-env",
            "-noencode-env",
        ],
        false,
        "arguments and the environment reach the program unchanged",
    ),
    nothing(
        &["-trace", "-stats"],
        false,
        "--profile counts the calls of each line, and --record records them",
    ),
    nothing(
        &["-tracefile", "-tracemask", "-statsfile", "-statsmask"],
        true,
        "--profile counts the calls of each line, and --record records them",
    ),
    nothing(&["-norc"], false, "there are no files of default options"),
    nothing(&["-conf"], true, "there are no files of default options"),
    nothing(&["-network", "-conduit"], true, "MERIDIAN_CONDUIT chooses the network"),
    nothing(&["-pshm-width"], true, "all threads of a host share memory"),
    Row {
        spellings: &["-freeze"],
        value: false,
        to: To::Refused("start one thread under a debugger instead: gdb --args PROGRAM ARGUMENTS"),
    },
];

/// The translated command line, and its options without effect, with the reasons.
pub type Translated = (Vec<OsString>, Vec<(String, &'static str)>);

/// Translates the arguments of `run` or `upcrun` into the options of `meridian run`; the program and its
/// arguments stay as they are. `ours`: the definition of our options, which says which of them take the next
/// word as value.
///
/// # Errors
/// For an option that is refused, and one without its value.
pub fn translate(ours: &Command, args: Vec<OsString>) -> Result<Translated, String> {
    let (mut words, mut idle) = (Vec::new(), Vec::new());
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        let text = arg.to_string_lossy().into_owned();
        if text == "--" || !text.starts_with('-') {
            words.push(arg);
            words.extend(args);
            break;
        }
        let (name, joined) = text.split_once('=').map_or((text.as_str(), None), |(n, v)| (n, Some(v)));
        let Some(row) = row_of(ours, name) else {
            words.push(arg);
            words.extend(takes_next(ours, &text).then(|| args.next()).flatten());
            continue;
        };
        let value: Option<OsString> = match joined {
            Some(value) => Some(value.into()),
            None if row.value => Some(args.next().ok_or_else(|| format!("{name} needs a value after it"))?),
            None => None,
        };
        match row.to {
            To::Is(ours) => {
                words.push(ours.into());
                words.extend(value);
            }
            To::Nothing(why) => idle.push((text, why)),
            To::Refused(way) => return Err(format!("{text}: {way}")),
        }
    }
    Ok((words, idle))
}

/// Returns the row of an `upcrun` option, which may have two dashes if we have no option of that name.
fn row_of(ours: &Command, name: &str) -> Option<&'static Row> {
    let long = name.strip_prefix("--");
    let of_ours = long.is_some_and(|long| ours.get_arguments().any(|arg| arg.get_long() == Some(long)));
    let one = if long.is_some() && !of_ours { &name[1..] } else { name };
    ROWS.iter().find(|row| row.spellings.contains(&one))
}

/// Whether the value of this option of ours is the next word.
pub fn takes_next(ours: &Command, word: &str) -> bool {
    let named = |arg: &&clap::Arg| match word.strip_prefix("--") {
        Some(long) => arg.get_long() == Some(long),
        None => arg.get_short().is_some_and(|short| word[1..] == *short.to_string()),
    };
    ours.get_arguments()
        .find(named)
        .is_some_and(|arg| matches!(arg.get_action(), ArgAction::Set) && !arg.is_require_equals_set())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Args;

    fn translated(line: &str) -> Result<String, String> {
        let ours = crate::Options::augment_args(Command::new("run"));
        let (words, _) = translate(&ours, line.split_whitespace().map(OsString::from).collect())?;
        Ok(words.iter().map(|w| w.to_string_lossy()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn scripts_are_read_up_to_the_program() {
        for (line, same) in [
            ("-np 4 ./p -np 5", "--threads 4 ./p -np 5"),
            ("-q -n 4 -shared-heap 64MB ./p -q", "-n 4 ./p -q"),
            ("-shared-heap=64MB -bind-threads ./p", "--pin ./p"),
            ("-abort -no-encode-args -trace -tracefile t.%  -n 2 ./p -abort", "-n 2 ./p -abort"),
            ("--network=udp --shared-heap 1GB -n 2 ./p", "-n 2 ./p"),
            ("--verbose --pin ./p", "--verbose --pin ./p"),
            ("-H -np -v ./p", "-H -np -v ./p"),
            ("--timeout 3 -i ./p", "--timeout 3 --info ./p"),
            ("-- -np 4", "-- -np 4"),
        ] {
            assert_eq!(translated(line).unwrap(), same);
        }
        assert!(translated("-freeze ./p").unwrap_err().contains("gdb"));
        assert!(translated("-np").unwrap_err().contains("value"));
    }

    #[test]
    fn what_means_nothing_here_is_told_with_its_reason() {
        let ours = crate::Options::augment_args(Command::new("run"));
        let args = ["-q", "-pshm-width=2", "-network", "udp", "./p"].map(OsString::from).to_vec();
        let (words, idle) = translate(&ours, args).unwrap();
        assert_eq!(words, ["./p"]);
        let names: Vec<&str> = idle.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["-q", "-pshm-width=2", "-network"]);
        assert!(idle[0].1.contains("only the reason") && idle[2].1.contains("MERIDIAN_CONDUIT"));
    }

    #[test]
    fn only_options_with_a_value_take_the_next_word() {
        let ours = crate::Options::augment_args(Command::new("run"));
        for (word, takes) in [
            ("-n", true),
            ("--threads", true),
            ("-H", true),
            ("--silence", true),
            ("-v", false),
            ("--tag", false),
            ("--pin", false),
            ("--gdb", false),
            ("-n4", false),
            ("--nothing", false),
        ] {
            assert_eq!(takes_next(&ours, word), takes, "{word}");
        }
    }

    #[test]
    fn what_is_said_to_be_ours_is() {
        let ours = crate::Options::augment_args(Command::new("run"));
        for row in ROWS {
            if let To::Is(name) = row.to {
                let known = ours.get_arguments().any(|a| a.get_long() == name.strip_prefix("--"));
                assert!(known || name == "--help", "{name}");
            }
        }
    }
}
