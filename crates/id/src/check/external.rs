//! Functions of C that a program calls: their parameters and results (docs/id90.md, "Functions of C").
//!
//! An `int` is an `int64_t`, a `float` a `double`, a `bool` a `bool`, a `char` an `int`. Arrays of these are
//! handles, which `meridian/id.h` declares. A function that has a side effect returns `void`. Functions that
//! return `void` or take arrays run on processor 0, in the order of the text, as output does; the others run
//! wherever their arguments are, in any order, and as often as the compiler sees fit.

use crate::check::types::{Ty, is};
use base::Span;

/// The type of a parameter or a result in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum CType {
    Int,
    Float,
    Bool,
    Char,
    Void,
    Array,
}

/// A function of C.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct External {
    pub symbol: String,
    /// Where the program declares the function; an object file keeps the position for messages of the linker.
    pub declared: Option<Span>,
    pub params: Vec<CType>,
    pub result: CType,
}

impl External {
    /// Returns the function of this type, or as an error the part of the type that C does not have.
    pub fn of(symbol: &str, ty: &Ty) -> Result<External, Ty> {
        let (mut params, mut ty) = (Vec::new(), ty.clone());
        while let Ty::Fun(f) = ty {
            params.push(c_type(&f.0).filter(|t| *t != CType::Void).ok_or_else(|| f.0.clone())?);
            ty = f.1.clone();
        }
        let result = c_type(&ty).filter(|t| *t != CType::Array && !params.is_empty()).ok_or(ty)?;
        Ok(External { symbol: symbol.to_owned(), declared: None, params, result })
    }

    /// Whether the function is called in order, on processor 0.
    pub fn ordered(&self) -> bool {
        self.result == CType::Void || self.params.contains(&CType::Array)
    }
}

fn c_type(ty: &Ty) -> Option<CType> {
    let simple = |ty: &Ty| {
        let of = [("int", CType::Int), ("float", CType::Float), ("bool", CType::Bool), ("char", CType::Char)];
        of.iter().find(|(name, _)| is(ty, name)).map(|(_, t)| *t)
    };
    match ty {
        Ty::Con(name, args) if name.ends_with("d_array") => {
            args.get(1).and_then(simple).map(|_| CType::Array)
        }
        ty if is(ty, "void") => Some(CType::Void),
        ty => simple(ty),
    }
}
