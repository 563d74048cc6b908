//! Distributed arrays from Fortran and Python: the programs of `array/`, with several numbers of processes,
//! and with each process a host of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tests::process::run;
use tests::trial::{Skip, trial_unless};
use tests::{has_commands, home, meridian};

const LIMIT: Duration = Duration::from_secs(120);
const SETTINGS: [(&str, &str); 5] = [("1", "0"), ("2", "0"), ("4", "0"), ("7", "0"), ("3", "1")];

fn done(command: &mut Command) -> Result<(), String> {
    let outcome = run(command, Some(""), LIMIT).map_err(|error| format!("{command:?}: {error}"))?;
    match outcome.status {
        0 => Ok(()),
        _ => Err(format!("{command:?}\n{}", outcome.report())),
    }
}

fn scratch(name: &str) -> Result<PathBuf, String> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("array-{name}"));
    std::fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    Ok(scratch)
}

/// Compiles these sources with the module in this directory, and returns the program.
fn compiled(scratch: &Path, sources: &[PathBuf]) -> Result<PathBuf, String> {
    let prefix = meridian().with_file_name("..");
    let program = scratch.join("program");
    let mut compile = Command::new("gfortran");
    compile.args(["-std=f2008", "-Wall", "-O1", "-no-pie", "-J"]).arg(scratch).arg("-o").arg(&program);
    compile.arg(prefix.join("include/meridian/meridian_arrays.f90")).args(sources);
    compile.arg("-L").arg(prefix.join("lib"));
    compile.args(["-Wl,-u,mer_start_linked", "-Wl,-u,mer_conduit_load", "-lmeridian", "-pthread", "-ldl"]);
    done(&mut compile)?;
    Ok(program)
}

/// Compiles these sources and runs the program in all settings.
fn fortran(name: &str, sources: &[PathBuf]) -> Result<(), String> {
    let scratch = scratch(name)?;
    let program = compiled(&scratch, sources)?;
    for (threads, remote) in SETTINGS {
        let mut command = Command::new(meridian());
        command.env("MERIDIAN_REMOTE", remote).args(["run", "-n", threads]).arg(&program);
        command.env("ARRAY_FILE", scratch.join(format!("u{threads}{remote}")));
        done(&mut command)?;
    }
    Ok(())
}

/// Functions for one element, as kernels that `meridian stencil` makes.
fn kernels() -> Result<(), String> {
    let made = scratch("kernels")?.join("rules_stencils.f90");
    let rules = home().join("array/rules.f90");
    let mut stencil = Command::new(meridian());
    stencil.arg("stencil").arg(&rules).arg("-o").arg(&made);
    done(&mut stencil)?;
    fortran("kernels", &[rules, made, home().join("array/kernels.f90")])
}

/// The first Python that has these modules.
fn python(modules: &str) -> Option<&'static str> {
    ["python3", "/usr/bin/python3"].into_iter().find(|python| {
        let mut command = Command::new(python);
        command.args(["-c", &format!("import {modules}")]).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    })
}

fn numpy(python: &str, program: &str) -> Result<(), String> {
    for (threads, remote) in SETTINGS {
        let mut command = Command::new(python);
        command.env("PYTHONPATH", meridian().with_file_name("../lib/meridian/python"));
        command.env("MERIDIAN_REMOTE", remote).args(["-m", "meridian", "run", "-n", threads]);
        command.arg(home().join("array").join(program));
        done(&mut command)?;
    }
    Ok(())
}

/// The mistakes that the programs `mistakes` make by name, and the library's message, printed once.
const MISTAKES: [(&str, &str); 10] = [
    ("shape", "mer_cshift of `w' and `u': the arrays differ in shape: `w' is float64 8 x 9 over"),
    ("type", "mer_cshift of `w' and `u': the arrays differ in element type"),
    ("layout", "mer_cshift of `w' and `u': the arrays differ in layout"),
    (
        "set-up",
        "mer_pshift of `w' and `u': `w', the result of shift 0, differs from set-up 1's prototype in ",
    ),
    ("freed", "mer_pshift of `v' and `u': set-up 1 has been freed"),
    ("freed-array", "mer_cshift: the array is a null pointer: it has not been created, or has been freed"),
    ("boundary", "mer_eoshift of `v' and `u': the boundary `u' of shift 0 has rank 2, but it has to be 1"),
    ("axis", "mer_cshift of `v' and `u': shift 0 is along axis 2, but the array has the axes 0 to 1"),
    ("calls", "mer_pshift of `v' and `u'"),
    ("memory", "mer_array_create of `huge': no memory"),
];

/// Mistakes that only the Fortran module detects.
const FORTRAN_MISTAKES: [(&str, &str); 25] = [
    ("value", "mer_eoshift: the boundary is of int32, the array `u' of float64"),
    ("results", "mer_pshift: set-up 1 has 1 shifts, but the number of results is 2"),
    ("sources", "mer_pshift: set-up 1 has 1 shifts, but the number of sources is 2"),
    ("boundaries", "mer_pshift: set-up 1 has 1 shifts, but the number of boundaries is 2"),
    ("axes", "mer_array_create: halo has 1 numbers for 2 axes"),
    ("element", "mer_array_scatter: the Fortran array is of float32, the array `u' of float64"),
    ("elements", "mer_array_gather: the Fortran array has not the shape of `u'"),
    ("section", "mer_array_gather: the Fortran array for `u' is not contiguous"),
    ("backwards", "mer_array_scatter: the Fortran array for `u' is not contiguous"),
    ("index", "mer_array_get: index has 1 numbers for 2 axes"),
    ("values", "mer_pshift: set-up 1 has 1 shifts, but the number of values is 2"),
    ("value-type", "mer_pshift: the value is of int32, the array `v' of float64"),
    ("get-type", "mer_array_get: the value is of int32, the array `u' of float64"),
    ("get-index", "mer_array_get of `u': index 8 of axis 0 is not in 0 to 7 (in Fortran 9 of dim 1, 1 to 8)"),
    ("put-index", "mer_array_put: index has 3 numbers for 2 axes"),
    ("put-type", "mer_array_put: the value is of float32, the array `u' of float64"),
    ("put-freed", "mer_array_put: the array is a null pointer"),
    ("get-freed", "mer_array_get: the array is a null pointer"),
    ("nested", "mer_eoshift: more than 16 shifts stand within one another; assign some to an array first"),
    ("fill-type", "mer_array_fill: the value is of complex128, the array `u' of float64"),
    ("fill-freed", "mer_array_fill: the array is a null pointer"),
    ("sum", "sum: `w' is of complex128, but sum, minval and maxval are of integers, real(4) and real(8)"),
    ("sum-freed", "sum: the array is a null pointer"),
    ("boundary-null", "mer_eoshift: the boundary is a null pointer"),
    ("owner", "mer_array_owner of `u': index 8 of axis 0 is not in 0 to 7"),
];

/// Checks the message of each mistake. `start` returns the command that runs the program with this number of
/// threads.
fn mistakes(list: &[(&str, &str)], start: impl Fn(&str) -> Command) -> Result<(), String> {
    for (mistake, message) in list {
        let mut command = start("2");
        command.arg(mistake);
        let outcome = run(&mut command, Some(""), LIMIT).map_err(|e| e.to_string())?;
        let said = outcome.stderr.matches("meridian: ").count();
        if outcome.status == 0 || outcome.timed_out || said != 1 || !outcome.stderr.contains(message) {
            return Err(format!("{mistake}: expected `{message}', once\n{}", outcome.report()));
        }
    }
    Ok(())
}

fn fortran_mistakes() -> Result<(), String> {
    let program = compiled(&scratch("mistakes-fortran")?, &[home().join("array/mistakes.f90")])?;
    mistakes(&[&MISTAKES[..], &FORTRAN_MISTAKES[..]].concat(), |threads| {
        let mut command = Command::new(meridian());
        command.args(["run", "-n", threads]).arg(&program);
        command
    })
}

fn python_mistakes(python: &str) -> Result<(), String> {
    mistakes(&MISTAKES, |threads| {
        let mut command = Command::new(python);
        command.env("PYTHONPATH", meridian().with_file_name("../lib/meridian/python"));
        command.args(["-m", "meridian", "run", "-n", threads]).arg(home().join("array/mistakes.py"));
        command
    })
}

fn main() {
    let (found, with_h5py) = (python("numpy"), python("numpy, h5py"));
    let no_numpy =
        found.is_none().then(|| Skip("no Python here has NumPy (packaging/setup array)".to_owned()));
    let module = meridian().with_file_name("../lib/meridian/array-hdf5.so");
    let no_hdf5 = match module.exists() {
        false => Some(Skip("Meridian is built without HDF5 here (packaging/setup hdf5)".to_owned())),
        true => {
            with_h5py.is_none().then(|| Skip("no Python here has h5py (packaging/setup array)".to_owned()))
        }
    };
    let no_fortran = has_commands(&["gfortran"])
        .err()
        .map(|_| Skip("gfortran is not installed here (packaging/setup array)".to_owned()));
    tests::trial::run(vec![
        trial_unless(no_fortran.clone(), "fortran", || {
            fortran("fortran", &[home().join("array/fortran.f90")])
        }),
        trial_unless(no_fortran.clone(), "fields", || fortran("fields", &[home().join("array/fields.f90")])),
        trial_unless(no_fortran.clone(), "kernels", kernels),
        trial_unless(no_fortran.clone(), "fortran_example", || {
            fortran("example", &[home().join("../examples/polyshift/heat.f90")])
        }),
        trial_unless(no_fortran, "fortran_mistakes", fortran_mistakes),
        trial_unless(no_numpy.clone(), "python_mistakes", move || {
            python_mistakes(found.unwrap_or("python3"))
        }),
        trial_unless(no_numpy.clone(), "python_example", move || {
            numpy(found.unwrap_or("python3"), "../../examples/polyshift/heat.py")
        }),
        trial_unless(no_numpy, "python", move || numpy(found.unwrap_or("python3"), "shifts.py")),
        trial_unless(no_hdf5, "hdf5", move || numpy(with_h5py.unwrap_or("python3"), "hdf5.py")),
    ]);
}
