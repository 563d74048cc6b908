//! The stack, which grows with the nesting of a program's text.

/// What follows nesting of the program's text runs by way of this.
pub fn grown<T>(run: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(256 << 10, 8 << 20, run)
}
