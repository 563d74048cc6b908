//! Failures, a table: the event in a job on three hosts, and its one message. No process of the job is left
//! on any host. The times until the end are printed, not asserted: the machine may be busy.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use tests::trial::{Ran, Skip};

use crate::support::{End, Scratch, await_gone, job, wait_for};
use crate::world::{By, World};

/// The tests of this file.
pub fn trials() -> Vec<Trial> {
    tests::trials![
        a_killed_thread_ends_the_job,
        a_killed_agent_ends_the_job,
        a_killed_agent_on_this_host_ends_the_job,
        a_killed_launcher_ends_the_job,
        a_signal_to_the_launcher_ends_the_job_on_all_hosts,
        a_host_that_is_cut_off_ends_the_job,
        a_stopped_thread_ends_the_job,
        a_stopped_agent_ends_the_job,
        a_stopped_launcher_ends_the_job_and_says_so_when_it_goes_on,
        a_job_that_is_stopped_from_the_terminal_goes_on_later,
        a_refused_connection_is_named,
        a_host_that_does_not_answer_is_named,
        a_thread_that_leaves_with_a_code_ends_the_job,
        a_full_disk_for_output_ends_the_job,
        a_reader_that_is_slow_gets_everything_and_holds_up_no_end,
    ]
}

/// The silence that these tests set, in seconds.
const SILENCE: &str = "4";

fn kill(pid: i32, signal: i32) {
    // SAFETY: a plain system call on a process that this test has started and that is there.
    unsafe { libc::kill(pid, signal) };
}

fn parent(pid: i32) -> i32 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    stat.rsplit(") ").next().unwrap().split(' ').nth(1).unwrap().parse().unwrap()
}

/// A job whose threads wait, each with its number and its pid known.
struct Waiting {
    child: Child,
    /// By thread number.
    pids: Vec<i32>,
    scratch: Scratch,
    name: String,
    began: Instant,
}

/// Starts the job that `command` makes of steps, and waits until all threads have met and sleep.
fn waiting(name: &str, threads: usize, command: impl FnOnce(&[String]) -> Command) -> Waiting {
    let scratch = Scratch::new(name);
    // A thread that has its number has met the others: every host has reported that its threads run.
    let mut steps = vec![scratch.step("child"), "exchange=2".to_string(), scratch.step("numbered")];
    steps.push("sleep=1000000".into());
    let mut child = command(&steps).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let pids = wait_for("the threads", || {
        if child.try_wait().unwrap().is_some() {
            let mut said = String::new();
            std::io::Read::read_to_string(child.stderr.as_mut().unwrap(), &mut said).unwrap();
            panic!("the job has not started: {said}");
        }
        (0..threads)
            .map(|t| std::fs::read_to_string(scratch.path(&format!("thread{t}"))).ok()?.trim().parse().ok())
            .collect()
    });
    Waiting { child, pids, scratch, name: name.to_string(), began: Instant::now() }
}

impl Waiting {
    /// Returns the launcher's own pid: `ip netns exec` has become the launcher.
    fn launcher(&self) -> i32 {
        self.child.id() as i32
    }

    /// Awaits the end of the launcher and of all processes, including those that threads have started.
    fn end(self) -> End {
        let all = [self.scratch.marks(), self.pids.clone()].concat();
        self.end_of(&all)
    }

    /// Awaits the end of threads whose agent has died. Only the agent knew the processes that they have
    /// started: these are ended here.
    fn end_of_threads(self) -> End {
        let (threads, started) = (self.pids.clone(), self.scratch.marks());
        let end = self.end_of(&threads);
        started.iter().filter(|&&pid| crate::support::alive(pid)).for_each(|&pid| kill(pid, libc::SIGKILL));
        end
    }

    fn end_of(mut self, all: &[i32]) -> End {
        wait_for("the launcher's end", || self.child.try_wait().unwrap());
        let end = End::from(self.child.wait_with_output().unwrap());
        await_gone(all);
        print_time(&self.name, self.began);
        end
    }
}

/// Prints the time since `began`, for the table of docs/cluster.md. The time is not asserted: a busy machine
/// may take longer, and a job that does not end at all fails by `wait_for`'s limit.
fn print_time(what: &str, began: Instant) {
    println!("{what}: {:.2} s", began.elapsed().as_secs_f64());
}

/// Starts a job of two threads on each of three hosts.
fn on_three(name: &str, by: By) -> Result<(World, Waiting), Skip> {
    let world = World::new(by, 3)?;
    let waiting = waiting(name, 6, |steps| world.job(2, &["--silence", SILENCE], steps));
    Ok((world, waiting))
}

fn a_killed_thread_ends_the_job() -> Ran {
    for by in [By::Ssh, By::Exec] {
        let (_world, job) = on_three("net-thread", by)?;
        kill(job.pids[3], libc::SIGKILL);
        let end = job.end();
        end.says_once(137, &["thread 3 of 6 on host ", "killed by SIGKILL", "the job has been ended"]);
    }
    Ok(())
}

fn a_killed_agent_ends_the_job() -> Ran {
    let (_world, job) = on_three("net-agent", By::Ssh)?;
    kill(parent(job.pids[2]), libc::SIGKILL);
    job.end_of_threads().says_once(1, &["host h1 is lost", "its agent", "the job has been ended"]);
    Ok(())
}

fn a_killed_agent_on_this_host_ends_the_job() {
    let job = waiting("net-agent-here", 4, |steps| job(&["-H", "localhost:2,localhost:2"], steps));
    kill(parent(job.pids[2]), libc::SIGKILL);
    let end = job.end_of_threads();
    end.says_once(1, &["host localhost is lost: the agent was killed by SIGKILL"]);
}

fn a_killed_launcher_ends_the_job() -> Ran {
    for by in [By::Ssh, By::Exec] {
        let (_world, job) = on_three("net-launcher", by)?;
        kill(job.launcher(), libc::SIGKILL);
        assert_eq!(job.end().code, None);
    }
    Ok(())
}

fn a_signal_to_the_launcher_ends_the_job_on_all_hosts() -> Ran {
    let (_world, job) = on_three("net-term", By::Ssh)?;
    kill(job.launcher(), libc::SIGTERM);
    job.end().quiet(143);
    Ok(())
}

fn a_host_that_is_cut_off_ends_the_job() -> Ran {
    let (world, job) = on_three("net-cut", By::Ssh)?;
    world.unplug(1);
    let end = job.end();
    end.says_once(1, &["host h1 is lost: silent for", "4 s (MERIDIAN_SILENCE)", "has been ended"]);
    Ok(())
}

fn a_stopped_thread_ends_the_job() -> Ran {
    let (_world, job) = on_three("net-stopped", By::Exec)?;
    kill(job.pids[4], libc::SIGSTOP);
    job.end().says_once(1, &["thread 4 of 6 on host ", "stopped (SIGSTOP) for 4 s"]);
    Ok(())
}

fn a_stopped_agent_ends_the_job() -> Ran {
    for by in [By::Ssh, By::Exec] {
        let (_world, job) = on_three("net-stopped-agent", by)?;
        kill(parent(job.pids[4]), libc::SIGSTOP);
        job.end_of_threads().says_once(1, &["is lost: silent for", "4 s"]);
    }
    Ok(())
}

fn a_stopped_launcher_ends_the_job_and_says_so_when_it_goes_on() -> Ran {
    let (_world, job) = on_three("net-stopped-launcher", By::Ssh)?;
    kill(job.launcher(), libc::SIGSTOP);
    await_gone(&job.pids);
    kill(job.launcher(), libc::SIGCONT);
    job.end().says_once(1, &["has ended its threads: the launcher has been silent for 4 s"]);
    Ok(())
}

fn a_job_that_is_stopped_from_the_terminal_goes_on_later() {
    let job =
        waiting("net-rest", 4, |steps| job(&["-H", "localhost:2,localhost:2", "--silence", SILENCE], steps));
    kill(job.launcher(), libc::SIGTSTP);
    let stopped = |pid: i32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
        stat.rsplit(") ").next().unwrap().starts_with('T')
    };
    wait_for("all to be stopped", || job.pids.iter().all(|&pid| stopped(pid)).then_some(()));
    std::thread::sleep(Duration::from_secs(5)); // longer than the silence
    kill(job.launcher(), libc::SIGCONT);
    wait_for("all to go on", || job.pids.iter().all(|&pid| !stopped(pid)).then_some(()));
    std::thread::sleep(Duration::from_secs(5)); // the heartbeats arrive again
    assert!(job.pids.iter().all(|&pid| crate::support::alive(pid)));
    kill(job.launcher(), libc::SIGINT);
    job.end().quiet(130);
}

fn a_refused_connection_is_named() -> Ran {
    let mut world = World::new(By::Ssh, 3)?;
    world.refuse(2);
    let began = Instant::now();
    let end = End::of(world.job(1, &[], &["sleep=1000000"]));
    print_time("net-refused", began);
    end.says_once(1, &["cannot reach host h2: `ssh ", "Connection refused", "the job has been ended"]);
    Ok(())
}

fn a_host_that_does_not_answer_is_named() {
    let scratch = Scratch::new("net-mute");
    std::fs::write(scratch.path("mute"), "exec sleep 1000\n").unwrap();
    let ssh = format!("sh {}", scratch.path("mute").display());
    let began = Instant::now();
    let mut command =
        crate::support::meridian_run(&["-H", "localhost,far", "--silence", SILENCE, "--ssh", &ssh]);
    command.arg(crate::support::thread_program()).arg("sleep=1000000");
    let end = End::of(command);
    print_time("net-mute", began);
    end.says_once(1, &["host far", "30 s", "the job has been ended"]);
}

fn a_thread_that_leaves_with_a_code_ends_the_job() -> Ran {
    let world = World::new(By::Exec, 3)?;
    let began = Instant::now();
    let end = End::of(world.job(2, &[], &["exchange=1", "only=3", "exit=7", "all=", "sleep=1000000"]));
    print_time("net-exit", began);
    end.says_once(7, &["thread 3 of 6 on host ", "left with exit code 7 while other threads were running"]);
    Ok(())
}

fn a_full_disk_for_output_ends_the_job() -> Ran {
    let world = World::new(By::Exec, 2)?;
    let mut command = world.job(1, &[], &["lines=1000", "sleep=1000000"]);
    command.stdout(std::fs::File::options().write(true).open("/dev/full").unwrap());
    let began = Instant::now();
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    let end = End::from(child.wait_with_output().unwrap());
    print_time("net-full-disk", began);
    end.says_once(1, &["cannot write standard output: No space left on device"]);
    Ok(())
}

fn a_reader_that_is_slow_gets_everything_and_holds_up_no_end() -> Ran {
    let world = World::new(By::Exec, 2)?;
    let mut command = world.job(2, &[], &["flood=8"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    let mut all = Vec::new();
    std::io::Read::read_to_end(child.stdout.as_mut().unwrap(), &mut all).unwrap();
    assert_eq!((child.wait().unwrap().code(), all.len()), (Some(0), 32 << 20));
    // If the reader reads nothing, the job can still be ended; so can one whose thread dies meanwhile.
    let steps = ["only=2", "sleep=700", "raise=11", "all=", "flood=8"];
    let mut child = world.job(2, &[], &steps).stdout(Stdio::piped()).spawn().unwrap();
    let code = wait_for("the launcher's end", || child.try_wait().unwrap()).code();
    assert_eq!(code, Some(139));
    let mut child =
        world.job(2, &[], &["flood=8"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let held = child.stdout.take();
    std::thread::sleep(Duration::from_millis(500));
    kill(child.id() as i32, libc::SIGTERM);
    let code = wait_for("the launcher's end", || child.try_wait().unwrap()).code();
    drop(held);
    assert_eq!(code, Some(143));
    Ok(())
}
