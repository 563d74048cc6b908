//! The findings of `-fsanitize=pgas`, in the user's terms.
//!
//! A thread that has found an error in the use of shared memory starts `meridian finding` and writes a few
//! lines of numbers to it (`runtime/sanitize/report.c`). This module names their places: `record` reads the
//! lines, `places` finds source lines, `objects` names arrays and elements, and this file puts them into
//! words.

mod objects;
mod places;
mod record;

use places::{Place, Places};
use record::{Access, Act, Block, Kind, Record};
use std::fmt::Write;

/// Returns the message of a finding in process `pid`, from the lines that describe it, behind a line that is
/// the same for all findings at the same places.
///
/// # Errors
/// Fails if the lines describe no finding.
pub fn finding(pid: u32, lines: &str) -> Result<String, String> {
    let record = Record::parse(lines)?;
    Ok(told(&record, &Places::of_process(pid), &objects::name(pid, &record.object)))
}

/// Returns the message: `name` is the static object's name.
fn told(record: &Record, places: &Places, name: &str) -> String {
    let [later, earlier] = &record.accesses;
    let (now, before) = (places.of(&later.frames), places.of(&earlier.frames));
    let object = object(record, name);
    let mut text = name_of(&now, &before, &object);
    let error = match record.kind {
        Kind::Race => "data race on",
        Kind::Freed => "use of freed memory:",
    };
    let _ = writeln!(text, "{}: {error} {object}", head(&now));
    add(&mut text, &format!("thread {} {}", later.thread, act(later, false)), &now);
    add(&mut text, &format!("thread {} {}", earlier.thread, act(earlier, true)), &before);
    if let Some(block) = &record.block {
        add(
            &mut text,
            &format!("the block of {} was allocated", bytes(block.size)),
            &places.of(&block.frames),
        );
    }
    let _ = match record.kind {
        Kind::Race => {
            writeln!(text, "  Nothing orders the two accesses: {}.", advice(&now, &before, later, earlier))
        }
        Kind::Freed => writeln!(text, "  Free the memory after its last use, behind a barrier."),
    };
    text
}

/// Returns the line that is the same for all findings with these places, whichever of the two came first. If
/// a place is unknown, the object names the finding.
fn name_of(one: &[Place], two: &[Place], object: &str) -> String {
    if one.is_empty() || two.is_empty() {
        return format!("{object}\n");
    }
    let mut ends = [one, two].map(|stack| stack.iter().map(Place::short).collect::<Vec<_>>().join(" "));
    ends.sort();
    ends.join(" | ") + "\n"
}

/// Returns the object in words: its name, or its place in its block, its size and its owner.
fn object(record: &Record, name: &str) -> String {
    let object = &record.object;
    let owner = format!("thread {}'s memory", object.owner);
    match &record.block {
        Some(Block { start, .. }) => {
            format!(
                "byte {} of a block of the heap ({} in {owner})",
                object.native - start,
                bytes(object.size)
            )
        }
        None => format!("{name} ({} of {owner})", bytes(object.size)),
    }
}

fn bytes(n: u64) -> String {
    if n == 1 { "1 byte".into() } else { format!("{n} bytes") }
}

/// Returns the act of an access in words, in the present or the past.
fn act(access: &Access, past: bool) -> String {
    let (does, did, how) = match access.act {
        Act::Read => ("reads", "read", ""),
        Act::Write => ("writes", "wrote", ""),
        Act::AtomicRead => ("reads", "read", ", by a strict access or an atomic operation,"),
        Act::AtomicWrite => ("writes", "wrote", ", by a strict access or an atomic operation,"),
        Act::Free => ("frees", "freed", ""),
    };
    let how = if access.transfer { ", by a transfer that is not known to be complete," } else { how };
    format!("{} it{how}", if past { did } else { does })
}

/// Returns the place with which the message begins.
fn head(stack: &[Place]) -> String {
    stack.first().map_or_else(|| "meridian".into(), Place::short)
}

/// Adds an access with its calls.
fn add(text: &mut String, what: &str, stack: &[Place]) {
    let Some((first, callers)) = stack.split_first() else {
        let _ = writeln!(text, "  {what} at an unknown place");
        return;
    };
    let _ = writeln!(text, "  {what} at {}", first.long());
    for caller in callers {
        let _ = writeln!(text, "      called at {}", caller.long());
    }
}

/// Returns advice: a way to order the accesses.
fn advice(now: &[Place], before: &[Place], later: &Access, earlier: &Access) -> String {
    let (one, two) = (head(now), head(before));
    if now.is_empty() || before.is_empty() {
        return "a barrier between them, or one lock around both, would".into();
    }
    if later.transfer || earlier.transfer {
        let begun = if earlier.transfer { two } else { one };
        return format!(
            "upc_sync for the transfer of {begun} would, with a barrier after it for other threads"
        );
    }
    if one == two {
        return format!(
            "{one} is run by several threads at once. A lock around it, an atomic operation, or a single thread \
             that does it would order them"
        );
    }
    format!("a barrier between {two} and {one}, or one lock around both, would")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_race_names_both_accesses_and_a_cure() {
        let record = Record::parse("kind race\nobject 1 400010 4\naccess 1 write\naccess 0 read\n").unwrap();
        let text = told(&record, &Places::none(), "a[3]");
        assert!(
            text.starts_with("a[3] (4 bytes of thread 1's memory)\nmeridian: data race on a[3] (4 bytes of thread 1's memory)\n"),
            "{text}"
        );
        assert!(text.contains("thread 1 writes it at an unknown place"), "{text}");
        assert!(text.contains("thread 0 read it at an unknown place"), "{text}");
    }

    #[test]
    fn memory_of_the_heap_is_named_by_its_block() {
        let lines = "kind freed\nobject 0 500010 8\nblock 500000 64\naccess 1 read\naccess 0 free\n";
        let text = told(&Record::parse(lines).unwrap(), &Places::none(), "");
        let first =
            "meridian: use of freed memory: byte 16 of a block of the heap (8 bytes in thread 0's memory)";
        assert!(text.contains(first), "{text}");
        assert!(text.contains("thread 0 freed it at"), "{text}");
        assert!(text.contains("the block of 64 bytes was allocated at"), "{text}");
    }

    #[test]
    fn wrong_lines_are_refused() {
        assert!(finding(0, "kind nonsense\n").is_err());
        assert!(finding(0, "").is_err());
    }
}
