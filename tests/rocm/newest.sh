#!/usr/bin/env bash
# newest.sh DIR: what the headers of ROCm 10.0 declare, in DIR/*.pxd, out of the Python wheels that AMD publishes.
#
# Debian's headers are of ROCm 6.4. The wheels hold the declarations of HIP and its libraries as Cython reads them, made from the headers
# of their release; no macros, no device functions, no C++. Nothing is installed and no binary stays; 12 MB are fetched.
# Needs python3 with pip. A second call finds DIR complete and returns at once. Remove DIR to start again.
set -euo pipefail

WHEELS=(rocm-bindings-hip==10.0.0.0.1.2 rocm-bindings-libraries==10.0.0.0.1.2 rocm-bindings-systems==10.0.0.0.1.2)
# One file of each wheel.
EXPECTED=(cyhip.pxd cyrccl.pxd cyhipsparselt.pxd cyhiptensor.pxd)

die() { echo "newest.sh: $*" >&2; exit 1; }

everything_unpacked() {
  local file
  for file in "${EXPECTED[@]}"; do [ -e "$DIR/$file" ] || { echo "missing: $DIR/$file" >&2; return 1; }; done
}

# The wheels are of one Python and one machine; their declarations are everybody's.
fetch() {
  python3 -m pip download --quiet --disable-pip-version-check --no-cache-dir --no-deps --only-binary :all: \
    --python-version 3.11 --implementation cp --abi cp311 --platform manylinux_2_28_x86_64 --dest "$1" "${WHEELS[@]}"
}

unpack() {
  python3 - "$1" "$DIR" <<'PYTHON'
import pathlib, sys, zipfile

wheels, target = map(pathlib.Path, sys.argv[1:])
for wheel in wheels.glob("*.whl"):
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            path = pathlib.PurePosixPath(name)
            if path.suffix == ".pxd" and path.name.startswith("cy"):
                (target / path.name).write_bytes(archive.read(name))
PYTHON
}

[ $# = 1 ] || die "usage: newest.sh DIR"
DIR=$(mkdir -p "$1" && cd "$1" && pwd)
if [ "$(cat "$DIR/.complete" 2>/dev/null)" = "${WHEELS[*]}" ] && everything_unpacked; then
  echo "newest.sh: $DIR is complete already"
  exit 0
fi
rm -f "$DIR/.complete" "$DIR"/*.pxd
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fetch "$scratch"
unpack "$scratch"
everything_unpacked || die "the wheels do not hold what is needed"
echo "${WHEELS[*]}" >"$DIR/.complete"
echo "newest.sh: $(ls "$DIR"/*.pxd | wc -l) files in $DIR; export CASS_ROCM_NEWEST=$DIR"
