//! Simulated network faults. Hosts are network namespaces whose interfaces are tun devices. This process
//! carries the packets between them: late, out of order, and not all of them. So the kernel needs no traffic
//! control, which many kernels do not have. All names contain the numbers of this process and of the network,
//! and everything is removed when the value is dropped. If namespaces or tun devices are not permitted, tests
//! that need such hosts are skipped.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::trial::Skip;
use crate::world;

/// The faults of a network.
#[derive(Clone, Copy, Debug)]
pub struct Faults {
    /// Each packet is delayed by a random time between these two, so that packets overtake each other.
    pub delay: (Duration, Duration),
    /// Loses one packet in this many, at random; 0 loses none.
    pub loss: u64,
}

/// Hosts joined by a network with faults; host `i` is at 10.232.0.(i + 1).
pub struct FaultyNetwork {
    prefix: String,
    count: usize,
    shared: Arc<Shared>,
    carrier: Option<JoinHandle<()>>,
}

/// Shared by the carrier thread and the value that owns it.
#[derive(Default)]
struct Shared {
    over: AtomicBool,
    lost: AtomicU64,
}

fn ip(words: &str) -> bool {
    world::ip(&words.split(' ').collect::<Vec<_>>())
}

/// The other end of interface eth0 of a namespace. Makes the interface; returns `None` if that is not
/// permitted.
fn interface(namespace: &str) -> Option<File> {
    let path = format!("/run/netns/{namespace}");
    // In a POSIX thread of its own, because only that thread changes to the other namespace; the device
    // belongs to the namespace that it is opened in.
    let made = std::thread::spawn(move || {
        let namespace = File::open(path).ok()?;
        // SAFETY: a plain system call on a descriptor that is open.
        if unsafe { libc::setns(namespace.as_raw_fd(), libc::CLONE_NEWNET) } != 0 {
            return None;
        }
        let mut options = OpenOptions::new();
        let device =
            options.read(true).write(true).custom_flags(libc::O_NONBLOCK).open("/dev/net/tun").ok()?;
        // SAFETY: all zeros is a value of this structure.
        let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
        for (to, from) in request.ifr_name.iter_mut().zip(b"eth0") {
            *to = *from as libc::c_char;
        }
        request.ifr_ifru.ifru_flags = (libc::IFF_TUN | libc::IFF_NO_PI) as libc::c_short;
        // SAFETY: a plain system call on a descriptor that is open, with the structure that the request
        // takes.
        (unsafe { libc::ioctl(device.as_raw_fd(), libc::TUNSETIFF, &request) } == 0).then_some(device)
    });
    made.join().ok().flatten()
}

/// Waits until one of the descriptors can be read, or the time is over, with a precision of some
/// microseconds.
fn wait_for_any(descriptors: impl Iterator<Item = RawFd>, most: Duration) {
    let mut list: Vec<_> =
        descriptors.map(|fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 }).collect();
    let nanoseconds = most.min(Duration::from_millis(20)).as_nanos() as libc::c_long;
    let most = libc::timespec { tv_sec: 0, tv_nsec: nanoseconds };
    // SAFETY: a plain system call on a list and a time that outlive it.
    unsafe { libc::ppoll(list.as_mut_ptr(), list.len() as libc::nfds_t, &most, std::ptr::null()) };
}

/// Carries packets from one interface to the other until the network ends. IPv4 only: all other packets are
/// dropped.
fn carry(mut ends: Vec<File>, faults: Faults, shared: &Shared) {
    let mut chance = 0x2545_f491_4f6c_dd1d_u64;
    let mut draw = |below: u64| {
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        chance % below.max(1)
    };
    // Keeps the delay as requested, independent of other processes: by default a thread's timers may be 50 us
    // late. If either call is refused, the delay is longer.
    // SAFETY: plain system calls on this POSIX thread.
    unsafe {
        libc::prctl(libc::PR_SET_TIMERSLACK, 1);
        libc::setpriority(libc::PRIO_PROCESS, 0, -20);
    }
    let mut under_way = BinaryHeap::new();
    let mut packet = vec![0; 65536];
    let spread = (faults.delay.1 - faults.delay.0).as_micros() as u64;
    while !shared.over.load(Ordering::Relaxed) {
        for from in 0..ends.len() {
            while let Ok(n) = ends[from].read(&mut packet) {
                let to = usize::from(packet[19]).wrapping_sub(1);
                let lost = faults.loss > 0 && draw(faults.loss) == 0;
                let whole = n >= 20 && packet[0] >> 4 == 4 && to < ends.len();
                if lost {
                    shared.lost.fetch_add(1, Ordering::Relaxed);
                } else if whole {
                    let due = Instant::now() + faults.delay.0 + Duration::from_micros(draw(spread));
                    under_way.push(Reverse((due, to, packet[..n].to_vec())));
                }
            }
        }
        let now = Instant::now();
        while under_way.peek().is_some_and(|Reverse((due, ..))| *due <= now) {
            if let Some(Reverse((_, to, packet))) = under_way.pop() {
                let _ = ends[to].write(&packet); // a full queue loses packets too
            }
        }
        let until = under_way.peek().map_or(Duration::from_secs(1), |Reverse((due, ..))| *due - now);
        wait_for_any(ends.iter().map(File::as_raw_fd), until);
    }
}

impl FaultyNetwork {
    /// Makes `count` hosts, ten at most; skips the test if the machine does not permit them.
    pub fn new(count: usize, faults: Faults) -> Result<FaultyNetwork, Skip> {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let prefix = format!("mer{}f{number}", std::process::id());
        let mut network = FaultyNetwork { prefix, count, shared: Arc::default(), carrier: None };
        let mut ends = Vec::new();
        for i in 0..count {
            let name = network.namespace(i);
            let Some(end) = ip(&format!("netns add {name}")).then(|| interface(&name)).flatten() else {
                let missing = "network namespaces with tun devices are not permitted here (they take root)";
                return Err(Skip(missing.into()));
            };
            ends.push(end);
            for words in [
                format!("-n {name} addr add 10.232.0.{}/24 dev eth0", i + 1),
                format!("-n {name} link set eth0 up"),
                format!("-n {name} link set lo up"),
            ] {
                assert!(ip(&words), "ip {words}");
            }
        }
        let shared = network.shared.clone();
        network.carrier = Some(std::thread::spawn(move || carry(ends, faults, &shared)));
        Ok(network)
    }

    /// The number of packets lost so far.
    pub fn lost(&self) -> u64 {
        self.shared.lost.load(Ordering::Relaxed)
    }

    /// The namespace of host `i`, which `ip netns exec` takes.
    pub fn namespace(&self, i: usize) -> String {
        format!("{}h{i}", self.prefix)
    }

    /// The command that runs a program with these numbers of threads on the hosts, started from the first
    /// one.
    pub fn job(&self, threads: &[usize], program: &Path) -> Command {
        let hosts: Vec<_> =
            threads.iter().enumerate().map(|(i, n)| format!("{}:{n}", self.namespace(i))).collect();
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.namespace(0)]).arg(crate::meridian());
        command.args(["run", "-H", &hosts.join(","), "--ssh", "ip netns exec"]).arg(program);
        command
    }
}

impl Drop for FaultyNetwork {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::Relaxed);
        if let Some(carrier) = self.carrier.take() {
            let _ = carrier.join();
        }
        for i in 0..self.count {
            ip(&format!("netns del {}", self.namespace(i)));
        }
    }
}
