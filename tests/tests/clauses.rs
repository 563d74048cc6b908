//! Holds the tables of clauses in docs/ against the lists and the tests; with MERIDIAN_BLESS=1 writes them.
//! Each required clause has tests.

use tests::{clauses, home};

#[test]
fn the_tables_of_clauses_are_up_to_date() {
    for table in &clauses::TABLES {
        let path = home().join("../docs").join(table.page);
        let page = clauses::page(table).unwrap_or_else(|error| panic!("{error}"));
        if std::env::var_os("MERIDIAN_BLESS").is_some() {
            std::fs::write(&path, &page).unwrap();
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            written == page,
            "docs/{} is out of date: MERIDIAN_BLESS=1 cargo test -p tests --test clauses",
            table.page
        );
        assert!(page.contains("Gaps: none."), "docs/{} has gaps", table.page);
    }
}
