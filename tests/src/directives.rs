//! The directives at the head of a test program: `//: name value`, one for each line, before the first line
//! of code. They say which clauses of the standard the program covers, how it is compiled and run, and its
//! expected output. `tests/README.md` lists them.

use std::path::{Path, PathBuf};

/// The numbers of threads that a program is run with by default.
pub const THREADS: [usize; 5] = [1, 2, 3, 4, 8];

/// The static number of threads that a program is also compiled for by default.
pub const STATIC: usize = 4;

/// The directives of a test program.
#[derive(Clone, Debug)]
pub struct Directives {
    /// Clauses covered, as `6.4.2 p2`.
    pub clauses: Vec<String>,
    /// Thread counts of the runs in the dynamic environment; empty: static only.
    pub threads: Vec<usize>,
    /// Numbers of threads to compile for statically; empty: dynamic only.
    pub statics: Vec<usize>,
    /// Threads on each host, for runs over unequal hosts.
    pub layouts: Vec<Vec<usize>>,
    /// Options given to the compiler besides the file.
    pub flags: Vec<String>,
    /// Arguments of the program.
    pub args: Vec<String>,
    /// Variables of the environment of the runs, as `NAME=value`.
    pub environment: Vec<String>,
    /// The standard input of the program.
    pub stdin: Option<String>,
    /// The expected exit status; `None`: 0 for programs that run, anything else for those that die.
    pub exit: Option<i32>,
    /// Texts that standard output must contain.
    pub expect_out: Vec<String>,
    /// Texts that standard error must contain.
    pub expect_err: Vec<String>,
    /// Standard output is compared with its lines sorted, because threads print in any order.
    pub sorted: bool,
    /// The exact output, from the file `x.out` beside `x.upc`.
    pub output: Option<String>,
    /// Run this many times in each setting.
    pub repeat: usize,
    /// The only C compiler that accepts the program, if it uses an extension of that compiler.
    pub only_cc: Option<&'static str>,
}

impl Directives {
    /// Reads the head of `source`. An unknown directive, or one with a bad value, is an error: a misspelt
    /// directive must not quietly weaken its test.
    pub fn read(source: &Path) -> Result<Directives, String> {
        let text = std::fs::read(source).map_err(|error| format!("{}: {error}", source.display()))?;
        let text = String::from_utf8_lossy(&text);
        let mut directives = Directives::default();
        let mut in_comment = false;
        for (number, line) in text.lines().enumerate() {
            let line = line.trim_start();
            if in_comment || line.starts_with("/*") {
                in_comment = !line.contains("*/");
            } else if let Some(rest) = line.strip_prefix("//:") {
                directives
                    .take(rest.trim())
                    .map_err(|error| format!("{}:{}: {error}", source.display(), number + 1))?;
            } else if !(line.is_empty() || line.starts_with("//")) {
                break;
            }
        }
        directives.output = std::fs::read_to_string(expected_output(source)).ok();
        Ok(directives)
    }

    fn take(&mut self, directive: &str) -> Result<(), String> {
        let (name, value) = directive.split_once(char::is_whitespace).unwrap_or((directive, ""));
        let value = value.trim();
        match name {
            "clause" => self.clauses.push(value.to_string()),
            "threads" => self.threads = numbers(value)?,
            "static" => self.statics = numbers(value)?,
            "layout" => self.layouts.push(numbers(value)?),
            "mode" => self.restrict(value)?,
            "flags" => self.flags.extend(value.split_whitespace().map(String::from)),
            "args" => self.args.extend(value.split_whitespace().map(String::from)),
            "env" if value.contains('=') => self.environment.push(value.to_string()),
            "stdin" => self.stdin = Some(value.replace("\\n", "\n")),
            "exit" => self.exit = Some(value.parse().map_err(|_| format!("exit: not a number: {value}"))?),
            "expect-out" => self.expect_out.push(value.to_string()),
            "expect-err" => self.expect_err.push(value.to_string()),
            "sorted" => self.sorted = true,
            "repeat" => self.repeat = value.parse().map_err(|_| format!("repeat: not a number: {value}"))?,
            "cc" => {
                let known = ["gcc", "clang"].into_iter().find(|cc| *cc == value);
                self.only_cc = Some(known.ok_or(format!("`{value}` is not a C compiler of the tests"))?);
            }
            _ => return Err(format!("unknown directive `{name}`")),
        }
        Ok(())
    }

    /// `mode dynamic` and `mode static`: one translation environment only.
    fn restrict(&mut self, mode: &str) -> Result<(), String> {
        match mode {
            "dynamic" => self.statics.clear(),
            "static" => self.threads.clear(),
            _ => return Err(format!("mode: `dynamic` or `static`, not `{mode}`")),
        }
        Ok(())
    }
}

impl Default for Directives {
    fn default() -> Self {
        Directives {
            clauses: Vec::new(),
            threads: THREADS.to_vec(),
            statics: vec![STATIC],
            layouts: Vec::new(),
            flags: Vec::new(),
            args: Vec::new(),
            environment: Vec::new(),
            stdin: None,
            exit: None,
            expect_out: Vec::new(),
            expect_err: Vec::new(),
            sorted: false,
            output: None,
            repeat: 1,
            only_cc: None,
        }
    }
}

/// The file whose directives count: the program itself, or `main` of a program of several files.
pub fn head(test: &Path) -> PathBuf {
    if !test.is_dir() {
        return test.to_path_buf();
    }
    let mains = ["main.upc", "main.sc", "main.ac", "main.c"].map(|name| test.join(name));
    mains.iter().find(|main| main.is_file()).unwrap_or(&mains[0]).clone()
}

fn expected_output(source: &Path) -> PathBuf {
    source.with_extension("out")
}

fn numbers(value: &str) -> Result<Vec<usize>, String> {
    let parse = |word: &str| word.parse().map_err(|_| format!("not a number: {word}"));
    value.split_whitespace().map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directive_is_taken_and_a_misspelt_one_refused() {
        let mut directives = Directives::default();
        directives.take("threads 2 5").unwrap();
        directives.take("mode dynamic").unwrap();
        assert_eq!(directives.threads, [2, 5]);
        assert!(directives.statics.is_empty());
        assert!(directives.take("thread 2").is_err());
        assert!(directives.take("threads two").is_err());
    }
}
