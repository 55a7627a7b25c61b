//! An option of nvcc in a build file.
//!
//! ## Why on AMD
//! hipcc and clang refuse most of nvcc's own options. What has a counterpart gets it: `-Xcompiler -fopenmp` is `-fopenmp`,
//! `--use_fast_math` is `-ffast-math`; what clang needs no option for goes. `mappings/build.toml` has the list.
//!
//! ## Example
//! ```make
//! CFLAGS += -Xcompiler -Wall,-fopenmp --expt-relaxed-constexpr -rdc=true
//! ```
//! becomes
//! ```make
//! CFLAGS += -Wall -fopenmp -fgpu-rdc
//! ```
//!
//! ## When to ignore
//! When the option is for another program that knows it. A script of Python that calls nvcc is left as it is, and has one finding for all
//! of its options.
//!
//! ## Source
//! `nvcc --help` of CUDA 12.9; clang 19, "HIP Support" and `clang --help`.

use std::ops::Range;

use crate::build::amd_tools::is_script_for_both;
use crate::build::command::command_around;
use crate::build::deletion::deletion;
use crate::build::generator::emptied;
use crate::build::make::DEVICE_LINK;
use crate::build::nvcc_line::is_for_nvcc;
use crate::build::removal::emptied_argument;
use crate::build::words::{
    CHIP_OPTIONS, argument, fix, indent, is_in_prose, is_joined, is_of_plain_command, is_quoted,
    line_of, parts_list, passed_on, range_of, words,
};
use crate::mapping::{BuildTable, BuildWord};
use crate::rules::prelude::*;

/// Writes what clang takes.
pub static RULE: Rule = Rule {
    code: "CASS621",
    severity: Severity::Warning,
    fix: Some(Applicability::Safe),
    priority: 50,
    facts: &[],
    checks: &[Check::BuildFile(check)],
};

fn check(cx: &mut BuildContext<'_, '_>) {
    if is_script_for_both(cx.doc) {
        return;
    }
    // What `-Xcompiler` hands on goes with it.
    let passed = passed_on(cx.doc);
    let options: Vec<TokenIndex> = words(cx.doc)
        .filter(|&at| cx.doc.bytes(at).starts_with(b"-") && !passed.contains(&at))
        .collect();
    let mut of_python = Vec::new();
    for index in options {
        let value = argument(cx.doc, index);
        let text = value
            .as_ref()
            .map(|value| cx.text_of(range_of(cx.doc, value)).into_owned());
        let text = text.unwrap_or_default();
        let Some((word, has_argument)) = BuildTable::builtin().option(&cx.text(index), &text)
        else {
            continue;
        };
        if is_in_prose(cx.doc, index)
            || is_of_plain_command(cx.doc, index)
            || is_of_cmake(cx.doc, index)
            || word.shared && !is_for_nvcc(cx.doc, index)
            || is_clangs(cx.doc, index, &text)
            || is_pattern(cx.doc, index)
            || is_device_link(cx.doc, index)
        {
            continue;
        }
        if cx.doc.source.path.ends_with(".py") {
            if !is_in_sentence(cx.doc, index) {
                of_python.push((index, word));
            }
            continue;
        }
        if has_argument && value.is_none() {
            alone(cx, index, word);
            continue;
        }
        let is_assigned = cx.doc.is(index + 1, "=");
        let (last, text) = match value {
            Some(value) if has_argument || is_assigned => (value.end - 1, text.as_str()),
            _ => (index, ""),
        };
        report(cx, index, last, word, text);
    }
    report_of_python(cx, &of_python);
}

/// Whether an option stands in a sentence, `"Enable line information for profiling (adds -lineinfo)"`: behind words of letters alone, more
/// than a command and its arguments have.
fn is_in_sentence(doc: &BuildFile<'_>, index: TokenIndex) -> bool {
    /// `nvcc`, `-o out`, `-x cu`.
    const OF_A_COMMAND: usize = 3;
    let start = doc.tokens[index].range().start as usize;
    let before = &doc.source.bytes[..start];
    let text = before
        .rsplit(|byte| matches!(byte, b'"' | b'\'' | b'\n'))
        .next()
        .unwrap_or_default();
    let words = text.split(|byte| *byte == b' ');
    let letters = words.filter(|it| !it.is_empty() && it.iter().all(u8::is_ascii_alphabetic));
    letters.count() > OF_A_COMMAND
}

/// How many options a finding names.
const MOST_NAMED: usize = 12;

/// Says at the first of them which options a script of Python gives to the nvcc that it calls. Lists and texts of Python are left as they
/// are, for NVIDIA's build goes on reading them.
fn report_of_python(cx: &mut BuildContext<'_, '_>, options: &[(TokenIndex, &'static BuildWord)]) {
    let Some(&(first, _)) = options.first() else {
        return;
    };
    // One that nothing stands for on AMD is an error, as in other build files.
    let severity = match options.iter().any(|(_, word)| word.becomes.is_none()) {
        true => Severity::Error,
        false => RULE.severity,
    };
    let mut names: Vec<String> = Vec::new();
    for &(option, _) in options {
        let name = format!("`{}`", cx.text(option));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let more = names.len().saturating_sub(MOST_NAMED);
    names.truncate(MOST_NAMED);
    let behind = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = match names.as_slice() {
        [name] => format!("hipcc does not take nvcc's option {name}"),
        _ => format!(
            "hipcc does not take these options of nvcc: {}{behind}",
            names.join(", ")
        ),
    };
    let help = "leave them out where hipcc is called, or call `cass-transpile nvcc` in nvcc's place, which takes them for AMD";
    let finding = RULE.finding(cx.range(first), message);
    cx.report(finding.severity(severity).help(help));
}

fn report(
    cx: &mut BuildContext<'_, '_>,
    first: TokenIndex,
    last: TokenIndex,
    word: &'static BuildWord,
    argument: &str,
) {
    let range = cx.doc.range(first, last);
    let option = cx.text(first).into_owned();
    let Some(becomes) = &word.becomes else {
        let message = format!("nvcc option `{option}` has no counterpart");
        let finding = RULE.finding(range, message).severity(Severity::Error);
        return cx.report(finding.help(word.advice.as_str()));
    };
    let words = match becomes.starts_with("-Wl,") {
        // The linker's words are parted by commas on both sides.
        true => argument.trim_matches(['"', '\'']).to_owned(),
        false => as_words(argument),
    };
    if let Some(word) = words.split(' ').find(|word| names_chips(word)) {
        let message = format!("`{option}` gives `{word}` to the host's compiler");
        let help = "hipcc has one compiler for host and device: leave it out, or write what it means on the host, as -march=native";
        return cx.report(RULE.finding(range, message).help(help));
    }
    if becomes == "{}"
        && let Some(parted) = parted(cx.doc, first, last)
    {
        let message = format!("nvcc option `{option}` passes the words of `{argument}` on");
        let help = "nvcc parts such a text at its blanks; clang would take it for one argument";
        let finding = RULE.finding(range, message).help(help);
        return cx.report(match fix(cx.doc, Applicability::Safe, parted) {
            Some(fix) => finding.fix(fix).severity(Severity::Info),
            None => finding,
        });
    }
    let words = match becomes.as_str() {
        "{}" => words
            .split(' ')
            .map(as_clang_takes_it)
            .collect::<Vec<_>>()
            .join(" "),
        _ => words,
    };
    let becomes = in_place(cx.doc, first, last, &becomes.replace("{}", &words));
    if cx.doc.tool == BuildTool::Other {
        let message = format!("hipcc does not take nvcc's option `{option}`");
        let help = match becomes.is_empty() {
            true => "leave it out where hipcc is called".to_owned(),
            false => format!("write `{becomes}` where hipcc is called"),
        };
        return cx.report(RULE.finding(range, message).help(help));
    }
    let (message, edit) = if becomes.is_empty() {
        (
            format!("nvcc option `{option}` is removed"),
            deletion(cx.doc, removed(cx.doc, first..last + 1)),
        )
    } else {
        (
            format!("nvcc option `{option}` becomes `{becomes}`"),
            Edit::replace(range, becomes),
        )
    };
    let is_sure = word.review.is_empty();
    let applicability = if is_sure {
        Applicability::Safe
    } else {
        Applicability::Review
    };
    let mut edits = vec![edit];
    edits.extend(quotes(cx.doc, first, last, &edits[0]));
    let Some(fix) = fix(cx.doc, applicability, edits) else {
        if is_filtered(cx.doc, first) {
            let message = format!("nvcc option `{option}` is asked for among options");
            let help = "the flags have none on AMD, so nothing is found: no harm is done";
            let finding = RULE.finding(range, message).severity(Severity::Info);
            return cx.report(finding.help(help));
        }
        // Quotes or brackets of the line would no longer be in pairs.
        let message =
            format!("nvcc option `{option}` is not clang's, and the line cannot be parted here");
        let help = "write its argument as clang takes it, without the option";
        return cx.report(RULE.finding(range, message).help(help));
    };
    let finding = RULE.finding(range, message).help(word.review.as_str());
    let finding = finding.fix(fix);
    cx.report(match is_sure {
        true => finding.severity(Severity::Info),
        false => finding,
    });
}

/// The edits that part the text of a variable in a list of CMake, `set(FLAGS -Xcompiler ${CMAKE_CXX_FLAGS})`: a line of their own
/// makes a list of it. `None` where the option stands in a text, whose words are parted later, or has another argument.
fn parted(doc: &BuildFile<'_>, option: TokenIndex, last: TokenIndex) -> Option<Vec<Edit>> {
    let is_reference = last == option + 4
        && doc.is(option + 1, "$")
        && doc.is(option + 2, "{")
        && doc.is(last, "}")
        && !is_joined(doc, option + 1);
    let command = command_around(doc.commands(), option)?;
    if doc.tool != BuildTool::CMake || !is_reference || is_quoted(doc, option) {
        return None;
    }
    let name = doc.source.text(doc.tokens[option + 3].range());
    let is_text = name.ends_with("_FLAGS") || name.contains("_FLAGS_");
    let blanks = indent(doc, command.name).filter(|_| is_text)?;
    let list = format!("{name}_LIST");
    let line = format!(
        "separate_arguments({list} NATIVE_COMMAND \"${{{name}}}\"){}{blanks}",
        doc.newline()
    );
    Some(vec![
        Edit::insert(doc.tokens[command.name].start, line),
        Edit::replace(doc.range(option, last), format!("${{{list}}}")),
    ])
}

/// What an option becomes, as it is written where the option stands.
fn in_place(doc: &BuildFile<'_>, first: TokenIndex, last: TokenIndex, becomes: &str) -> String {
    let mut becomes = becomes.to_owned();
    if doc.tool == BuildTool::CMake {
        // What clang calls it: CMake's compiler for HIP is no hipcc, and takes a `.cu` file for CUDA.
        becomes = becomes.replace("--genco", "-x hip --cuda-device-only");
    }
    if becomes == "-O0 -g" {
        let missing = ["-O0", "-g"].into_iter();
        let missing = missing.filter(|word| !has_in_line(doc, first, word));
        becomes = missing.collect::<Vec<_>>().join(" ");
    }
    if let Some(rest) = becomes
        .strip_suffix(" -c")
        .filter(|_| has_in_line(doc, first, "-c"))
    {
        becomes = rest.to_owned();
    }
    let is_expression = || expression_around(doc, first, last).is_some();
    if parts_list(doc, first + 1) || is_item(doc, first) || is_expression() {
        becomes = becomes.replace(' ', ";");
    }
    becomes
}

/// The argument of a command of CMake that is one generator expression around an option, without the quotes that it may stand in:
/// `$<$<COMPILE_LANGUAGE:CUDA>:-G>`. `None` where blanks part the words in it, as in the flags that CMake reads as a text.
fn expression_around(
    doc: &BuildFile<'_>,
    option: TokenIndex,
    last: TokenIndex,
) -> Option<Range<TokenIndex>> {
    if doc.tool != BuildTool::CMake {
        return None;
    }
    let command = command_around(doc.commands(), option)?;
    // A longer expression is no list of options for people.
    const LONGEST: usize = 400;
    let is_edge = |at: TokenIndex| matches!(doc.bytes(at), b"\"" | b"(" | b")");
    let first = (command.open + 1).max(option.saturating_sub(LONGEST));
    let mut start = option;
    while start > first && is_joined(doc, start) && !is_edge(start - 1) {
        start -= 1;
    }
    let mut end = last + 1;
    while end < command.close.min(last + LONGEST) && is_joined(doc, end) && !is_edge(end) {
        end += 1;
    }
    let is_one = doc.is(start, "$") && doc.is(start + 1, "<") && doc.is(end - 1, ">");
    let is_whole = match doc.is_before(start, "\"") {
        true => doc.is(end, "\""),
        false => end == command.close || !is_joined(doc, end),
    };
    let is_text = doc.is(command.name, "set") && doc.bytes(command.open + 1).starts_with(b"CMAKE_");
    (is_one && is_whole && !is_text).then_some(start..end)
}

/// The quotes that keep a generator expression together in which one option becomes several, where it has none.
fn quotes(doc: &BuildFile<'_>, first: TokenIndex, last: TokenIndex, edit: &Edit) -> Vec<Edit> {
    let is_alone = doc.is_before(first, ":") && doc.is(last + 1, ">");
    let argument = expression_around(doc, first, last)
        .filter(|it| is_alone && edit.content.contains(';') && !doc.is_before(it.start, "\""));
    argument.map_or_else(Vec::new, |argument| {
        let range = range_of(doc, &argument);
        vec![
            Edit::insert(range.start, "\""),
            Edit::insert(range.end, "\""),
        ]
    })
}

/// Whether an option is all that a text of CMake holds, `set(FLAGS "-fatbin")`: several words would be one argument. The flags that CMake
/// reads itself are texts.
fn is_item(doc: &BuildFile<'_>, option: TokenIndex) -> bool {
    let is_quoted =
        doc.is_before(option, "\"") && option + 1 < doc.tokens.len() && doc.is(option + 1, "\"");
    let of_cmake = |at: TokenIndex| doc.bytes(at).starts_with(b"CMAKE_");
    doc.tool == BuildTool::CMake && is_quoted && !(line_of(doc, option)..option).any(of_cmake)
}

/// The generator expression that would be empty without the options in it, of which this one is the first.
fn emptied_around(doc: &BuildFile<'_>, option: TokenIndex) -> Option<Range<TokenIndex>> {
    let goes = |at: TokenIndex| {
        let is_assigned = doc.is(at + 1, "=");
        let value = argument(doc, at);
        let text = value
            .as_ref()
            .map(|value| doc.source.text(range_of(doc, value)));
        let word = doc.source.text(doc.tokens[at].range());
        let found = BuildTable::builtin().option(&word, &text.unwrap_or_default());
        let (word, takes) = found?;
        let value = value.filter(|_| is_assigned || takes);
        let is_whole = value.is_some() || !takes;
        let tokens = value.map_or(1, |value| value.end - at);
        (is_whole && word.becomes.as_deref() == Some("")).then_some(tokens)
    };
    let is_first = doc.is_before(option, ":");
    emptied(doc, option, &goes).filter(|_| is_first && doc.tool == BuildTool::CMake)
}

/// What goes with the words of an option: the generator expression that would be empty without it, and the command of CMake that would
/// add nothing.
fn removed(doc: &BuildFile<'_>, option: Range<TokenIndex>) -> TextRange {
    let item = emptied_around(doc, option.start).unwrap_or(option);
    let whole = emptied_argument(doc, &item).unwrap_or(item);
    range_of(doc, &whole)
}

/// `string(PREPEND FLAGS "-Xcompiler ")`: the argument comes from elsewhere.
fn alone(cx: &mut BuildContext<'_, '_>, index: TokenIndex, word: &BuildWord) {
    let message = format!(
        "nvcc option `{}` stands without its argument",
        cx.text(index)
    );
    let help = match word.becomes.as_deref() {
        Some("") => "hipcc has no such option: leave it out, and its argument with it",
        _ => "hipcc takes the host compiler's and the linker's options as they are: leave it out",
    };
    cx.report(RULE.finding(cx.range(index), message).help(help));
}

/// Whether the word is one of the patterns of a shell's `case`: `-G|-g)` asks for an option, and blanks would end it. One alone begins its
/// line.
fn is_pattern(doc: &BuildFile<'_>, index: TokenIndex) -> bool {
    let line = |at: TokenIndex| doc.source.line_col(doc.tokens[at].start).line;
    let is_first = index == 0 || line(index - 1) < line(index);
    if is_first && doc.tool == BuildTool::Shell && doc.is(index + 1, ")") {
        return true;
    }
    let is_joined = |at: TokenIndex| doc.is(at, "|") && !doc.tokens[at].has(flags::SPACE_BEFORE);
    is_joined(index + 1)
        || index > 0 && is_joined(index - 1) && !doc.tokens[index].has(flags::SPACE_BEFORE)
}

/// Whether clang takes the option as it is: `-Xlinker --as-needed`, where nvcc would also take a list.
fn is_clangs(doc: &BuildFile<'_>, index: TokenIndex, argument: &str) -> bool {
    doc.is(index, "-Xlinker") && !doc.is(index + 1, "=") && !argument.contains(',')
}

/// Whether the option is the step that another rule finds a place for.
fn is_device_link(doc: &BuildFile<'_>, index: TokenIndex) -> bool {
    let is_command = matches!(doc.tool, BuildTool::Make | BuildTool::Shell);
    is_command && DEVICE_LINK.contains(&doc.bytes(index))
}

/// Whether a word stands in the line of another.
fn has_in_line(doc: &BuildFile<'_>, index: TokenIndex, word: &str) -> bool {
    let line = |at: TokenIndex| doc.source.line_col(doc.tokens[at].start).line;
    let near = index.saturating_sub(100)..(index + 100).min(doc.tokens.len());
    near.into_iter()
        .any(|at| doc.is(at, word) && line(at) == line(index))
}

/// Whether the option is one of the program cmake: `cmake -G Ninja`.
fn is_of_cmake(doc: &BuildFile<'_>, index: TokenIndex) -> bool {
    let names = |at: TokenIndex| {
        let word = doc.bytes(at);
        let is_file = doc.tool == BuildTool::CMake && !word.ends_with(b"cmake");
        !is_file && memchr::memmem::find(word, b"cmake").is_some()
    };
    (line_of(doc, index)..index).any(names)
}

/// Whether a word that was for another compiler would name NVIDIA's chips once it is an option of hipcc.
fn names_chips(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or_default();
    CHIP_OPTIONS.contains(&name)
}

/// Whether an option stands in a file of make as what a function picks from others or takes out of them.
fn is_filtered(doc: &BuildFile<'_>, option: TokenIndex) -> bool {
    const PICKING: &[&str] = &["filter", "filter-out", "findstring"];
    doc.tool == BuildTool::Make && PICKING.iter().any(|name| doc.is_before(option, name))
}

/// A word that was for the host's compiler; an option of nvcc that was given to it by mistake, `-Xcompiler -lineinfo`, as clang takes it.
fn as_clang_takes_it(word: &str) -> &str {
    let option = BuildTable::builtin().option(word, "");
    let option = option.filter(|(it, takes)| !it.shared && !takes && it.review.is_empty());
    option
        .and_then(|(it, _)| it.becomes.as_deref())
        .filter(|it| !it.is_empty())
        .unwrap_or(word)
}

/// The argument of `-Xcompiler` as words: commas part them, quotes held them together.
fn as_words(argument: &str) -> String {
    let argument = argument.trim_matches(['"', '\'']);
    if let Some(list) = joined_by_commas(argument) {
        return list.to_owned();
    }
    let mut depth = 0_usize;
    let part = |char: char| {
        match char {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => return ' ',
            _ => {}
        }
        char
    };
    argument.chars().map(part).collect()
}

/// The words to which make's `$(subst $(space),$(comma),$(CXXFLAGS))` gives commas in the place of blanks.
fn joined_by_commas(argument: &str) -> Option<&str> {
    let call = argument
        .strip_prefix("$(")
        .and_then(|it| it.strip_suffix(')'));
    let call = call.or_else(|| argument.strip_prefix("${")?.strip_suffix('}'));
    let (_, rest) = call?.strip_prefix("subst ")?.split_once(',')?;
    let (comma, words) = rest.split_once(',')?;
    let names_comma = comma.to_ascii_lowercase().contains("comma");
    names_comma.then_some(words.trim())
}
