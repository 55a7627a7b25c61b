//! The settings of a run: defaults, then `cass.toml`, then the command line.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};

use super::args::{RuleArgs, SettingsArgs};
use super::output;
use crate::config::{self, CheckTable, Config, Found};
use crate::diagnostic::Severity;
use crate::engine::RulePolicy;
use crate::engine::Session;
use crate::mapping::ApiTable;
use crate::options::{CompatMode, Options};
use crate::pipeline::{Filter, Naming, Plan, globs, index_project};

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
    prefix: String,
    found: Option<Found>,
}

impl Settings {
    /// Settings for a file or folder; `-` stands for the current folder.
    pub(super) fn new(root: &Path, given: &Given<'_>) -> Result<Self> {
        let root = if root == Path::new("-") {
            Path::new(".")
        } else {
            root
        };
        let found = match &given.settings.rules.config {
            Some(path) => Some(config::read(path)?),
            None if given.settings.rules.isolated => None,
            None => config::find(root)?,
        };
        let prefix = found
            .as_ref()
            .map_or_else(String::new, |found| prefix(found.folder(), root));
        let file = found
            .as_ref()
            .map(|found| found.config.clone())
            .unwrap_or_default();
        let policy = policy(&file, &given.settings.rules, prefix.clone())?;
        let config = Config::defaults().with(file).with(given.config());
        let options = config
            .translate
            .options()
            .map_err(|message| anyhow!(message))?;
        Ok(Self {
            config,
            options,
            policy,
            prefix,
            found,
        })
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
        }
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
    pub(super) fn session(&self, plan: &Plan) -> Result<Session> {
        let mut session = self.lone_session()?;
        session.project = index_project(&plan.files, &session.table, plan.renames.clone());
        Ok(session)
    }

    /// A session for a file without a tree.
    pub(super) fn lone_session(&self) -> Result<Session> {
        let mut session = Session::new(self.options.clone(), self.table()?);
        session.rules = self.policy.clone();
        Ok(session)
    }

    /// A session for units that clang compiles at once: helpers are written into the files that call them, so that no dependency file
    /// names another.
    pub(super) fn nvcc_session(&self) -> Result<Session> {
        let mut session = self.lone_session()?;
        if session.options.compat == CompatMode::Header {
            session.options.compat = CompatMode::Inline;
        }
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
            rules: self.settings.rules.choice(),
            overrides: Vec::new(),
        }
    }
}

/// The rules of the file, of its overrides, and of the command line, which wins.
fn policy(file: &Config, args: &RuleArgs, prefix: String) -> Result<RulePolicy> {
    let mut policy = RulePolicy::new(prefix);
    let mut add = |globs, choice| {
        policy
            .add(globs, choice)
            .map_err(|message| anyhow!(message))
    };
    add(None, file.rules.clone())?;
    for over in &file.overrides {
        add(Some(globs(&over.paths)?), over.choice())?;
    }
    add(None, args.choice())?;
    Ok(policy)
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
