//! Functions of C that a program calls: what they take and give (docs/id90.md, "Functions of C").
//!
//! An `int` is an `int64_t`, a `float` a `double`, a `bool` a `bool`, a `char` an `int`. Arrays of these are
//! handles, which `meridian/id.h` declares. A function that has a side effect gives `void`. Those that give
//! `void` or get arrays run on processor 0, in the order of the text, as output does; the others wherever
//! their arguments are, in any order, and as often as the compiler sees fit.

use crate::emit::quoted;
use crate::types::{Ty, is};
use base::{Source, Span};

/// The section of object files that says where functions of C are declared. The linker leaves it out.
pub const SECTION: &str = ".meridian_id";

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
    /// Where the program says so; an object file keeps it for messages when it is linked.
    pub declared: Option<Span>,
    pub params: Vec<CType>,
    pub result: CType,
}

impl External {
    /// That of this type, or the part of the type that C does not have.
    pub fn of(symbol: &str, ty: &Ty) -> Result<External, Ty> {
        let (mut params, mut ty) = (Vec::new(), ty.clone());
        while let Ty::Fun(f) = ty {
            params.push(c_type(&f.0).filter(|t| *t != CType::Void).ok_or_else(|| f.0.clone())?);
            ty = f.1.clone();
        }
        let result = c_type(&ty).filter(|t| *t != CType::Array && !params.is_empty()).ok_or(ty)?;
        Ok(External { symbol: symbol.to_owned(), declared: None, params, result })
    }

    /// Whether it is called in order, on processor 0.
    pub fn ordered(&self) -> bool {
        self.result == CType::Void || self.params.contains(&CType::Array)
    }

    /// What [`declared_in`] reads from an object file, as text of C.
    pub fn record(&self, source: &Source) -> String {
        let Some(span) = self.declared else { return String::new() };
        let at = source.presumed(span.lo);
        let column = span.lo - source.line_span(source.line_of(span.lo)).lo;
        let file = source.file(at.file).to_string_lossy();
        let record =
            format!("@external\t{}\t{}\t{column}\t{}\t{file}", self.symbol, at.line, span.hi - span.lo);
        let assembled = format!(
            ".pushsection {SECTION},\"e\",@progbits\n.byte 0\n.asciz {}\n.popsection",
            quoted(record.as_bytes())
        );
        format!("__asm__({});\n", quoted(assembled.as_bytes()))
    }

    /// The prototype, and a function of words that calls it, as text of C; `n`: its number.
    pub fn text(&self, n: usize) -> String {
        let types: Vec<&str> = self.params.iter().map(|t| t.name()).collect();
        let params: Vec<String> = (0..types.len()).map(|p| format!("tam_word a{p}")).collect();
        let args: Vec<String> = self.params.iter().enumerate().map(|(p, t)| t.argument(p)).collect();
        let call = format!("external_{n}({})", args.join(","));
        let give = match self.result {
            CType::Void => format!("{call};\n    return 0;"),
            CType::Float => format!("return tam_w({call});"),
            CType::Char => format!("return (tam_word)(unsigned char){call};"),
            _ => format!("return (tam_word){call};"),
        };
        format!(
            "extern {} external_{n}({}) __asm__(\"{}\");\n\
             static tam_word call_external_{n}(uint32_t site, {}) {{\n    tam_external_site = site;\n    {give}\n}}\n",
            self.result.name(),
            types.join(","),
            self.symbol,
            params.join(", "),
        )
    }
}

/// A function of C as an object file of an Id program declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Declared {
    pub symbol: String,
    pub file: String,
    /// From 1.
    pub line: usize,
    /// Bytes in front of the name in its line, and its length.
    pub column: usize,
    pub length: usize,
}

/// The functions of C that an object file declares: what [`External::record`] left there.
pub fn declared_in(object: &[u8]) -> Vec<Declared> {
    let texts = object.split(|b| *b == 0).filter(|t| t.starts_with(b"@external\t"));
    texts.filter_map(|t| declared(std::str::from_utf8(t).ok()?)).collect()
}

fn declared(record: &str) -> Option<Declared> {
    let mut words = record.splitn(6, '\t').skip(1);
    let mut next = || words.next();
    let (symbol, line, column, length, file) = (next()?, next()?, next()?, next()?, next()?);
    Some(Declared {
        symbol: symbol.to_owned(),
        file: file.to_owned(),
        line: line.parse().ok()?,
        column: column.parse().ok()?,
        length: length.parse().ok()?,
    })
}

impl CType {
    fn name(self) -> &'static str {
        match self {
            CType::Int => "int64_t",
            CType::Float => "double",
            CType::Bool => "_Bool",
            CType::Char => "int",
            CType::Void => "void",
            CType::Array => "tam_word",
        }
    }

    fn argument(self, param: usize) -> String {
        match self {
            CType::Float => format!("tam_f(a{param})"),
            CType::Array => format!("a{param}"),
            _ => format!("({})a{param}", self.name()),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_object_files() {
        let object =
            b"\x7fELF\0@external\tf\t3\t10\t4\ta\tb.id\0@external\tg\t3\0.text\0@external\th\tx\t1\t1\tf\0";
        let f = Declared { symbol: "f".into(), file: "a\tb.id".into(), line: 3, column: 10, length: 4 };
        assert_eq!(declared_in(object), [f]);
        assert!(declared_in(b"").is_empty());
    }
}
