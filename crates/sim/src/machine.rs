//! The simulated machine: LogGP, and a topology.
//!
//! LogGP (Alexandrov, Ionescu, Schauser and Scheiman, 1995) describes a machine by its latency L, the
//! overhead o of a processor for each message that it sends or receives, the gap g between the starts of
//! consecutive messages at a processor, the gap G of each further byte of a long message, and the number P
//! of processors. Times are whole picoseconds, so that results are exact and the same on every machine.

use anyhow::{Result, ensure};

use crate::topology::Topology;

/// A time, or a length of time, in picoseconds.
pub type Time = u64;

/// The longest time that a process may run (46 days). A message's own time stays below a quarter of this
/// limit (`LogGp::check`), so sums of times never overflow.
pub const LIMIT: Time = 4_000_000_000_000_000_000;

/// The longest message.
pub const LONGEST: u64 = 1 << 40;

/// The most processors.
pub const MOST: u32 = 1 << 24;

/// The parameters, in picoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogGp {
    /// L, between processors with one switch between them
    pub latency: Time,
    /// o
    pub overhead: Time,
    /// g
    pub gap: Time,
    /// G
    pub byte: Time,
    /// The addition to L for each further switch on the way.
    pub hop: Time,
}

impl LogGp {
    /// # Errors
    /// If a parameter is out of its range.
    pub fn check(&self) -> Result<()> {
        let second = 1_000_000_000_000;
        for (name, value, most, text) in [
            ("--latency", self.latency, 1000 * second, "1000 s"),
            ("--overhead", self.overhead, 1000 * second, "1000 s"),
            ("--gap", self.gap, 1000 * second, "1000 s"),
            ("--byte", self.byte, second / 2_000_000, "500 ns"),
            ("--hop", self.hop, second / 1000, "1 ms"),
        ] {
            ensure!(value <= most, "{name} is more than {text}, the greatest value");
        }
        Ok(())
    }
}

/// A machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// The parameters.
    pub loggp: LogGp,
    /// The distances between processors.
    pub topology: Topology,
}

impl Machine {
    /// The time that the bytes of a message take after the first: (k - 1)G.
    pub fn transfer(&self, bytes: u64) -> Time {
        bytes.saturating_sub(1) * self.loggp.byte
    }

    /// The latency between two processors.
    pub fn latency(&self, from: u32, to: u32) -> Time {
        self.loggp.latency + u64::from(self.topology.switches(from, to) - 1) * self.loggp.hop
    }
}

/// Reads a time as users write it: a number and `ps`, `ns`, `us`, `ms` or `s`; a number alone is nanoseconds.
///
/// # Errors
/// If the text is no time, negative, or more than 10^6 seconds.
pub fn time(text: &str) -> Result<Time, String> {
    let wrong = || format!("`{text}` is no time; write 1.5us, or another number with ps, ns, us, ms or s");
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let factor = match &text[digits..] {
        "ps" => 1.0,
        "ns" | "" => 1e3,
        "us" | "µs" => 1e6,
        "ms" => 1e9,
        "s" => 1e12,
        _ => return Err(wrong()),
    };
    let value: f64 = text[..digits].parse().map_err(|_| wrong())?;
    let picoseconds = (value * factor).round();
    if picoseconds <= 1e18 {
        Ok(picoseconds as Time)
    } else {
        Err(format!("{text} is more than 10^6 seconds"))
    }
}

/// Reads a number of bytes as users write it: `64`, `8K`, `1M`, `2G`, by powers of 1024.
///
/// # Errors
/// If the text is no number of bytes, or more than a message may have.
pub fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is no number of bytes; write 64, 8K, 1M or 2G, up to 1024G");
    let (digits, shift) = match text.strip_suffix(['K', 'M', 'G']) {
        Some(digits) => (digits, [10, 20, 30]["KMG".find(&text[digits.len()..]).unwrap_or(0)]),
        None => (text, 0),
    };
    let value: u64 = digits.parse().map_err(|_| wrong())?;
    value.checked_shl(shift).filter(|n| *n <= LONGEST && *n >> shift == value).ok_or_else(wrong)
}

/// Formats a time for the user.
pub fn text(time: Time) -> String {
    let ns = time as f64 / 1e3;
    let (value, unit) = match ns {
        ns if ns < 1e3 => (ns, "ns"),
        ns if ns < 1e6 => (ns / 1e3, "µs"),
        ns if ns < 1e9 => (ns / 1e6, "ms"),
        ns => (ns / 1e9, "s"),
    };
    format!("{value:.3} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_read() {
        assert_eq!(time("1.5us"), Ok(1_500_000));
        assert_eq!(time("7"), Ok(7_000));
        assert_eq!(time("0.5ns"), Ok(500));
        assert_eq!(time("2s"), Ok(2_000_000_000_000));
        assert_eq!(bytes("8K"), Ok(8192));
        assert_eq!(bytes("3"), Ok(3));
        assert_eq!(bytes("1024G"), Ok(LONGEST));
        for wrong in ["", "-1us", "1h", "us", "1e9s", "9999999s", "1.2.3s"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "-1", "1.5K", "K", "1T", "1025G", "99999999999999G"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_are_shown_with_their_unit() {
        assert_eq!(text(1_500), "1.500 ns");
        assert_eq!(text(1_500_000_000), "1.500 ms");
    }
}
