//! The definitions of a session, and what is done with an input.
//!
//! Each input with definitions is a file of its own in a directory of the session, so that errors of the
//! compiler and of a running program name the input and the line. What a later input defines again is blanked
//! out there. An input is taken as a whole or, if it has an error, not at all.

use base::{Severity, Source, say};
use id::session::{Item, Typing};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The commands in one line.
pub const COMMANDS: &str = ":help tells what can be typed; :quit or Ctrl-D ends.";

const HELP: &str = "\
An expression is computed and printed with its type. Definitions are kept:
  def f x = x + 1;       a function
  n = 10;                a value, computed again for each expression that needs it
  type t = A | B int;    a type
An input goes on over several lines until its brackets are closed and its last word can end it.
  :type EXPRESSION       its type; nothing is computed
  :list                  the definitions
  :load FILE             the definitions of a file, and what it computes
  :clear                 forgets all definitions
  :quit                  ends the session
Ctrl-C ends a computation.
";

/// The stack for the front end, as `meridian cc` has it.
const STACK: usize = 256 << 20;

/// What became of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It was taken.
    Done,
    /// It has an error, which has been reported.
    Wrong,
    /// The user ended the computation.
    Interrupted,
    /// The session is to end.
    Quit,
}

/// An input whose definitions are kept.
#[derive(Clone)]
struct Kept {
    name: String,
    /// What is defined again later is blanked out.
    text: String,
    items: Vec<Item>,
}

/// A session.
pub struct Session {
    processors: usize,
    /// Holds a file for each kept input, and the programs.
    directory: tempfile::TempDir,
    kept: Vec<Kept>,
    inputs: usize,
    interrupted: Arc<AtomicBool>,
}

impl Session {
    /// An empty session that computes on so many processors.
    pub fn new(processors: usize) -> Result<Session, String> {
        let directory = tempfile::Builder::new().prefix("meridian-id-").tempdir();
        let directory = directory.map_err(|e| format!("cannot make a directory for the session: {e}"))?;
        let interrupted = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(signal_hook::consts::SIGINT, interrupted.clone())
            .map_err(|e| format!("cannot watch for Ctrl-C: {e}"))?;
        Ok(Session { processors: processors.max(1), directory, kept: Vec::new(), inputs: 0, interrupted })
    }

    /// Whether an input is a command of the session.
    pub fn is_command(input: &str) -> bool {
        input.trim_start().starts_with(':')
    }

    /// Does what an input says.
    pub fn take(&mut self, input: &str) -> Answer {
        let Some(command) = input.trim().strip_prefix(':') else {
            self.inputs += 1;
            let name = format!("input-{}.id", self.inputs);
            return self.evaluate(&name, input.trim_end(), true);
        };
        let (word, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        match (word, rest.trim()) {
            ("q" | "quit", _) => return Answer::Quit,
            ("h" | "help" | "?", _) => say::out(format_args!("{HELP}")),
            ("t" | "type", expression) if !expression.is_empty() => {
                return self.evaluate("input.id", expression, false);
            }
            ("list", _) => self.list(),
            ("clear", _) => self.kept.clear(),
            ("load", file) if !file.is_empty() => return self.load(Path::new(file)),
            ("t" | "type" | "load", _) => {
                say::error(format_args!("error: `:{word}` wants something behind it; see :help\n"));
                return Answer::Wrong;
            }
            _ => {
                say::error(format_args!("error: there is no command `:{word}`; see :help\n"));
                return Answer::Wrong;
            }
        }
        Answer::Done
    }

    /// The definitions of a file, and what it computes.
    pub fn load(&mut self, file: &Path) -> Answer {
        let failed = |e: String| {
            say::error(format_args!("error: {}: {e}\n", file.display()));
            Answer::Wrong
        };
        match std::fs::read(file).map(String::from_utf8) {
            Ok(Ok(text)) if text.to_ascii_lowercase().contains("@include") => {
                failed("a file with `@include` cannot be loaded; load the files one by one".into())
            }
            Ok(Ok(text)) => {
                self.inputs += 1;
                let stem = file.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
                self.evaluate(&format!("{stem}-{}.id", self.inputs), text.trim_end(), true)
            }
            Ok(Err(_)) => failed("the file is not text in UTF-8".into()),
            Err(e) => failed(e.to_string()),
        }
    }

    fn list(&self) {
        for kept in &self.kept {
            for item in &kept.items {
                say::out(format_args!("{};\n", &kept.text[item.bytes.clone()]));
            }
        }
    }

    /// `compute`: else only types are shown, and nothing is kept.
    fn evaluate(&mut self, name: &str, text: &str, compute: bool) -> Answer {
        let items = id::session::items(text);
        if items.is_empty() && text.trim().is_empty() {
            return Answer::Done;
        }
        let mut kept = self.kept.clone();
        for item in &items {
            kept.iter_mut().for_each(|k| k.forget(&item.names));
        }
        kept.retain(|k| !k.items.is_empty());
        let Some(found) = check(&kept, name, text) else { return Answer::Wrong };
        for typing in &found {
            if let Some(name) = &typing.name {
                say::out(format_args!("{name} : {}\n", typing.ty));
            } else if !compute {
                say::out(format_args!("{}\n", typing.ty));
            }
        }
        if !compute {
            return Answer::Done;
        }
        let expressions: Vec<&Item> = items.iter().filter(|i| i.is_expression).collect();
        let answer = match expressions.is_empty() {
            true => Answer::Done,
            false => self.compute(&kept, name, text, &expressions, &found),
        };
        let definitions: Vec<Item> = items.iter().filter(|i| !i.is_expression).cloned().collect();
        if !definitions.is_empty() {
            let mut text = text.to_owned();
            for item in expressions {
                blank(&mut text, item.bytes.clone());
            }
            kept.push(Kept { name: name.to_owned(), text, items: definitions });
        }
        self.kept = kept;
        answer
    }

    /// Compiles the definitions and the expressions, and runs them.
    fn compute(
        &self,
        kept: &[Kept],
        name: &str,
        text: &str,
        expressions: &[&Item],
        found: &[Typing],
    ) -> Answer {
        let types: Vec<&Typing> = found.iter().filter(|t| t.name.is_none()).collect();
        let mut shown = text.to_owned();
        for (item, typing) in expressions.iter().zip(&types).rev() {
            if !typing.is_void {
                let (value, ty) = (&text[item.bytes.clone()], &typing.ty);
                let printed = format!("call print_string (show ({value})); call print_line \"  : {ty}\"");
                shown.replace_range(item.bytes.clone(), &printed);
            }
        }
        let program = self.directory.path().join("program");
        let mut files: Vec<PathBuf> = Vec::new();
        for (name, text) in kept.iter().map(|k| (&k.name[..], &k.text)).chain([(name, &shown)]) {
            let file = self.directory.path().join(name);
            if let Err(e) = std::fs::write(&file, format!("{text}\n")) {
                say::error(format_args!("error: cannot write {}: {e}\n", file.display()));
                return Answer::Wrong;
            }
            files.push(PathBuf::from(name));
        }
        let mut compile = self.meridian("cc");
        compile.arg("-O1").args(&files).arg("-o").arg(&program).stdin(Stdio::null());
        match self.run(compile.current_dir(self.directory.path())) {
            Answer::Done => {}
            other => return other,
        }
        let mut run = match self.processors {
            1 => Command::new(&program),
            n => {
                let mut run = self.meridian("run");
                run.arg("-n").arg(n.to_string()).arg(&program);
                run
            }
        };
        if !std::io::IsTerminal::is_terminal(&std::io::stdin()) {
            run.stdin(Stdio::null());
        }
        self.run(&mut run)
    }

    fn meridian(&self, subcommand: &str) -> Command {
        let own = std::env::current_exe().unwrap_or_else(|_| "meridian".into());
        let mut command = Command::new(own);
        command.arg(subcommand);
        command
    }

    /// Runs a command to its end, or to Ctrl-C.
    fn run(&self, command: &mut Command) -> Answer {
        self.interrupted.store(false, Ordering::Relaxed);
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(e) => {
                say::error(format_args!("error: {}: {e}\n", command.get_program().display()));
                return Answer::Wrong;
            }
        };
        match self.wait(&mut child) {
            Some(status) if status.success() => Answer::Done,
            Some(_) => Answer::Wrong,
            None => {
                say::error(format_args!("interrupted\n"));
                Answer::Interrupted
            }
        }
    }

    /// None if the user ended it. Asks now and then, at first often: a signal does not end a wait.
    fn wait(&self, child: &mut Child) -> Option<ExitStatus> {
        let mut pause = Duration::from_micros(200);
        loop {
            if let Ok(Some(status)) = child.try_wait() {
                return (!self.interrupted.load(Ordering::Relaxed)).then_some(status);
            }
            if self.interrupted.load(Ordering::Relaxed) {
                // The terminal has told the child too, which may be ending; what does not end at once is
                // ended.
                std::thread::sleep(Duration::from_millis(100));
                if !matches!(child.try_wait(), Ok(Some(_))) {
                    let _ = child.kill();
                }
                let _ = child.wait();
                return None;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }
}

impl Kept {
    /// Blanks out the items that define one of the names.
    fn forget(&mut self, names: &[String]) {
        let text = &mut self.text;
        self.items.retain(|item| {
            let again = item.names.iter().any(|n| names.contains(n))
                || item
                    .names
                    .iter()
                    .any(|n| n.strip_prefix("typeof ").is_some_and(|n| names.iter().any(|m| m == n)));
            if again {
                blank(text, item.bytes.clone());
            }
            !again
        });
    }
}

/// Spaces in place of an item; lines stay.
fn blank(text: &mut String, bytes: std::ops::Range<usize>) {
    let spaces: String = text[bytes.clone()]
        .chars()
        .flat_map(|c| if c == '\n' { vec!['\n'] } else { vec![' '; c.len_utf8()] })
        .collect();
    text.replace_range(bytes, &spaces);
}

/// The types of an input after the definitions that are kept; none where it has errors, which are reported.
fn check(kept: &[Kept], name: &str, input: &str) -> Option<Vec<Typing>> {
    let mut text = format!("# 1 \"<library>\" 3\n{}\n", id::LIBRARY);
    let user_from = text.len() as u32;
    for k in kept {
        text.push_str(&format!("# 1 \"{}\"\n{}\n;\n", k.name, k.text));
    }
    text.push_str(&format!("# 1 \"{name}\"\n"));
    let from = text.len() as u32;
    text.push_str(input);
    text.push_str("\n;\n");
    let source = Source::new(text);
    let checked = std::thread::scope(|scope| {
        let work = || id::session::check(&source, user_from, from);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.ok().and_then(|t| t.join().ok())
    });
    let Some((found, said)) = checked else {
        say::error(format_args!("error: the front end has failed, which is a fault of Meridian's\n"));
        return None;
    };
    let wrong = said.iter().any(|d| d.severity == Severity::Error);
    if !said.is_empty() {
        let color = std::io::IsTerminal::is_terminal(&std::io::stderr());
        say::error(format_args!("{}", base::render(&said, &source, color)));
    }
    (!wrong).then_some(found)
}
