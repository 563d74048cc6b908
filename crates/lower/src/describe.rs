//! Descriptions of shared memory for debuggers; `runtime/gdb/meridian.py` reads them.
//!
//! A static shared object is a C object that holds one thread's part, and no other place in the program says
//! how the elements are dealt out. `mer_shared_NAME` is a string: the block size, 0 for indefinite, a slash
//! and the bytes of an element, then the dimensions, with a T on one that is to be multiplied by THREADS.
//! Reports of `-fsanitize=pgas` name elements by it too (`crates/launch/src/finding`).
//!
//! All pointers-to-shared are of two C types. So each pointer is declared by a typedef name of its type that
//! gives the block size and the type of its target: `mer_ptr_1_int` for `shared int *`. In the target's type
//! a letter follows each underscore: `__` stands for itself, `_s` for a blank, `_p` for a star.

use crate::program::Program;
use crate::ty::Layout;
use c_sema::Typed;
use c_sema::typed::SymKind;
use c_sema::types::{Len, QTy, Ty};
use emit::Piece;
use opt::Tree;
use std::collections::BTreeSet;

/// The longest useful name of a target.
const LONGEST_TARGET: usize = 200;

impl Program<'_> {
    /// The typedef name for pointers to this shared type, which are of the type `plain`. `None` without `-g`,
    /// and for targets whose types a debugger cannot name.
    pub(crate) fn described_pointer(&self, plain: &str, pointee: QTy) -> Option<String> {
        if !self.debug || matches!(self.typed.types.of(pointee), Ty::Array(..) | Ty::Function(_)) {
            return None;
        }
        let mut target = String::new();
        for c in self.type_text(pointee).chars() {
            match c {
                ' ' => target += "_s",
                '*' => target += "_p",
                '_' => target += "__",
                c if c.is_ascii_alphanumeric() => target.push(c),
                _ => return None,
            }
        }
        let block = self.layout(pointee).size();
        (target.len() <= LONGEST_TARGET).then(|| format!("{plain}_{block}_{target}"))
    }

    /// The typedefs of all pointers-to-shared of the unit, for its beginning.
    pub(crate) fn pointer_typedefs(&self) -> Piece {
        if !self.debug {
            return Piece::empty();
        }
        let types = &self.typed.types;
        let pointees = types.all().filter_map(|ty| types.shared_pointee(QTy::plain(ty)));
        let named: BTreeSet<String> = pointees
            .filter_map(|to| {
                let plain = if self.wide_to(to) { "mer_pptr" } else { "mer_ptr" };
                Some(format!("typedef {plain} {};", self.described_pointer(plain, to)?))
            })
            .collect();
        Piece::Seq(named.into_iter().map(Piece::Line).collect())
    }
}

/// The strings of the objects that this unit defines at file scope, as C; for programs with `-g` or
/// `-fsanitize=pgas`.
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

/// The string of a shared object. `None` if the object is not shared, or its size is known only at run time.
fn layout_text(typed: &Typed, q: QTy) -> Option<String> {
    let types = &typed.types;
    let block = Layout::of(types.object_quals(q).shared?).size();
    let (mut text, mut q) = (String::new(), q);
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
    Some(format!("{block}/{}{text}", types.size_of(q)?))
}
