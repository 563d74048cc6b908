//! The report: the results of `meridian bench` as one self-contained HTML page.
//!
//! From the bottom up:
//!
//! - `draw` makes an SVG drawing of a figure of lines and `ratios` one of ratios, and `section` sets either
//!   between its text and its data.
//! - `figures` is the table of the papers' figures that are redrawn, with their points and the papers' own
//!   numbers. The tables are those of the terminal (`bench::fit::sheets`).
//! - `summary` draws conclusions from them in plain language, and `page` assembles the page.
//!
//! The drawings are static; values appear under the pointer and at the keyboard's focus by CSS alone, so the
//! page needs no JavaScript.

pub mod draw;
mod figures;
mod page;
mod ratios;
mod section;
mod summary;

use std::path::PathBuf;

use anyhow::{Context, Result};
use base::say;
use bench::results::Results;

/// `meridian bench report`.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// Results of `meridian bench`
    #[arg(value_name = "RESULTS")]
    pub results: PathBuf,

    /// The page; without it the name of the results with `.html`
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Writes the page, and returns the exit code.
pub fn run(options: &Options) -> i32 {
    match write(options) {
        Ok(path) => {
            say::error(format_args!("meridian bench: the report is {}\n", path.display()));
            0
        }
        Err(error) => {
            say::error(format_args!("meridian bench: {error:#}\n"));
            1
        }
    }
}

fn write(options: &Options) -> Result<PathBuf> {
    let results = Results::read(&options.results)?;
    let path = options.output.clone().unwrap_or_else(|| options.results.with_extension("html"));
    let text = html(&results)?;
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

/// The page as text.
///
/// # Errors
/// If a figure cannot be drawn.
pub fn html(results: &Results) -> Result<String> {
    page::html(results)
}
