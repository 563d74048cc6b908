//! `asm` with shared objects as operands. If an operand's memory is on this host, the assembly works on the
//! object itself, so that a locked instruction stays locked. For a remote operand it works on a copy, which
//! is fetched before the statement if the assembly reads it, and stored after it if the assembly writes it.

use crate::bit_field;
use crate::edit::Edit;
use crate::place::{Place, path_text};
use crate::{Changes, Lower};
use base::Span;
use c_sema::types::Ty;
use c_syntax::ast::*;
use emit::{Piece, build, call, seq};

/// The text around the statement.
#[derive(Default)]
struct Around {
    front: Vec<Piece>,
    behind: Vec<Piece>,
    /// An operand is strict.
    strict: bool,
}

impl Lower<'_> {
    /// The operand as the lvalue that the assembly works on.
    fn asm_object(
        &mut self,
        AsmOperand { expr: e, reads, writes }: AsmOperand,
        around: &mut Around,
    ) -> Piece {
        let name = self.fresh("operand");
        let ty = self.program.object_type(self.program.typed.ty(e));
        let reads_text = if reads { "1" } else { "0" };
        let put = if self.is_global_target(e) {
            let place = self.global_place(e);
            around.front.push(seq![call!["MER_GLOBAL_OPERAND"; ty, place, name.as_str(), reads_text], " "]);
            "mer_global_put"
        } else if self.field(e).is_some() {
            return self.asm_field(AsmOperand { expr: e, reads, writes }, around);
        } else {
            match self.place(e) {
                Place::Own(object) => return object,
                Place::Shared { whole, bits, path } => {
                    let path = path_text(path);
                    let operand = call!["MER_OPERAND"; ty, whole, bits, path, name.as_str(), reads_text];
                    around.front.push(seq![operand, " "]);
                    "mer_remote_put"
                }
            }
        };
        if writes {
            around.behind.push(Piece::text(format!("MER_OPERAND_DONE({put}, {name}); ")));
        }
        Piece::text(format!("(*{name})"))
    }

    /// Passes a bit-field by its value: the assembly cannot tell the difference.
    fn asm_field(&mut self, AsmOperand { expr: e, reads, writes }: AsmOperand, around: &mut Around) -> Piece {
        let Some((place, field, member)) = self.field(e) else { return Piece::empty() };
        let (whole, bits, path) = match place {
            Place::Own(object) => return seq![object, ".", field],
            Place::Shared { whole, bits, path } => (whole, bits, path),
        };
        let (name, at, value) = (self.fresh("b"), self.fresh("at"), self.fresh("operand"));
        around.front.push(seq![
            format!("mer_u64 {name} = "),
            bits,
            format!("; __auto_type {at} = &(((__typeof__({whole}) *)mer_at({name}))"),
            path_text(path),
            format!("); {name} = mer_within({name}, {at}); {} {value}", self.program.type_text(member.ty)),
        ]);
        let object = || Place::whole(format!("*{at}"), Piece::text(name.clone()));
        let read = || seq![" = ", bit_field::read_field(self.program, e, object(), &field, &member)];
        let before = if reads { read() } else { Piece::empty() };
        around.front.push(seq![before, "; "]);
        if writes {
            let after = bit_field::write_field(
                self.program,
                e,
                object(),
                &field,
                &member,
                Piece::text(value.clone()),
            );
            around.behind.push(seq!["(void)", after, "; "]);
        }
        Piece::text(value)
    }
}

impl Edit<'_, '_> {
    pub(crate) fn asm(&mut self, s: StmtId, operands: &[AsmOperand]) {
        let program = self.lower.program;
        let span = program.unit.stmts[s].span;
        let mut around = Around::default();
        let mut inner = Changes::new();
        for &operand in operands {
            let e = operand.expr;
            let array = matches!(program.typed.types.of(program.typed.ty(e)), Ty::Array(..));
            if program.is_shared_place(e) && !array {
                around.strict |= program.is_strict(e);
                let object = self.lower.asm_object(operand, &mut around).flat();
                inner.push((program.span(e), object));
            } else {
                self.lower.edit(&mut inner).value(e);
            }
        }
        let fence = if around.strict { "mer_fence(); " } else { "" };
        let braces = around.strict || !around.front.is_empty();
        if !braces {
            return self.changes.append(&mut inner);
        }
        let front = seq![fence, Piece::Seq(around.front).flat()];
        let (open, close) = build::around(front, seq![Piece::Seq(around.behind).flat(), fence]);
        self.changes.push((Span::new(span.lo, span.lo), open));
        self.changes.append(&mut inner);
        self.changes.push((Span::new(span.hi, span.hi), close));
    }
}
