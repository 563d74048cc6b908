//! Facts: analyses of the program as it was written. They rewrite nothing and know no pass.
//!
//! - Loops: [`shapes`] (how a loop counts), [`effects`] and [`body`] (the effects of its body), [`certain`]
//!   (expressions that every iteration evaluates), [`functions`] and [`atomics`] (effects of
//!   calls), [`statements`].
//! - Addresses: [`rows`], [`roots`], [`streams`] and [`places`] (where objects lie), [`ownership`] (which
//!   threads own them), [`affine`], [`advance`] and [`heads`] (values known before an iteration runs),
//!   [`asking`] (run-time tests of where objects are).
//! - Order: [`dependences`], [`early`] (rules for early evaluation), [`strictness`].
//! - Expressions: [`equality`], [`extrema`], [`names`].

pub(crate) mod advance;
pub(crate) mod affine;
pub(crate) mod asking;
pub mod atomics;
pub(crate) mod body;
pub(crate) mod certain;
pub(crate) mod dependences;
pub mod early;
pub(crate) mod effects;
pub(crate) mod equality;
pub(crate) mod extrema;
pub(crate) mod functions;
pub(crate) mod heads;
pub(crate) mod names;
pub(crate) mod ownership;
pub mod places;
pub(crate) mod roots;
pub(crate) mod rows;
pub(crate) mod shapes;
pub(crate) mod statements;
pub(crate) mod streams;
pub(crate) mod strictness;
