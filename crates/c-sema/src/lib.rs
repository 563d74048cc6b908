//! c-sema
