#!/usr/bin/env bash
# build.sh: the playground in target/playground/, static files for any file server.
# Takes a Rust toolchain with wasm32-wasip1, and clang with a sysroot of WASI for the C of tree-sitter. Where rustup's toolchain has the
# target it is used; else, on Debian, compiler, standard library and libc are unpacked from $CASS_WASM_SUITE (sid), never installed.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
target=wasm32-wasip1
tools=${CASS_WASM:-${TMPDIR:-/tmp}/cass-wasm}
sysroot=${WASI_SYSROOT:-$tools/usr}
has_std() { [ -d "$(rustc --print target-libdir --target $target 2>/dev/null)" ]; }
if ! has_std || [ ! -d "$sysroot/include/wasm32-wasi" ]; then
    bash playground/setup.sh "$tools"
    sysroot=$tools/usr
fi
if ! has_std; then
    export RUSTC=$tools/rustc
    # A compiler of another release than cargo's own: its results lie apart.
    export CARGO_TARGET_DIR=$CARGO_TARGET_DIR/wasm-tools
fi
clang=$(command -v clang-19 || command -v clang)
export CC_wasm32_wasip1=$clang AR_wasm32_wasip1=${AR_wasm32_wasip1:-$(command -v llvm-ar-19 || command -v llvm-ar)}
export CFLAGS_wasm32_wasip1="--sysroot=$sysroot -isystem $sysroot/include/wasm32-wasi -O2 -ffunction-sections -fdata-sections"
export CARGO_TARGET_WASM32_WASIP1_LINKER=${WASM_LD:-$(command -v wasm-ld-19 || command -v wasm-ld)}
# Deep sources take a deep stack; a megabyte is what the linker gives.
export CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="-C linker-flavor=wasm-ld -L $sysroot/lib/wasm32-wasi -C link-arg=-zstack-size=8388608 -C strip=symbols"
# What people get is small; a proof that the page works need not be.
export CARGO_PROFILE_DIST_OPT_LEVEL=${CARGO_PROFILE_DIST_OPT_LEVEL:-s} CARGO_PROFILE_DIST_PANIC=abort
cargo build --profile dist --target $target -p playground
out=target/playground
rm -rf "$out"
mkdir -p "$out"
cp playground/page/* "$out/"
cp "$CARGO_TARGET_DIR/$target/dist/playground.wasm" "$out/cass.wasm"
size=$(gzip -9 -c "$out"/* | wc -c)
echo "build.sh: $out, $size bytes compressed"
[ "$CARGO_PROFILE_DIST_OPT_LEVEL" != s ] || [ "$size" -lt 6000000 ] || { echo "build.sh: more than 6 MB" >&2; exit 1; }
