//! What a rule file looks like.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cass_transpile::rules;

#[test]
fn rules_have_codes_names_and_folders_that_agree() {
    let (mut codes, mut names) = (BTreeSet::new(), BTreeSet::new());
    for (rule, _) in rules::all() {
        assert!(codes.insert(rule.code), "{} is taken twice", rule.code);
        assert!(names.insert(rule.name), "{} is taken twice", rule.name);
        let digits = rule.code.strip_prefix("CASS").unwrap_or_default();
        assert!(
            digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit()),
            "{}",
            rule.code
        );
        let file = format!(
            "{}/{}.rs",
            rule.group.name().replace('-', "_"),
            rule.name.replace('-', "_")
        );
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("src/rules")
            .join(&file);
        let text = fs::read_to_string(&path).unwrap_or_else(|_| {
            panic!("{} {}: there is no src/rules/{file}", rule.code, rule.name)
        });
        assert!(
            text.contains(&format!("\"{}\"", rule.code)),
            "{file} is not {}",
            rule.code
        );
    }
}

#[test]
fn rules_are_documented_in_the_same_way() {
    const SECTIONS: [&str; 4] = [
        "## Why on AMD",
        "## Example",
        "## When to ignore",
        "## Source",
    ];
    let mut wrong = Vec::new();
    for (rule, docs) in rules::all() {
        let headings: Vec<&str> = docs
            .lines()
            .filter(|line| line.starts_with("## "))
            .collect();
        if headings != SECTIONS {
            wrong.push(format!("{}: sections are {headings:?}", rule.name));
        }
        let first = docs.lines().next().unwrap_or_default();
        if !(first.ends_with('.')
            && first
                .chars()
                .next()
                .is_some_and(|c| c.is_uppercase() || c == '`'))
        {
            wrong.push(format!(
                "{}: the first line is no sentence: {first}",
                rule.name
            ));
        }
        const LANGUAGES: &[&str] = &[
            "cuda",
            "make",
            "cmake",
            "sh",
            "python",
            "dockerfile",
            "json",
            "go",
        ];
        if !LANGUAGES
            .iter()
            .any(|language| docs.contains(&format!("```{language}")))
        {
            wrong.push(format!("{}: shows no input", rule.name));
        }
        let empty = docs
            .split("## ")
            .skip(1)
            .any(|section| section.lines().skip(1).all(|line| line.trim().is_empty()));
        if empty {
            wrong.push(format!("{}: has an empty section", rule.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
