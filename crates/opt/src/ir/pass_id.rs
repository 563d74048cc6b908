//! Names of passes, by which remarks say who has looked at a loop. Each pass has its own.

use std::fmt;

/// A pass, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassId(pub &'static str);

impl fmt::Display for PassId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.0)
    }
}
