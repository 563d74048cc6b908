//! What the processes of a simulated program do: a sequence of operations each, made when it is needed.
//!
//! Nothing is stored of a process but its place in the program, so that memory holds 16 million of them.

use crate::machine::Time;

/// An operation of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Computes for so long.
    Compute(Time),
    /// Sends a message, which the receiver takes by `Receive`; does not wait.
    Send {
        /// The receiver.
        to: u32,
        /// Its length.
        bytes: u64,
        /// By which it is told from others.
        tag: u32,
    },
    /// Waits for a message.
    Receive {
        /// The sender; `None`: whoever.
        from: Option<u32>,
        /// Its tag.
        tag: u32,
    },
    /// Writes memory of another process; does not wait.
    Put {
        /// Whose memory.
        to: u32,
        /// How much.
        bytes: u64,
    },
    /// Reads memory of another process; does not wait.
    Get {
        /// Whose memory.
        from: u32,
        /// How much.
        bytes: u64,
    },
    /// Waits until all puts and gets of this process are complete.
    Sync,
    /// Waits for a lock, which is kept by a process.
    Lock {
        /// Which keeps it.
        home: u32,
        /// Which lock of that process.
        lock: u32,
    },
    /// Lets the lock go; does not wait.
    Unlock {
        /// Which keeps it.
        home: u32,
        /// Which lock of that process.
        lock: u32,
    },
}

/// How deep repetitions nest, at most.
pub const NESTING: usize = 3;

/// A process's place in its program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// The statement of a model, or the operation of a trace.
    pub at: u32,
    /// The step within it.
    pub step: u32,
    /// How often each repetition around it is done already, the outermost first.
    pub turns: [u32; NESTING],
}

/// A program for a number of processes.
pub trait Program {
    /// How many processes there are.
    fn processes(&self) -> u32;
    /// The next operation of a process; `None` at its end. Depends on nothing but its arguments.
    fn next(&self, process: u32, cursor: &mut Cursor) -> Option<Op>;
    /// Where a process is, for messages: `line 7`, `operation 12`.
    fn place(&self, process: u32, cursor: &Cursor) -> String;
}
