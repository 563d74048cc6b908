//! Generates `base::contract` from the contract between compiler, runtime, launcher and tools.

#[path = "build/table.rs"]
mod table;

use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the package"));
    let header = root.join("../../runtime/include/meridian/abi/contract.h");
    println!("cargo::rerun-if-changed={}", header.display());
    println!("cargo::rerun-if-changed=build");
    let text = std::fs::read_to_string(&header).unwrap_or_else(|e| panic!("{}: {e}", header.display()));
    let contract = table::read(&text).unwrap_or_else(|e| panic!("{}: {e}", header.display()));
    if contract.stated != contract.number {
        println!(
            "cargo::error={}: the contract has changed: write #define MER_CONTRACT_NUMBER {:08x}",
            header.display(),
            contract.number
        );
    }
    let out = std::env::var_os("OUT_DIR").expect("cargo names a directory for files");
    std::fs::write(Path::new(&out).join("contract.rs"), contract.rust()).expect("the directory is writable");
}
