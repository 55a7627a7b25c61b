//! One JSON object per finding, each on a line of its own: the finding as `json` has it, with the path of its file.

use serde::Serialize;

use super::model::{FindingReport, Report};

#[derive(Serialize)]
struct Line<'r> {
    path: &'r str,
    #[serde(flatten)]
    finding: &'r FindingReport,
}

pub(super) fn render(report: &Report) -> String {
    let line = |(path, finding)| {
        let line = serde_json::to_string(&Line { path, finding });
        line.expect("the model has only string keys") + "\n"
    };
    report
        .findings()
        .map(|(file, finding)| (file.path.as_str(), finding))
        .map(line)
        .collect()
}
