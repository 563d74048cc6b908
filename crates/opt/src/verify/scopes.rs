//! The scopes of C at the verifier's place in a function.
//!
//! Names at file scope are not entered: a name that no block binds has its meaning at file scope. Parameters
//! are not entered either, because they are visible in all of their function.

use super::variables::Kind;
use crate::facts::names::Names;
use crate::ir::tree::Var;
use c_sema::Typed;
use c_sema::typed::{SymId, SymKind};
use c_sema::types::{EnumId, QTy, RecordId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The type that a tag names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

/// An entry that is undone at the end of its block.
enum Bound<'a> {
    /// A name's number, and its meaning outside of the block.
    Name(u32, Option<Meaning>),
    /// A made variable's number.
    Var(u32),
    Tag(&'a str),
}

/// A name's meaning, and the depth of the block that binds it.
#[derive(Clone, Copy)]
struct Meaning {
    sym: SymId,
    depth: usize,
}

/// A type that is written out by its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Named {
    Typedef(QTy),
    Tag(Tag),
}

pub(super) struct Scopes<'a> {
    typed: &'a Typed,
    names: Rc<Names>,
    /// By the number of a name: the innermost meaning that a block gives it.
    meanings: Vec<Option<Meaning>>,
    /// By the number of a made variable: its kind, if the variable is visible.
    vars: Vec<Option<Kind>>,
    tags: FxHashMap<&'a str, Vec<Tag>>,
    log: Vec<Bound<'a>>,
    /// Where the entries of each open block begin.
    blocks: Vec<usize>,
    /// Types that blocks of the function declare, by name.
    own: Vec<(&'a str, Named)>,
    /// Types that were written out with no block that declares their names: they must be of the file.
    free: FxHashSet<(&'a str, Named)>,
}

impl<'a> Scopes<'a> {
    /// The scopes outside of all functions; `vars` is the number of made variables.
    pub(super) fn new(typed: &'a Typed, names: Rc<Names>, vars: u32) -> Scopes<'a> {
        Scopes {
            typed,
            meanings: vec![None; names.numbers.len()],
            names,
            vars: vec![None; vars as usize + 1],
            tags: FxHashMap::default(),
            log: Vec::new(),
            blocks: Vec::new(),
            own: Vec::new(),
            free: FxHashSet::default(),
        }
    }

    pub(super) fn open(&mut self) {
        self.blocks.push(self.log.len());
    }

    pub(super) fn close(&mut self) {
        let begin = self.blocks.pop().unwrap_or(0);
        for bound in self.log.drain(begin..).rev() {
            match bound {
                Bound::Name(name, before) => self.meanings[name as usize] = before,
                Bound::Var(number) => self.vars[number as usize] = None,
                Bound::Tag(tag) => _ = self.tags.get_mut(tag).map(Vec::pop),
            }
        }
    }

    /// Ends a function. Returns the name of a type that one of its blocks declares and that was written out
    /// elsewhere.
    pub(super) fn leaked(&mut self) -> Option<String> {
        let (own, free) = (std::mem::take(&mut self.own), std::mem::take(&mut self.free));
        own.into_iter().find(|of| free.contains(of)).map(|(name, _)| name.to_owned())
    }

    // ---- names -----------------------------------------------------------------------------------

    /// Whether the name of a symbol means the symbol here.
    pub(super) fn means(&self, sym: SymId) -> bool {
        match self.meanings[self.names.number(sym) as usize] {
            Some(meaning) => meaning.sym == sym,
            None => {
                let kind = self.typed.sym(sym).kind;
                let everywhere = matches!(kind, SymKind::Param | SymKind::Function | SymKind::Builtin);
                everywhere || self.is_of_file(sym)
            }
        }
    }

    /// Whether the file declares a symbol.
    pub(super) fn is_of_file(&self, sym: SymId) -> bool {
        self.names.is_of_file(sym)
    }

    /// Binds the name of a symbol in the innermost block. Returns true if the block had no such name.
    pub(super) fn bind(&mut self, sym: SymId) -> bool {
        let (name, depth) = (self.names.number(sym), self.blocks.len());
        if self.typed.sym(sym).kind == SymKind::Typedef {
            let symbol = self.typed.sym(sym);
            self.own.push((&symbol.name, Named::Typedef(symbol.ty)));
        }
        let before = self.meanings[name as usize].replace(Meaning { sym, depth });
        self.log.push(Bound::Name(name, before));
        before.is_none_or(|before| before.depth < depth)
    }

    /// The enumerator that a block declares at a place of the text.
    pub(super) fn enumerator(&self, at: u32) -> Option<SymId> {
        self.names.enumerator(at)
    }

    // ---- made variables --------------------------------------------------------------------------

    /// The kind of a variable, if it is visible.
    pub(super) fn kind(&self, var: Var) -> Option<Kind> {
        self.vars[var.number as usize]
    }

    /// Declares a variable. Returns true if it was not visible.
    pub(super) fn declare(&mut self, var: Var, kind: Kind) -> bool {
        let before = self.vars[var.number as usize].replace(kind);
        self.log.push(Bound::Var(var.number));
        before.is_none()
    }

    // ---- types -----------------------------------------------------------------------------------

    pub(super) fn bind_tag(&mut self, tag: &'a str, of: Tag) {
        self.tags.entry(tag).or_default().push(of);
        self.log.push(Bound::Tag(tag));
        self.own.push((tag, Named::Tag(of)));
    }

    /// Whether a tag names this type here, as far as the blocks of the function tell.
    pub(super) fn has_tag(&mut self, tag: &'a str, of: Tag) -> bool {
        match self.tags.get(tag).and_then(|tags| tags.last()) {
            Some(&known) => known == of,
            None => {
                self.free.insert((tag, Named::Tag(of)));
                true
            }
        }
    }

    /// Whether a typedef name stands for this type here, as far as the blocks of the function tell.
    pub(super) fn has_typedef(&mut self, name: &'a str, of: QTy) -> bool {
        let number = self.names.numbers.get(name).copied();
        match number.and_then(|number| self.meanings[number as usize]) {
            Some(Meaning { sym, .. }) => {
                let symbol = self.typed.sym(sym);
                symbol.kind == SymKind::Typedef && symbol.ty == of
            }
            None => {
                self.free.insert((name, Named::Typedef(of)));
                true
            }
        }
    }
}
