//! How a profile is shown: in the terminal (`text`) and as a page (`page`), both with the machine under an
//! Id90 program (`tam`), in the words of `summary` and with the numbers of `numbers`.

mod numbers;
pub mod page;
mod summary;
mod tam;
pub mod text;
