//! Programs that use up the memory that a control group leaves end with a message, and are not killed.

use libtest_mimic::{Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::Command;
use tests::trial::{Skip, trial_unless};

const LIMIT: &str = "400000000";

pub fn trials() -> Vec<Trial> {
    let programs = [
        ("recursion", "def f n = 1 + f (n + 1);\nf 1;\n", "of them of `f': does it call itself without end?"),
        (
            "list",
            "def build n = if n == 0 then Nil else n : build (n - 1);\n\
             a = {array (1,1000) | [i] = build 100000 || i <- 1 to 1000};\n\
             def len Nil = 0 | len (x:xs) = 1 + len xs;\n\
             { s = 0 In {for i <- 1 to 1000 do next s = s + len a[i] finally s} };\n",
            "exhausted.id:1: error: memory is exhausted",
        ),
    ];
    let missing = Group::new("look").err().map(|why| Skip(format!("no control group for memory: {why}")));
    let all = programs.into_iter().flat_map(|program| [(program, 1), (program, 2)]);
    all.map(|((name, text, message), processors)| {
        trial_unless(missing.clone(), format!("exhausted/{name}_{processors}"), move || {
            ends(name, text, message, processors).map_err(|e| e.message().unwrap_or("").to_owned())
        })
    })
    .collect()
}

fn ends(name: &str, text: &str, message: &str, processors: usize) -> Result<(), Failed> {
    let work = super::temporary()?;
    let (file, to) = (work.path().join("exhausted.id"), work.path().join("exhausted"));
    std::fs::write(&file, text)?;
    let made = super::compile(&[file], &to, super::WAYS[0])?;
    if made.status != 0 {
        return Err(super::shown("compiling", &made));
    }
    let group = Group::new(&format!("{name}-{processors}"))?;
    let mut command = Command::new("sh");
    command.args(["-c", "echo $$ > \"$0\"/cgroup.procs && exec \"$@\""]).arg(&group.0);
    command.arg(super::meridian()).args(["run", "-n", &processors.to_string()]).arg(&to);
    let ran = super::run(&mut command, "")?;
    if ran.status == 1 && ran.stderr.contains(message) { Ok(()) } else { Err(super::shown("running", &ran)) }
}

/// A control group, of either version, that limits the memory of its processes; dropping it removes the
/// group.
struct Group(PathBuf);

impl Group {
    fn new(name: &str) -> std::io::Result<Group> {
        let first = Path::new("/sys/fs/cgroup/memory");
        let (above, limit) = if first.is_dir() {
            (first, "memory.limit_in_bytes")
        } else {
            (Path::new("/sys/fs/cgroup"), "memory.max")
        };
        let path = above.join(format!("meridian-test-{}-{name}", std::process::id()));
        std::fs::create_dir(&path)?;
        let group = Group(path);
        std::fs::write(group.0.join(limit), LIMIT)?;
        Ok(group)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir(&self.0);
    }
}
