//! The part of clangd's answers that holds for a source whose C it has read: no edits of words that clangd
//! has not seen, and no diagnostics that follow from the rewriting. Adds the words of the dialect to its
//! completions.

use crate::documents::Document;
use crate::position::Lines;
use crate::words;
use serde_json::{Value, json};
use std::ops::Range;

/// Whether an edit of these bytes changes one of the spans.
fn touches(spans: &[Range<usize>], bytes: &Range<usize>) -> bool {
    spans.iter().any(|span| bytes.start < span.end && span.start < bytes.end)
}

/// Whether one of these edits changes text that clangd has not seen.
pub fn edits_touch(document: &Document, edits: &Value) -> bool {
    let lines = Lines::new(&document.text);
    let mut ranges = edits.as_array().into_iter().flatten().map(|edit| lines.bytes(&edit["range"]));
    ranges.any(|bytes| touches(&document.rewritten.spans, &bytes))
}

/// Leaves out the edits of a formatter that change text which clangd has not seen; each edit stands alone.
pub fn keep_edits(document: &Document, edits: &mut Value) {
    let lines = Lines::new(&document.text);
    if let Some(edits) = edits.as_array_mut() {
        edits.retain(|edit| !touches(&document.rewritten.spans, &lines.bytes(&edit["range"])));
    }
}

/// Returns the edits of a workspace change: each file's address, and its list.
pub fn edits_of(change: &Value) -> Vec<(&str, &Value)> {
    let by_name = change["changes"].as_object().into_iter().flatten();
    let by_version = change["documentChanges"].as_array().into_iter().flatten();
    let by_name = by_name.map(|(address, edits)| (address.as_str(), edits));
    by_name
        .chain(by_version.filter_map(|d| Some((d["textDocument"]["uri"].as_str()?, &d["edits"]))))
        .collect()
}

/// Checks of clangd's that fail without the words of the dialects: headers may be included for these alone,
/// and pointers have other sizes.
const IDLE: [&str; 3] = ["unused-includes", "missing-includes", "bugprone-sizeof-expression"];

/// Returns clangd's diagnostics that hold for the source. Left out are its errors, because `meridian cc`
/// reports those of the source itself; diagnostics on lines with a diagnostic of ours already; those about
/// words that clangd has not seen; and those of checks that need these words.
pub fn diagnostics(document: &Document, clangd: &[Value], ours: &[Value]) -> Vec<Value> {
    let lines = Lines::new(&document.text);
    let line = |diagnostic: &Value| diagnostic["range"]["start"]["line"].as_u64();
    let holds = |diagnostic: &&Value| {
        let bytes = lines.bytes(&diagnostic["range"]);
        diagnostic["severity"] != json!(1)
            && !IDLE.iter().any(|code| diagnostic["code"] == json!(code))
            && !touches(&document.rewritten.spans, &(bytes.start..bytes.end.max(bytes.start + 1)))
            && !ours.iter().any(|own| line(own) == line(diagnostic))
    };
    clangd.iter().filter(holds).cloned().collect()
}

/// Returns the description of a word of the dialect at a position, if there is one.
pub fn hover(document: &Document, position: &Value) -> Option<Value> {
    let lines = Lines::new(&document.text);
    let line = position["line"].as_u64()? as usize;
    let (start, at) = (lines.offset(line, 0), lines.at(position));
    let find = |language: &_| words::at(lines.line(line), at - start, *language);
    let (place, word) = document.languages.iter().find_map(find)?;
    let text = format!("`{}`\n\n{}", word.word, word.what);
    let range = lines.range(start + place.start..start + place.end);
    Some(json!({ "contents": { "kind": "markdown", "value": text }, "range": range }))
}

/// Adds the words of the dialect to a list of completions.
pub fn complete(document: &Document, position: &Value, list: &mut Value) {
    let lines = Lines::new(&document.text);
    let before = &document.text[..lines.at(position)];
    let stem = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
    let typed = &before[stem.len()..];
    if stem.ends_with(['.', '#', '"', '<', '/']) || stem.ends_with("->") {
        return;
    }
    if list.is_null() {
        *list = json!({ "isIncomplete": false, "items": [] });
    }
    let items = if list.is_array() { list.as_array_mut() } else { list["items"].as_array_mut() };
    let Some(items) = items else { return };
    let ours = document.languages.iter().flat_map(|language| words::of(*language));
    for word in ours.filter(|word| word.word.starts_with(char::is_alphabetic) && word.word.starts_with(typed))
    {
        items.retain(|item| item["filterText"] != word.word && item["insertText"] != word.word);
        items.push(json!({
            "label": word.word, "kind": 14, "filterText": word.word, "insertText": word.word,
            "documentation": { "kind": "markdown", "value": word.what },
        }));
    }
}
