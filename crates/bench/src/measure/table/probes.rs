//! The probes: programs of `bench/probes` that measure single mechanisms, and the same points in other
//! systems.

use super::{ALL, BETWEEN, NOT_AM, Object, Program, SMP};
use crate::measure::system::{
    AC, COARRAYS, CONDUITS, DEVITO, GFORTRAN, ID_JOB, MPI, MPICH, NUMPY, OPEN_MPI, OPENMP, OPENSHMEM,
    PLAIN_C, SOCKET, SPLIT_C, System, UPC,
};
use crate::options::{Conduit, Part};

/// glibc's malloc asks for large pages, which Meridian's arrays use too; threads stay on their cores.
const LOOPS: &[(&str, &str)] = &[("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1"), ("OMP_PROC_BIND", "true")];
const DEVITO_LOOPS: &[(&str, &str)] =
    &[LOOPS[0], LOOPS[1], ("DEVITO_LANGUAGE", "openmp"), ("DEVITO_LOGGING", "ERROR")];

fn object(source: &'static str) -> Object {
    Object { source, name: source, translated: false, options: &[] }
}

fn livermore(name: &'static str, translated: bool, options: &'static [&'static str]) -> Object {
    Object { source: "livermore", name, translated, options }
}

/// Returns a probe of Meridian's.
fn probe(system: &'static System, file: &'static str, parts: &'static [Part]) -> Program {
    Program { conduits: ALL, threads: None, ..Program::new(parts, file, system, &format!("probes/{file}")) }
}

/// Returns the counterpart of a part in another system: two processes on this host.
fn beside(part: &'static [Part], system: &'static System, file: &'static str) -> Program {
    Program::new(part, part[0].name(), system, &format!("probes/{file}"))
}

/// Returns all rows.
pub fn all() -> Vec<Program> {
    use Part::*;
    let mut rows = vec![
        Program {
            objects: vec![object("messages"), object("view")],
            ..probe(&SPLIT_C, "split-c.sc", &[Memory, Remote, Groups, Bulk, Primitives, Exchange, Em3d])
        },
        probe(&UPC, "upc.upc", &[Pointers, Small, Bulk, Primitives, Groups, Exchange, Em3d, Applications]),
        probe(&AC, "ac.ac", &[Primitives]),
        probe(&SPLIT_C, "sorts.sc", &[Exchange, Sorts]),
        probe(&ID_JOB, "tam.c", &[Tam]),
        probe(&UPC, "peers.upc", &[Peers]),
        Program {
            objects: vec![
                livermore("livermore-plain", false, &["-DVERSION=livermore_plain"]),
                livermore("livermore-private", true, &["-DVERSION=livermore_private"]),
                livermore("livermore-shared", true, &["-DVERSION=livermore_shared", "-DSHARED=shared []"]),
            ],
            ..probe(&UPC, "livermore.upc", &[Livermore]).options(&["-O3"])
        },
        Program { more: &[8], ..probe(&UPC, "shifts.upc", &[Shifts]).options(&["-O3"]) },
        Program { more: &[4, 8], ..probe(&UPC, "operations.upc", &[Operations]) },
        Program { conduits: SMP, more: &[16], ..probe(&UPC, "collectives.upc", &[Collectives]) },
        // As the loops that it is compared with: copy-and-scale is compiled here.
        probe(&UPC, "stencils.upc", &[Stencils]).options(&["-O3", "-march=native"]),
        beside(&[Peers], &OPEN_MPI, "peers-mpi.c"),
        beside(&[Peers], &MPICH, "peers-mpi.c"),
        beside(&[Peers], &OPENSHMEM, "peers-shmem.c"),
        beside(&[Peers], &COARRAYS, "peers.f90"),
        beside(&[Peers], &PLAIN_C, "peers-plain.c"),
        Program { threads: Some(1), ..beside(&[Shifts], &GFORTRAN, "shifts.f90") },
        Program { threads: Some(1), ..beside(&[Shifts], &NUMPY, "shifts-numpy.py") },
        Program {
            threads: None,
            settings: LOOPS,
            ..beside(&[Stencils], &OPENMP, "stencils-openmp.c").options(&["-O3", "-march=native"])
        },
        Program {
            threads: None,
            settings: DEVITO_LOOPS,
            ..beside(&[Stencils], &DEVITO, "stencils-devito.py")
        },
    ];
    rows.push(Program {
        conduits: &[Conduit::Tcp],
        ..Program::new(&[Packets], "packets", &CONDUITS, "net/measure.c")
    });
    for mpi in MPI {
        rows.push(Program { conduits: NOT_AM, ..beside(&[Stencils], mpi, "halo-mpi.c") });
        rows.push(Program { more: &[16], ..beside(&[Collectives], mpi, "collectives-mpi.c") });
        let operations = beside(&[Operations], mpi, "operations-mpi.c");
        rows.push(Program { conduits: BETWEEN, more: &[4, 8], ..operations });
    }
    // The socket connects two processes of this host.
    rows.push(Program { conduits: BETWEEN, ..beside(&[Operations], &SOCKET, "operations-socket.c") });
    rows
}

/// Returns the probe that measures a part in a dialect.
pub fn of(dialect: &str, part: Part) -> Option<Program> {
    all().into_iter().find(|row| row.system.name == dialect && row.parts.contains(&part))
}

/// Whether a part is measured on this conduit. Parts that need no other processor are measured once. UPC's
/// accesses and copies that are waited for at once are loads and stores within a host, also with
/// `MERIDIAN_REFERENCE=1`.
pub fn meaningful(program: &Program, part: Part, conduit: Conduit) -> bool {
    if !program.conduits.contains(&conduit) {
        return false;
    }
    match (part, conduit) {
        (Part::Memory | Part::Pointers | Part::Livermore | Part::Peers, conduit) => conduit == Conduit::Smp,
        (Part::Operations, conduit) => conduit.between_hosts(),
        (Part::Groups, Conduit::Am) => true,
        (_, Conduit::Am) => program.system.name != UPC.name,
        _ => true,
    }
}

/// Returns the wanted parts of a probe, in groups that one process measures. An application and the exchanges
/// that predict it are one group: their points are measured in turn, so that a disturbance of a second
/// affects both. The sorts' probe measures exchanges only together with the sorts, because another probe
/// measures them too.
pub fn together(parts: &[Part], wanted: &dyn Fn(Part) -> bool) -> Vec<Vec<Part>> {
    let found: Vec<Part> = parts.iter().copied().filter(|&part| wanted(part)).collect();
    let application = |part: &Part| matches!(part, Part::Em3d | Part::Sorts);
    let paired = found.contains(&Part::Exchange) && found.iter().any(application);
    let mut groups = Vec::new();
    for &part in &found {
        match part {
            Part::Exchange if paired || parts.contains(&Part::Sorts) => {}
            part if paired && application(&part) => groups.push(vec![Part::Exchange, part]),
            part => groups.push(vec![part]),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn applications_are_measured_in_turn_with_their_exchanges() {
        let of = |file: &str, wanted: &[Part]| {
            let probe = all().into_iter().find(|row| row.name == file).unwrap();
            together(probe.parts, &|part| wanted.contains(&part))
        };
        let (e, bulk) = (Part::Exchange, Part::Bulk);
        assert_eq!(of("upc.upc", &[e, bulk, Part::Em3d]), [vec![bulk], vec![e, Part::Em3d]]);
        assert_eq!(of("upc.upc", &[e, bulk]), [vec![bulk], vec![e]]);
        assert_eq!(of("upc.upc", &[Part::Em3d]), [vec![Part::Em3d]]);
        assert_eq!(of("sorts.sc", &[e, Part::Sorts]), [vec![e, Part::Sorts]]);
        assert_eq!(of("sorts.sc", &[Part::Sorts]), [vec![Part::Sorts]]);
        assert!(of("sorts.sc", &[e]).is_empty());
    }
}
