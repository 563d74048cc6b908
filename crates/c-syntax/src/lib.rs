//! c-syntax
