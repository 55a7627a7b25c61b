#!/usr/bin/env bash
# compile.sh ROCM_DIR ARCH[,ARCH...] [OPTION...] FILE...: does HIP source compile for AMD GPUs? Nothing is run, no GPU is needed.
#
# ROCM_DIR is what setup.sh filled; ARCH is a chip as the compiler names it (gfx90a, gfx942, gfx1100). Words that begin with
# a dash (-Iinclude, -DNAME=1) go to the compiler; with -fsyntax-only its front end alone looks at the device side. A .cu or .hip
# file takes two passes and more:
#   host     front end only;
#   device   for each chip to a linked code object: inline assembly is assembled (the front end alone does not look at its mnemonics)
#            and the linker names device functions that nobody defines.
# .c, .cc, .cpp and .cxx go to the host compiler alone, as nvcc and most build files have it: no kernel can be in them.
# CASS_PRECOMPILED=DIR keeps headers of AMD's parsed in DIR, once for each pass and -D, where no options but -fsyntax-only,
# -ferror-limit, -I and -D are given: the one that a file begins by including, and for other files what clang itself reads before each.
# Reading HIP's runtime header is five sixths of a pass (0.78 s of processor time with it, 0.14 s without), hipCUB's 2.5 s; two thirds
# of the former are what clang itself reads. What the header uses of its own templates is made with it too
# (-fpch-instantiate-templates): each file made it anew otherwise, 0.32 s a pass where it is 0.12 s. Where a pass with it finds fault
# with a header, the pass is made once more without: clang 19 has destructors of the host's that it read there in kernels that construct
# a union (fixtures/rules/shared-constructor/invalid-storage.cu).
# Prints one line per file and the compiler's errors; exit 1 when any file failed.
set -uo pipefail

[ $# -ge 3 ] || { echo "usage: compile.sh ROCM_DIR ARCH [OPTION...] FILE..." >&2; exit 2; }
ROCM=$1/usr
IFS=, read -ra ARCHES <<<"$2"
shift 2
[ -e "$ROCM/include/hip/hip_runtime.h" ] || { echo "compile.sh: no HIP headers in $ROCM; run setup.sh first" >&2; exit 2; }

OPTIONS=()
DEFINES=()
FILES=()
for word in "$@"; do
  case $word in -D*) DEFINES+=("$word") ;; esac
  case $word in -*) OPTIONS+=("$word") ;; *) FILES+=("$word") ;; esac
done
[ ${#FILES[@]} -gt 0 ] || { echo "compile.sh: no files given" >&2; exit 2; }

# Where a pass, whose own words are kept for the verdict, says that nothing can be judged.
exec 3>&2
SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT

# Warnings are left out: an ignored error code is a warning in HIP and no news in code that ignored it in CUDA.
QUIET=(-w -ferror-limit=20 -fno-color-diagnostics)
COMMON=("${QUIET[@]}" ${OPTIONS[@]+"${OPTIONS[@]}"})
HIP=(clang++-19 -x hip -std=c++17 "--rocm-path=$ROCM"
  "--rocm-device-lib-path=$ROCM/lib/llvm-17/lib/clang/17/amdgcn/bitcode")
PLAIN=(-D__HIP_PLATFORM_AMD__ -isystem "$ROCM/include")

is_host_source() {
  case $1 in *.c | *.cc | *.cpp | *.cxx) return 0 ;; *) return 1 ;; esac
}

# What clang reads before each file, whatever that includes.
IMPLIED=__clang_hip_runtime_wrapper.h

# The header of AMD's among those that a file begins by including, as it names it: with that header read before its first line it means
# the same. HIP's runtime header where it is one of them, which most of the others include. Fails where nothing may be read before.
first_header() {
  local line name first=
  for word in ${OPTIONS[@]+"${OPTIONS[@]}"}; do
    case $word in -fsyntax-only | -ferror-limit=* | -I* | -D*) ;; *) return 1 ;; esac
  done
  while IFS= read -r line; do
    case $line in
      '' | '//'* | '#pragma once') continue ;;
      '#include <'*'>'*) name=${line#'#include <'} name=${name%%'>'*} ;;
      *) break ;;
    esac
    [ "$name" != hip/hip_runtime.h ] || first=$name
    [ -n "$first" ] || [ ! -e "$ROCM/include/$name" ] || first=$name
  done <"$1"
  echo "${first:-$IMPLIED}"
}

# Sets PARSED to the options that read a header as parsed for a pass of a chip at a level of optimization, which __OPTIMIZE__ tells, and
# parses it for the first who asks.
parsed_header() {
  local name=$1 pass=$2 arch=$3 level=${4-}
  local header=$CASS_PRECOMPILED/$pass-$arch$level-${name//\//-}
  [ ${#DEFINES[@]} = 0 ] || header+=-$(printf '%s\n' "${DEFINES[@]}" | cksum | tr ' ' -)
  header+=.pch
  if [ ! -e "$header" ]; then
    local source=$ROCM/include/$name
    [ "$name" != "$IMPLIED" ] || source=$(clang++-19 -print-resource-dir)/include/$name
    if ! "${HIP[@]}" "--offload-arch=$arch" "${QUIET[@]}" ${DEFINES[@]+"${DEFINES[@]}"} ${level:+"$level"} "--cuda-$pass-only" -fsyntax-only \
      -fpch-instantiate-templates -Xclang -emit-pch -Xclang -o -Xclang "$SCRATCH/header.pch" "$source" 2>&3 || ! mv "$SCRATCH/header.pch" "$header" 2>&3; then
      echo "compile.sh: $name cannot be kept parsed for $arch" >&3
      exit 2
    fi
  fi
  PARSED=(-Xclang -include-pch -Xclang "$header")
}

host_pass() {
  local PARSED=() name
  if [ -n "${CASS_PRECOMPILED-}" ] && ! is_host_source "$1" && name=$(first_header "$1"); then parsed_header "$name" host "${ARCHES[0]}"; fi
  case $1 in
    *.c) clang-19 -x c -std=gnu11 "${PLAIN[@]}" "${COMMON[@]}" -fsyntax-only "$1" ;;
    *.cc | *.cpp | *.cxx) clang++-19 -x c++ -std=c++17 "${PLAIN[@]}" "${COMMON[@]}" -fsyntax-only "$1" ;;
    *) "${HIP[@]}" "--offload-arch=${ARCHES[0]}" "${COMMON[@]}" ${PARSED[@]+"${PARSED[@]}"} --cuda-host-only -fsyntax-only "$1" ;;
  esac
}

device_pass() {
  is_host_source "$1" && return
  local PARSED=() name level=-O1
  # The front end has no level.
  [ "${OPTIONS[*]-}" != -fsyntax-only ] || level=
  if [ -n "${CASS_PRECOMPILED-}" ] && name=$(first_header "$1"); then parsed_header "$name" device "$2" "$level"; fi
  "${HIP[@]}" "--offload-arch=$2" "${COMMON[@]}" ${PARSED[@]+"${PARSED[@]}"} --cuda-device-only ${level:+"$level"} -c -o "$SCRATCH/device.o" "$1"
}

# Makes a pass of a file: host, or device and a chip.
pass() {
  local kind=$1
  shift
  "${kind}_pass" "$@" >"$SCRATCH/log" 2>&1 && return
  local blamed=$(grep -m 1 -E ': (fatal )?error: ' "$SCRATCH/log")
  case ${CASS_PRECOMPILED:+$blamed} in '' | "$1":*) return 1 ;; esac
  CASS_PRECOMPILED= "${kind}_pass" "$@" >"$SCRATCH/log" 2>&1
}

failed=0
for file in "${FILES[@]}"; do
  verdict=ok
  pass host "$file" || verdict="FAILED (host)"
  for arch in "${ARCHES[@]}"; do
    [ "$verdict" = ok ] || break
    pass device "$file" "$arch" || verdict="FAILED ($arch)"
  done
  echo "$verdict: $file"
  [ "$verdict" = ok ] || { failed=1; grep -vE '^[0-9]+ errors? generated' "$SCRATCH/log"; }
done
exit $failed
