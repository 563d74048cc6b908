//! What a session keeps: inputs with their items, and which of them make way for what is defined later.

use id::session::Item;

/// An input.
#[derive(Clone)]
pub struct Kept {
    /// Its file in the session's directory.
    pub name: String,
    /// What is forgotten is blanked out.
    pub text: String,
    pub items: Vec<Item>,
}

impl Kept {
    pub fn new(name: &str, text: String) -> Kept {
        Kept { name: name.to_owned(), items: id::session::items(&text), text }
    }

    /// Blanks out some of the items.
    pub fn forget(&mut self, which: impl Fn(&Item) -> bool) {
        let text = &mut self.text;
        self.items.retain(|item| {
            let gone = which(item);
            if gone {
                blank(text, item.bytes.clone());
            }
            !gone
        });
    }
}

/// Whether some item says what a name is.
fn is_defined(kept: &[Kept], name: &str) -> bool {
    kept.iter().flat_map(|k| &k.items).any(|item| item.defines(name))
}

/// Forgets what the new inputs define again; the names that go with it, though nothing new has them.
pub fn make_way(kept: &mut Vec<Kept>, inputs: &[Kept]) -> Vec<String> {
    let before = kept.clone();
    let newer: Vec<&Item> = inputs.iter().flat_map(|i| &i.items).collect();
    let yields = |item: &Item| newer.iter().any(|n| item.yields_to(n, |name| is_defined(&before, name)));
    kept.iter_mut().for_each(|k| k.forget(yields));
    kept.retain(|k| !k.items.is_empty());
    let gone = before.iter().flat_map(|k| &k.items).filter(|item| yields(item));
    let names = gone.flat_map(|item| item.names.iter()).filter(|n| !n.contains(' '));
    names.filter(|n| !newer.iter().any(|item| item.defines(n))).cloned().collect()
}

/// Forgets all that is said of a name; false if that is nothing.
pub fn forget_name(kept: &mut Vec<Kept>, name: &str) -> bool {
    let is_of = |item: &Item| item.names.iter().any(|n| n.split_once(' ').map_or(&n[..], |(_, n)| n) == name);
    let any = kept.iter().flat_map(|k| &k.items).any(is_of);
    kept.iter_mut().for_each(|k| k.forget(is_of));
    kept.retain(|k| !k.items.is_empty());
    any
}

/// Blanks out each `typeof` whose name is not defined yet: a program does not have it.
pub fn declare_only_what_is_defined(all: &mut [Kept]) {
    let before = all.to_vec();
    let waits = |item: &Item| item.declares().is_some_and(|name| !is_defined(&before, name));
    all.iter_mut().for_each(|k| k.forget(waits));
}

/// Spaces in place of an item; lines stay.
pub fn blank(text: &mut String, bytes: std::ops::Range<usize>) {
    let spaces: String = text[bytes.clone()]
        .chars()
        .flat_map(|c| if c == '\n' { vec!['\n'] } else { vec![' '; c.len_utf8()] })
        .collect();
    text.replace_range(bytes, &spaces);
}
