#!/usr/bin/env bash
# version.sh TAG: a tag releases the version that it names, and a version that the changelog tells of.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
if [ "$1" != "v$version" ]; then
    echo "version.sh: the tag is $1, Cargo.toml says $version: raise the version or name the tag v$version" >&2
    exit 1
fi
if ! grep -q "^## $version\b" .github/CHANGELOG.md; then
    echo "version.sh: .github/CHANGELOG.md has no heading '## $version'" >&2
    exit 1
fi
for file in editors/vscode/package.json editors/zed/extension.toml; do
    if ! grep -q "^ *\"\?version\"\?\( =\|:\) \"$version\"" "$file"; then
        echo "version.sh: $file has another version than Cargo.toml, which says $version" >&2
        exit 1
    fi
done
for file in README.md docs/howto/ci.md; do
    if grep -q "Nothing is published yet" "$file"; then
        echo "version.sh: $file says that nothing is published yet: registries show it, take it out with what stands there instead" >&2
        exit 1
    fi
done
