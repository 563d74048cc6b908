//! Starting and supervising the processes of a job: the work of `meridian run`.
//!
//! The launcher makes the job's two memory files, starts one process for each thread with the environment
//! that ARCHITECTURE.md lists, carries their output in whole lines, and ends the job when a thread dies. It
//! does not know the compiler, and of the runtime knows only the control block (`control`) and the record
//! that states a program's static THREADS (`program`).
//!
//! The decisions are separate from the system calls, so that they can be tested without clock or processes:
//! `supervisor` decides what a death, a signal or a time limit means for the job, `lines` how chunks of
//! output become whole lines, `cores` which cores threads are tied to, `hosts` which host has which threads,
//! `debugger` which threads run under gdb, `session` is the one gdb of `meridian gdb`. `job` has the loops
//! that carry those decisions out: on one host `job::local`, on several (`-H`) `job::distributed`, through an
//! agent on each host, which is this library again (`agent`). Launcher and agents exchange the frames of
//! `frame`.

mod agent;
mod allocation;
mod control;
mod cores;
mod debugger;
mod error;
mod finding;
mod frame;
mod gdb_options;
mod hosts;
mod job;
mod lines;
mod link;
mod locate;
mod options;
mod output;
mod program;
mod record;
mod remote;
mod session;
mod signals;
mod spawn;
mod supervisor;
mod sys;
mod upcrun;

pub use agent::{end as end_agent, run as run_agent};
pub use error::explain;
pub use finding::finding;
pub use gdb_options::split as gdb_options;
pub use locate::{Binary, Frame, caller, fault, locate};
pub use options::{Gdb, Options, Pin};
pub use program::is_source;
pub use upcrun::translate;

/// Runs a job to its end and returns the exit code of `meridian run`: the first non-zero code of a thread,
/// 128 + n for a death by signal n, 124 for `--timeout`, 126 and 127 for a program that cannot be started
/// or found, 2 for contradictory options, 0 when all went well.
///
/// Messages go to standard error. Must be called from the main thread only: the threads of the job are tied
/// to the life of the calling one (`PR_SET_PDEATHSIG`).
pub fn run(options: &Options) -> i32 {
    sys::admit_open_files();
    match job::run(options) {
        Ok(code) => code,
        Err(error) => {
            output::say(&error.to_string());
            error.exit_code()
        }
    }
}
