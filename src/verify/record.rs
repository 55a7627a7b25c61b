//! The file that `record` and `run` write: JSON by line, so that it can be looked at, compressed and streamed. A head, then by case:
//! what was run, what it printed and wrote line by line, digests of what is no text, and how it ended.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};

use super::align::Shaped;
use super::digest::Digest;
use super::execute::End;
use super::line::Line;
use super::manifest::Judgement;

/// Version of the format; grows when older programs would misread it.
const VERSION: u32 = 1;

/// Whose behaviour it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The original's.
    Record,
    /// The port's.
    Run,
}

/// The first line of a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Head {
    /// Version of the format.
    pub cass_verify: u32,
    /// Version of the tool.
    pub tool: String,
    /// Whose behaviour it is.
    pub role: Role,
}

impl Head {
    /// The head of a file that this program writes.
    pub fn new(role: Role) -> Self {
        Self {
            cass_verify: VERSION,
            tool: env!("CARGO_PKG_VERSION").to_owned(),
            role,
        }
    }
}

/// What was run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct CaseHead {
    pub(super) name: String,
    /// The name without the seed: cases of one group differ in nothing else.
    pub(super) group: String,
    pub(super) command: Vec<String>,
    pub(super) runs: u32,
    /// Hashes of the input files.
    pub(super) inputs: Vec<(String, String)>,
    pub(super) emulated: bool,
    pub(super) judgement: Judgement,
}

/// How it ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct CaseEnd {
    pub(super) ends: Vec<End>,
    pub(super) seconds: Vec<f64>,
    /// The end of what was printed on standard error.
    pub(super) stderr: String,
    /// Input files that the run changed, and files asked for that it did not write.
    pub(super) stale: Vec<String>,
    /// What the preloaded library saw, by run; empty without it.
    pub(super) device: Vec<Device>,
    /// Kernels of the first run.
    pub(super) kernels: Vec<Kernel>,
}

/// What the preloaded library counted in one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Device {
    pub(super) launches: u64,
    pub(super) failed_launches: u64,
    pub(super) copies: u64,
    /// Copies back that nothing waited for.
    pub(super) unwaited: u64,
    /// Clocks read around launches that nothing waited for.
    pub(super) unsynchronised: u64,
    /// Times taken by events while other streams were at work.
    pub(super) hidden_streams: u64,
    /// The program asked for devices and was told that there is none.
    pub(super) no_device: u64,
}

/// A kernel and how often it ran.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Kernel {
    pub(super) name: String,
    pub(super) launches: u64,
    pub(super) threads: u64,
}

/// What two runs of the same program differ by at a number.
pub(super) type Noise = Option<f64>;

/// One line of the file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Entry {
    #[serde(rename = "head")]
    Head(Head),
    #[serde(rename = "case")]
    Case(CaseHead),
    /// Text begins: standard output, or a file by its path.
    #[serde(rename = "text")]
    Text { name: String },
    #[serde(rename = "l")]
    Line(String),
    /// A line that is not the same in all runs: tokens with what they differ by, or the whole line.
    #[serde(rename = "n")]
    Noisy {
        l: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        v: Vec<(usize, Noise)>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        u: bool,
    },
    #[serde(rename = "blob")]
    Blob { name: String, digest: Digest },
    /// What the device copied back, in order.
    #[serde(rename = "copy")]
    Copy { digest: Digest, stable: bool },
    #[serde(rename = "end")]
    End(CaseEnd),
}

/// A line of the original with what is known of its repetition.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) line: Line,
    /// Tokens that differ between runs: by how much, or `None` for anything.
    pub(super) noise: Vec<(usize, Noise)>,
    /// Not in all runs.
    pub(super) unstable: bool,
}

impl Shaped for Known {
    fn shape(&self) -> u64 {
        self.line.shape
    }
}

impl Shaped for Line {
    fn shape(&self) -> u64 {
        self.shape
    }
}

impl Known {
    pub(super) fn entry(&self) -> Entry {
        let text = self.line.text.clone();
        if self.noise.is_empty() && !self.unstable {
            return Entry::Line(text);
        }
        Entry::Noisy {
            l: text,
            v: self.noise.clone(),
            u: self.unstable,
        }
    }

    fn of(entry: Entry) -> Option<Self> {
        let (text, noise, unstable) = match entry {
            Entry::Line(text) => (text, Vec::new(), false),
            Entry::Noisy { l, v, u } => (l, v, u),
            _ => return None,
        };
        Some(Self {
            line: Line::new(text),
            noise,
            unstable,
        })
    }
}

/// Writes an entry as a line.
pub(super) fn put(out: &mut impl Write, entry: &Entry) -> Result<()> {
    serde_json::to_writer(&mut *out, entry)?;
    out.write_all(b"\n")?;
    Ok(())
}

/// Starts a record.
///
/// # Errors
/// When it cannot be written.
pub fn begin(out: &mut impl Write, role: Role) -> Result<()> {
    put(out, &Entry::Head(Head::new(role)))
}

/// One case of a record, without its lines.
#[derive(Debug)]
pub(super) struct CaseIndex {
    pub(super) head: CaseHead,
    pub(super) end: CaseEnd,
    /// Texts by name and where their lines begin in the file.
    pub(super) texts: Vec<(String, u64)>,
    pub(super) blobs: Vec<(String, Digest)>,
    /// Where the copies begin, and how many there are.
    pub(super) copies: (u64, usize),
}

/// A record on disk.
#[derive(Debug)]
pub struct Record {
    path: PathBuf,
    /// Its head.
    pub head: Head,
    pub(super) cases: Vec<CaseIndex>,
}

impl Record {
    /// Reads what is in a record, line by line, without keeping the lines.
    ///
    /// # Errors
    /// When the file cannot be read, is no record, or is cut off.
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).with_context(|| {
            format!(
                "{}: cannot be read; `cass-transpile verify record -o FILE -- CMD` writes a record",
                path.display()
            )
        })?;
        let shown = path.display();
        let mut reader = BufReader::new(file);
        let mut text = String::new();
        let no_record = || format!("{shown}: is no record of `verify record` or `verify run`");
        read_line(&mut reader, &mut text).with_context(no_record)?;
        let Ok(Entry::Head(head)) = serde_json::from_str(&text) else {
            bail!(no_record());
        };
        if head.cass_verify > VERSION {
            bail!(
                "{shown}: written by cass-transpile {}, which is newer than this one",
                head.tool
            );
        }
        let at = text.len() as u64;
        let cases = index(&mut reader, at).with_context(|| format!("{shown}: damaged"))?;
        if cases.is_empty() {
            bail!("{shown}: holds no case; was the run interrupted?");
        }
        let path = path.to_path_buf();
        Ok(Self { path, head, cases })
    }

    /// The last line that its first case printed as a message.
    pub(crate) fn last_words(&self) -> &str {
        let case = self.cases.first();
        let lines = case.map_or("", |case| case.end.stderr.as_str()).lines();
        lines
            .map(str::trim)
            .rfind(|line| !line.is_empty())
            .unwrap_or_default()
    }

    /// What its first case printed last: messages, then the end of its output.
    ///
    /// # Errors
    /// When the record cannot be read again.
    pub(crate) fn last_lines(&self, most: usize) -> Result<Vec<String>> {
        let Some(case) = self.cases.first() else {
            return Ok(Vec::new());
        };
        let mut found: Vec<String> = case.end.stderr.lines().map(str::to_owned).collect();
        let mut printed = VecDeque::new();
        if let Some((_, at)) = case.texts.first() {
            for entry in self.entries(*at)? {
                match entry? {
                    Entry::Line(line) | Entry::Noisy { l: line, .. } => printed.push_back(line),
                    _ => break,
                }
                if printed.len() > most {
                    printed.pop_front();
                }
            }
        }
        found.drain(..found.len().saturating_sub(most));
        found.extend(printed);
        Ok(found)
    }

    /// The names of its cases.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.cases.iter().map(|case| case.head.name.as_str())
    }

    pub(super) fn entries(&self, at: u64) -> Result<impl Iterator<Item = Result<Entry>> + use<>> {
        let path = self.path.clone();
        let failed = move || format!("{}: cannot be read again", path.display());
        let mut file = File::open(&self.path).with_context(failed.clone())?;
        file.seek(SeekFrom::Start(at))
            .with_context(failed.clone())?;
        let lines = BufReader::new(file).lines();
        Ok(lines.map(move |line| {
            let line = line.with_context(failed.clone())?;
            serde_json::from_str(&line).with_context(failed.clone())
        }))
    }

    /// The lines of a text that begins there.
    pub(super) fn lines(&self, at: u64) -> Result<impl Iterator<Item = Result<Known>> + use<>> {
        let mut entries = self.entries(at)?;
        Ok(std::iter::from_fn(move || match entries.next()? {
            Ok(entry) => Known::of(entry).map(Ok),
            Err(error) => Some(Err(error)),
        }))
    }
}

struct Open {
    head: CaseHead,
    texts: Vec<(String, u64)>,
    blobs: Vec<(String, Digest)>,
    copies: Option<(u64, usize)>,
}

/// Reads a line of a record; the longest names all inputs of a case, 100 bytes for each.
fn read_line(reader: &mut impl BufRead, text: &mut String) -> Result<usize> {
    const LONGEST: u64 = 256 << 20;
    let count = reader.take(LONGEST).read_line(text)?;
    if count as u64 == LONGEST {
        bail!("a line is longer than {} MiB", LONGEST >> 20);
    }
    Ok(count)
}

fn index(reader: &mut impl BufRead, mut at: u64) -> Result<Vec<CaseIndex>> {
    let (mut cases, mut open, mut text) = (Vec::new(), None::<Open>, String::new());
    loop {
        text.clear();
        let before = at;
        let count = read_line(reader, &mut text)?;
        at += count as u64;
        if count == 0 {
            break;
        }
        if text.starts_with("{\"l\"") || text.starts_with("{\"n\"") {
            continue;
        }
        let entry = serde_json::from_str(&text)?;
        match (entry, &mut open) {
            (Entry::Case(head), None) => {
                open = Some(Open {
                    head,
                    texts: Vec::new(),
                    blobs: Vec::new(),
                    copies: None,
                });
            }
            (Entry::Text { name }, Some(case)) => case.texts.push((name, at)),
            (Entry::Blob { name, digest }, Some(case)) => case.blobs.push((name, digest)),
            (Entry::Copy { .. }, Some(case)) => case.copies.get_or_insert((before, 0)).1 += 1,
            (Entry::End(end), Some(_)) => {
                let case = open.take().expect("matched just now");
                cases.push(CaseIndex {
                    head: case.head,
                    end,
                    texts: case.texts,
                    blobs: case.blobs,
                    copies: case.copies.unwrap_or((0, 0)),
                });
            }
            _ => bail!("an entry stands where it does not belong"),
        }
    }
    if let Some(case) = open {
        bail!("case `{}` has no end: the file is cut off", case.head.name);
    }
    Ok(cases)
}
