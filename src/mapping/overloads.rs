//! The table `mappings/overloads.toml`: functions that CUDA has for more types, or for more sides, than HIP.

use std::sync::LazyLock;

use serde::Deserialize;

/// Functions that CUDA has for more types, or for more sides, than HIP.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OverloadTable {
    overload: Vec<Overload>,
}

/// An overload that HIP lacks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Overload {
    names: Vec<String>,
    /// The types of a call's arguments, `_` for any and `|` between several; of any call where it is empty.
    #[serde(default)]
    pub(crate) arguments: Vec<String>,
    /// The side on which HIP lacks it, where it has it on the other.
    #[serde(default)]
    pub(crate) side: Option<OverloadSide>,
    /// What arguments are to be cast to, empty for those that stay.
    #[serde(default)]
    pub(crate) cast: Vec<String>,
    /// The function that HIP has for these types, `{}` for the name.
    #[serde(default)]
    pub(crate) rename: Option<String>,
    message: String,
    /// What to do where nothing can be written.
    #[serde(default)]
    pub(crate) help: String,
}

/// Whom a function is called by.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum OverloadSide {
    /// Functions of the host alone.
    Host,
    /// Functions that may run on the device.
    Device,
}

impl OverloadTable {
    /// The table that is compiled in.
    pub(crate) fn builtin() -> &'static Self {
        static TABLE: LazyLock<OverloadTable> = LazyLock::new(|| {
            toml::from_str(include_str!("../../mappings/overloads.toml"))
                .expect("the compiled-in table of overloads is valid, a test reads it")
        });
        &TABLE
    }

    /// The functions that it has rows about.
    pub(crate) fn names() -> &'static [&'static str] {
        static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
            let rows = OverloadTable::builtin().overload.iter();
            let names = rows.flat_map(|row| row.names.iter().map(String::as_str));
            let names: std::collections::BTreeSet<&str> = names.collect();
            names.into_iter().collect()
        });
        &NAMES
    }

    /// The rows about a function, in the order of the table.
    pub(crate) fn rows(&self, name: &str) -> impl Iterator<Item = &Overload> {
        self.overload
            .iter()
            .filter(move |row| row.names.iter().any(|it| it == name))
    }
}

impl Overload {
    /// What is the matter with a call of a function.
    pub(crate) fn message(&self, name: &str) -> String {
        self.message.replace("{}", name)
    }

    /// Whether a type is one of those that a row says of an argument.
    pub(crate) fn takes(pattern: &str, ty: &str) -> bool {
        pattern.split('|').any(|it| it.trim() == ty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_says_when_it_holds_and_what_to_do() {
        for row in &OverloadTable::builtin().overload {
            assert!(!row.names.is_empty() && !row.message.is_empty(), "{row:?}");
            assert!(!row.arguments.is_empty() || row.side.is_some(), "{row:?}");
            let is_mended = !row.cast.is_empty() || row.rename.is_some();
            assert_ne!(is_mended, !row.help.is_empty(), "{row:?}");
            assert!(
                row.cast.is_empty() || row.cast.len() == row.arguments.len(),
                "{row:?}"
            );
        }
    }

    #[test]
    fn a_pattern_takes_each_of_its_types() {
        assert!(Overload::takes("int | unsigned int", "unsigned int"));
        assert!(!Overload::takes("int | unsigned int", "unsigned"));
    }
}
