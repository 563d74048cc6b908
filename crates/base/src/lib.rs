//! The basis of all components of the front end: the preprocessed text with its line map, spans in it, and
//! diagnostics. Nothing here knows a language.
//!
//! A [`Span`] is a range of bytes of the preprocessed text. That text is the output of the C compiler's
//! preprocessor for the user's files; [`Source`] reads its line markers and maps a span back to file, line
//! and column as the user wrote them ([`locate`]), through macros too. [`render`] prints a [`Diagnostic`] in
//! rustc's manner against the user's own lines.

mod align;
pub mod catalogue;
pub mod contract;
pub mod diagnostic;
pub mod locate;
pub mod programs;
pub mod render;
pub mod say;
pub mod scratch;
pub mod signals;
pub mod similar;
pub mod source;
pub mod span;
pub mod text;

pub use catalogue::Code;
pub use diagnostic::{Diagnostic, Severity, has_errors};
pub use locate::{Locator, Place};
pub use render::render;
pub use similar::similar;
pub use source::Source;
pub use span::Span;
