//! From a span to the user's file, line and column.
