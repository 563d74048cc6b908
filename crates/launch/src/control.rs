//! The control block: the part of shared memory in which the runtime tells the launcher about the job's
//! threads.
//!
//! The layout is that of the contract; `runtime/host/control.h` says what the words mean. All words are 32
//! bits, and atomic.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};

use base::contract::{self, control as offset, global_exits, states};

use crate::error::Error;
use crate::supervisor::{News, Stage};
use crate::sys;

/// Threads that the control block holds at most.
pub const MAX_THREADS: u32 = contract::MAX_THREADS as u32;
/// Bytes of the control file; sparse.
pub const CONTROL_SIZE: u64 = contract::CONTROL_SIZE;
/// Bytes of the memory file; sparse.
pub const VIEW_SIZE: u64 = contract::VIEW_SIZE;

const MAGIC: u32 = contract::CONTROL_MAGIC as u32;
/// Bytes that the launcher maps: those of the contract.
const HEAD: usize = offset::TOTAL_SIZE;

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
    let control = Control::create().map_err(Error::system("cannot create the job's control block"))?;
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
        let state = self.word(offset::STATE + 4 * thread);
        let stage = match state {
            states::FINISHED => Stage::Finished,
            states::NONE if self.word(offset::MAGIC) != MAGIC => Stage::Foreign,
            _ => Stage::Inside,
        };
        let global_exit = (self.word(offset::GLOBAL_EXIT_FLAG) == global_exits::KNOWN)
            .then(|| self.word(offset::GLOBAL_EXIT_CODE).cast_signed());
        News { stage, reported: state == states::REPORTED, global_exit }
    }

    /// Returns true if this thread has passed start-up, and is at the place at which threads wait for a
    /// debugger if they do so.
    pub fn has_started(&self, thread: usize) -> bool {
        self.word(offset::STATE + 4 * thread) == states::RUNNING
    }

    /// Returns true if a thread prints, or has printed, the job's one fatal message. Partner: the
    /// compare-exchange by which a thread claims it, which comes before the message.
    pub fn message_claimed(&self) -> bool {
        self.word(offset::ABORT) != 0
    }

    /// Tells the threads that the job is being ended, so that they add no messages of their own. If a thread
    /// of another host has called `upc_global_exit`, its code is passed on, so that the threads of this host
    /// write out their buffers. Partner: the runtime reads the words before it prints a fatal message, and in
    /// its handler of SIGTERM.
    pub fn announce_end(&self, global_exit: Option<i32>) {
        if let Some(code) = global_exit {
            self.at(offset::GLOBAL_EXIT_CODE).store(code.cast_unsigned(), Ordering::Relaxed);
            self.at(offset::GLOBAL_EXIT_FLAG).store(global_exits::KNOWN, Ordering::Release);
        }
        self.at(offset::LAUNCHER_ABORT).store(1, Ordering::Release);
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
        assert_eq!((control.word(offset::LAUNCHER_ABORT), control.word(offset::GLOBAL_EXIT_FLAG)), (1, 0));
        control.announce_end(Some(-3));
        assert_eq!(control.news(0).global_exit, Some(-3));
        assert!(!control.message_claimed(), "that is a thread's to say");
        control.at(offset::ABORT).store(1, Ordering::Release);
        assert!(control.message_claimed());
    }

    #[test]
    fn states_and_the_exit_code_are_read() {
        let control = Control::create().unwrap();
        let write = |offset, value| control.at(offset).store(value, Ordering::Release);
        write(offset::STATE + 16, states::FINISHED);
        assert_eq!(control.news(4).stage, Stage::Finished);
        write(offset::MAGIC, MAGIC);
        assert_eq!(control.news(3).stage, Stage::Inside);
        assert!(!control.news(3).reported && control.news(3).global_exit.is_none());
        write(offset::STATE + 12, states::FINISHED);
        assert_eq!(control.news(3).stage, Stage::Finished);
        write(offset::STATE + 12, states::REPORTED);
        assert!(control.news(3).reported);
        write(offset::GLOBAL_EXIT_FLAG, 2); // the code is about to be written
        assert_eq!(control.news(0).global_exit, None);
        write(offset::GLOBAL_EXIT_CODE, (-5i32).cast_unsigned());
        write(offset::GLOBAL_EXIT_FLAG, 1);
        assert_eq!(control.news(0).global_exit, Some(-5));
    }
}
