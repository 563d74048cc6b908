//! Constant pointers-to-shared: the values that start-up stores into static objects initialised with the
//! address of a shared one (C17 6.6, for shared objects).

use crate::program::Program;
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

/// The address that is the constant value of a pointer, or of an array that becomes one.
pub(crate) fn address(program: &Program, e: ExprId) -> Option<Address> {
    match program.unit.exprs[e].kind {
        ExprKind::Paren(a) | ExprKind::Extension(a) => address(program, a),
        ExprKind::Cast(t, a) => {
            let mut address = address(program, a)?;
            let (to, from) =
                (program.typed.types.shared_pointee(program.typed.type_name(t))?, program.points_to(a)?);
            address.cast |= !is_generic(program, to)
                && !is_generic(program, from)
                && (program.layout(to) != program.layout(from)
                    || program.elem_size(to) != program.elem_size(from)
                    || program.count(to) != program.count(from));
            Some(address)
        }
        ExprKind::Unary(UnOp::Addr, place) => place_address(program, place),
        ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
            let (pointer, index) = if program.shared_target(a).is_some() { (a, b) } else { (b, a) };
            let to = program.shared_target(pointer)?;
            let n = program.typed.constant(index)?;
            let address = address(program, pointer)?;
            moved(program, address, to, if op == BinOp::Sub { -n } else { n })
        }
        _ if program.is_shared_place(e)
            && matches!(program.typed.types.of(program.typed.ty(e)), Ty::Array(..)) =>
        {
            let mut address = place_address(program, e)?;
            if let Some((_, path)) = &mut address.member {
                path.push_str("[0]");
            }
            Some(address)
        }
        _ => branch(program, e).and_then(|branch| address(program, branch)),
    }
}

/// The address after `n` objects of the pointer's target type. Steps on one thread are counted in bytes.
/// After a cast, other steps depend on THREADS, so the address is not known.
fn moved(program: &Program, mut address: Address, to: QTy, n: i128) -> Option<Address> {
    let generic = is_generic(program, to);
    if address.cast && !generic && program.layout(to) != Layout::Indefinite {
        return None;
    }
    if address.cast || generic || address.member.is_some() {
        let size = if generic { "1".to_owned() } else { program.elem_size(to) };
        address.bytes.push_str(&format!(" + (mer_i64){n} * {} * (mer_i64){size}", program.count(to).count));
    } else {
        address.step(n, program.count(to));
    }
    Some(address)
}

/// The address of the object that a place designates.
fn place_address(program: &Program, place: ExprId) -> Option<Address> {
    match &program.unit.exprs[place].kind {
        ExprKind::Paren(a) | ExprKind::Extension(a) => place_address(program, *a),
        ExprKind::Ident(_) => program.is_shared_place(place).then_some(Address {
            root: place,
            n: 0,
            each: 0,
            member: None,
            cast: false,
            bytes: String::new(),
        }),
        ExprKind::Unary(UnOp::Deref, p) => address(program, *p),
        ExprKind::Index(a, b) => {
            let (array, index) = program.subscripted(*a, *b);
            let n = program.typed.constant(index)?;
            let address = address(program, array)?;
            moved(program, address, program.typed.ty(place), n)
        }
        ExprKind::Member { base, arrow, name } => {
            let (owner, mut address) = if *arrow {
                (program.points_to(*base)?, address(program, *base)?)
            } else {
                (program.typed.ty(*base), place_address(program, *base)?)
            };
            let owner = program.type_text(owner);
            let (_, path) = address.member.get_or_insert((owner, String::new()));
            path.push_str(&format!("{}{}", if path.is_empty() { "" } else { "." }, name.text));
            address.cast = false;
            Some(address)
        }
        _ => None,
    }
}

/// The operand that a choice by a constant selects.
pub(crate) fn branch(program: &Program, e: ExprId) -> Option<ExprId> {
    match program.unit.exprs[e].kind {
        ExprKind::Cond(condition, Some(then), otherwise) => {
            Some(if program.typed.constant(condition)? != 0 { then } else { otherwise })
        }
        _ => program.chosen(e),
    }
}

fn is_generic(program: &Program, to: QTy) -> bool {
    matches!(program.typed.types.of(to), Ty::Void)
}
