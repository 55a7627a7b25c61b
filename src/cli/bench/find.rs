//! The programs that a person names.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::bench::{Fields, Given, Program, arguments, copy, programs, recorded, tasks};
use crate::cli::args::BenchArgs;
use crate::emit;
use crate::pipeline::globs;

/// Endings of single sources; other files are files of tasks.
const SOURCES: [&str; 3] = ["cu", "cpp", "cc"];

/// Lays the programs out in a folder.
///
/// # Errors
/// When there are none, or a file cannot be read.
pub(super) fn find(args: &BenchArgs, source: &Path) -> Result<Vec<Program>> {
    let path = &args.programs;
    let extension = path.extension().and_then(|end| end.to_str());
    let mut found = if path.is_dir() {
        let files = copy(path, source, &BTreeSet::new()).map_err(anyhow::Error::msg)?;
        programs(source, &files)
    } else if extension.is_some_and(|end| SOURCES.contains(&end)) {
        let name = path.file_name().unwrap_or_default();
        emit::copy(path, &source.join(name))?;
        programs(source, &[name.to_string_lossy().into_owned()])
    } else {
        of_tasks(args, source)?
    };
    let read = |path: &Path| {
        fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))
    };
    let given = |path: &Path, of: &dyn Fn(&str) -> Result<Given, String>| -> Result<Given> {
        of(&read(path)?).map_err(|why| anyhow::anyhow!("{}: {why}", path.display()))
    };
    if let Some(path) = &args.arguments {
        given(path, &|text| Ok(arguments(text)))?.give(&mut found);
    }
    if let Some(path) = &args.recorded {
        given(path, &recorded)?.give(&mut found);
    }
    let (include, exclude) = (globs(&args.include)?, globs(&args.exclude)?);
    found.retain(|program| {
        (args.include.is_empty() || include.is_match(&program.name))
            && !exclude.is_match(&program.name)
    });
    if found.is_empty() {
        bail!(
            "{}: no program in CUDA is found; a folder has one where there is a Makefile or a source with `main`",
            path.display()
        );
    }
    Ok(found)
}

fn of_tasks(args: &BenchArgs, source: &Path) -> Result<Vec<Program>> {
    let path = &args.programs;
    let mut fields = Fields::default();
    for field in &args.fields {
        let named = fields.name(field);
        named.map_err(|why| anyhow::anyhow!("--field {why}"))?;
    }
    let text =
        fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let found = tasks(&text, &fields);
    let (programs, files) = found.map_err(|why| anyhow::anyhow!("{}: {why}", path.display()))?;
    for (name, text) in files {
        emit::write(&source.join(name), text.as_bytes(), None)?;
    }
    Ok(programs)
}
