//! The layout of a directed graph in layers, by the method of Sugiyama, Tagawa and Toda ("Methods for visual
//! understanding of hierarchical system structures", 1981).
//!
//! No library fits. `layout-rs` 0.1.3 draws whole pictures, but needs more than ten minutes for a graph of
//! 700 nodes (its issue 3), and functions of Id programs have thousands. `rust-sugiyama` 0.4 computes only
//! positions, as this file does, and needs a graph library. `dot` of Graphviz would have to be installed, and
//! is slow with such graphs too.
//!
//! All steps take O(n) or O(n log n) time in the size n of the graph:
//! 1. Arcs that close a cycle of a depth-first search are reversed.
//! 2. A node's layer is the length of the longest path to it. Nodes without incoming arcs stand just above
//!    the first of their successors.
//! 3. An arc over several layers gets a point in each layer between. An arc over more than [`LONG`] layers
//!    gets none, and is drawn as two ends. So there are at most [`LONG`] points for each arc.
//! 4. Sweeps down and up sort each layer by the mean position of the neighbours in the layer before. The
//!    order with the fewest crossings is used.
//! 5. Sweeps move each node towards the mean of its neighbours, as far as the nodes beside it allow. The
//!    nodes of a layer are pushed apart once to the right and once to the left; both keep the distances, and
//!    so does their mean.

/// The most layers that an arc may cross.
pub const LONG: usize = 8;
const ORDER_SWEEPS: usize = 8;
const PLACE_SWEEPS: usize = 8;
/// The gap between nodes of a layer.
const GAP: f64 = 16.0;

/// A node of the graph, or a point of an arc.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spot {
    pub layer: usize,
    /// The position of the middle.
    pub x: f64,
    pub width: f64,
}

/// A graph with positions.
#[derive(Debug, Default)]
pub struct Layout {
    /// The nodes, and then the points of arcs.
    pub spots: Vec<Spot>,
    /// The spots on the route of each arc, from its source on; none for a long arc.
    pub routes: Vec<Option<Vec<usize>>>,
    pub layers: usize,
    pub width: f64,
}

/// Lays out a graph of nodes with these widths.
pub fn layout(widths: &[f64], arcs: &[(usize, usize)]) -> Layout {
    let forward = without_cycles(widths.len(), arcs);
    let layer = layers(widths.len(), &forward);
    let mut l = Layout { layers: layer.iter().max().map_or(0, |m| m + 1), ..Layout::default() };
    l.spots = widths.iter().zip(&layer).map(|(&width, &layer)| Spot { layer, x: 0.0, width }).collect();
    let mut links: Vec<(usize, usize)> = Vec::new();
    for (&(from, to), &(above, below)) in arcs.iter().zip(&forward) {
        if layer[below] - layer[above] > LONG || from == to {
            l.routes.push(None);
            continue;
        }
        let mut route = vec![above];
        for layer in layer[above] + 1..layer[below] {
            route.push(l.spots.len());
            l.spots.push(Spot { layer, x: 0.0, width: 2.0 });
        }
        route.push(below);
        links.extend(route.windows(2).map(|w| (w[0], w[1])));
        if above != from {
            route.reverse();
        }
        l.routes.push(Some(route));
    }
    let order = order(&l, &links);
    place(&mut l, &links, &order);
    l
}

/// The arcs, of which those that close a cycle are reversed.
fn without_cycles(nodes: usize, arcs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let out = neighbours(nodes, arcs.iter().copied());
    let (mut begun, mut number, mut count) = (vec![false; nodes], vec![0; nodes], nodes);
    for root in 0..nodes {
        let mut stack = vec![(root, 0)];
        while let Some((node, at)) = stack.pop() {
            if at == 0 && std::mem::replace(&mut begun[node], true) {
                continue;
            }
            match out[node].get(at) {
                Some(&next) => {
                    stack.push((node, at + 1));
                    if !begun[next] {
                        stack.push((next, 0));
                    }
                }
                // Nodes are numbered down as the search leaves them: an arc to a smaller number closes a
                // cycle.
                None => {
                    count -= 1;
                    number[node] = count;
                }
            }
        }
    }
    arcs.iter().map(|&(a, b)| if number[b] < number[a] { (b, a) } else { (a, b) }).collect()
}

fn neighbours(nodes: usize, arcs: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new(); nodes];
    for (from, to) in arcs {
        all[from].push(to);
    }
    all
}

/// The length of the longest path to each node. The arcs have no cycles except those of a node to itself.
fn layers(nodes: usize, arcs: &[(usize, usize)]) -> Vec<usize> {
    let arcs = || arcs.iter().copied().filter(|(a, b)| a != b);
    let out = neighbours(nodes, arcs());
    let mut open = vec![0_usize; nodes];
    arcs().for_each(|(_, to)| open[to] += 1);
    let sources: Vec<usize> = (0..nodes).filter(|n| open[*n] == 0).collect();
    let (mut layer, mut ready) = (vec![0; nodes], sources.clone());
    while let Some(node) = ready.pop() {
        for &next in &out[node] {
            layer[next] = layer[next].max(layer[node] + 1);
            open[next] -= 1;
            if open[next] == 0 {
                ready.push(next);
            }
        }
    }
    for node in sources {
        layer[node] = out[node].iter().map(|next| layer[*next] - 1).min().unwrap_or(0);
    }
    layer
}

/// The spots of each layer from left to right.
fn order(l: &Layout, links: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let below = neighbours(l.spots.len(), links.iter().copied());
    let above = neighbours(l.spots.len(), links.iter().map(|&(a, b)| (b, a)));
    let mut rows = vec![Vec::new(); l.layers];
    l.spots.iter().enumerate().for_each(|(n, spot)| rows[spot.layer].push(n));
    let mut at = vec![0; l.spots.len()];
    number(&rows, &mut at);
    let mut best = (crossings(&rows, &below, &at), rows.clone());
    for sweep in 0..ORDER_SWEEPS {
        let down = sweep % 2 == 0;
        for n in 0..l.layers {
            let row = &mut rows[if down { n } else { l.layers - 1 - n }];
            let key = |spot: usize| {
                let near = if down { &above[spot] } else { &below[spot] };
                let sum: usize = near.iter().map(|other| at[*other]).sum();
                if near.is_empty() { at[spot] as f64 } else { sum as f64 / near.len() as f64 }
            };
            let mut keyed: Vec<(f64, usize)> = row.iter().map(|spot| (key(*spot), *spot)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            *row = keyed.into_iter().map(|(_, spot)| spot).collect();
            row.iter().enumerate().for_each(|(n, spot)| at[*spot] = n);
        }
        let count = crossings(&rows, &below, &at);
        if count < best.0 {
            best = (count, rows.clone());
        }
    }
    best.1
}

fn number(rows: &[Vec<usize>], at: &mut [usize]) {
    for row in rows {
        row.iter().enumerate().for_each(|(n, spot)| at[*spot] = n);
    }
}

/// The number of crossings: for each pair of layers the inversions among the lower ends of links, by a tree
/// of sums (Barth, Jünger and Mutzel, 2002).
fn crossings(rows: &[Vec<usize>], below: &[Vec<usize>], at: &[usize]) -> u64 {
    let mut all = 0;
    for pair in rows.windows(2) {
        let mut tree = vec![0_u64; pair[1].len() + 1];
        let mut seen = 0;
        for spot in &pair[0] {
            let mut ends: Vec<usize> = below[*spot].iter().map(|other| at[*other]).collect();
            ends.sort_unstable();
            for &end in &ends {
                let (mut n, mut not_right) = (end + 1, 0);
                while n > 0 {
                    not_right += tree[n];
                    n &= n - 1;
                }
                all += seen - not_right;
            }
            for end in ends {
                seen += 1;
                let mut n = end + 1;
                while n < tree.len() {
                    tree[n] += 1;
                    n += n & n.wrapping_neg();
                }
            }
        }
    }
    all
}

/// Computes the position of each spot.
fn place(l: &mut Layout, links: &[(usize, usize)], rows: &[Vec<usize>]) {
    let mut near = vec![[Vec::new(), Vec::new()]; l.spots.len()];
    for &(a, b) in links {
        near[a][1].push(b);
        near[b][0].push(a);
    }
    for row in rows {
        let mut x = 0.0;
        for spot in row {
            let width = l.spots[*spot].width;
            l.spots[*spot].x = x + width / 2.0;
            x += width + GAP;
        }
    }
    for sweep in 0..PLACE_SWEEPS {
        let side = sweep % 2;
        for n in 0..rows.len() {
            let row = &rows[if side == 0 { n } else { rows.len() - 1 - n }];
            let wanted = |spot: usize| {
                let near = &near[spot][side];
                let sum: f64 = near.iter().map(|other| l.spots[*other].x).sum();
                if near.is_empty() { l.spots[spot].x } else { sum / near.len() as f64 }
            };
            let wanted: Vec<f64> = row.iter().map(|spot| wanted(*spot)).collect();
            let widths: Vec<f64> = row.iter().map(|spot| l.spots[*spot].width).collect();
            for (spot, x) in row.iter().zip(apart(&wanted, &widths)) {
                l.spots[*spot].x = x;
            }
        }
    }
    let left = l.spots.iter().map(|s| s.x - s.width / 2.0).fold(f64::INFINITY, f64::min);
    let right = l.spots.iter().map(|s| s.x + s.width / 2.0).fold(f64::NEG_INFINITY, f64::max);
    l.spots.iter_mut().for_each(|spot| spot.x -= left);
    l.width = if l.spots.is_empty() { 0.0 } else { right - left };
}

/// Returns positions near the wanted ones, so far apart that no spots overlap.
fn apart(wanted: &[f64], widths: &[f64]) -> Vec<f64> {
    let distance = |n: usize| (widths[n - 1] + widths[n]) / 2.0 + GAP;
    let (mut right, mut left) = (wanted.to_vec(), wanted.to_vec());
    for n in 1..wanted.len() {
        right[n] = right[n].max(right[n - 1] + distance(n));
    }
    for n in (1..wanted.len()).rev() {
        left[n - 1] = left[n - 1].min(left[n] - distance(n));
    }
    right.iter().zip(&left).map(|(r, l)| (r + l) / 2.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that no two spots of a layer overlap, and that routes go from source to target layer by layer.
    fn check(widths: &[f64], arcs: &[(usize, usize)]) -> Layout {
        let l = layout(widths, arcs);
        let mut rows = vec![Vec::new(); l.layers];
        l.spots.iter().for_each(|spot| rows[spot.layer].push(*spot));
        for row in &mut rows {
            row.sort_by(|a, b| a.x.total_cmp(&b.x));
            for w in row.windows(2) {
                assert!(w[1].x - w[0].x >= (w[0].width + w[1].width) / 2.0 - 1e-6, "{w:?}");
            }
            assert!(row.iter().all(|s| s.x - s.width / 2.0 > -1e-6 && s.x + s.width / 2.0 < l.width + 1e-6));
        }
        assert_eq!(l.routes.len(), arcs.len());
        for (route, &(from, to)) in l.routes.iter().zip(arcs) {
            let Some(route) = route else { continue };
            assert_eq!((route[0], *route.last().unwrap()), (from, to));
            assert!(route.windows(2).all(|w| l.spots[w[0]].layer.abs_diff(l.spots[w[1]].layer) == 1));
        }
        l
    }

    #[test]
    fn small_graphs_stand_in_layers() {
        assert_eq!(check(&[], &[]).layers, 0);
        let l = check(&[10.0, 20.0, 30.0, 5.0], &[(0, 1), (1, 2), (0, 2), (3, 2), (2, 2)]);
        assert_eq!(l.spots[..4].iter().map(|s| s.layer).collect::<Vec<_>>(), [0, 1, 2, 1]);
        assert_eq!(l.routes[2].as_ref().unwrap().len(), 3);
        assert!(l.routes[4].is_none(), "an arc of a node to itself has no way");
        // Two arcs that need not cross do not.
        let l = check(&[10.0; 4], &[(0, 3), (1, 2)]);
        assert_eq!(l.spots[0].x < l.spots[1].x, l.spots[3].x < l.spots[2].x);
        // A cycle; and an arc that is too long.
        assert_eq!(check(&[9.0; 3], &[(0, 1), (1, 2), (2, 0)]).layers, 3);
        let mut chain: Vec<(usize, usize)> = (0..20).map(|n| (n, n + 1)).collect();
        chain.push((0, 20));
        assert!(check(&[9.0; 21], &chain).routes[20].is_none());
    }

    #[test]
    fn random_graphs_with_cycles_stand_in_layers() {
        let mut seed = 12345_u64;
        let mut random = move |n: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % n
        };
        for _ in 0..200 {
            let nodes = 1 + random(30);
            let arcs: Vec<(usize, usize)> = (0..random(60)).map(|_| (random(nodes), random(nodes))).collect();
            let widths: Vec<f64> = (0..nodes).map(|_| 1.0 + random(200) as f64).collect();
            check(&widths, &arcs);
        }
    }

    #[test]
    fn a_deep_and_a_wide_graph_are_laid_out() {
        let deep: Vec<(usize, usize)> = (1..50_000).map(|n| (n - 1, n)).collect();
        check(&vec![40.0; 50_000], &deep);
        let wide: Vec<(usize, usize)> = (1..20_000).map(|n| (n / 100, n)).filter(|(a, b)| a != b).collect();
        check(&vec![40.0; 20_000], &wide);
    }
}
