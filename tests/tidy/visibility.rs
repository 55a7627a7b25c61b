//! What is offered is used: `pub` where another crate uses it (tests, tools, the site, the playground), `pub(crate)` where another room
//! does. What only its own room uses is `pub(super)`, `pub(in crate::room)` or private, so that the compiler names what nobody uses.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::modules::{Modules, modules, resolve, uses};
use crate::{code_lines, sources};

/// Files that are part of the build script too, where `pub` keeps the compiler from asking for users of everything.
const OF_BUILD: &[&str] = &[
    "mapping/chip_table.rs",
    "mapping/entry.rs",
    "mapping/schema.rs",
    "mapping/validate.rs",
    "mapping/version.rs",
];

/// Who can use a thing, and who does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    Room,
    Crate,
    Everybody,
}

/// Something that a file offers.
struct Offer {
    file: String,
    line: usize,
    kind: String,
    name: String,
    reach: Reach,
    /// It is of a type, so no path leads to it.
    is_member: bool,
    /// What a user of it sees: parameters, results, public fields.
    shows: Vec<String>,
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| !word.is_empty())
}

/// What `pub` and the kind of a thing are followed by; `None` for what its room keeps.
fn reach_of(line: &str) -> Option<(Reach, &str)> {
    let code = line.trim_start();
    code.strip_prefix("pub(crate) ")
        .map(|rest| (Reach::Crate, rest))
        .or_else(|| Some((Reach::Everybody, code.strip_prefix("pub ")?)))
}

/// Kind and name: `pub const fn name` is a function.
fn kind_of(rest: &str) -> Option<(&str, &str)> {
    const KINDS: &[&str] = &[
        "fn", "struct", "enum", "trait", "type", "mod", "static", "const",
    ];
    let mut words = words(rest).peekable();
    while let Some(word) = words.next() {
        let is_before = matches!(word, "const" | "async" | "unsafe")
            && words.peek().is_some_and(|next| *next == "fn");
        match word {
            _ if is_before => {}
            _ if KINDS.contains(&word) => return Some((word, words.next()?)),
            _ => return None,
        }
    }
    None
}

/// The lines of a thing that its users see.
fn shown<'t>(kind: &str, lines: &[&'t str]) -> Vec<&'t str> {
    let indent = lines[0].len() - lines[0].trim_start().len();
    let ends = |line: &str| match kind {
        "fn" => line.ends_with('{') || line.ends_with(';') || line.ends_with('}'),
        "enum" | "trait" => {
            line.len() - line.trim_start().len() == indent && line.ends_with(['}', ';'])
        }
        "const" | "static" | "type" => line.contains('=') || line.ends_with(';'),
        _ => true,
    };
    let len = lines.iter().position(|line| ends(line.trim_end()));
    lines[..=len.unwrap_or(0)].to_vec()
}

fn offers(file: &str, text: &str) -> Vec<Offer> {
    let lines: Vec<&str> = code_lines(text).collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let is_associated = line.starts_with("    type ");
        let Some((reach, rest)) =
            reach_of(line).or(is_associated.then_some((Reach::Everybody, "")))
        else {
            continue;
        };
        let (kind, name) = kind_of(rest).unwrap_or(("field", ""));
        if rest.starts_with("use ") {
            continue;
        }
        let seen = shown(kind, &lines[at..]);
        found.push(Offer {
            file: file.to_owned(),
            line: at + 1,
            kind: kind.to_owned(),
            name: name.to_owned(),
            reach,
            is_member: line.starts_with(' '),
            shows: seen
                .iter()
                .flat_map(|line| words(line))
                .map(str::to_owned)
                .collect(),
        });
    }
    found
}

fn room(file: &str) -> &str {
    file.split(['/', '.']).next().unwrap_or_default()
}

/// Who uses what.
struct Users {
    /// Words of what other crates are made of.
    outside: BTreeSet<String>,
    /// By word, the rooms that have it.
    words: BTreeMap<String, BTreeSet<String>>,
    /// By file and name, the rooms with a path to it.
    paths: BTreeMap<(String, String), BTreeSet<String>>,
}

impl Users {
    fn new(sources: &BTreeMap<String, String>, outside: BTreeSet<String>) -> Self {
        let mut users = Self {
            outside,
            words: BTreeMap::new(),
            paths: BTreeMap::new(),
        };
        for (file, text) in sources {
            for word in code_lines(text).flat_map(words) {
                let rooms = users.words.entry(word.to_owned()).or_default();
                rooms.insert(room(file).to_owned());
            }
        }
        let modules: Modules = modules(sources);
        for (here, module) in &modules {
            let user = here.first().cloned().unwrap_or_default();
            let mut add = |target: &[String], word: &str| {
                let key = (target.join("/"), word.to_owned());
                users.paths.entry(key).or_default().insert(user.clone());
            };
            for (target, path) in uses(&modules, here, module) {
                words(&path).for_each(|word| add(&target, word));
            }
            // `use crate::python::embedded` brings the module and the function in it.
            for (_, path) in &module.imports {
                let target = resolve(&modules, here, path, 0);
                if let (Some(target), Some(name)) = (target, path.last()) {
                    add(&target, name);
                }
            }
        }
        users
    }

    /// How far the use of a thing reaches.
    fn reach(&self, offer: &Offer) -> Reach {
        let own = room(&offer.file);
        let module = offer.file.trim_end_matches(".rs").trim_end_matches("/mod");
        let rooms = match offer.is_member || offer.kind == "mod" {
            true => self.words.get(&offer.name),
            false => self.paths.get(&(module.to_owned(), offer.name.clone())),
        };
        let by_others = rooms.is_some_and(|rooms| rooms.iter().any(|room| room != own));
        match (self.outside.contains(&offer.name), by_others) {
            (true, _) => Reach::Everybody,
            (_, true) => Reach::Crate,
            _ => Reach::Room,
        }
    }
}

/// Things that more may use than do, each with how far its use reaches.
fn too_open(sources: &BTreeMap<String, String>, outside: BTreeSet<String>) -> Vec<String> {
    let users = Users::new(sources, outside);
    let offers: Vec<Offer> = sources
        .iter()
        .filter(|(file, _)| !matches!(file.as_str(), "lib.rs" | "main.rs"))
        .filter(|(file, _)| !OF_BUILD.contains(&file.as_str()))
        .flat_map(|(file, text)| offers(file, text))
        .collect();
    // A type that a signature shows reaches as far as the signature; of things with one name each counts for all.
    let mut shown: BTreeMap<&str, Reach> = BTreeMap::new();
    for offer in &offers {
        for word in offer.shows.iter().filter(|word| **word != offer.name) {
            let reach = shown.entry(word).or_insert(Reach::Room);
            *reach = (*reach).max(offer.reach);
        }
    }
    let needed = |offer: &Offer| {
        let is_type = !matches!(offer.kind.as_str(), "fn" | "mod" | "static");
        let seen = shown.get(offer.name.as_str()).filter(|_| is_type);
        users.reach(offer).max(seen.copied().unwrap_or(Reach::Room))
    };
    // A folder of rules offers its files to the registry.
    let is_rule = |offer: &Offer| offer.kind == "mod" && offer.file.starts_with("rules/");
    let mut wrong = Vec::new();
    for offer in offers
        .iter()
        .filter(|offer| offer.kind != "field" && !is_rule(offer))
    {
        let needed = needed(offer);
        if offer.reach > needed {
            wrong.push(format!(
                "src/{}:{}: {} {} is for {:?}, used by {needed:?}",
                offer.file, offer.line, offer.kind, offer.name, offer.reach
            ));
        }
    }
    wrong
}

/// The words of the crates that use this one.
fn words_outside() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<_> = ["tests", "xtask", "docs/site", "playground"]
        .map(|folder| root.join(folder))
        .to_vec();
    let mut found = BTreeSet::new();
    let mut read = |path: &Path| {
        let text = fs::read_to_string(path).expect("sources are UTF-8");
        found.extend(code_lines(&text).flat_map(words).map(str::to_owned));
    };
    read(&root.join("src/main.rs"));
    while let Some(folder) = folders.pop() {
        for item in fs::read_dir(folder).expect("folders are readable") {
            let path = item.expect("readable").path();
            if path.is_dir() && !path.ends_with("target") && !path.ends_with("tests/tidy") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                read(&path);
            }
        }
    }
    found
}

#[test]
fn what_is_offered_is_used() {
    let wrong = too_open(&sources(), words_outside());
    assert!(
        wrong.is_empty(),
        "{} things:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn what_nobody_uses_is_found() {
    let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let tree = BTreeMap::from([
        file("lib.rs", "pub mod a;\npub mod b;"),
        file(
            "a/mod.rs",
            "mod one;\npub use one::{Given, Seen, all, mine, theirs};\n",
        ),
        file(
            "a/one.rs",
            "pub struct Given;\n\
             pub struct Seen;\n\
             pub fn all() -> Seen { mine() }\n\
             pub(crate) fn mine() -> Seen { Seen }\n\
             pub fn theirs(\n    given: Given,\n) {}\n\
             impl Seen {\n    pub fn part(&self) {}\n    pub fn whole(&self) {}\n}\n",
        ),
        file("b.rs", "use crate::a::theirs;\nfn f() { theirs(x.part()) }"),
    ]);
    let outside = ["all", "whole"].map(str::to_owned).into();
    assert_eq!(
        too_open(&tree, outside),
        [
            "src/a/one.rs:4: fn mine is for Crate, used by Room",
            "src/a/one.rs:5: fn theirs is for Everybody, used by Crate",
            "src/a/one.rs:9: fn part is for Everybody, used by Crate",
        ]
    );
}

#[test]
fn the_documentation_has_what_other_programs_can_rely_on() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
    let text = fs::read_to_string(root).expect("the root is readable");
    let lines: Vec<&str> = text.lines().collect();
    let shown = lines.windows(2).filter_map(|pair| {
        let module = pair[1].strip_prefix("pub mod ")?.strip_suffix(';')?;
        (pair[0] != "#[doc(hidden)]").then_some(module)
    });
    assert_eq!(shown.collect::<Vec<_>>(), ["rules"]);
}

#[test]
fn files_of_the_build_are_named() {
    let build = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/build_script/build.rs");
    let text = fs::read_to_string(build).expect("the build script is readable");
    let paths = text.lines().filter_map(|line| {
        let path = line.strip_prefix("#[path = \"../")?;
        path.strip_suffix("\"]")
    });
    assert_eq!(
        paths.collect::<BTreeSet<_>>(),
        OF_BUILD.iter().copied().collect()
    );
}
