#!/usr/bin/env bash
# compile.sh ROCM_DIR ARCH [OPTION...] FILE...: does HIP source compile for an AMD GPU? Nothing is run, no GPU is needed.
#
# ROCM_DIR is what setup.sh filled; ARCH is a chip as the compiler names it (gfx90a, gfx942, gfx1100). Words that begin with
# a dash (-Iinclude, -DNAME=1) go to the compiler. Each file takes two passes:
#   host     front end only;
#   device   to a linked code object: inline assembly is assembled (the front end alone does not look at its mnemonics)
#            and the linker names device functions that nobody defines.
# A .c file is C for the host alone. Prints one line per file and the compiler's errors; exit 1 when any file failed.
set -uo pipefail

[ $# -ge 3 ] || { echo "usage: compile.sh ROCM_DIR ARCH [OPTION...] FILE..." >&2; exit 2; }
ROCM=$1/usr
ARCH=$2
shift 2
[ -e "$ROCM/include/hip/hip_runtime.h" ] || { echo "compile.sh: no HIP headers in $ROCM; run setup.sh first" >&2; exit 2; }

OPTIONS=()
FILES=()
for word in "$@"; do
  case $word in -*) OPTIONS+=("$word") ;; *) FILES+=("$word") ;; esac
done
[ ${#FILES[@]} -gt 0 ] || { echo "compile.sh: no files given" >&2; exit 2; }

SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT

# Warnings are left out: an ignored error code is a warning in HIP and no news in code that ignored it in CUDA.
COMMON=(-w -ferror-limit=20 -fno-color-diagnostics)
HIP=(clang++-19 -x hip -std=c++17 "--offload-arch=$ARCH" "--rocm-path=$ROCM"
  "--rocm-device-lib-path=$ROCM/lib/llvm-17/lib/clang/17/amdgcn/bitcode")
C=(clang-19 -x c -std=gnu11 -D__HIP_PLATFORM_AMD__ -isystem "$ROCM/include")

host_pass() {
  case $1 in
    *.c) "${C[@]}" "${COMMON[@]}" -fsyntax-only ${OPTIONS[@]+"${OPTIONS[@]}"} "$1" ;;
    *) "${HIP[@]}" "${COMMON[@]}" --cuda-host-only -fsyntax-only ${OPTIONS[@]+"${OPTIONS[@]}"} "$1" ;;
  esac
}

device_pass() {
  case $1 in
    *.c) return 0 ;;
    *) "${HIP[@]}" "${COMMON[@]}" --cuda-device-only -O1 -c -o "$SCRATCH/device.o" ${OPTIONS[@]+"${OPTIONS[@]}"} "$1" ;;
  esac
}

failed=0
for file in "${FILES[@]}"; do
  verdict=ok
  host_pass "$file" >"$SCRATCH/log" 2>&1 || verdict="FAILED (host)"
  if [ "$verdict" = ok ]; then device_pass "$file" >"$SCRATCH/log" 2>&1 || verdict="FAILED ($ARCH)"; fi
  echo "$verdict: $file"
  [ "$verdict" = ok ] || { failed=1; grep -vE '^[0-9]+ errors? generated' "$SCRATCH/log"; }
done
exit $failed
