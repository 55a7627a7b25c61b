//! One JSON object per finding, each on a line of its own: the finding as `json` has it, with the path of its file. A file that could
//! not be read or written has a line with its `problem`, and so has what was met on the way to the files.

use std::io::{self, Write};

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

pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    for problem in &report.problems {
        let path = None;
        push(out, &Failure { path, problem })?;
    }
    for file in &report.files {
        let path = file.path.as_str();
        if let Some(problem) = &file.problem {
            let path = Some(path);
            push(out, &Failure { path, problem })?;
        }
        for finding in &file.findings {
            push(out, &Line { path, finding })?;
        }
    }
    Ok(())
}

fn push(out: &mut dyn Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}
