//! The code-blocks of a program, each a function with a choice of late parameters.

use crate::core::language::FuncId;
use std::collections::HashMap;

/// Code-blocks by number: the function, and which of its parameters are late.
#[derive(Default)]
pub struct Blocks {
    all: Vec<(FuncId, Vec<bool>)>,
    numbers: HashMap<(FuncId, Vec<bool>), usize>,
}

impl Blocks {
    /// The number of the code-block of a function with these late parameters.
    pub fn number(&mut self, func: FuncId, late: &[bool]) -> usize {
        let key = (func, late.to_vec());
        if let Some(&n) = self.numbers.get(&key) {
            return n;
        }
        self.all.push(key.clone());
        self.numbers.insert(key, self.all.len() - 1);
        self.all.len() - 1
    }

    /// The code-block of this number, if there is one.
    pub fn get(&self, number: usize) -> Option<&(FuncId, Vec<bool>)> {
        self.all.get(number)
    }

    /// The number of code-blocks.
    pub fn count(&self) -> usize {
        self.all.len()
    }
}

/// The late parameters for calls of functions as values: all that may be. `strict`: those that may not.
pub fn lenient(strict: &[bool]) -> Vec<bool> {
    strict.iter().map(|s| !s).collect()
}
