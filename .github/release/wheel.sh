#!/usr/bin/env bash
# wheel.sh: builds the wheel, installs it into a fresh environment without a registry and runs the program; then installs the hook's
# program from it. CASS_PROFILE=release takes the light build for people, CASS_PROFILE=dev that for development; either is quick where
# it was made already. Leaves the wheel in target/wheels/.
set -euo pipefail
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch" .hook-*' EXIT
python=$(command -v python3)
"$python" -m venv "$scratch/tools"
"$scratch/tools/bin/pip" install --quiet --disable-pip-version-check 'maturin>=1.9,<2'
rm -rf target/wheels
"$scratch/tools/bin/maturin" build --profile "${CASS_PROFILE:-dist}" --locked --quiet --compatibility linux --out target/wheels
ls -l target/wheels
export PIP_NO_INDEX=1 PIP_FIND_LINKS=$PWD/target/wheels PIP_DISABLE_PIP_VERSION_CHECK=1
"$python" -m venv "$scratch/user"
"$scratch/user/bin/pip" install --quiet cass-transpile
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
[ "$("$scratch/user/bin/cass-transpile" --version)" = "cass-transpile $version" ]
"$scratch/user/bin/cass-transpile" -q fixtures/example "$scratch/out"
[ -s "$scratch/out/cass-report.json" ]
# The hook installs it by itself where the path has none, and finds it again.
for round in first second; do
    status=0
    PATH=/usr/bin:/bin bash .github/hook.sh check --force-exclude fixtures/example -q >"$scratch/hook.$round" || status=$?
    [ "$status" = 1 ] && grep -q CASS003 "$scratch/hook.$round"
done
echo "wheel.sh: installed and run"
