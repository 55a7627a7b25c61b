#!/usr/bin/env bash
# example.sh [DIR]: translates the example project, builds it with Debian's clang for AMD GPUs of both widths, and holds its run on
# emulated waves of 64 lanes against a record: of the CUDA original where nvcc and a GPU are here, else of the port on waves of 32
# lanes, as CUDA has them. Nothing is installed but in DIR. It needs Rust, clang-19 and the tools that tests/rocm/setup.sh names.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=${1:-${TMPDIR:-/tmp}/cass-run}
mkdir -p "$dir"
export CASS_ROCM=${CASS_ROCM:-$dir/rocm}
[ -e "$CASS_ROCM/usr/include/hip/hip_runtime.h" ] || bash "$root/tests/rocm/setup.sh" "$CASS_ROCM"
bash "$root/emulator/tools/install.sh" "$dir/emulator"
cass=${CASS:-$root/target/release/cass-transpile}
[ -x "$cass" ] || (cd "$root" && cargo build --locked --release --quiet)

"$cass" "$root/fixtures/example" "$dir/port" || true # what needs a person is in its report
PATH=$dir/emulator/bin:$PATH make -s -C "$dir/port"
size=(300 96)
if command -v nvcc >/dev/null && nvidia-smi >/dev/null 2>&1; then
  cp -r "$root/fixtures/example" "$dir/original" && make -s -C "$dir/original"
  "$cass" verify record -o "$dir/record.jsonl" --buffers -- "$dir/original/search" "${size[@]}"
else
  echo "example.sh: no CUDA here: the record is the port on waves of 32 lanes" >&2
  LD_LIBRARY_PATH=$dir/emulator/lib HIP_EMULATOR_ARCH=gfx1030 \
    "$cass" verify record -o "$dir/record.jsonl" --buffers -- "$dir/port/search" "${size[@]}"
fi
"$cass" verify run --emulate="$dir/emulator/lib" --chip gfx90a --against "$dir/record.jsonl" --buffers -- "$dir/port/search" "${size[@]}"
