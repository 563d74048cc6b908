//! Elements and rows with affinity to this thread, or on this host: loops go over them by local pointers.

pub(crate) mod forall;
pub(crate) mod forall_pointers;
pub(crate) mod indefinite;
pub(crate) mod local_rows;
pub(crate) mod neighbours;
mod over_own;
pub(crate) mod own;
pub(crate) mod reduction;
pub(crate) mod store_counting;
pub(crate) mod strided;
pub(crate) mod strip_mining;
