//! The settings of VS Code for the server: those of its clangd extension in `.vscode/settings.json`.

use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Returns the settings. The extension serves C files, so sources in the dialects are declared to be C.
fn settings(meridian: &Path) -> Value {
    json!({
        "clangd.path": meridian,
        "clangd.arguments": ["clangd"],
        "files.associations": { "*.upc": "c", "*.upch": "c", "*.sc": "c", "*.ac": "c" },
    })
}

/// Writes the settings into the `.vscode` of a folder, and keeps existing ones. Returns the file.
///
/// # Errors
/// If the file exists and is no JSON object, or cannot be written; the error has advice.
pub fn write(folder: &Path, meridian: &Path) -> Result<PathBuf, String> {
    let file = folder.join(".vscode/settings.json");
    let shown = file.display();
    let ours = settings(meridian);
    let mut all: Map<String, Value> = match std::fs::read_to_string(&file) {
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Map::new(),
        Err(why) => return Err(format!("cannot read {shown}: {why}")),
        Ok(text) if text.trim().is_empty() => Map::new(),
        Ok(text) => serde_json::from_str(&text).map_err(|why| {
            format!(
                "{shown} is left as it is, since it is not plain JSON ({why}). Add to it:\n{}",
                lines(&ours)
            )
        })?,
    };
    merge(&mut all, &ours);
    let text = lines(&Value::Object(all));
    let folder = file.parent().unwrap_or(folder);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&file, text))
        .map_err(|why| format!("cannot write {shown}: {why}"))?;
    Ok(file)
}

fn lines(value: &Value) -> String {
    format!("{value:#}\n")
}

/// Sets our values; an object in both keeps its other entries.
fn merge(all: &mut Map<String, Value>, ours: &Value) {
    for (name, value) in ours.as_object().into_iter().flatten() {
        match (all.get_mut(name), value) {
            (Some(Value::Object(old)), Value::Object(_)) => merge(old, value),
            _ => drop(all.insert(name.clone(), value.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_are_there_stay() {
        let folder = tempfile::tempdir().expect("a directory");
        let meridian = Path::new("/opt/bin/meridian");
        let file = write(folder.path(), meridian).expect("new settings");
        let text = std::fs::read_to_string(&file).expect("the file");
        assert!(text.contains("\"clangd.path\": \"/opt/bin/meridian\""), "{text}");
        std::fs::write(&file, r#"{"editor.tabSize": 4, "files.associations": {"*.h": "c"}}"#)
            .expect("written");
        write(folder.path(), meridian).expect("merged settings");
        let all: Value =
            serde_json::from_str(&std::fs::read_to_string(&file).expect("the file")).expect("JSON");
        assert_eq!(all["editor.tabSize"], 4);
        assert_eq!(
            all["files.associations"],
            json!({"*.h": "c", "*.upc": "c", "*.upch": "c", "*.sc": "c", "*.ac": "c"})
        );
    }

    #[test]
    fn what_is_no_json_is_left_and_shown_what_to_add() {
        let folder = tempfile::tempdir().expect("a directory");
        let file = folder.path().join(".vscode/settings.json");
        std::fs::create_dir(folder.path().join(".vscode")).expect("a directory");
        std::fs::write(&file, "{ // mine\n}").expect("written");
        let why = write(folder.path(), Path::new("/m")).expect_err("comments");
        assert!(why.contains("left as it is") && why.contains("clangd.arguments"), "{why}");
        assert_eq!(std::fs::read_to_string(&file).expect("the file"), "{ // mine\n}");
    }
}
