//! Bytes of a source file as text, and back, without loss.
//!
//! The preprocessor's output need not be UTF-8 (string literals in Latin-1). Bytes that are not become
//! characters of a private plane, which is where they come back from; the lexer knows that plane
//! (`not_utf8` in `c-syntax/src/lexer.rs`).

const PRIVATE: u32 = 0xF0000;

/// Text that [`encode`] turns back into the same bytes.
pub fn decode(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let mut text = String::with_capacity(error.as_bytes().len() + 64);
            for chunk in error.as_bytes().utf8_chunks() {
                text.push_str(chunk.valid());
                text.extend(chunk.invalid().iter().filter_map(|&b| char::from_u32(PRIVATE + u32::from(b))));
            }
            text
        }
    }
}

/// The bytes of text that [`decode`] made.
pub fn encode(text: &str) -> Vec<u8> {
    let private = |c: char| (PRIVATE + 0x80..=PRIVATE + 0xff).contains(&(c as u32));
    if !text.contains(private) {
        return text.as_bytes().to_vec();
    }
    let mut out = Vec::with_capacity(text.len());
    for c in text.chars() {
        if private(c) {
            out.push((c as u32 - PRIVATE) as u8);
        } else {
            out.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_come_back() {
        let bytes: Vec<u8> = (0..=255).chain("größe".bytes()).collect();
        assert_eq!(encode(&decode(bytes.clone())), bytes);
    }
}
