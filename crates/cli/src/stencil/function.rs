//! Marked functions: their names, arguments and statements.

use super::source::{MARK, Piece, Statement, bracketed, list, pieces};
use super::{Wrong, wrong};

/// A function for one element.
#[derive(Debug)]
pub struct Function {
    pub name: String,
    /// The module that contains it, with that module's own `use` statements.
    pub module: Option<Module>,
    /// The element type as it is declared, and the expression for its number in `meridian_arrays`.
    pub declared: String,
    pub kind: String,
    pub radius: Vec<i64>,
    /// Whether it takes the element of the previous time level.
    pub old: bool,
    pub result: String,
    /// The declarations that the statements need, and the statements, which refer to the subgrid.
    pub declarations: Vec<String>,
    pub body: Vec<String>,
}

/// A module with marked functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    pub name: String,
    /// The `use` statements in it: names that it imports in this way need not be public.
    pub uses: Vec<String>,
}

/// Element types: their declarations in Fortran, and their names in `meridian_arrays`.
const TYPES: [(&str, &[&str]); 12] = [
    ("mer_float64", &["real(8)", "doubleprecision", "real(real64)", "real(c_double)"]),
    ("mer_float32", &["real", "real(4)", "real(real32)", "real(c_float)"]),
    ("mer_long_double", &["real(10)", "real(c_long_double)"]),
    ("mer_float128", &["real(16)", "real(real128)"]),
    ("mer_complex128", &["complex(8)", "complex(real64)", "complex(c_double)", "complex(c_double_complex)"]),
    (
        "mer_complex64",
        &["complex", "complex(4)", "complex(real32)", "complex(c_float)", "complex(c_float_complex)"],
    ),
    ("mer_complex_long_double", &["complex(10)", "complex(c_long_double)", "complex(c_long_double_complex)"]),
    ("mer_complex256", &["complex(16)", "complex(real128)"]),
    ("mer_int32", &["integer", "integer(4)", "integer(int32)", "integer(c_int)", "integer(c_int32_t)"]),
    ("mer_int64", &["integer(8)", "integer(int64)", "integer(c_long)", "integer(c_int64_t)"]),
    ("mer_int16", &["integer(2)", "integer(int16)", "integer(c_short)", "integer(c_int16_t)"]),
    ("mer_int8", &["integer(1)", "integer(int8)", "integer(c_int8_t)", "integer(c_signed_char)"]),
];

/// The types whose kind is a named constant of the program: the kinds of C that it may equal, and their names
/// in `meridian_arrays`; the last one stands for any other kind.
const NAMED_KINDS: [(&str, &[(&str, &str)]); 3] = [
    (
        "real",
        &[
            ("c_double", "mer_float64"),
            ("c_float", "mer_float32"),
            ("c_long_double", "mer_long_double"),
            ("", "mer_float128"),
        ],
    ),
    (
        "complex",
        &[
            ("c_double", "mer_complex128"),
            ("c_float", "mer_complex64"),
            ("c_long_double", "mer_complex_long_double"),
            ("", "mer_complex256"),
        ],
    ),
    (
        "integer",
        &[
            ("c_int32_t", "mer_int32"),
            ("c_int64_t", "mer_int64"),
            ("c_int16_t", "mer_int16"),
            ("", "mer_int8"),
        ],
    ),
];

/// Returns all marked functions of a source.
pub fn marked(statements: &[Statement]) -> Result<Vec<Function>, Wrong> {
    let (mut found, mut module): (_, Option<Module>) = (Vec::new(), None);
    let mut at = 0;
    while let Some(statement) = statements.get(at) {
        at += 1;
        let words: Vec<&str> = statement.text.split_whitespace().collect();
        match words.as_slice() {
            [first, name] if first.eq_ignore_ascii_case("module") => {
                module = Some(Module { name: (*name).to_owned(), uses: Vec::new() });
            }
            [first, ..] if first.eq_ignore_ascii_case("use") || first.eq_ignore_ascii_case("use,") => {
                if let Some(module) = &mut module {
                    module.uses.push(statement.text.clone());
                }
            }
            [MARK, "stencil"] => {
                statements.get(at).map_or(Ok(()), |first| head(first).map(drop))?;
                let end = statements[at..].iter().position(|statement| ends(statement).is_some());
                let Some(length) = end.filter(|&end| ends(&statements[at + end]) == Some(true)) else {
                    let last = end.map_or(statements.last(), |end| statements.get(at + end));
                    return wrong(
                        last.map_or(1, |last| last.line),
                        "the marked function has no `end function`",
                    );
                };
                found.push(function(&statements[at..at + length], module.clone())?);
                at += length;
            }
            [MARK, ..] => {
                return wrong(statement.line, "the directive has to be `!$meridian stencil`");
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Returns whether the statement may end a function, if it ends a program unit.
fn ends(statement: &Statement) -> Option<bool> {
    let text = statement.text.to_ascii_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        ["end"] | ["endfunction", ..] | ["end", "function", ..] => Some(true),
        ["endsubroutine" | "endmodule" | "endprogram", ..]
        | ["end", "subroutine" | "module" | "program", ..] => Some(false),
        _ => None,
    }
}

/// The parsed first statement of a function.
struct Head {
    name: String,
    arguments: Vec<String>,
    result: String,
    /// The type of the result, if it stands before `function`.
    prefix: String,
}

fn head(statement: &Statement) -> Result<Head, Wrong> {
    let text = &statement.text;
    let lower = text.to_ascii_lowercase();
    let Some(at) = lower.find("function ") else {
        return wrong(statement.line, "a function has to follow `!$meridian stencil`");
    };
    let rest = text[at + "function ".len()..].trim_start();
    let open = rest.find('(').unwrap_or(rest.len());
    let Some((arguments, behind)) = bracketed(&rest[open..]) else {
        return wrong(statement.line, "the function has no arguments");
    };
    let name = rest[..open].trim().to_owned();
    let result = match behind.to_ascii_lowercase().find("result") {
        Some(at) => {
            bracketed(behind[at + "result".len()..].trim_start()).map(|(name, _)| name.trim().to_owned())
        }
        None => None,
    };
    let attribute = |word: &&str| !matches!(*word, "pure" | "elemental" | "impure" | "recursive");
    let prefix: Vec<&str> = lower[..at].split_whitespace().filter(attribute).collect();
    let result = result.unwrap_or_else(|| name.clone());
    Ok(Head { arguments: list(arguments), result, prefix: prefix.join(" "), name })
}

/// The keywords that begin declarations.
const DECLARATIONS: [&str; 12] = [
    "integer",
    "real",
    "complex",
    "logical",
    "character",
    "double",
    "type",
    "parameter",
    "dimension",
    "use",
    "implicit",
    "import",
];

fn is_declaration(statement: &Statement) -> Result<bool, Wrong> {
    let lower = statement.text.to_ascii_lowercase();
    let first = lower.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or("");
    let declares = DECLARATIONS.contains(&first);
    let colons = lower.contains("::") || matches!(first, "use" | "implicit" | "import");
    if declares && !colons && !lower.contains('=') {
        return wrong(statement.line, "declarations in a stencil's function need `::`");
    }
    Ok(declares && colons)
}

fn function(statements: &[Statement], module: Option<Module>) -> Result<Function, Wrong> {
    let Some(first) = statements.first() else { return wrong(1, "a function is expected here") };
    let head = head(first)?;
    let (window, old) = match head.arguments.as_slice() {
        [window] if !window.is_empty() => (window.clone(), None),
        [window, old] => (window.clone(), Some(old.clone())),
        _ => {
            return wrong(
                first.line,
                "a stencil's function has one or two arguments: the neighbourhood of an element, and the \
                 element of the level before",
            );
        }
    };
    let mut declared = None;
    let (mut declarations, mut body) = (Vec::new(), Vec::new());
    if !head.prefix.is_empty() {
        declarations.push(format!("{} :: {}", head.prefix, head.result));
    }
    for statement in &statements[1..] {
        if body.is_empty() && is_declaration(statement)? {
            take_declaration(statement, &window, old.as_deref(), &mut declared, &mut declarations)?;
            continue;
        }
        let Some(declared) = &declared else {
            return wrong(statement.line, format!("the bounds of `{window}` are not declared"));
        };
        let Some(what) = unusable(&statement.text) else {
            let place = Place { line: statement.line, window: &window, old: old.as_deref(), declared };
            body.push(place.to_subgrid(&statement.text)?);
            continue;
        };
        return wrong(statement.line, what);
    }
    let Some(declared) = declared else {
        return wrong(first.line, format!("the bounds of `{window}` are not declared"));
    };
    add_copy(first.line, &window, &declared, &mut declarations, &mut body)?;
    let Window { declared, kind, bounds } = declared;
    let old = old.is_some();
    let radius = bounds.iter().map(|&(low, high)| high.max(-low)).collect();
    Ok(Function {
        name: head.name,
        module,
        declared,
        kind,
        radius,
        old,
        result: head.result,
        declarations,
        body,
    })
}

/// Declares the copy of the window, and sets it, if it is used.
fn add_copy(
    line: usize,
    window: &str,
    declared: &Window,
    declarations: &mut Vec<String>,
    body: &mut Vec<String>,
) -> Result<(), Wrong> {
    let copied = |texts: &[String]| texts.iter().any(|text| pieces(text).contains(&Piece::Word(COPY)));
    let set = copied(body);
    if set || copied(declarations) {
        let axes: Vec<String> = declared.bounds.iter().map(|(low, high)| format!("{low}:{high}")).collect();
        declarations.insert(0, format!("{} :: {COPY}({})", declared.declared, axes.join(", ")));
    }
    if set {
        let place = Place { line, window, old: None, declared };
        body.insert(0, format!("{COPY} = {}", place.elements(window, &place.all())?));
    }
    Ok(())
}

struct Window {
    declared: String,
    kind: String,
    bounds: Vec<(i64, i64)>,
}

/// Returns why a statement cannot stand in a loop over elements.
fn unusable(text: &str) -> Option<&'static str> {
    let lower = text.to_ascii_lowercase();
    if lower.split_whitespace().any(|word| word == "return") {
        return Some("a stencil's function ends at its last statement, and has no `return`");
    }
    (lower.trim() == "contains").then_some("a stencil's function has no functions of its own")
}

/// Keeps a declaration, except those of the arguments, which are recorded in `found`.
fn take_declaration(
    statement: &Statement,
    window: &str,
    old: Option<&str>,
    found: &mut Option<Window>,
    declarations: &mut Vec<String>,
) -> Result<(), Wrong> {
    let Some((kind, names)) = statement.text.split_once("::") else {
        if !statement.text.to_ascii_lowercase().starts_with("implicit") {
            declarations.insert(0, statement.text.clone()); // `use` stands before all else
        }
        return Ok(());
    };
    let mut kept = Vec::new();
    for name in list(names) {
        let bare = name.split(['(', '=']).next().unwrap_or("").trim().to_owned();
        if bare.eq_ignore_ascii_case(window) {
            *found = Some(declared_window(statement, kind, &name)?);
        } else if !old.is_some_and(|old| bare.eq_ignore_ascii_case(old)) {
            kept.push(name);
        }
    }
    if !kept.is_empty() {
        let declaration = format!("{} :: {}", kind.trim(), kept.join(", "));
        declarations.push(with_copy(&declaration, window, old));
    }
    Ok(())
}

/// Replaces the arguments in a declaration by the copy: it may use their kind, size or bounds.
fn with_copy(declaration: &str, window: &str, old: Option<&str>) -> String {
    let argument = |word: &str| {
        word.eq_ignore_ascii_case(window) || old.is_some_and(|old| word.eq_ignore_ascii_case(old))
    };
    let copied = |piece| match piece {
        Piece::Word(word) if argument(word) => COPY,
        Piece::Word(word) | Piece::Other(word) => word,
    };
    pieces(declaration).into_iter().map(copied).collect()
}

/// Returns the expression for a type's number, which the Fortran compiler evaluates if the kind is a named
/// constant of the program. `plain` is in lower case and has no blanks.
fn number_of(plain: &str) -> Option<String> {
    let plain = match plain.split_once('*') {
        Some(("complex", bytes)) => format!("complex({})", bytes.parse::<u32>().ok()? / 2),
        Some((base, bytes)) => format!("{base}({bytes})"),
        None => plain.replacen("(kind=", "(", 1),
    };
    if let Some((number, _)) = TYPES.iter().find(|(_, names)| names.contains(&plain.as_str())) {
        return Some((*number).to_owned());
    }
    let (base, rest) = plain.split_once('(')?;
    let kind = rest.strip_suffix(')')?;
    if !kind.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let (_, kinds) = NAMED_KINDS.iter().find(|(name, _)| *name == base)?;
    let (last, others) = kinds.split_last()?;
    let choose =
        |else_: String, (c, number): &(&str, &str)| format!("merge({number}, {else_}, {kind} == {c})");
    Some(others.iter().rev().fold(last.1.to_owned(), choose))
}

/// Returns the bounds in brackets after a name, or after `dimension`.
fn bounds_of(name: &str) -> Option<Vec<String>> {
    let at = name.find('(')?;
    bracketed(&name[at..]).map(|(bounds, _)| list(bounds))
}

fn declared_window(statement: &Statement, kind: &str, name: &str) -> Result<Window, Wrong> {
    let mut attributes = list(kind);
    let declared = attributes.remove(0);
    attributes.retain(|attribute| attribute.to_ascii_lowercase().starts_with("dimension"));
    let plain: String = declared.to_ascii_lowercase().split_whitespace().collect();
    let Some(kind) = number_of(&plain) else {
        return wrong(statement.line, format!("`{declared}` is not an element type of distributed arrays"));
    };
    let declared_bounds = bounds_of(name).or_else(|| attributes.iter().find_map(|a| bounds_of(a)));
    let mut bounds = Vec::new();
    for bound in declared_bounds.unwrap_or_default() {
        let ends = bound.split_once(':').map(|(low, high)| (low.trim().parse(), high.trim().parse()));
        let Some((Ok(low), Ok(high))) = ends else {
            return wrong(
                statement.line,
                format!("the bounds `{bound}` have to be two whole numbers, as in -1:1"),
            );
        };
        let (low, high): (i64, i64) = (low, high);
        if low > 0 || high < 0 {
            return wrong(
                statement.line,
                format!("the bounds `{bound}` leave out the element itself, which is 0"),
            );
        }
        bounds.push((low, high));
    }
    if bounds.is_empty() || bounds.len() > 7 {
        return wrong(statement.line, format!("`{name}` needs the bounds of 1 to 7 axes"));
    }
    Ok(Window { declared, kind, bounds })
}

/// The most elements of the neighbourhood that an expression takes at once: they become a list, and Fortran
/// limits the length of a statement.
const MOST_AT_ONCE: usize = 400;

/// A local array with the window's bounds and elements, for expressions that depend on bounds: those of an
/// array constructor begin with 1.
const COPY: &str = "mer_w";

/// Whether the window's bounds matter in a reference to the whole window between these texts: it is the
/// argument of `lbound` or `ubound`, is associated with a name, or gives an allocatable array its shape.
fn bounds_matter(before: &str, behind: &str) -> bool {
    let before = before.trim_end();
    let inquired = before.strip_suffix('(').is_some_and(|before| {
        let lower = before.trim_end().to_ascii_lowercase();
        let word = lower.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1);
        matches!(&lower[word..], "lbound" | "ubound")
    });
    let assigned = before.strip_suffix('=').is_some_and(|before| !before.ends_with(['=', '/', '<', '>']))
        && (behind.trim_start().is_empty() || behind.trim_start().starts_with([',', ')']));
    inquired || assigned || before.ends_with("=>")
}

/// The place of a statement, and the names of the arguments there.
struct Place<'a> {
    line: usize,
    window: &'a str,
    old: Option<&'a str>,
    declared: &'a Window,
}

impl Place<'_> {
    /// Returns the text with references to the window and the old element replaced by those to the subgrid.
    fn to_subgrid(&self, text: &str) -> Result<String, Wrong> {
        let mut made = String::new();
        let mut rest = text;
        let mut member = false; // after a percent sign a name is that of a component
        while let Some(piece) = pieces(rest).first().copied() {
            let (Piece::Word(word) | Piece::Other(word)) = piece;
            rest = &rest[word.len()..];
            let next = rest.trim_start();
            // The keyword of an argument of another function, or of a component.
            let keyword = next.starts_with('=') && !next.starts_with("==");
            match piece {
                Piece::Word(word) if !member && !keyword && word.eq_ignore_ascii_case(self.window) => {
                    let subscripts = match bracketed(next) {
                        Some((inner, behind)) => {
                            rest = behind;
                            list(inner)
                        }
                        None if bounds_matter(&made, rest) => {
                            made.push_str(COPY);
                            continue;
                        }
                        None => self.all(),
                    };
                    made.push_str(&self.elements(word, &subscripts)?);
                }
                Piece::Word(word)
                    if !member && !keyword && self.old.is_some_and(|old| word.eq_ignore_ascii_case(old)) =>
                {
                    made.push_str("mer_v(mer_i)");
                }
                _ => made.push_str(word),
            }
            member = word == "%" || member && word.trim().is_empty();
        }
        Ok(made)
    }

    /// Returns the subscripts of the whole window.
    fn all(&self) -> Vec<String> {
        vec![":".to_owned(); self.declared.bounds.len()]
    }

    /// Returns an element of the window, or a section of it as an array of its elements, in Fortran's order.
    fn elements(&self, name: &str, subscripts: &[String]) -> Result<String, Wrong> {
        let Window { bounds, .. } = self.declared;
        if subscripts.len() != bounds.len() {
            let (inner, rank) = (subscripts.join(", "), bounds.len());
            return wrong(self.line, format!("`{name}({inner})` does not have rank {rank}"));
        }
        // The known part of each element: the offsets along the axes up to this one.
        let (mut found, mut extents) = (vec![String::new()], Vec::new());
        for (k, (subscript, &within)) in subscripts.iter().zip(bounds).enumerate() {
            let offsets = match self.section(name, subscript, within)? {
                Some(section) => {
                    extents.push(section.len().to_string());
                    section.iter().map(i64::to_string).collect()
                }
                None => vec![self.to_subgrid(subscript)?],
            };
            let add = |offset: &String, before: &String| format!("{before} + ({offset})*mer_s({})", k + 1);
            found = offsets
                .iter()
                .flat_map(|offset| found.iter().map(move |before| add(offset, before)))
                .collect();
            if found.len() > MOST_AT_ONCE {
                let what = format!("this section has more than {MOST_AT_ONCE} elements of `{name}`");
                return wrong(self.line, what);
            }
        }
        let found: Vec<String> = found.iter().map(|offsets| format!("mer_u(mer_i{offsets})")).collect();
        Ok(match extents.len() {
            0 => found.concat(),
            1 => format!("[{}]", found.join(", ")),
            _ => format!("reshape([{}], [{}])", found.join(", "), extents.join(", ")),
        })
    }

    /// Returns the offsets of a section `low:high` or `low:high:step` along an axis, each of which may be
    /// left out.
    fn section(
        &self,
        name: &str,
        subscript: &str,
        (first, last): (i64, i64),
    ) -> Result<Option<Vec<i64>>, Wrong> {
        let parts: Vec<&str> = subscript.split(':').map(str::trim).collect();
        if parts.len() == 1 {
            return Ok(None);
        }
        let number = |at: usize, default: i64| match parts.get(at) {
            None | Some(&"") => Some(default),
            Some(text) => text.parse().ok(),
        };
        let (Some(low), Some(high), Some(step @ 1..), 2 | 3) =
            (number(0, first), number(1, last), number(2, 1), parts.len())
        else {
            let what =
                format!("the section `{subscript}` of `{name}` has to be of whole numbers, as in -1:1");
            return wrong(self.line, what);
        };
        if low < first || high > last {
            let what = format!("the section `{subscript}` of `{name}` is not within {first}:{last}");
            return wrong(self.line, what);
        }
        Ok(Some((low..=high).step_by(step as usize).collect()))
    }
}
