//! Selects the diagnostics that the user sees, and decides whether they stop the compilation.

use crate::options::{Format, Options};
use crate::{Failure, sarif};
use base::{Diagnostic, Severity, Source};
use std::io::IsTerminal;

/// Prints the diagnostics that the options admit. Returns true if there is an error among them.
pub fn report(mut diagnostics: Vec<Diagnostic>, source: &Source, options: &Options) -> bool {
    diagnostics.retain(|d| {
        d.severity != Severity::Warning
            || !(options.no_warnings || options.silenced.iter().any(|name| name == d.code.flag()))
    });
    // The user cannot correct warnings about system headers.
    diagnostics.retain(|d| d.severity != Severity::Warning || !source.presumed(d.span.lo).system);
    for d in diagnostics.iter_mut().filter(|d| options.errors.iter().any(|name| name == d.code.flag())) {
        d.severity = Severity::Error;
    }
    if options.warnings_are_errors {
        let warnings = diagnostics.iter_mut().filter(|d| d.severity == Severity::Warning);
        warnings.for_each(|d| d.severity = Severity::Error);
    }
    if diagnostics.is_empty() {
        return false;
    }
    let terminal = std::io::stderr().is_terminal();
    let color = options.color.unwrap_or(terminal && std::env::var_os("NO_COLOR").is_none());
    let format = options.format.unwrap_or(if terminal { Format::Text } else { Format::Line });
    let text = match format {
        Format::Text => base::render::render_some(&diagnostics, source, color, options.most_errors),
        Format::Line => base::render::render_lines(&diagnostics, source, options.most_errors),
        Format::SarifStderr | Format::SarifFile => {
            sarif::add(&diagnostics, source);
            String::new()
        }
    };
    base::say::error(format_args!("{text}"));
    base::has_errors(&diagnostics)
}

/// Writes the log, if the diagnostics are wanted as SARIF, after all files have been compiled.
///
/// # Errors
/// When its file cannot be written.
pub fn finish(options: &Options) -> Result<(), Failure> {
    match options.format {
        Some(Format::SarifStderr) => base::say::error(format_args!("{}", sarif::log())),
        Some(Format::SarifFile) => {
            let path = options.sarif_file();
            std::fs::write(&path, sarif::log())
                .map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        }
        _ => {}
    }
    Ok(())
}
