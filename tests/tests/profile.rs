//! `meridian run --profile` and `meridian profile` from outside: lines, calls and bytes of programs of each
//! dialect, the page, and bad input.

use std::ops::Deref;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use tests::scratch;

const LIMIT: Duration = Duration::from_secs(120);
const TWO_HOSTS: &str = "-H localhost:1,localhost:1";

/// A directory of the test's own, whose commands have no machine profile.
struct Scratch(scratch::Scratch);

impl Deref for Scratch {
    type Target = scratch::Scratch;

    fn deref(&self) -> &scratch::Scratch {
        &self.0
    }
}

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("profile").join(name);
        Scratch(scratch::Scratch::new(folder, LIMIT).with("MERIDIAN_PROFILE", "none"))
    }

    /// Runs `prog` with these options, and returns its profile.
    fn profile(&self, options: &str) -> Value {
        self.good(&format!("run {options} --profile=p.json ./prog"));
        serde_json::from_str(&self.good("profile p.json --json")).unwrap()
    }

    /// Checks that `meridian LINE` fails with this message.
    fn refused(&self, line: &str, text: &str) {
        let outcome = self.meridian(line);
        assert_ne!(outcome.status, 0, "meridian {line}: {}", outcome.report());
        assert!(outcome.stderr.contains(text), "no `{text}` in {}", outcome.report());
    }
}

/// The calls of one kind in one line of a file, and their bytes; none: 0.
fn cost(profile: &Value, file: &str, line: u64, kind: &str) -> (u64, u64) {
    let files = profile["files"].as_array().unwrap();
    let is = |cost: &&Value| {
        let named = cost["file"].as_u64().map(|n| files[n as usize]["path"].as_str().unwrap());
        named.is_some_and(|path| Path::new(path).ends_with(file))
            && cost["line"] == line
            && cost["kind"] == kind
    };
    let found: Vec<_> = profile["lines"].as_array().unwrap().iter().filter(is).collect();
    let sum = |key: &str| found.iter().map(|cost| cost[key].as_u64().unwrap()).sum();
    (sum("calls"), sum("bytes"))
}

const UPC: &str = r#"#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_collective.h>
#include "twice.h"
shared [10] int a[10 * THREADS];
shared int total[THREADS];
int other(int i);
int main(int argc, char **argv) {
    int t = (MYTHREAD + 1) % THREADS, mine[10], sum = 0;
    upc_lock_t *lock = upc_all_lock_alloc();
    shared int *more = upc_all_alloc(THREADS, sizeof(int));
    for (int i = 0; i < 7; i++)
        sum += other(a[10 * t + i]);
    a[10 * t] = sum; /* a write */
    upc_memget(mine, &a[10 * t], sizeof mine);
    upc_lock(lock);
    sum += TWICE(a[10 * t + 3]);
    upc_unlock(lock);
    upc_all_broadcast(total, total, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    upc_barrier;
    if (argc > 1 && MYTHREAD == 1)
        abort();
    upc_all_free(more);
    return argc > 2 ? 3 : 0;
}
int other(int i) { return i; }
"#;

fn write_upc(scratch: &Scratch) {
    scratch.write("prog.upc", UPC);
    scratch.write("twice.h", "#define TWICE(x) \\\n    ((x) + (x))\n");
}

#[test]
fn each_line_of_a_upc_program_has_its_calls_and_bytes() {
    let scratch = Scratch::new("upc");
    write_upc(&scratch);
    for options in ["-O2", "-O0", "-O3 -g", "-O2 --cc=clang"] {
        if options.contains("clang") && Command::new("clang").arg("--version").output().is_err() {
            continue;
        }
        scratch.good(&format!("cc {options} prog.upc -o prog"));
        let profile = scratch.profile(TWO_HOSTS);
        let cost = |line, kind| cost(&profile, "prog.upc", line, kind);
        // The optimiser starts the reads of all iterations before it waits for one.
        let of_the_loop = if options == "-O0" { "get" } else { "get start" };
        assert_eq!(cost(13, of_the_loop), (14, 56), "{options}: {profile:#}");
        assert_eq!(cost(14, "put start"), (2, 8), "{options}: {profile:#}");
        assert_eq!(cost(15, "get"), (2, 80), "{options}: {profile:#}");
        assert_eq!((cost(16, "lock"), cost(18, "unlock")), ((2, 0), (2, 0)), "{options}: {profile:#}");
        let twice = cost(17, "get"); // the optimiser may merge the two reads
        assert!([(2, 8), (4, 16)].contains(&twice), "{options}: {profile:#}");
        assert_eq!((cost(19, "broadcast").0, cost(20, "barrier").0), (2, 2), "{options}: {profile:#}");
        assert_eq!((cost(11, "barrier").0, cost(22, "barrier").0), (2, 0), "{options}: {profile:#}");
        assert_eq!(cost(23, "barrier").0, 2, "{options}: {profile:#}");
        assert_eq!(profile["ran"].as_array().unwrap().len(), 2);
    }
    // No thread's part remains.
    assert!(!scratch.has("p.json.0") && !scratch.has("p.json.1"));
}

#[test]
fn on_one_host_local_accesses_are_not_counted() {
    let scratch = Scratch::new("local");
    write_upc(&scratch);
    scratch.good("cc -O2 prog.upc -o prog");
    for threads in [1, 2, 3, 4, 8] {
        let profile = scratch.profile(&format!("-n {threads}"));
        assert_eq!(cost(&profile, "prog.upc", 13, "get"), (0, 0), "{profile:#}");
        assert_eq!(cost(&profile, "prog.upc", 20, "barrier"), (threads, 0), "{profile:#}");
    }
}

#[test]
fn split_c_and_ac_have_lines_too() {
    let scratch = Scratch::new("dialects");
    scratch.write(
        "prog.sc",
        "#include <split-c/split-c.h>\nint x[4];\nsplitc_main() {\n    int *global p = toglobal(1, x), v;\n    barrier();\n\
         \x20   if (MYPROC == 0) {\n        v = *p;\n        p[1] = v;\n        v := p[2];\n        sync();\n    }\n    barrier();\n}\n",
    );
    scratch.write(
        "ac.ac",
        "#include <split-c/split-c.h>\ndist int y[PROCS];\nint main(void) {\n    if (MYPROC == 0)\n        y[1] = 3;\n    return 0;\n}\n",
    );
    scratch.good("cc -O2 prog.sc -o prog");
    let profile = scratch.profile(TWO_HOSTS);
    let of = |line, kind| cost(&profile, "prog.sc", line, kind);
    assert_eq!((of(7, "get"), of(8, "put"), of(9, "get start")), ((1, 4), (1, 4), (1, 4)), "{profile:#}");
    assert_eq!((of(10, "completion").0, of(5, "barrier").0, of(12, "barrier").0), (1, 2, 2), "{profile:#}");
    scratch.good("cc -O2 ac.ac -o prog");
    let profile = scratch.profile(TWO_HOSTS);
    assert_eq!(cost(&profile, "ac.ac", 5, "put start"), (1, 4), "{profile:#}");
}

#[test]
fn the_sources_are_shown_with_their_costs() {
    let scratch = Scratch::new("shown");
    write_upc(&scratch);
    scratch.good("cc -O2 prog.upc -o prog");
    scratch.good(&format!("run {TWO_HOSTS} --profile ./prog"));
    let text = scratch.good("profile prog.profile.json");
    assert!(text.contains("2 threads on 1 machine"), "{text}");
    assert!(
        text.lines().any(|line| line.contains("  14 ")
            && line.contains("get start ")
            && line.ends_with("prog.upc:13"))
    );
    // Beside the 14 starts, two threads wait twice for those under way.
    let beside = "            18              56     13 |         sum += other(a[10 * t + i]);";
    assert!(text.contains(beside), "{text}");
    scratch.good("profile prog.profile.json --html page.html");
    let page = scratch.read("page.html");
    assert!(page.contains("sum += other(a[10 * t + i]);") && page.contains("18 calls"), "{page}");
    // The file for Perfetto.
    let trace: Value = serde_json::from_str(&scratch.read("prog.profile.json")).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let gets =
        events.iter().filter(|event| event["name"].as_str().unwrap().starts_with("get start prog.upc:13"));
    assert!(gets.clone().all(|event| event["ph"] == "X" && event["dur"].as_f64() > Some(0.0)));
    assert_eq!(gets.count(), 14);
    // A source that is changed is shown as it was, with a warning.
    scratch.write("prog.upc", format!("/* new */ {UPC}"));
    let outcome = scratch.meridian("profile prog.profile.json");
    assert!(outcome.stderr.contains("prog.upc has been changed since"), "{}", outcome.report());
    assert!(outcome.stdout.contains(beside), "{}", outcome.report());
    // A source that is changed before the program runs is not the compiled one.
    scratch.good(&format!("run {TWO_HOSTS} --profile ./prog"));
    let outcome = scratch.meridian("profile prog.profile.json");
    assert!(outcome.stderr.contains("changed after the program was compiled"), "{}", outcome.report());
}

#[test]
fn without_a_line_table_functions_are_shown() {
    let scratch = Scratch::new("stripped");
    write_upc(&scratch);
    for (options, function) in [("-g0", "main"), ("-s", "/prog")] {
        scratch.good(&format!("cc -O1 {options} prog.upc -o prog"));
        scratch.good(&format!("run {TWO_HOSTS} --profile ./prog"));
        let outcome = scratch.meridian("profile prog.profile.json");
        assert_eq!(outcome.status, 0, "{}", outcome.report());
        assert!(outcome.stderr.contains("some calls have no line"), "{}", outcome.report());
        let shown =
            outcome.stdout.lines().any(|line| line.contains("get start ") && line.ends_with(function));
        assert!(shown, "{}", outcome.report());
    }
}

/// Two functions that call themselves twice: many calls to deal out.
const TREE: &str = "def work n = if n < 2 then 1 else work (n - 1) + work (n - 2);
def tree d k = if d == 0 then work (mod k 13) else tree (d - 1) (2 * k) + tree (d - 1) (2 * k + 1);
tree 9 1;
";

const ID: &str = "% A sum by an array whose elements are stored after they are read.
def fill a n = {for i <- 1 to n do a[i] = float i * 2.0};
def sum a n = { s = 0.0 In {for i <- 1 to n do next s = s + a[i]; finally s} };
{ n = string_to_int (argv 1);
  a = 1d_I_array (1,n);
  s = sum a n;
  call fill a n;
  In s };
";

/// The sum of a counter over all processors.
fn counted(profile: &Value, name: &str) -> u64 {
    let counters = profile["tam"]["counters"].as_array().unwrap();
    let counter =
        counters.iter().find(|counter| counter["name"] == name).unwrap_or_else(|| panic!("no {name}"));
    counter["of"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum()
}

#[test]
fn the_machine_under_an_id90_program_is_counted() {
    let scratch = Scratch::new("id90");
    scratch.write("prog.id", ID);
    let profile = |how: &str| {
        scratch.good(&format!("cc --count-instructions {how} -O1 prog.id -o prog"));
        scratch.good("run -n 1 --profile=p.json ./prog 50");
        serde_json::from_str::<Value>(&scratch.good("profile p.json --json")).unwrap()
    };
    let both = ["--threads=df", "--threads=tam"].map(profile);
    for p in &both {
        // One product and one addition for each element, which is stored once and read once.
        assert!((100..=200).contains(&counted(p, "alu float")), "{p:#}");
        assert!(counted(p, "heap store") >= 50 && counted(p, "heap fetch") >= 50, "{p:#}");
        let reads: u64 =
            ["in line", "full", "deferred"].iter().map(|how| counted(p, &format!("ifetch {how}"))).sum();
        assert!(reads >= counted(p, "heap fetch"), "{p:#}");
        assert_eq!(counted(p, "ifetch deferred"), counted(p, "readers resumed"), "{p:#}");
        assert_eq!(counted(p, "ifetch remote") + counted(p, "istore remote"), 0, "{p:#}");
    }
    let control = |p: &Value| -> u64 {
        let counters = p["tam"]["counters"].as_array().unwrap().iter();
        let names = counters.map(|c| c["name"].as_str().unwrap()).filter(|name| name.starts_with("control "));
        names.map(|name| counted(p, name)).sum()
    };
    assert!(control(&both[1]) < control(&both[0]), "{both:#?}");
    // The slices of the time line are the code-blocks; the report and the page have the machine.
    let trace: Value = serde_json::from_str(&scratch.read("p.json")).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    assert!(events.iter().any(|event| event["cat"] == "quantum" && event["name"] == "main"), "{trace:#}");
    let shown = scratch.good("profile p.json");
    assert!(
        shown.contains("The threaded abstract machine") && shown.contains("instructions a thread"),
        "{shown}"
    );
    scratch.good("profile p.json --html page.html");
    assert!(scratch.read("page.html").contains("class=\"mix\""));
    // Without the option the machine's own counts are there; calls dealt out to two hosts are messages.
    let dealt = Scratch(Scratch::new("id90_dealt").0.with("MERIDIAN_TAM_DEAL", "1"));
    dealt.write("prog.id", ID);
    dealt.good("cc -O1 prog.id -o prog");
    dealt.good(&format!("run {TWO_HOSTS} --profile=p.json ./prog 50"));
    let remote: Value = serde_json::from_str(&dealt.good("profile p.json --json")).unwrap();
    assert_eq!((counted(&remote, "alu float"), counted(&remote, "threads")), (0, 0), "{remote:#}");
    assert!(counted(&remote, "call remote") > 0 && counted(&remote, "quanta") > 1, "{remote:#}");
    assert_eq!(remote["tam"]["processors"], serde_json::json!([0, 1]));
    assert!(dealt.good("profile p.json").contains("--count-instructions"));
}

/// Functions that were called before their operands were there.
const LATE: &str = "type cell = End | Cell {key = int; .later = cell};
def total k End s = if k > 0 then s else 0
 |  total k c s = total k c.later (mod (s + c.key) 1000);
def skip End = 0
 |  skip c = if c.key > 0 then c.key else skip c.later;
def zeros n = if n == 0 then Cell 7 End else Cell 0 (zeros (n - 1));
def fill c n = {for i <- n to n do c.later = zeros 5000};
{ n = string_to_int (argv 1);
  c = Cell 0 _;
  r = total n c 0;  s = skip c;
  call fill c n;
  In (r,s) };
";

#[test]
fn functions_that_had_to_wait_go_on_as_c_functions() {
    let scratch = Scratch::new("late");
    scratch.write("prog.id", LATE);
    scratch.good("cc -O1 prog.id -o prog");
    assert_eq!(scratch.good("run -n 1 --profile=p.json ./prog 3"), "(7,7)\n");
    let profile = serde_json::from_str::<Value>(&scratch.good("profile p.json --json")).unwrap();
    for name in ["activations", "ifetch full", "quanta"] {
        assert!(counted(&profile, name) < 500, "{name}: {profile:#}");
    }
}

/// A recursion without branches, which has nothing to give away; and one with two branches.
const SUM: &str = "def numbers n = if n == 0 then Nil else n : numbers (n - 1);
def sum Nil = 0 | sum (x:xs) = x + sum xs;
sum (numbers (string_to_int (argv 1)));
";
const SORT: &str =
    "def numbers n x = if n == 0 then Nil else x : numbers (n - 1) (mod (x * 1103 + 12345) 65536);
def sort Nil = Nil
 |  sort (p:xs) = sort {: x || x <- xs when x < p} ++ (p : sort {: x || x <- xs when x >= p});
nth 1000 (sort (numbers (string_to_int (argv 1)) 42));
";

#[test]
fn calls_are_given_away_with_what_they_need() {
    let scratch = Scratch::new("shared");
    scratch.write("sum.id", SUM);
    scratch.write("sort.id", SORT);
    let run = |name: &str, most: u32| {
        scratch.good(&format!("cc -O1 {name}.id -o {name}"));
        scratch.good(&format!("run --local -n 2 --profile=p.json ./{name} {most}"));
        serde_json::from_str::<Value>(&scratch.good("profile p.json --json")).unwrap()
    };
    let sum = run("sum", 300000);
    assert_eq!((counted(&sum, "work given"), counted(&sum, "functions left")), (0, 0), "{sum:#}");
    // The other processor may not be there before all is done.
    let sorted = |_| Some(run("sort", 100000)).filter(|profile| counted(profile, "work given") > 0);
    let profile = (0..10).find_map(sorted).expect("nothing is given away");
    // A read of a list that another processor is making would wait at many of its cells.
    assert!(counted(&profile, "ifetch deferred") < 2000, "{profile:#}");
}

#[test]
fn jobs_that_fail_and_files_that_are_no_profiles_say_so() {
    let scratch = Scratch::new("bad");
    write_upc(&scratch);
    scratch.good("cc -O1 prog.upc -o prog");
    // An exit code of its own is the program's, and the profile is there; a death leaves none.
    let outcome = scratch.meridian("run -n 1 --profile=code.json ./prog 1 2");
    assert_eq!(outcome.status, 3, "{}", outcome.report());
    assert!(scratch.good("profile code.json").contains("barrier"), "{}", outcome.report());
    assert_ne!(scratch.meridian("run -n 2 --profile=died.json ./prog die").status, 0);
    assert!(!scratch.has("died.json.0") && !scratch.has("died.json.1"));
    if scratch.has("died.json") {
        let shown = scratch.meridian("profile died.json");
        assert!(shown.stderr.contains("thread 1 died"), "{}", shown.report());
    }
    scratch.refused("profile missing.json", "cannot read missing.json: No such file");
    let whole = scratch.read("code.json");
    scratch.write("cut.json", &whole[..whole.len() / 2]);
    scratch.refused("profile cut.json", "cut.json: the profile is cut off");
    scratch.write("other.json", whole.replace("\"format\":1", "\"format\":9"));
    scratch.refused("profile other.json", "a profile of another version of Meridian");
    scratch.refused("profile prog.upc", "prog.upc: not a profile of meridian run --profile");
    scratch.refused("profile code.json --html no/where.html", "cannot write no/where.html");
    scratch.refused("run -n 1 --profile=no/where.json ./prog", "--profile: cannot write no/where.json");
    scratch.refused("run -n 1 --profile --record=t ./prog", "cannot be used with");
    // A program that Meridian has not linked leaves no profile.
    scratch.refused("run -n 1 --profile=none.json true", "no thread has left a profile");
    assert!(!scratch.has("none.json"));
}

#[test]
fn activations_that_are_dealt_out_are_refused_by_a_processor_with_far_more_than_the_caller() {
    let mut refused = 0;
    for order in ["7", "8", "9"] {
        let scratch = Scratch::new("id90_refused").0.with("MERIDIAN_TAM_DEAL", "1");
        let scratch = Scratch(scratch.with("MERIDIAN_TAM_ORDER", order));
        scratch.write("tree.id", TREE);
        scratch.good("cc -O1 tree.id -o tree");
        assert_eq!(scratch.good("run -H localhost:2,localhost:1 --profile=t.json ./tree").trim(), "23882");
        let costs: Value = serde_json::from_str(&scratch.good("profile t.json --json")).unwrap();
        assert!(counted(&costs, "call remote") > 0, "{costs:#}");
        refused += counted(&costs, "call refused");
    }
    assert!(refused > 0);
}
