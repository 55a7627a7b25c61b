use schemars::JsonSchema;
use serde::Serialize;

use super::escape::terminal;
use super::plural::plural;

/// Names in one line of the summary; the JSON report has up to [`MOST_PATHS`].
const MOST_NAMES: usize = 5;
/// A folder of objects that nobody put into a folder of its own has thousands.
pub(super) const MOST_PATHS: usize = 1000;

/// Files and folders of the source tree that took no part, for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeftOut {
    /// Why.
    pub reason: LeftOutReason,
    /// How many; a folder counts as one.
    pub count: usize,
    /// Their paths in order, a folder with `/` at its end; not more than the first thousand.
    pub paths: Vec<String>,
}

/// Why a part of the source tree took no part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LeftOutReason {
    /// A `.gitignore` names it, and git does not track it.
    Ignored,
    /// A `.gitignore` names it, and git could not say whether it tracks it.
    MaybeTracked,
    /// `include` and `exclude` decide so.
    Filtered,
    /// It holds the output of an earlier run.
    Output,
    /// A pipe, a socket or a device.
    Special,
    /// Only what git says changed was asked for.
    Unchanged,
}

impl LeftOut {
    /// What took no part for this reason.
    pub fn new(reason: LeftOutReason, paths: impl Iterator<Item = String>) -> Self {
        let mut left = Self {
            reason,
            count: 0,
            paths: Vec::new(),
        };
        for path in paths {
            left.count += 1;
            if left.paths.len() < MOST_PATHS {
                left.paths.push(path);
            }
        }
        left
    }

    /// One line of the summary.
    pub(super) fn line(&self) -> String {
        let (count, names) = (self.count, self.names());
        match self.reason {
            LeftOutReason::Ignored => format!(
                "left out: {count} ignored by .gitignore and not tracked ({names}); --no-ignore takes them\n"
            ),
            LeftOutReason::MaybeTracked => format!(
                "left out: {count} ignored by .gitignore ({names}); git could not say whether it tracks them, --no-ignore takes them\n"
            ),
            LeftOutReason::Filtered => format!(
                "left out: {count} {} by include and exclude ({names})\n",
                plural(count, "file")
            ),
            LeftOutReason::Output => {
                format!("left out: {names}: output of an earlier run, not read as source\n")
            }
            LeftOutReason::Special => {
                format!("left out: {count} neither file nor folder nor link ({names})\n")
            }
            LeftOutReason::Unchanged => {
                format!(
                    "left out: {count} {} that did not change\n",
                    plural(count, "file")
                )
            }
        }
    }

    fn names(&self) -> String {
        let shown = self.paths.iter().take(MOST_NAMES);
        let names: Vec<String> = shown
            .map(|path| path.chars().map(terminal).collect())
            .collect();
        let more = if self.count > names.len() {
            ", …"
        } else {
            ""
        };
        names.join(", ") + more
    }
}
