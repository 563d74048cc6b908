//! What is done to a program before its C functions are made, and in which order.
//!
//! Each pass keeps what a program gives and which reads wait for ever. What they change is how much is
//! called, made and read.

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

/// Tuples within tuples, that functions get and give, are taken apart up to this depth.
const ROUNDS: usize = 3;

/// The program, made faster. `by_functions`: most of it will be computed by C functions, for which the last
/// two passes are. The comment of a pass says what it *needs* of the passes before it, and what it *leaves*
/// to those after it and to the plan of the C (tam/plan).
pub fn optimise(program: &Program, by_functions: bool) -> Program {
    // Functions are made again for the closures that they get.
    // Leaves: calls in place of applications of these.
    let mut program = specialise::specialise(program);
    program.names.clear();
    // Reads of cells, bounds and elements that the function itself has made or stored become their values.
    // After each pass that puts bindings of several functions together.
    cells::forward(&mut program);
    for _ in 0..ROUNDS {
        // Functions give the fields of a cell in place of the cell.
        // Leaves: cells that callers make of the results, and often take apart at once.
        unbox::give(&mut program);
        // Functions get the fields of a cell in place of the cell.
        // Needs: cells that callers make themselves. Leaves: a level of nested cells for the next round.
        unbox::take(&mut program);
        // Parameters that are the same number in all calls become that number.
        // Needs: fields as parameters. Leaves: loops whose step, and perhaps first index, are numbers.
        constants::constants(&mut program);
        cells::forward(&mut program);
        // Calls of small functions become their bindings.
        // Needs: calls that were applications. Leaves: cells next to where they are taken apart.
        inline::inline(&mut program);
        cells::forward(&mut program);
    }
    // Loops that need each other's elements become one.
    // Needs: their calls in one block, by inlining; their steps as numbers.
    fuse::fuse(&mut program);
    // Loops of a few passes become these passes.
    // Needs: first and last index and step as numbers. Leaves: elements at fixed places, and small arrays
    // that are filled in line (tam/plan/function: boxes.rs, fresh.rs).
    unroll::unroll(&mut program);
    if by_functions {
        // Functions that give a cell with their own result in it become loops that fill cells.
        // Needs: cells that are left, since they are used as such. Leaves: calls at the functions' ends.
        tails::tails(&mut program);
        // Large functions are taken apart.
        // Needs: all other passes, which it would hinder. Leaves: functions that may have C functions
        // (tam/plan/eligible.rs).
        split::split(&mut program);
    }
    program
}
