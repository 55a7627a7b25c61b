//! What clang shall see of a unit: from the cache, or translated now.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::tell;
use crate::cli::args::SettingsArgs;
use crate::cli::settings::{Given, Settings};
use crate::config::CheckTable;
use crate::mapping::Choices;
use crate::nvcc::{self, Cache, Files, Invocation, Kind, Place, Record, Search, View, closure};

/// What a person should know who compiles against a PyTorch whose libraries cannot run what is made.
fn unfit_pytorch(source: &str, folder: &Path) -> String {
    format!(
        "'{source}': the PyTorch in {} is not built for AMD, and no extension for AMD runs with its libraries; install PyTorch for ROCm, whose cpp_extension calls hipcc by itself, and translate the extension (cass-transpile --in-place)",
        folder.display()
    )
}

/// Translates units under one configuration.
pub(super) struct Translator<'a> {
    place: &'a Place,
    settings: Settings,
    /// Folder that names in the configuration are relative to.
    root: PathBuf,
    cache: Cache,
}

/// Which program this is: another build of it may translate otherwise.
pub(super) fn identity() -> String {
    let metadata = std::env::current_exe().and_then(std::fs::metadata);
    let facts = metadata.map(|data| format!("{} {:?}", data.len(), data.modified().ok()));
    format!(
        "{} {}",
        env!("CARGO_PKG_VERSION"),
        facts.unwrap_or_default()
    )
}

impl<'a> Translator<'a> {
    /// Settings are those of the first source of a command line, or of the folder it is called in.
    pub(super) fn new(place: &'a Place, arguments: &[String]) -> Result<Self> {
        let source = arguments
            .iter()
            .find(|word| !word.starts_with('-') && Path::new(word).is_file());
        let start = source.map_or(Path::new("."), Path::new);
        let found = crate::config::find(start)?;
        let root = found.map_or(PathBuf::from("/"), |found| found.folder().to_path_buf());
        let args = SettingsArgs::default();
        let given = Given {
            settings: &args,
            naming: None,
            check: CheckTable::default(),
        };
        let settings = Settings::new(if root == Path::new("/") { start } else { &root }, &given)?;
        Ok(Self {
            place,
            settings,
            root,
            cache: Cache::new(place.cache.clone()),
        })
    }

    /// Library families.
    pub(super) fn choices(&self) -> &Choices {
        &self.settings.options().choices
    }

    /// Chips to compile for: of the command line, the environment, the configuration, or the GPU of this machine.
    pub(super) fn targets(&self, given: &[String]) -> Vec<String> {
        let configured = &self.settings.options().targets;
        [given, &self.place.targets, configured]
            .into_iter()
            .find(|targets| !targets.is_empty())
            .map_or_else(|| vec!["native".to_owned()], <[String]>::to_vec)
    }

    /// What clang shall see of a source. Its findings are printed.
    pub(super) fn view(&self, source: &str, kind: Kind, invocation: &Invocation) -> Result<View> {
        let unit = nvcc::absolute(Path::new(source));
        let search = self.search(invocation);
        let files = closure(&unit, &search)
            .with_context(|| format!("Could not open input file '{source}'"))?;
        let key = self.key(&files);
        let record = match self.cache.find(&key) {
            Some(record) => record,
            None => self.translate(&files, &key)?,
        };
        if self.place.tells && !invocation.is_quiet {
            tell::findings(&unit, &record.findings, &self.cache);
            if let Some(folder) = nvcc::unfit(&files, &search.folders) {
                tell::warnings(&[unfit_pytorch(source, folder)]);
            }
        }
        let has_files = !record.files.is_empty();
        Ok(View {
            overlay: has_files.then(|| self.cache.overlay(&key)),
            has_cuda: has_files || kind == Kind::Cuda,
        })
    }

    fn translate(&self, files: &Files, key: &str) -> Result<Record> {
        let unit = nvcc::translate(files, &self.root, self.settings.nvcc_session()?);
        self.cache
            .keep(key, unit.files, unit.findings)
            .context("the cache cannot be written; set CASS_NVCC_CACHE to a folder that can")
    }

    /// The key of a unit: its files and all that decides what becomes of them.
    fn key(&self, files: &Files) -> String {
        let config = toml::to_string(&self.settings.config).unwrap_or_default();
        let tables = self.settings.config.translate.mappings.iter().flatten();
        let tables: Vec<Vec<u8>> = tables
            .map(|path| std::fs::read(path).unwrap_or_default())
            .collect();
        let identity = identity();
        let root = self.root.display().to_string();
        let paths: Vec<String> = files
            .keys()
            .map(|path| path.display().to_string())
            .collect();
        let files = paths.iter().zip(files.values());
        let files = files.flat_map(|(path, bytes)| [path.as_bytes(), bytes.as_slice()]);
        let first = [identity.as_bytes(), root.as_bytes(), config.as_bytes()];
        Cache::key(
            first
                .into_iter()
                .chain(tables.iter().map(Vec::as_slice))
                .chain(files),
        )
    }

    /// Where clang finds headers, and whose are not the project's.
    fn search(&self, invocation: &Invocation) -> Search {
        let of = |wanted: &'static [&'static str]| {
            let paths = invocation
                .includes
                .iter()
                .filter(|(option, _)| wanted.contains(option));
            paths.map(|(_, path)| path.clone())
        };
        let folders = of(&["-I"]).chain(of(&["-isystem"])).map(PathBuf::from);
        let folders: Vec<PathBuf> = folders.filter(|folder| !nvcc::is_toolkit(folder)).collect();
        let rocm = self.place.rocm.join("include");
        let of_others = [Path::new("/usr/include"), Path::new("/usr/lib"), &rocm];
        // PyTorch's headers are for one vendor as they are.
        let of_pytorch = folders
            .iter()
            .filter(|folder| nvcc::built(folder).is_some());
        let foreign = of_others
            .into_iter()
            .chain(of_pytorch.map(PathBuf::as_path));
        Search {
            foreign: foreign.map(nvcc::absolute).collect(),
            first: of(&["-include"]).collect(),
            folders,
        }
    }
}
