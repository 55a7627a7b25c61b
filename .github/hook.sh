#!/bin/sh
# What pre-commit runs: the program of this version from the path, or its wheel in an environment of its own beside this checkout,
# which pre-commit keeps. Nothing is compiled.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/Cargo.toml" | head -1)
if [ "$(cass-transpile --version 2>/dev/null)" = "cass-transpile $version" ]; then
    exec cass-transpile "$@"
fi
home=$here/.hook-$version
bin=$home/bin
[ -d "$home/Scripts" ] && bin=$home/Scripts
if ! [ -x "$bin/cass-transpile" ] && ! [ -x "$bin/cass-transpile.exe" ]; then
    python=$(command -v python3 || command -v python) || {
        echo "cass-transpile: the hook needs Python 3, or cass-transpile $version on the path" >&2
        exit 2
    }
    "$python" -m venv "$home"
    [ -d "$home/Scripts" ] && bin=$home/Scripts
    "$bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: "cass-transpile==$version" >&2
fi
exec "$bin/cass-transpile" "$@"
