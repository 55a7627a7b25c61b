//! A kernel for people: figures, then what a person would look at.

use std::fmt::Write as _;

use super::advice::advice;
use super::cost::Cost;

/// The figures of a kernel with its advice.
pub fn text(cost: &Cost) -> String {
    let mut text = format!("{} on {}\n", cost.name(), cost.chip);
    for line in cost.figures() {
        let _ = writeln!(text, "  {line}");
    }
    for advice in advice(&[cost], None) {
        let _ = writeln!(text, "  = note: {}", advice.text);
    }
    text
}
