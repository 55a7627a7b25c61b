//! Programs that write kernels in Triton.

use tree_sitter::Node;

use super::{PyFile, parents};

impl PyFile<'_> {
    /// Whether the file imports a package: `import triton`, `from triton.language import …`.
    pub(crate) fn imports(&self, package: &str) -> bool {
        if memchr::memmem::find(self.bytes(), package.as_bytes()).is_none() {
            return false;
        }
        let is_it = |import: &Node<'_>| {
            let text = self.text(*import);
            let mut words =
                text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
            words.nth(1) == Some(package)
        };
        self.all(&["import_statement", "import_from_statement"])
            .iter()
            .any(is_it)
    }

    /// Whether the file asks for AMD somewhere, so that its authors know both vendors.
    pub(crate) fn knows_amd(&self) -> bool {
        ["version.hip", "is_hip", "is_rocm", "rocm"]
            .iter()
            .any(|word| memchr::memmem::find(self.bytes(), word.as_bytes()).is_some())
    }

    /// Whether a place is tried, or what is done where something else failed.
    pub(crate) fn is_tried(&self, node: Node<'_>) -> bool {
        parents(node).any(|it| it.kind() == "try_statement")
    }

    /// Whether a place lies in a kernel, which Triton compiles: names of the program are not to be had there.
    pub(crate) fn is_in_triton_kernel(&self, node: Node<'_>) -> bool {
        let is_jit = |decorator: Node<'_>| {
            let text = self.squeezed(decorator);
            text.starts_with("@triton.jit")
                || text.starts_with("@jit")
                || text.contains("gluon.jit")
        };
        let mut around = parents(node).filter(|it| it.kind() == "decorated_definition");
        around.any(|it| {
            let body = it.child_by_field_name("definition");
            let decorators = self
                .elements(it)
                .into_iter()
                .filter(|it| it.kind() == "decorator");
            body.is_some_and(|body| body.start_byte() <= node.start_byte())
                && decorators.into_iter().any(is_jit)
        })
    }
}
