//! The deliberate faults of `runtime/tests/faults` apply to the runtime as it is now. `make check-mutants`
//! shows that the tests catch them, which takes longer.

use tests::faults;

#[test]
fn every_fault_applies() {
    let all = faults::all().unwrap_or_else(|error| panic!("{error}"));
    assert!(all.len() >= 24, "{} faults", all.len());
    let mut wrong = String::new();
    for fault in all {
        let text = std::fs::read_to_string(faults::runtime().join(&fault.file));
        let applied =
            text.map_err(|error| format!("{}: {error}", fault.name)).and_then(|text| fault.apply(&text));
        if let Err(error) = applied {
            wrong += &format!("{error}\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
