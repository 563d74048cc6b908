//! `meridian run` from outside, with plain C programs and scripts as threads: the start of a job, its output,
//! and all the ways in which it can end.

mod death;
mod hosts;
mod output;
mod start;
mod support;
