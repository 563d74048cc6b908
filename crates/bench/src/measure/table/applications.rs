//! Whole programs, and the same in OpenMP and MPI.
//!
//! Each program runs as a whole, with two threads or processes, in turn with its counterparts: on this host
//! (the conduit smp), and with one on each of two hosts (tcp, ofi), without OpenMP and with MPI over TCP. It
//! times itself without the making of its input, verifies its result, and prints both:
//!
//! ```text
//! ep: VERIFICATION SUCCESSFUL
//! time 0.123456 s, ...
//! ```
//!
//! The loops of the parts `loops` and `irregular` have counterparts in OpenMP, and in UPC with copies or
//! buffers by hand. Those of `loops` also have counterparts in MPI, and run under `--profile`, which gives
//! its price. Those of `irregular` between hosts are also compiled without optimisation; one round of these
//! is enough.

use super::{BETWEEN, NOT_AM, Output, Program};
use crate::measure::system::{AC, BY_HAND, MPI, OPENMP, PROFILED, System, UNOPTIMISED, UPC};
use crate::options::{Conduit, Part};

/// The sparse product, whose matrix may be a file of the user's.
pub const SPARSE: &str = "sparse product";

/// The parts that are measured here.
pub const PARTS: [Part; 4] = [Part::Nas, Part::Kernels, Part::Loops, Part::Irregular];

/// Part, name in the results, source in a dialect, source in C with OpenMP, and with MPI if `WITH_MPI` is
/// defined; and the loop in these files.
type Row = (&'static [Part], &'static str, &'static str, &'static str, &'static str);

const NAS: &[Part] = &[Part::Nas];
const KERNELS: &[Part] = &[Part::Kernels];
const LOOPS: &[Part] = &[Part::Loops];
const IRREGULAR: &[Part] = &[Part::Irregular];
const DENSE: [&str; 2] = ["loops/dense.upc", "loops/dense.c"];
const INDEXED: [&str; 2] = ["loops/irregular.upc", "loops/irregular.c"];

const ROWS: [Row; 22] = [
    (NAS, "EP", "../examples/nas/ep.upc", "nas/ep.c", ""),
    (NAS, "IS", "../examples/nas/is.upc", "nas/is.c", ""),
    (NAS, "CG", "../examples/nas/cg.upc", "nas/cg.c", ""),
    (NAS, "MG", "../examples/nas/mg.upc", "nas/mg.c", ""),
    (NAS, "FT", "../examples/nas/ft.upc", "nas/ft.c", ""),
    (KERNELS, SPARSE, "kernels/spmv.upc", "kernels/spmv.c", ""),
    (KERNELS, "graph search", "kernels/bfs.upc", "kernels/bfs.c", ""),
    (KERNELS, "wavefront", "kernels/wavefront.upc", "kernels/wavefront.c", ""),
    (KERNELS, "wavefront by flags", "kernels/wavefront.upc", "kernels/wavefront.c", "flags"),
    (KERNELS, "tree search", "kernels/uts.upc", "kernels/uts.c", ""),
    (KERNELS, "blocks in a box", "kernels/blocks.ac", "kernels/blocks.c", ""),
    (LOOPS, "addition", DENSE[0], DENSE[1], "add"),
    (LOOPS, "five-point stencil", DENSE[0], DENSE[1], "stencil"),
    (LOOPS, "product of matrices", DENSE[0], DENSE[1], "matmul"),
    (LOOPS, "transposition", DENSE[0], DENSE[1], "transpose"),
    (IRREGULAR, "index-gather", INDEXED[0], INDEXED[1], "gather"),
    (IRREGULAR, "sums of rows", INDEXED[0], INDEXED[1], "rows"),
    (IRREGULAR, "scatter", INDEXED[0], INDEXED[1], "scatter"),
    (IRREGULAR, "update", INDEXED[0], INDEXED[1], "update"),
    (IRREGULAR, "histogram", INDEXED[0], INDEXED[1], "histogram"),
    (IRREGULAR, "permutation", INDEXED[0], INDEXED[1], "permute"),
    (IRREGULAR, "sparse transposition", INDEXED[0], INDEXED[1], "sparse"),
];

/// Returns the systems in which a program of a part is written, after Meridian.
fn beside(part: Part) -> Vec<&'static System> {
    match part {
        Part::Irregular => vec![&BY_HAND, &UNOPTIMISED, &OPENMP],
        Part::Loops => [&BY_HAND, &PROFILED, &OPENMP].into_iter().chain(MPI).collect(),
        _ => [&OPENMP].into_iter().chain(MPI).collect(),
    }
}

/// Returns the least time that another system is meant to take for a program, relative to Meridian's, over
/// `smp` or between hosts.
pub fn goal(name: &str, system: &str, conduit: &str) -> Option<f64> {
    let part = ROWS.iter().find(|row| row.1 == name)?.0[0];
    let is_mpi = MPI.iter().any(|mpi| mpi.name == system);
    let communicates =
        matches!(name, "wavefront" | "wavefront by flags" | "five-point stencil" | "transposition");
    match (part, conduit == Conduit::Smp.name()) {
        (Part::Nas, true) => Some(1.0),
        (_, false) if system == UNOPTIMISED.name => Some(50.0),
        (_, false) if system == BY_HAND.name => Some(0.9),
        (Part::Loops, true) if system == OPENMP.name => Some(0.95),
        (Part::Irregular, true) if system == OPENMP.name && name == "histogram" => Some(0.95),
        (_, true) if communicates && is_mpi => Some(1.2),
        (_, false) if communicates && is_mpi => Some(1.0),
        _ => None,
    }
}

/// Returns all rows, those of a program one after another, Meridian's first.
pub fn all() -> Vec<Program> {
    let of = |&(parts, name, ours, c, which): &Row| {
        let dialect: &'static System = if ours.ends_with(".ac") { &AC } else { &UPC };
        let systems = [dialect].into_iter().chain(beside(parts[0]));
        systems.map(move |system| {
            let source = if system.is_ours() { ours } else { c };
            let mut options = vec![if system.name == UNOPTIMISED.name { "-O0" } else { "-O3" }.to_string()];
            options.extend((!which.is_empty()).then(|| format!("-DLOOP={which}")));
            let conduits = match system {
                system if system.name == OPENMP.name => super::SMP,
                system if system.name == UNOPTIMISED.name => BETWEEN,
                _ => NOT_AM,
            };
            let row = Program::new(parts, name, system, source);
            Program { options, conduits, output: Output::Verdict, ..row }
        })
    };
    ROWS.iter().flat_map(of).collect()
}
