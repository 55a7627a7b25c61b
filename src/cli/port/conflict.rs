use std::ops::Range;

use crate::diagnostic::{Finding, Judged};
use crate::engine::FileOutcome;
use crate::port::{Conflict, Content, Decision, State, Write};
use crate::rules::{Event, notice};
use crate::text::{SourceFile, TextRange};

/// Adds a finding for each place where somebody has to choose between work by hand and the translation.
pub(in crate::cli) fn add_findings(
    key: &str,
    decision: &Decision,
    theirs: &Content,
    source: &SourceFile,
    outcome: &mut FileOutcome,
) {
    let State::Conflict(conflict) = decision.state else {
        return;
    };
    if conflict == Conflict::Lines {
        let Write::Bytes(_, merged) = &decision.write else {
            return;
        };
        for lines in &decision.conflicts {
            let range = place(merged, lines, theirs, source, outcome);
            let message = format!(
                "work by hand and the new translation change the same lines: {key}:{}-{}",
                lines.start,
                lines.end - 1
            );
            let finding = notice(&Event::Conflict {
                range,
                message,
                help: None,
            });
            outcome.findings.push(Judged::new(finding));
        }
    } else {
        outcome.findings.push(Judged::new(of_file(key, conflict)));
    }
    outcome
        .findings
        .sort_by_key(|finding| (finding.range(), finding.code()));
}

/// The finding for a file that is left as it is.
fn of_file(key: &str, conflict: Conflict) -> Finding {
    let (message, help) = match conflict {
        Conflict::Lines | Conflict::Unresolved => (
            "has the markers of an earlier conflict, and is not merged again",
            None,
        ),
        Conflict::NoText => (
            "was changed by hand and by the sources, and has no lines that could be merged; it stays as it is",
            Some(
                "copy the translation over it, or keep it with `cass-transpile accept SRC OUT FILE`",
            ),
        ),
        Conflict::NoBase => (
            "was changed by hand, and what was written there last is lost; it stays as it is",
            Some(
                "bring in what the translation changes (`cass-transpile diff`), then `cass-transpile accept SRC OUT FILE`",
            ),
        ),
        Conflict::Foreign => (
            "is in the output, was not written by this tool, and differs from the translation; it stays as it is",
            Some(
                "move it away, or keep it with `cass-transpile accept SRC OUT FILE`; --force overwrites it",
            ),
        ),
    };
    notice(&Event::Conflict {
        range: TextRange::at(0),
        message: format!("{key} {message}"),
        help,
    })
}

/// The source of the first line that the translation has in a conflict: findings stand in the sources.
fn place(
    merged: &[u8],
    lines: &Range<usize>,
    theirs: &Content,
    source: &SourceFile,
    outcome: &FileOutcome,
) -> TextRange {
    let found = first_of_theirs(merged, lines).and_then(|line| {
        let at = memchr::memmem::find(theirs.bytes.as_deref()?, line)?;
        let count = source.lines().line_count();
        let start = |number: u32| source.lines().line_start(number).unwrap_or(0);
        // Where a line of the source lies in the translation grows with its number.
        let is_before = |number: u32| outcome.edits.map_offset(start(number)) as usize <= at;
        let (mut low, mut high) = (1, count.max(1));
        while low < high {
            let middle = (low + high).div_ceil(2);
            if is_before(middle) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        Some(TextRange::at(start(low)))
    });
    found.unwrap_or(TextRange::at(0))
}

/// The first line with something on it behind the middle marker.
fn first_of_theirs<'m>(merged: &'m [u8], lines: &Range<usize>) -> Option<&'m [u8]> {
    let all = merged.split_inclusive(|&byte| byte == b'\n');
    let within = all.skip(lines.start).take(lines.len().checked_sub(2)?);
    within
        .skip_while(|line| line.trim_ascii_end() != b"=======")
        .skip(1)
        .find(|line| !line.trim_ascii().is_empty())
}
