//! The passes that optimise a program before its C functions are made, and their order.
//!
//! Each pass preserves the results of a program, and which reads wait for ever. Passes change the numbers of
//! calls, cells, arrays and reads.

pub(crate) mod blame;
mod cells;
mod common_subexpressions;
mod constants;
mod fuse;
mod inline;
pub(crate) mod simplify;
mod specialise;
mod split;
mod tails;
#[cfg(test)]
pub(crate) mod testing;
mod unbox;
mod unroll;

use crate::core::language::Program;

/// The depth up to which nested tuples that functions take and return are replaced by their fields.
const ROUNDS: usize = 3;

/// Optimises a program. `by_functions`: C functions will compute most of it; the last two passes serve these.
/// The comment of a pass names the forms that it *needs* from the passes before it, and those that it
/// *leaves* to the passes after it and to the plan of the C (tam/plan).
pub fn optimise(program: &Program, by_functions: bool) -> Program {
    // Copies functions for the closures that they get.
    // Leaves: calls in place of applications of these closures.
    let mut program = specialise::specialise(program);
    program.names.clear();
    // Replaces reads of cells, bounds and elements that the function itself has made or stored by the values.
    // Runs after each pass that brings bindings of several functions together.
    cells::forward(&mut program);
    for _ in 0..ROUNDS {
        // Makes functions return the fields of a cell in place of the cell.
        // Leaves: cells that callers make of the results, and often take apart at once.
        unbox::give(&mut program);
        // Makes functions take the fields of a cell in place of the cell.
        // Needs: cells that callers make themselves. Leaves: a level of nested cells for the next round.
        unbox::take(&mut program);
        // Replaces parameters that are the same number in all calls by that number.
        // Needs: fields as parameters. Leaves: loops whose step, and perhaps first index, are numbers.
        constants::constants(&mut program);
        cells::forward(&mut program);
        // Replaces calls of small functions by their bindings.
        // Needs: calls in place of applications. Leaves: cells in the function that takes them apart.
        inline::inline(&mut program);
        cells::forward(&mut program);
    }
    // Fuses loops that need each other's elements.
    // Needs: their calls in one block, by inlining; their steps as numbers.
    fuse::fuse(&mut program);
    // Unrolls loops of a few passes.
    // Needs: first and last index and step as numbers. Leaves: elements at constant indices, and small arrays
    // that are filled in line (tam/plan/function: boxes.rs, fresh.rs).
    unroll::unroll(&mut program);
    if by_functions {
        // Turns functions that return a cell with their own result in it into loops that fill cells.
        // Needs: only the cells that are used as such. Leaves: calls at the functions' ends.
        tails::tails(&mut program);
        // Splits large functions.
        // Needs: all other passes, which it would hinder. Leaves: functions that may have C functions
        // (tam/plan/eligible.rs).
        split::split(&mut program);
    }
    program
}
