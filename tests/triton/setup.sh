#!/usr/bin/env bash
# setup.sh DIR: an environment with Triton's stock wheel, which has AMD's compiler in it. 250 MB, a minute; a second call returns at once.
# Which index is asked is pip's own configuration.
set -euo pipefail
VERSION=3.6.0
DIR=$(mkdir -p "${1:?usage: setup.sh DIR}" && cd "$1" && pwd)
if [ "$(cat "$DIR/.complete" 2>/dev/null)" = "$VERSION" ]; then
  echo "setup.sh: $DIR is complete already"
  exit 0
fi
python3 -m venv "$DIR"
"$DIR/bin/pip" install -q "triton==$VERSION"
# Triton builds a launcher only for a GPU that is there: nothing else is needed.
echo "$VERSION" > "$DIR/.complete"
