//! The Id files of a command line, which are one program, in the pipeline: front end and code generation in
//! crates/id, then the C compiler. The results take the place of the first of the files.

use crate::options::{Input, Language, Options, Stage};
use crate::toolchain::{Toolchain, Written};
use crate::{Failure, Pipeline, diagnose, unit};
use std::path::PathBuf;

fn files(options: &Options) -> Vec<(usize, PathBuf)> {
    let id = |(n, i): (usize, &Input)| match i {
        Input::File { path, language: Language::Id } => Some((n, path.clone())),
        _ => None,
    };
    options.inputs.iter().enumerate().filter_map(id).collect()
}

/// Whether the input is the first Id file.
pub fn is_first(options: &Options, n: usize) -> bool {
    files(options).first().is_some_and(|f| f.0 == n)
}

/// Compiles all Id files as far as the options say. Returns the object file for the linker, if there is one.
pub fn compile(Pipeline { options, tools, work }: Pipeline, n: usize) -> Result<Option<PathBuf>, Failure> {
    let paths: Vec<PathBuf> = files(options).into_iter().map(|f| f.1).collect();
    if options.only_depend || options.stage == Stage::Preprocess {
        return Err("Id files are not preprocessed: -E and -M do not apply to them".into());
    }
    let Some(text) = unit::on_big_stack(|| front_end(options, tools, &paths))?? else {
        return Err(Failure::said());
    };
    if options.stage == Stage::EmitC || options.id.dump.is_some() {
        return unit::write_out(options, text.as_bytes()).map(|()| None);
    }
    let output = unit::output_name(options, &paths[0], work, n);
    let c_file = work.join(format!("{n}-id.c"));
    let written = Written { text: text.as_bytes(), language: Language::Id, rewritten: false };
    tools.compile(options, written, &c_file, &output)?;
    Ok(Some(output).filter(|_| options.stage == Stage::Link))
}

/// Returns the C of the program, or the requested dump; none if errors have been reported.
fn front_end(options: &Options, tools: &Toolchain, paths: &[PathBuf]) -> Result<Option<String>, Failure> {
    let (source, user_from, mut said) = id::include::assemble(paths)?;
    let (program, more) = id::check(&source, user_from);
    said.extend(more);
    if diagnose::report(said, &source, options) {
        return Ok(None);
    }
    let launcher = tools.launcher_line();
    Ok(program.map(|p| id::generate(&p, &source, options.id, &launcher)))
}
