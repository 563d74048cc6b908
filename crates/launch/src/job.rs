//! The life of a job: made, started, supervised, and cleared away.

use std::collections::HashMap;
use std::io::Write;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::allocation;
use crate::control::{self, Control};
use crate::cores::{self, Placement};
use crate::debugger;
use crate::error::Error;
use crate::hosts::{self, Host, Name, Share};
use crate::lines::{self, Source};
use crate::options::{Gdb, Options};
use crate::output::OutputForwarder;
use crate::program;
use crate::record;
use crate::signals::{Arrival, Signals};
use crate::spawn::ProcessSpec;
use crate::supervisor::{Delays, Order, Supervisor};
use crate::sys::{self, Change};

/// How long the others may go on after a thread has left by itself.
pub const LEAVING: Duration = Duration::from_millis(300);
/// The command that reaches other hosts, if nobody chooses another one.
const SSH: &str = "ssh -o BatchMode=yes";
/// How long a reader may take no output after the job was ended by force: it may be stopped.
const OUTPUT_GRACE: Duration = Duration::from_millis(300);

/// Runs a job to its end; its exit code.
pub fn run(options: &Options) -> Result<i32, Error> {
    let name = options.command.first().expect("the command line demands a program");
    let path = program::find(name, std::env::var_os("PATH").as_deref())?;
    let threads = program::threads(&path, options.threads, options.threads_demanded)?.map(|n| n as usize);
    if options.verbose {
        options.idle.iter().for_each(|(word, why)| say(&format!("{word} has no effect: {why}")));
    }
    if options.info {
        return Ok(tell(&info(&path)));
    }
    let places = places(options, threads)?;
    if options.dry_run {
        return Ok(tell(&plan(&path, &places)));
    }
    set_missing(&options.profile[places.kind()]);
    let parts = places.parts();
    if let Some(file) = &options.record {
        record::make(file, parts)?;
    }
    let Some(profile) = options.profile_file() else { return carry_out(options, path, places, parts) };
    let threads = places.threads();
    record::make_profile(&profile, threads)?;
    let ended = carry_out(options, path, places, parts);
    let gathered = record::gather_profile(&profile, threads);
    ended.and_then(|code| gathered.map(|()| code))
}

/// Runs the job where it belongs; its exit code.
fn carry_out(options: &Options, path: PathBuf, places: Places, parts: Option<usize>) -> Result<i32, Error> {
    match places {
        Places::Here(threads) => here(options, &path, threads),
        Places::Hosts(..) if matches!(options.gdb, Some(Gdb::Thread(_) | Gdb::Tmux)) => {
            Err(Error::Debugger("on several hosts, only --gdb=attach".into()))
        }
        Places::Hosts(shares, by) => {
            let code = crate::distributed::run(options, path, shares, by)?;
            if let (Some(file), Some(threads)) = (&options.record, parts) {
                let gathered = record::gather(file, threads);
                // What is missing when a job has failed is no news.
                if code == 0 {
                    gathered?;
                }
            }
            Ok(code)
        }
    }
}

/// Runs a job of so many threads on this host; its exit code.
fn here(options: &Options, path: &Path, threads: usize) -> Result<i32, Error> {
    options.gdb.map_or(Ok(()), |gdb| debugger::check(gdb, threads))?;
    let placement = cores::place(threads, options.pinning(), program::uses_openmp(path));
    let began = Instant::now();
    let mut job = Job::start(options, path, threads, &placement)?;
    if options.gdb == Some(Gdb::Tmux) {
        job.say(debugger::open_windows(&job.pids));
    }
    if options.verbose {
        job.say(started(path, &placement, &job.pids, began.elapsed()));
    }
    job.supervise();
    if options.verbose {
        job.say(format!(
            "ended with code {} after {:.3} s",
            job.supervisor.code(),
            began.elapsed().as_secs_f64()
        ));
    }
    Ok(job.clear_away())
}

/// Sets variables that the user has not set, for the program.
fn set_missing(variables: &[(String, String)]) {
    for (name, value) in variables.iter().filter(|(name, _)| std::env::var_os(name).is_none()) {
        // SAFETY: the launcher has no other thread yet, which could read the environment meanwhile.
        unsafe { std::env::set_var(name, value) };
    }
}

/// Where a job runs.
enum Places {
    /// On this host, so many threads.
    Here(usize),
    /// On hosts, which this command reaches.
    Hosts(Vec<Share>, String),
}

impl Places {
    /// Which of the profile's settings hold.
    fn kind(&self) -> usize {
        match self {
            Places::Here(threads) => usize::from(*threads > crate::cores::usable()),
            Places::Hosts(..) => 2,
        }
    }

    fn threads(&self) -> usize {
        match self {
            Places::Here(threads) => *threads,
            Places::Hosts(shares, _) => shares.iter().map(|share| share.threads).sum(),
        }
    }

    /// How many threads record each for itself: those of several hosts.
    fn parts(&self) -> Option<usize> {
        match self {
            Places::Here(_) => None,
            Places::Hosts(..) => Some(self.threads()),
        }
    }
}

/// Prints lines for the user who has asked for them; the exit code.
fn tell(text: &str) -> i32 {
    let mut stdout = std::io::stdout();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => 0,
        Err(why) => {
            if why.kind() != std::io::ErrorKind::BrokenPipe {
                let why = base::say::why_not(&why);
                let _ = writeln!(std::io::stderr(), "meridian run: cannot write to standard output: {why}");
            }
            1
        }
    }
}

/// `--info`: what is known of a program without running it.
fn info(path: &Path) -> String {
    match program::static_threads(path) {
        Some(threads) => format!("{}: compiled for {threads} threads\n", path.display()),
        None if program::is_meridian(path) => format!("{}: for any number of threads\n", path.display()),
        None => format!("{}: not compiled by meridian cc\n", path.display()),
    }
}

/// `--dry-run`: what would be started where.
fn plan(path: &Path, places: &Places) -> String {
    match places {
        Places::Here(threads) => {
            format!("{} with {threads} threads on {}\n", path.display(), sys::host_name())
        }
        Places::Hosts(shares, by) => {
            let threads: usize = shares.iter().map(|share| share.threads).sum();
            let mut text = format!("{} with {threads} threads on {} hosts", path.display(), shares.len());
            text += &format!(", reached by `{by}`\n");
            for Share { name, first, threads } in shares {
                text += &format!("  {name}: threads {first} to {}\n", first + threads - 1);
            }
            text
        }
    }
}

/// The hosts that `-N` and `-c` leave of a list, each with the number of threads that it may have.
fn restrict(options: &Options, mut hosts: Vec<Host>) -> Result<Vec<Host>, Error> {
    if let Some(nodes) = options.nodes.map(|n| n as usize) {
        if nodes > hosts.len() {
            let there = hosts.len();
            return Err(Error::Hosts(format!(
                "-N {nodes}: {nodes} hosts are asked for, and there are {there}: name them, as -H host1,host2"
            )));
        }
        hosts.truncate(nodes);
    }
    if let Some(most) = options.per_host.map(|n| n as usize) {
        hosts
            .iter_mut()
            .for_each(|host| host.capacity = Some(host.capacity.map_or(most, |own| own.min(most))));
    }
    Ok(hosts)
}

/// Where the user, or the batch system, wants the job.
fn places(options: &Options, threads: Option<usize>) -> Result<Places, Error> {
    let (hosts, by) = match &options.hosts {
        Some(list) => (hosts::read(list)?, None),
        None => match if options.local { None } else { allocation::find()? } {
            Some(allocation) => (allocation.hosts, allocation.by),
            None => {
                let here = vec![Host { name: Name::here(), capacity: None }];
                let most = restrict(options, here)?[0].capacity;
                let threads = threads.or(most).unwrap_or(1);
                return match most.filter(|&most| threads > most) {
                    Some(most) => Err(Error::Hosts(format!(
                        "-c {most}: {threads} threads take more hosts than this one: name them, as -H \
                         host1,host2"
                    ))),
                    None => Ok(Places::Here(threads)),
                };
            }
        },
    };
    let hosts = restrict(options, hosts)?;
    if options.hosts.is_none()
        && let [host] = &hosts[..]
        && hosts::is_here(&host.name, &sys::host_name())
    {
        return Ok(Places::Here(threads.or(host.capacity).unwrap_or(1)));
    }
    // An empty command would start everything here, which nobody means who names other hosts.
    let asked = options.ssh.clone().filter(|command| !command.trim().is_empty());
    let by = asked.unwrap_or_else(|| by.unwrap_or(SSH).to_string());
    Ok(Places::Hosts(hosts::deal(&hosts, threads)?, by))
}

type Pair = Option<[std::os::fd::OwnedFd; 2]>;

/// The job's standard output and error: (ends that the launcher reads, ends that threads write to).
fn streams() -> Result<(Pair, Pair), Error> {
    let stream = || sys::named_stream().map_err(Error::system("cannot make the job's output streams"));
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
    /// Children that the launcher's process had before it was the launcher.
    earlier: Vec<i32>,
    signals: Signals,
    control: Control,
    /// None where the only thread writes to the launcher's own output.
    forwarder: Option<OutputForwarder>,
    supervisor: Supervisor,
}

impl Job {
    /// Makes the job's memory and starts its threads, which the calling thread must outlive.
    fn start(options: &Options, path: &Path, threads: usize, placement: &Placement) -> Result<Job, Error> {
        let signals = Signals::take(&[]).map_err(Error::system("cannot listen for signals"))?;
        let (memory, control) = control::host_files()?;
        // A shell that became the launcher by `exec` may have started processes before, which are no part of
        // the job.
        let earlier = sys::children();
        sys::adopt_orphans();
        let (readers, streams) = if threads > 1 { streams()? } else { (None, None) };
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
        // The launcher's own copies would keep the streams from ending, and the memory from being given back.
        drop((spec, memory));
        let tags = options.tag.then(|| tags(&pids));
        let forwarder = readers.map(|readers| OutputForwarder::start(readers, tags)).transpose();
        let forwarder = forwarder.map_err(Error::system("cannot carry the job's output"))?;
        let delays = Delays {
            stopped: Duration::from_secs(options.silence.into()),
            leaving: LEAVING,
            ending: options.kill_after,
        };
        let hosts = vec![(0, sys::host_name())];
        let supervisor = Supervisor::new(threads, hosts, delays, options.timeout, Instant::now());
        Ok(Job { pids, earlier, signals, control, forwarder, supervisor })
    }

    /// Supervises the job until all of its threads have ended.
    fn supervise(&mut self) {
        while !self.supervisor.over() {
            self.wait(self.supervisor.next_deadline());
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
    }

    /// Follows a signal to the launcher. Batch systems ask for a checkpoint by SIGUSR1 and SIGUSR2: these are
    /// the threads' to understand.
    fn on_signal(&mut self, arrival: &Arrival) {
        let orders = match arrival.number {
            libc::SIGCHLD => return,
            libc::SIGUSR1 | libc::SIGUSR2 => return self.send(arrival.number),
            number => self.supervisor.told_to_end(number, arrival.from_kernel, Instant::now()),
        };
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

    /// Takes note of the processes that have ended. A death's message goes to the forwarder behind the note
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
            if let Some(forwarder) = &self.forwarder {
                forwarder.ended(lines::source(0, pid));
            }
            let Some(thread) = thread else {
                continue; // an orphan of a thread
            };
            self.pids[thread] = 0;
            let news = self.control.news(thread);
            let orders = self.supervisor.thread_ended(thread, exit, news, Instant::now());
            self.carry_out(orders);
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
            None => say(&text),
        }
    }

    /// All threads have ended: ends what they left behind if the job was ended by force, and sees the last
    /// output out. The exit code.
    fn clear_away(mut self) -> i32 {
        if self.supervisor.ended_by_force() {
            end_orphans(&self.earlier);
        }
        let Some(forwarder) = self.forwarder.take() else {
            return self.supervisor.code();
        };
        see_out(&forwarder, &mut self.supervisor, &self.signals)
    }
}

/// Tells the user, where somebody listens.
pub fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "meridian: {text}");
}

/// Sees the last output of a job out whose threads have ended; its exit code. A reader who takes none is
/// waited for, unless the job was ended by force or the launcher is sent a signal.
pub fn see_out(forwarder: &OutputForwarder, supervisor: &mut Supervisor, signals: &Signals) -> i32 {
    forwarder.finish();
    await_output(forwarder, supervisor, signals)
}

/// The rest of `see_out`. On a loaded machine the forwarder itself may get no processor for longer than a
/// reader is waited for, and the output that it holds may be the job's only message: while whoever reads
/// could take some, it is waited for.
fn await_output(forwarder: &OutputForwarder, supervisor: &mut Supervisor, signals: &Signals) -> i32 {
    let grace = || Instant::now() + OUTPUT_GRACE;
    let mut until = supervisor.ended_by_force().then(grace);
    while !forwarder.finished() {
        sys::wait_readable([signals.as_raw_fd(), forwarder.news_fd()], until);
        if let Some(signal) = signals.arrived().iter().find(|a| a.number != libc::SIGCHLD) {
            return 128 + signal.number;
        }
        if let Some(why) = forwarder.failure() {
            for order in supervisor.output_failed(&why, Instant::now()) {
                if let Order::Say(text) = order {
                    say(&text);
                }
            }
        }
        if until.is_some_and(|at| Instant::now() >= at) {
            if !sys::output_taken() {
                break;
            }
            until = Some(grace());
        }
    }
    supervisor.code()
}

/// Ends the processes that threads of an ended job have left behind, and those that these leave; not those
/// that were there `earlier`.
pub fn end_orphans(earlier: &[i32]) {
    // Each round ends one generation; a hundred is far more than any job has.
    for _ in 0..100 {
        let mut orphans = sys::children();
        orphans.retain(|pid| !earlier.contains(pid));
        if orphans.is_empty() {
            return;
        }
        sys::end_children(&orphans);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::supervisor::{Exit, News, Stage};
    use clap::Args;

    fn options(line: &str) -> Options {
        let command = Options::augment_args(clap::Command::new("run"));
        let matches = command.try_get_matches_from(line.split_whitespace()).unwrap();
        Options::from_matches(&matches, Vec::new()).unwrap()
    }

    /// How many threads; each host with its first and how many, or none for this one; what reaches them.
    type Placed = (usize, Vec<(String, usize, usize)>, String);

    fn placed(line: &str, threads: Option<usize>) -> Result<Placed, Error> {
        Ok(match places(&options(line), threads)? {
            Places::Here(threads) => (threads, Vec::new(), String::new()),
            Places::Hosts(shares, by) => {
                let threads = shares.iter().map(|share| share.threads).sum();
                (threads, shares.into_iter().map(|s| (s.name.to_string(), s.first, s.threads)).collect(), by)
            }
        })
    }

    #[test]
    fn without_hosts_a_job_runs_here() {
        for (line, threads, placed_here) in [
            ("run --local p", None, 1),
            ("run --local p", Some(3), 3),
            ("run --local -c 4 p", None, 4),
            ("run --local -c 4 p", Some(4), 4),
            ("run --local -N 1 p", Some(5), 5),
        ] {
            assert_eq!(placed(line, threads).unwrap(), (placed_here, vec![], String::new()), "{line}");
        }
        let error = |line, threads| placed(line, threads).unwrap_err().to_string();
        assert!(error("run --local -c 4 p", Some(5)).contains("-c 4: 5 threads take more hosts"));
        assert!(error("run --local -N 2 p", None).contains("-N 2: 2 hosts are asked for, and there are 1"));
    }

    #[test]
    fn output_is_awaited_while_its_reader_takes_it() {
        let forwarder = OutputForwarder::start_fed(false).unwrap();
        let delays = Delays { stopped: LEAVING, leaving: LEAVING, ending: LEAVING };
        let mut supervisor = Supervisor::new(1, vec![(0, "here".into())], delays, None, Instant::now());
        let reported = News { stage: Stage::Inside, reported: true, global_exit: None };
        supervisor.thread_ended(0, Exit::Code(1), reported, Instant::now());
        assert!(supervisor.ended_by_force());
        let signals = Signals::take(&[]).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                // As if the forwarder had got no processor before.
                std::thread::sleep(3 * OUTPUT_GRACE);
                forwarder.finish();
            });
            assert_eq!(await_output(&forwarder, &mut supervisor, &signals), 1);
            assert!(forwarder.finished());
        });
    }

    #[test]
    fn hosts_are_cut_to_what_is_asked_for_and_reached_as_the_user_says() {
        let of = |name: &str, first, threads| (name.to_string(), first, threads);
        let (threads, shares, by) = placed("run -H a:4,b:1,c -N 2 -c 2 p", None).unwrap();
        assert_eq!((threads, shares), (3, vec![of("a", 0, 2), of("b", 2, 1)]));
        assert_eq!(by, SSH);
        assert_eq!(placed("run -H a,b -c 3 p", None).unwrap().1, [of("a", 0, 3), of("b", 3, 3)]);
        assert_eq!(placed("run -H a,b p", Some(5)).unwrap().1, [of("a", 0, 3), of("b", 3, 2)]);
        assert_eq!(placed("run -H a --ssh rsh p", Some(1)).unwrap().2, "rsh");
        let mut empty = options("run -H a p");
        empty.ssh = Some(" ".into());
        assert!(matches!(places(&empty, None), Ok(Places::Hosts(_, by)) if by == SSH));
        assert_eq!(placed("run -H localhost p", Some(2)).unwrap().1, [of("localhost", 0, 2)]);
        assert!(placed("run -H a,b -N 3 p", None).unwrap_err().to_string().contains("there are 2"));
    }

    #[test]
    fn what_would_be_started_is_told_host_by_host() {
        let path = Path::new("./p");
        let here = plan(path, &Places::Here(3));
        assert_eq!(here, format!("./p with 3 threads on {}\n", sys::host_name()));
        let shares = vec![
            Share { name: Name::read("a").unwrap(), first: 0, threads: 2 },
            Share { name: Name::read("b").unwrap(), first: 2, threads: 3 },
        ];
        assert_eq!(
            plan(path, &Places::Hosts(shares, "ssh".into())),
            "./p with 5 threads on 2 hosts, reached by `ssh`\n  a: threads 0 to 1\n  b: threads 2 to 4\n"
        );
        assert_eq!(info(Path::new("/bin/sh")), "/bin/sh: not compiled by meridian cc\n");
    }

    #[test]
    fn tags_are_of_one_width() {
        let tags = tags(&(100..111).collect::<Vec<_>>());
        assert_eq!(tags[&lines::source(0, 100)], "[ 0] ");
        assert_eq!(tags[&lines::source(0, 110)], "[10] ");
        assert_eq!(super::tags(&[7, 8])[&lines::source(0, 8)], "[1] ");
        assert_eq!(super::tags(&(100..110).collect::<Vec<_>>())[&lines::source(0, 109)], "[9] ");
    }
}
