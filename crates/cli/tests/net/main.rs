//! `meridian run -H` over a network: hosts are network namespaces on one switch, reached by ssh with a real
//! sshd in each, or by `ip netns exec`. If namespaces are not permitted (they take root), tests that need
//! them are skipped. Tests on the loopback interface, in which `-H localhost,localhost` starts its agents
//! directly, always run.
//!
//! The failures are a table: the event, and the job's one message.

mod failure;
mod start;
#[path = "../run/support.rs"]
#[allow(dead_code)]
mod support;
mod world;

fn main() {
    tests::trial::run_waiting([start::trials(), failure::trials()].into_iter().flatten().collect());
}
