#!/usr/bin/env bash
# pack.sh TAG TARGET: the archive of a release in dist/, with its checksum: .zip for Windows, .tar.gz elsewhere.
set -euo pipefail
name=cass-transpile-$1-$2
built=target/$2/dist
program=cass-transpile
case $2 in *windows*) program=cass-transpile.exe ;; esac
[ -f "$built/$program" ] || { echo "pack.sh: no $built/$program" >&2; exit 1; }
rm -rf "$name"
mkdir -p "$name" dist
cp "$built/$program" README.md LICENSE "$name/"
case $2 in
    *windows*) archive=$name.zip; if command -v 7z >/dev/null; then 7z a -bso0 "dist/$archive" "$name"; else python3 -m zipfile -c "dist/$archive" "$name"; fi ;;
    *) archive=$name.tar.gz; tar -czf "dist/$archive" "$name" ;;
esac
cd dist
(command -v sha256sum >/dev/null && sha256sum "$archive" || shasum -a 256 "$archive") > "$archive.sha256"
