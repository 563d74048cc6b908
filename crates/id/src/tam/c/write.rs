//! Writing the statements of a block one after another.

use super::Stmt;

/// A writer of the statements of a function.
pub trait Writer: Sized {
    /// The statements of the block that is being written.
    fn out(&mut self) -> &mut Vec<Stmt>;

    /// Adds a statement to the block.
    fn add(&mut self, stmt: impl Into<Stmt>) {
        self.out().push(stmt.into());
    }

    /// Returns the statements that `write` adds.
    fn inside(&mut self, write: impl FnOnce(&mut Self)) -> Vec<Stmt> {
        let before = std::mem::take(self.out());
        write(self);
        std::mem::replace(self.out(), before)
    }
}
