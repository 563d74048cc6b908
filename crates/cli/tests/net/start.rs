//! Starting on other hosts: threads, place, environment, directory, input, output, and files that are missing
//! there.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use libtest_mimic::Trial;
use tests::scratch::copy_program;
use tests::trial::{Ran, Skip};

use crate::support::{End, Scratch, job, thread_program};
use crate::world::{By, World};

/// The tests of this file.
pub fn trials() -> Vec<Trial> {
    tests::trials![
        a_job_runs_on_three_hosts_over_ssh,
        a_job_runs_on_this_host_three_times,
        directory_environment_input_and_output_are_as_on_one_host,
        a_file_may_list_the_hosts,
        another_build_of_the_program_is_found_out,
        another_version_of_meridian_is_named,
        a_directory_or_program_that_is_not_there_is_named,
    ]
}

fn a_job_runs_on_three_hosts_over_ssh() -> Ran {
    let world = World::new(By::Ssh, 3)?;
    let end = End::of(world.job(2, &["--tag"], &["exchange=3", "place="]));
    end.quiet(0);
    for thread in 0..6 {
        let host = thread / 2;
        let line =
            format!("[{thread}] thread {thread} of 6; 2 from {} on host {host} of 3, h{host}\n", 2 * host);
        assert!(end.output.contains(&line), "{line} in {}", end.output);
    }
    let end = End::of(world.run(1, &["-v", "-n", "2", "true"]));
    assert_eq!(end.code, Some(0), "{}", end.errors);
    assert!(end.errors.contains("host h1: threads 1 to 1, pids "), "{}", end.errors);
    Ok(())
}

fn a_job_runs_on_this_host_three_times() {
    End::of(job(&["-H", "localhost:2,localhost:2,localhost:2"], &["exchange=3"])).quiet(0);
}

fn directory_environment_input_and_output_are_as_on_one_host() -> Ran {
    let world = World::new(By::Ssh, 2)?;
    let scratch = Scratch::new("net-directory");
    let script = "echo $PWD $FORWARDED $MERIDIAN_THREAD; if test $MERIDIAN_THREAD = 0; then cat; fi";
    let mut command = world.run(1, &["sh", "-c", script]);
    command
        .current_dir(scratch.path("."))
        .env("FORWARDED", "a b")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    command.stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"for thread 0\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    let directory = fs::canonicalize(scratch.path(".")).unwrap();
    for thread in 0..2 {
        assert!(text.contains(&format!("{} a b {thread}\n", directory.display())), "{text}");
    }
    assert!(text.contains("\nfor thread 0\n"), "{text}");
    Ok(())
}

fn a_file_may_list_the_hosts() -> Ran {
    let world = World::new(By::Exec, 2)?;
    let scratch = Scratch::new("net-file");
    let text = format!("# two hosts\n{} slots=2\n{}:1\n", world.name(0), world.name(1));
    fs::write(scratch.path("hosts"), text).unwrap();
    let mut command = crate::support::meridian_run(&["--ssh", "ip netns exec", "-H"]);
    command.arg(format!("@{}", scratch.path("hosts").display())).arg(thread_program()).arg("place=");
    let end = End::of(command);
    end.quiet(0);
    assert!(end.output.contains("thread 2 of 3; 1 from 2 on host 1 of 2"), "{}", end.output);
    Ok(())
}

/// Makes a way to another host on which some files are replaced: a script for `--ssh` that runs its command
/// with `by` mounted over `hidden`.
fn remote_shell(scratch: &Scratch, hidden: &str, by: &str) -> Result<String, Skip> {
    let text = format!(
        "#!/bin/sh\nshift\nexec unshare -m sh -c 'mount --bind {by} {hidden} && exec \"$@\"' sh \"$@\"\n"
    );
    let script = scratch.path("remote-shell");
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let tried = std::process::Command::new(&script).args(["host", "true"]).output();
    match tried {
        Ok(output) if output.status.success() => Ok(script.display().to_string()),
        _ => Err(Skip("mount namespaces are not permitted here (they take root)".into())),
    }
}

fn another_build_of_the_program_is_found_out() -> Ran {
    let scratch = Scratch::new("net-build");
    let program = scratch.path("program");
    copy_program(thread_program(), &program);
    let other = scratch.path("other");
    fs::write(&other, "#!/bin/sh\nsleep 1000\n").unwrap();
    fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).unwrap();
    let hidden =
        |by: &std::path::Path| remote_shell(&scratch, program.to_str().unwrap(), by.to_str().unwrap());
    let run = |ssh: &str| {
        let mut command = crate::support::meridian_run(&["-H", "localhost,node7", "--ssh", ssh]);
        command.arg(&program).arg("sleep=1000000");
        End::of(command)
    };
    let ssh = hidden(&other)?;
    run(&ssh).says_once(2, &["host node7: ", "program is another build", "copy the program"]);
    fs::set_permissions(&other, fs::Permissions::from_mode(0o644)).unwrap();
    run(&ssh).says_once(126, &["host node7: cannot run", "not executable"]);
    Ok(())
}

/// Starts an agent that is told that the launcher is version 9.9.9: in the first frame the version follows
/// the length, the kind, the protocol and the version's length, 13 bytes.
fn another_version_of_meridian_is_named() -> Ran {
    let scratch = Scratch::new("net-version");
    let script = scratch.path("remote-shell");
    let text = "#!/bin/sh\nshift\n{ dd bs=1 count=13 status=none; dd bs=1 count=5 status=none of=/dev/null\n\
                printf 9.9.9; cat; } | \"$@\"\n";
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = crate::support::meridian_run(&["-H", "localhost,node7", "--ssh"]);
    command.arg(&script).arg(thread_program()).arg("sleep=1000000");
    let own = format!("host node7: Meridian is version {} on this host", env!("CARGO_PKG_VERSION"));
    End::of(command).says_once(1, &[&own, "version 9.9.9 on the launcher's host", "install the same build"]);
    Ok(())
}

fn a_directory_or_program_that_is_not_there_is_named() -> Ran {
    let scratch = Scratch::new("net-missing");
    fs::create_dir_all(scratch.path("work")).unwrap();
    fs::create_dir_all(scratch.path("empty")).unwrap();
    copy_program(thread_program(), &scratch.path("work/program"));
    let (work, empty) = (scratch.path("work"), scratch.path("empty"));
    let run = |ssh: &str, directory: &std::path::Path| {
        let mut command = crate::support::meridian_run(&["-H", "localhost,node7", "--ssh", ssh]);
        command.arg(work.join("program")).arg("sleep=1000000").current_dir(directory);
        End::of(command)
    };
    let ssh = remote_shell(&scratch, work.to_str().unwrap(), empty.to_str().unwrap())?;
    run(&ssh, &scratch.path("."))
        .says_once(127, &["host node7: there is no program ", "same path on all hosts"]);
    let ssh = remote_shell(&scratch, scratch.path(".").to_str().unwrap(), empty.to_str().unwrap())?;
    run(&ssh, &work).says_once(2, &["host node7: cannot enter the directory"]);
    Ok(())
}
