//! The `meridian` command and its other names.
fn main() {}
