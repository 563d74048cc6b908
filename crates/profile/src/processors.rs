//! Sums over the processors of the threaded abstract machine.

use std::collections::HashMap;

use crate::part::{Left, Part};
use crate::record::{Codeblock, Counter, Machine};

/// Returns the sums over all parts, or `None` if the program is not in Id90.
pub fn machine(parts: &[Part]) -> Option<Machine> {
    let mut machine = Machine::default();
    let mut number: HashMap<String, usize> = HashMap::new();
    let mut blocks: HashMap<(String, String, u32), Codeblock> = HashMap::new();
    let lefts: Vec<(u32, &Left)> =
        parts.iter().filter_map(|part| Some((part.thread, part.tam.as_ref()?))).collect();
    for (p, (thread, left)) in lefts.iter().enumerate() {
        machine.processors.push(*thread);
        machine.quanta_shown += left.quanta.len() as u64;
        for (name, value) in &left.counters {
            let n = *number.entry(name.clone()).or_insert_with(|| {
                machine.counters.push(Counter { name: name.clone(), of: vec![0; lefts.len()] });
                machine.counters.len() - 1
            });
            machine.counters[n].of[p] += value;
        }
        for block in left.codeblocks.iter().filter(|block| block.activations + block.quanta > 0) {
            let key = (block.name.clone(), block.file.clone(), block.line);
            let sum = blocks.entry(key).or_insert_with(|| Codeblock {
                name: block.name.clone(),
                file: block.file.clone(),
                line: block.line,
                ..Codeblock::default()
            });
            sum.activations += block.activations;
            sum.quanta += block.quanta;
            sum.ns += block.ns;
            sum.threads += block.threads;
        }
    }
    machine.codeblocks = blocks.into_values().collect();
    machine.codeblocks.sort_by(|a, b| b.ns.cmp(&a.ns).then_with(|| a.place().cmp(&b.place())));
    (!lefts.is_empty()).then_some(machine)
}
