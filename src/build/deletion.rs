//! What goes with words of a build file that are taken out.

use crate::build::BuildFile;
use crate::build::command::{Command, is_called};
use crate::build::words::CHIP_OPTIONS;
use crate::edit::Edit;
use crate::mapping::BuildTable;
use crate::text::{BuildTool, TextRange, next_line};

/// Takes words out, with the blanks that parted them from their neighbours, or the line that they had for themselves. What two
/// neighbours take out never overlaps. In CMake the `;` behind a word goes as well, also that of the first in a generator expression,
/// `$<…:-G;-O3>`; at the end of a list, `-O3;-G`, the one in front.
pub(crate) fn deletion(doc: &BuildFile<'_>, mut range: TextRange) -> Edit {
    let bytes = &doc.source.bytes;
    let opens_item = range.start > 0
        && matches!(
            bytes[range.start as usize - 1],
            b' ' | b'\t' | b';' | b'"' | b':'
        );
    if doc.tool == BuildTool::CMake && ends_list(doc, range) {
        range.start -= 1;
    } else if doc.tool == BuildTool::CMake
        && opens_item
        && bytes.get(range.end as usize) == Some(&b';')
    {
        range.end += 1;
    }
    if is_word_of_command(doc, range) {
        range = TextRange::new(range.start - 1, range.end + 1);
    }
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let before = &bytes[..range.start as usize];
    let blanks = before.iter().rev().take_while(is_blank).count() as u32;
    let behind = &bytes[range.end as usize..];
    let end = range.end + behind.iter().take_while(is_blank).count() as u32;
    let line = range.start - blanks;
    let starts_line = line == 0 || bytes[line as usize - 1] == b'\n';
    let deleted = match own_line(doc, TextRange::new(line, end)) {
        Some(own) if starts_line => TextRange::new(own.start, own.end.max(range.end)),
        _ if blanks > 0 && !starts_line => TextRange::new(line, range.end),
        _ if goes_as_well(doc, end) => range,
        _ => TextRange::new(range.start, end),
    };
    Edit::delete(deleted)
}

/// Whether a range is all of a word in quotes that CMake hands to a program, `COMMAND nvcc "-lineinfo"`: an empty one is a word as well.
fn is_word_of_command(doc: &BuildFile<'_>, range: TextRange) -> bool {
    const RUNNERS: &[&str] = &["add_custom_command", "add_custom_target", "execute_process"];
    let bytes = &doc.source.bytes;
    let is_quoted = range.start > 0
        && bytes[range.start as usize - 1] == b'"'
        && bytes.get(range.end as usize) == Some(&b'"');
    if doc.tool != BuildTool::CMake || !is_quoted {
        return false;
    }
    let all = doc.commands();
    let begin = |command: &Command| doc.tokens[command.name].start;
    let around = all.partition_point(|command| begin(command) <= range.start);
    let command = around.checked_sub(1).map(|at| &all[at]);
    command.is_some_and(|it| RUNNERS.iter().any(|name| is_called(doc, it, name)))
}

/// The line of an option that is alone on it, from the end of the one that it goes on with, or whole.
fn own_line(doc: &BuildFile<'_>, line: TextRange) -> Option<TextRange> {
    let bytes = &doc.source.bytes;
    let ends =
        |rest: &[u8]| rest.is_empty() || rest.starts_with(b"\n") || rest.starts_with(b"\r\n");
    let rest = &bytes[line.end as usize..];
    if !(ends(rest) || rest.strip_prefix(b"\\").is_some_and(ends)) {
        return None;
    }
    let above = bytes[..line.start as usize].trim_ascii_end();
    if let Some(above) = above.strip_suffix(b"\\") {
        let content = bytes[..line.end as usize].trim_ascii_end().len();
        return Some(TextRange::new(
            above.trim_ascii_end().len() as u32,
            content as u32,
        ));
    }
    let next = next_line(bytes, line.end)?;
    (doc.tool == BuildTool::CMake).then(|| TextRange::new(line.start, next))
}

/// Whether the word at an offset is an option that is taken out, and the blanks in front of it with it.
fn goes_as_well(doc: &BuildFile<'_>, at: u32) -> bool {
    let index = doc.token_at(at);
    let is_there = doc.is_ident(index) && doc.tokens[index].start == at;
    let word = doc.source.text(TextRange::new(
        at,
        doc.tokens.get(index).map_or(at, |token| token.end()),
    ));
    is_there && (is_dropped(&word) || CHIP_OPTIONS.contains(&&*word))
}

/// Whether a word is an option that is taken out.
fn is_dropped(word: &str) -> bool {
    let option = BuildTable::builtin().option(word, "");
    option.is_some_and(|(word, _)| word.becomes.as_deref() == Some(""))
}

/// Whether an item is of the end of a list that goes, behind one that stays: `-O3;-G`. Then the `;` in front goes with it.
fn ends_list(doc: &BuildFile<'_>, item: TextRange) -> bool {
    /// No list that somebody writes in a line has more items.
    const MOST: usize = 50;
    let bytes = &doc.source.bytes;
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'(' | b')');
    let part = |bytes: &[u8], is_end: &dyn Fn(&u8) -> bool| {
        bytes.iter().position(is_end).unwrap_or(bytes.len())
    };
    let behind = &bytes[item.end as usize..];
    let behind = &behind[..part(behind, &|byte| ends(byte) || *byte == b'>')];
    let Some(before) = bytes[..item.start as usize].strip_suffix(b";") else {
        return false;
    };
    let start = before
        .iter()
        .rposition(|byte| ends(byte) || *byte == b':')
        .map_or(0, |at| at + 1);
    let goes = |item: &[u8]| std::str::from_utf8(item).is_ok_and(is_dropped);
    let is_last = behind.is_empty()
        || behind.starts_with(b";") && behind[1..].split(|it| *it == b';').take(MOST).all(goes);
    let mut in_front = before[start..]
        .rsplit(|byte| *byte == b';')
        .take(MOST)
        .skip_while(|item| goes(item));
    let staying = in_front.next();
    is_last && staying.is_some_and(|item| stays(item, in_front.next()))
}

/// Whether nothing takes out an item of a list, nor one in front of it that it may be the value of.
fn stays(item: &[u8], in_front: Option<&[u8]>) -> bool {
    const PARTS: [&str; 5] = ["cuda", "nv", "arch", "sm_", "code"];
    let is_known = |item: &[u8]| {
        let text = String::from_utf8_lossy(item).to_ascii_lowercase();
        let word = text.split('=').next().unwrap_or_default();
        let table = BuildTable::builtin();
        PARTS.iter().any(|part| text.contains(part))
            || table.option(word, "").is_some()
            || table.nvcc(word.trim_start_matches('-')).is_some()
            || table.library(word.trim_start_matches("-l")).is_some()
    };
    !item.is_empty() && !is_known(item) && !in_front.is_some_and(is_known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn a_list_keeps_no_separator_at_its_end() {
        for (text, option, expected) in [
            ("set(F \"-O3;-G\")", "-G", "set(F \"-O3\")"),
            ("set(F \"-G;-O3\")", "-G", "set(F \"-O3\")"),
            ("set(F -O3;-G)", "-G", "set(F -O3)"),
            (
                "o($<$<COMPILE_LANGUAGE:CUDA>:-O3;-G>)",
                "-G",
                "o($<$<COMPILE_LANGUAGE:CUDA>:-O3>)",
            ),
            (
                "o($<$<COMPILE_LANGUAGE:CUDA>:-G;-O3>)",
                "-G",
                "o($<$<COMPILE_LANGUAGE:CUDA>:-O3>)",
            ),
            // What two neighbours take out never overlaps.
            (
                "set(F \"-O3;-G;--extended-lambda\")",
                "-G",
                "set(F \"-O3;--extended-lambda\")",
            ),
            (
                "set(F \"-O3;--extended-lambda;-G\")",
                "-G",
                "set(F \"-O3;--extended-lambda\")",
            ),
            (
                "set(F \"--extended-lambda;-G\")",
                "-G",
                "set(F \"--extended-lambda;\")",
            ),
            ("set(F \"-arch=sm_80;-G\")", "-G", "set(F \"-arch=sm_80;\")"),
            ("set(F \"-Xptxas;-v;-G\")", "-G", "set(F \"-Xptxas;-v;\")"),
        ] {
            let source = SourceFile::new("CMakeLists.txt", text.as_bytes().to_vec());
            let doc = BuildFile::new(&source);
            let at = text.find(option).expect("the text has it") as u32;
            let edit = deletion(&doc, TextRange::new(at, at + option.len() as u32));
            let (start, end) = (edit.range.start as usize, edit.range.end as usize);
            let made = format!("{}{}", &text[..start], &text[end..]);
            assert_eq!(made, expected, "{text}");
        }
    }
}
