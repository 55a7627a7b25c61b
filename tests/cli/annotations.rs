//! `--annotate`: advice as comments in the result.

use crate::common::{GONE, Tree};

#[test]
fn annotations_come_once_and_go() {
    let text = format!(
        "#define A(t, o) \\\n  cudaDeviceFlushGPUDirectRDMAWrites(t, o)\n  {GONE}int f(void *p) {{ return cudaFree(p); }}\n"
    );
    let tree = Tree::new(&[("src/a.cu", &text)]);
    tree.run(&["src", "plain"]);
    tree.run(&["src", "noted", "--annotate"]);
    let noted = tree.read("noted/a.cu");
    assert_eq!(
        noted
            .matches("// CASS003: `cudaDeviceFlushGPUDirectRDMAWrites` has no counterpart")
            .count(),
        2,
        "{noted}"
    );
    assert!(
        noted.starts_with("#include <hip/hip_runtime.h>\n// CASS003: ")
            || noted.starts_with("// CASS003: "),
        "{noted}"
    );
    assert!(
        noted.contains("\n  // CASS003: "),
        "indented as the line: {noted}"
    );
    tree.run(&["noted", "again", "--annotate"]);
    assert_eq!(tree.read("again/a.cu"), noted);
    tree.run(&["noted", "without", "--annotate=remove"]);
    assert_eq!(tree.read("without/a.cu"), tree.read("plain/a.cu"));
    tree.run(&["noted", "kept"]);
    assert_eq!(tree.read("kept/a.cu"), noted);
}
