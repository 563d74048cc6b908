//! Updates that the owner of an object does, and accesses at unpredictable places.

pub(crate) mod accumulate;
pub(crate) mod extremum;
pub(crate) mod scatter;
