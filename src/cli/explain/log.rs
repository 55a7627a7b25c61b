//! A log of a build, message by message: where, what, what the translation said of the place, what to do.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::cli::query;
use crate::cli::recorded::{Recorded, Said};
use crate::mapping::ApiTable;
use crate::report::plural;
use crate::report::text::harmless;
use crate::symptom::{self, Level, Message, Symptom};

/// What is known of one message.
#[derive(Debug, Serialize)]
pub(super) struct Told {
    /// `file:line:column`; empty for those of a linker or a running program.
    pub(super) place: String,
    pub(super) message: String,
    /// How often it comes.
    pub(super) count: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) findings: Vec<Said>,
    /// What the tables know of the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    /// The page about such messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) page: Option<&'static str>,
    #[serde(skip)]
    pub(super) symptom: Option<&'static Symptom>,
}

/// What is known of a log.
#[derive(Debug, Default)]
pub(super) struct Explained {
    pub(super) told: Vec<Told>,
    /// Warnings of which nothing is known: they are no questions.
    passed: usize,
}

impl Explained {
    /// Reads a log. Files are meant from the current folder.
    pub(super) fn new(log: &str) -> Self {
        let read = symptom::read_log(log);
        let mut reading = Reading {
            table: ApiTable::builtin(),
            told: Vec::new(),
            passed: 0,
            known: BTreeMap::new(),
            ports: BTreeMap::new(),
        };
        read.messages
            .iter()
            .for_each(|message| reading.message(message));
        read.others.iter().for_each(|line| reading.line(line));
        Self {
            told: reading.told,
            passed: reading.passed,
        }
    }

    /// Whether there is a message that asks for an answer.
    pub(super) fn is_empty(&self) -> bool {
        self.told.is_empty()
    }

    /// What is said of so many lines without such a message: a build that succeeded has none.
    pub(super) fn nothing(&self, lines: usize) -> String {
        let lines = format!("{lines} {}", plural(lines, "line"));
        match self.passed {
            0 => format!("no message of a compiler in {lines}\n"),
            passed => format!(
                "no error in {lines}, and {passed} {} of which nothing is known\n",
                plural(passed, "warning")
            ),
        }
    }

    /// The pages that the messages ask for, each once, in the order of the log.
    pub(super) fn pages(&self) -> Vec<&'static Symptom> {
        let mut seen = BTreeSet::new();
        let pages = self.told.iter().filter_map(|told| told.symptom);
        pages.filter(|symptom| seen.insert(&symptom.name)).collect()
    }

    /// One line a message.
    pub(super) fn lines(&self) -> String {
        self.told.iter().map(Told::line).collect()
    }

    /// How many messages nothing is known of; nothing where there are none.
    pub(super) fn unknown(&self) -> String {
        let unknown = self.told.iter().filter(|told| !told.is_known());
        let count: usize = unknown.map(|told| told.count).sum();
        match count {
            0 => String::new(),
            1 => "1 message is not known\n".to_owned(),
            count => format!("{count} {} are not known\n", plural(count, "message")),
        }
    }
}

impl Told {
    fn is_known(&self) -> bool {
        !self.findings.is_empty() || self.name.is_some() || self.symptom.is_some()
    }

    fn line(&self) -> String {
        let place = match &*self.place {
            "" => String::new(),
            place => format!("{}: ", harmless(place)),
        };
        let often = match self.count {
            1 => String::new(),
            count => format!(" ({count} times)"),
        };
        let mut answers: Vec<String> = self.findings.iter().map(said).collect();
        if answers.is_empty() {
            answers.extend(self.name.clone());
        }
        answers.extend(
            self.symptom
                .map(|symptom| format!("see \"{}\" below", symptom.name.replace('-', " "))),
        );
        if answers.is_empty() {
            answers.push("not known".to_owned());
        }
        // Notes of tables are sentences; more of them follow in this line.
        let answers: Vec<&str> = answers
            .iter()
            .map(|one| one.trim_end_matches('.'))
            .collect();
        format!(
            "{place}{}{often}: {}\n",
            harmless(&self.message),
            harmless(&answers.join("; "))
        )
    }
}

fn said(said: &Said) -> String {
    match &*said.help {
        "" => format!("{}: {}", said.code, said.message),
        help => format!("{}: {}: {help}", said.code, said.message),
    }
}

struct Reading {
    table: ApiTable,
    told: Vec<Told>,
    passed: usize,
    /// By place and text, where it stands.
    known: BTreeMap<(String, String), usize>,
    ports: BTreeMap<PathBuf, Recorded>,
}

impl Reading {
    fn message(&mut self, message: &Message) {
        let symptom = symptom::matching(&message.text).first().copied();
        // A warning that nobody knows is no question.
        if message.level == Level::Warning && symptom.is_none() {
            self.passed += 1;
            return;
        }
        let place = message
            .site
            .as_ref()
            .map_or_else(String::new, |site| match site.column {
                0 => format!("{}:{}", site.file, site.line),
                column => format!("{}:{}:{column}", site.file, site.line),
            });
        if self.is_again(&place, &message.text) {
            return;
        }
        let findings = self.findings(message);
        let name = message
            .name()
            .and_then(|name| query::in_short(&self.table, name));
        self.told.push(Told {
            place,
            message: message.text.clone(),
            count: 1,
            // What is said of the place says more than a page about such messages.
            symptom: symptom.filter(|_| findings.is_empty()),
            page: symptom.map(|symptom| symptom.name.as_str()),
            findings,
            name,
        });
    }

    /// A line that is no message of a compiler: what programs print when they run.
    fn line(&mut self, line: &str) {
        let Some(symptom) = symptom::matching(line).first().copied() else {
            return;
        };
        if !self.is_again("", line) {
            self.told.push(Told {
                place: String::new(),
                message: line.to_owned(),
                count: 1,
                findings: Vec::new(),
                name: None,
                page: Some(&symptom.name),
                symptom: Some(symptom),
            });
        }
    }

    /// Whether the same was said of the same place; it is counted then.
    fn is_again(&mut self, place: &str, text: &str) -> bool {
        let key = (place.to_owned(), text.to_owned());
        if let Some(at) = self.known.get(&key) {
            self.told[*at].count += 1;
            return true;
        }
        self.known.insert(key, self.told.len());
        false
    }

    /// What the translation said of the first place in a port that a message leads to.
    fn findings(&mut self, message: &Message) -> Vec<Said> {
        for site in message.sites() {
            let Some((root, file)) = Recorded::around(Path::new(&site.file)) else {
                continue;
            };
            let port = self
                .ports
                .entry(root)
                .or_insert_with_key(|root| Recorded::new(root));
            let said = port.said(&file, site.line, &port.bytes(&file));
            if !said.is_empty() {
                return said;
            }
        }
        Vec::new()
    }
}
