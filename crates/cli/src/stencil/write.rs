//! Writes the module for marked functions.

use std::fmt::Write;

use super::function::{Function, Module};
use super::source::{Piece, pieces};

/// The most columns of a line; Fortran allows 132.
const COLUMNS: usize = 110;

pub fn module(functions: &[Function], stem: &str) -> String {
    let mut name: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert_str(0, "of_"); // a name begins with a letter
    }
    let mut out = String::new();
    line(
        &mut out,
        0,
        &format!("! Written by `meridian stencil` from {stem}: kernels of distributed arrays."),
    );
    line(&mut out, 0, &format!("module {name}_stencils"));
    line(&mut out, 1, "use, intrinsic :: iso_c_binding");
    line(&mut out, 1, &format!("use meridian_arrays, only: {}", names(functions).join(", ")));
    line(&mut out, 1, "implicit none");
    line(&mut out, 1, "private");
    for function in functions {
        line(&mut out, 1, &format!("public :: {}_kernel", function.name));
    }
    line(&mut out, 0, "contains");
    for function in functions {
        kernel(&mut out, function);
        tile(&mut out, function);
        run(&mut out, function);
    }
    line(&mut out, 0, &format!("end module {name}_stencils"));
    out
}

/// Returns the names that the module needs of `meridian_arrays`; other names of it may be the program's own.
fn names(functions: &[Function]) -> Vec<&str> {
    let mut names = vec!["mer_kernel", "mer_tile"];
    for piece in functions.iter().flat_map(|function| pieces(&function.kind)) {
        match piece {
            Piece::Word(word) if word.starts_with("mer_") && !names.contains(&word) => names.push(word),
            _ => {}
        }
    }
    names
}

/// Writes a line at a depth, continued if it is long; with `&` at both ends the cut may be anywhere.
fn line(out: &mut String, depth: usize, text: &str) {
    let indent = "    ".repeat(depth);
    let mut rest = text;
    let mut joined = "";
    while rest.chars().count() > COLUMNS {
        let at = rest.char_indices().nth(COLUMNS).map_or(rest.len(), |(at, _)| at);
        let _ = writeln!(out, "{indent}{joined}{}&", &rest[..at]);
        rest = &rest[at..];
        joined = "&";
    }
    let _ = writeln!(out, "{indent}{joined}{rest}");
}

/// Writes the function that returns the argument of `create_stencil`.
fn kernel(out: &mut String, f: &Function) {
    let name = &f.name;
    let radius: Vec<String> = f.radius.iter().map(i64::to_string).collect();
    line(out, 0, "");
    line(out, 1, &format!("function {name}_kernel() result(mer_where)"));
    uses(out, f);
    line(out, 2, "type(c_ptr) :: mer_where");
    line(out, 2, "type(mer_kernel), save, target :: mer_one");
    let letters = name.len() + 1;
    line(out, 2, &format!("character(kind=c_char, len={letters}), save, target :: mer_name"));
    line(out, 2, &format!("mer_name = '{name}' // c_null_char"));
    line(out, 2, "mer_one%name = c_loc(mer_name)");
    line(out, 2, &format!("mer_one%tile = c_funloc({name}_tile)"));
    line(out, 2, &format!("mer_one%kind = {}", f.kind));
    line(out, 2, &format!("mer_one%rank = {}", f.radius.len()));
    line(out, 2, &format!("mer_one%radius(1:{}) = [{}]", f.radius.len(), radius.join(", ")));
    line(out, 2, &format!("mer_one%old = {}", i32::from(f.old)));
    line(out, 2, "mer_where = c_loc(mer_one)");
    line(out, 1, "end function");
}

/// Writes the routine that C calls: it makes arrays of the addresses; the subgrid's begins with the first
/// element that a tile reads.
fn tile(out: &mut String, f: &Function) {
    let (name, rank) = (&f.name, f.radius.len());
    let radius: Vec<String> = f.radius.iter().map(i64::to_string).collect();
    line(out, 0, "");
    line(out, 1, &format!("subroutine {name}_tile(mer_out, mer_in, mer_steps, mer_at, mer_context) bind(c)"));
    uses(out, f);
    line(out, 2, "type(c_ptr), value :: mer_out, mer_in, mer_context");
    line(out, 2, "integer(c_intptr_t), intent(in) :: mer_steps(*)");
    line(out, 2, "type(mer_tile), intent(in) :: mer_at");
    line(out, 2, &format!("{}, pointer, contiguous :: mer_to(:), mer_from(:)", f.declared));
    line(out, 2, "integer(c_intptr_t) :: mer_first, mer_reach, mer_all");
    line(out, 2, "if (c_associated(mer_context) .and. mer_at%n == 0) return");
    line(out, 2, &format!("mer_reach = sum(abs(mer_steps(1:{rank})) * [{}])", radius.join(", ")));
    line(out, 2, "mer_all = mer_at%n + max(mer_at%rows - 1, 0_c_long) * mer_at%next");
    line(out, 2, "call c_f_pointer(mer_out, mer_to, [mer_all])");
    line(out, 2, "mer_first = transfer(mer_in, mer_first) - mer_reach * (storage_size(mer_to) / 8)");
    line(out, 2, "call c_f_pointer(transfer(mer_first, mer_in), mer_from, [mer_all + 2 * mer_reach])");
    line(
        out,
        2,
        &format!("call {name}_run(mer_to, mer_from, mer_reach, mer_at%n, mer_at%rows, mer_at%next, &"),
    );
    line(out, 3, &format!("mer_steps(1:{rank}))"));
    line(out, 1, "end subroutine");
}

/// Writes the loops. The arrays are dummy arguments, so that the compiler may assume that they do not
/// overlap.
fn run(out: &mut String, f: &Function) {
    let (name, rank) = (&f.name, f.radius.len());
    line(out, 0, "");
    line(
        out,
        1,
        &format!("subroutine {name}_run(mer_to, mer_from, mer_reach, mer_n, mer_rows, mer_next, mer_s)"),
    );
    uses(out, f);
    line(out, 2, "integer(c_intptr_t), intent(in) :: mer_reach, mer_next");
    line(out, 2, &format!("integer(c_intptr_t), intent(in) :: mer_s({rank})"));
    line(out, 2, "integer(c_long), intent(in) :: mer_n, mer_rows");
    line(out, 2, &format!("{}, intent(inout) :: mer_to(0:*)", f.declared));
    line(out, 2, &format!("{}, intent(in) :: mer_from(-mer_reach:*)", f.declared));
    line(out, 2, "integer(c_intptr_t) :: mer_j");
    line(out, 2, "do mer_j = 0, mer_rows - 1");
    line(
        out,
        3,
        &format!("call {name}_row(mer_to(mer_j * mer_next), mer_from(mer_j * mer_next - mer_reach))"),
    );
    line(out, 2, "end do");
    line(out, 1, "contains");
    line(out, 2, &format!("subroutine {name}_row(mer_v, mer_u)"));
    line(out, 3, &format!("{}, intent(inout) :: mer_v(0:*)", f.declared));
    line(out, 3, &format!("{}, intent(in) :: mer_u(-mer_reach:*)", f.declared));
    line(out, 3, "integer(c_intptr_t) :: mer_i");
    let declarations: Vec<&String> =
        f.declarations.iter().filter(|d| !is_use(d) && !is_constant(d)).collect();
    let anew = declarations.iter().any(|declaration| begins_anew(declaration));
    if !anew {
        declarations.iter().for_each(|declaration| line(out, 3, declaration));
    }
    line(out, 3, "do mer_i = 0, mer_n - 1");
    if anew {
        line(out, 4, "block");
        declarations.iter().for_each(|declaration| line(out, 4, declaration));
    }
    for statement in &f.body {
        line(out, 4, statement);
    }
    line(out, 4, &format!("mer_v(mer_i) = {}", f.result));
    if anew {
        line(out, 4, "end block");
    }
    line(out, 3, "end do");
    line(out, 2, "end subroutine");
    line(out, 1, "end subroutine");
}

/// Writes the `use` statements and constants for the function's names. Each procedure has its own: modules of
/// a source may have a name in common.
fn uses(out: &mut String, f: &Function) {
    if let Some(Module { name, uses }) = &f.module {
        uses.iter().for_each(|used| line(out, 2, used));
        line(out, 2, &format!("use {name}"));
    }
    f.declarations.iter().filter(|d| is_use(d)).for_each(|used| line(out, 2, used));
    f.declarations.iter().filter(|d| is_constant(d)).for_each(|constant| line(out, 2, constant));
}

fn is_constant(declaration: &str) -> bool {
    let lower = declaration.to_ascii_lowercase();
    lower.split_once("::").is_some_and(|(kind, _)| pieces(kind).contains(&Piece::Word("parameter")))
}

/// Whether variables of this declaration have a defined state when the function begins: allocatable ones are
/// not allocated, and a type's components may have first values. They are declared for each element.
fn begins_anew(declaration: &str) -> bool {
    let lower = declaration.to_ascii_lowercase();
    let words: Vec<Piece<'_>> = pieces(&lower);
    words.first() == Some(&Piece::Word("type")) || words.contains(&Piece::Word("allocatable"))
}

fn is_use(declaration: &str) -> bool {
    let lower = declaration.to_ascii_lowercase();
    lower.starts_with("use ") || lower.starts_with("use,")
}
