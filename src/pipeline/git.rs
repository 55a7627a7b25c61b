//! The one place where git runs. The repository may be a stranger's, and its configuration can name programs: none of them is started.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

/// Settings that keep git from starting what a repository names: file monitors, hooks, and repositories without a work tree that a
/// clone brings along as plain files.
const SAFE: &[(&str, &str)] = &[
    ("safe.bareRepository", "explicit"),
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.pager", "cat"),
];

/// Runs git in a folder and returns what it prints.
///
/// # Errors
/// When git is missing or says that something failed.
pub(super) fn git(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    // Filters (`filter.lfs.clean`) run when a file's content is compared; a file counts as what its bytes are instead.
    let filters = output(folder, &FILTERS, &[]).unwrap_or_default();
    let off = |name: &[u8]| {
        let name = text_of(name);
        let value = if name
            .to_string_lossy()
            .to_ascii_lowercase()
            .ends_with(".required")
        {
            "false"
        } else {
            ""
        };
        (name, value)
    };
    let settings: Vec<(OsString, &str)> = names(&filters).map(off).collect();
    output(folder, arguments, &settings)
}

const FILTERS: [&str; 5] = [
    "config",
    "-z",
    "--name-only",
    "--get-regexp",
    r"^filter\..*\.(clean|smudge|process|required)$",
];

fn output(folder: &Path, arguments: &[&str], settings: &[(OsString, &str)]) -> Result<Vec<u8>> {
    let mut command = Command::new("git");
    for (key, value) in SAFE {
        command.arg("-c").arg(format!("{key}={value}"));
    }
    // Names of filters may hold a `=`, which `-c` would cut at.
    command.env("GIT_CONFIG_COUNT", settings.len().to_string());
    for (number, (key, value)) in settings.iter().enumerate() {
        command
            .env(format!("GIT_CONFIG_KEY_{number}"), key)
            .env(format!("GIT_CONFIG_VALUE_{number}"), value);
    }
    let output = command
        // What a partial clone lacks would be fetched, by programs that its configuration names.
        .env("GIT_NO_LAZY_FETCH", "1")
        // Nothing is written, the index neither.
        .env("GIT_OPTIONAL_LOCKS", "0")
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .output()
        .context("git cannot be started; --changed and --since need it")?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        match text.trim() {
            "" => bail!("git {} failed", arguments[0]),
            said => bail!("git {}: {said}", arguments[0]),
        }
    }
    Ok(output.stdout)
}

/// The items of a list that `-z` asked for.
pub(super) fn names(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    list.split(|&byte| byte == 0)
        .filter(|name| !name.is_empty())
}

/// The path that git wrote, without the line end behind a lone one.
pub(super) fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(text_of(bytes.strip_suffix(b"\n").unwrap_or(bytes)))
}

#[cfg(unix)]
fn text_of(bytes: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStrExt as _;
    std::ffi::OsStr::from_bytes(bytes).to_os_string()
}

#[cfg(not(unix))]
fn text_of(bytes: &[u8]) -> OsString {
    OsString::from(String::from_utf8_lossy(bytes).into_owned())
}
