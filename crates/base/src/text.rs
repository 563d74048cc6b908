//! Bytes of a source file as text, and back, without loss.
//!
//! The preprocessor's output need not be UTF-8 (string literals in Latin-1). Bytes that are not UTF-8 become
//! characters of a private plane ([`byte`]). If a source has a character of that plane, its bytes are mapped
//! in the same way, so that encoding always restores the original bytes.

/// The first of the characters for bytes.
const PRIVATE: u32 = 0xF0000;

/// Returns text that [`encode`] turns back into the same bytes.
pub fn decode(bytes: Vec<u8>) -> String {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) if !has_bytes(&text) => return text,
        Ok(text) => text.into_bytes(),
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len() + 64);
    let escape = |text: &mut String, bytes: &[u8]| {
        text.extend(bytes.iter().filter_map(|&b| char::from_u32(PRIVATE + u32::from(b))));
    };
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match byte(c) {
                Some(_) => escape(&mut text, c.encode_utf8(&mut [0; 4]).as_bytes()),
                None => text.push(c),
            }
        }
        escape(&mut text, chunk.invalid());
    }
    text
}

/// Returns the bytes of text that [`decode`] has made.
pub fn encode(text: &str) -> Vec<u8> {
    if !has_bytes(text) {
        return text.as_bytes().to_vec();
    }
    let mut out = Vec::with_capacity(text.len());
    for c in text.chars() {
        match byte(c) {
            Some(byte) => out.push(byte),
            None => out.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    out
}

/// Returns the byte that a character of decoded text stands for; none for a character that stands for itself.
pub fn byte(c: char) -> Option<u8> {
    let byte = u8::try_from((c as u32).checked_sub(PRIVATE)?).ok()?;
    (byte >= 0x80).then_some(byte)
}

/// Whether a character of the text stands for a byte. The first byte of all such characters is the one
/// searched for first, which is fast.
pub fn has_bytes(text: &str) -> bool {
    text.as_bytes().contains(&0xf3) && text.contains(|c| byte(c).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_come_back() {
        let bytes: Vec<u8> = (0..=255).chain("größe".bytes()).collect();
        assert_eq!(encode(&decode(bytes.clone())), bytes);
    }

    #[test]
    fn characters_of_the_private_plane_come_back() {
        for text in ["a\u{f00e9}b", "\u{f0080}\u{f00ff}", "\u{f0079}\u{f0100}"] {
            assert_eq!(encode(&decode(text.into())), text.as_bytes());
            let with_byte = [text.as_bytes(), b"\xe9"].concat();
            assert_eq!(encode(&decode(with_byte.clone())), with_byte);
        }
    }

    #[test]
    fn what_is_no_utf8_is_known_by_its_byte() {
        let text = decode(b"\xe9\x80z".to_vec());
        assert_eq!(text.chars().map(byte).collect::<Vec<_>>(), [Some(0xe9), Some(0x80), None]);
        assert_eq!(byte('\u{f007f}'), None);
        assert_eq!(byte('\u{f0100}'), None);
    }
}
