//! Functions that the tests share.

/// Returns the tree of a preprocessed program before any optimisation, or the errors of the program.
pub fn tree(language: c_syntax::Language, source: &base::Source) -> Result<opt::Tree, String> {
    let (unit, mut diagnostics) = c_syntax::parse(source, c_syntax::Dialect { language, gnu: true });
    let env = c_sema::Env { language, ..c_sema::Env::default() };
    let (typed, more) = c_sema::check(&unit, source, env);
    diagnostics.extend(more);
    if diagnostics.iter().any(|d| d.severity == base::Severity::Error) {
        return Err(base::render::render(&diagnostics, source, false));
    }
    Ok(opt::Tree::new(unit, typed, source))
}
