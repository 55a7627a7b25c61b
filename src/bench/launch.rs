//! What to run of what was made: the words of the `run` target, or the one program that lies there.

use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use super::program::Recipe;
use super::toolchain::Toolchain;
use crate::text::split_command;
use crate::trial::{Limits, run};

/// `make -n` answers at once.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Scripts that trees of benchmarks have in place of a target.
const SCRIPTS: [&str; 2] = ["run", "run.sh"];
/// Folders below that of a program in which Makefiles put it.
const DEEPEST: usize = 2;

/// The words to run in a folder: those that are wanted, at the program that is there.
pub(super) fn words(
    recipe: &Recipe,
    root: &Path,
    wanted: Option<&[String]>,
    tools: &Toolchain,
    limits: Limits<'_>,
) -> Option<Vec<String>> {
    let folder = root.join(recipe.folder());
    let is_there = |word: &String| word.contains('/') && folder.join(word).is_file();
    if let Some(wanted) = wanted.filter(|words| words.first().is_some_and(is_there)) {
        return Some(wanted.to_vec());
    }
    let names_program =
        |words: &&[String]| words.first().is_some_and(|word| word.starts_with("./"));
    let own = || match recipe {
        Recipe::Make { makefile, .. } => target(&folder, makefile, tools, limits),
        Recipe::Sources { .. } => Some(vec![format!("./{}", recipe.output()?)]),
    };
    let lone = || Some(vec![format!("./{}", lone_program(&folder)?)]);
    let mut found = own()
        .filter(|words| words.first().is_some_and(is_there))
        .or_else(lone)?;
    match wanted {
        // A path that another build has: its arguments count.
        Some(words) if names_program(&words) => {
            found.truncate(1);
            found.extend_from_slice(&words[1..]);
        }
        Some(words) => {
            found.truncate(1);
            found.extend_from_slice(words);
        }
        None => {}
    }
    Some(found)
}

/// The command of a Makefile's `run` target, or of a script.
fn target(
    folder: &Path,
    makefile: &str,
    tools: &Toolchain,
    limits: Limits<'_>,
) -> Option<Vec<String>> {
    let words = ["make", "-n", "-f", makefile, "run"].map(str::to_owned);
    let limits = Limits {
        timeout: TIMEOUT,
        ..limits
    };
    let said = run(&words, folder, tools.environment(), limits).ok();
    let text = said.map(|ran| ran.stdout).unwrap_or_default();
    let scripts = SCRIPTS.map(|name| std::fs::read_to_string(folder.join(name)));
    let texts = [text].into_iter().chain(scripts.into_iter().flatten());
    let mut commands = texts.flat_map(|text| commands(&text));
    commands.next()
}

/// The commands of a text that begin with a program of the folder.
fn commands(text: &str) -> Vec<Vec<String>> {
    let of_line = |line: &str| {
        let words = split_command(line);
        let at = words.iter().position(|word| word.starts_with("./"))?;
        let is_end = |word: &String| {
            matches!(word.as_str(), "&&" | "||" | "|" | ";" | "&") || word.starts_with(['>', '<'])
        };
        let own = words[at..].iter().take_while(|word| !is_end(word));
        Some(
            own.map(|word| word.trim_end_matches(';').to_owned())
                .collect(),
        )
    };
    text.replace("\\\n", " ")
        .lines()
        .filter_map(of_line)
        .collect()
}

/// The only program in a folder or below it.
fn lone_program(folder: &Path) -> Option<String> {
    let mut found = Vec::new();
    programs(folder, "", 0, &mut found);
    match found.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    }
}

fn programs(folder: &Path, prefix: &str, depth: usize, found: &mut Vec<String>) {
    let mut names: Vec<_> = folder.read_dir().into_iter().flatten().flatten().collect();
    names.sort_by_key(std::fs::DirEntry::file_name);
    for item in names {
        let (path, name) = (item.path(), item.file_name().to_string_lossy().into_owned());
        let below = format!("{prefix}{name}");
        if path.is_dir() && depth < DEEPEST {
            programs(&path, &format!("{below}/"), depth + 1, found);
        } else if is_program(&path) && !name.contains(".so") && !name.ends_with(".o") {
            found.push(below);
        }
    }
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    let is_run = path
        .metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0);
    let mut magic = [0; 4];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    is_run && read.is_ok() && magic == *b"\x7fELF"
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "exe")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_behind_launchers_and_before_redirections_is_taken() {
        let cases = [
            (
                "hipcc -o main\n./main 1 'a b'\n",
                vec!["./main", "1", "a b"],
            ),
            (
                "LD=1 srun ./x -n \\\n 2 > out; echo\n",
                vec!["./x", "-n", "2"],
            ),
            (
                "#!/bin/sh\n./bfs ../data.txt;\n",
                vec!["./bfs", "../data.txt"],
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(commands(text)[0], expected, "{text}");
        }
        assert!(commands("make: nothing\n").is_empty());
    }
}
