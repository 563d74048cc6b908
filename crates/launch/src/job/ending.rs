//! The end of a job, on one host or several: how long other threads may go on after one has left, and the
//! last of their output.

use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

use crate::output::{self, OutputForwarder};
use crate::signals::Signals;
use crate::supervisor::{Order, Supervisor};
use crate::sys;

/// How long the others may go on after a thread has left by itself.
pub const LEAVING: Duration = Duration::from_millis(300);
/// How long a reader may accept no output after the job was ended by force: the reader may be stopped.
const OUTPUT_GRACE: Duration = Duration::from_millis(300);

/// Waits until the last output of a job whose threads have ended is written. Returns the job's exit code. A
/// reader who accepts none is waited for, unless the job was ended by force or the launcher is sent a signal.
pub fn see_out(forwarder: &OutputForwarder, supervisor: &mut Supervisor, signals: &Signals) -> i32 {
    forwarder.finish();
    await_output(forwarder, supervisor, signals)
}

/// Waits as `see_out` says. On a loaded machine the forwarder itself may get no processor for longer than a
/// reader is waited for, and the output that it holds may be the job's only message. So this waits for as
/// long as the reader could accept some.
fn await_output(forwarder: &OutputForwarder, supervisor: &mut Supervisor, signals: &Signals) -> i32 {
    let grace = || Instant::now() + OUTPUT_GRACE;
    let mut until = supervisor.ended_by_force().then(grace);
    loop {
        let (failure, finished) = forwarder.news();
        if let Some(why) = failure {
            for order in supervisor.output_failed(&why, Instant::now()) {
                if let Order::Say(text) = order {
                    output::say(&text);
                }
            }
        }
        if finished {
            break;
        }
        sys::wait_readable([signals.as_raw_fd(), forwarder.news_fd()], until);
        if let Some(signal) = signals.arrived().iter().find(|a| a.number != libc::SIGCHLD) {
            return 128 + signal.number;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::supervisor::{Delays, Exit, News, Stage};

    const FINISHED: News = News { stage: Stage::Finished, reported: false, global_exit: None };

    fn job() -> Supervisor {
        let delays = Delays { stopped: LEAVING, leaving: LEAVING, ending: LEAVING };
        Supervisor::new(1, vec![(0, "here".into())], delays, None, Instant::now())
    }

    #[test]
    fn what_was_lost_is_told_though_the_forwarder_has_finished() {
        let forwarder = OutputForwarder::start_fed(false).unwrap();
        forwarder.fail("standard output: there is no room");
        forwarder.finish();
        while !forwarder.finished() {
            std::thread::yield_now();
        }
        let mut supervisor = job();
        supervisor.thread_ended(0, Exit::Code(0), FINISHED, Instant::now());
        assert_eq!(await_output(&forwarder, &mut supervisor, &Signals::take(&[]).unwrap()), 1);
    }

    #[test]
    fn whenever_the_forwarder_finishes_its_end_is_seen() {
        let signals = Signals::take(&[]).unwrap();
        for n in 0..4000 {
            let forwarder = OutputForwarder::start_fed(false).unwrap();
            let mut supervisor = job();
            supervisor.thread_ended(0, Exit::Code(0), FINISHED, Instant::now());
            forwarder.finish();
            // Finish at any point of the forwarder's work.
            (0..n % 1000).for_each(|_| std::hint::spin_loop());
            assert_eq!(await_output(&forwarder, &mut supervisor, &signals), 0);
        }
    }

    #[test]
    fn output_is_awaited_while_its_reader_takes_it() {
        let forwarder = OutputForwarder::start_fed(false).unwrap();
        let mut supervisor = job();
        let reported = News { stage: Stage::Inside, reported: true, global_exit: None };
        supervisor.thread_ended(0, Exit::Code(1), reported, Instant::now());
        assert!(supervisor.ended_by_force());
        let signals = Signals::take(&[]).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                // The forwarder gets no processor for a while.
                std::thread::sleep(3 * OUTPUT_GRACE);
                forwarder.finish();
            });
            assert_eq!(await_output(&forwarder, &mut supervisor, &signals), 1);
            assert!(forwarder.finished());
        });
    }
}
