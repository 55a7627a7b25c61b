//! One file from source to outcome.

use crate::analysis::unit::Switches;
use crate::analysis::unit::Unit;
use crate::engine::dispatch::Wake;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;

use crate::analysis::include_place;
use crate::diagnostic::{Finding, Hidden, Severity};
use crate::edit::{Applicability, Edit, EditSet, Fix, apply};
use crate::engine::RuleSettings;
use crate::engine::Session;
use crate::engine::leftovers;
use crate::engine::lost_fixes;
use crate::engine::regression;
use crate::engine::same_problem;
use crate::engine::suppression::Suppressions;
use crate::engine::vendor_code::{guarded_uses, hip_uses, switches};
use crate::mapping::chip;
use crate::project::textures::KnownTextures;
use crate::rules::At;
use crate::rules::Context;
use crate::rules::api::runtime_header;
use crate::rules::dialect::source_encoding;
use crate::rules::find;
use crate::syntax::{Document, TokenIndex};
use crate::text::{Language, SourceFile, TextRange};

/// What became of one file.
#[derive(Debug, Default)]
pub struct FileOutcome {
    /// The translated bytes; `None` when nothing changes.
    pub output: Option<Vec<u8>>,
    /// The edits that led there.
    pub edits: EditSet,
    /// Findings by position, hidden ones included.
    pub findings: Vec<Finding>,
    /// The file mentions CUDA, so it was read as source.
    pub is_cuda: bool,
    /// Names and headers of HIP that the source has already, outside code for one vendor.
    pub already: usize,
    /// Names and headers of CUDA in code that is guarded for one vendor and was left alone.
    pub guarded: usize,
    /// Macros that such code asks for and no compiler defines: `USE_ROCM`.
    pub switches: BTreeSet<String>,
    /// Findings that a comment in the file suppressed.
    pub suppressed: usize,
    /// Helpers of the compatibility header that the output calls.
    pub helpers: BTreeSet<&'static str>,
}

impl FileOutcome {
    /// The findings that a person sees.
    pub fn visible(&self) -> impl Iterator<Item = &Finding> {
        self.findings
            .iter()
            .filter(|finding| finding.hidden.is_none())
    }
}

/// Priority of the includes that fixes need.
const INCLUDES: u8 = 6;

/// Translates one file. Cannot fail: what it does not understand it leaves alone or reports.
pub fn translate(source: &SourceFile, session: &Session) -> FileOutcome {
    if source.language == Language::Other || !session.reads(&source.path, &source.bytes) {
        return FileOutcome::default();
    }
    if session.is_utf16_with_cuda(&source.bytes) {
        return of_utf16(source, session);
    }
    let document = Document::new(source);
    let own = session.project.visible(&document, &session.table);
    let mut suppressions = Suppressions::new(&document);
    let settings = session.rules.of(&source.path);
    let mut context = Context {
        unit: Unit {
            doc: &document,
            project: &session.project,
            claims: &session.wake.claims,
            off: &settings.off,
            rules: &session.wake,
            switches: &suppressions,
            options: &session.options,
            table: &session.table,
            own: &own,
            inactive: session.inactive(&document).into_iter().collect(),
            not_meant: OnceCell::new(),
            left_out: RefCell::default(),
            textures: KnownTextures::default(),
            warps: OnceCell::new(),
        },
        tables: &session.wake.tables,
        findings: Vec::new(),
    };
    let names = known_names(&document, session);
    run_rules(&mut context, &session.wake, &settings, &names);
    let mut findings = context.findings;
    settle(&mut findings, &settings);
    suppressions.apply(&document, &mut findings);
    findings.retain(|finding| concerns(finding, &session.options.targets));
    let (mut edits, mut helpers) = resolve(&document, session, &suppressions, &mut findings);
    if drop_hidden_code(&mut findings) {
        (edits, helpers) = resolve(&document, session, &suppressions, &mut findings);
    }
    lost_fixes::raise(&document, &mut findings, session.options.fix_level);
    settle(&mut findings, &settings);
    let mut late = Vec::new();
    if source.language == Language::CFamily {
        late = leftovers::leftovers(&document, session, &own, &names, &edits, &findings);
        late.extend(regression::regression(&document, &edits, &findings));
    }
    settle(&mut late, &settings);
    suppressions.apply(&document, &mut late);
    let mut about_comments = suppressions.findings(&settings);
    settle(&mut about_comments, &settings);
    suppressions.apply(&document, &mut about_comments);
    findings.extend(late.into_iter().chain(about_comments));
    same_problem::merge(&document, &mut findings);
    let already = hip_uses(&document, session);
    let guarded = guarded_uses(&document, session, &names);
    let switches = if guarded > 0 {
        switches(&document)
    } else {
        BTreeSet::new()
    };
    // The tokens of a large file take more room than its text: they go before the result comes.
    drop(document);
    hide(&mut findings, &settings);
    let suppressed = Suppressions::count(&findings);
    findings.sort_by(|a, b| (a.range, a.code).cmp(&(b.range, b.code)));
    let output = (!edits.is_empty()).then(|| apply(&source.bytes, &edits));
    FileOutcome {
        output,
        edits,
        findings,
        is_cuda: true,
        already,
        guarded,
        switches,
        suppressed,
        helpers,
    }
}

/// A file without tokens: all that can be said is what it is written in.
fn of_utf16(source: &SourceFile, session: &Session) -> FileOutcome {
    let settings = session.rules.of(&source.path);
    let mut findings = vec![source_encoding::finding(source)];
    settle(&mut findings, &settings);
    hide(&mut findings, &settings);
    FileOutcome {
        findings,
        is_cuda: true,
        ..FileOutcome::default()
    }
}

/// The identifiers that a rule or the tables know.
fn known_names(document: &Document<'_>, session: &Session) -> Vec<TokenIndex> {
    if matches!(document.source.language, Language::Build(_)) {
        return Vec::new();
    }
    document.all_that(|word| {
        session.wake.idents.get(word).is_some() || session.table.get_or_pattern(word).is_some()
    })
}

fn run_rules(
    context: &mut Context<'_, '_>,
    wake: &Wake,
    settings: &RuleSettings,
    names: &[TokenIndex],
) {
    let doc = context.doc;
    if matches!(doc.source.language, Language::Build(_)) {
        let rules = wake.build_file.iter();
        return rules.for_each(|rule| (rule.check)(At::File, context));
    }
    for &name in names {
        run_on_name(context, wake, settings, name);
    }
    for launch in &doc.launches {
        wake.launch
            .iter()
            .for_each(|rule| (rule.check)(At::Launch(launch), context));
    }
    for include in &doc.includes {
        wake.include
            .iter()
            .for_each(|rule| (rule.check)(At::Include(include), context));
    }
    for directive in &doc.directives {
        wake.directive
            .iter()
            .for_each(|rule| (rule.check)(At::Directive(directive), context));
    }
    wake.file
        .iter()
        .for_each(|rule| (rule.check)(At::File, context));
}

fn run_on_name(
    context: &mut Context<'_, '_>,
    wake: &Wake,
    settings: &RuleSettings,
    index: TokenIndex,
) {
    let word = context.doc.bytes(index);
    if context.is_own(word) {
        return;
    }
    let rules = wake.idents.get(word).map_or(&[][..], Vec::as_slice);
    let mut owned = false;
    // A rule that is off owns nothing: the tables speak for its names again.
    for (rule, owns) in rules
        .iter()
        .filter(|(rule, _)| !settings.off.contains(rule.code))
    {
        (rule.check)(At::Ident(index), context);
        owned |= owns;
    }
    if !owned {
        context.ask_tables(At::Ident(index));
    }
}

/// Applies the settings of the file: rules that are off, severities that a person set.
fn settle(findings: &mut Vec<Finding>, settings: &RuleSettings) {
    findings.retain(|finding| !settings.off.contains(finding.code));
    for finding in findings {
        // What converts safely stays that: a severity is about what a person has to look at.
        if let Some(&severity) = settings.severities.get(finding.code)
            && finding.severity > Severity::Info
        {
            finding.severity = severity;
        }
    }
}

/// Whether a finding holds for one of the chips that are converted for.
fn concerns(finding: &Finding, targets: &[String]) -> bool {
    let is_meant = |target: &String| chip::is_one_of(target, finding.targets);
    finding.targets.is_empty() || targets.is_empty() || targets.iter().any(is_meant)
}

/// Marks the findings of rules that nobody asked for.
fn hide(findings: &mut [Finding], settings: &RuleSettings) {
    for finding in findings {
        if finding.hidden.is_none() && settings.hidden.contains(finding.code) {
            finding.hidden = Some(Hidden::Selection);
        }
    }
}

/// Chooses among the fixes, marks findings whose fix is in, and adds the includes that the chosen fixes need.
fn resolve(
    document: &Document<'_>,
    session: &Session,
    suppressions: &Suppressions,
    findings: &mut [Finding],
) -> (EditSet, BTreeSet<&'static str>) {
    let priority = |code: &str| find(code).map_or(50, |(rule, _)| rule.priority);
    let fixes: Vec<(u8, Option<&Fix>)> = findings
        .iter()
        .map(|finding| (priority(finding.code), finding.fix.as_ref()))
        .collect();
    let resolution = EditSet::resolve(&fixes, session.options.fix_level);
    for (finding, applied) in findings.iter_mut().zip(&resolution.applied) {
        finding.applied = *applied;
    }
    let helpers = findings
        .iter()
        .filter(|f| f.applied)
        .flat_map(|f| f.helpers.iter().copied())
        .collect();
    let headers: BTreeSet<&'static str> = findings
        .iter()
        .filter(|f| f.applied)
        .flat_map(|f| f.headers.iter().copied())
        .collect();
    let mut extra = include_place::includes(
        document,
        session.options.compat,
        &helpers,
        &headers,
        &resolution.edits,
    );
    for edit in extra.iter_mut().flat_map(|fix| &mut fix.edits) {
        let code = runtime_header::RULE.code;
        edit.range = TextRange::at(suppressions.outside(document, edit.range.start, code));
    }
    let separator = include_place::separator(document, &resolution.edits);
    if extra.is_none() && separator.is_none() {
        return (resolution.edits, helpers);
    }
    let is_applied: Vec<usize> = (0..findings.len())
        .filter(|&at| findings[at].applied)
        .collect();
    let mut fixes: Vec<(u8, Option<&Fix>)> = is_applied
        .iter()
        .map(|&at| (priority(findings[at].code), findings[at].fix.as_ref()))
        .collect();
    // Behind the runtime header, in front of whatever else is inserted at the start of that line.
    fixes.push((INCLUDES, extra.as_ref()));
    fixes.push((INCLUDES + 1, separator.as_ref()));
    let policy = Applicability::Review.min(session.options.fix_level);
    let resolution = EditSet::resolve(&fixes, policy);
    for (at, applied) in is_applied.into_iter().zip(&resolution.applied) {
        findings[at].applied = *applied;
    }
    (resolution.edits, helpers)
}

/// Drops findings in code that an applied fix takes from AMD: it stays as it is, for NVIDIA. Whether there were any.
fn drop_hidden_code(findings: &mut Vec<Finding>) -> bool {
    let applied = findings.iter().filter(|finding| finding.applied);
    let hidden: Vec<TextRange> = applied.filter_map(|finding| finding.hides).collect();
    let before = findings.len();
    // An include for the file, in front of the code or without an edit of its own, may have other reasons elsewhere.
    let is_about = |finding: &Finding, range: &TextRange| {
        let mut edits = finding.fix.iter().flat_map(|fix| &fix.edits);
        let is_include = finding.fix.is_some() && edits.clone().next().is_none();
        let is_inside = |edit: &Edit| range.contains(edit.range) && edit.range.end > range.start;
        range.contains(finding.range) && !is_include && edits.all(is_inside)
    };
    let is_hidden = |finding: &Finding| {
        finding.hides.is_none() && hidden.iter().any(|range| is_about(finding, range))
    };
    findings.retain(|finding| !is_hidden(finding));
    findings.len() < before
}
