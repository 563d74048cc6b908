//! Carrying the threads' output to the launcher's own.
//!
//! All threads write standard output to one stream socket and standard error to another. The kernel keeps the
//! order of the writes and reports the writers; `lines` assembles whole lines. A thread of the launcher's
//! own, the forwarder, reads and writes, so that a slow reader of the job's output blocks only the threads
//! that write (their sockets fill): the launcher still sees deaths and Ctrl-C. If the threads are on several
//! hosts, their agents read, and the launcher passes the bytes that they send to the forwarder.

use std::collections::HashMap;
use std::io::{self, IsTerminal, Write};
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::explain;
use crate::lines::{self, LAUNCHER, Lines, Source};
use crate::sys::{self, Wakeup};

/// Bytes read from a socket at a time.
const CHUNK: usize = 256 << 10;
/// Ready output is written if there is this much of it, or nothing more to read.
const BATCH: usize = 64 << 10;
/// How long an unfinished line waits for its end before a terminal shows it. Also the interval at which the
/// forwarder checks whether the writers of unfinished lines that the launcher does not know still exist.
const PAUSE: Duration = Duration::from_millis(60);

/// Requests from the launcher to the forwarder, in order.
enum Request {
    /// A process of another host has written to standard output (0) or error (1).
    Chunk { stream: usize, source: Source, host: usize, bytes: Vec<u8> },
    /// The prefix of a process's lines.
    Tag(Source, String),
    /// The process has ended: all of its output is in the sockets.
    Ended(Source),
    /// A message of the launcher's, for standard error.
    Say(String),
    /// All threads have ended: carry the remaining output, and stop.
    Finish,
}

/// Shared between the launcher and its forwarder.
struct Shared {
    requests: Mutex<Vec<Request>>,
    /// Notified by the launcher when there are requests.
    requested: Wakeup,
    /// Notified by the forwarder when it has failed or has finished.
    changed: Wakeup,
    state: Mutex<Progress>,
}

#[derive(Default)]
struct Progress {
    failure: Option<String>,
    finished: bool,
    /// Bytes of each host's chunks that have been carried and not yet been reported by `carried`.
    carried: HashMap<usize, usize>,
}

/// The launcher's handle of its forwarder.
pub struct OutputForwarder {
    shared: Arc<Shared>,
}

impl OutputForwarder {
    /// Starts carrying the bytes that arrive at `readers` (standard output, standard error). `tags`: the
    /// prefix of each process's lines, if tagged.
    ///
    /// # Errors
    /// If the kernel refuses descriptors or threads.
    pub fn start(
        readers: [OwnedFd; 2],
        tags: Option<HashMap<Source, String>>,
    ) -> io::Result<OutputForwarder> {
        OutputForwarder::start_with(readers.map(Some), tags)
    }

    /// Starts carrying the bytes that `chunk` passes, tagged or not.
    ///
    /// # Errors
    /// If the kernel refuses descriptors or threads.
    pub fn start_fed(tagged: bool) -> io::Result<OutputForwarder> {
        OutputForwarder::start_with([None, None], tagged.then(HashMap::new))
    }

    fn start_with(
        readers: [Option<OwnedFd>; 2],
        tags: Option<HashMap<Source, String>>,
    ) -> io::Result<OutputForwarder> {
        let shared = Arc::new(Shared {
            requests: Mutex::default(),
            requested: Wakeup::new()?,
            changed: Wakeup::new()?,
            state: Mutex::default(),
        });
        let mut state = State::new(readers, tags, Arc::clone(&shared));
        thread::Builder::new().name("output".into()).spawn(move || state.run())?;
        Ok(OutputForwarder { shared })
    }

    /// Passes `bytes`, which process `source` of `host` has written to standard output (0) or error (1).
    /// `carried` tells when they have been written.
    pub fn chunk(&self, stream: u8, source: Source, host: usize, bytes: Vec<u8>) {
        self.request(Request::Chunk { stream: usize::from(stream.min(1)), source, host, bytes });
    }

    /// Sets the prefix of this process's lines, if lines are tagged.
    pub fn tag(&self, source: Source, tag: String) {
        self.request(Request::Tag(source, tag));
    }

    /// Returns the number of bytes of each host's chunks that have been written since the last call.
    pub fn carried(&self) -> HashMap<usize, usize> {
        std::mem::take(&mut self.shared.state.lock().expect("the forwarder does not panic").carried)
    }

    /// Writes out the unfinished line of a process that has ended and been waited for.
    pub fn ended(&self, source: Source) {
        self.request(Request::Ended(source));
    }

    /// Writes a message of the launcher's, after all output that has been written by now.
    pub fn say(&self, text: String) {
        self.request(Request::Say(text));
    }

    /// Tells the forwarder that all threads have ended.
    pub fn finish(&self) {
        self.request(Request::Finish);
    }

    /// Returns the descriptor that becomes readable when there is news.
    pub fn news_fd(&self) -> RawFd {
        self.shared.changed.fd().as_raw_fd()
    }

    /// Returns why output could not be written, once; and, after `finish`, whether all has been carried. Both
    /// are read after the notification is cleared, so that later news notifies again.
    pub fn news(&self) -> (Option<String>, bool) {
        self.shared.changed.clear();
        let mut state = self.shared.state.lock().expect("the forwarder does not panic");
        (state.failure.take(), state.finished)
    }

    /// Returns why output could not be written, once.
    pub fn failure(&self) -> Option<String> {
        self.news().0
    }

    /// Whether all output has been carried.
    #[cfg(test)]
    pub fn finished(&self) -> bool {
        self.shared.state.lock().unwrap().finished
    }

    /// Simulates a failed write.
    #[cfg(test)]
    pub fn fail(&self, why: &str) {
        self.shared.state.lock().unwrap().failure = Some(why.into());
    }

    fn request(&self, request: Request) {
        self.shared.requests.lock().expect("the forwarder does not panic").push(request);
        self.shared.requested.notify();
    }
}

/// Tells the user, if standard error is open and no forwarder runs.
pub fn say(text: &str) {
    let _ = writeln!(io::stderr(), "meridian: {text}");
}

/// Standard output or standard error.
struct Stream {
    /// None if the launcher passes bytes that agents have read.
    reader: Option<OwnedFd>,
    /// Bytes that the stream can hold, at most.
    capacity: usize,
    to: BorrowedFd<'static>,
    name: &'static str,
    terminal: bool,
    /// All writers have closed the stream, or it has failed.
    closed: bool,
    /// Output is discarded, because it could not be written; reading continues, so that no thread waits.
    broken: bool,
    lines: Lines,
}

/// The forwarder's state.
struct State {
    streams: [Stream; 2],
    buffer: Vec<u8>,
    shared: Arc<Shared>,
}

impl State {
    fn new(
        readers: [Option<OwnedFd>; 2],
        tags: Option<HashMap<Source, String>>,
        shared: Arc<Shared>,
    ) -> State {
        let mut ends =
            [(rustix::stdio::stdout(), "standard output"), (rustix::stdio::stderr(), "standard error")]
                .into_iter();
        let streams = readers.map(|reader| {
            let (to, name) = ends.next().expect("two streams");
            let lines = Lines::new(tags.clone());
            let capacity = reader.as_ref().map_or(0, sys::stream_capacity);
            Stream {
                reader,
                capacity,
                to,
                name,
                terminal: to.is_terminal(),
                closed: false,
                broken: false,
                lines,
            }
        });
        State { streams, buffer: vec![0; CHUNK], shared }
    }

    fn run(&mut self) {
        loop {
            let pause = self.streams.iter().any(|s| s.lines.has_unfinished()).then(|| Instant::now() + PAUSE);
            let fds = [
                self.shared.requested.fd().as_raw_fd(),
                self.streams[0].poll_fd(),
                self.streams[1].poll_fd(),
            ];
            let [requested, output, errors] = sys::wait_readable(fds, pause);
            // Requests are taken before reading, so that the output of an ended process is then in the bytes
            // read.
            let requests = if requested { self.requests() } else { Vec::new() };
            for (i, readable) in [output, errors].into_iter().enumerate() {
                if readable || !requests.is_empty() {
                    self.carry(i);
                }
            }
            if !(requested || output || errors) {
                self.pause();
            }
            if self.apply(requests) {
                return;
            }
        }
    }

    fn requests(&self) -> Vec<Request> {
        self.shared.requested.clear();
        std::mem::take(&mut *self.shared.requests.lock().expect("the launcher does not panic"))
    }

    /// Carries the present contents of a stream, and not much more: writers that never pause must not keep
    /// the forwarder from the other stream.
    fn carry(&mut self, i: usize) {
        let stream = &mut self.streams[i];
        let mut carried = 0;
        while let Some(reader) = stream.reader.as_ref().filter(|_| !stream.closed)
            && carried <= stream.capacity
        {
            match sys::receive(reader, &mut self.buffer) {
                Ok(None) => break,
                Ok(Some((_, 0))) | Err(_) => stream.closed = true,
                Ok(Some((source, count))) => {
                    carried += count;
                    stream.lines.take(lines::source(0, source), &self.buffer[..count]);
                    if stream.lines.ready().len() >= BATCH {
                        stream.write(&self.shared);
                    }
                }
            }
        }
        stream.write(&self.shared);
    }

    /// Follows the launcher's requests. Returns whether the last one has come.
    fn apply(&mut self, requests: Vec<Request>) -> bool {
        let mut last = false;
        let mut carried: HashMap<usize, usize> = HashMap::new();
        for request in requests {
            match request {
                Request::Chunk { stream, source, host, bytes } => {
                    let stream = &mut self.streams[stream];
                    stream.lines.take(source, &bytes);
                    if stream.lines.ready().len() >= BATCH {
                        stream.write(&self.shared);
                    }
                    *carried.entry(host).or_default() += bytes.len();
                }
                Request::Tag(source, tag) => {
                    self.streams.iter_mut().for_each(|s| s.lines.tag(source, &tag));
                }
                Request::Ended(source) => {
                    self.streams.iter_mut().for_each(|s| s.lines.end(source));
                }
                Request::Say(text) => {
                    let errors = &mut self.streams[1];
                    errors.lines.take(LAUNCHER, format!("meridian: {text}\n").as_bytes());
                }
                Request::Finish => {
                    self.streams.iter_mut().for_each(|s| s.lines.end_all());
                    last = true;
                }
            }
        }
        for stream in &mut self.streams {
            stream.write(&self.shared);
        }
        if !carried.is_empty() {
            let mut state = self.shared.state.lock().expect("the launcher does not panic");
            carried.into_iter().for_each(|(host, n)| *state.carried.entry(host).or_default() += n);
            drop(state);
            self.shared.changed.notify();
        }
        if last {
            self.shared.state.lock().expect("the launcher does not panic").finished = true;
            self.shared.changed.notify();
        }
        last
    }

    /// Handles a pause in which nothing has arrived: shows or ends unfinished lines.
    fn pause(&mut self) {
        for stream in &mut self.streams {
            // Processes that threads have started are not waited for by the launcher, and cannot be seen from
            // here if an agent reads: their unfinished lines go out at the end of the job.
            let here =
                |s: &Source| stream.reader.is_some() && i32::try_from(*s).is_ok_and(|s| !sys::exists(s));
            let gone: Vec<Source> = stream.lines.unfinished().filter(here).collect();
            gone.into_iter().for_each(|source| stream.lines.end(source));
            if stream.terminal {
                stream.lines.show_unfinished();
            }
            stream.write(&self.shared);
        }
    }
}

impl Stream {
    /// Returns the descriptor to wait for; a negative one is never readable.
    fn poll_fd(&self) -> RawFd {
        self.reader.as_ref().filter(|_| !self.closed).map_or(-1, AsRawFd::as_raw_fd)
    }

    fn write(&mut self, shared: &Shared) {
        if !self.broken
            && let Err(error) = sys::write_all(self.to, self.lines.ready())
        {
            self.broken = true;
            let mut state = shared.state.lock().expect("the launcher does not panic");
            let why = if base::say::is_closed(&error) { base::say::why_not(&error) } else { explain(&error) };
            state.failure.get_or_insert(format!("{}: {why}", self.name));
            shared.changed.notify();
        }
        self.lines.ready().clear();
    }
}
