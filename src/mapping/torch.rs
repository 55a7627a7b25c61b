//! The table `mappings/torch.toml`: what PyTorch's own hipify renames when it builds an extension for ROCm.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::entry::{ApiEntry, Support, Verb};
use super::origin::Origin;
use super::reverse::HEADERS;
use super::table::ApiTable;

/// What PyTorch's hipify renames, by kind of key. Names that only some of the listed releases rename have a span.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TorchTable {
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "it says which releases to look at")
    )]
    releases: Vec<String>,
    names: BTreeMap<String, TorchName>,
    headers: BTreeMap<String, TorchName>,
    qualified: BTreeMap<String, TorchName>,
}

/// What a key becomes, in all releases or in some.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum TorchName {
    Always(String),
    Sometimes(Spanned),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Spanned {
    hip: String,
    #[expect(dead_code, reason = "it says which release to look at")]
    since: Option<String>,
    #[expect(dead_code, reason = "it says which release to look at")]
    until: Option<String>,
}

/// Folders of PyTorch's own headers, which its build rewrites by their path.
const OWN_HEADERS: &[&str] = &["ATen/", "c10/", "torch/", "THC/", "caffe2/"];

impl TorchTable {
    /// The table that is compiled in.
    pub(crate) fn builtin() -> &'static Self {
        static TABLE: LazyLock<TorchTable> = LazyLock::new(|| {
            toml::from_str(include_str!("../../mappings/torch.toml"))
                .expect("the compiled-in table of PyTorch's renames is valid, a test reads it")
        });
        &TABLE
    }

    /// What an identifier becomes.
    pub(crate) fn target(&self, name: &str) -> Option<&str> {
        self.names.get(name).map(TorchName::hip)
    }

    /// Whether it renames an identifier.
    pub(crate) fn renames(&self, name: &[u8]) -> bool {
        let name = std::str::from_utf8(name);
        name.is_ok_and(|name| self.names.contains_key(name))
    }

    /// Whether it renames a header.
    pub(crate) fn renames_header(&self, path: &[u8]) -> bool {
        let path = std::str::from_utf8(path);
        path.is_ok_and(|path| self.headers.contains_key(path))
    }

    /// What a member of a namespace becomes: `cub::BlockReduce`.
    pub(crate) fn qualified(&self, name: &str) -> Option<&str> {
        self.qualified.get(name).map(TorchName::hip)
    }

    /// CUDA's header that PyTorch's build turns into this one of AMD's, so that an include of it serves both vendors.
    pub(crate) fn header_for_both(&self, hip: &str) -> Option<&'static str> {
        let (_, cuda) = HEADERS.iter().find(|(target, _)| *target == hip)?;
        let renamed = self.headers.get(*cuda).map(TorchName::hip);
        (renamed == Some(hip)).then_some(*cuda)
    }

    /// What PyTorch for ROCm calls one of its own headers: `c10/hip/HIPStream.h` for `c10/cuda/CUDAStream.h`.
    pub(crate) fn own_header(&self, path: &str) -> Option<String> {
        let is_own = OWN_HEADERS.iter().any(|folder| path.starts_with(folder));
        let renamed = self.headers.get(path).map(TorchName::hip);
        // Its hipify names the file by the same words where no row does.
        let by_words = || path.replace("cuda", "hip").replace("CUDA", "HIP");
        let renamed = renamed.map_or_else(by_words, str::to_owned);
        (is_own && renamed != path).then_some(renamed)
    }

    /// Whether PyTorch's build takes care of an include: its own headers, and those of CUDA that it renames.
    pub(crate) fn converts_include(&self, path: &str) -> bool {
        self.headers.contains_key(path)
            || OWN_HEADERS.iter().any(|folder| path.starts_with(folder))
            || path.starts_with("thrust/system/cuda/")
    }
}

impl TorchName {
    fn hip(&self) -> &str {
        match self {
            Self::Always(hip) => hip,
            Self::Sometimes(spanned) => &spanned.hip,
        }
    }
}

impl ApiTable {
    /// The table of the dialect `torch`: what PyTorch renames itself keeps its name and is no finding. Overlays go over that. Its hipify also
    /// renames some four hundred names to ones that no header of ROCm has, `CUDA_ERROR_NOT_PERMITTED` to `hipErrorNotPermitted`, or that mean
    /// something else there: they are told. NVML's become those of ROCm SMI, which exist.
    #[must_use]
    pub(crate) fn for_torch(&self) -> Self {
        let is_of_nvml = |name: &str| name.starts_with("nvml") || name.starts_with("NVML_");
        self.with_kept(|entry| entry.support != Support::Unsupported || is_of_nvml(entry.cuda))
    }

    /// The table of one source for both vendors that no build rewrites: macros of the project rename what one can, and calls that need more
    /// change.
    #[must_use]
    pub(crate) fn for_macros(&self) -> Self {
        self.with_kept(ApiEntry::fits_macro)
    }

    fn with_kept(&self, is_renamed: impl Fn(&ApiEntry) -> bool) -> Self {
        let torch = TorchTable::builtin();
        let base = Self::builtin();
        let names = torch.names.iter().filter_map(|(name, target)| {
            let hit = base.get(name.as_bytes())?;
            let entry = is_renamed(hit.entry).then_some(hit.entry)?;
            Some((kept(entry, Some(target.hip())), hit.origin))
        });
        let headers = torch.headers.keys().filter_map(|path| {
            let hit = base.header(path.as_bytes())?;
            (hit.entry.cuda == path).then(|| (kept(hit.entry, None), hit.origin))
        });
        let kept: Vec<(ApiEntry, Origin)> = names.chain(headers).collect();
        let table = base.with(kept).with(self.overlays());
        table.with_rules(self.rules().iter().copied())
    }
}

/// The entry of a name that PyTorch renames: it stays, and only what the call needs besides the name is left to do.
fn kept(entry: &ApiEntry, target: Option<&str>) -> ApiEntry {
    let mut stays = entry.clone();
    stays.hip = Some(entry.cuda);
    // The call changes as ours does only where the function is ours; a cast to a type of C++ is right on both vendors.
    let is_ours = target.is_none() || target == entry.hip;
    let is_cast = |verb: &Verb<'_>| matches!(verb, Verb::Cast(ty) if !ty.contains("hip"));
    stays.args.retain(|edit| is_ours && is_cast(&edit.verb));
    stays.forms.clear();
    stays.roc = None;
    stays.older.clear();
    stays.support = Support::Full;
    stays.note = None;
    stays.include = None;
    stays.rocm = super::Span::default();
    stays.unless.clear();
    stays
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_pytorch_renames_stay_and_others_do_not() {
        let table = ApiTable::builtin().for_torch();
        let target = |name: &str| table.get(name.as_bytes()).and_then(|hit| hit.entry.hip);
        assert_eq!(target("cudaMalloc"), Some("cudaMalloc"));
        assert_eq!(target("cudaStream_t"), Some("cudaStream_t"));
        assert_ne!(target("nv_bfloat162"), Some("nv_bfloat162"));
        assert_eq!(target("CUDA_ERROR_NOT_PERMITTED"), None);
        assert_eq!(target("nvmlReturn_t"), Some("nvmlReturn_t"));
        let header = table
            .header(b"cuda_runtime.h")
            .and_then(|hit| hit.entry.hip);
        assert_eq!(header, Some("cuda_runtime.h"));
    }

    #[test]
    fn the_table_knows_what_headers_the_build_converts() {
        let torch = TorchTable::builtin();
        assert!(torch.converts_include("ATen/cuda/CUDAContext.h"));
        assert!(torch.converts_include("cuda_fp16.h"));
        assert!(!torch.converts_include("device_launch_parameters.h"));
        assert_eq!(
            torch.qualified("cub::BlockReduce"),
            Some("hipcub::BlockReduce")
        );
        assert!(!torch.releases.is_empty());
        assert!(torch.names.len() > 3000);
    }
}
