//! The command's names, its help and its manual, from outside.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output};

fn called(name: &str, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_meridian")).arg0(name).args(args).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn upcrun_runs() {
    let output = called("/some/where/upcrun", &["-n", "2", "sh", "-c", "echo $MERIDIAN_THREADS"]);
    assert_eq!(text(&output), "2\n2\n");
}

#[test]
fn the_version_can_be_asked_for_in_every_way() {
    let head = Command::new("git").args(["rev-parse", "--short=10", "HEAD"]).output().unwrap();
    let commit = match head.status.success() {
        true => format!(" ({})", text(&head).trim()),
        false => String::new(),
    };
    let version = format!("meridian {}{commit}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(text(&called("meridian", &["version"])), version);
    assert_eq!(text(&called("meridian", &["--version"])), version);
    assert!(text(&called("upcrun", &["--version"])).ends_with(version.strip_prefix("meridian ").unwrap()));
}

#[test]
fn without_a_word_the_command_explains_itself_and_fails() {
    let output = called("meridian", &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("meridian cc -O3 hello.upc"));
}

#[test]
fn a_word_that_is_no_subcommand_is_refused() {
    let output = called("meridian", &["runn", "-n", "2", "./hello"]);
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("'runn'") && errors.contains("'run'"), "{errors}");
}

#[test]
fn the_manual_has_every_option_that_help_names() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("man-{}", std::process::id()));
    let done = called("meridian", &["man", "--out", out.to_str().unwrap()]);
    assert!(done.status.success());
    for (page, args) in [("meridian", &["--help"][..]), ("meridian-run", &["run", "--help"])] {
        let page = std::fs::read_to_string(out.join(page).with_extension("1")).unwrap().replace("\\-", "-");
        let help = text(&called("meridian", args));
        let options = help.split_whitespace().filter(|word| word.starts_with("--"));
        let names = options.map(|word| word.trim_end_matches(|c: char| !c.is_alphanumeric()));
        for name in names.map(|name| name.split(['[', '=']).next().unwrap()) {
            assert!(page.contains(name), "{name}");
        }
        assert!(page.starts_with(".ie") && page.contains(".SH EXAMPLES"), "a page in roff");
    }
    std::fs::remove_dir_all(out).unwrap();
}

#[test]
fn a_manual_that_cannot_be_written_is_an_error() {
    let output = called("meridian", &["man", "--out", "/dev/null/here"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/dev/null/here"));
}
