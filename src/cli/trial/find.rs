//! The units of a port: by the first way that gives some, or by the one that was asked for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use rustc_hash::{FxHashMap, FxHashSet};

use super::place;
use crate::cli::args::{Finding, UnitArgs};
use crate::cli::input;
use crate::pipeline::{EntryKind, Filter, slashed, walk};
use crate::port::{Manifest, Port};
use crate::trial::{Compiler, Tree, Units, Way, by_cmake, by_database, by_includes, by_make};

/// A port that is looked at.
pub(in crate::cli) struct Place {
    /// Its folder, absolute.
    pub(in crate::cli) out: PathBuf,
    /// What earlier runs wrote into it.
    pub(super) known: Manifest,
    /// Its files.
    files: Vec<String>,
    /// What its report says of its build.
    told: Told,
}

/// What the report of a port says of its build.
#[derive(Default)]
struct Told {
    /// Macros that it asks for.
    defines: Vec<String>,
    /// Folders, with `/` at their end, and files of NVIDIA's build, which have counterparts for AMD.
    of_nvidia: Vec<String>,
    /// Files in which PyTorch's build renames CUDA's names.
    of_pytorch: FxHashSet<String>,
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
            told: Told::new(out),
        })
    }

    /// The units, and why other ways gave none.
    ///
    /// # Errors
    /// When a way that was asked for gives none.
    pub(super) fn units(
        &self,
        args: &UnitArgs,
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
            Finding::Make => self.by_make(),
            Finding::Includes => {
                let units = self.by_includes(compiler);
                match (units.units.is_empty(), units.missing.is_empty()) {
                    (false, _) => Some(Ok(units)),
                    (true, false) => Some(Err(format!(
                        "{}: has no unit for AMD: {}",
                        self.out.display(),
                        units.missing.join("; ")
                    ))),
                    (true, true) => None,
                }
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
        let mut units = by_includes(&Tree {
            out: &self.out,
            files: &self.files,
            is_translated: &is_translated,
            foreign: &foreign,
            defines: &self.told.defines,
        });
        self.leave_to_others(&mut units);
        units
    }

    /// Takes out the units that no build for AMD compiles as they are, and says so.
    fn leave_to_others(&self, units: &mut Units) {
        let (mut of_nvidia, mut of_pytorch) = (0, 0);
        units.units.retain(|unit| {
            let name = unit.file.strip_prefix(&self.out).unwrap_or(&unit.file);
            let (nvidia, pytorch) = self.told.owners(&slashed(name));
            of_nvidia += usize::from(nvidia);
            of_pytorch += usize::from(pytorch && !nvidia);
            !nvidia && !pytorch
        });
        let sources = |count| crate::report::plural(count, "source");
        if of_nvidia > 0 {
            units.missing.push(format!(
                "{of_nvidia} {} of NVIDIA's build, which others of the port serve for AMD, are left out",
                sources(of_nvidia)
            ));
        }
        if of_pytorch > 0 {
            units.missing.push(format!(
                "{of_pytorch} {} in which PyTorch's build renames CUDA's names before it compiles are left out: build the extension",
                sources(of_pytorch)
            ));
        }
    }

    /// The Makefiles that lie in no folder with one are asked, then those of folders whose sources they did not build.
    fn by_make(&self) -> Option<Result<Units, String>> {
        let all = self.makefiles();
        let is_below = |folder: &str, top: &str| {
            folder != top
                && (top.is_empty()
                    || folder
                        .strip_prefix(top)
                        .is_some_and(|rest| rest.starts_with('/')))
        };
        let is_top = |folder: &str| !all.keys().any(|top| is_below(folder, top));
        let paths = |wanted: &dyn Fn(&str) -> bool| -> Vec<PathBuf> {
            let wanted = all.iter().filter(|(folder, _)| wanted(folder));
            wanted.map(|(_, file)| self.out.join(file)).collect()
        };
        let tops = paths(&is_top);
        if tops.is_empty() {
            return None;
        }
        let first = by_make(&tops, &self.out, input::interrupted());
        let mut left: BTreeSet<&str> = match &first {
            Ok(units) => self
                .without_unit(units)
                .into_iter()
                .map(folder_of)
                .collect(),
            Err(_) => self.files.iter().map(|file| folder_of(file)).collect(),
        };
        left.retain(|folder| !is_top(folder));
        let more = paths(&|folder| left.contains(folder));
        let second = (!more.is_empty()).then(|| by_make(&more, &self.out, input::interrupted()));
        Some(match (first, second) {
            (Ok(first), Some(Ok(second))) => {
                let units = first.units.into_iter().chain(second.units).collect();
                let missing = first.missing.into_iter().chain(second.missing).collect();
                Ok(Units::new(
                    Way::Make(tops.len() + more.len()),
                    units,
                    missing,
                ))
            }
            (Err(_), Some(Ok(second))) => Ok(second),
            (Ok(mut first), Some(Err(why))) => {
                first.missing.push(why);
                Ok(first)
            }
            (first, _) => first,
        })
    }

    /// By folder the Makefile that a build for AMD would take: a project may have one beside the other.
    fn makefiles(&self) -> BTreeMap<&str, &str> {
        const NAMES: [&str; 6] = [
            "makefile.hip",
            "makefile.rocm",
            "makefile.amd",
            "gnumakefile",
            "makefile",
            "makefile.mk",
        ];
        let rank = |file: &str| {
            let name = name_of(file).to_ascii_lowercase();
            NAMES.iter().position(|known| **known == name)
        };
        let mut found = BTreeMap::<&str, (usize, &str)>::new();
        for file in &self.files {
            if let Some(rank) = rank(file) {
                let best = found.entry(folder_of(file)).or_insert((rank, file));
                *best = (*best).min((rank, file));
            }
        }
        found
            .into_iter()
            .map(|(folder, (_, file))| (folder, file))
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

    /// Gives units that the build for CUDA has the macros that the report asks for, and says so.
    pub(super) fn define(&self, units: &mut Units) {
        let of_nvcc = |name: &String| name_of(name).starts_with("nvcc");
        let all = units
            .units
            .iter_mut()
            .filter(|unit| unit.program.as_ref().is_some_and(of_nvcc));
        let mut count = 0;
        for unit in all {
            count += 1;
            unit.options.extend(self.told.defines.iter().cloned());
        }
        if count > 0 {
            let with = match self.told.defines.as_slice() {
                [] => String::new(),
                defines => format!(", with what the report asks for: {}", defines.join(" ")),
            };
            units.missing.push(format!("{count} commands call nvcc: they are of the build for CUDA and are read as clang would have them{with}"));
        }
    }

    /// Whether a file of the port could be what an include means.
    pub(super) fn has_header(&self, path: &str) -> bool {
        let is_it = |file: &String| {
            file.strip_suffix(path)
                .is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        self.files.iter().any(is_it)
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
        let is_left = |file: &str| self.told.owners(file) != (false, false);
        sources
            .filter(|file| !has_unit(file) && !is_left(file))
            .collect()
    }
}

fn folder_of(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn name_of(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// A name for the folder of a build: two ports have two.
fn folder_name(out: &Path) -> String {
    let hash = crate::port::Hash::of(out.as_os_str().as_encoded_bytes()).to_string();
    hash[..16].to_owned()
}

impl Told {
    /// Reads the report of a port; nothing where there is none.
    fn new(out: &Path) -> Self {
        let text = std::fs::read(out.join(crate::pipeline::REPORT_NAME)).unwrap_or_default();
        let report: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
        let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
        let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
        let define = |name: String| match name.starts_with("-D") {
            true => name,
            false => format!("-D{name}"),
        };
        let supports = list(&report["hip_support"]);
        let twins = supports.iter().flat_map(|it| list(&it["twins"]));
        let files = list(&report["files"]);
        let of_pytorch = files.iter().filter(|it| it["renamed_by_pytorch"] == true);
        Self {
            defines: list(&report["defines"])
                .iter()
                .filter_map(text)
                .map(define)
                .collect(),
            of_nvidia: twins.filter_map(|it| text(&it["nvidia"])).collect(),
            of_pytorch: of_pytorch
                .filter_map(|it| text(&it["output"]).or_else(|| text(&it["path"])))
                .collect(),
        }
    }

    /// Whether a file is of NVIDIA's build, and whether PyTorch's renames names in it.
    fn owners(&self, file: &str) -> (bool, bool) {
        let mut twins = self.of_nvidia.iter();
        let of_nvidia = twins.any(|twin| match twin.ends_with('/') {
            true => file.starts_with(twin.as_str()),
            false => file == twin,
        });
        (of_nvidia, self.of_pytorch.contains(file))
    }
}
