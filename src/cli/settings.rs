//! The settings of a run: defaults, then `cass.toml`, then the command line.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow, bail};
use globset::GlobSet;

use super::args::SettingsArgs;
use super::convert::serves_both;
use super::lone::{taken_headers, with_headers};
use super::{input, output};
use crate::config::{self, CheckTable, Config, EstimateTable, Found, Override};
use crate::diagnostic::Severity;
use crate::engine::DialectChoice;
use crate::engine::Session;
use crate::engine::{RuleChoice, RulePolicy};
use crate::mapping::ApiTable;
use crate::options::{CompatMode, HipSupport, Options, Vendors, Weights};
use crate::pipeline::{
    self, Entry, EntryKind, Filter, Naming, Plan, PlannedFile, Walked, Watcher, compiled, globs,
    index_project, learn_fragments, slashed,
};
use crate::project::compiled::Compiled;
use crate::report::Levels;

/// What a command line says about settings.
pub(super) struct Given<'a> {
    pub(super) settings: &'a SettingsArgs,
    pub(super) naming: Option<Naming>,
    pub(super) check: CheckTable,
}

/// What holds for one root of a run.
pub(super) struct Settings {
    /// Every setting with its value.
    pub(super) config: Config,
    options: Options,
    policy: RulePolicy,
    dialects: DialectChoice,
    prefix: String,
    /// The way from the current folder to that of the root.
    here: PathBuf,
    found: Option<Found>,
    line: Line,
    /// Settings of folders that have a configuration of their own, by their path with `/` at its end; the deepest come last.
    nested: Vec<(String, Settings)>,
}

/// The globs of a configuration.
struct Taken {
    /// `None` takes all.
    include: Option<GlobSet>,
    exclude: GlobSet,
}

impl Taken {
    fn takes(&self, below: &str) -> bool {
        let hit = |globs: &GlobSet| globs.is_match(below);
        self.include.as_ref().is_none_or(hit) && !hit(&self.exclude)
    }
}

/// What the command line says, which goes over every file.
#[derive(Clone)]
struct Line {
    config: Config,
    /// What `--config KEY=VALUE` sets: over the files, below the options.
    inline: Config,
    choice: RuleChoice,
    /// One configuration, or none, was asked for.
    is_alone: bool,
}

impl Settings {
    /// Settings for a file or folder; `-` stands for the current folder.
    pub(super) fn new(root: &Path, given: &Given<'_>) -> Result<Self> {
        let root = if root == Path::new("-") {
            Path::new(".")
        } else {
            root
        };
        let rules = &given.settings.rules;
        let (file, inline) = config_arguments(&rules.config)?;
        let found = match &file {
            Some(path) => Some(config::read(path)?),
            None if rules.isolated => None,
            None => config::find(root)?,
        };
        let line = Line {
            config: given.config(),
            inline,
            choice: rules.choice(),
            is_alone: file.is_some() || rules.isolated,
        };
        let prefix = found
            .as_ref()
            .map_or_else(String::new, |found| prefix(found.folder(), root));
        output::detail(|| match &found {
            Some(found) => format!("{}: settings of {}", root.display(), found.path.display()),
            None => format!("{}: no {}", root.display(), config::FILE_NAME),
        });
        let policy = RulePolicy::new(prefix.clone());
        let settings = Self {
            prefix,
            here: input::from_here(root),
            ..Self::of_file(found, policy, line)?
        };
        Ok(settings.going_on_from(root))
    }

    /// The same for a tree that an earlier run left serving both vendors, where nobody says whom it is for: NVIDIA's build of it goes on to work.
    pub(super) fn going_on_from(mut self, root: &Path) -> Self {
        let is_open = self.options.vendors == Vendors::Auto && !self.options.reverse;
        if is_open && serves_both(root) {
            self.options.vendors = Vendors::Both;
            self.config.translate.vendors = Some(Vendors::Both);
        }
        self
    }

    /// A configuration file, or none, with the command line over it.
    fn of_file(found: Option<Found>, policy: RulePolicy, line: Line) -> Result<Self> {
        let file = found
            .as_ref()
            .map(|found| found.config.clone())
            .unwrap_or_default()
            .with(line.inline.clone());
        // The command line speaks for all paths.
        let chosen = line.config.translate.dialect.is_some();
        let overrides = if chosen { &[][..] } else { &file.overrides };
        let dialects = dialects(overrides, &policy)?;
        let policy = filled(policy, &file, line.choice.clone())?;
        let config = Config::defaults().with(file).with(line.config.clone());
        let options = config
            .translate
            .options()
            .map_err(|message| anyhow!(message))?;
        Ok(Self {
            config,
            options,
            policy,
            dialects,
            prefix: String::new(),
            here: PathBuf::new(),
            found,
            line,
            nested: Vec::new(),
        })
    }

    /// Reads the configurations that lie in the tree itself: each holds for its folder, in place of the one above. Files that it
    /// excludes take no part any more.
    ///
    /// # Errors
    /// When one of them cannot be read.
    pub(super) fn nest(&mut self, walked: &mut Walked) -> Result<()> {
        if self.line.is_alone {
            return Ok(());
        }
        let is_nested = |entry: &&Entry| {
            entry.kind == EntryKind::File
                && entry.relative.file_name() == Some(config::FILE_NAME.as_ref())
                && entry.relative.components().count() > 1
        };
        let entries = walked.entries.iter().chain(&walked.around);
        for entry in entries.filter(is_nested) {
            let folder = entry.relative.parent().map_or_else(String::new, slashed) + "/";
            let found = config::read_owned(&entry.path)?;
            output::detail(|| format!("{folder}: settings of {}", entry.path.display()));
            let policy = RulePolicy::below(folder.clone());
            let settings = Self::of_file(Some(found), policy, self.line.clone())?;
            let settings = settings.going_on_from(&entry.path);
            self.nested.push((folder, settings));
        }
        if self.nested.is_empty() {
            return Ok(());
        }
        self.nested.sort_by_key(|(folder, _)| folder.len());
        let globs = self.nested_globs()?;
        let takes = |entry: &Entry| {
            let name = entry.name();
            let around = globs.iter().rev();
            let mut around =
                around.filter_map(|(folder, taken)| Some((name.strip_prefix(folder)?, taken)));
            around
                .next()
                .is_none_or(|(below, taken)| taken.takes(below))
        };
        walked.around.retain(takes);
        walked.filter(takes);
        Ok(())
    }

    /// Which files each configuration in the tree takes and leaves out.
    fn nested_globs(&self) -> Result<Vec<(&str, Taken)>> {
        let taken = |settings: &Self| {
            let files = &settings.config.files;
            let include = files.include.as_deref().filter(|globs| !globs.is_empty());
            anyhow::Ok(Taken {
                include: include.map(globs).transpose()?,
                exclude: globs(files.exclude.as_deref().unwrap_or_default())?,
            })
        };
        let nested = self.nested.iter();
        nested
            .map(|(folder, settings)| Ok((folder.as_str(), taken(settings)?)))
            .collect()
    }

    /// The settings that hold for a file of the tree.
    pub(super) fn of(&self, name: &str) -> &Self {
        let around = self.nested.iter().rev();
        let mut around = around.filter(|(folder, _)| name.starts_with(folder.as_str()));
        around.next().map_or(self, |(_, settings)| settings)
    }

    /// Lowest severities that are printed and that fail.
    pub(super) fn levels(&self) -> Levels {
        Levels {
            show: self.show(),
            fail: self.fail_on(),
        }
    }

    /// Which files take part.
    pub(super) fn filter(&self, skip: Vec<PathBuf>) -> Filter {
        let files = self.config.files.clone();
        Filter {
            no_ignore: files.no_ignore.unwrap_or_default(),
            include: files.include.unwrap_or_default(),
            exclude: files.exclude.unwrap_or_default(),
            files_too: false,
            skip,
            prefix: self.prefix.clone(),
            line: pipeline::Line {
                include: self.line.config.files.include.clone().unwrap_or_default(),
                exclude: self.line.config.files.exclude.clone().unwrap_or_default(),
                here: self.here.clone(),
            },
        }
    }

    /// What the estimate of a report assumes.
    ///
    /// # Errors
    /// When a range on the command line ends before it begins.
    pub(super) fn weights(&self) -> Result<Weights> {
        let weights = self.config.estimate.weights();
        weights.map_err(|message| anyhow!(message))
    }

    /// What decides the translation.
    pub(super) fn options(&self) -> &Options {
        &self.options
    }

    /// How files are called.
    pub(super) fn naming(&self) -> Naming {
        self.config.translate.naming.unwrap_or_default()
    }

    /// Lowest severity that fails.
    pub(super) fn fail_on(&self) -> Severity {
        self.config.check.fail_on.unwrap_or(Severity::Warning)
    }

    /// Lowest severity that is printed.
    pub(super) fn show(&self) -> Severity {
        self.config.check.show.unwrap_or(Severity::Warning)
    }

    /// A session over the files of a plan.
    pub(super) fn session(&self, plan: &Plan, watcher: &dyn Watcher) -> Result<Session> {
        let mut session = self.lone_session()?;
        let renames = plan.renames.clone();
        let all = plan.known();
        let known = with_headers(&all);
        let project = index_project(&known, &session.table, renames, watcher);
        let project = project.with_taken_headers(taken_headers(&all));
        session.set_project(project.with_compiled(self.compiled(&all)?));
        learn_fragments(&all, &mut session);
        for (folder, settings) in &self.nested {
            let mut nested = settings.lone_session()?;
            nested.project = Arc::clone(&session.project);
            nested.support = Arc::clone(&session.support);
            nested.fragments = session.fragments.clone();
            session.nested.push((folder.clone(), nested));
        }
        Ok(session)
    }

    /// What the build compiles, where a database was given.
    fn compiled(&self, files: &[PlannedFile]) -> Result<Option<Compiled>> {
        let path = self.config.files.compile_commands.as_deref();
        let found = path.map(|path| compiled(path, files)).transpose();
        found
            .map(Option::flatten)
            .map_err(|message| anyhow!(message))
    }

    /// A session for a file without a tree.
    pub(super) fn lone_session(&self) -> Result<Session> {
        let mut session = Session::new(self.options.clone(), self.table()?);
        session.rules = self.policy.clone();
        session.dialects = self.dialects.clone();
        Ok(session)
    }

    /// A session for units that clang compiles at once: helpers are written into the files that call them, so that no dependency file
    /// names another.
    pub(super) fn nvcc_session(&self) -> Result<Session> {
        let mut session = self.lone_session()?;
        if session.options.compat == CompatMode::Header {
            session.options.compat = CompatMode::Inline;
        }
        // The unit is being built for NVIDIA, whatever the project does for AMD.
        session.options.hip_support = HipSupport::Ignore;
        Ok(session)
    }

    /// The built-in tables with those of the project on top.
    fn table(&self) -> Result<ApiTable> {
        let mut table = ApiTable::builtin();
        for (number, path) in self.config.translate.mappings.iter().flatten().enumerate() {
            let text = config::read_text(path).with_context(|| {
                format!("{}: cannot be read as a mapping table", path.display())
            })?;
            table = table.overlay(&path.display().to_string(), &text, number as u8)?;
        }
        Ok(if self.options.reverse {
            table.reversed()
        } else {
            table
        })
    }

    /// Prints the settings in the language of the file.
    pub(super) fn print(&self, root: &Path) -> Result<()> {
        let origin = self.found.as_ref().map_or_else(
            || format!("no {}", config::FILE_NAME),
            |found| found.path.display().to_string(),
        );
        let text = toml::to_string_pretty(&self.config)?;
        output::print(&format!("# {}: {origin}\n{text}", root.display()))
    }
}

impl Given<'_> {
    fn config(&self) -> Config {
        let mut translate = self.settings.translate.table();
        translate.naming = self.naming;
        Config {
            translate,
            files: self.settings.files.table(),
            check: self.check.clone(),
            estimate: EstimateTable::default(),
            rules: self.settings.rules.choice(),
            overrides: Vec::new(),
        }
    }
}

/// The rules of the file, of its overrides, and of the command line, which wins.
fn filled(mut policy: RulePolicy, file: &Config, line: RuleChoice) -> Result<RulePolicy> {
    let mut add = |globs, choice| {
        policy
            .add(globs, choice)
            .map_err(|message| anyhow!(message))
    };
    add(None, file.rules.clone())?;
    for over in &file.overrides {
        add(Some(globs(&over.paths)?), over.choice())?;
    }
    add(None, line)?;
    Ok(policy)
}

/// The configuration file that `--config` names, and the settings that it gives as KEY=VALUE.
fn config_arguments(arguments: &[String]) -> Result<(Option<PathBuf>, Config)> {
    let (mut file, mut inline) = (None, Config::default());
    for argument in arguments {
        let path = PathBuf::from(argument);
        if argument.contains('=') && !path.exists() {
            inline = inline.with(config::inline(argument)?);
        } else if file.replace(path).is_some() {
            bail!("--config: one file at most; KEY=VALUE may be given as often as needed");
        }
    }
    Ok((file, inline))
}

/// The dialects that the overrides of the file give to their paths.
fn dialects(overrides: &[Override], policy: &RulePolicy) -> Result<DialectChoice> {
    let mut dialects = DialectChoice::for_policy(policy);
    for over in overrides {
        if let Some(dialect) = over.dialect {
            dialects.add(globs(&over.paths)?, dialect);
        }
    }
    Ok(dialects)
}

/// The way from the folder of the configuration to the folder of `root`, empty or with `/` at its end.
fn prefix(folder: &Path, root: &Path) -> String {
    let resolved = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    let base = if resolved.is_dir() {
        resolved.as_path()
    } else {
        resolved.parent().unwrap_or(Path::new(""))
    };
    let parts: Vec<String> = base
        .strip_prefix(folder)
        .into_iter()
        .flat_map(Path::components)
        .map(|part| part.as_os_str().to_string_lossy().into_owned() + "/")
        .collect();
    parts.concat()
}
