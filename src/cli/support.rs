//! The support for AMD that the sources have already, as reports tell it.

use std::collections::BTreeMap;

use crate::engine::Session;
use crate::options::{Dialect, HipSupport};
use crate::project::support::{Layer, Scope};
use crate::report::{self, BuildSigns, CudaFolder, Mapping, Twin};

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
