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
/// two passes are.
pub fn optimise(program: &Program, by_functions: bool) -> Program {
    let mut program = specialise::specialise(program);
    program.names.clear();
    cells::forward(&mut program);
    for _ in 0..ROUNDS {
        unbox::give(&mut program);
        unbox::take(&mut program);
        constants::constants(&mut program);
        cells::forward(&mut program);
        inline::inline(&mut program);
        cells::forward(&mut program);
    }
    fuse::fuse(&mut program);
    unroll::unroll(&mut program);
    if by_functions {
        tails::tails(&mut program);
        split::split(&mut program);
    }
    program
}
