//! Unified diffs that `patch` and `git apply` take, whatever the encoding of the files.

use similar::{Algorithm, ChangeTag, TextDiff};

/// Unified diff of one file with three lines of context; empty when nothing differs. Paths get the prefixes `a/` and `b/`.
pub fn unified(old_path: &str, new_path: &str, old: &[u8], new: &[u8]) -> Vec<u8> {
    let diff = TextDiff::configure()
        .algorithm(Algorithm::Myers)
        .diff_lines(old, new);
    let mut text = Vec::new();
    for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
        if text.is_empty() {
            text.extend_from_slice(
                format!(
                    "--- {}\n+++ {}\n",
                    quoted("a/", old_path),
                    quoted("b/", new_path)
                )
                .as_bytes(),
            );
        }
        text.extend_from_slice(format!("{}\n", hunk.header()).as_bytes());
        for change in hunk.iter_changes() {
            let sign = match change.tag() {
                ChangeTag::Delete => b'-',
                ChangeTag::Insert => b'+',
                ChangeTag::Equal => b' ',
            };
            text.push(sign);
            text.extend_from_slice(change.value());
            if !change.value().ends_with(b"\n") {
                text.extend_from_slice(b"\n\\ No newline at end of file\n");
            }
        }
    }
    text
}

/// Git quotes paths that hold control characters or quotes, as in a C string.
fn quoted(prefix: &str, path: &str) -> String {
    if path
        .chars()
        .any(|c| c.is_control() || c == '"' || c == '\\')
    {
        format!("{:?}", format!("{prefix}{path}"))
    } else {
        format!("{prefix}{path}")
    }
}
