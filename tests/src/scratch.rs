//! A directory for one test, and commands that run in it. Every command must end in time and not panic.

use crate::process::{self, Outcome};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Copies a program that is to be run. Another process copies: as long as a process has the file open for
/// writing, nobody can run it, and a child that another test is just starting has all open files of this
/// process for a moment.
pub fn copy_program(from: &Path, to: &Path) {
    let end = Command::new("cp").arg("--").args([from, to]).status().expect("cp");
    assert!(end.success(), "cp {} {}: {end}", from.display(), to.display());
}

/// The directory.
pub struct Scratch {
    directory: PathBuf,
    limit: Duration,
    variables: Vec<(&'static str, &'static str)>,
}

impl Scratch {
    /// An empty directory; `limit` is the time limit of each command in it.
    pub fn new(directory: PathBuf, limit: Duration) -> Scratch {
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir_all(&directory).unwrap();
        Scratch { directory, limit, variables: Vec::new() }
    }

    /// Gives each command this variable of the environment.
    pub fn with(mut self, name: &'static str, value: &'static str) -> Scratch {
        self.variables.push((name, value));
        self
    }

    /// Adds a file.
    pub fn file(self, name: &str, text: impl AsRef<[u8]>) -> Scratch {
        self.write(name, text);
        self
    }

    /// The path of the directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The path of a file in the directory, which need not exist.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// The text of a file, which must be there.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Whether a file is there.
    pub fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Runs a command here.
    pub fn run(&self, command: &mut Command) -> Outcome {
        command.current_dir(&self.directory).env_remove("MERIDIAN_THREADS");
        command.envs(self.variables.iter().copied());
        let outcome = process::run(command, None, self.limit).unwrap();
        assert!(!outcome.timed_out, "{command:?} does not end: {}", outcome.report());
        assert!(!outcome.stderr.contains("panicked"), "{command:?} panics: {}", outcome.report());
        outcome
    }

    /// Runs `meridian` with the words of `line` here.
    pub fn meridian(&self, line: &str) -> Outcome {
        let mut command = Command::new(crate::meridian());
        self.run(command.args(line.split_whitespace()))
    }

    /// Runs `meridian`, which must succeed, and returns its standard output.
    pub fn good(&self, line: &str) -> String {
        let outcome = self.meridian(line);
        assert_eq!(outcome.status, 0, "meridian {line}: {}", outcome.report());
        outcome.stdout
    }

    /// Runs `meridian`, which must fail with a message that contains all of `texts`; `a|b` stands for either
    /// of two.
    pub fn refused(&self, line: &str, texts: &[&str]) -> Outcome {
        let outcome = self.meridian(line);
        assert_ne!(outcome.status, 0, "meridian {line}: {}", outcome.report());
        for text in texts {
            let found = text.split('|').any(|part| outcome.stderr.contains(part));
            assert!(found, "meridian {line}: no `{text}` in {}", outcome.report());
        }
        outcome
    }

    /// Runs the words of `line` through the shell; `$MERIDIAN` is the command.
    pub fn shell(&self, line: &str) -> Outcome {
        let mut command = Command::new("sh");
        self.run(command.args(["-c", line]).env("MERIDIAN", crate::meridian()))
    }
}
