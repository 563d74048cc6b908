//! Slurm, its daemons over hosts of a `World`.

use super::page::{block, commands, path};
use super::{RING, check, is_refused, run};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use tests::scratch::copy_program;
use tests::trial::{Ran, Skip};
use tests::world::{World, alive, wait_for};

/// The daemons of Slurm over the hosts of a world.
struct Slurm {
    world: World,
}

impl Slurm {
    fn start(hosts: usize) -> Result<Slurm, Skip> {
        tests::has_commands(&["slurmctld", "slurmd", "srun", "salloc", "munged", "unshare"])?;
        let mut slurm = Slurm { world: World::new(hosts, false)? };
        slurm.munge();
        fs::write(slurm.world.path("slurm.conf"), slurm.configuration(hosts)).unwrap();
        fs::write(slurm.world.path("cgroup.conf"), "CgroupPlugin=cgroup/v1\n").unwrap();
        fs::create_dir(slurm.world.path("state")).unwrap();
        assert!(slurm.inside(0, "slurmctld", &["-c"]).status().unwrap().success());
        slurm.world.mind(&slurm.world.path("slurmctld.pid"));
        for i in 0..hosts {
            for name in ["spool", "tmp"] {
                fs::create_dir(slurm.world.path(&format!("{name}.n{i}"))).unwrap();
            }
            // slurmd looks for control groups, which it is told not to use.
            let script =
                "mount -t tmpfs none /sys/fs/cgroup && mkdir /sys/fs/cgroup/systemd && exec slurmd -N $0";
            let node = format!("n{i}");
            let status = slurm.inside(i, "unshare", &["-m", "sh", "-c", script, &node]).status();
            if !status.unwrap().success() {
                return Err(Skip(
                    "slurmd does not start here: it wants control groups that it may set up".into(),
                ));
            }
            slurm.world.mind(&slurm.world.path(&format!("slurmd.n{i}.pid")));
        }
        wait_for("idle nodes", || {
            let output = slurm.inside(0, "sinfo", &["-h", "-o", "%D %t"]).output().ok()?;
            (String::from_utf8_lossy(&output.stdout).trim() == format!("{hosts} idle")).then_some(())
        });
        Ok(slurm)
    }

    fn munge(&mut self) {
        let path = |name: &str| self.world.path(name).display().to_string();
        fs::write(path("key"), [7u8; 1024]).unwrap();
        let private: fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        fs::set_permissions(path("key"), private).unwrap();
        let mut daemon = Command::new("munged");
        daemon.arg("--force");
        for (option, file) in [("key", "key"), ("pid", "munge.pid"), ("log", "munge.log"), ("seed", "seed")] {
            daemon.arg(format!("--{option}-file={}", path(file)));
        }
        daemon.arg(format!("--socket={}", path("munge")));
        assert!(daemon.status().unwrap().success());
        let pid = self.world.path("munge.pid");
        self.world.mind(&pid);
    }

    fn configuration(&self, hosts: usize) -> String {
        let d = self.world.path("").display().to_string();
        let d = d.trim_end_matches('/');
        let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
        let mut text = format!(
            "ClusterName=test\nSlurmctldHost={}({})\nAuthType=auth/munge\nAuthInfo=socket={d}/munge\n\
             CredType=cred/munge\nSlurmUser=root\nSlurmdUser=root\nStateSaveLocation={d}/state\n\
             SlurmdSpoolDir={d}/spool.%n\nTmpFS={d}/tmp.%n\nSlurmctldPidFile={d}/slurmctld.pid\n\
             SlurmdPidFile={d}/slurmd.%n.pid\nSlurmctldLogFile={d}/slurmctld.log\n\
             SlurmdLogFile={d}/slurmd.%n.log\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nReturnToService=2\nMpiDefault=none\n\
             JobAcctGatherType=jobacct_gather/none\nSlurmdParameters=config_overrides\n",
            host.trim(),
            self.world.address(0)
        );
        for i in 0..hosts {
            let address = self.world.address(i);
            text += &format!("NodeName=n{i} NodeAddr={address} NodeHostname=n{i} CPUs=4 RealMemory=500\n");
        }
        text + "PartitionName=all Nodes=ALL Default=YES State=UP\n"
    }

    /// A command inside host `i` that knows this Slurm.
    fn inside(&self, i: usize, program: &str, words: &[&str]) -> Command {
        let mut command = self.world.inside(i, Path::new(program));
        command.args(words).env("SLURM_CONF", self.world.path("slurm.conf"));
        command
    }
}

/// The page's batch script and its ways of calling srun.
fn check_page(slurm: &Slurm) {
    let here = slurm.world.path("");
    fs::write(slurm.world.path("job"), block("sh")).unwrap();
    copy_program(&RING, &slurm.world.path("prog"));
    let mut batch = slurm.inside(0, "sbatch", &["--wait", "job"]);
    let end = run({
        batch.current_dir(&here).env("PATH", path());
        batch
    });
    let said = fs::read_to_string(slurm.world.path("prog.out")).unwrap_or_default();
    assert_eq!((end.status, said.as_str()), (0, "4 threads\n"), "{}", end.report());
    for line in commands("srun") {
        let words: Vec<&str> = line.split(' ').collect();
        let mut command = slurm.inside(0, words[0], &words[1..]);
        let end = run({
            command.current_dir(&here);
            command
        });
        assert_eq!((end.status, end.stdout.as_str()), (0, "4 threads\n"), "{line}: {}", end.report());
    }
}

/// Slurm does not end a job when one of its threads is killed (no -K): the conduits notice, although the
/// limit of silence is longer than this test, and end the job. The message is the monitor's.
fn check_death_without_help(slurm: &Slurm, conduit: &str) -> Ran {
    tests::has_conduit(conduit)?;
    let mut command = slurm.inside(0, "srun", &["-Q", "-N2", "-n4", "--mpi=pmi2"]);
    command.arg(&*RING).args(["talk", "0"]).env("MERIDIAN_CONDUIT", conduit);
    command.env("MERIDIAN_SILENCE", "1000").stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().expect("srun runs");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    let pids = lines.filter_map(|line| line.strip_prefix("pid ")?.parse().ok());
    let pids: Vec<i32> = pids.take(4).collect();
    assert_eq!(pids.len(), 4, "{conduit}: srun has started all");
    // SAFETY: a plain system call on a process that this test has started and that is there.
    unsafe { libc::kill(pids[2], libc::SIGKILL) };
    wait_for("the threads' end", || pids.iter().all(|&pid| !alive(pid)).then_some(()));
    let output = child.wait_with_output().expect("an own child");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{conduit}: {said}");
    let own = crate::messages(&said);
    assert!(own.len() == 1 && own[0].contains(" has died without a message"), "{conduit}: {said}");
    Ok(())
}

pub fn slurm_starts_programs_and_meridian_run_uses_its_hosts() -> Ran {
    let slurm = Slurm::start(2)?;
    let mut without_pmi = slurm.inside(0, "srun", &["-Q", "-N2", "-n4"]);
    without_pmi.arg(&*RING);
    is_refused(&run(without_pmi), "srun --mpi=pmi2");
    for flavour in ["pmix", "pmi2"] {
        let option = format!("--mpi={flavour}");
        check(&format!("srun-{flavour}"), 4, false, || {
            slurm.inside(0, "srun", &["-Q", "-K", "-N2", "-n4", &option])
        });
    }
    let announced = ["-Q", "-N1", "-n1", "--mpi=pmi2", "sh", "-c", "test -n \"$PMI_JOBID\""];
    assert!(slurm.inside(0, "srun", &announced).status().unwrap().success(), "that was version 2 of PMI");
    let meridian = tests::meridian().display().to_string();
    check_page(&slurm);
    check("salloc", 4, true, || slurm.inside(0, "salloc", &["-Q", "-N2", "-n4", &meridian, "run"]));
    tests::conduits().iter().try_for_each(|conduit| check_death_without_help(&slurm, conduit))
}
