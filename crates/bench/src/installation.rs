//! Paths of the Meridian under measurement, and of the compiled programs.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

/// The paths of a measurement.
#[derive(Debug)]
pub struct Places {
    /// The `meridian` command under measurement.
    pub meridian: PathBuf,
    /// The directory of the sources: `bench/`, installed as `share/meridian/bench`.
    pub sources: PathBuf,
    /// The directory for compiled programs.
    pub out: PathBuf,
    /// The directory of `meridian/abi/abi.h`.
    pub include: PathBuf,
    /// The C compiler, which `meridian cc` uses too.
    pub cc: String,
}

impl Places {
    /// Returns the paths of the installation that contains `meridian`. `sources`: a directory that replaces
    /// the installed sources.
    ///
    /// # Errors
    /// When the sources or the headers are not there.
    pub fn of(meridian: &Path, sources: Option<&Path>, out: &Path) -> Result<Places> {
        let prefix = meridian.parent().and_then(Path::parent).context("this command lies in no directory")?;
        let sources = match sources {
            Some(given) => given.to_path_buf(),
            None => prefix.join("share/meridian/bench"),
        };
        ensure!(
            sources.join("probes").is_dir(),
            "no probes in {}: the installation is incomplete, or --sources names another directory",
            sources.display()
        );
        let include = prefix.join("include");
        ensure!(include.join("meridian").is_dir(), "no headers of Meridian in {}", include.display());
        let cc =
            std::env::var("MERIDIAN_CC").or_else(|_| std::env::var("CC")).unwrap_or_else(|_| "gcc".into());
        Ok(Places { meridian: meridian.to_path_buf(), sources, out: out.to_path_buf(), include, cc })
    }

    /// Returns the path of a C source of the benchmarks.
    pub fn c(&self, name: &str) -> PathBuf {
        self.sources.join("c").join(format!("{name}.c"))
    }

    /// Returns the path of a file among the compiled programs.
    pub fn result(&self, name: impl AsRef<Path>) -> PathBuf {
        self.out.join(name)
    }

    /// Returns the path of a file of the library, such as `meridian/conduit-ofi.so`.
    pub fn library(&self, name: &str) -> Option<PathBuf> {
        let prefix = self.meridian.parent()?.parent()?;
        ["lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"]
            .iter()
            .map(|directory| prefix.join(directory).join(name))
            .find(|path| path.is_file())
    }
}
