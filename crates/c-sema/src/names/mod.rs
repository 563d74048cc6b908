//! Names: the meaning of each name at the present point of the text, and the rules of declarations.
//!
//! This file has the scopes. The others have the rules by which names enter them: `declare` for objects and
//! functions, `tags` for types, `undeclared` for names without a declaration.
//!
//! There is one table for each name space, with a stack of meanings for each name, and a log of the bindings
//! of the open scopes. So leaving a scope costs as much as its declarations, and a look-up costs one hash.
//! Labels and members have tables of their own, in `function` and in the records.

mod declare;
mod tags;
mod undeclared;

use crate::context::{Context, SymInfo};
use crate::typed::{SymId, SymKind, Symbol};
use crate::types::{EnumId, QTy, RecordId};
use base::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// The type that a tag names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    /// struct or union
    Record(RecordId),
    /// enum
    Enum(EnumId),
}

/// A binding, as the log stores it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bound<'a> {
    /// A binding of an ordinary identifier.
    Name(&'a str, SymId),
    /// A binding of a tag.
    Tag(&'a str, Tag),
}

/// The open scopes. Depth 0 is the file's.
#[derive(Default)]
pub(crate) struct Names<'a> {
    ordinary: FxHashMap<&'a str, Vec<(u32, SymId)>>,
    tags: FxHashMap<&'a str, Vec<(u32, Tag)>>,
    log: Vec<Bound<'a>>,
    marks: Vec<usize>,
    /// Names with external linkage, declared in any scope, so that two block-scope `extern`s agree.
    linked: FxHashMap<&'a str, SymId>,
    /// Undeclared names that have been reported in this function.
    reported: FxHashSet<&'a str>,
}

impl<'a> Names<'a> {
    /// The number of scopes open inside the file's.
    pub fn depth(&self) -> u32 {
        self.marks.len() as u32
    }

    /// Whether declarations now are at file scope.
    pub fn at_file(&self) -> bool {
        self.marks.is_empty()
    }

    /// Opens a scope.
    pub fn open(&mut self) {
        self.marks.push(self.log.len());
    }

    /// Closes the innermost scope and returns its bindings, so that a function's body can have those of its
    /// parameter list again.
    pub fn close(&mut self) -> Vec<Bound<'a>> {
        let mark = self.marks.pop().unwrap_or(0);
        let gone = self.log.split_off(mark);
        for bound in gone.iter().rev() {
            match bound {
                Bound::Name(name, _) => {
                    self.ordinary.get_mut(name).map(Vec::pop);
                }
                Bound::Tag(name, _) => {
                    self.tags.get_mut(name).map(Vec::pop);
                }
            }
        }
        gone
    }

    /// Restores the bindings that [`Names::close`] returned.
    pub fn restore(&mut self, bindings: &[Bound<'a>]) {
        for &bound in bindings {
            match bound {
                Bound::Name(name, sym) => self.bind(name, sym),
                Bound::Tag(name, tag) => self.bind_tag(name, tag),
            }
        }
    }

    /// Binds an ordinary identifier in the innermost scope.
    pub fn bind(&mut self, name: &'a str, sym: SymId) {
        let depth = self.depth();
        self.ordinary.entry(name).or_default().push((depth, sym));
        self.log.push(Bound::Name(name, sym));
    }

    /// Binds an ordinary identifier at file scope from any scope: an implicitly declared function, a builtin.
    /// Meanings in inner scopes still hide it.
    pub fn bind_at_file(&mut self, name: &'a str, sym: SymId) {
        self.ordinary.entry(name).or_default().insert(0, (0, sym));
    }

    /// Forgets the meaning of a name at file scope.
    pub fn forget_at_file(&mut self, name: &str) {
        if let Some(meanings) = self.ordinary.get_mut(name) {
            meanings.retain(|&(depth, _)| depth > 0);
        }
    }

    /// Binds a tag in the innermost scope.
    pub fn bind_tag(&mut self, name: &'a str, tag: Tag) {
        let depth = self.depth();
        self.tags.entry(name).or_default().push((depth, tag));
        self.log.push(Bound::Tag(name, tag));
    }

    /// The meaning of a name here.
    pub fn find(&self, name: &str) -> Option<SymId> {
        self.ordinary.get(name)?.last().map(|&(_, sym)| sym)
    }

    /// The meaning of a name at file scope.
    pub fn find_at_file(&self, name: &str) -> Option<SymId> {
        self.ordinary.get(name)?.first().filter(|&&(depth, _)| depth == 0).map(|&(_, sym)| sym)
    }

    /// The meaning of a name in the innermost scope itself.
    pub fn find_here(&self, name: &str) -> Option<SymId> {
        let depth = self.depth();
        self.ordinary.get(name)?.last().filter(|&&(at, _)| at == depth).map(|&(_, sym)| sym)
    }

    /// The meaning of a tag here.
    pub fn find_tag(&self, name: &str) -> Option<Tag> {
        self.tags.get(name)?.last().map(|&(_, tag)| tag)
    }

    /// The meaning of a tag in the innermost scope itself.
    pub fn find_tag_here(&self, name: &str) -> Option<Tag> {
        let depth = self.depth();
        self.tags.get(name)?.last().filter(|&&(at, _)| at == depth).map(|&(_, tag)| tag)
    }

    /// Lets undeclared names be reported again: a function ends.
    pub fn leave_function(&mut self) {
        self.reported.clear();
    }

    /// All names that mean something here, for suggestions.
    pub fn visible(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.ordinary.iter().filter(|(_, meanings)| !meanings.is_empty()).map(|(&name, _)| name)
    }
}

impl<'a> Names<'a> {
    /// A new symbol.
    pub fn symbol(
        &mut self,
        cx: &mut Context<'a>,
        name: &str,
        kind: SymKind,
        ty: QTy,
        span: Span,
        info: SymInfo,
    ) -> SymId {
        let id = SymId(cx.out.symbols.len() as u32);
        cx.out.symbols.push(Symbol {
            name: name.into(),
            kind,
            ty,
            span,
            file_scope: self.at_file(),
            address_taken: false,
        });
        cx.info.push(info);
        id
    }
}
