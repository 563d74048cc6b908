//! Traces: the calls of the threads of a job, as `meridian run --record` writes them
//! (`runtime/base/record.c`).
//!
//! The layouts are those of the contract (`base::contract`). All numbers are little-endian. The head is
//! `MAGIC`, the version and the number of threads. Blocks follow, in any order: the thread, the number of its
//! records, and these. A block of no records ends its thread. A record has the call's kind (`KINDS`), the
//! other thread, the bytes, the nanoseconds of computing before the call, and those in the call.
//!
//! A trace of R threads is replayed with N: thread p repeats the calls of thread p mod R. The other thread of
//! a put, a get or a message is the one in the same group of R. Locks keep their processes, and collectives
//! and barriers are among all.

use anyhow::{Result, bail, ensure};
use base::contract::{REVISION_TRACE, record_kinds, trace_block, trace_head, trace_kinds, trace_record};

use crate::machine::{LIMIT, LONGEST, MOST, Time};
use crate::pattern::Pattern;
use crate::program::{Cursor, Op, Program};

/// The first bytes of a trace.
pub const MAGIC: &[u8; 16] = b"meridian-trace\r\n";
/// The version of the format.
pub const VERSION: u32 = REVISION_TRACE as u32;
const HEAD: usize = trace_head::TOTAL_SIZE;
const BLOCK: usize = trace_block::TOTAL_SIZE;
const RECORD: usize = trace_record::TOTAL_SIZE;
/// The tag of messages between two threads, which no pattern uses.
const MESSAGE: u32 = u32::MAX;
/// The number of bits of a step within a part of a call.
const PART: u32 = 28;
/// The most calls of a thread.
const CALLS: usize = 1 << 29;
/// The most threads of a trace.
const THREADS: u32 = 1 << 16;

/// Defines the kinds of records, by their numbers in the contract, and the list of all.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $number:expr,)*) => {
        /// The kinds of records, by their numbers in the contract (`base::contract`).
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u32)]
        pub enum Kind { $($(#[$doc])* $kind = $number,)* }

        /// All kinds.
        pub const KINDS: &[Kind] = &[$(Kind::$kind),*];
    };
}

kinds! {
    /// A barrier; the end of a program is one too.
    Barrier = record_kinds::BARRIER,
    /// The first half of a barrier, which costs nothing in the model.
    Notify = record_kinds::NOTIFY,
    /// The second half: the barrier itself.
    Wait = record_kinds::WAIT,
    /// A blocking write.
    Put = record_kinds::PUT,
    /// A blocking read.
    Get = record_kinds::GET,
    /// A write that `Sync` completes.
    PutBegin = record_kinds::PUT_BEGIN,
    /// A read that `Sync` completes.
    GetBegin = record_kinds::GET_BEGIN,
    /// Waits for the begun writes and reads.
    Sync = record_kinds::SYNC,
    /// Takes a lock; the bytes are its number.
    Lock = record_kinds::LOCK,
    /// Releases a lock.
    Unlock = record_kinds::UNLOCK,
    /// From the root, which is the other thread.
    Broadcast = record_kinds::BROADCAST,
    /// From the root.
    Scatter = record_kinds::SCATTER,
    /// To the root.
    Gather = record_kinds::GATHER,
    /// Each thread's block to all threads.
    GatherAll = record_kinds::GATHER_ALL,
    /// A different block from each thread to each thread.
    Exchange = record_kinds::EXCHANGE,
    /// A block to the other thread, among all threads.
    Permute = record_kinds::PERMUTE,
    /// To the root.
    Reduce = record_kinds::REDUCE,
    /// A prefix computation.
    Prefix = record_kinds::PREFIX,
    /// A request by active message.
    Request = record_kinds::REQUEST,
    /// A message, in traces from elsewhere.
    Send = trace_kinds::SEND,
    /// Waits for a message.
    Receive = trace_kinds::RECEIVE,
}

impl Kind {
    /// Returns whether all threads make the call together, with matching messages.
    fn collective(self) -> bool {
        use Kind::{Barrier, Broadcast, Exchange, Gather, GatherAll, Permute, Prefix, Reduce, Scatter, Wait};
        matches!(
            self,
            Barrier | Wait | Permute | Broadcast | Scatter | Gather | GatherAll | Exchange | Reduce | Prefix
        )
    }
}

/// A call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The kind of call.
    pub kind: Kind,
    /// The other thread, or the root.
    pub other: u32,
    /// The number of bytes, or a lock's number.
    pub bytes: u64,
    /// Computing before the call, in nanoseconds.
    pub compute: u64,
    /// Time in the call, in nanoseconds.
    pub spent: u64,
}

impl Record {
    fn write(&self) -> [u8; RECORD] {
        let words =
            [u64::from(self.kind as u32) | u64::from(self.other) << 32, self.bytes, self.compute, self.spent];
        let mut bytes = [0; RECORD];
        for (place, word) in bytes.chunks_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }
}

/// A trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The calls of each thread.
    pub threads: Vec<Vec<Record>>,
}

impl Trace {
    /// Returns whether a file's bytes are meant to be a trace.
    pub fn is(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC[..8]) && !bytes.starts_with(crate::model::HEAD.as_bytes())
    }

    /// Reads a trace.
    ///
    /// # Errors
    /// If the trace is of another version, is cut off, lacks a thread's end, or has impossible values.
    pub fn read(bytes: &[u8]) -> Result<Trace> {
        ensure!(
            bytes.len() >= HEAD && bytes.starts_with(MAGIC),
            "the trace is cut off in its head, or the file is not a trace"
        );
        let version = u32_at(bytes, trace_head::VERSION);
        ensure!(
            version == VERSION,
            "the trace has version {version}, but this Meridian reads version {VERSION}"
        );
        let count = u32_at(bytes, trace_head::THREADS);
        ensure!((1..=THREADS).contains(&count), "the trace has {count} threads, which is out of range");
        let mut threads = vec![Vec::new(); count as usize];
        let mut ended = vec![false; count as usize];
        let mut at = HEAD;
        while at < bytes.len() {
            ensure!(bytes.len() - at >= BLOCK, "the trace is cut off at byte {at}, in the head of a block");
            let thread = u32_at(bytes, at + trace_block::THREAD) as usize;
            let records = u32_at(bytes, at + trace_block::COUNT) as usize;
            at += BLOCK;
            ensure!(
                thread < threads.len(),
                "byte {}: a block of thread {thread}, but the trace has {count} threads",
                at - BLOCK
            );
            ensure!(
                !ended[thread],
                "byte {}: a block of thread {thread} follows the end of this thread",
                at - BLOCK
            );
            ensure!(
                (bytes.len() - at) / RECORD >= records,
                "the trace is cut off in a block of thread {thread}: {} of {records} records are present",
                (bytes.len() - at) / RECORD
            );
            for _ in 0..records {
                threads[thread].push(record(bytes, at, thread, count)?);
                at += RECORD;
            }
            ended[thread] = records == 0;
            ensure!(threads[thread].len() < CALLS, "thread {thread} has more than {CALLS} calls");
        }
        let lost: Vec<String> = (0..ended.len()).filter(|t| !ended[*t]).map(|t| t.to_string()).collect();
        ensure!(
            lost.is_empty(),
            "the end of thread {} is missing: the program did not end by itself, or the file was cut off",
            lost.join(", ")
        );
        Ok(Trace { threads })
    }

    /// Returns the trace as a file's bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((self.threads.len() as u32).to_le_bytes());
        for (thread, records) in self.threads.iter().enumerate() {
            let parts = [records.as_slice(), &[]];
            for part in if records.is_empty() { &parts[1..] } else { &parts } {
                bytes.extend((thread as u32).to_le_bytes());
                bytes.extend((part.len() as u32).to_le_bytes());
                part.iter().for_each(|record| bytes.extend(record.write()));
            }
        }
        bytes
    }

    /// The time of the recorded job, which is that of its longest thread.
    pub fn measured(&self) -> Time {
        let spent = |records: &Vec<Record>| records.iter().map(|r| (r.compute + r.spent) * 1000).sum();
        self.threads.iter().map(spent).max().unwrap_or(0)
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"))
}

fn record(bytes: &[u8], at: usize, thread: usize, threads: u32) -> Result<Record> {
    let kind = u32_at(bytes, at + trace_record::KIND);
    let Some(kind) = KINDS.iter().copied().find(|known| *known as u32 == kind) else {
        bail!("byte {at}: a record of thread {thread} of the unknown kind {kind}");
    };
    let record = Record {
        kind,
        other: u32_at(bytes, at + trace_record::OTHER),
        bytes: u64_at(bytes, at + trace_record::BYTES),
        compute: u64_at(bytes, at + trace_record::COMPUTE),
        spent: u64_at(bytes, at + trace_record::SPENT),
    };
    ensure!(
        record.other < threads,
        "byte {at}: a record of thread {thread} names thread {}, which does not exist",
        record.other
    );
    let lock = matches!(kind, Kind::Lock | Kind::Unlock);
    ensure!(
        lock || record.bytes <= LONGEST,
        "byte {at}: thread {thread} moves {} bytes at once",
        record.bytes
    );
    let most = LIMIT / 1000 / 4;
    ensure!(
        record.compute <= most && record.spent <= most,
        "byte {at}: a call of thread {thread} takes months"
    );
    Ok(record)
}

/// How computing changes with the number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Scaling {
    /// each thread computes as much as it did in the recording
    Weak,
    /// all threads together compute as much as they did
    Strong,
}

/// A trace for a number of threads.
#[derive(Debug)]
pub struct Replay<'a> {
    trace: &'a Trace,
    processes: u32,
    /// The fraction of the recorded computing that a thread computes.
    part: (u64, u64),
    /// The addition to the computing before each call in which all threads wait for each other.
    switch: Time,
    /// For each call of each thread, the number of collectives before it. Threads make the same collectives
    /// in the same order, with any other calls in between.
    collectives: Vec<Vec<u32>>,
}

/// Returns the number of collectives before each call.
fn collectives_before(records: &[Record]) -> Vec<u32> {
    let mut before = 0;
    let count = |record: &Record| {
        let here = before;
        before += u32::from(record.kind.collective());
        here
    };
    records.iter().map(count).collect()
}

impl<'a> Replay<'a> {
    /// # Errors
    /// If the trace cannot be carried over to `processes` threads.
    pub fn new(trace: &'a Trace, processes: u32, scaling: Scaling) -> Result<Replay<'a>> {
        let recorded = trace.threads.len() as u32;
        ensure!((1..=MOST).contains(&processes), "{processes} threads: 1 to {MOST} are possible");
        let matched = |record: &Record| matches!(record.kind, Kind::Send | Kind::Receive);
        let messages = trace.threads.iter().flatten().any(matched);
        ensure!(
            processes.is_multiple_of(recorded) || !messages,
            "the trace has messages between {recorded} threads, and can be scaled to multiples of \
             {recorded} threads only: {processes} is none"
        );
        let part =
            if scaling == Scaling::Weak { (1, 1) } else { (u64::from(recorded), u64::from(processes)) };
        let collectives = trace.threads.iter().map(|records| collectives_before(records)).collect();
        Ok(Replay { trace, processes, part, switch: 0, collectives })
    }

    /// Adds `switch` to each wait of all threads, for threads that take turns on one core.
    pub fn switching(self, switch: Time) -> Replay<'a> {
        Replay { switch, ..self }
    }

    /// The thread that replays the recording's thread `other`, as the partner of thread `p`.
    fn other(&self, p: u32, other: u32) -> u32 {
        let recorded = self.trace.threads.len() as u32;
        (p - p % recorded + other) % self.processes
    }

    /// The parts of a call: up to two operations, and then up to two patterns.
    fn parts(&self, p: u32, record: &Record) -> ([Option<Op>; 2], [Option<Pattern>; 2]) {
        let (bytes, root) = (record.bytes, record.other % self.processes);
        let (to, from) = (self.other(p, record.other), self.other(p, record.other));
        let lock = (bytes ^ bytes >> 32) as u32;
        let ops = match record.kind {
            // A thread's puts and gets are complete when it enters a barrier.
            Kind::Barrier | Kind::Notify | Kind::Sync => [Some(Op::Sync), None],
            Kind::Put | Kind::Permute => [Some(Op::Put { to, bytes }), Some(Op::Sync)],
            Kind::Get => [Some(Op::Get { from, bytes }), Some(Op::Sync)],
            Kind::PutBegin | Kind::Request => [Some(Op::Put { to, bytes }), None],
            Kind::GetBegin => [Some(Op::Get { from, bytes }), None],
            Kind::Lock => [Some(Op::Lock { home: root, lock }), None],
            Kind::Unlock => [Some(Op::Unlock { home: root, lock }), None],
            Kind::Send => [Some(Op::Send { to, bytes, tag: MESSAGE }), None],
            Kind::Receive => [Some(Op::Receive { from: Some(from), tag: MESSAGE }), None],
            _ => [None, None],
        };
        let patterns = match record.kind {
            Kind::Barrier | Kind::Wait | Kind::Permute => [Some(Pattern::Barrier), None],
            Kind::Broadcast => [Some(Pattern::BroadcastBinomial { root, bytes }), None],
            Kind::Scatter => [Some(Pattern::BroadcastLinear { root, bytes }), None],
            Kind::Gather => [Some(Pattern::Gather { root, bytes }), None],
            Kind::GatherAll | Kind::Exchange => [Some(Pattern::AllToAll { bytes }), None],
            Kind::Reduce => [Some(Pattern::Reduce { root, bytes }), None],
            Kind::Prefix => [
                Some(Pattern::Reduce { root: 0, bytes }),
                Some(Pattern::BroadcastBinomial { root: 0, bytes }),
            ],
            _ => [None, None],
        };
        (ops, patterns)
    }

    /// Returns the operation of call number `call` at `step`, and advances `step`. The high bits of a step
    /// are the part of the call: 0 the operations, then the patterns. The messages of a pattern have the
    /// collective's number as their tag.
    fn op(&self, p: u32, call: u32, record: &Record, step: &mut u32) -> Option<Op> {
        let (ops, patterns) = self.parts(p, record);
        let number = self.collectives[p as usize % self.collectives.len()][call as usize];
        loop {
            let (part, mut within) = (*step >> PART, *step & ((1 << PART) - 1));
            let op = match part {
                0 => {
                    within += 1;
                    ops.get(within as usize - 1).copied().flatten()
                }
                _ => {
                    let pattern = patterns.get(part as usize - 1)?.as_ref()?;
                    pattern.next(p, self.processes, &mut within, number << 2 | (part - 1) << 1)
                }
            };
            if op.is_some() {
                *step = part << PART | within;
                return op;
            }
            *step = (part + 1) << PART;
        }
    }
}

impl Program for Replay<'_> {
    fn processes(&self) -> u32 {
        self.processes
    }

    /// `cursor.turns[0]` is 1 once the computing before a call is done.
    fn next(&self, p: u32, cursor: &mut Cursor) -> Option<Op> {
        let records = &self.trace.threads[p as usize % self.trace.threads.len()];
        loop {
            let record = records.get(cursor.at as usize)?;
            if cursor.turns[0] == 0 {
                cursor.turns[0] = 1;
                let time =
                    u128::from(record.compute) * 1000 * u128::from(self.part.0) / u128::from(self.part.1);
                let switch = if record.kind.collective() { self.switch } else { 0 };
                return Some(Op::Compute(time as Time + switch));
            }
            if let Some(op) = self.op(p, cursor.at, record, &mut cursor.step) {
                return Some(op);
            }
            *cursor = Cursor { at: cursor.at + 1, ..Cursor::default() };
        }
    }

    fn place(&self, p: u32, cursor: &Cursor) -> String {
        let records = &self.trace.threads[p as usize % self.trace.threads.len()];
        match records.get(cursor.at as usize) {
            Some(record) => format!("call {} of {}, {:?}", cursor.at + 1, records.len(), record.kind),
            None => "the end".into(),
        }
    }
}
