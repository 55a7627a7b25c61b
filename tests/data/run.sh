#!/usr/bin/env bash
# run.sh BIN [ROWS.jsonl FIELD]: the examples for PySpark and Ray Data in local mode, beside a shell pipe.
#
# All of them must give the records that the pipe gives; records a second are printed for each. Without ROWS 2,000 records of our own are
# made. Needs CASS_DATA (tests/data/setup.sh). Two minutes on two cores.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
CASS=$(realpath "${1:?usage: run.sh BIN [ROWS FIELD]}")
export CASS RAY_DEDUP_LOGS=0 RAY_USAGE_STATS_ENABLED=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rows=${2:-$work/rows.jsonl} field=${3:-code}
python=$CASS_DATA/bin/python
examples=$here/../../.github/examples
die() { echo "run.sh: $*" >&2; exit 1; }

if [ ! -e "$rows" ]; then
  python3 - > "$rows" <<'PY'
import json
kernel = 'import cupy\nk%d = cupy.RawKernel(\'extern "C" __global__ void k(float *x) { x[0] = __shfl_sync(0xffffffff, x[0], %d); }\', "k")\n'
for n in range(2000):
    print("not a record" if n % 500 == 250 else json.dumps({"id": n, "code": kernel % (n, n % 32) if n % 2 else f"x = {n}\n"}))
PY
fi
count=$(wc -l < "$rows")
timed() {
  local name=$1 start end; shift
  start=$(date +%s.%N)
  "$@" > "$work/$name.log" 2>&1 || { tail -20 "$work/$name.log"; die "$name fails"; }
  end=$(date +%s.%N)
  python3 -c "print(f'$name: {$count / ($end - $start):.0f} records a second, {$end - $start:.1f} s for $count')"
}
pipe() { "$CASS" jsonl --field "$field" < "$rows" > "$work/pipe.jsonl" || [ $? = 1 ]; }
same() { cmp <(sort "$work/pipe.jsonl") <(cat "$work/$1"/part-* | sort) || die "$1 gives other records than the pipe"; }
timed pipe pipe
timed spark "$python" "$examples/pyspark_jsonl.py" "$rows" "$work/spark" "$field"
same spark
timed spark-pipe env PIPE=1 "$python" "$examples/pyspark_jsonl.py" "$rows" "$work/spark-pipe" "$field"
same spark-pipe
timed ray "$python" "$examples/ray_jsonl.py" "$rows" "$work/ray" "$field"
same ray
echo "ok: the same $count records by a pipe, PySpark and Ray Data"
