//! A diagnostic: the error, its place, and advice.

use crate::{Code, Span};

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Printed on request; nothing is wrong.
    Remark,
    /// Printed, and compilation goes on.
    Warning,
    /// No object file is written.
    Error,
}

/// A message to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Row of the catalogue.
    pub code: Code,
    /// Error, warning or remark.
    pub severity: Severity,
    /// The message: one line, lower case, no full stop.
    pub message: String,
    /// The primary place.
    pub span: Span,
    /// The text under that place; may be empty.
    pub label: String,
    /// Other places, each with its text.
    pub labels: Vec<(Span, String)>,
    /// Lines after the picture: the clause of the standard, and consequences.
    pub notes: Vec<String>,
    /// Advice.
    pub help: Option<String>,
    /// Whether the code's clause is printed: not for a program in a language other than the standard's.
    pub clause: bool,
}

/// Whether there is an error among the diagnostics.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

impl Diagnostic {
    /// Makes an error at `span`.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            span,
            label: String::new(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
            clause: true,
        }
    }

    /// Makes a warning at `span`.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// Makes a remark at `span`.
    pub fn remark(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Remark, ..Diagnostic::error(code, span, message) }
    }

    /// Sets the text under the primary place.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    /// Adds another place.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push((span, text.into()));
        self
    }

    /// Adds a note.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Sets the advice.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}
