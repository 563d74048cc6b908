//! Conversions to local pointers that AC allows without a cast, because the object is the processor's own.

use crate::checker::Checker;
use crate::owning::{is_element, is_own};
use base::Diagnostic;
use c_syntax::Language;
use c_syntax::ast::{ExprId, StmtId};

impl Checker<'_> {
    /// Whether AC may take this expression, the address of an element, as local without a cast because of its
    /// subscripts. If not, `otherwise` is reported: at the end of the function, if the answer depends on all
    /// its assignments.
    pub fn may_be_own(&mut self, e: ExprId, otherwise: Diagnostic) -> bool {
        let element = self.cx.env.language == Language::Ac && is_element(self.cx.unit, e);
        if element && self.function.is_some() && !self.cx.is_quiet() {
            self.owning.note_conversion(e, otherwise);
            return true;
        }
        let own = element && is_own(self.cx.unit, &self.cx.out, e);
        if !own {
            self.cx.report(otherwise);
        }
        own
    }

    /// Judges the conversions to local pointers at the end of a function, when all assignments are known.
    pub fn check_own(&mut self, body: StmtId, nested: bool) {
        if self.cx.env.language != Language::Ac {
            return;
        }
        self.owning.note_assignments(self.cx.unit, &self.cx.out, body);
        if nested {
            return;
        }
        for otherwise in std::mem::take(&mut self.owning).judge(self.cx.unit, &self.cx.out) {
            self.cx.report(otherwise);
        }
    }
}
