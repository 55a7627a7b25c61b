//! The documentation site: an mdBook of the pages in `docs/` and of a page for each rule, library, command and message, made from the
//! program itself.

mod links;
mod markdown;
mod pages;
mod prose;
mod report;
mod semantics;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use anyhow::{Context as _, Result, bail};
use mdbook_driver::MDBook;
use mdbook_driver::config::Config;
use walkdir::WalkDir;

use pages::Part;

/// Files of the site by their path.
type Site = BTreeMap<String, Vec<u8>>;

/// The settings of the book.
const BOOK: &str = include_str!("../book.toml");

fn main() -> Result<()> {
    let out = folder(std::env::args_os().nth(1))?;
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here
        .ancestors()
        .nth(2)
        .context("it lies in the repository")?;
    build(root, &out)
}

/// Where the site goes. An option is no folder, `--help` neither.
fn folder(argument: Option<OsString>) -> Result<PathBuf> {
    let folder = argument.filter(|it| !it.to_string_lossy().starts_with('-'));
    let folder = folder.context("give a folder for the site: `cargo run -p site -- FOLDER`")?;
    Ok(PathBuf::from(folder))
}

/// Writes the site into a folder, and refuses one with a link that leads nowhere.
fn build(root: &Path, out: &Path) -> Result<()> {
    let scratch = tempfile::tempdir()?;
    write_book(root, scratch.path())?;
    let config = Config::from_str(BOOK)?;
    MDBook::load_with_config(scratch.path(), config)?.build()?;
    let mut site = files(&scratch.path().join("book"))?;
    site.insert(
        "libraries/all-names.js".to_owned(),
        pages::all_names()?.into_bytes(),
    );
    site.insert(
        "example-report.html".to_owned(),
        report::of_example(root)?.into_bytes(),
    );
    for (name, schema) in cass_transpile::cli::schemas() {
        site.insert(format!("schemas/{name}.json"), schema.into_bytes());
    }
    add_playground(&root.join("target/playground"), &mut site)?;
    let broken = links::broken(&site);
    if !broken.is_empty() {
        bail!("links that lead nowhere:\n{}", broken.join("\n"));
    }
    for (path, bytes) in &site {
        let path = out.join(path);
        let folder = path.parent().unwrap_or(out);
        fs::create_dir_all(folder)?;
        fs::write(&path, bytes).with_context(|| path.display().to_string())?;
    }
    let pages = site.keys().filter(|path| path.ends_with(".html")).count();
    eprintln!("{}: {pages} pages", out.display());
    Ok(())
}

/// Writes what mdBook reads: the pages, their order, and what the site adds to its theme.
fn write_book(root: &Path, book: &Path) -> Result<()> {
    let theme = root.join("docs/site/theme");
    for (name, bytes) in files(&theme)? {
        write(&book.join("theme").join(name), &bytes)?;
    }
    let source = book.join("src");
    let mut summary = prose::copy(&root.join("docs"), &source)?;
    let semantics = semantics::page(root)?;
    summary.push_str(&semantics.item());
    write(&source.join(&semantics.path), semantics.text.as_bytes())?;
    for Part { title, pages } in pages::parts() {
        summary.push_str(&format!("\n# {title}\n\n"));
        for page in pages {
            summary.push_str(&page.item());
            write(&source.join(&page.path), page.text.as_bytes())?;
        }
    }
    write(&source.join("SUMMARY.md"), summary.as_bytes())
}

/// The files of a folder and its folders, by their paths in it.
fn files(folder: &Path) -> Result<Site> {
    let mut site = Site::new();
    for item in WalkDir::new(folder) {
        let item = item?;
        if item.file_type().is_file() {
            let path = item.path().strip_prefix(folder)?;
            let name = path.to_string_lossy().replace('\\', "/");
            site.insert(name, fs::read(item.path())?);
        }
    }
    Ok(site)
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes).with_context(|| path.display().to_string())
}

/// The playground, where it was built; its page in the book says how else.
fn add_playground(built: &Path, site: &mut Site) -> Result<()> {
    if built.is_dir() {
        for (name, bytes) in files(built)? {
            site.insert(format!("playground/{name}"), bytes);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_no_folder() {
        let of = |argument: &str| folder(Some(argument.into())).ok();
        assert_eq!(of("--help"), None);
        assert_eq!(of("-h"), None);
        assert_eq!(of("target/site"), Some("target/site".into()));
        assert!(folder(None).is_err());
    }
}
