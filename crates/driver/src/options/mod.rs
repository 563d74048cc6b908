//! The command line of `meridian cc`: gcc's, and the options of other UPC compilers.
//!
//! `table` lists the options and their destinations, `take` has the functions of those that change settings,
//! `help` prints them for the user, and this file parses a command line by them. An option that is not in the
//! table goes to all steps of the C compiler.

pub mod help;
pub mod table;
mod take;

use crate::{Failure, response};
use c_syntax::Language as Dialect;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use table::{Form, To};

/// The name that the command was called by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Called {
    /// `meridian cc`.
    Meridian,
    /// `upcc`, whose `<upc.h>` also declares the names that Berkeley's declares.
    Upcc,
    /// `ac`: all files are AC, whatever their names.
    Ac,
}

/// The last step; if several are requested, the earliest counts, as in gcc.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// `-E`
    Preprocess,
    /// `--emit=tree`
    EmitTree,
    /// `--emit=c`
    EmitC,
    /// `-fsyntax-only`
    Check,
    /// `-S`
    Assembly,
    /// `-c`
    Object,
    /// None of these: a program.
    #[default]
    Link,
}

/// How diagnostics are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// With a picture of the place.
    Text,
    /// Beginning with `file:line:column:`.
    Line,
    /// As SARIF, to standard error.
    SarifStderr,
    /// As SARIF, to a file.
    SarifFile,
}

/// The language of a file.
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
    /// C by its name; UPC if it uses any of it.
    C,
    /// Id90.
    Id,
    /// A language for the C compiler.
    Other,
}

impl From<Dialect> for Language {
    fn from(dialect: Dialect) -> Language {
        match dialect {
            Dialect::C => Language::C,
            Dialect::Upc => Language::Upc,
            Dialect::SplitC => Language::SplitC,
            Dialect::Ac => Language::Ac,
        }
    }
}

impl Language {
    /// Returns the dialect whose keywords a file may use. A file of C may use UPC's.
    pub fn dialect(self) -> Dialect {
        match self {
            Language::SplitC => Dialect::SplitC,
            Language::Ac => Dialect::Ac,
            _ => Dialect::Upc,
        }
    }
}

/// A word of the command line whose position among the others matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file to compile, or to pass to the linker.
    File {
        /// As given; `-` is standard input.
        path: PathBuf,
        /// The language that it is written in.
        language: Language,
    },
    /// `-lm`, `-Wl,…`: for the linker, in its position.
    Link(OsString),
}

/// The parsed command line.
#[derive(Debug, Default)]
pub struct Options {
    /// The last step.
    pub stage: Stage,
    /// `-o`
    pub output: Option<PathBuf>,
    /// Files and linker's words in order.
    pub inputs: Vec<Input>,
    /// `-D`, `-I` and similar options, for the preprocessor alone.
    pub preprocess: Vec<OsString>,
    /// `-M…`
    pub depend: Vec<OsString>,
    /// `-M` or `-MM`: print dependences and stop.
    pub only_depend: bool,
    /// Options for all steps of the C compiler.
    pub common: Vec<OsString>,
    /// Static THREADS environment.
    pub threads: Option<u32>,
    /// How diagnostics are printed; if none, the kind of output decides.
    pub format: Option<Format>,
    /// Whether they are coloured; if none, the kind of output decides.
    pub color: Option<bool>,
    /// Print the commands.
    pub verbose: bool,
    /// Print the commands and do not run them.
    pub dry: bool,
    /// `-Rcommunication`
    pub tell_communication: bool,
    /// `-w`
    pub no_warnings: bool,
    /// `-Werror`
    pub warnings_are_errors: bool,
    /// Names after `-Werror=`.
    pub errors: Vec<String>,
    /// `-fmax-errors=`: the most errors that are shown.
    pub most_errors: Option<usize>,
    /// Names after `-Wno-`.
    pub silenced: Vec<String>,
    /// `-std=c99` and the like rather than `-std=gnu…`.
    pub strict_c: bool,
    /// `-fsigned-char` or `-funsigned-char`; if none, the machine's default.
    pub char_signed: Option<bool>,
    /// No optimisation of communication: `-O0` or no `-O` at all.
    pub optimise: bool,
    /// Queries that the compiler answers about itself: `--version`, `-dumpmachine`, `-print-…`.
    pub questions: Vec<OsString>,
    /// `-fPIC` and similar options: position-independent code was requested.
    pub pic: bool,
    /// `-shared`, `-r`, `-static`, `-nostdlib`, …: not a plain program.
    pub special_link: bool,
    /// Path of the C compiler from `-cc=` or `--cc`.
    pub cc: Option<OsString>,
    /// `<upc.h>` also declares the names that Berkeley's upcc declares.
    pub berkeley: bool,
    /// Programs accept `-n N` as those of GNU's and Clang's UPC do.
    pub gnu_arguments: bool,
    /// `-fsanitize=pgas`: find errors in the use of shared memory while the program runs.
    pub sanitize: bool,
    /// `-link-with`: the command that links.
    pub linker: Option<OsString>,
    /// Options that were accepted and have no effect, with the reason.
    pub idle: Vec<(String, &'static str)>,
    /// Options of Id programs.
    pub id: id::How,
    /// `-x`: the language of the files that follow; if none, by their names.
    forced: Option<Language>,
}

/// An option as it stands on the command line.
pub struct Given {
    /// The option's name, without a value that is joined to it.
    pub name: &'static str,
    /// The word.
    pub word: OsString,
    /// The value; empty if there is none.
    pub value: OsString,
    /// Whether the value is a word of its own.
    pub apart: bool,
}

impl Given {
    fn text(&self) -> std::borrow::Cow<'_, str> {
        self.value.to_string_lossy()
    }

    /// Returns the words, as they are passed on.
    fn words(&self) -> impl Iterator<Item = OsString> + use<> {
        [Some(self.word.clone()), self.apart.then(|| self.value.clone())].into_iter().flatten()
    }
}

impl Options {
    /// Reads the arguments.
    ///
    /// # Errors
    /// For an option without its value or with a wrong one, contradictory options, and a command line without
    /// files.
    pub fn parse(args: Vec<OsString>, called: Called) -> Result<Options, Failure> {
        let mut options = Options {
            forced: (called == Called::Ac).then_some(Language::Ac),
            berkeley: called == Called::Upcc,
            ..Options::default()
        };
        let mut words = response::expand(args)?.into_iter();
        while let Some(word) = words.next() {
            options.word(word, &mut words)?;
        }
        options.check()?;
        Ok(options)
    }

    fn word(&mut self, word: OsString, rest: &mut impl Iterator<Item = OsString>) -> Result<(), Failure> {
        if word == "-" || !word.as_bytes().starts_with(b"-") {
            self.input(Path::new(&word));
            return Ok(());
        }
        let word = match table::with_one_dash(word.as_bytes()) {
            Some(one) => OsStr::from_bytes(one).to_owned(),
            None => word,
        };
        let Some((row, name, form)) = table::find(word.as_bytes()) else {
            self.common.push(word);
            return Ok(());
        };
        let value = match form {
            Form::Alone => OsString::new(),
            Form::Joined => OsStr::from_bytes(&word.as_bytes()[name.len()..]).to_owned(),
            Form::Next => rest.next().ok_or_else(|| format!("{name} needs a value after it"))?,
        };
        self.follow(row.to, Given { name, word, value, apart: form == Form::Next })
    }

    fn follow(&mut self, to: To, given: Given) -> Result<(), Failure> {
        match to {
            To::Preprocess => self.preprocess.extend(given.words()),
            To::Depend => self.depend.extend(given.words()),
            To::Common => self.common.extend(given.words()),
            To::Link => self.inputs.extend(given.words().map(Input::Link)),
            To::Question => self.questions.push(question(given.word)),
            To::Set(set) => set(self, &given)?,
            To::Nothing(why) => self.idle.push((given.word.to_string_lossy().into_owned(), why)),
            To::Refused(way) => return Err(format!("{}: {way}", given.word.to_string_lossy()).into()),
        }
        Ok(())
    }

    /// Returns the file of `-fdiagnostics-format=sarif-file`.
    pub fn sarif_file(&self) -> PathBuf {
        let first = self.inputs.iter().find_map(|i| match i {
            Input::File { path, .. } => path.file_name(),
            Input::Link(_) => None,
        });
        let mut name = first.unwrap_or(OsStr::new("meridian")).to_owned();
        name.push(".sarif");
        name.into()
    }

    fn go(&mut self, stage: Stage) -> Result<(), Failure> {
        self.stage = self.stage.min(stage);
        Ok(())
    }

    fn input(&mut self, path: &Path) {
        let by_name = || match path.extension().and_then(OsStr::to_str) {
            Some("upci") => Language::PreprocessedUpc,
            Some("i") if path.to_string_lossy().ends_with(".upc.i") => Language::PreprocessedUpc,
            Some("id") => Language::Id,
            other => other.and_then(Dialect::of_suffix).map_or(Language::Other, Language::from),
        };
        let language = self.forced.unwrap_or_else(by_name);
        self.inputs.push(Input::File { path: path.to_owned(), language });
    }

    /// Whether a file is compiled for a fixed address: if this command also links the program, and in Split-C
    /// and AC, whose statics have one address in all threads. Object files are as the C compiler makes them
    /// by default, so that others can link them.
    pub fn fixed_address(&self, language: Language) -> bool {
        let everything = matches!(language, Language::SplitC | Language::Ac);
        !self.pic && (self.stage == Stage::Link || everything)
    }

    /// Whether objects that several files of this language define without an initialiser are one object, as
    /// headers of old programs assume, and as in C compilers before gcc 10.
    pub fn merges(&self, language: Language) -> bool {
        let word = self.common.iter().rfind(|o| *o == "-fcommon" || *o == "-fno-common");
        let dialect = language.dialect();
        let upc = dialect == Dialect::Upc && language != Language::Id;
        dialect.everything() || (upc && word.is_none_or(|o| o != "-fno-common"))
    }

    /// Whether the program is compiled for debuggers.
    pub fn debug(&self) -> bool {
        self.common.iter().rfind(|o| o.as_bytes().starts_with(b"-g")).is_some_and(|o| o != "-g0")
    }

    /// Whether the program counts its lines: the files that it needs for that lie beside the object files,
    /// which are therefore made in the directory of the program.
    pub fn counts(&self) -> bool {
        let words = ["--coverage", "-coverage", "-ftest-coverage", "-fprofile-arcs", "-fprofile-generate"];
        self.common.iter().any(|option| words.iter().any(|word| option == word))
    }

    /// Whether clang maps counts to the text: it leaves out code in system headers.
    pub fn maps_coverage(&self) -> bool {
        self.common.iter().any(|option| option == "-fcoverage-mapping")
    }

    fn check(&self) -> Result<(), Failure> {
        // The files of an Id program are compiled together.
        let is_id = |i: &&Input| matches!(i, Input::File { language: Language::Id, .. });
        let programs = usize::from(self.inputs.iter().any(|i| is_id(&i)));
        let is_file = |i: &&Input| matches!(i, Input::File { .. }) && !is_id(i);
        let files = self.inputs.iter().filter(is_file).count() + programs;
        let asks = !self.questions.is_empty() || self.verbose;
        if files == 0 && !asks {
            return Err("no input files; see `meridian cc --help`".into());
        }
        let shared = self.inputs.iter().any(|i| matches!(i, Input::Link(word) if word == "-shared"));
        if shared && self.stage == Stage::Link {
            let everything = |i: &Input| match i {
                Input::File { path, language: Language::SplitC | Language::Ac } => {
                    Some(path.display().to_string())
                }
                _ => None,
            };
            if let Some(path) = self.inputs.iter().find_map(everything) {
                return Err(format!(
                    "-shared: {path} cannot be part of a shared library, since the statics of Split-C and AC have one \
                     address in all threads; link it into the program"
                )
                .into());
            }
            let sources = self
                .inputs
                .iter()
                .any(|i| matches!(i, Input::File { language, .. } if *language != Language::Other));
            if sources && !self.pic {
                return Err("-shared: the code of a shared library has no fixed address; add -fPIC".into());
            }
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

/// Returns a query in the C compiler's words.
fn question(word: OsString) -> OsString {
    match word.to_str() {
        Some("-version" | "-V") => "--version".into(),
        Some("-help" | "-h" | "-?") => "--help".into(),
        _ => word,
    }
}
