//! Operations on words: arithmetic, comparisons, and numbers as text.

use super::{Element, End, Machine, REF, Run, f};
use crate::core::language::Prim;

impl Machine<'_> {
    pub(super) fn chars(&mut self, bytes: &[u8], mut tail: u64) -> u64 {
        for &b in bytes.iter().rev() {
            let cell = self.new_object(Vec::new(), 2);
            self.object(cell).elements = vec![Element::Full(u64::from(b)), Element::Full(tail)];
            tail = cell;
        }
        tail
    }

    pub(super) fn prim(&mut self, prim: Prim, w: &[u64]) -> Run<u64> {
        let zero = || End::Error("division by zero".into());
        let (a, b) = (w.first().copied().unwrap_or(0), w.get(1).copied().unwrap_or(0));
        let (x, y) = (a as i64, b as i64);
        let (u, v) = (f(a), f(b));
        let float = |r: f64| r.to_bits();
        Ok(match prim {
            Prim::After => a,
            Prim::AddI => x.wrapping_add(y) as u64,
            Prim::SubI => x.wrapping_sub(y) as u64,
            Prim::MulI => x.wrapping_mul(y) as u64,
            Prim::PowI if y < 0 => return Err(End::Error("negative power".into())),
            Prim::PowI => (0..y).fold(1i64, |r, _| r.wrapping_mul(x)) as u64,
            Prim::Quotient | Prim::RemI | Prim::ModI if y == 0 => return Err(zero()),
            Prim::Quotient => x.wrapping_div(y) as u64,
            Prim::RemI => x.wrapping_rem(y) as u64,
            Prim::ModI => {
                let r = x.wrapping_rem(y);
                (if r != 0 && (r < 0) != (y < 0) { r + y } else { r }) as u64
            }
            Prim::NegI => x.wrapping_neg() as u64,
            Prim::AbsI => x.wrapping_abs() as u64,
            Prim::MinI => x.min(y) as u64,
            Prim::MaxI => x.max(y) as u64,
            Prim::AddF => float(u + v),
            Prim::SubF => float(u - v),
            Prim::MulF => float(u * v),
            Prim::DivF => float(u / v),
            Prim::PowF => float(u.powf(v)),
            Prim::ModF => float(u - v * (u / v).floor()),
            Prim::RemF => float(u % v),
            Prim::NegF => float(-u),
            Prim::AbsF => float(u.abs()),
            Prim::MinF => float(if v < u { v } else { u }),
            Prim::MaxF => float(if v > u { v } else { u }),
            Prim::EqI => u64::from(a == b),
            Prim::NeI => u64::from(a != b),
            Prim::LtI => u64::from(x < y),
            Prim::LeI => u64::from(x <= y),
            Prim::EqF => u64::from(u == v),
            Prim::NeF => u64::from(u != v),
            Prim::LtF => u64::from(u < v),
            Prim::LeF => u64::from(u <= v),
            Prim::And => a & b,
            Prim::Or => a | b,
            Prim::Not => 1 - a,
            Prim::ToFloat => float(x as f64),
            Prim::Fix => u as i64 as u64,
            Prim::Floor => u.floor() as i64 as u64,
            Prim::Ceiling => u.ceil() as i64 as u64,
            Prim::Round => u.round() as i64 as u64,
            Prim::Sqrt => float(u.sqrt()),
            Prim::Sin => float(u.sin()),
            Prim::Cos => float(u.cos()),
            Prim::Tan => float(u.tan()),
            Prim::Asin => float(u.asin()),
            Prim::Acos => float(u.acos()),
            Prim::Atan => float(u.atan()),
            Prim::Atan2 => float(u.atan2(v)),
            Prim::Exp => float(u.exp()),
            Prim::Log => float(u.ln()),
            Prim::HasFields => u64::from(a >= REF && a & (REF - 1) == b),
            Prim::ShowI => self.chars(x.to_string().as_bytes(), b),
            Prim::ShowF => self.chars(show_float(u).as_bytes(), b),
            Prim::Text => {
                let bytes = self.program.texts[x as usize].clone();
                self.chars(&bytes, 0)
            }
            Prim::Argc => self.args.len() as u64,
            Prim::Argv => match self.args.get((x - 1) as usize) {
                Some(arg) => {
                    let bytes = arg.clone().into_bytes();
                    self.chars(&bytes, 0)
                }
                None => return Err(End::Error("no such argument".into())),
            },
            Prim::External => return Err(End::Error("a function of C".into())),
            Prim::Processors => 1,
        })
    }
}

/// The shortest text of 15 to 17 digits that reads as the same number, with a point or an exponent, as the
/// runtime prints it.
pub fn show_float(x: f64) -> String {
    if !x.is_finite() {
        return if x.is_nan() {
            "nan".into()
        } else if x > 0.0 {
            "inf".into()
        } else {
            "-inf".into()
        };
    }
    for digits in 15..=17 {
        let text = percent_g(x, digits);
        if digits == 17 || text.parse() == Ok(x) {
            return if text.contains(['.', 'e']) { text } else { format!("{text}.0") };
        }
    }
    String::new()
}

/// The text of C's `%.*g`.
fn percent_g(x: f64, digits: usize) -> String {
    if x == 0.0 {
        return if x.is_sign_negative() { "-0".into() } else { "0".into() };
    }
    let scientific = format!("{:.*e}", digits - 1, x);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |s: &str| match s.contains('.') {
        true => s.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => s.to_owned(),
    };
    if exponent < -4 || exponent >= digits as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trim(mantissa), exponent.abs());
    }
    trim(&format!("{:.*}", (digits as i32 - 1 - exponent).max(0) as usize, x))
}
