//! What the tables say of their libraries: titles, headers, flags of the linker, and how their names begin.

use std::cmp::Reverse;
use std::fs;
use std::path::Path;

use crate::schema::{RawLibrary, RawTable};

/// A library by its key.
type Library<'t> = (&'t str, &'t RawLibrary);

/// The library of a table.
///
/// # Errors
/// When nothing is said of it, or its stems are too short to look for.
pub(super) fn library(table: &RawTable) -> Result<Library<'_>, String> {
    let about = table.about.as_ref().map(toml::Spanned::get_ref);
    let about = about.ok_or("there is no [about] with the title of the library")?;
    match about.stems.iter().find(|stem| stem.len() < 3) {
        Some(stem) => Err(format!("the stem `{stem}` has less than three bytes")),
        None => Ok((&table.library, about)),
    }
}

/// Writes the libraries by key, the prefixes of their names, and the stems of all, each as an array.
pub(super) fn list(libraries: &[Library<'_>], out: &Path) {
    let mut libraries = libraries.to_vec();
    libraries.sort_by_key(|(key, _)| *key);
    let mut prefixes = prefixes(&libraries);
    // The first that fits is taken: the longer one says more.
    prefixes.sort_by_key(|(prefix, _)| Reverse(prefix.len()));
    let stems = libraries.iter().flat_map(|(_, library)| &library.stems);
    let stems: Vec<&String> = stems.collect();
    let items: String = libraries.iter().map(item).collect();
    for (name, text) in [
        ("libraries.rs", format!("&[\n{items}]\n")),
        ("library_prefixes.rs", format!("&{prefixes:?}\n")),
        ("stems.rs", format!("&{stems:?}\n")),
    ] {
        fs::write(out.join(name), text).expect("OUT_DIR is writable");
    }
}

/// Each prefix with the key of its library.
fn prefixes<'t>(libraries: &[Library<'t>]) -> Vec<(&'t str, &'t str)> {
    let of_library = |(key, library): &Library<'t>| {
        let (key, library) = (*key, *library);
        let prefixes = library.prefixes.iter();
        prefixes.map(move |prefix| (prefix.as_str(), key))
    };
    libraries.iter().flat_map(of_library).collect()
}

fn item((key, library): &Library<'_>) -> String {
    let RawLibrary {
        title,
        header,
        link,
        roc_link,
        ..
    } = library;
    format!(
        "    Library {{ key: {key:?}, title: {title:?}, header: {header:?}, link: &{link:?}, roc_link: &{roc_link:?} }},\n"
    )
}
