//! Reads the contract (`runtime/include/meridian/abi/contract.h`), computes its number, and writes it as
//! Rust.

use std::fmt::Write;

/// A definition of the contract.
#[derive(Debug, PartialEq, Eq)]
pub enum Definition {
    /// A constant, without the prefix `MER_`.
    Number { name: String, value: u64 },
    /// A list of rows, each of these cells.
    Rows { name: String, rows: Vec<Vec<String>> },
    /// The fields of a struct: name, offset, size.
    Layout { name: String, fields: Vec<(String, u64, u64)> },
}

/// The definitions of the contract, the number that the file states, and the hash of the definitions.
#[derive(Debug, PartialEq, Eq)]
pub struct Contract {
    pub definitions: Vec<Definition>,
    pub stated: u32,
    pub number: u32,
}

/// Reads the text of the header.
///
/// # Errors
/// If a definition is none of those that this module knows; the message names it.
pub fn read(text: &str) -> Result<Contract, String> {
    let text = without_comments(text).replace("\\\n", " ");
    let mut definitions = Vec::new();
    let mut stated = None;
    let mut hash = HASH;
    for line in text.lines() {
        let Some(rest) = line.trim().strip_prefix("#define MER_") else { continue };
        let words: Vec<&str> = rest.split_whitespace().collect();
        let plain = words.join(" ");
        if let Some(number) = plain.strip_prefix("CONTRACT_NUMBER ") {
            stated = u32::from_str_radix(number, 16).ok().filter(|_| number.len() == 8);
            continue;
        }
        hash = plain.bytes().chain([b'\n']).fold(hash, add);
        definitions.push(definition(&plain).ok_or(format!("not understood: #define MER_{plain}"))?);
    }
    let stated = stated.ok_or("MER_CONTRACT_NUMBER is not 8 hexadecimal digits")?;
    Ok(Contract { definitions, stated, number: (hash ^ hash >> 32) as u32 })
}

/// FNV-1a.
const HASH: u64 = 0xcbf2_9ce4_8422_2325;

fn add(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        out.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    out + rest
}

/// Reads the definition of `MER_` and `plain`, in which blanks are single.
fn definition(plain: &str) -> Option<Definition> {
    let end = plain.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let (name, rest) = (plain[..end].to_string(), &plain[end..]);
    if let Some(layout) = name.strip_prefix("LAYOUT_") {
        let rows = rows(rest.strip_prefix("(X, S)")?)?;
        let field = |row: Vec<String>| match &row[..] {
            [s, field, offset, size] if s == "S" => Some((field.clone(), number(offset)?, number(size)?)),
            _ => None,
        };
        let fields = rows.into_iter().map(field).collect::<Option<_>>()?;
        return Some(Definition::Layout { name: layout.into(), fields });
    }
    match rest.strip_prefix("(X)") {
        Some(list) => Some(Definition::Rows { name, rows: rows(list)? }),
        None => Some(Definition::Number { name, value: number(rest)? }),
    }
}

/// Reads `X(a, b) X(c, d)`. Cells have no parentheses, and texts in quotes no commas.
fn rows(list: &str) -> Option<Vec<Vec<String>>> {
    let mut rest = list.trim();
    let mut rows = Vec::new();
    while !rest.is_empty() {
        let (row, after) = rest.strip_prefix("X(")?.split_once(')')?;
        rows.push(row.split(',').map(|cell| cell.trim().to_string()).collect());
        rest = after.trim_start();
    }
    Some(rows)
}

/// Reads a number of C, or `(a << b)`.
fn number(text: &str) -> Option<u64> {
    let text = text.trim().trim_matches(['(', ')']);
    if let Some((n, by)) = text.split_once("<<") {
        return Some(number(n)? << number(by)?);
    }
    let digits = text.trim().trim_end_matches(['U', 'L']);
    match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    }
}

impl Contract {
    /// Returns the contract as Rust: the constants, a module for each list of rows, and one for each layout.
    pub fn rust(&self) -> String {
        let mut out = String::new();
        let number = self.number;
        let _ = writeln!(out, "/// The version of the contract.\npub const CONTRACT: u32 = {number:#x};");
        let _ = writeln!(out, "/// The version of the contract, in hexadecimal.");
        let _ = writeln!(out, "pub const CONTRACT_TEXT: &str = \"{number:08x}\";");
        for definition in &self.definitions {
            write(&mut out, definition);
        }
        out
    }
}

fn write(out: &mut String, definition: &Definition) {
    match definition {
        Definition::Number { name, value } => {
            let _ = writeln!(out, "/// `MER_{name}`.\npub const {name}: u64 = {value:#x};");
        }
        Definition::Rows { name, rows } => {
            let _ = writeln!(out, "/// `MER_{name}`.\npub mod {} {{", name.to_lowercase());
            rows.iter().for_each(|row| write_row(out, row));
            write_list(out, rows);
            out.push_str("}\n");
        }
        Definition::Layout { name, fields } => {
            let _ = writeln!(out, "/// `MER_LAYOUT_{name}`: offsets.\npub mod {} {{", name.to_lowercase());
            for (field, offset, _) in fields {
                let _ =
                    writeln!(out, "/// `{field}`.\npub const {}: usize = {offset};", field.to_uppercase());
            }
            let end = fields.last().map_or(0, |(_, offset, size)| offset + size);
            let _ = writeln!(out, "/// The number of bytes.\npub const TOTAL_SIZE: usize = {end};\n}}");
        }
    }
}

/// A row of one cell is a variable of the environment; the second of several cells is a text or a number.
fn write_row(out: &mut String, row: &[String]) {
    let _ = match row {
        [name] => writeln!(out, "/// `MERIDIAN_{name}`.\npub const {name}: &str = \"MERIDIAN_{name}\";"),
        [name, text] if text.starts_with('"') => {
            writeln!(out, "/// `{name}`.\npub const {name}: &str = {text};")
        }
        [name, value, ..] => writeln!(out, "/// `{name}`.\npub const {name}: u32 = {value};"),
        [] => Ok(()),
    };
}

/// Writes the variables of all rows, or their texts.
fn write_list(out: &mut String, rows: &[Vec<String>]) {
    let cells: Vec<String> = rows
        .iter()
        .filter_map(|row| match &row[..] {
            [name] => Some(format!("\"MERIDIAN_{name}\"")),
            [.., text] if text.starts_with('"') => Some(text.clone()),
            _ => None,
        })
        .collect();
    if !cells.is_empty() {
        let _ = writeln!(out, "/// The texts of all rows.");
        let _ = writeln!(out, "pub const ALL: [&str; {}] = [{}];", cells.len(), cells.join(", "));
    }
}
