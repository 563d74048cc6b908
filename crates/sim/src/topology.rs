//! Topologies: the distances between processors.
//!
//! The distance is the number of switches that a message passes, at least 1. The model has no contention: two
//! messages over one link do not delay each other. LogGP's gaps at both ends stand for the limits of
//! bandwidth.

use anyhow::{Result, bail, ensure};

/// A topology, made for a number of processors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Topology {
    /// Every processor is one switch from every other.
    Crossbar,
    /// A grid; processors that differ by one in one coordinate are one switch apart.
    Grid {
        /// Processors along each axis; 1 for a missing axis.
        sizes: [u32; 3],
        /// A torus: the ends of each axis are connected.
        torus: bool,
    },
    /// A tree of switches with this many children each, as wide above as below.
    FatTree(u32),
}

impl Topology {
    /// Returns the topology that `text` names, for `processors` processors: `crossbar`, `mesh2`, `mesh3`,
    /// `torus2`, `torus3` (with computed sizes, or given ones as in `torus3:8x8x4`), `fat-tree` or
    /// `fat-tree:16`.
    ///
    /// # Errors
    /// If there is no such topology, or it is too small.
    pub fn parse(text: &str, processors: u32) -> Result<Topology> {
        let (name, sizes) = text.split_once(':').map_or((text, None), |(name, sizes)| (name, Some(sizes)));
        let topology = match (name, sizes) {
            ("crossbar", None) => Topology::Crossbar,
            ("fat-tree", sizes) => {
                let children = sizes.unwrap_or("16").parse().unwrap_or(0);
                ensure!(
                    (2..=1 << 16).contains(&children),
                    "a switch of a fat tree has 2 to 65536 children: {text}"
                );
                Topology::FatTree(children)
            }
            ("mesh2", sizes) => grid_of(2, false, sizes, processors, text)?,
            ("mesh3", sizes) => grid_of(3, false, sizes, processors, text)?,
            ("torus2", sizes) => grid_of(2, true, sizes, processors, text)?,
            ("torus3", sizes) => grid_of(3, true, sizes, processors, text)?,
            _ => bail!(
                "there is no topology `{text}`; use crossbar, mesh2, mesh3, torus2, torus3 (torus3:8x8x4) \
                 or fat-tree (fat-tree:16)"
            ),
        };
        Ok(topology)
    }

    /// The switches between two processors, at least 1, at most 2^26.
    pub fn switches(&self, from: u32, to: u32) -> u32 {
        match self {
            Topology::Crossbar => 1,
            Topology::Grid { sizes, torus } => {
                let (a, b) = (place(from, sizes), place(to, sizes));
                let along = |axis: usize| {
                    let apart = a[axis].abs_diff(b[axis]);
                    if *torus { apart.min(sizes[axis] - apart) } else { apart }
                };
                (along(0) + along(1) + along(2)).max(1)
            }
            Topology::FatTree(children) => {
                let (mut a, mut b, mut levels) = (from / children, to / children, 1);
                while a != b {
                    (a, b, levels) = (a / children, b / children, levels + 1);
                }
                2 * levels - 1
            }
        }
    }
}

fn grid_of(axes: usize, torus: bool, given: Option<&str>, processors: u32, text: &str) -> Result<Topology> {
    let sizes = match given {
        None => grid(processors, axes),
        Some(given) => {
            let numbers: Vec<u32> = given.split('x').map_while(|n| n.parse().ok()).collect();
            let right = numbers.len() == axes && given.split('x').count() == axes && !numbers.contains(&0);
            ensure!(
                right,
                "{text} needs {axes} sizes, as in {}",
                ["", "", "mesh2:8x4", "torus3:8x8x4"][axes]
            );
            [numbers[0], numbers[1], numbers.get(2).copied().unwrap_or(1)]
        }
    };
    let places = sizes.iter().map(|n| u128::from(*n)).product::<u128>();
    ensure!(
        places >= u128::from(processors),
        "{text} has {places} places, but there are {processors} processors"
    );
    ensure!(sizes.iter().all(|n| *n <= 1 << 24), "{text}: an axis has at most 2^24 places");
    Ok(Topology::Grid { sizes, torus })
}

/// The coordinates of a place in a grid, the first axis fastest.
pub fn place(i: u32, sizes: &[u32; 3]) -> [u32; 3] {
    let (row, x) = (i / sizes[0], i % sizes[0]);
    [x, row % sizes[1], row / sizes[1]]
}

/// The number of the place with these coordinates.
pub fn number(at: [u32; 3], sizes: &[u32; 3]) -> u32 {
    (at[2] * sizes[1] + at[1]) * sizes[0] + at[0]
}

/// The grid of `axes` axes with exactly `n` places whose sizes differ least, the greatest first. For a
/// prime it is a line.
pub fn grid(n: u32, axes: usize) -> [u32; 3] {
    // The greatest divisor of n that is no greater than its root.
    let below_root = |n: u32, root: f64| (1..=root as u32).rev().find(|d| n.is_multiple_of(*d)).unwrap_or(1);
    let mut best = [n, 1, 1];
    if axes == 2 {
        let d = below_root(n, f64::from(n).sqrt() + 1e-9);
        best = [n / d, d, 1];
    } else if axes == 3 {
        for least in (1..=(f64::from(n).cbrt() + 1e-9) as u32).filter(|d| n.is_multiple_of(*d)) {
            let rest = n / least;
            let d = below_root(rest, f64::from(rest).sqrt() + 1e-9);
            if d >= least && rest / d < best[0] || best[2] == 1 && rest / d <= best[0] {
                best = [rest / d, d, least];
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_as_even_as_they_can_be() {
        assert_eq!(grid(12, 1), [12, 1, 1]);
        assert_eq!(grid(12, 2), [4, 3, 1]);
        assert_eq!(grid(64, 3), [4, 4, 4]);
        assert_eq!(grid(24, 3), [4, 3, 2]);
        assert_eq!(grid(1_000_000, 3), [100, 100, 100]);
        assert_eq!(grid(1 << 24, 2), [4096, 4096, 1]);
        assert_eq!(grid(7, 3), [7, 1, 1]);
        assert_eq!(grid(1, 3), [1, 1, 1]);
        for n in 1..2000 {
            for axes in 1..=3 {
                assert_eq!(grid(n, axes).iter().product::<u32>(), n);
            }
        }
    }

    #[test]
    fn distances() {
        let at = |text: &str, a, b| Topology::parse(text, 64).unwrap().switches(a, b);
        assert_eq!(at("crossbar", 0, 63), 1);
        assert_eq!(at("mesh2", 0, 63), 14);
        assert_eq!(at("torus2", 0, 63), 2);
        assert_eq!(at("torus3", 0, 63), 3);
        assert_eq!(at("torus3", 0, 2 + 4 * 2 + 16 * 2), 6);
        assert_eq!(at("mesh3", 5, 5), 1);
        assert_eq!(at("fat-tree:4", 0, 3), 1);
        assert_eq!(at("fat-tree:4", 0, 4), 3);
        assert_eq!(at("fat-tree:4", 0, 63), 5);
    }

    #[test]
    fn distances_are_symmetric() {
        for text in ["mesh2", "torus2", "mesh3", "torus3:5x5x4", "fat-tree:3"] {
            let topology = Topology::parse(text, 60).unwrap();
            for (a, b) in (0..60).flat_map(|a| (0..60).map(move |b| (a, b))) {
                assert_eq!(topology.switches(a, b), topology.switches(b, a), "{text} {a} {b}");
            }
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for (text, says) in [
            ("ring", "no topology `ring`"),
            ("torus2:4", "needs 2 sizes"),
            ("torus3:4x4x", "needs 3 sizes"),
            ("mesh2:0x64", "needs 2 sizes"),
            ("mesh2:4x4", "has 16 places, but there are 64"),
            ("fat-tree:1", "2 to 65536 children"),
            ("crossbar:4", "no topology"),
        ] {
            let wrong = Topology::parse(text, 64).unwrap_err().to_string();
            assert!(wrong.contains(says), "{text}: {wrong}");
        }
    }
}
