//! Arenas: all nodes of one kind, named by typed indices.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// Index of a node of type `T` in its arena.
pub struct Id<T> {
    raw: u32,
    of: PhantomData<fn() -> T>,
}

impl<T> Id<T> {
    /// The index, for side tables.
    pub fn index(self) -> usize {
        self.raw as usize
    }
}
impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}
impl<T> Eq for Id<T> {}
impl<T> std::hash::Hash for Id<T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}
impl<T> std::fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{}", self.raw)
    }
}

/// All nodes of one kind.
#[derive(Debug)]
pub struct Arena<T> {
    nodes: Vec<T>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena { nodes: Vec::new() }
    }
}
impl<T> Arena<T> {
    /// Adds a node.
    pub fn add(&mut self, node: T) -> Id<T> {
        self.nodes.push(node);
        Id { raw: (self.nodes.len() - 1) as u32, of: PhantomData }
    }
    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    /// Whether the arena has no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    /// All ids, in order of creation.
    pub fn ids(&self) -> impl Iterator<Item = Id<T>> + use<T> {
        (0..self.nodes.len() as u32).map(|raw| Id { raw, of: PhantomData })
    }
}
impl<T> Index<Id<T>> for Arena<T> {
    type Output = T;
    fn index(&self, id: Id<T>) -> &T {
        &self.nodes[id.index()]
    }
}
impl<T> IndexMut<Id<T>> for Arena<T> {
    fn index_mut(&mut self, id: Id<T>) -> &mut T {
        &mut self.nodes[id.index()]
    }
}
