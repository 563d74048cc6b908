//! Functions of C in the generated C: how it declares and calls them, and the records about them in object
//! files, for messages of the linker.

use crate::check::external::{CType, External};
use crate::tam::c::{Expr, Function, Head, Item, Name, Stmt, Type, call, call_of, cast, quoted};
use crate::tam::emit::words::register;
use base::Source;

/// The section of object files that tells where functions of C are declared. The linker leaves it out.
pub const SECTION: &str = ".meridian_id";

impl External {
    /// The record for the assembler that [`declared_in`] reads from an object file; none for a function that
    /// no file declares.
    pub(super) fn record(&self, source: &Source) -> Option<Item> {
        let span = self.declared?;
        let at = source.presumed(span.lo);
        let column = span.lo - source.line_span(source.line_of(span.lo)).lo;
        let file = source.file(at.file).to_string_lossy();
        let record =
            format!("@external\t{}\t{}\t{column}\t{}\t{file}", self.symbol, at.line, span.hi - span.lo);
        let assembled = format!(
            ".pushsection {SECTION},\"e\",@progbits\n.byte 0\n.asciz {}\n.popsection",
            quoted(record.as_bytes())
        );
        Some(Item::Assembly(assembled.into_bytes()))
    }

    /// The prototype, and a function of words that calls it; `n`: its number.
    pub(super) fn items(&self, n: usize) -> [Item; 2] {
        let types: Vec<Type> = self.params.iter().map(|t| t.name()).collect();
        let words = (0..types.len()).map(|p| ("tam_word", Name::Nth("a", p)));
        let name = Name::Nth("external_", n);
        let call = call_of(name, self.params.iter().enumerate().map(|(p, t)| t.argument(p)));
        let mut body = vec![Stmt::set(register("external_site"), "site")];
        match self.result {
            CType::Void => body.extend([Stmt::Expr(call), Stmt::give(0)]),
            CType::Float => body.push(Stmt::give(call!("tam_w", call))),
            CType::Char => body.push(Stmt::give(cast("tam_word", cast("unsigned char", call)))),
            _ => body.push(Stmt::give(cast("tam_word", call))),
        }
        let head = Head {
            result: "static tam_word",
            name: Name::Nth("call_external_", n),
            params: std::iter::once(("uint32_t", "site".into())).chain(words).collect(),
        };
        let prototype = Item::External(self.result.name(), name, types, self.symbol.clone());
        [prototype, Item::Function(Function { title: None, head, body })]
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
    /// Bytes before the name in its line, and the length of the name.
    pub column: usize,
    pub length: usize,
}

/// The functions of C that an object file declares, from the records of [`External::record`].
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
    fn name(self) -> Type {
        match self {
            CType::Int => "int64_t",
            CType::Float => "double",
            CType::Bool => "_Bool",
            CType::Char => "int",
            CType::Void => "void",
            CType::Array => "tam_word",
        }
    }

    fn argument(self, param: usize) -> Expr {
        let word = Name::Nth("a", param);
        match self {
            CType::Float => call!("tam_f", word),
            CType::Array => word.into(),
            _ => cast(self.name(), word),
        }
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
