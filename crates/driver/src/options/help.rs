//! `meridian cc --help`, and the parts of it that the manual page consists of.

use super::table::{Row, SECTIONS, Section, To};

/// The purpose of the command, in a line.
pub const SUMMARY: &str =
    "Compiles UPC, Split-C, AC, Id and C, and links programs that `meridian run` starts.";

/// The usage line.
pub const USAGE: &str = "meridian cc [options] file...      (also: upcc; ac, for `cc -x ac`)";

/// The kinds of files.
pub const FILES: &str = ".upc is UPC; .sc is Split-C; .ac is AC; .id is Id90; .c is UPC if it uses any UPC, else C; \
     everything \
     else goes to the linker.";

/// Commands.
pub const EXAMPLES: &[&str] = &[
    "meridian cc -O3 hello.upc -o hello && meridian run -n 4 ./hello",
    "meridian cc -T 4 -c solver.upc",
    "meridian cc -O2 main.c store.sc walk.ac -o all",
    "meridian cc -O2 queens.id -o queens && meridian run -n 4 ./queens 8",
];

/// Columns before the text of an option, and of a line.
const INDENT: usize = 21;
const WIDTH: usize = 100;

/// Returns the entries of a section: (spellings, their effect). Options that go to the C compiler are one
/// entry, and those without effect are named with the reason.
pub fn entries(section: &Section) -> Vec<(String, String)> {
    let mut entries: Vec<_> = section.rows.iter().filter_map(entry).collect();
    if section.rows.iter().any(|row| matches!(row.to, To::Common)) {
        entries.push((
            "-O* -g -W* -std= -D -U -I -L -l -M* -f* -m*".into(),
            "as gcc has them; unknown options are passed on to the C compiler".into(),
        ));
    }
    entries
}

fn entry(row: &Row) -> Option<(String, String)> {
    let what = match row.to {
        To::Nothing(why) if row.help.is_empty() => format!("accepted, without effect: {why}"),
        To::Refused(way) if !row.spellings[0].contains('<') => format!("refused: {way}"),
        _ if row.help.is_empty() => return None,
        _ => row.help.to_string(),
    };
    let spellings: Vec<String> = row.spellings.iter().map(|s| s.replace(['<', '>'], "")).collect();
    Some((spellings.join(", "), what))
}

/// Returns the whole text.
pub fn help() -> String {
    let mut text =
        format!("{SUMMARY}\n\nUsage: {USAGE}\n\nFiles: {}\n", wrap(FILES, WIDTH - 7).join("\n       "));
    for section in SECTIONS {
        text += &format!("\n{}:\n", section.title);
        for (spellings, what) in entries(section) {
            let mut lines = wrap(&spellings, WIDTH - 2).into_iter();
            text += &format!("  {}", lines.next().unwrap_or_default());
            lines.for_each(|line| text += &format!("\n  {line}"));
            let last = text.lines().last().map_or(0, str::len);
            let gap = if last < INDENT - 1 { " ".repeat(INDENT - last) } else { format!("\n{:INDENT$}", "") };
            text += &gap;
            text += &wrap(&what, WIDTH - INDENT).join(&format!("\n{:INDENT$}", ""));
            text.push('\n');
        }
    }
    text += "\nExamples:\n";
    EXAMPLES.iter().for_each(|line| text += &format!("  {line}\n"));
    text
}

fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("one line at least");
        if last.is_empty() {
            last.push_str(word);
        } else if last.len() + 1 + word.len() <= width {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_string());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_of_ours_is_explained_and_lines_are_short() {
        let text = help();
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        for row in SECTIONS[0].rows {
            assert!(!row.help.is_empty(), "{}", row.spellings[0]);
        }
    }
}
