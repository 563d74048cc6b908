//! The kept inputs of a session with their items, and the rules by which later definitions replace items.

use id::session::Item;

/// A kept input.
#[derive(Clone)]
pub struct Kept {
    /// The input's file in the session's directory.
    pub name: String,
    /// The text, with forgotten items blanked out.
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

/// Returns whether some item defines a name.
fn is_defined(kept: &[Kept], name: &str) -> bool {
    kept.iter().flat_map(|k| &k.items).any(|item| item.defines(name))
}

/// Forgets the items that the new inputs redefine. Returns the names that were defined together with a
/// redefined name and are not defined any more.
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

/// Forgets all items about a name. Returns false if there is none.
pub fn forget_name(kept: &mut Vec<Kept>, name: &str) -> bool {
    let is_of = |item: &Item| item.names.iter().any(|n| n.split_once(' ').map_or(&n[..], |(_, n)| n) == name);
    let any = kept.iter().flat_map(|k| &k.items).any(is_of);
    kept.iter_mut().for_each(|k| k.forget(is_of));
    kept.retain(|k| !k.items.is_empty());
    any
}

/// Blanks out each `typeof` whose name is not defined yet: a program may not contain it.
pub fn declare_only_what_is_defined(all: &mut [Kept]) {
    let before = all.to_vec();
    let waits = |item: &Item| item.declares().is_some_and(|name| !is_defined(&before, name));
    all.iter_mut().for_each(|k| k.forget(waits));
}

/// Replaces an item by spaces; line breaks stay.
pub fn blank(text: &mut String, bytes: std::ops::Range<usize>) {
    let spaces: String = text[bytes.clone()]
        .chars()
        .flat_map(|c| if c == '\n' { vec!['\n'] } else { vec![' '; c.len_utf8()] })
        .collect();
    text.replace_range(bytes, &spaces);
}
