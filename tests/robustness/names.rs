//! Names of any bytes and of any length.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;

use crate::common::{SAFE, Tree};
use crate::files;

#[test]
fn names_are_bytes() {
    let tree = Tree::new(&[("src/keep", "")]);
    let names: [&[u8]; 6] = [
        b"with blank.cu",
        b"new\nline.cu",
        b"\xff\xfe.cu",
        b"\xff\xfd.cu",
        "日本.cu".as_bytes(),
        b"quote'\"\\.cu",
    ];
    let place = |root: &str, name: &[u8]| tree.path(root).join(OsStr::from_bytes(name));
    for name in names {
        fs::write(place("src", name), SAFE).expect("the file system takes it");
    }
    fs::write(
        tree.path("src").join(OsStr::from_bytes(b"\xff.txt")),
        "text",
    )
    .expect("writable");
    for (naming, extension) in [("keep", ".cu"), ("hip", ".hip")] {
        assert_eq!(tree.run(&["src", naming, "--naming", naming]).code, 0);
        for name in names {
            let stem = &name[..name.len() - 3];
            let bytes = fs::read(place(naming, &[stem, extension.as_bytes()].concat()))
                .expect("it is there");
            assert!(String::from_utf8_lossy(&bytes).contains("hipFree"));
        }
        assert_eq!(files(&tree.path(naming)).len(), names.len() + 2);
    }
}

#[test]
fn deep_folders_work_and_those_that_are_too_deep_are_reported() {
    let tree = Tree::new(&[("src/a.cu", SAFE)]);
    // 3,500 bytes below SRC, of the 4,096 that a path may have.
    let deep = vec!["d".repeat(49); 70].join("/");
    tree.write(
        &format!("src/{deep}/k.cu"),
        b"__device__ int f(int *p) { return __reduce_add_sync(~0u, *p); }\n",
    );
    assert_eq!(tree.run(&["src", "out"]).code, 0);
    let text = tree.read(&format!("out/{deep}/k.cu"));
    assert!(
        text.contains(&format!("\"{}cass_hip_compat.hpp\"", "../".repeat(70))),
        "{text}"
    );
    let far = format!("{}/out", vec!["e".repeat(200); 4].join("/"));
    let done = tree.run(&["src", &far]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("cannot be written"), "{}", done.err);
    assert!(tree.read(&format!("{far}/a.cu")).contains("hipFree"));
}

#[test]
fn renamed_files_are_included_by_their_new_names() {
    let tree = Tree::new(&[
        ("src/a.cu", "#include \"b.cu\"\nint a;\n"),
        (
            "src/b.cu",
            "#include \"a.cu\"\n#include \"sub/c.cu\"\nint b;\n",
        ),
        ("src/sub/c.cu", "#include \"../a.cu\"\n#include \"c.cu\"\n"),
        ("src/main.cpp", "#include \"sub/c.cu\"\n"),
        ("src/clash.cu", "int old;\n"),
        ("src/clash.hip", "int new_;\n"),
    ]);
    let done = tree.run(&["src", "out", "--naming", "hip"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(tree.read("out/a.hip"), "#include \"b.hip\"\nint a;\n");
    assert_eq!(
        tree.read("out/b.hip"),
        "#include \"a.hip\"\n#include \"sub/c.hip\"\nint b;\n"
    );
    assert_eq!(
        tree.read("out/sub/c.hip"),
        "#include \"../a.hip\"\n#include \"c.hip\"\n"
    );
    assert_eq!(tree.read("out/main.cpp"), "#include \"sub/c.hip\"\n");
    assert_eq!(
        (tree.read("out/clash.cu"), tree.read("out/clash.hip")),
        ("int old;\n".to_owned(), "int new_;\n".to_owned())
    );
    assert!(done.out.contains("clash.cu is not renamed"), "{}", done.out);
}
