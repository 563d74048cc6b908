//! Programs under the launchers of others: mpirun, mpiexec.hydra and Slurm, on this host and over hosts of a
//! `World`; and failures under Meridian's own launcher while threads of several hosts talk. Tests of
//! launchers that are not installed are skipped.

mod page;
mod slurm;

use page::{commands, runs_as_the_page_says};
use slurm::slurm_starts_programs_and_meridian_run_uses_its_hosts;
use std::fs;
use std::io::{BufRead, BufReader, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::time::Instant;

use libtest_mimic::Trial;
use tests::process::{self, LONG, Outcome};
use tests::trial::{Ran, Skip, trial};
use tests::world::{World, alive, wait_for};

/// `net/ring.upc`, compiled.
static RING: LazyLock<PathBuf> =
    LazyLock::new(|| tests::net_program("ring", Path::new(env!("CARGO_TARGET_TMPDIR"))));

fn run(mut command: Command) -> Outcome {
    tests::forget(&mut command, "MERIDIAN_");
    process::run(&mut command, None, LONG).expect("a launcher runs")
}

/// Returns the words of a launcher that starts `count` processes on this host, or, two on each, over the
/// hosts of `world`.
type Words = fn(world: Option<&World>, count: usize) -> Vec<String>;

fn mpirun(world: Option<&World>, count: usize) -> Vec<String> {
    let mut words = vec!["mpirun.openmpi", "--allow-run-as-root", "--bind-to", "none", "--oversubscribe"];
    let (list, rsh);
    if let Some(world) = world {
        list = (0..count / 2).map(|i| format!("{}:2", world.address(i))).collect::<Vec<_>>().join(",");
        rsh = world.path("rsh").display().to_string();
        words.extend(["--host", &list, "--mca", "plm_rsh_agent", &rsh]);
    }
    let count = count.to_string();
    words.extend(["-n", &count]);
    words.into_iter().map(String::from).collect()
}

fn hydra(world: Option<&World>, count: usize) -> Vec<String> {
    let mut words = vec!["mpiexec.hydra"];
    let (list, rsh);
    if let Some(world) = world {
        list = (0..count / 2).map(|i| world.address(i)).collect::<Vec<_>>().join(",");
        rsh = world.path("rsh").display().to_string();
        words.extend(["-launcher", "ssh", "-launcher-exec", &rsh, "-hosts", &list, "-ppn", "2"]);
    }
    let count = count.to_string();
    words.extend(["-n", &count]);
    words.into_iter().map(String::from).collect()
}

/// Returns Meridian's messages in an output. If a thread itself finds the error that ends the job, the line
/// after its message names the place in the program; such lines are left out.
fn messages(said: &str) -> Vec<&str> {
    said.lines().filter(|line| line.contains("meridian: ") && !line.contains("meridian: in ")).collect()
}

/// Runs the program to its end in every way in which it can end; `start` returns a command up to the program.
/// If `exact`, the launcher returns the code of the thread that ends the job; srun returns the greatest of
/// all codes, and 137 for the threads that it has ended. A killed thread causes one message, and a thread
/// that leaves at most one.
fn check(name: &str, count: usize, exact: bool, start: impl Fn() -> Command) {
    let job = |arguments: &[&str]| {
        let mut command = start();
        command.arg(&*RING).args(arguments);
        run(command)
    };
    let end = job(&[]);
    assert_eq!((end.status, end.timed_out), (0, false), "{name}: {}", end.report());
    assert_eq!(end.stdout, format!("{count} threads\n"), "{name}: {}", end.report());
    for (arguments, code) in [(["exit", "7"], 7), (["global", "5"], 5), (["global", "0"], 0)] {
        let end = job(&arguments);
        let right = end.status == code || (!exact && end.status != 0);
        assert!(right && !end.timed_out, "{name} {arguments:?}: {}", end.report());
        assert!(messages(&end.stderr).len() <= 1, "{name} {arguments:?}: {}", end.report());
    }
    for signal in ["9", "11"] {
        let end = job(&["kill", signal]);
        let right = end.status != 0 && !end.timed_out && messages(&end.stderr).len() == 1;
        assert!(right, "{name} kill {signal}: {}", end.report());
    }
}

/// A launcher of others: its command, and its words.
type Launcher = (&'static str, Words);

/// The launchers that take all settings on the command line.
const LAUNCHERS: [Launcher; 2] = [("mpirun.openmpi", mpirun), ("mpiexec.hydra", hydra)];

/// A launcher's command on this host.
fn here((tool, words): Launcher, count: usize) -> Result<Command, Skip> {
    tests::has_commands(&[tool])?;
    let words = words(None, count);
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    Ok(command)
}

/// A launcher's command in host 0 of a world, over all its hosts.
fn over(world: &World, (_, words): Launcher, count: usize) -> Command {
    let words = words(Some(world), count);
    let mut command = world.inside(0, Path::new(&words[0]));
    command.args(&words[1..]);
    command
}

/// Options by which hydra's processes speak version 2 of PMI: they do so if this variable is set. An abort in
/// that version carries no code, so the thread's code is lost.
const PMI_2: [&str; 3] = ["-env", "PMI_JOBID", "any"];

/// A launcher starts programs on this host, with these options besides its own.
fn starts_programs_here(launcher: Launcher, options: &[&str], exact: bool) -> Ran {
    here(launcher, 3)?;
    check(&format!("{}{}", launcher.0, options.join("")), 3, exact, || {
        let mut command = here(launcher, 3).expect("it was here");
        command.args(options);
        command
    });
    Ok(())
}

/// A launcher starts programs over two hosts.
fn starts_programs_on_hosts(launcher: Launcher, options: &[&str], exact: bool) -> Ran {
    tests::has_commands(&[launcher.0])?;
    let world = World::new(2, true)?;
    check(&format!("{}-hosts{}", launcher.0, options.join("")), 4, exact, || {
        let mut command = over(&world, launcher, 4);
        command.args(options);
        command
    });
    Ok(())
}

/// Programs that are linked with different versions of the runtime get a message that names both.
fn names_the_versions_where_they_differ(launcher: Launcher) -> Ran {
    const OLD: &str = "0.0.9 (of old; a=b)";
    let mut command = here(launcher, 1)?;
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, old) = (directory.join("version.c"), directory.join("ring-of-old"));
    fs::write(&source, format!("const char mer_version[] = \"{OLD}\";\n")).expect("a source");
    let mut compile = Command::new(tests::meridian());
    compile.arg("cc").arg(tests::home().join("net/ring.upc")).arg(&source).arg("-o").arg(&old);
    let built = run(compile);
    assert_eq!(built.status, 0, "{}", built.report());
    command.arg(&*RING).args([":", "-n", "1"]).arg(&old);
    let end = run(command);
    let own = messages(&end.stderr);
    let right = own.len() == 1 && own[0].contains(" is linked with Meridian ");
    assert!(end.status != 0 && right && own[0].contains(OLD), "{}", end.report());
    Ok(())
}

/// Threads that all lack descriptors at once, on two hosts, cause one message, both while they find each
/// other and later.
fn tells_once_what_all_threads_lack(launcher: Launcher) -> Ran {
    let tool = launcher.0;
    tests::has_commands(&[tool])?;
    let world = World::new(2, true)?;
    let program = tests::net_program("everyone", &world.path(""));
    // With fewer descriptors the loader finds no libraries: hydra's processes inherit more.
    let least = if tool == "mpiexec.hydra" { 20 } else { 12 };
    let mut refused = 0;
    for limit in (least..).step_by(4) {
        assert!(limit < 100, "{tool}: a few descriptors do");
        let mut command = over(&world, launcher, 4);
        // Without `;', which some launchers' shells would take for their own.
        let script = format!("ulimit -n {limit} && exec {}", program.display());
        fs::write(world.path("few"), script).unwrap();
        command.arg("sh").arg(world.path("few"));
        let end = run(command);
        if end.status == 0 {
            assert_eq!(end.stdout, "4 threads\n", "{tool}: {}", end.report());
            break;
        }
        let own = messages(&end.stderr);
        let right =
            own.len() == 1 && own[0].contains("has reached its limit on open files") && !end.timed_out;
        assert!(right, "{tool} with {limit}: {}", end.report());
        refused += 1;
    }
    assert!(refused > 0, "{tool}: the limit is in the way");
    Ok(())
}

/// A killed launcher takes its threads with it (`of_thread` false); a launcher with a killed thread has ended
/// the others when it returns.
fn leaves_no_threads_when_killed(launcher: Launcher, of_thread: bool) -> Ran {
    let mut command = here(launcher, 3)?;
    command.arg(&*RING).args(["wait", "0"]).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut errors = tempfile::tempfile().expect("a file for messages");
    command.stderr(errors.try_clone().expect("its descriptor"));
    let mut child = command.spawn().expect("a launcher runs");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    let pids = lines.filter_map(|line| line.strip_prefix("pid ")?.parse().ok());
    let pids: Vec<i32> = pids.take(3).collect();
    if pids.len() < 3 {
        let mut said = String::new();
        errors.rewind().and_then(|()| errors.read_to_string(&mut said)).expect("a file for messages");
        panic!("{} has started {} of 3, and said:\n{said}", launcher.0, pids.len());
    }
    if of_thread {
        // SAFETY: a plain system call on a process that this test has started and that is there.
        unsafe { libc::kill(pids[1], libc::SIGKILL) };
    } else {
        child.kill().expect("an own child");
    }
    child.wait().expect("an own child");
    wait_for("the threads' end", || pids.iter().all(|&pid| !alive(pid)).then_some(()));
    Ok(())
}

/// Threads that talk to each other over the network, two on each of three hosts.
struct Talk {
    world: World,
    child: Child,
    pids: Vec<i32>,
    /// The time when all threads were there.
    began: Instant,
}

impl Talk {
    fn start(conduit: &str) -> Result<Talk, Skip> {
        tests::has_conduit(conduit)?;
        let world = World::new(3, true)?;
        let ssh = world.ssh();
        let mut command = world.inside(0, &tests::meridian());
        command.args(["run", "--silence", "4", "-H", "h0:2,h1:2,h2:2", "--ssh", &ssh]);
        Ok(Talk::of(world, command, conduit, Stdio::piped()))
    }

    /// Starts the threads under a launcher of others.
    fn under(launcher: Launcher, conduit: &str) -> Result<Talk, Skip> {
        tests::has_conduit(conduit)?;
        tests::has_commands(&[launcher.0])?;
        let world = World::new(3, true)?;
        let mut command = over(&world, launcher, 6);
        command.env("MERIDIAN_SILENCE", "4");
        // Open MPI passes on only the named variables to other hosts.
        command.env("OMPI_MCA_mca_base_env_list", "MERIDIAN_SILENCE;MERIDIAN_CONDUIT");
        // A file, not a pipe: mpirun's child for a host that is cut off outlives it, and would hold a pipe
        // open.
        let errors = fs::File::create(world.path("errors")).expect("a file for messages");
        Ok(Talk::of(world, command, conduit, errors.into()))
    }

    fn of(world: World, mut command: Command, conduit: &str, errors: Stdio) -> Talk {
        command.arg(&*RING).args(["talk", "0"]).env("MERIDIAN_CONDUIT", conduit);
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()
            .expect("a launcher runs");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
        let pids: Vec<i32> =
            lines.filter_map(|line| line.strip_prefix("pid ")?.parse().ok()).take(6).collect();
        if pids.len() < 6 {
            let output = child.wait_with_output().expect("an own child");
            panic!("{conduit}: not started: {}", String::from_utf8_lossy(&output.stderr));
        }
        Talk { world, child, pids, began: Instant::now() }
    }

    /// Checks that the job ends with one message, which contains all of `says`, and that no process is left.
    fn ends(self, says: &[&str]) {
        let output = self.child.wait_with_output().expect("an own child");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && messages(&said).len() == 1, "one message: {said}");
        assert!(says.iter().all(|text| said.contains(text)), "{says:?} in {said}");
        wait_for("the threads' end", || self.pids.iter().all(|&pid| !alive(pid)).then_some(()));
    }

    /// Checks the same under a launcher of others, which prints messages of its own, too. The processes that
    /// the job has started besides its threads must be gone as well.
    fn ends_under(mut self, name: &str, says: &[&str]) {
        let status = wait_for("the launcher's end", || self.child.try_wait().expect("an own child"));
        println!("{name}: {:.2} s", self.began.elapsed().as_secs_f64()); // for docs/cluster.md
        let said = fs::read_to_string(self.world.path("errors")).expect("its messages");
        let own = messages(&said);
        assert!(!status.success() && own.len() == 1, "{name}: one message: {said}");
        assert!(says.iter().all(|text| own[0].contains(text)), "{name}: {says:?} in {said}");
        wait_for("the threads' end", || self.pids.iter().all(|&pid| !alive(pid)).then_some(()));
        wait_for("the end of all else", || (self.world.processes_of("ring").is_empty()).then_some(()));
    }
}

fn a_killed_thread_ends_a_job_that_talks_with_one_message(conduit: &str) -> Ran {
    let talk = Talk::start(conduit)?;
    // SAFETY: a plain system call on a process that this test has started and that is there.
    unsafe { libc::kill(talk.pids[3], libc::SIGKILL) };
    talk.ends(&["thread ", " of 6 on host h", "killed by SIGKILL", "the job has been ended"]);
    Ok(())
}

/// Under launchers of others, which end a job when a process of it dies but do not say which thread that was.
fn a_killed_thread_ends_a_job_with_one_message(launcher: Launcher, conduit: &str) -> Ran {
    for victim in [0, 3] {
        let talk = Talk::under(launcher, conduit)?;
        // SAFETY: a plain system call on a process that this test has started and that is there.
        unsafe { libc::kill(talk.pids[victim], libc::SIGKILL) };
        let says = ["meridian: thread ", " of 6 on host ", "killed", "the job has been ended"];
        talk.ends_under(launcher.0, &says);
    }
    Ok(())
}

/// The threads find by themselves that a host is cut off. mpirun goes on for minutes, waiting for its daemon
/// on that host, and is ended here.
fn a_host_that_is_cut_off_ends_the_threads_with_one_message(launcher: Launcher, conduit: &str) -> Ran {
    let tool = launcher.0;
    let mut talk = Talk::under(launcher, conduit)?;
    talk.world.unplug(1);
    let began = Instant::now();
    wait_for("the threads' end", || talk.pids.iter().all(|&pid| !alive(pid)).then_some(()));
    println!("{tool}, cut off: {:.2} s", began.elapsed().as_secs_f64()); // for docs/cluster.md
    talk.child.kill().expect("an own child");
    talk.child.wait().expect("an own child");
    let said = fs::read_to_string(talk.world.path("errors")).expect("its messages");
    let own = messages(&said);
    assert!(own.len() == 1 && own[0].contains(" is lost: "), "{tool}: one message: {said}");
    Ok(())
}

fn a_host_that_is_cut_off_ends_a_job_that_talks_with_one_message(conduit: &str) -> Ran {
    let talk = Talk::start(conduit)?;
    talk.world.unplug(1);
    talk.ends(&["h1", "lost"]);
    Ok(())
}

/// Checks the message about several tasks without PMI, which are no job.
fn is_refused(end: &Outcome, launcher: &str) {
    let said = end.stderr.matches("meridian: ").count();
    assert!(end.status != 0 && !end.timed_out && said == 1 && end.stdout.is_empty(), "{}", end.report());
    let mends = ["no PMI", "`meridian run'", launcher];
    assert!(mends.iter().all(|mend| end.stderr.contains(mend)), "{}", end.report());
}

/// The variables by which launchers number their tasks, without the service that goes with them. A batch
/// script, which is one task of several that it may start, and programs that a thread starts are programs by
/// themselves.
fn several_tasks_without_pmi_are_refused() -> Ran {
    let bare = |variables: &str| {
        let mut command = Command::new("env");
        command.args(variables.split(' ')).arg(&*RING);
        run(command)
    };
    let cases = [
        ("SLURM_STEP_NUM_TASKS=2 SLURM_PROCID", "srun --mpi=pmi2"),
        ("OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK", "Open MPI's mpirun"),
        ("PMI_SIZE=2 PMI_RANK", "PMI_FD"),
    ];
    for (variables, says) in cases {
        is_refused(&bare(&format!("{variables}=0")), says);
        let other = bare(&format!("{variables}=1"));
        assert!(other.status != 0 && other.stderr.is_empty(), "{variables}: {}", other.report());
    }
    is_refused(&bare("PBS_TASKNUM=3"), "PBS");
    let alone = "SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0 SLURM_NTASKS=4 PBS_TASKNUM=1 OMPI_COMM_WORLD_SIZE=1";
    assert_eq!(bare(alone).stdout, "1 threads\n");
    let of_thread = bare("MERIDIAN_BOOTED=PMI-2 SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=0");
    assert_eq!((of_thread.status, of_thread.stdout.as_str()), (0, "1 threads\n"), "{}", of_thread.report());
    Ok(())
}

/// The tests of launchers of others.
fn of_others(trials: &mut Vec<Trial>) {
    for launcher in LAUNCHERS {
        let tool = launcher.0;
        let mut add = |what: String, test: Box<dyn FnOnce() -> Ran + Send>| {
            trials.push(trial(format!("{tool} {what}"), test));
        };
        add("starts programs here".into(), Box::new(move || starts_programs_here(launcher, &[], true)));
        add(
            "starts programs on hosts".into(),
            Box::new(move || starts_programs_on_hosts(launcher, &[], true)),
        );
        let differ = move || names_the_versions_where_they_differ(launcher);
        add("names the versions where they differ".into(), Box::new(differ));
        let lack = move || tells_once_what_all_threads_lack(launcher);
        add("tells once what all threads lack".into(), Box::new(lack));
        for (who, of_thread) in [("it", false), ("a thread", true)] {
            let killed = move || leaves_no_threads_when_killed(launcher, of_thread);
            add(format!("leaves no threads when {who} is killed"), Box::new(killed));
        }
        for conduit in tests::conduits() {
            let killed = move || a_killed_thread_ends_a_job_with_one_message(launcher, conduit);
            add(format!("{conduit}: a killed thread ends the job with one message"), Box::new(killed));
            let cut_off = move || a_host_that_is_cut_off_ends_the_threads_with_one_message(launcher, conduit);
            add(format!("{conduit}: a host that is cut off ends the threads"), Box::new(cut_off));
        }
    }
}

fn main() {
    let mut trials = tests::trials![
        slurm_starts_programs_and_meridian_run_uses_its_hosts,
        several_tasks_without_pmi_are_refused
    ];
    of_others(&mut trials);
    let hydra = LAUNCHERS[1];
    trials.push(trial("hydra by a port", move || starts_programs_here(hydra, &["-pmi-port"], true)));
    trials.push(trial("hydra by PMI-2, here", move || starts_programs_here(hydra, &PMI_2, false)));
    trials.push(trial("hydra by PMI-2, on hosts", move || starts_programs_on_hosts(hydra, &PMI_2, false)));
    for conduit in tests::conduits() {
        let killed = move || a_killed_thread_ends_a_job_that_talks_with_one_message(conduit);
        trials.push(trial(format!("{conduit}: a killed thread ends a job that talks"), killed));
        let cut_off = move || a_host_that_is_cut_off_ends_a_job_that_talks_with_one_message(conduit);
        trials.push(trial(format!("{conduit}: a host that is cut off ends a job that talks"), cut_off));
    }
    for line in commands("shell") {
        trials.push(trial(format!("docs/cluster.md: {line}"), move || runs_as_the_page_says(&line)));
    }
    tests::trial::run_waiting(trials);
}
