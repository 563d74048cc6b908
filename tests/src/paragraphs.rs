//! The paragraphs of pages in Markdown, as text: for tests of how they are written.

use crate::comments::{Comment, without_code};

/// Returns the paragraphs of a page, in their order, with the mark `#`. A heading, an item of a list and a
/// row of a table are paragraphs too. Blocks of code are left out.
pub fn of(page: &str) -> Vec<Comment> {
    let mut found: Vec<Comment> = Vec::new();
    let (mut in_block, mut after_blank) = (false, true);
    for (n, line) in page.lines().enumerate() {
        let text = line.trim_start();
        if text.starts_with("```") {
            (in_block, after_blank) = (!in_block, true);
            continue;
        }
        let is_blank = text.is_empty();
        if in_block || is_blank || (after_blank && line.starts_with("    ")) {
            after_blank |= is_blank;
            continue;
        }
        match found.last_mut() {
            Some(last) if !after_blank && !begins(text) => last.text = format!("{}\n{text}", last.text),
            _ => found.push(Comment { line: n + 1, text: text.to_owned(), mark: "#" }),
        }
        after_blank = text.starts_with('#');
    }
    found.iter_mut().for_each(|paragraph| paragraph.text = without_code(&paragraph.text));
    found
}

/// Whether a line begins a heading, an item or a row, and so ends the paragraph before it.
fn begins(line: &str) -> bool {
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    ["# ", "## ", "### ", "- ", "|"].iter().any(|mark| line.starts_with(mark))
        || (numbered.len() < line.len() && numbered.starts_with(". "))
}
