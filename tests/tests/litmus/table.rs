//! The litmus programs: the field's known shapes with relaxed accesses, with strict ones, with mixes of both,
//! and through fences, barriers and locks. Each names the outcome that its shape is about and says whether
//! the standard allows it, worked out by hand from appendix B and compared with the model before anything
//! runs. Some allowed outcomes are surprising: reads of one location may go back (B.5 example 6), strict
//! reads may see relaxed writes out of order (example 9), and relaxed writes may be seen in different orders
//! by threads that have fences between their reads.

/// A litmus program and the outcome it is about.
pub struct Litmus {
    /// The name in the literature, and the strict accesses.
    pub name: &'static str,
    /// In the notation of `Program::parse`.
    pub program: &'static str,
    /// The outcome that tells a weak machine from a sequentially consistent one.
    pub weak: &'static [u8],
    /// Whether the standard allows it.
    pub allowed: bool,
}

const fn allowed(name: &'static str, program: &'static str, weak: &'static [u8]) -> Litmus {
    Litmus { name, program, weak, allowed: true }
}

const fn forbidden(name: &'static str, program: &'static str, weak: &'static [u8]) -> Litmus {
    Litmus { name, program, weak, allowed: false }
}

/// All of them. A program has at most 4 threads, 6 values in its outcome, and values up to 3.
pub const TABLE: &[Litmus] = &[
    // Message passing: data, then a flag.
    allowed("MP relaxed", "wx1 wy1 | ry rx", &[1, 0]),
    forbidden("MP strict flag", "wx1 Wy1 | Ry rx", &[1, 0]),
    // Strict writes to another host: all earlier writes go to the same thread; to another one of that host;
    // to a third. On three threads the writer is alone on its host.
    forbidden("MP strict flag beside the data", "wy1 Wt1 | Rt ry", &[1, 0]),
    forbidden("MP strict flag beside the data and another's", "wx1 wy1 Wt1 | Rt ry rx", &[1, 1, 0]),
    forbidden("MP strict flag beside another's data", "rt | Ry rx | wx1 Wy1", &[0, 1, 0]),
    forbidden("MP strict flag and two data", "rt | Ry rz rx | wz1 wx1 Wy1", &[0, 1, 1, 0]),
    forbidden("SB strict writes to the other", "Wy1 rt | Wt1 ry", &[0, 0]),
    forbidden("MP strict data", "Wx1 wy1 | ry Rx", &[1, 0]),
    forbidden("MP strict", "Wx1 Wy1 | Ry Rx", &[1, 0]),
    allowed("MP strict writer", "wx1 Wy1 | ry rx", &[1, 0]),
    allowed("MP strict reader", "wx1 wy1 | Ry Rx", &[1, 0]),
    forbidden("MP fences", "wx1 F wy1 | ry F rx", &[1, 0]),
    allowed("MP fence in the writer", "wx1 F wy1 | ry rx", &[1, 0]),
    forbidden("MP lock", "L wx1 wy1 U | L ry rx U", &[1, 0]),
    forbidden("MP barrier", "wx1 B | B rx", &[0]),
    forbidden("MP notify and wait", "wx1 N wy1 V | N V rx ry", &[0, 1]),
    // Store buffering: write one, read the other.
    allowed("SB relaxed", "wx1 ry | wy1 rx", &[0, 0]),
    forbidden("SB strict", "Wx1 Ry | Wy1 Rx", &[0, 0]),
    forbidden("SB strict writes", "Wx1 ry | Wy1 rx", &[0, 0]),
    forbidden("SB strict reads", "wx1 Ry | wy1 Rx", &[0, 0]),
    forbidden("SB mixed", "Wx1 ry | wy1 Rx", &[0, 0]),
    allowed("SB one thread strict", "Wx1 Ry | wy1 rx", &[0, 0]),
    forbidden("SB fences", "wx1 F ry | wy1 F rx", &[0, 0]),
    allowed("SB one fence", "wx1 F ry | wy1 rx", &[0, 0]),
    forbidden("SB strict write between", "wx1 Wz1 ry | wy1 Wt1 rx", &[0, 0]),
    forbidden("SB strict read between", "wx1 Rz ry | wy1 Rt rx", &[0, 0, 0, 0]),
    forbidden("SB notify", "wx1 N ry V | wy1 N rx V", &[0, 0]),
    forbidden("SB lock", "L wx1 ry U | L wy1 rx U", &[0, 0]),
    // Load buffering: read one, write the other.
    allowed("LB relaxed", "rx wy1 | ry wx1", &[1, 1]),
    forbidden("LB strict", "Rx Wy1 | Ry Wx1", &[1, 1]),
    forbidden("LB strict reads", "Rx wy1 | Ry wx1", &[1, 1]),
    forbidden("LB strict writes", "rx Wy1 | ry Wx1", &[1, 1]),
    forbidden("LB fences", "rx F wy1 | ry F wx1", &[1, 1]),
    // Coherence: one location.
    allowed("CoRR relaxed", "wx1 wx2 | rx rx", &[2, 1]),
    forbidden("CoRR strict reads", "wx1 wx2 | Rx Rx", &[2, 1]),
    forbidden("CoRR strict", "Wx1 Wx2 | Rx Rx", &[2, 1]),
    forbidden("CoRR fence", "wx1 F wx2 | rx F rx", &[2, 1]),
    forbidden("CoRR own write between", "wx1 Wy1 wx2 | rx wx3 rx", &[2, 1]),
    forbidden("CoWW", "wx1 wx2 | ; x", &[1]),
    forbidden("CoWR", "wx1 rx | wx2", &[0]),
    forbidden("CoRW", "rx wx1 | wx2", &[1]),
    forbidden("CoRW strict", "Rx Wx1 | Rx Wx2", &[2, 1]),
    // Orders of writes, told by the final values.
    allowed("2+2W relaxed", "wx1 wy2 | wy1 wx2 ; x y", &[1, 1]),
    forbidden("2+2W strict", "Wx1 Wy2 | Wy1 Wx2 ; x y", &[1, 1]),
    forbidden("2+2W fences", "wx1 F wy2 | wy1 F wx2 ; x y", &[1, 1]),
    allowed("R relaxed", "wx1 wy1 | wy2 rx ; y", &[0, 2]),
    forbidden("R strict", "Wx1 Wy1 | Wy2 Rx ; y", &[0, 2]),
    forbidden("R fences", "wx1 F wy1 | wy2 F rx ; y", &[0, 2]),
    allowed("S relaxed", "wx2 wy1 | ry wx1 ; x", &[1, 2]),
    forbidden("S strict", "Wx2 Wy1 | Ry Wx1 ; x", &[1, 2]),
    forbidden("S strict flag", "wx2 Wy1 | Ry wx1 ; x", &[1, 2]),
    // Three threads: a value that was seen is passed on.
    allowed("WRC relaxed", "wx1 | rx wy1 | ry rx", &[1, 1, 0]),
    forbidden("WRC strict", "Wx1 | Rx Wy1 | Ry Rx", &[1, 1, 0]),
    allowed("WRC strict flag", "wx1 | rx Wy1 | Ry rx", &[1, 1, 0]),
    forbidden("WRC strict flag and read", "wx1 | Rx Wy1 | Ry rx", &[1, 1, 0]),
    allowed("ISA2 relaxed", "wx1 wy1 | ry wz1 | rz rx", &[1, 1, 0]),
    forbidden("ISA2 strict flags", "wx1 Wy1 | Ry Wz1 | Rz rx", &[1, 1, 0]),
    // Three and four threads: independent reads of independent writes.
    allowed("IRIW relaxed", "wx1 | wy1 | rx ry | ry rx", &[1, 0, 1, 0]),
    forbidden("IRIW strict", "Wx1 | Wy1 | Rx Ry | Ry Rx", &[1, 0, 1, 0]),
    forbidden("IRIW strict reads", "wx1 | wy1 | Rx Ry | Ry Rx", &[1, 0, 1, 0]),
    allowed("IRIW strict writes", "Wx1 | Wy1 | rx ry | ry rx", &[1, 0, 1, 0]),
    forbidden("IRIW strict writes, fences", "Wx1 | Wy1 | rx F ry | ry F rx", &[1, 0, 1, 0]),
    allowed("IRIW relaxed writes, fences", "wx1 | wy1 | rx F ry | ry F rx", &[1, 0, 1, 0]),
    // Updates: a read and a write of one location, which its owner may do (crates/opt, accumulate.rs).
    forbidden("update behind a write", "wy1 ay1 | ; y", &[1]),
    forbidden("update behind an update", "wy1 ay1 ay1 | ; y", &[2]),
    forbidden("read behind an update", "ay1 ry | wx1", &[0]),
    forbidden("write behind an update", "ay1 wy3 | rx ; y", &[0, 1]),
    allowed("update lost", "ay1 | ay2 ; y", &[1]),
    forbidden("updates under a lock", "L ay1 U | L ay2 U ; y", &[2]),
    allowed("MP update", "ay1 wx1 | rx ry", &[1, 0]),
    forbidden("MP update, strict flag", "ay1 Wx1 | Rx ry", &[1, 0]),
    forbidden("MP update, strict flag on the same thread", "ay1 Wt1 | Rt ry", &[1, 0]),
    forbidden("MP update, fences", "ay1 F wx1 | rx F ry", &[1, 0]),
    forbidden("MP update, barrier", "ay1 ax1 B | B ry rx", &[0, 1]),
    forbidden("MP updates as data and flag", "ay1 Ax1 | Rx ry", &[1, 0]),
    allowed("SB updates", "ay1 rx | ax1 ry", &[0, 0]),
    forbidden("SB updates, fences", "ay1 F rx | ax1 F ry", &[0, 0]),
    forbidden("SB updates, strict reads", "ay1 Rx | ax1 Ry", &[0, 0]),
    allowed("LB updates", "rx ay1 | ry ax1", &[1, 1]),
    forbidden("LB updates, strict reads", "Rx ay1 | Ry ax1", &[1, 1]),
    forbidden("WRC update", "az1 | Rz Wy1 | Ry rz", &[1, 1, 0]),
    forbidden("IRIW updates, strict reads", "ay1 | ax1 | Ry Rx | Rx Ry", &[1, 0, 1, 0]),
    // A third thread's object is updated. On two hosts the two others, on one of them, reach it by
    // connections of their own, which keep no order between each other.
    allowed("MP update of a third's", "az1 wx1 | rx rz | rt", &[1, 0, 0]),
    forbidden("MP update of a third's, strict flag", "az1 Wx1 | Rx rz | rt", &[1, 0, 0]),
    forbidden("MP update of a third's, fences", "az1 F wx1 | rx F rz | rt", &[1, 0, 0]),
    forbidden("MP maximum of a third's, strict flag", "mz1 Wx1 | Rx rz | rt", &[1, 0, 0]),
    forbidden("MP updates of a third's, lock", "L az1 ax1 U | L rx rz U | rt", &[1, 0, 0]),
    // Updates by a comparison: the greater of two values.
    forbidden("maximum behind a write", "wy1 my2 | ; y", &[1]),
    forbidden("lesser behind greater", "my2 my1 | rx ; y", &[0, 1]),
    forbidden("read behind a maximum", "my2 ry | ; y", &[0, 2]),
    allowed("maximum lost", "my1 | my2 ; y", &[1]),
    forbidden("maxima under a lock", "L my2 U | L my1 U ; y", &[1]),
    forbidden("MP maximum, strict flag", "my1 Wx1 | Rx ry", &[1, 0]),
    forbidden("MP maximum, fences", "my1 F wx1 | rx F ry", &[1, 0]),
    forbidden("SB maxima, fences", "my1 F rx | mx1 F ry", &[0, 0]),
];
