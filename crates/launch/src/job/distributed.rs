//! The life of a job on several hosts: an agent on each (`agent`, `remote`), and the launcher's loop, which
//! carries out what `supervisor` decides for the whole job.
//!
//! The launcher is the one place that sees the whole job: the supervisor sees the threads of all hosts, the
//! forwarder writes the lines of all, and an exchange is complete when all hosts have contributed.

use std::ffi::OsString;
use std::io;
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::ending::{LEAVING, see_out};
use crate::debugger;
use crate::error::Error;
use crate::frame::{FromAgent, INPUT_WINDOW, Job, ToAgent};
use crate::hosts::Share;
use crate::lines;
use crate::options::{Gdb, Options};
use crate::output::OutputForwarder;
use crate::program;
use crate::remote::Remote;
use crate::signals::{Arrival, Signals};
use crate::supervisor::{Delays, Exit, News, Order, Supervisor};
use crate::sys::{self, Wait};

/// How long an agent may take to report that its killed threads have ended, and then to end the processes
/// that these have started, and itself. It takes no time, unless the host is very busy or the agent is
/// stopped.
const GRACE: Duration = Duration::from_secs(10);

/// How long a host may take to start its agent, at least: `ssh` may be slow.
const CONNECTING: Duration = Duration::from_secs(30);

/// How often the launcher checks agents that are about to end.
const PAUSE: Duration = Duration::from_millis(100);

/// Variables that are valid only on the host where they were set, and are not passed to other hosts.
const LOCAL_VARIABLES: [&str; 7] =
    ["SSH_", "XDG_", "DBUS_", "DISPLAY", "HOSTNAME", "MERIDIAN_THREADS", "MERIDIAN_RELAUNCHED"];

/// Runs a job of these hosts' shares to its end. Returns its exit code. `by`: the command that reaches other
/// hosts.
///
/// # Errors
/// If it cannot be started from here. Errors on other hosts are reported as those of a lost host.
pub fn run(options: &Options, path: PathBuf, shares: Vec<Share>, by: String) -> Result<i32, Error> {
    let began = Instant::now();
    let job = job(options, path, &shares)?;
    let signals = Signals::take(&[libc::SIGTSTP]).map_err(Error::system("cannot listen for signals"))?;
    let meridian = std::env::current_exe().map_err(Error::system("cannot find the path of this command"))?;
    let forwarder =
        OutputForwarder::start_fed(options.tag).map_err(Error::system("cannot forward the job's output"))?;
    let delays = Delays {
        stopped: Duration::from_secs(options.silence.into()),
        leaving: LEAVING,
        ending: options.kill_after,
    };
    let names = shares.iter().map(|share| (share.first, share.name.to_string())).collect();
    let threads = job.threads as usize;
    let supervisor = Supervisor::new(threads, names, delays, options.timeout, Instant::now());
    let mut distributed = Distributed {
        remotes: Vec::new(),
        signals,
        forwarder,
        supervisor,
        threads,
        silence: Duration::from_millis(job.silence.into()),
        input: Input { open: true, under_way: 0 },
        global_exit: None,
        killed: None,
        reporter: None,
        began,
        verbose: options.verbose,
    };
    for (number, share) in shares.into_iter().enumerate() {
        let own = Job {
            first: share.first as u32,
            here: share.threads as u32,
            host: number as u32,
            host_name: share.name.to_string(),
            ..job.clone()
        };
        match Remote::start(share, &own, &by, &meridian) {
            Ok(remote) => distributed.remotes.push(remote),
            Err(error) => {
                distributed.remotes.iter_mut().for_each(Remote::abandon);
                return Err(error);
            }
        }
    }
    distributed.supervise();
    distributed.tell(|distributed| {
        format!(
            "ended with code {} after {:.3} s",
            distributed.supervisor.code(),
            began.elapsed().as_secs_f64()
        )
    });
    Ok(distributed.clear_away())
}

/// Returns the data for all agents.
fn job(options: &Options, path: PathBuf, shares: &[Share]) -> Result<Job, Error> {
    let directory = std::env::current_dir().map_err(Error::system("cannot find the current directory"))?;
    let terminals = sys::terminals();
    let hash = program::hash(&path).map_err(Error::system("cannot read the program"))?;
    let local = |name: &OsString| {
        let name = name.to_string_lossy();
        LOCAL_VARIABLES.iter().any(|local| match local.strip_suffix('_') {
            Some(_) => name.starts_with(local),
            None => name == *local,
        })
    };
    let mut environment: Vec<(OsString, OsString)> =
        std::env::vars_os().filter(|(name, _)| !local(name) && name != "MERIDIAN_SILENCE").collect();
    environment.push(("MERIDIAN_SILENCE".into(), options.silence.to_string().into()));
    if let Some(value) = options.gdb.and_then(Gdb::wait) {
        environment.push((debugger::WAIT.into(), value.into()));
    }
    Ok(Job {
        program: directory.join(path),
        hash,
        name: options.command[0].clone(),
        arguments: options.command[1..].to_vec(),
        directory,
        environment,
        threads: shares.iter().map(|share| share.threads).sum::<usize>() as u32,
        hosts: shares.len() as u32,
        pin: options.pinning() as u32,
        terminals,
        silence: options.silence * 1000,
        ..Job::default()
    })
}

/// The launcher's standard input, which is thread 0's.
struct Input {
    open: bool,
    /// Bytes that thread 0 has not read.
    under_way: usize,
}

/// The one that prints why the job ends: the job has one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reporter {
    Launcher,
    /// The runtime, in a thread of this host.
    Host(usize),
}

/// A job that runs on several hosts.
struct Distributed {
    /// By thread number.
    remotes: Vec<Remote>,
    signals: Signals,
    forwarder: OutputForwarder,
    supervisor: Supervisor,
    threads: usize,
    silence: Duration,
    input: Input,
    /// The code of `upc_global_exit`, once a thread has called it.
    global_exit: Option<i32>,
    /// When the threads were sent SIGKILL.
    killed: Option<Instant>,
    /// The one that prints why the job ends; messages of others about it are dropped.
    reporter: Option<Reporter>,
    began: Instant,
    verbose: bool,
}

impl Distributed {
    /// Supervises the job until all of its threads have ended.
    fn supervise(&mut self) {
        while !self.supervisor.over() {
            let input = self.wait();
            for arrival in self.signals.arrived() {
                self.on_signal(&arrival);
            }
            for host in 0..self.remotes.len() {
                self.poll_agent(host);
            }
            if input {
                self.read_input();
            }
            self.exchange();
            for (host, count) in self.forwarder.carried() {
                self.remotes[host].send(&ToAgent::Credit(count as u32));
            }
            if let Some(why) = self.forwarder.failure() {
                let orders = self.supervisor.output_failed(&why, Instant::now());
                self.carry_out(orders);
            }
            let orders = self.supervisor.tick(Instant::now());
            self.carry_out(orders);
            if self.killed.is_some_and(|at| at.elapsed() >= GRACE) {
                (0..self.remotes.len()).for_each(|host| self.lose(host, None));
            }
        }
    }

    /// Waits until there is something to do. Returns whether standard input can be read.
    fn wait(&self) -> bool {
        let mut until =
            self.remotes.iter().filter(|r| !r.gone).fold(self.supervisor.next_deadline(), |until, r| {
                let at = (r.last_sent + self.silence / 4).min(r.last_received + self.allowed_silence(r));
                Some(until.map_or(at, |until| until.min(at)))
            });
        if let Some(killed) = self.killed {
            until = Some(until.map_or(killed + GRACE, |until| until.min(killed + GRACE)));
        }
        let wanted = self.input.open
            && self.input.under_way < INPUT_WINDOW
            && self.remotes[0].started()
            && sys::may_read_input();
        let mut waits = vec![
            Wait::to_read(if wanted { 0 } else { -1 }),
            Wait::to_read(self.signals.as_raw_fd()),
            Wait::to_read(self.forwarder.news_fd()),
        ];
        for remote in self.remotes.iter().filter(|r| !r.gone) {
            let (from, to) = remote.link.waits();
            waits.extend([Wait::to_read(from), Wait::to_write(to), Wait::to_read(remote.errors_fd())]);
        }
        sys::wait_any(&mut waits, until);
        waits[0].ready()
    }

    /// Returns how long a host may be silent: connecting may take longer than an answer.
    fn allowed_silence(&self, remote: &Remote) -> Duration {
        if remote.started() { self.silence } else { self.silence.max(CONNECTING) }
    }

    /// Follows a signal to the launcher.
    fn on_signal(&mut self, arrival: &Arrival) {
        let orders = match arrival.number {
            libc::SIGCHLD => return,
            number @ (libc::SIGUSR1 | libc::SIGUSR2) => {
                let frame = ToAgent::Signal { number, ending: false, global_exit: None };
                return self.remotes.iter_mut().for_each(|r| r.send(&frame));
            }
            libc::SIGTSTP => return self.suspend(),
            // Agents and their threads are not in the terminal's foreground group.
            number => self.supervisor.told_to_end(number, false, Instant::now()),
        };
        self.carry_out(orders);
    }

    /// Stops with all threads (Ctrl-Z) until the user continues the launcher.
    fn suspend(&mut self) {
        self.remotes.iter_mut().for_each(|r| r.send(&ToAgent::Suspend(true)));
        let until = Instant::now() + GRACE;
        while self.remotes.iter().any(|r| r.link.waits().1 >= 0) && Instant::now() < until {
            let mut waits: Vec<Wait> =
                self.remotes.iter().map(|r| Wait::to_write(r.link.waits().1)).collect();
            sys::wait_any(&mut waits, Some(until));
            self.remotes.iter_mut().for_each(|r| r.link.flush());
        }
        sys::stop_self();
        let now = Instant::now();
        for remote in &mut self.remotes {
            remote.last_received = now;
            remote.send(&ToAgent::Suspend(false));
        }
    }

    /// Reads the frames that an agent has sent, and checks whether it is still alive.
    fn poll_agent(&mut self, host: usize) {
        let remote = &mut self.remotes[host];
        if remote.gone {
            return;
        }
        remote.listen();
        remote.link.flush();
        let frames = remote.link.receive();
        let now = Instant::now();
        if !frames.is_empty() {
            remote.last_received = now;
        }
        for frame in frames {
            match FromAgent::read(&frame) {
                Some(frame) => self.on_frame(host, frame),
                None => return self.lose(host, Some("its agent has sent a malformed message".into())),
            }
        }
        let remote = &mut self.remotes[host];
        if remote.gone {
            return;
        }
        if remote.link.closed() {
            let why = remote.why_lost();
            return self.say_and_lose(host, why, 1);
        }
        let remote = &self.remotes[host];
        let allowed = self.allowed_silence(remote);
        if now.duration_since(remote.last_received) >= allowed {
            let (seconds, said) = (allowed.as_secs(), remote.last_errors());
            let why = if remote.started() {
                format!("silent for {seconds} s (MERIDIAN_SILENCE){said}")
            } else {
                format!("its agent has not answered within {seconds} s{said}")
            };
            self.lose(host, Some(why));
        } else if now.duration_since(remote.last_sent) >= self.silence / 4 {
            self.remotes[host].send(&ToAgent::Alive);
        }
    }

    fn on_frame(&mut self, host: usize, frame: FromAgent) {
        match frame {
            FromAgent::Started { agent, pids, cores } => self.started(host, agent, pids, cores),
            FromAgent::Refused { code, text } => {
                let why = format!("host {}: {text}", self.remotes[host].share.name);
                self.say_and_lose(host, why, code);
            }
            FromAgent::Exchange { each, bytes } => self.remotes[host].given.push_back((each, bytes)),
            FromAgent::Output { stream, pid, bytes } => {
                let bytes = if stream == 1 { self.admitted(host, bytes) } else { bytes };
                self.forwarder.chunk(stream, lines::source(host, pid), host, bytes);
            }
            FromAgent::Ended { pid, thread, exit, news } => {
                self.forwarder.ended(lines::source(host, pid));
                if let Some(thread) = thread {
                    self.ended(host, thread as usize, exit, news);
                }
            }
            FromAgent::Taken(count) => {
                self.input.under_way = self.input.under_way.saturating_sub(count as usize);
            }
            FromAgent::Alive => {}
            FromAgent::Fatal => {
                self.reporter.get_or_insert(Reporter::Host(host));
                let frame = ToAgent::Signal { number: 0, ending: true, global_exit: None };
                self.remotes.iter_mut().for_each(|r| r.send(&frame));
            }
            FromAgent::Stopped { thread, stopped: true } => {
                self.supervisor.thread_stopped(thread as usize, Instant::now());
            }
            FromAgent::Stopped { thread, .. } => self.supervisor.thread_continued(thread as usize),
            FromAgent::Leaving { text } => {
                let text = format!("host {} has ended its threads: {text}", self.remotes[host].share.name);
                self.say_and_lose(host, text, 1);
            }
        }
    }

    /// Returns the standard error of a host's threads, without the runtime's messages if another host, or the
    /// launcher, has already printed why the job ends.
    fn admitted(&self, host: usize, bytes: Vec<u8>) -> Vec<u8> {
        if self.reporter.is_none_or(|reporter| reporter == Reporter::Host(host)) {
            return bytes;
        }
        let lines = bytes.split_inclusive(|&b| b == b'\n');
        lines.filter(|line| !line.starts_with(b"meridian: ")).flatten().copied().collect()
    }

    fn started(&mut self, host: usize, agent: i32, pids: Vec<i32>, cores: String) {
        let remote = &mut self.remotes[host];
        remote.agent = agent;
        let width = (self.threads - 1).to_string().len();
        for (i, &pid) in pids.iter().enumerate() {
            let thread = remote.share.first + i;
            self.forwarder.tag(lines::source(host, pid), format!("[{thread:width$}] "));
        }
        (remote.pids, remote.cores) = (pids, cores);
        if self.remotes.iter().all(Remote::started) {
            self.tell(Distributed::placement);
        }
    }

    /// Describes who runs where, in the words of `-v`.
    fn placement(&self) -> String {
        let took = self.began.elapsed().as_secs_f64() * 1e3;
        let hosts = self.remotes.len();
        let mut text = format!("{} threads on {hosts} hosts; started in {took:.1} ms", self.threads);
        for Remote { share, pids, cores, .. } in &self.remotes {
            let (first, last) = (share.first, share.first + share.threads - 1);
            let (low, high) = (pids[0], pids[pids.len() - 1]);
            let name = &share.name;
            text += &format!("\n    host {name}: threads {first} to {last}, pids {low} to {high}, {cores}");
        }
        text
    }

    fn ended(&mut self, host: usize, thread: usize, exit: Exit, news: News) {
        let remote = &mut self.remotes[host];
        remote.running = remote.running.saturating_sub(1);
        if self.global_exit.is_none() {
            self.global_exit = news.global_exit;
        }
        let orders = self.supervisor.thread_ended(thread, exit, news, Instant::now());
        self.carry_out(orders);
    }

    /// Handles the loss of a host, with this cause if it is known.
    fn lose(&mut self, host: usize, cause: Option<String>) {
        let cause = cause.unwrap_or_else(|| "its agent does not answer".into());
        let text = format!("host {} is lost: {cause}", self.remotes[host].share.name);
        self.say_and_lose(host, text, 1);
    }

    fn say_and_lose(&mut self, host: usize, mut text: String, code: i32) {
        let remote = &mut self.remotes[host];
        if remote.gone {
            return;
        }
        let running = remote.running;
        if remote.link.closed() {
            remote.abandon();
        } else if remote.started() {
            remote.abandon_silent();
        } else {
            remote.dismiss();
        }
        if self.remotes.iter().any(|r| !r.gone) {
            text += "; the job has been ended";
        }
        let orders = self.supervisor.host_lost(running, text, code, Instant::now());
        self.carry_out(orders);
    }

    fn carry_out(&mut self, orders: Vec<Order>) {
        for order in orders {
            match order {
                Order::Say(text) => {
                    self.reporter.get_or_insert(Reporter::Launcher);
                    self.forwarder.say(text);
                }
                Order::Send(number) => self.send(number),
            }
        }
    }

    /// Sends a signal that ends the job. Hosts whose threads do not run yet are given up.
    fn send(&mut self, number: i32) {
        let frame = ToAgent::Signal { number, ending: true, global_exit: self.global_exit };
        if number == libc::SIGKILL {
            self.killed.get_or_insert(Instant::now());
        }
        for host in 0..self.remotes.len() {
            if self.remotes[host].started() {
                self.remotes[host].send(&frame);
            } else {
                self.lose(host, None);
            }
        }
    }

    /// Answers the exchanges that all hosts have joined.
    fn exchange(&mut self) {
        while self.remotes.iter().all(|r| !r.given.is_empty()) {
            let mut given = Vec::new();
            let mut lengths = Vec::new();
            for (each, bytes) in self.remotes.iter_mut().filter_map(|r| r.given.pop_front()) {
                given.extend(bytes);
                lengths.push(each);
            }
            if lengths.iter().any(|&each| each != lengths[0]) {
                let text = "the threads of the hosts exchange different data: check that all hosts have the \
                            same program";
                let orders = self.supervisor.host_lost(0, text.into(), 1, Instant::now());
                return self.carry_out(orders);
            }
            let frame = ToAgent::Exchanged(given);
            self.remotes.iter_mut().for_each(|r| r.send(&frame));
        }
    }

    fn read_input(&mut self) {
        let mut bytes = vec![0; INPUT_WINDOW - self.input.under_way];
        let count = match sys::read_some(io::stdin(), &mut bytes) {
            Ok(None) => return,
            Ok(Some(count)) => count,
            Err(_) => 0,
        };
        bytes.truncate(count);
        self.input.open = count > 0;
        self.input.under_way += count;
        self.remotes[0].send(&ToAgent::Input(bytes));
    }

    fn tell(&self, text: impl FnOnce(&Distributed) -> String) {
        if self.verbose {
            self.forwarder.say(text(self));
        }
    }

    /// Finishes a job whose threads have all ended: lets the agents go, and waits for the last output.
    /// Returns the exit code.
    fn clear_away(mut self) -> i32 {
        let forced = self.supervisor.ended_by_force();
        self.remotes.iter_mut().for_each(|r| r.send(&ToAgent::Leave { forced }));
        let code = see_out(&self.forwarder, &mut self.supervisor, &self.signals);
        let until = Instant::now() + GRACE;
        while Instant::now() < until && !self.remotes.iter_mut().all(Remote::over) {
            self.remotes.iter_mut().filter(|r| !r.gone).for_each(|r| {
                r.link.flush();
                r.link.receive();
            });
            sys::wait_readable([self.signals.as_raw_fd()], Some(until.min(Instant::now() + PAUSE)));
            self.signals.arrived();
        }
        self.remotes.iter_mut().for_each(Remote::abandon_late);
        code
    }
}
