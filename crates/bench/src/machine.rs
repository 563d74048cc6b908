//! The description of the machine and the time in the results.

use std::process::Command;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

/// A machine, as the kernel describes it; missing values are empty or 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The name of the host.
    pub host: String,
    /// The processor.
    pub processor: String,
    /// The number of cores that this process may use.
    pub cores: usize,
    /// Bytes of memory.
    pub memory: u64,
    /// The kernel's release.
    pub kernel: String,
    /// The data caches of the first core as the kernel lists them: level and bytes.
    pub caches: Vec<(u32, u64)>,
}

impl Machine {
    /// Returns this machine.
    pub fn here() -> Machine {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default().trim().to_string();
        Machine {
            host: read("/proc/sys/kernel/hostname"),
            processor: field(&read("/proc/cpuinfo"), "model name").unwrap_or_default(),
            cores: cores(),
            memory: field(&read("/proc/meminfo"), "MemTotal").and_then(|text| bytes(&text)).unwrap_or(0),
            kernel: read("/proc/sys/kernel/osrelease"),
            caches: caches(&read),
        }
    }
}

/// Returns the number of cores that this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn caches(read: &dyn Fn(&str) -> String) -> Vec<(u32, u64)> {
    let of =
        |index: usize, name: &str| read(&format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{name}"));
    (0..8)
        .filter(|&index| matches!(of(index, "type").as_str(), "Data" | "Unified"))
        .filter_map(|index| Some((of(index, "level").parse().ok()?, bytes(&of(index, "size"))?)))
        .collect()
}

/// Returns the value of the first line `name : value`.
fn field(text: &str, name: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim().to_string())
    })
}

/// Returns `32K`, `1024 kB`, `8M` in bytes.
fn bytes(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match text[digits.len()..].trim().to_ascii_uppercase().chars().next() {
        None => 1,
        Some('K') => 1 << 10,
        Some('M') => 1 << 20,
        Some('G') => 1 << 30,
        Some(_) => return None,
    };
    Some(digits.parse::<u64>().ok()? * unit)
}

/// Returns the date and time in UTC, as `2026-11-22T07:30:00Z`.
pub fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

/// Returns the first line of the C compiler's `--version`, or its name if it prints none.
pub fn compiler(cc: &str) -> String {
    let mut words = cc.split_whitespace();
    let output = Command::new(words.next().unwrap_or("cc")).args(words).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().next().map_or_else(|| cc.to_string(), String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_as_the_kernel_writes_them() {
        assert_eq!(bytes("32K"), Some(32 << 10));
        assert_eq!(bytes("1024 kB"), Some(1 << 20));
        assert_eq!(bytes("512"), Some(512));
        assert_eq!(bytes("x"), None);
        assert_eq!(bytes("12 furlongs"), None);
    }

    #[test]
    fn the_first_of_several_fields_counts() {
        let text = "processor\t: 0\nmodel name\t: A: b\nprocessor\t: 1\nmodel name\t: C\n";
        assert_eq!(field(text, "model name").as_deref(), Some("A: b"));
        assert_eq!(field(text, "flags"), None);
    }
}
