//! `meridian doctor`: the parts of Meridian's environment that are installed, the results of trials, and
//! remedies for missing parts.
//!
//! A finding is a row: the part, its state, a description, and for a missing part the command that installs
//! it. Parts that can be tried are tried by a real transfer (`trial`), because an installed library may still
//! not work on this network. The machine is not changed.

mod checks;
mod conduits;
mod trial;

use std::path::PathBuf;

use base::say;

/// The state of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The part is present, and works if it was tried.
    Fine,
    /// The part is missing, and not needed by everybody.
    Absent,
    /// Meridian cannot work without it.
    Broken,
}

/// The result for one part.
#[derive(Clone, Debug)]
struct Finding {
    what: String,
    state: State,
    found: String,
    /// The remedy, if the state is not fine.
    remedy: Option<String>,
}

impl Finding {
    fn fine(what: impl Into<String>, found: impl Into<String>) -> Finding {
        Finding { what: what.into(), state: State::Fine, found: found.into(), remedy: None }
    }

    fn absent(what: impl Into<String>, found: impl Into<String>, remedy: impl Into<String>) -> Finding {
        let (what, found, remedy) = (what.into(), found.into(), Some(remedy.into()));
        Finding { what, state: State::Absent, found, remedy }
    }

    fn broken(what: impl Into<String>, found: impl Into<String>, remedy: impl Into<String>) -> Finding {
        Finding { state: State::Broken, ..Finding::absent(what, found, remedy) }
    }

    fn print(&self) {
        let sign = match self.state {
            State::Fine => "ok",
            State::Absent => "-",
            State::Broken => "WRONG",
        };
        say::out(format_args!("  {sign:5}  {:24}  {}\n", self.what, self.found));
        if let Some(remedy) = &self.remedy {
            say::out(format_args!("  {:5}  {:24}  => {remedy}\n", "", ""));
        }
    }
}

/// The paths of the parts of this Meridian.
struct Installation {
    /// The running command.
    meridian: PathBuf,
    /// The existing directories in which its library may be, in order of preference.
    libraries: Vec<PathBuf>,
}

impl Installation {
    fn find() -> Option<Installation> {
        let meridian = std::env::current_exe().ok()?;
        let prefix = meridian.parent()?.parent()?;
        let names = ["lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"];
        let libraries = names.iter().map(|name| prefix.join(name)).filter(|d| d.is_dir()).collect();
        Some(Installation { meridian, libraries })
    }

    /// Returns the path of a file of the library, such as `libmeridian.a` or `meridian/conduit-ofi.so`.
    fn file(&self, name: &str) -> Option<PathBuf> {
        self.libraries.iter().map(|directory| directory.join(name)).find(|path| path.is_file())
    }
}

/// Checks everything, and prints the findings. Returns 1 if Meridian cannot work here. `hosts`: a list as for
/// `meridian run -H`, which is tried by a job over these hosts.
pub fn run(hosts: Option<&str>) -> i32 {
    let Some(installation) = Installation::find() else {
        say::error(format_args!("meridian: cannot find the path of this command\n"));
        return 1;
    };
    say::out(format_args!("meridian {} at {}\n", crate::names::VERSION, installation.meridian.display()));
    let mut broken = false;
    let mut section = |head: &str, findings: Vec<Finding>| {
        say::out(format_args!("\n{head}\n"));
        findings.iter().for_each(Finding::print);
        broken |= findings.iter().any(|f| f.state == State::Broken);
    };
    section("Compilers", checks::compilers(&installation));
    section("Limits", checks::limits());
    section("Network", checks::network(&installation));
    section("Machine profile", checks::profile());
    section("Launchers", checks::launchers(&installation));
    section(
        "Tried, with a program that moves a megabyte between two threads",
        trial::all(&installation, hosts),
    );
    let verdict =
        if broken { "Something is wrong: see the rows above." } else { "Everything needed is installed." };
    say::out(format_args!("\n{verdict}\n"));
    i32::from(broken)
}
