//! The support for AMD that the sources have already, as reports tell it.

use std::collections::BTreeMap;

use crate::engine::Session;
use crate::options::{Dialect, HipSupport, Vendors};
use crate::pipeline::PlannedFile;
use crate::project::owner::Owner;
use crate::project::support::{Layer, Scope};
use crate::report::{self, BuildSigns, CudaFolder, Mapping, Twin};
use crate::text::{BuildTool, Language};

/// What a session found, unless a person wants it passed over; `prefix` goes before the paths. Parts that PyTorch builds have ways of
/// their own.
pub(super) fn supports(session: &Session, prefix: &str) -> Vec<report::HipSupport> {
    if session.options.reverse || session.options.hip_support == HipSupport::Ignore {
        return Vec::new();
    }
    let is_kept = |path: &str| session.dialect_of_path(path) != Dialect::Torch;
    let support = &session.support;
    let scopes = support.scopes.iter();
    let mut found: Vec<report::HipSupport> = scopes
        .filter(|scope| is_kept(&format!("{}CMakeLists.txt", scope.root)))
        .map(|scope| of_scope(scope, &support.cuda_folders, prefix))
        .collect();
    let pairs = support.twins.folders.iter().chain(&support.twins.files);
    for (nvidia, amd) in pairs.filter(|(nvidia, _)| is_kept(nvidia)) {
        let twin = Twin {
            nvidia: format!("{prefix}{nvidia}"),
            amd: format!("{prefix}{amd}"),
        };
        let around = found
            .iter()
            .position(|it| twin.nvidia.starts_with(&it.folder));
        let at = around.unwrap_or_else(|| {
            found.push(report::HipSupport {
                folder: prefix.to_owned(),
                ..report::HipSupport::default()
            });
            found.len() - 1
        });
        found[at].twins.push(twin);
    }
    found
}

/// Says of each file whether PyTorch's build renames what stays in it; `prefix` is what stands before the names of the tree.
pub(super) fn add_builders(files: &mut [report::FileReport], prefix: &str, session: &Session) {
    for file in files {
        let name = file.path.strip_prefix(prefix).unwrap_or(&file.path);
        let is_code = Language::of_path(name) == Language::CFamily;
        file.renamed_by_pytorch = is_code && is_renamed(session, name);
    }
}

/// Whether PyTorch's build renames what stays in a file, rather than headers of ours.
fn is_renamed(session: &Session, name: &str) -> bool {
    let is_alone = session.vendors_of(name) != session.options.vendors;
    session.dialect_of_path(name) == Dialect::Torch && !is_alone
}

/// What was chosen for these files where nobody asked, and how to choose otherwise: a line each.
pub(super) fn chosen(session: &Session, files: &[PlannedFile]) -> Vec<String> {
    let options = &session.options;
    if options.reverse {
        return Vec::new();
    }
    let names = || files.iter().map(|file| file.entry.name());
    let is_code = |name: &String| Language::of_path(name) == Language::CFamily;
    let is_torch = |name: &String| is_renamed(session, name);
    let is_open = options.dialect == Dialect::Auto && options.vendors == Vendors::Auto;
    let torch = match is_open {
        true => names()
            .filter(|name| is_code(name) && is_torch(name))
            .count(),
        false => 0,
    };
    let dialect = (torch > 0).then(|| {
        let files = report::plural(torch, "file");
        format!(
            "PyTorch extension, {torch} {files} in dialect torch: PyTorch's build renames CUDA's names itself, so one source serves both vendors and only what that leaves is changed; `--dialect cuda` translates all"
        )
    });
    let is_list = |name: String| {
        let tools = [BuildTool::CMake, BuildTool::Make];
        tools
            .map(Language::Build)
            .contains(&Language::of_path(&name))
            && !is_torch(&name)
            && session.support.owner(&name) == Owner::Ours
    };
    // What serves both vendors is no code for AMD alone.
    let is_beside = |name: &String| !is_torch(name) && session.vendors_of(name) == options.vendors;
    let vendors = match options.vendors {
        Vendors::Auto if names().any(is_list) => Some(FOR_AMD.to_owned()),
        Vendors::Auto if torch > 0 => beside(session, names().filter(is_beside)),
        Vendors::Auto | Vendors::Amd => None,
        Vendors::Both => Some(FOR_BOTH.to_owned()),
    };
    let alone = names()
        .filter(|name| is_code(name) && session.vendors_of(name) != options.vendors)
        .count();
    let alone = (alone > 0).then(|| {
        let (files, serve) = match alone {
            1 => ("file", "serves"),
            _ => ("files", "serve"),
        };
        format!("{alone} {files} for CUDA alone {serve} both vendors now: {FOR_ALONE}")
    });
    dialect.into_iter().chain(vendors).chain(alone).collect()
}

/// What is said of kernels beside an extension, which PyTorch's build does not have.
fn beside(session: &Session, names: impl Iterator<Item = String>) -> Option<String> {
    let is_kernel =
        |name: &String| name.ends_with(".cu") && session.support.owner(name) == Owner::Ours;
    let mut kernels = names.filter(is_kernel);
    let first = kernels.next()?;
    let more = match kernels.count() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "vendors: {first}{more} for AMD alone: no source of the extension; `--vendors both` keeps the build for NVIDIA"
    ))
}

/// How code that a project has for CUDA alone is built for AMD.
const FOR_ALONE: &str = "a build for AMD takes such code with `-I cass_hip -include cass_cuda_shim.h -DUSE_ROCM`; `--vendors amd` translates them for AMD alone";

/// What is said of lists that a translation took from NVIDIA.
const FOR_AMD: &str =
    "vendors: build files for AMD alone; `--vendors both` keeps the build for NVIDIA";

/// What is said where a person asked for both.
const FOR_BOTH: &str = "vendors: both, in later runs too; an edit means the same to NVIDIA's compiler, stands beside what was there (USE_ROCM in sources, USE_HIP in build files), or is a finding";

fn of_scope(
    scope: &Scope,
    cuda_folders: &BTreeMap<String, usize>,
    prefix: &str,
) -> report::HipSupport {
    let mapping = |(path, names): &(String, usize)| Mapping {
        path: format!("{prefix}{path}"),
        names: *names,
    };
    let layer = |layer: &Layer| Mapping {
        path: format!("{prefix}{}", layer.header),
        names: layer.names.len(),
    };
    let build = scope.signs.iter().map(|(path, signs)| BuildSigns {
        path: format!("{prefix}{path}"),
        signs: signs.iter().cloned().collect(),
    });
    let alone = cuda_folders.iter().filter(|(path, _)| scope.is_left(path));
    let folder = |(path, files): (&String, &usize)| CudaFolder {
        path: format!(
            "{prefix}{}",
            path.rsplit_once('/').map_or(".", |(folder, _)| folder)
        ),
        files: *files,
    };
    report::HipSupport {
        folder: format!("{prefix}{}", scope.root),
        macros: scope.switches.union(&scope.options).cloned().collect(),
        mappings: scope.mappings.iter().map(mapping).collect(),
        layers: scope.layers.iter().map(layer).collect(),
        build: build.collect(),
        hipify: scope.hipifies,
        cuda_alone: alone.map(folder).collect(),
        twins: Vec::new(),
    }
}
