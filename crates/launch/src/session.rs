//! One gdb over all threads of a job (`meridian gdb`).
//!
//! The threads wait in start-up. When all do, the launcher starts gdb, which has the launcher's terminal and
//! process group and attaches to each thread (`runtime/gdb/session.py`). The threads have groups of their
//! own, so that Ctrl-C reaches gdb alone. The job ends with gdb, whatever its threads do.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::debugger;
use crate::error::Error;
use crate::supervisor::{Delays, Exit};
use crate::sys;

/// Longer than any session. Outside gdb a job is ended if a thread has died, or is stopped for long.
const NEVER: Duration = Duration::from_secs(10 * 365 * 86400);

/// The delays of a job that a user debugs: gdb ends the job.
pub const DELAYS: Delays = Delays { stopped: NEVER, leaving: NEVER, ending: NEVER };

/// How often the launcher looks whether all threads wait.
pub const POLL: Duration = Duration::from_millis(10);

/// The gdb of a job.
pub enum Session {
    /// The threads have not come to the place at which they wait.
    Starting,
    /// gdb runs, as this process.
    Running(i32),
    /// gdb has ended, or there is none.
    Over,
}

impl Session {
    /// Starts gdb on threads that wait. `options`: the user's options of gdb.
    ///
    /// # Errors
    /// If gdb does not start.
    pub fn start(program: &Path, options: &[OsString], pids: &[i32]) -> Result<Session, Error> {
        let pids: Vec<String> = pids.iter().map(i32::to_string).collect();
        let mut command = command(program, options, &format!("meridian-attach {}", pids.join(" ")));
        let launcher = std::process::id() as i32;
        // SAFETY: between fork and exec only system calls are made, on values that are there already.
        unsafe {
            command.pre_exec(move || {
                sys::die_with_parent(launcher)?;
                sys::restore_open_files();
                sys::unblock_signals()
            });
        }
        let child = command.spawn().map_err(Error::system("cannot start gdb"))?;
        Ok(Session::Running(child.id() as i32))
    }

    /// Follows the end of a child of the launcher. Returns the exit code of gdb if it is gdb that has ended.
    pub fn ended(&mut self, pid: i32, exit: Exit) -> Option<i32> {
        let own = matches!(self, Session::Running(gdb) if *gdb == pid);
        own.then(|| {
            *self = Session::Over;
            exit.code()
        })
    }

    /// Asks gdb to end, if it runs: by SIGHUP, because SIGTERM interrupts its scripts, with a message.
    /// Returns true if gdb runs.
    pub fn end(&self) -> bool {
        let Session::Running(gdb) = self else { return false };
        sys::send(*gdb, libc::SIGHUP);
        true
    }
}

/// Makes the command of gdb for all threads of a job. `first`: the command of gdb that attaches to the
/// threads. The user's commands come after it.
fn command(program: &Path, options: &[OsString], first: &str) -> Command {
    let mut command = Command::new("gdb");
    command.args(debugger::words());
    for script in ["meridian.py", "session.py"] {
        command.arg("-x").arg(debugger::scripts().join("auto-load/meridian").join(script));
    }
    command.args(["-ex", first]).args(options).arg("--args").arg(debugger::target(program));
    command
}

/// Returns the advice for a program of which gdb shows no variables; none if it has been compiled with `-g`.
pub fn advice(program: &Path) -> Option<String> {
    let text = || {
        let name = program.display();
        format!(
            "{name} is compiled without -g, so gdb shows no variables and no shared objects: compile it with \
             `meridian cc -g`"
        )
    };
    (!crate::program::has_variables(program)).then(text)
}
