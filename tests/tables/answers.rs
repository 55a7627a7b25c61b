//! What `query` says of a name is what translation does with it, for every name of the tables: all of them are asked, written into
//! sources and checked.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::common::Tree;

/// Names that one file holds.
const NAMES: usize = 150;

/// One name, as `query` answers.
struct Answer {
    name: String,
    kind: String,
    support: String,
    /// What it becomes, in any release and with any number of arguments; empty where there is no counterpart.
    becomes: Vec<String>,
    is_available: bool,
    /// A person must look only where the result is read.
    of_result: bool,
}

impl Answer {
    /// `None` for what is answered by translating an example, and for what is no name: globs and members of structures.
    fn new(answer: &Value) -> Option<Self> {
        let text = |key: &str| answer[key].as_str().unwrap_or_default().to_owned();
        let kind = text("kind");
        if !answer["example"].is_null() || matches!(kind.as_str(), "pattern" | "field") {
            return None;
        }
        let list = |key: &str| answer[key].as_array().into_iter().flatten();
        let first = |text: &str| text.split(' ').next().unwrap_or_default().to_owned();
        let older = list("older").filter_map(Value::as_str).map(first);
        let forms = list("forms").filter_map(Value::as_str);
        let forms = forms.filter_map(|form| Some(first(form.split_once(": ")?.1)));
        let hip = answer["hip"].as_str().map(str::to_owned);
        Some(Self {
            name: text("cuda"),
            support: text("support"),
            becomes: hip.into_iter().chain(older).chain(forms).collect(),
            is_available: answer["available"] == true,
            of_result: answer["of_result"] == true,
            kind,
        })
    }

    /// A line that uses the name, a function with this many arguments.
    fn code(&self, number: usize, arity: usize) -> String {
        let name = &self.name;
        // What could be anybody's name is CUDA's in code for the device.
        let on_host = name.starts_with("cu");
        let head = match on_host {
            true => format!("void f{number}(int p, int q)"),
            false => format!("__global__ void f{number}(int p, int q)"),
        };
        match self.kind.as_str() {
            // A header of libcu++ goes where nothing of it is named.
            "header" if name.starts_with("cuda/") => {
                format!("#include <{name}>\nvoid use() {{ cuda::any(); }}")
            }
            "header" => format!("#include <{name}>"),
            "function" => format!("{head} {{ {name}({}); }}", vec!["p"; arity].join(", ")),
            "type" => format!("{head} {{ {name} value; }}"),
            "namespace" => {
                // Without a header of it a namespace may be anybody's; those of libcu++ have no extension.
                let root = name.split("::").next().unwrap_or_default();
                // Some namespaces keep to what AMD's has.
                let member = match name.as_str() {
                    "cooperative_groups" => "sync",
                    "cub" | "thrust::cuda_cub::cub" | "thrust::system::cuda::detail::cub_" => {
                        "Debug"
                    }
                    "thrust" => "sort",
                    _ => "member",
                };
                format!("{head} {{ {name}::{member}(p); }}\n#include <{root}/any>")
            }
            _ => format!("{head} {{ int value = {name}; }}"),
        }
    }

    /// Headers of one file would make each other superfluous, and a namespace is told once.
    fn has_own_file(&self) -> bool {
        matches!(self.kind.as_str(), "header" | "namespace")
    }

    /// How translation differs, if it does.
    fn differs(&self, said: &[Said]) -> Option<&'static str> {
        let has = |severity: &str| said.iter().any(|it| it.severity == severity);
        // What is wrong with code around the name is not about the name.
        let warns = |it: &Said| it.severity == "warning" && it.code.starts_with("CASS00");
        let has_name = |to: &str| {
            said.iter()
                .any(|it| it.message.contains(&format!("`{to}`")))
        };
        // Of what a namespace has, its own name may be what changes.
        let names = |to: &String| {
            has_name(to) || self.kind == "namespace" && to.split("::").next().is_some_and(has_name)
        };
        let stays = self
            .becomes
            .first()
            .is_some_and(|to| *to == self.name || to.is_empty());
        match self.support.as_str() {
            "unsupported" => (!has("error")).then_some("no counterpart, and no error"),
            _ if !self.is_available => (!has("error")).then_some("missing, and no error"),
            _ if has("error") => Some("converts, and is an error"),
            "full" if said.iter().any(warns) => Some("converts safely, and is a warning"),
            "review" if !has("warning") && !self.of_result => {
                Some("to be looked at, and no warning")
            }
            _ if stays || self.becomes.iter().any(names) => None,
            _ => Some("becomes something else"),
        }
    }
}

/// A finding.
#[derive(Debug)]
struct Said {
    severity: String,
    code: String,
    message: String,
}

fn answers(tree: &Tree) -> Vec<Answer> {
    let asked = tree.run(&["query", "--output-format", "json", "*"]);
    let all: Vec<Value> = serde_json::from_str(&asked.out).expect("it is JSON");
    assert!(all.len() > 13_000, "{}", all.len());
    all.iter().filter_map(Answer::new).collect()
}

/// The findings of a check, by file and line.
fn findings(tree: &Tree) -> BTreeMap<(String, u64), Vec<Said>> {
    let options = ["--isolated", "--quiet", "--show", "info", "--report"];
    tree.run(&[&["check", "src"], &options[..], &["json=said.json"]].concat());
    let report: Value = serde_json::from_str(&tree.read("said.json")).expect("it is JSON");
    let text = |of: &Value| of.as_str().unwrap_or_default().to_owned();
    let mut found = BTreeMap::<_, Vec<_>>::new();
    for file in report["files"].as_array().into_iter().flatten() {
        for finding in file["findings"].as_array().into_iter().flatten() {
            let name = text(&file["path"]).rsplit('/').next().map(str::to_owned);
            let place = (
                name.unwrap_or_default(),
                finding["line"].as_u64().unwrap_or(0),
            );
            found.entry(place).or_default().push(Said {
                severity: text(&finding["severity"]),
                code: text(&finding["code"]),
                message: text(&finding["message"]),
            });
        }
    }
    found
}

/// The names about which translation says something else than `query`, and what.
fn differing(answers: Vec<Answer>, arity: usize) -> Vec<(Answer, String)> {
    let tree = Tree::new(&[]);
    let mut places = Vec::new();
    let (alone, together): (Vec<_>, Vec<_>) = answers.into_iter().partition(Answer::has_own_file);
    let mut write = |number: usize, unit: Vec<Answer>| {
        let file = format!("{number}.cu");
        let lines = unit.iter().enumerate();
        let lines: Vec<String> = lines.map(|(at, answer)| answer.code(at, arity)).collect();
        // A header of matrix units is needed where its namespace is named.
        let text = lines.join("\n") + "\nnamespace nvcuda {}\n";
        tree.write(&format!("src/{file}"), text.as_bytes());
        let unit = unit.into_iter().enumerate();
        places.extend(unit.map(|(at, answer)| (answer, (file.clone(), at as u64 + 1))));
    };
    let mut number = 0;
    for answer in alone {
        write(number, vec![answer]);
        number += 1;
    }
    let mut rest = together.into_iter().peekable();
    while rest.peek().is_some() {
        write(number, rest.by_ref().take(NAMES).collect());
        number += 1;
    }
    let findings = findings(&tree);
    let differs = |(answer, place): (Answer, (String, u64))| {
        let said = findings.get(&place).map_or(&[][..], Vec::as_slice);
        let why = answer.differs(said)?;
        let text = format!("{} {}: {why}: {said:?}", answer.kind, answer.name);
        Some((answer, text))
    };
    places.into_iter().filter_map(differs).collect()
}

#[test]
fn query_says_of_every_name_what_translation_does() {
    let answers = answers(&Tree::new(&[]));
    assert!(answers.len() > 12_000, "{}", answers.len());
    let mut left = differing(answers, 2);
    // With too few arguments a call cannot be written anew, which is a warning: some number of them is right.
    for arity in [3, 5, 7, 8, 9, 10, 12, 14, 16, 17, 19, 20, 22] {
        let (functions, others): (Vec<_>, Vec<_>) = left
            .into_iter()
            .partition(|(answer, _)| answer.kind == "function");
        let functions = functions.into_iter().map(|(answer, _)| answer).collect();
        left = [others, differing(functions, arity)]
            .into_iter()
            .flatten()
            .collect();
    }
    let left: Vec<String> = left.into_iter().map(|(_, text)| text).collect();
    assert!(
        left.is_empty(),
        "{} names:\n{}",
        left.len(),
        left.join("\n")
    );
}
