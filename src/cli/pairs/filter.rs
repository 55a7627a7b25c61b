//! Lines of JSON in, a record for each out, in their order.

use std::io::{BufRead as _, Write};

use anyhow::{Context as _, Result};
use serde::Deserialize;

use crate::cli::args::PairsArgs;
use crate::cli::settings::{Given, Settings};
use crate::cli::{Exit, input, output};
use crate::config::CheckTable;
use crate::emit;
use crate::engine::{Session, translate};
use crate::pairs::{Licence, Origin, of_text, unit};
use crate::text::SourceFile;

#[derive(Deserialize)]
struct Line {
    source: String,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    project: Option<String>,
    #[serde(default)]
    license: Option<String>,
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    commit: Option<String>,
}

/// Filters standard input.
pub(super) fn run(args: &PairsArgs) -> Result<Exit> {
    let given = Given {
        settings: &args.settings,
        naming: None,
        check: CheckTable::default(),
    };
    let settings = Settings::new(std::path::Path::new("-"), &given)?;
    let session = settings.lone_session()?;
    let mut broken = 0_usize;
    let mut filter = |out: &mut dyn Write| -> Result<()> {
        for (number, line) in std::io::stdin().lock().lines().enumerate() {
            let record = line
                .map_err(anyhow::Error::from)
                .and_then(|line| record(&line, args, &session));
            let text = record.unwrap_or_else(|error| {
                broken += 1;
                serde_json::json!({ "line": number + 1, "error": format!("{error:#}") }).to_string()
            });
            writeln!(out, "{text}")?;
            if input::was_interrupted() {
                break;
            }
        }
        Ok(())
    };
    match &args.output {
        Some(path) => {
            let mut out = emit::stream(path)?;
            filter(&mut out)?;
            out.finish()?;
        }
        // By line, so that whoever waits for one gets it.
        None => filter(&mut std::io::stdout().lock())?,
    }
    if broken > 0 {
        output::complain(&format!(
            "{broken} lines are no sources; each has an `error` in its place"
        ));
    }
    Ok(if input::was_interrupted() {
        Exit::Interrupted
    } else {
        Exit::Clean
    })
}

fn record(line: &str, args: &PairsArgs, session: &Session) -> Result<String> {
    let line: Line = serde_json::from_str(line).context("is no object with `source`")?;
    let path = line.path.unwrap_or_else(|| "source.cu".to_owned());
    let source = SourceFile::new(path.clone(), line.source.into_bytes());
    let outcome = translate(&source, session);
    let project = line
        .project
        .unwrap_or_else(|| project_of(&path, args.project_depth));
    let origin = Origin {
        url: line.url.or_else(|| args.origin.clone()),
        commit: line.commit.or_else(|| args.commit.clone()),
    };
    let named = line.license.or_else(|| args.license.clone());
    let named = named.map(|spdx| Licence {
        spdx,
        from: "input".to_owned(),
    });
    let licence = of_text(&source.bytes).or(named);
    let draft = unit(
        &source,
        &outcome,
        &project,
        &origin,
        licence,
        &session.options,
    );
    Ok(serde_json::to_string(&draft.pair)?)
}

/// The project of a path: its first folders, or the path where there is none.
pub(super) fn project_of(path: &str, depth: usize) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    let folders = parts.len().saturating_sub(1).min(depth);
    if folders == 0 {
        path.to_owned()
    } else {
        parts[..folders].join("/")
    }
}
