//! The manual pages, written from the same tables as the command line and its `--help`.

use std::fs;
use std::io;
use std::path::Path;

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::names::{self, Notes};

/// Writes a page for the command and for each of its names into `out`, which is made if need be.
///
/// # Errors
/// When a page cannot be written.
pub fn write(out: &Path) -> io::Result<()> {
    fs::create_dir_all(out)?;
    let mut meridian = names::meridian();
    meridian.build();
    let run = meridian.find_subcommand("run").expect("`run` is in the table").clone();
    page(out, "meridian", meridian, &names::MERIDIAN)?;
    page(out, "meridian-run", run.name("meridian-run"), &names::RUN)?;
    page(out, "upcrun", names::upcrun(), &names::RUN)?;
    Ok(())
}

fn page(out: &Path, name: &str, command: Command, notes: &Notes) -> io::Result<()> {
    let mut own = Roff::new();
    environment(&mut own, &command);
    examples(&mut own, notes);
    for (head, paragraph) in notes.sections {
        own.control("SH", [head.to_uppercase().as_str()]).text([roman(*paragraph)]);
    }
    // `--help` ends with the notes, which have sections of their own here.
    let manual = Man::new(command.after_help(None)).title(name.to_uppercase()).manual("Meridian");
    let mut text = Vec::new();
    manual.render_title(&mut text)?;
    manual.render_name_section(&mut text)?;
    manual.render_synopsis_section(&mut text)?;
    manual.render_description_section(&mut text)?;
    manual.render_options_section(&mut text)?;
    own.to_writer(&mut text)?;
    fs::write(out.join(format!("{name}.1")), text)
}

fn environment(roff: &mut Roff, command: &Command) {
    let rows: Vec<_> = command.get_arguments().filter_map(|arg| Some((arg.get_env()?, arg))).collect();
    if rows.is_empty() {
        return;
    }
    roff.control("SH", ["ENVIRONMENT"]);
    for (variable, arg) in rows {
        let option = arg.get_long().map(|long| format!("The default of --{long}."));
        roff.control("TP", [])
            .text([bold(variable.to_string_lossy())])
            .text([roman(option.unwrap_or_default())]);
    }
}

fn examples(roff: &mut Roff, notes: &Notes) {
    roff.control("SH", ["EXAMPLES"]);
    for (command, what) in notes.examples {
        roff.control("TP", []).text([bold(*command)]).text([roman(*what)]);
    }
}
