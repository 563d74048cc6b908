//! Threads → C for runtime/tam, as a tree (tam/c): which C functions and code-blocks a program needs, and
//! what they do. The program has been optimised before (passes), and the tree is printed afterwards, so that
//! nothing here is asked of a text.
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
use crate::tam::c::{Count, Declaration, Expr, Function, Head, Item, Name, Stmt, call, cast};
use crate::tam::strict;
use crate::tam::threads::Mode;
use base::{Source, Span};
use std::collections::{BTreeSet, HashMap};

/// The C of a program, as a tree: `mode` says how threads are made; with `counting` it counts the machine's
/// instructions; `launcher` is a line that names the launcher.
pub fn plan(program: &Program, source: &Source, mode: Mode, counting: bool, launcher: &str) -> Vec<Item> {
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
    let functions = e.functions();
    e.file(functions, main, launcher)
}

struct Emitter {
    /// How many functions the program has: others are what is left of one.
    written: usize,
    /// The code-blocks of closures, which are applied.
    applied: BTreeSet<usize>,
    /// By number: the descriptor of each code-block, without the last word.
    descriptors: Vec<Vec<Expr>>,
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
    /// All C functions that are called and all code-blocks that are begun; the making of one may want others.
    fn functions(&mut self) -> Vec<Item> {
        let (mut heads, mut bodies) = (Vec::new(), Vec::new());
        let (mut at, mut direct) = (0, 0);
        loop {
            if let Some(&func) = self.directs.get(direct) {
                heads.push(Item::Prototype(direct::prototype(&self.program, func, &self.views[func])));
                bodies.extend(self.direct(func));
                direct += 1;
            } else if let Some((func, late)) = self.blocks.get(at).cloned() {
                bodies.extend(self.code_block(at, func, &late));
                at += 1;
            } else {
                heads.extend(bodies);
                return heads;
            }
        }
    }

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
    fn descriptors(&self) -> Vec<Item> {
        let mut items = Vec::new();
        for (n, descriptor) in self.descriptors.iter().enumerate() {
            let Some(&(func, _)) = self.blocks.get(n) else { continue };
            let is_applied = self.program.funcs[func].results == 1 && self.applied.contains(&n);
            let mut descriptor = descriptor.clone();
            if is_applied && self.wanted[func] {
                items.push(Item::Function(self.wrapper(n, func)));
                descriptor.push(Name::Nth("w", n).into());
            } else {
                descriptor.push(0.into());
            }
            items.push(codeblock(n, Some(Expr::List(descriptor))));
        }
        items
    }

    /// The C function that takes its arguments as an array.
    fn wrapper(&self, block: usize, func: FuncId) -> Function {
        let count = self.program.funcs[func].params.len();
        let args: Vec<Expr> = (0..count).map(|p| Expr::from("a").at(p)).collect();
        let views = direct::new_views(&self.views[func], &args);
        let mut body = vec![cast("void", "a").into()];
        body.extend(direct::call_direct(&self.program, func, "join".into(), &args, views));
        body.push(Stmt::give("r"));
        let params = vec![("struct tam_join *", "join".into()), ("const tam_word *", "a".into())];
        let head = Head { result: "static struct tam_value", name: Name::Nth("w", block), params };
        Function { title: None, head, body }
    }

    /// The whole file.
    fn file(&self, functions: Vec<Item>, main: usize, launcher: &str) -> Vec<Item> {
        let mut items = self.beginning(launcher);
        items.extend((0..self.blocks.count()).map(|n| codeblock(n, None)));
        for (n, external) in self.program.externals.iter().enumerate() {
            items.extend(external.record(&self.source));
            items.extend(external.items(n));
        }
        items.extend(functions);
        items.extend(self.descriptors());
        items.extend(self.program_tables(main));
        let call = call!("tam_main", Expr::from("program").address(), "argc", "argv");
        let head = Head {
            result: "int",
            name: "main".into(),
            params: vec![("int", "argc".into()), ("char **", "argv".into())],
        };
        items.push(Item::Function(Function { title: None, head, body: vec![Stmt::give(call)] }));
        items
    }

    /// The lines before all declarations.
    fn beginning(&self, launcher: &str) -> Vec<Item> {
        let counting = self.counting.then_some("#define TAM_COUNT_INSTRUCTIONS");
        let lines = [
            // The C compiler follows arms that never run, where a constructor without fields is a cell's
            // address.
            "#if defined __GNUC__ && !defined __clang__",
            "#pragma GCC diagnostic ignored \"-Wstringop-overflow\"",
            "#pragma GCC diagnostic ignored \"-Warray-bounds\"",
            "#endif",
            "#include <meridian/tam.h>",
            launcher.trim_end(),
            "#pragma GCC diagnostic ignored \"-Wunused-label\"",
        ];
        counting.into_iter().chain(lines).map(|line| Item::Line(line.to_owned())).collect()
    }

    /// The tables of all code-blocks, places and strings, and the program that has them.
    fn program_tables(&self, main: usize) -> Vec<Item> {
        let count = self.blocks.count();
        let blocks = (0..count).map(words::codeblock).collect();
        let site = |(file, line): &(String, u32)| pair(file.as_bytes(), *line as usize);
        let mut texts: Vec<Expr> = self.program.texts.iter().map(|text| pair(text, text.len())).collect();
        texts.push(pair(b"", 0));
        let program = vec![
            "all_codeblocks".into(),
            count.into(),
            words::codeblock(main),
            "all_sites".into(),
            "all_texts".into(),
        ];
        let object = |ty, name: &'static str, count, list| {
            Item::Declare(Declaration { ty, name: name.into(), count, value: Some(Expr::List(list)) })
        };
        let sites = self.sites.iter().map(site).collect();
        vec![
            object("static const struct tam_codeblock *const", "all_codeblocks", Count::Listed, blocks),
            object("static const struct tam_site", "all_sites", Count::Listed, sites),
            object("static const struct tam_text", "all_texts", Count::Listed, texts),
            object("static const struct tam_program", "program", Count::One, program),
        ]
    }
}

/// The declaration of a code-block's descriptor, or its definition.
fn codeblock(number: usize, value: Option<Expr>) -> Item {
    let name = Name::Nth("cb", number);
    Item::Declare(Declaration { ty: "static const struct tam_codeblock", name, count: Count::One, value })
}

fn pair(text: &[u8], number: usize) -> Expr {
    Expr::List(vec![Expr::Text(text.to_vec()), number.into()])
}
