//! Compiles the programs of the table.
//!
//! Functions and loops are aligned to the same place within a line of memory everywhere (`ALIGN`). Without
//! this the linker's chance placement of a loop makes one of two identical loops slower by up to a half.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use object::{Object as _, ObjectSection};

use super::system::{self, Compiler, System, UPC};
use super::table::{Object, Output, Program};
use super::terminal::progress;
use crate::installation::Places;
use crate::interrupt;

const ALIGN: [&str; 2] = ["-falign-functions=64", "-falign-loops=64"];

/// gcc leaves loops unaligned that it takes for rare; clang does not know these options.
const ALIGN_ALL: [&str; 2] = ["--param=align-threshold=10000", "--param=align-loop-iterations=1"];

/// The words that run a program: an executable, or an interpreter and a script; or the reason why there is
/// none.
pub type Built = Result<Vec<OsString>, String>;

/// Compiles all programs. The systems go on side by side. If a system other than Meridian fails to compile a
/// program, its other programs of that part are not tried: one reason is enough. Returns each program that
/// was tried, in the order of the table.
pub fn all(places: &Places, programs: Vec<Program>) -> Vec<(Program, Built)> {
    let mut systems: Vec<&'static System> = Vec::new();
    for program in &programs {
        if systems.iter().all(|system| system.name != program.system.name) {
            systems.push(program.system);
        }
    }
    let numbered: Vec<(usize, Program)> = programs.into_iter().enumerate().collect();
    let of_system = |system: &System| {
        let of = numbered.iter().filter(|(_, program)| program.system.name == system.name);
        one_after_another(places, of)
    };
    let mut built: Vec<(usize, Program, Built)> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            systems.into_iter().map(|system| scope.spawn(move || of_system(system))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Vec<_>>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().flat_map(join).collect()
    });
    built.sort_by_key(|(number, ..)| *number);
    built.into_iter().map(|(_, program, built)| (program, built)).collect()
}

fn one_after_another<'a>(
    places: &Places,
    programs: impl Iterator<Item = &'a (usize, Program)>,
) -> Vec<(usize, Program, Built)> {
    let mut done: HashMap<String, Built> = HashMap::new();
    let mut all: Vec<(usize, Program, Built)> = Vec::new();
    for (number, program) in programs {
        let missing =
            |(_, other, built): &(usize, Program, Built)| built.is_err() && other.parts == program.parts;
        if interrupt::arrived() || (!program.system.is_ours() && all.iter().any(missing)) {
            continue;
        }
        let build = || {
            progress(&format!("compiling {} in {}", program.file(), program.system.name));
            one(places, program).map_err(|error| format!("{error:#}"))
        };
        let built = done.entry(name(program)).or_insert_with(build).clone();
        all.push((*number, program.clone(), built));
    }
    all
}

/// Returns the name of the executable, which differs with all that changes it.
fn name(program: &Program) -> String {
    let text = format!("{}-{}{}", program.file(), program.system.name, program.options.concat());
    text.chars().map(|c| if c.is_ascii_alphanumeric() || "-.=".contains(c) { c } else { '-' }).collect()
}

/// Compiles a program. Returns the words that run it.
///
/// # Errors
/// If its compiler is not here, or refuses a source; the message has the compiler's output.
pub fn one(places: &Places, program: &Program) -> Result<Vec<OsString>> {
    let source = places.sources.join(&program.source);
    if let Compiler::Python(module) = program.system.compiler {
        return Ok(vec![system::python(places, module)?.into(), source.into()]);
    }
    let executable = places.result(name(program));
    let mut command = program.system.compiler(places)?;
    command.args(&program.options);
    if let Compiler::Gfortran = program.system.compiler {
        command.args(["-no-pie", "-J"]).arg(&places.out);
        command.arg(places.include.join("meridian/meridian_arrays.f90"));
    }
    if matches!(program.output, Output::Samples | Output::Kernels { .. }) && program.system.is_ours() {
        command.args(align(places));
    }
    match program.system.compiler {
        Compiler::Runtime => command.args(siblings(&source)?),
        _ => command.arg(&source),
    };
    for object in &program.objects {
        command.arg(compile_object(places, program, object)?);
    }
    command.arg("-o").arg(&executable);
    if let Compiler::Gfortran | Compiler::Runtime = program.system.compiler {
        // The output of `pkg-config --libs meridian`.
        let start = ["-Wl,-u,mer_start_linked", "-Wl,-u,mer_conduit_load", "-lmeridian", "-pthread", "-ldl"];
        command.arg("-L").arg(system::library(places)?).args(start);
    }
    match program.system.compiler {
        Compiler::Runtime => {
            command.args(["-lfabric", "-no-pie"]);
        }
        // Its modules lie where no other program's are.
        Compiler::Command { program: "ghc", .. } => {
            command.arg("-outputdir").arg(executable.with_extension("objects"));
        }
        _ => {
            command.arg("-lm");
        }
    }
    run_to_end(&mut command).with_context(|| match program.system.compiler {
        Compiler::Command { program, package, .. } => {
            format!("`{program}` does not compile it (Debian package {package})")
        }
        _ => String::from("it does not compile"),
    })?;
    Ok(vec![executable.into()])
}

/// Returns all files in C of the folder of a source.
fn siblings(source: &Path) -> Result<Vec<PathBuf>> {
    let folder = source.parent().context("a source lies in no folder")?;
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    Ok(paths.filter(|path| path.extension().is_some_and(|extension| extension == "c")).collect())
}

/// Compiles a file in C of a program, unless another program's is the same.
fn compile_object(places: &Places, program: &Program, object: &Object) -> Result<PathBuf> {
    let level = program.options.first().map_or("", String::as_str);
    let threads = program.options.iter().find(|option| object.translated && option.starts_with("-T="));
    let (system, threads) = (program.system.name, threads.map_or("", String::as_str));
    let result = places.result(format!("{}{level}{threads}-{system}.o", object.name));
    if result.exists() {
        return Ok(result);
    }
    let mut command = if object.translated {
        let mut command = UPC.compiler(places)?;
        command.args(["-x", "upc"]).args((!threads.is_empty()).then_some(threads));
        command
    } else {
        let mut command = Command::new(&places.cc);
        command.arg(format!("-I{}", places.include.display()));
        command
    };
    // meridian links without PIE, so that statics have the same address everywhere; so do these objects.
    command.arg(level).args(align(places)).arg("-fno-pie").args(object.options);
    run_to_end(command.arg("-c").arg(places.c(object.source)).arg("-o").arg(&result))?;
    Ok(result)
}

/// Returns the machine code of an object that was compiled for a program; relocations are not applied.
///
/// # Errors
/// If there is no such object.
pub fn machine_code(places: &Places, program: &Program, name: &str) -> Result<Vec<u8>> {
    let object = program.objects.iter().find(|object| object.name == name).context("no such object")?;
    let path = compile_object(places, program, object)?;
    let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let file = object::File::parse(&*bytes).with_context(|| format!("{} is no object", path.display()))?;
    let section = file.section_by_name(".text").context("an object without code")?;
    Ok(section.data().context("an object with unreadable code")?.to_vec())
}

/// Returns the options that put functions and loops at the same place within a line of memory.
fn align(places: &Places) -> impl Iterator<Item = &'static str> {
    let all: &[&str] = if places.cc.contains("clang") { &[] } else { &ALIGN_ALL };
    ALIGN.iter().chain(all).copied()
}

/// Runs a compiler to its end. The error has the command and its standard error.
fn run_to_end(command: &mut Command) -> Result<()> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} failed ({}):\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

/// Returns the path of a program's source if it is missing.
pub fn missing(places: &Places, program: &Program) -> Option<String> {
    let path = places.sources.join(&program.source);
    (!path.is_file()).then(|| path.display().to_string())
}
