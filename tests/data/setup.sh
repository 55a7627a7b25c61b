#!/usr/bin/env bash
# setup.sh DIR: an environment with PySpark and Ray Data, for local mode. PySpark needs a Java that is there. 1.5 GB, some minutes; a second
# call returns at once. Which index is asked is pip's own configuration.
set -euo pipefail
VERSIONS="pyspark==3.5.7 pandas pyarrow ray[data]"
DIR=$(mkdir -p "${1:?usage: setup.sh DIR}" && cd "$1" && pwd)
if [ "$(cat "$DIR/.complete" 2>/dev/null)" = "$VERSIONS" ]; then
  echo "setup.sh: $DIR is complete already"
  exit 0
fi
python3 -m venv "$DIR"
# shellcheck disable=SC2086
"$DIR/bin/pip" install -q $VERSIONS
echo "$VERSIONS" > "$DIR/.complete"
