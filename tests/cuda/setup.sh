#!/usr/bin/env bash
# setup.sh DIR: the headers of CUDA 13.0 and its libraries, in DIR/include, out of the Python wheels that NVIDIA publishes.
#
# Nothing is installed and no binary stays: wheels are fetched (2 GB, some at a time), their headers are unpacked, the rest goes.
# Which index is asked is pip's own configuration. Needs python3 with pip (as root on Debian: pip is installed where it is missing).
# Releases are fixed, so that a new CUDA shows as a change of this file and not as a red test on an ordinary day.
# A minute or two and 40 MB; a second call finds DIR complete and returns at once. Remove DIR to start again.
set -euo pipefail

WHEELS=(
  nvidia-cuda-runtime==13.0.96 nvidia-cuda-crt==13.0.88 nvidia-cuda-nvrtc==13.0.88 nvidia-nvjitlink==13.0.88
  nvidia-cuda-profiler-api==13.0.85 nvidia-cuda-cccl==13.0.85 nvidia-cuda-cupti==13.0.85 nvidia-nvtx==13.0.85
  nvidia-nvml-dev==13.0.87 nvidia-cublas==13.0.2.14 nvidia-cufft==12.0.0.61 nvidia-curand==10.4.0.35
  nvidia-cusparse==12.6.3.3 nvidia-cusolver==12.0.4.66 nvidia-npp==13.0.1.2 nvidia-nvjpeg==13.0.1.86
  nvidia-cufile==1.15.1.6 nvidia-cudnn-cu13==9.13.0.50 nvidia-nccl-cu13==2.27.7
  nvidia-cusparselt-cu13==0.8.0 cutensor-cu13==2.3.0
)
# One header of each wheel: an index that lost a file, or a wheel with another layout, shows here.
EXPECTED=(
  cuda_runtime.h crt/host_defines.h nvrtc.h nvJitLink.h cuda_profiler_api.h cccl/cub/cub.cuh cupti.h nvtx3/nvToolsExt.h
  nvml.h cublas_v2.h cufft.h curand.h cusparse.h cusolverDn.h npp.h nvjpeg.h cufile.h cudnn.h nccl.h cusparseLt.h cutensor.h
)

die() { echo "setup.sh: $*" >&2; exit 1; }

have_pip() { python3 -m pip --version >/dev/null 2>&1; }

install_pip() {
  have_pip && return
  [ "$(id -u)" = 0 ] || die "python3 has no pip here; as root: apt-get install python3-pip"
  apt-get -q update >/dev/null
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends python3-pip >/dev/null
  have_pip || die "the package python3-pip brought no pip"
}

# One wheel: fetched into a folder of its own, headers moved to DIR/include, the rest removed.
unpack() {
  local scratch
  scratch=$(mktemp -d "$DIR/.wheel.XXXXXX")
  python3 -m pip download --quiet --disable-pip-version-check --no-cache-dir --no-deps --only-binary :all: --dest "$scratch" "$1"
  python3 - "$scratch" "$DIR/include" <<'PYTHON'
import pathlib, sys, zipfile

wheels, include = map(pathlib.Path, sys.argv[1:])
for wheel in wheels.glob("*.whl"):
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            _, found, path = name.partition("/include/")
            if found and path and not name.endswith("/"):
                target = include / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(name))
PYTHON
  rm -rf "$scratch"
}

everything_unpacked() {
  local file
  for file in "${EXPECTED[@]}"; do [ -e "$DIR/include/$file" ] || { echo "missing: $DIR/include/$file" >&2; return 1; }; done
}

[ $# = 1 ] || die "usage: setup.sh DIR"
DIR=$(mkdir -p "$1" && cd "$1" && pwd)
if [ "$(cat "$DIR/.complete" 2>/dev/null)" = "${WHEELS[*]}" ] && everything_unpacked; then
  echo "setup.sh: $DIR is complete already"
  exit 0
fi
rm -rf "$DIR/.complete" "$DIR/include" "$DIR"/.wheel.*
install_pip
export DIR
export -f unpack
# Wheels wait for the network and for the disk, not for each other; four at a time also bounds what lies on the disk.
printf '%s\n' "${WHEELS[@]}" | xargs -P 4 -I '{}' bash -euo pipefail -c 'unpack "$1"' _ '{}'
everything_unpacked || die "the wheels do not hold what is needed"
echo "${WHEELS[*]}" >"$DIR/.complete"
echo "setup.sh: headers of ${#WHEELS[@]} wheels in $DIR/include; export CASS_CUDA_INCLUDE=$DIR/include"
