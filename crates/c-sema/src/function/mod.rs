//! The function around the present point: its labels and jumps, and the constructs that are open.
//!
//! This file has the rules of C for jumps, and those for the objects that a jump must not enter. Those of
//! `upc_forall` are in `forall`.

mod forall;

use crate::context::Context;
use crate::types::QTy;
use base::{Code, Diagnostic, Span};
use c_syntax::ast::Name;
use rustc_hash::FxHashMap;

/// The function whose body is being checked.
pub(crate) struct Function<'a> {
    /// The name.
    name: &'a str,
    /// The result type.
    ret: QTy,
    /// Enclosing loops and switches, innermost last.
    loops: Vec<Loop>,
    /// Labels with the constructs around them.
    labels: FxHashMap<&'a str, (Span, Around)>,
    /// Jumps to labels (true) and labels whose address is taken (false), judged at the end of the function.
    gotos: Vec<(&'a Name, Around, bool)>,
    /// The names of the automatic spread and dist objects that are in scope.
    automatics: Vec<Span>,
    /// The function declares local labels, which may repeat.
    local_labels: bool,
    /// Values of the `case`s of the enclosing switches, innermost last.
    switches: Vec<Switch>,
    /// The number for the next `upc_forall`: how many have been checked.
    next_forall: u32,
    /// The function around a nested one (GNU).
    outer: Option<Box<Function<'a>>>,
}

/// The constructs that a jump must not enter.
#[derive(Clone, Default)]
struct Around {
    /// `upc_forall`s, by number.
    foralls: Vec<u32>,
    /// The names of automatic spread and dist objects in scope: their memory comes at the declaration.
    automatics: Vec<Span>,
}

/// A switch that is being checked.
#[derive(Default)]
struct Switch {
    cases: FxHashMap<i128, Span>,
    default: Option<Span>,
    /// The number of `upc_forall`s around the switch.
    foralls: usize,
    /// The number of automatic spread and dist objects in scope around the switch.
    automatics: usize,
}

/// A statement that `break` or `continue` refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loop {
    /// `for`, `while`, `do`
    Plain,
    Switch,
    /// `upc_forall`: its number within the function, and its place.
    Forall(u32, Span),
}

impl<'a> Function<'a> {
    /// A function whose body begins, inside another one or none.
    pub fn new(name: &'a str, ret: QTy, outer: Option<Box<Function<'a>>>) -> Function<'a> {
        Function {
            name,
            ret,
            loops: Vec::new(),
            labels: FxHashMap::default(),
            gotos: Vec::new(),
            automatics: Vec::new(),
            local_labels: false,
            switches: Vec::new(),
            next_forall: 0,
            outer,
        }
    }

    /// The name.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// The result type.
    pub fn ret(&self) -> QTy {
        self.ret
    }

    /// Whether the function is nested in another one (GNU).
    pub fn is_nested(&self) -> bool {
        self.outer.is_some()
    }

    /// The function around this one, whose body ends.
    pub fn leave(self) -> Option<Box<Function<'a>>> {
        self.outer
    }

    /// Enters the body of a statement that `break` or `continue` refers to.
    pub fn enter_loop(&mut self, what: Loop) {
        self.loops.push(what);
    }

    /// Leaves the body that [`Function::enter_loop`] entered.
    pub fn leave_loop(&mut self) {
        self.loops.pop();
    }

    /// Enters a switch.
    pub fn enter_switch(&mut self) {
        let (foralls, automatics) = (self.foralls().len(), self.automatics.len());
        self.switches.push(Switch { foralls, automatics, ..Switch::default() });
    }

    /// Leaves the innermost switch.
    pub fn leave_switch(&mut self) {
        self.switches.pop();
    }

    /// The number of the next `upc_forall`.
    pub fn next_forall(&mut self) -> u32 {
        self.next_forall += 1;
        self.next_forall
    }

    /// Lets labels repeat: the function declares local ones.
    pub fn allow_local_labels(&mut self) {
        self.local_labels = true;
    }

    /// Notes the name of an automatic spread or dist object.
    pub fn declare_automatic(&mut self, name: Span) {
        self.automatics.push(name);
    }

    /// The number of automatic spread and dist objects in scope.
    pub fn automatics(&self) -> usize {
        self.automatics.len()
    }

    /// Forgets the automatic spread and dist objects of a block, but the first `count`.
    pub fn close_block(&mut self, count: usize) {
        self.automatics.truncate(count);
    }

    /// Notes a `case` whose word stands at `word` and whose value at `at`, if it is a single one and known.
    pub fn case(&mut self, cx: &mut Context, word: Span, value: Option<i128>, at: Span) {
        self.check_label_in_forall(cx, word);
        self.check_label_behind_automatic(cx, word);
        let Some(switch) = self.switches.last_mut() else {
            return cx.error(Code::BadStatement, word, "`case` outside a switch", "no switch around it");
        };
        let Some(value) = value else { return };
        if let Some(before) = switch.cases.insert(value, at) {
            cx.report(
                Diagnostic::error(Code::BadStatement, at, format!("two cases with the value {value}"))
                    .label("the second")
                    .also(before, "the first"),
            );
        }
    }

    /// Notes a `default` whose word stands at `word`.
    pub fn default_label(&mut self, cx: &mut Context, word: Span) {
        self.check_label_in_forall(cx, word);
        self.check_label_behind_automatic(cx, word);
        let Some(switch) = self.switches.last_mut() else {
            return cx.error(Code::BadStatement, word, "`default` outside a switch", "no switch around it");
        };
        if let Some(before) = switch.default.replace(word) {
            cx.report(
                Diagnostic::error(Code::BadStatement, word, "two `default`s in one switch")
                    .label("the second")
                    .also(before, "the first"),
            );
        }
    }

    /// Notes a label.
    pub fn label(&mut self, cx: &mut Context, name: &'a Name) {
        let around = self.around();
        let before = self.labels.insert(&name.text, (name.span, around));
        if let (Some((before, _)), false) = (before, self.local_labels) {
            cx.report(
                Diagnostic::error(Code::Redeclared, name.span, format!("two labels named `{}`", name.text))
                    .label("the second")
                    .also(before, "the first"),
            );
        }
    }

    /// Notes a jump to a label, or that its address is taken, `&&label`: then the label must exist, but the
    /// jumps to it are not seen.
    pub fn mention_label(&mut self, name: &'a Name, jumps: bool) {
        let around = self.around();
        self.gotos.push((name, around, jumps));
    }

    /// The constructs around the present statement.
    fn around(&self) -> Around {
        Around { foralls: self.foralls(), automatics: self.automatics.clone() }
    }

    /// Reports a `case` or `default` after the declaration of such an object in the switch.
    fn check_label_behind_automatic(&mut self, cx: &mut Context, word: Span) {
        let Some(switch) = self.switches.last_mut() else { return };
        if let Some(&declared) = self.automatics.get(switch.automatics) {
            switch.automatics = usize::MAX; // one message for a switch
            jumps_past(cx, word, "the switch", declared);
        }
    }

    /// Checks that every label that is jumped to exists in the function, or around a nested one.
    pub fn check_gotos(&mut self, cx: &mut Context) {
        let gotos = std::mem::take(&mut self.gotos);
        let labels = std::mem::take(&mut self.labels);
        let nested = self.is_nested();
        for (name, from, jumps) in gotos {
            match labels.get(&*name.text) {
                Some((_, to)) => {
                    forall::check_goto(cx, name, &from.foralls, &to.foralls);
                    let entered = to.automatics.iter().find(|d| !from.automatics.contains(d));
                    if let Some(&declared) = entered.filter(|_| jumps) {
                        jumps_past(cx, name.span, "`goto`", declared);
                    }
                }
                None if nested => {}
                None => {
                    let similar = cx.similar(&name.text, labels.keys().copied());
                    let mut d = Diagnostic::error(
                        Code::Undeclared,
                        name.span,
                        format!("no label `{}` in this function", name.text),
                    )
                    .label("unknown label");
                    d.help = similar.map(|n| format!("did you mean `{n}`?"));
                    cx.report(d);
                }
            }
        }
    }
}

/// Reports a jump into the scope of an automatic spread or dist object: it would skip the declaration, at
/// which all processors allocate the object.
fn jumps_past(cx: &mut Context, at: Span, what: &str, declared: Span) {
    let message = format!("{what} jumps over the declaration of a {} object", cx.words().shared);
    cx.report(
        Diagnostic::error(Code::BadStatement, at, message)
            .label("the object has no memory there")
            .also(declared, "is allocated here, by all processors together")
            .help("declare it before the jump"),
    );
}
