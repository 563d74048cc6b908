//! Spellings of names: whether one typing error turns a name into another, and the user's spelling in
//! messages. Case does not count in names: the phases know them in lower case, and messages show the user's
//! first spelling.

use crate::syntax::lexer::{self, Tok};
use base::{Diagnostic, Source};
use std::collections::HashMap;

/// Restores the user's spelling of names in diagnostics; `user_from` is where the user's text begins.
pub fn restore(said: &mut [Diagnostic], source: &Source, user_from: u32) {
    if said.is_empty() {
        return;
    }
    let (tokens, _) = lexer::lex(source);
    let mut first: HashMap<&str, &str> = HashMap::new();
    for token in tokens.iter().filter(|t| t.span.lo >= user_from) {
        if let Tok::Word(word) = &token.tok {
            first.entry(word).or_insert(source.slice(token.span));
        }
    }
    first.retain(|word, spelled| word != spelled && !lexer::KEYWORDS.contains(word));
    if first.is_empty() {
        return;
    }
    for d in said {
        let labels = d.labels.iter_mut().map(|l| &mut l.1);
        let texts = [&mut d.message, &mut d.label].into_iter().chain(labels).chain(&mut d.notes);
        for text in texts.chain(&mut d.help) {
            *text = spelled(text, &first);
        }
    }
}

/// The text with the words between its backquotes replaced.
fn spelled(text: &str, first: &HashMap<&str, &str>) -> String {
    let mut out = String::new();
    for (n, part) in text.split('`').enumerate() {
        if n > 0 {
            out.push('`');
        }
        if n % 2 == 0 || part == "a number" {
            out += part;
            continue;
        }
        let mut rest = part;
        while !rest.is_empty() {
            let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '?' | '\'');
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let (word, more) = rest.split_at(end);
            let (test, plain) = (word.ends_with('?'), word.trim_end_matches('?').to_ascii_lowercase());
            let spelled = first.get(word.to_ascii_lowercase().as_str());
            match spelled.or_else(|| first.get(plain.as_str()).filter(|_| test)) {
                Some(spelled) if test && !spelled.ends_with('?') => out.extend([spelled, "?"]),
                Some(spelled) => out += spelled,
                None => out += word,
            }
            let skip = more.find(is_word).unwrap_or(more.len());
            out += &more[..skip];
            rest = &more[skip..];
        }
    }
    out
}

/// Whether one typing error turns one of these spellings into the other.
pub fn near(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let (short, long) = if a.len() < b.len() { (&a, &b) } else { (&b, &a) };
    let same = short.iter().zip(long.iter()).take_while(|(x, y)| x == y).count();
    let rest = short.iter().rev().zip(long.iter().rev()).take_while(|(x, y)| x == y).count();
    let swapped = long.len() == short.len() && same + rest + 2 == long.len() && {
        long[same] == short[same + 1] && long[same + 1] == short[same]
    };
    swapped
        || long.len() > 2
            && long.len() - short.len() <= 1
            && same + rest + 1 >= long.len().min(short.len() + 1)
}
