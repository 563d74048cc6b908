//! Translation units: the entry of the checks.

use crate::checker::Checker;
use crate::context::Env;
use crate::typed::Typed;
use base::{Diagnostic, Source};
use c_syntax::ast::Unit;

/// Stack of the checking thread, in bytes. Trees are as deep as the parser allows, plus chains that the
/// parser reads in a loop (`a.b.b.b…`, `else if`).
const STACK: usize = 1 << 29;

/// Checks a translation unit. The diagnostics are in the order of the text. If none of them is an error, no
/// accessor of the result fails.
pub fn check(unit: &Unit, source: &Source, env: Env) -> (Typed, Vec<Diagnostic>) {
    let work = move || {
        let mut checker = Checker::new(unit, source, env);
        checker.unit();
        checker.cx.finish()
    };
    std::thread::scope(|scope| {
        let started = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work.clone());
        match started.map(|thread| thread.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            // No memory for a large stack: ordinary programs fit the caller's.
            Err(_) => work(),
        }
    })
}

impl Checker<'_> {
    fn unit(&mut self) {
        let unit = self.cx.unit;
        for &item in &unit.items {
            self.declaration(item);
        }
        self.check_file_scope();
    }
}
