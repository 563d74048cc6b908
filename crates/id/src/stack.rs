//! The stack, which grows with the nesting of a program's text.

/// Runs a step of a recursion that follows the nesting of the program's text, on a new piece of stack if the
/// present one is almost used up.
pub fn with_stack<T>(run: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(256 << 10, 8 << 20, run)
}
