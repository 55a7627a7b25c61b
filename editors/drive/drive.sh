#!/usr/bin/env bash
# drive.sh CASS_TRANSPILE: drives Emacs and Helix with the lines that docs/howto/editors.md gives, and nothing else. Needs Emacs 29 or
# later, Helix and tmux: on Debian 13 `apt-get install emacs-nox hx tmux`. About ten seconds.
set -euo pipefail
program=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
page=$here/../../docs/howto/editors.md
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/home" "$scratch/work"
ln -s "$program" "$scratch/bin/cass-transpile"
export PATH=$scratch/bin:$PATH HOME=$scratch/home LC_ALL=C.UTF-8 TERM=xterm-256color

# The first block of code behind a heading of the page that starts with a word.
lines() { awk -v head="## $1" 'index($0, head) == 1 { on = 1 } /^```/ { if (code) exit; if (on) { code = 1; next } } code' "$page"; }
fresh() { printf '%s\n' '#include <cuda_runtime.h>' 'int main() {' '    float *p;' '    cudaMalloc(&p, 4);' \
    '    cudaDeviceFlushGPUDirectRDMAWrites(t, o);' '}' >"$1"; }

lines Emacs >"$scratch/lines.el"
lines Helix >"$scratch/languages.toml"
fresh "$scratch/work/emacs.cu"
(cd "$scratch/work" && timeout 60 emacs -Q --batch -l "$scratch/lines.el" -l "$here/emacs.el" emacs.cu)
fresh "$scratch/work/helix.cu"
timeout 60 bash "$here/helix.sh" "$scratch/work/helix.cu" "$scratch/languages.toml"
echo "drive.sh: both editors did what the page says"
