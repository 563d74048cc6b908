//! Threads under gdb (`--gdb`).
//!
//! One thread of a job on this host is started by gdb, which has the launcher's terminal. Or all threads
//! wait in start-up (`MERIDIAN_DEBUGGER`) until somebody attaches to them: the user, one gdb a thread in
//! windows of tmux, or one gdb for all (`session`).

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::Error;
use crate::options::Gdb;
use crate::program;

/// The runtime's setting that makes threads wait for a debugger.
pub const WAIT: &str = "MERIDIAN_DEBUGGER";

impl Gdb {
    /// Returns the value of `WAIT` for the threads of a job; none if they do not wait. If one gdb attaches to
    /// all threads, nobody needs their process numbers.
    pub fn wait(self) -> Option<&'static str> {
        match self {
            Gdb::Thread(_) => None,
            Gdb::Tmux | Gdb::Attach => Some("1"),
            Gdb::All => Some("2"),
        }
    }
}

/// Returns the directory of the scripts for gdb in this installation.
pub fn scripts() -> PathBuf {
    let prefix = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.parent()?.to_owned()));
    prefix.unwrap_or_default().join("share/gdb")
}

/// Returns the options that let gdb load its scripts for Meridian's programs, which are in this installation.
pub fn words() -> Vec<OsString> {
    let admit = format!("add-auto-load-safe-path {}", scripts().display());
    ["-q", "-iex", &admit].map(OsString::from).to_vec()
}

/// Checks that a command is installed.
///
/// # Errors
/// If it is not. The message says how to install it.
pub fn needs(name: &str) -> Result<(), String> {
    let found = program::find(name.as_ref(), std::env::var_os("PATH").as_deref());
    found.map(drop).map_err(|_| format!("{name} is not installed: install the system's package `{name}`"))
}

/// Checks, before anything is started, that the request can be fulfilled.
///
/// # Errors
/// If gdb or tmux is not installed, or there is no such thread, or the program is not Meridian's.
pub fn check(gdb: Gdb, path: &Path, threads: usize) -> Result<(), Error> {
    match gdb {
        Gdb::Attach => Ok(()),
        Gdb::Tmux => needs("gdb").and_then(|()| needs("tmux")).map_err(Error::Debugger),
        Gdb::Thread(thread) if thread as usize >= threads => {
            Err(Error::Debugger(format!("there is no thread {thread} in a job of {threads}")))
        }
        Gdb::Thread(_) => needs("gdb").map_err(Error::Debugger),
        Gdb::All if !program::is_meridian(path) => {
            let name = path.display();
            Err(Error::Session(format!("`{name}` is not compiled by meridian cc: start it by `gdb {name}`")))
        }
        Gdb::All => needs("gdb").map_err(Error::Session),
    }
}

/// Makes the command that runs a program under gdb.
pub fn command(program: &Path, arguments: &[OsString]) -> Command {
    let mut command = Command::new("gdb");
    command.args(words()).arg("--args").arg(program).args(arguments);
    command
}

/// Opens a window of tmux for each thread, in the session that this is run in or in a new one. Returns the
/// message for the user.
pub fn open_windows(pids: &[i32]) -> String {
    let session = format!("meridian-{}", std::process::id());
    let within = std::env::var_os("TMUX").is_some();
    for (thread, pid) in pids.iter().enumerate() {
        let mut tmux = Command::new("tmux");
        let name = format!("thread {thread}");
        match (within, thread) {
            (true, _) => tmux.args(["new-window", "-d", "-n", &name]),
            (false, 0) => tmux.args(["new-session", "-d", "-s", &session, "-n", &name]),
            (false, _) => tmux.args(["new-window", "-d", "-t", &session, "-n", &name]),
        };
        tmux.arg("gdb").args(words()).args(["-p", &pid.to_string()]).stdin(Stdio::null());
        if !tmux.status().is_ok_and(|status| status.success()) {
            return format!(
                "tmux cannot open a window for thread {thread}; attach to the thread: gdb -p {pid}"
            );
        }
    }
    match within {
        true => "each thread is under gdb in a window of this tmux".into(),
        false => format!("each thread is under gdb in a window of `tmux attach -t {session}`"),
    }
}

/// Returns the program to call gdb with, as an absolute path if possible.
pub fn target(program: &Path) -> PathBuf {
    program.canonicalize().unwrap_or_else(|_| program.to_owned())
}
