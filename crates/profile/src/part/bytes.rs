//! Bytes of a thread's part, from which numbers and texts are read one after another.

use anyhow::{Context, Result};

/// The remaining bytes of a file.
pub struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    /// Returns whether no byte is left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes the next `n` bytes.
    pub fn take(&mut self, n: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(n).context("a thread's part is cut off")?;
        self.0 = rest;
        Ok(taken)
    }

    /// Takes a struct of `n` bytes.
    pub fn fields(&mut self, n: usize) -> Result<Fields<'a>> {
        self.take(n).map(Fields)
    }

    /// Takes the next four bytes as a number.
    pub fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.take(4)?.try_into()?))
    }

    /// Takes the next eight bytes as a number.
    pub fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.take(8)?.try_into()?))
    }

    /// Takes the text in the next `n` bytes, which may end with bytes of 0.
    pub fn text(&mut self, n: usize) -> Result<String> {
        let bytes = self.take(n)?.split(|&byte| byte == 0).next().unwrap_or_default();
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }
}

/// A struct in the bytes of a file, whose fields lie at the contract's offsets.
pub struct Fields<'a>(pub &'a [u8]);

impl Fields<'_> {
    /// Returns the field of four bytes at this offset.
    pub fn u32(&self, offset: usize) -> u32 {
        u32::from_le_bytes(self.0[offset..offset + 4].try_into().expect("4 bytes"))
    }

    /// Returns the field of eight bytes at this offset.
    pub fn u64(&self, offset: usize) -> u64 {
        u64::from_le_bytes(self.0[offset..offset + 8].try_into().expect("8 bytes"))
    }
}
