//! Diagnostics as the user sees them: in rustc's manner, against the user's own lines.

use crate::locate::{Locator, Place};
use crate::{Diagnostic, Severity, Source, Span};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::collections::HashSet;

/// Errors shown in one run; the rest are counted.
const MOST_ERRORS: usize = 20;

/// The most includes that are shown of the chain that led to a header.
const MOST_INCLUDES: usize = 8;

/// Returns the diagnostics of a file that are printed, each with its place, in order of position. Warnings
/// about system headers and repetitions are left out.
pub fn select<'d>(diags: &'d [Diagnostic], source: &Source) -> Vec<(&'d Diagnostic, Place)> {
    let locator = Locator::new(source);
    wanted(diags, source).into_iter().map(|d| (d, locator.locate(d.span))).collect()
}

fn wanted<'d>(diags: &'d [Diagnostic], source: &Source) -> Vec<&'d Diagnostic> {
    let mut seen = HashSet::new();
    let mut wanted: Vec<&Diagnostic> = diags
        .iter()
        .filter(|d| d.severity != Severity::Warning || !source.presumed(d.span.lo).system)
        .filter(|d| seen.insert((d.code, d.span, d.message.as_str())))
        .collect();
    wanted.sort_by_key(|d| (d.span.lo, d.span.hi));
    wanted
}

/// Returns the text of the diagnostics that [`select`] chooses; after 20 errors only their number is given.
/// `color` selects terminal colours.
pub fn render(diags: &[Diagnostic], source: &Source, color: bool) -> String {
    render_some(diags, source, color, None)
}

/// Works as [`render`], with another number of errors than 20.
pub fn render_some(diags: &[Diagnostic], source: &Source, color: bool, most: Option<usize>) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    print(diags, source, most, |report| report.render(&renderer))
}

/// Returns the text for other programs: each diagnostic begins with a line `file:line:column: error: message
/// [code]`, as C compilers write it; the picture of the place follows.
pub fn render_lines(diags: &[Diagnostic], source: &Source, most: Option<usize>) -> String {
    print(diags, source, most, |report| {
        let (d, place) = (report.diagnostic, report.locator.locate(report.diagnostic.span));
        let severity = match d.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark => "remark",
        };
        let (file, code) = (source.file(place.file).display(), d.code.code());
        let head = format!("{file}:{}:{}: {severity}: {} [{code}]", place.line, place.column, d.message);
        let drawn = report.render(&Renderer::plain());
        // The part that the first line repeats ends with the arrow to the place.
        let rest = drawn.lines().skip_while(|line| !line.trim_start().starts_with("--> ")).skip(1);
        rest.fold(head, |text, line| text + "\n" + line)
    })
}

fn print(
    diags: &[Diagnostic],
    source: &Source,
    most: Option<usize>,
    one: impl Fn(OneReport<'_>) -> String,
) -> String {
    let most = most.unwrap_or(MOST_ERRORS);
    let locator = Locator::new(source);
    let mut out = String::new();
    let mut errors = 0;
    for diagnostic in wanted(diags, source) {
        errors += usize::from(diagnostic.severity == Severity::Error);
        if errors > most {
            continue;
        }
        out.push_str(&one(OneReport { diagnostic, source, locator: &locator }));
        out.push_str("\n\n");
    }
    if errors > most {
        let more = errors - most;
        let noun = if more == 1 { "error" } else { "errors" };
        out.push_str(&format!("and {more} more {noun}\n\n"));
    }
    out
}

struct OneReport<'a> {
    diagnostic: &'a Diagnostic,
    source: &'a Source,
    locator: &'a Locator<'a>,
}

/// The mark under one place.
struct Mark {
    place: Place,
    kind: AnnotationKind,
    words: String,
}

impl OneReport<'_> {
    fn render(&self, renderer: &Renderer) -> String {
        let d = self.diagnostic;
        let level = match d.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Remark => Level::INFO.with_name("remark"),
        };
        let marks = self.marks();
        let title = level.primary_title(d.message.as_str()).id(d.code.code());
        let mut group = self.add_snippet(Group::with_title(title), &marks, 0);
        let mut files = vec![marks[0].place.file];
        for mark in &marks[1..] {
            if !files.contains(&mark.place.file) {
                files.push(mark.place.file);
                group = self.add_snippet(group, &marks, mark.place.file_index(&marks));
            }
        }
        for note in self.notes(&marks[0].place) {
            group = group.element(Level::NOTE.message(note));
        }
        let report: [Group<'_>; 1] = [match &d.help {
            Some(help) => group.element(Level::HELP.message(help.as_str())),
            None => group,
        }];
        renderer.render(&report)
    }

    fn marks(&self) -> Vec<Mark> {
        let d = self.diagnostic;
        let mark = |span: Span, kind, words: &str| {
            let place = self.locator.locate(span);
            Mark { place, kind, words: words.to_owned() }
        };
        let others = d.labels.iter().map(|(span, words)| mark(*span, AnnotationKind::Context, words));
        std::iter::once(mark(d.span, AnnotationKind::Primary, &d.label)).chain(others).collect()
    }

    /// Adds those lines of the file of mark `first` that have marks. The drawing library processes all of the
    /// text that it is given, and finds the column in it. If a line is cut, the place is an element of its
    /// own.
    fn add_snippet<'m>(&self, group: Group<'m>, marks: &'m [Mark], first: usize) -> Group<'m> {
        let home = &marks[first].place;
        let shown = self.source.file(home.file).display().to_string();
        let in_it = marks.iter().filter(|m| m.place.file == home.file && m.place.text.text == home.text.text);
        let in_it: Vec<&Mark> = in_it.collect();
        let lo = in_it.iter().map(|mark| mark.place.range.start).min().unwrap_or(0);
        let hi = in_it.iter().map(|mark| mark.place.range.end).max().unwrap_or(lo);
        let (part, before) = home.text.drawn(lo..hi);
        let annotations = in_it.into_iter().map(|mark| {
            let range = &mark.place.range;
            let annotation = mark.kind.span(range.start - part.start..range.end.min(part.end) - part.start);
            if mark.words.is_empty() { annotation } else { annotation.label(mark.words.as_str()) }
        });
        let snippet =
            Snippet::source(&home.text.text[part.clone()]).line_start(home.first_line as usize + before);
        if home.text.is_cut(&part) {
            let at = Origin::path(shown).line(home.line as usize).char_column(home.column as usize);
            group.element(at).element(snippet.annotations(annotations))
        } else {
            group.element(snippet.path(shown).annotations(annotations))
        }
    }

    /// Returns the way to the file of the place: `included from b.h:2, which is included from a.c:1`.
    fn includes(&self) -> Option<String> {
        let shown = |file, line| format!("{}:{line}", self.source.file(file).display());
        let chain: Vec<String> = self
            .source
            .includes_at(self.diagnostic.span.lo)
            .take(MOST_INCLUDES)
            .map(|include| shown(include.file, include.line))
            .collect();
        (!chain.is_empty()).then(|| format!("included from {}", chain.join(", which is included from ")))
    }

    fn notes(&self, place: &Place) -> Vec<String> {
        let d = self.diagnostic;
        let mut notes = d.notes.clone();
        if let Some(found) = &place.in_macro {
            notes.push(match found.defined {
                Some((file, line)) => format!(
                    "in the expansion of macro `{}`, defined at {}:{line}",
                    found.name,
                    self.source.file(file).display()
                ),
                None => format!("in the expansion of macro `{}`", found.name),
            });
        }
        notes.extend(self.includes());
        // A bare chapter ("C17 6") would help nobody.
        if d.clause && d.code.clause().contains('.') {
            notes.push(d.code.clause().to_owned());
        }
        if d.severity == Severity::Warning && !d.code.flag().is_empty() {
            notes.push(format!("`-Wno-{}` turns this warning off", d.code.flag()));
        }
        notes
    }
}

impl Place {
    /// Returns the index of the first mark in this file.
    fn file_index(&self, marks: &[Mark]) -> usize {
        marks.iter().position(|mark| mark.place.file == self.file).unwrap_or(0)
    }
}
