//! Small loops, each marked with the result of an optimisation, or with the reason why it must be left alone.
//!
//! `loops/PASS/` holds programs. The line on which a loop begins has the mark `//> PASS: what` if the loop
//! must be rewritten, and `//> not PASS: why` if it must not; the remark of the optimisation begins with
//! `what` or `why`. A loop that is rewritten without a mark is a fault too. The tests of the whole tool
//! (`tests/tests/optimisations.rs`) run the same programs with and without optimisation. Programs whose
//! macros take arguments are for those tests alone: nothing is preprocessed here.

mod common;

use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Declarations in the place of the headers, whose functions the loops call.
const DECLARATIONS: &str = "extern int printf(const char *, ...);
extern int abs(int);
void barrier(void);
void all_store_sync(void);
shared void *upc_all_alloc(unsigned long, unsigned long);
shared void *upc_alloc(unsigned long);
shared void *upc_global_alloc(unsigned long, unsigned long);
void upc_free(shared void *);
void upc_memget(void *, shared const void *, unsigned long);
void upc_memset(shared void *, int, unsigned long);
typedef shared struct upc_atomicdomain_struct upc_atomicdomain_t;
shared struct upc_atomicdomain_struct *upc_all_atomicdomain_alloc(unsigned long, unsigned long, int);
void upc_all_atomicdomain_free(shared struct upc_atomicdomain_struct *);
void upc_atomic_relaxed(upc_atomicdomain_t *, void *, unsigned long, shared void *, const void *, const void *);
typedef long int64_t;
enum { UPC_INT = 3, UPC_INT64 = 17, UPC_DOUBLE = 20 };
enum { UPC_ADD = 1, UPC_XOR = 16, UPC_GET = 65536, UPC_CSWAP = 262144, UPC_INC = 1048576 };
";

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/loops");
    let mut trials = Vec::new();
    for directory in entries(&root) {
        let pass = name(&directory);
        for file in entries(&directory).into_iter().filter(|file| !has_macros(file)) {
            let pass = pass.clone();
            let label = format!("{pass}/{}", name(&file));
            trials.push(Trial::test(label, move || check(&pass, &file).map_err(Failed::from)));
        }
    }
    for pass in opt::passes::PASSES {
        let directory = root.join(pass.id.0);
        trials.push(Trial::test(format!("{}: has loops", pass.id), move || {
            if entries(&directory).is_empty() { Err(Failed::from("no programs")) } else { Ok(()) }
        }));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    all.sort();
    all
}

/// Returns true if a program has macros with arguments.
fn has_macros(file: &Path) -> bool {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let mut macros = text.lines().filter_map(|line| line.strip_prefix("#define "));
    macros.any(|define| define.split(' ').next().is_some_and(|name| name.contains('(')))
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The requirement of a mark.
struct Mark {
    done: bool,
    says: String,
}

fn check(pass: &str, file: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let mut marks: HashMap<u32, Mark> = HashMap::new();
    for (line, text) in (1..).zip(text.lines()) {
        let Some((_, mark)) = text.split_once("//> ") else { continue };
        let (done, mark) = mark.strip_prefix("not ").map_or((true, mark), |mark| (false, mark));
        let says =
            mark.strip_prefix(&format!("{pass}: ")).ok_or(format!("line {line}: no mark of {pass}"))?;
        marks.insert(line, Mark { done, says: says.trim().to_owned() });
    }
    let mut wrong = String::new();
    let said = remarks(pass, file, &text)?;
    for (line, outcome) in &said {
        let Some(mark) = marks.get(line) else {
            if let Ok(what) = outcome {
                let _ = writeln!(wrong, "line {line}: without a mark: {what}");
            }
            continue;
        };
        let (done, says) = match outcome {
            Ok(what) => (true, what.as_str()),
            Err(why) => (false, *why),
        };
        if done != mark.done || !says.starts_with(&mark.says) {
            let not = if done { "" } else { "not done: " };
            let _ = writeln!(wrong, "line {line}: {not}{says}\n    marked: {}", mark.says);
        }
    }
    for (line, mark) in marks.iter().filter(|mark| !said.iter().any(|said| said.0 == *mark.0)) {
        let _ = writeln!(wrong, "line {line}: nothing is said; marked: {}", mark.says);
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

/// Returns the remarks of an optimisation on the loops of a program, by their lines.
#[allow(clippy::type_complexity)]
fn remarks(pass: &str, file: &Path, text: &str) -> Result<Vec<(u32, Result<String, &'static str>)>, String> {
    let dialect = match file.extension().and_then(|e| e.to_str()) {
        Some("sc") => c_syntax::Language::SplitC,
        _ => c_syntax::Language::Upc,
    };
    let source = base::Source::new(preprocessed(dialect, text));
    let mut tree = common::tree(dialect, &source)?;
    opt::by_value(&mut tree);
    opt::optimise(&mut tree);
    let of_pass = tree.remarks.into_iter().filter(|remark| remark.pass.0 == pass);
    Ok(of_pass
        .map(|remark| (source.presumed(remark.begins).line, remark.outcome.map_err(|why| why.text())))
        .collect())
}

/// Returns the program as a preprocessor would: declarations for the headers, constants for `#define`s of one
/// word.
fn preprocessed(dialect: c_syntax::Language, text: &str) -> String {
    let wanted = |line: &&str| dialect == c_syntax::Language::Upc || !line.contains("shared");
    let mut out = String::from("# 1 \"declarations.h\" 3\n");
    DECLARATIONS.lines().filter(wanted).for_each(|line| out += &format!("{line}\n"));
    out += "# 1 \"loops\"\n";
    let mut constants = Vec::new();
    for line in text.lines() {
        if let Some(define) = line.strip_prefix("#define ") {
            constants.extend(define.split_once(' '));
        }
        if line.starts_with("#include") || line.starts_with("#define") {
            out.push('\n');
            continue;
        }
        out += &expanded(line, &constants);
        out.push('\n');
    }
    out
}

/// A line with its constants in the place of their names, comments left out.
fn expanded(line: &str, constants: &[(&str, &str)]) -> String {
    let line = line.split("//> ").next().unwrap_or_default();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let length =
            if is_word(first) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let word = &rest[..length];
        out += constants.iter().find(|constant| constant.0 == word).map_or(word, |constant| constant.1);
        rest = &rest[length..];
    }
    out
}
