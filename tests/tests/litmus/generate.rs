//! Writes the UPC program that runs the litmus programs: for each a body, which is a switch over the threads,
//! and a row of the table that `harness.h` goes through.

use tests::memory_model::{Change, Op, Program};

/// The number of times that each litmus program runs in one run; fewer if the threads meet in every instance,
/// which costs a context switch when they outnumber the processors.
const BATCHES: usize = 24;
const INSTANCES: usize = 128;
const MEETINGS: usize = 64;

/// The text of the program, which includes `harness.h`.
pub fn upc(programs: &[Program]) -> String {
    let mut text = String::from("#include \"harness.h\"\n");
    let mut rows = String::new();
    for (number, program) in programs.iter().enumerate() {
        let (body, source) = body(program);
        text += &format!("\nstatic void body_{number}(int i, int *r) {{\n{body}}}\n");
        let meets = program.threads.iter().flatten().any(|op| matches!(op, Op::Wait | Op::Lock));
        let (batches, instances) = if meets { (2, MEETINGS) } else { (BATCHES, INSTANCES) };
        rows += &format!(
            "    {{{number}, {}, {}, {batches}, {instances}, {{{source}}}, body_{number}}},\n",
            program.threads.len(),
            program.registers()
        );
    }
    let count = programs.len();
    text + &format!("\nconst struct litmus all_litmus[] = {{\n{rows}}};\nconst int litmus_count = {count};\n")
}

/// The statements of all threads, and the source of each value of the outcome.
fn body(program: &Program) -> (String, String) {
    let mut text = String::from("    switch (MYTHREAD) {\n");
    let mut source = Vec::new();
    for (thread, steps) in program.threads.iter().enumerate() {
        text += &format!("    case {thread}:\n");
        for step in steps {
            text += &format!("        {}\n", statement(*step, source.len()));
            if matches!(step, Op::Read { .. }) {
                source.push(thread.to_string());
            }
        }
        text += "        break;\n";
    }
    source.extend(program.finals.iter().map(|location| format!("-1 - {location}")));
    (text + "    }\n", source.join(", "))
}

fn statement(op: Op, register: usize) -> String {
    let object = |location, strict| format!("{}({location})", if strict { "STRICT" } else { "RELAXED" });
    match op {
        Op::Read { location, strict } => format!("r[{register}] = {};", object(location, strict)),
        Op::Write { location, value, strict } => format!("{} = {value};", object(location, strict)),
        Op::Update { location, change: Change::Add(by), strict } => {
            format!("{} += {by};", object(location, strict))
        }
        Op::Update { location, change: Change::Max(value), strict } => {
            let object = object(location, strict);
            format!("if ({value} > {object}) {object} = {value};")
        }
        Op::Fence => "upc_fence;".into(),
        Op::Notify => "upc_notify;".into(),
        Op::Wait => "upc_wait;".into(),
        Op::Lock => "upc_lock(lock);".into(),
        Op::Unlock => "upc_unlock(lock);".into(),
    }
}
