#!/usr/bin/env bash
# package.sh TAG BUILT OUT: everything that a release publishes, made from what the build jobs left in BUILT/*TARGET/ (`dist/` with an
# archive and a wheel, `target/TARGET/dist/` with the program). Publishes nothing and needs no token. In OUT:
#   archives/   archives with checksums, SHA256SUMS, the extension for VS Code with and without the program
#   wheels/     for PyPI
#   npm/        a package for each system, and `cass-transpile.tgz` that depends on them
#   container/  what `docker build` takes
set -euo pipefail
tag=$1 built=$2 out=$3
here=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$out"/{archives,wheels,npm,container}
out=$(cd "$out" && pwd)
programs=()
for folder in "$built"/*/; do
    cp "$folder"dist/*"$tag"*.sha256 "$out/archives/"
    cp "$folder"dist/*"$tag"*.tar.gz "$out/archives/" 2>/dev/null || cp "$folder"dist/*"$tag"*.zip "$out/archives/"
    cp "$folder"dist/*.whl "$out/wheels/" 2>/dev/null || echo "package.sh: no wheel in $folder" >&2
    for program in "$folder"target/*/dist/cass-transpile "$folder"target/*/dist/cass-transpile.exe; do
        [ -f "$program" ] || continue
        target=$(basename "$(dirname "$(dirname "$program")")")
        chmod +x "$program"
        programs+=("$target=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")")
    done
done
[ ${#programs[@]} -gt 0 ] || { echo "package.sh: no program in $built" >&2; exit 1; }

bash "$here/.github/release/vsix.sh" "$out/archives" "${programs[@]}"
for extension in "$out"/archives/*.vsix; do
    (cd "$out/archives" && sha256sum "$(basename "$extension")" >"$(basename "$extension").sha256")
done
(cd "$out/archives" && cat ./*.sha256 >SHA256SUMS)

folders=$(mktemp -d)
trap 'rm -rf "$folders"' EXIT
node "$here/.github/npm/pack.mjs" "$folders" "${programs[@]}"
for folder in "$folders"/*/; do
    name=$(basename "$folder")
    (cd "$folder" && npm pack --silent --pack-destination "$out/npm" >/dev/null)
    mv "$out/npm/$name"-[0-9]*.tgz "$out/npm/$name.tgz"
done

for program in "${programs[@]}"; do
    case $program in x86_64-unknown-linux-musl=*) cp "${program#*=}" "$out/container/cass-transpile" ;; esac
done
cp "$here/LICENSE" "$out/container/"
# The program and nothing else, as in .github/Containerfile, which compiles it.
printf '%s\n' 'FROM scratch' 'COPY --chmod=755 cass-transpile /bin/cass-transpile' 'COPY LICENSE /LICENSE' 'ENTRYPOINT ["/bin/cass-transpile"]' >"$out/container/Dockerfile"
