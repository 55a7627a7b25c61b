#!/usr/bin/env bash
# cuda12.sh DIR: the headers of CUDA 12.4, the newest that Debian's clang 19 takes for CUDA, out of the Python wheels that NVIDIA publishes.
# cudacheck.py compiles extensions against them. Those of the libraries come from CASS_CUDA_INCLUDE (tests/cuda/setup.sh). Nothing is installed.
# Which index is asked is pip's own configuration. Some seconds, 25 MB.
set -euo pipefail
DIR=$(mkdir -p "${1:?usage: cuda12.sh DIR}" && cd "$1" && pwd)
[ -e "$DIR/.complete" ] && { echo "cuda12.sh: $DIR is complete already"; exit 0; }
wheels=$(mktemp -d "$DIR/.wheels.XXXXXX")
# CCCL is of 12.6, since its wheel of 12.4 was taken back.
python3 -m pip download --quiet --no-cache-dir --no-deps --only-binary :all: --dest "$wheels" \
  nvidia-cuda-nvcc-cu12==12.4.131 nvidia-cuda-runtime-cu12==12.4.127 nvidia-cuda-cccl-cu12==12.6.77 \
  nvidia-curand-cu12==10.3.5.147 nvidia-nvtx-cu12==12.4.127
for wheel in "$wheels"/*.whl; do python3 -m zipfile -e "$wheel" "$wheels/unpacked"; done
mkdir -p "$DIR/include" "$DIR/bin" "$DIR/lib" "$DIR/nvvm"
for part in "$wheels"/unpacked/nvidia/*/include; do cp -r "$part/." "$DIR/include/"; done
cp -r "$wheels/unpacked/nvidia/cuda_nvcc/nvvm/libdevice" "$DIR/nvvm/"
rm -rf "$wheels"
touch "$DIR/.complete"
echo "cuda12.sh: export CASS_CUDA12=$DIR"
