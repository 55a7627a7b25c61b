//! What the commands of FindCUDA took and gave besides the sources of a target.

use crate::build::BuildFile;
use crate::build::command::{Command, is_called};
use crate::build::words::{indent, is_joined};
use crate::edit::Edit;
use crate::syntax::TokenIndex;
use crate::text::TextRange;

/// The line that gives HIP's headers and runtime, as FindCUDA gave CUDA's, to a target that may have no `.cu` file: `cuda_add_executable(a
/// a.cpp)`. Those with such files get them where all sources become HIP's.
pub(crate) fn runtime(doc: &BuildFile<'_>, all: &[Command], index: TokenIndex) -> Option<Edit> {
    let command = all.get(all.partition_point(|command| command.name < index))?;
    let mut names = ["cuda_add_executable", "cuda_add_library"].iter();
    let is_meant = names.any(|name| is_called(doc, command, name));
    let mut words = command.open + 1..command.close;
    let has_kernels = words
        .clone()
        .any(|at| doc.bytes(at).ends_with(b".cu") || doc.is(at, "OPTIONS"));
    if !is_meant || command.name != index || command.close >= doc.tokens.len() || has_kernels {
        return None;
    }
    let blanks = indent(doc, index)?;
    let end = words.find(|&at| at > command.open + 1 && !is_joined(doc, at))?;
    let target = doc.source.text(doc.range(command.open + 1, end - 1));
    let property = "APPEND PROPERTY LINK_LIBRARIES hip::host";
    let line = format!(
        "{}{blanks}set_property(TARGET {target} {property})",
        doc.newline()
    );
    Some(Edit::insert(doc.tokens[command.close].end(), line))
}

/// The edits that give the options for nvcc, which the commands of the old package took, a command of their own: `cuda_add_library(a a.cu
/// OPTIONS -G)`. None of them where that is not done by moving them; `None` where there are no options.
pub(crate) fn options(
    doc: &BuildFile<'_>,
    all: &[Command],
    index: TokenIndex,
) -> Option<Vec<Edit>> {
    const OF_CONFIGURATIONS: &[&str] = &[
        "DEBUG",
        "RELEASE",
        "RELWITHDEBINFO",
        "MINSIZEREL",
        "\"",
        "#",
    ];
    let at = all.partition_point(|command| command.name < index);
    let command = all.get(at).filter(|command| command.name == index)?;
    let mut arguments = command.open + 1..command.close;
    let word = arguments.find(|&at| doc.is(at, "OPTIONS"))?;
    let (first, last) = (word + 1, command.close - 1);
    let apart = |at: TokenIndex| OF_CONFIGURATIONS.iter().any(|word| doc.is(at, word));
    let before = word - 1;
    // A list in a variable ends what `SHELL:` is for.
    let is_one = (first + 1..=last).all(|at| is_joined(doc, at));
    let shell = if is_one { "" } else { "SHELL:" };
    let gap = TextRange::new(doc.tokens[before].end(), doc.tokens[word].start);
    let is_plain = first <= last
        && command.close < doc.tokens.len()
        && before > command.open
        && !(first..=last).any(apart)
        && (shell.is_empty() || !(first..=last).any(|at| doc.is(at, "$")))
        && doc.source.text(gap).trim().is_empty();
    let Some(indent) = indent(doc, index).filter(|_| is_plain) else {
        return Some(Vec::new());
    };
    let target = (command.open + 2..word).find(|&at| !is_joined(doc, at))?;
    let target = doc.source.text(doc.range(command.open + 1, target - 1));
    let opened = format!(
        ")\n{indent}target_compile_options({target} PRIVATE \"$<$<COMPILE_LANGUAGE:HIP>:{shell}"
    );
    let moved = TextRange::new(gap.start, doc.tokens[first].start);
    Some(vec![
        Edit::replace(moved, opened),
        Edit::insert(doc.tokens[last].end(), ">\""),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    fn of_first<T>(text: &str, ask: impl Fn(&BuildFile<'_>, &[Command], TokenIndex) -> T) -> T {
        let source = SourceFile::new("CMakeLists.txt", text.as_bytes().to_vec());
        let doc = BuildFile::new(&source);
        let all = doc.commands();
        ask(&doc, all, all[0].name)
    }

    #[test]
    fn targets_without_kernels_get_the_runtime() {
        let line = "set_property(TARGET a APPEND PROPERTY LINK_LIBRARIES hip::host)";
        for (text, expected) in [
            ("cuda_add_executable(a a.cpp)\n", Some(format!("\n{line}"))),
            (
                "  cuda_add_library(a ${SRC})\n",
                Some(format!("\n  {line}")),
            ),
            ("cuda_add_library(a STATIC a.cu)\n", None),
            ("cuda_add_library(a ${SRC} OPTIONS -G)\n", None),
            ("add_executable(a a.cpp)\n", None),
            ("cuda_add_executable(a)\n", None),
            ("cuda_add_executable(a a.cpp", None),
        ] {
            let found = of_first(text, runtime);
            let found = found.map(|edit| edit.content.into_owned());
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn options_for_nvcc_get_a_command_of_their_own() {
        for (text, expected) in [
            ("cuda_add_library(a a.cu OPTIONS -G)\n", Some(2)),
            ("cuda_add_library(a a.cu OPTIONS DEBUG -G)\n", Some(0)),
            ("cuda_add_library(a a.cu)\n", None),
        ] {
            let found = of_first(text, options);
            assert_eq!(found.map(|edits| edits.len()), expected, "{text}");
        }
    }
}
