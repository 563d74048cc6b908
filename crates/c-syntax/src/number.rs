//! Whether a preprocessing number is a number: C17 6.4.4 with GNU's binary, imaginary, extended floating and
//! decimal forms, and C2x's digit separators and `wb`.

/// Why a token is no number.
pub(crate) struct Why {
    /// The label under the token.
    pub what: String,
    pub help: Option<&'static str>,
}

fn why(what: impl Into<String>) -> Result<(), Why> {
    Err(Why { what: what.into(), help: None })
}

/// Checks the spelling of one number.
pub(crate) fn check(text: &str) -> Result<(), Why> {
    let plain: String = text.chars().filter(|&c| c != '\'').collect();
    let lower = plain.to_ascii_lowercase();
    if let Some(digits) = lower.strip_prefix("0x") {
        return check_digits(digits, 16);
    }
    if let Some(digits) = lower.strip_prefix("0b") {
        let len = digits.len() - digits.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        return match digits[..len].find(|c| c > '1') {
            _ if len == 0 => why("no digits after `0b`"),
            Some(_) => why("a binary number has only the digits 0 and 1"),
            None => check_integer_suffix(&digits[len..]),
        };
    }
    check_digits(&lower, 10)
}

fn take_digits(text: &str, radix: u32) -> (&str, &str) {
    let len = text.find(|c: char| !c.is_digit(radix)).unwrap_or(text.len());
    text.split_at(len)
}

/// Digits, fraction, exponent and suffix, in lower case and without the `0x`.
fn check_digits(text: &str, radix: u32) -> Result<(), Why> {
    let (whole, rest) = take_digits(text, radix);
    let mark = if radix == 16 { 'p' } else { 'e' };
    let (fraction, after) = match rest.strip_prefix('.') {
        Some(after) => take_digits(after, radix),
        None => ("", rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return why("no digits");
    }
    let dotted = rest.starts_with('.');
    if let Some(exponent) = after.strip_prefix(mark) {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let (digits, suffix) = take_digits(digits, 10);
        return if digits.is_empty() {
            why("the exponent has no digits")
        } else {
            check_float_suffix(suffix)
        };
    }
    if dotted && radix == 16 {
        return Err(Why {
            what: "a hexadecimal floating constant without exponent".into(),
            help: Some("write the exponent, as in `0x1.8p0`"),
        });
    }
    if dotted {
        return check_float_suffix(after);
    }
    let octal = radix == 10 && whole.len() > 1 && whole.starts_with('0');
    if let Some(bad) = whole.find(['8', '9']).filter(|_| octal) {
        return why(format!("digit {} in an octal number", &whole[bad..=bad]));
    }
    check_integer_suffix(after)
}

fn check_integer_suffix(suffix: &str) -> Result<(), Why> {
    let stripped = suffix.trim_end_matches(['i', 'j']);
    let known = ["", "u", "l", "ul", "lu", "ll", "ull", "llu", "wb", "uwb", "wbu", "z", "uz", "zu"];
    if suffix.len() - stripped.len() <= 1 && known.contains(&stripped) {
        return Ok(());
    }
    let middle = suffix.replacen(['i', 'j'], "", 1);
    if known.contains(&middle.as_str()) {
        return Ok(());
    }
    why(format!("`{suffix}` is not a suffix of an integer"))
}

fn check_float_suffix(suffix: &str) -> Result<(), Why> {
    let plain = suffix.replacen(['i', 'j'], "", 1);
    let known = [
        "", "f", "l", "q", "w", "df", "dd", "dl", "d", "f16", "f32", "f64", "f128", "f32x", "f64x", "f128x",
        "bf16",
    ];
    if known.contains(&plain.as_str()) {
        Ok(())
    } else {
        why(format!("`{suffix}` is not a suffix of a floating constant"))
    }
}
