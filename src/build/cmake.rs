//! The commands of a CMake list: what they do for a language, and which branch each stands in.

use std::collections::BTreeSet;

use crate::build::BuildFile;
use crate::build::command::{Command, is_called};
use crate::build::words::indent;
use crate::syntax::TokenIndex;
use crate::text::SourceFile;

/// Whether a command makes CMake compile CUDA: a language, or the old package with its `cuda_add_executable`.
pub(crate) fn enables_cuda(doc: &BuildFile<'_>, command: &Command) -> bool {
    let names_it = || {
        let mut words = command.open..command.close;
        words.any(|at| doc.is(at, "CUDA") && names_language(doc, command, at))
    };
    is_called(doc, command, "project") && names_it()
        || is_called(doc, command, "enable_language") && doc.is(command.open + 1, "CUDA")
        || is_called(doc, command, "find_package") && doc.is(command.open + 1, "CUDA")
}

/// Whether a word of `project()` stands where languages do: behind its name, and not in what people read, `DESCRIPTION "CUDA tools"`, as the
/// last keyword in front of it says.
pub(crate) fn names_language(doc: &BuildFile<'_>, project: &Command, at: TokenIndex) -> bool {
    const KEYWORDS: &[&[u8]] = &[b"VERSION", b"LANGUAGES", b"DESCRIPTION", b"HOMEPAGE_URL"];
    // How far back a keyword is looked for: a description is a line or two.
    const FAR: usize = 100;
    let mut words = (project.open..at).rev().take(FAR).map(|it| doc.bytes(it));
    let keyword = words.find(|it| KEYWORDS.contains(it));
    at > project.open + 1 && !matches!(keyword, Some(b"DESCRIPTION" | b"HOMEPAGE_URL"))
}

/// Whether a list has such a command.
pub(crate) fn list_enables_cuda(path: &str, bytes: &[u8]) -> bool {
    memchr::memmem::find(bytes, b"CUDA").is_some() && {
        let source = SourceFile::new(path, bytes.to_vec());
        let doc = BuildFile::new(&source);
        let mut all = doc.commands().iter();
        all.any(|command| enables_cuda(&doc, command))
    }
}

/// Whether a command, first in its line, tells CMake which compiler to take for CUDA: nvcc, or the host's behind it.
pub(crate) fn chooses_compiler(doc: &BuildFile<'_>, command: &Command) -> bool {
    const CHOICES: &[&str] = &[
        "CMAKE_CUDA_COMPILER",
        "CMAKE_CUDA_HOST_COMPILER",
        "CUDA_HOST_COMPILER",
    ];
    let names = |name: &&str| doc.is(command.open + 1, name);
    is_called(doc, command, "set")
        && CHOICES.iter().any(names)
        && indent(doc, command.name).is_some()
}

/// Whether a list serves AMD by itself: it enables the language HIP, or looks for HIP's package.
pub(crate) fn serves_amd(bytes: &[u8]) -> bool {
    const SIGNS: &[&[u8]] = &[
        b"enable_language(HIP",
        b"enable_language( HIP",
        b"check_language(HIP",
        b"find_package(hip ",
        b"find_package(HIP ",
        b"find_package(hip)",
        b"find_package(HIP)",
        b"hip::host",
        b"hip::device",
        b"LANGUAGE HIP",
        b"option(USE_HIP ",
    ];
    let mut code = bytes
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.trim_ascii_start().starts_with(b"#"));
    code.any(|line| {
        SIGNS
            .iter()
            .any(|sign| memchr::memmem::find(line, sign).is_some())
    })
}

/// The prefixes of the targets that a list makes itself: `CUDNN` of `add_library(CUDNN::cudnn …)`.
pub(crate) fn own_prefixes(bytes: &[u8]) -> BTreeSet<String> {
    const COMMAND: &[u8] = b"add_library(";
    let prefix = |at: usize| {
        let name = bytes[at + COMMAND.len()..].trim_ascii_start();
        let end = memchr::memmem::find(&name[..name.len().min(100)], b"::")?;
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let name = name[..end].iter().all(is_word).then(|| &name[..end])?;
        Some(String::from_utf8_lossy(name).into_owned())
    };
    memchr::memmem::find_iter(bytes, COMMAND)
        .filter_map(prefix)
        .collect()
}

/// Whether a list begins a project, `project(…)` at the start of a line; another is a part of the one that adds its folder.
pub(crate) fn calls_project(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    lines.any(|line| {
        let line = line.trim_ascii_start();
        let (name, rest) = line.split_at_checked("project".len()).unwrap_or_default();
        name.eq_ignore_ascii_case(b"project") && rest.trim_ascii_start().starts_with(b"(")
    })
}

/// The words of a list outside of comments, each part of a path by itself: `third_party` and `eigen` of `third_party/eigen`.
pub(crate) fn parts_of_words(bytes: &[u8]) -> BTreeSet<Box<str>> {
    let is_part =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+');
    let lines = bytes.split(|byte| *byte == b'\n');
    lines
        .flat_map(|line| {
            let code = line.split(|byte| *byte == b'#').next().unwrap_or(line);
            code.split(move |byte| !is_part(*byte))
        })
        .filter(|part| !part.is_empty())
        .map(|part| String::from_utf8_lossy(part).into())
        .collect()
}

/// A branch of a list: what an `if`, `elseif`, `else`, `foreach`, `function` or the like opens; or the whole list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Branch {
    /// The number of its first command, and of the one that closes it.
    from: usize,
    until: usize,
    /// The command that opens the outermost branch around it.
    pub(crate) outermost: Option<TokenIndex>,
}

impl Branch {
    /// The whole list.
    pub(crate) const LIST: Self = Self {
        from: 0,
        until: usize::MAX,
        outermost: None,
    };

    /// Whether what is done in this branch holds in another: it is the same, or around it.
    pub(crate) fn holds_in(self, inner: Self) -> bool {
        self.from <= inner.from && inner.from < self.until
    }
}

/// The branch that each command stands in.
pub(crate) fn branches(doc: &BuildFile<'_>, commands: &[Command]) -> Vec<Branch> {
    const OPEN: &[&str] = &["if", "foreach", "while", "function", "macro", "block"];
    const CLOSE: &[&str] = &[
        "endif",
        "endforeach",
        "endwhile",
        "endfunction",
        "endmacro",
        "endblock",
    ];
    let is_one =
        |command: &Command, names: &[&str]| names.iter().any(|name| is_called(doc, command, name));
    let mut all = vec![Branch::LIST];
    let (mut open, mut numbers) = (Vec::new(), Vec::new());
    for (at, command) in commands.iter().enumerate() {
        let parts = is_one(command, &["elseif", "else"]);
        if (parts || is_one(command, CLOSE))
            && let Some(number) = open.pop()
        {
            let closed: &mut Branch = &mut all[number];
            closed.until = at;
        }
        let around = open.last().copied().unwrap_or(0);
        numbers.push(around);
        if parts || is_one(command, OPEN) {
            open.push(all.len());
            all.push(Branch {
                from: at + 1,
                outermost: all[around].outermost.or(Some(command.name)),
                ..Branch::LIST
            });
        }
    }
    numbers.into_iter().map(|number| all[number]).collect()
}

/// Whether the list is the one that a build begins with: it names the project.
pub(super) fn is_top_list(doc: &BuildFile<'_>) -> bool {
    let all = doc.commands();
    let mut named = all
        .iter()
        .filter(|command| is_called(doc, command, "project"));
    named.next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn a_list_enables_cuda_by_a_language_or_a_package() {
        for (text, expected) in [
            ("project(p LANGUAGES CXX CUDA)\n", true),
            ("project(CUDA)\n", false),
            ("project(p DESCRIPTION \"CUDA tools\" LANGUAGES C)\n", false),
            ("enable_language(CUDA)\n", true),
            ("enable_language(HIP)\n", false),
            ("find_package(CUDA REQUIRED)\n", true),
            ("find_package(CUDAToolkit REQUIRED)\n", false),
        ] {
            let source = SourceFile::new("CMakeLists.txt", text.as_bytes().to_vec());
            let doc = BuildFile::new(&source);
            let found = doc.commands().iter().any(|it| enables_cuda(&doc, it));
            assert_eq!(found, expected, "{text}");
            assert_eq!(is_top_list(&doc), text.starts_with("project"), "{text}");
        }
    }

    #[test]
    fn a_compiler_is_chosen_by_a_command_first_in_its_line() {
        for (text, expected) in [
            ("  set(CMAKE_CUDA_COMPILER nvcc)\n", true),
            ("SET(CUDA_HOST_COMPILER g++ CACHE FILEPATH \"\")\n", true),
            ("if(A) set(CMAKE_CUDA_COMPILER nvcc)\n", false),
            ("message(CMAKE_CUDA_COMPILER)\n", false),
            ("set(X CMAKE_CUDA_COMPILER)\n", false),
        ] {
            let source = SourceFile::new("CMakeLists.txt", text.as_bytes().to_vec());
            let doc = BuildFile::new(&source);
            let found = doc.commands().iter().any(|it| chooses_compiler(&doc, it));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_comment_serves_nobody() {
        for (text, expected) in [
            ("enable_language(HIP)\n", true),
            ("  find_package(hip REQUIRED)\n", true),
            ("# enable_language(HIP)\n", false),
            ("enable_language(CUDA)\n", false),
        ] {
            assert_eq!(serves_amd(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn the_targets_of_a_list_have_prefixes() {
        for (text, expected) in [
            ("add_library(CUDNN::cudnn ALIAS x)\n", "CUDNN"),
            ("add_library(\n  CUB::${part} INTERFACE IMPORTED)\n", "CUB"),
            (
                "add_library(x INTERFACE)\ntarget_link_libraries(x CUB::CUB)\n",
                "",
            ),
            ("target_link_libraries(x CUB::CUB)\n", ""),
        ] {
            let found: Vec<String> = own_prefixes(text.as_bytes()).into_iter().collect();
            assert_eq!(found.join(" "), expected, "{text}");
        }
    }

    #[test]
    fn commands_stand_in_the_branches_around_them() {
        let text = "a()\nif(X)\nb()\nforeach(i)\nc()\nendforeach()\nelse()\nd()\nendif()\ne()\n";
        let source = SourceFile::new("CMakeLists.txt", text.as_bytes().to_vec());
        let doc = BuildFile::new(&source);
        let all = doc.commands();
        let found = branches(&doc, all);
        let of = |name: &str| {
            let at = all.iter().position(|it| doc.is(it.name, name));
            found[at.expect("it is there")]
        };
        assert_eq!([of("a"), of("e")], [Branch::LIST; 2]);
        let outermost = ["a", "b", "c", "d"].map(|name| of(name).outermost);
        let first = |name: &str| {
            all.iter()
                .find(|it| doc.is(it.name, name))
                .map(|it| it.name)
        };
        assert_eq!(outermost, [None, first("if"), first("if"), first("else")]);
        assert!(
            of("a").holds_in(of("c")) && of("b").holds_in(of("c")) && of("c").holds_in(of("c"))
        );
        assert!(!of("b").holds_in(of("d")) && !of("c").holds_in(of("b")));
    }
}
