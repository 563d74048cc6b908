//! The command line of `meridian bench`: parsing, `--help` and the manual page follow from it.

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::{Args, Subcommand, ValueEnum};

/// A part of the measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Part {
    /// a processor's own memory: stride and size, and chains of dependent reads
    Memory,
    /// another processor's memory: stride and size
    Remote,
    /// n gets or puts, then the wait for all
    Groups,
    /// bulk transfers of 8 bytes to 8 megabytes
    Bulk,
    /// overhead, latency and gap of each primitive
    Primitives,
    /// data that all processors move at once, and then use: what predictions of applications rest on
    Exchange,
    /// pointers-to-shared: arithmetic and access
    Pointers,
    /// the machine under Id90: forks, posts, fetches and stores
    Tam,
    /// puts and gets of 1 to 4096 bytes
    Small,
    /// EM3D in five versions, over the part of remote edges
    Em3d,
    /// four parallel sorts, by phases
    Sorts,
    /// the 24 Livermore kernels: translated C beside plain C
    Livermore,
    /// all shifts of a distributed array at once beside one at a time, gfortran's intrinsics and NumPy
    Shifts,
    /// stencils of distributed arrays and their halos, beside the memory's limit, OpenMP, Devito and MPI
    Stencils,
    /// operations on another host's memory, and those of all, beside MPI, with more threads than cores too
    Operations,
    /// collectives of 8 bytes to 1 megabyte within a host, beside MPI, with more threads than cores too
    Collectives,
    /// packets between two hosts by the conduits, beside a bare socket and libfabric
    Packets,
    /// em3d, sorts, livermore, nas, kernels; triad, RandomAccess, histogram, gather, transpose, stencils
    Applications,
    /// NAS's EP, IS, CG, MG and FT, beside the same programs in OpenMP and MPI
    Nas,
    /// sparse products, searches of graphs and trees, blocks-in-a-box and a wavefront, beside OpenMP and MPI
    Kernels,
    /// loops over shared arrays in plain upc_forall, beside OpenMP, MPI and copies by hand
    Loops,
    /// gathers, scatters and updates by indices in plain upc_forall, beside buffers by hand
    Irregular,
    /// Id programs beside C and Haskell, on several processors, and by what the abstract machine does
    Id90,
    /// copies and atomics of other systems that are installed here, beside Meridian's
    Peers,
    /// kernels of each dialect against plain C; takes longest
    PlainC,
}

impl Part {
    /// The parts that `applications` stands for, besides the small ones that have its name.
    const APPLICATIONS: [Part; 5] = [Part::Em3d, Part::Sorts, Part::Livermore, Part::Nas, Part::Kernels];

    /// Returns the name on the command line, in the probes and in the results.
    pub fn name(self) -> &'static str {
        static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
            let values = Part::value_variants().iter().filter_map(Part::to_possible_value);
            values.map(|value| value.get_name().to_string()).collect()
        });
        &NAMES[self as usize]
    }
}

/// How remote memory is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Conduit {
    /// loads and stores: the processors share memory
    Smp,
    /// active messages between processes of one host (MERIDIAN_REFERENCE=1)
    Am,
    /// two hosts over TCP
    Tcp,
    /// two hosts over libfabric
    Ofi,
}

impl Conduit {
    /// Returns the name on the command line and in the results.
    pub fn name(self) -> &'static str {
        match self {
            Conduit::Smp => "smp",
            Conduit::Am => "am",
            Conduit::Tcp => "tcp",
            Conduit::Ofi => "ofi",
        }
    }

    /// Whether it connects hosts.
    pub fn between_hosts(self) -> bool {
        matches!(self, Conduit::Tcp | Conduit::Ofi)
    }
}

/// A class of NAS's, and of the kernels': how large the problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Class {
    /// a sample: tenths of a second
    #[value(name = "S", alias = "s")]
    S,
    /// a workstation's: up to some seconds
    #[value(name = "W", alias = "w")]
    W,
    /// up to a minute
    #[value(name = "A", alias = "a")]
    A,
}

impl Class {
    /// Returns the name in the programs, on the command line and in the results.
    pub fn name(self) -> &'static str {
        match self {
            Class::S => "S",
            Class::W => "W",
            Class::A => "A",
        }
    }
}

/// `meridian bench`.
#[derive(Args, Clone, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Options {
    /// What to do with results; without it, measure
    #[command(subcommand)]
    pub action: Option<Action>,
    /// What to measure
    #[command(flatten)]
    pub measure: Measure,
}

/// What is done with files of results.
#[derive(Clone, Debug, Subcommand)]
pub enum Action {
    /// Say which points of B are slower or faster than those of A; exit code 1 if any is slower
    Compare(Compare),
    /// Find the settings of the runtime that pay on this machine, and write them as its profile
    Tune(Tune),
}

/// Tuning.
#[derive(Args, Clone, Debug)]
pub struct Tune {
    /// Passes over the values of each setting
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub passes: u32,

    /// The conduit between hosts to tune for: tcp or ofi; without it the one that jobs use here
    #[arg(long, value_name = "CONDUIT", value_enum)]
    pub conduit: Option<Conduit>,

    /// The two hosts to tune for, named as for `meridian run -H`; without it this host twice
    #[arg(short = 'H', long, value_name = "HOSTS")]
    pub hosts: Option<String>,

    /// The profile; without it where `meridian run` looks for it
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Measuring.
#[derive(Args, Clone, Debug, Default)]
pub struct Measure {
    /// What to measure; without it everything
    #[arg(value_name = "PART", value_enum)]
    pub parts: Vec<Part>,

    /// Fewer points and rounds: ends within a minute
    #[arg(long)]
    pub quick: bool,

    /// The two hosts of the conduits tcp and ofi, named as for `meridian run -H`; without it this host twice
    #[arg(short = 'H', long, value_name = "HOSTS")]
    pub hosts: Option<String>,

    /// How remote memory is reached, several separated by commas; without it every way that there is
    #[arg(long = "conduit", value_name = "CONDUIT", value_enum, value_delimiter = ',')]
    pub conduits: Vec<Conduit>,

    /// Threads of the probes within a host, 2 to 32: with more than cores they show what sharing them costs
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = threads)]
    pub threads: usize,

    /// Passes over all programs; without it 4, with --quick 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub passes: Option<u32>,

    /// Rounds over the points in each run of a program; without it 3, of plain-c 15
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10000))]
    pub rounds: Option<u32>,

    /// The file of results; without it bench-HOST-DATE.jsonl in the current directory
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Print the results on standard output, as the file has them, in place of the tables
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,

    /// Print every sample on standard output as comma-separated values, in place of the tables
    #[arg(long)]
    pub csv: bool,

    /// Of nas, kernels, loops and irregular, these classes, several separated by commas; without it W, with
    /// --quick S
    #[arg(long = "class", value_name = "CLASS", value_enum, value_delimiter = ',')]
    pub classes: Vec<Class>,

    /// Of kernels: the matrix of the sparse product, a file in the coordinate form of Matrix Market, on each
    /// host; without it one of finite elements
    #[arg(long, value_name = "FILE")]
    pub matrix: Option<PathBuf>,

    /// Of plain-c and id90, only these programs, separated by commas
    #[arg(long = "program", value_name = "NAME", value_delimiter = ',')]
    pub programs: Vec<String>,

    /// Of plain-c, this level of optimisation alone: 2 or 3
    #[arg(short = 'O', value_name = "LEVEL", value_parser = ["2", "3"])]
    pub optimise: Option<String>,

    /// Sources of the probes; without it those that are installed with Meridian
    #[arg(long, value_name = "DIR")]
    pub sources: Option<PathBuf>,
}

impl Measure {
    /// Whether a part is to be measured: if it is named, or is an application and those are named together,
    /// or if nothing is named. EM3D takes minutes over a slow conduit, the loops and the kernels of plain-c
    /// are compiled dozens of times, and shifts take long with more processes than cores, so --quick measures
    /// these only if they are named.
    pub fn wants(&self, part: Part) -> bool {
        let among = Part::APPLICATIONS.contains(&part) && self.parts.contains(&Part::Applications);
        let long = matches!(
            part,
            Part::Em3d
                | Part::Loops
                | Part::Irregular
                | Part::Shifts
                | Part::Stencils
                | Part::Operations
                | Part::Packets
                | Part::Collectives
                | Part::Id90
                | Part::PlainC
        );
        let all = self.parts.is_empty() && !(self.quick && long);
        self.parts.contains(&part) || among || all
    }

    /// Whether everything is to be measured within a minute, unless passes or rounds say otherwise.
    pub fn is_minute(&self) -> bool {
        self.quick && self.parts.is_empty()
    }

    /// Returns the classes of nas, kernels, loops and irregular that are to be measured.
    pub fn classes(&self) -> Vec<Class> {
        match (self.classes.is_empty(), self.quick) {
            (true, true) => vec![Class::S],
            (true, false) => vec![Class::W],
            (false, _) => {
                let mut classes = self.classes.clone();
                classes.sort();
                classes.dedup();
                classes
            }
        }
    }
}

/// Comparing.
#[derive(Args, Clone, Debug)]
pub struct Compare {
    /// Results of `meridian bench`: what was before
    #[arg(value_name = "A")]
    pub before: PathBuf,

    /// Results of `meridian bench`: what is now
    #[arg(value_name = "B")]
    pub after: PathBuf,

    /// Smaller changes than this many per cent are not named
    #[arg(long, value_name = "PERCENT", default_value_t = 10.0, value_parser = percent)]
    pub threshold: f64,
}

fn threads(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(value) if (2..=32).contains(&value) => Ok(value),
        _ => Err(String::from("a number of threads from 2 to 32")),
    }
}

fn percent(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..1e6).contains(&value) => Ok(value),
        _ => Err(String::from("a percentage from 0 on")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_command_line() {
        let of = |part: Part| (part.name(), Part::from_str(part.name(), false));
        for (part, name) in [(Part::Memory, "memory"), (Part::Id90, "id90"), (Part::PlainC, "plain-c")] {
            assert_eq!(of(part), (name, Ok(part)));
        }
    }
}
