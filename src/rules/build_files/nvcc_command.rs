//! The compiler nvcc in a build file.
//!
//! ## Why on AMD
//! `hipcc` takes nvcc's place in commands: it finds ROCm's headers, links the runtime, and compiles `.cu` files as HIP. CMake's HIP
//! language calls clang itself and needs no wrapper.
//!
//! ## Example
//! ```make
//! NVCC = $(CUDA_HOME)/bin/nvcc
//! ```
//! becomes
//! ```make
//! NVCC = hipcc
//! ```
//!
//! hipcc is a word that PATH finds: `$(wildcard $(NVCC))` asks for it by `$(shell which $(NVCC))`, and other tests for a file, the folder of
//! it, and lines that take its version apart give a finding. A question in front of such lines alone, `command -v nvcc`, stays with them.
//!
//! ## When to ignore
//! When the build picks its compiler elsewhere, or builds for NVIDIA as well. PyTorch's builds call the options of hipcc "nvcc" too.
//!
//! ## Source
//! HIPCC documentation (ROCm 6.4); CMake 3.21, `CMAKE_HIP_COMPILER`; 317 of HeCBench's hand-ported makefiles.

use crate::analysis::nvidia_modules::is_named_after_module;
use crate::build::amd_tools::is_script_for_both;
use crate::build::cmake::chooses_compiler;
use crate::build::command::{Command, command_around};
use crate::build::compiler_variable::{Use, is_nvcc, reads_release, uses};
use crate::build::hip_sources::folder_from;
use crate::build::release_probe::{asks_for_probe, is_asked_again};
use crate::build::words::{fix, is_in_prose, is_joined, line_of, words};
use crate::options::Vendors;
use crate::rules::prelude::*;
use crate::text::keywords::is_keyword;

/// Writes hipcc.
pub static RULE: Rule = Rule {
    code: "CASS620",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    // Behind those that take an argument away in which the name stands.
    priority: 55,
    facts: &[Fact::ReadsCommands],
    checks: &[Check::BuildFile(check)],
};

fn check(cx: &mut BuildContext<'_, '_>) {
    let lists = match cx.doc.tool {
        BuildTool::CMake => cx.doc.commands(),
        _ => &[],
    };
    let found: Vec<TokenIndex> = words(cx.doc)
        .filter(|&at| {
            is_nvcc(cx.doc.bytes(at)) && !is_in_prose(cx.doc, at) && !is_speaker(cx.doc, at)
        })
        .filter(|&at| !is_torchs_key(cx.doc, at) && !is_name_of_download(cx.doc, at))
        .filter(|&at| !is_name_or_sentence(cx.doc, at))
        .filter(|&at| !is_left_out(cx.doc, lists, at))
        .collect();
    // `install_deep_gemm.sh`: what it installs is not for AMD.
    let is_for_module = is_named_after_module(&cx.doc.source.path);
    for index in found {
        let path = with_folder(cx.doc, index);
        let range = cx.doc.range(path, index);
        let finding = RULE.finding(range, "nvcc does not target AMD; use hipcc");
        let edits = hipcc(cx, range, index);
        let fix = fix(cx.doc, Applicability::Safe, edits).filter(|_| !is_a_file(cx.doc, path));
        let finding = match fix {
            _ if is_script_for_both(cx.doc) => finding
                .severity(Severity::Info)
                .help("the script asks for AMD's tools as well, and is left as it is"),
            _ if is_pattern(cx.doc, index) && reads_release(cx.doc, index, false) => {
                finding.help(RELEASE)
            }
            _ if asks_for_probe(cx.doc, index) => finding
                .severity(Severity::Info)
                .help("what stands behind reads CUDA's release and stays, and so does the question in front of it"),
            _ if is_asked_again(cx.doc, index) => finding.severity(Severity::Info).help(RELEASE),
            // With hipcc in its place the line would go on without a word, and without a number.
            Some(_) if reads_release(cx.doc, index, true) => finding.help(RELEASE),
            Some(fix) if cx.doc.tool != BuildTool::CMake => {
                finding.fix(fix).severity(Severity::Info)
            }
            // Where a program looks for it as a file is told by what it does with the answer.
            _ if cx.doc.source.path.ends_with(".py") => finding
                .severity(Severity::Info)
                .help("call hipcc where torch.version.hip is set or HIP_PATH or ROCM_PATH is"),
            _ => finding
                .help("CMake's HIP language finds its compiler, amdclang++; elsewhere call hipcc"),
        };
        cx.report(match is_for_module {
            true => finding.severity(Severity::Info),
            false => finding,
        });
    }
    check_variables(cx);
}

/// Variables that hold nvcc and are used otherwise than to call it: as a file, for its folder, for what it says of its release.
fn check_variables(cx: &mut BuildContext<'_, '_>) {
    // A script stays NVIDIA's beside another one for AMD.
    let is_left = cx.options().vendors == Vendors::Both && cx.doc.tool == BuildTool::Shell;
    if is_left || is_script_for_both(cx.doc) {
        return;
    }
    for (at, used) in uses(cx.doc) {
        let name = cx.text(at).into_owned();
        let (message, help) = match used {
            Use::Release => (
                format!(
                    "hipcc takes the place of nvcc in `{name}`, and says nothing of a release of CUDA"
                ),
                RELEASE,
            ),
            Use::Folder => (
                format!(
                    "`{name}` becomes hipcc, a word that is found in PATH, which has no folder"
                ),
                FOLDER,
            ),
            Use::File | Use::Wildcard(_) => (
                format!(
                    "`{name}` becomes hipcc, a word that is found in PATH, and no file of that name is there"
                ),
                FILE,
            ),
        };
        let finding = RULE.finding(cx.range(at), message);
        let fix = match used {
            Use::Wildcard(function) if cx.options().vendors != Vendors::Both => {
                let edits = vec![Edit::replace(cx.range(function), "shell which")];
                fix(cx.doc, Applicability::Safe, edits)
            }
            _ => None,
        };
        cx.report(match fix {
            Some(fix) => finding.severity(Severity::Info).fix(fix),
            None => finding.help(help),
        });
    }
}

const FILE: &str =
    "ask `command -v hipcc`, in a Makefile `$(shell which hipcc)`, or write /opt/rocm/bin/hipcc";
const FOLDER: &str = "write /opt/rocm/bin, or ask for the folder of what `which hipcc` says";

/// Whether the word is who speaks in a line that a script writes or looks for: `nvcc: NVIDIA (R) Cuda compiler driver`.
fn is_speaker(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    doc.tool == BuildTool::Shell && doc.is(at, "nvcc") && doc.next_is(at, ":")
}

/// Whether the word is the compiler that CMake is told for CUDA, a line that goes as a whole.
fn is_left_out(doc: &BuildFile<'_>, lists: &[Command], at: TokenIndex) -> bool {
    command_around(lists, at).is_some_and(|command| chooses_compiler(doc, command))
}

const RELEASE: &str = "hipcc prints `HIP version: 6.4`, and no `release` of CUDA: read that, or leave the comparison out";

/// Whether the word is a pattern of a shell that a compiler's name is held against: `*"nvcc"*`.
fn is_pattern(doc: &BuildFile<'_>, index: TokenIndex) -> bool {
    let bytes = &doc.source.bytes;
    let before = &bytes[..doc.tokens[index].start as usize];
    let before = before.strip_suffix(b"\"").unwrap_or(before);
    before.ends_with(b"*") || doc.bytes(index).starts_with(b"*")
}

/// The compiler for AMD. Where the sources stay as they are for NVIDIA, it is told which headers lead CUDA's names to HIP's: behind
/// its name, or behind the `$(shell which nvcc)` that finds it.
fn hipcc(cx: &BuildContext<'_, '_>, range: TextRange, index: TokenIndex) -> Vec<Edit> {
    if cx.options().vendors != Vendors::Both {
        return vec![Edit::replace(range, "hipcc")];
    }
    let folder = folder_from(&cx.doc.source.path);
    let options = format!(" -DUSE_ROCM -I{folder} -include cass_cuda_shim.h");
    let asks = |word| cx.doc.is_before(index, word);
    if !(asks("which") || asks("-v") || asks("type")) {
        return vec![Edit::replace(range, format!("hipcc{options}"))];
    }
    let mut edits = vec![Edit::replace(range, "hipcc")];
    if cx.doc.next_is(index, ")") {
        edits.push(Edit::insert(cx.range(index + 1).end, options));
    }
    edits
}

/// Whether the word is the key under which PyTorch's build takes options for the device compiler, whoever makes it:
/// `extra_compile_args["nvcc"]`, `{"cxx": [], "nvcc": []}`.
fn is_torchs_key(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let bytes = &doc.source.bytes;
    let range = doc.tokens[at].range().as_usize();
    let quote = range.start.checked_sub(1).map(|before| bytes[before]);
    let behind = bytes.get(range.end).copied();
    let is_quoted = matches!(quote, Some(b'"' | b'\'')) && quote == behind;
    let of_torch = |word: &[u8]| matches!(word, b"cpp_extension" | b"CUDAExtension");
    is_quoted && doc.source.path.ends_with(".py") && doc.has_word(of_torch)
}

/// Whether the word says in a script of Python what something is called, and runs nothing: `download(name="nvcc", …)`.
fn is_name_of_download(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let before = &doc.source.bytes[..doc.tokens[at].start as usize];
    let unquoted = before.strip_suffix(b"\"").or(before.strip_suffix(b"'"));
    doc.source.path.ends_with(".py") && unquoted.is_some_and(|it| it.ends_with(b"name="))
}

/// Whether the word is a variable of a script of Python, `nvcc = find()`, or stands in a sentence, `"found no nvcc in {paths}"`.
fn is_name_or_sentence(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    if !doc.source.path.ends_with(".py") {
        return false;
    }
    let bytes = &doc.source.bytes;
    let range = doc.tokens[at].range().as_usize();
    let line = bytes[..range.start].rsplit(|byte| *byte == b'\n').next();
    let quotes = line
        .unwrap_or_default()
        .iter()
        .filter(|byte| matches!(byte, b'"' | b'\''));
    let behind = bytes[range.end..]
        .strip_prefix(b" ")
        .and_then(<[u8]>::first);
    quotes.count() % 2 == 0 || behind.is_some_and(u8::is_ascii_lowercase)
}

/// The first token of the path that ends with the word: `$(CUDA_HOME)/bin/nvcc`.
fn with_folder(doc: &BuildFile<'_>, last: TokenIndex) -> TokenIndex {
    let mut first = last;
    // `$(Q)$(CUDA)/bin/nvcc`: what stands in front of the path is no part of it.
    let starts_path =
        |at: TokenIndex| doc.is(at, "$") && (doc.is(at - 1, ")") || doc.is(at - 1, "}"));
    while first > 0
        && doc.bytes(last) != b"nvcc"
        && is_joined(doc, first)
        && (doc.is_ident(first - 1)
            || matches!(doc.bytes(first - 1), b"$" | b"(" | b")" | b"{" | b"}"))
    {
        if first < last && starts_path(first) {
            break;
        }
        first -= 1;
    }
    first
}

/// Whether the line deals with nvcc as a file: a test, a link, a copy. A program of another name is no such file.
fn is_a_file(doc: &BuildFile<'_>, index: TokenIndex) -> bool {
    const WORDS: &[&[u8]] = &[
        b"-f",
        b"-x",
        b"-e",
        b"-s",
        b"-h",
        b"-L",
        b"ln",
        b"cp",
        b"mv",
        b"rm",
        b"wildcard",
        b"EXISTS",
    ];
    let is_path = !doc.is(index, "nvcc");
    let is_used = (line_of(doc, index)..index).any(|at| WORDS.contains(&doc.bytes(at)));
    is_path && (is_used || doc.tool == BuildTool::Shell && !is_called(doc, index))
}

/// Whether a shell calls the path that begins at a token, or takes it as a value: it is no argument of another command,
/// `chmod +x "$dir/nvcc"`.
fn is_called(doc: &BuildFile<'_>, index: TokenIndex) -> bool {
    // What ends a command, or takes one as its argument.
    const IN_FRONT: &[&[u8]] = &[
        b"=", b";", b"&", b"|", b"&&", b"||", b"(", b"`", b"{", b"!", b"then", b"exec", b"time",
        b"env", b"ccache",
    ];
    let is_quote = |at: TokenIndex| matches!(doc.bytes(at), b"\"" | b"'");
    let first = index - usize::from(index > 0 && is_quote(index - 1));
    // A quote may end the line before.
    if first <= line_of(doc, index) {
        return true;
    }
    let before = doc.bytes(first - 1);
    // `do`, `else`, `if` and `while` are keywords of both languages.
    IN_FRONT.contains(&before)
        || is_keyword(before)
        || matches!(before, b"-" | b"-c" | b"-v")
        || before.ends_with(b"=")
}
