//! Simulated programs: each process has a sequence of operations, which are computed when they are needed.
//!
//! Only a process's position in the program is stored, so that memory holds 16 million processes.

use crate::machine::Time;

/// An operation of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Computes for this time.
    Compute(Time),
    /// Sends a message, which the receiver takes by `Receive`; does not wait.
    Send {
        /// The receiver.
        to: u32,
        /// The length.
        bytes: u64,
        /// The tag by which `Receive` selects the message.
        tag: u32,
    },
    /// Waits for a message.
    Receive {
        /// The sender, or `None` for any.
        from: Option<u32>,
        /// The message's tag.
        tag: u32,
    },
    /// Writes memory of another process; does not wait.
    Put {
        /// The owner of the memory.
        to: u32,
        /// The length.
        bytes: u64,
    },
    /// Reads memory of another process; does not wait.
    Get {
        /// The owner of the memory.
        from: u32,
        /// The length.
        bytes: u64,
    },
    /// Waits until all puts and gets of this process are complete.
    Sync,
    /// Waits for a lock, which is kept by a process.
    Lock {
        /// The process that keeps the lock.
        home: u32,
        /// The lock's number at that process.
        lock: u32,
    },
    /// Releases the lock; does not wait.
    Unlock {
        /// The process that keeps the lock.
        home: u32,
        /// The lock's number at that process.
        lock: u32,
    },
}

/// The greatest depth of nested repetitions.
pub const NESTING: usize = 3;

/// A process's place in its program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// The statement of a model, or the operation of a trace.
    pub at: u32,
    /// The step within it.
    pub step: u32,
    /// The completed iterations of each repetition around it, the outermost first.
    pub turns: [u32; NESTING],
}

/// A program for a number of processes.
pub trait Program {
    /// The number of processes.
    fn processes(&self) -> u32;
    /// The next operation of a process; `None` at its end. Depends only on its arguments.
    fn next(&self, process: u32, cursor: &mut Cursor) -> Option<Op>;
    /// The position of a process, for messages: `line 7`, `operation 12`.
    fn place(&self, process: u32, cursor: &Cursor) -> String;
}
