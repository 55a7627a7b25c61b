//! The units of Makefiles: `make -n` prints the commands without running them.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::command::units;
use super::program::{Limits, run};
use super::unit::{Unit, Units, Way};
use crate::nvcc::absolute;
use crate::text::split_command;

/// A Makefile that needs longer than this to print its commands waits for something.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The units of some Makefiles.
///
/// # Errors
/// When no command of them compiles anything; the message says what make said.
pub(crate) fn by_make(
    makefiles: &[PathBuf],
    out: &Path,
    interrupted: &AtomicBool,
) -> Result<Units, String> {
    let (mut all, mut missing, mut said) = (Vec::new(), Vec::new(), None);
    for makefile in makefiles {
        let folder = makefile.parent().unwrap_or(out);
        let name = makefile.display().to_string();
        let words = ["make", "-n", "-B", "-k", "-w", "-f", &name].map(str::to_owned);
        let limits = Limits {
            timeout: TIMEOUT,
            interrupted,
        };
        // Messages of make are searched for words below.
        let environment = [("LC_ALL".into(), "C".into())];
        let ran = run(&words, folder, &environment, limits)?;
        let found = of_log(&ran.stdout, folder);
        let trouble = ran.stderr.lines().find(|line| line.contains("***"));
        if found.is_empty() {
            let why = trouble
                .or(ran.stderr.lines().next())
                .unwrap_or("it prints no command that compiles");
            said.get_or_insert_with(|| why.to_owned());
            missing.push(format!("{name}: make -n: {why}"));
        } else if let Some(why) = trouble {
            missing.push(format!("{name}: make -n: {why}"));
        }
        all.extend(found);
    }
    all.retain(|unit: &Unit| unit.file.starts_with(out));
    match said {
        Some(why) if all.is_empty() => Err(format!("make -n: {why}")),
        _ if all.is_empty() => {
            Err("make -n prints no command that compiles a file of the port".to_owned())
        }
        _ => Ok(Units::new(Way::Make(makefiles.len()), all, missing)),
    }
}

/// The units of what `make -n -w` printed.
fn of_log(log: &str, folder: &Path) -> Vec<Unit> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    for line in log.replace("\\\n", " ").lines() {
        if let Some((_, rest)) = line.split_once(": Entering directory ") {
            folders.push(PathBuf::from(rest.trim_matches(['\'', '`', '"'])));
        } else if line.contains(": Leaving directory ") {
            if folders.len() > 1 {
                folders.pop();
            }
        } else {
            let here = folders.last().map_or(folder, PathBuf::as_path);
            found.extend(of_line(line, here));
        }
    }
    found
}

/// The units of one line: commands behind each other, `cd` among them.
fn of_line(line: &str, folder: &Path) -> Vec<Unit> {
    let mut folder = folder.to_path_buf();
    let (mut found, mut command) = (Vec::new(), Vec::new());
    let words = split_command(line);
    let ends = words.iter().map(Some).chain([None]);
    for word in ends {
        let bare = word.map(|word| word.trim_start_matches('('));
        let is_end = bare.is_none_or(|word| matches!(word, "&&" | "||" | "|" | ";" | ")"));
        // `(cd x && c++ -c a.cpp);` ends a command and the shell around it.
        let closed = bare
            .map(|word| word.trim_end_matches([';', ')']))
            .filter(|word| Some(*word) != bare);
        if !is_end {
            let word = closed.or(bare).unwrap_or_default();
            // What the shell would put there is not known.
            if !word.is_empty() && !word.starts_with("$(") {
                command.push(word.to_owned());
            }
        }
        if is_end || closed.is_some() {
            match command.as_slice() {
                [cd, there, ..] if cd == "cd" => folder = absolute(&folder.join(there)),
                _ => found.extend(units(&command, &folder)),
            }
            command.clear();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_where_they_run() {
        let log = "make: Entering directory '/p'\nhipcc -Ia -c k.cu \\\n  -o k.o\nmake[1]: Entering directory '/p/sub dir'\n\
            (cd ../x && g++ -c \"b c.cpp\"); echo done\nmake[1]: Leaving directory '/p/sub dir'\ncc -c d.c; rm d.o\nhipcc k.o -o prog\n";
        let found = of_log(log, Path::new("/p"));
        let files: Vec<String> = found
            .iter()
            .map(|unit| unit.file.display().to_string())
            .collect();
        assert_eq!(files, ["/p/k.cu", "/p/x/b c.cpp", "/p/d.c"]);
        assert_eq!(found[0].options, ["-Ia"]);
    }
}
