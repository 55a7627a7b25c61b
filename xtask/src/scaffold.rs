//! New rules, groups, tables and helpers with all their files, so that nobody has to know where each lies.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};

use crate::skeletons::{About, HELPER, TABLE};

/// Codes have three digits.
const CODES: std::ops::Range<u16> = 1..1000;

/// Writes `src/rules/{group}/{name}.rs` and names it in the folder's `mod.rs`, two fixtures and an item of the catalogue.
///
/// # Errors
/// When the group does not exist, the name is taken or no name, or a file cannot be written.
pub fn rule(root: &Path, group: &str, name: &str, about: Option<About>) -> Result<()> {
    let group = module(group)?;
    let file = module(name)?;
    let about = about.unwrap_or(About::of_group(&group));
    let folder = root.join("src/rules").join(&group);
    ensure!(
        folder.join("mod.rs").is_file(),
        "there is no folder src/rules/{group}: `cargo xtask new-group` makes one"
    );
    let code = free_code(&folder)?;
    create(&folder.join(format!("{file}.rs")), &about.rule(&code))?;
    declare(&folder.join("mod.rs"), &file)?;
    let fixtures = root.join("fixtures/rules").join(name);
    for (file, text) in about.fixtures() {
        create(&fixtures.join(file), &text)?;
    }
    let catalogue = root.join("fixtures/catalogue.toml");
    let mut text = fs::read_to_string(&catalogue)?;
    text.push_str(&about.item(&code, name));
    fs::write(&catalogue, text)?;
    println!(
        "fixtures/catalogue.toml: an item at the end; give it its number, title, effect and answer.\n\
         `INSTA_UPDATE=always cargo test --test fixtures` writes the snapshots and .github/CATALOGUE.md."
    );
    Ok(())
}

/// Writes the folder of a group of rules and names it in `src/rules/mod.rs`.
///
/// # Errors
/// When the name is taken or no name, or a file cannot be written.
pub fn group(root: &Path, name: &str, what: &str) -> Result<()> {
    let group = module(name)?;
    let rules = root.join("src/rules");
    create(&rules.join(&group).join("mod.rs"), &format!("//! {what}\n"))?;
    declare(&rules.join("mod.rs"), &group)
}

/// Writes `mappings/{key}.toml`.
///
/// # Errors
/// When the table exists, the key is none, or it cannot be written.
pub fn table(root: &Path, key: &str, title: &str) -> Result<()> {
    ensure!(
        key.len() > 2 && module(key)? == key,
        "`{key}` is no key: three small letters or more"
    );
    let path = root.join("mappings").join(format!("{key}.toml"));
    create(&path, &TABLE.replace("KEY", key).replace("TITLE", title))?;
    println!(
        "`INSTA_UPDATE=always cargo test --test tables` writes the figures of docs/howto/names.md"
    );
    Ok(())
}

/// Writes `src/compat/{subject}/cass_{function}.hpp`.
///
/// # Errors
/// When the folder does not exist, the snippet does, or it cannot be written.
pub fn helper(root: &Path, subject: &str, function: &str) -> Result<()> {
    let folder = root.join("src/compat").join(subject);
    ensure!(
        folder.is_dir(),
        "there is no folder src/compat/{subject}; create it if the subject is new"
    );
    let name = format!("cass_{}", function.trim_start_matches('_'));
    create(
        &folder.join(format!("{name}.hpp")),
        &HELPER.replace("NAME", &name).replace("FUNCTION", function),
    )?;
    println!("add a case to tests/compat/: `every_snippet_is_tested` names what lacks one");
    Ok(())
}

fn is_kebab(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .bytes()
            .all(|byte| byte == b'-' || byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// The module of a rule or group that people write in kebab case.
fn module(name: &str) -> Result<String> {
    let kebab = name.to_ascii_lowercase().replace(['_', ' '], "-");
    let example = match is_kebab(&kebab) {
        true => &kebab,
        false => "register-keyword",
    };
    ensure!(
        is_kebab(name),
        "`{name}` is no name in kebab case, such as `{example}`"
    );
    Ok(name.replace('-', "_"))
}

/// Adds `pub mod {module};` to the longest list of modules in a source, which is sorted.
fn declare(source: &Path, module: &str) -> Result<()> {
    let text = fs::read_to_string(source)?;
    let mut lines: Vec<&str> = text.lines().collect();
    let line = format!("pub mod {module};");
    let (start, list) = longest_list(&lines);
    if list.is_empty() {
        lines.push("");
        lines.push(&line);
    } else {
        let at = list.partition_point(|other| *other < line.as_str());
        lines.insert(start + at, &line);
    }
    fs::write(source, lines.join("\n") + "\n")?;
    Ok(())
}

/// The longest run of lines that declare modules, and which line it begins at.
fn longest_list<'l, 't>(lines: &'l [&'t str]) -> (usize, &'l [&'t str]) {
    let is_module = |line: &str| line.starts_with("pub mod ") && line.ends_with(';');
    let runs = lines.chunk_by(|one, next| is_module(one) && is_module(next));
    let mut start = 0;
    let placed = runs.map(|run| {
        start += run.len();
        (start - run.len(), run)
    });
    let lists = placed.filter(|(_, run)| is_module(run[0]));
    lists.max_by_key(|(_, run)| run.len()).unwrap_or((0, &[]))
}

/// The first code behind the last one of the folder that no rule has; a new group begins behind all.
fn free_code(folder: &Path) -> Result<String> {
    let all = codes(folder.parent().context("a group lies in a folder")?)?;
    let of_group = codes(folder)?;
    let last = of_group.last().or(all.last()).copied().unwrap_or_default();
    let behind = CODES.filter(|code| *code > last);
    let mut free = behind.chain(CODES).filter(|code| !all.contains(code));
    free.next()
        .map(|code| format!("CASS{code:03}"))
        .context("no code of three digits is free")
}

/// The numbers of the codes in the rules of a group, or of all groups, sorted: those of rules that others took the place of are taken too.
fn codes(folder: &Path) -> Result<Vec<u16>> {
    let mut found = Vec::new();
    for item in walkdir::WalkDir::new(folder) {
        let item = item?;
        let path = item.path();
        // What lies beside the groups has codes of no rule in its tests.
        let is_beside = path.parent().is_some_and(|it| it.ends_with("src/rules"));
        if !is_beside && path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(item.path())?;
            let codes = text.split("\"CASS").skip(1);
            found.extend(codes.filter_map(|rest| rest.get(..3)?.parse::<u16>().ok()));
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// Writes a file that is not there yet, and the folders that it lies in.
fn create(path: &Path, text: &str) -> Result<()> {
    if path.exists() {
        bail!("{} exists", path.display());
    }
    let folder = path.parent().context("a file lies in a folder")?;
    fs::create_dir_all(folder)?;
    fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))?;
    println!("{}", path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_stands_where_the_list_is_sorted() {
        let lines = [
            "//! X",
            "",
            "pub mod z;",
            "",
            "pub mod a;",
            "pub mod c;",
            "",
            "use a;",
        ];
        assert_eq!(longest_list(&lines), (4, &["pub mod a;", "pub mod c;"][..]));
        assert_eq!(longest_list(&lines[..2]).1, [""; 0]);
    }

    #[test]
    fn names_are_in_kebab_case() {
        assert_eq!(module("cmake-word").ok().as_deref(), Some("cmake_word"));
        for name in ["", "Cmake", "cmake_word", "-word", "../word"] {
            assert!(module(name).is_err(), "{name}");
        }
        let said = module("Cmake_word").map_err(|error| error.to_string());
        assert_eq!(
            said.err().as_deref(),
            Some("`Cmake_word` is no name in kebab case, such as `cmake-word`")
        );
    }
}
