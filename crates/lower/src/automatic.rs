//! Automatic spread and dist objects, which all processors declare together
//! (`runtime/dialect/split_c/automatic.c`).
//!
//! The C variable of the object's name holds the native address of its parts. An initialiser becomes an image
//! on every processor, and each takes from it the elements that it owns. So if an expression differs from
//! processor to processor, the owner's value counts.

use crate::{Changes, Lower};
use c_sema::types::{QTy, Quals, Ty};
use c_syntax::ast::*;
use emit::{Piece, seq, splice};

impl Lower<'_> {
    /// The declaration of an automatic spread or dist object of type `q`.
    pub(crate) fn automatic_shared(&mut self, item: &InitDeclarator, q: QTy) -> Piece {
        let name = self.program.name_of(item.declarator);
        let (count, size) = (self.program.count_text(self.program.count(q)), self.program.elem_size(q));
        let place = self.program.where_is(item.span);
        let mut out = vec![Piece::text(format!(
            "mer_u64 {name} __attribute__((cleanup(mer_automatic_free), unused)) = \
             mer_automatic(&{name}, {count}, {size}, \"{place}\"); "
        ))];
        if let Some(init) = item.init {
            out.push(self.automatic_image(&name, q, init));
        }
        Piece::Seq(out)
    }

    fn automatic_image(&mut self, name: &str, q: QTy, init: InitId) -> Piece {
        let (image, elem) = (self.fresh("image"), self.program.typed.types.element(q));
        let (count, size) = (self.program.count_text(self.program.count(q)), self.program.elem_size(q));
        // The outermost length may be known only at run time: the image holds only the given elements.
        let (of, length) = match self.program.typed.types.of(q) {
            Ty::Array(inner, _) if !self.program.typed.types.is_unit(q) => (inner.ty, "[]"),
            _ => (q.ty, ""),
        };
        let quals = Quals { is_volatile: elem.quals.is_volatile, ..Quals::default() };
        let declared = self.program.declare_text(QTy { ty: of, quals }, format!("{image}{length}"));
        let mut changes = Changes::new();
        self.edit(&mut changes).init(init);
        let value = splice(self.program.unit.inits[init].span, changes).flat();
        seq![
            format!("{declared} = "),
            value,
            format!(
                "; mer_automatic_init({name}, {count}, {size}, (const void *)&{image}, sizeof({image})); "
            )
        ]
    }
}
