//! The command line of `meridian gdb`: options of gdb stand among those of `meridian run`.

use std::ffi::OsString;

use clap::Command;

use crate::upcrun::takes_next;

/// Options of gdb, without dashes, and whether the next word is the value. `-n` is the number of threads.
const OPTIONS: [(&str, bool); 19] = [
    ("batch", false),
    ("batch-silent", false),
    ("return-child-result", false),
    ("nx", false),
    ("nh", false),
    ("q", false),
    ("quiet", false),
    ("tui", false),
    ("ex", true),
    ("eval-command", true),
    ("x", true),
    ("command", true),
    ("iex", true),
    ("init-eval-command", true),
    ("ix", true),
    ("init-command", true),
    ("d", true),
    ("directory", true),
    ("i", true),
];

/// Divides the arguments of `meridian gdb` into options of gdb, and those of `ours`, which keep the program
/// and its arguments. gdb's options have one dash or two; its `--args` is `--` here.
///
/// # Errors
/// If an option of gdb lacks its value.
pub fn split(ours: &Command, args: Vec<OsString>) -> Result<(Vec<OsString>, Vec<OsString>), String> {
    let (mut gdb, mut words) = (Vec::new(), Vec::new());
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        let text = arg.to_string_lossy().into_owned();
        if ["--", "-args", "--args"].contains(&text.as_str()) || !text.starts_with('-') {
            words.push(if text.starts_with('-') { "--".into() } else { arg });
            words.extend(args);
            break;
        }
        let (name, joined) = text.split_once('=').map_or((text.as_str(), false), |(name, _)| (name, true));
        let bare = name.strip_prefix("--").unwrap_or(&name[1..]);
        match OPTIONS.iter().find(|(option, _)| *option == bare) {
            Some((_, value)) => {
                gdb.push(arg);
                if *value && !joined {
                    gdb.push(args.next().ok_or_else(|| format!("{name} needs a value after it"))?);
                }
            }
            None => {
                words.push(arg);
                words.extend(takes_next(ours, &text).then(|| args.next()).flatten());
            }
        }
    }
    Ok((gdb, words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Args;

    #[test]
    fn options_of_gdb_stand_before_the_program() {
        let ours = crate::Options::augment_args(Command::new("gdb"));
        let split = |line: &str| {
            let (gdb, words) = split(&ours, line.split_whitespace().map(OsString::from).collect())?;
            let text = |words: Vec<OsString>| words.join(" ".as_ref()).into_string().unwrap();
            Ok::<_, String>((text(gdb), text(words)))
        };
        let both = |gdb: &str, words: &str| Ok((gdb.to_string(), words.to_string()));
        assert_eq!(
            split("-n 4 -batch --ex run -x f ./p -batch"),
            both("-batch --ex run -x f", "-n 4 ./p -batch")
        );
        assert_eq!(split("--timeout 3 -ex=bt -- -p -ex"), both("-ex=bt", "--timeout 3 -- -p -ex"));
        assert_eq!(split("-n4 --args ./p --args"), both("", "-n4 -- ./p --args"));
        assert!(split("-n 2 -ex").unwrap_err().contains("-ex needs a value"));
    }
}
