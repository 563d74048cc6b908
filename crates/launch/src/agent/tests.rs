//! Tests of an agent without processes of its own: its reaction to frames, and the frames it sends.

use base::contract::{aborts, control as offset};

use super::*;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::FileExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};

fn links() -> (Link, Link) {
    let (a, b) = UnixStream::pair().unwrap();
    let link = |end: UnixStream| Link::new(end.try_clone().unwrap().into(), end.into(), false).unwrap();
    (link(a), link(b))
}

/// Returns the frames that the agent has sent.
fn sent(launcher: &mut Link) -> Vec<FromAgent> {
    launcher.receive().iter().map(|frame| FromAgent::read(frame).expect("a frame")).collect()
}

/// The ends of two threads, which include the first of the job or not, and their agent, which has started no
/// process.
struct Host {
    agent: Agent,
    link: Link,
    launcher: Link,
    exchange: Vec<UnixStream>,
    writers: Option<[File; 2]>,
    input: Option<File>,
}

fn host(first: u32) -> Host {
    let job = Job { first, here: 2, silence: 30_000, ..Job::default() };
    let (own, theirs) = ends(&job).unwrap();
    let (link, launcher) = links();
    let (signals, control) = (Signals::take(&[]).unwrap(), Control::create().unwrap());
    let mut agent = Agent::new(&job, own, signals, control, cores::place(1, Pin::Never, false));
    agent.credit = 100;
    let exchange = theirs.exchange.into_iter().map(UnixStream::from).collect();
    let writers = Some(theirs.streams.map(File::from));
    Host { agent, link, launcher, exchange, writers, input: theirs.input.map(File::from) }
}

/// Starts a process that sleeps until a signal ends it; the agent has blocked signals in this thread.
fn sleeper() -> Child {
    let mut command = Command::new("sleep");
    // SAFETY: between fork and exec only system calls are made.
    unsafe { command.arg("1000").pre_exec(sys::unblock_signals) };
    command.spawn().unwrap()
}

/// Returns the letter of a process's state.
fn state(pid: u32) -> char {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    stat.rsplit(") ").next().and_then(|rest| rest.chars().next()).unwrap()
}

fn await_state(pid: u32, wanted: char) {
    let until = Instant::now() + Duration::from_secs(60);
    while state(pid) != wanted {
        assert!(Instant::now() < until, "{}, not {wanted}", state(pid));
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Polls until `closed` sees that all other ends are closed. A process that another test starts holds them
/// too, until it executes its program.
fn until_let_go(what: &str, mut closed: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(60);
    while !closed() {
        assert!(Instant::now() < until, "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn what_all_threads_of_the_host_have_given_is_sent_round_by_round() {
    let mut h = host(4);
    h.exchange[0].write_all(b"\x03\0\0\0ab").unwrap();
    h.exchange[1].write_all(b"\x03\0\0\0xyz\x01\0\0\0!").unwrap();
    h.agent.exchange(&mut h.link);
    assert_eq!(sent(&mut h.launcher), [], "thread 0 has not given all of its bytes");
    h.exchange[0].write_all(b"c\x01\0\0\0?\x02\0\0\0m").unwrap();
    h.agent.exchange(&mut h.link);
    let rounds = [(3, b"abcxyz".to_vec()), (1, b"?!".to_vec())];
    let rounds = rounds.map(|(each, bytes)| FromAgent::Exchange { each, bytes });
    assert_eq!(sent(&mut h.launcher), rounds);
    assert!(h.agent.apply(&ToAgent::Exchanged(b"all".to_vec()).write()[4..], &mut h.link).is_none());
    for end in &mut h.exchange {
        let mut answer = [0; 3];
        end.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"all");
    }
    h.exchange.clear();
    until_let_go("threads that have ended", || {
        h.agent.exchange(&mut h.link);
        h.agent.exchange_ends.iter().all(|end| end.closed)
    });
}

#[test]
fn output_is_sent_as_far_as_there_is_credit() {
    let mut h = host(0);
    let [output, errors] = h.writers.as_mut().unwrap();
    output.write_all(&[b'x'; 150]).unwrap();
    errors.write_all(b"why\n").unwrap();
    let pid = std::process::id() as i32;
    h.agent.carry(0, h.agent.credit, &mut h.link);
    let chunk = FromAgent::Output { stream: 0, pid, bytes: vec![b'x'; 150] };
    assert_eq!(sent(&mut h.launcher), [chunk]);
    assert_eq!(h.agent.credit, -50);
    h.agent.carry(1, h.agent.credit, &mut h.link);
    assert_eq!(sent(&mut h.launcher), [], "without credit");
    h.agent.apply(&ToAgent::Credit(60).write()[4..], &mut h.link);
    assert_eq!(h.agent.credit, 10);
    h.agent.carry(1, h.agent.credit, &mut h.link);
    let said = FromAgent::Output { stream: 1, pid, bytes: b"why\n".to_vec() };
    assert_eq!(sent(&mut h.launcher), [said]);
    h.writers = None;
    h.agent.credit = 1;
    until_let_go("nobody writes any more", || {
        (0..2).for_each(|i| h.agent.carry(i, 1, &mut h.link));
        h.agent.streams.iter().all(Option::is_none)
    });
}

#[test]
fn the_jobs_message_is_announced_once_in_front_of_it() {
    let mut h = host(0);
    let control = format!("/proc/self/fd/{}", h.agent.control.raw_fd());
    let control = File::options().write(true).open(control).unwrap();
    control.write_at(&aborts::PRINTING.to_ne_bytes(), offset::ABORT as u64).unwrap();
    for _ in 0..2 {
        h.writers.as_mut().unwrap()[1].write_all(b"meridian: why\n").unwrap();
        h.agent.carry(1, 1, &mut h.link);
    }
    let frames = sent(&mut h.launcher);
    assert_eq!(frames.len(), 3, "{frames:?}");
    assert_eq!(frames[0], FromAgent::Fatal);
}

#[test]
fn standard_input_is_handed_to_thread_0_to_its_end() {
    let mut h = host(0);
    let mut input = h.input.take().unwrap();
    let give = |h: &mut Host, bytes: &[u8]| {
        assert!(h.agent.apply(&ToAgent::Input(bytes.to_vec()).write()[4..], &mut h.link).is_none());
    };
    give(&mut h, b"hello");
    let mut bytes = [0; 5];
    input.read_exact(&mut bytes).unwrap();
    assert_eq!(&bytes, b"hello");
    assert_eq!(sent(&mut h.launcher), [FromAgent::Taken(5)]);
    // More than a pipe holds, then the end.
    let text = vec![b'y'; 300_000];
    give(&mut h, &text);
    give(&mut h, b"");
    assert!(h.agent.input.is_some(), "not before all is taken");
    let reader = std::thread::spawn(move || {
        let mut all = Vec::new();
        input.read_to_end(&mut all).unwrap();
        all
    });
    while h.agent.input.is_some() {
        h.agent.feed(&mut h.link);
        std::thread::yield_now();
    }
    assert!(reader.join().unwrap() == text);
    let taken = sent(&mut h.launcher).into_iter().map(|frame| match frame {
        FromAgent::Taken(count) => count,
        other => panic!("{other:?}"),
    });
    assert_eq!(taken.sum::<u32>(), 300_000);
    assert!(host(4).agent.input.is_none(), "thread 0 is on another host");
}

#[test]
fn a_reader_that_is_gone_gets_no_more() {
    let mut h = host(0);
    h.input = None;
    h.agent.apply(&ToAgent::Input(b"lost".to_vec()).write()[4..], &mut h.link);
    assert!(h.agent.input.is_none());
    assert_eq!(sent(&mut h.launcher), []);
}

#[test]
fn signals_go_to_threads_that_run_and_the_end_is_announced_to_them() {
    let mut h = host(0);
    let mut child = sleeper();
    h.agent.pids[1] = child.id() as i32;
    let news = |h: &Host| h.agent.control.news(0).global_exit;
    let frame = ToAgent::Signal { number: 0, ending: true, global_exit: None };
    assert!(h.agent.apply(&frame.write()[4..], &mut h.link).is_none());
    assert_eq!((news(&h), child.try_wait().unwrap().is_none()), (None, true));
    let frame = ToAgent::Signal { number: libc::SIGTERM, ending: true, global_exit: Some(4) };
    h.agent.apply(&frame.write()[4..], &mut h.link);
    assert_eq!((news(&h), child.wait().unwrap().signal()), (Some(4), Some(libc::SIGTERM)));
    let mut h = host(0);
    let mut child = sleeper();
    h.agent.pids[0] = child.id() as i32;
    let frame = ToAgent::Signal { number: libc::SIGUSR1, ending: false, global_exit: Some(4) };
    h.agent.apply(&frame.write()[4..], &mut h.link);
    assert_eq!((news(&h), child.wait().unwrap().signal()), (None, Some(libc::SIGUSR1)));
}

#[test]
fn threads_are_stopped_and_continued_with_the_launcher() {
    let mut h = host(0);
    let mut child = sleeper();
    h.agent.pids[0] = child.id() as i32;
    h.agent.apply(&ToAgent::Suspend(true).write()[4..], &mut h.link);
    await_state(child.id(), 'T');
    assert!(h.agent.suspended);
    h.agent.apply(&ToAgent::Suspend(false).write()[4..], &mut h.link);
    await_state(child.id(), 'S');
    assert!(!h.agent.suspended);
    assert_eq!(h.agent.apply(&ToAgent::Alive.write()[4..], &mut h.link), None);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn an_agent_leaves_when_its_threads_have_ended_or_are_to_be_ended() {
    let leave = |forced| ToAgent::Leave { forced }.write();
    let mut h = host(0);
    assert_eq!(h.agent.apply(&leave(false)[4..], &mut h.link), Some(0));
    for frame in [leave(false), leave(true), b"\0\0\0\0\x63".to_vec()] {
        let mut child = sleeper();
        h.agent.pids[1] = child.id() as i32;
        assert_eq!(h.agent.apply(&frame[4..], &mut h.link), Some(1));
        assert_eq!(child.wait().unwrap().signal(), Some(libc::SIGKILL));
    }
}

#[test]
fn the_first_frame_is_the_job_and_others_may_have_come_with_it() {
    let (mut own, mut launcher) = links();
    let mut frames = VecDeque::new();
    let job = ToAgent::Job(Box::new(Job { threads: 3, ..Job::default() }));
    launcher.send(&[job.write(), ToAgent::Alive.write()].concat());
    assert_eq!(first(&mut own, &mut frames), Some(Ok(job)));
    assert_eq!(frames.len(), 1);
    let mut frames = VecDeque::new();
    launcher.send(&ToAgent::Suspend(true).write());
    launcher.send(b"\x01\0\0\0\x63");
    assert_eq!(first(&mut own, &mut frames), Some(Ok(ToAgent::Suspend(true))));
    frames.clear();
    drop(launcher);
    while let Some(outcome) = first(&mut own, &mut frames) {
        assert_eq!(outcome, Err(Misread::Garbage));
    }
}

#[test]
fn a_refusal_reaches_a_launcher_that_is_late() {
    let (own, mut launcher) = links();
    // More than a socket holds.
    let text = "x".repeat(3_000_000);
    let refused = FromAgent::Refused { code: 126, text: text.clone() };
    let agent = std::thread::spawn(move || refuse(own, 126, text));
    let mut frames = Vec::new();
    while frames.is_empty() && !launcher.closed() {
        sys::wait_readable([launcher.waits().0], None);
        frames = sent(&mut launcher);
    }
    assert!(frames == [refused], "{} frames", frames.len());
    drop(launcher);
    assert_eq!(agent.join().unwrap(), 1);
}

#[test]
fn another_build_is_named_by_its_version() {
    let own = env!("CARGO_PKG_VERSION");
    let text = another_build(own, 0x1234);
    let here = format!("Meridian {own} on this host has version {CONTRACT_TEXT} of the contract");
    assert!(text.starts_with(&here) && text.contains("launcher's host version 00001234:"), "{text}");
    let text = another_build("9.9", 0);
    assert!(text.starts_with(&format!("Meridian is version {own} on this host, and version 9.9")), "{text}");
    assert!(text.ends_with("install the same build on all hosts"));
}

#[test]
fn only_an_agent_is_ended_by_its_number() {
    assert_eq!(end(std::process::id() as i32), 1);
    assert_eq!(end(i32::MAX), 1);
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("run-host"), "read line\n").unwrap();
    let mut command = Command::new("sh");
    command.arg("run-host").current_dir(&directory).stdin(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The kernel shows the process's arguments a moment after it has begun.
    while std::fs::read(format!("/proc/{}/cmdline", child.id())).unwrap().is_empty() {
        std::thread::yield_now();
    }
    assert_eq!(end(child.id() as i32), 0);
    assert_eq!(child.wait().unwrap().signal(), Some(libc::SIGKILL));
}
