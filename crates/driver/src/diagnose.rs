//! Which diagnostics the user sees, and whether they stop the compilation.

use crate::options::Options;
use base::{Diagnostic, Severity, Source};
use std::io::IsTerminal;

/// Prints the diagnostics that the options let through; true where there is an error among them.
pub fn report(mut diagnostics: Vec<Diagnostic>, source: &Source, options: &Options) -> bool {
    diagnostics.retain(|d| {
        d.severity == Severity::Error
            || !(options.no_warnings || options.silenced.iter().any(|name| name == d.code.flag()))
    });
    // Warnings about system headers are not the user's to mend.
    diagnostics.retain(|d| d.severity == Severity::Error || !source.presumed(d.span.lo).system);
    for d in diagnostics.iter_mut().filter(|d| options.errors.iter().any(|name| name == d.code.flag())) {
        d.severity = Severity::Error;
    }
    if options.warnings_are_errors {
        diagnostics.iter_mut().for_each(|d| d.severity = Severity::Error);
    }
    if diagnostics.is_empty() {
        return false;
    }
    let color = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    base::say::error(format_args!(
        "{}",
        base::render::render_some(&diagnostics, source, color, options.most_errors)
    ));
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}
