#!/usr/bin/env bash
# setup.sh DIR: a Rust compiler with the standard library for WASI and a libc for C, unpacked under DIR from Debian's $CASS_WASM_SUITE
# (sid). Nothing is installed: the compiler runs with the loader and the libraries beside it. 200 MB, half a minute; a second call
# returns at once. clang 19 and lld 19 come from the release that runs here.
set -euo pipefail
suite=${CASS_WASM_SUITE:-sid}
packages=(rustc libstd-rust-dev libstd-rust-dev-wasm32 libc6 libstdc++6 libgcc-s1 zlib1g libzstd1 libffi8 libedit2 libtinfo6 libbsd0
    libmd0 liblzma5 libxml2-16 wasi-libc)
[ $# = 1 ] || { echo "usage: setup.sh DIR" >&2; exit 2; }
dir=$(mkdir -p "$1" && cd "$1" && pwd)
[ -e "$dir/.complete" ] && exit 0
archive=$(apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(REPO_URI)' 'Created-By: Packages' | awk -F'|' '$1 == "Debian" && $2 == "Debian" && !seen { print $3; seen = 1 }')
[ -n "$archive" ] || { echo "setup.sh: apt knows no Debian archive here; install a Rust toolchain with wasm32-wasip1 and set WASI_SYSROOT" >&2; exit 1; }
apt=$dir/.apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/debs"
key=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb $([ -r $key ] && echo "[signed-by=$key]") $archive $suite main" >"$apt/sources.list"
: >"$apt/status"
options=(-q -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::Etc::Preferences=/dev/null
    -o Dir::Etc::PreferencesParts=/dev/null -o Dir::State::Lists="$apt/lists" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache"
    -o APT::Sandbox::User=root -o APT::Get::List-Cleanup=0 -o Acquire::Languages=none -o Acquire::Retries=3)
apt-get "${options[@]}" update >/dev/null
# The packages of the compiler's own libraries have its release in their names.
release=$(apt-cache "${options[@]}" show libstd-rust-dev | sed -n 's/^Depends:.*\(libstd-rust-[0-9.]*\).*/\1/p' | head -1)
llvm=$(apt-cache "${options[@]}" show "$release" | sed -n 's/^Depends:.*\(libllvm[0-9]*\).*/\1/p' | head -1)
(cd "$apt/debs" && apt-get "${options[@]}" download "${packages[@]}" "$release" "$llvm" >/dev/null)
for deb in "$apt"/debs/*.deb; do dpkg -x "$deb" "$dir"; done
rm -rf "$apt"
libraries=$dir/usr/lib/x86_64-linux-gnu
cat >"$dir/rustc" <<SCRIPT
#!/bin/sh
exec "$dir/usr/lib64/ld-linux-x86-64.so.2" --library-path "$libraries" "$dir/usr/bin/rustc" --sysroot "$dir/usr" "\$@"
SCRIPT
chmod +x "$dir/rustc"
"$dir/rustc" --version
touch "$dir/.complete"
