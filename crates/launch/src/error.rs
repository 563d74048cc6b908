//! Why a job could not be started: one message each, and the exit code that goes with it.

use std::io;
use std::path::PathBuf;

use base::contract::CONTRACT_TEXT;

/// A job that did not start. Nothing of it is left running.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot find the program `{}`: no such file here, nor in a directory of PATH", .0.display())]
    NoProgram(PathBuf),
    #[error("cannot find the program `{}`: no such file", .0.display())]
    NoFile(PathBuf),
    #[error("there is no program {}: a job needs it under the same path on all hosts", .0.display())]
    NoFileOnHost(PathBuf),
    #[error("cannot run `{}`: it is a directory", .0.display())]
    Directory(PathBuf),
    #[error("cannot run `{}`: it is not executable (chmod +x makes it so)", .0.display())]
    NotExecutable(PathBuf),
    #[error("cannot run `{name}`: it is a source file; compile it first: meridian cc {name}", name = .0.display())]
    Source(PathBuf),
    #[error("cannot run `{}`: {reason}", .path.display())]
    CannotRun { path: PathBuf, reason: String },
    #[error(
        "`{}` is compiled for version {contract:08x} of Meridian's contract, but this launcher has version \
         {CONTRACT_TEXT}: compile it again, or start it with the `meridian run` of the installation that has \
         compiled it",
        .path.display()
    )]
    Contract { path: PathBuf, contract: u32 },
    #[error(
        "`{}` was compiled for {built} threads, and -n {asked} asks for {asked}: run it with -n {built} \
         or without -n, or compile it without a fixed number of threads",
        .path.display()
    )]
    StaticThreads { path: PathBuf, built: u32, asked: u32 },
    #[error(
        "could start only {started} of {wanted} threads: {source}; raise the limit on processes (`ulimit \
         -u`, or the container's pids limit)",
        source = explain(.source)
    )]
    TooManyProcesses { started: usize, wanted: usize, source: io::Error },
    #[error(
        "the limit on file sizes (`ulimit -f`) is below the size of the job's memory file, which reserves \
         address space only: run with `ulimit -f unlimited`"
    )]
    FileSizeLimit,
    #[error("{0}")]
    Hosts(String),
    #[error("--gdb: {0}")]
    Debugger(String),
    #[error("gdb: {0}")]
    Session(String),
    #[error("--record: {0}")]
    Record(String),
    #[error("--profile: {0}")]
    Profile(String),
    #[error("{what}: {}", explain(.source))]
    System { what: &'static str, source: io::Error },
}

/// Returns the error in words, without its number; if a limit caused it, also which limit to raise.
pub fn explain(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let raise = match error.raw_os_error() {
        Some(libc::EMFILE) => "; raise the limit on open files of a process (`ulimit -n`, and `ulimit -Hn`)",
        Some(libc::ENFILE) => "; raise the host's limit on open files (sysctl fs.file-max)",
        _ => "",
    };
    format!("{text}{raise}")
}

impl Error {
    /// Returns the exit code, by the shell's conventions: 127 not found, 126 found but not startable, 2 a
    /// wrong command line.
    pub fn exit_code(&self) -> i32 {
        match self {
            Error::NoProgram(_) | Error::NoFile(_) | Error::NoFileOnHost(_) => 127,
            Error::Directory(_)
            | Error::NotExecutable(_)
            | Error::Source(_)
            | Error::Contract { .. }
            | Error::CannotRun { .. } => 126,
            Error::StaticThreads { .. }
            | Error::Hosts(_)
            | Error::Debugger(_)
            | Error::Session(_)
            | Error::Record(_)
            | Error::Profile(_) => 2,
            Error::TooManyProcesses { .. } | Error::FileSizeLimit | Error::System { .. } => 1,
        }
    }

    /// Makes the error one of another host: the program is on the launcher's host, and a job needs it on all
    /// of them.
    pub fn on_another_host(self) -> Error {
        match self {
            Error::NoProgram(path) | Error::NoFile(path) => Error::NoFileOnHost(path),
            error => error,
        }
    }

    /// Prepends the attempted action to the error of a system call.
    pub fn system(what: &'static str) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::System { what, source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_error_is_told_without_its_number_and_with_the_limit_to_raise() {
        let text = |number| explain(&io::Error::from_raw_os_error(number));
        assert_eq!(text(libc::ENOSPC), "No space left on device");
        assert!(text(libc::EMFILE).ends_with("(`ulimit -n`, and `ulimit -Hn`)"), "{}", text(libc::EMFILE));
        assert!(text(libc::ENFILE).ends_with("(sysctl fs.file-max)"), "{}", text(libc::ENFILE));
        let error = Error::system("cannot read the program")(io::Error::from_raw_os_error(libc::EIO));
        assert_eq!(error.to_string(), "cannot read the program: Input/output error");
    }

    #[test]
    fn exit_codes_follow_the_shell() {
        let path = || PathBuf::from("p");
        let failed = || io::Error::from_raw_os_error(libc::EAGAIN);
        for (error, code) in [
            (Error::NoProgram(path()), 127),
            (Error::NoFile(path()), 127),
            (Error::NoFileOnHost(path()), 127),
            (Error::Directory(path()), 126),
            (Error::NotExecutable(path()), 126),
            (Error::Source(path()), 126),
            (Error::CannotRun { path: path(), reason: String::new() }, 126),
            (Error::Contract { path: path(), contract: 1 }, 126),
            (Error::StaticThreads { path: path(), built: 2, asked: 3 }, 2),
            (Error::Hosts(String::new()), 2),
            (Error::Debugger(String::new()), 2),
            (Error::TooManyProcesses { started: 1, wanted: 2, source: failed() }, 1),
            (Error::FileSizeLimit, 1),
            (Error::System { what: "", source: failed() }, 1),
        ] {
            assert_eq!(error.exit_code(), code, "{error}");
        }
    }

    #[test]
    fn on_another_host_a_missing_program_is_missing_there() {
        for error in [Error::NoProgram("p".into()), Error::NoFile("p".into())] {
            let text = error.on_another_host().to_string();
            assert!(text.contains("there is no program p: a job needs it under the same path"), "{text}");
        }
        assert_eq!(Error::Directory("p".into()).on_another_host().exit_code(), 126);
    }
}
