//! Names, types and checks: from the tree to the typed tree.
//!
//! [`check`] walks the tree once, in the order of the text, and fills the tables of [`Typed`]: the symbol of
//! every name, the type of every expression, the layout of every struct, the value of every integer constant
//! expression, and the implicit conversions of pointers-to-shared. On the way it enforces the constraints of
//! C17 that gcc treats as errors and all constraints of UPC 1.3.
//!
//! Private code goes on to a C compiler that checks it again. So if C is in doubt (a GNU builtin that is not
//! modelled, a vector, an attribute that changes types) the answer is [`types::Ty::Error`], which fits
//! everywhere: a program that gcc accepts is never refused here.
//!
//! From below: types and libraries ([`types`], [`library`]); the typed tree and analyses of it alone
//! ([`typed`], [`visit`], [`residues`], `linear`, `owning`, and `spmd`, which finds mistakes between
//! threads); the tables being filled and the messages (`context`); rules for constructs whose parts have been
//! checked (`constant`, `upc`, `split_phase`); the scopes, and the rules by which names enter them (`names`);
//! the function around a statement (`function`); the state of the walk over the tree (`checker`), and the
//! walk with further rules, by subjects (`expr`, `decl`, `stmt`); the entry (`unit`).
//!
//! Absent: representations at run time, except that a pointer-to-shared with a phase is twice as large as one
//! without (`types::layout`), because `sizeof` is a constant.

mod checker;
mod constant;
mod context;
mod decl;
mod expr;
mod function;
pub mod library;
mod linear;
mod names;
mod owning;
pub mod residues;
mod split_phase;
mod spmd;
mod stmt;
pub mod typed;
pub mod types;
mod unit;
mod upc;
pub mod visit;

pub use context::Env;
pub use spmd::check as check_threads;
pub use typed::Typed;
pub use types::Member;
pub use unit::check;
pub use upc::format_argument;
