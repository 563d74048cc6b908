//! Builds the programs of the plan in their variants: optimisation × static or dynamic THREADS.
//!
//! The plain C references are compiled by the same C compiler with the same options and linked into the
//! program, so that both sides of a ratio run in one process.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use object::{Object, ObjectSection};

use super::plan::Program;
use crate::installation::Places;
use crate::measure::compiling::{align, meridian, run_to_end};

/// How a program is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// `-O2` or `-O3`.
    pub optimise: &'static str,
    /// The number of threads is known to the compiler.
    pub fixed: bool,
}

impl Variant {
    /// Returns the name in the results.
    pub fn threads(self) -> &'static str {
        if self.fixed { "static" } else { "dynamic" }
    }
}

/// Compiles one variant of a program. Returns the executable.
pub fn program(places: &Places, program: &Program, variant: Variant) -> Result<PathBuf> {
    let directory = programs(places, variant);
    std::fs::create_dir_all(&directory).with_context(|| format!("cannot create {}", directory.display()))?;
    let mut objects = Vec::new();
    let include = format!("-I{}", places.include.display());
    let mut sources = vec![
        ("plain", "plain", ""),
        ("view", "view", &*include),
        ("private", "gcc_private", "-DPREFIX=gcc_"),
    ];
    sources.extend(program.with.iter().map(|&name| (name, name, &*include)));
    for (source, object, options) in sources {
        let object = directory.join(format!("{object}.o"));
        let mut command = Command::new(&places.cc);
        // meridian links without PIE, so that statics have the same address everywhere; so do the references.
        command
            .arg(variant.optimise)
            .args(align(places))
            .args(["-fno-pie", "-c"])
            .args((!options.is_empty()).then_some(options));
        command.arg(places.c(source)).arg("-o").arg(&object);
        run_to_end(&mut command)?;
        objects.push(object);
    }
    let ours = directory.join("our_private.o");
    run_to_end(
        meridian(places)
            .arg(variant.optimise)
            .args(align(places))
            .args(["-x", "upc", "-DPREFIX=our_", "-c"])
            .arg(places.c("private"))
            .arg("-o")
            .arg(&ours)
            .args(variant.fixed.then(|| format!("-T={}", program.threads))),
    )?;
    objects.push(ours);
    let executable = directory.join(program.name);
    run_to_end(
        meridian(places)
            .arg(variant.optimise)
            .args(align(places))
            .arg(places.sources.join(program.source))
            .args(&objects)
            .arg("-o")
            .arg(&executable)
            .args(variant.fixed.then(|| format!("-T={}", program.threads))),
    )?;
    Ok(executable)
}

/// Whether the two compilations of `private.c` produced the same machine code; relocations are not compared.
pub fn same_private_code(places: &Places, variant: Variant) -> Result<bool> {
    let text = |name: &str| -> Result<Vec<u8>> {
        let path = programs(places, variant).join(name);
        let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let file =
            object::File::parse(&*bytes).with_context(|| format!("{} is no object", path.display()))?;
        let section = file.section_by_name(".text").context("an object without code")?;
        Ok(section.data().context("an object with unreadable code")?.to_vec())
    };
    Ok(text("gcc_private.o")? == text("our_private.o")?)
}

fn programs(places: &Places, variant: Variant) -> PathBuf {
    places.out.join(format!("programs{}-{}", variant.optimise, variant.threads()))
}
