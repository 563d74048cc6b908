//! The form of numbers and sizes: with three digits, and in bytes, KB or MB.

/// Writes a number with three digits.
pub fn number(x: f64) -> String {
    match x {
        x if x < 9.995 => format!("{x:.2}"),
        x if x < 99.95 => format!("{x:.1}"),
        x => format!("{x:.0}"),
    }
}

/// Writes a number with three digits, without zeros at its end.
pub fn short(x: f64) -> String {
    let text = number(x);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

/// Writes a time: `1.5 ns`, `2 ms`.
pub fn time(ns: f64) -> String {
    match ns {
        ns if ns < 1e3 => format!("{} ns", short(ns)),
        ns if ns < 1e6 => format!("{} µs", short(ns / 1e3)),
        ns => format!("{} ms", short(ns / 1e6)),
    }
}

/// Writes a size: `8 B`, `64 KB`, `8 MB`.
pub fn bytes(n: u64) -> String {
    match n {
        n if n >= 1 << 20 && n % (1 << 20) == 0 => format!("{} MB", n >> 20),
        n if n >= 1 << 10 && n % (1 << 10) == 0 => format!("{} KB", n >> 10),
        n => format!("{n} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        assert_eq!(
            ["0.17", "3.40", "42.1", "1063"].map(String::from),
            [0.17, 3.4, 42.12, 1063.4].map(number)
        );
    }

    #[test]
    fn times_have_their_units() {
        assert_eq!([1234.0, 0.5, 2e6].map(time), ["1.23 µs", "0.5 ns", "2 ms"]);
    }

    #[test]
    fn sizes_are_written_in_their_units() {
        assert_eq!([8, 1024, 65536, 8 << 20, 480].map(bytes), ["8 B", "1 KB", "64 KB", "8 MB", "480 B"]);
    }
}
