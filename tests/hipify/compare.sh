#!/usr/bin/env bash
# How many sources compile for AMD behind each translator, as they come out of it:
#
#   tests/hipify/compare.sh FOLDER [-I DIR]... [--perl HIPIFY_PERL] [--torch PACKAGE]
#
# FOLDER is translated as a whole by each: by this tool (or TOOL=…), by hipify-perl where its path is given, by PyTorch's own hipify
# where the folder is given that holds its package `hipify`. Each .cu, or the .hip that PyTorch made of it, goes through clang's front end for
# host and device (gfx90a, or TARGET=…) with ROCm's headers (CASS_ROCM) and the include folders, which are paths within FOLDER.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=${1:?usage: compare.sh FOLDER [-I DIR]... [--perl HIPIFY_PERL] [--torch PACKAGE]}
shift
perl='' torch='' includes=()
while [ $# -gt 1 ]; do
    case $1 in
        -I) includes+=("$2") ;;
        --perl) perl=$2 ;;
        --torch) torch=$2 ;;
        *) echo "compare.sh: unknown $1" >&2; exit 2 ;;
    esac
    shift 2
done
tool=${TOOL:-$root/target/release/cass-transpile}
rocm=${CASS_ROCM:?the folder of tests/rocm/setup.sh}/usr
clang=${CLANGXX:-clang++-19}
[ -x "$tool" ] || { echo "build the tool first, or set TOOL: $tool is missing" >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/by"

cp -r "$folder" "$scratch/by/nobody"
"$tool" -q "$folder" "$scratch/by/cass-transpile" </dev/null >/dev/null 2>&1
if [ -n "$perl" ]; then
    cp -r "$folder" "$scratch/by/hipify-perl"
    find "$scratch/by/hipify-perl" -type f -regex '.*\.\(cu\|cuh\|h\|hpp\|c\|cpp\)' -exec perl "$perl" -inplace -quiet-warnings {} + >/dev/null 2>&1
    find "$scratch/by/hipify-perl" -name '*.prehip' -delete
fi
if [ -n "$torch" ]; then
    cp -r "$folder" "$scratch/by/PyTorch"
    PYTHONPATH=$(dirname "$torch") python3 - "$scratch/by/PyTorch" >/dev/null 2>"$scratch/torch.log" <<'PYTHON'
import sys
from hipify import hipify_python
hipify_python.hipify(sys.argv[1], output_directory=sys.argv[1], includes=["*"], is_pytorch_extension=True, show_detailed=False)
PYTHON
fi

compiles() {
    local tree=$1 source=$2 flags=()
    for folder in "${includes[@]}"; do flags+=("-I$tree/$folder"); done
    timeout 120 "$clang" -x hip --offload-arch="${TARGET:-gfx90a}" -nogpulib --rocm-path="$rocm" -I"$rocm/include" "${flags[@]}" \
        -D__HIP_PLATFORM_AMD__ -fsyntax-only -w "$source" </dev/null >"$scratch/log" 2>&1
}
for tree in "$scratch"/by/*; do
    passed=0 total=0
    while IFS= read -r source; do
        total=$((total + 1))
        # What PyTorch made of it lies beside it.
        [ -f "${source%.cu}.hip" ] && source=${source%.cu}.hip
        if compiles "$tree" "$source"; then
            passed=$((passed + 1))
        elif [ -n "${VERBOSE:-}" ]; then
            echo "$(basename "$tree"): ${source#"$tree"/}: $(grep -m 1 'error:' "$scratch/log")"
        fi
    done < <(find "$tree" -name '*.cu' | sort)
    echo "$(basename "$tree"): $passed of $total"
done
