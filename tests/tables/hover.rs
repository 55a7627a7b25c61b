//! What an editor shows of a name is what `query` answers where translation does nothing with it, and what the diagnostics say where it
//! does, for every name of the tables.

use cass_transpile::engine::Session;
use cass_transpile::lsp::Server;
use cass_transpile::mapping::ApiTable;
use cass_transpile::options::Options;
use lsp_server::{Message, Notification, Request};
use serde_json::{Value, json};

use crate::common::Tree;

/// Names that one document holds: a hover reads its document.
const NAMES: usize = 100;
const URI: &str = "file:///names.cu";

/// An editor with one document.
struct Editor {
    server: Server,
    diagnostics: Vec<Value>,
}

impl Editor {
    fn new() -> Self {
        let session = Session::new(Options::default(), ApiTable::builtin());
        Self {
            server: Server::new(session),
            diagnostics: Vec::new(),
        }
    }

    fn open(&mut self, text: &str) {
        let document = json!({"uri": URI, "languageId": "cuda", "version": 1, "text": text});
        let method = "textDocument/didOpen".to_owned();
        let opened = Notification::new(method, json!({ "textDocument": document }));
        let Some(Message::Notification(published)) = self.server.notice(opened) else {
            panic!("the server publishes what it finds");
        };
        let list = published.params["diagnostics"].as_array().cloned();
        self.diagnostics = list.expect("a list");
    }

    /// The text over a place; empty where there is none.
    fn hover(&self, line: usize, character: usize) -> String {
        let position = json!({"line": line, "character": character});
        let params = json!({"textDocument": {"uri": URI}, "position": position});
        let request = Request::new(1.into(), "textDocument/hover".to_owned(), params);
        let Message::Response(response) = self.server.answer(request) else {
            panic!("a request is answered");
        };
        let result = response.result.unwrap_or_default();
        result["contents"]["value"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }
}

/// What `query` says of the names that code can hold as one word.
fn words() -> Vec<Value> {
    let asked = Tree::new(&[]).run(&["query", "--output-format", "json", "*"]);
    let all: Vec<Value> = serde_json::from_str(&asked.out).expect("it is JSON");
    let is_word = |text: &str| {
        text.bytes()
            .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
    };
    let is_one = |answer: &Value| {
        let is_entry = !matches!(
            answer["kind"].as_str(),
            Some("pattern" | "field" | "header")
        );
        is_entry && answer["cuda"].as_str().is_some_and(is_word)
    };
    all.into_iter().filter(is_one).collect()
}

/// How the text over a name differs from the answer, if it does.
fn differs(answer: &Value, hover: &str) -> Option<&'static str> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let has = |word: &str| hover.contains(word);
    let example = &answer["example"];
    if !example.is_null() {
        let says = has(&format!("`{}`", text(&example["hip"])));
        return (!says).then_some("another example");
    }
    let is_there = answer["available"] == true && answer["support"] != "unsupported";
    if !is_there {
        let denies = has("no counterpart") || has("does not have it");
        return (!denies).then_some("missing, and said to be there");
    }
    let older = answer["older"].as_array().into_iter().flatten();
    let names = older.chain([&answer["hip"]]).map(|name| {
        let name = text(name);
        name.split(' ')
            .next()
            .map(|name| format!("becomes `{name}`"))
    });
    let reviewed = answer["support"] == "review";
    match () {
        () if !names.flatten().any(|name| has(&name)) => Some("becomes something else"),
        () if reviewed != has("to be reviewed") => Some("another support"),
        () => None,
    }
}

#[test]
fn over_every_name_stands_what_query_says() {
    let (mut editor, words) = (Editor::new(), words());
    assert!(words.len() > 11_000, "{}", words.len());
    let mut wrong = Vec::new();
    for names in words.chunks(NAMES) {
        let name = |answer: &Value| answer["cuda"].as_str().unwrap_or_default().to_owned();
        let lines: Vec<String> = names.iter().map(name).collect();
        // Nothing is found here, so that the tables answer.
        editor.open(&format!("// cass: off\n{}\n", lines.join("\n")));
        for (at, answer) in names.iter().enumerate() {
            let hover = editor.hover(at + 1, 0);
            if let Some(why) = differs(answer, &hover) {
                wrong.push(format!("{}: {why}: {hover}: {answer}", lines[at]));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} names:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn over_every_name_that_translation_finds_stands_the_diagnostic() {
    let (mut editor, mut looked_at) = (Editor::new(), 0);
    for names in words().chunks(NAMES) {
        let line = |(number, answer): (usize, &Value)| {
            let name = answer["cuda"].as_str().unwrap_or_default();
            match answer["kind"].as_str() {
                Some("function") => format!("__global__ void f{number}() {{ {name}(p, q); }}"),
                _ => format!("__global__ void f{number}() {{ auto value = {name}; }}"),
            }
        };
        let lines: Vec<String> = names.iter().enumerate().map(line).collect();
        editor.open(&(lines.join("\n") + "\n"));
        for found in editor.diagnostics.clone() {
            let place = |key: &str| found["range"]["start"][key].as_u64().unwrap_or(0) as usize;
            let (line, column) = (place("line"), place("character"));
            let is_name = lines.get(line).is_some_and(|text| {
                let name = names[line]["cuda"].as_str().unwrap_or_default();
                text[column..].starts_with(name)
            });
            if is_name {
                let message = found["message"].as_str().unwrap_or_default();
                let first = message.lines().next().unwrap_or_default();
                let hover = editor.hover(line, column);
                assert!(hover.contains(first), "{}: {hover}", lines[line]);
                looked_at += 1;
            }
        }
    }
    assert!(looked_at > 10_000, "{looked_at}");
}
