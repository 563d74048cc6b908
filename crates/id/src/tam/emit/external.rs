//! Functions of C in what is generated: how the C of a program declares and calls them, and what an object
//! file says of them for messages of the linker.

use super::words::quoted;
use crate::check::external::{CType, External};
use base::Source;

/// The section of object files that says where functions of C are declared. The linker leaves it out.
pub const SECTION: &str = ".meridian_id";

impl External {
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
