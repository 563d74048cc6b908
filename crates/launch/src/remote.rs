//! The launcher's side of one agent: its start, its state, and the reason for its loss.

use std::collections::VecDeque;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::error::{Error, explain};
use crate::frame::{Job, ToAgent};
use crate::hosts::{self, Name, Share};
use crate::link::Link;
use crate::signals;
use crate::sys;

/// Bytes kept of the standard error of the command that reaches a host.
const ERRORS_KEPT: usize = 4 << 10;
/// How long a command whose streams have closed may take to tell its exit code.
const LEAVING: Duration = Duration::from_millis(500);

/// How long the launcher waits for the command that ends an agent which does not answer, and for the greeting
/// of an agent that is told to leave: the host may be cut off. On busy hosts that command takes longer, and
/// goes on without the launcher.
const ENDING: Duration = Duration::from_secs(2);
/// Seconds after which that command ends by itself.
const ENDING_ALONE: u32 = 60;

/// A host of the job, reached through its agent.
pub struct Remote {
    pub share: Share,
    pub link: Link,
    /// The pid of the agent, once its threads run.
    pub agent: i32,
    /// The pids of the agent's threads, once they run.
    pub pids: Vec<i32>,
    /// A note on the threads' cores.
    pub cores: String,
    /// The number of threads that have not ended, as far as is known.
    pub running: usize,
    /// The contributions of this host's threads to exchanges that other hosts have still to join: bytes a
    /// thread, and all of them.
    pub given: VecDeque<(u32, Vec<u8>)>,
    pub last_received: Instant,
    pub last_sent: Instant,
    /// The job goes on without this host.
    pub gone: bool,
    child: Child,
    errors: Option<OwnedFd>,
    said: Vec<u8>,
    /// The command that reaches the host; empty for this host.
    by: String,
    meridian: PathBuf,
    /// The command that ends an agent which does not answer, and when it was started.
    ending: Option<(Child, Instant)>,
    /// When the agent was told to leave, before its threads were known to run.
    dismissed: Option<Instant>,
}

impl Remote {
    /// Starts the agent of a host, and sends it the job. `ssh`: the command that reaches other hosts.
    ///
    /// # Errors
    /// If the command cannot be started.
    pub fn start(share: Share, job: &Job, ssh: &str, meridian: &Path) -> Result<Remote, Error> {
        let here = hosts::is_here(&share.name, &sys::host_name());
        let by = if here { "" } else { ssh };
        let mut command = command(by, &share.name, meridian);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A process group of its own, because the launcher passes Ctrl-C on. SIGKILL with the launcher, so
        // that no ssh survives it.
        command.process_group(0);
        // SAFETY: between fork and exec only system calls are made.
        unsafe {
            command.pre_exec(|| {
                sys::die_with_any_parent(true);
                sys::restore_open_files();
                sys::unblock_signals()
            });
        }
        let mut child = command.spawn().map_err(|e| {
            let program = command.get_program().display();
            Error::Hosts(format!(
                "cannot start an agent on host {}: `{program}`: {}",
                share.name,
                explain(&e)
            ))
        })?;
        let (Some(to), Some(from), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three are pipes")
        };
        let errors: OwnedFd = errors.into();
        let link = sys::never_wait(&errors).and_then(|()| Link::new(from.into(), to.into(), true));
        let mut link = link.map_err(Error::system("cannot communicate with an agent"))?;
        link.send(&ToAgent::Job(Box::new(job.clone())).write());
        let now = Instant::now();
        Ok(Remote {
            running: share.threads,
            share,
            link,
            agent: 0,
            pids: Vec::new(),
            cores: String::new(),
            given: VecDeque::new(),
            last_received: now,
            last_sent: now,
            gone: false,
            child,
            errors: Some(errors),
            said: Vec::new(),
            by: by.to_string(),
            meridian: meridian.to_path_buf(),
            ending: None,
            dismissed: None,
        })
    }

    /// Sends a frame, except to a host that is gone.
    pub fn send(&mut self, frame: &ToAgent) {
        if !self.gone {
            self.link.send(&frame.write());
            self.last_sent = Instant::now();
        }
    }

    /// Whether the threads of this host run.
    pub fn started(&self) -> bool {
        !self.pids.is_empty()
    }

    /// Returns the descriptor of the command's standard error; negative if that has ended.
    pub fn errors_fd(&self) -> i32 {
        self.errors.as_ref().map_or(-1, AsRawFd::as_raw_fd)
    }

    /// Reads the command's standard error, which is reported if the host is lost.
    pub fn listen(&mut self) {
        let mut bytes = [0; 1024];
        while let Some(errors) = &self.errors {
            match sys::read_some(errors, &mut bytes) {
                Ok(None) => return,
                Ok(Some(0)) | Err(_) => self.errors = None,
                Ok(Some(count)) => {
                    self.said.extend_from_slice(&bytes[..count]);
                    let surplus = self.said.len().saturating_sub(ERRORS_KEPT);
                    self.said.drain(..surplus);
                }
            }
        }
    }

    /// Returns a colon and the last line of the command's standard error, or an empty text.
    pub fn last_errors(&self) -> String {
        let said = String::from_utf8_lossy(&self.said);
        let last = said.lines().rev().map(str::trim).find(|line| !line.is_empty());
        last.map_or(String::new(), |line| format!(": {line}"))
    }

    /// Returns why the link to the agent has closed, for the user.
    pub fn why_lost(&mut self) -> String {
        let until = Instant::now() + LEAVING;
        let mut status = None;
        while status.is_none() && Instant::now() < until {
            status = self.child.try_wait().ok().flatten();
            if status.is_none() {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        self.listen();
        let last = self.last_errors();
        let host = &self.share.name;
        match status {
            Some(status) if !self.pids.is_empty() => {
                let how = match status.signal() {
                    Some(signal) => format!("was killed by {}", signals::describe(signal)),
                    None => format!("has ended with code {}", status.code().unwrap_or(1)),
                };
                let what = if self.by.is_empty() { "the agent" } else { "the connection to its agent" };
                format!("host {host} is lost: {what} {how}{last}")
            }
            Some(status) if matches!(status.code(), Some(126 | 127)) => format!(
                "host {host} has no working `meridian` at the path of this command{last}; install Meridian \
                 on that host under the same path"
            ),
            Some(status) => {
                let how = match status.signal() {
                    Some(signal) => format!("was killed by {}", signals::describe(signal)),
                    None => format!("ended with code {}", status.code().unwrap_or(1)),
                };
                let command = if self.by.is_empty() { "the agent" } else { &self.by };
                format!("cannot reach host {host}: `{command}` {how}{last}")
            }
            None => format!("host {host} is lost: its agent has closed the connection{last}"),
        }
    }

    /// Gives up a host that has fallen silent. The host may be cut off. The agent may also be stopped; it is
    /// then ended by another command, which `abandon_late` waits for.
    pub fn abandon_silent(&mut self) {
        if !self.by.is_empty() && self.agent != 0 && !self.gone {
            let mut command = command(&self.by, &self.share.name, &self.meridian);
            command.arg("--end").arg(self.agent.to_string());
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
            // SAFETY: between fork and exec only system calls are made.
            unsafe {
                command.pre_exec(|| {
                    sys::end_after(ENDING_ALONE);
                    sys::unblock_signals()
                });
            }
            self.ending = command.spawn().ok().map(|child| (child, Instant::now()));
        }
        self.abandon();
    }

    /// Gives up a host whose threads are not known to run. They may run, and have started others, which only
    /// their agent can end: the agent is told to leave, and `over` waits for that. If no agent greets, `over`
    /// waits for a short time, or not at all if the greeting has been awaited for long already.
    pub fn dismiss(&mut self) {
        self.link.receive();
        if !self.link.greeted() && self.last_received.elapsed() >= ENDING {
            return self.abandon();
        }
        self.send(&ToAgent::Leave { forced: true });
        self.dismissed = Some(Instant::now());
        self.gone = true;
        self.running = 0;
    }

    /// Whether this host need not be waited for any more. To be called until it is true, or as long as the
    /// caller may wait.
    pub fn over(&mut self) -> bool {
        let waits_for_child = match self.dismissed {
            Some(since) => {
                self.link.flush();
                self.link.receive();
                self.link.greeted() || since.elapsed() < ENDING
            }
            None => !self.gone,
        };
        let ended = !waits_for_child || !matches!(self.child.try_wait(), Ok(None));
        let ending = self
            .ending
            .as_mut()
            .is_some_and(|(child, since)| since.elapsed() < ENDING && matches!(child.try_wait(), Ok(None)));
        ended && !ending
    }

    /// Kills the command that reaches the host, if it still runs. The command that ends an agent is left
    /// running: without it a stopped agent keeps its threads for ever, and they may wait for it.
    pub fn abandon_late(&mut self) {
        if !self.gone || self.dismissed.is_some() {
            self.abandon();
        }
        self.ending = None;
    }

    /// Kills the agent's command. Its threads end with it: on this host at once, elsewhere when the agent
    /// finds the connection closed.
    pub fn abandon(&mut self) {
        self.gone = true;
        self.running = 0;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Makes the command of an agent on this host, or, through the words of `by`, on the host of this name. `ssh`
/// is told where its options end; other commands get no mark, because their syntax is unknown.
fn command(by: &str, host: &Name, meridian: &Path) -> Command {
    let mut words = by.split_whitespace();
    let mut command = match words.next() {
        Some(first) => {
            let mut command = Command::new(first);
            command.args(words);
            if Path::new(first).file_name().is_some_and(|name| name == "ssh") {
                command.arg("--");
            }
            command.arg(&**host).arg(hosts::quoted(meridian));
            command
        }
        None => Command::new(meridian),
    };
    command.arg("run-host");
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame;
    use tempfile::TempDir;

    /// Makes a host that is reached by a shell script, and the directory that holds it.
    fn reached_by(script: &str) -> (Remote, TempDir) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("reach");
        std::fs::write(&path, script).unwrap();
        let share = Share { name: Name::read("elsewhere").unwrap(), first: 0, threads: 2 };
        let ssh = format!("sh {}", path.display());
        let remote = Remote::start(share, &Job::default(), &ssh, Path::new("/opt/meridian")).unwrap();
        (remote, directory)
    }

    /// Waits until the command of a host has closed its streams.
    fn await_closed(remote: &mut Remote) {
        while !remote.link.closed() {
            sys::wait_readable([remote.link.waits().0], None);
            remote.link.receive();
        }
    }

    fn lost(script: &str, started: bool) -> String {
        let (mut remote, _directory) = reached_by(script);
        if started {
            remote.pids = vec![1, 2];
        }
        await_closed(&mut remote);
        let why = remote.why_lost();
        remote.abandon();
        why
    }

    #[test]
    fn a_host_that_is_not_reached_is_told_with_the_commands_last_words() {
        let text = lost("echo banner >&2; echo 'no route' >&2; echo >&2; exit 255", false);
        assert!(text.starts_with("cannot reach host elsewhere: `sh /"), "{text}");
        assert!(text.ends_with("/reach` ended with code 255: no route"), "{text}");
        for code in [126, 127] {
            let text = lost(&format!("echo none >&2; exit {code}"), false);
            assert!(text.starts_with("host elsewhere has no working `meridian`"), "{text}");
            assert!(
                text.ends_with("of this command: none; install Meridian on that host under the same path"),
                "{text}"
            );
        }
        let text = lost("kill -9 $$", false);
        assert!(text.contains("/reach` was killed by SIGKILL ("), "{text}");
    }

    #[test]
    fn a_host_whose_threads_run_is_lost_with_its_connection() {
        let text = lost("exit 127", true);
        assert_eq!(text, "host elsewhere is lost: the connection to its agent has ended with code 127");
        let text = lost("kill -9 $$", true);
        assert!(text.contains("the connection to its agent was killed by SIGKILL ("), "{text}");
        let text = lost("exec >&- <&-; exec sleep 1000", true);
        assert_eq!(text, "host elsewhere is lost: its agent has closed the connection");
    }

    #[test]
    fn of_what_a_command_says_the_end_is_kept() {
        let (mut remote, _directory) =
            reached_by("i=0; while [ $i -lt 2000 ]; do echo line $i >&2; i=$((i+1)); done");
        assert_eq!(remote.last_errors(), "");
        while remote.errors_fd() >= 0 {
            sys::wait_readable([remote.errors_fd()], None);
            remote.listen();
        }
        assert_eq!(remote.last_errors(), ": line 1999");
        assert_eq!(remote.said.len(), ERRORS_KEPT);
        remote.abandon();
    }

    #[test]
    fn an_agent_that_is_silent_is_ended_by_a_command_of_its_own() {
        let (mut remote, directory) = reached_by(
            "[ \"$4\" ] || exec cat; echo $* > $0.said
            until [ -e $0.go ]; do sleep 0.01; done; echo went on > $0.end",
        );
        assert!(!remote.over() && !remote.gone);
        remote.agent = 77;
        remote.abandon_silent();
        assert!(remote.gone && remote.running == 0 && !remote.over(), "its end is awaited");
        let said = directory.path().join("reach.said");
        let read = || std::fs::read_to_string(&said).unwrap_or_default();
        while !read().ends_with('\n') {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(read(), "elsewhere /opt/meridian run-host --end 77\n");
        remote.abandon_late();
        assert!(remote.over(), "it is not awaited any more");
        std::fs::write(directory.path().join("reach.go"), "").unwrap();
        let end = directory.path().join("reach.end");
        while !end.exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let sent = remote.last_sent;
        remote.send(&ToAgent::Alive);
        assert_eq!(remote.last_sent, sent, "a host that is gone gets none");
    }

    #[test]
    fn a_host_that_is_dismissed_may_leave_by_itself() {
        let greeting = std::str::from_utf8(frame::GREETING).unwrap();
        let script = format!("printf '%s' '{greeting}'; until [ -e $0.go ]; do sleep 0.01; done");
        let (mut remote, directory) = reached_by(&script);
        while !remote.link.greeted() {
            sys::wait_readable([remote.link.waits().0], None);
            remote.link.receive();
        }
        remote.dismiss();
        assert!(remote.gone && remote.running == 0 && !remote.over(), "its end is awaited");
        std::fs::write(directory.path().join("reach.go"), "").unwrap();
        while !remote.over() {
            std::thread::sleep(Duration::from_millis(5));
        }
        remote.abandon_late();
    }

    #[test]
    fn an_agent_that_has_not_started_is_let_go_at_once() {
        let (mut remote, directory) = reached_by("[ \"$4\" ] || exec cat; echo $* > $0.said");
        let sent = remote.last_sent;
        remote.send(&ToAgent::Alive);
        assert!(remote.last_sent > sent && !remote.started());
        remote.abandon_silent();
        assert!(remote.over() && remote.ending.is_none());
        assert!(!directory.path().join("reach.said").exists());
    }

    #[test]
    fn the_command_of_an_agent_is_in_the_words_of_what_reaches_the_host() {
        let words = |by: &str, meridian: &str| {
            let command = command(by, &Name::read("node").unwrap(), Path::new(meridian));
            let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
            (command.get_program().to_string_lossy().into_owned(), words.join(" "))
        };
        assert_eq!(words("", "/opt/m"), ("/opt/m".into(), "run-host".into()));
        assert_eq!(words("ssh -x", "/my m"), ("ssh".into(), "-x -- node '/my m' run-host".into()));
        assert_eq!(words("/opt/bin/ssh", "/m"), ("/opt/bin/ssh".into(), "-- node /m run-host".into()));
        assert_eq!(words("rsh -x", "/m"), ("rsh".into(), "-x node /m run-host".into()));
    }
}
