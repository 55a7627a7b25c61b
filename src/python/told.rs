//! What a script tells people, and decides nothing by.

use super::{Node, PyFile, parents};

/// Functions that tell their arguments.
const SPEAKERS: &[&str] = &[
    "debug",
    "info",
    "warning",
    "warn",
    "error",
    "exception",
    "critical",
    "log",
    "print",
    "skip",
    "fail",
];

impl PyFile<'_> {
    /// Whether a place is for people: what an exception or a log says.
    pub(crate) fn is_said(&self, node: Node<'_>) -> bool {
        let call = parents(node).take(3).find(|it| it.kind() == "call");
        let name = call.and_then(|call| self.callee(call)).unwrap_or_default();
        let is_exception = ["Error", "Exception", "Warning"]
            .iter()
            .any(|end| name.ends_with(end));
        is_exception || SPEAKERS.contains(&&*name)
    }

    /// Whether all that a function does with what a call gives is to tell it: each variable that it is assigned to is used, and where it is,
    /// `tells` says so.
    pub(crate) fn is_only_told(&self, call: Node<'_>, tells: impl Fn(Node<'_>) -> bool) -> bool {
        let assignment = call.parent().filter(|it| it.kind() == "assignment");
        let Some((left, function)) =
            assignment.and_then(|it| Some((it.child_by_field_name("left")?, it.function()?)))
        else {
            return false;
        };
        let names = match left.kind() {
            "identifier" => vec![left],
            "pattern_list" | "tuple_pattern" => left.named_children().collect(),
            _ => return false,
        };
        let mut uses = self.all(&["identifier"]);
        uses.retain(|it| function.is_around(*it) && *it != left && !left.is_around(*it));
        let is_told = |name: &Node<'_>| {
            let same = uses.iter().filter(|it| self.text(**it) == self.text(*name));
            let told: Vec<bool> = same.map(|it| tells(*it)).collect();
            name.kind() == "identifier" && !told.is_empty() && told.iter().all(|it| *it)
        };
        names.iter().all(is_told)
    }
}
