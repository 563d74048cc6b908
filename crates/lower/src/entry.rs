//! The entry of a Split-C or AC program: `splitc_main`, or `main`.
//!
//! Both run on a stack that all processors can address (`runtime/start/everything.c`). The unit that defines
//! `splitc_main` also defines the `main` that calls it there. A `main` of the user calls itself again there,
//! so that the debugger and the C compiler see it unchanged. A program without either has no `main`, as in C.

use crate::Changes;
use crate::program::Program;
use base::Span;
use c_sema::types::{IntKind, Ty};
use c_syntax::Language;
use c_syntax::ast::*;
use emit::build::{block, declare, if_else, statement};
use emit::{Piece, call, seq};

/// Whether a definition is an entry, and which.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    /// Not one of these.
    No,
    /// `splitc_main`; its status counts if it returns an int. Old programs then leave out the `return`.
    SplitC { int: bool },
    /// `main`.
    Main { int: bool },
    /// `void main` of UPC.
    VoidMain,
}

/// Which entry the function that `declarator` defines is.
pub(crate) fn entry(program: &Program, at_file: bool, declarator: DeclaratorId) -> Entry {
    if !at_file {
        return Entry::No;
    }
    let name = program.unit.declarators[declarator].name.as_ref().map(|n| &*n.text);
    match (name, gives_int(program, declarator)) {
        (Some("main"), false) if !program.everything() && gives_nothing(program, declarator) => {
            Entry::VoidMain
        }
        _ if !program.everything() => Entry::No,
        (Some("main"), int) => Entry::Main { int },
        // AC programs may begin as Split-C's do.
        (Some(name), int) if name == Language::SplitC.row().entry => Entry::SplitC { int },
        _ => Entry::No,
    }
}

fn gives_int(program: &Program, declarator: DeclaratorId) -> bool {
    let types = &program.typed.types;
    match types.of(program.typed.declarator_ty(declarator)) {
        Ty::Function(f) => matches!(types.of(f.ret), Ty::Int(IntKind::Int)),
        _ => false,
    }
}

fn gives_nothing(program: &Program, declarator: DeclaratorId) -> bool {
    let types = &program.typed.types;
    matches!(types.of(program.typed.declarator_ty(declarator)), Ty::Function(f) if types.is_void(f.ret))
}

/// Before `void main`, whose status would be the value of some register: defines a `main` for the linker
/// that calls it and returns 0.
pub(crate) fn define_status(program: &Program, d: DeclId, declarator: DeclaratorId, changes: &mut Changes) {
    let q = program.typed.declarator_ty(declarator);
    let declared = program.declare_text(q, "main".into());
    let given = match program.typed.types.of(q) {
        Ty::Function(f) => f.params.len().min(3),
        _ => 0,
    };
    let call = ["mer_argc_", "(void *)mer_argv_", "(void *)mer_envp_"][..given].join(", ");
    let head = "int mer_main_(int mer_argc_, char **mer_argv_, char **mer_envp_)";
    let lo = program.unit.decls[d].span.lo;
    // As if in a system header: warnings about such a main are reported for the user's own line.
    let lines = format!(
        "# 1 \"<meridian>\" 3\n{declared} __asm__(\"mer_void_main\"); {head} __asm__(\"main\"); \
         {head} {{ main({call}); return 0; }}"
    );
    changes.push((Span::new(lo, lo), Piece::Line(lines)));
}

/// Before `splitc_main`: defines `main`.
pub(crate) fn define_main(
    program: &Program,
    d: DeclId,
    declarator: DeclaratorId,
    int: bool,
    changes: &mut Changes,
) {
    let declared = program.declare_text(program.typed.declarator_ty(declarator), "splitc_main".into());
    let call = "mer_everything_run((int (*)(int, char **, char **))(void (*)(void))splitc_main, \
                mer_argc_, mer_argv_, mer_envp_)";
    let result = if int { format!("return {call};") } else { format!("{call}; return 0;") };
    let lo = program.unit.decls[d].span.lo;
    let main = "int main(int mer_argc_, char **mer_argv_, char **mer_envp_)";
    changes.push((Span::new(lo, lo), Piece::Line(format!("{declared}; {main} {{ {result} }}"))));
}

/// The offset where statements may begin in the body of a function: after the declarations of its labels,
/// which C compilers accept only at the beginning of a block.
pub(crate) fn begin(program: &Program, body: StmtId) -> u32 {
    let stmts = &program.unit.stmts;
    let items: &[StmtId] = if let StmtKind::Compound(items) = &stmts[body].kind { items } else { &[] };
    let labels = items.iter().take_while(|&&s| {
        matches!(stmts[s].kind, StmtKind::Opaque)
            && program.text(stmts[s].span).trim_start().starts_with("__label__")
    });
    labels.last().map_or(stmts[body].span.lo + 1, |&s| stmts[s].span.hi)
}

/// At the beginning of the body of `main`: calls it again on the other stack.
pub(crate) fn enter_main(program: &Program, body: StmtId, int: bool, changes: &mut Changes) {
    let begin = begin(program, body);
    let main = "(int (*)(int, char **, char **))(void (*)(void))main";
    changes.push((
        Span::new(begin, begin),
        if int {
            let again = call!["mer_everything_main"; main, "&mer_status_"];
            let give = statement("return mer_status_");
            seq![" ", block([declare("int mer_status_", None), if_else(again, give, None)])]
        } else {
            seq![" ", statement(call!["mer_everything_main"; main, "0"])]
        },
    ));
}

/// At the end of the body of `splitc_main`: the status of an old program, which returns none.
pub(crate) fn end_program(program: &Program, body: StmtId, changes: &mut Changes) {
    let end = program.unit.stmts[body].span.hi - 1;
    changes.push((Span::new(end, end), " return 0; ".into()));
}
