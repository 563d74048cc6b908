//! The files of a program as one text: the library, then each file, with line markers; `@include "file";`
//! is replaced by the file's text.

use base::{Code, Diagnostic, Source, Span};
use std::path::{Path, PathBuf};

/// The most nested includes: with more there must be a cycle.
const DEEPEST: usize = 100;

/// Returns the text, where the user's part begins, and diagnostics. A file of the command line that cannot be
/// read is an error of the command; an included file that cannot be read is reported where it is included.
pub fn assemble(files: &[PathBuf]) -> Result<(Source, u32, Vec<Diagnostic>), String> {
    let mut text = format!("# 1 \"<library>\" 3\n{}\n", crate::syntax::library::LIBRARY);
    let user_from = text.len() as u32;
    let mut said = Vec::new();
    for file in files {
        let own = read(file).map_err(|e| format!("{}: {e}", file.display()))?;
        append(&mut text, file, &own, 0, &mut said);
    }
    Ok((Source::new(text), user_from, said))
}

/// Returns the text of a file, or the reason why it is no text of Id.
pub fn read(file: &Path) -> Result<String, String> {
    let bytes = std::fs::read(file).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "no permission to read it".to_owned(),
        _ => e.to_string(),
    })?;
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(
            "is text in UTF-16; Id files are in UTF-8 (`iconv -f UTF-16 -t UTF-8` converts it)".into()
        );
    }
    if bytes.contains(&0) {
        return Err("is not a source file: it holds binary data".into());
    }
    // Editors put a mark before UTF-8, which is not part of the text.
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    match std::str::from_utf8(text) {
        Ok(text) => Ok(text.to_owned()),
        Err(e) => {
            let before = &text[..e.valid_up_to()];
            let line = 1 + before.iter().filter(|b| **b == b'\n').count();
            let column = 1 + before.iter().rev().take_while(|b| **b != b'\n').count();
            let byte = text[e.valid_up_to()];
            Err(format!(
                "line {line}, column {column}: the byte 0x{byte:02x} is not UTF-8 \
                 (`iconv -f LATIN1 -t UTF-8` converts text in Latin-1)"
            ))
        }
    }
}

fn marker(line: usize, file: &Path) -> String {
    let name = file.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    format!("# {line} \"{name}\"\n")
}

fn append(text: &mut String, file: &Path, own: &str, depth: usize, said: &mut Vec<Diagnostic>) {
    text.push_str(&marker(1, file));
    for (n, line) in own.lines().enumerate() {
        let lo = text.len();
        // A line of the file that looks like a line marker must not be one.
        if line.starts_with("# ") || line.starts_with("#line") {
            text.push(' ');
        }
        text.push_str(line);
        text.push('\n');
        let Some(name) = included(line) else { continue };
        let path = file.parent().unwrap_or(Path::new("")).join(name);
        let span = Span::new(lo as u32, (lo + line.len()) as u32);
        if depth >= DEEPEST {
            said.push(Diagnostic::error(Code::IdInclude, span, format!("`{name}` includes itself")));
            continue;
        }
        match read(&path) {
            Ok(inner) => {
                append(text, &path, &inner, depth + 1, said);
                text.push_str(&marker(n + 2, file));
            }
            Err(why) => {
                let message = format!("cannot include `{}`: {why}", path.display());
                said.push(Diagnostic::error(Code::IdInclude, span, message));
            }
        }
    }
    text.push_str(";\n");
}

/// The file that a line includes.
pub fn included(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('@')?;
    let word = rest.get(..7)?;
    if !word.eq_ignore_ascii_case("include") {
        return None;
    }
    rest[7..].trim_start().strip_prefix('"')?.split_once('"').map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assembled(bytes: &[u8]) -> Result<String, String> {
        let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
        let path = dir.path().join("t.id");
        std::fs::write(&path, bytes).map_err(|e| e.to_string())?;
        let (source, from, _) = assemble(&[path])?;
        Ok(source.text[from as usize..].to_owned())
    }

    #[test]
    fn text_is_utf_8() {
        let said = assembled(b"1;\n% caf\xe9\n").expect_err("Latin-1");
        assert!(said.contains("t.id: line 2, column 6: the byte 0xe9 is not UTF-8"), "{said}");
        assert!(assembled(b"\xef\xbb\xbf1;\n").is_ok_and(|text| text.contains("\n1;\n")));
        assert!(assembled(b"\xff\xfe1\0").is_err_and(|e| e.contains("UTF-16")));
        assert!(assembled(b"1;\0").is_err_and(|e| e.contains("binary")));
        assert!(assembled("\"ä\";".as_bytes()).is_ok());
    }
}
