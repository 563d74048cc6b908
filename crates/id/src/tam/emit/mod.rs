//! Makes C for runtime/tam from a plan, as a tree (tam/c). The plan (tam/plan) has decided which C functions
//! and code-blocks there are, and how each operation is done; tam/c/print.rs prints the tree.
//!
//! A function with a choice of late parameters is a code-block: a C function that runs a quantum, with its
//! threads as labels and the local continuation vector as an array. A value that only one thread uses is a
//! local variable, which the C compiler keeps in a register; others have a slot of the frame. A fork pushes a
//! thread onto the local continuation vector, at once or when its entry count reaches zero. A read of an
//! element that is here and full is done in line, and forks the threads that the answer would enable. With
//! the optimisations a function also is a C function that computes at once as much as possible
//! (tam/plan/function.rs); calls and applications use it first.

mod block;
mod direct;
pub mod external;
mod prim;
mod words;

use crate::core::language::FuncId;
use crate::tam::c::{Count, Declaration, Expr, Function, Head, Item, Name, Stmt, call, cast};
use crate::tam::plan::{Piece, Plan};
use base::{Source, Span};
use std::collections::HashMap;

/// The C of a plan, as a tree: with `counting` it counts the machine's instructions; `launcher` is a line
/// that names the launcher.
pub fn emit(plan: &Plan, source: &Source, counting: bool, launcher: &str) -> Vec<Item> {
    let mut e = Emitter {
        plan,
        source,
        counting,
        descriptors: Vec::new(),
        sites: vec![("<library>".into(), 0)],
        site_numbers: HashMap::new(),
    };
    let functions = e.functions();
    e.file(functions, launcher)
}

struct Emitter<'p> {
    plan: &'p Plan,
    source: &'p Source,
    /// Counts the machine's instructions.
    counting: bool,
    /// By number: the descriptor of each code-block, without the last word.
    descriptors: Vec<Vec<Expr>>,
    /// The positions that messages name.
    sites: Vec<(String, u32)>,
    site_numbers: HashMap<(u32, u32), usize>,
}

impl Emitter<'_> {
    /// All C functions and code-blocks, after the prototypes of the C functions.
    fn functions(&mut self) -> Vec<Item> {
        let (mut heads, mut bodies) = (Vec::new(), Vec::new());
        let plan = self.plan;
        for piece in &plan.pieces {
            match piece {
                Piece::Function(f) => {
                    heads.push(Item::Prototype(direct::prototype(plan, f.func)));
                    bodies.extend(self.direct(f));
                }
                Piece::Block(b) => bodies.extend(self.code_block(b)),
            }
        }
        heads.extend(bodies);
        heads
    }

    /// The number of a place in the program's text.
    fn site(&mut self, span: Span) -> usize {
        let at = self.source.presumed(span.lo);
        if let Some(&n) = self.site_numbers.get(&(at.file, at.line)) {
            return n;
        }
        let mut file = self.source.file(at.file).to_string_lossy().into_owned();
        if span.lo < self.plan.program.user_from
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
            let Some(&(func, _)) = self.plan.blocks.get(n) else { continue };
            let mut descriptor = descriptor.clone();
            if self.plan.is_applied(n, func) && self.plan.has_function(func) {
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
        let count = self.plan.program.funcs[func].params.len();
        let args: Vec<Expr> = (0..count).map(|p| Expr::from("a").at(p)).collect();
        let views = direct::new_views(self.plan, func, &args);
        let mut body = vec![cast("void", "a").into()];
        body.extend(direct::call_direct(self.plan, func, "join".into(), &args, views));
        body.push(Stmt::give("r"));
        let params = vec![("struct tam_join *", "join".into()), ("const tam_word *", "a".into())];
        let head = Head { result: "static struct tam_value", name: Name::Nth("w", block), params };
        Function { title: None, head, body }
    }

    /// The whole file.
    fn file(&self, functions: Vec<Item>, launcher: &str) -> Vec<Item> {
        let mut items = self.beginning(launcher);
        items.extend((0..self.plan.blocks.count()).map(|n| codeblock(n, None)));
        for (n, external) in self.plan.program.externals.iter().enumerate() {
            items.extend(external.record(self.source));
            items.extend(external.items(n));
        }
        items.extend(functions);
        items.extend(self.descriptors());
        items.extend(self.program_tables());
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
        let unit = self.unit();
        let lines = [
            // The C compiler follows arms that never run, which take a constructor without fields for a
            // cell's address.
            "#if defined __GNUC__ && !defined __clang__",
            "#pragma GCC diagnostic ignored \"-Wstringop-overflow\"",
            "#pragma GCC diagnostic ignored \"-Warray-bounds\"",
            "#endif",
            "#include <meridian/abi/tam.h>",
            &unit,
            launcher.trim_end(),
            "#pragma GCC diagnostic ignored \"-Wunused-label\"",
        ];
        counting.into_iter().chain(lines).map(|line| Item::Line(line.to_owned())).collect()
    }

    /// The record of the unit (abi.h), under the name of the first file of the program's own.
    fn unit(&self) -> String {
        let own = self.sites.iter().map(|(file, _)| file.as_str()).find(|file| !file.starts_with('<'));
        let file = own.unwrap_or("<library>").replace('\\', "\\\\").replace('"', "\\\"");
        format!("MER_UNIT_OF(\"{file}\", MER_ANY_THREADS);")
    }

    /// The tables of all code-blocks, positions and strings, and the program record that refers to them.
    fn program_tables(&self) -> Vec<Item> {
        let count = self.plan.blocks.count();
        let blocks = (0..count).map(words::codeblock).collect();
        let site = |(file, line): &(String, u32)| pair(file.as_bytes(), *line as usize);
        let mut texts: Vec<Expr> =
            self.plan.program.texts.iter().map(|text| pair(text, text.len())).collect();
        texts.push(pair(b"", 0));
        let program = vec![
            "all_codeblocks".into(),
            count.into(),
            words::codeblock(self.plan.main),
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
