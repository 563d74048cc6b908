//! Hosts for tests: network namespaces h0, h1, ... at 10.231.0.2, 10.231.1.2, ..., joined by a router that is
//! a namespace too, with an sshd in each if requested. All names contain this process's number, and
//! everything is removed with the value. Namespaces need root; if they are not permitted, tests that need
//! hosts are skipped.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::trial::Skip;

/// Several hosts and their network.
pub struct World {
    count: usize,
    /// The beginning of the names of the namespaces.
    prefix: String,
    /// Configurations and keys of ssh, and files of tests.
    directory: TempDir,
    daemons: Vec<i32>,
}

/// Runs `ip` with these words, without output. Returns whether it succeeded.
pub(crate) fn ip(words: &[&str]) -> bool {
    let status = Command::new("ip").args(words).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

fn must(words: &[&str]) {
    assert!(ip(words), "ip {}", words.join(" "));
}

/// Waits until `look` finds something, for a minute at most, and returns that.
pub fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "waited too long for {what}");
        sleep(Duration::from_millis(5));
    }
}

/// Whether a process exists and is not a zombie.
pub fn alive(pid: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['Z', 'X']))
}

impl World {
    /// Makes `count` hosts, with an sshd in each if `ssh`; skips the test if the machine does not permit
    /// them.
    pub fn new(count: usize, ssh: bool) -> Result<World, Skip> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let tools: &[&str] = if ssh { &["ip", "ssh", "/usr/sbin/sshd"] } else { &["ip"] };
        crate::has_commands(tools)?;
        let prefix = format!("mer{}x{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        if !ip(&["netns", "add", &format!("{prefix}sw")]) {
            return Err(Skip("network namespaces are not permitted here (they take root)".into()));
        }
        let directory =
            tempfile::Builder::new().prefix("meridian-world-").tempdir().expect("a directory for the world");
        let mut world = World { count, prefix, directory, daemons: Vec::new() };
        world.connect();
        if ssh {
            world.serve();
        }
        Ok(world)
    }

    fn connect(&self) {
        let p = &self.prefix;
        let forward = "echo 1 >/proc/sys/net/ipv4/ip_forward";
        must(&["netns", "exec", &format!("{p}sw"), "sh", "-c", forward]);
        for i in 0..self.count {
            let address = self.address(i);
            let commands = [
                format!("netns add {p}h{i}"),
                format!("link add eth0 netns {p}h{i} type veth peer name port{i} netns {p}sw"),
                format!("-n {p}sw addr add 10.231.{i}.1/24 dev port{i}"),
                format!("-n {p}sw link set port{i} up"),
                format!("-n {p}h{i} addr add {address}/24 dev eth0"),
                format!("-n {p}h{i} link set eth0 up"),
                format!("-n {p}h{i} link set lo up"),
                format!("-n {p}h{i} route add default via 10.231.{i}.1"),
            ];
            commands.iter().for_each(|words| must(&words.split(' ').collect::<Vec<_>>()));
        }
    }

    /// Starts an sshd in each host, with keys and a home directory of this world. The user's own startup
    /// files could make a shell wait, and a shell that a test cuts off could leave a lock there.
    fn serve(&mut self) {
        for key in ["host", "user"] {
            let mut keygen = Command::new("ssh-keygen");
            keygen.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(self.path(key));
            assert!(keygen.status().expect("ssh-keygen").success());
        }
        fs::copy(self.path("user.pub"), self.path("authorized")).expect("the key");
        fs::create_dir(self.path("home")).expect("a home directory");
        let mut client = format!(
            "StrictHostKeyChecking no\nUserKnownHostsFile /dev/null\nLogLevel ERROR\nUser root\nIdentityFile {}\n",
            self.path("user").display()
        );
        // The daemon needs its directory, which a running system makes at boot.
        let _ = fs::create_dir("/run/sshd");
        for i in 0..self.count {
            client += &format!("Host h{i}\nHostName {}\n", self.address(i));
            let (config, pid) = (self.path(&format!("sshd{i}")), self.path(&format!("pid{i}")));
            let text = format!(
                "HostKey {}\nAuthorizedKeysFile {}\nPidFile {}\nStrictModes no\nUsePAM no\nPermitRootLogin yes\n\
                 SetEnv HOME={}\n",
                self.path("host").display(),
                self.path("authorized").display(),
                pid.display(),
                self.path("home").display()
            );
            fs::write(&config, text).expect("a configuration");
            let mut daemon = self.inside(i, Path::new("/usr/sbin/sshd"));
            assert!(daemon.arg("-f").arg(config).status().expect("sshd").success(), "sshd starts");
            self.mind(&pid);
        }
        fs::write(self.path("client"), client).expect("a configuration");
        let script = format!("#!/bin/sh\nexec {} \"$@\"\n", self.ssh());
        fs::write(self.path("rsh"), script).expect("a script");
        fs::set_permissions(self.path("rsh"), fs::Permissions::from_mode(0o755)).expect("a script");
    }

    /// Ends a daemon together with this world: a daemon that was started in it, and writes its pid to this
    /// file.
    pub fn mind(&mut self, pid_file: &Path) {
        let read = || fs::read_to_string(pid_file).ok()?.trim().parse().ok();
        self.daemons.push(wait_for("a daemon's pid", read));
    }

    /// The path of a file of this world.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// A program inside host `i`.
    pub fn inside(&self, i: usize, program: &Path) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.namespace(i)]).arg(program);
        command
    }

    /// The namespace of host `i`, which `ip netns exec` takes.
    pub fn namespace(&self, i: usize) -> String {
        format!("{}h{i}", self.prefix)
    }

    /// The address of host `i`.
    pub fn address(&self, i: usize) -> String {
        format!("10.231.{i}.2")
    }

    /// The command that reaches hosts h0, h1, ..., by name or address. `rsh` is a script of the same command,
    /// for launchers that need a single word.
    pub fn ssh(&self) -> String {
        format!("ssh -o BatchMode=yes -F {}", self.path("client").display())
    }

    /// The processes in all hosts whose program has this name.
    pub fn processes_of(&self, name: &str) -> Vec<i32> {
        let in_host = |i| {
            let output = Command::new("ip").args(["netns", "pids", &self.namespace(i)]).output().expect("ip");
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            text.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<i32>>()
        };
        let is_it = |pid: &i32| {
            let program = fs::read_link(format!("/proc/{pid}/exe")).unwrap_or_default();
            alive(*pid) && program.file_name().is_some_and(|own| own == name)
        };
        (0..self.count).flat_map(in_host).filter(is_it).collect()
    }

    /// Cuts host `i` off the network, as by pulling its cable.
    pub fn unplug(&self, i: usize) {
        must(&["-n", &format!("{}sw", self.prefix), "link", "set", &format!("port{i}"), "down"]);
    }

    /// Lets no more packets pass from host to host; no host is notified.
    pub fn pass_nothing(&self) {
        let forward = "echo 0 >/proc/sys/net/ipv4/ip_forward";
        must(&["netns", "exec", &format!("{}sw", self.prefix), "sh", "-c", forward]);
    }

    /// Ends the sshd of host `i`, so that it refuses connections.
    pub fn refuse(&mut self, i: usize) {
        end(self.daemons[i]);
    }
}

/// Ends a daemon of a world, and waits until it has ended.
fn end(pid: i32) {
    // SAFETY: a plain system call; the daemon is this world's own, and ends by nothing else.
    unsafe { libc::kill(pid, libc::SIGKILL) };
    wait_for("a daemon's end", || (!alive(pid)).then_some(()));
}

impl Drop for World {
    fn drop(&mut self) {
        for &pid in self.daemons.iter().filter(|&&pid| alive(pid)) {
            end(pid);
        }
        for name in (0..self.count).map(|i| format!("h{i}")).chain(["sw".into()]) {
            let name = format!("{}{name}", self.prefix);
            // The remaining processes wait for a host that was cut off, as the sshd of a connection does.
            let left = Command::new("ip").args(["netns", "pids", &name]).output();
            let left = left.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
            left.unwrap_or_default().split_whitespace().filter_map(|pid| pid.parse().ok()).for_each(end);
            ip(&["netns", "del", &name]);
        }
    }
}
