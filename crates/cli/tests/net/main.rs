//! `meridian run -H` over a network: hosts are network namespaces on one switch, reached by ssh with a real sshd in
//! each, or by `ip netns exec`. Where namespaces are not permitted (they take root), each test says so and does
//! what it can on the loopback interface, where `-H localhost,localhost` starts its agents directly.
//!
//! The failures are a table: what happens, what the job's one message says, and how long it may take.

mod failure;
mod start;
#[path = "../run/support.rs"]
#[allow(dead_code)]
mod support;
mod world;
