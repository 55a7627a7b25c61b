#!/usr/bin/env bash
# repository.sh OWNER/NAME: writes where the crate and the wheels are published from into Cargo.toml, which `cargo binstall` finds
# archives by, and pyproject.toml, which PyPI links by. It makes the links of README.md whole too: registries show that page, and have
# none of the files beside it.
# It is not there always: a fork must not point at somebody else's releases.
set -euo pipefail
cd "$(dirname "$0")/../.."
home=https://github.com/$1
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
# Not sed: that of macOS has another way to write a line break.
awk -v line="repository = \"$home\"" '{ print } /^documentation = / { print line }' Cargo.toml >Cargo.toml.new
mv Cargo.toml.new Cargo.toml
grep -q "^repository = \"$home\"$" Cargo.toml
awk -v urls="[project.urls]\nRepository = \"$home\"\nChangelog = \"$home/blob/v$version/.github/CHANGELOG.md\"\n" \
    '/^\[tool.maturin\]/ { print urls } { print }' pyproject.toml >pyproject.toml.new
mv pyproject.toml.new pyproject.toml
grep -q "^Repository = \"$home\"$" pyproject.toml
# Images by their bytes, all else by its page; what has a colon or is a place in the same page stays.
sed -E -e "s|(!\[[^]]*\])\(([^):#][^):]*)\)|\1($home/raw/v$version/\2)|g" \
    -e "s|\]\(([^):#][^):]*)\)|]($home/blob/v$version/\1)|g" README.md >README.md.new
mv README.md.new README.md
