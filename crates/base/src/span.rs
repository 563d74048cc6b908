//! A range of bytes of the preprocessed text.

/// Bytes `lo..hi` of a [`crate::Source`]'s text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub lo: u32,
    /// The byte after the last one.
    pub hi: u32,
}

impl Span {
    /// Returns the span of the bytes `lo..hi`.
    pub fn new(lo: u32, hi: u32) -> Span {
        Span { lo, hi }
    }

    /// Returns the smallest span that contains both.
    pub fn to(self, end: Span) -> Span {
        Span { lo: self.lo.min(end.lo), hi: self.hi.max(end.hi) }
    }

    /// Returns the bytes as an index range.
    pub fn range(self) -> std::ops::Range<usize> {
        self.lo as usize..self.hi as usize
    }
}
