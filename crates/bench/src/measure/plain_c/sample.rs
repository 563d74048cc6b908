//! The output of a benchmark: one JSON line a sample (`bench/measure.h`).

use std::collections::BTreeMap;

/// The samples of a program, by the name of the kernel, each in the order of the rounds.
pub type Samples = BTreeMap<String, Vec<f64>>;

/// Adds the samples in a program's output to its earlier ones. Other lines are refused, because a program
/// that prints something else has failed.
pub fn add(output: &str, samples: &mut Samples) -> Result<(), String> {
    for line in output.lines().filter(|line| !line.trim().is_empty()) {
        let (name, ns) = parse(line).ok_or_else(|| format!("no sample: {line}"))?;
        samples.entry(name).or_default().push(ns);
    }
    Ok(())
}

fn parse(line: &str) -> Option<(String, f64)> {
    let value: serde_json::Value = serde_json::from_str(line).ok()?;
    let ns = value.get("ns")?.as_f64().filter(|ns| *ns > 0.0)?;
    Some((value.get("name")?.as_str()?.to_string(), ns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_gathered_by_name_over_several_outputs() {
        let mut samples = Samples::new();
        add("{\"name\":\"a\",\"round\":0,\"ns\":1.5}\n{\"name\":\"b\",\"round\":0,\"ns\":2}\n", &mut samples)
            .unwrap();
        add("{\"name\":\"a\",\"round\":0,\"ns\":3}\n", &mut samples).unwrap();
        assert_eq!(samples["a"], [1.5, 3.0]);
        assert_eq!(samples["b"], [2.0]);
    }

    #[test]
    fn other_lines_are_refused_by_name() {
        for line in ["hello", "{\"name\":\"a\"}", "{\"name\":\"a\",\"ns\":0}", "{\"ns\":1}", "[1]"] {
            let error = add(line, &mut Samples::new()).unwrap_err();
            assert!(error.contains(line), "{error}");
        }
    }
}
