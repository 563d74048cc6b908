//! The commands: `meridian bench` itself (`measured`), `meridian bench compare` and `meridian bench tune`.

pub mod compare;
pub mod measured;
pub mod tune;
