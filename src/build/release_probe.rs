//! Where a script asks NVIDIA's programs for CUDA's release: `nvidia-smi | sed -n 's/.*CUDA Version: //p'`,
//! `nvcc --version | awk '/release/'`; the questions that stand in front, and the branches that the answer chooses.

use rustc_hash::FxHashSet;

use crate::build::BuildFile;
use crate::build::compiler_variable::{is_nvcc, reads_release};
use crate::build::words::{is_in_prose, words};
use crate::syntax::{TokenIndex, flags};
use crate::text::BuildTool;

/// What a script asks of CUDA's release.
#[derive(Default)]
struct Probes {
    /// The programs that are asked, in order.
    asked: Vec<TokenIndex>,
    /// For each token, how many functions end in front of it.
    sections: Vec<u32>,
    /// The first of each section.
    first: FxHashSet<TokenIndex>,
    /// For each token, whether a test of a release of CUDA stands around it.
    is_chosen: Vec<bool>,
}

/// Whether a program of NVIDIA's is asked for CUDA's release at a token.
pub(crate) fn is_probe(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    probes(doc).asked.binary_search(&at).is_ok()
}

/// Whether another program of the same function is asked in front of this one.
pub(crate) fn is_asked_again(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let all = probes(doc);
    all.asked.binary_search(&at).is_ok() && !all.first.contains(&at)
}

/// Whether a script asks for CUDA's release, and a test of it stands around a token.
pub(crate) fn is_chosen_by_release(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let all = probes(doc);
    !all.asked.is_empty() && all.is_chosen.get(at) == Some(&true)
}

/// Whether a question for nvcc, `command -v nvcc`, stands in front of nothing but questions for its release: where they stay, it stays.
pub(crate) fn asks_for_probe(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    // A longer branch is no question.
    const FAR: usize = 2000;
    let all = probes(doc);
    if all.asked.is_empty() || !is_question(doc, at) {
        return false;
    }
    let section = all.sections[at];
    let mut depth = 0_usize;
    let mut is_met = false;
    for it in (at + 1..doc.tokens.len()).take(FAR) {
        match doc.bytes(it) {
            _ if all.sections[it] != section => break,
            b"if" => depth += 1,
            b"fi" | b"elif" | b"else" if depth == 0 => break,
            b"fi" => depth -= 1,
            word if is_nvcc(word) && !is_question(doc, it) && !is_in_prose(doc, it) => {
                if !is_probe(doc, it) {
                    return false;
                }
                is_met = true;
            }
            _ => {}
        }
    }
    is_met
}

/// Whether a command asks at a token whether a program is there: `command -v nvcc`, `which nvcc`.
pub(crate) fn is_question(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    ["which", "-v", "type", "hash"]
        .iter()
        .any(|word| doc.is_before(at, word))
}

fn probes(doc: &BuildFile<'_>) -> std::rc::Rc<Probes> {
    doc.fact(Probes::new)
}

impl Probes {
    fn new(doc: &BuildFile<'_>) -> Self {
        if doc.tool != BuildTool::Shell {
            return Self::default();
        }
        let asked: Vec<TokenIndex> = words(doc).filter(|&at| reads(doc, at)).collect();
        if asked.is_empty() {
            return Self::default();
        }
        let sections = sections(doc);
        let mut seen = FxHashSet::default();
        let is_first = |at: &TokenIndex| seen.insert(sections[*at]);
        let first = asked.iter().copied().filter(is_first).collect();
        Self {
            asked,
            first,
            is_chosen: chosen_by_release(doc),
            sections,
        }
    }
}

/// Whether the release of CUDA is taken from what a program prints.
fn reads(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let word = doc.bytes(at);
    if is_nvcc(word) {
        return !is_in_prose(doc, at) && !is_question(doc, at) && reads_release(doc, at, true);
    }
    let is_driver = word == b"nvidia-smi" || word.ends_with(b"/nvidia-smi");
    is_driver && !is_in_prose(doc, at) && reads_driver(doc, at)
}

/// Whether what stands behind `nvidia-smi` takes the words `CUDA Version` out of its table.
fn reads_driver(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    // A line without end is no command.
    const LONGEST: usize = 1000;
    let rest = &doc.source.bytes[doc.tokens[at].start as usize..];
    let rest = &rest[..rest.len().min(LONGEST)];
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or(rest);
    let Some(pipe) = line.iter().position(|byte| *byte == b'|') else {
        return false;
    };
    // Between the words stands a blank, in patterns `\s`, `\+`, `.*`.
    let mut found = memchr::memmem::find_iter(&line[pipe..], b"CUDA");
    found.any(|start| {
        let behind = &line[pipe + start + b"CUDA".len()..];
        let behind = &behind[..behind.len().min(16)];
        memchr::memmem::find(behind, b"Version").is_some()
    })
}

/// For each token, how many functions of the script end in front of it.
fn sections(doc: &BuildFile<'_>) -> Vec<u32> {
    let mut section = 0;
    let at_each = (0..doc.tokens.len()).map(|at| {
        section += u32::from(at > 0 && is_end_of_function(doc, at - 1));
        section
    });
    at_each.collect()
}

/// Whether a token is the bracket that ends a function: alone at the start of its line.
fn is_end_of_function(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let start = doc.tokens[at].start as usize;
    doc.is(at, "}") && (start == 0 || doc.source.bytes[start - 1] == b'\n')
}

/// For each token, whether it stands in a branch that a test of a release of CUDA chooses: `if [[ "$CUDA_VERSION" == 12.* ]]; then`.
fn chosen_by_release(doc: &BuildFile<'_>) -> Vec<bool> {
    // Of each `if` that is open: whether its condition is read, and whether one of its conditions asks for the release.
    let mut open: Vec<(bool, bool)> = Vec::new();
    let mut around = 0_usize;
    let close = |open: &mut Vec<(bool, bool)>, around: &mut usize| {
        let asked = open.pop().is_some_and(|(_, asked)| asked);
        *around -= usize::from(asked);
    };
    let at_each = (0..doc.tokens.len()).map(|at| {
        let word = doc.bytes(at);
        let in_condition = open.last().is_some_and(|(reads, _)| *reads);
        match word {
            b"if" | b"case" if begins_command(doc, at) => open.push((true, false)),
            b"elif" => open.last_mut().map_or((), |(reads, _)| *reads = true),
            b"then" | b"in" if in_condition => {
                open.last_mut().map_or((), |(reads, _)| *reads = false)
            }
            b"fi" | b"esac" if begins_command(doc, at) => close(&mut open, &mut around),
            _ if in_condition && is_release(word) => {
                if let Some((_, asked)) = open.last_mut()
                    && !*asked
                {
                    *asked = true;
                    around += 1;
                }
            }
            _ => {}
        }
        around > 0 && !open.last().is_some_and(|(reads, _)| *reads)
    });
    at_each.collect()
}

/// Whether a command of a shell begins at a token.
pub(super) fn begins_command(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    doc.tokens[at].has(flags::LINE_START)
        || at > 0
            && matches!(
                doc.bytes(at - 1),
                b";" | b"&&" | b"||" | b"then" | b"{" | b"("
            )
        || doc.is_before(at, "else")
        || doc.is_before(at, "do")
}

/// Whether a variable is called after CUDA's release: `CUDA_VERSION`, `cuda_ver`.
fn is_release(word: &[u8]) -> bool {
    let word = word.to_ascii_lowercase();
    let has = |part: &[u8]| memchr::memmem::find(&word, part).is_some();
    has(b"cuda") && has(b"ver")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    const PROBE: &str = "find() {\n  if command -v nvidia-smi; then\n    v=$(nvidia-smi | sed -n 's/.*CUDA Version: //p')\n  fi\n  if command -v nvcc; then\n    v=$(nvcc --version | awk '/release/ {print $6}')\n  fi\n}\n";

    fn asked(text: &str, is_meant: fn(&BuildFile<'_>, TokenIndex) -> bool) -> String {
        let source = SourceFile::new("a.sh", text.as_bytes().to_vec());
        let doc = BuildFile::new(&source);
        let found = (0..doc.tokens.len()).filter(|&at| is_meant(&doc, at));
        let lines = found.map(|at| {
            let before = &source.bytes[..doc.tokens[at].start as usize];
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            format!("{} {line}", String::from_utf8_lossy(doc.bytes(at)))
        });
        lines.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn the_second_question_of_a_function_is_asked_again() {
        assert_eq!(asked(PROBE, is_probe), "nvidia-smi 3, nvcc 6");
        assert_eq!(asked(PROBE, is_asked_again), "nvcc 6");
        let two = format!("{PROBE}{PROBE}");
        assert_eq!(asked(&two, is_asked_again), "nvcc 6, nvcc 14");
        assert_eq!(asked("nvidia-smi | grep CUDA\n", is_probe), "");
        assert_eq!(asked("nvcc --version\n", is_probe), "");
    }

    #[test]
    fn a_question_in_front_of_a_release_belongs_to_it() {
        assert_eq!(asked(PROBE, asks_for_probe), "nvcc 5");
        let compiles = "if which nvcc; then\n  nvcc --version | grep release\n  nvcc a.cu\nfi\n";
        assert_eq!(asked(compiles, asks_for_probe), "");
        let after = "if which nvcc; then\n  nvcc --version | grep release\nfi\nnvcc a.cu\n";
        assert_eq!(asked(after, asks_for_probe), "nvcc 1");
    }

    #[test]
    fn branches_of_a_release_are_chosen_where_the_script_asks_for_it() {
        let is_pip = |doc: &BuildFile<'_>, at: TokenIndex| {
            doc.is(at, "pip") && is_chosen_by_release(doc, at)
        };
        let branches = "if [ \"$CUDA_VERSION\" = 12 ]; then\n  pip a\nelif [ \"$X\" ]; then\n  pip b\nfi\npip c\ncase $CUDA_VER in\n12) pip d ;;\nesac\nif [ \"$Y\" ]; then\n  pip e\nfi\n";
        let with_probe = format!("{PROBE}{branches}");
        assert_eq!(asked(&with_probe, is_pip), "pip 10, pip 12, pip 16");
        assert_eq!(asked(branches, is_pip), "");
    }
}
