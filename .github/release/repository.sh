#!/usr/bin/env bash
# repository.sh OWNER/NAME: writes where the crate is published from into Cargo.toml, which `cargo binstall` finds archives by.
# It is not there always: a fork must not point at somebody else's releases.
set -euo pipefail
cd "$(dirname "$0")/../.."
sed -i.old "s|^documentation = .*|&\nrepository = \"https://github.com/$1\"|" Cargo.toml
rm Cargo.toml.old
grep -q "^repository = \"https://github.com/$1\"$" Cargo.toml
