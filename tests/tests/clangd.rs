//! `meridian clangd` as an editor uses it, with the real clangd: its hover texts, its completions, and its
//! diagnostics of right and of wrong programs in all dialects.

use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use tests::process::{run, with_default_signals};
use tests::trial::Ran;
use tests::{has_commands, home, meridian, walk};

/// Longer than any answer takes on a loaded machine.
const LIMIT: Duration = Duration::from_secs(240);

/// An editor with one folder, and the server that it has started.
struct Editor {
    server: Child,
    to: Option<ChildStdin>,
    from: Receiver<Message>,
    folder: PathBuf,
    next: i32,
    versions: HashMap<String, i32>,
    /// The diagnostics last published of each file, and how often.
    diagnostics: HashMap<String, (Vec<Value>, usize)>,
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("clangd-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a directory");
    folder.canonicalize().expect("its path")
}

fn address(path: &Path) -> String {
    format!("file://{}", path.display())
}

impl Editor {
    fn start(folder: PathBuf) -> Editor {
        let mut command = Command::new(meridian());
        tests::forget(&mut command, "MERIDIAN_");
        with_default_signals(&mut command).args([
            "clangd",
            "--",
            "--log=error",
            "-j=1",
            "--background-index=0",
            "--limit-results=0",
        ]);
        command.current_dir(&folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn().expect("meridian clangd");
        let mut stdout = BufReader::new(server.stdout.take().expect("a pipe"));
        let (sender, from) = channel();
        std::thread::spawn(move || {
            while let Ok(Some(message)) = Message::read(&mut stdout) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let to = server.stdin.take();
        let (versions, diagnostics) = (HashMap::new(), HashMap::new());
        let mut editor = Editor { server, to, from, folder, next: 0, versions, diagnostics };
        let root = address(&editor.folder);
        let capabilities = json!({ "general": { "positionEncodings": ["utf-8", "utf-16"] } });
        let answer = editor.ask(
            "initialize",
            json!({ "processId": std::process::id(), "rootUri": root, "capabilities": capabilities }),
        );
        assert_eq!(answer["capabilities"]["textDocumentSync"]["change"], 1, "whole texts are wanted");
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: Message) {
        message.write(self.to.as_mut().expect("a pipe")).expect("the server reads");
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(Message::Notification(Notification { method: method.into(), params }));
    }

    /// Takes messages until one of them is the answer to something.
    fn until<T>(&mut self, what: &str, mut look: impl FnMut(&Self, Option<&Message>) -> Option<T>) -> T {
        let begun = Instant::now();
        let mut found = look(self, None);
        while found.is_none() {
            let left = LIMIT.checked_sub(begun.elapsed()).unwrap_or_else(|| panic!("no {what}"));
            let message = self.from.recv_timeout(left).unwrap_or_else(|why| panic!("no {what}: {why}"));
            match &message {
                Message::Notification(n) if n.method == "textDocument/publishDiagnostics" => {
                    let list = n.params["diagnostics"].as_array().expect("a list").clone();
                    let name = n.params["uri"].as_str().expect("an address").to_owned();
                    let entry = self.diagnostics.entry(name).or_default();
                    *entry = (list, entry.1 + 1);
                }
                // The server's requests are for features that this editor lacks.
                Message::Request(request) => {
                    let answer = Response::new_ok(request.id.clone(), Value::Null);
                    self.send(Message::Response(answer));
                }
                _ => {}
            }
            found = look(self, Some(&message));
        }
        found.expect("it has been found")
    }

    fn try_ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.send(Message::Request(Request { id: id.clone(), method: method.into(), params }));
        let answer = self.until(method, |_, message| match message {
            Some(Message::Response(response)) if response.id == id => Some(response.clone()),
            _ => None,
        });
        match answer.error {
            Some(error) => Err(error.message),
            None => Ok(answer.result.unwrap_or(Value::Null)),
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.try_ask(method, params).unwrap_or_else(|why| panic!("{method}: {why}"))
    }

    /// Writes a file and opens it.
    fn write(&mut self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.join(name);
        std::fs::write(&path, text).expect("a file");
        self.open(&path);
        path
    }

    fn open(&mut self, path: &Path) {
        let text = std::fs::read_to_string(path).expect("a source");
        let name = address(path);
        let item = json!({ "uri": name, "languageId": "upc", "version": 1, "text": text });
        self.versions.insert(name, 1);
        self.tell("textDocument/didOpen", json!({ "textDocument": item }));
    }

    fn change(&mut self, path: &Path, text: &str) {
        let name = address(path);
        let version = self.versions.entry(name.clone()).or_default();
        *version += 1;
        let document = json!({ "uri": name, "version": version });
        let changes = json!([{ "text": text }]);
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    fn close(&mut self, path: &Path) {
        self.tell("textDocument/didClose", json!({ "textDocument": { "uri": address(path) } }));
    }

    /// Asks about the place `offset` characters after the mark in a text.
    fn about(&mut self, method: &str, path: &Path, text: &str, mark: &str, offset: usize) -> Value {
        let at = text.find(mark).unwrap_or_else(|| panic!("no {mark}")) + offset;
        let line = text[..at].matches('\n').count();
        let begin = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let position = json!({ "line": line, "character": text[begin..at].encode_utf16().count() });
        self.ask(method, json!({ "textDocument": { "uri": address(path) }, "position": position }))
    }

    /// Returns all diagnostics of a file once clangd and `meridian cc` have both read its current text. An
    /// error put at its end shows that they have; it is left out of the result.
    fn said(&mut self, path: &Path) -> Vec<Value> {
        let document = json!({ "textDocument": { "uri": address(path) } });
        self.ask("textDocument/documentSymbol", document.clone());
        let text = std::fs::read_to_string(path).expect("a source");
        let wrong = format!("{}\nint meridian_test = no_such_name_here;\n", text.trim_end());
        let last = wrong.lines().count() - 1;
        self.change(path, &wrong);
        self.ask("textDocument/documentSymbol", document);
        let name = address(path);
        self.until(&format!("error at the end of {name}"), |editor, _| {
            let (list, _) = editor.diagnostics.get(&name)?;
            let ours = |d: &Value| d["range"]["start"]["line"] == json!(last) && d["severity"] == 1;
            list.iter().any(ours).then(|| list.iter().filter(|d| !ours(d)).cloned().collect())
        })
    }

    /// Waits until a file has a diagnostic whose message holds the text.
    fn diagnostic(&mut self, path: &Path, text: &str) -> Value {
        let name = address(path);
        self.until(&format!("diagnostic `{text}`"), |editor, _| {
            let (list, _) = editor.diagnostics.get(&name)?;
            list.iter().find(|d| d["message"].as_str().is_some_and(|m| m.contains(text))).cloned()
        })
    }

    fn end(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        drop(self.to.take());
        let begun = Instant::now();
        while begun.elapsed() < LIMIT {
            if let Some(status) = self.server.try_wait().expect("its status") {
                assert!(status.success(), "meridian clangd has ended with {status}");
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("meridian clangd does not end");
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        drop(self.to.take());
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn start(name: &str) -> Result<Editor, tests::trial::Skip> {
    has_commands(&["clangd"])?;
    Ok(Editor::start(scratch(name)))
}

fn shown(hover: &Value) -> String {
    let contents = &hover["contents"];
    contents["value"].as_str().or(contents.as_str()).unwrap_or_default().to_owned()
}

const UPC: &str = "#include <stdio.h>
#include <upc.h>
#include \"table.h\"
struct part { int weight; double größe; };
shared [4] struct part parts[4 * THREADS];
int main(void) {
    shared [4] struct part *p = &parts[0];
    /* 𝒳 */ upc_forall (int i = 0; i < 4 * THREADS; i++; &parts[i])
        parts[i].weight = table[0] + MYTHREAD;
    upc_barrier 7;
    printf(\"%d\\n\", p->weight);
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_lock(lock);
    return 0;
}
";

fn names_are_known_in_upc() -> Ran {
    let mut editor = start("upc")?;
    std::fs::write(editor.folder.join("table.h"), "extern shared [2] int table[2 * THREADS];\n")
        .expect("a header");
    let path = editor.write("main.upc", UPC);
    let mut hover = |mark: &str, offset| shown(&editor.about("textDocument/hover", &path, UPC, mark, offset));
    assert!(hover("parts[i].weight", 0).contains("struct part"), "{}", hover("parts[i].weight", 0));
    // In the affinity, after a letter of two units.
    assert!(hover("&parts[i])", 1).contains("parts"));
    assert!(hover("upc_lock(lock)", 2).contains("upc_lock"));
    assert!(hover("table[0]", 1).contains("int"));
    assert!(hover("upc_forall", 4).contains("affinity"));
    assert!(hover("shared [4] struct part *p", 2).contains("6.5.1.1"));
    assert!(hover("MYTHREAD;", 2).contains("number of this thread"));
    let place = editor.about("textDocument/definition", &path, UPC, "&parts[i])", 2);
    assert_eq!(place[0]["range"]["start"], json!({ "line": 4, "character": 23 }), "{place}");
    let place = editor.about("textDocument/definition", &path, UPC, "table[0]", 2);
    assert!(place[0]["uri"].as_str().expect("an address").ends_with("/table.h"), "{place}");
    assert_eq!(place[0]["range"]["start"], json!({ "line": 0, "character": 22 }), "{place}");
    let place = editor.about("textDocument/definition", &path, UPC, "upc_all_lock_alloc", 2);
    assert!(place[0]["uri"].as_str().expect("an address").ends_with("include/upc/upc.h"), "{place}");
    editor.end();
    Ok(())
}

fn members_and_words_are_completed() -> Ran {
    let mut editor = start("completion")?;
    std::fs::write(editor.folder.join("table.h"), "extern shared int table[2 * THREADS];\n")
        .expect("a header");
    let typed = UPC.replace("    return 0;", "    upc_;\n    parts[1].\n");
    let path = editor.write("main.upc", &typed);
    let labels = |list: Value| -> Vec<String> {
        let items = list["items"].as_array().or(list.as_array()).cloned().unwrap_or_default();
        items.iter().filter_map(|item| item["filterText"].as_str().map(str::to_owned)).collect()
    };
    // Before clangd has read the file it only guesses.
    editor.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": address(&path) } }));
    let members = labels(editor.about("textDocument/completion", &path, &typed, "parts[1].", 9));
    assert!(
        members.iter().any(|name| name == "weight") && members.iter().any(|name| name == "größe"),
        "{members:?}"
    );
    assert!(!members.iter().any(|name| name == "shared"), "{members:?}");
    let words = labels(editor.about("textDocument/completion", &path, &typed, "    upc_;\n", 8));
    for wanted in ["upc_forall", "upc_barrier", "upc_lock", "upc_global_alloc"] {
        assert_eq!(words.iter().filter(|name| *name == wanted).count(), 1, "{wanted}: {words:?}");
    }
    editor.end();
    Ok(())
}

fn names_are_known_in_split_c_and_ac() -> Ran {
    let mut editor = start("procs")?;
    let text = "#include <split-c/split-c.h>
double sums[PROCS]::[2];
splitc_main() {
    double mine;
    double *global there = toglobal(0, &mine);
    mine := *there;
    sync();
    sums[MYPROC][1] :- mine;
    all_store_sync();
}
";
    let path = editor.write("a.sc", text);
    let hover = shown(&editor.about("textDocument/hover", &path, text, "there;", 1));
    assert!(hover.contains("double *"), "{hover}");
    let hover = shown(&editor.about("textDocument/hover", &path, text, ":- mine", 1));
    assert!(hover.contains("store"), "{hover}");
    let hover = shown(&editor.about("textDocument/hover", &path, text, "sums[MYPROC]", 1));
    assert!(hover.contains("double[4][2]"), "{hover}");
    let text = "#include <split-c/split-c.h>
dist int squares[8][PROCS];
int main(void) {
    dist int *end = squares[0] + 8 * PROCS;
    return toproc(end) == 0;
}
";
    let path = editor.write("a.ac", text);
    let place = editor.about("textDocument/definition", &path, text, "squares[0]", 1);
    assert_eq!(place[0]["range"]["start"], json!({ "line": 1, "character": 9 }), "{place}");
    let hover = shown(&editor.about("textDocument/hover", &path, text, "toproc", 1));
    assert!(hover.contains("toproc"), "{hover}");
    editor.end();
    Ok(())
}

fn sources(folder: &str) -> Vec<PathBuf> {
    let dialect = |path: &Path| path.extension().is_some_and(|e| e == "upc" || e == "sc" || e == "ac");
    let folder = home().join(folder).canonicalize().expect("a folder");
    walk(&folder, &|path| path.is_file() && dialect(path))
}

fn nothing_is_said_of_right_programs() -> Ran {
    let mut editor = start("examples")?;
    let sources = sources("../examples");
    assert!(sources.len() >= 20, "{sources:?}");
    for path in sources {
        editor.open(&path);
        let said = editor.said(&path);
        editor.close(&path);
        assert!(said.is_empty(), "{}: {said:#?}", path.display());
    }
    editor.end();
    Ok(())
}

fn wrong_programs_have_our_diagnostics() -> Ran {
    let mut editor = start("wrong")?;
    for (name, text, wanted, place) in [
        (
            "a.upc",
            "#include <upc.h>\nshared int a;\nint f(void) { upc_barrier 3.14; return a; }\n",
            "upc_barrier",
            (2, 26),
        ),
        ("b.upc", "shared int *p;\nint *f(void) { return p; }\n", "shared", (1, 22)),
        (
            "c.sc",
            "#include <split-c/split-c.h>\nsplitc_main() { int *global g; int x; x := x; }\n",
            "exactly one global side",
            (1, 38),
        ),
        ("d.ac", "dist int x[PROCS];\nint f(void) { return y; }\n", "`y`", (1, 21)),
        ("e.upc", "#include \"no-such-header.h\"\nint x;\n", "no-such-header.h", (0, 9)),
        ("f.upc", "int größe = 1;\nint f(void) { return größe + nothing; }\n", "nothing", (1, 29)),
    ] {
        let path = editor.write(name, text);
        let found = editor.diagnostic(&path, wanted);
        assert_eq!(found["source"], "meridian", "{name}: {found}");
        let start = &found["range"]["start"];
        assert_eq!(*start, json!({ "line": place.0, "character": place.1 }), "{name}: {found}");
        editor.close(&path);
    }
    editor.end();
    Ok(())
}

fn a_mended_program_has_no_diagnostics_left() -> Ran {
    let mut editor = start("mended")?;
    let path = editor.write("a.upc", "shared int a;\nint f(void) { return b; }\n");
    editor.diagnostic(&path, "`b`");
    editor.change(&path, "shared int a;\nint f(void) { return a; }\n");
    let name = address(&path);
    editor.until("empty list", |editor, _| editor.diagnostics.get(&name)?.0.is_empty().then_some(()));
    // An error in a header is shown there, and gone when the header is saved without it.
    std::fs::write(editor.folder.join("h.h"), "shared [3] int h[3 * THREADS];\nint g = gone;\n")
        .expect("a header");
    editor.change(&path, "#include \"h.h\"\nint f(void) { return h[0]; }\n");
    let header = editor.folder.join("h.h");
    editor.diagnostic(&header, "gone");
    editor.open(&header);
    let mended = "shared [3] int h[3 * THREADS];\nint g;\n";
    std::fs::write(&header, mended).expect("a header");
    editor.change(&header, mended);
    let saved = json!({ "textDocument": { "uri": address(&header) } });
    editor.tell("textDocument/didSave", saved);
    let name = address(&header);
    editor.until("empty list", |editor, _| editor.diagnostics.get(&name)?.0.is_empty().then_some(()));
    editor.end();
    Ok(())
}

fn options_stand_beside_the_source() -> Ran {
    let mut editor = start("options")?;
    std::fs::create_dir(editor.folder.join("inc")).expect("a directory");
    std::fs::write(editor.folder.join("inc/n.h"), "extern shared int n[THREADS];\n").expect("a header");
    std::fs::write(editor.folder.join("compile_flags.txt"), "-Iinc\n-T\n3\n-DK=n\n").expect("options");
    let text = "#include \"n.h\"\nint a[THREADS == 3 ? 1 : -1];\nint f(void) { return K[0]; }\n";
    let path = editor.write("a.upc", text);
    assert_eq!(editor.said(&path), Vec::<Value>::new());
    let database = json!([{ "directory": editor.folder, "file": "b.upc",
        "command": "meridian cc -O2 -I inc '-DK=n' -c b.upc -o b.o" }]);
    std::fs::write(editor.folder.join("compile_commands.json"), database.to_string()).expect("options");
    let path = editor.write("b.upc", "#include <n.h>\nint f(void) { return K[0]; }\n");
    assert_eq!(editor.said(&path), Vec::<Value>::new());
    editor.end();
    Ok(())
}

fn edits_leave_the_words_of_the_dialect() -> Ran {
    let mut editor = start("edits")?;
    let text = "shared   [2]  int   a[2*THREADS];
int f( void ){
upc_forall(int i=0;i<2*THREADS;i++;i)  a[i]=i;
   upc_barrier   1;return 0;}
";
    let path = editor.write("a.upc", text);
    let document = json!({ "uri": address(&path) });
    let options = json!({ "tabSize": 4, "insertSpaces": true });
    let edits =
        editor.ask("textDocument/formatting", json!({ "textDocument": document, "options": options }));
    let lines: Vec<Vec<u16>> = text.lines().map(|line| line.encode_utf16().collect()).collect();
    let edits = edits.as_array().expect("edits").clone();
    assert!(!edits.is_empty(), "there is something to format");
    // Each edit replaces blanks alone, and ends of lines.
    for edit in &edits {
        let at = |end: &str, what: &str| edit["range"][end][what].as_u64().expect("a number") as usize;
        let (first, last) = (at("start", "line"), at("end", "line"));
        for (number, line) in lines.iter().enumerate().take(last + 1).skip(first) {
            let from = if number == first { at("start", "character") } else { 0 };
            let to = if number == last { at("end", "character") } else { line.len() };
            let replaced = String::from_utf16_lossy(&line[from..to]);
            assert!(replaced.trim().is_empty(), "{edit} replaces `{replaced}`");
        }
    }
    let position = json!({ "line": 2, "character": 15 });
    let renamed = editor.ask(
        "textDocument/rename",
        json!({ "textDocument": document, "position": position, "newName": "k" }),
    );
    let changes = renamed["changes"][address(&path)].as_array().map_or(0, Vec::len);
    assert_eq!(changes, 6, "{renamed}");
    editor.end();
    Ok(())
}

fn files_of_c_pass_as_they_are() -> Ran {
    let mut editor = start("c")?;
    let path = editor.write("a.c", "int shared = 1;\nint f(void) { return shared + no_such; }\n");
    let found = editor.diagnostic(&path, "no_such");
    assert_eq!(found["source"], "clang", "{found}");
    editor.end();
    Ok(())
}

fn what_is_missing_is_said() -> Ran {
    let folder = scratch("missing");
    let said = |command: &mut Command| run(command, Some(""), LIMIT).expect("meridian clangd");
    let done = said(Command::new(meridian()).arg("clangd").env("PATH", &folder));
    assert!(done.status == 1 && done.stderr.contains("--clangd PATH"), "{}", done.report());
    let done = said(Command::new(meridian()).args(["clangd", "--clangd", "/no/such/clangd"]));
    assert!(done.status == 1 && done.stderr.contains("cannot run /no/such/clangd"), "{}", done.report());
    let done = said(Command::new(meridian()).args(["clangd", "--clang"]));
    assert!(done.status == 2, "{}", done.report());
    let done = said(Command::new(meridian()).args(["clangd", "--init"]).arg(&folder));
    assert!(done.status == 0 && folder.join(".vscode/settings.json").exists(), "{}", done.report());
    std::fs::write(folder.join("file"), "").expect("a file");
    let done = said(Command::new(meridian()).args(["clangd", "--init"]).arg(folder.join("file")));
    assert!(done.status == 1 && done.stderr.contains("settings.json"), "{}", done.report());
    Ok(())
}

fn a_clangd_that_ends_is_an_error() -> Ran {
    let mut command = Command::new(meridian());
    command.args(["clangd", "--clangd", "/bin/false"]).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut server = with_default_signals(&mut command).spawn().expect("meridian clangd");
    // The server's input stays open: clangd ends by itself.
    let stdin = server.stdin.take();
    let output = server.wait_with_output().expect("its end");
    drop(stdin);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains("/bin/false has ended"), "{said}");
    Ok(())
}

fn main() {
    tests::trial::run(tests::trials![
        names_are_known_in_upc,
        members_and_words_are_completed,
        names_are_known_in_split_c_and_ac,
        nothing_is_said_of_right_programs,
        wrong_programs_have_our_diagnostics,
        a_mended_program_has_no_diagnostics_left,
        options_stand_beside_the_source,
        edits_leave_the_words_of_the_dialect,
        files_of_c_pass_as_they_are,
        what_is_missing_is_said,
        a_clangd_that_ends_is_an_error,
    ]);
}
