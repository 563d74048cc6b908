//! The protocol between `meridian run -H` and its agents, one on each host.
//!
//! The protocol runs over two byte streams, the agent's standard input and output, so that any command that
//! can start another on a remote host can carry it (`ssh`, `srun`, `ip netns exec`). The agent's stream
//! begins with `GREETING`; output of a shell's start-up files before it is skipped. Then frames follow each
//! other in both directions:
//!
//! ```text
//! u32 length of the rest | u8 kind | fields
//! ```
//!
//! Numbers are little-endian, 32 or 64 bits; a text or a list is its length (u32) and its parts. The first
//! frame to an agent is the job, which begins with the versions of the contract and of Meridian, so that
//! differing builds detect each other before they misread a frame. `MER_REVISION_AGENTS` of the contract
//! changes with every change of the frames.
//!
//! Two flows have windows, so that neither side has to hold more than a window of bytes for a slow reader,
//! and deaths and signals are never delayed: output (the launcher gives credit for the bytes it has written)
//! and standard input (the agent gives it for the bytes thread 0 has read). Either side sends `Alive` if it
//! has sent nothing else for a quarter of the time after which silence counts as death.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use base::contract::CONTRACT;

use crate::supervisor::{Exit, News, Stage};

/// The agent's first bytes.
pub const GREETING: &[u8] = b"\nmeridian agent\n";
/// Bytes of output that an agent may have under way.
pub const OUTPUT_WINDOW: usize = 512 << 10;
/// Bytes of standard input that the launcher may have under way.
pub const INPUT_WINDOW: usize = 64 << 10;
/// Longest frame; a longer one is an error of the protocol. 8,192 threads exchange 4 KB each at most.
pub const LONGEST: usize = 64 << 20;

/// The data that an agent needs to run its host's part of a job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Job {
    /// The program's path, and the hash of its contents on the launcher's host.
    pub program: PathBuf,
    pub hash: u64,
    /// The program's `argv[0]`, as the user wrote it.
    pub name: OsString,
    pub arguments: Vec<OsString>,
    pub directory: PathBuf,
    pub environment: Vec<(OsString, OsString)>,
    /// Threads of the whole job, the first of this host, and how many this host has.
    pub threads: u32,
    pub first: u32,
    pub here: u32,
    /// This host's number and name in the user's list, and how many hosts there are.
    pub host: u32,
    pub hosts: u32,
    pub host_name: String,
    /// `Pin` as a number: 0 auto, 1 always, 2 never.
    pub pin: u32,
    pub terminals: String,
    /// Milliseconds after which silence is death.
    pub silence: u32,
}

/// From the launcher to an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToAgent {
    Job(Box<Job>),
    /// The contributions of all threads of the job to one exchange, by thread number.
    Exchanged(Vec<u8>),
    /// Send this signal to the host's threads. `ending`: the job is being ended, with this code if it is
    /// `upc_global_exit`'s.
    Signal {
        number: i32,
        ending: bool,
        global_exit: Option<i32>,
    },
    /// Standard input for thread 0; an empty frame is its end.
    Input(Vec<u8>),
    /// This many more bytes of output may be sent.
    Credit(u32),
    Alive,
    /// The launcher is being stopped (Ctrl-Z), with all threads, and will be silent (true); or it and the
    /// threads continue (false).
    Suspend(bool),
    /// The job is over. `forced`: end the processes that threads have left behind.
    Leave {
        forced: bool,
    },
}

/// From an agent to the launcher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromAgent {
    /// The threads run; the pids of the agent and of the threads, and a note on their cores for `-v`.
    Started {
        agent: i32,
        pids: Vec<i32>,
        cores: String,
    },
    /// The threads do not run, for this reason; the exit code of the reason.
    Refused {
        code: i32,
        text: String,
    },
    /// The contributions of the host's threads to one exchange, `each` bytes a thread.
    Exchange {
        each: u32,
        bytes: Vec<u8>,
    },
    /// A process has written to standard output (0) or error (1).
    Output {
        stream: u8,
        pid: i32,
        bytes: Vec<u8>,
    },
    /// A process has ended, and its output has been sent. `thread`: its number in the job, if it is a thread.
    Ended {
        pid: i32,
        thread: Option<u32>,
        exit: Exit,
        news: News,
    },
    /// Thread 0 has read this many bytes of its standard input.
    Taken(u32),
    Alive,
    /// A thread of this host prints the job's one fatal message, which comes next.
    Fatal,
    /// A thread has been stopped, or continued.
    Stopped {
        thread: u32,
        stopped: bool,
    },
    /// The agent has ended its threads for this reason, and ends.
    Leaving {
        text: String,
    },
}

/// Writes fields.
struct Out(Vec<u8>);

impl Out {
    fn kind(kind: u8) -> Out {
        Out(vec![0, 0, 0, 0, kind])
    }
    fn u32(mut self, value: u32) -> Out {
        self.0.extend(value.to_le_bytes());
        self
    }
    fn i32(self, value: i32) -> Out {
        self.u32(value.cast_unsigned())
    }
    fn u64(mut self, value: u64) -> Out {
        self.0.extend(value.to_le_bytes());
        self
    }
    fn flag(self, value: bool) -> Out {
        self.u32(u32::from(value))
    }
    fn bytes(self, bytes: &[u8]) -> Out {
        let mut out = self.u32(bytes.len() as u32);
        out.0.extend_from_slice(bytes);
        out
    }
    fn maybe(self, value: Option<i32>) -> Out {
        self.flag(value.is_some()).i32(value.unwrap_or(0))
    }
    fn list<T>(self, items: &[T], each: impl Fn(Out, &T) -> Out) -> Out {
        items.iter().fold(self.u32(items.len() as u32), each)
    }
    fn frame(mut self) -> Vec<u8> {
        let length = (self.0.len() - 4) as u32;
        self.0[..4].copy_from_slice(&length.to_le_bytes());
        self.0
    }
}

/// Reads fields; none if the frame is too short.
struct In<'a>(&'a [u8]);

impl In<'_> {
    fn take(&mut self, count: usize) -> Option<&[u8]> {
        let (head, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(head)
    }
    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }
    fn i32(&mut self) -> Option<i32> {
        self.u32().map(u32::cast_signed)
    }
    fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }
    fn flag(&mut self) -> Option<bool> {
        self.u32().map(|value| value != 0)
    }
    fn bytes(&mut self) -> Option<Vec<u8>> {
        let count = self.u32()? as usize;
        self.take(count).map(<[u8]>::to_vec)
    }
    fn text(&mut self) -> Option<String> {
        self.bytes().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }
    fn os(&mut self) -> Option<OsString> {
        self.bytes().map(OsString::from_vec)
    }
    fn maybe(&mut self) -> Option<Option<i32>> {
        let there = self.flag()?;
        let value = self.i32()?;
        Some(there.then_some(value))
    }
    fn list<T>(&mut self, mut each: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        (0..self.u32()?).map(|_| each(self)).collect()
    }
}

impl Job {
    fn write(&self, out: Out) -> Out {
        let os = |out: Out, text: &OsString| out.bytes(text.as_bytes());
        out.u32(CONTRACT)
            .bytes(env!("CARGO_PKG_VERSION").as_bytes())
            .bytes(self.program.as_os_str().as_bytes())
            .u64(self.hash)
            .bytes(self.name.as_bytes())
            .list(&self.arguments, os)
            .bytes(self.directory.as_os_str().as_bytes())
            .list(&self.environment, |out, (name, value)| os(os(out, name), value))
            .u32(self.threads)
            .u32(self.first)
            .u32(self.here)
            .u32(self.host)
            .u32(self.hosts)
            .bytes(self.host_name.as_bytes())
            .u32(self.pin)
            .bytes(self.terminals.as_bytes())
            .u32(self.silence)
    }

    fn read(input: &mut In) -> Option<Job> {
        Some(Job {
            program: input.os()?.into(),
            hash: input.u64()?,
            name: input.os()?,
            arguments: input.list(In::os)?,
            directory: input.os()?.into(),
            environment: input.list(|i| Some((i.os()?, i.os()?)))?,
            threads: input.u32()?,
            first: input.u32()?,
            here: input.u32()?,
            host: input.u32()?,
            hosts: input.u32()?,
            host_name: input.text()?,
            pin: input.u32()?,
            terminals: input.text()?,
            silence: input.u32()?,
        })
    }
}

/// Why a frame was not understood.
#[derive(Debug, PartialEq, Eq)]
pub enum Misread {
    /// The other side is another build of Meridian, of this version, and with this version of the contract.
    Build { version: String, contract: u32 },
    /// Not a frame of this protocol.
    Garbage,
}

impl ToAgent {
    /// Returns the frame's bytes.
    pub fn write(&self) -> Vec<u8> {
        match self {
            ToAgent::Job(job) => job.write(Out::kind(1)),
            ToAgent::Exchanged(bytes) => Out::kind(2).bytes(bytes),
            ToAgent::Signal { number, ending, global_exit } => {
                Out::kind(3).i32(*number).flag(*ending).maybe(*global_exit)
            }
            ToAgent::Input(bytes) => Out::kind(4).bytes(bytes),
            ToAgent::Credit(count) => Out::kind(5).u32(*count),
            ToAgent::Alive => Out::kind(6),
            ToAgent::Suspend(rest) => Out::kind(8).flag(*rest),
            ToAgent::Leave { forced } => Out::kind(7).flag(*forced),
        }
        .frame()
    }

    /// Reads a frame, without its length.
    ///
    /// # Errors
    /// If it is not a frame, or is the job of another build.
    pub fn read(frame: &[u8]) -> Result<ToAgent, Misread> {
        let (&kind, rest) = frame.split_first().ok_or(Misread::Garbage)?;
        let mut input = In(rest);
        if kind == 1 {
            let contract = input.u32().ok_or(Misread::Garbage)?;
            let version = input.text().ok_or(Misread::Garbage)?;
            if contract != CONTRACT || version != env!("CARGO_PKG_VERSION") {
                return Err(Misread::Build { version, contract });
            }
        }
        ToAgent::read_fields(kind, &mut input).ok_or(Misread::Garbage)
    }

    fn read_fields(kind: u8, input: &mut In) -> Option<ToAgent> {
        Some(match kind {
            1 => ToAgent::Job(Box::new(Job::read(input)?)),
            2 => ToAgent::Exchanged(input.bytes()?),
            3 => ToAgent::Signal { number: input.i32()?, ending: input.flag()?, global_exit: input.maybe()? },
            4 => ToAgent::Input(input.bytes()?),
            5 => ToAgent::Credit(input.u32()?),
            6 => ToAgent::Alive,
            8 => ToAgent::Suspend(input.flag()?),
            7 => ToAgent::Leave { forced: input.flag()? },
            _ => return None,
        })
    }
}

impl FromAgent {
    /// Returns the frame's bytes.
    pub fn write(&self) -> Vec<u8> {
        match self {
            FromAgent::Started { agent, pids, cores } => {
                Out::kind(1).i32(*agent).list(pids, |out, &pid| out.i32(pid)).bytes(cores.as_bytes())
            }
            FromAgent::Refused { code, text } => Out::kind(2).i32(*code).bytes(text.as_bytes()),
            FromAgent::Exchange { each, bytes } => Out::kind(3).u32(*each).bytes(bytes),
            FromAgent::Output { stream, pid, bytes } => {
                Out::kind(4).u32(u32::from(*stream)).i32(*pid).bytes(bytes)
            }
            FromAgent::Ended { pid, thread, exit, news } => {
                let (signal, number, core) = match *exit {
                    Exit::Code(code) => (false, code, false),
                    Exit::Signal { number, core } => (true, number, core),
                };
                let out = Out::kind(5).i32(*pid).maybe(thread.map(u32::cast_signed));
                let out = out.flag(signal).i32(number).flag(core);
                out.u32(news.stage as u32).flag(news.reported).maybe(news.global_exit)
            }
            FromAgent::Taken(count) => Out::kind(6).u32(*count),
            FromAgent::Alive => Out::kind(7),
            FromAgent::Fatal => Out::kind(8),
            FromAgent::Stopped { thread, stopped } => Out::kind(9).u32(*thread).flag(*stopped),
            FromAgent::Leaving { text } => Out::kind(10).bytes(text.as_bytes()),
        }
        .frame()
    }

    /// Reads a frame, without its length; none if it is no frame of this protocol.
    pub fn read(frame: &[u8]) -> Option<FromAgent> {
        let (&kind, rest) = frame.split_first()?;
        let mut input = In(rest);
        let input = &mut input;
        Some(match kind {
            1 => FromAgent::Started { agent: input.i32()?, pids: input.list(In::i32)?, cores: input.text()? },
            2 => FromAgent::Refused { code: input.i32()?, text: input.text()? },
            3 => FromAgent::Exchange { each: input.u32()?, bytes: input.bytes()? },
            4 => FromAgent::Output {
                stream: u8::from(input.flag()?),
                pid: input.i32()?,
                bytes: input.bytes()?,
            },
            5 => FromAgent::Ended {
                pid: input.i32()?,
                thread: input.maybe()?.map(i32::cast_unsigned),
                exit: FromAgent::exit(input)?,
                news: News {
                    stage: Stage::from_number(input.u32()?)?,
                    reported: input.flag()?,
                    global_exit: input.maybe()?,
                },
            },
            6 => FromAgent::Taken(input.u32()?),
            7 => FromAgent::Alive,
            8 => FromAgent::Fatal,
            9 => FromAgent::Stopped { thread: input.u32()?, stopped: input.flag()? },
            10 => FromAgent::Leaving { text: input.text()? },
            _ => return None,
        })
    }

    fn exit(input: &mut In) -> Option<Exit> {
        let (signal, number, core) = (input.flag()?, input.i32()?, input.flag()?);
        Some(if signal { Exit::Signal { number, core } } else { Exit::Code(number) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> Job {
        Job {
            program: "/home/me/a b".into(),
            hash: 0x0123_4567_89ab_cdef,
            name: "./a b".into(),
            arguments: vec!["1".into(), "".into()],
            directory: "/home/me".into(),
            environment: vec![("PATH".into(), "/bin".into()), ("EMPTY".into(), "".into())],
            threads: 8,
            first: 4,
            here: 4,
            host: 1,
            hosts: 2,
            host_name: "node1".into(),
            pin: 2,
            terminals: "12".into(),
            silence: 30_000,
        }
    }

    #[test]
    fn frames_to_agents_come_out_as_they_went_in() {
        for frame in [
            ToAgent::Job(Box::new(job())),
            ToAgent::Exchanged(vec![1, 2, 3]),
            ToAgent::Signal { number: 15, ending: true, global_exit: Some(-1) },
            ToAgent::Input(Vec::new()),
            ToAgent::Credit(77),
            ToAgent::Alive,
            ToAgent::Suspend(true),
            ToAgent::Leave { forced: true },
        ] {
            let bytes = frame.write();
            assert_eq!(bytes[..4], ((bytes.len() - 4) as u32).to_le_bytes());
            assert_eq!(ToAgent::read(&bytes[4..]), Ok(frame));
        }
    }

    #[test]
    fn frames_from_agents_come_out_as_they_went_in() {
        let news = News { stage: Stage::Inside, reported: true, global_exit: Some(3) };
        for frame in [
            FromAgent::Started { agent: 9, pids: vec![10, 11], cores: "tied".into() },
            FromAgent::Refused { code: 127, text: "no such program".into() },
            FromAgent::Exchange { each: 2, bytes: vec![1, 2, 3, 4] },
            FromAgent::Output { stream: 1, pid: 10, bytes: b"text\n".to_vec() },
            FromAgent::Ended { pid: 9, thread: Some(5), exit: Exit::Code(4), news },
            FromAgent::Ended { pid: 9, thread: None, exit: Exit::Signal { number: 9, core: true }, news },
            FromAgent::Taken(5),
            FromAgent::Alive,
            FromAgent::Fatal,
            FromAgent::Stopped { thread: 3, stopped: true },
            FromAgent::Leaving { text: "silence".into() },
        ] {
            assert_eq!(FromAgent::read(&frame.write()[4..]), Some(frame));
        }
    }

    #[test]
    fn another_builds_job_is_known_by_its_first_fields() {
        let mut bytes = ToAgent::Job(Box::new(job())).write();
        bytes[5] ^= 1;
        bytes.truncate(40);
        let version = env!("CARGO_PKG_VERSION").to_string();
        let build = Misread::Build { version, contract: CONTRACT ^ 1 };
        assert_eq!(ToAgent::read(&bytes[4..]), Err(build));
        bytes[5] ^= 1;
        let at = bytes.windows(5).position(|part| part == env!("CARGO_PKG_VERSION").as_bytes());
        bytes[at.expect("a version of five characters")] = b'9';
        assert!(
            matches!(ToAgent::read(&bytes[4..]), Err(Misread::Build { version, .. }) if version.starts_with('9'))
        );
    }

    proptest::proptest! {
        /// Any bytes are read or refused, and none cause a panic.
        #[test]
        fn no_bytes_make_reading_panic(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
            let _ = ToAgent::read(&bytes);
            let _ = FromAgent::read(&bytes);
        }
    }
}
