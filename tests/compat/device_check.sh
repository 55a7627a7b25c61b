#!/usr/bin/env bash
# Compiles the helper header with all its snippets, and a use of each (device_use_*.hip), for a wave64 and a wave32 chip, host and
# device pass. tests/proofs/compat.rs writes the header and calls this: CASS_ROCM=DIR cargo test --test proofs compat
# Usage: device_check.sh ROCM_DIR HEADER [CLANG]     ROCM_DIR holds usr/include and usr/lib of the AMD headers (or include and lib).
# A negative control comes first: an undefined device function must be refused, or the check proves nothing.
set -euo pipefail
rocm=${1:?usage: device_check.sh ROCM_DIR HEADER [CLANG]}
header=${2:?usage: device_check.sh ROCM_DIR HEADER [CLANG]}
clang=${3:-clang++-19}
here=$(cd "$(dirname "$0")" && pwd)
[ -d "$rocm/usr/include/hip" ] && rocm=$rocm/usr
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$header" "$work/cass_hip_compat.hpp"

bitcode=$(find "$rocm" /opt/rocm -name ockl.bc -printf "%h\n" 2>/dev/null | head -1 || true)
[ -n "$bitcode" ] || { echo "no device bitcode (ockl.bc) under $rocm" >&2; exit 2; }
compile() { # arch, pass..., file
  local arch=$1; shift
  "$clang" -x hip -std=c++17 -Wall -Wextra -Werror -Wno-unused-command-line-argument -Wno-pass-failed \
    --offload-arch="$arch" --rocm-path="$rocm" --rocm-device-lib-path="$bitcode" -isystem "$rocm/include" -I"$work" "$@"
}
printf '#include "cass_hip_compat.hpp"\n__device__ int cass_not_defined_anywhere();\n__global__ void k(int* p) { *p = cass_not_defined_anywhere(); }\n' > "$work/bad.hip"
if compile gfx90a --cuda-device-only -O1 -c -o "$work/x.o" "$work/bad.hip" 2>/dev/null; then
  echo "negative control failed: an undefined device function was accepted" >&2; exit 2
fi
# One translation unit for all uses: most of the time goes into reading HIP's headers.
for use in "$here"/device_use_*.hip; do printf '#include "%s"\n' "$use"; done > "$work/all.hip"
compile gfx90a --cuda-host-only -fsyntax-only "$work/all.hip"
echo "ok host"
for arch in gfx90a gfx1100; do
  compile "$arch" --cuda-device-only -O1 -c -o "$work/x.o" "$work/all.hip"
  echo "ok $arch"
done

# Loads that poll, read off the instructions: memory model of LLVM 19's AMDGPU usage.
function_of() { sed -n "/^$1:/,/s_endpgm/p" "$work/polls.s"; }
for model in "gfx90a glc -" "gfx942 sc1 sc1" "gfx1100 glc -"; do
  read -r arch load store <<< "$model"
  compile "$arch" --cuda-device-only -O2 -S -o "$work/polls.s" "$here/polls.hip"
  for kernel in poll_ldcg poll_ldcv poll_asm poll_cub poll_cub_volatile; do
    function_of "$kernel" | grep -q "s_cbranch" || { echo "$arch: $kernel has no loop" >&2; exit 1; }
    function_of "$kernel" | grep -E "(global|flat)_load" | grep -q -w "$load" || { echo "$arch: $kernel may read an old line" >&2; exit 1; }
  done
  for kernel in store_stcg store_stwt store_cub; do
    [ "$store" = - ] || function_of "$kernel" | grep -E "(global|flat)_store" | grep -q -w "$store" ||
      { echo "$arch: $kernel stays in one L2 cache" >&2; exit 1; }
  done
  echo "ok polls $arch"
done
