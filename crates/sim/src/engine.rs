//! The simulation itself.
//!
//! A process that sends k bytes starts when its processor is free and g + (k' - 1)G have passed since the
//! start of its last message, of k' bytes. The process is busy for o. The last byte arrives (k - 1)G + L
//! later, with L by the topology. A processor takes in messages no closer than g, each for (k - 1)G. A
//! process that receives a message is busy for another o.
//!
//! Puts, gets and locks are served at their target by a progress engine, one at a time, o for the request
//! and o for the reply, which cost the target's program nothing (as the progress thread of the runtime
//! serves while the program computes). A reply costs o at its origin. So a get alone takes 2L + 4o, as the
//! fit of LogGP has it (`bench::fit::loggp`).
//!
//! Only arrivals are events. Between its waits a process depends on no other, so it runs ahead of simulated
//! time until it waits, or for `AHEAD` operations, which bounds the messages under way. Arrivals at a
//! processor, and requests that it serves, are in the order of time.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::machine::{LIMIT, LogGp, Machine, Time};
use crate::path::{Link, Links, Path};
use crate::program::{Cursor, Op, Program};
use crate::queue::{Event, Queue};

/// Operations that a process runs ahead.
const AHEAD: u32 = 64;
/// Marks an event as a process that goes on, rather than a message that arrives.
const GO_ON: Event = 1 << 31;
/// No message; the end of a list.
const NONE: u32 = u32::MAX;

/// The state of a process: running, waiting or ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    /// Nothing: it runs.
    Nothing,
    /// A message.
    Message {
        /// The sender, or `None` for any.
        from: Option<u32>,
        /// The tag.
        tag: u32,
    },
    /// The replies of its puts, gets and locks.
    Replies,
    /// Nothing any more: the process has ended.
    Ended,
}

/// A process.
#[derive(Clone, Debug)]
pub struct Process {
    /// The process's own time.
    pub clock: Time,
    /// Time spent computing.
    pub compute: Time,
    /// Time spent on messages.
    pub overhead: Time,
    /// Time spent waiting for the gap before sends.
    pub gap: Time,
    /// The longest chain of dependences to `clock`.
    pub path: Path,
    /// The position in the program.
    pub cursor: Cursor,
    /// The awaited event.
    pub waits: Waits,
    /// The number of outstanding replies.
    pub replies: u32,
    /// The earliest time of the next send.
    send: Time,
    /// The earliest time at which the next message is taken in.
    take_in: Time,
    /// The earliest time at which the next request is served.
    serve: Time,
    /// The time at which the last reply was handled.
    replied: Time,
    /// The chain to `replied`.
    replied_path: Path,
    /// Messages that have arrived and wait to be received: the first and the last.
    first: u32,
    last: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Message,
    Put,
    Get,
    Lock,
    Unlock,
    Reply,
}

/// A message that is under way, or has arrived.
#[derive(Clone, Copy, Debug)]
struct Message {
    path: Path,
    /// The time of arrival, once it has arrived.
    at: Time,
    bytes: u64,
    from: u32,
    to: u32,
    /// The message's tag, or the lock's number.
    tag: u32,
    /// The next message in a list.
    next: u32,
    kind: Kind,
}

#[derive(Debug, Default)]
struct LockState {
    held: bool,
    /// The processes that wait for the lock, in the order of their requests.
    queue: VecDeque<u32>,
}

/// The result of a run.
#[derive(Debug)]
pub struct Run {
    /// All processes, at their ends.
    pub processes: Vec<Process>,
    /// The links of the critical path, if they were kept.
    pub links: Links,
    /// The number of operations and arrivals.
    pub events: u64,
    /// The number of messages, requests and replies.
    pub messages: u64,
}

impl Run {
    /// The process that ends last, the first of several.
    pub fn last(&self) -> u32 {
        let clocks = self.processes.iter().enumerate().map(|(i, p)| (p.clock, std::cmp::Reverse(i)));
        clocks.max().map_or(0, |(_, std::cmp::Reverse(i))| i as u32)
    }

    /// The time that the program takes.
    pub fn time(&self) -> Time {
        self.processes[self.last() as usize].clock
    }
}

/// Why a run has no result.
#[derive(Debug)]
pub enum Failed {
    /// Processes wait for messages or replies that never come.
    Deadlock(Vec<Process>),
    /// Messages arrived that nobody received: sender, receiver and tag of some, and the number of all.
    NotReceived(Vec<(u32, u32, u32)>, u64),
    /// A process runs for longer than `LIMIT`.
    TooLong(u32),
    /// More than 2^31 messages were under way at once.
    TooMany,
}

/// Runs a program on a machine.
///
/// # Errors
/// If the program does not end, or ends with messages that nobody received.
pub fn run<Q: Queue>(program: &impl Program, machine: &Machine) -> Result<Run, Failed> {
    let process = Process {
        clock: 0,
        compute: 0,
        overhead: 0,
        gap: 0,
        path: Path::default(),
        cursor: Cursor::default(),
        waits: Waits::Nothing,
        replies: 0,
        send: 0,
        take_in: 0,
        serve: 0,
        replied: 0,
        replied_path: Path::default(),
        first: NONE,
        last: NONE,
    };
    let mut engine = Engine {
        program,
        machine,
        queue: Q::default(),
        processes: vec![process; program.processes() as usize],
        messages: Vec::new(),
        free: NONE,
        locks: FxHashMap::default(),
        run: Run { processes: Vec::new(), links: Links::default(), events: 0, messages: 0 },
    };
    for process in 0..program.processes() {
        engine.go_on(process)?;
    }
    while let Some((at, event)) = engine.queue.pop() {
        engine.run.events += 1;
        if event & GO_ON == 0 {
            engine.arrive(at, event)?;
        } else {
            engine.go_on(event & !GO_ON)?;
        }
    }
    engine.end()
}

struct Engine<'a, P, Q> {
    program: &'a P,
    machine: &'a Machine,
    queue: Q,
    processes: Vec<Process>,
    /// All messages; the unused ones are a list that begins with `free`.
    messages: Vec<Message>,
    free: u32,
    locks: FxHashMap<(u32, u32), LockState>,
    run: Run,
}

impl<P: Program, Q: Queue> Engine<'_, P, Q> {
    /// Runs a process until it waits, has ended, or is `AHEAD` operations ahead.
    fn go_on(&mut self, me: u32) -> Result<(), Failed> {
        for _ in 0..AHEAD {
            let process = &mut self.processes[me as usize];
            if process.clock > LIMIT {
                return Err(Failed::TooLong(me));
            }
            self.run.events += 1;
            match self.program.next(me, &mut process.cursor) {
                Some(Op::Compute(time)) => {
                    process.clock += time;
                    process.compute += time;
                    process.path.compute += time;
                }
                Some(Op::Send { to, bytes, tag }) => self.send(Kind::Message, me, to, bytes, 0, tag)?,
                Some(Op::Put { to, bytes }) => self.request(Kind::Put, me, to, bytes, 0, 0)?,
                Some(Op::Get { from, bytes }) => self.request(Kind::Get, me, from, 0, bytes, 0)?,
                Some(Op::Unlock { home, lock }) => self.send(Kind::Unlock, me, home, 0, 0, lock)?,
                Some(Op::Lock { home, lock }) => {
                    self.request(Kind::Lock, me, home, 0, 0, lock)?;
                    self.processes[me as usize].waits = Waits::Replies;
                    return Ok(());
                }
                Some(Op::Receive { from, tag }) => {
                    if !self.receive(me, from, tag) {
                        self.processes[me as usize].waits = Waits::Message { from, tag };
                        return Ok(());
                    }
                }
                Some(Op::Sync) => {
                    if !self.sync(me) {
                        self.processes[me as usize].waits = Waits::Replies;
                        return Ok(());
                    }
                }
                None => {
                    let ended = self.sync(me);
                    self.processes[me as usize].waits = if ended { Waits::Ended } else { Waits::Replies };
                    return Ok(());
                }
            }
        }
        let clock = self.processes[me as usize].clock;
        self.queue.push(clock, me | GO_ON);
        Ok(())
    }

    /// Sends a message; `reply` is the length of its reply.
    fn send(&mut self, kind: Kind, me: u32, to: u32, bytes: u64, reply: u64, tag: u32) -> Result<(), Failed> {
        let loggp = &self.machine.loggp;
        let transfer = self.machine.transfer(bytes);
        let process = &mut self.processes[me as usize];
        let start = process.clock.max(process.send);
        process.gap += start - process.clock;
        process.path.gap += start - process.clock;
        process.send = start + loggp.gap + transfer;
        process.clock = start + loggp.overhead;
        process.overhead += loggp.overhead;
        process.path.overhead += loggp.overhead;
        let mut path = process.path;
        path.transfer += transfer;
        let left = process.clock + transfer;
        let bytes = if kind == Kind::Get { reply } else { bytes };
        self.post(left, Message { path, at: 0, bytes, from: me, to, tag, next: NONE, kind })
    }

    /// Sends a request, for whose reply the process waits at its next synchronisation.
    fn request(
        &mut self,
        kind: Kind,
        me: u32,
        to: u32,
        bytes: u64,
        reply: u64,
        tag: u32,
    ) -> Result<(), Failed> {
        self.processes[me as usize].replies += 1;
        self.send(kind, me, to, bytes, reply, tag)
    }

    /// Handles the departure of a message's last byte.
    fn post(&mut self, left: Time, mut message: Message) -> Result<(), Failed> {
        message.path.messages += 1;
        self.run.messages += 1;
        let at = left + self.machine.latency(message.from, message.to);
        let number = self.free;
        if number == NONE {
            if self.messages.len() >= GO_ON as usize {
                return Err(Failed::TooMany);
            }
            self.messages.push(message);
            self.queue.push(at, self.messages.len() as u32 - 1);
        } else {
            self.free = self.messages[number as usize].next;
            self.messages[number as usize] = message;
            self.queue.push(at, number);
        }
        Ok(())
    }

    /// Frees a message.
    fn forget(&mut self, number: u32) {
        self.messages[number as usize].next = self.free;
        self.free = number;
    }

    /// Handles the arrival of a message's last byte.
    fn arrive(&mut self, at: Time, number: u32) -> Result<(), Failed> {
        let mut message = self.messages[number as usize];
        let length = if message.kind == Kind::Get { 0 } else { message.bytes };
        let process = &mut self.processes[message.to as usize];
        let taken = at.max(process.take_in + self.machine.transfer(length));
        process.take_in = taken + self.machine.loggp.gap;
        message.path.gap += taken - at;
        message.at = taken;
        match message.kind {
            Kind::Message => {
                let to = message.to;
                let expected = match process.waits {
                    Waits::Message { from, tag } => matches(&message, from, tag),
                    _ => false,
                };
                if expected {
                    self.forget(number);
                    self.take(&message);
                    self.go_on(to)
                } else {
                    let (last, first) = (process.last, process.first);
                    process.last = number;
                    if first == NONE {
                        process.first = number;
                    } else {
                        self.messages[last as usize].next = number;
                    }
                    self.messages[number as usize] = message;
                    Ok(())
                }
            }
            Kind::Reply => {
                self.forget(number);
                self.reply(message)
            }
            _ => {
                self.forget(number);
                self.serve(message)
            }
        }
    }

    /// Receives a message that has arrived already. Returns false if there is none.
    fn receive(&mut self, me: u32, from: Option<u32>, tag: u32) -> bool {
        let process = &mut self.processes[me as usize];
        let (mut before, mut number) = (NONE, process.first);
        while number != NONE {
            let message = self.messages[number as usize];
            if matches(&message, from, tag) {
                if before == NONE {
                    process.first = message.next;
                } else {
                    self.messages[before as usize].next = message.next;
                }
                if process.last == number {
                    process.last = before;
                }
                self.forget(number);
                self.take(&message);
                return true;
            }
            (before, number) = (number, message.next);
        }
        false
    }

    /// Has the receiver take a message that has arrived.
    fn take(&mut self, message: &Message) {
        let overhead = self.machine.loggp.overhead;
        let process = &mut self.processes[message.to as usize];
        process.waits = Waits::Nothing;
        if message.at > process.clock {
            process.clock = message.at;
            process.path = message.path;
            let link = Link { before: message.path.link, from: message.from, to: message.to, at: message.at };
            process.path.link = self.run.links.add(link);
        }
        process.clock += overhead;
        process.overhead += overhead;
        process.path.overhead += overhead;
    }

    /// Serves a request that has arrived.
    fn serve(&mut self, message: Message) -> Result<(), Failed> {
        let LogGp { overhead, gap, .. } = self.machine.loggp;
        let process = &mut self.processes[message.to as usize];
        let start = message.at.max(process.serve);
        let mut path = message.path;
        path.gap += start - message.at;
        path.overhead += overhead;
        process.serve = start + overhead;
        let read = start + overhead;
        match message.kind {
            Kind::Put => self.answer(message.to, message.from, 0, path, read),
            Kind::Get => {
                let transfer = self.machine.transfer(message.bytes);
                self.processes[message.to as usize].serve = read + overhead.max(gap + transfer);
                self.answer(message.to, message.from, message.bytes, path, read)
            }
            Kind::Lock => {
                let state = self.locks.entry((message.to, message.tag)).or_default();
                if state.held {
                    state.queue.push_back(message.from);
                    return Ok(());
                }
                state.held = true;
                self.answer(message.to, message.from, 0, path, read)
            }
            _ => {
                let state = self.locks.entry((message.to, message.tag)).or_default();
                match state.queue.pop_front() {
                    // The waiting process depends on the unlock, which came after its own request.
                    Some(next) => self.answer(message.to, next, 0, path, read),
                    None => {
                        state.held = false;
                        Ok(())
                    }
                }
            }
        }
    }

    /// Sends a reply of the server at `from`, from `start` on.
    fn answer(&mut self, from: u32, to: u32, bytes: u64, mut path: Path, start: Time) -> Result<(), Failed> {
        let overhead = self.machine.loggp.overhead;
        let transfer = self.machine.transfer(bytes);
        path.overhead += overhead;
        path.transfer += transfer;
        let process = &mut self.processes[from as usize];
        process.serve = process.serve.max(start + overhead);
        let message = Message { path, at: 0, bytes, from, to, tag: 0, next: NONE, kind: Kind::Reply };
        self.post(start + overhead + transfer, message)
    }

    /// Handles a reply that has arrived.
    fn reply(&mut self, message: Message) -> Result<(), Failed> {
        let overhead = self.machine.loggp.overhead;
        let process = &mut self.processes[message.to as usize];
        let mut path = message.path;
        path.overhead += overhead;
        process.overhead += overhead;
        let start = message.at.max(process.replied);
        path.gap += start - message.at;
        path.link = self.run.links.add(Link {
            before: message.path.link,
            from: message.from,
            to: message.to,
            at: message.at,
        });
        process.replied = start + overhead;
        process.replied_path = path;
        process.replies -= 1;
        if process.waits == Waits::Replies && process.replies == 0 {
            self.sync(message.to);
            return self.go_on(message.to);
        }
        Ok(())
    }

    /// Returns whether all replies have come. If so the process goes on at the time of the last.
    fn sync(&mut self, me: u32) -> bool {
        let process = &mut self.processes[me as usize];
        if process.replies > 0 {
            return false;
        }
        process.waits = Waits::Nothing;
        if process.replied > process.clock {
            process.clock = process.replied;
            process.path = process.replied_path;
        }
        true
    }

    /// Returns the result, when no event is left.
    fn end(self) -> Result<Run, Failed> {
        if self.processes.iter().any(|process| process.waits != Waits::Ended) {
            return Err(Failed::Deadlock(self.processes));
        }
        let (mut some, mut many) = (Vec::new(), 0);
        for process in &self.processes {
            let mut number = process.first;
            while number != NONE {
                let message = &self.messages[number as usize];
                many += 1;
                if some.len() < 8 {
                    some.push((message.from, message.to, message.tag));
                }
                number = message.next;
            }
        }
        if many > 0 {
            return Err(Failed::NotReceived(some, many));
        }
        Ok(Run { processes: self.processes, ..self.run })
    }
}

fn matches(message: &Message, from: Option<u32>, tag: u32) -> bool {
    message.tag == tag && from.is_none_or(|from| from == message.from)
}
