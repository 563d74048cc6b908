//! The cache of facts: an analysis computes a fact about a statement, an expression or a symbol once, and
//! later passes read the result.
//!
//! Each analysis declares its facts by implementing [`Fact`]; the tree knows none of them. Facts are about
//! the program's meaning as it was written, which stays below the nodes and marks of passes. An edit of the
//! program's own expressions (a form, see [`super::journal`]) forgets all facts.

use super::Tree;
use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;

/// A kind of fact.
pub(crate) trait Fact: 'static {
    /// The part of the program that a fact of this kind is about; `()` for the whole program.
    type Of: Copy + Eq + Hash;
    /// The result, cheap to copy.
    type Value: Clone;

    /// Computes the fact.
    fn find(tree: &Tree, of: Self::Of) -> Self::Value;

    /// Returns the provisional result while the fact is computed, if the computation may ask for the same
    /// fact.
    fn meanwhile() -> Option<Self::Value> {
        None
    }
}

/// The facts of a kind that have been computed.
type Table<F> = HashMap<<F as Fact>::Of, <F as Fact>::Value>;

/// All facts that have been computed, by kind.
#[derive(Default)]
pub(super) struct Facts {
    tables: RefCell<HashMap<TypeId, Box<dyn Any>>>,
}

impl Facts {
    /// Runs `use_table` on the table of a kind.
    fn with<F: Fact, R>(&self, use_table: impl FnOnce(&mut Table<F>) -> R) -> R {
        let mut tables = self.tables.borrow_mut();
        let table = tables.entry(TypeId::of::<F>()).or_insert_with(|| Box::new(Table::<F>::new()));
        use_table(table.downcast_mut().expect("the table of this kind"))
    }

    /// Forgets all facts.
    pub(super) fn forget(&mut self) {
        self.tables.get_mut().clear();
    }
}

impl fmt::Debug for Facts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Facts of {} kinds", self.tables.borrow().len())
    }
}

impl Tree {
    /// Returns a fact, computed at its first use.
    pub(crate) fn fact<F: Fact>(&self, of: F::Of) -> F::Value {
        let known = self.facts.with::<F, _>(|table| {
            let known = table.get(&of).cloned();
            if let (None, Some(meanwhile)) = (&known, F::meanwhile()) {
                table.insert(of, meanwhile);
            }
            known
        });
        known.unwrap_or_else(|| {
            let found = F::find(self, of);
            self.facts.with::<F, _>(|table| table.insert(of, found.clone()));
            found
        })
    }
}
