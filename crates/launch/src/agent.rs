//! An agent: the part of `meridian run -H` that runs on each host (`meridian run-host`, not for users).
//!
//! The agent makes the host's memory files, starts the host's threads, and carries the frames of `frame.rs`
//! between them and the launcher: output, deaths, signals, standard input, and the data that threads exchange
//! before they can reach each other. The launcher decides what a death means for the job. The agent decides
//! one thing: when the launcher is gone, or silent for too long, the agent ends its threads and all processes
//! that they have started.

use std::collections::VecDeque;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use base::contract::CONTRACT_TEXT;

use crate::control::{self, Control};
use crate::cores;
use crate::error::Error;
use crate::frame::{self, FromAgent, Job, Misread, ToAgent};
use crate::link::{Link, Queue};
use crate::options::Pin;
use crate::program;
use crate::signals::Signals;
use crate::spawn::{Part, ProcessSpec};
use crate::sys::{self, Change, Wait};

/// Bytes read from a thread's output at a time.
const CHUNK: usize = 64 << 10;
/// How long a refusal may take to reach the launcher.
const OUTPUT_GRACE: Duration = Duration::from_secs(5);

/// Runs an agent on standard input and output until its job is over. Returns its exit code, which nobody
/// reads.
pub fn run() -> i32 {
    // The launcher starts agents tied to its life, for the sake of `ssh`; an agent ends in good order by
    // itself.
    sys::die_with_any_parent(false);
    sys::admit_open_files();
    let link = sys::own_streams().and_then(|(from, to)| Link::new(from, to, false));
    let Ok(mut link) = link else { return 1 };
    link.send(frame::GREETING);
    let mut frames = VecDeque::new();
    let outcome = match first(&mut link, &mut frames) {
        Some(Ok(ToAgent::Job(job))) => Agent::start(&job).map_err(|e| (e.exit_code(), e.to_string())),
        Some(Err(Misread::Build { version, contract })) => Err((1, another_build(&version, contract))),
        Some(_) => Err((
            1,
            "the first message of the launcher is malformed: check that all hosts have the same Meridian"
                .into(),
        )),
        None => return 1,
    };
    match outcome {
        Ok(mut agent) => agent.supervise(link, frames),
        Err((code, text)) => refuse(link, code, text),
    }
}

/// Returns the message for a launcher that is another build of Meridian, of this version and with this
/// version of the contract.
fn another_build(version: &str, contract: u32) -> String {
    let own = env!("CARGO_PKG_VERSION");
    let differ = if own == version {
        format!(
            "Meridian {own} on this host has version {CONTRACT_TEXT} of the contract between its parts, and \
             on the launcher's host version {contract:08x}"
        )
    } else {
        format!("Meridian is version {own} on this host, and version {version} on the launcher's host")
    };
    format!("{differ}: install the same build on all hosts")
}

/// Ends the agent with this pid, which does not answer, and so its threads. Returns the exit code.
pub fn end(pid: i32) -> i32 {
    let arguments = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    if arguments.split(|&b| b == 0).nth(1) != Some(b"run-host") {
        return 1;
    }
    sys::send(pid, libc::SIGKILL);
    0
}

/// Returns the first frame, and leaves the frames that have come with it in `frames`. Returns none if the
/// launcher is gone.
fn first(link: &mut Link, frames: &mut VecDeque<Vec<u8>>) -> Option<Result<ToAgent, Misread>> {
    loop {
        frames.extend(link.receive());
        if let Some(frame) = frames.pop_front() {
            return Some(ToAgent::read(&frame));
        }
        if link.closed() {
            return None;
        }
        wait_for(link, None);
    }
}

fn wait_for(link: &Link, until: Option<Instant>) {
    let (from, to) = link.waits();
    sys::wait_any(&mut [Wait::to_read(from), Wait::to_write(to)], until);
}

fn refuse(mut link: Link, code: i32, text: String) -> i32 {
    link.send(&FromAgent::Refused { code, text }.write());
    let until = Instant::now() + OUTPUT_GRACE;
    while !link.closed() && Instant::now() < until {
        wait_for(&link, Some(until));
        link.flush();
        link.receive();
    }
    1
}

/// A thread's end of the exchange.
struct ExchangeEnd {
    fd: OwnedFd,
    came: Vec<u8>,
    answer: Queue,
    closed: bool,
}

impl ExchangeEnd {
    /// Reads the bytes that have come.
    fn receive(&mut self) {
        let mut bytes = [0; 4096];
        loop {
            match sys::read_some(&self.fd, &mut bytes) {
                Ok(None) => return,
                Ok(Some(0)) | Err(_) => {
                    self.closed = true;
                    return;
                }
                Ok(Some(count)) => self.came.extend_from_slice(&bytes[..count]),
            }
        }
    }

    /// Returns the length of the thread's contribution, once all of it has come.
    fn whole(&self) -> Option<usize> {
        let length = u32::from_le_bytes(self.came.get(..4)?.try_into().expect("four bytes")) as usize;
        (self.came.len() >= 4 + length).then_some(length)
    }

    fn flush(&mut self) {
        if self.answer.flush(&self.fd).is_err() {
            self.closed = true; // its death is seen elsewhere
        }
    }

    fn waits(&self) -> [Wait; 2] {
        let fd = if self.closed { -1 } else { self.fd.as_raw_fd() };
        [Wait::to_read(fd), Wait::to_write(if self.answer.is_empty() { -1 } else { fd })]
    }
}

/// Finds the job's program on this host, which has to be the launcher's; enters the job's directory.
fn find_program(job: &Job) -> Result<PathBuf, Error> {
    std::env::set_current_dir(&job.directory).map_err(|e| {
        Error::Hosts(format!(
            "cannot enter the directory {}: {e}; a job runs in the same directory on all hosts",
            job.directory.display()
        ))
    })?;
    let path = program::find(job.program.as_os_str(), None).map_err(Error::on_another_host)?;
    if program::hash(&path).map_err(Error::system("cannot read the program"))? != job.hash {
        return Err(Error::Hosts(format!(
            "{} is another build than on the launcher's host: copy the program to all hosts",
            path.display()
        )));
    }
    Ok(path)
}

/// A host's part of a running job.
struct Agent {
    first: usize,
    /// Standard output and error of the threads; none once all writers have closed them.
    pids: Vec<i32>,
    signals: Signals,
    control: Control,
    /// Standard output and error of the threads; none once nobody writes any more.
    streams: [Option<OwnedFd>; 2],
    /// Bytes of output that may be sent.
    credit: i64,
    exchange_ends: Vec<ExchangeEnd>,
    /// Thread 0's standard input.
    input: Option<OwnedFd>,
    input_queue: Queue,
    input_ended: bool,
    /// The launcher has been told that a thread prints the job's fatal message.
    fatal_told: bool,
    /// The launcher is stopped, and so are the threads.
    suspended: bool,
    silence: Duration,
    /// The cores of the threads, claimed until the end.
    placement: cores::Placement,
}

impl Agent {
    /// Makes the host's memory and starts its threads.
    fn start(job: &Job) -> Result<Agent, Error> {
        let path = find_program(job)?;
        let here = job.here as usize;
        let pin = [Pin::Auto, Pin::Always, Pin::Never].into_iter().find(|&p| p as u32 == job.pin);
        let placement = cores::place(here, pin.unwrap_or_default(), program::uses_openmp(&path));
        let signals = Signals::take(&[]).map_err(Error::system("cannot listen for signals"))?;
        let (memory, control) = control::host_files()?;
        sys::adopt_orphans();
        let (own, theirs) = ends(job).map_err(Error::system("cannot create the job's sockets"))?;
        let mut agent = Agent::new(job, own, signals, control, placement);
        let spec = ProcessSpec {
            program: path,
            name: job.name.clone(),
            arguments: job.arguments.clone(),
            threads: here,
            cores: agent.placement.cores.clone(),
            memory_fd: memory.as_raw_fd(),
            control_fd: agent.control.raw_fd(),
            terminals: job.terminals.clone(),
            streams: Some(theirs.streams),
            part: Some(Part {
                first: job.first as usize,
                total: job.threads as usize,
                host: job.host,
                hosts: job.hosts,
                host_name: job.host_name.clone(),
                directory: job.directory.clone(),
                environment: job.environment.clone(),
                exchange: theirs.exchange,
                input: theirs.input,
            }),
            gdb: None,
        };
        agent.pids = spec.start()?;
        // The agent's own copies would keep the streams from ending, and the memory from being freed.
        drop((spec, memory));
        Ok(agent)
    }

    /// Makes an agent whose threads have not been started.
    fn new(
        job: &Job,
        own: OwnEnds,
        signals: Signals,
        control: Control,
        placement: cores::Placement,
    ) -> Agent {
        Agent {
            first: job.first as usize,
            pids: vec![0; job.here as usize],
            signals,
            control,
            streams: own.streams.map(Some),
            credit: frame::OUTPUT_WINDOW as i64,
            exchange_ends: own.exchange,
            input: own.input,
            input_queue: Queue::default(),
            input_ended: false,
            fatal_told: false,
            suspended: false,
            silence: Duration::from_millis(job.silence.into()),
            placement,
        }
    }

    /// Supervises the threads until the launcher lets go. Returns the exit code.
    fn supervise(&mut self, mut link: Link, frames: VecDeque<Vec<u8>>) -> i32 {
        let started = FromAgent::Started {
            agent: std::process::id() as i32,
            pids: self.pids.clone(),
            cores: self.placement.describe(),
        };
        link.send(&started.write());
        for frame in frames {
            if self.apply(&frame, &mut link).is_some() {
                return self.end();
            }
        }
        let mut last_received = Instant::now();
        let mut last_sent = last_received;
        loop {
            let pulse = self.silence / 4;
            let allowed = if self.suspended { Duration::MAX } else { self.silence };
            let end = last_received.checked_add(allowed);
            self.wait(&link, end.map_or(last_sent + pulse, |end| end.min(last_sent + pulse)));
            for arrival in self.signals.arrived() {
                match arrival.number {
                    libc::SIGCHLD => self.collect(&mut link),
                    number => self.send(number), // the threads' deaths will tell the launcher
                }
            }
            for i in 0..2 {
                self.carry(i, self.credit, &mut link);
            }
            self.exchange(&mut link);
            self.feed(&mut link);
            link.flush();
            let frames = link.receive();
            if !frames.is_empty() {
                last_received = Instant::now();
            }
            for frame in frames {
                if let Some(code) = self.apply(&frame, &mut link) {
                    return code;
                }
            }
            if link.closed() {
                return self.end();
            }
            if !self.suspended && last_received.elapsed() >= self.silence {
                let code = self.end();
                let seconds = self.silence.as_secs();
                let text = format!("the launcher has been silent for {seconds} s (MERIDIAN_SILENCE)");
                link.send(&FromAgent::Leaving { text }.write());
                return code;
            }
            if last_sent.elapsed() >= pulse {
                link.send(&FromAgent::Alive.write());
                last_sent = Instant::now();
            }
        }
    }

    fn wait(&self, link: &Link, until: Instant) {
        let (from, to) = link.waits();
        let mut waits =
            vec![Wait::to_read(self.signals.as_raw_fd()), Wait::to_read(from), Wait::to_write(to)];
        if self.credit > 0 {
            waits.extend(self.streams.iter().flatten().map(|s| Wait::to_read(s.as_raw_fd())));
        }
        waits.extend(self.exchange_ends.iter().flat_map(ExchangeEnd::waits));
        let wants = !self.input_queue.is_empty();
        waits.extend(self.input.iter().filter(|_| wants).map(|i| Wait::to_write(i.as_raw_fd())));
        sys::wait_any(&mut waits, Some(until));
    }

    fn send(&self, signal: i32) {
        for &pid in self.pids.iter().filter(|&&pid| pid != 0) {
            sys::send(pid, signal);
        }
    }

    /// Sends the bytes that stream `i` holds, about `most` at most.
    fn carry(&mut self, i: usize, most: i64, link: &mut Link) {
        let mut left = most;
        let mut buffer = vec![0; CHUNK];
        while left > 0 {
            let Some(stream) = &self.streams[i] else { return };
            match sys::receive(stream, &mut buffer) {
                Ok(None) => return,
                Ok(Some((_, 0))) | Err(_) => self.streams[i] = None,
                Ok(Some((pid, count))) => {
                    if !self.fatal_told && self.control.message_claimed() {
                        self.fatal_told = true;
                        link.send(&FromAgent::Fatal.write());
                    }
                    left -= count as i64;
                    self.credit -= count as i64;
                    let bytes = buffer[..count].to_vec();
                    link.send(&FromAgent::Output { stream: i as u8, pid, bytes }.write());
                }
            }
        }
    }

    /// Reports the processes that have ended, after all of their output.
    fn collect(&mut self, link: &mut Link) {
        while let Some((pid, change)) = sys::changed_child() {
            let here = self.pids.iter().position(|&p| p == pid);
            let Change::Ended(exit) = change else {
                if let Some(thread) = here.filter(|_| !self.suspended).map(|here| (self.first + here) as u32)
                {
                    let stopped = change == Change::Stopped;
                    link.send(&FromAgent::Stopped { thread, stopped }.write());
                }
                continue;
            };
            for i in 0..2 {
                let held = self.streams[i].as_ref().map_or(0, sys::stream_capacity);
                self.carry(i, held as i64, link);
            }
            let thread = here.map(|here| self.first + here);
            let news = self.control.news(thread.unwrap_or(self.first));
            if let Some(here) = here {
                self.pids[here] = 0;
            }
            let thread = thread.map(|t| t as u32);
            link.send(&FromAgent::Ended { pid, thread, exit, news }.write());
        }
    }

    /// Sends the threads' contributions, once all threads of this host have given theirs.
    fn exchange(&mut self, link: &mut Link) {
        for end in &mut self.exchange_ends {
            end.receive();
            end.flush();
        }
        while let Some(lengths) =
            self.exchange_ends.iter().map(ExchangeEnd::whole).collect::<Option<Vec<usize>>>()
        {
            let mut bytes = Vec::new();
            for (end, &length) in self.exchange_ends.iter_mut().zip(&lengths) {
                bytes.extend_from_slice(&end.came[4..4 + length]);
                end.came.drain(..4 + length);
            }
            link.send(&FromAgent::Exchange { each: lengths[0] as u32, bytes }.write());
        }
    }

    /// Hands thread 0 its standard input.
    fn feed(&mut self, link: &mut Link) {
        let Some(input) = &self.input else { return };
        match self.input_queue.flush(input) {
            Ok(0) => {}
            Ok(count) => link.send(&FromAgent::Taken(count as u32).write()),
            Err(_) => self.input = None, // thread 0 reads no more
        }
        if self.input_ended && self.input_queue.is_empty() {
            self.input = None;
        }
    }

    /// Follows a frame. Returns the exit code if the job is over.
    fn apply(&mut self, frame: &[u8], link: &mut Link) -> Option<i32> {
        match ToAgent::read(frame) {
            Ok(ToAgent::Exchanged(bytes)) => {
                for end in &mut self.exchange_ends {
                    end.answer.push(&bytes);
                    end.flush();
                }
            }
            Ok(ToAgent::Signal { number, ending, global_exit }) => {
                if ending {
                    self.control.announce_end(global_exit);
                }
                self.send(number);
            }
            Ok(ToAgent::Input(bytes)) if bytes.is_empty() => self.input_ended = true,
            Ok(ToAgent::Input(bytes)) => self.input_queue.push(&bytes),
            Ok(ToAgent::Credit(count)) => self.credit += i64::from(count),
            Ok(ToAgent::Alive) => {}
            Ok(ToAgent::Suspend(rest)) => {
                self.suspended = rest;
                self.send(if rest { libc::SIGSTOP } else { libc::SIGCONT });
            }
            Ok(ToAgent::Leave { forced: false }) if self.pids.iter().all(|&pid| pid == 0) => return Some(0),
            Ok(ToAgent::Leave { .. }) | Ok(ToAgent::Job(_)) | Err(_) => return Some(self.end()),
        }
        self.feed(link);
        None
    }

    /// Ends the threads and the processes that they have left behind.
    fn end(&mut self) -> i32 {
        self.control.announce_end(None);
        self.send(libc::SIGKILL);
        sys::end_orphans(&[]);
        1
    }
}

/// An agent's ends of the sockets and pipes between it and its threads.
struct OwnEnds {
    /// Standard output and error.
    streams: [OwnedFd; 2],
    exchange: Vec<ExchangeEnd>,
    /// Thread 0's standard input, on its host.
    input: Option<OwnedFd>,
}

/// The threads' ends of these sockets and pipes.
struct ThreadEnds {
    streams: [OwnedFd; 2],
    exchange: Vec<OwnedFd>,
    input: Option<OwnedFd>,
}

fn ends(job: &Job) -> std::io::Result<(OwnEnds, ThreadEnds)> {
    let (output, errors) = (sys::named_stream()?, sys::named_stream()?);
    let mut own = OwnEnds { streams: [output.0, errors.0], exchange: Vec::new(), input: None };
    let mut theirs = ThreadEnds { streams: [output.1, errors.1], exchange: Vec::new(), input: None };
    for _ in 0..job.here {
        let (end, thread) = UnixStream::pair()?;
        end.set_nonblocking(true)?;
        let (came, answer) = (Vec::new(), Queue::default());
        own.exchange.push(ExchangeEnd { fd: end.into(), came, answer, closed: false });
        theirs.exchange.push(thread.into());
    }
    if job.first == 0 {
        let (reader, writer) = std::io::pipe()?;
        let writer: OwnedFd = writer.into();
        sys::never_wait(&writer)?;
        (own.input, theirs.input) = (Some(writer), Some(reader.into()));
    }
    Ok((own, theirs))
}

#[cfg(test)]
mod tests;
