//! The target tree: the user's text and new text.

use base::Span;

/// A part of the output program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// The user's text, unchanged.
    Src(Span),
    /// New text, without line breaks.
    Text(String),
    /// New text on a separate line, so that the following text keeps the user's columns.
    Line(String),
    /// The following text replaces the user's text at this offset, and so has that text's line.
    At(u32),
    /// Pieces one after the other.
    Seq(Vec<Piece>),
    /// A piece in one line: line breaks, markers and pragmas in it become blanks.
    Flat(Box<Piece>),
    /// A copy of text that is also written at its own place: no C compiler warns of the copy.
    Copy(Box<Piece>),
}

impl Piece {
    /// New text.
    pub fn text(s: impl Into<String>) -> Piece {
        Piece::Text(s.into())
    }

    /// The empty piece.
    pub fn empty() -> Piece {
        Piece::Seq(Vec::new())
    }

    /// The piece in parentheses.
    pub fn paren(self) -> Piece {
        Piece::Seq(vec![Piece::text("("), self, Piece::text(")")])
    }

    /// The piece on one line.
    pub fn flat(self) -> Piece {
        match self {
            Piece::Flat(_) | Piece::Text(_) | Piece::Line(_) | Piece::At(_) => self,
            other => Piece::Flat(Box::new(other)),
        }
    }

    /// `name(args)`.
    pub fn call(name: &str, args: impl IntoIterator<Item = Piece>) -> Piece {
        let mut seq = vec![Piece::text(format!("{name}("))];
        for (n, arg) in args.into_iter().enumerate() {
            if n > 0 {
                seq.push(Piece::text(", "));
            }
            seq.push(arg);
        }
        seq.push(Piece::text(")"));
        Piece::Seq(seq)
    }
}

impl From<&str> for Piece {
    fn from(s: &str) -> Piece {
        Piece::text(s)
    }
}
impl From<String> for Piece {
    fn from(s: String) -> Piece {
        Piece::Text(s)
    }
}
impl From<Span> for Piece {
    fn from(s: Span) -> Piece {
        Piece::Src(s)
    }
}

/// Pieces, and values that convert to pieces, one after the other: `seq!["MER_MYTHREAD == ", expr]`.
#[macro_export]
macro_rules! seq {
    ($($part:expr),* $(,)?) => { $crate::Piece::Seq(vec![$($crate::Piece::from($part)),*]) };
}

/// The text of `span` with the parts in `changes` replaced. `changes` are inside `span`, in order and
/// disjoint.
pub fn splice(span: Span, changes: Vec<(Span, Piece)>) -> Piece {
    if changes.is_empty() {
        return Piece::Src(span);
    }
    let mut seq = Vec::with_capacity(changes.len() * 2 + 1);
    let mut at = span.lo;
    for (part, piece) in changes {
        debug_assert!(at <= part.lo && part.hi <= span.hi, "changes out of order: {part:?} in {span:?}");
        if part.lo > at {
            seq.push(Piece::Src(Span::new(at, part.lo)));
        }
        seq.push(Piece::At(part.lo));
        seq.push(piece);
        at = part.hi.max(at);
    }
    if span.hi > at {
        seq.push(Piece::Src(Span::new(at, span.hi)));
    }
    Piece::Seq(seq)
}
