use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};

use super::Config;
use super::text::{must_be_file, must_lie_below, read_text};
use crate::text::{LineIndex, nearest};

/// Overrides that are read. Each is asked for every file of the tree.
const MOST_OVERRIDES: usize = 1000;

/// Name of the file that is looked for.
pub(crate) const FILE_NAME: &str = "cass.toml";

/// A configuration file and what it says.
#[derive(Clone, Debug)]
pub struct Found {
    /// Where it lies, resolved.
    pub path: PathBuf,
    /// What it says; paths in it are resolved against its folder.
    pub config: Config,
}

impl Found {
    /// The folder that its globs are relative to.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }
}

/// The nearest `cass.toml` at or above a file or folder.
///
/// # Errors
/// When there is one and it cannot be read.
pub fn find(start: &Path) -> Result<Option<Found>> {
    let start = if start.as_os_str().is_empty() {
        Path::new(".")
    } else {
        start
    };
    // A path that does not exist is reported by who reads it.
    let Ok(resolved) = start.canonicalize() else {
        return Ok(None);
    };
    let found = resolved
        .ancestors()
        .map(|folder| folder.join(FILE_NAME))
        .find(|path| path.is_file());
    if let Some(path) = &found {
        refuse_others(path, &resolved)?;
    }
    found.map(|path| read(&path)).transpose()
}

/// Reads a configuration that lies in a tree, as [`find`] would have found it.
///
/// # Errors
/// When it is somebody else's, or is not what it should be.
pub(crate) fn read_owned(path: &Path) -> Result<Found> {
    refuse_others(path, path.parent().unwrap_or(path))?;
    read(path)
}

fn refuse_others(path: &Path, start: &Path) -> Result<()> {
    if !may_decide(path, start) {
        bail!(
            "{}: belongs to another user; use it with --config, or pass over it with --isolated",
            path.display()
        );
    }
    Ok(())
}

/// Reads one setting, `translate.warp="native"`; a value that is no TOML is a string.
///
/// # Errors
/// When the key is unknown or the value is not one of its.
pub fn inline(text: &str) -> Result<Config> {
    let name = Path::new("--config");
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    let quoted = || format!("{key}={}", toml::Value::String(value.trim().to_owned()));
    let text = match toml::from_str::<toml::Table>(text) {
        Ok(_) => text.to_owned(),
        Err(_) => quoted(),
    };
    parse(name, &text)
}

/// Whether a configuration belongs to root, to who runs the program, or to the owner of the tree: in `/tmp` anybody can leave one.
#[cfg(unix)]
fn may_decide(path: &Path, start: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let owner = |path: &Path| std::fs::metadata(path).ok().map(|data| data.uid());
    let Some(owner_of_file) = owner(path) else {
        return true;
    };
    // Linux shows every process as a folder of its owner.
    [Some(0), owner(start), owner(Path::new("/proc/self"))].contains(&Some(owner_of_file))
}

#[cfg(not(unix))]
fn may_decide(_: &Path, _: &Path) -> bool {
    true
}

/// Reads a configuration file.
///
/// # Errors
/// When it is not there, or is not what it should be: the message gives the place and offers the key that was meant.
pub fn read(path: &Path) -> Result<Found> {
    must_be_file(path)?;
    let text = read_text(path)
        .with_context(|| format!("{}: cannot be read as a configuration", path.display()))?;
    let mut config = parse(path, &text)?;
    let path = path.canonicalize()?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let resolve = |path: &mut PathBuf| *path = folder.join(&path);
    config
        .translate
        .mappings
        .iter_mut()
        .flatten()
        .for_each(resolve);
    config.check.baseline.iter_mut().for_each(resolve);
    let database = &mut config.files.compile_commands;
    database.iter_mut().for_each(resolve);
    for table in config.translate.mappings.iter().flatten() {
        must_be_file(table)?;
    }
    if let Some(baseline) = &config.check.baseline {
        must_be_file(baseline)?;
        must_lie_below(folder, baseline)?;
    }
    if config.overrides.len() > MOST_OVERRIDES {
        bail!(
            "{}: has {} overrides; {MOST_OVERRIDES} are enough for everybody, globs take several paths each",
            path.display(),
            config.overrides.len()
        );
    }
    Ok(Found { path, config })
}

/// The settings that a text says; `name` is what errors call it.
///
/// # Errors
/// When it is no TOML, or a key or value is none that there is: the message gives the place and offers the key that was meant.
pub(crate) fn parse(name: &Path, text: &str) -> Result<Config> {
    let config: Config =
        toml::from_str(text).map_err(|error| anyhow!(explained(name, text, &error)))?;
    validate(&config, name)?;
    Ok(config)
}

/// Refuses values and rules that do not exist.
fn validate(config: &Config, path: &Path) -> Result<()> {
    config
        .translate
        .options()
        .map(drop)
        .and_then(|()| config.estimate.weights().map(drop))
        .and_then(|()| config.rules.validate())
        .and_then(|()| {
            config
                .overrides
                .iter()
                .try_for_each(|over| over.choice().validate())
        })
        .map_err(|message| anyhow!("{}: {message}", path.display()))
}

/// The error of the reader, with place and proposal: `cass.toml:3:1: unknown key `lanch`; did you mean `launch`?`
fn explained(path: &Path, text: &str, error: &toml::de::Error) -> String {
    let place = error.span().map_or_else(String::new, |span| {
        let at = LineIndex::new(text.as_bytes()).line_col(span.start as u32);
        format!(":{}:{}", at.line, at.column)
    });
    let message = error.message();
    let unknown = message
        .strip_prefix("unknown field `")
        .and_then(|rest| rest.split_once('`'));
    let message = match unknown {
        Some((key, rest)) => {
            let known: Vec<&str> = rest.split('`').skip(1).step_by(2).collect();
            let hint = nearest(key, known.iter().copied()).map_or_else(
                || format!("known here: {}", known.join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            format!("unknown key `{key}`; {hint}")
        }
        None => message.replace('\n', " "),
    };
    format!("{}{place}: {message}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(FILE_NAME);
        std::fs::write(&path, text).expect("writable");
        let error = read(&path).expect_err("it is wrong");
        format!("{error:#}")
            .replace(
                &folder
                    .path()
                    .canonicalize()
                    .expect("it is there")
                    .display()
                    .to_string(),
                "",
            )
            .replace(&folder.path().display().to_string(), "")
    }

    #[test]
    fn mistakes_are_named_with_place_and_proposal() {
        assert_eq!(
            message("[translate]\nlanch = \"keep\"\n"),
            "/cass.toml:2:1: unknown key `lanch`; did you mean `launch`?"
        );
        assert!(message("[checks]\n").contains("did you mean `check`?"));
        assert!(
            message("[files]\nskipped = 1\n").contains("known here: include, exclude, no-ignore")
        );
        assert!(message("[translate]\nwarp = \"big\"\n").contains(":2:8: unknown variant `big`"));
        assert!(message("[translate]\nrocm = \"six\"\n").contains("`six` is not a version"));
        assert!(
            message("[estimate]\nerror = { first = [5, 1], again = [1, 1] }\n")
                .contains("`[5, 1]` in `estimate` ends before it begins")
        );
        assert!(message("[estimate]\nerrors = 1\n").contains("did you mean `error`?"));
        assert!(message("[rules]\nselect = [\"wrap\"]\n").contains("did you mean `warp`?"));
        assert!(message("x = ").contains("/cass.toml:1:"));
    }

    #[test]
    fn the_nearest_file_above_is_found_and_its_paths_are_its_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let deep = folder.path().join("a/b");
        std::fs::create_dir_all(&deep).expect("folders");
        std::fs::write(
            folder.path().join(FILE_NAME),
            "[translate]\nmappings = [\"own.toml\"]\n",
        )
        .expect("writable");
        let found = find(&deep).expect("it is good").expect("it is there");
        let root = folder.path().canonicalize().expect("it is there");
        assert_eq!(found.folder(), root);
        assert_eq!(
            found.config.translate.mappings,
            Some(vec![root.join("own.toml")])
        );
        std::fs::write(folder.path().join("a").join(FILE_NAME), "").expect("writable");
        assert_eq!(
            find(&deep).expect("good").expect("there").folder(),
            root.join("a")
        );
    }

    #[test]
    fn the_command_line_goes_over_the_file() {
        let file: Config = toml::from_str(
            "[translate]\nwarp = \"native\"\nrocm = \"7.0\"\n[files]\nexclude = [\"a\"]\n",
        )
        .expect("good");
        let line: Config =
            toml::from_str("[translate]\nrocm = \"6.2\"\n[files]\nexclude = [\"b\"]\n")
                .expect("good");
        let both = Config::defaults().with(file).with(line);
        let options = both.translate.options().expect("valid");
        assert_eq!(options.rocm.to_string(), "6.2");
        assert_eq!(options.warp, crate::options::WarpMode::Native);
        assert_eq!(
            both.files.exclude,
            Some(vec!["a".to_owned(), "b".to_owned()])
        );
    }
}
