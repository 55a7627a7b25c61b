//! Where a script does something on machines of NVIDIA's alone: `if command -v nvidia-smi; then … fi`, `if [ -d /proc/driver/nvidia ]; then`.

use crate::build::BuildFile;
use crate::build::release_probe::begins_command;
use crate::syntax::TokenIndex;
use crate::text::BuildTool;

/// Whether a test for NVIDIA's driver or its programs chooses the branch that a token stands in.
pub(crate) fn is_on_nvidias_machine(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    doc.fact(Chosen::new).0.get(at) == Some(&true)
}

/// The answer for each token.
struct Chosen(Vec<bool>);

/// An `if` that is open.
#[derive(Default)]
struct Open {
    /// Its condition is read.
    in_condition: bool,
    /// The condition names NVIDIA's driver or a program of it.
    asks: bool,
    /// The condition says no, `! command -v nvidia-smi`, or has more ways to hold.
    is_open_to_others: bool,
}

impl Open {
    fn condition() -> Self {
        Self {
            in_condition: true,
            ..Self::default()
        }
    }

    fn chooses(&self) -> bool {
        !self.in_condition && self.asks && !self.is_open_to_others
    }

    fn read(&mut self, doc: &BuildFile<'_>, at: TokenIndex) {
        let word = doc.bytes(at);
        let is_or = word == b"||" || word == b"|" && doc.is_before(at, "|");
        self.asks |= names_driver(word);
        self.is_open_to_others |= is_or || matches!(word, b"!" | b"-z" | b"!=");
    }
}

/// `nvidia-smi`, `/proc/driver/nvidia`, `/dev/nvidia0`.
fn names_driver(word: &[u8]) -> bool {
    memchr::memmem::find(word, b"nvidia").is_some()
}

impl Chosen {
    fn new(doc: &BuildFile<'_>) -> Self {
        if doc.tool != BuildTool::Shell || !doc.has_word(names_driver) {
            return Self(Vec::new());
        }
        let mut open: Vec<Open> = Vec::new();
        // How many of them choose: scripts that are made by programs are deep.
        let mut choosing = 0_usize;
        let at_each = (0..doc.tokens.len()).map(|at| {
            let word = doc.bytes(at);
            let begins = begins_command(doc, at);
            let before = open.last().is_some_and(Open::chooses);
            match (word, open.last_mut()) {
                (b"if", _) if begins => {
                    open.push(Open::condition());
                    return choosing > 0;
                }
                (b"fi", Some(_)) if begins => {
                    choosing -= usize::from(before);
                    open.pop();
                    return choosing > 0;
                }
                (b"elif", Some(last)) if begins => *last = Open::condition(),
                (b"else", Some(last)) if begins => *last = Open::default(),
                (b"then", Some(last)) => last.in_condition = false,
                (_, Some(last)) if last.in_condition => last.read(doc, at),
                _ => {}
            }
            let after = open.last().is_some_and(Open::chooses);
            choosing = choosing + usize::from(after) - usize::from(before);
            choosing > 0
        });
        Self(at_each.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn a_branch_behind_a_test_for_the_driver_is_for_nvidias_machines() {
        for (text, expected) in [
            (
                "if command -v nvidia-smi >/dev/null; then\n  run\nfi\n",
                true,
            ),
            ("if [ -d \"/proc/driver/nvidia\" ]; then\n  run\nfi\n", true),
            (
                "if [ -e /dev/nvidia0 ]; then\n  if [ \"$X\" ]; then\n    run\n  fi\nfi\n",
                true,
            ),
            ("if nvidia-smi; then\n  a\nelse\n  run\nfi\n", false),
            (
                "if [ \"$X\" ]; then\n  a\nelif nvidia-smi; then\n  run\nfi\n",
                true,
            ),
            ("if ! command -v nvidia-smi; then\n  run\nfi\n", false),
            ("if nvidia-smi || amd-list; then\n  run\nfi\n", false),
            ("if [ \"$X\" ]; then\n  run\nfi\nnvidia-smi\n", false),
            ("if nvidia-smi; then\n  a\nfi\nrun\n", false),
            ("fi\nfi\nif nvidia-smi; then\n  run\n", true),
        ] {
            let source = SourceFile::new("a.sh", text.as_bytes().to_vec());
            let doc = BuildFile::new(&source);
            let run = (0..doc.tokens.len()).find(|&at| doc.is(at, "run"));
            let run = run.expect("each text has it");
            assert_eq!(is_on_nvidias_machine(&doc, run), expected, "{text}");
        }
    }
}
