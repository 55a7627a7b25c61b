//! One source for both vendors: in the dialect `torch` what a fix makes for AMD stands under `#ifdef USE_ROCM`, beside the lines that
//! NVIDIA's compiler goes on reading. Fixes whose result means the same under nvcc stay as they are.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::include_place;
use crate::compat;
use crate::diagnostic::{Finding, Severity, codes};
use crate::edit::{Applicability, Edit, EditSet, Fix, apply_within};
use crate::engine::RuleSettings;
use crate::engine::session::FileSession;
use crate::options::Dialect;
use crate::rules::find;
use crate::syntax::{Document, flags};
use crate::text::{self, Language, TextRange, next_line};

/// The macro that PyTorch's build defines for AMD (`COMMON_HIP_FLAGS` of `torch.utils.cpp_extension`).
const SWITCH: &str = "USE_ROCM";

/// What to do where lines of a condition stand within the code of a fix.
const HELP: &str = "write the form for AMD under `#ifdef USE_ROCM` and keep this one under `#else`";

/// Rules whose fixes are plain C++ that nvcc reads as before: casts, keywords, blanks, terms about macros that CUDA never has.
const NEUTRAL: &[&str] = &[
    "arch-condition",
    "cuda-compiler-condition",
    "cuda-version-condition",
    "dependent-template",
    "deprecated-torch",
    "elaborated-type",
    "first-set-bit",
    "float-sincos",
    "host-twin",
    "kernel-launch",
    "left-behind",
    "literal-macro",
    "mixed-min-max",
    "narrowing",
    "register-keyword",
    "standard-header",
    "thrust-include",
    "unused-suppression",
    "vector-operator",
    "void-arithmetic",
    "warp-collective",
    "warp-size",
];

/// Rules about choices that a port has made: where the tree builds for AMD already, its maintainers know them.
const DECIDED: &[&str] = &[
    "arch-condition",
    "atomic-redefinition",
    "cuda-compiler-condition",
    "cuda-version-condition",
    "host-twin",
    "launch-bounds",
    "performance-hint",
    "project-macro",
    "qualified-name",
    "random-stream",
    "review-api",
    "runtime-version",
    "standard-header",
];

/// Rules about what PyTorch's build does itself, or about the program that hipcc would build alone.
const OFF: &[&str] = &[
    "hipblas-half",
    "hipblas-v2",
    "rename-in-string",
    "renamed-include",
    "runtime-header",
    "std-in-device",
];

/// What holds for the rules in a file: what a person chose, and what the dialect leaves to PyTorch.
pub(super) fn settings<'s>(session: &'s FileSession<'_>, path: &str) -> Cow<'s, RuleSettings> {
    let settings = session.rules.of(path);
    if session.dialect != Dialect::Torch {
        return settings;
    }
    let mut settings = settings.into_owned();
    settings
        .off
        .extend(OFF.iter().filter_map(|name| Some(find(name)?.0.code)));
    Cow::Owned(settings)
}

/// Leaves to a person, to another build or to those who ported the tree what is theirs.
pub(super) fn leave_to_others(
    document: &Document<'_>,
    session: &FileSession<'_>,
    findings: &mut Vec<Finding>,
) {
    if session.dialect != Dialect::Torch {
        return;
    }
    keep_one_note(document, findings);
    leave_decided(findings, session.project.is_ported());
    if document.source.language == Language::CFamily {
        leave_to_people(document, findings);
    }
}

/// Makes one note of all that is said of a build file which PyTorch's build does not read: a script of the CI, a list for another build.
fn keep_one_note(document: &Document<'_>, findings: &mut Vec<Finding>) {
    if !matches!(document.source.language, Language::Build(_)) || findings.is_empty() {
        return;
    }
    let places = findings.len();
    findings.sort_by_key(|finding| finding.range);
    findings.truncate(1);
    let note = &mut findings[0];
    note.fix = None;
    note.severity = Severity::Info;
    note.message = format!("{places} places speak of CUDA's toolkit; PyTorch's build of the extension does not read this file").into();
    note.help = "`--dialect cuda` for its path looks at it as part of a build".into();
    note.labels.clear();
}

/// Leaves what a port has decided as it is, and says so in passing only: `is_ported` when the tree builds for AMD.
fn leave_decided(findings: &mut [Finding], is_ported: bool) {
    let is_decided = |finding: &Finding| {
        find(finding.code).is_some_and(|(rule, _)| DECIDED.contains(&rule.name))
    };
    for finding in findings
        .iter_mut()
        .filter(|finding| is_ported && is_decided(finding))
    {
        finding.fix = None;
        finding.helpers.clear();
        finding.headers.clear();
        finding.hides = None;
        finding.severity = Severity::Info;
    }
}

/// Turns fixes that no guard can hold into findings for a person: their lines have a part of a condition in them.
fn leave_to_people(document: &Document<'_>, findings: &mut [Finding]) {
    for finding in findings {
        if finding.fix.is_some()
            && !is_neutral(document, finding)
            && parts_directives(document, finding)
        {
            finding.fix = None;
            finding.helpers.clear();
            finding.headers.clear();
            finding.severity = finding.severity.max(Severity::Warning);
            finding.help = HELP.into();
        }
    }
}

/// The names of a file that AMD has under another one, and the edits of the file without their renames.
struct Aliases {
    names: BTreeMap<String, String>,
    namespaces: BTreeMap<String, String>,
    ranges: BTreeSet<TextRange>,
}

/// The edits of a file with those for AMD alone under guards.
/// The names that the result spells as CUDA does, because a guard gives them AMD's meaning, come with them.
pub(super) fn guard(
    document: &Document<'_>,
    session: &FileSession<'_>,
    findings: &[Finding],
    edits: EditSet,
) -> (EditSet, BTreeSet<String>) {
    if session.dialect != Dialect::Torch || document.source.language != Language::CFamily {
        return (edits, BTreeSet::new());
    }
    let applied = || findings.iter().filter(|finding| finding.applied);
    let aliases = Aliases::new(document, applied());
    let ranges: BTreeSet<TextRange> = applied()
        .filter(|finding| !is_neutral(document, finding))
        .flat_map(|finding| finding.fix.iter().flat_map(|fix| &fix.edits))
        .map(|edit| edit.range)
        .filter(|range| !aliases.ranges.contains(range))
        .collect();
    if ranges.is_empty() && aliases.is_empty() {
        return (edits, BTreeSet::new());
    }
    let kept: Vec<Edit> = edits
        .iter()
        .filter(|edit| !aliases.ranges.contains(&edit.range))
        .cloned()
        .collect();
    let mut all = guarded(document, &kept, &ranges);
    let text = aliases.text(document);
    if !text.is_empty() {
        let point = include_place::helper_point(document, u32::MAX);
        all.push(Edit::insert(point, text));
    }
    let fix = Fix::safe(all);
    let edits = EditSet::resolve(&[(0, Some(&fix))], Applicability::Safe).edits;
    (
        edits,
        aliases
            .names
            .into_keys()
            .chain(aliases.namespaces.into_keys())
            .collect(),
    )
}

/// Whether nvcc reads the result of a fix as it read the source.
fn is_neutral(document: &Document<'_>, finding: &Finding) -> bool {
    let Some((rule, _)) = find(finding.code) else {
        return false;
    };
    let edits = || finding.fix.iter().flat_map(|fix| &fix.edits);
    if NEUTRAL.contains(&rule.name) {
        return true;
    }
    // Lines of the preprocessor that ask for AMD themselves.
    let is_guard = |edit: &Edit| {
        edit.content.trim_start().starts_with('#') && !edit.content.contains("include")
    };
    if edits().next().is_some() && edits().all(is_guard) {
        return true;
    }
    // A helper of the same arguments is CUDA's own function in the header's branch for NVIDIA.
    let is_helper = |edit: &Edit| {
        let name = document.source.text(edit.range);
        compat::find(&edit.content).is_some_and(|helper| helper.is_alias_of(&edit.content, &name))
    };
    // A cast of what is handed over, in a call that keeps its name.
    let is_cast = |edit: &Edit| edit.range.is_empty() && is_plain(&edit.content);
    let is_table = [codes::RENAME_API.code, "CASS002"].contains(&finding.code);
    edits().all(|edit| is_helper(edit) || is_table && is_cast(edit) || is_width(edit))
}

/// `, 32`: the width that CUDA takes by itself.
fn is_width(edit: &Edit) -> bool {
    edit.range.is_empty() && edit.content == ", 32"
}

/// Whether inserted text has no word of AMD's.
fn is_plain(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    !["hip", "roc", "amd", "cass_"]
        .iter()
        .any(|word| lower.contains(word))
}

impl Aliases {
    /// Collects plain renames of names and namespaces that PyTorch does not know.
    fn new<'f>(document: &Document<'_>, findings: impl Iterator<Item = &'f Finding>) -> Self {
        let mut aliases = Self {
            names: BTreeMap::new(),
            namespaces: BTreeMap::new(),
            ranges: BTreeSet::new(),
        };
        for finding in findings {
            let Some([edit]) = finding.fix.as_ref().map(|fix| &fix.edits[..]) else {
                continue;
            };
            let is_name = |text: &str| {
                !text.is_empty()
                    && text
                        .bytes()
                        .all(|byte| byte.is_ascii_alphanumeric() || b"_:".contains(&byte))
            };
            let name = document.source.text(edit.range);
            if edit.range != finding.range || !is_name(&name) || !is_name(&edit.content) {
                continue;
            }
            let kind = match finding.code {
                code if code == codes::RENAME_API.code || code == "CASS002" => &mut aliases.names,
                "CASS006" if !name.contains(':') => &mut aliases.namespaces,
                _ => continue,
            };
            kind.insert(name.into_owned(), edit.content.to_string());
            aliases.ranges.insert(edit.range);
        }
        aliases
    }

    fn is_empty(&self) -> bool {
        self.names.is_empty() && self.namespaces.is_empty()
    }

    /// The lines that give the names their meaning for AMD, but those that the file has already.
    fn text(&self, document: &Document<'_>) -> String {
        let newline = document.newline();
        let names = self
            .names
            .iter()
            .map(|(name, target)| format!("#define {name} {target}"));
        let spaces = self
            .namespaces
            .iter()
            .map(|(name, target)| format!("namespace {name} = {target};"));
        let lines: String = names
            .chain(spaces)
            .filter(|line| !document.source.mentions(line))
            .map(|line| line + newline)
            .collect();
        match lines.is_empty() {
            true => lines,
            false => format!("#ifdef {SWITCH}{newline}{lines}#endif{newline}"),
        }
    }
}

/// Replaces the lines around each guarded edit by both versions of them; the other edits stay as they are.
fn guarded(document: &Document<'_>, edits: &[Edit], ranges: &BTreeSet<TextRange>) -> Vec<Edit> {
    let is_guarded = |edit: &&Edit| ranges.contains(&edit.range);
    let mut blocks: Vec<TextRange> = Vec::new();
    for edit in edits.iter().filter(is_guarded) {
        let lines = lines_around(document, edit.range);
        match blocks.last_mut() {
            // Neighbours share a guard.
            Some(last) if lines.start <= last.end => last.end = last.end.max(lines.end),
            _ => blocks.push(lines),
        }
    }
    let mut all = Vec::new();
    let mut rest = edits;
    for block in blocks {
        let before = rest.partition_point(|edit| {
            edit.range.end < block.start || edit.range.end == block.start && !edit.range.is_empty()
        });
        all.extend(rest[..before].iter().cloned());
        let within = rest[before..].partition_point(|edit| edit.range.start < block.end);
        let (inner, behind) = rest[before..].split_at(within);
        all.push(both(document, block, inner, ranges));
        rest = behind;
    }
    all.extend(rest.iter().cloned());
    all
}

/// The whole lines of a place: of the directive that it lies in, and of comments and literals that reach beyond.
fn lines_around(document: &Document<'_>, range: TextRange) -> TextRange {
    let bytes = &document.source.bytes;
    let (mut start, mut end) = (range.start, range.end);
    let directives = &document.directives;
    let at = directives.partition_point(|directive| directive.range.end < start);
    if let Some(directive) = directives
        .get(at)
        .filter(|it| it.range.start <= end.saturating_sub(1).max(start))
    {
        start = start.min(directive.range.start);
        end = end.max(directive.range.end);
    }
    // What an edit takes with the end of its last line is whole already.
    if end > start && bytes[end as usize - 1] == b'\n' {
        end -= 1;
    }
    let (line_start, line_end) = (text::line_start(bytes, start), line_end(bytes, end));
    let comments = &document.comments;
    let crossing = comments
        .iter()
        .skip(comments.partition_point(|comment| comment.end() <= line_start))
        .take_while(|comment| comment.start < line_end)
        .filter(|comment| comment.start < line_start || comment.end() > line_end);
    let (mut from, mut to) = (line_start, line_end);
    for comment in crossing {
        from = from.min(text::line_start(bytes, comment.start));
        to = to.max(self::line_end(bytes, comment.end()));
    }
    TextRange::new(from, to)
}

/// The offset behind the line end at or behind an offset.
fn line_end(bytes: &[u8], offset: u32) -> u32 {
    next_line(bytes, offset).unwrap_or(bytes.len() as u32)
}

/// Both versions of some lines: with all edits for AMD, without those of `ranges` for NVIDIA.
fn both(
    document: &Document<'_>,
    block: TextRange,
    edits: &[Edit],
    ranges: &BTreeSet<TextRange>,
) -> Edit {
    let bytes = &document.source.bytes;
    let version = |edits: &[Edit]| {
        let mut text = Vec::new();
        apply_within(bytes, block, edits, &mut text);
        let mut text = String::from_utf8_lossy(&text).into_owned();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push_str(document.newline());
        }
        text
    };
    let for_nvidia: Vec<Edit> = edits
        .iter()
        .filter(|edit| !ranges.contains(&edit.range))
        .cloned()
        .collect();
    let (amd, nvidia) = (version(edits), version(&for_nvidia));
    let newline = document.newline();
    let text = match (amd.trim().is_empty(), nvidia.trim().is_empty()) {
        (true, _) => format!("#ifndef {SWITCH}{newline}{nvidia}#endif{newline}"),
        (_, true) => format!("#ifdef {SWITCH}{newline}{amd}#endif{newline}"),
        _ => format!("#ifdef {SWITCH}{newline}{amd}#else{newline}{nvidia}#endif{newline}"),
    };
    Edit::replace(block, text)
}

/// Whether a fix would have to part the lines of a directive's neighbours, which no guard can do: `#if` inside, its `#endif` outside.
fn parts_directives(document: &Document<'_>, finding: &Finding) -> bool {
    let edits = finding.fix.iter().flat_map(|fix| &fix.edits);
    let mut blocks = edits.map(|edit| lines_around(document, edit.range));
    blocks.any(|block| {
        let tokens = document.token_at(block.start)..document.token_at(block.end);
        let is_directive = |at: usize| document.tokens[at].has(flags::DIRECTIVE);
        tokens.clone().any(is_directive) && !tokens.clone().all(is_directive)
    })
}
