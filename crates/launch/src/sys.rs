//! The system calls that the standard library has no form for, each in a safe wrapper.

use std::ffi::CStr;
use std::io;
use std::mem;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::ptr::NonNull;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::supervisor::Exit;

fn check(result: i32) -> io::Result<i32> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// A file of `size` bytes that lives in memory, has no name, and is inherited by the threads. It takes
/// memory as it is touched, and is gone with its last process.
pub fn memory_file(name: &CStr, size: u64) -> io::Result<OwnedFd> {
    // SAFETY: `name` ends with zero; the new descriptor has no other owner.
    let fd = unsafe { OwnedFd::from_raw_fd(check(libc::memfd_create(name.as_ptr(), 0))?) };
    check(unsafe { libc::ftruncate(fd.as_raw_fd(), size as libc::off_t) })?;
    Ok(fd)
}

/// Maps the first `size` bytes of `fd`, shared, until the process ends.
pub fn map_shared(fd: &OwnedFd, size: usize) -> io::Result<NonNull<u8>> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new mapping at an address of the kernel's choice.
    let at =
        unsafe { libc::mmap(std::ptr::null_mut(), size, protection, libc::MAP_SHARED, fd.as_raw_fd(), 0) };
    match NonNull::new(at.cast::<u8>()) {
        Some(bytes) if at != libc::MAP_FAILED => Ok(bytes),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Makes files of `size` bytes possible, if the hard limit admits them. Without this, making one would
/// kill the launcher (SIGXFSZ). Whether it is possible.
pub fn admit_file_size(size: u64) -> bool {
    // SAFETY: the limit lives on this stack.
    unsafe {
        let mut limit: libc::rlimit = mem::zeroed();
        if libc::getrlimit(libc::RLIMIT_FSIZE, &mut limit) != 0 || limit.rlim_cur >= size {
            return true;
        }
        limit.rlim_cur = limit.rlim_max;
        limit.rlim_max >= size && libc::setrlimit(libc::RLIMIT_FSIZE, &limit) == 0
    }
}

/// What this process may have open, before it has taken more; none: it has not.
static OPEN_FILES: OnceLock<libc::rlimit> = OnceLock::new();

/// Lets this process have as many files open as the hard limit admits: a launcher has several for each host
/// or thread.
pub fn admit_open_files() {
    // SAFETY: the limit lives on this stack.
    unsafe {
        let mut limit: libc::rlimit = mem::zeroed();
        if libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit) != 0 {
            return;
        }
        let raised = libc::rlimit { rlim_cur: limit.rlim_max, ..limit };
        if libc::setrlimit(libc::RLIMIT_NOFILE, &raised) == 0 {
            let _ = OPEN_FILES.set(limit);
        }
    }
}

/// Between fork and exec: the limit as it was, for programs that count on it.
pub fn restore_open_files() {
    if let Some(limit) = OPEN_FILES.get() {
        // SAFETY: a plain system call; the limit is constant once it is there.
        unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, limit) };
    }
}

/// The cores that this process may run on, ascending; none if the kernel does not say.
pub fn allowed_cores() -> Vec<usize> {
    let mut mask = [0u64; 1024];
    // SAFETY: the kernel writes at most the size given.
    let got =
        unsafe { libc::syscall(libc::SYS_sched_getaffinity, 0, mem::size_of_val(&mask), mask.as_mut_ptr()) };
    let words = usize::try_from(got).unwrap_or(0) / 8;
    (0..words * 64).filter(|&core| mask[core / 64] >> (core % 64) & 1 == 1).collect()
}

/// The bits of these cores, for [`tie_to_cores`].
pub fn core_mask(cores: &[usize]) -> Vec<u64> {
    let mut mask = vec![0; cores.iter().max().map_or(0, |core| core / 64 + 1)];
    cores.iter().for_each(|core| mask[core / 64] |= 1 << (core % 64));
    mask
}

/// Ties the calling process to the cores of a mask. Safe to call between fork and exec.
pub fn tie_to_cores(mask: &[u64]) -> io::Result<()> {
    // SAFETY: the kernel reads at most the size given.
    let result =
        unsafe { libc::syscall(libc::SYS_sched_setaffinity, 0, mem::size_of_val(mask), mask.as_ptr()) };
    check(result as i32).map(drop)
}

/// Ties the calling process to the life of `parent`: it is killed when the thread that made it ends. Safe
/// to call between fork and exec.
pub fn die_with_parent(parent: i32) -> io::Result<()> {
    // SAFETY: plain system calls.
    unsafe {
        check(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL))?;
        if libc::getppid() != parent {
            libc::_exit(1); // the parent died before the call
        }
    }
    Ok(())
}

/// Lets every signal through again: the launcher blocks those it takes, and its children inherit that. Safe
/// to call between fork and exec.
pub fn unblock_signals() -> io::Result<()> {
    // SAFETY: plain system calls on a set of this function's own.
    unsafe {
        let mut none = mem::zeroed();
        libc::sigemptyset(&mut none);
        check(libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut())).map(drop)
    }
}

/// Makes the launcher the parent of what its threads leave behind, so that it can be ended with them.
pub fn adopt_orphans() {
    // SAFETY: a plain system call; without it only grandchildren outlive a job that is ended.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) };
}

/// The children of the calling thread, orphans that were adopted included; none where the kernel was built
/// without the list.
pub fn children() -> Vec<i32> {
    let path = format!("/proc/self/task/{}/children", std::process::id());
    let list = std::fs::read_to_string(path).unwrap_or_default();
    list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

/// Sends `signal`. Only to be used for own children that have not been waited for, whose pids are theirs.
pub fn send(pid: i32, signal: i32) {
    // SAFETY: a plain system call; the error, that the process has ended, is no error here.
    unsafe { libc::kill(pid, signal) };
}

/// Whether a process with this pid exists.
pub fn exists(pid: i32) -> bool {
    // SAFETY: signal 0 is not sent.
    unsafe { libc::kill(pid, 0) == 0 || io::Error::last_os_error().raw_os_error() == Some(libc::EPERM) }
}

/// What has become of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Ended(Exit),
    /// By SIGSTOP or its like. A debugger's stops are the debugger's, and are not seen.
    Stopped,
    Continued,
}

/// A child that has changed, if one has.
pub fn changed_child() -> Option<(i32, Change)> {
    let mut status = 0;
    // SAFETY: the status lives on this stack.
    let pid = unsafe { libc::waitpid(-1, &mut status, libc::WNOHANG | libc::WUNTRACED | libc::WCONTINUED) };
    if pid <= 0 {
        return None;
    }
    let change = if libc::WIFSTOPPED(status) {
        Change::Stopped
    } else if libc::WIFCONTINUED(status) {
        Change::Continued
    } else if libc::WIFSIGNALED(status) {
        Change::Ended(Exit::Signal { number: libc::WTERMSIG(status), core: libc::WCOREDUMP(status) })
    } else {
        Change::Ended(Exit::Code(libc::WEXITSTATUS(status)))
    };
    Some((pid, change))
}

/// Stops the calling process, until it is continued.
pub fn stop_self() {
    // SAFETY: a plain system call.
    unsafe { libc::raise(libc::SIGSTOP) };
}

/// This host's name, unresolved.
pub fn host_name() -> String {
    let mut name = [0u8; 256];
    // SAFETY: the kernel writes at most the size given, and the last byte stays zero.
    unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) };
    CStr::from_bytes_until_nul(&name).map_or("localhost".into(), |n| n.to_string_lossy().into_owned())
}

/// Claims a name that lives in no file system: at most one process of the host holds it, until it drops the
/// result or ends.
pub fn claim_name(name: &str) -> Option<OwnedFd> {
    // SAFETY: the address lives on this stack; the new descriptor has no other owner.
    unsafe {
        let fd = check(libc::socket(libc::AF_UNIX, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0)).ok()?;
        let fd = OwnedFd::from_raw_fd(fd);
        let mut address: libc::sockaddr_un = mem::zeroed();
        address.sun_family = libc::AF_UNIX as libc::sa_family_t;
        // A leading zero byte makes the name abstract.
        for (to, from) in address.sun_path[1..].iter_mut().zip(name.bytes()) {
            *to = from as libc::c_char;
        }
        let size = mem::offset_of!(libc::sockaddr_un, sun_path) + 1 + name.len();
        let bound = libc::bind(fd.as_raw_fd(), (&raw const address).cast(), size as libc::socklen_t);
        (bound == 0).then_some(fd)
    }
}

/// A pair of connected stream sockets, (end that reads, end that threads write to). What is read names the
/// process that wrote it, and the kernel never joins the writing of two processes into one reading.
pub fn named_stream() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    // SAFETY: the results live on this stack; the new descriptors have no other owner.
    unsafe {
        let kind = libc::SOCK_STREAM | libc::SOCK_CLOEXEC;
        check(libc::socketpair(libc::AF_UNIX, kind, 0, ends.as_mut_ptr()))?;
        let (reader, writer) = (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1]));
        let on: i32 = 1;
        let size = mem::size_of_val(&on) as libc::socklen_t;
        check(libc::setsockopt(
            reader.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_PASSCRED,
            (&raw const on).cast(),
            size,
        ))?;
        libc::shutdown(writer.as_raw_fd(), libc::SHUT_RD);
        Ok((reader, writer))
    }
}

/// Bytes that a `named_stream` can hold, at most: the kernel counts more than the bytes against this limit,
/// and exceeds it by one write at most, of which it takes less than 64 KB at a time.
pub fn stream_capacity(stream: &OwnedFd) -> usize {
    let mut bytes: i32 = 0;
    let mut size = mem::size_of_val(&bytes) as libc::socklen_t;
    // SAFETY: the results live on this stack. Both ends of a pair have the same limit.
    let result = unsafe {
        let at = (&raw mut bytes).cast();
        libc::getsockopt(stream.as_raw_fd(), libc::SOL_SOCKET, libc::SO_SNDBUF, at, &mut size)
    };
    let limit = if result == 0 { bytes as usize } else { 1 << 20 };
    limit + (64 << 10)
}

/// Reads from a `named_stream` without waiting: (writer's pid, bytes read), or none when there is nothing
/// now. Zero bytes: all writers have ended.
pub fn receive(from: &OwnedFd, into: &mut [u8]) -> io::Result<Option<(i32, usize)>> {
    // SAFETY: the message's parts live on this stack and in `into` for the length of the call; the control
    // buffer is aligned for its header, and the header is read only where the kernel says there is one.
    unsafe {
        let mut part = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: into.len() };
        let mut names = [0u64; 8];
        let mut message: libc::msghdr = mem::zeroed();
        message.msg_iov = &mut part;
        message.msg_iovlen = 1;
        message.msg_control = names.as_mut_ptr().cast();
        message.msg_controllen = mem::size_of_val(&names) as _;
        let flags = libc::MSG_DONTWAIT | libc::MSG_CMSG_CLOEXEC;
        let got = libc::recvmsg(from.as_raw_fd(), &mut message, flags);
        if got < 0 {
            let error = io::Error::last_os_error();
            return match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => Ok(None),
                _ => Err(error),
            };
        }
        let header = libc::CMSG_FIRSTHDR(&message);
        let named = !header.is_null()
            && (*header).cmsg_level == libc::SOL_SOCKET
            && (*header).cmsg_type == libc::SCM_CREDENTIALS;
        let pid = if named { (*libc::CMSG_DATA(header).cast::<libc::ucred>()).pid } else { -1 };
        Ok(Some((pid, got as usize)))
    }
}

/// Writes all of `bytes`, waiting as long as it takes, also where the descriptor is set not to wait.
pub fn write_all(fd: RawFd, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        // SAFETY: the bytes live for the length of the call.
        let put = unsafe { libc::write(fd, bytes.as_ptr().cast(), bytes.len()) };
        if put >= 0 {
            bytes = &bytes[put as usize..];
            continue;
        }
        let error = io::Error::last_os_error();
        match error.kind() {
            io::ErrorKind::Interrupted => {}
            io::ErrorKind::WouldBlock => wait_until_writable(fd),
            _ => return Err(error),
        }
    }
    Ok(())
}

fn wait_until_writable(fd: RawFd) {
    let mut entry = libc::pollfd { fd, events: libc::POLLOUT, revents: 0 };
    // SAFETY: one entry, on this stack.
    unsafe { libc::poll(&mut entry, 1, -1) };
}

/// Writes what can be written now; zero: nothing.
pub fn write_some(to: &OwnedFd, bytes: &[u8]) -> io::Result<usize> {
    // SAFETY: the bytes live for the length of the call.
    let put = unsafe { libc::write(to.as_raw_fd(), bytes.as_ptr().cast(), bytes.len()) };
    match put {
        0.. => Ok(put as usize),
        _ => later(io::Error::last_os_error()).map(|()| 0),
    }
}

/// Reads what is there now: none: nothing; zero bytes: the end.
pub fn read_some(from: &impl AsRawFd, into: &mut [u8]) -> io::Result<Option<usize>> {
    // SAFETY: the bytes live for the length of the call.
    let got = unsafe { libc::read(from.as_raw_fd(), into.as_mut_ptr().cast(), into.len()) };
    match got {
        0.. => Ok(Some(got as usize)),
        _ => later(io::Error::last_os_error()).map(|()| None),
    }
}

/// No error where it only says that one would have to wait.
fn later(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => Ok(()),
        _ => Err(error),
    }
}

/// Sets a descriptor not to wait. All who share its description see that.
pub fn never_wait(fd: &OwnedFd) -> io::Result<()> {
    // SAFETY: plain system calls.
    unsafe {
        let flags = check(libc::fcntl(fd.as_raw_fd(), libc::F_GETFL))?;
        check(libc::fcntl(fd.as_raw_fd(), libc::F_SETFL, flags | libc::O_NONBLOCK)).map(drop)
    }
}

/// Lets the program that the calling process becomes have this descriptor. Safe to call between fork and
/// exec.
pub fn hand_down(fd: RawFd) -> io::Result<()> {
    // SAFETY: a plain system call.
    check(unsafe { libc::fcntl(fd, libc::F_SETFD, 0) }).map(drop)
}

/// A copy of one of this process's own descriptors, which its children do not inherit.
pub fn own_copy(fd: RawFd) -> io::Result<OwnedFd> {
    // SAFETY: the new descriptor has no other owner.
    unsafe { Ok(OwnedFd::from_raw_fd(check(libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, 3))?)) }
}

/// Makes the calling process be killed with its parent's thread, or not any more. Safe to call between fork
/// and exec.
pub fn die_with_any_parent(die: bool) {
    // SAFETY: a plain system call; it cannot fail with a valid signal.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, if die { libc::SIGKILL } else { 0 }) };
}

/// Whether standard input may be read: not where it is a terminal that another job of the shell has, since
/// reading would stop this one.
pub fn may_read_input() -> bool {
    // SAFETY: plain system calls.
    unsafe { libc::isatty(0) == 0 || libc::tcgetpgrp(0) == libc::getpgrp() }
}

/// Whether `fd` is a terminal.
pub fn is_terminal(fd: RawFd) -> bool {
    // SAFETY: a plain call.
    unsafe { libc::isatty(fd) == 1 }
}

/// Waits until one of `fds` can be read, or `until` has come; which of them can.
pub fn wait_readable<const N: usize>(fds: [RawFd; N], until: Option<Instant>) -> [bool; N] {
    let mut entries = fds.map(|fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 });
    let left = until.map(|at| at.saturating_duration_since(Instant::now()));
    // Rounded up, so that a deadline has passed when the wait is over.
    let round = |d: Duration| i32::try_from(d.as_nanos().div_ceil(1_000_000)).unwrap_or(i32::MAX);
    // SAFETY: N entries, on this stack.
    unsafe { libc::poll(entries.as_mut_ptr(), N as libc::nfds_t, left.map_or(-1, round)) };
    entries.map(|entry| entry.revents != 0)
}

/// What to wait for at one descriptor, and what has come; a negative descriptor is never ready.
#[repr(transparent)]
pub struct Wait {
    entry: libc::pollfd,
}

impl Wait {
    pub fn to_read(fd: RawFd) -> Wait {
        Wait { entry: libc::pollfd { fd, events: libc::POLLIN, revents: 0 } }
    }

    pub fn to_write(fd: RawFd) -> Wait {
        Wait { entry: libc::pollfd { fd, events: libc::POLLOUT, revents: 0 } }
    }

    /// Whether it is ready, or broken, which reading or writing tells.
    pub fn ready(&self) -> bool {
        self.entry.revents != 0
    }
}

/// Waits until one of many descriptors is ready, or `until` has come.
pub fn wait_any(waits: &mut [Wait], until: Option<Instant>) {
    let left = until.map(|at| at.saturating_duration_since(Instant::now()));
    let round = |d: Duration| i32::try_from(d.as_nanos().div_ceil(1_000_000)).unwrap_or(i32::MAX);
    // SAFETY: a `Wait` is one entry, and there are so many.
    unsafe { libc::poll(waits.as_mut_ptr().cast(), waits.len() as libc::nfds_t, left.map_or(-1, round)) };
}

/// A descriptor that becomes readable when another thread notifies it.
pub struct Wakeup(OwnedFd);

impl Wakeup {
    /// One that is not readable.
    pub fn new() -> io::Result<Wakeup> {
        // SAFETY: the new descriptor has no other owner.
        let fd = check(unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) })?;
        Ok(Wakeup(unsafe { OwnedFd::from_raw_fd(fd) }))
    }

    /// Makes it readable.
    pub fn notify(&self) {
        // SAFETY: eight bytes, as an eventfd wants; it cannot fail but by overflow, when it is readable
        // already.
        unsafe { libc::write(self.0.as_raw_fd(), (&raw const ONE).cast(), 8) };
    }

    /// Makes it unreadable again.
    pub fn clear(&self) {
        let mut count = 0u64;
        // SAFETY: eight bytes on this stack.
        unsafe { libc::read(self.0.as_raw_fd(), (&raw mut count).cast(), 8) };
    }

    /// The descriptor to wait for.
    pub fn fd(&self) -> BorrowedFd<'_> {
        use std::os::fd::AsFd;
        self.0.as_fd()
    }
}

static ONE: u64 = 1;
