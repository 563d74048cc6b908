//! `meridian run` in a world of hosts (`tests::world`).

use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::process::{Command, Stdio};

use tests::trial::Skip;

use crate::support::{meridian_run, thread_program};

/// The way in which the launcher reaches hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// `ip netns exec`: no network between launcher and agents.
    Exec,
    /// ssh, and an sshd in each host.
    Ssh,
}

/// Some hosts, and the way to them.
pub struct World {
    by: By,
    count: usize,
    world: tests::world::World,
}

impl Deref for World {
    type Target = tests::world::World;
    fn deref(&self) -> &Self::Target {
        &self.world
    }
}

impl DerefMut for World {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.world
    }
}

impl World {
    /// Makes `count` hosts; skips the test if the machine does not permit them.
    pub fn new(by: By, count: usize) -> Result<World, Skip> {
        tests::world::World::new(count, by == By::Ssh).map(|world| World { by, count, world })
    }

    /// Returns the argument of `meridian run --ssh`.
    pub fn way(&self) -> String {
        match self.by {
            By::Exec => "ip netns exec".into(),
            By::Ssh => self.ssh(),
        }
    }

    /// Returns the name of host `i` in `-H`.
    pub fn name(&self, i: usize) -> String {
        match self.by {
            By::Exec => self.namespace(i),
            By::Ssh => format!("h{i}"),
        }
    }

    /// Returns `meridian run` in host 0, on all hosts with `each` threads on each.
    pub fn run(&self, each: usize, options: &[&str]) -> Command {
        let list: Vec<String> = (0..self.count).map(|i| format!("{}:{each}", self.name(i))).collect();
        let (list, way) = (list.join(","), self.way());
        let words = [&["-H", list.as_str(), "--ssh", way.as_str()], options].concat();
        let inner = meridian_run(&words);
        let mut command = self.inside(0, Path::new(inner.get_program()));
        command.args(inner.get_args()).stdin(Stdio::null());
        for (name, value) in inner.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }

    /// Returns a job of `thread.c` with these steps.
    pub fn job<S: AsRef<str>>(&self, each: usize, options: &[&str], steps: &[S]) -> Command {
        let mut command = self.run(each, options);
        command.arg(thread_program()).args(steps.iter().map(AsRef::as_ref));
        command
    }
}
