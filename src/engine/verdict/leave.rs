//! What is left to a person, to another build, or to those who ported the tree.

use std::collections::BTreeSet;

use crate::build::BuildFile;
use crate::build::amd_tools;
use crate::build::command_lines::is_of_windows;
use crate::build::words::mentions_cuda;
use crate::diagnostic::{Hidden, Judged, Reason, Severity};
use crate::engine::both_vendors::{is_neutral, parts_directives};
use crate::engine::route::Reading;
use crate::engine::session::FileSession;
use crate::engine::verdict::judge::Judge;
use crate::options::{Dialect, HipSupport, Vendors};
use crate::project::listed_sources::Sources;
use crate::project::owner::Owner;
use crate::rules::{Event, Fact, find, notice};
use crate::syntax::{Document, Lexed};
use crate::text::{BuildTool, TextRange, is_of_ci};

/// Leaves to others what is theirs.
pub(in crate::engine) fn leave_to_others(
    reading: &Reading<'_>,
    session: &FileSession<'_>,
    owner: Owner,
    judge: &mut Judge<'_>,
    findings: &mut Vec<Judged>,
) {
    if owner != Owner::Ours {
        withhold_all(findings, &Reason::ServesAmd);
    }
    let is_submodule = session.project.paths.is_in_submodule(&reading.source.path);
    if is_submodule && session.dialect == Dialect::Torch {
        withhold_all(findings, &Reason::Submodule);
    }
    let build = reading.build();
    let is_script = build.is_some_and(|file| file.tool == BuildTool::Shell);
    if session.options.vendors == Vendors::Both && is_script {
        // Whoever calls it builds for NVIDIA, and a script for AMD is another.
        withhold_all(findings, &Reason::NvidiasScript);
    }
    if session.dialect != Dialect::Torch {
        return;
    }
    if session.is_nvidias_source(&reading.source.path) {
        let found = std::mem::take(findings);
        *findings = told_as_one(reading, judge, found, |range, places| {
            Event::NvidiasSource { range, places }
        });
        return;
    }
    if let Some(file) = build {
        leave_other_build(file, session, judge, findings);
    }
    let is_kept = session.options.hip_support == HipSupport::Keep;
    if is_kept && session.project.builds.scripts.ask_for_amd {
        leave_decided(findings);
    }
    if let Some(document) = reading.cpp() {
        leave_to_people(document, findings);
    }
}

/// Makes nothing of what fixes would do; somebody has to look at each place.
fn withhold_all(findings: &mut [Judged], reason: &Reason) {
    for judged in findings.iter_mut().filter(|it| it.fix().is_some()) {
        judged.withhold(reason.clone());
        judged.raise(match reason {
            Reason::ServesAmd => judged.severity(),
            _ => Severity::Warning,
        });
    }
}

/// Hides findings behind one that says how many there are.
fn told_as_one<'e>(
    file: &Lexed<'_>,
    judge: &mut Judge<'_>,
    mut found: Vec<Judged>,
    event: impl FnOnce(TextRange, usize) -> Event<'e>,
) -> Vec<Judged> {
    let Some(first) = found.iter().map(Judged::range).min() else {
        return found;
    };
    let note = notice(&event(first, found.len()));
    for judged in &mut found {
        judged.verdict.hidden = judged.hidden().or(Some(Hidden::OtherBuild));
        judged.withhold(Reason::OtherBuild);
    }
    found.extend(judge.admit(file, [note]));
    found
}

/// Makes one finding of all that is said of a build file which PyTorch's build does not read: a script, a list for another build. An image,
/// a job of CI or a list of packages has one already, whoever builds.
fn leave_other_build(
    file: &BuildFile<'_>,
    session: &FileSession<'_>,
    judge: &mut Judge<'_>,
    findings: &mut Vec<Judged>,
) {
    // A list of CMake that is the build is told what it lacks.
    let has = |it: &Judged, fact| find(it.code()).is_some_and(|(rule, _)| rule.has(fact));
    let found = std::mem::take(findings).into_iter();
    let (mut own, others): (Vec<Judged>, Vec<Judged>) =
        found.partition(|it| has(it, Fact::ForTorchBuild));
    // What a script starts is not there on AMD, whatever builds the extension.
    let is_script = file.tool == BuildTool::Shell;
    let (machine, others): (Vec<Judged>, Vec<Judged>) =
        (others.into_iter()).partition(|it| is_script && has(it, Fact::AboutMachine));
    let is_ported = session.project.builds.scripts.ask_for_amd;
    let is_read = !own.is_empty() && file.tool == BuildTool::CMake;
    let is_told = !own.is_empty() && file.tool == BuildTool::Other;
    // Who asks for AMD builds for it by other files than these, and CI runs what is NVIDIA's on machines of NVIDIA's.
    // One that has branches for both is asked for its own.
    let is_nvidias = is_ported
        || is_of_ci(&file.source.path)
        || is_of_windows(file)
        || amd_tools::serves_amd(file)
        || session.project.paths.has_variant_for_amd(&file.source.path);
    let is_open = !is_read
        && !is_told
        && !is_nvidias
        && !names_folder_alone(file, &others)
        && is_left_open(file, session, &others);
    let words = words_of(file, &others);
    *findings = told_as_one(file, judge, others, |range, places| Event::OtherBuildFile {
        range,
        places,
        words: &words,
        is_read,
        is_open,
        is_script,
    });
    own.extend(machine);
    if is_nvidias && file.tool != BuildTool::CMake {
        own.iter_mut()
            .for_each(|it| it.verdict.severity = Severity::Info);
    }
    findings.extend(own);
}

/// What names CUDA at the first places that findings speak of, each once; nothing of a place that is longer than a word or an option.
fn words_of(file: &BuildFile<'_>, found: &[Judged]) -> Vec<String> {
    const MOST: usize = 3;
    const LONGEST: u32 = 40;
    let ranges: BTreeSet<TextRange> = found.iter().map(Judged::range).collect();
    let mut words = Vec::new();
    for range in ranges.into_iter().filter(|it| it.len() <= LONGEST) {
        let word = file.source.text(range);
        let is_meant = mentions_cuda(word.as_bytes()) || word.starts_with('-');
        let is_word = is_meant && !word.contains(['`', '\n', '\r']);
        if is_word && !words.iter().any(|known| *known == word) {
            words.push(word.into_owned());
        }
        if words.len() == MOST {
            break;
        }
    }
    words
}

/// Whether a script does no more about CUDA than to say where it is installed, `export CUDA_HOME=/usr/local/cuda`: PyTorch's build for ROCm
/// does not ask.
fn names_folder_alone(file: &BuildFile<'_>, found: &[Judged]) -> bool {
    let is_folder = |it: &Judged| {
        let word = file.source.text(it.range());
        let ends = ["_HOME", "_PATH", "_ROOT"];
        word.starts_with("CUDA_") && ends.iter().any(|end| word.ends_with(end))
    };
    file.tool == BuildTool::Shell && found.iter().all(is_folder)
}

/// Whether what a build file says of CUDA ends on AMD, and PyTorch's build does not do its work: it is more than a second way to the
/// extension.
fn is_left_open(file: &BuildFile<'_>, session: &FileSession<'_>, found: &[Judged]) -> bool {
    let path = &file.source.path;
    let is_wanted = |it: &Judged| it.fix().is_some() || it.severity() > Severity::Info;
    let is_list = matches!(file.tool, BuildTool::CMake | BuildTool::Make);
    let project = &session.project;
    let builds_others = || {
        let named = Sources::of_list(&file.source.bytes).all.into_iter();
        let mut named = named.filter(|it| it.ends_with(".cu"));
        named.any(|it| {
            let source = project.paths.resolve(path, &it);
            source.is_some_and(|it| project.is_left_by_scripts(it))
        })
    };
    found.iter().any(is_wanted) && (!is_list || !project.is_second_way(path) || builds_others())
}

/// Whether a finding renames what PyTorch's build does not and AMD lacks: no port builds that as it is, whatever it has decided.
fn is_missing(judged: &Judged) -> bool {
    let api = judged.api().filter(|api| api.library != "headers");
    let target = api.and_then(|api| api.target.filter(|target| *target != api.name));
    judged.fix().is_some() && target.is_some_and(|target| !target.is_empty())
}

/// Leaves what a port has decided as it is, and says so in passing only.
fn leave_decided(findings: &mut [Judged]) {
    let is_decided = |it: &&mut Judged| {
        find(it.code()).is_some_and(|(rule, _)| rule.has(Fact::DecidedByPort)) && !is_missing(it)
    };
    for judged in findings.iter_mut().filter(is_decided) {
        if judged.fix().is_some() {
            judged.withhold(Reason::DecidedByPort);
        } else {
            judged.verdict.reasons.push(Reason::DecidedByPort);
        }
        judged.verdict.severity = Severity::Info;
    }
}

/// Leaves fixes to a person that no guard can hold: their lines have a part of a condition in them.
fn leave_to_people(document: &Document<'_>, findings: &mut [Judged]) {
    for judged in findings {
        if let Some(fix) = judged.fix()
            && !is_neutral(document, judged.finding())
            && parts_directives(document, fix)
        {
            judged.withhold(Reason::PartsCondition);
            judged.raise(Severity::Warning);
        }
    }
}
