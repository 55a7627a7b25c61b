//! `verify.toml`: the cases of a project with their commands, inputs and tolerances.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Serialize};

use super::digest::NumberType;
use super::tolerance::Tolerance;

/// What the file is called where none is named.
pub(crate) const FILE_NAME: &str = "verify.toml";
/// A command that runs longer hangs, unless the manifest knows better.
const TIMEOUT: f64 = 600.0;
/// Runs of the original, so that what differs by itself is learned.
const RUNS: u32 = 2;

/// The manifest of a project.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Manifest {
    /// What holds for every case that does not say otherwise.
    #[serde(default)]
    pub defaults: CaseTable,
    /// The cases.
    #[serde(default)]
    pub case: Vec<CaseTable>,
}

/// A case as it is written down.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct CaseTable {
    /// What it is called in reports.
    pub name: Option<String>,
    /// Command of the original: a list, or words between blanks. `{seed}` becomes the seed.
    pub record: Option<Words>,
    /// Command of the port [default: that of the original].
    pub run: Option<Words>,
    /// Arguments of both.
    pub args: Option<Words>,
    /// Folder that it runs in, from the folder of the manifest.
    pub cwd: Option<PathBuf>,
    /// File that standard input is read from, from the folder of the manifest.
    pub stdin: Option<PathBuf>,
    /// Environment variables.
    pub env: Option<BTreeMap<String, String>>,
    /// Seconds after which it is ended.
    pub timeout: Option<f64>,
    /// How often the original runs, so that what differs by itself is learned.
    pub runs: Option<u32>,
    /// Globs of files that it writes, in the folder it runs in [default: all files that are new or changed].
    pub files: Option<Vec<String>>,
    /// Files that it reads: they have to be the same on both sides, and a run must not change them.
    pub inputs: Option<Vec<PathBuf>>,
    /// The case is run once for each; where the original's output depends on the seed, the port's has to.
    pub seeds: Option<Vec<i64>>,
    /// Largest absolute difference of numbers.
    pub abs: Option<f64>,
    /// Largest relative difference of numbers.
    pub rel: Option<f64>,
    /// Largest distance in single-precision values.
    pub ulp: Option<u32>,
    /// Regular expressions of lines that are left out.
    pub ignore: Option<Vec<String>>,
    /// Lines come in any order.
    pub unordered: Option<bool>,
    /// How buffers and binary files are read [default: what their samples look like].
    pub number_type: Option<NumberType>,
}

/// A command or its arguments.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Words {
    /// Taken as they are.
    List(Vec<String>),
    /// Divided at blanks.
    Text(String),
}

impl Words {
    fn list(&self) -> Result<Vec<String>> {
        match self {
            Self::List(list) => Ok(list.clone()),
            Self::Text(text) if text.contains(['"', '\'', '\\', '$', '|', '>', '<']) => bail!(
                "`{text}`: no shell reads this; write a list, [\"./prog\", \"an argument\"], or [\"sh\", \"-c\", \"…\"]"
            ),
            Self::Text(text) => Ok(text.split_whitespace().map(str::to_owned).collect()),
        }
    }
}

/// Which of the two programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The original.
    Original,
    /// The port.
    Port,
}

/// By what a case is judged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// When numbers are equal.
    pub tolerance: Tolerance,
    /// Lines that are left out.
    pub ignore: Vec<String>,
    /// Lines come in any order.
    pub unordered: bool,
    /// How buffers and binary files are read.
    pub number: Option<NumberType>,
}

/// A case ready to run.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name with the seed.
    pub name: String,
    /// Its name without.
    pub group: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// Where it runs.
    pub folder: PathBuf,
    /// What it reads.
    pub stdin: Option<PathBuf>,
    /// What is added to its environment.
    pub environment: BTreeMap<String, String>,
    /// When it is ended.
    pub timeout: Duration,
    /// How often it runs.
    pub runs: u32,
    /// Globs of files that it writes.
    pub files: Option<Vec<String>>,
    /// Files that it reads.
    pub inputs: Vec<PathBuf>,
    /// By what it is judged.
    pub judgement: Judgement,
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// When it cannot be read, or says what has no meaning; the message names the file and the place.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("{}: cannot be read as a manifest", path.display()))?;
        let manifest: Self =
            toml::from_str(&text).with_context(|| format!("{}: is no manifest", path.display()))?;
        if manifest.case.is_empty() {
            bail!(
                "{}: has no case; write [[case]] with `name`, `record` and `run`",
                path.display()
            );
        }
        Ok(manifest)
    }

    /// The cases of one side; paths are meant from `folder`.
    ///
    /// # Errors
    /// When a case has no name or no command, or one has the name of another.
    pub fn cases(&self, side: Side, folder: &Path) -> Result<Vec<Case>> {
        let mut cases: Vec<Case> = Vec::new();
        for (number, table) in self.case.iter().enumerate() {
            let name = table.name.clone();
            let name = name.with_context(|| format!("case {} has no `name`", number + 1))?;
            let table = table.over(&self.defaults);
            let seeds = table.seeds.clone().unwrap_or_default();
            let seeds: Vec<Option<i64>> = match seeds.as_slice() {
                [] => vec![None],
                seeds => seeds.iter().copied().map(Some).collect(),
            };
            for seed in seeds {
                let case = table.case(&name, seed, side, folder);
                let case = case.with_context(|| format!("case `{name}`"))?;
                if cases.iter().any(|other| other.name == case.name) {
                    bail!("two cases are called `{}`", case.name);
                }
                cases.push(case);
            }
        }
        Ok(cases)
    }
}

impl CaseTable {
    fn over(&self, below: &Self) -> Self {
        let (a, b) = (self.clone(), below.clone());
        Self {
            name: a.name,
            record: a.record.or(b.record),
            run: a.run.or(b.run),
            args: a.args.or(b.args),
            cwd: a.cwd.or(b.cwd),
            stdin: a.stdin.or(b.stdin),
            env: match (a.env, b.env) {
                (Some(own), Some(mut all)) => {
                    all.extend(own);
                    Some(all)
                }
                (own, all) => own.or(all),
            },
            timeout: a.timeout.or(b.timeout),
            runs: a.runs.or(b.runs),
            files: a.files.or(b.files),
            inputs: a.inputs.or(b.inputs),
            seeds: a.seeds.or(b.seeds),
            abs: a.abs.or(b.abs),
            rel: a.rel.or(b.rel),
            ulp: a.ulp.or(b.ulp),
            ignore: a.ignore.or(b.ignore),
            unordered: a.unordered.or(b.unordered),
            number_type: a.number_type.or(b.number_type),
        }
    }

    fn case(&self, name: &str, seed: Option<i64>, side: Side, folder: &Path) -> Result<Case> {
        let command = match side {
            Side::Original => self.record.as_ref().or(self.run.as_ref()),
            Side::Port => self.run.as_ref().or(self.record.as_ref()),
        };
        let mut command = command.context("has no `record` and no `run`")?.list()?;
        command.extend(
            self.args
                .as_ref()
                .map(Words::list)
                .transpose()?
                .unwrap_or_default(),
        );
        if command.is_empty() {
            bail!("its command is empty");
        }
        let seeded = |text: &String| match seed {
            Some(seed) => text.replace("{seed}", &seed.to_string()),
            None => text.clone(),
        };
        let environment = self.env.clone().unwrap_or_default();
        let takes_seed = |text: &String| text.contains("{seed}");
        if seed.is_some() && !command.iter().chain(environment.values()).any(takes_seed) {
            bail!("has `seeds`, and nothing takes them: write {{seed}} in an argument or in `env`");
        }
        let inputs = self.inputs.iter().flatten();
        Ok(Case {
            name: seed.map_or_else(|| name.to_owned(), |seed| format!("{name} (seed {seed})")),
            group: name.to_owned(),
            command: command.iter().map(seeded).collect(),
            folder: folder.join(self.cwd.as_deref().unwrap_or(Path::new("."))),
            stdin: self.stdin.as_ref().map(|path| folder.join(path)),
            environment: environment
                .iter()
                .map(|(key, value)| (key.clone(), seeded(value)))
                .collect(),
            timeout: duration(self.timeout.unwrap_or(TIMEOUT))?,
            runs: match side {
                Side::Original => self.runs.unwrap_or(RUNS).max(1),
                Side::Port => 1,
            },
            files: self.files.clone(),
            inputs: inputs.map(|path| folder.join(path)).collect(),
            judgement: self.judgement()?,
        })
    }

    /// By what a case is judged that says this.
    ///
    /// # Errors
    /// When a tolerance is no number that can be one, or an expression cannot be read.
    pub(crate) fn judgement(&self) -> Result<Judgement> {
        let default = Tolerance::default();
        let tolerance = Tolerance {
            abs: self.abs.unwrap_or(default.abs),
            rel: self.rel.unwrap_or(default.rel),
            ulp: self.ulp.unwrap_or(default.ulp),
        };
        for (name, value) in [("abs", tolerance.abs), ("rel", tolerance.rel)] {
            if !(value.is_finite() && value >= 0.0) {
                bail!("`{name}` is {value}; a tolerance is a number from 0");
            }
        }
        let ignore = self.ignore.clone().unwrap_or_default();
        regex::RegexSet::new(&ignore).context("`ignore` has what is no regular expression")?;
        Ok(Judgement {
            tolerance,
            ignore,
            unordered: self.unordered.unwrap_or_default(),
            number: self.number_type,
        })
    }
}

fn duration(seconds: f64) -> Result<Duration> {
    let duration = Duration::try_from_secs_f64(seconds).ok();
    duration
        .filter(|duration| !duration.is_zero())
        .with_context(|| format!("`timeout` is {seconds}; write seconds"))
}

/// The JSON schema of the manifest.
pub fn schema() -> String {
    serde_json::to_string_pretty(&schema_for!(Manifest)).expect("a schema is plain data") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases(text: &str) -> Result<Vec<Case>> {
        let manifest: Manifest = toml::from_str(text)?;
        manifest.cases(Side::Port, Path::new("/p"))
    }

    #[test]
    fn a_case_is_what_it_says_over_the_defaults() {
        let cases = cases(
            "[defaults]\nrel = 1e-3\nenv = { A = '1' }\n[[case]]\nname = 'a'\nrecord = './c {seed}'\nrun = ['./h', '{seed}']\nargs = 'x'\nseeds = [1, 2]\ncwd = 'w'\n",
        );
        let cases = cases.unwrap();
        assert_eq!(cases[1].name, "a (seed 2)");
        assert_eq!(cases[1].command, ["./h", "2", "x"]);
        assert_eq!(cases[0].folder, Path::new("/p/w"));
        assert_eq!(cases[0].judgement.tolerance.rel, 1e-3);
        assert_eq!(cases[0].environment["A"], "1");
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for (text, word) in [
            ("[[case]]\nname = 'a'\n", "no `record`"),
            ("[[case]]\nrun = 'x'\n", "no `name`"),
            ("[[case]]\nname = 'a'\nrun = 'x > y'\n", "no shell"),
            ("[[case]]\nname = 'a'\nrun = 'x'\nseeds = [1]\n", "{seed}"),
            ("[[case]]\nname = 'a'\nrun = 'x'\nrel = -1.0\n", "from 0"),
            ("[[case]]\nname = 'a'\nrun = 'x'\ntimeout = 0\n", "timeout"),
            (
                "[[case]]\nname = 'a'\nrun = 'x'\n[[case]]\nname = 'a'\nrun = 'x'\n",
                "two cases",
            ),
            (
                "[[case]]\nname = 'a'\nrun = 'x'\nignore = ['(']\n",
                "ignore",
            ),
        ] {
            let error = format!("{:#}", cases(text).expect_err(text));
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
