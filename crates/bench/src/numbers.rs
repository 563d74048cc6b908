//! The form of numbers and sizes: with three digits, and in bytes, KB or MB.

/// Writes a number with three digits.
pub fn number(x: f64) -> String {
    match x {
        x if x < 9.995 => format!("{x:.2}"),
        x if x < 99.95 => format!("{x:.1}"),
        x => format!("{x:.0}"),
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
    fn sizes_are_written_in_their_units() {
        assert_eq!([8, 1024, 65536, 8 << 20, 480].map(bytes), ["8 B", "1 KB", "64 KB", "8 MB", "480 B"]);
    }
}
