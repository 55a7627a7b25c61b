//! What is given beside programs: results of the original, and arguments.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::program::{Expected, Program, Test};

/// Tests by the names of their programs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given(BTreeMap<String, Vec<Test>>);

/// A run of the original: a line of `emulator/tools/record_cuda.py`.
#[derive(Deserialize)]
struct Row {
    name: String,
    #[serde(default)]
    arguments: Option<Vec<String>>,
    #[serde(default)]
    code: Option<i32>,
    #[serde(default, alias = "output", alias = "stdout", alias = "expected_output")]
    out: String,
    #[serde(default)]
    again: Option<String>,
}

/// Recorded results, a line of JSON each; runs that did not end are passed over.
///
/// # Errors
/// When a line is none; the message says which.
pub(crate) fn recorded(text: &str) -> Result<Given, String> {
    let mut given = Given::default();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let row: Row =
            serde_json::from_str(line).map_err(|error| format!("line {}: {error}", number + 1))?;
        let Some(code) = row.code else {
            continue;
        };
        let outputs = [Some(row.out), row.again].into_iter().flatten().collect();
        let expected = Some(Expected { code, outputs });
        given.0.entry(row.name).or_default().push(Test {
            words: row.arguments,
            stdin: None,
            expected,
        });
    }
    Ok(given)
}

/// Arguments by program: a name, a tab, the program and its arguments; `#` begins a comment.
pub(crate) fn arguments(text: &str) -> Given {
    let mut given = Given::default();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    for (name, words) in lines.filter_map(|line| line.split_once('\t')) {
        let words = crate::text::split_command(words.split('\t').next().unwrap_or_default());
        given.0.entry(name.to_owned()).or_default().push(Test {
            words: Some(words),
            ..Test::default()
        });
    }
    given
}

impl Given {
    /// Gives programs their results, or their arguments where they have no results.
    pub(crate) fn give(&self, programs: &mut [Program]) {
        for program in programs {
            let Some(tests) = self.0.get(&program.name) else {
                continue;
            };
            let has_results = program.tests.iter().any(|test| test.expected.is_some());
            let are_results = tests.iter().any(|test| test.expected.is_some());
            if are_results || !has_results {
                program.tests.clone_from(tests);
            } else if let [only] = tests.as_slice() {
                for test in &mut program.tests {
                    test.words.clone_from(&only.words);
                }
            }
        }
    }
}
