//! Modules of PTX: the HIP C++ that is made of them, wherever the result goes.

use crate::common::Tree;

const SCALE: &str = ".version 8.4\n.target sm_80\n.address_size 64\n.visible .entry scale(.param .u64 p, .param .u32 n) { .reg .b64 %rd<2>; .reg .b32 %r<3>; ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r2, %laneid; st.global.u32 [%rd1], %r1; ret; }\n";

#[test]
fn hip_lies_beside_the_module_which_stays() {
    let tree = Tree::new(&[("src/gpu/scale.ptx", SCALE), ("src/book.ptx", "<book/>\n")]);
    assert!(tree.run(&["src", "out"]).code < 2);
    assert_eq!(tree.read("out/gpu/scale.ptx"), SCALE);
    let made = tree.read("out/gpu/scale.ptx.hip");
    for expected in [
        "hipcc --genco --offload-arch=gfx90a -o scale.hsaco scale.ptx.hip",
        "#include \"../cass_hip_compat.hpp\"",
        "__global__ void scale(unsigned long long p, unsigned n)",
        "r2 = cass_lane_id32();",
    ] {
        assert!(made.contains(expected), "{expected}: {made}");
    }
    assert!(!tree.path("out/book.ptx.hip").exists());
    // A second run finds its own work.
    let again = tree.run(&["src", "out"]);
    assert!(again.code < 2, "{}", again.err);
    assert_eq!(tree.read("out/gpu/scale.ptx.hip"), made);
    // What a person did to it stays.
    tree.write(
        "out/gpu/scale.ptx.hip",
        made.replace("return;", "return; // mine").as_bytes(),
    );
    assert!(tree.run(&["src", "out"]).code < 2);
    assert!(tree.read("out/gpu/scale.ptx.hip").contains("// mine"));
}

#[test]
fn one_module_goes_where_it_is_sent() {
    let tree = Tree::new(&[("scale.ptx", SCALE)]);
    assert!(tree.run(&["scale.ptx", "-o", "k.hip"]).code < 2);
    assert!(tree.read("k.hip").contains("__global__ void scale("));
    let printed = tree.run(&["scale.ptx", "-o", "-"]).out;
    assert!(
        printed.contains("__global__ void scale(") && !printed.contains(".entry"),
        "{printed}"
    );
    let patch = tree.run(&["diff", "scale.ptx"]).out;
    assert!(
        patch.contains("+++ b/scale.ptx.hip") && patch.contains("--- /dev/null"),
        "{patch}"
    );
}

#[test]
fn in_place_a_file_is_added_and_none_is_lost() {
    let tree = Tree::new(&[
        ("src/scale.ptx", SCALE),
        ("src/own.ptx", SCALE),
        ("src/own.ptx.hip", "// ours\n"),
    ]);
    assert!(tree.run(&["src", "--in-place"]).code < 2);
    assert_eq!(tree.read("src/scale.ptx"), SCALE);
    assert!(
        tree.read("src/scale.ptx.hip")
            .contains("__global__ void scale(")
    );
    assert_eq!(tree.read("src/own.ptx.hip"), "// ours\n");
}
