//! The pages: what each says and where it lies.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use cass_transpile::cli::Cli;
use cass_transpile::mapping::{ApiTable, Support, library};
use cass_transpile::{config, rules, symptom};
use clap::CommandFactory as _;
use maud::{Markup, PreEscaped, html};

use super::shell::{Page, markdown};

/// The Markdown files of a folder and its folders.
pub(crate) fn prose(folder: &Path) -> Result<Vec<Page>> {
    let mut pages = Vec::new();
    for below in ["", "howto/"] {
        let folder = folder.join(below);
        let items = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
        for item in items {
            let path = item?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            let Some(name) = name.strip_suffix(".md") else {
                continue;
            };
            let text = fs::read_to_string(&path)?;
            let title = text.lines().next().unwrap_or_default();
            pages.push(Page {
                path: format!("{below}{name}.html"),
                title: title.trim_start_matches("# ").to_owned(),
                body: markdown(&text),
            });
        }
    }
    Ok(pages)
}

fn page(path: impl Into<String>, title: impl Into<String>, body: Markup) -> Page {
    let (path, title) = (path.into(), title.into());
    let body = html! { h1 { (title) } (body) };
    Page {
        path,
        title,
        body: body.into_string(),
    }
}

/// A page for each rule, and a list of them.
pub(crate) fn rules() -> Vec<Page> {
    let mut pages: Vec<Page> = rules::all().iter().map(|(rule, docs)| {
        let severity = format!("{:?}", rule.severity).to_lowercase();
        let fix = rule.fix.map_or("reports only".to_owned(), |fix| format!("offers fixes ({fix:?})").to_lowercase());
        page(format!("rules/{}.html", rule.code), format!("{} {}", rule.code, rule.name), html! {
            p { "Group " (rule.group.name()) ", " (severity) "; " (fix) "." }
            (PreEscaped(markdown(docs)))
            h2 { "Suppress it" }
            p { "For one line: " code { "// cass: ignore[" (rule.code) "] why" } ". For the project, in " a href="../settings.html" { "cass.toml" } ": " code { "rules.ignore = [\"" (rule.code) "\"]" } "." }
        })
    }).collect();
    pages.push(page("rules/index.html", "Rules", html! {
        table {
            tr { th { "Code" } th { "Name" } th { "Group" } th { "Severity" } th { "What it is about" } }
            @for (rule, docs) in rules::all() {
                tr {
                    td { a href={ (rule.code) ".html" } { (rule.code) } }
                    td { code { (rule.name) } }
                    td { (rule.group.name()) }
                    td { (format!("{:?}", rule.severity).to_lowercase()) }
                    td { (PreEscaped(markdown(docs.lines().next().unwrap_or_default()))) }
                }
            }
        }
    }));
    pages
}

/// A page for each message of compilers, linkers and programs.
pub(crate) fn errors() -> Vec<Page> {
    let mut pages: Vec<Page> = symptom::all()
        .iter()
        .map(|one| {
            page(
                format!("errors/{}.html", one.name),
                title(one),
                html! {
                    pre { code { (one.example) } }
                    (PreEscaped(markdown(&one.cause)))
                    h2 { "What to do" }
                    (PreEscaped(markdown(&one.remedy)))
                    @if !one.rules.is_empty() {
                        p { "Rules: " @for name in &one.rules { (rule_link(name)) " " } }
                    }
                },
            )
        })
        .collect();
    pages.push(page("errors/index.html", "Messages of hipcc, clang, linkers and programs", html! {
        p { "The same on a command line: " code { "cass-transpile explain \"use of undeclared identifier '__shfl_down_sync'\"" } ", or " code { "hipcc … 2>&1 | cass-transpile explain -" } "." }
        table {
            @for one in symptom::all() {
                tr {
                    td { a href={ (one.name) ".html" } { (title(one)) } }
                    td { code { (one.example) } }
                }
            }
        }
    }));
    pages
}

fn title(one: &symptom::Symptom) -> String {
    one.name.replace('-', " ")
}

fn rule_link(name: &str) -> Markup {
    let found = rules::find(name);
    html! { @if let Some((rule, _)) = found { a href={ "../rules/" (rule.code) ".html" } { (rule.name) } } }
}

/// What the names of each library become.
pub(crate) fn libraries() -> Vec<Page> {
    let table = ApiTable::builtin();
    let mut keys: Vec<&str> = table.iter().map(|hit| hit.entry.library).collect();
    keys.sort_unstable();
    keys.dedup();
    let mut pages: Vec<Page> = keys.iter().map(|key| {
        let mut rows: Vec<_> = table.iter().map(|hit| hit.entry).filter(|entry| entry.library == *key).collect();
        rows.sort_by_key(|entry| entry.cuda);
        page(format!("libraries/{key}.html"), library::title(key), html! {
            p { "What " (library::title(key)) " becomes, by ROCm 6.4 unless a release is given. " code { "cass-transpile query NAME" } " says the same with arguments and sources." }
            table {
                tr { th { "CUDA" } th { "HIP" } th { "ROCm" } th { "" } }
                @for entry in rows {
                    tr {
                        td { code { (entry.cuda) } }
                        td { @match entry.hip { Some("") => "not needed", Some(hip) => code { (hip) }, None => "—" } }
                        td { @if let Some(since) = entry.rocm.since { (since.to_string()) } }
                        td {
                            @match entry.support { Support::Full => "", Support::Review => "to be reviewed. ", Support::Unsupported => "no counterpart. " }
                            (entry.note.unwrap_or_default())
                        }
                    }
                }
            }
        })
    }).collect();
    pages.push(page(
        "libraries/index.html",
        "What names become",
        html! {
            ul { @for key in &keys { li { a href={ (key) ".html" } { (library::title(key)) } } } }
        },
    ));
    pages
}

/// The help of each command.
pub(crate) fn commands() -> Vec<Page> {
    let mut program = Cli::command();
    program.build();
    let mut pages = Vec::new();
    let mut names = vec!["cass-transpile".to_owned()];
    let help = program.clone().render_long_help().to_string();
    pages.push(page(
        "commands/cass-transpile.html",
        "cass-transpile",
        html! { pre { code { (help) } } },
    ));
    for command in program
        .get_subcommands()
        .filter(|command| command.get_name() != "help")
    {
        let name = command.get_name().to_owned();
        let help = command.clone().render_long_help().to_string();
        let below: Vec<String> = command
            .get_subcommands()
            .filter(|command| command.get_name() != "help")
            .map(|command| command.clone().render_long_help().to_string())
            .collect();
        pages.push(page(
            format!("commands/{name}.html"),
            format!("cass-transpile {name}"),
            html! {
                pre { code { (help) } }
                @for help in below { pre { code { (help) } } }
            },
        ));
        names.push(name);
    }
    pages.push(page(
        "commands/index.html",
        "Commands",
        html! {
            ul { @for name in &names { li { a href={ (name) ".html" } { (name) } } } }
        },
    ));
    pages
}

/// Every setting with its default.
pub(crate) fn settings() -> Vec<Page> {
    vec![page(
        "settings.html",
        "cass.toml",
        html! {
            p { "The nearest " code { "cass.toml" } " at or above a file holds for it; " code { "cass-transpile init" } " writes this one, " code { "--show-config" } " prints what holds, " code { "--config KEY=VALUE" } " sets one for a run. Editors check it against its " a href="schemas/config.json" { "schema" } "; those of " a href="schemas/mappings.json" { "mapping tables" } ", " a href="schemas/verify.json" { "verify.toml" } " and " a href="schemas/report.json" { "the JSON report" } " are here as well." }
            pre { code { (config::sample()) } }
        },
    )]
}
