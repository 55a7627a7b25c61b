//! What the rules find in one file.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};

use crate::analysis::build_files::serving_amd;
use crate::analysis::build_unit::BuildUnit;
use crate::analysis::python_unit::PythonUnit;
use crate::analysis::unit::Unit;
use crate::build::BuildFile;
use crate::cpp::calls::begun_argument;
use crate::cpp::functions::is_passed;
use crate::cpp::like_types::{is_like_value, names_variable};
use crate::cpp::macro_parameters::is_parameter;
use crate::cpp::member_macros::member_parameters;
use crate::diagnostic::Finding;
use crate::engine::RuleSettings;
use crate::engine::dispatch::Dispatch;
use crate::engine::session::FileSession;
use crate::engine::suppression::Suppressions;
use crate::mapping::{ApiEntry, Kind};
use crate::project::build_mark::is_recipe;
use crate::project::support::Support;
use crate::project::textures::KnownTextures;
use crate::project::visible::OwnNames;
use crate::python::{self, Script};
use crate::rules::context::BuildFileCheck;
use crate::rules::{BuildContext, Context, Fact, PythonContext, Rule, codes_with};
use crate::syntax::{Directive, Document, Facts, TokenIndex};
use crate::text::BuildTool;

/// The identifiers that a rule or the tables know.
pub(super) fn known_names(document: &Document<'_>, session: &FileSession<'_>) -> Vec<TokenIndex> {
    let mut names = document.all_that(|word| {
        session.dispatch.names.get(word).is_some() || session.table.get_or_pattern(word).is_some()
    });
    // What the preprocessor puts something behind is the beginning of another name: `cudaError##name`.
    names.retain(|&at| !document.is(at + 1, "##"));
    names.retain(|&at| !is_called_after_type(document, session, at));
    names.retain(|&at| !is_parameter(document, at));
    // Uncalled it is somebody's variable, unless it is passed on and the file has no such variable.
    names.retain(|&at| {
        !is_plain_function(session, document.bytes(at))
            || document.call(at).is_some()
            || (is_absent(session, document.bytes(at)) && is_passed(document, at))
    });
    names
}

/// The names but for those of which a macro of the tree makes members: the function in `CHECK(table, cuInit(0))` is one of the table.
pub(super) fn without_members<'n>(
    document: &Document<'_>,
    own: &OwnNames<'_>,
    names: &'n [TokenIndex],
) -> Cow<'n, [TokenIndex]> {
    if !own.has_member_macros() {
        return Cow::Borrowed(names);
    }
    let others = names
        .iter()
        .filter(|&&at| !is_made_member(document, own, at));
    Cow::Owned(others.copied().collect())
}

/// Whether a macro makes a member of a name. One that the file defines otherwise as well is not asked for.
pub(super) fn is_made_member(document: &Document<'_>, own: &OwnNames<'_>, at: TokenIndex) -> bool {
    let Some((taker, position)) = begun_argument(document, at).filter(|_| own.has_member_macros())
    else {
        return false;
    };
    let mut own_definitions = document.macros_called(document.bytes(taker));
    let is_member = |define: &Directive| member_parameters(document, define).contains(&position);
    match own_definitions.next() {
        Some(first) => is_member(first) && own_definitions.all(is_member),
        None => own.takes_member(document.bytes(taker), position),
    }
}

/// Whether a name that HIP has another type for, or none, is what a person called a variable.
pub(super) fn is_called_after_type(
    document: &Document<'_>,
    session: &FileSession<'_>,
    at: TokenIndex,
) -> bool {
    let word = document.bytes(at);
    let hit = session.table.get(word).map(|hit| hit.entry);
    let is_elsewhere = || session.project.names().has_variable(word) && is_like_value(document, at);
    hit.is_some_and(|entry| entry.kind == Kind::Type && !entry.is_unchanged() && !entry.context)
        && (names_variable(document, at) || is_elsewhere())
}

/// Whether a device function is called as anybody may call a variable, `umax`, `saturate`; nobody means their own by `cuIpcOpenMemHandle`.
fn is_plain_function(session: &FileSession<'_>, word: &[u8]) -> bool {
    let hit = session.table.get(word).map(|hit| hit.entry);
    let is_plain = |entry: &ApiEntry| {
        entry.context && entry.kind == Kind::Function && entry.library == "device"
    };
    hit.is_some_and(is_plain) && !word.starts_with(b"__")
}

/// Whether HIP has nothing of a function's name.
fn is_absent(session: &FileSession<'_>, word: &[u8]) -> bool {
    let hit = session.table.get(word);
    hit.is_some_and(|hit| hit.entry.hip.is_none())
}

/// Runs the rules on all of a file of C++ that they are called for; `names` are the identifiers among it.
pub(super) fn run_cpp_rules(
    document: &Document<'_>,
    session: &FileSession<'_>,
    settings: &RuleSettings,
    support: &Support,
    switches: &Suppressions,
    own: &OwnNames<'_>,
    names: &[TokenIndex],
) -> Vec<Finding> {
    let mut context = Context {
        unit: look_at(document, session, settings, support, switches, own),
        tables: &session.dispatch.tables,
        findings: Vec::new(),
    };
    on_source(&mut context, session.dispatch, settings, names);
    context.findings
}

/// A file with everything that says what its words mean, before anybody has looked at it.
pub(super) fn look_at<'d, 's>(
    doc: &'d Document<'s>,
    session: &'d FileSession<'_>,
    settings: &'d RuleSettings,
    support: &Support,
    switches: &'d Suppressions,
    own: &'d OwnNames<'d>,
) -> Unit<'d, 's> {
    Unit {
        doc,
        project: &session.project,
        claims: &session.dispatch.claims,
        off: &settings.off,
        switches,
        options: &session.options,
        dialect: session.dialect,
        leaves_textures: codes_with(Fact::ReplacesTextureReferences)
            .any(|code| settings.off.contains(code)),
        owner: support.owner(&doc.source.path),
        table: session.table,
        own,
        inactive: session.inactive(doc).into_iter().collect(),
        not_meant: OnceCell::new(),
        left_out: RefCell::default(),
        textures: KnownTextures::default(),
        warps: OnceCell::new(),
        facts: Facts::default(),
    }
}

/// Runs the rules on a build file. A tool that this program does not write for is changed only where one form is right; else one finding
/// says what to do.
pub(super) fn run_build_rules(file: &BuildFile<'_>, session: &FileSession<'_>) -> Vec<Finding> {
    let dispatch = session.dispatch;
    match file.tool {
        BuildTool::Other => on_build_file(file, session, &dispatch.other_build_files),
        _ => on_build_file(file, session, &dispatch.build_files),
    }
}

/// Runs the rules on a script of Python. One that builds something else than extensions of PyTorch is a build file as well, where it is not
/// for one vendor.
pub(super) fn run_python_rules(
    script: &Script<'_>,
    session: &FileSession<'_>,
    support: &Support,
) -> Vec<Finding> {
    let dispatch = session.dispatch;
    let source = script.source;
    let mut context = PythonContext {
        unit: look_at_python(script, session, support),
        strings: OnceCell::new(),
        newline: script.newline(),
        findings: Vec::new(),
    };
    for (texts, check) in &dispatch.python {
        if texts.iter().all(|list| context.mentions(list)) {
            check(&mut context);
        }
    }
    let builds_extensions = python::builds_extensions(&source.bytes);
    if builds_extensions {
        let checks = &dispatch.extensions;
        checks.iter().for_each(|check| check(&mut context));
    }
    let mut found = context.findings;
    if !builds_extensions && source.path.ends_with("setup.py") {
        let file = BuildFile::new(source);
        let mut of_build = on_build_file(&file, session, &dispatch.build_files);
        of_build.retain(|it| script.file().side_at(it.range.start).is_none());
        found.extend(of_build);
    }
    if is_recipe(&source.path, &source.bytes) {
        let file = BuildFile::new(source);
        found.extend(on_build_file(&file, session, &dispatch.other_build_files));
    }
    found
}

/// A script with everything that says what it means.
fn look_at_python<'d, 's>(
    script: &'d Script<'s>,
    session: &'d FileSession<'_>,
    support: &Support,
) -> PythonUnit<'d, 's> {
    let source = script.source;
    PythonUnit {
        script,
        source,
        project: &session.project,
        options: &session.options,
        dialect: session.dialect,
        owner: support.owner(&source.path),
        table: session.table,
    }
}

fn on_source(
    context: &mut Context<'_, '_>,
    dispatch: &Dispatch,
    settings: &RuleSettings,
    names: &[TokenIndex],
) {
    let doc = context.doc;
    for &name in names {
        on_name(context, dispatch, settings, name);
    }
    for launch in &doc.launches {
        let checks = &dispatch.launches;
        checks.iter().for_each(|check| check(launch, context));
    }
    for include in &doc.includes {
        let checks = &dispatch.includes;
        checks.iter().for_each(|check| check(include, context));
    }
    for directive in &doc.directives {
        let checks = &dispatch.directives;
        checks.iter().for_each(|check| check(directive, context));
    }
    dispatch.sources.iter().for_each(|check| check(context));
}

/// A build that serves AMD already is left alone, but for what is said about it.
fn on_build_file(
    file: &BuildFile<'_>,
    session: &FileSession<'_>,
    checks: &[(&'static Rule, BuildFileCheck)],
) -> Vec<Finding> {
    let mut context = BuildContext {
        unit: look_at_build(file, session),
        findings: Vec::new(),
    };
    let is_left = serving_amd(&context).is_some();
    for (rule, check) in checks {
        if !is_left || rule.has(Fact::ForServedBuild) {
            check(&mut context);
        }
    }
    context.findings
}

/// A build file with everything that says what its words mean.
pub(super) fn look_at_build<'d, 's>(
    doc: &'d BuildFile<'s>,
    session: &'d FileSession<'_>,
) -> BuildUnit<'d, 's> {
    BuildUnit {
        doc,
        project: &session.project,
        options: &session.options,
        dialect: session.dialect,
        without_gpu: session.without_gpu,
        table: session.table,
    }
}

fn on_name(
    context: &mut Context<'_, '_>,
    dispatch: &Dispatch,
    settings: &RuleSettings,
    index: TokenIndex,
) {
    let word = context.doc.bytes(index);
    if context.is_own_at(index) && !is_overloaded(context, word) {
        return;
    }
    let rules = dispatch.names.get(word).map_or(&[][..], Vec::as_slice);
    let mut is_claimed = false;
    // A rule that is off claims nothing: the tables speak for its names again.
    for on_name in rules
        .iter()
        .filter(|it| !settings.off.contains(it.rule.code))
    {
        (on_name.check)(index, context);
        is_claimed |= on_name.claims;
    }
    if !is_claimed {
        context.ask_tables(index);
    }
}

/// Whether the project adds overloads for types of its own to a shuffle of CUDA: definitions and calls go to the helper together, whose
/// name is CUDA's where the header is compiled for NVIDIA.
fn is_overloaded(context: &Context<'_, '_>, word: &[u8]) -> bool {
    const SHUFFLES: &[&[u8]] = &[
        b"__shfl_sync",
        b"__shfl_up_sync",
        b"__shfl_down_sync",
        b"__shfl_xor_sync",
    ];
    let project = context.project;
    // In PyTorch's dialect a build renames what stays CUDA's.
    let by_build = || context.is_torch() && !project.builds.scripts.ask_for_amd;
    SHUFFLES.contains(&word)
        && (context.adds_shuffle(word) || by_build())
        && !project.names().is_macro(word)
}

#[cfg(test)]
mod tests {
    use crate::engine::{Session, translate};
    use crate::mapping::ApiTable;
    use crate::options::Options;
    use crate::text::SourceFile;

    #[test]
    fn a_variable_has_the_name_of_a_device_function_and_of_no_other() {
        let session = Session::new(Options::default(), ApiTable::builtin());
        let output = |text: &str| {
            let text = format!("#include <cuda.h>\n{text}\n");
            let source = SourceFile::new("a.cu", text.into_bytes());
            let output = translate(&source, &session).output;
            String::from_utf8(output.unwrap_or_default()).unwrap()
        };
        assert!(!output("void f(double &x) { double a, umax; a = x > umax; }").contains("cass_"));
        let pointer = "tcuIpcOpen *cuIpcOpenMemHandle;\nvoid f() { set(cuIpcOpenMemHandle); }";
        let names = output(pointer).matches("hipIpcOpenMemHandle").count();
        assert_eq!(names, 2);
    }
}
