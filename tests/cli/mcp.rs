//! The server for coding agents, spoken to by a scripted client as an agent does.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::common::{GONE, SAFE, Tree};

struct Agent {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last: u64,
    /// What each tool promises to answer.
    schemas: BTreeMap<String, jsonschema::Validator>,
}

impl Agent {
    fn new(tree: &Tree) -> Self {
        Self::with(tree, &[], json!({}))
    }

    fn with(tree: &Tree, arguments: &[&str], capabilities: Value) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cass-transpile"))
            .arg("mcp")
            .args(arguments)
            .current_dir(tree.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut agent = Self {
            child,
            input,
            output,
            last: 0,
            schemas: BTreeMap::new(),
        };
        let about = json!({"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": {"name": "test", "version": "1"}});
        let welcome = agent.request("initialize", about);
        assert_eq!(welcome["result"]["protocolVersion"], "2025-06-18");
        assert_eq!(welcome["result"]["serverInfo"]["name"], "cass-transpile");
        agent.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        agent
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the server reads");
        self.input.flush().expect("the server reads");
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output
            .read_line(&mut line)
            .expect("the server answers");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let id = self.last;
        self.send(
            &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string(),
        );
        let answer = self.receive();
        assert_eq!(answer["id"], id);
        answer
    }

    /// The text of a tool's answer, and whether it says that the tool failed.
    fn call(&mut self, tool: &str, arguments: Value) -> (String, bool) {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        if let (Some(schema), false) = (self.schemas.get(tool), result["isError"] == true) {
            let content = &result["structuredContent"];
            let wrong: Vec<String> = schema
                .iter_errors(content)
                .map(|error| error.to_string())
                .collect();
            assert!(wrong.is_empty(), "{tool}: {wrong:?}: {content}");
            assert_eq!(content.to_string(), result["content"][0]["text"]);
        }
        let text = result["content"][0]["text"]
            .as_str()
            .unwrap_or_else(|| panic!("{answer}"));
        (text.to_owned(), result["isError"] == true)
    }

    fn good(&mut self, tool: &str, arguments: Value) -> Value {
        let (text, failed) = self.call(tool, arguments);
        assert!(!failed, "{tool}: {text}");
        serde_json::from_str(&text).unwrap_or(Value::String(text))
    }
}

#[test]
fn an_agent_gets_facts_findings_and_translations() {
    let tree = Tree::new(&[("src/gone.cu", GONE), ("src/safe.cu", SAFE)]);
    let mut agent = Agent::new(&tree);
    let listed = agent.request("tools/list", json!({}));
    let tools = listed["result"]["tools"]
        .as_array()
        .expect("a list")
        .clone();
    let names: Vec<&str> = tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(
        names,
        [
            "query",
            "explain",
            "check",
            "translate",
            "diff",
            "status",
            "try",
            "mend",
            "verify"
        ]
    );
    for tool in &tools {
        for schema in ["inputSchema", "outputSchema"] {
            assert!(
                jsonschema::validator_for(&tool[schema]).is_ok()
                    && tool[schema]["type"] == "object",
                "{tool}"
            );
        }
    }
    agent.schemas = tools
        .iter()
        .map(|tool| {
            let schema = jsonschema::validator_for(&tool["outputSchema"]).expect("a schema");
            (tool["name"].as_str().expect("a name").to_owned(), schema)
        })
        .collect();
    let found = agent.good("query", json!({"names": ["cudaMemcpyAsync", "-lcudart"]}));
    assert!(
        found.to_string().contains("hipMemcpyAsync") && found.to_string().contains("-lamdhip64"),
        "{found}"
    );
    let page = agent.good(
        "explain",
        json!({"about": ["CASS003", "undefined reference to `hipblasCreate'"]}),
    );
    assert!(
        page["rules"][0]["code"] == "CASS003" && page["errors"][0]["remedy"].is_string(),
        "{page}"
    );
    let checked = agent.good("check", json!({"paths": ["src"], "limit": 1}));
    assert_eq!(checked["findings"][0]["path"], "src/gone.cu");
    assert_eq!(checked["totals"]["files"], 2);
    let text = agent.good(
        "check",
        json!({"text": GONE, "filename": "k.cu", "target": ["gfx90a"]}),
    );
    assert_eq!(text["findings"][0]["code"], "CASS003", "{text}");
    let made = agent.good("translate", json!({"text": SAFE}));
    assert!(
        made["output"]
            .as_str()
            .is_some_and(|text| text.contains("hipFree")),
        "{made}"
    );
    // What is returned compiles: no header that nobody has.
    let ballot = "__global__ void k(unsigned *p) { p[0] = __ballot_sync(__activemask(), 1); }\n";
    let made = agent.good("translate", json!({"text": ballot}));
    let text = made["output"].as_str().unwrap_or_default();
    assert!(
        text.contains("unsigned cass_ballot32(int") && !text.contains("cass_hip_compat.hpp"),
        "{made}"
    );
    let dry = agent.good(
        "translate",
        json!({"source": "src", "output": "out", "dry_run": true}),
    );
    assert!(
        dry.to_string().contains("would be translated") && !tree.path("out").exists(),
        "{dry}"
    );
    agent.good("translate", json!({"source": "src", "output": "out"}));
    assert!(tree.read("out/safe.cu").contains("hipFree"));
    let patch = agent.good("diff", json!({"path": "src"}));
    assert!(
        patch["patch"]
            .as_str()
            .is_some_and(|text| text.contains("+++ b/src/safe.cu")),
        "{patch}"
    );
    let standing = agent.good("status", json!({"source": "src", "port": "out"}));
    assert_eq!(standing["findings"]["errors"], 1, "{standing}");
    assert_eq!(standing["port"]["counts"]["in-sync"], 2, "{standing}");
    let many = agent.good("query", json!({"names": ["cudaMem*"], "limit": 3}));
    assert_eq!(many["names"].as_array().map(Vec::len), Some(3));
    assert!(many["names_not_listed"].as_u64() > Some(50), "{many}");
    let (why, failed) = agent.call("try", json!({"port": "out", "rocm_path": "none"}));
    assert!(failed && why.contains("none"), "{why}");
    let (why, failed) = agent.call(
        "verify",
        json!({"original": "none.jsonl", "port": "none.jsonl"}),
    );
    assert!(failed && why.contains("none.jsonl"), "{why}");
}

#[test]
fn what_makes_no_sense_is_told_and_ends_nothing() {
    let tree = Tree::new(&[("gone.cu", GONE)]);
    let mut agent = Agent::new(&tree);
    for arguments in [
        json!({}),
        json!({"names": "cudaFree"}),
        json!({"names": [], "nmaes": []}),
    ] {
        let (why, failed) = agent.call("query", arguments);
        assert!(failed && why.contains("`query`"), "{why}");
    }
    for (tool, arguments) in [("qeury", json!({})), ("query", json!([]))] {
        let answer = agent.request("tools/call", json!({"name": tool, "arguments": arguments}));
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    // What looks like an option is a name all the same.
    let (_, failed) = agent.call("query", json!({"names": ["--mappings=/etc/passwd"]}));
    assert!(failed);
    let (why, failed) = agent.call("translate", json!({"source": "gone.cu"}));
    assert!(failed && why.contains("`output`"), "{why}");
    let (why, failed) = agent.call("check", json!({"text": "x", "rocm": "banana"}));
    assert!(failed && why.contains("banana"), "{why}");
    assert_eq!(
        agent.request("resources/list", json!({}))["error"]["code"],
        -32601
    );
    agent.send("{");
    assert_eq!(agent.receive()["error"]["code"], -32700);
    agent.send("");
    agent.send("\u{fffd}[]");
    assert_eq!(agent.receive()["error"]["code"], -32700);
    assert_eq!(agent.request("ping", json!({}))["result"], json!({}));
    drop(agent.input);
    assert!(agent.child.wait().expect("it ends").success());
}

#[test]
fn nothing_is_written_outside_of_the_folders_that_somebody_named() {
    let tree = Tree::new(&[
        ("here/src/a.cu", SAFE),
        ("open/src/a.cu", SAFE),
        ("closed/src/a.cu", SAFE),
    ]);
    let call = |agent: &mut Agent, source: &str, output: &str| {
        let at = |path: &str| tree.path(path).display().to_string();
        let (why, failed) = agent.call(
            "translate",
            json!({"source": at(source), "output": at(output)}),
        );
        assert!(
            !failed || why.contains("lies outside of the folders"),
            "{why}"
        );
        assert_eq!(tree.path(output).exists(), !failed, "{why}");
        !failed
    };
    // The folder of the server, where nobody says anything.
    let mut alone = Agent::new(&tree);
    assert!(call(&mut alone, "here/src", "here/out"));
    let (why, failed) = alone.call("translate", json!({"source": "here/src", "output": "../x"}));
    assert!(failed && why.contains("lies outside"), "{why}");
    // Those of the command line, which hold for reading as well.
    let mut named = Agent::with(&tree, &["--root", "open"], json!({"roots": {}}));
    assert!(!call(&mut named, "open/src", "closed/out"));
    assert!(!call(&mut named, "closed/src", "open/from-closed"));
    assert!(call(&mut named, "open/src", "open/out"));
    let (why, failed) = named.call("check", json!({"paths": ["closed"]}));
    assert!(failed && why.contains("lies outside"), "{why}");
    // Those of the client.
    let mut told = Agent::with(&tree, &[], json!({"roots": {"listChanged": true}}));
    let question = told.receive();
    assert_eq!(question["method"], "roots/list");
    let uri = format!("file://{}", tree.path("open").display());
    let answer =
        json!({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": [{"uri": uri}]}});
    told.send(&answer.to_string());
    assert!(!call(&mut told, "open/src", "closed/out"));
    assert!(call(&mut told, "open/src", "open/out-two"));
    std::os::unix::fs::symlink("../closed", tree.path("open/link")).expect("a link");
    assert!(!call(&mut told, "open/src", "open/link/out"));
}
