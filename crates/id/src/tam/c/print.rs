//! Prints the trees of C. Operands are in brackets if the operators' precedence needs them, arms of
//! conditionals are always blocks, and blocks are indented.

use super::{Count, Declaration, Expr, Function, Head, Infix, Item, Name, Prefix, Stmt};
use crate::stack::with_stack;
use std::fmt::{self, Display, Formatter, Write};

/// Nesting beyond which lines are not indented further.
const DEEPEST_INDENT: usize = 16;

/// The text of a file.
pub fn print(items: &[Item]) -> String {
    let mut p = Printer { out: String::new(), depth: 0 };
    items.iter().for_each(|item| p.item(item));
    p.out
}

impl Display for Name {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Name::Var(v) => write!(f, "v{v}"),
            Name::Plain(name) => f.write_str(name),
            Name::Nth(stem, n) => write!(f, "{stem}{n}"),
            Name::Of(stem, of, n) => write!(f, "{stem}{of}_{n}"),
        }
    }
}

// ---- expressions ----------------------------------------------------------------------------------------

/// Precedence: an operand whose level is lower than its place needs is put in brackets.
type Level = u8;
const ANY: Level = 0;
const CHOICE: Level = 1;
const SUM: Level = 8;
const PREFIX: Level = 10;
const POSTFIX: Level = 11;

fn infix(operator: Infix) -> (&'static str, Level) {
    match operator {
        Infix::Or => ("||", 2),
        Infix::And => ("&&", 3),
        Infix::BitOr => ("|", 4),
        Infix::BitAnd => ("&", 5),
        Infix::Equal => ("==", 6),
        Infix::Unequal => ("!=", 6),
        Infix::Less => ("<", 7),
        Infix::AtMost => ("<=", 7),
        Infix::Greater => (">", 7),
        Infix::AtLeast => (">=", 7),
        Infix::Add => ("+", SUM),
        Infix::Subtract => ("-", SUM),
        Infix::Multiply => ("*", 9),
        Infix::Divide => ("/", 9),
        Infix::Remainder => ("%", 9),
    }
}

fn prefix(operator: Prefix) -> &'static str {
    match operator {
        Prefix::Not => "!",
        Prefix::Minus => "-",
        Prefix::Address => "&",
        Prefix::LabelAddress => "&&",
        Prefix::Dereference => "*",
        Prefix::Increment => "++",
        Prefix::Decrement => "--",
        Prefix::Sizeof => "sizeof ",
    }
}

fn level(e: &Expr) -> Level {
    match e {
        Expr::Choice(..) => CHOICE,
        Expr::Infix(operator, ..) => infix(*operator).1,
        // The sign of a constant is an operator, which another sign must not touch.
        Expr::Int(n) if *n < 0 => SUM,
        Expr::Prefix(..) | Expr::Cast(..) => PREFIX,
        _ => POSTFIX,
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Expr::Name(name) => write!(f, "{name}"),
            Expr::Int(n) => write!(f, "{n}"),
            Expr::Unsigned(n) => write!(f, "{n}u"),
            Expr::Word(n) => write!(f, "UINT64_C({n})"),
            Expr::Float(bits) => write!(f, "UINT64_C({bits}) /* {:?} */", f64::from_bits(*bits)),
            Expr::Text(bytes) => f.write_str(&quoted(bytes)),
            Expr::Index(a, i) => write!(f, "{}[{i}]", At(POSTFIX, a)),
            Expr::Member(a, name) => write!(f, "{}.{name}", At(POSTFIX, a)),
            Expr::Arrow(a, name) => write!(f, "{}->{name}", At(POSTFIX, a)),
            Expr::Call(name, args) => write!(f, "{name}({})", List(args)),
            Expr::Prefix(operator, a) => write!(f, "{}{}", prefix(*operator), At(POSTFIX, a)),
            Expr::Increment(a) => write!(f, "{}++", At(POSTFIX, a)),
            Expr::Infix(operator, a, b) => {
                let (text, level) = infix(*operator);
                write!(f, "{} {text} {}", At(level, a), At(level + 1, b))
            }
            Expr::Choice(test, a, b) => {
                write!(f, "{} ? {} : {}", At(CHOICE + 1, test), At(CHOICE, a), At(CHOICE, b))
            }
            Expr::Cast(ty, a) => write!(f, "({ty}){}", At(PREFIX, a)),
            Expr::Compound(ty, list) => write!(f, "({ty}){{{}}}", List(list)),
            Expr::List(list) => write!(f, "{{{}}}", List(list)),
        }
    }
}

/// An operand in a place that needs this level.
struct At<'a>(Level, &'a Expr);

impl Display for At<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        if level(self.1) < self.0 { write!(f, "({})", self.1) } else { write!(f, "{}", self.1) }
    }
}

struct List<'a>(&'a [Expr]);

impl Display for List<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        for (n, e) in self.0.iter().enumerate() {
            let comma = if n > 0 { ", " } else { "" };
            write!(f, "{comma}{}", At(ANY, e))?;
        }
        Ok(())
    }
}

/// A string literal of these bytes.
pub fn quoted(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for &b in bytes {
        match b {
            b'"' | b'\\' | b'?' => {
                out.push('\\');
                out.push(char::from(b));
            }
            32..=126 => out.push(char::from(b)),
            _ => out.push_str(&format!("\\{b:03o}")),
        }
    }
    out.push('"');
    out
}

// ---- declarations ---------------------------------------------------------------------------------------

/// A type before a name.
fn typed(ty: &str, name: impl Display) -> String {
    if ty.ends_with('*') { format!("{ty}{name}") } else { format!("{ty} {name}") }
}

impl Display for Declaration {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str(&typed(self.ty, self.name))?;
        match self.count {
            Count::One => {}
            Count::Array(n) => write!(f, "[{n}]")?,
            Count::Listed => f.write_str("[]")?,
        }
        match &self.value {
            Some(value) => write!(f, " = {value};"),
            None => f.write_char(';'),
        }
    }
}

impl Display for Head {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let params: Vec<String> = self.params.iter().map(|(ty, name)| typed(ty, name)).collect();
        write!(f, "{}({})", typed(self.result, self.name), params.join(", "))
    }
}

// ---- statements and files -------------------------------------------------------------------------------

struct Printer {
    out: String,
    depth: usize,
}

impl Printer {
    fn line(&mut self, text: impl Display) {
        for _ in 0..self.depth.min(DEEPEST_INDENT) {
            self.out.push_str("    ");
        }
        let _ = writeln!(self.out, "{text}");
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Line(line) => self.line(line),
            Item::Declare(declaration) => self.line(declaration),
            Item::Prototype(head) => self.line(format_args!("{head};")),
            Item::External(result, name, params, symbol) => {
                let symbol = quoted(symbol.as_bytes());
                self.line(format_args!("extern {result} {name}({}) __asm__({symbol});", params.join(", ")));
            }
            Item::Function(Function { title, head, body }) => {
                if let Some(title) = title {
                    self.out.push('\n');
                    self.line(format_args!("/* {} */", title.replace("*/", "* /")));
                }
                self.block(head, body);
            }
            Item::Assembly(text) => self.line(format_args!("__asm__({});", quoted(text))),
        }
    }

    /// A head, and the block after it.
    fn block(&mut self, head: impl Display, stmts: &[Stmt]) {
        self.line(format_args!("{head} {{"));
        self.inner(stmts);
        self.line('}');
    }

    fn inner(&mut self, stmts: &[Stmt]) {
        self.depth += 1;
        with_stack(|| stmts.iter().for_each(|stmt| self.stmt(stmt)));
        self.depth -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Expr(e) => self.line(format_args!("{e};")),
            Stmt::Set(place, value) => self.line(format_args!("{place} = {value};")),
            Stmt::Raise(place, value) => self.line(format_args!("{place} += {value};")),
            Stmt::Declare(declaration) => self.line(declaration),
            Stmt::If(test, then, other) => {
                self.line(format_args!("if ({test}) {{"));
                self.inner(then);
                if !other.is_empty() {
                    self.line("} else {");
                    self.inner(other);
                }
                self.line('}');
            }
            Stmt::Block(stmts) => {
                self.line('{');
                self.inner(stmts);
                self.line('}');
            }
            Stmt::Forever(stmts) => self.block("for (;;)", stmts),
            Stmt::While(test, stmts) => self.block(format_args!("while ({test})"), stmts),
            Stmt::Switch(value, arms) => {
                self.line(format_args!("switch ({value}) {{"));
                for (n, arm) in arms.iter().enumerate() {
                    self.block(format_args!("case {n}:"), arm);
                }
                self.line('}');
            }
            Stmt::Label(name) => self.line(format_args!("{name}:;")),
            Stmt::Goto(name) => self.line(format_args!("goto {name};")),
            Stmt::GotoAddress(e) => self.line(format_args!("goto *{};", At(POSTFIX, e))),
            Stmt::Break => self.line("break;"),
            Stmt::Return(Some(e)) => self.line(format_args!("return {e};")),
            Stmt::Return(None) => self.line("return;"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tam::c::{call_of, cast, compound};

    fn var(v: usize) -> Expr {
        Name::Var(v).into()
    }

    #[track_caller]
    fn prints(e: Expr, wanted: &str) {
        assert_eq!(e.to_string(), wanted);
    }

    #[test]
    fn brackets_stand_where_precedence_needs_them() {
        prints(var(1) + var(2) + var(3), "v1 + v2 + v3");
        prints(var(1) - (var(2) - var(3)), "v1 - (v2 - v3)");
        prints((var(1) + 1) * var(2), "(v1 + 1) * v2");
        prints(var(1) * var(2) + 1, "v1 * v2 + 1");
        prints(!var(1).equals(2), "!(v1 == 2)");
        prints(cast("int64_t", var(1) - 1), "(int64_t)(v1 - 1)");
        prints(cast("int64_t", cast("double", var(1))), "(int64_t)(double)v1");
        prints(cast("int64_t", var(1)).at_most(cast("int64_t", var(2))), "(int64_t)v1 <= (int64_t)v2");
        prints(var(1).less(2).choose(var(1), var(2)), "v1 < 2 ? v1 : v2");
        prints(var(1).less(2).choose(1, 2) + 1, "(v1 < 2 ? 1 : 2) + 1");
        prints((var(1) + 1).arrow("v").at(var(2).then_raised()), "(v1 + 1)->v[v2++]");
        prints(var(1).at(0).after(Prefix::Decrement).equals(0), "--v1[0] == 0");
        prints(call_of("f".into(), [var(1) + 1, compound("t", [var(2), 0.into()])]), "f(v1 + 1, (t){v2, 0})");
    }

    #[test]
    fn signs_do_not_touch() {
        prints(var(1) - Expr::Int(-1), "v1 - (-1)");
        prints(-Expr::Int(-1), "-(-1)");
        prints(-(-var(1)), "-(-v1)");
        prints(call_of("f".into(), [Expr::Int(-1)]), "f(-1)");
    }

    #[test]
    fn constants() {
        prints(Expr::Word(u64::MAX), "UINT64_C(18446744073709551615)");
        prints(Expr::Float(1.5f64.to_bits()), "UINT64_C(4609434218613702656) /* 1.5 */");
        prints(Expr::Text(b"a\"?\\\n\xff1".to_vec()), "\"a\\\"\\?\\\\\\012\\3771\"");
    }

    #[test]
    fn statements_are_indented() {
        let body = vec![
            Stmt::declare("struct tam_frame *", "k", 0),
            Stmt::Label("again".into()),
            Stmt::If(var(1), vec![Stmt::Goto("again".into())], vec![Stmt::Raise(var(1), 2.into())]),
            Stmt::Switch(var(1), vec![vec![Stmt::Break], vec![Stmt::Return(None)]]),
        ];
        let head = Head { result: "static void", name: Name::Nth("d", 3), params: vec![("int", "a".into())] };
        let text = print(&[Item::Function(Function { title: Some("f*/".into()), head, body })]);
        let wanted = "
/* f* / */
static void d3(int a) {
    struct tam_frame *k = 0;
    again:;
    if (v1) {
        goto again;
    } else {
        v1 += 2;
    }
    switch (v1) {
    case 0: {
        break;
    }
    case 1: {
        return;
    }
    }
}
";
        assert_eq!(text, wanted);
    }
}
