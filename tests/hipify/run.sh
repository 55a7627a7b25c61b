#!/usr/bin/env bash
# Runs HIPIFY's own unit tests against cass-transpile: each test's source is translated, comments are cut as HIPIFY's run_test.sh does,
# and LLVM's FileCheck compares the rest with the CHECK lines.
#
#   tests/hipify/run.sh HIPIFY_CHECKOUT [--profile] [PATH_PART]
#
# Without --profile the tool decides names as it always does and only the options of each test are mapped. With it, the overlays
# fixtures/mappings/hipify-*.toml give HIPIFY's spellings where ours differ. Needs FileCheck (or FILECHECK=…) and a built tool
# (or TOOL=…). Exit code 0 if at least EXPECT tests pass (default: 60 plain, 131 with the profile), else 1.
#
# What the profile does not bring to pass, and will not:
#   kernel_launch_01, axpy   the checks want macros of the test expanded; a translation keeps them and changes their definition
#   caffe2_02                the checks rename Caffe2's own names (CUDAContext, REGISTER_CUDA_OPERATOR): a project's names stay
#   half2_allocators         the checks want casts to half& around tmp.x, which is a half in every HIP since 1.6
#   driver_defines           the checks rename __CUDACC__ where the test itself defines it
# Plain, most checks that fail ask for headers without their folder (hipblas.h), which ROCm 6.4 does not have.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
checkout=${1:?usage: run.sh HIPIFY_CHECKOUT [--profile] [PATH_PART]}
shift
profile=no
[ "${1:-}" = --profile ] && profile=yes && shift
part=${1:-}
tool=${TOOL:-$root/target/release/cass-transpile}
filecheck=${FILECHECK:-$(command -v FileCheck FileCheck-{21,20,19,18} | head -n 1)}
[ -x "$tool" ] || { echo "build the tool first, or set TOOL: $tool is missing" >&2; exit 2; }
[ -n "$filecheck" ] || { echo "FileCheck is missing: install LLVM's tools, or set FILECHECK" >&2; exit 2; }
overlays=$root/fixtures/mappings
roc="--blas roc --fft roc --rand roc --solver roc --sparse roc"

# Options of hipify-clang in a RUN line to ours; those that only concern clang or HIPIFY's experimental names need none.
options() {
    [ $profile = yes ] && printf '%s ' --mappings "$overlays/hipify-profile.toml"
    printf '%s ' --strings --runtime-header always
    for word in $1; do
        case $word in
            --roc | -roc)
                printf '%s ' "$roc"
                [ $profile = yes ] && printf '%s ' --mappings "$overlays/hipify-roc-profile.toml"
                ;;
            --miopen) [ $profile = yes ] && printf '%s ' --mappings "$overlays/hipify-miopen-profile.toml" ;;
            --hip-kernel-execution-syntax) printf '%s ' --launch ggl ;;
            --skip-excluded-preprocessor-conditional-blocks) printf '%s ' --skip-inactive ;;
        esac
    done
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0
total=0
while IFS= read -r test; do
    run=$(sed -n 's/.*RUN: *%run_test hipify "%s" "%t" %hipify_args\(.*\)/\1/p' "$test" | head -n 1)
    words=$(printf '%s' "${run%%%clang_args*}" | tr -d '"')
    grep -q 'RUN: *%run_test hipify "%s" "%t" %hipify_args' "$test" || continue
    total=$((total + 1))
    out=$scratch/out.${test##*.}
    rm -f "$out"
    # shellcheck disable=SC2046
    if "$tool" $(options "$words") "$test" -o "$out" --quiet </dev/null 2>"$scratch/err" \
        && sed -E 's|//.+|// |g' "$out" | "$filecheck" "$test" --allow-empty 2>/dev/null; then
        passed=$((passed + 1))
    else
        echo "FAIL ${test#"$checkout"/tests/unit_tests/}"
    fi
done < <(find "$checkout/tests/unit_tests" -type f \( -name '*.cu' -o -name '*.cuh' -o -name '*.cpp' -o -name '*.c' -o -name '*.h' \) -path "*$part*" | sort)
echo "$passed of $total pass (profile: $profile)"
[ -n "$part" ] && exit 0
[ "$passed" -ge "${EXPECT:-$([ $profile = yes ] && echo 131 || echo 60)}" ]
