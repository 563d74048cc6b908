//! Values of constant expressions that are no integers, which only the checks need: of floating type, so that
//! `(int)1.5` is an integer constant, and addresses that old code computes as offsetof, `&((T *)0)->m`.

use c_syntax::ast::ExprId;
use rustc_hash::FxHashMap;

/// The values, by expression.
#[derive(Default)]
pub(crate) struct Values {
    floats: FxHashMap<ExprId, f64>,
    addresses: FxHashMap<ExprId, i128>,
}

impl Values {
    /// The value of a floating constant expression.
    pub fn float(&self, e: ExprId) -> Option<f64> {
        self.floats.get(&e).copied()
    }

    /// The value of a pointer that is an integer constant cast, or computed from one.
    pub fn address(&self, e: ExprId) -> Option<i128> {
        self.addresses.get(&e).copied()
    }

    /// Notes the value of a floating constant expression.
    pub fn set_float(&mut self, e: ExprId, value: f64) {
        self.floats.insert(e, value);
    }

    /// Notes the value of a constant pointer.
    pub fn set_address(&mut self, e: ExprId, value: i128) {
        self.addresses.insert(e, value);
    }
}
