//! The names of a program's symbols as numbers, so that a look-up of a name costs one access to memory.

use crate::ir::tree::{Fact, Tree};
use c_sema::Typed;
use c_sema::typed::{SymId, SymKind};
use c_syntax::ast::*;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The numbers of all names.
struct AllNames;

impl Fact for AllNames {
    type Of = ();
    type Value = Rc<Names>;

    fn find(tree: &Tree, (): ()) -> Rc<Names> {
        Rc::new(Names::new(&tree.unit, &tree.typed))
    }
}

impl Tree {
    /// The numbers of the program's names.
    pub(crate) fn names(&self) -> Rc<Names> {
        self.fact::<AllNames>(())
    }
}

/// The numbers of names, for ordinary identifiers.
#[derive(Debug)]
pub(crate) struct Names {
    /// The number of the name of each symbol.
    of: Vec<u32>,
    /// The number of each spelling.
    pub(crate) numbers: FxHashMap<Box<str>, u32>,
    /// The enumerators that blocks declare, by the position of their declarations.
    enumerators: FxHashMap<u32, SymId>,
    /// Whether the file declares each symbol, even if only after a block that declares it.
    of_file: Vec<bool>,
}

impl Names {
    /// Numbers the names of a program.
    fn new(unit: &Unit, typed: &Typed) -> Names {
        let of_file = typed.symbols.iter().map(|symbol| symbol.file_scope).collect();
        let (numbers, enumerators) = (FxHashMap::default(), FxHashMap::default());
        let mut names = Names { of: Vec::new(), numbers, enumerators, of_file };
        for &item in &unit.items {
            if let DeclKind::Vars { items, .. } = &unit.decls[item].kind {
                let declared = items.iter().filter_map(|item| typed.declared(item.declarator));
                declared.for_each(|sym| names.of_file[sym.0 as usize] = true);
            }
        }
        for (index, symbol) in (0..).zip(&typed.symbols) {
            let next = names.numbers.len() as u32;
            let number = match names.numbers.get(&symbol.name) {
                Some(&number) => number,
                None => *names.numbers.entry(symbol.name.clone()).or_insert(next),
            };
            names.of.push(number);
            if matches!(symbol.kind, SymKind::Enumerator(_)) && !symbol.file_scope {
                names.enumerators.insert(symbol.span.lo, SymId(index));
            }
        }
        names
    }

    /// The number of a symbol's name.
    pub(crate) fn number(&self, sym: SymId) -> u32 {
        self.of[sym.0 as usize]
    }

    /// Whether the file declares a symbol.
    pub(crate) fn is_of_file(&self, sym: SymId) -> bool {
        self.of_file[sym.0 as usize]
    }

    /// The enumerator that a block declares at a place of the text.
    pub(crate) fn enumerator(&self, at: u32) -> Option<SymId> {
        self.enumerators.get(&at).copied()
    }
}
