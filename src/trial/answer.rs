//! What a command answers that is asked to mend a unit: whole files or edits of them, as JSON. Nothing of it is believed: paths, sizes and
//! places are looked at before anything is tried.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;

/// No source has more.
const MOST_BYTES: usize = 16 << 20;
/// What this program, and git, keep in a folder.
const RECORDS: [&str; 2] = [".cass", ".git"];

/// An answer. `{}` says that there is none.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answer {
    /// Files with their new texts.
    #[serde(default)]
    files: Vec<NewText>,
    /// Edits, made one after the other behind `files`.
    #[serde(default)]
    edits: Vec<Edit>,
    /// What was wrong, in a sentence; it is printed.
    #[serde(default)]
    pub(crate) why: String,
}

/// The new text of a file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewText {
    /// A file of the port, from its root, with `/`.
    path: String,
    text: String,
}

/// One replacement in a file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Edit {
    /// A file of the port, from its root, with `/`.
    path: String,
    /// What stands there now. It has to stand there once.
    old: String,
    /// What takes its place.
    new: String,
}

impl Answer {
    /// Reads an answer.
    ///
    /// # Errors
    /// When it is none; the message says why.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Err("it answers nothing".to_owned());
        }
        serde_json::from_str(text).map_err(|error| format!("its answer is none: {error}"))
    }

    /// The files that become others by it, with their texts. `now` gives what stands in a file.
    ///
    /// # Errors
    /// When it names a file that it may not, an edit does not fit, or nothing changes; the message says which.
    pub(crate) fn texts(
        &self,
        out: &Path,
        now: &dyn Fn(&Path) -> Result<Vec<u8>, String>,
    ) -> Result<BTreeMap<PathBuf, Vec<u8>>, String> {
        let mut texts = BTreeMap::<PathBuf, Vec<u8>>::new();
        for new in &self.files {
            let file = file_of(out, &new.path)?;
            let old = now(&file).map_err(|why| format!("{}: {why}", new.path))?;
            let text = replaced(&old, &new.text).map_err(|why| format!("{}: {why}", new.path))?;
            if texts.insert(file, text).is_some() {
                return Err(format!("{}: it gives this file twice", new.path));
            }
        }
        for edit in &self.edits {
            let file = file_of(out, &edit.path)?;
            let known = texts.get(&file).cloned().map_or_else(|| now(&file), Ok);
            let edited = known.and_then(|text| edited(&text, &edit.old, &edit.new));
            texts.insert(file, edited.map_err(|why| format!("{}: {why}", edit.path))?);
        }
        texts.retain(|file, text| now(file).ok().as_ref() != Some(text));
        match texts.is_empty() {
            true => Err("it changes nothing".to_owned()),
            false => Ok(texts),
        }
    }
}

/// The file of a port that a path means.
fn file_of(out: &Path, path: &str) -> Result<PathBuf, String> {
    let refused = |why: &str| Err(format!("{}: {why}", path.escape_debug()));
    let is_plain = !path.is_empty() && !path.contains(['\\', '\0']);
    let mut parts = Vec::new();
    for part in Path::new(path).components() {
        match part {
            Component::Normal(name) if is_plain => parts.push(name),
            Component::CurDir if is_plain => {}
            _ => return refused("is no path from the root of the port"),
        }
    }
    let is_of_records =
        |name: &&std::ffi::OsStr| RECORDS.iter().any(|it| name.eq_ignore_ascii_case(it));
    if parts.iter().any(is_of_records) {
        return refused("is no source: records of programs lie there");
    }
    let mut file = out.to_path_buf();
    for part in parts {
        file.push(part);
        match file.symlink_metadata() {
            Ok(item) if item.is_symlink() => return refused("a link is on its way"),
            Ok(_) => {}
            Err(_) => return refused("the port has no such file"),
        }
    }
    match file.is_file() {
        true => Ok(file),
        false => refused("is no file"),
    }
}

/// The new text of a file, with the line ends that the file has.
fn replaced(old: &[u8], new: &str) -> Result<Vec<u8>, String> {
    checked(new.as_bytes())?;
    if std::str::from_utf8(old).is_err() {
        return Err("it is no UTF-8, so only edits of it can be taken".to_owned());
    }
    Ok(match has_returns(old) && !new.contains('\r') {
        true => new.replace('\n', "\r\n").into_bytes(),
        false => new.as_bytes().to_vec(),
    })
}

/// A text with the one place that says `old` replaced.
fn edited(text: &[u8], old: &str, new: &str) -> Result<Vec<u8>, String> {
    let has_returns = has_returns(text) && !old.contains('\r') && !new.contains('\r');
    let own = |text: &str| match has_returns {
        true => text.replace('\n', "\r\n"),
        false => text.to_owned(),
    };
    let (old, new) = (own(old), own(new));
    let finder = memchr::memmem::Finder::new(&old);
    let mut places = finder.find_iter(text);
    let shown = || {
        old.lines()
            .next()
            .unwrap_or_default()
            .escape_debug()
            .to_string()
    };
    let at = match (old.is_empty(), places.next(), places.next()) {
        (true, ..) => return Err("an edit says nothing of its place: `old` is empty".to_owned()),
        (_, None, _) => return Err(format!("an edit fits nowhere: `{}` …", shown())),
        (_, _, Some(_)) => {
            return Err(format!("an edit fits more than one place: `{}` …", shown()));
        }
        (_, Some(at), None) => at,
    };
    let edited = [&text[..at], new.as_bytes(), &text[at + old.len()..]].concat();
    checked(&edited)?;
    Ok(edited)
}

fn has_returns(text: &[u8]) -> bool {
    let lines = || text.split_inclusive(|byte| *byte == b'\n');
    lines().next().is_some_and(|line| line.ends_with(b"\r\n"))
}

fn checked(text: &[u8]) -> Result<(), String> {
    if text.len() > MOST_BYTES {
        return Err(format!(
            "the new text has more than {} MiB",
            MOST_BYTES >> 20
        ));
    }
    match text.contains(&0) {
        true => Err("the new text is binary".to_owned()),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an answer makes of a port of three files and a link.
    fn texts(answer: &str) -> Result<Vec<(String, String)>, String> {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        std::fs::create_dir_all(out.join("src/.cass")).unwrap();
        std::fs::write(out.join("src/a.cu"), "int a;\nint b;\nint a;\n").unwrap();
        std::fs::write(out.join("src/r.cu"), "int r;\r\nint s;\r\n").unwrap();
        std::fs::write(out.join("src/latin.cu"), b"// \xe9\nint l;\n").unwrap();
        std::fs::write(out.join("src/.cass/x"), "").unwrap();
        std::fs::write(folder.path().join("outside.cu"), "").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("a.cu", out.join("src/link.cu")).unwrap();
        let now = |file: &Path| std::fs::read(file).map_err(|error| error.to_string());
        let texts = Answer::read(answer)?.texts(&out, &now)?;
        let shown = texts.into_iter().map(|(file, text)| {
            let name = file.strip_prefix(&out).unwrap().display().to_string();
            (name, String::from_utf8_lossy(&text).into_owned())
        });
        Ok(shown.collect())
    }

    #[test]
    fn texts_and_edits_are_made_in_their_order() {
        let both = r#"{"files":[{"path":"src/a.cu","text":"int c;\n"}],"edits":[{"path":"src/a.cu","old":"int c","new":"long c"}],"why":"x"}"#;
        let expected = vec![("src/a.cu".to_owned(), "long c;\n".to_owned())];
        assert_eq!(texts(both), Ok(expected));
        // Lines keep their ends.
        let ends = r#"{"edits":[{"path":"src/r.cu","old":"r;\nint","new":"r;\n\nlong"}]}"#;
        let expected = vec![(
            "src/r.cu".to_owned(),
            "int r;\r\n\r\nlong s;\r\n".to_owned(),
        )];
        assert_eq!(texts(ends), Ok(expected));
        let whole = r#"{"files":[{"path":"src/r.cu","text":"int r;\n"}]}"#;
        assert_eq!(
            texts(whole),
            Ok(vec![("src/r.cu".to_owned(), "int r;\r\n".to_owned())])
        );
        // Bytes outside of an edit stay, whatever they are.
        let latin = r#"{"edits":[{"path":"src/latin.cu","old":"int l","new":"int m"}]}"#;
        assert!(texts(latin).is_ok());
    }

    #[test]
    fn what_an_answer_may_not_is_named() {
        let file = |path: &str| format!(r#"{{"files":[{{"path":"{path}","text":"x"}}]}}"#);
        let edit =
            |old: &str| format!(r#"{{"edits":[{{"path":"src/a.cu","old":"{old}","new":"x"}}]}}"#);
        for (answer, expected) in [
            (String::new(), "it answers nothing"),
            ("Sure! Here is".to_owned(), "its answer is none"),
            (r#"{"file": []}"#.to_owned(), "unknown field `file`"),
            ("{}".to_owned(), "it changes nothing"),
            (
                file("../outside.cu"),
                "is no path from the root of the port",
            ),
            (file("/etc/passwd"), "is no path from the root of the port"),
            (
                file("src/../src/a.cu"),
                "is no path from the root of the port",
            ),
            (file(""), "is no file"),
            (file("src"), "is no file"),
            (file("src/new.cu"), "the port has no such file"),
            (file("src/.cass/x"), "records of programs"),
            (file("src/.CASS/x"), "records of programs"),
            (file("src/latin.cu"), "only edits of it"),
            (
                r#"{"files":[{"path":"src/a.cu","text":"x\u0000"}]}"#.to_owned(),
                "is binary",
            ),
            (edit("int z"), "fits nowhere: `int z`"),
            (edit("int a"), "more than one place"),
            (edit(""), "`old` is empty"),
        ] {
            let told = texts(&answer).unwrap_err();
            assert!(told.contains(expected), "{answer}: {told}");
        }
        let huge =
            file("src/a.cu").replace("\"x\"", &format!("\"{}\"", "x".repeat(MOST_BYTES + 1)));
        assert!(texts(&huge).unwrap_err().contains("more than 16 MiB"));
        if cfg!(unix) {
            assert!(
                texts(&file("src/link.cu"))
                    .unwrap_err()
                    .contains("a link is on its way")
            );
        }
    }
}
