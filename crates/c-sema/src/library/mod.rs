//! The library functions that the compiler knows: a table with one row for each.
//!
//! A row has the header that declares a name, the result of a call, its effects on the program, and the
//! inline code that replaces it, if any. Other names of the same headers are listed here too, so that a
//! message can say which header to include.
//!
//! To add a function, add its row to those of its library, in the folder. `tests/library.rs` compares the
//! rows of UPC and Split-C with the headers.

mod c;
mod split_c;
mod upc;

use crate::types::{FloatKind, IntKind};
use base::{Code, Diagnostic, Source};
use c_syntax::Language;
use std::collections::HashMap;
use std::sync::LazyLock;

/// A row of the table.
#[derive(Debug)]
pub struct Entry {
    /// The name. A name that ends in `*` stands for all names with this beginning.
    pub name: &'static str,
    /// The header that declares the name; empty if none does.
    pub header: &'static str,
    /// The result of a call.
    pub gives: Gives,
    /// The effects of a call.
    pub effects: Effects,
    /// The code that takes the place of a call.
    pub inline: Option<Inline>,
    /// C compilers know the result without a declaration.
    pub known: bool,
    whose: Whose,
}

/// The result of a call; or the kind of the name, if it is no function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// Nothing.
    Void,
    /// An integer.
    Int(IntKind),
    /// A floating-point number.
    Float(FloatKind),
    /// `void *`
    VoidPointer,
    /// `char *`
    CharPointer,
    /// A pointer to something else, maybe shared.
    Pointer,
    /// A structure, or one of several types.
    Other,
    /// No function: a macro, a constant, an object.
    Macro,
    /// No function: a type.
    Type,
}

impl Gives {
    /// Whether the result is a pointer, which an `int` cannot hold.
    pub fn is_pointer(self) -> bool {
        matches!(self, Gives::VoidPointer | Gives::CharPointer | Gives::Pointer)
    }
}

const INT: Gives = Gives::Int(IntKind::Int);
const LONG: Gives = Gives::Int(IntKind::Long);
const SIZE: Gives = Gives::Int(IntKind::ULong);
const DOUBLE: Gives = Gives::Float(FloatKind::Double);

/// The effects of a call on the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effects {
    /// Unknown effects: the call may assign any object that it can reach.
    Any,
    /// The call assigns nothing of the program's.
    None,
    /// All threads must call it.
    Collective,
    /// Split-C's outstanding gets and puts may be complete after the call.
    Syncs,
    /// A relaxed atomic operation: it assigns the object to which its second argument points, and reads and
    /// writes the shared object to which its fourth argument points (UPC 7.6.4.3).
    Atomic,
    /// The function ends the job, as a failed assertion does.
    Fails,
}

/// Inline code for a call.
#[derive(Debug)]
pub struct Inline {
    /// The C function.
    pub function: &'static str,
    /// The form of the function for memory that is certain to be on this host.
    pub local: Option<&'static str>,
    /// How each argument is passed. A call with other arguments is not replaced.
    pub args: &'static [Arg],
    /// The type that the function's result is cast to.
    pub result: Option<&'static str>,
}

/// How an argument of inline code is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arg {
    /// The bits of a pointer-to-shared.
    Bits,
    /// Any other value.
    Value,
}

/// Where a name belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    C,
    Compiler,
    Upc,
    SplitC,
}

impl Entry {
    const fn new(whose: Whose, header: &'static str, name: &'static str, gives: Gives) -> Entry {
        Entry { name, header, gives, effects: Effects::Any, inline: None, known: false, whose }
    }

    const fn known(mut self) -> Entry {
        self.known = true;
        self
    }

    const fn pure(mut self) -> Entry {
        self.effects = Effects::None;
        self
    }

    const fn fails(mut self) -> Entry {
        self.effects = Effects::Fails;
        self
    }

    const fn atomic(mut self) -> Entry {
        self.effects = Effects::Atomic;
        self
    }

    const fn collective(mut self) -> Entry {
        self.effects = Effects::Collective;
        self
    }

    const fn syncs(mut self) -> Entry {
        self.effects = Effects::Syncs;
        self
    }

    const fn inline(
        mut self,
        function: &'static str,
        args: &'static [Arg],
        result: Option<&'static str>,
    ) -> Entry {
        self.inline = Some(Inline { function, local: None, args, result });
        self
    }

    const fn local(mut self, function: &'static str) -> Entry {
        if let Some(inline) = &mut self.inline {
            inline.local = Some(function);
        }
        self
    }

    /// Whether the name is a function.
    pub fn is_function(&self) -> bool {
        !matches!(self.gives, Gives::Macro | Gives::Type)
    }

    /// Whether a program may declare this name for itself. UPC reserves names that begin with `upc_`.
    pub fn may_be_replaced(&self) -> bool {
        self.whose == Whose::SplitC
    }
}

/// The row of a name that programs of a language can use.
pub fn find(name: &str, language: Language) -> Option<&'static Entry> {
    let everything = language.everything();
    lookup(name).filter(|row| match row.whose {
        Whose::C => true,
        Whose::Compiler => false,
        Whose::Upc => !everything,
        Whose::SplitC => everything,
    })
}

/// The library and the header of a function of UPC's or Split-C's libraries.
pub fn header_of(name: &str) -> Option<(&'static str, &'static str)> {
    let row = lookup(name).filter(|row| !matches!(row.gives, Gives::Macro | Gives::Type))?;
    match row.whose {
        Whose::Upc => Some(("UPC's library", row.header)),
        Whose::SplitC => Some(("Split-C's library", row.header)),
        Whose::C | Whose::Compiler => None,
    }
}

/// Whether this is a function of C's library.
pub(crate) fn is_of_c(name: &str) -> bool {
    lookup(name).is_some_and(|row| row.whose == Whose::C && row.is_function())
}

/// The result of `__builtin_NAME` in C compilers, or of a function NAME that is not declared.
pub(crate) fn builtin(name: &str) -> Option<Gives> {
    if let Some(row) = lookup(name) {
        return Some(row.gives).filter(|_| row.known);
    }
    // Functions of <math.h> exist for other types too.
    let (stem, kind) = match name.strip_suffix("f128") {
        Some(stem) => (stem, FloatKind::N(128, false)),
        None => match name.as_bytes().last()? {
            b'f' => (&name[..name.len() - 1], FloatKind::Float),
            b'l' => (&name[..name.len() - 1], FloatKind::LongDouble),
            _ => return None,
        },
    };
    let row = lookup(stem).filter(|row| has_kinds(row) && row.known)?;
    Some(match row.gives {
        Gives::Float(_) => Gives::Float(kind),
        other => other,
    })
}

/// Whether a C compiler may compute a call with constant arguments, as gcc does with `4 * atan(1.0)` outside
/// of functions; the compiler decides.
pub(crate) fn may_be_folded(name: &str) -> bool {
    matches!(builtin(name), Some(Gives::Int(_) | Gives::Float(_)))
}

/// Whether the function exists for all floating-point types, as `sin`, `sinf` and `sinl`.
fn has_kinds(row: &Entry) -> bool {
    row.name == "powi" || matches!(row.header, "math.h" | "complex.h")
}

/// A row by its name, or by the name of the same function for another floating-point type.
pub(crate) fn find_function(name: &str, language: Language) -> Option<&'static Entry> {
    find(name, language).filter(|row| row.is_function()).or_else(|| {
        let stem = name.strip_suffix(['f', 'l'])?;
        find(stem, language).filter(|row| row.is_function() && has_kinds(row))
    })
}

fn lookup(name: &str) -> Option<&'static Entry> {
    static BY_NAME: LazyLock<HashMap<&str, &Entry>> =
        LazyLock::new(|| rows().map(|row| (row.name, row)).collect());
    static FAMILIES: LazyLock<Vec<(&str, &Entry)>> =
        LazyLock::new(|| rows().filter_map(|row| Some((row.name.strip_suffix('*')?, row))).collect());
    let family = || FAMILIES.iter().find(|(start, _)| name.starts_with(start)).map(|found| found.1);
    BY_NAME.get(name).copied().or_else(family)
}

/// Adds the header to messages about unknown types that a header declares.
pub fn add_headers(diagnostics: &mut [Diagnostic], source: &Source, language: Language) {
    for d in diagnostics.iter_mut().filter(|d| d.code == Code::UnknownType) {
        let row = source.text.get(d.span.range()).and_then(|name| find(name, language));
        if let Some(row) = row.filter(|row| row.gives == Gives::Type) {
            d.help = Some(format!("add `#include <{}>`", row.header));
        }
    }
}

/// All rows, for tests and for suggestions.
pub fn rows() -> impl Iterator<Item = &'static Entry> {
    c::ROWS.iter().chain(c::BUILTINS).chain(upc::ROWS).chain(split_c::ROWS)
}
