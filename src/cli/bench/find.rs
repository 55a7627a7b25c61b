//! The programs that a person names.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::bench::{Fields, Given, Program, arguments, copy, programs, recorded, tasks};
use crate::cli::args::BenchArgs;
use crate::emit;
use crate::pipeline::globs;
use crate::port::Hash;

/// Endings of single sources; other files are files of tasks.
const SOURCES: [&str; 3] = ["cu", "cpp", "cc"];

/// The programs that take part, and what lies beside them.
pub(super) struct Laid {
    pub(super) programs: Vec<Program>,
    /// What people ported by hand of all programs, those that take no part too: no translator sees it, so that what it makes of a
    /// program does not depend on which ones were chosen.
    pub(super) twins: BTreeSet<String>,
}

/// Lays the programs out in a folder.
///
/// # Errors
/// When there are none, or a file cannot be read.
pub(super) fn find(args: &BenchArgs, source: &Path) -> Result<Laid> {
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
    let twins = crate::bench::twins(&found);
    let (include, exclude) = (globs(&args.include)?, globs(&args.exclude)?);
    found.retain(|program| {
        (args.include.is_empty() || include.is_match(&program.name))
            && !exclude.is_match(&program.name)
    });
    if let Some(count) = args.sample {
        sample(&mut found, count, args.seed);
    }
    if found.is_empty() {
        bail!(
            "{}: no program in CUDA is found; a folder has one where there is a Makefile or a source with `main`",
            path.display()
        );
    }
    Ok(Laid {
        programs: found,
        twins,
    })
}

/// Leaves so many programs, in their order: those whose names have the smallest hashes with the seed, so that a smaller sample is part of a
/// larger one, and a program that comes in moves few others.
fn sample(found: &mut Vec<Program>, count: usize, seed: u32) {
    let rank = |name: &str| Hash::of(format!("{seed}\n{name}").as_bytes()).to_string();
    let mut ranks: Vec<String> = found.iter().map(|program| rank(&program.name)).collect();
    ranks.sort_unstable();
    if let Some(last) = ranks.get(count) {
        found.retain(|program| rank(&program.name) < *last);
    }
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
