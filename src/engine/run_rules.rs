//! What the rules find in one file.

use std::cell::{OnceCell, RefCell};

use crate::analysis::build_file::serving_amd;
use crate::analysis::unit::Unit;
use crate::cpp::functions::is_passed;
use crate::diagnostic::Finding;
use crate::engine::RuleSettings;
use crate::engine::dispatch::Dispatch;
use crate::engine::session::FileSession;
use crate::engine::suppression::Suppressions;
use crate::mapping::{ApiEntry, Kind};
use crate::project::textures::KnownTextures;
use crate::project::visible::OwnNames;
use crate::python;
use crate::rules::build_files::{both_vendors, renamed_source};
use crate::rules::{Context, Rule, Site};
use crate::syntax::{Document, TokenIndex};
use crate::text::{BuildTool, Language};

/// No rules.
static NOTHING: Vec<&'static Rule> = Vec::new();

/// The identifiers that a rule or the tables know.
pub(super) fn known_names(document: &Document<'_>, session: &FileSession<'_>) -> Vec<TokenIndex> {
    if document.source.language != Language::CFamily {
        return Vec::new();
    }
    let mut names = document.all_that(|word| {
        session.dispatch.idents.get(word).is_some() || session.table.get_or_pattern(word).is_some()
    });
    // Uncalled it is somebody's variable, unless it is passed on and the file has no such variable.
    names.retain(|&at| {
        !is_plain_function(session, document.bytes(at))
            || document.call(at).is_some()
            || (is_absent(session, document.bytes(at)) && is_passed(document, at))
    });
    names
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

/// Runs the rules on all that they are called for; `names` are the identifiers among it.
pub(super) fn run_rules(
    document: &Document<'_>,
    session: &FileSession<'_>,
    settings: &RuleSettings,
    switches: &Suppressions,
    own: &OwnNames<'_>,
    names: &[TokenIndex],
) -> Vec<Finding> {
    let mut context = Context {
        unit: look_at(document, session, settings, switches, own),
        tables: &session.dispatch.tables,
        findings: Vec::new(),
    };
    for_all(&mut context, session.dispatch, settings, names);
    context.findings
}

/// A file with everything that says what its words mean, before anybody has looked at it.
pub(super) fn look_at<'d, 's>(
    doc: &'d Document<'s>,
    session: &'d FileSession<'_>,
    settings: &'d RuleSettings,
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
        owner: session.support(doc.source).owner(&doc.source.path),
        table: session.table,
        own,
        inactive: session.inactive(doc).into_iter().collect(),
        not_meant: OnceCell::new(),
        left_out: RefCell::default(),
        textures: KnownTextures::default(),
        warps: OnceCell::new(),
        python: OnceCell::new(),
    }
}

/// The rules that look once at a file that is no source of CUDA; `None` for a source.
fn once<'d>(doc: &Document<'_>, dispatch: &'d Dispatch) -> Option<&'d Vec<&'static Rule>> {
    match doc.source.language {
        // What is changed only where one form is right; else one finding says what to do.
        Language::Build(BuildTool::Other) => Some(&dispatch.other_build_file),
        Language::Build(_) => Some(&dispatch.build_file),
        Language::Python if python::builds_extensions(&doc.source.bytes) => {
            Some(&dispatch.extension)
        }
        Language::Python if doc.source.path.ends_with("setup.py") => Some(&dispatch.build_file),
        Language::Python => Some(&NOTHING),
        _ => None,
    }
}

fn for_all(
    context: &mut Context<'_, '_>,
    dispatch: &Dispatch,
    settings: &RuleSettings,
    names: &[TokenIndex],
) {
    let doc = context.doc;
    let once = once(doc, dispatch);
    if doc.source.language == Language::Python {
        dispatch
            .python
            .iter()
            .for_each(|rule| (rule.check)(Site::File, context));
    }
    if let Some(rules) = once {
        let is_left = serving_amd(context).is_some();
        let stays =
            |code: &str| code == both_vendors::RULE.code || code == renamed_source::RULE.code;
        return rules
            .iter()
            .filter(|rule| !is_left || stays(rule.code))
            .for_each(|rule| (rule.check)(Site::File, context));
    }
    for &name in names {
        on_name(context, dispatch, settings, name);
    }
    for launch in &doc.launches {
        dispatch
            .launch
            .iter()
            .for_each(|rule| (rule.check)(Site::Launch(launch), context));
    }
    for include in &doc.includes {
        dispatch
            .include
            .iter()
            .for_each(|rule| (rule.check)(Site::Include(include), context));
    }
    for directive in &doc.directives {
        dispatch
            .directive
            .iter()
            .for_each(|rule| (rule.check)(Site::Directive(directive), context));
    }
    dispatch
        .file
        .iter()
        .for_each(|rule| (rule.check)(Site::File, context));
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
    let rules = dispatch.idents.get(word).map_or(&[][..], Vec::as_slice);
    let mut is_claimed = false;
    // A rule that is off claims nothing: the tables speak for its names again.
    for (rule, claims) in rules
        .iter()
        .filter(|(rule, _)| !settings.off.contains(rule.code))
    {
        (rule.check)(Site::Ident(index), context);
        is_claimed |= claims;
    }
    if !is_claimed {
        context.ask_tables(Site::Ident(index));
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
    context.is_torch()
        && SHUFFLES.contains(&word)
        && !project.is_ported()
        && !project.is_macro(word)
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
