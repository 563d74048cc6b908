//! Threads → C for runtime/tam.
//!
//! A function with a choice of late parameters is a code-block: a C function that runs a quantum, with its
//! threads as labels and the local continuation vector as an array. A value that only one thread uses is a
//! local variable, which the C compiler keeps in a register; others have a slot of the frame. A fork pushes
//! onto the local continuation vector, or first lowers the entry count; a read of what is here and present
//! is done in line and forks what it would post.

mod block;
mod dump;
mod prim;
mod words;

use crate::core::{FuncId, Program};
use crate::strict;
use crate::threads::Mode;
use base::{Source, Span};
use std::collections::HashMap;
use std::fmt::Write;

/// What to write instead of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dump {
    /// The dataflow graphs.
    Graph,
    /// The threads, with their entry counts.
    Threads,
}

/// The C of a program. `launcher`: a line that names the launcher. With `dump`, a description instead.
pub fn emit(program: &Program, source: &Source, mode: Mode, launcher: &str, dump: Option<Dump>) -> String {
    let strict = strict::analyse(program);
    let mut e = Emitter {
        program,
        source,
        mode,
        strict,
        blocks: Vec::new(),
        numbers: HashMap::new(),
        sites: vec![("<library>".into(), 0)],
        site_numbers: HashMap::new(),
        dump,
    };
    let main = e.block_for(program.main, &vec![false; program.funcs[program.main].params.len()]);
    let mut bodies = String::new();
    let mut at = 0;
    while at < e.blocks.len() {
        let (func, late) = e.blocks[at].clone();
        let body = e.code_block(at, func, &late);
        bodies.push_str(&body);
        at += 1;
    }
    if dump.is_some() {
        return bodies;
    }
    e.file(&bodies, main, launcher)
}

struct Emitter<'a> {
    program: &'a Program,
    source: &'a Source,
    mode: Mode,
    strict: Vec<Vec<bool>>,
    /// Code-blocks by number: the function, and which of its parameters are late.
    blocks: Vec<(FuncId, Vec<bool>)>,
    numbers: HashMap<(FuncId, Vec<bool>), usize>,
    sites: Vec<(String, u32)>,
    site_numbers: HashMap<(u32, u32), usize>,
    dump: Option<Dump>,
}

impl Emitter<'_> {
    /// The number of the code-block of a function with these late parameters.
    fn block_for(&mut self, func: FuncId, late: &[bool]) -> usize {
        let key = (func, late.to_vec());
        if let Some(&n) = self.numbers.get(&key) {
            return n;
        }
        self.blocks.push(key.clone());
        self.numbers.insert(key, self.blocks.len() - 1);
        self.blocks.len() - 1
    }

    /// That in which all parameters are late that may be: for calls of values.
    fn lenient_block(&mut self, func: FuncId) -> usize {
        let late: Vec<bool> = self.strict[func].iter().map(|s| !s).collect();
        self.block_for(func, &late)
    }

    /// The number of a place in the program's text.
    fn site(&mut self, span: Span) -> usize {
        let at = self.source.presumed(span.lo);
        if let Some(&n) = self.site_numbers.get(&(at.file, at.line)) {
            return n;
        }
        self.sites.push((self.source.file(at.file).to_string_lossy().into_owned(), at.line));
        self.site_numbers.insert((at.file, at.line), self.sites.len() - 1);
        self.sites.len() - 1
    }

    fn file(&self, bodies: &str, main: usize, launcher: &str) -> String {
        let mut out = String::new();
        out.push_str("#include <meridian/tam.h>\n");
        out.push_str(launcher);
        out.push_str("#pragma GCC diagnostic ignored \"-Wunused-label\"\n");
        for n in 0..self.blocks.len() {
            let _ = writeln!(out, "static const struct tam_codeblock cb{n};");
        }
        out.push_str(bodies);
        out.push_str("static const struct tam_codeblock *const all_codeblocks[] = {");
        for n in 0..self.blocks.len() {
            let _ = write!(out, "&cb{n},");
        }
        out.push_str("};\nstatic const struct tam_site all_sites[] = {");
        for (file, line) in &self.sites {
            let _ = write!(out, "{{{},{line}}},", words::quoted(file.as_bytes()));
        }
        out.push_str("};\nstatic const struct tam_text all_texts[] = {");
        for text in &self.program.texts {
            let _ = write!(out, "{{{},{}}},", words::quoted(text), text.len());
        }
        let count = self.blocks.len();
        let _ = write!(
            out,
            "{{\"\",0}}}};\nstatic const struct tam_program program = \
             {{all_codeblocks,{count},&cb{main},all_sites,all_texts}};\n\
             int main(int argc, char **argv) {{ return tam_main(&program, argc, argv); }}\n"
        );
        out
    }
}
