//! Trials: a program is compiled, and moves data between two threads in every available way.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use base::{programs, scratch};

use super::{Finding, Installation, conduits};

/// A limit that is longer than any of the trials takes.
const LONG: Duration = Duration::from_secs(60);

/// Each thread sends a megabyte to the next, fetches it back, and compares.
const PROGRAM: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
#define SIZE (1 << 20)
typedef shared [] char *place;
shared place places[THREADS];
static unsigned char sent[SIZE], got[SIZE];
int main(void) {
    int wrong = THREADS < 2, next = (MYTHREAD + 1) % THREADS;
    places[MYTHREAD] = (place)upc_alloc(SIZE);
    for (int i = 0; i < SIZE; i++)
        sent[i] = (unsigned char)(i * 7 + i / 256 + MYTHREAD);
    upc_barrier;
    upc_memput(places[next], sent, SIZE);
    upc_memget(got, places[next], SIZE);
    for (int i = 0; i < SIZE; i++)
        wrong |= sent[i] != got[i];
    upc_barrier;
    if (MYTHREAD == 0 && !wrong)
        printf("right\n");
    return wrong;
}
"#;

/// Tries everything that is installed.
pub fn all(installation: &Installation, hosts: Option<&str>) -> Vec<Finding> {
    // In the current directory, which is more likely than /tmp to be on all hosts.
    let prefix = "meridian-doctor-";
    let made = scratch::directory_in(Path::new("."), prefix).or_else(|_| scratch::directory(prefix));
    let Ok(directory) = made else {
        return vec![Finding::broken(
            "compiling",
            "no directory can be written to",
            "run meridian doctor in a directory that you may write to",
        )];
    };
    let path = directory.path().canonicalize().unwrap_or_else(|_| directory.path().to_path_buf());
    match compile(installation, &path) {
        Err(why) => vec![Finding::broken("compiling", why, "repair the compilers above")],
        Ok(program) => {
            let mut findings = vec![Finding::fine("compiling", "meridian cc compiles and links")];
            findings.extend(jobs(installation, &program, hosts));
            findings
        }
    }
}

fn compile(installation: &Installation, directory: &Path) -> Result<PathBuf, String> {
    let (source, program) = (directory.join("trial.upc"), directory.join("trial"));
    fs::write(&source, PROGRAM).map_err(|e| e.to_string())?;
    let mut command = Command::new(&installation.meridian);
    command.arg("cc").arg(&source).arg("-o").arg(&program);
    outcome(command, directory).map(|_| program)
}

fn jobs(installation: &Installation, program: &Path, hosts: Option<&str>) -> Vec<Finding> {
    let run = |words: &[&str], conduit: Option<&str>| {
        let mut command = Command::new(&installation.meridian);
        command.arg("run").args(words).arg(program);
        if let Some(conduit) = conduit {
            command.env("MERIDIAN_CONDUIT", conduit);
        }
        command
    };
    let local = ["-H", "localhost:1,localhost:1"];
    let named = |what: &str| what.to_owned();
    let mut trials = vec![(named("memory, one host"), run(&["-n", "2"], None), true)];
    for conduit in conduits::all() {
        let compiled_in = conduit.package.is_none();
        if compiled_in || installation.file(&conduit.module()).is_some() {
            let what = format!("conduit {}", conduit.name);
            trials.push((what, run(&local, Some(conduit.name)), compiled_in));
        }
    }
    if let Some(list) = hosts {
        trials.push((named("your hosts"), run(&["-H", list], None), true)); // they were asked for
    }
    if programs::find("mpirun.openmpi").is_some() && installation.file("meridian/boot-pmix.so").is_some() {
        let mut command = Command::new("mpirun.openmpi");
        command.args(["--oversubscribe", "--bind-to", "none", "-n", "2"]).arg(program);
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        trials.push((named("mpirun, PMIx"), command, false));
    }
    if programs::find("mpiexec.hydra").is_some() {
        let hydra = |words: &[&str]| {
            let mut command = Command::new("mpiexec.hydra");
            command.args(words).args(["-n", "2"]).arg(program);
            command
        };
        trials.push((named("mpiexec.hydra, PMI-1"), hydra(&[]), false));
        // Version 2 is used if the environment announces it, as that of srun --mpi=pmi2 does.
        trials.push((named("mpiexec.hydra, PMI-2"), hydra(&["-env", "PMI_JOBID", "any"]), false));
    }
    let directory = program.parent().expect("a program in a directory").to_path_buf();
    let judge = |(what, command, needed): (String, Command, bool)| match outcome(command, &directory) {
        Ok((said, took)) if said.contains("right") => {
            Finding::fine(what, format!("correct, in {:.0} ms with the start", took.as_secs_f64() * 1e3))
        }
        Ok(_) => Finding::broken(what, "the received data differ from the sent data", "report this"),
        Err(why) if needed => Finding::broken(what, why, "see the rows above, or report this"),
        Err(why) if what.starts_with("conduit ") => {
            Finding::absent(what, why, "see its message; MERIDIAN_CONDUIT=tcp works without this conduit")
        }
        Err(why) => Finding::absent(what, why, "see its message; `meridian run` works without this launcher"),
    };
    trials.into_iter().map(judge).collect()
}

/// Returns a command's output and the time that it took; or the last line of its errors.
fn outcome(mut command: Command, directory: &Path) -> Result<(String, Duration), String> {
    for (name, _) in std::env::vars().filter(|(name, _)| name == "MERIDIAN_THREADS") {
        command.env_remove(name);
    }
    let (said, complained) = (directory.join("said"), directory.join("complained"));
    let file = |path: &Path| fs::File::create(path).map_err(|e| e.to_string());
    command.stdin(Stdio::null()).stdout(file(&said)?).stderr(file(&complained)?);
    let began = Instant::now();
    let mut child = command.spawn().map_err(|e| e.to_string())?;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            break Some(status);
        }
        if began.elapsed() > LONG {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let took = began.elapsed();
    let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
    match status {
        None => Err(format!("has not ended within {} s", LONG.as_secs())),
        Some(status) if status.success() => Ok((read(&said), took)),
        Some(status) => {
            let text = read(&complained);
            let line = text.lines().find(|l| l.contains("meridian") || l.contains("error"));
            let line = line.or(text.lines().next()).unwrap_or("no message was printed");
            Err(format!("{status}: {}", line.trim()))
        }
    }
}
