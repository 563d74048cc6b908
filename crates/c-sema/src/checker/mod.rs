//! The state of the walk over the tree.
//!
//! One [`Checker`] walks one translation unit. Its methods are spread over the modules by their subjects. It
//! owns the [`Context`], the [`Names`], and the function around the present point.

mod packs;

use crate::context::{Context, Env};
use crate::function::Function;
use crate::names::{Bound, Names};
use crate::types::RecordId;
use base::{Code, Source, Span};
use c_syntax::ast::{DeclaratorId, ExprId, StmtId, Unit};
use packs::Packs;
use rustc_hash::{FxHashMap, FxHashSet};

/// Deepest nesting of expressions and statements that is checked.
pub(crate) const MAX_DEPTH: u32 = 20_000;

/// The walk over one translation unit.
pub(crate) struct Checker<'a> {
    pub cx: Context<'a>,
    /// Nesting of expressions and statements at this point.
    pub depth: u32,
    too_deep: bool,
    pub names: Names<'a>,
    pub function: Option<Box<Function<'a>>>,
    /// Bindings of the parameter lists of function declarators that a body may follow.
    pub kept: FxHashMap<DeclaratorId, Vec<Bound<'a>>>,
    /// How structs are packed.
    pub packs: Packs,
    /// The statement that gives the value of the statement expression around this point.
    pub value_stmt: Option<StmtId>,
    /// A shared object is being initialised, whose initialiser is dealt out over the threads.
    pub deals: bool,
    /// The operand of the `&` that is being checked.
    pub addressed: Option<ExprId>,
    /// Members that records do not have, and incomplete records (without a member's name), which have been
    /// reported.
    pub no_members: FxHashSet<(RecordId, Box<str>)>,
}

impl<'a> Checker<'a> {
    /// The state before the first declaration.
    pub fn new(unit: &'a Unit, source: &'a Source, env: Env) -> Checker<'a> {
        Checker {
            cx: Context::new(unit, source, env),
            depth: 0,
            too_deep: false,
            names: Names::default(),
            function: None,
            kept: FxHashMap::default(),
            packs: Packs::of(source),
            value_stmt: None,
            addressed: None,
            deals: false,
            no_members: FxHashSet::default(),
        }
    }

    /// Enters one level of nesting. Returns false if it is too deep: then nothing below is checked.
    pub fn descend(&mut self, span: Span) -> bool {
        if self.depth >= MAX_DEPTH {
            if !self.too_deep {
                self.too_deep = true;
                self.cx.error(
                    Code::TooDeep,
                    span,
                    format!("nested over {MAX_DEPTH} levels deep"),
                    "nesting reaches the limit here",
                );
            }
            return false;
        }
        self.depth += 1;
        true
    }
}
