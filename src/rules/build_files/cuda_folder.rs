//! A folder of CUDA's toolkit in a build file.
//!
//! ## Why on AMD
//! `/usr/local/cuda` and `$(CUDA_HOME)` are not there on a machine with ROCm, or mean the wrong headers. ROCm lies in `/opt/rocm`, or
//! where `ROCM_PATH` says; hipcc knows its headers and libraries without `-I` and `-L`.
//!
//! ## Example
//! ```make
//! CFLAGS += -I$(CUDA_HOME)/include
//! ```
//! becomes
//! ```make
//! CFLAGS += -I$(or $(ROCM_PATH),/opt/rocm)/include -D__HIP_PLATFORM_AMD__
//! ```
//!
//! ## When to ignore
//! When the folder may be missing, as for `-I`. A question whether it is there, `[ -d /usr/local/cuda ]`, what stands behind a test for NVIDIA's driver, and what a script only hands on, `export CUDA_HOME="$CONDA_PREFIX"`, `export CUDA_HOME=/usr/local/cuda`,
//! are information.
//!
//! ## Source
//! ROCm 6.4, installation guide; HIPCC documentation.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::analysis::nvidia_modules::is_named_after_module;
use crate::build::hip_sources::folder_from;
use crate::build::machine_test::is_on_nvidias_machine;
use crate::build::words::{
    fix, is_in_prose, is_in_quoted_sentence, is_joined, line_of, range_of, run, words,
};
use crate::mapping::{BuildTable, name_lists};
use crate::options::Vendors;
use crate::python::{has_backends_for_both, names_other_accelerator};
use crate::rules::prelude::*;

/// Reports each name of such a folder once a file, and one a line.
pub static RULE: Rule = Rule {
    code: "CASS626",
    severity: Severity::Warning,
    fix: Some(Applicability::Review),
    // Behind those that take an argument away in which the name stands.
    priority: 55,
    facts: &[],
    checks: &[Check::BuildFile(check)],
};

/// What to do where a script fetches the toolkit.
const PACKAGES: &str =
    "install ROCm's packages in its place, from https://repo.radeon.com/rocm or the distribution";

fn check(cx: &mut BuildContext<'_, '_>) {
    let path = &cx.doc.source.path;
    if names_other_accelerator(path.rsplit('/').next().unwrap_or(path)) {
        return;
    }
    let mut told = BTreeSet::new();
    let mut addresses = BTreeSet::new();
    let replaced = options(cx);
    let found: Vec<TokenIndex> = words(cx.doc)
        .filter(|&at| names_folder(cx.doc, at) && !is_in_prose(cx.doc, at))
        .filter(|&at| !is_in_quoted_sentence(cx.doc, at) && !is_in_usage(cx.doc, at))
        .filter(|&at| !is_of_nvcc(cx.doc, at) && !is_unset(cx.doc, at))
        .filter(|&at| !is_below_sources(cx.doc, at))
        .filter(|at| !replaced.iter().any(|tokens| tokens.contains(at)))
        .collect();
    let of_torch = |word: &[u8]| matches!(word, b"cpp_extension" | b"CUDAExtension");
    // A list of CMake may ask PyTorch by a command, and its variables are its own.
    let is_script = cx.doc.tool == BuildTool::Other;
    let help = if is_script && cx.doc.has_word(of_torch) {
        "in PyTorch for ROCm this is None, and ROCM_HOME is set; test torch.version.hip"
    } else if cx.doc.source.path.ends_with(".py") {
        "ROCm is installed in /opt/rocm or ROCM_PATH: take its folders where they are"
    } else {
        "ROCm is installed in /opt/rocm or ROCM_PATH; hipcc finds its headers and libraries without -I and -L"
    };
    let mut last: Option<(u32, bool)> = None;
    for index in found {
        let range = cx.range(index);
        let word = whole_path(cx, index);
        if is_projects(cx.doc, &word) {
            continue;
        }
        // `CUDA_DIR = /usr/local/cuda`, `LD_LIBRARY_PATH=/usr/local/cuda/lib64:/usr/local/cuda/extras/CUPTI/lib64`: one finding for the name
        // and its values; where packages come from is another thing.
        let address = address(cx.doc, index);
        let is_address = address.is_some() || is_of_packages(&word);
        let is_of_line = last.is_some_and(|(end, was_address)| {
            let between = cx.doc.source.slice(TextRange::new(end, range.start));
            was_address == is_address && !between.contains(&b'\n')
        });
        if is_of_line || !told.insert(word.clone()) {
            continue;
        }
        last = Some((range.end, is_address));
        // An address with several of them is told once.
        if address.is_some_and(|start| !addresses.insert(start)) {
            continue;
        }
        let is_set = is_only_set(cx.doc, &word) || is_handed_on(cx.doc, index);
        let is_of_driver = word.ends_with("/compat");
        let (what, help) = match is_address {
            true => ("is where NVIDIA's packages come from", PACKAGES),
            false if is_of_driver => (
                "has the parts of a newer driver of NVIDIA's",
                "leave it out for AMD, whose driver is the kernel's; a folder that is not there does no harm",
            ),
            false if is_set => (
                "is set for programs that look for CUDA's toolkit, and nothing here reads it",
                "set ROCM_PATH beside it where one of them looks for ROCm",
            ),
            false => ("is a directory of the CUDA toolkit", help),
        };
        // What NVIDIA's half of a program needs is no lack of the other.
        let is_of_half = is_address && has_backends_for_both(&cx.doc.source.bytes);
        let is_weak = is_set
            || is_of_driver
            || is_looked_for(cx.doc, index)
            || is_on_nvidias_machine(cx.doc, index)
            || is_named_after_module(&cx.doc.source.path);
        let severity = match is_of_half || is_weak && !is_address {
            true => Severity::Info,
            false => RULE.severity,
        };
        let finding = RULE.finding(range, format!("`{word}` {what}"));
        cx.report(finding.severity(severity).help(help));
    }
}

/// Whether a script asks whether the folder is there, `[ -d /usr/local/cuda ]`, `[[ -x "$CUDA_HOME/bin/tool" ]]`, and goes on without.
fn is_looked_for(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    const TESTS: &[&[u8]] = &[b"-d", b"-e", b"-f", b"-x"];
    // A quote, `$` and `{` may stand in front of the word.
    let mut before = (at.saturating_sub(4)..at).rev();
    let marks: &[&[u8]] = &[b"\"", b"'", b"$", b"{"];
    let test = before.find(|&it| !marks.contains(&doc.bytes(it)));
    doc.tool == BuildTool::Shell && test.is_some_and(|it| TESTS.contains(&doc.bytes(it)))
}

/// Whether a path goes on from the project's own folder: `$(top_srcdir)/tests/include/cuda`.
fn is_below_sources(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    const ENDS: &[&str] = &["srcdir", "source_dir", "builddir", "binary_dir"];
    let is_behind_variable =
        at > 1 && is_joined(doc, at) && (doc.is(at - 1, ")") || doc.is(at - 1, "}"));
    is_behind_variable && {
        let name = String::from_utf8_lossy(doc.bytes(at - 2)).to_ascii_lowercase();
        ENDS.iter().any(|end| name.ends_with(end))
    }
}

/// Whether a script unsets a variable, `unset CUDA_HOME`.
fn is_unset(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    doc.tool == BuildTool::Shell && doc.is(line_of(doc, at), "unset")
}

/// The word at a place, and of a path that a variable goes on in all of it: `/usr/local/cuda-${RELEASE}/lib64`.
fn whole_path(cx: &BuildContext<'_, '_>, at: TokenIndex) -> String {
    let word = cx.text(at).into_owned();
    if !word.ends_with('-') {
        return word;
    }
    let text = cx.text_of(range_of(cx.doc, &run(cx.doc, at)));
    let end = text.find([':', '"', '\'']).unwrap_or(text.len());
    text[..end].to_owned()
}

/// `-I$(CUDA_HOME)/include` and `-L/usr/local/cuda/lib64`: those of ROCm, for compilers that are no hipcc. Reports them.
fn options(cx: &mut BuildContext<'_, '_>) -> Vec<std::ops::Range<TokenIndex>> {
    let rocm = match cx.doc.tool {
        BuildTool::Make => "$(or $(ROCM_PATH),/opt/rocm)",
        BuildTool::Shell => "${ROCM_PATH:-/opt/rocm}",
        _ => return Vec::new(),
    };
    let variables = variables(cx.doc);
    let is_option = |at: &TokenIndex| {
        let word = cx.doc.bytes(*at);
        word.starts_with(b"-I") || word.starts_with(b"-L")
    };
    let found: Vec<TokenIndex> = words(cx.doc)
        .filter(is_option)
        .filter(|&at| !is_in_prose(cx.doc, at))
        .collect();
    let mut replaced = Vec::new();
    for at in found {
        let mut tokens = run(cx.doc, at);
        let mut text = cx.text_of(range_of(cx.doc, &tokens)).into_owned();
        // `-I /usr/local/cuda/include`
        let is_apart = matches!(&*text, "-I" | "-L") && is_in_line(cx.doc, tokens.end);
        if is_apart {
            let folder = run(cx.doc, tokens.end);
            text += &cx.text_of(range_of(cx.doc, &folder));
            tokens.end = folder.end;
        }
        let range = range_of(cx.doc, &tokens);
        let Some(mut becomes) = of_rocm(&text, &variables, rocm) else {
            continue;
        };
        if is_apart {
            becomes.insert(2, ' ');
        }
        if cx.options().vendors == Vendors::Both && becomes.starts_with("-I") {
            becomes.insert_str(0, &format!("-I{} ", folder_from(&cx.doc.source.path)));
        }
        let message = format!("`{text}` becomes `{becomes}`");
        let Some(fix) = fix(
            cx.doc,
            Applicability::Review,
            vec![Edit::replace(range, becomes)],
        ) else {
            continue;
        };
        cx.report(
            RULE.finding(range, message)
                .fix(fix)
                .severity(Severity::Info),
        );
        replaced.push(tokens);
    }
    replaced
}

/// Whether a token is another word of the line of the one in front.
fn is_in_line(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    doc.tokens
        .get(at)
        .is_some_and(|token| !token.has(flags::LINE_START))
}

/// The option for ROCm's folder in place of one for that of CUDA.
fn of_rocm(text: &str, variables: &BTreeSet<String>, rocm: &str) -> Option<String> {
    let folder = text[2..].trim_matches('"');
    let is_quoted = text[2..].starts_with('"') && text.ends_with('"');
    let of_variable = || {
        let name = folder
            .strip_prefix("$(")
            .or_else(|| folder.strip_prefix("${"))?;
        let (name, rest) = name.split_once([')', '}'])?;
        variables.contains(name).then_some(rest)
    };
    let rest = of_variable().or_else(|| {
        let rest = folder
            .strip_prefix("/usr/local/cuda")
            .or_else(|| folder.strip_prefix("/opt/cuda"))?;
        let slash = rest.find('/')?;
        let is_release = rest[..slash]
            .bytes()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'.'));
        is_release.then_some(&rest[slash..])
    })?;
    let rest = rest.trim_end_matches('/');
    let quote = if is_quoted { "\"" } else { "" };
    match (&text[..2], rest) {
        ("-I", "/include") => Some(format!(
            "-I{quote}{rocm}/include{quote} -D__HIP_PLATFORM_AMD__"
        )),
        ("-L", "/lib64" | "/lib" | "/lib64/stubs") => Some(format!("-L{quote}{rocm}/lib{quote}")),
        _ => None,
    }
}

/// Variables that name the toolkit's folder: by their usual names, or by what the file sets them to.
fn variables(doc: &BuildFile<'_>) -> BTreeSet<String> {
    let set_to_cuda = |at: &TokenIndex| {
        let equals = (at + 1..at + 4).find(|&at| doc.is(at, "="));
        equals.is_some_and(|equals| {
            let value = doc
                .tokens
                .get(equals + 1)
                .map_or(&b""[..], |_| doc.bytes(equals + 1));
            value.starts_with(b"/usr/local/cuda") || value.starts_with(b"/opt/cuda")
        })
    };
    let named = words(doc)
        .filter(|at| doc.tokens[*at].has(flags::LINE_START))
        .filter(set_to_cuda);
    let own = name_lists()
        .toolkit_folders
        .iter()
        .filter(|name| !is_projects(doc, name));
    named
        .map(|at| String::from_utf8_lossy(doc.bytes(at)).into_owned())
        .chain(own.map(|name| (*name).to_owned()))
        .collect()
}

/// Whether the file gives the variable a folder of its own: `CUDA_PATH = device`.
fn is_projects(doc: &BuildFile<'_>, variable: &str) -> bool {
    let set = doc.fact(Variables::new);
    set.0.get(variable).copied().unwrap_or_default()
}

/// Whether a script does no more with a variable than to set it, or another one of the toolkit to it, to what a variable holds:
/// `export CUDA_HOME="$CONDA_PREFIX"`.
fn is_only_set(doc: &BuildFile<'_>, variable: &str) -> bool {
    let folders = &name_lists().toolkit_folders;
    if doc.tool != BuildTool::Shell || !folders.contains(&variable) {
        return false;
    }
    let text = String::from_utf8_lossy(&doc.source.bytes);
    let mut lines = text.lines().map(str::trim);
    lines.all(|line| {
        let line = line.strip_prefix("export ").unwrap_or(line).trim();
        let is_set = line.split_once('=').is_some_and(|(name, value)| {
            let value = value.trim_matches(['"', '\'']);
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_{}".contains(&byte);
            let of_variable = value.strip_prefix('$');
            folders.contains(&name) && of_variable.is_some_and(|it| it.bytes().all(is_name))
        });
        is_set || line.starts_with('#') || !line.contains(variable)
    })
}

/// Whether a script only gives the toolkit's folder to other programs by a variable, `export CUDA_DIRECTORY=/usr/local/cuda`: it reads the
/// variable nowhere but for an option of CMake's, `-DCUDA_DIRECTORY=$CUDA_DIRECTORY`.
fn is_handed_on(doc: &BuildFile<'_>, folder: TokenIndex) -> bool {
    // What the system and the linker look through, whoever starts the program.
    let is_searched = |name: &[u8]| name.ends_with(b"PATH") && !name.starts_with(b"CUDA");
    let starts = doc.tool == BuildTool::Shell && folder >= 3 && doc.is(folder - 3, "export");
    if !starts || !doc.is(folder - 1, "=") || is_searched(doc.bytes(folder - 2)) {
        return false;
    }
    // `/usr/local/cuda-${RELEASE}` is one word.
    let behind = run(doc, folder).end;
    let ends = doc
        .tokens
        .get(behind)
        .is_none_or(|it| it.has(flags::LINE_START) || doc.is(behind, ";"));
    let name = doc.bytes(folder - 2);
    let is_read = |at: TokenIndex| {
        let first = match doc.is_before(at, "{") {
            true => at - 1,
            false => at,
        };
        doc.is_before(first, "$")
    };
    let is_option = |at: TokenIndex| {
        // `-D`, the name, `=`, a quote, `$` and `{` stand in front.
        let mut before = (at.saturating_sub(6)..at).rev();
        before.any(|it| doc.bytes(it).starts_with(b"-D"))
    };
    // `$TOOLKIT/bin` is one word behind its sign.
    let is_name = |at: TokenIndex| {
        let rest = doc.bytes(at).strip_prefix(name);
        rest.is_some_and(|it| it.is_empty() || it.starts_with(b"/"))
    };
    let mut reads = words(doc).filter(|&at| is_name(at) && is_read(at));
    ends && reads.all(is_option)
}

/// The variables that lines of a file set, and whether each is always set to a folder of the project's own.
struct Variables(FxHashMap<String, bool>);

impl Variables {
    fn new(doc: &BuildFile<'_>) -> Self {
        let text = String::from_utf8_lossy(&doc.source.bytes);
        let mut set = FxHashMap::default();
        for line in text
            .lines()
            .map(str::trim)
            .filter(|line| line.contains('='))
        {
            let end = line.find(|byte: char| byte.is_whitespace() || ":?=".contains(byte));
            let (name, rest) = line.split_at(end.unwrap_or(line.len()));
            let rest = rest.trim_start().trim_start_matches([':', '?']);
            if let Some(value) = rest.strip_prefix('=') {
                *set.entry(name.to_owned()).or_insert(true) &= is_own_folder(value.trim());
            }
        }
        Self(set)
    }
}

fn is_own_folder(value: &str) -> bool {
    !value.is_empty()
        && !value.starts_with('/')
        && !value.contains('$')
        && !value.to_ascii_lowercase().contains("cuda")
}

fn names_folder(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let word = doc.bytes(at);
    let is_path = memchr::memmem::find(word, b"/cuda").is_some_and(|start| {
        let rest = &word[start + 5..];
        matches!(rest.first(), None | Some(b'/' | b'-' | b'.')) && word.starts_with(b"/")
            || word.starts_with(b"-I/usr/local/cuda")
            || word.starts_with(b"-L/usr/local/cuda")
    });
    is_path && !is_file(word) && !is_below_project(doc, at)
        || name_lists()
            .toolkit_folders
            .iter()
            .any(|name| doc.is(at, name))
        || is_searched(doc, at)
}

/// Whether a path goes on from a folder of the project's: `${CMAKE_CURRENT_SOURCE_DIR}/../algebra/cuda`.
fn is_below_project(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    const FOLDERS: &[&[u8]] = &[
        b"SOURCE_DIR",
        b"BINARY_DIR",
        b"LIST_DIR",
        b"CURDIR",
        b"SRCDIR",
    ];
    let follows = is_joined(doc, at) && (doc.is_before(at, "}") || doc.is_before(at, ")"));
    let is_known = |name: &[u8]| FOLDERS.iter().any(|folder| name.ends_with(folder));
    let climbs = memchr::memmem::find(doc.bytes(at), b"/..").is_some();
    follows && at > 1 && (climbs || is_known(doc.bytes(at - 2)))
}

/// Whether a path ends in a file of the project's own, `/config/cuda.am`, and in no library.
fn is_file(path: &[u8]) -> bool {
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
    let dot = name.iter().rposition(|&byte| byte == b'.');
    let ending = dot.map_or(&b""[..], |dot| &name[dot + 1..]);
    !ending.is_empty()
        && ending.iter().all(u8::is_ascii_lowercase)
        && !matches!(ending, b"so" | b"a")
}

/// Whether a path is one of the package manager's, or of what NVIDIA's packages leave for it: `/etc/apt/preferences.d/cuda-repository-pin-600`.
fn is_of_packages(path: &str) -> bool {
    const FOLDERS: &[&str] = &["/etc/apt/", "/etc/yum", "/etc/zypp/", "/var/cuda-repo"];
    FOLDERS.iter().any(|folder| path.starts_with(folder))
}

/// How far in front of a path its address may begin, in bytes: what is put between makes addresses of no more than a few hundred.
const LONGEST_ADDRESS: usize = 400;

/// Where an address begins, `https://developer.download.nvidia.com/…`, that a path is the rest of, or goes on in behind a name:
/// `https://x.org/{v}/cuda-{v}`.
fn address(doc: &BuildFile<'_>, at: TokenIndex) -> Option<usize> {
    let start = doc.tokens[at].range().start as usize;
    let before = &doc.source.bytes[start.saturating_sub(LONGEST_ADDRESS)..start];
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`(;,".contains(byte);
    let first = before.iter().rposition(is_end).map_or(0, |end| end + 1);
    let word = &before[first..];
    let begins = word.ends_with(b":") && doc.bytes(at).starts_with(b"//");
    let goes_on = memchr::memmem::find(word, b"://").is_some();
    (begins || goes_on).then_some(start - word.len())
}

/// `-I$(CUDATKDIR)/include`, `-L${CUDA_LIBDIR}`: a variable of whatever name that says CUDA, where a compiler looks for files.
fn is_searched(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let is_cudas = doc.bytes(at).starts_with(b"CUDA")
        && BuildTable::builtin()
            .cmake(&doc.source.text(doc.tokens[at].range()))
            .is_none();
    // The project's own code for CUDA.
    const OWN: &[&[u8]] = &[b"SRC", b"SOURCE", b"OBJ", b"KERNEL", b"TEST"];
    let is_own = OWN
        .iter()
        .any(|part| memchr::memmem::find(doc.bytes(at), part).is_some());
    let opens = |at: TokenIndex| doc.is(at, "(") || doc.is(at, "{");
    let is_option = |at: TokenIndex| doc.is(at, "-I") || doc.is(at, "-L") || doc.is(at, "-isystem");
    is_cudas && !is_own && at >= 3 && opens(at - 1) && doc.is(at - 2, "$") && is_option(at - 3)
}

/// Whether a script shows the line to people: it stands between `cat <<EOF` and `EOF`, and goes to no file.
fn is_in_usage(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    /// A text that is longer is no help for people.
    const LONGEST: usize = 8000;
    if doc.tool != BuildTool::Shell {
        return false;
    }
    let start = doc.tokens[at].start as usize;
    let before = &doc.source.bytes[start.saturating_sub(LONGEST)..start];
    let Some(opened) = memchr::memmem::rfind(before, b"<<") else {
        return false;
    };
    let line = before[..opened].rsplit(|byte| *byte == b'\n').next();
    let mut lines = before[opened + 2..].split(|byte| *byte == b'\n');
    let mark = lines.next().unwrap_or_default();
    let word = mark.trim_ascii().trim_ascii_start();
    let word = word.strip_prefix(b"-").unwrap_or(word).trim_ascii();
    let is_sign = |byte: &u8| matches!(byte, b'"' | b'\'');
    let word: Vec<u8> = word.iter().copied().filter(|it| !is_sign(it)).collect();
    let is_shown = line.is_some_and(|it| it.trim_ascii() == b"cat")
        && !word.is_empty()
        && word
            .iter()
            .all(|it| it.is_ascii_alphanumeric() || *it == b'_');
    is_shown && !lines.any(|line| line.trim_ascii() == word)
}

/// Whether the folder is part of a path to nvcc, which goes as a whole.
fn is_of_nvcc(doc: &BuildFile<'_>, at: TokenIndex) -> bool {
    let behind = run(doc, at);
    let mut rest = (behind.start..behind.end + 3).take_while(|&at| at < doc.tokens.len());
    rest.any(|at| doc.bytes(at).ends_with(b"/nvcc"))
}
