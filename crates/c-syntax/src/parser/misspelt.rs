//! Statements whose first word is nearly a keyword of UPC, or nearly a macro of Split-C that reads like one.
//! The tokens after such a word show that it is not the name of a function or an object: `upc_foral (…; …)`,
//! `on_on {`. Without a message of their own these statements would be read as expressions, and each would
//! get several messages about missing tokens.

use super::{Failed, Parser, Res};
use crate::ast::StmtId;
use crate::dialect::Language;
use crate::token::Kind;
use base::{Code, Diagnostic};

/// The construct after a word, if it cannot follow a name in an expression.
enum After {
    /// The clauses of a loop in parentheses.
    Clauses,
    /// Parentheses, and then a statement.
    Head,
    /// A block.
    Block,
    /// A value.
    Value,
}

const MACROS: [&str; 4] = ["on_one", "on_proc", "for_my_1d", "for_my_2d"];

impl Parser<'_> {
    /// Returns `None` unless the next statement begins with a misspelt keyword. Else reports the keyword, and
    /// reads the statement if it is a `upc_forall`.
    pub(super) fn misspelt(&mut self) -> Option<Res<StmtId>> {
        let word = self.text_at(self.pos);
        if self.peek() != Kind::Ident || self.scopes.meaning(word).is_some() {
            return None;
        }
        let after = self.after_word()?;
        let all = self.language.everything();
        let candidates: &[&str] = match (after, self.language) {
            (After::Clauses, Language::Upc) => &["upc_forall"],
            (After::Value, Language::Upc) => &["upc_barrier", "upc_notify", "upc_wait"],
            (After::Head, _) if all => &MACROS[1..],
            (After::Block, _) if all => &MACROS[..1],
            _ => return None,
        };
        let included = candidates.iter().find(|&&candidate| candidate == word && all);
        let help = match included {
            Some(_) => "add `#include <split-c/control.h>`".into(),
            None => format!("did you mean `{}`?", base::similar(word, candidates.iter().copied())?),
        };
        let message = format!("`{word}` is not declared, and no statement begins with it");
        self.report(Diagnostic::error(Code::Expected, self.here(), message).help(help));
        Some(if self.language == Language::Upc && self.peek_at(1) == Kind::LParen {
            self.upc_forall()
        } else {
            Err(Failed)
        })
    }

    fn after_word(&self) -> Option<After> {
        let next = self.pos + 1;
        match self.kind_at(next) {
            Kind::LBrace => Some(After::Block),
            Kind::Number | Kind::Ident => Some(After::Value),
            Kind::LParen => {
                let end = self.mate(next)?;
                if self.holds_semicolon(next, end) {
                    return Some(After::Clauses);
                }
                let statement = [
                    Kind::LBrace,
                    Kind::Ident,
                    Kind::If,
                    Kind::For,
                    Kind::While,
                    Kind::Do,
                    Kind::Switch,
                    Kind::Return,
                    Kind::Break,
                    Kind::Continue,
                ];
                statement.contains(&self.kind_at(end + 1)).then_some(After::Head)
            }
            _ => None,
        }
    }

    /// Whether a semicolon stands between two parentheses, and not in brackets inside of them.
    fn holds_semicolon(&self, open: usize, close: usize) -> bool {
        let mut at = open + 1;
        while at < close {
            if self.kind_at(at) == Kind::Semi {
                return true;
            }
            at = self.mate(at).filter(|&mate| mate > at).unwrap_or(at) + 1;
        }
        false
    }
}
