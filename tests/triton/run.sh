#!/usr/bin/env bash
# run.sh BIN: Triton programs compiled for gfx942 by the stock wheel, before and after BIN has translated them.
#
# Each program of kernels/ fails before and compiles after; those of manual/ fail, BIN names the line as an error, and by-hand/ has them as
# its advice says, which compile and have no finding; those of other-chips/ compile for gfx942 and not for gfx90a. Needs CASS_TRITON (tests/triton/setup.sh). One minute on two cores.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bin=$(realpath "${1:?usage: run.sh BIN}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TRITON_CACHE_DIR=$work/cache
compile() { "$CASS_TRITON/bin/python" -W ignore "$here/compile.py" "$@"; }
die() { echo "run.sh: $*" >&2; exit 1; }

for program in "$here"/kernels/*.py "$here"/manual/*.py; do
  ! compile "$program" > "$work/log" 2>&1 || die "$(basename "$program") compiles for AMD as it is"
done
"$bin" -q "$here/kernels" "$work/kernels" > /dev/null
compile "$work"/kernels/*.py || die "a translated program does not compile for AMD"
for program in "$here"/manual/*.py; do
  ! "$bin" check -q "$program" --fail-on error > /dev/null || die "$(basename "$program") has no error"
done
for program in "$here"/other-chips/*.py; do
  compile "$program" || die "$(basename "$program") does not compile for gfx942"
  ! CASS_CHIP=gfx90a compile "$program" > "$work/log" 2>&1 || die "$(basename "$program") compiles for gfx90a"
  ! "$bin" check -q "$program" --fail-on error > /dev/null || die "$(basename "$program") has no error"
  "$bin" check -q "$program" --target gfx942 --fail-on error > /dev/null || die "$(basename "$program") has an error for gfx942"
done
"$CASS_TRITON/bin/python" "$here/libdevice.py" || die "mappings/triton.toml does not say what AMD's libdevice lacks"
compile "$here"/by-hand/*.py || die "what the advice says does not compile for AMD"
echo "ok: $(ls "$here"/kernels/*.py | wc -l) programs compile after translation and not before, $(ls "$here"/by-hand/*.py | wc -l) by the advice"
