#!/usr/bin/env bash
# run.sh BIN: the fixture extension as PyTorch for ROCm would build it, before and after BIN has ported it in place; and for NVIDIA.
#
# Before, setup.py refuses and the kernels do not compile; after, every option is taken, every unit compiles for gfx90a, and a second
# run changes nothing. With CASS_NVCC (folder that tests/torch/nvcc.sh filled) the kernels also compile with nvcc, before and after.
# Needs CASS_ROCM and CASS_TORCH (tests/torch/setup.sh). Two minutes on two cores.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bin=$(realpath "${1:?usage: run.sh BIN}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
check() { python3 "$here/torchcheck.py" "$@"; }
field() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["summary"][sys.argv[2]])' "$work/$1.json" "$2"; }
# Names of the unit's own have a number of the file in them.
code() { grep -v '^//' "$1" | sed -E 's/[0-9a-f]{8}_[0-9]+_lanes_cu_[0-9a-f]{8}/lanes/g'; }
die() { echo "run.sh: $*" >&2; exit 1; }

python3 -W ignore "$here/renames.py" --check "$CASS_TORCH/2.11.0"

cp -r "$here/extension" "$work/before"
cp -r "$here/extension" "$work/after"
"$bin" --in-place "$work/after" > "$work/log" || die "the extension is not ported: $(tail -3 "$work/log")"
find "$work/after" -name '*.cuda-orig' -delete
cp -r "$work/after" "$work/again"
"$bin" --in-place "$work/again" > /dev/null
find "$work/again" -name '*.cuda-orig' -delete
diff -r --exclude=.cass "$work/after" "$work/again" || die "a second run changes something"
"$bin" check --fail-on error "$work/after" || die "the ported extension has errors"

if [ -n "${CASS_NVCC:-}" ]; then
  for tree in before after; do
    "$CASS_NVCC/bin/nvcc" -arch=sm_80 -std=c++17 -DWITH_CUDA --expt-relaxed-constexpr -ptx -o "$work/$tree.ptx" \
      -I "$CASS_NVCC/include/cccl" -I "$CASS_TORCH/cuda" -I "$CASS_TORCH/include" -I "$work/$tree/csrc" \
      "$work/$tree/csrc/cuda/lanes.cu" || die "nvcc does not compile the kernels $tree"
  done
  cmp <(code "$work/before.ptx") <(code "$work/after.ptx") || die "nvcc makes other code of the ported kernels"
  echo "ok: nvcc makes the same code of both"
fi

check "$work/before" --out "$work/before.json" -q
[ "$(field before setups_refusing)" = 1 ] && [ "$(field before gpu_ok)" = 0 ] || die "PyTorch's hipify alone builds the fixture"
check "$work/after" --out "$work/after.json"
[ "$(field after setups_refusing)" = 0 ] || die "setup.py refuses"
[ "$(field after builds)" = "$(field after units)" ] || die "not every unit builds"
echo "ok: $(field before builds) of $(field before units) units build before, $(field after builds) of $(field after units) after"
