//! Translation of a tree, a file or standard input.

mod backup;
mod both_vendors;
mod flags;
mod helper_header;
mod keep;
mod noted;
mod packaging;
mod sources;
mod target;
mod unfinished;
mod writer;

use std::ffi::OsStr;
use std::path::Path;

use anyhow::{Result, bail};
use rustc_hash::FxHashMap;

use crate::cli::args::ConvertArgs;
use crate::cli::port::{self, Keeper, REPORT_NAME};
use crate::cli::progress::Progress;
use crate::cli::reach::add_reach;
use crate::cli::settings::{Given, Settings};
use crate::cli::{Exit, about, input, output, reports, support};
use crate::compat;
use crate::config::CheckTable;
use crate::diagnostic::Severity;
use crate::emit::{self, Lock, OutputTree};
use crate::engine::Session;
use crate::engine::translate;
use crate::options::{CompatMode, Weights};
use crate::pipeline::{Changed, Plan, PlannedFile, RECORD_FOLDER, give_back, run as run_pipeline};
use crate::port::{Notes, Port};
use crate::project::CalledHelpers;
use crate::report::{self, Builder, FileReport, PortReport, PortState, Report, file_report};
use crate::text::SourceFile;
use backup::Backup;
pub(super) use both_vendors::serves_both;
use helper_header::HelperHeader;
use keep::Ending;
use target::Target;
use unfinished::Unfinished;
use writer::{Done, Writer, annotations};

/// Translates a tree or a file.
pub(super) fn run(args: &ConvertArgs) -> Result<Exit> {
    if args.paths.is_empty() && !args.settings.rules.show_config {
        return output::short_help();
    }
    let args = &sources::resolved(args)?;
    input::set_threads(&args.settings.files);
    let source = args.src.as_path();
    let settings = Settings::new(source, &given(args))?;
    let settings = match &args.out {
        Some(out) => settings.going_on_from(out),
        None => settings,
    };
    if args.settings.rules.show_config {
        settings.print(source)?;
        return Ok(Exit::Clean);
    }
    flags::refuse_idle(args, settings.naming())?;
    if args.reports.output_format.is_some() && args.prints_result() {
        bail!(
            "--output-format: the translation goes to standard output; `--report FORMAT=FILE` writes the report to a file"
        );
    }
    if source == Path::new("-") {
        return from_stdin(args, &settings);
    }
    from_files(args, settings)
}

/// Sees to it that no other run changes the same files where they are, and waits for one that does.
fn locked(args: &ConvertArgs) -> Vec<Lock> {
    if !args.in_place || args.dry_run {
        return Vec::new();
    }
    let mut sources = args.sources.clone();
    // In one order, so that no two runs wait for each other.
    sources.sort();
    let lock = |source: &std::path::PathBuf| {
        Lock::new(source, || {
            let name = source.display();
            output::note(&format!(
                "{name}: waiting for another run that changes it\n"
            ));
        })
    };
    sources.iter().filter_map(lock).collect()
}

fn from_files(args: &ConvertArgs, mut settings: Settings) -> Result<Exit> {
    let _held = locked(args);
    let backup = args.backup.as_deref().map(Backup::new).transpose()?;
    let target = Target::new(&args.src, args)?;
    let mut filter = settings.filter(target.folder().map(Path::to_path_buf).into_iter().collect());
    filter.files_too = args.fixing.as_ref().is_some_and(|it| it.force_exclude);
    let progress = Progress::new();
    let mut walked = sources::walk_all(args, &filter, &progress)?;
    settings.nest(&mut walked)?;
    let is_backup = |path: &Path| backup.as_ref().is_some_and(|it| it.is_one(path));
    walked.entries.retain(|entry| !is_backup(&entry.path));
    if let Some((part, fixing)) = args
        .fixing
        .as_ref()
        .and_then(|it| Some((it.part.as_ref()?, it)))
    {
        part.keep(&mut walked, fixing.force_exclude);
    }
    let mut plan = Plan::new(walked.entries, settings.naming())
        .with_made()
        .with_around(walked.around);
    let mut session = settings.session(&plan, &progress)?;
    // The session is of all files: what one means depends on headers that did not change.
    let mut unchanged = take_unchanged(args, &mut plan.files)?;
    if target.is_stdout() {
        stand_alone(args, &mut session);
    }
    let in_place = target.folder_in_place().filter(|_| !args.dry_run);
    let unfinished = in_place.map(|root| Unfinished::begin(root, &mut session));
    // From here on something is written: who interrupts the run now ends it between two files.
    input::interrupted();
    let tree = target.tree();
    let port = tree.map(|tree| open_port(args, tree, &plan)).transpose()?;
    let mut done = write_files(args, &target, &plan, &session, &port, backup, progress);
    let helpers = helpers(&done, &session, &target, args);
    let ending = |tree| Ending {
        args,
        tree,
        plan: &plan,
        empty_folders: &walked.empty_folders,
        session: &session,
        naming: settings.naming(),
        interrupted: input::was_interrupted(),
    };
    let ended = match (tree, port) {
        (Some(tree), Some(port)) => ending(tree).end(port, &mut done, &helpers),
        _ => Ok((None, false)),
    };
    if let Some(root) = in_place {
        let files = done.iter_mut().filter_map(|done| done.notes.take());
        noted::remember_in_place(root, files)?;
    }
    plan.files.append(&mut unchanged);
    if !args.dry_run {
        both_vendors::write_headers(&plan.files, &target, &session)?;
    }
    let aside = Aside {
        collisions: plan.collisions,
        unread: walked.problems,
        left_out: reports::left_out(&walked.left_out, ""),
        chosen: support::chosen(&session, &plan.files),
        remarks: reports::idle_excludes(&walked.idle_excludes),
        weights: settings.weights()?,
    };
    let exit = conclude(args, &target, &session, done, &helpers, ended, aside)?;
    // A file that could not be written is translated when a run can.
    let is_whole = !matches!(exit, Exit::Interrupted | Exit::Trouble);
    if let Some(unfinished) = unfinished.filter(|_| is_whole) {
        unfinished.end();
    }
    give_back((plan.files, session));
    Ok(exit)
}

/// Takes out what `check --fix --changed` leaves alone.
///
/// # Errors
/// When git cannot say what changed.
fn take_unchanged(args: &ConvertArgs, files: &mut Vec<PlannedFile>) -> Result<Vec<PlannedFile>> {
    let Some(fixing) = args.fixing.as_ref().filter(|it| it.only_changes) else {
        return Ok(Vec::new());
    };
    let changed = Changed::new(&args.src, fixing.since.as_deref())?;
    let is_changed = |file: &PlannedFile| changed.contains(&file.entry.path);
    let (wanted, unchanged) = std::mem::take(files).into_iter().partition(is_changed);
    *files = wanted;
    Ok(unchanged)
}

/// Translates the files of a plan and writes each where it belongs.
fn write_files(
    args: &ConvertArgs,
    target: &Target,
    plan: &Plan,
    session: &Session,
    port: &Option<Port>,
    backup: Option<Backup>,
    progress: Progress,
) -> Vec<Done> {
    let keeper = port.as_ref().zip(target.tree()).map(|(port, tree)| Keeper {
        tree,
        port,
        force: args.force,
        dry_run: args.dry_run,
    });
    let writer = Writer {
        args,
        target,
        repository: reports::repository_prefix(&args.src),
        keeper,
        backup,
        project: &session.project,
        header: (session.options.compat == CompatMode::Header && !target.is_tree())
            .then(|| HelperHeader::new(target, args)),
    };
    let stop = input::interrupted();
    run_pipeline(&plan.files, session, stop, &progress, |file, processed| {
        writer.finish(file, processed)
    })
}

/// What an output remembers, with the marks of this run in it: nothing is written before them.
fn open_port(args: &ConvertArgs, tree: &OutputTree, plan: &Plan) -> Result<Port> {
    let source = args.src.as_path();
    let mut port = port::open(tree.root())?;
    if !args.force
        && let Some(lost) = port::lost_memory(&port, source, tree.root())
    {
        output::complain(&lost);
    }
    port::follow_renames(&mut port, source, &plan.files);
    if !args.dry_run {
        port.begin(tree)?;
        let folders = plan.files.iter().filter_map(|file| file.output.parent());
        // By their bytes: to compare paths goes through the parts of each.
        let mut folders: Vec<&OsStr> = folders.map(Path::as_os_str).collect();
        folders.sort_unstable();
        folders.dedup();
        let folders = folders.into_iter().map(Path::new);
        folders.for_each(|folder| tree.sweep(folder));
    }
    Ok(port)
}

/// The helpers that the result calls, and those that files of earlier runs do.
fn helpers(done: &[Done], session: &Session, target: &Target, args: &ConvertArgs) -> CalledHelpers {
    let mut helpers = session.project.called_helpers();
    for done in done {
        let header = session.project.helper_header_of(&done.report.path);
        helpers.add(CalledHelpers::of(header, done.helpers.iter().copied()));
    }
    helpers.add_known(|header| target.earlier_helpers(args, header));
    helpers
}

/// Beside what goes to standard output nothing can lie: helpers are written into the text, unless the command line asks for the header.
fn stand_alone(args: &ConvertArgs, session: &mut Session) {
    let is_asked = args.settings.translate.compat.is_some();
    if session.options.compat == CompatMode::Header && !is_asked {
        session.options.compat = CompatMode::Inline;
    }
}

/// Where the helpers are that the result calls.
fn helper_line(
    args: &ConvertArgs,
    target: &Target,
    session: &Session,
    helpers: &CalledHelpers,
) -> Option<String> {
    let count = helpers.count();
    let functions = report::plural(count, "function");
    let headers: Vec<&str> = helpers.headers().map(|(path, _)| path).collect();
    let header = headers.join(", ");
    (count > 0).then_some(())?;
    match session.options.compat {
        CompatMode::None => None,
        CompatMode::Inline => Some(format!(
            "helpers: {count} {functions} of ours, written into the files that call them"
        )),
        CompatMode::Header if target.is_stdout() => Some(format!(
            "helpers: the result includes {header}, which `-o FILE` writes beside it; `--compat inline` needs no header"
        )),
        CompatMode::Header => {
            let written = match headers.len() {
                _ if args.dry_run => "would be",
                1 => "is",
                _ => "are",
            };
            Some(format!(
                "helpers: {header} {written} beside the result, with {count} {functions} of ours that it calls"
            ))
        }
    }
}

fn given(args: &ConvertArgs) -> Given<'_> {
    Given {
        settings: &args.settings,
        naming: args.naming,
        check: CheckTable::default(),
    }
}

/// What the walk and the plan found beside the files that take part.
struct Aside {
    collisions: Vec<String>,
    unread: Vec<String>,
    left_out: Vec<report::LeftOut>,
    chosen: Vec<String>,
    remarks: Vec<String>,
    weights: Weights,
}

/// Writes the report and what belongs to the result as a whole, says what went wrong, and tells by the exit code how it went.
fn conclude(
    args: &ConvertArgs,
    target: &Target,
    session: &Session,
    done: Vec<Done>,
    helpers: &CalledHelpers,
    ended: Result<(Option<PortReport>, bool)>,
    aside: Aside,
) -> Result<Exit> {
    let (ended, (port, has_conflict)) = match ended {
        Ok(ended) => (Ok(()), ended),
        Err(error) => (Err(error), (None, false)),
    };
    let unread = aside.unread.clone();
    let mut report = report_of(args, session, done, port, aside);
    let verb = if args.dry_run {
        "would be translated"
    } else {
        "translated"
    };
    report
        .chosen
        .extend(helper_line(args, target, session, helpers));
    if session.options.compat == CompatMode::Header {
        let headers = helpers.headers();
        let advice = headers.filter_map(|(header, _)| packaging::advice(&args.src, header));
        report.chosen.extend(advice);
    }
    let is_cut = input::was_interrupted();
    let summary = report::text::summary(&report, verb);
    let summary = match is_cut {
        true => format!("interrupted; of the files so far:\n{summary}"),
        false => summary,
    };
    // Where one of these fails, the others and what is said of the files must not be lost.
    let whole = (!is_cut).then_some(&report);
    let beside = write_beside(args, target, session, helpers, whole);
    let is_written = beside.is_ok() && !args.dry_run && !is_cut;
    let told = tell(args, target, &mut report, summary, is_written, is_cut);
    let steps = [ended, beside].into_iter().chain(told);
    let troubles = troubles(unread, &report, steps);
    troubles
        .iter()
        .for_each(|trouble| output::complain(trouble));
    say_conflicts(&report);
    give_back(report);
    if is_cut {
        output::complain("interrupted; files written so far are whole, run again to finish");
        return Ok(Exit::Interrupted);
    }
    Ok(match (troubles.is_empty(), has_conflict) {
        (false, _) => Exit::Trouble,
        (true, true) => Exit::Findings,
        (true, false) => Exit::Clean,
    })
}

/// Writes and prints the reports. Of a run that was cut off there is a summary alone: the report of a part would pass for one of the whole.
fn tell(
    args: &ConvertArgs,
    target: &Target,
    report: &mut Report,
    summary: String,
    is_written: bool,
    is_cut: bool,
) -> [Result<()>; 2] {
    let reported = match is_cut {
        true => Ok(()),
        false => args.reports.write(report, &summary),
    };
    let printed = match is_cut && args.reports.output_format.is_some() {
        true => Ok(()),
        false => print(args, target, report, summary, is_written),
    };
    [reported, printed]
}

fn report_of(
    args: &ConvertArgs,
    session: &Session,
    done: Vec<Done>,
    port: Option<PortReport>,
    aside: Aside,
) -> Report {
    let problems = [aside.unread, aside.collisions].concat();
    let mut builder = Builder::new(session.options.clone(), problems)
        .leaving_out(aside.left_out)
        .supporting(support::supports(session, ""))
        .choosing(aside.chosen)
        .remarking(aside.remarks)
        .writing(!args.dry_run)
        .of_port(port);
    let mut files: Vec<FileReport> = done.into_iter().map(|done| done.report).collect();
    add_reach(&mut files, "", &session.project);
    support::add_builders(&mut files, "", session);
    files.into_iter().for_each(|file| builder.add(file));
    let mut report = builder.finish();
    report.run = about::run_of(&args.reports, &args.src);
    report.weights = aside.weights;
    report
}

/// Conflicts are in the summary; where that is left out, an exit code that is not 0 would stand alone.
fn say_conflicts(report: &Report) {
    let what = "in conflict, choose one by hand";
    let line = report
        .port
        .as_ref()
        .map(|port| port.line(PortState::Conflict, what));
    if let Some(line) = line.filter(|line| !line.is_empty() && output::is_quiet()) {
        output::complain(line.trim());
    }
}

/// What could not be read, translated or written, as it is said on standard error; what stopped many files alike, once.
fn troubles(
    unread: Vec<String>,
    report: &Report,
    steps: impl IntoIterator<Item = Result<()>>,
) -> Vec<String> {
    let of_files = report.files.iter().filter_map(|file| file.problem.clone());
    let of_run = steps
        .into_iter()
        .filter_map(Result::err)
        .filter(|error| !output::is_broken_pipe(error))
        .map(|error| format!("{error:#}"));
    let mut counts: FxHashMap<String, usize> = FxHashMap::default();
    let mut said: Vec<String> = Vec::new();
    for trouble in unread.into_iter().chain(of_files).chain(of_run) {
        let count = counts.entry(trouble.clone()).or_default();
        *count += 1;
        if *count == 1 {
            said.push(trouble);
        }
    }
    let counted = |trouble: String| match counts[&trouble] {
        1 => trouble,
        count => format!("{trouble} ({count} files)"),
    };
    said.into_iter().map(counted).collect()
}

/// Writes what belongs to the result as a whole: the header with the helpers, and the report of a tree that was translated to
/// its end.
fn write_beside(
    args: &ConvertArgs,
    target: &Target,
    session: &Session,
    helpers: &CalledHelpers,
    report: Option<&Report>,
) -> Result<()> {
    if args.dry_run {
        return Ok(());
    }
    if !target.is_tree() && session.options.compat == CompatMode::Header {
        for (path, helpers) in helpers.headers() {
            target.write_beside(path, &compat::header(helpers))?;
        }
    }
    if let Some(report) = report.filter(|_| target.is_tree()) {
        target.write_beside(REPORT_NAME, &report::json::json(report))?;
    }
    Ok(())
}

fn print(
    args: &ConvertArgs,
    target: &Target,
    report: &mut Report,
    summary: String,
    is_written: bool,
) -> Result<()> {
    match args.reports.output_format {
        Some(format) => {
            // In the result names begin below SRC; whoever reads this stands above it.
            let prefix = input::prefix(&args.src);
            let files = report.files.iter_mut();
            files.for_each(|file| file.path.insert_str(0, &prefix));
            reports::print(report, format, &summary)
        }
        None if target.is_stdout() => {
            output::note_summary(&summary);
            Ok(())
        }
        None if args.fixing.is_some() => {
            output::note(&fixed(report));
            Ok(())
        }
        None if output::is_quiet() => Ok(()),
        None => {
            output::print_summary(&(summary + &where_to_look(args, target, report, is_written)))
        }
    }
}

/// What `check --fix` says of its changes.
fn fixed(report: &Report) -> String {
    let (files, lines) = (report.totals.translated, report.totals.lines_changed);
    let (of_files, of_lines) = (report::plural(files, "file"), report::plural(lines, "line"));
    format!("fixed: {lines} {of_lines} in {files} {of_files}\n")
}

/// What to do next, where something was written.
fn where_to_look(args: &ConvertArgs, target: &Target, report: &Report, is_written: bool) -> String {
    let names = sources::shown(args);
    let counts = report.totals.counts;
    match target {
        Target::Tree(tree) if is_written => format!(
            "written to {}; findings: {}, or `cass-transpile check {names}`; a page to send round: `cass-transpile check {names} --report html=report.html`\n",
            tree.root().display(),
            tree.root().join(REPORT_NAME).display(),
        ),
        Target::InPlace(_) if is_written && counts.errors + counts.warnings > 0 => {
            let records = target
                .folder_in_place()
                .filter(|folder| Notes::are_kept(folder));
            let kept = records.map_or_else(String::new, |folder| {
                let prefix = input::prefix(folder);
                format!("; {prefix}{RECORD_FOLDER} keeps it until the lines change")
            });
            format!("left for a person: `cass-transpile check {names}`{kept}\n")
        }
        _ => String::new(),
    }
}

fn from_stdin(args: &ConvertArgs, settings: &Settings) -> Result<Exit> {
    let bytes = input::read_all()?;
    let mut session = settings.lone_session()?;
    stand_alone(args, &mut session);
    let source = SourceFile::new(args.stdin_name(), bytes);
    let outcome = translate(&source, &session);
    let annotated = annotations(args, &source, &outcome);
    let changed = annotated.as_deref().or(outcome.output.as_deref());
    let result = changed.unwrap_or(&source.bytes);
    match args
        .output
        .as_deref()
        .filter(|path| *path != Path::new("-"))
    {
        Some(path) => drop(emit::write(path, result, None)?),
        None => output::print_bytes(result)?,
    }
    let mut builder = Builder::new(session.options.clone(), Vec::new()).writing(true);
    builder.add(file_report(&source, &outcome, None, Severity::Warning));
    let mut report = builder.finish();
    report.run = about::run_of(&args.reports, &args.src);
    report.weights = settings.weights()?;
    args.reports
        .write(&report, &report::text::summary(&report, "translated"))?;
    output::note(&report::text::full(&report, output::columns_of_notes()));
    let called = CalledHelpers::of(session.project.helper_header(), outcome.helpers);
    let helpers = helper_line(args, &Target::Stdout, &session, &called);
    if let Some(line) = helpers {
        output::note_summary(&(line + "\n"));
    }
    Ok(Exit::Clean)
}
