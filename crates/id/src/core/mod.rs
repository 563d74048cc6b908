//! The language between tree and threads: functions of unordered bindings, on which the passes work. Also the
//! lowering of the tree to it, and queries on such programs that passes and back end share.

pub(crate) mod binds;
pub(crate) mod calls;
pub(crate) mod language;
pub(crate) mod lower;
pub(crate) mod order;
pub(crate) mod suspension;
