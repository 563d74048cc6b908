//! The top level of a program: its items, declarations of types, and types as written.

use super::{Parse, Parser, Wrong};
use crate::syntax::ast::*;
use crate::syntax::lexer::{Tok, Token};
use base::{Code, Diagnostic};
use std::collections::{HashMap, HashSet};

/// A part of a declaration of constructors.
enum Part {
    Name,
    Field,
}

/// The constructors that the text declares, and their numbers of fields, before anything is parsed.
pub(super) fn constructors(tokens: &[Token]) -> HashMap<String, usize> {
    let mut found = HashMap::new();
    let mut last = None;
    for_constructors(tokens, &mut |at, part| match (part, &tokens[at].tok) {
        (Part::Name, Tok::Word(con)) => {
            found.insert(con.clone(), 0);
            last = Some(con.clone());
        }
        _ => {
            if let Some(con) = &last {
                *found.entry(con.clone()).or_insert(0) += 1;
            }
        }
    });
    found
}

/// The names of the fields of constructors that have some, in their order.
pub(super) fn records(tokens: &[Token]) -> HashMap<String, Vec<String>> {
    let (mut found, mut last) = (HashMap::new(), String::new());
    for_constructors(tokens, &mut |at, part| match (part, &tokens[at].tok) {
        (Part::Name, Tok::Word(con)) => last = con.clone(),
        (Part::Field, Tok::Op("{")) => {
            found.insert(last.clone(), field_names(&tokens[at..]));
        }
        _ => {}
    });
    found
}

/// The names after the `{` and each `;`, up to the `}`.
fn field_names(tokens: &[Token]) -> Vec<String> {
    let mut names = Vec::new();
    let mut begins = false;
    for token in tokens.iter().take_while(|t| !matches!(t.tok, Tok::Op("}") | Tok::End)) {
        match &token.tok {
            Tok::Op("{" | ";") => begins = true,
            Tok::Op(".") => {}
            Tok::Word(name) if begins => {
                names.push(name.clone());
                begins = false;
            }
            _ => begins = false,
        }
    }
    names
}

/// Calls `visit` for each constructor that is declared, and for each of its fields.
fn for_constructors(tokens: &[Token], visit: &mut dyn FnMut(usize, Part)) {
    let mut at = 0;
    while at < tokens.len() {
        let is_type = matches!(&tokens[at].tok, Tok::Word(w) if w == "type");
        at += 1;
        if !is_type {
            continue;
        }
        while at < tokens.len() && !matches!(tokens[at].tok, Tok::Op("=" | ";") | Tok::End) {
            at += 1;
        }
        let (mut expected, mut depth, mut named) = (true, 0i32, false);
        while at < tokens.len() && !matches!(tokens[at].tok, Tok::End) {
            match &tokens[at].tok {
                Tok::Op(";") if depth == 0 => break,
                Tok::Op("(" | "{") => {
                    if depth == 0 && named {
                        visit(at, Part::Field);
                    }
                    depth += 1;
                }
                Tok::Op(")" | "}") => depth -= 1,
                Tok::Op("|") if depth == 0 => expected = true,
                Tok::Word(_) if depth == 0 && expected && !matches!(tokens[at - 1].tok, Tok::Op("*")) => {
                    visit(at, Part::Name);
                    (named, expected) = (true, false);
                }
                Tok::Word(_) | Tok::Int(_) if depth == 0 && named => visit(at, Part::Field),
                _ => {}
            }
            at += 1;
        }
    }
}

/// The user's constructors, and whether each is declared with a capital letter.
pub(super) fn capitals(tokens: &[Token], user_from: u32) -> HashMap<String, bool> {
    let users = &tokens[tokens.partition_point(|t| t.span.lo < user_from)..];
    let mut found = HashMap::new();
    for_constructors(users, &mut |at, what| {
        if let (Some(Tok::Word(name)), Part::Name) = (users.get(at).map(|t| &t.tok), what) {
            found.insert(name.clone(), users[at].capital);
        }
    });
    found
}

/// The user's constructors with a capital letter that are functions of the library without it, and occur in
/// the user's text in that form too: `Sin e` beside `sin x`.
pub(super) fn beside_library(tokens: &[Token], user_from: u32) -> HashSet<String> {
    let (library, users) = tokens.split_at(tokens.partition_point(|t| t.span.lo < user_from));
    let mut found: HashSet<String> = capitals(tokens, user_from)
        .into_iter()
        .filter_map(|(name, capital)| capital.then_some(name))
        .collect();
    if found.is_empty() {
        return found;
    }
    let functions: HashSet<&str> = library
        .windows(2)
        .filter_map(|t| match (&t[0].tok, &t[1].tok) {
            (Tok::Word(w), Tok::Word(name)) if w == "def" || w == "typeof" => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let small: HashSet<&str> = users
        .iter()
        .filter_map(|t| match &t.tok {
            Tok::Word(name) if !t.capital => Some(name.as_str()),
            _ => None,
        })
        .collect();
    found.retain(|name| functions.contains(name.as_str()) && small.contains(name.as_str()));
    found
}

/// Returns the tokens, with these constructors and their test functions made distinct from the names that
/// differ only in the case of the first letter: the words of the constructors begin with a capital letter, as
/// no other name does here.
pub(super) fn apart(tokens: &[Token], user_from: u32, names: &HashSet<String>) -> Vec<Token> {
    let declared = capitals(tokens, user_from);
    let mut out = tokens.to_vec();
    for token in out.iter_mut().filter(|t| t.span.lo >= user_from) {
        let capital = token.capital;
        let Tok::Word(word) = &mut token.tok else { continue };
        let name = word.strip_suffix('?').filter(|n| names.contains(*n)).unwrap_or(word);
        if names.contains(name) && declared.get(name) == Some(&capital) {
            *word = word[..1].to_ascii_uppercase() + &word[1..];
        }
    }
    out
}

/// The types of the user whose names the library or the language has too.
pub(super) fn hiding_types(tokens: &[Token], user_from: u32) -> HashSet<String> {
    let (mut library, mut users) = (HashSet::new(), HashSet::new());
    for (at, token) in tokens.iter().enumerate() {
        if !matches!(&token.tok, Tok::Word(w) if w == "type" || w == "typesyn") {
            continue;
        }
        let open = usize::from(matches!(tokens.get(at + 1).map(|t| &t.tok), Some(Tok::Op("("))));
        if let Some(Tok::Word(name)) = tokens.get(at + 1 + open).map(|t| &t.tok) {
            let names = if token.span.lo < user_from { &mut library } else { &mut users };
            names.insert(name.clone());
        }
    }
    users.retain(|name| library.contains(name) || crate::syntax::builtin::is_type(name));
    users
}

impl Parser<'_> {
    /// Parses the name of a type, as the later phases know it.
    fn type_name(&mut self, wanted: &str) -> Parse<Name> {
        let users = self.span().lo >= self.user_from;
        let mut name = self.name(wanted)?;
        // A type may be spelled like a constructor that `apart` has given a capital letter.
        if name.text.as_bytes()[0].is_ascii_uppercase() && !self.is_declared_type(&name.text) {
            name.text.make_ascii_lowercase();
        }
        if users && self.hiding.contains(&name.text) {
            name.text.insert(0, '\'');
        }
        Ok(name)
    }

    fn is_declared_type(&self, name: &str) -> bool {
        self.tokens.windows(3).any(|t| {
            let declares = matches!(&t[0].tok, Tok::Word(w) if w == "type" || w == "typesyn");
            let open = usize::from(matches!(t[1].tok, Tok::Op("(")));
            declares && matches!(&t[1 + open].tok, Tok::Word(w) if w == name)
        })
    }

    pub(super) fn program(&mut self, program: &mut Program, user_from: u32) {
        while *self.tok() != Tok::End {
            let from = self.at;
            if self.eat_op(";") {
                continue;
            }
            let users = self.span().lo >= user_from;
            self.depth = 0;
            self.stops.clear();
            if self.item(program, users).is_err() {
                self.recover(from);
            }
            if self.at == from {
                self.step();
            }
        }
    }

    fn item(&mut self, program: &mut Program, users: bool) -> Parse<()> {
        let open = usize::from(matches!(self.tok_at(1), Tok::Op("(")));
        let synonym = self.is_word("typesyn") && matches!(self.tok_at(1 + open), Tok::Word(_));
        if self.is_word("type") || synonym {
            let decl = self.type_decl()?;
            program.types.push(decl);
            return self.end_of_item();
        }
        if self.eat_op("@") {
            return self.pragma(program);
        }
        let stmt = self.stmt()?;
        match stmt {
            Stmt::Do(expr) if users => program.results.push(expr),
            stmt if users => program.stmts.push(stmt),
            stmt => program.library.push(stmt),
        }
        self.end_of_item()
    }

    fn end_of_item(&mut self) -> Parse<()> {
        let begins = |w: &str| matches!(w, "def" | "defsubst" | "type" | "typeof");
        let starts = matches!(self.tok(), Tok::Word(w) if begins(w));
        if self.eat_op(";") || *self.tok() == Tok::End || starts {
            Ok(())
        } else {
            self.wrong("`;` between definitions")
        }
    }

    /// Parses a pragma after its `@`, at the top level; files are included already.
    fn pragma(&mut self, program: &mut Program) -> Parse<()> {
        let name = self.name("the name of a pragma")?;
        if name.text == "external" {
            return self.external(program);
        }
        if name.text != "include" {
            let text = format!("the pragma `@{}` is not known, and is left out", name.text);
            self.said.push(Diagnostic::warning(Code::IdPragma, name.span, text));
        }
        while !matches!(self.tok(), Tok::Op(";") | Tok::End) {
            self.step();
        }
        Ok(())
    }

    /// Parses `@external f;` or `@external f "symbol";`: a function of C.
    fn external(&mut self, program: &mut Program) -> Parse<()> {
        let name = self.name("the name of a function of C")?;
        let symbol = match self.tok().clone() {
            Tok::Str(text) => {
                let symbol = String::from_utf8_lossy(&text).into_owned();
                let fits = |(n, c): (usize, char)| {
                    c == '_' || c.is_ascii_alphabetic() || (n > 0 && c.is_ascii_digit())
                };
                if symbol.is_empty() || !symbol.chars().enumerate().all(fits) {
                    return self.wrong("the name of a function in C, in quotes");
                }
                self.step();
                symbol
            }
            _ => name.text.clone(),
        };
        program.externals.push((name, symbol));
        self.end_of_item()
    }

    fn type_decl(&mut self) -> Parse<TypeDecl> {
        let synonym = self.is_word("typesyn");
        self.step();
        let open = self.eat_op("(");
        let name = self.type_name("the name of a type")?;
        let mut params = Vec::new();
        while self.is_op("*") {
            params.push(self.type_variable()?);
        }
        if open {
            self.need_op(")", "`)`")?;
        }
        self.need_op("=", "`=` and the type's constructors")?;
        if synonym {
            let ty = self.type_expr()?;
            return Ok(TypeDecl { name, params, cons: Vec::new(), synonym: Some(ty) });
        }
        let mut cons = Vec::new();
        loop {
            cons.push(self.con_decl()?);
            if !self.eat_op("|") {
                break;
            }
        }
        Ok(TypeDecl { name, params, cons, synonym: None })
    }

    fn con_decl(&mut self) -> Parse<ConDecl> {
        let name = self.name("a constructor")?;
        let mut fields = Vec::new();
        if self.eat_op("{") {
            while !self.eat_op("}") {
                let i_field = self.eat_op(".");
                let field = self.name("a field's name")?;
                self.need_op("=", "`=` and the field's type")?;
                let kind = match (self.eat_op("!"), i_field) {
                    (true, _) => ArrayKind::M,
                    (_, true) => ArrayKind::I,
                    _ => ArrayKind::Functional,
                };
                let ty = self.type_expr()?;
                fields.push(FieldDecl { name: Some(field), ty, kind });
                if !self.eat_op(";") && !self.is_op("}") {
                    return self.wrong("`;` or `}`");
                }
            }
            // So far the table of constructors counts a record as one field.
            self.constructors.insert(name.text.clone(), fields.len());
            return Ok(ConDecl { name, fields });
        }
        while self.is_op("(") || self.is_op("*") || self.is_name() {
            let ty = self.type_primary()?;
            fields.push(FieldDecl { name: None, ty, kind: ArrayKind::Functional });
        }
        Ok(ConDecl { name, fields })
    }

    /// Parses `*0` or `*a`.
    fn type_variable(&mut self) -> Parse<String> {
        self.need_op("*", "a type variable such as *0")?;
        let text = match self.tok() {
            Tok::Int(n) => n.to_string(),
            Tok::Word(word) => word.clone(),
            _ => return self.wrong("a number or a name after `*`"),
        };
        self.step();
        Ok(text)
    }

    pub(super) fn type_expr(&mut self) -> Parse<TypeExpr> {
        let from = self.type_apply()?;
        if self.eat_op("->") {
            let to = self.deeper(Self::type_expr)?;
            return Ok(TypeExpr::Fun(Box::new(from), Box::new(to)));
        }
        Ok(from)
    }

    fn type_apply(&mut self) -> Parse<TypeExpr> {
        let head = self.type_primary()?;
        let mut args = Vec::new();
        while self.is_op("(") || self.is_op("*") || self.is_name() {
            args.push(self.type_primary()?);
        }
        Ok(if args.is_empty() { head } else { TypeExpr::Apply(Box::new(head), args) })
    }

    fn type_primary(&mut self) -> Parse<TypeExpr> {
        let span = self.span();
        if self.is_op("*") {
            let text = self.type_variable()?;
            return Ok(TypeExpr::Var(text, span.to(self.last_span())));
        }
        if self.eat_op("(") {
            if self.eat_op(")") {
                let span = span.to(self.last_span());
                return Ok(TypeExpr::Name(Name { text: "void".into(), span }));
            }
            let mut parts = vec![self.deeper(Self::type_expr)?];
            while self.eat_op(",") {
                parts.push(self.deeper(Self::type_expr)?);
            }
            self.close(")", span)?;
            return Ok(if parts.len() == 1 { parts.swap_remove(0) } else { TypeExpr::Tuple(parts) });
        }
        if self.is_name() {
            return Ok(TypeExpr::Name(self.type_name("a type")?));
        }
        self.wrong::<TypeExpr>("a type").map_err(|_| Wrong)
    }
}
