#!/usr/bin/env bash
# python-env.sh DIR PACKAGE...: an environment of Python with these packages; a second call finds them and returns at once. Which index is
# asked is pip's own configuration.
set -euo pipefail
DIR=$(mkdir -p "${1:?usage: python-env.sh DIR PACKAGE...}" && cd "$1" && pwd)
shift
if [ "$(cat "$DIR/.complete" 2>/dev/null)" = "$*" ]; then
  echo "python-env.sh: $DIR is complete already"
  exit 0
fi
python3 -m venv "$DIR"
"$DIR/bin/pip" install -q "$@"
echo "$*" > "$DIR/.complete"
