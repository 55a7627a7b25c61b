//! The libraries that tables belong to: titles for people and what to link on AMD.

/// What is known of a library besides its names.
#[derive(Debug)]
pub struct Library {
    /// Name of the table.
    pub key: &'static str,
    /// What NVIDIA calls it.
    pub title: &'static str,
    /// Header of its counterpart; empty where each name has its own or there is none.
    pub header: &'static str,
    /// Linker flags on AMD with the default choice; hipcc adds the runtime itself.
    pub link: &'static [&'static str],
    /// Linker flags when the `roc*` library is chosen.
    pub roc_link: &'static [&'static str],
}

/// All libraries, by key: the build makes the list of `[about]` in the tables.
pub static LIBRARIES: &[Library] = include!(concat!(env!("OUT_DIR"), "/libraries.rs"));

/// The library with a key; overlays may name libraries of their own, which are not known here.
pub fn find(key: &str) -> Option<&'static Library> {
    LIBRARIES
        .binary_search_by(|library| library.key.cmp(key))
        .ok()
        .map(|at| &LIBRARIES[at])
}

/// Title for people: the key itself for a library that only an overlay knows.
pub fn title(key: &str) -> &str {
    find(key).map_or(key, |library| library.title)
}

#[cfg(test)]
mod tests {
    #[test]
    fn sorted_by_key() {
        assert!(super::LIBRARIES.is_sorted_by_key(|library| library.key));
    }
}
