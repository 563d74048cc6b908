//! Mutants that are compiled together: each is written into the sources beside the code that it replaces,
//! with a test of an environment variable at run time ([`CHOSEN`]). So a whole sample costs one build, and
//! each mutant the time of its tests.
//!
//! cargo-mutants lists the mutants and their places. An operator has its expression written twice, a function
//! returns early, an arm of a `match` gets a guard. All of that is inserted: nothing of the sources is
//! removed, so that mutants may stand inside each other.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::Value;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The environment variable with the number of the mutant that a program has.
pub const CHOSEN: &str = "MUTANT";

/// The module added to each mutated crate: whether a mutant has been chosen.
const SWITCH: &str = r#"
#[allow(missing_docs)]
pub(crate) mod mutation {
    pub fn on(number: u32) -> bool {
        static CHOSEN: std::sync::LazyLock<Option<u32>> =
            std::sync::LazyLock::new(|| std::env::var("MUTANT").ok()?.parse().ok());
        *CHOSEN == Some(number)
    }
}
"#;

/// A mutant.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The package.
    pub package: String,
    /// The file, from the top of the sources.
    pub file: PathBuf,
    /// The description by cargo-mutants, without file and position.
    pub what: String,
    kind: Kind,
    /// The beginning: line and column, both from 1, in characters.
    pub start: (usize, usize),
    replacement: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Function,
    Binary,
    Unary,
    Arm,
    Guard,
    Field,
}

impl Mutant {
    /// A mutant as cargo-mutants writes it.
    pub fn read(value: &Value) -> Option<Mutant> {
        let start = &value["span"]["start"];
        let kind = match value["genre"].as_str()? {
            "FnValue" => Kind::Function,
            "BinaryOperator" => Kind::Binary,
            "UnaryOperator" => Kind::Unary,
            "MatchArm" => Kind::Arm,
            "MatchArmGuard" => Kind::Guard,
            "StructField" => Kind::Field,
            _ => return None,
        };
        let name = value["name"].as_str()?;
        Some(Mutant {
            package: value["package"].as_str()?.to_string(),
            file: value["file"].as_str()?.into(),
            what: name.splitn(4, ':').nth(3).unwrap_or(name).trim().to_string(),
            kind,
            start: (start["line"].as_u64()? as usize, start["column"].as_u64()? as usize),
            replacement: value["replacement"].as_str()?.to_string(),
        })
    }
}

/// The text inserted around a range of a file's bytes.
#[derive(Debug)]
struct Insertion {
    mutant: u32,
    around: Range<usize>,
    before: String,
    after: String,
}

/// Writes mutants into the sources at `tree`, a copy of those at `original`, and the switch into the
/// `packages`. `chosen`: the mutants, numbered from 1, without those that are `dropped`. Mutants that cannot
/// be written so are left out.
///
/// # Errors
/// If a file cannot be read, understood or written.
pub fn write(
    tree: &Path,
    original: &Path,
    packages: &[&str],
    chosen: &[&Mutant],
    dropped: &HashSet<u32>,
) -> Result<Written, String> {
    let mut files: HashMap<&Path, Vec<(u32, &Mutant)>> = HashMap::new();
    for (number, &mutant) in (1..).zip(chosen) {
        let of_file = files.entry(&mutant.file).or_default();
        if !dropped.contains(&number) {
            of_file.push((number, mutant));
        }
    }
    let mut written = Written::default();
    for (file, mutants) in files {
        let text = fs::read_to_string(original.join(file)).map_err(|e| format!("{}: {e}", file.display()))?;
        let insertions = insertions(&text, &mutants).map_err(|e| format!("{}: {e}", file.display()))?;
        let (text, places) = apply(&text, insertions);
        store(&tree.join(file), &text)?;
        written.places.insert(file.to_owned(), places);
    }
    // Always written, so that cargo rebuilds the package.
    for package in packages {
        let lib = Path::new("crates").join(package).join("src/lib.rs");
        let from = if written.places.contains_key(&lib) { tree } else { original };
        let text = fs::read_to_string(from.join(&lib)).map_err(|e| format!("{}: {e}", lib.display()))?;
        store(&tree.join(&lib), &(text + SWITCH))?;
    }
    Ok(written)
}

fn store(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The places of the mutants in the mutated files.
#[derive(Debug, Default)]
pub struct Written {
    /// By file: each mutant with its range of bytes.
    places: HashMap<PathBuf, Vec<(u32, Range<usize>)>>,
}

impl Written {
    /// The mutants that have been written.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + use<'_> {
        self.places.values().flatten().map(|&(number, _)| number)
    }

    /// The innermost mutant around a byte of a file: an error of the compiler there is about that mutant.
    pub fn at(&self, file: &Path, byte: usize) -> Option<u32> {
        let around = self.places.get(file)?.iter().filter(|(_, range)| range.contains(&byte));
        around.min_by_key(|(_, range)| range.len()).map(|&(number, _)| number)
    }
}

fn insertions(text: &str, mutants: &[(u32, &Mutant)]) -> Result<Vec<Insertion>, String> {
    let lines: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let file = syn::parse_file(text).map_err(|error| error.to_string())?;
    let mut finder = Finder { text, lines: &lines, mutants, found: Vec::new() };
    for &(number, mutant) in mutants.iter().filter(|(_, m)| m.kind == Kind::Function) {
        let start = finder.byte(mutant.start);
        let before = format!("if {} {{ return {}; }} ", on(number), mutant.replacement);
        finder.insert(number, start..start, before, "");
    }
    finder.visit_file(&file);
    Ok(finder.found)
}

fn on(number: u32) -> String {
    format!("crate::mutation::on({number})")
}

/// The text with all insertions, and the place of each in it.
fn apply(text: &str, mut insertions: Vec<Insertion>) -> (String, Vec<(u32, Range<usize>)>) {
    // Outer ones first; an empty one, at the start of a function, before all.
    insertions.sort_by_key(|i| (i.around.start, !i.around.is_empty(), usize::MAX - i.around.end, i.mutant));
    let (mut out, mut at) = (String::new(), 0);
    let mut open: Vec<(usize, usize)> = Vec::new(); // (number in `insertions`, start in `out`)
    let mut places = Vec::new();
    let mut close = |out: &mut String, at: &mut usize, open: &mut Vec<(usize, usize)>, until: usize| {
        while let Some(&(last, from)) = open.last().filter(|(last, _)| insertions[*last].around.end <= until)
        {
            let insertion = &insertions[last];
            out.push_str(&text[*at..insertion.around.end]);
            *at = insertion.around.end;
            out.push_str(&insertion.after);
            places.push((insertion.mutant, from..out.len()));
            open.pop();
        }
    };
    for (n, insertion) in insertions.iter().enumerate() {
        close(&mut out, &mut at, &mut open, insertion.around.start);
        out.push_str(&text[at..insertion.around.start]);
        at = insertion.around.start;
        open.push((n, out.len()));
        out.push_str(&insertion.before);
    }
    close(&mut out, &mut at, &mut open, text.len());
    out.push_str(&text[at..]);
    (out, places)
}

/// Finds the expressions with a mutated operator, and the mutated arms.
struct Finder<'a> {
    text: &'a str,
    /// The offsets at which lines begin.
    lines: &'a [usize],
    mutants: &'a [(u32, &'a Mutant)],
    found: Vec<Insertion>,
}

impl<'a> Finder<'a> {
    /// The byte at a line and column.
    fn byte(&self, (line, column): (usize, usize)) -> usize {
        let start = self.lines[line - 1];
        let inside: usize = self.text[start..].chars().take(column - 1).map(char::len_utf8).sum();
        start + inside
    }

    fn range(&self, spanned: &impl Spanned) -> Range<usize> {
        let place = |at: proc_macro2::LineColumn| self.byte((at.line, at.column + 1));
        place(spanned.span().start())..place(spanned.span().end())
    }

    /// The mutants of this kind that begin where `spanned` does.
    fn at(&self, kind: Kind, spanned: &impl Spanned) -> Vec<(u32, &'a Mutant)> {
        let start = spanned.span().start();
        let begins = |m: &Mutant| m.kind == kind && m.start == (start.line, start.column + 1);
        self.mutants.iter().filter(|(_, m)| begins(m)).copied().collect()
    }

    fn insert(&mut self, mutant: u32, around: Range<usize>, before: String, after: &str) {
        self.found.push(Insertion { mutant, around, before, after: after.to_owned() });
    }

    /// The expression of this range, or `other` if the mutant is chosen.
    fn choose(&mut self, mutant: u32, around: Range<usize>, other: String) {
        self.insert(mutant, around, format!("(if {} {{ {other} }} else {{ ", on(mutant)), " })");
    }
}

/// Whether an expression has a `let` that belongs to its condition: no parentheses may be put around it.
fn binds(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(b) => binds(&b.left) || binds(&b.right),
        _ => false,
    }
}

/// Whether an arm can be given a guard: it has none, and its pattern does not fit every value, so that the
/// `match` may be complete without it.
fn is_plain(arm: &syn::Arm) -> bool {
    !matches!(arm.pat, syn::Pat::Guard(_)) && !always_fits(&arm.pat)
}

/// Whether a pattern fits every value.
fn always_fits(pattern: &syn::Pat) -> bool {
    match pattern {
        syn::Pat::Wild(_) | syn::Pat::Rest(_) => true,
        syn::Pat::Ident(name) => {
            name.subpat.is_none()
                && name.ident.to_string().starts_with(|c: char| c.is_lowercase() || c == '_')
        }
        syn::Pat::Paren(inner) => always_fits(&inner.pat),
        syn::Pat::Reference(inner) => always_fits(&inner.pat),
        syn::Pat::Tuple(parts) => parts.elems.iter().all(always_fits),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr(&mut self, e: &'ast syn::Expr) {
        match e {
            syn::Expr::Binary(b) if !binds(e) => {
                for (number, mutant) in self.at(Kind::Binary, &b.op) {
                    let (left, right) = (self.range(&b.left), self.range(&b.right));
                    let other = format!("{} {} {}", &self.text[left], mutant.replacement, &self.text[right]);
                    self.choose(number, self.range(e), other);
                }
            }
            syn::Expr::Unary(u) => {
                for (number, _) in self.at(Kind::Unary, &u.op) {
                    let other = self.text[self.range(&u.expr)].to_owned();
                    self.choose(number, self.range(e), other);
                }
            }
            // The compiler's error about a `match` that is incomplete without an arm is at its head.
            syn::Expr::Match(m) => {
                for arm in m.arms.iter().filter(|arm| is_plain(arm)) {
                    for (number, _) in self.at(Kind::Arm, arm) {
                        self.insert(number, self.range(&m.expr), String::new(), "");
                    }
                }
            }
            _ => {}
        }
        visit::visit_expr(self, e);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let (pattern, guard) = match &arm.pat {
            syn::Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
            other => (other, None),
        };
        for (number, _) in self.at(Kind::Arm, arm) {
            match guard {
                Some(guard) if !binds(guard) => {
                    self.insert(number, self.range(guard), format!("!{} && (", on(number)), ")");
                }
                None if is_plain(arm) => {
                    let end = self.range(pattern).end;
                    self.insert(number, end..end, format!(" if !{}", on(number)), "");
                }
                Some(_) | None => {}
            }
        }
        if let Some(guard) = guard.filter(|guard| !binds(guard)) {
            for (number, mutant) in self.at(Kind::Guard, guard) {
                self.choose(number, self.range(guard), mutant.replacement.clone());
            }
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr_struct(&mut self, s: &'ast syn::ExprStruct) {
        for field in &s.fields {
            let (Some(rest), syn::Member::Named(name)) = (&s.rest, &field.member) else { continue };
            for (number, _) in self.at(Kind::Field, field) {
                let other = format!("({}).{name}", &self.text[self.range(rest)]);
                let around = self.range(field);
                if field.colon_token.is_some() {
                    self.choose(number, self.range(&field.expr), other);
                } else {
                    let before = format!("{name}: (if {} {{ {other} }} else {{ ", on(number));
                    self.insert(number, around, before, " })");
                }
            }
        }
        visit::visit_expr_struct(self, s);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutants(of: &[(Kind, (usize, usize), &str)]) -> Vec<Mutant> {
        of.iter()
            .map(|&(kind, start, replacement)| Mutant {
                package: "p".into(),
                file: "f".into(),
                what: String::new(),
                kind,
                start,
                replacement: replacement.into(),
            })
            .collect()
    }

    fn mutated(text: &str, of: &[(Kind, (usize, usize), &str)]) -> String {
        let mutants = mutants(of);
        let numbered: Vec<(u32, &Mutant)> = (1..).zip(&mutants).collect();
        let (text, places) = apply(text, insertions(text, &numbered).expect("Rust"));
        let written: HashSet<u32> = places.iter().map(|(number, _)| *number).collect();
        assert_eq!(written.len(), mutants.len());
        text.replace("crate::mutation::", "")
    }

    #[test]
    fn operators_have_both_forms() {
        let text = "fn f() { g(é < !b); }";
        assert_eq!(
            mutated(
                text,
                &[(Kind::Binary, (1, 14), "<="), (Kind::Binary, (1, 14), "=="), (Kind::Unary, (1, 16), "")]
            ),
            "fn f() { g((if on(1) { é <= !b } else { (if on(2) { é == !b } else { é < \
             (if on(3) { b } else { !b }) }) })); }"
        );
    }

    #[test]
    fn arms_that_fit_every_value_stay() {
        let text = "fn f() { match x { (1, _) => a(), (_, y) => b(), } }";
        let mutants = mutants(&[(Kind::Arm, (1, 35), ""), (Kind::Arm, (1, 20), "")]);
        let numbered: Vec<(u32, &Mutant)> = (1..).zip(&mutants).collect();
        let (text, places) = apply(text, insertions(text, &numbered).expect("Rust"));
        assert!(text.contains("(1, _) if !crate::mutation::on(2) => a(), (_, y) => b()"), "{text}");
        let head: Vec<&str> = places.iter().map(|(_, range)| &text[range.clone()]).collect();
        assert_eq!(head, ["x", " if !crate::mutation::on(2)"]);
    }

    #[test]
    fn functions_return_and_arms_have_guards() {
        let text =
            "fn f() -> u8 {\n match x {\n 1 => 2,\n 3 if y => 4,\n _ => S { a: 1, b, ..d() }.a,\n }\n}";
        let mutants = [
            (Kind::Function, (2, 2), "7"),
            (Kind::Arm, (3, 2), ""),
            (Kind::Arm, (4, 2), ""),
            (Kind::Guard, (4, 7), "true"),
            (Kind::Field, (5, 11), ""),
            (Kind::Field, (5, 17), ""),
        ];
        assert_eq!(
            mutated(text, &mutants),
            "fn f() -> u8 {\n if on(1) { return 7; } match x {\n 1 if !on(2) => 2,\n \
             3 if !on(3) && ((if on(4) { true } else { y })) => 4,\n \
             _ => S { a: (if on(5) { (d()).a } else { 1 }), b: (if on(6) { (d()).b } else { b }), ..d() }.a,\n }\n}"
        );
    }
}
