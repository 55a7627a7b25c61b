//! The editor server, spoken to by a scripted client over the program's standard input and output.

use std::io::{BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::common::{GONE, Tree};

struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Client {
    fn new() -> Self {
        Self::with(Command::new(env!("CARGO_BIN_EXE_cass-transpile")).arg("lsp"))
    }

    fn with(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        Self {
            child,
            input,
            output,
        }
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len())
            .expect("the server reads");
        self.input.flush().expect("the server reads");
    }

    fn receive(&mut self) -> Value {
        let mut header = Vec::new();
        while !header.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            self.output
                .read_exact(&mut byte)
                .expect("the server answers");
            header.push(byte[0]);
        }
        let header = String::from_utf8(header).expect("headers are ASCII");
        let length = header
            .lines()
            .find_map(|line| line.strip_prefix("Content-Length: "))
            .expect("there is a length");
        let mut body = vec![0; length.parse().expect("a number")];
        self.output.read_exact(&mut body).expect("the body follows");
        serde_json::from_slice(&body).expect("the body is JSON")
    }

    fn request(&mut self, id: u32, method: &str, params: Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        self.receive()
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }
}

#[test]
fn hover_says_what_the_diagnostic_says() {
    let mut client = Client::new();
    client.request(1, "initialize", json!({"capabilities": {}}));
    client.notify("initialized", json!({}));
    let text = "#include <cuda_runtime.h>\n__device__ float f(float v) { return __shfl_down_sync(0xffffffff, v, 1); }\n";
    let document = json!({"uri": "file:///a.cu", "languageId": "cuda", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({ "textDocument": document }));
    let published = client.receive();
    let said = published["params"]["diagnostics"].to_string();
    assert!(
        said.contains("becomes `__shfl_down` without mask"),
        "{said}"
    );
    let place =
        json!({"textDocument": {"uri": "file:///a.cu"}, "position": {"line": 1, "character": 42}});
    let hover = client.request(2, "textDocument/hover", place).to_string();
    assert!(
        hover.contains("becomes `__shfl_down` without mask"),
        "{hover}"
    );
    assert!(!hover.contains("stays"), "{hover}");
}

#[test]
fn an_editor_that_asks_for_diagnostics_is_sent_none_unasked() {
    let mut client = Client::new();
    let can = json!({"textDocument": {"diagnostic": {"dynamicRegistration": true}}});
    let welcome = client.request(1, "initialize", json!({ "capabilities": can }));
    assert_eq!(welcome["result"]["serverInfo"]["name"], "cass-transpile");
    assert_eq!(
        welcome["result"]["serverInfo"]["version"],
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(
        welcome["result"]["capabilities"]["diagnosticProvider"]["workspaceDiagnostics"],
        false
    );
    client.notify("initialized", json!({}));
    let document = json!({"uri": "file:///a.cu", "languageId": "cuda", "version": 1, "text": GONE});
    client.notify("textDocument/didOpen", json!({ "textDocument": document }));
    // The next message is the answer, since nothing was published.
    let ask = |uri: &str| json!({"textDocument": {"uri": uri}});
    let report = client.request(2, "textDocument/diagnostic", ask("file:///a.cu"));
    assert_eq!(report["id"], 2, "{report}");
    assert_eq!(report["result"]["kind"], "full");
    let items = report["result"]["items"].to_string();
    assert!(items.contains("CASS003"), "{items}");
    let closed = client.request(3, "textDocument/diagnostic", ask("file:///b.cu"));
    assert_eq!(closed["result"]["items"], json!([]));
}

/// The editor says of a file what `check -p` says of it: here, that the build leaves it out.
#[test]
fn a_compilation_database_tells_what_the_build_compiles() {
    let tree = Tree::new(&[("main.cu", GONE), ("dead.cu", GONE)]);
    let root = tree.folder.path().canonicalize().expect("it is there");
    let root = root.to_str().expect("UTF-8");
    let item =
        json!([{"directory": root, "file": "main.cu", "arguments": ["nvcc", "-c", "main.cu"]}]);
    tree.write("build/compile_commands.json", item.to_string().as_bytes());
    let mut command = Command::new(env!("CARGO_BIN_EXE_cass-transpile"));
    command.args(["lsp", "-p", "build"]).current_dir(root);
    let mut client = Client::with(&mut command);
    client.request(1, "initialize", json!({"capabilities": {}}));
    client.notify("initialized", json!({}));
    let left_out = "in code that the build does not compile";
    for (name, expected, other) in [
        ("main.cu", "\"severity\":1", left_out),
        ("dead.cu", left_out, "\"severity\":1"),
    ] {
        let uri = format!("file://{root}/{name}");
        let document = json!({"uri": uri, "languageId": "cuda", "version": 1, "text": GONE});
        client.notify("textDocument/didOpen", json!({ "textDocument": document }));
        let said = client.receive()["params"]["diagnostics"].to_string();
        assert!(said.contains(expected), "{name}: {said}");
        assert!(!said.contains(other), "{name}: {said}");
    }
}

/// What another file of the repository says counts, from the moment on that it is saved.
#[test]
fn documents_are_parts_of_the_tree_around_them() {
    let header = "#pragma once\n#include <cuda_runtime.h>\n";
    let own = format!("{header}inline int cudaDeviceFlushAll(int n) {{ return n; }}\n");
    let text = "#include \"own.h\"\nint f() { return cudaDeviceFlushAll(1); }\n";
    let tree = Tree::new(&[("lib/own.h", &own), ("src/a.cu", text)]);
    tree.git(&["init", "-q"]);
    let root = tree.folder.path().canonicalize().expect("it is there");
    let uri = format!("file://{}/src/a.cu", root.to_str().expect("UTF-8"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_cass-transpile"));
    command.arg("lsp").current_dir(root.join("src"));
    let mut client = Client::with(&mut command);
    client.request(1, "initialize", json!({"capabilities": {}}));
    client.notify("initialized", json!({}));
    let document = json!({"uri": uri, "languageId": "cuda", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({ "textDocument": document }));
    let said = |client: &mut Client| client.receive()["params"]["diagnostics"].to_string();
    let name = "cudaDeviceFlushAll";
    let first = said(&mut client);
    assert!(!first.contains(name), "{first}");
    tree.write("lib/own.h", header.as_bytes());
    client.notify(
        "textDocument/didSave",
        json!({"textDocument": {"uri": uri}}),
    );
    let second = said(&mut client);
    assert!(second.contains(name), "{second}");
    // A configuration that cannot be read changes nothing.
    tree.write("lib/own.h", own.as_bytes());
    tree.write("cass.toml", b"no = [");
    client.notify(
        "textDocument/didSave",
        json!({"textDocument": {"uri": uri}}),
    );
    tree.write("cass.toml", b"");
    client.notify(
        "textDocument/didSave",
        json!({"textDocument": {"uri": uri}}),
    );
    let last = said(&mut client);
    assert!(!last.contains(name), "{last}");
}

#[test]
fn a_missing_compilation_database_is_told() {
    let tree = Tree::new(&[("main.cu", GONE)]);
    let done = tree.run(&["lsp", "-p", "build"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("build: cannot be read"), "{}", done.err);
}

#[test]
fn diagnostics_hover_and_quick_fixes() {
    let mut client = Client::new();
    let answer = client.request(1, "initialize", json!({"capabilities": {}}));
    assert_eq!(answer["result"]["capabilities"]["hoverProvider"], true);
    client.notify("initialized", json!({}));

    let text = "#include <hip/hip_runtime.h>\nvoid f(void *p) {\n  /* é */ cudaFree(p);\n}\n";
    let document = json!({"uri": "file:///a.cu", "languageId": "cuda", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({ "textDocument": document }));
    let published = client.receive();
    assert_eq!(published["method"], "textDocument/publishDiagnostics");
    let first = &published["params"]["diagnostics"][0];
    assert_eq!(
        (&first["code"], &first["range"]["start"]),
        (&json!("CASS001"), &json!({"line": 2, "character": 10}))
    );

    let place =
        json!({"textDocument": {"uri": "file:///a.cu"}, "position": {"line": 2, "character": 12}});
    let hover = client.request(2, "textDocument/hover", place);
    assert!(
        hover["result"]["contents"]["value"]
            .as_str()
            .expect("text")
            .contains("`hipFree`"),
        "{hover}"
    );

    let range = json!({"start": {"line": 2, "character": 10}, "end": {"line": 2, "character": 10}});
    let params = json!({"textDocument": {"uri": "file:///a.cu"}, "range": range, "context": {"diagnostics": []}});
    let actions = client.request(3, "textDocument/codeAction", params);
    assert_eq!(
        actions["result"][0]["edit"]["changes"]["file:///a.cu"][0]["newText"], "hipFree",
        "{actions}"
    );

    let changed = json!({"textDocument": {"uri": "file:///a.cu", "version": 2}, "contentChanges": [{"text": "int x;\n"}]});
    client.notify("textDocument/didChange", changed);
    assert_eq!(client.receive()["params"]["diagnostics"], json!([]));

    let unknown = client.request(4, "textDocument/formatting", json!({}));
    assert_eq!(unknown["error"]["code"], -32601);

    client.request(5, "shutdown", Value::Null);
    client.notify("exit", Value::Null);
    assert!(client.child.wait().expect("it ends").success());
}

#[test]
fn odd_messages_end_nothing() {
    let mut client = Client::new();
    let early = client.request(1, "textDocument/hover", json!({}));
    assert_eq!(early["error"]["code"], -32002);
    client.request(2, "initialize", json!({"capabilities": {}}));
    // JavaScript writes half a surrogate pair so, which is no JSON for others.
    let text = r#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///c%2B%2B/x%2Ecu","languageId":"cuda","version":1,"text":"// \ud800\nint i = cudaFree(p);\n"}}}"#;
    let frame = format!("Content-Length: {}\r\n\r\n{text}", text.len());
    client
        .input
        .write_all(frame.as_bytes())
        .expect("the server reads");
    let published = client.receive();
    let found = published["params"]["diagnostics"]
        .as_array()
        .expect("a list")
        .len();
    assert!(found > 0, "a path in percent signs: {published}");
    let document = json!({"uri": "file:///c%2B%2B/x%2Ecu"});
    for line in [u32::MAX, u32::MAX - 1, 7] {
        let place = json!({"line": line, "character": line});
        let hover = client.request(
            3,
            "textDocument/hover",
            json!({"textDocument": document, "position": place}),
        );
        assert!(hover.get("error").is_none(), "{hover}");
        let range = json!({"start": place, "end": place});
        let asked =
            json!({"textDocument": document, "range": range, "context": {"diagnostics": []}});
        let actions = client.request(4, "textDocument/codeAction", asked);
        assert!(actions["result"].is_array(), "{actions}");
    }
    client
        .input
        .write_all(b"Content-Length: 1\r\n\r\n{")
        .expect("the server reads");
    assert_eq!(client.receive()["error"]["code"], -32700);
    assert_eq!(
        client.request(5, "shutdown", Value::Null)["result"],
        Value::Null
    );
    client.send(&json!({"jsonrpc": "2.0", "method": "exit"}));
    assert!(client.child.wait().expect("it ends").success());
}

#[test]
fn a_length_that_nobody_can_hold_is_an_error() {
    let mut client = Client::new();
    client
        .input
        .write_all(b"Content-Length: 99999999999999\r\n\r\n{}")
        .expect("the server reads");
    assert_eq!(client.child.wait().expect("it ends").code(), Some(2));
}

/// A text with the edits of an action, as an editor makes them: positions count UTF-16 units, and all are of the text before.
fn with_edits(text: &str, edits: &Value) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    let lines: Vec<&[u16]> = units
        .split_inclusive(|unit| *unit == u16::from(b'\n'))
        .collect();
    let offset = |place: &Value| {
        let number = |key: &str| place[key].as_u64().expect("a number") as usize;
        let before = lines.iter().take(number("line"));
        before.map(|line| line.len()).sum::<usize>() + number("character")
    };
    let mut edits: Vec<(usize, usize, Vec<u16>)> = edits
        .as_array()
        .expect("edits")
        .iter()
        .map(|edit| {
            let new = edit["newText"].as_str().expect("a text").encode_utf16();
            let range = &edit["range"];
            (
                offset(&range["start"]),
                offset(&range["end"]),
                new.collect(),
            )
        })
        .collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.0));
    let mut result = units.clone();
    for (start, end, new) in edits {
        result.splice(start..end, new);
    }
    String::from_utf16(&result).expect("UTF-16")
}

#[test]
fn pieces_of_a_document_change_it_and_actions_do_what_they_say() {
    let mut client = Client::new();
    let welcome = client.request(1, "initialize", json!({"capabilities": {}}));
    let sync = &welcome["result"]["capabilities"]["textDocumentSync"];
    assert_eq!(sync["change"], 2, "{sync}");
    let uri = "file:///a.cu";
    let text = "#include <cuda_runtime.h>\nint main() {\n    /* é */ cudaFree(0);\n}\n";
    let document = json!({"uri": uri, "languageId": "cuda", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({ "textDocument": document }));
    client.receive();
    let at = |line: u32, from: u32, to: u32| json!({"start": {"line": line, "character": from}, "end": {"line": line, "character": to}});
    let changes = json!([
        {"range": at(2, 16, 20), "text": "DeviceFlushGPUDirectRDMAWrites"},
        {"range": at(2, 16, 46), "text": "DeviceFlushGPUDirectRDMAWrites"},
        {"range": at(2, 47, 48), "text": ""},
    ]);
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": changes}),
    );
    let published = client.receive();
    let shown = published["params"]["diagnostics"]
        .as_array()
        .expect("a list")
        .clone();
    let error = shown
        .iter()
        .find(|one| one["severity"] == 1)
        .expect("an error");
    assert_eq!(error["code"], "CASS003", "{shown:?}");
    let page = error["codeDescription"]["href"].as_str();
    let published = cass_transpile::rules::page("CASS003");
    assert_eq!(page, published.as_deref());
    let ask = json!({"textDocument": {"uri": uri}, "range": error["range"], "context": {"diagnostics": []}});
    let actions = client.request(2, "textDocument/codeAction", ask);
    let actions = actions["result"].as_array().expect("a list").clone();
    let titled = |words: &str| {
        let found = actions.iter().find(|one| {
            one["title"]
                .as_str()
                .is_some_and(|title| title.contains(words))
        });
        found
            .unwrap_or_else(|| panic!("{words}: {actions:?}"))
            .clone()
    };
    let text = "#include <cuda_runtime.h>\nint main() {\n    /* é */ cudaDeviceFlushGPUDirectRDMAWrites();\n}\n";
    let edited = |action: &Value| with_edits(text, &action["edit"]["changes"][uri]);
    assert_eq!(
        edited(&titled("ignore here")),
        "#include <cuda_runtime.h>\nint main() {\n    // cass: ignore-next-line[CASS003]\n    /* é */ cudaDeviceFlushGPUDirectRDMAWrites();\n}\n"
    );
    let whole = titled("Translate this file");
    assert_eq!(whole["kind"], "source.fixAll");
    assert_eq!(
        edited(&whole),
        "#include <hip/hip_runtime.h>\nint main() {\n    /* é */ cudaDeviceFlushGPUDirectRDMAWrites();\n}\n"
    );
    let command = titled("explain")["command"].clone();
    let run = json!({"command": command["command"], "arguments": command["arguments"]});
    let explained = client.request(3, "workspace/executeCommand", run);
    assert!(
        explained["result"]["markdown"]
            .as_str()
            .is_some_and(|text| text.contains("## Why on AMD"))
    );
    // An editor that fixes on save asks for that kind alone.
    let only = json!({"textDocument": {"uri": uri}, "range": at(0, 0, 0), "context": {"diagnostics": [], "only": ["source.fixAll"]}});
    let only = client.request(4, "textDocument/codeAction", only);
    assert_eq!(only["result"].as_array().map(Vec::len), Some(1), "{only}");
    client.request(5, "shutdown", Value::Null);
    client.notify("exit", Value::Null);
    assert!(client.child.wait().expect("it ends").success());
}

#[test]
fn the_end_of_the_stream_is_a_clean_end() {
    let mut client = Client::new();
    client.request(1, "initialize", json!({"capabilities": {}}));
    drop(client.input);
    assert!(client.child.wait().expect("it ends").success());
}
