//! What is worth a second look when code is reviewed. A list for people, not a check: each line may be right as it is.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Result;
use walkdir::WalkDir;

use crate::steps::root;

/// Lines of a file, without its tests, behind which it may hold two jobs.
const LONG_FILE: usize = 400;
/// Lines of a function behind which it may do two things.
const LONG_FUNCTION: usize = 50;

/// Strings of a list behind which it may be knowledge that belongs into a table of `mappings/`.
const LONG_LIST: usize = 8;

/// Words in messages that only this project uses, and what clang, HIP or CUDA's guide would say.
const PRIVATE: &[(&str, &str)] = &[
    ("see that ", "check that"),
    ("see whether ", "check whether"),
    ("look whether ", "check whether"),
    (" wants ", "requires, takes"),
    ("lets no ", "rejects"),
    ("counted with", "arithmetic on"),
    ("count on a", "rely on"),
    ("keeps its name", "exists in HIP"),
    ("in a text ", "in a string literal"),
    ("does without", "does not need"),
    ("nobody", "nothing, no caller"),
    ("somebody", "the passive voice"),
    ("speaks of", "is about"),
];

/// Prints the list, by kind.
///
/// # Errors
/// When a source cannot be read.
pub fn list() -> Result<()> {
    let mut sources = BTreeMap::new();
    for folder in ["src", "emulator/src", "mappings"] {
        for item in WalkDir::new(root().join(folder)).sort_by_file_name() {
            let item = item?;
            let path = item.path();
            if path
                .extension()
                .is_some_and(|it| it == "rs" || it == "toml")
            {
                let name = path.strip_prefix(root())?.display().to_string();
                sources.insert(name, without_tests(&fs::read_to_string(path)?));
            }
        }
    }
    let rust = || sources.iter().filter(|(name, _)| name.ends_with(".rs"));
    for (name, text) in rust().filter(|(_, text)| text.lines().count() > LONG_FILE) {
        println!("long file: {name}, {} lines", text.lines().count());
    }
    for (name, text) in rust() {
        for (function, lines) in functions(text) {
            if lines > LONG_FUNCTION {
                println!("long function: {name}: {function}, {lines} lines");
            }
        }
        let closures = named_closures(text);
        if closures > 5 {
            println!("named closures: {name}, {closures}");
        }
        for (first, strings) in lists(text) {
            if strings >= LONG_LIST {
                println!("list in code: {name}: {strings} strings from {first:?}");
            }
        }
        if let Some(words) = one_word_names(text) {
            println!("one-word names: {name}: {words}");
        }
    }
    for (name, text) in &sources {
        for (word, better) in PRIVATE {
            for string in strings(name, text).filter(|string| string.contains(word)) {
                println!("private word: {name}: `{word}` in {string:?}; {better}");
            }
        }
    }
    Ok(())
}

/// A source up to its tests.
fn without_tests(text: &str) -> String {
    let end = text.find("\n#[cfg(test)]\nmod tests");
    text[..end.unwrap_or(text.len())].to_owned()
}

/// Name and length of each function, as rustfmt lays it out: it ends with a brace below its first letter.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let heads = lines
        .iter()
        .enumerate()
        .filter_map(|(at, line)| Some((at, line, function_name(line)?)));
    heads
        .map(|(at, line, name)| {
            let end = format!("{}}}", " ".repeat(line.len() - line.trim_start().len()));
            let is_short = line.ends_with(';') || line.ends_with('}');
            let rest = lines[at..].iter().take_while(|line| **line != end);
            (name, if is_short { 1 } else { rest.count() + 1 })
        })
        .collect()
}

/// The name of the function that begins on a line.
fn function_name(line: &str) -> Option<&str> {
    let (before, rest) = line.trim_start().split_once("fn ")?;
    let is_kind = |word: &str| {
        let is_word = matches!(word, "const" | "async" | "unsafe" | "pub" | "in");
        is_word || word.starts_with("pub(") || word.ends_with(')')
    };
    let name = rest.split(['(', '<']).next()?;
    before.split_whitespace().all(is_kind).then_some(name)
}

/// The lists of strings of a source, `["a", "b"]`: the first string and how many there are.
fn lists(text: &str) -> Vec<(String, usize)> {
    let lines = text.lines();
    let code: Vec<&str> = lines
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    let code = code.join("\n");
    let insides = code.split('[').skip(1).map(|rest| rest.split(']').next());
    insides.flatten().filter_map(strings_of_list).collect()
}

/// The first of the strings between two brackets, and how many there are; `None` where there is anything else.
fn strings_of_list(inside: &str) -> Option<(String, usize)> {
    let is_between = |text: &str| text.chars().all(|sign| " \n,b&".contains(sign));
    let mut parts = inside.split('"');
    let only_strings = parts.clone().step_by(2).all(is_between);
    let first = parts.nth(1).filter(|_| only_strings)?;
    Some((first.to_owned(), inside.matches('"').count() / 2))
}

fn named_closures(text: &str) -> usize {
    let is_closure = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("let ") && (line.contains("= |") || line.contains("= move |"))
    };
    text.lines().filter(is_closure).count()
}

/// Functions named by one word that says nothing of what comes out, where a file has more than two.
fn one_word_names(text: &str) -> Option<String> {
    const EMPTY: &[&str] = &[
        "of", "take", "add", "text", "words", "look", "place", "told", "kept",
    ];
    let names: Vec<&str> = functions(text)
        .into_iter()
        .map(|(name, _)| name)
        .filter(|name| EMPTY.contains(name) || name.starts_with("of_"))
        .collect();
    (names.len() > 2).then(|| names.join(", "))
}

/// String literals of a source, as far as single lines tell.
fn strings<'t>(name: &str, text: &'t str) -> impl Iterator<Item = &'t str> {
    let is_table = Path::new(name).extension().is_some_and(|it| it == "toml");
    let comment = if is_table { "#" } else { "//" };
    let code = text
        .lines()
        .filter(move |line| !line.trim_start().starts_with(comment));
    code.flat_map(|line| line.split('"').skip(1).step_by(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_strings_and_nothing_else() {
        let text = "const A: &[&str] = &[\n    \"a\",\n    // \"x\",\n    \"b\",\n];\nlet b = [c, \"d\"];\nx[1]";
        assert_eq!(lists(text), [("a".to_owned(), 2)]);
    }

    #[test]
    fn a_function_is_as_long_as_its_lines() {
        let text = "fn a() {\n    b();\n}\n\nfn c() {}\n";
        assert_eq!(functions(text), [("a", 3), ("c", 1)]);
    }
}
