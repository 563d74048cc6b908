//! Parses any text, as C and as UPC: no panic, spans within the text, messages that can be rendered. The text
//! is cut at 64 KB so that the limit on nesting keeps within the stack that libFuzzer gives.

#![no_main]

use base::Source;
use c_syntax::Dialect;
use libfuzzer_sys::fuzz_target;

fn check(text: &str, dialect: Dialect) {
    let source = Source::new(text.to_owned());
    let (unit, diagnostics) = c_syntax::parse(&source, dialect);
    for id in unit.exprs.ids() {
        assert!(text.get(unit.exprs[id].span.range()).is_some());
    }
    for diagnostic in &diagnostics {
        assert!(text.get(diagnostic.span.range()).is_some());
    }
    let few = &diagnostics[..diagnostics.len().min(5)];
    base::render(few, &source, false);
}

fuzz_target!(|text: &str| {
    let end = (0..=text.len().min(64 << 10)).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    check(&text[..end], Dialect::default());
    check(&text[..end], Dialect::UPC);
});
