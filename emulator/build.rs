//! Gives the shared library the name that programs of ROCm 6 ask for; `tools/install.sh` puts it beside that of ROCm 7 too.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libamdhip64.so.6");
}
