//! Device code of several objects: clang compiles it with `-fgpu-rdc`, links it when the program is linked, and asks for the result by
//! symbols with these names. `nvcc -dlink` wants it in an object of its own, for a linker that knows nothing of GPUs.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use object::read::archive::ArchiveFile;
use object::{Object as _, ObjectSymbol as _};

/// How the symbols begin by which an object asks for linked device code (clang 17 to 20).
const ASKED: [&str; 2] = ["__hip_fatbin", "__hip_gpubin_handle"];

/// Whether some objects and archives ask for device code that none of them has. A file that is neither says nothing.
pub(crate) fn needs_device_link(objects: &[PathBuf]) -> bool {
    let (mut asked, mut has) = (BTreeSet::new(), BTreeSet::new());
    for path in objects {
        if let Ok(bytes) = fs::read(path) {
            add_symbols(&bytes, &mut asked, &mut has);
        }
    }
    asked.difference(&has).next().is_some()
}

fn add_symbols(bytes: &[u8], asked: &mut BTreeSet<String>, has: &mut BTreeSet<String>) {
    if let Ok(archive) = ArchiveFile::parse(bytes) {
        let members = archive.members().flatten();
        return members
            .filter_map(|member| member.data(bytes).ok())
            .for_each(|member| add_symbols_of_object(member, asked, has));
    }
    add_symbols_of_object(bytes, asked, has);
}

fn add_symbols_of_object(bytes: &[u8], asked: &mut BTreeSet<String>, has: &mut BTreeSet<String>) {
    let Ok(file) = object::File::parse(bytes) else {
        return;
    };
    for symbol in file.symbols() {
        let Ok(name) = symbol.name() else {
            continue;
        };
        if ASKED.iter().any(|start| name.starts_with(start)) {
            let set = if symbol.is_undefined() {
                &mut *asked
            } else {
                &mut *has
            };
            set.insert(name.to_owned());
        }
    }
}

/// Plays the linker that clang calls for `-dlink`: of its inputs only the one that has the linked device code is kept, as the output.
///
/// # Errors
/// When there is none, or it cannot be copied; the message says so.
pub(crate) fn keep_device_code(arguments: &[String]) -> Result<(), String> {
    let output = arguments
        .iter()
        .position(|word| word == "-o")
        .and_then(|at| arguments.get(at + 1));
    let output = output.ok_or("the linker was called without -o")?;
    let has_code = |path: &&String| {
        let bytes = fs::read(path).unwrap_or_default();
        let (mut asked, mut has) = (BTreeSet::new(), BTreeSet::new());
        if ArchiveFile::parse(&*bytes).is_err() {
            add_symbols_of_object(&bytes, &mut asked, &mut has);
        }
        has.iter().any(|name| name.starts_with(ASKED[0]))
    };
    let inputs = arguments
        .iter()
        .filter(|word| !word.starts_with('-') && *word != output);
    // clang puts what it made behind the objects that it was given.
    let found = inputs
        .filter(|path| Path::new(path).is_file())
        .rfind(has_code);
    let found = found.ok_or("no object with linked device code among the inputs")?;
    fs::copy(found, output)
        .map(drop)
        .map_err(|error| format!("{output}: {error}"))
}
