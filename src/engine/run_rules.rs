//! What the rules find in one file.

use std::cell::{OnceCell, RefCell};

use crate::analysis::unit::Unit;
use crate::diagnostic::Finding;
use crate::engine::dispatch::Wake;
use crate::engine::suppression::Suppressions;
use crate::engine::{RuleSettings, Session};
use crate::project::textures::KnownTextures;
use crate::project::visible::OwnNames;
use crate::rules::{At, Context};
use crate::syntax::{Document, TokenIndex};
use crate::text::Language;

/// The identifiers that a rule or the tables know.
pub(super) fn known_names(document: &Document<'_>, session: &Session) -> Vec<TokenIndex> {
    if matches!(document.source.language, Language::Build(_)) {
        return Vec::new();
    }
    document.all_that(|word| {
        session.wake.idents.get(word).is_some() || session.table.get_or_pattern(word).is_some()
    })
}

/// Runs the rules on all that wakes them; `names` are the identifiers among it.
pub(super) fn run_rules(
    document: &Document<'_>,
    session: &Session,
    settings: &RuleSettings,
    switches: &Suppressions,
    own: &OwnNames<'_>,
    names: &[TokenIndex],
) -> Vec<Finding> {
    let mut context = Context {
        unit: Unit {
            doc: document,
            project: &session.project,
            claims: &session.wake.claims,
            off: &settings.off,
            rules: &session.wake,
            switches,
            options: &session.options,
            table: &session.table,
            own,
            inactive: session.inactive(document).into_iter().collect(),
            not_meant: OnceCell::new(),
            left_out: RefCell::default(),
            textures: KnownTextures::default(),
            warps: OnceCell::new(),
        },
        tables: &session.wake.tables,
        findings: Vec::new(),
    };
    for_all(&mut context, &session.wake, settings, names);
    context.findings
}

fn for_all(
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
        on_name(context, wake, settings, name);
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

fn on_name(context: &mut Context<'_, '_>, wake: &Wake, settings: &RuleSettings, index: TokenIndex) {
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
