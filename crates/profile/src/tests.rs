//! Tests from the threads' parts to text and page, with parts made here.

use std::fs;
use std::path::Path;

use launch::Frame;

use crate::show::{page, text};
use crate::{file, lines, part, record};

fn words(values: &[u64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A thread's part as the runtime writes it: two entries, of which the first has a call.
fn bytes(thread: u32, threads: u32) -> Vec<u8> {
    let mut all = b"meridian-lines\r\n".to_vec();
    for value in [2, thread, threads, 2, 1, 1] {
        all.extend(u32::to_le_bytes(value));
    }
    all.extend(words(&[1_000_000 + u64::from(thread), 4000, 0, 0]));
    let mut host = b"alpha".to_vec();
    host.resize(64, 0);
    all.extend(host);
    all.extend(words(&[0x1000, 0x1000, 0x2000, 9]));
    all.extend(b"/no/where");
    all.extend(words(&[0x1010, 80, 10, 1000 + u64::from(thread), 300, 5]));
    all.extend(words(&[0, 0, 2, 500, 400, 1]));
    all.extend(words(&[100, 300, 8, 1 << 32]));
    all.extend(b"meridian-lines\r\n");
    all
}

/// A thread's part of an Id90 program: two counters, two code-blocks and a quantum of the second.
fn tam_bytes(thread: u32, threads: u32, counted: u64) -> Vec<u8> {
    let mut tam = words(&[2, 2, 1, 7]);
    for (name, value) in [("alu integer", counted), ("quanta", 7)] {
        tam.extend(words(&[value]));
        let mut name = name.as_bytes().to_vec();
        name.resize(48, 0);
        tam.extend(name);
    }
    for (name, file, line, ns) in [("main", "", 0_u32, 10), ("f<", "/no/f.id", 3, 90)] {
        tam.extend(words(&[1, 7, ns, 5]));
        for value in [line, name.len() as u32, file.len() as u32, 0] {
            tam.extend(value.to_le_bytes());
        }
        tam.extend(name.bytes().chain(file.bytes()));
    }
    tam.extend(words(&[100, 90, 1 | 5 << 32, 2 | 3 << 32]));
    let mut all = bytes(thread, threads);
    all.truncate(all.len() - 16);
    all[64..72].copy_from_slice(&(tam.len() as u64).to_le_bytes());
    all.extend(tam);
    all.extend(b"meridian-lines\r\n");
    all
}

#[test]
fn the_machine_under_an_id90_program_is_summed_shown_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.json");
    fs::write(&file, [tam_bytes(0, 2, 30), tam_bytes(1, 2, 12)].concat()).unwrap();
    crate::finish(&file, &["p".into()], "0.0").unwrap();
    let profile = file::read(&file).unwrap();
    let tam = profile.tam.as_ref().unwrap();
    assert_eq!((tam.class("alu"), tam.counter("quanta"), tam.quanta_shown), (vec![30, 12], vec![7, 7], 2));
    assert_eq!((tam.codeblocks[0].ns, tam.codeblocks[0].place()), (180, "f< /no/f.id:3".into()));
    let shown = text::report(&profile, false);
    let row = |name: &str| shown.lines().find(|line| line.trim_start().starts_with(name)).unwrap().to_owned();
    let cells = |name: &str| row(name).split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(cells("alu"), ["alu", "100.0", "42", "30", "12"], "{shown}");
    assert!(page::html(&profile, &[]).contains("f&lt; /no/f.id:3"));
    let document: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let events = document["traceEvents"].as_array().unwrap();
    let slice = events.iter().find(|event| event["cat"] == "quantum" && event["tid"] == 1).unwrap();
    assert_eq!((&slice["name"], &slice["dur"], &slice["ts"]), (&"f<".into(), &0.09.into(), &0.101.into()));
    assert_eq!((&slice["args"]["line"], &slice["args"]["threads"]), (&"/no/f.id:3".into(), &5.into()));
    let counter = events.iter().find(|event| event["ph"] == "C").unwrap();
    assert_eq!((&counter["args"]["live"], &counter["args"]["ready"]), (&2.into(), &3.into()));
    // If the instructions were not counted, the report tells how to count them.
    fs::write(&file, tam_bytes(0, 1, 0)).unwrap();
    crate::finish(&file, &["p".into()], "0.0").unwrap();
    let shown = text::report(&file::read(&file).unwrap(), false);
    assert!(shown.contains("--count-instructions") && !shown.contains("alu"), "{shown}");
}

#[test]
fn a_machines_part_that_is_cut_or_damaged_is_refused() {
    let whole = tam_bytes(0, 1, 1);
    for n in bytes(0, 1).len() - 16..whole.len() {
        assert!(part::read(&whole[..n]).is_err(), "{n} bytes");
    }
    let why = |at: usize, value: u8| {
        let mut wrong = whole.clone();
        wrong[at] = value;
        part::read(&wrong).unwrap_err().to_string()
    };
    assert!(why(whole.len() - 32, 2).contains("an empty quantum"));
    let tam = bytes(0, 1).len() - 16;
    assert!(why(tam + 16, 0).contains("more than it says"));
    assert!(why(tam + 1, 255).contains("cut off"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.json");
    fs::write(&file, &whole).unwrap();
    crate::finish(&file, &["p".into()], "0.0").unwrap();
    let text = fs::read_to_string(&file).unwrap().replace("\"processors\":[0]", "\"processors\":[]");
    assert!(file::parse(text.as_bytes()).unwrap_err().to_string().contains("without its processors"));
}

#[test]
fn parts_become_a_profile_that_is_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.profile.json");
    fs::write(&file, [bytes(0, 3), bytes(2, 3)].concat()).unwrap();
    crate::finish(&file, &["./prog".into(), "7".into()], "0.0").unwrap();
    let profile = file::read(&file).unwrap();
    assert_eq!((profile.threads, &*profile.missing, profile.ran.len()), (3, &[1][..], 2));
    let first = &profile.lines[0];
    assert_eq!((first.kind.as_str(), first.calls, first.bytes, first.ns), ("get", 20, 160, 2002));
    assert_eq!((first.slowest_thread, first.slowest_ns, first.function.as_str()), (2, 1002, "/no/where"));
    assert_eq!(
        (profile.lines[1].kind.as_str(), profile.lines[1].function.as_str()),
        ("barrier", "other places")
    );
    assert!((profile.percent(first.ns) - 25.025).abs() < 1e-9);
    let document: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let events = document["traceEvents"].as_array().unwrap();
    assert_eq!(events.iter().filter(|event| event["ph"] == "X").count(), 2);
    let call = events.iter().find(|event| event["ph"] == "X" && event["tid"] == 2).unwrap();
    assert_eq!(
        (&call["dur"], &call["args"]["bytes"], &call["args"]["with_thread"]),
        (&0.3.into(), &8.into(), &1.into())
    );
    assert_eq!(call["ts"], 0.102);
}

#[test]
fn text_and_page_show_sources_with_costs_and_escape_them() {
    let line = |line, kind: &str, ns| record::Line {
        file: Some(0),
        line,
        function: "main".into(),
        kind: kind.into(),
        calls: 1234567,
        bytes: 8,
        ns,
        longest_ns: ns,
        slowest_thread: 0,
        slowest_ns: ns,
    };
    let source: String = (1..=20).map(|n| format!("a<{n};\n")).collect();
    let profile = record::Profile {
        command: vec!["p".into()],
        threads: 1,
        ran: vec![record::Thread { thread: 0, host: "h".into(), ns: 1000 }],
        files: vec![record::File { path: "/no/x.upc".into(), text: Some(source), newer: false }],
        lines: vec![line(10, "get", 500), line(10, "put", 100), line(19, "barrier", 1)],
        ..record::Profile::default()
    };
    let shown = text::report(&profile, false);
    assert!(shown.contains("1,234,567"), "{shown}");
    assert!(shown.contains("  60.0     2,469,134              16     10 | a<10;"), "{shown}");
    assert!(shown.contains("8 | a<8;") && !shown.contains("a<7;") && shown.contains("..."), "{shown}");
    assert!(text::report(&profile, true).contains("a<7;"));
    let page = page::html(&profile, &crate::warnings(&profile));
    assert!(page.contains("a&lt;10;") && page.contains("href=\"#f0l10\"") && page.contains("id=\"f0l10\""));
    assert!(!page.contains("http"), "a page needs nothing beside it");
}

#[test]
fn parts_that_are_cut_damaged_or_of_another_version_are_refused() {
    let whole = bytes(0, 1);
    assert_eq!(part::read(&whole).unwrap().len(), 1);
    for n in 1..whole.len() {
        assert!(part::read(&whole[..n]).is_err(), "{n} bytes");
    }
    let mut other = whole.clone();
    other[16] = 1;
    assert!(part::read(&other).unwrap_err().to_string().contains("another version"));
    let mut wrong = whole;
    let at = wrong.len() - 24;
    wrong[at] = 9;
    assert!(part::read(&wrong).unwrap_err().to_string().contains("without a place"));
}

#[test]
fn files_that_are_no_profiles_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.json");
    fs::write(&file, bytes(0, 1)).unwrap();
    crate::finish(&file, &["p".into()], "0.0").unwrap();
    let whole = fs::read(&file).unwrap();
    let text = String::from_utf8(whole.clone()).unwrap();
    let wrong = |bytes: &[u8]| file::parse(bytes).unwrap_err().to_string();
    assert!(wrong(&whole[..whole.len() / 2]).contains("cut off"));
    assert!(wrong(b"").contains("has not ended"));
    assert!(wrong(&bytes(0, 1)).contains("has not ended"));
    assert!(wrong(b"{\"traceEvents\": []}").contains("not a profile of"));
    assert!(wrong(b"int main").contains("not a profile of"));
    assert!(
        wrong(text.replace("\"format\":1", "\"format\":2").as_bytes())
            .contains("another version of Meridian (0.0)")
    );
    let missing = file::read(Path::new("/no/where")).unwrap_err().to_string();
    assert_eq!(missing, "cannot read /no/where: No such file or directory");
    fs::write(&file, "").unwrap();
    let none = crate::finish(&file, &["p".into()], "0.0").unwrap_err().to_string();
    assert!(none.contains("no thread has left a profile") && !file.exists(), "{none}");
}

#[test]
fn functions_of_meridians_headers_are_passed_over() {
    let frame = |file: &str, line| Frame { function: format!("f{line}"), line: Some((file.into(), line)) };
    let frames = [
        frame("/usr/include/meridian/abi/access.h", 1),
        frame("<meridian>", 2),
        frame("/home/meridian/x.upc", 3),
    ];
    assert_eq!(lines::user(&frames), Some(&frames[2]));
    assert_eq!(lines::user(&frames[..1]), Some(&frames[0]));
    assert_eq!(lines::user(&[]), None);
}
