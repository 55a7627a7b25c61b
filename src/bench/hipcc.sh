#!/usr/bin/env bash
# Compiles and links HIP programs for the emulator: clang with AMD's headers under $CASS_ROCM, as tests/rocm/setup.sh lays them out.
# It takes hipcc's command line. Chips of --offload-arch are replaced by those of $HIP_EMULATOR_ARCHS. `cass-transpile bench` says by
# HIPCC_ROCM, HIPCC_LIB and HIPCC_DEVICE_LIB where headers, the runtime and AMD's device libraries are; without them they are those of
# Debian's packages and of the folder that install.sh filled.
set -euo pipefail
rocm=${HIPCC_ROCM:-${CASS_ROCM:?hipcc: CASS_ROCM names no folder that tests/rocm/setup.sh filled}/usr}
lib=${HIPCC_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
device=${HIPCC_DEVICE_LIB:-$rocm/lib/llvm-17/lib/clang/17/amdgcn/bitcode}
archs=${HIP_EMULATOR_ARCHS:-gfx90a gfx1030}

options=(--rocm-path="$rocm" --rocm-device-lib-path="$device" -isystem "$rocm/include"
  -D__HIP_PLATFORM_AMD__ -w -Wno-unused-command-line-argument)
for arch in $archs; do options+=("--offload-arch=$arch"); done
link=true
words=()
while [ $# -gt 0 ]; do
  case $1 in
    --offload-arch=* | --amdgpu-target=* | -fgpu-rdc | --hip-link | -lamdhip64 | -Wall | -Werror) ;;
    --genco) link=false; words+=(--cuda-device-only) ;;
    -c | -E | -S | -M | -MM | -fsyntax-only) link=false; words+=("$1") ;;
    -o | -I | -L | -D | -U | -include | -isystem | -MF | -MT) words+=("$1" "$2"); shift ;;
    -*) words+=("$1") ;;
    *.cu | *.cpp | *.cc | *.cxx | *.hip) words+=(-x hip "$1" -x none) ;;
    *) words+=("$1") ;;
  esac
  shift
done
# Clang brings its offload runtime along where -fopenmp meets a chip; no program of HIP needs it.
$link && words=(-Wl,--as-needed "${words[@]}" -L"$lib" -lamdhip64 -Wl,-rpath-link,"$lib" -lm -lpthread)
# Clang reads these itself, and would look for headers of HIP in another order.
unset HIP_PATH HIP_DEVICE_LIB_PATH ROCM_PATH
exec "${HIP_EMULATOR_CLANG:-clang++-19}" "${options[@]}" "${words[@]}"
