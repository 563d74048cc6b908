//! `#pragma pack`: the packing of members of structs in each part of the text.

use base::Source;

/// The `#pragma pack`s of a text.
pub(crate) struct Packs {
    /// The packing from each offset on; 0 is none.
    found: Vec<(u32, u64)>,
}

impl Packs {
    /// Reads the pragmas of a text.
    pub fn of(source: &Source) -> Packs {
        let text = &source.text;
        let mut found = Vec::new();
        let mut stack = Vec::new();
        let mut now = 0;
        for (at, _) in text.match_indices("pack") {
            let start = text[..at].rfind('\n').map_or(0, |n| n + 1);
            let words = text[start..at].trim().trim_start_matches('#').trim();
            if words != "pragma" || !text[start..at].trim_start().starts_with('#') {
                continue;
            }
            let line = text[at + 4..].lines().next().unwrap_or("").trim();
            let Some(args) = line.strip_prefix('(').and_then(|l| l.split_once(')')).map(|l| l.0) else {
                continue;
            };
            let args: Vec<&str> = args.split(',').map(str::trim).collect();
            match args[0] {
                "push" => stack.push(now),
                "pop" => now = stack.pop().unwrap_or(0),
                "" => now = 0,
                _ => {}
            }
            if let Some(n) = args.iter().find_map(|a| a.parse().ok()) {
                now = n;
            }
            found.push((at as u32, now));
        }
        Packs { found }
    }

    /// The greatest alignment of members in a struct that ends at this offset, if there is a limit.
    pub fn at(&self, offset: u32) -> Option<u64> {
        let n = self.found.partition_point(|&(at, _)| at <= offset);
        self.found[..n].last().map(|&(_, pack)| pack).filter(|&p| p > 0)
    }
}
