//! The findings as the page's script reads them: what repeats is stored once and referred to by number.

use std::collections::HashMap;
use std::hash::Hash;

use serde_json::{Value, json};

use crate::diagnostic::Severity;
use crate::edit::Applicability;
use crate::report::figures::{effort, is_ready, open_of};
use crate::report::model::{Action, FileReport, FindingReport, Report};
use crate::report::problems::{Key, Problem, key, needs_work, problems};
use crate::report::rule_docs;
use crate::rules;

/// Values in the order in which they were first seen.
struct Pool<T> {
    numbers: HashMap<T, usize>,
    values: Vec<T>,
}

impl<T: Clone + Eq + Hash> Pool<T> {
    fn new() -> Self {
        Self {
            numbers: HashMap::new(),
            values: Vec::new(),
        }
    }

    fn number(&mut self, value: T) -> usize {
        let values = &mut self.values;
        *self.numbers.entry(value).or_insert_with_key(|value| {
            values.push(value.clone());
            values.len() - 1
        })
    }
}

/// What findings have in common: rule, severity, message, help, fix, whether it is applied, problem (its place in the list counted
/// from 1; 0 is none).
type Kind<'r> = (usize, u8, &'r str, usize, u8, bool, usize);

struct Pools<'r> {
    rules: Pool<&'static str>,
    helps: Pool<&'r str>,
    kinds: Pool<Kind<'r>>,
    lines: Pool<(&'r str, Option<&'r str>)>,
    /// Places in the list of problems.
    problems: HashMap<Key<'r>, usize>,
}

/// The data as JSON that may stand in a script element: no `<` in it, so nothing ends the element or opens a comment.
pub(super) fn json(report: &Report) -> String {
    let problems = problems(report);
    let numbered = problems.iter().enumerate();
    let mut pools = Pools {
        rules: Pool::new(),
        helps: Pool::new(),
        kinds: Pool::new(),
        lines: Pool::new(),
        problems: numbered
            .map(|(at, problem)| (key(problem.finding), at + 1))
            .collect(),
    };
    let problems: Vec<Value> = problems
        .iter()
        .map(|problem| problem_entry(problem, &mut pools))
        .collect();
    let files: Vec<Value> = report
        .files
        .iter()
        .map(|file| file_entry(report, file, &mut pools))
        .collect();
    let data = json!({
        "files": files,
        "problems": problems,
        "rules": pools.rules.values.iter().map(|code| rule_entry(code)).collect::<Vec<_>>(),
        "helps": pools.helps.values,
        "kinds": pools.kinds.values,
        "lines": pools.lines.values.iter().map(|(source, output)| line_entry(source, *output)).collect::<Vec<_>>(),
    });
    data.to_string().replace('<', "\\u003c")
}

fn rule_entry(code: &str) -> Value {
    match rules::find(code) {
        Some((rule, docs)) => json!([
            rule.code,
            rule.name,
            rule_docs::summary(docs),
            rules::page(rule.code).unwrap_or_default()
        ]),
        None => json!([code, "", "", ""]),
    }
}

/// `[rule, severity, title, help]`.
fn problem_entry<'r>(problem: &Problem<'r>, pools: &mut Pools<'r>) -> Value {
    let finding = problem.finding;
    json!([
        pools.rules.number(finding.code),
        weight(finding.severity),
        problem.title(),
        pools.helps.number(&finding.help),
    ])
}

fn weight(severity: Severity) -> u8 {
    match severity {
        Severity::Error => 2,
        Severity::Warning => 1,
        Severity::Info => 0,
    }
}

/// `[path, state, errors, warnings, safe, review, manual, lines changed, effort, findings, labels]`. State 3 is a file that failed, 2 one
/// that needs no hand, 1 another with CUDA, 0 another without. A finding is five numbers in a
/// row: lines since the finding before, column, width, kind, and the text of its line: 0 is the next text that was not used yet, a
/// negative number counts back from there.
fn file_entry<'r>(report: &Report, file: &'r FileReport, pools: &mut Pools<'r>) -> Value {
    let counts = file.counts;
    let open = open_of(report, file);
    let mut findings: Vec<i64> = Vec::with_capacity(file.findings.len() * 5);
    let mut line = 0;
    let mut labels = serde_json::Map::new();
    for (number, finding) in file.findings.iter().enumerate() {
        let mut entry = finding_entry(finding, pools);
        (entry[0], line) = (entry[0] - line, entry[0]);
        findings.extend(entry);
        if !finding.labels.is_empty() {
            let label = |label: &crate::report::LabelReport| json!([label.line, label.message]);
            labels.insert(
                number.to_string(),
                finding.labels.iter().map(label).collect(),
            );
        }
    }
    json!([
        file.path,
        state(file),
        open.0,
        open.1,
        counts.safe,
        counts.review,
        counts.manual,
        file.lines_changed,
        effort(open),
        findings,
        labels,
    ])
}

fn state(file: &FileReport) -> u8 {
    match file.action {
        Action::Failed => 3,
        _ if is_ready(file) => 2,
        _ => u8::from(file.is_cuda),
    }
}

fn finding_entry<'r>(finding: &'r FindingReport, pools: &mut Pools<'r>) -> [i64; 5] {
    let fix = match finding.fix {
        None => 0,
        Some(Applicability::Safe) => 1,
        Some(Applicability::Review) => 2,
        Some(Applicability::Manual) => 3,
    };
    let problem = pools.problems.get(&key(finding));
    let problem = problem.filter(|_| needs_work(finding));
    let kind = (
        pools.rules.number(finding.code),
        weight(finding.severity),
        finding.message.as_str(),
        pools.helps.number(&finding.help),
        fix,
        finding.fixable,
        problem.copied().unwrap_or(0),
    );
    // Indentation costs bytes and says nothing in a table.
    let line = finding.source_line.trim_start();
    let cut = (finding.source_line.len() - line.len()) as u32;
    let output = finding.output_line.as_deref().map(str::trim_start);
    let (start, end) = finding.columns.chars;
    let width = if finding.end_line == finding.line {
        end.saturating_sub(start)
    } else {
        0
    };
    let known = pools.lines.values.len();
    let text = pools.lines.number((line, output));
    [
        i64::from(finding.line),
        i64::from(start.saturating_sub(cut).max(1)),
        i64::from(width),
        pools.kinds.number(kind) as i64,
        text as i64 - known as i64,
    ]
}

/// `source`, or `[source, bytes kept at the start, bytes kept at the end, what is new between them]` in UTF-16 units, as the script
/// counts.
fn line_entry(source: &str, output: Option<&str>) -> Value {
    let Some(output) = output else {
        return json!(source);
    };
    let (old, new): (Vec<char>, Vec<char>) = (source.chars().collect(), output.chars().collect());
    let shorter = old.len().min(new.len());
    let start = (0..shorter).take_while(|&at| old[at] == new[at]).count();
    let behind = |at: usize| old[old.len() - 1 - at] == new[new.len() - 1 - at];
    let end = (0..shorter - start).take_while(|&at| behind(at)).count();
    let units = |chars: &[char]| chars.iter().map(|c| c.len_utf16()).sum::<usize>();
    let middle: String = new[start..new.len() - end].iter().collect();
    json!([
        source,
        units(&old[..start]),
        units(&old[old.len() - end..]),
        middle
    ])
}
