//! Safe wrappers of the system calls that the standard library lacks: by rustix, and by libc where rustix
//! lacks them too; the wrapper then says so.

use std::ffi::CStr;
use std::io;
use std::mem;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixStream};
use std::ptr::NonNull;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rustix::event::{EventfdFlags, eventfd};
use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
use rustix::io::{Errno, FdFlags, fcntl_dupfd_cloexec, fcntl_setfd, ioctl_fionbio};
use rustix::mm::{MapFlags, ProtFlags, mmap};
use rustix::net::sockopt::{set_socket_passcred, socket_send_buffer_size};
use rustix::process::{Pid, Resource, Rlimit, Signal, WaitOptions};
use rustix::{process, stdio, system, termios};

use crate::supervisor::Exit;

fn check(result: i32) -> io::Result<i32> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// Makes a file of `size` bytes in memory, without a name, that the threads inherit. Its memory is allocated
/// as it is touched, and freed with its last process.
pub fn memory_file(name: &CStr, size: u64) -> io::Result<OwnedFd> {
    let fd = memfd_create(name, MemfdFlags::empty())?;
    ftruncate(&fd, size)?;
    Ok(fd)
}

/// Maps the first `size` bytes of `fd`, shared, until the process ends.
pub fn map_shared(fd: &OwnedFd, size: usize) -> io::Result<NonNull<u8>> {
    let protection = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: a new mapping at an address of the kernel's choice.
    let at = unsafe { mmap(std::ptr::null_mut(), size, protection, MapFlags::SHARED, fd, 0)? };
    Ok(NonNull::new(at.cast()).expect("the kernel maps nothing at 0 unasked"))
}

/// Raises the limit on file sizes to at least `size` bytes, if the hard limit admits that. Returns whether
/// such files are possible. Without this, making one would kill the launcher (SIGXFSZ).
pub fn admit_file_size(size: u64) -> bool {
    let limit = process::getrlimit(Resource::Fsize);
    let admits = |most: Option<u64>| most.is_none_or(|most| most >= size);
    let raised = Rlimit { current: limit.maximum, ..limit };
    admits(limit.current) || (admits(limit.maximum) && process::setrlimit(Resource::Fsize, raised).is_ok())
}

/// The limit on open files before `admit_open_files` raised it; none if it did not.
static OPEN_FILES: OnceLock<Rlimit> = OnceLock::new();

/// Raises the limit on open files to the hard limit: a launcher has several open for each host or thread.
pub fn admit_open_files() {
    let limit = process::getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, ..limit };
    if process::setrlimit(Resource::Nofile, raised).is_ok() {
        let _ = OPEN_FILES.set(limit);
    }
}

/// Restores the limit, between fork and exec, for programs that rely on it.
pub fn restore_open_files() {
    if let Some(&limit) = OPEN_FILES.get() {
        let _ = process::setrlimit(Resource::Nofile, limit); // lowering it is always allowed
    }
}

/// Returns the cores that this process may run on, ascending; none if the kernel does not say.
///
/// Uses libc, as `tie_to_cores` does: rustix's set of cores ends at 1,024.
pub fn allowed_cores() -> Vec<usize> {
    let mut mask = [0u64; 1024];
    // SAFETY: the kernel writes at most the size given.
    let got =
        unsafe { libc::syscall(libc::SYS_sched_getaffinity, 0, mem::size_of_val(&mask), mask.as_mut_ptr()) };
    let words = usize::try_from(got).unwrap_or(0) / 8;
    (0..words * 64).filter(|&core| mask[core / 64] >> (core % 64) & 1 == 1).collect()
}

/// Returns the mask of these cores, for [`tie_to_cores`].
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
    process::set_parent_process_death_signal(Some(Signal::KILL))?;
    if Pid::as_raw(process::getppid()) != parent {
        // SAFETY: a plain system call. By libc: rustix has no exit that runs nothing before it.
        unsafe { libc::_exit(1) }; // the parent died before the call
    }
    Ok(())
}

/// Moves the calling process into a process group of its own, which the keys of a terminal do not reach. Safe
/// to call between fork and exec.
pub fn leave_group() -> io::Result<()> {
    Ok(process::setpgid(None, None)?)
}

/// Unblocks every signal: the launcher blocks those it takes, and its children inherit that. Safe to call
/// between fork and exec.
///
/// Uses libc: rustix leaves signal masks to the C library.
pub fn unblock_signals() -> io::Result<()> {
    // SAFETY: plain system calls on a set of this function's own.
    unsafe {
        let mut none = mem::zeroed();
        libc::sigemptyset(&mut none);
        check(libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut())).map(drop)
    }
}

/// Ends this process after `seconds`, even after an exec and whatever the caller ignores. Safe to call
/// between fork and exec, before `unblock_signals`.
///
/// Uses libc: rustix leaves dispositions of signals to the C library.
pub fn end_after(seconds: u32) {
    // SAFETY: plain system calls; the default disposition has no handler that could do harm.
    unsafe {
        libc::signal(libc::SIGALRM, libc::SIG_DFL);
        libc::alarm(seconds);
    }
}

/// Makes the launcher the parent of the processes that its threads leave behind, so that it can end them.
pub fn adopt_orphans() {
    // If this fails, only grandchildren outlive a job that is ended.
    let _ = process::set_child_subreaper(Some(process::getpid()));
}

/// Returns the children of the calling thread, including adopted orphans; none if the kernel was built
/// without the list.
pub fn children() -> Vec<i32> {
    let path = format!("/proc/self/task/{}/children", std::process::id());
    let list = std::fs::read_to_string(path).unwrap_or_default();
    list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

/// Sends `signal`. Only for own children that have not been waited for, because their pids cannot be reused
/// yet.
pub fn send(pid: i32, signal: i32) {
    if let (Some(pid), Some(signal)) = (Pid::from_raw(pid), Signal::from_named_raw(signal)) {
        let _ = process::kill_process(pid, signal); // that the process has ended is no error here
    }
}

/// Kills own children that have not been waited for, and waits for them.
pub fn end_children(pids: &[i32]) {
    pids.iter().for_each(|&pid| send(pid, libc::SIGKILL));
    for pid in pids.iter().filter_map(|&pid| Pid::from_raw(pid)) {
        let _ = process::waitpid(Some(pid), WaitOptions::empty());
    }
}

/// Ends the processes that threads of an ended job have left behind, and those that these leave, except those
/// that existed `earlier`.
pub fn end_orphans(earlier: &[i32]) {
    // Each round ends one generation; a hundred is far more than any job has.
    for _ in 0..100 {
        let mut orphans = children();
        orphans.retain(|pid| !earlier.contains(pid));
        if orphans.is_empty() {
            return;
        }
        end_children(&orphans);
    }
}

/// Whether a process with this pid exists.
pub fn exists(pid: i32) -> bool {
    let test = |pid| matches!(process::test_kill_process(pid), Ok(()) | Err(Errno::PERM));
    Pid::from_raw(pid).is_some_and(test)
}

/// A change of a child's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Ended(Exit),
    /// By SIGSTOP or a similar signal. Stops by a debugger belong to the debugger, and are not seen.
    Stopped,
    Continued,
}

/// Returns a child that has changed, if one has.
pub fn changed_child() -> Option<(i32, Change)> {
    let options = WaitOptions::NOHANG | WaitOptions::UNTRACED | WaitOptions::CONTINUED;
    let (pid, status) = process::wait(options).ok()??;
    let change = if status.stopped() {
        Change::Stopped
    } else if status.continued() {
        Change::Continued
    } else if let Some(number) = status.terminating_signal() {
        Change::Ended(Exit::Signal { number, core: libc::WCOREDUMP(status.as_raw()) })
    } else {
        Change::Ended(Exit::Code(status.exit_status()?))
    };
    Some((pid.as_raw_pid(), change))
}

/// Stops the calling process, until it is continued.
pub fn stop_self() {
    let _ = process::kill_process(process::getpid(), Signal::STOP);
}

/// Returns this host's name, unresolved.
pub fn host_name() -> String {
    system::uname().nodename().to_string_lossy().into_owned()
}

/// Claims a name that is in no file system: at most one process of the host holds it, until it drops the
/// result or ends.
pub fn claim_name(name: &str) -> Option<OwnedFd> {
    let address = SocketAddr::from_abstract_name(name).ok()?;
    UnixDatagram::bind_addr(&address).ok().map(OwnedFd::from)
}

/// Makes a pair of connected stream sockets: (end that reads, end that threads write to). Each read returns
/// the pid of the writer, and the kernel never joins the writes of two processes into one read.
pub fn named_stream() -> io::Result<(OwnedFd, OwnedFd)> {
    let (reader, writer) = UnixStream::pair()?;
    set_socket_passcred(&reader, true)?;
    writer.shutdown(std::net::Shutdown::Read)?;
    Ok((reader.into(), writer.into()))
}

/// Returns the most bytes that a `named_stream` can hold: the kernel counts more than the bytes against this
/// limit, and exceeds it by one write at most, of which it takes less than 64 KB at a time.
pub fn stream_capacity(stream: &OwnedFd) -> usize {
    // Both ends of a pair have the same limit.
    socket_send_buffer_size(stream).unwrap_or(1 << 20) + (64 << 10)
}

/// Reads from a `named_stream` without waiting. Returns (writer's pid, bytes read), or none if there is
/// nothing now. Zero bytes mean that all writers have ended.
///
/// Uses libc: rustix has no credentials with pid 0, which a writer of another pid namespace has.
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

/// Writes all of `bytes`, waiting as long as it takes, even if the descriptor is non-blocking.
pub fn write_all(to: BorrowedFd, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(to, bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => wait_any(&mut [Wait::to_write(to.as_raw_fd())], None),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Whether both standard output and standard error accept bytes now, so that no slow reader blocks a writer.
/// A stream that has failed counts as accepting; the write then fails.
pub fn output_taken() -> bool {
    let mut waits = [libc::STDOUT_FILENO, libc::STDERR_FILENO].map(Wait::to_write);
    wait_any(&mut waits, Some(Instant::now()));
    waits.iter().all(Wait::ready)
}

/// Writes as much as can be written now. Returns the number of bytes, which may be zero.
pub fn write_some(to: &OwnedFd, bytes: &[u8]) -> io::Result<usize> {
    now(rustix::io::write(to, bytes)).map(|count| count.unwrap_or(0))
}

/// Reads the bytes that are there now. Returns none if there are none, and zero at the end.
pub fn read_some(from: impl AsFd, into: &mut [u8]) -> io::Result<Option<usize>> {
    now(rustix::io::read(from, into))
}

/// Turns an error that only says that one would have to wait into none.
fn now(result: rustix::io::Result<usize>) -> io::Result<Option<usize>> {
    match result {
        Ok(count) => Ok(Some(count)),
        Err(Errno::AGAIN | Errno::INTR) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Makes a descriptor non-blocking. All descriptors that share its description are affected.
pub fn never_wait(fd: &OwnedFd) -> io::Result<()> {
    Ok(ioctl_fionbio(fd, true)?)
}

/// Lets the calling process keep this descriptor after exec. Safe to call between fork and exec.
pub fn hand_down(fd: BorrowedFd) -> io::Result<()> {
    Ok(fcntl_setfd(fd, FdFlags::empty())?)
}

/// Returns copies of this process's standard input and output, which its children do not inherit.
pub fn own_streams() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok((fcntl_dupfd_cloexec(stdio::stdin(), 3)?, fcntl_dupfd_cloexec(stdio::stdout(), 3)?))
}

/// Sets whether the calling process is killed with its parent's thread. Safe to call between fork and exec.
pub fn die_with_any_parent(die: bool) {
    // This cannot fail with a valid signal.
    let _ = process::set_parent_process_death_signal(die.then_some(Signal::KILL));
}

/// Whether standard input may be read: not if it is a terminal that another job of the shell has, because
/// reading would stop this one.
pub fn may_read_input() -> bool {
    let own = |group| group == process::getpgrp();
    !termios::isatty(stdio::stdin()) || termios::tcgetpgrp(stdio::stdin()).is_ok_and(own)
}

/// Returns the digits of those of standard output and standard error that are terminals: "12", "1", "2" or
/// nothing.
pub fn terminals() -> String {
    let streams = [(stdio::stdout(), '1'), (stdio::stderr(), '2')];
    streams.into_iter().filter_map(|(fd, digit)| termios::isatty(fd).then_some(digit)).collect()
}

/// Waits until one of `fds` can be read, or until `until`. Returns which of them can.
pub fn wait_readable<const N: usize>(fds: [RawFd; N], until: Option<Instant>) -> [bool; N] {
    let mut waits = fds.map(Wait::to_read);
    wait_any(&mut waits, until);
    waits.map(|wait| wait.ready())
}

/// The events to wait for at one descriptor, and those that have come; a negative descriptor is never ready.
///
/// Uses libc, as `wait_any` does: rustix cannot poll descriptor -1.
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

    /// Whether the descriptor is ready, or broken, which a read or write then tells.
    pub fn ready(&self) -> bool {
        self.entry.revents != 0
    }
}

/// Waits until one of many descriptors is ready, or until `until`.
pub fn wait_any(waits: &mut [Wait], until: Option<Instant>) {
    let left = until.map(|at| at.saturating_duration_since(Instant::now()));
    // Rounded up, so that a deadline has passed when the wait is over.
    let round = |d: Duration| i32::try_from(d.as_nanos().div_ceil(1_000_000)).unwrap_or(i32::MAX);
    // SAFETY: a `Wait` is one entry, and there are so many.
    unsafe { libc::poll(waits.as_mut_ptr().cast(), waits.len() as libc::nfds_t, left.map_or(-1, round)) };
}

/// A descriptor that becomes readable when another thread notifies it.
pub struct Wakeup(OwnedFd);

impl Wakeup {
    /// Makes one that is not readable.
    pub fn new() -> io::Result<Wakeup> {
        Ok(Wakeup(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?))
    }

    /// Makes the descriptor readable.
    pub fn notify(&self) {
        // This can fail only by overflow, when the descriptor is readable already.
        let _ = rustix::io::write(&self.0, &1u64.to_ne_bytes());
    }

    /// Makes the descriptor unreadable again.
    pub fn clear(&self) {
        let _ = rustix::io::read(&self.0, &mut [0; 8]);
    }

    /// Returns the descriptor to wait for.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::process::{Command, Stdio};

    #[test]
    fn cores_are_bits_of_a_mask() {
        assert_eq!(core_mask(&[0, 3]), [9]);
        assert_eq!(core_mask(&[63, 64, 130]), [1 << 63, 1, 4]);
        assert_eq!(core_mask(&[]), [0u64; 0]);
    }

    #[test]
    fn a_thread_that_is_tied_to_a_core_is_allowed_that_one() {
        let all = allowed_cores();
        assert!(all.is_sorted());
        for core in all.into_iter().take(4) {
            let tied = std::thread::spawn(move || {
                tie_to_cores(&core_mask(&[core])).unwrap();
                allowed_cores()
            });
            assert_eq!(tied.join().unwrap(), [core]);
        }
        assert!(tie_to_cores(&[]).is_err(), "no core at all");
    }

    #[test]
    fn a_stream_names_who_wrote_and_ends_with_its_writers() {
        let (reader, writer) = named_stream().unwrap();
        let mut bytes = [0; 100];
        assert_eq!(receive(&reader, &mut bytes).unwrap(), None, "nothing yet");
        let mut child =
            Command::new("echo").arg("hello").stdout(writer.try_clone().unwrap()).spawn().unwrap();
        child.wait().unwrap();
        assert_eq!(receive(&reader, &mut bytes).unwrap(), Some((child.id() as i32, 6)));
        assert_eq!(&bytes[..6], b"hello\n");
        drop(writer);
        assert!(matches!(receive(&reader, &mut bytes).unwrap(), Some((_, 0))));
    }

    #[test]
    fn a_stream_holds_no_more_than_is_said() {
        let (reader, writer) = named_stream().unwrap();
        never_wait(&writer).unwrap();
        let block = [0; 1 << 16];
        let mut held = 0;
        loop {
            match write_some(&writer, &block).unwrap() {
                0 => break,
                count => held += count,
            }
        }
        assert!(held > 0 && held <= stream_capacity(&reader), "{held}");
        let left = std::thread::spawn(move || write_all(writer.as_fd(), &[1; 1 << 20]));
        let mut bytes = vec![0; 1 << 16];
        let mut came = 0;
        while let Some((_, count)) = {
            wait_readable([reader.as_raw_fd()], None);
            receive(&reader, &mut bytes).unwrap()
        } {
            came += count;
            if count == 0 {
                break;
            }
        }
        left.join().unwrap().unwrap();
        assert_eq!(came, held + (1 << 20), "what would have to wait is written all the same");
    }

    #[test]
    fn what_is_there_now_is_read() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let reader: OwnedFd = reader.into();
        never_wait(&reader).unwrap();
        let mut bytes = [0; 10];
        assert_eq!(read_some(&reader, &mut bytes).unwrap(), None);
        writer.write_all(b"abc").unwrap();
        assert_eq!(read_some(&reader, &mut bytes).unwrap(), Some(3));
        drop(writer);
        assert_eq!(read_some(&reader, &mut bytes).unwrap(), Some(0));
        assert!(read_some(std::fs::File::open("/").unwrap(), &mut bytes).is_err());
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert!(write_some(&writer.into(), b"abc").is_err(), "nobody reads");
    }

    #[test]
    fn a_wait_ends_with_what_is_waited_for_or_with_its_time() {
        let until = Instant::now() + Duration::from_micros(2500);
        assert_eq!(wait_readable([-1, -1], Some(until)), [false, false]);
        assert!(Instant::now() >= until);
        let (one, two) = (Wakeup::new().unwrap(), Wakeup::new().unwrap());
        let fds = [one.fd().as_raw_fd(), two.fd().as_raw_fd()];
        two.notify();
        assert_eq!(wait_readable(fds, None), [false, true]);
        two.clear();
        assert_eq!(wait_readable(fds, Some(Instant::now())), [false, false]);
        let mut waits = [Wait::to_read(fds[0]), Wait::to_write(fds[0])];
        wait_any(&mut waits, None);
        assert_eq!(waits.map(|wait| wait.ready()), [false, true]);
    }

    #[test]
    fn own_children_are_ended_and_waited_for() {
        let mut command = Command::new("sleep");
        let sleeps: Vec<i32> =
            (0..2).map(|_| command.arg("1000").stdin(Stdio::null()).spawn().unwrap().id() as i32).collect();
        assert!(sleeps.iter().all(|&pid| exists(pid)) && exists(std::process::id() as i32));
        end_children(&sleeps);
        assert!(!sleeps.iter().any(|&pid| exists(pid)));
        assert!(!exists(0));
    }

    #[test]
    fn errors_of_the_kernel_are_told() {
        assert!(check(0).is_ok_and(|result| result == 0) && check(7).is_ok_and(|result| result == 7));
        assert!(check(-1).is_err());
        assert!(!host_name().is_empty());
        assert!(admit_file_size(0));
    }
}
