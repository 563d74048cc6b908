//! Primary expressions: names, constants, parentheses, and the builtins that take types.

use super::{Parser, Res};
use crate::ast::*;
use crate::token::Kind;

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Res<ExprId> {
        let here = self.here();
        let leaf = match self.peek() {
            Kind::Ident => ExprKind::Ident(Name { text: self.slice(here).into(), span: here }),
            Kind::Number => ExprKind::Number,
            Kind::Char => ExprKind::Char,
            Kind::FuncName => ExprKind::FuncName,
            Kind::Threads | Kind::Procs => ExprKind::Threads,
            Kind::MyThread | Kind::MyProc => ExprKind::MyThread,
            Kind::Str => {
                let span = self.string("the value")?;
                return self.expr(span, ExprKind::String);
            }
            Kind::LParen if self.peek_at(1) == Kind::LBrace => return self.statement_expression(),
            Kind::LParen => return self.parenthesised(),
            Kind::Generic => return self.generic(),
            Kind::BuiltinOffsetof
            | Kind::BuiltinVaArg
            | Kind::BuiltinTypesCompatible
            | Kind::BuiltinChooseExpr
            | Kind::BuiltinConvertVector
            | Kind::BuiltinBitCast
            | Kind::BuiltinHasAttribute => return self.builtin(),
            _ => return self.fail("expected an expression"),
        };
        self.bump();
        self.expr(here, leaf)
    }

    fn parenthesised(&mut self) -> Res<ExprId> {
        let lo = self.here().lo;
        let inner =
            self.bracketed(Kind::LParen, Kind::RParen, "to close the expression", |p| p.expression())?;
        let span = self.since(lo);
        match inner {
            Some(inner) => self.expr(span, ExprKind::Paren(inner)),
            None => Ok(self.error_expr(span)),
        }
    }

    /// `({ … })`
    fn statement_expression(&mut self) -> Res<ExprId> {
        let lo = self.here().lo;
        let body = self.bracketed(Kind::LParen, Kind::RParen, "to close the expression", |p| {
            p.nested(|p| p.compound())
        })?;
        let span = self.since(lo);
        match body {
            Some(body) => self.expr(span, ExprKind::Stmts(body)),
            None => Ok(self.error_expr(span)),
        }
    }

    /// `_Generic(e, type: e, default: e)`
    fn generic(&mut self) -> Res<ExprId> {
        let lo = self.bump().span.lo;
        let read = self.bracketed(Kind::LParen, Kind::RParen, "after `_Generic`", |p| {
            let control = p.assignment_expression()?;
            let mut arms = Vec::new();
            while p.eat(Kind::Comma).is_some() {
                let ty = match p.eat(Kind::Default) {
                    Some(_) => None,
                    None => Some(p.type_name()?),
                };
                p.expect(Kind::Colon, "after the type")?;
                arms.push((ty, p.assignment_expression()?));
            }
            Ok(ExprKind::Generic(control, arms))
        })?;
        let span = self.since(lo);
        match read {
            Some(kind) => self.expr(span, kind),
            None => Ok(self.error_expr(span)),
        }
    }

    /// The builtins whose arguments are not all expressions.
    fn builtin(&mut self) -> Res<ExprId> {
        let keyword = self.bump();
        let what = format!("after `{}`", keyword.kind.text());
        let read =
            self.bracketed(Kind::LParen, Kind::RParen, &what, |p| p.builtin_arguments(keyword.kind))?;
        let span = self.since(keyword.span.lo);
        match read {
            Some(kind) => self.expr(span, kind),
            None => Ok(self.error_expr(span)),
        }
    }

    fn builtin_arguments(&mut self, which: Kind) -> Res<ExprKind> {
        Ok(match which {
            Kind::BuiltinOffsetof => {
                let ty = self.type_name()?;
                self.comma()?;
                ExprKind::Offsetof(ty, self.member_path()?)
            }
            Kind::BuiltinTypesCompatible => {
                let a = self.type_name()?;
                self.comma()?;
                ExprKind::TypesCompatible(a, self.type_name()?)
            }
            Kind::BuiltinChooseExpr => {
                let cond = self.assignment_expression()?;
                self.comma()?;
                let a = self.assignment_expression()?;
                self.comma()?;
                ExprKind::Choose(cond, a, self.assignment_expression()?)
            }
            Kind::BuiltinBitCast => {
                let ty = self.type_name()?;
                self.comma()?;
                ExprKind::ConvertVector(self.assignment_expression()?, ty)
            }
            Kind::BuiltinHasAttribute => {
                if self.type_begins(self.pos) {
                    self.type_name()?;
                } else {
                    self.assignment_expression()?;
                }
                self.comma()?;
                self.one_attribute()?;
                ExprKind::HasAttribute
            }
            _ => {
                let value = self.assignment_expression()?;
                self.comma()?;
                let ty = self.type_name()?;
                if which == Kind::BuiltinVaArg {
                    ExprKind::VaArg(value, ty)
                } else {
                    ExprKind::ConvertVector(value, ty)
                }
            }
        })
    }

    fn comma(&mut self) -> Res<()> {
        self.expect(Kind::Comma, "between the arguments").map(drop)
    }

    /// `a.b[i].c`
    fn member_path(&mut self) -> Res<Vec<Designator>> {
        let mut path = vec![Designator::Field(self.name("the name of a member")?)];
        loop {
            match self.peek() {
                Kind::Dot | Kind::Arrow => {
                    self.bump();
                    path.push(Designator::Field(self.name("the name of a member")?));
                }
                Kind::LBracket => {
                    let index =
                        self.bracketed(Kind::LBracket, Kind::RBracket, "to close the index", |p| {
                            p.expression()
                        })?;
                    path.extend(index.map(Designator::Index));
                }
                _ => return Ok(path),
            }
        }
    }
}
