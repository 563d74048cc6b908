//! Starting the processes of a job.
//!
//! A process is started by fork and exec rather than by posix_spawn, because it has to be tied to the
//! launcher's life and to a core before the program runs. The launcher is small, so that a fork costs about
//! as much as the exec that follows it.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use base::contract::{CONTRACT_TEXT, variables, variables_hosts, variables_program};

use crate::debugger;
use crate::error::{Error, explain};
use crate::options::Gdb;
use crate::sys;

/// The common settings of all threads of this host.
pub struct ProcessSpec {
    pub program: PathBuf,
    /// The program's `argv[0]`, as the user wrote it.
    pub name: OsString,
    pub arguments: Vec<OsString>,
    pub threads: usize,
    /// The cores of each thread, the same number for each, or empty.
    pub cores: Vec<usize>,
    pub memory_fd: i32,
    pub control_fd: i32,
    /// The digits of those of the launcher's descriptors 1 and 2 that are terminals: "12", "1", "2" or
    /// nothing. The threads' own are sockets, but their output is shown at once, so a progress bar is useful.
    pub terminals: String,
    /// The ends of standard output and standard error that threads write to; if none, they inherit the
    /// launcher's.
    pub streams: Option<[OwnedFd; 2]>,
    /// The additional settings of a job on several hosts.
    pub part: Option<Part>,
    pub gdb: Option<Gdb>,
}

/// A host's part of a job on several hosts.
pub struct Part {
    /// The first thread of this host, and the threads of the whole job.
    pub first: usize,
    pub total: usize,
    /// This host's number and name, and how many hosts there are.
    pub host: u32,
    pub hosts: u32,
    pub host_name: String,
    pub directory: PathBuf,
    pub environment: Vec<(OsString, OsString)>,
    /// The threads' ends, one each, of the sockets by which they exchange the data that the whole job has to
    /// know.
    pub exchange: Vec<OwnedFd>,
    /// Standard input of the job's thread 0, if it is here.
    pub input: Option<OwnedFd>,
}

impl Part {
    /// Adds to the command of this host's thread `thread`, counted from 0.
    fn add(&self, command: &mut Command, thread: usize) -> io::Result<()> {
        let exchange = self.exchange[thread].as_raw_fd();
        command
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.directory)
            .env(variables_hosts::FIRST, self.first.to_string())
            .env(variables_hosts::HERE, self.exchange.len().to_string())
            .env(variables_hosts::HOST, self.host.to_string())
            .env(variables_hosts::HOSTS, self.hosts.to_string())
            .env(variables_hosts::HOST_NAME, &self.host_name)
            .env(variables_hosts::EXCHANGE_FD, exchange.to_string());
        match &self.input {
            Some(input) if self.first + thread == 0 => command.stdin(input.try_clone()?),
            _ => command.stdin(Stdio::null()),
        };
        // SAFETY: between fork and exec only a system call is made, on a descriptor that is open until then.
        unsafe { command.pre_exec(move || sys::hand_down(BorrowedFd::borrow_raw(exchange))) };
        Ok(())
    }
}

impl ProcessSpec {
    /// Starts all threads. Returns their pids by thread number. The calling thread must outlive them.
    ///
    /// # Errors
    /// If one does not start. Those already started have been killed and waited for.
    pub fn start(&self) -> Result<Vec<i32>, Error> {
        let mut pids = Vec::with_capacity(self.threads);
        for thread in 0..self.threads {
            match self.command(thread).and_then(|mut command| command.spawn()) {
                Ok(child) => pids.push(child.id() as i32),
                Err(error) => {
                    let error = self.explain(error, pids.len());
                    sys::end_children(&pids);
                    return Err(error);
                }
            }
        }
        Ok(pids)
    }

    fn command(&self, thread: usize) -> io::Result<Command> {
        let in_gdb = self.gdb == Some(Gdb::Thread(thread as u32));
        let mut command = match in_gdb {
            true => debugger::command(&debugger::target(&self.program), &self.arguments),
            false => Command::new(&self.program),
        };
        let launcher = std::process::id() as i32;
        let (first, total) = self.part.as_ref().map_or((0, self.threads), |part| (part.first, part.total));
        match &self.part {
            Some(part) => part.add(&mut command, thread)?,
            // Variables of a job on several hosts, one of whose threads has started this launcher.
            None => variables_hosts::ALL.iter().for_each(|name| {
                command.env_remove(name);
            }),
        }
        if !in_gdb {
            command.arg0(&self.name).args(&self.arguments);
        }
        if let Some(value) = self.gdb.and_then(Gdb::wait) {
            command.env(debugger::WAIT, value);
        }
        command
            .env(variables::CONTRACT, CONTRACT_TEXT)
            .env(variables::THREAD, (first + thread).to_string())
            .env(variables::THREADS, total.to_string())
            .env(variables::MEMORY_FD, self.memory_fd.to_string())
            .env(variables::CONTROL_FD, self.control_fd.to_string())
            .env(variables::LAUNCHER, launcher.to_string())
            .env(variables_program::TERMINAL, &self.terminals);
        let gdb_has_input =
            matches!(self.gdb, Some(Gdb::All)) || matches!(self.gdb, Some(Gdb::Thread(t)) if t > 0);
        if self.part.is_none() && !in_gdb && (thread > 0 || gdb_has_input) {
            command.stdin(Stdio::null());
        }
        if let Some([output, errors]) = self.streams.as_ref().filter(|_| !in_gdb) {
            command.stdout(output.try_clone()?).stderr(errors.try_clone()?);
        }
        let each = self.cores.len() / self.threads.max(1);
        // Ctrl-C is gdb's, which stops all threads together.
        let own_group = self.gdb == Some(Gdb::All);
        let mask = (each > 0).then(|| sys::core_mask(&self.cores[thread * each..(thread + 1) * each]));
        // SAFETY: between fork and exec only system calls are made, on values that are there already.
        unsafe {
            command.pre_exec(move || {
                sys::die_with_parent(launcher)?;
                if own_group {
                    sys::leave_group()?;
                }
                sys::restore_open_files();
                sys::unblock_signals()?;
                // A core that has gone offline meanwhile is no reason not to run the program.
                mask.as_deref().map_or(Ok(()), sys::tie_to_cores).or(Ok(()))
            });
        }
        Ok(command)
    }

    fn explain(&self, error: io::Error, started: usize) -> Error {
        let path = PathBuf::from(&self.name);
        let because = |reason: &str| Error::CannotRun { path: path.clone(), reason: reason.into() };
        match error.raw_os_error() {
            Some(libc::EAGAIN | libc::ENOMEM) => {
                Error::TooManyProcesses { started, wanted: self.threads, source: error }
            }
            Some(libc::ENOENT) => because("its interpreter (of a #! line, or the loader) does not exist"),
            _ => because(&explain(&error)),
        }
    }
}
