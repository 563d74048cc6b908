//! Hosts for tests: network namespaces h0, h1, ... at 10.231.0.2, 10.231.1.2, ..., joined by a router that is a
//! namespace too. All of it is named for this process, and is removed with the value that stands for it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::support::{Room, meridian_run, thread_program, wait_for};

/// How the launcher reaches hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// `ip netns exec`: no network between launcher and agents.
    Exec,
    /// ssh, and an sshd in each host.
    Ssh,
}

/// Some hosts and their network.
pub struct World {
    by: By,
    count: usize,
    /// Begins the names of the namespaces.
    prefix: String,
    /// Configurations and keys of ssh.
    room: Room,
    daemons: Vec<i32>,
}

fn ip(words: &[&str]) -> bool {
    let status = Command::new("ip").args(words).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

fn must(words: &[&str]) {
    assert!(ip(words), "ip {}", words.join(" "));
}

/// The address of host `i`.
fn address(i: usize) -> String {
    format!("10.231.{i}.2")
}

impl World {
    /// So many hosts; none where the machine does not permit namespaces or has no sshd, which is said.
    pub fn new(by: By, count: usize) -> Option<World> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let prefix = format!("mer{}x{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let missing = [("ip", true), ("/usr/sbin/sshd", by == By::Ssh), ("ssh", by == By::Ssh)]
            .into_iter()
            .find(|(tool, needed)| *needed && !present(tool));
        if let Some((tool, _)) = missing {
            eprintln!("no hosts: there is no {tool} (packaging/setup net)");
            return None;
        }
        if !ip(&["netns", "add", &format!("{prefix}sw")]) {
            eprintln!("no hosts: network namespaces are not permitted here");
            return None;
        }
        let mut world = World { by, count, room: Room::new(&prefix), prefix, daemons: Vec::new() };
        world.connect();
        if by == By::Ssh {
            world.serve();
        }
        Some(world)
    }

    fn connect(&self) {
        let p = &self.prefix;
        let forward = "echo 1 >/proc/sys/net/ipv4/ip_forward";
        must(&["netns", "exec", &format!("{p}sw"), "sh", "-c", forward]);
        for i in 0..self.count {
            let commands = [
                format!("netns add {p}h{i}"),
                format!("link add eth0 netns {p}h{i} type veth peer name port{i} netns {p}sw"),
                format!("-n {p}sw addr add 10.231.{i}.1/24 dev port{i}"),
                format!("-n {p}sw link set port{i} up"),
                format!("-n {p}h{i} addr add {}/24 dev eth0", address(i)),
                format!("-n {p}h{i} link set eth0 up"),
                format!("-n {p}h{i} link set lo up"),
                format!("-n {p}h{i} route add default via 10.231.{i}.1"),
            ];
            commands.iter().for_each(|words| must(&words.split(' ').collect::<Vec<_>>()));
        }
    }

    /// Starts an sshd in each host, with keys of this world's own.
    fn serve(&mut self) {
        let path = |name: &str| self.room.path(name);
        for key in ["host", "user"] {
            let mut keygen = Command::new("ssh-keygen");
            keygen.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(path(key));
            assert!(keygen.status().expect("ssh-keygen").success());
        }
        fs::copy(path("user.pub"), path("authorized")).unwrap();
        let mut client = format!(
            "StrictHostKeyChecking no\nUserKnownHostsFile /dev/null\nLogLevel ERROR\nUser root\nIdentityFile {}\n",
            path("user").display()
        );
        // The daemon wants its directory, which a running system has made at boot.
        let _ = fs::create_dir("/run/sshd");
        for i in 0..self.count {
            client += &format!("Host h{i}\nHostName {}\n", address(i));
            let (config, pid) = (path(&format!("sshd{i}")), path(&format!("pid{i}")));
            let text = format!(
                "HostKey {}\nAuthorizedKeysFile {}\nPidFile {}\nStrictModes no\nUsePAM no\nPermitRootLogin yes\n",
                path("host").display(),
                path("authorized").display(),
                pid.display()
            );
            fs::write(&config, text).unwrap();
            let mut daemon = self.inside(i, Path::new("/usr/sbin/sshd"));
            assert!(daemon.arg("-f").arg(config).status().unwrap().success(), "sshd starts");
            let number = wait_for("sshd's pid", || fs::read_to_string(&pid).ok()?.trim().parse().ok());
            self.daemons.push(number);
        }
        fs::write(path("client"), client).unwrap();
    }

    /// A program inside host `i`.
    pub fn inside(&self, i: usize, program: &Path) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &format!("{}h{i}", self.prefix)]).arg(program);
        command
    }

    /// What `meridian run --ssh` wants.
    pub fn ssh(&self) -> String {
        match self.by {
            By::Exec => "ip netns exec".into(),
            By::Ssh => format!("ssh -o BatchMode=yes -F {}", self.room.path("client").display()),
        }
    }

    /// The name of host `i` in `-H`.
    pub fn name(&self, i: usize) -> String {
        match self.by {
            By::Exec => format!("{}h{i}", self.prefix),
            By::Ssh => format!("h{i}"),
        }
    }

    /// All hosts in a list, each with so many threads.
    pub fn list(&self, each: usize) -> String {
        (0..self.count).map(|i| format!("{}:{each}", self.name(i))).collect::<Vec<_>>().join(",")
    }

    /// `meridian run` in host 0, on all hosts with so many threads each.
    pub fn run(&self, each: usize, options: &[&str]) -> Command {
        let (list, ssh) = (self.list(each), self.ssh());
        let words = [&["-H", list.as_str(), "--ssh", ssh.as_str()], options].concat();
        let inner = meridian_run(&words);
        let mut command = self.inside(0, Path::new(inner.get_program()));
        command.args(inner.get_args()).stdin(Stdio::null());
        for (name, value) in inner.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }

    /// The same of `thread.c` with these steps.
    pub fn job<S: AsRef<str>>(&self, each: usize, options: &[&str], steps: &[S]) -> Command {
        let mut command = self.run(each, options);
        command.arg(thread_program()).args(steps.iter().map(AsRef::as_ref));
        command
    }

    /// Takes the cable out of host `i`, or puts it in again.
    pub fn cable(&self, i: usize, plugged: bool) {
        let state = if plugged { "up" } else { "down" };
        must(&["-n", &format!("{}sw", self.prefix), "link", "set", &format!("port{i}"), state]);
    }

    /// Ends the sshd of host `i`, so that it refuses connections.
    pub fn refuse(&mut self, i: usize) {
        end(self.daemons[i]);
    }
}

fn present(tool: &str) -> bool {
    if tool.starts_with('/') {
        return Path::new(tool).exists();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|d: PathBuf| d.join(tool)).any(|p| p.exists())
}

/// Ends a daemon of this world's, and waits until it is gone.
fn end(pid: i32) {
    // SAFETY: a plain system call; the daemon is this world's own, and ends by nothing else.
    unsafe { libc::kill(pid, libc::SIGKILL) };
    wait_for("a daemon's end", || (!crate::support::alive(pid)).then_some(()));
}

impl Drop for World {
    fn drop(&mut self) {
        for &pid in self.daemons.iter().filter(|&&pid| crate::support::alive(pid)) {
            end(pid);
        }
        for name in (0..self.count).map(|i| format!("h{i}")).chain(["sw".into()]) {
            ip(&["netns", "del", &format!("{}{name}", self.prefix)]);
        }
    }
}
