#!/usr/bin/env bash
# headers.sh DIR: what exam.py compiles projects against. DIR/usr has headers of libraries out of Debian's packages, DIR/nvcc12 and
# DIR/nvcc11 have the nvcc of CASS_NVCC (tests/torch/nvcc.sh) with the headers of CUDA 12.4 and 11.8, for what later releases took away.
# Nothing is installed. Which index is asked is pip's own configuration. Five minutes, 400 MB; wheels of 1 GB are fetched for CUDA 11.8.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
DIR=$(mkdir -p "${1:?usage: headers.sh DIR}" && cd "$1" && pwd)
[ -e "$DIR/.complete" ] && { echo "headers.sh: $DIR is complete already"; exit 0; }
: "${CASS_NVCC:?run tests/torch/nvcc.sh DIR and set CASS_NVCC=DIR}"
: "${CASS_CUDA_INCLUDE:?run tests/cuda/setup.sh DIR and set CASS_CUDA_INCLUDE=DIR/include}"
PACKAGES=(
  libeigen3-dev libboost1.81-dev libglm-dev libfmt-dev libspdlog-dev nlohmann-json3-dev libcli11-dev libtclap-dev zlib1g-dev
  libgflags-dev libgoogle-glog-dev libopencv-core-dev libopencv-imgproc-dev libopencv-imgcodecs-dev libopencv-highgui-dev
  libopencv-video-dev libopencv-videoio-dev libopencv-calib3d-dev libopencv-features2d-dev libopencv-flann-dev libflann-dev libpcl-dev
  libopencv-contrib-dev libopencv-dnn-dev libopencv-ml-dev libopencv-objdetect-dev libopencv-photo-dev libopencv-shape-dev
  libopencv-stitching-dev libopencv-superres-dev libopencv-videostab-dev
  libyaml-cpp-dev libprotobuf-dev libopenmpi-dev libfftw3-dev libhdf5-dev libtiff-dev libpng-dev libjpeg62-turbo-dev libtbb-dev
  libgtest-dev libgmock-dev libbenchmark-dev pybind11-dev libcereal-dev libgl-dev libglew-dev libglfw3-dev libegl-dev libx11-dev
  x11proto-dev liblapacke-dev libsqlite3-dev libassimp-dev libqhull-dev libglut-dev libglu1-mesa-dev libgsl-dev libgmp-dev libssl-dev
  libtinyxml2-dev libjsoncpp-dev rapidjson-dev libpython3.11-dev libgdal-dev libuv1-dev libxxhash-dev
)
CUDA11=(
  nvidia-cuda-nvcc-cu11==11.8.89 nvidia-cuda-runtime-cu11==11.8.89 nvidia-cuda-cccl-cu11==11.8.89.post1 nvidia-curand-cu11==10.3.0.86
  nvidia-cublas-cu11==11.11.3.6 nvidia-cusparse-cu11==11.7.5.86 nvidia-cufft-cu11==10.9.0.58 nvidia-cusolver-cu11==11.4.1.48
)
scratch=$(mktemp -d "$DIR/.scratch.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
(cd "$scratch" && apt-get -qq download "${PACKAGES[@]}")
for package in "$scratch"/*.deb; do dpkg-deb --fsys-tarfile "$package" | tar -x -C "$DIR" --wildcards './usr/include/*' './usr/lib/*/openmpi/include/*' || true; done

# One release of CUDA under the programs of nvcc: its headers, and those of libraries of CUDA 13 where it brings none. The launch macros are
# nvcc's own.
release() {
  local home=$DIR/$1 headers=$2
  mkdir -p "$home"
  cp -r "$CASS_NVCC/bin" "$home/"
  ln -sfn "$CASS_NVCC/nvvm" "$home/nvvm"
  ln -sfn "$CASS_NVCC/lib" "$home/lib"
  cp -r "$headers" "$home/include"
  for file in cudnn*.h nccl.h nvml.h npp*.h nvjpeg.h nvrtc.h nvtx3 cuda_profiler_api.h cudaProfiler.h cublas*.h cufft*.h curand*.h cusolver*.h cusparse*.h; do
    for found in "$CASS_CUDA_INCLUDE"/$file; do [ -e "$home/include/$(basename "$found")" ] || cp -r "$found" "$home/include/"; done
  done
  cp "$CASS_NVCC/include/crt/host_runtime.h" "$home/include/crt/"
}
bash "$here/torch/cuda12.sh" "$scratch/12"
release nvcc12 "$scratch/12/include"
mkdir "$scratch/11" "$scratch/11wheels"
python3 -m pip download --quiet --no-cache-dir --no-deps --only-binary :all: --dest "$scratch/11wheels" "${CUDA11[@]}"
for wheel in "$scratch"/11wheels/*.whl; do python3 -m zipfile -e "$wheel" "$scratch/11/unpacked"; done
mkdir "$scratch/11/include"
for part in "$scratch"/11/unpacked/nvidia/*/include; do cp -r "$part/." "$scratch/11/include/"; done
release nvcc11 "$scratch/11/include"
touch "$DIR/.complete"
echo "headers.sh: exam.py --headers $DIR, with CASS_NVCC=$DIR/nvcc12:$CASS_NVCC:$DIR/nvcc11"
