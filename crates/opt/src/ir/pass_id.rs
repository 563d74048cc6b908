//! Names of passes: remarks say by them which pass has looked at a loop.

use std::fmt;

/// A pass, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassId(pub &'static str);

impl PassId {
    pub(crate) const WHILE: PassId = PassId("while");
    pub(crate) const OWN: PassId = PassId("own");
    pub(crate) const STORE_COUNTING: PassId = PassId("store-counting");
    pub(crate) const STRIP_MINING: PassId = PassId("strip-mining");
    pub(crate) const FORALL: PassId = PassId("forall");
    pub(crate) const FORALL_POINTERS: PassId = PassId("forall-pointers");
    pub(crate) const STRIDED: PassId = PassId("strided");
    pub(crate) const VERSIONING: PassId = PassId("versioning");
    pub(crate) const NEIGHBOURS: PassId = PassId("neighbours");
    pub(crate) const SECTIONS: PassId = PassId("sections");
    pub(crate) const LOCAL_ROWS: PassId = PassId("local-rows");
    pub(crate) const CACHING: PassId = PassId("caching");
    pub(crate) const HALOS: PassId = PassId("halos");
    pub(crate) const DIRECTORIES: PassId = PassId("directories");
    pub(crate) const PREFETCH: PassId = PassId("prefetch");
    pub(crate) const INDEFINITE: PassId = PassId("indefinite");
    pub(crate) const INDUCTION: PassId = PassId("induction");
    pub(crate) const ACCUMULATE: PassId = PassId("accumulate");
    pub(crate) const EXTREMUM: PassId = PassId("extremum");
    pub(crate) const SCATTER: PassId = PassId("scatter");
    pub(crate) const UNROLL: PassId = PassId("unroll");
}

impl fmt::Display for PassId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.0)
    }
}
