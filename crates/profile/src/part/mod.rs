//! What each thread has left: the file of `runtime/base/profile.c`, several of them one behind the other.
//!
//! `bytes` takes numbers and texts off a file, and `tam` reads what stands behind the calls of an Id90
//! program.

mod bytes;
mod tam;

use anyhow::{Result, bail, ensure};

use bytes::Bytes;

pub use tam::Left;

const MARK: &[u8; 16] = b"meridian-lines\r\n";
const VERSION: u32 = 2;

/// What one thread's calls have cost.
#[derive(Debug, Default)]
pub struct Part {
    pub thread: u32,
    pub threads: u32,
    pub host: String,
    /// When the thread began, in nanoseconds since 1970, and how long it ran.
    pub began: u64,
    pub ns: u64,
    /// Shorter calls are not among `calls`.
    pub shortest: u64,
    pub modules: Vec<Module>,
    pub entries: Vec<Entry>,
    pub calls: Vec<Call>,
    /// Of an Id90 program.
    pub tam: Option<Left>,
}

/// The program or a library: its addresses in the process are those of the file and `base`.
#[derive(Debug)]
pub struct Module {
    pub base: u64,
    pub from: u64,
    pub to: u64,
    pub path: String,
}

/// All calls of one kind from one place, the address that they return to; 0 where there were too many places.
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

/// Whether a file begins as a part does.
pub fn is(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK)
}

/// All parts.
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
