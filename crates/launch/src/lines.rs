//! From chunks of output to whole lines.
//!
//! Every chunk that arrives names the process that wrote it. A line is written once its end has arrived, so
//! lines of different writers never mix. Lines are written in the order in which their ends arrived, so a
//! line that one thread wrote before a barrier stands above a line that another wrote after it. An unfinished
//! line is written when its writer ends; if another writer's line follows, an end of line is put between
//! them. This module holds no file and no clock.

use std::collections::HashMap;

/// A writer: its pid, with the number of its host in the upper half (`source`). The launcher's own messages
/// have `LAUNCHER`.
pub type Source = i64;

/// Returns the source for process `pid` of the host with this number; a job on one host has only host 0.
pub fn source(host: usize, pid: i32) -> Source {
    (host as i64) << 32 | i64::from(pid)
}

/// The launcher itself as a writer; no process has this pid.
pub const LAUNCHER: Source = 0;

/// A line longer than this is passed on in pieces, so that a writer of binary data without an end of line
/// cannot fill the launcher's memory.
const LONGEST_LINE: usize = 16 << 20;

/// The assembler of one stream (standard output or standard error).
pub struct Lines {
    /// Beginnings of lines whose ends have not arrived; never empty strings.
    pending: HashMap<Source, Vec<u8>>,
    /// The writer of the unfinished line that `out` ends with, if it ends with one.
    open: Option<Source>,
    /// The bytes to be written, in order.
    out: Vec<u8>,
    /// The prefix of each writer's lines, if lines are tagged.
    tags: Option<HashMap<Source, String>>,
}

impl Lines {
    /// Makes an empty assembler. `tags`: the prefix of the lines of each known writer, or none.
    pub fn new(tags: Option<HashMap<Source, String>>) -> Lines {
        Lines { pending: HashMap::new(), open: None, out: Vec::new(), tags }
    }

    /// Adds a chunk from `source`: all lines that it completes become ready.
    pub fn take(&mut self, source: Source, chunk: &[u8]) {
        let whole = chunk.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        if whole > 0 {
            let begun = self.pending.remove(&source).unwrap_or_default();
            self.put(source, &begun, &chunk[..whole]);
        }
        let rest = &chunk[whole..];
        if rest.is_empty() {
            return;
        }
        let begun = self.pending.entry(source).or_default();
        begun.extend_from_slice(rest);
        if begun.len() > LONGEST_LINE {
            self.end(source);
        }
    }

    /// Sets the prefix of the lines of `source`, if lines are tagged.
    pub fn tag(&mut self, source: Source, tag: &str) {
        if let Some(tags) = &mut self.tags {
            tags.insert(source, tag.to_string());
        }
    }

    /// Makes the unfinished line of `source` ready as it is: the writer has ended, or waits for an answer.
    pub fn end(&mut self, source: Source) {
        if let Some(begun) = self.pending.remove(&source) {
            self.put(source, &begun, &[]);
        }
    }

    /// Makes all unfinished lines ready: all writers have ended.
    pub fn end_all(&mut self) {
        let mut sources: Vec<Source> = self.pending.keys().copied().collect();
        sources.sort_unstable();
        for source in sources {
            self.end(source);
        }
    }

    /// Makes one unfinished line ready, as a terminal shows prompts and progress bars: that of the writer
    /// whose line is open already, or of any writer if none is. Others wait for the line's end.
    pub fn show_unfinished(&mut self) {
        let source = self.open.or_else(|| self.pending.keys().min().copied());
        if let Some(source) = source {
            self.end(source);
        }
    }

    /// Whether a line has begun and not ended.
    pub fn has_unfinished(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Returns the writers of unfinished lines.
    pub fn unfinished(&self) -> impl Iterator<Item = Source> + '_ {
        self.pending.keys().copied()
    }

    /// Returns the bytes that are ready; the caller clears the written ones.
    pub fn ready(&mut self) -> &mut Vec<u8> {
        &mut self.out
    }

    /// Appends `begun` and `rest`, together non-empty: the continuation of the last output of `source`.
    fn put(&mut self, source: Source, begun: &[u8], rest: &[u8]) {
        let continues = self.open == Some(source);
        if self.open.is_some() && !continues {
            self.out.push(b'\n');
        }
        match self.tags.as_ref().filter(|_| source != LAUNCHER) {
            None => {
                self.out.extend_from_slice(begun);
                self.out.extend_from_slice(rest);
            }
            Some(tags) => {
                let tag = tags.get(&source).map_or("[?] ", String::as_str);
                let text = [begun, rest].concat();
                for (i, line) in text.split_inclusive(|&b| b == b'\n').enumerate() {
                    if i > 0 || !continues {
                        self.out.extend_from_slice(tag.as_bytes());
                    }
                    self.out.extend_from_slice(line);
                }
            }
        }
        self.open = (self.out.last() != Some(&b'\n')).then_some(source);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(lines: &mut Lines) -> String {
        String::from_utf8(std::mem::take(lines.ready())).unwrap()
    }

    #[test]
    fn lines_of_two_writers_stay_whole_and_go_out_as_they_end() {
        let mut lines = Lines::new(None);
        lines.take(1, b"one ");
        lines.take(2, b"two\n");
        lines.take(1, b"and more\nthen");
        assert_eq!(text(&mut lines), "two\none and more\n");
        assert!(lines.has_unfinished());
        lines.end(1);
        assert_eq!(text(&mut lines), "then");
    }

    #[test]
    fn a_line_without_end_is_ended_when_another_follows() {
        let mut lines = Lines::new(None);
        lines.take(1, b"no end");
        lines.end(1);
        lines.take(2, b"next\n");
        assert_eq!(text(&mut lines), "no end\nnext\n");
    }

    #[test]
    fn the_last_line_gets_no_end_it_did_not_have() {
        let mut lines = Lines::new(None);
        lines.take(7, b"a\nb");
        lines.end_all();
        assert_eq!(text(&mut lines), "a\nb");
    }

    #[test]
    fn a_prompt_is_shown_and_continued() {
        let mut lines = Lines::new(None);
        lines.take(1, b"n? ");
        lines.show_unfinished();
        assert_eq!(text(&mut lines), "n? ");
        lines.take(2, b"waits");
        lines.show_unfinished();
        assert_eq!(text(&mut lines), "", "writer 1's line is open");
        lines.take(1, b"5\n");
        lines.show_unfinished();
        assert_eq!(text(&mut lines), "5\nwaits");
    }

    #[test]
    fn tags_stand_once_at_the_start_of_each_line() {
        let tags = HashMap::from([(10, "[0] ".to_string())]);
        let mut lines = Lines::new(Some(tags));
        lines.take(10, b"a\nb");
        lines.show_unfinished();
        lines.take(10, b"c\nd\n");
        lines.take(99, b"child\n");
        lines.take(LAUNCHER, b"meridian: word\n");
        assert_eq!(text(&mut lines), "[0] a\n[0] bc\n[0] d\n[?] child\nmeridian: word\n");
    }

    #[test]
    fn writers_are_told_apart_by_host_and_process() {
        assert_eq!(source(0, 77), 77);
        assert_ne!(source(1, 77), source(2, 77));
        assert_ne!(source(1, 77), source(1, 78));
        assert_eq!(source(3, 77) & 0xffff_ffff, 77);
    }

    #[test]
    fn the_writers_of_unfinished_lines_are_known() {
        let mut lines = Lines::new(Some(HashMap::new()));
        assert!(!lines.has_unfinished());
        lines.take(5, b"\n");
        lines.take(6, b"x");
        assert_eq!(lines.unfinished().collect::<Vec<_>>(), [6]);
        lines.tag(6, "[6] ");
        lines.end(6);
        lines.end(7);
        assert!(!lines.has_unfinished());
        assert_eq!(text(&mut lines), "[?] \n[6] x");
    }

    #[test]
    fn data_without_end_of_line_passes_through_in_bounded_memory() {
        let mut lines = Lines::new(None);
        let chunk = vec![b'x'; 100_000];
        for _ in 0..300 {
            lines.take(3, &chunk);
            let pending: usize = lines.pending.values().map(Vec::len).sum();
            assert!(pending <= LONGEST_LINE);
        }
        lines.end_all();
        assert_eq!(lines.ready().len(), 30_000_000);
        assert!(lines.ready().iter().all(|&b| b == b'x'));
    }

    proptest::proptest! {
        /// However a writer's text is cut into chunks and mixed with another's, each one's lines come out
        /// whole, complete and in their order.
        #[test]
        fn any_cutting_keeps_every_line(
            lengths in proptest::collection::vec((1i64..=2, 1usize..20), 1..60),
            width in 1usize..12,
        ) {
            let line = |s: Source, i: usize| format!("{s}:{i}:{}\n", "=".repeat((i * 7 + s as usize) % width));
            let written = |s: Source| (0..40).map(|i| line(s, i)).collect::<String>();
            let texts = [written(1), written(2)];
            let mut at = [0usize; 2];
            let mut lines = Lines::new(None);
            for (source, length) in lengths {
                let k = (source - 1) as usize;
                let end = (at[k] + length).min(texts[k].len());
                lines.take(source, &texts[k].as_bytes()[at[k]..end]);
                at[k] = end;
            }
            lines.take(1, &texts[0].as_bytes()[at[0]..]);
            lines.take(2, &texts[1].as_bytes()[at[1]..]);
            let out = text(&mut lines);
            for (prefix, written) in ["1:", "2:"].into_iter().zip(&texts) {
                let own: String = out.split_inclusive('\n').filter(|l| l.starts_with(prefix)).collect();
                proptest::prop_assert_eq!(&own, written);
            }
        }
    }
}
