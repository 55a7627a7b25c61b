//! Members of classes that are pointers to anything: `void *kernel;`.

use rustc_hash::FxHashMap;

use crate::cpp::definitions::{class_name, is_data_member};
use crate::syntax::Document;

/// Members by their names, with whether what they point to is const.
type Members = FxHashMap<Box<[u8]>, bool>;

/// Such members by the names of their classes.
#[derive(Clone, Debug, Default)]
pub(crate) struct VoidMembers(FxHashMap<Box<[u8]>, Members>);

impl VoidMembers {
    /// Those of the classes that a file defines.
    pub(crate) fn new(doc: &Document<'_>) -> Self {
        let mut all = Self::default();
        for void in doc.all("void") {
            let name = doc.next(void).filter(|&star| doc.is(star, "*"));
            let name = name.and_then(|star| doc.next(star));
            let Some(name) = name.filter(|&name| is_data_member(doc, name)) else {
                continue;
            };
            let class = doc.braces_around(name).next();
            if let Some(class) = class.and_then(|brace| class_name(doc, brace)) {
                let members = all.0.entry(class.into()).or_default();
                members.insert(doc.bytes(name).into(), doc.prev_is(void, "const"));
            }
        }
        all
    }

    /// Takes those of another file as well; what two files call by one name is what both say.
    #[expect(clippy::iter_over_hash_type, reason = "each class stands for itself")]
    pub(crate) fn extend(&mut self, other: &Self) {
        for (class, members) in &other.0 {
            let known = self.0.entry(class.clone());
            known
                .and_modify(|known| {
                    known.retain(|name, is_const| members.get(name) == Some(is_const))
                })
                .or_insert_with(|| members.clone());
        }
    }

    /// Whether a member of that name in a class is such a pointer, and if so whether what it points to is const.
    pub(crate) fn of(&self, class: &[u8], member: &[u8]) -> Option<bool> {
        self.0.get(class)?.get(member).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    #[test]
    fn members_are_known_by_their_class() {
        let of = |text: &str| {
            let source = SourceFile::new("a.h", text.as_bytes().to_vec());
            VoidMembers::new(&Document::new(&source))
        };
        let mut all = of(
            "struct spec { int n; void *kernel; const void* data; void (*call)(int); int *p; };\nvoid *kernel;\nvoid *f();\n",
        );
        let member = |name: &str| all.of(b"spec", name.as_bytes());
        assert_eq!(
            (member("kernel"), member("data")),
            (Some(false), Some(true))
        );
        assert_eq!((member("call"), member("p")), (None, None));
        assert_eq!(all.of(b"other", b"kernel"), None);
        all.extend(&of(
            "struct spec { const void *data; int (*kernel)(int); };",
        ));
        assert_eq!(all.of(b"spec", b"data"), Some(true));
        assert_eq!(all.of(b"spec", b"kernel"), None);
    }
}
