//! `meridian run` from outside, with plain C programs and scripts as threads: how a job starts, how its
//! output arrives, and how it ends, in all the ways it can.

mod death;
mod hosts;
mod output;
mod start;
mod support;
