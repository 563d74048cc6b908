//! The module graph of a crate, read from its sources.
//!
//! Paths are followed through `use` items: a name that a parent re-exports counts as a use of the module that
//! defines it. Test modules are left out. In the arguments of macros, paths are found among the tokens.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};

/// The modules of one crate; the first is its root.
pub struct Modules {
    all: Vec<Module>,
}

/// A module: the names in it, and the paths that it uses.
struct Module {
    /// The path from the root, as `prefetch::stages`; empty: the root.
    name: String,
    parent: Option<usize>,
    children: HashMap<String, usize>,
    /// Names of the items that the module defines.
    items: HashSet<String>,
    /// Names that `use` items bring in, with the paths for which they stand.
    bound: HashMap<String, Vec<String>>,
    /// Paths of which `use` items bring in everything.
    globs: Vec<Vec<String>>,
    /// All paths in the module's text.
    paths: BTreeSet<Vec<String>>,
}

impl Modules {
    /// Reads a crate from its root file.
    pub fn read(root: &Path) -> Modules {
        let mut modules = Modules { all: Vec::new() };
        let folder = root.parent().expect("a folder").to_owned();
        modules.read_file(root, &folder, String::new(), None);
        modules
    }

    /// Reads a module's file; the files of its children are in `folder`.
    fn read_file(&mut self, file: &Path, folder: &Path, name: String, parent: Option<usize>) {
        let text = std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let parsed = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        self.add(&parsed.items, folder, name, parent);
    }

    fn add(&mut self, items: &[syn::Item], folder: &Path, name: String, parent: Option<usize>) {
        let own = self.all.len();
        let mut module = Module {
            name: name.clone(),
            parent,
            children: HashMap::new(),
            items: HashSet::new(),
            bound: HashMap::new(),
            globs: Vec::new(),
            paths: BTreeSet::new(),
        };
        let kept: Vec<_> = items.iter().filter(|item| !is_of_tests(item)).collect();
        kept.iter().for_each(|item| module.visit_item(item));
        self.all.push(module);
        if let Some(parent) = parent {
            let last = name.rsplit("::").next().unwrap_or(&name).to_owned();
            self.all[parent].children.insert(last, own);
        }
        for item in kept {
            let syn::Item::Mod(child) = item else { continue };
            let short = child.ident.to_string();
            let full = if name.is_empty() { short.clone() } else { format!("{name}::{short}") };
            let inner = folder.join(&short);
            match &child.content {
                Some((_, items)) => self.add(items, &inner, full, Some(own)),
                None => self.read_file(&file_of(folder, &short), &inner, full, Some(own)),
            }
        }
    }

    /// The number of modules.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Returns the module that defines the item which a path in module `from` names, or none if the path
    /// leads out of the crate or names a local variable.
    fn target(&self, from: usize, path: &[String], depth: usize) -> Option<usize> {
        let first = path.first()?.as_str();
        if depth > 16 {
            return None; // names that stand for each other
        }
        let (start, rest) = match first {
            "crate" => (0, &path[1..]),
            "self" => (from, &path[1..]),
            "super" => (self.all[from].parent?, &path[1..]),
            _ if self.knows(from, first) => (from, path),
            _ => return None,
        };
        if rest.first().is_some_and(|name| name == "super") {
            return self.target(start, rest, depth + 1);
        }
        let Some(name) = rest.first() else { return Some(start) };
        let module = &self.all[start];
        if let Some(&child) = module.children.get(name) {
            return match rest.len() {
                1 => Some(child),
                _ => self.target(child, &with_self(&rest[1..]), depth + 1).or(Some(child)),
            };
        }
        if let Some(stands_for) = module.bound.get(name) {
            let whole: Vec<_> = stands_for.iter().chain(&rest[1..]).cloned().collect();
            return self.target(start, &whole, depth + 1);
        }
        if !module.items.contains(name) {
            for glob in &module.globs {
                let of =
                    self.target(start, glob, depth + 1).filter(|of| *of != start && self.knows(*of, name));
                if let Some(of) = of {
                    return self.target(of, &with_self(rest), depth + 1);
                }
            }
        }
        Some(start)
    }

    /// Whether a module has an item, a child or an imported name with this name; glob imports do not count.
    fn knows(&self, module: usize, name: &str) -> bool {
        let module = &self.all[module];
        module.children.contains_key(name) || module.items.contains(name) || module.bound.contains_key(name)
    }

    /// The modules from the root down to this one.
    fn line(&self, module: usize) -> Vec<usize> {
        let mut line = vec![module];
        while let Some(parent) = self.all[line[line.len() - 1]].parent {
            line.push(parent);
        }
        line.reverse();
        line
    }

    /// The siblings that each module uses. A module stands for itself and all of its descendants; ancestors
    /// and descendants are not siblings.
    pub fn uses(&self) -> BTreeMap<usize, BTreeSet<usize>> {
        let mut uses: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for (from, module) in self.all.iter().enumerate() {
            let line = self.line(from);
            for to in module.paths.iter().filter_map(|path| self.target(from, path, 0)) {
                let other = self.line(to);
                let apart = line.iter().zip(&other).find(|(a, b)| a != b);
                if let Some((&a, &b)) = apart {
                    uses.entry(a).or_default().insert(b);
                }
            }
        }
        uses
    }

    /// The circles: sets of siblings that reach each other, by name.
    pub fn circles(&self) -> Vec<Vec<String>> {
        let uses = self.uses();
        let reached: Vec<BTreeSet<usize>> = (0..self.count()).map(|from| reach(&uses, from)).collect();
        let mut circles: Vec<Vec<usize>> = Vec::new();
        for module in 0..self.count() {
            if !reached[module].contains(&module) || circles.iter().any(|circle| circle.contains(&module)) {
                continue;
            }
            let both = |other: &usize| reached[module].contains(other) && reached[*other].contains(&module);
            circles.push((0..self.count()).filter(both).collect());
        }
        circles
            .iter()
            .map(|circle| circle.iter().map(|module| self.all[*module].name.clone()).collect())
            .collect()
    }

    /// The uses within a circle, as `from -> to`.
    pub fn ties(&self, circle: &[String]) -> Vec<String> {
        let uses = self.uses();
        let name = |module: usize| &self.all[module].name;
        let inside = |module: usize| circle.contains(name(module));
        uses.iter()
            .filter(|(from, _)| inside(**from))
            .flat_map(|(from, to)| to.iter().map(move |to| (*from, *to)))
            .filter(|(_, to)| inside(*to))
            .map(|(from, to)| format!("{} -> {}", name(from), name(to)))
            .collect()
    }
}

fn with_self(path: &[String]) -> Vec<String> {
    std::iter::once("self".to_owned()).chain(path.iter().cloned()).collect()
}

/// Returns the modules that `from` reaches by one use or more.
fn reach(uses: &BTreeMap<usize, BTreeSet<usize>>, from: usize) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut left = vec![from];
    while let Some(module) = left.pop() {
        left.extend(uses.get(&module).into_iter().flatten().filter(|next| reached.insert(**next)));
    }
    reached
}

fn file_of(folder: &Path, name: &str) -> PathBuf {
    let file = folder.join(format!("{name}.rs"));
    if file.exists() { file } else { folder.join(name).join("mod.rs") }
}

/// Whether an item is compiled for tests only.
fn is_of_tests(item: &syn::Item) -> bool {
    let attributes = match item {
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        _ => false,
    })
}

impl Module {
    /// Records the names of a `use` tree; `front` holds the segments before it.
    fn add_use(&mut self, tree: &syn::UseTree, front: &mut Vec<String>) {
        match tree {
            syn::UseTree::Path(path) => {
                front.push(path.ident.to_string());
                self.add_use(&path.tree, front);
                front.pop();
            }
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.add_use(tree, front)),
            syn::UseTree::Glob(_) => {
                self.paths.insert(front.clone());
                self.globs.push(front.clone());
            }
            syn::UseTree::Name(name) => self.bind(front, &name.ident, &name.ident),
            syn::UseTree::Rename(rename) => self.bind(front, &rename.ident, &rename.rename),
        }
    }

    fn bind(&mut self, front: &[String], name: &syn::Ident, bound: &syn::Ident) {
        let (name, mut path) = (name.to_string(), front.to_vec());
        let bound =
            if bound == "self" { front.last().cloned().unwrap_or_default() } else { bound.to_string() };
        if name != "self" {
            path.push(name);
        }
        // `use a::b` of a dependency: the name is not that of a module here.
        if path.first() != Some(&bound) {
            self.bound.insert(bound, path.clone());
        }
        self.paths.insert(path);
    }

    /// Records the paths among the tokens of a macro's arguments.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) if colons == 2 || path.is_empty() => {
                    path.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' && !path.is_empty() => colons += 1,
                other => {
                    self.paths.insert(std::mem::take(&mut path));
                    colons = 0;
                    match other {
                        TokenTree::Ident(name) => path.push(name.to_string()),
                        TokenTree::Group(group) => self.add_tokens(group.stream()),
                        _ => {}
                    }
                }
            }
        }
        self.paths.insert(path);
    }
}

impl<'a> Visit<'a> for Module {
    fn visit_item(&mut self, item: &'a syn::Item) {
        use syn::Item;
        let name = match item {
            Item::Const(item) => Some(&item.ident),
            Item::Enum(item) => Some(&item.ident),
            Item::Fn(item) => Some(&item.sig.ident),
            Item::Static(item) => Some(&item.ident),
            Item::Struct(item) => Some(&item.ident),
            Item::Trait(item) => Some(&item.ident),
            Item::Type(item) => Some(&item.ident),
            Item::Union(item) => Some(&item.ident),
            Item::Mod(_) => return, // a module of its own
            _ => None,
        };
        self.items.extend(name.map(ToString::to_string));
        visit::visit_item(self, item);
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        self.add_use(&item.tree, &mut Vec::new());
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        self.paths.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'a syn::Macro) {
        self.add_tokens(item.tokens.clone());
        visit::visit_macro(self, item);
    }
}
