//! The papers' results for their machines, for comparison with this machine's figures. Figures that the
//! papers only draw are given as far as their text states them.
//!
//! T3D, T3E: Krishnamurthy, Culler, Yelick, "Empirical Evaluation of Global Memory Support on the CRAY-T3D
//! and CRAY-T3E", 1998. CM-5: von Eicken, "Active Messages", 1993. X1: Bell, Chen, Bonachea,
//! Yelick, "Evaluating Support for Global Address Space Languages on the Cray X1", 2004. CM-200: TR-18-93 of
//! Harvard's Center for Research in Computing Technology on Polyshift, 1993.

pub const LOCAL_READ: &[&str] = &[
    "T3D (150 MHz): a direct-mapped first-level cache of 8 KB with lines of 32 bytes, no second level; DRAM pages of 16 KB in 4 banks.",
    "T3E (300 MHz): the same first level, and a second level of between 64 and 128 KB with lines of 64 bytes; its main memory has the higher latency of the two.",
    "On neither does the TLB show: both have very large pages.",
];
pub const LOCAL_WRITE: &[&str] = &["T3D: writes merge in the write buffer."];
pub const REMOTE_READ: &[&str] = &[
    "T3D: 600 to 750 ns. T3E: about 1500 ns, more above a stride of 16 KB and below 64 bytes; about 450 ns of it are the translation of the address at the owner.",
];
pub const REMOTE_WRITE: &[&str] =
    &["T3D and T3E hardly differ: writes are acknowledged when they arrive, before the memory is written."];
pub const GROUPS_OF_GETS: &[&str] = &[
    "T3D: at most 16 prefetches at once, then about 250 ns each. T3E: up to 480 at once, about 130 ns each; the network alone would take one every 67 ns.",
];
pub const GROUPS_OF_PUTS: &[&str] = &[
    "T3D: puts to neighbouring words merge in the write buffer. T3E: they do not, since a remote store is a store of an address to a register. On both the memory at the other end is the limit.",
];
pub const BULK: &[&str] = &[
    "T3D: by pipelined prefetches, or by DMA, whose system call makes it useless but for enormous transfers (peak 150 MB/s); a bulk write is faster than a bulk read.",
    "T3E: by E-registers, a cache line an operation; links of 600 MB/s at their peak.",
];
pub const EM3D: &[&str] = &[
    "T3D and T3E, 16 processors: the versions differ more on the T3E, whose blocking accesses are dearer and whose split-phase ones are cheaper to start.",
];
pub const EM3D_LOCAL: &[&str] = &[
    "T3D and T3E: the times agree with what the walks over memory show. The T3D has no second cache, and a miss of the T3E's caches is dearer.",
];
pub const SORTS: &[&str] = &[
    "CM-5, 32 to 512 processors: what LogP predicts for the four sorts and what was measured agree closely, so the costs of the primitives carry over to programs.",
];
pub const SMALL: &[&str] = &[
    "X1: single loads and stores undercut the vendor's library by about two microseconds; from 80 bytes on the vendor's copy is fastest.",
];

pub const SHIFTS: &[&str] = &[
    "CM-200: 3.8 times with four elements of rank 1, 4.1 with 2 x 2, 3.5 with 2 x 2 x 2, 3.3 with 2 x 2 x 2 x 2; from 2,048 elements of rank 1 on nothing is gained any more.",
];

/// Tables 1 to 4 of TR-18-93: by rank, the lengths of a subgrid's axes with the speedup on the CM-200.
pub const PSHIFT: [&[(f64, f64)]; 4] = [
    &[(4.0, 3.8), (16.0, 3.5), (64.0, 2.3), (256.0, 1.2), (1024.0, 1.1), (4096.0, 1.0), (16384.0, 1.0)],
    &[(2.0, 4.1), (4.0, 3.0), (8.0, 2.1), (16.0, 1.6), (32.0, 1.3), (64.0, 1.2), (128.0, 1.3)],
    &[(2.0, 3.5), (4.0, 2.6), (8.0, 2.0), (16.0, 1.6)],
    &[(2.0, 3.3), (4.0, 2.5), (8.0, 2.0)],
];
