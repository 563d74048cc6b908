//! Shared by the tests: small sources in, messages out.

#![allow(dead_code)]

use base::{Diagnostic, Severity, Source};
use c_sema::{Env, Typed};
use c_syntax::ast::Unit;
use c_syntax::{Dialect, Language};

/// Twice the stack that the parser asks of its caller, in bytes.
const PARSER_STACK: usize = 128 << 20;

/// A checked source.
pub struct Checked {
    pub source: Source,
    pub unit: Unit,
    pub typed: Typed,
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses and checks a UPC source; `threads`: the number of threads in the static environment.
pub fn run(text: &str, threads: Option<u32>) -> Checked {
    run_as(Language::Upc, text, threads)
}

/// Parses and checks a source in another dialect.
pub fn run_as(language: Language, text: &str, threads: Option<u32>) -> Checked {
    let source = Source::new(text.to_owned());
    let (unit, mut diagnostics) = std::thread::scope(|scope| {
        let parse = || c_syntax::parse(&source, Dialect { language, gnu: true });
        let thread = std::thread::Builder::new().stack_size(PARSER_STACK).spawn_scoped(scope, parse).unwrap();
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    let env = Env { language, static_threads: threads, char_signed: true, ..Env::default() };
    let (typed, more) = c_sema::check(&unit, &source, env);
    diagnostics.extend(more);
    Checked { source, unit, typed, diagnostics }
}

impl Checked {
    /// All messages: for each the line `line:column: severity[code]: message`, and below it the label and the
    /// help.
    pub fn messages(&self) -> String {
        let mut out = String::new();
        for d in &self.diagnostics {
            let line = self.source.line_of(d.span.lo);
            let column = d.span.lo - self.source.line_span(line).lo + 1;
            let severity = if d.severity == Severity::Error { "error" } else { "warning" };
            out += &format!("{}:{column}: {severity}[{}]: {}", line + 1, d.code.code(), d.message);
            for part in [Some(&d.label), d.help.as_ref()].into_iter().flatten().filter(|p| !p.is_empty()) {
                out += &format!("\n    {part}");
            }
            out.push('\n');
        }
        out
    }
}

/// Messages in the dynamic environment.
pub fn dynamic(text: &str) -> String {
    run(text, None).messages()
}

/// Messages in the static environment of four threads.
pub fn fixed(text: &str) -> String {
    run(&text.replace("THREADS", "4"), Some(4)).messages()
}

/// Asserts that there are no messages in either environment.
#[track_caller]
pub fn accept(text: &str) {
    assert_eq!(dynamic(text), "", "dynamic environment:\n{text}");
    assert_eq!(fixed(text), "", "static environment:\n{text}");
}
