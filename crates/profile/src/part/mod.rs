//! The parts that the threads write: each in the format of `runtime/base/profile.c`, one after another in a
//! file.
//!
//! `bytes` reads numbers and texts from a file, and `tam` reads the data after the calls of an Id90 program.

mod bytes;
mod tam;

use anyhow::{Result, bail, ensure};

use bytes::Bytes;

pub use tam::Left;

const MARK: &[u8; 16] = b"meridian-lines\r\n";
const VERSION: u32 = 2;

/// The costs of one thread's calls.
#[derive(Debug, Default)]
pub struct Part {
    pub thread: u32,
    pub threads: u32,
    pub host: String,
    /// The time at which the thread began, in nanoseconds since 1970, and the time that it ran.
    pub began: u64,
    pub ns: u64,
    /// Shorter calls are not among `calls`.
    pub shortest: u64,
    pub modules: Vec<Module>,
    pub entries: Vec<Entry>,
    pub calls: Vec<Call>,
    /// The data of the threaded abstract machine, for an Id90 program.
    pub tam: Option<Left>,
}

/// The program or a library: its addresses in the process are those in the file plus `base`.
#[derive(Debug)]
pub struct Module {
    pub base: u64,
    pub from: u64,
    pub to: u64,
    pub path: String,
}

/// All calls of one kind with one return address, `place`, which is 0 if there were too many addresses.
#[derive(Debug)]
pub struct Entry {
    pub place: u64,
    pub bytes: u64,
    pub calls: u64,
    pub ns: u64,
    pub longest: u64,
    pub kind: u32,
}

/// A call that took long; `began` counts from the thread's beginning.
#[derive(Debug)]
pub struct Call {
    pub began: u64,
    pub ns: u64,
    pub bytes: u64,
    pub entry: u32,
    pub other: u32,
}

/// Returns whether a file begins like a part.
pub fn is(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK)
}

/// Reads all parts.
pub fn read(bytes: &[u8]) -> Result<Vec<Part>> {
    let mut left = Bytes(bytes);
    let mut parts = Vec::new();
    while !left.is_empty() {
        parts.push(part(&mut left)?);
    }
    Ok(parts)
}

fn part(r: &mut Bytes) -> Result<Part> {
    ensure!(r.take(MARK.len())? == MARK, "a thread's part does not begin as one");
    let version = r.u32()?;
    if version != VERSION {
        bail!("the program is of another version of Meridian: link it again");
    }
    let (thread, threads) = (r.u32()?, r.u32()?);
    let [entries, calls, modules] = [r.u32()?, r.u32()?, r.u32()?];
    let (began, ns, shortest) = (r.u64()?, r.u64()?, r.u64()?);
    let attached = r.u64()?;
    let mut part = Part { thread, threads, began, ns, shortest, ..Part::default() };
    part.host = r.text(64)?;
    for _ in 0..modules {
        let (base, from, to, length, _) = (r.u64()?, r.u64()?, r.u64()?, r.u32()?, r.u32()?);
        let path = r.text(length as usize)?;
        part.modules.push(Module { base, from, to, path });
    }
    for _ in 0..entries {
        let [place, bytes, calls, ns, longest] = [r.u64()?, r.u64()?, r.u64()?, r.u64()?, r.u64()?];
        let (kind, _) = (r.u32()?, r.u32()?);
        part.entries.push(Entry { place, bytes, calls, ns, longest, kind });
    }
    for _ in 0..calls {
        let [began, ns, bytes] = [r.u64()?, r.u64()?, r.u64()?];
        let (entry, other) = (r.u32()?, r.u32()?);
        ensure!((entry as usize) < part.entries.len(), "a thread's part has a call of no place");
        part.calls.push(Call { began, ns, bytes, entry, other });
    }
    let mut rest = Bytes(r.take(usize::try_from(attached)?)?);
    if attached > 0 {
        part.tam = Some(tam::read(&mut rest)?);
        ensure!(rest.is_empty(), "a thread's part holds more than it says");
    }
    ensure!(r.take(MARK.len())? == MARK, "a thread's part is cut off");
    Ok(part)
}
