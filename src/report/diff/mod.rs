//! Unified diffs that `patch` and `git apply` take, whatever the encoding of the files.

mod changes;
mod lines;

use similar::udiff::UnifiedHunkHeader;
use similar::{DiffOp, DiffTag, group_diff_ops};

use self::lines::Lines;
use crate::edit::EditSet;
use crate::report::escape::terminal;

/// One file before and after, for a patch.
#[derive(Clone, Debug, Default)]
pub(crate) struct FilePatch {
    /// Path and bytes before; `None` when the file is new.
    pub old: Option<(Vec<u8>, Vec<u8>)>,
    /// Path after.
    pub path: Vec<u8>,
    /// Bytes after; of a link, what it points at.
    pub bytes: Vec<u8>,
    /// Mode of a new file, as git writes it.
    pub mode: Mode,
    /// What leads from the bytes before to those after, where that is known.
    pub edits: Option<EditSet>,
    /// The file goes; `bytes` is empty then.
    pub is_deleted: bool,
}

/// What a new file is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// A file.
    #[default]
    File,
    /// A file that can be started.
    Executable,
    /// A symbolic link.
    Link,
}

/// How much of a file a patch changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Path after, for people.
    pub path: String,
    /// Lines that come.
    pub added: usize,
    /// Lines that go.
    pub removed: usize,
}

impl FilePatch {
    /// Whether there is anything to say.
    pub(crate) fn is_empty(&self) -> bool {
        !self.is_deleted
            && matches!(&self.old, Some((path, bytes)) if *path == self.path && *bytes == self.bytes)
    }

    /// Whether a side is no text, so that lines mean nothing.
    pub(crate) fn is_binary(&self) -> bool {
        let before = self
            .old
            .as_ref()
            .is_some_and(|(_, bytes)| bytes.contains(&0));
        before || self.bytes.contains(&0)
    }

    /// The patch in git's format, with the lines that come and go counted; renames and new files are said to be so.
    pub(crate) fn render(&self) -> (Vec<u8>, Change) {
        let old_path = self.old.as_ref().map_or(&self.path, |(path, _)| path);
        let old_bytes = self.old.as_ref().map_or(&b""[..], |(_, bytes)| bytes);
        let (a, b) = (quoted(b"a/", old_path), quoted(b"b/", &self.path));
        let mut text = [b"diff --git ", &a[..], b" ", &b, b"\n"].concat();
        if self.old.is_none() {
            text.extend_from_slice(format!("new file mode {}\n", self.mode.octal()).as_bytes());
        } else if self.is_deleted {
            text.extend_from_slice(format!("deleted file mode {}\n", self.mode.octal()).as_bytes());
        } else if *old_path != self.path {
            let share = similarity(old_bytes, &self.bytes);
            text.extend_from_slice(format!("similarity index {share}%\n").as_bytes());
            text.extend(
                [
                    b"rename from ",
                    &quoted(b"", old_path)[..],
                    b"\nrename to ",
                    &quoted(b"", &self.path),
                    b"\n",
                ]
                .concat(),
            );
        }
        let (hunks, added, removed) = hunks(old_bytes, &self.bytes, self.edits.as_ref());
        if !hunks.is_empty() {
            let a = if self.old.is_none() {
                b"/dev/null".to_vec()
            } else {
                ended(a)
            };
            let b = if self.is_deleted {
                b"/dev/null".to_vec()
            } else {
                ended(b)
            };
            text.extend([b"--- ", &a[..], b"\n+++ ", &b, b"\n"].concat());
            text.extend(hunks);
        }
        let path = String::from_utf8_lossy(&self.path).into_owned();
        (
            text,
            Change {
                path,
                added,
                removed,
            },
        )
    }
}

impl Mode {
    fn octal(self) -> &'static str {
        match self {
            Self::File => "100644",
            Self::Executable => "100755",
            Self::Link => "120000",
        }
    }
}

/// Unified diff of one file with three lines of context; empty when nothing differs. Paths get the prefixes `a/` and `b/`.
pub fn unified(old_path: &str, new_path: &str, old: &[u8], new: &[u8]) -> Vec<u8> {
    let (hunks, ..) = hunks(old, new, None);
    if hunks.is_empty() {
        return hunks;
    }
    let (a, b) = (
        quoted(b"a/", old_path.as_bytes()),
        quoted(b"b/", new_path.as_bytes()),
    );
    [b"--- ", &ended(a)[..], b"\n+++ ", &ended(b), b"\n", &hunks].concat()
}

/// The lines of `old`, counted from 0, that `new` has as they were.
pub(crate) fn unchanged_lines(old: &[u8], new: &[u8]) -> Vec<std::ops::Range<usize>> {
    let (old, new) = (Lines::new(old), Lines::new(new));
    let ops = changes::of_texts(&old, &new);
    let equal = ops.iter().filter(|op| op.tag() == DiffTag::Equal);
    equal.map(DiffOp::old_range).collect()
}

/// The counts of a patch as git's `--stat` shows them.
pub fn stat(changes: &[Change]) -> String {
    let width = changes
        .iter()
        .map(|change| change.path.chars().count())
        .max()
        .unwrap_or(0);
    let most = changes
        .iter()
        .map(|change| change.added + change.removed)
        .max()
        .unwrap_or(0);
    let digits = most.to_string().len();
    // Forty signs for the file with most lines leave room for the names on a screen of eighty columns.
    let scaled = |count: usize| {
        if most <= 40 {
            count
        } else {
            (count * 40).div_ceil(most)
        }
    };
    let mut text = String::new();
    for Change {
        path,
        added,
        removed,
    } in changes
    {
        let pad = " ".repeat(width - path.chars().count());
        let signs = "+".repeat(scaled(*added)) + &"-".repeat(scaled(*removed));
        text.push_str(&format!(
            " {path}{pad} | {:>digits$} {signs}\n",
            added + removed
        ));
    }
    let sum = |of: fn(&Change) -> usize| changes.iter().map(of).sum::<usize>();
    let files = if changes.len() == 1 { "file" } else { "files" };
    text + &format!(
        " {} {files} changed, {} insertions(+), {} deletions(-)\n",
        changes.len(),
        sum(|change| change.added),
        sum(|change| change.removed)
    )
}

/// A patch with the colours that git gives it.
pub fn coloured(patch: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(patch.len() * 2);
    let mut in_hunk = false;
    for line in patch.split_inclusive(|&byte| byte == b'\n') {
        in_hunk = (in_hunk || line.starts_with(b"@@")) && !line.starts_with(b"diff --git ");
        let code: &[u8] = match line[0] {
            b'@' => b"\x1b[36m",
            b'+' if in_hunk => b"\x1b[32m",
            b'-' if in_hunk => b"\x1b[31m",
            _ if !in_hunk => b"\x1b[1m",
            _ => b"",
        };
        let end = line.len() - usize::from(line.ends_with(b"\n"));
        text.extend_from_slice(code);
        text.extend_from_slice(&line[..end]);
        if !code.is_empty() {
            text.extend_from_slice(b"\x1b[0m");
        }
        text.extend_from_slice(&line[end..]);
    }
    text
}

/// A patch as a terminal may show it: control characters of the sources become their pictures, tabs and line ends aside. What goes
/// into a pipe keeps its bytes, so that it applies.
pub(crate) fn printable(patch: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(patch.len());
    for chunk in patch.utf8_chunks() {
        let mut characters = chunk.valid().chars().peekable();
        while let Some(c) = characters.next() {
            let ends_line = c == '\n' || c == '\r' && characters.peek() == Some(&'\n');
            let shown = if ends_line || c == '\t' {
                c
            } else {
                terminal(c)
            };
            text.extend_from_slice(shown.encode_utf8(&mut [0; 4]).as_bytes());
        }
        if !chunk.invalid().is_empty() {
            text.extend_from_slice("\u{fffd}".as_bytes());
        }
    }
    text
}

/// The hunks, and how many lines they add and remove.
fn hunks(old: &[u8], new: &[u8], edits: Option<&EditSet>) -> (Vec<u8>, usize, usize) {
    if old == new {
        return (Vec::new(), 0, 0);
    }
    let (old, new) = (Lines::new(old), Lines::new(new));
    let ops = match edits {
        Some(edits) => changes::of_edits(&old, &new, edits),
        None => changes::of_texts(&old, &new),
    };
    let count = |tag: DiffTag, of: fn(&DiffOp) -> usize| -> usize {
        let changed = ops
            .iter()
            .filter(|op| op.tag() != tag && op.tag() != DiffTag::Equal);
        changed.map(of).sum()
    };
    let added = count(DiffTag::Delete, |op| op.new_range().len());
    let removed = count(DiffTag::Insert, |op| op.old_range().len());
    let mut text = Vec::new();
    for hunk in group_diff_ops(ops, 3) {
        text.extend_from_slice(format!("{}\n", UnifiedHunkHeader::new(&hunk)).as_bytes());
        for op in &hunk {
            let is_equal = op.tag() == DiffTag::Equal;
            let sign = if is_equal { b' ' } else { b'-' };
            op.old_range()
                .for_each(|line| write_line(sign, old.get(line), &mut text));
            if !is_equal {
                op.new_range()
                    .for_each(|line| write_line(b'+', new.get(line), &mut text));
            }
        }
    }
    (text, added, removed)
}

fn write_line(sign: u8, line: &[u8], text: &mut Vec<u8>) {
    text.push(sign);
    text.extend_from_slice(line);
    if !line.ends_with(b"\n") {
        text.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
}

/// Share of bytes in lines that both have, in percent: what git prints of a rename. 100 only when nothing differs.
fn similarity(old: &[u8], new: &[u8]) -> usize {
    if old == new {
        return 100;
    }
    let lines: std::collections::BTreeSet<&[u8]> =
        old.split_inclusive(|&byte| byte == b'\n').collect();
    let kept: usize = new
        .split_inclusive(|&byte| byte == b'\n')
        .filter(|line| lines.contains(line))
        .map(<[u8]>::len)
        .sum();
    (kept * 100 / old.len().max(new.len()).max(1)).min(99)
}

/// Git quotes paths that hold control characters, quotes, backslashes or bytes that are not UTF-8, as in a C string.
fn quoted(prefix: &[u8], path: &[u8]) -> Vec<u8> {
    let plain = |byte: &u8| !byte.is_ascii_control() && !matches!(byte, b'"' | b'\\');
    if path.iter().all(plain) && std::str::from_utf8(path).is_ok() {
        return [prefix, path].concat();
    }
    let mut text = [b"\"", prefix].concat();
    for &byte in path {
        match byte {
            b'"' | b'\\' => text.extend([b'\\', byte]),
            b' '..=b'~' => text.push(byte),
            _ => text.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
        }
    }
    text.push(b'"');
    text
}

/// A path at the end of a `---` line: behind one with blanks goes a tab, or `patch` would stop at the first blank.
fn ended(mut path: Vec<u8>) -> Vec<u8> {
    if path.contains(&b' ') && !path.starts_with(b"\"") {
        path.push(b'\t');
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_no_control_characters_of_the_sources() {
        let shown = printable(b"+a\x1b]0;x\x07\tb\r\n\xff\xc2\x9b1m\n");
        let shown = String::from_utf8(shown).expect("UTF-8");
        assert_eq!(shown, "+a\u{241b}]0;x\u{2407}\tb\r\n\u{fffd}\u{fffd}1m\n");
    }

    #[test]
    fn a_lone_carriage_return_ends_no_line() {
        let text = unified("a", "a", b"x\ry\nz", b"x\ry\nw");
        let text = String::from_utf8(text).expect("ASCII");
        assert_eq!(
            text,
            "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n x\ry\n-z\n\\ No newline at end of file\n+w\n\\ No newline at end of file\n"
        );
    }

    #[test]
    fn paths_are_quoted_as_git_does() {
        assert_eq!(quoted(b"a/", b"x\n\xff\"y"), b"\"a/x\\012\\377\\\"y\"");
        assert_eq!(ended(quoted(b"b/", "ö x".as_bytes())), "b/ö x\t".as_bytes());
    }

    #[test]
    fn stat_scales_to_the_screen() {
        let change = |path: &str, added, removed| Change {
            path: path.to_owned(),
            added,
            removed,
        };
        let text = stat(&[change("a.cu", 100, 100), change("long/b.cu", 1, 0)]);
        assert!(
            text.contains(&format!(
                " a.cu      | 200 {}{}\n",
                "+".repeat(20),
                "-".repeat(20)
            )),
            "{text}"
        );
        assert!(text.ends_with(" 2 files changed, 101 insertions(+), 100 deletions(-)\n"));
    }
}
