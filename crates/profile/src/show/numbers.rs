//! The formats of numbers and times in the terminal and on the page.

/// A number with commas.
pub fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A time in the unit that suits it.
pub fn time(ns: u64) -> String {
    let ns = ns as f64;
    match ns {
        _ if ns < 1e3 => format!("{ns} ns"),
        _ if ns < 1e6 => format!("{:.2} us", ns / 1e3),
        _ if ns < 1e9 => format!("{:.2} ms", ns / 1e6),
        _ => format!("{:.2} s", ns / 1e9),
    }
}
