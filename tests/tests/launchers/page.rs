//! The commands of docs/cluster.md, exactly as written.

use super::{RING, run};
use std::fs;
use std::path::Path;
use tests::scratch::copy_program;
use tests::trial::Ran;
use tests::world::World;

/// The text of the page's first block with this mark.
pub fn block(mark: &str) -> String {
    let page = fs::read_to_string(tests::home().join("../docs/cluster.md")).unwrap();
    let (_, rest) = page.split_once(&format!("```{mark}\n")).expect(mark);
    rest.split_once("```").expect("an end of the block").0.to_string()
}

/// The commands of all of the page's blocks with this mark.
pub fn commands(mark: &str) -> Vec<String> {
    let page = fs::read_to_string(tests::home().join("../docs/cluster.md")).unwrap();
    let fence = format!("```{mark}\n");
    let blocks = page.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks.flat_map(|block| block.lines().filter_map(|l| l.strip_prefix("$ "))).map(String::from).collect()
}

/// The directories of PATH, preceded by the directory of `meridian`.
pub fn path() -> std::ffi::OsString {
    let own = tests::meridian().parent().unwrap().to_path_buf();
    let rest = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths([own].into_iter().chain(std::env::split_paths(&rest))).unwrap()
}

/// Runs a command of docs/cluster.md exactly as written.
pub fn runs_as_the_page_says(line: &str) -> Ran {
    let command = line.split(' ').next().unwrap_or_default();
    let tool = if command == "mpirun" { "mpirun.openmpi" } else { command };
    if tool != "meridian" {
        tests::has_commands(&[tool])?;
    }
    let world = World::new(2, true)?;
    let placed = |text: &str| text.replace("node0", &world.address(0)).replace("node1", &world.address(1));
    for name in ["hosts", "hosts.hydra"] {
        fs::write(world.path(name), placed(&block(name))).unwrap();
    }
    copy_program(&RING, &world.path("prog"));
    let rsh = world.path("rsh");
    let words: Vec<String> = placed(line).split(' ').map(String::from).collect();
    let mut command = world.inside(0, Path::new("env"));
    command.arg("OMPI_ALLOW_RUN_AS_ROOT=1").arg("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1");
    command.arg("OMPI_MCA_hwloc_base_binding_policy=none");
    for variable in ["MERIDIAN_SSH", "OMPI_MCA_plm_rsh_agent", "HYDRA_LAUNCHER_EXEC"] {
        command.arg(format!("{variable}={}", rsh.display()));
    }
    command.arg(tool).args(&words[1..]).current_dir(world.path("")).env("PATH", path());
    let end = run(command);
    assert_eq!((end.status, end.timed_out), (0, false), "{line}: {}", end.report());
    assert!(end.stdout.ends_with("4 threads\n"), "{line}: {}", end.report());
    Ok(())
}
