//! Strangers call the endpoints of a job over `tcp`: they say nothing, a part of a greeting byte by byte,
//! garbage, the beginning of a long packet, or a greeting with another secret, hundreds at once, even if the
//! job has no descriptor left. The job computes on, needs little memory for them, and ends with 0.

use std::fs;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use tests::world::wait_for;

/// `net/crowded.upc`, compiled.
static CROWDED: LazyLock<PathBuf> =
    LazyLock::new(|| tests::net_program("crowded", Path::new(env!("CARGO_TARGET_TMPDIR"))));

/// A job on two hosts, and the files that control it. The job is ended if a test fails.
struct Job {
    launcher: Child,
    directory: tempfile::TempDir,
    threads: Vec<i32>,
}

impl Job {
    /// Starts a job, and waits until its threads are there.
    fn start(words: &[&str]) -> Job {
        let directory = tempfile::tempdir().expect("a directory");
        let output = fs::File::create(directory.path().join("out")).expect("a file");
        let mut command = Command::new(tests::meridian());
        tests::forget(&mut command, "MERIDIAN_");
        command
            .args(["run", "-H", "localhost:2,localhost:2"])
            .arg(&*CROWDED)
            .arg(directory.path())
            .args(words);
        command.env("MERIDIAN_CONDUIT", "tcp").stdin(Stdio::null());
        command.stdout(output.try_clone().expect("a file")).stderr(output);
        let launcher = command.spawn().expect("meridian run");
        let mut job = Job { launcher, directory, threads: Vec::new() };
        job.threads = wait_for("the threads", || {
            let text = job.output();
            let pids = text.lines().filter_map(|line| line.strip_prefix("process ")?.parse().ok());
            Some(pids.collect::<Vec<i32>>()).filter(|pids| pids.len() == 4)
        });
        job
    }

    fn output(&self) -> String {
        fs::read_to_string(self.directory.path().join("out")).unwrap_or_default()
    }

    fn tell(&self, file: &str) {
        fs::write(self.directory.path().join(file), "").expect("a file");
    }

    /// The memory of all threads, in KB: touched memory, and requested memory.
    fn memory(&self) -> [u64; 2] {
        ["RssAnon:", "VmData:"].map(|name| {
            let of_thread = |pid: &i32| {
                let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("the thread is alive");
                let line = status.lines().find(|line| line.starts_with(name)).expect(name);
                line.split_whitespace().nth(1).and_then(|word| word.parse::<u64>().ok()).expect("a number")
            };
            self.threads.iter().map(of_thread).sum()
        })
    }

    /// The addresses at which the threads listen.
    fn endpoints(&self) -> Vec<SocketAddr> {
        let all: Vec<_> = self.threads.iter().flat_map(|&pid| listening(pid)).collect();
        assert!(all.len() >= self.threads.len(), "{all:?}");
        all
    }

    /// Lets the job end, and checks its results.
    fn ends_well(mut self) {
        self.tell("stop");
        let began = Instant::now();
        let status = loop {
            if let Some(status) = self.launcher.try_wait().expect("meridian run") {
                break status;
            }
            assert!(began.elapsed() < Duration::from_secs(60), "the job does not end: {}", self.output());
            sleep(Duration::from_millis(5));
        };
        assert!(status.success() && self.output().ends_with("\nright\n"), "{status}: {}", self.output());
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        // The agents and threads end with the launcher.
        let _ = self.launcher.kill();
        let _ = self.launcher.wait();
    }
}

/// The addresses at which a process listens over TCP.
fn listening(pid: i32) -> Vec<SocketAddr> {
    let links = fs::read_dir(format!("/proc/{pid}/fd")).expect("its descriptors").flatten();
    let inodes: Vec<u64> = links.filter_map(|link| Some(fs::metadata(link.path()).ok()?.ino())).collect();
    let mut found = Vec::new();
    for table in ["tcp", "tcp6"] {
        let text = fs::read_to_string(format!("/proc/{pid}/net/{table}")).unwrap_or_default();
        for line in text.lines().skip(1) {
            let words: Vec<_> = line.split_whitespace().collect();
            if words[3] == "0A" && inodes.contains(&words[9].parse().expect("an inode")) {
                found.push(address(words[1]));
            }
        }
    }
    found
}

/// Reads `0100007F:9C40`, or a form with 32 digits: words in the machine's byte order.
fn address(text: &str) -> SocketAddr {
    let (host, port) = text.split_once(':').expect("a port");
    let words = host.as_bytes().chunks(8).map(|word| {
        u32::from_str_radix(std::str::from_utf8(word).expect("digits"), 16).expect("digits").to_ne_bytes()
    });
    let bytes: Vec<u8> = words.flatten().collect();
    let host: IpAddr = match <[u8; 16]>::try_from(bytes.as_slice()) {
        Ok(bytes) => Ipv6Addr::from(bytes).into(),
        Err(_) => Ipv4Addr::from(<[u8; 4]>::try_from(bytes.as_slice()).expect("4 bytes")).into(),
    };
    (host, u16::from_str_radix(port, 16).expect("a port")).into()
}

/// The beginnings of frames of `conduit/tcp/address.h` and `conduit/frames.h`.
const HELLO: u32 = 0x4d65_7212;
const PACKET: u32 = 0x4d65_7203;

/// Sends the message of stranger `i`, and ignores errors.
fn say(stranger: &mut TcpStream, i: usize) {
    let mut random = fs::File::open("/dev/urandom").expect("/dev/urandom");
    let mut bytes = vec![0; 4000];
    random.read_exact(&mut bytes).expect("bytes");
    let _ = match i % 6 {
        0 => Ok(()),
        1 => HELLO.to_ne_bytes().iter().take(1 + i / 6 % 4).try_for_each(|byte| stranger.write_all(&[*byte])),
        2 => stranger.write_all(&bytes),
        3 | 4 => {
            // A packet of 1 MB, of which a part comes.
            bytes[..4].copy_from_slice(&PACKET.to_ne_bytes());
            bytes[4..8].copy_from_slice(&(1u32 << 20).to_ne_bytes());
            stranger.write_all(&bytes)
        }
        _ => {
            // Thread 3 to thread 0, and a wrong proof.
            bytes.truncate(60);
            bytes[..4].copy_from_slice(&HELLO.to_ne_bytes());
            bytes[4..8].copy_from_slice(&3u32.to_ne_bytes());
            bytes[8..12].copy_from_slice(&0u32.to_ne_bytes());
            stranger.write_all(&bytes)
        }
    };
}

/// Connects `count` strangers to each endpoint, which stay.
fn crowd(endpoints: &[SocketAddr], count: usize) -> Vec<TcpStream> {
    let mut strangers = Vec::new();
    for i in 0..count {
        for endpoint in endpoints {
            let limit = Duration::from_secs(20);
            let mut stranger = TcpStream::connect_timeout(endpoint, limit).expect("the endpoint is there");
            stranger.set_nonblocking(true).expect("a socket");
            say(&mut stranger, i);
            strangers.push(stranger);
        }
    }
    strangers
}

/// Allows this process `count` descriptors.
fn allow_descriptors(count: u64) {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    let maximum = limit.maximum.unwrap_or(u64::MAX);
    assert!(maximum >= count, "{count} descriptors");
    let limit = rustix::process::Rlimit { current: Some(maximum.min(count * 2)), ..limit };
    rustix::process::setrlimit(rustix::process::Resource::Nofile, limit).expect("a limit");
}

#[test]
fn hundreds_of_strangers_keep_no_thread_from_its_peers() {
    allow_descriptors(4000);
    let job = Job::start(&[]);
    let endpoints = job.endpoints();
    let before = job.memory();
    let strangers = crowd(&endpoints, 500 / endpoints.len() + 1);
    job.tell("go"); // from here on each thread calls others, after the strangers
    let more = crowd(&endpoints, 50);
    assert!(strangers.len() + more.len() > 500);
    sleep(Duration::from_secs(1));
    let after = job.memory();
    for (before, after) in before.into_iter().zip(after) {
        assert!(after < before + before / 2 + 8192, "{before} KB before, {after} KB with the strangers");
    }
    job.ends_well();
}

#[test]
fn strangers_come_and_go_where_no_descriptor_is_left() {
    let job = Job::start(&["starve"]);
    let endpoints = job.endpoints();
    let strangers = crowd(&endpoints, 20);
    job.tell("go");
    sleep(Duration::from_secs(1));
    drop(strangers);
    drop(crowd(&endpoints, 5));
    job.ends_well();
}
