//! The documentation site: pages of `docs/`, a page for each rule, library, command and message, made from the program itself.

mod links;
mod pages;
mod shell;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use shell::Page;

/// Files of the site by their path.
type Site = BTreeMap<String, Vec<u8>>;

fn main() -> Result<()> {
    let out = std::env::args_os()
        .nth(1)
        .context("give a folder for the site")?;
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here
        .ancestors()
        .nth(2)
        .context("it lies in the repository")?;
    build(root, Path::new(&out))
}

/// Writes the site into a folder, and refuses one with a link that leads nowhere.
fn build(root: &Path, out: &Path) -> Result<()> {
    let mut site = Site::new();
    let pages = [
        pages::prose(&root.join("docs"))?,
        pages::rules(),
        pages::errors(),
        pages::libraries(),
        pages::commands(),
        pages::settings(),
    ];
    let names: Vec<Page> = pages.into_iter().flatten().collect();
    for page in &names {
        site.insert(page.path.clone(), shell::html(page).into_bytes());
    }
    site.insert("style.css".to_owned(), shell::STYLE.as_bytes().to_vec());
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
        std::fs::create_dir_all(folder)?;
        std::fs::write(&path, bytes).with_context(|| path.display().to_string())?;
    }
    eprintln!("{}: {} pages", out.display(), site.len());
    Ok(())
}

/// The playground, where it was built; else a page that says how.
fn add_playground(built: &Path, site: &mut Site) -> Result<()> {
    let Ok(items) = std::fs::read_dir(built) else {
        let page = Page {
            path: "playground/index.html".to_owned(),
            title: "Playground".to_owned(),
            body: shell::markdown("It is built by `bash playground/build.sh` and was not, here."),
        };
        site.insert(page.path.clone(), shell::html(&page).into_bytes());
        return Ok(());
    };
    for item in items {
        let path = item?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        site.insert(format!("playground/{name}"), std::fs::read(&path)?);
    }
    Ok(())
}
