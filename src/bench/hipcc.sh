#!/usr/bin/env bash
# Compiles and links HIP programs for the emulator: clang with AMD's headers under $CASS_ROCM, as tests/rocm/setup.sh lays them out.
# It takes hipcc's command line. Chips of --offload-arch are replaced by those of $HIP_EMULATOR_ARCHS. `cass-transpile bench` says by
# HIPCC_ROCM, HIPCC_LIB and HIPCC_DEVICE_LIB where headers, the runtime and AMD's device libraries are; without them they are those of
# Debian's packages and of the folder that install.sh filled.
# HIPCC_PARSED=DIR keeps headers parsed in DIR, once for each pass and set of options: HIP's runtime header for programs that begin by
# including it, which is three quarters of the processor time that a small program takes (4.1 s for a host and two chips without it, 0.95 s
# with it); for other programs what clang itself reads before each.
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
sources=()
# What a parsed header depends on; nothing is parsed before with words that are not known to matter to it or not.
settings=("${options[@]}")
parsed=${HIPCC_PARSED:-}
while [ $# -gt 0 ]; do
  case $1 in
    -std=* | -O* | -D?*) settings+=("$1") ;;
    -I?*) [ ! -e "${1#-I}/hip" ] || parsed= ;;
    -I) [ ! -e "$2/hip" ] || parsed= ;;
    -o | -L) ;;
    -c | -g* | -L?* | -l* | -W* | --offload-arch=* | [!-]*) ;;
    *) parsed= ;;
  esac
  case $1 in
    --offload-arch=* | --amdgpu-target=* | -fgpu-rdc | --hip-link | -lamdhip64 | -Wall | -Werror) ;;
    --genco) link=false; words+=(--cuda-device-only) ;;
    -c | -E | -S | -M | -MM | -fsyntax-only) link=false; words+=("$1") ;;
    -o | -I | -L | -D | -U | -include | -isystem | -MF | -MT) words+=("$1" "$2"); shift ;;
    -*) words+=("$1") ;;
    *.cu | *.cpp | *.cc | *.cxx | *.hip) words+=(-x hip "$1" -x none) sources+=("$1") ;;
    *) words+=("$1") ;;
  esac
  shift
done
# Clang brings its offload runtime along where -fopenmp meets a chip; no program of HIP needs it.
$link && words=(-Wl,--as-needed "${words[@]}" -L"$lib" -lamdhip64 -Wl,-rpath-link,"$lib" -lm -lpthread)
# Clang reads these itself, and would look for headers of HIP in another order.
unset HIP_PATH HIP_DEVICE_LIB_PATH ROCM_PATH
clang=${HIP_EMULATOR_CLANG:-clang++-19}

# Whether includes of the system's and HIP's runtime header among them are the first of a file: read before its first line, that header
# means the same there.
begins_with_runtime() {
  local line
  while IFS= read -r line; do
    case $line in
      '#include <hip/hip_runtime.h>'*) return 0 ;;
      '' | '//'* | '#pragma once' | '#include <'*) ;;
      *) return 1 ;;
    esac
  done <"$1"
  return 1
}

# Parses a header for a pass (host, device) of a chip, where no run did, and takes it for that pass: -Xarch has it for one chip.
take_parsed() {
  local header=$parsed/$1-$2.pch
  if [ ! -e "$header" ]; then
    mkdir -p "$parsed"
    "$clang" "${settings[@]/#--offload-arch=*/--offload-arch=$2}" -x hip "--cuda-$1-only" -fsyntax-only -fpch-instantiate-templates \
      -Xclang -emit-pch -Xclang -o -Xclang "$header.$$" "$first_header"
    mv "$header.$$" "$header"
  fi
  with_parsed+=("-Xarch_$3" "-Wp,-include-pch,$header")
}

with_parsed=()
[ ${#sources[@]} -gt 0 ] || parsed=
if [ -n "$parsed" ]; then
  first_header=$rocm/include/hip/hip_runtime.h
  for source in "${sources[@]}"; do
    begins_with_runtime "$source" && continue
    first_header=$("$clang" -print-resource-dir)/include/__clang_hip_runtime_wrapper.h
    break
  done
  parsed=$parsed/$(printf '%s\n' "$clang" "${settings[@]}" "$first_header" | cksum | tr ' ' -)
  take_parsed host "${archs%% *}" host
  for arch in $archs; do take_parsed device "$arch" "$arch"; done
  # What goes wrong is said by a run without: clang takes some of what it read there for faults of the program.
  "$clang" "${options[@]}" "${with_parsed[@]}" "${words[@]}" 2>/dev/null && exit
fi
exec "$clang" "${options[@]}" "${words[@]}"
