//! The output of programs: lines of samples and of checks, verdicts with times, and the counters of profiles.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::results::Point;

/// The classes of instructions (figure 6-12); their points hold counts instead of nanoseconds.
pub const CLASSES: [&str; 4] = ["alu", "heap", "control", "message"];

/// Returns the point of a line, without samples, and its sample. `model` is a point of the run: if it has a
/// series or a `what`, the line's are those of a kernel in a variant of a program.
pub fn sample(model: &Point, line: &str) -> Option<(Point, f64)> {
    let Value::Object(mut fields) = serde_json::from_str(line).ok()? else { return None };
    let ns = fields.remove("ns")?.as_f64().filter(|ns| ns.is_finite() && *ns > 0.0)?;
    fields.remove("round")?.as_u64()?;
    let mut text = |name: &str| Some(fields.remove(name)?.as_str()?.to_string());
    let (part, mut series, mut what) = (text("part")?, text("series")?, text("what")?);
    if !model.series.is_empty() {
        series = format!("{}/{series}", model.series);
    }
    if !model.what.is_empty() {
        what.clone_from(&model.what);
    }
    let at = fields.into_iter().map(|(axis, value)| Some((axis, value.as_u64()?))).collect::<Option<_>>()?;
    let (dialect, conduit) = (model.dialect.clone(), model.conduit.clone());
    Some((Point { part, dialect, conduit, series, what, at, ns: vec![] }, ns))
}

/// Returns the name and the value of a line that is a check of a result.
pub fn check(line: &str) -> Option<(String, f64)> {
    let fields: Value = serde_json::from_str(line).ok()?;
    Some((fields.get("check")?.as_str()?.to_string(), fields.get("value")?.as_f64()?))
}

/// Returns the reason why a program's result is wrong, if its verdict says so.
pub fn wrong(out: &str) -> Option<String> {
    out.contains("VERIFICATION FAILED").then(|| {
        let lines = out.lines().filter(|line| line.contains("must be"));
        let what = lines.take(2).collect::<Vec<_>>().join(" / ");
        format!("it computes something else: {what}")
    })
}

/// Returns the time of a verified run, in nanoseconds, or `None` if a line is missing.
pub fn time(out: &str) -> Option<f64> {
    let line = out.lines().find_map(|line| line.strip_prefix("time "))?;
    let seconds: f64 = line.split(" s").next()?.parse().ok()?;
    (out.contains("VERIFICATION SUCCESSFUL") && seconds.is_finite() && seconds > 0.0).then_some(seconds * 1e9)
}

/// Returns the sums of a profile's counters of the abstract machine, by class.
///
/// # Errors
/// If there is no profile, or it has no counters.
pub fn instructions(profile: &Path) -> Result<[f64; 4]> {
    let text = std::fs::read_to_string(profile).context("it wrote no profile")?;
    let all: Value = serde_json::from_str(&text).context("its profile is no JSON")?;
    let counters = all["meridian"]["tam"]["counters"].as_array().context("its profile has no counters")?;
    let of = |class: &str| {
        let named = counters.iter().filter(|c| {
            c["name"]
                .as_str()
                .and_then(|name| name.strip_prefix(class))
                .is_some_and(|rest| rest.starts_with(' '))
        });
        let values = named.flat_map(|c| c["of"].as_array().into_iter().flatten());
        values.filter_map(Value::as_f64).sum()
    };
    Ok(CLASSES.map(of))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_verified_run_has_a_time() {
        let good =
            "zeta 8.5\ncg: VERIFICATION SUCCESSFUL\ntime 0.250000 s, 3.0 million operations a second\n";
        assert_eq!(time(good), Some(0.25e9));
        for bad in ["SUCCESSFUL", "time 0.250000", "time 0.25"].map(|lost| good.replace(lost, "")) {
            assert_eq!(time(&bad), None, "{bad}");
        }
        assert_eq!(time(&good.replace("0.25", "-0.25")), None);
    }

    #[test]
    fn a_kernel_is_one_of_its_program_and_variant() {
        let line = r#"{"part":"plain-c","series":"triad","what":"time","round":0,"ns":2}"#;
        let mut model = crate::results::tests::results().points.remove(0);
        (model.series, model.what) = ("forall".into(), "-O3 static".into());
        let (point, ns) = sample(&model, line).unwrap();
        assert_eq!((point.series.as_str(), point.what.as_str(), ns), ("forall/triad", "-O3 static", 2.0));
        (model.series, model.what) = (String::new(), String::new());
        assert_eq!(sample(&model, line).unwrap().0.series, "triad");
    }

    #[test]
    fn instructions_are_summed_by_class() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("p.json");
        let counter = |name: &str, of: &str| format!("{{\"name\": \"{name}\", \"of\": [{of}]}}");
        let counters = [
            counter("alu integer", "3, 4"),
            counter("alu float", "1"),
            counter("control stop", "5"),
            counter("functions", "9"),
        ];
        let write = |text: &str| std::fs::write(&path, text).unwrap();
        write(&format!("{{\"meridian\": {{\"tam\": {{\"counters\": [{}]}}}}}}", counters.join(",")));
        assert_eq!(instructions(&path).unwrap(), [8.0, 0.0, 5.0, 0.0]);
        write("{}");
        assert!(instructions(&path).unwrap_err().to_string().contains("no counters"));
        write("no");
        assert!(instructions(&path).unwrap_err().to_string().contains("no JSON"));
    }
}
