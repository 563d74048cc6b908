//! The command line of `meridian cc`: gcc's, and the options of UPC compilers for the number of threads.
//!
//! What is not known here goes on to the C compiler, to each of its steps that could want it.

use crate::toolchain::Toolchain;
use crate::{Failure, response};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// `-E`
    Preprocess,
    /// `--emit=c`
    EmitC,
    /// `-fsyntax-only`
    Check,
    /// `-S`
    Assembly,
    /// `-c`
    Object,
    /// Neither: a program.
    Link,
}

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// UPC.
    Upc,
    /// UPC after preprocessing (`.i`).
    PreprocessedUpc,
    /// Split-C.
    SplitC,
    /// AC.
    Ac,
    /// By its name C; UPC if it uses any of it.
    C,
    /// The C compiler's business.
    Other,
}

/// One word of the command line that has a place among the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file to compile, or to pass to the linker.
    File {
        /// As given; `-` is standard input.
        path: PathBuf,
        /// What it is written in.
        language: Language,
    },
    /// `-lm`, `-Wl,…`: for the linker, in its place.
    Link(OsString),
}

/// The command line, understood.
#[derive(Debug)]
pub struct Options {
    /// How far to go.
    pub stage: Stage,
    /// `-o`
    pub output: Option<PathBuf>,
    /// Files and linker's words in order.
    pub inputs: Vec<Input>,
    /// `-D`, `-I` and their kin, for the preprocessor alone.
    pub preprocess: Vec<OsString>,
    /// `-M…`
    pub depend: Vec<OsString>,
    /// `-M` or `-MM`: print dependences and stop.
    pub only_depend: bool,
    /// Options for all steps of the C compiler.
    pub common: Vec<OsString>,
    /// Static THREADS environment.
    pub threads: Option<u32>,
    /// Print the commands.
    pub verbose: bool,
    /// Print the commands and do not run them.
    pub dry: bool,
    /// `-w`
    pub no_warnings: bool,
    /// `-Werror`
    pub warnings_are_errors: bool,
    /// Names after `-Wno-`.
    pub silenced: Vec<String>,
    /// `-std=c99` and the like rather than `-std=gnu…`.
    pub strict_c: bool,
    /// `-fsigned-char` or `-funsigned-char`; none: as the machine has it.
    pub char_signed: Option<bool>,
    /// No optimisation of communication: `-O0` or no `-O` at all.
    pub optimise: bool,
    /// Words that ask the compiler about itself: `--version`, `-dumpmachine`, `-print-…`.
    pub questions: Vec<OsString>,
    /// `-fPIC` and its kin: position-independent code was asked for.
    pub pic: bool,
    /// `-shared`, `-r`, `-static`, `-nostdlib`, …: not a plain program.
    pub special_link: bool,
    /// Path of the C compiler from `-cc=` or `--cc`.
    pub cc: Option<OsString>,
}

/// Options of gcc that take the next word as their value.
const WITH_VALUE: &[(&str, To)] = &[
    ("-D", To::Preprocess),
    ("-U", To::Preprocess),
    ("-I", To::Preprocess),
    ("-include", To::Preprocess),
    ("-imacros", To::Preprocess),
    ("-isystem", To::Preprocess),
    ("-iquote", To::Preprocess),
    ("-idirafter", To::Preprocess),
    ("-iprefix", To::Preprocess),
    ("-iwithprefix", To::Preprocess),
    ("-isysroot", To::Common),
    ("-Xpreprocessor", To::Preprocess),
    ("-MF", To::Depend),
    ("-MT", To::Depend),
    ("-MQ", To::Depend),
    ("-L", To::Link),
    ("-l", To::Link),
    ("-u", To::Link),
    ("-z", To::Link),
    ("-e", To::Link),
    ("-Xlinker", To::Link),
    ("-B", To::Common),
    ("-Xclang", To::Common),
    ("-target", To::Common),
    ("-mllvm", To::Common),
    ("-Xassembler", To::Common),
    ("-param", To::Common),
    ("--param", To::Common),
    ("-aux-info", To::Common),
    ("-arch", To::Common),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum To {
    Preprocess,
    Depend,
    Common,
    Link,
}

impl Options {
    /// Reads the arguments.
    pub fn parse(args: Vec<OsString>, called: Option<Language>) -> Result<Options, Failure> {
        let mut options = Options {
            stage: Stage::Link,
            output: None,
            inputs: Vec::new(),
            preprocess: Vec::new(),
            depend: Vec::new(),
            only_depend: false,
            common: Vec::new(),
            threads: None,
            verbose: false,
            dry: false,
            no_warnings: false,
            warnings_are_errors: false,
            silenced: Vec::new(),
            strict_c: false,
            char_signed: None,
            optimise: false,
            questions: Vec::new(),
            pic: false,
            special_link: false,
            cc: None,
        };
        let mut words = response::expand(args)?.into_iter();
        let mut language: Option<Option<Language>> = called.map(Some);
        while let Some(word) = words.next() {
            options.word(&word, &mut words, &mut language)?;
        }
        options.check()?;
        Ok(options)
    }

    fn word(
        &mut self,
        word: &OsStr,
        rest: &mut impl Iterator<Item = OsString>,
        language: &mut Option<Option<Language>>,
    ) -> Result<(), Failure> {
        let text = word.to_string_lossy().into_owned();
        let mut next =
            |what: &str| rest.next().ok_or_else(|| Failure(format!("{what} needs a value after it")));
        match text.as_str() {
            "-c" => self.go(Stage::Object),
            "-S" => self.go(Stage::Assembly),
            "-E" => self.go(Stage::Preprocess),
            "-fsyntax-only" => self.go(Stage::Check),
            "--emit=c" => self.go(Stage::EmitC),
            "-o" => self.output = Some(next("-o")?.into()),
            "-x" => *language = language_named(&next("-x")?.to_string_lossy())?,
            "-v" => self.verbose = true,
            "-###" => (self.verbose, self.dry) = (true, true),
            "-w" => (self.no_warnings, _) = (true, self.common.push(word.into())),
            "-M" | "-MM" => (self.only_depend, _) = (true, self.depend.push(word.into())),
            "-MD" | "-MMD" | "-MP" | "-MG" => self.depend.push(word.into()),
            "--cc" => self.cc = Some(next("--cc")?),
            "-T" => {
                let value = next("-T")?;
                // To gcc -T is a linker script, which has a name such as board.ld and is no source.
                let path = Path::new(&value);
                if path.extension().is_some_and(|e| !["upc", "sc", "ac", "c"].map(OsStr::new).contains(&e)) {
                    self.inputs.extend([Input::Link("-T".into()), Input::Link(value)]);
                } else {
                    self.set_threads("-T", &value.to_string_lossy())?;
                }
            }
            "-fupc-threads" | "-threads" | "--threads" | "-THREADS" => {
                let value = next(&text)?;
                self.set_threads(&text, &value.to_string_lossy())?;
            }
            "-" => self.input(Path::new("-"), *language),
            "--version" | "-dumpversion" | "-dumpmachine" | "-dumpfullversion" | "--help" | "-dumpspecs"
            | "--target-help" => self.questions.push(word.into()),
            _ if text.starts_with("-print-") => self.questions.push(word.into()),
            _ if text.starts_with("-x") => *language = language_named(&text[2..])?,
            _ if text.starts_with("--cc=") => self.cc = Some(text[5..].into()),
            _ if self.threads_word(&text)? => {}
            _ if text.starts_with('-') => {
                if let Some((name, to)) = WITH_VALUE.iter().find(|row| row.0 == text) {
                    let value = next(name)?;
                    self.give(*to, word.into());
                    self.give(*to, value);
                } else {
                    self.attached(&text, word);
                }
            }
            _ => self.input(Path::new(word), *language),
        }
        Ok(())
    }

    /// `-T4`, `-T=4`, `-fupc-threads-4`, `-THREADS=4` and the like.
    fn threads_word(&mut self, text: &str) -> Result<bool, Failure> {
        for prefix in [
            "-fupc-threads-",
            "-fprocs-",
            "-fprocs=",
            "-fupc-threads=",
            "-THREADS=",
            "--threads=",
            "-threads=",
            "-T=",
            "-T",
        ] {
            let Some(value) = text.strip_prefix(prefix) else { continue };
            let number = value.starts_with(|c: char| c.is_ascii_digit() || c == '-');
            if prefix == "-T" && !number {
                return Ok(false);
            }
            self.set_threads(text, value)?;
            return Ok(true);
        }
        Ok(false)
    }

    fn set_threads(&mut self, option: &str, value: &str) -> Result<(), Failure> {
        let n: u32 = value.parse().map_err(|_| {
            Failure(format!(
                "{option}: the number of threads must be a whole number from 1 to 65535, not `{value}`"
            ))
        })?;
        if n == 0 || n > 65535 {
            return Err(format!("{option}: the number of threads must be from 1 to 65535, not {n}").into());
        }
        if let Some(before) = self.threads
            && before != n
        {
            return Err(format!(
                "contradictory options: {before} threads were asked for before, now `{option}` asks for {n}"
            )
            .into());
        }
        self.threads = Some(n);
        Ok(())
    }

    /// An earlier stage wins over a later one, as gcc has it.
    fn go(&mut self, stage: Stage) {
        let rank = |s: Stage| match s {
            Stage::Preprocess => 0,
            Stage::EmitC => 1,
            Stage::Check => 2,
            Stage::Assembly => 3,
            Stage::Object => 4,
            Stage::Link => 5,
        };
        if rank(stage) < rank(self.stage) {
            self.stage = stage;
        }
    }

    fn give(&mut self, to: To, word: OsString) {
        match to {
            To::Preprocess => self.preprocess.push(word),
            To::Depend => self.depend.push(word),
            To::Common => self.common.push(word),
            To::Link => self.inputs.push(Input::Link(word)),
        }
    }

    /// A word that holds option and value, or needs none.
    fn attached(&mut self, text: &str, word: &OsStr) {
        let preprocess = [
            "-D",
            "-U",
            "-I",
            "-iquote",
            "-isystem",
            "-idirafter",
            "-include",
            "-Wp,",
            "-nostdinc",
            "-undef",
        ];
        let link = ["-l", "-L", "-Wl,", "-rdynamic", "-nostdlib", "-nodefaultlibs", "-nostartfiles", "-s"];
        let is_link = link.iter().any(|p| text.starts_with(p))
            && !["-std", "-save", "-specs"].iter().any(|p| text.starts_with(p));
        if let Some(output) = text.strip_prefix("-o") {
            self.output = Some(output.into());
        } else if preprocess.iter().any(|p| text.starts_with(p)) {
            self.preprocess.push(word.into());
        } else if ["-MF", "-MT", "-MQ"].iter().any(|p| text.starts_with(p)) {
            self.depend.push(word.into());
        } else if text == "-static-pie" {
            self.special_link = true;
            self.inputs.push(Input::Link("-static".into()));
        } else if text == "-shared" || text == "-r" || text.starts_with("-static") {
            // `-static-libgcc` and its kin choose a library; what comes out is a plain program.
            self.special_link |= !text.starts_with("-static-");
            self.inputs.push(Input::Link(word.into()));
        } else if text == "-pie" || text == "-no-pie" {
            // Static shared objects need the same address in every process: always without.
        } else if is_link {
            self.special_link |= text.starts_with("-nostdlib") || text.starts_with("-nostartfiles");
            self.inputs.push(Input::Link(word.into()));
        } else {
            self.remember(text);
            // C compilers do not know the warnings that only the front end has.
            if !["-Wno-upc-", "-Wno-split-phase"].iter().any(|own| text.starts_with(own)) {
                self.common.push(word.into());
            }
        }
    }

    /// Options that concern the front end as well as the C compiler.
    fn remember(&mut self, text: &str) {
        if let Some(name) = text.strip_prefix("-Wno-") {
            self.silenced.push(name.to_owned());
        }
        match text {
            "-Werror" => self.warnings_are_errors = true,
            "-Wno-error" => self.warnings_are_errors = false,
            "-fsigned-char" | "-fno-unsigned-char" => self.char_signed = Some(true),
            "-funsigned-char" | "-fno-signed-char" => self.char_signed = Some(false),
            "-fPIC" | "-fpic" | "-fPIE" | "-fpie" => self.pic = true,
            "-ansi" => self.strict_c = true,
            _ if text.starts_with("-std=") => self.strict_c = !text.starts_with("-std=gnu"),
            _ if text.starts_with("-O") => self.optimise = text != "-O0",
            _ => {}
        }
    }

    fn input(&mut self, path: &Path, forced: Option<Option<Language>>) {
        let by_name = || match path.extension().and_then(OsStr::to_str) {
            Some("upc") => Language::Upc,
            Some("c") => Language::C,
            Some("sc") => Language::SplitC,
            Some("ac") => Language::Ac,
            Some("i") if path.to_string_lossy().ends_with(".upc.i") => Language::PreprocessedUpc,
            _ => Language::Other,
        };
        let language = match forced {
            Some(Some(language)) => language,
            _ => by_name(),
        };
        self.inputs.push(Input::File { path: path.to_owned(), language });
    }

    fn check(&self) -> Result<(), Failure> {
        let files = self.inputs.iter().filter(|i| matches!(i, Input::File { .. })).count();
        let asks = !self.questions.is_empty() || self.verbose;
        if files == 0 && !asks {
            return Err("no input files; `meridian cc --help` says how it is called".into());
        }
        if self.output.is_some() && files > 1 && self.stage != Stage::Link {
            return Err(format!(
                "-o names one file, but {files} files are to be compiled separately; leave -o out, or compile them one by one"
            )
            .into());
        }
        if let Some(output) = &self.output
            && self.inputs.iter().any(|i| matches!(i, Input::File { path, language } if path == output && *language != Language::Other))
        {
            return Err(format!("-o {} would overwrite an input file", output.display()).into());
        }
        Ok(())
    }
}

/// `-x name`; none inside: by the files' names again.
fn language_named(name: &str) -> Result<Option<Option<Language>>, Failure> {
    Ok(match name {
        "none" => None,
        "upc" => Some(Some(Language::Upc)),
        "upc-cpp-output" => Some(Some(Language::PreprocessedUpc)),
        "c" => Some(Some(Language::C)),
        "split-c" => Some(Some(Language::SplitC)),
        "ac" => Some(Some(Language::Ac)),
        "assembler" | "assembler-with-cpp" | "cpp-output" => Some(Some(Language::Other)),
        other => {
            return Err(format!(
                "-x {other}: the languages are upc, upc-cpp-output, split-c, ac, c, assembler and none"
            )
            .into());
        }
    })
}

/// What `meridian cc --help` prints, and the body of its manual page.
pub const HELP: &str = "\
Compiles UPC, Split-C, AC and C, and links programs that `meridian run` starts.

Usage: meridian cc [options] file...      (also: upcc; ac, for `cc -x ac`)

Files: .upc is UPC; .sc is Split-C; .ac is AC; .c is UPC where it uses any of it, else C; everything else goes to the linker.

  -T N, -T=N, -fupc-threads-N, -THREADS=N
                     fix the number of threads at compile time (static THREADS environment)
  -fprocs-N          the same, for PROCS of AC and Split-C
  -x upc | split-c | ac | c | none
                     take the files that follow as written in this language
  --emit=c           write the C that the file becomes (to standard output, or -o)
  -c -S -E -fsyntax-only
                     stop after the object file, the assembly, preprocessing, the checks
  -o FILE            name the result
  --cc PROGRAM       the C compiler to use, gcc or clang; else the
                     environment's MERIDIAN_CC or CC, or gcc
  -v  -###           print the commands that are run; print them without running them
  -O* -g -W* -std= -D -U -I -L -l -M* -f* -m*
                     as gcc has them; unknown options are passed on to the C compiler
  --version --help

Examples:
  meridian cc -O3 hello.upc -o hello && meridian run -n 4 ./hello
  meridian cc -T 4 -c solver.upc
  meridian cc -O2 main.c store.sc walk.ac -o all
";

/// Answers `--version` and its kin, or passes the question on; none where there is work to do.
pub fn answer(options: &Options, tools: &Toolchain) -> Result<Option<i32>, Failure> {
    let Some(first) = options.questions.first() else {
        let files = options.inputs.iter().any(|i| matches!(i, Input::File { .. }));
        return if files { Ok(None) } else { tools.ask(&["-v".into()]).map(Some) };
    };
    if first == "--help" {
        base::say::out(format_args!("{HELP}"));
        return Ok(Some(0));
    }
    if first == "--version" {
        base::say::out(format_args!("meridian cc {} (UPC 1.3), with:\n", env!("CARGO_PKG_VERSION")));
    }
    tools.ask(&options.questions).map(Some)
}
