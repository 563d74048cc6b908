//! Shared by the tests.

/// The tree of a preprocessed program without errors, before any optimisation.
pub fn tree(language: c_syntax::Language, threads: Option<u32>, source: &base::Source) -> opt::Tree {
    let (unit, mut diagnostics) = c_syntax::parse(source, c_syntax::Dialect { language, gnu: true });
    let env = c_sema::Env { language, static_threads: threads, ..c_sema::Env::default() };
    let (typed, more) = c_sema::check(&unit, source, env);
    diagnostics.extend(more);
    assert!(diagnostics.is_empty(), "{}", base::render::render(&diagnostics, source, false));
    opt::Tree::new(unit, typed, source)
}

/// The C of a tree, without markers, prologue and blank lines.
pub fn c_of(tree: &opt::Tree, source: &base::Source) -> String {
    let c = emit::write(
        source,
        "",
        &lower::lower(
            tree,
            source,
            lower::Form { merges: tree.typed.types.language.everything(), ..Default::default() },
        ),
    );
    let lines = c.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty());
    lines.map(|l| format!("{}\n", l.trim_end())).collect()
}
