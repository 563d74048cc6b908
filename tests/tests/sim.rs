//! `meridian sim` from outside: models, recordings of programs and their prediction, and bad input.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use tests::scratch::Scratch;

const LIMIT: Duration = Duration::from_secs(120);
/// A machine in whole nanoseconds.
const MACHINE: &str = "-L 5us -o 1us -g 2us -G 1ns";

/// A directory of the test's own, whose commands have no machine profile.
fn scratch(name: &str) -> Scratch {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sim").join(name);
    Scratch::new(folder, LIMIT).with("MERIDIAN_PROFILE", "none")
}

fn predictions(scratch: &Scratch, line: &str) -> Vec<Value> {
    let value: Value = serde_json::from_str(&scratch.good(&format!("sim {line} --json"))).unwrap();
    value["predictions"].as_array().unwrap().clone()
}

#[test]
fn a_model_is_predicted() {
    let scratch = scratch("model");
    scratch.write("ring.model", "meridian-model 1\nprocesses 10\nring bytes 1 # once\n");
    let text = scratch.good(&format!("sim ring.model {MACHINE}"));
    assert!(text.starts_with("10 processes: 70.000 µs\n10 messages\n"), "{text}");
    assert!(text.contains("critical path: 10 messages") && text.contains("latency"), "{text}");
    let table = scratch.good(&format!("sim ring.model {MACHINE} -n 10..1000 --svg ring.svg"));
    assert!(table.contains("        20     140.000 µs      2.000"), "{table}");
    let svg = std::fs::read_to_string(scratch.path("ring.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.contains("crossbar, 640: 4.48 ms"), "{svg}");
    let all = predictions(&scratch, &format!("ring.model {MACHINE} -n 2,3"));
    assert_eq!((all[0]["time"].as_f64(), all[1]["time"].as_f64()), (Some(14e3), Some(21e3)));
    let far = predictions(&scratch, &format!("ring.model {MACHINE} -n 16 -t mesh2 --hop 1us"));
    assert_eq!(far[0]["time"].as_f64(), Some(16.0 * 7e3 + 3.0 * 3e3 + 5e3), "{far:?}");
}

#[test]
fn bad_input_is_refused_with_its_reason() {
    let scratch = scratch("refused");
    scratch.write("ring.model", "meridian-model 1\nring bytes 8\n");
    scratch.write("future.model", "meridian-model 9\n");
    scratch.write("cut.trace", "meridian-trace\r\n\u{1}");
    scratch.write("wrong.model", "meridian-model 1\nbarrier\nringg bytes 8\n");
    scratch.write("machine.toml", "version = 7\n");
    let with = |file: &str| format!("sim {file} {MACHINE} -n 4");
    scratch.refused(&with("none.model"), &["cannot read none.model"]);
    scratch.refused(&with("future.model"), &["future.model", "version `9`"]);
    scratch.refused(&with("cut.trace"), &["cut.trace", "cut off"]);
    scratch.refused(&with("wrong.model"), &["wrong.model", "line 3", "no statement `ringg`"]);
    scratch.refused(&format!("sim ring.model {MACHINE}"), &["by --threads"]);
    scratch.refused("sim ring.model -n 4", &["no machine profile", "--latency", "meridian bench tune"]);
    scratch.refused("sim ring.model -n 4 --profile machine.toml", &["machine.toml", "version 7"]);
    scratch.refused(&format!("{} -t ring", with("ring.model")), &["no topology `ring`", "torus3"]);
    scratch.refused(&format!("{} --hop 1s", with("ring.model")), &["--hop is more than 1 ms"]);
    scratch.refused(&format!("sim ring.model {MACHINE} -n 0"), &["from 1 to 16777216"]);
    scratch.refused("sim ring.model -n 4 -L -5", &["`-5` is no time"]);
    scratch.refused("sim ring.model -n 4 -L soon", &["`soon` is no time"]);
    scratch.refused(&format!("{} --svg no/where.svg", with("ring.model")), &["cannot write no/where.svg"]);
}

const PROGRAM: &str = r#"
#include <upc.h>
#include <upc_collective.h>
#include <stdlib.h>
shared int sum, parts[THREADS];
shared [64] char bytes[64 * THREADS];
shared [] char one[64];
upc_lock_t *lock;
static volatile double sink;
static void compute(void) { for (int i = 0; i < 200000; i++) sink += i; }
int main(int argc, char **argv) {
    lock = upc_all_lock_alloc();
    for (int turn = 0; turn < 5; turn++) {
        compute();
        upc_lock(lock);
        sum++;
        upc_unlock(lock);
        upc_barrier;
        upc_all_reduceI(&sum, parts, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
        upc_all_broadcast(bytes, one, 8, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
        upc_notify;
        compute();
        upc_wait;
    }
    if (argc > 1 && MYTHREAD == 1)
        abort();
    upc_barrier;
    return 0;
}
"#;

#[test]
fn a_program_is_recorded_and_predicted() {
    let scratch = scratch("record");
    scratch.write("prog.upc", PROGRAM);
    scratch.good("cc -O2 prog.upc -o prog");
    scratch.good("run -n 2 --record prog.trace ./prog");
    let all = predictions(&scratch, &format!("prog.trace {MACHINE} -n 2,4,7,64"));
    let number = |value: &Value| value.as_f64().unwrap();
    assert!(number(&all[0]["measured"]) > 0.0 && all[1]["measured"].is_null(), "{all:?}");
    for (prediction, n) in all.iter().zip([2, 4, 7, 64]) {
        let parts = &prediction["path"]["parts"];
        let sum: f64 = parts.as_object().unwrap().values().map(number).sum();
        assert!((sum / number(&prediction["time"]) - 1.0).abs() < 1e-9, "{prediction}");
        // The lower bound is one thread's computing and 11 barriers of log n rounds of 2o + L.
        let rounds = f64::from(32 - (n - 1_u32).leading_zeros());
        assert!(number(&prediction["time"]) > 11.0 * rounds * 7e3, "{prediction}");
        assert!(number(&parts["computing"]) > 0.0 && number(&parts["latency"]) > 0.0, "{prediction}");
    }
    // Computing is as recorded: the same for each copy of a thread, half with twice as many threads.
    let mean = |line: &str| number(&predictions(&scratch, line)[0]["mean"]["computing"]);
    let (two, four) = (format!("prog.trace {MACHINE} -n 2"), format!("prog.trace {MACHINE} -n 4"));
    assert!((mean(&four) / mean(&two) - 1.0).abs() < 1e-6);
    assert!((mean(&format!("{four} --scaling strong")) / mean(&two) - 0.5).abs() < 1e-6);
    assert!((mean(&format!("{four} --cores 2")) / mean(&two) - 2.0).abs() < 1e-6);
    assert!((mean(&format!("{four} --cores 1")) / mean(&two) - 2.0).abs() < 1e-6);
}

#[test]
fn threads_that_share_cores_take_turns_at_each_wait() {
    let scratch = scratch("switch");
    scratch.write("prog.upc", PROGRAM);
    scratch.good("cc -O2 prog.upc -o prog");
    scratch.good("run -n 2 --record two.trace ./prog");
    scratch.good("run -n 4 --record four.trace ./prog");
    let mean = |options: &str| {
        let all = predictions(&scratch, &format!("two.trace {MACHINE} {options}"));
        all[0]["mean"]["computing"].as_f64().unwrap()
    };
    let (none, some) = (mean("-n 8 --cores 2"), mean("-n 8 --cores 2 --switch 1ms"));
    // Four threads a core: four switches for each call of all threads, which are 21 in the program and some
    // when it starts and ends.
    let waits = (some - none) / 4e6;
    assert!((21.0..60.0).contains(&waits) && (waits - waits.round()).abs() < 1e-6, "{waits}");
    let twice = (mean("-n 16 --cores 2 --switch 1ms") - mean("-n 16 --cores 2")) / 8e6;
    assert!((twice - waits).abs() < 1e-6, "{twice} {waits}");
    // The time of a switch grows by 1 ms from four threads on a core to eight, and is the same with two.
    let growing = |options: &str| mean(&format!("{options} --cores 2 --switch 2ms --switch-growth 1ms"));
    let eight = (growing("-n 16") - mean("-n 16 --cores 2")) / 8e6;
    assert!((eight - 3.0 * waits).abs() < 1e-6, "{eight} {waits}");
    let two = (growing("-n 4") - mean("-n 4 --cores 2")) / 2e6;
    assert!((two - 2.0 * waits).abs() < 1e-6, "{two} {waits}");
    assert!((mean("-n 2 --cores 2 --switch 1ms") - mean("-n 2 --cores 2")).abs() < 1e-6);
    assert!((mean("-n 8 --switch 1ms") - mean("-n 8")).abs() < 1e-6, "without --cores none are shared");

    // Another recording stands beside the prediction for as many threads.
    let line = format!("sim two.trace {MACHINE} -n 2,4,8 --cores 2 --measured four.trace --svg both.svg");
    let table = scratch.good(&line);
    let rows: Vec<usize> = table.lines().map(|line| line.matches('%').count()).collect();
    assert_eq!(rows, [0, 1, 1, 0], "{table}");
    assert!(table.contains("measured"), "{table}");
    assert!(scratch.read("both.svg").contains("measured, 4: "), "{table}");
    scratch.write("ring.model", "meridian-model 1\nring bytes 8\n");
    let with = |more: &str| format!("sim two.trace {MACHINE} {more}");
    scratch.refused(&with("--measured ring.model"), &["ring.model is a model"]);
    scratch.refused(&with("--measured none.trace"), &["cannot read none.trace"]);
    scratch.refused(&with("--cores 1 --switch 2s"), &["--switch is more than 1 s"]);
    scratch.refused(&with("--cores 1 --switch-growth 2s"), &["--switch-growth is more than 1 s"]);
    scratch.refused(&with("--switch soon"), &["`soon` is no time"]);
}

#[test]
fn a_job_on_several_hosts_is_recorded() {
    let scratch = scratch("hosts");
    scratch.write("prog.upc", PROGRAM);
    scratch.good("cc -O2 prog.upc -o prog");
    scratch.good("run -n 3 -H localhost:2,localhost:1 --record hosts.trace ./prog");
    assert!(!scratch.path("hosts.trace.0").exists() && !scratch.path("hosts.trace.2").exists());
    let all = predictions(&scratch, &format!("hosts.trace {MACHINE} -n 3,6"));
    assert!(all[0]["measured"].as_f64().unwrap() > 0.0, "{all:?}");
    // The same calls are recorded as on one host, and the accesses of thread 2 to the other host's memory.
    scratch.good("run -n 3 --record host.trace ./prog");
    let one = predictions(&scratch, &format!("host.trace {MACHINE} -n 3,6"));
    for (one, several) in one.iter().zip(&all) {
        assert!(one["messages"].as_u64() < several["messages"].as_u64(), "{one} {several}");
    }
    // A recording of a job that died on one of the hosts is not whole.
    let died = scratch.meridian("run -n 2 -H localhost:1,localhost:1 --record died.trace ./prog die");
    assert_ne!(died.status, 0, "{}", died.report());
    scratch.refused(&format!("sim died.trace {MACHINE}"), &["cut off in its head|the end of thread"]);
}

#[test]
fn a_recording_that_is_not_whole_is_refused() {
    let scratch = scratch("broken");
    scratch.write("prog.upc", PROGRAM);
    scratch.good("cc -O2 prog.upc -o prog");
    assert_ne!(scratch.meridian("run -n 2 --record died.trace ./prog die").status, 0);
    scratch.refused(
        &format!("sim died.trace {MACHINE}"),
        &["died.trace", "cut off in its head|the end of thread"],
    );
    scratch.good("run -n 3 --record whole.trace ./prog");
    let bytes = std::fs::read(scratch.path("whole.trace")).unwrap();
    for (name, part) in [("cut.trace", &bytes[..bytes.len() - 20]), ("head.trace", &bytes[..20])] {
        std::fs::write(scratch.path(name), part).unwrap();
        scratch.refused(&format!("sim {name} {MACHINE}"), &[name, "the trace is cut off|the end of thread"]);
    }
    scratch.refused("run -n 2 --record no/where.trace ./prog", &["--record: cannot write no/where.trace"]);
    // A program that is started without a job records to the named file, which has to exist.
    let mut command = Command::new(scratch.path("prog"));
    let outcome = scratch.run(command.env("MERIDIAN_RECORD", "none.trace"));
    assert_ne!(outcome.status, 0, "{}", outcome.report());
    assert!(outcome.stderr.contains("cannot record to none.trace"), "{}", outcome.report());
}
