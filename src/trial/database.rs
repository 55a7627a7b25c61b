//! The units of a compilation database. One that an earlier build wrote, of the CUDA sources too, serves as well: its paths are taken
//! over into the port.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::command::units;
use super::unit::{Unit, Units, Way};
use crate::nvcc::absolute;
use crate::project::compiled::{Database, HINT, Written};

/// The name of the file in the folder of a build.
pub(super) const NAME: &str = "compile_commands.json";

/// The units of a database, or of the one in a folder. `renamed` are the sources of the port that have another name than in SRC.
///
/// # Errors
/// When it cannot be read or is none; the message names it and the remedy.
pub(crate) fn by_database(
    path: &Path,
    out: &Path,
    renamed: &FxHashMap<String, String>,
) -> Result<Units, String> {
    let file = match path.is_dir() {
        true => path.join(NAME),
        false => path.to_path_buf(),
    };
    let shown = file.display();
    let bytes = std::fs::read(&file)
        .map_err(|error| format!("{shown}: cannot be read: {error}; {HINT}"))?;
    let folder = absolute(&file);
    let folder = folder.parent().unwrap_or(Path::new("/"));
    let text = String::from_utf8_lossy(&bytes);
    let written =
        Database::written(&text, folder, &read).map_err(|message| format!("{shown}: {message}"))?;
    let source = root_of_source(&written, out, renamed);
    let mut found = Vec::new();
    let (mut others, mut unread) = (0, 0);
    for command in &written {
        let mut of_command = units(&command.words, &absolute(&command.folder));
        unread += usize::from(of_command.is_empty());
        for unit in &mut of_command {
            if let Some(source) = &source {
                take_over(unit, source, out, renamed);
            }
        }
        let before = of_command.len();
        of_command.retain(|unit| unit.file.starts_with(out));
        others += before - of_command.len();
        found.extend(of_command);
    }
    if found.is_empty() {
        return Err(format!(
            "{shown}: none of the files that it compiles is in {}; the first is {}",
            out.display(),
            absolute(&written[0].folder.join(&written[0].file)).display()
        ));
    }
    let mut missing = Vec::new();
    if let Some(source) = &source {
        missing.push(format!(
            "the database is of {}: its paths are taken over into the port",
            source.display()
        ));
    }
    let mut say = |count: usize, what: &str| {
        if count > 0 {
            missing.push(format!("{count} {what}"));
        }
    };
    say(others, "of its sources are not in the port");
    say(
        unread,
        "of its commands are of no compiler that is known here",
    );
    Ok(Units::new(Way::Database(file), found, missing))
}

fn read(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The root of the sources that the database is of, where that is not the port: the one under which most of its files have a namesake in
/// the port.
fn root_of_source(
    written: &[Written],
    out: &Path,
    renamed: &FxHashMap<String, String>,
) -> Option<PathBuf> {
    let mut roots = FxHashMap::<PathBuf, usize>::default();
    for command in written {
        let file = absolute(&command.folder.join(&command.file));
        if file.starts_with(out) {
            return None;
        }
        if let Some(root) = root_of(&file, out, renamed) {
            *roots.entry(root).or_default() += 1;
        }
    }
    let most = roots
        .into_iter()
        .max_by(|one, other| (one.1, &other.0).cmp(&(other.1, &one.0)));
    most.map(|(root, _)| root)
}

/// What stands before the longest end of a path that the port has too.
fn root_of(file: &Path, out: &Path, renamed: &FxHashMap<String, String>) -> Option<PathBuf> {
    let above = file.ancestors().skip(1);
    let above: Vec<&Path> = above.collect();
    above.into_iter().rev().find_map(|root| {
        let below = file.strip_prefix(root).ok()?;
        let is_there = out.join(below).is_file() || renamed.contains_key(below.to_str()?);
        is_there.then(|| root.to_path_buf())
    })
}

/// Puts the port in the place of its sources.
fn take_over(unit: &mut Unit, source: &Path, out: &Path, renamed: &FxHashMap<String, String>) {
    let Ok(below) = unit.file.strip_prefix(source) else {
        return;
    };
    let name = below.to_str().and_then(|name| renamed.get(name));
    unit.file = out.join(name.map_or(below, |name| Path::new(name)));
    if let Ok(below) = unit.folder.strip_prefix(source)
        && out.join(below).is_dir()
    {
        unit.folder = out.join(below);
    }
    let Some(source) = source.to_str() else {
        return;
    };
    let out = out.display().to_string();
    for option in &mut unit.options {
        let Some(at) = option.find(source) else {
            continue;
        };
        let rest = &option[at + source.len()..];
        // The folder of the build may lie in the sources and has generated headers, which are not in the port.
        let is_whole = rest.is_empty() || rest.starts_with('/');
        let there = format!("{out}{rest}");
        if is_whole && Path::new(&there).exists() {
            *option = format!("{}{there}", &option[..at]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_database_of_the_sources_serves_the_port() {
        let folder = tempfile::tempdir().unwrap();
        let root = absolute(folder.path());
        let (src, out) = (root.join("src"), root.join("out"));
        std::fs::create_dir_all(src.join("inc")).unwrap();
        std::fs::create_dir_all(out.join("inc")).unwrap();
        std::fs::write(out.join("a.hip"), "").unwrap();
        let text = format!(
            "[{{\"directory\": \"{0}\", \"command\": \"nvcc -I{0}/inc -I{0}/build/gen -c a.cu\", \"file\": \"a.cu\"}}, {{\"directory\": \"{0}\", \"command\": \"cp a b\", \"file\": \"b\"}}]",
            src.display()
        );
        std::fs::write(root.join(NAME), text).unwrap();
        let renamed = [("a.cu".to_owned(), "a.hip".to_owned())]
            .into_iter()
            .collect();
        let found = by_database(&root, &out, &renamed).unwrap();
        assert_eq!(found.units.len(), 1);
        let unit = &found.units[0];
        assert_eq!(unit.file, out.join("a.hip"));
        let kept = format!("{}/build/gen", src.display());
        assert_eq!(
            unit.options,
            ["-I", &format!("{}/inc", out.display()), "-I", &kept]
        );
        assert_eq!(found.missing.len(), 2, "{:?}", found.missing);
    }
}
