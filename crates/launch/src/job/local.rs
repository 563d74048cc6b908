//! The life of a job on this host: the loop that applies the decisions of `supervisor` to its processes.

use std::collections::HashMap;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;
use std::time::{Duration, Instant};

use super::ending::{LEAVING, see_out};
use crate::control::{self, Control};
use crate::cores::{self, Placement};
use crate::error::Error;
use crate::lines::{self, Source};
use crate::options::{Gdb, Options};
use crate::output::{self, OutputForwarder};
use crate::session::{self, Session};
use crate::signals::{Arrival, Signals};
use crate::spawn::ProcessSpec;
use crate::supervisor::{Delays, Order, Supervisor};
use crate::sys::{self, Change};
use crate::{debugger, program};

/// Runs a job of `threads` threads on this host to its end. Returns its exit code.
pub fn run(options: &Options, path: &Path, threads: usize) -> Result<i32, Error> {
    options.gdb.map_or(Ok(()), |gdb| debugger::check(gdb, path, threads))?;
    let placement = cores::place(threads, options.pinning(), program::uses_openmp(path));
    let began = Instant::now();
    let mut job = Job::start(options, path, threads, &placement)?;
    if options.gdb == Some(Gdb::Tmux) {
        job.say(debugger::open_windows(&job.pids));
    }
    if options.verbose {
        job.say(started(path, &placement, &job.pids, began.elapsed()));
    }
    let gdb_code = match options.gdb {
        Some(Gdb::All) => Some(job.debug(options, path)?),
        _ => None,
    };
    job.supervise();
    if options.verbose {
        job.say(format!(
            "ended with code {} after {:.3} s",
            job.supervisor.code(),
            began.elapsed().as_secs_f64()
        ));
    }
    let code = job.clear_away();
    Ok(gdb_code.unwrap_or(code))
}

type Pair = Option<[OwnedFd; 2]>;

/// Makes the job's standard output and error: (ends that the launcher reads, ends that threads write to).
fn streams() -> Result<(Pair, Pair), Error> {
    let stream = || sys::named_stream().map_err(Error::system("cannot create the job's output streams"));
    let (output, errors) = (stream()?, stream()?);
    Ok((Some([output.0, errors.0]), Some([output.1, errors.1])))
}

fn tags(pids: &[i32]) -> HashMap<Source, String> {
    let width = (pids.len() - 1).to_string().len();
    pids.iter()
        .enumerate()
        .map(|(thread, &pid)| (lines::source(0, pid), format!("[{thread:width$}] ")))
        .collect()
}

fn started(path: &Path, placement: &Placement, pids: &[i32], took: Duration) -> String {
    let places = placement.describe();
    format!(
        "{} with {} threads on {}, pids {} to {}, {places}; started in {:.1} ms",
        path.display(),
        pids.len(),
        sys::host_name(),
        pids[0],
        pids[pids.len() - 1],
        took.as_secs_f64() * 1e3,
    )
}

/// A job that runs.
struct Job {
    /// By thread number; 0 once the process has been waited for.
    pids: Vec<i32>,
    /// Children that the process had before it became the launcher.
    earlier: Vec<i32>,
    signals: Signals,
    control: Control,
    /// None if the only thread writes to the launcher's own output.
    forwarder: Option<OutputForwarder>,
    supervisor: Supervisor,
    /// The gdb that has all threads; over if there is none.
    session: Session,
    /// The exit code of that gdb, or of the launcher if it is told to end before gdb ends.
    gdb_code: Option<i32>,
    /// gdb has been started: it tells of the deaths of threads, which end nothing.
    under_gdb: bool,
}

impl Job {
    /// Makes the job's memory and starts its threads, which the calling thread must outlive.
    fn start(options: &Options, path: &Path, threads: usize, placement: &Placement) -> Result<Job, Error> {
        let signals = Signals::take(&[]).map_err(Error::system("cannot listen for signals"))?;
        let (memory, control) = control::host_files()?;
        // A shell that became the launcher by `exec` may have started processes earlier, which are not part
        // of the job.
        let earlier = sys::children();
        sys::adopt_orphans();
        let debugged = options.gdb == Some(Gdb::All);
        let (readers, streams) = if threads > 1 || debugged { streams()? } else { (None, None) };
        let spec = ProcessSpec {
            program: path.to_path_buf(),
            name: options.command[0].clone(),
            arguments: options.command[1..].to_vec(),
            threads,
            cores: placement.cores.clone(),
            memory_fd: memory.as_raw_fd(),
            control_fd: control.raw_fd(),
            terminals: sys::terminals(),
            streams,
            part: None,
            gdb: options.gdb,
        };
        let pids = spec.start()?;
        // The launcher's own copies would keep the streams from ending, and the memory from being freed.
        drop((spec, memory));
        let tags = options.tag.then(|| tags(&pids));
        let forwarder = readers.map(|readers| OutputForwarder::start(readers, tags)).transpose();
        let forwarder = forwarder.map_err(Error::system("cannot forward the job's output"))?;
        let delays = match debugged {
            true => session::DELAYS,
            false => Delays {
                stopped: Duration::from_secs(options.silence.into()),
                leaving: LEAVING,
                ending: options.kill_after,
            },
        };
        let hosts = vec![(0, sys::host_name())];
        let supervisor = Supervisor::new(threads, hosts, delays, options.timeout, Instant::now());
        let session = if debugged { Session::Starting } else { Session::Over };
        Ok(Job {
            pids,
            earlier,
            signals,
            control,
            forwarder,
            supervisor,
            session,
            gdb_code: None,
            under_gdb: false,
        })
    }

    /// Supervises the job while it is under one gdb, from the time at which all threads wait for gdb. Ends
    /// the job when gdb ends. Returns the exit code of gdb, or that of a job that has ended before gdb could
    /// start.
    ///
    /// # Errors
    /// If gdb does not start. The threads end with the launcher.
    fn debug(&mut self, options: &Options, path: &Path) -> Result<i32, Error> {
        while !self.supervisor.over() && !(0..self.pids.len()).all(|thread| self.control.has_started(thread))
        {
            self.step(Some(Instant::now() + session::POLL));
        }
        if self.supervisor.over() {
            self.session = Session::Over;
            return Ok(self.supervisor.code());
        }
        if let Some(advice) = session::advice(path) {
            output::say(&advice);
        }
        self.session = Session::start(path, &options.gdb_options, &self.pids)?;
        self.under_gdb = true;
        while !matches!(self.session, Session::Over) {
            self.step(None);
        }
        let orders = self.supervisor.told_to_end(libc::SIGKILL, false, Instant::now());
        self.carry_out(orders);
        Ok(self.gdb_code.unwrap_or_else(|| self.supervisor.code()))
    }

    /// Supervises the job until all of its threads have ended.
    fn supervise(&mut self) {
        while !self.supervisor.over() {
            self.step(None);
        }
    }

    /// Waits until something happens, or until `most`, and follows it.
    fn step(&mut self, most: Option<Instant>) {
        self.wait(self.supervisor.next_deadline().into_iter().chain(most).min());
        for arrival in self.signals.arrived() {
            self.on_signal(&arrival);
        }
        self.collect();
        if let Some(why) = self.forwarder.as_ref().and_then(OutputForwarder::failure) {
            let orders = self.supervisor.output_failed(&why, Instant::now());
            self.carry_out(orders);
        }
        let orders = self.supervisor.tick(Instant::now());
        self.carry_out(orders);
    }

    /// Follows a signal to the launcher. Batch systems request a checkpoint by SIGUSR1 and SIGUSR2: these are
    /// passed to the threads.
    fn on_signal(&mut self, arrival: &Arrival) {
        let orders = match arrival.number {
            libc::SIGCHLD => return,
            libc::SIGUSR1 | libc::SIGUSR2 => return self.send(arrival.number),
            // The terminal's Ctrl-C is gdb's.
            libc::SIGINT if arrival.from_kernel && matches!(self.session, Session::Running(_)) => return,
            number => {
                // Threads that wait for gdb are in groups of their own, which the terminal's signals do not
                // reach.
                let shared = arrival.from_kernel && !matches!(self.session, Session::Starting);
                self.supervisor.told_to_end(number, shared, Instant::now())
            }
        };
        if self.session.end() {
            self.gdb_code.get_or_insert(128 + arrival.number);
        }
        self.carry_out(orders);
    }

    fn send(&self, signal: i32) {
        for &pid in self.pids.iter().filter(|&&pid| pid != 0) {
            sys::send(pid, signal);
        }
    }

    fn wait(&self, until: Option<Instant>) {
        let news = self.forwarder.as_ref().map_or(-1, OutputForwarder::news_fd);
        sys::wait_readable([self.signals.as_raw_fd(), news], until);
    }

    /// Collects the processes that have ended. The message about a death goes to the forwarder after the note
    /// that the process has ended, so that the user reads it below the thread's last lines.
    fn collect(&mut self) {
        while let Some((pid, change)) = sys::changed_child() {
            let thread = self.pids.iter().position(|&p| p == pid);
            let exit = match (change, thread) {
                (Change::Ended(exit), _) => exit,
                (Change::Stopped, Some(thread)) => {
                    self.supervisor.thread_stopped(thread, Instant::now());
                    continue;
                }
                (Change::Continued, Some(thread)) => {
                    self.supervisor.thread_continued(thread);
                    continue;
                }
                _ => continue,
            };
            if let Some(code) = self.session.ended(pid, exit) {
                self.gdb_code.get_or_insert(code);
                continue;
            }
            if let Some(forwarder) = &self.forwarder {
                forwarder.ended(lines::source(0, pid));
            }
            let Some(thread) = thread else {
                continue; // an orphan of a thread
            };
            self.pids[thread] = 0;
            let news = self.control.news(thread);
            let orders = self.supervisor.thread_ended(thread, exit, news, Instant::now());
            if !self.under_gdb {
                self.carry_out(orders);
            }
        }
    }

    fn carry_out(&self, orders: Vec<Order>) {
        for order in orders {
            match order {
                Order::Say(text) => self.say(text),
                Order::Send(signal) => {
                    self.control.announce_end(None);
                    self.send(signal);
                }
            }
        }
    }

    fn say(&self, text: String) {
        match &self.forwarder {
            Some(forwarder) => forwarder.say(text),
            None => output::say(&text),
        }
    }

    /// Finishes a job whose threads have all ended: ends the processes that they left behind if the job was
    /// ended by force, and waits for the last output. Returns the exit code.
    fn clear_away(mut self) -> i32 {
        if self.supervisor.ended_by_force() {
            sys::end_orphans(&self.earlier);
        }
        let Some(forwarder) = self.forwarder.take() else {
            return self.supervisor.code();
        };
        see_out(&forwarder, &mut self.supervisor, &self.signals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_of_one_width() {
        let tags = tags(&(100..111).collect::<Vec<_>>());
        assert_eq!(tags[&lines::source(0, 100)], "[ 0] ");
        assert_eq!(tags[&lines::source(0, 110)], "[10] ");
        assert_eq!(super::tags(&[7, 8])[&lines::source(0, 8)], "[1] ");
        assert_eq!(super::tags(&(100..110).collect::<Vec<_>>())[&lines::source(0, 109)], "[9] ");
    }
}
