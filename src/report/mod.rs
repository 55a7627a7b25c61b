//! Outcomes to bytes: the report model and its formats, one file each. Never sees a document.

mod azure;
mod baseline;
mod build;
mod checkstyle;
mod columns;
mod defines;
pub mod diff;
mod entries;
mod escape;
mod estimate;
mod excerpt;
mod figures;
mod fingerprint;
mod folders;
mod format;
mod frame;
mod github;
mod gitlab;
mod html;
pub mod json;
mod json_lines;
mod junit;
mod left_out;
mod markdown;
mod model;
mod next_steps;
mod plural;
mod port;
mod problems;
mod rdjson;
mod rule_docs;
mod run;
mod sarif;
mod statistics;
mod support;
pub mod text;

pub(crate) use baseline::Baseline;
pub use build::{Builder, file_report};
pub use excerpt::Excerpt;
pub use format::{Format, full, render, write};
pub(crate) use frame::COLUMNS;
pub(crate) use html::plain_page;
pub use left_out::{LeftOut, LeftOutReason};
pub use model::*;
pub(crate) use plural::plural;
pub use port::{PortFile, PortReport, PortState};
pub use run::{Commit, Run};
pub use statistics::{CountBy, FindingCount, statistics, statistics_table};
pub use support::{BuildSigns, CudaFolder, HipSupport, Mapping, Twin};

/// Message and advice for formats that have one field for both.
fn message_with_help(finding: &FindingReport) -> String {
    if finding.help.is_empty() {
        finding.message.clone()
    } else {
        format!("{}\n{}", finding.message, finding.help)
    }
}
