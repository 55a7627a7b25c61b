//! The rules as their folders say: the groups, what belongs to each, and the `//!` comment of each file as its documentation.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{files, read};

/// A folder of `src/rules/`.
struct Group {
    /// The folder's name: `build_files`.
    module: String,
    /// The first lines of its `mod.rs`.
    docs: String,
    rules: Vec<Rule>,
}

/// A file of such a folder.
struct Rule {
    /// The file's name without its ending: `cmake_word`.
    module: String,
    docs: String,
}

/// Writes the groups as an enumeration, the rules of each, and the documentation of all.
pub(super) fn list(folder: &Path, out: &Path) {
    let groups = groups(folder);
    for (name, text) in [
        ("rule_groups.rs", enumeration(&groups)),
        ("rule_folders.rs", folders(&groups)),
        ("rule_docs.rs", documentation(&groups)),
    ] {
        fs::write(out.join(name), text).expect("OUT_DIR is writable");
    }
}

/// The groups by name.
fn groups(folder: &Path) -> Vec<Group> {
    let heads = files(folder, "rs").into_iter();
    let heads = heads.filter(|path| path.ends_with("mod.rs") && path.parent() != Some(folder));
    let group = |head: PathBuf| {
        let folder = head.parent().expect("a file lies in a folder");
        let rules = files(folder, "rs").into_iter().filter(|path| *path != head);
        Group {
            module: module_name(folder),
            docs: comment(&read(&head)),
            rules: rules.map(|path| rule(&path)).collect(),
        }
    };
    heads.map(group).collect()
}

fn rule(path: &Path) -> Rule {
    Rule {
        module: module_name(path),
        docs: comment(&read(path)),
    }
}

fn module_name(path: &Path) -> String {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    stem.expect("files and folders of rules have names")
        .to_owned()
}

/// The enumeration of the groups: all of them, and how people write them.
fn enumeration(groups: &[Group]) -> String {
    let mut text = String::from(
        "/// What part of a port a rule is about: the folder of its file.\n\
         #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]\n\
         #[serde(rename_all = \"kebab-case\")]\npub enum Group {\n",
    );
    let (mut all, mut names) = (String::new(), String::new());
    for group in groups {
        let variant = variant(&group.module);
        write(
            &mut text,
            format_args!("    #[doc = {:?}]\n    {variant},\n", group.docs),
        );
        write(&mut all, format_args!("Self::{variant}, "));
        let name = spoken(&group.module);
        write(
            &mut names,
            format_args!("            Self::{variant} => {name:?},\n"),
        );
    }
    let len = groups.len();
    write(
        &mut text,
        format_args!(
            "}}\n\nimpl Group {{\n    /// All groups, by name.\n    pub const ALL: [Self; {len}] = [{all}];\n\n    \
             /// Its name on the command line and in comments.\n    pub fn name(self) -> &'static str {{\n        \
             match self {{\n{names}        }}\n    }}\n}}\n"
        ),
    );
    text
}

/// The rules of each folder by name, as the items of an array.
fn folders(groups: &[Group]) -> String {
    let mut text = String::from("&[\n");
    for Group { module, rules, .. } in groups {
        write(
            &mut text,
            format_args!("    (Group::{}, &[\n", variant(module)),
        );
        for rule in rules {
            let (name, file) = (spoken(&rule.module), &rule.module);
            let path = format!("crate::rules::{module}::{file}::RULE");
            write(&mut text, format_args!("        ({name:?}, &{path}),\n"));
        }
        text.push_str("    ]),\n");
    }
    text + "]\n"
}

/// The documentation of each rule by its name, sorted, as the items of an array.
fn documentation(groups: &[Group]) -> String {
    let rules = groups.iter().flat_map(|group| &group.rules);
    let mut docs: Vec<_> = rules
        .map(|rule| (spoken(&rule.module), &rule.docs))
        .collect();
    docs.sort();
    let mut text = String::from("&[\n");
    for (name, docs) in docs {
        write(&mut text, format_args!("    ({name:?}, {docs:?}),\n"));
    }
    text + "]\n"
}

/// A module's name as people write it: `build-files`.
fn spoken(module: &str) -> String {
    module.replace('_', "-")
}

/// A module's name as a type of Rust: `BuildFiles`.
fn variant(module: &str) -> String {
    let words = module.split('_').map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    });
    words.collect()
}

/// The `//!` comment that a source begins with.
fn comment(source: &str) -> String {
    let lines = source.lines().map_while(|line| {
        line.strip_prefix("//!")
            .map(|text| text.strip_prefix(' ').unwrap_or(text))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn write(text: &mut String, words: std::fmt::Arguments<'_>) {
    text.write_fmt(words).expect("strings take text");
}
