//! Profiles of programs by source line, for `meridian run --profile` and `meridian profile`.
//!
//! The threads of a job write the costs of their calls of the runtime, by the address to which a call returns
//! (`part` reads them). When the job has ended, [`finish`] maps the addresses to lines by the debugger's line
//! table (`lines`), sums up the counters of the processors of an Id90 program (`processors`), and so makes
//! the profile (`record`). Its `file` is JSON, which includes the text of the sources at that time. Perfetto
//! opens the file, too, since it has the longest calls as trace events (`trace`). `show` formats the profile
//! as text and as a page.
//!
//! The file is self-contained. So a profile can be read on another machine, and after the program has been
//! compiled again or its source has been changed, with a warning in the second case.

mod file;
mod lines;
mod options;
mod part;
mod processors;
mod record;
mod show;
#[cfg(test)]
mod tests;
mod trace;

pub use options::Options;

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use base::say;

use record::Profile;
use show::{page, text};

/// Carries out `meridian profile`, and returns the exit code.
pub fn run(options: &Options) -> i32 {
    match show(options) {
        Ok(()) => 0,
        Err(error) => {
            say::error(format_args!("meridian profile: {error:#}\n"));
            1
        }
    }
}

fn show(options: &Options) -> Result<()> {
    let profile = file::read(&options.file)?;
    let warnings = warnings(&profile);
    for warning in &warnings {
        say::error(format_args!("meridian profile: {warning}\n"));
    }
    if let Some(to) = &options.html {
        let page = page::html(&profile, &warnings);
        std::fs::write(to, page).with_context(|| format!("cannot write {}", to.display()))?;
    }
    if options.json {
        say::out(format_args!("{}\n", serde_json::to_string_pretty(&profile)?));
    } else if options.html.is_none() {
        say::out(format_args!("{}", text::report(&profile, options.whole)));
    }
    Ok(())
}

/// The warnings for the reader of a profile.
fn warnings(profile: &Profile) -> Vec<String> {
    let mut all = Vec::new();
    if !profile.missing.is_empty() {
        let numbers: Vec<_> = profile.missing.iter().map(u32::to_string).collect();
        all.push(format!("thread {} died, and its costs are not known", numbers.join(", ")));
    }
    for file in &profile.files {
        let now = std::fs::read(&file.path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        if file.newer {
            all.push(format!(
                "{} was changed after the program was compiled: lines may be wrong. Compile and run the program \
                 again",
                file.path
            ));
        } else if file.text.is_some() && now.is_some() && now != file.text {
            all.push(format!(
                "{} has been changed since the run; the profile shows the text of that time",
                file.path
            ));
        }
    }
    if profile.lacks_lines() {
        all.push(
            "some calls have no line: the program was stripped or compiled with -g0, or they come from a file that \
             meridian cc did not compile, which needs -g"
                .into(),
        );
    }
    all
}

/// Replaces the parts that the threads of a job have written to `file` by the profile, after the job.
/// `command` is the program and its arguments.
///
/// # Errors
/// If no thread has written a part, which removes the file, or if the file cannot be read or written.
pub fn finish(file: &Path, command: &[String], version: &str) -> Result<()> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let parts = part::read(&bytes);
    if parts.as_ref().is_ok_and(Vec::is_empty) {
        let _ = std::fs::remove_file(file);
        bail!("no thread has left a profile: all have died, or the program was not linked by meridian cc");
    }
    let parts = parts.with_context(|| file.display().to_string())?;
    ensure!(parts.iter().all(|part| part.threads == parts[0].threads), "the parts are of different jobs");
    let (profile, places) = lines::profile(&parts, command, version);
    let events = trace::events(&parts, &profile, &places);
    file::write(file, &profile, &events)
}
