#!/usr/bin/env bash
# managers.sh OWNER/NAME TAG FOLDER: writes what package managers install a release by into FOLDER, which holds the archives'
# checksums (*.sha256) and `source.sha256` of the tag's source archive:
#   cass-transpile.rb      a Homebrew formula, for a tap
#   cass-transpile.json    a Scoop manifest: `scoop install` takes the address of this file
#   recipe.yaml            a conda recipe (rattler-build) that compiles the tag's source
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
  version "$version"
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

cd "$folder"
if [ -f SHA256SUMS ]; then
    sha256sum cass-transpile.rb cass-transpile.json recipe.yaml >>SHA256SUMS
fi
