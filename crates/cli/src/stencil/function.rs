//! Marked functions: what they are called, what they take, and their statements.

use super::source::{MARK, Piece, Statement, bracketed, list, pieces};
use super::{Wrong, wrong};

/// A function for one element.
#[derive(Debug)]
pub struct Function {
    pub name: String,
    /// The module in which it stands.
    pub module: Option<String>,
    /// The element type as it is declared, and the expression for its number in `meridian_arrays`.
    pub declared: String,
    pub kind: String,
    pub radius: Vec<i64>,
    /// It takes the element of the level before.
    pub old: bool,
    pub result: String,
    /// Declarations that its statements need, and the statements, which refer to the subgrid.
    pub declarations: Vec<String>,
    pub body: Vec<String>,
}

/// Element types: how they may be declared, and what `meridian_arrays` calls them.
const TYPES: [(&str, &[&str]); 10] = [
    ("mer_float64", &["real(8)", "real(kind=8)", "doubleprecision", "real(real64)", "real(c_double)"]),
    ("mer_float32", &["real", "real(4)", "real(kind=4)", "real(real32)", "real(c_float)"]),
    ("mer_long_double", &["real(10)", "real(c_long_double)"]),
    ("mer_float128", &["real(16)", "real(real128)"]),
    ("mer_complex128", &["complex(8)", "complex(real64)", "complex(c_double)", "complex(c_double_complex)"]),
    (
        "mer_complex64",
        &["complex", "complex(4)", "complex(real32)", "complex(c_float)", "complex(c_float_complex)"],
    ),
    ("mer_int32", &["integer", "integer(4)", "integer(int32)", "integer(c_int)", "integer(c_int32_t)"]),
    ("mer_int64", &["integer(8)", "integer(int64)", "integer(c_long)", "integer(c_int64_t)"]),
    ("mer_int16", &["integer(2)", "integer(int16)", "integer(c_short)", "integer(c_int16_t)"]),
    ("mer_int8", &["integer(1)", "integer(int8)", "integer(c_int8_t)", "integer(c_signed_char)"]),
];

/// All marked functions of a source.
pub fn marked(statements: &[Statement]) -> Result<Vec<Function>, Wrong> {
    let (mut found, mut module) = (Vec::new(), None);
    let mut at = 0;
    while let Some(statement) = statements.get(at) {
        at += 1;
        let words: Vec<&str> = statement.text.split_whitespace().collect();
        match words.as_slice() {
            [first, name] if first.eq_ignore_ascii_case("module") => module = Some((*name).to_owned()),
            [MARK, "stencil"] => {
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
                return wrong(statement.line, "the directive of Meridian's is `!$meridian stencil`");
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Whether the statement ends a unit of the program, and whether a function may be that.
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

/// The function's first statement, taken apart.
struct Head {
    name: String,
    arguments: Vec<String>,
    result: String,
    /// The result's type, where it stands in front of `function`.
    prefix: String,
}

fn head(statement: &Statement) -> Result<Head, Wrong> {
    let text = &statement.text;
    let lower = text.to_ascii_lowercase();
    let Some(at) = lower.find("function ") else {
        return wrong(statement.line, "behind `!$meridian stencil` a function has to stand");
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

/// What declarations begin with.
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
        return wrong(statement.line, "declarations of a stencil's function have to have `::`");
    }
    Ok(declares && colons)
}

fn function(statements: &[Statement], module: Option<String>) -> Result<Function, Wrong> {
    let Some(first) = statements.first() else { return wrong(1, "a function has to stand here") };
    let head = head(first)?;
    let (window, old) = match head.arguments.as_slice() {
        [window] if !window.is_empty() => (window.clone(), None),
        [window, old] => (window.clone(), Some(old.clone())),
        _ => {
            return wrong(
                first.line,
                "a stencil's function has one or two arguments: the elements around, and the \
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
            return wrong(statement.line, format!("`{window}` is not declared: its bounds have to be"));
        };
        let Window { radius, .. } = declared;
        if statement.text.to_ascii_lowercase().split_whitespace().any(|word| word == "return") {
            return wrong(
                statement.line,
                "a stencil's function ends at its last statement, and has no `return`",
            );
        }
        body.push(to_subgrid(statement, &statement.text, &window, old.as_deref(), radius.len())?);
    }
    let Some(Window { declared, kind, radius }) = declared else {
        return wrong(first.line, format!("`{window}` is not declared: its bounds have to be"));
    };
    let old = old.is_some();
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

struct Window {
    declared: String,
    kind: String,
    radius: Vec<i64>,
}

/// Keep a declaration, but for those of the arguments, which are taken note of.
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
        declarations.push(format!("{} :: {}", kind.trim(), kept.join(", ")));
    }
    Ok(())
}

/// The expression for a type's number. A kind that the source names is single or double precision, which the
/// Fortran compiler knows.
fn number_of(plain: &str) -> Option<String> {
    if let Some((number, _)) = TYPES.iter().find(|(_, names)| names.contains(&plain)) {
        return Some((*number).to_owned());
    }
    let (base, rest) = plain.split_once('(')?;
    let kind = rest.strip_suffix(')')?.trim_start_matches("kind=");
    let named = kind.starts_with(|c: char| c.is_ascii_alphabetic());
    let merged = |double: &str, single: &str| Some(format!("merge({double}, {single}, {kind} == c_double)"));
    match base {
        "real" if named => merged("mer_float64", "mer_float32"),
        "complex" if named => merged("mer_complex128", "mer_complex64"),
        _ => None,
    }
}

fn declared_window(statement: &Statement, kind: &str, name: &str) -> Result<Window, Wrong> {
    let declared = list(kind).swap_remove(0);
    let plain: String = declared.to_ascii_lowercase().split_whitespace().collect();
    let Some(kind) = number_of(&plain) else {
        return wrong(statement.line, format!("`{declared}` is no element type of distributed arrays"));
    };
    let bounds = name.find('(').and_then(|at| bracketed(&name[at..])).map(|(bounds, _)| list(bounds));
    let mut radius = Vec::new();
    for bound in bounds.unwrap_or_default() {
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
        radius.push(high.max(-low));
    }
    if radius.is_empty() || radius.len() > 7 {
        return wrong(statement.line, format!("`{name}` has to have the bounds of 1 to 7 axes"));
    }
    Ok(Window { declared, kind, radius })
}

/// The text with references to the window and the old element replaced by those to the subgrid.
fn to_subgrid(
    at: &Statement,
    text: &str,
    window: &str,
    old: Option<&str>,
    rank: usize,
) -> Result<String, Wrong> {
    let mut made = String::new();
    let mut rest = text;
    let mut member = false; // behind a percent sign a name is a component's
    while let Some(piece) = pieces(rest).first().copied() {
        let (Piece::Word(word) | Piece::Other(word)) = piece;
        rest = &rest[word.len()..];
        match piece {
            Piece::Word(word) if !member && word.eq_ignore_ascii_case(window) => {
                let Some((inner, behind)) = bracketed(rest.trim_start()) else {
                    return wrong(at.line, format!("`{word}` stands here without an element's offsets"));
                };
                let offsets = list(inner);
                if offsets.len() != rank {
                    return wrong(at.line, format!("`{word}({inner})` has not the rank {rank}"));
                }
                made.push_str("mer_u(mer_i");
                for (k, offset) in offsets.iter().enumerate() {
                    let offset = to_subgrid(at, offset, window, old, rank)?;
                    made.push_str(&format!(" + ({offset})*mer_s({})", k + 1));
                }
                made.push(')');
                rest = behind;
            }
            Piece::Word(word) if !member && old.is_some_and(|old| word.eq_ignore_ascii_case(old)) => {
                made.push_str("mer_v(mer_i)");
            }
            _ => made.push_str(word),
        }
        member = word == "%" || member && word.trim().is_empty();
    }
    Ok(made)
}
