//! The built-in functions, of which the library declares only the types.

use super::Lower;
use crate::check::types::{Ty, con, is};
use crate::core::language::{Atom, Init, Io, Mode, Op, Prim};
use base::Span;

/// Whether a built-in function does input or output.
pub(super) fn does_io(name: &str) -> bool {
    io(name).is_some() || name == "print"
}

fn io(name: &str) -> Option<Io> {
    Some(match name {
        "io_put" => Io::Put,
        "io_get" => Io::Get,
        "io_peek" => Io::Peek,
        "io_name" => Io::Name,
        "io_open" => Io::Open,
        "io_close" => Io::Close,
        "exit" => Io::Exit,
        _ => return None,
    })
}

/// The number of arguments of a built-in function whose type does not tell.
pub(super) fn arity(name: &str) -> Option<usize> {
    matches!(name, "print" | "show").then_some(1)
}

/// The operations of a function that takes either ints or floats: on ints, on floats.
fn numeric(name: &str) -> Option<(Prim, Prim)> {
    Some(match name {
        "abs" => (Prim::AbsI, Prim::AbsF),
        "min" => (Prim::MinI, Prim::MinF),
        "max" => (Prim::MaxI, Prim::MaxF),
        "mod" => (Prim::ModI, Prim::ModF),
        "remainder" => (Prim::RemI, Prim::RemF),
        "negate" => (Prim::NegI, Prim::NegF),
        _ => return None,
    })
}

/// The operation of a function that has one type.
fn plain(name: &str) -> Option<Prim> {
    Some(match name {
        "quotient" => Prim::Quotient,
        "not" => Prim::Not,
        "sqrt" => Prim::Sqrt,
        "sin" => Prim::Sin,
        "cos" => Prim::Cos,
        "tan" => Prim::Tan,
        "asin" => Prim::Asin,
        "acos" => Prim::Acos,
        "atan" => Prim::Atan,
        "atan2" => Prim::Atan2,
        "exp" => Prim::Exp,
        "log" => Prim::Log,
        "fix" => Prim::Fix,
        "floor" => Prim::Floor,
        "ceiling" => Prim::Ceiling,
        "round" => Prim::Round,
        "argc" => Prim::Argc,
        "argv" => Prim::Argv,
        "processors" => Prim::Processors,
        _ => return None,
    })
}

impl Lower<'_> {
    /// Emits a built-in function of type `ty`, applied to all its arguments.
    pub(super) fn builtin(&mut self, name: &str, args: &[Atom], ty: &Ty, span: Span) -> Atom {
        let (from, to) = Self::split(ty);
        if let Some((int, float)) = numeric(name) {
            return self.prim(if is(&from, "float") { float } else { int }, args.to_vec(), span);
        }
        if let Some(prim) = plain(name) {
            return self.prim(prim, args.to_vec(), span);
        }
        if let Some(io) = io(name) {
            return self.in_order(io, args.to_vec(), span);
        }
        match name {
            "float" => self.widen(args[0], &from, &con("float"), span),
            "ok" => self.nothing(),
            "ord" | "chr" | "string_to_list" | "list_to_string" => args[0],
            "print" => {
                self.print(args[0], &from, span);
                self.nothing()
            }
            "show" if from == con("string") => args[0],
            "show" => self.show(args[0], &from, Atom::Int(0), span),
            "error" => {
                let text = self.append(args[0], Atom::Int(0), span);
                let text = self.library("stop_with", vec![text], span);
                let _ = text;
                self.nothing()
            }
            "bounds" | "1d_bounds" => self.bounds(args[0], 0, span),
            "matrix_bounds" | "2d_bounds" => self.all_bounds(args[0], 2, span),
            "3d_bounds" => self.all_bounds(args[0], 3, span),
            _ => self.allocate(name, args[0], &to, span),
        }
    }

    /// Emits an operation on the outside world, ordered after those before it; returns its result.
    pub(super) fn in_order(&mut self, io: Io, args: Vec<Atom>, span: Span) -> Atom {
        let token = self.ctx.token.unwrap_or(Atom::Int(0));
        let out = self.emit_many(Op::Io { io, token, args }, 2, span);
        if self.ctx.token.is_some() {
            self.ctx.token = Some(out[0]);
        }
        out[1]
    }

    fn bounds(&mut self, array: Atom, dim: usize, span: Span) -> Atom {
        let lo = self.emit(Op::Bound { array, at: 2 * dim }, span);
        let hi = self.emit(Op::Bound { array, at: 2 * dim + 1 }, span);
        self.emit(Op::Make { tag: 0, fields: vec![Init::Value(lo), Init::Value(hi)] }, span)
    }

    fn all_bounds(&mut self, array: Atom, dims: usize, span: Span) -> Atom {
        let fields = (0..dims).map(|d| Init::Value(self.bounds(array, d, span))).collect();
        self.emit(Op::Make { tag: 0, fields }, span)
    }

    /// Emits `1d_I_array bounds` and the like: an array of empty elements.
    fn allocate(&mut self, name: &str, bounds: Atom, ty: &Ty, span: Span) -> Atom {
        let dims = crate::syntax::parser::array_word(name).map_or(1, |w| w.0);
        let mutable = name.contains("m_");
        let bounds = self.bound_words(bounds, dims, span);
        self.emit(Op::Alloc { mutable, numbers: self.holds_numbers(ty), bounds }, span)
    }

    /// The words of a tuple of bounds.
    pub(super) fn bound_words(&mut self, bounds: Atom, dims: usize, span: Span) -> Vec<Atom> {
        let field = |l: &mut Self, cell, at| l.emit(Op::Field { cell, at, mode: Mode::I }, span);
        let pairs: Vec<Atom> =
            if dims == 1 { vec![bounds] } else { (0..dims).map(|d| field(self, bounds, d)).collect() };
        pairs.into_iter().flat_map(|p| [field(self, p, 0), field(self, p, 1)]).collect()
    }
}
