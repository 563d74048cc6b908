//! The lines by which the runtime describes a finding.

/// An object of shared memory.
#[derive(Debug, PartialEq, Eq)]
pub struct Object {
    /// The thread that has it.
    pub owner: u64,
    /// The address in the owner's image or heap.
    pub native: u64,
    /// The bytes that both accesses have.
    pub size: u64,
    /// THREADS.
    pub threads: u64,
}

/// A block of the heap.
#[derive(Debug, PartialEq, Eq)]
pub struct Block {
    /// The address in the owner's heap.
    pub start: u64,
    /// The bytes in each thread's memory.
    pub size: u64,
    /// The return addresses of the calls around its allocation, innermost first.
    pub frames: Vec<u64>,
}

/// The kinds of use of shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Read by plain code.
    Read,
    /// Written by plain code.
    Write,
    /// Read by a strict access or an atomic operation.
    AtomicRead,
    /// Written so.
    AtomicWrite,
    /// Freed.
    Free,
}

/// An access to shared memory.
#[derive(Debug, PartialEq, Eq)]
pub struct Access {
    /// The thread that did it.
    pub thread: u64,
    /// The kind of use.
    pub act: Act,
    /// Whether a non-blocking transfer did it, which the thread has begun.
    pub transfer: bool,
    /// The return addresses of the calls around it, innermost first.
    pub frames: Vec<u64>,
}

/// An error in the use of shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Two accesses that nothing orders.
    Race,
    /// An access to memory that was freed.
    Freed,
}

/// A finding.
#[derive(Debug, PartialEq, Eq)]
pub struct Record {
    /// The error.
    pub kind: Kind,
    /// The object of the accesses.
    pub object: Object,
    /// The block of the heap that has it, or had it.
    pub block: Option<Block>,
    /// The access of the thread that has found the error, and the earlier one.
    pub accesses: [Access; 2],
}

impl Record {
    /// Reads the lines.
    pub fn parse(lines: &str) -> Result<Record, String> {
        let wrong = || format!("meridian finding: these lines describe no finding: {lines:?}");
        let (mut kind, mut object, mut block) = (None, None, None);
        let mut accesses = Vec::new();
        for line in lines.lines() {
            let (word, rest) = line.split_once(' ').ok_or_else(wrong)?;
            match (word, rest) {
                ("kind", "race") => kind = Some(Kind::Race),
                ("kind", "freed") => kind = Some(Kind::Freed),
                ("object", _) => object = Some(Object::parse(rest).ok_or_else(wrong)?),
                ("block", _) => block = Some(Block::parse(rest).ok_or_else(wrong)?),
                ("access", _) => accesses.push(Access::parse(rest).ok_or_else(wrong)?),
                _ => return Err(wrong()),
            }
        }
        match (kind, object, accesses.try_into()) {
            (Some(kind), Some(object), Ok(accesses)) => Ok(Record { kind, object, block, accesses }),
            _ => Err(wrong()),
        }
    }
}

/// Reads return addresses.
fn frames<'a>(words: impl Iterator<Item = &'a str>) -> Option<Vec<u64>> {
    words.map(|word| u64::from_str_radix(word, 16).ok()).collect()
}

impl Block {
    fn parse(text: &str) -> Option<Block> {
        let mut words = text.split(' ');
        let start = u64::from_str_radix(words.next()?, 16).ok()?;
        let size = words.next()?.parse().ok()?;
        Some(Block { start, size, frames: frames(words)? })
    }
}

impl Object {
    fn parse(text: &str) -> Option<Object> {
        let mut words = text.split(' ');
        let owner = words.next()?.parse().ok()?;
        let native = u64::from_str_radix(words.next()?, 16).ok()?;
        let size = words.next()?.parse().ok()?;
        let threads = words.next().map_or(Some(1), |word| word.parse().ok())?;
        Some(Object { owner, native, size, threads })
    }
}

impl Access {
    fn parse(text: &str) -> Option<Access> {
        let mut words = text.split(' ');
        let thread = words.next()?.parse().ok()?;
        let word = words.next()?;
        let plain = word.strip_prefix("transfer-");
        let act = match plain.unwrap_or(word) {
            "read" => Act::Read,
            "write" => Act::Write,
            "atomic-read" => Act::AtomicRead,
            "atomic-write" => Act::AtomicWrite,
            "free" => Act::Free,
            _ => return None,
        };
        Some(Access { thread, act, transfer: plain.is_some(), frames: frames(words)? })
    }
}
