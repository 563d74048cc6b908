//! Types as the user would write them, for messages.

use super::{Block, Len, QTy, Quals, Ty, Types};
use c_syntax::Language;
use c_syntax::ast::RecordKind;

impl Types {
    /// The type as the user wrote it, typedef names kept: `shared [4] int *`.
    pub fn show(&self, q: QTy) -> String {
        self.declare(q, String::new(), true)
    }

    /// [`Types::show`], and in parentheses the type under its typedef names if there are any, all in the
    /// backquotes that messages use.
    pub fn show_aka(&self, q: QTy) -> String {
        let (written, meant) = (self.show(q), self.declare(q, String::new(), false));
        if written == meant { format!("`{written}`") } else { format!("`{written}` (aka `{meant}`)") }
    }

    /// Builds the declaration of `inner` from the inside outwards.
    fn declare(&self, q: QTy, inner: String, sugar: bool) -> String {
        let q = if sugar { q } else { self.strip(q) };
        let quals = self.quals_text(q.quals);
        match self.get(q.ty) {
            Ty::Pointer(to) => {
                let mut text = String::from("*");
                let word = match (self.language, self.object_quals(*to).shared) {
                    (Language::SplitC, Some(Block::Spread)) => "spread",
                    (Language::SplitC, Some(_)) => "global",
                    _ => "",
                };
                text += word;
                let more = !quals.is_empty() || !inner.is_empty();
                if !word.is_empty() && more {
                    text.push(' ');
                }
                text += &quals;
                if !quals.is_empty() && !inner.is_empty() {
                    text.push(' ');
                }
                text += &inner;
                if matches!(self.shape(*to, sugar), Ty::Array(..) | Ty::Function(_)) {
                    text = format!("({text})");
                }
                self.declare(*to, text, sugar)
            }
            Ty::Array(elem, len) => {
                let elem = QTy { ty: elem.ty, quals: q.quals.union(elem.quals) };
                self.declare(elem, format!("{inner}{}", self.length_text(*len)), sugar)
            }
            Ty::Function(f) => {
                let mut params: Vec<String> =
                    f.params.iter().map(|&p| self.declare(p, String::new(), sugar)).collect();
                if f.variadic {
                    params.push("...".into());
                }
                if params.is_empty() && !f.old_style {
                    params.push("void".into());
                }
                self.declare(f.ret, format!("{inner}({})", params.join(", ")), sugar)
            }
            other => join(&[&quals, &self.base(other), &inner]),
        }
    }

    /// Qualifiers in the words of the language.
    fn quals_text(&self, q: Quals) -> String {
        let bare = quals_text(Quals { shared: None, ..q });
        match (self.language, q.shared) {
            (_, None) | (Language::SplitC, _) => bare,
            (Language::Ac, _) => join(&["dist", &bare]),
            _ => quals_text(q),
        }
    }

    fn length_text(&self, len: Len) -> String {
        let threads = self.language.words().threads;
        match len {
            Len::Incomplete => "[]".into(),
            Len::Const(n) => format!("[{n}]"),
            Len::Threads(1) => format!("[{threads}]"),
            Len::Threads(k) => format!("[{k}*{threads}]"),
            Len::Variable | Len::Runtime(_) => "[*]".into(),
        }
    }

    fn shape(&self, q: QTy, sugar: bool) -> &Ty {
        if sugar { self.get(q.ty) } else { self.of(q) }
    }

    fn base(&self, ty: &Ty) -> String {
        match ty {
            Ty::Error => "<unknown>".into(),
            Ty::Void => "void".into(),
            Ty::Int(kind) => kind.spelling().into(),
            Ty::Float(kind) => kind.spelling(),
            Ty::Complex(kind) => format!("_Complex {}", kind.spelling()),
            Ty::ComplexInt(kind) => format!("_Complex {}", kind.spelling()),
            Ty::Vector(elem, bytes) => format!("{} __vector({bytes})", self.show(*elem)),
            Ty::Record(id) => {
                let r = self.record(*id);
                let keyword = if r.kind == RecordKind::Struct { "struct" } else { "union" };
                format!("{keyword} {}", if r.anonymous { "<anonymous>" } else { &r.tag })
            }
            Ty::Enum(id) => {
                let e = &self.enums[id.0 as usize];
                format!("enum {}", if e.anonymous { "<anonymous>" } else { &e.tag })
            }
            Ty::Named(name, _) => name.to_string(),
            Ty::VaList => "__builtin_va_list".into(),
            Ty::Pointer(_) | Ty::Array(..) | Ty::Function(_) => String::new(),
        }
    }
}

/// Qualifiers in the order in which UPC programs write them.
fn quals_text(q: Quals) -> String {
    let shared = match q.shared {
        None => String::new(),
        Some(Block::Size(1)) => "shared".into(),
        Some(Block::Size(n)) => format!("shared [{n}]"),
        Some(Block::Indefinite) => "shared []".into(),
        Some(Block::Star) => "shared [*]".into(),
        Some(Block::Spread) => "spread".into(),
    };
    join(&[
        if q.is_strict { "strict" } else { "" },
        if q.is_relaxed { "relaxed" } else { "" },
        &shared,
        if q.is_const { "const" } else { "" },
        if q.is_volatile { "volatile" } else { "" },
        if q.is_restrict { "restrict" } else { "" },
        if q.is_atomic { "_Atomic" } else { "" },
    ])
}

fn join(words: &[&str]) -> String {
    let mut text = String::new();
    for word in words.iter().filter(|w| !w.is_empty()) {
        if !text.is_empty() {
            text.push(' ');
        }
        text += word;
    }
    text
}
