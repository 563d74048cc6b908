//! Diagnostics as SARIF 2.1.0, which editors and code hosts read: one log for the whole command, with the
//! diagnostics of all its files.

use base::{Diagnostic, Severity, Source};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// The results of the files so far, and their rules.
static LOG: Mutex<(Vec<Value>, BTreeMap<&'static str, Value>)> = Mutex::new((Vec::new(), BTreeMap::new()));

/// Adds the diagnostics of a file.
pub fn add(diagnostics: &[Diagnostic], source: &Source) {
    let mut log = LOG.lock().expect("nobody panics with it");
    for (diagnostic, place) in base::render::select(diagnostics, source) {
        let code = diagnostic.code.code();
        log.1.entry(code).or_insert_with(|| json!({ "id": code }));
        let path = source.file(place.file).display().to_string();
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark => "note",
        };
        let mut text = diagnostic.message.clone();
        for more in diagnostic.notes.iter().chain(&diagnostic.help) {
            text += &format!("\n{more}");
        }
        log.0.push(json!({
            "ruleId": code,
            "level": severity,
            "message": { "text": text },
            "locations": [{ "physicalLocation": {
                "artifactLocation": { "uri": path },
                "region": { "startLine": place.line, "startColumn": place.column },
            }}],
        }));
    }
}

/// Returns the log, which exists even if there are no diagnostics.
pub fn log() -> String {
    let log = LOG.lock().expect("nobody panics with it");
    let rules: Vec<&Value> = log.1.values().collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "meridian cc",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": log.0,
        }],
    });
    format!("{document}\n")
}
