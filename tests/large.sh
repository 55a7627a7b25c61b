#!/usr/bin/env bash
# Trees and files far larger than a build without optimization should be asked for: 100,000 files, and one file of 100 MB.
# Usage: tests/large.sh PROGRAM
set -euo pipefail
program=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() { echo "tests/large.sh: $*" >&2; exit 1; }

# One file in ten uses CUDA.
mkdir -p tree/{0..99}
for number in {0..99999}; do
    if ((number % 10)); then echo "int plain_$number;"; else echo "int f$number(void *p) { return cudaFree(p); }"; fi \
        >"tree/$((number % 100))/f$number.cu"
done
"$program" tree out --quiet
[ "$(find out -name '*.cu' | wc -l)" = 100000 ] || fail "files are missing"
[ "$(grep -rl --include='*.cu' hipFree out | wc -l)" = 10000 ] || fail "calls were not translated"
"$program" check tree >check.txt || fail "check found something: $(head -3 check.txt)"

# On a terminal a person sees how far it is; elsewhere nothing but the result. To find the files takes less time than anybody waits.
if command -v script >/dev/null; then
    TERM=xterm script -qec "$program check tree" terminal.txt >/dev/null
    grep -q 'files read' terminal.txt || fail "no sign of life"
fi
! grep -q 'files found\|files read' check.txt || fail "a sign of life in a file"

# Lines of many kinds, and one that is as long as a file.
line='void f(void *p, cudaStream_t s) { cudaFree(p); k<<<1, 2, 0, s>>>(p); } // "a string"'
mkdir large
{
    echo '#include <cuda_runtime.h>'
    seq 1150000 | sed "s|.*|$line|"
    printf 'const char *s = "'
    head -c 2000000 /dev/zero | tr '\0' x
    printf '";\nvoid g(int t) { cudaDeviceFlushGPUDirectRDMAWrites(t, 0); }\n'
} >large/large.cu
"$program" large large-out --quiet
! grep -q 'cudaFree\|cudaStream_t' large-out/large.cu || fail "the large file was not translated"
[ "$(wc -l <large-out/large.cu)" = "$(wc -l <large/large.cu)" ] || fail "lines of the large file are missing"
"$program" check large --output-format concise >check.txt && fail "check is silent"
grep -q '^large/large.cu:[0-9]*:[0-9]*: error\[CASS003\]' check.txt || fail "check found something else: $(head -3 check.txt)"
[ "$(wc -l <check.txt)" -lt 5 ] || fail "check found more than the one call"

# The patch of the large file makes of it what translation does.
"$program" diff large --patch large.patch
git apply large.patch
cmp large/large.cu large-out/large.cu || fail "the patch of the large file is not its translation"
