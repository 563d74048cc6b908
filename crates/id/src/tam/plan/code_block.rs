//! A code-block: the threads of a function with a choice of late parameters, and how these call others.

use super::Planner;
use crate::core::language::FuncId;
use crate::stack::with_stack;
use crate::tam::graph::{Act, Graph, NodeId, build};
use crate::tam::threads::{self, Mode, PartId, Threads};
use std::collections::{BTreeSet, HashMap};

/// The plan of a code-block.
pub struct CodeBlock {
    pub number: usize,
    pub func: FuncId,
    /// By parameter: whether it may arrive after the block has begun.
    pub late: Vec<bool>,
    pub graph: Graph,
    pub threads: Threads,
    /// The block rarely runs, because a C function computes as much as possible at once. Its operations are
    /// calls of runtime functions, so that there is little to compile.
    pub fallback: bool,
    /// An activation that has all arguments begins with the C function.
    pub begins_as_function: bool,
    /// The code-blocks of nodes that begin activations or make closures.
    blocks: HashMap<NodeId, usize>,
    /// The nodes that call C functions.
    functions: BTreeSet<NodeId>,
}

impl Planner {
    /// Plans a code-block.
    pub(super) fn code_block(&mut self, number: usize, func: FuncId, late: Vec<bool>) -> CodeBlock {
        let graph = build(&self.program, func, &late, &self.facts.strict, self.mode == Mode::Tam);
        let threads = threads::make(&graph, self.mode);
        let mut made = CodeBlock {
            number,
            func,
            late,
            threads,
            graph,
            fallback: self.facts.is_fallback(func),
            begins_as_function: false,
            blocks: HashMap::new(),
            functions: BTreeSet::new(),
        };
        let io = self.program.funcs[func].io;
        for part in made.threads.threads.clone() {
            self.part(&mut made, part);
            if made.fallback && made.has_self_call(part) {
                self.calls_function(func, io);
            }
        }
        made.begins_as_function = !made.threads.threads.is_empty() && self.calls_function(func, io);
        made
    }

    /// Decides how the nodes of a part call.
    fn part(&mut self, made: &mut CodeBlock, part: PartId) {
        for n in made.threads.parts[part].nodes.clone() {
            self.node(made, n);
            for arm in made.graph.nodes[n].events.clone() {
                if let Some(&branch) = made.threads.branches.get(&arm) {
                    with_stack(|| self.part(made, branch));
                }
            }
        }
    }

    fn node(&mut self, made: &mut CodeBlock, n: NodeId) {
        let block = match &made.graph.nodes[n].act {
            Act::Closure { func, .. } => self.lenient_block(*func),
            Act::Call { func, late, join, .. } => {
                // In a block that rarely runs, the call begins an activation, which begins with the C
                // function.
                let by_block = made.fallback || *join || late.contains(&true);
                let io = self.program.funcs[made.func].io;
                if !by_block && self.calls_function(*func, io) {
                    made.functions.insert(n);
                }
                if made.is_self_call(n) {
                    return;
                }
                self.block_for(*func, late)
            }
            Act::SendArg { func, late, .. } => self.block_for(*func, late),
            _ => return,
        };
        made.blocks.insert(n, block);
    }
}

impl CodeBlock {
    /// The code-block of a call or a closure.
    pub fn block_of(&self, n: NodeId) -> usize {
        self.blocks[&n]
    }

    /// Whether a call first tries the C function.
    pub fn calls_function(&self, n: NodeId) -> bool {
        self.functions.contains(&n)
    }

    /// Whether a call is a tail call of this code-block to itself, with all arguments.
    pub fn is_self_call(&self, n: NodeId) -> bool {
        matches!(&self.graph.nodes[n].act, Act::Call { func, late, tail: true, .. }
            if *func == self.func && *late == self.late && !late.contains(&true))
    }

    /// Whether a part, or an arm within it, calls its own code-block last.
    pub fn has_self_call(&self, part: PartId) -> bool {
        self.inner_parts(part)
            .iter()
            .flat_map(|p| &self.threads.parts[*p].nodes)
            .any(|n| self.is_self_call(*n))
    }

    /// A part and the arms within it.
    pub fn inner_parts(&self, part: PartId) -> Vec<PartId> {
        let mut all = vec![part];
        for &n in &self.threads.parts[part].nodes {
            for arm in &self.graph.nodes[n].events {
                if let Some(&branch) = self.threads.branches.get(arm) {
                    all.extend(with_stack(|| self.inner_parts(branch)));
                }
            }
        }
        all
    }
}
