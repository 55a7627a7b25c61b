use anyhow::Result;

use super::args::{CheckArgs, Format};
use super::{Exit, input, output};
use crate::diagnostic::Severity;
use crate::pipeline::{Naming, Plan, PlannedFile, Processed, run as run_pipeline, walk};
use crate::report::{self, Action, Builder, FileReport, Report, file_report};

/// Checks files and trees; writes nothing but its findings.
pub(super) fn run(args: &CheckArgs) -> Result<Exit> {
    input::set_threads(&args.files);
    let (mut files, mut problems, mut builder_files) = (0, Vec::new(), Vec::new());
    let mut options = None;
    for path in &args.paths {
        let (entries, found) = walk(path, &args.files.filter(Vec::new()))?;
        problems.extend(found);
        files += entries.len();
        let plan = Plan::new(entries, Naming::Keep);
        let session = input::session(&args.translate, &plan)?;
        let prefix = if path.is_dir() {
            format!("{}/", input::shown(path).trim_end_matches('/'))
        } else {
            path.parent()
                .filter(|parent| !parent.as_os_str().is_empty())
                .map_or(String::new(), |parent| format!("{}/", input::shown(parent)))
        };
        let least = args.show.severity().min(args.fail_on.severity());
        builder_files.extend(run_pipeline(
            &plan.files,
            &session,
            input::interrupted(),
            |file, processed| checked(file, processed, &prefix, least),
        ));
        options.get_or_insert(session.options);
    }
    let mut builder = Builder::new(options.unwrap_or_default(), problems);
    builder_files.into_iter().for_each(|file| builder.add(file));
    let report = builder.finish();
    debug_assert_eq!(report.totals.files, files);
    print(args, &report)?;
    Ok(verdict(args, &report))
}

fn checked(file: &PlannedFile, processed: Processed, prefix: &str, least: Severity) -> FileReport {
    let mut report = match processed {
        Processed::Source { source, outcome } => file_report(&source, &outcome, None, least),
        Processed::Opaque => FileReport {
            path: file.entry.name(),
            ..FileReport::default()
        },
        Processed::Failed { message } => FileReport {
            path: file.entry.name(),
            action: Action::Failed,
            problem: Some(message),
            ..FileReport::default()
        },
    };
    report.path.insert_str(0, prefix);
    report
}

fn print(args: &CheckArgs, report: &Report) -> Result<()> {
    let show = args.show.severity();
    match args.output_format {
        Format::Json => output::print(&report::json::json(report))?,
        Format::Full => {
            report
                .files
                .iter()
                .try_for_each(|file| output::print(&report::text::findings(file, show)))?;
            output::note(&report::text::summary(report, "would be translated"));
        }
        Format::Concise => {
            for file in &report.files {
                let lines: String = file
                    .findings
                    .iter()
                    .filter(|finding| finding.severity >= show)
                    .map(|finding| report::text::concise(&file.path, finding))
                    .collect();
                output::print(&lines)?;
            }
        }
    }
    report
        .files
        .iter()
        .filter_map(|file| file.problem.as_deref())
        .for_each(output::complain);
    Ok(())
}

fn verdict(args: &CheckArgs, report: &Report) -> Exit {
    if report.totals.failed > 0 {
        return Exit::Trouble;
    }
    let fails = report
        .files
        .iter()
        .flat_map(|file| &file.findings)
        .any(|finding| finding.severity >= args.fail_on.severity());
    if fails && !args.exit_zero {
        Exit::Findings
    } else {
        Exit::Clean
    }
}
