//! Names of passes, by which remarks say which pass has examined a loop. Each pass has its own name.

use std::fmt;

/// The name of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassId(pub &'static str);

impl fmt::Display for PassId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.0)
    }
}
