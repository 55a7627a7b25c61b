#!/usr/bin/env bash
# vsix.sh OUT [TARGET=PROGRAM]...: the extension for VS Code, once without the program and once for each system with the program of it
# in `bin/`: a market place gives each machine the one that fits. The program that links to nothing serves every Linux.
set -euo pipefail
out=$1
shift
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$(dirname "$0")/../../editors/vscode"
[ -d node_modules ] || npm ci --silent
npm run --silent build
trap 'rm -rf bin' EXIT
pack() { npx vsce package --no-dependencies --skip-license --allow-missing-repository "$@" >/dev/null; }
rm -rf bin
pack --out "$out/cass-transpile.vsix"
for program in "$@"; do
    file=${program#*=}
    case ${program%%=*} in
        x86_64-unknown-linux-musl) systems="linux-x64 alpine-x64" ;;
        aarch64-unknown-linux-musl) systems="linux-arm64 alpine-arm64" ;;
        x86_64-apple-darwin) systems=darwin-x64 ;;
        aarch64-apple-darwin) systems=darwin-arm64 ;;
        x86_64-pc-windows-msvc) systems=win32-x64 ;;
        *) continue ;;
    esac
    rm -rf bin
    mkdir bin
    cp "$file" "bin/$(basename "$file")"
    chmod +x bin/*
    for system in $systems; do pack --target "$system" --out "$out/cass-transpile-$system.vsix"; done
done
