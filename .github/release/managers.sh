#!/usr/bin/env bash
# managers.sh OWNER/NAME TAG FOLDER: writes what package managers install a release by into FOLDER, which holds the archives'
# checksums (*.sha256) and `source.sha256` of the tag's source archive:
#   cass-transpile.rb      a Homebrew formula, for a tap
#   cass-transpile.json    a Scoop manifest: `scoop install` takes the address of this file
#   recipe.yaml            a conda recipe (rattler-build) that compiles the tag's source
#   install.sh             for everybody else: `curl -LsSf ADDRESS | sh`
# Their own checksums go to the end of SHA256SUMS, where that lies in FOLDER.
# Each asks for the archive of a tag by its checksum, so a checksum that is missing ends with exit code 1 and no file.
set -euo pipefail
repository=$1 tag=$2 folder=$3
version=${tag#v}
source=$(cd "$(dirname "$0")/../.." && pwd)
description=$(sed -n 's/^description = "\(.*\)"/\1/p' "$source/Cargo.toml" | head -1)
rust=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$source/Cargo.toml" | head -1)
home=https://github.com/$repository
archive() { case $1 in *windows*) echo "cass-transpile-$tag-$1.zip" ;; *) echo "cass-transpile-$tag-$1.tar.gz" ;; esac; }
address() { echo "$home/releases/download/$tag/$(archive "$1")"; }
# The checksum in a file as sha256sum writes it; `FILE.sha256` stands beside each archive.
sum() {
    local sum
    sum=$(cut -d' ' -f1 "$folder/$1.sha256" 2>/dev/null) || true
    [[ $sum =~ ^[0-9a-f]{64}$ ]] || { echo "managers.sh: $folder/$1.sha256 is missing or holds no SHA-256 checksum" >&2; exit 1; }
    echo "$sum"
}
sum_of() { sum "$(archive "$1")"; }
mac_arm=$(sum_of aarch64-apple-darwin)
mac_intel=$(sum_of x86_64-apple-darwin)
linux_arm=$(sum_of aarch64-unknown-linux-musl)
linux_intel=$(sum_of x86_64-unknown-linux-musl)
windows=$(sum_of x86_64-pc-windows-msvc)
tarball=$(sum source)

cat >"$folder/cass-transpile.rb" <<FORMULA
class CassTranspile < Formula
  desc "Translate CUDA C++ code bases to HIP for AMD GPUs"
  homepage "$home"
  license "MIT"

  on_macos do
    on_arm do
      url "$(address aarch64-apple-darwin)"
      sha256 "$mac_arm"
    end
    on_intel do
      url "$(address x86_64-apple-darwin)"
      sha256 "$mac_intel"
    end
  end

  on_linux do
    on_arm do
      url "$(address aarch64-unknown-linux-musl)"
      sha256 "$linux_arm"
    end
    on_intel do
      url "$(address x86_64-unknown-linux-musl)"
      sha256 "$linux_intel"
    end
  end

  def install
    bin.install "cass-transpile"
    generate_completions_from_executable(bin/"cass-transpile", "completions")
  end

  test do
    (testpath/"a.cu").write "int main() { return cudaDeviceSynchronize(); }\n"
    assert_match "hipDeviceSynchronize", shell_output("#{bin}/cass-transpile -q -o - a.cu")
  end
end
FORMULA

cat >"$folder/cass-transpile.json" <<SCOOP
{
    "version": "$version",
    "description": "$description",
    "homepage": "$home",
    "license": "MIT",
    "architecture": {
        "64bit": {
            "url": "$(address x86_64-pc-windows-msvc)",
            "hash": "$windows",
            "extract_dir": "cass-transpile-$tag-x86_64-pc-windows-msvc"
        }
    },
    "bin": "cass-transpile.exe",
    "checkver": "github"
}
SCOOP

cat >"$folder/recipe.yaml" <<CONDA
schema_version: 1
context:
  version: "$version"
package:
  name: cass-transpile
  version: \${{ version }}
source:
  url: $home/archive/refs/tags/$tag.tar.gz
  sha256: $tarball
build:
  number: 0
  script:
    - cargo install --profile dist --locked --no-track --path . --root \${{ PREFIX }}
requirements:
  build:
    - \${{ compiler("c") }}
    - \${{ compiler("rust") }}
    - rust >=$rust
tests:
  - script:
      - cass-transpile --version
about:
  homepage: $home
  license: MIT
  license_file: LICENSE
  summary: $description
CONDA

{
    cat <<INSTALL
#!/bin/sh
# Installs cass-transpile $version: \`curl -LsSf $home/releases/download/$tag/install.sh | sh\`
#   CASS_INSTALL   folder for the program; \$HOME/.local/bin where it is not set
#   CASS_DOWNLOAD  where the archives lie, a mirror or file:// folder; the release's own place where it is not set
# The archive is taken only with the checksum below. What stands there already is replaced at once or not at all.
set -eu
download=\${CASS_DOWNLOAD:-$home/releases/download/$tag}
sum_of() {
    case \$1 in
        aarch64-apple-darwin) echo $mac_arm ;;
        x86_64-apple-darwin) echo $mac_intel ;;
        aarch64-unknown-linux-musl) echo $linux_arm ;;
        x86_64-unknown-linux-musl) echo $linux_intel ;;
    esac
}
INSTALL
    cat <<'INSTALL'
fail() { echo "install.sh: $1" >&2; exit 1; }
case $(uname -s) in
    Darwin) system=apple-darwin ;;
    Linux) system=unknown-linux-musl ;;
    *) fail "no archive for $(uname -s); on Windows: scoop, pip or npm" ;;
esac
case $(uname -m) in
    arm64 | aarch64) target=aarch64-$system ;;
    x86_64 | amd64) target=x86_64-$system ;;
    *) fail "no archive for $(uname -m): cargo install cass-transpile compiles it" ;;
esac
INSTALL
    echo "name=cass-transpile-$tag-\$target"
    cat <<'INSTALL'
into=${CASS_INSTALL:-${HOME:?is not set: say where with CASS_INSTALL}/.local/bin}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
from=$download/$name.tar.gz
if command -v curl >/dev/null; then
    curl -LsSf "$from" -o "$work/archive" || fail "cannot fetch $from"
elif command -v wget >/dev/null; then
    wget -qO "$work/archive" "$from" || fail "cannot fetch $from"
else
    fail "neither curl nor wget is there"
fi
if command -v sha256sum >/dev/null; then sum=$(sha256sum "$work/archive"); else sum=$(shasum -a 256 "$work/archive"); fi
[ "${sum%% *}" = "$(sum_of "$target")" ] || fail "$from has another checksum than the release: nothing was installed"
tar -xzf "$work/archive" -C "$work"
mkdir -p "$into" || fail "cannot make $into: choose another folder with CASS_INSTALL"
cp "$work/$name/cass-transpile" "$into/.cass-transpile.new" || fail "cannot write into $into: choose another folder with CASS_INSTALL"
chmod 755 "$into/.cass-transpile.new"
mv -f "$into/.cass-transpile.new" "$into/cass-transpile"
echo "installed $into/cass-transpile"
case :$PATH: in *":$into:"*) ;; *) echo "$into is not in PATH" ;; esac
INSTALL
} >"$folder/install.sh"

cd "$folder"
if [ -f SHA256SUMS ]; then
    sha256sum cass-transpile.rb cass-transpile.json recipe.yaml install.sh >>SHA256SUMS
fi
