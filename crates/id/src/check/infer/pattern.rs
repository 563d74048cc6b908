//! Types of patterns.

use super::{Infer, Why};
use crate::check::resolve::Ref;
use crate::check::types::*;
use crate::stack::with_stack;
use crate::syntax::ast::*;

impl Infer<'_> {
    /// The type of a pattern, whose names get types of their own.
    pub(super) fn pat(&mut self, p: &Pat) -> Ty {
        with_stack(|| self.pat_kind(p))
    }

    fn pat_kind(&mut self, p: &Pat) -> Ty {
        let ty = match &p.kind {
            PatKind::Wild => self.fresh(),
            PatKind::Void => con("void"),
            PatKind::Name(_) => {
                let ty = self.fresh();
                if let Some(&id) = self.names.defined.get(&p.id) {
                    // A value of the group that another has used already has a type.
                    let known = self.typed.binds.get(&id).map(|s| s.ty.clone());
                    let ty = known.unwrap_or(ty);
                    self.typed.binds.insert(id, Scheme { vars: Vec::new(), ty: ty.clone() });
                    ty
                } else {
                    ty
                }
            }
            PatKind::Int(_) => self.typed.types.number(),
            PatKind::Float(_) => con("float"),
            PatKind::Char(_) => con("char"),
            PatKind::Str(_) => con("string"),
            PatKind::Tuple(parts) => Ty::Tuple(parts.iter().map(|q| self.pat(q)).collect()),
            PatKind::Con(name, args) => {
                let found: Vec<Ty> = args.iter().map(|q| self.pat(q)).collect();
                match self.names.uses.get(&p.id) {
                    Some(&Ref::Con(con)) => {
                        let (result, fields) = self.of_con(con);
                        let declared = self.names.cons[con].span;
                        for ((field, found), q) in fields.iter().zip(&found).zip(args) {
                            let why =
                                Why { text: format!("the field of `{}`", name.text), at: Some(declared) };
                            self.demand(field, found, q.span, why);
                        }
                        result
                    }
                    _ => self.fresh(),
                }
            }
        };
        self.typed.nodes.insert(p.id, ty.clone());
        ty
    }
}
