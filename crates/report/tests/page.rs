//! Tests of the structure of the page: self-contained, and every figure with its drawing and its data.

use bench::results::Results;

/// A file of results with points of every part.
fn results() -> Results {
    let mut lines = vec![
        r#"{"kind":"header","version":2,"meridian":"0.1","date":"2026-11-22T00:00:00Z","machine":{"host":"a<b","processor":"P","cores":2,"memory":8589934592,"kernel":"6","caches":[[1,32768]]},"compiler":"cc","quick":false,"hosts":null}"#.to_string(),
    ];
    let mut add = |part: &str, dialect: &str, conduit: &str, series: &str, what: &str, at: &str, ns: f64| {
        lines.push(format!(
            r#"{{"kind":"point","part":"{part}","dialect":"{dialect}","conduit":"{conduit}","series":"{series}","what":"{what}","at":{{{at}}},"ns":[{ns},{ns},{ns}]}}"#
        ));
    };
    for power in 12..27u64 {
        let size = 1u64 << power;
        let ns = if power < 16 { 1.5 } else { 90.0 };
        add("memory", "split-c", "smp", "chase", "time", &format!("\"size\":{size},\"stride\":64"), ns);
        for stride in [8u64, 64, 512] {
            let at = format!("\"size\":{size},\"stride\":{stride}");
            for (part, series) in
                [("memory", "read"), ("memory", "write"), ("remote", "read"), ("remote", "write")]
            {
                add(part, "split-c", "smp", series, "time", &at, ns);
            }
        }
    }
    for conduit in ["smp", "am", "tcp"] {
        for n in [1u64, 8, 480] {
            add("groups", "split-c", conduit, "get", "time", &format!("\"n\":{n}"), 900.0 / n as f64);
            add("small", "upc", conduit, "memget", "time", &format!("\"bytes\":{n}"), 3.0);
        }
        for bytes in [8u64, 4096, 1 << 20, 8 << 20] {
            add(
                "bulk",
                "split-c",
                conduit,
                "get",
                "time",
                &format!("\"bytes\":{bytes}"),
                200.0 + bytes as f64 / 10.0,
            );
        }
        for what in ["overhead", "latency", "gap"] {
            for series in ["read", "write", "get", "put", "store", "message get"] {
                add("primitives", "split-c", conduit, series, what, "\"bytes\":8", 100.0);
            }
        }
    }
    for (what, ns) in [("plain C", 1.0), ("private", 1.0), ("shared", 2.0)] {
        add("livermore", "upc", "smp", "1 hydro fragment", what, "", ns);
    }
    for (name, omp) in [("EP", 2.0), ("FT", 8.0)] {
        for (system, factor) in [("upc", 1.0), ("openmp", omp), ("open-mpi", 0.5)] {
            add("nas", system, "smp", name, "class S", "", 2e6 * factor);
            let system = if system == "openmp" { "mpich" } else { system };
            add("kernels", system, "tcp", name, "class W", "", 6e6 * factor);
        }
    }
    for keys in [4096, 16384] {
        for what in ["time", "histogram", "scan", "permute"] {
            add("sorts", "split-c", "tcp", "radix, uniform", what, &format!("\"keys\":{keys}"), 50.0);
        }
        for step in ["histogram", "scan", "permute"] {
            let series = format!("local {step}, uniform");
            add("sorts", "split-c", "smp", &series, "time", &format!("\"keys\":{keys}"), 5.0);
        }
    }
    for bytes in [64u64, 4096] {
        for what in ["time", "move", "use"] {
            add("exchange", "split-c", "am", "put", what, &format!("\"bytes\":{bytes}"), bytes as f64);
        }
    }
    for bytes in [4096u64, 8192] {
        add("bulk", "split-c", "tcp", "store", "time", &format!("\"bytes\":{bytes}"), 100.0);
    }
    for (series, what, bytes) in [("store", "overhead", 4), ("store", "gap", 4), ("store sync", "latency", 0)]
    {
        add("primitives", "split-c", "tcp", series, what, &format!("\"bytes\":{bytes}"), 10.0);
    }
    for series in ["private", "indefinite", "cyclic", "block-cyclic"] {
        add("pointers", "upc", "smp", series, "add", "", 0.5);
    }
    for (series, ns) in [("fork", 1.5), ("ifetch, remote", 300.0), ("message round trip", 250.0)] {
        add("tam", "id90", "smp", series, "time", "", ns);
    }
    lines.push(r#"{"kind":"failure","run":"upc small over ofi","why":"it died"}"#.to_string());
    let points = lines.len() - 2;
    lines.push(format!(r#"{{"kind":"end","how":"complete","points":{points}}}"#));
    Results::parse(&lines.join("\n"), "test").unwrap()
}

fn page() -> String {
    report::html(&results()).unwrap()
}

#[test]
fn it_needs_nothing_but_itself() {
    let page = page().replace("http://www.w3.org/2000/svg", "");
    for outside in ["http:", "https:", "<script", "<link", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.len() < 2 << 20, "{} bytes", page.len());
    assert!(page.contains("width=device-width") && page.contains("prefers-color-scheme: dark"));
}

#[test]
fn what_falls_short_is_said() {
    let page = page();
    let goals = page.split("id=\"goals\"").nth(1).unwrap().split("<h2").next().unwrap();
    assert!(goals.contains("the time of open-mpi") && goals.contains("0.50"), "{goals}");
    assert!(!goals.contains("the time of openmp"), "what is reached is not listed: {goals}");
}

#[test]
fn every_figure_has_a_drawing_its_data_and_a_link() {
    let page = page();
    let sections: Vec<&str> = page.split("<section id=\"").skip(1).collect();
    assert_eq!(sections.len(), page.matches("<figure>").count());
    assert!(sections.len() >= 10, "{}", sections.len());
    for section in sections {
        let id = section.split('"').next().unwrap();
        assert!(page.contains(&format!("href=\"#{id}\"")), "{id}");
        assert_eq!(section.matches("<figure><svg ").count(), 1, "{id}");
        assert!(
            id.starts_with("programs") || section.contains("<p class=\"legend\" aria-hidden=\"true\"><span "),
            "{id}"
        );
        // The keyboard can skip the values: a link before the drawing, with its target after the drawing.
        let skip = format!("<a class=\"skip\" href=\"#{id}-data\">");
        let place = |what: &str| section.find(what).unwrap_or_else(|| panic!("{id}: no {what}"));
        assert!(place(&skip) < place("<figure>"), "{id}");
        assert!(place("</figure>") < place(&format!(" id=\"{id}-data\"")), "{id}");
        let rows = section.matches("<th scope=\"row\">").count();
        let points = section.matches("tabindex=\"0\"").count();
        assert!(rows > 1 && points >= rows, "{id}: {rows} rows, {points} points");
    }
}

#[test]
fn conclusions_follow_from_the_data() {
    let page = page();
    for sentence in [
        "A read that waits for the one before takes 1.5 ns up to 32 KB, and 90 ns in memory: 60 times",
        "Over tcp, reading another processor&#39;s word takes 100 ns",
        "Split-phase accesses gain little over am: a get alone takes 100 ns",
    ] {
        let sentence = sentence.replace("&#39;", "'");
        assert!(page.contains(&sentence), "{sentence}");
    }
    assert!(!page.contains("over ofi,"), "nothing is said of what was not measured");
}

#[test]
fn text_from_the_file_is_no_markup() {
    let page = page();
    assert!(page.contains("a&lt;b") && !page.contains("a<b"));
}

#[test]
fn the_sorts_and_the_kernels_stand_beside_the_papers() {
    let page = page();
    assert!(page.contains("1 hydro fragment") && page.contains("geometric mean"));
    assert!(page.contains("On shared arrays of the thread's own they reach 0.50"), "{page}");
    // Radix sort over tcp: two histograms of 5 ns a key; its phase, and the CM-5's.
    assert!(page.contains("<td>histogram 50.0 / 10.0</td>") && page.contains("histogram 2.41 µs"), "{page}");
    assert!(
        page.contains("aria-label=\"put, 4 KB: 4.1 µs\"") && page.contains("id=\"exchange-am\""),
        "{page}"
    );
    assert!(page.contains("id=\"sorts-tcp\"") && page.contains("radix, predicted"), "{page}");
}

#[test]
fn programs_stand_beside_openmp_and_mpi() {
    let page = page();
    assert!(page.contains("<td>2 ms</td><td>4 ms (2.00)</td><td>1 ms (0.50)</td>"), "{page}");
    assert!(page.contains("aria-label=\"openmp, FT, class S: 8.00\""), "{page}");
    let sentence = "4.00 times as long in openmp (least: EP, class S, 2.00), 0.50 times as long in open-mpi";
    assert!(page.contains(sentence), "{page}");
    let far = page.split("id=\"programs-tcp-2\"").nth(1).unwrap();
    assert!(far.contains("<td>6 ms</td><td>12 ms (2.00)</td><td>3 ms (0.50)</td>"), "{far}");
    assert!(page.contains("Whole programs, 2 processes on two hosts, over tcp"), "{page}");
}

#[test]
fn what_failed_is_said() {
    let page = page();
    assert!(page.contains("upc small over ofi") && page.contains("it died"));
}

#[test]
fn a_file_without_points_is_a_page_too() {
    let mut results = results();
    results.points.clear();
    let page = report::html(&results).unwrap();
    assert!(page.contains("The gray box") && !page.contains("<figure>"));
}
