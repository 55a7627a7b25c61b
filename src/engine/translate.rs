//! One file from source to outcome.

use std::collections::BTreeSet;

use crate::build::hip_sources;
use crate::diagnostic::{Finding, Judged, Severity};
use crate::edit::{EditSet, apply};
use crate::engine::around::Around;
use crate::engine::embedded::Inner;
use crate::engine::route::{Reading, Way, is_module, is_no_text, is_wide_with_cuda};
use crate::engine::run_rules::{
    known_names, run_build_rules, run_cpp_rules, run_python_rules, without_members,
};
use crate::engine::session::FileSession;
use crate::engine::suppression::Suppressions;
use crate::engine::vendor_code::{foreign_uses, guarded_uses, hip_uses};
use crate::engine::verdict::judge::{Judge, without_comments};
use crate::engine::verdict::{self, leave, resolve};
use crate::engine::{
    FileOutcome, RuleSettings, Session, amd_branches, amd_warps, both_vendors, callers, commands,
    device_module, embedded, kept, leftovers, notebook, regression, settle,
};
use crate::options::{CompatMode, Dialect, Vendors};
use crate::project::FileIndex;
use crate::project::file::{brings_runtime, may_speak_of_hip};
use crate::project::owner::Owner;
use crate::project::support::Support;
use crate::project::vendors::{platform_switch, switches};
use crate::project::visible::OwnNames;
use crate::rules::{Event, notice};
use crate::syntax::{Document, Include, TokenIndex};
use crate::text::{BuildTool, Language, SourceFile};

/// Translates one file. Cannot fail: what it does not understand it leaves alone or reports.
pub fn translate(source: &SourceFile, session: &Session) -> FileOutcome {
    translate_with(source, session, None)
}

/// Translates one file, its helpers brought in another way than the session says, if one is given.
fn translate_with(
    source: &SourceFile,
    session: &Session,
    compat: Option<CompatMode>,
) -> FileOutcome {
    let way = Way::of(source);
    if way == Way::Copied {
        return FileOutcome::default();
    }
    if !session.reads(&source.path, &source.bytes) {
        return of_hip_alone(source, session);
    }
    if way == Way::Module {
        return device_module::outcome(source, session);
    }
    if let Way::Caller(caller) = way {
        return callers::outcome(source, caller, session);
    }
    if is_wide_with_cuda(&source.bytes, &session.table) || is_no_text(source) {
        return of_wide(source, session);
    }
    if way == Way::Cells {
        return notebook::translate_cells(source, session, translate_with);
    }
    let around = session.around(source);
    let dialect = session.dialect_of(&around.reading);
    let mut session = session.in_dialect(dialect, session.vendors_of(&source.path));
    // What a program reads as text finds no header beside it.
    let is_text = session.project.builds.scripts.is_text(&source.path)
        && session.options.compat == CompatMode::Header;
    if let Some(compat) = compat.or(is_text.then_some(CompatMode::Inline)) {
        session.options.to_mut().compat = compat;
    }
    let settings = both_vendors::settings(&session, &source.path);
    let outcome = unit_within(around, &session, &settings);
    let mut outcome = settle::settled(source, outcome, |result| {
        unit_within(session.around(result), &session, &settings)
    });
    if is_text {
        // It holds them itself.
        outcome.helpers.clear();
    }
    outcome
}

/// What stands in the strings or commands of a file, translated; its edits go to those of the file.
fn inner(
    reading: &Reading<'_>,
    session: &FileSession<'_>,
    owner: Owner,
    switches: &Suppressions,
    edits: &mut EditSet,
) -> Inner {
    match reading {
        Reading::Build(file) if file.tool == BuildTool::Other => {
            commands::translate(file, session, switches, edits, unit)
        }
        _ => embedded::translate(reading, session, owner, switches, edits, unit),
    }
}

/// Who owns the kernels in the strings of a file. One source for both vendors, and Python of a project that supports AMD, hand them to the
/// compiler of either: they stay.
fn owner_of_text(source: &SourceFile, session: &FileSession<'_>, support: &Support) -> Owner {
    let is_python = source.language == Language::Python;
    match session.dialect {
        Dialect::Torch => Owner::Shared,
        _ if is_python => support.owner(&source.path),
        _ => Owner::Ours,
    }
}

/// A file of C++ with what the tree and the tables know of its words.
struct Known<'d, 's> {
    document: &'d Document<'s>,
    own: OwnNames<'d>,
    /// The identifiers that a rule or the tables know.
    names: Vec<TokenIndex>,
}

impl<'d, 's> Known<'d, 's> {
    fn new(
        document: &'d Document<'s>,
        own: Option<FileIndex>,
        session: &'d FileSession<'_>,
    ) -> Self {
        Self {
            document,
            own: match own {
                Some(own) => session.project.visible_from(document, own),
                None => session.project.visible(document, session.table),
            },
            names: known_names(document, session),
        }
    }

    /// What is said of code that is guarded for AMD.
    fn of_amd_code(&self, session: &FileSession<'_>, support: &Support) -> Vec<Finding> {
        let (document, own) = (self.document, &self.own);
        let mut found = amd_branches::findings(document, session, support, own, &self.names);
        found.extend(amd_warps::findings(document, session, support, own));
        found
    }

    /// What only the text shows that will be written: names of CUDA that are left in it, syntax errors. Of a name that has got another
    /// meaning at the head of the file nothing is said.
    fn seen_in_result(
        &self,
        session: &FileSession<'_>,
        edits: &EditSet,
        findings: &[Judged],
        renamed: &BTreeSet<String>,
    ) -> Vec<Finding> {
        let (document, own) = (self.document, &self.own);
        let mut found = leftovers::leftovers(document, session, own, &self.names, edits, findings);
        found.retain(|finding| finding.api.is_none_or(|api| !renamed.contains(api.name)));
        found.extend(regression::regression(document, edits, findings));
        found
    }
}

/// What the rules say of a unit.
fn said_by_rules(
    reading: &Reading<'_>,
    known: Option<&Known<'_, '_>>,
    session: &FileSession<'_>,
    settings: &RuleSettings,
    support: &Support,
    switches: &Suppressions,
) -> Vec<Finding> {
    match reading {
        Reading::Build(file) => run_build_rules(file, session),
        Reading::Python(script) => run_python_rules(script, session, support),
        Reading::Cpp(document) => known.map_or_else(Vec::new, |it| {
            let (own, names) = (&it.own, without_members(document, &it.own, &it.names));
            run_cpp_rules(document, session, settings, support, switches, own, &names)
        }),
    }
}

/// What is said of a unit with what is said of it as a whole: whose it is, and what it has for AMD already.
fn about_whole(
    reading: &Reading<'_>,
    known: Option<&Known<'_, '_>>,
    session: &FileSession<'_>,
    support: &Support,
    owner: Owner,
    said: Vec<Finding>,
) -> Vec<Finding> {
    let mut found = match owner {
        Owner::Ours => said,
        _ => kept::findings(reading, session, support, owner, said),
    };
    let Some(it) = known else { return found };
    if owner == Owner::Ours {
        let is_for_both = session.options.vendors == Vendors::Both;
        let folder = kept::of_folder(it.document, support, &it.names, is_for_both);
        // An earlier run wrote the headers by which the file serves AMD.
        let is_served = is_for_both && session.project.holds(hip_sources::HEADER);
        found.extend(folder.map(|it| match is_served {
            true => it.severity(Severity::Info),
            false => it,
        }));
        found.extend(kept::of_includes(it.document, session, support));
    }
    found.extend(it.of_amd_code(session, support));
    found
}

/// Translates one unit within a file: what stands in its strings or commands.
fn unit(reading: Reading<'_>, session: &FileSession<'_>, settings: &RuleSettings) -> FileOutcome {
    unit_within(session.around_unit(reading), session, settings)
}

/// Translates one unit with what stands around it.
fn unit_within(
    around: Around<'_, '_>,
    session: &FileSession<'_>,
    settings: &RuleSettings,
) -> FileOutcome {
    let Around {
        reading,
        support,
        own,
    } = around;
    let support = &*support;
    let source = reading.source;
    let owner = owner(source, session, support);
    let cpp = reading
        .cpp()
        .map(|document| Known::new(document, own, session));
    let mut judge = Judge::new(&reading, settings, &session.options.targets);
    // What the rules say of it, and which of their fixes are made.
    let switches = judge.suppressions();
    let said = said_by_rules(&reading, cpp.as_ref(), session, settings, support, switches);
    let found = about_whole(&reading, cpp.as_ref(), session, support, owner, said);
    let mut findings = judge.admit(&reading, found);
    leave::leave_to_others(&reading, session, owner, &mut judge, &mut findings);
    let (mut edits, helpers, aliases) = resolve::plan(&reading, session, &judge, &mut findings);
    judge.hide_raised(&reading, &mut findings);
    if let Some(it) = cpp.as_ref().filter(|_| owner == Owner::Ours) {
        let late = it.seen_in_result(session, &edits, &findings, &aliases);
        findings.extend(judge.admit(it.document, late));
    }
    let inner = inner(
        &reading,
        session,
        owner_of_text(source, session, support),
        judge.suppressions(),
        &mut edits,
    );
    findings.extend(judge.admit_judged(&reading, inner.findings.into_iter()));
    findings.extend(judge.about_comments(&reading));
    verdict::finish(&reading, session, &mut findings);
    let counted = FileOutcome {
        is_cuda: true,
        already: hip_uses(&reading, session),
        reaches_runtime: session.project.reaches_runtime(&source.path, session.table),
        ..cpp.as_ref().map_or_else(FileOutcome::default, |it| {
            counted(it, session, support, owner)
        })
    };
    let mut outcome = FileOutcome {
        suppressed: Suppressions::count(&findings),
        already: counted.already + inner.already,
        guarded: counted.guarded + inner.guarded,
        helpers,
        findings,
        edits,
        ..counted
    };
    // The tokens of a large file take more room than its text: they go before the result comes.
    drop(cpp);
    drop(reading);
    outcome.output = (!outcome.edits.is_empty()).then(|| apply(&source.bytes, &outcome.edits));
    outcome
}

/// What a file of C++ has of CUDA whatever becomes of it: uses that a guard or the project itself takes care of.
fn counted(
    known: &Known<'_, '_>,
    session: &FileSession<'_>,
    support: &Support,
    owner: Owner,
) -> FileOutcome {
    let (document, names) = (known.document, &*known.names);
    let guarded = match owner {
        Owner::Nvidia => foreign_uses(document, session, names),
        _ => guarded_uses(document, session, names),
    };
    FileOutcome {
        guarded,
        covered: match owner {
            Owner::Shared => kept::covered(document, session, support, names),
            _ => 0,
        },
        switches: match guarded {
            0 => BTreeSet::new(),
            _ => asked_for(document, &known.own, session),
        },
        ..FileOutcome::default()
    }
}

/// The macros that a build has to define: not those that a header of the tree sets, nor the ones that PyTorch's defines itself for AMD.
fn asked_for(
    document: &Document<'_>,
    own: &OwnNames<'_>,
    session: &FileSession<'_>,
) -> BTreeSet<String> {
    let (path, project) = (document.source.path.as_str(), &session.project);
    let is_torch = session.dialect == Dialect::Torch;
    let brings = |include: &Include| {
        let name = document.source.text(include.path);
        session.table.is_target(name.as_bytes())
            || brings_runtime(&name, session.table)
            || project.brings_runtime(path, &name, session.table)
    };
    let mut found = switches(document);
    found.retain(|name| !is_torch || name != both_vendors::SWITCH);
    if !is_torch && project.is_read_before_runtime(path, session.table) {
        found.extend(platform_switch(document, brings).map(str::to_owned));
    }
    found.retain(|name| !own.sets_for_amd(name.as_bytes()));
    found
}

/// Who owns a unit. What PyTorch builds has ways of its own to stay as it is, but for copies of NVIDIA's libraries; of Python there are
/// two versions where modules are called after vendors.
fn owner(source: &SourceFile, session: &FileSession<'_>, support: &Support) -> Owner {
    let outer = source.path.trim_end_matches(".cu");
    if is_module(&source.path) || is_module(outer) {
        let paths = &session.project.paths;
        let owner = paths
            .owner_of_module(outer)
            .or_else(|| paths.owner_of_imports(outer, &source.bytes));
        return owner.unwrap_or_default();
    }
    match session.dialect {
        Dialect::Torch if support.copies.hold(&source.path) => Owner::Nvidia,
        // AITER's kernels are HIP's, and PyTorch's build finds nothing of CUDA to rename.
        Dialect::Torch if support.is_hips => Owner::Shared,
        // The build of the project calls hipify by itself, and its code has branches for AMD: what is left was meant so.
        Dialect::Torch if support.has_hipified(&source.path) => support.owner(&source.path),
        // One source for both vendors says nothing of who has ported it.
        Dialect::Torch if session.options.vendors != Vendors::Both => Owner::Ours,
        Dialect::Torch if session.project.is_torch(outer) => Owner::Ours,
        _ => support.owner(&source.path),
    }
}

/// A file without CUDA: what it has of HIP counts, so that a finished port is seen as one.
fn of_hip_alone(source: &SourceFile, session: &Session) -> FileOutcome {
    let is_cpp = source.language.is_cpp();
    let already = if is_cpp && !session.options.reverse && may_speak_of_hip(&source.bytes) {
        let reading = Reading::new(source);
        let vendors = session.vendors_of(&source.path);
        let session = &session.in_dialect(session.dialect_of(&reading), vendors);
        hip_uses(&reading, session)
    } else {
        0
    };
    FileOutcome {
        already,
        reaches_runtime: is_cpp
            && session
                .project
                .reaches_runtime(&source.path, &session.table),
        ..FileOutcome::default()
    }
}

/// A file without tokens: all that can be said is what it is written in.
fn of_wide(source: &SourceFile, session: &Session) -> FileOutcome {
    let settings = session.rules.of(&source.path);
    FileOutcome {
        findings: without_comments(vec![notice(&Event::WideText(source))], &settings),
        is_cuda: true,
        ..FileOutcome::default()
    }
}
