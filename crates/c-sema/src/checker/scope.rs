//! Scopes: which name means what at the point of the text that the checks have reached.
//!
//! One table a name space, each name with the stack of its meanings, and a log of what the open scopes
//! bound, so that leaving a scope costs what it declared and a look-up costs one hash. Labels and members
//! have tables of their own, in `function` and in the records.

use crate::typed::SymId;
use crate::types::{EnumId, RecordId};
use rustc_hash::FxHashMap;

/// What a tag names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    /// struct or union
    Record(RecordId),
    /// enum
    Enum(EnumId),
}

/// One binding, as the log remembers it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bound<'a> {
    /// Of an ordinary identifier.
    Name(&'a str, SymId),
    /// Of a tag.
    Tag(&'a str, Tag),
}

/// The open scopes. Depth 0 is the file's.
#[derive(Default)]
pub(crate) struct Scopes<'a> {
    names: FxHashMap<&'a str, Vec<(u32, SymId)>>,
    tags: FxHashMap<&'a str, Vec<(u32, Tag)>>,
    log: Vec<Bound<'a>>,
    marks: Vec<usize>,
}

impl<'a> Scopes<'a> {
    /// How many scopes are open inside the file's.
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

    /// Closes the innermost scope and gives its bindings, so that a function's body can have those of its
    /// parameter list again.
    pub fn close(&mut self) -> Vec<Bound<'a>> {
        let mark = self.marks.pop().unwrap_or(0);
        let gone = self.log.split_off(mark);
        for bound in gone.iter().rev() {
            match bound {
                Bound::Name(name, _) => {
                    self.names.get_mut(name).map(Vec::pop);
                }
                Bound::Tag(name, _) => {
                    self.tags.get_mut(name).map(Vec::pop);
                }
            }
        }
        gone
    }

    /// Binds again what [`Scopes::close`] gave.
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
        self.names.entry(name).or_default().push((depth, sym));
        self.log.push(Bound::Name(name, sym));
    }

    /// Binds an ordinary identifier at file scope from wherever the checks are: an implicitly declared
    /// function, a builtin. Meanings in inner scopes stay in front of it.
    pub fn bind_at_file(&mut self, name: &'a str, sym: SymId) {
        self.names.entry(name).or_default().insert(0, (0, sym));
    }

    /// Forgets what a name means at file scope.
    pub fn forget_at_file(&mut self, name: &str) {
        if let Some(meanings) = self.names.get_mut(name) {
            meanings.retain(|&(depth, _)| depth > 0);
        }
    }

    /// Binds a tag in the innermost scope.
    pub fn bind_tag(&mut self, name: &'a str, tag: Tag) {
        let depth = self.depth();
        self.tags.entry(name).or_default().push((depth, tag));
        self.log.push(Bound::Tag(name, tag));
    }

    /// What a name means here.
    pub fn find(&self, name: &str) -> Option<SymId> {
        self.names.get(name)?.last().map(|&(_, sym)| sym)
    }

    /// What a name means at file scope.
    pub fn find_at_file(&self, name: &str) -> Option<SymId> {
        self.names.get(name)?.first().filter(|&&(depth, _)| depth == 0).map(|&(_, sym)| sym)
    }

    /// What the innermost scope itself binds a name to.
    pub fn find_here(&self, name: &str) -> Option<SymId> {
        let depth = self.depth();
        self.names.get(name)?.last().filter(|&&(at, _)| at == depth).map(|&(_, sym)| sym)
    }

    /// What a tag means here.
    pub fn find_tag(&self, name: &str) -> Option<Tag> {
        self.tags.get(name)?.last().map(|&(_, tag)| tag)
    }

    /// What the innermost scope itself binds a tag to.
    pub fn find_tag_here(&self, name: &str) -> Option<Tag> {
        let depth = self.depth();
        self.tags.get(name)?.last().filter(|&&(at, _)| at == depth).map(|&(_, tag)| tag)
    }

    /// All names that mean something here, for suggestions.
    pub fn visible(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.names.iter().filter(|(_, meanings)| !meanings.is_empty()).map(|(&name, _)| name)
    }
}
