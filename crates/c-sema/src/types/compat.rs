//! Compatible types (C17 6.2.7) and composites of two declarations of one name.
//!
//! An unknown type (`Ty::Error`) is compatible with all. The block size is part of the type (UPC 6.5.1.1).

use super::{Block, FnTy, Len, QTy, Quals, Ty, Types};
use c_syntax::Language;
use c_syntax::ast::RecordKind;

impl Types {
    /// Whether two types are compatible, qualifiers included.
    pub fn compatible(&self, a: QTy, b: QTy) -> bool {
        self.compatible_to(a, b, 0)
    }

    /// Whether two types are compatible if the qualifiers of the objects themselves do not count, block size
    /// included.
    pub fn compatible_unqualified(&self, a: QTy, b: QTy) -> bool {
        let (a, b) = (self.strip(a), self.strip(b));
        if let (Some((ea, la)), Some((eb, lb))) = (self.as_array(a), self.as_array(b)) {
            return lengths_agree(la, lb) && self.compatible_unqualified(ea, eb);
        }
        self.same_shape(a, b, 0)
    }

    fn compatible_to(&self, a: QTy, b: QTy, depth: u32) -> bool {
        let (a, b) = (self.strip(a), self.strip(b));
        if self.is_error(a) || self.is_error(b) || depth > 200 {
            return true;
        }
        if let (Some((ea, la)), Some((eb, lb))) = (self.as_array(a), self.as_array(b)) {
            return lengths_agree(la, lb) && self.compatible_to(ea, eb, depth + 1);
        }
        // Qualifiers on a function type are old ways to say that it does not return, or is pure.
        let functions = matches!((self.get(a.ty), self.get(b.ty)), (Ty::Function(_), Ty::Function(_)));
        (functions || self.quals_agree(a.quals, b.quals)) && self.same_shape(a, b, depth)
    }

    fn same_shape(&self, a: QTy, b: QTy, depth: u32) -> bool {
        if a.ty == b.ty {
            return true;
        }
        match (self.get(a.ty), self.get(b.ty)) {
            (Ty::Error, _) | (_, Ty::Error) => true,
            (Ty::Pointer(x), Ty::Pointer(y)) => self.compatible_to(*x, *y, depth + 1),
            (Ty::Vector(x, n), Ty::Vector(y, m)) => n == m && self.compatible_to(*x, *y, depth + 1),
            (Ty::Function(f), Ty::Function(g)) => self.functions_agree(f, g, depth),
            (Ty::Enum(e), Ty::Int(k)) | (Ty::Int(k), Ty::Enum(e)) => self.enums[e.0 as usize].repr == *k,
            // The C compiler's own type: an array on one machine, a struct on the other.
            (Ty::VaList, _) | (_, Ty::VaList) => true,
            _ => false,
        }
    }

    fn functions_agree(&self, f: &FnTy, g: &FnTy, depth: u32) -> bool {
        if !self.compatible_to(self.unqualified(f.ret), self.unqualified(g.ret), depth + 1) {
            return false;
        }
        if f.old_style || g.old_style {
            return true;
        }
        f.variadic == g.variadic
            && f.params.len() == g.params.len()
            && f.params.iter().zip(&g.params).all(|(&p, &q)| {
                (self.is_union(p) != self.is_union(q))
                    || self.compatible_to(self.unqualified(p), self.unqualified(q), depth + 1)
            })
    }

    /// A union may be transparent: then a parameter is the same as one of its members.
    fn is_union(&self, q: QTy) -> bool {
        self.as_record(q).is_some_and(|r| self.record(r).kind == RecordKind::Union)
    }

    /// The composite of two compatible types of one name: lengths and prototypes that either has.
    pub fn composite(&mut self, old: QTy, new: QTy) -> QTy {
        if let (Some((eo, lo)), Some((en, ln))) = (self.as_array(old), self.as_array(new)) {
            let elem = self.composite(eo, en);
            let len = match (lo, ln) {
                (Len::Const(_) | Len::Threads(_), _) => lo,
                (_, Len::Const(_) | Len::Threads(_)) => ln,
                (Len::Incomplete, other) | (other, _) => other,
            };
            if (elem, len) == (en, ln) {
                return new;
            }
            return QTy::plain(self.intern(Ty::Array(elem, len)));
        }
        match (self.as_function(old), self.as_function(new)) {
            (Some(f), Some(g)) if g.old_style && !f.old_style => old,
            (Some(_), Some(_)) => new,
            _ if self.is_error(new) => old,
            _ => new,
        }
    }

    fn quals_agree(&self, a: Quals, b: Quals) -> bool {
        // `_Atomic` and `restrict` written as attributes or macros in one declaration only are left to the C
        // compiler.
        let same = match self.language {
            Language::Ac => a.shared.is_some() == b.shared.is_some(),
            _ => a.shared == b.shared,
        };
        same && a.is_const == b.is_const
            && a.is_volatile == b.is_volatile
            && a.is_strict == b.is_strict
            && a.is_relaxed == b.is_relaxed
    }

    /// Whether two shared types have the same block size.
    pub fn same_block(&self, a: QTy, b: QTy) -> bool {
        match (self.block(a), self.block(b)) {
            (Some(Block::Star), _) | (_, Some(Block::Star)) => true,
            (Some(_), Some(_)) if self.language == Language::Ac => true,
            (x, y) => x == y,
        }
    }
}

fn lengths_agree(a: Len, b: Len) -> bool {
    match (a, b) {
        (Len::Const(x), Len::Const(y)) | (Len::Threads(x), Len::Threads(y)) => x == y,
        (Len::Const(_), Len::Threads(_)) | (Len::Threads(_), Len::Const(_)) => false,
        _ => true,
    }
}
