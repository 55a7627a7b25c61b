//! Which files see `using namespace std;`, and globals of the tree that are called like something of `std`.

use crate::project::index::ProjectIndex;

impl ProjectIndex {
    /// Whether a file lets in all of `std`, or includes one that does.
    pub(crate) fn sees_std(&self, path: &str) -> bool {
        self.reaches(path, "using namespace std", |_, file| file.opens_std)
    }

    /// Whether a file includes one that declares a global of this name, or does itself.
    pub(crate) fn sees_global(&self, path: &str, name: &[u8]) -> bool {
        let key = format!("::{}", String::from_utf8_lossy(name));
        self.reaches(path, &key, |_, file| file.std_names.contains(name))
    }
}
