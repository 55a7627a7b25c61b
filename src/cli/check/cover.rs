use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use rustc_hash::FxHashSet;

use super::checker::Checker;
use crate::cli::input;
use crate::cli::shim::beyond::beyond_names;
use crate::diagnostic::{ApiUse, Finding, Hidden, Judged, Severity};
use crate::engine::FileOutcome;
use crate::engine::Session;
use crate::engine::route::Reading;
use crate::mapping::{Support, Version};
use crate::pipeline::{Plan, Processed, Watcher, run as run_pipeline};
use crate::report::plural;
use crate::report::{FileReport, Report};
use crate::rules;
use crate::shim::{self, Use};
use crate::syntax::{Document, Include, Vendor};
use crate::text::{SourceFile, TextRange};

/// What the messages about those say.
const BEYOND: &str = "a shim cannot do that";

/// A shim header that sources are held against.
pub(super) struct Cover {
    name: String,
    /// Where forwarding headers lie.
    folder: PathBuf,
    names: FxHashSet<String>,
    /// The release that was asked for.
    release: Option<Version>,
    /// Places that no macro can stand for.
    beyond: usize,
    /// Names that were found without cover, each at its first use.
    missing: FxHashSet<&'static str>,
}

impl Cover {
    /// Reads the header and those of its folder that it includes.
    pub(super) fn read(path: &Path, release: Option<Version>) -> Result<Self> {
        Ok(Self {
            name: path.display().to_string(),
            folder: path.parent().map(Path::to_path_buf).unwrap_or_default(),
            names: covered(path)?,
            release,
            beyond: 0,
            missing: FxHashSet::default(),
        })
    }

    /// Reports on files; a finding is the first use in the tree of a name that the header does not cover.
    pub(super) fn check(
        &mut self,
        plan: &Plan,
        session: &Session,
        checker: &Checker<'_>,
        watcher: &dyn Watcher,
    ) -> Vec<FileReport> {
        let processed = run_pipeline(
            &plan.files,
            session,
            input::interrupted(),
            watcher,
            |_, processed| self.processed(processed, session),
        );
        // A run that was interrupted ends before it, and nothing is said of it.
        let files = plan.files.iter().zip(processed);
        let files = files.map(|(file, mut processed)| {
            if let Processed::Source { outcome, .. } = &mut processed {
                let is_first = |judged: &Judged| {
                    let is_beyond = judged.message().ends_with(BEYOND);
                    self.beyond += usize::from(is_beyond);
                    !judged.is_shown()
                        || is_beyond
                        || judged
                            .api()
                            .is_some_and(|api| self.missing.insert(api.name))
                };
                outcome.findings.retain(is_first);
            }
            checker.finish(file, processed)
        });
        files.collect()
    }

    /// What a run comes to.
    pub(super) fn summary(&self, report: &Report) -> String {
        let (count, files) = (self.missing.len(), report.totals.files);
        let beyond = match self.beyond {
            0 => String::new(),
            beyond => format!(
                ", {beyond} {} that the sources have to change for",
                plural(beyond, "place")
            ),
        };
        format!(
            "{count} {} of CUDA that {} does not cover{beyond}, in {files} {}\n",
            plural(count, "name"),
            self.name,
            plural(files, "file")
        )
    }

    /// A file with the findings of this check in place of those of its translation; sources that have none are let go.
    fn processed(&self, processed: Processed, session: &Session) -> Processed {
        let Processed::Source { source, outcome } = processed else {
            return processed;
        };
        let findings = self.findings(&source, &outcome, session);
        if findings.is_empty() {
            return Processed::Plain {
                bytes: source.bytes.len() as u64,
            };
        }
        let outcome = Box::new(FileOutcome {
            findings,
            is_cuda: true,
            ..FileOutcome::default()
        });
        Processed::Source { source, outcome }
    }

    fn findings(
        &self,
        source: &SourceFile,
        outcome: &FileOutcome,
        session: &Session,
    ) -> Vec<Judged> {
        let reading = Reading::new(source);
        let mut findings = match reading.cpp() {
            Some(document) => self.lacking(document, session),
            None => Vec::new(),
        };
        let beyond = beyond_names(&reading, outcome, session).into_iter();
        findings.extend(beyond.map(|finding| {
            let message = format!("{}; {BEYOND}", finding.message);
            Finding::new(finding.code, Severity::Error, finding.range, message).help(finding.help)
        }));
        findings.sort_by_key(|finding| finding.range);
        let mut findings: Vec<Judged> = findings.into_iter().map(Judged::new).collect();
        crate::engine::hide_suppressed(&reading, &mut findings);
        let chosen = session.rules.of(&source.path);
        let deselected = |judged: &&mut Judged| chosen.hidden.contains(judged.code());
        for judged in findings.iter_mut().filter(deselected) {
            judged.verdict.hidden = Some(Hidden::Selection);
        }
        findings
    }

    /// The names and headers of CUDA that the shim does not stand for.
    fn lacking(&self, document: &Document<'_>, session: &Session) -> Vec<Finding> {
        let used = shim::used(document, &session.table).into_iter();
        let missing = used.filter(|(name, _)| !self.names.contains(*name));
        let mut findings: Vec<Finding> = missing
            .map(|(name, (use_, at))| {
                self.finding(name, use_, document.tokens[at].range(), session)
            })
            .collect();
        findings.extend(self.headers(document, session));
        findings
    }

    /// Includes of CUDA's headers that nothing beside the shim leads to it.
    fn headers(&self, document: &Document<'_>, session: &Session) -> Vec<Finding> {
        let missing = |include: &Include| {
            let path = document.source.text(include.path).replace('\\', "/");
            let entry = session.table.header(path.as_bytes())?.entry;
            let stays = entry.hip == Some(entry.cuda);
            let is_open = document.vendor_at(include.directive.start) == Vendor::Any;
            if stays || !is_open || self.folder.join(&path).is_file() {
                return None;
            }
            let message = format!("`{path}` of CUDA does not lead to {}", self.name);
            let finding = rules::rule_of(entry).finding(include.directive, message);
            let finding = finding.severity(Severity::Error);
            Some(finding.help("write a folder of headers that do with `shim generate --include-dir DIR`, or guard the include").api(ApiUse {
                name: entry.cuda,
                library: entry.library,
                target: None,
                rocm_since: None,
            }))
        };
        document.includes.iter().filter_map(missing).collect()
    }

    fn finding(
        &self,
        cuda: &'static str,
        use_: Use<'_>,
        range: TextRange,
        session: &Session,
    ) -> Finding {
        let line = shim::line_of(cuda, use_, &session.options, self.release);
        let (name, entry) = (&self.name, use_.entry());
        let rule = match (&line, use_, entry.map(|entry| entry.support)) {
            (None, ..) => rules::rule_of_support(Support::Unsupported),
            (_, Use::Helper(..), _) => rules::rule_of_helpers(),
            (_, _, Some(Support::Review)) => rules::rule_of_support(Support::Review),
            _ => rules::rule_of_support(Support::Full),
        };
        let help = line.map_or_else(
            || {
                let why = entry.and_then(|entry| entry.note);
                let why = why.unwrap_or("its arguments differ on AMD");
                format!("no macro can stand for it: {why}")
            },
            |line| match use_ {
                Use::Entry(_) => format!("add to {name}: {line}"),
                Use::Helper(..) => {
                    format!("add to {name} the helper that `shim generate` writes, and {line}")
                }
            },
        );
        let message = format!("`{cuda}` is not covered by {name}");
        rule.finding(range, message)
            .severity(Severity::Error)
            .help(help)
            .api(ApiUse {
                name: cuda,
                library: entry.map_or("device", |entry| entry.library),
                target: None,
                rocm_since: None,
            })
    }
}

/// The names of the shim and of the files beside it that it includes.
fn covered(shim: &Path) -> Result<FxHashSet<String>> {
    let (mut names, mut queue, mut seen) = (
        FxHashSet::default(),
        vec![shim.to_path_buf()],
        FxHashSet::default(),
    );
    while let Some(path) = queue.pop() {
        let bytes = std::fs::read(&path)
            .with_context(|| format!("{}: cannot be read as a shim header", path.display()))?;
        let source = SourceFile::new(path.to_string_lossy(), bytes);
        let document = Document::new(&source);
        names.extend(shim::covered(&document));
        let folder = path.parent().unwrap_or(Path::new("."));
        let beside = document
            .includes
            .iter()
            .filter(|include| !include.angled)
            .map(|include| folder.join(&*source.text(include.path)));
        queue.extend(beside.filter(|path| path.is_file() && seen.insert(path.clone())));
    }
    Ok(names)
}
