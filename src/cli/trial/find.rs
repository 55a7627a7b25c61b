//! The units of a port: by the first way that gives some, or by the one that was asked for.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use rustc_hash::FxHashMap;

use super::place;
use crate::cli::args::{Finding, TryArgs};
use crate::cli::input;
use crate::pipeline::{EntryKind, Filter, slashed, walk};
use crate::port::{Manifest, Port};
use crate::trial::{Compiler, Tree, Units, by_cmake, by_database, by_includes, by_make};

/// A port that is looked at.
pub(super) struct Place {
    /// Its folder, absolute.
    pub(super) out: PathBuf,
    /// What earlier runs wrote into it.
    pub(super) known: Manifest,
    /// Its files.
    files: Vec<String>,
    /// Macros that its report asks for.
    defines: Vec<String>,
}

impl Place {
    /// Reads a port.
    ///
    /// # Errors
    /// When it is no folder.
    pub(super) fn new(out: &Path) -> Result<Self> {
        if !out.is_dir() {
            bail!(
                "{}: is no folder; `try` takes the folder with the result of a translation",
                out.display()
            );
        }
        let walked = walk(out, &Filter::default(), &())?;
        let files = walked
            .entries
            .iter()
            .filter(|entry| entry.kind == EntryKind::File);
        Ok(Self {
            out: crate::nvcc::absolute(out),
            known: Port::open(out).known,
            files: files.map(|entry| slashed(&entry.relative)).collect(),
            defines: defines(out),
        })
    }

    /// The units, and why other ways gave none.
    ///
    /// # Errors
    /// When a way that was asked for gives none.
    pub(super) fn units(
        &self,
        args: &TryArgs,
        compiler: &Compiler,
    ) -> Result<(Units, Vec<String>)> {
        if let Some(database) = &args.compile_commands {
            let units = by_database(database, &self.out, &self.renamed());
            return units
                .map(|units| (units, Vec::new()))
                .map_err(anyhow::Error::msg);
        }
        let all = [
            Finding::Database,
            Finding::Cmake,
            Finding::Make,
            Finding::Includes,
        ];
        let ways = args.units.as_ref().map_or(&all[..], std::slice::from_ref);
        let mut failed = Vec::new();
        for way in ways {
            match self.by(*way, compiler) {
                Some(Ok(units)) => return Ok((units, failed)),
                Some(Err(why)) => failed.push(why),
                None => {}
            }
        }
        match (failed.is_empty(), args.units) {
            (false, _) => bail!("{}", failed.join("; ")),
            (true, Some(_)) => bail!(
                "{}: has nothing that this way could ask",
                args.out.display()
            ),
            (true, None) => bail!("{}: has no source with device code", args.out.display()),
        }
    }

    /// The units by a way; none where there is nothing to ask.
    fn by(&self, way: Finding, compiler: &Compiler) -> Option<Result<Units, String>> {
        let has = |name: &str| self.out.join(name).is_file();
        match way {
            Finding::Database => {
                let name = "compile_commands.json";
                let folders = ["", "build/"].map(|folder| format!("{folder}{name}"));
                let found = folders.iter().find(|path| has(path))?;
                Some(by_database(
                    &self.out.join(found),
                    &self.out,
                    &self.renamed(),
                ))
            }
            Finding::Cmake => has("CMakeLists.txt").then(|| {
                let build = place::cache("cmake").join(folder_name(&self.out));
                by_cmake(&self.out, &build, compiler, input::interrupted())
            }),
            Finding::Make => {
                let folders = self.folders_with_makefiles();
                (!folders.is_empty()).then(|| by_make(&folders, &self.out, input::interrupted()))
            }
            Finding::Includes => {
                let units = self.by_includes(compiler);
                (!units.units.is_empty()).then_some(Ok(units))
            }
        }
    }

    fn by_includes(&self, compiler: &Compiler) -> Units {
        let is_translated = |file: &str| {
            let record = self.known.files.get(file);
            record.map_or(self.known.files.is_empty(), |record| {
                record.base.hash != record.source_hash
            })
        };
        let rocm = compiler.rocm.iter().map(|rocm| rocm.join("include"));
        let foreign: Vec<PathBuf> = rocm.chain([PathBuf::from("/usr/include")]).collect();
        by_includes(&Tree {
            out: &self.out,
            files: &self.files,
            is_translated: &is_translated,
            foreign: &foreign,
            defines: &self.defines,
        })
    }

    /// Folders with a Makefile that lie in none that has one.
    fn folders_with_makefiles(&self) -> Vec<PathBuf> {
        let is_one =
            |file: &&String| matches!(name_of(file), "Makefile" | "makefile" | "GNUmakefile");
        let folders = self.files.iter().filter(is_one);
        let mut folders: Vec<&str> = folders
            .map(|file| file.rsplit_once('/').map_or("", |(folder, _)| folder))
            .collect();
        folders.sort_unstable();
        folders.dedup();
        let mut tops = Vec::<&str>::new();
        for folder in folders {
            let is_below = |top: &str| {
                top.is_empty()
                    || folder
                        .strip_prefix(top)
                        .is_some_and(|rest| rest.starts_with('/'))
            };
            if !tops.iter().any(|top| is_below(top)) {
                tops.push(folder);
            }
        }
        tops.into_iter()
            .map(|folder| self.out.join(folder))
            .collect()
    }

    /// Sources that are called otherwise in the port, with their names there.
    fn renamed(&self) -> FxHashMap<String, String> {
        let files = self.known.files.iter();
        let files =
            files.filter(|(key, record)| !record.source.is_empty() && record.source != **key);
        files
            .map(|(key, record)| (record.source.clone(), key.clone()))
            .collect()
    }

    /// Sources with device code that none of some units is made of.
    pub(super) fn without_unit(&self, units: &Units) -> Vec<&str> {
        let has_unit = |file: &str| {
            let path = self.out.join(file);
            units
                .units
                .binary_search_by(|unit| unit.file.cmp(&path))
                .is_ok()
        };
        let sources = self.files.iter().map(String::as_str);
        let sources = sources.filter(|file| file.ends_with(".cu") || file.ends_with(".hip"));
        sources.filter(|file| !has_unit(file)).collect()
    }
}

fn name_of(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// A name for the folder of a build: two ports have two.
fn folder_name(out: &Path) -> String {
    let hash = crate::port::Hash::of(out.as_os_str().as_encoded_bytes()).to_string();
    hash[..16].to_owned()
}

/// What the report of a port asks a build to define.
fn defines(out: &Path) -> Vec<String> {
    let text = std::fs::read(out.join(crate::pipeline::REPORT_NAME)).unwrap_or_default();
    let report: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
    let names = report["defines"].as_array().into_iter().flatten();
    let names = names.filter_map(serde_json::Value::as_str);
    names
        .map(|name| {
            if name.starts_with("-D") {
                name.to_owned()
            } else {
                format!("-D{name}")
            }
        })
        .collect()
}
