//! The card of a data set: what is in it, by level, split, licence.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::level::Level;
use super::split::Split;

#[derive(Deserialize)]
struct Line {
    project: String,
    split: Split,
    #[serde(default)]
    license: Option<super::licence::Licence>,
    proof: ProofLine,
    #[serde(default)]
    duplicate_of: Option<String>,
}

#[derive(Deserialize)]
struct ProofLine {
    level: Level,
    next: String,
    #[serde(default)]
    equal_to: Option<String>,
    #[serde(default)]
    amdgcn: Option<serde::de::IgnoredAny>,
    #[serde(default)]
    ptx: Option<serde::de::IgnoredAny>,
}

/// The card of these lines, as Markdown. Lines that are no records are counted as such.
pub fn card<'l>(lines: impl Iterator<Item = &'l str>, made_with: &str) -> String {
    let mut counts = Counts::default();
    for line in lines {
        match serde_json::from_str::<Line>(line) {
            Ok(pair) => counts.add(pair),
            Err(_) => counts.broken += 1,
        }
    }
    counts.card(made_with)
}

/// What a card counts.
#[derive(Default)]
struct Counts {
    all: usize,
    duplicates: usize,
    broken: usize,
    amdgcn: usize,
    /// With the assembly of the source as well.
    both: usize,
    levels: BTreeMap<Level, usize>,
    splits: BTreeMap<Split, usize>,
    projects: BTreeMap<String, Split>,
    licences: BTreeMap<String, usize>,
    stops: BTreeMap<String, usize>,
    equal_to: BTreeMap<String, usize>,
}

impl Counts {
    fn add(&mut self, pair: Line) {
        self.all += 1;
        *self.levels.entry(pair.proof.level).or_default() += 1;
        *self.splits.entry(pair.split).or_default() += 1;
        self.duplicates += usize::from(pair.duplicate_of.is_some());
        self.amdgcn += usize::from(pair.proof.amdgcn.is_some());
        self.both += usize::from(pair.proof.amdgcn.is_some() && pair.proof.ptx.is_some());
        self.projects.insert(pair.project, pair.split);
        let licence = pair.license.map_or("none named".to_owned(), |l| l.spdx);
        *self.licences.entry(licence).or_default() += 1;
        if let Some(what) = pair.proof.equal_to {
            *self.equal_to.entry(what).or_default() += 1;
        }
        // Nothing stops what came to the end.
        if !pair.proof.next.is_empty() && !pair.proof.next.starts_with("not tried") {
            let reason = reason(&pair.proof.next);
            *self.stops.entry(reason).or_default() += 1;
        }
    }

    fn card(self, made_with: &str) -> String {
        let Self {
            all,
            duplicates,
            broken,
            amdgcn,
            both,
            levels,
            splits,
            projects,
            licences,
            stops,
            equal_to,
        } = self;
        let mut text = format!(
            "# Pairs of CUDA and HIP\n\n{made_with}\n\n{all} records of {} projects; {duplicates} have the code of an earlier record (`duplicate_of`).\n",
            projects.len()
        );
        if broken > 0 {
            text.push_str(&format!("{broken} lines are no records.\n"));
        }
        text.push_str("\n| Highest level of proof | Records | At least this |\n|:--|--:|--:|\n");
        for level in Level::ALL {
            let own = levels.get(&level).copied().unwrap_or(0);
            let least: usize = levels.range(level..).map(|(_, count)| count).sum();
            text.push_str(&format!("| {} | {own} | {least} |\n", level.name()));
        }
        text.push_str(&format!(
        "\n{amdgcn} records have the assembly of the result, {both} that of the source as well.\n"
    ));
        text.push_str("\n| Split (by project) | Records | Projects |\n|:--|--:|--:|\n");
        for (split, count) in &splits {
            let own = projects.values().filter(|of| *of == split).count();
            text.push_str(&format!(
                "| {} | {count} | {own} |\n",
                format!("{split:?}").to_lowercase()
            ));
        }
        table(&mut text, "Ran equal to", equal_to.into_iter().collect());
        table(&mut text, "Licence", licences.into_iter().collect());
        table(&mut text, "What stopped them", stops.into_iter().collect());
        text
    }
}

/// The message without its place and the names in it, so that it can be counted.
fn reason(message: &str) -> String {
    let at = message.find("error:").map_or(0, |at| at + 6);
    let text: Vec<&str> = message[at..].trim().split('\'').collect();
    let is_header = message.contains("file not found");
    let parts = text.iter().enumerate();
    let named = parts.map(|(at, part)| {
        if at % 2 == 1 && !is_header {
            "…"
        } else {
            part
        }
    });
    named.collect::<Vec<_>>().join("'").replace('|', "\\|")
}

fn table(text: &mut String, title: &str, mut rows: Vec<(String, usize)>) {
    if rows.is_empty() {
        return;
    }
    rows.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), name.clone()));
    text.push_str(&format!("\n| {title} | Records |\n|:--|--:|\n"));
    for (name, count) in rows.iter().take(15) {
        text.push_str(&format!("| {name} | {count} |\n"));
    }
    let rest: usize = rows.iter().skip(15).map(|(_, count)| count).sum();
    if rest > 0 {
        text.push_str(&format!("| others | {rest} |\n"));
    }
}
