//! `meridian bench` from outside: a file of results, its comparison with another, and bad input. No figure is
//! asserted but one: a probe that was made ten times slower is found.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tests::process::{self, Outcome};

const LIMIT: Duration = Duration::from_secs(300);

/// A directory of the test's own.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench").join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Runs `meridian bench` with the words of `line`.
    fn bench(&self, line: &str) -> Outcome {
        let mut command = Command::new(tests::meridian());
        command.arg("bench").args(line.split_whitespace()).current_dir(&self.0);
        let outcome = process::run(&mut command, None, LIMIT, &self.0, "last").unwrap();
        assert!(!outcome.timed_out, "meridian bench {line} does not end: {}", outcome.report());
        assert!(!outcome.stderr.contains("panicked"), "meridian bench {line}: {}", outcome.report());
        outcome
    }

    /// A copy of the probes' sources in `sources`, in whose file `name` a text is replaced.
    fn sources(&self, name: &str, from: &str, to: &str) {
        let bench = tests::home().join("../bench");
        for folder in ["", "c", "probes"] {
            std::fs::create_dir_all(self.0.join("sources").join(folder)).unwrap();
            for entry in std::fs::read_dir(bench.join(folder)).unwrap() {
                let entry = entry.unwrap();
                if entry.path().is_file() {
                    let to = self.0.join("sources").join(folder).join(entry.file_name());
                    std::fs::copy(entry.path(), to).unwrap();
                }
            }
        }
        let name = format!("sources/probes/{name}");
        let text = self.read(&name);
        assert!(text.contains(from), "{name} has no {from}");
        self.write(&name, &text.replace(from, to));
    }
}

fn refused(outcome: &Outcome, texts: &[&str]) {
    assert_ne!(outcome.status, 0, "{}", outcome.report());
    for text in texts {
        assert!(outcome.stderr.contains(text), "no `{text}` in {}", outcome.report());
    }
}

#[test]
fn a_planted_slow_down_is_found() {
    let scratch = Scratch::new("slow");
    scratch.sources(
        "split-c.sc",
        "TURNS(group_put,",
        "TURNS(group_put, for (volatile int w = 0; w < 4000; w++);",
    );
    let measured = scratch.bench("groups --quick --conduit smp -o a.jsonl");
    assert_eq!(measured.status, 0, "{}", measured.report());
    assert!(measured.stdout.contains("get n=480"), "{}", measured.report());
    let measured = scratch.bench("groups --quick --conduit smp -o b.jsonl --sources sources");
    assert_eq!(measured.status, 0, "{}", measured.report());

    let same = scratch.bench("compare a.jsonl a.jsonl");
    assert_eq!(same.status, 0, "{}", same.report());
    assert!(same.stdout.contains("No point changed"), "{}", same.report());
    // A quiet threshold: the other points may be disturbed, but by load alone not tenfold in every round.
    let slower = scratch.bench("compare a.jsonl b.jsonl --threshold 900");
    assert_eq!(slower.status, 1, "{}", slower.report());
    assert!(slower.stdout.contains("split-c groups put over smp, n=1\n"), "{}", slower.report());
}

#[test]
fn a_probe_that_crashes_is_named_and_the_others_go_on() {
    let scratch = Scratch::new("crash");
    scratch.sources(
        "split-c.sc",
        "static void add_groups(void) {",
        "static void add_groups(void) {\n    abort();",
    );
    let end = scratch.bench("groups primitives --quick --conduit smp -o r.jsonl --sources sources --json");
    assert_eq!(end.status, 1, "{}", end.report());
    assert!(end.stderr.contains("split-c groups over smp failed: it ended with"), "{}", end.report());
    let text = scratch.read("r.jsonl");
    assert_eq!(text, end.stdout, "--json prints the file");
    assert!(text.contains("\"kind\":\"failure\"") && text.contains("\"part\":\"primitives\""), "{text}");
}

#[test]
fn a_probe_that_does_not_compile_is_named_and_the_others_go_on() {
    let scratch = Scratch::new("broken");
    scratch.sources("upc.upc", "int main(", "int main((");
    let end = scratch.bench("primitives --quick --conduit smp -o r.jsonl --sources sources --csv");
    assert_eq!(end.status, 1, "{}", end.report());
    assert!(
        end.stderr.contains("the probe in upc failed") && end.stderr.contains("upc.upc:"),
        "{}",
        end.report()
    );
    let head = end.stdout.lines().next().unwrap_or_default();
    assert_eq!(head, "part,dialect,conduit,series,what,bytes,sample,ns", "{}", end.report());
    assert!(end.stdout.contains("\nprimitives,ac,smp,read,latency,8,0,"), "{}", end.report());
}

#[test]
fn bad_files_and_bad_words_are_refused_with_their_reasons() {
    let scratch = Scratch::new("refused");
    scratch.write("version.jsonl", "{\"kind\":\"header\",\"version\":1}\n");
    scratch.write("other.txt", "hello\n");
    scratch.write("empty.jsonl", "");
    refused(
        &scratch.bench("compare version.jsonl other.txt"),
        &["version.jsonl", "version 1", "reads version"],
    );
    refused(&scratch.bench("compare other.txt version.jsonl"), &["other.txt", "no file of results"]);
    refused(&scratch.bench("compare empty.jsonl empty.jsonl"), &["no file of results"]);
    refused(&scratch.bench("compare none.jsonl none.jsonl"), &["cannot read none.jsonl"]);
    refused(&scratch.bench("walks"), &["invalid value 'walks'", "primitives"]);
    refused(&scratch.bench("bulk --program walks"), &["plain-c"]);
    refused(&scratch.bench("plain-c --program nothing -o r.jsonl"), &["no program `nothing`", "walks"]);
    refused(&scratch.bench("bulk -o nowhere/r.jsonl"), &["nowhere/r.jsonl", "no such directory"]);
    refused(&scratch.bench("bulk --sources nowhere"), &["no probes in nowhere"]);
}

#[test]
fn a_host_that_is_not_there_fails_and_what_needs_none_goes_on() {
    let scratch = Scratch::new("host");
    let end =
        scratch.bench("primitives --quick --conduit smp,tcp --hosts localhost:1,localhost:0 -o r.jsonl");
    assert_eq!(end.status, 1, "{}", end.report());
    assert!(end.stderr.contains("over tcp failed") && end.stderr.contains("localhost:0"), "{}", end.report());
    assert!(scratch.read("r.jsonl").contains("\"conduit\":\"smp\""));
}
