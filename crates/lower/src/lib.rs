//! From the typed tree to C over `meridian/abi/abi.h`.
//!
//! Lowering is a list of changes to the user's text: text that does not concern shared memory is not in the
//! list and is passed on unchanged. [`program`] answers questions about the program, and [`touched`] whether
//! an expression needs any change. [`edit`] walks text that keeps its form, and notes the changes in it;
//! [`Lower`] makes the text that replaces other text. Each construct's methods of these are in the file of
//! that construct: [`decl`] declarations, [`describe`] their descriptions for debuggers, [`automatic`] spread
//! and dist objects of a block, [`length`] lengths of arrays, [`init`] static initialisers, [`expr`] values,
//! [`place`] the places of shared objects, [`access`] reads and writes of them, [`aliasing`] those of parts
//! of unions, [`bit_field`] those of bit-fields, [`update`] their updates, [`pointer`] arithmetic and
//! conversions, [`size`] the sizeof family, [`call`] library functions that become inline code, [`stmt`]
//! statements, [`forall`] shared-out loops, [`nodes`] the nodes that optimisations have put into the tree,
//! [`made`] the names of their variables, and statements without a text of their own, [`ty`] types as C text,
//! [`global`] accesses through pointers of Split-C and AC, [`entry`] the entries of their programs.
//!
//! Precondition: the checks reported no error. Then lowering cannot fail.

mod access;
mod aliasing;
mod asm;
mod automatic;
mod bit_field;
mod call;
mod constant_address;
mod decl;
mod declarator;
mod describe;
mod early;
mod edit;
mod entry;
mod expr;
mod forall;
mod global;
mod init;
mod length;
mod made;
mod nodes;
mod observed;
mod place;
mod pointer;
mod primitives;
mod program;
mod size;
mod stmt;
mod touched;
mod ty;
mod update;

pub use describe::describe;

use crate::program::Program;
use base::{Source, Span};
use c_syntax::Language;
use emit::build::{declare, initializer};
use emit::{Piece, splice};
use opt::Tree;
use opt::tree::Hosts;

/// Parts of the user's text with their replacements; in order of the text, not overlapping.
pub(crate) type Changes = Vec<(Span, Piece)>;

/// Forms of the C text, by options of the command line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Form {
    /// Uninitialised definitions of several files are one object.
    pub merges: bool,
    /// Debuggers get the targets of pointers-to-shared.
    pub debug: bool,
    /// `-fsanitize=pgas`: writes are done so that each is instrumented.
    pub observed: bool,
}

/// The program as pieces. `merges`: uninitialised definitions of several files are one object. `debug`:
/// pointers-to-shared are declared so that a debugger knows their targets.
pub fn lower(tree: &Tree, source: &Source, form: Form) -> Piece {
    let program = Program::new(tree, source, form);
    let mut lower = Lower {
        program: &program,
        fresh: tree.vars,
        controlling: 0,
        hosts: Hosts::Unknown,
        seldom: false,
        function: 0,
        gives_status: false,
        in_front: Vec::new(),
        in_type_name: false,
        in_record: false,
    };
    let mut changes = Changes::new();
    for &item in &tree.unit.items {
        let span = tree.unit.decls[item].span;
        if program.in_prologue(span) {
            changes.push((span, Piece::empty()));
        } else {
            lower.edit(&mut changes).decl(item);
        }
    }
    Piece::Seq(vec![program.pointer_typedefs(), splice(Span::new(0, source.text.len() as u32), changes)])
}

/// The text before the user's text. `file` names the unit for messages at start.
pub fn prologue(language: Language, static_threads: Option<u32>, file: &str) -> String {
    let mut out = String::new();
    if let Some(threads) = static_threads {
        out.push_str(&format!("#define MER_STATIC_THREADS {threads}\n"));
    }
    // The text was preprocessed once; names that gnu17 predefines must keep the user's meaning.
    out.push_str("#include <meridian/abi/abi.h>\n#undef linux\n#undef unix\n#undef i386\n");
    if language.everything() {
        out.push_str("#include <meridian/everything.h>\n");
    }
    out.push_str(SAID);
    if language == Language::SplitC {
        out.push_str(OLD_DECLARATIONS);
    }
    if language == Language::Ac {
        out.push_str(FENCES);
    }
    out.push_str(&format!("MER_UNIT(\"{}\");\n", escape(file)));
    let (symbol, threads) = (fixed_symbol(language), static_threads.unwrap_or(0));
    out.push_str(&format!("__asm__(\".set {symbol}{threads}, {threads}\");\n"));
    out
}

/// The beginning of a symbol that each file has. After it comes the number of threads that the file is
/// compiled for, or 0: the linking driver compares the numbers of all files.
pub fn fixed_symbol(language: Language) -> &'static str {
    if language.everything() { "mer_fixed_procs_" } else { "mer_fixed_threads_" }
}

/// The front end has reported functions that are declared otherwise than the C compiler knows them. A pragma,
/// because clang does not know the option.
const SAID: &str = "\
#ifndef __clang__
#pragma GCC diagnostic ignored \"-Wbuiltin-declaration-mismatch\"
#endif
";

/// Old programs declare `char *malloc();` or call `exit` undeclared. And their `extern inline` needs a
/// definition if nothing is inlined, which every file that has it may then give.
const OLD_DECLARATIONS: &str = "\
#ifdef __clang__
#pragma clang diagnostic ignored \"-Wincompatible-library-redeclaration\"
#endif
#ifdef __OPTIMIZE__
#define MER_EXTERN_INLINE extern __inline__
#else
#define MER_EXTERN_INLINE __attribute__((weak))
#endif
";

/// AC's writes are relaxed, and its fences are the C compiler's, which do not complete messages.
const FENCES: &str = "#define __atomic_thread_fence(order) (mer_remote_fence(), __atomic_thread_fence(order))\n\
    #define __sync_synchronize() (mer_remote_fence(), __sync_synchronize())\n";

/// A record that start-up finds in the section named after its type.
pub(crate) fn start_record(ty: &str, name: &str, values: impl IntoIterator<Item = String>) -> Piece {
    let declared = format!(" static const struct {ty} {name} MER_RECORD(\"{ty}\")");
    declare(declared, Some(initializer(values.into_iter().map(Piece::Text))))
}

/// Escapes a text for a C string literal.
pub(crate) fn escape(text: &str) -> String {
    text.chars()
        .flat_map(|c| match c {
            '"' | '\\' => vec!['\\', c],
            '\n' => vec!['\\', 'n'],
            c => vec![c],
        })
        .collect()
}

/// The state of lowering one translation unit.
pub(crate) struct Lower<'a> {
    pub(crate) program: &'a Program<'a>,
    /// Number of the next made-up name.
    fresh: u32,
    /// The number of upc_foralls with an affinity around the present statement, in this function.
    controlling: u32,
    /// The knowledge of other hosts at the present statement.
    hosts: Hosts,
    /// Accesses are calls, out of line: in a loop that runs seldom, or whose time is that of messages.
    seldom: bool,
    /// Depth of function bodies: 0 is file scope.
    function: u32,
    /// In a function whose `return;` returns the program's status 0.
    gives_status: bool,
    /// Lines for file scope before the present function.
    in_front: Vec<Piece>,
    /// Inside a type name that keeps its form.
    in_type_name: bool,
    /// Inside a struct's members.
    in_record: bool,
}

impl Lower<'_> {
    /// A name that no program has.
    pub(crate) fn fresh(&mut self, what: &str) -> String {
        self.fresh += 1;
        format!("mer_{what}{}", self.fresh)
    }
}
