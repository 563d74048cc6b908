//! The library, which is in Id and stands before every program.

/// The text of the library.
pub const LIBRARY: &str = include_str!("prelude.id");

/// The function of the library to which a line of its text belongs.
pub fn function_at(line: u32) -> Option<&'static str> {
    let before: Vec<&str> = LIBRARY.lines().take(line as usize).collect();
    let def = before.iter().rev().find_map(|l| l.strip_prefix("def "))?;
    def.split_whitespace().next()
}

#[cfg(test)]
mod tests {
    use super::LIBRARY;

    #[test]
    fn lines_belong_to_the_last_definition() {
        let line = |text: &str| 1 + LIBRARY.lines().position(|l| l.starts_with(text)).unwrap() as u32;
        assert_eq!(super::function_at(line("def hd ")), Some("hd"));
        assert_eq!(super::function_at(line("def append ") + 1), Some("append"), "its second clause");
        assert_eq!(super::function_at(1), None);
    }
}
