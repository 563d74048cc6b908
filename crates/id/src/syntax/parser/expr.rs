//! Expressions, by precedence, and all forms in braces.

use super::{Parse, Parser, Wrong};
use crate::syntax::ast::*;
use crate::syntax::lexer::Tok;
use base::{Code, Diagnostic};
use std::collections::HashSet;

/// The dimensions and kind for a word that begins an array comprehension.
pub(crate) fn array_word(word: &str) -> Option<(usize, ArrayKind)> {
    Some(match word {
        "array" | "vector" | "1d_array" => (1, ArrayKind::Functional),
        "matrix" | "2d_array" => (2, ArrayKind::Functional),
        "3d_array" => (3, ArrayKind::Functional),
        "i_array" | "i_vector" | "1d_i_array" => (1, ArrayKind::I),
        "i_matrix" | "2d_i_array" => (2, ArrayKind::I),
        "3d_i_array" => (3, ArrayKind::I),
        "m_array" | "m_vector" | "1d_m_array" => (1, ArrayKind::M),
        "m_matrix" | "2d_m_array" => (2, ArrayKind::M),
        "3d_m_array" => (3, ArrayKind::M),
        _ => return None,
    })
}

impl Parser<'_> {
    /// Parses the lowest level: tuples.
    pub(super) fn tuple_expr(&mut self) -> Parse<Expr> {
        let lo = self.span();
        let first = self.or_expr()?;
        if !self.is_op(",") {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.eat_op(",") {
            parts.push(self.or_expr()?);
        }
        Ok(self.expr(lo, ExprKind::Tuple(parts)))
    }

    pub(super) fn or_expr(&mut self) -> Parse<Expr> {
        let lo = self.span();
        let mut left = self.and_expr()?;
        while self.eat_word("or") {
            let right = self.and_expr()?;
            left = self.expr(lo, ExprKind::Binary(Op::Or, Box::new(left), Box::new(right)));
        }
        Ok(left)
    }

    fn and_expr(&mut self) -> Parse<Expr> {
        let lo = self.span();
        let mut left = self.comparison()?;
        while self.eat_word("and") {
            let right = self.comparison()?;
            left = self.expr(lo, ExprKind::Binary(Op::And, Box::new(left), Box::new(right)));
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Parse<Expr> {
        let lo = self.span();
        let left = self.cons()?;
        let op = match self.tok() {
            Tok::Op("==") => Op::Eq,
            Tok::Op("<>") => Op::Ne,
            Tok::Op("<") => Op::Lt,
            Tok::Op("<=") => Op::Le,
            Tok::Op(">") => Op::Gt,
            Tok::Op(">=") => Op::Ge,
            _ => return Ok(left),
        };
        self.step();
        let right = self.cons()?;
        Ok(self.expr(lo, ExprKind::Binary(op, Box::new(left), Box::new(right))))
    }

    fn cons(&mut self) -> Parse<Expr> {
        let lo = self.span();
        let left = self.sum()?;
        let (delay_head, delay_tail) = match self.tok() {
            Tok::Op("++") => {
                self.step();
                let right = self.deeper(Self::cons)?;
                return Ok(self.expr(lo, ExprKind::Binary(Op::Append, Box::new(left), Box::new(right))));
            }
            Tok::Op(":") => (false, false),
            Tok::Op(":#") => (false, true),
            Tok::Op("#:") => (true, false),
            Tok::Op("#:#") => (true, true),
            _ => return Ok(left),
        };
        self.step();
        let tail = Box::new(self.deeper(Self::cons)?);
        Ok(self.expr(lo, ExprKind::Cons { head: Box::new(left), tail, delay_head, delay_tail }))
    }

    fn sum(&mut self) -> Parse<Expr> {
        let lo = self.span();
        let mut left = self.product()?;
        loop {
            let op = match self.tok() {
                Tok::Op("+") => Op::Add,
                Tok::Op("-") => Op::Sub,
                _ => return Ok(left),
            };
            self.step();
            let right = self.product()?;
            left = self.expr(lo, ExprKind::Binary(op, Box::new(left), Box::new(right)));
        }
    }

    fn product(&mut self) -> Parse<Expr> {
        let lo = self.span();
        let mut left = self.unary()?;
        loop {
            let op = match self.tok() {
                Tok::Op("*") => Op::Mul,
                Tok::Op("/") => Op::Div,
                _ => return Ok(left),
            };
            self.step();
            let right = self.unary()?;
            left = self.expr(lo, ExprKind::Binary(op, Box::new(left), Box::new(right)));
        }
    }

    fn unary(&mut self) -> Parse<Expr> {
        let lo = self.span();
        if self.eat_op("-") {
            let inner = self.deeper(Self::unary)?;
            return Ok(self.expr(lo, ExprKind::Negate(Box::new(inner))));
        }
        if self.is_word("if") {
            return self.deeper(Self::conditional);
        }
        let base = self.application()?;
        if !self.eat_op("^") {
            return Ok(base);
        }
        let power = self.deeper(Self::unary)?;
        Ok(self.expr(lo, ExprKind::Binary(Op::Pow, Box::new(base), Box::new(power))))
    }

    fn conditional(&mut self) -> Parse<Expr> {
        let lo = self.span();
        self.step();
        let test = self.or_expr()?;
        self.need_word("then", "`then`")?;
        let yes = self.tuple_expr()?;
        let no = if self.eat_word("else") { Some(Box::new(self.tuple_expr()?)) } else { None };
        Ok(self.expr(lo, ExprKind::If(Box::new(test), Box::new(yes), no)))
    }

    fn application(&mut self) -> Parse<Expr> {
        let lo = self.span();
        let head = self.postfix()?;
        let mut args = self.record(&head)?.unwrap_or_default();
        while self.starts_primary() {
            let begins_line = self.tokens[self.at].begins_line;
            let arg = self.postfix()?;
            if begins_line {
                self.on_next_line.insert(arg.id);
            }
            args.push(arg);
        }
        Ok(if args.is_empty() { head } else { self.expr(lo, ExprKind::Apply(Box::new(head), args)) })
    }

    /// Parses `{field = e; ...}` after a constructor whose fields have names: its arguments in their order,
    /// [`LEFT_OUT`] for those that are not given. Returns none for anything else.
    fn record(&mut self, head: &Expr) -> Parse<Option<Vec<Expr>>> {
        let ExprKind::Name(con) = &head.kind else { return Ok(None) };
        let begins =
            self.is_op("{") && matches!((self.tok_at(1), self.tok_at(2)), (Tok::Word(_), Tok::Op("=")));
        let Some(fields) = self.records.get(con).filter(|_| begins).cloned() else { return Ok(None) };
        self.step();
        let mut values: Vec<Option<Expr>> = vec![None; fields.len()];
        while !self.eat_op("}") {
            let name = self.name("a field's name")?;
            let Some(at) = fields.iter().position(|field| *field == name.text) else {
                let text = format!("`{con}` has no field `{}`", name.text);
                let help = format!("its fields are {}", fields.join(", "));
                self.said.push(Diagnostic::error(Code::IdUndefined, name.span, text).help(help));
                return Err(Wrong);
            };
            if let Some(first) = &values[at] {
                let text = format!("the field `{}` is given twice", name.text);
                self.said.push(
                    Diagnostic::error(Code::IdRedefined, name.span, text).also(first.span, "first here"),
                );
                return Err(Wrong);
            }
            self.need_op("=", "`=` and the field's value")?;
            values[at] = Some(self.with_stops(Vec::new(), |p| p.deeper(Self::tuple_expr))?);
            if !self.eat_op(";") && !self.is_op("}") {
                return self.wrong("`;` or `}`");
            }
        }
        let end = self.last_span();
        let none = |p: &mut Self| p.expr(end, ExprKind::Name(LEFT_OUT.into()));
        Ok(Some(values.into_iter().map(|value| value.unwrap_or_else(|| none(self))).collect()))
    }

    /// Whether an argument can begin here.
    pub(super) fn starts_primary(&self) -> bool {
        match self.tok() {
            Tok::Word(w) => self.is_name() && !self.stops.contains(&w.as_str()),
            Tok::Int(_) | Tok::Float(_) | Tok::Str(_) | Tok::Char(_) | Tok::Op("(" | "{" | "{:" | "..") => {
                true
            }
            _ => false,
        }
    }

    fn postfix(&mut self) -> Parse<Expr> {
        let lo = self.span();
        let mut base = self.primary()?;
        loop {
            let access = match (self.tok(), self.tok_at(1)) {
                (Tok::Op("["), _) => Access::Plain,
                (Tok::Op("!"), Tok::Op("[")) => Access::Take,
                (Tok::Op("!!"), Tok::Op("[")) => Access::Examine,
                (Tok::Op("."), Tok::Word(_)) => Access::Plain,
                (Tok::Op("!"), Tok::Word(_)) => Access::Take,
                (Tok::Op("!!"), Tok::Word(_)) => Access::Examine,
                _ => return Ok(base),
            };
            if !self.is_op("[") {
                self.step();
            }
            let open = self.span();
            if self.eat_op("[") {
                let index = self.with_stops(Vec::new(), |p| p.deeper(Self::tuple_expr))?;
                self.close("]", open)?;
                let index = match index.kind {
                    ExprKind::Tuple(parts) => parts,
                    _ => vec![index],
                };
                base = self.expr(lo, ExprKind::Index(Box::new(base), index, access));
            } else {
                let field = self.name("a field's name")?;
                base = self.expr(lo, ExprKind::Field(Box::new(base), field, access));
            }
        }
    }

    pub(super) fn primary(&mut self) -> Parse<Expr> {
        let lo = self.span();
        let kind = match self.tok().clone() {
            Tok::Int(n) => ExprKind::Int(n),
            Tok::Float(n) => ExprKind::Float(n),
            Tok::Str(s) => ExprKind::Str(s),
            Tok::Char(c) => ExprKind::Char(c),
            Tok::Op("..") => ExprKind::Name("_".into()),
            Tok::Op("(") => return self.with_stops(Vec::new(), |p| p.deeper(Self::parenthesised)),
            Tok::Op("{:") => return self.with_stops(Vec::new(), |p| p.deeper(Self::list_compr)),
            Tok::Op("{") => return self.with_stops(Vec::new(), |p| p.deeper(Self::braces)),
            Tok::Word(w) if w == "next" => {
                self.step();
                let name = self.name("the loop variable after `next`")?;
                self.must_be_variable(&name.text, name.span);
                return Ok(self.expr(lo, ExprKind::Next(name)));
            }
            Tok::Word(w) if self.is_name() => ExprKind::Name(w),
            _ => return self.wrong("an expression"),
        };
        self.step();
        Ok(self.expr(lo, kind))
    }

    fn parenthesised(&mut self) -> Parse<Expr> {
        let lo = self.span();
        self.step();
        let operator = match (self.tok(), self.tok_at(1)) {
            (Tok::Op(op), Tok::Op(")")) if OPERATORS.contains(op) => Some((*op).to_owned()),
            (Tok::Word(w), Tok::Op(")")) if w == "and" || w == "or" => Some(w.clone()),
            _ => None,
        };
        if let Some(name) = operator {
            self.step();
            self.step();
            return Ok(self.expr(lo, ExprKind::Name(format!("({name})"))));
        }
        if self.eat_op(")") {
            return Ok(self.expr(lo, ExprKind::Block(Block { groups: Vec::new(), result: None })));
        }
        let mut inner = self.tuple_expr()?;
        self.close(")", lo)?;
        inner.span = lo.to(self.last_span());
        Ok(inner)
    }

    fn braces(&mut self) -> Parse<Expr> {
        let lo = self.span();
        let word = match self.tok_at(1) {
            Tok::Word(w) => w.clone(),
            _ => String::new(),
        };
        let kind = match word.as_str() {
            "for" | "while" => self.loop_expr()?,
            "case" => self.case_expr()?,
            "fun" => self.fun_expr()?,
            w if array_word(w).is_some() && !matches!(self.tok_at(2), Tok::Op("=" | "[")) => {
                self.array_compr()?
            }
            _ => {
                self.step();
                let groups = self.groups(&["in"])?;
                let result = if self.eat_word("in") { Some(Box::new(self.tuple_expr()?)) } else { None };
                self.eat_op(";");
                ExprKind::Block(Block { groups, result })
            }
        };
        self.close("}", lo)?;
        Ok(self.expr(lo, kind))
    }

    fn loop_expr(&mut self) -> Parse<ExprKind> {
        self.step();
        let head = if self.eat_word("while") {
            LoopHead::While(self.with_stops(vec!["bound"], Self::or_expr)?)
        } else {
            self.step();
            self.with_stops(vec!["from", "by", "bound"], Self::for_head)?
        };
        let bound = match self.eat_word("bound") {
            true => Some(self.or_expr()?),
            false => None,
        };
        self.need_word("do", "`do`")?;
        let groups = self.groups(&["finally"])?;
        let groups = self.next_in_arms(groups);
        let finally = if self.eat_word("finally") { Some(self.tuple_expr()?) } else { None };
        self.eat_op(";");
        Ok(ExprKind::Loop(Box::new(Loop { head, bound, groups, finally })))
    }

    fn for_head(&mut self) -> Parse<LoopHead> {
        let primary = self.or_expr()?;
        if let ExprKind::Name(name) = &primary.kind {
            self.must_be_variable(name, primary.span);
        }
        let pat = self.pattern_of(primary, &mut HashSet::new())?;
        if !self.eat_op("<-") && !self.eat_word("from") {
            return self.wrong("`<-` and the range of the loop");
        }
        let from = self.or_expr()?;
        match (self.range(from)?, pat.kind) {
            (Ok(range), PatKind::Name(text)) => {
                Ok(LoopHead::Range(Name { text, span: pat.span }, pat.id, range))
            }
            (Ok(range), PatKind::Wild) => {
                Ok(LoopHead::Range(Name { text: "_".into(), span: pat.span }, pat.id, range))
            }
            (Ok(_), _) => self.wrong("a name for the loop's index"),
            (Err(list), kind) => Ok(LoopHead::List(Pat { kind, ..pat }, list)),
        }
    }

    /// Parses `to hi by s` after the first bound. Returns the expression itself if nothing follows.
    fn range(&mut self, from: Expr) -> Parse<Result<Range, Expr>> {
        let down = self.is_word("downto");
        if !self.eat_word("to") && !self.eat_word("downto") {
            if let Some(dots) = self.dots_of(from.span) {
                self.at = dots;
                return self.wrong("`to`");
            }
            return Ok(Err(from));
        }
        let to = self.or_expr()?;
        let by = if self.eat_word("by") { Some(self.or_expr()?) } else { None };
        Ok(Ok(Range { from, to, by, down }))
    }

    fn case_expr(&mut self) -> Parse<ExprKind> {
        self.step();
        self.step();
        let tested = self.with_stops(vec!["of"], Self::tuple_expr)?;
        if !self.eat_word("of") {
            return self.wrong("`of`");
        }
        self.eat_op("|");
        let mut arms = Vec::new();
        loop {
            let left = self.tuple_expr()?;
            let pat = self.pattern_of(left, &mut HashSet::new())?;
            let guard = if self.eat_word("when") { Some(self.or_expr()?) } else { None };
            self.need_op("=", "`=` and the result of the case")?;
            let body = self.tuple_expr()?;
            arms.push(Arm { pat, guard, body });
            if !self.eat_op("|") {
                return Ok(ExprKind::Case(Box::new(tested), arms));
            }
        }
    }

    fn fun_expr(&mut self) -> Parse<ExprKind> {
        self.step();
        let lo = self.span();
        self.step();
        let mut clauses = vec![self.clause(lo)?];
        while self.eat_op("|") {
            let lo = self.span();
            self.eat_word("fun");
            clauses.push(self.clause(lo)?);
        }
        Ok(ExprKind::Fun(clauses))
    }

    fn list_compr(&mut self) -> Parse<Expr> {
        let lo = self.span();
        self.step();
        let value = self.tuple_expr()?;
        self.need_op("||", "`||` and generators")?;
        let gens = self.gens()?;
        self.close("}", lo)?;
        Ok(self.expr(lo, ExprKind::ListCompr(Box::new(value), gens)))
    }

    fn gens(&mut self) -> Parse<Vec<Gen>> {
        self.with_stops(vec!["from", "by", "gets"], |p| {
            let mut gens = Vec::new();
            loop {
                let left = p.tuple_expr()?;
                let pat = p.pattern_of(left, &mut HashSet::new())?;
                if p.eat_op("=") {
                    gens.push(Gen::Bind(pat, p.tuple_expr()?));
                } else if p.eat_op("<-") || p.eat_word("from") {
                    let from = p.or_expr()?;
                    gens.push(match p.range(from)? {
                        Ok(range) => Gen::Range(pat, range),
                        Err(list) => Gen::List(pat, list),
                    });
                } else {
                    return p.wrong("`<-` or `=` of a generator");
                }
                while p.eat_word("when") {
                    gens.push(Gen::When(p.or_expr()?));
                }
                if !p.eat_op("&") {
                    return Ok(gens);
                }
            }
        })
    }

    fn array_compr(&mut self) -> Parse<ExprKind> {
        self.step();
        let Tok::Word(word) = self.tok().clone() else { return self.wrong("an array") };
        let Some((dims, kind)) = array_word(&word) else { return self.wrong("an array") };
        self.step();
        let bounds = self.with_stops(vec!["of", "gets"], Self::tuple_expr)?;
        // After `of` the first region needs no bar, as the first clause of a `case` needs none.
        let bare = self.eat_word("of") && matches!(self.tok(), Tok::Op("["));
        let mut regions = Vec::new();
        if bare {
            regions.push(self.region(false)?);
        }
        while self.eat_op("|") {
            regions.push(self.region(false)?);
        }
        let mut accumulate = None;
        if self.eat_word("accumulate") {
            let op = self.accumulator()?;
            let mut gets = Vec::new();
            while self.eat_op("|") {
                gets.push(self.region(true)?);
            }
            accumulate = Some((op, gets));
        }
        Ok(ExprKind::ArrayCompr(Box::new(ArrayCompr { dims, kind, bounds, regions, accumulate })))
    }

    /// Parses the function by which an accumulator combines; an operator needs no parentheses.
    fn accumulator(&mut self) -> Parse<Expr> {
        match (self.tok(), self.tok_at(1)) {
            (Tok::Op(op), Tok::Op("|")) if OPERATORS.contains(op) => {
                let (lo, name) = (self.span(), format!("({op})"));
                self.step();
                Ok(self.expr(lo, ExprKind::Name(name)))
            }
            _ => self.postfix(),
        }
    }

    fn region(&mut self, gets: bool) -> Parse<Region> {
        let lo = self.span();
        let index = if self.eat_op("[") {
            let index = self.with_stops(Vec::new(), Self::tuple_expr)?;
            self.close("]", lo)?;
            index
        } else if gets {
            self.with_stops(vec!["gets"], Self::or_expr)?
        } else {
            return self.wrong("`[` and the index of a region");
        };
        let index = match index.kind {
            ExprKind::Tuple(parts) => parts,
            _ => vec![index],
        };
        if gets && !self.eat_word("gets") {
            return self.wrong("`gets`");
        }
        if !gets {
            self.need_op("=", "`=` and the elements' value")?;
        }
        let value = self.tuple_expr()?;
        let gens = if self.eat_op("||") { self.gens()? } else { Vec::new() };
        Ok(Region { index, value, gens, span: lo.to(self.last_span()) })
    }
}

/// The operators that are functions in parentheses.
const OPERATORS: &[&str] = &["+", "-", "*", "/", "^", "==", "<>", "<", "<=", ">", ">=", "++", ":"];
