//! From a span to the user's file, line and column.
//!
//! The line markers give file and line; the column is found by aligning the tokens of the preprocessed line
//! with those of the user's line ([`crate::align`]). If the user's file cannot be read, the preprocessed line
//! replaces it.

use crate::align::{self, Piece};
use crate::{Source, Span};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// The most lines, before and after, that are examined for one statement spread over several by a macro.
const MOST_LINES: usize = 200;

/// The most bytes of a line that are drawn before and after a place: a macro or a program may have made it
/// very long.
const MOST_BESIDE: usize = 2000;

/// A file as the user wrote it.
#[derive(Debug)]
pub struct Original {
    /// The text; bytes that are not UTF-8 are replaced.
    pub text: String,
    starts: Vec<usize>,
    /// The byte whose column was requested last, and that column: diagnostics come in order.
    last: Cell<(usize, u32)>,
}

impl Original {
    fn new(text: String) -> Original {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Original { text, starts, last: Cell::new((0, 1)) }
    }

    /// Returns the line (from 1) and the column (from 1, in characters) of a byte.
    fn position(&self, at: usize) -> (u32, u32) {
        let line = self.starts.partition_point(|&s| s <= at).saturating_sub(1);
        let (known, column) = self.last.get();
        let from =
            if (self.starts[line]..=at).contains(&known) { (known, column) } else { (self.starts[line], 1) };
        let column = from.1 + self.text[from.0..at].chars().count() as u32;
        self.last.set((at, column));
        (line as u32 + 1, column)
    }

    /// Returns the part of the text that is drawn for the bytes `shown`, and the number of lines before it.
    /// The part is the lines of these bytes, of which at most [`MOST_BESIDE`] bytes before and after them.
    /// The cost of drawing is proportional to this part.
    pub fn drawn(&self, shown: Range<usize>) -> (Range<usize>, usize) {
        let end = shown.end.clamp(shown.start, self.text.len());
        let line = self.starts.partition_point(|&s| s <= shown.start).saturating_sub(1);
        let behind = self.starts.partition_point(|&s| s < end.max(shown.start + 1));
        let hi = self.starts.get(behind).copied().unwrap_or(self.text.len());
        let lo = self.starts[line].max(floor(&self.text, shown.start.saturating_sub(MOST_BESIDE)));
        (lo..hi.min(floor(&self.text, end + MOST_BESIDE)), line)
    }

    /// Whether a part begins in the middle of a line.
    pub fn is_cut(&self, part: &Range<usize>) -> bool {
        self.starts.binary_search(&part.start).is_err()
    }

    /// Returns the bytes of a line (from 1) without its end and without the space before its text.
    fn line(&self, line: u32) -> Option<Range<usize>> {
        let lo = *self.starts.get((line as usize).checked_sub(1)?)?;
        let hi = self.starts.get(line as usize).copied().unwrap_or(self.text.len());
        let body = self.text[lo..hi].trim_end();
        Some(lo + (body.len() - body.trim_start().len())..lo + body.len())
    }
}

/// The place of a span, as the user sees it.
#[derive(Clone, Debug)]
pub struct Place {
    /// Index into [`Source::files`].
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, in characters; in the preprocessed line if the file could not be read.
    pub column: u32,
    /// The bytes in [`Place::text`].
    pub range: Range<usize>,
    /// The number of the first line of [`Place::text`].
    pub first_line: u32,
    /// The user's whole file, or the one preprocessed line.
    pub text: Rc<Original>,
    /// The macro in whose expansion the span begins.
    pub in_macro: Option<Macro>,
}

/// A macro by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Macro {
    /// The name.
    pub name: String,
    /// File and line of its first `#define`, if one was found.
    pub defined: Option<(u32, u32)>,
}

/// Finds places, and caches the files it has read and the lines it has aligned.
pub struct Locator<'s> {
    source: &'s Source,
    files: RefCell<HashMap<u32, Option<Rc<Original>>>>,
    groups: RefCell<HashMap<usize, Rc<Group>>>,
}

/// The tokens of a line of the user's, before and after preprocessing.
struct Group {
    old: Vec<Piece>,
    new: Vec<Piece>,
    /// The old token of each new one.
    map: Vec<Option<usize>>,
    /// Whether an old token has a new one on this line or had one on the line before: the others are macros.
    used: Vec<bool>,
    /// The number of brackets around each token.
    old_depths: Vec<u32>,
    new_depths: Vec<u32>,
}

/// An end of a span among the old tokens.
struct End {
    /// The token itself, or the macro's name.
    token: usize,
    in_macro: bool,
}

impl<'s> Locator<'s> {
    /// Makes a locator for the spans of one text. Files are read from disk at their first use, by the names
    /// in the line markers, relative to the working directory.
    pub fn new(source: &'s Source) -> Locator<'s> {
        Locator { source, files: RefCell::default(), groups: RefCell::default() }
    }

    /// Returns the place of a span of the text. Spans over several lines keep their ends.
    pub fn locate(&self, span: Span) -> Place {
        let limit = self.source.text.len() as u32;
        let span = Span::new(span.lo.min(limit), span.hi.clamp(span.lo.min(limit), limit));
        let file = self.source.presumed(span.lo).file;
        let found = self.original(file).and_then(|original| self.in_original(span, file, original));
        found.unwrap_or_else(|| self.in_text(span))
    }

    /// Returns the file as the user wrote it, if it can be read.
    pub fn original(&self, file: u32) -> Option<Rc<Original>> {
        let mut files = self.files.borrow_mut();
        let read = || {
            let bytes = std::fs::read(self.source.file(file)).ok()?;
            Some(Rc::new(Original::new(String::from_utf8_lossy(&bytes).into_owned())))
        };
        files.entry(file).or_insert_with(read).clone()
    }

    fn in_original(&self, span: Span, file: u32, original: Rc<Original>) -> Option<Place> {
        let first_line = self.source.line_of(span.lo);
        let line_text = self.source.slice(self.source.line_span(first_line));
        let (range, in_macro) = if line_text.trim_start().starts_with('#') {
            // A pragma has no tokens; its line is the place.
            (original.line(self.source.presumed(span.lo).line)?, None)
        } else {
            self.aligned(span, file, &original, first_line)?
        };
        let (line, column) = original.position(range.start);
        let in_macro = in_macro.map(|name| Macro { defined: self.definition(file, &name), name });
        Some(Place { file, line, column, range, first_line: 1, text: original, in_macro })
    }

    /// Returns the bytes of the user's file, and the name of the macro in which the span begins.
    fn aligned(
        &self,
        span: Span,
        file: u32,
        original: &Original,
        first_line: usize,
    ) -> Option<(Range<usize>, Option<String>)> {
        let group = self.group(first_line, file, original);
        let first = group.new.partition_point(|p| p.range.end <= span.lo as usize);
        let first = first.min(group.new.len().checked_sub(1)?);
        let start = self.resolve(&group, first, file, original)?;
        let last_byte = span.hi.saturating_sub(1).max(span.lo);
        let last_line = self.source.line_of(last_byte);
        let end_group = if self.source.presumed(last_byte).file == file {
            self.group(last_line, file, original)
        } else {
            group.clone()
        };
        let same_line = Rc::ptr_eq(&group, &end_group);
        let last = end_group.new.partition_point(|p| p.range.start <= last_byte as usize).saturating_sub(1);
        let last = if same_line { last.max(first) } else { last };
        let lo = group.old[start.token].range.clone();
        let name = start.in_macro.then(|| original.text[lo.clone()].to_owned());
        if same_line && let Some(end) = group.run(&start, first..last + 1, original, &self.source.text) {
            return Some((self.within(span, &group, first..last + 1, lo.start..end), None));
        }
        let hi = match self.resolve(&end_group, last, file, original) {
            Some(end) if end.in_macro => {
                let range = end_group.old[end.token].range.clone();
                if range == lo { range.end } else { end_group.call_end(end.token, original) }
            }
            Some(end) => end_group.old[end.token].range.end,
            None => lo.end,
        };
        Some((lo.start..hi.max(lo.end), name))
    }

    /// Resolves as [`Group::resolve`]. But if the definition of the macro found does not contain the word,
    /// and that of a call around it does, returns that call: in `CHECK(MAX(a, b))` a word that only CHECK
    /// contains belongs to CHECK.
    fn resolve(&self, group: &Group, new: usize, file: u32, original: &Original) -> Option<End> {
        let end = group.resolve(new, original, &self.source.text)?;
        let spelled = &self.source.text[group.new[new].range.clone()];
        let brings =
            |token: usize| self.brings(file, &original.text[group.old[token].range.clone()], spelled);
        if !end.in_macro || !align::says_much(spelled) || brings(end.token) {
            return Some(end);
        }
        let at = group.old[end.token].range.start;
        let around = |&token: &usize| {
            group.old[token].is_name && !group.used[token] && group.call_end(token, original) > at
        };
        let found = (0..end.token).rev().filter(around).find(|&token| brings(token));
        Some(found.map_or(end, |token| End { token, in_macro: true }))
    }

    /// Whether the definition of a macro contains the word.
    fn brings(&self, file: u32, name: &str, word: &str) -> bool {
        let Some((file, line)) = self.definition(file, name) else { return false };
        let Some(original) = self.original(file) else { return false };
        let lines = original.text.lines().skip(line as usize - 1).take(MOST_LINES);
        let mut continued = true;
        let body = lines.take_while(|line| std::mem::replace(&mut continued, line.ends_with('\\')));
        let in_line = |line: &str| {
            // A directive has no tokens.
            let text = line.trim_start().trim_start_matches('#');
            align::cut(text, 0..text.len()).iter().any(|p| &text[p.range.clone()] == word)
        };
        body.into_iter().any(in_line)
    }

    /// Returns the range of old bytes; for a span inside one token (its last byte, for example) exactly its
    /// bytes.
    fn within(&self, span: Span, group: &Group, tokens: Range<usize>, old: Range<usize>) -> Range<usize> {
        let new = &group.new[tokens.start].range;
        let inside = span.lo as usize >= new.start && span.hi as usize <= new.end && span.hi > span.lo;
        if tokens.len() != 1 || !inside {
            return old;
        }
        let lo = old.start + (span.lo as usize - new.start);
        lo..lo + (span.hi - span.lo) as usize
    }

    fn in_text(&self, span: Span) -> Place {
        let presumed = self.source.presumed(span.lo);
        let whole = self.source.line_span(self.source.line_of(span.lo));
        let text = Rc::new(Original::new(self.source.slice(whole).to_owned()));
        let lo = (span.lo.max(whole.lo) - whole.lo) as usize;
        let lo = lo.min(text.text.len());
        let hi = ((span.hi.min(whole.hi)).saturating_sub(whole.lo) as usize).max(lo);
        let (lo, hi) = (floor(&text.text, lo), floor(&text.text, hi));
        let column = text.text[..lo].chars().count() as u32 + 1;
        let (file, line) = (presumed.file, presumed.line);
        Place { file, line, column, range: lo..hi, first_line: line, text, in_macro: None }
    }

    /// Returns the aligned tokens of the user's line from which the text's line `at` came.
    fn group(&self, at: usize, file: u32, original: &Original) -> Rc<Group> {
        let lines = self.text_lines(at);
        let key = lines.first().copied().unwrap_or(at);
        if let Some(group) = self.groups.borrow().get(&key) {
            return group.clone();
        }
        let mut new = Vec::new();
        for &line in &lines {
            let span = self.source.line_span(line);
            new.extend(align::cut(&self.source.text, span.range()));
        }
        let line = self.source.presumed(self.source.line_starts[at]).line;
        let next = self.next_line(lines.last().copied().unwrap_or(at), file, line);
        let old = old_pieces(original, line, next);
        let texts: Vec<&str> = old.iter().map(|p| &original.text[p.range.clone()]).collect();
        let new_texts: Vec<&str> = new.iter().map(|p| &self.source.text[p.range.clone()]).collect();
        let names: Vec<bool> = old.iter().map(|p| p.is_name).collect();
        let map = align::align(&texts, &new_texts, &names);
        let mut used = vec![false; old.len()];
        map.iter().flatten().for_each(|&o| used[o] = true);
        let (old_depths, new_depths) = (align::depths(&texts), align::depths(&new_texts));
        // A line may begin with the rest of a macro's call whose expansion is entirely on the line before.
        let rest = (0..old.len()).rfind(|&i| old_depths[i] == align::OPENED_ELSEWHERE && !used[i]);
        rest.into_iter().for_each(|end| used[..=end].fill(true));
        let group = Rc::new(Group { old, new, map, used, old_depths, new_depths });
        self.groups.borrow_mut().insert(key, group.clone());
        group
    }

    /// Returns the text's lines that came from the same line of the user's as line `at`: an expansion of a
    /// system's macro is put on a line of its own, between markers.
    fn text_lines(&self, at: usize) -> Vec<usize> {
        let home = self.source.presumed(self.source.line_starts[at]);
        let same = |line: &usize| {
            let presumed = self.source.presumed(self.source.line_starts[*line]);
            (presumed.file, presumed.line) == (home.file, home.line)
        };
        let silent = |line: &usize| {
            let text = self.source.slice(self.source.line_span(*line)).trim_start();
            text.is_empty() || text.starts_with('#')
        };
        let near = |line: &usize| same(line) || silent(line);
        let mut lines: Vec<usize> =
            (0..at).rev().take(MOST_LINES).take_while(near).filter(|l| same(l) && !silent(l)).collect();
        lines.reverse();
        lines.push(at);
        let after = (at + 1..self.source.line_starts.len()).take(MOST_LINES);
        lines.extend(after.take_while(near).filter(|l| same(l) && !silent(l)));
        lines
    }

    /// Returns the user's line from which the next text of the same file came.
    fn next_line(&self, last: usize, file: u32, line: u32) -> u32 {
        (last + 1..self.source.line_starts.len())
            .take(MOST_LINES)
            .filter(|&l| {
                let text = self.source.slice(self.source.line_span(l)).trim_start();
                !text.is_empty() && !text.starts_with('#')
            })
            .map(|l| self.source.presumed(self.source.line_starts[l]))
            .find(|p| p.file == file && p.line > line)
            .map_or(line + 1, |p| p.line)
    }

    /// Returns the first `#define` of the name, in the file of its use, then in the others.
    fn definition(&self, used_in: u32, name: &str) -> Option<(u32, u32)> {
        let others = (0..self.source.files.len() as u32).filter(|&file| file != used_in);
        std::iter::once(used_in).chain(others).find_map(|file| {
            let original = self.original(file)?;
            let line = original.text.lines().position(|line| defines(line, name))?;
            Some((file, line as u32 + 1))
        })
    }
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

fn defines(line: &str, name: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix('#') else { return false };
    let Some(rest) = rest.trim_start().strip_prefix("define") else { return false };
    let Some(rest) = rest.trim_start().strip_prefix(name) else { return false };
    !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// Returns the tokens of the user's lines from `line` to before `next`, and further until parentheses close.
fn old_pieces(original: &Original, line: u32, next: u32) -> Vec<Piece> {
    let Some(lo) = original.starts.get(line as usize - 1).copied() else { return Vec::new() };
    let most = original.starts.len().min(line as usize - 1 + MOST_LINES);
    let mut until = (next as usize - 1).clamp(line as usize, most.max(line as usize));
    loop {
        let hi = original.starts.get(until).copied().unwrap_or(original.text.len());
        let pieces = align::cut(&original.text, lo..hi);
        let depth = pieces.iter().fold(0i32, |depth, p| match &original.text[p.range.clone()] {
            "(" => depth + 1,
            ")" => (depth - 1).max(0),
            _ => depth,
        });
        if depth == 0 || until >= most {
            return pieces;
        }
        until += 1;
    }
}

impl Group {
    /// Returns the old token of a new one, or the name of the macro from whose expansion it came.
    fn resolve(&self, new: usize, original: &Original, text: &str) -> Option<End> {
        if let Some(token) = *self.map.get(new)? {
            return Some(End { token, in_macro: false });
        }
        let before = self.map[..new].iter().rev().find_map(|m| *m);
        let after = self.map[new..].iter().find_map(|m| *m);
        let from = before.map_or(0, |token| token + 1);
        let to = after.unwrap_or(self.old.len()).max(from);
        let is_macro = |&token: &usize| self.old[token].is_name && !self.used[token];
        let inside =
            |outer: usize, token: usize| self.old[token].range.start < self.call_end(outer, original);
        let between = (from..to).find(is_macro);
        // The call of which the preceding token is an argument, unless another macro stands inside that call.
        // Among several nested ones, the innermost that is not deeper than the token.
        let shallow = |token: usize| self.old_depths[token] <= self.new_depths[new];
        let calls = |last: usize| (0..last).rev().filter(move |t| is_macro(t) && inside(*t, last));
        let enclosing = before.and_then(|last| calls(last).find(|t| shallow(*t)).or(calls(last).next()));
        let token = match (between, enclosing) {
            (Some(inner), Some(outer)) if !inside(outer, inner) => Some(outer),
            (Some(inner), _) => Some(inner),
            (None, outer) => outer,
        };
        match token {
            Some(token) => {
                let spelled = &text[self.new[new].range.clone()];
                let argument = self.argument(token, spelled, original);
                Some(argument.unwrap_or(End { token, in_macro: true }))
            }
            None => before.or(after).map(|token| End { token, in_macro: false }),
        }
    }

    /// Returns the end of the old tokens that begin with `start`, if they have the spelling of the new ones.
    fn run(&self, start: &End, new: Range<usize>, original: &Original, text: &str) -> Option<usize> {
        let old = self.old.get(start.token..start.token + new.len())?;
        let same = |(o, n): (&Piece, &Piece)| original.text[o.range.clone()] == text[n.range.clone()];
        let equal = !start.in_macro && old.iter().zip(&self.new[new]).all(same);
        Some(old.last().filter(|_| equal)?.range.end)
    }

    /// Returns the token with this spelling in the call of the macro: if the macro uses an argument more than
    /// once, only one of its copies is aligned.
    fn argument(&self, name: usize, spelled: &str, original: &Original) -> Option<End> {
        let end = self.call_end(name, original);
        let inside = (name + 1..self.old.len()).take_while(|&t| self.old[t].range.end < end);
        let same = |&t: &usize| &original.text[self.old[t].range.clone()] == spelled;
        let token = inside.filter(|_| align::says_much(spelled)).find(same)?;
        Some(End { token, in_macro: false })
    }

    /// Returns the end of a macro's call: of its closing parenthesis, or of the name if there is none.
    fn call_end(&self, name: usize, original: &Original) -> usize {
        let text = |token: usize| self.old.get(token).map(|p| &original.text[p.range.clone()]);
        let mut depth = 0;
        let mut token = name + 1;
        while text(token).is_some_and(|t| depth > 0 || t == "(") {
            match text(token) {
                Some("(") => depth += 1,
                Some(")") => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return self.old[token].range.end;
            }
            token += 1;
        }
        self.old[name].range.end
    }
}
