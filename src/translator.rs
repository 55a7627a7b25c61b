//! The program for other programs: a text in, its translation and findings out. The items here keep their meaning within a minor
//! release; the rooms of the crate do not.

use std::fmt;
use std::ops::Range;
use std::path::Path;

use crate::compat;
use crate::config::{self, Config};
use crate::diagnostic::Severity;
use crate::engine::{FileOutcome, Session};
use crate::mapping::ApiTable;
use crate::pipeline::{Processed, translated};
use crate::report::{Builder, FindingReport, file_report, text};
use crate::rules;
use crate::text::SourceFile;

/// Translates texts with one set of settings. Making one reads the tables (some milliseconds): make it once and use it for all.
pub struct Translator {
    session: Session,
}

/// What became of a text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Translation {
    /// The translation; where nothing is to be changed the bytes of the source.
    pub output: Vec<u8>,
    /// Whether anything was changed.
    pub is_changed: bool,
    /// The text of `cass_hip_compat.hpp`, where the output includes it: it has to lie beside the output or on the include path.
    pub header: Option<String>,
    /// Everything there is to say, in the order of the source; what was converted with the same meaning has [`Severity::Info`].
    pub findings: Vec<Finding>,
    /// Counts for a person, as the command line prints them below its findings.
    pub summary: String,
}

/// What there is to say about a place of the source.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finding {
    /// Code of the rule, `CASS003`: never given to another rule.
    pub code: &'static str,
    /// Name of the rule, `unsupported-api`.
    pub rule: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What is the matter.
    pub message: String,
    /// What to do; empty where nothing is to be done.
    pub help: String,
    /// Bytes of the source.
    pub range: Range<usize>,
    /// Where the range starts.
    pub start: Place,
    /// Where it ends.
    pub end: Place,
    /// Whether the translation makes the change that the finding asks for.
    pub is_fixed: bool,
    /// Address of the page of its rule, where one is published.
    pub page: Option<String>,
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// Lines from 1 on.
    pub line: u32,
    /// Columns from 1 on, in bytes.
    pub column: u32,
    /// Columns from 1 on, in units of UTF-16, as editors and browsers count.
    pub utf16_column: u32,
}

/// Why there is no translator or no translation, for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl Default for Translator {
    fn default() -> Self {
        Self::new()
    }
}

impl Translator {
    /// A translator with the settings that hold when nobody says anything.
    pub fn new() -> Self {
        Self::of(&Config::default(), &[]).expect("defaults are valid")
    }

    /// A translator with the settings of a `cass.toml`, given as its text: `[translate]` and `[rules]`. What speaks of trees of files
    /// (`[files]`, `[check]`, overrides, `naming`) means nothing for a text.
    ///
    /// # Errors
    /// When the text is no TOML, when a key or value is unknown, or when it names tables by their paths.
    pub fn with_settings(cass_toml: &str) -> Result<Self, Error> {
        Self::with_settings_and_tables(cass_toml, &[])
    }

    /// The same with tables of one's own, in the format of `--mappings`, on top of those that there are: each its name, for errors, and
    /// its text, which is kept for as long as the program runs.
    ///
    /// # Errors
    /// As [`Translator::with_settings`], and when a table is not in that format or contradicts what is there.
    pub fn with_settings_and_tables(
        cass_toml: &str,
        tables: &[(&str, &str)],
    ) -> Result<Self, Error> {
        let config = config::parse(Path::new("settings"), cass_toml);
        Self::of(&config.map_err(|error| Error(error.to_string()))?, tables)
    }

    fn of(config: &Config, tables: &[(&str, &str)]) -> Result<Self, Error> {
        if config.translate.mappings.iter().flatten().next().is_some() {
            let why = "settings: `mappings` names files; give their texts as tables";
            return Err(Error(why.to_owned()));
        }
        let options = config.translate.options().map_err(Error)?;
        let mut table = ApiTable::builtin();
        for (number, (name, text)) in (0..=u8::MAX).zip(tables) {
            let with = table.overlay(name, text, number);
            table = with.map_err(|error| Error(error.to_string()))?;
        }
        if options.reverse {
            table = table.reversed();
        }
        let mut session = Session::new(options, table);
        let choice = config.rules.clone();
        session.rules.add(None, choice).map_err(Error)?;
        Ok(Self { session })
    }

    /// Translates a text. Its name says what it is, as the name of a file does: `k.cu`, `Makefile`, `CMakeLists.txt`, `setup.py`. A
    /// text that does not parse, or is no source, is no error: what is understood of it is translated.
    ///
    /// # Errors
    /// When the text has 4 GiB or more, or the translator breaks down on it, which is a bug.
    pub fn translate(&self, name: &str, source: impl Into<Vec<u8>>) -> Result<Translation, Error> {
        let bytes = source.into();
        if u32::try_from(bytes.len()).is_err() {
            return Err(Error(format!("{name}: 4 GiB or larger; split it")));
        }
        match translated(SourceFile::new(name.to_owned(), bytes), &self.session) {
            Processed::Source { source, outcome } => Ok(self.translation(&source, &outcome)),
            Processed::Failed { message } => Err(Error(message)),
            Processed::Opaque | Processed::Plain { .. } => {
                unreachable!("only files of trees are not read")
            }
        }
    }

    fn translation(&self, source: &SourceFile, outcome: &FileOutcome) -> Translation {
        let report = file_report(source, outcome, None, Severity::Info);
        let findings = report.findings.iter().map(Finding::of).collect();
        let mut builder = Builder::new(self.session.options.clone(), Vec::new());
        builder.add(report);
        let output = outcome.output.as_ref();
        let helpers = outcome.helpers.iter().copied().collect();
        Translation {
            output: output.unwrap_or(&source.bytes).clone(),
            is_changed: output.is_some(),
            header: (!outcome.helpers.is_empty()).then(|| compat::header(&helpers)),
            findings,
            summary: text::summary(&builder.finish(), "translated"),
        }
    }
}

impl Finding {
    fn of(found: &FindingReport) -> Self {
        let place = |line, column, utf16_column| Place {
            line,
            column,
            utf16_column,
        };
        Self {
            code: found.code,
            rule: found.rule,
            severity: found.severity,
            message: found.message.clone(),
            help: found.help.clone(),
            range: found.range.start as usize..found.range.end as usize,
            start: place(found.line, found.column, found.columns.utf16.0),
            end: place(found.end_line, found.end_column, found.columns.utf16.1),
            is_fixed: found.fixable,
            page: rules::page(found.code),
        }
    }
}
