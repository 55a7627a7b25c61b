//! How far a program came, and the table.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The stages of a program; each stands on those before it.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stage {
    /// The translator gave a result for every source.
    Translated,
    /// It compiles for the host and every chip.
    Compiled,
    /// A program comes of it.
    Linked,
    /// The program ends as it should on every chip.
    Ran,
    /// What it prints is what it should print, on every chip.
    Equal,
}

impl Stage {
    /// All stages, the first first.
    pub(crate) const ALL: [Self; 5] = [
        Self::Translated,
        Self::Compiled,
        Self::Linked,
        Self::Ran,
        Self::Equal,
    ];

    /// As it stands in the table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Translated => "translated",
            Self::Compiled => "compiled",
            Self::Linked => "linked",
            Self::Ran => "ran",
            Self::Equal => "equal",
        }
    }
}

/// Where a program stopped, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Stop {
    /// The stage that was not reached.
    pub(crate) stage: Stage,
    /// Why.
    pub(crate) why: String,
}

/// A run of a program on a chip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ChipRun {
    /// The chip.
    pub(crate) chip: String,
    /// How it ended.
    pub(crate) end: String,
    /// Whether it printed what it should; none where nothing was compared.
    pub(crate) equal: Option<bool>,
}

/// A program by a translator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Row {
    /// Who translated it.
    pub(crate) translator: String,
    /// The program.
    pub(crate) program: String,
    /// What it is counted with.
    pub(crate) category: String,
    /// Its folder from the root of all programs, or its source where it is one file of a folder.
    pub(crate) path: String,
    /// The sources that were compiled and linked to it, from the root of all programs; none where a Makefile says them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) sources: Vec<String>,
    /// A hash of each of them as it was compiled ([`hash`](crate::pairs::hash)).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) compiled: Vec<String>,
    /// What it was compared with: `given`, a result that was recorded or stands beside it, or `twin`, the port by people.
    pub(crate) compared_with: Option<String>,
    /// The last stage that it reached.
    pub(crate) reached: Option<Stage>,
    /// Where it failed.
    pub(crate) failed: Option<Stop>,
    /// What could not be tried. Nothing that was not tried counts as passed or as failed.
    pub(crate) not_tried: Option<Stop>,
    /// The command that was run.
    pub(crate) command: Vec<String>,
    /// Its runs.
    pub(crate) runs: Vec<ChipRun>,
    /// Whether it printed the same on all chips.
    pub(crate) widths_agree: Option<bool>,
}

impl Row {
    /// One of which nothing is known.
    pub(super) fn new(translator: &str, program: &str, category: &str, path: &str) -> Self {
        Self {
            translator: translator.to_owned(),
            program: program.to_owned(),
            category: category.to_owned(),
            path: path.to_owned(),
            sources: Vec::new(),
            compiled: Vec::new(),
            compared_with: None,
            reached: None,
            failed: None,
            not_tried: None,
            command: Vec::new(),
            runs: Vec::new(),
            widths_agree: None,
        }
    }

    /// It came so far and failed then.
    pub(super) fn fails(&mut self, stage: Stage, why: impl Into<String>) {
        let why = why.into();
        self.failed = Some(Stop { stage, why });
    }

    /// It came so far, and what comes next cannot be tried.
    pub(super) fn leaves(&mut self, stage: Stage, why: impl Into<String>) {
        let why = why.into();
        self.not_tried = Some(Stop { stage, why });
    }

    /// What comes next cannot be tried, whatever it is.
    pub(super) fn breaks_off(&mut self, why: String) {
        let mut later = Stage::ALL.into_iter();
        if let Some(next) = later.find(|stage| Some(*stage) > self.reached) {
            self.leaves(next, why);
        }
    }

    /// Whether a stage was passed, or failed; none where it was not tried.
    fn state(&self, stage: Stage) -> Option<bool> {
        match self.reached {
            Some(reached) if reached >= stage => Some(true),
            _ if self.failed.is_some() => Some(false),
            _ => None,
        }
    }
}

/// How many programs passed a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Count {
    /// The stage.
    pub(crate) stage: Stage,
    /// Those that passed it.
    pub(crate) passed: usize,
    /// Those that failed at it or before.
    pub(crate) failed: usize,
    /// Those with which it could not be tried.
    pub(crate) not_tried: usize,
}

/// What a translator's programs came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Tally {
    /// The translator.
    pub(crate) translator: String,
    /// The category; none for all.
    pub(crate) category: Option<String>,
    /// How many there are.
    pub(crate) programs: usize,
    /// By stage.
    pub(crate) stages: Vec<Count>,
}

/// Programs that one thing stops.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Cause {
    /// The translator.
    pub(crate) translator: String,
    /// The stage that they do not reach.
    pub(crate) stage: Stage,
    /// Why.
    pub(crate) why: String,
    /// It could not be tried; else it failed.
    pub(crate) not_tried: bool,
    /// The programs.
    pub(crate) programs: Vec<String>,
}

/// All that a run came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Totals {
    /// A line for all programs of each translator, then one for each category.
    pub(crate) tallies: Vec<Tally>,
    /// What stops programs, what stops most first.
    pub(crate) causes: Vec<Cause>,
    /// The programs.
    pub(crate) programs: Vec<Row>,
}

/// The lines of the table: translators in their order, all programs first, then categories where there are several.
pub(crate) fn tallies(rows: &[Row]) -> Vec<Tally> {
    let mut translators: Vec<&str> = Vec::new();
    for row in rows {
        if !translators.contains(&&*row.translator) {
            translators.push(&row.translator);
        }
    }
    let mut found = Vec::new();
    for translator in translators {
        let own = rows.iter().filter(|row| row.translator == translator);
        let own: Vec<&Row> = own.collect();
        found.push(tally(translator, None, &own));
        let mut categories = BTreeMap::<&str, Vec<&Row>>::new();
        for row in own {
            categories.entry(&row.category).or_default().push(row);
        }
        if categories.len() > 1 {
            let lines = categories
                .iter()
                .map(|(category, rows)| tally(translator, Some(category), rows));
            found.extend(lines);
        }
    }
    found
}

fn tally(translator: &str, category: Option<&str>, rows: &[&Row]) -> Tally {
    let count = |stage| {
        let of = |state| rows.iter().filter(|row| row.state(stage) == state).count();
        Count {
            stage,
            passed: of(Some(true)),
            failed: of(Some(false)),
            not_tried: of(None),
        }
    };
    Tally {
        translator: translator.to_owned(),
        category: category.map(str::to_owned),
        programs: rows.len(),
        stages: Stage::ALL.map(count).to_vec(),
    }
}

/// What stops programs: by translator in their order, failures first, what stops most first.
pub(crate) fn causes(rows: &[Row]) -> Vec<Cause> {
    let mut order: Vec<&str> = Vec::new();
    let mut found = BTreeMap::<(usize, bool, Stage, &str), Vec<String>>::new();
    for row in rows {
        let known = order.iter().position(|name| *name == row.translator);
        let place = known.unwrap_or_else(|| {
            order.push(&row.translator);
            order.len() - 1
        });
        let failed = row.failed.iter().map(|stop| (stop, false));
        let left = row.not_tried.iter().map(|stop| (stop, true));
        for (stop, not_tried) in failed.chain(left) {
            let key = (place, not_tried, stop.stage, stop.why.as_str());
            found.entry(key).or_default().push(row.program.clone());
        }
    }
    let mut sorted: Vec<_> = found.into_iter().collect();
    // The order of stages and causes holds among those with as many programs.
    sorted.sort_by_key(|((place, not_tried, ..), programs)| {
        (*place, *not_tried, std::cmp::Reverse(programs.len()))
    });
    let cause = |((place, not_tried, stage, why), programs): ((usize, _, _, &str), _)| Cause {
        translator: order[place].to_owned(),
        stage,
        why: why.to_owned(),
        not_tried,
        programs,
    };
    sorted.into_iter().map(cause).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(program: &str, category: &str, reached: Option<Stage>, failed: bool) -> Row {
        let mut row = Row::new("t", program, category, program);
        row.reached = reached;
        let next = Stage::ALL.into_iter().find(|stage| Some(*stage) > reached);
        match next {
            Some(stage) if failed => row.fails(stage, "x"),
            Some(stage) => row.leaves(stage, "y"),
            None => {}
        }
        row
    }

    #[test]
    fn what_was_not_tried_is_neither_passed_nor_failed() {
        let rows = [
            row("a", "k", Some(Stage::Equal), false),
            row("b", "k", Some(Stage::Linked), false),
            row("c", "l", Some(Stage::Translated), true),
        ];
        let all = tallies(&rows);
        assert_eq!(all.len(), 3);
        let figures: Vec<[usize; 3]> = all[0]
            .stages
            .iter()
            .map(|count| [count.passed, count.failed, count.not_tried])
            .collect();
        assert_eq!(
            figures,
            [[3, 0, 0], [2, 1, 0], [2, 1, 0], [1, 1, 1], [1, 1, 1]]
        );
    }

    #[test]
    fn causes_are_grouped_and_ordered() {
        let rows = [
            row("a", "", Some(Stage::Ran), false),
            row("b", "", Some(Stage::Translated), true),
            row("c", "", Some(Stage::Linked), true),
            row("d", "", Some(Stage::Linked), true),
        ];
        let found = causes(&rows);
        let shown: Vec<(Stage, bool, usize)> = found
            .iter()
            .map(|cause| (cause.stage, cause.not_tried, cause.programs.len()))
            .collect();
        assert_eq!(
            shown,
            [
                (Stage::Ran, false, 2),
                (Stage::Compiled, false, 1),
                (Stage::Equal, true, 1)
            ]
        );
    }
}
