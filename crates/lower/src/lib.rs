//! From the typed tree to C over `meridian/abi.h`.
//!
//! Lowering is a list of changes to the user's text: whatever has nothing to do with shared memory is not
//! in the list and goes out as it came in. Each construct's change is in the file of that construct:
//! [`decl`] declarations, [`describe`] what debuggers are told of them, [`automatic`] spread and dist
//! objects of a block, [`length`] of arrays, [`init`] static initialisers, [`expr`] values, [`place`] where
//! shared objects lie, [`access`] reads and writes of them, [`bit_field`] those of bit-fields, [`pointer`]
//! arithmetic and conversions, [`size`] the sizeof family, [`call`] library functions that become inline
//! code, [`stmt`] statements, [`forall`] shared-out loops, [`nodes`] what optimisations have put into the
//! tree, [`made`] what their variables are called, and statements without a text of their own, [`ty`] types
//! as C text, [`global`] accesses through pointers of Split-C and AC, [`entry`] where their programs begin,
//! [`touched`] what needs any change.
//!
//! Precondition: the checks reported no error. Then lowering cannot fail.

mod access;
mod asm;
mod automatic;
mod bit_field;
mod call;
mod constant_address;
mod decl;
mod declarator;
mod describe;
mod early;
mod entry;
mod expr;
mod forall;
mod global;
mod init;
mod length;
mod made;
mod nodes;
mod place;
mod pointer;
mod primitives;
mod size;
mod stmt;
mod touched;
mod ty;

pub use describe::describe;

use base::{Source, Span};
use c_sema::Typed;
use c_syntax::Language;
use c_syntax::ast::{ExprId, Unit};
use emit::build::{declare, initializer};
use emit::{Piece, splice};
use opt::Tree;
use opt::tree::Hosts;
use std::collections::HashSet;

/// Parts of the user's text with what they become; in order of the text, apart from each other.
pub(crate) type Changes = Vec<(Span, Piece)>;

/// The program as pieces; `debug`: pointers-to-shared are declared so that a debugger knows their targets.
pub fn lower(tree: &Tree, source: &Source, merges: bool, debug: bool) -> Piece {
    let (unit, typed) = (&tree.unit, &tree.typed);
    let mut lower = Lower {
        tree,
        unit,
        typed,
        source,
        touched: vec![None; unit.exprs.len()],
        fresh: tree.vars,
        controlling: 0,
        hosts: Hosts::Unknown,
        seldom: false,
        function: 0,
        merges,
        debug,
        gives_status: false,
        kept_lengths: HashSet::new(),
        in_front: Vec::new(),
        in_type_name: false,
        in_record: false,
    };
    let mut changes = Changes::new();
    for &item in &unit.items {
        let span = unit.decls[item].span;
        if lower.in_prologue(span) {
            changes.push((span, Piece::empty()));
        } else {
            lower.decl(item, &mut changes);
        }
    }
    Piece::Seq(vec![lower.pointer_typedefs(), splice(Span::new(0, source.text.len() as u32), changes)])
}

/// What [`crate`] puts before the user's text. `file` names the unit for messages at start.
pub fn prologue(language: Language, static_threads: Option<u32>, file: &str) -> String {
    let mut out = String::new();
    if let Some(threads) = static_threads {
        out.push_str(&format!("#define MER_STATIC_THREADS {threads}\n"));
    }
    // The text was preprocessed once; names that gnu17 predefines must stay what the user made of them.
    out.push_str("#include <meridian/abi.h>\n#undef linux\n#undef unix\n#undef i386\n");
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

/// The beginning of a symbol of each file, which the number of threads follows that the file is compiled for,
/// or 0: whoever links it compares the numbers of all files.
pub fn fixed_symbol(language: Language) -> &'static str {
    if language.everything() { "mer_fixed_procs_" } else { "mer_fixed_threads_" }
}

/// `abi.h` and its parts.
const ABI_HEADERS: [&str; 9] = [
    "meridian/abi.h",
    "meridian/bytes.h",
    "meridian/rows.h",
    "meridian/access.h",
    "meridian/update.h",
    "meridian/early.h",
    "meridian/prefetch.h",
    "meridian/atomic.h",
    "meridian/forall.h",
];

/// The front end has said it where a function is declared otherwise than the C compiler knows it. A pragma,
/// since clang does not know the option.
const SAID: &str = "\
#ifndef __clang__
#pragma GCC diagnostic ignored \"-Wbuiltin-declaration-mismatch\"
#endif
";

/// Old programs declare `char *malloc();` or call `exit` undeclared; and their `extern inline` needs a
/// definition where nothing is inlined, which every file that has it may then give.
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

/// AC's writes are relaxed, and its fences are the C compiler's, which know nothing of messages.
const FENCES: &str = "#define __atomic_thread_fence(order) (mer_remote_fence(), __atomic_thread_fence(order))\n\
    #define __sync_synchronize() (mer_remote_fence(), __sync_synchronize())\n";

/// A record that start-up finds by the section of its type's name.
pub(crate) fn start_record(ty: &str, name: &str, values: impl IntoIterator<Item = String>) -> Piece {
    let declared = format!(" static const struct {ty} {name} MER_RECORD(\"{ty}\")");
    declare(declared, Some(initializer(values.into_iter().map(Piece::Text))))
}

/// For a C string literal.
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
    pub(crate) tree: &'a Tree,
    pub(crate) unit: &'a Unit,
    pub(crate) typed: &'a Typed,
    pub(crate) source: &'a Source,
    /// Memo of [`Lower::touched`].
    touched: Vec<Option<bool>>,
    /// Number of the next made-up name.
    fresh: u32,
    /// How many upc_foralls with an affinity enclose the statement at hand, in this function.
    controlling: u32,
    /// What is known of other hosts at the statement at hand.
    hosts: Hosts,
    /// Where accesses are calls: in a loop that runs seldom, or whose time is that of messages.
    seldom: bool,
    /// Depth of function bodies: 0 is file scope.
    function: u32,
    /// Whether what several files define without an initialiser is one object.
    merges: bool,
    /// Whether a debugger is told the targets of pointers-to-shared.
    debug: bool,
    /// In a function whose `return;` gives the program's status 0.
    gives_status: bool,
    /// The lengths that a constant of their own holds.
    kept_lengths: HashSet<ExprId>,
    /// Lines for file scope in front of the function at hand.
    in_front: Vec<Piece>,
    /// Inside a type name that keeps its form.
    in_type_name: bool,
    /// Whether it is a member that is being declared.
    in_record: bool,
}

impl Lower<'_> {
    /// A name that no program has.
    pub(crate) fn fresh(&mut self, what: &str) -> String {
        self.fresh += 1;
        format!("mer_{what}{}", self.fresh)
    }

    /// Whether the prologue brings what the user's text has here, by way of a header of Meridian's such as
    /// `am.h`.
    fn in_prologue(&self, span: Span) -> bool {
        let place = self.source.presumed(span.lo);
        let file = self.source.file(place.file);
        place.system && ABI_HEADERS.iter().any(|header| file.ends_with(header))
    }

    /// Whether this is Split-C or AC.
    pub(crate) fn everything(&self) -> bool {
        self.typed.types.language.everything()
    }

    /// The user's text of a span.
    pub(crate) fn text(&self, span: Span) -> &str {
        &self.source.text[span.range()]
    }
}
