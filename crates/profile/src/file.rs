//! The file of a profile: JSON in the trace-event format, which Perfetto opens, with the costs of the lines
//! under the key `meridian`, which Perfetto ignores.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::part;
use crate::record::{FORMAT, Machine, Profile};
use crate::trace::Event;

/// Writes the file as a whole or not at all.
pub fn write(file: &Path, profile: &Profile, events: &[Event]) -> Result<()> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Document<'a> {
        meridian: &'a Profile,
        display_time_unit: &'static str,
        trace_events: &'a [Event],
    }
    let document = Document { meridian: profile, display_time_unit: "ns", trace_events: events };
    let mut new = file.as_os_str().to_os_string();
    new.push(".new");
    let written =
        std::fs::write(&new, serde_json::to_vec(&document)?).and_then(|()| std::fs::rename(&new, file));
    if written.is_err() {
        let _ = std::fs::remove_file(&new);
    }
    written.with_context(|| format!("cannot write {}", file.display()))
}

/// Reads a file of [`write()`].
pub fn read(file: &Path) -> Result<Profile> {
    let bytes = std::fs::read(file)
        .map_err(|error| anyhow!("cannot read {}: {}", file.display(), launch::explain(&error)))?;
    parse(&bytes).with_context(|| file.display().to_string())
}

/// Returns the profile in the bytes of a file.
pub fn parse(bytes: &[u8]) -> Result<Profile> {
    if bytes.is_empty() || part::is(bytes) {
        bail!("the job has not ended, or `meridian run` was killed before it could finish the profile");
    }
    let document: Value = serde_json::from_slice(bytes).map_err(|error| {
        if error.is_eof() {
            anyhow!("the profile is cut off")
        } else {
            anyhow!("not a profile of meridian run --profile")
        }
    })?;
    let Some(profile) = document.get("meridian") else { bail!("not a profile of meridian run --profile") };
    if profile["format"].as_u64() != Some(FORMAT) {
        bail!(
            "a profile of another version of Meridian ({}): use that version, or run the program again",
            profile["version"].as_str().unwrap_or("unknown")
        );
    }
    let profile = Profile::deserialize(profile).context("the profile is damaged")?;
    if profile.lines.iter().any(|line| line.file.is_some_and(|file| file >= profile.files.len())) {
        bail!("the profile is damaged: a line without a file");
    }
    let whole = |tam: &Machine| tam.counters.iter().all(|counter| counter.of.len() == tam.processors.len());
    if !profile.tam.iter().all(whole) {
        bail!("the profile is damaged: a counter without its processors");
    }
    Ok(profile)
}
