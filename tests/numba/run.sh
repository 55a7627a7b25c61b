#!/usr/bin/env bash
# run.sh BIN: programs for numba.cuda and what BIN makes of them for numba-hip give the same lines under Numba's simulator; the atomics
# written into them are run as they are, and compiled for AMD. Then AMD's own compiler of numba-hip compiles them, and an emulator runs
# them on 64 and on 32 lanes: the same lines again, and programs for warps give what NumPy gives.
#
# Needs CASS_NUMBA (tests/numba/setup.sh), and CASS_ROCM for the compilation; CASS_NUMBA_HIP (tests/numba/hip.sh) and HIP_EMULATOR for the
# runs on the emulator, without which that part says NOT RUN. A minute and a half on two cores.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bin=$(realpath "${1:?usage: run.sh BIN}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python=$CASS_NUMBA/bin/python
die() { echo "run.sh: $*" >&2; exit 1; }
"$bin" -q "$here/programs" "$work/ported" > /dev/null || die "the programs are not ported"
"$bin" check -q --fail-on error "$work/ported" > /dev/null || die "the ported programs have errors"
count=0
for program in "$here"/programs/*.py; do
  name=$(basename "$program" .py)
  grep -q 'numba import hip\|numba\.hip' "$work/ported/$name.py" || die "$name is not ported"
  "$python" -W ignore "$here/simulated.py" "$program" > "$work/$name.before"
  "$python" -W ignore "$here/simulated.py" "$work/ported/$name.py" > "$work/$name.after"
  [ -s "$work/$name.before" ] || die "$name says nothing"
  diff "$work/$name.before" "$work/$name.after" || die "$name gives something else after it is ported"
  count=$((count + 1))
done
echo "ok: $count programs give the same for numba.cuda and for numba.hip"
"$python" -W ignore "$here/helpers.py" "$work/ported/atomics.py"

if [ -z "${CASS_NUMBA_HIP:-}" ] || [ -z "${HIP_EMULATOR:-}" ]; then
  echo "NOT RUN: on emulated GPUs (CASS_NUMBA_HIP or HIP_EMULATOR is not set)"
  exit 0
fi
"$bin" -q "$here/lanes" "$work/lanes" > /dev/null || die "the programs for warps are not ported"
# emulated CHIP FILE
emulated() { HIP_EMULATOR_ARCH=$1 timeout 300 "$CASS_NUMBA_HIP/python" -W ignore "$here/emulated.py" "$2"; }
for chip in gfx90a gfx1100; do
  for program in "$here"/programs/*.py; do
    name=$(basename "$program" .py)
    emulated "$chip" "$work/ported/$name.py" > "$work/$name.$chip" || die "$name ends badly on $chip"
    diff "$work/$name.before" "$work/$name.$chip" || die "$name gives something else on $chip"
  done
  for program in "$work"/lanes/*.py; do
    emulated "$chip" "$program" || die "$(basename "$program") is wrong on $chip"
  done
  echo "ok: $count programs by numba-hip's own compiler give the same on $chip"
done
