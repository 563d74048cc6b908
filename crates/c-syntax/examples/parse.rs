//! Parses preprocessed files and prints their diagnostics: `cc -E x.c > x.i; parse [-upc] x.i …`.

use base::Source;
use c_syntax::Dialect;

fn main() {
    let (flags, files): (Vec<_>, Vec<_>) = std::env::args().skip(1).partition(|arg| arg.starts_with('-'));
    let dialect = if flags.iter().any(|flag| flag == "-upc") { Dialect::UPC } else { Dialect::default() };
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(move || {
        for file in &files {
            check(file, dialect);
        }
    });
    worker.expect("a thread").join().expect("no panic");
}

fn check(file: &str, dialect: Dialect) {
    let bytes = std::fs::read(file).expect("a readable file");
    let source = Source::new(String::from_utf8_lossy(&bytes).into_owned());
    let start = std::time::Instant::now();
    let (unit, diagnostics) = c_syntax::parse(&source, dialect);
    let took = start.elapsed().as_millis();
    println!("{file}: {} items, {} diagnostics, {took} ms", unit.items.len(), diagnostics.len());
    print!("{}", base::render(&diagnostics, &source, false));
}
