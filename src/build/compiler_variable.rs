//! What a Makefile or a script does with a variable that holds nvcc, beside calling it: it tests it as a file, takes its folder, or reads
//! what it says of its release.

use rustc_hash::FxHashSet;

use crate::build::BuildFile;
use crate::build::make::is_read;
use crate::build::words::{is_joined, words};
use crate::syntax::{TokenIndex, flags};
use crate::text::BuildTool;

/// How a variable that holds nvcc is used otherwise than as a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// `$(wildcard $(NVCC))`: the first token is the function's name.
    Wildcard(TokenIndex),
    /// `[ -x "$NVCC" ]`.
    File,
    /// `$(dir $(NVCC))`.
    Folder,
    /// `$(NVCC) --version | grep release`.
    Release,
}

/// The places where a file reads such a variable so, each with the name that it reads.
pub(crate) fn uses(doc: &BuildFile<'_>) -> Vec<(TokenIndex, Use)> {
    if !matches!(doc.tool, BuildTool::Make | BuildTool::Shell) {
        return Vec::new();
    }
    let held = holders(doc);
    let found = words(doc).filter_map(|at| {
        let name = doc.bytes(at);
        let is_held = held.names.contains(name);
        // What a file that this one includes gives it.
        let is_usual = name == b"NVCC" && !held.set.contains(name);
        let is_meant = is_held || is_usual;
        let reference = reference(doc, at).filter(|_| is_meant)?;
        let found = of_reference(doc, at, reference)?;
        let is_told = is_held || is_usual && matches!(found, Use::Wildcard(_) | Use::Release);
        is_told.then_some((at, found))
    });
    found.collect()
}

/// The variables of a file: those that hold nvcc by its name or path, and all that it sets.
#[derive(Default)]
struct Holders<'d> {
    names: FxHashSet<&'d [u8]>,
    set: FxHashSet<&'d [u8]>,
}

fn holders<'d>(doc: &'d BuildFile<'_>) -> Holders<'d> {
    let mut found = Holders::default();
    for equals in (1..doc.tokens.len()).filter(|&at| doc.is(at, "=")) {
        let is_sign = |at: &TokenIndex| matches!(doc.bytes(*at), b":" | b"?" | b"+");
        let Some(name) = (0..equals).rev().find(|at| !is_sign(at)) else {
            continue;
        };
        let starts_line = |at: TokenIndex| doc.tokens[at].has(flags::LINE_START);
        if (name + 1..=equals).any(starts_line) {
            continue;
        }
        found.set.insert(doc.bytes(name));
        // `$(CUDA_PATH)/bin/nvcc` is several tokens; more than these no path has.
        let joined =
            (equals + 2..(equals + 24).min(doc.tokens.len())).take_while(|&at| is_joined(doc, at));
        let first = (equals + 1..(equals + 2).min(doc.tokens.len())).filter(|&at| !starts_line(at));
        if first.chain(joined).any(|at| is_nvcc(doc.bytes(at))) {
            found.names.insert(doc.bytes(name));
        }
    }
    found
}

/// Whether a word is nvcc by its name or path.
pub(crate) fn is_nvcc(word: &[u8]) -> bool {
    word == b"nvcc" || word.ends_with(b"/nvcc")
}

/// The first and the last token of `$(NAME)`, `${NAME}` or a shell's `$NAME` around the name.
fn reference(doc: &BuildFile<'_>, name: TokenIndex) -> Option<(TokenIndex, TokenIndex)> {
    let is_script = doc.tool == BuildTool::Shell;
    if is_read(doc, name) && (!is_script || doc.is(name - 1, "{")) {
        return Some((name - 2, name + 1));
    }
    let is_plain = is_script && name > 0 && doc.is(name - 1, "$") && is_joined(doc, name);
    is_plain.then(|| (name - 1, name))
}

fn of_reference(
    doc: &BuildFile<'_>,
    name: TokenIndex,
    (first, last): (TokenIndex, TokenIndex),
) -> Option<Use> {
    let is_quote = |at: TokenIndex| matches!(doc.bytes(at), b"\"" | b"'");
    if reads_release(doc, last, true) {
        return Some(Use::Release);
    }
    let first = first - usize::from(first > 0 && is_quote(first - 1));
    let before = first.checked_sub(1)?;
    let calls = before > 1 && doc.is(before - 1, "(") && doc.is(before - 2, "$");
    match doc.bytes(before) {
        b"wildcard" if calls && doc.is(name + 2, ")") => Some(Use::Wildcard(before)),
        b"wildcard" if calls => Some(Use::File),
        b"dir" | b"realpath" | b"abspath" if calls => Some(Use::Folder),
        b"dirname" => Some(Use::Folder),
        b"-x" | b"-f" | b"-e" | b"-s" | b"-r" if is_test(doc, before) => Some(Use::File),
        _ => None,
    }
}

/// Whether an option asks for a file: `test -x`, `[ ! -f`, `&& -e` within `[[`.
fn is_test(doc: &BuildFile<'_>, option: TokenIndex) -> bool {
    const IN_FRONT: &[&[u8]] = &[
        b"[", b"[[", b"test", b"!", b"-a", b"-o", b"&", b"&&", b"|", b"||", b"(",
    ];
    option > 0 && IN_FRONT.contains(&doc.bytes(option - 1))
}

/// Whether the version that a compiler prints is read: for the word `release`, or by a program that takes it apart; in the line of the
/// compiler, or in one of the next for that word.
pub(crate) fn reads_release(doc: &BuildFile<'_>, compiler: TokenIndex, in_line: bool) -> bool {
    // The pipe behind the version, or the three lines of a script that take it apart.
    const NEAR: usize = 60;
    const PARTS: &[&[u8]] = &[b"grep", b"egrep", b"sed", b"awk", b"gawk", b"cut", b"perl"];
    let is_version = |at: TokenIndex| doc.is(at, "--version") || doc.is(at, "-V");
    let behind = compiler + 1..(compiler + NEAR).min(doc.tokens.len());
    let mut behind = behind.take_while(|&at| !in_line || !doc.tokens[at].has(flags::LINE_START));
    let Some(asks) = behind.find(|&at| is_version(at)) else {
        return false;
    };
    let is_piped = |at: TokenIndex| doc.is(at - 1, "|") && PARTS.contains(&doc.bytes(at));
    let rest = &doc.source.bytes[doc.tokens[asks].start as usize..];
    // A line without end is no command.
    let rest = &rest[..rest.len().min(4000)];
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or(rest);
    memchr::memmem::find(line, b"release").is_some() || in_line && behind.any(is_piped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    fn found(path: &str, text: &str) -> String {
        let source = SourceFile::new(path, text.as_bytes().to_vec());
        let doc = BuildFile::new(&source);
        let shown = uses(&doc).into_iter().map(|(_, used)| match used {
            Use::Wildcard(_) => "Wildcard".to_owned(),
            used => format!("{used:?}"),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_a_variable_holds_is_used_as_a_file_a_folder_or_for_its_release() {
        for (line, expected) in [
            ("ifeq ($(wildcard $(NVCC)),)", "Wildcard"),
            ("X = $(wildcard $(NVCC) $(CC))", "File"),
            ("\ttest -x $(NVCC)", "File"),
            ("\t@[ ! -e \"${NVCC}\" ] && exit 1", "File"),
            ("D := $(dir $(NVCC))", "Folder"),
            (
                "V := $(shell $(NVCC) --version | grep release | cut -d, -f1)",
                "Release",
            ),
            ("V := $(shell $(NVCC) -V | sed -n 's/.*V//p')", "Release"),
            ("\t$(NVCC) --version", ""),
            ("\t$(NVCC) --version | tee log", ""),
            ("\t$(NVCC) -x cu a.cc", ""),
            ("ifeq ($(wildcard $(CC)),)", ""),
            ("N := $(notdir $(NVCC))", ""),
        ] {
            let set = found("Makefile", &format!("NVCC ?= $(CUDA)/bin/nvcc\n{line}\n"));
            assert_eq!(set, expected, "{line}");
        }
        // One that is looked for is a path afterwards as well, and of one that is set elsewhere nobody knows.
        let looked_for = "NVCC := $(shell which nvcc)\nifeq ($(wildcard $(NVCC)),)\n";
        assert_eq!(found("Makefile", looked_for), "");
        assert_eq!(found("Makefile", "\ttest -x $(NVCC)\n"), "");
        assert_eq!(
            found("Makefile", "ifeq ($(wildcard $(NVCC)),)\n"),
            "Wildcard"
        );
        let own = "CUDACC = nvcc\na:\n\t[ -x $(CUDACC) ]\n";
        assert_eq!(found("Makefile", own), "File");
    }

    #[test]
    fn a_script_of_a_shell_reads_its_variables_without_brackets() {
        for (line, expected) in [
            ("if [ ! -x \"$NVCC\" ]; then exit 1; fi", "File"),
            ("[[ -f ${NVCC} ]] || exit 1", "File"),
            ("V=$($NVCC --version | grep release)", "Release"),
            ("V=`\"$NVCC\" -V | awk '{print $5}'`", "Release"),
            ("D=$(dirname \"$NVCC\")", "Folder"),
            ("command -v \"$NVCC\" || exit 1", ""),
            ("$NVCC -c a.cu", ""),
        ] {
            let script = format!("export NVCC=\"$CUDA_HOME/bin/nvcc\"\n{line}\n");
            assert_eq!(found("a.sh", &script), expected, "{line}");
        }
    }
}
