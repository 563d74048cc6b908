//! Accesses that may go to other hosts: versions of a loop for one host and several, copies, caches, rows
//! requested in advance, and reads of many iterations at a time.

pub(crate) mod caching;
pub(crate) mod directories;
pub(crate) mod halos;
pub(crate) mod prefetch;
pub(crate) mod sections;
pub(crate) mod versioning;
