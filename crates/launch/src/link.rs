//! Byte streams without blocking: bytes that cannot be written now are queued, and incomplete frames are kept
//! until the rest has come.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};

use crate::frame::{GREETING, LONGEST};
use crate::sys;

/// Bytes read at a time.
const CHUNK: usize = 256 << 10;

/// Bytes that are on their way out.
#[derive(Default)]
pub struct Queue {
    bytes: Vec<u8>,
    /// The number of bytes that have been written.
    done: usize,
}

impl Queue {
    /// Appends bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.done == self.bytes.len() {
            self.bytes.clear();
            self.done = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Whether all bytes have been written.
    pub fn is_empty(&self) -> bool {
        self.done == self.bytes.len()
    }

    /// Writes the bytes that the descriptor accepts now. Returns their number.
    ///
    /// # Errors
    /// If the other end is closed.
    pub fn flush(&mut self, to: &OwnedFd) -> io::Result<usize> {
        let before = self.done;
        while !self.is_empty() {
            match sys::write_some(to, &self.bytes[self.done..])? {
                0 => break,
                count => self.done += count,
            }
        }
        Ok(self.done - before)
    }
}

/// Frames in both directions (`frame.rs`).
pub struct Link {
    from: OwnedFd,
    to: OwnedFd,
    came: Vec<u8>,
    queue: Queue,
    /// The greeting has not come yet.
    greeting: bool,
    closed: bool,
}

impl Link {
    /// Makes a link over these descriptors, and sets them non-blocking. `greeted`: the other side greets
    /// first.
    ///
    /// # Errors
    /// If the kernel refuses to set them so.
    pub fn new(from: OwnedFd, to: OwnedFd, greeted: bool) -> io::Result<Link> {
        sys::never_wait(&from)?;
        sys::never_wait(&to)?;
        let queue = Queue::default();
        Ok(Link { from, to, came: Vec::new(), queue, greeting: greeted, closed: false })
    }

    /// Sends bytes as they are, a frame or the greeting. The link closes if the other side is gone.
    pub fn send(&mut self, bytes: &[u8]) {
        self.queue.push(bytes);
        self.flush();
    }

    /// Writes queued bytes.
    pub fn flush(&mut self) {
        if self.queue.flush(&self.to).is_err() {
            self.closed = true;
        }
    }

    /// Returns the frames that have come, without their lengths; an empty list if there are none now.
    pub fn receive(&mut self) -> Vec<Vec<u8>> {
        let before = self.came.len();
        self.came.resize(before + CHUNK, 0);
        let got = sys::read_some(&self.from, &mut self.came[before..]);
        self.came.truncate(before + got.as_ref().map_or(0, |got| got.unwrap_or(0)));
        // Reading nothing now is not the end: only zero bytes or an error are.
        self.closed |= matches!(got, Ok(Some(0)) | Err(_));
        self.take_frames()
    }

    fn take_frames(&mut self) -> Vec<Vec<u8>> {
        if self.greeting {
            let Some(at) = self.came.windows(GREETING.len()).position(|w| w == GREETING) else {
                return Vec::new();
            };
            self.came.drain(..at + GREETING.len());
            self.greeting = false;
        }
        let mut frames = Vec::new();
        let mut at = 0;
        while let Some(length) = self.came.get(at..at + 4) {
            let length = u32::from_le_bytes(length.try_into().expect("four bytes")) as usize;
            if length > LONGEST {
                self.closed = true;
                break;
            }
            let Some(frame) = self.came.get(at + 4..at + 4 + length) else { break };
            frames.push(frame.to_vec());
            at += 4 + length;
        }
        self.came.drain(..at);
        frames
    }

    /// Whether the other side is gone.
    pub fn closed(&self) -> bool {
        self.closed
    }

    /// Whether the other side has greeted, or need not greet.
    pub fn greeted(&self) -> bool {
        !self.greeting
    }

    /// Returns the descriptor to wait for reading, and the one to wait for writing; negative if there is
    /// none.
    pub fn waits(&self) -> (RawFd, RawFd) {
        let unless = |not: bool, fd: &OwnedFd| if not || self.closed { -1 } else { fd.as_raw_fd() };
        (unless(false, &self.from), unless(self.queue.is_empty(), &self.to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::os::unix::net::UnixStream;

    #[test]
    fn what_a_shell_says_before_the_greeting_is_passed_over_and_frames_may_come_in_pieces() {
        let (mut other, own) = UnixStream::pair().unwrap();
        let mut link = Link::new(own.try_clone().unwrap().into(), own.into(), true).unwrap();
        other.write_all(b"Welcome to node1!\nmeridian agen").unwrap();
        assert!(link.receive().is_empty());
        other.write_all(b"t\n\x02\0\0\0a").unwrap();
        assert!(link.receive().is_empty());
        other.write_all(b"b\x01\0\0\0c\x05").unwrap();
        assert_eq!(link.receive(), [b"ab".to_vec(), b"c".to_vec()]);
        assert!(!link.closed());
        drop(other);
        assert!(link.receive().is_empty());
        assert!(link.closed());
    }

    #[test]
    fn what_is_not_taken_now_is_kept() {
        let (mut other, own) = UnixStream::pair().unwrap();
        let mut link = Link::new(own.try_clone().unwrap().into(), own.into(), false).unwrap();
        let bytes: Vec<u8> = (0..4_000_000u32).map(|i| i as u8).collect();
        link.send(&bytes);
        assert!(link.waits().1 >= 0, "more than a socket holds");
        let reader = std::thread::spawn(move || {
            let mut all = vec![0; 4_000_000];
            std::io::Read::read_exact(&mut other, &mut all).unwrap();
            all
        });
        while link.waits().1 >= 0 {
            link.flush();
        }
        assert_eq!(reader.join().unwrap(), bytes);
    }
}
