//! The constraints of UPC 1.3 that are not C's: block sizes and THREADS in declarations (`layout`), pointers
//! of two address spaces (`pointers`), which of AC's objects need no cast (`own`), `upc_forall` and the
//! barriers (`forall`); and programs that are allowed, but hardly meant (`suspect`, `printed`, `forall_body`,
//! `uninitialised`).

mod forall;
mod forall_body;
mod layout;
mod own;
mod pointers;
mod printed;
mod suspect;
mod uninitialised;

pub use printed::format_argument;
