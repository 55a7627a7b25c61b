#!/usr/bin/env bash
# cuda.sh NVCC_DIR DIR: a CUDA toolkit in DIR that CMake and nvcc accept, to configure and compile with, without NVIDIA's installer.
#
# NVCC_DIR is what tests/torch/nvcc.sh filled (compiler and headers); to it come the runtime's libraries out of the wheel that NVIDIA
# publishes, and an empty library for each other one that the projects here link, since configuring only asks whether it is there.
# A few seconds, 2 MB; a second call returns at once.
set -euo pipefail
[ $# = 2 ] || { echo "usage: cuda.sh NVCC_DIR DIR" >&2; exit 2; }
NVCC=$(cd "$1" && pwd)
DIR=$(mkdir -p "$2" && cd "$2" && pwd)
LIBRARIES=(cuda cublas cublasLt curand cufft cusparse cusolver nvToolsExt)
[ -e "$DIR/.complete" ] && { echo "cuda.sh: $DIR is complete already"; exit 0; }
cp -al "$NVCC/." "$DIR/" 2>/dev/null || cp -a "$NVCC/." "$DIR/"
rm -f "$DIR/.complete"
wheels=$(mktemp -d "$DIR/.wheels.XXXXXX")
python3 -m pip download --quiet --disable-pip-version-check --no-cache-dir --no-deps --only-binary :all: --dest "$wheels" nvidia-cuda-runtime==13.0.96
python3 -m zipfile -e "$wheels"/*.whl "$wheels/unpacked"
cp "$wheels"/unpacked/nvidia/cu13/lib/* "$DIR/lib/"
rm -rf "$wheels"
ln -sfn libcudart.so.13 "$DIR/lib/libcudart.so"
for library in "${LIBRARIES[@]}"; do
  : | cc -shared -x c - -o "$DIR/lib/lib$library.so"
done
ln -sfn lib "$DIR/lib64"
touch "$DIR/.complete"
echo "cuda.sh: a CUDA toolkit in $DIR"
