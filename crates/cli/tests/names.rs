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

/// Each page has a synopsis and references to the others, and explains a variable once.
#[test]
fn pages_of_the_manual_are_complete() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("pages-{}", std::process::id()));
    assert!(called("meridian", &["man", "--out", out.to_str().unwrap()]).status.success());
    let pages: Vec<_> = std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path()).collect();
    let names: Vec<&str> = pages.iter().map(|page| page.file_stem().unwrap().to_str().unwrap()).collect();
    let help = text(&called("meridian", &["--help"]));
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    for command in commands.take_while(|line| !line.is_empty()).filter_map(|l| l.split_whitespace().next()) {
        let page = format!("meridian-{command}");
        let own = !["version", "help"].contains(&command);
        assert!(!own || names.contains(&page.as_str()), "no page {page}");
    }
    for (page, name) in pages.iter().zip(&names) {
        let text = std::fs::read_to_string(page).unwrap().replace("\\-", "-");
        let section = |title: &str| {
            let from = text.find(&format!(".SH {title}\n")).unwrap_or_else(|| panic!("{name}: no {title}"));
            text[from..].lines().skip(1).take_while(|line| !line.starts_with(".SH")).collect::<Vec<_>>()
        };
        let first_word = name.split('-').next().unwrap();
        assert!(section("SYNOPSIS").iter().any(|line| line.contains(first_word)), "{name}");
        assert!(section("\"SEE ALSO\"").iter().any(|line| line.contains("(1)")), "{name}");
        let lines: Vec<&str> = text.lines().collect();
        let entries = lines.windows(2).filter(|two| two[0] == ".TP" && two[1].starts_with("\\fBMERIDIAN_"));
        let mut variables: Vec<&str> = entries.map(|two| two[1]).collect();
        let explained = variables.len();
        variables.sort();
        variables.dedup();
        assert_eq!(variables.len(), explained, "{name}: {variables:?}");
    }
    std::fs::remove_dir_all(out).unwrap();
}

#[test]
fn a_manual_that_cannot_be_written_is_an_error() {
    let output = called("meridian", &["man", "--out", "/dev/null/here"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/dev/null/here"));
}
