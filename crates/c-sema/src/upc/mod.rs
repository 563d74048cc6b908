//! The constraints of UPC 1.3 that C does not have: block sizes and THREADS in declarations (`layout`),
//! pointers of two address spaces (`pointers`), the AC objects that need no cast (`own`). Also programs that
//! are allowed, but hardly intended (`suspect`, `printed`, `forall_body`, `uninitialised`).

pub(crate) mod forall_body;
pub(crate) mod layout;
pub(crate) mod own;
pub(crate) mod pointers;
pub(crate) mod printed;
pub(crate) mod suspect;
pub(crate) mod uninitialised;

pub use printed::format_argument;
