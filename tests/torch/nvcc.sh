#!/usr/bin/env bash
# nvcc.sh DIR: NVIDIA's compiler of CUDA 13.0 with its headers, out of the Python wheels that NVIDIA publishes. Nothing is installed.
# Which index is asked is pip's own configuration. Half a minute, 300 MB. CASS_CUDA_INCLUDE (tests/cuda/setup.sh) brings the headers.
set -euo pipefail
DIR=$(mkdir -p "${1:?usage: nvcc.sh DIR}" && cd "$1" && pwd)
[ -e "$DIR/.complete" ] && { echo "nvcc.sh: $DIR is complete already"; exit 0; }
: "${CASS_CUDA_INCLUDE:?run tests/cuda/setup.sh DIR and set CASS_CUDA_INCLUDE=DIR/include}"
wheels=$(mktemp -d "$DIR/.wheels.XXXXXX")
python3 -m pip download --quiet --no-cache-dir --no-deps --only-binary :all: --dest "$wheels" \
  nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88
for wheel in "$wheels"/*.whl; do python3 -m zipfile -e "$wheel" "$wheels/unpacked"; done
cp -r "$wheels"/unpacked/nvidia/cu13/. "$DIR/"
cp -r "$CASS_CUDA_INCLUDE"/. "$DIR/include/"
# A zip file keeps no permission to run.
find "$DIR/bin" "$DIR/nvvm/bin" -type f -exec chmod +x {} +
rm -rf "$wheels"
touch "$DIR/.complete"
echo "nvcc.sh: export CASS_NVCC=$DIR"
