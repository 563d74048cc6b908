//! The order of events: messages of the editor and of clangd, and checks that have ended.
//!
//! One thread reads the editor, one reads clangd, and each check runs in one of its own. All of them only
//! send events to the loop here, which holds the state and does all writing. clangd's reader never waits for
//! the loop, so that clangd can always write, and therefore continues to read.

use crate::answers;
use crate::check::{self, Check, Found};
use crate::documents::{Document, Documents};
use crate::position::Lines;
use lsp_server::{Message, Notification, Request, RequestId, Response, ResponseError};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::io::{BufReader, BufWriter, Stdout};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// The pause in typing after which a text is checked.
const PAUSE: Duration = Duration::from_millis(300);

/// How long clangd may take to end when its work is done.
const FAREWELL: Duration = Duration::from_secs(10);

enum Event {
    /// A message, or none at the end.
    Editor(Option<Message>),
    Clangd(Option<Message>),
    /// The result for the source at this path.
    Checked(PathBuf, Result<Vec<Found>, String>),
}

/// A request of the editor's whose answer is modified on its way back.
struct Pending {
    method: String,
    path: Option<PathBuf>,
    params: Value,
}

struct Server {
    editor: BufWriter<Stdout>,
    clangd: BufWriter<ChildStdin>,
    events: Sender<Event>,
    meridian: PathBuf,
    documents: Documents,
    pending: HashMap<RequestId, Pending>,
    /// clangd's diagnostics of a file.
    from_clangd: HashMap<PathBuf, Vec<Value>>,
    /// The diagnostics of `meridian cc` for a file, by the source that was compiled.
    from_check: HashMap<PathBuf, BTreeMap<PathBuf, Vec<Value>>>,
    /// Sources to be checked, and the times of the checks.
    due: BTreeMap<PathBuf, Instant>,
    /// The source that is being checked.
    checking: Option<PathBuf>,
    /// The editor has asked for the end.
    ending: bool,
}

/// Starts clangd and serves the editor until it ends. Returns the exit code.
///
/// # Errors
/// If clangd cannot be started, or ends before the editor does; the error has the reason.
pub fn serve(clangd: &Path, arguments: &[OsString]) -> Result<i32, String> {
    let meridian =
        std::env::current_exe().map_err(|why| format!("cannot find the path of this program: {why}"))?;
    let mut child = std::process::Command::new(clangd)
        .arg("--use-dirty-headers")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|why| format!("cannot run {}: {why}", clangd.display()))?;
    let (stdin, stdout) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
    let (events, queue) = channel();
    listen(BufReader::new(std::io::stdin()), events.clone(), Event::Editor);
    listen(BufReader::new(stdout), events.clone(), Event::Clangd);
    let mut server = Server {
        editor: BufWriter::new(std::io::stdout()),
        clangd: BufWriter::new(stdin),
        events,
        meridian,
        documents: Documents::default(),
        pending: HashMap::new(),
        from_clangd: HashMap::new(),
        from_check: HashMap::new(),
        due: BTreeMap::new(),
        checking: None,
        ending: false,
    };
    let served = server.serve(&queue);
    let ending = server.ending;
    drop(server);
    let status = end(&mut child);
    match served {
        Ok(()) => Ok(i32::from(!ending)),
        Err(_) if ending => Ok(0),
        Err(_) => Err(format!("{} has ended: {status}", clangd.display())),
    }
}

/// Forwards the messages of a stream until it ends.
fn listen(
    mut from: impl std::io::BufRead + Send + 'static,
    events: Sender<Event>,
    event: impl Fn(Option<Message>) -> Event + Send + 'static,
) {
    std::thread::spawn(move || {
        loop {
            let message = match Message::read(&mut from) {
                Ok(message) => message,
                Err(why) => {
                    base::say::error(format_args!("meridian clangd: cannot read a message: {why}\n"));
                    None
                }
            };
            let last = message.is_none();
            if events.send(event(message)).is_err() || last {
                return;
            }
        }
    });
}

/// Waits until clangd, whose input is closed, has ended. Returns its status.
fn end(child: &mut Child) -> String {
    let begun = Instant::now();
    while begun.elapsed() < FAREWELL {
        match child.try_wait() {
            Ok(Some(status)) => return status.to_string(),
            Ok(None) => std::thread::sleep(Duration::from_millis(10)),
            Err(why) => return why.to_string(),
        }
    }
    let _ = child.kill();
    child.wait().map_or_else(|why| why.to_string(), |status| status.to_string())
}

/// The characters that stay unencoded in an address of a file.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Returns the file that an address, `file:///path`, names.
fn path_of(address: &str) -> Option<PathBuf> {
    let path = address.strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    let path = percent_decode_str(path.starts_with('/').then_some(path)?).decode_utf8().ok()?;
    Some(PathBuf::from(path.into_owned()))
}

fn address_of(path: &Path) -> String {
    format!("file://{}", utf8_percent_encode(&path.to_string_lossy(), PLAIN))
}

fn notification(method: &str, params: Value) -> Message {
    Message::Notification(Notification { method: method.into(), params })
}

/// The result of handling an event. An error means that a stream has broken, and ends the loop.
type Served = std::io::Result<()>;

impl Server {
    fn serve(&mut self, queue: &Receiver<Event>) -> Served {
        loop {
            let now = Instant::now();
            let next = self.due.values().min().filter(|_| self.checking.is_none());
            let event = match next {
                Some(&at) if at <= now => Err(RecvTimeoutError::Timeout),
                Some(&at) => queue.recv_timeout(at - now),
                None => queue.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match event {
                Ok(Event::Editor(None)) => return Ok(()),
                Ok(Event::Editor(Some(message))) => {
                    let last = matches!(&message, Message::Notification(n) if n.method == "exit");
                    self.of_editor(message)?;
                    if last {
                        return Ok(());
                    }
                }
                Ok(Event::Clangd(None)) => return Err(std::io::ErrorKind::BrokenPipe.into()),
                Ok(Event::Clangd(Some(message))) => self.of_clangd(message)?,
                Ok(Event::Checked(path, found)) => self.checked(&path, found)?,
                Err(RecvTimeoutError::Timeout) => self.check_next()?,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    fn send_clangd(&mut self, message: Message) -> Served {
        message.write(&mut self.clangd)
    }

    fn send_editor(&mut self, mut message: Message) -> Served {
        // An answer must have a result, possibly null.
        if let Message::Response(response) = &mut message
            && response.error.is_none()
        {
            response.result.get_or_insert(Value::Null);
        }
        message.write(&mut self.editor)
    }

    // ---- from the editor -------------------------------------------------------------------------------

    fn of_editor(&mut self, message: Message) -> Served {
        match message {
            Message::Request(request) => self.request(request),
            Message::Notification(notification) => self.notified(notification),
            response @ Message::Response(_) => self.send_clangd(response),
        }
    }

    fn request(&mut self, mut request: Request) -> Served {
        let path = request.params["textDocument"]["uri"].as_str().and_then(path_of);
        let document = path.as_ref().and_then(|path| self.documents.files.get(path)).filter(|d| d.is_ours());
        match request.method.as_str() {
            // Columns are those of UTF-16, which every editor supports.
            "initialize" => {
                let capabilities = &mut request.params["capabilities"];
                if let Some(general) = capabilities["general"].as_object_mut() {
                    general.remove("positionEncodings");
                }
                if let Some(capabilities) = capabilities.as_object_mut() {
                    capabilities.remove("offsetEncoding");
                }
            }
            "shutdown" => self.ending = true,
            "textDocument/hover" => {
                let own = document.and_then(|document| answers::hover(document, &request.params["position"]));
                if let Some(hover) = own {
                    return self.send_editor(Message::Response(Response::new_ok(request.id, hover)));
                }
            }
            _ => {}
        }
        let pending =
            Pending { method: request.method.clone(), path, params: request.params["position"].clone() };
        self.pending.insert(request.id.clone(), pending);
        self.send_clangd(Message::Request(request))
    }

    fn notified(&mut self, notification: Notification) -> Served {
        let params = &notification.params;
        let path = params["textDocument"]["uri"].as_str().and_then(path_of);
        match (notification.method.as_str(), path) {
            ("textDocument/didOpen", Some(path)) => self.opened(path, notification),
            ("textDocument/didChange", Some(path)) => self.changed(&path, notification),
            ("textDocument/didClose", Some(path)) => self.closed(&path, notification),
            ("textDocument/didSave", Some(path)) => self.saved(&path, notification),
            _ => self.send_clangd(Message::Notification(notification)),
        }
    }

    fn opened(&mut self, path: PathBuf, notification: Notification) -> Served {
        let item = &notification.params["textDocument"];
        let text = item["text"].as_str().unwrap_or_default().to_owned();
        let address = item["uri"].as_str().unwrap_or_default().to_owned();
        let before = self.documents.files.get(&path);
        let known = before.map_or(Vec::new(), |header| header.languages.clone());
        let mut document = Document::new(&path, address, text, &known);
        let hidden = before.is_some_and(|header| header.address.is_none());
        document.version = before.map_or(1, |header| header.version + 1);
        let ours = document.is_ours();
        self.documents.files.insert(path.clone(), document);
        if !ours {
            return self.send_clangd(Message::Notification(notification));
        }
        if hidden {
            self.show(&path)?;
        } else {
            self.give_headers(&path)?;
            self.give(&path)?;
        }
        self.schedule(&path, Duration::ZERO);
        Ok(())
    }

    fn changed(&mut self, path: &Path, notification: Notification) -> Served {
        let Some(document) = self.documents.files.get_mut(path) else {
            return self.send_clangd(Message::Notification(notification));
        };
        let mut text = std::mem::take(&mut document.text);
        for change in notification.params["contentChanges"].as_array().into_iter().flatten() {
            let new = change["text"].as_str().unwrap_or_default();
            match &change["range"] {
                Value::Null => text = new.to_owned(),
                range => {
                    let bytes = Lines::new(&text).bytes(range);
                    text.replace_range(bytes, new);
                }
            }
        }
        document.set(text);
        if !document.is_ours() {
            return self.send_clangd(Message::Notification(notification));
        }
        self.show(path)?;
        self.schedule(path, PAUSE);
        Ok(())
    }

    fn saved(&mut self, path: &Path, notification: Notification) -> Served {
        let header = self.documents.files.get(path).is_some_and(|document| !document.source);
        let sources: Vec<PathBuf> = match header {
            true => self.sources(),
            false => self.documents.files.contains_key(path).then(|| path.to_owned()).into_iter().collect(),
        };
        for source in sources {
            self.give_headers(&source)?;
            self.schedule(&source, Duration::ZERO);
        }
        self.send_clangd(Message::Notification(notification))
    }

    fn closed(&mut self, path: &Path, notification: Notification) -> Served {
        let document = self.documents.files.remove(path);
        self.due.remove(path);
        self.from_clangd.remove(path);
        let about: Vec<PathBuf> = self.from_check.keys().cloned().collect();
        for file in about {
            if self.from_check.get_mut(&file).is_some_and(|by| by.remove(path).is_some()) && file != path {
                self.publish(&file)?;
            }
        }
        self.send_clangd(Message::Notification(notification))?;
        if let Some(Document { address: Some(address), .. }) = document {
            let nothing = json!({ "uri": address, "diagnostics": [] });
            self.send_editor(self::notification("textDocument/publishDiagnostics", nothing))?;
        }
        // A header keeps the form that the open sources need.
        for source in self.sources() {
            self.give_headers(&source)?;
        }
        Ok(())
    }

    /// Returns the sources that are open in the editor.
    fn sources(&self) -> Vec<PathBuf> {
        let open = self.documents.files.iter().filter(|(_, document)| document.source);
        open.map(|(path, _)| path.clone()).collect()
    }

    // ---- to clangd -------------------------------------------------------------------------------------

    /// Gives clangd the options and the contents of a file.
    fn give(&mut self, path: &Path) -> Served {
        let Some(document) = self.documents.files.get(path) else { return Ok(()) };
        match document.clang(path) {
            Ok(words) => {
                let command =
                    json!({ "workingDirectory": document.command.directory, "compilationCommand": words });
                let changes = json!({ path.to_string_lossy(): command });
                let settings = json!({ "settings": { "compilationDatabaseChanges": changes } });
                self.send_clangd(notification("workspace/didChangeConfiguration", settings))?;
            }
            Err(why) => base::say::error(format_args!("meridian clangd: {}: {why}\n", path.display())),
        }
        let document = &self.documents.files[path];
        let item = json!({
            "uri": address_of(path), "languageId": "c", "version": document.version,
            "text": document.rewritten.text,
        });
        self.send_clangd(notification("textDocument/didOpen", json!({ "textDocument": item })))
    }

    /// Gives clangd the new contents of a file that it has.
    fn show(&mut self, path: &Path) -> Served {
        let document = &self.documents.files[path];
        let params = json!({
            "textDocument": { "uri": address_of(path), "version": document.version },
            "contentChanges": [{ "text": document.rewritten.text }],
        });
        self.send_clangd(notification("textDocument/didChange", params))
    }

    /// Gives clangd those headers of a source that it cannot read from the disk unchanged.
    fn give_headers(&mut self, source: &Path) -> Served {
        let before: Vec<PathBuf> = self.documents.files.keys().cloned().collect();
        let changed = self.documents.take_headers(source);
        for header in &changed {
            if before.contains(header) { self.show(header)? } else { self.give(header)? }
        }
        // Makes clangd read sources that include them again.
        if let Some(header) = changed.first().filter(|_| before.iter().any(|path| path == source)) {
            let saved = json!({ "textDocument": { "uri": address_of(header) } });
            self.send_clangd(notification("textDocument/didSave", saved))?;
        }
        Ok(())
    }

    // ---- checks ----------------------------------------------------------------------------------------

    fn schedule(&mut self, path: &Path, after: Duration) {
        if self.documents.files.get(path).is_some_and(|document| document.source) {
            self.due.insert(path.to_owned(), Instant::now() + after);
        } else if let Some(at) = Instant::now().checked_add(after) {
            // A header is checked in the open sources.
            self.due.extend(self.sources().into_iter().map(|source| (source, at)));
        }
    }

    /// Starts the check that is due first.
    fn check_next(&mut self) -> Served {
        let first = self.due.iter().min_by_key(|(_, at)| **at).map(|(path, _)| path.clone());
        let Some(path) = first else { return Ok(()) };
        self.due.remove(&path);
        self.give_headers(&path)?;
        let Some(document) = self.documents.files.get(&path) else { return Ok(()) };
        let check = Check {
            path: path.clone(),
            language: document.languages.first().copied().unwrap_or_default(),
            command: document.command.clone(),
            text: document.text.clone(),
        };
        let (meridian, events) = (self.meridian.clone(), self.events.clone());
        self.checking = Some(path.clone());
        std::thread::spawn(move || {
            let found = check::run(&meridian, &check);
            // If this fails, the loop has ended.
            let _ = events.send(Event::Checked(path, found));
        });
        Ok(())
    }

    fn checked(&mut self, source: &Path, found: Result<Vec<Found>, String>) -> Served {
        self.checking = None;
        if !self.documents.files.contains_key(source) {
            return Ok(());
        }
        let found = found.unwrap_or_else(|why| {
            base::say::error(format_args!("meridian clangd: {why}\n"));
            Vec::new()
        });
        let mut now: BTreeMap<PathBuf, Vec<Value>> = BTreeMap::from([(source.to_owned(), Vec::new())]);
        for (path, diagnostic) in found {
            now.entry(path).or_default().push(diagnostic);
        }
        let before = self.from_check.iter().filter(|(_, by)| by.contains_key(source));
        let mut about: Vec<PathBuf> = before.map(|(path, _)| path.clone()).collect();
        about.extend(now.keys().cloned());
        about.sort();
        about.dedup();
        for path in about {
            let by = self.from_check.entry(path.clone()).or_default();
            match now.remove(&path) {
                Some(diagnostics) => drop(by.insert(source.to_owned(), diagnostics)),
                None => drop(by.remove(source)),
            }
            self.publish(&path)?;
        }
        Ok(())
    }

    /// Sends the editor all diagnostics of a file.
    fn publish(&mut self, path: &Path) -> Served {
        let checks = self.from_check.get(path).into_iter().flat_map(BTreeMap::values).flatten();
        let mut all: Vec<Value> = Vec::new();
        for diagnostic in checks {
            if !all.contains(diagnostic) {
                all.push(diagnostic.clone());
            }
        }
        let clangd = self.from_clangd.get(path).map(Vec::as_slice).unwrap_or_default();
        let document = self.documents.files.get(path);
        let more = match document {
            Some(document) if document.is_ours() => answers::diagnostics(document, clangd, &all),
            _ => clangd.to_vec(),
        };
        all.extend(more);
        let address = document.and_then(|d| d.address.clone()).unwrap_or_else(|| address_of(path));
        let params = json!({ "uri": address, "diagnostics": all });
        self.send_editor(notification("textDocument/publishDiagnostics", params))
    }

    // ---- from clangd -----------------------------------------------------------------------------------

    fn of_clangd(&mut self, message: Message) -> Served {
        match message {
            Message::Notification(notification) => {
                let address = notification.params["uri"].as_str();
                let Some(path) = address.and_then(path_of) else {
                    return self.send_editor(Message::Notification(notification));
                };
                // The editor does not know headers that it has not opened.
                if self.documents.files.get(&path).is_some_and(|document| document.address.is_none()) {
                    return Ok(());
                }
                if notification.method != "textDocument/publishDiagnostics" {
                    return self.send_editor(Message::Notification(notification));
                }
                let diagnostics = notification.params["diagnostics"].as_array().cloned().unwrap_or_default();
                self.from_clangd.insert(path.clone(), diagnostics);
                self.publish(&path)
            }
            Message::Request(request) if request.method == "workspace/applyEdit" => self.apply(request),
            request @ Message::Request(_) => self.send_editor(request),
            Message::Response(response) => self.answered(response),
        }
    }

    /// Whether a change of the workspace would change text that clangd has not seen.
    fn change_touches(&self, change: &Value) -> bool {
        answers::edits_of(change).into_iter().any(|(address, edits)| {
            let document = path_of(address).and_then(|path| self.documents.files.get(&path));
            document.is_some_and(|document| answers::edits_touch(document, edits))
        })
    }

    fn apply(&mut self, request: Request) -> Served {
        if !self.change_touches(&request.params["edit"]) {
            return self.send_editor(Message::Request(request));
        }
        let message = "this would change words that clangd does not know";
        let result = json!({ "applied": false, "failureReason": message });
        self.send_clangd(Message::Response(Response::new_ok(request.id, result)))?;
        let shown = json!({ "type": 2, "message": format!("clangd: {message}") });
        self.send_editor(notification("window/showMessage", shown))
    }

    fn answered(&mut self, mut response: Response) -> Served {
        let Some(pending) = self.pending.remove(&response.id) else {
            return self.send_editor(Message::Response(response));
        };
        let document = pending.path.as_ref().and_then(|path| self.documents.files.get(path));
        let document = document.filter(|document| document.is_ours());
        let mut result = response.result.take().unwrap_or(Value::Null);
        match (pending.method.as_str(), document) {
            // The editor sends whole texts.
            ("initialize", _) => {
                let sync = json!({ "openClose": true, "change": 1, "save": true });
                result["capabilities"]["textDocumentSync"] = sync;
            }
            ("textDocument/completion", Some(document)) if response.error.is_none() => {
                answers::complete(document, &pending.params, &mut result);
            }
            (method, Some(document)) if method.to_lowercase().ends_with("formatting") => {
                answers::keep_edits(document, &mut result);
            }
            ("textDocument/codeAction", Some(_)) => {
                if let Some(actions) = result.as_array_mut() {
                    actions.retain(|action| !self.change_touches(&action["edit"]));
                }
            }
            ("textDocument/rename", _) if self.change_touches(&result) => {
                let message = "the name stands in words that clangd does not know".into();
                response.error = Some(ResponseError { code: -32803, message, data: None });
            }
            _ => {}
        }
        if response.error.is_none() {
            response.result = Some(result);
        }
        self.send_editor(Message::Response(response))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_file_with_any_name() {
        let path = Path::new("/a b/größe%.upc");
        assert_eq!(address_of(path), "file:///a%20b/gr%C3%B6%C3%9Fe%25.upc");
        assert_eq!(path_of(&address_of(path)).as_deref(), Some(path));
        assert_eq!(path_of("file:///c%3A/x.upc").as_deref(), Some(Path::new("/c:/x.upc")));
        assert_eq!(path_of("untitled:Untitled-1"), None);
        assert_eq!(path_of("file://server/x.upc"), None);
    }
}
