#!/usr/bin/env bash
# setup.sh DIR: an environment with Numba, whose simulator runs programs for CUDA without a GPU. 250 MB, a minute; a second call returns
# at once. Which index is asked is pip's own configuration.
set -euo pipefail
VERSION=0.61.2
DIR=$(mkdir -p "${1:?usage: setup.sh DIR}" && cd "$1" && pwd)
if [ "$(cat "$DIR/.complete" 2>/dev/null)" = "$VERSION" ]; then
  echo "setup.sh: $DIR is complete already"
  exit 0
fi
python3 -m venv "$DIR"
"$DIR/bin/pip" install -q "numba==$VERSION"
echo "$VERSION" > "$DIR/.complete"
