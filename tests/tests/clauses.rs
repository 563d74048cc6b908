//! Holds docs/clauses-upc.md against the list of clauses and the tests; with MERIDIAN_BLESS=1 writes it.

use tests::{clauses, home};

#[test]
fn the_table_of_clauses_is_up_to_date() {
    let path = home().join("../docs/clauses-upc.md");
    let table = clauses::table().unwrap_or_else(|error| panic!("{error}"));
    if std::env::var_os("MERIDIAN_BLESS").is_some() {
        std::fs::write(&path, &table).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == table,
        "docs/clauses-upc.md is out of date: MERIDIAN_BLESS=1 cargo test -p tests --test clauses"
    );
}
