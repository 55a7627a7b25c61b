use anyhow::{Result, bail};
use serde::Serialize;

use super::args::{ExplainArgs, RulesArgs};
use super::{Exit, output};
use crate::diagnostic::{Group, Severity};
use crate::edit::Applicability;
use crate::rules;
use crate::text::nearest;

/// Prints the documentation of one rule.
pub(super) fn explain(args: &ExplainArgs) -> Result<Exit> {
    let Some((rule, docs)) = rules::find(&args.rule) else {
        let names = rules::all().iter();
        let names = names.flat_map(|(rule, _)| [rule.code, rule.name]);
        let hint = nearest(&args.rule, names).map_or_else(
            || "`cass-transpile rules` lists them".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        bail!("there is no rule `{}`; {hint}", args.rule);
    };
    let fix = rule.fix.map_or("reports only".to_owned(), |fix| {
        format!("offers fixes ({fix:?})").to_lowercase()
    });
    let severity = format!("{:?}", rule.severity).to_lowercase();
    output::print(&format!(
        "{} {} ({}, {severity}; {fix})\n\n{docs}\n",
        rule.code,
        rule.name,
        rule.group.name()
    ))?;
    Ok(Exit::Clean)
}

/// One rule as JSON.
#[derive(Serialize)]
struct Listed {
    code: &'static str,
    name: &'static str,
    group: Group,
    severity: Severity,
    fix: Option<Applicability>,
    summary: &'static str,
    docs: &'static str,
}

/// Lists all rules.
pub(super) fn rules(args: &RulesArgs) -> Result<Exit> {
    let summary = |docs: &'static str| docs.lines().next().unwrap_or_default();
    let list: Vec<Listed> = rules::all()
        .iter()
        .map(|(rule, docs)| Listed {
            code: rule.code,
            name: rule.name,
            group: rule.group,
            severity: rule.severity,
            fix: rule.fix,
            summary: summary(docs),
            docs,
        })
        .collect();
    if args.json {
        output::print(&format!("{}\n", serde_json::to_string_pretty(&list)?))?;
    } else {
        let line = |rule: &Listed| {
            format!(
                "{}  {:<28} {:<8} {}\n",
                rule.code,
                rule.name,
                format!("{:?}", rule.severity).to_lowercase(),
                rule.summary
            )
        };
        output::print(&list.iter().map(line).collect::<String>())?;
    }
    Ok(Exit::Clean)
}
