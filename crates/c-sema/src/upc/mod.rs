//! The constraints of UPC 1.3 that are not C's: block sizes and THREADS in declarations (`layout`), pointers
//! of two address spaces (`pointers`), `upc_forall` and the barriers (`forall`).

mod forall;
mod layout;
mod pointers;

pub(crate) use forall::Loop;
