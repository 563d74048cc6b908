//! A tree as text: one declaration or statement a line, expressions fully parenthesised, types read out
//! from the name outwards.

use base::Source;
use c_syntax::ast::*;
use std::fmt::Write;

pub fn dump(source: &Source, unit: &Unit) -> String {
    let mut d = Dump { source, unit, out: String::new(), indent: 0 };
    for &item in &unit.items {
        d.decl(item);
    }
    for (at, strict) in &unit.strictness {
        let word = if *strict { "strict" } else { "relaxed" };
        let before: String = source.text[..*at as usize].chars().rev().take(12).collect();
        let before: String = before.chars().rev().collect();
        writeln!(d.out, "{word} after {before:?}").expect("text");
    }
    d.out
}

struct Dump<'a> {
    source: &'a Source,
    unit: &'a Unit,
    out: String,
    indent: usize,
}

impl Dump<'_> {
    fn line(&mut self, text: impl AsRef<str>) {
        let _ = writeln!(self.out, "{}{}", "  ".repeat(self.indent), text.as_ref());
    }

    fn inside(&mut self, work: impl FnOnce(&mut Self)) {
        self.indent += 1;
        work(self);
        self.indent -= 1;
    }

    fn text(&self, span: base::Span) -> String {
        self.source.slice(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn decl(&mut self, id: DeclId) {
        match &self.unit.decls[id].kind {
            DeclKind::Vars { specs, items } => {
                let head = self.specs(*specs);
                if items.is_empty() {
                    self.line(format!("decl {head}"));
                }
                for item in items {
                    let text = self.item(&head, item);
                    self.line(format!("decl {text}"));
                }
                self.tags(*specs);
            }
            DeclKind::Function { specs, declarator, kr, body } => {
                let text = self.declarator(&self.specs(*specs), *declarator);
                self.line(format!("function {text}"));
                self.inside(|d| {
                    kr.iter().for_each(|&decl| d.decl(decl));
                    d.stmt(*body);
                });
            }
            DeclKind::StaticAssert { cond, message } => {
                let message = message.map_or(String::new(), |m| self.text(m));
                let text = format!("static_assert {} {message}", self.expr(*cond));
                self.line(text);
            }
            DeclKind::Asm => self.line("asm"),
            DeclKind::Empty => self.line("empty"),
        }
    }

    fn item(&self, head: &str, item: &InitDeclarator) -> String {
        let mut text = self.declarator(head, item.declarator);
        if let Some(width) = item.width {
            text += &format!(" : {}", self.expr(width));
        }
        if let Some(label) = item.asm_label {
            text += &format!(" {}", self.text(label));
        }
        text += &attrs(&item.attrs);
        if let Some(init) = item.init {
            text += &format!(" = {}", self.init(init));
        }
        text
    }

    /// Members and enumerators of the types defined in the specifiers.
    fn tags(&mut self, specs: SpecsId) {
        for ty in &self.unit.specs[specs].types {
            match ty {
                TypeSpec::Record(id) => {
                    let fields = self.unit.records[*id].fields.clone().unwrap_or_default();
                    self.inside(|d| fields.iter().for_each(|&f| d.decl(f)));
                }
                TypeSpec::Enum(id) => {
                    for (name, value) in self.unit.enums[*id].values.iter().flatten() {
                        let value = value.map_or(String::new(), |v| format!(" = {}", self.expr(v)));
                        let text = format!("{}{value}", name.text);
                        self.inside(|d| d.line(text));
                    }
                }
                _ => {}
            }
        }
    }

    fn specs(&self, id: SpecsId) -> String {
        let specs = &self.unit.specs[id];
        let mut words: Vec<String> =
            specs.storage.iter().map(|s| format!("{:?}", s.0).to_lowercase()).collect();
        words.extend(specs.function.iter().map(|&s| self.text(s)));
        words.extend(specs.alignas.iter().map(|a| self.text(a.span)));
        words.extend(specs.quals.iter().map(|q| self.qual(q)));
        for ty in &specs.types {
            words.push(match ty {
                TypeSpec::Basic(basic, _) => format!("{basic:?}").to_lowercase(),
                TypeSpec::Typedef(name) => format!("'{}'", name.text),
                TypeSpec::Record(id) => {
                    let record = &self.unit.records[*id];
                    let tag = record.tag.as_ref().map_or("?", |t| &t.text);
                    format!("{:?} {tag}{}", record.kind, attrs(&record.attrs)).to_lowercase()
                }
                TypeSpec::Enum(id) => {
                    let it = &self.unit.enums[*id];
                    format!("enum {}{}", it.tag.as_ref().map_or("?", |t| &t.text), attrs(&it.attrs))
                }
                TypeSpec::TypeofExpr(e, _) => format!("typeof({})", self.expr(*e)),
                TypeSpec::TypeofType(t, _) => format!("typeof({})", self.type_name(*t)),
                TypeSpec::Atomic(t, _) => format!("atomic({})", self.type_name(*t)),
                TypeSpec::AutoType(_) => "auto_type".into(),
            });
        }
        let list = attrs(&specs.attrs);
        if !list.is_empty() {
            words.push(list.trim_start().to_owned());
        }
        words.join(" ")
    }

    fn qual(&self, qual: &Qual) -> String {
        match qual.kind {
            QualKind::Global => "global".into(),
            QualKind::Spread => "spread".into(),
            QualKind::Shared(Layout::Default) => "shared".into(),
            QualKind::Shared(Layout::Indefinite) => "shared[]".into(),
            QualKind::Shared(Layout::Star) => "shared[*]".into(),
            QualKind::Shared(Layout::Expr(e)) => format!("shared[{}]", self.expr(e)),
            kind => format!("{kind:?}").to_lowercase(),
        }
    }

    /// `x: array 3 of pointer to int`
    fn declarator(&self, head: &str, id: DeclaratorId) -> String {
        let declarator = &self.unit.declarators[id];
        let name = declarator.name.as_ref().map_or("_", |n| &n.text);
        let mut text = format!("{name}:");
        for part in &declarator.parts {
            text += &match part {
                Part::Pointer { quals, .. } => format!(" {}pointer to", self.quals(quals)),
                Part::Block { .. } => " block".into(),
                Part::Spread { .. } => " spread over blocks of".into(),
                Part::Array { size, quals, is_static, .. } => {
                    let size = match size {
                        ArraySize::None => "?".into(),
                        ArraySize::Star => "*".into(),
                        ArraySize::Expr(e) => self.expr(*e),
                    };
                    let word = if *is_static { "static " } else { "" };
                    format!(" array {word}{}{size} of", self.quals(quals))
                }
                Part::Function { params, variadic, old_style, names, .. } => {
                    let mut list: Vec<String> = params.iter().map(|&p| self.param(p)).collect();
                    list.extend(names.iter().map(|n| n.text.to_string()));
                    list.extend(variadic.then(|| "...".into()));
                    let old = if *old_style { "old " } else { "" };
                    format!(" {old}function({}) returning", list.join(", "))
                }
            };
        }
        let head = if head.is_empty() { "?" } else { head };
        format!("{text} {head}{}", attrs(&declarator.attrs))
    }

    fn quals(&self, quals: &[Qual]) -> String {
        quals.iter().map(|q| self.qual(q) + " ").collect()
    }

    fn param(&self, id: DeclId) -> String {
        match &self.unit.decls[id].kind {
            DeclKind::Vars { specs, items } => self.item(&self.specs(*specs), &items[0]),
            other => format!("{other:?}"),
        }
    }

    fn type_name(&self, id: TypeNameId) -> String {
        let name = &self.unit.type_names[id];
        self.declarator(&self.specs(name.specs), name.declarator)
    }

    fn init(&self, id: InitId) -> String {
        match &self.unit.inits[id].kind {
            InitKind::Expr(e) => self.expr(*e),
            InitKind::List(list) => {
                let entries: Vec<String> = list
                    .iter()
                    .map(|(path, init)| {
                        let path = self.path(path);
                        let eq = if path.is_empty() { "" } else { " = " };
                        format!("{path}{eq}{}", self.init(*init))
                    })
                    .collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }

    fn path(&self, path: &[Designator]) -> String {
        path.iter()
            .map(|step| match step {
                Designator::Field(name) => format!(".{}", name.text),
                Designator::Index(e) => format!("[{}]", self.expr(*e)),
                Designator::Range(a, b) => format!("[{} ... {}]", self.expr(*a), self.expr(*b)),
            })
            .collect()
    }

    fn list(&self, exprs: &[ExprId]) -> String {
        exprs.iter().map(|&e| self.expr(e)).collect::<Vec<_>>().join(", ")
    }

    pub fn expr(&self, id: ExprId) -> String {
        use ExprKind::*;
        let expr = &self.unit.exprs[id];
        let e = |id: &ExprId| self.expr(*id);
        match &expr.kind {
            Ident(name) => name.text.to_string(),
            Number | Char | String | FuncName | HasAttribute => self.text(expr.span),
            Threads => "THREADS".into(),
            MyThread => "MYTHREAD".into(),
            Error => "<error>".into(),
            Paren(a) => format!("paren{}", e(a)),
            Index(a, b) => format!("{}[{}]", e(a), e(b)),
            Call(f, args) => format!("{}({})", e(f), self.list(args)),
            Member { base, arrow, name } => {
                format!("{}{}{}", e(base), if *arrow { "->" } else { "." }, name.text)
            }
            Post(op, a) => format!("({} post{op:?})", e(a)),
            Pre(op, a) => format!("(pre{op:?} {})", e(a)),
            Unary(op, a) => format!("({op:?} {})", e(a)),
            Binary(op, a, b) => format!("({} {op:?} {})", e(a), e(b)),
            Assign(None, a, b) => format!("({} = {})", e(a), e(b)),
            Split(op, a, b) => format!("({} split {op:?} {})", e(a), e(b)),
            Assign(Some(op), a, b) => format!("({} {op:?}= {})", e(a), e(b)),
            Cond(c, None, b) => format!("({} ?: {})", e(c), e(b)),
            Cond(c, Some(a), b) => format!("({} ? {} : {})", e(c), e(a), e(b)),
            Cast(ty, a) => format!("(cast <{}> {})", self.type_name(*ty), e(a)),
            Compound(ty, init) => format!("(literal <{}> {})", self.type_name(*ty), self.init(*init)),
            SizeofExpr(op, a) => format!("({op:?} {})", e(a)),
            SizeofType(op, ty) => format!("({op:?} <{}>)", self.type_name(*ty)),
            Stmts(body) => {
                let mut inner =
                    Dump { source: self.source, unit: self.unit, out: Default::default(), indent: 0 };
                inner.stmt(*body);
                format!("({})", inner.out.split_whitespace().collect::<Vec<_>>().join(" "))
            }
            Generic(control, arms) => {
                let arms: Vec<_> = arms
                    .iter()
                    .map(|(ty, v)| {
                        format!("{}: {}", ty.map_or("default".into(), |t| self.type_name(t)), e(v))
                    })
                    .collect();
                format!("generic({}; {})", e(control), arms.join("; "))
            }
            Offsetof(ty, path) => format!("offsetof(<{}>, {})", self.type_name(*ty), self.path(path)),
            VaArg(a, ty) => format!("va_arg({}, <{}>)", e(a), self.type_name(*ty)),
            TypesCompatible(a, b) => {
                format!("compatible(<{}>, <{}>)", self.type_name(*a), self.type_name(*b))
            }
            Choose(a, b, c) => format!("choose({}, {}, {})", e(a), e(b), e(c)),
            ConvertVector(a, ty) => format!("convert({}, <{}>)", e(a), self.type_name(*ty)),
            LabelAddr(name) => format!("(label {})", name.text),
            Extension(a) => format!("(extension {})", e(a)),
        }
    }

    fn opt(&self, id: Option<ExprId>) -> String {
        id.map_or("-".into(), |e| self.expr(e))
    }

    fn head(&mut self, init: ForInit) -> String {
        match init {
            ForInit::None => "-".into(),
            ForInit::Expr(e) => self.expr(e),
            ForInit::Decl(d) => self.text(self.unit.decls[d].span),
        }
    }

    fn with(&mut self, head: String, bodies: &[StmtId]) {
        self.line(head);
        self.inside(|d| bodies.iter().for_each(|&b| d.stmt(b)));
    }

    fn stmt(&mut self, id: StmtId) {
        use StmtKind::*;
        let e = |d: &Self, id: &ExprId| d.expr(*id);
        match &self.unit.stmts[id].kind {
            Compound(list) => self.with("block".into(), list),
            Decl(decl) => self.decl(*decl),
            Expr(value) => self.line(self.opt(*value) + ";"),
            If(c, then, other) => {
                let bodies: Vec<_> = std::iter::once(*then).chain(*other).collect();
                self.with(format!("if {}", e(self, c)), &bodies);
            }
            While(c, body) => self.with(format!("while {}", e(self, c)), &[*body]),
            Do(body, c) => self.with(format!("do until not {}", e(self, c)), &[*body]),
            For { init, cond, step, body } => {
                let head = format!("for {}; {}; {}", self.head(*init), self.opt(*cond), self.opt(*step));
                self.with(head, &[*body]);
            }
            Forall { init, cond, step, affinity, body } => {
                let affinity = match affinity {
                    Affinity::None => "-".into(),
                    Affinity::Continue => "continue".into(),
                    Affinity::Expr(a) => self.expr(*a),
                };
                let (cond, step) = (self.opt(*cond), self.opt(*step));
                let head = format!("forall {}; {cond}; {step}; {affinity}", self.head(*init));
                self.with(head, &[*body]);
            }
            Switch(c, body) => self.with(format!("switch {}", e(self, c)), &[*body]),
            Case(a, None, body) => self.with(format!("case {}", e(self, a)), &[*body]),
            Case(a, Some(b), body) => self.with(format!("case {} ... {}", e(self, a), e(self, b)), &[*body]),
            Default(body) => self.with("default".into(), &[*body]),
            Label(name, body) => self.with(format!("label {}", name.text), &[*body]),
            Goto(name) => self.line(format!("goto {}", name.text)),
            GotoExpr(a) => self.line(format!("goto *{}", e(self, a))),
            Continue => self.line("continue"),
            Break => self.line("break"),
            Return(value) => self.line(format!("return {}", self.opt(*value))),
            Asm { operands, .. } => {
                let exprs: Vec<ExprId> = operands.iter().map(|o| o.expr).collect();
                self.line(format!("asm {}", self.list(&exprs)))
            }
            Barrier(kind, value) => self.line(format!("{kind:?} {}", self.opt(*value))),
            Fence => self.line("fence"),
            Opaque => self.line(format!("opaque {}", self.text(self.unit.stmts[id].span))),
            Error => self.line("<error>"),
        }
    }
}

fn attrs(list: &[Attr]) -> String {
    list.iter()
        .map(|a| {
            if a.args.is_empty() {
                format!(" @{}", a.name)
            } else {
                format!(" @{}({})", a.name, a.args.len())
            }
        })
        .collect()
}
