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

    /// Number of threads, up to 16777216; several, as in `2,4,8` or `2..1024` (doubling), show the scaling.
    /// Without it as many as the file says
    #[arg(short = 'n', long, value_name = "N", value_parser = threads)]
    pub threads: Option<Threads>,

    /// L, the latency of a message, as in `5us`; without it the machine profile's. A number alone is
    /// nanoseconds
    #[arg(short = 'L', long, value_name = "TIME", value_parser = time, allow_negative_numbers = true)]
    pub latency: Option<Time>,

    /// o, what a processor spends on sending or receiving a message
    #[arg(short = 'o', long, value_name = "TIME", value_parser = time, allow_negative_numbers = true)]
    pub overhead: Option<Time>,

    /// g, the time between the starts of two messages of a processor
    #[arg(short = 'g', long, value_name = "TIME", value_parser = time, allow_negative_numbers = true)]
    pub gap: Option<Time>,

    /// G, the time of each further byte
    #[arg(short = 'G', long, value_name = "TIME", value_parser = time, allow_negative_numbers = true)]
    pub byte: Option<Time>,

    /// What each switch after the first adds to L
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "0", allow_negative_numbers = true)]
    pub hop: Time,

    /// crossbar, mesh2, mesh3, torus2, torus3 (with sizes as in torus3:8x8x4) or fat-tree (fat-tree:16, the
    /// children of a switch)
    #[arg(short = 't', long, value_name = "NAME", default_value = "crossbar")]
    pub topology: String,

    /// The conduit whose parameters in the machine profile are taken
    #[arg(long, value_name = "NAME", default_value = "tcp")]
    pub conduit: String,

    /// The machine profile; without it that of this machine (`meridian bench tune`)
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,

    /// How computing in a trace changes with the number of threads
    #[arg(long, value_enum, default_value = "weak")]
    pub scaling: Scaling,

    /// Cores that the threads share: with more threads than cores computing takes longer in proportion
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST)))]
    pub cores: Option<u32>,

    /// What a core takes to go from one thread to another; with --cores and more threads than cores, each
    /// barrier and collective of a trace waits for all threads of a core. Without it the machine profile's
    /// for the conduit smp, else nothing
    #[arg(long, value_name = "TIME", value_parser = time, allow_negative_numbers = true)]
    pub switch: Option<Time>,

    /// What that grows by when four threads of a core become eight, eight become sixteen, and so on. Without
    /// it the machine profile's, or nothing where --switch is given
    #[arg(long, value_name = "TIME", value_parser = time, allow_negative_numbers = true)]
    pub switch_growth: Option<Time>,

    /// Other recordings of the same program, several separated by commas: what they took stands beside what
    /// is predicted for as many threads
    #[arg(long, value_name = "FILE", value_delimiter = ',')]
    pub measured: Vec<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,

    /// Draw the predicted time over the number of threads into this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// List so many processes (16 and fewer are all listed) and links of the critical path
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
