//! `meridian bench` from outside: a file of results, its comparison with another, and bad input. The only
//! figure that is asserted: a probe made ten times slower is found.

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tests::process::Outcome;
use tests::scratch::Scratch;

const LIMIT: Duration = Duration::from_secs(300);

/// A directory of the test's own.
fn scratch(name: &str) -> Scratch {
    Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench").join(name), LIMIT)
}

/// A copy of a folder's files, named from the directory of the tests.
fn copy(scratch: &Scratch, from: &str, to: &str) {
    std::fs::create_dir_all(scratch.path(to)).unwrap();
    for entry in std::fs::read_dir(tests::home().join(from)).unwrap() {
        let entry = entry.unwrap();
        if entry.path().is_file() {
            std::fs::copy(entry.path(), scratch.path(to).join(entry.file_name())).unwrap();
        }
    }
}

/// Copies the sources of the programs compared with OpenMP and MPI, beside `sources`.
fn programs(scratch: &Scratch) {
    sources(scratch, "upc.upc", "int main(", "int main(");
    for (from, to) in [
        ("../bench/nas", "sources/nas"),
        ("../bench/kernels", "sources/kernels"),
        ("../bench/loops", "sources/loops"),
        ("../examples/nas", "examples/nas"),
        ("../examples/ac", "examples/ac"),
    ] {
        copy(scratch, from, to);
    }
}

/// A copy of the probes' sources in `sources`, in whose file `name` a text is replaced.
fn sources(scratch: &Scratch, name: &str, from: &str, to: &str) {
    for folder in ["", "/c", "/probes"] {
        copy(scratch, &format!("../bench{folder}"), &format!("sources{folder}"));
    }
    let name = format!("sources/probes/{name}");
    let text = scratch.read(&name);
    assert!(text.contains(from), "{name} has no {from}");
    scratch.write(&name, text.replace(from, to));
}

/// The beginning of a point's line in a file of results; with an empty `what` the measured quantity is left
/// open.
fn point(part: &str, dialect: &str, conduit: &str, series: &str, what: &str) -> String {
    let begin = format!(
        "\"part\":\"{part}\",\"dialect\":\"{dialect}\",\"conduit\":\"{conduit}\",\"series\":\"{series}\",\"what\":\""
    );
    if what.is_empty() { begin } else { format!("{begin}{what}\"") }
}

#[test]
fn a_planted_slow_down_is_found() {
    let scratch = scratch("slow");
    sources(
        &scratch,
        "split-c.sc",
        "TURNS(group_put,",
        "TURNS(group_put, for (volatile int w = 0; w < 4000; w++);",
    );
    let measured = scratch.meridian("bench groups --quick --conduit smp -o a.jsonl");
    assert_eq!(measured.status, 0, "{}", measured.report());
    assert!(measured.stdout.contains("get n=480"), "{}", measured.report());
    let measured = scratch.meridian("bench groups --quick --conduit smp -o b.jsonl --sources sources");
    assert_eq!(measured.status, 0, "{}", measured.report());

    let same = scratch.meridian("bench compare a.jsonl a.jsonl");
    assert_eq!(same.status, 0, "{}", same.report());
    assert!(same.stdout.contains("No point changed"), "{}", same.report());
    // A quiet threshold: the other points may be disturbed, but by load alone not tenfold in every round.
    let slower = scratch.meridian("bench compare a.jsonl b.jsonl --threshold 900");
    assert_eq!(slower.status, 1, "{}", slower.report());
    assert!(slower.stdout.contains("split-c groups put over smp, n=1\n"), "{}", slower.report());
}

#[test]
fn a_probe_that_crashes_is_named_and_the_others_go_on() {
    let scratch = scratch("crash");
    sources(
        &scratch,
        "split-c.sc",
        "static void add_groups(void) {",
        "static void add_groups(void) {\n    abort();",
    );
    let end =
        scratch.meridian("bench groups primitives --quick --conduit smp -o r.jsonl --sources sources --json");
    assert_eq!(end.status, 1, "{}", end.report());
    assert!(end.stderr.contains("split-c groups over smp failed: it ended with"), "{}", end.report());
    let text = scratch.read("r.jsonl");
    assert_eq!(text, end.stdout, "--json prints the file");
    assert!(text.contains("\"kind\":\"failure\"") && text.contains("\"part\":\"primitives\""), "{text}");
}

#[test]
fn an_application_that_computes_something_else_is_not_measured() {
    let scratch = scratch("wrong");
    sources(&scratch, "sorts.sc", "k <= splitters[middle]", "k > splitters[middle]");
    let kernels = scratch.path("sources/c/livermore.c");
    let text = std::fs::read_to_string(&kernels).unwrap();
    std::fs::write(&kernels, text.replace("x[k] = y[k + 1] - y[k];", "x[k] = y[k + 1] + y[k];")).unwrap();
    let end = scratch.meridian("bench sorts livermore --quick --conduit smp -o r.jsonl --sources sources");
    assert_eq!(end.status, 1, "{}", end.report());
    assert!(end.stderr.contains("sample sort does not sort"), "{}", end.report());
    assert!(
        end.stderr.contains("kernel 12 first difference, plain C, computes something else"),
        "{}",
        end.report()
    );
}

#[test]
fn the_applications_are_measured_and_predicted() {
    let scratch = scratch("applications");
    let end =
        scratch.meridian("bench sorts livermore primitives bulk exchange --quick --conduit smp -o r.jsonl");
    assert_eq!(end.status, 0, "{}", end.report());
    for text in ["24 first minimum", "geometric mean", "sorts over smp", "radix, uniform, 16384", "permute"] {
        assert!(end.stdout.contains(text), "no `{text}` in {}", end.report());
    }
    assert_eq!(scratch.meridian("bench report r.jsonl").status, 0);
    assert!(scratch.read("r.html").contains("The Livermore kernels"));
}

#[test]
fn the_machine_under_id90_stands_beside_its_thesis() {
    let scratch = scratch("tam");
    let end = scratch.meridian("bench tam --quick --conduit smp -o r.jsonl");
    assert_eq!(end.status, 0, "{}", end.report());
    for text in ["post, running frame, unsuccessful", "CM-5, cycles", "round trips"] {
        assert!(end.stdout.contains(text), "no `{text}` in {}", end.report());
    }
    assert_eq!(scratch.meridian("bench report r.jsonl").status, 0);
    assert!(scratch.read("r.html").contains("istore, local and empty"));
}

#[test]
fn more_threads_than_cores_are_measured_and_predicted() {
    let scratch = scratch("threads");
    let parts = "exchange em3d primitives groups bulk --quick --conduit smp";
    let end = scratch.meridian(&format!("bench {parts} --threads 3 -o r.jsonl"));
    assert_eq!(end.status, 0, "{}", end.report());
    for dialect in ["split-c", "upc"] {
        let title = format!("EM3D in {dialect} over smp, ns an edge, lower quartiles: measured / predicted");
        assert!(end.stdout.contains(&title), "{}", end.report());
    }
    assert!(scratch.read("r.jsonl").contains("\"threads\":3"));
    for wrong in ["1", "33", "two"] {
        let end = scratch.meridian(&format!("bench bulk --threads {wrong}"));
        assert_eq!(end.status, 2, "{}", end.report());
        assert!(end.stderr.contains("a number of threads from 2 to 32"), "{}", end.report());
    }
}

/// The kernels, and the dialects that they are written in.
const KERNELS: [(&str, &str); 6] = [
    ("sparse product", "upc"),
    ("graph search", "upc"),
    ("wavefront", "upc"),
    ("wavefront by flags", "upc"),
    ("tree search", "upc"),
    ("blocks in a box", "ac"),
];

#[test]
fn a_program_that_computes_something_else_is_a_failure_and_its_counterparts_go_on() {
    let scratch = scratch("nas");
    programs(&scratch);
    let right = scratch.read("sources/nas/cg.c");
    let wrong = right.replace("r[i] -= alpha", "r[i] += alpha");
    assert_ne!(wrong, right);
    scratch.write("sources/nas/cg.c", wrong);
    let line = "bench nas kernels --quick --rounds 1 --conduit smp -o r.jsonl --sources sources";
    let end = scratch.meridian(line);
    assert_eq!(end.status, 1, "{}", end.report());
    for (name, dialect) in KERNELS {
        let text = scratch.read("r.jsonl");
        for system in [dialect, "openmp"] {
            let point = point("kernels", system, "smp", name, "");
            assert!(text.contains(&point), "{name} in {system}: {}", end.report());
        }
    }
    let said = "nas CG in openmp failed: it computes something else: zeta is";
    assert!(end.stderr.contains(said), "{}", end.report());
    let text = scratch.read("r.jsonl");
    let measured = |dialect: &str, series: &str| text.contains(&point("nas", dialect, "smp", series, ""));
    for series in ["EP", "IS", "CG", "MG", "FT"] {
        assert!(measured("upc", series), "{series}: {}", end.report());
        assert_eq!(measured("openmp", series), series != "CG", "{series}: {}", end.report());
    }
    assert_eq!(scratch.meridian("bench report r.jsonl").status, 0);
    assert!(scratch.read("r.html").contains("id=\"programs-smp-2\""));
}

/// A symmetric matrix of `rows` rows in the coordinate form of Matrix Market: a circle of neighbours, and
/// chords.
fn matrix(rows: u64) -> String {
    let mut elements: Vec<String> = (1..=rows).map(|i| format!("{i} {i} 4.5")).collect();
    elements.extend((2..=rows).map(|i| format!("{i} {} -1e3", i - 1)));
    elements.extend((1..=rows / 2).map(|i| format!("{} {i} 0.25", rows + 1 - i)));
    elements.sort();
    elements.dedup_by_key(|element| element.rsplit_once(' ').map(|(place, _)| place.to_owned()));
    format!(
        "%%MatrixMarket matrix coordinate real symmetric\n% a test\n{rows} {rows} {}\n{}\n",
        elements.len(),
        elements.join("\n")
    )
}

#[test]
fn sparse_products_take_a_matrix_of_the_users() {
    let scratch = scratch("matrix");
    programs(&scratch);
    for other in ["bfs.upc", "wavefront.upc", "uts.upc", "blocks.ac"] {
        std::fs::remove_file(scratch.path(&format!("sources/kernels/{other}"))).unwrap();
    }
    scratch.write("circle.mtx", matrix(301));
    let line = "bench kernels --quick --rounds 1 --conduit smp,tcp -o r.jsonl --sources sources --matrix";
    let end = scratch.meridian(&format!("{line} circle.mtx"));
    assert_eq!(end.status, 0, "{}", end.report());
    let text = scratch.read("r.jsonl");
    for (dialect, conduit) in [("upc", "smp"), ("openmp", "smp"), ("upc", "tcp")] {
        let point = point("kernels", dialect, conduit, "sparse product", "matrix circle");
        assert!(text.contains(&point), "{point}: {}", end.report());
    }
    scratch.write("cut.mtx", matrix(301).replace("\n300 300 4.5\n", "\n300 302 4.5\n"));
    let end = scratch.meridian(&format!("{line} cut.mtx"));
    assert_eq!(end.status, 1, "{}", end.report());
    let said = "the column must be a whole number from 1 to 301";
    assert!(end.stderr.contains("cut.mtx:") && end.stderr.contains(said), "{}", end.report());
    let end = scratch.meridian("bench bulk --matrix circle.mtx");
    assert_eq!(end.status, 1, "{}", end.report());
    assert!(end.stderr.contains("--matrix is for the sparse product"), "{}", end.report());
}

#[test]
fn plain_loops_stand_beside_openmp_mpi_and_copies_by_hand() {
    let scratch = scratch("loops");
    programs(&scratch);
    let right = scratch.read("sources/loops/dense.upc");
    let wrong = right.replace("z[i][j] = x[i][j] + y[i][j]", "z[i][j] = x[i][j] - y[i][j]");
    assert_ne!(wrong, right);
    scratch.write("sources/loops/dense.upc", wrong);
    let line = "bench loops --class S --passes 1 --rounds 1 --conduit smp,tcp -o r.jsonl --sources sources";
    let end = scratch.meridian(line);
    assert_eq!(end.status, 1, "{}", end.report());
    let said = "loops addition in by hand failed: it computes something else: the number of wrong";
    assert!(end.stderr.contains(said), "{}", end.report());
    let text = scratch.read("r.jsonl");
    let measured = |system: &str, conduit: &str, series: &str| {
        text.contains(&point("loops", system, conduit, series, ""))
    };
    for series in ["addition", "five-point stencil", "product of matrices", "transposition"] {
        for conduit in ["smp", "tcp"] {
            assert!(measured("upc", conduit, series), "{series}: {}", end.report());
            assert!(measured("profiled", conduit, series), "{series}: {}", end.report());
            assert_eq!(measured("by hand", conduit, series), series != "addition", "{}", end.report());
        }
        assert!(measured("openmp", "smp", series) && !measured("openmp", "tcp", series));
        // An MPI that is not installed, or does not run, is left out with its reason.
        let left_out = |system: &str| end.stderr.contains(&format!("in {system} is left out: "));
        for system in ["open-mpi", "mpich"] {
            assert!(measured(system, "smp", series) || left_out(system), "{series}: {}", end.report());
        }
    }
}

#[test]
fn irregular_loops_stand_beside_buffers_by_hand() {
    let scratch = scratch("irregular");
    programs(&scratch);
    let right = scratch.read("sources/loops/irregular.upc");
    let wrong = right.replace("OWN(result)[item[0]] += item[1]", "OWN(result)[item[0]] = item[1]");
    assert_ne!(wrong, right);
    scratch.write("sources/loops/irregular.upc", wrong);
    let line =
        "bench irregular --class S --passes 1 --rounds 1 --conduit smp,tcp -o r.jsonl --sources sources";
    let end = scratch.meridian(line);
    assert_eq!(end.status, 1, "{}", end.report());
    let said = "irregular update in by hand failed: it computes something else: the number of wrong";
    assert!(end.stderr.contains(said), "{}", end.report());
    let text = scratch.read("r.jsonl");
    let measured = |system: &str, conduit: &str, series: &str| {
        text.contains(&point("irregular", system, conduit, series, ""))
    };
    for series in ["index-gather", "scatter", "update", "histogram", "permutation", "sparse transposition"] {
        for conduit in ["smp", "tcp"] {
            assert!(measured("upc", conduit, series), "{series}: {}", end.report());
            assert_eq!(measured("by hand", conduit, series), series != "update", "{}", end.report());
        }
        assert!(measured("openmp", "smp", series) && measured("unoptimised", "tcp", series), "{series}");
    }
}

#[test]
fn shifts_and_stencils_stand_beside_others() {
    let scratch = scratch("arrays");
    let line = "bench shifts stencils --quick --rounds 1 --conduit smp,tcp -o r.jsonl";
    let end = scratch.meridian(line);
    assert_eq!(end.status, 0, "{}", end.report());
    let text = scratch.read("r.jsonl");
    let measured = |part: &str, dialect: &str, conduit: &str, series: &str, what: &str| {
        text.contains(&point(part, dialect, conduit, series, what))
    };
    for conduit in ["smp", "tcp"] {
        for rank in 1..=4 {
            for what in ["pshift", "cshift"] {
                let series = format!("shifts of rank {rank}");
                assert!(measured("shifts", "upc", conduit, &series, what), "{}", end.report());
            }
        }
        for what in ["one step", "several steps", "copy and scale"] {
            assert!(measured("stencils", "upc", conduit, "27-point", what), "{}", end.report());
        }
        assert!(measured("stencils", "upc", conduit, "halo", "fetch"), "{}", end.report());
    }
    assert!(text.contains("\"processes\":8"), "{}", end.report());
    // Programs that are not installed here are left out with their reason.
    let left_out = |run: &str| end.stderr.contains(&format!("{run} over smp is left out: "));
    for (part, dialect, series, what) in [
        ("shifts", "gfortran", "eoshift", "gfortran"),
        ("shifts", "numpy", "cshift", "numpy.roll"),
        ("stencils", "openmp", "wave", "one step"),
        ("stencils", "devito", "7-point", "one step"),
        ("stencils", "open-mpi", "halo", "persistent"),
        ("stencils", "mpich", "halo", "neighbourhood"),
    ] {
        let there = measured(part, dialect, "smp", series, what);
        assert!(there || left_out(&format!("{dialect} {part}")), "{dialect}: {}", end.report());
    }
    for title in [
        "All shifts at once, beside one at a time, 8 processes on this host",
        "Stencils, 2 processes on two hosts, over tcp",
        "all shifts at once of subgrids of length L, fitted, 2 processes on this host",
    ] {
        assert!(end.stdout.contains(title), "{title}: {}", end.report());
    }
    let end = scratch.meridian("bench report r.jsonl");
    assert_eq!(end.status, 0, "{}", end.report());
    let page = scratch.read("r.html");
    for id in ["speedup-smp-8", "shift-model-tcp-2", "shifts-smp-2", "stencils-tcp-2", "stencils-smp-2"] {
        assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
    }
}

#[test]
fn operations_between_hosts_stand_beside_mpi_and_a_socket() {
    let scratch = scratch("operations");
    let line = "bench operations --quick --rounds 1 --conduit tcp -o r.jsonl";
    let end = scratch.meridian(line);
    assert_eq!(end.status, 0, "{}", end.report());
    let text = scratch.read("r.jsonl");
    let point = |dialect: &str, series: &str, processes: usize| {
        format!(
            "{},\"at\":{{\"processes\":{processes}}}",
            point("operations", dialect, "tcp", series, "time")
        )
    };
    for processes in [2, 4, 8] {
        let with = if processes == 2 { String::new() } else { format!(" with {processes} threads") };
        let left_out = end.stderr.contains(&format!("open-mpi operations over tcp{with} is left out: "));
        let mpi = text.contains(&point("open-mpi", "barrier", processes));
        // A program that does not compile is left out once.
        assert!(mpi || left_out || processes > 2, "{}", end.report());
        for series in
            ["barrier", "put of 8 bytes, slowest of 100", "lock and unlock", "put of 64 rows of 16 KB"]
        {
            assert!(text.contains(&point("upc", series, processes)), "{series}: {}", end.report());
        }
        let title = format!("Operations between hosts, {processes} processes on two hosts, over tcp");
        assert_eq!(end.stdout.contains(&title), mpi || processes == 2, "{}", end.report());
    }
    assert!(text.contains(&point("socket", "get of 8 bytes", 2)), "{}", end.report());
}

#[test]
fn id_programs_stand_beside_c_and_haskell() {
    let scratch = scratch("id90");
    copy(&scratch, "../bench/id90", "sources/id90");
    copy(&scratch, "../bench/probes", "sources/probes");
    let right = scratch.read("sources/id90/mmt.c");
    let wrong = right.replace("printf(\"", "printf(\" ");
    assert_ne!(wrong, right);
    scratch.write("sources/id90/mmt.c", wrong);
    let line = "bench id90 --quick --rounds 1 --program queens,mmt -o r.jsonl --sources sources";
    let end = scratch.meridian(line);
    assert_eq!(end.status, 0, "{}", end.report());
    let text = scratch.read("r.jsonl");
    let measured =
        |dialect: &str, series: &str, what: &str| text.contains(&point("id90", dialect, "smp", series, what));
    for series in ["queens 7", "mmt 6"] {
        for dialect in ["id90", "dataflow threads"] {
            assert!(measured(dialect, series, "processor time"), "{dialect} {series}: {}", end.report());
            assert!(
                measured(dialect, series, "instructions, control"),
                "{dialect} {series}: {}",
                end.report()
            );
        }
        assert!(measured("id90", series, "wall clock"), "{}", end.report());
        let haskell = measured("ghc", series, "processor time");
        assert!(haskell || end.stderr.contains("in ghc is left out: "), "{}", end.report());
    }
    assert!(
        measured("c", "queens 7", "processor time")
            && measured("c, same algorithm", "queens 7", "processor time")
    );
    assert!(!measured("c", "mmt 6", "processor time"), "{}", end.report());
    let said = "id90 mmt in c is left out: it prints something else than the Id program on one processor";
    assert!(end.stderr.contains(said), "{}", end.report());
    assert!(end.stdout.contains("% less control"), "{}", end.report());
    let end = scratch.meridian("bench report r.jsonl");
    assert_eq!(end.status, 0, "{}", end.report());
    let page = scratch.read("r.html");
    for id in ["id90-smp-1", "id90-2", "id90-instructions"] {
        assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
    }
    let end = scratch.meridian("bench id90 --program queen");
    assert!(
        end.status == 1 && end.stderr.contains("there is no program `queen`; id90 has"),
        "{}",
        end.report()
    );
}

#[test]
fn programs_on_two_hosts_stand_beside_mpi_alone() {
    let scratch = scratch("two-hosts");
    programs(&scratch);
    // Lost nodes are not counted.
    let right = scratch.read("sources/kernels/uts.upc");
    let wrong = right.replace("take_lower(&stack, own_offer)", "take_lower(&stack, own_offer) - 1");
    assert_ne!(wrong, right);
    scratch.write("sources/kernels/uts.upc", wrong);
    let end = scratch
        .meridian("bench kernels --class S --passes 1 --rounds 1 --conduit tcp -o r.jsonl --sources sources");
    assert_eq!(end.status, 1, "{}", end.report());
    let said =
        "kernels tree search in upc over tcp failed: it computes something else: the number of nodes is";
    assert!(end.stderr.contains(said), "{}", end.report());
    let text = scratch.read("r.jsonl");
    for (name, dialect) in KERNELS {
        let point = point("kernels", dialect, "tcp", name, "class S");
        assert_eq!(text.contains(&point), name != "tree search", "{name}: {}", end.report());
    }
    assert!(!text.contains("\"dialect\":\"openmp\""), "{}", end.report());
}

#[test]
fn searches_that_share_their_work_find_the_same_with_any_number_of_threads() {
    let scratch = scratch("searches");
    let kernels = tests::home().join("../bench/kernels");
    for (source, name) in [("uts.upc", "uts"), ("blocks.ac", "blocks")] {
        scratch.good(&format!("cc -O2 {} -o {name} -lm", kernels.join(source).display()));
        for job in ["-n 1", "-n 2", "-n 5", "-n 3 -H localhost:2,localhost:1"] {
            let out = scratch.good(&format!("run {job} ./{name} S"));
            assert!(out.contains("VERIFICATION SUCCESSFUL"), "{job}: {out}");
        }
        for settings in
            [["PACKET=4096", "NAP=10"], ["PACKET=65536", "WINDOW=16777216"], ["WINDOW=131072", "NAP=100000"]]
        {
            let mut command = Command::new(tests::meridian());
            command.args(["run", "-n", "3", "-H", "localhost:1,localhost:2", &format!("./{name}"), "S"]);
            for setting in settings {
                let (variable, value) = setting.split_once('=').unwrap();
                command.env(format!("MERIDIAN_{variable}"), value);
            }
            let end = scratch.run(&mut command);
            assert!(end.stdout.contains("VERIFICATION SUCCESSFUL"), "{settings:?} {}", end.report());
        }
        let end = scratch.meridian(&format!("run -n 2 ./{name} B"));
        assert_ne!(end.status, 0, "{}", end.report());
        assert!(end.stderr.contains("usage: ") && end.stderr.contains("[S|W|A]"), "{}", end.report());
    }
}

#[test]
fn a_program_that_is_not_there_is_left_out() {
    let scratch = scratch("no-nas");
    sources(&scratch, "upc.upc", "int main(", "int main(");
    let end = scratch.meridian("bench nas --quick -o r.jsonl --sources sources");
    assert_eq!(end.status, 0, "{}", end.report());
    assert!(end.stderr.contains("nas EP is left out: there is no "), "{}", end.report());
}

#[test]
fn a_probe_that_does_not_compile_is_named_and_the_others_go_on() {
    let scratch = scratch("broken");
    sources(&scratch, "upc.upc", "int main(", "int main((");
    let end = scratch.meridian("bench primitives --quick --conduit smp -o r.jsonl --sources sources --csv");
    assert_eq!(end.status, 1, "{}", end.report());
    assert!(
        end.stderr.contains("the probe upc.upc failed") && end.stderr.contains("upc.upc:"),
        "{}",
        end.report()
    );
    let head = end.stdout.lines().next().unwrap_or_default();
    assert_eq!(head, "part,dialect,conduit,series,what,bytes,sample,ns", "{}", end.report());
    assert!(end.stdout.contains("\nprimitives,ac,smp,read,latency,8,0,"), "{}", end.report());
}

#[test]
fn bad_files_and_bad_words_are_refused_with_their_reasons() {
    let scratch = scratch("refused");
    scratch.write("version.jsonl", "{\"kind\":\"header\",\"version\":1}\n");
    scratch.write("other.txt", "hello\n");
    scratch.write("empty.jsonl", "");
    scratch
        .refused("bench compare version.jsonl other.txt", &["version.jsonl", "version 1", "reads version"]);
    scratch.refused("bench compare other.txt version.jsonl", &["other.txt", "no file of results"]);
    scratch.refused("bench compare empty.jsonl empty.jsonl", &["no file of results"]);
    scratch.refused("bench compare none.jsonl none.jsonl", &["cannot read none.jsonl"]);
    scratch.refused("bench walks", &["invalid value 'walks'", "primitives"]);
    scratch.refused("bench bulk --program walks", &["plain-c"]);
    scratch.refused("bench tune --conduit smp -o m.toml", &["smp is no conduit between hosts"]);
    scratch.refused("bench bulk --class A", &["--class", "nas, kernels, loops and irregular"]);
    scratch.refused("bench nas --class B", &["invalid value 'B'", "S, W, A"]);
    scratch.refused("bench plain-c --program nothing -o r.jsonl", &["no program `nothing`", "walks"]);
    scratch.refused("bench bulk -o nowhere/r.jsonl", &["nowhere/r.jsonl", "no such directory"]);
    scratch.refused("bench bulk --sources nowhere", &["no probes in nowhere"]);
}

#[test]
fn a_host_that_is_not_there_fails_and_what_needs_none_goes_on() {
    let scratch = scratch("host");
    let end = scratch
        .meridian("bench primitives --quick --conduit smp,tcp --hosts localhost:1,localhost:0 -o r.jsonl");
    assert_eq!(end.status, 1, "{}", end.report());
    assert!(end.stderr.contains("over tcp failed") && end.stderr.contains("localhost:0"), "{}", end.report());
    assert!(scratch.read("r.jsonl").contains("\"conduit\":\"smp\""));
}

/// A profile of this machine, as `meridian bench tune` would write it, with these lines of settings.
fn profile(settings: &str) -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let processor =
        cpu.lines().find(|line| line.starts_with("model name")).and_then(|line| line.split_once(':'));
    let processor = processor.map_or("", |(_, name)| name.trim());
    let cores = std::thread::available_parallelism().unwrap();
    format!(
        "version = 1\ndate = \"d\"\nmeridian = \"m\"\n[machine]\nhost = \"h\"\nprocessor = \"{processor}\"\ncores = \
         {cores}\n{settings}"
    )
}

/// Runs the program `hello` on `hosts`, with the profile machine.toml; the runtime prints its settings.
fn hello(scratch: &Scratch, words: &str, variables: &[(&str, &str)]) -> Outcome {
    if !scratch.has("hello") {
        scratch.write("hello.upc", "int main(void) { return 0; }\n");
        scratch.good("cc hello.upc -o hello");
    }
    let mut command = Command::new(tests::meridian());
    command.arg("run").args(words.split_whitespace()).arg("./hello");
    command.env("MERIDIAN_PROFILE", scratch.path("machine.toml")).env("MERIDIAN_SETTINGS", "1");
    for name in ["SPIN", "YIELDS", "BULK", "NAP"] {
        command.env_remove(format!("MERIDIAN_{name}"));
    }
    scratch.run(command.envs(variables.iter().copied()))
}

/// Returns the entry of a setting in the runtime's table.
fn setting(outcome: &Outcome, name: &str) -> String {
    assert_eq!(outcome.status, 0, "{}", outcome.report());
    let line = outcome.stderr.lines().find(|line| line.split_whitespace().next() == Some(name));
    line.and_then(|line| line.split_whitespace().nth(1))
        .unwrap_or_else(|| panic!("{}", outcome.report()))
        .into()
}

#[test]
fn a_profile_reaches_programs_and_the_users_variables_hold() {
    let scratch = scratch("profile");
    scratch
        .write("machine.toml", profile(
            "[one-host]\nSPIN = 123\n[oversubscribed]\nYIELDS = 3\n[several-hosts]\nSPIN = 456\nBULK = 8192\nNAP = 50\n",
        ));
    let hosts = "-H localhost:1,localhost:1";
    assert_eq!(setting(&hello(&scratch, "-n 1", &[]), "MERIDIAN_SPIN"), "123");
    assert_eq!(setting(&hello(&scratch, hosts, &[]), "MERIDIAN_SPIN"), "456");
    assert_eq!(setting(&hello(&scratch, hosts, &[]), "MERIDIAN_BULK"), "8192");
    assert_eq!(setting(&hello(&scratch, hosts, &[]), "MERIDIAN_NAP"), "50");
    let cores = std::thread::available_parallelism().unwrap().get();
    let crowd = hello(&scratch, &format!("-n {}", 2 * cores), &[]);
    let both = [setting(&crowd, "MERIDIAN_YIELDS"), setting(&crowd, "MERIDIAN_SPIN")];
    assert_eq!(both, ["3", "2000"], "more threads than cores");
    assert_eq!(setting(&hello(&scratch, "-n 2", &[("MERIDIAN_SPIN", "7")]), "MERIDIAN_SPIN"), "7");
    assert_eq!(setting(&hello(&scratch, "-n 2", &[("MERIDIAN_PROFILE", "none")]), "MERIDIAN_SPIN"), "2000");
    let cores = "cores = ";
    scratch.write("machine.toml", profile("[one-host]\nSPIN = 123\n").replace(cores, "cores = 9"));
    assert_eq!(setting(&hello(&scratch, "-n 2", &[]), "MERIDIAN_SPIN"), "2000", "of another machine");
}

#[test]
fn a_profile_with_nonsense_is_refused() {
    let scratch = scratch("nonsense");
    for (text, expected) in [
        (profile("[one-host]\nSPIN = -1\n"), "SPIN is -1, but has to be from 0"),
        (profile("[one-host]\nSPEED = 1\n"), "no setting `SPEED`"),
        (profile("[one-host]\nSPIN = fast\n"), "line 9"),
        (profile("").replace("version = 1", "version = 3"), "version 3"),
        (String::from("hello"), "no machine profile"),
    ] {
        scratch.write("machine.toml", &text);
        let end = hello(&scratch, "-n 2", &[]);
        assert_eq!(end.status, 2, "{}", end.report());
        assert!(end.stderr.contains("machine.toml") && end.stderr.contains(expected), "{}", end.report());
    }
    std::fs::remove_file(scratch.path("machine.toml")).unwrap();
    let end = hello(&scratch, "-n 2", &[]);
    assert_eq!(end.status, 2, "{}", end.report());
    assert!(end.stderr.contains("cannot read the machine profile"), "{}", end.report());
}
