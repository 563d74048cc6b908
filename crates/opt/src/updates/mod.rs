//! Updates that the owner of an object does, and accesses in no order.

pub(crate) mod accumulate;
pub(crate) mod extremum;
pub(crate) mod scatter;
