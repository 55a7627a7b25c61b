//! The problem matcher reads what the program prints.

use std::fs;

use regex::Regex;
use serde_json::Value;

use crate::common::rocm::root;
use crate::common::{GONE, Tree};

#[test]
fn the_problem_matcher_reads_every_line() {
    let text = fs::read_to_string(root().join(".github/problem-matcher.json")).expect("there");
    let matcher: Value = serde_json::from_str(&text).expect("JSON");
    let pattern = &matcher["problemMatcher"][0]["pattern"][0];
    let regex = Regex::new(pattern["regexp"].as_str().expect("text")).expect("an expression");
    let tree = Tree::new(&[
        ("src/with blank.cu", GONE),
        ("a.cu", &format!("\n\t{GONE}")),
    ]);
    let output = tree.run(&["check", ".", "--output-format", "concise"]).out;
    let read: Vec<Vec<&str>> = output
        .lines()
        .map(|line| {
            let found = regex
                .captures(line)
                .unwrap_or_else(|| panic!("not read: {line}"));
            let group = |key: &str| pattern[key].as_u64().expect("a number") as usize;
            let keys = ["file", "line", "column", "severity", "code"];
            keys.iter()
                .map(|key| found.get(group(key)).expect("it took part").as_str())
                .collect()
        })
        .collect();
    assert_eq!(
        read,
        [
            ["a.cu", "2", "25", "error", "CASS003"],
            ["src/with blank.cu", "1", "24", "error", "CASS003"]
        ]
    );
    // Findings with their source lines begin with the same line.
    let full = tree.run(&["check", "."]).out;
    assert_eq!(full.lines().filter(|line| regex.is_match(line)).count(), 2);
}
