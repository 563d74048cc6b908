//! Source lines of the calls around an access.

use crate::locate::Program;

/// A line of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    function: String,
    /// The file as the compiler was given it, and the line; none without debug information.
    line: Option<(String, u32)>,
}

impl Place {
    /// Returns `file:line`, or the function.
    pub fn short(&self) -> String {
        match &self.line {
            Some((file, line)) => format!("{file}:{line}"),
            None => self.function.clone(),
        }
    }

    /// Returns `file:line in function`.
    pub fn long(&self) -> String {
        match &self.line {
            Some((file, line)) => format!("{file}:{line} in {}", self.function),
            None => self.function.clone(),
        }
    }
}

/// The program and the libraries of a process, as far as they have been read.
pub struct Places(Option<Program>);

impl Places {
    /// The places of process `pid`, which still exists.
    pub fn of_process(pid: u32) -> Places {
        Places(Some(Program::of(pid)))
    }

    /// The places of no process: none is known.
    #[cfg(test)]
    pub fn none() -> Places {
        Places(None)
    }

    /// Returns the lines of the program that led to an access, innermost first, from its return addresses;
    /// those of the runtime and of its headers are left out.
    pub fn of(&self, frames: &[u64]) -> Vec<Place> {
        let Some(program) = &self.0 else { return Vec::new() };
        // A return address lies after its call.
        let calls = frames.iter().map(|frame| frame.saturating_sub(1));
        let frames = calls.flat_map(|address| program.frames(address));
        let places: Vec<Place> =
            frames.map(|frame| Place { function: frame.function, line: frame.line }).collect();
        // The C library calls main.
        let end = places.iter().position(|place| place.function == "main").map_or(places.len(), |at| at + 1);
        places[..end].to_vec()
    }
}
