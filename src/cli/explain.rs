mod log;

use std::fmt::Write as _;

use anyhow::{Result, bail};
use serde::Serialize;

use super::args::{ExplainArgs, RulesArgs};
use super::{Exit, input, output, page};
use crate::diagnostic::{Group, Severity};
use crate::edit::Applicability;
use crate::mapping::ApiTable;
use crate::rules::{self, Registered};
use crate::symptom::{self, Symptom};
use crate::text::nearest;
use log::Explained;

/// A rule and its documentation.
type Documented = (Registered, &'static str);

/// Prints the documentation of rules, or what is known of a message.
pub(super) fn explain(args: &ExplainArgs) -> Result<Exit> {
    if args.all || args.errors {
        let of_rules = if args.all { rules::all() } else { &[] };
        let of_errors: Vec<&Symptom> = match args.errors {
            true => symptom::all().iter().collect(),
            false => Vec::new(),
        };
        return print(args, of_rules, &of_errors);
    }
    let (mut found, mut symptoms) = (Vec::new(), Vec::new());
    for word in &args.words {
        if word == "-" {
            return explain_log(args, &String::from_utf8_lossy(&input::read_all()?));
        }
        let named = named(word);
        let fitting = if named.is_empty() {
            matching_symptoms(word)
        } else {
            Vec::new()
        };
        if named.is_empty() && fitting.is_empty() {
            bail!("{}", unknown(word));
        }
        found.extend(named);
        symptoms.extend(fitting);
    }
    print(args, &found, &symptoms)
}

/// Explains what a build printed: a line for each message, the pages that they lead to once, and how many are not known.
fn explain_log(args: &ExplainArgs, text: &str) -> Result<Exit> {
    let explained = Explained::new(text);
    // One word on standard input may be a rule's.
    let named = named(text.trim());
    if !named.is_empty() {
        return print(args, &named, &[]);
    }
    if args.answer.is_json() {
        let all = serde_json::json!({ "messages": explained.told, "errors": explained.pages() });
        output::print(&(serde_json::to_string_pretty(&all)? + "\n"))?;
        return Ok(Exit::Clean);
    }
    if explained.is_empty() {
        output::print(&explained.nothing(text.lines().count()))?;
        return Ok(Exit::Clean);
    }
    output::print(&explained.lines())?;
    let pages = explained.pages();
    if !pages.is_empty() {
        output::print("\n")?;
        print(args, &[], &pages)?;
    }
    output::print(&explained.unknown())?;
    Ok(Exit::Clean)
}

fn print(args: &ExplainArgs, rules: &[Documented], symptoms: &[&Symptom]) -> Result<Exit> {
    if args.answer.is_json() {
        let listed: Vec<Listed> = rules.iter().map(Listed::new).collect();
        let all = serde_json::json!({ "rules": listed, "errors": symptoms });
        output::print(&(serde_json::to_string_pretty(&all)? + "\n"))?;
        return Ok(Exit::Clean);
    }
    let rules = rules.iter().map(rule_page);
    let pages: Vec<String> = rules
        .chain(symptoms.iter().map(|one| symptom_page(one)))
        .collect();
    let text = pages.join("\n---\n\n");
    match output::is_terminal() {
        true => output::print(&page::rendered(&text, output::columns()))?,
        false => output::print(&text)?,
    }
    Ok(Exit::Clean)
}

/// The rules that a word names: a code or its beginning, a name, a group.
fn named(word: &str) -> Vec<Documented> {
    if let Some(rule) = rules::find(word) {
        return vec![rule];
    }
    let is_prefix = |rule: &Registered| {
        let digits = word.len() > 4
            && word
                .get(..4)
                .is_some_and(|start| start.eq_ignore_ascii_case("cass"));
        digits
            && rule
                .code
                .get(..word.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    let is_group = |rule: &Registered| rule.group.name().eq_ignore_ascii_case(word);
    let all = rules::all().iter().copied();
    all.filter(|(rule, _)| is_group(rule) || is_prefix(rule))
        .collect()
}

/// What is known of a message, or of each line of a log, once.
fn matching_symptoms(text: &str) -> Vec<&'static Symptom> {
    let mut found: Vec<&'static Symptom> = Vec::new();
    for line in text.lines() {
        // The first is the one that fits best.
        let first = symptom::matching(line).first().copied();
        found.extend(first.filter(|one| !found.iter().any(|known| known.name == one.name)));
    }
    found
}

fn unknown(text: &str) -> String {
    if text.contains(char::is_whitespace) {
        return format!(
            "no message like `{}` is known here; `cass-transpile explain --errors` lists those that are, `cass-transpile query NAME` knows names of CUDA and HIP",
            text.lines().next().unwrap_or_default()
        );
    }
    if ApiTable::builtin().get(text.as_bytes()).is_some() {
        return format!(
            "`{text}` is a name of CUDA, not a rule: `cass-transpile query {text}` says what it becomes"
        );
    }
    let names = rules::all().iter();
    let numbered = format!("CASS{text}");
    if names.clone().any(|(rule, _)| rule.code == numbered) {
        return format!("there is no rule `{text}`; did you mean `{numbered}`?");
    }
    let names = names.flat_map(|(rule, _)| [rule.code, rule.name]);
    let names = names.chain(Group::ALL.iter().map(|group| group.name()));
    let hint = nearest(text, names).map_or_else(
        || "`cass-transpile rules` lists them; a message of a compiler goes into quotes".to_owned(),
        |near| format!("did you mean `{near}`?"),
    );
    format!("there is no rule `{text}`; {hint}")
}

fn rule_page((rule, docs): &Documented) -> String {
    let fix = rule.fix.map_or("reports only".to_owned(), |fix| {
        format!("offers fixes ({fix:?})").to_lowercase()
    });
    let severity = format!("{:?}", rule.severity).to_lowercase();
    let page = rules::page(rule.code).map_or_else(String::new, |page| format!(" {page}"));
    format!(
        "# {} {}\n\nGroup {}, {severity}; {fix}.{}{page}\n\n{docs}\n",
        rule.code,
        rule.name,
        rule.group.name(),
        off_by_default(rule.group)
    )
}

/// How a rule is switched on that is off by default.
fn off_by_default(group: Group) -> String {
    match group.is_off_by_default() {
        true => format!(" Off by default: `--warn {}` switches it on.", group.name()),
        false => String::new(),
    }
}

fn symptom_page(symptom: &Symptom) -> String {
    let mut text = format!(
        "# {}\n\n```\n{}\n```\n\n{}\n\n## What to do\n{}\n",
        symptom.name.replace('-', " "),
        symptom.example,
        symptom.cause,
        symptom.remedy
    );
    if !symptom.rules.is_empty() {
        let _ = writeln!(text, "\nRules: {}", symptom.rules.join(", "));
    }
    text
}

/// One rule as JSON.
#[derive(Serialize)]
struct Listed {
    code: &'static str,
    name: &'static str,
    group: Group,
    severity: Severity,
    off_by_default: bool,
    fix: Option<Applicability>,
    summary: &'static str,
    docs: &'static str,
    page: Option<String>,
}

impl Listed {
    fn new((rule, docs): &Documented) -> Self {
        Self {
            code: rule.code,
            name: rule.name,
            group: rule.group,
            severity: rule.severity,
            off_by_default: rule.group.is_off_by_default(),
            fix: rule.fix,
            summary: docs.lines().next().unwrap_or_default(),
            docs,
            page: rules::page(rule.code),
        }
    }
}

/// Lists all rules.
pub(super) fn rules(args: &RulesArgs) -> Result<Exit> {
    let list: Vec<Listed> = rules::all().iter().map(Listed::new).collect();
    if args.answer.is_json() {
        output::print(&format!("{}\n", serde_json::to_string_pretty(&list)?))?;
    } else {
        let line = |rule: &Listed| {
            format!(
                "{}  {:<28} {:<8} {}\n",
                rule.code,
                rule.name,
                match rule.off_by_default {
                    true => "off".to_owned(),
                    false => format!("{:?}", rule.severity).to_lowercase(),
                },
                rule.summary
            )
        };
        output::print(&list.iter().map(line).collect::<String>())?;
    }
    Ok(Exit::Clean)
}
