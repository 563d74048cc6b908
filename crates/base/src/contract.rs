//! The contract between compiler, runtime, launcher and tools, from
//! `runtime/include/meridian/abi/contract.h`: constants, a module of constants for each list of rows, and a
//! module of offsets for each layout.

include!(concat!(env!("OUT_DIR"), "/contract.rs"));

#[cfg(test)]
#[path = "../build/table.rs"]
mod table;

#[cfg(test)]
mod tests {
    use super::table::{Definition, read};

    const TEXT: &str = "
#define MER_CONTRACT_NUMBER 0badcafe
#define MER_SIZE (16U << 20) /* bytes */
#define MER_KINDS(X)  \\
    X(NONE, 0, \"none\") /* of no
                          * interest */ \\
    X(PUT, 1, \"put start\")
#define MER_VARIABLES(X) X(HOST) X(HOSTS)
#define MER_COUNTERS(X) X(STOP, \"control stop\")
#define MER_LAYOUT_HEAD(X, S) X(S, magic, 0, 16) X(S, version, 16, 4)
";

    #[test]
    fn definitions_rows_and_layouts_are_read() {
        let contract = read(TEXT).unwrap();
        let text = |cells: &[&str]| cells.iter().map(|c| (*c).to_string()).collect::<Vec<_>>();
        assert_eq!(
            contract.definitions,
            [
                Definition::Number { name: "SIZE".into(), value: 16 << 20 },
                Definition::Rows {
                    name: "KINDS".into(),
                    rows: vec![text(&["NONE", "0", "\"none\""]), text(&["PUT", "1", "\"put start\""])]
                },
                Definition::Rows { name: "VARIABLES".into(), rows: vec![text(&["HOST"]), text(&["HOSTS"])] },
                Definition::Rows { name: "COUNTERS".into(), rows: vec![text(&["STOP", "\"control stop\""])] },
                Definition::Layout {
                    name: "HEAD".into(),
                    fields: vec![("magic".into(), 0, 16), ("version".into(), 16, 4)]
                },
            ]
        );
        assert_eq!(contract.stated, 0x0bad_cafe);
        let rust = contract.rust();
        for part in [
            "pub const SIZE: u64 = 0x1000000;",
            "pub const PUT: u32 = 1;",
            "pub const ALL: [&str; 2] = [\"none\", \"put start\"];",
            "pub const HOST: &str = \"MERIDIAN_HOST\";",
            "pub const STOP: &str = \"control stop\";",
            "pub const VERSION: usize = 16;",
            "pub const TOTAL_SIZE: usize = 20;",
        ] {
            assert!(rust.contains(part), "{part} in\n{rust}");
        }
    }

    #[test]
    fn the_number_depends_on_each_cell_and_on_no_comment() {
        let number = |from: &str, to: &str| {
            assert!(TEXT.contains(from), "{from}");
            read(&TEXT.replace(from, to)).unwrap().number
        };
        let own = read(TEXT).unwrap().number;
        for (from, to) in
            [("bytes", "octets"), ("interest", "use"), ("0badcafe", "00000001"), ("X(HOST) X", "X(HOST)   X")]
        {
            assert_eq!(number(from, to), own, "{from}");
        }
        for (from, to) in [
            ("20)", "21)"),
            ("put start", "put begin"),
            ("X(PUT, 1", "X(PUT, 2"),
            ("X(HOST) X(HOSTS)", "X(HOSTS) X(HOST)"),
            ("magic, 0, 16", "mark, 0, 16"),
            ("version, 16, 4", "version, 16, 8"),
        ] {
            assert_ne!(number(from, to), own, "{from}");
        }
    }

    #[test]
    fn a_definition_of_another_form_is_named() {
        let error = |line: &str| read(&format!("{TEXT}{line}\n")).unwrap_err();
        assert!(error("#define MER_OTHER some words").contains("MER_OTHER some words"));
        assert!(error("#define MER_LAYOUT_OTHER(X, S) X(S, a, 0)").contains("MER_LAYOUT_OTHER"));
        assert!(read(&TEXT.replace("0badcafe", "1")).is_err());
    }

    #[test]
    fn the_constants_are_those_of_the_header() {
        assert_eq!(super::record_kinds::ALL[super::record_kinds::REDUCE as usize], "reduce");
        assert_eq!(super::control::STATE, 4096);
        assert_eq!(super::CONTRACT_TEXT, format!("{:08x}", super::CONTRACT));
    }
}
