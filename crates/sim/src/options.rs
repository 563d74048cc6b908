//! The command line of `meridian sim`: parsing, `--help` and the manual page follow from it.

use std::path::PathBuf;

use clap::Args;

use crate::machine::{MOST, Time, time};
use crate::trace::Scaling;

/// `meridian sim`.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// A trace of `meridian run --record`, or a model
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Number of threads, up to 16777216; several numbers, as in `2,4,8` or `2..1024` (doubling), show the
    /// scaling. By default the number in the file
    #[arg(short = 'n', long, value_name = "N", value_parser = threads)]
    pub threads: Option<Threads>,

    /// L, the latency of a message, as in `5us`; a number alone is nanoseconds. By default L of the machine
    /// profile, and likewise for o, g and G
    #[arg(short = 'L', long, value_name = "TIME", value_parser = time, allow_negative_numbers = true)]
    pub latency: Option<Time>,

    /// o, the overhead: the time of a processor for sending or receiving a message
    #[arg(short = 'o', long, value_name = "TIME", value_parser = time, allow_negative_numbers = true)]
    pub overhead: Option<Time>,

    /// g, the gap: the time between the starts of two messages of a processor
    #[arg(short = 'g', long, value_name = "TIME", value_parser = time, allow_negative_numbers = true)]
    pub gap: Option<Time>,

    /// G, the gap per byte: the time of each byte after the first
    #[arg(short = 'G', long, value_name = "TIME", value_parser = time, allow_negative_numbers = true)]
    pub byte: Option<Time>,

    /// The addition to L for each switch after the first
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "0", allow_negative_numbers = true)]
    pub hop: Time,

    /// The network: crossbar, mesh2, mesh3, torus2, torus3 (with sizes as in torus3:8x8x4) or fat-tree (with
    /// the number of children of a switch, as in fat-tree:16)
    #[arg(short = 't', long, value_name = "NAME", default_value = "crossbar")]
    pub topology: String,

    /// The conduit whose parameters are read from the machine profile
    #[arg(long, value_name = "NAME", default_value = "tcp")]
    pub conduit: String,

    /// The machine profile; by default the profile of this machine (`meridian bench tune`)
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,

    /// The scaling of the computing time in a trace with the number of threads
    #[arg(long, value_enum, default_value = "weak")]
    pub scaling: Scaling,

    /// Number of cores that the threads share; with more threads than cores, computing takes longer in
    /// proportion
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST)))]
    pub cores: Option<u32>,

    /// The time of a core to switch between two threads; with --cores and more threads than cores, each
    /// barrier and collective of a trace waits for all threads of a core. By default the time in the machine
    /// profile for the conduit smp, else 0
    #[arg(long, value_name = "TIME", value_parser = time, allow_negative_numbers = true)]
    pub switch: Option<Time>,

    /// The growth of the time of --switch whenever the threads of a core double, from four to eight, from
    /// eight to sixteen, and so on. By default the growth in the machine profile, or 0 if --switch is given
    #[arg(long, value_name = "TIME", value_parser = time, allow_negative_numbers = true)]
    pub switch_growth: Option<Time>,

    /// Other recordings of the same program, separated by commas: their measured times are printed beside
    /// the times predicted for the same numbers of threads
    #[arg(long, value_name = "FILE", value_delimiter = ',')]
    pub measured: Vec<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,

    /// Draw the predicted time over the number of threads into this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Number of listed processes (16 or fewer are all listed), and of listed links of the critical path
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub rows: usize,
}

/// Numbers of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threads(pub Vec<u32>);

fn threads(text: &str) -> Result<Threads, String> {
    let wrong = || format!("expected numbers from 1 to {MOST}, as in 64, 2,4,8 or 2..1024");
    let number = |text: &str| text.parse().ok().filter(|n| (1..=MOST).contains(n)).ok_or_else(wrong);
    let mut numbers = Vec::new();
    for part in text.split(',') {
        match part.split_once("..") {
            None => numbers.push(number(part)?),
            Some((from, to)) => {
                let (from, to) = (number(from)?, number(to)?);
                let doubled = std::iter::successors(Some(from), |n| n.checked_mul(2).filter(|n| *n <= to));
                numbers.extend(doubled.filter(|n| *n <= to));
            }
        }
    }
    if numbers.is_empty() || !numbers.is_sorted_by(|a, b| a < b) {
        return Err(format!("{}, ascending", wrong()));
    }
    Ok(Threads(numbers))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_threads() {
        assert_eq!(threads("64"), Ok(Threads(vec![64])));
        assert_eq!(threads("2,4,9"), Ok(Threads(vec![2, 4, 9])));
        assert_eq!(threads("3..20"), Ok(Threads(vec![3, 6, 12])));
        assert_eq!(threads("16777216"), Ok(Threads(vec![MOST])));
        for wrong in ["", "0", "-1", "16777217", "4,2", "2,2", "8..4", "2..", "x"] {
            assert!(threads(wrong).is_err(), "{wrong}");
        }
    }
}
