//! What the rules for build files share: words, what belongs to an option, the commands of CMake.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use rustc_hash::FxHashSet;

use crate::build::BuildFile;
use crate::build::amd_tools::is_script_for_both;
use crate::build::here_documents::is_shown;
use crate::build::in_front::in_front;
use crate::build::soundness::are_sound;
use crate::edit::{Applicability, Edit, Fix};
use crate::mapping::{BuildTable, name_lists};
use crate::syntax::{TokenIndex, flags};
use crate::text::{BuildTool, TextRange};

/// What build files say of CUDA, as people write it.
const SIGNS: &[&[u8]] = &[
    b"cupy",
    b"-gpu",
    b"nvcc",
    b"NVCC",
    b"cuda",
    b"CUDA",
    b"-lcu",
    b"-lnccl",
    b"-gencode",
    b"compute_",
    b"=sm_",
    b"= sm_",
    b"-Xcompiler",
    b"--gpus",
    b"=nvidia",
    // What a service of Compose asks for.
    b"driver: nvidia",
    b"runtime: nvidia",
    b"ClassName: nvidia",
    b"compute-sanitizer",
    b"nvcr.io",
    b"ghcr.io/nvidia/",
    b"nvidia.com/",
    b"dcgmi",
    b"ncu ",
    b"nsys",
    b"nvdisasm",
    b"nvprof",
    b".cu",
    b"cudnn",
    b"cublas",
    b"cufft",
    b"curand",
    b"cusparse",
    b"cusolver",
    // Packages of Python: `nvidia-cublas-cu12`, `torch==2.4+cu121`.
    b"nvidia-",
    b"tensorrt",
    b"-cu1",
    b"+cu1",
    b"_cu1",
    // What a macro is set to.
    b"nv_bfloat16",
    b"/cu1",
    // A release of PyTorch's alone, which is part of an address elsewhere: `matrix: [cu126, cu130]`.
    b"cu12",
    b"cu13",
    b"pynvml",
    b"libnccl",
    b"nvhpc",
];

static SIGNS_FOUND: LazyLock<AhoCorasick> =
    LazyLock::new(|| AhoCorasick::new(SIGNS).expect("the signs are few"));

/// Packages of Python whose names do not say that they are for CUDA alone, `[[installs]]` of the table, in each spelling, and their
/// repositories.
static PACKAGES_FOUND: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let table = BuildTable::builtin();
    let spellings = table
        .for_cuda_alone()
        .flat_map(|it| [it.to_owned(), it.replace('-', "_")]);
    let spellings = spellings.chain(table.sources_for_cuda().map(str::to_owned));
    let mut automaton = AhoCorasick::builder();
    automaton.ascii_case_insensitive(true);
    automaton.build(spellings).expect("the packages are few")
});

/// Whether a build file says anything of CUDA. SYCL's compilers take options that name NVIDIA's chips as well.
pub(crate) fn mentions_cuda(bytes: &[u8]) -> bool {
    // What Autoconf writes follows from the `configure.ac` beside it.
    let start = &bytes[..bytes.len().min(1000)];
    let is_written = memchr::memmem::find(start, b"enerated by GNU Autoconf").is_some();
    if is_written || memchr::memmem::find(bytes, b"-fsycl").is_some() {
        return false;
    }
    SIGNS_FOUND.is_match(bytes) || PACKAGES_FOUND.is_match(bytes)
}

/// The words of the file.
pub(crate) fn words<'d>(doc: &'d BuildFile<'_>) -> impl Iterator<Item = TokenIndex> + 'd {
    (0..doc.tokens.len()).filter(|&at| doc.is_ident(at))
}

/// A fix of a build file, which is only made where this tool knows how the file is read, and where the edits leave quotes, brackets
/// and variables as sound as they were.
pub(crate) fn fix(
    doc: &BuildFile<'_>,
    applicability: Applicability,
    edits: Vec<Edit>,
) -> Option<Fix> {
    let fix = match applicability {
        Applicability::Safe => Fix::safe(edits),
        _ => Fix::review(edits),
    };
    let is_sound = are_sound(doc, &fix.edits);
    let is_left = doc.tool == BuildTool::Other || is_script_for_both(doc);
    (!is_left && is_sound).then_some(fix)
}

/// The tokens that stand together without a blank, from `first` on: to the quote or bracket that closes what was open before, a `;`, or
/// the comma that parts the arguments of one of make's functions or of `$<IF:` of CMake.
pub(crate) fn run(doc: &BuildFile<'_>, first: TokenIndex) -> Range<TokenIndex> {
    let mut open: Vec<&[u8]> = Vec::new();
    let was_quoted = is_quoted(doc, first);
    // `['-arch=sm_90']` of Python: the quote in front of the option is closed by the next of its kind.
    let in_single = doc.tool == BuildTool::Other && in_front(doc, first).in_text[1];
    let in_function = in_front(doc, first).parts_arguments;
    // `$(subst a,b,c)` of make and a shell's `$(command)` are one word with the blanks in them.
    let calls = matches!(doc.tool, BuildTool::Make | BuildTool::Shell);
    let goes_on = |open: &[&[u8]]| open.contains(&&b"\""[..]) || open.contains(&CALL);
    let mut end = first;
    while end < doc.tokens.len() && (end == first || is_joined(doc, end) || goes_on(&open)) {
        let is_escaped = end > first && doc.is(end - 1, "\\");
        match doc.bytes(end) {
            b"\"" | b"'" | b"`" if is_escaped => {}
            quote @ (b"\"" | b"'") if open.last() == Some(&quote) => drop(open.pop()),
            b"'" if open.is_empty() && in_single => break,
            b"\"" | b"'" | b"`" if was_quoted || doc.tokens[end].has(flags::LINE_START) => break,
            quote @ (b"\"" | b"'") => open.push(quote),
            b"(" | b"{" if calls && doc.is_before(end, "$") && closes(doc, end) => open.push(CALL),
            bracket @ (b"(" | b"{" | b"[" | b"<") => open.push(bracket),
            b")" | b"}" | b"]" | b">" | b";" | b"`" | b"|" | b"&" if open.is_empty() => break,
            b")" | b"}" | b"]" | b">" => drop(open.pop()),
            b"," if in_function && open.is_empty() => break,
            _ => {}
        }
        end += 1;
    }
    first..end
}

/// The argument of a command around a token, quotes aside: `https://download.pytorch.org/whl/cu121`, `${DIR}/tensorrt-${VERSION}.whl`.
pub(crate) fn argument_around(doc: &BuildFile<'_>, at: TokenIndex) -> TextRange {
    // A longer word is no name that a person reads.
    const LONGEST: usize = 400;
    let bytes = &doc.source.bytes;
    let own = doc.tokens[at].range();
    let (start, end) = (own.start as usize, own.end as usize);
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`;|&".contains(byte);
    let first = start.saturating_sub(LONGEST);
    let before = bytes[first..start].iter().rposition(is_end);
    let rest = &bytes[end..bytes.len().min(end + LONGEST)];
    let behind = rest.iter().position(is_end).unwrap_or(rest.len());
    let start = before.map_or(first, |it| first + it + 1);
    TextRange::new(start as u32, (end + behind) as u32)
}

/// The bracket of a call, `$(`, whose words belong together.
const CALL: &[u8] = b"$(";

/// Whether a bracket is closed on its line, or on the next ones where a `\` goes on with it.
fn closes(doc: &BuildFile<'_>, open: TokenIndex) -> bool {
    // A longer call is no argument of an option.
    const LONGEST: usize = 200;
    let mut depth = 0_usize;
    for at in open..doc.tokens.len().min(open + LONGEST) {
        let is_next_line = doc.tokens[at].has(flags::LINE_START) && !doc.is_before(at, "\\");
        match doc.bytes(at) {
            _ if at > open && is_next_line => return false,
            b"(" | b"{" => depth += 1,
            b")" | b"}" if depth == 1 => return true,
            b")" | b"}" => depth -= 1,
            _ => {}
        }
    }
    false
}

/// Whether a quote is open in front of a token, as far as its line tells.
pub(crate) fn is_quoted(doc: &BuildFile<'_>, index: TokenIndex) -> bool {
    in_front(doc, index).in_quotes
}

/// The first token of the line around another.
pub(crate) fn line_of(doc: &BuildFile<'_>, index: TokenIndex) -> TokenIndex {
    // A line without end is no text for people.
    let nearest = index.saturating_sub(1000);
    (nearest..=index)
        .rev()
        .find(|&at| doc.tokens[at].has(flags::LINE_START))
        .unwrap_or(nearest)
}

/// Whether no blank stands in front of the token.
pub(crate) fn is_joined(doc: &BuildFile<'_>, index: TokenIndex) -> bool {
    let token = doc.tokens[index];
    !token.has(flags::SPACE_BEFORE) && !token.has(flags::LINE_START)
}

/// The tokens of an option's argument: behind its `=`, else the next words of the line; quotes around it included.
pub(crate) fn argument(doc: &BuildFile<'_>, option: TokenIndex) -> Option<Range<TokenIndex>> {
    let is_assigned = doc.is(option + 1, "=") && is_joined(doc, option + 1);
    let mut first = option + 1 + usize::from(is_assigned);
    if is_escaped_blank(doc, first) || parts_list(doc, first) {
        first += 1;
    }
    let token = doc.tokens.get(first)?;
    let goes_on = match is_assigned {
        true => is_joined(doc, first),
        false => !token.has(flags::LINE_START) || doc.tool == BuildTool::CMake,
    };
    if !goes_on || doc.is(first, ")") {
        return None;
    }
    if matches!(doc.bytes(first), b"\"" | b"'") {
        let quote = doc.bytes(first);
        // `" -Xcompiler "`: the quote ends the text that the option stands in.
        if quote == b"\"" && is_quoted(doc, option) {
            return None;
        }
        let close = (first + 1..doc.tokens.len()).find(|&at| doc.bytes(at) == quote);
        return close.map(|close| first..close + 1);
    }
    let run = run(doc, first);
    (!run.is_empty()).then_some(run)
}

/// Whether a token is the `\` that keeps two words in one argument: `-Xcompiler\ -fPIC`.
fn is_escaped_blank(doc: &BuildFile<'_>, index: TokenIndex) -> bool {
    let next = doc.tokens.get(index + 1);
    doc.is(index, "\\")
        && is_joined(doc, index)
        && next.is_some_and(|next| next.has(flags::SPACE_BEFORE) && !next.has(flags::LINE_START))
}

/// Whether a token is the `;` between two items of a list of CMake: `-Xcompiler;-fPIC`.
pub(crate) fn parts_list(doc: &BuildFile<'_>, index: TokenIndex) -> bool {
    doc.tool == BuildTool::CMake
        && doc.is(index, ";")
        && is_joined(doc, index)
        && index + 1 < doc.tokens.len()
        && is_joined(doc, index + 1)
}

/// The options of nvcc that name NVIDIA's chips.
pub(crate) const CHIP_OPTIONS: &[&str] = &[
    "-arch",
    "--gpu-architecture",
    "-gencode",
    "--generate-code",
    "-code",
    "--gpu-code",
    "--gpu-name",
    "-gpu-name",
    "--cuda-gpu-arch",
];

/// The words that nvcc only hands on to the host's compiler: `-Xcompiler -arch=native`.
pub(crate) fn passed_on(doc: &BuildFile<'_>) -> FxHashSet<TokenIndex> {
    const PASSES: &[&str] = &["-Xcompiler", "--compiler-options"];
    let passing = words(doc).filter(|&at| PASSES.iter().any(|option| doc.is(at, option)));
    passing
        .filter_map(|at| argument(doc, at))
        .flatten()
        .collect()
}

/// Bytes of some tokens.
pub(crate) fn range_of(doc: &BuildFile<'_>, tokens: &Range<TokenIndex>) -> TextRange {
    doc.range(tokens.start, tokens.end.max(tokens.start + 1) - 1)
}

/// Whether the word is part of a text for people: in quotes, beside words that are no options, or in a here-document that is shown.
pub(crate) fn is_in_prose(doc: &BuildFile<'_>, index: TokenIndex) -> bool {
    let before = in_front(doc, index);
    let is_speech =
        before.is_speech && (before.in_text != [false; 2] || doc.tool == BuildTool::Make);
    is_speech || is_shown(doc, index)
}

/// Whether a word is an option of a command that compiles nothing, `tr -dc 'a-z'`, in a script, a rule of a Makefile or a step of a job.
pub(crate) fn is_of_plain_command(doc: &BuildFile<'_>, index: TokenIndex) -> bool {
    /// A command has no more words in front of an option.
    const MOST: usize = 40;
    if doc.tool == BuildTool::CMake {
        return false;
    }
    let commands = &name_lists().plain_commands;
    let begins = |at: TokenIndex| {
        let sign = doc.bytes(at);
        doc.tokens[at + 1].has(flags::LINE_START) && !doc.is(at, "\\")
            || matches!(
                sign,
                b"|" | b"||" | b"&&" | b"&" | b";" | b"(" | b"`" | b"@"
            )
    };
    let mut first = index;
    for _ in 0..MOST {
        match first.checked_sub(1) {
            Some(before) if !begins(before) => first = before,
            _ => break,
        }
    }
    first < index && commands.iter().any(|it| doc.is(first, it))
}

/// Whether a word stands in a text between quotes on its line that reads as a sentence: words of letters around it, none of them an option, an
/// assignment or a command of a shell.
pub(crate) fn is_in_quoted_sentence(doc: &BuildFile<'_>, index: TokenIndex) -> bool {
    const WORDS: usize = 3;
    const COMMANDS: &[&str] = &[
        "cat", "cd", "cp", "export", "find", "if", "ln", "ls", "make", "mkdir", "mv", "rm",
        "source", "sudo", "tar", "test",
    ];
    let Some((before, behind)) = text_around(doc, index) else {
        return false;
    };
    let is_sign = |byte: &u8| matches!(byte, b'=' | b'$' | b'&' | b'|' | b';' | b'<' | b'>');
    if before.iter().chain(behind).any(is_sign) {
        return false;
    }
    let text = [before, behind].map(|it| String::from_utf8_lossy(it).into_owned());
    let mut words = text.iter().flat_map(|it| it.split_whitespace());
    let is_command = words
        .clone()
        .next()
        .is_some_and(|it| COMMANDS.contains(&it));
    let has_option = words.clone().any(|it| it.starts_with('-'));
    let is_plain = |it: &&str| {
        let word = it.trim_matches(|letter: char| ".,:;!?()[]'`".contains(letter));
        !word.is_empty() && word.chars().all(char::is_alphabetic)
    };
    !is_command && !has_option && words.by_ref().filter(is_plain).count() >= WORDS
}

/// The text between quotes around a word, as far as it stands on its line: in front and behind.
pub(crate) fn text_around<'s>(
    doc: &BuildFile<'s>,
    index: TokenIndex,
) -> Option<(&'s [u8], &'s [u8])> {
    // A longer line is none that a person wrote.
    const LONGEST: usize = 2000;
    let bytes: &'s [u8] = &doc.source.bytes;
    let own = doc.tokens[index].range();
    let (start, end) = (own.start as usize, own.end as usize);
    let first = start.saturating_sub(LONGEST);
    let before = bytes[first..start].rsplit(|byte| *byte == b'\n').next()?;
    let mut open: Option<(u8, usize)> = None;
    for (at, byte) in before.iter().enumerate() {
        match (byte, open) {
            (b'"' | b'\'', None) => open = Some((*byte, at)),
            (byte, Some((quote, _))) if *byte == quote => open = None,
            _ => {}
        }
    }
    let (quote, opened) = open?;
    let rest = &bytes[end..bytes.len().min(end + LONGEST)];
    let length = rest
        .iter()
        .take_while(|byte| **byte != quote && **byte != b'\n')
        .count();
    Some((&before[opened + 1..], &rest[..length]))
}

/// Whether a word is a keyword of a command of CMake, such as `NAMES` or `LINK_LIBRARIES`: capitals, and not part of a text.
pub(crate) fn is_keyword(doc: &BuildFile<'_>, index: TokenIndex) -> bool {
    let word = doc.bytes(index);
    let is_capital = |byte: &u8| byte.is_ascii_uppercase() || *byte == b'_';
    word.len() > 2 && word.iter().all(is_capital) && !is_quoted(doc, index)
}

/// The blanks in front of the word that starts a line; `None` where something else stands there.
pub(crate) fn indent(doc: &BuildFile<'_>, index: TokenIndex) -> Option<String> {
    let start = doc.tokens[index].start;
    let line = doc
        .source
        .lines()
        .line_start(doc.source.line_col(start).line)?;
    let text = doc.source.text(TextRange::new(line, start)).into_owned();
    text.trim().is_empty().then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    /// The argument of `-x` in a file.
    fn argument_in(path: &str, text: &str) -> Option<String> {
        let source = SourceFile::new(path, text.as_bytes().to_vec());
        let doc = BuildFile::new(&source);
        let option = words(&doc)
            .find(|&at| doc.is(at, "-x"))
            .expect("the text has it");
        let tokens = argument(&doc, option)?;
        Some(source.text(range_of(&doc, &tokens)).into_owned())
    }

    #[test]
    fn an_argument_ends_with_its_word_or_that_of_a_function() {
        for (text, expected) in [
            ("A = -x one two", Some("one")),
            ("A = -x=one two", Some("one")),
            ("A = -x one,two", Some("one,two")),
            ("A = -x \"one two\" three", Some("\"one two\"")),
            ("A = -x $(B) c", Some("$(B)")),
            (
                "A = -x $(subst $(s),$(c),$(B) d) c",
                Some("$(subst $(s),$(c),$(B) d)"),
            ),
            ("A = -x $(subst $(s) c", Some("$(subst")),
            ("A = $(patsubst %,-x %,$(B))", Some("%")),
            ("A = $(foreach b,$(B),-x one,$(b))", Some("one,$(b)")),
            ("A = $(if $(B),-x one,-O2)", Some("one")),
            ("A = $(addprefix -x ,$(B))", None),
            ("A = (-x one)", Some("one")),
            ("A = -x", None),
        ] {
            let found = argument_in("Makefile", &format!("{text}\n"));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
