//! `meridian run -H` over a network: hosts are network namespaces on one switch, reached by ssh with a real
//! sshd in each, or by `ip netns exec`. Where namespaces are not permitted (they take root), tests that need
//! them are skipped; those on the loopback interface, where `-H localhost,localhost` starts its agents
//! directly, run.
//!
//! The failures are a table: what happens, and what the job's one message says.

mod failure;
mod start;
#[path = "../run/support.rs"]
#[allow(dead_code)]
mod support;
mod world;

fn main() {
    tests::trial::run_waiting([start::trials(), failure::trials()].into_iter().flatten().collect());
}
