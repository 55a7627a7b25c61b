//! Commands of nvcc in an image, a job of CI or a script of Windows, and its options in a preset of CMake: each is translated as the line
//! of a shell that it is.

use std::borrow::Cow;

use crate::analysis::unit::Switches;
use crate::build::BuildFile;
use crate::build::command_lines::{commands_of_nvcc, is_of_windows};
use crate::build::presets::flags;
use crate::edit::{EditSet, Fix};
use crate::engine::embedded::{
    Inner, TranslateUnit, UNWRITTEN, moved, moved_unwritten, rewritten, written_together,
};
use crate::engine::route::{Reading, shell_within};
use crate::engine::session::FileSession;
use crate::engine::suppression::Suppressions;
use crate::engine::{Session, both_vendors};
use crate::mapping::chip;
use crate::options::{Dialect, Vendors};
use crate::rules::{Fact, codes_with};
use crate::text::quoted::{Kind, Quoted, Style};
use crate::text::{SourceFile, TextRange};

/// Translates the commands of a file and adds their edits.
pub(super) fn translate(
    file: &BuildFile<'_>,
    session: &FileSession<'_>,
    switches: &Suppressions,
    edits: &mut EditSet,
    unit: TranslateUnit,
) -> Inner {
    let source = file.source;
    let mut inner = Inner::default();
    // Beside an extension of PyTorch, whose sources serve both vendors, images and jobs stay NVIDIA's.
    let is_left = session.options.vendors == Vendors::Both || session.dialect == Dialect::Torch;
    if session.options.reverse || is_left {
        return inner;
    }
    let session = &for_machine(file, session);
    let settings = both_vendors::settings(session, &source.path);
    let mut fixes = vec![Fix::safe(edits.iter().cloned().collect())];
    let texts = commands_of_nvcc(file).into_iter();
    let texts = texts.chain(flags(file));
    for range in texts {
        // The findings of what is switched off are hidden later, so that its comment counts as used.
        let is_off = codes_with(Fact::ReadsCommands).any(|code| switches.is_off(range.start, code));
        let quoted = verbatim(source, range);
        let text = shell_within(format!("{}.sh", source.path), quoted.text().to_vec());
        let outcome = unit(Reading::new(&text), session, &settings);
        let written = outcome.edits.iter().filter_map(|it| rewritten(&quoted, it));
        fixes.extend((!is_off).then(|| Fix::safe(written.flatten().collect())));
        let findings = outcome.findings.into_iter().map(|judged| match is_off {
            true => moved_unwritten(&quoted, judged, UNWRITTEN.into()),
            false => moved(&quoted, judged),
        });
        inner.findings.extend(findings);
    }
    *edits = written_together(&fixes, &mut inner.findings);
    inner
}

/// The session for the place where the commands run: without a GPU there is no `native` to compile for.
fn for_machine<'s>(file: &BuildFile<'_>, session: &'s FileSession<'_>) -> FileSession<'s> {
    let outer: &Session = session;
    let mut inner = outer.in_dialect(Dialect::Cuda, session.options.vendors);
    let mut options = session.options.clone().into_owned();
    inner.without_gpu = !is_of_windows(file);
    if options.targets.is_empty() && inner.without_gpu {
        options.targets = chip::WITHOUT_GPU.map(str::to_owned).to_vec();
    }
    inner.options = Cow::Owned(options);
    inner
}

/// A part of a file as it is written.
fn verbatim(source: &SourceFile, range: TextRange) -> Quoted {
    let mut quoted = Quoted::new();
    quoted.begin(Style::new(Kind::Verbatim));
    quoted.plain(source.slice(range), range.start);
    quoted
}
