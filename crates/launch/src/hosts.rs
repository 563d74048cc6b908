//! The hosts of a job, and the threads that each has.
//!
//! Names of hosts come from the command line, from files, and from variables that batch systems set, and
//! become words of a command that reaches the host. So every name becomes a [`Name`] first, which no command
//! takes for an option and no shell splits.

use std::fmt;
use std::net::Ipv6Addr;
use std::ops::Deref;
use std::path::Path;

use crate::control::MAX_THREADS;
use crate::error::Error;
use crate::sys;

/// The name of a host, or its address, with an optional user before it: `node1`, `me@node-1.site`,
/// `2001:db8::1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(String);

impl Name {
    /// Returns the name that this text is, or none if it is not one: of letters, digits, dots, underscores,
    /// and hyphens inside.
    pub fn read(text: &str) -> Option<Name> {
        let (user, host) = match text.split_once('@') {
            Some((user, host)) => (Some(user), host),
            None => (None, text),
        };
        let sound = user.is_none_or(is_word) && (is_word(host) || is_address(host));
        sound.then(|| Name(text.to_string()))
    }

    /// Returns this host's own name, whatever its form: no command reaches this host by its name.
    pub fn here() -> Name {
        Name(sys::host_name())
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a text is a host's name, an IPv4 address or a user's name.
fn is_word(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let ends = text.starts_with(plain) && text.ends_with(|c| plain(c) || c == '.');
    ends && text.len() <= LONGEST && text.chars().all(|c| plain(c) || c == '.' || c == '-')
}

/// Whether a text is an IPv6 address, with an optional interface after it.
fn is_address(text: &str) -> bool {
    let (address, interface) = match text.split_once('%') {
        Some((address, interface)) => (address, Some(interface)),
        None => (text, None),
    };
    address.parse::<Ipv6Addr>().is_ok() && interface.is_none_or(is_word)
}

/// A host as the user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    pub name: Name,
    /// The most threads that it may have; none if it has no limit.
    pub capacity: Option<usize>,
}

/// A host's part of a job: the threads `first` to `first + threads - 1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    pub name: Name,
    pub first: usize,
    pub threads: usize,
}

/// The forms of a host, for the message about a wrong one.
const FORMS: &str = "write name, name:4 or [address]:4";
/// Bytes of the longest name that DNS has.
const LONGEST: usize = 253;

/// Returns the error for a text that is no [`Name`], from a source that the user has not written as in
/// [`FORMS`].
pub fn is_no_host(source: &str, text: &str) -> Error {
    Error::Hosts(format!(
        "{source}: `{}` is no host: a name has letters, digits, dots, underscores, and hyphens inside",
        text.escape_debug()
    ))
}

/// Reads the argument of `-H`: `a,b:4`, or `@file` with one host a line.
///
/// # Errors
/// If the file cannot be read, or a part is no host.
pub fn read(list: &str) -> Result<Vec<Host>, Error> {
    let wrong = |reason: String| Error::Hosts(reason);
    let hosts: Result<Vec<Host>, Error> = match list.strip_prefix('@') {
        Some(file) => {
            let text = std::fs::read_to_string(file)
                .map_err(|e| wrong(format!("cannot read the list of hosts `{file}`: {e}")))?;
            text.lines()
                .map(|line| line.split('#').next().unwrap_or("").trim())
                .filter(|line| !line.is_empty())
                .map(|line| {
                    host(line).ok_or_else(|| wrong(format!("`{file}`: `{line}` is no host: {FORMS}")))
                })
                .collect()
        }
        None => list
            .split(',')
            .map(|part| {
                host(part.trim()).ok_or_else(|| wrong(format!("-H {list}: `{part}` is no host: {FORMS}")))
            })
            .collect(),
    };
    let hosts = hosts?;
    if hosts.is_empty() { Err(wrong(format!("-H {list} names no host"))) } else { Ok(hosts) }
}

/// Reads one host: `name`, `name:4`, `name slots=4`, `[2001:db8::1]:4`.
fn host(text: &str) -> Option<Host> {
    let (name, capacity) = if let Some((name, slots)) = text.split_once(char::is_whitespace) {
        (name, Some(slots.trim().strip_prefix("slots=")?))
    } else if let Some((name, rest)) = text.strip_prefix('[').and_then(|t| t.split_once(']')) {
        (name, if rest.is_empty() { None } else { Some(rest.strip_prefix(':')?) })
    } else {
        match text.split_once(':') {
            // Several colons without brackets are an address.
            Some((name, capacity)) if !capacity.contains(':') => (name, Some(capacity)),
            _ => (text, None),
        }
    };
    let capacity = match capacity {
        Some(capacity) => Some(capacity.trim().parse().ok().filter(|&n| n > 0)?),
        None => None,
    };
    Some(Host { name: Name::read(name)?, capacity })
}

/// Distributes `threads` over the hosts, in their order, so that each host's threads follow each other. Hosts
/// with a number get up to that many; the remaining threads are divided evenly among the hosts without a
/// number. Without a total, each host gets its number, or one. A host that gets none is left out.
///
/// # Errors
/// If the hosts admit fewer threads, or there are more threads than a job may have.
pub fn deal(hosts: &[Host], threads: Option<usize>) -> Result<Vec<Share>, Error> {
    let capacities =
        || hosts.iter().fold(0, |sum: usize, host| sum.saturating_add(host.capacity.unwrap_or(1)));
    let total = threads.unwrap_or_else(capacities);
    if total > MAX_THREADS as usize {
        return Err(Error::Hosts(format!(
            "the numbers of threads of the hosts add up to {total}, but a job has at most {MAX_THREADS} \
             threads: ask for fewer (-n)"
        )));
    }
    let mut left = total;
    let mut numbers: Vec<usize> = hosts
        .iter()
        .map(|host| {
            let count = host.capacity.unwrap_or(0).min(left);
            left -= count;
            count
        })
        .collect();
    let open: Vec<usize> = (0..hosts.len()).filter(|&i| hosts[i].capacity.is_none()).collect();
    for (k, &i) in open.iter().enumerate() {
        numbers[i] = left / open.len() + usize::from(k < left % open.len());
    }
    if left > 0 && open.is_empty() {
        let capacity = total - left;
        return Err(Error::Hosts(format!(
            "the hosts have room for {capacity} threads, but {total} are asked for: add hosts, raise the \
             numbers after their names, or leave out the number of a host, which then takes the remaining \
             threads"
        )));
    }
    let mut first = 0;
    let mut shares = Vec::new();
    for (host, count) in hosts.iter().zip(numbers).filter(|&(_, count)| count > 0) {
        shares.push(Share { name: host.name.clone(), first, threads: count });
        first += count;
    }
    Ok(shares)
}

/// Whether a name means this host, as far as can be told without name resolution.
pub fn is_here(name: &str, own: &str) -> bool {
    let short = |name: &str| name.split('.').next().unwrap_or("").to_string();
    let same = name == own || (short(name) == short(own) && (!name.contains('.') || !own.contains('.')));
    same || matches!(name, "localhost" | "127.0.0.1" | "::1")
}

/// Returns a path quoted for a shell, to which `ssh` passes its command; other commands use it as it is.
pub fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:@,%".contains(c);
    if text.chars().all(plain) { text.into_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dealt(list: &str, threads: Option<usize>) -> Vec<(String, usize, usize)> {
        let shares = deal(&read(list).unwrap(), threads).unwrap();
        shares.into_iter().map(|s| (s.name.to_string(), s.first, s.threads)).collect()
    }

    #[test]
    fn numbers_are_filled_first_and_the_rest_is_divided() {
        let of = |name: &str, first, threads| (name.to_string(), first, threads);
        assert_eq!(dealt("a,b:4", Some(8)), [of("a", 0, 4), of("b", 4, 4)]);
        assert_eq!(dealt("a:2,b:2", None), [of("a", 0, 2), of("b", 2, 2)]);
        assert_eq!(dealt("a,b,c", None), [of("a", 0, 1), of("b", 1, 1), of("c", 2, 1)]);
        assert_eq!(dealt("a,b,c", Some(7)), [of("a", 0, 3), of("b", 3, 2), of("c", 5, 2)]);
        assert_eq!(dealt("a:4,b:4", Some(5)), [of("a", 0, 4), of("b", 4, 1)]);
        assert_eq!(dealt("a:4,b:4", Some(3)), [of("a", 0, 3)]);
        assert_eq!(dealt("localhost:2,localhost:2", None).len(), 2);
    }

    #[test]
    fn too_little_room_is_refused_with_a_way_out() {
        let error = deal(&read("a:2,b:2").unwrap(), Some(8)).unwrap_err().to_string();
        assert!(error.contains("room for 4 threads") && error.contains("8 are asked for"), "{error}");
    }

    #[test]
    fn more_threads_than_a_job_may_have_are_refused_at_once() {
        for list in ["a:8193", "a:8000,b:193", "a:99999999999", "a:18446744073709551615,b:1"] {
            let error = deal(&read(list).unwrap(), None).unwrap_err().to_string();
            assert!(error.contains("at most 8192"), "{list}: {error}");
            assert_eq!(dealt(list, Some(2)), [("a".to_string(), 0, 2)]);
        }
    }

    #[test]
    fn names_have_the_usual_forms() {
        let one = |text: &str| host(text).map(|h| (h.name.to_string(), h.capacity));
        assert_eq!(one("me@node-1.site:12"), Some(("me@node-1.site".into(), Some(12))));
        assert_eq!(one("2001:db8::1"), Some(("2001:db8::1".into(), None)));
        assert_eq!(one("[2001:db8::1]:4"), Some(("2001:db8::1".into(), Some(4))));
        assert_eq!(one("node slots=8"), Some(("node".into(), Some(8))));
        for wrong in ["", ":4", "a:0", "a:x", "-oProxyCommand=x", "a b", "a slots=x"] {
            assert_eq!(one(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn names_are_no_options_and_no_words_of_a_shell() {
        let long = "a".repeat(LONGEST);
        for name in [
            "a",
            "A9",
            "node-1.site.",
            "10.0.0.7",
            "my_node",
            "_x",
            "::1",
            "fe80::1%eth0",
            "me@node",
            "m.e@::1",
            &long,
        ] {
            assert_eq!(Name::read(name).as_deref(), Some(name));
        }
        let longer = format!("{long}a");
        for text in [
            "",
            "-",
            "-v",
            "-oProxyCommand=x",
            "a-",
            ".a",
            "a b",
            "a\tb",
            "a\n-v",
            "a;b",
            "a$(b)",
            "a`b`",
            "a'b",
            "a\"b",
            "a|b",
            "a&b",
            "a>b",
            "a=b",
            "a/b",
            "a*",
            "a\0",
            "\u{e9}",
            "me@",
            "@a",
            "-l@a",
            "me@-v",
            "a@b@c",
            "me you@a",
            "::g",
            "::1%",
            "::1%-x",
            "a%b",
            "1:2",
            "[::1]",
            &longer,
        ] {
            assert_eq!(Name::read(text), None, "{text:?}");
        }
    }

    #[test]
    fn this_host_is_known_without_resolving_names() {
        assert!(is_here("localhost", "node1") && is_here("node1", "node1.site"));
        assert!(is_here("node1.site", "node1"));
        assert!(!is_here("node2", "node1") && !is_here("node1.other", "node1.site"));
        assert!(is_here("127.0.0.1", "node1") && is_here("::1", "node1") && is_here("a.b", "a.b"));
        assert!(!is_here("node2.site", "node1") && !is_here("node2", "node1.site"));
    }

    #[test]
    fn a_list_in_a_file_may_hold_remarks() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("hosts");
        std::fs::write(&file, "# ours\na:2\n\nb slots=3 # slow\n c\n").unwrap();
        let hosts = read(&format!("@{}", file.display())).unwrap();
        let capacities: Vec<_> = hosts.iter().map(|h| (&*h.name, h.capacity)).collect();
        assert_eq!(capacities, [("a", Some(2)), ("b", Some(3)), ("c", None)]);
        assert!(read("@/nowhere/hosts").unwrap_err().to_string().contains("/nowhere/hosts"));
    }

    #[test]
    fn lists_without_a_host_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("hosts");
        std::fs::write(&file, "# none\n\n").unwrap();
        let error = |list: &str| read(list).unwrap_err().to_string();
        let list = format!("@{}", file.display());
        assert_eq!(error(&list), format!("-H {list} names no host"));
        std::fs::write(&file, "a:2\nb:0 # none\n").unwrap();
        assert!(error(&list).contains("`b:0` is no host: write name"), "{}", error(&list));
        std::fs::write(&file, "a:2\n-oProxyCommand=x\n").unwrap();
        assert!(error(&list).contains("`-oProxyCommand=x` is no host: write name"), "{}", error(&list));
        assert!(error("a,-v,b").contains("`-v` is no host"), "{}", error("a,-v,b"));
        assert!(error("a,,b").contains("`` is no host") && error("").contains("is no host"));
        assert_eq!(read(" a , b:2 ").unwrap().len(), 2);
    }

    #[test]
    fn a_job_of_as_many_threads_as_there_may_be_is_dealt_out() {
        assert_eq!(dealt("a:8000,b:192", None).len(), 2);
        assert_eq!(dealt("a,b", Some(8192))[1], ("b".to_string(), 4096, 4096));
        assert!(deal(&read("a").unwrap(), Some(8193)).is_err());
        assert_eq!(dealt("a:2,b,c:1", Some(3)), [("a".to_string(), 0, 2), ("c".to_string(), 2, 1)]);
        assert_eq!(dealt("a:2,b,c:1", Some(9))[1], ("b".to_string(), 2, 6));
    }

    #[test]
    fn paths_stay_as_they_are_unless_a_shell_would_take_them_apart() {
        assert_eq!(quoted(Path::new("/opt/m-1.0/bin/meridian")), "/opt/m-1.0/bin/meridian");
        assert_eq!(quoted(Path::new("/my dir/it's")), r"'/my dir/it'\''s'");
    }
}
