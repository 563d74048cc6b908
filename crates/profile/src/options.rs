//! The command line of `meridian profile`: parsing, `--help` and the manual page follow from it.

use std::path::PathBuf;

use clap::Args;

/// `meridian profile`.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// A profile of `meridian run --profile`
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Write the costs and the sources as one HTML page
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Print the costs as JSON
    #[arg(long)]
    pub json: bool,

    /// Show the whole of each source, not only the lines around those that cost something
    #[arg(long, conflicts_with_all = ["json", "html"])]
    pub whole: bool,
}
