//! The compilation of one file.

use crate::options::{Language, Options, Stage};
use crate::toolchain::Written;
use crate::{Failure, Pipeline, diagnose, open_strings};
use base::{Source, Span, text};
use c_syntax::Dialect;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes of stack for the front end: it follows deep nesting by recursion.
const STACK: usize = 256 << 20;

/// Compiles one file as far as the options say. Returns the object file for the linker, if there is one.
pub fn compile(
    pipeline: Pipeline,
    n: usize,
    path: &Path,
    language: Language,
) -> Result<Option<PathBuf>, Failure> {
    let Pipeline { options, tools, work } = pipeline;
    let named = path;
    let copies = deep(work);
    let stdin = copies.join("stdin.c");
    let path = if path == Path::new("-") { from_stdin(&stdin)? } else { path };
    check_readable(path)?;
    if options.sanitize && matches!(language, Language::SplitC | Language::Ac) {
        return Err(format!(
            "{}: -fsanitize=pgas is for UPC programs and their C files; in Split-C and AC all memory of a \
             processor is shared, and it cannot tell which accesses to observe",
            named.display()
        )
        .into());
    }
    if options.only_depend {
        return tools.depend(options, path, language).map(|()| None);
    }
    let output = output_name(options, named, work, n);
    let mut depend = dependences(options, named, &output);
    let copy = copies.join(format!("{n}-closed.sc"));
    let path = if language == Language::SplitC && closed(options, named, path, &copy)? {
        if !depend.is_empty() {
            tools.preprocess(options, path, language, &depend, true)?;
        }
        depend = vec!["-iquote".into(), path.parent().unwrap_or(Path::new("")).join(".").into()];
        &copy
    } else {
        path
    };
    if options.stage == Stage::Preprocess {
        let (bytes, _) = tools.preprocess(options, path, language, &depend, false)?;
        return write_out(options, &bytes).map(|()| None);
    }
    // A file of C alone is preprocessed again when it is compiled, and its warnings should appear once.
    let hold = language == Language::C;
    let (bytes, said) = match language {
        Language::PreprocessedUpc => {
            (std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?, Vec::new())
        }
        _ => tools.preprocess(options, path, language, &depend, hold)?,
    };
    let source = Source::new(text::decode(bytes));
    if language == Language::C
        && !matches!(options.stage, Stage::EmitC | Stage::EmitTree)
        && !mentions_upc(&source.text)
    {
        return plain_c(pipeline, path, &output, source);
    }
    base::say::error(format_args!("{}", String::from_utf8_lossy(&said)));
    let Some((c, rewritten)) = front_end(pipeline, source, named, language)? else {
        return Err(Failure::said());
    };
    if matches!(options.stage, Stage::EmitC | Stage::EmitTree) {
        return write_out(options, &text::encode(&c)).map(|()| None);
    }
    let c_file = work.join(format!("{n}-{}.c", stem(named)));
    let written = Written { text: &text::encode(&c), language, rewritten };
    tools.compile(options, written, &c_file, &output)?;
    Ok(Some(output).filter(|_| options.stage == Stage::Link))
}

/// Returns the directory of copies of sources: so deep in the command's own directory that an include by
/// `"../header.h"`, which C compilers search for relative to the copy first, finds no file of another user.
fn deep(work: &Path) -> PathBuf {
    const LEVELS: usize = 32;
    (0..LEVELS).fold(work.to_path_buf(), |path, _| path.join("d"))
}

/// Writes a copy of a source.
fn write_deep(to: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let directory = to.parent().expect("a file in a directory");
    let written = std::fs::create_dir_all(directory).and_then(|()| std::fs::write(to, bytes));
    written.map_err(|e| format!("cannot write {}: {e}", to.display()).into())
}

/// Writes standard input to a file, which keeps the name that C compilers give it.
fn from_stdin(to: &Path) -> Result<&Path, Failure> {
    let mut bytes = b"#line 1 \"<stdin>\"\n".to_vec();
    std::io::stdin().read_to_end(&mut bytes).map_err(|e| format!("cannot read standard input: {e}"))?;
    write_deep(to, &bytes)?;
    Ok(to)
}

/// If strings of a file continue over the ends of their lines: warns, and writes the file with closed ones to
/// `copy`, which keeps the file's name in line markers. Returns false if there are none.
fn closed(options: &Options, named: &Path, path: &Path, copy: &Path) -> Result<bool, Failure> {
    let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let text = text::decode(bytes);
    let Some((closed, mut said)) = open_strings::close(&text) else { return Ok(false) };
    // Standard input has its marker already.
    let marker = if named == path {
        format!("#line 1 \"{}\"\n", path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\""))
    } else {
        String::new()
    };
    write_deep(copy, &text::encode(&format!("{marker}{closed}")))?;
    for d in &mut said {
        d.span = Span::new(d.span.lo + marker.len() as u32, d.span.hi + marker.len() as u32);
    }
    if diagnose::report(said, &Source::new(marker + &text), options) {
        return Err(Failure::said());
    }
    Ok(true)
}

/// Checks a file before the C compiler reads it, to give a clear error.
fn check_readable(path: &Path) -> Result<(), Failure> {
    let shown = path.display();
    let mut file = std::fs::File::open(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => format!("{shown}: there is no such file"),
        std::io::ErrorKind::PermissionDenied => format!("{shown}: no permission to read it"),
        _ => format!("{shown}: {e}"),
    })?;
    if path.is_dir() {
        return Err(format!("{shown}: is a directory").into());
    }
    let mut head = [0; 4096];
    let n = file.read(&mut head).map_err(|e| format!("{shown}: {e}"))?;
    if head[..n].contains(&0) {
        return Err(format!("{shown}: is not a source file: it holds binary data").into());
    }
    Ok(())
}

/// Whether the text has words that only a UPC program has. Line markers do not count: a C library has a
/// `thread-shared-types.h`.
fn mentions_upc(text: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.lines().filter(|line| !line.starts_with("# ")).flat_map(|line| line.split(|c: char| !word(c))).any(
        |w| matches!(w, "shared" | "THREADS" | "MYTHREAD") || (w.starts_with("upc_") && !w.contains("__")),
    )
}

/// Compiles a file of C alone: the C compiler gets it as it is. If it refuses the file, the front end is
/// asked first for errors.
fn plain_c(
    Pipeline { options, tools, .. }: Pipeline,
    path: &Path,
    output: &Path,
    source: Source,
) -> Result<Option<PathBuf>, Failure> {
    let to = (options.stage != Stage::Check).then_some(output);
    let Err(said) = tools.compile_plain(options, path, to)? else {
        return Ok(Some(output.to_owned()).filter(|_| options.stage == Stage::Link));
    };
    let dialect = Dialect { language: c_syntax::Language::C, gnu: !options.strict_c };
    if !on_big_stack(|| {
        let (_, _, diagnostics) = analyse(&source, dialect, options);
        diagnose::report(diagnostics, &source, options)
    })? {
        base::say::error(format_args!("{}", String::from_utf8_lossy(&said)));
    }
    Err(Failure::said())
}

/// Parses and checks. The checks run on an incomplete tree too, so that one run shows as many errors as
/// possible.
fn analyse(
    source: &Source,
    dialect: Dialect,
    options: &Options,
) -> (c_syntax::ast::Unit, c_sema::Typed, Vec<base::Diagnostic>) {
    let (unit, mut diagnostics) = c_syntax::parse(source, dialect);
    c_sema::library::add_headers(&mut diagnostics, source, dialect.language);
    let mut env =
        c_sema::Env { language: dialect.language, static_threads: options.threads, ..c_sema::Env::default() };
    env.char_signed = options.char_signed.unwrap_or(env.char_signed);
    let (typed, more) = c_sema::check(&unit, source, env);
    diagnostics.extend(more);
    if !base::has_errors(&diagnostics) {
        diagnostics.extend(c_sema::check_threads(&unit, source, &typed));
    }
    (unit, typed, diagnostics)
}

/// Returns the C of a UPC, Split-C or AC file, and whether the optimiser has rewritten a loop of it; none if
/// errors have been reported.
fn front_end(
    Pipeline { options, tools, .. }: Pipeline,
    source: Source,
    path: &Path,
    language: Language,
) -> Result<Option<(String, bool)>, Failure> {
    on_big_stack(|| {
        let gnu = !options.strict_c;
        let (mut unit, mut typed, mut diagnostics) =
            analyse(&source, Dialect { language: language.dialect(), gnu }, options);
        // A file named as C may use `shared` as an identifier of its own.
        if language == Language::C && base::has_errors(&diagnostics) {
            let plain = analyse(&source, Dialect { language: c_syntax::Language::C, gnu }, options);
            if !base::has_errors(&plain.2) {
                (unit, typed, diagnostics) = plain;
            }
        }
        if diagnose::report(diagnostics, &source, options) {
            return None;
        }
        let mut tree = opt::Tree::new(unit, typed, &source);
        let optimise = options.optimise && language.dialect() != c_syntax::Language::C;
        if (optimise || options.stage == Stage::EmitTree) && !options.maps_coverage() {
            opt::prepare(&mut tree, &source);
        }
        if options.stage == Stage::EmitTree {
            return match opt::explain::explain(&mut tree, &source) {
                Ok(text) => Some((text, false)),
                Err(why) => {
                    base::say::error(format_args!("meridian cc: {why}\n"));
                    None
                }
            };
        }
        if optimise {
            opt::optimise(&mut tree);
        }
        if options.tell_communication {
            tell_communication(&tree, &source, options);
        }
        let program = lower::lower(
            &tree,
            &source,
            lower::Form {
                merges: options.merges(language),
                debug: options.debug(),
                observed: options.sanitize,
            },
        );
        let mut prologue =
            lower::prologue(tree.typed.types.language, options.threads, &path.to_string_lossy());
        prologue.push_str(&tools.launcher_line());
        if options.debug() {
            prologue.push_str(&tools.debugger_line());
        }
        let c = emit::write_marking(&source, &prologue, &program, !options.maps_coverage());
        let mut c = if language.dialect() == c_syntax::Language::Upc { without_pragmas(c) } else { c };
        if options.debug() || options.sanitize {
            c.push_str(&format!("\n#line 1 \"<meridian>\"\n{}", lower::describe(&tree)));
        }
        Some((c, tree.is_rewritten()))
    })
}

/// Prints the remarks of `-Rcommunication`.
fn tell_communication(tree: &opt::Tree, source: &Source, options: &Options) {
    if !options.optimise {
        base::say::error(format_args!(
            "meridian cc: -Rcommunication: communication is not optimised without -O1, -O2 or -O3\n"
        ));
        return;
    }
    let remark = |finding: opt::communication::Finding| {
        let remark = base::Diagnostic::remark(base::Code::Communication, finding.span, finding.message);
        match finding.help {
            Some(help) => remark.help(help),
            None => remark,
        }
    };
    let mut findings = opt::communication::communication(tree, source);
    // A function that is inlined at several calls repeats most findings.
    let mut said = std::collections::HashSet::new();
    findings.retain(|finding| {
        let (at, line) = (finding.span.lo, source.line_span(source.line_of(finding.span.lo)));
        let place = source.presumed(at);
        said.insert((place.file, place.line, at - line.lo, finding.message.clone()))
    });
    diagnose::report(findings.into_iter().map(remark).collect(), source, options);
}

/// Returns the C without `#pragma upc`, which has taken effect: C compilers warn of unknown pragmas. The
/// number of lines stays the same.
fn without_pragmas(c: String) -> String {
    if !c.contains("#pragma upc") {
        return c;
    }
    c.split_inclusive('\n').map(|line| if line.starts_with("#pragma upc") { "\n" } else { line }).collect()
}

pub(crate) fn on_big_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let thread = thread.map_err(|e| format!("cannot start a thread for the front end: {e}"))?;
        thread.join().map_err(|_| {
            Failure("the compiler has failed on this file, which is a fault of Meridian: please report the fault with the file".into())
        })
    })
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or("stdin".into(), |s| s.to_string_lossy().into_owned())
}

/// Returns the path of the result of compiling.
pub(crate) fn output_name(options: &Options, path: &Path, work: &Path, n: usize) -> PathBuf {
    let extension = if options.stage == Stage::Assembly { "s" } else { "o" };
    match (&options.output, options.stage) {
        (Some(output), Stage::Object | Stage::Assembly) => output.clone(),
        (_, Stage::Link) if options.counts() => {
            let program = options.output.clone().unwrap_or_else(|| PathBuf::from("a"));
            let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
            program.with_file_name(format!("{name}-{}.o", stem(path)))
        }
        (_, Stage::Link) => work.join(format!("{n}-{}.o", stem(path))),
        _ => PathBuf::from(format!("{}.{extension}", stem(path))),
    }
}

/// Returns the options of `-MD` and similar ones, with the names that gcc would have chosen by itself.
fn dependences(options: &Options, path: &Path, output: &Path) -> Vec<OsString> {
    let mut words = options.depend.clone();
    let has = |p: &str| words.iter().any(|w| w.to_string_lossy().starts_with(p));
    let wanted = words.iter().any(|w| w == "-MD" || w == "-MMD");
    if !wanted {
        return Vec::new();
    }
    let target = match options.stage {
        Stage::Link => options.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.o", stem(path)))),
        _ => output.to_owned(),
    };
    // For `-E -o x.i` the file is x.d, but the target is the object that compiling would make.
    let named = options.output.as_deref().filter(|_| options.stage == Stage::Preprocess).unwrap_or(&target);
    let (has_file, has_target) = (has("-MF"), has("-MT") || has("-MQ"));
    if !has_file {
        words.extend(["-MF".into(), named.with_extension("d").into()]);
    }
    if !has_target {
        words.extend(["-MQ".into(), target.into()]);
    }
    words
}

/// Writes to `-o`, or to standard output, which `-o -` names too.
pub(crate) fn write_out(options: &Options, bytes: &[u8]) -> Result<(), Failure> {
    use std::io::Write;
    if options.dry {
        return Ok(());
    }
    match options.output.as_deref().filter(|path| *path != Path::new("-")) {
        Some(path) => {
            std::fs::write(path, bytes).map_err(|e| format!("cannot write {}: {e}", path.display()).into())
        }
        None => std::io::stdout().write_all(bytes).and_then(|()| std::io::stdout().flush()).map_err(|e| {
            match e.kind() {
                std::io::ErrorKind::BrokenPipe => Failure::said(),
                _ => format!("cannot write to standard output: {}", base::say::why_not(&e)).into(),
            }
        }),
    }
}
