//! The meaning of names at a statement. There are few names, so that inner declarations hide outer ones.

/// The names of variables. The first ones are also names of objects of the file.
const FEW: [&str; 14] = ["b", "x", "g", "i", "j", "k", "v", "n", "s", "t", "p", "w", "q", "e"];
const OF_OBJECTS: usize = 3;
/// More names, for scopes in which the others are all taken.
const MORE: [&str; 24] = [
    "i1", "i2", "i3", "i4", "j1", "j2", "j3", "k1", "k2", "k3", "v1", "v2", "v3", "v4", "s1", "s2", "s3",
    "s4", "t1", "t2", "t3", "p1", "p2", "p3",
];

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// An integer from 4 to n - 5, which does not change.
    Near,
    /// The number of an element, which may be assigned.
    Place,
    /// The number of an element, which does not change.
    Fixed,
    /// Any number.
    Integer,
    /// Any floating number.
    Double,
    /// A pointer to an element of this array, 4 or more from its ends.
    Pointer(usize),
    /// A pointer to a node; not null.
    Node,
    /// The number of elements.
    Length,
    /// Nothing that a statement may use.
    Other,
}

#[derive(Clone, Debug)]
struct Name {
    text: String,
    means: Means,
    number: usize,
}

/// The names that statements declare, by scopes, outer ones first.
#[derive(Clone, Debug, Default)]
pub struct Names {
    scopes: Vec<Vec<Name>>,
    made: usize,
    /// No declaration hides another.
    pub(super) apart: bool,
}

impl Names {
    /// Enters a scope.
    pub fn enter(&mut self) {
        self.scopes.push(Vec::new());
    }

    /// Leaves the innermost scope.
    pub fn leave(&mut self) {
        self.scopes.pop();
    }

    /// Declares a name in the innermost scope. Returns its number, which no other has.
    pub fn declare(&mut self, text: &str, means: Means) -> usize {
        self.made += 1;
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(Name { text: text.into(), means, number: self.made });
        }
        self.made
    }

    /// Enters the name with this number into the innermost scope too, which declares it again.
    pub fn repeat(&mut self, number: usize) {
        let name = self.scopes.iter().flatten().find(|name| name.number == number).cloned();
        if let Some(scope) = self.scopes.last_mut() {
            scope.extend(name);
        }
    }

    /// Whether the innermost scope declares nothing.
    pub fn is_empty(&self) -> bool {
        self.scopes.last().is_none_or(|scope| scope.is_empty())
    }

    /// Whether the innermost scope already has this name.
    pub fn is_taken(&self, text: &str) -> bool {
        self.scopes.last().is_some_and(|scope| scope.iter().any(|name| name.text == text))
    }

    /// The names that the innermost scope does not have.
    pub fn free(&self) -> Vec<&'static str> {
        let is_free = |name: &&str| if self.apart { !self.hides(name) } else { !self.is_taken(name) };
        let few = if self.apart { &FEW[OF_OBJECTS..] } else { &FEW[..] };
        let free: Vec<_> = few.iter().copied().filter(|name| is_free(name)).collect();
        if free.is_empty() { MORE.into_iter().filter(is_free).collect() } else { free }
    }

    fn find(&self, text: &str) -> Option<&Name> {
        self.scopes.iter().rev().flat_map(|scope| scope.iter().rev()).find(|name| name.text == text)
    }

    /// Whether a declaration hides the object of the file that has this name.
    pub fn hides(&self, text: &str) -> bool {
        self.find(text).is_some()
    }

    /// The name with this number, if no other declaration hides it here.
    pub fn of_number(&self, number: usize) -> Option<String> {
        let all = self.scopes.iter().flatten();
        let name = all.into_iter().find(|name| name.number == number)?;
        let found = self.find(&name.text)?;
        (found.number == number).then(|| name.text.clone())
    }

    /// All names that can be used here and have a meaning for which `wanted` holds.
    pub fn with(&self, wanted: impl Fn(Means) -> bool) -> Vec<(String, Means)> {
        let visible = |name: &&Name| self.find(&name.text).is_some_and(|found| found.number == name.number);
        let all = self.scopes.iter().flatten().filter(visible);
        all.filter(|name| wanted(name.means)).map(|name| (name.text.clone(), name.means)).collect()
    }
}
