//! `meridian doctor`: what is here of what Meridian can use, what of it was tried, and what mends the rest.
//!
//! A finding is a row: what was looked for, whether it is there, what was found, and for what is missing the
//! command that mends it. What can be tried is tried by a real transfer (`trial`), because a library that is
//! installed may still not work on this network. Nothing is changed on the machine.

mod checks;
mod conduits;
mod trial;

use std::path::PathBuf;

use base::say;

/// How a thing stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It is there, and works if it was tried.
    Fine,
    /// It is not there, and not needed by everybody.
    Absent,
    /// Meridian cannot do its work without it.
    Broken,
}

/// One thing that was looked for.
#[derive(Clone, Debug)]
struct Finding {
    what: String,
    state: State,
    found: String,
    /// What to do about it, where it is not fine.
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

/// Where the parts of this Meridian are.
struct Installation {
    /// The running command.
    meridian: PathBuf,
    /// The directories in which its library may be, the first that exists first.
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

    /// A file of the library's, such as `libmeridian.a` or `meridian/conduit-ofi.so`.
    fn file(&self, name: &str) -> Option<PathBuf> {
        self.libraries.iter().map(|directory| directory.join(name)).find(|path| path.is_file())
    }
}

/// Looks at everything, and prints it; 1 if Meridian cannot do its work here. `hosts`: a list as of `meridian
/// run
/// -H`, to be tried by a job over them.
pub fn run(hosts: Option<&str>) -> i32 {
    let Some(installation) = Installation::find() else {
        say::error(format_args!("meridian: cannot tell where this command is installed\n"));
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
        if broken { "Something is wrong: see the rows above." } else { "All that is needed is here." };
    say::out(format_args!("\n{verdict}\n"));
    i32::from(broken)
}
