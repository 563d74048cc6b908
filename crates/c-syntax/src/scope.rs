//! Which names are typedef names at each place: the one meaning of names that C's grammar needs.
//!
//! All declared ordinary identifiers are entered (a variable hides a typedef of the same name); labels, tags
//! and members have name spaces of their own and are not.

use rustc_hash::FxHashMap;

/// The kind of thing that an ordinary identifier stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Typedef,
    /// Object, function, parameter, enumerator.
    Object,
    /// A name that was used as a type without being one; the error has been reported.
    UnknownType,
}

/// The scopes open at the present place, outermost first.
pub(crate) struct Scopes<'s> {
    /// The meanings of each name, the innermost last, with the depth of its scope.
    names: FxHashMap<&'s str, Vec<(u32, Meaning)>>,
    /// Names in order of entry; closing a scope removes its own from `names`.
    entered: Vec<&'s str>,
    /// For each open scope except the file's, the number of names entered before it was opened.
    marks: Vec<usize>,
}

impl<'s> Scopes<'s> {
    /// File scope, with the types that the compilers know without a declaration.
    pub fn new() -> Self {
        let mut scopes = Scopes { names: FxHashMap::default(), entered: Vec::new(), marks: Vec::new() };
        for name in ["__int128_t", "__uint128_t", "__builtin_ms_va_list", "__builtin_sysv_va_list"] {
            scopes.declare(name, Meaning::Typedef);
        }
        scopes
    }

    pub fn depth(&self) -> usize {
        self.marks.len()
    }

    pub fn open(&mut self) {
        self.marks.push(self.entered.len());
    }

    /// Closes scopes until `depth` are open.
    pub fn close_to(&mut self, depth: usize) {
        while self.marks.len() > depth {
            let mark = self.marks.pop().unwrap_or(0);
            for name in self.entered.drain(mark..) {
                if let Some(meanings) = self.names.get_mut(name) {
                    meanings.pop();
                }
            }
        }
    }

    /// Enters a name in the innermost scope.
    pub fn declare(&mut self, name: &'s str, meaning: Meaning) {
        let depth = self.marks.len() as u32;
        let meanings = self.names.entry(name).or_default();
        match meanings.last_mut() {
            Some(last) if last.0 == depth => last.1 = meaning,
            _ => {
                meanings.push((depth, meaning));
                self.entered.push(name);
            }
        }
    }

    /// Enters a name in file scope, beneath all others.
    pub fn declare_global(&mut self, name: &'s str, meaning: Meaning) {
        if self.marks.is_empty() {
            return self.declare(name, meaning);
        }
        let meanings = self.names.entry(name).or_default();
        match meanings.first_mut() {
            Some(first) if first.0 == 0 => first.1 = meaning,
            // Not in `entered`: file scope is never closed.
            _ => meanings.insert(0, (0, meaning)),
        }
    }

    pub fn meaning(&self, name: &str) -> Option<Meaning> {
        self.names.get(name)?.last().map(|&(_, meaning)| meaning)
    }

    /// All names that are types now, for suggestions.
    pub fn types(&self) -> impl Iterator<Item = &'s str> {
        self.names
            .iter()
            .filter(|(_, meanings)| meanings.last().is_some_and(|m| m.1 == Meaning::Typedef))
            .map(|(name, _)| *name)
    }
}
