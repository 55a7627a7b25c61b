//! AMD's GPUs by target id and by product, from `mappings/chips.toml`.

use std::sync::LazyLock;

use super::Version;
use super::chip_table::{Chip, ChipTable, numbers};
use crate::text::nearest;

static TABLE: LazyLock<ChipTable> = LazyLock::new(|| {
    ChipTable::parse(include_str!("../../mappings/chips.toml"))
        .expect("the build checked the table")
});

/// Names of chips, in the order of the table.
pub type Names = &'static [&'static str];

/// The names of the chips that `wanted` takes.
fn names(wanted: impl Fn(&Chip) -> bool) -> Vec<&'static str> {
    let chips = TABLE.chips.iter().filter(|(_, chip)| wanted(chip));
    chips.map(|(name, _)| name.as_str()).collect()
}

/// Chips whose blocks have no more than `kib` KiB of LDS; 64 is the least that there is.
pub(crate) fn with_lds_up_to_64() -> Names {
    static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| names(|chip| chip.lds <= 64));
    &NAMES
}

/// Chips with wavefronts of 64 lanes.
pub(crate) fn with_wave64() -> Names {
    static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| names(|chip| chip.wave == 64));
    &NAMES
}

/// Chips without image instructions.
pub(crate) fn without_images() -> Names {
    static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| names(|chip| !chip.images));
    &NAMES
}

/// Chips without products of numbers rounded to TF32.
pub(crate) fn without_xf32() -> Names {
    static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| names(|chip| !chip.xf32));
    &NAMES
}

/// What a machine without a GPU compiles for where nobody said: AMD's accelerators of two generations (MI200, MI300), and a card.
pub(crate) const WITHOUT_GPU: [&str; 3] = ["gfx90a", "gfx942", "gfx1100"];

/// All chips by target id, in its order.
pub fn all() -> impl Iterator<Item = (&'static str, &'static Chip)> {
    TABLE.chips.iter().map(|(name, chip)| (name.as_str(), chip))
}

/// Whether a text names AMD, one of its GPUs or what runs on them, by a word of it: `MI300X`, `gfx942`, `ROCm`.
pub(crate) fn names_amd(text: &str) -> bool {
    const NAMES: &[&str] = &["amd", "cdna", "hip", "instinct", "radeon", "rdna", "rocm"];
    const NUMBERED: &[&str] = &["mi", "gfx", "cdna", "rdna"];
    let lower = text.to_ascii_lowercase();
    let mut words = lower.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.any(|word| {
        let mut numbers = NUMBERED.iter().filter_map(|it| word.strip_prefix(it));
        NAMES.contains(&word)
            || numbers.any(|it| it.starts_with(|first: char| first.is_ascii_digit()))
    })
}

/// Whether a text has the target id of a chip as a word of it: `gfx950`, `mla_gfx1250`.
pub(crate) fn names_chip(text: &str) -> bool {
    let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.any(|word| {
        let number = word.strip_prefix("gfx");
        number.is_some_and(|it| it.starts_with(|first: char| first.is_ascii_digit()))
    })
}

/// Whether PyTorch gives a GPU of AMD this capability: the numbers in front of the last digit of its target id, which is (9, 0) for gfx90a
/// and (10, 3) for gfx1030.
pub(crate) fn has_capability(major: &str, minor: &str) -> bool {
    let own = format!("gfx{major}{minor}");
    let is_its = |name: &str| name.len() == own.len() + 1 && name.starts_with(&own);
    all().any(|(name, _)| is_its(name))
}

/// What is known of the chip of a target id.
pub fn about(target: &str) -> Option<&'static Chip> {
    TABLE.chips.get(of_target(target))
}

/// The chip of a target id, features aside: `gfx90a` of `gfx90a:xnack-`.
pub(crate) fn of_target(target: &str) -> &str {
    target.split(':').next().unwrap_or(target)
}

/// Whether a target id is one of these chips.
pub(crate) fn is_one_of(target: &str, chips: &[&str]) -> bool {
    chips.contains(&of_target(target))
}

/// The target id that a person means: `gfx942:sramecc+:xnack-`, `MI300X`, `Radeon RX 7900 XTX`; case, blanks and hyphens in names of
/// products do not matter.
///
/// # Errors
/// With what is wrong and what may be meant.
pub(crate) fn target_id(text: &str) -> Result<String, String> {
    let lower = text.trim().to_ascii_lowercase();
    let mut parts = lower.split(':');
    let name = parts.next().unwrap_or_default();
    let Some(chip) = TABLE.chips.get(name) else {
        return product(&lower)
            .map(str::to_owned)
            .ok_or_else(|| unknown(text));
    };
    let mut seen = Vec::new();
    for feature in parts {
        let bare = feature.strip_suffix(['+', '-']);
        let known = bare.filter(|bare| chip.features.iter().any(|it| it == bare));
        let Some(known) = known.filter(|known| !seen.contains(known)) else {
            return Err(missing_feature(text, name, chip));
        };
        seen.push(known);
    }
    Ok(lower)
}

fn plain(product: &str) -> String {
    let letters = product.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The chip that is sold under a name, with or without the name of its series.
fn product(text: &str) -> Option<&'static str> {
    let wanted = plain(text);
    let words = ["amd", "radeon", "instinct", "pro"];
    let is_it = |product: &String| {
        let mut name = plain(product);
        let mut wanted = wanted.as_str();
        loop {
            if name == wanted {
                return true;
            }
            // `RX 7900 XTX`, `AMD Instinct MI300X`
            match words.iter().find(|word| name.starts_with(**word)) {
                Some(word) => name = name[word.len()..].to_owned(),
                None => match wanted.strip_prefix("amd") {
                    Some(rest) => (name, wanted) = (plain(product), rest),
                    None => return false,
                },
            }
        }
    };
    let mut chips = TABLE.chips.iter();
    let found = chips.find(|(_, chip)| !wanted.is_empty() && chip.products.iter().any(is_it));
    found.map(|(name, _)| name.as_str())
}

fn unknown(text: &str) -> String {
    let products = TABLE.chips.values().flat_map(|chip| &chip.products);
    // `MI300X` is what people say of an `Instinct MI300X`.
    let short = products
        .clone()
        .filter_map(|product| Some(product.split_once(' ')?.1));
    let all = TABLE.chips.keys().chain(products).map(String::as_str);
    let wanted = plain(text);
    let longer: Vec<String> = all
        .clone()
        .chain(short.clone())
        .filter(|name| wanted.len() > 2 && plain(name).starts_with(&wanted))
        .map(|name| format!("`{name}`"))
        .take(3)
        .collect();
    let near = nearest(text, all.chain(short)).map(|near| format!("`{near}`"));
    let hint = match longer.as_slice() {
        [] => near.map_or_else(String::new, |near| format!("; did you mean {near}?")),
        names => format!("; did you mean {}?", names.join(" or ")),
    };
    format!(
        "`{text}` is no chip that the tables know: give a target id such as gfx90a, gfx942:xnack- or gfx1100, or a product such as MI300X{hint}"
    )
}

fn missing_feature(text: &str, name: &str, chip: &Chip) -> String {
    match chip.features.as_slice() {
        [] => format!("`{text}`: {name} has no features that a target id switches; write `{name}`"),
        features => {
            let known: Vec<String> = features
                .iter()
                .map(|it| format!("`{it}+`, `{it}-`"))
                .collect();
            let known = known.join(", ");
            format!("`{text}`: target ids of {name} have the features {known}, each once")
        }
    }
}

/// The ROCm release that a person means; a patch level is dropped.
///
/// # Errors
/// With what is wrong and which releases there are.
pub fn rocm_release(text: &str) -> Result<Version, String> {
    let version: Version = text.parse()?;
    let known = || {
        TABLE
            .rocm
            .iter()
            .filter_map(|release| release.parse::<Version>().ok())
    };
    if known().any(|release| release == version) {
        return Ok(version);
    }
    let below = known().filter(|release| *release < version).max();
    let above = known().filter(|release| *release > version).min();
    let near: Vec<String> = below
        .into_iter()
        .chain(above)
        .map(|it| format!("`{it}`"))
        .collect();
    Err(format!(
        "`{text}` is no ROCm release that the tables know; the nearest: {}",
        near.join(" and ")
    ))
}

/// The release of NCCL whose interfaces the RCCL of a release of ROCm has; `None` before the table begins.
pub(crate) fn nccl_release(rocm: Version) -> Option<[u32; 3]> {
    let releases = TABLE.nccl.iter();
    let until = releases.filter_map(|(since, nccl)| Some((since.parse::<Version>().ok()?, nccl)));
    let (_, nccl) = until.filter(|(since, _)| *since <= rocm).max()?;
    numbers(nccl)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rccl_follows_a_release_of_nccl() {
        for (rocm, nccl) in [
            ((3, 3), None),
            ((5, 2), Some([2, 11, 4])),
            ((6, 4), Some([2, 22, 3])),
            ((7, 2), Some([2, 27, 7])),
            ((10, 1), Some([2, 30, 4])),
        ] {
            assert_eq!(nccl_release(Version::new(rocm.0, rocm.1)), nccl, "{rocm:?}");
        }
    }

    #[test]
    fn capabilities_are_the_numbers_of_target_ids() {
        let has = [("9", "0"), ("9", "4"), ("10", "3"), ("12", "0")];
        assert!(
            has.iter()
                .all(|(major, minor)| has_capability(major, minor))
        );
        let lacks = [("10", "0"), ("8", "6"), ("7", "5"), ("9", "")];
        assert!(
            !lacks
                .iter()
                .any(|(major, minor)| has_capability(major, minor))
        );
    }
    use crate::mapping::Matrix;

    #[test]
    fn targets_are_ids_and_products() {
        for (text, target) in [
            ("gfx90a", "gfx90a"),
            ("GFX90A", "gfx90a"),
            ("gfx90a:xnack-", "gfx90a:xnack-"),
            ("gfx942:sramecc+:xnack-", "gfx942:sramecc+:xnack-"),
            ("gfx11-generic", "gfx11-generic"),
            ("MI250", "gfx90a"),
            ("mi250x", "gfx90a"),
            ("MI300X", "gfx942"),
            ("AMD Instinct MI300X", "gfx942"),
            ("Instinct-MI300A", "gfx942"),
            ("Radeon RX 7900 XTX", "gfx1100"),
            ("RX 7900 XTX", "gfx1100"),
            ("rx7900xtx", "gfx1100"),
            ("AMD Radeon PRO W7900", "gfx1100"),
            ("W7900", "gfx1100"),
            ("Radeon VII", "gfx906"),
            ("AMD Radeon VII", "gfx906"),
        ] {
            assert_eq!(target_id(text).as_deref(), Ok(target), "{text}");
        }
    }

    #[test]
    fn what_is_no_target_is_refused_with_a_hint() {
        for (text, hint) in [
            ("nonsense", "is no chip"),
            ("gfx90", "gfx90a"),
            ("gfx909a", "did you mean `gfx90"),
            ("MI300", "did you mean `MI300"),
            ("gfx1100:xnack-", "has no features"),
            ("gfx900:sramecc+", "`xnack+`, `xnack-`"),
            ("gfx90a:xnack", "each once"),
            ("gfx90a:xnack+:xnack-", "each once"),
            ("gfx90a:", "each once"),
            ("", "is no chip"),
            ("RX", "is no chip"),
        ] {
            let message = target_id(text).expect_err(text);
            assert!(message.contains(hint), "{text}: {message}");
        }
    }

    #[test]
    fn releases_are_those_that_there_were() {
        assert_eq!(rocm_release("6.4.1"), Ok(Version::new(6, 4)));
        assert!(rocm_release("6.9").is_err_and(|it| it.contains("`6.4` and `7.0`")));
        assert!(rocm_release("99").is_err_and(|it| it.contains("`10.1`")));
        assert!(rocm_release("six").is_err_and(|it| it.contains("is not a version")));
    }

    #[test]
    fn chips_are_found_by_what_they_have() {
        assert!(is_one_of("gfx90a:xnack-", with_wave64()));
        assert!(!is_one_of("gfx1036", with_wave64()));
        assert!(is_one_of("gfx1036", with_lds_up_to_64()));
        assert!(!is_one_of("gfx950", with_lds_up_to_64()));
        assert!(is_one_of("gfx942:sramecc+:xnack-", without_images()));
        assert!(is_one_of("gfx950", without_xf32()) && !is_one_of("gfx942", without_xf32()));
        let known = about("gfx90a:xnack+").map(|chip| (chip.family.as_str(), chip.matrix));
        assert_eq!(known, Some(("CDNA 2", Some(Matrix::Mfma))));
    }

    #[test]
    fn a_table_that_is_wrong_is_refused() {
        let with = |nccl: &str, row: &str| {
            ChipTable::parse(&format!(
                "rocm = [\"6.4\"]\n[nccl]\n{nccl}\n[chips]\n{row}\n"
            ))
        };
        let table = |row: &str| with("\"6.4\" = \"2.22.3\"", row);
        assert!(table("gfx1 = { family = \"X\", wave = 64, lds = 64 }").is_ok());
        for row in [
            "mi1 = { family = \"X\", wave = 64, lds = 64 }",
            "gfx1 = { family = \"X\", wave = 48, lds = 64 }",
            "gfx1 = { family = \"X\", wave = 64, lds = 65536 }",
            "gfx1 = { family = \"X\", wave = 64, lds = 64, features = [\"sram\"] }",
            "gfx1 = { family = \"X\", wave = 64, lds = 64, features = [\"xnack\", \"sramecc\"] }",
            "gfx1 = { family = \"X\", wave = 64, lds = 64, products = [\"A\", \"a\"] }",
            "gfx1 = { family = \"X\", wave = 64, lds = 64, colour = 1 }",
        ] {
            assert!(table(row).is_err(), "{row}");
        }
        for nccl in ["\"6.5\" = \"2.22.3\"", "\"6.4\" = \"2.22\""] {
            let row = "gfx1 = { family = \"X\", wave = 64, lds = 64 }";
            assert!(with(nccl, row).is_err(), "{nccl}");
        }
    }
}
