//! The manual pages, written from the same tables as the command line and its `--help`.

use std::fs;
use std::io;
use std::path::Path;

use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use driver::options::{help, table::SECTIONS};

use crate::names::{self, Notes};

/// The runtime's table of settings, which are the environment variables of the programs that are run.
const RUNTIME_SETTINGS: &str = include_str!("../../../runtime/base/settings.h");

/// The pages, and the synopsis of each command.
const PAGES: [(&str, &[&str]); 14] = [
    (
        "meridian",
        &[
            "meridian cc [options] file...",
            "meridian run [options] program [argument...]",
            "meridian gdb [options] [options of gdb] program [argument...]",
            "meridian id [options] [file...]",
            "meridian doctor [-H hosts]",
            "meridian bench [options] [part...]",
            "meridian sim [options] file",
            "meridian profile [options] file",
            "meridian stencil [options] file.f90",
            "meridian clangd [options] [-- option of clangd...]",
            "meridian version",
        ],
    ),
    ("meridian-cc", &["meridian cc [options] file..."]),
    ("meridian-run", &["meridian run [options] program [argument...]"]),
    ("meridian-gdb", &["meridian gdb [options] [options of gdb] program [argument...]"]),
    ("meridian-id", &["meridian id [options] [file...]"]),
    ("meridian-doctor", &["meridian doctor [-H hosts]"]),
    (
        "meridian-bench",
        &[
            "meridian bench [options] [part...]",
            "meridian bench compare [options] A B",
            "meridian bench tune [options]",
            "meridian bench report [options] results",
        ],
    ),
    ("meridian-sim", &["meridian sim [options] file"]),
    ("meridian-profile", &["meridian profile [options] file"]),
    ("meridian-stencil", &["meridian stencil [options] file.f90"]),
    (
        "meridian-clangd",
        &["meridian clangd [--clangd path] [-- option of clangd...]", "meridian clangd --init [directory]"],
    ),
    ("upcc", &["upcc [options] file..."]),
    ("upcrun", &["upcrun [options] program [argument...]"]),
    ("ac", &["ac [options] file..."]),
];

/// The environment of the compiler.
const COMPILER_SETTINGS: [(&str, &str); 2] = [
    ("MERIDIAN_CC", "The C compiler, gcc or clang, if there is no --cc."),
    ("CC", "The C compiler, if there is neither --cc nor MERIDIAN_CC."),
];

fn synopsis(roff: &mut Roff, name: &str) {
    roff.control("SH", ["SYNOPSIS"]).control("nf", []);
    for line in PAGES.iter().filter(|(page, _)| *page == name).flat_map(|(_, lines)| *lines) {
        roff.text([roman(*line)]);
    }
    roff.control("fi", []);
}

/// Adds the references to the other pages.
fn see_also(roff: &mut Roff, name: &str) {
    let others: Vec<_> =
        PAGES.iter().filter(|(page, _)| *page != name).map(|(page, _)| format!("{page}(1)")).collect();
    let text = format!("{}, and the pages in share/doc/meridian of the installation", others.join(", "));
    roff.control("SH", ["SEE ALSO"]).text([roman(text)]);
}

/// Writes a page for the command and for each of its names into `out`, which is created if necessary.
///
/// # Errors
/// If a page cannot be written.
pub fn write(out: &Path) -> io::Result<()> {
    fs::create_dir_all(out)?;
    let mut meridian = names::meridian();
    meridian.build();
    let run = meridian.find_subcommand("run").expect("`run` is in the table").clone();
    let settings = settings(RUNTIME_SETTINGS);
    page(out, "meridian", meridian, &names::MERIDIAN, &[])?;
    page(out, "meridian-run", run.name("meridian-run"), &names::RUN, &settings)?;
    page(out, "meridian-gdb", names::gdb("meridian-gdb"), &names::GDB, &settings)?;
    page(out, "meridian-id", names::id("meridian-id"), &names::ID, &[])?;
    page(out, "meridian-doctor", names::doctor("meridian-doctor"), &names::DOCTOR, &[])?;
    page(out, "meridian-bench", names::bench("meridian-bench"), &names::BENCH, &[])?;
    page(out, "meridian-sim", names::sim("meridian-sim"), &names::SIM, &[])?;
    page(out, "meridian-profile", names::profile("meridian-profile"), &names::PROFILE, &[])?;
    page(out, "meridian-stencil", names::stencil("meridian-stencil"), &names::STENCIL, &[])?;
    page(out, "meridian-clangd", names::clangd("meridian-clangd"), &names::CLANGD, &[])?;
    page(out, "upcrun", names::upcrun(), &names::RUN, &settings)?;
    compiler_page(out, "meridian-cc")?;
    compiler_page(out, "upcc")?;
    compiler_page(out, "ac")
}

/// Writes the completions of command lines for bash, zsh and fish.
///
/// # Errors
/// If a file cannot be written.
pub fn complete(out: &Path) -> io::Result<()> {
    fs::create_dir_all(out)?;
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        clap_complete::generate_to(shell, &mut names::meridian(), "meridian", out)?;
    }
    Ok(())
}

/// Writes the page of the compiler, whose options are the driver's table.
fn compiler_page(out: &Path, name: &str) -> io::Result<()> {
    let version = format!("meridian {}", names::VERSION);
    let mut page = Roff::new();
    page.control("TH", [&name.to_uppercase(), "1", "", &version, "Meridian"]);
    page.control("SH", ["NAME"]).text([roman(format!("{name} - {}", help::SUMMARY.trim_end_matches('.')))]);
    synopsis(&mut page, name);
    page.control("SH", ["DESCRIPTION"]).text([roman(help::FILES)]);
    for section in SECTIONS {
        page.control("SH", [section.title.to_uppercase().as_str()]);
        for (spellings, what) in help::entries(section) {
            page.control("TP", []).text([bold(spellings)]).text([roman(what)]);
        }
    }
    variables(&mut page, COMPILER_SETTINGS.map(|(name, what)| (name.into(), what.into())).as_slice());
    page.control("SH", ["EXAMPLES"]).control("nf", []);
    help::EXAMPLES.iter().for_each(|line| {
        page.text([roman(*line)]);
    });
    page.control("fi", []);
    see_also(&mut page, name);
    let mut text = Vec::new();
    page.to_writer(&mut text)?;
    fs::write(out.join(format!("{name}.1")), text)
}

/// Returns the rows `X(NAME, KIND, default, least, most, CATEGORY, "former name", "help")` of the runtime's
/// table, as (variable, its effect).
fn settings(header: &str) -> Vec<(String, String)> {
    let joined = header.replace("\\\n", " ");
    let row = |text: &str| {
        let fields: Vec<_> = text.splitn(8, ',').map(str::trim).collect();
        let [name, kind, default, least, most, _category, former, help] = fields[..] else { return None };
        let mut what = help.strip_prefix('"')?.split('"').next()?.to_owned();
        match kind {
            "INTEGER" => what += &format!("; {least} to {most}, default {default}"),
            "SIZE" => {
                what += &format!("; megabytes, {least} to {most}, or with K, M or G; default {default}")
            }
            "STRING" => {}
            _ => return None,
        }
        let former = former.trim_matches('"');
        if !former.is_empty() {
            what += &format!(" (formerly MERIDIAN_{former})");
        }
        Some((format!("MERIDIAN_{name}"), what))
    };
    joined.split("X(").skip(1).filter_map(row).collect()
}

fn page(
    out: &Path,
    name: &str,
    command: Command,
    notes: &Notes,
    settings: &[(String, String)],
) -> io::Result<()> {
    let mut own = Roff::new();
    environment(&mut own, &command, settings);
    examples(&mut own, notes);
    for (head, paragraph) in notes.sections.iter().filter(|(head, _)| *head != "See also") {
        own.control("SH", [head.to_uppercase().as_str()]).text([roman(*paragraph)]);
    }
    see_also(&mut own, name);
    let mut head = Roff::new();
    synopsis(&mut head, name);
    // `--help` ends with the notes, which have sections of their own here.
    let manual = Man::new(command.after_help(None)).title(name.to_uppercase()).manual("Meridian");
    let mut text = Vec::new();
    manual.render_title(&mut text)?;
    manual.render_name_section(&mut text)?;
    head.to_writer(&mut text)?;
    manual.render_description_section(&mut text)?;
    manual.render_options_section(&mut text)?;
    own.to_writer(&mut text)?;
    fs::write(out.join(format!("{name}.1")), text)
}

fn environment(roff: &mut Roff, command: &Command, settings: &[(String, String)]) {
    let default_of = |arg: &clap::Arg| {
        let variable = arg.get_env().filter(|_| !arg.is_hide_set())?.to_string_lossy().into_owned();
        Some((variable, format!("The default of --{}.", arg.get_long()?)))
    };
    let mut rows: Vec<_> = command.get_arguments().filter_map(default_of).collect();
    // Variables that the launcher and the runtime both read appear as the launcher's here.
    let more: Vec<_> =
        settings.iter().filter(|(name, _)| rows.iter().all(|(row, _)| row != name)).cloned().collect();
    rows.extend(more);
    variables(roff, &rows);
}

fn variables(roff: &mut Roff, rows: &[(String, String)]) {
    if rows.is_empty() {
        return;
    }
    roff.control("SH", ["ENVIRONMENT"]);
    for (variable, what) in rows {
        roff.control("TP", []).text([bold(variable)]).text([roman(what)]);
    }
}

fn examples(roff: &mut Roff, notes: &Notes) {
    roff.control("SH", ["EXAMPLES"]);
    for (command, what) in notes.examples {
        roff.control("TP", []).text([bold(*command)]).text([roman(*what)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_its_synopsis_each_variable_once_and_the_other_pages() {
        let out = tempfile::tempdir().expect("a directory");
        write(out.path()).expect("the pages");
        for (name, lines) in PAGES {
            let text = fs::read_to_string(out.path().join(format!("{name}.1"))).expect("a page");
            let text = text.replace('\\', "");
            assert!(lines.iter().all(|line| text.contains(line)), "{name}: {text}");
            assert_eq!(text.matches(".SH SYNOPSIS").count(), 1, "{name}");
            assert!(PAGES.iter().all(|(other, _)| *other == name || text.contains(&format!("{other}(1)"))));
            let mut names: Vec<_> = text.lines().filter(|line| line.starts_with("fBMERIDIAN_")).collect();
            let all = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), all, "{name}: a variable twice");
        }
    }

    #[test]
    fn every_row_of_the_runtimes_table_is_read() {
        let rows = settings(RUNTIME_SETTINGS);
        assert_eq!(rows.len(), RUNTIME_SETTINGS.matches(" X(").count());
        let (_, spin) =
            rows.iter().find(|(name, _)| name == "MERIDIAN_SPIN").expect("a row that has long been there");
        assert!(spin.contains("default"), "{spin}");
    }
}
