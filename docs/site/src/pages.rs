//! The pages that are made from the program: what each says and where it lies.

use std::collections::BTreeMap;

use anyhow::Result;
use cass_transpile::cli::Cli;
use cass_transpile::diagnostic::Group;
use cass_transpile::mapping::{ApiEntry, ApiTable, Support, library};
use cass_transpile::{config, rules, symptom};
use clap::CommandFactory as _;

use super::markdown::{block, cell, code, shown};

/// A part of the list of contents.
pub(crate) struct Part {
    pub(crate) title: &'static str,
    pub(crate) pages: Vec<Page>,
}

/// A page of the book.
pub(crate) struct Page {
    /// Where it lies, `rules/CASS003.md`.
    pub(crate) path: String,
    title: String,
    /// How deep it stands in the list of contents.
    depth: usize,
    /// Its content, as Markdown.
    pub(crate) text: String,
}

impl Page {
    pub(crate) fn new(
        depth: usize,
        path: impl Into<String>,
        title: impl Into<String>,
        text: &str,
    ) -> Self {
        let (path, title) = (path.into(), title.into());
        let text = format!("# {title}\n\n{text}");
        Self {
            path,
            title,
            depth,
            text,
        }
    }

    /// The page as an item of the list of contents.
    pub(crate) fn item(&self) -> String {
        format!(
            "{}- [{}]({})\n",
            "  ".repeat(self.depth),
            self.title,
            self.path
        )
    }
}

/// All pages, in the order of the list of contents.
pub(crate) fn parts() -> Vec<Part> {
    let mut reference = rules();
    reference.extend(errors());
    reference.extend(libraries());
    reference.extend(commands());
    reference.push(settings());
    let report = "`cass-transpile check fixtures/example --report html=report.html` writes [this report](example-report.html) of the \
example project.\n";
    let report = Page::new(0, "report.md", "A report", report);
    let playground = "It is built by `bash playground/build.sh` and was not, here.\n";
    let playground = Page::new(0, "playground/index.md", "Playground", playground);
    vec![
        Part {
            title: "Reference",
            pages: reference,
        },
        Part {
            title: "See it",
            pages: vec![report, playground],
        },
    ]
}

/// A list of the rules by group, a page for each group, a page for each rule.
fn rules() -> Vec<Page> {
    let mut list = String::from("`cass-transpile explain CODE` prints a page of these.\n\n");
    let mut below = Vec::new();
    for group in Group::ALL {
        let name = group.name();
        let of_group = || rules::all().iter().filter(|(rule, _)| rule.group == group);
        let mut table =
            "| Code | Name | Severity | What it is about |\n|---|---|---|---|\n".to_owned();
        for (rule, docs) in of_group() {
            table.push_str(&format!(
                "| [{}]({}.md) | {} | {} | {} |\n",
                rule.code,
                rule.code,
                code(rule.name, None),
                severity(rule),
                cell(docs.lines().next().unwrap_or_default())
            ));
        }
        list.push_str(&format!("## {name}\n\n{table}\n"));
        below.push(Page::new(
            1,
            format!("rules/{name}.md"),
            format!("Rules: {name}"),
            &table,
        ));
        below.extend(of_group().map(|(rule, docs)| rule_page(rule, docs)));
    }
    below.insert(0, Page::new(0, "rules/index.md", "Rules", &list));
    below
}

fn severity(rule: &rules::Registered) -> String {
    let severity = format!("{:?}", rule.severity).to_lowercase();
    match rule.group.is_off_by_default() {
        true => format!("{severity}, off by default"),
        false => severity,
    }
}

fn rule_page(rule: &rules::Registered, docs: &str) -> Page {
    let fix = rule.fix.map_or("reports only".to_owned(), |fix| {
        format!("offers fixes ({fix:?})").to_lowercase()
    });
    let (group, code) = (rule.group.name(), rule.code);
    let text = format!(
        "Group [{group}]({group}.md), {}; {fix}.\n\n{}\n\n## Suppress it\n\nFor one line: `// cass: ignore[{code}] why`. \
For the project, in [cass.toml](../settings.md): `rules.ignore = [\"{code}\"]`.\n",
        severity(rule),
        shown(docs)
    );
    Page::new(
        2,
        format!("rules/{code}.md"),
        format!("{code} {}", rule.name),
        &text,
    )
}

/// A page for each message of compilers, linkers and programs, behind a list.
fn errors() -> Vec<Page> {
    let mut list = "The same on a command line: `cass-transpile explain \"use of undeclared identifier '__shfl_down_sync'\"`, or \
`hipcc … 2>&1 | cass-transpile explain -`.\n\n| What | A message |\n|---|---|\n"
        .to_owned();
    let mut pages = Vec::new();
    for one in symptom::all() {
        let title = one.name.replace('-', " ");
        list.push_str(&format!(
            "| [{title}]({}.md) | {} |\n",
            one.name,
            code(&one.example, None)
        ));
        let mut text = format!(
            "{}{}\n\n## What to do\n\n{}\n",
            block("text", &one.example),
            shown(&one.cause),
            shown(&one.remedy)
        );
        let links = one.rules.iter().filter_map(|name| rules::find(name));
        let links: Vec<String> = links
            .map(|(rule, _)| format!("[{}](../rules/{}.md)", rule.name, rule.code))
            .collect();
        if !links.is_empty() {
            text.push_str(&format!("\nRules: {}\n", links.join(", ")));
        }
        pages.push(Page::new(
            1,
            format!("errors/{}.md", one.name),
            title,
            &text,
        ));
    }
    let title = "Messages of hipcc, clang, linkers and programs";
    pages.insert(0, Page::new(0, "errors/index.md", title, &list));
    pages
}

/// The names of the tables by the library that they are of, sorted.
fn by_library(table: &ApiTable) -> BTreeMap<&'static str, Vec<&ApiEntry>> {
    let mut by_library: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for hit in table.iter() {
        by_library
            .entry(hit.entry.library)
            .or_default()
            .push(hit.entry);
    }
    for entries in by_library.values_mut() {
        entries.sort_by_key(|entry| entry.cuda);
    }
    by_library
}

/// What the names of each library become, behind a page that looks a name up in all of them.
fn libraries() -> Vec<Page> {
    let mut list = "<div data-all-names=\"all-names.js\"></div>\n\n`cass-transpile query NAME` says the same with arguments and sources.\n\n"
        .to_owned();
    let mut pages = Vec::new();
    let table = ApiTable::builtin();
    for (key, entries) in by_library(&table) {
        let title = library::title(key);
        list.push_str(&format!(
            "- [{title}]({key}.md): {} entries\n",
            entries.len()
        ));
        let mut text = format!(
            "<div data-library></div>\n\nWhat {title} becomes, by ROCm 6.4 unless a release is given. \
`cass-transpile query NAME` says the same with arguments and sources.\n\n| CUDA | HIP | ROCm | |\n|---|---|---|---|\n"
        );
        for entry in entries {
            text.push_str(&row(entry));
        }
        pages.push(Page::new(1, format!("libraries/{key}.md"), title, &text));
    }
    pages.insert(
        0,
        Page::new(0, "libraries/index.md", "What names become", &list),
    );
    pages
}

fn row(entry: &ApiEntry) -> String {
    let hip = match entry.hip {
        Some("") => "not needed".to_owned(),
        Some(hip) => code(hip, None),
        None => "—".to_owned(),
    };
    let since = entry
        .rocm
        .since
        .map_or_else(String::new, |since| since.to_string());
    let support = match entry.support {
        Support::Full => "",
        Support::Review => "to be reviewed. ",
        Support::Unsupported => "no counterpart. ",
    };
    format!(
        "| {} | {hip} | {since} | {support}{} |\n",
        code(entry.cuda, Some(entry.cuda)),
        cell(entry.note.unwrap_or_default())
    )
}

/// The script that holds all names with what each becomes, by library.
///
/// # Errors
/// When they cannot be written as JSON.
pub(crate) fn all_names() -> Result<String> {
    let table = ApiTable::builtin();
    let names: BTreeMap<_, Vec<_>> = by_library(&table)
        .into_iter()
        .map(|(key, entries)| {
            let pairs = entries
                .iter()
                .map(|entry| (entry.cuda, entry.hip.unwrap_or_default()));
            (key, pairs.collect())
        })
        .collect();
    Ok(format!(
        "window.cassNames = {};\n",
        serde_json::to_string(&names)?
    ))
}

/// The help of each command.
fn commands() -> Vec<Page> {
    let mut program = Cli::command();
    program.build();
    let help = program.clone().render_long_help().to_string();
    let mut list = "- [cass-transpile](cass-transpile.md), the translation\n".to_owned();
    let mut pages = vec![Page::new(
        1,
        "commands/cass-transpile.md",
        "cass-transpile",
        &block("text", &help),
    )];
    for command in own(&program) {
        let name = command.get_name();
        let about = command
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        list.push_str(&format!(
            "- [{name}]({name}.md): {}\n",
            shown(&about).trim_end()
        ));
        let mut text = block("text", &command.clone().render_long_help().to_string());
        for below in own(command) {
            text.push_str(&format!("## {name} {}\n\n", below.get_name()));
            text.push_str(&block(
                "text",
                &below.clone().render_long_help().to_string(),
            ));
        }
        pages.push(Page::new(
            1,
            format!("commands/{name}.md"),
            format!("cass-transpile {name}"),
            &text,
        ));
    }
    pages.insert(0, Page::new(0, "commands/index.md", "Commands", &list));
    pages
}

/// The commands below a command, without the one that clap adds.
fn own(command: &clap::Command) -> impl Iterator<Item = &clap::Command> {
    command
        .get_subcommands()
        .filter(|command| command.get_name() != "help")
}

/// Every setting with its default.
fn settings() -> Page {
    let text = format!(
        "The nearest `cass.toml` at or above a file holds for it; `cass-transpile init` writes this one, `--show-config` prints what \
holds, `--config KEY=VALUE` sets one for a run. Editors check it against its [schema](schemas/config.json); those of \
[mapping tables](schemas/mappings.json), [verify.toml](schemas/verify.json) and [the JSON report](schemas/report.json) are here as \
well.\n\n{}",
        block("toml", &config::sample())
    );
    Page::new(0, "settings.md", "cass.toml", &text)
}
