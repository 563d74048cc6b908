//! A launcher that speaks only version 2 of PMI, as at some sites: programs find their place by it, and a
//! launcher that refuses, falls silent or goes away ends them with one message. The head of
//! `runtime/boot/pmi2.c` describes the wire.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Condvar, LazyLock, Mutex};

use tests::process::{self, LONG, Outcome};

/// `net/ring.upc`, compiled.
static RING: LazyLock<PathBuf> =
    LazyLock::new(|| tests::net_program("ring", Path::new(env!("CARGO_TARGET_TMPDIR"))));

/// The launcher's behaviour.
#[derive(Clone, Copy, Default)]
struct Manner {
    /// Announces version 2 in the environment, and closes the connection at an offer of version 1. Otherwise
    /// the launcher answers such an offer with its own version.
    announces: bool,
    /// Fences do not wait, so gets do.
    hasty: bool,
    /// The command at which the launcher fails, and the way.
    fault: Option<(&'static str, Fault)>,
}

#[derive(Clone, Copy)]
enum Fault {
    /// An answer with this rc.
    Refuses(i32),
    /// Half an answer, and no more.
    CutShort,
    /// Half an answer, and the end of the connection.
    CutAndClosed,
    Closes,
    /// An invalid length before an answer.
    NoLength,
    /// An answer to something else.
    Confuses,
    Silent,
}

/// The values that the processes of a job have put, and the fences that each has reached.
struct Board {
    size: usize,
    values: Mutex<(HashMap<String, String>, Vec<usize>)>,
    changed: Condvar,
}

impl Board {
    fn fence(&self, rank: usize, waits: bool) {
        let mut state = self.values.lock().unwrap();
        state.1[rank] += 1;
        self.changed.notify_all();
        let own = state.1[rank];
        while waits && state.1.iter().any(|&others| others < own) {
            state = self.changed.wait(state).unwrap();
        }
    }

    /// Returns a value once it is there, or `None` if it is not there when all have reached this process's
    /// last fence.
    fn get(&self, rank: usize, key: &str) -> Option<String> {
        let mut state = self.values.lock().unwrap();
        loop {
            let found = state.0.get(key).cloned();
            if found.is_some() || state.1.iter().all(|&others| others >= state.1[rank]) {
                return found;
            }
            state = self.changed.wait(state).unwrap();
        }
    }
}

/// One process's connection.
struct Wire {
    stream: BufReader<UnixStream>,
    rank: usize,
    board: Arc<Board>,
    manner: Manner,
}

impl Wire {
    fn say(&mut self, text: &str) -> bool {
        let framed = format!("{:6}{text}", text.len());
        self.stream.get_mut().write_all(framed.as_bytes()).is_ok()
    }

    /// Fails in the manner's way at this command, and does nothing else afterwards.
    fn fail(&mut self, command: &str, fault: Fault) {
        let mut raw = |text: &str| {
            let _ = self.stream.get_mut().write_all(text.as_bytes());
        };
        match fault {
            Fault::Refuses(rc) => {
                let answer = format!("cmd={command}-response;rc={rc};errmsg=not today;");
                self.say(&answer);
                return;
            }
            Fault::CutShort | Fault::CutAndClosed => raw(&format!("    60cmd={command}-resp")),
            Fault::NoLength => raw("cmd=what"),
            Fault::Confuses => raw("    24cmd=other-response;rc=0;"),
            Fault::Closes | Fault::Silent => {}
        }
        if !matches!(fault, Fault::Closes | Fault::CutAndClosed) {
            // Until the process goes away.
            let _ = self.stream.read_to_end(&mut Vec::new());
        }
    }

    /// Serves the process until it goes away.
    fn serve(mut self) {
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            let answer = "cmd=response_to_init pmi_version=2 pmi_subversion=0 rc=0\n";
            let agreed = line == "cmd=init pmi_version=2 pmi_subversion=0\n";
            if !agreed && self.manner.announces {
                return;
            }
            self.stream.get_mut().write_all(answer.as_bytes()).unwrap();
            if agreed {
                break;
            }
        }
        while let Some(words) = self.hear() {
            let command = words["cmd"].clone();
            match self.manner.fault {
                Some((at, fault)) if at == command => return self.fail(&command, fault),
                _ => {}
            }
            let rest = match command.as_str() {
                "fullinit" => format!("rank={};size={};appnum=0;", words["pmirank"], self.board.size),
                "job-getid" => {
                    format!("jobid=test-{}-{};", std::process::id(), Arc::as_ptr(&self.board) as usize)
                }
                "kvs-put" => {
                    let mut state = self.board.values.lock().unwrap();
                    state.0.insert(words["key"].clone(), words["value"].clone());
                    self.board.changed.notify_all();
                    String::new()
                }
                "kvs-fence" => {
                    self.board.fence(self.rank, !self.manner.hasty);
                    String::new()
                }
                "kvs-get" => match self.board.get(self.rank, &words["key"]) {
                    Some(value) => format!("found=TRUE;value={value};"),
                    None => "found=FALSE;".into(),
                },
                _ => String::new(),
            };
            if !self.say(&format!("cmd={command}-response;{rest}rc=0;")) {
                return;
            }
        }
    }

    /// Returns the words of the next command, or `None` if the process has gone.
    fn hear(&mut self) -> Option<HashMap<String, String>> {
        let mut length = [0; 6];
        self.stream.read_exact(&mut length).ok()?;
        let n = std::str::from_utf8(&length).unwrap().trim().parse().expect("a length");
        let mut text = vec![0; n];
        self.stream.read_exact(&mut text).ok()?;
        let text = String::from_utf8(text).unwrap();
        let words = text.strip_suffix(';').expect("an end").split(';');
        Some(
            words
                .map(|word| word.split_once('=').expect("a word"))
                .map(|(k, v)| (k.into(), v.into()))
                .collect(),
        )
    }
}

/// Runs a process of the job to its end. The others end because they lose it.
fn process(rank: usize, manner: Manner, board: &Arc<Board>, arguments: &[&str]) -> Outcome {
    let (own, its) = UnixStream::pair().expect("a pair of sockets");
    let fd = its.as_raw_fd();
    let mut command = Command::new(&*RING);
    tests::forget(&mut command, "MERIDIAN_");
    tests::forget(&mut command, "PMI");
    command.args(arguments).env("PMI_FD", fd.to_string()).env("PMI_RANK", rank.to_string());
    command.env("PMI_SIZE", board.size.to_string()).env("MERIDIAN_SILENCE", "2");
    if manner.announces {
        command.env("PMI_JOBID", "test");
    }
    // SAFETY: between fork and exec only a system call; the descriptor is open until the command has been
    // run.
    unsafe {
        command.pre_exec(move || {
            libc::fcntl(fd, libc::F_SETFD, 0);
            Ok(())
        });
    }
    let board = board.clone();
    let server = std::thread::spawn(move || {
        Wire { stream: BufReader::new(own), rank, board, manner }.serve();
    });
    let end = process::run(&mut command, None, LONG);
    drop(its);
    server.join().expect("the launcher's side");
    end.expect("a process")
}

fn job(size: usize, manner: Manner, arguments: &[&str]) -> Vec<Outcome> {
    LazyLock::force(&RING);
    let values = Mutex::new((HashMap::new(), vec![0; size]));
    let board = Arc::new(Board { size, values, changed: Condvar::new() });
    std::thread::scope(|scope| {
        let board = &board;
        let run = move |rank| scope.spawn(move || process(rank, manner, board, arguments));
        let running: Vec<_> = (0..size).map(run).collect();
        running.into_iter().map(|thread| thread.join().expect("a process")).collect()
    })
}

#[test]
fn programs_start_under_a_launcher_of_version_2_alone() {
    for announces in [false, true] {
        for hasty in [false, true] {
            let manner = Manner { announces, hasty, fault: None };
            let ends = job(3, manner, &[]);
            for end in &ends {
                assert_eq!(
                    (end.status, end.timed_out, end.stderr.as_str()),
                    (0, false, ""),
                    "{}",
                    end.report()
                );
            }
            let said: String = ends.iter().map(|end| end.stdout.as_str()).collect();
            assert_eq!(said, "3 threads\n");
        }
    }
}

#[test]
fn a_launcher_that_fails_is_told_of_and_nothing_hangs() {
    let begins = "PMI-2 has started this program, but cannot be used: ";
    for (at, fault, says) in [
        (
            "fullinit",
            Fault::Refuses(4),
            "the launcher refuses fullinit: `cmd=fullinit-response;rc=4;errmsg=not today;'",
        ),
        ("fullinit", Fault::CutShort, "fullinit: the launcher has not answered for 2 s"),
        ("fullinit", Fault::CutAndClosed, "fullinit: the launcher has closed the connection"),
        ("fullinit", Fault::NoLength, "fullinit: the launcher answers with `cmd=wh' in place of a length"),
        ("fullinit", Fault::Silent, "fullinit: the launcher has not answered for 2 s"),
        ("job-getid", Fault::Closes, "job-getid: the launcher has closed the connection"),
        ("job-getid", Fault::Confuses, "job-getid: the launcher answers `cmd=other-response;rc=0;'"),
        ("kvs-put", Fault::Refuses(1), "the launcher refuses kvs-put"),
        ("kvs-fence", Fault::Refuses(1), "the launcher refuses kvs-fence"),
        ("kvs-fence", Fault::CutShort, "kvs-fence: the launcher has not answered for 2 s"),
        ("kvs-get", Fault::CutAndClosed, "kvs-get: the launcher has closed the connection"),
    ] {
        let manner = Manner { announces: true, fault: Some((at, fault)), ..Manner::default() };
        let end = &job(1, manner, &[])[0];
        assert_eq!(
            (end.status, end.timed_out, end.stdout.as_str()),
            (1, false, ""),
            "{at}: {}",
            end.report()
        );
        assert_eq!(end.stderr.lines().count(), 1, "{at}: {}", end.report());
        let expected = if at.starts_with("kvs") { "meridian: PMI-2: " } else { begins };
        assert!(end.stderr.contains(expected) && end.stderr.contains(says), "{says}: {}", end.report());
    }
}

#[test]
fn a_launcher_that_speaks_neither_version_is_told_of() {
    let (own, its) = UnixStream::pair().expect("a pair of sockets");
    let refuse = std::thread::spawn(move || {
        let mut stream = BufReader::new(own);
        let mut offers = Vec::new();
        let mut line = String::new();
        while stream.read_line(&mut line).unwrap_or(0) > 0 {
            offers.push(std::mem::take(&mut line));
            let answer = b"cmd=response_to_init pmi_version=3 pmi_subversion=0 rc=-1\n";
            stream.get_mut().write_all(answer).unwrap();
        }
        offers
    });
    let fd = its.as_raw_fd();
    let mut command = Command::new(&*RING);
    command.env("PMI_FD", fd.to_string()).env("PMI_RANK", "0").env("PMI_SIZE", "1").env_remove("PMI_JOBID");
    // SAFETY: between fork and exec only a system call; the descriptor is open until the command has been
    // run.
    unsafe {
        command.pre_exec(move || {
            libc::fcntl(fd, libc::F_SETFD, 0);
            Ok(())
        });
    }
    let end = process::run(&mut command, None, LONG).expect("a process");
    drop(its);
    let offers = refuse.join().expect("the launcher's side");
    assert_eq!(offers, [1, 2].map(|v| format!("cmd=init pmi_version={v} pmi_subversion={}\n", 2 - v)));
    assert_eq!((end.status, end.timed_out, end.stderr.lines().count()), (1, false, 1), "{}", end.report());
    assert!(end.stderr.contains("accepts neither version 1 nor version 2"), "{}", end.report());
}
