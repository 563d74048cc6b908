//! Decides the effect of a death, a signal, a time limit or a full disk on the job.
//!
//! The rules, without system calls:
//!
//! - A thread that is killed by a signal ends the job.
//! - A thread that leaves while it is still inside the UPC program (by `_exit`, with any code), or that
//!   leaves a foreign program with a non-zero code, ends the job if others still run a moment later: they may
//!   wait for it for ever. If all threads leave by themselves within that moment, the end is normal, whatever
//!   their codes.
//! - A thread that stays stopped (SIGSTOP) while others go on ends the job after a longer while.
//! - The job prints one message about its death, and none if the runtime has printed one already.
//! - To end the job, the launcher sends SIGTERM, and SIGKILL after a delay.
//! - `upc_global_exit` (UPC 7.2.1) ends all others quietly.
//! - The exit code is that of the cause that ended the job; else the first non-zero one.

use std::time::{Duration, Instant};

use crate::signals;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By this signal; `core`: the kernel has written a core file.
    Signal { number: i32, core: bool },
}

impl Exit {
    /// The code that a shell would show.
    pub fn code(self) -> i32 {
        match self {
            Exit::Code(code) => code,
            Exit::Signal { number, .. } => 128 + number,
        }
    }
}

/// How far a thread had come, by the control block, when its process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The runtime never started in this process: a program that Meridian did not build.
    Foreign,
    /// Inside the program.
    Inside,
    /// Past the program's end, at which all threads synchronise.
    Finished,
}

impl Stage {
    /// Returns the stage whose number (`as u32`) this is.
    pub fn from_number(number: u32) -> Option<Stage> {
        [Stage::Foreign, Stage::Inside, Stage::Finished].into_iter().find(|&s| s as u32 == number)
    }
}

/// The contents of the control block for a thread when its process has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct News {
    pub stage: Stage,
    /// The runtime has told the user why the job ends.
    pub reported: bool,
    /// A thread has called `upc_global_exit` with this code.
    pub global_exit: Option<i32>,
}

/// An action that the launcher has to take now; lists are in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Tell the user.
    Say(String),
    /// Send this signal to all processes of the job.
    Send(i32),
}

/// The delays of the launcher's decisions.
#[derive(Clone, Copy, Debug)]
pub struct Delays {
    /// How long a thread may be stopped (SIGSTOP) while others go on.
    pub stopped: Duration,
    /// How long other threads may go on after one has left.
    pub leaving: Duration,
    /// Between SIGTERM and SIGKILL.
    pub ending: Duration,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    Running,
    /// `thread` has left; the others may run until then.
    Leaving {
        until: Instant,
        thread: usize,
        exit: Exit,
    },
    /// All threads have been told to end; they are killed at that time.
    Ending {
        kill_at: Instant,
    },
    Killed,
}

/// The state of a job's life.
pub struct Supervisor {
    /// The first thread of each host, ascending, and the host's name.
    hosts: Vec<(usize, String)>,
    threads: usize,
    delays: Delays,
    limit: Option<(Duration, Instant)>,
    phase: Phase,
    running: usize,
    /// Threads that have been stopped, and when.
    stopped: Vec<(usize, Instant)>,
    /// The exit code of the cause that ended the job.
    verdict: Option<i32>,
    /// The first non-zero code of a thread.
    first_failure: Option<i32>,
}

impl Supervisor {
    /// Makes the state of a job of `threads` threads that have been started at `now`, to last for at most
    /// `limit`. `hosts`: the first thread of each host, ascending, and its name.
    pub fn new(
        threads: usize,
        hosts: Vec<(usize, String)>,
        delays: Delays,
        limit: Option<Duration>,
        now: Instant,
    ) -> Supervisor {
        // A limit past the end of the clock is no limit.
        let limit = limit.and_then(|limit| Some((limit, now.checked_add(limit)?)));
        Supervisor {
            hosts,
            threads,
            delays,
            limit,
            phase: Phase::Running,
            running: threads,
            stopped: Vec::new(),
            verdict: None,
            first_failure: None,
        }
    }

    /// Handles the end of the process of `thread`.
    pub fn thread_ended(&mut self, thread: usize, exit: Exit, news: News, now: Instant) -> Vec<Order> {
        self.running -= 1;
        self.thread_continued(thread);
        if exit.code() != 0 && self.first_failure.is_none() {
            self.first_failure = Some(exit.code());
        }
        if matches!(self.phase, Phase::Ending { .. } | Phase::Killed) {
            return Vec::new();
        }
        if let Some(code) = news.global_exit {
            return self.end(code, libc::SIGTERM, now);
        }
        match exit {
            Exit::Signal { number: libc::SIGINT, .. } => self.end(128 + libc::SIGINT, libc::SIGINT, now),
            _ if news.reported => {
                self.end(if exit.code() == 0 { 1 } else { exit.code() }, libc::SIGTERM, now)
            }
            Exit::Signal { .. } => self.death(thread, exit, now),
            Exit::Code(0) if news.stage != Stage::Inside => Vec::new(),
            Exit::Code(_) if news.stage == Stage::Finished => Vec::new(),
            Exit::Code(_) => {
                if self.running > 0 && matches!(self.phase, Phase::Running) {
                    self.phase = Phase::Leaving { until: now + self.delays.leaving, thread, exit };
                }
                Vec::new()
            }
        }
    }

    /// Handles a `signal` to the launcher. `shared`: the terminal has sent it to the threads too.
    pub fn told_to_end(&mut self, signal: i32, shared: bool, now: Instant) -> Vec<Order> {
        if matches!(self.phase, Phase::Ending { .. } | Phase::Killed) {
            return self.kill();
        }
        let orders = self.end(128 + signal, signal, now);
        if shared { Vec::new() } else { orders }
    }

    /// Notes that the process of `thread` has been stopped. Others may wait for it for ever, unless they are
    /// stopped too.
    pub fn thread_stopped(&mut self, thread: usize, now: Instant) {
        self.thread_continued(thread);
        self.stopped.push((thread, now));
    }

    /// Notes that the process of `thread` runs again.
    pub fn thread_continued(&mut self, thread: usize) {
        self.stopped.retain(|&(t, _)| t != thread);
    }

    /// Returns the thread that has been stopped for longest while others go on, and when its delay ends.
    fn missed(&self) -> Option<(usize, Instant)> {
        let &(thread, since) = self.stopped.first().filter(|_| self.stopped.len() < self.running)?;
        Some((thread, since.checked_add(self.delays.stopped)?))
    }

    /// Handles the loss of a host, or a host never reached, with `running` of its threads; `why` names host
    /// and cause.
    pub fn host_lost(&mut self, running: usize, why: String, code: i32, now: Instant) -> Vec<Order> {
        self.running -= running;
        if matches!(self.phase, Phase::Ending { .. } | Phase::Killed) {
            return Vec::new();
        }
        self.end_saying(why, code, now)
    }

    /// Handles output of the job that cannot be written.
    pub fn output_failed(&mut self, why: &str, now: Instant) -> Vec<Order> {
        if matches!(self.phase, Phase::Ending { .. } | Phase::Killed) {
            return Vec::new();
        }
        self.end_saying(format!("cannot write {why}; the job has been ended"), 1, now)
    }

    /// Handles the passage of time. To be called at `next_deadline`; other calls are harmless.
    pub fn tick(&mut self, now: Instant) -> Vec<Order> {
        if self.running == 0 {
            return Vec::new();
        }
        match self.phase {
            Phase::Ending { kill_at } if now >= kill_at => self.kill(),
            Phase::Leaving { until, thread, exit } if now >= until => self.death(thread, exit, now),
            Phase::Running | Phase::Leaving { .. } => match (self.limit, self.missed()) {
                (Some((limit, at)), _) if now >= at => {
                    let text = format!("the job has been ended after {} s (--timeout)", limit.as_secs_f64());
                    self.end_saying(text, 124, now)
                }
                (_, Some((thread, until))) if now >= until => {
                    let seconds = self.delays.stopped.as_secs_f64();
                    let cause = format!("stopped (SIGSTOP) for {seconds} s (MERIDIAN_SILENCE)");
                    let text = format!("{}: {cause}; the job has been ended", self.name(thread));
                    self.end_saying(text, 1, now)
                }
                _ => Vec::new(),
            },
            Phase::Ending { .. } | Phase::Killed => Vec::new(),
        }
    }

    /// Returns the next time at which `tick` has something to do.
    pub fn next_deadline(&self) -> Option<Instant> {
        let missed = self.missed().map(|(_, until)| until);
        let limit = self.limit.map(|(_, at)| at).into_iter().chain(missed).min();
        match self.phase {
            Phase::Running => limit,
            Phase::Leaving { until, .. } => Some(limit.map_or(until, |at| at.min(until))),
            Phase::Ending { kill_at } => Some(kill_at),
            Phase::Killed => None,
        }
    }

    /// Whether all threads have ended.
    pub fn over(&self) -> bool {
        self.running == 0
    }

    /// Whether the job was ended by force, rather than having come to its end.
    pub fn ended_by_force(&self) -> bool {
        self.verdict.is_some()
    }

    /// Returns the exit code of the job, once it is over.
    pub fn code(&self) -> i32 {
        self.verdict.or(self.first_failure).unwrap_or(0)
    }

    fn death(&mut self, thread: usize, exit: Exit, now: Instant) -> Vec<Order> {
        let cause = match exit {
            Exit::Signal { number, core } => {
                let dump = if core { ", core dumped" } else { "" };
                format!("killed by {}{dump}", signals::describe(number))
            }
            Exit::Code(0) => "left with code 0 before the end of the program (_exit or quick_exit?)".into(),
            Exit::Code(code) => format!("left with exit code {code} while other threads were running"),
        };
        let rest = if self.running > 0 { "; the job has been ended" } else { "" };
        let text = format!("{}: {cause}{rest}", self.name(thread));
        self.end_saying(text, if exit.code() == 0 { 1 } else { exit.code() }, now)
    }

    fn name(&self, thread: usize) -> String {
        let host = self.hosts.iter().rfind(|(first, _)| *first <= thread).map_or("?", |(_, name)| name);
        format!("thread {thread} of {} on host {host}", self.threads)
    }

    fn end_saying(&mut self, text: String, code: i32, now: Instant) -> Vec<Order> {
        let mut orders = vec![Order::Say(text)];
        orders.extend(self.end(code, libc::SIGTERM, now));
        orders
    }

    fn end(&mut self, code: i32, signal: i32, now: Instant) -> Vec<Order> {
        self.verdict = Some(code);
        let kill_at = now.checked_add(self.delays.ending).unwrap_or(now);
        self.phase = Phase::Ending { kill_at };
        if self.running > 0 { vec![Order::Send(signal)] } else { Vec::new() }
    }

    fn kill(&mut self) -> Vec<Order> {
        self.phase = Phase::Killed;
        vec![Order::Send(libc::SIGKILL)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);
    const FOREIGN: News = News { stage: Stage::Foreign, reported: false, global_exit: None };
    const INSIDE: News = News { stage: Stage::Inside, ..FOREIGN };
    const FINISHED: News = News { stage: Stage::Finished, ..FOREIGN };
    const SEGV: Exit = Exit::Signal { number: libc::SIGSEGV, core: false };

    fn job(threads: usize, limit: Option<Duration>) -> (Supervisor, Instant) {
        let now = Instant::now();
        let delays = Delays { stopped: 900 * MS, leaving: 300 * MS, ending: 500 * MS };
        (Supervisor::new(threads, vec![(0, "here".into())], delays, limit, now), now)
    }

    fn said(orders: &[Order]) -> &str {
        match orders {
            [Order::Say(text), Order::Send(libc::SIGTERM)] => text,
            other => panic!("expected a message and SIGTERM, got {other:?}"),
        }
    }

    #[test]
    fn a_signal_ends_the_job_at_once_with_one_message() {
        let (mut m, t) = job(3, None);
        let orders = m.thread_ended(1, SEGV, INSIDE, t);
        assert!(said(&orders).starts_with("thread 1 of 3 on host here: killed by SIGSEGV"), "{orders:?}");
        assert_eq!(m.thread_ended(0, SEGV, INSIDE, t), []);
        assert_eq!(m.tick(t + 499 * MS), []);
        assert_eq!(m.next_deadline(), Some(t + 500 * MS));
        assert_eq!(m.tick(t + 500 * MS), [Order::Send(libc::SIGKILL)]);
        m.thread_ended(2, Exit::Signal { number: 9, core: false }, INSIDE, t + 501 * MS);
        assert!(m.over() && m.ended_by_force());
        assert_eq!(m.code(), 128 + 11);
    }

    #[test]
    fn a_code_matters_only_while_others_go_on() {
        let (mut m, t) = job(2, None);
        assert_eq!(m.thread_ended(0, Exit::Code(3), FOREIGN, t), []);
        assert_eq!(m.tick(t + 299 * MS), []);
        let orders = m.tick(t + 300 * MS);
        assert!(said(&orders).contains("thread 0 of 2 on host here: left with exit code 3"));
        assert_eq!(m.thread_ended(1, Exit::Signal { number: 15, core: false }, FOREIGN, t), []);
        assert_eq!(m.code(), 3);
    }

    #[test]
    fn threads_that_all_leave_by_themselves_are_not_a_death() {
        let (mut m, t) = job(3, None);
        assert_eq!(m.thread_ended(2, Exit::Code(4), INSIDE, t), []);
        assert_eq!(m.thread_ended(1, Exit::Code(0), INSIDE, t + 10 * MS), []);
        assert_eq!(m.thread_ended(0, Exit::Code(5), INSIDE, t + 20 * MS), []);
        assert_eq!(m.tick(t + 900 * MS), []);
        assert!(m.over() && !m.ended_by_force());
        assert_eq!(m.code(), 4);
    }

    #[test]
    fn a_thread_past_the_end_may_have_any_code_and_others_any_time() {
        let (mut m, t) = job(2, None);
        assert_eq!(m.thread_ended(0, Exit::Code(7), FINISHED, t), []);
        assert_eq!(m.next_deadline(), None);
        assert_eq!(m.thread_ended(1, Exit::Code(0), FINISHED, t + 9000 * MS), []);
        assert_eq!(m.code(), 7);
    }

    #[test]
    fn leaving_with_code_0_inside_the_program_is_a_death() {
        let (mut m, t) = job(2, None);
        assert_eq!(m.thread_ended(1, Exit::Code(0), INSIDE, t), []);
        assert!(said(&m.tick(t + 300 * MS)).contains("before the end"));
        m.thread_ended(0, Exit::Signal { number: 15, core: false }, INSIDE, t);
        assert_eq!(m.code(), 1);
    }

    #[test]
    fn what_the_runtime_has_reported_is_not_said_again() {
        let (mut m, t) = job(2, None);
        let news = News { reported: true, ..INSIDE };
        assert_eq!(m.thread_ended(1, Exit::Code(1), news, t), [Order::Send(libc::SIGTERM)]);
        m.thread_ended(0, Exit::Signal { number: 15, core: false }, news, t);
        assert_eq!(m.code(), 1);
        let (mut m, t) = job(1, None);
        assert_eq!(m.thread_ended(0, Exit::Code(0), news, t), []);
        assert_eq!(m.code(), 1, "the thread's own code does not count as a success");
    }

    #[test]
    fn global_exit_ends_the_others_quietly_with_its_code() {
        let (mut m, t) = job(2, None);
        let news = News { global_exit: Some(0), ..INSIDE };
        assert_eq!(m.thread_ended(0, Exit::Code(0), news, t), [Order::Send(libc::SIGTERM)]);
        m.thread_ended(1, Exit::Signal { number: 15, core: false }, news, t);
        assert_eq!(m.code(), 0);
    }

    #[test]
    fn a_signal_is_passed_on_once_and_the_second_kills() {
        let (mut m, t) = job(2, None);
        assert_eq!(m.told_to_end(libc::SIGINT, false, t), [Order::Send(libc::SIGINT)]);
        assert_eq!(m.told_to_end(libc::SIGINT, false, t), [Order::Send(libc::SIGKILL)]);
        assert_eq!(m.code(), 130);
        let (mut m, t) = job(2, None);
        assert_eq!(m.told_to_end(libc::SIGINT, true, t), [], "the terminal has sent it to all");
        assert_eq!(m.tick(t + 500 * MS), [Order::Send(libc::SIGKILL)]);
    }

    #[test]
    fn a_time_limit_ends_the_job_with_124() {
        let (mut m, t) = job(1, Some(2000 * MS));
        assert_eq!(m.next_deadline(), Some(t + 2000 * MS));
        assert_eq!(m.tick(t + 1999 * MS), []);
        assert!(said(&m.tick(t + 2000 * MS)).contains("after 2 s"));
        m.thread_ended(0, Exit::Signal { number: 15, core: false }, FOREIGN, t);
        assert_eq!(m.code(), 124);
    }

    #[test]
    fn a_single_thread_hands_on_its_code_and_names_its_signal() {
        let (mut m, t) = job(1, None);
        assert_eq!(m.thread_ended(0, Exit::Code(9), INSIDE, t), []);
        assert_eq!(m.code(), 9);
        let (mut m, t) = job(1, None);
        let orders = m.thread_ended(0, SEGV, INSIDE, t);
        assert!(
            matches!(&orders[..], [Order::Say(text)] if text.ends_with("(segmentation fault)")),
            "{orders:?}"
        );
    }

    #[test]
    fn a_lost_host_ends_the_job_on_the_others_and_is_not_waited_for() {
        let now = Instant::now();
        let delays = Delays { stopped: 900 * MS, leaving: 300 * MS, ending: 500 * MS };
        let hosts = vec![(0, "a".to_string()), (2, "b".to_string())];
        let mut m = Supervisor::new(4, hosts.clone(), delays, None, now);
        let orders = m.host_lost(2, "host b: gone".into(), 1, now);
        assert_eq!(said(&orders), "host b: gone");
        m.thread_ended(0, Exit::Signal { number: 15, core: false }, INSIDE, now);
        m.thread_ended(1, Exit::Signal { number: 15, core: false }, INSIDE, now);
        assert!(m.over());
        assert_eq!(m.code(), 1);
        let mut m = Supervisor::new(4, hosts, delays, None, now);
        assert!(said(&m.thread_ended(2, SEGV, INSIDE, now)).starts_with("thread 2 of 4 on host b:"));
        assert_eq!(m.host_lost(1, "host b: gone".into(), 1, now), []);
    }

    #[test]
    fn a_thread_that_stays_stopped_while_others_go_on_ends_the_job() {
        let (mut m, t) = job(2, None);
        m.thread_stopped(1, t);
        assert_eq!(m.next_deadline(), Some(t + 900 * MS));
        m.thread_continued(1);
        assert_eq!((m.next_deadline(), m.tick(t + 900 * MS)), (None, vec![]));
        m.thread_stopped(1, t + 1000 * MS);
        m.thread_stopped(0, t + 1100 * MS);
        assert_eq!(m.tick(t + 9000 * MS), [], "the whole job is stopped");
        m.thread_continued(0);
        let orders = m.tick(t + 9000 * MS);
        assert!(said(&orders).starts_with("thread 1 of 2 on host here: stopped"), "{orders:?}");
    }

    #[test]
    fn only_a_thread_that_others_may_wait_for_is_missed_while_it_is_stopped() {
        let (mut m, t) = job(1, None);
        m.thread_stopped(0, t);
        assert_eq!((m.next_deadline(), m.tick(t + 900 * MS)), (None, vec![]), "nobody waits for it");
        let (mut m, t) = job(3, None);
        m.thread_stopped(2, t);
        m.thread_stopped(1, t + 100 * MS);
        m.thread_stopped(2, t + 200 * MS);
        assert_eq!(m.next_deadline(), Some(t + 1000 * MS), "the one that is stopped for longest");
        m.thread_ended(1, Exit::Signal { number: libc::SIGKILL, core: false }, FINISHED, t);
        assert_eq!(m.next_deadline(), Some(t + 500 * MS), "the end of the job is awaited first");
    }

    #[test]
    fn the_next_deadline_is_the_earliest() {
        let (mut m, t) = job(3, Some(2000 * MS));
        m.thread_stopped(1, t + 1000 * MS);
        assert_eq!(m.next_deadline(), Some(t + 1900 * MS), "the stopped thread's");
        m.thread_stopped(1, t + 1500 * MS);
        assert_eq!(m.next_deadline(), Some(t + 2000 * MS), "the time limit");
        m.thread_ended(0, Exit::Code(1), INSIDE, t + 1000 * MS);
        assert_eq!(m.next_deadline(), Some(t + 1300 * MS), "that of a thread that has left");
        let (mut m, t) = job(2, Some(100 * MS));
        m.thread_ended(0, Exit::Code(1), INSIDE, t);
        assert_eq!(m.next_deadline(), Some(t + 100 * MS), "a limit before it");
        assert!(said(&m.tick(t + 100 * MS)).contains("--timeout"));
        assert_eq!(m.tick(t + 600 * MS), [Order::Send(libc::SIGKILL)]);
        assert_eq!((m.next_deadline(), m.tick(t + 9000 * MS)), (None, vec![]), "nothing but the end");
        let (mut m, t) = job(2, Some(Duration::MAX));
        assert_eq!((m.next_deadline(), m.tick(t + 9000 * MS)), (None, vec![]), "a limit past all time");
    }

    #[test]
    fn the_first_thread_that_has_left_is_the_one_that_is_named() {
        let (mut m, t) = job(3, None);
        m.thread_ended(2, Exit::Code(4), INSIDE, t);
        m.thread_ended(1, Exit::Code(5), INSIDE, t + 200 * MS);
        assert_eq!(m.tick(t + 299 * MS), []);
        let orders = m.tick(t + 300 * MS);
        assert!(said(&orders).starts_with("thread 2 of 3"), "{orders:?}");
        assert_eq!(m.code(), 4);
    }

    #[test]
    fn the_code_is_the_first_that_is_not_0() {
        let (mut m, t) = job(3, None);
        m.thread_ended(0, Exit::Code(0), FINISHED, t);
        assert_eq!((m.code(), m.over()), (0, false));
        m.thread_ended(1, Exit::Code(7), FINISHED, t);
        m.thread_ended(2, Exit::Code(8), FINISHED, t);
        assert_eq!((m.code(), m.over()), (7, true));
    }

    #[test]
    fn a_program_of_others_may_end_with_code_0_at_any_time() {
        let (mut m, t) = job(2, None);
        assert_eq!(m.thread_ended(1, Exit::Code(0), FOREIGN, t), []);
        assert_eq!((m.next_deadline(), m.tick(t + 9000 * MS)), (None, vec![]));
    }

    #[test]
    fn a_thread_that_ctrl_c_has_ended_ends_the_job_without_a_word() {
        let (mut m, t) = job(2, None);
        let interrupted = Exit::Signal { number: libc::SIGINT, core: false };
        assert_eq!(m.thread_ended(1, interrupted, INSIDE, t), [Order::Send(libc::SIGINT)]);
        assert_eq!(m.code(), 130);
    }

    #[test]
    fn a_reported_failure_keeps_its_code() {
        let (mut m, t) = job(2, None);
        let news = News { reported: true, ..INSIDE };
        let aborted = Exit::Signal { number: libc::SIGABRT, core: true };
        assert_eq!(m.thread_ended(1, aborted, news, t), [Order::Send(libc::SIGTERM)]);
        assert_eq!(m.code(), 134);
    }

    #[test]
    fn a_core_file_is_told_of() {
        let (mut m, t) = job(2, None);
        let orders = m.thread_ended(1, Exit::Signal { number: libc::SIGFPE, core: true }, INSIDE, t);
        assert!(
            said(&orders).ends_with("(arithmetic error), core dumped; the job has been ended"),
            "{orders:?}"
        );
    }

    #[test]
    fn a_signal_during_the_end_kills_and_more_deaths_change_nothing() {
        let (mut m, t) = job(3, None);
        m.output_failed("standard output: no space", t);
        assert_eq!(m.told_to_end(libc::SIGTERM, false, t), [Order::Send(libc::SIGKILL)]);
        assert_eq!(m.thread_ended(0, SEGV, INSIDE, t), []);
        assert_eq!(m.host_lost(1, "host b: gone".into(), 1, t), []);
        assert_eq!(m.output_failed("standard error: no space", t), []);
        assert_eq!(m.code(), 1);
        m.thread_ended(2, SEGV, INSIDE, t);
        assert!(m.over());
    }

    #[test]
    fn stages_are_known_by_their_numbers() {
        for stage in [Stage::Foreign, Stage::Inside, Stage::Finished] {
            assert_eq!(Stage::from_number(stage as u32), Some(stage));
        }
        assert_eq!(Stage::from_number(3), None);
    }

    #[test]
    fn unwritable_output_ends_the_job_once() {
        let (mut m, t) = job(2, None);
        assert!(said(&m.output_failed("standard output: no space", t)).contains("no space"));
        assert_eq!(m.output_failed("standard error: no space", t), []);
        assert_eq!(m.code(), 1);
    }
}
