//! Programs in languages that are not translated: whether they call CUDA's libraries by their names in C.

use crate::engine::route::has_comments;
use crate::engine::suppression::Suppressions;
use crate::engine::verdict::judge::{Judge, without_comments};
use crate::engine::{FileOutcome, Session, cuda_fortran};
use crate::mapping::{ApiTable, BuildTable, name_lists};
use crate::project::owner::Owner;
use crate::rules::{Event, Named, notice};
use crate::text::{Caller, SourceFile, TextRange};

/// What is said of a program: its first call of a function of CUDA, and how many there are. Nothing where the project itself sees to AMD.
pub(super) fn outcome(source: &SourceFile, caller: Caller, session: &Session) -> FileOutcome {
    let around = session.around(source);
    let calls = calls(source, caller, &session.table);
    let Some(&first) = calls
        .first()
        .filter(|_| around.support.owner(&source.path) == Owner::Ours)
    else {
        return FileOutcome::default();
    };
    let found = notice(&Event::ForeignCalls {
        name: String::from_utf8_lossy(source.slice(first)).into_owned(),
        range: first,
        calls: calls.len(),
        caller,
        named: named(source, caller, first),
    });
    let settings = session.rules.of(&source.path);
    let findings = match has_comments(source) {
        true => {
            let mut judge = Judge::new(&around.reading, &settings, &session.options.targets);
            let mut admitted = judge.admit(&around.reading, [found]);
            admitted.extend(judge.about_comments(&around.reading));
            admitted
        }
        false => without_comments(vec![found], &settings),
    };
    FileOutcome {
        suppressed: Suppressions::count(&findings),
        findings,
        is_cuda: true,
        ..FileOutcome::default()
    }
}

/// The names of CUDA's functions that stand in front of parentheses or, as a symbol, behind a colon: `C.cuInit(0)`, `ccall(:cuInit, …)`.
/// Comments are left out; the lines of C in front of `import "C"` are comments to Go, whose calls tell the same.
fn calls(source: &SourceFile, caller: Caller, table: &ApiTable) -> Vec<TextRange> {
    let links = source.path.ends_with("build.rs");
    let mut calls = Vec::new();
    let mut start = 0;
    for line in source.bytes.split_inclusive(|byte| *byte == b'\n') {
        let code = without_comment(line, caller);
        calls.extend(
            words(code)
                .filter(|&(from, to)| {
                    is_call(code, from, to, table) && (links || !is_own_choice(code, from, to))
                        || caller == Caller::Rust && is_linked(code, from, to)
                        || links && is_folder(code, from, to)
                        || caller == Caller::Fortran && cuda_fortran::is_mark(code, from, to)
                })
                .map(|(from, to)| TextRange::new((start + from) as u32, (start + to) as u32)),
        );
        start += line.len();
    }
    calls
}

/// Where Rust names the first of them in a text: what is called stands in none.
fn named(source: &SourceFile, caller: Caller, first: TextRange) -> Option<Named> {
    const QUESTIONS: &[&str] = &[
        "CARGO_FEATURE_",
        "cfg!(feature",
        "#[cfg(feature",
        "has_library(",
        ".exists()",
        ".is_file()",
        "find_library(",
    ];
    let before = source.bytes[..first.start as usize].last();
    let is_text =
        caller == Caller::Rust && before.is_some_and(|it| matches!(it, b'"' | b'\'' | b'=' | b'/'));
    let has = |text: &&str| memchr::memmem::find(&source.bytes, text.as_bytes()).is_some();
    let speaks_of_link = |at: u32| {
        let before = source.bytes[..at as usize]
            .rsplit(|byte| *byte == b'\n')
            .next();
        before.is_some_and(|it| memchr::memmem::find(it, b"link").is_some())
    };
    is_text.then(|| match source.path.ends_with("build.rs") {
        true => Named::InBuild {
            asks_first: QUESTIONS.iter().any(has),
        },
        false if speaks_of_link(first.start) => Named::Library,
        false => Named::Text,
    })
}

/// Where each word of a line begins and ends.
fn words(line: &[u8]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let is_word = |at: usize| {
        line.get(at)
            .is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'_')
    };
    let starts = (0..line.len()).filter(move |&at| is_word(at) && (at == 0 || !is_word(at - 1)));
    starts.map(move |from| {
        (
            from,
            (from..).find(|&at| !is_word(at)).unwrap_or(line.len()),
        )
    })
}

fn is_call(line: &[u8], from: usize, to: usize, table: &ApiTable) -> bool {
    let word = &line[from..to];
    let behind = line[to..].trim_ascii_start().first();
    let is_symbol = from > 0 && matches!(line[from - 1], b':' | b'"' | b'\'');
    (behind == Some(&b'(') || is_symbol)
        && table
            .get(word)
            .is_some_and(|hit| hit.entry.tells_by_itself())
}

/// Whether a word is a library of CUDA's that a line of Rust links: `cargo:rustc-link-lib=dylib=cudart`, `#[link(name = "cublas")]`.
fn is_linked(line: &[u8], from: usize, to: usize) -> bool {
    let is_begun = from > 0 && matches!(line[from - 1], b'=' | b'"');
    let is_ended = matches!(line.get(to), Some(b'"' | b'\\'));
    let is_library = || {
        let name = std::str::from_utf8(&line[from..to]).ok();
        name.is_some_and(|name| BuildTable::builtin().library(name).is_some())
    };
    is_begun && is_ended && says(line, "link") && is_library()
}

/// Whether a word of a build script says where CUDA is installed: `env::var("CUDA_HOME")`,
/// `cargo:rustc-link-search=/usr/local/cuda/lib64`.
fn is_folder(line: &[u8], from: usize, to: usize) -> bool {
    let word = &line[from..to];
    let is_variable = || {
        let homes = name_lists().toolkit_folders.iter();
        let mut homes = homes.map(|home| home.as_bytes());
        homes.any(|home| home == word)
    };
    let is_text = from > 0 && line[from - 1] == b'"' && line.get(to) == Some(&b'"');
    let is_searched = || from > 0 && line[from - 1] == b'/' && says(line, "rustc-link-search");
    is_text && is_variable() || word == b"cuda" && is_searched()
}

fn says(line: &[u8], word: &str) -> bool {
    memchr::memmem::find(line, word.as_bytes()).is_some()
}

/// Whether `"cuda"` is a choice of the program's own, `feature = "cuda"`, `device == "cuda"`, and no library that it is linked with.
fn is_own_choice(line: &[u8], from: usize, to: usize) -> bool {
    let is_text = from > 0 && matches!(line[from - 1], b'"' | b'\'');
    &line[from..to] == b"cuda" && is_text && !says(line, "link")
}

/// A line up to its comment. A sign within a string ends it as well: what is called stands in front of its strings.
fn without_comment(line: &[u8], caller: Caller) -> &[u8] {
    let sign: &[u8] = match caller {
        Caller::Go | Caller::Rust => b"//",
        Caller::Cython | Caller::Julia => b"#",
        Caller::Fortran => return cuda_fortran::without_comment(line),
    };
    let end = memchr::memmem::find(line, sign).unwrap_or(line.len());
    &line[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_found_in_code_alone() {
        let table = ApiTable::builtin();
        for (caller, text, expected) in [
            (Caller::Go, "C.cuMemAlloc(&p, n) // cuMemFree(p)\n", 1),
            (
                Caller::Go,
                "func cudaCores() int { return cudaCount() }\n",
                0,
            ),
            (
                Caller::Cython,
                "    int cudaMalloc(void **p, size_t n)\n# cudaFree(p)\n",
                1,
            ),
            (
                Caller::Fortran,
                "  ierr = cudaMalloc(p, n) ! cudaFree(p)\n",
                1,
            ),
            (Caller::Fortran, "  bind(c, name='cudaFree')\n", 1),
            (
                Caller::Fortran,
                "use cudafor\nattributes(global) subroutine k(a)\n! use cudafor\n",
                2,
            ),
            (Caller::Rust, "unsafe { cublasCreate_v2(&mut h) };\n", 1),
            (
                Caller::Julia,
                "ccall((:cuInit, libcuda), Cint, (Cint,), 0)\n",
                1,
            ),
            (Caller::Julia, "x = cuda_array(y)\n", 0),
            (Caller::Go, "C.nvmlInit_v2()\n", 1),
            (Caller::Rust, "#[cfg(feature = \"cuda\")]\n", 0),
            (Caller::Rust, "#[link(name = \"cuda\")]\n", 1),
            (
                Caller::Rust,
                "#[link(name = \"cublas\", kind = \"dylib\")]\n",
                1,
            ),
            (Caller::Rust, "#[link(name = \"m\")]\n", 0),
            (Caller::Rust, "let home = env::var(\"CUDA_HOME\");\n", 0),
        ] {
            let source = SourceFile::new("lib", text.as_bytes().to_vec());
            assert_eq!(calls(&source, caller, &table).len(), expected, "{text}");
        }
    }

    #[test]
    fn build_scripts_of_rust_name_libraries_and_folders() {
        let table = ApiTable::builtin();
        for (text, expected) in [
            ("println!(\"cargo:rustc-link-lib=cudart\");\n", 1),
            ("println!(\"cargo::rustc-link-lib=dylib=cublas\");\n", 1),
            (
                "println!(\"cargo:rustc-link-lib=static=cudart_static\");\n",
                1,
            ),
            (
                "println!(\"cargo:rustc-link-search=native=/usr/local/cuda/lib64\");\n",
                1,
            ),
            (
                "println!(\"cargo:rustc-link-lib=cudart\\ncargo:rerun-if-changed=a\");\n",
                1,
            ),
            ("env::var(\"CUDA_PATH\").unwrap();\n", 1),
            ("println!(\"cargo:rustc-link-lib=stdc++\");\n", 0),
            ("println!(\"cargo:rerun-if-changed=src/cuda/a.c\");\n", 0),
            (
                "println!(\"cargo:rustc-link-search=native=/opt/rocm/lib\");\n",
                0,
            ),
        ] {
            let source = SourceFile::new("build.rs", text.as_bytes().to_vec());
            assert_eq!(
                calls(&source, Caller::Rust, &table).len(),
                expected,
                "{text}"
            );
        }
    }
}
