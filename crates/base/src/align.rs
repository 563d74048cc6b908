//! Maps the tokens of the user's line to the tokens of the preprocessed text.
//!
//! The preprocessor keeps tokens and lines but not columns, and puts the expansion of a macro in the place of
//! its use. So the tokens of a line, before and after, are aligned by their spelling: a token on both sides
//! is the same one, a new one comes from a macro, and an identifier that has disappeared is the macro's name.

use std::collections::HashSet;
use std::ops::Range;

/// A token of C, roughly: enough to compare spellings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The bytes in the text from which it was read.
    pub range: Range<usize>,
    pub is_name: bool,
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80
}

/// Cuts a range of a text into tokens; comments, directives and space are left out.
pub(crate) fn cut(text: &str, range: Range<usize>) -> Vec<Piece> {
    let bytes = &text.as_bytes()[..range.end];
    let mut pieces = Vec::new();
    let mut i = range.start;
    let mut line_begins = true;
    while i < bytes.len() {
        let b = bytes[i];
        let lo = i;
        match b {
            b'\n' => {
                line_begins = true;
                i += 1;
                continue;
            }
            _ if b.is_ascii_whitespace() => {
                i += 1;
                continue;
            }
            b'\\' if matches!(bytes.get(i + 1), Some(b'\n' | b'\r')) => {
                i += 2;
                continue;
            }
            b'/' if bytes.get(i + 1) == Some(&b'/') => {
                i = line_end(bytes, i);
                continue;
            }
            b'/' if bytes.get(i + 1) == Some(&b'*') => {
                i = find(bytes, i + 2, b"*/").map_or(bytes.len(), |at| at + 2);
                continue;
            }
            b'#' if line_begins => {
                i = directive_end(bytes, i);
                continue;
            }
            b'"' | b'\'' => i = literal_end(bytes, i),
            _ if is_word(b) || (b == b'.' && bytes.get(i + 1).is_some_and(u8::is_ascii_digit)) => {
                i = word_end(bytes, i);
            }
            _ => i += punctuator(&bytes[i..]),
        }
        line_begins = false;
        pieces.push(Piece { range: lo..i, is_name: is_word(b) && !b.is_ascii_digit() });
    }
    pieces
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| from + n)
}

/// Returns the end of a directive, including its continuation lines.
fn directive_end(bytes: &[u8], mut from: usize) -> usize {
    loop {
        from = line_end(bytes, from);
        let continued = from > 0 && (bytes[from - 1] == b'\\' || bytes[..from].ends_with(b"\\\r"));
        if from == bytes.len() || !continued {
            return from;
        }
        from += 1;
    }
}

fn find(bytes: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    let from = from.min(bytes.len());
    bytes[from..].windows(what.len()).position(|w| w == what).map(|n| from + n)
}

fn literal_end(bytes: &[u8], from: usize) -> usize {
    let quote = bytes[from];
    let mut i = from + 1;
    while i < bytes.len() && bytes[i] != b'\n' {
        match bytes[i] {
            b if b == quote => return i + 1,
            b'\\' => i += 2,
            _ => i += 1,
        }
    }
    i.min(bytes.len())
}

fn word_end(bytes: &[u8], from: usize) -> usize {
    let number = !is_word(bytes[from]) || bytes[from].is_ascii_digit();
    let mut i = from;
    while i < bytes.len() {
        match bytes[i] {
            b if is_word(b) => i += 1,
            b'.' if number => i += 1,
            b'+' | b'-' if number && matches!(bytes[i - 1], b'e' | b'E' | b'p' | b'P') => i += 1,
            _ => break,
        }
    }
    // An encoding prefix belongs to its literal.
    match bytes.get(i) {
        Some(b'"' | b'\'') if matches!(&bytes[from..i], b"L" | b"u" | b"U" | b"u8") => literal_end(bytes, i),
        _ => i,
    }
}

fn punctuator(rest: &[u8]) -> usize {
    const LONG: [&[u8]; 22] = [
        b"...", b"<<=", b">>=", b"->", b"++", b"--", b"<<", b">>", b"<=", b">=", b"==", b"!=", b"&&", b"||",
        b"*=", b"/=", b"%=", b"+=", b"-=", b"&=", b"^=", b"|=",
    ];
    LONG.iter().find(|p| rest.starts_with(p)).map_or(1, |p| p.len())
}

/// The most cells of the alignment's table; longer lines are aligned greedily.
const CELLS: usize = 1 << 20;

/// Returns for each new token the old token that it came from.
pub(crate) fn align(old: &[&str], new: &[&str], old_names: &[bool]) -> Vec<Option<usize>> {
    let mut map = vec![None; new.len()];
    let roles = roles(old, new, old_names);
    let (old_depths, new_depths) = (depths(old), depths(new));
    let balanced = old_depths.last() == new_depths.last();
    let same = |o: usize, n: usize| {
        // Expansions are mostly balanced, so an operator outside of macros keeps its depth.
        let kept = !balanced || roles[o] == Role::Argument || old_depths[o] == new_depths[n];
        roles[o] != Role::Macro && old[o] == new[n] && (kept || says_much(old[o]))
    };
    let prefix = (0..old.len().min(new.len())).take_while(|&i| same(i, i)).count();
    for (i, slot) in map.iter_mut().enumerate().take(prefix) {
        *slot = Some(i);
    }
    let longest = old.len().min(new.len()) - prefix;
    let suffix = (0..longest).take_while(|&i| same(old.len() - 1 - i, new.len() - 1 - i)).count();
    for i in 0..suffix {
        map[new.len() - 1 - i] = Some(old.len() - 1 - i);
    }
    let (old_middle, new_middle) = (prefix..old.len() - suffix, prefix..new.len() - suffix);
    if (old_middle.len() + 1).saturating_mul(new_middle.len() + 1) <= CELLS {
        align_exactly(&mut map, old_middle, new_middle, |o, n| match same(o, n) {
            true => 4 + 12 * u32::from(says_much(old[o])) + u32::from(old_depths[o] == new_depths[n]),
            false => 0,
        });
    } else {
        align_greedily(&mut map, old_middle, new_middle, same);
    }
    map
}

/// Whether a token is a name or a number, which rarely match by chance.
pub(crate) fn says_much(token: &str) -> bool {
    token.bytes().any(is_word)
}

/// The depth of a closing bracket that is opened on another line.
pub(crate) const OPENED_ELSEWHERE: u32 = u32::MAX;

/// Returns the number of brackets around each token; a bracket itself is outside.
pub(crate) fn depths(tokens: &[&str]) -> Vec<u32> {
    let mut depth = 0u32;
    let mut out = Vec::with_capacity(tokens.len());
    for token in tokens {
        let closes = matches!(*token, ")" | "]" | "}");
        let outward = closes && depth == 0;
        depth -= u32::from(closes && !outward);
        out.push(if outward { OPENED_ELSEWHERE } else { depth });
        depth += u32::from(matches!(*token, "(" | "[" | "{"));
    }
    out
}

/// The relation of an old token to the macros of its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Outside,
    /// Inside the parentheses of a macro's call: it may have a new token, at any depth.
    Argument,
    /// A macro's name, or the parentheses and commas of its call: it has no new token.
    Macro,
}

/// Returns the roles of old tokens. A macro's name is a name that no new token has.
fn roles(old: &[&str], new: &[&str], old_names: &[bool]) -> Vec<Role> {
    let present: HashSet<&str> = new.iter().copied().collect();
    let mut roles = vec![Role::Outside; old.len()];
    for i in 0..old.len() {
        if !old_names[i] || present.contains(old[i]) {
            continue;
        }
        roles[i] = Role::Macro;
        let mut depth = 0usize;
        let mut at = i + 1;
        while at < old.len() && (at > i + 1 || old[at] == "(") {
            match old[at] {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            if at == i + 1 || depth == 0 || (depth == 1 && old[at] == ",") {
                roles[at] = Role::Macro;
            } else if roles[at] == Role::Outside {
                roles[at] = Role::Argument;
            }
            if depth == 0 {
                break;
            }
            at += 1;
        }
    }
    roles
}

/// Finds the heaviest common subsequence.
fn align_exactly(
    map: &mut [Option<usize>],
    old: Range<usize>,
    new: Range<usize>,
    weight: impl Fn(usize, usize) -> u32,
) {
    let width = new.len() + 1;
    let mut best = vec![0u32; (old.len() + 1) * width];
    for o in (0..old.len()).rev() {
        for n in (0..new.len()).rev() {
            let skip = best[(o + 1) * width + n].max(best[o * width + n + 1]);
            let w = weight(old.start + o, new.start + n);
            let take = if w > 0 { w + best[(o + 1) * width + n + 1] } else { 0 };
            best[o * width + n] = skip.max(take);
        }
    }
    let (mut o, mut n) = (0, 0);
    while o < old.len() && n < new.len() {
        let w = weight(old.start + o, new.start + n);
        if w > 0 && best[o * width + n] == w + best[(o + 1) * width + n + 1] {
            map[new.start + n] = Some(old.start + o);
            o += 1;
            n += 1;
        } else if best[o * width + n] == best[o * width + n + 1] {
            n += 1;
        } else {
            o += 1;
        }
    }
}

/// Maps each new token to the next old one of its spelling, if that is near.
fn align_greedily(
    map: &mut [Option<usize>],
    old: Range<usize>,
    new: Range<usize>,
    same: impl Fn(usize, usize) -> bool,
) {
    const NEAR: usize = 64;
    let mut o = old.start;
    for n in new {
        if let Some(found) = (o..old.end.min(o + NEAR)).find(|&o| same(o, n)) {
            map[n] = Some(found);
            o = found + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(old: &str, new: &str) -> Vec<(String, Option<usize>)> {
        let (o, n) = (cut(old, 0..old.len()), cut(new, 0..new.len()));
        let texts = |text: &'static str, pieces: &[Piece]| -> Vec<&'static str> {
            pieces.iter().map(|p| &text[p.range.clone()]).collect()
        };
        let (old, new): (&'static str, &'static str) = (old.to_owned().leak(), new.to_owned().leak());
        let names: Vec<bool> = o.iter().map(|p| p.is_name).collect();
        let (ot, nt) = (texts(old, &o), texts(new, &n));
        let map = align(&ot, &nt, &names);
        nt.iter().zip(map).map(|(t, m)| (t.to_string(), m.map(|m| o[m].range.start))).collect()
    }

    #[test]
    fn cuts_tokens_and_skips_what_is_none() {
        let text = "a+=1.5e-3;// x\n#if 0 \\\n y\nL\"s\" /* \n */ b->c 'x' .5f";
        let shown: Vec<&str> = cut(text, 0..text.len()).iter().map(|p| &text[p.range.clone()]).collect();
        assert_eq!(shown, ["a", "+=", "1.5e-3", ";", "L\"s\"", "b", "->", "c", "'x'", ".5f"]);
    }

    #[test]
    fn a_line_without_macros_maps_fully() {
        let map = pairs("  x   =  y /* c */ +z ;", "x = y + z;");
        assert_eq!(map.iter().map(|p| p.1).collect::<Vec<_>>(), [2, 6, 9, 19, 20, 22].map(Some));
    }

    #[test]
    fn a_macro_call_keeps_its_arguments_and_nothing_else() {
        let map = pairs("r = ADD(a, b) ;", "r = ((a) + (b)) ;");
        let found: Vec<(&str, Option<usize>)> = map.iter().map(|(t, m)| (t.as_str(), *m)).collect();
        assert_eq!(found[2], ("(", None));
        assert_eq!(found[4], ("a", Some(8)));
        assert_eq!(found[6], ("+", None));
        assert_eq!(found[8], ("b", Some(11)));
        assert_eq!(found.last(), Some(&(";", Some(14))));
    }

    #[test]
    fn long_lines_are_aligned_greedily() {
        let old = format!("M {}", "a , ".repeat(3000));
        let new = format!("x y z {}", "a , ".repeat(3000));
        let map = pairs(&old, &new);
        assert_eq!(map[0].1, None);
        assert_eq!(map[3].1, Some(2));
    }
}
