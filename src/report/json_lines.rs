//! One JSON object per finding, each on a line of its own: the finding as `json` has it, with the path of its file. A file that could
//! not be read or written has a line with its `problem`, and so has what was met on the way to the files.

use serde::Serialize;

use super::model::{FindingReport, Report};

#[derive(Serialize)]
struct Line<'r> {
    path: &'r str,
    #[serde(flatten)]
    finding: &'r FindingReport,
}

#[derive(Serialize)]
struct Failure<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'r str>,
    problem: &'r str,
}

pub(super) fn render(report: &Report) -> String {
    let mut text = String::new();
    for problem in &report.problems {
        let path = None;
        push(&mut text, &Failure { path, problem });
    }
    for file in &report.files {
        let path = file.path.as_str();
        if let Some(problem) = &file.problem {
            let path = Some(path);
            push(&mut text, &Failure { path, problem });
        }
        for finding in &file.findings {
            push(&mut text, &Line { path, finding });
        }
    }
    text
}

fn push(text: &mut String, line: &impl Serialize) {
    text.push_str(&serde_json::to_string(line).expect("the model has only string keys"));
    text.push('\n');
}
