use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::{Stand, Theirs, Vanished, follow_renames, header, helpers_called, theirs};
use crate::cli::args::SettingsArgs;
use crate::cli::input;
use crate::cli::progress::Progress;
use crate::cli::settings::{Given, Settings};
use crate::compat;
use crate::config::CheckTable;
use crate::diagnostic::Severity;
use crate::engine::Session;
use crate::pipeline::{Naming, Plan, PlannedFile, Processed, run as run_pipeline, walk};
use crate::port::{Content, Decision, Port, State, Write, key_of};
use crate::project::{CalledHelpers, ProjectIndex};
use crate::report::diff::unchanged_lines;

/// How an output stands to its sources, without a change to either.
pub(in crate::cli) struct Overview {
    /// What the output remembers.
    pub(in crate::cli) port: Port,
    /// What decides the translation.
    pub(in crate::cli) options: serde_json::Value,
    /// The files that the sources make.
    pub(in crate::cli) files: Vec<Looked>,
    /// Those that they make no more.
    pub(in crate::cli) vanished: Vanished,
    /// What could not be read.
    pub(in crate::cli) problems: Vec<String>,
}

/// One file of an output.
pub(in crate::cli) struct Looked {
    /// How it stands.
    pub(in crate::cli) stand: Stand,
    /// What a run would do.
    pub(in crate::cli) decision: Decision,
    /// What a translation makes of its source.
    pub(in crate::cli) theirs: Theirs,
    /// Findings of that translation that ask for a person.
    pub(in crate::cli) findings: Findings,
}

/// Counts of findings.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
pub(in crate::cli) struct Findings {
    /// Errors whose line is in the output as the translation left it.
    pub(in crate::cli) errors: usize,
    /// Warnings, likewise.
    pub(in crate::cli) warnings: usize,
    /// Errors and warnings whose line somebody changed.
    pub(in crate::cli) by_hand: usize,
}

/// Which sources, which output, which settings.
pub(in crate::cli) struct Asked<'a> {
    pub(in crate::cli) source: &'a Path,
    pub(in crate::cli) out: &'a Path,
    pub(in crate::cli) naming: Option<Naming>,
    pub(in crate::cli) settings: &'a SettingsArgs,
}

impl Overview {
    /// Translates the sources and holds the output against them. `None` when a person ended it.
    ///
    /// # Errors
    /// When sources or settings cannot be read.
    pub(in crate::cli) fn new(asked: &Asked<'_>) -> Result<Option<Self>> {
        input::set_threads(&asked.settings.files);
        let given = Given {
            settings: asked.settings,
            naming: asked.naming,
            check: CheckTable::default(),
        };
        let mut settings = Settings::new(asked.source, &given)?;
        let skip: Vec<PathBuf> = vec![asked.out.to_path_buf()];
        let progress = Progress::new();
        let mut walked = walk(asked.source, &settings.filter(skip), &progress)?;
        settings.nest(&mut walked)?;
        let plan = Plan::new(walked.entries, settings.naming())
            .with_made()
            .with_around(walked.around);
        let session = settings.session(&plan, &progress)?;
        let mut port = super::open(asked.out)?;
        follow_renames(&mut port, asked.source, &plan.files);
        let looked = run_pipeline(
            &plan.files,
            &session,
            input::interrupted(),
            &progress,
            |file, processed| compared_file(&port, &session.project, file, &processed),
        );
        drop(progress);
        if input::was_interrupted() {
            return Ok(None);
        }
        let mut overview = Self {
            options: super::options(&session.options, settings.naming()),
            vanished: Vanished::default(),
            files: Vec::new(),
            problems: walked.problems,
            port,
        };
        overview.take(looked, asked.source, &session, &plan)?;
        Ok(Some(overview))
    }

    fn take(
        &mut self,
        looked: Vec<Result<(Looked, CalledHelpers)>>,
        source: &Path,
        session: &Session,
        plan: &Plan,
    ) -> Result<()> {
        let mut helpers = CalledHelpers::default();
        for file in looked {
            match file {
                Ok((file, called)) => {
                    helpers.add(called);
                    self.files.push(file);
                }
                Err(error) => self.problems.push(format!("{error:#}")),
            }
        }
        helpers.add_known(|path| {
            let earlier = self.of_sources(path);
            earlier.map_or_else(BTreeSet::new, |earlier| compat::held(&earlier))
        });
        for (path, helpers) in helpers.headers() {
            if let Some(theirs) = header(helpers, session.options.compat) {
                self.files.retain(|file| file.stand.key != path);
                let looked = looked_at(&self.port, path, theirs)?;
                self.files.push(looked);
            }
        }
        self.files
            .retain(|file| file.stand.key != super::REPORT_NAME);
        let made = self.files.iter().map(|file| file.stand.key.as_str());
        let made: Vec<&str> = made.collect();
        self.vanished = Vanished::new(&self.port, source, &plan.files, &made)?;
        Ok(())
    }

    /// The helper header that the sources have themselves.
    fn of_sources(&self, path: &str) -> Option<Vec<u8>> {
        let mut files = self.files.iter();
        let own = files.find(|file| file.stand.key == path)?;
        own.theirs.content.bytes.clone()
    }
}

fn compared_file(
    port: &Port,
    project: &ProjectIndex,
    file: &PlannedFile,
    processed: &Processed,
) -> Result<(Looked, CalledHelpers)> {
    if let Processed::Failed { message } = processed {
        anyhow::bail!("{message}");
    }
    let outcome = match processed {
        Processed::Source { outcome, .. } => Some(outcome),
        _ => None,
    };
    let changed = outcome.and_then(|outcome| outcome.output.as_deref());
    let theirs = theirs(file, processed, changed)?;
    let mut looked = looked_at(port, &key_of(&file.output), theirs)?;
    let mut helpers = outcome
        .map(|outcome| outcome.helpers.clone())
        .unwrap_or_default();
    let result = result(port, &looked)?;
    if let Some(text) = result.as_ref().and_then(Content::text)
        && looked.theirs.content.mark
            != Content::new(looked.theirs.content.mark.kind, text.to_vec()).mark
    {
        helpers.extend(helpers_called(text));
    }
    looked.findings = findings(processed, &looked, result.as_ref());
    let header = project.helper_header_of(&file.entry.name());
    Ok((looked, CalledHelpers::of(header, helpers)))
}

fn looked_at(port: &Port, key: &str, theirs: Theirs) -> Result<Looked> {
    let found = port.found(key)?;
    let decision = port.decide(key, &theirs.source, found, &theirs.content, false)?;
    Ok(Looked {
        stand: Stand::new(port, key.to_owned(), &decision),
        decision,
        theirs,
        findings: Findings::default(),
    })
}

/// What the next run would leave at the place of a file; `None` where nothing is.
pub(in crate::cli) fn result(port: &Port, looked: &Looked) -> Result<Option<Content>> {
    match (&looked.decision.write, looked.stand.state) {
        (Write::Bytes(kind, bytes), _) => Ok(Some(Content::new(*kind, bytes.clone()))),
        (Write::Theirs, _) | (Write::Nothing, State::InSync) => {
            Ok(Some(looked.theirs.content.clone()))
        }
        (Write::Nothing, _) => port.found(&looked.stand.key),
    }
}

/// Counts findings by whether somebody changed their line. A file that somebody deleted has none left.
fn findings(processed: &Processed, looked: &Looked, result: Option<&Content>) -> Findings {
    let mut found = Findings::default();
    let Processed::Source { source, outcome } = processed else {
        return found;
    };
    let translated = looked.theirs.content.text().unwrap_or_default();
    let text = result.and_then(Content::text).unwrap_or_default();
    let kept = unchanged_lines(translated, text);
    let line_of = |offset: u32| {
        let offset = (outcome.edits.map_offset(offset) as usize).min(translated.len());
        memchr::memchr_iter(b'\n', &translated[..offset]).count()
    };
    let visible = outcome.visible();
    for finding in visible.filter(|finding| finding.severity() > Severity::Info) {
        let line = line_of(finding.range().start);
        let is_there = kept.iter().any(|lines| lines.contains(&line));
        let is_about_file = source.bytes.is_empty() || finding.range().is_empty();
        match (
            is_there || is_about_file && !text.is_empty(),
            finding.severity(),
        ) {
            (false, _) => found.by_hand += 1,
            (true, Severity::Error) => found.errors += 1,
            (true, _) => found.warnings += 1,
        }
    }
    found
}
