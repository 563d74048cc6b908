//! `meridian stencil`: makes from functions for one element, marked in a Fortran source, a module of routines
//! that run them over subgrids (`struct mer_kernel` of `meridian/stencil.h`).
//!
//! A marked function takes the element's neighbourhood as an array with constant bounds, and works unchanged
//! in a serial program. The routines contain its statements in loops over rows and elements. Each reference
//! to the neighbourhood is replaced by one to the subgrid, so that the Fortran compiler vectorises the loops.

mod function;
mod source;
mod write;

use std::path::Path;

use base::say;

/// An error, and the line of the source.
#[derive(Debug)]
pub struct Wrong {
    line: usize,
    what: String,
}

fn wrong<T>(line: usize, what: impl Into<String>) -> Result<T, Wrong> {
    Err(Wrong { line, what: what.into() })
}

/// Reads the source, and writes the module to `out`, or to standard output.
pub fn run(path: &Path, out: Option<&Path>) -> i32 {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            say::error(format_args!("meridian stencil: cannot read {}: {error}\n", path.display()));
            return 1;
        }
    };
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let module = match module(&text, &stem) {
        Ok(module) => module,
        Err(Wrong { line, what }) => {
            say::error(format_args!("{}:{line}: error: {what}\n", path.display()));
            return 1;
        }
    };
    match out {
        None => say::out(format_args!("{module}")),
        Some(out) => {
            if let Err(error) = std::fs::write(out, module) {
                say::error(format_args!("meridian stencil: cannot write {}: {error}\n", out.display()));
                return 1;
            }
        }
    }
    0
}

/// Returns the module for a source; its name is that of the source's file, with `_stencils`.
fn module(text: &str, stem: &str) -> Result<String, Wrong> {
    let functions = function::marked(&source::statements(text))?;
    if functions.is_empty() {
        return wrong(
            1,
            "no function is marked; put a line `!$meridian stencil` before each function of a kernel",
        );
    }
    Ok(write::module(&functions, stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAT: &str = "module rules\ncontains\n!$meridian stencil\npure function heat(u) result(v)\n  \
        real(8), intent(in) :: u(-1:1, -2:0)\n  real(8) :: v, s ! u(9, 9)\n  s = u(-1, 0) + &\n    U (1 - 2, -2)\n  \
        v = merge(s, u(0, 0), 'u(' == \"x\")\nend function\nend module\n";

    #[test]
    fn a_reference_becomes_one_to_the_subgrid() {
        let module = module(HEAT, "rules").unwrap();
        let plain: String = module.split_whitespace().collect::<Vec<_>>().join("");
        assert!(plain.contains("s=mer_u(mer_i+(-1)*mer_s(1)+(0)*mer_s(2))+"), "{module}");
        assert!(plain.contains("mer_u(mer_i+(1-2)*mer_s(1)+(-2)*mer_s(2))"), "{module}");
        assert!(plain.contains("'u('==\"x\""), "{module}");
        assert!(plain.contains("radius(1:2)=[1,2]"), "{module}");
        assert!(module.contains("use rules"));
        assert!(module.contains("module rules_stencils"));
    }

    #[test]
    fn a_section_becomes_a_list_of_elements() {
        let of = |section: &str| {
            let module = module(&HEAT.replacen("u(-1, 0)", section, 1), "rules").unwrap();
            let plain: String = module.replace("&\n", "").replace([' ', '&'], "");
            let at = plain.find("\ns=").map(|at| at + 3).unwrap();
            plain[at..].split("+mer_u(mer_i+(1-2)").next().unwrap().replace("mer_u(mer_i+", "(").to_owned()
        };
        let element = |i: i64, j: i64| format!("(({i})*mer_s(1)+({j})*mer_s(2))");
        assert_eq!(of("sum(u(:0, -1))"), format!("sum([{},{}])", element(-1, -1), element(0, -1)));
        assert_eq!(of("sum(u(-1:1:2, 0))"), format!("sum([{},{}])", element(-1, 0), element(1, 0)));
        let all = of("sum(u)");
        assert!(all.starts_with(&format!("sum(reshape([{},{},", element(-1, -2), element(0, -2))), "{all}");
        assert!(all.ends_with(&format!("{}],[3,3]))", element(1, 0))), "{all}");
    }

    #[test]
    fn long_lines_are_cut_within_the_columns_that_there_are() {
        let module =
            module(&HEAT.replacen("u(-1, 0)", "sum(u) + sum(u**2) + maxval(u)", 1), "rules").unwrap();
        assert!(module.lines().all(|line| line.len() <= 132), "{module}");
        // After joining, the lines are the statement again: no blank has come into a name.
        let indent = " ".repeat(16);
        let whole = module.replace(&format!("&\n{indent}&"), "");
        let statement = whole.lines().find(|line| line.contains("maxval")).unwrap().trim_start();
        assert!(
            statement.len() > 3 * 110 && !statement.contains("  ") && !statement.contains('&'),
            "{statement}"
        );
    }

    #[test]
    fn kinds_with_names_and_what_the_module_uses() {
        let source = HEAT
            .replace(
                "module rules\n",
                "module rules\nuse, intrinsic :: iso_fortran_env, only: ik => int16\nprivate\n",
            )
            .replace("real(8), intent", "integer(kind=ik), intent");
        let module = module(&source, "rules").unwrap();
        assert!(
            module.contains(
                "        use, intrinsic :: iso_fortran_env, only: ik => int16\n        use rules\n"
            ),
            "{module}"
        );
        assert!(module.contains("ik == c_int16_t"), "{module}");
        assert!(module.contains("use meridian_arrays, only: mer_kernel, mer_tile, mer_int32,"), "{module}");
        for (declared, number) in
            [("real*8", "mer_float64"), ("complex*16", "mer_complex128"), ("integer*2", "mer_int16")]
        {
            let text =
                super::module(&HEAT.replacen("real(8), intent", &format!("{declared}, intent"), 1), "r")
                    .unwrap();
            assert!(text.contains(&format!("mer_one%kind = {number}\n")), "{declared}: {text}");
        }
    }

    #[test]
    fn bounds_as_an_attribute_and_several_statements_on_a_line() {
        let (bounds, several) =
            ("dimension(-1:1, -2:0), intent(in) :: u\n", "s = v; v = s + u(0, 0); v = merge");
        let source =
            HEAT.replacen("intent(in) :: u(-1:1, -2:0)\n", bounds, 1).replacen("v = merge", several, 1);
        let made = module(&source, "2d rules").unwrap();
        assert!(made.contains("radius(1:2) = [1, 2]"), "{made}");
        let lines: Vec<&str> = made.lines().map(str::trim).collect();
        assert!(lines.contains(&"s = v"), "{made}");
        assert!(lines.iter().any(|line| line.starts_with("v = s + mer_u(")), "{made}");
        assert!(lines.contains(&"module of_2d_rules_stencils"), "{made}");
    }

    #[test]
    fn what_cannot_be_right_is_told_with_its_line() {
        for (from, to, line, what) in [
            ("!$meridian stencil", "", 1, "no function is marked"),
            ("!$meridian stencil", "!$meridian stencils", 3, "meridian"),
            ("u(-1:1, -2:0)", "u(:, :)", 5, "bounds"),
            ("u(-1:1, -2:0)", "u(1:3, -2:0)", 5, "element itself"),
            ("real(8), intent", "character, intent", 5, "type"),
            ("u(-1, 0)", "u(-1)", 7, "rank"),
            ("s = u", "return\n  s = u", 7, "return"),
            ("pure function heat(u)", "pure function heat(u, a, b)", 4, "arguments"),
            ("end function", "", 11, "end function"),
            ("s = u", "contains\n  s = u", 7, "functions of its own"),
            ("u(-1, 0)", "sum(u(:, 0:1))", 7, "not within -2:0"),
            ("u(-1, 0)", "sum(u(:, n:0))", 7, "whole numbers"),
            ("u(-1:1, -2:0)", "u(-9:9, -9:9, -9:9)", 7, "rank"),
            ("pure function heat(u) result(v)", "pure subroutine heat(u)", 4, "function"),
            (
                "pure function heat(u) result(v)",
                "subroutine heat(u)\nend subroutine\n",
                4,
                "a function has to follow",
            ),
        ] {
            let Wrong { line: at, what: said } = module(&HEAT.replacen(from, to, 1), "rules").unwrap_err();
            assert!(said.contains(what), "{to}: {said}");
            assert_eq!(at, line, "{to}: {said}");
        }
    }
}
