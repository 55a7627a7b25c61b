//! Lines of a build file for both vendors, in the terms of CMake and of make.

use crate::build::BuildFile;
use crate::build::cmake::{branches, is_top_list};
use crate::build::command::{Command, is_called};
use crate::edit::{Edit, apply_within};
use crate::syntax::{TokenIndex, flags};
use crate::text::{TextRange, lines_around};

/// The commands whose conditions say what is built.
const CONDITIONS: &[&str] = &["if", "elseif", "while"];
/// Commands that stand for themselves: nothing can be put around one of them alone.
const PARTS: &[&str] = &[
    "if",
    "elseif",
    "else",
    "endif",
    "while",
    "endwhile",
    "foreach",
    "endforeach",
    "function",
    "endfunction",
    "macro",
    "endmacro",
    "block",
    "endblock",
    "return",
];

/// Some whole lines, and the edits in them.
struct Block<'e> {
    lines: TextRange,
    edits: Vec<&'e Edit>,
    /// The one command that the lines are, where nothing can be put around it.
    part: Option<Command>,
}

/// The edits of a CMake list with what they make under `if(USE_HIP)`.
pub(crate) fn of_cmake(doc: &BuildFile<'_>, edits: &[Edit]) -> Vec<Edit> {
    let all = doc.commands();
    let mut made = Vec::new();
    let mut option = Choice::default();
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let shaped = edits.iter().map(|edit| at_line_start(doc, edit));
    let edits: Vec<Edit> = shaped.map(|edit| of_command(doc, all, edit)).collect();
    for edit in &edits {
        if is_line(doc, edit) {
            add(&mut blocks, edit.range, edit, None);
            continue;
        }
        // What stands outside of commands, or shares its line with half a block, stays for both.
        let Some(command) = alone(doc, all, edit) else {
            continue;
        };
        option.see(doc, &command, edit);
        if is_called(doc, &command, "project") {
            made.extend(language_of_project(doc, &command, edit));
        } else if !is_called(doc, &command, "cmake_minimum_required") {
            let part = Some(command).filter(|command| is_part(doc, command));
            add(&mut blocks, lines_of(doc, &command), edit, part);
        }
    }
    let first = blocks.first().map(|block| block.lines.start);
    made.extend(blocks.iter().filter_map(|block| match block.part {
        Some(command) => condition(doc, &command, &block.edits),
        None => Some(both_versions(doc, block, &CMAKE)),
    }));
    if is_top_list(doc) && (first.is_some() || !made.is_empty()) {
        let at = made.iter().map(|edit| edit.range.start).min().unwrap_or(0);
        made.push(Edit::insert(option.place(doc, all, at), option.text(doc)));
    }
    made
}

/// The command that an edit lies in, if nothing can happen to others on its lines.
fn alone(doc: &BuildFile<'_>, all: &[Command], edit: &Edit) -> Option<Command> {
    let last = |command: &Command| command.close.min(doc.tokens.len() - 1);
    let end = |command: &Command| doc.tokens[last(command)].end();
    let at = all.partition_point(|command| end(command) <= edit.range.start);
    let command = all
        .get(at)
        .filter(|command| command.close < doc.tokens.len())?;
    let lines = lines_of(doc, command);
    let start = |command: &Command| doc.tokens[command.name].start;
    let first = all.partition_point(|command| end(command) <= lines.start);
    let mut beside = all[first..]
        .iter()
        .take_while(|command| start(command) < lines.end)
        .filter(|other| other.name != command.name);
    let is_alone = |other: &Command| !is_part(doc, other) && !is_called(doc, other, "project");
    let is_inside = doc.range(command.name, command.close).contains(edit.range);
    let is_special = is_part(doc, command) || is_called(doc, command, "project");
    let is_free = match is_special {
        true => beside.next().is_none(),
        false => beside.all(is_alone),
    };
    // Behind a word that opens no command nobody knows what the line is.
    let name = command.name;
    let before = at.checked_sub(1).map(|before| all[before].close);
    let is_command = doc.tokens[name].has(flags::LINE_START) || before == doc.prev(name);
    (is_inside && is_free && is_command && is_level(doc, lines)).then_some(*command)
}

/// Whether lines hold commands and texts whole, so that they can stand there twice.
fn is_level(doc: &BuildFile<'_>, lines: TextRange) -> bool {
    let first = doc.token_at(lines.start);
    let within = doc.tokens[first..]
        .iter()
        .take_while(|token| token.start < lines.end);
    let mut depth = 0;
    let closes_what_it_opens = within.enumerate().all(|(at, token)| {
        depth += match doc.bytes(first + at) {
            b"(" => 1,
            b")" => -1,
            _ => 0,
        };
        depth >= 0 && token.end() <= lines.end
    });
    let quotes = memchr::memchr_iter(b'"', doc.source.slice(lines)).count();
    closes_what_it_opens && depth == 0 && quotes.is_multiple_of(2)
}

fn is_part(doc: &BuildFile<'_>, command: &Command) -> bool {
    PARTS.iter().any(|name| is_called(doc, command, name))
}

/// The edits of a Makefile with what they make under `ifdef USE_HIP`.
pub(crate) fn of_make(doc: &BuildFile<'_>, edits: &[Edit]) -> Vec<Edit> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    for edit in edits {
        add(&mut blocks, joined_lines(doc, edit.range), edit, None);
    }
    blocks
        .iter()
        .map(|block| both_versions(doc, block, &MAKE))
        .collect()
}

/// How lines are put under a condition.
struct Words {
    only: &'static str,
    unless: &'static str,
    other: &'static str,
    end: &'static str,
    indent: &'static str,
}

const CMAKE: Words = Words {
    only: "if(USE_HIP)",
    unless: "if(NOT USE_HIP)",
    other: "else()",
    end: "endif()",
    indent: "  ",
};
const MAKE: Words = Words {
    only: "ifdef USE_HIP",
    unless: "ifndef USE_HIP",
    other: "else",
    end: "endif",
    indent: "",
};

/// Puts an edit to the block of its lines; neighbours share one.
fn add<'e>(blocks: &mut Vec<Block<'e>>, lines: TextRange, edit: &'e Edit, part: Option<Command>) {
    match blocks.last_mut() {
        Some(last)
            if lines.start < last.lines.end
                || lines.start == last.lines.end && last.part.is_none() && part.is_none() =>
        {
            last.lines = last.lines.cover(lines);
            last.edits.push(edit);
        }
        _ => blocks.push(Block {
            lines,
            edits: vec![edit],
            part,
        }),
    }
}

/// The whole lines of a command.
fn lines_of(doc: &BuildFile<'_>, command: &Command) -> TextRange {
    let last = command.close.min(doc.tokens.len() - 1);
    lines_around(&doc.source.bytes, doc.range(command.name, last))
}

/// The lines of a Makefile around a place, with those that backslashes join to them.
fn joined_lines(doc: &BuildFile<'_>, range: TextRange) -> TextRange {
    let bytes = &doc.source.bytes;
    let ends = |end: u32| {
        let line = &bytes[..end as usize];
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        !line.ends_with(b"\\")
    };
    let mut lines = lines_around(&doc.source.bytes, range);
    // An edit that takes lines whole takes the end of the last one too.
    if !range.is_empty() && bytes[..range.end as usize].ends_with(b"\n") {
        lines = lines_around(
            &doc.source.bytes,
            TextRange::new(range.start, range.end - 1),
        );
    }
    while lines.start > 0 && !ends(lines.start) {
        lines.start = lines_around(&doc.source.bytes, TextRange::at(lines.start - 1)).start;
    }
    while (lines.end as usize) < bytes.len() && !ends(lines.end) {
        lines.end = lines_around(&doc.source.bytes, TextRange::at(lines.end)).end;
    }
    lines
}

/// Both versions of some lines.
fn both_versions(doc: &BuildFile<'_>, block: &Block<'_>, words: &Words) -> Edit {
    let newline = doc.newline();
    let for_nvidia = doc.source.text(block.lines).into_owned();
    let for_amd = with_edits(doc, block.lines, &block.edits);
    // Behind a last line without an end.
    let for_amd = match for_amd.strip_prefix(newline) {
        Some(text) if block.lines.is_empty() => text.to_owned(),
        _ => for_amd,
    };
    let is_cut =
        block.lines.start as usize == doc.source.bytes.len() && !doc.source.bytes.ends_with(b"\n");
    let blanks: String = {
        let text = if for_nvidia.trim().is_empty() {
            &for_amd
        } else {
            &for_nvidia
        };
        let is_blank = |char: &char| words.indent == "  " && matches!(char, ' ' | '\t');
        text.chars().take_while(is_blank).collect()
    };
    // A text of several lines would change with the blanks in front of them.
    let holds_text = |text: &str| text.lines().any(|line| line.matches('"').count() % 2 == 1);
    let indent = match holds_text(&for_nvidia) || holds_text(&for_amd) {
        true => "",
        false => words.indent,
    };
    let shifted = |text: &str| {
        let line = |line: &str| match line.trim().is_empty() {
            true => newline.to_owned(),
            false => format!("{indent}{line}{newline}"),
        };
        text.lines().map(line).collect::<String>()
    };
    let (amd, nvidia) = (shifted(&for_amd), shifted(&for_nvidia));
    let (only, unless, other, end) = (words.only, words.unless, words.other, words.end);
    let text = match (amd.trim().is_empty(), nvidia.trim().is_empty()) {
        (true, _) => format!("{blanks}{unless}{newline}{nvidia}{blanks}{end}{newline}"),
        (_, true) => format!("{blanks}{only}{newline}{amd}{blanks}{end}{newline}"),
        _ => format!(
            "{blanks}{only}{newline}{amd}{blanks}{other}{newline}{nvidia}{blanks}{end}{newline}"
        ),
    };
    let start = if is_cut { newline } else { "" };
    Edit::replace(block.lines, format!("{start}{text}"))
}

fn with_edits(doc: &BuildFile<'_>, part: TextRange, edits: &[&Edit]) -> String {
    let edits: Vec<Edit> = edits.iter().map(|edit| (*edit).clone()).collect();
    let mut text = Vec::new();
    apply_within(&doc.source.bytes, part, &edits, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// A condition that asks as before for NVIDIA, and as the edits have it for AMD. What opens or ends a block of another kind stays.
fn condition(doc: &BuildFile<'_>, command: &Command, edits: &[&Edit]) -> Option<Edit> {
    let is_one = CONDITIONS.iter().any(|name| is_called(doc, command, name));
    if !is_one || command.close >= doc.tokens.len() {
        return None;
    }
    let start = doc.tokens[command.open].end();
    let inside = TextRange::new(start, doc.tokens[command.close].start);
    let is_inside = |edit: &&Edit| inside.contains(edit.range);
    if !edits.iter().all(is_inside) {
        return None;
    }
    let (before, after) = (doc.source.text(inside), with_edits(doc, inside, edits));
    let text = match after.trim() {
        "FALSE" => format!("NOT USE_HIP AND {}", group(&before)),
        "TRUE" => format!("USE_HIP OR {}", group(&before)),
        after => format!(
            "(USE_HIP AND {}) OR (NOT USE_HIP AND {})",
            group(after),
            group(&before)
        ),
    };
    Some(Edit::replace(inside, text))
}

/// A condition as one operand.
fn group(condition: &str) -> String {
    match condition.trim().contains(char::is_whitespace) {
        true => format!("({condition})"),
        false => condition.trim().to_owned(),
    }
}

/// Whether an edit adds lines in front of one.
fn is_line(doc: &BuildFile<'_>, edit: &Edit) -> bool {
    let at = edit.range.start as usize;
    let is_at_end = at == doc.source.bytes.len() && edit.content.starts_with(['\r', '\n']);
    let starts_line = at == 0 || doc.source.bytes[at - 1] == b'\n';
    edit.range.is_empty() && (starts_line || is_at_end) && edit.content.ends_with('\n')
}

/// An edit that puts a line in front of a command, behind the blanks of the command's line, as one that adds a whole line.
fn at_line_start(doc: &BuildFile<'_>, edit: &Edit) -> Edit {
    let line = lines_around(&doc.source.bytes, TextRange::at(edit.range.start)).start;
    let blanks = doc.source.text(TextRange::new(line, edit.range.start));
    let is_new_line = edit.range.is_empty() && !blanks.is_empty() && blanks.trim().is_empty();
    match edit.content.strip_suffix(blanks.as_ref()) {
        Some(text) if is_new_line && text.ends_with('\n') => {
            Edit::insert(line, format!("{blanks}{text}"))
        }
        _ => edit.clone(),
    }
}

/// An edit that takes out the lines of one command, as one that takes out the command.
fn of_command(doc: &BuildFile<'_>, all: &[Command], edit: Edit) -> Edit {
    let first = all.partition_point(|command| doc.tokens[command.name].start < edit.range.start);
    let command = all.get(first).filter(|it| it.close < doc.tokens.len());
    let range = command.map(|command| doc.range(command.name, command.close));
    let blank = |start: u32, end: u32| {
        let text = doc.source.text(TextRange::new(start, end));
        text.trim().is_empty()
    };
    let is_whole = |range: &TextRange| {
        edit.content.is_empty()
            && edit.range != *range
            && edit.range.contains(*range)
            && blank(edit.range.start, range.start)
            && blank(range.end, edit.range.end)
    };
    match range.filter(is_whole) {
        Some(range) => Edit::delete(range),
        None => edit,
    }
}

/// `project(x LANGUAGES CXX CUDA)`: the language is that of the option.
fn language_of_project(doc: &BuildFile<'_>, command: &Command, edit: &Edit) -> Option<Edit> {
    let is_language = edit.content == "HIP" && doc.source.slice(edit.range) == b"CUDA";
    let is_project = is_called(doc, command, "project");
    (is_project && is_language).then(|| Edit::replace(edit.range, "${GPU_LANGUAGE}"))
}

/// What the option has to do beside being there.
#[derive(Default)]
struct Choice {
    /// The release of CMake that the language HIP needs, where the list asks for an older one.
    release: Option<String>,
    /// `project` names the language by a variable.
    has_language: bool,
}

impl Choice {
    fn see(&mut self, doc: &BuildFile<'_>, command: &Command, edit: &Edit) {
        if is_called(doc, command, "cmake_minimum_required") {
            self.release = Some(
                edit.content
                    .split("...")
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
            );
        }
        self.has_language |= language_of_project(doc, command, edit).is_some();
    }

    /// Where it stands: in front of the first command of the outermost level that asks for it.
    fn place(&self, doc: &BuildFile<'_>, all: &[Command], first: u32) -> u32 {
        let outer = branches(doc, all);
        let at = all.partition_point(|command| lines_of(doc, command).end <= first);
        let name: Option<TokenIndex> = match (all.get(at), outer.get(at)) {
            (Some(command), Some(branch)) if lines_of(doc, command).start <= first => {
                Some(branch.outermost.unwrap_or(command.name))
            }
            _ => None,
        };
        name.map_or(first, |name| {
            lines_around(&doc.source.bytes, doc.tokens[name].range()).start
        })
    }

    fn text(&self, doc: &BuildFile<'_>) -> String {
        let mut lines = vec!["option(USE_HIP \"Build for AMD GPUs, with HIP\" OFF)".to_owned()];
        let release = self.release.as_ref();
        let release = release.map(|it| format!("  cmake_minimum_required(VERSION {it})"));
        let languages = self
            .has_language
            .then_some(("  set(GPU_LANGUAGE HIP)", "  set(GPU_LANGUAGE CUDA)"));
        if release.is_some() || languages.is_some() {
            lines.push("if(USE_HIP)".to_owned());
            lines.extend(release);
            lines.extend(languages.map(|(hip, _)| hip.to_owned()));
            if let Some((_, cuda)) = languages {
                lines.extend(["else()".to_owned(), cuda.to_owned()]);
            }
            lines.push("endif()".to_owned());
        }
        lines
            .iter()
            .map(|line| format!("{line}{}", doc.newline()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{Applicability, EditSet, Fix, apply};
    use crate::text::SourceFile;

    /// A build file with some words replaced (a word that is not there becomes a line at the end) for both vendors.
    fn both(path: &str, text: &str, edits: &[(&str, &str)]) -> String {
        let source = SourceFile::new(path, text.as_bytes().to_vec());
        let doc = BuildFile::new(&source);
        let edit = |(from, to): &(&str, &str)| {
            let at = text.find(from).expect("the word is in the text") as u32;
            Edit::replace(TextRange::new(at, at + from.len() as u32), (*to).to_owned())
        };
        let edits: Vec<Edit> = edits.iter().map(edit).collect();
        let made = match path {
            "Makefile" => of_make(&doc, &edits),
            _ => of_cmake(&doc, &edits),
        };
        let fix = Fix::safe(made);
        let edits = EditSet::resolve(&[(0, Some(&fix))], Applicability::Safe).edits;
        String::from_utf8(apply(text.as_bytes(), &edits)).expect("it is text")
    }

    #[test]
    fn lines_that_hold_half_a_command_do_not_stand_there_twice() {
        for text in [
            "set(A x\n) find_package(CUDA)\n",
            "message(\"\nx\" ${CUDA_LIBRARIES})\" )\n",
        ] {
            let word = if text.contains("find") {
                "CUDA)"
            } else {
                "${CUDA_LIBRARIES}"
            };
            let made = both("CMakeLists.txt", text, &[(word, "hip)")]);
            assert!(!made.contains("if(USE_HIP)"), "{made}");
        }
    }

    #[test]
    fn lines_of_a_makefile_stand_beside_each_other() {
        for (text, edits, expected) in [
            (
                "A = 1\nCC = nvcc\n",
                &[("nvcc", "hipcc")][..],
                "A = 1\nifdef USE_HIP\nCC = hipcc\nelse\nCC = nvcc\nendif\n",
            ),
            (
                "CC = nvcc",
                &[("nvcc", "hipcc")],
                "ifdef USE_HIP\nCC = hipcc\nelse\nCC = nvcc\nendif\n",
            ),
            (
                "CC = nvcc\r\n",
                &[("nvcc", "hipcc")],
                "ifdef USE_HIP\r\nCC = hipcc\r\nelse\r\nCC = nvcc\r\nendif\r\n",
            ),
            // Neighbours share a condition, and joined lines stay joined.
            (
                "CC = nvcc\nLIBS = -lcublas\n",
                &[("nvcc", "hipcc"), ("-lcublas", "-lhipblas")],
                "ifdef USE_HIP\nCC = hipcc\nLIBS = -lhipblas\nelse\nCC = nvcc\nLIBS = -lcublas\nendif\n",
            ),
            (
                "app:\n\tnvcc a.cu \\\n\t  -lcublas\nB = 1\n",
                &[("-lcublas", "-lhipblas")],
                "app:\nifdef USE_HIP\n\tnvcc a.cu \\\n\t  -lhipblas\nelse\n\tnvcc a.cu \\\n\t  -lcublas\nendif\nB = 1\n",
            ),
            (
                "A = 1\nFLAGS = -G\n",
                &[("FLAGS = -G\n", "")],
                "A = 1\nifndef USE_HIP\nFLAGS = -G\nendif\n",
            ),
            ("A = 1\n", &[], "A = 1\n"),
        ] {
            assert_eq!(both("Makefile", text, edits), expected, "{text}");
        }
    }

    #[test]
    fn commands_of_cmake_stand_beside_each_other() {
        let option = "option(USE_HIP \"Build for AMD GPUs, with HIP\" OFF)\n";
        for (text, edits, expected) in [
            (
                "add_library(a a.c)\ntarget_link_libraries(a CUDA::cublas)\n",
                &[("CUDA::cublas", "roc::hipblas")][..],
                "add_library(a a.c)\nif(USE_HIP)\n  target_link_libraries(a roc::hipblas)\nelse()\n  target_link_libraries(a CUDA::cublas)\nendif()\n".to_owned(),
            ),
            // The top list has the option.
            (
                "project(a)\nset(B nvcc)\n",
                &[("nvcc", "hipcc")],
                format!("project(a)\n{option}if(USE_HIP)\n  set(B hipcc)\nelse()\n  set(B nvcc)\nendif()\n"),
            ),
            (
                "project(a LANGUAGES CXX CUDA)\n",
                &[("CUDA", "HIP")],
                format!("{option}if(USE_HIP)\n  set(GPU_LANGUAGE HIP)\nelse()\n  set(GPU_LANGUAGE CUDA)\nendif()\nproject(a LANGUAGES CXX ${{GPU_LANGUAGE}})\n"),
            ),
            // A command that goes with its line.
            (
                "set(A b)\n  helper(c)\nset(D e)\n",
                &[("  helper(c)\n", "")],
                "set(A b)\n  if(NOT USE_HIP)\n    helper(c)\n  endif()\nset(D e)\n".to_owned(),
            ),
            // A condition asks for either.
            (
                "if(CUDA_FOUND)\nendif()\n",
                &[("CUDA_FOUND", "TRUE")],
                "if(USE_HIP OR CUDA_FOUND)\nendif()\n".to_owned(),
            ),
            (
                "if(CUDA_FOUND AND B)\nendif()\n",
                &[("CUDA_FOUND", "hip_FOUND")],
                "if((USE_HIP AND (hip_FOUND AND B)) OR (NOT USE_HIP AND (CUDA_FOUND AND B)))\nendif()\n".to_owned(),
            ),
            // What ends a block of another kind stays, and so does what stands outside of commands.
            ("foreach(a CUDA)\nendforeach()\n", &[("CUDA", "HIP")], "foreach(a CUDA)\nendforeach()\n".to_owned()),
            ("# CUDA\nset(a b)\n", &[("CUDA", "HIP")], "# CUDA\nset(a b)\n".to_owned()),
            // A text of several lines is not indented.
            (
                "set(a \"x\nnvcc\")\n",
                &[("nvcc", "hipcc")],
                "if(USE_HIP)\nset(a \"x\nhipcc\")\nelse()\nset(a \"x\nnvcc\")\nendif()\n".to_owned(),
            ),
        ] {
            let path = if text.starts_with("project") { "CMakeLists.txt" } else { "lib/CMakeLists.txt" };
            assert_eq!(both(path, text, edits), expected, "{text}");
        }
    }
}
