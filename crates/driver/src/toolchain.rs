//! The C compiler, and the paths of Meridian's own files.

use crate::options::{Input, Language, Options, Stage};
use crate::{Failure, contract, predefined, sanitize};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The programs and directories that a compilation uses.
pub struct Toolchain {
    /// The C compiler and words that follow it immediately (`MERIDIAN_CC="ccache gcc"`).
    cc: Vec<OsString>,
    /// `…/include`, which holds `meridian/` and `upc/`.
    include: PathBuf,
    /// The directory of `libmeridian.a` and `libmeridian_everything.a`.
    pub lib: PathBuf,
    /// The launcher, recorded in programs so that they can start themselves.
    launcher: PathBuf,
    verbose: bool,
    dry: bool,
}

/// C that a front end has written.
pub struct Written<'a> {
    /// The text, in the encoding of the source.
    pub text: &'a [u8],
    /// The language of the source.
    pub language: Language,
    /// Whether the optimiser has rewritten a loop. If false, private code is compiled unchanged.
    pub rewritten: bool,
}

/// Returns the options for old C. Split-C dates from the time when `int` and declarations of functions could
/// be left out, when `inline` had the meaning of GNU's C of 1989, and when a header defined variables that
/// all files then shared. AC was a GNU C of that time too.
fn old_c(language: Language) -> &'static [&'static str] {
    const OLD: [&str; 3] = ["-fgnu89-inline", "-fcommon", "-Wno-error=return-type"];
    match language {
        Language::SplitC => &OLD,
        Language::Ac => &OLD[..2],
        _ => &[],
    }
}

/// With clang's -Wall the last of these options counts.
const NO_TYPE: [&str; 2] = ["-Wimplicit-int", "-Wno-implicit-int"];

/// Turns off the warning that the front end has already given; the prologue of its C turns off others
/// (`lower::SAID`).
const SAID: &str = "-Wno-implicit-function-declaration";

/// The options for the debugger's line table, from which `meridian run --profile` and the message about a
/// dead thread find lines. The table changes no machine code, and is not loaded when the program runs. A
/// later option of the user's (`-g`, `-g0`) takes precedence. DWARF 4, because GNU ld reads the file table of
/// DWARF 5 as one that counts from 1, and so names the file before the right one.
const LINES: [&str; 2] = ["-gdwarf-4", "-g1"];

/// A loop of a few instructions that crosses a line of the instruction cache may take twice the time, and C
/// compilers align loops only to half of a line. A later option of the user's takes precedence.
const WHOLE_LOOPS: &str = "-falign-loops=32";

/// clang refuses more than 256 nested brackets. A shared access is a macro that has several of them for each
/// pair of the program's; the front end has its own limits (C0101).
const BRACKETS: &str = "-fbracket-depth=20000";

/// The depth of nested brackets from which macros may make more than 256 of them.
const DEEP: usize = 24;

/// Tells a C compiler that is Meridian itself the name by which it was called.
const WITHIN: &str = "MERIDIAN_WITHIN_CC";

/// Whether C text nests brackets so deeply that clang's limit may be exceeded. Brackets in strings count too,
/// which does no harm.
fn nests_deeply(c: &[u8]) -> bool {
    let mut depth = 0usize;
    c.iter().any(|byte| {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > DEEP
    })
}

impl Toolchain {
    /// Finds all paths, from `--cc`, `MERIDIAN_CC`, `CC`, and the path of this executable.
    pub fn find(options: &Options) -> Result<Toolchain, Failure> {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        // A build system whose CC is Meridian passes that CC on to us; it does not name our C compiler.
        let named = options
            .cc
            .clone()
            .or_else(|| set("MERIDIAN_CC"))
            .or_else(|| set("CC").filter(|cc| !is_meridian(cc)));
        let named = named.unwrap_or_else(|| "gcc".into());
        // The name may be that of a script that calls us: that would recurse until no process is left.
        if set(WITHIN).is_some_and(|outer| outer == named) {
            let named = named.to_string_lossy();
            return Err(format!(
                "the C compiler `{named}` runs `meridian cc` again: name gcc or clang with MERIDIAN_CC or --cc"
            )
            .into());
        }
        let cc: Vec<OsString> = named.to_string_lossy().split_whitespace().map(OsString::from).collect();
        if cc.is_empty() {
            return Err("no C compiler is named: name gcc or clang with --cc".to_string().into());
        }
        let exe = std::env::current_exe()
            .and_then(|e| e.canonicalize())
            .map_err(|e| format!("cannot find the path of this program: {e}"))?;
        let prefix = exe.parent().and_then(Path::parent).unwrap_or(Path::new("/")).to_owned();
        let include = prefix.join("include");
        let lib = ["lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"]
            .iter()
            .map(|l| prefix.join(l))
            .find(|l| l.join("libmeridian_everything.a").exists());
        if !include.join("meridian/abi/abi.h").exists() {
            return Err(format!(
                "Meridian's headers are not at {}: run `make` again, or `make install`",
                include.display()
            )
            .into());
        }
        if let Some(other) = contract::check_headers(&include) {
            return Err(other.into());
        }
        let lib = lib.ok_or_else(|| {
            format!(
                "Meridian's libraries are not under {}/lib: run `make` again, or `make install`",
                prefix.display()
            )
        })?;
        Ok(Toolchain { cc, include, lib, launcher: exe, verbose: options.verbose, dry: options.dry })
    }

    /// Returns the C compiler's command, without options.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.cc[0]);
        command.args(&self.cc[1..]).env(WITHIN, self.cc.join(OsStr::new(" ")));
        command
    }

    /// Shows a command if the user has asked for that.
    pub fn show(&self, command: &Command) {
        if self.verbose {
            let words = std::iter::once(command.get_program()).chain(command.get_args());
            let words: Vec<String> = words.map(|w| quote(&w.to_string_lossy())).collect();
            base::say::error(format_args!(" {}\n", words.join(" ")));
        }
    }

    /// Runs a command, with its messages going to the user. Returns false if it failed.
    fn run(&self, mut command: Command) -> Result<bool, Failure> {
        self.show(&command);
        if self.dry {
            return Ok(true);
        }
        let name = command.get_program().to_owned();
        let status = command.status().map_err(|e| self.cannot_run(&name, &e))?;
        Ok(status.success())
    }

    fn no_compiler(&self, error: &std::io::Error) -> Failure {
        self.cannot_run(&self.cc[0], error)
    }

    /// Returns why a command of this name did not run; for the C compiler also advice.
    pub fn cannot_run(&self, name: &OsStr, error: &std::io::Error) -> Failure {
        let name = name.to_string_lossy();
        if name != self.cc[0].to_string_lossy() {
            return Failure(format!("cannot run `{name}`: {error}"));
        }
        Failure(format!(
            "cannot run the C compiler `{name}`: {error}; install gcc or clang, or name one with MERIDIAN_CC or --cc"
        ))
    }

    /// Passes a question such as `-dumpmachine` on.
    pub fn ask(&self, questions: &[OsString]) -> Result<i32, Failure> {
        let mut command = self.command();
        command.args(questions);
        self.show(&command);
        if self.dry {
            return Ok(0);
        }
        // C compilers do not check whether the answer could be written.
        let answer = command.stderr(Stdio::inherit()).output().map_err(|e| self.no_compiler(&e))?;
        base::say::out(format_args!("{}", String::from_utf8_lossy(&answer.stdout)));
        Ok(i32::from(!answer.status.success()))
    }

    /// Returns a command that knows the macros and headers; `common` are its options among those for all
    /// steps.
    fn preprocessor<'a>(
        &self,
        options: &'a Options,
        language: Language,
        common: impl Iterator<Item = &'a OsString>,
    ) -> Command {
        let mut command = self.command();
        command.args(["-x", "c"]).args(common).args(self.macros_and_headers(options, language));
        command
    }

    /// Returns the options of all steps for a file, without the C compiler's name and the file.
    pub fn words_for_c(&self, options: &Options, language: Language) -> Vec<OsString> {
        let mut words: Vec<OsString> = old_c(language).iter().map(OsString::from).collect();
        words.extend(options.common.iter().cloned());
        words.extend(self.macros_and_headers(options, language));
        words
    }

    /// Returns the options by which a C compiler knows the macros of a language, those of the user, and both
    /// their headers.
    fn macros_and_headers(&self, options: &Options, language: Language) -> Vec<OsString> {
        let mut words = predefined::macros(language, options.threads, options.berkeley);
        // Standard input has been put into a file elsewhere; its own headers are searched for here.
        if options.inputs.iter().any(|i| matches!(i, Input::File { path, .. } if path == Path::new("-"))) {
            words.extend(["-iquote".into(), ".".into()]);
        }
        words.extend(options.preprocess.iter().cloned());
        let row = language.dialect().row();
        words.extend(["-isystem".into(), self.include.join(row.headers).into()]);
        words.extend(["-isystem".into(), self.include.clone().into()]);
        if let Some(late) = row.late_headers {
            words.extend(["-idirafter".into(), self.include.join(late).into()]);
        }
        words
    }

    /// Returns the preprocessed text of a file; `depend` are the options for its dependences. With `hold`,
    /// the messages are returned too rather than shown to the user.
    pub fn preprocess(
        &self,
        options: &Options,
        path: &Path,
        language: Language,
        depend: &[OsString],
        hold: bool,
    ) -> Result<(Vec<u8>, Vec<u8>), Failure> {
        let common = options.common.iter().filter(|option| !keeps_macros(option));
        let mut command = self.preprocessor(options, language, common);
        command.args(depend).arg("-E").arg(path);
        self.show(&command);
        if self.dry {
            return Ok((Vec::new(), Vec::new()));
        }
        let stderr = if hold { Stdio::piped() } else { Stdio::inherit() };
        let output = command.stderr(stderr).output().map_err(|e| self.no_compiler(&e))?;
        if output.status.success() {
            return Ok((output.stdout, output.stderr));
        }
        base::say::error(format_args!("{}", String::from_utf8_lossy(&output.stderr)));
        Err(Failure::said())
    }

    /// Runs `-M` or `-MM`: the C compiler prints the dependences itself.
    pub fn depend(&self, options: &Options, path: &Path, language: Language) -> Result<(), Failure> {
        let mut command = self.preprocessor(options, language, options.common.iter());
        command.args(&options.depend).arg(path);
        if let Some(output) = &options.output {
            command.arg("-o").arg(output);
        }
        if self.run(command)? { Ok(()) } else { Err(Failure::said()) }
    }

    /// Compiles C that the front end has written, in a file of this name.
    pub fn compile(
        &self,
        options: &Options,
        Written { text, language, rewritten }: Written,
        c: &Path,
        output: &Path,
    ) -> Result<(), Failure> {
        std::fs::write(c, text).map_err(|e| format!("cannot write {}: {e}", c.display()))?;
        let mut command = self.command();
        command.args(["-x", "c"]);
        let old = old_c(language);
        command.args(old);
        if old.is_empty() && options.merges(language) {
            command.arg("-fcommon");
        }
        if language != Language::Id && matches!(options.stage, Stage::Object | Stage::Link) {
            // The name of the file that the front end has written is useless in debug information: it differs
            // each time.
            let work = c.parent().unwrap_or(Path::new("/")).to_string_lossy();
            command.args(LINES).arg(format!("-fdebug-prefix-map={work}=<meridian>"));
        }
        if rewritten {
            command.arg(WHOLE_LOOPS);
        }
        command.args(options.common.iter().filter(|option| !is_pedantic(option)));
        command.args(self.sanitizer(options));
        command.arg(SAID);
        if language == Language::SplitC && !options.common.iter().any(|option| option == NO_TYPE[0]) {
            command.arg(NO_TYPE[1]);
        }
        if options.fixed_address(language) {
            command.arg("-fno-pie");
        }
        if nests_deeply(text) && self.is_clang() {
            command.arg(BRACKETS);
        }
        command.arg("-isystem").arg(&self.include).arg(self.stage_word(options)).arg(c);
        if options.stage != Stage::Check {
            command.arg("-o").arg(output);
        }
        if self.run(command)? { Ok(()) } else { Err(Failure::said()) }
    }

    /// Compiles plain C as it is. Returns the compiler's messages if it failed. The dependences have been
    /// written by the preprocessor run, under the names that the user sees.
    pub fn compile_plain(
        &self,
        options: &Options,
        path: &Path,
        output: Option<&Path>,
    ) -> Result<Result<(), Vec<u8>>, Failure> {
        // The user's options come after this one.
        let merges = [OsString::from("-fcommon")];
        let merges = merges.iter().filter(|_| options.merges(Language::C));
        let mut command = self.preprocessor(options, Language::C, merges.chain(&options.common));
        command.args(self.sanitizer(options));
        if options.fixed_address(Language::C) {
            command.arg("-fno-pie");
        }
        command.arg(self.stage_word(options)).arg(path);
        if let Some(output) = output {
            command.arg("-o").arg(output);
        }
        self.show(&command);
        if self.dry {
            return Ok(Ok(()));
        }
        let output = command.stdout(Stdio::inherit()).output().map_err(|e| self.no_compiler(&e))?;
        if output.status.success() {
            base::say::error(format_args!("{}", String::from_utf8_lossy(&output.stderr)));
            return Ok(Ok(()));
        }
        Ok(Err(output.stderr))
    }

    /// Returns the options of `-fsanitize=pgas` for a compilation.
    fn sanitizer(&self, options: &Options) -> Vec<OsString> {
        if options.sanitize { sanitize::words(self.is_clang(), &self.include) } else { Vec::new() }
    }

    /// Whether the C compiler is clang; called only if that matters.
    fn is_clang(&self) -> bool {
        let version = self.command().arg("--version").stderr(Stdio::null()).output();
        version.is_ok_and(|output| output.stdout.windows(5).any(|word| word == b"clang"))
    }

    fn stage_word(&self, options: &Options) -> &'static str {
        match options.stage {
            Stage::Preprocess => "-E",
            Stage::Check => "-fsyntax-only",
            Stage::Assembly => "-S",
            _ => "-c",
        }
    }

    /// Compiles a source file in another language (assembly, C++, Fortran), with the stage's option.
    pub fn pass_through(&self, options: &Options, path: &Path, output: Option<&Path>) -> Result<(), Failure> {
        let mut command = self.command();
        command.args(&options.common).args(&options.preprocess).arg("-isystem").arg(&self.include);
        command.arg(self.stage_word(options)).arg(path);
        if let Some(output) = output {
            command.arg("-o").arg(output);
        }
        if self.run(command)? { Ok(()) } else { Err(Failure::said()) }
    }

    /// Returns the path of the script that tells gdb about Meridian's programs (`runtime/gdb/meridian.py`),
    /// as an entry of the section that gdb reads. The linker keeps one of equal entries.
    pub fn debugger_line(&self) -> String {
        let prefix = self.include.parent().unwrap_or(Path::new("/"));
        let script = prefix.join("share/gdb/auto-load/meridian/meridian.py");
        let path = script.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
        format!(
            "__asm__(\".pushsection .debug_gdb_scripts,\\\"MS\\\",@progbits,1\\n\\t.byte 1\\n\\t.asciz \\\"{}\\\"\\n\\t.popsection\");\n",
            path.replace('\\', "\\\\").replace('"', "\\\"")
        )
    }

    /// Returns the line at the head of each compiled file that records the path of the launcher.
    pub fn launcher_line(&self) -> String {
        let path = self.launcher.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
        format!("__attribute__((weak)) const char mer_launcher_path[] = \"{path}\";\n")
    }
}

/// Whether a command is Meridian's own.
fn is_meridian(command: &OsStr) -> bool {
    let text = command.to_string_lossy();
    let mut words = text.split_whitespace().map(|w| Path::new(w).file_name().unwrap_or_default());
    words.any(|name| name == "meridian" || name == "upcc")
}

/// Quotes a word for the shell.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Whether the option makes the preprocessor's output contain `#define` lines or go elsewhere: `-g3` keeps
/// macros for the debugger, which cannot use them in the C that the front end has written.
fn keeps_macros(option: &OsStr) -> bool {
    option.to_str().is_some_and(|o| o.starts_with("-g") || o.starts_with("-save-temps"))
}

/// Whether the option warns of extensions. The front end's C has line markers and other extensions, which are
/// not the user's concern.
fn is_pedantic(option: &OsStr) -> bool {
    ["-pedantic", "-pedantic-errors", "-Wpedantic"].iter().any(|o| option == *o)
}
