//! A file with what stands around it: the support for AMD of its tree, or what a file of no tree shows of its own.

use std::borrow::Cow;
use std::sync::Arc;

use crate::cpp::space_macros::{SpaceMacros, worded};
use crate::engine::route::Reading;
use crate::engine::{Session, file_index};
use crate::options::HipSupport;
use crate::project::support::Support;
use crate::project::{FileIndex, ProjectIndex};
use crate::syntax::{Document, MacroSpaces, VendorMacros};
use crate::text::SourceFile;

/// A file as it is read among others.
pub(super) struct Around<'s, 'e> {
    /// Read with the macros that the tree gives to either vendor.
    pub(super) reading: Reading<'s>,
    /// The support for AMD around it.
    pub(super) support: Cow<'e, Support>,
    /// What the file defines, where that had to be found out to know the support: nobody has to go through it again.
    pub(super) own: Option<FileIndex>,
}

impl Session {
    /// Reads a file with the support for AMD around it.
    pub(super) fn around<'s>(&self, source: &'s SourceFile) -> Around<'s, '_> {
        let mut around = self.read_around(source);
        match &mut around.reading {
            Reading::Python(script) => {
                script.set_questions(&self.project.builds.scripts.questions);
            }
            Reading::Cpp(document) => document.set_spaces(self.spaces_for(document)),
            Reading::Build(_) => {}
        }
        around
    }

    /// The macros that stand for execution spaces in a file: those of its tree, or its own where it stands alone.
    fn spaces_for(&self, document: &Document<'_>) -> Arc<MacroSpaces> {
        match self.project.holds(&document.source.path) {
            true => self.project.names().by_space().clone(),
            false => Arc::new(SpaceMacros::new(worded(document).iter()).by_space()),
        }
    }

    fn read_around<'s>(&self, source: &'s SourceFile) -> Around<'s, '_> {
        if let Some(support) = self.known_support(source) {
            return Around {
                reading: Reading::with_macros(source, macros_for(source, &support)),
                support,
                own: None,
            };
        }
        let around = self.around_unit(Reading::new(source));
        let macros = macros_for(source, &around.support);
        if macros.is_empty() {
            return around;
        }
        Around {
            reading: Reading::with_macros(source, macros),
            own: None,
            ..around
        }
    }

    /// The same for what was read already: a text within a file, where the macros of its tree tell nothing.
    pub(super) fn around_unit<'s>(&self, reading: Reading<'s>) -> Around<'s, '_> {
        let known = self.known_support(reading.source);
        let (support, own) = match (known, reading.cpp()) {
            (None, Some(document)) => {
                let (support, own) = self.alone(document);
                (Cow::Owned(support), own)
            }
            (known, _) => (known.unwrap_or(Cow::Borrowed(&self.support)), None),
        };
        Around {
            reading,
            support,
            own,
        }
    }

    /// The support for AMD around a file, where the file itself has nothing to add: none where a person wants it passed over, else that
    /// of the tree.
    fn known_support(&self, source: &SourceFile) -> Option<Cow<'_, Support>> {
        if self.options.reverse || self.options.hip_support == HipSupport::Ignore {
            return Some(Cow::Owned(Support::default()));
        }
        let may_map =
            source.language.is_cpp() && memchr::memmem::find(&source.bytes, b"hip").is_some();
        (self.project.holds(&source.path) || !may_map).then_some(Cow::Borrowed(&self.support))
    }

    /// The support that a file of no tree shows, and what it defines.
    fn alone(&self, document: &Document<'_>) -> (Support, Option<FileIndex>) {
        let index = file_index(document, &self.table);
        let path = document.source.path.clone();
        let mut alone = ProjectIndex::new([(path.clone(), index)], [path.clone()]);
        (Support::new(&alone), alone.files.remove(&path))
    }
}

/// Which macros belong to either vendor in a file, as the support around it tells.
fn macros_for<'m>(source: &SourceFile, support: &'m Support) -> &'m VendorMacros {
    support.macros(support.owner(&source.path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::ApiTable;
    use crate::options::Options;

    /// Whether a file of no tree is supported, knows macros of a vendor, and hands on what it defines.
    fn looked(text: &str, options: Options) -> (bool, bool, bool) {
        let session = Session::new(options, ApiTable::builtin());
        let source = SourceFile::new("a.cu", text.as_bytes().to_vec());
        let around = session.around(&source);
        let macros = macros_for(&source, &around.support);
        let is_supported = !around.support.is_empty();
        (is_supported, !macros.is_empty(), around.own.is_some())
    }

    #[test]
    fn a_file_that_says_hip_is_gone_through_once() {
        let mapping = "#define cudaFree hipFree\n#define cudaMalloc hipMalloc\n#define cudaMemcpy hipMemcpy\n";
        for (text, expected) in [
            ("void f() { cudaFree(0); }\n", (false, false, false)),
            (
                "// no chip\nvoid f() { cudaFree(0); }\n",
                (false, false, true),
            ),
            // It gives macros to AMD, with which it is read anew.
            (mapping, (true, true, false)),
        ] {
            assert_eq!(looked(text, Options::default()), expected, "{text}");
        }
        let passed_over = Options {
            hip_support: HipSupport::Ignore,
            ..Options::default()
        };
        assert_eq!(looked(mapping, passed_over), (false, false, false));
    }
}
