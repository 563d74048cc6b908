//! Threads → C for runtime/tam.
//!
//! A function with a choice of late parameters is a code-block: a C function that runs a quantum, with its
//! threads as labels and the local continuation vector as an array. A value that only one thread uses is a
//! local variable, which the C compiler keeps in a register; others have a slot of the frame. A fork pushes
//! onto the local continuation vector, or first lowers the entry count; a read of what is here and present
//! is done in line and forks what it would post. With the optimisations a function also is a C function that
//! computes what it can at once (direct.rs), which calls and applications use first.

mod block;
mod direct;
pub mod external;
mod floats;
mod prim;
mod words;

use crate::core::calls;
use crate::core::language::{Func, FuncId, Program};
use crate::tam::blocks::{Blocks, lenient};
use crate::tam::strict;
use crate::tam::threads::Mode;
use base::{Source, Span};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

/// The C of a program: `mode` says how threads are made; with `counting` it counts the machine's
/// instructions; `launcher` is a line that names the launcher.
pub fn emit(program: &Program, source: &Source, mode: Mode, counting: bool, launcher: &str) -> String {
    let direct = mode == Mode::Tam;
    let strict = strict::analyse(program);
    let count = program.funcs.len();
    let mut e = Emitter {
        written: count,
        applied: BTreeSet::new(),
        descriptors: Vec::new(),
        able: if direct { direct::able(program) } else { vec![false; count] },
        recursive: direct::recursive(program),
        divides: direct::divides(program),
        views: if direct { direct::views(program) } else { vec![Default::default(); count] },
        wanted: vec![false; count],
        directs: Vec::new(),
        program: program.clone(),
        source: source.clone(),
        mode,
        strict,
        blocks: Blocks::default(),
        sites: vec![("<library>".into(), 0)],
        site_numbers: HashMap::new(),
        counting,
    };
    let main = e.block_for(program.main, &vec![false; program.funcs[program.main].params.len()]);
    let (mut bodies, mut heads) = (String::new(), String::new());
    let (mut at, mut direct) = (0, 0);
    loop {
        if let Some(&func) = e.directs.get(direct) {
            let _ = writeln!(heads, "{};", direct::prototype(&e.program, func, &e.views[func]));
            let body = e.direct(func);
            bodies.push_str(&body);
            direct += 1;
        } else if let Some((func, late)) = e.blocks.get(at).cloned() {
            let body = e.code_block(at, func, &late);
            bodies.push_str(&body);
            at += 1;
        } else {
            break;
        }
    }
    e.file(&heads, &bodies, main, launcher)
}

struct Emitter {
    /// How many functions the program has: others are what is left of one.
    written: usize,
    /// The code-blocks of closures, which are applied.
    applied: BTreeSet<usize>,
    /// By number: the descriptor of each code-block, without the last word.
    descriptors: Vec<String>,
    /// With functions that have been made of what is left of others.
    program: Program,
    source: Source,
    mode: Mode,
    strict: Vec<Vec<bool>>,
    blocks: Blocks,
    sites: Vec<(String, u32)>,
    site_numbers: HashMap<(u32, u32), usize>,
    /// Counts the machine's instructions.
    counting: bool,
    /// By function: whether it may have a C function, calls itself by way of others, and has a C function;
    /// those in order.
    able: Vec<bool>,
    recursive: Vec<bool>,
    /// By function: whether it, or that of which it is a rest, comes back to itself other than by a loop.
    divides: Vec<bool>,
    /// By function: the parameters whose views come with them.
    views: Vec<direct::Views>,
    wanted: Vec<bool>,
    directs: Vec<FuncId>,
}

impl Emitter {
    /// The number of the code-block of a function with these late parameters.
    fn block_for(&mut self, func: FuncId, late: &[bool]) -> usize {
        self.blocks.number(func, late)
    }

    /// Whether a function is called by its C function; `io`: by one that does input or output.
    fn calls_direct(&mut self, func: FuncId, io: bool) -> bool {
        if !self.able[func] || (self.program.funcs[func].io && !io) {
            return false;
        }
        if !std::mem::replace(&mut self.wanted[func], true) {
            self.directs.push(func);
        }
        true
    }

    /// The number of the code-block of a new function.
    fn rest_block(&mut self, func: Func, late: &[bool], of: FuncId) -> usize {
        self.divides.push(self.divides[of]);
        self.strict.push(vec![false; func.params.len()]);
        self.able.push(false);
        self.recursive.push(false);
        self.views.push(Default::default());
        self.wanted.push(false);
        self.program.funcs.push(func);
        self.block_for(self.program.funcs.len() - 1, late)
    }

    /// How what a code-block does can be shared out: of the bits of `struct tam_codeblock`.
    fn shares(&self, func: FuncId) -> usize {
        let callees = calls::callees(&self.program.funcs[func]);
        if func < self.written {
            let passes = self.able[func] && direct::passes(&self.program.funcs[func], func);
            return 2 * usize::from(passes) + 8 * usize::from(self.forks(func));
        }
        if !self.divides[func] {
            return 0;
        }
        1 + 4 * usize::from(!callees.is_empty()) + 8 * usize::from(callees.iter().any(|f| self.forks(*f)))
    }

    /// Whether a function comes back to itself and has more to do than that.
    fn forks(&self, func: FuncId) -> bool {
        self.divides[func] && calls::calls(&self.program.funcs[func]) > 1
    }

    /// That in which all parameters are late that may be: for calls of values.
    fn lenient_block(&mut self, func: FuncId) -> usize {
        let block = self.block_for(func, &lenient(&self.strict[func]));
        if self.applied.insert(block) {
            self.calls_direct(func, self.program.funcs[func].io);
        }
        block
    }

    /// Whether the code-block of a function runs seldom, since a C function does what can be done at once.
    fn seldom_runs(&self, func: FuncId) -> bool {
        self.mode == Mode::Tam && (func >= self.written || self.able[func])
    }

    /// The number of a place in the program's text.
    fn site(&mut self, span: Span) -> usize {
        let at = self.source.presumed(span.lo);
        if let Some(&n) = self.site_numbers.get(&(at.file, at.line)) {
            return n;
        }
        let mut file = self.source.file(at.file).to_string_lossy().into_owned();
        if span.lo < self.program.user_from
            && let Some(name) = crate::syntax::library::function_at(at.line)
        {
            file = format!("{file} ({name})");
        }
        self.sites.push((file, at.line));
        self.site_numbers.insert((at.file, at.line), self.sites.len() - 1);
        self.sites.len() - 1
    }

    /// The descriptors, and the C functions for applications, which take their arguments as an array.
    fn descriptors(&self, out: &mut String) {
        for (n, descriptor) in self.descriptors.iter().enumerate() {
            let Some(&(func, _)) = self.blocks.get(n) else { continue };
            let f = &self.program.funcs[func];
            let mut wrapper = "0".to_owned();
            if f.results == 1 && self.wanted[func] && self.applied.contains(&n) {
                let args: Vec<String> = (0..f.params.len()).map(|p| format!("a[{p}]")).collect();
                let views = direct::new_views(&self.views[func], &args);
                let call = direct::call_text(&self.program, func, "join", &args, &views);
                let head = format!("static struct tam_value w{n}(struct tam_join *join, const tam_word *a)");
                let _ = writeln!(out, "{head} {{\n    (void)a;\n    {call}\n    return r;\n}}");
                wrapper = format!("w{n}");
            }
            let _ = writeln!(out, "{descriptor},{wrapper}}};");
        }
    }

    fn file(&self, heads: &str, bodies: &str, main: usize, launcher: &str) -> String {
        let mut out = String::new();
        if self.counting {
            out.push_str("#define TAM_COUNT_INSTRUCTIONS\n");
        }
        // The C compiler follows arms that never run, where a constructor without fields is a cell's address.
        out.push_str("#if defined __GNUC__ && !defined __clang__\n");
        out.push_str("#pragma GCC diagnostic ignored \"-Wstringop-overflow\"\n");
        out.push_str("#pragma GCC diagnostic ignored \"-Warray-bounds\"\n#endif\n");
        out.push_str("#include <meridian/tam.h>\n");
        out.push_str(launcher);
        out.push_str("#pragma GCC diagnostic ignored \"-Wunused-label\"\n");
        for n in 0..self.blocks.count() {
            let _ = writeln!(out, "static const struct tam_codeblock cb{n};");
        }
        for (n, external) in self.program.externals.iter().enumerate() {
            out.push_str(&external.record(&self.source));
            out.push_str(&external.text(n));
        }
        out.push_str(heads);
        out.push_str(bodies);
        self.descriptors(&mut out);
        out.push_str("static const struct tam_codeblock *const all_codeblocks[] = {");
        for n in 0..self.blocks.count() {
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
        let count = self.blocks.count();
        let _ = write!(
            out,
            "{{\"\",0}}}};\nstatic const struct tam_program program = \
             {{all_codeblocks,{count},&cb{main},all_sites,all_texts}};\n\
             int main(int argc, char **argv) {{ return tam_main(&program, argc, argv); }}\n"
        );
        out
    }
}
