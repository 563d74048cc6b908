//! The effects of options that are more than arguments for one of the steps: each function is an entry of
//! `table`.

use super::{Format, Given, Input, Language, Options, Stage};
use crate::Failure;
use c_syntax::Language as Dialect;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The most threads of a job.
const MOST_THREADS: u32 = base::contract::MAX_THREADS as u32;

impl Options {
    pub(super) fn take_threads(&mut self, given: &Given) -> Result<(), Failure> {
        let (option, value) = (given.word.to_string_lossy(), given.text());
        // For gcc -T names a linker script, whose name has an extension, as in board.ld, and is no source.
        let extension = Path::new(&given.value).extension();
        let source = extension.is_some_and(|e| ["upc", "sc", "ac", "c", "id"].map(OsStr::new).contains(&e));
        let script = if given.apart {
            extension.is_some() && !source
        } else {
            !value.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        };
        if given.name == "-T" && script {
            self.inputs.extend(given.words().map(Input::Link));
            return Ok(());
        }
        let n: u32 = value.parse().map_err(|_| {
            Failure(format!(
                "{option}: the number of threads must be a whole number from 1 to {MOST_THREADS}, not `{value}`"
            ))
        })?;
        if n == 0 || n > MOST_THREADS {
            let range = format!("from 1 to {MOST_THREADS}");
            return Err(format!("{option}: the number of threads must be {range}, not {n}").into());
        }
        if let Some(before) = self.threads.filter(|&before| before != n) {
            return Err(format!(
                "contradictory options: {before} threads were asked for before, now `{option}` asks for {n}"
            )
            .into());
        }
        self.threads = Some(n);
        Ok(())
    }

    pub(super) fn take_id_threads(&mut self, given: &Given) -> Result<(), Failure> {
        self.id.mode = match given.name {
            "--threads=df" => id::Mode::Df,
            _ => id::Mode::Tam,
        };
        Ok(())
    }

    pub(super) fn take_counting(&mut self, _: &Given) -> Result<(), Failure> {
        self.id.counting = true;
        Ok(())
    }

    pub(super) fn take_dump(&mut self, given: &Given) -> Result<(), Failure> {
        match given.name {
            "--dump=graph" => self.id.dump = Some(id::Dump::Graph),
            "--dump=svg" => self.id.dump = Some(id::Dump::Svg),
            "--dump=threads" => self.id.dump = Some(id::Dump::Threads),
            _ => return self.go(Stage::EmitC),
        }
        Ok(())
    }

    pub(super) fn take_language(&mut self, given: &Given) -> Result<(), Failure> {
        self.forced = language_named(&given.text())?;
        Ok(())
    }

    pub(super) fn take_output(&mut self, given: &Given) -> Result<(), Failure> {
        self.output = Some((&given.value).into());
        Ok(())
    }

    pub(super) fn take_cc(&mut self, given: &Given) -> Result<(), Failure> {
        self.cc = Some(given.value.clone());
        Ok(())
    }

    pub(super) fn take_linker(&mut self, given: &Given) -> Result<(), Failure> {
        if given.text().trim().is_empty() {
            return Err("-link-with: the command that links is missing".into());
        }
        self.linker = Some(given.value.clone());
        Ok(())
    }

    pub(super) fn take_format(&mut self, given: &Given) -> Result<(), Failure> {
        self.format = Some(match &*given.text() {
            "text" => Format::Text,
            "line" => Format::Line,
            "sarif-stderr" | "sarif" => Format::SarifStderr,
            "sarif-file" => Format::SarifFile,
            other => {
                return Err(format!(
                    "-fdiagnostics-format={other}: the formats are text, line, sarif-stderr and sarif-file"
                )
                .into());
            }
        });
        Ok(())
    }

    pub(super) fn take_color(&mut self, given: &Given) -> Result<(), Failure> {
        self.color = match (given.name, &*given.text()) {
            ("-fno-diagnostics-color", _) | (_, "never") => Some(false),
            (_, "auto") => None,
            (_, "always" | "") => Some(true),
            (_, other) => {
                return Err(
                    format!("-fdiagnostics-color={other}: the choices are always, never and auto").into()
                );
            }
        };
        self.common.extend(given.words());
        Ok(())
    }

    pub(super) fn take_verbose(&mut self, _: &Given) -> Result<(), Failure> {
        self.verbose = true;
        Ok(())
    }

    pub(super) fn take_remarks(&mut self, _: &Given) -> Result<(), Failure> {
        self.tell_communication = true;
        Ok(())
    }

    pub(super) fn take_dry(&mut self, _: &Given) -> Result<(), Failure> {
        (self.verbose, self.dry) = (true, true);
        Ok(())
    }

    pub(super) fn take_optimise(&mut self, _: &Given) -> Result<(), Failure> {
        self.optimise = true;
        Ok(())
    }

    pub(super) fn take_save(&mut self, _: &Given) -> Result<(), Failure> {
        self.common.push("-save-temps".into());
        Ok(())
    }

    /// Reads the words of `-Wc,`, which are options as if they stood on the command line themselves.
    pub(super) fn take_words(&mut self, given: &Given) -> Result<(), Failure> {
        let text = given.text();
        let words = text.split([',', ' ', '\t']).filter(|word| !word.is_empty()).map(OsString::from);
        let mut words = words.collect::<Vec<_>>().into_iter();
        while let Some(word) = words.next() {
            self.word(word, &mut words)?;
        }
        Ok(())
    }

    pub(super) fn take_only_depend(&mut self, given: &Given) -> Result<(), Failure> {
        self.only_depend = true;
        self.depend.extend(given.words());
        Ok(())
    }

    pub(super) fn take_special(&mut self, given: &Given) -> Result<(), Failure> {
        self.special_link = true;
        let word = if given.name == "-static-pie" { "-static".into() } else { given.word.clone() };
        self.inputs.push(Input::Link(word));
        Ok(())
    }

    pub(super) fn take_pic(&mut self, given: &Given) -> Result<(), Failure> {
        self.pic = true;
        self.common.extend(given.words());
        Ok(())
    }

    pub(super) fn take_level(&mut self, given: &Given) -> Result<(), Failure> {
        self.optimise = given.value != "0";
        self.common.extend(given.words());
        Ok(())
    }

    pub(super) fn take_standard(&mut self, given: &Given) -> Result<(), Failure> {
        self.strict_c = !given.text().starts_with("gnu");
        self.common.extend(given.words());
        Ok(())
    }

    /// Whether a sanitizer of the C compiler's has been given.
    fn has_sanitizer(&self, name: &str) -> bool {
        let kinds = self.common.iter().filter_map(|word| word.to_str()?.strip_prefix("-fsanitize="));
        kinds.flat_map(|kinds| kinds.split(',')).any(|kind| kind == name)
    }

    /// Takes `pgas`, which is Meridian's, out of the list. Refuses the sanitizers whose own memory conflicts
    /// with a job's shared memory, which has the same address in all processes.
    pub(super) fn take_sanitizers(&mut self, given: &Given) -> Result<(), Failure> {
        let why = |kind: &str| match kind {
            "thread" => {
                Some("UPC threads are processes, whose accesses to each other's memory it does not see")
            }
            "memory" | "hwaddress" | "dataflow" => Some("valgrind finds uses of uninitialised memory"),
            _ => None,
        };
        let text = given.text();
        if let Some((kind, why)) = text.split(',').find_map(|kind| why(kind).map(|why| (kind, why))) {
            return Err(format!(
                "-fsanitize={kind}: its memory would lie where a job's shared memory has to; {why}. \
                 -fsanitize=pgas finds races between threads; address, undefined and leak work as in C"
            )
            .into());
        }
        let pgas = text.split(',').any(|kind| kind == "pgas");
        if (self.sanitize || pgas)
            && (self.has_sanitizer("address") || text.split(',').any(|kind| kind == "address"))
        {
            return Err(
                "-fsanitize=pgas and -fsanitize=address exclude each other: compile once with each".into()
            );
        }
        let others: Vec<&str> = text.split(',').filter(|kind| *kind != "pgas").collect();
        self.sanitize |= pgas;
        if !others.is_empty() {
            self.common.push(format!("-fsanitize={}", others.join(",")).into());
        }
        Ok(())
    }

    pub(super) fn take_char(&mut self, given: &Given) -> Result<(), Failure> {
        self.char_signed = Some(["-fsigned-char", "-fno-unsigned-char"].contains(&given.name));
        self.common.extend(given.words());
        Ok(())
    }

    /// Handles the options of warnings. C compilers do not know the warnings that only the front end has.
    pub(super) fn take_warning(&mut self, given: &Given) -> Result<(), Failure> {
        match given.name {
            "-w" => self.no_warnings = true,
            "-Werror" => self.warnings_are_errors = true,
            "-Wno-error" => self.warnings_are_errors = false,
            "-Werror=" => self.errors.push(given.text().into_owned()),
            _ => self.silenced.push(given.text().into_owned()),
        }
        let own = ["upc-", "split-phase", "string-over-lines"];
        let word = given.word.to_string_lossy();
        let named = word.strip_prefix("-Wno-").or_else(|| word.strip_prefix("-Werror="));
        let own = named.is_some_and(|name| own.iter().any(|start| name.starts_with(start)));
        if !own {
            self.common.extend(given.words());
        }
        Ok(())
    }

    pub(super) fn take_most_errors(&mut self, given: &Given) -> Result<(), Failure> {
        let text = given.text();
        let n = text.parse().map_err(|_| format!("-fmax-errors={text}: a number is expected"))?;
        self.most_errors = (n > 0).then_some(n);
        self.common.extend(given.words());
        Ok(())
    }

    pub(super) fn take_kind(&mut self, given: &Given) -> Result<(), Failure> {
        self.berkeley = given.name == "-bupc";
        self.gnu_arguments = !self.berkeley;
        Ok(())
    }
}

/// Returns the language of `-x name`; the inner option is none if the files' names decide again.
fn language_named(name: &str) -> Result<Option<Language>, Failure> {
    if let Some(dialect) = Dialect::of_option(name) {
        return Ok(Some(dialect.into()));
    }
    Ok(match name {
        "none" => None,
        "id" => Some(Language::Id),
        "upc-cpp-output" => Some(Language::PreprocessedUpc),
        "assembler" | "assembler-with-cpp" | "cpp-output" => Some(Language::Other),
        other => {
            return Err(format!(
                "-x {other}: the languages are upc, upc-cpp-output, split-c, ac, c, id, assembler and none"
            )
            .into());
        }
    })
}
