//! A program is made.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::outcome::Stage;
use super::program::{Program, Recipe, join};
use super::toolchain::Toolchain;
use super::translator::files;
use crate::symptom::{Level, messages};
use crate::trial::{Limits, Reached, reached, run};
use crate::verify::End;

/// What was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Made {
    /// A program.
    Program,
    /// Objects, and why no more.
    Objects(&'static str),
    /// Nothing: the stage that failed, and why.
    Failed(Stage, String),
    /// A person ended it.
    Interrupted,
}

/// What linkers say, as far as no compiler says it.
const OF_LINKERS: [&str; 8] = [
    "undefined reference",
    "undefined symbol",
    "undefined hidden symbol",
    "unable to find library",
    "cannot find -l",
    "duplicate symbol",
    "multiple definition",
    "linker command failed",
];
/// Said where there is no runtime.
const NO_RUNTIME: &str = "there is no library of HIP's runtime to link with";
/// Said of sources without a program.
const NO_MAIN: &str = "it has no `main`";

/// What the sources of programs come to by their includes in a tree, where no build says it: its compiler needs the folders.
///
/// # Errors
/// When the tree cannot be read.
pub(crate) fn includes(
    programs: &[Program],
    root: &Path,
    tools: &Toolchain,
) -> Result<BTreeMap<String, Reached>, String> {
    let recipes = programs
        .iter()
        .flat_map(|program| [Some(&program.build), program.twin.as_ref()])
        .flatten();
    let sources: BTreeSet<String> = recipes.flat_map(Recipe::sources).collect();
    if sources.is_empty() {
        return Ok(BTreeMap::new());
    }
    let foreign = [tools.include().to_path_buf(), PathBuf::from("/usr/include")];
    Ok(reached(root, &files(root)?, &foreign, sources.iter()))
}

/// Makes a program in a tree, whose sources come to this by their includes.
///
/// # Errors
/// When a compiler or make cannot be started.
pub(super) fn build(
    recipe: &Recipe,
    (root, includes): (&Path, &BTreeMap<String, Reached>),
    tools: &Toolchain,
    limits: Limits<'_>,
) -> Result<Made, String> {
    let folder = root.join(recipe.folder());
    let (words, made) = command(recipe, (root, includes), tools);
    let ran = run(&words, &folder, tools.environment(), limits)?;
    Ok(match ran.end {
        End::Exit(0) => made,
        End::Interrupted => Made::Interrupted,
        End::Exit(code) => {
            let (stage, why) = failure(&format!("{}{}", ran.stderr, ran.stdout), code);
            match stage {
                Stage::Linked if !tools.can_link() => Made::Objects(NO_RUNTIME),
                _ => Made::Failed(stage, why),
            }
        }
        other => Made::Failed(Stage::Compiled, other.text()),
    })
}

/// The command that makes it, and what it makes where it ends well.
fn command(
    recipe: &Recipe,
    (root, includes): (&Path, &BTreeMap<String, Reached>),
    tools: &Toolchain,
) -> (Vec<String>, Made) {
    match recipe {
        Recipe::Make { makefile, .. } => {
            // What a build does not set itself is asked of the environment.
            let words = ["make", "-f", makefile].map(str::to_owned).to_vec();
            (words, Made::Program)
        }
        Recipe::Sources {
            sources, has_main, ..
        } => {
            let mut words = vec![tools.hipcc(), "-O2".to_owned()];
            // The helper header lies there.
            words.push(format!("-I{}", root.display()));
            let known = |source: &String| includes.get(&join(recipe.folder(), source));
            let mut needed: Vec<&String> = Vec::new();
            for folder in sources.iter().filter_map(known).flat_map(|it| &it.folders) {
                if !folder.is_empty() && !needed.contains(&folder) {
                    needed.push(folder);
                }
            }
            let needed = needed.into_iter();
            words.extend(needed.map(|folder| format!("-I{}", root.join(folder).display())));
            let made = match (has_main, tools.can_link()) {
                (true, true) => Made::Program,
                (false, _) => Made::Objects(NO_MAIN),
                (_, false) => Made::Objects(NO_RUNTIME),
            };
            match recipe.output().filter(|_| made == Made::Program) {
                Some(output) => words.extend(["-o".to_owned(), output]),
                None => words.push("-c".to_owned()),
            }
            // What another source includes is compiled with that one.
            let is_part = |source: &&String| {
                let path = join(recipe.folder(), source);
                let mut others = sources.iter().filter(|other| other != source);
                others.any(|other| known(other).is_some_and(|it| it.files.contains(&path)))
            };
            words.extend(sources.iter().filter(|source| !is_part(source)).cloned());
            (words, made)
        }
    }
}

/// The stage at which a build ended, and the first error.
fn failure(log: &str, code: i32) -> (Stage, String) {
    let all = messages(log).into_iter();
    let first = all
        .filter(|message| message.level >= Level::Error)
        .map(|message| message.text)
        .next();
    let last = || {
        let lines = log.lines().map(str::trim);
        let said = lines.rev().find(|line| !line.is_empty());
        format!("exit code {code}: {}", said.unwrap_or("it says nothing"))
    };
    // GNU's linker says what it lacks in lines that are no errors of a compiler.
    let of_linker = || {
        let is_it = |line: &&str| OF_LINKERS.iter().any(|words| line.contains(words));
        let line = log.lines().find(is_it)?;
        let said = line.rsplit_once("ld: ").map_or(line, |(_, said)| said);
        Some(said.trim().to_owned())
    };
    let why = match first {
        Some(why) if why.starts_with("linker command failed") => of_linker().unwrap_or(why),
        first => first.or_else(of_linker).unwrap_or_else(last),
    };
    let is_link = OF_LINKERS.iter().any(|words| why.contains(words));
    match is_link {
        true => (Stage::Linked, why),
        false => (Stage::Compiled, why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_tells_the_stage() {
        let cases = [
            (
                "a.cu:3:5: error: no member named 'x'\nmake: *** [Makefile:3: all] Error 1\n",
                (Stage::Compiled, "no member named 'x'"),
            ),
            (
                "ld.lld: error: undefined symbol: cudaFree\nclang++: error: linker command failed with exit code 1\n",
                (Stage::Linked, "undefined symbol: cudaFree"),
            ),
            (
                "/usr/bin/ld: cannot find -lhipfft: No such file\nclang++: error: linker command failed with exit code 1 (use -v to see invocation)\n",
                (Stage::Linked, "cannot find -lhipfft"),
            ),
            (
                "make: *** No rule to make target 'x'.  Stop.\n",
                (Stage::Compiled, "exit code 2: make: *** No rule"),
            ),
        ];
        for (log, (stage, why)) in cases {
            let found = failure(log, 2);
            assert_eq!(found.0, stage, "{log}");
            assert!(found.1.contains(why), "{found:?}");
        }
    }
}
