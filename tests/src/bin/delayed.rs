//! Runs a command between two hosts of a slow network: `delayed MICROSECONDS COMMAND...`. The hosts are
//! network namespaces of this machine (`tests::network_faults`), and each packet takes MICROSECONDS from one
//! to the other. The command runs on the first host. The word `HOSTS` in it becomes the names of both,
//! separated by a comma; `ssh` reaches them, for the processes that the command starts. The exit code is the
//! command's; 2 if it was not run.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use tests::network_faults::{Faults, FaultyNetwork};

/// A script that starts a command as ssh does: by a shell, on the host named by the first word that is no
/// option. Each host gets a host name of its own, by which MPICH knows that it is another.
const SSH: &str = "#!/bin/sh
while :; do
    case $1 in
        -[bcDEeFIiJLlmOopQRSWw]) shift 2 ;;
        -*) shift ;;
        *) break ;;
    esac
done
host=$1
shift
exec ip netns exec \"$host\" unshare --uts sh -c \"hostname $host; $*\"
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("delayed: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(words: &[String]) -> Result<u8, String> {
    let [delay, program, arguments @ ..] = words else {
        return Err("usage: delayed MICROSECONDS COMMAND...".into());
    };
    let delay = delay.parse().map_err(|_| format!("`{delay}` is not a number of microseconds"))?;
    let delay = Duration::from_micros(delay);
    let network = FaultyNetwork::new(2, Faults { delay: (delay, delay), loss: 0 }).map_err(|skip| skip.0)?;
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path =
        with_ssh(directory.path()).map_err(|error| format!("{}: {error}", directory.path().display()))?;
    let hosts = format!("{},{}", network.namespace(0), network.namespace(1));
    let mut command = Command::new("ip");
    command.args(["netns", "exec", &network.namespace(0), program]).env("PATH", path);
    command.args(arguments.iter().map(|word| if word == "HOSTS" { &hosts } else { word }));
    // The interface of the first host, which MPICH tells the second.
    command.env("HYDRA_IFACE", "eth0");
    let status = command.status().map_err(|error| format!("ip: {error}"))?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

/// Makes the command `ssh` in the directory, and returns the search path with the directory first.
fn with_ssh(directory: &Path) -> std::io::Result<String> {
    let ssh = directory.join("ssh");
    std::fs::write(&ssh, SSH)?;
    std::fs::set_permissions(&ssh, std::fs::Permissions::from_mode(0o755))?;
    Ok(format!("{}:{}", directory.display(), std::env::var("PATH").unwrap_or_default()))
}
