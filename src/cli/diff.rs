use anyhow::Result;

use super::args::DiffArgs;
use super::settings::{Given, Settings};
use super::{Exit, input, output};
use crate::config::CheckTable;
use crate::pipeline::{Plan, PlannedFile, Processed, run as run_pipeline, walk};
use crate::report::diff::unified;

/// Prints what translation changes, or how OUT differs from a fresh translation.
pub(super) fn run(args: &DiffArgs) -> Result<Exit> {
    input::set_threads(&args.files);
    let given = Given {
        translate: &args.translate,
        files: &args.files,
        rules: &args.rules,
        naming: args.naming,
        check: CheckTable::default(),
    };
    let settings = Settings::new(&args.src, &given)?;
    if args.rules.show_config {
        settings.print(&args.src)?;
        return Ok(Exit::Clean);
    }
    let filter = settings.filter(args.out.clone().into_iter().collect());
    let (entries, problems) = walk(&args.src, &filter)?;
    let plan = Plan::new(entries, settings.naming());
    let session = settings.session(&plan)?;
    let diffs = run_pipeline(
        &plan.files,
        &session,
        input::interrupted(),
        |file, processed| one(args, file, &processed),
    );
    let mut exit = Exit::Clean;
    for diff in diffs {
        match diff {
            Ok(text) if text.is_empty() => {}
            Ok(text) => {
                output::print_bytes(&text)?;
                exit = if args.out.is_some() && exit == Exit::Clean {
                    Exit::Findings
                } else {
                    exit
                };
            }
            Err(message) => {
                output::complain(&message);
                exit = Exit::Trouble;
            }
        }
    }
    problems
        .iter()
        .for_each(|problem| output::complain(problem));
    Ok(exit)
}

fn one(args: &DiffArgs, file: &PlannedFile, processed: &Processed) -> Result<Vec<u8>, String> {
    let name = file.entry.name();
    let new_name = file.output.to_string_lossy().replace('\\', "/");
    let Some(out) = &args.out else {
        return match processed {
            Processed::Source { source, outcome } => {
                Ok(outcome.output.as_deref().map_or_else(Vec::new, |new| {
                    unified(&name, &new_name, &source.bytes, new)
                }))
            }
            Processed::Opaque => Ok(Vec::new()),
            Processed::Failed { message } => Err(message.clone()),
        };
    };
    let path = out.join(&file.output);
    let expected = match processed {
        Processed::Source { source, outcome } => outcome
            .output
            .clone()
            .unwrap_or_else(|| source.bytes.clone()),
        Processed::Opaque if file.entry.path.is_file() => std::fs::read(&file.entry.path)
            .map_err(|error| format!("{}: {error}", file.entry.path.display()))?,
        Processed::Opaque => return Ok(Vec::new()),
        Processed::Failed { message } => return Err(message.clone()),
    };
    match std::fs::read(&path) {
        Ok(found) => Ok(unified(&new_name, &new_name, &found, &expected)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Ok(format!("Only in {}: {name}\n", args.src.display()).into_bytes())
        }
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}
