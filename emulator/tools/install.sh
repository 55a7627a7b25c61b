#!/usr/bin/env bash
# install.sh DIR: lays the emulator out in DIR, so that programs find it in the place of AMD's runtime.
#
#   DIR/lib/libamdhip64.so.6, .so.7   the emulator, under the names that programs of ROCm 6 and 7 ask for
#   DIR/lib/libamdhip64.so            what -lamdhip64 links with
#   DIR/lib/libhipblas.so, .so.2, .3  the same file: it has the functions of hipBLAS that programs mostly use,
#   DIR/lib/libhipblaslt.so, .so.0, .1  products of hipBLASLt
#   DIR/lib/libhiprtc.so, .so.6, .7   and hiprtc,
#   DIR/lib/libMIOpen.so, .so.1       and the layers of MIOpen that small networks use,
#   DIR/lib/libhiprand.so, .so.1      hipRAND's generators of the host
#   DIR/lib/libhipfft.so, .so.0       hipFFT's transforms
#   DIR/lib/libhipsparse.so, .so.1    products of hipSPARSE
#   DIR/lib/libroctx64.so, .so.4     and marks and ranges of roctx, which do nothing
#   DIR/bin/hipcc                     clang 19 with AMD's headers, for programs that are built here ($CASS_ROCM: see tests/rocm/setup.sh)
#
# A program that hipcc or clang has linked runs as it is:  LD_LIBRARY_PATH=DIR/lib HIP_EMULATOR_ARCH=gfx90a ./program
# HIP_EMULATOR_LIB names a library that is built already; else cargo builds it.
set -euo pipefail
[ $# = 1 ] || { echo "usage: install.sh DIR" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/lib" "$1/bin"
dir=$(cd "$1" && pwd)
library=${HIP_EMULATOR_LIB:-}
if [ -z "$library" ]; then
  (cd "$here/.." && cargo build --locked --release --quiet)
  library=$(cd "$here/.." && cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/release/libhip_emulator.so
fi
[ -f "$library" ] || { echo "install.sh: no library at $library" >&2; exit 1; }
cp "$library" "$dir/lib/libamdhip64.so.6.tmp"
mv "$dir/lib/libamdhip64.so.6.tmp" "$dir/lib/libamdhip64.so.6"
ln -sfn libamdhip64.so.6 "$dir/lib/libamdhip64.so.7"
for name in libamdhip64.so libhipblas.so{,.2,.3} libhipblaslt.so{,.0,.1} libhiprtc.so{,.6,.7} libMIOpen.so{,.1} libhiprand.so{,.1} libhipfft.so{,.0} libhipsparse.so{,.1} libroctx64.so{,.4}; do ln -sfn libamdhip64.so.6 "$dir/lib/$name"; done
install -m 755 "$here/hipcc" "$dir/bin/hipcc"
