//! What a debugger is told of static shared objects: each is a C object that holds one thread's part, and
//! how the elements are dealt out is nowhere else in the program.
//!
//! `mer_shared_NAME` is a string: the block size, 0 for indefinite, then the dimensions, with a T where one
//! is to be multiplied by THREADS. `runtime/gdb/meridian.py` reads it.

use crate::ty::Layout;
use c_sema::Typed;
use c_sema::typed::SymKind;
use c_sema::types::{Len, Ty};
use opt::Tree;

/// The strings of the objects that this unit defines at file scope, as C; for programs with `-g`.
pub fn describe(tree: &Tree) -> String {
    let typed = &tree.typed;
    let defined = typed
        .symbols
        .iter()
        .filter(|symbol| symbol.file_scope && matches!(symbol.kind, SymKind::Static { defined: true, .. }));
    let texts = defined.filter_map(|symbol| {
        let text = layout_text(typed, symbol.ty)?;
        Some(format!("static const char mer_shared_{}[] __attribute__((used)) = \"{text}\";\n", symbol.name))
    });
    texts.collect()
}

/// None of an object that is not shared, or whose size is known at run time only.
fn layout_text(typed: &Typed, q: c_sema::types::QTy) -> Option<String> {
    let types = &typed.types;
    let block = Layout::of(types.object_quals(q).shared?).size();
    let (mut text, mut q) = (block.to_string(), q);
    while !types.is_unit(q)
        && let Ty::Array(elem, len) = types.of(q)
    {
        match len {
            Len::Const(n) => text += &format!(" {n}"),
            Len::Threads(n) => text += &format!(" {n}T"),
            _ => return None,
        }
        q = *elem;
    }
    Some(text)
}
