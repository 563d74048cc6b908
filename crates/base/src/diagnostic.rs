//! A diagnostic: what is wrong, where, and what to do about it.

use crate::{Code, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Told because it was asked for; nothing is wrong.
    Remark,
    /// Said, and compilation goes on.
    Warning,
    /// No object file is written.
    Error,
}

/// One message to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Row of the catalogue.
    pub code: Code,
    /// Error, warning or remark.
    pub severity: Severity,
    /// One line, lower case, no full stop.
    pub message: String,
    /// The place it is about.
    pub span: Span,
    /// What to write under that place; may be empty.
    pub label: String,
    /// Other places, each with its words.
    pub labels: Vec<(Span, String)>,
    /// Lines after the picture: the clause of the standard, what follows from it.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
    /// Whether the code's clause is said: not about a program in another language than the standard's.
    pub clause: bool,
}

/// Whether there is an error among them.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

impl Diagnostic {
    /// An error at `span`.
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

    /// A warning at `span`.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// A remark at `span`.
    pub fn remark(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Remark, ..Diagnostic::error(code, span, message) }
    }

    /// With these words under the primary place.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    /// With another place.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push((span, text.into()));
        self
    }

    /// With a note.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// With advice.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}
