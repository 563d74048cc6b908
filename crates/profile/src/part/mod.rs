//! The parts that the threads write: each in the format of `runtime/base/profile.c`, one after another in a
//! file, by the layouts of the contract.
//!
//! `bytes` reads numbers and texts from a file, and `tam` reads the data after the calls of an Id90 program.

mod bytes;
mod tam;

use anyhow::{Result, bail, ensure};

use base::contract::{REVISION_PROFILE, profile_call, profile_entry, profile_head, profile_module};
use bytes::{Bytes, Fields};

pub use tam::Left;

const MARK: &[u8; 16] = b"meridian-lines\r\n";

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
    let head = r.fields(profile_head::TOTAL_SIZE)?;
    ensure!(head.0.starts_with(MARK), "a thread's part does not begin as one");
    if head.u32(profile_head::VERSION) != REVISION_PROFILE as u32 {
        bail!("the program is of another version of Meridian: link it again");
    }
    let mut part = Part {
        thread: head.u32(profile_head::THREAD),
        threads: head.u32(profile_head::THREADS),
        host: Bytes(&head.0[profile_head::HOST..]).text(profile_head::TOTAL_SIZE - profile_head::HOST)?,
        began: head.u64(profile_head::BEGAN),
        ns: head.u64(profile_head::NS),
        shortest: head.u64(profile_head::SHORTEST),
        ..Part::default()
    };
    for _ in 0..head.u32(profile_head::MODULES) {
        part.modules.push(module(r)?);
    }
    for _ in 0..head.u32(profile_head::ENTRIES) {
        part.entries.push(entry(&r.fields(profile_entry::TOTAL_SIZE)?));
    }
    for _ in 0..head.u32(profile_head::CALLS) {
        let call = call(&r.fields(profile_call::TOTAL_SIZE)?);
        ensure!((call.entry as usize) < part.entries.len(), "a thread's part has a call without a place");
        part.calls.push(call);
    }
    let attached = head.u64(profile_head::ATTACHED);
    let mut rest = Bytes(r.take(usize::try_from(attached)?)?);
    if attached > 0 {
        part.tam = Some(tam::read(&mut rest)?);
        ensure!(rest.is_empty(), "a thread's part holds more than it says");
    }
    ensure!(r.take(MARK.len())? == MARK, "a thread's part is cut off");
    Ok(part)
}

fn module(r: &mut Bytes) -> Result<Module> {
    let of = r.fields(profile_module::TOTAL_SIZE)?;
    Ok(Module {
        base: of.u64(profile_module::BASE),
        from: of.u64(profile_module::FROM),
        to: of.u64(profile_module::TO),
        path: r.text(of.u32(profile_module::LENGTH) as usize)?,
    })
}

fn entry(of: &Fields) -> Entry {
    Entry {
        place: of.u64(profile_entry::PLACE),
        bytes: of.u64(profile_entry::BYTES),
        calls: of.u64(profile_entry::CALLS),
        ns: of.u64(profile_entry::NS),
        longest: of.u64(profile_entry::LONGEST),
        kind: of.u32(profile_entry::KIND),
    }
}

fn call(of: &Fields) -> Call {
    Call {
        began: of.u64(profile_call::BEGAN),
        ns: of.u64(profile_call::NS),
        bytes: of.u64(profile_call::BYTES),
        entry: of.u32(profile_call::ENTRY),
        other: of.u32(profile_call::OTHER),
    }
}
