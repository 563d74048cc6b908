//! Conversions to local pointers that AC allows without a cast, because the object is the processor's own.

use crate::context::Context;
use crate::owning::{is_element, is_own};
use base::Diagnostic;
use c_syntax::Language;
use c_syntax::ast::{ExprId, StmtId};

/// Whether AC may take this expression, the address of an element, as local without a cast because of its
/// subscripts. If not, `otherwise` is reported: at the end of the function, if the answer depends on all
/// its assignments.
pub(crate) fn may_be_own(cx: &mut Context, e: ExprId, otherwise: Diagnostic) -> bool {
    let element = cx.env.language == Language::Ac && is_element(cx.unit, e);
    if element
        && !cx.is_quiet()
        && let Some(owning) = &mut cx.owning
    {
        owning.note_conversion(e, otherwise);
        return true;
    }
    let own = element && is_own(cx.unit, &cx.out, e);
    if !own {
        cx.report(otherwise);
    }
    own
}

/// Judges the conversions to local pointers at the end of a function, when all assignments are known.
pub(crate) fn check_own(cx: &mut Context, body: StmtId, nested: bool) {
    let (Language::Ac, Some(owning)) = (cx.env.language, &mut cx.owning) else { return };
    owning.note_assignments(cx.unit, &cx.out, body);
    if nested {
        return;
    }
    for otherwise in cx.owning.take().unwrap_or_default().judge(cx.unit, &cx.out) {
        cx.report(otherwise);
    }
}
