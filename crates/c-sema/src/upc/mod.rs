//! The constraints of UPC 1.3 that are not C's: block sizes and THREADS in declarations (`layout`), pointers
//! of two address spaces (`pointers`), `upc_forall` and the barriers (`forall`); and what is allowed, but
//! hardly meant (`suspect`, `printed`).

mod forall;
mod layout;
mod pointers;
mod printed;
mod suspect;

pub(crate) use forall::Loop;
pub use printed::format_argument;
