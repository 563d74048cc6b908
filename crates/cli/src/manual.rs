//! The manual pages, written from the same tables as the command line.

use std::fs;
use std::io;
use std::path::Path;

use clap::Command;
use clap_mangen::Man;

use crate::names;

/// Writes a page for the command and for each of its names into `out`, which is made if need be.
///
/// # Errors
/// When a page cannot be written.
pub fn write(out: &Path) -> io::Result<()> {
    fs::create_dir_all(out)?;
    let mut meridian = names::meridian();
    meridian.build();
    let run = meridian
        .find_subcommand("run")
        .expect("`run` is in the table")
        .clone();
    page(out, "meridian", meridian)?;
    page(out, "meridian-run", run.name("meridian-run"))?;
    page(out, "upcrun", names::upcrun())?;
    Ok(())
}

fn page(out: &Path, name: &str, command: Command) -> io::Result<()> {
    let manual = Man::new(command)
        .title(name.to_uppercase())
        .manual("Meridian");
    let mut text = Vec::new();
    manual.render(&mut text)?;
    fs::write(out.join(format!("{name}.1")), text)
}
