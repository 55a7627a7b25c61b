//! The modules of the crate and the paths that lead from one to another, read from the words of the sources: a `use`, a glob, a path in
//! code, through what a module only offers to others.

use std::collections::{BTreeMap, BTreeSet};

/// A module: where it stands, its children, what it defines and what it brings in.
#[derive(Default)]
pub(crate) struct Module {
    pub(crate) file: Vec<String>,
    defined: BTreeSet<String>,
    /// The name here and the path that it is brought in by.
    pub(crate) imports: Vec<(String, Vec<String>)>,
    globs: Vec<Vec<String>>,
    words: Vec<String>,
    /// Paths in code, outside `use`.
    paths: Vec<Vec<String>>,
}

impl Module {
    fn of(file: &[String]) -> Self {
        Self {
            file: file.to_vec(),
            ..Self::default()
        }
    }
}

pub(crate) type Modules = BTreeMap<Vec<String>, Module>;

/// The modules of the crate.
pub(crate) fn modules(sources: &BTreeMap<String, String>) -> Modules {
    sources
        .iter()
        .filter(|(file, _)| !matches!(file.as_str(), "main.rs"))
        .flat_map(|(file, text)| parse(&module_path(file), text))
        .collect()
}

fn module_path(file: &str) -> Vec<String> {
    let path = file.strip_suffix(".rs").expect("it is a source");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    match path {
        "lib" => Vec::new(),
        _ => path.split('/').map(str::to_owned).collect(),
    }
}

/// Words and marks of a source, without comments and strings.
fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let bytes: Vec<char> = text.chars().collect();
    let mut at = 0;
    while at < bytes.len() {
        let letter = bytes[at];
        let next = bytes.get(at + 1).copied().unwrap_or(' ');
        match letter {
            '/' if next == '/' => {
                while at < bytes.len() && bytes[at] != '\n' {
                    at += 1;
                }
            }
            'r' if next == '"'
                || next == '#' && bytes.get(at + 2).is_some_and(|c| matches!(c, '"' | '#')) =>
            {
                let hashes = bytes[at + 1..].iter().take_while(|c| **c == '#').count();
                at += hashes + 2;
                let end: String = std::iter::once('"')
                    .chain(std::iter::repeat_n('#', hashes))
                    .collect();
                let end: Vec<char> = end.chars().collect();
                while at < bytes.len() && !bytes[at..].starts_with(&end) {
                    at += 1;
                }
                at += end.len();
            }
            '"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != '"' {
                    at += 1 + usize::from(bytes[at] == '\\');
                }
                at += 1;
            }
            '\'' if next == '\\' => {
                at += 3;
                while bytes.get(at).is_some_and(|c| *c != '\'') {
                    at += 1;
                }
                at += 1;
            }
            '\'' if bytes.get(at + 2) == Some(&'\'') => at += 3,
            _ if letter.is_alphanumeric() || letter == '_' => {
                let start = at;
                while at < bytes.len() && (bytes[at].is_alphanumeric() || bytes[at] == '_') {
                    at += 1;
                }
                found.push(bytes[start..at].iter().collect());
            }
            ':' if next == ':' => {
                found.push("::".to_owned());
                at += 2;
            }
            _ => {
                if !letter.is_whitespace() {
                    found.push(letter.to_string());
                }
                at += 1;
            }
        }
    }
    found
}

fn is_word(token: &str) -> bool {
    token.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

/// The modules of a file: its own, and those in braces by their names.
fn parse(file: &[String], text: &str) -> Vec<(Vec<String>, Module)> {
    const ITEMS: [&str; 8] = [
        "fn",
        "struct",
        "enum",
        "trait",
        "type",
        "const",
        "static",
        "macro_rules",
    ];
    let tokens = tokens(text);
    let mut done = Vec::new();
    let mut open = vec![(0, file.to_vec(), Module::of(file))];
    let (mut at, mut depth) = (0, 0);
    while at < tokens.len() {
        let token = tokens[at].as_str();
        let (outside, path, module) = open.last_mut().expect("the file's own stays open");
        match token {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                if depth < *outside {
                    done.extend(open.pop().map(|(_, path, module)| (path, module)));
                }
            }
            "mod" if tokens.get(at + 2).is_some_and(|mark| mark == "{") => {
                let inner = [path.as_slice(), &tokens[at + 1..at + 2]].concat();
                depth += 1;
                open.push((depth, inner, Module::of(file)));
                at += 2;
            }
            // `mod apply;` beside `pub use apply::apply` uses nothing.
            "mod" if tokens.get(at + 2).is_some_and(|mark| mark == ";") => at += 1,
            // `pub(in crate::cli)` uses nothing.
            "in" if at > 0 && tokens[at - 1] == "(" => {
                while tokens[at] != ")" {
                    at += 1;
                }
            }
            "use" => at = use_tree(&tokens, at + 1, &[], module) - 1,
            _ if ITEMS.contains(&token) => {
                let name = tokens[at + 1..]
                    .iter()
                    .find(|token| is_word(token) && *token != "mut");
                if depth == *outside {
                    module.defined.extend(name.cloned());
                }
            }
            _ if is_word(token) => {
                let (start, mut path) = (at, vec![token.to_owned()]);
                while tokens.get(at + 1).is_some_and(|mark| mark == "::")
                    && tokens.get(at + 2).is_some_and(|word| is_word(word))
                {
                    path.push(tokens[at + 2].clone());
                    at += 2;
                }
                // A method or a field is no name that a path can lead to.
                if start == 0 || tokens[start - 1] != "." {
                    module.words.extend(path.first().cloned());
                }
                if path.len() > 1 {
                    module.paths.push(path);
                }
            }
            _ => {}
        }
        at += 1;
    }
    done.extend(open.into_iter().map(|(_, path, module)| (path, module)));
    done
}

/// Reads what follows `use` or a comma of its braces; returns the place behind.
fn use_tree(tokens: &[String], mut at: usize, before: &[String], module: &mut Module) -> usize {
    let mut path = before.to_vec();
    loop {
        match tokens[at].as_str() {
            "{" => {
                at += 1;
                while tokens[at] != "}" {
                    at = use_tree(tokens, at, &path, module);
                    at += usize::from(tokens[at] == ",");
                }
                return at + 1;
            }
            "*" => {
                module.globs.push(path);
                return at + 1;
            }
            "::" => at += 1,
            word => {
                path.push(word.to_owned());
                at += 1;
                let follows = tokens[at].as_str();
                if follows != "::" {
                    let name = if follows == "as" {
                        tokens[at + 1].clone()
                    } else {
                        path[path.len() - 1].clone()
                    };
                    if path.last().is_some_and(|word| word == "self") {
                        path.pop();
                    }
                    let name = if name == "self" {
                        path[path.len() - 1].clone()
                    } else {
                        name
                    };
                    at += if follows == "as" { 2 } else { 0 };
                    module.imports.push((name, path));
                    return at;
                }
            }
        }
    }
}

/// The module that a path written in `here` leads to, re-exports followed; `None` for what is not of this crate.
pub(crate) fn resolve(
    modules: &Modules,
    here: &[String],
    path: &[String],
    depth: usize,
) -> Option<Vec<String>> {
    let (first, rest) = path.split_first()?;
    let mut at = here.to_vec();
    let mut rest = rest;
    match first.as_str() {
        "crate" => at.clear(),
        "self" => {}
        "super" => {
            at.pop();
            while rest.first().is_some_and(|word| word == "super") {
                at.pop();
                rest = &rest[1..];
            }
        }
        _ => {
            at = named(modules, here, first, depth)?;
            if rest.is_empty() || !(at.last() == Some(first) || modules.contains_key(&at)) {
                return Some(at);
            }
            // An item such as a type: what follows is of it.
            let is_module = child(modules, here, first).is_some()
                || modules[here].imports.iter().any(|(name, path)| {
                    name == first && path_is_module(modules, here, path, depth)
                });
            if !is_module {
                return Some(at);
            }
        }
    }
    for word in rest {
        if let Some(inner) = child(modules, &at, word) {
            at = inner;
        } else {
            return Some(named(modules, &at, word, depth).unwrap_or(at));
        }
    }
    Some(at)
}

fn path_is_module(modules: &Modules, here: &[String], path: &[String], depth: usize) -> bool {
    let Some((last, outer)) = path.split_last().filter(|_| depth < 8) else {
        return false;
    };
    let to = |path: &[String]| resolve(modules, here, path, depth + 1);
    // `decode::decode` leads to the module, and is a function of it.
    let is_item = |found: &Vec<String>| !outer.is_empty() && to(outer).as_ref() == Some(found);
    let found = to(path).filter(|found| found.last() == Some(last));
    found.is_some_and(|found| !is_item(&found)) && last.chars().all(|letter| !letter.is_uppercase())
}

fn child(modules: &Modules, here: &[String], word: &str) -> Option<Vec<String>> {
    let mut path = here.to_vec();
    path.push(word.to_owned());
    modules.contains_key(&path).then_some(path)
}

/// The module that defines `word`, as seen from inside `here`.
fn named(modules: &Modules, here: &[String], word: &str, depth: usize) -> Option<Vec<String>> {
    if depth > 8 {
        return None;
    }
    if let Some(inner) = child(modules, here, word) {
        return Some(inner);
    }
    let module = modules.get(here)?;
    if module.defined.contains(word) {
        return Some(here.to_vec());
    }
    if let Some((_, path)) = module.imports.iter().find(|(name, path)| {
        name == word
            && path
                .first()
                .is_some_and(|first| first != word || path.len() > 1)
    }) {
        return resolve(modules, here, path, depth + 1);
    }
    module.globs.iter().find_map(|path| {
        let from = resolve(modules, here, path, depth + 1)?;
        (from != here)
            .then(|| named(modules, &from, word, depth + 1))
            .flatten()
    })
}

/// The modules that a module uses, each with the name that leads there.
pub(crate) fn uses(
    modules: &Modules,
    here: &[String],
    module: &Module,
) -> Vec<(Vec<String>, String)> {
    // What a module brings in and does not use itself is only offered to others.
    let imports = module
        .imports
        .iter()
        .filter(|(name, path)| {
            module.words.contains(name) && !path_is_module(modules, here, path, 0)
        })
        .map(|(name, path)| (resolve(modules, here, path, 0), name.clone()));
    let paths = module
        .paths
        .iter()
        .map(|path| (resolve(modules, here, path, 0), path.join("::")));
    let globs = module
        .globs
        .iter()
        .filter_map(|path| resolve(modules, here, path, 0));
    let words = globs.flat_map(|from| {
        let words = module
            .words
            .iter()
            .filter(|word| !module.defined.contains(*word));
        words
            .filter(|word| child(modules, &from, word).is_none())
            .map(|word| (named(modules, &from, word, 0), word.clone()))
            .collect::<Vec<_>>()
    });
    let all = imports.chain(paths).chain(words);
    all.filter_map(|(target, name)| Some((target?, name)))
        .collect()
}
