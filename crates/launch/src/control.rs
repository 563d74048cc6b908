//! The control block: the part of shared memory in which the runtime tells the launcher about the job's
//! threads.
//!
//! The layout is that of `runtime/host/control.h`, whose first 36,864 bytes are the contract; a test reads
//! that header and compares every number here with it. All words are 32 bits, and atomic.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::Error;
use crate::supervisor::{News, Stage};
use crate::sys;

/// Threads that the control block holds at most (`MER_MAX_THREADS`).
pub const MAX_THREADS: u32 = 8192;
/// Bytes of the control file (`MER_CONTROL_SIZE`); sparse.
pub const CONTROL_SIZE: u64 = 16 << 20;
/// Bytes of the memory file (`MER_VIEW_SIZE` of `abi.h`); sparse.
pub const VIEW_SIZE: u64 = 1 << 46;

const MAGIC: u32 = 0x4352_454d;
const OFFSET_MAGIC: usize = 0;
const OFFSET_GLOBAL_EXIT_FLAG: usize = 12;
const OFFSET_GLOBAL_EXIT_CODE: usize = 16;
const OFFSET_ABORT: usize = 20;
const OFFSET_LAUNCHER_ABORT: usize = 28;
const OFFSET_STATE: usize = 4096;
/// Bytes that the launcher maps: those of the contract.
const HEAD: usize = OFFSET_STATE + 4 * MAX_THREADS as usize;

/// The value of the exit flag at which the exit code is valid; a thread that is about to write the code sets
/// another value.
const GLOBAL_EXIT_KNOWN: u32 = 1;

const STATE_NONE: u32 = 0;
const STATE_FINISHED: u32 = 2;
const STATE_REPORTED: u32 = 3;

/// Makes the two files that the threads of one host share: the file of their memory, and the control block.
///
/// # Errors
/// If the limit on file sizes, which is raised as far as possible, is below the size of the memory, or the
/// kernel refuses a memory file.
pub fn host_files() -> Result<(OwnedFd, Control), Error> {
    if !sys::admit_file_size(VIEW_SIZE) {
        return Err(Error::FileSizeLimit);
    }
    let memory = sys::memory_file(c"meridian", VIEW_SIZE)
        .map_err(Error::system("cannot reserve the job's shared memory"))?;
    let control = Control::create().map_err(Error::system("cannot make the job's control block"))?;
    Ok((memory, control))
}

/// The control block of the job, as the launcher sees it.
pub struct Control {
    fd: OwnedFd,
    head: NonNull<AtomicU32>,
}

impl Control {
    /// Makes a control block, all zero.
    ///
    /// # Errors
    /// If the kernel refuses a memory file or address space.
    pub fn create() -> io::Result<Control> {
        let fd = sys::memory_file(c"meridian-control", CONTROL_SIZE)?;
        let head = sys::map_shared(&fd, HEAD)?.cast();
        Ok(Control { fd, head })
    }

    /// The number of the descriptor that the threads inherit.
    pub fn raw_fd(&self) -> i32 {
        self.fd.as_raw_fd()
    }

    /// Returns the state of `thread`, whose process has ended.
    pub fn news(&self, thread: usize) -> News {
        let state = self.word(OFFSET_STATE + 4 * thread);
        let stage = match state {
            STATE_FINISHED => Stage::Finished,
            STATE_NONE if self.word(OFFSET_MAGIC) != MAGIC => Stage::Foreign,
            _ => Stage::Inside,
        };
        let global_exit = (self.word(OFFSET_GLOBAL_EXIT_FLAG) == GLOBAL_EXIT_KNOWN)
            .then(|| self.word(OFFSET_GLOBAL_EXIT_CODE).cast_signed());
        News { stage, reported: state == STATE_REPORTED, global_exit }
    }

    /// Returns true if a thread prints, or has printed, the job's one fatal message. Partner: the
    /// compare-exchange by which a thread claims it, which comes before the message.
    pub fn message_claimed(&self) -> bool {
        self.word(OFFSET_ABORT) != 0
    }

    /// Tells the threads that the job is being ended, so that they add no messages of their own. If a thread
    /// of another host has called `upc_global_exit`, its code is passed on, so that the threads of this host
    /// write out their buffers. Partner: the runtime reads the words before it prints a fatal message, and in
    /// its handler of SIGTERM.
    pub fn announce_end(&self, global_exit: Option<i32>) {
        if let Some(code) = global_exit {
            self.at(OFFSET_GLOBAL_EXIT_CODE).store(code.cast_unsigned(), Ordering::Relaxed);
            self.at(OFFSET_GLOBAL_EXIT_FLAG).store(GLOBAL_EXIT_KNOWN, Ordering::Release);
        }
        self.at(OFFSET_LAUNCHER_ABORT).store(1, Ordering::Release);
    }

    /// Partner of these acquires: the runtime's release stores; that of the exit flag comes after the store
    /// of the exit code. The end of a process, seen by `waitpid`, is ordered after all of its stores anyway.
    fn word(&self, offset: usize) -> u32 {
        self.at(offset).load(Ordering::Acquire)
    }

    fn at(&self, offset: usize) -> &AtomicU32 {
        assert!(offset.is_multiple_of(4) && offset < HEAD, "inside the contract's part");
        // SAFETY: the mapping has HEAD bytes, lives as long as the process, and holds aligned atomic words.
        unsafe { self.head.add(offset / 4).as_ref() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use std::path::Path;

    fn header(path: &str) -> String {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
        std::fs::read_to_string(root.join(path)).expect("the runtime's header")
    }

    /// Returns the value of `#define name value`, for values such as `0x10U`, `(16U << 20)` and `8192`.
    fn defined(text: &str, name: &str) -> u64 {
        let after =
            text.lines().find_map(|l| l.strip_prefix("#define ")?.strip_prefix(name)?.strip_prefix(' '));
        let value = after.unwrap_or_else(|| panic!("{name} is defined"));
        let value = value.split("/*").next().unwrap().trim().trim_matches(['(', ')']);
        let number = |t: &str| {
            let t = t.trim().trim_end_matches(['U', 'L']);
            match t.strip_prefix("0x") {
                Some(hex) => u64::from_str_radix(hex, 16).unwrap(),
                None => t.parse().unwrap(),
            }
        };
        match value.split_once("<<") {
            Some((n, by)) => number(n) << number(by),
            None => number(value),
        }
    }

    /// Returns the offsets that the table in the header's opening comment states.
    fn offsets(text: &str) -> HashMap<String, usize> {
        let row = |line: &str| {
            let mut words = line.strip_prefix(" *   ")?.split_whitespace();
            let offset = words.next()?.parse().ok()?;
            let _type = words.next()?;
            Some((words.next()?.trim_end_matches("[8192]").to_string(), offset))
        };
        text.lines().filter_map(row).collect()
    }

    fn state(text: &str, name: &str) -> u32 {
        let line = text.lines().find(|l| l.trim_start().starts_with(&format!("{name} ="))).expect(name);
        line.split('=')
            .nth(1)
            .unwrap()
            .split(&[',', ' '][..])
            .find(|w| !w.is_empty())
            .unwrap()
            .parse()
            .unwrap()
    }

    #[test]
    fn the_numbers_are_those_of_the_runtime() {
        let text = header("host/control.h");
        assert_eq!(defined(&text, "MER_CONTROL_MAGIC"), u64::from(MAGIC));
        assert_eq!(defined(&text, "MER_CONTROL_SIZE"), CONTROL_SIZE);
        assert_eq!(defined(&text, "MER_MAX_THREADS"), u64::from(MAX_THREADS));
        assert_eq!(defined(&header("include/meridian/abi.h"), "MER_VIEW_SIZE"), VIEW_SIZE);
        let offsets = offsets(&text);
        for (name, offset) in [
            ("magic", OFFSET_MAGIC),
            ("global_exit_flag", OFFSET_GLOBAL_EXIT_FLAG),
            ("global_exit_code", OFFSET_GLOBAL_EXIT_CODE),
            ("abort", OFFSET_ABORT),
            ("launcher_abort", OFFSET_LAUNCHER_ABORT),
            ("state", OFFSET_STATE),
        ] {
            assert_eq!(offsets.get(name), Some(&offset), "{name}");
        }
        assert_eq!(state(&text, "MER_STATE_NONE"), STATE_NONE);
        assert_eq!(state(&text, "MER_STATE_FINISHED"), STATE_FINISHED);
        assert_eq!(state(&text, "MER_STATE_REPORTED"), STATE_REPORTED);
    }

    #[test]
    fn a_fresh_block_tells_of_a_foreign_program() {
        let control = Control::create().unwrap();
        let news = control.news(MAX_THREADS as usize - 1);
        assert_eq!((news.stage, news.reported, news.global_exit), (Stage::Foreign, false, None));
    }

    #[test]
    fn the_files_are_as_large_as_the_runtime_maps_them() {
        let (memory, control) = host_files().unwrap();
        let size = |fd: i32| std::fs::metadata(format!("/proc/self/fd/{fd}")).unwrap().len();
        assert_eq!((size(memory.as_raw_fd()), size(control.raw_fd())), (VIEW_SIZE, CONTROL_SIZE));
    }

    #[test]
    fn the_end_of_the_job_is_announced_with_the_code_of_a_global_exit() {
        let control = Control::create().unwrap();
        assert!(!control.message_claimed());
        control.announce_end(None);
        assert_eq!((control.word(OFFSET_LAUNCHER_ABORT), control.word(OFFSET_GLOBAL_EXIT_FLAG)), (1, 0));
        control.announce_end(Some(-3));
        assert_eq!(control.news(0).global_exit, Some(-3));
        assert!(!control.message_claimed(), "that is a thread's to say");
        control.at(OFFSET_ABORT).store(1, Ordering::Release);
        assert!(control.message_claimed());
    }

    #[test]
    fn states_and_the_exit_code_are_read() {
        let control = Control::create().unwrap();
        let write = |offset, value| control.at(offset).store(value, Ordering::Release);
        write(OFFSET_STATE + 16, STATE_FINISHED);
        assert_eq!(control.news(4).stage, Stage::Finished);
        write(OFFSET_MAGIC, MAGIC);
        assert_eq!(control.news(3).stage, Stage::Inside);
        assert!(!control.news(3).reported && control.news(3).global_exit.is_none());
        write(OFFSET_STATE + 12, STATE_FINISHED);
        assert_eq!(control.news(3).stage, Stage::Finished);
        write(OFFSET_STATE + 12, STATE_REPORTED);
        assert!(control.news(3).reported);
        write(OFFSET_GLOBAL_EXIT_FLAG, 2); // the code is about to be written
        assert_eq!(control.news(0).global_exit, None);
        write(OFFSET_GLOBAL_EXIT_CODE, (-5i32).cast_unsigned());
        write(OFFSET_GLOBAL_EXIT_FLAG, 1);
        assert_eq!(control.news(0).global_exit, Some(-5));
    }
}
