//! Side tables of the tree: values of nodes, by their index.

use crate::ast::Id;
use std::marker::PhantomData;
use std::ops::Index;

/// At most one value for each node of a kind. A look-up costs one access to memory. Memory is taken for all
/// nodes up to the last that has a value; values of only a few nodes belong in a hash table.
#[derive(Clone, Debug)]
pub struct Table<T, V> {
    rows: Vec<Option<V>>,
    of: PhantomData<fn() -> T>,
}

impl<T, V> Default for Table<T, V> {
    fn default() -> Self {
        Table { rows: Vec::new(), of: PhantomData }
    }
}

impl<T, V> Table<T, V> {
    /// The value of a node.
    pub fn get(&self, id: Id<T>) -> Option<&V> {
        self.rows.get(id.index())?.as_ref()
    }

    /// Sets the value of a node.
    pub fn insert(&mut self, id: Id<T>, value: V) {
        let at = id.index();
        if at >= self.rows.len() {
            self.rows.resize_with(at + 1, || None);
        }
        self.rows[at] = Some(value);
    }

    /// Copies the value of a node to another, if it has one.
    pub fn copy(&mut self, from: Id<T>, to: Id<T>)
    where
        V: Clone,
    {
        if let Some(value) = self.get(from).cloned() {
            self.insert(to, value);
        }
    }

    /// Removes the value of a node and returns it.
    pub fn remove(&mut self, id: Id<T>) -> Option<V> {
        self.rows.get_mut(id.index())?.take()
    }
}

impl<T, V> Index<Id<T>> for Table<T, V> {
    type Output = V;
    /// Panics if the node has no value.
    fn index(&self, id: Id<T>) -> &V {
        self.get(id).expect("a value for this node")
    }
}
