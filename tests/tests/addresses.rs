//! Jobs whose hosts have the program at different addresses: position-independent programs and Python, with
//! addresses randomised on one host and not on the other. A host with another build of the program gets a
//! message.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use tests::process::{self, LONG, Outcome};
use tests::trial::{Ran, Skip};

/// Checks that the command ends well.
fn done(command: &mut Command) {
    let end = process::run(command, None, LONG).expect("a command");
    assert_eq!(end.status, 0, "{}", end.report());
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// `net/addresses.upc` as a position-independent program, which needs another linker than `meridian cc`.
static MOVABLE: LazyLock<PathBuf> = LazyLock::new(|| {
    let (object, program) = (path("net-addresses.o"), path("net-addresses"));
    let source = tests::home().join("net/addresses.upc");
    done(Command::new(tests::meridian()).args(["cc", "-c", "-fPIE"]).arg(source).arg("-o").arg(&object));
    let mut link = Command::new("cc");
    link.arg("-pie").arg(object).arg("-L").arg(tests::meridian().with_file_name("../lib"));
    link.args(["-Wl,-u,mer_start_linked", "-Wl,-u,mer_conduit_load", "-lmeridian", "-lc"]);
    done(link.args(["-lmeridian_everything", "-lmeridian", "-pthread", "-ldl", "-lm", "-o"]).arg(&program));
    program
});

/// Host 0 has the program at the linker's address, the others at a random one.
const MOVED: &str = r#"[ "$MERIDIAN_HOST" = 0 ] && exec setarch -R "$0" "$@"; exec "$0" "$@""#;

/// Skips a test if the system does not randomise addresses, or setarch may not turn that off.
fn addresses_differ() -> Ran {
    tests::has_commands(&["setarch"])?;
    let random = std::fs::read_to_string("/proc/sys/kernel/randomize_va_space").unwrap_or_default();
    if random.trim() != "2" {
        return Err(Skip("addresses are not randomised here (kernel.randomize_va_space)".into()));
    }
    match Command::new("setarch").args(["-R", "true"]).status() {
        Ok(status) if status.success() => Ok(()),
        _ => Err(Skip("setarch -R is not permitted here".into())),
    }
}

fn run(words: &[&str], script: &str, program: &[&str]) -> Outcome {
    let mut command = Command::new(tests::meridian());
    tests::forget(&mut command, "MERIDIAN_");
    command.arg("run").args(words).args(["sh", "-c", script]).args(program);
    command.env("PYTHONPATH", tests::meridian().with_file_name("../lib/meridian/python"));
    process::run(&mut command, None, LONG).expect("meridian run")
}

const HOSTS: &[&str] = &["-H", "localhost:2,localhost:1"];

fn functions_are_found_where_each_host_has_them() -> Ran {
    addresses_differ()?;
    for words in [HOSTS, &["-n", "3"]] {
        let end = run(words, MOVED, &[MOVABLE.to_str().unwrap()]);
        assert_eq!((end.status, end.stdout.as_str()), (0, "3 threads\n"), "{}", end.report());
    }
    Ok(())
}

fn messages_name_places_of_other_hosts() -> Ran {
    addresses_differ()?;
    for words in [HOSTS, &["-n", "3"]] {
        let end = run(words, MOVED, &[MOVABLE.to_str().unwrap(), "lost"]);
        let places = end.stderr.matches("addresses.upc:").count();
        assert!(end.status != 0 && end.stderr.contains("barrier mismatch: "), "{}", end.report());
        assert!(places > 0 && !end.stderr.contains("unknown place"), "{}", end.report());
    }
    Ok(())
}

fn messages_of_other_hosts_heaps_have_their_words() -> Ran {
    addresses_differ()?;
    let run_with = |word| run(HOSTS, MOVED, &[MOVABLE.to_str().unwrap(), word]);
    let end = run_with("freed");
    assert!(end.status != 0 && end.stderr.contains("cannot be freed: it is "), "{}", end.report());
    let end = run_with("huge");
    let words = end.stderr.contains(" of shared memory (8.0 TB on each thread), but ");
    assert!(end.status == 0 && words && !end.stderr.contains("unknown"), "{}", end.report());
    Ok(())
}

fn python_needs_no_fixed_addresses() -> Ran {
    addresses_differ()?;
    let found = ["python3", "/usr/bin/python3"].into_iter().find(|python| {
        let output = Command::new(python).args(["-c", "import numpy"]).output();
        output.is_ok_and(|output| output.status.success())
    });
    let python = found.ok_or_else(|| Skip("no Python here has NumPy (packaging/setup array)".into()))?;
    let program = tests::home().join("net/moved.py");
    let end = run(HOSTS, MOVED, &[python, program.to_str().unwrap()]);
    assert_eq!((end.status, end.stdout.as_str()), (0, "3 threads\n"), "{}", end.report());
    Ok(())
}

fn another_build_is_told_at_start() {
    let (other, source) = (path("net-addresses-other"), tests::home().join("net/addresses.upc"));
    done(Command::new(tests::meridian()).arg("cc").arg(source).arg("-o").arg(&other));
    let script = r#"[ "$MERIDIAN_HOST" = 0 ] && exec "$0"; exec "$1""#;
    let programs = [MOVABLE.to_str().unwrap(), other.to_str().unwrap()];
    let end = run(&["-H", "localhost:1,localhost:1"], script, &programs);
    assert!(end.status != 0, "{}", end.report());
    assert!(
        end.stderr.contains("the program on host localhost is another build than the one on host localhost"),
        "{}",
        end.report()
    );
}

fn main() {
    tests::trial::run_waiting(tests::trials![
        functions_are_found_where_each_host_has_them,
        messages_name_places_of_other_hosts,
        messages_of_other_hosts_heaps_have_their_words,
        python_needs_no_fixed_addresses,
        another_build_is_told_at_start,
    ]);
}
