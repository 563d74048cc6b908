//! The machine profile: settings of the runtime that were measured to pay on this machine, and its
//! parameters.
//!
//! `meridian bench tune` writes it. `meridian run` reads it, and passes its settings to the program as
//! environment variables, unless the user has set these. Its path is `MERIDIAN_PROFILE` (`none` for no
//! profile), else `meridian/machine.toml` below `$XDG_CONFIG_HOME` or `~/.config`. Without one the defaults
//! apply. A home that several machines share has one file: a profile of another processor is ignored.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::machine::Machine;
use crate::parameters::Parameters;
use crate::tunables::{Jobs, TUNABLES};

/// The version of the file's form.
pub const VERSION: u32 = 1;

/// The machine of a profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Of {
    /// The host's name, for the reader; it is not compared.
    pub host: String,
    /// The processor's name.
    pub processor: String,
    /// The number of cores.
    pub cores: usize,
}

/// A machine profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Profile {
    /// `VERSION`
    pub version: u32,
    /// The time of the measurement.
    pub date: String,
    /// Meridian's version.
    pub meridian: String,
    /// The machine of the measurement.
    pub machine: Of,
    /// Settings of jobs on one host.
    #[serde(default)]
    pub one_host: BTreeMap<String, i64>,
    /// Settings of jobs on one host with more threads than cores.
    #[serde(default)]
    pub oversubscribed: BTreeMap<String, i64>,
    /// Settings of jobs on several hosts.
    #[serde(default)]
    pub several_hosts: BTreeMap<String, i64>,
    /// LogGP parameters, by conduit.
    #[serde(default)]
    pub loggp: BTreeMap<String, Parameters>,
}

/// Whether a profile is in force, and if not, why.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// The profile is in force.
    InForce(PathBuf, Profile),
    /// There is a profile, of another machine.
    OfAnother(PathBuf, String),
    /// There is none; the path that it would have, if that can be told.
    None(Option<PathBuf>),
}

/// Returns the path of a profile, whether it exists or not. Returns `None` if there is no place for one, or
/// the user wants none.
pub fn path() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    match variable("MERIDIAN_PROFILE") {
        Some(name) if name == "none" => None,
        Some(name) => Some(name.into()),
        None => {
            let home = || variable("HOME").map(|home| Path::new(&home).join(".config"));
            let configuration = variable("XDG_CONFIG_HOME").map(PathBuf::from).or_else(home)?;
            Some(configuration.join("meridian/machine.toml"))
        }
    }
}

/// Looks for the profile of this machine.
///
/// # Errors
/// If the profile is invalid, or `MERIDIAN_PROFILE` names a file that cannot be read.
pub fn find() -> Result<Found> {
    let Some(path) = path() else { return Ok(Found::None(None)) };
    let named = std::env::var_os("MERIDIAN_PROFILE").is_some_and(|name| !name.is_empty());
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !named => {
            return Ok(Found::None(Some(path)));
        }
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read the machine profile {}", path.display()));
        }
    };
    let profile = parse(&text, &path.display().to_string())?;
    let here = Machine::here();
    if profile.machine.processor != here.processor || profile.machine.cores != here.cores {
        let of = format!("{}, {} cores", profile.machine.processor, profile.machine.cores);
        return Ok(Found::OfAnother(path, of));
    }
    Ok(Found::InForce(path, profile))
}

/// Reads a profile's text; `name` is the name of the file in messages.
///
/// # Errors
/// If it is not TOML, of another version, or has an unknown setting, a value out of its range, or a parameter
/// that is not a time.
pub fn parse(text: &str, name: &str) -> Result<Profile> {
    let mend = "mend it, remove it, or write a new one by `meridian bench tune`";
    let table: toml::Table = match text.parse() {
        Ok(table) => table,
        Err(error) => bail!("{name} is no machine profile ({mend}): {error}"),
    };
    match table.get("version").and_then(toml::Value::as_integer) {
        Some(version) if version == i64::from(VERSION) => {}
        Some(version) => bail!("{name} is a machine profile of version {version}, not {VERSION}: {mend}"),
        None => bail!("{name} is no machine profile, as it has no version: {mend}"),
    }
    let profile: Profile = match toml::from_str(text) {
        Ok(profile) => profile,
        Err(error) => bail!("{name} has an error ({mend}): {error}"),
    };
    for (setting, value) in Jobs::ALL.into_iter().flat_map(|jobs| profile.settings(jobs)) {
        let Some(tunable) = TUNABLES.iter().find(|tunable| tunable.name == setting) else {
            let names: Vec<&str> = TUNABLES.iter().map(|tunable| tunable.name).collect();
            bail!("{name}: there is no setting `{setting}` of a profile, but {}: {mend}", names.join(", "));
        };
        ensure!(
            (tunable.least..=tunable.most).contains(value),
            "{name}: {setting} is {value}, but has to be from {} to {}: {mend}",
            tunable.least,
            tunable.most
        );
    }
    for (conduit, parameters) in &profile.loggp {
        if let Some((parameter, value)) = parameters.all().find(|(_, value)| !(0.0..1e12).contains(value)) {
            bail!("{name}: {parameter} of {conduit} is {value} ns, but has to be from 0 to 1e12: {mend}");
        }
    }
    Ok(profile)
}

impl Profile {
    /// Returns the file's text.
    pub fn text(&self) -> String {
        let toml = toml::to_string(self).expect("its keys are strings");
        format!(
            "# What was measured to pay on this machine; written by `meridian bench tune`, read by `meridian run`.\n\
             # A setting here is the variable MERIDIAN_..., unless that is set; MERIDIAN_PROFILE=none ignores all.\n\
             {toml}"
        )
    }

    /// Returns the settings of a kind of jobs.
    pub fn settings(&self, jobs: Jobs) -> &BTreeMap<String, i64> {
        match jobs {
            Jobs::OneHost => &self.one_host,
            Jobs::Oversubscribed => &self.oversubscribed,
            Jobs::SeveralHosts => &self.several_hosts,
        }
    }

    /// Returns the settings of a kind of jobs, to be changed.
    pub fn settings_mut(&mut self, jobs: Jobs) -> &mut BTreeMap<String, i64> {
        match jobs {
            Jobs::OneHost => &mut self.one_host,
            Jobs::Oversubscribed => &mut self.oversubscribed,
            Jobs::SeveralHosts => &mut self.several_hosts,
        }
    }

    /// Returns the variables of a kind of jobs.
    pub fn variables(&self, jobs: Jobs) -> Vec<(String, String)> {
        let variable = |(name, value): (&String, &i64)| (format!("MERIDIAN_{name}"), value.to_string());
        self.settings(jobs).iter().map(variable).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Stores;

    fn profile() -> Profile {
        Profile {
            version: VERSION,
            date: "2026-11-22T00:00:00Z".into(),
            meridian: "0".into(),
            machine: Of { host: "h".into(), processor: "p".into(), cores: 2 },
            one_host: BTreeMap::from([("SPIN".into(), 100)]),
            oversubscribed: BTreeMap::from([("YIELDS".into(), 2)]),
            several_hosts: BTreeMap::from([("BULK".into(), 16384)]),
            loggp: BTreeMap::from([(
                "tcp".into(),
                Parameters {
                    overhead: 1.0,
                    latency: 2.5,
                    gap: 3.0,
                    byte: 0.5,
                    switch: Some(1500.0),
                    switch_growth: Some(300.0),
                    stores: Some(Stores { overhead: 1.0, gap: 2.0, sync: 3.0, bulk: 4.0, byte: 0.25 }),
                },
            )]),
        }
    }

    fn refusal(from: &str, to: &str) -> String {
        let text = profile().text();
        assert!(text.contains(from), "{text}");
        parse(&text.replace(from, to), "m.toml").unwrap_err().to_string()
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(parse(&profile().text(), "m").unwrap(), profile());
        assert_eq!(profile().variables(Jobs::OneHost), [("MERIDIAN_SPIN".into(), "100".into())]);
        assert_eq!(profile().variables(Jobs::Oversubscribed), [("MERIDIAN_YIELDS".into(), "2".into())]);
        assert_eq!(profile().variables(Jobs::SeveralHosts), [("MERIDIAN_BULK".into(), "16384".into())]);
    }

    /// A damaged profile is refused with its name, or its numbers are usable.
    #[test]
    fn damaged_profiles_are_refused_or_sound() {
        let text = profile().text().into_bytes();
        let mut random = 1u64;
        let mut next = |most: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % most
        };
        for _ in 0..5_000 {
            let mut damaged = text.clone();
            for _ in 0..=next(3) {
                let at = next(damaged.len());
                match next(4) {
                    0 => damaged.truncate(at.max(1)),
                    1 => drop(damaged.remove(at)),
                    2 => damaged[at] = b"-=.[]\"0987einf\n#\xff"[next(17)],
                    _ => damaged.extend_from_within(at..),
                }
            }
            match parse(&String::from_utf8_lossy(&damaged), "m.toml") {
                Err(error) => assert!(format!("{error:#}").contains("m.toml"), "{error:#}"),
                Ok(profile) => assert_eq!(parse(&profile.text(), "m.toml").unwrap(), profile),
            }
        }
    }

    #[test]
    fn nonsense_is_named() {
        for (from, to, expected) in [
            ("SPIN = 100", "SPIN = -1", "SPIN is -1, but has to be from 0 to"),
            ("SPIN = 100", "SPON = 100", "no setting `SPON`"),
            ("SPIN = 100", "SPIN = \"lots\"", "expected i64"),
            ("SPIN = 100", "SPIN = ", "no machine profile"),
            ("version = 1", "version = 7", "version 7, not 1"),
            ("version = 1", "", "no version"),
            ("[one-host]", "[no-host]", "no-host"),
            ("YIELDS = 2", "YIELDS = -2", "YIELDS is -2, but has to be from 0 to"),
            ("sync = 3.0", "sink = 3.0", "sink"),
            ("latency = 2.5", "latency = -2.5", "latency of tcp is -2.5 ns"),
            ("switch = 1500.0", "switch = nan", "switch of tcp is NaN ns"),
            ("switch_growth = 300.0", "switch_growth = -1.0", "switch_growth of tcp is -1 ns"),
            ("sync = 3.0", "sync = inf", "stores.sync of tcp is inf ns"),
        ] {
            let why = refusal(from, to);
            assert!(why.contains("m.toml") && why.contains(expected) && why.contains("mend it"), "{why}");
        }
    }
}
