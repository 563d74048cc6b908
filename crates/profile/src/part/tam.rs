//! The data of one processor of the threaded abstract machine under an Id90 program: its counters, its
//! code-blocks and the longest quanta. `runtime/tam/count.c` writes them after the calls of a thread's part.

use anyhow::{Result, ensure};
use base::contract::tam_quantum;

use super::bytes::Bytes;
use crate::record::Codeblock;

/// The data of one processor.
#[derive(Debug, Default)]
pub struct Left {
    pub counters: Vec<(String, u64)>,
    pub codeblocks: Vec<Codeblock>,
    pub quanta: Vec<Quantum>,
}

/// A long quantum, the uninterrupted run of one activation; `began` counts from the thread's beginning.
/// `frames` and `ready` are the numbers of live and of ready activations at its end.
#[derive(Debug)]
pub struct Quantum {
    pub began: u64,
    pub ns: u64,
    pub codeblock: u32,
    pub threads: u32,
    pub frames: u32,
    pub ready: u32,
}

/// Reads the data that `write_all` of the runtime has written.
pub fn read(r: &mut Bytes) -> Result<Left> {
    let [counters, codeblocks, quanta, _all] = [r.u64()?, r.u64()?, r.u64()?, r.u64()?];
    let mut left = Left::default();
    for _ in 0..counters {
        let value = r.u64()?;
        left.counters.push((r.text(48)?, value));
    }
    for _ in 0..codeblocks {
        let [activations, quanta, ns, threads] = [r.u64()?, r.u64()?, r.u64()?, r.u64()?];
        let [line, name, file, _] = [r.u32()?, r.u32()?, r.u32()?, r.u32()?];
        let (name, file) = (r.text(name as usize)?, r.text(file as usize)?);
        left.codeblocks.push(Codeblock { name, file, line, activations, quanta, ns, threads });
    }
    for _ in 0..quanta {
        let of = r.fields(tam_quantum::TOTAL_SIZE)?;
        let quantum = Quantum {
            began: of.u64(tam_quantum::BEGAN),
            ns: of.u64(tam_quantum::NS),
            codeblock: of.u32(tam_quantum::CODEBLOCK),
            threads: of.u32(tam_quantum::THREADS),
            frames: of.u32(tam_quantum::FRAMES),
            ready: of.u32(tam_quantum::READY),
        };
        let known = (quantum.codeblock as usize) < left.codeblocks.len();
        ensure!(known, "a thread's part has an empty quantum");
        left.quanta.push(quantum);
    }
    Ok(left)
}

impl Left {
    /// The code-block of a quantum.
    pub fn codeblock(&self, quantum: &Quantum) -> &Codeblock {
        &self.codeblocks[quantum.codeblock as usize]
    }
}
