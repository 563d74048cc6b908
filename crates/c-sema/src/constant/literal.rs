//! Values and types of literals, read from their spelling (C17 6.4.4, 6.4.5, and GNU's additions).

use crate::types::{FloatKind, IntKind};

/// The value or type of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    /// An integer with its type.
    Int(i128, IntKind),
    /// A floating number with its type.
    Float(f64, FloatKind),
    /// With a suffix `i` or `j`: imaginary, of a floating type.
    Imaginary(FloatKind),
    /// Imaginary, of an integer type.
    ImaginaryInt(IntKind),
}

/// Reads a number. Returns `None` for one that is not C's: the C compiler will report it.
pub(crate) fn number(text: &str) -> Option<Number> {
    let text = text.replace('\'', "");
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = match lower.as_bytes() {
        [b'0', b'x', ..] => (&lower[2..], 16),
        [b'0', b'b', ..] => (&lower[2..], 2),
        [b'0', ..] => (&lower[..], 8),
        _ => (&lower[..], 10),
    };
    let is_float = match radix {
        16 => digits.contains(['.', 'p']),
        2 => false,
        _ => floating_decimal(digits),
    };
    if is_float { float(&lower, radix == 16) } else { integer(digits, radix) }
}

/// Whether this is an integer constant that not even 128 bits hold.
pub(crate) fn is_too_large(text: &str) -> bool {
    let lower = text.replace('\'', "").to_ascii_lowercase();
    let (digits, radix) = match lower.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (&lower[..], 10),
    };
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    suffix.bytes().all(|b| b"ulz".contains(&b)) && digits.len() > 32 && number(text).is_none()
}

/// Whether a decimal has a point or an exponent; an `e` in a suffix is neither.
fn floating_decimal(digits: &str) -> bool {
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    matches!(digits.as_bytes().get(end), Some(b'.' | b'e'))
}

fn integer(digits: &str, radix: u32) -> Option<Number> {
    let end = digits.find(|c: char| !c.is_digit(radix.max(10))).unwrap_or(digits.len());
    let (digits, mut suffix) = digits.split_at(end);
    let value = if digits.is_empty() { 0 } else { u128::from_str_radix(digits, radix).ok()? };
    let imaginary = suffix.contains(['i', 'j']);
    let stripped = suffix.replace(['i', 'j'], "");
    if imaginary {
        suffix = &stripped;
    }
    let (unsigned, longs) = match suffix {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        "z" => (false, 1),
        "uz" | "zu" => (true, 1),
        _ => return None,
    };
    let signed_types =
        [(IntKind::Int, 31), (IntKind::Long, 63), (IntKind::LongLong, 63), (IntKind::Int128, 127)];
    let kind = signed_types[longs..].iter().find_map(|&(kind, bits)| {
        let wide = value >> bits;
        match unsigned {
            false if wide == 0 => Some(kind),
            true if wide <= 1 => Some(kind.to_unsigned()),
            // A hexadecimal or octal number may also be of the unsigned type.
            false if wide <= 1 && radix != 10 => Some(kind.to_unsigned()),
            _ => None,
        }
    })?;
    Some(if imaginary { Number::ImaginaryInt(kind) } else { Number::Int(value as i128, kind) })
}

fn float(lower: &str, hex: bool) -> Option<Number> {
    let body_end = float_body(lower, hex);
    let (body, suffix) = lower.split_at(body_end);
    let imaginary = suffix.contains(['i', 'j']);
    let kind = match &*suffix.replace(['i', 'j'], "") {
        "" | "d" => FloatKind::Double,
        "f" => FloatKind::Float,
        "l" => FloatKind::LongDouble,
        "q" | "f128" => FloatKind::N(128, false),
        "w" | "f64x" => FloatKind::N(64, true),
        "f16" => FloatKind::N(16, false),
        "f32" => FloatKind::N(32, false),
        "f64" => FloatKind::N(64, false),
        "f32x" => FloatKind::N(32, true),
        "df" => FloatKind::Decimal(32),
        "dd" => FloatKind::Decimal(64),
        "dl" => FloatKind::Decimal(128),
        _ => return None,
    };
    if imaginary {
        return Some(Number::Imaginary(kind));
    }
    let value = if hex { hex_float(body)? } else { body.parse().ok()? };
    Some(Number::Float(value, kind))
}

/// The end of digits, point and exponent, where the suffix begins.
fn float_body(s: &str, hex: bool) -> usize {
    let bytes = s.as_bytes();
    let mut i = if hex { 2 } else { 0 };
    let digit = |b: u8| if hex { b.is_ascii_hexdigit() } else { b.is_ascii_digit() };
    while i < bytes.len() && (digit(bytes[i]) || bytes[i] == b'.') {
        i += 1;
    }
    let exponent = if hex { b'p' } else { b'e' };
    if bytes.get(i) == Some(&exponent) {
        i += 1;
        if matches!(bytes.get(i), Some(b'+' | b'-')) {
            i += 1;
        }
        while i < bytes.len() && bytes[i].is_ascii_digit() {
            i += 1;
        }
    }
    i
}

fn hex_float(body: &str) -> Option<f64> {
    let (mantissa, exponent) = body[2..].split_once('p').unwrap_or((&body[2..], "0"));
    let mut value = 0.0f64;
    let mut scale = 0i32;
    let mut after = false;
    for c in mantissa.chars() {
        match c.to_digit(16) {
            Some(d) => {
                value = value * 16.0 + f64::from(d);
                scale -= if after { 4 } else { 0 };
            }
            None => after = true,
        }
    }
    let exponent: i32 = exponent.parse().ok()?;
    Some(value * 2f64.powi(exponent.saturating_add(scale)))
}

/// Width of the elements of a string or character constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// No prefix, or `u8`.
    Char,
    /// `u`
    Char16,
    /// `U`
    Char32,
    /// `L`
    Wide,
}

/// The value of a character constant, as an int. Several characters are packed as gcc packs them.
pub(crate) fn character(text: &str, char_signed: bool) -> Option<(i128, Width)> {
    let (width, rest) = prefix(text);
    let inner = rest.strip_prefix('\'')?.strip_suffix('\'')?;
    let mut units = Vec::new();
    decode(inner, width, &mut |unit| units.push(unit));
    let value = match (width, &units[..]) {
        (_, []) => return None,
        (Width::Char, [one]) if char_signed => i128::from(*one as u8 as i8),
        (Width::Char, many) => i128::from(many.iter().fold(0u32, |v, &u| (v << 8) | (u & 0xff)) as i32),
        (Width::Wide, many) => i128::from(many[many.len() - 1] as i32),
        (_, many) => i128::from(many[many.len() - 1]),
    };
    Some((value, width))
}

/// Length of adjacent string literals in elements, without the final zero, and their width. Between the
/// literals there may be line markers and pragmas, whose quotes do not count.
pub(crate) fn string(text: &str) -> (u64, Width) {
    let literals = pieces(text);
    let mut widths = literals.iter().map(|literal| prefix(literal).0);
    let width = widths.rfind(|&width| width != Width::Char).unwrap_or(Width::Char);
    // Then the bytes of the text are the elements.
    let plain = width == Width::Char && !text.contains('\\') && !base::text::has_bytes(text);
    let mut length = 0;
    for literal in literals {
        let (own, rest) = prefix(literal);
        let of = if own == Width::Char { width } else { own };
        match plain {
            true => length += contents(rest).len() as u64,
            false => decode(contents(rest), of, &mut |_| length += 1),
        }
    }
    (length, width)
}

fn contents(quoted: &str) -> &str {
    quoted.strip_prefix('"').and_then(|s| s.strip_suffix('"')).unwrap_or("")
}

/// The literals of a sequence.
fn pieces(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut i, mut start) = (0, None);
    while i < bytes.len() {
        match bytes[i] {
            b'#' => {
                while i < bytes.len() && bytes[i] != b'\n' {
                    i += 1;
                }
            }
            b'"' => {
                let from = start.take().unwrap_or(i);
                i += 1;
                while i < bytes.len() && bytes[i] != b'"' {
                    i += if bytes[i] == b'\\' { 2 } else { 1 };
                }
                i = (i + 1).min(bytes.len());
                found.extend(text.get(from..i));
            }
            b if b.is_ascii_alphanumeric() => {
                start.get_or_insert(i);
                i += 1;
            }
            _ => {
                start = None;
                i += 1;
            }
        }
    }
    found
}

fn prefix(text: &str) -> (Width, &str) {
    for (p, w) in [("u8", Width::Char), ("u", Width::Char16), ("U", Width::Char32), ("L", Width::Wide)] {
        if let Some(rest) = text.strip_prefix(p) {
            return (w, rest);
        }
    }
    (Width::Char, text)
}

/// Calls `unit` for the elements that the inside of a literal stands for.
fn decode(inner: &str, width: Width, unit: &mut dyn FnMut(u32)) {
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            match base::text::byte(c) {
                Some(byte) => unit(u32::from(byte)),
                None => encode(c as u32, width, unit),
            }
            continue;
        }
        match chars.next() {
            Some('n') => unit(10),
            Some('t') => unit(9),
            Some('r') => unit(13),
            Some('a') => unit(7),
            Some('b') => unit(8),
            Some('f') => unit(12),
            Some('v') => unit(11),
            Some('e' | 'E') => unit(27),
            Some('x') => {
                let mut value = 0u32;
                while let Some(d) = chars.peek().and_then(|c| c.to_digit(16)) {
                    value = (value << 4) | d;
                    chars.next();
                }
                unit(value);
            }
            Some(u @ ('u' | 'U')) => {
                let mut value = 0u32;
                for _ in 0..if u == 'u' { 4 } else { 8 } {
                    let Some(d) = chars.peek().and_then(|c| c.to_digit(16)) else { break };
                    value = (value << 4) | d;
                    chars.next();
                }
                encode(value, width, unit);
            }
            Some(d @ '0'..='7') => {
                let mut value = d as u32 - '0' as u32;
                for _ in 0..2 {
                    let Some(d) = chars.peek().and_then(|c| c.to_digit(8)) else { break };
                    value = value * 8 + d;
                    chars.next();
                }
                unit(value);
            }
            Some('\n') => {}
            Some(other) => encode(other as u32, width, unit),
            None => {}
        }
    }
}

/// A code point in the elements of a width: UTF-8, UTF-16 or itself.
fn encode(point: u32, width: Width, unit: &mut dyn FnMut(u32)) {
    let c = char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER);
    match width {
        Width::Char => c.encode_utf8(&mut [0; 4]).bytes().for_each(|b| unit(u32::from(b))),
        Width::Char16 => c.encode_utf16(&mut [0; 2]).iter().for_each(|&u| unit(u32::from(u))),
        Width::Char32 | Width::Wide => unit(point),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_have_the_first_type_that_holds_them() {
        let int = |t| number(t).unwrap();
        assert_eq!(int("0"), Number::Int(0, IntKind::Int));
        assert_eq!(int("2147483648"), Number::Int(1 << 31, IntKind::Long));
        assert_eq!(int("0xffffffff"), Number::Int(0xffff_ffff, IntKind::UInt));
        assert_eq!(int("0xffffffffffffffffULL"), Number::Int(u64::MAX.into(), IntKind::ULongLong));
        assert_eq!(int("0b101"), Number::Int(5, IntKind::Int));
        assert_eq!(int("017"), Number::Int(15, IntKind::Int));
        assert_eq!(int("10LL"), Number::Int(10, IntKind::LongLong));
        assert_eq!(int("1i"), Number::ImaginaryInt(IntKind::Int));
        assert_eq!(number("12abc"), None);
    }

    #[test]
    fn floats() {
        assert_eq!(number("1.5"), Some(Number::Float(1.5, FloatKind::Double)));
        assert_eq!(number("1e3f"), Some(Number::Float(1000.0, FloatKind::Float)));
        assert_eq!(number("0x1.8p1"), Some(Number::Float(3.0, FloatKind::Double)));
        assert_eq!(number("09.5L"), Some(Number::Float(9.5, FloatKind::LongDouble)));
        assert_eq!(number("2.0i"), Some(Number::Imaginary(FloatKind::Double)));
    }

    #[test]
    fn characters_and_strings() {
        assert_eq!(character("'a'", true), Some((97, Width::Char)));
        assert_eq!(character("'\\xff'", true), Some((-1, Width::Char)));
        assert_eq!(character("'\\xff'", false), Some((255, Width::Char)));
        assert_eq!(character("'ab'", true), Some((0x6162, Width::Char)));
        assert_eq!(character("L'\\0'", true), Some((0, Width::Wide)));
        assert_eq!(string("\"abc\"").0, 3);
        assert_eq!(string("\"a\\n\\101\\x41\""), (4, Width::Char));
        assert_eq!(string("\"ab\"\n# 3 \"file.c\"\n\"cd\"").0, 4);
        assert_eq!(string("L\"é\""), (1, Width::Wide));
        assert_eq!(string("\"é\""), (2, Width::Char));
        let latin_1 = base::text::decode(b"\"a\xe9\"".to_vec());
        assert_eq!(string(&latin_1), (2, Width::Char), "a byte that is not UTF-8 is one");
    }
}
