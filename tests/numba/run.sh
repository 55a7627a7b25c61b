#!/usr/bin/env bash
# run.sh BIN: programs for numba.cuda and what BIN makes of them for numba-hip give the same lines under Numba's simulator; the atomics
# written into them are run as they are, and compiled for AMD.
#
# Needs CASS_NUMBA (tests/numba/setup.sh), and CASS_ROCM for the compilation. A minute on two cores.
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
