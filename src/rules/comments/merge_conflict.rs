//! Unresolved merge conflict markers.
//!
//! ## Why on AMD
//! Where the sources changed and the same lines of the port were changed by hand, a run keeps both between markers, as git does. Such a file
//! does not compile until the conflict is resolved. The markers that git itself leaves are found as well.
//!
//! ## Example
//! ```cuda
//! <<<<<<< by hand
//! hipMalloc(&p, 2 * n);
//! =======
//! hipMalloc(&p, n + 1);
//! >>>>>>> new translation
//! ```
//! Write the lines that are right, take the three markers out, and run again.
//!
//! ## When to ignore
//! In a file that shows markers on purpose, such as a test of a merge.
//!
//! ## Source
//! The markers of `git merge-file`: seven signs at the start of a line.

use crate::rules::prelude::*;

/// Reports each conflict once, at its first marker.
pub static RULE: Rule = Rule {
    code: "CASS710",
    severity: Severity::Error,
    fix: None,
    priority: 90,
    facts: &[],
    checks: &[Check::Source(check), Check::Event(in_port)],
};

/// What to do about a conflict.
const ADVICE: &str = "resolve the conflict and remove the markers";

fn check(context: &mut Context<'_, '_>) {
    for range in conflicts(&context.doc.source.bytes) {
        let finding = RULE.finding(range, "unresolved merge conflict");
        context.report(finding.help(ADVICE));
    }
}

/// What is left of a merge with work by hand.
fn in_port(event: &Event<'_>) -> Option<Finding> {
    let Event::Conflict {
        range,
        message,
        help,
    } = event
    else {
        return None;
    };
    let finding = RULE.finding(*range, message.clone());
    Some(finding.help(help.unwrap_or(ADVICE)))
}

/// The first marker of each conflict that has all three markers.
fn conflicts(bytes: &[u8]) -> Vec<TextRange> {
    let (mut found, mut open, mut at) = (Vec::new(), None, 0);
    if memchr::memmem::find(bytes, b"<<<<<<< ").is_none() {
        return found;
    }
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let start = at;
        at += line.len();
        let text = line.trim_ascii_end();
        match open {
            _ if text.starts_with(b"<<<<<<< ") => {
                open = Some((
                    TextRange::new(start as u32, (start + text.len()) as u32),
                    false,
                ));
            }
            Some((range, _)) if text == b"=======" => open = Some((range, true)),
            Some((range, true)) if text.starts_with(b">>>>>>> ") => {
                found.push(range);
                open = None;
            }
            _ => {}
        }
    }
    found
}
