#!/usr/bin/env bash
# Compiles every helper snippet, and a use of each (device_use_*.hip), for a wave64 and a wave32 chip, host and device pass.
# Usage: device_check.sh ROCM_DIR [CLANG]     ROCM_DIR holds usr/include and usr/lib of the AMD headers (or include and lib).
# A negative control comes first: an undefined device function must be refused, or the check proves nothing.
set -euo pipefail
rocm=${1:?usage: device_check.sh ROCM_DIR [CLANG]}
clang=${2:-clang++-19}
here=$(cd "$(dirname "$0")" && pwd)
snippets=$here/../../src/compat
[ -d "$rocm/usr/include/hip" ] && rocm=$rocm/usr
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT

key() { sed -n "s|^// $2: *||p" "$snippets/$1.hpp" | tr ',' ' '; }
declare -A done_already=()
emit() {
  [ -n "${done_already[$1]:-}" ] && return
  done_already[$1]=1
  local needed
  for needed in $(key "$1" requires); do emit "$needed"; done
  cat "$snippets/$1.hpp" >> "$work/body"
}
for file in "$snippets"/*.hpp; do emit "$(basename "$file" .hpp)"; done
{
  printf '#include <hip/hip_runtime.h>\n'
  for file in "$snippets"/*.hpp; do key "$(basename "$file" .hpp)" includes | tr ' ' '\n'; done |
    sed '/./!d' | sort -u | sed 's|.*|#include <&>|'
  cat "$work/body"
} > "$work/cass_hip_compat.hpp"

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
for arch in gfx90a gfx1100; do
  for use in "$here"/device_use_*.hip; do
    compile "$arch" --cuda-host-only -fsyntax-only "$use"
    compile "$arch" --cuda-device-only -O1 -c -o "$work/x.o" "$use"
    echo "ok $arch $(basename "$use")"
  done
done
