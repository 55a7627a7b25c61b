//! Where the pieces of a patch go, and what they come to.

use std::path::Path;

use anyhow::Result;

use crate::cli::args::DiffArgs;
use crate::cli::{Exit, output};
use crate::emit;
use crate::report::diff::{Change, FilePatch, coloured, printable, stat};

/// A patch of one file as it is printed. Files wait in this form for those before them, which takes less room than their bytes.
pub(super) enum Rendered {
    Nothing,
    /// The path of a file that is no text.
    Binary(String),
    Text(Vec<u8>, Change),
}

impl Rendered {
    pub(super) fn new(file: &FilePatch) -> Self {
        if file.is_empty() {
            Self::Nothing
        } else if file.is_binary() {
            Self::Binary(String::from_utf8_lossy(&file.path).into_owned())
        } else {
            let (text, change) = file.render();
            Self::Text(text, change)
        }
    }
}

/// Where the pieces of the patch go, and what they come to.
pub(super) struct Outlet<'a> {
    args: &'a DiffArgs,
    /// The patch, when it goes to a file.
    patch: Vec<u8>,
    changes: Vec<Change>,
    colour: bool,
    trouble: bool,
    /// Something differs that is in no patch.
    pub(super) differs: bool,
}

impl<'a> Outlet<'a> {
    pub(super) fn new(args: &'a DiffArgs) -> Self {
        Self {
            args,
            patch: Vec::new(),
            changes: Vec::new(),
            colour: output::is_coloured(),
            trouble: false,
            differs: false,
        }
    }

    pub(super) fn take(&mut self, file: Rendered) -> Result<()> {
        let (text, change) = match file {
            Rendered::Nothing => return Ok(()),
            Rendered::Binary(path) => {
                self.complain(&format!(
                    "{path}: differs, and is no text that a patch could hold"
                ));
                return Ok(());
            }
            Rendered::Text(text, change) => (text, change),
        };
        self.changes.push(change);
        if self.args.patch.is_some() {
            self.patch.extend(text);
        } else if !self.args.stat {
            let text = if output::is_terminal() {
                printable(&text)
            } else {
                text
            };
            output::print_bytes(&if self.colour { coloured(&text) } else { text })?;
        }
        Ok(())
    }

    pub(super) fn complain(&mut self, message: &str) {
        output::complain(message);
        self.trouble = true;
    }

    pub(super) fn finish(self) -> Result<Exit> {
        if let Some(path) = &self.args.patch {
            emit::write(path, &self.patch, None)?;
        }
        if self.args.stat {
            output::print(&stat(&self.changes))?;
        }
        let differs = self.differs
            || !self.changes.is_empty() && (self.args.out.is_some() || self.args.exit_code);
        Ok(match (self.trouble, differs) {
            (true, _) => Exit::Trouble,
            (false, true) => Exit::Findings,
            (false, false) => Exit::Clean,
        })
    }
}

#[cfg(unix)]
pub(super) fn path_bytes(path: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt as _;
    path.as_os_str().as_bytes().to_vec()
}

#[cfg(not(unix))]
pub(super) fn path_bytes(path: &Path) -> Vec<u8> {
    path.to_string_lossy().replace('\\', "/").into_bytes()
}
