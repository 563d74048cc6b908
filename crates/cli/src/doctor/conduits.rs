//! The available conduits, from the runtime's own table.

/// The table, one row a conduit.
const TABLE: &str = include_str!("../../../../runtime/conduit/conduits.h");

/// A row of the table.
pub struct Conduit {
    pub name: &'static str,
    /// The medium that it uses.
    pub over: &'static str,
    /// The Debian package that the build of its module needs; none if it is compiled in.
    pub package: Option<&'static str>,
}

impl Conduit {
    /// Returns the file of its module in the library's directory.
    pub fn module(&self) -> String {
        format!("meridian/conduit-{}.so", self.name)
    }
}

/// Returns the conduits that a job may use without being told to.
pub fn all() -> Vec<Conduit> {
    rows(TABLE)
}

/// Reads the rows `X(name, kind, condition, "over", "package")`.
fn rows(table: &'static str) -> Vec<Conduit> {
    let row = |text: &'static str| {
        let (fields, texts) = text.split_once('"')?;
        let mut fields = fields.split(',').map(str::trim);
        let (name, kind, condition) = (fields.next()?, fields.next()?, fields.next()?);
        let mut texts = texts.split('"');
        let (over, package) = (texts.next()?, texts.nth(1)?);
        let package = (kind == "MODULE").then_some(package);
        (condition != "only_when_named").then_some(Conduit { name, over, package })
    };
    table.split(" X(").skip(1).filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runtimes_table_is_understood() {
        let all = all();
        let tcp = all.iter().find(|c| c.name == "tcp").expect("a row that is always there");
        assert_eq!((tcp.over, tcp.package), ("TCP", None));
        assert!(all.iter().any(|c| c.package.is_some_and(|p| p.ends_with("-dev"))));
        assert!(all.iter().all(|c| c.name != "template"), "of no use to a user");
    }
}
