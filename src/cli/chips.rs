use anyhow::{Result, anyhow};
use serde::Serialize;

use super::args::ChipsArgs;
use super::{Exit, output};
use crate::mapping::{Chip, chip};

/// One chip as JSON.
#[derive(Serialize)]
struct Listed<'c> {
    target: &'c str,
    family: &'c str,
    /// Lanes of a wavefront.
    wavefront: u8,
    /// KiB of LDS that a block may use.
    lds_kib: u32,
    images: bool,
    matrix: Option<String>,
    features: &'c [String],
    products: &'c [String],
}

/// Lists the chips that `--target` takes, or one of them.
pub(super) fn run(args: &ChipsArgs) -> Result<Exit> {
    let wanted = args.chip.as_deref().map(chip::target_id).transpose();
    let wanted = wanted.map_err(|problem| anyhow!(problem))?;
    let is_wanted = |name: &str| {
        let wanted = wanted.as_deref();
        wanted.is_none_or(|wanted| chip::of_target(wanted) == name)
    };
    let chips: Vec<Listed<'_>> = chip::all()
        .filter(|(name, _)| is_wanted(name))
        .map(|(name, chip)| listed(name, chip))
        .collect();
    if args.answer.is_json() {
        output::print(&(serde_json::to_string_pretty(&chips)? + "\n"))?;
    } else {
        output::print(&table(&chips))?;
    }
    Ok(Exit::Clean)
}

fn listed<'c>(target: &'c str, chip: &'c Chip) -> Listed<'c> {
    Listed {
        target,
        family: &chip.family,
        wavefront: chip.wave,
        lds_kib: chip.lds,
        images: chip.images,
        matrix: chip.matrix.map(|kind| format!("{kind:?}").to_lowercase()),
        features: &chip.features,
        products: &chip.products,
    }
}

fn table(chips: &[Listed<'_>]) -> String {
    let mut text = format!(
        "{:<16} {:<8} {:>4} {:>7} {:<6} {:<6} {:<13} {}\n",
        "target", "family", "wave", "LDS KiB", "images", "matrix", "features", "products"
    );
    for chip in chips {
        let line = format!(
            "{:<16} {:<8} {:>4} {:>7} {:<6} {:<6} {:<13} {}",
            chip.target,
            chip.family,
            chip.wavefront,
            chip.lds_kib,
            if chip.images { "yes" } else { "no" },
            chip.matrix.as_deref().unwrap_or("-"),
            chip.features.join(","),
            chip.products.join(", ")
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
