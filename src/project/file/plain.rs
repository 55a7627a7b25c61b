//! What a file without CUDA brings to its includers, from its directives alone.

use rustc_hash::FxHashSet;

use super::clashes::clashes;
use super::vectors::VectorNames;
use super::{FileIndex, RUNTIME_HEADER, called_helpers};
use crate::cpp::coined::words_by_form;
use crate::cpp::lanes::names_size;
use crate::cpp::namespaces::{self, Inner};
use crate::cpp::std_names::{declares_global, is_std_name, may_declare_std_name, may_open_std};
use crate::mapping::name_lists;
use crate::syntax::Document;
use crate::text::SourceFile;
use crate::text::number::integer;

impl FileIndex {
    /// Collects what a file without CUDA brings to its includers: what it includes, and macros that are numbers. Reads directives only,
    /// which is several times as fast as a document; of conditions only the depth is looked at.
    pub(crate) fn of_plain(bytes: &[u8]) -> Self {
        let mut index = Self {
            // A file that may speak of HIP is read for the figures.
            plain_bytes: (!may_speak_of_hip(bytes)
                && !may_hold_std_constants(bytes)
                && !may_hold_clashing_names(bytes)
                && !specialises(bytes)
                && !defines_apart(bytes))
            .then_some(bytes.len() as u64),
            coined: words_by_form(bytes),
            helpers: called_helpers(bytes),
            names_hip: names_hip(bytes),
            inner_namespaces: inner_namespaces(bytes),
            is_program: memchr::memmem::find(bytes, b" main(").is_some(),
            opens_std: may_open_std(bytes),
            std_names: std_names(bytes),
            vectors: VectorNames::of_plain(bytes),
            ..Self::default()
        };
        let mut depth = Depth::default();
        for at in memchr::memchr_iter(b'#', bytes) {
            let starts_line = bytes[..at]
                .iter()
                .rev()
                .take_while(|byte| **byte != b'\n')
                .all(u8::is_ascii_whitespace);
            if starts_line {
                let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |end| at + end);
                let line = String::from_utf8_lossy(&bytes[at + 1..end]);
                depth.step(line.trim_start());
                index.add_plain_directive(&line, &depth);
            }
        }
        index
    }

    fn add_plain_directive(&mut self, line: &str, depth: &Depth) {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("include") {
            let path = rest
                .trim_start()
                .strip_prefix(['"', '<'])
                .and_then(|path| path.split(['"', '>']).next());
            let path = path.map(|path| path.replace('\\', "/"));
            let sure = path.clone().filter(|_| depth.is_sure());
            self.has_runtime |= sure.as_deref() == Some(RUNTIME_HEADER);
            self.sure_includes.extend(sure);
            self.includes.extend(path);
        } else if let Some(rest) = line.strip_prefix("define") {
            if clashes(rest.trim_start().as_bytes()) {
                self.includes_before_macro
                    .get_or_insert(self.includes.len());
            }
            let name = rest
                .trim_start()
                .split(|c: char| !c.is_alphanumeric() && c != '_');
            if let Some(name) = name.into_iter().next()
                && text_has_comma(&rest.trim_start()[name.len()..])
            {
                self.lists.insert(name.as_bytes().into());
            }
            if !rest.trim().contains([' ', '\t', '(']) {
                self.flags.insert(rest.trim().as_bytes().into());
            }
            if let Some((name, text)) = rest.trim_start().split_once([' ', '\t']) {
                let text = text.split("//").next().unwrap_or_default();
                self.add_expression(name.as_bytes(), text.trim().as_bytes());
            }
            let mut words = rest.split_whitespace();
            if let (Some(name), Some(value)) = (words.next(), words.next())
                && let Some(value) = integer(value.trim_matches(['(', ')']).as_bytes())
            {
                let before = self.constants.insert(name.as_bytes().into(), value);
                self.warps.says_wavefront |= names_size(name.as_bytes())
                    && matches!((before, value), (Some(32), 64) | (Some(64), 32));
            }
        }
    }
}

/// The namespaces called like a library of CUDA that a file without CUDA has: read as a document only where there may be one.
fn inner_namespaces(bytes: &[u8]) -> Vec<Inner> {
    let names = |text: &str| memchr::memmem::find(bytes, text.as_bytes()).is_some();
    let has_cuda = || names("namespace cuda") || names("::cuda");
    let has_any = || ["cub", "thrust", "nvtx3", "cudf"].into_iter().any(names) || has_cuda();
    if !names("namespace") || !has_any() {
        return Vec::new();
    }
    let source = SourceFile::new("a.h", bytes.to_vec());
    namespaces::inner(&Document::new(&source))
}

/// The types of a file without CUDA that are called like something of `std`: read as a document only where there may be one.
fn std_names(bytes: &[u8]) -> FxHashSet<Box<[u8]>> {
    if !may_declare_std_name(bytes) {
        return FxHashSet::default();
    }
    let source = SourceFile::new("a.h", bytes.to_vec());
    let document = Document::new(&source);
    let names = document.each_word();
    let names = names.filter(|(word, places)| {
        is_std_name(word) && places.clone().any(|at| declares_global(&document, at))
    });
    names.map(|(word, _)| word.into()).collect()
}

/// Whether bytes hold a name or header of HIP, `hipMalloc`, `hip/hip_runtime.h`, or of the runtime below it, `hsa/hsa.h`.
fn names_hip(bytes: &[u8]) -> bool {
    let has = |text: &str| memchr::memmem::find(bytes, text.as_bytes()).is_some();
    if has("<hsa/hsa") || has("<hsa.h>") {
        return true;
    }
    memchr::memmem::find_iter(bytes, "hip").any(|at| {
        let rest = &bytes[at + 3..];
        let is_name = rest.first().is_some_and(u8::is_ascii_uppercase);
        let joins = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
        !joins && (is_name || rest.starts_with(b"/hip"))
    })
}

/// How many conditions are open, and whether the first of them opens the file, as its guard does.
#[derive(Default)]
struct Depth {
    open: usize,
    guards: usize,
    is_started: bool,
}

impl Depth {
    fn step(&mut self, directive: &str) {
        if directive.starts_with("if") {
            let is_guard = !self.is_started && directive.starts_with("ifndef");
            self.guards = usize::from(is_guard).max(self.guards);
            self.open += 1;
        } else if directive.starts_with("endif") {
            self.open = self.open.saturating_sub(1);
        }
        self.is_started = true;
    }

    fn is_sure(&self) -> bool {
        self.open <= self.guards
    }
}

/// Whether a file specialises a template: where a macro of the tree says that it does so for the device, the template has to say so too, and
/// which macros do is known once all files were seen.
pub(crate) fn specialises(bytes: &[u8]) -> bool {
    let forms: [&[u8]; 2] = [b"template <>", b"template<>"];
    forms
        .iter()
        .any(|form| memchr::memmem::find(bytes, form).is_some())
}

/// Whether a file defines a member outside of its class that it declares behind a word in capitals: where that is a macro of the tree that
/// says `__device__`, the definition has to say so too.
pub(crate) fn defines_apart(bytes: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut names = FxHashSet::default();
    for sign in memchr::memmem::find_iter(bytes, b"::") {
        let name = &bytes[sign + 2..];
        let length = name.iter().take_while(|byte| is_part(byte)).count();
        let is_head = name[length..].first() == Some(&b'(') && length > 0;
        if is_head {
            names.insert(&name[..length]);
        }
    }
    !names.is_empty()
        && bytes.split(|byte| *byte == b'\n').any(|line| {
            let mut words = line.split(|byte| !is_part(byte));
            let is_macro = |word: &[u8]| {
                let is_capital = |byte: &u8| !byte.is_ascii_lowercase();
                word.len() > 2 && word.iter().all(is_capital) && !word[0].is_ascii_digit()
            };
            words.any(is_macro)
                && words.any(|word| names.contains(word))
                && memchr::memmem::find(line, b"::").is_none()
        })
}

/// Whether a file may have names of HIP.
pub(crate) fn may_speak_of_hip(bytes: &[u8]) -> bool {
    // Not all of ROCm's libraries are called hip: MIOpen and RCCL are not.
    const SIGNS: &[&[u8]] = &[b"hip", b"miopen", b"rccl"];
    SIGNS
        .iter()
        .any(|sign| memchr::memmem::find(bytes, sign).is_some())
}

/// Whether a file may make a constant with `std::min` or `std::max`, which PyTorch's build for ROCm renames in .cu and .cuh files
/// whether they say CUDA or not.
pub(crate) fn may_hold_std_constants(bytes: &[u8]) -> bool {
    let names = |text: &str| memchr::memmem::find(bytes, text.as_bytes()).is_some();
    (names("constexpr") || names("static_assert")) && (names("std::min") || names("std::max"))
}

/// Whether a file may have a name that HIP's headers have as a macro, or clang as a function of its own, whether it says CUDA or not:
/// who includes it may.
pub(crate) fn may_hold_clashing_names(bytes: &[u8]) -> bool {
    let lists = name_lists();
    let mut names = lists.hip_macros.iter().chain(&*lists.host_builtins);
    names.any(|name| memchr::memmem::find(bytes, name.as_bytes()).is_some())
}

/// The same for text that is not read as tokens.
fn text_has_comma(text: &str) -> bool {
    let (mut depth, mut quote) = (0i32, None);
    for byte in text.bytes() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => depth -= 1,
            (None, b',') if depth == 0 => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_of_a_file_without_cuda_are_read() {
        let text = "#ifndef GUARD_H\n#define GUARD_H\n#include <sure.h>\n#if A\n#include \"maybe.h\"\n#endif\n#define FLAG\n\
            #define N (16)\n#define SUM (N + 1) // one more\n#define PAIR 1, 2\n#define f(a, b) a\n#include <hip/hip_runtime.h>\n#endif\n";
        let index = FileIndex::of_plain(text.as_bytes());
        assert_eq!(index.includes, ["sure.h", "maybe.h", RUNTIME_HEADER]);
        assert_eq!(index.sure_includes, ["sure.h", RUNTIME_HEADER]);
        assert!(index.has_runtime);
        assert_eq!(index.constants.get(&b"N"[..]), Some(&16));
        let sum = index.expressions.get(&b"SUM"[..]);
        assert_eq!(sum.map(|text| &**text), Some(&b"(N + 1)"[..]));
        assert!(index.flags.contains(&b"FLAG"[..]) && !index.flags.contains(&b"N"[..]));
        assert!(index.lists.contains(&b"PAIR"[..]) && !index.lists.contains(&b"N"[..]));
    }

    #[test]
    fn conditions_make_an_include_unsure_but_for_the_guard() {
        for (text, sure) in [
            ("#include <a.h>\n", true),
            ("#ifndef G\n#include <a.h>\n#endif\n", true),
            ("#ifdef G\n#include <a.h>\n#endif\n", false),
            ("#define X\n#ifndef G\n#include <a.h>\n#endif\n", false),
            ("#if A\n#endif\n#include <a.h>\n", true),
            ("#ifndef G\n#if A\n#include <a.h>\n#endif\n#endif\n", false),
            ("  #  include <a.h>\n", true),
            ("int x; #include <a.h>\n", false),
        ] {
            let index = FileIndex::of_plain(text.as_bytes());
            assert_eq!(index.sure_includes == ["a.h"], sure, "{text}");
        }
    }

    #[test]
    fn commas_outside_brackets_and_quotes_make_a_list() {
        for (text, wanted) in [
            ("1, 2", true),
            ("f(1, 2)", false),
            ("\"a,b\"", false),
            ("{1, 2}", false),
            ("','", false),
            ("f(1), 2", true),
        ] {
            assert_eq!(text_has_comma(text), wanted, "{text}");
        }
    }

    #[test]
    fn names_and_headers_of_hip_are_told_from_words() {
        for (text, wanted) in [
            ("hipMalloc(p);", true),
            ("#include <hip/hip_runtime.h>", true),
            ("a ship; hipster; chip;", false),
            ("myhipMalloc", false),
            ("my_hipMalloc", false),
        ] {
            assert_eq!(names_hip(text.as_bytes()), wanted, "{text}");
        }
    }
}
