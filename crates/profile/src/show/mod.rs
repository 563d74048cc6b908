//! The display of a profile: in the terminal (`text`) and as a page (`page`), both with the machine under an
//! Id90 program (`tam`), and with shared sentences (`summary`) and formats of numbers (`numbers`).

mod numbers;
pub mod page;
mod summary;
mod tam;
pub mod text;
