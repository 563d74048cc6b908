//! Constant pointers-to-shared: the values that start-up stores into static objects initialised with the
//! address of a shared one (C17 6.6, for shared objects).

use crate::Lower;
use crate::ty::{Count, Layout};
use c_sema::types::{QTy, Ty};
use c_syntax::ast::*;

/// Element `n + each * THREADS` of the static shared object `root`, and in it a member: the element's type
/// and the path to the member. Also the bytes added.
pub(crate) struct Address {
    pub(crate) root: ExprId,
    pub(crate) n: i128,
    pub(crate) each: i128,
    pub(crate) member: Option<(String, String)>,
    /// The layout is no longer the object's: the pointer steps by bytes, and the phase is 0 (6.4.3).
    pub(crate) cast: bool,
    /// `" + …"`.
    pub(crate) bytes: String,
}

impl Address {
    /// Steps by `n` objects of `of` elements each.
    fn step(&mut self, n: i128, of: Count) {
        let steps = if of.threads { &mut self.each } else { &mut self.n };
        *steps += n * i128::from(of.count);
    }
}

impl Lower<'_> {
    /// The address that is the constant value of a pointer, or of an array that becomes one.
    pub(crate) fn address(&mut self, e: ExprId) -> Option<Address> {
        match self.unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.address(a),
            ExprKind::Cast(t, a) => {
                let mut address = self.address(a)?;
                let (to, from) =
                    (self.typed.types.shared_pointee(self.typed.type_name(t))?, self.points_to(a)?);
                address.cast |= !self.is_generic(to)
                    && !self.is_generic(from)
                    && (self.layout(to) != self.layout(from)
                        || self.elem_size(to) != self.elem_size(from)
                        || self.count(to) != self.count(from));
                Some(address)
            }
            ExprKind::Unary(UnOp::Addr, place) => self.place_address(place),
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
                let (pointer, index) = if self.shared_target(a).is_some() { (a, b) } else { (b, a) };
                let to = self.shared_target(pointer)?;
                let n = self.typed.constant(index)?;
                let address = self.address(pointer)?;
                self.moved(address, to, if op == BinOp::Sub { -n } else { n })
            }
            _ if self.is_shared_place(e)
                && matches!(self.typed.types.of(self.typed.ty(e)), Ty::Array(..)) =>
            {
                let mut address = self.place_address(e)?;
                if let Some((_, path)) = &mut address.member {
                    path.push_str("[0]");
                }
                Some(address)
            }
            _ => self.branch(e).and_then(|branch| self.address(branch)),
        }
    }

    /// The address after `n` objects of the pointer's target type. Steps on one thread are counted in bytes.
    /// After a cast, other steps depend on THREADS, so the address is not known.
    fn moved(&mut self, mut address: Address, to: QTy, n: i128) -> Option<Address> {
        let generic = self.is_generic(to);
        if address.cast && !generic && self.layout(to) != Layout::Indefinite {
            return None;
        }
        if address.cast || generic || address.member.is_some() {
            let size = if generic { "1".to_owned() } else { self.elem_size(to) };
            address.bytes.push_str(&format!(" + (mer_i64){n} * {} * (mer_i64){size}", self.count(to).count));
        } else {
            address.step(n, self.count(to));
        }
        Some(address)
    }

    /// The address of the object that a place designates.
    fn place_address(&mut self, place: ExprId) -> Option<Address> {
        match &self.unit.exprs[place].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.place_address(*a),
            ExprKind::Ident(_) => self.is_shared_place(place).then_some(Address {
                root: place,
                n: 0,
                each: 0,
                member: None,
                cast: false,
                bytes: String::new(),
            }),
            ExprKind::Unary(UnOp::Deref, p) => self.address(*p),
            ExprKind::Index(a, b) => {
                let (array, index) = self.subscripted(*a, *b);
                let n = self.typed.constant(index)?;
                let address = self.address(array)?;
                self.moved(address, self.typed.ty(place), n)
            }
            ExprKind::Member { base, arrow, name } => {
                let (owner, mut address) = if *arrow {
                    (self.points_to(*base)?, self.address(*base)?)
                } else {
                    (self.typed.ty(*base), self.place_address(*base)?)
                };
                let owner = self.type_text(owner);
                let (_, path) = address.member.get_or_insert((owner, String::new()));
                path.push_str(&format!("{}{}", if path.is_empty() { "" } else { "." }, name.text));
                address.cast = false;
                Some(address)
            }
            _ => None,
        }
    }

    /// The operand that a choice by a constant selects.
    pub(crate) fn branch(&self, e: ExprId) -> Option<ExprId> {
        match self.unit.exprs[e].kind {
            ExprKind::Cond(condition, Some(then), otherwise) => {
                Some(if self.typed.constant(condition)? != 0 { then } else { otherwise })
            }
            _ => self.chosen(e),
        }
    }

    fn is_generic(&self, to: QTy) -> bool {
        matches!(self.typed.types.of(to), Ty::Void)
    }
}
