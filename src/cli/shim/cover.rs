use std::path::Path;

use anyhow::{Context as _, Result};
use rustc_hash::FxHashSet;

use crate::cli::check::Checker;
use crate::cli::input;
use crate::diagnostic::{ApiUse, Finding, Hidden, Severity};
use crate::engine::FileOutcome;
use crate::engine::Session;
use crate::mapping::{ApiEntry, Support};
use crate::pipeline::{Plan, Processed, run as run_pipeline};
use crate::report::text::plural;
use crate::report::{FileReport, Report};
use crate::rules;
use crate::shim;
use crate::syntax::Document;
use crate::text::{SourceFile, TextRange};

/// A shim header that sources are held against.
pub(in crate::cli) struct Cover {
    name: String,
    names: FxHashSet<String>,
    /// Names that were found without cover, each at its first use.
    missing: FxHashSet<&'static str>,
}

impl Cover {
    /// Reads the header and those of its folder that it includes.
    pub(in crate::cli) fn read(path: &Path) -> Result<Self> {
        Ok(Self {
            name: path.display().to_string(),
            names: covered(path)?,
            missing: FxHashSet::default(),
        })
    }

    /// Reports on files; a finding is the first use in the tree of a name that the header does not cover.
    pub(in crate::cli) fn check(
        &mut self,
        plan: &Plan,
        session: &Session,
        checker: &Checker<'_>,
    ) -> Vec<FileReport> {
        let processed = run_pipeline(
            &plan.files,
            session,
            input::interrupted(),
            |_, processed| self.processed(processed, session),
        );
        // A run that was interrupted ends before it, and nothing is said of it.
        let files = plan.files.iter().zip(processed);
        let files = files.map(|(file, mut processed)| {
            if let Processed::Source { outcome, .. } = &mut processed {
                let is_first = |finding: &Finding| {
                    finding.hidden.is_some()
                        || finding.api.is_some_and(|api| self.missing.insert(api.name))
                };
                outcome.findings.retain(is_first);
            }
            checker.finish(file, processed)
        });
        files.collect()
    }

    /// What a run comes to.
    pub(in crate::cli) fn summary(&self, report: &Report) -> String {
        let (count, files) = (self.missing.len(), report.totals.files);
        format!(
            "{count} {} of CUDA that {} does not cover, in {files} {}\n",
            plural(count, "name"),
            self.name,
            plural(files, "file")
        )
    }

    /// A file with the findings of this check in place of those of its translation; sources that have none are let go.
    fn processed(&self, processed: Processed, session: &Session) -> Processed {
        let Processed::Source { source, .. } = processed else {
            return processed;
        };
        let findings = self.findings(&source, session);
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

    fn findings(&self, source: &SourceFile, session: &Session) -> Vec<Finding> {
        let document = Document::new(source);
        let used = shim::used(&document, &session.table).into_values();
        let missing = used.filter(|(entry, _)| !self.names.contains(entry.cuda));
        let mut findings: Vec<Finding> = missing
            .map(|(entry, at)| self.finding(entry, document.tokens[at].range(), session))
            .collect();
        findings.sort_by_key(|finding| finding.range);
        crate::engine::hide_suppressed(&document, &mut findings);
        let chosen = session.rules.of(&source.path);
        for finding in &mut findings {
            if chosen.hidden.contains(finding.code) {
                finding.hidden = Some(Hidden::Selection);
            }
        }
        findings
    }

    fn finding(&self, entry: &ApiEntry, range: TextRange, session: &Session) -> Finding {
        let (name, line) = (&self.name, shim::line(entry, &session.options));
        let rule = match (&line, entry.support) {
            (None, _) => "unsupported-api",
            (_, Support::Review) => "review-api",
            _ => "rename-api",
        };
        let help = line.map_or_else(
            || {
                let why = entry.note.unwrap_or("its arguments differ on AMD");
                format!("no macro can stand for it: {why}")
            },
            |line| format!("add to {name}: {line}"),
        );
        let code = rules::find(rule).map_or("", |(rule, _)| rule.code);
        let message = format!("`{}` is not covered by {name}", entry.cuda);
        Finding::new(code, Severity::Error, range, message)
            .help(help)
            .api(ApiUse {
                name: entry.cuda,
                library: entry.library,
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
