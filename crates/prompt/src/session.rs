//! The definitions of a session, and the handling of inputs.
//!
//! Each input with definitions is a separate file in a directory of the session, so that errors of the
//! compiler and of a running program name the input and the line. Items that a later input redefines are
//! blanked out there. An input is taken as a whole or, if it has an error, not at all.

use crate::kept::{self, Kept};
use crate::parts::{Parts, is_id, stem};
use base::{Severity, Source, say};
use id::session::{Item, Kind, Typing};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The commands in one line.
pub const COMMANDS: &str = ":help lists the commands; :quit or Ctrl-D ends the session.";

const HELP: &str = "\
An expression is computed and printed with its type. Definitions are kept:
  def f x = x + 1;       a function
  n = 10;                a value, computed again for each expression that needs it
  type t = A | B int;    a type
  typeof g = float -> float;  @external g \"cbrt\";    a function of C
An input continues over several lines until its brackets are closed and its last word can end it. One that
begins with | adds a clause to the function that was defined last.
  :type EXPRESSION       its type; nothing is computed
  :list                  the definitions
  :load FILE             the definitions of a file, and its results; a file of C, UPC or object code
                         is linked with all later computations
  :forget NAME ...       forgets definitions
  :clear                 forgets all definitions
  :quit                  ends the session
Ctrl-C ends a computation.
";

/// Bytes of stack for the front end, as in `meridian cc`.
const STACK: usize = 256 << 20;

/// The outcome of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The input was taken.
    Done,
    /// The input has an error, which has been reported.
    Wrong,
    /// The user ended the computation.
    Interrupted,
    /// The session is to end.
    Quit,
}

/// A session.
pub struct Session {
    processors: usize,
    /// The directory with a file for each kept input, and the programs.
    directory: tempfile::TempDir,
    kept: Vec<Kept>,
    /// The parts that are linked with the programs.
    parts: Parts,
    inputs: usize,
    interrupted: Arc<AtomicBool>,
}

impl Session {
    /// Returns an empty session that computes on `processors` processors.
    pub fn new(processors: usize) -> Result<Session, String> {
        let directory = base::scratch::directory("meridian-id-");
        let directory = directory.map_err(|e| format!("cannot make a directory for the session: {e}"))?;
        let interrupted = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(signal_hook::consts::SIGINT, interrupted.clone())
            .map_err(|e| format!("cannot watch for Ctrl-C: {e}"))?;
        Ok(Session {
            processors: processors.max(1),
            directory,
            kept: Vec::new(),
            parts: Parts::default(),
            inputs: 0,
            interrupted,
        })
    }

    /// Returns whether an input is a command of the session.
    pub fn is_command(input: &str) -> bool {
        input.trim_start().starts_with(':')
    }

    /// Carries out an input: a command, definitions or expressions.
    pub fn take(&mut self, input: &str) -> Answer {
        let Some(command) = input.trim().strip_prefix(':') else {
            if input.trim().is_empty() {
                return Answer::Done;
            }
            let input = self.with_last_function(input.trim_end());
            let name = self.next_name("input");
            return self.taken(&name, input, true);
        };
        let (word, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        match (word, rest.trim()) {
            ("q" | "quit", _) => return Answer::Quit,
            ("h" | "help" | "?", _) => say::out(format_args!("{HELP}")),
            ("t" | "type", expression) if !expression.is_empty() => {
                return self.taken("input.id", expression.to_owned(), false);
            }
            ("list", _) => self.list(),
            ("clear", _) => (self.kept, self.parts) = (Vec::new(), Parts::default()),
            ("forget", names) if !names.is_empty() => return self.forget(names),
            ("load", file) if !file.is_empty() => return self.load(&[PathBuf::from(file)]),
            ("t" | "type" | "load" | "forget", _) => {
                return failed(&format!("`:{word}` needs an argument; see :help"));
            }
            _ => {
                return failed(&format!("there is no command `:{word}`; see :help"));
            }
        }
        Answer::Done
    }

    /// Returns a name that no input has had.
    fn next_name(&mut self, stem: &str) -> String {
        self.inputs += 1;
        format!("{stem}-{}.id", self.inputs)
    }

    /// Puts the last defined function before an input that begins with clauses, since they belong to it.
    fn with_last_function(&self, input: &str) -> String {
        let last = self.kept.last().filter(|_| input.trim_start().starts_with('|'));
        match last.and_then(|k| Some((k, k.items.last()?))) {
            Some((k, item)) => format!("{}\n{input}", &k.text[item.bytes.clone()]),
            None => input.to_owned(),
        }
    }

    /// Loads files: parts in other languages, and the definitions of Id files, which may refer to each other;
    /// and computes their expressions.
    pub fn load(&mut self, files: &[PathBuf]) -> Answer {
        for part in files.iter().filter(|f| !is_id(f)) {
            let answer = self.load_part(part);
            if answer != Answer::Done {
                return answer;
            }
        }
        let mut inputs = Vec::new();
        for file in files.iter().filter(|f| is_id(f)) {
            let name = self.next_name(&stem(file));
            let directory = file.parent().unwrap_or(Path::new(""));
            let read = id::include::read(file).map_err(|e| format!("{}: {e}", file.display()));
            let included = read.and_then(|text| {
                let mut open = HashSet::from([file.clone()]);
                self.included(&name, text.trim_end().to_owned(), directory, &mut open, &mut inputs)
            });
            if let Err(e) = included {
                return failed(&e);
            }
        }
        self.evaluate(inputs, true)
    }

    fn load_part(&mut self, part: &Path) -> Answer {
        let mut parts = self.parts.clone();
        let answer = match parts.add(part, self.directory.path(), self.meridian("cc")) {
            Ok(Some(mut compile)) => self.run(&mut compile),
            Ok(None) => Answer::Done,
            Err(e) => return failed(&e),
        };
        if answer == Answer::Done {
            self.parts = parts;
        }
        answer
    }

    /// Evaluates a text, with the files that it includes before it.
    fn taken(&mut self, name: &str, text: String, compute: bool) -> Answer {
        let mut inputs = Vec::new();
        match self.included(name, text, Path::new(""), &mut HashSet::new(), &mut inputs) {
            Ok(()) => self.evaluate(inputs, compute),
            Err(e) => failed(&e),
        }
    }

    /// Appends a text to `inputs`, after the files that it includes. `open`: the files that include the text.
    fn included(
        &mut self,
        name: &str,
        mut text: String,
        directory: &Path,
        open: &mut HashSet<PathBuf>,
        inputs: &mut Vec<Kept>,
    ) -> Result<(), String> {
        let mut at = 0;
        for line in text.clone().split_inclusive('\n') {
            if let Some(file) = id::include::included(line) {
                let path = directory.join(file);
                if !open.insert(path.clone()) {
                    return Err(format!("`{file}` includes itself"));
                }
                let own = id::include::read(&path)
                    .map_err(|e| format!("cannot include `{}`: {e}", path.display()))?;
                let inner = self.next_name(&stem(&path));
                let directory = path.parent().unwrap_or(Path::new("")).to_owned();
                self.included(&inner, own.trim_end().to_owned(), &directory, open, inputs)?;
                open.remove(&path);
                kept::blank(&mut text, at..at + line.trim_end().len());
            }
            at += line.len();
        }
        inputs.push(Kept::new(name, text));
        Ok(())
    }

    fn list(&self) {
        for part in self.parts.files() {
            say::out(format_args!("% with {}\n", part.display()));
        }
        for kept in &self.kept {
            for item in &kept.items {
                say::out(format_args!("{};\n", &kept.text[item.bytes.clone()]));
            }
        }
    }

    /// Forgets the definitions of the names, if the others do not need them.
    fn forget(&mut self, names: &str) -> Answer {
        let mut kept = self.kept.clone();
        for name in names.split_whitespace().map(str::to_ascii_lowercase) {
            if !kept::forget_name(&mut kept, &name) {
                return failed(&format!("no definition of `{name}` is kept; see :list"));
            }
        }
        if check(&kept, &[]).is_none() {
            return Answer::Wrong;
        }
        self.kept = kept;
        Answer::Done
    }

    /// Evaluates inputs. Without `compute`, only types are shown, and nothing is kept.
    fn evaluate(&mut self, inputs: Vec<Kept>, compute: bool) -> Answer {
        if inputs.iter().all(|i| i.text.trim().is_empty()) {
            return Answer::Done;
        }
        let mut kept = self.kept.clone();
        let lost = kept::make_way(&mut kept, &inputs);
        let Some(found) = check(&kept, &inputs) else { return Answer::Wrong };
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
        for name in lost {
            say::out(format_args!(
                "`{name}` is forgotten: it was defined together with a name that is redefined\n"
            ));
        }
        let has = |kind| inputs.iter().flat_map(|i| &i.items).any(|item| item.kind == kind);
        let answer = match has(Kind::Expression) || has(Kind::Effect) {
            true => self.compute(&kept, &inputs, &found),
            false => Answer::Done,
        };
        for mut input in inputs {
            input.forget(|item| item.kind != Kind::Definition);
            kept.extend(Some(input).filter(|i| !i.items.is_empty()));
        }
        self.kept = kept;
        answer
    }

    /// Compiles the definitions and the expressions, and runs them.
    fn compute(&self, kept: &[Kept], inputs: &[Kept], found: &[Typing]) -> Answer {
        let mut types = found.iter().filter(|t| t.name.is_none());
        let mut all = kept.to_vec();
        all.extend_from_slice(inputs);
        kept::declare_only_what_is_defined(&mut all);
        all[kept.len()..].iter_mut().for_each(|input| print_expressions(input, &mut types));
        // A program without an expression would compute `main`.
        all.extend(all.last().map(|k| Kept::new(&format!("end-of-{}", k.name), "()".into())));
        let program = self.directory.path().join("program");
        let mut files: Vec<PathBuf> = Vec::new();
        for Kept { name, text, .. } in &all {
            let file = self.directory.path().join(name);
            if let Err(e) = std::fs::write(&file, format!("{text}\n")) {
                say::error(format_args!("error: cannot write {}: {e}\n", file.display()));
                return Answer::Wrong;
            }
            files.push(PathBuf::from(name));
        }
        let mut compile = self.meridian("cc");
        compile
            .arg("-O1")
            .args(&files)
            .args(self.parts.linked())
            .arg("-o")
            .arg(&program)
            .stdin(Stdio::null());
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

    /// Waits for a child, and returns `None` if the user ended it. Polls at growing intervals, since a signal
    /// does not end a blocking wait.
    fn wait(&self, child: &mut Child) -> Option<ExitStatus> {
        let mut pause = Duration::from_micros(200);
        loop {
            if let Ok(Some(status)) = child.try_wait() {
                return (!self.interrupted.load(Ordering::Relaxed)).then_some(status);
            }
            if self.interrupted.load(Ordering::Relaxed) {
                // The terminal has signalled the child too, which may be ending. It is killed if it does not
                // end soon.
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

fn failed(why: &str) -> Answer {
    say::error(format_args!("error: {why}\n"));
    Answer::Wrong
}

/// Rewrites an input to print its expressions, whose types are the next of `types`. The positions of its
/// items are invalid afterwards.
fn print_expressions<'a>(input: &mut Kept, types: &mut impl Iterator<Item = &'a Typing>) {
    let expressions: Vec<&Item> = input.items.iter().filter(|i| i.kind == Kind::Expression).collect();
    let pairs: Vec<(&&Item, &Typing)> = expressions.iter().zip(types).collect();
    for (item, typing) in pairs.into_iter().rev().filter(|(_, typing)| !typing.is_void) {
        let (value, ty) = (&input.text[item.bytes.clone()], &typing.ty);
        let printed = format!("call print_string (show ({value})); call print_line \"  : {ty}\"");
        input.text.replace_range(item.bytes.clone(), &printed);
    }
}

/// Checks inputs after the kept definitions, and returns their types, or `None` if there are errors, which
/// are reported.
fn check(kept: &[Kept], inputs: &[Kept]) -> Option<Vec<Typing>> {
    let mut text = format!("# 1 \"<library>\" 3\n{}\n", id::LIBRARY);
    let user_from = text.len() as u32;
    let (mut from, mut starts) = (user_from, Vec::new());
    for (n, k) in kept.iter().chain(inputs).enumerate() {
        text.push_str(&format!("# 1 \"{}\"\n", k.name));
        starts.push(text.len());
        text.push_str(&format!("{}\n;\n", k.text));
        if n + 1 == kept.len() {
            from = text.len() as u32;
        }
    }
    let source = Source::new(text);
    let checked = std::thread::scope(|scope| {
        let work = || id::session::check(&source, user_from, from);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.ok().and_then(|t| t.join().ok())
    });
    let Some((found, said)) = checked else {
        say::error(format_args!("error: the front end has failed, which is a fault of Meridian\n"));
        return None;
    };
    let wrong = base::has_errors(&said);
    if !said.is_empty() {
        let color = std::io::IsTerminal::is_terminal(&std::io::stderr());
        say::error(format_args!("{}", base::render(&said, &source, color)));
    }
    for (k, start) in kept.iter().zip(starts).filter(|_| wrong) {
        let is_in = |item: &Item| {
            let errors = said.iter().filter(|d| d.severity == Severity::Error);
            errors.into_iter().any(|d| item.bytes.contains(&(d.span.lo as usize).wrapping_sub(start)))
        };
        for name in k.items.iter().filter(|i| is_in(i)).filter_map(Item::shown_name) {
            say::error(format_args!(
                "`{name}` of {} is kept: define it again in the same input, or `:forget {name}` first\n",
                k.name
            ));
        }
    }
    (!wrong).then_some(found)
}
