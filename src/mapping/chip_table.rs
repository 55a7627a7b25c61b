//! The table `mappings/chips.toml` as written, and what must hold in it. The build script reads it as well.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

/// AMD's GPUs and the releases of ROCm.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChipTable {
    /// Releases that there were, oldest first.
    pub rocm: Vec<String>,
    /// By release of ROCm, from which on it holds: the release of NCCL that RCCL follows, as `2.22.3`.
    pub nccl: BTreeMap<String, String>,
    /// By name: `gfx90a`.
    pub chips: BTreeMap<String, Chip>,
}

/// What is known of one GPU, or of one binary for several.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chip {
    /// Architecture: `CDNA 3`.
    pub family: String,
    /// Lanes of a wavefront, as HIP compiles for it.
    pub wave: u8,
    /// KiB of LDS that a block may use.
    pub lds: u32,
    /// It has image instructions.
    #[serde(default)]
    pub images: bool,
    /// It has matrix instructions on numbers rounded to TF32, `v_mfma_*_xf32`.
    #[serde(default)]
    pub xf32: bool,
    /// Its instructions on matrices.
    #[serde(default)]
    pub matrix: Option<Matrix>,
    /// Features that a target id may switch: `xnack`.
    #[serde(default)]
    pub features: Vec<String>,
    /// What it is sold as.
    #[serde(default)]
    pub products: Vec<String>,
}

/// Instructions on matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Matrix {
    /// Matrix fused multiply-add, CDNA.
    Mfma,
    /// Wave matrix multiply-accumulate, RDNA.
    Wmma,
}

impl ChipTable {
    /// Reads the table.
    ///
    /// # Errors
    /// All that is wrong in it: what is no TOML of this shape, names that are no target, sizes that no chip has, one product twice.
    pub(crate) fn parse(text: &str) -> Result<Self, Vec<String>> {
        let table: Self = toml::from_str(text).map_err(|error| vec![error.to_string()])?;
        let problems = table.problems();
        if problems.is_empty() {
            Ok(table)
        } else {
            Err(problems)
        }
    }

    fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let mut products = BTreeSet::new();
        for (name, chip) in &self.chips {
            let mut wrong = |is_wrong: bool, what: &str| {
                problems.extend(is_wrong.then(|| format!("chip `{name}`: {what}")));
            };
            wrong(!name.starts_with("gfx"), "names begin with `gfx`");
            wrong(
                !matches!(chip.wave, 32 | 64),
                "wavefronts have 32 or 64 lanes",
            );
            wrong(
                !(64..=1024).contains(&chip.lds),
                "`lds` is in KiB, at least 64",
            );
            let known = |feature: &String| matches!(feature.as_str(), "sramecc" | "xnack");
            wrong(
                !chip.features.iter().all(known),
                "features are `sramecc` and `xnack`",
            );
            wrong(
                !chip.features.is_sorted(),
                "features of a target id are in alphabetical order",
            );
            for product in &chip.products {
                wrong(
                    !products.insert(product.to_lowercase()),
                    "another chip has this product",
                );
            }
        }
        let pair = |release: &String| {
            let (major, minor) = release.split_once('.')?;
            Some((major.parse::<u16>().ok()?, minor.parse::<u16>().ok()?))
        };
        let releases: Vec<_> = self.rocm.iter().map(pair).collect();
        if releases.contains(&None) || !releases.is_sorted() {
            problems.push("`rocm` has releases like 6.4, oldest first".to_owned());
        }
        for (release, nccl) in &self.nccl {
            if !self.rocm.contains(release) || numbers(nccl).is_none() {
                problems.push(format!(
                    "`nccl` has releases of ROCm and of NCCL, like \"6.4\" = \"2.22.3\": {release}"
                ));
            }
        }
        problems
    }
}

/// The three numbers of a release: `2.22.3`.
pub(crate) fn numbers(release: &str) -> Option<[u32; 3]> {
    let numbers: Option<Vec<u32>> = release.split('.').map(|it| it.parse().ok()).collect();
    numbers?.try_into().ok()
}
