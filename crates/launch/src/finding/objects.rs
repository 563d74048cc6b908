//! Names of shared objects and of their elements.
//!
//! A static shared object is a symbol of the program. Its layout is a string in the program, under the name
//! `mer_shared_NAME` (`crates/lower/src/describe.rs`).

use super::record::Object;
use object::{Object as _, ObjectSection, ObjectSymbol};

/// From here on a thread's memory is the heap's (`runtime/include/meridian/abi/contract.h`).
const HEAP: u64 = base::contract::HEAP_OFFSET;

/// Returns the name of an object of process `pid`: `a[17]`, `total`, or words for memory without a name.
pub fn name(pid: u32, object: &Object) -> String {
    if object.native >= HEAP {
        return "shared memory from the heap".into();
    }
    let bytes = std::fs::read(format!("/proc/{pid}/exe")).unwrap_or_default();
    let named = object::File::parse(&*bytes).ok().and_then(|file| static_name(&file, object));
    named.unwrap_or_else(|| "a shared object".into())
}

fn static_name(file: &object::File, object: &Object) -> Option<String> {
    let holds = |symbol: &object::Symbol| {
        symbol.address() <= object.native && object.native - symbol.address() < symbol.size()
    };
    let symbol = file.symbols().find(holds)?;
    let name = symbol.name().ok()?;
    let layout = text(file, &format!("mer_shared_{name}"));
    let offset = object.native - symbol.address();
    let subscripts =
        layout.and_then(|text| Layout::parse(&text, object.threads)?.subscripts(object.owner, offset));
    Some(format!("{name}{}", subscripts.unwrap_or_default()))
}

/// Returns the string constant of this name.
fn text(file: &object::File, name: &str) -> Option<String> {
    let symbol = file.symbols().find(|symbol| symbol.name() == Ok(name))?;
    let section = file.section_by_index(symbol.section_index()?).ok()?;
    let bytes = section.data_range(symbol.address(), symbol.size()).ok()??;
    let end = bytes.iter().position(|byte| *byte == 0)?;
    String::from_utf8(bytes[..end].to_vec()).ok()
}

/// How the elements of an array are dealt out.
struct Layout {
    /// Elements of a block, 0 for indefinite.
    block: u64,
    /// Bytes of an element.
    element: u64,
    dimensions: Vec<u64>,
    threads: u64,
}

impl Layout {
    fn parse(text: &str, threads: u64) -> Option<Layout> {
        let mut words = text.split(' ');
        let (block, element) = words.next()?.split_once('/')?;
        let dimension = |word: &str| match word.strip_suffix('T') {
            Some(number) => number.parse::<u64>().ok().map(|n| n * threads),
            None => word.parse().ok(),
        };
        Some(Layout {
            block: block.parse().ok()?,
            element: element.parse().ok().filter(|n| *n > 0)?,
            dimensions: words.map(dimension).collect::<Option<_>>()?,
            threads,
        })
    }

    /// Returns the subscripts of the element at an offset in the part of thread `owner`; none outside of the
    /// array.
    fn subscripts(&self, owner: u64, offset: u64) -> Option<String> {
        let at = offset / self.element;
        let mut n = match self.block {
            0 => at,
            block => (at / block * self.threads + owner) * block + at % block,
        };
        let mut text = String::new();
        for dimension in self.dimensions.iter().rev() {
            text = format!("[{}]{text}", n.checked_rem(*dimension)?);
            n /= dimension;
        }
        (n == 0).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_named_in_cyclic_blocked_and_indefinite_arrays() {
        let element = |text: &str, owner, offset| Layout::parse(text, 4)?.subscripts(owner, offset);
        assert_eq!(element("1/4 16", 1, 12).as_deref(), Some("[13]"));
        assert_eq!(element("2/8 4T", 3, 8 * 3).as_deref(), Some("[15]"));
        assert_eq!(element("0/1 5 3", 0, 7).as_deref(), Some("[2][1]"));
        assert_eq!(element("1/4 4", 1, 4), None);
        assert_eq!(element("1/4", 0, 0).as_deref(), Some(""));
        assert_eq!(element("no layout", 0, 0), None);
    }
}
